"""What sorting and set functions compare by: keys whose order is the order of the elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.arrays.generic import array_of
from runmat_core.builtins.arrays.text_keys import text_keys
from runmat_core.builtins.text.support import plain_texts
from runmat_core.values import Array, class_of, text
from runmat_core.values.cell import object_array
from runmat_core.values.object import ObjectValue

Keys = NDArray[Any]

#: Arrays of fewer elements are sorted by the stable sort.
_FEW = 4096
#: Arrays of this many elements and more are sorted in parts, each of about so many elements that
#: the nearest caches hold it.
_MANY, _PART = 1 << 18, 1 << 14
#: The most parts: numbers of 16 bits are ordered by their digits, in two passes.
_DIGITS = 1 << 15
#: Elements that tell most arrays of fractions from those of whole numbers.
_LOOK = 64
#: Whole numbers below this are exact in doubles.
_WHOLE = 1 << 53
_TEXT_CLASSES = frozenset({"cell", "string"})


def is_text_array(value: Any) -> bool:
    """Whether the elements of a value are texts: a cell array of text or a string array."""
    if value.__class__ is Array:
        return False
    return class_of(value) in _TEXT_CLASSES


def keys_of(value: Any, name: str) -> Keys:
    """Return a key for each element of `value`: numbers, or ranks of texts or objects."""
    if isinstance(value, ObjectValue) and value.has_elements:
        from runmat_core.builtins.arrays.object_order import has_objects, object_keys

        if has_objects(value):
            return object_keys(value, name)
    return ranks(words(value, name)) if is_text_array(value) else numeric(value, name)


def words(value: Any, name: str) -> NDArray[Any]:
    """Return the texts of a string array, a cell array of text, or a char array as one text.

    Missing strings are None.
    """
    cls = class_of(value)
    if cls == "char":
        single = np.empty((1, 1), object)
        single[0, 0] = text(value)
        return single
    elements = array_of(value)
    contents = elements.ravel(order="F").tolist()
    if cls == "string":
        found: Sequence[str | None] = [e if isinstance(e, str) else None for e in contents]
    else:
        found = plain_texts(contents) or [_text_of(element, name) for element in contents]
    return object_array(found, elements.shape)


def _text_of(element: Any, name: str) -> str:
    if class_of(element) == "char":
        return text(element)
    raise MatlabError(
        f"MATLAB:{name}:InputClass",
        "Cell array input must be a cell array of character vectors.",
    )


def ranks(*arrays: NDArray[Any]) -> Any:
    """Ranks of texts among all texts of `arrays`; one array for each, missing ranks last and apart.

    A single array gives a single result. Ranks may have gaps.
    """
    lists = [a.ravel().tolist() for a in arrays]
    if len(arrays) == 1:
        keys = text_keys(lists[0])
        if keys is not None:
            return keys.reshape(arrays[0].shape)
    distinct = set().union(*lists)
    distinct.discard(None)
    rank: dict[Any, float] = dict(zip(sorted(distinct), map(float, count()), strict=False))
    rank[None] = np.nan
    found = [
        np.fromiter(map(rank.__getitem__, words), np.float64, len(words)).reshape(a.shape)
        for words, a in zip(lists, arrays, strict=True)
    ]
    return found[0] if len(found) == 1 else found


def places_in(
    wanted: NDArray[Any], known: NDArray[Any]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Whether each of the texts `wanted` is among `known`, and where first, from one; else zero.

    Missing texts are nowhere.
    """
    names = known.ravel(order="F").tolist()
    # of equal keys the last stays, which is the first place
    first: dict[Any, int] = dict(zip(reversed(names), range(len(names), 0, -1), strict=True))
    first.pop(None, None)
    words = wanted.ravel(order="F").tolist()
    at = np.fromiter([first.get(word, 0) for word in words], np.intp, len(words))
    return at > 0, at


