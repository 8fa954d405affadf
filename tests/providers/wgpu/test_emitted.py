"""WGSL on disk: generated once, and pipelines made ahead of the program that needs them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_wgpu import codegen
from runmat_wgpu.codegen.kernels import maps
from runmat_wgpu.device import emitted

from runmat_core.api.device import Addressing, CompileRequest, Launch, TelemetryRequest
from runmat_core.api.disk_cache import DiskCache
from runmat_core.api.ir import Axis, Buffer, Instr, Kernel, View
from tests.providers.wgpu.hand import Hand

COUNT = 1000


def scaled(by: float) -> Kernel:
    """A kernel that multiplies by a constant."""
    code = (
        Instr("load", (), "f32", 1, 0),
        Instr("const", (), "f32", 0, by),
        Instr("mul", (0, 1), "f32", 1),
        Instr("store", (2,), "f32", 1, 1),
    )
    return Kernel(
        axes=(Axis(),),
        buffers=(Buffer("f32"), Buffer("f32", "write")),
        views=(View(0, (True,), True), View(1, (True,), True)),
        params=(),
        code=code,
        name=f"times {by}",
    )


def results(hand: Hand, factors: Sequence[float], count: int = COUNT) -> list[Any]:
    """Run a kernel for each factor on the numbers from zero."""
    units = tuple(scaled(by) for by in factors)
    made = hand.provider.compile(CompileRequest(units=units))
    x = np.arange(count, dtype=np.float32)
    found = []
    for executable in made:
        assert executable is not None
        slots = (*hand.upload(x), *hand.allocate(((count,), "f32")))
        views = (Addressing(0, (1,)), Addressing(0, (1,)))
        hand.execute((Launch(executable, (0, 1), (count,), views),), slots, ())
        found.append(hand.download(slots[1])[0])
    return found


def counters(hand: Hand) -> dict[str, float]:
    return dict(hand.provider.telemetry(TelemetryRequest(reset=False)).counters)


def generated_first(tmp_path: Path, *factors: float) -> list[Path]:
    """Let one device generate; the files."""
    hand = Hand(str(tmp_path))
    results(hand, factors)
    hand.provider.close()
    return sorted((tmp_path / "kernels").iterdir())


@pytest.fixture
def generates(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the units that are generated from now on."""
    names: list[str] = []
    real = codegen.template

    def template(unit: Any, target: Any, **how: Any) -> Any:
        names.append(unit.name)
        return real(unit, target, **how)

    monkeypatch.setattr(codegen, "template", template)
    return names


def test_a_later_device_generates_nothing(tmp_path: Path, generates: list[str]) -> None:
    files = generated_first(tmp_path, 2.0, 3.0)
    assert generates == ["times 2.0", "times 3.0"]
    assert len(files) == 3  # with the one that says what follows
    generates.clear()
    hand = Hand(str(tmp_path))
    for by, found in zip((2.0, 3.0), results(hand, (2.0, 3.0)), strict=True):
        np.testing.assert_array_equal(found, np.arange(COUNT) * by)
    assert generates == []
    told = counters(hand)
    assert (told["kernel_files_stored"], told["kernel_files_damaged"]) == (0, 0)
    # launches of another size are generated, and kept from then on
    results(hand, (2.0,), 77)
    assert generates == ["times 2.0"]
    hand.provider.close()
    generates.clear()
    np.testing.assert_array_equal(results(Hand(str(tmp_path)), (2.0,), 77)[0], np.arange(77) * 2)
    assert generates == []


def test_constants_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    generated_first(tmp_path, 0.0)
    found = results(Hand(str(tmp_path)), (-0.0,))[0]
    assert np.signbit(found).all()


