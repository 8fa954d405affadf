"""Chains of subscripts that a class takes as a whole: its own ``subsref`` and ``subsasgn``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runmat_core.values.base import COLON, Subscripts, share
from runmat_core.values.cell import cell_row, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import end_of, size_of
from runmat_core.values.object import FieldNumber, ObjectValue
from runmat_core.values.struct import StructArray

Step = tuple[str, Any]


def levels(path: Sequence[Step]) -> StructArray:
    """Return a path as ``subsref`` and ``subsasgn`` take it: a struct with type and subs."""
    return StructArray(object_array([_level(*step) for step in path], (1, len(path))))


def _level(kind: str, key: Any) -> dict[str, Any]:
    if kind == ".":
        return {
            "type": CharArray("."),
            "subs": key.number if key.__class__ is FieldNumber else CharArray(key),
        }
    subs = [CharArray(":") if sub is COLON else share(sub) for sub in key]
    return {"type": CharArray(kind), "subs": cell_row(subs)}


class Chain(ObjectValue):
    """The beginning of a chain, which its last step hands to the class; no variable holds one.

    Attributes:
        data: the steps so far.
        obj: the object that they begin with.
        overloaded: its class's ``subsref``.
    """

    __slots__ = ("obj", "overloaded")
    data: tuple[Step, ...]
    class_name = "chain"

    def __init__(
        self, obj: Any, overloaded: Callable[..., Any], steps: tuple[Step, ...] = ()
    ) -> None:
        self.data = steps
        self.obj = obj
        self.overloaded = overloaded

    def _ended(self, nargout: int, *steps: Step) -> Any:
        return self.overloaded(nargout, self.obj, levels((*self.data, *steps)))

    def longer(self, kind: str, key: Any) -> Chain:
        """Return the chain with a step more, which is not its last."""
        return Chain(self.obj, self.overloaded, (*self.data, (kind, key)))

    def chain(self) -> Chain:
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        return size_of(self._ended(1) if self.data else self.obj)

    def end_at(self, position: int, count: int) -> Any:
        return end_of(self._ended(1) if self.data else self.obj, position, count)

    def field(self, name: str) -> Any:
        return self._ended(1, (".", name))

    def paren(self, subs: Subscripts) -> Any:
        return self._ended(1, ("()", subs))

    def brace(self, subs: Subscripts) -> Any:
        return self._ended(1, ("{}", subs))

    def outputs(self, name: str, nargout: int) -> Any:
        return self._ended(nargout, (".", name))

    def member(self, name: str) -> Any:
        """Return what parentheses follow: the name and they are told together."""

        def called(nargout: int, *subs: Any) -> Any:
            return self._ended(nargout, (".", name), ("()", subs))

        return FunctionHandle(called, name)
