"""Norms and conditions by estimates, angles of subspaces, least squares, Sylvester's equation."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    matrix,
    quiet,
    scipy_linalg,
    square,
    value_of,
)
from runmat_core.builtins.math.optimization_options import number_setting, problem
from runmat_core.builtins.named import choice
from runmat_core.values import (
    FunctionHandle,
    SparseArray,
    char,
    from_numpy,
    is_text,
    size_of,
    spectral,
    struct,
    to_numpy,
)
from runmat_core.values.lapack import pivoted_qr, solve_triangle
from runmat_core.values.superlu import splu

#: The 1-norm of an inverse is computed, not estimated, up to this size.
_COMPUTED = 1000


@builtin("normest", family="linalg/systems", nargout=2, needs=("nargout", "interp"))
def normest(x: Any, tolerance: Any = 1e-6, *, nargout: int, interp: Interp) -> Any:
    """Estimate of the 2-norm of a matrix, by power iteration.

    N = normest(A), N = normest(A, TOL), a relative tolerance of 1e-6 by default
    [N, COUNT] = normest(…) tells how many iterations it took

    Examples:
        >> normest([3 0; 0 4])
        ans =
            4.0000

    See also: norm, condest, normest1, svds.
    """
    a = x.data if isinstance(x, SparseArray) else matrix(x, "normest")
    limit = scalar(tolerance, "TOL")
    turned = a.conj().T
    v = np.asarray(abs(a).sum(axis=0)).ravel().astype(float)
    estimate = float(np.linalg.norm(v))
    count = 0
    if estimate:
        v, before = v / estimate, 0.0
        while abs(estimate - before) > limit * estimate:
            before = estimate
            image = np.asarray(a @ v)
            if not image.any():
                image = np.cos(np.arange(image.size))  # v was in the null space
            v = np.asarray(turned @ image)
            size = float(np.linalg.norm(v))
            estimate = size / float(np.linalg.norm(image))
            v = v / size if size else v
            count += 1
            if count > 100:
                interp.warn("MATLAB:normest:notconverge", "NORMEST did not converge.")
                break
    return (estimate, float(count)) if nargout > 1 else estimate


def _largest_column(a: Matrix) -> tuple[float, Matrix, Matrix]:
    """Return the 1-norm, a vector v = A*w of that norm, and the unit vector w."""
    sums = np.abs(a).sum(axis=0)
    at = int(np.argmax(sums))
    unit = np.zeros((a.shape[1], 1))
    unit[at] = 1
    return float(sums[at]), a[:, at : at + 1], unit


@builtin("normest1", family="linalg/systems", nargin=(1, None), nargout=4,
         needs=("nargout", "interp"))  # fmt: skip
def normest1(x: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Estimate of the 1-norm of a matrix.

    C = normest1(A), C = normest1(AFUN); AFUN("dim", []), AFUN("real", []), AFUN("notransp", X)
    and AFUN("transp", X) give the size, whether A is real, A*X and A'*X
    C = normest1(A, T, X0, P1, …) passes P1, … to AFUN; T columns and the start X0 are not used,
    as the norm is computed
    [C, V, W, IT] = normest1(…) gives V = A*W with norm(V, 1) = C*norm(W, 1), and the number of
    iterations and of products with A

    Examples:
        >> normest1(magic(4))
        ans =
            34

    See also: norm, condest, normest.
    """
    given = args[2:]
    if isinstance(x, FunctionHandle) or is_text(x):
        empty = from_numpy(np.zeros((0, 0)))
        size = int(scalar(interp.call(x, [char("dim"), empty, *given], 1)))
        unit = from_numpy(np.eye(size))
        whole = to_numpy(interp.call(x, [char("notransp"), unit, *given], 1))
    else:
        whole = square(from_numpy(to_numpy(x)), "normest1")
    if whole.size == 0:
        return 0.0
    size_1, v, w = _largest_column(whole)
    outputs = (size_1, value_of(v), from_numpy(w), from_numpy(np.array([[0.0, 1.0]])))
    return outputs[:nargout] if nargout > 1 else outputs[0]


