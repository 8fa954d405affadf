"""Which of MathWorks' toolboxes a function belongs to, and which package here is for that toolbox.

``toolboxes.txt`` lists functions below the name of their toolbox, without those of MATLAB itself.
It is read when a name is undefined and for documentation, never by a program that runs well.
Which package is for a toolbox is what the packages declare (`catalog.packages_of_toolboxes`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

FILE = os.path.join(os.path.dirname(__file__), "toolboxes.txt")


def names() -> dict[str, list[str]]:
    """Return the names of each toolbox's functions."""
    found: dict[str, list[str]] = {}
    with open(FILE, encoding="ascii") as file:
        for line in file:
            if line.startswith("["):
                current = found.setdefault(line.strip()[1:-1], [])
            else:
                current += line.split()
    return found


def toolboxes_of(name: str) -> list[str]:
    """Return the toolboxes with a function, or a namespace, of a name."""
    space = f"{name}."
    return [
        toolbox
        for toolbox, listed in names().items()
        if any(known == name or known.startswith(space) for known in listed)
    ]


def belongs(name: str) -> str:
    """Say which toolbox a function is from, as the first half of a sentence; empty where none."""
    found = toolboxes_of(name)
    if not found:
        return ""
    listing = " and ".join(filter(None, [", ".join(found[:-1]), found[-1]]))
    return f"'{name}' is a function of {listing}"


def absence(name: str, packages: Mapping[str, str]) -> str:
    """Say which toolbox a function is from that no package has; empty where it is of none.

    Args:
        packages: the package for each toolbox that has one.
    """
    which = belongs(name)
    if not which:
        return ""
    homes = sorted({packages[box] for box in toolboxes_of(name) if box in packages})
    if not homes:
        return f"{which}; no package of runmat has it."
    verb = "does" if len(homes) == 1 else "do"
    return f"{which}; {' and '.join(homes)} {verb} not have it yet."
