"""Objects of user-defined classes, one or an array of them.

An `Instance` lays out one object as its record and other sizes as an object array of records, as
struct arrays do. Objects of handle classes are `HandleInstance`s: their records are never copied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from sys import getrefcount
from typing import Any, Self

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.base import CommaList, Subscripts, Value, place_of, share
from runmat_core.values.cell import object_array, simple_assignment
from runmat_core.values.object import ObjectValue
from runmat_core.values.objects import making, members, numbers, operators
from runmat_core.values.objects.access import callable_of, check_read, check_write
from runmat_core.values.objects.chain import Chain, levels
from runmat_core.values.objects.info import ClassInfo, MethodInfo, PropertyInfo
from runmat_core.values.objects.records import HandleRecord, Record, invalid_handle


class Instance(ObjectValue):
    """An object, or an array of objects, of a value class.

    Attributes:
        data: a `Record`, or an object array of them.
        info: the class.
    """

    __slots__ = ("info",)
    data: Any
    info: ClassInfo
    takes_paths = True
    has_elements = True
    runs_code = True

    def __init__(self, data: Any, info: ClassInfo) -> None:
        if not isinstance(data, Record):
            data = data.item() if data.shape == (1, 1) else np.asfortranarray(data)
        self.data = data
        self.info = data.info if isinstance(data, Record) else info

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return self.info.name

    @property
    def properties(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.info.shown

    @property
    def shape(self) -> tuple[int, ...]:
        data = self.data
        return (1, 1) if isinstance(data, Record) else data.shape

    def share(self) -> Self:
        twin = object.__new__(type(self))
        twin.data = self.data
        twin.info = self.info
        return twin

    def with_data(self, data: Any) -> Self:
        """Objects of the same class with other records."""
        return type(self)(data, self.info)

    def records(self) -> list[Record]:
        """Return the records in column-major order."""
        data = self.data
        return [data] if isinstance(data, Record) else data.ravel(order="F").tolist()

    def array(self) -> Any:
        """Return the records as an object array."""
        return object_array([self.data], (1, 1)) if isinstance(self.data, Record) else self.data

    def is_a(self, name: str) -> bool:
        return self.info.is_a(name) or numbers.is_category(self.info, name)

    # -- methods -----------------------------------------------------------------------------------

    def method(self, name: str) -> Callable[..., Any] | None:
        found = self.info.methods.get(name)
        if found is not None:
            return self._bound(found)
        if name == "empty":
            return lambda nargout, *extents: making.empty(self.info, extents)
        return None

    def called(self, name: str) -> Callable[..., Any] | None:
        if name in self.info.properties or self._overload("subsref") is not None:
            return None
        return self.method(name)

    def _bound(self, method: MethodInfo) -> Callable[..., Any]:
        function = callable_of(method, self.info)
        if method.static:
            return function
        return lambda nargout, *args: function(nargout, self, *args)

    def method_names(self) -> tuple[str, ...]:
        return members.method_names(self.info)

    def field_names(self) -> tuple[str, ...]:
        return self.info.shown

    def get_property(self, name: str) -> Any:
        return self.stored(self.info.properties[name])

    # -- reading -----------------------------------------------------------------------------------

    def field(self, name: str) -> Any:
        data = self.data
        if isinstance(data, Record):
            if name in self.info.plain_reads:
                try:
                    return share(data[name])
                except KeyError:
                    raise invalid_handle() from None
            return self._read(name, 1)
        overloaded = self._overload("subsref")
        if overloaded is not None:
            return overloaded(1, self, levels(((".", name),)))
        if name not in self.info.properties:
            return self._call(name, 1)
        return CommaList([self.element(record).field(name) for record in self.records()])

    def outputs(self, name: str, nargout: int) -> Any:
        """``obj.name`` where `nargout` values are asked for, or none."""
        if name in self.info.properties and "subsref" not in self.info.methods:
            return self.field(name)
        found = self._read(name, nargout) if isinstance(self.data, Record) else None
        if found is None and not isinstance(self.data, Record):
            found = self._call(name, nargout)
        return CommaList() if found is None else found

    def _read(self, name: str, nargout: int) -> Any:
        """``obj.name`` of one object, where it is more than to look at its record."""
        info = self.info
        overloaded = self._overload("subsref")
        if overloaded is not None:
            return overloaded(nargout, self, levels(((".", name),)))
        prop = info.properties.get(name)
        if prop is None:
            return self._call(name, nargout)
        check_read(prop, info)
        return self.stored(prop)

    def stored(self, prop: PropertyInfo) -> Any:
        """Return the value of a property that the running code may read."""
        record = self.data
        if isinstance(record, HandleRecord) and not record.is_valid:
            raise invalid_handle()
        if prop.constant:
            return members.constant(self.info, prop)
        if prop.getter is not None and not self._is_inside(prop, "get"):
            return prop.getter(1, self)
        if prop.name in record:
            return share(record[prop.name])
        raise MatlabError(
            "MATLAB:class:NoGetMethod",
            f"The '{prop.name}' property of class '{self.info.name}' has no value to get.",
        )

    def _call(self, name: str, nargout: int) -> Any:
        """``obj.name`` of a method."""
        found = self.info.methods.get(name)
        if found is None:
            bound = self.method(name)
            if bound is None:
                raise self._no_property(name)
            return bound(nargout)
        result = self._bound(found)(nargout)
        return CommaList() if result is None else result

    def member(self, name: str) -> Any:
        overloaded = self._overload("subsref")
        return self.field(name) if overloaded is None else Chain(self, overloaded).member(name)

    def chain(self) -> Any:
        overloaded = self._overload("subsref")
        return None if overloaded is None else Chain(self, overloaded)

    def assigned(self, path: Any, rhs: Any) -> Any:
        overloaded = self._overload("subsasgn")
        return None if overloaded is None else overloaded(1, self, levels(path), rhs)

    def _overload(self, name: str) -> Callable[..., Any] | None:
        """Return the class's own ``subsref`` and its like, which its methods do not go through."""
        found = self.info.methods.get(name)
        if found is None or found.fn is None:
            return None
        running, _ = self.info.host.running()
        if running is not None and self.info.is_a(running.name):
            return None
        return found.fn

    def _is_inside(self, prop: PropertyInfo, accessor: str) -> bool:
        """Whether the accessor of the property runs, which sees what is stored."""
        running, function = self.info.host.running()
        if running is None or running.name != prop.owner:
            return False
        return function.rpartition("/")[2] == f"{accessor}.{prop.name}"

    # -- writing -----------------------------------------------------------------------------------

    def set_field(self, name: str, rhs: Any) -> Any:
        if name in self.info.plain_writes and isinstance(self.data, Record):
            self._sole()[name] = rhs
            return self
        overloaded = self._overload("subsasgn")
        if overloaded is not None:
            return overloaded(1, self, levels(((".", name),)), rhs)
        prop = self.info.properties.get(name)
        if prop is None:
            raise self._no_target(name)
        if not isinstance(self.data, Record):
            raise simple_assignment(self.data.size)
        check_write(prop, self.info)
        return self.put(prop, rhs)

    def put(self, prop: PropertyInfo, rhs: Any) -> Any:
        """Return the object with another value of a property that the running code may write."""
        self._sole()
        if prop.validator is not None:
            rhs = prop.validator(1, making.converted(self.info, prop, rhs))
        if prop.setter is not None and not self._is_inside(prop, "set"):
            result = prop.setter(members.output_count(prop.setter), self, rhs)
            return self if result is None else result
        self.store(prop, rhs)
        return self

    def store(self, prop: PropertyInfo, rhs: Any) -> None:
        self._sole()[prop.name] = share(rhs)

    def _no_target(self, name: str) -> MatlabError:
        if name in self.info.methods:
            return MatlabError(
                "MATLAB:class:cannotSetMethod",
                f"Unable to assign to method '{name}' of class '{self.info.name}'.",
            )
        return MatlabError(
            "MATLAB:noPublicFieldForClass",
            f"Unrecognized property '{name}' for class '{self.info.name}'.",
        )

    def _sole(self) -> Record:
        """Return the record for writing, copied first where another object holds it."""
        # no local variable may hold the record while its references are counted
        if getrefcount(self.data) > 2:
            self.data = self.data.twin()
        record: Record = self.data
        return record

    def writable(self, name: str) -> Any:
        prop = self.info.properties.get(name)
        if prop is None or not isinstance(self.data, Record):
            return self.field(name)
        if not prop.is_stored or prop.getter is not None:
            return self.field(name)
        if name not in self.info.plain_writes:
            check_read(prop, self.info)
        record = self._sole()
        if name not in record:
            raise invalid_handle()
        if isinstance(record[name], Value) and getrefcount(record[name]) > 2:
            return record[name].share()
        return record[name]

    # -- elements ----------------------------------------------------------------------------------

    def element(self, record: Record) -> Instance:
        """One object as a value of its own."""
        return making.of_record(record)

    def paren(self, subs: Subscripts) -> Any:
        overloaded = self._overload("subsref")
        if overloaded is not None:
            return overloaded(1, self, levels((("()", subs),)))
        data = self.data
        if not isinstance(data, Record):
            place = place_of(data.shape, subs)
            if place is not None:
                return self.element(data[place])
        elif all(sub.__class__ is float and sub == 1.0 for sub in subs):
            return self.share()
        return self.with_data(subscript.read(self.array(), subs))

    def brace(self, subs: Subscripts) -> Any:
        overloaded = self._overload("subsref")
        if overloaded is not None:
            return overloaded(1, self, levels((("{}", subs),)))
        raise errors.brace_from_noncell()

    def set_brace(self, subs: Subscripts, rhs: Any) -> Any:
        overloaded = self._overload("subsasgn")
        if overloaded is not None:
            return overloaded(1, self, levels((("{}", subs),)), rhs)
        raise errors.brace_from_noncell()

    def writable_element(self, subs: Subscripts) -> Any:
        """``obj(subs)`` for writing to a part of it; a new object where there is none yet."""
        plain = len(subs) < 3 and all(sub.__class__ is float for sub in subs)
        is_new = plain and len(self.shape) == 2 and place_of(self.shape, subs) is None
        if is_new and self._overload("subsref") is None:
            return making.construct(self.info, ())
        return self.paren(subs)

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        overloaded = self._overload("subsasgn")
        if overloaded is not None:
            return overloaded(1, self, levels((("()", subs),)), rhs)
        adopted = making.adopt(self, rhs)
        if self._is_next_or_there(subs) and adopted.info is self.info and adopted.shape == (1, 1):
            subscript.write(self, subs, adopted.array(), None)
            return self
        holder = _Holder(self.array())
        subscript.write(holder, subs, adopted.array(), None)
        return self.refilled(holder.data, making.common_class([self, adopted]))

    def _is_next_or_there(self, subs: Subscripts) -> bool:
        """Whether a write is to one element of a vector, or to the first one past its end."""
        if isinstance(self.data, Record) or len(subs) != 1 or subs[0].__class__ is not float:
            return False
        whole = subs[0].is_integer() and subscript.is_vector(self.data.shape)
        return whole and 1.0 <= subs[0] <= self.data.size + 1 and self.data.size > 1

    def refilled(self, data: Any, info: ClassInfo) -> Any:
        """Objects of `data`, of which growth left some without a record."""
        flat = data.T.reshape(-1)
        for place, record in enumerate(flat):
            if record is None:
                flat[place] = making.construct(self.info, ()).data
        return type(self)(data, info)

    def del_paren(self, subs: Subscripts) -> Any:
        if isinstance(self.data, Record):
            holder = _Holder(self.array())
            subscript.remove(holder, subs)
            return self.with_data(holder.data)
        subscript.remove(self, subs)
        return self if self.data.size != 1 else self.with_data(self.data)

    def blank(self) -> Any:
        """Return an empty array of the class, which assignment grows."""
        return type(self)(np.empty((0, 0), object, order="F"), self.info)

    def end_at(self, position: int, count: int) -> Any:
        """Return what the class says of ``end``; None where it says nothing."""
        overloaded = self._overload("end")
        if overloaded is None:
            return None
        return overloaded(1, self, float(position + 1), float(count))

    # -- operators ---------------------------------------------------------------------------------

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        return operators.applied(self, name, operands)

    def range_of(self, *operands: Any) -> Any:
        """``a:b`` with an object among the operands."""
        given = [operand for operand in operands if operand is not None]
        found = self.info.methods.get("colon")
        if found is None or found.fn is None:
            raise errors.undefined_operator(":", self.info.name)
        return found.fn(1, *given)

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        """Return the rule of brackets with an object in them."""
        return making.concatenate

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether ``isequal`` takes `other` for the same."""
        return members.same_contents(self, other, nan_equal)

    def key_form(self) -> Hashable:
        return self.class_name, self.shape, tuple(map(members.key_form, self.records()))

    # -- display -----------------------------------------------------------------------------------

    @property
    def inline(self) -> Callable[[Any], str] | None:
        """What an enumeration member is in a field or cell; None for other objects."""
        return (lambda fmt: members.label(self)) if self.info.is_enumeration else None

    def shown(self, name: str, fmt: Any) -> Any:
        """Return the parts of the display."""
        from runmat_core.values.objects.display import shown

        return shown(self, fmt)

    def shown_by(self) -> Callable[..., Any] | None:
        """Return the class's own ``disp``."""
        found = self.info.methods.get("disp")
        return None if found is None else found.fn

    def displayed_by(self) -> Callable[..., Any] | None:
        """Return the class's own ``display``."""
        found = self.info.methods.get("display")
        return None if found is None else found.fn


class _Holder(Value):
    """A holder of records while they are written to."""

    __slots__ = ()

    def __init__(self, data: Any) -> None:
        self.data = data
