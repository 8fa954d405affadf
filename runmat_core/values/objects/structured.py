"""Objects that ``class(s, 'Name')`` makes of structures, as classes before classdef do.

Only the code of the class sees the fields. What it inherits is an object of the parent class in a
field of that class's name, and the parent's methods see that object's fields in its place.
"""

from __future__ import annotations

from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.values.base import CommaList, share
from runmat_core.values.cell import simple_assignment
from runmat_core.values.objects.chain import levels
from runmat_core.values.objects.info import ClassInfo
from runmat_core.values.objects.instance import Instance
from runmat_core.values.objects.records import Record


class StructuredInstance(Instance):
    """An object, or an array of objects, of a class that was made of a structure."""

    __slots__ = ()

    def field_names(self) -> tuple[str, ...]:
        return tuple(self.info.properties)

    # -- reading -----------------------------------------------------------------------------------

    def field(self, name: str) -> Any:
        overloaded = self._overload("subsref")
        if overloaded is not None:
            return overloaded(1, self, levels(((".", name),)))
        if not isinstance(self.data, Record):
            return CommaList([self.element(record).field(name) for record in self.records()])
        way = self._way()
        if way is None:
            return self._call_method(name)
        holder = _inside(self.data, way)
        if name in holder:
            return share(holder[name])
        if name in self.info.methods:
            return self._call(name, 1)
        raise MatlabError("MATLAB:nonExistentField", f"Reference to non-existent field '{name}'.")

    def outputs(self, name: str, nargout: int) -> Any:
        return self.field(name)

    def called(self, name: str) -> Any:
        """``obj.name(args)`` calls a method, unless `name` is a field that is seen here."""
        if self._overload("subsref") is not None or not isinstance(self.data, Record):
            return None
        way = self._way()
        if way is not None and name in _inside(self.data, way):
            return None
        return self.method(name)

    def _call_method(self, name: str) -> Any:
        if name in self.info.methods:
            return self._call(name, 1)
        raise _no_access()

    def _way(self) -> tuple[str, ...] | None:
        """Return the fields that lead to the object of the class whose code runs.

        Return None outside of it.
        """
        running, _ = self.info.host.running()
        if running is None:
            return None
        return way_to(self.info, running.name)

    # -- writing -----------------------------------------------------------------------------------

    def set_field(self, name: str, rhs: Any) -> Any:
        overloaded = self._overload("subsasgn")
        if overloaded is not None:
            return overloaded(1, self, levels(((".", name),)), rhs)
        if not isinstance(self.data, Record):
            raise simple_assignment(self.data.size)
        way = self._way()
        if way is None:
            raise _no_access()
        if way:
            parent = self.data[way[0]].share()
            self._sole()[way[0]] = parent.set_field(name, rhs)
            return self
        if name not in self.data:
            raise MatlabError(
                "MATLAB:nonExistentField",
                f"Objects of class '{self.info.name}' have no field '{name}': class(S, NAME) "
                "gives them those of S.",
            )
        self._sole()[name] = rhs
        return self

    def writable(self, name: str) -> Any:
        # a copy where the path goes on; `set_field` puts it back
        return self.field(name)


def _inside(record: Record, way: tuple[str, ...]) -> Record:
    for name in way:
        record = record[name].data
    return record


def way_to(info: ClassInfo, name: str) -> tuple[str, ...] | None:
    """Return the fields that lead from an object to its part of an inherited class.

    Return None without one.
    """
    if info.name == name:
        return ()
    for parent in info.superclasses:
        way = way_to(parent, name)
        if way is not None:
            return (parent.name, *way)
    return None


def _no_access() -> MatlabError:
    return MatlabError(
        "MATLAB:class:FieldAccess",
        "Access to an object's fields is only permitted within its methods.",
    )
