"""Operators of objects: the methods of their classes, and what holds without these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runmat_core.values import dispatch
from runmat_core.values.base import class_of
from runmat_core.values.objects import members, numbers
from runmat_core.values.objects.access import callable_of

if TYPE_CHECKING:
    from runmat_core.values.objects.instance import Instance

#: ``1 < obj`` comes as ``obj > 1``: a class that has only one of the two is asked that.
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def applied(obj: Instance, name: str, operands: tuple[Any, ...]) -> Any:
    """Return the operator `name` with an object among the operands.

    NotImplemented where there is none.
    """
    info = members.deciding(name.rstrip("_"), operands) or obj.info
    found = info.methods.get(name.rstrip("_"))
    if found is not None and found.fn is not None:
        return callable_of(found, info)(1, *operands)
    mirrored = info.methods.get(_MIRRORED.get(name, ""))
    if mirrored is not None and mirrored.fn is not None:
        return mirrored.fn(1, *reversed(operands))
    if name in ("transpose", "ctranspose"):
        return obj.with_data(obj.array().T)
    if info.is_number and not _names_members(operands):
        return getattr(dispatch, name)(*map(numbers.plain, operands))
    if name in ("eq", "ne") and info.is_enumeration:
        return members.same_members(name, operands)
    return NotImplemented


def _names_members(operands: tuple[Any, ...]) -> bool:
    """Whether members of an enumeration are compared with texts."""
    return any(class_of(value) in ("char", "string", "cell") for value in operands)
