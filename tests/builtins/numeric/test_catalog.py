"""What is told of builtins without importing them is what their marks say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runmat_core.accel import packages
from runmat_core.api import MatlabError
from runmat_core.builtins import catalog, index, registry, toolboxes
from runmat_core.session import Session
from runmat_core.session.config import load
from runmat_core.values.deferred import Deferred

SOURCE = """
from runmat_core.api.fusion import Reduction as Fused, Scan
HELD = Scan(print)

@builtin("first", "alias", family="x/y", fusion=Fused(print))
def first():
    '''What it is.

    More.
    '''

@builtin("second", family="x", fusion=HELD)
def second(): ...

@builtin("third", family="x", fusion=lambda x: x)
def third(): ...

@builtin("fourth", family="x", gpu=Call("sort", print))
def fourth(): ...

@builtin("fifth", family="x", pending="view")
def fifth(): ...

@builtin("sixth", family="x", captures="generator")
def sixth(): ...

@builtin("seventh", family="x")
def seventh(): ...
"""


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if no package with builtins were installed."""
    monkeypatch.setattr(packages, "points", lambda *_: iter(()))
    monkeypatch.setattr(registry, "_specs", dict(registry._specs))
    for name in registry.offers():
        registry._specs.pop(name, None)
    registry._plugins.cache_clear()
    yield
    registry._plugins.cache_clear()


def test_the_text_of_marks_says_what_the_marks_say() -> None:
    told = {entry.name: entry for entry in catalog.core()}
    specs = {}
    for name in told:
        spec = registry.find(name)
        assert spec is not None, name
        specs[name] = catalog.entry_of(spec, catalog.CORE)
    assert told == specs
    assert {alias for entry in told.values() for alias in entry.names} == set(index.load())


def test_the_plugins_of_this_tree_are_known_whether_installed_or_not() -> None:
    ours = {entry.package for entry in catalog.offered()}
    assert ours
    assert catalog.offered() == [e for e in catalog.installed() if e.package in ours]


def test_forms_of_marks_are_read(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text(SOURCE)
    found = {read["names"][0]: read for read in catalog.read_marks(path)}
    assert found["first"] == {
        "names": ["first", "alias"],
        "line": 5,
        "family": "x/y",
        "summary": "What it is.",
        "acceleration": "reduction",
    }
    kinds = [read["acceleration"] for read in found.values()]
    assert kinds == "reduction scan map call composition generator host".split()
    assert set(kinds) <= catalog.ACCELERATION.keys()


def test_what_is_kept_follows_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "ROOT", tmp_path)
    monkeypatch.setattr(catalog, "CATALOG_FILE", tmp_path / "_catalog.json")
    (tmp_path / "one.py").write_text(SOURCE)
    assert len(catalog.core()) == 7
    (tmp_path / "one.py").write_text(SOURCE.replace('"second"', '"new_name"'))
    assert "new_name" in {entry.name for entry in catalog.core()}
    (tmp_path / "one.py").unlink()
    assert catalog.core() == []


@pytest.mark.parametrize(
    "entry",
    [e for e in catalog.core() if e.acceleration in ("generator", "operator")],
    ids=lambda entry: entry.name,
)
def test_host_rules_put_off_what_they_say_they_do(entry: catalog.Entry) -> None:
    # some of them do so for a device alone
    assert _put_off(entry, "inprocess") or _put_off(entry, "null")


def _put_off(entry: catalog.Entry, provider: str) -> int:
    """Count the calls of a builtin whose results are pending."""
    session = Session(config=load().replace(accel__threshold=1, accel__provider=provider))
    sizes = ["(3, 4)", "(1, 9, 9)"]
    arrays = ["(A)", "(A, A)", "(A, 2)", "(2, A)", "(1, A, A)"]
    put_off = 0
    for arguments in sizes if entry.acceleration == "generator" else arrays:
        session.run(
            f"A = 2 * eye(4); clear r\ntry\n r = {entry.name}{arguments};\ncatch\n r = [];\nend"
        )
        value = session.interp.base().get("r")
        put_off += value.__class__ is Deferred
    return put_off


