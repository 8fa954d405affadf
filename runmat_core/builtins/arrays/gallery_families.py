"""More families of ``gallery``: those of analysis and of differential equations.

Each maker takes the arguments behind the name and gives a matrix, a sparse one as a `SparseArray`,
or a tuple of several outputs.
"""

from __future__ import annotations

from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, integer, numeric
from runmat_core.builtins.arrays.special_matrices import order_of
from runmat_core.values import SparseArray, numel_of

Matrix = NDArray[Any]
EPS = float(np.finfo(np.float64).eps)


def array(value: Any) -> Matrix:
    """Return a numeric argument, floating."""
    return as_float(numeric(value, "gallery"))


def vector(value: Any) -> Matrix:
    """Return a vector argument as it is; a scalar n stands for 1:n."""
    a = array(value).ravel(order="F")
    return np.arange(1.0, order_of(value) + 1) if a.size == 1 else a


def number(args: list[Any], at: int, default: float) -> Any:
    """Return the scalar argument at a place, or its default."""
    if at >= len(args) or numel_of(args[at]) == 0:
        return default
    a = array(args[at])
    if a.size != 1:
        raise MatlabError("MATLAB:gallery:notScalar", "Parameters must be scalars.")
    return a.flat[0]


def whole(args: list[Any], at: int, default: int) -> int:
    """Return the whole number at a place, or its default."""
    return default if at >= len(args) or numel_of(args[at]) == 0 else integer(args[at], "K")


def extents(value: Any) -> tuple[int, int]:
    """Return the size that a number, or a pair of numbers, asks for."""
    a = array(value).ravel(order="F")
    if a.size not in (1, 2):
        raise MatlabError("MATLAB:gallery:invalidSize", "N must be a scalar or a 2-vector.")
    return int(np.real(a[0])), int(np.real(a[-1]))


def wrong(what: str) -> MatlabError:
    return MatlabError("MATLAB:gallery:invalidInput", what)


def toeplitz(column: Matrix, row: Matrix | None = None) -> Matrix:
    row = column.conj() if row is None else row
    k = np.arange(column.size)[:, None] - np.arange(row.size)[None, :]
    below = k >= 0
    return np.asarray(np.where(below, column[np.abs(k) * below], row[np.abs(k) * ~below]))


def sparse(matrix: Any) -> SparseArray:
    csc_array = package("scipy.sparse").csc_array

    return SparseArray(csc_array(matrix))


def _diagonals(parts: list[Matrix], offsets: list[int], n: int) -> Any:
    csc_array = package("scipy.sparse").csc_array
    diags_array = package("scipy.sparse").diags_array

    kept = [(p, k) for p, k in zip(parts, offsets, strict=True) if p.size]
    if not kept:
        return csc_array((n, n))
    return diags_array([p for p, _ in kept], offsets=[k for _, k in kept], shape=(n, n))


def _second_difference(n: int) -> Any:
    off = np.full(max(n - 1, 0), -1.0)
    return _diagonals([off, np.full(n, 2.0), off], [-1, 0, 1], n)


def _binomial(args: list[Any]) -> Any:
    comb = package("scipy.special").comb

    n = order_of(args[0])
    k = np.arange(n)
    lower = comb(k[:, None], k[None, :])
    return lower * (-2.0) ** k @ lower[::-1, ::-1]


def _chebspec(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), whole(args, 1, 0)
    n = n - 1 + (kind == 1)
    if n < 1:
        return np.ones((1, 1)) if kind == 0 else np.zeros((0, 0))
    x = np.cos(np.arange(n + 1) * (np.pi / n))
    d = np.ones(n + 1)
    d[[0, n]] = 2
    signs = (-1.0) ** np.arange(n + 1)
    c = np.outer(d * signs, signs / d) / (x[:, None] - x[None, :] + np.eye(n + 1))
    inner = np.arange(1, n)
    c[inner, inner] = -x[inner] / (2 * (1 - x[inner] ** 2))
    c[0, 0] = (2 * n**2 + 1) / 6
    c[n, n] = -c[0, 0]
    return c[1:, 1:] if kind == 1 else c


