"""Programs of library calls on several providers in one run: products, svd, sort, fft, sums.

    python -m benchmarks.providers [--providers none,wgpu,torch] [--save FILE] [--seconds 20]
                                   [--scale 1.0] [--runs 5]

Each provider has a process of its own, which makes the arrays once and then runs each program until
its answer is there: first cold, then a few times, of which the least counts. Answers have to agree
with those of ``none``. A provider of this repository need not be installed, what it needs must be:
PyTorch alone is enough for ``torch``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]

#: Name, what makes the arrays for a size, what is measured, the size, and the tolerance.
PROGRAMS = (
    ("product, double", "A = rand({n}); B = rand({n});", "C = A*B; r = C(1);", 4096, 1e-10),
    ("product, single", "A = rand({n},'single'); B = A;", "C = A*B; r = C(1);", 4096, 1e-4),
    ("A'*A, double", "A = rand({n}*20,{n}/8);", "C = A'*A; r = C(1);", 4096, 1e-10),
    ("svd values, double", "A = rand({n});", "s = svd(A); r = s(1);", 1500, 1e-9),
    ("svd, double", "A = rand({n});", "[U,S,V] = svd(A,'econ'); r = S(1);", 1000, 1e-9),
    ("eig of symmetric", "A = rand({n}); A = A+A';", "d = eig(A); r = d(end);", 1500, 1e-9),
    ("solve, double", "A = {n}*eye({n})+rand({n}); b = A(:,2);", "x = A\\b; r = x(2);", 3000, 1e-9),
    ("sort, double", "x = rand({n},1);", "y = sort(x); r = y(7);", 10_000_000, 0.0),
    ("fft, double", "x = rand({n},1);", "y = fft(x); r = abs(y(2));", 1 << 23, 1e-6),
    ("fft of columns", "x = rand(4096,{n});", "y = fft(x); r = abs(y(2));", 2048, 1e-6),
    ("map and sum", "x = rand({n},1);", "r = sum(sin(x).*x+exp(-x));", 20_000_000, 1e-9),
)  # fmt: skip


def offered(folder: Path) -> str:
    """Return a search path on which the providers of this repository are found."""
    from importlib.metadata import entry_points

    there = {point.name for point in entry_points(group="runmat.providers")}
    paths = [str(ROOT)]
    for project in sorted((ROOT / "providers").glob("*/pyproject.toml")):
        said = tomllib.loads(project.read_text())["project"]
        points = said["entry-points"].get("runmat.providers", {})
        if points.keys() <= there:
            continue
        info = folder / f"{said['name'].replace('-', '_')}-{said['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {said['name']}\nVersion: {said['version']}\n"
        )
        lines = [f"{name} = {value}" for name, value in points.items()]
        (info / "entry_points.txt").write_text("\n".join(["[runmat.providers]", *lines, ""]))
        paths.append(str(project.parent))
    return os.pathsep.join([str(folder), *paths, *filter(None, [os.environ.get("PYTHONPATH")])])


def worker(provider: str, scale: float, seconds: float, runs: int) -> None:
    """Run every program on one provider; a line of JSON for each."""
    from runmat_core import Session

    options: dict[str, Any] = {"provider": provider}
    session = Session(**options)
    for name, prepare, measured, size, _ in PROGRAMS:
        n = max(int(size * scale) // 16 * 16, 32)
        record: dict[str, Any] = {"name": name, "n": n}
        try:
            session.run("rng(1); " + prepare.replace("{n}", str(n)))
            session.run("s = 0; if exist('A'), s = A(end); else, s = x(end); end")
            end = time.perf_counter() + seconds
            times = []
            while not times or (len(times) <= runs and time.perf_counter() < end):
                started = time.perf_counter()
                session.run(measured + " r = r + 0;")
                record["answer"] = float(np.ravel(session["r"])[0])
                times.append(time.perf_counter() - started)
            record["cold"] = times[0]
            record["warm"] = min(times[1:] or times)
        except Exception as problem:
            record["failed"] = f"{type(problem).__name__}: {problem}"
        session.run("clear all")
        print(json.dumps(record), flush=True)


def device_of(provider: str, environment: dict[str, str]) -> str:
    """Return the name of what a provider computes on, or why it cannot."""
    code = (
        "import sys; from runmat_core.accel.devices.providers import start; "
        "print(start(sys.argv[1]).capabilities.name)"
    )
    command = [sys.executable, "-c", code, provider]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return done.stdout.strip() or (done.stderr.strip().splitlines() or ["no answer"])[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--providers", default="none,wgpu,torch")
    parser.add_argument("--save", help="file for the record")
    parser.add_argument("--seconds", type=float, default=20.0, help="most for a program")
    parser.add_argument("--scale", type=float, default=1.0, help="of all sizes")
    parser.add_argument("--runs", type=int, default=5, help="after the first")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.worker, options.scale, options.seconds, options.runs)
        return
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PYTHONPATH": offered(Path(folder)),
            "RUNMAT_CACHE_DIR": str(Path(folder) / "cache"),
            "RUNMAT_ACCEL_OFFLOAD_FORCE": "device",
            "RUNMAT_ACCEL_THRESHOLD": "1000",
        }
        Path(folder, "cache").mkdir(mode=0o700)
        found: dict[str, dict[str, dict[str, Any]]] = {}
        devices = {}
        for provider in options.providers.split(","):
            devices[provider] = "NumPy" if provider == "none" else device_of(provider, environment)
            print(f"{provider}: {devices[provider]}", flush=True)
            command = [sys.executable, "-m", "benchmarks.providers", "--worker", provider]
            command += ["--scale", str(options.scale), "--seconds", str(options.seconds)]
            done = subprocess.run(
                [*command, "--runs", str(options.runs)],
                env=environment, cwd=ROOT, capture_output=True, text=True,
            )  # fmt: skip
            if done.stderr:
                print(f"  {done.stderr.strip().splitlines()[-1]}", flush=True)
            records = map(json.loads, done.stdout.splitlines())
            found[provider] = {record["name"]: record for record in records}
    table(found)
    if options.save:
        record = {"devices": devices, "command": " ".join(sys.argv[1:]), "programs": found}
        Path(options.save).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def table(found: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Print milliseconds, cold and warm, and what does not agree with the first provider."""
    first = next(iter(found.values()))
    print(f"{'':<20}{'n':>10}" + "".join(f"{name + ' cold':>14}{'warm':>10}" for name in found))
    for name, _, _, _, tolerance in PROGRAMS:
        row, wrong = f"{name:<20}{first.get(name, {}).get('n', ''):>10}", []
        for provider, records in found.items():
            record = records.get(name, {"failed": "no answer"})
            if "failed" in record:
                row += f"{'-':>14}{'-':>10}"
                wrong.append(f"{provider}: {record['failed']}")
                continue
            row += f"{1e3 * record['cold']:>12.1f}ms{1e3 * record['warm']:>8.1f}ms"
            expected = first.get(name, {}).get("answer", record["answer"])
            if abs(record["answer"] - expected) > tolerance * abs(expected):
                wrong.append(f"{provider}: {record['answer']!r} is not {expected!r}")
        print(row + ("   " + "; ".join(wrong) if wrong else ""))


if __name__ == "__main__":
    main()
