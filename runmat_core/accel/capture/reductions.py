"""The capture of reductions and scans (`ops.reductions`)."""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.maps import capture_map, items
from runmat_core.accel.graph.classes import ELEMENT_CLASS
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op, Shape
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.accel.ops.reductions import Options, reduced_shape, result_class
from runmat_core.api.fusion import Reduction, Scan
from runmat_core.api.ir import Fragment

# -- capture ---------------------------------------------------------------------------------------


def capture_reduction(
    graph: Graph, op: Op, spec: Reduction, x: Node, axes: tuple[int, ...], options: Options
) -> Any:
    """Return a deferred array for the reduction of `x` along `axes`, a tuple for several outputs.

    Args:
        axes: sorted, below the rank of `x`.
        options: sorted; ``outputs`` tells how many are wanted where that is more than one.
    """
    assert op.fragment is not None
    fragment = op.fragment((x.dtype,), (None,), options)
    if fragment is None:
        return NotImplemented
    shape = reduced_shape(x.shape, axes)
    cls = result_class(spec, x.dtype)
    static: tuple[tuple[str, Any], ...] = (("axes", axes), ("options", options))
    return _outputs(graph, op, x, fragment, static, shape, cls)


def capture_scan(
    graph: Graph, op: Op, spec: Scan, x: Node, axis: int, reverse: bool, options: Options
) -> Any:
    """Return a deferred array for the scan of `x` along `axis`, a tuple for several outputs.

    Args:
        options: sorted; ``outputs`` as in `capture_reduction`.
    """
    if reverse and dict(options).get("outputs", 1) > 1:
        return _from_the_end(graph, op, spec, x, axis, options)
    assert op.fragment is not None
    fragment = op.fragment((x.dtype,), (None,), (*options, ("reverse", reverse)))
    if fragment is None:
        return NotImplemented
    static: tuple[tuple[str, Any], ...] = (
        ("axis", axis),
        ("options", options),
        ("reverse", reverse),
    )
    cls = result_class(spec, x.dtype)
    return _outputs(graph, op, x, fragment, static, x.shape, cls)


def _from_the_end(graph: Graph, op: Op, spec: Scan, x: Node, axis: int, options: Options) -> Any:
    """Return the scan of the reversed array, reversed again: positions count from the end."""
    flip = views.CALLS["flip"]
    turned = flip(graph, x, axis + 1.0).promise.node
    found = capture_scan(graph, op, spec, turned, axis, False, options)
    if found is NotImplemented:
        return found
    value, place = [flip(graph, one.promise.node, axis + 1.0) for one in found]
    return value, capture_map(OPERATIONS["minus"], graph, (x.shape[axis] + 1.0, place))


def _outputs(
    graph: Graph,
    op: Op,
    x: Node,
    fragment: Fragment,
    static: tuple[tuple[str, Any], ...],
    shape: Shape,
    cls: str,
) -> Any:
    """Return the deferred array of a new node, or a tuple of as many as its options want."""
    count = int(dict(dict(static)["options"]).get("outputs", 1))
    if count == 1:
        return deferred(graph.append(op, (x,), static, shape, cls))
    whole = graph.append(op, (x,), (*static, ("outputs", count)), shape, cls)
    classes = [ELEMENT_CLASS[fragment.code[k].dtype] for k in fragment.outputs]
    return items(graph, whole, classes[:count])
