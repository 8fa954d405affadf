"""Linear indices and subscripts, and grouping by subscript."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.arguments import (
    canonical_shape,
    check_size,
    numeric,
    real,
    scalar,
    whole,
)
from runmat_core.builtins.arrays.ordering import argsort
from runmat_core.values import (
    Array,
    CellArray,
    FunctionHandle,
    char,
    class_of,
    from_numpy,
    size_of,
    to_numpy,
)
from runmat_core.values.accumulation import ACCUMULATED
from runmat_core.values.deferred import all_settled
from runmat_core.values.handle import builtin_named
from runmat_core.values.kept_positions import places_of
from runmat_core.values.sparse import SparseArray, from_triplets


def _extents(sz: Any, name: str) -> list[int]:
    extents: list[int] = whole(sz, name).tolist()
    if len(extents) < 2:
        raise MatlabError(
            f"MATLAB:{name}:InvalidSize", "Size vector must have at least two elements."
        )
    return extents


def _fitted(extents: list[int], count: int) -> list[int]:
    """`extents` for `count` subscripts: the trailing ones multiplied into the last."""
    if count >= len(extents):
        return extents + [1] * (count - len(extents))
    return [*extents[: count - 1], int(np.prod(extents[count - 1 :]))]


@builtin("sub2ind", family="arrays/indexing", effects="pure")
def sub2ind(sz: Any, *subscripts: Any) -> Any:
    """Linear index of subscripts.

    IND = sub2ind(SZ, I, J, …)

    Examples:
        >> sub2ind([3 4], 2, 3)
        ans =
             8

    See also: ind2sub, find.
    """
    if not subscripts:
        raise not_enough_inputs()
    extents = _fitted(_extents(sz, "sub2ind"), len(subscripts))
    arrays = [real(s, "sub2ind").astype(np.float64, copy=False) for s in subscripts]
    if len({a.shape for a in arrays}) > 1:
        raise MatlabError(
            "MATLAB:sub2ind:SubscriptVectorSize",
            "The subscript vectors must all be of the same size.",
        )
    found = [places_of(a) for a in arrays]
    if all(p is not None and p.stop <= e for p, e in zip(found, extents, strict=True)):
        at = _places([p.where for p in found if p is not None], extents)
        return from_numpy((at + 1).astype(np.float64).reshape(arrays[0].shape, order="F"))
    index = np.ones(arrays[0].shape)
    stride = 1
    for a, extent in zip(arrays, extents, strict=True):
        if ((a < 1) | (a > extent)).any():
            raise MatlabError("MATLAB:sub2ind:IndexOutOfRange", "Out of range subscript.")
        if (a != np.floor(a)).any():
            raise MatlabError(
                "MATLAB:sub2ind:SubscriptNotInteger", "Subscripts must be positive integers."
            )
        index = index + (a - 1) * stride
        stride *= extent
    return from_numpy(index)


@builtin("ind2sub", family="arrays/indexing", nargout=None, needs=("nargout",), effects="pure")
def ind2sub(sz: Any, ind: Any, *, nargout: int) -> Any:
    """Subscripts of linear indices.

    [I, J, …] = ind2sub(SZ, IND): the last output folds the remaining extents

    Examples:
        >> [i, j] = ind2sub([3 4], 8)
        i =
             2
        j =
             3

    See also: sub2ind, find.
    """
    index = real(ind, "ind2sub").astype(np.float64, copy=False)
    extents = _fitted(_extents(sz, "ind2sub"), max(nargout, 1))
    places = places_of(index)
    if places is None:
        raise MatlabError(
            "MATLAB:ind2sub:IndexOutOfRange", "Linear indices must be positive integers."
        )
    if places.stop > math.prod(extents):
        raise MatlabError("MATLAB:ind2sub:IndexOutOfRange", "Index out of range.")
    rest = index - 1
    subscripts = []
    for extent in extents[:-1]:
        # exact: quotients of integers below 2^52 do not round up to the next one
        quotient = np.floor(rest / extent) if extent else rest // 1
        rest -= quotient * extent
        rest += 1
        subscripts.append(from_numpy(rest))
        rest = quotient
    subscripts.append(from_numpy(rest + 1))
    return tuple(subscripts) if nargout > 1 else subscripts[0]


# -- grouping -----------------------------------------------------------------------------------


@builtin("accumarray", family="arrays/indexing", nargin=(2, 6), needs=("interp",), pending="view")
def accumarray(
    subs: Any,
    vals: Any,
    sz: Any = None,
    fun: Any = None,
    fill: Any = None,
    sparse: Any = None,
    *,
    interp: Any,
) -> Any:
    """Array of sums of the values that share a subscript.

    A = accumarray(SUBS, VALS) has one row of SUBS for each value
    A = accumarray(SUBS, VALS, SZ) gives the size of A
    A = accumarray(SUBS, VALS, SZ, FUN) applies FUN to each group instead of sum
    A = accumarray(SUBS, VALS, SZ, FUN, FILL) fills the places without values

    Examples:
        >> accumarray([1; 2; 1], [10; 20; 30])
        ans =
            40
            20
        >> accumarray([1; 3], [5; 7], [3 1], @max)
        ans =
             5
             0
             7

    See also: histcounts, sum, unique, sparse.
    """
    columns, largest = _subscripts(subs)
    values = numeric(vals, "accumarray").ravel(order="F")
    count = columns[0].size if columns else 0
    if values.size not in (1, count):
        raise MatlabError(
            "MATLAB:accumarray:ValNotScalarOrVector",
            "Second input VAL must be a vector with one element for each row in SUBS, or a scalar.",
        )
    if values.size != count:
        values = np.broadcast_to(values, (count,))
    if not columns:
        raise _not_positive()
    shape = _accumulated_shape(largest, sz)
    is_sparse = sparse is not None and bool(scalar(sparse))
    name = builtin_named(fun) if isinstance(fun, FunctionHandle) else "sum"
    if is_sparse and name == "sum" and len(columns) == len(shape) == 2 and not _fills(fill):
        doubles = values.astype(np.result_type(values, np.float64))
        return from_triplets(columns[0], columns[1], doubles, (shape[0], shape[1]))
    check_size(shape, 8)
    if len(shape) < len(columns) or not count:
        shape = (*shape, *[1] * (len(columns) - len(shape)))
    filler = 0.0 if fill is None or to_numpy(fill).size == 0 else scalar(fill)
    at = _places(columns, shape)
    if name in ACCUMULATED and values.dtype.kind in "fb":
        doubles = values.astype(np.float64, copy=False)
        flat = ACCUMULATED[name](at, doubles, math.prod(shape), filler)
        single = values.dtype == np.float32 and name != "numel"
        kept = np.float32 if single else np.float64
        result = from_numpy(flat.astype(kept, copy=False).reshape(shape, order="F"))
    else:
        result = _by_function(fun, at, values, shape, filler, interp)
    if is_sparse:
        return SparseArray.from_dense(to_numpy(result))
    return result


def _fills(fill: Any) -> bool:
    """Whether what has no values is anything but zero."""
    return fill is not None and bool((to_numpy(fill) != 0).any())


def _not_positive() -> MatlabError:
    return MatlabError(
        "MATLAB:accumarray:nonPosIntIndValues",
        "First input SUBS must contain positive integer subscripts.",
    )


def _subscripts(subs: Any) -> tuple[list[NDArray[np.intp]], list[int]]:
    """Columns of subscripts from zero, and one past the largest of each."""
    if isinstance(subs, CellArray):
        found = [_column(s) for s in subs.items()]
        if len({column.size for column, _ in found}) != 1:
            raise MatlabError(
                "MATLAB:accumarray:cellSubs", "Index vectors must all have the same length."
            )
        return [column for column, _ in found], [stop for _, stop in found]
    shape = size_of(subs)
    if len(shape) > 2:
        raise MatlabError("MATLAB:accumarray:SUBSnotMatrix", "First input must be a matrix.")
    flat, stop = _column(subs)
    if shape[1] == 1:
        return [flat], [stop]
    columns = list(flat.reshape(shape, order="F").T)
    return columns, [int(column.max()) + 1 if column.size else 0 for column in columns]


def _column(subs: Any) -> tuple[NDArray[np.intp], int]:
    """All elements of an array of subscripts from zero, and one past the largest."""
    if subs.__class__ is Array and subs.data.dtype.kind == "f":
        places = places_of(subs.data)
        if places is not None:
            return places
    a = whole(subs, "accumarray")
    if a.size and a.min() < 1:
        raise _not_positive()
    return a - 1, int(a.max()) if a.size else 0


def _places(columns: Sequence[NDArray[np.intp]], shape: Sequence[int]) -> NDArray[np.intp]:
    """Places from zero in an array of a size, of subscripts from zero."""
    at = columns[0]
    stride = 1
    for extent, column in zip(shape, columns[1:], strict=False):
        stride *= extent
        at = at + column * stride
    return at


def _accumulated_shape(largest: list[int], sz: Any) -> tuple[int, ...]:
    if sz is None or to_numpy(sz).size == 0:
        if not largest:
            return (0, 0)
        return canonical_shape(largest) if len(largest) > 1 else (largest[0], 1)
    shape = tuple(whole(sz, "accumarray").tolist())
    padded = [*largest, *[1] * (len(shape) - len(largest))]
    vector_fits = (
        len(largest) == 1 and len(shape) == 2 and 1 in shape and largest[0] <= math.prod(shape)
    )
    if not vector_fits and (
        len(padded) != len(shape) or any(m > e for m, e in zip(padded, shape, strict=True))
    ):
        raise MatlabError(
            "MATLAB:accumarray:OutOfBounds",
            "First input SUBS and third input SZ must satisfy ALL(MAX(SUBS)<=SZ).",
        )
    return shape


def _by_function(
    fun: Any,
    at: NDArray[Any],
    values: NDArray[Any],
    shape: Sequence[int],
    filler: float,
    interp: Any,
) -> Any:
    order = argsort(at, 0)
    ordered, placed = values[order].reshape(-1, 1), at[order]
    starts = np.flatnonzero(np.r_[True, placed[1:] != placed[:-1]]) if at.size else order
    places = placed[starts]
    groups = [ordered[a:b] for a, b in pairwise([*starts.tolist(), at.size])]
    call = fun if fun is not None and class_of(fun) == "function_handle" else char("sum")
    found = all_settled(interp.call(call, [from_numpy(g)], 1) for g in groups)
    if found and all(item.__class__ is float for item in found):
        flat = np.full(int(np.prod(shape)), filler)
        flat[places] = found
        return from_numpy(flat.reshape(shape, order="F"))
    if found and class_of(found[0]) == "cell":
        cells = np.empty(int(np.prod(shape)), object)
        for k in range(cells.size):
            cells[k] = from_numpy(np.zeros((0, 0)))
        for place, item in zip(places, found, strict=True):
            cells[place] = item.items()[0]
        return CellArray(cells.reshape(shape, order="F"))
    results = [to_numpy(item) for item in found]
    dtype = np.result_type(*results) if results else np.dtype(np.float64)
    flat = np.full(int(np.prod(shape)), filler, np.float64 if dtype == np.bool_ else dtype)
    for place, item in zip(places, results, strict=True):
        if item.size != 1:
            raise MatlabError(
                "MATLAB:accumarray:FUNNotScalar",
                "The function FUN must return a scalar or a 1-by-1 cell.",
            )
        flat[place] = item.flat[0]
    if dtype == np.bool_:
        flat = flat != 0
    return from_numpy(flat.reshape(shape, order="F"))
