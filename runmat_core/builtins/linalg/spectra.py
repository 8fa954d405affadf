"""A few eigenvalues or singular values of large matrices, and how sensitive eigenvalues are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import floating, integer, option
from runmat_core.builtins.linalg.factorizations import eigenvalues
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    is_hermitian,
    quiet,
    square,
    value_of,
)
from runmat_core.builtins.named import match
from runmat_core.values import (
    FunctionHandle,
    SparseArray,
    StructArray,
    from_numpy,
    is_text,
    size_of,
    spectral,
    text,
    to_numpy,
    truth,
)
from runmat_core.values.notices import warn

#: Matrices up to this size are factored whole.
WHOLE = 600

_EIGS = (
    "largestabs smallestabs largestreal smallestreal bothendsreal largestimag smallestimag "
    "bothendsimag"
).split()
_OLD = {"lm": "largestabs", "sm": "smallestabs", "la": "largestreal", "sa": "smallestreal",
        "lr": "largestreal", "sr": "smallestreal", "be": "bothendsreal", "li": "largestimag",
        "si": "smallestimag"}  # fmt: skip


def chosen(values: Matrix, kind: str, target: complex, count: int) -> Matrix:
    """Positions of the eigenvalues that are asked for, in MATLAB's order."""
    if kind == "largestabs":
        order = np.argsort(-np.abs(values), kind="stable")
    elif kind in ("smallestabs", "near"):
        order = np.argsort(np.abs(values - target), kind="stable")
    else:
        part = values.imag if kind.endswith("imag") else values.real
        order = np.argsort(part, kind="stable")
        if kind.startswith("largest"):
            order = order[::-1]
        elif kind.startswith("bothends"):
            below = count // 2
            return np.concatenate([order[:below], order[order.size - (count - below) :]])
    return np.asarray(order[:count])


def _sigma(value: Any) -> tuple[str, complex]:
    if is_text(value):
        word = text(value).lower()
        return _OLD.get(word) or match(word, _EIGS, "eigs"), 0.0
    a = to_numpy(value)
    if a.size != 1:
        raise MatlabError("MATLAB:eigs:InvalidSigma", "SIGMA must be a scalar or a text.")
    target: complex = a.flat[0].item()
    return ("smallestabs", 0.0) if target == 0 else ("near", target)


def _whole_matrix(value: Any) -> Matrix:
    return finite(floating(value, "eigs"), "eigs")


def _dense(a: Matrix, b: Matrix | None, vectors: bool) -> tuple[Matrix, Matrix | None]:
    if b is None and is_hermitian(a):
        values, found = spectral.eigh(a)
        return values, found
    if b is not None and is_hermitian(a) and is_hermitian(b):
        try:
            values, found = spectral.of_scipy("eigh")(a, b)
            return values, found
        except np.linalg.LinAlgError:
            pass
    found = spectral.of_scipy("eig")(a, b, right=vectors)
    return found if vectors else (found, None)


class Iteration(NamedTuple):
    """How eigenvalues of a large matrix are found; what is None is left to the library.

    Attributes:
        symmetric: whether a function multiplies by a Hermitian matrix.
        cholesky: whether the second matrix is the Cholesky factor of B.
        order: of rows and columns of B, from zero, that the factor is of.
        failure: ``replacenan``, ``keep`` or ``drop`` for what did not converge.
    """

    tolerance: float = 1e-14
    most: int | None = None
    subspace: int | None = None
    start: Matrix | None = None
    symmetric: bool = False
    cholesky: bool = False
    order: NDArray[np.intp] | None = None
    failure: str = "replacenan"


#: Options by name, and the fields of the older struct.
_OPTIONS = {
    "Tolerance": "tolerance", "MaxIterations": "most", "SubspaceDimension": "subspace",
    "StartVector": "start", "FailureTreatment": "failure", "Display": "",
    "IsFunctionSymmetric": "symmetric", "IsCholesky": "cholesky", "CholeskyPermutation": "order",
}  # fmt: skip
_FIELDS = {
    "tol": "tolerance", "maxit": "most", "p": "subspace", "v0": "start", "disp": "",
    "issym": "symmetric", "cholb": "cholesky", "permb": "order", "isreal": "",
}  # fmt: skip
_FAILURES = ("replacenan", "keep", "drop")


def _iteration(args: Sequence[Any]) -> tuple[list[Any], Iteration]:
    """Return the arguments before the options, and these."""
    plain = [a for a in args if not isinstance(a, StructArray)]
    given: list[tuple[str, Any]] = []
    for a in args:
        if isinstance(a, StructArray):
            fields = a.data if isinstance(a.data, dict) else {}
            given += [(_FIELDS.get(name.lower(), ""), value) for name, value in fields.items()]
    for k, value in enumerate(plain):
        word = option(value)
        if word is not None and any(name.lower() == word for name in _OPTIONS):
            rest, plain = plain[k:], plain[:k]
            if len(rest) % 2:
                raise MatlabError("MATLAB:eigs:OptionsNotPairs", "Options come as name and value.")
            names = [match(option(name) or "", list(_OPTIONS), "eigs") for name in rest[::2]]
            given += [(_OPTIONS[name], v) for name, v in zip(names, rest[1::2], strict=True)]
            break
    return plain, Iteration(**{name: _option(name, value) for name, value in given if name})


