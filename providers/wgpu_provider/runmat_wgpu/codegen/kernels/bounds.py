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
from runmat_wgpu.codegen.scalars.expressions import FORMS

#: Names of the least and the largest value.
Pair = tuple[str, str]


def in_forms(
    body: Body, wanted: Iterable[int], mask: int, loop: Callable[[], list[str]]
) -> list[str]:
    """Return a loop that goes on from where its variable stands, after one in shorter forms.

    Args:
        body: the scope around the loop.
        wanted: what the loop computes.
        mask: the axes that it goes along.
        loop: writes it, by what `Body.forms` says.
    """
    lines = []
    for test, chosen in shorter(body, wanted, mask):
        body.forms = chosen
        lines += block(f"if ({test})", loop())
        body.forms = {}
    return [*lines, *loop()]


def shorter(body: Body, wanted: Iterable[int], mask: int) -> list[tuple[str, dict[int, str]]]:
    """Write the bounds of what these instructions need into a body.

    Args:
        body: the scope around a loop.
        mask: the axes that the loop goes along.

    Returns:
        Tests of all of them, those of the shortest forms first, and the forms that are right where
        a test holds; nothing if there are no shorter forms.
    """
    found: dict[int, Pair] = {}
    tests: dict[str, list[str]] = {form: [] for form in FORMS}
    chosen: dict[str, dict[int, str]] = {form: {} for form in FORMS}
    scratch = body.inside()
    for k in body.needed(wanted):
        instr = body.code[k]
        operand = _pair(scratch, instr.args[0], mask, found) if instr.args else None
        divisor = instr.args[1] if instr.op == "div" else None
        if operand is not None and (divisor is None or _is_fixed(scratch, divisor, mask)):
            for level in FORMS:
                form = _shortest(scratch, instr, level)
                if form is not None:
                    tests[level] += _within(scratch, instr, form, operand)
                    chosen[level][k] = form
        bounds = _bounds(scratch, k, instr, mask, found)
        if bounds is not None:
            found[k] = bounds
    if any(tests.values()):
        body.lines += scratch.lines
    # a level whose forms the next one has, too, is that one
    kept = {tuple(chosen[level].items()): level for level in FORMS if tests[level]}
    return [(" && ".join(dict.fromkeys(tests[k])), chosen[k]) for k in kept.values()]


def _shortest(body: Body, instr: Instr, level: str) -> str | None:
    """Return the shortest form of an operation, those before `level` not counted."""
    for form in FORMS[FORMS.index(level) :]:
        if body.draft.scalars.limit(instr.op, instr.dtype, form) is not None:
            return form
    return None


def _within(body: Body, instr: Instr, form: str, operand: Pair) -> list[str]:
    """Return tests of whether a form is right."""
    scalars = body.draft.scalars
    limit = scalars.limit(instr.op, instr.dtype, form) or 0.0
    literal = scalars.literal(limit, instr.dtype)
    tests = [f"abs({end}) <= {literal}" for end in operand]
    if instr.op == "div":
        tests.append(scalars.function(f"ordinary_{instr.dtype}", *body.names(instr.args[1])))
    return tests


def _is_fixed(body: Body, k: int, mask: int) -> bool:
    """Whether a value is one number for all points of the loop."""
    instr = body.code[k]
    if instr.over & mask or instr.op in ("load", "random", "index"):
        return False
    return (k in body.known and len(body.known[k]) == 1) or instr.op in ("const", "param")


def _pair(body: Body, k: int, mask: int, found: dict[int, Pair]) -> Pair | None:
    if _is_fixed(body, k, mask):
        (name,) = body.names(k)
        if body.code[k].op == "const":
            name = body.let(name, "end")
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
    # as variables: naga folds functions of literals, and knows no `abs` of a 64-bit one
    low, high = (
        body.let(body.draft.scalars.literal(end, instr.dtype), name)
        for end, name in zip(known, ("low", "high"), strict=True)
    )
    return low, high


def _made(body: Body, instr: Instr, mask: int, found: dict[int, Pair]) -> Pair | None:
    """Bounds from those of the operands, which are closer."""
    operands = [_pair(body, a, mask, found) for a in instr.args]
    known = [pair for pair in operands if pair is not None]
    if not operands or len(known) < len(operands):
        return None
    if instr.op in ("mul", "div"):
        return _scaled(body, instr, known, mask) or _multiplied(body, instr, known)
    if instr.op == "exp":
        return _raised(body, instr, known[0])
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


def _multiplied(body: Body, instr: Instr, operands: Sequence[Pair]) -> Pair | None:
    """Bounds of a product of two that vary: the product of their sizes."""
    if instr.op != "mul":
        return None
    nan = body.draft.scalars.function(f"nan_{instr.dtype}")
    # `max` may lose NaN, which is in one of the bounds
    sizes = [
        body.let(f"select({nan}, max(abs({low}), abs({high})), {low} <= {high})", "size")
        for low, high in operands
    ]
    size = body.let(" * ".join(sizes), "high")
    return body.let(f"-{size}", "low"), size


def _raised(body: Body, instr: Instr, operand: Pair) -> Pair:
    """Bounds of an exponential, outwards by more than the function errs."""
    scalars = body.draft.scalars
    low, high = (scalars.function(f"exp_{instr.dtype}", end) for end in operand)
    less, more = (scalars.literal(factor, instr.dtype) for factor in (0.999, 1.001))
    return body.let(f"{low} * {less}", "low"), body.let(f"{high} * {more}", "high")


def _top(body: Body, view: int) -> str:
    """Return the largest number of a view whose numbers are at least 0."""
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


def _wave(instr: Instr, operands: Sequence[Pair]) -> Pair:
    """Return the sine of a number; that the argument is one is among the tests."""
    return f"{instr.dtype}(-1)", f"{instr.dtype}(1)"


_RULES: dict[str, Callable[[Instr, Sequence[Pair]], Pair]] = {
    "sin": _wave,
    "cos": _wave,
    "cast": _cast,
    "neg": lambda instr, r: (f"-{r[0][1]}", f"-{r[0][0]}"),
    "add": lambda instr, r: (f"{r[0][0]} + {r[1][0]}", f"{r[0][1]} + {r[1][1]}"),
    "sub": lambda instr, r: (f"{r[0][0]} - {r[1][1]}", f"{r[0][1]} - {r[1][0]}"),
}
