"""Concatenation: ``[a, b; c, d]``.

The class of the result is that of the strongest element: cell, struct, string, char, sparse, the
leftmost integer class, single, double, logical.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.values.array import INTEGER_CLASSES, Array, cast_array, from_numpy, to_numpy, wrap
from runmat_core.values.base import Complex, Value, class_of
from runmat_core.values.classes import DOUBLE
from runmat_core.values.deferred import Deferred, all_settled
from runmat_core.values.hooks import HOOKS
from runmat_core.values.object import ObjectValue


def horzcat(*values: Any) -> Any:
    # the rows of ``[x; y]`` come here
    return concatenate(values, 1) if len(values) != 1 else _alone(values[0])


def vertcat(*values: Any) -> Any:
    return concatenate(values, 0)


def cat(dim: float, *values: Any) -> Any:
    """Concatenation along the one-based dimension `dim`."""
    return concatenate(values, int(dim) - 1)


def concatenate(values: Sequence[Any], axis: int) -> Any:
    """`values` joined along `axis` (from zero)."""
    if len(values) == 1:
        return _alone(values[0])
    if not values:
        return Array(np.zeros((0, 0), order="F"))
    kinds = set(map(type, values))
    if axis < 2:
        if kinds == _FLOAT:
            shape = (1, len(values)) if axis == 1 else (len(values), 1)
            return Array(np.array(values, np.float64).reshape(shape))
        if kinds <= _NUMBERS:
            line = _line(values, axis)
            if line is not None:
                return line
    if Deferred in kinds or (Array in kinds and any(map(_is_large, values))):
        joined = HOOKS.join(values, axis)
        if joined is not NotImplemented:
            return joined
        values = all_settled(values)
    plain = _doubles(values) if axis < 2 else None
    if plain is not None:
        try:
            return from_numpy(np.concatenate(plain, axis))
        except ValueError:
            raise errors.catenate_mismatch() from None
    container = _container(values)
    if container is not None:
        return container(list(values), axis)
    return from_numpy(_join_numbers(values, axis))


def _alone(value: Any) -> Any:
    return value.share() if isinstance(value, Value) else value


_COMPLEX = np.dtype(np.complex128)
_FLOAT = {float}
_NUMBERS = {float, Array}


def _line(values: Sequence[Any], axis: int) -> Array | None:
    """Small vectors of doubles and numbers, one behind the other; None where there are others."""
    count = 0
    for value in values:
        if value.__class__ is float:
            count += 1
            continue
        data = value.data
        if data.dtype is not DOUBLE or data.ndim != 2 or data.shape[1 - axis] != 1:
            return None
        count += data.size
    if not 1 < count < HOOKS.smallest:
        return None
    line = np.empty(count)
    at = 0
    for value in values:
        if value.__class__ is float:
            line[at] = value
            at += 1
        else:
            data = value.data
            line[at : at + data.size] = data.ravel()
            at += data.size
    return wrap(line.reshape((1, count) if axis else (count, 1)))


def _is_large(value: Any) -> bool:
    """Whether a value is an array as large as those that become pending."""
    return value.__class__ is Array and value.data.size >= HOOKS.smallest


def _doubles(values: Sequence[Any]) -> list[Any] | None:
    """Return the matrices of real or complex doubles that fit into rows or columns as they are.

    None for anything else.
    """
    parts = []
    for value in values:
        if value.__class__ is float or value.__class__ is Complex:
            parts.append(np.array([[value]]))
        elif (
            value.__class__ is Array
            and (value.data.dtype is DOUBLE or value.data.dtype is _COMPLEX)
            and value.data.ndim == 2
        ):
            if value.data.size:
                parts.append(value.data)
            elif value.data.shape != (0, 0):
                return None
        else:
            return None
    return parts or None


def _container(values: Sequence[Any]) -> Any:
    """Return the rule of the strongest class among `values`, or None for numbers."""
    found = None
    for value in values:
        if isinstance(value, ObjectValue):
            rule = getattr(value, "concatenation", None)
            if rule is not None and (found is None or value.stands_back):
                found = rule
    if found is not None:
        return found()
    classes = {class_of(v) for v in values}
    if "cell" in classes:
        from runmat_core.values.cell import concat_cells

        return concat_cells
    if "struct" in classes:
        from runmat_core.values.struct import concat_structs

        return concat_structs
    if "string" in classes:
        from runmat_core.values.string import concat_strings

        return concat_strings
    if "char" in classes:
        from runmat_core.values.char import concat_text

        return concat_text
    for value in values:
        rule = getattr(value, "concatenation", None)
        if rule is not None:
            return rule()
    if "function_handle" in classes:
        raise errors.MatlabError(
            "MATLAB:UnableToConvert",
            "Nonscalar arrays of function handles are not allowed; use cell arrays instead.",
        )
    return None


def _join_numbers(values: Sequence[Any], axis: int) -> Any:
    parts = [to_numpy(v) for v in values]
    cls = _numeric_class(values)
    # [] of any class adds nothing; other empties must fit
    kept = [p for p in parts if p.shape != (0, 0)] or parts[:1]
    kept = [p if p.dtype.kind == "c" and cls == "double" else cast_array(p, cls) for p in kept]
    rank = max(axis + 1, *(p.ndim for p in kept))
    kept = [p.reshape(p.shape + (1,) * (rank - p.ndim), order="F") for p in kept]
    if len({p.shape[:axis] + p.shape[axis + 1 :] for p in kept}) > 1:
        sized = [p for p in kept if not (p.ndim == 2 and 0 in p.shape and 1 in p.shape)]
        if len({p.shape[:axis] + p.shape[axis + 1 :] for p in sized}) != 1:
            raise errors.catenate_mismatch()
        kept = sized
    if len(kept) == 1:
        return kept[0].copy(order="F")
    extents = [p.shape[axis] for p in kept]
    shape = (*kept[0].shape[:axis], sum(extents), *kept[0].shape[axis + 1 :])
    result = np.empty(shape, np.result_type(*kept), order="F")
    np.concatenate(kept, axis, out=result)
    return result


def _numeric_class(values: Sequence[Any]) -> str:
    classes = [class_of(v) for v in values]
    for cls in classes:
        if cls in INTEGER_CLASSES:
            return cls
    if "single" in classes:
        return "single"
    return "double" if "double" in classes else "logical"
