"""``python -m benchmarks.cases``: every case through a provider and in NumPy, in turns, in one run.

Each case is a `.m` program of this folder whose parameters are variables; `numpy_cases` holds the
same algorithm at the same precision. Every implementation computes a metric and both must agree.
Times are medians in seconds inside the process after one run to warm up.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cases import numpy_cases
from runmat_core import Session

HERE = Path(__file__).parent

#: case -> (parameters by profile, relative tolerance of the metric between generators)
CASES: dict[str, tuple[dict[str, dict[str, int]], float]] = {
    "pca": (
        {"small": {"n": 2000, "d": 64, "k": 8}, "standard": {"n": 20000, "d": 512, "k": 8}},
        2e-2,
    ),
    "image4k": (
        {
            "small": {"B": 2, "height": 540, "width": 960},
            "standard": {"B": 4, "height": 2160, "width": 3840},
        },
        1e-3,
    ),
    "montecarlo": ({"small": {"M": 50000, "T": 16}, "standard": {"M": 500000, "T": 64}}, 5e-2),
    "nlms": (
        {"small": {"p": 32, "C": 256, "T": 20}, "standard": {"p": 128, "C": 4096, "T": 200}},
        3e-1,
    ),
    "iir": ({"small": {"M": 50000, "T": 64}, "standard": {"M": 500000, "T": 256}}, 1e-2),
    "elementwise": ({"small": {"n": 200000}, "standard": {"n": 10000000}}, 1e-4),
    "ema": ({"small": {"M": 50000, "T": 40}, "standard": {"M": 1000000, "T": 100}}, 1e-3),
}
#: Cases whose input is the same for every implementation anyway.
WITHOUT_SOURCE = frozenset({"elementwise", "ema"})


def parameters(case: str, profile: str, cls: str, source: str) -> dict[str, Any]:
    chosen: dict[str, Any] = dict(CASES[case][0][profile], cls=cls)
    if case not in WITHOUT_SOURCE:
        chosen["source"] = source
    return chosen


def metrics(text: str) -> tuple[float, ...]:
    """The numbers of the program's RESULT line."""
    for line in text.splitlines():
        if line.startswith("RESULT "):
            return tuple(float(word) for word in line.split()[1:])
    raise RuntimeError(f"no RESULT line in: {text!r}")


def prepared(session: Session, case: str, chosen: dict[str, Any]) -> Callable[[], Any]:
    """A run of the program in `session`."""
    for name, value in chosen.items():
        session[name] = float(value) if isinstance(value, int) else value
    path = HERE / f"{case}.m"

    def run() -> tuple[float, ...]:
        session.run("rng(0)")
        return metrics(session.capture_file(path))

    return run


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def measure(case: str, chosen: dict[str, Any], provider: str, repetitions: int) -> dict[str, Any]:
    """Medians of both implementations, run in turns, and whether their metrics agree."""
    session = Session(provider=provider)
    ours = prepared(session, case, chosen)
    theirs = getattr(numpy_cases, case)
    first, got = timed(ours)
    _, expected = timed(lambda: theirs(**chosen))
    pairs = [(timed(ours)[0], timed(lambda: theirs(**chosen))[0]) for _ in range(repetitions)]
    mine, numpy = (statistics.median(times) for times in zip(*pairs, strict=True))
    tolerance = CASES[case][1] if chosen.get("source") == "rng" else 2e-3
    return {
        "case": case,
        **chosen,
        "first_seconds": first,
        "seconds": mine,
        "numpy_seconds": numpy,
        "spread": [min(p[0] for p in pairs), max(p[0] for p in pairs)],
        "numpy_spread": [min(p[1] for p in pairs), max(p[1] for p in pairs)],
        "ratio": numpy / mine,
        "metric": got,
        "numpy_metric": expected,
        "agrees": all(
            math.isclose(a, b, rel_tol=tolerance) for a, b in zip(got, expected, strict=True)
        ),
    }


def environment(provider: str) -> dict[str, Any]:
    return {
        "date": time.strftime("%Y-%m-%d"),
        "command": "python -m benchmarks.cases " + " ".join(sys.argv[1:]),
        "provider": provider,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cases", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--profile", choices=("small", "standard"), default="standard")
    parser.add_argument("--provider", default="auto")
    parser.add_argument("--cls", choices=("single", "double"), action="append")
    parser.add_argument("--source", choices=("rng", "lcg"), default="rng")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--save", metavar="FILE", help="write the record as JSON")
    options = parser.parse_args()
    rows = []
    print(f"{'case':<12} {'class':<7} {'runmat':>9} {'numpy':>9} {'ratio':>6}  metric")
    for case in options.cases or CASES:
        for cls in options.cls or ("single", "double"):
            chosen = parameters(case, options.profile, cls, options.source)
            row = measure(case, chosen, options.provider, options.repetitions)
            rows.append(row)
            verdict = "agrees" if row["agrees"] else f"DIFFERS from {row['numpy_metric']}"
            print(
                f"{case:<12} {cls:<7} {row['seconds']:9.4f} {row['numpy_seconds']:9.4f} "
                f"{row['ratio']:6.2f}  {row['metric'][0]:.6g} {verdict}",
                flush=True,
            )
    mean = math.exp(statistics.fmean(math.log(row["ratio"]) for row in rows))
    print(f"geometric mean {mean:.2f}, least {min(row['ratio'] for row in rows):.2f}")
    if options.save:
        record = {**environment(options.provider), "geometric_mean": mean, "cases": rows}
        Path(options.save).write_text(json.dumps(record, indent=1) + "\n")
    return 0 if all(row["agrees"] for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
