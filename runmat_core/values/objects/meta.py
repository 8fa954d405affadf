"""What programs are told of classes: ``?Name``, and what its lists hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.cell import CellArray, empty_double, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.equality import isequal
from runmat_core.values.object import HandleObject
from runmat_core.values.object import method as matlab_method
from runmat_core.values.objects.info import Access, ClassInfo, MethodInfo, PropertyInfo
from runmat_core.values.rows import Row
from runmat_core.values.text import is_text, text

#: The names that current releases have for the classes.
_NEWER = {
    "meta.class": "matlab.metadata.Class",
    "meta.property": "matlab.metadata.Property",
    "meta.method": "matlab.metadata.Method",
    "meta.event": "matlab.metadata.Event",
    "meta.EnumeratedValue": "matlab.metadata.EnumerationMember",
    "meta.Validation": "matlab.metadata.Validation",
    "meta.package": "matlab.metadata.Namespace",
}
_ABOVE = ("handle", "meta.MetaData", "matlab.metadata.MetaData")


class Member(NamedTuple):
    """A member of a class, as seen from `info`, which may inherit it."""

    what: Any
    info: ClassInfo


class MetaArray(Row[Any]):
    """Objects that describe something of a class or a package.

    Attributes:
        rules: what gives each property of an object.
    """

    __slots__ = ()
    rules: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.properties = tuple(name for name in cls.rules if name not in cls.hidden)

    def __init__(self, items: Sequence[Any]) -> None:
        super().__init__(items, axis=0)

    def is_a(self, name: str) -> bool:
        return name in (self.class_name, _NEWER.get(self.class_name), *_ABOVE)

    def property_of(self, item: Any, name: str) -> Any:
        return self.rules[name](item)

    @matlab_method("findobj")
    def find(self, nargout: int, *pairs: Any) -> Any:
        """``findobj(LIST, NAME, VALUE, …)``: the objects whose properties have these values."""
        if len(pairs) % 2 or not all(is_text(name) for name in pairs[::2]):
            raise MatlabError(
                "MATLAB:class:InvalidArgument", "Each property must be followed by a value."
            )
        wanted = [(text(n), v) for n, v in zip(pairs[::2], pairs[1::2], strict=True)]
        kept = [
            item
            for item in self.items()
            if all(n in self.rules and isequal(self.rules[n](item), v) for n, v in wanted)
        ]
        return self.with_data(object_array(kept, (len(kept), 1)))

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if name not in ("eq", "ne") or not all(isinstance(one, MetaArray) for one in operands):
            return NotImplemented
        from runmat_core.values.array import from_numpy

        first, second = np.broadcast_arrays(operands[0].data, operands[1].data)
        flags = [
            (_same(a, b)) == (name == "eq")
            for a, b in zip(first.ravel(order="F"), second.ravel(order="F"), strict=True)
        ]
        return from_numpy(np.array(flags, bool).reshape(first.shape, order="F"))

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether `other` describes the same things."""
        if not isinstance(other, MetaArray) or self.shape != other.shape:
            return False
        return all(_same(a, b) for a, b in zip(self.items(), other.items(), strict=True))


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Member) and isinstance(b, Member):
        return a.what is b.what
    if isinstance(a, ClassInfo) and isinstance(b, ClassInfo):
        return a.name == b.name
    return bool(a == b)


# -- what rules are made of ------------------------------------------------------------------------


def _access(access: Access, info: ClassInfo) -> Any:
    """Who may use a member: a word, or a list of classes."""
    if isinstance(access, str):
        return CharArray(access)
    found = [info.host.find_class(name) for name in access]
    return _cells([MetaClass(one) for one in found if one is not None])


def _cells(items: Sequence[Any]) -> CellArray:
    return CellArray(object_array(list(items), (len(items), 1)))


def _names(words: Sequence[str | None]) -> CellArray:
    return _cells([CharArray(word or "~") for word in words])


def _owner(member: Member) -> Any:
    """Return the class that defines a member."""
    found = member.info.ancestors.get(member.what.owner)
    return MetaClass(member.info if found is None else found)


def _default(prop: PropertyInfo) -> Any:
    return prop.default(1) if prop.default is not None else empty_double()


def _handle(function: Any) -> Any:
    """Return an accessor as a function handle; empty where there is none."""
    if function is None:
        return empty_double()
    from runmat_core.values.handle import FunctionHandle

    described = getattr(function, "__matlab__", None)
    return FunctionHandle(function, described.name if described is not None else "")


def _inputs(method: MethodInfo) -> Any:
    described = getattr(method.fn, "__matlab__", None)
    if described is None:
        return _names(["varargin"])
    return _names([*described.inputs, *(["varargin"] if described.varargin else [])])


