"""Properties of objects: what kinds of values there are, and how one is checked.

A table declares one property in each line: its name, the kind of its values, and its default. The
kind may list words in parentheses; the first of them is the default where no other is given. A name
that begins with ``!`` is read-only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import MatlabError
from runmat_core.api.objects import Handle
from runmat_plot.scene.colors import color

Numbers = NDArray[Any]


class Property(NamedTuple):
    """A property of a class of objects.

    Attributes:
        name: as ``get`` lists it.
        kind: a key of `CHECKS`.
        words: the words that a value may be.
        default: a Python value.
        read_only: whether ``set`` refuses it.
    """

    name: str
    kind: str
    words: tuple[str, ...]
    default: Any
    read_only: bool


class WrongValueError(Exception):
    """A value that a property does not take; the message says what it takes."""

    def __init__(self, message: str, identifier: str = "MATLAB:datatypes:InvalidValue") -> None:
        super().__init__(message)
        self.identifier = identifier


_LINE = re.compile(r"(!?)(\w+)\s+(\w+)(?:\((.*?)\))?(?:\s+(.*))?$")


@cache
def table(text: str) -> dict[str, Property]:
    """The properties that a table declares, by name in lower case."""
    found = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _LINE.match(line)
        assert match is not None, line
        read_only, name, kind, words, default = match.groups()
        listed = tuple(words.split()) if words else ()
        value = _default(kind, listed, default)
        found[name.lower()] = Property(name, kind, listed, value, bool(read_only))
    return found


def _default(kind: str, words: tuple[str, ...], written: str | None) -> Any:
    if written is None:
        if kind == "onoff":
            return "on"
        return words[0] if words else {"text": "", "strings": ""}.get(kind)
    if written == "''":
        return ""
    if kind in ("text", "strings", "choice", "onoff") or written in words:
        return written
    if kind == "any" and not written.replace("[]", "0").replace(" ", "").replace(".", "").isdigit():
        return written.strip("'")
    numbers = [float(part) for part in written.replace("[]", "").split()]
    if kind == "any" and len(numbers) == 1:
        return numbers[0]
    if kind in ("number", "positive", "alpha"):
        return numbers[0]
    return np.array([numbers]) if numbers else np.zeros((0, 0))


# -- checks: a Python value (`Interp.to_python`) in, what is stored out ----------------------------

Check = Callable[[Property, Any], Any]
CHECKS: dict[str, Check] = {}


def _kind(name: str) -> Callable[[Check], Check]:
    def mark(function: Check) -> Check:
        CHECKS[name] = function
        return function

    return mark


def as_numbers(value: Any) -> Numbers | None:
    """A numeric or logical value as an array of doubles with two axes; None for anything else."""
    if isinstance(value, bool | int | float | complex):
        return np.array([[value]], complex if isinstance(value, complex) else float)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        kept = value.dtype.kind in "c" or value.dtype == np.float64
        return value if kept else value.astype(float)
    if isinstance(value, list) and not value:
        return np.zeros((0, 0))
    return None


def _real(prop: Property, value: Any, what: str) -> Numbers:
    found = as_numbers(value)
    if found is None or found.dtype.kind == "c":
        raise WrongValueError(f"Value must be {what}.")
    return found


@_kind("number")
def _number(prop: Property, value: Any) -> Any:
    found = _real(prop, value, "a numeric scalar")
    if found.size != 1 or np.isnan(found.item()):
        raise WrongValueError("Value must be a numeric scalar.")
    return float(found.item())


@_kind("alpha")
def _alpha(prop: Property, value: Any) -> Any:
    """How opaque faces or edges are: a number, or a word for what their data says."""
    if isinstance(value, str):
        return _choice(prop, value)
    return _number(prop, value)


@_kind("positive")
def _positive(prop: Property, value: Any) -> Any:
    found = _real(prop, value, "a positive finite scalar")
    if found.size != 1 or not 0 < found.item() < np.inf:
        raise WrongValueError("Value must be a positive finite scalar.")
    return float(found.item())


@_kind("row")
def _row(prop: Property, value: Any) -> Any:
    found = _real(prop, value, "a vector of finite numbers")
    wanted = np.size(prop.default)
    if found.size != wanted or not np.all(np.isfinite(found)):
        raise WrongValueError(f"Value must be a {wanted}-element vector of finite numbers.")
    return found.reshape(1, -1)


@_kind("point")
def _point(prop: Property, value: Any) -> Any:
    """Two or three coordinates."""
    found = _real(prop, value, "a vector of two or three numbers")
    if found.size not in (2, 3):
        raise WrongValueError("Value must be a vector of two or three numbers.")
    return np.concatenate([found.ravel(), np.zeros(3 - found.size)]).reshape(1, -1)


@_kind("limits")
def _limits(prop: Property, value: Any) -> Any:
    found = as_numbers(_times(value))
    low_high = (
        None if found is None or found.size != 2 or found.dtype.kind == "c" else found.ravel()
    )
    if low_high is None or not low_high[0] < low_high[1]:
        raise WrongValueError(
            "Value must be a 1x2 vector of numeric type in which the second element is larger "
            "than the first and may be Inf.",
            "MATLAB:hg:shaped_arrays:LimitsWithInfsPredicate",
        )
    return low_high.reshape(1, 2)


@_kind("ticks")
def _ticks(prop: Property, value: Any) -> Any:
    found = as_numbers(_times(value))
    if found is None or (found.size and not np.all(np.diff(found.ravel()) > 0)):
        raise WrongValueError(
            "Value must be a vector of increasing values.",
            "MATLAB:hg:shaped_arrays:IncreasingPredicate",
        )
    return found.reshape(1, -1) if found.size else np.zeros((0, 0))


@_kind("vector")
def _vector(prop: Property, value: Any) -> Any:
    found = _real(prop, value, "a numeric vector")
    if found.size and max(found.shape) != found.size:
        raise WrongValueError("Value must be a numeric vector.")
    return found.reshape(1, -1) if found.size else np.zeros((0, 0))


@_kind("data")
def _data(prop: Property, value: Any) -> Any:
    found = as_numbers(_times(value))
    if found is None:
        raise WrongValueError("Value must be numeric, or an array of times or categories.")
    return found.real if found.dtype.kind == "c" else found


@_kind("cdata")
def _cdata(prop: Property, value: Any) -> Any:
    """Colours: numbers of any class, or an image."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "buif":
        return value
    return _data(prop, value)


