"""ismember: which elements are among others, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.arrays.generic import column_of
from runmat_core.builtins.arrays.ordering import (
    identities,
    is_text_array,
    keys_of,
    places_in,
    words,
)
from runmat_core.builtins.arrays.set_flags import Flags, flags_of
from runmat_core.values import class_of, from_numpy, numel_of, size_of, vertcat
from runmat_core.values.object import ObjectValue

Numbers = NDArray[Any]
#: What `members` gives: whether each is there, and its first place from one, zero where it is not.
Found = tuple[NDArray[np.bool_], NDArray[np.intp]]

#: A table of all numbers between the least and the largest may be this often as long as both sets.
_SPREAD = 4
#: Whole numbers up to here are exact in double and in the type of places.
_EXACT = 2.0**53


def members(wanted: Numbers, known: Numbers, places: bool) -> Found:
    """Whether each element of `wanted` is in `known`, in column-major order, and where first.

    NaN is nowhere. Without `places`, the second result means nothing.
    """
    flat, others = wanted.ravel(order="F"), known.ravel(order="F")
    if not flat.size or not others.size:
        return np.zeros(flat.size, np.bool_), np.zeros(flat.size, np.intp)
    limits = _whole_limits(others, flat.size + others.size)
    if limits is not None and flat.dtype.kind in "fb":
        return _by_table(flat, others.astype(np.intp), *limits)
    if not places:
        return np.isin(flat, others), np.zeros(0, np.intp)
    return _by_order(flat, others)


def _whole_limits(known: Numbers, count: int) -> tuple[int, int] | None:
    """Return the least and the largest of whole numbers that lie close together; else None."""
    if known.dtype.kind not in "fb":
        return None
    low, high = float(known.min()), float(known.max())
    if not (low > -_EXACT and high < _EXACT and high - low <= _SPREAD * count):
        return None
    return (int(low), int(high)) if bool((known == np.floor(known)).all()) else None


def _by_table(wanted: Numbers, known: NDArray[np.intp], low: int, high: int) -> Found:
    """By a table of the first place of each whole number from `low` to `high`."""
    # an entry more than there are numbers, zero, for what is none of them
    table = np.zeros(high - low + 2, np.intp)
    # of equal subscripts the last is stored, which is the first place
    table[known[::-1] - low] = np.arange(known.size, 0, -1)
    numbers = wanted.astype(np.float64, copy=False)
    with np.errstate(invalid="ignore"):
        at = numbers.astype(np.intp)
    outside = (at != numbers) | (at < low) | (at > high)
    at -= low
    at[outside] = high - low + 1
    found = table[at]
    return found > 0, found


def _by_order(wanted: Numbers, known: Numbers) -> Found:
    order = np.argsort(known, kind="stable")
    ordered = known[order]
    # numbers in order are found faster, as the search stays in the cache
    queue = np.argsort(wanted)
    asked = wanted[queue]
    place = np.searchsorted(ordered, asked)
    place[place == ordered.size] = 0
    there = ordered[place] == asked
    location = np.zeros(wanted.size, np.intp)
    location[queue] = np.where(there, order[place] + 1, 0)
    return location > 0, location


@builtin(
    "ismember",
    family="arrays/sets",
    nargin=(2, 4),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def ismember(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Which elements of one array are in another.

    TF = ismember(A, B), TF = ismember(A, B, "rows") compares rows
    [TF, LOC] = ismember(…) gives the place of each in B, the first of several, or zero;
    ismember(…, "legacy") the last of several

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
    flags = flags_of(args, "ismember")
    if flags.rows and not is_text_array(a):
        if size_of(a)[1] != size_of(b)[1] and (numel_of(a) == 0 or numel_of(b) == 0):
            # rows of nothing have no number of columns to agree in
            none = np.zeros((size_of(a)[0], 1), order="F")
            return (
                from_numpy(none != 0) if nargout < 2 else (from_numpy(none != 0), from_numpy(none))
            )
        if size_of(a)[1] != size_of(b)[1]:
            raise MatlabError(
                "MATLAB:ismember:AandBColnumAgree", "A and B must have the same number of columns."
            )
        numbers = identities(numeric(vertcat(a, b), "ismember"))
        count = size_of(a)[0]
        wanted, known = numbers[:count].reshape(-1, 1), numbers[count:]
        found, location = _found(members, flags, wanted, known, nargout > 1)
    elif isinstance(a, ObjectValue) and isinstance(b, ObjectValue):
        both = vertcat(column_of(a), column_of(b))
        numbers = identities(keys_of(both, "ismember").ravel())
        wanted = numbers[: numel_of(a)].reshape(size_of(a), order="F")
        found, location = _found(members, flags, wanted, numbers[numel_of(a) :], nargout > 1)
    elif is_text_array(a) or is_text_array(b):
        wanted, known = _comparable(a, b)
        found, location = _found(places_in, flags, wanted, known)
    else:
        wanted, known = numeric(a, "ismember"), numeric(b, "ismember")
        found, location = _found(members, flags, wanted, known, nargout > 1)
    tf = from_numpy(found.reshape(wanted.shape, order="F"))
    if nargout < 2:
        return tf
    return tf, from_numpy(location.astype(np.float64).reshape(wanted.shape, order="F"))


def _found(rule: Any, flags: Flags, wanted: Any, known: Any, *more: Any) -> Found:
    """Return what `rule` finds among what is known; formerly the last of several."""
    if not flags.legacy:
        return rule(wanted, known, *more)  # type: ignore[no-any-return]
    found, location = rule(wanted, known.ravel(order="F")[::-1], *more)
    if location.size:
        location = np.where(location > 0, known.size + 1 - location, 0)
    return found, location


def _comparable(a: Any, b: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the texts of both arrays."""
    for value in (a, b):
        if not is_text_array(value) and class_of(value) != "char":
            raise MatlabError(
                "MATLAB:ismember:InputClass",
                f"Input A of class {class_of(a)} and input B of class {class_of(b)} must be "
                "cell arrays of character vectors, unless one is a character vector.",
            )
    return words(a, "ismember"), words(b, "ismember")


