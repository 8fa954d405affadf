"""Structs: records of named fields, one or an array of them.

A 1x1 struct is a plain dict, because that is what nearly all structs are; other sizes are an object
array of dicts. All elements of an array have the same fields in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.base import (
    CommaList,
    Subscripts,
    Value,
    class_of,
    is_sole_owner,
    place_of,
    share,
)
from runmat_core.values.cell import empty_double, join, object_array, simple_assignment
from runmat_core.values.char import no_conversion

Record = dict[str, Any]
Records = NDArray[np.object_]


class StructArray(Value):
    """A struct array of any size.

    Attributes:
        data: the fields (1x1), or an object array of dicts.
        names: the fields of an array without elements; other sizes have them in their elements.
    """

    __slots__ = ("names",)
    data: Any  # a Record or Records; typed loosely, as each branch tells them apart
    names: tuple[str, ...]
    class_name = "struct"

    def __init__(self, data: Record | Records, names: Iterable[str] = ()) -> None:
        if not isinstance(data, dict):
            data = data.item() if data.shape == (1, 1) else np.asfortranarray(data)
        self.data = data
        self.names = tuple(names)

    def share(self) -> StructArray:
        twin = object.__new__(StructArray)
        twin.data = self.data
        twin.names = self.names
        return twin

    @property
    def shape(self) -> tuple[int, ...]:
        data = self.data
        return (1, 1) if isinstance(data, dict) else data.shape

    def field_names(self) -> tuple[str, ...]:
        """Return the names of the fields in their order."""
        data = self.data
        if isinstance(data, dict):
            return tuple(data)
        return tuple(data.item(0)) if data.size else self.names

    def records(self) -> list[Record]:
        """Return the elements in column-major order, each a dict that nobody may change."""
        data = self.data
        return [data] if isinstance(data, dict) else data.ravel(order="F").tolist()

    def array(self) -> Records:
        """Return the elements as an object array, which for a 1x1 struct is a new one."""
        data = self.data
        return object_array([data], (1, 1)) if isinstance(data, dict) else data

    def __repr__(self) -> str:
        data = self.data
        return f"StructArray({data if isinstance(data, dict) else data.tolist()!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> StructArray:
        place = place_of(self.shape, subs)
        if place is not None:
            data = self.data
            return StructArray(data if data.__class__ is dict else data.item(*place))
        return StructArray(subscript.read(self.array(), subs), self.field_names())

    def set_paren(self, subs: Subscripts, rhs: Any) -> StructArray:
        if not isinstance(rhs, StructArray):
            raise no_conversion("struct", class_of(rhs))
        names = self.field_names()
        given = rhs.field_names()
        if names != given:
            if not names and 0 in self.shape:
                names = given
            elif set(names) != set(given):
                raise MatlabError(
                    "MATLAB:heterogeneousStrucAssignment",
                    "Subscripted assignment between dissimilar structures.",
                )
        contents = rhs.array()
        if names != given:
            contents = object_array([ordered(r, names) for r in rhs.records()], contents.shape)
        self._as_array()
        try:
            subscript.write(self, subs, contents, blank_record(names))
        finally:
            self._settle(names)
        return self

    def del_paren(self, subs: Subscripts) -> StructArray:
        names = self.field_names()
        self._as_array()
        try:
            subscript.remove(self, subs)
        finally:
            self._settle(names)
        return self

    def field(self, name: str) -> Any:
        data = self.data
        if isinstance(data, dict):
            try:
                return share(data[name])
            except KeyError:
                raise errors.no_field(name) from None
        if name not in self.field_names():
            raise errors.no_field(name)
        return CommaList([share(record[name]) for record in self.records()])

    def set_field(self, name: str, rhs: Any) -> StructArray:
        self.sole_record(name)[name] = rhs
        return self

    # -- what nested assignment needs ------------------------------------------------------------

    def sole_record(self, name: str) -> Record:
        """Return the dict of the only element, for writing field `name`.

        It is copied first where another wrapper or array holds it. An empty array gets its first
        element, as in ``s = struct([]); s.a = 1``.
        """
        # no local variable may hold the dict while its references are counted
        if self.data.__class__ is dict:
            if getrefcount(self.data) > 2:
                self.data = dict(self.data)
            if name not in self.data:
                check_field_name(name)
        elif self.data.size:
            raise simple_assignment(self.data.size)
        else:
            check_field_name(name)
            self.data = blank_record(self.names)
        record: Record = self.data
        return record

    def element_record(self, place: tuple[int, ...]) -> Record:
        """Return the dict of the element at `place` (from zero) of an array, for writing."""
        if not is_sole_owner(self):
            self.data = self.data.copy(order="F")
        if getrefcount(self.data[place]) > 2:
            self.data[place] = dict(self.data[place])
        record: Record = self.data[place]
        return record

    def add_field(self, name: str) -> None:
        """Give every element of an array the field `name`, empty, unless it has it."""
        names = self.field_names()
        if name in names:
            return
        check_field_name(name)
        fresh = [{**record, name: empty_double()} for record in self.records()]
        self.names = (*names, name)
        self.data = object_array(fresh, self.shape)
        self._settle(self.names)

    def _as_array(self) -> None:
        if isinstance(self.data, dict):
            self.data = self.array()

    def _settle(self, names: tuple[str, ...]) -> None:
        """Go back to a dict where there is one element."""
        data = self.data
        self.names = names
        if not isinstance(data, dict) and data.shape == (1, 1):
            self.data = data.item()


#: Whether names of fields may start with an underscore: a session of the octave dialect says so.
UNDERSCORES: ContextVar[bool] = ContextVar("names that start with an underscore", default=False)


def blank_record(names: Iterable[str]) -> Record:
    """Return a record whose fields are all ``[]``."""
    return {name: empty_double() for name in names}


def check_field_name(name: str) -> None:
    """Raise MATLAB:AddField:InvalidFieldName unless `name` can be a field."""
    if not name.isidentifier() or (name[0] == "_" and not UNDERSCORES.get()):
        raise MatlabError("MATLAB:AddField:InvalidFieldName", f"Invalid field name: '{name}'.")


def is_underscored(name: str) -> bool:
    """Whether `name` starts with an underscore and can be a field here."""
    return name[:1] == "_" and name.isidentifier() and UNDERSCORES.get()


def one_output_expected(count: int) -> MatlabError:
    return MatlabError(
        "MATLAB:index:expected_one_output_from_expression",
        "Expected one output from a curly brace or dot indexing expression, but there were "
        f"{count} results.",
    )


def ordered(record: Record, names: Sequence[str]) -> Record:
    """`record` with its fields in the order of `names`."""
    return {name: record[name] for name in names}


def struct_array(
    records: Sequence[Record], shape: tuple[int, ...], names: Iterable[str] = ()
) -> StructArray:
    """Return a struct array of `records` in column-major order.

    `names` are its fields if it is empty.
    """
    return StructArray(object_array(records, shape), names)


def concat_structs(values: list[Any], axis: int) -> StructArray:
    """Return the concatenation along `axis` of structs; ``[]`` adds nothing.

    Raises:
        MatlabError: a value is no struct, the fields differ, or the sizes do not fit.
    """
    parts: list[Any] = []
    names: tuple[str, ...] | None = None
    for value in values:
        if not isinstance(value, StructArray):
            if 0 in getattr(value, "shape", (1,)):
                continue
            raise MatlabError(
                "MATLAB:UnableToConvert",
                f"The following error occurred converting from {class_of(value)} to struct:\n"
                f"Conversion to struct from {class_of(value)} is not possible.",
            )
        given = value.field_names()
        contents = value.array()
        if names is None or (not names and not any(p.size for p in parts)):
            names = given
        elif given != names and (given or contents.size):
            if set(given) != set(names):
                raise MatlabError(
                    "MATLAB:catenate:structFieldBad",
                    "Names of fields in structure arrays being concatenated do not match. "
                    "Concatenation of structure arrays requires that these arrays have the same "
                    "set of field names.",
                )
            contents = object_array([ordered(r, names) for r in value.records()], contents.shape)
        parts.append(contents)
    return StructArray(join(parts, axis), names or ())
