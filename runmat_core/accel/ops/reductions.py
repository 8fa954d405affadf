"""Reductions and scans, made from `Reduction` and `Scan` specs, and those of rewriting.

The code converts its operand to the type that is computed in, runs the spec's function with the
options that the node has, and converts the first result to the class of the spec. Further results
(index outputs) keep the type that the function gives them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from runmat_core.accel.graph.classes import ELEMENT_CLASS
from runmat_core.accel.graph.node import Node, Op, Shape
from runmat_core.accel.ops.elementwise import traced
from runmat_core.api import ir
from runmat_core.api.fusion import Reduction, Scan
from runmat_core.api.ir import FLOATS, Fragment, Known, V, reducers
from runmat_core.api.ir.kernel import COMPLEX, DTYPE_OF, PART_OF
from runmat_core.values.array import from_numpy, to_numpy

#: Options of a fragment: pairs (keyword, value) that the spec's function takes.
Options = tuple[tuple[str, Any], ...]


#: By operation of nodes, what it was made from.
SPECS: dict[Op, Reduction | Scan] = {}


def computing_type(result: str, dtype: str) -> str:
    """Return the element type that a spec with class rule `result` computes in for an operand."""
    if dtype in COMPLEX:
        return dtype
    if result == "float":
        return "f32" if dtype == "f32" else "f64"
    if result == "same":
        return "f64" if dtype == "bool" else dtype
    return dtype


def result_class(spec: Reduction | Scan, dtype: str) -> str:
    """Return the class of the (first) result."""
    result = spec.result
    if result == "logical" or result == "double":
        return result
    work = computing_type(result, dtype)
    return ELEMENT_CLASS[PART_OF.get(work, work) if spec.of_complex == "part" else work]


@lru_cache(maxsize=256)
def reduce_op(name: str, spec: Reduction, host: Callable[..., Any]) -> Op:
    """Return the operation that `spec` describes; one object for equal arguments.

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


def reduced_shape(shape: Shape, axes: tuple[int, ...]) -> Shape:
    """`shape` with extent 1 along `axes`, without trailing ones beyond the second."""
    extents = [1 if axis in axes else extent for axis, extent in enumerate(shape)]
    while len(extents) > 2 and extents[-1] == 1:
        extents.pop()
    return tuple(extents)


def _sum(node: Node, value: Any) -> Any:
    axes: Any = node.option("axes")
    return from_numpy(np.asfortranarray(to_numpy(value).sum(axis=axes, keepdims=True)))


def _mean_square(node: Node, value: Any) -> Any:
    axes: Any = node.option("axes")
    data = to_numpy(value)
    off = data - data.mean(axis=axes, keepdims=True)
    return from_numpy(np.asfortranarray((off * off).mean(axis=axes, keepdims=True)))


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


SUM = Op("sum", "reduce", _sum, _sum_code)


#: The mean of the squares of what is left of elements when their mean is taken away.
MEAN_SQUARE = Op("mean square", "reduce", _mean_square, _mean_square_code)
