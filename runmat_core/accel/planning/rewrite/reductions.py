"""Rules about reductions, whose operands may be joined in any order."""

from __future__ import annotations

from typing import Any

from runmat_core.accel.planning.rewrite.draft import Draft
from runmat_core.values.classes import FLOAT_CLASSES

#: Reductions of which one after the other is one over both axes.
_NEST = frozenset({"sum", "prod", "mean", "max", "min", "any", "all"})
#: Those that round nothing, and so may nest in every class.
_EXACT = frozenset({"max", "min", "any", "all"})


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
    static = tuple(("axes", axes) if key == "axes" else (key, said) for key, said in node.static)
    return draft.add(node.op, (base,), node.shape, number, static)


def _axes(draft: Draft, number: int) -> tuple[int, ...]:
    axes: Any = draft.nodes[number].option("axes")
    return tuple(axes)


def _plain(draft: Draft, number: int) -> bool:
    """Whether a reduction has one operand, one output and no options."""
    static = dict(draft.nodes[number].static)
    static.pop("axes", None)
    return len(draft.inputs[number]) == 1 and not any(static.values())
