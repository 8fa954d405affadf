"""Common sub-expressions: what is asked for twice is computed once."""

from __future__ import annotations

from collections.abc import Hashable

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.rewrite import strided
from runmat_core.accel.planning.rewrite.draft import Draft
from runmat_core.accel.planning.rewrite.operations import VIEW

#: Value classes (`known_class`) that one number alone has: 0 has two signs.
_ONE_NUMBER = frozenset({1.0, 2.0, 0.5})

#: Where a second copy costs less than a second computation.
_DEAR = frozenset({"call", "item"})


def common(draft: Draft, number: int) -> int | None:
    """Two nodes of the same operation, inputs and static facts are one.

    Scalars must be equal for every plan with this key, which their value classes alone tell. Draws
    are never the same: their positions are numbers that a plan does not know.
    """
    key = _key(draft, number)
    if key is None:
        return None
    seen = draft.seen
    other = seen.get(key)
    if other is None or other == number or draft.dead[other] or _key(draft, other) != key:
        seen[key] = number
        return None
    if draft.can_replace(number, other):
        return other
    if draft.kinds[number] not in _DEAR:
        return None
    shape = draft.nodes[number].shape
    return draft.add(VIEW, (other,), shape, number, strided.static_of(strided.whole(shape)))


def _key(draft: Draft, number: int) -> Hashable | None:
    node: Node = draft.nodes[number]
    inputs = draft.inputs[number]
    if draft.kinds[number] == "view" and draft.real(number):
        # what a view is called says where it was written, and whether it conjugates
        return ("view", inputs, strided.view_of(node))
    if -1 in inputs:
        scalars = [value for k, value in zip(inputs, node.inputs, strict=True) if k < 0]
        for value in scalars:
            if value.__class__ is not float or value not in _ONE_NUMBER:
                return None
        return (node.op, inputs, node.static, node.shape, node.cls, tuple(scalars))
    return (node.op, inputs, node.static, node.shape, node.cls)