def argsort(keys: Keys, axis: int, descending: bool = False, by: str = "auto") -> NDArray[np.intp]:
    """Stable order of keys along an axis; NaN counts as largest; complex by magnitude, phase."""
    if descending:
        forward = argsort(np.flip(keys, axis), axis, False, by)
        return np.flip(keys.shape[axis] - 1 - forward, axis)
    if keys.dtype.kind == "c" and by != "real":
        return np.lexsort((np.angle(keys), np.abs(keys)), axis=axis)
    if keys.dtype.kind == "c":
        return np.lexsort((keys.imag, keys.real), axis=axis)
    if by == "abs":
        return np.lexsort((np.where(keys < 0, 1, 0), np.abs(keys)), axis=axis)
    return _stable(keys, axis)


def _stable(keys: Keys, axis: int) -> NDArray[np.intp]:
    """Stable order along an axis.

    NumPy's unstable sorts use vector instructions and are several times as fast as its stable one,
    so equal elements are put in order afterwards.
    """
    if keys.dtype.kind not in "fiu" or keys.dtype.itemsize < 4 or keys.size < _FEW:
        return np.argsort(keys, axis=axis, kind="stable")
    if keys.shape[axis] == keys.size:
        flat = keys.ravel()
        found = _order_by_digits(flat)
        if found is None and keys.size >= _MANY:
            found = _order_by_parts(flat)
        if found is not None:
            return found.reshape(keys.shape)
    lines = np.moveaxis(keys, axis, -1)
    order = np.argsort(lines, axis=-1)
    ordered = np.take_along_axis(lines, order, -1)
    same = ordered[..., 1:] == ordered[..., :-1]
    if keys.dtype.kind == "f" and np.isnan(ordered[..., -1]).any():
        same |= np.isnan(ordered[..., :-1])
    if same.any():
        runs = np.zeros(order.shape, np.int64)
        np.cumsum(~same, axis=-1, out=runs[..., 1:])
        runs *= order.shape[-1]
        order += runs
        order.sort(axis=-1)
        order -= runs
    return np.moveaxis(order, -1, axis)


def _order_by_digits(keys: Keys) -> NDArray[np.intp] | None:
    """Stable order of whole numbers that lie within 32 bits; None for other numbers.

    NumPy orders numbers of 16 bits by their digits, in two passes.
    """
    if keys.dtype.kind == "f" and (keys[:_LOOK] != np.floor(keys[:_LOOK])).any():
        return None
    lowest, highest = keys.min(), keys.max()
    # also what is NaN or infinite has no place
    if not (abs(float(lowest)) < _WHOLE and abs(float(highest)) < _WHOLE):
        return None
    if int(highest) - int(lowest) >= 1 << 32:
        return None
    numbers = keys.astype(np.int64)
    if keys.dtype.kind == "f" and (numbers != keys).any():
        return None
    numbers -= int(lowest)
    order = np.argsort((numbers & 0xFFFF).astype(np.uint16), kind="stable")
    numbers >>= 16
    if numbers.any():
        order = order[np.argsort(numbers.astype(np.uint16)[order], kind="stable")]
    return order