@builtin("ismembc", family="arrays/sets", effects="pure")
def ismembc(a: Any, s: Any) -> Any:
    """Which numbers are in a sorted set. `ismember` asks less of its arguments.

    TF = ismembc(A, S) with numbers S in ascending order, none of them NaN

    Examples:
        >> ismembc([1 2 5], [1 3 5])
        ans =
          1×3 logical array
           1   0   1

    See also: ismember, ismembc2, unique.
    """
    wanted = numeric(a, "ismembc")
    return from_numpy(_last_places(wanted, numeric(s, "ismembc")) > 0)


@builtin("ismembc2", family="arrays/sets", effects="pure")
def ismembc2(a: Any, s: Any) -> Any:
    """Where numbers are in a sorted set, zero where they are not.

    LOC = ismembc2(A, S) with numbers S in ascending order; of equal ones it is the last

    Examples:
        >> ismembc2([1 2 5], [1 3 5 5])
        ans =
             1     0     4

    See also: ismembc, ismember.
    """
    wanted = numeric(a, "ismembc2")
    return from_numpy(_last_places(wanted, numeric(s, "ismembc2")).astype(np.float64))


def _last_places(wanted: Numbers, known: Numbers) -> NDArray[np.intp]:
    """Return the last place, from one, of each number among those in order.

    Zero where it is none.
    """
    flat = known.ravel(order="F")
    if not flat.size:
        return np.zeros(wanted.shape, np.intp)
    after = np.searchsorted(flat, wanted, side="right")
    return np.where((after > 0) & (flat[np.maximum(after, 1) - 1] == wanted), after, 0)
