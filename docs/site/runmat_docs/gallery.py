"""The gallery: programs that draw, beside their pictures."""

from __future__ import annotations

import html
import tempfile
from collections.abc import Mapping
from pathlib import Path

from runmat_core.api import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session
from runmat_docs.layout import Page

#: Where the programs lie in a checkout.
PROGRAMS = "plugins/plot/gallery"


def gallery(root: Path) -> tuple[Page, dict[str, bytes], list[str]]:
    """The page of the gallery, its pictures by their paths on the site, and programs that fail.

    It is empty where no installed package draws.
    """
    programs = sorted((root / PROGRAMS).glob("*.m"))
    if registry.find("print") is None or not registry.package_of("print"):
        programs = []
    pictures: dict[str, bytes] = {}
    problems = []
    for program in programs:
        try:
            pictures[f"gallery/{program.stem}.png"] = drawn(program)
        except MatlabError as error:
            problems.append(f"{program.name}: {error.message}")
    return Page("gallery.html", "Gallery", _body(programs, pictures)), pictures, problems


def drawn(program: Path) -> bytes:
    """The picture that a program draws, as a PNG file."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(cwd=folder, stdout=len)
        session.run(f"run('{program}'); print('-dpng', '-r72', 'picture.png');")
        return (Path(folder) / "picture.png").read_bytes()


def readme_picture(root: Path) -> bytes:
    """Return the PNG file that the MATLAB code on the README's first screen prints."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    code = readme.partition("```matlab\n")[2].partition("```")[0]
    with tempfile.TemporaryDirectory() as folder:
        Session(cwd=folder, stdout=len).run(code)
        return (Path(folder) / "picture.png").read_bytes()


def _body(programs: list[Path], pictures: Mapping[str, bytes]) -> str:
    figures = "".join(
        f'<figure id="{program.stem}">\n<img src="gallery/{program.stem}.png" loading="lazy" '
        f'alt="What {program.name} draws">\n<figcaption><pre><code>'
        f"{html.escape(program.read_text(encoding='utf-8').strip())}</code></pre></figcaption>\n"
        "</figure>\n"
        for program in programs
        if f"gallery/{program.stem}.png" in pictures
    )
    return f"<h1>Gallery</h1>\n{figures}"


if __name__ == "__main__":
    # writes the committed picture anew: python -m runmat_docs.gallery
    Path("docs/picture.png").write_bytes(readme_picture(Path()))
