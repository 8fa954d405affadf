"""Whether a value is what a test expects, and why not."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.values import (
    DTYPE,
    CellArray,
    SparseArray,
    StructArray,
    class_of,
    isequal,
    size_of,
    to_numpy,
)


@attrs.frozen
class Tolerance:
    """How far numbers may be off: by a number, or by a part of what is expected."""

    absolute: float = 0.0
    relative: float = 0.0

    @property
    def given(self) -> bool:
        return self.absolute > 0 or self.relative > 0


def size_text(value: Any) -> str:
    return "x".join(map(str, size_of(value)))


def mismatch(actual: Any, expected: Any, tolerance: Tolerance, at: str = "") -> str:
    """Why two values are not equal, empty where they are: class, size, then contents."""
    where = f" at {at}" if at else ""
    if class_of(actual) != class_of(expected):
        return (
            f"Classes do not match{where}: actual is '{class_of(actual)}', "
            f"expected is '{class_of(expected)}'."
        )
    if isinstance(actual, SparseArray) != isinstance(expected, SparseArray):
        return f"Sparsity does not match{where}."
    if size_of(actual) != size_of(expected):
        return (
            f"Sizes do not match{where}: actual is {size_text(actual)}, "
            f"expected is {size_text(expected)}."
        )
    if isinstance(actual, CellArray):
        pairs = zip(actual.items(), expected.items(), strict=True)
        found = (mismatch(a, e, tolerance, f"{at}{{{k}}}") for k, (a, e) in enumerate(pairs, 1))
        return next((text for text in found if text), "")
    if isinstance(actual, StructArray):
        return _records(actual, expected, tolerance, at)
    if class_of(actual) in DTYPE and tolerance.given:
        return _numbers(actual, expected, tolerance, where)
    if isequal(actual, expected, nan_equal=True):
        return ""
    return f"Values do not match{where}."


def _records(actual: StructArray, expected: StructArray, tolerance: Tolerance, at: str) -> str:
    names = set(actual.field_names())
    if names != set(expected.field_names()):
        return f"Field names do not match{f' at {at}' if at else ''}."
    for k, (a, e) in enumerate(zip(actual.records(), expected.records(), strict=True), 1):
        element = f"({k})" if actual.shape != (1, 1) else ""
        for name in actual.field_names():
            found = mismatch(a[name], e[name], tolerance, f"{at}{element}.{name}")
            if found:
                return found
    return ""


def _numbers(actual: Any, expected: Any, tolerance: Tolerance, where: str) -> str:
    a, e = (np.asarray(to_numpy(value)) for value in (actual, expected))
    if np.iscomplexobj(a) != np.iscomplexobj(e):
        return f"Complexity does not match{where}."
    kind = np.complex128 if np.iscomplexobj(a) else np.float64
    a, e = a.astype(kind), e.astype(kind)
    with np.errstate(all="ignore"):
        same = (a == e) | (np.isnan(a) & np.isnan(e))
        away = np.abs(a - e)
        near = (away <= tolerance.absolute) | (away <= tolerance.relative * np.abs(e))
    off = ~(same | (near & np.isfinite(e)))
    if not off.any():
        return ""
    most = float(np.nan_to_num(away[off], nan=np.inf).max())
    return f"Values are not within tolerance{where}: the largest difference is {most:g}."
