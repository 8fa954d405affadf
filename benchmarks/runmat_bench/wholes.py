"""Whole processes: a program from the start of its process to its exit, as on a command line.

Never mixed with times inside a process. The first run finds what caches hold from before; those
after it are what somebody who runs a program again sees.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
from runmat_bench.cases import CASES, PROGRAMS, Case
from runmat_bench.implementations import Options, make, metrics, missing, variables
from runmat_bench.implementations.octave import OWN, assignments
from runmat_bench.processes import WorkerGoneError, whole
from runmat_bench.records import Process, Record
from runmat_bench.runner import Plan, parameters

#: Runs after the first.
REPEATED = 3
PATIENCE = 300.0


def command(name: str, case: Case, chosen: Mapping[str, Any], options: Options) -> list[str]:
    """The command that runs a case once and prints its RESULT line."""
    if name == "octave":
        code = f"addpath('{PROGRAMS}'); addpath('{OWN}'); {assignments(chosen)} {case.name};"
        return ["octave-cli", "--norc", "--quiet", "--eval", code]
    if name.partition("-")[0] == "runmat":
        code = f"{assignments(chosen)} run('{PROGRAMS / case.name}.m')"
        return [sys.executable, "-m", "runmat_core", "-e", code]
    job = json.dumps({"case": case.name, "parameters": dict(chosen)})
    return [sys.executable, "-m", "runmat_bench.wholes", name, options.device, job]


def measure(
    plan: Plan, record: Record, tell: Callable[[Process], None], names: Sequence[str]
) -> None:
    """Add the smallest size of every case to the record, for implementations of these names."""
    for case_name in plan.cases:
        case = CASES[case_name]
        sizes = case.sizes[plan.profile][0]
        for cls in plan.classes:
            for name in names:
                how = missing(name)
                done = blank = Process(case.name, name, cls, sizes, "missing", how)
                if not how:
                    chosen = parameters(case, cls, "rng", sizes)
                    done = timed(blank, command(name, case, chosen, plan.options), plan)
                record.processes.append(done)
                tell(done)


def timed(blank: Process, words: list[str], plan: Plan) -> Process:
    """Run a command once and then again."""
    provider = blank.implementation.partition("-")[2]
    own = variables(plan.options.settings, provider) if words[2] == "runmat_core" else {}
    seconds = []
    try:
        for _ in range(1 + REPEATED):
            taken, printed = whole(words, plan.threads, PATIENCE, own)
            metrics(printed)
            seconds.append(taken)
    except (WorkerGoneError, RuntimeError) as problem:
        status = problem.status if isinstance(problem, WorkerGoneError) else "error"
        return attrs.evolve(blank, status=status, reason=str(problem))
    return attrs.evolve(blank, status="ok", first=seconds[0], times=tuple(seconds[1:]))


def main() -> int:
    """``python -m runmat_bench.wholes NAME DEVICE JOB``: run a case of a library once."""
    name, device, job = sys.argv[1:4]
    asked = json.loads(job)
    implementation = make(name, Options(device))
    result = implementation.prepare(asked["case"], asked["parameters"])()
    print("RESULT", *(f"{value:.9g}" for value in result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
