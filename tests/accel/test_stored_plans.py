"""Plans on disk: what an earlier process planned is not planned again, and files are only hints."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from runmat_inprocess import InprocessProvider
from runmat_provider_tests.null import NullProvider

from runmat_core import Session
from runmat_core.accel.planning import serial
from runmat_core.accel.running import stored_plans
from runmat_core.api.device import CompileRequest, DeviceLost
from runmat_core.api.disk_cache import DiskCache
from runmat_core.api.hookspecs import hookimpl
from runmat_core.session import config

#: Runs array programs, each in a session of its own, and says what their engines counted.
PROCESS = """
import json, sys
from benchmarks.arrays.cases import named
from runmat_core import Session
from runmat_core.session import config

provider, *names = sys.argv[1:]
settings = config.load().replace(
    accel__provider=provider,
    accel__threshold=500,
    accel__offload__force="device",
    accel__offload__pin=True,
)
told = {}
for case in named(names):
    session = Session(config=settings, cwd=str(case.folder))
    n, steps = case.sizes["test"]
    session.run(f"r = {case.name}({n}, {steps}, 'single');")
    result = [float(one) for one in session["r"].__array__().ravel()]
    engine = session.interp.seat.engine
    counters = engine.counters
    session.close()
    stored = engine.plan_files().stored
    told[case.name] = [counters.plans_made, counters.plans_loaded, stored, result]
