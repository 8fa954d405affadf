"""Making objects: defaults, constructors, empty arrays, arrays of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.base import Value, class_of
from runmat_core.values.cell import join
from runmat_core.values.classes import DTYPE
from runmat_core.values.empty_objects import SCALAR_CLASSES, EmptyObjects, extents_of
from runmat_core.values.equality import isequal
from runmat_core.values.object import ObjectValue
from runmat_core.values.objects.info import MEMBER, NUMBER, ClassInfo, PropertyInfo
from runmat_core.values.objects.initial import initial_value
from runmat_core.values.objects.records import HandleRecord, Record, new_record
from runmat_core.values.text import is_text, text

if TYPE_CHECKING:
    from runmat_core.values.objects.instance import Instance

#: Classes of properties that are no program's.
_BUILT_IN = frozenset(
    {*DTYPE, "char", "string", "cell", "struct", "numeric", "float", "any"} | {"function_handle"}
)
_MIXED = "matlab.mixin.Heterogeneous"


def kind_of(info: ClassInfo) -> type[Instance]:
    """Return the Python class of the objects of a class."""
    from runmat_core.values.objects.handle_instance import HandleInstance
    from runmat_core.values.objects.instance import Instance

    if info.is_structured:
        from runmat_core.values.objects.structured import StructuredInstance

        return StructuredInstance
    if info.is_handle and info.is_a("dynamicprops"):
        from runmat_core.values.objects.dynamic import DynamicInstance

        return DynamicInstance
    return HandleInstance if info.is_handle else Instance


def of_record(record: Record) -> Instance:
    """Return a value that holds one object."""
    return kind_of(record.info)(record, record.info)


def construct(info: ClassInfo, args: Sequence[Any]) -> Any:
    """``Name(args...)``.

    Raises:
        MatlabError: MATLAB:class:abstract, something has no definition.
    """
    if info.is_enumeration:
        return _converted_member(info, args)
    if info.is_abstract or info.abstract_names:
        raise _abstract(info)
    return initialised(info, blank(info), args)


def _abstract(info: ClassInfo) -> MatlabError:
    names = ", ".join(info.abstract_names)
    return MatlabError(
        "MATLAB:class:abstract",
        f"Abstract classes cannot be instantiated. Class '{info.name}' defines abstract methods "
        "and/or properties.",
        hint=f"Not defined: {names}." if names else "The class itself is declared Abstract.",
    )


def blank(info: ClassInfo) -> Instance:
    """Return an object before its constructor runs."""
    return of_record(new_record(info, template(info)))


def template(info: ClassInfo) -> dict[str, Any]:
    """Return the values of the properties of new objects, computed with the first of them."""
    known = info.state.template
    if known is None:
        known = {p.name: start(p, info) for p in info.properties.values() if p.is_stored}
        info.state.template = known
    return known


def start(prop: PropertyInfo, info: ClassInfo) -> Any:
    """Return the value that a property of a class starts with."""
    if prop.default is None:
        declared = _class_of_property(prop, info)
        if declared is None:
            made = _built_in_start(prop, info)
            return initial_value(prop) if made is None else made
        is_one = prop.size is not None and all(extent == 1 for extent in prop.size)
        return construct(declared, ()) if is_one else empty(declared, ())
    value = prop.default(1)
    if prop.validator is None:
        return value
    try:
        return prop.validator(1, converted(info, prop, value))
    except MatlabError as error:
        raise MatlabError(
            error.identifier,
            f"Invalid default value for property '{prop.name}' in class '{prop.owner}':\n"
            f"{error.message}",
        ) from None


def _built_in_start(prop: PropertyInfo, info: ClassInfo) -> Any:
    """Return the value for a property of a class such as datetime.

    It is an empty array, or the one object that there is without arguments; None for what is no
    such class.
    """
    name = prop.class_name
    if not name or name in _BUILT_IN or info.host.find_class(name) is not None:
        return None
    is_one = prop.size is not None and all(extent == 1 for extent in prop.size)
    if name in SCALAR_CLASSES and not is_one:
        return EmptyObjects(name)
    make = info.host.builtin(name)
    made = make(1) if make is not None else None
    if not isinstance(made, ObjectValue):
        return None
    without_elements = made.method("empty")
    return made if without_elements is None else without_elements(1)


def converted(info: ClassInfo, prop: PropertyInfo, value: Any) -> Any:
    """`value`, as an object where the property is declared to be of a class that it is not of."""
    declared = _class_of_property(prop, info)
    if declared is None or (isinstance(value, ObjectValue) and value.is_a(declared.name)):
        return value
    if isinstance(value, Value) and 0 in value.shape:
        return empty(declared, ())
    try:
        return construct(declared, (value,))
    except MatlabError:
        return value  # which the property's own check refuses


def _class_of_property(prop: PropertyInfo, info: ClassInfo) -> ClassInfo | None:
    """Return the class of which a property is declared to be, where that is a program's."""
    name = prop.class_name
    if not name or name in _BUILT_IN:
        return None
    found = info.host.find_class(name)
    return found if found is not None and found.file else None


