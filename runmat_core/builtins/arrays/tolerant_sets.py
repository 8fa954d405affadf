"""Sets of numbers that are equal within a tolerance, and questions on the order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, integer, option, real, scalar, whole
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.arrays.ordering import argsort, keys_of, sort_rows
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import CellArray, class_of, from_numpy, is_text

Operand = NDArray[Any]

_OPTIONS = ("ByRows", "DataScale", "OutputAllIndices")


class _Tolerance:
    """How near elements or rows must be, as the arguments of ``name(…)`` say.

    Attributes:
        rows: whether rows are compared.
        every: whether all indices are asked for.
        whole_range: whether the least and the largest element are to be kept.
        limit: the largest difference, one for each column.
    """

    def __init__(self, name: str, args: tuple[Any, ...], arrays: list[Operand]) -> None:
        rest = list(args)
        single = any(a.dtype == np.float32 for a in arrays)
        tolerance = 1e-6 if single else 1e-12
        if rest and not is_text(rest[0]):
            tolerance = scalar(rest.pop(0), "TOL")
        if not 0 <= tolerance < np.inf:
            raise MatlabError(f"MATLAB:{name}:InvalidTol", "TOL must be a nonnegative scalar.")
        known = (*_OPTIONS, "PreserveRange") if name == "uniquetol" else _OPTIONS
        named, _ = pairs(rest, known, name)
        self.rows = _true(named.get("ByRows", False), name)
        self.every = _true(named.get("OutputAllIndices", False), name)
        self.whole_range = _true(named.get("PreserveRange", False), name)
        if self.rows:
            if any(a.ndim > 2 for a in arrays) or len({a.shape[1] for a in arrays}) > 1:
                raise MatlabError(
                    f"MATLAB:{name}:InvalidByRows",
                    "With 'ByRows', inputs must be matrices with the same number of columns.",
                )
            lines = np.concatenate(arrays)
        else:
            lines = np.concatenate([a.ravel(order="F") for a in arrays])[:, None]
        size = np.abs(lines)
        scale = np.where(np.isfinite(size), size, 0).max(axis=0, initial=0.0)
        if "DataScale" in named:
            given = real(named["DataScale"], name).astype(np.float64).ravel()
            if given.size not in (1, lines.shape[1]) or not (given >= 0).all():
                raise MatlabError(
                    f"MATLAB:{name}:InvalidDataScale",
                    "DataScale must be a nonnegative scalar, or a vector with one for each column.",
                )
            scale = np.broadcast_to(given, scale.shape)
        self.limit = tolerance * scale

    def near(self, line: Operand, lines: Operand) -> NDArray[np.bool_]:
        """Which of `lines` are within the tolerance of one line; equal infinities are."""
        with np.errstate(invalid="ignore"):
            within = (np.abs(lines - line) <= self.limit) | (lines == line)
        return np.asarray(within.all(axis=1))


def _true(value: Any, name: str) -> bool:
    a = real(value, name)
    if a.size != 1:
        raise MatlabError(f"MATLAB:{name}:InvalidFlag", "The option must be true or false.")
    return bool(a.flat[0])


def _groups(lines: Operand, tolerance: _Tolerance) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the line that stands for each group, and the group of each line."""
    order = sort_rows(lines, range(lines.shape[1]), [False] * lines.shape[1])
    ordered = lines[order]
    group = np.full(len(order), -1, np.intp)
    heads: list[int] = []
    start = 0
    while start < len(order):
        if group[start] >= 0:
            start += 1
            continue
        # rows beyond this one differ in the first column alone by more than the tolerance
        reach = ordered[start, 0] + tolerance.limit[0] if lines.shape[1] else np.inf
        stop = len(order)
        if not np.isnan(reach):
            stop = max(int(np.searchsorted(ordered[:, 0], reach, side="right")), start + 1)
        near = tolerance.near(ordered[start], ordered[start:stop]) & (group[start:stop] < 0)
        near[0] = True
        group[start:stop][near] = len(heads)
        heads.append(start)
        start += 1
    ids = np.empty(len(order), np.intp)
    ids[order] = group
    return order[heads] if heads else np.zeros(0, np.intp), ids


