"""Names that programs use: each is a builtin, here or in a plugin of this tree, or has a reason.

``names.tsv`` was counted in 18 public repositories of MATLAB code: uses in 1000 lines, and how many
of the repositories use the name; it holds the names of at least three, and others that belong to
the same families. ``missing.tsv`` gives the reason for each that is missing. A row goes when its
name comes.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

from runmat_core.builtins import catalog, registry

DATA = Path(__file__).parent / "data"

REASONS = {
    "drawing": "works on figures in a way that runmat-plot does not have",
    "dialog": "opens a window or waits for one",
    "desktop": "belongs to MATLAB's editor, profiler or preferences",
    "java": "belongs to the Java machine that MATLAB brings",
    "octave": "a function of Octave that MATLAB does not have",
    "toolbox": "of a toolbox for which there is no plugin in this tree",
    "name": "a variable, a file or a class of the programs that were counted",
    "statement": "part of the language, not a function",
    "data": "a table of numbers that belongs to MathWorks",
    "not yet": "a function that is still to be written",
}


def table(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


NAMES = {row["name"]: row for row in table("names.tsv")}
MISSING = {row["name"]: row["reason"] for row in table("missing.tsv")}
HAVE = {*registry.names(), *(name for entry in catalog.offered() for name in entry.names)}


def test_every_name_is_there_or_has_a_reason() -> None:
    unexplained = [name for name in NAMES if name not in HAVE and name not in MISSING]
    assert not unexplained, "no builtins, and no reasons in missing.tsv: " + " ".join(unexplained)


def test_no_reason_is_stale() -> None:
    there = [name for name in MISSING if name in HAVE]
    assert not there, "these are there now; take them out of missing.tsv: " + " ".join(there)
    unknown = [name for name in MISSING if name not in NAMES]
    assert not unknown, "reasons for names that nobody asks for: " + " ".join(unknown)


def test_reasons_are_of_the_known_kinds() -> None:
    assert set(MISSING.values()) <= REASONS.keys()


def test_each_name_stands_once() -> None:
    assert len(table("names.tsv")) == len(NAMES)
    assert len(table("missing.tsv")) == len(MISSING)


def test_of_what_programs_call_little_is_missing() -> None:
    """``pytest -s`` shows the report: what of the names is there, what is not, and why."""
    uses = defaultdict(float)
    kinds = defaultdict(list)
    for name, row in NAMES.items():
        kind = "there" if name in HAVE else MISSING.get(name, "unexplained")
        uses[kind] += float(row["uses"])
        kinds[kind].append(name)
    print(f"\n{len(kinds['there'])} of {len(NAMES)} names are there")
    for kind, meaning in REASONS.items():
        if kinds[kind]:
            print(f"{kind} ({len(kinds[kind])}): {meaning}\n    {' '.join(kinds[kind])}")
    functions = sum(uses[kind] for kind in ("there", "not yet", "toolbox"))
    print(f"{uses['there'] / functions:.1%} of their uses are of names that are there")
    assert uses["there"] / functions > 0.97
