"""Matrices with a structure: diagonals, triangles, grids, products, special matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import check_size, integer, numeric
from runmat_core.builtins.arrays import sparse_rules
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.values import DTYPE, Array, class_of, from_numpy, numel_of
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import all_settled
from runmat_core.values.hooks import is_captured
from runmat_core.values.sparse import SparseArray, as_matrix
from runmat_core.values.string import StringArray

#: Arrays whose elements are no numbers.
_ELEMENTS = (CharArray, StringArray, CellArray, ArrayObject)


def _matrix(x: Any, name: str) -> NDArray[Any]:
    a = array_of(x)
    if a.dtype == object:
        raise undefined_for(name, class_of(x))
    if a.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:inputMustBe2D", "First input must be 2-D.")
    return a


@builtin("diag", family="arrays/matrices", effects="pure", pending="view")
def diag(x: Any, k: Any = 0.0) -> Any:
    """Diagonal matrix of a vector, or diagonal of a matrix.

    D = diag(V), D = diag(V, K) puts V on the K-th diagonal, above the main one for K > 0
    V = diag(A), V = diag(A, K) is the K-th diagonal as a column

    Examples:
        >> diag([1 2])
        ans =
             1     0
             0     2
        >> diag([1 2; 3 4])
        ans =
             1
             4

    See also: tril, triu, trace, blkdiag, spdiags.
    """
    offset = integer(k, "K-th diagonal input")
    if isinstance(x, SparseArray):
        return sparse_rules.diagonal(x, offset)
    a = _matrix(x, "diag")
    if 1 not in a.shape:
        bound = max(a.shape)  # beyond it there is nothing
        kept = a.diagonal(min(max(offset, -bound), bound))
        return rebuilt(x, kept.reshape(-1, 1))
    n = a.size + abs(offset)
    check_size((n, n), a.itemsize)
    result = np.zeros((n, n), a.dtype, order="F")
    at = np.arange(a.size)
    result[at + max(-offset, 0), at + max(offset, 0)] = a.ravel()
    return rebuilt(x, result)


@builtin("tril", family="arrays/matrices", effects="pure", pending="view")
def tril(x: Any, k: Any = 0.0) -> Any:
    """Lower triangle of a matrix.

    L = tril(A), L = tril(A, K) keeps the elements on and below the K-th diagonal

    Examples:
        >> tril([1 2; 3 4])
        ans =
             1     0
             3     4

    See also: triu, diag.
    """
    offset = integer(k, "K-th diagonal input")
    if isinstance(x, SparseArray):
        return sparse_rules.triangle(x, offset, False)
    return rebuilt(x, _triangle(_matrix(x, "tril"), offset, False))


#: Columns of a triangle that are taken at a time.
_BAND = 64


def _triangle(a: NDArray[Any], k: int, upper: bool) -> NDArray[Any]:
    """Return the elements on and above, or on and below the k-th diagonal."""
    rows, columns = a.shape
    result = np.zeros(a.shape, a.dtype, order="F")
    # of a square whose diagonal it is, column by column
    side = np.arange(min(_BAND, columns))
    kept = (np.greater_equal if upper else np.less_equal).outer(side, side).T
    for left in range(0, columns, _BAND):
        right = min(left + _BAND, columns)
        # a rectangle is whole, and the rows between meet the diagonal
        first, last = (min(max(at - k, 0), rows) for at in (left, right))
        whole = slice(0, first) if upper else slice(last, rows)
        result[whole, left:right] = a[whole, left:right]
        met = kept[first - left + k :, : right - left][: last - first]
        np.copyto(result[first:last, left:right], a[first:last, left:right], where=met)
    return result


@builtin("triu", family="arrays/matrices", effects="pure", pending="view")
def triu(x: Any, k: Any = 0.0) -> Any:
    """Upper triangle of a matrix.

    U = triu(A), U = triu(A, K) keeps the elements on and above the K-th diagonal

    Examples:
        >> triu([1 2; 3 4])
        ans =
             1     2
             0     4

    See also: tril, diag.
    """
    offset = integer(k, "K-th diagonal input")
    if isinstance(x, SparseArray):
        return sparse_rules.triangle(x, offset, True)
    return rebuilt(x, _triangle(_matrix(x, "triu"), offset, True))


@builtin("blkdiag", family="arrays/matrices", effects="pure")
def blkdiag(*matrices: Any) -> Any:
    """Matrix with blocks along its diagonal.

    B = blkdiag(A1, A2, …)

    Examples:
        >> blkdiag([1 2], 3)
        ans =
             1     2     0
             0     0     3

    See also: diag, horzcat, vertcat, kron.
    """
    if any(isinstance(m, SparseArray) for m in matrices):
        join = package("scipy.sparse").block_diag
        return SparseArray(join([as_matrix(m) for m in matrices], format="csc"))
    blocks = [numeric(m, "blkdiag") for m in matrices]
    if any(block.ndim > 2 for block in blocks):
        raise MatlabError("MATLAB:blkdiag:inputMustBe2D", "Inputs must be 2-D.")
    rows, columns = sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)
    dtype = np.result_type(*blocks) if blocks else np.float64
    result = np.zeros((rows, columns), dtype, order="F")
    r = c = 0
    for block in blocks:
        result[r : r + block.shape[0], c : c + block.shape[1]] = block
        r, c = r + block.shape[0], c + block.shape[1]
    return from_numpy(result if dtype != np.bool_ else result.astype(np.float64))


@builtin(
    "meshgrid",
    family="arrays/grids",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    pending="keep",
    captures="operator",
)
def meshgrid(x: Any, y: Any = None, z: Any = None, *, nargout: int) -> Any:
    """Coordinates of a grid: X changes along columns, Y along rows.

    [X, Y] = meshgrid(x, y), [X, Y] = meshgrid(x) with y = x
    [X, Y, Z] = meshgrid(x, y, z)

    Examples:
        >> [X, Y] = meshgrid(1:3, 1:2)
        X =
             1     2     3
             1     2     3
        Y =
             1     1     1
             2     2     2

    See also: ndgrid, repmat.
    """
    later = NotImplemented
    if z is None and nargout < 3:
        later = _grid((x, x if y is None else y), (1, 0), nargout)
    elif z is not None and y is not None:
        later = _grid((x, y, z), (1, 0, 2), nargout)
    if later is not NotImplemented:
        return later
    given = [v for v in (x, y, z) if v is not None]
    axes = list(all_settled(given))
    while len(axes) < max(nargout, 2):
        axes.append(axes[-1] if len(axes) < 2 or y is None else axes[0])
    return _spanned("meshgrid", axes, "xy", nargout)


@builtin(
    "ndgrid",
    family="arrays/grids",
    nargout=None,
    needs=("nargout",),
    effects="pure",
    pending="keep",
    captures="operator",
)
def ndgrid(x: Any, *more: Any, nargout: int) -> Any:
    """Coordinates of a grid: the k-th array changes along the k-th dimension.

    [X1, X2, …] = ndgrid(x1, x2, …), [X1, …, Xn] = ndgrid(x) with all vectors x; X = ndgrid(x) is
    the column x(:)

    Examples:
        >> [X, Y] = ndgrid(1:2, 1:3)
        X =
             1     1     1
             2     2     2
        Y =
             1     2     3
             1     2     3

    See also: meshgrid, repmat.
    """
    vectors = [x, *more] if more else [x] * max(nargout, 1)
    if nargout <= len(vectors):
        later = _grid(vectors, tuple(range(len(vectors))), nargout)
        if later is not NotImplemented:
            return later
    return _spanned("ndgrid", list(all_settled(vectors)), "ij", nargout)


def _spanned(name: str, axes: list[Any], indexing: Literal["ij", "xy"], nargout: int) -> Any:
    """Return the grids of vectors of numbers, or of elements of any other class."""
    others = {k for k, axis in enumerate(axes) if isinstance(axis, _ELEMENTS)}
    vectors = [
        np.arange(numel_of(axis)) if k in others else numeric(axis, name).ravel(order="F")
        for k, axis in enumerate(axes)
    ]
    grids: Sequence[NDArray[Any]] = np.meshgrid(*vectors, indexing=indexing)
    if len(grids) == 1:
        grids = [grids[0].reshape(-1, 1)]
    found = tuple(
        _picked(axes[k], grid) if k in others else from_numpy(grid)
        for k, grid in enumerate(grids[: max(nargout, 1)])
    )
    return found if nargout > 1 else found[0]


def _picked(value: Any, where: NDArray[np.intp]) -> Any:
    """Return the elements at positions from zero."""
    if isinstance(value, ArrayObject):
        return value.take(where)
    return type(value)(np.asfortranarray(value.data.ravel(order="F")[where]))


def _grid(vectors: Sequence[Any], axes: tuple[int, ...], nargout: int) -> Any:
    """Return the arrays of a large grid, made where they are used.

    NotImplemented for a small one.
    """
    sizes = []
    size = 1
    for vector in vectors:
        if vector.__class__ is not Array and class_of(vector) not in DTYPE:
            return NotImplemented
        count = vector.data.size if vector.__class__ is Array else numel_of(vector)
        sizes.append(count)
        size *= count
    if not is_captured(size):
        return NotImplemented
    return _views().grid(vectors[: max(nargout, 1)], axes, tuple(sizes))


@cache
def _views() -> Any:
    """Return the module that makes grids of views; few programs load it."""
    from runmat_core.accel.capture import matrices

    return matrices


# -- special matrices ---------------------------------------------------------------------------


@builtin("magic", family="arrays/special", effects="pure")
def magic(n: Any) -> Any:
    """Magic square: rows, columns and diagonals have the same sum.

    M = magic(N)

    Examples:
        >> magic(4)
        ans =
            16     2     3    13
             5    11    10     8
             9     7     6    12
             4    14    15     1

    See also: hilb, vander, sum.
    """
    order = max(integer(n, "N"), 0)
    if order == 2:
        return from_numpy(np.array([[1.0, 3.0], [4.0, 2.0]]))
    if order % 2:
        square = _odd_magic(order)
    elif order % 4 == 0:
        square = np.arange(1, order * order + 1).reshape(order, order)
        edge = np.arange(1, order + 1) % 4 // 2
        square = np.where(edge[:, None] == edge[None, :], order * order + 1 - square, square)
    else:
        square = _singly_even_magic(order)
    return from_numpy(square.astype(np.float64))


def _odd_magic(n: int) -> NDArray[Any]:
    """Return the siamese square, with the orientation that starts 8 1 6 for n = 3."""
    rows, columns = np.mgrid[1 : n + 1, 1 : n + 1]
    high = (rows + columns - (n + 3) // 2) % n
    low = (rows + 2 * columns - 2) % n
    return np.asarray(n * high + low + 1)


def _singly_even_magic(n: int) -> NDArray[Any]:
    """Return the LUX construction from an odd square of half the order."""
    half = n // 2
    quarter = _odd_magic(half)
    size = half * half
    square = np.block([[quarter, quarter + 2 * size], [quarter + 3 * size, quarter + size]])
    k = (n - 2) // 4
    columns = [*range(k), *range(n - k + 1, n)]
    top, bottom = square[:half].copy(), square[half:].copy()
    square[:half, columns], square[half:, columns] = bottom[:, columns], top[:, columns]
    middle = half // 2
    for column in (0, k):
        square[[middle, middle + half], column] = square[[middle + half, middle], column]
    return np.asarray(square)


@builtin("hilb", family="arrays/special", effects="pure")
def hilb(n: Any) -> Any:
    """Hilbert matrix, 1/(i+j-1), a classic of bad conditioning.

    H = hilb(N)

    Examples:
        >> hilb(2)
        ans =
            1.0000    0.5000
            0.5000    0.3333

    See also: magic, cond.
    """
    k = np.arange(integer(n, "N"))
    return from_numpy(1.0 / (k[:, None] + k[None, :] + 1))


@builtin("vander", family="arrays/special", effects="pure")
def vander(v: Any) -> Any:
    """Vandermonde matrix, whose columns are powers of a vector.

    A = vander(V)

    Examples:
        >> vander([1 2 3])
        ans =
             1     1     1
             4     2     1
             9     3     1

    See also: polyfit, hilb.
    """
    return from_numpy(np.vander(numeric(v, "vander").ravel(order="F")))


@builtin("toeplitz", family="arrays/special", effects="pure")
def toeplitz(c: Any, r: Any = None) -> Any:
    """Matrix with constant diagonals.

    T = toeplitz(C, R) has first column C and first row R
    T = toeplitz(R) is symmetric (Hermitian for complex R)

    Examples:
        >> toeplitz([1 2 3])
        ans =
             1     2     3
             2     1     2
             3     2     1

    See also: hankel, vander.
    """
    column = numeric(c, "toeplitz").ravel(order="F")
    if r is None:
        row = column
        column = np.conj(column) if column.dtype.kind == "c" else column
        column = np.concatenate([row[:1], column[1:]])
    else:
        row = numeric(r, "toeplitz").ravel(order="F")
    values = np.concatenate([row[:0:-1], column])
    at = np.arange(column.size)[:, None] - np.arange(row.size)[None, :] + row.size - 1
    return from_numpy(values[at])


@builtin("hankel", family="arrays/special", effects="pure")
def hankel(c: Any, r: Any = None) -> Any:
    """Matrix with constant antidiagonals.

    H = hankel(C) is zero below the first antidiagonal
    H = hankel(C, R) has first column C and last row R

    Examples:
        >> hankel([1 2 3])
        ans =
             1     2     3
             2     3     0
             3     0     0

    See also: toeplitz, vander.
    """
    column = numeric(c, "hankel").ravel(order="F")
    row = np.zeros_like(column) if r is None else numeric(r, "hankel").ravel(order="F")
    values = np.concatenate([column, row[1:]])
    at = np.arange(column.size)[:, None] + np.arange(row.size)[None, :]
    return from_numpy(values[at])
