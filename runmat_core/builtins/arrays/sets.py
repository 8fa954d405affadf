"""Sets: distinct elements, membership, union and its relatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.arrays.generic import array_of, column_of, rebuilt
from runmat_core.builtins.arrays.ordering import (
    group,
    identities,
    is_text_array,
    keys_of,
    packed,
    sorted_values,
    words,
)
from runmat_core.builtins.arrays.set_flags import Flags, flags_of
from runmat_core.values import (
    Array,
    CellArray,
    StringArray,
    cell,
    class_of,
    from_numpy,
    size_of,
    vertcat,
)

Index = NDArray[np.intp]


def _one_based(at: Index, across: bool = False) -> Any:
    """Places from one, in a column or in a row."""
    return from_numpy(at.astype(np.float64).reshape((1, -1) if across else (-1, 1)) + 1)


@builtin(
    "unique",
    family="arrays/sets",
    nargin=(1, None),
    nargout=3,
    needs=("nargout",),
    effects="pure",
    pending="view",
)
def unique(x: Any, *args: Any, nargout: int) -> Any:
    """Distinct elements, in order.

    C = unique(A) is a row for rows, else a column
    C = unique(A, "rows") compares rows
    C = unique(…, "stable") keeps the order of first occurrence
    [C, IA, IC] = unique(…): C = A(IA) and A = C(IC); unique(…, "last") gives last occurrences
    [C, IA, IC] = unique(…, "legacy") gives last occurrences, in rows for a row

    NaN differs from NaN.

    Examples:
        >> unique([3 1 3 2])
        ans =
             1     2     3
        >> [c, ia, ic] = unique([5 5 7]);
        >> ic'
        ans =
             1     1     2

    See also: ismember, union, sort, histcounts.
    """
    flags = flags_of(args, "unique")
    keys = keys_of(x, "unique")
    elements = array_of(x)
    rows = flags.rows and not is_text_array(x)
    if rows and keys.ndim > 2:
        raise MatlabError("MATLAB:unique:ANotAMatrix", "With 'rows', the input must be a matrix.")
    lines = keys if rows else keys.ravel(order="F")
    if nargout < 2 and not flags.stable and elements is keys and keys.dtype.kind != "c":
        # the values alone need no order of places
        if not rows:
            kept = _distinct(lines)
            return rebuilt(x, kept.reshape(_set_shape(keys.shape, kept.size)))
        packing = packed(keys, range(keys.shape[1]), [False] * keys.shape[1])
        if packing is not None:
            return rebuilt(x, packing.rows(_distinct(packing.numbers), keys.dtype))
    order, starts = group(lines)
    ids = np.empty(len(order), np.intp)
    ids[order] = np.cumsum(starts) - 1
    if flags.last:
        at = order[np.append(starts[1:], True)] if len(order) else order
    else:
        at = order[starts]
    if flags.stable:
        place = np.argsort(at, kind="stable")
        at = at[place]
        new = np.empty_like(place)
        new[place] = np.arange(place.size)
        ids = new[ids]
    if rows:
        chosen = rebuilt(x, elements[at])
    else:
        chosen = rebuilt(x, elements.ravel(order="F")[at].reshape(_set_shape(keys.shape, at.size)))
    if nargout < 2:
        return chosen
    across = flags.legacy and not rows and size_of(x)[0] == 1
    return (chosen, _one_based(at, across), _one_based(ids, across))[:nargout]


def _set_shape(shape: tuple[int, ...], count: int) -> tuple[int, int]:
    if shape == (0, 0):
        return (0, 0)
    return (1, count) if len(shape) == 2 and shape[0] == 1 else (count, 1)


# -- two sets -----------------------------------------------------------------------------------


class _Pair(NamedTuple):
    """Two sets with a common numbering of their elements (or rows)."""

    everything: Any  # the value whose elements are those of both, one below the other
    first: Index  # the number of each element of the first
    second: Index
    rows: bool
    shape: str  # of the result: "row", "column" or "empty"


def _as_set(value: Any, other: Any, name: str) -> Any:
    """Return the texts of a set: a char array is one text, texts in cells may be strings."""
    if class_of(value) == "cell" and class_of(other) == "string":
        return StringArray(words(value, name))
    if class_of(value) == "char" and is_text_array(other):
        return cell([value], (1, 1)) if class_of(other) == "cell" else value
    return value


def _orientation(a: Any, b: Any, legacy: bool = False) -> str:
    shapes = [size_of(v) for v in (a, b)]
    if all(shape == (0, 0) for shape in shapes):
        return "empty"
    if legacy:
        # a row goes before a column
        (tall, wide), (other_tall, other_wide) = ((s[0] > 1, np.prod(s[1:]) > 1) for s in shapes)
        column = (tall and not other_wide) or (other_tall and not wide) or (tall and other_tall)
        return "column" if column else "row"
    # 0x0 goes with either orientation
    rows = [len(shape) == 2 and shape[0] == 1 for shape in shapes if shape != (0, 0)]
    return "row" if all(rows) else "column"


def _pair(name: str, a: Any, b: Any, flags: Flags) -> _Pair:
    a, b = _as_set(a, b, name), _as_set(b, a, name)
    if is_text_array(a) != is_text_array(b) and "string" not in (class_of(a), class_of(b)):
        if not (size_of(a) == (0, 0) or size_of(b) == (0, 0)):
            raise MatlabError(
                f"MATLAB:{name}:InputClass",
                f"Cell array of character vectors is not comparable with {class_of(b)}.",
            )
        a, b = (CellArray(np.empty((0, 0), object)) if size_of(v) == (0, 0) else v for v in (a, b))
    rows = flags.rows and not is_text_array(a)
    if rows:
        if size_of(a)[1] != size_of(b)[1]:
            raise MatlabError(
                f"MATLAB:{name}:AandBColnumAgree", "A and B must have the same number of columns."
            )
        everything = vertcat(a, b)
        numbers = identities(numeric(everything, name))
        count = size_of(a)[0]
    else:
        everything = vertcat(column_of(a), column_of(b))
        keys = keys_of(everything, name).ravel(order="F")
        numbers = identities(keys)
        count = int(np.prod(size_of(a)))
    shape = _orientation(a, b, flags.legacy)
    return _Pair(everything, numbers[:count], numbers[count:], rows, shape)


def _chosen(pair: _Pair, at: Index) -> Any:
    """Return the elements (or rows) of both sets at these places."""
    elements = array_of(pair.everything)
    if pair.rows:
        return rebuilt(pair.everything, elements[at])
    if pair.shape == "empty" and not at.size:
        return rebuilt(pair.everything, elements[at].reshape(0, 0))
    shape = (1, -1) if pair.shape == "row" else (-1, 1)
    return rebuilt(pair.everything, elements[at].reshape(shape))


def _values_alone(name: str, a: Any, b: Any, flags: Flags, nargout: int) -> NDArray[Any] | None:
    """Return the values of a set of real numbers of one class whose places nobody asks for."""
    if a.__class__ is not Array or b.__class__ is not Array or nargout > 1:
        return None
    first, second = a.data, b.data
    if first.dtype != second.dtype or first.dtype.kind == "c" or flags != Flags():
        return None
    if name == "union":
        return _distinct(np.concatenate([first.ravel(order="K"), second.ravel(order="K")]))
    mine, others = _distinct(first), _distinct(second)
    if not others.size:
        return mine if name == "setdiff" else others
    at = np.minimum(np.searchsorted(others, mine), others.size - 1)
    common = others[at] == mine
    kept: NDArray[Any] = mine[common if name == "intersect" else ~common]
    return kept


def _distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct numbers in order."""
    ordered = sorted_values(numbers.ravel(order="K"), 0)
    new: NDArray[np.bool_] = np.append(True, ordered[1:] != ordered[:-1])[: ordered.size]
    distinct: NDArray[Any] = ordered[new]
    return distinct


