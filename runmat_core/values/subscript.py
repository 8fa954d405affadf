"""MATLAB subscripts on column-major arrays: reading, writing with growth, deleting.

Works for every array-backed value, object arrays included. Subscripts are one-based MATLAB values
or `COLON`; they are resolved to zero-based positions here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.base import COLON, Value, is_sole_owner

Shape = tuple[int, ...]
#: What one subscript selects: everything, or zero-based positions.
Positions = slice | NDArray[np.intp]

EVERYTHING = slice(None)


def trimmed(shape: Shape) -> Shape:
    """`shape` without trailing ones beyond the second extent."""
    n = len(shape)
    while n > 2 and shape[n - 1] == 1:
        n -= 1
    return shape[:n]


def is_vector(shape: Shape) -> bool:
    return len(shape) == 2 and 1 in shape


# -- one subscript -------------------------------------------------------------------------------


def positions(sub: Any) -> tuple[Positions, Shape]:
    """The zero-based positions that a subscript selects, and the shape it was given in.

    A logical subscript selects like ``find``: its shape is that of what ``find`` would return.
    """
    if sub is COLON:
        return EVERYTHING, (0, 1)
    if sub.__class__ is float:
        k = int(sub) if sub - sub == 0 else 0
        if k != sub or k < 1:
            raise errors.bad_index()
        return np.array([k - 1], np.intp), (1, 1)
    if sub.__class__ is bool:
        return np.zeros(int(sub), np.intp), (int(sub), int(sub))
    if not isinstance(sub, Value):
        raise errors.bad_index()
    return _array_positions(sub)


def _array_positions(sub: Value) -> tuple[Positions, Shape]:
    if sub.class_name == "char" and sub.shape == (1, 1) and sub.data[0, 0] == ord(":"):
        return EVERYTHING, (0, 1)
    data = sub.data
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fiub":
        raise errors.bad_index()
    if data.dtype.kind == "b":
        found = np.flatnonzero(data.ravel(order="F"))
        row = data.ndim == 2 and data.shape[0] == 1
        return found, (1, found.size) if row else (found.size, 1)
    flat = data.ravel(order="F")
    if flat.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            whole = flat.astype(np.intp)
        if not (whole == flat).all():
            raise errors.bad_index()
    else:
        whole = flat.astype(np.intp)
    whole = whole - 1
    if whole.size and whole.min() < 0:
        raise errors.bad_index()
    return whole, data.shape


def _count(where: Positions, extent: int) -> int:
    return extent if isinstance(where, slice) else where.size


def _furthest(where: Positions) -> int:
    """One past the largest position, 0 for ``:`` and for none."""
    if isinstance(where, slice) or not where.size:
        return 0
    return int(where.max()) + 1


def folded(shape: Shape, count: int) -> Shape:
    """`shape` as seen by `count` subscripts: trailing extents multiplied, or ones appended."""
    if count < len(shape):
        return (*shape[: count - 1], math.prod(shape[count - 1 :]))
    return shape + (1,) * (count - len(shape))


# -- reading -------------------------------------------------------------------------------------


def read(data: NDArray[Any], subs: Sequence[Any]) -> NDArray[Any]:
    """``v(subs...)`` as a new column-major array."""
    if len(subs) == 1:
        return _read_linear(data, subs[0])
    if not subs:
        return data.copy(order="F")
    shape = folded(data.shape, len(subs))
    where = []
    for axis, sub in enumerate(subs):
        selected, _ = positions(sub)
        if _furthest(selected) > shape[axis]:
            raise errors.index_exceeds_position(axis + 1, shape[axis])
        where.append(selected)
    result = _select(data.reshape(shape, order="F"), where)
    return result.reshape(trimmed(result.shape), order="F")


def _read_linear(data: NDArray[Any], sub: Any) -> NDArray[Any]:
    where, shape = positions(sub)
    flat = data.ravel(order="F")
    if isinstance(where, slice):
        return flat.copy().reshape((flat.size, 1), order="F")
    if _furthest(where) > flat.size:
        raise errors.index_exceeds(flat.size)
    picked = flat[where]
    if is_vector(shape) and is_vector(data.shape) and data.size != 1:
        shape = (1, where.size) if data.shape[0] == 1 else (where.size, 1)
    return picked.reshape(shape, order="F")


def _select(data: NDArray[Any], where: Sequence[Positions]) -> NDArray[Any]:
    """The outer product of `where`, taken axis by axis so that slices stay slices."""
    result = data
    for axis in range(len(where) - 1, -1, -1):
        selected = where[axis]
        if not isinstance(selected, slice):
            result = np.take(result, selected, axis=axis)
    return np.array(result, order="F", copy=True)


# -- writing -------------------------------------------------------------------------------------


def write(holder: Value, subs: Sequence[Any], rhs: NDArray[Any], fill: Any) -> None:
    """``v(subs...) = rhs`` on ``holder.data``, in place when nothing else holds the buffer.

    `rhs` has the holder's element type or one that NumPy casts to it; one element fills the whole
    selection. Gaps that growth opens are set to `fill`. Nothing changes when an error is raised.
    """
    if len(subs) == 1:
        _write_linear(holder, subs[0], rhs, fill)
    elif subs:
        _write_axes(holder, subs, rhs, fill)
    else:
        raise MatlabError(
            "MATLAB:subsassignnotenough",
            "An indexing expression on the left side of an "
            "assignment must have at least one subscript.",
        )


def _write_linear(holder: Value, sub: Any, rhs: NDArray[Any], fill: Any) -> None:
    where, _ = positions(sub)
    data = holder.data
    size = data.size
    count = _count(where, size)
    if rhs.size not in (1, count):
        raise errors.assignment_count()
    needed = _furthest(where)
    shape = data.shape
    del data
    if needed > size:
        _reserve(holder, _grown_linear(shape, needed), fill)
    else:
        _own(holder)
    flat = holder.data.reshape(-1, order="F") if is_vector(shape) else holder.data.T.reshape(-1)
    flat[where] = rhs.ravel(order="F") if rhs.size != 1 else rhs.reshape(-1)[0]


def _grown_linear(shape: Shape, needed: int) -> Shape:
    if shape == (0, 0) or (len(shape) == 2 and shape[0] == 1):
        return (1, needed)
    if len(shape) == 2 and shape[1] == 1:
        return (needed, 1)
    raise MatlabError(
        "MATLAB:matrix:growAmbiguous", "Attempt to grow array along ambiguous dimension."
    )


def _write_axes(holder: Value, subs: Sequence[Any], rhs: NDArray[Any], fill: Any) -> None:
    where = [positions(sub)[0] for sub in subs]
    data_shape = holder.data.shape
    shape = folded(data_shape, len(subs))
    empty = 0 in data_shape
    extents = _colon_extents(where, shape, rhs) if empty else shape
    counts = tuple(_count(w, n) for w, n in zip(where, extents, strict=True))
    squeezed = tuple(n for n in rhs.shape if n != 1)
    if rhs.size != 1 and squeezed != tuple(n for n in counts if n != 1):
        raise errors.assignment_size(counts, rhs.shape)
    needed = tuple(
        max(n, _furthest(w) if not isinstance(w, slice) else e)
        for n, w, e in zip(shape, where, extents, strict=True)
    )
    if math.prod(counts) == 0:
        return
    if needed != shape:
        if len(subs) < len(data_shape) and needed[-1] != shape[-1]:
            raise errors.index_exceeds_position(len(subs), shape[-1])
        tail = data_shape[len(subs) - 1 :] if len(subs) < len(data_shape) else needed[-1:]
        _reserve(holder, trimmed((*needed[:-1], *tail)), fill)
    else:
        _own(holder)
    view = holder.data.reshape(folded(holder.data.shape, len(subs)), order="F")
    if all(isinstance(w, slice) or w.size == 1 for w in where):
        key: Any = tuple(w if isinstance(w, slice) else int(w[0]) for w in where)
        counts = tuple(n for n, w in zip(counts, where, strict=True) if isinstance(w, slice))
    else:
        key = np.ix_(
            *(
                np.arange(n) if isinstance(w, slice) else w
                for w, n in zip(where, view.shape, strict=True)
            )
        )
    view[key] = rhs.reshape(counts, order="F") if rhs.size != 1 else rhs.reshape(-1)[0]


def _colon_extents(where: Sequence[Positions], shape: Shape, rhs: NDArray[Any]) -> Shape:
    """Extents that ``:`` takes from the right side where the left side has none."""
    given = list(rhs.shape)
    if len(given) != len(where) or any(
        not isinstance(w, slice) and w.size != n for w, n in zip(where, given, strict=True)
    ):
        # the right side's own extents in order, past those that lists of subscripts use up
        rest = iter(n for n in rhs.shape if n != 1)
        given = [1 if not isinstance(w, slice) and w.size == 1 else next(rest, 1) for w in where]
    return tuple(
        given[k] if isinstance(w, slice) and not shape[k] else shape[k] for k, w in enumerate(where)
    )


# -- the buffer ----------------------------------------------------------------------------------


def _own(holder: Value) -> None:
    """Make the buffer the holder's own: copied when anything else holds it."""
    if not is_sole_owner(holder):
        holder.data = holder.data.copy(order="F")


