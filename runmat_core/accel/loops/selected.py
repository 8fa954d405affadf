"""What a mask selects in a trace, as long as nobody asks how many elements that are.

``Y(m) = f(Y(m), X(m), k)`` is a choice between two values for each element: `f` is done on whole
arrays, and what it gives is kept where the mask is true. Until it is stored or reduced, what was
selected is a `Selected`: operators and elementwise builtins with scalars and with what the same
mask selected take it, reductions of it are those of whole arrays that are neutral where the mask is
false (`selected_calls`), and everything else, sizes above all, ends the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.capture.selections import CHOOSE, lying
from runmat_core.accel.capture.stored import fitting
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.leaves import Refused
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.loops import selected_calls
from runmat_core.accel.ops.complexes import widened
from runmat_core.accel.ops.generators import FILL
from runmat_core.values import dispatch
from runmat_core.values.base import COLON, Complex
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import Deferred
from runmat_core.values.stand_in import StandIn
from runmat_core.values.string import StringArray
from runmat_core.values.subscript import is_vector

#: Operators of elements.
_ELEMENTWISE = frozenset(
    "plus minus times rdivide ldivide power eq ne lt le gt ge and_ or_ not_ uminus uplus".split()
)
#: Operators of matrices that are those of elements where these operands are scalars.
_BY_SCALARS = {"mtimes": (0, 1), "mrdivide": (1,), "mldivide": (0,)}
_MORE = "it does more with what a mask selects than operations on elements"
#: So many pairs of nodes are looked at to find two masks equal.
_LOOKS = 64
_SCALARS = frozenset({float, bool, Complex})
#: What holds no other values.
_PLAIN = frozenset({*_SCALARS, Deferred, CharArray, StringArray})


class Selected(StandIn):
    """``x(mask)`` or ``x(mask, :)`` in a trace, of unknown size.

    Attributes:
        whole: the node that has these elements where the mask is true.
        mask: the node of the mask, of the same size; along an axis where `axis` says so.
        axis: the one that the mask selects along; None for single elements.
    """

    __slots__ = ("axis", "mask", "whole")
    denial = "it needs to know what a mask selects"

    def __init__(self, whole: Node, mask: Node, axis: int | None = None) -> None:
        self.whole = whole
        self.mask = mask
        self.axis = axis

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """Return MATLAB's class of the elements."""
        return CLASS_SEEN[self.whole.cls]

    def operator(self, name: str, operands: Sequence[Any]) -> Selected:
        """Apply an operator to whole arrays, where one of each element's operands is selected."""
        if name not in _ELEMENTWISE:
            scalars = [k for k, one in enumerate(operands) if one.__class__ is not Selected]
            if len(scalars) != 1 or scalars[0] not in _BY_SCALARS.get(name, ()):
                raise Refused(_MORE)
        return self.lifted(getattr(dispatch, name), operands)

    def lifted(self, function: Callable[..., Any], operands: Sequence[Any]) -> Selected:
        """Return an elementwise function of it.

        Raises:
            Refused: the other operands are neither scalars nor what the same mask selects, or the
                result is no operation on elements.
        """
        made = self._made(function, [self._whole(one, False) for one in operands])
        if made.guarded:
            # what the mask leaves out must not make it complex
            made = self._made(function, [self._whole(one, True) for one in operands])
        return self.of(made)

    def of(self, whole: Node) -> Selected:
        """Return what the same mask selects of another array."""
        return Selected(whole, self.mask, self.axis)

    def as_argument(self, name: str, args: Sequence[Any], call: Callable[..., Any]) -> Any:
        """Apply a builtin to the selection."""
        return selected_calls.called(self, name, args, call)

    def neutral(self, value: float | bool) -> Deferred:
        """Return the whole array with a value where the mask is false."""
        whole = self.whole
        graph: Any = whole.graph
        fill = graph.append(FILL, (value,), (), whole.shape, whole.cls)
        inputs = (fill, self.mask, whole)
        return deferred(graph.append(CHOOSE, inputs, (), whole.shape, whole.cls))

    def _made(self, function: Callable[..., Any], operands: Sequence[Any]) -> Node:
        result = function(*operands)
        if result.__class__ is not Deferred:
            raise Refused(_MORE)
        node: Node = result.promise.node
        if node.shape != self.whole.shape:
            raise Refused(_MORE)
        if node.data is None and node.op.kind != "map":
            raise Refused(_MORE)
        return node

    def _whole(self, value: Any, within: bool) -> Any:
        """Return an operand as the whole array that it is selected from, or a scalar.

        Args:
            within: whether elements that the mask leaves out are to be ones.
        """
        kind = value.__class__
        if kind is not Selected:
            if kind in _SCALARS or (kind is Deferred and self._spreads(value.shape)):
                return value
            raise Refused(_MORE)
        if value.axis != self.axis or not _same(value.mask, self.mask):
            raise Refused("it combines what several masks select")
        whole: Node = value.whole
        if not within or whole.cls == "logical" or whole.cls in COMPLEX_CLASSES:
            return deferred(whole)
        return value.neutral(1.0)

    def _spreads(self, shape: tuple[int, ...]) -> bool:
        """Whether an operand of this size goes with however many the mask selects."""
        if shape == (1, 1):
            return True
        whole, axis = self.whole.shape, self.axis
        if axis is None or len(shape) != len(whole):
            return False
        pairs = enumerate(zip(shape, whole, strict=True))
        return all(n == 1 or (n == m and k != axis) for k, (n, m) in pairs)


