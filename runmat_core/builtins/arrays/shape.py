"""Rearranging arrays without changing their elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import (
    canonical_shape,
    check_size,
    dimension,
    first_axis,
    integer,
    shape_from,
    whole,
)
from runmat_core.builtins.arrays import sparse_moves
from runmat_core.builtins.arrays.creation import generators
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.values import Array, cat, class_of, horzcat, numel_of, share, size_of, vertcat
from runmat_core.values.hooks import is_captured
from runmat_core.values.sparse import SparseArray


@builtin("reshape", family="arrays/shape", effects="pure", pending="view")
def reshape(x: Any, *sizes: Any) -> Any:
    """Same elements in another shape, column by column.

    B = reshape(A, SZ), B = reshape(A, M, N, …)
    B = reshape(A, …, [], …): one extent is computed from the number of elements

    Examples:
        >> reshape(1:6, 2, 3)
        ans =
             1     3     5
             2     4     6
        >> reshape(1:6, [], 2)
        ans =
             1     4
             2     5
             3     6

    See also: permute, squeeze, repmat, size.
    """
    if not sizes:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if x.__class__ is Array and len(sizes) == 2 and x.data.size > 1:
        rows, columns = sizes
        if (
            rows.__class__ is float
            and columns.__class__ is float
            and rows * columns == x.data.size
            and rows > 0
            and rows.is_integer()
            and columns.is_integer()
        ):
            shaped: Array = object.__new__(Array)
            shaped.data = x.data.reshape((int(rows), int(columns)), order="F")
            return shaped
    shape = _target(numel_of(x), sizes)
    if shape == size_of(x):
        return share(x)
    if isinstance(x, SparseArray) and len(shape) == 2:
        return SparseArray(x.data.reshape(shape, order="F"))
    elements = array_of(x)
    if elements.size != numel_of(x):
        raise undefined_for("reshape", class_of(x))
    return rebuilt(x, elements.reshape(shape, order="F"))


def _target(count: int, sizes: Sequence[Any]) -> tuple[int, ...]:
    if len(sizes) == 2 and sizes[0].__class__ is float and sizes[1].__class__ is float:
        rows, columns = sizes
        if rows * columns == count and rows >= 0 and rows % 1 == 0 and columns % 1 == 0:
            return int(rows), int(columns)
    if len(sizes) == 1:
        if numel_of(sizes[0]) < 2:
            raise MatlabError(
                "MATLAB:getReshapeDims:sizeVector", "Size vector must have at least two elements."
            )
        shape = shape_from(sizes)
    else:
        open_axes = [k for k, extent in enumerate(sizes) if numel_of(extent) == 0]
        if len(open_axes) > 1:
            raise MatlabError(
                "MATLAB:getReshapeDims:unknownDim", "Size can only have one unknown dimension."
            )
        given = [0 if k in open_axes else integer(e, "Size") for k, e in enumerate(sizes)]
        for axis in open_axes:
            rest = int(np.prod([extent for k, extent in enumerate(given) if k != axis]))
            if rest == 0 or count % rest:
                raise MatlabError(
                    "MATLAB:getReshapeDims:notDivisible",
                    f"Product of known dimensions, {rest}, not divisible into total number of "
                    f"elements, {count}.",
                )
            given[axis] = count // rest
        shape = canonical_shape(given)
    if math.prod(shape) != count:
        raise MatlabError(
            "MATLAB:getReshapeDims:notSameNumel",
            "Number of elements must not change. Use [] as one of the size inputs to "
            "automatically calculate the appropriate size for that dimension.",
        )
    return shape


def _order(value: Any, rank: int) -> tuple[int, ...]:
    order = tuple(int(k) - 1 for k in whole(value, "permute"))
    if sorted(order) != list(range(len(order))):
        raise MatlabError(
            "MATLAB:permute:badIndex", "ORDER must contain unique positive integers 1 to N."
        )
    if len(order) < rank:
        raise MatlabError(
            "MATLAB:permute:tooFewIndices",
            "ORDER must have at least N elements for an N-D array.",
        )
    return order


@builtin("permute", family="arrays/shape", effects="pure", pending="view")
def permute(x: Any, order: Any) -> Any:
    """Array with its dimensions in another order.

    B = permute(A, ORDER)

    Examples:
        >> size(permute(ones(2, 3, 4), [3 1 2]))
        ans =
             4     2     3

    See also: ipermute, transpose, reshape, squeeze.
    """
    if isinstance(x, SparseArray):
        return sparse_moves.transposed(x) if _order(order, 2)[0] else share(x)
    a = array_of(x)
    axes = _order(order, a.ndim)
    return rebuilt(x, a.reshape(a.shape + (1,) * (len(axes) - a.ndim)).transpose(axes))


@builtin("ipermute", family="arrays/shape", effects="pure", pending="view")
def ipermute(x: Any, order: Any) -> Any:
    """Undo permute: permute(ipermute(A, ORDER), ORDER) is A.

    B = ipermute(A, ORDER)

    Examples:
        >> size(ipermute(ones(4, 2, 3), [3 1 2]))
        ans =
             2     3     4

    See also: permute.
    """
    a = array_of(x)
    axes = _order(order, a.ndim)
    inverse = np.argsort(axes)
    return rebuilt(x, a.reshape(a.shape + (1,) * (len(axes) - a.ndim)).transpose(inverse))


@builtin("squeeze", family="arrays/shape", effects="pure", pending="view")
def squeeze(x: Any) -> Any:
    """Array without its dimensions of extent one; matrices stay as they are.

    B = squeeze(A)

    Examples:
        >> size(squeeze(ones(2, 1, 3)))
        ans =
             2     3
        >> size(squeeze(ones(1, 1, 3)))
        ans =
             3     1

    See also: permute, reshape, shiftdim.
    """
    shape = size_of(x)
    if len(shape) == 2:
        return share(x)
    kept = [extent for extent in shape if extent != 1]
    return rebuilt(x, array_of(x).reshape(kept + [1] * (2 - len(kept)), order="F"))


@builtin("shiftdim", family="arrays/shape", nargout=2, needs=("nargout",), effects="pure")
def shiftdim(x: Any, n: Any = None, *, nargout: int) -> Any:
    """Array with its dimensions shifted.

    B = shiftdim(A, N) moves the first N dimensions to the end, or adds -N leading ones
    [B, N] = shiftdim(A) removes leading dimensions of extent one

    Examples:
        >> size(shiftdim(ones(1, 1, 3)))
        ans =
             3     1

    See also: permute, squeeze.
    """
    a = array_of(x)
    shift = (first_axis(a.shape) if a.size != 1 else 0) if n is None else integer(n)
    if abs(shift) > 30:
        raise MatlabError("MATLAB:shiftdim:tooFar", "N must be at most 30 in magnitude.")
    if shift < 0:
        moved = a.reshape((1,) * -shift + a.shape, order="F")
    else:
        moved = a.transpose(np.roll(range(a.ndim), -(shift % a.ndim)))
    value = rebuilt(x, moved)
    return (value, float(shift)) if nargout > 1 else value


@builtin("cat", family="arrays/shape", effects="pure", pending="keep", captures="operator")
def cat_(dim: Any, *arrays: Any) -> Any:
    """Join arrays along a dimension.

    C = cat(DIM, A1, A2, …)

    Examples:
        >> cat(1, [1 2], [3 4])
        ans =
             1     2
             3     4

    See also: horzcat, vertcat, repmat.
    """
    return cat(dimension(dim) + 1, *arrays)


@builtin("horzcat", family="arrays/shape", effects="pure", pending="keep", captures="operator")
def horzcat_(*arrays: Any) -> Any:
    """Join arrays side by side, the function form of ``[A, B]``.

    C = horzcat(A1, A2, …)

    Examples:
        >> horzcat([1 2], 3)
        ans =
             1     2     3

    See also: vertcat, cat.
    """
    return horzcat(*arrays)


@builtin("vertcat", family="arrays/shape", effects="pure", pending="keep", captures="operator")
def vertcat_(*arrays: Any) -> Any:
    """Join arrays one below the other, the function form of ``[A; B]``.

    C = vertcat(A1, A2, …)

    Examples:
        >> vertcat(1, 2)
        ans =
             1
             2

    See also: horzcat, cat.
    """
    return vertcat(*arrays)


@builtin("repmat", family="arrays/shape", effects="pure", pending="view")
def repmat(x: Any, *counts: Any) -> Any:
    """Array made of copies of another.

    B = repmat(A, N) is N-by-N copies
    B = repmat(A, M, N, …), B = repmat(A, [M N …])

    Examples:
        >> repmat([1 2], 2, 2)
        ans =
             1     2     1     2
             1     2     1     2

    See also: repelem, kron, ones, bsxfun.
    """
    if not counts:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    numbers = all(count.__class__ is float for count in counts)
    times = _times(counts) if numbers else _counted(counts)
    if x.__class__ is float and is_captured(math.prod(times)):
        later = generators().fill(x, times, "double")
        if later is not NotImplemented:
            return later
    if isinstance(x, SparseArray) and len(times) == 2:
        return sparse_moves.tiled(x, (times[0], times[1]))
    a = array_of(x)
    rank = max(len(times), a.ndim)
    extents = a.shape + (1,) * (rank - a.ndim)
    times += (1,) * (rank - len(times))
    shape = tuple(extent * count for extent, count in zip(extents, times, strict=True))
    check_size(shape, a.itemsize)
    # an axis for the copies after each axis of the array; folding the pairs copies once
    pairs = [e for extent in extents for e in (extent, 1)]
    copies = [e for pair in zip(extents, times, strict=True) for e in pair]
    tiled = np.broadcast_to(a.reshape(pairs, order="F"), copies)
    made = tiled.reshape(shape, order="F")
    # one copy of each is a view of the argument, which may not be written to
    return rebuilt(x, made if made.flags.writeable else made.copy(order="F"))


def _counted(counts: tuple[Any, ...]) -> tuple[int, ...]:
    """How many copies there are along each dimension."""
    return shape_from([float(e) for c in counts for e in whole(c, "repmat")])


#: The same for numbers.
_times = lru_cache(maxsize=256)(_counted)


@builtin("repelem", family="arrays/shape", effects="pure", pending="view")
def repelem(x: Any, *counts: Any) -> Any:
    """Array with each of its elements repeated.

    U = repelem(V, N) repeats each element of a vector N times, or N(i) times
    B = repelem(A, R1, R2, …) repeats rows, columns …

    Examples:
        >> repelem([1 2 3], 2)
        ans =
             1     1     2     2     3     3

    See also: repmat, kron.
    """
    a = array_of(x)
    if not counts:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    repeats = [whole(c, "repelem") for c in counts]
    if len(repeats) == 1:
        if a.ndim != 2 or 1 not in a.shape:
            raise MatlabError(
                "MATLAB:repelem:vectorInput",
                "For one replication argument, the first input must be a vector.",
            )
        return rebuilt(x, _repeated(a, repeats[0], 1 if a.shape[0] == 1 else 0))
    for axis, repeat in enumerate(repeats):
        if axis >= a.ndim:
            a = a[..., None]
        a = _repeated(a, repeat, axis)
    return rebuilt(x, a)


def _repeated(a: Any, repeats: Any, axis: int) -> Any:
    if not repeats.size or repeats.size not in (1, a.shape[axis]) or (repeats < 0).any():
        raise MatlabError(
            "MATLAB:repelem:mismatchedReplications",
            "Replication arguments must be scalars or have one nonnegative count per element.",
        )
    return np.repeat(a, repeats if repeats.size > 1 else repeats[0], axis=axis)
