"""``python -m benchmarks.builtins``: least times of builtins, of Octave's and of NumPy's.

Every call runs in turns in runmat with host rules (provider ``none``), in runmat with its provider
for the CPU, in one process of Octave and, where NumPy or SciPy has a call that does the same, in
Python, on the same data and after one run to warm up. What is compared is the least of several
times, because a machine that does something else makes them longer, never shorter. Results must
agree.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from runmat_bench import machine

from benchmarks.builtins.cases import CASES, NUMPY_LIMIT, Case, Data
from benchmarks.builtins.engines import Engine, Exchange, Octave, Runmat

#: Seconds that the repetitions of one row may take altogether.
BUDGET = 2.5
PROVIDERS = {"runmat": "none", "inprocess": "inprocess"}


def _call_of(case: Case, name: str) -> str:
    return case.octave if name == "octave" and case.octave else case.call


def _timed(engine: Engine, call: str) -> float:
    lines = engine.run(f"timer = tic; {call} seconds = toc(timer); fprintf('%.9f\\n', seconds);")
    return float([line for line in lines if line.strip()][-1])


def _timed_python(call: Callable[[Data], Any], data: Data) -> float:
    start = time.perf_counter()
    call(data)
    return time.perf_counter() - start


def _flat(found: Any) -> Any:
    arrays = found if isinstance(found, tuple) else (found,)
    return np.concatenate([np.ravel(a, order="F").astype(np.float64) for a in arrays])


def row_of(
    case: Case, size: int, engines: dict[str, Engine], exchange: Exchange, repetitions: int
) -> dict[str, Any]:
    """Least seconds of each implementation, and whether their results agree."""
    data = case.data(size)
    setup = exchange.written(data)
    timers: dict[str, Callable[[], float]] = {}
    results = {}
    for name, engine in engines.items():
        call = _call_of(case, name)
        engine.run(setup)
        engine.run(call)
        shown = case.octave_shown if name == "octave" and case.octave_shown else case.shown
        results[name] = exchange.result(engine, shown)
        timers[name] = lambda engine=engine, call=call: _timed(engine, call)  # type: ignore[misc]
    if case.numpy is not None:
        direct = case.numpy
        results["numpy"] = _flat(direct(data))
        timers["numpy"] = lambda: _timed_python(direct, data)
    times: dict[str, list[float]] = {name: [] for name in timers}
    begun = time.perf_counter()
    for done in range(repetitions):
        if done >= 2 and (time.perf_counter() - begun) * (done + 1) / done > BUDGET:
            break
        for name, timer in timers.items():
            times[name].append(timer())
    ours = results["runmat"]
    row: dict[str, Any] = {"case": case.name, "call": case.call, "elements": size}
    row |= {f"{name}_s": min(found) for name, found in times.items()}
    row["repetitions"] = len(times["runmat"])
    row["agrees"] = {
        name: found.shape == ours.shape
        and bool(np.allclose(ours, found, rtol=1e-10, atol=1e-12, equal_nan=True))
        for name, found in results.items()
        if name != "runmat"
    }
    return row | _verdicts(row) | ({"note": case.note} if case.note else {})


def _verdicts(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "octave_s" in row:
        found["to_octave"] = row["octave_s"] / row["runmat_s"]
    if "numpy_s" in row:
        found["numpy_ratio"] = row["runmat_s"] / row["numpy_s"]
    found["holds"] = (
        found.get("to_octave", 2.0) > 1
        and found.get("numpy_ratio", 0.0) <= NUMPY_LIMIT
        and all(row["agrees"].values())
    )
    return found


def _shown(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.2f}"


def print_row(row: dict[str, Any]) -> None:
    """One line of the table; times are in milliseconds."""
    columns = "".join(f"{_shown(row.get(f'{n}_s')):>12}" for n in ("runmat", "inprocess"))
    others = "".join(f"{_shown(row.get(f'{n}_s')):>12}" for n in ("octave", "numpy"))
    octave = f"{row['to_octave']:9.1f}x" if "to_octave" in row else f"{'-':>10}"
    numpy = f"{row['numpy_ratio']:7.2f}" if "numpy_ratio" in row else f"{'-':>7}"
    wrong = [name for name, agrees in row["agrees"].items() if not agrees]
    verdict = f"  DIFFERS FROM {', '.join(wrong)}" if wrong else "" if row["holds"] else "  misses"
    print(
        f"{row['case']:30}{row['elements']:>9}{columns}{others}{octave}{numpy}{verdict}", flush=True
    )


def measure(cases: list[Case], most: int, repetitions: int) -> dict[str, Any]:
    """All rows, and the machine."""
    engines: dict[str, Engine] = {name: Runmat(used) for name, used in PROVIDERS.items()}
    command = shutil.which("octave-cli")
    version = None
    if command is None:
        print("octave-cli is not installed: times without ratios to it")
    else:
        engines["octave"] = Octave(command)
        version = engines["octave"].run("disp(version())")[0].strip()
    print(
        f"{'case, times in ms':30}{'elements':>9}{'runmat':>12}{'inprocess':>12}{'octave':>12}"
        f"{'numpy':>12}{'to octave':>10}{'/numpy':>7}"
    )
    rows = []
    with Exchange() as exchange:
        for case in cases:
            for size in case.sizes:
                if size <= most:
                    rows.append(row_of(case, size, engines, exchange, repetitions))
                    print_row(rows[-1])
    for engine in engines.values():
        engine.close()
    return {
        "date": time.strftime("%Y-%m-%d"),
        "processor": machine.processor(),
        "threads": machine.threads(),
        "versions": machine.versions() | {"octave": version},
        "rows": rows,
    }


def table(record: dict[str, Any]) -> list[str]:
    """The record as a table for `docs/performance.md`: times of 1e6 elements, ratios of all sizes.

    Where 1e6 was not measured, times are those of the largest size. What misses its line is bold.
    """
    lines = [
        "| call | runmat | Octave | NumPy | faster than Octave | over NumPy |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    rows = record["rows"]
    for case in dict.fromkeys(row["case"] for row in rows):
        sizes = [row for row in rows if row["case"] == case]
        shown = next((row for row in sizes if row["elements"] == 10**6), sizes[-1])
        times = [_brief(shown.get(f"{name}_s")) for name in ("runmat", "octave", "numpy")]
        octave = [_marked(f"{r['to_octave']:.1f}x", r["to_octave"] > 1) for r in sizes]
        numpy = [
            _marked(f"{r['numpy_ratio']:.2f}", r["numpy_ratio"] <= NUMPY_LIMIT)
            for r in sizes
            if "numpy_ratio" in r
        ]
        name = f"`{case}`" if "(" in case else case
        lines.append(f"| {name} | {' | '.join(times)} | {', '.join(octave)} | {_list(numpy)} |")
    return lines


def _brief(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def _marked(text: str, holds: bool) -> str:
    return text if holds else f"**{text}**"


def _list(texts: list[str]) -> str:
    return ", ".join(texts) or "-"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.builtins", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--most", type=float, default=1e7, help="the most elements")
    parser.add_argument("--save", type=Path, help="write the measurements as JSON")
    parser.add_argument("--table", type=Path, help="only print this record as a table")
    parser.add_argument("names", nargs="*", help="beginnings of the rows' names (default: all)")
    options = parser.parse_args()
    if options.table:
        print("\n".join(table(json.loads(options.table.read_text()))))
        return 0
    cases = [c for c in CASES if not options.names or c.name.startswith(tuple(options.names))]
    record = measure(cases, int(options.most), options.repetitions)
    missed = sum(not row["holds"] for row in record["rows"])
    print(f"{len(record['rows'])} rows, {missed} miss their line")
    if options.save:
        words = ["python -m benchmarks.builtins", *options.names]
        if options.most < 1e7:
            words.append(f"--most {options.most:g}")
        record = {"command": " ".join(words)} | record
        options.save.write_text(json.dumps(record, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
