"""Elements by their place in the order of long vectors."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.builtins.arrays import order_statistics
from runmat_core.builtins.arrays.order_statistics import ordered_at
from runmat_core.session import Session

_N = 1 << 16
_RANDOM = np.random.default_rng(5).random(_N)
_LINES = {
    "random": _RANDOM,
    "rising": np.arange(_N) * 1.0,
    "falling": -np.arange(_N) * 1.0,
    "equal": np.ones(_N),
    "few values": np.floor(_RANDOM * 5),
    "one apart": np.r_[np.zeros(_N - 1), 1.0],
    "infinite": np.where(_RANDOM < 0.4, np.inf, _RANDOM),
    # a sample of every sixteenth element sees nothing of this
    "unlike its sample": np.where(np.arange(_N) % 16 == 0, 100.0 + _RANDOM, _RANDOM),
    "singles": _RANDOM.astype(np.float32),
    "whole": (_RANDOM * 1e6).astype(np.int32),
}


@pytest.mark.parametrize("line", _LINES.values(), ids=_LINES)
@pytest.mark.parametrize(
    "places",
    [(0,), (_N // 2,), (_N // 2 - 1, _N // 2), (0, 1, _N // 4, _N - 2, _N - 1), tuple(range(12))],
)
def test_as_sorting_finds_them(line: np.ndarray, places: tuple[int, ...]) -> None:
    given = line.copy()
    found = ordered_at(line, places)
    assert found.dtype == line.dtype
    assert np.array_equal(found, np.sort(line)[list(places)])
    assert np.array_equal(line, given)


@pytest.mark.parametrize("beside", [-1, 1])
def test_a_sample_that_misses_by_one(beside: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What begins behind a place, or ends before it, may yet hold the next one."""
    ordered, half = np.sort(_RANDOM), _N // 2

    def around(line: np.ndarray, sample: np.ndarray, place: int) -> tuple[int, np.ndarray]:
        first = half if beside > 0 else half - 50
        return first, ordered[first : first + 50][::-1]

    monkeypatch.setattr(order_statistics, "_around", around)
    places = (half - 1, half, half + 30)
    assert np.array_equal(ordered_at(_RANDOM, places), ordered[list(places)])


@pytest.mark.parametrize("count", [_N - 1, _N])
def test_medians_and_quantiles_of_long_vectors(count: int) -> None:
    with Session(provider="none") as session:
        session.run(f"x = mod((1:{count})' * 7919, 65537); y = sort(x);")
        session.run(f"h = floor(({count} + 1) / 2); m = (y(h) + y({count} + 1 - h)) / 2;")
        assert session.eval("isequal(median(x), median(x'), median(single(x)), m)")
        session.run("p = [0 0.1 0.25 0.5 0.9 1]; q = quantile(x, p); x(7) = NaN; n = 0:0.05:1;")
        session.run(f"k = min(max(p' * {count} + 0.5, 1), {count}); f = floor(k); r = k - f;")
        wanted = f"(y(f) .* (1 - r) + y(min(f + 1, {count})) .* r)"
        assert session.eval(f"max(abs(q - {wanted})) < 1e-6")
        # many quantiles sort, few of them do not
        assert session.eval(
            "isequal(quantile(x, n([1 3 12])), subsref(quantile(x, n), "
            "substruct('()', {[1 3 12]})))"
        )
        assert session.eval(
            "isnan(median(x)) && abs(median(x, 'omitnan') - quantile(x, 0.5)) < 1e-9"
        )
