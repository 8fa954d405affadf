"""Reductions of what a mask selects in a trace: those of whole arrays, neutral elsewhere.

What depends on how many elements were selected is watched: where a mask selects a single row, or
none, and the result would be of another size for that, the loop runs step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.capture.selections import differs
from runmat_core.accel.graph.leaves import Refused
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.values import char, rdivide, times
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.classes import FLOAT_CLASSES

Call = Callable[..., Any]


class Selection(Protocol):
    """What this module asks of what a mask selects (`loops.selected`)."""

    whole: Node
    mask: Node
    axis: int | None
    denial: str

    def neutral(self, value: float | bool) -> Any:
        """Return the whole array with a value where the mask is false."""

    def of(self, whole: Node) -> Any:
        """Return the same selection of another array."""


#: What elements that are not selected are for a reduction.
NEUTRAL: dict[str, float | bool] = {
    "sum": 0.0, "prod": 1.0, "any": False, "all": True, "nnz": 0.0, "mean": 0.0,
    "max": float("nan"), "min": float("nan"),
}  # fmt: skip
#: The second argument of an extremum along a dimension.
EMPTY = from_numpy(np.zeros((0, 0)))
_MORE = "it does more with what a mask selects than operations on elements and reductions"


def called(value: Selection, name: str, args: Sequence[Any], call: Call) -> Any:
    """Return a builtin with what a mask selects as its first argument.

    Raises:
        Refused: it is no reduction, or one of a form whose result depends on more.
    """
    if name == "numel" and len(args) == 1:
        return _numel(value, call)
    if name not in NEUTRAL or args[0] is not value or value.whole.cls in COMPLEX_CLASSES:
        raise Refused(value.denial)
    dim = _dimension(name, args[1:])
    across = _across(value, dim)
    if across is not None:
        return _of_each(value, name, across, call)
    if name in ("max", "min"):
        if value.whole.cls not in FLOAT_CLASSES:
            raise Refused(_MORE)
        _differs(value, 0.0, call)
    if dim is None and value.axis is not None and name != "nnz":
        others = [n for k, n in enumerate(value.whole.shape) if k != value.axis]
        if any(n != 1 for n in others):
            _differs(value, 1.0, call)
    inner = "sum" if name == "mean" else name
    result = _reduced(value, inner, call)
    return rdivide(result, _count(value, call)) if name == "mean" else result


def _dimension(name: str, args: Sequence[Any]) -> int | None:
    """Return the axis that a call names; None where it names none."""
    if name in ("max", "min") and args:
        if args[0].__class__ is not Array or args[0].data.size:
            raise Refused(_MORE)
        args = args[1:]
    if not args:
        return None
    if len(args) > 1 or args[0].__class__ is not float or not args[0].is_integer() or args[0] < 1:
        raise Refused(_MORE)
    return int(args[0]) - 1


def _across(value: Selection, dim: int | None) -> int | None:
    """Return the axis that is reduced, if it is another one than the mask selects along."""
    shape = value.whole.shape
    if value.axis is None:
        row = len(shape) == 2 and shape[0] == 1
        if dim not in (None, int(row)):
            raise Refused(_MORE)
        return None
    if dim is None:
        # the first axis with more than one point, and the mask's with however many there are
        dim = next((k for k, n in enumerate(shape) if k == value.axis or n != 1), 0)
    if dim >= len(shape):
        raise Refused(_MORE)
    return None if dim == value.axis else dim


def _of_each(value: Selection, name: str, axis: int, call: Call) -> Any:
    """Return the reduction of each selected row by itself."""
    if name == "nnz":
        raise Refused(_MORE)
    args = (EMPTY, axis + 1.0) if name in ("max", "min") else (axis + 1.0,)
    made = node_of(value.whole.graph, call(name, deferred(value.whole), *args))  # type: ignore[arg-type]
    if made.__class__ is not Node:
        raise Refused(_MORE)
    return value.of(made)


def _reduced(value: Selection, name: str, call: Call) -> Any:
    neutral = NEUTRAL[name]
    whole = value.neutral(neutral if value.whole.cls != "logical" else bool(neutral))
    axis: Any = char("all") if value.axis is None else value.axis + 1.0
    if name == "nnz":
        made = call(name, whole)
    elif name in ("max", "min"):
        made = call(name, whole, EMPTY, axis)
    else:
        made = call(name, whole, axis)
    if made is NotImplemented:
        raise Refused(_MORE)
    return made


def _count(value: Selection, call: Call) -> Any:
    """How many elements, or rows, the mask selects."""
    made = call("nnz", deferred(value.mask))
    if made is NotImplemented:
        raise Refused(_MORE)
    return made


def _numel(value: Selection, call: Call) -> Any:
    count = _count(value, call)
    if value.axis is None:
        return count
    return times(count, float(value.whole.size // value.whole.shape[value.axis]))


# -- what is watched -------------------------------------------------------------------------------


def _differs(value: Selection, number: float, call: Call) -> None:
    """Run the loop step by step where a mask selects this number of elements."""
    if not differs(_count(value, call), number):
        raise Refused(_MORE)
