"""How many elements are not zero: what the sizes of other arrays depend on, read where it is asked.

The count is a reduction like any other, so it is one kernel with what makes the elements, which are
written in the same run: whatever comes next reads them. One small read is all that goes to the
host.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op
from runmat_core.api import ir
from runmat_core.api.ir import Fragment, Known, V, reducers
from runmat_core.values.array import from_numpy, to_numpy

#: More elements than this are counted in doubles.
_WORD = 1 << 31


def _counted(node: Node, x: Any) -> Any:
    found = np.count_nonzero(to_numpy(x))
    return from_numpy(np.full((1, 1), found, np.int32 if node.cls == "int32" else np.float64))


@cache
def _code(dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Any) -> Fragment:
    (dtype,) = dict(options).values()

    def function(x: V) -> Any:
        hit = x if x.dtype == "bool" else x != 0
        return ir.reduce(reducers.sum_(dtype), ir.cast(hit, dtype))[0]

    return ir.trace(function, dtypes, known, reduces=True)


COUNT = Op("nnz", "reduce", _counted, _code)
#: What was counted, of nodes that are still there, until something is written into their arrays.
_known: WeakKeyDictionary[Node, int] = WeakKeyDictionary()


def count_of(graph: Graph, node: Node, *others: Node) -> int:
    """How many elements of a node are not zero; the node has its data afterwards.

    Args:
        others: nodes that are needed next, too: they are computed in the same run.

    Raises:
        MatlabError: of a host rule, for what is below the node.
    """
    known = _known.get(node)
    if known is not None:
        return known
    few = node.size < _WORD
    axes = tuple(range(len(node.shape)))
    static = (("axes", axes), ("options", (("dtype", "i32" if few else "f64"),)))
    count = graph.append(COUNT, (node,), static, (1, 1), "int32" if few else "double")
    graph.evaluate([count, *[one for one in (node, *others) if one.data is None]])
    found = _known[node] = int(graph.elements(count).item())
    return found


def forget(node: Node) -> None:
    """Told that something was written into the array of a node."""
    _known.pop(node, None)
