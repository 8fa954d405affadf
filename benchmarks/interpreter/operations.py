"""``python -m benchmarks.interpreter.operations``: small operations in a loop, beside Octave.

Each line of ``operations.txt`` is a statement with what it needs. It runs in a loop of a function
of its own, in both implementations in turns; the least processor time of all rounds counts, less
that of an empty loop. The table begins with what is slowest beside Octave.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from runmat_core.api.progress import Progress

HERE = Path(__file__).parent
RECORD = HERE.parent / "results" / "operations.json"
#: Times that a loop is timed in a process.
ROUNDS = 5

_TIMED = """\
function t = timed_{name}(n)
{setup}
t = Inf;
for turn = 1:{rounds}
  t0 = cputime;
  for i = 1:n
    {statement}
  end
  t = min(t, cputime - t0);
end
end
"""
_CALL = """\
try
  fprintf('TIME {name} %.9g\\n', timed_{name}({count}));
catch problem
  fprintf('FAILED {name} %s\\n', strrep(problem.message, char(10), ' '));
end
"""


class Operation(NamedTuple):
    """A statement with what goes before its loop."""

    name: str
    setup: str
    statement: str


def operations(names: list[str]) -> list[Operation]:
    """The operations of these names, or all.

    Raises:
        SystemExit: there is none of a name.
    """
    text = (HERE / "operations.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    found = [Operation(*[part.strip() for part in line.split("::")]) for line in lines]
    unknown = set(names) - {one.name for one in found}
    if unknown:
        raise SystemExit(f"no such operation: {', '.join(sorted(unknown))}")
    return [one for one in found if not names or one.name in names]


def program(chosen: list[Operation], count: int) -> str:
    """A script that times the operations, and first an empty loop."""
    every = [Operation("nothing", "", ""), *chosen]
    timed = [_TIMED.format(rounds=ROUNDS, **one._asdict()) for one in every]
    calls = [_CALL.format(name=one.name, count=count) for one in every]
    functions = (HERE / "operations.m").read_text(encoding="utf-8")
    return "1;\n" + functions + "".join(timed) + "".join(calls)


def times(command: list[str], script: Path, cache: str) -> dict[str, float]:
    """Seconds of each operation's loop in one process; those that fail are named on stderr."""
    environment = {**os.environ, "RUNMAT_CACHE_DIR": cache}
    done = subprocess.run(
        [*command, str(script)], capture_output=True, text=True, env=environment, timeout=600
    )
    found: dict[str, float] = {}
    for line in done.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        name, _, value = rest.partition(" ")
        if kind == "TIME":
            found[name] = float(value)
        elif kind == "FAILED":
            print(f"{command[0]}: {name}: {value}", file=sys.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    return found


def measure(chosen: list[Operation], count: int, runs: int) -> dict[str, dict[str, float]]:
    """Nanoseconds of each operation by implementation."""
    commands = {"runmat": [sys.executable, "-m", "runmat_core", "run", "--dialect", "octave"]}
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if octave:
        commands["octave"] = [octave, "--norc", "--quiet"]
    least: dict[str, dict[str, float]] = {name: {} for name in commands}
    steps = Progress("Timing operations", runs * len(commands))
    with steps, tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "timing.m"
        script.write_text(program(chosen, count), encoding="utf-8")
        for _ in range(runs):
            for name, command in commands.items():
                steps.step(name)
                for operation, seconds in times(command, script, folder).items():
                    known = least[name].get(operation, math.inf)
                    least[name][operation] = min(known, seconds)
    return {
        name: {key: (t - found["nothing"]) / count * 1e9 for key, t in found.items()}
        for name, found in least.items()
    }


def ratio(found: dict[str, dict[str, float]], name: str) -> float:
    """Time beside Octave's, 0 where that is not known."""
    own, other = found["runmat"].get(name, 0.0), found.get("octave", {}).get(name, 0.0)
    return own / other if other > 0 else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="operations, all unless given")
    parser.add_argument("--count", type=int, default=2000, help="iterations of each loop")
    parser.add_argument("--runs", type=int, default=2, help="processes of each implementation")
    parser.add_argument("--save", action="store_true", help=f"write {RECORD.name}")
    given = parser.parse_args()
    chosen = operations(given.names)
    found = measure(chosen, given.count, given.runs)
    for one in sorted(chosen, key=lambda one: -ratio(found, one.name)):
        own = found["runmat"].get(one.name, math.nan)
        other = found.get("octave", {}).get(one.name, math.nan)
        print(f"{ratio(found, one.name):6.2f} {one.name:12} {own:9.0f} {other:9.0f} ns  ", end="")
        print(one.statement)
    ratios = [value for one in chosen if (value := ratio(found, one.name)) > 0]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        above = sum(value > 1.05 for value in ratios)
        print(f"geometric mean {mean:.2f} of Octave's time, {above} of {len(ratios)} above 1.05")
    if given.save:
        RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
