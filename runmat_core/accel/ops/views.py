"""Arrays that rearrange the elements of another.

A view node holds an address over its own axes (`graph.addressing`); a gather takes the elements at
positions that another array holds.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from runmat_core.accel.graph.addressing import Strides, dense_strides, is_part, size_of
from runmat_core.accel.graph.graph import ELEMENTS
from runmat_core.accel.graph.node import PART, Node, Op, Shape
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.subscript import linear, trimmed

#: Views have no more axes than kernels have.
AXES = 8


#: The name of the one view that conjugates where its operand turns out complex.
CONJUGATE = "ctranspose"


@cache
def view_op(name: str) -> Op:
    """Return the operation of views made by the operator or builtin `name`."""
    return Op(name, "view", _conjugated if name == CONJUGATE else _taken)


@lru_cache(maxsize=4096)
def normalise_view(name: str, shape: Shape, strides: Strides) -> tuple[Op, Shape, Strides, bool]:
    """Return an operation, a size without trailing ones, its strides, and whether a view fits."""
    kept = trimmed(shape)
    strides = tuple([s if n != 1 else 0 for s, n in zip(strides, kept, strict=False)])
    return view_op(name), kept, strides, len(kept) <= AXES and size_of(kept) <= ELEMENTS


def form_of(base: Shape, shape: Shape, static: Any) -> Any:
    """Return what the structure of a view sees of its static arguments: not where parts begin."""
    return (PART, static[1]) if is_part(shape, base) else static


def _taken(node: Node, value: Any) -> Any:
    offset: Any = node.option("offset")
    strides: Any = node.option("strides")
    return from_numpy(taken(to_numpy(value), node.shape, offset, strides))


def _conjugated(node: Node, value: Any) -> Any:
    return _taken(node, from_numpy(to_numpy(value).conj()))


def taken(data: NDArray[Any], shape: Shape, offset: int, strides: Strides) -> NDArray[Any]:
    """Return the elements of `data` at an address over `shape`.

    Shares its memory where they lie so.
    """
    if not offset and size_of(shape) == data.size and strides == dense_strides(shape):
        return data.reshape(shape, order="F")
    return np.array(region(data, shape, offset, strides), order="F")


def region(data: NDArray[Any], shape: Shape, offset: int, strides: Strides) -> NDArray[Any]:
    """Return the elements of `data` at an address over `shape`, as a view of its memory."""
    bytes_of = data.itemsize
    start = linear(data)[offset:]
    return as_strided(start, shape, [stride * bytes_of for stride in strides])


# -- elements at given places ----------------------------------------------------------------------


def _gathered(node: Node, value: Any, places: Any) -> Any:
    where = linear(to_numpy(places))
    return from_numpy(linear(to_numpy(value))[where].reshape(node.shape, order="F"))


GATHER = Op("subsref", "gather", _gathered)
