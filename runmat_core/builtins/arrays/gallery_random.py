"""Families of ``gallery`` that are drawn: orthogonal, or with given singular values.

All but those that take a seed draw from the session's stream.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.accel.random.stream import RandomStream, stream_of
from runmat_core.api.interp import Interp
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.arrays.gallery_families import (
    EPS,
    Matrix,
    array,
    extents,
    number,
    sparse,
    whole,
    wrong,
)
from runmat_core.builtins.arrays.special_matrices import order_of
from runmat_core.values import from_numpy, is_text, numel_of, text

Drawn = Callable[[list[Any], RandomStream], Any]


def _normal(stream: RandomStream, *shape: int) -> Matrix:
    return np.asarray(stream.normal(int(np.prod(shape)))).reshape(shape, order="F")


def _uniform(stream: RandomStream, *shape: int) -> Matrix:
    return np.asarray(stream.uniform(int(np.prod(shape)))).reshape(shape, order="F")


def _orthogonal(n: int, stream: RandomStream) -> Matrix:
    """Return a random orthogonal matrix, distributed evenly."""
    q, r = np.linalg.qr(_normal(stream, n, n))
    return np.asarray(q * np.where(np.diag(r) < 0, -1.0, 1.0))


def _cycol(args: list[Any], stream: RandomStream) -> Any:
    m, n = extents(args[0])
    k = whole(args, 1, max(int(np.floor(n / 4 + 0.5)), 1))
    a = _normal(stream, m, k)
    return a[:, np.arange(n) % k]


def _krylov(args: list[Any], stream: RandomStream) -> Any:
    a = array(args[0])
    if a.size == 1:
        n = order_of(args[0])
        a = _normal(stream, n, n)
    n = a.shape[0]
    x = array(args[1]).reshape(-1, 1) if len(args) > 1 and numel_of(args[1]) else np.ones((n, 1))
    columns = [x]
    for _ in range(whole(args, 2, n) - 1):
        columns.append(a @ columns[-1])
    return np.hstack(columns)


def _qmult(args: list[Any], stream: RandomStream) -> Any:
    a = array(args[0])
    if a.size == 1:
        a = np.eye(order_of(args[0]))
    return _orthogonal(a.shape[0], stream) @ a


def _with_unit_columns(r: Matrix, squares: Matrix, stream: RandomStream) -> Matrix:
    """Turn columns by plane rotations until each has the sum of squares one."""
    r = r.copy()
    for _ in range(squares.size - 1):
        low = np.flatnonzero(squares < 1 - 8 * EPS * squares.size)
        high = np.flatnonzero(squares > 1 + 8 * EPS * squares.size)
        if not low.size or not high.size:
            break
        i, j = low[0], high[-1]
        x, y = r[:, i].copy(), r[:, j].copy()
        mixed = float(x @ y)
        # tangent of an angle after which column i has length one
        root = np.sqrt(mixed**2 - (squares[i] - 1) * (squares[j] - 1))
        t = (mixed + np.copysign(root, mixed)) / (squares[j] - 1)
        c = 1 / np.hypot(1, t)
        s = t * c
        r[:, i], r[:, j] = c * x - s * y, s * x + c * y
        squares[j] = squares[i] + squares[j] - 1
        squares[i] = 1.0
    return r


def _randcolu(args: list[Any], stream: RandomStream) -> Any:
    x = array(args[0]).ravel(order="F")
    if x.size == 1:
        n = order_of(args[0])
        x = _uniform(stream, n)
        x *= np.sqrt(n) / max(np.linalg.norm(x), EPS)
    n = x.size
    m = whole(args, 1, n)
    if abs(np.sum(x**2) - n) > 100 * EPS * n or m < n:
        raise wrong("X must have the squares of its elements sum to N, and M must be N or more.")
    a = np.zeros((m, n))
    a[:n, :n] = np.diag(x)
    if whole(args, 2, 0) == 0:
        a = _orthogonal(m, stream) @ a @ _orthogonal(n, stream)
    return _with_unit_columns(a, np.sum(a**2, axis=0), stream)


def _randcorr(args: list[Any], stream: RandomStream) -> Any:
    x = array(args[0]).ravel(order="F")
    if x.size == 1:
        n = order_of(args[0])
        x = _uniform(stream, n)
        x *= n / max(x.sum(), EPS)
    n = x.size
    if (x < 0).any() or abs(x.sum() - n) > 100 * EPS * n:
        raise wrong("The eigenvalues X must not be negative, and must sum to N.")
    root = np.diag(np.sqrt(x))
    if whole(args, 1, 0) == 0:
        root = root @ _orthogonal(n, stream)
    r = _with_unit_columns(root, np.sum(root**2, axis=0), stream)
    a = r.T @ r
    np.fill_diagonal(a, 1)
    return (a + a.T) / 2


def _randhess(args: list[Any], stream: RandomStream) -> Any:
    x = array(args[0]).ravel(order="F")
    angles = _uniform(stream, order_of(args[0]) - 1) * 2 * np.pi if x.size == 1 else x[:-1]
    n = angles.size + 1
    h = np.eye(n)
    if x.size > 1:
        h[n - 1, n - 1] = np.sign(x[-1]) or 1.0
    for i in range(n - 2, -1, -1):
        c, s = np.cos(angles[i]), np.sin(angles[i])
        upper, lower = h[i].copy(), h[i + 1].copy()
        h[i], h[i + 1] = c * upper + s * lower, -s * upper + c * lower
    return h


def _randjorth(args: list[Any], stream: RandomStream) -> Any:
    p = order_of(args[0])
    q = whole(args, 1, p)
    c = number(args, 2, float(np.sqrt(1 / EPS)))
    symmetric = whole(args, 3, 0)
    if c < 1:
        raise wrong("The condition number must be 1 or more.")
    low, high, swapped = min(p, q), max(p, q), p > q
    # hyperbolic angles whose largest gives the condition number
    big = (1 + c) / (2 * np.sqrt(c))
    cosh = np.concatenate([[big], 1 + (big - 1) * _uniform(stream, max(low - 1, 0))])[:low]
    sinh = np.sqrt(cosh**2 - 1)
    n = p + q
    a = np.eye(n)
    k = np.arange(low)
    a[k, k] = a[high + k, high + k] = cosh
    a[k, high + k] = a[high + k, k] = -sinh
    left, right = _orthogonal(high, stream), _orthogonal(low, stream)
    outer = np.zeros((n, n))
    outer[:high, :high], outer[high:, high:] = left, right
    if symmetric:
        a = outer @ a @ outer.T
    else:
        other = np.zeros((n, n))
        other[:high, :high] = _orthogonal(high, stream)
        other[high:, high:] = _orthogonal(low, stream)
        a = outer @ a @ other
    if not swapped:
        order = np.concatenate([np.arange(high, n), np.arange(high)])
        a = a[np.ix_(order, order)]
    return a


def _randsvd(args: list[Any], stream: RandomStream) -> Any:
    m, n = extents(args[0])
    kappa, mode = number(args, 1, float(np.sqrt(1 / EPS))), whole(args, 2, 3)
    p = min(m, n)
    lower = whole(args, 3, m - 1)
    upper = whole(args, 4, lower if len(args) > 3 else n - 1)
    definite = kappa < 0
    kappa = abs(kappa)
    if kappa < 1:
        raise wrong("The condition number must be 1 or more.")
    k = np.arange(p)
    values = {
        1: np.where(k == 0, 1.0, 1 / kappa),
        2: np.where(k == p - 1, 1 / kappa, 1.0),
        3: kappa ** (-k / max(p - 1, 1)),
        4: 1 - k / max(p - 1, 1) * (1 - 1 / kappa),
    }.get(abs(mode))
    if abs(mode) == 5:
        values = np.exp(-_uniform(stream, p) * np.log(kappa))
    if values is None:
        raise wrong("MODE must be from 1 to 5, or from -5 to -1.")
    if mode < 0:
        values = values[::-1]
    a = np.zeros((m, n))
    a[k, k] = values
    if definite:
        q = _orthogonal(p, stream)
        a = q @ np.diag(values) @ q.T
        a = (a + a.T) / 2
    else:
        a = _orthogonal(m, stream) @ a @ _orthogonal(n, stream)
    return a if lower >= m - 1 and upper >= n - 1 else _banded(a, lower, upper)


def _banded(a: Matrix, lower: int, upper: int) -> Matrix:
    """Return the matrix reduced to a band by reflections from both sides."""
    a = a.copy()
    m, n = a.shape
    for k in range(min(m, n)):
        if k + lower + 1 < m:
            _reflect(a[k + lower :, k:], a[k + lower :, k])
            a[k + lower + 1 :, k] = 0
        if k + upper + 1 < n:
            _reflect(a[k:, k + upper :].T, a[k, k + upper :])
            a[k, k + upper + 1 :] = 0
    return a


def _reflect(rows: Matrix, x: Matrix) -> None:
    v = x.copy()
    v[0] += np.copysign(np.linalg.norm(v), v[0])
    size = float(v @ v)
    if size:
        rows -= np.outer(v, 2 / size * (v @ rows))


def _rando(args: list[Any], stream: RandomStream) -> Any:
    m, n = extents(args[0])
    kind = whole(args, 1, 1)
    u = _uniform(stream, m, n)
    if kind == 1:
        return np.floor(u + 0.5)
    if kind == 2:
        return 2 * np.floor(u + 0.5) - 1
    if kind == 3:
        return np.floor(3 * u) - 1
    raise wrong("K must be 1, 2 or 3.")


def _toeppd(args: list[Any], stream: RandomStream) -> Any:
    n = order_of(args[0])
    m = whole(args, 1, n)
    w = array(args[2]).ravel() if len(args) > 2 else _uniform(stream, m)
    theta = array(args[3]).ravel() if len(args) > 3 else _uniform(stream, m)
    if w.size != m or theta.size != m:
        raise wrong("W and THETA must have M elements.")
    k = np.arange(n)
    turn = 2 * np.pi * (k[None, :] - k[:, None])
    return np.sum([a * np.cos(b * turn) for a, b in zip(w, theta, strict=True)], axis=0)


def _wathen(args: list[Any], stream: RandomStream) -> Any:
    coo_array = package("scipy.sparse").coo_array

    nx, ny, kind = order_of(args[0]), order_of(args[1]), whole(args, 2, 0)
    first = np.array([[6, -6, 2, -8], [-6, 32, -6, 20], [2, -6, 6, -6], [-8, 20, -6, 32.0]])
    second = np.array([[3, -8, 2, -6], [-8, 16, -8, 20], [2, -8, 3, -8], [-6, 20, -8, 16.0]])
    element = np.block([[first, second], [second.T, first]]) / 45
    n = 3 * nx * ny + 2 * nx + 2 * ny + 1
    density = 100 * _uniform(stream, nx, ny)
    rows, columns, values = [], [], []
    for j in range(1, ny + 1):
        for i in range(1, nx + 1):
            last = 3 * j * nx + 2 * i + 2 * j + 1
            middle = (3 * j - 1) * nx + 2 * j + i - 1
            base = 3 * (j - 1) * nx + 2 * i + 2 * j - 3
            at = (
                np.array([last, last - 1, last - 2, middle, base, base + 1, base + 2, middle + 1])
                - 1
            )
            rows.append(np.repeat(at, 8))
            columns.append(np.tile(at, 8))
            values.append((element * density[i - 1, j - 1]).ravel())
    places = [np.concatenate(part) if part else np.zeros(0, int) for part in (rows, columns)]
    stored = np.concatenate(values) if values else np.zeros(0)
    a = coo_array((stored, tuple(places)), shape=(n, n)).tocsc()
    if kind:
        scale = 1 / a.diagonal()
        a = a.multiply(scale[:, None]).tocsc()
    return sparse(a)


#: Each maker with the most arguments that it takes.
MAKERS: dict[str, tuple[Drawn, int]] = {
    "cycol": (_cycol, 2), "krylov": (_krylov, 3), "qmult": (_qmult, 2), "randcolu": (_randcolu, 3),
    "randcorr": (_randcorr, 2), "randhess": (_randhess, 1), "randjorth": (_randjorth, 5),
    "rando": (_rando, 2), "randsvd": (_randsvd, 6), "toeppd": (_toeppd, 4),
    "wathen": (_wathen, 3),
}  # fmt: skip


def drawn(name: str, args: list[Any], interp: Interp) -> Any:
    """Return a matrix of one of the families, drawn from the session's stream."""
    return MAKERS[name][0](args, stream_of(interp))


