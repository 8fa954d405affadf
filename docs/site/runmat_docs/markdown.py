"""Pages of the handbook: Markdown as HTML, with links to pages of the site."""

from __future__ import annotations

import html
import posixpath
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from runmat_docs.layout import Page, anchor

#: Pages with fewer sections have no list of them.
FEW = 4


def page(source: str, path: str, origin: str, homes: Mapping[str, str]) -> Page:
    """A page from a Markdown file.

    Args:
        source: its text.
        path: of the page below the site.
        origin: of the file below the checkout.
        homes: the page of each file that has one.
    """
    tokens = _reader().parse(source)
    title = ""
    sections = []
    for k, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[k + 1].content.replace("`", "")
            title = title or words
            token.attrSet("id", anchor(words))
            if token.tag == "h2":
                sections.append(words)
        for inner in token.children or ():
            for kind, attribute in (("link_open", "href"), ("image", "src")):
                if inner.type == kind:
                    address = str(inner.attrGet(attribute))
                    inner.attrSet(attribute, target(address, path, origin, homes))
    body = _reader().renderer.render(tokens, _reader().options, {})
    wide = body.replace("<table>", '<div class="wide"><table>')
    wide = wide.replace("</table>", "</table></div>")
    return Page(path, title, wide.replace("</h1>", f"</h1>{contents(sections)}", 1))


def contents(sections: Sequence[str]) -> str:
    """Links to the sections of a page, where there are enough of them to look for one."""
    if len(sections) < FEW:
        return ""
    links = "".join(f'<a href="#{anchor(words)}">{html.escape(words)}</a>' for words in sections)
    return f'\n<nav class="sections" aria-label="On this page">{links}</nav>'


def target(address: str, path: str, origin: str, homes: Mapping[str, str]) -> str:
    """Where a link of a file leads on the site; what has no page is left as it is, and found by
    the check of links."""
    file, hash_, place = address.partition("#")
    if not file or "://" in file:
        return address
    home = homes.get(posixpath.normpath(posixpath.join(posixpath.dirname(origin), file)))
    if home is None:
        return address
    return posixpath.relpath(home, posixpath.dirname(path) or ".") + hash_ + place


def highlighted(source: str, language: str) -> str:
    """Code with its parts marked for the style sheet; plain where the language is not known."""
    try:
        lexer: Any = get_lexer_by_name({"console": "text", "": "text"}.get(language, language))
    except ClassNotFound:
        return html.escape(source, quote=False)
    return str(highlight(source, lexer, HtmlFormatter(nowrap=True)))


@cache
def _reader() -> MarkdownIt:
    def coloured(content: str, language: str, attributes: str) -> str:
        return highlighted(content, language)

    return MarkdownIt("commonmark", {"highlight": coloured}).enable("table")
