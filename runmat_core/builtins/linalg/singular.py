"""svds: a few singular values of large matrices, and of what functions multiply by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import floating, integer, scalar, whole
from runmat_core.builtins.linalg.spectra import WHOLE
from runmat_core.builtins.linalg.support import Matrix, finite, value_of
from runmat_core.builtins.named import match, pairs
from runmat_core.values import (
    FunctionHandle,
    SparseArray,
    StructArray,
    char,
    from_numpy,
    is_text,
    size_of,
    spectral,
    text,
    to_numpy,
)

_KINDS = ("largest", "smallest", "smallestnz")
_NAMES = (
    "Tolerance", "MaxIterations", "SubspaceDimension", "LeftStartVector", "RightStartVector",
    "FailureTreatment", "Display",
)  # fmt: skip

#: ``(U, s, V')`` with singular values that descend.
Found = tuple[Matrix, Matrix, Matrix]


@builtin("svds", family="linalg/factorizations", nargin=(1, None), nargout=4,
         needs=("nargout", "interp"))  # fmt: skip
def svds(x: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """A few singular values and vectors.

    S = svds(A), S = svds(A, K) gives the K (6) largest singular values
    S = svds(A, K, SIGMA) those closest to a number, or "largest", "smallest", "smallestnz"
    S = svds(AFUN, SZ, …) of a matrix of size SZ: AFUN(X, "notransp") gives A*X and
    AFUN(X, "transp") gives A'*X; for "smallest", A\\X and A'\\X
    S = svds(…, NAME, VALUE) or svds(…, OPTS) has the options Tolerance, MaxIterations,
    SubspaceDimension, LeftStartVector, RightStartVector, FailureTreatment and Display, or tol,
    maxit, p, u0, v0, fail and disp in a struct
    [U, S, V] = svds(…), [U, S, V, FLAG] = svds(…)

    Examples:
        >> svds(diag([1 5 3 2]), 2)
        ans =
             5
             3
        >> svds(@(x, way) [3; 4; 12].*x, [3 3], 1)
        ans =
            12

    See also: svd, eigs.
    """
    rest = list(args)
    given = isinstance(x, FunctionHandle) or is_text(x)
    if given and not rest:
        raise not_enough_inputs()
    shape = _shape_of_function(rest.pop(0)) if given else size_of(x)
    if len(shape) > 2:
        raise MatlabError("MATLAB:svds:InputMustBe2D", "A must be a matrix.")
    count, kind, start = _request(rest, shape)
    if given:
        with interp.callbacks():
            u, s, vh = _of_function(x, shape, count, kind, interp)
    elif isinstance(x, SparseArray) and min(shape) > max(WHOLE, count) and kind == "largest":
        u, s, vh = _by_lanczos(
            x.data.astype(np.result_type(x.data.dtype, float)), count, shape, start
        )
    else:
        u, s, vh = spectral.svd(
            finite(floating(from_numpy(to_numpy(x)), "svds"), "svds"), full_matrices=False
        )
    kept = _chosen_singular(s, kind, max(shape))[:count]
    if nargout < 2:
        return from_numpy(s[kept].reshape(-1, 1))
    outputs = value_of(u[:, kept]), from_numpy(np.diag(s[kept])), value_of(vh[kept].conj().T), 0.0
    return outputs[:nargout]


def _shape_of_function(value: Any) -> tuple[int, int]:
    extents = whole(value, "svds")
    if extents.size != 2 or (extents < 0).any():
        raise MatlabError("MATLAB:svds:InvalidSize", "The size must be two nonnegative integers.")
    return int(extents[0]), int(extents[1])


def _request(rest: Sequence[Any], shape: tuple[int, ...]) -> tuple[int, Any, Matrix | None]:
    """How many singular values, which, and where an iteration starts, from K on."""
    plain = list(rest)
    count = integer(plain.pop(0), "K") if plain else 6
    if count < 1:
        raise MatlabError("MATLAB:svds:InvalidK", "K must be a positive integer.")
    kind: Any = "largest"
    if plain and is_text(plain[0]) and not _is_name(text(plain[0])):
        kind = match(text(plain.pop(0)), _KINDS, "svds")
    elif plain and not is_text(plain[0]) and not isinstance(plain[0], StructArray):
        kind = scalar(plain.pop(0), "SIGMA")
    if plain and isinstance(plain[0], StructArray) and isinstance(plain[0].data, dict):
        known = dict(zip(("tol", "maxit", "p", "u0", "v0", "fail", "disp"), _NAMES, strict=True))
        named = {known[k]: v for k, v in plain.pop(0).data.items() if k in known}
    else:
        named, plain = pairs(plain, _NAMES, "svds")[0], []
    if plain:
        raise MatlabError("MATLAB:svds:TooManyInputs", "There are arguments after the options.")
    if "Tolerance" in named and not scalar(named["Tolerance"], "Tolerance") >= 0:
        raise MatlabError("MATLAB:svds:InvalidTol", "Tolerance must not be negative.")
    if "MaxIterations" in named and integer(named["MaxIterations"], "MaxIterations") < 1:
        raise MatlabError("MATLAB:svds:InvalidMaxit", "MaxIterations must be positive.")
    return count, kind, _start(named, shape)


def _is_name(word: str) -> bool:
    return any(name.lower() == word.lower() for name in _NAMES)


def _start(named: dict[str, Any], shape: tuple[int, ...]) -> Matrix | None:
    """Return the start vector on the shorter side, if one is given for that side."""
    sides = {"LeftStartVector": shape[0], "RightStartVector": shape[1]}
    found = None
    for name, extent in sides.items():
        if name not in named:
            continue
        vector = to_numpy(named[name]).ravel()
        if vector.size != extent:
            raise MatlabError(
                f"MATLAB:svds:Invalid{name}", f"{name} must be a vector of {extent} elements."
            )
        if extent == min(shape):
            found = np.asarray(vector, np.result_type(vector, float))
    return found


def _by_lanczos(a: Any, count: int, shape: tuple[int, ...], start: Matrix | None) -> Found:
    """Return the largest singular values of a sparse matrix or an operator."""
    partial = package("scipy.sparse.linalg").svds

    first = np.ones(min(shape)) if start is None else start
    u, s, vh = partial(a, count, v0=first)
    order = np.argsort(-s)
    return u[:, order], s[order], vh[order]


def _of_function(
    function: Any, shape: tuple[int, ...], count: int, kind: Any, interp: Interp
) -> Found:
    """Singular values and vectors of what a function multiplies by, or divides by."""
    if not isinstance(kind, str):
        raise MatlabError("MATLAB:svds:FunctionSigma", "SIGMA must be a text for a function.")
    inverse = kind != "largest"
    if inverse and shape[0] != shape[1]:
        raise MatlabError(
            "MATLAB:svds:FunctionNotSquare", "A must be square where its function divides by it."
        )

    def applied(x: Matrix, way: str) -> Matrix:
        made = to_numpy(interp.call(function, [from_numpy(x.reshape(-1, 1)), char(way)], 1)).ravel()
        if made.size != shape[0 if way == "notransp" else 1]:
            raise MatlabError(
                "MATLAB:svds:InvalidFunctionOutput", "The function must give A*X or A'*X."
            )
        return made

    if not inverse and min(shape) > max(WHOLE, count):
        LinearOperator = package("scipy.sparse.linalg").LinearOperator

        operator = LinearOperator(
            shape,
            matvec=lambda x: applied(x, "notransp"),
            rmatvec=lambda x: applied(x, "transp"),
            dtype=np.result_type(applied(np.ones(shape[1]), "notransp"), float),
        )
        return _by_lanczos(operator, count, shape, None)
    if 0 in shape:
        return np.zeros((shape[0], 0)), np.zeros(0), np.zeros((0, shape[1]))
    if shape[0] < shape[1]:
        rows = [applied(unit, "transp").conj() for unit in np.eye(shape[0])]
        a = np.stack(rows)
    else:
        a = np.column_stack([applied(unit, "notransp") for unit in np.eye(shape[1])])
    u, s, vh = spectral.svd(finite(a, "svds"), full_matrices=False)
    if not inverse:
        return u, s, vh
    with np.errstate(divide="ignore"):
        return vh.conj().T[:, ::-1], 1 / s[::-1], u.conj().T[::-1]


def _chosen_singular(s: Matrix, kind: Any, extent: int) -> Matrix:
    """Positions in descending `s` of what is asked for, in MATLAB's order."""
    at = np.arange(s.size)
    if kind == "largest":
        return at
    if kind == "smallest":
        return at[::-1]
    if kind == "smallestnz":
        limit = extent * np.spacing(s.max(initial=0.0))
        return np.asarray(at[s > limit][::-1])
    return np.asarray(np.argsort(np.abs(s - kind), kind="stable"))