def seeded(name: str, args: Sequence[Any]) -> list[Matrix]:
    """``uniformdata``, ``normaldata`` and ``integerdata``: the same numbers for the same seed.

    The numbers are not MATLAB's.
    """
    rest = list(args)
    least, most = 1.0, 0.0
    if name == "integerdata":
        span = array(rest.pop(0)).ravel()
        least, most = (1.0, float(span[0])) if span.size == 1 else (float(span[0]), float(span[1]))
    if len(rest) < 2:
        raise wrong("A size and a seed are needed.")
    seed = integer(rest.pop(), "J")
    if not 0 <= seed < 2**32:
        raise wrong("The seed J must be an integer from 0 to 2^32-1.")
    sizes = [int(v) for arg in rest for v in array(arg).ravel().real]
    shape = tuple(sizes * 2 if len(sizes) == 1 and len(rest) == 1 else sizes)
    source = np.random.RandomState(seed)
    if name == "normaldata":
        numbers = source.standard_normal(shape[::-1]).T
    else:
        numbers = source.random_sample(shape[::-1]).T
    if name == "integerdata":
        numbers = np.floor(least + numbers * (most - least + 1))
    return [np.asarray(numbers)]


def class_of_data(args: list[Any]) -> str:
    """Return the class that the last argument names, which is taken out of `args`."""
    return text(args.pop()).lower() if args and is_text(args[-1]) else "double"


def converted(matrix: Matrix, cls: str) -> Any:
    from runmat_core.values.classes import cast_array

    return from_numpy(np.array(cast_array(matrix, cls), order="F"))
