"""Declarations of C are parsed by the first process, and by no other one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.providers.wgpu.machine import adapter_device

#: Imports wgpu as the provider does, computes with it, and tells whether anything was parsed.
_USE = """
import sys
from runmat_wgpu.device import declarations
declarations.load(sys.argv[1])
from runmat_wgpu.device.adapter import find
from runmat_wgpu.device.trial import try_out
from runmat_wgpu.options import Options
adapter = find(Options())
problem, facts = try_out(adapter, adapter.wanted)
assert not problem and facts, problem
print("pycparser" in sys.modules, "cffi.cparser" in sys.modules)
"""


def used(folder: str) -> str:
    """What the program above tells."""
    command = [sys.executable, "-c", _USE, folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_second_process_parses_nothing(tmp_path: Path) -> None:
    adapter_device()
    assert used(str(tmp_path)) == "True True"
    (kept,) = tmp_path.iterdir()
    before = kept.read_text(encoding="utf-8")
    assert used(str(tmp_path)) == "False False"
    assert [file.read_text(encoding="utf-8") for file in tmp_path.iterdir()] == [before]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("damage", ["cut", "other"])
def test_damaged_tables_are_made_again(tmp_path: Path, damage: str) -> None:
    adapter_device()
    used(str(tmp_path))
    (kept,) = tmp_path.iterdir()
    before = kept.read_text(encoding="utf-8")
    broken = before[:5000] if damage == "cut" else before.replace("WGPUAdapter", "WGPUXdapter", 1)
    kept.write_text(broken, encoding="utf-8")
    assert used(str(tmp_path)) == "True True"
    assert kept.read_text(encoding="utf-8") == before


def test_without_a_folder_nothing_is_kept() -> None:
    adapter_device()
    assert used("") == "True True"
