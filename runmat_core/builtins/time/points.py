"""What builtins for numbers and dates mean of datetimes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.time.spans import to_cellstr, to_char, to_string
from runmat_core.values import from_numpy, to_numpy
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import PARTS, Datetime
from runmat_core.values.time.duration import Duration

__all__ = ["to_cellstr", "to_char", "to_string"]


def _origin(value: Datetime) -> Any:
    """A time near the elements: differences from it are exact as doubles."""
    known = value.codes[np.isfinite(value.codes)]
    return known[0] if known.size else np.longdouble(0)


@overload("mean", "median")
def centre(call: Call, value: Any, *args: Any) -> Any:
    if not isinstance(value, Datetime):
        return NotImplemented
    origin = _origin(value)
    found = call.original(1, from_numpy((value.codes - origin).astype(np.float64)), *args)
    return value.with_codes(to_numpy(found).astype(np.longdouble) + origin)


@overload("std", "diff")
def spread(call: Call, value: Any, *args: Any) -> Any:
    """Functions whose result is a span."""
    if not isinstance(value, Datetime):
        return NotImplemented
    away = from_numpy((value.codes - _origin(value)).astype(np.float64))
    return Duration(to_numpy(call.original(1, away, *args)).astype(np.float64))


@overload("linspace")
def evenly(call: Call, first: Any, last: Any, *count: Any) -> Any:
    if not isinstance(first, Datetime):
        return NotImplemented
    stop = first.adopt(last)
    if first.codes.size != 1 or stop.codes.size != 1:
        raise MatlabError("MATLAB:linspace:scalarInputs", "Inputs must be scalars.")
    away = (stop.codes - first.codes).astype(np.float64)
    steps = to_numpy(call.original(1, 0.0, from_numpy(away), *count))
    return first.with_codes(first.codes.item() + steps.astype(np.longdouble))


@overload("isinf", "isfinite")
def finite(call: Call, value: Any) -> Any:
    return call.original(1, from_numpy(value.codes.astype(np.float64)))


@overload("datenum")
def serial(call: Call, value: Any) -> Any:
    return from_numpy(
        (value.local() / civil.DAY + civil.DATENUM_EPOCH).astype(np.float64), "double"
    )


@overload("datestr", "weekday")
def by_serial(call: Call, value: Any, *args: Any) -> Any:
    return call.original(call.nargout, serial(call, value), *args)


@overload("datevec")
def vectors(call: Call, value: Any) -> Any:
    """A row of six numbers for each element, or the six in outputs of their own."""
    parts = [value.part(name) for name in PARTS]
    if call.nargout > 1:
        return tuple(map(from_numpy, parts[: call.nargout]))
    return from_numpy(np.stack([part.ravel(order="F") for part in parts], axis=1))


@overload("sum", "cumsum", "abs", "double", "single", "isnan", "floor", "ceil", "round")
def refused(call: Call, value: Any, *args: Any) -> Any:
    raise undefined_for(call.name, "datetime")
