"""Choosing forms by measuring: what is tried, and what is kept."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from runmat_wgpu import tuning
from runmat_wgpu.codegen.products.tiles import TILES
from runmat_wgpu.codegen.tunable import Tunable, tunables
from runmat_wgpu.device import tuner

from runmat_core.api.device import StartRequest, WarmupRequest
from tests.providers.wgpu.hand import Hand
from tests.providers.wgpu.machine import target


def small(choice: Tunable) -> Tunable:
    """The same choice on little work, between two candidates."""
    return attrs.evolve(
        choice,
        candidates=choice.candidates[:2],
        extents=(64, 64, 64),
        inputs=((64, 64),) * len(choice.inputs),
        output=(64, 64),
    )


def test_nothing_is_tuned_on_an_emulated_adapter() -> None:
    assert not list(tunables(attrs.evolve(target(), software=True)))


def test_choices_name_tiles_that_fit() -> None:
    found = {choice.name: choice for choice in tunables(attrs.evolve(target(), software=False))}
    assert set(found) == {"sgemm.tile", "ssyrk.tile", "dgemm.tile", "dsyrk.tile"}
    for name, choice in found.items():
        shapes = [TILES["f32" if name[0] == "s" else "f64"][k] for k in choice.candidates]
        assert shapes
        if "syrk" in name:
            assert all(shape.rows == shape.columns for shape in shapes)


def test_the_fastest_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Times are made up; the shaders run."""
    hand = Hand()
    provider = hand.provider
    provider._cache_folder = str(tmp_path)
    hardware = attrs.evolve(provider._target, software=False)
    monkeypatch.setattr(provider, "_target", hardware)
    monkeypatch.setattr(
        tuner, "tunables", lambda aim: [small(next(tunables(attrs.evolve(aim, software=False))))]
    )
    monkeypatch.setattr(tuner, "ROW_SECONDS", 0.0)
    told = iter([9.0, 9.0, 5.0, 5.0, 2.0, 2.0])  # what is used now, then the candidates
    real = tuner._timed

    def timed(work: object) -> float:
        real(work)  # type: ignore[arg-type]
        return next(told)

    monkeypatch.setattr(tuner, "ROWS", 1)
    monkeypatch.setattr(tuner, "_timed", timed)
    provider.warmup(WarmupRequest(tune=60.0))
    second = small(next(tunables(hardware))).candidates[1]
    assert provider._target.tuning("sgemm.tile", -1) == second
    found = provider._found
    assert dict(tuning.read(str(tmp_path), found.name, found.driver)) == {"sgemm.tile": second}


def test_time_that_is_up_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand()
    device, aim = hand.provider.device(), attrs.evolve(hand.provider._target, software=False)
    monkeypatch.setattr(tuner, "tunables", lambda aim: [small(next(tunables(aim)))])
    assert tuner.tune(device, aim, seconds=-1.0) == {}


def test_a_start_reads_what_was_found(tmp_path: Path) -> None:
    hand = Hand()
    found = hand.provider._found
    tuning.write(str(tmp_path), found.name, found.driver, {"sgemm.tile": 5})
    again = type(hand.provider)()
    again.capabilities(StartRequest(name="again", cache_folder=str(tmp_path)))
    assert again._target.tuning("sgemm.tile", -1) == 5
    again.close()
