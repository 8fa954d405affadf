"""The conformance kit, run as a provider's author runs it, against the providers of this tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import runmat_provider_tests
from runmat_provider_tests.libraries import LIBRARIES

from runmat_core.api.ir import OPS

REDUCERS = "sum prod max min any all argmax argmin welford largest smallest argmax_nan".split()

#: A provider whose `max` gives NaN where there is one, and whose `sub` raises.
WRONG = """
import numpy as np
from runmat_core.api.array_provider import ArrayProvider

def sub(x, y):
    raise ValueError("no doubles") if x.dtype == np.float64 else TypeError("no singles")

class Wrong(ArrayProvider):
    options = {"deep": 1}
    reducers = {"max": lambda x, axes: np.max(x, axis=axes, keepdims=True)}
    ops = {"add": np.add, "mul": np.multiply, "max": np.maximum, "sub": sub}
"""

ROOT = Path(__file__).parents[2]
PROVIDERS = ["null", "inprocess", "native", "wgpu"]
#: Without this a kernel's first launches are another provider's.
EAGER = {"native": ("--option", "eager=1")}


def conforms(name: str, *more: str) -> None:
    command = [sys.executable, "-m", "runmat_provider_tests.cli", name, "-p", "no:xdist", *more]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    if "finds no device here" in done.stdout and not os.environ.get("RUNMAT_REQUIRE_WGPU"):
        pytest.skip(f"no device for {name}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_sample_of_the_kit_passes(name: str) -> None:
    conforms(name, *EAGER.get(name, ()), "-p", "tests.providers.few")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVIDERS)
def test_provider_conforms(name: str) -> None:
    conforms(name, *EAGER.get(name, ()))


def test_unknown_provider_is_told() -> None:
    command = [
        sys.executable,
        "-m",
        "runmat_provider_tests.cli",
        "nosuch",
        "-x",
        "-k",
        "capabilities",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode != 0
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "no installed package offers the provider 'nosuch'; installed: " in line


#: All that may be left out: each name stands in one of two halves.
NAMES = sorted(OPS) + sorted(LIBRARIES) + REDUCERS + ["random", "scan", "reduce", "index", "guard"]


@pytest.mark.parametrize(
    "option",
    [
        "decline=all",
        f"without={' '.join(NAMES[::2])}",
        pytest.param(f"without={' '.join(NAMES[1::2])}", marks=pytest.mark.slow),
    ],
    ids=["all", "even", "odd"],
)
def test_what_is_declined_or_left_out_is_no_failure(option: str, tmp_path: Path) -> None:
    page = tmp_path / "support.html"
    command = [sys.executable, "-m", "runmat_provider_tests.cli", "null", "-p", "no:xdist"]
    command += ["--option", option, "--support", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stdout[-6000:]
    told = re.findall(r"(\d+) (passed|declined|not declared|failed)", page.read_text())
    counts = {name: int(number) for number, name in told}
    if option == "decline=all":
        assert counts["declined"] > 1000
    else:
        assert counts["not declared"] > 300
        assert counts["passed"] > 300


def packaged(folder: Path, source: str) -> Path:
    """Install the provider ``wrong``, a package of the given source; return its folder."""
    package = folder / "wrong_provider"
    package.mkdir()
    (package / "__init__.py").write_text(source)
    info = folder / "wrong-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[runmat.providers]\nwrong = wrong_provider:Wrong\n")
    return package


def run_kit(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runmat_provider_tests.cli", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
    )


def told_of_wrong(folder: Path, tests: str) -> str:
    """Return what the kit prints of some tests of the installed provider, which fails."""
    done = run_kit("wrong", "--support", "-", "-k", tests, PYTHONPATH=str(folder))
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stdout
    return done.stdout


def test_a_failure_tells_kernel_operands_and_what_was_expected(tmp_path: Path) -> None:
    packaged(tmp_path, WRONG)
    printed = told_of_wrong(tmp_path, "max-f32 or sub-f64 or sizes or max-reduce]")
    for text in (
        "test_operation[max-f32] fails",
        "kernel kernel over (parallel)",
        " = max %0, %1",
        "buffer 0 holds [",
        "  max(nan, 0.0) must be 0.0, and is nan",
        "because max is np.fmax(x, y); the number beside a NaN; NaN of two",
        "ValueError raised in ",
        "wrong_provider/__init__.py:6",
        "  max is the largest element, NaN only where all are",
        "in instruction 2: sub (0 f64, 1 f64) gives f64",
        "wrong: 9 passed, 1 declined, ",
        " 3 failed (what is declined and not declared is computed by the core)",
    ):
        assert text in printed, text


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("[wrong", "runmat_provider.toml cannot be read"),
        ("[worng]", "has no table [wrong]; it has worng"),
        ("[wrong]\nkind = 'device'\npreference = 7", "preference is 7 in runmat_provider.toml, and "
         "capabilities answers 0"),
        ("[wrong.options]\ndeep = 'x'\nwide = 1", "options of the file or the class alone: wide"),
    ],
)  # fmt: skip
def test_what_the_package_declares_is_compared(tmp_path: Path, declared: str, said: str) -> None:
    (packaged(tmp_path, WRONG) / "runmat_provider.toml").write_text(declared)
    assert said in told_of_wrong(tmp_path, "declares")


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("raise NoDevice('Nothing is plugged in.')", 3, "'wrong' finds no device here: Nothing is"),
        ("return None", 3, "'wrong' finds no device here"),
        ("raise OSError('no driver')", 2, "'wrong' does not start: OSError: no driver"),
    ],
)
def test_a_provider_that_does_not_start_is_one_line(
    tmp_path: Path, body: str, code: int, said: str
) -> None:
    start = f"    @hookimpl\n    def capabilities(self, request):\n        {body}\n"
    packaged(
        tmp_path,
        "from runmat_core.api.array_provider import ArrayProvider\n"
        "from runmat_core.api.device import NoDevice\n"
        f"from runmat_core.api.hookspecs import hookimpl\nclass Wrong(ArrayProvider):\n{start}",
    )
    done = run_kit("wrong", "--jobs", "2", PYTHONPATH=str(tmp_path))
    assert done.returncode == code
    assert said in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_processes_share_the_tests(tmp_path: Path) -> None:
    chosen = ("null", "-k", "test_cast or test_draw", "--support", "-")
    alone, shared = (run_kit(*chosen, "--jobs", jobs).stdout for jobs in "12")
    pages = [
        text[text.index("Support of") :].strip().rpartition("\n")[0] for text in (alone, shared)
    ]
    assert pages[0] == pages[1]
    assert "null: 130 passed, 0 declined, 0 not declared, 0 failed" in pages[0]


def test_known_gaps_are_strict(tmp_path: object) -> None:
    gaps = f"{tmp_path}/gaps.toml"
    with open(gaps, "w") as file:
        file.write('"test_capabilities_are_declared" = "not a gap at all"\n')
    command = [sys.executable, "-m", "runmat_provider_tests.cli", "null", "--xfails", gaps]
    done = subprocess.run(
        [*command, "-k", "capabilities"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 1
    assert "XPASS(strict)" in done.stdout


def test_the_kit_runs_the_same_inside_a_project(tmp_path: Path) -> None:
    """The options of a project around the folder where the kit is installed are not the kit's."""
    kit = Path(runmat_provider_tests.__file__).parent
    shutil.copytree(kit, tmp_path / "site" / kit.name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = "--no-such-option"\n'
    )
    command = [sys.executable, "-m", "runmat_provider_tests.cli", "null", "-k", "test_cast"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
