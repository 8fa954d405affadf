"""Who may read and write a property, and call a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.values.objects.info import Access, ClassInfo, MethodInfo, PropertyInfo


def allows(access: Access, owner: str, info: ClassInfo) -> bool:
    """Whether the running code may use a member of `info` that `owner` declares so."""
    if access == "public":
        return True
    running, _ = info.host.running()
    if running is None:
        return False
    if running.name == owner:
        return True
    if access == "protected":
        return running.is_a(owner) or info.ancestors[owner].is_a(running.name)
    return not isinstance(access, str) and any(running.is_a(name) for name in access)


def check_read(prop: PropertyInfo, info: ClassInfo) -> None:
    """Raise where the running code may not read a property."""
    if not allows(prop.get_access, prop.owner, info):
        raise MatlabError(
            "MATLAB:class:GetProhibited",
            f"You cannot get the '{prop.name}' property of '{info.name}'.",
        )


def check_write(prop: PropertyInfo, info: ClassInfo) -> None:
    """Raise where the running code may not write a property."""
    if prop.constant:
        raise read_only(prop.name, info.name, constant=True)
    if prop.dependent and prop.setter is None:
        raise MatlabError(
            "MATLAB:class:noSetMethod",
            f"In class '{prop.owner}', no set method is defined for Dependent property "
            f"'{prop.name}'. A Dependent property needs a set method to assign its value.",
        )
    if prop.set_access == "immutable":
        running, function = info.host.running()
        if running is not None and running.name == prop.owner and _constructs(running, function):
            return
        raise read_only(prop.name, info.name)
    if allows(prop.set_access, prop.owner, info):
        return
    raise read_only(prop.name, info.name)


def check_call(method: MethodInfo, info: ClassInfo) -> None:
    """Raise where the running code may not call a method."""
    if not allows(method.access, method.owner, info):
        raise MatlabError(
            "MATLAB:class:MethodRestricted",
            f"Cannot access method '{method.name}' in class '{info.name}'.",
        )


def callable_of(method: MethodInfo, info: ClassInfo) -> Callable[..., Any]:
    """Return the function of a method that the running code may call."""
    if method.name in info.own_private:
        running, _ = info.host.running()
        own = info.own_private[method.name]
        method = method if running is None else own.get(running.name, method)
    if method.access != "public":
        check_call(method, info)
    if method.fn is None:
        raise MatlabError(
            "MATLAB:class:undefinedMethod",
            f"Method '{method.name}' of class '{info.name}' is declared and not defined.",
        )
    return method.fn


def read_only(name: str, class_name: str, constant: bool = False) -> MatlabError:
    why = "it is constant" if constant else "it is read-only"
    return MatlabError(
        "MATLAB:class:SetProhibited",
        f"Unable to set the '{name}' property of class '{class_name}' because {why}.",
    )


def _constructs(running: ClassInfo, function: str) -> bool:
    return function == running.name.rpartition(".")[2]
