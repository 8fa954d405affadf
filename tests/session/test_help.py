"""help, doc and lookfor: texts of builtins, packages, families and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core.builtins import catalog, registry
from runmat_core.session import Session
from runmat_core.session.config import load

SCRIPT = "\n% Adds up.\n%   More.\n\n% not this\nx = 1;\n"
FUNCTION = "function y = twice(x)\n% TWICE Double of X.\ny = 2*x;\nend\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "adds.m").write_text(SCRIPT)
    (tmp_path / "twice.m").write_text(FUNCTION)
    (tmp_path / "+box").mkdir()
    (tmp_path / "+box" / "twice.m").write_text(FUNCTION.replace("Double", "Boxed double"))
    return Session(cwd=str(tmp_path))


def test_files_have_their_first_comment(session: Session) -> None:
    assert session.capture("help adds") == " Adds up.\n   More.\n"
    assert session.capture("help twice").strip() == "TWICE Double of X."
    assert session.capture("doc twice").strip() == "TWICE Double of X."
    assert session.capture("help box.twice").strip() == "TWICE Boxed double of X."


def test_builtins_of_core_and_packages_have_their_texts(session: Session) -> None:
    for entry in (catalog.core()[0], catalog.installed()[0]):
        assert session.capture(f"help {entry.name}").startswith(f" {entry.name}  {entry.summary}\n")
        assert session.eval(f"help('{entry.name}')") == session.capture(f"help {entry.name}")
        assert session.capture(f"doc {entry.name}") == session.capture(f"help {entry.name}")


def test_operators_have_the_text_of_their_functions(session: Session) -> None:
    for sign, name in {"+": "plus", ".^": "power", "~": "not", "''''": "ctranspose"}.items():
        sign = sign if "'" in sign else f"'{sign}'"
        assert session.capture(f"help({sign})").startswith(f" {name}  ")


def test_families_are_listed_with_their_parts(session: Session) -> None:
    family = catalog.core()[0].family
    top = family.partition("/")[0]
    listed = session.capture(f"help {top}").splitlines()
    assert family in listed
    names = {line.split()[0] for line in listed if line.startswith("  ")}
    assert names == {e.name for e in catalog.everything() if f"{e.family}/".startswith(f"{top}/")}
    overview = session.capture("help")
    for entry in catalog.everything():
        assert all(part in overview for part in entry.family.split("/"))
    assert max(map(len, overview.splitlines())) <= 90


def test_what_is_not_there_is_told_with_what_may_be_meant(session: Session) -> None:
    assert session.capture("help lenght") == "lenght not found. Did you mean length?\n"
    assert session.capture("help qqqqqqqq") == "qqqqqqqq not found.\n"
    assert session.eval("help('qqqqqqqq')") == ""


def test_lookfor_searches_first_lines_or_everything(session: Session) -> None:
    entry = catalog.installed()[0]
    assert f"{entry.name} - {entry.summary}" in session.capture(f"lookfor('{entry.summary}')")
    spec = registry.find(entry.name)
    assert spec is not None
    inside = (spec.host.__doc__ or "").strip().splitlines()[2].strip()
    assert entry.name not in session.capture(f'lookfor("{inside}")')
    assert f"{entry.name} - " in session.capture(f'lookfor("{inside}", "-all")')


def test_which_names_the_package(session: Session) -> None:
    name = catalog.installed()[0].name
    package = catalog.installed()[0].package
    assert session.capture(f"which {name}").startswith(f"built-in ({name})  % {package} ")
    assert session.eval(f"which('{name}')") == f"built-in ({name})"
    assert session.capture("which sin") == "built-in (sin)\n"
    assert session.capture("which lenght") == "'lenght' not found. Did you mean length?\n"


def test_doc_finds_pages(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "builtins").mkdir(parents=True)
    (site / "index.html").write_text("")
    entry = next(e for e in catalog.core() if len(e.names) > 1)
    page = site / "builtins" / f"{entry.name}.html"
    page.write_text("")
    session = Session(config=load().replace(help__site=str(site)))
    assert session.capture(f"doc {entry.names[1]}") == f"{page}\n"
    assert session.capture("doc") == f"{site / 'index.html'}\n"
    assert session.capture("doc length") == session.capture("help length")
