"""What is known of a class: its properties, methods, events and enumeration members."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

import attrs

from runmat_core.api.interp import MatlabFunction

#: ``public``, ``protected``, ``private``, ``immutable``, or the names of the classes that may.
Access = str | tuple[str, ...]
#: The key of an enumeration member's name in its record; no property has such a name.
MEMBER = "(member)"
#: The key of the number that an object of a class of numbers stands for.
NUMBER = "(number)"


class ClassHost(Protocol):
    """The session, as objects see it."""

    def running(self) -> tuple[ClassInfo | None, str]:
        """Return the class whose code runs, None where it is of none, and the function's name."""

    def find_class(self, name: str) -> ClassInfo | None:
        """Return the class of a name."""

    def outranks(self, name: str, other: str) -> bool:
        """Whether the class `name` decides about calls with objects of `other`, too."""

    def builtin(self, name: str) -> MatlabFunction | None:
        """Return the builtin of a name."""

    def destroy(self, info: ClassInfo, record: Any) -> None:
        """Run the ``delete`` methods for what is left of an object."""


@attrs.frozen(eq=False, kw_only=True)
class PropertyInfo:
    """A property as its class declares it.

    Attributes:
        owner: the class that declares it.
        default: gives the value that it starts with; None where none is written.
        validator: gives a value as the declared size and class, or raises.
        getter, setter: its accessors.
        attributes: all attributes of its block, as the class file writes them.
    """

    name: str
    owner: str
    get_access: Access = "public"
    set_access: Access = "public"
    constant: bool = False
    dependent: bool = False
    abstract: bool = False
    hidden: bool = False
    transient: bool = False
    copied: bool = True
    observable: bool = False
    abort_set: bool = False
    default: MatlabFunction | None = None
    validator: MatlabFunction | None = None
    getter: MatlabFunction | None = None
    setter: MatlabFunction | None = None
    class_name: str = ""
    size: tuple[int | None, ...] | None = None
    attributes: Mapping[str, Any] = attrs.Factory(dict)

    @property
    def is_stored(self) -> bool:
        """Whether objects hold a value of it."""
        return not (self.constant or self.dependent or self.abstract)

    @property
    def is_shown(self) -> bool:
        return self.get_access == "public" and not self.hidden


@attrs.frozen(eq=False, kw_only=True)
class MethodInfo:
    """A method.

    Attributes:
        owner: the class that defines it.
        fn: ``fn(nargout, obj, *args)``, without `obj` where it is static; None where there is
            only a signature.
        outputs: how many outputs it declares; one for a ``varargout``.
        attributes: all attributes of its block, as the class file writes them.
        overloads: whether calls of a builtin of its name with an object mean it, where its class
            is one of MATLAB's own.
    """

    name: str
    owner: str
    fn: MatlabFunction | None
    static: bool = False
    abstract: bool = False
    sealed: bool = False
    hidden: bool = False
    access: Access = "public"
    outputs: int = 1
    attributes: Mapping[str, Any] = attrs.Factory(dict)
    overloads: bool = False


@attrs.define(eq=False)
class ClassState:
    """What a class computes once.

    Attributes:
        template: the values that properties start with; None until the first object.
        constants: the values of Constant properties that were read.
        members: the enumeration members that were read.
        pending: Constant properties and members that are being computed.
    """

    template: dict[str, Any] | None = None
    constants: dict[str, Any] = attrs.Factory(dict)
    members: dict[str, Any] = attrs.Factory(dict)
    pending: set[str] = attrs.Factory(set)


@attrs.frozen(eq=False, kw_only=True)
class ClassInfo:
    """A class.

    Attributes:
        name: with its packages.
        superclasses: as the class lists them.
        properties, methods, events: its own, then inherited ones.
        members: what gives the arguments of each enumeration member, in order.
        constructor: ``fn(1, obj, *args)``, which returns the object; None where there is none.
        destructor: its own ``delete`` method.
        is_number: whether it inherits from a class of numbers.
        is_structured: whether its objects are made of structures, without classdef.
        attributes: its own attributes, as the class file writes them.
    """

    name: str
    file: str = ""
    help: str = ""
    host: ClassHost
    superclasses: tuple[ClassInfo, ...] = ()
    properties: Mapping[str, PropertyInfo] = attrs.Factory(dict)
    methods: Mapping[str, MethodInfo] = attrs.Factory(dict)
    events: Mapping[str, str] = attrs.Factory(dict)
    members: Mapping[str, MatlabFunction | None] = attrs.Factory(dict)
    constructor: MatlabFunction | None = None
    destructor: MatlabFunction | None = None
    is_handle: bool = False
    is_abstract: bool = False
    is_sealed: bool = False
    is_enumeration: bool = False
    is_number: bool = False
    is_structured: bool = False
    attributes: Mapping[str, Any] = attrs.Factory(dict)
    state: ClassState = attrs.Factory(ClassState)

    @cached_property
    def ancestors(self) -> dict[str, ClassInfo]:
        """The class and all that it inherits from, by name."""
        found = {self.name: self}
        for superclass in self.superclasses:
            for name, info in superclass.ancestors.items():
                found.setdefault(name, info)
        return found

    def is_a(self, name: str) -> bool:
        return name in self.ancestors

    @cached_property
    def own_private(self) -> dict[str, dict[str, MethodInfo]]:
        """The private methods of superclasses by name and class, where another has the name.

        Code of such a class means its own method, whatever a subclass defines.
        """
        found: dict[str, dict[str, MethodInfo]] = {}
        for name, ancestor in self.ancestors.items():
            for method in ancestor.methods.values():
                is_own = method.access == "private" and method.owner == name
                if is_own and self.methods.get(method.name) is not method:
                    found.setdefault(method.name, {})[name] = method
        return found

    @cached_property
    def plain_reads(self) -> frozenset[str]:
        """The properties that everybody reads as they are stored."""
        if "subsref" in self.methods:
            return frozenset()
        return frozenset(
            name
            for name, p in self.properties.items()
            if p.is_stored and p.get_access == "public" and p.getter is None
        )

    @cached_property
    def plain_writes(self) -> frozenset[str]:
        """The properties that everybody writes without more ado."""
        if "subsasgn" in self.methods:
            return frozenset()
        return frozenset(
            name
            for name, p in self.properties.items()
            if p.is_stored
            and p.set_access == "public"
            and p.setter is None
            and p.validator is None
            and not (p.observable or p.abort_set)
        )

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The properties that ``properties`` lists and the display shows."""
        return tuple(name for name, p in self.properties.items() if p.is_shown)

    @cached_property
    def abstract_names(self) -> tuple[str, ...]:
        """The methods and properties that have no definition."""
        return (
            *(m.name for m in self.methods.values() if m.abstract and m.fn is None),
            *(p.name for p in self.properties.values() if p.abstract),
        )

    @cached_property
    def destructors(self) -> tuple[MatlabFunction, ...]:
        """The ``delete`` methods of the class and of those that it inherits from."""
        return tuple(
            info.destructor for info in self.ancestors.values() if info.destructor is not None
        )