def _chebvand(args: list[Any]) -> Any:
    p = array(args[-1]).ravel(order="F")
    if p.size == 1:
        p = np.linspace(0, 1, order_of(args[-1]))
    rows = order_of(args[0]) if len(args) > 1 else p.size
    c = np.ones((rows, p.size), p.dtype)
    if rows > 1:
        c[1] = p
    for k in range(2, rows):
        c[k] = 2 * p * c[k - 1] - c[k - 2]
    return c


def _chow(args: list[Any]) -> Any:
    n, alpha, delta = order_of(args[0]), number(args, 1, 1.0), number(args, 2, 0.0)
    column = np.asarray(alpha) ** np.arange(1.0, n + 1)
    row = np.zeros(n, column.dtype)
    row[:1], row[1:2] = alpha, 1
    return toeplitz(column, row) + delta * np.eye(n)


def _compar(args: list[Any]) -> Any:
    a, kind = array(args[0]), whole(args, 1, 0)
    k = np.arange(min(a.shape))
    if kind == 0:
        c = -np.abs(a)
    elif kind == 1:
        c = np.repeat(-np.abs(a).max(axis=1, keepdims=True, initial=0), a.shape[1], axis=1)
        if (a == np.tril(a)).all():
            c = np.tril(c)
        if (a == np.triu(a)).all():
            c = np.triu(c)
    else:
        raise wrong("K must be 0 or 1.")
    c[k, k] = np.abs(a[k, k])
    return c + 0.0


def _condex(args: list[Any]) -> Any:
    n, kind, theta = order_of(args[0]), whole(args, 1, 3), number(args, 2, 100.0)
    if kind == 1:
        a = np.array(
            [
                [1, -1, -2 * theta, 0],
                [0, 1, theta, -theta],
                [0, 1, 1 + theta, -(theta + 1)],
                [0, 0, 0, theta],
            ]
        )
    elif kind == 2:
        a = np.array([[1, 1 - 2 / theta**2, -2], [0, 1 / theta, -1 / theta], [0, 0, 1]])
    elif kind == 3:
        a = np.eye(n) - np.tril(np.ones((n, n)), -1)
        a[n - 1 :, n - 1 :] = -1
    elif kind == 4:
        k = np.arange(n)
        x = np.stack([np.ones(n), k == 0, (-1.0) ** k * (1 + k / max(n - 1, 1))], axis=1)
        u, s, _ = np.linalg.svd(x, full_matrices=False)
        q = u[:, s > max(x.shape) * s.max(initial=0) * EPS]
        a = np.eye(n) + theta * (np.eye(n) - q @ q.T)
    else:
        raise wrong("K must be 1, 2, 3 or 4.")
    if a.shape[0] < n:
        padded = np.eye(n)
        padded[: a.shape[0], : a.shape[0]] = a
        return padded
    return a


def _dorr(args: list[Any]) -> Any:
    n, theta = order_of(args[0]), number(args, 1, 0.01)
    i, h = np.arange(1.0, n + 1), 1 / (n + 1)
    first = i <= (n + 1) // 2
    slope = (0.5 - i * h) / h
    c = np.where(first, -theta / h**2, -theta / h**2 + slope)
    e = np.where(first, -theta / h**2 - slope, -theta / h**2)
    d = -(c + e)
    parts = c[1:], d, e[:-1]
    matrix = sparse(_diagonals([parts[0], d, parts[2]], [-1, 0, 1], n))
    return (matrix, *(p.reshape(-1, 1) for p in parts))


