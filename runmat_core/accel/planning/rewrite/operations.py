"""The operations that rewriting brings in, and how it reads those that it meets.

Products are those of `capture.products`, whose attributes rewriting sets.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from runmat_core.accel.capture.operators import OPERATIONS
from runmat_core.accel.capture.products import attributes_of
from runmat_core.accel.capture.views import view_op
from runmat_core.accel.graph.node import Node, Op
from runmat_core.api import ir
from runmat_core.api.ir import FLOATS, Fragment, reducers
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.classes import FLOAT_CLASSES

if TYPE_CHECKING:
    from runmat_core.accel.planning.rewrite.draft import Draft

Attributes = tuple[tuple[str, Hashable], ...]


def with_attributes(**attributes: Hashable) -> tuple[tuple[str, Hashable], ...]:
    """The static facts of a call; attributes that are False say nothing and are left out."""
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


# -- host rules ------------------------------------------------------------------------------------


def _sum(node: Node, value: Any) -> Any:
    axes: Any = node.option("axes")
    return from_numpy(np.asfortranarray(to_numpy(value).sum(axis=axes, keepdims=True)))


def _mean_square(node: Node, value: Any) -> Any:
    axes: Any = node.option("axes")
    data = to_numpy(value)
    off = data - data.mean(axis=axes, keepdims=True)
    return from_numpy(np.asfortranarray((off * off).mean(axis=axes, keepdims=True)))


# -- the operations --------------------------------------------------------------------------------


@cache
def _sum_code(
    dtypes: tuple[str, ...], known: tuple[Any, ...] = (), options: Any = ()
) -> Fragment | None:
    if dtypes[0] not in FLOATS | ir.COMPLEX:
        return None
    return ir.trace(lambda x: ir.reduce(reducers.sum_(x.dtype), x)[0], dtypes, reduces=True)


@cache
def _mean_square_code(
    dtypes: tuple[str, ...], known: tuple[Any, ...] = (), options: Any = ()
) -> Fragment | None:
    if dtypes[0] not in FLOATS:
        return None

    def mean_square(x: Any) -> Any:
        count, _, squares = ir.reduce(reducers.welford(x.dtype), x)
        return squares / count

    return ir.trace(mean_square, dtypes, reduces=True)


VIEW = view_op("view")
TIMES = OPERATIONS["times"].op
PLUS = OPERATIONS["plus"].op
SUM = Op("sum", "reduce", _sum, _sum_code)
#: The mean of the squares of what is left of elements when their mean is taken away.
MEAN_SQUARE = Op("mean square", "reduce", _mean_square, _mean_square_code)