def _from_above(lines: Operand, tolerance: _Tolerance) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return `_groups` that begin at the highest lines; in ascending order as well."""
    heads, ids = _groups(-lines, tolerance)
    order = sort_rows(lines[heads], range(lines.shape[1]), [False] * lines.shape[1])
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return heads[order], place[ids]


def _with_ends(
    values: Operand, heads: NDArray[np.intp], ids: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return groups of a vector for the least and the largest element, besides the others.

    They stand for their own groups; where that is one group, the largest becomes another.
    """
    if np.isnan(values).all() or not values.size:
        return heads, ids
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    heads, ids = heads.copy(), ids.copy()
    heads[ids[low]] = low
    if ids[low] != ids[high]:
        heads[ids[high]] = high
    elif values[low] != values[high]:
        at = ids[high] + 1
        ids[ids >= at] += 1
        ids[values == values[high]] = at
        heads = np.insert(heads, at, high)
    return heads, ids


def _column(at: Operand) -> Any:
    return from_numpy(at.astype(np.float64).reshape(-1, 1) + 1)


def _cells(lists: list[Operand]) -> Any:
    elements = np.empty((len(lists), 1), object)
    for k, at in enumerate(lists):
        elements[k, 0] = _column(at)
    return CellArray(elements)


@builtin("uniquetol", family="arrays/sets", nargin=(1, None), nargout=3, needs=("nargout",))
def uniquetol(x: Any, *args: Any, nargout: int) -> Any:
    """Distinct elements, where those that differ by little count as equal.

    C = uniquetol(A, TOL): u and v are equal if abs(u-v) <= TOL*max(abs(A(:))); TOL is 1e-12, or
    1e-6 for single
    C = uniquetol(A, TOL, "highest") takes the highest of several; "lowest" is the default
    [C, IA, IC] = uniquetol(…): C = A(IA), and A is near C(IC)
    uniquetol(…, NAME, VALUE) with "ByRows", "DataScale" (in place of the maximum; Inf is not
    taken), "OutputAllIndices" (IA holds all members of each group, in cells) and "PreserveRange"
    (the least and the largest element of A are in C; not with "ByRows")

    Examples:
        >> uniquetol([1 1+1e-14 2 3])
        ans =
             1     2     3
        >> uniquetol([1 1.5 3 3.5], 0.2, "PreserveRange", true)
        ans =
            1.0000    3.5000

    See also: unique, ismembertol, eps.
    """
    a = as_float(real(x, "uniquetol"))
    plain = [arg for arg in args if option(arg) not in ("highest", "lowest")]
    tolerance = _Tolerance("uniquetol", tuple(plain), [a])
    lines = a if tolerance.rows else a.ravel(order="F")[:, None]
    above = any(option(arg) == "highest" for arg in args)
    heads, ids = _from_above(lines, tolerance) if above else _groups(lines, tolerance)
    if tolerance.whole_range:
        if tolerance.rows:
            raise MatlabError(
                "MATLAB:uniquetol:PreserveRangeByRows",
                "'PreserveRange' keeps the range of elements, not that of rows.",
            )
        heads, ids = _with_ends(lines[:, 0], heads, ids)
    if tolerance.rows:
        chosen = a[heads]
    else:
        shape = (1, -1) if a.ndim == 2 and a.shape[0] == 1 else (-1, 1)
        chosen = a.ravel(order="F")[heads].reshape(shape if heads.size else _none(a))
    result = rebuilt(x, chosen) if class_of(x) in {"double", "single"} else from_numpy(chosen)
    if nargout < 2:
        return result
    members = (
        _cells([np.flatnonzero(ids == k) for k in range(heads.size)])
        if tolerance.every
        else _column(heads)
    )
    return (result, members, _column(ids))[:nargout]


