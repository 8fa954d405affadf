"""Chains of NumPy's loops: the same bits as without, and what they are made of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import chains, native, philox
from runmat_inprocess.chains import Chain
from runmat_inprocess.lines import Whole

from runmat_core.api import ir
from runmat_core.api.ir import reducers
from tests.accel import loops


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """What runs natively is there, and how often it was run."""
    native.NATIVE.load(wait=True)
    if native.NATIVE.run is None:
        pytest.skip("llvmlite is not installed")
    philox.WORDS.load(wait=True)
    counts = {"chains": 0, "wholes": 0}

    def counted(owner: Any, method: str, name: str) -> None:
        plain = getattr(owner, method)

        def call(self: Any, *arguments: Any) -> None:
            counts[name] += 1
            plain(self, *arguments)

        monkeypatch.setattr(owner, method, call)

    counted(Chain, "through", "chains")
    counted(Whole, "run", "wholes")
    return counts


def both(
    run: Callable[[], list[Any]], monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Any], list[Any]]:
    """What a run gives natively, and without."""
    natively = [np.array(x) for x in run()]
    with monkeypatch.context() as patch:
        patch.setattr(native.NATIVE, "run", None)
        return natively, [np.array(x) for x in run()]


def same(pair: tuple[list[Any], list[Any]]) -> None:
    for one, other in zip(*pair, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def elements(shape: tuple[int, ...], dtype: Any) -> Any:
    x = np.random.default_rng(5).standard_normal(shape).astype(dtype)
    x.reshape(-1)[:5] = [np.nan, np.inf, -np.inf, 0.0, -0.0]
    return x


@pytest.mark.sweep
@pytest.mark.parametrize("size", [256, 4097, 70_001])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("threads", [1, 2])
def test_maps(
    size: int,
    dtype: Any,
    threads: int,
    ran: dict[str, int],
    new_device: Any,
    write: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = elements((size, 1), dtype), elements((size, 1), dtype)[::-1].copy()
    kind = "f32" if dtype == np.float32 else "f64"

    def run() -> list[Any]:
        w = write("pp", (size, 1))
        a, b, c = w.load(x), w.load(y), w.param(0.3, kind)
        first = ir.sin(a) * ir.exp(-b * c) + a
        w.store(first)
        w.store(ir.tanh(first * first - b) / (c + b))
        w.store((first < b) & (a > c))
        w.store(ir.sqrt(first * first) + first)
        return new_device(threads=threads).outputs(w, times=3)

    with np.errstate(all="ignore"):
        same(both(run, monkeypatch))
    assert ran["chains"]


@pytest.mark.parametrize("size", [1025, 40_960, 70_001])
def test_a_block_that_is_alone_is_shared_by_threads(
    size: int,
    ran: dict[str, int],
    new_device: Any,
    write: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chains, "SHARED", 1)
    y = elements((size, 1), np.float32)
    shares: list[int] = []
    plain = Chain._share

    def share(self: Any, most: int) -> None:
        plain(self, most)
        shares.append(sum(one.elements for one in self._shares))
        assert len(self._shares) > 1

    monkeypatch.setattr(Chain, "_share", share)

    def run() -> list[Any]:
        w = write("pp", (size, 1))
        number = ir.cast(w.index((3, 0), 7), "f64")
        x = ir.cast(number * w.param(0.001, "f64") + 0.5, "f32")
        drawn = w.random(w.index((1, 0)), "uniform", "f32", 9, 4)
        z = ir.sin(x) * ir.exp(-x) + w.load(y) * drawn
        w.store(z)
        w.store(ir.tanh(z) - x)
        w.store(ir.cast(z, "f64") * 2.0)
        return list(new_device(threads=2).outputs(w, times=3))

    with np.errstate(all="ignore"):
        same(both(run, monkeypatch))
    assert set(shares) == {size}


@pytest.mark.parametrize("strides", [(1, 300), (2, 600), (-1, 300), (300, 1)])
def test_views_with_gaps_are_left_to_numpy(
    strides: tuple[int, int],
    ran: dict[str, int],
    small_blocks: Any,
    write: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = elements((1, 200_000), np.float64)[0]
    y = elements((300, 40), np.float64)

    def run() -> list[Any]:
        w = write("pp", (300, 40))
        a, b = w.load(x, strides, 300), w.load(y)
        w.store(a * b + b, (1, 300), shape=(300, 40))
        w.store((a - b) * b)
        return list(small_blocks.outputs(w, times=2))

    monkeypatch.setattr(chains, "FEWEST", 1)
    same(both(run, monkeypatch))


def test_sums_of_what_a_chain_gives(
    ran: dict[str, int], new_device: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.random.default_rng(6).standard_normal(300_000)

    def run() -> list[Any]:
        w = write("r", (300_000,))
        a = w.load(x)
        z = ir.exp(-a * a) + a
        w.store(ir.reduce(reducers.sum_("f64"), z)[0])
        w.store(ir.reduce(reducers.sum_("f64"), z * a)[0])
        return new_device(threads=2).outputs(w, times=2)

    same(both(run, monkeypatch))
    assert ran["chains"]


#: Programs; what they leave; whether all trips are one call.
PROGRAMS = {
    "variable": ("y = zeros(300, 50); for t = 1:20, y = 0.9*y + 0.1*sin(t*A); end", "y", True),
    "held": ("y = A; for t = 1:20, y = 0.98 * y + 0.02 * B; end", "y", True),
    "numbers that move": ("y = A; for t = 1:20, y = y + B(3,t)*t + sin(S(40-t,2)); end", "y", True),
    "written": (
        "y = A(:); z = [B(:) A(:)]; Y = zeros(15000, 20);\n"
        "for t = 1:20, y = y .* z(:,1) + t / 7; Y(:,t) = y; end",
        "yY",
        True,
    ),
    "last": ("y = A; for t = 1:20, q = t * B; y = y + q; end, r = q + t;", "yqr", True),
    "swapped": ("y = A; z = B; for t = 1:9, w = y; y = z + t; z = w .* B; end", "yz", False),
    "uniform": ("y = A; for t = 1:20, y = 0.9 * y + rand(300, 50); end", "y", True),
    "normal": ("y = A; for t = 1:20, y = y .* exp(0.01 * randn(300, 50)); end", "y", False),
    "single": ("y = S; for t = 1:20, y = y + rand(300, 50, 'single') * t; end", "y", True),
    "sums": ("y = A; for t = 1:9, y = y - y ./ (sum(y .* y, 1) + t); end", "y", False),
    "choice": ("y = A; for t = 1:20, y = max(y - t/40, 0) + B .* (y > t/30); end", "y", False),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_loops(name: str, ran: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    program, left, whole = PROGRAMS[name]

    def run() -> list[Any]:
        session = loops.session("inprocess")
        session.run("rng(3); A = rand(300, 50); B = rand(300, 50) - 0.5; S = single(A);")
        found = []
        for _ in range(4):
            session.run(f"rng(4); {program}")
            found += [session[variable] for variable in left]
        session.close()
        return found

    same(both(run, monkeypatch))
    drawn = "rand" not in program or philox.WORDS.direct is not None
    assert bool(ran["wholes"]) == (whole and drawn)


def test_positions_past_the_middle_of_the_stream(
    ran: dict[str, int], device: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> list[Any]:
        w = write("p", (5000,))
        drawn = w.random(w.index((1,)), "uniform", "f64", 7, (1 << 63) + 4)
        w.store(drawn * drawn + drawn)
        return list(device.outputs(w, times=3))

    same(both(run, monkeypatch))


# -- what it is made of ---------------------------------------------------------------------------


def test_it_is_made_for_the_launch_after_some_work() -> None:
    """A program that ends with its first long launch does not pay for it."""
    native.NATIVE.load(wait=True)
    made = native.Native(patience=1.0)
    for seconds in (0.6, 0.6):
        made.meet()
        made.spend(seconds)
        assert made._loading is None
    made.meet()
    assert made._loading is not None
    made.load(wait=True)
    assert (made.run is None) == (native.NATIVE.run is None)


def test_without_llvmlite_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    made = native.Native()
    made.load(wait=True)
    assert made.run is None


def test_a_numpy_that_hands_out_no_loops_is_left_alone(
    ran: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native.Native, "loop", lambda *_: None)
    made = native.Native()
    made.load(wait=True)
    assert made.run is None


def test_loops_are_of_exact_types() -> None:
    single, double = np.dtype(np.float32), np.dtype(np.float64)
    find = native.NATIVE.loop
    assert find(np.add, (single,) * 3, (4, 4, 4)) is not None
    assert find(np.add, (single, double, double), (4, 8, 8)) is None
    assert find(np.sin, (double, double), (8, 8)) is find(np.sin, (double, double), (8, 8))
    assert find(np.add, (np.dtype(object),) * 3, (8, 8, 8)) is None
