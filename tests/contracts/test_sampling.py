"""Samples of sweeps: every value is there, the same cases each time, and named tests run."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import sampling

CODES, CLASSES, PROVIDERS = [f"f{k}(x)" for k in range(40)], ["double", "single"], list("abc")


def cases() -> list[Any]:
    return [
        SimpleNamespace(
            nodeid=f"t.py::test[{code}-{cls}-{provider}]",
            callspec=SimpleNamespace(params={"code": code, "cls": cls, "provider": provider}),
        )
        for code, cls, provider in product(CODES, CLASSES, PROVIDERS)
    ]


def test_a_sample_has_every_value_and_few_more_cases() -> None:
    found = sampling.sample(cases())
    for name, values in (("code", CODES), ("cls", CLASSES), ("provider", PROVIDERS)):
        assert {case.callspec.params[name] for case in found} == {*values}
    assert len(found) == len(CODES)
    assert [c.nodeid for c in found] == [c.nodeid for c in sampling.sample(reversed(cases()))]
    assert len(sampling.sample(cases(), 5)) == 5
    assert len(sampling.sample(cases(), 100)) == 100


FILE = """
import pytest

@pytest.mark.sweep(2)
@pytest.mark.parametrize("x", range(9))
def test_many(x): pass

@pytest.mark.sweep(1, where="device")
@pytest.mark.parametrize("x", range(3))
@pytest.mark.parametrize("where", ["device", "host"])
def test_on_devices(x, where): pass

@pytest.mark.slow
def test_long(): pass

def test_one(): pass
"""


@pytest.mark.parametrize(
    ("name", "options", "count"),
    [("", [], 7), ("", ["--runslow"], 17), ("::test_long", [], 1), ("::test_many[3]", [], 1)],
)
def test_what_runs(name: str, options: list[str], count: int, tmp_path: Path) -> None:
    path = tmp_path / "test_made.py"
    path.write_text(FILE)
    found: list[pytest.Item] = []
    watch = SimpleNamespace(pytest_collection_finish=lambda session: found.extend(session.items))
    settings = Path(sampling.__file__).parents[1] / "pyproject.toml"
    plain = ["-q", "--co", "-p", "no:xdist", "-p", "tests.conftest", "-c", str(settings)]
    chosen = [f"{path}{name}", f"--rootdir={tmp_path}"]
    assert pytest.main([*plain, *options, *chosen], plugins=[watch]) == 0
    assert len(found) == count