def _dramadah(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), whole(args, 1, 1)
    k = np.arange(n)
    if kind == 1:
        column = np.where((k % 4 == 1) | (k % 4 == 2), 0.0, 1.0)
        row = np.zeros(n)
        row[:4] = np.array([1, 1, 0, 1])[:n]
        return toeplitz(column, row)
    if kind == 2:
        return toeplitz((k == 0).astype(float), np.where((k % 2 == 0) & (k > 0), 0.0, 1.0))
    if kind == 3:
        return toeplitz((k % 2 == 0).astype(float), (k < 2).astype(float))
    raise wrong("K must be 1, 2 or 3.")


def _gcdmat(args: list[Any]) -> Any:
    k = np.arange(1, order_of(args[0]) + 1)
    return np.gcd(k[:, None], k[None, :]).astype(float)


def _gearmat(args: list[Any]) -> Any:
    n = order_of(args[0])
    i, j = whole(args, 1, n), whole(args, 2, -n)
    if not 0 < abs(i) <= n or not 0 < abs(j) <= n:
        raise wrong("I and J must be nonzero, and at most N in magnitude.")
    a = np.eye(n, k=1) + np.eye(n, k=-1)
    a[0, abs(i) - 1] = np.sign(i)
    a[n - 1, n - abs(j)] = np.sign(j)
    return a


