"""Random sparse matrices with given singular values or eigenvalues.

Plane rotations of a diagonal matrix keep these values; many rotations of disjoint pairs of rows or
columns are one product, which about doubles the number of elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.random.stream import RandomStream
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.values import spectral

#: Matrices up to this size have all their eigenvalues computed.
_WHOLE = 600


def spread_values(rc: NDArray[Any], count: int, name: str) -> NDArray[np.float64]:
    """`count` values: those given and zeros, or from 1 down to a reciprocal condition number."""
    if rc.size > max(count, 1) or not np.isfinite(rc).all():
        raise MatlabError(
            f"MATLAB:{name}:InvalidRC", f"RC must be one finite number, or at most {count} of them."
        )
    if rc.size != 1:
        return np.concatenate([rc, np.zeros(count - rc.size)])
    if not 0 <= rc[0] <= 1:
        raise MatlabError(f"MATLAB:{name}:InvalidRC", "A scalar RC must be between 0 and 1.")
    if count < 2:
        return np.ones(count)
    return np.asarray(rc[0] ** (np.arange(count) / (count - 1)), np.float64)


def _rotations(size: int, order: NDArray[np.intp], angles: NDArray[Any]) -> Any:
    """Rotations of as many pairs of neighbours in `order` as there are angles."""
    csc_array = package("scipy.sparse").csc_array

    first, second = order[: 2 * angles.size : 2], order[1 : 2 * angles.size : 2]
    rest = order[2 * angles.size :]
    c, s = np.cos(angles), np.sin(angles)
    rows = np.concatenate([first, second, first, second, rest])
    columns = np.concatenate([first, second, second, first, rest])
    values = np.concatenate([c, c, -s, s, np.ones(rest.size)])
    return csc_array((values, (rows, columns)), shape=(size, size))


def _filled(a: Any, target: float, stream: RandomStream, sides: list[Callable[..., Any]]) -> Any:
    """Return `a` rotated until it has about `target` elements.

    Args:
        sides: what applies rotations, ``side(a, order, angles)``, in turn.
    """
    turn = 0
    still = 0
    while a.nnz < target and still < 4:
        side, size = sides[turn % len(sides)], a.shape[turn % len(sides)]
        turn += 1
        order = np.argsort(stream.uniform(size))
        angles = stream.uniform(size // 2) * 2 * np.pi
        many = angles.size
        rotated = side(a, order, angles)
        while rotated.nnz > target * 1.05 and many > 1:
            many = (many + 1) // 2
            rotated = side(a, order, angles[:many])
        grew = many > 0 and rotated.nnz > a.nnz
        if grew and many <= 1 and rotated.nnz > target * 1.05:
            break
        still = 0 if grew else still + 1
        a = rotated if many else a
    return a


def with_singular_values(
    shape: tuple[int, int], density: float, values: NDArray[np.float64], stream: RandomStream
) -> Any:
    """Return a sparse matrix of SciPy with about this share of elements."""
    csc_array = package("scipy.sparse").csc_array

    at = np.flatnonzero(values)
    a = csc_array((values[at], (at, at)), shape=shape)

    def left(m: Any, order: Any, angles: Any) -> Any:
        return (_rotations(shape[0], order, angles) @ m).tocsc()

    def right(m: Any, order: Any, angles: Any) -> Any:
        return (m @ _rotations(shape[1], order, angles)).tocsc()

    return _filled(a, density * shape[0] * shape[1], stream, [left, right])


def with_eigenvalues(
    size: int, density: float, values: NDArray[np.float64], stream: RandomStream
) -> Any:
    """Return a symmetric sparse matrix of SciPy with about this share of elements."""
    csc_array = package("scipy.sparse").csc_array

    at = np.flatnonzero(values)
    a = csc_array((values[at], (at, at)), shape=(size, size))

    def both(m: Any, order: Any, angles: Any) -> Any:
        turned = _rotations(size, order, angles)
        made = (turned @ m @ turned.T).tocsc()
        return ((made + made.T) / 2).tocsc()  # symmetric to the last bit

    return _filled(a, density * size * size, stream, [both])


def shifted(a: Any, rc: float) -> Any:
    """Return a symmetric matrix, shifted to the reciprocal condition `rc`."""
    eye_array = package("scipy.sparse").eye_array

    size = a.shape[0]
    if size < 2:
        return a
    if size <= _WHOLE:
        found = spectral.eigvalsh(a.toarray())
        low, high = float(found[0]), float(found[-1])
    else:
        eigsh = package("scipy.sparse.linalg").eigsh

        start = np.ones(size)
        low, high = (float(eigsh(a, 1, which=w, v0=start)[0][0]) for w in ("SA", "LA"))
    shift = (rc * high - low) / (1 - rc) if rc < 1 else 0.0
    return (a + shift * eye_array(size)).tocsc()