def _reserve(holder: Value, shape: Shape, fill: Any) -> None:
    """Grow ``holder.data`` to `shape` (no extent shrinks), new elements set to `fill`.

    A vector that grows gets spare room, so that appending in a loop takes amortised constant time:
    `data` is then a view on the start of a larger one-dimensional base. Size and contents change in
    one store.
    """
    old = holder.data.shape
    if is_vector(shape) and (0 in old or is_vector(old)):
        _reserve_vector(holder, shape, fill)
        return
    grown = np.full(shape, fill, dtype=holder.data.dtype, order="F")
    if grown.dtype == object and not isinstance(fill, float | bool | str):
        _fill_objects(grown, fill)
    if 0 not in old:
        padded = old + (1,) * (len(shape) - len(old))
        grown[tuple(slice(n) for n in padded)] = holder.data.reshape(padded, order="F")
    holder.data = grown


def _fill_objects(array: NDArray[Any], fill: Any) -> None:
    # one assignment per element: NumPy would take array-like values apart
    flat = array.T.reshape(-1)
    for k in range(flat.size):
        flat[k] = fill


def _reserve_vector(holder: Value, shape: Shape, fill: Any) -> None:
    size, needed = holder.data.size, math.prod(shape)
    if is_sole_owner(holder):
        base = holder.data.base
        if base is not None and _starts(base, holder.data) and base.size >= needed:
            _put(base, size, needed, fill)
            holder.data = base[:needed].reshape(shape, order="F")
            return
    room = np.empty(max(needed + needed // 2, needed + 8), dtype=holder.data.dtype)
    room[:size] = holder.data.reshape(-1, order="F")
    _put(room, size, needed, fill)
    holder.data = room[:needed].reshape(shape, order="F")


def _starts(base: Any, data: NDArray[Any]) -> bool:
    """Whether `data` is the start of a one-dimensional `base` of its type."""
    return (
        isinstance(base, np.ndarray)
        and base.ndim == 1
        and base.dtype == data.dtype
        and base.ctypes.data == data.ctypes.data
    )


def _put(flat: NDArray[Any], start: int, stop: int, fill: Any) -> None:
    if flat.dtype == object:
        for k in range(start, stop):
            flat[k] = fill
    else:
        flat[start:stop] = fill


# -- deleting ------------------------------------------------------------------------------------


def remove(holder: Value, subs: Sequence[Any]) -> None:
    """``v(subs...) = []``: at most one subscript may leave anything of its extent."""
    data = holder.data
    if len(subs) == 1:
        _remove_linear(holder, subs[0])
        return
    shape = folded(data.shape, len(subs))
    where = [positions(sub)[0] for sub in subs]
    for axis, w in enumerate(where):
        if _furthest(w) > shape[axis]:
            raise errors.index_exceeds_position(axis + 1, shape[axis])
    partial = [axis for axis, w in enumerate(where) if not _covers(w, shape[axis])]
    if len(partial) > 1:
        if any(not _count(where[axis], shape[axis]) for axis in partial):
            return
        raise MatlabError(
            "MATLAB:subsdeldimmismatch", "A null assignment can have only one non-colon index."
        )
    axis = partial[0] if partial else _whole_axis(where)
    kept = np.delete(data.reshape(shape, order="F"), where[axis], axis=axis)
    holder.data = np.asfortranarray(kept.reshape(trimmed(kept.shape), order="F"))


def _covers(where: Positions, extent: int) -> bool:
    return isinstance(where, slice) or np.unique(where).size == extent


def _whole_axis(where: Sequence[Positions]) -> int:
    """The axis that becomes empty when every subscript covers its extent."""
    return next((axis for axis, w in enumerate(where) if not isinstance(w, slice)), 0)


def _remove_linear(holder: Value, sub: Any) -> None:
    data = holder.data
    where, _ = positions(sub)
    if isinstance(where, slice):
        holder.data = np.empty((0, 0), dtype=data.dtype, order="F")
        return
    if not where.size:
        return
    if _furthest(where) > data.size:
        raise errors.index_exceeds(data.size)
    kept = np.delete(data.reshape(-1, order="F"), where)
    column = data.ndim == 2 and data.shape[1] == 1 and data.shape[0] != 1
    holder.data = kept.reshape((kept.size, 1) if column else (1, kept.size), order="F")
