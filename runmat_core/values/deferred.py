"""Arrays whose elements are computed when somebody reads them.

A `Deferred` is an `Array` whose data slot holds a *promise* until then. Reading `data` asks the
promise for the elements and turns the object into an ordinary `Array` in place, so whatever knows
arrays knows these. Size and class are known from the start and ask for nothing. What makes promises
is above this layer.

One element is a scalar once it is there, and no `Array`: whoever needs values as they are written
elsewhere calls `settled`. Containers hold no pending scalars, functions of values take them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from numpy.typing import NDArray

from runmat_core.values.array import Array, from_numpy
from runmat_core.values.base import Subscripts, Value
from runmat_core.values.hooks import HOOKS

_slot = Value.data  # type: ignore[misc]
#: ``promise_of(deferred)``: what its property `promise` gives, without a call of Python's.
promise_of: Callable[[Any], Any] = _slot.__get__
#: Gives a new `Deferred` its promise: what `defer` does, without a call of Python's.
set_promise: Callable[[Any, Any], None] = _slot.__set__


class Promise(Protocol):
    """What stands in for the elements.

    Attributes:
        value: the scalar that it turned out to be, once `known` told it; else None.
        pinned: whether the program itself put it on a device, where it stays.
    """

    shape: tuple[int, ...]
    cls: str
    pinned: bool
    value: Any

    def elements(self) -> NDArray[Any]:
        """Return the elements, column-major with at least two axes, computed now where needed."""

    def known(self) -> Any:
        """Return the scalar that it turned out to be; None while it is pending, or is no scalar."""

    def ready(self) -> NDArray[Any] | None:
        """Return the elements of an ordinary array that are on the host already.

        Return None of any other.
        """


class Deferred(Array):
    """An array whose elements are not there yet."""

    __slots__ = ()

    @property
    def promise(self) -> Any:
        return _slot.__get__(self)

    @property
    def data(self) -> NDArray[Any]:  # type: ignore[override]
        promise = _slot.__get__(self)
        elements: NDArray[Any] = promise.elements()
        if promise.pinned:
            return elements
        if elements.size != 1 or elements.dtype.char not in "d?D":
            # a lone double stays deferred: as an Array it would break the rule that it is a float
            self.__class__ = Array  # type: ignore[assignment]
            _slot.__set__(self, elements)
        return elements

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return _slot.__get__(self).cls  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, ...]:
        return _slot.__get__(self).shape  # type: ignore[no-any-return]

    def share(self) -> Array:  # type: ignore[override]
        promise = _slot.__get__(self)
        elements = promise.ready()
        if elements is None:
            again = object.__new__(Deferred)  # as `defer` makes it
            _slot.__set__(again, promise)
            return again
        # a field or a cell that is read again and again is an ordinary array from now on
        self.__class__ = Array  # type: ignore[assignment]
        _slot.__set__(self, elements)
        return Array.share(self)

    def settle(self) -> Any:
        known = _slot.__get__(self).known()
        if known is not None:
            return known
        data = self.data
        # what is an ordinary array by now is what it is, such as complex with zero parts
        return from_numpy(data) if self.__class__ is Deferred else self

    def at_hand(self) -> Any:
        """Return the scalar that it turned out to be, itself where it is none yet."""
        known = _slot.__get__(self).known()
        return self if known is None else known

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> Any:
        result = HOOKS.index(self, subs)
        if result is not NotImplemented:
            return result
        self.data  # noqa: B018 - computes the elements
        return Array.paren(self, subs)

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        result = HOOKS.assign(self, subs, rhs)
        if result is not NotImplemented:
            return result
        if self.__class__ is not Deferred:  # the elements came while it was looked at
            return Array.set_paren(self, subs, stored(rhs))
        return self._again(_ordinary(self).set_paren(subs, stored(rhs)))

    def del_paren(self, subs: Subscripts) -> Any:
        return self._again(_ordinary(self).del_paren(subs))

    def _again(self, changed: Any) -> Any:
        """Return what was changed on the host, back on the device if the program put it there."""
        if self.__class__ is Deferred and self.promise.pinned:
            return HOOKS.place(changed)
        return changed

    def __repr__(self) -> str:
        size = "x".join(map(str, self.shape))
        return f"Deferred({size} {self.class_name})"


def defer(promise: Promise) -> Deferred:
    """Return an array that `promise` will fill."""
    result = object.__new__(Deferred)
    _slot.__set__(result, promise)
    return result


def settled(value: Any) -> Any:
    """`value` with its elements there: a deferred array becomes the canonical value."""
    return value.settle() if value.__class__ is Deferred else value


def all_settled(values: Iterable[Any]) -> list[Any]:
    """`values` with their elements there, computed together where several are pending."""
    values = list(values)
    if Deferred in map(type, values):
        if len(values) > 1:
            HOOKS.compute(values)
        return [value.settle() if value.__class__ is Deferred else value for value in values]
    return values


def stored(value: Any) -> Any:
    """`value` as containers hold it: no pending scalar."""
    if value.__class__ is Deferred and value.shape == (1, 1):
        return value.settle()
    return value


def _ordinary(value: Deferred) -> Array:
    """`value` itself as an `Array` that may be written to."""
    elements = value.data
    if value.__class__ is Deferred:
        # one element, or one that stays on the device: in a buffer of its own
        return Array(elements.copy(order="F"))
    return value
