"""What every MATLAB value that is not a Python scalar has in common.

A scalar double is a Python ``float``, a scalar logical a ``bool``, and a scalar complex double with
a non-zero imaginary part a `Complex`. Every other value is a subclass of `Value`. No Python int and
no NumPy scalar is ever a MATLAB value.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, Self

from runmat_core.api import errors

#: One-based MATLAB values or COLON.
Subscripts = Sequence[Any]


class Value:
    """A MATLAB value on a buffer.

    A value object is a *wrapper*: each variable, field and cell element holds its own, and several
    wrappers may hold one buffer (`data`). A write goes to the buffer in place when no other
    wrapper, graph node or exported view holds it, and to a copy otherwise. Size and contents live
    in the one `data` slot, so an interrupt cannot tear them apart.
    """

    __slots__ = ("data",)
    data: Any

    class_name: str
    # numpy arrays leave binary operators to us
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

    def share(self) -> Self:
        """Return a new wrapper on the same buffer: what copying a variable does."""
        twin = object.__new__(type(self))
        twin.data = self.data
        return twin

    def settle(self) -> Any:
        """Return the value with its elements there, as a canonical one."""
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """The size, at least two extents, no trailing ones beyond the second."""
        raise NotImplementedError

    # -- the subscript protocol; subscripts are one-based MATLAB values or COLON -------------------

    def paren(self, subs: Subscripts) -> Any:
        """``v(subs...)``."""
        raise errors.undefined_for("subsref", self.class_name)

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        """``v(subs...) = rhs``; returns what to bind, `self` where the class stays."""
        raise errors.undefined_for("subsasgn", self.class_name)

    def del_paren(self, subs: Subscripts) -> Any:
        """``v(subs...) = []``; returns what to bind."""
        raise errors.undefined_for("subsasgn", self.class_name)

    def brace(self, subs: Subscripts) -> Any:
        """``v{subs...}``: the value, or a `CommaList` unless there is exactly one."""
        raise errors.brace_from_noncell()

    def set_brace(self, subs: Subscripts, rhs: Any) -> Any:
        """``v{subs...} = rhs``; returns what to bind."""
        raise errors.brace_from_noncell()

    def field(self, name: str) -> Any:
        """``v.name``: the value, or a `CommaList` unless there is exactly one."""
        raise errors.dot_from_nonstruct()

    def set_field(self, name: str, rhs: Any) -> Any:
        """``v.name = rhs``; returns what to bind."""
        raise errors.assigned_by("dot", "MATLAB:structAssToNonStruct")

    def method(self, name: str) -> Callable[..., Any] | None:
        """``method(nargout, *args)`` for ``v.name(args)``; None where `name` is no method."""
        return None

    def called(self, name: str) -> Callable[..., Any] | None:
        """Return the method that ``v.name(args)`` calls.

        Return None where that selects from ``v.name``.
        """
        return self.method(name)

    def __bool__(self) -> bool:
        # Never a sink: conditions go through `truth`; `a/b if b else divide(a, b)` relies on it.
        return True


def is_sole_owner(value: Value) -> bool:
    """Whether a write may go to the buffer in place.

    Reads the count of the *buffer* from its heap slot; the count of a value held in a local
    variable means nothing (CPython 3.14 borrows those references).
    """
    # the slot and the reference that the attribute read pushes
    if sys.getrefcount(value.data) > 2:
        return False
    base = getattr(value.data, "base", None) is not None
    return not base or sys.getrefcount(value.data.base) <= 2


def place_of(shape: tuple[int, ...], subs: Subscripts) -> tuple[int, ...] | None:
    """Where the element lies that plain subscripts select: its position along every axis.

    None where a subscript is no plain number, and where nothing is there: the general rules of
    `subscript` hold for those.
    """
    given, rank = len(subs), len(shape)
    if given == 1 and rank == 2:
        k = subs[0]
        if k.__class__ is not float or not 1.0 <= k <= shape[0] * shape[1] or k % 1:
            return None
        column, row = divmod(int(k) - 1, shape[0])
        return row, column
    if given == 2 and rank == 2:
        i, j = subs
        plain = i.__class__ is float and j.__class__ is float
        if plain and 1.0 <= i <= shape[0] and 1.0 <= j <= shape[1] and not (i % 1 or j % 1):
            return int(i) - 1, int(j) - 1
        return None
    return _place_in_axes(shape, subs) if given else None


def _place_in_axes(shape: tuple[int, ...], subs: Subscripts) -> tuple[int, ...] | None:
    """`place_of` for any rank: the last of fewer subscripts counts through the axes left."""
    last = len(subs) - 1
    place = []
    for axis, sub in enumerate(subs):
        if sub.__class__ is not float:
            return None
        extent = math.prod(shape[axis:]) if axis == last else math.prod(shape[axis : axis + 1])
        if not 1.0 <= sub <= extent or sub % 1:
            return None
        place.append(int(sub) - 1)
    for extent in shape[last:-1]:
        rest, place[-1] = divmod(place[-1], extent)
        place.append(rest)
    return tuple(place[: len(shape)])


class Complex(complex):
    """A complex double scalar with MATLAB's operators.

    Results whose imaginary part is zero are demoted to float, which plain ``complex`` does not do;
    compiled code can therefore use Python's operators on scalars of unknown class.
    """

    __slots__ = ()


def scalar_complex(z: complex) -> Complex | float:
    """`z` as a MATLAB value: a float when its imaginary part is zero."""
    return Complex(z) if z.imag else z.real


def share(value: Any) -> Any:
    """Return what a second holder of `value` gets: a new wrapper, or the scalar itself."""
    if value.__class__ is float:  # most are
        return value
    return value.share() if isinstance(value, Value) else value


def class_of(value: Any) -> str:
    """Return the name that MATLAB's ``class`` gives."""
    if isinstance(value, Value):
        return value.class_name
    return "logical" if value.__class__ is bool else "double"


class CommaList(tuple[Any, ...]):
    """What ``c{:}`` or ``s.f`` yields when it is not exactly one value."""

    __slots__ = ()

    def only(self) -> Any:
        """Return the first value, as ``x = c{:}`` takes; an error when there is none."""
        if not self:
            raise errors.MatlabError(
                "MATLAB:unassignedOutputs",
                "Insufficient number of outputs from right hand side of equal sign to satisfy "
                "assignment.",
            )
        return self[0]


class _Colon:
    """The subscript ``:``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return ":"


COLON = _Colon()
