"""``runmat builtins``: every builtin with its family, its package, how it is accelerated."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from runmat_core.builtins import catalog, registry
from runmat_core.builtins.catalog import Entry

#: Of what ``--json`` prints.
SCHEMA = "runmat-builtins/1"


def builtins(options: argparse.Namespace) -> int:
    entries = catalog.everything()
    missing = []
    if options.names:
        known = {name: entry for entry in entries for name in entry.names}
        missing = [name for name in options.names if name not in known]
        wanted = {known[name].name for name in options.names if name in known}
        entries = [entry for entry in entries if entry.name in wanted]
    if options.family is not None:
        entries = below(entries, options.family)
        if not entries and not options.names:
            return unknown_family(options.family)
    if options.json:
        print(json.dumps(as_data(entries), indent=2, ensure_ascii=False))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in render(entries)))
    for name in missing:
        told = f"there is no builtin '{name}'. {registry.hint_for(name)}".rstrip()
        sys.stderr.write(f"runmat: {told}\n")
    return 1 if missing else 0


def unknown_family(name: str) -> int:
    elsewhere = sorted({entry.package for entry in below(catalog.offered(), name)})
    if elsewhere:
        told = f"the family '{name}' is in {elsewhere[0]}: pip install {elsewhere[0]}"
    else:
        families = sorted({entry.family.partition("/")[0] for entry in catalog.everything()})
        told = f"there is no family '{name}'; there are {', '.join(families)} and parts of them"
    sys.stderr.write(f"runmat: {told}\n")
    return 1


def below(entries: Sequence[Entry], family: str) -> list[Entry]:
    """Return the builtins of a family and its parts."""
    return [e for e in entries if f"{e.family}/".startswith(f"{family.strip('/')}/")]


def as_data(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what ``--json`` prints (docs/builtins.md)."""
    return {
        "schema": SCHEMA,
        "acceleration": catalog.ACCELERATION,
        "builtins": [
            {
                "name": entry.name,
                "aliases": list(entry.names[1:]),
                "family": entry.family,
                "summary": entry.summary,
                "package": entry.package,
                "acceleration": entry.acceleration,
            }
            for entry in entries
        ],
    }


def render(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the list for people: family by family, those of packages after the core's."""
    if not entries:
        return
    wide = max(len(entry.name) for entry in entries)
    kinds = max(len(entry.acceleration) for entry in entries)

    def place(entry: Entry) -> tuple[bool, str, str]:
        return entry.package != catalog.CORE, entry.package, entry.family

    for (outside, package, family), group in groupby(sorted(entries, key=place), place):
        yield f"{family}, from {package}" if outside else family
        for entry in group:
            yield f"  {entry.name:{wide}}  {entry.acceleration:{kinds}}  {entry.summary}"
