"""Times, categories, strings, tables and maps as the properties that MAT files keep of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.files.mat_values import CorruptError, Unsupported
from runmat_core.builtins.files.mcos_maps import from_dictionary, from_map, to_dictionary, to_map
from runmat_core.values import (
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    class_of,
    from_numpy,
    text,
    texts,
    to_numpy,
    truth,
)
from runmat_core.values.categorical import Categorical, Meaning
from runmat_core.values.cell import empty_cell, empty_double, object_array
from runmat_core.values.string import MISSING
from runmat_core.values.tables.frame import DIMENSIONS, Frame, check_names, height_of
from runmat_core.values.tables.properties import named_rows
from runmat_core.values.tables.stepping import times_from
from runmat_core.values.tables.table import Table, row_name_cells
from runmat_core.values.tables.timetable import Timetable, timed
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

Properties = Mapping[str, Any]

#: Classes that are saved as one value, which is called ``any``.
BY_ONE_VALUE = frozenset(("string", "timetable"))
_NO_STRING = 2**64 - 1
#: Rows without variables take no bytes in the file, so their number is bounded.
_MOST_ROWS = 1 << 20


def package_of(kind: str) -> tuple[str, str]:
    """The package and the name of a class."""
    package, _, name = kind.rpartition(".")
    return package, name


def content_of(value: Any) -> dict[str, Any]:
    """The properties of an object by name."""
    return _WRITERS[class_of(value)](value)


def value_of(kind: str, content: Properties) -> Any:
    """The object that properties belong to; `Unsupported` where there is no such class here.

    Raises:
        CorruptError: the properties are not those of such an object.
    """
    rule = _READERS.get(kind)
    if rule is None:
        return Unsupported(kind)
    try:
        return rule(content)
    except (MatlabError, KeyError, ValueError, TypeError, IndexError, AttributeError) as problem:
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


def _format(content: Properties, default: str) -> str:
    return text(content["fmt"]) if "fmt" in content else default


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
    made = Datetime(codes, "", zone)
    return made.formatted(_format(content, ""))


def _from_duration(value: Duration) -> dict[str, Any]:
    return {"millis": from_numpy(value.codes), "fmt": CharArray(value.form)}


def _to_duration(content: Properties) -> Duration:
    codes = _reals(content["millis"]) if "millis" in content else np.zeros((1, 1))
    return Duration(codes).formatted(_format(content, "hh:mm:ss"))


def _from_calendar(value: CalendarDuration) -> dict[str, Any]:
    months, days, millis = (from_numpy(np.asfortranarray(part)) for part in value.fields())
    parts = StructArray({"months": months, "days": days, "millis": millis})
    return {"components": parts, "fmt": CharArray(value.data[1])}


def _to_calendar(content: Properties) -> CalendarDuration:
    if "components" not in content:
        return CalendarDuration.of(np.zeros((0, 0))).formatted(_format(content, "ymdt"))
    parts = _scalar_struct(content["components"])
    sizes = [_reals(parts[name]) for name in ("months", "days", "millis")]
    return CalendarDuration.of(*sizes).formatted(_format(content, "ymdt"))


# -- texts and categories ------------------------------------------------------------------------


def _from_string(value: StringArray) -> dict[str, Any]:
    """A version, the size, the lengths, and all characters behind each other."""
    items = value.data.ravel(order="F").tolist()
    units = [_units(item) for item in items]
    lengths = [
        _NO_STRING if item is MISSING else len(unit) // 2
        for item, unit in zip(items, units, strict=True)
    ]
    packed = b"".join(units)
    packed += bytes(-len(packed) % 8)
    shape = value.data.shape
    head = np.array([1, len(shape), *shape, *lengths], np.uint64)
    words = np.concatenate([head, np.frombuffer(packed, "<u8").astype(np.uint64)])
    return {"any": from_numpy(words.reshape(1, -1))}


def _units(item: Any) -> bytes:
    return b"" if item is MISSING else str(item).encode("utf-16-le", "surrogatepass")


def _to_string(content: Properties) -> StringArray:
    words = to_numpy(content["any"])
    if words.dtype != np.uint64 or words.size < 3:
        raise CorruptError("a string is damaged")
    words = words.ravel(order="F")
    rank = int(words[1])
    shape = tuple(int(extent) for extent in words[2 : 2 + rank])
    count = 1
    for extent in shape:
        count *= extent
    if not 2 <= rank <= 64 or len(shape) != rank or count > words.size:
        raise CorruptError("a string is damaged")
    lengths = [int(n) for n in words[2 + rank : 2 + rank + count]]
    units = words[2 + rank + count :].astype("<u8").tobytes()
    items: list[Any] = []
    at = 0
    for length in lengths:
        if length == _NO_STRING:
            items.append(MISSING)
            continue
        end = at + 2 * length
        if end > len(units):
            raise CorruptError("a string is cut off")
        items.append(units[at:end].decode("utf-16-le", "surrogatepass"))
        at = end
    if len(items) != count:
        raise CorruptError("strings are missing")
    return StringArray(object_array(items, shape))


def _from_categorical(value: Categorical) -> dict[str, Any]:
    count = len(value.names)
    kind = next(k for k in (np.uint8, np.uint16, np.uint32) if count < np.iinfo(k).max)
    names = CellArray(object_array(map(CharArray, value.names), (count, 1)))
    return {
        "categoryNames": names,
        "codes": from_numpy(value.codes.astype(kind)),
        "isProtected": value.meaning.protected,
        "isOrdinal": value.meaning.ordinal,
    }


def _to_categorical(content: Properties) -> Categorical:
    names = texts(content["categoryNames"]) if "categoryNames" in content else []
    codes = to_numpy(content["codes"]) if "codes" in content else np.zeros((0, 0), np.uint8)
    if codes.dtype.kind not in "iu" or len(set(names)) != len(names):
        raise CorruptError("categories are damaged")
    if codes.size and not 0 <= int(codes.min()) <= int(codes.max()) <= len(names):
        raise CorruptError("an element is of no category")
    flags = [truth(content.get(name, False)) for name in ("isOrdinal", "isProtected")]
    return Categorical(codes, Meaning(tuple(names), *flags))


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
    """A frame of columns in a cell array, with what is said of them."""
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
    """The step of regular times, which are kept as a rate or as a span."""
    if truth(regular.get("specifiedAsRate", False)):
        return Duration([[1000.0 / float(_reals(regular["sampleRate"]).item())]], "s")
    return regular["stepSize"]


_Writer = Callable[[Any], dict[str, Any]]

_WRITERS: dict[str, _Writer] = {
    "datetime": _from_datetime,
    "duration": _from_duration,
    "calendarDuration": _from_calendar,
    "categorical": _from_categorical,
    "string": _from_string,
    "table": _from_table,
    "timetable": _from_timetable,
    "containers.Map": from_map,
    "dictionary": from_dictionary,
}

_READERS: dict[str, Callable[[Properties], Any]] = {
    "datetime": _to_datetime,
    "duration": _to_duration,
    "calendarDuration": _to_calendar,
    "categorical": _to_categorical,
    "string": _to_string,
    "table": _to_table,
    "timetable": _to_timetable,
    "containers.Map": to_map,
    "dictionary": to_dictionary,
}
