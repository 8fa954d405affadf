"""Bounds of values that follow from the code alone, such as of ``2*pi*u`` of a uniform ``u``.

With them functions need no reduction of large arguments. Bounds may be infinite; a value that may
be NaN has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.api.ir import FLOATS, Instr
from runmat_wgpu.codegen.scalars.types import LIMITS

Range = tuple[float, float]

#: What normals of Box and Muller's form cannot exceed.
_NORMAL = {"f32": 6.0, "f64": 9.0}
#: Beyond this a value may overflow.
_LARGE = {"f32": 1e38, "f64": 1e307}


def ranges(code: Sequence[Instr]) -> list[Range | None]:
    """Return the bounds of each value of a kernel's code, None where nothing is known."""
    found: list[Range | None] = []
    for instr in code:
        operands = [found[a] for a in instr.args]
        bounds = _of(instr, operands)
        if bounds is None and instr.dtype in LIMITS and instr.op not in ("store", "guard"):
            bounds = _whole(instr.dtype)
        if bounds is not None and instr.dtype in FLOATS and instr.op not in ("min", "max"):
            large = _LARGE[instr.dtype]
            bounds = bounds if -large <= bounds[0] and bounds[1] <= large else None
        found.append(bounds)
    return found


def _whole(dtype: str) -> Range:
    low, high = LIMITS[dtype]
    return float(low), float(high)


def _of(instr: Instr, operands: Sequence[Range | None]) -> Range | None:
    attr: Any = instr.attr
    if instr.op == "const" and instr.dtype != "bool":
        return None if math.isnan(attr) else (attr, attr)
    if instr.op == "random":
        most = _NORMAL[instr.dtype]
        return (0.0, 1.0) if attr[0] == "uniform" else (-most, most)
    if instr.op in ("min", "max"):
        return _extremum(instr.op, *operands)
    if instr.op == "select":
        operands = operands[1:]
    rule = _RULES.get(instr.op)
    if rule is None or instr.dtype not in FLOATS or instr.op == "carry":
        return None
    known = [bounds for bounds in operands if bounds is not None]
    if instr.op == "cast" and not known:
        return None  # of a logical value, or of any number
    if len(known) < len(operands) or not all(map(math.isfinite, sum(known, ()))):
        return None
    return rule(known)


def _extremum(op: str, a: Range | None, b: Range | None) -> Range | None:
    """Return a number wins over NaN, so one operand with bounds is enough for one bound."""
    if a is None and b is None:
        return None
    none = (-math.inf, math.inf)
    lows, highs = zip(a or none, b or none, strict=True)
    if a is None or b is None:
        known = a or b
        assert known is not None
        return (known[0], math.inf) if op == "max" else (-math.inf, known[1])
    choose = max if op == "max" else min
    return choose(lows), choose(highs)


def _corners(values: Sequence[float]) -> Range:
    return min(values), max(values)


def _divided(operands: Sequence[Range]) -> Range | None:
    (a, b), (c, d) = operands
    if c <= 0.0 <= d:
        return None
    return _corners([a / c, a / d, b / c, b / d])


def _size(operands: Sequence[Range]) -> Range:
    low, high = operands[0]
    return (0.0 if low <= 0.0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def _exponential(operands: Sequence[Range]) -> Range | None:
    high = operands[0][1]
    # rounded outwards by far more than any function errs
    return (0.0, math.exp(high) * 1.001) if high < 80.0 else None


def _root(operands: Sequence[Range]) -> Range | None:
    low, high = operands[0]
    return (0.0, math.sqrt(high) * 1.001) if low >= 0.0 else None


_RULES: dict[str, Callable[[Sequence[Range]], Range | None]] = {
    "neg": lambda r: (-r[0][1], -r[0][0]),
    "add": lambda r: (r[0][0] + r[1][0], r[0][1] + r[1][1]),
    "sub": lambda r: (r[0][0] - r[1][1], r[0][1] - r[1][0]),
    "mul": lambda r: _corners([a * b for a in r[0] for b in r[1]]),
    "div": _divided,
    "abs": _size,
    "cast": lambda r: r[0],
    "select": lambda r: (min(r[0][0], r[1][0]), max(r[0][1], r[1][1])),
    "sin": lambda r: (-1.0, 1.0),
    "cos": lambda r: (-1.0, 1.0),
    "tanh": lambda r: (-1.0, 1.0),
    "exp": _exponential,
    "sqrt": _root,
    **dict.fromkeys(("floor", "ceil", "round", "trunc"), lambda r: (r[0][0] - 1, r[0][1] + 1)),
}
