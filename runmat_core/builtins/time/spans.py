"""What builtins for numbers mean of durations."""

from __future__ import annotations

from typing import Any

from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import from_numpy, is_text, text, to_numpy
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray, char_rows
from runmat_core.values.string import StringArray
from runmat_core.values.time.duration import UNIT, Duration, as_duration

#: The units of round and its like by the names that MATLAB gives them.
_ROUND_UNIT = {"seconds": "s", "minutes": "m", "hours": "h", "days": "d", "years": "y"}


@overload("floor", "ceil", "round", "fix")
def rounded(call: Call, value: Any, unit: Any = None) -> Any:
    """Spans in whole seconds, or in another unit."""
    name = "seconds" if unit is None else text(unit).lower()
    if name not in _ROUND_UNIT:
        raise MatlabError(
            f"MATLAB:duration:{call.name}:InvalidUnit",
            "Unit must be 'seconds', 'minutes', 'hours', 'days', or 'years'.",
        )
    size = UNIT[_ROUND_UNIT[name]]
    return value.with_codes(to_numpy(call.original(1, from_numpy(value.codes / size))) * size)


@overload("mod", "rem", anywhere=True)
def remainder(call: Call, a: Any, b: Any) -> Any:
    first = next(v for v in (a, b) if isinstance(v, Duration))
    x, y = as_duration(a, ""), as_duration(b, "")
    if x is None or y is None:
        return NotImplemented
    found = call.original(1, from_numpy(x.codes), from_numpy(y.codes))
    return first.with_codes(to_numpy(found))


@overload("string")
def to_string(call: Call, value: Any, form: Any = None) -> Any:
    return StringArray(_in_form(value, form).element_texts())


@overload("cellstr")
def to_cellstr(call: Call, value: Any, form: Any = None) -> Any:
    value = _in_form(value, form)
    return CellArray(object_array(map(CharArray, value.shown_texts()), value.shape))


@overload("char")
def to_char(call: Call, value: Any, *args: Any) -> Any:
    """Return a row for each element."""
    form = args[0] if args and is_text(args[0]) else None
    texts = _in_form(value, form).shown_texts()
    return CharArray(texts[0]) if len(texts) == 1 else char_rows(texts)


def _in_form(value: Any, form: Any) -> Any:
    return value if form is None else value.formatted(text(form))


@overload("double", "single", "datenum")
def refused(call: Call, value: Any) -> Any:
    """Spans are numbers in some unit alone: days(d), seconds(d)."""
    if call.name == "datenum":
        return from_numpy(value.codes / UNIT["d"])
    raise undefined_for(call.name, value.class_name)