@_kind("colormap")
def _colormap(prop: Property, value: Any) -> Any:
    found = _real(prop, value, "a matrix of three columns")
    if (
        found.ndim != 2
        or found.shape[1] != 3
        or not len(found)
        or found.min(initial=0) < 0
        or found.max(initial=0) > 1
    ):
        raise WrongValueError(
            "Value must be an m-by-3 matrix of numbers between 0 and 1.",
            "MATLAB:colormap:invalidInput",
        )
    return found


@_kind("color")
def _color(prop: Property, value: Any) -> Any:
    if isinstance(value, str):
        word = next((w for w in prop.words if w.lower() == value.lower()), None)
        if word is not None:
            return word
    found: Any = color(value)
    if found is None and prop.name == "Color" and isinstance(value, np.ndarray) and value.size == 4:
        # a fourth number says how opaque a line is
        parts = value.ravel()
        base = color(parts[:3]) if parts.dtype.kind in "biuf" else None
        found = (*base, float(parts[3])) if base is not None and 0 <= parts[3] <= 1 else None
    if found is None:
        names = ", ".join(f"'{name}'" for name in ("red", "green", "blue", "k", *prop.words))
        raise WrongValueError(
            "Invalid RGB triplet, hexadecimal code or name of a color. Specify a three-element "
            f"vector of values between 0 and 1, a code such as '#0072BD', or a name: {names}.",
            "MATLAB:datatypes:InvalidColor",
        )
    return np.array([found], float)


#: Words of former releases, and what they mean today.
_FORMER = {"phong": "gouraud"}


