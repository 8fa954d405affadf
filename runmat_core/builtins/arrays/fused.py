"""Reductions and scans in kernel IR: what the marks of sums, means, variances and norms name.

Each takes the array in the type that is computed in, and the options that the call has.
"""

from __future__ import annotations

from typing import Any

from runmat_core.api import ir
from runmat_core.api.ir import complexes


def _sum(x: Any) -> Any:
    return ir.reduce(ir.reducers.sum_(x.dtype), x)[0]


def _present(x: Any, otherwise: float) -> Any:
    """`x` with `otherwise` for NaN."""
    return ir.where(ir.isnan(x), otherwise, x)


def _count(x: Any, omit_nan: bool) -> Any:
    """Return the number of elements, or of those that are not NaN, in the type of `x`."""
    return _sum(ir.cast(~ir.isnan(x), x.dtype)) if omit_nan else ir.count(x)


def total(x: Any, omit_nan: bool = False) -> Any:
    return _sum(_present(x, 0.0) if omit_nan else x)


def product(x: Any, omit_nan: bool = False) -> Any:
    return ir.reduce(ir.reducers.prod(x.dtype), _present(x, 1.0) if omit_nan else x)[0]


def any_true(x: Any) -> Any:
    """NaN does not count."""
    hit = x if x.dtype == "bool" else x != 0
    if x.dtype in ir.FLOATS | ir.COMPLEX:
        hit = hit & ~ir.isnan(x)
    return ir.reduce(ir.reducers.any_(), hit)[0]


def all_true(x: Any) -> Any:
    return ir.reduce(ir.reducers.all_(), x if x.dtype == "bool" else x != 0)[0]


def nonzeros(x: Any) -> Any:
    hit = x if x.dtype == "bool" else x != 0
    return _sum(ir.cast(hit, "f64"))


def mean(x: Any, omit_nan: bool = False) -> Any:
    count = _count(x, omit_nan)
    return complexes.divide(total(x, omit_nan), ir.real(count) if x.dtype in ir.COMPLEX else count)


def variance(x: Any, omit_nan: bool = False, biased: bool = False) -> Any:
    """In one pass; of a single element 0, of none NaN."""
    if x.dtype in ir.COMPLEX:
        return _complex_variance(x, omit_nan, biased)
    if omit_nan:
        # what is left out counts nothing: both moments about the mean of what is there
        count = _count(x, True)
        off = ir.where(ir.isnan(x), 0.0, x - total(x, True) / count)
        squares = _sum(off * off)
    else:
        count, _, squares = ir.reduce(ir.reducers.welford(x.dtype), x)
    divisor = count if biased else ir.maximum(count - 1.0, 1.0)
    found = squares / divisor
    return ir.where(count == 0.0, float("nan"), found) if omit_nan else found


def _complex_variance(x: Any, omit_nan: bool, biased: bool) -> Any:
    """Return the mean of the squared moduli about the mean."""
    missing = ir.isnan(x)
    part = ir.real(x)
    count = _sum(ir.cast(~missing, part.dtype)) if omit_nan else ir.count(part)
    off = x - total(x, omit_nan) / ir.cast(count, x.dtype)
    square = ir.real(off) * ir.real(off) + ir.imag(off) * ir.imag(off)
    divisor = count if biased else ir.maximum(count - 1.0, 1.0)
    found = _sum(ir.where(missing, 0.0, square) if omit_nan else square) / divisor
    return ir.where(count == 0.0, float("nan"), found) if omit_nan else found


def deviation(x: Any, omit_nan: bool = False, biased: bool = False) -> Any:
    return ir.sqrt(variance(x, omit_nan, biased))


def spread(x: Any) -> Any:
    """Return the largest less the least element; integer classes saturate."""
    (most,) = ir.reduce(ir.reducers.maximum(x.dtype), x)
    (least,) = ir.reduce(ir.reducers.minimum(x.dtype), x)
    if x.dtype in ("i64", "u64"):
        return ir.saturating.minus(most, least)
    if x.dtype not in ir.FLOATS:
        most, least = ir.cast(most, "f64"), ir.cast(least, "f64")
    return most - least


def norm(x: Any, p: str = "2") -> Any:
    """Of all elements: 2 (or Frobenius), 1, inf, -inf; NaN where there is one."""
    size = ir.abs_(x)
    if p == "1":
        return _sum(size)
    if p == "2":
        return _euclidean(size)
    extremum = ir.reducers.maximum if p == "inf" else ir.reducers.minimum
    (best,) = ir.reduce(extremum(size.dtype), size)
    (missing,) = ir.reduce(ir.reducers.any_(), ir.isnan(x))
    return ir.where(missing, float("nan"), best)


#: Elements above the first power of two, or below its reciprocal, have squares that may overflow or
#: vanish; times the second power, or its reciprocal, they have not.
_BEYOND = {"f32": (2.0**48, 2.0**76), "f64": (2.0**432, 2.0**560)}


def _euclidean(size: Any) -> Any:
    """Return the root of the sum of squares, with sums of large, plain and small elements.

    Source: Blue, "A portable Fortran program to find the Euclidean norm" (1978).
    """
    limit, scale = _BEYOND[size.dtype]
    large, small = size > limit, size < 1 / limit
    down, up = size * (1 / scale), size * scale
    plain = ir.where(large | small, 0.0, size)
    of_large = _sum(ir.where(large, down * down, 0.0))
    of_plain = _sum(plain * plain)
    of_small = _sum(ir.where(small, up * up, 0.0))
    # of_plain is NaN where an element is
    high = ir.sqrt(of_large + of_plain * (1 / scale) * (1 / scale)) * scale
    middle = ir.sqrt(of_plain + of_small * (1 / scale) * (1 / scale))
    low = ir.sqrt(of_small) * (1 / scale)
    return ir.where(of_large > 0.0, high, ir.where(of_plain == 0.0, low, middle))


def running_total(x: Any, reverse: bool = False, omit_nan: bool = False) -> Any:
    kept = _present(x, 0.0) if omit_nan else x
    return ir.scan(ir.reducers.running_sum(x.dtype), kept, reverse=reverse)[0]


def running_product(x: Any, reverse: bool = False, omit_nan: bool = False) -> Any:
    kept = _present(x, 1.0) if omit_nan else x
    return ir.scan(ir.reducers.prod(x.dtype), kept, reverse=reverse)[0]
