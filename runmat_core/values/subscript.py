"""MATLAB subscripts on column-major arrays: reading, writing with growth, deleting.

Works for every array-backed value, object arrays included. Subscripts are one-based MATLAB values
or `COLON`; `positions` resolves them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.base import COLON, Value
from runmat_core.values.buffers import grow, own, shrink
from runmat_core.values.positions import (
    EVERYTHING,
    Positions,
    Shape,
    Span,
    check_bound,
    count,
    furthest,
    listed,
    positions,
)


def trimmed(shape: Shape) -> Shape:
    """`shape` without trailing ones beyond the second extent."""
    n = len(shape)
    while n > 2 and shape[n - 1] == 1:
        n -= 1
    return shape[:n]


def is_vector(shape: Shape) -> bool:
    return len(shape) == 2 and 1 in shape


def folded(shape: Shape, subscripts: int) -> Shape:
    """`shape` as seen by a number of subscripts: trailing extents multiplied, or ones appended."""
    if subscripts < len(shape):
        return (*shape[: subscripts - 1], math.prod(shape[subscripts - 1 :]))
    return shape + (1,) * (subscripts - len(shape))


def linear(data: NDArray[Any]) -> NDArray[Any]:
    """Return the elements of a column-major array in order, as a view of one axis."""
    return data.ravel("F")


def at_most(shape: Shape, subs: Sequence[Any]) -> int:
    """At most how many elements subscripts select, from their sizes alone."""
    total = 1
    for axis, sub in enumerate(subs):
        if sub.__class__ is float:
            continue
        if sub is COLON:
            # the last one goes through all axes that are left
            last = axis == len(subs) - 1
            extents = shape[axis:] if last else shape[axis : axis + 1]
            total *= math.prod(extents)
        elif isinstance(sub, Value):
            total *= math.prod(sub.shape)
        elif isinstance(sub, tuple):  # `spans.Span`
            total *= sub[2]
    return total


def plain_key(shape: Shape, subs: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return the NumPy index of subscripts that are ``:``, numbers or ranges within `shape`.

    It selects a matrix where only numbers follow the first two subscripts. None where a subscript
    is anything else, and where there are more or fewer than axes.
    """
    if len(subs) != len(shape):
        return None
    key: list[Any] = []
    for sub, extent in zip(subs, shape, strict=True):
        if sub is COLON:
            key.append(EVERYTHING)
        elif sub.__class__ is float and 1.0 <= sub <= extent and sub.is_integer():
            place = int(sub)
            key.append(slice(place - 1, place))
        elif sub.__class__ is Span and sub.stop <= extent:
            key.append(sub.slice())
        else:
            return None
    axis = len(key) - 1
    while axis > 1 and subs[axis].__class__ is float:
        key[axis] = key[axis].start
        axis -= 1
    return tuple(key)


# -- reading -------------------------------------------------------------------------------------


def read(data: NDArray[Any], subs: Sequence[Any]) -> NDArray[Any]:
    """``v(subs...)``, column-major; a view of `data` where that takes no copy and selects all."""
    if len(subs) == 1:
        return _read_linear(data, subs[0])
    if not subs:
        return data
    key = plain_key(data.shape, subs)
    if key is not None:
        result: NDArray[Any] = data[key]
        if result.size != data.size:
            result = result.copy(order="F")
        return result.reshape(trimmed(result.shape), order="F") if result.ndim > 2 else result
    shape = data.shape if len(subs) == data.ndim else folded(data.shape, len(subs))
    where = []
    for axis, sub in enumerate(subs):
        selected, _ = positions(sub, axis)
        check_bound(selected, shape[axis], sub, axis)
        where.append(selected)
    if shape != data.shape:
        data = data.reshape(shape, order="F")
    result = _select(data, where)
    return result.reshape(trimmed(result.shape), order="F") if result.ndim > 2 else result


def _read_linear(data: NDArray[Any], sub: Any) -> NDArray[Any]:
    where, shape = positions(sub)
    flat = linear(data)
    if where is EVERYTHING:
        return flat.reshape((flat.size, 1))
    if where.__class__ is int:
        check_bound(where, flat.size, sub)
        return flat[where : where + 1].copy().reshape((1, 1))
    if where.__class__ is slice:
        check_bound(where, flat.size, sub)
        picked: NDArray[Any] = flat[where].copy()
        return picked.reshape(_shape_of(data.shape, shape), order="F")
    try:
        # in two thirds of the time that brackets take
        picked = flat.take(where)  # type: ignore[arg-type]
    except IndexError:
        check_bound(where, flat.size, sub)
        raise
    return picked.reshape(_shape_of(data.shape, shape), order="F")


