"""Order and places of complex elements, made of what libraries know of real ones.

Both are for arrays that are known to be complex, for real elements are ordered in another way.
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture.boundary import any_node_of
from runmat_core.accel.context import get
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.ops.elementwise import any_may_be_real
from runmat_core.builtins import fusing, registry
from runmat_core.builtins.composed import call
from runmat_core.values import char, index, ne


def find(x: Any, *args: Any, nargout: int) -> Any:
    """``find`` of the places, where either part is not zero."""
    if nargout > 2 or not _is_complex(x):
        return NotImplemented
    spec = registry.find("find")
    assert spec is not None
    return fusing.capture(spec, (ne(x, 0.0), *args), nargout)


def sort(x: Any, direction: Any = None, *, nargout: int) -> Any:
    """``sort`` of a vector: by phase, then by magnitude, which keeps the order of equal ones."""
    if len(x.shape) != 2 or 1 not in x.shape or x.shape == (1, 1) or not _is_complex(x, True):
        return NotImplemented
    words = (char("ascend" if direction is None else direction),)
    places = _places(call("angle", x), words)
    if places is NotImplemented:
        return NotImplemented
    by_phase = index(x, (places,))
    again = _places(call("abs", by_phase), words)
    if again is NotImplemented:
        return NotImplemented
    ordered = index(by_phase, (again,))
    return ordered if nargout < 2 else (ordered, index(places, (again,)))


def _places(keys: Any, words: tuple[Any, ...]) -> Any:
    spec = registry.find("sort")
    assert spec is not None
    found = fusing.capture(spec, (keys, *words), 2)
    return found if found is NotImplemented else found[1]


def _is_complex(value: Any, known: bool = False) -> bool:
    """Whether an array is complex as far as the graph knows, or as the program does, if `known`."""
    seat = get()
    node = None if seat is None else any_node_of(seat.graph, value)
    if node.__class__ is not Node or node.cls not in COMPLEX_CLASSES:
        return False
    return not (known and any_may_be_real((node,)))
