"""``runmat builtins``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from runmat_core.builtins import catalog, registry
from runmat_core.cli.main import main


def test_every_name_is_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["builtins", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["schema"] == "runmat-builtins/1"
    names = [name for b in listed["builtins"] for name in (b["name"], *b["aliases"])]
    assert sorted(names) == registry.names()
    for entry in listed["builtins"]:
        assert entry["acceleration"] in listed["acceleration"]
        assert entry["summary"].endswith(".")
        assert entry["family"]
        assert entry["package"]


def test_families_and_names_narrow_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    family = catalog.core()[0].family
    top = family.partition("/")[0]
    assert main(["builtins", "--family", top, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["builtins"]
    assert {b["family"].partition("/")[0] for b in listed} == {top}
    (entry, *_) = catalog.installed()
    assert main(["builtins", entry.name]) == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading == f"{entry.family}, from {entry.package}"
    assert line.split(maxsplit=2) == [entry.name, entry.acceleration, entry.summary]


def test_aliases_find_their_builtin(capsys: pytest.CaptureFixture[str]) -> None:
    entry = next(e for e in catalog.core() if len(e.names) > 1)
    assert main(["builtins", entry.names[1]]) == 0
    assert capsys.readouterr().out.split()[1] == entry.name


def test_unknown_names_and_families_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["builtins", "lenght"]) == 1
    assert "no builtin 'lenght'. Did you mean length?" in capsys.readouterr().err
    assert main(["builtins", "--family", "nosuch"]) == 1
    assert "no family 'nosuch'; there are " in capsys.readouterr().err


def test_families_of_packages_that_are_not_installed_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "installed", list)
    (first, *_) = catalog.offered()
    assert main(["builtins", "--family", first.family]) == 1
    assert f"is in {first.package}: pip install {first.package}" in capsys.readouterr().err


def test_the_core_is_listed_without_importing_its_builtins() -> None:
    probe = (
        "import sys; from runmat_core.builtins import catalog; n = len(catalog.core());"
        "print(n > 100, sum(m.startswith('runmat_core.builtins.') for m in sys.modules) < 10)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]