def _shape_of(shape: Shape, given: Shape) -> Shape:
    """Return the size of what one subscript of the size `given` reads of an array of `shape`."""
    if is_vector(given) and is_vector(shape) and shape != (1, 1):
        count = math.prod(given)
        return (1, count) if shape[0] == 1 else (count, 1)
    return given


def _select(data: NDArray[Any], where: Sequence[Positions]) -> NDArray[Any]:
    """Return the outer product of `where`: slices first, then lists along their axes."""
    key = tuple([_as_slice(w) for w in where])
    result = data[key]
    if not any(isinstance(w, np.ndarray) for w in where) and result.size != data.size:
        return result.copy(order="F")
    for axis in range(len(where) - 1, -1, -1):
        if isinstance(where[axis], np.ndarray):
            result = result.take(where[axis], axis=axis)  # type: ignore[arg-type]
    if result.size == data.size and result.base is not None and result.flags.f_contiguous:
        return result
    return result.copy(order="F")


def _as_slice(where: Positions) -> slice:
    """One position or a range as a slice; everything where positions are listed."""
    if where.__class__ is int:
        return slice(where, where + 1)
    return where if where.__class__ is slice else EVERYTHING


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
        raise no_subscript()


def _write_linear(holder: Value, sub: Any, rhs: NDArray[Any], fill: Any) -> None:
    where, _ = positions(sub)
    size = holder.data.size
    if rhs.size != 1 and rhs.size != count(where, size):
        raise errors.assignment_count()
    needed = furthest(where)
    if needed > size:
        grow(holder, _grown_linear(holder.data.shape, needed), fill)
    else:
        own(holder)
    flat = linear(holder.data)
    flat[where] = rhs.item() if where.__class__ is int else linear(rhs)


def _grown_linear(shape: Shape, needed: int) -> Shape:
    if shape == (0, 0) or (len(shape) == 2 and shape[0] == 1):
        return (1, needed)
    if len(shape) == 2 and shape[1] == 1:
        return (needed, 1)
    raise ambiguous_growth()


def no_subscript() -> MatlabError:
    return MatlabError(
        "MATLAB:index:emptySubscript",
        "An indexing expression on the left side of an assignment must have at least one "
        "subscript.",
    )


def ambiguous_growth() -> MatlabError:
    return MatlabError(
        "MATLAB:indexed_matrix_cannot_be_resized",
        "Attempt to grow array along ambiguous dimension.",
    )


def _write_axes(holder: Value, subs: Sequence[Any], rhs: NDArray[Any], fill: Any) -> None:
    where = [positions(sub, axis)[0] for axis, sub in enumerate(subs)]
    old = holder.data.shape
    shape = folded(old, len(subs))
    extents = shape if any(old) or not rhs.size else _colon_extents(where, shape, rhs)
    counts = tuple(map(count, where, extents))
    if rhs.size != 1 and not fits(rhs.shape, counts):
        raise errors.assignment_size(counts, rhs.shape)
    if 0 in counts:
        return
    # `:` needs what it selects, which for a new array is the extent of the right side
    needed = tuple(map(max, extents, map(furthest, where)))
    if needed != shape:
        tail = old[len(subs) - 1 :] if len(subs) < len(old) else needed[-1:]
        if len(subs) < len(old) and needed[-1] != shape[-1]:
            raise ambiguous_growth()
        grow(holder, trimmed((*needed[:-1], *tail)), fill)
    else:
        own(holder)
    view = holder.data.reshape(needed, order="F")
    if rhs.size == 1:
        view[_outer(where, needed)] = rhs.reshape((1,) * len(counts))
    else:
        view[_outer(where, needed)] = rhs.reshape(counts, order="F")


def fits(given: Shape, selected: Shape) -> bool:
    """Return whether an array of a size may be assigned to what subscripts select.

    The sizes are the same up to axes of one, or both are empty.
    """
    if given == selected or [n for n in given if n != 1] == [n for n in selected if n != 1]:
        return True
    return given == (0, 0) and 0 in selected


def _outer(where: Sequence[Positions], shape: Shape) -> tuple[Any, ...]:
    """Return a NumPy index for the outer product of `where` that keeps every axis."""
    lists = sum(isinstance(w, np.ndarray) for w in where)
    if lists < 2:
        return tuple(slice(w, w + 1) if w.__class__ is int else w for w in where)
    return np.ix_(*(listed(w, n) for w, n in zip(where, shape, strict=True)))


