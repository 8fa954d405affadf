"""``validateattributes`` and ``validatestring``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core import values as v
from runmat_core.api import MatlabError, builtin
from runmat_core.builtins.arguments import integer, nearest, scalar

Data = NDArray[Any]

_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("u", "") for bits in (8, 16, 32, 64))
_GROUPS = {
    "numeric": ("double", "single", *_INTEGERS),
    "float": ("double", "single"),
    "integer": _INTEGERS,
}


def _steps(data: Data) -> Data:
    return np.diff(data.ravel(order="F"))


def _whole(data: Data) -> bool:
    return data.dtype.kind in "iub" or bool(np.all(np.isfinite(data) & (data == np.floor(data))))


#: Attributes without a parameter: the test of the data, the end of the message, the identifier.
_PLAIN: dict[str, tuple[Callable[[Data], bool], str, str]] = {
    "2d": (lambda a: a.ndim == 2, "to be two-dimensional", "expected2D"),
    "3d": (lambda a: a.ndim <= 3, "to be three-dimensional", "expected3D"),
    "column": (lambda a: a.ndim == 2 and a.shape[1] == 1, "to be a column", "expectedColumn"),
    "row": (lambda a: a.ndim == 2 and a.shape[0] == 1, "to be a row", "expectedRow"),
    "scalar": (lambda a: a.size == 1, "to be a scalar", "expectedScalar"),
    "vector": (lambda a: a.ndim == 2 and 1 in a.shape, "to be a vector", "expectedVector"),
    "square": (
        lambda a: a.ndim == 2 and len({*a.shape}) == 1,
        "to be square",
        "expectedSquare",
    ),
    "diag": (
        lambda a: a.ndim == 2 and not np.any(np.tril(a, -1) != 0) and not np.any(np.triu(a, 1)),
        "to be diagonal",
        "expectedDiag",
    ),
    "nonempty": (lambda a: a.size > 0, "to be nonempty", "expectedNonempty"),
    "even": (lambda a: _whole(a) and bool(np.all(a % 2 == 0)), "to be even", "expectedEven"),
    "odd": (lambda a: _whole(a) and bool(np.all(a % 2 == 1)), "to be odd", "expectedOdd"),
    "integer": (_whole, "to be integer-valued", "expectedInteger"),
    "real": (lambda a: a.dtype.kind != "c", "to be real", "expectedReal"),
    "binary": (lambda a: bool(np.all((a == 0) | (a == 1))), "to be binary", "expectedBinary"),
    "finite": (lambda a: bool(np.all(np.isfinite(a))), "to be finite", "expectedFinite"),
    "nonnan": (lambda a: not np.any(np.isnan(a)), "to be non-NaN", "expectedNonNaN"),
    "nonnegative": (lambda a: bool(np.all(a >= 0)), "to be nonnegative", "expectedNonnegative"),
    "nonzero": (lambda a: bool(np.all(a != 0)), "to be nonzero", "expectedNonZero"),
    "positive": (lambda a: bool(np.all(a > 0)), "to be positive", "expectedPositive"),
    "decreasing": (
        lambda a: bool(np.all(_steps(a) < 0)),
        "to be decreasing valued",
        "expectedDecreasing",
    ),
    "increasing": (
        lambda a: bool(np.all(_steps(a) > 0)),
        "to be increasing valued",
        "expectedIncreasing",
    ),
    "nondecreasing": (
        lambda a: bool(np.all(_steps(a) >= 0)),
        "to be nondecreasing valued",
        "expectedNonDecreasing",
    ),
    "nonincreasing": (
        lambda a: bool(np.all(_steps(a) <= 0)),
        "to be nonincreasing valued",
        "expectedNonIncreasing",
    ),
    "nonsparse": (lambda a: True, "to be nonsparse", "expectedNonsparse"),
}

#: Comparisons with a limit: the test, the words of the message, the identifier.
_LIMITS: dict[str, tuple[Callable[[Data, float], Any], str, str]] = {
    ">": (np.greater, "greater than", "notGreater"),
    ">=": (np.greater_equal, "greater than or equal to", "notGreaterEqual"),
    "<": (np.less, "less than", "notLess"),
    "<=": (np.less_equal, "less than or equal to", "notLessEqual"),
}

#: Attributes that ask for a count: what is counted, the words of the message, the identifier.
_COUNTS: dict[str, tuple[Callable[[Data], int], str, str]] = {
    "numel": (lambda a: a.size, "number of elements", "incorrectNumel"),
    "ncols": (lambda a: a.shape[1], "number of columns", "incorrectNumcols"),
    "nrows": (lambda a: a.shape[0], "number of rows", "incorrectNumrows"),
    "ndims": (lambda a: a.ndim, "number of dimensions", "incorrectNumdims"),
}


_WITH_VALUE = ("size", *_COUNTS, *_LIMITS)
#: Attributes that any value has: they are about its size.
_OF_SIZE = frozenset("2d 3d column row scalar vector square nonempty nonsparse".split())
#: Classes of which no other attribute holds.
_WITHOUT_NUMBERS = frozenset({"cell", "struct", "string", "function_handle"})


class _Naming:
    """How messages name the value, and what identifiers start with."""

    def __init__(self, function: Any = None, variable: Any = None, position: Any = None) -> None:
        if function is not None and not v.is_text(function):
            function, variable, position = None, None, function  # validateattributes(A, C, T, 2)
        self.function = v.text(function) if function is not None else ""
        name = v.text(variable) if variable is not None and v.is_text(variable) else ""
        if position is not None and v.numel_of(position):
            number = integer(position, "Position")
            self.subject = f"input number {number}, {name}," if name else f"input number {number}"
        else:
            self.subject = name or "input"

    def failure(self, identifier: str, expectation: str) -> MatlabError:
        scope = f"MATLAB:{self.function}:" if self.function.isidentifier() else "MATLAB:"
        return MatlabError(
            scope + identifier,
            f"Expected {self.subject} {expectation}.",
            raised_by=self.function or "validateattributes",
        )


@builtin("validateattributes", family="lang/inputs", nargin=(3, 6), nargout=0)
def validateattributes(value: Any, classes: Any, attributes: Any, *naming: Any) -> None:
    """Raise an error unless a value has one of some classes and all of some attributes.

    validateattributes(A, CLASSES, ATTRIBUTES) takes cell arrays, such as {'numeric'} and
    {'positive', 'numel', 3, '<=', 10}; a size may hold NaN for any extent.
    validateattributes(..., FUNCTION, VARIABLE, POSITION) says what messages name.

    Examples:
        >> validateattributes(5, {'numeric'}, {'positive', 'scalar'})
        >> try, validateattributes(-5, {'numeric'}, {'positive'})
        .. catch e, disp(e.message), end
        Expected input to be positive.

    See also: validatestring, inputParser, assert.
    """
    name = _Naming(*naming)
    _check_class(value, [v.text(c) for c in _cell(classes, "Classes")], name)
    data = _data(value)
    lacks_numbers = v.class_of(value) in _WITHOUT_NUMBERS
    wanted = _cell(attributes, "Attributes")
    while wanted:
        word = v.text(wanted.pop(0))
        key = word.lower()
        if key in _PLAIN:
            holds, expectation, identifier = _PLAIN[key]
            fits = not isinstance(value, v.SparseArray) if key == "nonsparse" else holds(data)
            fits = fits and not (lacks_numbers and key not in _OF_SIZE)
            if not fits:
                raise name.failure(identifier, expectation)
            continue
        if not wanted:
            raise _without_value(word) if key in _WITH_VALUE else _unknown(word)
        _check_parameter(key, data, wanted.pop(0), name)


def _check_parameter(key: str, data: Data, argument: Any, name: _Naming) -> None:
    """Check the attributes that take a parameter."""
    if key in _LIMITS:
        holds, words, identifier = _LIMITS[key]
        limit = scalar(argument, "Limit")
        if not bool(np.all(holds(data, limit))):
            many = "an array with all of the values" if data.size != 1 else "a scalar with value"
            raise name.failure(identifier, f"to be {many} {words} {limit:g}")
    elif key in _COUNTS:
        count, words, identifier = _COUNTS[key]
        wanted = scalar(argument, "Count")
        if count(data) != wanted:
            expectation = f"to be an array with {words} equal to {wanted:g}"
            raise name.failure(identifier, expectation)
    elif key == "size":
        extents = v.to_double(argument).ravel(order="F")
        actual = data.shape
        fits = len(extents) == len(actual) and all(
            np.isnan(w) or w == a for w, a in zip(extents, actual, strict=True)
        )
        if not fits:
            size = "x".join("N" if np.isnan(w) else f"{w:g}" for w in extents)
            here = "x".join(map(str, actual))
            raise name.failure("incorrectSize", f"to be of size {size}, but it is of size {here}")
    else:
        raise _unknown(key)


def _cell(value: Any, what: str) -> list[Any]:
    if isinstance(value, v.StringArray):
        return [v.char(line) for line in v.texts(value)]
    if not isinstance(value, v.CellArray):
        raise MatlabError("MATLAB:validateattributes:expectedCell", f"{what} must be a cell array.")
    return value.items()


def _check_class(value: Any, classes: list[str], name: _Naming) -> None:
    allowed = [c for wanted in classes for c in _GROUPS.get(wanted, (wanted,))]
    actual = v.class_of(value)
    inherits = isinstance(value, v.ObjectValue) and any(map(value.is_a, allowed))
    if allowed and actual not in allowed and not inherits:
        listing = ", ".join(dict.fromkeys(allowed))
        error = name.failure("invalidType", "to be one of these types")
        raise MatlabError(
            error.identifier,
            f"{error.message[:-1]}:\n\n{listing}\n\nInstead its type was {actual}.",
            raised_by=error.raised_by,
        )


def _data(value: Any) -> Data:
    """Return what attributes are tested on; of containers only the size counts."""
    if v.class_of(value) in ("cell", "struct", "string") or not _is_array(value):
        return np.ones(v.size_of(value))
    if isinstance(value, v.SparseArray):
        return np.asarray(value.data.toarray())
    return v.to_numpy(value)


def _is_array(value: Any) -> bool:
    return not isinstance(value, v.Value) or v.class_of(value) in (
        *_GROUPS["numeric"], "logical", "char"
    )  # fmt: skip


def _unknown(attribute: str) -> MatlabError:
    known = (*_PLAIN, *_WITH_VALUE)
    return MatlabError(
        "MATLAB:validateattributes:badattribute",
        f"'{attribute}' is not a known attribute.{nearest(attribute, known)}",
    )


def _without_value(attribute: str) -> MatlabError:
    return MatlabError(
        "MATLAB:validateattributes:badattribute",
        f"The attribute '{attribute}' must be followed by a value.",
    )


@builtin("validatestring", family="lang/inputs", nargin=(2, 5))
def validatestring(text: Any, choices: Any, *naming: Any) -> Any:
    """The one of some choices that text abbreviates, in whatever case.

    S = validatestring(TEXT, CHOICES), of the class of TEXT; where all that match begin with the
    shortest of them, this one is meant. The error when there is none, or more than one, names
    FUNCTION, VARIABLE and POSITION if they follow.

    Examples:
        >> validatestring('r', {'red', 'green'})
        ans =
            'red'

    See also: validateattributes, inputParser, strcmpi.
    """
    name = _Naming(*naming)
    options = v.texts(choices)
    if not v.is_text(text):
        raise _no_choice(name, options, "")
    wanted = v.text(text)
    found = [option for option in options if option.lower().startswith(wanted.lower())]
    exact = [option for option in found if option.lower() == wanted.lower()]
    if exact or len(found) == 1:
        return _like(text, (exact or found)[0])
    if not found:
        raise _no_choice(name, options, wanted)
    shortest = min(found, key=len)
    if all(option.lower().startswith(shortest.lower()) for option in found):
        return _like(text, shortest)
    error = name.failure("ambiguousStringChoice", "to match one of these values")
    raise MatlabError(
        error.identifier,
        f"{error.message[:-1]}:\n\n{_listing(options)}\n\nThe input, {wanted}, matched more than "
        "one valid value.",
        raised_by=error.raised_by,
    )


def _like(text: Any, word: str) -> Any:
    """Return a word as text of the class of the input."""
    return v.string(word) if v.class_of(text) == "string" else v.char(word)


def _no_choice(name: _Naming, options: list[str], wanted: str) -> MatlabError:
    error = name.failure("unrecognizedStringChoice", "to match one of these values")
    input_ = f"The input, '{wanted}'," if wanted else "The input"
    return MatlabError(
        error.identifier,
        f"{error.message[:-1]}:\n\n{_listing(options)}\n\n{input_} did not match any of the valid "
        "values.",
        raised_by=error.raised_by,
    )


def _listing(options: list[str]) -> str:
    return ", ".join(f"'{option}'" for option in options)
