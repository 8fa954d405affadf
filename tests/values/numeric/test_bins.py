"""Numbers among edges: those that are placed by arithmetic lie where a search finds them."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.values import bins
from runmat_core.values.bins import binned, counted, edges_below, intervals

_SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, -1e308, 5e-324]
_EDGES = {
    "tenths": np.arange(11) * 0.1,
    "linspace": np.linspace(-3.0, 7.0, 1000),
    "far": 1e9 + np.arange(50) * 2.0**-22,
    "rounded": 1e9 + np.arange(50) * 1e-7,
    "two": np.array([-1.0, 2.0]),
    "small": np.arange(20) * 1e-310,
    "huge": 1.7e308 * np.linspace(-1.0, 1.0, 8),
    "askew": np.linspace(0.0, 1.0, 60) + 0.0018 * (-1.0) ** np.arange(60),
    "uneven": np.cumsum(np.arange(1.0, 60.0)),
    "crowded": np.cumsum(1e-6 ** np.arange(60)),
    "logarithmic": np.logspace(-9, 9, 40),
    "repeated": np.array([0.0, 1.0, 1.0, 2.0, 3.0]),
    "equal": np.array([2.0, 2.0, 2.0]),
    "endless": np.array([-np.inf, 0.0, 1.0, np.inf]),
}


def _numbers(edges: np.ndarray) -> np.ndarray:
    """Numbers in, around and beyond edges, the edges and their neighbours among them."""
    inside = edges[np.isfinite(edges)]
    low, high = inside[0], inside[-1]
    with np.errstate(over="ignore"):
        width = min(high - low, 1e308)
        random = low / 2 + high / 2 + width * (np.random.default_rng(3).random(1 << 17) - 0.5) * 1.2
        beside = [np.nextafter(edges, -np.inf), edges, np.nextafter(edges, np.inf)]
    return np.concatenate([random, *beside, _SPECIAL])


@pytest.mark.parametrize("edges", _EDGES.values(), ids=_EDGES)
def test_as_a_search_places_them(edges: np.ndarray) -> None:
    x = _numbers(edges)
    below = np.where(np.isnan(x), 0, np.searchsorted(edges, x, side="right"))
    assert np.array_equal(edges_below(x, edges), below)
    outside = np.isnan(x) | (x < edges[0]) | (x > edges[-1])
    bin_ = np.where(outside, 0, np.where(x == edges[-1], edges.size - 1, below))
    assert np.array_equal(binned(x, edges), bin_)
    assert np.array_equal(counted(x, edges), np.bincount(bin_, minlength=edges.size)[1:])
    assert np.array_equal(intervals(x, edges), np.clip(below - 1, 0, edges.size - 2))


@pytest.mark.parametrize("edges", _EDGES.values(), ids=_EDGES)
def test_edges_that_end_bins(edges: np.ndarray) -> None:
    x = _numbers(edges)
    found = binned(x, edges, right=True)
    for k in range(1, edges.size):
        first = edges[k - 1] == edges[0] and k == 1
        inside = (x > edges[k - 1]) & (x <= edges[k]) | first & (x == edges[0])
        assert np.array_equal(found == k, inside)


@pytest.mark.parametrize(
    ("name", "shared"),
    [("tenths", 1), ("far", 1), ("askew", 1), ("uneven", 1), ("repeated", 2), ("crowded", 0)],
)
def test_which_edges_are_found_without_a_search(name: str, shared: int) -> None:
    table = bins._table(_EDGES[name], 1 << 17)
    assert (0 if table is None else table.shared) == shared


@pytest.mark.parametrize(
    "edges", [[0.0, np.nan, 1.0], [3.0, 2.0, 1.0], [np.nan] * 3, [1.0]], ids=str
)
def test_edges_that_are_none_are_searched(edges: list[float]) -> None:
    x = np.linspace(-1.0, 4.0, 1 << 12)
    assert np.array_equal(edges_below(x, np.array(edges)), np.searchsorted(edges, x, "right"))


def test_shapes_and_singles() -> None:
    edges = np.arange(5.0)
    x = np.asfortranarray(np.random.default_rng(1).random((40, 30)) * 6 - 1)
    for data in (x, x.T, x[::2, ::-1], x.astype(np.float32), x.reshape(10, 4, 30)):
        assert np.array_equal(edges_below(data, edges), np.searchsorted(edges, data, "right"))
    assert edges_below(x[:0], edges).shape == (0, 30)
    knots = edges.astype(np.float32)
    assert np.array_equal(intervals(x, knots), np.clip(np.floor(x), 0, 3))