def _hanowa(args: list[Any]) -> Any:
    n, d = order_of(args[0]), number(args, 1, -1.0)
    if n % 2:
        raise wrong("N must be even.")
    side, off = d * np.eye(n // 2), np.diag(np.arange(1.0, n // 2 + 1))
    return np.block([[side, -off], [off, side]])


def _house(args: list[Any]) -> Any:
    x, kind = array(args[0]), whole(args, 1, 0)
    if x.ndim > 2 or x.shape[1] != 1:
        raise wrong("X must be a column vector.")
    if kind not in (0, 1, 2) or (kind == 2 and x.dtype.kind == "c"):
        raise wrong("K must be 0, 1 or 2, the latter for real X.")
    v = x.ravel().copy()
    first, size = v[0], float(np.linalg.norm(v))
    sign = first / abs(first) if first else 1.0
    s = {0: -sign, 1: sign, 2: 1.0}[kind] * size
    tail = float(np.sum(np.abs(v[1:]) ** 2))
    # the difference without cancellation where both have one sign
    v[0] = (
        first - s if np.real(np.conj(s) * first) <= 0 else -tail * s / (size * (abs(first) + size))
    )
    if v[0] == 0:
        return np.zeros(x.shape), 1.0, first
    return v.reshape(-1, 1), float(np.real(-1 / (np.conj(s) * v[0]))), s


def _invhess(args: list[Any]) -> Any:
    x = vector(args[0])
    y = array(args[1]).ravel(order="F") if len(args) > 1 else -x[:-1]
    if y.size != max(x.size - 1, 0):
        raise wrong("Y must have one element less than X.")
    a = np.tile(x, (x.size, 1)).astype(np.result_type(x, y))
    above = np.triu(np.ones(a.shape, bool), 1)
    return np.where(above, np.append(y, 0)[:, None], a)


def _invol(args: list[Any]) -> Any:
    n = order_of(args[0])
    k = np.arange(1.0, n + 1)
    a = 1 / (k[:, None] + k[None, :] - 1)
    d = -float(n)
    a[:, :1] *= d
    for i in range(1, n):
        d = -(n + i) * (n - i) * d / (i * i)
        a[i] *= d
    return a


def _ipjfact(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), whole(args, 1, 0)
    k = np.arange(n)
    a = np.cumprod(np.arange(1.0, 2 * n + 1))[k[:, None] + k[None, :] + 1]
    if kind == 0:
        return a, float(prod(factorial(i) * factorial(i + 2) for i in range(n)))
    if kind != 1:
        raise wrong("K must be 0 or 1.")
    sign = -1.0 if n * (n - 1) // 2 % 2 else 1.0
    return 1 / a, sign * prod(factorial(i) / factorial(n + 1 + i) for i in range(n))


def _kahan(args: list[Any]) -> Any:
    m, n = extents(args[0])
    theta, pert = number(args, 1, 1.2), number(args, 2, 25.0)
    s, c = np.sin(theta), np.cos(theta)
    k = np.arange(n)
    u = (s**k)[:, None] * (np.eye(n) - c * np.triu(np.ones((n, n)), 1))
    u += pert * EPS * np.diag(np.arange(n, 0, -1.0))
    return np.pad(u, ((0, m - n), (0, 0))) if m > n else u[:m]


def _lauchli(args: list[Any]) -> Any:
    n = order_of(args[0])
    return np.vstack([np.ones((1, n)), number(args, 1, EPS**0.5) * np.eye(n)])


def _leslie(args: list[Any]) -> Any:
    if len(args) == 1:
        n = order_of(args[0])
        a, b = np.ones(n), np.ones(max(n - 1, 0))
    else:
        a, b = array(args[0]).ravel(order="F"), array(args[1]).ravel(order="F")
    if b.size != max(a.size - 1, 0):
        raise wrong("B must have one element less than A.")
    made = np.diag(b, -1) if a.size > 1 else np.zeros((a.size, a.size))
    made[:1] = a
    return made


def _lesp(args: list[Any]) -> Any:
    n = order_of(args[0])
    x = np.arange(2.0, n + 1)
    return np.diag(-(2 * np.arange(2.0, n + 2) + 1)) + np.diag(1 / x, -1) + np.diag(x, 1)


def _neumann(args: list[Any]) -> Any:
    eye_array = package("scipy.sparse").eye_array
    kron = package("scipy.sparse").kron

    m, n = extents(args[0])
    if numel_of(args[0]) == 1:
        side = round(m**0.5)
        if side**2 != m:
            raise wrong("N must be a perfect square.")
        m = n = side
    first, second = (_reflecting(k) for k in (m, n))
    a = kron(first, eye_array(n)) + kron(eye_array(m), second)
    return sparse(a), np.ones((m * n, 1))


def _reflecting(n: int) -> Any:
    t = _second_difference(n).tolil()
    if n > 1:
        t[0, 1] = t[n - 1, n - 2] = -2
    return t.tocsc()


def _orthog(args: list[Any]) -> Any:
    n, kind = order_of(args[0]), whole(args, 1, 1)
    i, j = np.arange(1.0, n + 1)[:, None], np.arange(1.0, n + 1)[None, :]
    if kind == 1:
        return np.sin(i * j * (np.pi / (n + 1))) * np.sqrt(2 / (n + 1))
    if kind == 2:
        return np.sin(i * j * (2 * np.pi / (2 * n + 1))) * (2 / np.sqrt(2 * n + 1))
    turn = (i - 1) * (j - 1) * (2 * np.pi / max(n, 1))
    if kind == 3:
        return np.exp(1j * turn) / np.sqrt(n)
    if kind == 4:
        q = np.tril(np.ones((n, n)))
        q[:1] = 1
        q -= np.diag(np.arange(n) + (np.arange(n) > 0))
        k = np.arange(1.0, n)
        return q / np.sqrt(np.append(n, k * (k + 1)))[:n, None]
    if kind == 5:
        return (np.sin(turn) + np.cos(turn)) / np.sqrt(n)
    if kind == 6:
        return np.sqrt(2 / n) * np.cos((i - 0.5) * (j - 0.5) * np.pi / n)
    if kind == 7:
        # a reflection that takes the first unit vector to a multiple of the vector of ones
        v = np.ones(n) / np.sqrt(max(n, 1))
        v[:1] += 1
        return np.eye(n) - 2 * np.outer(v, v) / (v @ v)
    if kind == -1:
        return np.cos((i - 1) * (j - 1) * np.pi / max(n - 1, 1))
    if kind == -2:
        return np.cos((i - 1) * (j - 0.5) * (np.pi / n))
    raise wrong("K must be from -2 to 7 and not 0.")


def _poisson(args: list[Any]) -> Any:
    eye_array = package("scipy.sparse").eye_array
    kron = package("scipy.sparse").kron

    n = order_of(args[0])
    s = _second_difference(n)
    return sparse(kron(eye_array(n), s) + kron(s, eye_array(n)))


def _prolate(args: list[Any]) -> Any:
    n, w = order_of(args[0]), number(args, 1, 0.25)
    k = np.arange(1, n)
    return toeplitz(np.concatenate([[2 * w], np.sin(2 * np.pi * w * k) / (np.pi * k)])[:n])


def _redheff(args: list[Any]) -> Any:
    k = np.arange(1, order_of(args[0]) + 1)
    return ((k[None, :] % k[:, None] == 0) | (k[None, :] == 1)).astype(float)


def _riemann(args: list[Any]) -> Any:
    k = np.arange(2, order_of(args[0]) + 2)
    return np.where(k[None, :] % k[:, None] == 0, k[:, None], 0) - 1.0


def _sampling(args: list[Any]) -> Any:
    x = vector(args[0])
    gaps = x[:, None] - x[None, :] + np.eye(x.size)
    a = x[:, None] / gaps
    np.fill_diagonal(a, 0)
    return a + np.diag(a.sum(axis=0))


def _toeppen(args: list[Any]) -> Any:
    n = order_of(args[0])
    values = [number(args, k + 1, v) for k, v in enumerate((1.0, -10.0, 0.0, 10.0, 1.0))]
    parts = [np.full(max(n - abs(k), 0), v) for v, k in zip(values, range(-2, 3), strict=True)]
    return sparse(_diagonals(parts, list(range(-2, 3)), n))


def _wilk(args: list[Any]) -> Any:
    n = order_of(args[0])
    none = np.zeros((0, 0))
    if n == 3:
        a = np.array([[1e-10, 0.9, -0.4], [0, 0.9, -0.4], [0, 0, 1e-10]])
        return a, np.array([[0.0], [0.0], [1.0]])
    if n == 4:
        rows = (
            "0.9143e-4 0 0 0 0.8762 0.7156e-4 0 0 0.7943 0.8143 0.9504e-4 0 "
            "0.8017 0.6123 0.7165 0.7123e-4"
        )
        b = np.array([[0.6524], [0.3127], [0.4186], [0.7853]])
        return np.array(rows.split(), np.float64).reshape(4, 4), b
    if n == 5:
        k = np.arange(1.0, 6)
        return 1.8144 / (k[:, None] + k[None, :]), none
    if n == 20:
        return np.diag(np.arange(20, 0, -1.0)) + np.diag(np.full(19, 20.0), 1), none
    if n == 21:
        return np.diag(np.abs(np.arange(-10.0, 11))) + np.eye(21, k=1) + np.eye(21, k=-1), none
    raise wrong("N must be 3, 4, 5, 20 or 21.")


#: Each maker with the most arguments that it takes.
MAKERS = {
    "binomial": (_binomial, 1), "chebspec": (_chebspec, 2), "chebvand": (_chebvand, 2),
    "chow": (_chow, 3), "compar": (_compar, 2), "condex": (_condex, 3), "dorr": (_dorr, 2),
    "dramadah": (_dramadah, 2), "gcdmat": (_gcdmat, 1), "gearmat": (_gearmat, 3),
    "hanowa": (_hanowa, 2), "house": (_house, 2), "invhess": (_invhess, 2), "invol": (_invol, 1),
    "ipjfact": (_ipjfact, 2), "kahan": (_kahan, 3), "lauchli": (_lauchli, 2),
    "leslie": (_leslie, 2), "lesp": (_lesp, 1), "neumann": (_neumann, 1), "orthog": (_orthog, 2),
    "poisson": (_poisson, 1), "prolate": (_prolate, 2), "redheff": (_redheff, 1),
    "riemann": (_riemann, 1), "sampling": (_sampling, 1), "toeppen": (_toeppen, 6),
    "wilk": (_wilk, 1),
}  # fmt: skip
