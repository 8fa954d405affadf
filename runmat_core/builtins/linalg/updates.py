"""Factorisations brought up to date: cholupdate, qrupdate, qrinsert, qrdelete, planerot."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.linalg.support import Matrix, matrix, scipy_linalg, square, value_of
from runmat_core.builtins.named import choice
from runmat_core.values.lapack import solve_triangle


@builtin("planerot", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def planerot(x: Any, *, nargout: int) -> Any:
    """Rotation of the plane that turns a vector onto the first axis.

    [G, Y] = planerot(X) gives Y = G*X with Y(2) = 0

    Examples:
        >> [G, y] = planerot([3; 4])
        G =
            0.6000    0.8000
           -0.8000    0.6000
        y =
             5
             0

    See also: qrinsert, qrdelete.
    """
    v = matrix(x, "planerot")
    if v.shape != (2, 1):
        raise MatlabError("MATLAB:planerot:size", "X must be a column of two elements.")
    a, b = v[0, 0], v[1, 0]
    turn = np.eye(2, dtype=v.dtype)
    if b != 0:
        turn = np.array([[np.conj(a), np.conj(b)], [-b, a]]) / np.linalg.norm(v)
        v = turn @ v
        v[1, 0] = 0
    return (value_of(turn), value_of(v)) if nargout > 1 else value_of(turn)


@builtin(
    "cholupdate", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure"
)
def cholupdate(r: Any, x: Any, sign: Any = None, *, nargout: int) -> Any:
    """Cholesky factor after a change of rank one.

    R1 = cholupdate(R, X), R1 = cholupdate(R, X, "+") is the factor of R'*R + X*X'
    R1 = cholupdate(R, X, "-") is that of R'*R - X*X', an error unless positive definite
    [R1, P] = cholupdate(R, X, "-") sets P instead

    Examples:
        >> cholupdate([2 1; 0 2], [0; 1])
        ans =
            2.0000    1.0000
                 0    2.2361

    See also: chol, qrupdate.
    """
    factor, v = square(r, "cholupdate"), matrix(x, "cholupdate")
    if v.shape != (factor.shape[0], 1):
        raise MatlabError("MATLAB:cholupdate:InvalidX", "X must be a column of the size of R.")
    how = "+" if sign is None else choice(sign, ("+", "-"), "cholupdate")
    factor = np.triu(factor)
    status = 0.0
    if how == "+":
        changed = _triangle(np.vstack([factor, v.conj().T]))
    else:
        found = _downdated(factor, v[:, 0])
        if found is None and nargout < 2:
            raise MatlabError("MATLAB:posdef", "Downdated matrix must be positive definite.")
        changed, status = (factor, 1.0) if found is None else (found, 0.0)
    return (value_of(changed), status) if nargout > 1 else value_of(changed)


def _triangle(a: Matrix) -> Matrix:
    """Return the triangular factor of `a` with a diagonal that is not negative."""
    r: Matrix = np.asarray(np.linalg.qr(a, mode="r"))
    diagonal = r.diagonal()
    size = np.abs(diagonal)
    phase = np.where(size > 0, diagonal.conj() / np.where(size > 0, size, 1), 1)
    return np.asarray(phase[:, None] * r)


def _downdated(r: Matrix, x: Matrix) -> Matrix | None:
    """Return the factor of R'*R - x*x', by rotations (LINPACK's method); None unless definite."""
    count = r.shape[0]
    with np.errstate(all="ignore"):
        p = solve_triangle(r, x, trans=2) if count else x
    rest = 1 - float(np.vdot(p, p).real)
    if not rest > 0:
        return None
    # rotations that turn [p; sqrt(rest)] onto the last axis take x out of R
    extended = np.vstack([r, np.zeros((1, count))]).astype(np.result_type(r, x))
    top = np.sqrt(rest)
    for k in reversed(range(count)):
        length = np.hypot(abs(p[k]), top)
        c, s = top / length, p[k] / length
        row, last = extended[k].copy(), extended[count].copy()
        extended[k] = c * row - s * last
        extended[count] = np.conj(s) * row + c * last
        top = length
    return _triangle(extended[:count])


def _factors(q: Any, r: Any, name: str) -> tuple[Matrix, Matrix]:
    left, right = matrix(q, name), matrix(r, name)
    dtype = np.result_type(left, right, np.float32)
    if left.shape[1] != right.shape[0]:
        raise MatlabError("MATLAB:innerdim", "Q and R must be factors of one matrix.")
    return np.asarray(left, dtype, order="F"), np.asarray(right, dtype, order="F")


def _both(factors: tuple[Matrix, Matrix], nargout: int) -> Any:
    q, r = factors
    upper = value_of(np.triu(r))
    return (value_of(q), upper) if nargout > 1 else value_of(q)


@builtin("qrupdate", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def qrupdate(q: Any, r: Any, u: Any, v: Any, *, nargout: int) -> Any:
    """QR factorisation after a change of rank one.

    [Q1, R1] = qrupdate(Q, R, U, V) is the factorisation of Q*R + U*V'

    Examples:
        >> [Q, R] = qr([1 2; 3 4]);
        >> [Q, R] = qrupdate(Q, R, [1; 0], [0; 1]);
        >> round(Q * R, 10)
        ans =
             1     3
             3     4

    See also: qr, qrinsert, qrdelete, cholupdate.
    """
    left, right = _factors(q, r, "qrupdate")
    first, second = matrix(u, "qrupdate"), matrix(v, "qrupdate")
    fit = first.shape[0] == left.shape[0] and second.shape[0] == right.shape[1]
    if not fit or first.shape[1] != second.shape[1]:
        raise MatlabError("MATLAB:qrupdate:InvalidInputs", "U and V must fit Q and R.")
    dtype = np.result_type(left, first, second)
    four = (x.astype(dtype, order="F") for x in (left, right, first, second))
    return _both(scipy_linalg().qr_update(*four, check_finite=False), nargout)


@builtin("qrinsert", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def qrinsert(q: Any, r: Any, j: Any, x: Any, way: Any = None, *, nargout: int) -> Any:
    """QR factorisation after a column or a row was inserted.

    [Q1, R1] = qrinsert(Q, R, J, X) for the column X before column J
    [Q1, R1] = qrinsert(Q, R, J, X, "row") for the row X before row J

    Examples:
        >> [Q, R] = qr([1; 3]);
        >> [Q, R] = qrinsert(Q, R, 2, [2; 4]);
        >> round(Q * R, 10)
        ans =
             1     2
             3     4

    See also: qr, qrdelete, qrupdate.
    """
    left, right = _factors(q, r, "qrinsert")
    which = "col" if way is None else choice(way, ("col", "row"), "qrinsert")
    count = right.shape[1] if which == "col" else left.shape[0]
    vector, at = matrix(x, "qrinsert"), integer(j, "J")
    if not 1 <= at <= count + 1:
        raise MatlabError(
            "MATLAB:qrinsert:InvalidJ", f"J must be an integer from 1 to {count + 1}."
        )
    wanted = (left.shape[0], 1) if which == "col" else (1, right.shape[1])
    if vector.shape != wanted:
        raise MatlabError(
            "MATLAB:qrinsert:WrongSize", f"X must be {wanted[0]}-by-{wanted[1]} to fit Q and R."
        )
    dtype = np.result_type(left, vector)
    three = (x.astype(dtype, order="F") for x in (left, right, vector.ravel()))
    made = scipy_linalg().qr_insert(*three, at - 1, which=which, check_finite=False)
    return _both(made, nargout)


@builtin("qrdelete", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def qrdelete(q: Any, r: Any, j: Any, way: Any = None, *, nargout: int) -> Any:
    """QR factorisation after a column or a row was deleted.

    [Q1, R1] = qrdelete(Q, R, J) without column J, qrdelete(Q, R, J, "row") without row J

    Examples:
        >> [Q, R] = qr([1 2; 3 4]);
        >> [Q, R] = qrdelete(Q, R, 1);
        >> round(Q * R, 10)
        ans =
             2
             4

    See also: qr, qrinsert, qrupdate.
    """
    left, right = _factors(q, r, "qrdelete")
    which = "col" if way is None else choice(way, ("col", "row"), "qrdelete")
    count, at = (right.shape[1] if which == "col" else left.shape[0]), integer(j, "J")
    if not 1 <= at <= count:
        raise MatlabError("MATLAB:qrdelete:InvalidJ", f"J must be an integer from 1 to {count}.")
    return _both(
        scipy_linalg().qr_delete(left, right, at - 1, which=which, check_finite=False), nargout
    )
