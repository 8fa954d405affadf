"""Objects of handle classes: whoever holds one holds the object itself."""

from __future__ import annotations

from typing import Any

from runmat_core.values.base import share
from runmat_core.values.object import HandleObject
from runmat_core.values.objects import members
from runmat_core.values.objects.info import PropertyInfo
from runmat_core.values.objects.instance import Instance
from runmat_core.values.objects.records import HandleRecord, invalid_handle


class HandleInstance(Instance, HandleObject):
    """An object, or an array of objects, of a handle class."""

    __slots__ = ()
    share = Instance.share

    def set_field(self, name: str, rhs: Any) -> Any:
        if isinstance(self.data, HandleRecord) and not self.data.is_valid:
            raise invalid_handle()
        return super().set_field(name, rhs)

    def store(self, prop: PropertyInfo, rhs: Any) -> None:
        record = self.data
        if not prop.observable:
            record[prop.name] = share(rhs)
            return
        from runmat_core.values.objects.events import observed

        observed(self, prop, rhs)

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        result = super().operator(name, operands)
        if result is NotImplemented and name in ("eq", "ne"):
            return members.same_handles(name, operands)
        if result is NotImplemented and name in ("lt", "le", "gt", "ge"):
            return members.ordered_handles(name, operands)
        return result
