"""``python -m benchmarks.capture.elements``: loops over elements, by default and without capture.

Every program is a loop that reads or writes elements one by one: each form of subscripts, in a
script and in a function, of arrays around the size from which on operations are captured, with
something after it that may need the elements. Capture has nothing to win there, so the default
settings are to take what provider none takes. Each setting runs in processes of its own, in turns.

Python calls do not depend on the machine; seconds are the least of all processes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from runmat_core.accel.capture.starting import THRESHOLD
from runmat_core.session import Session

#: Statements with a loop of `m` iterations; `x` and `y` are rows of `n` elements, `A` a matrix and
#: `T` three dimensions with as many, `g` is empty.
FORMS = {
    "write": "for k = 1:m, x(k) = k; end",
    "write a constant": "for k = 1:m, x(k) = 0.5; end",
    "read": "for k = 1:m, s = s + x(k); end",
    "update": "for k = 1:m, x(k) = x(k) + 1; end",
    "another": "for k = 1:m, x(k) = y(k) * 2; end",
    "recurrence": "for k = 2:m, x(k) = 0.5 * x(k-1) + y(k); end",
    "condition": "for k = 1:m, if y(k) > 0.5, s = s + 1; end, end",
    "condition and write": "for k = 1:m, if y(k) > 0.5, x(k) = 0; end, end",
    "two": "for j = 1:4, for i = 1:m/4, A(i, j) = i + j; end, end",
    "two, read": "for j = 1:4, for i = 1:m/4, s = s + A(i, j); end, end",
    "two, inner is short": "for i = 1:m/4, for j = 1:4, A(i, j) = A(i, j) + 1; end, end",
    "three": "for j = 1:4, for i = 1:m/8, T(i, j, 2) = i - j; end, end",
    "three, read": "for j = 1:4, for i = 1:m/8, s = s + T(i, j, 2); end, end",
    "end": "for k = 1:m, x(end) = k; end",
    "end, read": "for k = 1:m, s = s + x(end-1); end",
    "grow": "for k = 1:m, g(end+1) = k; end",
    "grow by position": "for k = 1:m, g(k) = k; end",
    "grow beyond": "for k = 1:m, x(n+k) = k; end",
    "while": "k = 1; while k <= m, x(k) = k; k = k + 1; end",
    "exchange": "for k = 1:m, t = x(k); x(k) = y(k); y(k) = t; end",
}
AFTER = {"nothing": "", "sum": "s = s + sum(x);", "toc": "t = toc;", "write": "x(2) = 7;"}
SIZES = (1000, THRESHOLD - 8, THRESHOLD, THRESHOLD + 8000)
SETUP = (
    "n = {size}; m = {iterations}; s = 0; g = []; x = zeros(1, n); y = mod(1:n, 10)/10;"
    "A = zeros(n/4, 4); T = zeros(n/8, 4, 2); tic;"
)
ITERATIONS = 1000
#: Environment variables of the two settings.
SETTINGS: dict[str, dict[str, str]] = {"default": {}, "none": {"RUNMAT_ACCEL_PROVIDER": "none"}}


class Row(NamedTuple):
    """Calls and time of a run of a program.

    Attributes:
        calls: of Python functions of the project.
        seconds: of processor time.
        captured: whether anything asked for the engine, which makes all nodes.
    """

    calls: int
    seconds: float
    captured: bool


def programs() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each program, the kind of its file, and the text."""
    for kind in ("script", "function"):
        for size in SIZES:
            setup = SETUP.format(size=size, iterations=ITERATIONS)
            for form, loop in FORMS.items():
                for after, statement in AFTER.items():
                    yield f"{form}, {size}, {kind}, {after}", kind, f"{setup}\n{loop}\n{statement}"


def measured(wanted: str, runs: int) -> dict[str, Row]:
    """Run the programs whose names contain a text, with the settings of this process."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, kind, text in programs():
            if wanted in name:
                found[name] = _row(Path(folder), kind, text, runs)
    return found


def _row(folder: Path, kind: str, text: str, runs: int) -> Row:
    session = Session(cwd=folder)
    whole = f"function elements\n{text}\nend\n" if kind == "function" else f"{text}\n"
    (folder / "elements.m").write_text(whole)
    for _ in range(2):  # what is imported and looked up comes with the first runs
        session.run("elements")
    calls, seconds = 0, float("inf")

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        if event == "call" and "runmat_core" in frame.f_code.co_filename:
            calls += 1

    sys.setprofile(count)
    try:
        session.run("elements")
    finally:
        sys.setprofile(None)
    for _ in range(runs):
        begin = process_time()
        session.run("elements")
        seconds = min(seconds, process_time() - begin)
    seat = session.interp.seat
    session.close()
    return Row(calls, seconds, seat is not None and seat.made)


def compared(wanted: str = "", rounds: int = 1, runs: int = 3) -> dict[str, dict[str, Row]]:
    """Return the rows of each program by setting, the settings in processes that take turns."""
    rows: dict[str, dict[str, Row]] = {}
    for _ in range(rounds):
        for setting, variables in SETTINGS.items():
            for name, row in _process(variables, wanted, runs).items():
                before = rows.setdefault(name, {}).get(setting, row)
                rows[name][setting] = row._replace(seconds=min(row.seconds, before.seconds))
    return rows


def _process(variables: dict[str, str], wanted: str, runs: int) -> dict[str, Row]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RUNMAT_ACCEL")}
    words = [sys.executable, "-m", "benchmarks.capture.elements", "--one", "--runs", str(runs)]
    done = subprocess.run(
        [*words, "--only", wanted],
        env=environment | variables, cwd=Path(__file__).parents[2], check=True,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return {name: Row(*row) for name, row in json.loads(done.stdout).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="programs whose names have it")
    parser.add_argument("--rounds", type=int, default=2, help="processes of each setting")
    parser.add_argument("--runs", type=int, default=5, help="timed runs in each process")
    parser.add_argument("--worst", type=int, default=20, help="how many rows to show")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.only, options.runs)))
        return
    rows = compared(options.only, options.rounds, options.runs)
    ratios = {name: row["default"].seconds / row["none"].seconds for name, row in rows.items()}
    print("ratio  calls more  captured  program")
    more = {name: row["default"].calls - row["none"].calls for name, row in rows.items()}
    slowest = sorted(rows, key=lambda name: -ratios[name])
    busiest = sorted(rows, key=lambda name: -more[name])
    for name in dict.fromkeys([*slowest[: options.worst], *busiest[: options.worst]]):
        captured = "yes" if rows[name]["default"].captured else "no"
        print(f"{ratios[name]:5.2f}  {more[name]:10}  {captured:8}  {name}")
    print(f"{len(rows)} programs, median ratio {median(ratios.values()):.3f},", end=" ")
    print(f"{sum(row['default'].captured for row in rows.values())} captured")


if __name__ == "__main__":
    main()
