"""Arrays of objects of a kind that Python describes: ``r(k)``, ``r.Name`` as a comma list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from runmat_core.api.errors import catenate_mismatch
from runmat_core.values import subscript
from runmat_core.values.base import CommaList
from runmat_core.values.object import ObjectValue

T = TypeVar("T")


class Row(ObjectValue, Generic[T]):
    """An array of objects.

    Attributes:
        data: an object array.
        hidden: properties that the display leaves out.
    """

    __slots__ = ()
    data: Any
    has_elements = True
    hidden: ClassVar[tuple[str, ...]] = ()

    def __init__(self, items: Sequence[T], axis: int = 1) -> None:
        made = np.empty(len(items), object)
        for at, item in enumerate(items):
            made[at] = item
        self.data = made.reshape((1, -1) if axis == 1 else (-1, 1))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.data.shape)

    def items(self) -> list[T]:
        return list(self.data.ravel(order="F"))

    def array(self) -> Any:
        return self.data

    def with_data(self, data: Any) -> Self:
        made = self.share()
        made.data = data
        return made

    def paren(self, subs: Any) -> Self:
        return self.with_data(subscript.read(self.data, subs))

    def set_paren(self, subs: Any, rhs: Any) -> Any:
        """``r(k) = x``: elements put in place, or added at the end."""
        if type(rhs) is not type(self):
            raise catenate_mismatch()
        subscript.write(self, subs, rhs.data, None)
        return self

    def del_paren(self, subs: Any) -> Any:
        subscript.remove(self, subs)
        return self

    def field(self, name: str) -> Any:
        if name not in self.properties and name not in self.hidden:
            return super().field(name)
        found = [self.property_of(item, name) for item in self.items()]
        return found[0] if len(found) == 1 else CommaList(found)

    def shown(self, name: str, fmt: Any) -> Any:
        """Return the parts of the display: values of one object, names of properties of several."""
        from runmat_core.values.display_containers import property_lines, property_text
        from runmat_core.values.display_matrix import Shown, size_text

        kind = self.class_name.rpartition(".")[2]
        if self.data.size == 1:
            header = f"  {kind} with properties:"
            shown = [(label, property_text(self.field(label), fmt)) for label in self.properties]
            lines = property_lines(shown)
        else:
            empty = "" if self.data.size else "empty "
            header = f"  {size_text(self.shape)} {empty}{kind} array with properties:"
            lines = "".join(f"    {label}\n" for label in self.properties)
        return Shown(lines + self.footer(fmt), header, is_object=True, disp_header=True)

    def footer(self, fmt: Any) -> str:
        """Return what the display says below the properties."""
        return ""

    def property_of(self, item: T, name: str) -> Any:
        """Return the property `name` of one of the objects."""
        raise NotImplementedError

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        """Return the rule of ``[a b]``."""
        return joined


def joined(values: list[Any], axis: int) -> Any:
    """Arrays one after the other; all must be of one class."""
    rows = [value for value in values if isinstance(value, Row)]
    if len({type(row) for row in rows}) != 1 or any(
        not isinstance(value, Row) and 0 not in getattr(value, "shape", (1, 1)) for value in values
    ):
        raise catenate_mismatch()
    kept = [row.data for row in rows if row.data.size] or [rows[0].data]
    return rows[0].with_data(np.concatenate(kept, axis=axis))
