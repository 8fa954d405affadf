"""How the builtins read their arguments, with the identifiers of the toolbox."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.arguments import Data, Reader, given

__all__ = [
    "Data",
    "given",
    "image",
    "integer",
    "like",
    "one_of",
    "real",
    "scalar",
]

_READ = Reader("images")
real = _READ.real
scalar = _READ.scalar
integer = _READ.integer
one_of = _READ.one_of


def image(value: Any, name: str) -> Data:
    """An image: real numbers or logicals, of any class."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "buif":
        raise _READ.error(name, "invalidImage", "An image must be real and numeric.")
    return value


def like(result: Data, a: Data) -> Data:
    """`result` in the class of `a`: integers rounded and saturated, logicals above one half."""
    if a.dtype.kind in "iu":
        info = np.iinfo(a.dtype)
        rounded = np.floor(np.abs(result) + 0.5) * np.sign(result)
        return np.asarray(np.clip(np.nan_to_num(rounded), info.min, info.max).astype(a.dtype))
    if a.dtype == np.bool_:
        return np.asarray(result > 0.5)
    return np.asarray(result, a.dtype)
