"""Whole processes of each program, in turns, so that ratios hold on a machine that drifts."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from runmat_bench import machine
from runmat_bench.processes import WorkerGoneError, whole

from benchmarks.programs.cases import Program, WrongResultError, write

PATIENCE = 120.0
#: An environment as on a command line: modules compiled on disk, no path but the installed one.
PLAIN = {"PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": ""}
RUNMAT = [sys.executable, "-m", "runmat_core"]
#: Whole processes that show what starting takes.
LARGE = "x = (1:1e6)*2 + 1; disp(sum(x.*x) > 0)"
STARTS = {
    "import numpy": [sys.executable, "-c", "import numpy"],
    "disp(1)": [*RUNMAT, "-e", "disp(1)"],
    "a scalar loop": [*RUNMAT, "-e", "s = 0; for k = 1:1000, s = s + k; end, disp(s)"],
    "a large array": [*RUNMAT, "-e", LARGE],
    "the same, captured": [*RUNMAT, "-e", LARGE],
}
#: Settings of the starts that capture at once; by default capture starts later.
AT_ONCE = {"the same, captured": {"RUNMAT_ACCEL_START_AFTER": "0"}}

#: Two times that agree are at most so much apart; and how many times the rounds that were asked for
#: a program takes at most until its least times agree.
NEAR, MOST_ROUNDS = 1.04, 4

Run = Callable[[], str]
Tell = Callable[[dict[str, Any]], None]


def octave_command() -> list[str] | None:
    """The command that runs a script in Octave; None where it is not installed."""
    path = shutil.which("octave-cli")
    return [path, "--no-init-file", "-q"] if path else None


def user_seconds() -> float | None:
    """User time of all processes so far that this one started; None where it is not known."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def process(words: Sequence[str], variables: Mapping[str, str], folder: Path) -> str:
    """Return the output of a process."""
    return whole(words, 0, PATIENCE, {**PLAIN, **variables}, folder)[1]


class Folders:
    """Folders for one program: its text for each implementation, and caches."""

    def __init__(self, program: Program, root: Path, octave: list[str] | None) -> None:
        self._program = program
        self._root = root
        self._colds = 0
        self._path = write(program.text, program.name, self._made("runmat"))
        self._octave = octave if octave and not program.refused else None
        if self._octave:
            write(program.for_octave(), program.name, self._made("octave"))

    def _made(self, name: str) -> Path:
        path = self._root / name
        path.mkdir(exist_ok=True)
        return path

    def runs(self) -> dict[str, Run]:
        """Return the runs of one round, in order."""
        found: dict[str, Run] = {"octave": self._in_octave} if self._octave else {}
        return found | {
            "cold": self._cold,
            "warm": lambda: self._runmat("cache1", "auto"),
            "none": lambda: self._runmat("cache1", "none"),
        }

    def _in_octave(self) -> str:
        assert self._octave is not None
        folder = self._root / "octave"
        return process([*self._octave, f"{self._program.name}.m"], {}, folder)

    def _cold(self) -> str:
        # the first of them fills the caches of those that run warm
        self._colds += 1
        return self._runmat(f"cache{self._colds}", "auto")

    def _runmat(self, cache: str, provider: str) -> str:
        variables = {
            "RUNMAT_CACHE_DIR": str(self._made(cache)),
            "RUNMAT_ACCEL_PROVIDER": provider,
        }
        return process([*RUNMAT, self._path.name], variables, self._path.parent)


def least(runs: Mapping[str, Run], rounds: int, check: Callable[[str], None]) -> dict[str, Any]:
    """Least wall and user seconds of each run, which take turns, and what failed.

    A least time counts once another run has come near it: while two least times still differ, all
    take further turns, `MOST_ROUNDS` times as many rounds at most. A run that fails or prints a
    wrong result is not run again; its reason is in ``failures``.
    """
    row: dict[str, Any] = {"failures": {}}
    walls: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds * MOST_ROUNDS):
        if number >= rounds and all(map(_settled, walls.values())):
            break
        for name, run in runs.items():
            if name in row["failures"]:
                continue
            wall, user = time.perf_counter(), user_seconds()
            try:
                printed = run()
                taken = time.perf_counter() - wall, user_seconds()
                check(printed)
            except (WorkerGoneError, WrongResultError) as problem:
                row["failures"][name] = str(problem)
                del walls[name]
                row.pop(f"{name}_s", None)
                row.pop(f"{name}_user_s", None)
                continue
            walls[name].append(taken[0])
            _lower(row, f"{name}_s", taken[0])
            if user is not None and taken[1] is not None:
                _lower(row, f"{name}_user_s", taken[1] - user)
    return row


def _settled(walls: Sequence[float]) -> bool:
    """Return whether the two least times are near each other; true where only one was wanted."""
    first, *others = sorted(walls) or [0.0]
    return not others or others[0] <= NEAR * first


def _lower(row: dict[str, Any], key: str, seconds: float) -> None:
    row[key] = min(seconds, row.get(key, seconds))


def row_of(program: Program, rounds: int, octave: list[str] | None) -> dict[str, Any]:
    """Times of one program."""
    with tempfile.TemporaryDirectory() as root:
        runs = Folders(program, Path(root), octave).runs()
        row = least(runs, rounds, program.check)
    return {"program": program.name, "half": program.half, "size": program.size} | row


def starts(rounds: int) -> dict[str, Any]:
    """Times of starting, after one round that fills the caches."""
    with tempfile.TemporaryDirectory() as root:
        variables = {"RUNMAT_CACHE_DIR": root}
        folder = Path(root)
        runs: dict[str, Run] = {
            name: partial(process, words, variables | AT_ONCE.get(name, {}), folder)
            for name, words in STARTS.items()
        }
        least(runs, 1, lambda printed: None)
        return least(runs, rounds, lambda printed: None)


def octave_version(octave: list[str] | None) -> str | None:
    """The version of Octave."""
    if octave is None:
        return None
    done = subprocess.run([*octave, "--eval", "disp(version())"], capture_output=True, text=True)
    return done.stdout.strip()


def measure(
    programs: Sequence[Program], rounds: int, with_octave: bool, tell: Tell
) -> dict[str, Any]:
    """The record of all programs; `tell` gets each row as it is done."""
    octave = octave_command() if with_octave else None
    start = starts(max(5, rounds))
    rows = []
    for program in programs:
        rows.append(row_of(program, rounds, octave))
        tell(rows[-1])
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": {k: v for k, v in machine.describe().items() if k != "python"},
        "versions": machine.versions() | {"octave": octave_version(octave)},
        "runs": rounds,
        "start": start,
        "rows": rows,
    }
