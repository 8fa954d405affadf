"""Arrays of any class whose elements are all the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import option, shape_from
from runmat_core.builtins.named import pairs
from runmat_core.values import (
    DTYPE,
    StructArray,
    Value,
    cell,
    char,
    class_of,
    from_numpy,
    is_text,
    numel_of,
    string,
    struct,
    text,
)

#: The functions that make one element where nothing is given, and what they are given.
_BLANK: dict[str, tuple[Any, ...]] = {"datetime": ("NaT",), "duration": ("duration", 0.0, 0.0, 0.0),
          "calendarDuration": ("calendarDuration", 0.0, 0.0, 0.0)}  # fmt: skip


@builtin("createArray", family="arrays/creation", nargin=(0, None), needs=("interp",))
def createArray(*args: Any, interp: Interp) -> Any:
    """Array of any class.

    A = createArray(N), createArray(M, N, …), createArray(SZ): zeros
    A = createArray(…, CLASSNAME) of the class's default elements: zero, false, empty cells, ""
    A = createArray(…, "Like", P) of the class of P, complex or sparse as P is
    A = createArray(…, "FillValue", V) with elements equal to V

    Examples:
        >> createArray(1, 3, "FillValue", 7)
        ans =
             7     7     7
        >> class(createArray(2, "int8"))
        ans =
            'int8'

    See also: zeros, cell, strings, repmat.
    """
    at = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    sizes, rest = list(args[:at]), list(args[at:])
    kind = ""
    if rest and option(rest[0]) not in ("like", "fillvalue"):
        kind = text(rest.pop(0))
    named, _ = pairs(rest, ("Like", "FillValue"), "createArray")
    if kind and "Like" in named:
        raise MatlabError(
            "MATLAB:createArray:ClassNameAndLike", "A class name and 'Like' exclude each other."
        )
    size = from_numpy(np.array([shape_from(sizes)], np.float64)) if sizes else 1.0
    like = named.get("Like")
    if like is not None and "FillValue" not in named and class_of(like) in DTYPE:
        name = "false" if class_of(like) == "logical" else "zeros"
        return _called(interp, name, size, char("like"), like)
    if like is not None:
        kind = class_of(like)
    value = named.get("FillValue")
    if value is None:
        value = _element(kind or "double", interp)
    elif numel_of(value) != 1:
        raise MatlabError("MATLAB:createArray:FillValueScalar", "The fill value must be a scalar.")
    elif kind and kind != class_of(value):
        value = _called(interp, kind, value)
    return _called(interp, "repmat", value, size)


def _called(interp: Interp, name: str, *args: Any) -> Any:
    function = interp.function(name)
    if function is None:
        raise MatlabError(
            "MATLAB:createArray:UndefinedClass", f"There is no class '{name}' to make arrays of."
        )
    return function(1, *args)


def _element(kind: str, interp: Interp) -> Value | float | bool | Any:
    """Return the default element of a class."""
    if kind in DTYPE:
        return from_numpy(np.zeros((1, 1), DTYPE[kind]))
    if kind == "char":
        return char("\0")
    if kind == "string":
        return string("")
    if kind == "cell":
        return cell([from_numpy(np.zeros((0, 0)))])
    if kind == "struct":
        blank: StructArray = struct({})
        return blank
    if kind == "categorical":
        return _called(interp, "categorical", from_numpy(np.full((1, 1), np.nan)))
    return _called(interp, *_BLANK.get(kind, (kind,)))
