"""The text of records, for people."""

from __future__ import annotations

from typing import Any

import attrs


class Shown:
    """A base of classes of attrs: their text is put together when somebody asks for it.

    A method that is generated ahead takes a third of the time in which such a class is made, and
    every process that computes on a device makes thirty.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        kind: Any = type(self)
        fields = [f"{one.name}={getattr(self, one.name)!r}" for one in attrs.fields(kind)]
        return f"{kind.__qualname__}({', '.join(fields)})"