def of_toolboxes() -> Iterator[catalog.Entry]:
    """What packages offer that stand for a toolbox; others offer functions of MATLAB itself."""
    packages = set(catalog.packages_of_toolboxes().values())
    return (entry for entry in catalog.offered() if entry.package in packages)


@pytest.mark.usefixtures("no_packages")
def test_a_missing_name_is_told_to_be_in_a_package() -> None:
    first = next(of_toolboxes())
    assert registry.find(first.name) is None
    hint = registry.hint_for(first.name)
    which = toolboxes.belongs(first.name)
    assert hint == f"{which}; pip install {first.package} brings it."
    name = next(e.name for e in of_toolboxes() if len(e.name) > 7)
    near = registry.hint_for(name[:-1] + "_")
    assert f"pip install {catalog.package_offering(name)}" in near
    assert registry.hint_for("nothing_like_any_name") == ""


def test_names_of_toolboxes_are_listed_once_and_what_is_here_is_among_them() -> None:
    listed = toolboxes.names()
    assert all(len(names) == len(set(names)) for names in listed.values())
    assert len(set().union(*listed.values())) > 3000
    for toolbox, package in catalog.packages_of_toolboxes().items():
        mine = {n for e in catalog.offered() if e.package == package for n in e.names}
        assert mine & set(listed[toolbox])
    unlisted = {n for e in of_toolboxes() for n in e.names} - set().union(*listed.values())
    assert not unlisted, "add these to toolboxes.txt"


def test_a_name_of_a_toolbox_is_told_to_be_of_it() -> None:
    homes = {"Statistics and Machine Learning Toolbox": "runmat-stats"}
    listed = toolboxes.absence("fitglm", homes)
    assert listed == (
        "'fitglm' is a function of Statistics and Machine Learning Toolbox; "
        "runmat-stats does not have it yet."
    )
    assert toolboxes.absence("comm", {}) == (
        "'comm' is a function of Communications Toolbox; no package of runmat has it."
    )
    assert toolboxes.absence("nothing_like_any_name", homes) == ""


def test_the_list_of_toolboxes_is_read_for_undefined_names_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads: list[int] = []
    names = toolboxes.names

    def counted() -> dict[str, list[str]]:
        reads.append(1)
        return names()

    monkeypatch.setattr(toolboxes, "names", counted)
    session = Session()
    session.run("x = sum(magic(4), 'all'); try, error('a:b', 'c'), catch, end")
    assert not reads
    with pytest.raises(MatlabError) as raised:
        session.run("wavefun('db4')")
    assert raised.value.message == "Unrecognized function or variable 'wavefun'."
    assert "Wavelet Toolbox" in raised.value.hint
    assert reads


@pytest.mark.usefixtures("no_packages")
def test_the_error_of_such_a_name_says_so() -> None:
    first = next(of_toolboxes())
    session = Session()
    with pytest.raises(MatlabError) as raised:
        session.run(f"y = {first.name}(3);")
    assert f"pip install {first.package}" in session.report(raised.value)


def test_a_package_that_is_older_is_to_be_upgraded(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *rest = of_toolboxes()
    assert any(other.package == first.package for other in rest)
    kept = {name: o for name, o in registry.offers().items() if name not in first.names}
    monkeypatch.setattr(registry._plugins(), "loaded", kept)
    hint = registry.hint_for(first.name)
    assert hint.endswith(f"; pip install --upgrade {first.package} brings it.")


def test_a_package_that_is_broken_is_not_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(of_toolboxes())
    broken = f"The package '{first.package} 0.1.0' offers builtins that cannot be loaded: x"
    monkeypatch.setattr(registry._plugins(), "broken", [broken])
    assert "pip install" not in registry.hint_for(first.name)
    assert broken in registry.hint_for(first.name)
