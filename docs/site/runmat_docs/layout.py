"""The frame of a page, and small pieces of HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable

import attrs

#: Pages of the bar at the top: title and path.
BAR = (
    ("Builtins", "builtins/index.html"),
    ("A to Z", "builtins/a-z.html"),
    ("Toolboxes", "toolboxes.html"),
    ("What runs where", "support.html"),
    ("Gallery", "gallery.html"),
    ("Handbook", "guide/index.html"),
)

FRAME = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
</head>
<body data-root="{root}">
<header>
<a class="home" href="{root}index.html">runmat</a>
<nav aria-label="Main">{bar}</nav>
<div class="search">
<input id="search" type="search" placeholder="Search names and summaries" aria-label="Search"
 autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found">
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</div>
</header>
<main>
{body}
</main>
<footer>runmat {version}</footer>
<script src="{root}names.js"></script>
<script src="{root}search.js"></script>
</body>
</html>
"""


@attrs.frozen
class Page:
    """A page: its path below the site, its title, and what is in its frame."""

    path: str
    title: str
    body: str

    @property
    def root(self) -> str:
        """The way from the page to the start of the site."""
        return "../" * self.path.count("/")

    def render(self, version: str) -> str:
        links = (
            f'<a href="{self.root}{path}"{current(path == self.path)}>{text}</a>'
            for text, path in BAR
        )
        title = "runmat" if self.path == "index.html" else f"{self.title} - runmat"
        return FRAME.format(
            title=html.escape(title),
            root=self.root,
            bar="".join(links),
            body=self.body,
            version=html.escape(version),
        )


def current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


def text(plain: str) -> str:
    """Text of a help text as HTML: what stands between double backquotes is code."""
    pieces = plain.split("``")
    return "".join(
        f"<code>{html.escape(piece)}</code>" if k % 2 else html.escape(piece, quote=False)
        for k, piece in enumerate(pieces)
    )


def code(plain: str) -> str:
    return f"<code>{html.escape(plain, quote=False)}</code>"


def table(head: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    """A table of cells that are HTML already."""
    cells = "".join(f"<th scope='col'>{cell}</th>" for cell in head)
    lines = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows
    )
    named = f' class="{kind}"' if kind else ""
    return (
        f'<div class="wide"><table{named}><thead><tr>{cells}</tr></thead>\n'
        f"<tbody>\n{lines}</tbody></table></div>\n"
    )


def anchor(words: str) -> str:
    """The name of a heading in addresses."""
    kept = "".join(c.lower() if c.isalnum() else "-" for c in words)
    return "-".join(filter(None, kept.split("-")))
