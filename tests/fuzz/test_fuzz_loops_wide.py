"""Loops drawn from all that a loop may hold leave the same behind, captured or not.

Loops are in scripts, or in functions that are called thrice, so that traces are used again.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.accel.loops import Outcome, same
from tests.fuzz.loops import FUNCTIONS, NAMES, SETUP, Wide

PROVIDERS = ("inprocess", "null", "none")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("functions")
    for name, text in FUNCTIONS.items():
        (made / f"{name}.m").write_text(text)
    return made


def check(rng: random.Random, provider: str, folder: Path) -> int:
    """How many loops of a program were captured."""
    drawn = Wide(rng)
    seed, text = rng.randint(0, 999), drawn.text
    if rng.random() < 0.5:
        # a name of its own, as files are known by their times
        name = f"whole{len(list(folder.iterdir()))}"
        (folder / f"{name}.m").write_text(drawn.function(name))
        names = ", ".join(NAMES.split())
        text = f"[{names}] = {name}({names});\n" * 3
    text += "\nq1 = rand(2,2); X = gather(X); w0 = lastwarn;"
    setup = SETUP.format(seed=seed, folder=folder)
    found = Outcome(text, provider, True, setup)
    expected = Outcome(text, provider, False, setup)
    found.close()
    expected.close()
    try:
        same(found, expected, exact=False)
    except AssertionError as problem:
        where = f"{provider}, seed {seed}, {'a script' if text == drawn.text else 'a function'}"
        raise AssertionError(f"{where}:\n{drawn.text}\n{problem}") from None
    return found.captured


@pytest.mark.parametrize("provider", PROVIDERS)
def test_with_and_without_capture(provider: str, folder: Path) -> None:
    captured = sum([check(random.Random(seed), provider, folder) > 0 for seed in range(15)])
    # or it would be a test of ordinary loops
    assert captured >= 3 or provider == "none"


def test_on_an_adapter(folder: Path) -> None:
    assert sum([check(random.Random(seed), "wgpu", folder) > 0 for seed in range(3)])


@pytest.mark.slow
@pytest.mark.parametrize("provider", [*PROVIDERS, "wgpu"])
def test_many(provider: str, folder: Path) -> None:
    @settings(
        max_examples=60 if provider == "wgpu" else 600,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def drawn(rng: random.Random) -> None:
        check(rng, provider, folder)

    drawn()
