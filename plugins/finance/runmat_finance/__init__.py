"""Builtins for option pricing: what a third-party package of runmat looks like.

Each builtin is one block: a host rule over NumPy arrays, which is the oracle, and a fusion spec
over kernel IR, by which it becomes part of the kernels around it on every provider.

Formulas: F. Black, M. Scholes, "The Pricing of Options and Corporate Liabilities", Journal of
Political Economy 81 (1973), with a continuous yield after R. Merton (1973).
"""

from runmat_finance.distribution import normcdf, normpdf
from runmat_finance.options import blsdelta, blsgamma, blsprice, blsvega

__all__ = ["blsdelta", "blsgamma", "blsprice", "blsvega", "normcdf", "normpdf"]
