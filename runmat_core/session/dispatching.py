"""Calls that objects of classes decide, of class files and of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runmat_core.api.errors import MatlabError
from runmat_core.values.element_array import function_of
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import field, index
from runmat_core.values.objects.access import callable_of
from runmat_core.values.objects.instance import Instance
from runmat_core.values.objects.members import deciding, static_member

if TYPE_CHECKING:
    from runmat_core.api.interp import MatlabFunction
    from runmat_core.values.objects.info import ClassInfo


def dispatching(name: str, function: MatlabFunction) -> MatlabFunction:
    """Return `function`, unless an object among the arguments has a method called `name`."""

    def dispatcher(nargout: int, *args: Any) -> Any:
        info = deciding(name, args)
        if info is not None:
            return callable_of(info.methods[name], info)(nargout, *args)
        rule = function_of(name, args)
        return (rule or function)(nargout, *args)

    for attribute in ("__matlab__", "__matlab_class__"):
        if hasattr(function, attribute):
            setattr(dispatcher, attribute, getattr(function, attribute))
    return dispatcher


def class_member(info: ClassInfo, names: list[str]) -> MatlabFunction:
    """``Name.member.field``: a static method, a Constant property or an enumeration member."""
    first, *rest = names

    def member(nargout: int, *args: Any) -> Any:
        found = static_member(info, first)
        if found is None:
            raise _no_member(info, first)
        if not rest:
            return found(nargout, *args)
        value = found(1)
        for name in rest[:-1]:
            value = field(value, name)
        last = _last(value, rest[-1])
        if not args:
            return last.fn(nargout) if isinstance(last, _Bound) else last
        return last.fn(nargout, *args) if isinstance(last, FunctionHandle) else index(last, args)

    return member


class _Bound(FunctionHandle):
    """A method of a value, which is called without parentheses too."""

    __slots__ = ()


def _last(value: Any, name: str) -> Any:
    method = value.method(name) if isinstance(value, Instance) else None
    return field(value, name) if method is None else _Bound(method, name)


def _no_member(info: ClassInfo, name: str) -> MatlabError:
    if name in info.properties:
        return MatlabError(
            "MATLAB:class:InvalidStaticProperty",
            f"The property '{name}' of class '{info.name}' is not Constant: it belongs to an "
            "object of the class.",
        )
    return MatlabError(
        "MATLAB:subscripting:classHasNoPropertyOrMethod",
        f"The class {info.name} has no Constant property or Static method named '{name}'.",
    )
