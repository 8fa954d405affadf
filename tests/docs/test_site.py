"""The pages of the documentation: a strict build, and what is found wrong where something is."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from runmat_docs import blocks, links, markdown, site, support
from runmat_docs.layout import Page

from runmat_core.api import builtin
from runmat_core.builtins import catalog, registry
from runmat_core.cli.main import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_site_of_this_tree(tmp_path: Path) -> None:
    """A strict build, once: it takes half a minute, so that all that looks at it is one test."""
    built = tmp_path / "site"
    words = ["docs", "build", "--root", str(ROOT), "--output", str(built), "--strict"]
    assert main([*words, "--provider", "none"]) == 0
    every_builtin_has_a_page_with_its_help(built)
    indexes_and_search_have_every_name(built)
    the_handbook_is_there_with_the_readme_at_the_start(built)
    the_gallery_has_a_picture_of_every_program(built)
    pages_need_nothing_from_elsewhere(built)
    if shutil.which("node") is not None:
        the_search_puts_the_name_itself_first(built)


def inside(page: str) -> str:
    """The text between the tags of a page."""
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def every_builtin_has_a_page_with_its_help(built: Path) -> None:
    for entry in catalog.everything():
        spec = registry.find(entry.name)
        assert spec is not None
        page = inside((built / "builtins" / catalog.page_of(entry.name)).read_text())
        told = re.sub(r"\s+", "", page).replace("`", "")
        assert re.sub(r"\s+", "", entry.summary).replace("`", "") in told
        for example in blocks.block_of(spec).examples:
            assert re.sub(r"\s+", "", example.source).replace("`", "") in told
            assert re.sub(r"\s+", "", example.expected).replace("`", "") in told


def the_gallery_has_a_picture_of_every_program(built: Path) -> None:
    page = (built / "gallery.html").read_text()
    for program in (ROOT / "plugins" / "plot" / "gallery").glob("*.m"):
        assert f'src="gallery/{program.stem}.png"' in page
        assert (built / "gallery" / f"{program.stem}.png").read_bytes().startswith(b"\x89PNG")


def indexes_and_search_have_every_name(built: Path) -> None:
    families = (built / "builtins" / "index.html").read_text()
    alphabet = (built / "builtins" / "a-z.html").read_text()
    listed = json.loads((built / "names.js").read_text().partition(" = ")[2].rstrip(";\n"))
    for entry in catalog.everything():
        assert f'href="{catalog.page_of(entry.name)}"' in families
        assert all(f">{name}</a>" in alphabet for name in entry.names)
    found = [name for name, path, *_ in listed if path.startswith("builtins/")]
    assert found == [n for e in catalog.everything() for n in e.names]
    assert {path for _, path, *_ in listed} >= {"guide/loops.html", "guide/changelog.html"}


def the_handbook_is_there_with_the_readme_at_the_start(built: Path) -> None:
    assert "<h1" in (built / "index.html").read_text()
    listed = (built / "guide" / "index.html").read_text()
    for path in (ROOT / "docs").glob("*.md"):
        assert f'href="{path.stem}.html"' in listed


def pages_need_nothing_from_elsewhere(built: Path) -> None:
    for path in built.rglob("*.html"):
        loaded = re.findall(r'<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"', path.read_text())
        assert not [address for address in loaded if "//" in address]
    assert "url(" not in (built / "style.css").read_text()
    assert not re.search(r"https?://", (built / "search.js").read_text())


SEARCH = """
const elements = {};
function element() {
  const made = {listeners: {}, attributes: {}, children: [], hidden: true, value: "",
    addEventListener(kind, act) { made.listeners[kind] = act; },
    setAttribute(key, value) { made.attributes[key] = value; },
    removeAttribute(key) { delete made.attributes[key]; },
    append(...parts) { made.children.push(...parts); },
    replaceChildren(...parts) { made.children = parts; },
    querySelectorAll() { return made.children.filter((child) => child.attributes.role); },
    blur() {}, focus() {}};
  return made;
}
global.window = {};
global.document = {body: {dataset: {root: "../"}}, addEventListener() {}, createElement: element,
  getElementById: (id) => (elements[id] = elements[id] || element())};
