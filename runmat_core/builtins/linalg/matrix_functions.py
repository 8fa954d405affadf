"""funm: any function of a matrix, by the Schur-Parlett method.

P. Davies and N. Higham, SIAM J. Matrix Anal. Appl. 25 (2003): eigenvalues that are close together
are kept in one block of the Schur form, whose function is a Taylor series; the blocks beside the
diagonal follow from Sylvester equations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.linalg.pencils import moved
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    lapack,
    quiet,
    real_if_close,
    square,
    value_of,
)
from runmat_core.values import FunctionHandle, from_numpy, struct, to_numpy

#: Eigenvalues nearer than this belong together.
_NEAR = 0.1
_MOST_TERMS = 250

#: ``derivative(x, k)``: the k-th derivative at a number.
Derivative = Callable[[complex, int], complex]


def _log(x: complex, k: int) -> complex:
    if not k:
        return complex(np.log(complex(x)))
    return complex((-1) ** (k - 1) * math.factorial(k - 1) / x**k)


def _turning(functions: tuple[Any, ...]) -> Derivative:
    return lambda x, k: complex(functions[k % len(functions)](x))


_KNOWN: dict[str, Derivative] = {
    "exp": _turning((np.exp,)),
    "sinh": _turning((np.sinh, np.cosh)),
    "cosh": _turning((np.cosh, np.sinh)),
    "sin": _turning((np.sin, np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x))),
    "cos": _turning((np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x), np.sin)),
    "log": _log,
}


def _clusters(values: Matrix) -> Matrix:
    """The number of each eigenvalue's block: chains of near ones are one block."""
    from scipy.sparse.csgraph import connected_components

    near = np.abs(values[:, None] - values[None, :]) <= _NEAR
    return np.asarray(connected_components(near, directed=False)[1])


def _blocked(t: Matrix, q: Matrix) -> tuple[Matrix, Matrix, list[slice]]:
    """The Schur form with the eigenvalues of a block beside one another."""
    number = _clusters(np.diag(t))
    order = [number[at] for at in sorted(np.unique(number, return_index=True)[1])]
    done: list[int] = []
    slices, start = [], 0
    for block in order:
        done.append(block)
        chosen = np.isin(number, done)
        t, q = moved(t, q, chosen)
        number = np.concatenate([number[chosen], number[~chosen]])
        size = int((number == block).sum())
        slices.append(slice(start, start + size))
        start += size
    return t, q, slices


def _taylor(t: Matrix, f: Derivative) -> tuple[Matrix, int, bool]:
    """The function of a triangular block of near eigenvalues, terms, and whether they end."""
    size = t.shape[0]
    middle = complex(np.trace(t) / size)
    rest = t - middle * np.eye(size)
    total = f(middle, 0) * np.eye(size, dtype=complex)
    power = rest.astype(complex)
    small = 0
    for k in range(1, _MOST_TERMS + 1):
        if size == 1 and abs(rest[0, 0]) == 0:
            return total, 1, True
        term = power * f(middle, k)
        total = total + term
        quiet_now = np.abs(term).max() <= np.finfo(float).eps * np.abs(total).max()
        small = small + 1 if quiet_now else 0
        if small >= max(2, size):
            return total, k, True
        power = power @ rest / (k + 1)
    return total, _MOST_TERMS, False


def _parlett(t: Matrix, slices: list[slice], f: Derivative) -> tuple[Matrix, list[int], bool]:
    """The function of a triangular matrix in blocks."""
    total = np.zeros_like(t, dtype=complex)
    terms, converged = [], True
    for j, at in enumerate(slices):
        total[at, at], count, ended = _taylor(t[at, at], f)
        terms.append(count)
        converged = converged and ended
        for i in range(j - 1, -1, -1):
            left = slices[i]
            between = slice(left.stop, at.start)
            rhs = total[left, left] @ t[left, at] - t[left, at] @ total[at, at]
            rhs += total[left, between] @ t[between, at] - t[left, between] @ total[between, at]
            total[left, at] = lapack().solve_sylvester(t[left, left], -t[at, at], rhs)
    return total, terms, converged


@builtin(
    "funm", family="linalg/functions", nargin=(2, None), nargout=3, needs=("nargout", "interp")
)
def funm(x: Any, function: Any, *options: Any, nargout: int, interp: Interp) -> Any:
    """Function of a square matrix.

    F = funm(A, @exp), and with @log, @sin, @cos, @sinh, @cosh
    F = funm(A, FUN) with FUN(X, K) the K-th derivative at X
    F = funm(A, FUN, OPTIONS, P1, …) passes P1, … to FUN; the options are not used
    [F, EXITFLAG, OUTPUT] = funm(…): 0, or 1 where a Taylor series did not converge

    expm, sqrtm and logm are better for their functions.

    Examples:
        >> funm([0 1; 0 0], @exp)
        ans =
             1     1
             0     1

    See also: expm, logm, sqrtm, schur.
    """
    a = finite(square(x, "funm"), "funm")
    if not isinstance(function, FunctionHandle):
        raise MatlabError("MATLAB:funm:InvalidFun", "FUN must be a function handle.")
    given = options[1:]
    derivative = None if given else _KNOWN.get(function.name)

    def called(at: complex, k: int) -> complex:
        value = interp.call(function, (from_numpy(np.array([[at]])), float(k), *given), 1)
        found = to_numpy(value)
        if found.size != 1:
            raise MatlabError("MATLAB:funm:InvalidFun", "FUN must give as many values as X has.")
        return complex(found.flat[0])

    if not a.size:
        return from_numpy(a)
    with quiet():
        t, q = lapack().schur(a.astype(complex), "complex")
        t, q, slices = _blocked(t, q)
        f, terms, converged = _parlett(t, slices, derivative or called)
        result = value_of(real_if_close(np.asarray(q @ f @ q.conj().T), a))
    if not converged:
        interp.warn("MATLAB:funm:TaylorFailed", "A Taylor series did not converge.")
    if nargout < 2:
        return result
    output = struct({"terms": from_numpy(np.array([terms], float)), "T": value_of(t)})
    return (result, float(not converged), output)[:nargout]