@builtin("condest", family="linalg/systems", nargout=2, needs=("nargout",))
def condest(x: Any, *args: Any, nargout: int) -> Any:
    """Condition number in the 1-norm; an estimate from below for large sparse matrices.

    C = condest(A)
    [C, V] = condest(A) gives V with norm(A*V, 1) = norm(A, 1)*norm(V, 1)/C

    Examples:
        >> condest([2 0; 0 1])
        ans =
             2

    See also: cond, rcond, normest1, normest.
    """
    shape = size_of(x)
    if len(shape) > 2 or shape[0] != shape[1]:
        raise MatlabError("MATLAB:condest:NonSquareMatrix", "Matrix must be square.")
    if 0 in shape:
        return 0.0
    if isinstance(x, SparseArray) and shape[0] > _COMPUTED:
        LinearOperator = package("scipy.sparse.linalg").LinearOperator
        onenormest = package("scipy.sparse.linalg").onenormest

        data = x.data.astype(np.result_type(x.data.dtype, np.float64)).tocsc()
        try:
            factors = splu(data)
        except RuntimeError:
            return float("inf")
        operator = LinearOperator(
            shape, matvec=factors.solve, rmatvec=lambda b: factors.solve(b, "H"), dtype=data.dtype
        )
        inverse_size, _, v = onenormest(operator, compute_v=True, compute_w=True)
        v = v.reshape(-1, 1)
        size = float(abs(data).sum(axis=0).max())
    else:
        a = finite(square(from_numpy(to_numpy(x)), "condest"), "condest")
        size = float(np.abs(a).sum(axis=0).max())
        try:
            with np.errstate(all="ignore"):
                inverse_size, v, _ = _largest_column(np.linalg.inv(a))
        except np.linalg.LinAlgError:
            return (float("inf"), from_numpy(np.zeros((shape[0], 1)))) if nargout > 1 else np.inf
    condition = size * float(inverse_size)
    unit = v / np.abs(v).sum()
    return (condition, value_of(unit)) if nargout > 1 else condition


@builtin("subspace", family="linalg/functions", effects="pure")
def subspace(x: Any, y: Any) -> Any:
    """Angle between the subspaces that the columns of two matrices span.

    THETA = subspace(A, B), in radians; the largest of the principal angles

    Examples:
        >> subspace([1; 0], [1; 1])
        ans =
            0.7854

    See also: orth, null, svd.
    """
    a, b = (finite(matrix(v, "subspace"), "subspace") for v in (x, y))
    if a.shape[0] != b.shape[0]:
        raise MatlabError(
            "MATLAB:subspace:InvalidInputs", "A and B must have the same number of rows."
        )
    first, second = _range(a), _range(b)
    if first.shape[1] < second.shape[1]:
        first, second = second, first
    if second.shape[1] == 0:
        return 0.0
    rest = second - first @ (first.conj().T @ second)
    return float(np.arcsin(min(1.0, float(np.linalg.norm(rest, 2)))))


def _range(a: Matrix) -> Matrix:
    u, s, _ = spectral.svd(a, full_matrices=False)
    return np.asarray(u[:, s > max(a.shape) * np.spacing(s.max(initial=0.0))])


