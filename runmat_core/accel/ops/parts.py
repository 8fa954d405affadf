"""Arrays made of parts: concatenation, and the replacement of a region.

What is written may be a view of an array: then the node has the array as its input and the view,
``(shape, offset, strides)``, among its options.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.accel.graph.node import Node, Op, Shape
from runmat_core.accel.ops.views import region, taken
from runmat_core.values.array import from_numpy, to_numpy

#: Shape, offset and strides of a view.
View = tuple[Shape, int, tuple[int, ...]]


def _joined(node: Node, *values: Any) -> Any:
    axis: Any = node.option("axis")
    rank = len(node.shape)
    parts = [to_numpy(value) for value in values]
    parts = [part.reshape(part.shape + (1,) * (rank - part.ndim), order="F") for part in parts]
    result = np.empty(node.shape, np.result_type(*parts), order="F")
    np.concatenate(parts, axis, out=result)
    return from_numpy(result)


def _update(node: Node, value: Any, rhs: Any) -> Any:
    counts: Any = node.option("region")
    strides: Any = node.option("strides")
    offset: Any = node.option("offset")
    new = to_numpy(rhs)
    data = to_numpy(value)
    data = np.array(data, np.result_type(data, new) if new.dtype.kind == "c" else None, order="F")
    place = region(data, counts, offset, strides)
    place[...] = new.item() if new.size == 1 else new.reshape(counts, order="F")
    return from_numpy(data)


def _joined_views(node: Node, *values: Any) -> Any:
    views: Any = node.option("parts")
    return _joined(node, *[_shown(v, view) for v, view in zip(values, views, strict=True)])


def _update_by_view(node: Node, value: Any, rhs: Any) -> Any:
    return _update(node, value, _shown(rhs, node.option("part")))


def _shown(value: Any, view: View) -> Any:
    return from_numpy(taken(to_numpy(value), *view))


CAT = Op("cat", "cat", _joined)
UPDATE = Op("subsasgn", "update", _update)
#: The same of views: option ``parts`` has one for each input.
CAT_OF_VIEWS = Op("cat", "cat", _joined_views)
#: The same of a view: option ``part``.
UPDATE_BY_VIEW = Op("subsasgn", "update", _update_by_view)
