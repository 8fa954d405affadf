"""A few eigenvalues or singular values of large matrices, and how sensitive eigenvalues are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
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
)

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


def _by_arnoldi(a: Any, b: Any, count: int, kind: str, target: complex) -> tuple[Matrix, Matrix]:
    general = package("scipy.sparse.linalg").eigs
    hermitian = package("scipy.sparse.linalg").eigsh

    difference = a - a.conj().T
    symmetric = abs(difference).max() == 0 and b is None
    which = {
        "largestabs": "LM",
        "largestreal": "LA" if symmetric else "LR",
        "smallestreal": "SA" if symmetric else "SR",
        "largestimag": "LI",
        "smallestimag": "SI",
        "bothendsreal": "BE",
    }.get(kind, "LM")
    sigma = target if kind in ("smallestabs", "near") else None
    rule: Callable[..., Any] = hermitian if symmetric else general
    start = np.ones(a.shape[0])
    with quiet():
        found: tuple[Matrix, Matrix] = rule(a, count, M=b, sigma=sigma, which=which, v0=start)
    return found


def _of_function(
    function: Any, size: int, kind: str, target: complex, interp: Interp
) -> tuple[Matrix, Matrix]:
    """All eigenvalues and vectors of what a function multiplies by, or divides by."""
    columns = []
    for k in range(size):
        unit = np.zeros((size, 1))
        unit[k] = 1
        columns.append(to_numpy(interp.call(function, [from_numpy(unit)], 1)).ravel())
    a = np.column_stack(columns)
    if np.allclose(a, a.conj().T, rtol=1e-12, atol=0):
        a = (a + a.conj().T) / 2
    values, vectors = _dense(a, None, True)
    assert vectors is not None
    if kind in ("smallestabs", "near"):
        with np.errstate(all="ignore"):
            values = 1 / values + target
    return values, vectors


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
    [V, D] = eigs(…), [V, D, FLAG] = eigs(…)

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
    rest = [a for a in args if not isinstance(a, StructArray)]
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
    rest = _without_pairs(rest)
    count = integer(rest[0], "K") if rest else 6
    if count < 1:
        raise MatlabError("MATLAB:eigs:InvalidK", "K must be a positive integer.")
    count = min(count, size)
    kind, target = _sigma(rest[1]) if len(rest) > 1 else ("largestabs", 0.0)
    if is_function:
        with interp.callbacks():
            values, vectors = _of_function(x, size, kind, target, interp)
    elif isinstance(x, SparseArray) and size > WHOLE and count < size - 1 and "both" not in kind:
        other = None if b is None else b.data if isinstance(b, SparseArray) else to_numpy(b)
        data = x.data.astype(np.result_type(x.data.dtype, np.float64))
        values, vectors = _by_arnoldi(data, other, count, kind, target)
    else:
        other = None if b is None else _whole_matrix(from_numpy(to_numpy(b)))
        matrix = _whole_matrix(from_numpy(to_numpy(x)))
        values, found = _dense(matrix, other, nargout > 1)
        vectors = np.zeros((size, size)) if found is None else found
    kept = chosen(values, kind, target, count)
    if nargout < 2:
        return value_of(values[kept].reshape(-1, 1))
    outputs = value_of(vectors[:, kept]), value_of(np.diag(values[kept])), 0.0
    return outputs[:nargout]


def _without_pairs(args: Sequence[Any]) -> list[Any]:
    """K and SIGMA, without the options for the iteration that may follow them."""
    known = (
        "Tolerance", "MaxIterations", "SubspaceDimension", "StartVector", "FailureTreatment",
        "Display", "IsFunctionSymmetric", "IsCholesky", "CholeskyPermutation",
    )  # fmt: skip
    plain = list(args)
    for k, arg in enumerate(plain):
        word = option(arg)
        if word is not None and any(name.lower() == word for name in known):
            return plain[:k]
    return plain


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