def _outputs(method: MethodInfo) -> Any:
    described = getattr(method.fn, "__matlab__", None)
    if described is None:
        return _names(["varargout"])
    return _names([*described.outputs, *(["varargout"] if described.varargout else [])])


def _help(function: Any, from_line: int) -> CharArray:
    described = getattr(function, "__matlab__", None)
    return _lines(described.help if described is not None else "", from_line)


def _lines(comment: str, from_line: int) -> CharArray:
    """Return the first line of a comment, or what follows it."""
    first, _, rest = comment.partition("\n")
    return CharArray(rest.strip("\n") if from_line else first.strip())


def _flag(attribute: str) -> Callable[[Member], Any]:
    return lambda one: bool(getattr(one.what, attribute))


def _set(attribute: str) -> Callable[[Member], Any]:
    return lambda one: one.what.attributes.get(attribute) is True


class MetaValidation(MetaArray):
    """What is declared of the values of a property."""

    __slots__ = ()
    class_name = "meta.Validation"
    rules: ClassVar = {
        "Class": lambda one: _class_of(one),
        "Size": lambda one: _sizes(one.what.size),
    }


def _class_of(member: Member) -> Any:
    name = member.what.class_name
    found = member.info.host.find_class(name) if name else None
    return MetaClassArray([]) if found is None else MetaClass(found)


def _sizes(size: Sequence[int | None] | None) -> Any:
    return MetaSize([]) if size is None else MetaSize(list(size)).transposed()


class MetaSize(MetaArray):
    """The extents that are declared of a property: numbers, NaN for any."""

    __slots__ = ()
    class_name = "meta.ArrayDimension"
    rules: ClassVar = {"Length": lambda extent: np.nan if extent is None else float(extent)}

    def transposed(self) -> MetaSize:
        return self.with_data(self.data.T)


class MetaProperty(MetaArray):
    """Properties of a class."""

    __slots__ = ()
    class_name = "meta.property"
    rules: ClassVar = {
        "Name": lambda one: CharArray(one.what.name),
        "Description": lambda one: CharArray(""),
        "DetailedDescription": lambda one: CharArray(""),
        "GetAccess": lambda one: _access(one.what.get_access, one.info),
        "SetAccess": lambda one: _access(one.what.set_access, one.info),
        "Dependent": _flag("dependent"),
        "Constant": _flag("constant"),
        "Abstract": _flag("abstract"),
        "Transient": _flag("transient"),
        "Hidden": _flag("hidden"),
        "GetObservable": _set("GetObservable"),
        "SetObservable": _flag("observable"),
        "AbortSet": _flag("abort_set"),
        "NonCopyable": lambda one: not one.what.copied,
        "GetMethod": lambda one: _handle(one.what.getter),
        "SetMethod": lambda one: _handle(one.what.setter),
        "HasDefault": lambda one: one.what.default is not None,
        "DefaultValue": lambda one: _default(one.what),
        "Validation": lambda one: MetaValidation([one] if one.what.validator is not None else []),
        "DefiningClass": _owner,
    }


class MetaMethod(MetaArray):
    """Methods of a class."""

    __slots__ = ()
    class_name = "meta.method"
    rules: ClassVar = {
        "Name": lambda one: CharArray(one.what.name),
        "Description": lambda one: _help(one.what.fn, 0),
        "DetailedDescription": lambda one: _help(one.what.fn, 1),
        "Access": lambda one: _access(one.what.access, one.info),
        "Static": _flag("static"),
        "Abstract": _flag("abstract"),
        "Sealed": _flag("sealed"),
        "Hidden": _flag("hidden"),
        "InputNames": lambda one: _inputs(one.what),
        "OutputNames": lambda one: _outputs(one.what),
        "DefiningClass": _owner,
    }


class MetaEvent(MetaArray):
    """Events of a class; what a member holds is the name."""

    __slots__ = ()
    class_name = "meta.event"
    rules: ClassVar = {
        "Name": lambda one: CharArray(one.what),
        "ListenAccess": lambda one: CharArray("public"),
        "NotifyAccess": lambda one: CharArray("public"),
        "DefiningClass": lambda one: MetaClass(
            one.info.ancestors.get(one.info.events[one.what], one.info)
        ),
    }


class MetaEnumeratedValue(MetaArray):
    """Members of an enumeration; what a member holds is the name."""

    __slots__ = ()
    class_name = "meta.EnumeratedValue"
    rules: ClassVar = {"Name": lambda one: CharArray(one.what)}