@builtin("sylvester", family="linalg/systems")
def sylvester(a: Any, b: Any, c: Any) -> Any:
    """Solution of Sylvester's equation A*X + X*B = C.

    X = sylvester(A, B, C)

    Examples:
        >> sylvester([1 0; 0 2], 3, [4; 10])
        ans =
             1
             2

    See also: mldivide, kron, schur.
    """
    left, right, sums = square(a, "sylvester"), square(b, "sylvester"), matrix(c, "sylvester")
    if sums.shape != (left.shape[0], right.shape[0]):
        raise MatlabError(
            "MATLAB:sylvester:InvalidDimensions", "C must have the rows of A and the columns of B."
        )
    if sums.size == 0:
        return from_numpy(sums)
    # one type for all: LAPACK does not mix a real quasi-triangle with a complex triangle
    dtype = np.result_type(left, right, sums)
    left = finite(left, "sylvester").astype(dtype)
    right = finite(right, "sylvester").astype(dtype)
    gaps = np.abs(np.add.outer(spectral.eigvals(left), spectral.eigvals(right)))
    scale = np.abs(left).max() + np.abs(right).max()
    if gaps.min() <= np.finfo(dtype).eps * scale:
        raise MatlabError(
            "MATLAB:sylvester:solutionNotUnique", "Solution does not exist or is not unique."
        )
    with quiet():
        return value_of(scipy_linalg().solve_sylvester(left, right, sums.astype(dtype)))


# -- least squares ------------------------------------------------------------------------------


@builtin("lscov", family="linalg/systems", nargin=(2, 4), nargout=4, needs=("nargout", "interp"))
def lscov(a: Any, b: Any, v: Any = None, algorithm: Any = None, *, nargout: int,
          interp: Interp) -> Any:  # fmt: skip
    """Least squares with known weights or covariance.

    X = lscov(A, B) minimises (B - A*X)'*(B - A*X)
    X = lscov(A, B, W) with weights, X = lscov(A, B, V) with the covariance of B up to a factor
    [X, STDX, MSE, S] = lscov(…) gives standard errors, mean squared error, covariance of X

    Examples:
        >> [x, stdx, mse] = lscov([1 0; 1 1; 1 2], [1; 2; 4])
        x =
            0.8333
            1.5000
        stdx =
            0.3727
            0.2887
        mse =
            0.1667

    See also: mldivide, lsqr, lsqnonneg, qr.
    """
    design, right = (finite(matrix(m, "lscov"), "lscov") for m in (a, b))
    count = design.shape[0]
    if right.shape[0] != count:
        raise MatlabError(
            "MATLAB:lscov:InputSizeMismatch", "A and B must have the same number of rows."
        )
    if algorithm is not None:
        choice(algorithm, ("chol", "orth"), "lscov")
    if v is not None and to_numpy(v).size:
        design, right = _whitened(design, right, finite(matrix(v, "lscov"), "lscov"))
    q, r, order = pivoted_qr(design, economic=True)
    size = np.abs(r.diagonal())
    limit = max(design.shape) * np.spacing(size.max(initial=0.0))
    rank = int((size > limit).sum())
    if rank < design.shape[1]:
        interp.warn("MATLAB:lscov:RankDefDesignMat", "A is rank deficient to within machine "
                    "precision.")  # fmt: skip
    dtype = np.result_type(design, right)
    x = np.zeros((design.shape[1], right.shape[1]), dtype)
    inverse = solve_triangle(r[:rank, :rank], np.eye(rank)) if rank else r[:0, :0]
    x[order[:rank]] = inverse @ (q[:, :rank].conj().T @ right)
    rest = right - design @ x
    freedom = count - rank
    mse = (np.abs(rest) ** 2).sum(axis=0) / freedom if freedom else np.zeros(right.shape[1])
    unscaled = np.zeros((x.shape[0], x.shape[0]), inverse.dtype)
    unscaled[np.ix_(order[:rank], order[:rank])] = inverse @ inverse.conj().T
    errors = np.sqrt(np.outer(unscaled.diagonal().real, mse))
    covariance = np.multiply.outer(unscaled, mse) if mse.size > 1 else unscaled * mse[0]
    outputs = (value_of(x), from_numpy(errors), from_numpy(mse.reshape(1, -1)))
    if nargout > 3:
        return (*outputs, value_of(covariance))
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _whitened(design: Matrix, right: Matrix, v: Matrix) -> tuple[Matrix, Matrix]:
    """Return the problem in coordinates in which all errors are alike and independent."""
    count = design.shape[0]
    if v.size == count and 1 in v.shape:
        weights = v.ravel()
        if not (weights.real >= 0).all():
            raise MatlabError("MATLAB:lscov:InvalidWeights", "Weights must not be negative.")
        roots = np.sqrt(weights)[:, None]
        return roots * design, roots * right
    if v.shape != (count, count):
        raise MatlabError(
            "MATLAB:lscov:InvalidCovariance",
            f"The third argument must be a vector of {count} weights or a {count}-by-{count} "
            "covariance matrix.",
        )
    try:
        lower = np.linalg.cholesky(v)
    except np.linalg.LinAlgError:
        raise MatlabError(
            "MATLAB:lscov:InvalidCovariance", "The covariance matrix must be positive definite."
        ) from None
    return (
        solve_triangle(lower, design, lower=True),
        solve_triangle(lower, right, lower=True),
    )