def _same(one: Node, other: Node) -> bool:
    """Whether two masks are the same operations on the same nodes and scalars."""
    stack, looks = [(one, other)], 0
    while stack and looks < _LOOKS:
        looks += 1
        a, b = stack.pop()
        if a is b:
            continue
        if a.data is not None or b.data is not None or (a.op, a.static) != (b.op, b.static):
            return False
        if len(a.inputs) != len(b.inputs):
            return False
        for x, y in zip(a.inputs, b.inputs, strict=True):
            if x.__class__ is Node and y.__class__ is Node:
                stack.append((x, y))
            elif x.__class__ is not y.__class__ or x.__class__ is Node or x != y:
                return False
    return not stack


def selection(graph: Any, value: Node, subs: Sequence[Any]) -> Selected | None:
    """Return ``value(mask)`` for a mask of the same size, or ``value(mask, :)`` for one of an axis.

    Return None for anything else.
    """
    if len(subs) > 1:
        return _along(graph, value, subs)
    mask = node_of(graph, subs[0]) if len(subs) == 1 else None
    if mask.__class__ is not Node or mask.cls != "logical" or mask.shape != value.shape:
        return None
    if value.size == 1:
        return None
    graph.selects = True
    return Selected(value, mask)


def _along(graph: Any, value: Node, subs: Sequence[Any]) -> Selected | None:
    """``value(:, mask, :)`` where the other subscripts are colons, else None."""
    found = [k for k, sub in enumerate(subs) if sub is not COLON]
    if len(found) != 1 or len(subs) != len(value.shape) or subs[found[0]].__class__ is not Deferred:
        return None
    (axis,) = found
    mask: Any = node_of(graph, subs[axis])
    if mask.__class__ is not Node or mask.cls != "logical":
        return None
    if mask.size != value.shape[axis] or mask.size < 2 or not is_vector(mask.shape):
        return None
    graph.selects = True
    return Selected(value, _lying(graph, mask, axis), axis)


def _lying(graph: Any, mask: Node, axis: int) -> Node:
    """Return a mask along an axis."""
    shape = lying(mask.size, axis)
    if mask.shape == shape:
        return mask
    made: Node = view_of(graph, mask, "reshape", shape, 0, dense_strides(shape)).promise.node
    return made


def stored(graph: Any, node: Node, subs: Sequence[Any], rhs: Selected) -> Any:
    """``value(mask) = rhs``.

    Raises:
        Refused: the mask is another one than that which selected `rhs`, or the class differs.
    """
    into = selection(graph, node, subs)
    if into is None or into.axis != rhs.axis or not _same(into.mask, rhs.mask):
        raise Refused("it stores what another mask selects")
    if node.shape != rhs.whole.shape:
        raise Refused("it stores what another mask selects")
    # an array that real numbers are written to stays complex, which no choice would tell
    whole = fitting(graph, deferred(rhs.whole), node.cls).promise.node
    if whole.cls in COMPLEX_CLASSES and node.cls == CLASS_SEEN[whole.cls]:
        node = widened(graph, node, whole.cls)
    if node.cls != whole.cls:
        raise Refused("an assignment converts what it stores")
    return deferred(graph.append(CHOOSE, (node, into.mask, whole), (), node.shape, node.cls))


def check_kept(name: str, value: Any) -> None:
    """Told a value that a variable has after a trip in which a mask selected something.

    Raises:
        Refused: it is of unknown size, or may hold what is.
    """
    if value.__class__ not in _PLAIN:
        raise Refused(f"'{name}' keeps what a mask selects, or may do so")
