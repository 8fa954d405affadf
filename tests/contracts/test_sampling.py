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

@pytest.mark.parametrize("x", range(4))
@pytest.mark.parametrize("provider", ["host", "device"])
def test_on_providers(x, provider): pass
"""


def test_what_runs(tmp_path: Path) -> None:
    path = tmp_path / "test_made.py"
    path.write_text(FILE)
    items: list[pytest.Item] = []
    watch = SimpleNamespace(pytest_collection_finish=lambda session: items.extend(session.items))
    settings = str(Path(sampling.__file__).parents[1] / "pyproject.toml")
    plain = ["-q", "--co", "-p", "no:xdist", "-p", "tests.conftest", "--runslow", "-c", settings]
    assert pytest.main([*plain, f"--rootdir={tmp_path}", str(path)], plugins=[watch]) == 0

    def count(*options: str, args: tuple[str, ...] = ()) -> int:
        chosen = SimpleNamespace(args=[*args], getoption=lambda name: name in options)
        left = [*items]
        sampling.select(left, chosen)  # type: ignore[arg-type]
        return len(left)

    assert count("--runslow") == len(items) == 25
    assert count() == 2 + 1 + 3 + 1 + 4
    assert count("--quick") == 2 + 2 + 1 + 2
    assert count(args=("test_made.py::test_long",)) == 25  # pytest leaves what is named