@builtin("lsqnonneg", family="math/optimization", nargout=6, needs=("nargout", "interp"))
def lsqnonneg(c: Any, d: Any = None, options: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Least squares with unknowns that are not negative.

    X = lsqnonneg(C, D) minimises norm(C*X - D) with X >= 0
    X = lsqnonneg(C, D, OPTIONS) with TolX from optimset
    X = lsqnonneg(PROBLEM) with a structure of C, d, options
    [X, RESNORM, RESIDUAL, EXITFLAG, OUTPUT, LAMBDA] = lsqnonneg(…); RESNORM is the squared norm

    Examples:
        >> lsqnonneg([1 0; 0 1], [2; -1])
        ans =
             2
             0

    See also: mldivide, lscov, optimset.
    """
    if d is None:
        c, d, options = problem(c, "lsqnonneg", ("C", "d"))
    a, b = (finite(matrix(m, "lsqnonneg"), "lsqnonneg") for m in (c, d))
    if a.dtype.kind == "c" or b.dtype.kind == "c":
        raise MatlabError("MATLAB:lsqnonneg:ComplexCorD", "C and D must be real.")
    a, b = a.astype(float), b.astype(float)
    if b.shape != (a.shape[0], 1):
        raise MatlabError(
            "MATLAB:lsqnonneg:InputSizeMismatch", "D must be a column with as many rows as C."
        )
    b = b[:, 0]
    default = 10 * np.finfo(float).eps * float(np.abs(a).sum(axis=0).max(initial=0)) * max(a.shape)
    x, gradient, rounds, flag = _active_set(a, b, number_setting(options, "TolX", default))
    rest = b - a @ x
    if not flag:
        interp.warn("MATLAB:lsqnonneg:IterationCountExceeded", "Iteration count is exceeded.")
    report = struct(
        {
            "iterations": float(rounds),
            "algorithm": char("active-set"),
            "message": char("Optimization terminated." if flag else "Too many iterations."),
        }
    )
    columns = [from_numpy(v.reshape(-1, 1)) for v in (x, rest, gradient)]
    outputs = (columns[0], float(rest @ rest), columns[1], float(flag), report, columns[2])
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _active_set(a: Matrix, b: Matrix, tolerance: float) -> tuple[Matrix, Matrix, int, bool]:
    """C. L. Lawson, R. J. Hanson, "Solving Least Squares Problems", chapter 23."""
    count = a.shape[1]
    x, free = np.zeros(count), np.zeros(count, bool)
    gradient = a.T @ b
    rounds = 0
    while not free.all() and (gradient[~free] > tolerance).any():
        free[np.argmax(np.where(free, -np.inf, gradient))] = True
        while True:
            rounds += 1
            if rounds > 10 * count:
                return x, gradient, rounds, False
            z = np.zeros(count)
            z[free] = np.linalg.lstsq(a[:, free], b, rcond=None)[0]
            low = free & (z <= tolerance)
            if not low.any():
                break
            # as far as no unknown becomes negative
            step = (x[low] / (x[low] - z[low])).min()
            x = x + step * (z - x)
            free &= x > tolerance
            x[~free] = 0
            if not free.any():
                break
        x = z if free.any() else np.zeros(count)
        gradient = a.T @ (b - a @ x)
    return x, gradient, rounds, True