print(json.dumps(told))
"""
#: Loops, gathers, masks, library calls, random numbers.
PROGRAMS = ("escape", "filtering", "morphology", "spins")
PROGRAM = "x = (1:2000)'/7; y = sin(x) + x.^2; z = sum(y(y > 3)); m = [max(y) mean(x.*y)];"


def environment(folder: Path, seed: int = 0) -> dict[str, str]:
    own = {"RUNMAT_CACHE_DIR": str(folder), "PYTHONHASHSEED": str(seed)}
    return {**os.environ, **own, "RUNMAT_ACCEL_PLAN_FILES": "4000"}


def process(folder: Path, provider: str, seed: int, plans: int = 4000) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, provider, *PROGRAMS],
        env={**environment(folder, seed), "RUNMAT_ACCEL_PLAN_FILES": str(plans)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize("provider", ["null", "native"])
def test_a_later_process_plans_nothing(tmp_path: Path, provider: str) -> None:
    # loops that were captured once are entered earlier by the code that the next process has
    process(tmp_path, provider, 1, plans=0)
    first = process(tmp_path, provider, 2)
    assert all(made for made, *_ in first.values())
    assert all(made <= stored for made, _, stored, _ in first.values())
    for seed in (3, 4, 5):
        later = process(tmp_path, provider, seed)
        for name, (_, loaded, _, result) in later.items():
            assert loaded, name
            assert result == first[name][3], name
        if not any(made for made, *_ in later.values()):
            break  # a long loop on a busy machine is cut into other pieces, with plans of their own
    assert {name: made for name, (made, *_) in later.items() if made} == {}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, Any]]:
    """Run the program in a session of its own; give its results and its engine."""
    monkeypatch.setenv("RUNMAT_CACHE_DIR", str(tmp_path / "caches"))

    def run(text: str = PROGRAM, **settings: Any) -> tuple[Any, Any]:
        own = {"accel__provider": "null", "accel__threshold": 500, "accel__plan_files": 100}
        chosen = config.load().replace(**{**own, **settings})
        with Session(config=chosen) as session:
            session.run(text)
            results = repr([session["z"], session["m"]])
            engine = session.interp.seat.engine  # type: ignore[union-attr]
        return results, engine

    return run


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "caches" / "plans").iterdir())


def test_a_later_session_reads_what_an_earlier_one_made(
    run: Callable[..., tuple[Any, Any]], tmp_path: Path
) -> None:
    results, engine = run()
    made = engine.counters.plans_made
    assert made == engine.plan_files().stored == len(files(tmp_path))
    again, engine = run()
    assert again == results
    assert (engine.counters.plans_made, engine.counters.plans_loaded) == (0, made)
    assert engine.plan_files().hits == made


#: A loop that is one kernel, and one that is repeated.
LOOPS = """
x = (1:2000)'/7; y = x;
for k = 1:30, y = y + sin(x*k)/k; end
A = reshape(x(1:900), 30, 30)/130; v = ones(30, 30);
for k = 1:12, v = A*v; v = v/max(abs(v(:))); end
z = sum(y); m = sum(v(:));
"""


@pytest.mark.parametrize("damage", [False, True])
def test_bodies_of_loops_are_lowered_once(
    run: Callable[..., tuple[Any, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: bool,
) -> None:
    lowered: list[Any] = []
    real = serial._lowered

    def counted(*args: Any) -> Any:
        lowered.append(args)
        return real(*args)

    monkeypatch.setattr(serial, "_lowered", counted)
    results, engine = run(LOOPS)
    assert engine.loops.captured == 2
    assert lowered
    lowered.clear()
    if damage:
        for file in files(tmp_path):
            file.write_bytes(file.read_bytes()[:-5])
    again, engine = run(LOOPS)
    assert again == results
    assert engine.loops.captured == 2
    assert bool(lowered) == damage


@pytest.mark.parametrize("damage", ["cut", "empty", "altered", "foreign", "nonsense"])
def test_damaged_files_are_made_again(
    run: Callable[..., tuple[Any, Any]], tmp_path: Path, damage: str
) -> None:
    results, engine = run()
    made = engine.counters.plans_made
    there = files(tmp_path)
    contents = [file.read_bytes() for file in there]
    for k, file in enumerate(there):
        data = contents[k]
        if damage == "cut":
            data = data[: len(data) // 2]
        elif damage == "empty":
            data = b""
        elif damage == "altered":
            data = data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]
        elif damage == "foreign":
            data = b"\0" * 64 + data
        file.unlink()
        if damage == "nonsense":
            # whole, but no plan
            DiskCache(str(file.parent)).store(file.name, b"i\1\0\0\0")
        else:
            file.write_bytes(data)
    again, engine = run()
    assert again == results
    assert (engine.counters.plans_made, engine.counters.plans_loaded) == (made, 0)
    assert engine.plan_files().unusable == made
    assert len(files(tmp_path)) == made
    assert run()[1].counters.plans_loaded == made


@pytest.mark.parametrize("provider", ["null", "inprocess"])
@pytest.mark.parametrize("wrong", ["raises", "is lost", "gives fewer", "gives none", "exits"])
def test_a_provider_that_fails_with_a_plan_of_a_file(
    run: Callable[..., tuple[Any, Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wrong: str,
    provider: str,
) -> None:
    """Units that it took in the process before: host rules compute them, and one warning tells."""
    where = {"null": "device", "inprocess": "host"}[provider]
    own = {"accel__provider": provider, "accel__offload__force": where}
    results, _ = run(**own)
    asked = 0

    def compile(plugin: Any, request: CompileRequest) -> Any:
        nonlocal asked
        asked += 1
        if wrong == "raises":
            raise ZeroDivisionError("no compiler today")
        if wrong == "is lost":
            raise DeviceLost("It fell off the bus.")
        if wrong == "exits":
            sys.exit(3)
        return (None,) * (len(request.units) - (wrong == "gives fewer"))

    kind: Any = NullProvider if provider == "null" else InprocessProvider
    monkeypatch.setattr(kind, "compile", hookimpl(compile))
    again, _ = run(**own)
    numbers = [[float(one) for one in re.findall(r"\d+\.\d+", text)] for text in (results, again)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-12)
    assert asked
    told = capsys.readouterr().err.splitlines()
    assert len(told) == (wrong != "gives none"), told
    assert all(line.startswith("Warning: The acceleration provider") for line in told)


def test_plans_of_other_sources_settings_and_rates_are_not_used(
    run: Callable[..., tuple[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    assert run(accel__offload__pin=True)[1].counters.plans_loaded == 0
    assert run(accel__offload__force="device")[1].counters.plans_loaded == 0
    monkeypatch.setattr(stored_plans, "fingerprint", lambda: "another")
    assert run()[1].counters.plans_loaded == 0


def test_a_folder_of_others_is_not_used(
    run: Callable[..., tuple[Any, Any]], tmp_path: Path
) -> None:
    results, _ = run()
    there = files(tmp_path)
    (tmp_path / "caches" / "plans").chmod(0o777)
    again, engine = run()
    assert again == results
    assert (engine.counters.plans_loaded, engine.plan_files().stored) == (0, 0)
    assert files(tmp_path) == there


def test_a_folder_that_cannot_be_written_is_no_error(
    run: Callable[..., tuple[Any, Any]], tmp_path: Path
) -> None:
    (tmp_path / "caches").mkdir()
    (tmp_path / "caches" / "plans").write_text("a file")
    _, engine = run()
    assert engine.plan_files().stored == 0
    assert engine.counters.plans_made > 0


def test_the_setting_turns_it_off(run: Callable[..., tuple[Any, Any]], tmp_path: Path) -> None:
    run()
    there = [file.stat().st_mtime_ns for file in files(tmp_path)]
    assert run(accel__plan_files=0)[1].counters.plans_loaded == 0
    assert [file.stat().st_mtime_ns for file in files(tmp_path)] == there


def test_eight_processes_share_the_files(tmp_path: Path) -> None:
    text = (
        "from runmat_core import Session; from runmat_core.session import config\n"
        "c = config.load().replace(accel__provider='null', accel__threshold=500)\n"
        f"s = Session(config=c); s.run({PROGRAM!r}); print(repr([s['z'], s['m']]))\n"
        "c = s.interp.seat.engine.counters; print(c.plans_made + c.plans_loaded)"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", text],
            env=environment(tmp_path, seed),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(8)
    ]
    told = {process.communicate(timeout=300) for process in started}
    assert len(told) == 1
    assert next(iter(told))[1] == ""
    # nobody closed a session: the end of the process wrote them
    count = int(next(iter(told))[0].split()[-1])
    assert len([*(tmp_path / "plans").iterdir()]) == count


def test_scalar_programs_load_nothing_of_it(tmp_path: Path) -> None:
    text = (
        "import sys; from runmat_core import Session; s = Session()\n"
        "s.run('t = 0; for k = 1:100, t = t + sqrt(k); end')\n"
        "print([m for m in sys.modules if 'stored_plans' in m or 'disk_cache' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        timeout=250,
    )
    assert done.stdout.strip() == "[]"
