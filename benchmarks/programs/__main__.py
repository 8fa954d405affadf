"""``python -m benchmarks.programs``: ordinary programs as whole processes, beside Octave.

Each program runs in turns with empty caches (cold), with the caches that its first run left (warm),
with host rules and warm caches (provider ``none``) and, where Octave is installed and can run it,
in Octave. The least of several rounds counts, and there are more of them where
the least times differ. What a program prints is compared with what it
should print in every run; a wrong result or an error makes the command fail.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.programs import tables
from benchmarks.programs.cases import Program, programs
from benchmarks.programs.measure import measure

BENCHMARKS = Path(__file__).parents[1]
RECORD = BENCHMARKS / "results" / "programs.json"
PLOT = BENCHMARKS.parent / "docs" / "programs.png"


def chosen(names: list[str]) -> list[Program]:
    """The programs of these names, or all.

    Raises:
        SystemExit: there is no such program.
    """
    known = {each.name: each for each in programs()}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"no program {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names or known]


def keep(record: dict[str, Any]) -> None:
    """Write the record and, where matplotlib is installed, the figure."""
    RECORD.write_text(json.dumps(record, indent=2) + "\n")
    if importlib.util.find_spec("matplotlib"):
        from benchmarks.programs import plot

        plot.write(record, PLOT)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.programs", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="rounds, of which the least counts")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these programs")
    parser.add_argument("--no-octave", action="store_true", help="runmat alone")
    parser.add_argument("--save", action="store_true", help=f"write {RECORD.name} and the figure")
    parser.add_argument("--table", action="store_true", help="only print the record in Markdown")
    options = parser.parse_args(arguments)
    if options.save and options.only:
        parser.error("--save keeps all programs, so it goes without --only")
    if options.table:
        if not RECORD.exists():
            parser.error(f"there is no record: make {RECORD.name} with --save")
        print("\n".join(tables.markdown(json.loads(RECORD.read_text()))))
        return 0
    print(tables.line(tables.HEADER))
    record = measure(
        chosen(options.only),
        options.runs,
        not options.no_octave,
        lambda row: print(tables.line(tables.cells(row)), flush=True),
    )
    print("\n".join(tables.summary(record)))
    if options.save:
        words = ["python -m benchmarks.programs", f"--runs {options.runs}"]
        words += ["--no-octave"] if options.no_octave else []
        keep({"command": " ".join(words)} | record)
    failed = any(row["failures"] for row in record["rows"]) or bool(record["start"]["failures"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
