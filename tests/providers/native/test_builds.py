"""Compiled code: made beside the program, kept on disk, and done without where it fails."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_inprocess import philox
from runmat_inprocess.kernels import CompiledKernel
from runmat_native import builds, kernels, machine

from runmat_core.api import disk_cache
from runmat_core.api.device import CompileRequest
from tests.providers.inprocess import conftest as plain

X = np.linspace(-3, 3, 4001)


def chain(scale: float = 1.5) -> plain.Writer:
    writer = plain.Writer("p", X.shape)
    x = writer.load(X)
    writer.store((x * scale - x) / (x * x + 1.0))
    return writer


def wanted(scale: float = 1.5) -> Any:
    return (X * scale - X) / (X * X + 1)


def objects(folder: Path) -> list[Path]:
    return sorted((folder / "objects").iterdir())


def test_code_is_kept_and_found_again(
    new_native: Callable[..., Any], tmp_path: Path, compiled: dict[str, int]
) -> None:
    for number in range(2):
        device = new_native(str(tmp_path))
        np.testing.assert_array_equal(device.output(chain()), wanted())
        assert device.provider.builds.compiled == 1 - number
        assert device.provider.builds.objects.hits == number
    assert len(objects(tmp_path)) == 1
    assert compiled == {"native": 2, "numpy": 0}


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "text"])
def test_damaged_code_never_runs(
    damage: str, new_native: Callable[..., Any], tmp_path: Path
) -> None:
    new_native(str(tmp_path)).output(chain())
    (file,) = objects(tmp_path)
    data = bytearray(file.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 1
    written = {"cut": data[:-9], "empty": b"", "text": b"no code" * 40}
    file.write_bytes(written.get(damage, data))
    device = new_native(str(tmp_path))
    np.testing.assert_array_equal(device.output(chain()), wanted())
    assert device.provider.builds.objects.damaged == 1
    assert device.provider.builds.compiled == 1


def test_a_folder_of_others_is_not_used(new_native: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "objects"
    folder.mkdir()
    folder.chmod(0o777)
    device = new_native(str(tmp_path))
    np.testing.assert_array_equal(device.output(chain()), wanted())
    assert not list(folder.iterdir())


@pytest.mark.parametrize("changed", ["passes", "machine"])
def test_code_of_other_passes_or_another_machine_is_not_taken(
    changed: str, new_native: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_native(str(tmp_path)).output(chain())
    if changed == "passes":
        monkeypatch.setattr(builds, "PASSES", machine.PASSES + 1)
    else:
        monkeypatch.setattr(machine.MACHINE, "identity", "another")
    device = new_native(str(tmp_path))
    device.output(chain())
    assert device.provider.builds.compiled == 1


def test_few_files_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "TRIM_EVERY", 1)
    kept = disk_cache.DiskCache(str(tmp_path / "objects"), most_files=10)
    for number in range(25):
        kept.store(f"{number:03}", b"code")
        os.utime(tmp_path / "objects" / f"{number:03}", (number, number))
    names = [path.name for path in objects(tmp_path)]
    assert len(names) <= 11
    assert "024" in names


def failing(monkeypatch: pytest.MonkeyPatch, fresh: machine.Machine) -> None:
    monkeypatch.setattr(builds, "MACHINE", fresh)
    monkeypatch.setattr(builds, "_told", set())


def test_without_llvmlite_numpy_computes(
    new_native: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    failing(monkeypatch, machine.Machine())
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    device = new_native()
    for scale in (1.5, 2.5):
        np.testing.assert_array_equal(device.output(chain(scale)), wanted(scale))
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "llvmlite" in told
    assert "NumPy computes instead" in told


def test_a_kernel_that_llvm_refuses_is_numpys_alone(
    new_native: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
    compiled: dict[str, int],
) -> None:
    class Broken(machine.Machine):
        def compile(self, text: str) -> bytes:
            return super().compile(text.replace("fdiv", "fnodiv"))

    failing(monkeypatch, Broken())
    device = new_native()
    np.testing.assert_array_equal(device.output(chain()), wanted())
    assert compiled == {"native": 0, "numpy": 1}
    assert capsys.readouterr().err.count("\n") == 1
    writer = plain.Writer("p", X.shape)
    writer.store(writer.load(X) + 1.0)
    np.testing.assert_array_equal(device.output(writer), X + 1)
    assert compiled == {"native": 1, "numpy": 1}
    assert device.provider.builds.failed == 1


def test_a_program_does_not_wait_for_llvm(
    new_native: Callable[..., Any], compiled: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "WORK", 0)
    device = new_native(eager=0)
    made = device.provider.builds
    monkeypatch.setattr(made, "_left", 0.0)
    monkeypatch.setattr(builds, "COMPILE", 0.0)
    monkeypatch.setattr(builds, "LOOK", 0.0)
    writer = chain()
    first = device.output(writer)
    assert compiled == {"native": 0, "numpy": 1}
    made.wait()
    assert made.compiled == 1
    np.testing.assert_array_equal(device.output(writer), first)
    assert compiled["native"] == 1


def test_what_is_short_is_never_compiled(new_native: Callable[..., Any]) -> None:
    device = new_native(eager=0)
    device.output(chain())
    assert device.provider.builds._thread is None


def test_a_start_imports_no_llvmlite() -> None:
    code = (
        "import sys\n"
        "from runmat_core import Session\n"
        "session = Session(provider='native')\n"
        "session.run('x = gpuArray(single(ones(1, 35))); fprintf(\"%g \", sum(x.*x + 1));')\n"
        "assert 'runmat_native' in sys.modules\n"
        "print([name for name in sys.modules if name.startswith(('llvmlite', 'numba'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=250)
    assert done.stdout.split() == ["70", "[]"], done.stderr


def test_a_long_launch_changes_to_machine_code_under_way(
    new_native: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an array that is written where it is read, too: no part may see what another one wrote."""
    monkeypatch.setattr(kernels, "WORK", 0)
    monkeypatch.setattr(kernels, "LONG", 0)
    monkeypatch.setattr(kernels, "PIECES", 50)
    device = new_native(eager=0)
    made = device.provider.builds
    parts = []
    plain_run = CompiledKernel.run

    def counted(self: Any, buffers: Any, extents: Any, *rest: Any) -> Any:
        parts.append(extents)
        if len(parts) == 3:
            made.wait()
        return plain_run(self, buffers, extents, *rest)

    monkeypatch.setattr(CompiledKernel, "run", counted)
    flat = np.arange(40.0 * 50)
    writer = plain.Writer("pp", (40, 50))
    x, y = writer.load(flat, (1, 40)), writer.load(flat, (50, 1))
    writer.store(x * 2.0 + y)
    i, j = np.indices((40, 50))
    wanted = (flat[i + 40 * j] * 2 + flat[50 * i + j]).reshape(-1, order="F")
    (executable,) = device.provider.compile(CompileRequest(units=(writer.kernel(),)))
    payload: Any = executable.payload
    buffers = [flat, flat, flat]
    payload.run(buffers, writer.extents, tuple(writer.addressing), (), device.provider.pool)
    np.testing.assert_array_equal(flat, wanted)
    assert parts == [(40, 1)] * 3
    assert payload.native == 1


def test_a_process_waits_for_what_workers_have_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are daemons; threads that compile are not, whoever asks for them."""
    running = threading.Event()
    daemons = []

    def compiling(*_: Any) -> None:
        daemons.append(threading.current_thread().daemon)
        running.set()

    monkeypatch.setattr(builds.Builds, "_make", compiling)
    monkeypatch.setattr(philox.Words, "_load", compiling)
    made = builds.Builds("")
    for ask in (lambda: made.want(builds.Build("text")), philox.Words().load):
        running.clear()
        threading.Thread(target=ask, daemon=True).start()
        assert running.wait(100)
    assert daemons == [False, False]