def _colon_extents(where: Sequence[Positions], shape: Shape, rhs: NDArray[Any]) -> Shape:
    """Extents that ``:`` takes from the right side where the left side is an empty ``[]``."""
    # all but scalars pair off with the axes of the right side, in order
    wide = [axis for axis, w in enumerate(where) if count(w, 2) != 1]
    given = list(rhs.shape)
    if len(wide) != len(given):
        given = [n for n in given if n != 1]
    extents = list(shape)
    for axis, n in zip(wide, given + [1] * len(wide), strict=False):
        if where[axis] is EVERYTHING:
            extents[axis] = n
    return tuple(extents)


# -- deleting ------------------------------------------------------------------------------------


def remove(holder: Value, subs: Sequence[Any]) -> None:
    """``v(subs...) = []``: at most one subscript may leave anything of its extent."""
    if len(subs) == 1:
        _remove_linear(holder, subs[0])
        return
    if not subs:
        raise no_subscript()
    shape = folded(holder.data.shape, len(subs))
    where = [positions(sub, axis)[0] for axis, sub in enumerate(subs)]
    if any(isinstance(w, np.ndarray) and not w.size for w in where):
        return
    if any(furthest(w) > n for w, n in zip(where, shape, strict=True)):
        raise out_of_range()
    partial = [axis for axis, w in enumerate(where) if not _covers(w, shape[axis])]
    if len(partial) > 1:
        raise MatlabError(
            "MATLAB:subsdeldimmismatch", "A null assignment can have only one non-colon index."
        )
    axis = partial[0] if partial else _whole_axis(where)
    block = _block(where[axis], shape[axis])
    if block is not None and block[1] == shape[axis] and math.prod(shape[axis + 1 :]) == 1:
        shrink(holder, trimmed((*shape[:axis], block[0], *shape[axis + 1 :])))
        return
    kept = np.ones(shape[axis], np.bool_)
    kept[where[axis]] = False
    left = holder.data.reshape(shape, order="F").compress(kept, axis=axis)
    holder.data = left.reshape(trimmed(left.shape), order="F").copy(order="F")


def _block(where: Positions, extent: int) -> tuple[int, int] | None:
    """Return the half-open interval that positions are, in whatever order.

    Return None where they are none.
    """
    if where.__class__ is int:
        return where, where + 1
    if where is EVERYTHING:
        return 0, extent
    if where.__class__ is slice:
        return (where.start, where.stop) if where.step == 1 else None
    places: Any = where
    low, size = int(places.min()), places.size
    if int(places.max()) - low != size - 1:
        return None
    steps = places[1:] - places[:-1]
    return (low, low + size) if (steps == 1).all() or (steps == -1).all() else None


def _covers(where: Positions, extent: int) -> bool:
    if where.__class__ is int:
        return extent == 1
    if where.__class__ is slice:
        return count(where, extent) == extent
    return np.unique(where).size == extent  # type: ignore[arg-type]


def _whole_axis(where: Sequence[Positions]) -> int:
    """Which axis becomes empty when every subscript covers its extent: the first non-colon."""
    return next((axis for axis, w in enumerate(where) if w is not EVERYTHING), 0)


def _remove_linear(holder: Value, sub: Any) -> None:
    where, _ = positions(sub)
    shape, size = holder.data.shape, holder.data.size
    if where is EVERYTHING:
        holder.data = np.empty((0, 0), holder.data.dtype, order="F")
        return
    if isinstance(where, np.ndarray) and not where.size:
        return
    if furthest(where) > size:
        raise out_of_range()
    column = len(shape) == 2 and shape[1] == 1 and shape[0] != 1
    block = _block(where, size)
    if block is not None and block[1] == size and is_vector(shape):
        shrink(holder, (block[0], 1) if column else (1, block[0]))
        return
    flat = linear(holder.data)
    if block is not None:
        left = np.concatenate((flat[: block[0]], flat[block[1] :]))
    else:
        kept = np.ones(size, np.bool_)
        kept[where] = False
        left = flat[kept]
    holder.data = left.reshape((left.size, 1) if column else (1, left.size))


def out_of_range() -> MatlabError:
    return MatlabError("MATLAB:subsdeldimmismatch", "Matrix index is out of range for deletion.")
