"""What programs are told of a class: ``?Name``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.values.cell import empty_double
from runmat_core.values.char import CharArray
from runmat_core.values.object import HandleObject
from runmat_core.values.objects.info import Access, ClassInfo, MethodInfo, PropertyInfo
from runmat_core.values.struct import StructArray, struct_array


def _access(access: Access) -> CharArray:
    return CharArray(access if isinstance(access, str) else "restricted")


def _property(prop: PropertyInfo) -> dict[str, Any]:
    return {
        "Name": CharArray(prop.name),
        "GetAccess": _access(prop.get_access),
        "SetAccess": _access(prop.set_access),
        "Dependent": prop.dependent,
        "Constant": prop.constant,
        "Abstract": prop.abstract,
        "Transient": prop.transient,
        "Hidden": prop.hidden,
        "SetObservable": prop.observable,
        "AbortSet": prop.abort_set,
        "NonCopyable": not prop.copied,
        "HasDefault": prop.default is not None,
        "DefaultValue": _default(prop),
        "DefiningClass": CharArray(prop.owner),
    }


def _default(prop: PropertyInfo) -> Any:
    return prop.default(1) if prop.default is not None else empty_double()


def _method(method: MethodInfo) -> dict[str, Any]:
    return {
        "Name": CharArray(method.name),
        "Access": _access(method.access),
        "Static": method.static,
        "Abstract": method.abstract,
        "Sealed": method.sealed,
        "Hidden": method.hidden,
        "DefiningClass": CharArray(method.owner),
    }


def _listed(records: list[dict[str, Any]]) -> StructArray:
    return struct_array(records, (len(records), 1), records[0] if records else ("Name",))


_VALUES: dict[str, Callable[[ClassInfo], Any]] = {
    "Name": lambda info: CharArray(info.name),
    "Description": lambda info: CharArray(info.help.partition("\n")[0].strip()),
    "Abstract": lambda info: info.is_abstract or bool(info.abstract_names),
    "Sealed": lambda info: info.is_sealed,
    "Enumeration": lambda info: info.is_enumeration,
    "HandleCompatible": lambda info: info.is_handle,
    "PropertyList": lambda info: _listed([_property(p) for p in info.properties.values()]),
    "MethodList": lambda info: _listed([_method(m) for m in info.methods.values()]),
    "EventList": lambda info: _listed([{"Name": CharArray(name)} for name in info.events]),
    "EnumerationMemberList": lambda info: _listed(
        [{"Name": CharArray(name)} for name in info.members]
    ),
    "SuperclassList": lambda info: _listed(
        [{"Name": CharArray(superclass.name)} for superclass in info.superclasses]
    ),
}
#: What ``?A op ?B`` asks.
_ORDER: dict[str, Callable[[ClassInfo, ClassInfo], bool]] = {
    "eq": lambda a, b: a.name == b.name,
    "ne": lambda a, b: a.name != b.name,
    "lt": lambda a, b: a.name != b.name and a.is_a(b.name),
    "le": lambda a, b: a.is_a(b.name),
    "gt": lambda a, b: a.name != b.name and b.is_a(a.name),
    "ge": lambda a, b: b.is_a(a.name),
}


class MetaClass(HandleObject):
    """The value of ``?Name``; `data` is the class."""

    __slots__ = ()
    data: ClassInfo
    class_name = "meta.class"
    properties = tuple(_VALUES)

    def __init__(self, info: ClassInfo) -> None:
        self.data = info

    def get_property(self, name: str) -> Any:
        return _VALUES[name](self.data)

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        rule = _ORDER.get(name)
        if rule is None or not all(isinstance(value, MetaClass) for value in operands):
            return NotImplemented
        return rule(operands[0].data, operands[1].data)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether `other` is of the same class."""
        return isinstance(other, MetaClass) and other.data.name == self.data.name
