"""One subscript: which zero-based positions it selects.

The only place that turns one-based subscripts into positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.base import COLON, Value
from runmat_core.values.kept_positions import places_of

Shape = tuple[int, ...]
#: One position, everything or a range, or several positions.
Positions = int | slice | NDArray[np.intp]

EVERYTHING = slice(None)

#: Up to here Python's lists convert positions faster than NumPy's passes do.
_FEW = 24


class Span(NamedTuple):
    """So many places, two or more, at equal distances; `start` counts from zero.

    It stands for a range among the subscripts, whose numbers nobody else needs.
    """

    start: int
    step: int
    places: int

    @property
    def stop(self) -> int:
        """One past the largest place."""
        step = self.step
        return self.start + 1 + (step * (self.places - 1) if step > 0 else 0)

    def slice(self) -> slice:
        """Return the places as NumPy takes them."""
        start, step, places = self
        stop = start + step * places
        return slice(start, stop if stop >= 0 else None, step)


def positions(sub: Any, axis: int | None = None) -> tuple[Positions, Shape]:
    """Return what a subscript selects, and the shape it was given in.

    A logical subscript selects like ``find``: its shape is that of what ``find`` would return.

    Args:
        sub: a MATLAB value, COLON or a `Span`.
        axis: which of several subscripts it is, from zero; None for the only one.
    """
    if sub.__class__ is float:
        if sub.is_integer() and sub >= 1.0:
            return int(sub) - 1, (1, 1)
        raise bad(axis)
    if sub is COLON:
        return EVERYTHING, (0, 1)
    if sub.__class__ is Span:
        return sub.slice(), (1, sub.places)
    if sub.__class__ is bool:
        return (0, (1, 1)) if sub else (np.zeros(0, np.intp), (0, 0))
    if not isinstance(sub, Value):
        raise bad(axis)
    sub = sub.settle()
    if not isinstance(sub, Value):
        return positions(sub, axis)
    data: Any = getattr(sub, "data", None)
    if sub.class_name == "char" and sub.shape == (1, 1) and data[0, 0] == ord(":"):
        return EVERYTHING, (0, 1)
    if not isinstance(data, np.ndarray):
        full = getattr(sub, "full", None)
        if full is None:
            return _by_class(sub, axis)
        data = np.asfortranarray(full())
    if data.dtype.kind == "O":
        return _by_class(sub, axis)
    return _array_positions(data, axis)


def _by_class(sub: Value, axis: int | None) -> tuple[Positions, Shape]:
    """Return the positions from zero that the ``subsindex`` of an object's class gives.

    Raises:
        MatlabError: the class has no such method, or it gives no numbers.
    """
    method = getattr(sub, "method", None)
    own = None if method is None else method("subsindex")
    index = None if own is None else own(1)
    if isinstance(index, float):
        return positions(index + 1.0, axis)
    data = getattr(index, "data", None)
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fiu":
        raise unusable(sub)
    return _array_positions(data + np.asarray(1, data.dtype), axis)


def _array_positions(data: NDArray[Any], axis: int | None) -> tuple[Positions, Shape]:
    kind = data.dtype.kind
    if kind == "b":
        (found,) = data.ravel("F").nonzero()
        row = data.ndim == 2 and data.shape[0] == 1
        return found, (1, found.size) if row else (found.size, 1)
    flat = data.T.reshape(-1)
    if kind == "f":
        where = _few(flat.tolist(), axis) if flat.size <= _FEW else _many(data, axis)
    elif kind in "iu":
        where = flat.astype(np.intp) - 1
        if where.size and where.min() < 0:
            raise bad(axis)
    else:
        raise bad(axis)
    return where, data.shape


def _few(numbers: list[float], axis: int | None) -> NDArray[np.intp]:
    for number in numbers:
        if not (number.is_integer() and number >= 1.0):
            raise bad(axis)
    return np.array([int(number) - 1 for number in numbers], np.intp)


def _many(data: NDArray[Any], axis: int | None) -> NDArray[np.intp]:
    places = places_of(data)
    if places is None:
        raise bad(axis)
    return places.where


def count(where: Positions, extent: int) -> int:
    """How many positions are selected of `extent`."""
    if where.__class__ is int:
        return 1
    if where is EVERYTHING:
        return extent
    if where.__class__ is slice:
        return len(_range(where))
    return where.size  # type: ignore[union-attr]


def furthest(where: Positions) -> int:
    """One past the largest position, 0 for ``:`` and for none."""
    if where.__class__ is int:
        return where + 1
    if where is EVERYTHING:
        return 0
    if where.__class__ is slice:
        found = _range(where)
        return max(found[0], found[-1]) + 1
    return int(where.max()) + 1 if where.size else 0  # type: ignore[union-attr]


def _range(where: slice) -> range:
    """Return the positions of a range, which has two or more."""
    stop = -1 if where.stop is None else where.stop
    return range(where.start, stop, where.step)


def listed(where: Positions, extent: int) -> NDArray[np.intp]:
    """Return the selected positions of `extent` one by one."""
    if where.__class__ is slice:
        return np.arange(extent)[where] if where is EVERYTHING else np.array(_range(where))
    return np.array([where]) if where.__class__ is int else where  # type: ignore[return-value]


def check_bound(where: Positions, bound: int, sub: Any, axis: int | None = None) -> None:
    """Raise where a position is at or past `bound`."""
    if furthest(where) <= bound:
        return
    data = getattr(sub, "data", None)
    if isinstance(data, np.ndarray) and data.dtype.kind == "b":
        place = "" if axis is None else f" in position {axis + 1}"
        raise MatlabError(
            "MATLAB:badsubscript",
            f"The logical indices{place} contain a true value outside of the array bounds.",
        )
    if axis is None:
        raise errors.index_exceeds(bound)
    raise errors.index_exceeds_position(axis + 1, bound)


def bad(axis: int | None) -> MatlabError:
    """Return the error of a subscript that is no positive integer."""
    if axis is None:
        return errors.bad_index()
    return MatlabError(
        "MATLAB:badsubscript",
        f"Index in position {axis + 1} is invalid. Array indices must be positive integers or "
        "logical values.",
    )


def unusable(sub: Value) -> MatlabError:
    """Return the error of a subscript whose class selects nothing."""
    return MatlabError(
        "MATLAB:badsubscript", f"Unable to use a value of type {sub.class_name} as an index."
    )
