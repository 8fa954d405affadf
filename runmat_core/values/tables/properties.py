"""The properties of a table: ``T.Properties``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.values.base import share
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.indexing import numel_of
from runmat_core.values.object import ObjectValue
from runmat_core.values.string import StringArray
from runmat_core.values.tables.frame import Frame, check_names, first_repeated
from runmat_core.values.text import text, texts

_TEXT = (CharArray, StringArray, CellArray)
_NOTES = ("VariableDescriptions", "VariableUnits", "VariableContinuity")


class TableProperties(ObjectValue):
    """What a table says of itself; its `data` is the table's frame."""

    __slots__ = ()
    class_name = "matlab.tabular.TableProperties"
    takes_paths = True
    properties: ClassVar[tuple[str, ...]] = (
        *("Description", "UserData", "DimensionNames", "VariableNames", *_NOTES, "RowNames"),
    )
    data: Frame

    def __init__(self, frame: Frame) -> None:
        self.data = frame

    def get_property(self, name: str) -> Any:
        frame = self.data
        if name == "Description":
            return CharArray(frame.description)
        if name == "UserData":
            return share(frame.user_data)
        if name == "DimensionNames":
            return _cells(frame.dimensions)
        if name == "VariableNames":
            return _cells(frame.names)
        if name == "RowNames":
            names = frame.row_names
            return CellArray(object_array(map(CharArray, names), (len(names), 1 if names else 0)))
        notes = frame.notes.get(name, {})
        if not notes:
            return CellArray(object_array([], (0, 0)))
        return _cells([notes.get(variable, "") for variable in frame.names])

    def writable(self, name: str) -> Any:
        """Return a property that is written in part next: of notes, one for each variable."""
        if name in _NOTES and not self.data.notes.get(name):
            return _cells([""] * len(self.data.columns))
        return super().writable(name)

    def set_property(self, name: str, rhs: Any) -> None:
        if name == "UserData":
            self.data = attrs.evolve(self.data, user_data=rhs)
        elif name == "Description":
            self.data = attrs.evolve(self.data, description=text(rhs))
        elif name == "VariableNames":
            self.data = renamed(self.data, _words(name, rhs))
        elif name == "DimensionNames":
            first, second = self._fitting(name, rhs, 2)
            self.data = attrs.evolve(self.data, dimensions=(first, second))
        elif name == "RowNames":
            self.data = named_rows(self.data, _words(name, rhs))
        else:
            words = self._fitting(name, rhs, len(self.data.columns)) if numel_of(rhs) else []
            notes = dict(zip(self.data.names, words, strict=False))
            self.data = attrs.evolve(self.data, notes={**self.data.notes, name: notes})

    def _fitting(self, name: str, rhs: Any, count: int) -> list[str]:
        words = _words(name, rhs)
        if len(words) != count:
            raise MatlabError(
                f"MATLAB:table:IncorrectNumberOf{name}",
                f"The {name} property must contain {count} names.",
            )
        return words


def _cells(names: Sequence[str]) -> CellArray:
    return CellArray(object_array(map(CharArray, names), (1, len(names))))


def _words(name: str, value: Any) -> list[str]:
    if not isinstance(value, _TEXT):
        if numel_of(value) == 0:
            return []
        raise MatlabError(
            f"MATLAB:table:Invalid{name}",
            f"The {name} property must be a cell array of character vectors or a string array.",
        )
    return texts(value)


def renamed(frame: Frame, names: Sequence[str]) -> Frame:
    """Return a frame with other names of its variables.

    Raises:
        MatlabError: MATLAB:table:IncorrectNumberOfVarNames, or names that cannot be.
    """
    if len(names) != len(frame.columns):
        raise MatlabError(
            "MATLAB:table:IncorrectNumberOfVarNames",
            "The VariableNames property must contain one name for each variable in the table.",
        )
    new = check_names(names)
    change = dict(zip(frame.names, new, strict=True))
    notes = {
        kind: {change[name]: note for name, note in said.items() if name in change}
        for kind, said in frame.notes.items()
    }
    columns = dict(zip(new, frame.columns.values(), strict=True))
    return attrs.evolve(frame, columns=columns, notes=notes)


def named_rows(frame: Frame, names: Sequence[str]) -> Frame:
    """Return a frame with names for its rows; none at all takes them away.

    Raises:
        MatlabError: MATLAB:table:IncorrectNumberOfRowNames, MATLAB:table:DuplicateRowNames.
    """
    if names and len(names) != frame.height:
        raise MatlabError(
            "MATLAB:table:IncorrectNumberOfRowNames",
            "The RowNames property must contain one name for each row in the table.",
        )
    double = first_repeated(names)
    if double is not None:
        raise MatlabError(
            "MATLAB:table:DuplicateRowNames", f"Duplicate table row name: '{double}'."
        )
    return attrs.evolve(frame, row_names=tuple(names))