def _list(kind: type[MetaArray], found: Sequence[Any], info: ClassInfo) -> MetaArray:
    return kind([Member(one, info) for one in found])


def _methods(info: ClassInfo) -> list[MethodInfo]:
    """Return the methods with the constructor and ``empty``, which every class has."""
    own = info.name.rpartition(".")[2]
    made = [
        MethodInfo(name=own, owner=info.name, fn=info.constructor),
        MethodInfo(name="empty", owner=info.name, fn=None, static=True, hidden=True),
    ]
    found = list(info.methods.values())
    split = next((k for k, m in enumerate(found) if m.owner != info.name), len(found))
    return [*made[:1], *found[:split], made[1], *found[split:]] if info.file else found


def _package(info: ClassInfo) -> Any:
    name = info.name.rpartition(".")[0]
    from_name = info.host.builtin("meta.package.fromName") if name else None
    return empty_double() if from_name is None else from_name(1, CharArray(name))


def _supers(info: ClassInfo) -> Any:
    return MetaClassArray(info.superclasses).simple()


def _each(found: Any) -> CellArray:
    """Return a list as a cell array of its objects, which older programs read."""
    items = [found] if isinstance(found, MetaClass) else found.items()
    if isinstance(found, MetaArray):
        items = [found.with_data(object_array([item], (1, 1))) for item in items]
    return _cells(items)


_VALUES: dict[str, Callable[[ClassInfo], Any]] = {
    "Name": lambda info: CharArray(info.name),
    "Description": lambda info: _lines(info.help, 0),
    "DetailedDescription": lambda info: _lines(info.help, 1),
    "Hidden": lambda info: info.attributes.get("Hidden") is True,
    "Sealed": lambda info: info.is_sealed,
    "Abstract": lambda info: info.is_abstract or bool(info.abstract_names),
    "Enumeration": lambda info: info.is_enumeration,
    "ConstructOnLoad": lambda info: info.attributes.get("ConstructOnLoad") is True,
    "HandleCompatible": lambda info: (
        info.is_handle or info.attributes.get("HandleCompatible") is True
    ),
    "ContainingPackage": _package,
    "PropertyList": lambda info: _list(MetaProperty, list(info.properties.values()), info),
    "MethodList": lambda info: _list(MetaMethod, _methods(info), info),
    "EventList": lambda info: _list(MetaEvent, list(info.events), info),
    "EnumerationMemberList": lambda info: _list(MetaEnumeratedValue, list(info.members), info),
    "SuperclassList": _supers,
}
_LISTS = {
    "Properties": "PropertyList",
    "Methods": "MethodList",
    "Events": "EventList",
    "SuperClasses": "SuperclassList",
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

    def is_a(self, name: str) -> bool:
        return name in (self.class_name, _NEWER[self.class_name], *_ABOVE)

    def get_property(self, name: str) -> Any:
        return _VALUES[name](self.data)

    def field(self, name: str) -> Any:
        if name in _LISTS:
            return _each(_VALUES[_LISTS[name]](self.data))
        return super().field(name)

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        rule = _ORDER.get(name)
        if rule is None or not all(isinstance(value, MetaClass) for value in operands):
            return NotImplemented
        return rule(operands[0].data, operands[1].data)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether `other` is of the same class."""
        return isinstance(other, MetaClass) and other.data.name == self.data.name

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        """Return the rule of ``[?A, ?B]``."""
        return _joined_classes


class MetaClassArray(MetaArray):
    """Several classes, or none; one is a `MetaClass`."""

    __slots__ = ()
    class_name = "meta.class"
    rules: ClassVar = _VALUES

    def simple(self) -> Any:
        """Return the one class where there is one."""
        return MetaClass(self.data.item()) if self.data.size == 1 else self

    def paren(self, subs: Any) -> Any:
        return super().paren(subs).simple()

    def array(self) -> Any:
        return self.data

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        """Return the rule of brackets."""
        return _joined_classes


def _joined_classes(values: list[Any], axis: int) -> Any:
    from runmat_core.values.rows import joined

    rows = [MetaClassArray([v.data]) if isinstance(v, MetaClass) else v for v in values]
    found = joined(rows, axis)
    return found.simple() if isinstance(found, MetaClassArray) else found


def property_named(info: ClassInfo, name: str) -> MetaProperty:
    """Return the property `name` of a class; empty where there is none."""
    found = info.properties.get(name)
    return MetaProperty([] if found is None else [Member(found, info)])


def without_class() -> MetaClassArray:
    """No class, as `meta.class.fromName` gives for a name that none has."""
    made = MetaClassArray([])
    return made.with_data(np.empty((0, 0), object))
