"""Sets: distinct elements, membership, union and its relatives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import numeric, option, unknown_option
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.arrays.membership import members
from runmat_core.builtins.arrays.ordering import (
    group,
    identities,
    is_text_array,
    keys_of,
    packed,
    places_in,
    sorted_values,
    words,
)
from runmat_core.values import Array, CellArray, cell, class_of, from_numpy, size_of, vertcat

Index = NDArray[np.intp]


_SET_FLAGS = {"rows", "stable", "sorted", "first", "last", "legacy"}


class _Flags(NamedTuple):
    rows: bool
    stable: bool
    last: bool


def _flags(args: tuple[Any, ...]) -> _Flags:
    given = {option(arg) or "" for arg in args}
    for word in given - _SET_FLAGS:
        raise unknown_option(word, sorted(_SET_FLAGS))
    return _Flags("rows" in given, "stable" in given, "last" in given or "legacy" in given)


def _one_based(at: Index) -> Any:
    return from_numpy(at.astype(np.float64).reshape(-1, 1) + 1)


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
    flags = _flags(args)
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
    return (chosen, _one_based(at), _one_based(ids))[:nargout]


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


def _as_set(value: Any, other: Any) -> Any:
    """A char array that meets texts is one text."""
    if class_of(value) == "char" and is_text_array(other):
        return cell([value], (1, 1)) if class_of(other) == "cell" else value
    return value


def _column(value: Any) -> Any:
    return rebuilt(value, array_of(value).reshape(-1, 1, order="F"))


def _orientation(a: Any, b: Any) -> str:
    shapes = [size_of(v) for v in (a, b)]
    if all(shape == (0, 0) for shape in shapes):
        return "empty"
    # 0x0 goes with either orientation
    rows = [len(shape) == 2 and shape[0] == 1 for shape in shapes if shape != (0, 0)]
    return "row" if all(rows) else "column"


def _pair(name: str, a: Any, b: Any, flags: _Flags) -> _Pair:
    a, b = _as_set(a, b), _as_set(b, a)
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
        everything = vertcat(_column(a), _column(b))
        keys = keys_of(everything, name).ravel(order="F")
        numbers = identities(keys)
        count = int(np.prod(size_of(a)))
    return _Pair(everything, numbers[:count], numbers[count:], rows, _orientation(a, b))


def _chosen(pair: _Pair, at: Index) -> Any:
    """The elements (or rows) of both sets at these places."""
    elements = array_of(pair.everything)
    if pair.rows:
        return rebuilt(pair.everything, elements[at])
    if pair.shape == "empty" and not at.size:
        return rebuilt(pair.everything, elements[at].reshape(0, 0))
    shape = (1, -1) if pair.shape == "row" else (-1, 1)
    return rebuilt(pair.everything, elements[at].reshape(shape))


def _values_alone(name: str, a: Any, b: Any, flags: _Flags, nargout: int) -> NDArray[Any] | None:
    """The values of a set of real numbers of one class whose places nobody asks for."""
    if a.__class__ is not Array or b.__class__ is not Array or nargout > 1:
        return None
    first, second = a.data, b.data
    if first.dtype != second.dtype or first.dtype.kind == "c" or flags.rows or flags.stable:
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
    """The distinct numbers in order."""
    ordered = sorted_values(numbers.ravel(order="K"), 0)
    new: NDArray[np.bool_] = np.append(True, ordered[1:] != ordered[:-1])[: ordered.size]
    distinct: NDArray[Any] = ordered[new]
    return distinct


def _as_shaped(values: NDArray[Any], shape: str) -> Any:
    if shape == "empty" and not values.size:
        return from_numpy(values.reshape(0, 0))
    return from_numpy(values.reshape((1, -1) if shape == "row" else (-1, 1)))


def _firsts(ids: Index, stable: bool) -> Index:
    """Where each distinct number occurs first, in the order of the numbers or of occurrence."""
    _, at = np.unique(ids, return_index=True)
    return np.sort(at) if stable else at


@builtin(
    "union", family="arrays/sets", nargin=(2, None), nargout=3, needs=("nargout",), effects="pure"
)
def union(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements of either of two sets, without repetitions.

    C = union(A, B), C = union(A, B, "rows"), C = union(…, "stable")
    [C, IA, IB] = union(…): C is made of A(IA) and B(IB)
    R = union(P, Q) of polyshapes: what is in either

    Examples:
        >> union([1 3], [3 2])
        ans =
             1     2     3

    See also: intersect, setdiff, setxor, unique.
    """
    flags = _flags(args)
    values = _values_alone("union", a, b, flags, nargout)
    if values is not None:
        return _as_shaped(values, _orientation(a, b))
    pair = _pair("union", a, b, flags)
    at = _firsts(np.concatenate([pair.first, pair.second]), flags.stable)
    chosen = _chosen(pair, at)
    if nargout < 2:
        return chosen
    count = len(pair.first)
    return (chosen, _one_based(at[at < count]), _one_based(at[at >= count] - count))[:nargout]


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
    R = intersect(P, Q) of polyshapes: what is in both

    Examples:
        >> intersect([4 1 3], [3 4 9])
        ans =
             3     4

    See also: union, setdiff, setxor, ismember.
    """
    flags = _flags(args)
    values = _values_alone("intersect", a, b, flags, nargout)
    if values is not None:
        return _as_shaped(values, _orientation(a, b))
    pair = _pair("intersect", a, b, flags)
    at = _firsts(pair.first, flags.stable)
    at = at[np.isin(pair.first[at], pair.second)]
    chosen = _chosen(pair, at)
    if nargout < 2:
        return chosen
    numbers, places = np.unique(pair.second, return_index=True)
    in_second = places[np.searchsorted(numbers, pair.first[at])]
    return (chosen, _one_based(at), _one_based(in_second))[:nargout]


@builtin(
    "setdiff", family="arrays/sets", nargin=(2, None), nargout=2, needs=("nargout",), effects="pure"
)
def setdiff(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements of one set that are not in another, without repetitions.

    C = setdiff(A, B), C = setdiff(A, B, "rows"), C = setdiff(…, "stable")
    [C, IA] = setdiff(…): C = A(IA)

    Examples:
        >> setdiff([5 3 1 3], 3)
        ans =
             1     5

    See also: union, intersect, setxor, ismember.
    """
    flags = _flags(args)
    values = _values_alone("setdiff", a, b, flags, nargout)
    if values is not None:
        return _as_shaped(values, _orientation(a, a))
    pair = _pair("setdiff", a, b, flags)._replace(shape=_orientation(a, a))
    at = _firsts(pair.first, flags.stable)
    at = at[~np.isin(pair.first[at], pair.second)]
    chosen = _chosen(pair, at)
    return (chosen, _one_based(at)) if nargout > 1 else chosen


