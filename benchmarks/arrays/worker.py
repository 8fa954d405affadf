"""The process of one library: it runs programs one after the other and writes a line for each.

``python -m benchmarks.arrays.worker SIDE PROFILE CLASS REPEATS NAME ...``
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from typing import Any

from benchmarks.arrays.cases import Case, named
from benchmarks.arrays.sides import Side, make

#: Seconds of warm runs of a program, after which no further one begins.
ENOUGH = 2.0


def measured(side: Side, case: Case, profile: str, cls: str, repeats: int) -> dict[str, Any]:
    """Return times, results and counts of one program."""
    start = time.perf_counter()
    run = side.prepare(case, profile, cls)
    results = run()
    first = time.perf_counter() - start
    warm: list[float] = []
    while len(warm) < repeats and sum(warm) < ENOUGH and first < 10 * ENOUGH:
        start = time.perf_counter()
        results = run()
        warm.append(time.perf_counter() - start)
    answer: dict[str, Any] = {"first_s": first, "results": results}
    if warm:
        answer |= {"warm_s": statistics.median(warm), "runs": len(warm), "each_s": warm}
        answer["counts"] = side.counts(run)
    return answer


def main() -> int:
    name, profile, cls, repeats, *programs = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # standard output is for the answers alone

    def tell(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        side = make(name)
        tell({"description": side.describe()})
    except Exception as problem:
        tell({"error": f"{type(problem).__name__}: {problem}"[:300]})
        return 1
    for case in named(programs):
        try:
            tell(measured(side, case, profile, cls, int(repeats)))
        except Exception as problem:
            tell({"error": f"{type(problem).__name__}: {problem}"[:300]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
