"""``python -m benchmarks.interpreter``: a table of medians, and ratios to Octave in the same run.

Every case is a .m file in ``cases/`` that both implementations run unchanged; each returns a number
that must agree. Times are taken inside the process with tic and toc, after one run to warm up.
Start-up is the time of the whole process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

CASES = Path(__file__).parent / "cases"
#: case -> the least speed-up over Octave that it must show
TARGET = {
    "loop_function": 5.0,
    "loop_script": 3.0,
    "fib": 1.0,
    "sieve": 1.0,
    "mandelbrot": 1.0,
    "struct_fields": 1.0,
    "string_append": 1.0,
    "array_growth": 1.0,
    "kalman": 1.0,
}
#: `runmat -e "disp(1)"` in units of `python -c "import numpy"`
STARTUP_LIMIT = 2.2


def program(case: str, repetitions: int) -> str:
    call = f"{case}; " if case.endswith("_script") else f"result = {case}(); "
    return (
        f"addpath('{CASES.as_posix()}'); {call}times = zeros(1, {repetitions}); "
        f"for k = 1:{repetitions}, timer = tic; {call}times(k) = toc(timer); end; "
        "fprintf('RESULT %.9f %.17g\\n', median(times), result);"
    )


def run_case(command: list[str], case: str, repetitions: int) -> tuple[float, float]:
    """Median seconds and the result of one case."""
    done = subprocess.run(
        [*command, program(case, repetitions)], capture_output=True, text=True, timeout=600
    )
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            seconds, result = line.split()[1:]
            return float(seconds), float(result)
    raise RuntimeError(f"{case} failed:\n{done.stdout}{done.stderr}")


def process_times(commands: list[list[str]], repetitions: int) -> list[float]:
    """Median wall seconds of each command from start to exit, taken in turns."""
    times: list[list[float]] = [[] for _ in commands]
    # without compiled modules on disk every start would compile all of them
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(repetitions + 1):
        for command, record in zip(commands, times, strict=True):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
            record.append(time.perf_counter() - start)
    return [statistics.median(record[1:]) for record in times]


def growth(command: list[str]) -> dict[str, float]:
    """Nanoseconds for each element written to an array that grows, by its final length."""
    code = (
        f"addpath('{CASES.as_posix()}'); array_growth(1000); for n = [1e4 1e5 1e6], "
        "timer = tic; array_growth(n); fprintf('RESULT %d %.1f\\n', n, toc(timer)/n*1e9); end"
    )
    done = subprocess.run([*command, code], capture_output=True, text=True, timeout=600, check=True)
    rows = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("RESULT")]
    return {n: float(each) for n, each in rows}


def octave_command() -> list[str] | None:
    path = shutil.which("octave-cli")
    return [path, "--norc", "--quiet", "--eval"] if path else None


def measure(repetitions: int, cases: list[str]) -> dict[str, object]:
    runmat = [sys.executable, "-m", "runmat_core", "-e"]
    octave = octave_command()
    rows = []
    for case in cases:
        ours, result = run_case(runmat, case, repetitions)
        row: dict[str, object] = {"case": case, "runmat_s": ours, "result": result}
        if octave:
            theirs, expected = run_case(octave, case, max(3, repetitions // 2))
            row |= {
                "octave_s": theirs,
                "speedup": theirs / ours,
                "target": TARGET[case],
                "agrees": result == expected,
            }
        rows.append(row)
        print_row(row)
    each = growth(runmat)
    print("growth          " + "   ".join(f"{ns:.0f} ns each at {n}" for n, ns in each.items()))
    numpy_s, startup_s = process_times(
        [[sys.executable, "-c", "import numpy"], [*runmat, "disp(1)"]], max(15, repetitions)
    )
    startup = {"runmat_s": startup_s, "numpy_s": numpy_s, "ratio": startup_s / numpy_s}
    print(
        f"{'startup':16}{startup_s * 1e3:10.1f} ms   import numpy {numpy_s * 1e3:8.1f} ms   "
        f"ratio {startup_s / numpy_s:5.2f}   limit {STARTUP_LIMIT}"
    )
    return {
        "date": time.strftime("%Y-%m-%d"),
        "command": "python -m benchmarks.interpreter",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "octave": octave_version(octave),
        "cases": rows,
        "growth_ns": each,
        "startup": startup,
    }


def octave_version(octave: list[str] | None) -> str | None:
    if octave is None:
        return None
    done = subprocess.run([*octave, "disp(version())"], capture_output=True, text=True)
    return done.stdout.strip()


def print_row(row: dict[str, object]) -> None:
    line = f"{row['case']:16}{row['runmat_s'] * 1e3:10.1f} ms"  # type: ignore[operator]
    if "octave_s" in row:
        verdict = "" if row["agrees"] else "   RESULTS DIFFER"
        line += (
            f"   octave {row['octave_s'] * 1e3:10.1f} ms   {row['speedup']:7.1f}x"  # type: ignore[operator]
            f"   target {row['target']:.0f}x{verdict}"
        )
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.interpreter", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--save", type=Path, help="write the measurements as JSON")
    parser.add_argument(
        "cases", nargs="*", default=list(TARGET), help="cases to run (default: all)"
    )
    options = parser.parse_args()
    if octave_command() is None:
        print("octave-cli is not installed: times without ratios")
    record = measure(options.repetitions, options.cases)
    if options.save:
        options.save.write_text(json.dumps(record, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
