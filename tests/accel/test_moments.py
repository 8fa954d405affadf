"""Reductions of arrays on a device: what was computed before is not read again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.session import config

Reads = list[tuple[str, ...]]


@pytest.fixture(params=["null", "wgpu"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    settings = config.load().replace(
        accel__provider=request.param, accel__threshold=500, accel__offload__force="device"
    )
    with Session(config=settings) as made:
        made.run("x = gpuArray(reshape(1:6000, 100, 60)/7); wait(gpuDevice);")
        if made.interp.seat.engine.places.device is None:  # type: ignore[union-attr]
            pytest.skip("no adapter")
        yield made


def reads(session: Session, text: str) -> Reads:
    """Run a text; the reductions of each plan that it ran."""
    found: Reads = []
    engine: Any = session.interp.seat.engine  # type: ignore[union-attr]

    def listen(record: Any) -> None:
        reduces = [n.name for n in record.nodes if n.name in ("mean", "std", "sum", "var", "max")]
        if reduces:
            found.append(tuple(sorted(reduces)))

    engine.listeners.append(listen)
    session.run(text)
    engine.listeners.remove(listen)
    return found


def test_the_same_reduction_is_computed_once(session: Session) -> None:
    text = "a = 0 + double(gather(mean(x(:)))); b = 0 + double(gather(sum(x, 1)));"
    first = reads(session, text)
    assert first == [("mean",), ("sum",)]
    before = session["a"], session["b"]
    assert reads(session, text) == []
    assert repr((session["a"], session["b"])) == repr(before)
    assert session.interp.seat.engine.counters.reductions_found == 2  # type: ignore[union-attr]
    # other axes, other parts and other arrays are other reductions
    assert reads(session, "c = gather(sum(x, 2));") == [("sum",)]
    assert reads(session, "c = gather(sum(x(:, 2:60), 1));") == [("sum",)]
    assert reads(session, "y = x + 1; wait(gpuDevice); c = gather(mean(y(:)));")[-1:] == [("mean",)]


def test_what_follows_at_another_place_is_computed_with_it(session: Session) -> None:
    session.run("s = zeros(5, 2);")
    loop = (
        "for k = 1:5\n y = x*k; wait(gpuDevice);\n"
        " s(k, 1) = gather(mean(y(:))); s(k, 2) = gather(std(y(:)));\nend"
    )
    found = reads(session, loop)
    # the first time it is not known what follows
    assert found[:2] == [("mean",), ("std",)]
    assert found[2:] == [("mean", "std")] * 4
    result = session["s"].__array__()
    for k in range(5):
        assert result[k] == pytest.approx(result[0] * (k + 1), rel=1e-12)


def test_all_that_follows_comes_to_the_first_place(session: Session) -> None:
    loop = (
        "for k = 1:3\n y = x*k; wait(gpuDevice);\n"
        " a = gather(mean(y(:))); b = gather(var(y(:))); c = gather(std(y(:)));\nend"
    )
    found = reads(session, loop)
    assert found == [("mean",), ("var",), ("std",), *[("mean", "std", "var")] * 2]


def test_what_goes_unread_is_computed_no_more(session: Session) -> None:
    loop = (
        "for k = 1:12\n y = x*k; wait(gpuDevice);\n"
        " m = gather(mean(y(:)));\n if k < 3, d = gather(std(y(:))); end\nend"
    )
    found = reads(session, loop)
    assert found[:3] == [("mean",), ("std",), ("mean", "std")]
    assert found[-4:] == [("mean",)] * 4


@pytest.mark.parametrize("write", ["x(3, 4) = 1e6;", "x(:, 2) = 5;", "x = x.*1; x(1) = -1e5;"])
def test_a_write_makes_it_another_array(session: Session, write: str) -> None:
    session.run("m = gather(max(x(:))) + gather(sum(x(:))); m = gather(max(x(:)));")
    session.run(write)
    session.run(
        "m = gather(sum(x(:))); top = gather(max(x(:))); y = gather(x); n = sum(y(:)) - m; "
        "o = max(y(:)) - top;"
    )
    assert abs(float(session["n"])) < 1e-3
    assert float(session["o"]) == 0.0


def test_nothing_is_held_beyond_its_array(session: Session) -> None:
    from runmat_core.accel.running.moments import RESULTS_OF

    session.run("m = gather(mean(x(:)));")
    assert len(RESULTS_OF) >= 1
    before = len(RESULTS_OF)
    session.run("clear x m")
    assert len(RESULTS_OF) == before - 1