def _option(name: str, value: Any) -> Any:
    if name == "failure":
        return match(text(value).lower(), list(_FAILURES), "eigs")
    if name in ("symmetric", "cholesky"):
        return truth(value)
    if name in ("most", "subspace"):
        return integer(value, name)
    if name == "order":
        order = to_numpy(value).ravel(order="F").astype(np.intp) - 1
        return order if order.size else None
    array = np.asarray(floating(value, "eigs"))
    return array.ravel(order="F") if name == "start" else float(array.flat[0].real)


def _product_of(factor: Any, order: NDArray[np.intp] | None) -> Any:
    """Return the matrix with this Cholesky factor, of its rows and columns in this order."""
    product = factor.conj().T @ factor
    if order is None:
        return product
    back = np.argsort(order)
    return product[back][:, back]


def _which(kind: str, symmetric: bool) -> str:
    """Return what ARPACK calls a choice of eigenvalues."""
    names = {
        "largestreal": "LA" if symmetric else "LR",
        "smallestreal": "SA" if symmetric else "SR",
        "largestimag": "LI",
        "smallestimag": "SI",
        "bothendsreal": "BE",
    }
    return names.get(kind, "LM")


def _by_arnoldi(
    a: Any, b: Any, count: int, kind: str, target: complex, asked: Iteration, inverse: Any = None
) -> tuple[Matrix, Matrix, float]:
    """Eigenvalues and vectors by iteration, and 1 where not all converged.

    Args:
        a: a matrix, or an operator that multiplies by one.
        inverse: the operator that divides by ``a - target * I`` instead, where that is what there
            is.
    """
    if hasattr(a, "conj"):
        symmetric = abs(a - a.conj().T).max() == 0 and b is None
    else:
        symmetric = asked.symmetric
    arpack = package("scipy.sparse.linalg")
    rule: Callable[..., Any] = arpack.eigsh if symmetric else arpack.eigs
    shifted = kind in ("smallestabs", "near")
    flag = 0.0
    options: dict[str, Any] = {
        "M": b, "which": _which(kind, symmetric), "sigma": target if shifted else None,
        "v0": np.ones(a.shape[0]) if asked.start is None else asked.start,
        "ncv": asked.subspace, "maxiter": asked.most, "tol": asked.tolerance,
    }  # fmt: skip
    if inverse is not None:
        options["OPinv"] = inverse
    with quiet():
        try:
            values, vectors = rule(a, count, **options)
        except arpack.ArpackNoConvergence as problem:
            values, vectors, flag = problem.eigenvalues, problem.eigenvectors, 1.0
    if flag:
        warn(
            "MATLAB:eigs:NotAllEigsConverged",
            f"Only {values.size} of the {count} requested eigenvalues converged.",
        )
        if asked.failure == "replacenan":
            missing = count - values.size
            values = np.append(values, np.full(missing, np.nan))
            columns = np.full((a.shape[0], missing), np.nan)
            vectors = np.hstack([vectors.reshape(a.shape[0], -1), columns])
    return values, vectors, flag


def _of_function(
    function: Any, size: int, count: int, kind: str, target: complex, asked: Iteration,
    interp: Interp,
) -> tuple[Matrix, Matrix, float]:  # fmt: skip
    """Eigenvalues and vectors of what a function multiplies by, or divides by."""

    def applied(x: Matrix) -> Matrix:
        column = from_numpy(np.asarray(x).reshape(-1, 1))
        return np.asarray(to_numpy(interp.call(function, [column], 1))).ravel(order="F")

    shifted = kind in ("smallestabs", "near")
    if size > WHOLE and count < size - 1 and "both" not in kind:
        operator = package("scipy.sparse.linalg").LinearOperator(
            (size, size), matvec=applied, dtype=np.float64
        )
        inverse = operator if shifted else None
        return _by_arnoldi(operator, None, count, kind, target, asked, inverse)
    a = np.column_stack([applied(unit) for unit in np.eye(size)])
    if np.allclose(a, a.conj().T, rtol=1e-12, atol=0):
        a = (a + a.conj().T) / 2
    values, vectors = _dense(a, None, True)
    assert vectors is not None
    if shifted:
        with np.errstate(all="ignore"):
            values = 1 / values + target
    return values, vectors, 0.0


@builtin("eigs", family="linalg/factorizations", nargin=(1, None), nargout=3,
         needs=("nargout", "interp"))  # fmt: skip
