"""Rules about reductions, whose operands may be joined in any order."""

from __future__ import annotations

from typing import Any

from runmat_core.accel.ops.reductions import MEAN_SQUARE, reduced_shape
from runmat_core.accel.planning.rewrite.draft import Draft
from runmat_core.values.classes import FLOAT_CLASSES

#: Reductions of which one after the other is one over both axes.
_NEST = frozenset({"sum", "prod", "mean", "max", "min", "any", "all"})
#: Those that round nothing, and so may nest in every class.
_EXACT = frozenset({"max", "min", "any", "all"})
#: How many values are looked at in search of a reduction.
FAR = 64


def nested(draft: Draft, number: int) -> int | None:
    """``sum(sum(x, 1), 2)`` is one sum over both axes.

    The mean of means of equally many elements is the mean of all. What `x` is stays part of it:
    ``sum(sum(x .* y))`` reduces the product.
    """
    node = draft.nodes[number]
    source = draft.inputs[number][0]
    name = node.op.name
    if name not in _NEST or source < 0 or draft.kinds[source] != "reduce":
        return None
    below = draft.nodes[source]
    if below.op is not node.op or not draft.only_user(source, number):
        return None
    if not _plain(draft, number) or not _plain(draft, source):
        return None
    if below.cls != node.cls or (name not in _EXACT and node.cls not in FLOAT_CLASSES):
        return None
    base = draft.inputs[source][0]
    if not draft.nodes[base].size:
        return None
    axes = tuple(sorted({*_axes(draft, number), *_axes(draft, source)}))
    if _met(draft, base, axes) == _axes(draft, source):
        return None
    static = tuple(("axes", axes) if key == "axes" else (key, said) for key, said in node.static)
    return draft.add(node.op, (base,), node.shape, number, static)


def staged(draft: Draft, number: int) -> int | None:
    """``sum(x - mean(x, 2), 'all')`` is the sum over rows, and then the sum of these.

    What is made of elements and of their reduction over some of the axes is there slice by slice:
    reduced over the same axes first, it is never an array of its own. The opposite of `nested`.
    """
    node = draft.nodes[number]
    base = draft.inputs[number][0]
    name = node.op.name
    if name not in _NEST or base < 0 or not _plain(draft, number) or not draft.nodes[base].size:
        return None
    if name not in _EXACT and not node.cls == draft.nodes[base].cls in FLOAT_CLASSES:
        return None
    first = _met(draft, base, _axes(draft, number))
    if first is None:
        return None
    shape = draft.nodes[base].shape
    rest = tuple(k for k in _axes(draft, number) if k not in first and shape[k] > 1)
    said = [pair for pair in node.static if pair[0] != "axes"]
    small = reduced_shape(shape, first)
    slices = draft.add(node.op, (base,), small, number, (("axes", first), *said))
    return draft.add(node.op, (slices,), node.shape, number, (("axes", rest), *said))


def about_mean(draft: Draft, number: int) -> int | None:
    """``mean((x - mean(x)) .^ 2)`` in one pass over `x`, with the mean beside it (Welford)."""
    node = draft.nodes[number]
    if node.op.name != "mean" or not _plain(draft, number) or node.cls not in FLOAT_CLASSES:
        return None
    off = _squared(draft, draft.inputs[number][0])
    if off < 0 or draft.nodes[off].op.name != "minus" or draft.kinds[off] != "map":
        return None
    x, mean = draft.inputs[off]
    if x < 0 or mean < 0 or draft.kinds[mean] != "reduce":
        return None
    same = draft.nodes[mean].op is node.op and draft.inputs[mean] == (x,)
    alike = {draft.nodes[k].cls for k in (x, off, mean)} == {node.cls}
    if not (same and alike and _plain(draft, mean) and draft.real(off)):
        return None
    axes = _axes(draft, number)
    if _axes(draft, mean) != axes or draft.nodes[x].shape != draft.nodes[off].shape:
        return None
    if not draft.nodes[x].size:
        return None
    return draft.add(MEAN_SQUARE, (x,), node.shape, number, (("axes", axes),))


def _squared(draft: Draft, number: int) -> int:
    """Return the node of which a node is the square, -1 where it is none."""
    if number < 0 or draft.kinds[number] != "map":
        return -1
    name, inputs = draft.nodes[number].op.name, draft.inputs[number]
    if name == "times" and inputs[0] == inputs[1]:
        return inputs[0]
    if name == "power" and inputs[1] < 0 and draft.scalar(number, 1) == 2.0:
        return inputs[0]
    return -1


def _met(draft: Draft, base: int, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the axes, some of `axes` but not all, of a reduction that `base` is made of."""
    shape = draft.nodes[base].shape
    stack, seen = [base], {base}
    while stack and len(seen) < FAR:
        k = stack.pop()
        if draft.kinds[k] == "reduce":
            found, below = _axes(draft, k), draft.inputs[k][0]
            left = [a for a in axes if a not in found and shape[a] > 1]
            if below >= 0 and draft.nodes[below].shape == shape and left and {*found} < {*axes}:
                return found
        elif draft.kinds[k] == "map":
            fresh = {a for a in draft.inputs[k] if a >= 0} - seen
            seen |= fresh
            stack += sorted(fresh)
    return None


def _axes(draft: Draft, number: int) -> tuple[int, ...]:
    axes: Any = draft.nodes[number].option("axes")
    return tuple(axes)


def _plain(draft: Draft, number: int) -> bool:
    """Whether a reduction has one operand, one output and no options."""
    static = dict(draft.nodes[number].static)
    static.pop("axes", None)
    return len(draft.inputs[number]) == 1 and not any(static.values())
