"""What objects are asked about their members: constants, names, comparisons, overloads."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import from_numpy
from runmat_core.values.base import Value, share
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.objects import making
from runmat_core.values.objects.access import callable_of, check_read
from runmat_core.values.objects.info import MEMBER, ClassInfo, PropertyInfo
from runmat_core.values.objects.records import Record
from runmat_core.values.string import StringArray

if TYPE_CHECKING:
    from runmat_core.values.objects.instance import Instance


def constant(info: ClassInfo, prop: PropertyInfo) -> Any:
    """Return the value of a Constant property, computed by the class that declares it."""
    state = info.ancestors[prop.owner].state
    if prop.name not in state.constants:
        if prop.name in state.pending:
            raise MatlabError(
                "MATLAB:class:RecursiveDefault",
                f"The value of property '{prop.name}' of class '{prop.owner}' depends on itself.",
            )
        state.pending.add(prop.name)
        try:
            state.constants[prop.name] = making.start(prop, info)
        finally:
            state.pending.discard(prop.name)
    return share(state.constants[prop.name])


def method_names(info: ClassInfo) -> tuple[str, ...]:
    """Return what ``methods(obj)`` lists."""
    names = {m.name for m in info.methods.values() if m.access == "public" and not m.hidden}
    if info.constructor is not None or info.file:
        names.add(info.name.rpartition(".")[2])
    return tuple(sorted(names, key=lambda name: (name.lower(), name)))


def deciding(name: str, args: Sequence[Any]) -> ClassInfo | None:
    """Return the class whose method `name` a call with `args` means, None where no object has one.

    That is the class of the leftmost object with such a method that may be called by its name,
    unless the class of another one was ranked above it.
    """
    from runmat_core.values.objects.instance import Instance

    chosen: ClassInfo | None = None
    for arg in args:
        if not isinstance(arg, Instance):
            continue
        info = arg.info
        method = info.methods.get(name)
        if method is None or method.static:
            continue
        if chosen is None or (info is not chosen and info.host.outranks(info.name, chosen.name)):
            chosen = info
    return chosen


def output_count(function: Any) -> int:
    """One, where a function declares an output; else none."""
    info = getattr(function, "__matlab__", None)
    return 1 if info is None or info.outputs or info.varargout else 0


# -- comparisons ----------------------------------------------------------------------------------


def same_handles(name: str, operands: Sequence[Any]) -> Any:
    """Which handles of two arrays are the same."""
    from runmat_core.values.objects.instance import Instance

    if not all(isinstance(value, Instance) for value in operands):
        # what is no handle is the same as none
        shape = max((v.shape for v in operands if isinstance(v, Value)), key=len)
        return from_numpy(np.full(shape, name == "ne"))
    return _elementwise(name, operands[0].array(), operands[1].array(), lambda a, b: a is b)


#: A number for each object of a handle class that was compared by order, in that order.
_numbers: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
_next_number = count(1)
_ORDERS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


def handle_number(record: Any) -> int:
    """Return the number by which handles to an object are ordered: that of its first comparison."""
    found = _numbers.get(record)
    if found is None:
        found = _numbers[record] = next(_next_number)
    return found


def ordered_handles(name: str, operands: Sequence[Any]) -> Any:
    """Return which handles of one array come before those of another."""
    from runmat_core.values.objects.instance import Instance

    if not all(isinstance(value, Instance) and value.info.is_handle for value in operands):
        return NotImplemented
    rule = _ORDERS[name]
    first, second = (value.array() for value in operands)
    return _elementwise("eq", first, second, lambda a, b: rule(handle_number(a), handle_number(b)))


def same_members(name: str, operands: Sequence[Any]) -> Any:
    """Which enumeration members of two arrays are the same; texts stand for members."""
    first, second = (_names(value) for value in operands)
    return _elementwise(name, first, second, lambda a, b: a == b)


def label(obj: Instance) -> str:
    """Return the name of an enumeration member."""
    return str(obj.data.get(MEMBER, ""))


def texts(obj: Instance) -> Any:
    """Return the names of enumeration members as an object array."""
    return object_array([str(r.get(MEMBER, "")) for r in obj.records()], obj.shape)


def _to_char(nargout: int, obj: Instance) -> Any:
    from runmat_core.values.char import char_rows

    return char_rows(texts(obj).ravel(order="F").tolist())


def _to_string(nargout: int, obj: Instance) -> Any:
    return StringArray(texts(obj))


def _to_cell(nargout: int, obj: Instance) -> Any:
    names = texts(obj)
    items = [CharArray(name) for name in names.ravel(order="F")]
    return CellArray(object_array(items, names.shape))


#: The conversions that every enumeration has.
CONVERSIONS = {"char": _to_char, "string": _to_string, "cellstr": _to_cell}


def _names(value: Any) -> Any:
    from runmat_core.values.objects.instance import Instance

    if isinstance(value, Instance):
        return object_array([r.get(MEMBER) for r in value.records()], value.shape)
    if isinstance(value, StringArray):
        return value.data
    if isinstance(value, CharArray):
        return object_array([value.text()], (1, 1))
    if isinstance(value, CellArray):
        items = [v.text() if isinstance(v, CharArray) else None for v in value.items()]
        return object_array(items, value.shape)
    return object_array([None], (1, 1))


def _elementwise(name: str, first: Any, second: Any, same: Callable[[Any, Any], bool]) -> Any:
    try:
        first, second = np.broadcast_arrays(first, second)
    except ValueError:
        raise errors.incompatible_sizes() from None
    flags = [
        same(a, b) == (name == "eq")
        for a, b in zip(first.ravel(order="F"), second.ravel(order="F"), strict=True)
    ]
    return from_numpy(np.array(flags, bool).reshape(first.shape, order="F"))


_comparing: set[tuple[int, int]] = set()


def same_contents(obj: Instance, other: Any, nan_equal: bool) -> bool:
    """Whether two arrays of objects are of one class and size, and have equal properties.

    Handles that hold each other are taken for equal where they are compared already.
    """
    from runmat_core.values.equality import isequal
    from runmat_core.values.objects.instance import Instance

    if not isinstance(other, Instance) or obj.shape != other.shape:
        return False
    for mine, theirs in zip(obj.records(), other.records(), strict=True):
        key = (id(mine), id(theirs))
        if (mine is theirs and mine.info.is_handle) or key in _comparing:
            continue
        if mine.info.name != theirs.info.name or mine.keys() != theirs.keys():
            return False
        if mine.get(MEMBER) != theirs.get(MEMBER):
            return False
        _comparing.add(key)
        try:
            names = [name for name in mine if name != MEMBER]
            if not all(isequal(mine[name], theirs[name], nan_equal) for name in names):
                return False
        finally:
            _comparing.discard(key)
    return True


def key_form(record: Record) -> Hashable:
    """Return what identifies an object as a key: a handle itself, else its properties."""
    from runmat_core.values.keys import fields_form

    if record.info.is_handle:
        return id(record)
    held = [(name, value) for name, value in record.items() if name != MEMBER]
    return record.info.name, record.get(MEMBER), fields_form(held)


# -- what a class itself is asked -----------------------------------------------------------------


def static_member(info: ClassInfo, name: str) -> Callable[..., Any] | None:
    """``fn(nargout, *args)`` for ``Name.name``: a static method, constant, or member."""
    method = info.methods.get(name)
    if method is not None and method.static:
        return callable_of(method, info)
    if name in info.members:
        return _selecting(lambda: making.enumeration_member(info, name))
    prop = info.properties.get(name)
    if prop is not None and prop.constant:

        def read() -> Any:
            check_read(prop, info)
            return constant(info, prop)

        return _selecting(read)
    if name == "empty":
        return lambda nargout, *extents: making.empty(info, extents)
    return None


def _selecting(read: Callable[[], Any]) -> Callable[..., Any]:
    """Return a function that gives a value, or elements of it where subscripts are given."""

    def selected(nargout: int, *subs: Any) -> Any:
        value = read()
        if not subs:
            return value
        if isinstance(value, FunctionHandle):
            return value.fn(nargout, *subs)
        from runmat_core.values.indexing import index

        return index(value, subs)

    return selected