require(process.argv[1]);
require(process.argv[2]);
elements.search.value = process.argv[3];
elements.search.listeners.input();
console.log(elements.found.querySelectorAll().map((row) => row.children[0].href).join("\\n"));
"""


def the_search_puts_the_name_itself_first(built: Path) -> None:
    def found(words: str) -> list[str]:
        files = [str(built / "names.js"), str(built / "search.js")]
        command = ["node", "-e", SEARCH, *files, words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    assert found("sum")[0] == "../builtins/sum.html"
    assert "../builtins/cumsum.html" in found("sum")
    assert found("stopwatch") == ["../builtins/tic.html", "../builtins/toc.html"]
    assert found("qqqqq") == []


# -- parts -----------------------------------------------------------------------------------------


@builtin("sample", "sampled", family="test", effects="pure")
def sample(x: float) -> float:
    """What it is.

    Y = sample(X, "a") and sampled(X)
    [Y, Z] = sample(F(X, (1)), …) gives both
    on two lines

    Words about ``x``.

      a table
      kept

    Examples:
        >> 1 + 1
        ans =
             3

    See also: nosuchname, for, sum.
    """
    return x


def test_help_texts_are_read_in_parts() -> None:
    block = blocks.block_of(sample.__runmat_builtin__)  # type: ignore[attr-defined]
    forms, words, lines = block.parts
    assert [(form.code, form.text) for form in forms.forms] == [
        ('Y = sample(X, "a") and sampled(X)', ""),
        ("[Y, Z] = sample(F(X, (1)), …)", "gives both on two lines"),
    ]
    assert (words.kind, words.text) == ("text", "Words about ``x``.")
    assert (lines.kind, lines.text) == ("lines", "a table\nkept")
    assert block.related == ("nosuchname", "for", "sum")
    assert (block.inputs, block.outputs) == ((1, 1), 1)


def test_what_is_wrong_with_a_builtin_is_found() -> None:
    spec = sample.__runmat_builtin__  # type: ignore[attr-defined]
    entry = catalog.entry_of(spec, "test")._replace(summary="none")
    block = blocks.block_of(spec)
    made = site.Builtin(entry, block, support.Support({}, {}))
    assert list(site.gaps(made, {"sum": "sum.html"})) == [
        "sample: 'See also: nosuchname' leads nowhere"
    ]
    (failure,) = site.failures(spec)
    assert failure.startswith("sample: an example prints something else")
    pages = [Page("builtins/a.html", "a", ""), Page("builtins/A.html", "A", "")]
    assert len(list(site.same_file(pages))) == 1


def test_links_lead_to_pages_or_are_told() -> None:
    homes = {"docs/one.md": "guide/one.html", "README.md": "index.html"}
    page = markdown.page("# T `x`\n[a](one.md#t-x)\n", "index.html", "README.md", homes)
    assert page.title == "T x"
    assert markdown.target("docs/one.md#p", "index.html", "README.md", homes) == "guide/one.html#p"
    assert markdown.target("../README.md", "guide/one.html", "docs/one.md", homes) == (
        "../index.html"
    )
    pages = {
        "index.html": '<a href="guide/one.html#there">x</a><a href="gone.html">x</a>',
        "guide/one.html": '<p id="there"></p><a href="#not">x</a><a href="../style.css">x</a>',
    }
    assert list(links.broken(pages, {"style.css"})) == [
        "index.html: the link 'gone.html' leads nowhere",
        "guide/one.html: the link '#not' leads to no place on that page",
    ]


def test_support_is_measured() -> None:
    specs = [spec for name in ("sin", "strtrim", "tic") if (spec := registry.find(name))]
    found = support.measure(specs, support.devices(["inprocess"]))
    assert {"double", "single", "complex"} <= found["sin"].calls.keys()
    assert "cell" not in found["sin"].calls
    assert "integer" not in found["sin"].calls
    assert found["sin"].computed == {"inprocess": ("double", "single", "logical")}
    assert {"char", "string", "cell"} == set(found["strtrim"].calls)
    assert not found["strtrim"].computed
    assert not found["tic"].calls


def test_other_folders_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious").write_text("")
    words = ["docs", "build", "--root", str(ROOT), "--output", str(tmp_path)]
    assert main([*words, "--provider", "none"]) == 2
    assert "holds something else" in capsys.readouterr().err
    assert main(["docs", "build", "--root", str(tmp_path)]) == 2


def test_the_readme_shows_what_its_code_draws() -> None:
    """The committed picture is what the ten lines beside it draw."""
    import io

    import numpy as np
    from PIL import Image
    from runmat_docs.gallery import readme_picture

    root = Path(__file__).resolve().parents[2]
    drawn, kept = (
        np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), float)
        for data in (readme_picture(root), (root / "docs" / "picture.png").read_bytes())
    )
    assert drawn.shape == kept.shape
    assert np.abs(drawn - kept).mean() < 3
