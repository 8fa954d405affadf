"""Times, categories, strings, tables and maps as the properties that MAT files keep of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.files.mat_values import CorruptError, Unsupported, UnsupportedError
from runmat_core.builtins.files.mcos_maps import from_dictionary, from_map, to_dictionary, to_map
from runmat_core.builtins.files.mcos_texts import (
    from_categorical,
    from_string,
    to_categorical,
    to_string,
)
from runmat_core.values import (
    CellArray,
    CharArray,
    StructArray,
    class_of,
    from_numpy,
    text,
    texts,
    to_numpy,
    truth,
)
from runmat_core.values.cell import empty_cell, empty_double, object_array
from runmat_core.values.empty_objects import EmptyObjects
from runmat_core.values.tables.frame import DIMENSIONS, Frame, check_names, height_of
from runmat_core.values.tables.properties import named_rows
from runmat_core.values.tables.stepping import times_from
from runmat_core.values.tables.table import Table, row_name_cells
from runmat_core.values.tables.timetable import Timetable, timed
from runmat_core.values.time import civil
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

Properties = Mapping[str, Any]

#: Classes that are saved as one value, which is called ``any``.
BY_ONE_VALUE = frozenset(("string", "timetable"))
#: Rows without variables take no bytes in the file, so their number is bounded.
_MOST_ROWS = 1 << 20


def package_of(kind: str) -> tuple[str, str]:
    """Return the package and the name of a class."""
    package, _, name = kind.rpartition(".")
    return package, name


def content_of(value: Any) -> dict[str, Any]:
    """Return the properties of an object by name."""
    if isinstance(value, EmptyObjects):
        raise UnsupportedError(f"{class_of(value)} without elements")
    return _WRITERS[class_of(value)](value)


def value_of(kind: str, content: Properties) -> Any:
    """Return the object that properties belong to; `Unsupported` where there is no such value here.

    Raises:
        CorruptError: the properties are not those of such an object.
    """
    rule = _READERS.get(kind)
    if rule is None:
        return Unsupported(kind)
    try:
        return rule(content)
    except MatlabError:  # a time zone that is not known, say
        return Unsupported(kind)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as problem:
        raise CorruptError(f"a value of class {kind} is damaged: {problem}") from None


def _scalar_struct(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, StructArray) or value.shape != (1, 1):
        raise CorruptError("an object has no properties")
    record: Mapping[str, Any] = value.records()[0]
    return record


def _reals(value: Any) -> NDArray[np.float64]:
    data = to_numpy(value)
    if data.dtype.kind not in "fiu":
        raise CorruptError("numbers are missing")
    return data.astype(np.float64)


def _formatted(value: Any, content: Properties) -> Any:
    """Return a value in the format that is kept with it, if it is one that is known here."""
    try:
        return value.formatted(text(content["fmt"])) if "fmt" in content else value
    except MatlabError:
        return value


# -- times ---------------------------------------------------------------------------------------


def _from_datetime(value: Datetime) -> dict[str, Any]:
    whole = value.codes.astype(np.float64)
    with np.errstate(invalid="ignore"):
        rest = (value.codes - whole).astype(np.float64)
    rest[~np.isfinite(rest)] = 0
    data = np.asfortranarray(whole + 1j * rest if rest.any() else whole)
    if rest.any():
        data.real = whole  # NaN and infinite ones have no imaginary part
    found = {"data": from_numpy(data)}
    if value.meaning.form:
        found["fmt"] = CharArray(value.meaning.form)
    if value.zone:
        found["tz"] = CharArray(value.zone)
    return found


def _to_datetime(content: Properties) -> Datetime:
    data = to_numpy(content["data"]) if "data" in content else np.zeros((0, 0))
    codes = np.real(data).astype(np.longdouble) + np.imag(data).astype(np.longdouble)
    zone = text(content["tz"]) if "tz" in content else ""
    if zone:
        civil.zone_of(zone)
    made: Datetime = _formatted(Datetime(codes, "", zone), content)
    return made


def _from_duration(value: Duration) -> dict[str, Any]:
    return {"millis": from_numpy(value.codes), "fmt": CharArray(value.form)}


def _to_duration(content: Properties) -> Duration:
    codes = _reals(content["millis"]) if "millis" in content else np.zeros((1, 1))
    made: Duration = _formatted(Duration(codes), content)
    return made


def _from_calendar(value: CalendarDuration) -> dict[str, Any]:
    months, days, millis = (from_numpy(np.asfortranarray(part)) for part in value.fields())
    parts = StructArray({"months": months, "days": days, "millis": millis})
    return {"components": parts, "fmt": CharArray(value.data[1])}


def _to_calendar(content: Properties) -> CalendarDuration:
    sizes: list[Any] = [np.zeros((0, 0))]
    if "components" in content:
        parts = _scalar_struct(content["components"])
        sizes = [_reals(parts[name]) for name in ("months", "days", "millis")]
    made: CalendarDuration = _formatted(CalendarDuration.of(*sizes), content)
    return made


# -- tables --------------------------------------------------------------------------------------


def _words(names: Any) -> CellArray:
    items = [CharArray(name) for name in names]
    return CellArray(object_array(items, (1, len(items))))


def _notes(frame: Frame, name: str) -> CellArray:
    said = frame.notes.get(name, {})
    return _words(said.get(n, "") for n in frame.names) if said else empty_cell((0, 0))


def _columns(frame: Frame) -> CellArray:
    return CellArray(object_array(frame.columns.values(), (1, len(frame.columns))))


def _nothing() -> StructArray:
    return StructArray({})


def _from_table(value: Table) -> dict[str, Any]:
    frame = value.data
    told = {
        "useVariableNamesOriginal": False,
        "useDimensionNamesOriginal": False,
        "CustomProps": _nothing(),
        "VariableCustomProps": _nothing(),
        "versionSavedFrom": 4.0,
        "minCompatibleVersion": 1.0,
        "incompatibilityMsg": CharArray(""),
        "VersionSavedFrom": 4.0,
        "Description": CharArray(frame.description),
        "VariableNamesOriginal": empty_cell((0, 0)),
        "DimensionNames": _words(frame.dimensions),
        "DimensionNamesOriginal": empty_cell((0, 0)),
        "UserData": frame.user_data,
        "VariableDescriptions": _notes(frame, "VariableDescriptions"),
        "VariableUnits": _notes(frame, "VariableUnits"),
        "VariableContinuity": _notes(frame, "VariableContinuity"),
    }
    return {
        "data": _columns(frame),
        "ndims": 2.0,
        "nrows": float(frame.height),
        "rownames": row_name_cells(frame),
        "nvars": float(len(frame.columns)),
        "varnames": _words(frame.names),
        "props": StructArray(told),
    }


def _from_timetable(value: Timetable) -> dict[str, Any]:
    frame = value.data
    told = {
        "Description": CharArray(frame.description),
        "UserData": frame.user_data,
        "TableCustomProperties": _nothing(),
    }
    found = {
        "CustomProps": _nothing(),
        "VariableCustomProps": _nothing(),
        "versionSavedFrom": 6.0,
        "minCompatibleVersion": 2.0,
        "incompatibilityMsg": CharArray(""),
        "arrayProps": StructArray(told),
        "data": _columns(frame),
        "numDims": 2.0,
        "useVarNamesOrig": False,
        "useDimNamesOrig": False,
        "dimNames": _words(frame.dimensions),
        "dimNamesOrig": empty_cell((0, 0)),
        "varNames": _words(frame.names),
        "varNamesOrig": empty_cell((0, 0)),
        "numRows": float(frame.height),
        "numVars": float(len(frame.columns)),
        "varDescriptions": _notes(frame, "VariableDescriptions"),
        "varUnits": _notes(frame, "VariableUnits"),
        "rowTimes": frame.row_times,
        "timeEvents": empty_double(),
        "varContinuity": _notes(frame, "VariableContinuity"),
    }
    return {"any": StructArray(found)}


def _frame(data: Any, names: list[str], rows: Any, noted: Mapping[str, Any]) -> Frame:
    """Return a frame of columns in a cell array, with what is said of them."""
    columns = data.items() if isinstance(data, CellArray) else []
    if len(columns) != len(names):
        raise CorruptError("a table has not as many variables as names")
    height = int(_reals(rows).item())
    if any(height_of(column) != height for column in columns):
        raise CorruptError("the variables of a table differ in height")
    if height < 0 or (not columns and height > _MOST_ROWS):
        raise CorruptError("a table without variables is too large")
    notes = {}
    for name, words in noted.items():
        if isinstance(words, CellArray) and words.data.size == len(names):
            notes[name] = dict(zip(names, texts(words), strict=True))
    pairs = zip(check_names(names), columns, strict=True)
    return Frame(dict(pairs), height, notes={k: v for k, v in notes.items() if v})


def _dimensions(value: Any, default: tuple[str, str]) -> tuple[str, str]:
    names = texts(value) if isinstance(value, CellArray) and value.data.size == 2 else default
    return (names[0], names[1])


def _to_table(content: Properties) -> Table:
    props = _scalar_struct(content["props"]) if "props" in content else {}
    noted = {
        n: props.get(n) for n in ("VariableDescriptions", "VariableUnits", "VariableContinuity")
    }
    names = texts(content["varnames"]) if "varnames" in content else []
    frame = _frame(content.get("data"), names, content.get("nrows", 0.0), noted)
    frame = attrs.evolve(
        frame,
        dimensions=_dimensions(props.get("DimensionNames"), DIMENSIONS),
        description=text(props["Description"]) if "Description" in props else "",
        user_data=props.get("UserData", empty_double()),
    )
    rows = content.get("rownames")
    if isinstance(rows, CellArray) and rows.data.size:
        frame = named_rows(frame, texts(rows))
    return Table(frame)


def _to_timetable(content: Properties) -> Timetable:
    said = _scalar_struct(content["any"])
    noted = {
        "VariableDescriptions": said.get("varDescriptions"),
        "VariableUnits": said.get("varUnits"),
        "VariableContinuity": said.get("varContinuity"),
    }
    frame = _frame(said.get("data"), texts(said["varNames"]), said["numRows"], noted)
    told = _scalar_struct(said["arrayProps"]) if "arrayProps" in said else {}
    times = said["rowTimes"]
    if isinstance(times, StructArray):
        regular = _scalar_struct(times)
        times = times_from(regular["origin"], _step(regular), frame.height)
    frame = attrs.evolve(
        frame,
        dimensions=_dimensions(said.get("dimNames"), ("Time", "Variables")),
        description=text(told["Description"]) if "Description" in told else "",
        user_data=told.get("UserData", empty_double()),
    )
    return Timetable(timed(frame, times))


def _step(regular: Mapping[str, Any]) -> Any:
    """Return the step of regular times, which are kept as a rate or as a span."""
    if truth(regular.get("specifiedAsRate", False)):
        return Duration([[1000.0 / float(_reals(regular["sampleRate"]).item())]], "s")
    return regular["stepSize"]


_Writer = Callable[[Any], dict[str, Any]]

_WRITERS: dict[str, _Writer] = {
    "datetime": _from_datetime,
    "duration": _from_duration,
    "calendarDuration": _from_calendar,
    "categorical": from_categorical,
    "string": from_string,
    "table": _from_table,
    "timetable": _from_timetable,
    "containers.Map": from_map,
    "dictionary": from_dictionary,
}

_READERS: dict[str, Callable[[Properties], Any]] = {
    "datetime": _to_datetime,
    "duration": _to_duration,
    "calendarDuration": _to_calendar,
    "categorical": to_categorical,
    "string": to_string,
    "table": _to_table,
    "timetable": _to_timetable,
    "containers.Map": to_map,
    "dictionary": to_dictionary,
}
