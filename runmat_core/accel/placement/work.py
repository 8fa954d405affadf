"""How much there is to do in a unit, counted from its code.

Work is amounts by family: bytes read and written, cheap operations, transcendental ones in units of
one ``exp``, and so on. What an amount costs is a matter of the device (`accel.placement.costs`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from runmat_core.accel.placement import signals
from runmat_core.accel.planning.plan import KernelCall
from runmat_core.api.ir import ITEMSIZE, Kernel, LibraryCall
from runmat_core.api.ir.calls import PAGED, PAGES, TOLD

#: What is counted, and in which unit. All but ``stream`` are told apart by the width of elements.
FAMILIES = {
    "stream": "byte",
    "light": "operation",
    "heavy": "exp",
    "reduce": "element",
    "scan": "element",
    "random": "element",
    "gather": "element",
    "matmul": "flop",
    "sort": "comparison",
}

#: Operations that cost more than an addition does, in units of one ``exp``.
_HEAVY = {
    "exp": 1.0,
    "expm1": 1.3,
    "log": 1.0,
    "log1p": 1.3,
    "log2": 1.0,
    "log10": 1.0,
    "sin": 1.5,
    "cos": 1.5,
    "tan": 2.5,
    "asin": 2.0,
    "acos": 2.0,
    "atan": 2.0,
    "sinh": 2.0,
    "cosh": 2.0,
    "tanh": 1.5,
    "asinh": 2.5,
    "acosh": 2.5,
    "atanh": 2.0,
    "atan2": 3.0,
    "pow": 3.0,
    "cbrt": 2.0,
    "hypot": 0.6,
    "erf": 2.0,
    "erfc": 3.0,
    "erfinv": 4.0,
    "gamma": 8.0,
    "gammaln": 8.0,
    "mod": 1.5,
    "rem": 1.5,
    "round": 0.6,
}
#: Operations that take several times as long as an addition, in units of one.
_LIGHT = {"div": 3.0, "sqrt": 4.0, "select": 1.5}
#: What costs nothing by itself.
_FREE = frozenset("const param input extent item index load store".split())

#: Floating-point operations of a call on an m x n matrix, by m * n * min(m, n).
_CUBIC = {
    "chol": 1 / 3,
    "lu": 2 / 3,
    "solve": 2 / 3,
    "lstsq": 2.0,
    "inv": 2.0,
    "det": 2 / 3,
    "svd": 20.0,
    "eig": 25.0,
}

#: The order from which on pages are worked on at the rate of products. Smaller ones are slower in
#: proportion, with LAPACK as on devices.
_FAST = 8192.0

_FACTORISATIONS = frozenset(
    {*_CUBIC, "qr", *(name + PAGES + end for name in PAGED for end in ("", TOLD))}
)
_SIGNALS = frozenset({"conv", "fft", "filter"})
#: Passes that preparing a call of LAPACK is worth, by host rules.
WRAPPED = 10

Amounts = dict[str, float]


def width(dtype: str) -> str:
    """Return the width whose rates hold for an element type: ``f32`` or ``f64``."""
    return "f64" if ITEMSIZE[dtype] > 4 else "f32"


def fused(lowered: KernelCall) -> Amounts:
    """Return the work of a unit on a provider that keeps intermediate values out of memory."""
    unit = lowered.unit
    if isinstance(unit, LibraryCall):
        return _call(unit, lowered.extents)
    amounts: Amounts = {}
    for amount, moved in _instructions(unit, lowered.extents, amounts):
        if moved:
            _add(amounts, "stream", amount * moved)
    return amounts


def passes(lowered: KernelCall) -> tuple[Amounts, int]:
    """Return the work of a unit by host rules, and in how many passes over arrays.

    A host rule writes each operation's result to memory and reads it again.
    """
    unit = lowered.unit
    if isinstance(unit, LibraryCall):
        if unit.name in _SIGNALS:
            return signals.by_rules(unit, lowered.extents), 1
        amounts = _call(unit, lowered.extents)
        if unit.epilogue is None:
            return amounts, WRAPPED if unit.name in _FACTORISATIONS else 1
        count = len(unit.epilogue.code)
        _add(amounts, "stream", 16.0 * _points(lowered.extents, -1) * count)
        return amounts, count
    amounts = {}
    for _ in _instructions(unit, lowered.extents, amounts):
        pass
    count = 0
    for instr in unit.code:
        if instr.op in _FREE:
            continue
        count += 1
        read = sum(
            _points(lowered.extents, unit.code[k].over) * ITEMSIZE[unit.code[k].dtype]
            for k in instr.args
            if unit.code[k].over
        )
        _add(amounts, "stream", read + _points(lowered.extents, instr.over) * ITEMSIZE[instr.dtype])
    return amounts, max(count, 1)


def _instructions(
    unit: Kernel, extents: Sequence[int], amounts: Amounts
) -> list[tuple[float, int]]:
    """Count instructions into `amounts`; for each load and store its points and element bytes."""
    moved = []
    for instr in unit.code:
        points = _points(extents, instr.over)
        op = instr.op
        wide = width(unit.code[instr.args[0]].dtype if op == "cast" else instr.dtype)
        if op == "load" or op == "store":
            moved.append((points, ITEMSIZE[instr.dtype]))
            if instr.args and op == "load":
                _add(amounts, f"gather.{wide}", points)
        elif op == "reduce" or op == "scan":
            operands = max(_points(extents, unit.code[k].over) for k in instr.args)
            _add(amounts, f"{op}.{width(unit.code[instr.args[0]].dtype)}", operands)
        elif op == "random":
            normal = isinstance(instr.attr, tuple) and instr.attr[0] == "normal"
            _add(amounts, f"random.{wide}", points)
            if normal:
                _add(amounts, f"heavy.{wide}", 2.5 * points)
        elif op in _HEAVY:
            _add(amounts, f"heavy.{wide}", _HEAVY[op] * points)
        elif op not in _FREE:
            _add(amounts, f"light.{wide}", _LIGHT.get(op, 1.0) * points)
    return moved


def _call(unit: LibraryCall, extents: Sequence[int]) -> Amounts:
    """Return the work of a library call by what its name says; its epilogue counts as cheap."""
    amounts: Amounts = {}
    wide = width(unit.dtypes[0])
    size = _points(extents, -1)
    if unit.name == "matmul":
        m, n, k = extents
        _add(amounts, f"matmul.{wide}", 2.0 * size)
        # with a short side, reading the longer factor takes longer than multiplying
        _add(amounts, "stream", (m * k + k * n + m * n) * ITEMSIZE[unit.dtypes[0]])
    elif unit.name == "qr":
        m, n = extents
        passes = 2.0 if unit.attribute("q") else 1.0
        _add(amounts, f"matmul.{wide}", 2.0 * passes * size * min(m, n))
    elif unit.name in _CUBIC:
        _add(amounts, f"matmul.{wide}", _cubic(unit.name, extents))
    elif (name := unit.name.removesuffix(TOLD).removesuffix(PAGES)) in _CUBIC:
        pages = max(extents[2::3])
        one = [n for k, n in enumerate(extents) if k % 3 < 2]
        flops = pages * _cubic(name, one)
        _add(amounts, f"matmul.{wide}", flops * max(_FAST / min(one[:2]), 1.0))
    elif unit.name in _SIGNALS:
        amounts = signals.on_provider(unit, extents)
    elif unit.name in ("sort", "unique"):
        _add(amounts, f"sort.{wide}", size * max(math.log2(max(size, 2.0)), 1.0))
    elif unit.name in _SCATTERED:
        _scattered(unit, extents, amounts)
    else:
        _add(amounts, "stream", 4.0 * size * ITEMSIZE[unit.dtypes[0]])
    return amounts


def _cubic(name: str, extents: Sequence[int]) -> float:
    """Floating-point operations of a call of one matrix."""
    m, n = extents[:2]
    flops = _CUBIC[name] * float(m) * n * min(m, n)
    if len(extents) == 4:
        # right-hand sides: each is multiplied with the matrix and with its inverse
        flops += 2.0 * m * n * extents[3]
    return flops


#: Calls whose results lie, or are as large, as elements say.
_SCATTERED = frozenset({"accumulate", "compact", "expand", "histogram", "scatter"})


def _scattered(unit: LibraryCall, extents: Sequence[int], amounts: Amounts) -> None:
    """Return amounts of work: bytes for what is read in order, gathers for the rest."""
    widths = [ITEMSIZE[dtype] for dtype in unit.dtypes]
    wide = width(unit.dtypes[-1])
    if unit.name == "compact":
        rows, columns, _, kept = extents
        outputs = len(unit.attribute("gives", ()))  # type: ignore[arg-type]
        # a mask is read twice: to count, and to rank
        _add(amounts, "stream", 2.0 * rows * columns * widths[0] + kept * sum(widths[-outputs:]))
        _add(amounts, f"gather.{wide}", float(kept))
    elif unit.name == "accumulate":
        places, values, bins = extents
        sums = unit.attribute("by") != "count"
        _add(amounts, "stream", places * widths[0] + bins * widths[-1] * 2.0)
        _add(amounts, f"gather.{wide}", float(places))
        if sums:
            # sorted by as many digits as the greatest place has
            _add(amounts, "stream", float(values * widths[1]))
            _add(amounts, f"sort.{width(unit.dtypes[0])}", places * math.log2(max(bins, 2.0)))
    elif unit.name == "histogram":
        size, edges = extents
        _add(amounts, "stream", float(size * sum([widths[0], *widths[3:]])))
        _add(amounts, f"light.{wide}", 2.0 * size * math.log2(max(edges, 2.0)))
        _add(amounts, f"gather.{wide}", float(size))
    elif unit.name == "expand":
        size, count = extents
        _add(amounts, "stream", size * (2.0 * widths[1] + widths[0] + widths[3]))
        _add(amounts, f"gather.{wide}", float(count))
    else:
        size, places, values = extents
        _add(amounts, "stream", size * (widths[0] + widths[3] + 8.0))
        _add(amounts, "stream", places * widths[1] + values * widths[2])
        _add(amounts, f"gather.{wide}", 2.0 * places)


def _points(extents: Sequence[int], over: int) -> float:
    """How many points of the space the axes in a mask span."""
    points = 1.0
    for k, extent in enumerate(extents):
        if over >> k & 1:
            points *= extent
    return points


def _add(amounts: Amounts, key: str, amount: float) -> None:
    amounts[key] = amounts.get(key, 0.0) + amount
