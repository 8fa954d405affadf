"""``python -m benchmarks.arrays``: array programs in runmat and in the libraries of Python.

Each library runs in a process of its own, one after the other: every program once with nothing
compiled (first) and then a few times (warm, the median). Results are compared with each other.
What takes longer than ``--budget`` seconds in all is left out.
"""

from __future__ import annotations

import argparse
import json
import math
import queue
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.arrays.cases import PROFILES, Case, named
from benchmarks.arrays.sides import SIDES
from runmat_core.api.progress import Progress

Row = dict[str, Any]


class Process:
    """A worker with its answers in a queue."""

    def __init__(self, words: Sequence[str]) -> None:
        command = [sys.executable, "-m", "benchmarks.arrays.worker", *words]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def answer(self, patience: float) -> Row | None:
        """Return the next answer; None where the process is gone or takes too long."""
        try:
            line = self.lines.get(timeout=max(patience, 0.1))
        except queue.Empty:
            return None
        found: Row | None = json.loads(line) if line else None
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def run_side(
    name: str,
    cases: list[Case],
    options: argparse.Namespace,
    deadline: float,
    progress: Progress,
) -> tuple[str, dict[str, Row]]:
    """Return the description of a library and its rows, by program."""
    rows: dict[str, Row] = {}
    description = ""
    left = list(cases)
    while left and time.monotonic() < deadline:
        words = [name, options.profile, options.type, str(options.repeats)]
        process = Process([*words, *(case.name for case in left)])
        try:
            told = process.answer(min(120, deadline - time.monotonic())) or {"error": "no start"}
            if "error" in told:
                return told["error"], rows
            description = told["description"]
            while left:
                patience = min(options.patience, deadline - time.monotonic())
                case = left.pop(0)
                progress.step(f"{name} {case.name}")
                row = process.answer(patience)
                rows[case.name] = row or {"error": "it ended, or took too long"}
                progress.note(shown(name, case, rows[case.name]))
                if row is None:
                    break  # the others get a new process
        finally:
            process.close()
    for case in left:
        rows[case.name] = {"error": "no time left"}
    return description, rows


def shown(side: str, case: Case, row: Row) -> str:
    if "error" in row:
        text = row["error"]
    else:
        text = f"{row['first_s'] * 1e3:9.1f} ms first {row.get('warm_s', math.nan) * 1e3:9.1f} warm"
    return f"{side:14} {case.name:13} {text}"


def differences(cases: list[Case], sides: dict[str, dict[str, Row]], reference: str) -> list[str]:
    """Return what results are not those of the library `reference`."""
    found = []
    for case in cases:
        wanted = sides[reference].get(case.name, {}).get("results")
        for name, rows in sides.items():
            got = rows.get(case.name, {}).get("results")
            if wanted is None or got is None:
                continue
            close = [
                abs(a - b) <= case.tolerance * max(abs(b), 1e-3)
                for a, b in zip(got, wanted, strict=True)
            ]
            if not all(close):
                found.append(f"{case.name}: {name} {got}, {reference} {wanted}")
    return found


def table(record: Row) -> list[str]:
    """Return the record in Markdown, milliseconds."""
    sides = record["sides"]
    lines = [
        "| program | " + " | ".join(f"{name} first, warm" for name in sides) + " | best/ours |"
    ]
    lines.append("|---" * (len(sides) + 2) + "|")
    ratios: dict[str, list[float]] = {}
    for name, half in record["programs"].items():
        cells = []
        for rows in (side["rows"] for side in sides.values()):
            row = rows.get(name, {})
            times = [row.get(key) for key in ("first_s", "warm_s")]
            cells.append(", ".join("-" if one is None else f"{one * 1e3:.1f}" for one in times))
        ours = sides.get("runmat", {"rows": {}})["rows"].get(name, {}).get("warm_s")
        peers = [
            side["rows"].get(name, {}).get("warm_s")
            for side_name, side in sides.items()
            if not side_name.startswith("runmat")
        ]
        best = min((one for one in peers if one is not None), default=None)
        cells.append("-" if ours is None or best is None else f"{best / ours:.2f}")
        if ours is not None and best is not None:
            ratios.setdefault(half, []).append(best / ours)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for half, found in ratios.items():
        mean = statistics.geometric_mean(found)
        lines.append(f"\n{half}: geometric mean {mean:.2f}, least {min(found):.2f}")
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arrays", description=__doc__)
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=["runmat", "jax", "torch"])
    parser.add_argument("--profile", choices=PROFILES, default="small")
    parser.add_argument("--type", choices=("single", "double"), default="single")
    parser.add_argument("--half", choices=("looked_at", "held_out"), default="")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--patience", type=float, default=60.0, help="seconds for one program")
    parser.add_argument("--budget", type=float, default=450.0, help="seconds for everything")
    parser.add_argument("--save", type=Path, metavar="JSON")
    options = parser.parse_args(arguments)
    cases = named(options.only, options.half)
    start = time.monotonic()
    record: Row = {
        "profile": options.profile,
        "type": options.type,
        "programs": {case.name: case.half for case in cases},
        "sizes": {case.name: list(case.sizes[options.profile]) for case in cases},
        "sides": {},
    }
    with Progress("", len(options.sides) * len(cases)) as progress:
        for position, name in enumerate(options.sides):
            # each may take its share of what the ones before it left
            now = time.monotonic()
            share = (start + options.budget - now) / (len(options.sides) - position)
            description, rows = run_side(name, cases, options, now + share, progress)
            progress.note(f"{name}: {description}")
            record["sides"][name] = {"description": description, "rows": rows}
    rows_of = {name: side["rows"] for name, side in record["sides"].items()}
    reference = next((name for name in ("numpy", "torch", "jax") if rows_of.get(name)), "")
    record["differences"] = differences(cases, rows_of, reference) if reference else []
    if options.save:
        options.save.parent.mkdir(parents=True, exist_ok=True)
        options.save.write_text(json.dumps(record, indent=1) + "\n")
    print("\n".join(table(record)))
    for line in record["differences"]:
        print(f"differs: {line}")
    failed = any("error" in row for rows in rows_of.values() for row in rows.values())
    return 1 if failed or record["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
