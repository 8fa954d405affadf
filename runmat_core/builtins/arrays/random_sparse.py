"""Random sparse matrices, and functions of their nonzero elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.random.stream import RandomStream, stream_of
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import check_size, integer, numeric, real, scalar
from runmat_core.builtins.arrays.conditioned_sparse import (
    shifted,
    spread_values,
    with_eigenvalues,
    with_singular_values,
)
from runmat_core.values import SparseArray, from_numpy, size_of
from runmat_core.values.sparse import as_matrix, from_triplets

Draw = Callable[[int], NDArray[Any]]


def _share(value: Any, name: str) -> float:
    density = scalar(value, "Density")
    if np.isnan(density):
        raise MatlabError(f"MATLAB:{name}:InvalidDensity", "The density must not be NaN.")
    return min(max(density, 0.0), 1.0)


def _places(shape: tuple[int, int], density: float, stream: RandomStream) -> Any:
    """Rows and columns of about the share `density` of the elements, each place once."""
    wanted = round(shape[0] * shape[1] * density)
    check_size((wanted,), 16)
    if not wanted:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    rows = (stream.uniform(wanted) * shape[0]).astype(np.intp)
    columns = (stream.uniform(wanted) * shape[1]).astype(np.intp)
    pairs = np.unique(columns * shape[0] + rows)
    return pairs % shape[0], pairs // shape[0]


def _pattern(x: Any, name: str) -> tuple[Any, Any, tuple[int, int]]:
    numeric(x, name)
    if len(size_of(x)) > 2:
        raise MatlabError(f"MATLAB:{name}:inputMustBe2D", "Input must be 2-D.")
    matrix = as_matrix(x).tocoo()
    keep = matrix.data != 0
    return matrix.row[keep], matrix.col[keep], matrix.shape


def _reciprocals(value: Any, name: str) -> NDArray[Any]:
    return real(value, name).ravel(order="F").astype(np.float64)


def _random(name: str, args: tuple[Any, ...], draw: Draw, stream: RandomStream) -> SparseArray:
    if len(args) == 1:
        rows, columns, shape = _pattern(args[0], name)
    elif len(args) == 3:
        shape = (max(integer(args[0], "M"), 0), max(integer(args[1], "N"), 0))
        check_size((shape[1],), 8)
        check_size((shape[0],), 8)
        rows, columns = _places(shape, _share(args[2], name), stream)
    elif len(args) == 4:
        shape = (max(integer(args[0], "M"), 0), max(integer(args[1], "N"), 0))
        check_size((max(shape),), 8)
        values = spread_values(_reciprocals(args[3], name), min(shape), name)
        return SparseArray(with_singular_values(shape, _share(args[2], name), values, stream))
    else:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return from_triplets(rows, columns, draw(rows.size), shape)


@builtin("sprand", family="arrays/sparse", nargin=(1, 4), needs=("interp",), effects="rng")
def sprand(*args: Any, interp: Interp) -> Any:
    """Sparse matrix of uniformly distributed random numbers.

    R = sprand(S) has nonzero elements where S has
    R = sprand(M, N, DENSITY) has about DENSITY*M*N of them
    R = sprand(M, N, DENSITY, RC) has a reciprocal condition number of RC, or, where RC is a vector,
    these singular values

    Examples:
        >> nnz(sprand(speye(3)))
        ans =
             3

    See also: sprandn, sprandsym, rand, sparse.
    """
    stream = stream_of(interp)
    return _random("sprand", args, stream.uniform, stream)


@builtin("sprandn", family="arrays/sparse", nargin=(1, 4), needs=("interp",), effects="rng")
def sprandn(*args: Any, interp: Interp) -> Any:
    """Sparse matrix of normally distributed random numbers.

    R = sprandn(S) has nonzero elements where S has
    R = sprandn(M, N, DENSITY) has about DENSITY*M*N of them
    R = sprandn(M, N, DENSITY, RC) has a reciprocal condition number of RC, or, where RC is a
    vector, these singular values

    Examples:
        >> size(sprandn(3, 4, 0.5))
        ans =
             3     4

    See also: sprand, sprandsym, randn, sparse.
    """
    stream = stream_of(interp)
    return _random("sprandn", args, stream.normal, stream)


@builtin("sprandsym", family="arrays/sparse", nargin=(1, 4), needs=("interp",), effects="rng")
def sprandsym(
    s: Any, density: Any = None, rc: Any = None, kind: Any = None, *, interp: Interp
) -> Any:
    """Symmetric sparse matrix of normally distributed random numbers.

    R = sprandsym(S) has nonzero elements where the lower triangle of S has, and their mirrors
    R = sprandsym(N, DENSITY) has about DENSITY*N*N of them
    R = sprandsym(N, DENSITY, RC) has a reciprocal condition number of RC, or, where RC is a vector,
    these eigenvalues
    R = sprandsym(N, DENSITY, RC, KIND) is positive definite: by rotations of a diagonal matrix (1),
    or by a shift (2); R = sprandsym(S, [], RC, 3) by a shift of a matrix with the pattern of S

    Examples:
        >> issymmetric(full(sprandsym(4, 0.5)))
        ans =
          logical
           1

    See also: sprand, sprandn, sparse.
    """
    stream = stream_of(interp)
    if rc is None:
        return _symmetric(s, density, stream)
    way = 0 if kind is None else integer(kind, "KIND")
    if way not in (0, 1, 2, 3):
        raise MatlabError("MATLAB:sprandsym:InvalidKind", "KIND must be 1, 2 or 3.")
    given = _reciprocals(rc, "sprandsym")
    if way > 1:
        if given.size != 1 or not 0 < given[0] <= 1:
            raise MatlabError(
                "MATLAB:sprandsym:InvalidRC", "RC must be a number above 0, 1 at most."
            )
        made = _symmetric(s, None if way == 3 else density, stream)
        return SparseArray(shifted(made.data, float(given[0])))
    size = max(integer(s, "N"), 0)
    check_size((size,), 8)
    values = spread_values(given, size, "sprandsym")
    if given.size == 1 and not way:
        values = np.where(stream.uniform(size) < 0.5, -values, values)
    if way and (values <= 0).any():
        raise MatlabError(
            "MATLAB:sprandsym:InvalidRC", "A positive definite matrix has positive eigenvalues."
        )
    return SparseArray(with_eigenvalues(size, _share(density, "sprandsym"), values, stream))


def _symmetric(s: Any, density: Any, stream: RandomStream) -> SparseArray:
    """Return normally distributed elements where `s` has some, or at random in a square."""
    if density is None:
        rows, columns, shape = _pattern(s, "sprandsym")
        if shape[0] != shape[1]:
            raise MatlabError("MATLAB:sprandsym:SquareMatrix", "Matrix must be square.")
    else:
        n = max(integer(s, "N"), 0)
        check_size((n,), 8)
        shape = (n, n)
        rows, columns = _places(shape, _share(density, "sprandsym"), stream)
    below = rows > columns
    on = rows == columns
    rows, columns = np.r_[rows[below], rows[on]], np.r_[columns[below], columns[on]]
    values = stream.normal(rows.size)
    mirrored = slice(int(below.sum()))
    return from_triplets(
        np.r_[rows, columns[mirrored]],
        np.r_[columns, rows[mirrored]],
        np.r_[values, values[mirrored]],
        shape,
    )


@builtin("spfun", family="arrays/sparse", needs=("interp",))
def spfun(function: Any, s: Any, *, interp: Interp) -> Any:
    """Function of the nonzero elements of a sparse matrix; zeros stay zeros.

    F = spfun(FUN, S) calls FUN with the column of all nonzero elements

    Examples:
        >> full(spfun(@exp, sparse([0 0; 1 0])))
        ans =
                 0         0
            2.7183         0

    See also: sparse, nonzeros, spones.
    """
    if not isinstance(s, SparseArray):
        numeric(s, "spfun")
    matrix = as_matrix(s).tocoo()
    order = np.lexsort((matrix.row, matrix.col))
    order = order[matrix.data[order] != 0]
    kind = np.complex128 if matrix.dtype.kind == "c" else np.float64
    values = matrix.data[order].astype(kind)
    result = numeric(interp.call(function, [from_numpy(values.reshape(-1, 1))]), "spfun")
    if result.size not in (1, values.size):
        raise MatlabError(
            "MATLAB:spfun:SizeMismatch", "The function must return one value for each element."
        )
    found = np.broadcast_to(result.ravel(order="F"), values.shape)
    return from_triplets(matrix.row[order], matrix.col[order], found.copy(), matrix.shape)
