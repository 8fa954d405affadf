"""``runmat check``: syntax problems of many files in one process, one line each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from runmat_core.session import config as configuration
from runmat_core.syntax.check import check_file


def check(options: argparse.Namespace) -> int:
    dialect = options.dialect or configuration.load()["language.dialect"]
    files = problems = 0
    for path in expand(options.files):
        files += 1
        for problem in check_file(str(path), dialect):
            problems += 1
            print(problem)
    print(f"{count(files, 'file')} checked, {count(problems, 'problem')}", file=sys.stderr)
    return 1 if problems else 0


def expand(names: list[str]) -> Iterator[Path]:
    """Yield the files named, and the .m files below the folders named, except hidden ones."""
    for name in names:
        path = Path(name)
        if path.is_dir():
            found = sorted(path.rglob("*.m"))
            yield from (one for one in found if not _hidden(one.relative_to(path)))
        else:
            yield path


def _hidden(path: Path) -> bool:
    """Whether a dot starts a name on the way: no function or folder of a program's is called so."""
    return any(part.startswith(".") for part in path.parts)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
