"""Filters of finite length: equal ripples by the exchange algorithm of Parks and McClellan."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_signal.arguments import Data, given, integer, one_of, real, vector

_DENSITY = 16
_MOST = 200


@attrs.frozen
class _Goal:
    """What is approached on a grid of frequencies from 0 to 1, by weight, and the fixed factor."""

    at: Data
    wanted: Data
    weight: Data
    factor: Data


def _factor(f: Data, even: bool, odd_symmetry: bool) -> Data:
    """The factor that a length and a symmetry put before a polynomial of cosines."""
    if odd_symmetry:
        return np.asarray(np.sin(np.pi * f / 2) if even else np.sin(np.pi * f))
    return np.asarray(np.cos(np.pi * f / 2) if even else np.ones(f.size))


def _goal(
    edges: Data, values: Data, weights: Data, taps: int, kind: str, density: int, terms: int
) -> _Goal:
    step = 1 / (density * max(terms, 1))
    parts = []
    for k in range(0, edges.size, 2):
        low, high = edges[k], edges[k + 1]
        f = np.linspace(low, high, max(int(np.ceil((high - low) / step)) + 1, 2))
        share = (f - low) / (high - low) if high > low else np.zeros(f.size)
        wanted = values[k] + share * (values[k + 1] - values[k])
        weight = np.full(f.size, weights[k // 2])
        if kind == "differentiator" and max(abs(values[k]), abs(values[k + 1])) > 0:
            # the relative error counts
            weight = weight / np.maximum(f, step / 2)
        parts.append((f, wanted, weight))
    f, wanted, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    factor = _factor(f, taps % 2 == 0, kind != "")
    use = np.abs(factor) > 1e-6
    f, wanted, weight, factor = f[use], wanted[use], weight[use], factor[use]
    return _Goal(f, wanted / factor, weight * np.abs(factor), factor)


def _barycentric(x: Data) -> Data:
    gaps = 2 * (x[:, None] - x[None, :])
    np.fill_diagonal(gaps, 1)
    logs = -np.log(np.abs(gaps)).sum(axis=1)
    sign = np.prod(np.sign(gaps), axis=1)
    return np.asarray(sign * np.exp(logs - logs.max()))


def _interpolated(at: Data, x: Data, y: Data, b: Data) -> Data:
    gaps = at[:, None] - x[None, :]
    exact = gaps == 0
    gaps[exact] = 1
    terms = b / gaps
    found = (terms @ y) / terms.sum(axis=1)
    rows, columns = np.nonzero(exact)
    found[rows] = y[columns]
    return np.asarray(found)


def _alternating(error: Data, count: int) -> Data:
    """Places of extremes of alternating sign, `count` of the largest; fewer where there are not."""
    cuts = np.flatnonzero(np.diff(np.sign(error)) != 0) + 1
    runs = np.split(np.arange(error.size), cuts)
    at = [int(run[np.abs(error[run]).argmax()]) for run in runs]
    while len(at) > count:
        sizes = np.abs(error[at])
        if len(at) == count + 1:
            at.pop(0 if sizes[0] < sizes[-1] else -1)
            continue
        # two neighbours go, so that signs go on alternating, or one at an end
        weakest = int(sizes.argmin())
        if weakest in (0, len(at) - 1):
            at.pop(weakest)
            continue
        other = weakest - 1 if sizes[weakest - 1] < sizes[weakest + 1] else weakest + 1
        for k in sorted((weakest, other), reverse=True):
            at.pop(k)
    return np.array(at)


def _exchange(goal: _Goal, terms: int) -> tuple[Data, Data, Data, float]:
    """Nodes, values there and weights of the polynomial in cos(pi f), and the ripple."""
    count = terms + 1
    x_all = np.cos(np.pi * goal.at)
    at = np.unique(np.round(np.linspace(0, goal.at.size - 1, count)).astype(int))
    sign = (-1.0) ** np.arange(count)
    for _ in range(_MOST):
        x, wanted, weight = x_all[at], goal.wanted[at], goal.weight[at]
        b = _barycentric(x)
        ripple = float((b @ wanted) / (b @ (sign / weight)))
        nodes, values = x[:-1], (wanted - sign * ripple / weight)[:-1]
        inner = _barycentric(nodes)
        found = _interpolated(x_all, nodes, values, inner)
        error = goal.weight * (goal.wanted - found)
        following = _alternating(error, count)
        largest = float(np.abs(error).max())
        if following.size < count or largest - abs(ripple) <= 1e-10 * max(largest, 1e-12):
            break
        if (following == at).all():
            break
        at = following
    return nodes, values, inner, abs(ripple)


def _response(taps: int, amplitude: Data, odd_symmetry: bool) -> Data:
    """The filter whose amplitude at 2 pi k / taps is given, for k up to half of the taps."""
    k, n = np.arange(amplitude.size), np.arange(taps)
    twice = np.where((k == 0) | (2 * k == taps), 1.0, 2.0)
    angle = 2 * np.pi / taps * (n[:, None] - (taps - 1) / 2) * k[None, :]
    wave = -np.sin(angle) if odd_symmetry else np.cos(angle)
    return np.asarray(wave @ (twice * amplitude) / taps)


def _checked(edges: Data, values: Data, weights: Data) -> None:
    if edges.size % 2 or edges.size != values.size or edges.size == 0:
        raise MatlabError(
            "signal:firpm:MustBeEven", "F and A must have one even number of elements."
        )
    if (edges < 0).any() or (edges > 1).any() or (np.diff(edges) < 0).any():
        raise MatlabError(
            "signal:firpm:InvalidRange", "Frequencies in F must be in range [0,1] and increase."
        )
    if weights.size != edges.size // 2 or (weights <= 0).any():
        raise MatlabError(
            "signal:firpm:InvalidWeights", "There must be one positive weight for each band."
        )


@builtin(
    "firpm", family="signal/filters", lift="arrays", nargin=(3, 6), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def firpm(n: Any, f: Any, a: Any, *rest: Any, nargout: int) -> Any:
    """Filter of finite length with equal ripples, after Parks and McClellan.

    B = firpm(N, F, A) of order N, whose amplitude is A at the frequencies F, pairs of edges of
    bands from 0 to 1, and linear between the edges of a band
    B = firpm(N, F, A, W) with a weight for each band
    B = firpm(…, FTYPE) with "hilbert" or "differentiator" for odd symmetry
    B = firpm(…, {LGRID}) with the density of the grid, 16 by default
    [B, ERR] = firpm(…) gives the largest weighted error

    Examples:
        >> [b, err] = firpm(4, [0 0.3 0.7 1], [1 1 0 0]);
        >> round([b err], 4)
        ans =
                 0    0.3149    0.5000    0.3149         0    0.1298

    See also: filter, freqz, butter.
    """
    order = integer(n, "firpm", "N", 3)
    edges = real(f, "firpm").ravel().astype(np.float64)
    values = real(a, "firpm").ravel().astype(np.float64)
    kind, density, weights = "", _DENSITY, np.ones(edges.size // 2)
    for argument in rest:
        if isinstance(argument, str):
            kind = one_of(argument, ("hilbert", "differentiator"), "firpm")
        elif isinstance(argument, np.ndarray):
            weights = vector(argument, "firpm").real if given(argument) else weights
        else:
            inside = getattr(argument, "data", np.zeros(0)).ravel()
            density = int(inside[0]) if inside.size else _DENSITY
    _checked(edges, values, weights)
    if order % 2 and not kind and edges[-1] == 1 and values[-1] != 0:
        order += 1  # no filter of odd order with even symmetry passes the highest frequency
    taps = order + 1
    even, odd_symmetry = taps % 2 == 0, kind != ""
    terms = taps // 2 if even else (taps - 1) // 2 + (0 if odd_symmetry else 1)
    goal = _goal(edges, values, weights, taps, kind, max(density, 1), terms)
    nodes, polynomial, inner, ripple = _exchange(goal, terms)
    k = np.arange(taps // 2 + 1)
    at = 2 * k / taps
    amplitude = _interpolated(np.cos(np.pi * at), nodes, polynomial, inner)
    b = _response(taps, amplitude * _factor(at, even, odd_symmetry), odd_symmetry)
    return (b.reshape(1, -1), ripple) if nargout > 1 else b.reshape(1, -1)
