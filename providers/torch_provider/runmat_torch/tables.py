"""Map operations, reductions and scans by functions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from runmat_core.api.device import NUMPY_DTYPE

Axes = tuple[int, ...]

TYPES: dict[str, torch.dtype] = {
    name: getattr(torch, str(dtype)) for name, dtype in NUMPY_DTYPE.items()
}


def round_away(x: Any) -> Any:
    """Return the nearest whole numbers, halves away from zero."""
    whole = torch.trunc(x)
    return torch.where((x - whole).abs() >= 0.5, whole + torch.sign(x), whole)


def cast(x: Any, dtype: str) -> Any:
    """Convert elements as MATLAB does: integer types round and saturate, NaN is 0."""
    target = TYPES[dtype]
    if dtype == "bool":
        return x != 0
    if target.is_floating_point or target.is_complex:
        return x.to(target)
    limits = torch.iinfo(target)
    if not x.dtype.is_floating_point:
        return x.to(torch.int64).clamp(limits.min, limits.max).to(target)
    x = round_away(torch.where(torch.isnan(x), torch.zeros_like(x), x))
    high, low = x >= float(limits.max), x <= float(limits.min)
    whole = torch.where(high | low, torch.zeros_like(x), x).to(target)
    return torch.where(low, limits.min, torch.where(high, limits.max, whole)).to(target)


def remainder(x: Any, y: Any, floored: bool) -> Any:
    """Return ``mod`` or ``rem``; zero where the quotient is whole up to round-off."""
    zero = y == 0
    if not x.dtype.is_floating_point:
        safe = torch.where(zero, torch.ones_like(y), y)
        rest = torch.remainder(x, safe) if floored else torch.fmod(x, safe)
        return torch.where(zero, x if floored else torch.zeros_like(x), rest)
    rest = torch.fmod(x, y)
    if floored:
        opposite = (rest != 0) & ((rest < 0) != (y < 0)) & torch.isfinite(y)
        rest = torch.where(opposite, rest + y, rest + 0.0)
    quotient = x / y
    nearest = torch.round(quotient)
    close = (quotient - nearest).abs() < torch.finfo(x.dtype).eps * nearest.abs()
    rest = torch.where((torch.round(y) != y) & (nearest != 0) & close, torch.zeros_like(x), rest)
    return torch.where(zero, x if floored else torch.full_like(x, torch.nan), rest)


def joined(x: Any, y: Any) -> Any:
    """Return complex elements of their parts."""
    return torch.complex(*torch.broadcast_tensors(x, y))


def of_parts(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Return a sum or difference; PyTorch multiplies complex operands by one, and NaN spreads."""

    def both(x: Any, y: Any) -> Any:
        if x.is_complex():
            return joined(function(x.real, y.real), function(x.imag, y.imag))
        return function(x, y)

    return both


def multiply(x: Any, y: Any) -> Any:
    if x.is_complex():
        a, b, c, d = x.real, x.imag, y.real, y.imag
        return joined(a * c - b * d, a * d + b * c)
    return x * y


_SAME = (
    "neg sqrt exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh "
    "acosh atanh floor ceil trunc erf erfc erfinv conj real imag abs isnan isinf isfinite "
    "div pow atan2 hypot eq ne lt le gt ge"
)
OPS: dict[str, Callable[..., Any]] = {
    **{name: getattr(torch, name) for name in _SAME.split()},
    "add": of_parts(torch.add),
    "sub": of_parts(torch.sub),
    "mul": multiply,
    "sign": lambda x: torch.where(torch.isnan(x), x, torch.sign(x)),
    "round": round_away,
    "min": torch.fmin,
    "max": torch.fmax,
    "mod": lambda x, y: remainder(x, y, True),
    "rem": lambda x, y: remainder(x, y, False),
    "complex": joined,
    **{f"bit{name}": getattr(torch, f"bitwise_{name}") for name in ("and", "or", "xor", "not")},
    **{name: getattr(torch, f"logical_{name}") for name in ("and", "or", "xor", "not")},
    "gammaln": torch.lgamma,
    "select": torch.where,
}
#: What PyTorch computes of complex elements as C99 has it, infinities and NaN included.
COMPLEX_OPS = frozenset(
    "neg conj real imag complex abs add sub mul eq ne isnan isinf isfinite select cast".split()
)


def welford(x: Any, axes: Axes) -> Any:
    variance, mean = torch.var_mean(x, axes, correction=0, keepdim=True)
    count = torch.full_like(mean, x.numel() / max(mean.numel(), 1))
    return count, mean, variance * count


REDUCERS: dict[str, Callable[[Any, Axes], Any]] = {
    "sum": lambda x, axes: torch.sum(x, axes, keepdim=True),
    "any": lambda x, axes: torch.any(x, axes, keepdim=True),
    "all": lambda x, axes: torch.all(x, axes, keepdim=True),
    "welford": welford,
}
SCANS: dict[str, Callable[[Any, int], Any]] = {"sum": torch.cumsum, "prod": torch.cumprod}