def _none(a: Operand) -> tuple[int, int]:
    """Return the size of no elements of `a`."""
    if a.shape == (0, 0):
        return (0, 0)
    return (1, 0) if a.shape[0] == 1 else (0, 1)


@builtin("ismembertol", family="arrays/sets", nargin=(2, None), nargout=2, needs=("nargout",))
def ismembertol(a: Any, b: Any, *args: Any, nargout: int) -> Any:
    """Which elements are within a tolerance of an element of a set.

    TF = ismembertol(A, B, TOL): u and v are equal if abs(u-v) <= TOL*max(abs([A(:); B(:)])); TOL
    is 1e-12, or 1e-6 for single
    [TF, LOC] = ismembertol(…) gives the first index in B of what is near, or zero
    ismembertol(…, NAME, VALUE) with "ByRows", "DataScale" and "OutputAllIndices" (LOC holds all
    indices, in cells)

    Examples:
        >> ismembertol([1 2+1e-14 5], [1 2 3])
        ans =
          1×3 logical array
           1   1   0

    See also: ismember, uniquetol.
    """
    first, second = (as_float(real(v, "ismembertol")) for v in (a, b))
    tolerance = _Tolerance("ismembertol", args, [first, second])
    wanted, known = (v if tolerance.rows else v.ravel(order="F")[:, None] for v in (first, second))
    order = np.argsort(known[:, 0], kind="stable") if known.shape[1] else np.arange(len(known))
    ordered = known[order]
    found = []
    for line in wanted:
        start, stop = 0, len(order)
        if known.shape[1]:
            reach = tolerance.limit[0] * (1 + 1e-12)
            start = int(np.searchsorted(ordered[:, 0], line[0] - reach, side="left"))
            stop = int(np.searchsorted(ordered[:, 0], line[0] + reach, side="right"))
        found.append(np.sort(order[start:stop][tolerance.near(line, ordered[start:stop])]))
    shape = (len(wanted), 1) if tolerance.rows else first.shape
    hit = from_numpy(np.array([at.size > 0 for at in found], np.bool_).reshape(shape, order="F"))
    if nargout < 2:
        return hit
    if tolerance.every:
        lists = _cells([at if at.size else np.array([-1]) for at in found])
        return hit, CellArray(lists.data.reshape(shape, order="F"))
    where = np.array([at[0] + 1.0 if at.size else 0.0 for at in found])
    return hit, from_numpy(where.reshape(shape, order="F"))


# -- rows in order -------------------------------------------------------------------------------

_DIRECTIONS = (
    "ascend", "descend", "monotonic", "strictascend", "strictdescend", "strictmonotonic",
)  # fmt: skip


def _row_order(name: str, keys: Operand, args: tuple[Any, ...], known: tuple[str, ...]) -> Any:
    """Return the columns to compare by, and one direction for each."""
    rest = list(args)
    columns = list(range(keys.shape[1]))
    signs = [1] * len(columns)
    if rest and not is_text(rest[0]) and class_of(rest[0]) != "cell":
        chosen = whole(rest.pop(0), name).tolist()
        columns, signs = [abs(c) - 1 for c in chosen], [1 if c > 0 else -1 for c in chosen]
        if any(not 0 <= c < keys.shape[1] for c in columns):
            raise MatlabError(
                f"MATLAB:{name}:ColNotIndexVec",
                "Columns must be nonzero integers no larger than the number of columns.",
            )
    if len(rest) > 1:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    words: list[str | None] = [None]
    if rest:
        given = rest[0]
        texts = list(array_of(given).ravel(order="F")) if class_of(given) == "cell" else [given]
        words = [choice(t, known, name) for t in texts]
        if len(words) not in (1, len(columns)):
            raise MatlabError(
                f"MATLAB:{name}:DirectionSize", "There must be one direction for each column."
            )
    return columns, signs, words * len(columns) if len(words) == 1 else words