def _as_shaped(values: NDArray[Any], shape: str) -> Any:
    if shape == "empty" and not values.size:
        return from_numpy(values.reshape(0, 0))
    return from_numpy(values.reshape((1, -1) if shape == "row" else (-1, 1)))


def _firsts(ids: Index, flags: Flags) -> Index:
    """Where each distinct number occurs first, in the order of the numbers or of occurrence.

    Where it occurs last, as sets told before R2013a.
    """
    if flags.legacy:
        return ids.size - 1 - np.unique(ids[::-1], return_index=True)[1]
    _, at = np.unique(ids, return_index=True)
    return np.sort(at) if flags.stable else at


def _places(pair: _Pair, flags: Flags, *at: Index) -> tuple[Any, ...]:
    """Places from one, in columns; formerly in rows where the set is a row."""
    across = flags.legacy and not pair.rows and pair.shape == "row"
    return tuple(_one_based(places, across) for places in at)


@builtin(
    "union", family="arrays/sets", nargin=(2, None), nargout=3, needs=("nargout",), effects="pure"
)
def union(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements of either of two sets, without repetitions.

    C = union(A, B), C = union(A, B, "rows"), C = union(…, "stable")
    [C, IA, IB] = union(…): C is made of A(IA) and B(IB)
    union(…, "legacy") gives places of last occurrences, in rows for a row
    R = union(P, Q) of polyshapes: what is in either

    Examples:
        >> union([1 3], [3 2])
        ans =
             1     2     3

    See also: intersect, setdiff, setxor, unique.
    """
    flags = flags_of(args, "union")
    values = _values_alone("union", a, b, flags, nargout)
    if values is not None:
        return _as_shaped(values, _orientation(a, b))
    pair = _pair("union", a, b, flags)
    at = _firsts(np.concatenate([pair.first, pair.second]), flags)
    chosen = _chosen(pair, at)
    if nargout < 2:
        return chosen
    count = len(pair.first)
    return (chosen, *_places(pair, flags, at[at < count], at[at >= count] - count))[:nargout]


@builtin(
    "intersect",
    family="arrays/sets",
    nargin=(2, None),
    nargout=3,
    needs=("nargout",),
    effects="pure",
)
def intersect(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements that two sets have in common, without repetitions.

    C = intersect(A, B), C = intersect(A, B, "rows"), C = intersect(…, "stable")
    [C, IA, IB] = intersect(…): C = A(IA) = B(IB)
    intersect(…, "legacy") gives places of last occurrences, in rows for a row
    R = intersect(P, Q) of polyshapes: what is in both

    Examples:
        >> intersect([4 1 3], [3 4 9])
        ans =
             3     4

    See also: union, setdiff, setxor, ismember.
    """
    flags = flags_of(args, "intersect")
    values = _values_alone("intersect", a, b, flags, nargout)
    if values is not None:
        return _as_shaped(values, _orientation(a, b))
    pair = _pair("intersect", a, b, flags)
    at = _firsts(pair.first, flags)
    at = at[np.isin(pair.first[at], pair.second)]
    chosen = _chosen(pair, at)
    if nargout < 2:
        return chosen
    places = _firsts(pair.second, flags._replace(stable=False))
    in_second = places[np.searchsorted(pair.second[places], pair.first[at])]
    return (chosen, *_places(pair, flags, at, in_second))[:nargout]


@builtin(
    "setdiff", family="arrays/sets", nargin=(2, None), nargout=2, needs=("nargout",), effects="pure"
)
def setdiff(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements of one set that are not in another, without repetitions.

    C = setdiff(A, B), C = setdiff(A, B, "rows"), C = setdiff(…, "stable")
    [C, IA] = setdiff(…): C = A(IA)
    setdiff(…, "legacy") gives places of last occurrences, in rows for a row

    Examples:
        >> setdiff([5 3 1 3], 3)
        ans =
             1     5

    See also: union, intersect, setxor, ismember.
    """
    flags = flags_of(args, "setdiff")
    values = _values_alone("setdiff", a, b, flags, nargout)
    if values is not None:
        return _as_shaped(values, _orientation(a, a))
    pair = _pair("setdiff", a, b, flags)._replace(shape=_orientation(a, a))
    at = _firsts(pair.first, flags)
    at = at[~np.isin(pair.first[at], pair.second)]
    chosen = _chosen(pair, at)
    return (chosen, *_places(pair, flags, at)) if nargout > 1 else chosen


@builtin(
    "setxor", family="arrays/sets", nargin=(2, None), nargout=3, needs=("nargout",), effects="pure"
)
def setxor(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements that are in exactly one of two sets, without repetitions.

    C = setxor(A, B), C = setxor(A, B, "rows"), C = setxor(…, "stable")
    [C, IA, IB] = setxor(…): C is made of A(IA) and B(IB)
    setxor(…, "legacy") gives places of last occurrences, in rows for a row

    Examples:
        >> setxor([1 2 3], [3 4])
        ans =
             1     2     4

    See also: union, intersect, setdiff.
    """
    flags = flags_of(args, "setxor")
    pair = _pair("setxor", a, b, flags)
    count = len(pair.first)
    ids = np.concatenate([pair.first, pair.second])
    at = _firsts(ids, flags)
    at = at[~(np.isin(ids[at], pair.first) & np.isin(ids[at], pair.second))]
    chosen = _chosen(pair, at)
    if nargout < 2:
        return chosen
    return (chosen, *_places(pair, flags, at[at < count], at[at >= count] - count))[:nargout]
