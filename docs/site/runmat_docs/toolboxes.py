"""The page of MathWorks' toolboxes: which of their functions are here, and in which package."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from runmat_core.builtins import catalog
from runmat_core.builtins.toolboxes import names
from runmat_docs.layout import Page, anchor, code, table


def toolbox_page(homes: Mapping[str, str]) -> Page:
    """All names by toolbox; `homes` maps every name that has a page to the file of it."""
    packages = {n: e.package for e in catalog.offered() for n in e.names}
    packages |= {n: e.package for e in catalog.everything() for n in e.names}
    declared = catalog.packages_of_toolboxes()
    listed = names()
    rows, pieces = [], []
    for toolbox, functions in listed.items():
        there = [name for name in functions if name in packages]
        origins = sorted({packages[name] for name in there} | {declared.get(toolbox, "")} - {""})
        link = f'<a href="#{anchor(toolbox)}">{html.escape(toolbox)}</a>'
        rows.append([link, html.escape(", ".join(origins)), f"{len(there)} of {len(functions)}"])
        pieces += _section(toolbox, functions, packages, homes)
    start = [
        "<h1>Toolboxes</h1>\n",
        "<p>Functions of MathWorks' toolboxes, and the package that has each of those that are "
        "here. A program that calls one of the others is told which toolbox it is from.</p>\n",
        table(["toolbox", "packages", "functions"], rows, "support"),
    ]
    return Page("toolboxes.html", "Toolboxes", "".join([*start, *pieces]))


def _section(
    toolbox: str, functions: Sequence[str], packages: Mapping[str, str], homes: Mapping[str, str]
) -> list[str]:
    there = [[_link(n, homes), html.escape(packages[n])] for n in functions if n in packages]
    missing = " ".join(code(name) for name in functions if name not in packages)
    pieces = [f'<h2 id="{anchor(toolbox)}">{html.escape(toolbox)}</h2>\n']
    if there:
        pieces.append(table(["name", "package"], there, "grid"))
    if missing:
        pieces.append(f"<p>Not here: {missing}</p>\n")
    return pieces


def _link(name: str, homes: Mapping[str, str]) -> str:
    if name not in homes:
        return code(name)
    return f'<a href="builtins/{homes[name]}">{html.escape(name)}</a>'
