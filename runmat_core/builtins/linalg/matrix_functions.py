"""funm: any function of a matrix, by the Schur-Parlett method.

P. Davies and N. Higham, SIAM J. Matrix Anal. Appl. 25 (2003): eigenvalues that are close together
are kept in one block of the Schur form, whose function is a Taylor series; the blocks beside the
diagonal follow from Sylvester equations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import integer, scalar, whole
from runmat_core.builtins.linalg.pencils import moved
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    quiet,
    real_if_close,
    scipy_linalg,
    square,
    value_of,
)
from runmat_core.builtins.named import match
from runmat_core.values import (
    FunctionHandle,
    StructArray,
    cell,
    from_numpy,
    is_text,
    size_of,
    spectral,
    struct,
    text,
    to_numpy,
)

_FIELDS = ("Display", "TolBlk", "TolTay", "MaxTerms", "MaxSqrt", "Ord")

#: ``derivative(x, k)``: the k-th derivative at a number.
Derivative = Callable[[complex, int], complex]


@attrs.frozen
class _Options:
    """How the Schur form is cut and its blocks computed.

    Attributes:
        near: eigenvalues nearer than this belong together.
        tolerance: terms of a Taylor series below this, relative to the sum, end it.
        most_terms: after so many it ends in any case.
        blocks: the number of the block that each eigenvalue goes into, None to find out.
        show: whether to tell what is done.
    """

    near: float = 0.1
    tolerance: float = float(np.finfo(float).eps)
    most_terms: int = 250
    blocks: Matrix | None = None
    show: bool = False


def _options(value: Any, size: int) -> _Options:
    """Return the fields of the struct that funm takes; an empty array stands for none."""
    if value is None or size_of(value) == (0, 0):
        return _Options()
    if not isinstance(value, StructArray) or not isinstance(value.data, dict):
        raise MatlabError("MATLAB:funm:InvalidOptions", "OPTIONS must be a struct.")
    fields = {match(k, _FIELDS, "funm"): v for k, v in value.data.items() if size_of(v) != (0, 0)}
    given: dict[str, Any] = {}
    for name, field in (("TolBlk", "near"), ("TolTay", "tolerance")):
        if name in fields:
            given[field] = scalar(fields[name], name)
            if not given[field] > 0:
                raise MatlabError("MATLAB:funm:NegTol", f"{name} must be positive.")
    if "MaxTerms" in fields:
        given["most_terms"] = max(1, integer(fields["MaxTerms"], "MaxTerms"))
    if "Ord" in fields:
        given["blocks"] = whole(fields["Ord"], "funm")
        if given["blocks"].size != size:
            raise MatlabError(
                "MATLAB:funm:InvalidOrd", f"Ord must have one element for each of {size} rows."
            )
    shown = fields.get("Display", 0.0)
    if is_text(shown):
        given["show"] = match(text(shown), ("off", "on", "verbose"), "funm") != "off"
    else:
        given["show"] = scalar(shown, "Display") > 0
    return _Options(**given)


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


def _clusters(values: Matrix, near: float) -> Matrix:
    """Return the number of each eigenvalue's block: chains of near ones are one block."""
    connected_components = package("scipy.sparse.csgraph").connected_components

    close = np.abs(values[:, None] - values[None, :]) <= near
    number = np.asarray(connected_components(close, directed=False)[1])
    # blocks are numbered as they are met, so that few eigenvalues have to move
    first = np.unique(number, return_index=True)[1]
    return np.asarray(np.argsort(np.argsort(first))[number] + 1)


def _blocked(t: Matrix, q: Matrix, number: Matrix) -> tuple[Matrix, Matrix, list[slice]]:
    """Return the Schur form with eigenvalues of a block side by side, blocks ascending."""
    done: list[int] = []
    slices, start = [], 0
    for block in np.unique(number):
        done.append(int(block))
        chosen = np.isin(number, done)
        t, q = moved(t, q, chosen)
        number = np.concatenate([number[chosen], number[~chosen]])
        size = int((number == block).sum())
        slices.append(slice(start, start + size))
        start += size
    return t, q, slices


