"""Array programs on a device that counts: what a second run asks of it, and how much it moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from benchmarks.arrays.cases import Case, named
from runmat_core.api.device import Launch, Repeat
from tests.accel import loops
from tests.accel.machine import recorder


class Counts(NamedTuple):
    """What one run does.

    Attributes:
        executes: requests that run something; downloads: waits for elements of arrays.
        bytes_moved: in both directions; plans: made in the run; by_rules: steps of host rules.
    """

    executes: int
    downloads: int
    bytes_moved: int
    plans: int
    by_rules: int


#: At most this is done for each program: numbers only fall.
MOST = {
    "diffusion": Counts(1, 1, 336, 1, 0),
    "escape": Counts(1, 1, 700, 1, 0),
    "lattice": Counts(2, 1, 404, 2, 0),
    "particles": Counts(2, 2, 100, 1, 0),
    "gradients": Counts(13, 23, 6_100, 12, 0),
    "forces": Counts(1, 1, 500, 1, 0),
    "options": Counts(1, 1, 12, 1, 0),
    "automaton": Counts(2, 2, 1_500, 1, 0),
    "clusters": Counts(1, 1, 100, 1, 0),
    "network": Counts(1, 1, 16, 1, 0),
    "reaction": Counts(1, 1, 332, 1, 0),
    "filtering": Counts(1, 1, 13_200, 1, 0),
}


@pytest.mark.parametrize("case", named([], "looked_at"), ids=lambda case: case.name)
def test_what_a_program_asks_of_a_device(case: Case) -> None:
    made = loops.session("null")
    n, steps = case.sizes["test"]
    text = f"rng(0); r = {case.name}({n}, {steps}, 'single');"
    made.run(f"cd('{case.folder}')")
    made.run(text)
    telemetry = made.telemetry
    assert telemetry is not None
    assert made["r"] is not None  # asks for the numbers
    requests = recorder(made.interp.seat.engine).requests
    requests.clear()
    telemetry.clear()
    plans = telemetry.totals()["session"]["plans_made"]
    made.run(text)
    assert made["r"] is not None
    totals = telemetry.totals()
    asked = Counter(hook for hook, _ in requests)
    found = Counts(
        asked["execute"],
        asked["download"],
        totals["upload_bytes"] + totals["download_bytes"],
        totals["session"]["plans_made"] - plans,
        totals["by_rules"],
    )
    print(case.name, found)
    most = MOST[case.name]
    assert all(one <= limit for one, limit in zip(found, most, strict=True)), (found, most)


def launches(steps: Sequence[Any]) -> Iterator[Launch]:
    for step in steps:
        if isinstance(step, Repeat):
            yield from launches(step.steps)
        elif isinstance(step, Launch):
            yield step


@pytest.mark.parametrize("case", named([], "looked_at"), ids=lambda case: case.name)
def test_units_are_compiled_for_the_launches_that_they_have(case: Case) -> None:
    made = loops.session("null")
    made.run(f"cd('{case.folder}')")
    made.run("x = rand(50); y = x + 1; disp(y(1))")
    requests = recorder(made.interp.seat.engine).requests  # type: ignore[union-attr]
    requests.clear()
    n, steps = case.sizes["test"]
    made.run(f"rng(0); r = {case.name}({n}, {steps}, 'single');")
    assert made["r"] is not None
    announced: list[Any] = []
    had = set()
    for hook, request in requests:
        if hook == "compile":
            announced += zip(request.units, request.launches, strict=True)
        elif hook == "execute":
            had |= {(one.executable.unit, one.extents) for one in launches(request.steps)}
    assert announced
    assert [unit.name for unit, (extents, _) in announced if (unit, extents) not in had] == []
