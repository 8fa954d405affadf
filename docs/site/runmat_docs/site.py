"""The whole site: what it is made of, and what is wrong with it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from runmat_core import __version__
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.builtins import catalog, registry
from runmat_core.session import Session, doctests
from runmat_core.syntax.words import KEYWORDS
from runmat_docs import gallery, links, markdown, pages, support, toolboxes
from runmat_docs.blocks import block_of
from runmat_docs.layout import Page
from runmat_docs.pages import Builtin
from runmat_docs.support import Device

ASSETS = Path(__file__).parent / "assets"
#: Names after "See also:" that are parts of the language, not functions.
LANGUAGE = KEYWORDS["matlab"] | {"varargin", "varargout"}
#: Files beside the handbook that have a page, by the page.
BESIDE = {
    "README.md": "index.html",
    "CONTRIBUTING.md": "guide/contributing.html",
    "CHANGELOG.md": "guide/changelog.html",
    "LICENSE": "guide/licence.html",
}


@attrs.frozen
class Site:
    """Pages, and problems in what they were made from.

    Attributes:
        files: text of other files by their paths.
        figures: images of the handbook: where they lie, by their paths on the site.
        pictures: images of the gallery, by their paths on the site.
    """

    pages: tuple[Page, ...]
    files: Mapping[str, str]
    problems: tuple[str, ...]
    figures: Mapping[str, Path] = attrs.Factory(dict)
    pictures: Mapping[str, bytes] = attrs.Factory(dict)

    def write(self, folder: Path) -> list[str]:
        """Write everything into a folder; returns the problems, broken links included."""
        rendered = {page.path: page.render(__version__) for page in self.pages}
        for path, content in {**rendered, **self.files}.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        copied = {asset.name: asset for asset in ASSETS.iterdir()} | dict(self.figures)
        for path, origin in copied.items():
            shutil.copyfile(origin, folder / path)
        for path, picture in self.pictures.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(picture)
        known = {*self.files, *copied, *self.pictures}
        return [*self.problems, *links.broken(rendered, known)]


def build(root: Path, on: Sequence[Device], run_examples: bool) -> Site:
    """The site of a checkout.

    Args:
        root: of the checkout.
        on: the providers to measure support on.
        run_examples: whether examples are run, so that what fails is among the problems.
    """
    entries = catalog.everything()
    specs = {entry.name: _spec(entry.name) for entry in entries}
    measured = support.measure(specs.values(), on)
    builtins = [
        Builtin(entry, block_of(specs[entry.name]), measured[entry.name]) for entry in entries
    ]
    homes = {name: catalog.page_of(b.entry.name) for b in builtins for name in b.entry.names}
    shown, pictures, undrawn = gallery.gallery(root)
    made = [
        *handbook(root),
        shown,
        pages.family_index(builtins),
        pages.alphabet(builtins),
        toolboxes.toolbox_page(homes),
        pages.support_page(builtins, on),
        *(pages.builtin_page(b, homes, on) for b in builtins),
    ]
    problems = [problem for b in builtins for problem in gaps(b, homes)]
    problems += [*same_file(made), *undrawn]
    if run_examples:
        problems += [problem for spec in specs.values() for problem in failures(spec)]
    images = {home: root / origin for origin, home in figures(root).items()}
    return Site(tuple(made), {"names.js": names(builtins, made)}, tuple(problems), images, pictures)


def _spec(name: str) -> BuiltinSpec:
    found = registry.find(name)
    assert found is not None, name
    return found


def figures(root: Path) -> dict[str, str]:
    """Where the images beside the handbook's files are on the site."""
    return {f"docs/{file.name}": f"guide/{file.name}" for file in (root / "docs").glob("*.png")}


def handbook(root: Path) -> Iterator[Page]:
    """The pages of Markdown files: the README, ``docs/`` and what stands beside them."""
    homes = dict(BESIDE)
    for file in sorted((root / "docs").glob("*.md")):
        homes[f"docs/{file.name}"] = f"guide/{file.stem}.html"
    found = []
    places = homes | figures(root)
    for origin, path in homes.items():
        source = (root / origin).read_text(encoding="utf-8")
        if not origin.endswith(".md"):
            source = f"# Licence\n\n```\n{source}\n```\n"
        found.append(markdown.page(source, path, origin, places))
    yield from found
    entries = "".join(
        f'<li><a href="{page.path.removeprefix("guide/")}">{page.title}</a></li>\n'
        for page in sorted(found, key=lambda page: page.title.lower())
        if page.path.startswith("guide/")
    )
    yield Page("guide/index.html", "Handbook", f"<h1>Handbook</h1>\n<ul>\n{entries}</ul>\n")


def names(builtins: Sequence[Builtin], made: Sequence[Page]) -> str:
    """What the search looks in: builtins with page and first line, and pages of the handbook."""
    found = [
        [name, b.path, b.block.summary.replace("``", ""), b.entry.family]
        for b in builtins
        for name in b.entry.names
    ]
    found += [
        [page.title, page.path, "handbook", ""]
        for page in made
        if page.path.startswith("guide/") and page.title != "Handbook"
    ]
    return f"window.RUNMAT_NAMES = {json.dumps(found, ensure_ascii=False)};\n"


# -- what is wrong ---------------------------------------------------------------------------------


def gaps(builtin: Builtin, homes: Mapping[str, str]) -> Iterator[str]:
    """What a help text lacks, and names in it that lead nowhere."""
    name = builtin.entry.name
    if not builtin.block.summary.endswith("."):
        yield f"{name}: the first line of the help is no sentence"
    if not builtin.block.examples:
        yield f"{name}: there is no example"
    for other in builtin.block.related:
        if other not in homes and other not in LANGUAGE:
            yield f"{name}: 'See also: {other}' leads nowhere"


def same_file(made: Sequence[Page]) -> Iterator[str]:
    """Pages that are one file where the case of letters does not count."""
    seen: dict[str, str] = {}
    for page in made:
        other = seen.setdefault(page.path.lower(), page.path)
        if other != page.path:
            yield f"{page.path} and {other} differ in the case of letters alone"


def failures(spec: BuiltinSpec) -> Iterator[str]:
    """The examples of a builtin that print something else."""
    with doctests.own_folder() as folder:
        session = Session(cwd=folder)
        for failure in doctests.run(spec.host.__doc__ or "", session):
            yield f"{spec.name}: an example prints something else\n{failure}"
