"""What sorting and set functions compare by: keys whose order is the order of the elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.arrays.generic import array_of
from runmat_core.values import class_of, text

Keys = NDArray[Any]

_TEXT_CLASSES = frozenset({"cell", "string"})


def is_text_array(value: Any) -> bool:
    """Whether the elements of a value are texts: a cell array of text or a string array."""
    return class_of(value) in _TEXT_CLASSES


def keys_of(value: Any, name: str) -> Keys:
    """A key for each element of `value`: numbers, or ranks of texts."""
    return ranks(words(value, name)) if is_text_array(value) else numeric(value, name)


def words(value: Any, name: str) -> NDArray[Any]:
    """The texts of a string array, a cell array of text, or a char array as one text.

    Missing strings are None.
    """
    cls = class_of(value)
    if cls == "char":
        single = np.empty((1, 1), object)
        single[0, 0] = text(value)
        return single
    elements = array_of(value)
    result = np.empty(elements.shape, object)
    for at, element in enumerate(elements.ravel(order="F").tolist()):
        position = np.unravel_index(at, elements.shape, order="F")
        if cls == "string":
            result[position] = element if isinstance(element, str) else None
        elif class_of(element) == "char":
            result[position] = text(element)
        else:
            raise MatlabError(
                f"MATLAB:{name}:InputClass",
                "Cell array input must be a cell array of character vectors.",
            )
    return result


def ranks(*arrays: NDArray[Any]) -> Any:
    """Ranks of texts among all texts of `arrays`; one array for each, missing ranks last and apart.

    A single array gives a single result.
    """
    everything = sorted({w for a in arrays for w in a.ravel().tolist() if w is not None})
    rank = {word: float(k) for k, word in enumerate(everything)}

    def look_up(word: Any) -> float:
        return rank[word] if word is not None else np.nan

    found = [np.frompyfunc(look_up, 1, 1)(a).astype(np.float64) for a in arrays]
    return found[0] if len(found) == 1 else found


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
    return np.argsort(keys, axis=axis, kind="stable")


def sort_rows(keys: Keys, columns: Sequence[int], descending: Sequence[bool]) -> NDArray[np.intp]:
    """Stable order of the rows of `keys` by `columns`, the first of them deciding first."""
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
        order = sort_rows(keys, range(keys.shape[1]), [False] * keys.shape[1])
        ordered = keys[order]
        differs = (ordered[1:] != ordered[:-1]).any(axis=1)
    return order, np.concatenate([np.ones(min(len(order), 1), np.bool_), differs])


def identities(keys: Keys) -> NDArray[np.intp]:
    """An integer for each element (or row), equal for equal ones, in the order of the values."""
    order, starts = group(keys)
    ids = np.empty(len(order), np.intp)
    ids[order] = np.cumsum(starts) - 1
    return ids
