"""What builtins for numbers and dates mean of datetimes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import undefined_for
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.time.spans import to_cellstr, to_char, to_string
from runmat_core.values import from_numpy
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import PARTS

__all__ = ["to_cellstr", "to_char", "to_string"]


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
    """Return a row of six numbers for each element, or the six in outputs of their own."""
    parts = [value.part(name) for name in PARTS]
    if call.nargout > 1:
        return tuple(map(from_numpy, parts[: call.nargout]))
    return from_numpy(np.stack([part.ravel(order="F") for part in parts], axis=1))


@overload("double", "single", "floor", "ceil", "round", "fix", "mod", "rem")
def refused(call: Call, value: Any, *args: Any) -> Any:
    raise undefined_for(call.name, "datetime")
