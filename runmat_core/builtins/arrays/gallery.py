"""``gallery``: test matrices of numerical analysis by name, after Higham's collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import (
    MatlabError,
    not_enough_inputs,
    too_many_inputs,
    too_many_outputs,
)
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, check_size, integer, numeric, option
from runmat_core.builtins.arrays import gallery_families as families
from runmat_core.builtins.arrays import gallery_random
from runmat_core.builtins.arrays.special_matrices import order_of
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import choice
from runmat_core.values import SparseArray, from_numpy, is_text

Matrix = NDArray[Any]
Maker = Callable[[list[Any]], Any]


def _vector(value: Any) -> Matrix:
    """Return a vector argument, where a scalar n stands for 1:n."""
    a = as_float(numeric(value, "gallery"))
    if a.ndim > 2 or (a.size and 1 not in a.shape):
        raise MatlabError("MATLAB:gallery:notVector", "The argument must be a scalar or a vector.")
    if a.size == 1:
        n = order_of(value)
        return np.arange(1.0, n + 1)
    check_size((a.size, a.size), 16)
    return a.ravel()


def _number(args: list[Any], at: int, default: float) -> Any:
    if at >= len(args):
        return default
    a = as_float(numeric(args[at], "gallery"))
    if a.size != 1:
        raise MatlabError("MATLAB:gallery:notScalar", "Parameters must be scalars.")
    return a.flat[0]


def _grid(n: int) -> tuple[Matrix, Matrix]:
    k = np.arange(1.0, n + 1)
    return k[:, None], k[None, :]


def _cauchy(args: list[Any]) -> Any:
    x = _vector(args[0])
    y = _vector(args[1]) if len(args) > 1 else x
    if x.size != y.size:
        raise MatlabError("MATLAB:cauchy:ParamLengthMismatch", "X and Y must have one length.")
    return 1 / (x[:, None] + y[None, :])


def _circul(args: list[Any]) -> Any:
    v = _vector(args[0])
    k = np.arange(v.size)
    return v[(k[None, :] - k[:, None]) % max(v.size, 1)] if v.size else np.zeros((0, 0))


def _clement(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), int(np.real(_number(args, 1, 0)))
    k = np.arange(1.0, n)
    x, z = k[::-1], k
    if kind:
        x = z = np.sqrt(x * z)
    return np.diag(x, -1) + np.diag(z, 1) if n > 1 else np.zeros((n, n))


def _fiedler(args: list[Any]) -> Any:
    c = _vector(args[0])
    return np.abs(c[:, None] - c[None, :])


def _forsythe(args: list[Any]) -> Any:
    n = order_of(args[0])
    a = _jordan(n, _number(args, 2, 0.0))
    if n:
        a[n - 1, 0] += _number(args, 1, float(np.sqrt(np.finfo(float).eps)))
    return a


def _jordan(n: int, diagonal: Any) -> Any:
    return diagonal * np.eye(n) + np.eye(n, k=1)


def _frank(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), _number(args, 1, 0)
    k = np.arange(n, 0, -1.0)
    f = np.triu(np.minimum(k[:, None], k[None, :]), -1)
    return f[::-1, ::-1].T if kind else f


def _grcar(args: list[Any]) -> Any:
    n, k = order_of(args[0]), int(np.real(_number(args, 1, 3)))
    return np.tril(np.triu(np.ones((n, n))), k) - np.eye(n, k=-1)


def _kms(args: list[Any]) -> Any:
    n, rho = order_of(args[0]), _number(args, 1, 0.5)
    i, j = _grid(n)
    a = np.asarray(rho) ** np.abs(i - j)
    return np.where(i > j, a.conj(), a) if np.iscomplexobj(a) else a


def _lehmer(args: list[Any]) -> Any:
    i, j = _grid(order_of(args[0]))
    return np.minimum(i, j) / np.maximum(i, j)


def _lotkin(args: list[Any]) -> Any:
    i, j = _grid(order_of(args[0]))
    return np.where(i == 1, 1.0, 1 / (i + j - 1))


def _minij(args: list[Any]) -> Any:
    i, j = _grid(order_of(args[0]))
    return np.minimum(i, j)


def _moler(args: list[Any]) -> Any:
    u = _triw([args[0], *args[1:2]])
    return u.conj().T @ u


def _parter(args: list[Any]) -> Any:
    i, j = _grid(order_of(args[0]))
    return 1 / (i - j + 0.5)


def _pei(args: list[Any]) -> Any:
    n = order_of(args[0])
    return _number(args, 1, 1.0) * np.eye(n) + np.ones((n, n))


def _ris(args: list[Any]) -> Any:
    n = order_of(args[0])
    i, j = _grid(n)
    return 0.5 / (n - i - j + 1.5)


def _smoke(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), _number(args, 1, 0)
    w = np.exp(2j * np.pi / max(n, 1))
    a = np.diag(w ** np.arange(1, n)) if n > 1 else np.zeros((0, 0), complex)
    a = np.pad(a, ((0, n - a.shape[0]), (0, n - a.shape[0])))
    if n:
        a[n - 1, n - 1] = 1
        a += np.eye(n, k=1)
        if not kind:
            a[n - 1, 0] = 1
    return a


def _triw(args: list[Any]) -> Any:
    n = order_of(args[0])
    alpha = _number(args, 1, -1.0)
    band = n - 1 if len(args) < 3 else integer(args[2], "K")
    return np.eye(n) + alpha * np.tril(np.triu(np.ones((n, n)), 1), min(max(band, 0), n))


def _tridiag(args: list[Any]) -> Any:
    """Sparse: gallery("tridiag", n), (n, c, d, e) with numbers or (c, d, e) with vectors."""
    diags_array = package("scipy.sparse").diags_array

    if len(args) in (1, 4):
        n = order_of(args[0])
        c, d, e = (_number(args, k, v) for k, v in ((1, -1.0), (2, 2.0), (3, -1.0)))
        parts = [np.full(max(n - 1, 0), c), np.full(n, d), np.full(max(n - 1, 0), e)]
    elif len(args) == 3:
        parts = [as_float(numeric(v, "gallery")).ravel(order="F") for v in args]
        n = parts[1].size
        if parts[0].size != n - 1 or parts[2].size != n - 1:
            raise MatlabError("MATLAB:tridiag:InvalidVectorArgs", "The diagonals do not match.")
    else:
        raise not_enough_inputs()
    if n < 2:
        return SparseArray.from_dense(np.diag(parts[1]) if n else np.zeros((0, 0)))
    return SparseArray(diags_array(parts, offsets=[-1, 0, 1], shape=(n, n), format="csc"))


#: Each maker with the most arguments that it takes.
_MAKERS: dict[str, tuple[Maker, int]] = {
    "cauchy": (_cauchy, 2),
    "circul": (_circul, 1),
    "clement": (_clement, 2),
    "fiedler": (_fiedler, 1),
    "forsythe": (_forsythe, 3),
    "frank": (_frank, 2),
    "grcar": (_grcar, 2),
    "jordbloc": (lambda args: _jordan(order_of(args[0]), _number(args, 1, 1.0)), 2),
    "kms": (_kms, 2),
    "lehmer": (_lehmer, 1),
    "lotkin": (_lotkin, 1),
    "minij": (_minij, 1),
    "moler": (_moler, 2),
    "parter": (_parter, 1),
    "pei": (_pei, 2),
    "ris": (_ris, 1),
    "smoke": (_smoke, 2),
    "tridiag": (_tridiag, 4),
    "triw": (_triw, 3),
}

_THREE = "-149 -50 -154 537 180 546 -27 -9 -25"
_FIVE = (
    "-9 11 -21 63 -252 70 -69 141 -421 1684 -575 575 -1149 3451 -13801 "
    "3891 -3891 7782 -23345 93365 1024 -1024 2048 -6144 24572"
)


_SEEDED = ("uniformdata", "normaldata", "integerdata")


@builtin("gallery", family="arrays/special", nargin=(1, None), nargout=4,
         needs=("nargout", "interp"), effects="rng")  # fmt: skip
def gallery(kind: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Test matrices.

    A = gallery(NAME, P1, P2, …) with "binomial", "cauchy", "chebspec", "chebvand", "chow",
    "circul", "clement", "compar", "condex", "cycol", "dorr", "dramadah", "fiedler", "forsythe",
    "frank", "gcdmat", "gearmat", "grcar", "hanowa", "house", "integerdata", "invhess", "invol",
    "ipjfact", "jordbloc", "kahan", "kms", "krylov", "lauchli", "lehmer", "leslie", "lesp",
    "lotkin", "minij", "moler", "neumann", "normaldata", "orthog", "parter", "pei", "poisson",
    "prolate", "qmult", "randcolu", "randcorr", "randhess", "randjorth", "rando", "randsvd",
    "redheff", "riemann", "ris", "sampling", "smoke", "toeppd", "toeppen", "tridiag", "triw",
    "uniformdata", "wathen" and "wilk"
    [A, B, …] = gallery(…) for "dorr", "house", "ipjfact", "neumann" and "wilk"
    A = gallery(…, CLASSNAME) with "double" or "single"
    A = gallery(3), A = gallery(5) have ill-conditioned eigenvalues

    Examples:
        >> gallery("minij", 3)
        ans =
             1     1     1
             1     2     2
             1     2     3

    See also: hadamard, hilb, magic, pascal, rosser, toeplitz, wilkinson.
    """
    if not is_text(kind):
        numbers = {3: _THREE, 5: _FIVE}.get(integer(kind, "N"))
        if numbers is None or args:
            raise MatlabError("MATLAB:gallery:invalidInput", "N must be 3 or 5.")
        a = np.array(numbers.split(), np.float64)
        return from_numpy(a.reshape(int(np.sqrt(a.size)), -1))
    name = choice(kind, (*_MAKERS, *families.MAKERS, *gallery_random.MAKERS, *_SEEDED), "gallery")
    rest = list(args)
    if name in _SEEDED:
        cls = gallery_random.class_of_data(rest)
        return gallery_random.converted(gallery_random.seeded(name, rest)[0], cls)
    single = False
    if rest and option(rest[-1]) in {"single", "double"}:
        single = option(rest.pop()) == "single"
    if not rest:
        raise not_enough_inputs()
    most = ({**_MAKERS, **families.MAKERS}.get(name) or gallery_random.MAKERS[name])[1]
    if len(rest) > most:
        raise too_many_inputs()
    with np.errstate(all="ignore"):
        if name in gallery_random.MAKERS:
            made = gallery_random.drawn(name, rest, interp)
        else:
            made = {**_MAKERS, **families.MAKERS}[name][0](rest)
    outputs = made if isinstance(made, tuple) else (made,)
    if name == "dorr" and nargout > 1:
        outputs = outputs[1:]
    if nargout > len(outputs):
        raise too_many_outputs()
    values = tuple(_value(output, single) for output in outputs[: max(nargout, 1)])
    return values if nargout > 1 else values[0]


def _value(made: Any, single: bool) -> Any:
    if isinstance(made, SparseArray):
        return made
    a = np.atleast_2d(np.asarray(made))
    if single:
        a = a.astype(np.complex64 if a.dtype.kind == "c" else np.float32)
    return value_of(np.ascontiguousarray(a))
