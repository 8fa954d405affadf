"""Ratios of small integers, as ``format rational`` and ``rats`` write them."""

from __future__ import annotations

import math

import numpy as np

#: Characters for the numerator (with the slash after it) and for the denominator.
_NUMERATOR = 8
_DENOMINATOR = 6


def rational_tolerance(values: np.ndarray, length: int = 13) -> float:
    """How far an approximation of one of `values` may be off: relative to their 1-norm."""
    finite = np.abs(values[np.isfinite(values)])
    return min(10 ** (-(length - 1) / 2) * float(finite.sum()), 0.1)


def continued_fraction(x: float, tolerance: float) -> list[int]:
    """Return the terms of the first convergent of `x` within `tolerance`, rounded to nearest."""
    term = _rounded(x)
    terms = [term]
    n, d, last_n, last_d = term, 1, 1, 0
    fraction = x - term
    while fraction and abs(x - n / d) > tolerance:
        flipped = 1 / fraction
        if abs(flipped) > 1e300:  # of the smallest numbers the reciprocal overflows
            break
        term = _rounded(flipped)
        terms.append(term)
        fraction = flipped - term
        n, last_n = n * term + last_n, n
        d, last_d = d * term + last_d, d
    return terms


def _rounded(x: float) -> int:
    """To nearest, halves away from zero."""
    return int(x + math.copysign(0.5, x)) if abs(x) < 2**52 else int(x)


def rational(x: float, tolerance: float) -> tuple[int, int]:
    """Return the first continued-fraction convergent of `x` within `tolerance`: (n, d), d > 0."""
    n, d, last_n, last_d = 1, 0, 0, 1
    for term in continued_fraction(x, tolerance):
        n, last_n = n * term + last_n, n
        d, last_d = d * term + last_d, d
    return (-n, -d) if d < 0 else (n, d)


def rational_text(x: float, tolerance: float) -> str:
    """``n/d``, ``n``, or MATLAB's ``1/0`` and ``0/0`` for Inf and NaN."""
    if x - x != 0:
        return "0/0" if x != x else "1/0" if x > 0 else "-1/0"
    n, d = rational(x, tolerance)
    return str(n) if d == 1 else f"{n}/{d}"


def rational_texts(values: np.ndarray) -> list[str]:
    """Return the elements as ratios with their slashes below each other.

    ``*`` where one does not fit.
    """
    texts = []
    for x in values.ravel(order="F").tolist():
        ratio = rational_text(x, 1e-6 * abs(x))
        numerator, slash, denominator = ratio.partition("/")
        fits = len(numerator) <= _NUMERATOR - 2 and len(denominator) <= _DENOMINATOR
        if not fits and values.size > 1:
            numerator, slash, denominator = "*", "", ""
        texts.append(numerator.rjust(_NUMERATOR) + (slash + denominator).ljust(_DENOMINATOR + 1))
    return texts