def eigs(x: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """A few eigenvalues and eigenvectors.

    D = eigs(A), D = eigs(A, K) gives the K (6) eigenvalues of largest magnitude
    D = eigs(A, K, SIGMA) those closest to a number, or "largestabs", "smallestabs",
    "largestreal", "smallestreal", "bothendsreal", "largestimag", "smallestimag", "bothendsimag"
    D = eigs(A, B, …) solves A*V = B*V*D
    D = eigs(AFUN, N, …) for a function that gives A*x, or A\\x for "smallestabs", or
    (A - SIGMA*I)\\x for a number
    D = eigs(…, NAME, VALUE): Tolerance, MaxIterations, SubspaceDimension, StartVector,
    FailureTreatment, IsFunctionSymmetric; IsCholesky and CholeskyPermutation say that B is given by
    its Cholesky factor. A struct with the older names of these is taken, too
    [V, D] = eigs(…), [V, D, FLAG] = eigs(…); FLAG is 1 where not all converged

    Examples:
        >> eigs(diag([1 5 3 2]), 2)
        ans =
             5
             3
        >> eigs(diag([1 5 3 2]), 2, 'smallestabs')
        ans =
             1
             2

    See also: eig, svds, pcg.
    """
    rest, asked = _iteration(args)
    is_function = isinstance(x, FunctionHandle) or is_text(x)
    if is_function and not rest:
        raise not_enough_inputs()
    size = integer(rest.pop(0), "N") if is_function else size_of(x)[0]
    if is_function and size < 0:
        raise MatlabError("MATLAB:eigs:InvalidN", "N must be a nonnegative integer.")
    if size == 0:
        none = from_numpy(np.zeros((0, 0)))
        return (none, none, 0.0)[:nargout] if nargout > 1 else from_numpy(np.zeros((0, 1)))
    if not is_function and (len(size_of(x)) > 2 or size_of(x)[1] != size):
        raise MatlabError("MATLAB:eigs:NonSquareMatrixOrFunction", "A must be a square matrix.")
    b = None
    if rest and not is_text(rest[0]) and (size_of(rest[0]) == (size, size) and size > 1):
        b = rest.pop(0)
    elif rest and not is_text(rest[0]) and size_of(rest[0]) == (0, 0):
        rest.pop(0)  # no B: the standard problem
    count = integer(rest[0], "K") if rest else 6
    if count < 1:
        raise MatlabError("MATLAB:eigs:InvalidK", "K must be a positive integer.")
    count = min(count, size)
    kind, target = _sigma(rest[1]) if len(rest) > 1 else ("largestabs", 0.0)
    flag = 0.0
    if is_function:
        with interp.callbacks():
            values, vectors, flag = _of_function(x, size, count, kind, target, asked, interp)
    elif isinstance(x, SparseArray) and size > WHOLE and count < size - 1 and "both" not in kind:
        other = None if b is None else b.data if isinstance(b, SparseArray) else to_numpy(b)
        if other is not None and asked.cholesky:
            other = _product_of(other, asked.order)
        data = x.data.astype(np.result_type(x.data.dtype, np.float64))
        values, vectors, flag = _by_arnoldi(data, other, count, kind, target, asked)
    else:
        other = None if b is None else _whole_matrix(from_numpy(to_numpy(b)))
        if other is not None and asked.cholesky:
            other = _product_of(other, asked.order)
        matrix = _whole_matrix(from_numpy(to_numpy(x)))
        values, found = _dense(matrix, other, nargout > 1)
        vectors = np.zeros((size, size)) if found is None else found
    kept = chosen(values, kind, target, count)
    if nargout < 2:
        return value_of(values[kept].reshape(-1, 1))
    outputs = value_of(vectors[:, kept]), value_of(np.diag(values[kept])), flag
    return outputs[:nargout]


@builtin("condeig", family="linalg/factorizations", nargout=3, needs=("nargout",), effects="pure")
def condeig(x: Any, *, nargout: int) -> Any:
    """Condition numbers of eigenvalues.

    C = condeig(A) is a column: how much each eigenvalue of A may change by a change of A of norm 1,
    the reciprocal cosine of the angle between its left and right eigenvectors
    [V, D, C] = condeig(A) gives the eigenvectors and the eigenvalues as eig does

    Examples:
        >> condeig([1 3; 0 5])
        ans =
            1.2500
            1.2500

    See also: eig, cond, balance.
    """
    a = finite(square(x, "condeig"), "condeig")
    if not a.size:
        none = from_numpy(np.zeros((0, 1), a.real.dtype))
        return (from_numpy(a), from_numpy(a), none)[:nargout] if nargout > 1 else none
    values, vectors = eigenvalues(a, vectors=True)
    try:
        # rows of the inverse are the left vectors that fit where eigenvalues are equal, too
        left = np.linalg.norm(np.linalg.inv(vectors), axis=1)
    except np.linalg.LinAlgError:
        left = np.full(a.shape[0], np.inf)
    sizes = left * np.linalg.norm(vectors, axis=0)
    condition = from_numpy(sizes.reshape(-1, 1).astype(a.real.dtype))
    if nargout < 2:
        return condition
    return (value_of(vectors), value_of(np.diag(values)), condition)[:nargout]
