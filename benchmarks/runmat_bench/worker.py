"""The process that runs one implementation: jobs come as lines of JSON, answers go the same way.

Standard output is kept for the answers; whatever libraries print goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Mapping
from typing import Any, TextIO

from runmat_bench import machine
from runmat_bench.implementations import Implementation, Options, Run, make
from runmat_bench.timing import measure


def perform(implementation: Implementation, job: Mapping[str, Any]) -> dict[str, Any]:
    """Do one job.

    Jobs are ``{"do": "describe"}`` and ``{"do": "measure", "case": …, "parameters": …,
    "repetitions": …, "limit": …, "settle": …, "counts": …}``.
    """
    if job["do"] == "describe":
        return {"description": implementation.describe()}
    machine.reset_peak()
    started = time.perf_counter()
    run = implementation.prepare(job["case"], job["parameters"])
    preparing = time.perf_counter() - started
    measured = measure(
        run, job["repetitions"], job["limit"], job["settle"], first_counts=not implementation.warms
    )
    peak = machine.peak_bytes()
    counts, uncounted = counted(implementation, run) if job["counts"] else ({}, "")
    return {
        "first": preparing + measured.first,
        "times": list(measured.times),
        "results": [list(result) for result in measured.results],
        "counts": {**counts, "peak_host_bytes": peak},
        "uncounted": uncounted,
    }


def counted(implementation: Implementation, run: Run) -> tuple[dict[str, Any], str]:
    """What one more run does, and why that is not known: the times hold all the same."""
    try:
        return implementation.counts(run), ""
    except Exception as problem:
        traceback.print_exc()
        return {}, f"not counted: {type(problem).__name__}: {problem}"[:300]


def answer(implementation: Implementation, job: Mapping[str, Any]) -> dict[str, Any]:
    """The job's result, or what went wrong."""
    try:
        return perform(implementation, job)
    except Exception as problem:
        traceback.print_exc()
        text = str(problem).strip()
        return {"error": f"{type(problem).__name__}: {text[:500]}"}


def serve(name: str, options: Options, jobs: TextIO, answers: TextIO) -> None:
    """Answer jobs until there are no more."""
    try:
        implementation = make(name, options)
    except Exception as problem:
        traceback.print_exc()
        answers.write(json.dumps({"error": f"{type(problem).__name__}: {problem}"[:500]}) + "\n")
        answers.flush()
        return
    answers.write(json.dumps({"ready": True}) + "\n")
    answers.flush()
    for line in jobs:
        answers.write(json.dumps(answer(implementation, json.loads(line))) + "\n")
        answers.flush()


def main() -> int:
    """``python -m runmat_bench.worker NAME DEVICE SETTINGS``, the settings being JSON."""
    name, device, settings = sys.argv[1:4]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    serve(name, Options(device, json.loads(settings)), sys.stdin, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