@pytest.mark.parametrize("damage", ["cut", "altered", "nonsense"])
def test_damaged_files_are_generated_again(
    tmp_path: Path, generates: list[str], damage: str
) -> None:
    for file in generated_first(tmp_path, 2.0, 3.0):
        data = file.read_bytes()
        if damage == "cut":
            file.write_bytes(data[:40])
        elif damage == "altered":
            file.write_bytes(data[:-4] + bytes([data[-4] ^ 1]) + data[-3:])
        else:
            DiskCache(str(file.parent)).store(file.name, b"i\1\0\0\0")
    generates.clear()
    found = results(Hand(str(tmp_path)), (2.0, 3.0))
    np.testing.assert_array_equal(found[1], np.arange(COUNT) * 3)
    assert generates == ["times 2.0", "times 3.0"]


def test_other_sources_generate_anew(
    tmp_path: Path, generates: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    generated_first(tmp_path, 2.0)
    generates.clear()
    monkeypatch.setattr(emitted, "sources", lambda: "another")
    results(Hand(str(tmp_path)), (2.0,))
    assert generates == ["times 2.0"]


def test_a_folder_of_others_is_not_used(tmp_path: Path, generates: list[str]) -> None:
    generated_first(tmp_path, 2.0)
    (tmp_path / "kernels").chmod(0o777)
    generates.clear()
    results(Hand(str(tmp_path)), (2.0,))
    assert generates == ["times 2.0"]


def test_pipelines_of_what_followed_are_made_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    factors = (2.0, 3.0, 5.0)
    generated_first(tmp_path, *factors)
    hand = Hand(str(tmp_path))
    units = tuple(scaled(by) for by in factors)
    hand.provider.compile(CompileRequest(units=units[:1]))
    device = hand.provider.device()
    work = device._emitted._thread
    assert work is not None
    work.join()
    assert counters(hand)["pipelines_ahead"] == 3
    for job in device._pipelines._jobs.values():
        assert job.done.wait(60)  # nobody has asked for it
    for by, found in zip(factors, results(hand, factors), strict=True):
        np.testing.assert_array_equal(found, np.arange(COUNT) * by)
    assert device._pipelines._jobs == {}  # each was taken


def test_what_a_unit_is_compiled_for_is_generated_once_and_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[Kernel] = []
    write = maps.write

    def writing(kernel: Kernel, *given: Any) -> Any:
        written.append(kernel)
        return write(kernel, *given)

    monkeypatch.setattr(maps, "write", writing)
    hand = Hand()
    views = (Addressing(0, (1,)), Addressing(0, (1,)))
    units = (scaled(2.0), scaled(3.0))
    launches = tuple([((COUNT,), views) for _ in units])
    made = hand.provider.compile(CompileRequest(units=units, launches=launches))
    begun = hand.provider.device()._pipelines._jobs
    assert len(written) == len(begun) == 2
    for executable, by in zip(made, (2.0, 3.0), strict=True):
        assert executable is not None
        slots = (*hand.upload(np.ones(COUNT, np.float32)), *hand.allocate(((COUNT,), "f32")))
        hand.execute((Launch(executable, (0, 1), (COUNT,), views),), slots, ())
        np.testing.assert_array_equal(hand.download(slots[1])[0], np.full(COUNT, by, np.float32))
    assert len(written) == 2
    assert begun == {}


def test_a_device_may_be_closed_while_pipelines_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    factors = tuple(float(k) for k in range(2, 26))
    generated_first(tmp_path, *factors)
    hand = Hand(str(tmp_path))
    hand.provider.compile(CompileRequest(units=(scaled(2.0),)))
    work = hand.provider.device()._emitted._thread
    hand.provider.close()
    assert work is not None
    assert not work.is_alive()


def test_a_device_that_compiles_nothing_starts_no_thread(tmp_path: Path) -> None:
    generated_first(tmp_path, 2.0, 3.0)
    hand = Hand(str(tmp_path))
    device = hand.provider.device()
    hand.download(*hand.upload(np.ones(4, np.float32)))
    assert device._emitted._thread is None