@_kind("choice")
def _choice(prop: Property, value: Any) -> Any:
    if isinstance(value, str):
        today = _FORMER.get(value.lower())
        if today in prop.words:
            return today
        exact = [w for w in prop.words if w.lower() == value.lower()]
        near = exact or [w for w in prop.words if value and w.lower().startswith(value.lower())]
        if len(near) == 1:
            return near[0]
        given = f"'{value}' is not a valid value. "
    else:
        given = ""
    raise WrongValueError(
        f"{given}Use one of these values: {' | '.join(repr(w) for w in prop.words)}.",
        "MATLAB:datatypes:InvalidEnumValueFor",
    )


@_kind("onoff")
def _onoff(prop: Property, value: Any) -> Any:
    if isinstance(value, str) and value.lower() in ("on", "off"):
        return value.lower()
    found = None if isinstance(value, str) else as_numbers(value)
    if found is None or found.size != 1:
        given = f"'{value}' is not a valid value. " if isinstance(value, str) else ""
        raise WrongValueError(
            f"{given}Use one of these values: 'on' | 'off'.", "MATLAB:datatypes:InvalidEnumValueFor"
        )
    return "on" if found.item() else "off"


@_kind("text")
def _text(prop: Property, value: Any) -> Any:
    if isinstance(value, str):
        return value
    if as_numbers(value) is not None and np.size(value) == 0:
        return ""
    raise WrongValueError("Value must be a character vector or a string scalar.")


def lines_of(value: Any) -> Any:
    """A text or a list of texts, which numbers may be, too; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = list(value.ravel(order="F"))
    if isinstance(value, list):
        made = [lines_of(item) for item in value]
        if any(item is None for item in made):
            return None
        return [one for item in made for one in (item if isinstance(item, list) else [item])]
    numbers = as_numbers(value)
    if numbers is None:
        return None
    texts = (
        [
            f"{number:.4f}".rstrip("0").rstrip(".") if number == number else "NaN"
            for number in numbers.ravel().tolist()
        ]
        if numbers.dtype.kind != "c"
        else []
    )
    return texts[0] if len(texts) == 1 else texts or ""


@_kind("strings")
def _strings(prop: Property, value: Any) -> Any:
    found = lines_of(value)
    if found is None:
        raise WrongValueError(
            "Value must be a character vector, a string, a cell array of them or a number."
        )
    return found


@_kind("node")
def _node(prop: Property, value: Any) -> Any:
    if isinstance(value, Handle):
        return value
    if isinstance(value, np.ndarray):
        if value.dtype == object and all(isinstance(item, Handle) for item in value.flat):
            return value
        if value.size == 0:
            return None
    raise WrongValueError("Value must be a handle.")


@_kind("any")
def _any(prop: Property, value: Any) -> Any:
    return value


def _times(value: Any) -> Any:
    """Points in time as days, spans as days; anything else as it is."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "mM":
        return days(value)
    if hasattr(value, "isoformat"):
        return float(days(np.array([[np.datetime64(value, "us")]])).item())
    if hasattr(value, "total_seconds"):
        return float(value.total_seconds()) / 86400
    return value


def days(value: Numbers) -> Numbers:
    """Dates as MATLAB's serial date numbers, spans as days; NaN where there is none."""
    missing = np.isnat(value)
    if value.dtype.kind == "M":
        value = value - np.datetime64("1970-01-01")
        offset = 719529.0
    else:
        offset = 0.0
    found = value.astype("m8[us]").astype(np.int64) / 86400e6 + offset
    return np.where(missing, np.nan, found)


def stored(prop: Property, value: Any, class_name: str) -> Any:
    """Return what a property keeps of a Python value.

    Raises:
        MatlabError: it does not take the value.
    """
    try:
        return CHECKS[prop.kind](prop, value)
    except WrongValueError as wrong:
        raise MatlabError(
            wrong.identifier,
            f"Error setting property '{prop.name}' of class '{class_name}': {wrong}",
        ) from None


def choices_text(prop: Property) -> str:
    """Return what ``set(h, NAME)`` shows of the words of a property."""
    words: Sequence[str] = ("on", "off") if prop.kind == "onoff" else prop.words
    return f"[ {' | '.join(words)} ]"
