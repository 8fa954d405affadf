"""Runtime objects: values with properties and methods written in Python.

`ObjectValue` is for classes with value semantics, `HandleObject` for handle classes, whose copies
are the same object. Methods are Python functions marked with `method`; they take ``nargout`` and
the MATLAB arguments. Properties are read and written through `field` and `set_field`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Self, TypeVar

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.base import COLON, CommaList, Subscripts, Value
from runmat_core.values.keys import fields_form

F = TypeVar("F", bound=Callable[..., Any])


def method(*names: str) -> Callable[[F], F]:
    """Mark ``f(self, nargout, *args)`` as the MATLAB method called `names`."""

    def mark(function: F) -> F:
        function.__matlab_names__ = names  # type: ignore[attr-defined]
        return function

    return mark


class FieldNumber:
    """What is no text in ``v.(k)``: the number of a field, of values whose fields have numbers.

    Raises:
        MatlabError: MATLAB:mustBeFieldName, where it is no number either.
    """

    __slots__ = ("number",)

    def __init__(self, number: Any) -> None:
        if number.__class__ is not float:
            raise not_a_field_name()
        self.number: float = number

    def name_in(self, value: Any) -> str:
        """Return the name of that field of `value`."""
        rule = getattr(value, "name_at", None)
        if rule is None:
            raise not_a_field_name()
        name: str = rule(self.number)
        return name


def not_a_field_name() -> MatlabError:
    return MatlabError(
        "MATLAB:mustBeFieldName",
        "Argument to dynamic structure reference must evaluate to a valid field name.",
    )


class ObjectValue(Value):
    """A scalar object with properties and methods.

    Attributes:
        data: the properties of classes that keep them in a dict; others use it as they like.
        properties: the names that ``obj.name`` reads, in the order of their display.
    """

    __slots__ = ()
    properties: ClassVar[tuple[str, ...]] = ()
    #: whether ``obj(k).name = x`` reads a part, changes it and writes it back
    takes_paths: ClassVar[bool] = False
    #: whether it may be an array of elements, each of which has the properties
    has_elements: ClassVar[bool] = False
    #: whether brackets leave it out beside others, being without elements
    stands_back: ClassVar[bool] = False
    #: whether reading a property may run MATLAB code
    runs_code: ClassVar[bool] = False
    _methods: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found = dict(cls._methods)
        for attribute, function in vars(cls).items():
            for name in getattr(function, "__matlab_names__", ()):
                found[name] = attribute
        cls._methods = found

    @property
    def shape(self) -> tuple[int, ...]:
        return (1, 1)

    def method(self, name: str) -> Callable[..., Any] | None:
        attribute = self._methods.get(name)
        return None if attribute is None else getattr(self, attribute)

    def array(self) -> Any:
        """Return the elements as an ndarray, of classes that have elements."""
        raise NotImplementedError

    def with_data(self, data: Any) -> Self:
        """Other elements of the same class, in an ndarray, of classes that have elements."""
        raise NotImplementedError

    def is_a(self, name: str) -> bool:
        """Whether the class is called `name` or inherits from a class of that name."""
        return name == self.class_name or (name == "handle" and isinstance(self, HandleObject))

    def key_form(self) -> Hashable:
        """Equal for two objects where they match as keys: `runmat_core.values.keys`."""
        found = ((name, self.get_property(name)) for name in self.properties)
        return self.class_name, fields_form(found)

    def method_names(self) -> tuple[str, ...]:
        """Return what ``methods(obj)`` lists."""
        return tuple(sorted(self._methods))

    def field_names(self) -> tuple[str, ...]:
        """Return what ``properties(obj)`` lists."""
        return self.properties

    def get_property(self, name: str) -> Any:
        """Return the value of one of `properties`."""
        return self.data[name]

    def set_property(self, name: str, rhs: Any) -> None:
        """Change one of `properties`; read-only unless the class says otherwise."""
        raise MatlabError(
            "MATLAB:class:SetProhibited",
            f"Unable to set the '{name}' property of class '{self.class_name}' because it is "
            "read-only.",
        )

    def field(self, name: str) -> Any:
        if name in self.properties:
            return self.get_property(name)
        found = self.method(name)
        if found is None:
            raise self._no_property(name)
        value = found(1)
        return CommaList() if value is None else value

    def chain(self) -> Any:
        """Return what takes several steps of a chain together, where the class does; else None."""
        return None

    def assigned(self, path: Sequence[tuple[str, Any]], rhs: Any) -> Any:
        """``obj<path> = rhs`` where the class does that on its own; None elsewhere."""
        return None

    def outputs(self, name: str, nargout: int) -> Any:
        """``obj.name`` where `nargout` values are asked for, or none."""
        return self.field(name)

    def set_field(self, name: str, rhs: Any) -> Any:
        if name not in self.properties:
            raise self._no_property(name)
        self.set_property(name, rhs)
        return self

    def member(self, name: str) -> Any:
        """Return what parentheses behind ``obj.name`` select from: by default, `field`."""
        return self.field(name)

    def writable(self, name: str) -> Any:
        """`field` for writing to a part of it; None where there is none yet."""
        return self.field(name)

    def writable_element(self, subs: Subscripts) -> Any:
        """``obj(subs)`` for writing to a part of it."""
        return self.paren(subs)

    def set_part(self, name: str, rhs: Any) -> Any:
        """`set_field` of a property of which a part was changed: ``v.name(k) = x``."""
        return self.set_field(name, rhs)

    def shown_by(self) -> Callable[..., Any] | None:
        """Return the ``disp`` that the class has in MATLAB code, as ``disp(nargout, obj)``."""
        return None

    def displayed_by(self) -> Callable[..., Any] | None:
        """Return the ``display`` that the class has in MATLAB code."""
        return None

    def end_at(self, position: int, count: int) -> Any:
        """Return what the class says of ``end`` at a subscript of `count`.

        Return None: its size says it.
        """
        return None

    def _no_property(self, name: str) -> MatlabError:
        return MatlabError(
            "MATLAB:noSuchMethodOrField",
            f"Unrecognized method, property, or field '{name}' for class '{self.class_name}'.",
        )

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        """Return an operator with this object among the operands.

        NotImplemented where there is none.
        """
        return NotImplemented

    def paren(self, subs: Subscripts) -> Any:
        for sub in subs:
            if sub is not COLON and sub != 1.0:
                raise errors.index_exceeds(1)
        return self.share()


_COUNTED = re.compile(r"(?:(\w+)\.)?(\w+)\(\) (missing|takes)\b.* positional argument")


def miscounted(exception: BaseException) -> MatlabError | None:
    """Return the error of a call of an object's method with too few or too many inputs.

    Return None else.
    """
    found = _COUNTED.match(str(exception)) if isinstance(exception, TypeError) else None
    if found is None:
        return None
    classes: list[type[ObjectValue]] = [ObjectValue]
    for one in classes:
        classes += one.__subclasses__()
    if not any(c.__name__ == found[1] and found[2] in c._methods.values() for c in classes):
        return None
    return errors.not_enough_inputs() if found[3] == "missing" else errors.too_many_inputs()


class HandleObject(ObjectValue):
    """An object of a handle class: every copy is the object itself."""

    __slots__ = ()

    def share(self) -> Self:
        return self

    def key_form(self) -> Hashable:
        return self.class_name, id(self)