def _matrix(x: Any, name: str) -> Operand:
    keys = keys_of(x, name)
    if keys.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:inputDimensionMismatch", "Input must be a 2-D matrix.")
    return keys


@builtin("issortedrows", family="arrays/sorting", nargin=(1, 3), effects="pure")
def issortedrows(x: Any, *args: Any) -> Any:
    """Whether the rows of a matrix are in order.

    TF = issortedrows(A), TF = issortedrows(A, COLUMNS); negative columns descend
    TF = issortedrows(…, DIRECTION): "ascend", "descend", "monotonic", "strictascend",
    "strictdescend", "strictmonotonic", or a cell array with one for each column

    Examples:
        >> issortedrows([1 9; 2 0; 2 5])
        ans =
          logical
           1

    See also: sortrows, issorted, topkrows.
    """
    keys = _matrix(x, "issortedrows")
    columns, signs, words = _row_order("issortedrows", keys, args, _DIRECTIONS)
    for up in (True, False):
        down = []
        for sign, word in zip(signs, words, strict=True):
            word = word or "ascend"
            descends = not up if word.endswith("monotonic") else word.endswith("descend")
            down.append(descends if word != "ascend" else sign < 0)
        order = sort_rows(keys, columns, down)
        if (order == np.arange(len(order))).all() and not (
            any((word or "").startswith("strict") for word in words) and _repeated(keys[:, columns])
        ):
            return True
    return False


def _repeated(lines: Operand) -> bool:
    """Whether a row equals the one before it, or a NaN is among them."""
    missing = lines.dtype.kind in "fc" and bool(np.isnan(lines).any())
    return missing or bool((lines[1:] == lines[:-1]).all(axis=1).any())


@builtin("topkrows", family="arrays/sorting", nargin=(2, None), nargout=2, needs=("nargout",))
def topkrows(x: Any, k: Any, *args: Any, nargout: int) -> Any:
    """The first K rows in descending order.

    B = topkrows(A, K), B = topkrows(A, K, COLUMNS)
    B = topkrows(…, DIRECTION): "descend", "ascend", or a cell array with one for each column
    B = topkrows(…, "ComparisonMethod", "abs" or "real") compares magnitudes, or real parts
    B = topkrows(T, K, VARS, …) of a table
    [B, I] = topkrows(…) gives the indices of the rows: B = A(I, :)

    Examples:
        >> topkrows([1 5; 3 2; 3 4], 2)
        ans =
             3     4
             3     2
        >> topkrows([1; -7; 5], 2, "ComparisonMethod", "abs")
        ans =
            -7
             5

    See also: sortrows, maxk, issortedrows.
    """
    keys = _matrix(x, "topkrows")
    count = integer(k, "K")
    if count < 0:
        raise MatlabError("MATLAB:topkrows:InvalidK", "K must be a nonnegative integer scalar.")
    at = next((i for i, arg in enumerate(args) if option(arg) == "comparisonmethod"), len(args))
    named, _ = pairs(args[at:], ("ComparisonMethod",), "topkrows")
    columns, signs, words = _row_order("topkrows", keys, args[:at], ("ascend", "descend"))
    if any(sign < 0 for sign in signs):
        raise MatlabError("MATLAB:topkrows:ColNotIndexVec", "Columns must be positive integers.")
    down = [word != "ascend" for word in words]
    if named:
        by = choice(named["ComparisonMethod"], ("auto", "real", "abs"), "topkrows")
        order = np.arange(keys.shape[0])
        for column, descending in reversed(list(zip(columns, down, strict=True))):
            order = order[argsort(keys[order, column], 0, descending, by)]
    else:
        order = sort_rows(keys, columns, down)
    order = order[:count]
    result = rebuilt(x, array_of(x)[order])
    return (result, _column(order)) if nargout > 1 else result
