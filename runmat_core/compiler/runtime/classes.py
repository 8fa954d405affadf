"""Calls of what a superclass has, from the methods of a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.objects.info import ClassInfo
from runmat_core.values.objects.making import initialised


def _superclass(info: ClassInfo, name: str) -> ClassInfo:
    found = info.ancestors.get(name)
    if found is None or found is info:
        raise MatlabError(
            "MATLAB:class:InvalidSuperClass",
            f"The specified superclass '{name}' is not a superclass of class '{info.name}'.",
        )
    return found


def super_constructor(info: ClassInfo, name: str) -> Callable[..., Any]:
    """Return what ``obj@Name(args)`` calls: gives the object after that class's constructor."""
    superclass = _superclass(info, name)
    return lambda nargout, obj, *args: initialised(superclass, obj, args)


def super_method(info: ClassInfo, method: str, name: str) -> Callable[..., Any]:
    """Return what ``method@Name(args)`` calls; a builtin where no superclass has such a method."""
    superclass = _superclass(info, name)
    found = superclass.methods.get(method)
    if found is not None and found.fn is not None:
        return found.fn
    builtin = info.host.builtin(method)
    if builtin is None or found is not None:
        raise errors.undefined_for(method, name)
    return builtin


HELPERS = {"super_constructor": super_constructor, "super_method": super_method}
