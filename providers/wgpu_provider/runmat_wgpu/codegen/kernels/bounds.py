"""Bounds of generated values, computed where the kernel runs.

What a kernel computes from element numbers, random numbers and parameters alone, such as the points
of `linspace`, lies between what it makes of the least and of the greatest number, and arithmetic of
bounds goes on from there. One test of these bounds before a loop says whether functions in it need
tests of their arguments, element by element.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from runmat_core.api.ir import FLOATS, Instr
from runmat_wgpu.codegen.kernels.draft import block
from runmat_wgpu.codegen.kernels.emit import Body

#: Names of the least and the largest value.
Pair = tuple[str, str]


def in_two_forms(
    body: Body, wanted: Iterable[int], mask: int, loop: Callable[[], list[str]]
) -> list[str]:
    """A loop that goes on from where its variable stands, before it in shorter forms if they do.

    Args:
        body: the scope around the loop.
        wanted: what the loop computes.
        mask: the axes that it goes along.
        loop: writes it, by what `Body.near` says.
    """
    test, chosen = near(body, wanted, mask)
    if not test:
        return loop()
    body.near = chosen
    shorter = block(f"if ({test})", loop())
    body.near = frozenset()
    return [*shorter, *loop()]


def near(body: Body, wanted: Iterable[int], mask: int) -> tuple[str, frozenset[int]]:
    """Write the bounds of what these instructions need into a body.

    Args:
        body: the scope around a loop.
        mask: the axes that the loop goes along.

    Returns:
        A test of all of them, and the instructions whose shorter forms are right where it holds;
        an empty test if there are none.
    """
    found: dict[int, Pair] = {}
    tests: list[str] = []
    chosen: list[int] = []
    scratch = body.inside()
    for k in body.needed(wanted):
        instr = body.code[k]
        limit = body.draft.scalars.limit(instr.op, instr.dtype)
        operand = _pair(scratch, instr.args[0], mask, found) if instr.args else None
        divisor = instr.args[1] if instr.op == "div" else None
        fixed = divisor is None or _is_fixed(scratch, divisor, mask)
        if limit is not None and operand is not None and fixed:
            low, high = operand
            literal = scratch.draft.scalars.literal(limit, instr.dtype)
            tests += [f"abs({end}) <= {literal}" for end in (low, high)]
            if divisor is not None:
                test = scratch.draft.scalars.function(
                    f"ordinary_{instr.dtype}", *scratch.names(divisor)
                )
                tests.append(test)
            chosen.append(k)
        bounds = _bounds(scratch, k, instr, mask, found)
        if bounds is not None:
            found[k] = bounds
    if tests:
        body.lines += scratch.lines
    return " && ".join(dict.fromkeys(tests)), frozenset(chosen)


def _is_fixed(body: Body, k: int, mask: int) -> bool:
    """Whether a value is one number for all points of the loop."""
    instr = body.code[k]
    if instr.over & mask or instr.op in ("load", "random", "index"):
        return False
    return (k in body.known and len(body.known[k]) == 1) or instr.op in ("const", "param")


def _pair(body: Body, k: int, mask: int, found: dict[int, Pair]) -> Pair | None:
    if _is_fixed(body, k, mask):
        (name,) = body.names(k)
        return name, name
    return found.get(k)


def _bounds(body: Body, k: int, instr: Instr, mask: int, found: dict[int, Pair]) -> Pair | None:
    if instr.op == "index":
        return ("0u", body.let(_top(body, int(instr.attr)), "top")) if body.layout.narrow else None  # type: ignore[call-overload]
    if instr.dtype not in FLOATS:
        return None
    return _made(body, instr, mask, found) or _always(body, k, instr)


def _always(body: Body, k: int, instr: Instr) -> Pair | None:
    """Bounds that follow from the code alone, as those of random numbers."""
    known = body.draft.ranges[k]
    if known is None or not all(map(math.isfinite, known)):
        return None
    low, high = (body.draft.scalars.literal(end, instr.dtype) for end in known)
    return low, high


def _made(body: Body, instr: Instr, mask: int, found: dict[int, Pair]) -> Pair | None:
    """Bounds from those of the operands, which are closer."""
    operands = [_pair(body, a, mask, found) for a in instr.args]
    known = [pair for pair in operands if pair is not None]
    if not operands or len(known) < len(operands):
        return None
    if instr.op in ("mul", "div"):
        return _scaled(body, instr, known, mask)
    rule = _RULES.get(instr.op)
    if rule is None:
        return None
    low, high = rule(instr, known)
    return body.let(low, "low"), body.let(high, "high")


def _scaled(body: Body, instr: Instr, operands: Sequence[Pair], mask: int) -> Pair | None:
    """Bounds of a product or quotient with a number; NaN stays in one of them."""
    pair, number = operands
    sign = "*" if instr.op == "mul" else "/"
    if not _is_fixed(body, instr.args[1], mask):
        pair, number = number, pair
        if sign == "/" or not _is_fixed(body, instr.args[0], mask):
            return None
    one, other = (body.let(f"{end} {sign} {number[0]}", "end") for end in pair)
    low = body.let(f"select({one}, {other}, {other} < {one})", "low")
    return low, body.let(f"select({other}, {one}, {other} < {one})", "high")


def _top(body: Body, view: int) -> str:
    """The largest number of a view whose numbers are at least 0."""
    words = body.draft.words
    body.draft.fixed.add(view)
    terms = [words.offset(view)]
    for axis, moves in enumerate(body.draft.kernel.views[view].moves):
        last = f"({words.extent(axis)} - 1u)"
        if moves and (view, axis) in body.layout.unit:
            terms.append(last)
        elif moves:
            stride = words.stride(view, axis)
            terms.append(f"select(0u, {last} * {stride}, i32({stride}) > 0)")
    return " + ".join(terms)


def _cast(instr: Instr, operands: Sequence[Pair]) -> Pair:
    low, high = operands[0]
    return f"{instr.dtype}({low})", f"{instr.dtype}({high})"


_RULES: dict[str, Callable[[Instr, Sequence[Pair]], Pair]] = {
    "cast": _cast,
    "neg": lambda instr, r: (f"-{r[0][1]}", f"-{r[0][0]}"),
    "add": lambda instr, r: (f"{r[0][0]} + {r[1][0]}", f"{r[0][1]} + {r[1][1]}"),
    "sub": lambda instr, r: (f"{r[0][0]} - {r[1][1]}", f"{r[0][1]} - {r[1][0]}"),
}
