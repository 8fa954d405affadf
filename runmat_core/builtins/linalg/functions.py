"""Matrix functions and subspaces, and products of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, dimension, first_axis, numeric, scalar
from runmat_core.builtins.arrays.sparse_rules import reduced
from runmat_core.builtins.linalg.support import (
    finite,
    is_hermitian,
    matrix,
    quiet,
    real_if_close,
    scipy_linalg,
    square,
    value_of,
)
from runmat_core.builtins.named import choice
from runmat_core.values import (
    Array,
    SparseArray,
    classes,
    ctranspose,
    from_numpy,
    is_text,
    mixed,
    spectral,
    times,
    to_numpy,
    transpose,
)


@builtin("expm", family="linalg/functions", effects="pure")
def expm(x: Any) -> Any:
    """Matrix exponential.

    Y = expm(A)

    Examples:
        >> expm(zeros(2))
        ans =
             1     0
             0     1

    See also: logm, sqrtm, exp, mpower.
    """
    a = square(x, "expm")
    return value_of(scipy_linalg().expm(a)) if a.size else from_numpy(a)


@builtin("logm", family="linalg/functions", nargout=2, needs=("nargout",), effects="pure")
def logm(x: Any, *, nargout: int = 1) -> Any:
    """Matrix logarithm, the inverse of expm.

    L = logm(A), [L, FLAG] = logm(A) with a FLAG of 0

    Examples:
        >> logm(eye(2))
        ans =
             0     0
             0     0

    See also: expm, sqrtm, log.
    """
    found = _logarithm(x)
    return (found, 0.0) if nargout > 1 else found


def _logarithm(x: Any) -> Any:
    a = finite(square(x, "logm"), "logm")
    if a.size == 0:
        return from_numpy(a)
    if is_hermitian(a):
        values, vectors = spectral.eigh(a)
        if (values > 0).all():
            return value_of((vectors * np.log(values)) @ vectors.conj().T)
    with quiet():
        return value_of(real_if_close(np.asarray(scipy_linalg().logm(a)), a))


@builtin("sqrtm", family="linalg/functions", nargout=3, needs=("nargout",), effects="pure")
def sqrtm(x: Any, *, nargout: int = 1) -> Any:
    """Matrix square root: X*X = A.

    X = sqrtm(A), [X, RESIDUAL] = sqrtm(A) with norm(A - X^2, "fro")/norm(A, "fro")
    [X, ALPHA, CONDITION] = sqrtm(A) with norm(X, "fro")^2/norm(A, "fro"), a factor of
    stability, and an estimate of the condition of the root

    Examples:
        >> sqrtm([4 0; 0 9])
        ans =
             2     0
             0     3

    See also: expm, logm, sqrt, mpower.
    """
    found = _root(x)
    if nargout < 2:
        return found
    a, root = to_numpy(x).astype(complex), to_numpy(found).astype(complex)
    size, whole = np.linalg.norm(root), np.linalg.norm(a)
    with np.errstate(all="ignore"):
        if nargout == 2:
            return found, float(np.linalg.norm(a - root @ root) / whole)
        return found, float(size**2 / whole), _root_condition(root, size, whole)


def _root_condition(root: Any, size: Any, whole: Any) -> float:
    """Return the condition of a square root in the Frobenius norm, from its Sylvester operator."""
    one = np.eye(root.shape[0])
    operator = np.kron(one, root) + np.kron(root.T, one)
    least = spectral.svd(operator, compute_uv=False)[-1] if root.size else np.inf
    return float(whole / (size * least))


def _root(x: Any) -> Any:
    a = finite(square(x, "sqrtm"), "sqrtm")
    if a.size == 0:
        return from_numpy(a)
    if not np.count_nonzero(a - np.diag(a.diagonal())):
        return value_of(np.diag(np.emath.sqrt(a.diagonal())))
    with quiet():
        return value_of(real_if_close(np.asarray(scipy_linalg().sqrtm(a)), a))


@builtin("null", family="linalg/functions", effects="pure")
def null(x: Any, tolerance: Any = None) -> Any:
    """Orthonormal basis of the null space.

    Z = null(A), Z = null(A, TOL)
    Z = null(A, "rational") is a basis from the reduced row echelon form, which is not orthonormal

    Examples:
        >> size(null([1 1; 1 1]))
        ans =
             2     1

    See also: orth, rank, svd.
    """
    if tolerance is not None and is_text(tolerance):
        choice(tolerance, ("rational",), "null")
        return _rational_null(x)
    a = finite(matrix(x, "null"), "null")
    _, s, vh = spectral.svd(a, full_matrices=True)
    return value_of(vh[_rank(a, s, tolerance) :].conj().T)


def _rational_null(x: Any) -> Any:
    reduced, pivots = (to_numpy(part) for part in rref(x, nargout=2))
    leading = pivots.ravel().astype(int) - 1
    free = np.setdiff1d(np.arange(reduced.shape[1]), leading)
    basis = np.zeros((reduced.shape[1], free.size), reduced.dtype)
    basis[free, np.arange(free.size)] = 1
    basis[leading] = -reduced[: leading.size][:, free]
    return value_of(basis + 0.0)


@builtin("orth", family="linalg/functions", effects="pure")
def orth(x: Any, tolerance: Any = None) -> Any:
    """Orthonormal basis of the range.

    Q = orth(A), Q = orth(A, TOL)

    Examples:
        >> size(orth([1 1; 1 1]))
        ans =
             2     1

    See also: null, rank, svd, qr.
    """
    a = finite(matrix(x, "orth"), "orth")
    u, s, _ = spectral.svd(a, full_matrices=False)
    return value_of(u[:, : _rank(a, s, tolerance)])


def _rank(a: Any, s: Any, tolerance: Any) -> int:
    if s.size == 0:
        return 0
    limit = max(a.shape) * np.spacing(s.max()) if tolerance is None else scalar(tolerance)
    return int((s > limit).sum())


@builtin("rref", family="linalg/functions", nargout=2, needs=("nargout",), effects="pure")
def rref(x: Any, tolerance: Any = None, *, nargout: int) -> Any:
    """Reduced row echelon form.

    R = rref(A), R = rref(A, TOL)
    [R, P] = rref(A) gives the pivot columns as well

    Examples:
        >> rref([1 2 3; 4 5 6])
        ans =
             1     0    -1
             0     1     2

    See also: rank, inv, lu.
    """
    a = matrix(x, "rref").copy()
    rows, columns = a.shape
    size = np.abs(a).sum(axis=1).max(initial=0.0)
    limit = max(rows, columns) * np.finfo(a.dtype).eps * size
    if tolerance is not None:
        limit = scalar(tolerance)
    row, pivots = 0, []
    for column in range(columns):
        if row == rows:
            break
        best = row + int(np.abs(a[row:, column]).argmax())
        if np.abs(a[best, column]) <= limit:
            a[row:, column] = 0
            continue
        pivots.append(column + 1.0)
        a[[row, best], column:] = a[[best, row], column:]
        a[row, column:] = a[row, column:] / a[row, column]
        others = np.arange(rows) != row
        a[others, column:] -= np.outer(a[others, column], a[row, column:])
        row += 1
    echelon = value_of(a + 0.0)
    return (echelon, from_numpy(np.array(pivots).reshape(1, -1))) if nargout > 1 else echelon


# -- products of vectors ------------------------------------------------------------------------


@builtin("dot", family="linalg/products", effects="pure", pending="view")
def dot(a: Any, b: Any, dim: Any = None) -> Any:
    """Scalar product; the first operand is conjugated.

    C = dot(A, B) of vectors of the same length, or of the columns of matrices
    C = dot(A, B, DIM)

    Examples:
        >> dot([1 2 3], [4 5 6])
        ans =
            32

    See also: cross, norm, mtimes.
    """
    if dim is None and a.__class__ is Array and b.__class__ is Array:
        x, y = a.data, b.data
        numbers = x.dtype is classes.DOUBLE and y.dtype is classes.DOUBLE
        vectors = x.ndim == y.ndim == 2 and 1 in x.shape and 1 in y.shape
        if numbers and vectors and x.size == y.size > 1:
            return np.vdot(x, y).item()
    if isinstance(a, SparseArray) and isinstance(b, SparseArray) and a.shape == b.shape:
        product = times(ctranspose(transpose(a)), b)
        total = reduced("sum", product, () if dim is None else (dim,))
        return product if total is None else total
    x, y = as_float(numeric(a, "dot")), as_float(numeric(b, "dot"))
    vectors = x.ndim == y.ndim == 2 and 1 in x.shape and 1 in y.shape
    if dim is None and vectors and x.size == y.size:
        return value_of(mixed.bilinear(_vdot, x.ravel().conj(), y.ravel()))
    if x.shape != y.shape:
        raise MatlabError("MATLAB:dot:InputSizeMismatch", "A and B must be same size.")
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    if x.dtype is classes.DOUBLE and y.dtype is classes.DOUBLE:
        product = classes.quiet(np.multiply, x, y)
    else:
        # the operator's rule: NumPy's own product leaves z .* conj(z) an imaginary part
        product = to_numpy(times(from_numpy(np.conj(x)), from_numpy(y)))
    if axis >= x.ndim:
        return value_of(product)
    return value_of(classes.quiet(np.add.reduce, product, axis, keepdims=True))


def _vdot(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.dot(x, y)).reshape(1, 1)


@builtin("cross", family="linalg/products", effects="pure")
def cross(a: Any, b: Any, dim: Any = None) -> Any:
    """Vector product of vectors with three elements.

    C = cross(A, B) works along the first dimension of extent three
    C = cross(A, B, DIM)

    Examples:
        >> cross([1 0 0], [0 1 0])
        ans =
             0     0     1

    See also: dot, kron, norm.
    """
    x, y = as_float(numeric(a, "cross")), as_float(numeric(b, "cross"))
    if x.size == y.size == 3 and dim is None:
        # a row and a column give the shape of the first where both are vectors
        y = y.reshape(x.shape)
    if x.shape != y.shape:
        raise MatlabError(
            "MATLAB:cross:InputSizeMismatch",
            "A and B must be of length 3 in the dimension in which the cross product is taken.",
        )
    axis = next((k for k, n in enumerate(x.shape) if n == 3), -1)
    if dim is not None:
        axis = dimension(dim)
    if axis < 0 or axis >= x.ndim or x.shape[axis] != 3:
        raise MatlabError(
            "MATLAB:cross:InvalidDimAorB",
            "A and B must be of length 3 in the dimension in which the cross product is taken.",
        )
    product = mixed.bilinear(_cross, np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0))
    return value_of(np.moveaxis(product, 0, axis))


def _cross(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    (x0, x1, x2), (y0, y1, y2) = x, y
    return np.stack([x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0])