def initialised(info: ClassInfo, obj: Any, args: Sequence[Any]) -> Any:
    """Return the object after the constructor of `info`, one of its classes, has run.

    A class without constructor hands all arguments to that of its only superclass.
    """
    if info.constructor is not None:
        made = info.constructor(1, obj, *args)
        if not hasattr(made, "info"):
            raise MatlabError(
                "MATLAB:class:badConstructor",
                f"The constructor of class '{info.name}' must return the object, not a value of "
                f"class '{class_of(made)}'.",
            )
        return made
    if args and len(info.superclasses) != 1:
        raise errors.too_many_inputs()
    for superclass in info.superclasses:
        obj = initialised(superclass, obj, args if len(info.superclasses) == 1 else ())
    return obj


# -- enumeration members --------------------------------------------------------------------------


def enumeration_member(info: ClassInfo, name: str) -> Any:
    """``Name.Member``: made once, so that members of handle classes are one object."""
    state = info.state
    found = state.members.get(name)
    if found is None:
        arguments = info.members[name]
        made = blank(info)
        made.data[MEMBER] = name
        args = () if arguments is None else arguments(1).items()
        found = state.members[name] = initialised(info, made, args)
        found.data[MEMBER] = name
    return found.share()


def _converted_member(info: ClassInfo, args: Sequence[Any]) -> Any:
    """``Name('Member')``, and ``Name(obj)`` of a member."""
    if len(args) == 1:
        given = args[0]
        if is_text(given):
            name = text(given)
            if name in info.members:
                return enumeration_member(info, name)
            raise MatlabError(
                "MATLAB:class:InvalidEnum",
                f"Unable to convert the text '{name}' to an enumeration member of class "
                f"'{info.name}'.",
            )
        if class_of(given) == info.name:
            return given.share()
        for name in info.members if info.is_number else ():
            made = enumeration_member(info, name)
            if isequal(made.data[NUMBER], given):
                return made
    if not args and info.members:
        return enumeration_member(info, next(iter(info.members)))
    raise MatlabError(
        "MATLAB:class:InvalidEnum",
        f"Values of class '{info.name}' are its enumeration members.",
    )


# -- arrays ---------------------------------------------------------------------------------------


def empty(info: ClassInfo, extents: Sequence[Any]) -> Instance:
    """``Name.empty(0, 3)``."""
    return kind_of(info)(np.empty(extents_of(extents), object, order="F"), info)


def adopt(target: Instance, value: Any) -> Instance:
    """`value` as objects that an array of the class of `target` takes."""
    from runmat_core.values.objects.instance import Instance

    if isinstance(value, Instance):
        common_class([target, value])
        return value
    if isinstance(value, Value) and 0 in value.shape:
        return empty(target.info, ())
    made = construct(target.info, (value,)) if _takes_values(target.info) else None
    if not isinstance(made, Instance):
        raise mismatch(value, target.info)
    return made


def _takes_values(info: ClassInfo) -> bool:
    """Whether the constructor of a class may convert a value of another class."""
    described = getattr(info.constructor, "__matlab__", None)
    return info.is_enumeration or (
        described is not None and bool(described.inputs or described.varargin)
    )


def common_class(values: Sequence[Instance]) -> ClassInfo:
    """Return the class of an array of the elements of all `values`.

    Raises:
        MatlabError: they are of several classes that no array takes together.
    """
    first = values[0].info
    names = {value.info.name for value in values}
    if len(names) == 1:
        return first
    for name, ancestor in first.ancestors.items():
        if all(v.info.is_a(name) for v in values) and ancestor.is_a(_MIXED) and name != _MIXED:
            return ancestor
    other = next(v for v in values if v.info.name != first.name)
    raise mismatch(other, first)


def concatenate(values: list[Any], axis: int) -> Any:
    """Return ``[a, b]`` with an object among the values; ``[]`` adds nothing."""
    from runmat_core.values.objects.instance import Instance

    objects = [value for value in values if isinstance(value, Instance)]
    overload = objects[0].info.methods.get("horzcat" if axis == 1 else "vertcat")
    if overload is not None and overload.fn is not None and not _is_running(objects[0].info):
        return overload.fn(1, *values)
    kept = [v for v in values if isinstance(v, Instance) or not _is_empty(v)]
    cells = [v for v in kept if class_of(v) == "cell"]
    if cells:
        from runmat_core.values.cell import concat_cells

        return concat_cells(values, axis)
    adopted = [adopt(objects[0], value) for value in kept]
    info = common_class(adopted)
    return kind_of(info)(join([value.array() for value in adopted], axis), info)


def _is_empty(value: Any) -> bool:
    return isinstance(value, Value) and 0 in value.shape


def _is_running(info: ClassInfo) -> bool:
    running, _ = info.host.running()
    return running is not None and info.is_a(running.name)


def copied(obj: Instance) -> Instance:
    """Return a new handle object with the same values of properties."""
    record = obj.data
    twin = new_record(record.info, dict(record))
    assert isinstance(twin, HandleRecord)
    fresh = template(record.info)
    for prop in record.info.properties.values():
        if not prop.copied and prop.name in fresh:
            twin[prop.name] = fresh[prop.name]
    return of_record(twin)


def mismatch(value: Any, info: ClassInfo) -> MatlabError:
    return MatlabError(
        "MATLAB:UnableToConvert",
        f"Unable to convert a value of class '{class_of(value)}' to '{info.name}'.",
    )