def _order_by_parts(keys: Keys) -> NDArray[np.intp] | None:
    """Stable order of numbers that are spread over their range; None of others.

    The range is cut into equal parts. What lies in one part is brought together first, so that the
    rest of the work stays in the caches.
    """
    numbers = keys.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        lowest = numbers.min()
        scale = min(keys.size // _PART, _DIGITS) / (numbers.max() - lowest)
        # also what is NaN or infinite has no place
        if not 0 < scale < np.inf:
            return None
        # no step of it changes the order of two numbers
        parts = ((numbers - lowest) * scale).astype(np.uint16)
    sizes = np.bincount(parts)
    if sizes.max() > keys.size // 2:
        return None
    order = np.argsort(parts, kind="stable")
    gathered = keys[order]
    start = 0
    for size in sizes.tolist():
        stop = start + size
        if size > 1:
            order[start:stop] = order[start:stop][_stable(gathered[start:stop], 0)]
        start = stop
    return order


#: Up to so many elements Python's list tells sooner what they are.
_LISTED = 32


def sorted_values(keys: Keys, axis: int) -> Keys:
    """Real keys in order along an axis; NaN last, zeros of both signs in the order they had."""
    stable = keys.dtype.itemsize < 4
    if keys.dtype.kind == "f" and keys.size <= _LISTED:
        # Python's list tells sooner whether there is a zero at all
        stable = stable or 0.0 in keys.ravel("K").tolist()
    elif keys.dtype.kind == "f":
        zeros = keys[keys == 0]
        stable = stable or bool(zeros.size and np.signbit(zeros).any())
    found = keys.copy(order="K")
    found.sort(axis, "stable" if stable else None)
    return found


class Packing(NamedTuple):
    """Rows of whole numbers as one number each.

    Attributes:
        numbers: in the order of the rows.
        lowest: of each column.
        extents: one more than what the largest of each column is above its lowest.
    """

    numbers: NDArray[np.int64]
    lowest: list[int]
    extents: list[int]

    def rows(self, numbers: NDArray[np.int64], dtype: np.dtype[Any]) -> Keys:
        """Return the rows that numbers stand for."""
        found = np.empty((numbers.size, len(self.extents)), dtype, order="F")
        for column in reversed(range(len(self.extents))):
            numbers, digits = np.divmod(numbers, self.extents[column])
            found[:, column] = digits + self.lowest[column]
        return found


def packed(keys: Keys, columns: Sequence[int], descending: Sequence[bool]) -> Packing | None:
    """Return the rows of a matrix as numbers in the order of `columns`; None where they do not fit.

    Negative zeros do not, because no row would get them back.
    """
    if len(keys) < _FEW or not columns or keys.dtype.kind not in "fiu":
        return None
    numbers = np.zeros(len(keys), np.int64)
    limits, room = [], 1
    for column in columns:
        lowest, highest = keys[:, column].min(), keys[:, column].max()
        # also what is NaN or infinite has no place
        if not (abs(float(lowest)) < _WHOLE and abs(float(highest)) < _WHOLE):
            return None
        limits.append((int(lowest), int(highest)))
        room *= limits[-1][1] - limits[-1][0] + 1
        if room > _WHOLE:
            return None
    extents = [high - low + 1 for low, high in limits]
    for column, (low, high), extent, down in zip(columns, limits, extents, descending, strict=True):
        given = keys[:, column]
        digits = given.astype(np.int64)
        if keys.dtype.kind == "f" and (
            (digits != given).any() or (low <= 0 and np.signbit(given[digits == 0]).any())
        ):
            return None
        numbers *= extent
        numbers += high - digits if down else digits - low
    return Packing(numbers, [low for low, _ in limits], extents)


def sort_rows(keys: Keys, columns: Sequence[int], descending: Sequence[bool]) -> NDArray[np.intp]:
    """Stable order of the rows of `keys` by `columns`, the first of them deciding first."""
    packing = packed(keys, columns, descending)
    if packing is not None:
        return _stable(packing.numbers, 0)
    order = np.arange(keys.shape[0])
    for column, down in reversed(list(zip(columns, descending, strict=True))):
        order = order[argsort(keys[order, column], 0, down)]
    return order


def group(keys: Keys) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Order of a vector or of the rows of a matrix, and where in that order a new value starts.

    NaN differs from every NaN.
    """
    if keys.ndim == 1:
        order = argsort(keys, 0)
        ordered = keys[order]
        differs = ordered[1:] != ordered[:-1]
    else:
        columns = range(keys.shape[1])
        packing = packed(keys, columns, [False] * len(columns))
        if packing is not None:
            return group(packing.numbers)
        order = sort_rows(keys, columns, [False] * len(columns))
        ordered = keys[order]
        differs = (ordered[1:] != ordered[:-1]).any(axis=1)
    return order, np.concatenate([np.ones(min(len(order), 1), np.bool_), differs])


def identities(keys: Keys) -> NDArray[np.intp]:
    """Return an integer for each element (or row), equal for equal ones, in their order."""
    order, starts = group(keys)
    ids = np.empty(len(order), np.intp)
    ids[order] = np.cumsum(starts) - 1
    return ids
