"""The properties of one object.

A `Record` of a value class is copied when somebody else holds it too; that of a handle class, a
`HandleRecord`, is the object itself, and whoever has a handle shares it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.values.objects.info import ClassInfo


class Record(dict[str, Any]):
    """The stored properties of an object by name, with its class."""

    __slots__ = ("info",)

    def __init__(self, contents: Iterable[Any], info: ClassInfo) -> None:
        super().__init__(contents)
        self.info = info

    def twin(self) -> Record:
        """Return a record of its own with the same values."""
        return Record(self, self.info)


class HandleRecord(Record):
    """What all handles to one object share.

    Attributes:
        is_valid: whether it has not been deleted.
        listeners: what listens, in the order in which it was added.
    """

    __slots__ = ("__weakref__", "is_valid", "listeners")
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, contents: Iterable[Any], info: ClassInfo) -> None:
        super().__init__(contents, info)
        self.is_valid = True
        self.listeners: list[Any] = []

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def twin(self) -> Record:
        return self


class FinalRecord(HandleRecord):
    """The record of an object whose class has a ``delete`` method: it runs when nobody holds it."""

    __slots__ = ("is_leaving",)

    def __init__(self, contents: Iterable[Any], info: ClassInfo) -> None:
        super().__init__(contents, info)
        self.is_leaving = False

    def __del__(self) -> None:
        if self.is_valid:
            self.is_leaving = True
            self.info.host.destroy(self.info, self)


def invalid_handle() -> MatlabError:
    return MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")


def new_record(info: ClassInfo, contents: dict[str, Any]) -> Record:
    """Return the record of a new object of a class."""
    if not info.is_handle:
        return Record(contents, info)
    return (FinalRecord if info.destructors else HandleRecord)(contents, info)
