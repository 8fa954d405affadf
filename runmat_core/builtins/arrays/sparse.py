"""Sparse matrices: making and measuring them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call, Counted, Operand, Requested
from runmat_core.builtins.arguments import integer, numeric, shape_from, whole
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.values import SparseArray, class_of, from_numpy, share, size_of
from runmat_core.values.classes import DTYPE
from runmat_core.values.sparse import as_matrix, dense, from_triplets


def _sparse_shape(args: tuple[Any, ...]) -> tuple[int, int]:
    shape = shape_from(args)
    if len(shape) > 2:
        raise MatlabError(
            "MATLAB:sparse:ndArraysNotSupported", "N-dimensional arrays cannot be sparse."
        )
    return shape[0], shape[1]


def _empty(shape: tuple[int, int]) -> SparseArray:
    none = np.zeros(0, np.intp)
    return from_triplets(none, none, np.zeros(0), shape)


def _places(value: Any) -> Any:
    """One-based subscripts as zero-based ones."""
    a = whole(value, "sparse")
    if (a < 1).any():
        raise MatlabError(
            "MATLAB:sparse:nonPosIndex", "Index into matrix must be positive integers."
        )
    return a - 1


@builtin("sparse", family="arrays/sparse", nargin=(1, 6), effects="pure")
def sparse(*args: Any) -> Any:
    """Sparse matrix.

    S = sparse(A) converts a full matrix
    S = sparse(M, N) is all zero
    S = sparse(I, J, V) has V(k) at I(k), J(k); values at one place add up
    S = sparse(I, J, V, M, N), S = sparse(I, J, V, M, N, NZMAX)

    Examples:
        >> S = sparse([1 2], [1 3], [5 7]);
        >> full(S)
        ans =
             5     0     0
             0     0     7

    See also: full, issparse, nnz, find, speye, spdiags.
    """
    if len(args) == 1:
        value = args[0]
        if isinstance(value, SparseArray):
            return value.share()
        if class_of(value) not in {"double", "logical"}:
            raise MatlabError(
                "MATLAB:sparse:invalidInputClass",
                f"Sparse matrices of class {class_of(value)} are not supported.",
            )
        return SparseArray.from_dense(numeric(value, "sparse"))
    if len(args) == 2:
        return _empty(_sparse_shape(args))
    rows, columns = _places(args[0]), _places(args[1])
    values = numeric(args[2], "sparse").ravel(order="F")
    # one element goes with any number of others, none included
    count = next((a.size for a in (rows, columns, values) if a.size != 1), 1)
    if any(a.size not in (1, count) for a in (rows, columns, values)):
        raise MatlabError(
            "MATLAB:sparse:vectorsMustBeSameLength", "Vectors must be the same length."
        )
    rows, columns, values = (np.broadcast_to(a, (count,)) for a in (rows, columns, values))
    if len(args) > 3:
        shape = (integer(args[3], "M"), integer(args[4], "N") if len(args) > 4 else 0)
    else:
        shape = (int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1)
    if count and (rows.max() >= shape[0] or columns.max() >= shape[1]):
        raise MatlabError("MATLAB:sparse:indexExceedsDims", "Index exceeds matrix dimensions.")
    values = values if values.dtype.kind in "cb" else values.astype(np.float64)
    return from_triplets(rows, columns, values, shape)


@builtin("full", family="arrays/sparse", effects="pure")
def full(x: Any) -> Any:
    """Full matrix of a sparse one; other arrays stay as they are.

    A = full(S)

    Examples:
        >> full(speye(2))
        ans =
             1     0
             0     1

    See also: sparse, issparse.
    """
    return dense(x) if isinstance(x, SparseArray) else share(x)


@builtin("issparse", family="arrays/sparse", effects="pure", pending="keep")
def issparse(x: Any) -> Any:
    """Whether a matrix is stored as sparse.

    TF = issparse(S)

    Examples:
        >> issparse(speye(3))
        ans =
          logical
           1

    See also: sparse, full.
    """
    return isinstance(x, SparseArray)


def _nonzeros_call(x: Operand, *, nargout: int) -> Counted | None:
    """Return what a call of ``nonzeros`` asks of a library."""
    if not isinstance(x, Operand):
        return None
    rows, columns = max(x.shape[0], 1), math.prod(x.shape[1:])
    if rows * columns < 2 or x.cls not in DTYPE:
        return None

    def then(count: int) -> Requested:
        outputs = (((count, 1), x.cls),)
        return Requested((("gives", ("values",)),), outputs, False, (rows, columns, 0, count))

    return Counted(0, then)


@builtin("nonzeros", family="arrays/sparse", effects="pure", gpu=Call("compact", _nonzeros_call))
def nonzeros(x: Any) -> Any:
    """Nonzero elements, as a column.

    V = nonzeros(A)

    Examples:
        >> nonzeros([3 0; 0 4])
        ans =
             3
             4

    See also: nnz, find, spones.
    """
    if isinstance(x, SparseArray):
        return from_numpy(x.triplets()[2].reshape(-1, 1))
    numeric(x, "nonzeros")
    a = array_of(x).ravel(order="F")
    return rebuilt(x, a[a != 0].reshape(-1, 1))


@builtin("nzmax", family="arrays/sparse", effects="pure")
def nzmax(x: Any) -> Any:
    """Amount of storage for nonzero elements.

    N = nzmax(S) of a sparse matrix; the number of elements of a full one

    Examples:
        >> nzmax(speye(3))
        ans =
             3

    See also: nnz, sparse.
    """
    if isinstance(x, SparseArray):
        return float(max(x.data.nnz, 1))
    return float(numeric(x, "nzmax").size)


@builtin("spones", family="arrays/sparse", effects="pure")
def spones(x: Any) -> Any:
    """Sparse matrix with ones for the nonzero elements of another.

    R = spones(S)

    Examples:
        >> full(spones([5 0; 0 -2]))
        ans =
             1     0
             0     1

    See also: nonzeros, speye, sparse.
    """
    source = x if isinstance(x, SparseArray) else SparseArray.from_dense(numeric(x, "spones"))
    rows, columns, values = source.triplets()
    return from_triplets(rows, columns, np.ones(values.size), source.data.shape)


@builtin("speye", family="arrays/sparse", effects="pure")
def speye(*args: Any) -> Any:
    """Sparse identity matrix.

    S = speye(N), S = speye(M, N), S = speye(SZ)

    Examples:
        >> nnz(speye(4))
        ans =
             4

    See also: eye, sparse, spdiags.
    """
    shape = _sparse_shape(args)
    at = np.arange(min(shape))
    return from_triplets(at, at, np.ones(at.size), shape)


@builtin("spalloc", family="arrays/sparse", effects="pure")
def spalloc(m: Any, n: Any, nz: Any = None) -> Any:
    """Sparse matrix of zeros, with room for elements.

    S = spalloc(M, N, NZ)

    Examples:
        >> nnz(spalloc(3, 3, 5))
        ans =
             0

    See also: sparse, nzmax.
    """
    return _empty(_sparse_shape((m, n)))


@builtin("spconvert", family="arrays/sparse", effects="pure")
def spconvert(d: Any) -> Any:
    """Sparse matrix from rows of subscripts and values, as files hold it.

    S = spconvert(D): rows of D are [I J V], or [I J RE IM]; a last row with a zero value gives the
    size. What is sparse already stays as it is.

    Examples:
        >> full(spconvert([1 1 5; 2 1 6; 2 3 0]))
        ans =
             5     0     0
             6     0     0

    See also: sparse, load, find.
    """
    if isinstance(d, SparseArray):
        return d.share()
    rows = numeric(d, "spconvert")
    if rows.ndim > 2 or rows.shape[1] not in (3, 4):
        raise MatlabError(
            "MATLAB:spconvert:WrongArraySize", "The array must have three or four columns."
        )
    values = rows[:, 2] if rows.shape[1] == 3 else rows[:, 2] + 1j * rows[:, 3]
    at = [_places(from_numpy(np.ascontiguousarray(rows[:, k]).reshape(-1, 1))) for k in (0, 1)]
    i, j = (part.ravel() for part in at)
    shape = (int(i.max(initial=-1)) + 1, int(j.max(initial=-1)) + 1)
    return from_triplets(i, j, values, shape)


@builtin("spdiags", family="arrays/sparse", nargin=(1, 4), nargout=2, needs=("nargout",))
def spdiags(b: Any, d: Any = None, m: Any = None, n: Any = None, *, nargout: int) -> Any:
    """Diagonals of a matrix, or sparse matrix from its diagonals.

    S = spdiags(B, D, M, N) takes the columns of B as the diagonals D
    S = spdiags(B, D, A) replaces the diagonals D of A
    B = spdiags(A, D) extracts the diagonals D, [B, D] = spdiags(A) all nonzero ones

    Examples:
        >> full(spdiags([1 2 3; 4 5 6; 7 8 9], -1:1, 3, 3))
        ans =
             2     6     0
             1     5     9
             0     4     8

    See also: diag, speye, sparse.
    """
    if m is None:
        return _extracted(b, d, nargout)
    offsets = whole(d, "spdiags")
    if n is None:
        if len(size_of(m)) > 2:
            raise MatlabError("MATLAB:spdiags:inputMustBe2D", "A must be 2-D.")
        target = as_matrix(m).tolil(copy=True)
        shape = target.shape
    else:
        target, shape = None, (integer(m, "M"), integer(n, "N"))
    columns = numeric(b, "spdiags")
    if columns.ndim > 2 or columns.shape[1] not in (1, offsets.size):
        raise MatlabError(
            "MATLAB:spdiags:InvalidSizeBFourInput", "B must have one column for each diagonal."
        )
    if columns.shape[1] == 1 and offsets.size > 1:
        columns = np.broadcast_to(columns, (columns.shape[0], offsets.size))
    built = _from_diagonals(columns, offsets, shape)
    if target is None:
        return built
    for offset in offsets:
        if -shape[0] < offset < shape[1]:
            target.setdiag(0, k=int(offset))
    return SparseArray(target.tocsc() + built.data)


def _from_diagonals(columns: Any, offsets: Any, shape: tuple[int, int]) -> SparseArray:
    """Column k of `columns` on diagonal ``offsets[k]``; which end of it counts depends on shape."""
    rows, cols, values = [], [], []
    for k, offset in enumerate(offsets):
        i = np.arange(max(0, -offset), min(shape[0], shape[1] - offset))
        source = i + offset if shape[0] >= shape[1] else i
        if source.size and source.max() >= columns.shape[0]:
            raise MatlabError("MATLAB:spdiags:tooShort", "A column of B is too short.")
        rows.append(i)
        cols.append(i + offset)
        values.append(columns[source, k])
    if not rows:
        return _empty(shape)
    return from_triplets(np.concatenate(rows), np.concatenate(cols), np.concatenate(values), shape)


def _extracted(a: Any, d: Any, nargout: int) -> Any:
    if len(size_of(a)) > 2:
        raise MatlabError("MATLAB:spdiags:inputMustBe2D", "A must be 2-D.")
    matrix = as_matrix(
        a if isinstance(a, SparseArray) else from_numpy(numeric(a, "spdiags"))
    ).tocoo()
    present = np.unique(matrix.col - matrix.row)
    offsets = present if d is None else whole(d, "spdiags")
    rows, columns = matrix.shape
    result = np.zeros((min(rows, columns), offsets.size), matrix.dtype)
    for k, offset in enumerate(offsets):
        on = matrix.col - matrix.row == offset
        place = matrix.col[on] if rows >= columns else matrix.row[on]
        result[place, k] = matrix.data[on]
    diagonals = from_numpy(result)
    if nargout < 2:
        return diagonals
    return diagonals, from_numpy(offsets.astype(np.float64).reshape(-1, 1))