@builtin(
    "setxor", family="arrays/sets", nargin=(2, None), nargout=3, needs=("nargout",), effects="pure"
)
def setxor(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Elements that are in exactly one of two sets, without repetitions.

    C = setxor(A, B), C = setxor(A, B, "rows"), C = setxor(…, "stable")
    [C, IA, IB] = setxor(…): C is made of A(IA) and B(IB)

    Examples:
        >> setxor([1 2 3], [3 4])
        ans =
             1     2     4

    See also: union, intersect, setdiff.
    """
    flags = _flags(args)
    pair = _pair("setxor", a, b, flags)
    count = len(pair.first)
    ids = np.concatenate([pair.first, pair.second])
    at = _firsts(ids, flags.stable)
    at = at[~(np.isin(ids[at], pair.first) & np.isin(ids[at], pair.second))]
    chosen = _chosen(pair, at)
    if nargout < 2:
        return chosen
    return (chosen, _one_based(at[at < count]), _one_based(at[at >= count] - count))[:nargout]


@builtin(
    "ismember",
    family="arrays/sets",
    nargin=(2, 3),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def ismember(a: Any, b: Any, rows: Any = None, *, nargout: int) -> Any:
    """Which elements of one array are in another.

    TF = ismember(A, B), TF = ismember(A, B, "rows") compares rows
    [TF, LOC] = ismember(…) gives the place of each in B, the first of several, or zero

    A text is looked for as a whole in cell arrays of text and string arrays.

    Examples:
        >> ismember([1 5], [5 6 5])
        ans =
          1×2 logical array
           0   1
        >> [tf, loc] = ismember("b", {'a', 'b'})
        tf =
          logical
           1
        loc =
             2

    See also: unique, intersect, any, find.
    """
    if rows is not None and _flags((rows,)).rows and not is_text_array(a):
        if size_of(a)[1] != size_of(b)[1]:
            raise MatlabError(
                "MATLAB:ismember:AandBColnumAgree", "A and B must have the same number of columns."
            )
        numbers = identities(numeric(vertcat(a, b), "ismember"))
        count = size_of(a)[0]
        wanted, known = numbers[:count].reshape(-1, 1), numbers[count:]
        found, location = members(wanted, known, nargout > 1)
    elif is_text_array(a) or is_text_array(b):
        wanted, known = _comparable(a, b)
        found, location = places_in(wanted, known)
    else:
        wanted, known = numeric(a, "ismember"), numeric(b, "ismember")
        found, location = members(wanted, known, nargout > 1)
    tf = from_numpy(found.reshape(wanted.shape, order="F"))
    if nargout < 2:
        return tf
    return tf, from_numpy(location.astype(np.float64).reshape(wanted.shape, order="F"))


def _comparable(a: Any, b: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """The texts of both arrays."""
    for value in (a, b):
        if not is_text_array(value) and class_of(value) != "char":
            raise MatlabError(
                "MATLAB:ismember:InputClass",
                f"Input A of class {class_of(a)} and input B of class {class_of(b)} must be "
                "cell arrays of character vectors, unless one is a character vector.",
            )
    return words(a, "ismember"), words(b, "ismember")
