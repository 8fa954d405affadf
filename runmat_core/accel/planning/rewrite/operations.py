"""The operations that rewriting brings in, and how it reads those that it meets."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from runmat_core.accel.ops.operators import operator_op
from runmat_core.accel.ops.products import attributes_of
from runmat_core.accel.ops.views import view_op
from runmat_core.values.classes import FLOAT_CLASSES

if TYPE_CHECKING:
    from runmat_core.accel.planning.rewrite.draft import Draft

Attributes = tuple[tuple[str, Hashable], ...]


def with_attributes(**attributes: Hashable) -> tuple[tuple[str, Hashable], ...]:
    """Return the static facts of a call; attributes that are False say nothing and are left out."""
    said = tuple(sorted((key, value) for key, value in attributes.items() if value))
    return (("attributes", said),)


def is_product(draft: Draft, number: int) -> bool:
    """Whether a node is a product of two matrices of one floating type."""
    if draft.kinds[number] != "call":
        return False
    node = draft.nodes[number]
    if node.op.name != "matmul" or node.cls not in FLOAT_CLASSES:
        return False
    inputs = draft.inputs[number]
    nodes = draft.nodes
    return min(inputs) >= 0 and all(
        nodes[k].cls == node.cls and len(nodes[k].shape) == 2 for k in inputs
    )


def is_plain_product(draft: Draft, number: int) -> bool:
    """Whether a node is a product of two matrices as they are or transposed, nothing more."""
    return (
        is_product(draft, number)
        and len(draft.inputs[number]) == 2
        and not attributes_of(draft.nodes[number]).keys() - {"trans_a", "trans_b"}
    )


VIEW = view_op("view")
TIMES = operator_op("times")
PLUS = operator_op("plus")
