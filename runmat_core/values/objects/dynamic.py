"""Properties that programs add to single objects: `dynamicprops`.

Such an object's record has a description of the class of its own, which the other objects of the
class do not see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.values.base import share
from runmat_core.values.cell import empty_double
from runmat_core.values.char import CharArray
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import truth
from runmat_core.values.object import HandleObject
from runmat_core.values.objects.handle_instance import HandleInstance
from runmat_core.values.objects.info import ClassInfo, PropertyInfo
from runmat_core.values.objects.instance import Instance
from runmat_core.values.objects.records import HandleRecord, Record, invalid_handle
from runmat_core.values.text import text

#: The slot of `Instance`, behind the property below.
_STORED: Any = vars(Instance)["info"]


class DynamicInstance(HandleInstance):
    """An object, or an array of objects, of a class to whose objects properties may be added."""

    __slots__ = ()

    @property
    def info(self) -> ClassInfo:
        """The class, for one object with the properties that were added to it."""
        data = self.data
        stored: ClassInfo = data.info if isinstance(data, Record) else _STORED.__get__(self)
        return stored

    @info.setter
    def info(self, info: ClassInfo) -> None:
        _STORED.__set__(self, info)


#: Attributes of a property of one object, and where its description has them.
_SETTINGS = {
    "GetAccess": "get_access",
    "SetAccess": "set_access",
    "Dependent": "dependent",
    "Transient": "transient",
    "Hidden": "hidden",
    "SetObservable": "observable",
    "AbortSet": "abort_set",
    "NonCopyable": "copied",
}


class DynamicProperty(HandleObject):
    """What ``addprop`` returns: a property of one object; `data` is that object's record."""

    __slots__ = ("accessors", "name")
    data: HandleRecord
    class_name = "meta.DynamicProperty"
    properties = ("Name", *_SETTINGS, "GetMethod", "SetMethod", "DefiningClass")

    def __init__(self, record: HandleRecord, name: str) -> None:
        self.data = record
        self.name = name
        self.accessors: dict[str, Any] = {}

    def share(self) -> DynamicProperty:
        return self

    @property
    def described(self) -> PropertyInfo:
        found = self.data.info.properties.get(self.name)
        if found is None or not self.data.is_valid:
            raise invalid_handle()
        return found

    def get_property(self, name: str) -> Any:
        described = self.described
        if name == "Name":
            return CharArray(self.name)
        if name == "DefiningClass":
            return empty_double()
        if name in ("GetMethod", "SetMethod"):
            return share(self.accessors.get(name, empty_double()))
        value = getattr(described, _SETTINGS[name])
        if name == "NonCopyable":
            return not value
        return value if isinstance(value, bool) else CharArray(str(value))

    def set_property(self, name: str, value: Any) -> None:
        described = self.described
        if name in ("Name", "DefiningClass"):
            raise MatlabError(
                "MATLAB:class:SetProhibited",
                f"Unable to set the '{name}' property of class '{self.class_name}' because it is "
                "read-only.",
            )
        changes: dict[str, Any]
        if name in ("GetMethod", "SetMethod"):
            self.accessors[name] = share(value)
            wrap = _getter if name == "GetMethod" else _setter
            fn = wrap(value, self.name) if isinstance(value, FunctionHandle) else None
            changes = {"getter" if name == "GetMethod" else "setter": fn}
        elif name in ("GetAccess", "SetAccess"):
            changes = {_SETTINGS[name]: text(value)}
        else:
            changes = {_SETTINGS[name]: truth(value) != (name == "NonCopyable")}
        changed = attrs.evolve(described, **changes)
        _redefine(self.data, {**self.data.info.properties, self.name: changed})

    def method(self, name: str) -> Callable[..., Any] | None:
        return self._delete if name == "delete" else super().method(name)

    def _delete(self, nargout: int) -> None:
        """``delete(p)``: take the property from its object."""
        kept = {k: p for k, p in self.data.info.properties.items() if k != self.name}
        _redefine(self.data, kept)
        self.data.pop(self.name, None)


def add_property(nargout: int, obj: Any, name: Any) -> Any:
    """``addprop(obj, name)``.

    Raises:
        MatlabError: the name is not valid, or something of the class has it.
    """
    given = text(name)
    if not (given.isidentifier() and given.isascii() and given[0] != "_"):
        raise MatlabError(
            "MATLAB:class:InvalidPropertyName", f"'{given}' is not a valid name for a property."
        )
    record = obj.data
    if not isinstance(record, HandleRecord):
        raise MatlabError(
            "MATLAB:class:RequiresScalar", "Properties are added to one object at a time."
        )
    if not record.is_valid:
        raise invalid_handle()
    if given in record.info.properties or given in record.info.methods:
        raise MatlabError(
            "MATLAB:class:PropertyInUse",
            f"'{given}' is already defined as a property or method of class '{record.info.name}'.",
        )
    added = PropertyInfo(name=given, owner=record.info.name)
    record[given] = empty_double()
    _redefine(record, {**record.info.properties, given: added})
    return DynamicProperty(record, given)


def _redefine(record: Record, properties: dict[str, PropertyInfo]) -> None:
    record.info = attrs.evolve(record.info, properties=properties)


def _getter(handle: FunctionHandle, name: str) -> Callable[..., Any]:
    """Return the accessor `handle`, inside of which the property is read as it is stored."""
    active: set[int] = set()

    def get(nargout: int, obj: Instance) -> Any:
        key = id(obj.data)
        if key in active:
            return share(obj.data[name])
        active.add(key)
        try:
            return handle.fn(1, obj)
        finally:
            active.discard(key)

    return get


def _setter(handle: FunctionHandle, name: str) -> Callable[..., Any]:
    """Return the accessor `handle`, inside of which the property is written as it is stored."""
    active: set[int] = set()

    def set_(nargout: int, obj: Instance, value: Any) -> None:
        key = id(obj.data)
        if key in active:
            obj.data[name] = share(value)
            return
        active.add(key)
        try:
            handle.fn(0, obj, value)
        finally:
            active.discard(key)

    return set_
