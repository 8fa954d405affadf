"""Whether every link of the pages leads somewhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser


class _Anchors(HTMLParser):
    """The links of a page, and the names that links may lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in ("href", "src") and value:
                self.links.append(value)
            elif key == "id" and value:
                self.names.add(value)


def broken(pages: Mapping[str, str], files: set[str]) -> Iterator[str]:
    """A sentence for each link that leads nowhere or out of the site's own parts.

    Args:
        pages: the HTML of each page by its path.
        files: the paths of everything else on the site.
    """
    read: dict[str, _Anchors] = {}
    for path, text in pages.items():
        read[path] = _Anchors()
        read[path].feed(text)
    for path, anchors in read.items():
        for link in anchors.links:
            if "://" in link or link.startswith("mailto:"):
                continue
            file, _, place = link.partition("#")
            home = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
            home = path if not file else home
            if home not in read and home not in files:
                yield f"{path}: the link '{link}' leads nowhere"
            elif place and (home not in read or place not in read[home].names):
                yield f"{path}: the link '{link}' leads to no place on that page"