def _taylor(t: Matrix, f: Derivative, options: _Options) -> tuple[Matrix, int, bool]:
    """Return the function of a block of near eigenvalues, terms, and whether they end."""
    size = t.shape[0]
    middle = complex(np.trace(t) / size)
    rest = t - middle * np.eye(size)
    total = f(middle, 0) * np.eye(size, dtype=complex)
    power = rest.astype(complex)
    small = 0
    for k in range(1, options.most_terms + 1):
        if size == 1 and abs(rest[0, 0]) == 0:
            return total, 1, True
        term = power * f(middle, k)
        total = total + term
        quiet_now = np.abs(term).max() <= options.tolerance * np.abs(total).max()
        small = small + 1 if quiet_now else 0
        if small >= max(2, size):
            return total, k, True
        power = power @ rest / (k + 1)
    return total, options.most_terms, False


def _parlett(
    t: Matrix, slices: list[slice], f: Derivative, options: _Options
) -> tuple[Matrix, list[int], bool]:
    """Return the function of a triangular matrix in blocks."""
    total = np.zeros_like(t, dtype=complex)
    terms, converged = [], True
    for j, at in enumerate(slices):
        total[at, at], count, ended = _taylor(t[at, at], f, options)
        terms.append(count)
        converged = converged and ended
        for i in range(j - 1, -1, -1):
            left = slices[i]
            between = slice(left.stop, at.start)
            rhs = total[left, left] @ t[left, at] - t[left, at] @ total[at, at]
            rhs += total[left, between] @ t[between, at] - t[left, between] @ total[between, at]
            total[left, at] = scipy_linalg().solve_sylvester(t[left, left], -t[at, at], rhs)
    return total, terms, converged


@builtin(
    "funm", family="linalg/functions", nargin=(2, None), nargout=3, needs=("nargout", "interp")
)
def funm(x: Any, function: Any, *options: Any, nargout: int, interp: Interp) -> Any:
    """Function of a square matrix.

    F = funm(A, @exp), and with @log, @sin, @cos, @sinh, @cosh
    F = funm(A, FUN) with FUN(X, K) the K-th derivative at X
    F = funm(A, FUN, OPTIONS) with fields of a struct: TolBlk (eigenvalues nearer than this are
    one block; 0.1), TolTay (terms below this end a series; eps), MaxTerms (250), Ord (the number
    of the block that each eigenvalue of the Schur form goes into) and Display ("off")
    F = funm(A, FUN, OPTIONS, P1, …) passes P1, … to FUN; OPTIONS may be []
    [F, EXITFLAG, OUTPUT] = funm(…): 0, or 1 where a Taylor series did not converge, and a struct
    with terms of each block, ind, the places of each block, ord and the Schur form T

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
    settings = _options(options[0] if options else None, a.shape[0])
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
        t, q = spectral.of_scipy("schur")(a.astype(complex), "complex")
        blocks = settings.blocks
        blocks = _clusters(np.diag(t), settings.near) if blocks is None else blocks
        t, q, slices = _blocked(t, q, blocks)
        f, terms, converged = _parlett(t, slices, derivative or called, settings)
        result = value_of(real_if_close(np.asarray(q @ f @ q.conj().T), a))
    if not converged:
        interp.warn("MATLAB:funm:TaylorFailed", "A Taylor series did not converge.")
    if settings.show:
        for k, (at, count) in enumerate(zip(slices, terms, strict=True), 1):
            interp.write(f"Block {k}: size {at.stop - at.start}, {count} terms\n")
    if nargout < 2:
        return result
    places = [_row(np.arange(at.start, at.stop) + 1) for at in slices]
    output = {"terms": _row(terms), "ind": cell(places), "ord": _row(blocks), "T": value_of(t)}
    return (result, float(not converged), struct(output))[:nargout]


def _row(numbers: Any) -> Any:
    return from_numpy(np.asarray(numbers, float).reshape(1, -1))
