"""European options by Black, Scholes and Merton."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.fusion import Map
from runmat_finance.distribution import cdf, cdf_ir, pdf, pdf_ir

Data = NDArray[Any]


class _Terms:
    """What all the formulas share; `functions` are NumPy or the kernel IR."""

    def __init__(self, functions: Any, S: Any, K: Any, r: Any, T: Any, v: Any, q: Any) -> None:
        exp, log, sqrt = functions.exp, functions.log, functions.sqrt
        self.spread = v * sqrt(T)
        drift = r if q is None else r - q
        self.d1 = (log(S / K) + (drift + v * v / 2.0) * T) / self.spread
        self.d2 = self.d1 - self.spread
        self.discounted = K * exp(-r * T)
        self.carry = None if q is None else exp(-q * T)
        self.forward = S if q is None else S * self.carry


def _call(t: _Terms, phi: Any) -> Any:
    return t.forward * phi(t.d1) - t.discounted * phi(t.d2)


def _put(t: _Terms, phi: Any) -> Any:
    return t.discounted * phi(-t.d2) - t.forward * phi(-t.d1)


def _price_ir(*args: ir.V) -> Any:
    t = _Terms(ir, *args, *[None] * (6 - len(args)))
    return _call(t, cdf_ir), _put(t, cdf_ir)


@builtin(
    "blsprice",
    family="finance",
    lift="map",
    nargin=(5, 6),
    nargout=2,
    needs=("nargout",),
    fusion=Map(_price_ir),
    effects="pure",
)
def blsprice(
    S: Data, K: Data, r: Data, T: Data, v: Data, q: Data | None = None, *, nargout: int
) -> Any:
    """Black-Scholes prices of European call and put options.

    [CALL, PUT] = blsprice(PRICE, STRIKE, RATE, TIME, VOLATILITY)
    [CALL, PUT] = blsprice(…, YIELD) with a continuous yield of the underlying

    Rates, volatility and yield are decimals for a year, TIME is in years. Sizes must be
    compatible.

    Examples:
        >> [call, put] = blsprice(100, 95, 0.1, 0.25, 0.5)
        call =
           13.6953
        put =
            6.3497

    See also: blsdelta, blsgamma, blsvega, normcdf.
    """
    t = _Terms(np, S, K, r, T, v, q)
    return (_call(t, cdf), _put(t, cdf)) if nargout > 1 else _call(t, cdf)


def _delta(t: _Terms, phi: Any) -> Any:
    call = phi(t.d1)
    put = call - 1.0
    return (call, put) if t.carry is None else (call * t.carry, put * t.carry)


def _delta_ir(*args: ir.V) -> Any:
    return _delta(_Terms(ir, *args, *[None] * (6 - len(args))), cdf_ir)


@builtin(
    "blsdelta",
    family="finance",
    lift="map",
    nargin=(5, 6),
    nargout=2,
    needs=("nargout",),
    fusion=Map(_delta_ir),
    effects="pure",
)
def blsdelta(
    S: Data, K: Data, r: Data, T: Data, v: Data, q: Data | None = None, *, nargout: int
) -> Any:
    """Sensitivity of option prices to the price of the underlying.

    [CALLDELTA, PUTDELTA] = blsdelta(PRICE, STRIKE, RATE, TIME, VOLATILITY)
    [CALLDELTA, PUTDELTA] = blsdelta(…, YIELD)

    Examples:
        >> [call, put] = blsdelta(50, 50, 0.1, 0.25, 0.3, 0)
        call =
            0.5955
        put =
           -0.4045

    See also: blsprice, blsgamma.
    """
    call, put = _delta(_Terms(np, S, K, r, T, v, q), cdf)
    return (call, put) if nargout > 1 else call


def _gamma(t: _Terms, S: Any, density: Any) -> Any:
    bent = density(t.d1) / (S * t.spread)
    return bent if t.carry is None else bent * t.carry


def _gamma_ir(*args: ir.V) -> Any:
    return _gamma(_Terms(ir, *args, *[None] * (6 - len(args))), args[0], pdf_ir)


@builtin(
    "blsgamma", family="finance", lift="map", nargin=(5, 6), fusion=Map(_gamma_ir), effects="pure"
)
def blsgamma(S: Data, K: Data, r: Data, T: Data, v: Data, q: Data | None = None) -> Any:
    """Sensitivity of delta to the price of the underlying.

    GAMMA = blsgamma(PRICE, STRIKE, RATE, TIME, VOLATILITY)
    GAMMA = blsgamma(…, YIELD)

    Examples:
        >> blsgamma(50, 50, 0.12, 0.25, 0.3, 0)
        ans =
            0.0512

    See also: blsprice, blsdelta.
    """
    return _gamma(_Terms(np, S, K, r, T, v, q), S, pdf)


def _vega_ir(*args: ir.V) -> Any:
    t = _Terms(ir, *args, *[None] * (6 - len(args)))
    return t.forward * pdf_ir(t.d1) * ir.sqrt(args[3])


@builtin(
    "blsvega", family="finance", lift="map", nargin=(5, 6), fusion=Map(_vega_ir), effects="pure"
)
def blsvega(S: Data, K: Data, r: Data, T: Data, v: Data, q: Data | None = None) -> Any:
    """Sensitivity of option prices to volatility.

    VEGA = blsvega(PRICE, STRIKE, RATE, TIME, VOLATILITY)
    VEGA = blsvega(…, YIELD)

    Examples:
        >> blsvega(50, 50, 0.12, 0.25, 0.3, 0)
        ans =
            9.6035

    See also: blsprice, blsgamma.
    """
    t = _Terms(np, S, K, r, T, v, q)
    return t.forward * pdf(t.d1) * np.sqrt(T)
