"""Reductions and scans of the graph, made from `Reduction` and `Scan` specs.

The code converts its operand to the type that is computed in, runs the spec's function with the
options that the node has, and converts the first result to the class of the spec. Further results
(index outputs) keep the type that the function gives them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.maps import items, traced
from runmat_core.accel.capture.operators import OPERATIONS
from runmat_core.accel.graph.classes import ELEMENT_CLASS
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op, Shape
from runmat_core.api import ir
from runmat_core.api.fusion import Reduction, Scan
from runmat_core.api.ir import Fragment, Known, V
from runmat_core.api.ir.kernel import COMPLEX, DTYPE_OF, PART_OF

#: Options of a fragment: pairs (keyword, value) that the spec's function takes.
Options = tuple[tuple[str, Any], ...]

#: By operation of nodes, what it was made from.
SPECS: dict[Op, Reduction | Scan] = {}


def computing_type(result: str, dtype: str) -> str:
    """The element type that a spec with class rule `result` computes in, for such an operand."""
    if dtype in COMPLEX:
        return dtype
    if result == "float":
        return "f32" if dtype == "f32" else "f64"
    if result == "same":
        return "f64" if dtype == "bool" else dtype
    return dtype


def result_class(spec: Reduction | Scan, dtype: str) -> str:
    """The class of the (first) result."""
    result = spec.result
    if result == "logical" or result == "double":
        return result
    work = computing_type(result, dtype)
    return ELEMENT_CLASS[PART_OF.get(work, work) if spec.of_complex == "part" else work]


@lru_cache(maxsize=256)
def reduce_op(name: str, spec: Reduction, host: Callable[..., Any]) -> Op:
    """The operation that `spec` describes; one object for equal arguments.

    Args:
        host: ``host(node, x, *weights)``.
    """
    return _known(Op(name, "reduce", host, _fragment(name, spec, reduces=True)), spec)


@lru_cache(maxsize=64)
def scan_op(name: str, spec: Scan, host: Callable[..., Any]) -> Op:
    """As `reduce_op`, for scans."""
    return _known(Op(name, "scan", host, _fragment(name, spec, reduces=False)), spec)


def _known(op: Op, spec: Reduction | Scan) -> Op:
    SPECS[op] = spec
    return op


def _fragment(name: str, spec: Reduction | Scan, reduces: bool) -> Callable[..., Fragment | None]:
    @cache
    def fragment(
        dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Options = ()
    ) -> Fragment | None:
        if spec.of_complex is None and dtypes[0] in COMPLEX:
            return None
        work = computing_type(spec.result, dtypes[0])

        def function(x: V, *rest: V) -> Any:
            found = spec.function(ir.cast(x, work), *rest, **dict(options))
            if found is NotImplemented:
                return found
            results = list(found) if isinstance(found, tuple) else [found]
            if isinstance(results[0], V):
                target = DTYPE_OF[result_class(spec, dtypes[0])]
                results[0] = ir.cast(results[0], target)
            return tuple(results)

        return traced(
            name, spec.function, function, dtypes, known, reduces=reduces, scans=not reduces
        )

    return fragment


# -- capture ---------------------------------------------------------------------------------------


def capture_reduction(
    graph: Graph, op: Op, spec: Reduction, x: Node, axes: tuple[int, ...], options: Options
) -> Any:
    """A deferred array for the reduction of `x` along `axes`, a tuple for several outputs.

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
    """A deferred array for the scan of `x` along `axis`, a tuple for several outputs.

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
    """The scan of the array turned round, its results turned back: places count from the end."""
    flip = views.CALLS["flip"]
    turned = flip(graph, x, axis + 1.0).promise.node
    found = capture_scan(graph, op, spec, turned, axis, False, options)
    if found is NotImplemented:
        return found
    value, place = [flip(graph, one.promise.node, axis + 1.0) for one in found]
    return value, OPERATIONS["minus"].capture(graph, (x.shape[axis] + 1.0, place))


def _outputs(
    graph: Graph,
    op: Op,
    x: Node,
    fragment: Fragment,
    static: tuple[tuple[str, Any], ...],
    shape: Shape,
    cls: str,
) -> Any:
    """The deferred array of a new node, or a tuple of as many as its options want."""
    count = int(dict(dict(static)["options"]).get("outputs", 1))
    if count == 1:
        return deferred(graph.append(op, (x,), static, shape, cls))
    whole = graph.append(op, (x,), (*static, ("outputs", count)), shape, cls)
    classes = [ELEMENT_CLASS[fragment.code[k].dtype] for k in fragment.outputs]
    return items(graph, whole, classes[:count])


def reduced_shape(shape: Shape, axes: tuple[int, ...]) -> Shape:
    """`shape` with extent 1 along `axes`, without trailing ones beyond the second."""
    extents = [1 if axis in axes else extent for axis, extent in enumerate(shape)]
    while len(extents) > 2 and extents[-1] == 1:
        extents.pop()
    return tuple(extents)
