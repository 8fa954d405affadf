"""``runmat new``: a package with a provider or with builtins, and tests, to begin with.

What is written lies in ``skeletons`` beside this module; ``$name`` and its like are replaced, and
``module`` is the name of the Python package.
"""

from __future__ import annotations

import argparse
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path

from runmat_core import __version__

SKELETONS = Path(__file__).parent / "skeletons"
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def new(options: argparse.Namespace) -> int:
    name = options.name.removeprefix("runmat-").replace("-", "_")
    if not _NAME.fullmatch(name):
        sys.stderr.write(
            f"runmat: '{options.name}' is no name for a {options.kind}: small letters, digits and "
            "hyphens, a letter first\n"
        )
        return 2
    package = f"runmat-{name.replace('_', '-')}"
    target = Path(options.folder or package)
    if target.exists() and any(target.iterdir() if target.is_dir() else [target]):
        sys.stderr.write(f"runmat: {target} is there already\n")
        return 1
    values = {"name": name, "package": package, "module": f"runmat_{name}", "core": __version__}
    for path, text in files(options.kind, values):
        place = target / path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        except OSError as problem:
            sys.stderr.write(f"runmat: {place} cannot be written: {problem.strerror}\n")
            return 1
        print(place)
    print(f'\nNext: cd {target} && pip install -e ".[test]" && pytest')
    return 0


def files(kind: str, values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the files of a package, each by its path and text."""
    root = SKELETONS / kind
    for path in sorted(root.rglob("*.txt")):
        place = path.relative_to(root).as_posix().removesuffix(".txt")
        place = re.sub(r"^module/", f"{values['module']}/", place)
        yield place, string.Template(path.read_text(encoding="utf-8")).substitute(values)
