"""What every benchmark case costs on a wgpu adapter, the software one too: kernels, calls, bytes.

The numbers are those of the sizes in `test_cases`; one that grows is a fusion or a residency lost.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.accel.everywhere import adapter
from tests.accel.test_cases import run, session


class Cost(NamedTuple):
    """Kernels, library calls, and bytes sent, brought back and written by kernels."""

    kernels: int
    calls: int
    sent: int
    brought: int
    written: int


#: In single precision, by case and where its numbers come from.
COSTS = {
    ("pca", "rng"): Cost(4, 7, 768, 72, 70240),
    ("pca", "lcg"): Cost(4, 7, 115968, 72, 70240),
    ("image4k", "rng"): Cost(2, 0, 0, 4, 36),
    ("image4k", "lcg"): Cost(3, 0, 32, 4, 82980),
    ("montecarlo", "rng"): Cost(3, 0, 0, 4, 40004),
    ("montecarlo", "lcg"): Cost(3, 0, 0, 4, 40004),
    ("nlms", "rng"): Cost(4, 0, 0, 4, 9220),
    ("nlms", "lcg"): Cost(4, 0, 8832, 4, 9220),
    ("iir", "rng"): Cost(3, 0, 0, 4, 16004),
    ("iir", "lcg"): Cost(3, 0, 0, 4, 16004),
    ("held", "rng"): Cost(3, 0, 0, 4, 24004),
    ("held", "lcg"): Cost(3, 0, 0, 4, 32004),
    ("elementwise", ""): Cost(1, 0, 0, 4, 4),
    ("ema", ""): Cost(3, 0, 0, 4, 32004),
}
#: Cases that run in double precision as well, which adapters emulate or lack.
DOUBLE = [("pca", "rng"), ("montecarlo", "rng"), ("elementwise", "")]


def measured(case: str, source: str, cls: str) -> Cost:
    adapter()
    made = session("wgpu", RUNMAT_ACCEL_OFFLOAD_FORCE="device", RUNMAT_ACCEL_FALLBACK="none")
    telemetry = made.telemetry
    assert telemetry is not None
    run(made, case, cls, **({"source": source} if source else {}))
    totals = telemetry.totals()
    (answer,) = telemetry.providers().values()
    assert totals["by_rules"] == 0
    assert dict(answer.counters)["invalid_shaders"] == 0
    moved = totals["upload_bytes"], totals["download_bytes"], totals["written_bytes"]
    return Cost(totals["kernels"], totals["calls"], *moved)


def check(found: Cost, expected: Cost) -> None:
    """Fail where something was lost; small constants may be there from calls of earlier tests."""
    assert found.sent <= expected.sent
    assert found == expected._replace(sent=found.sent)


@pytest.mark.parametrize(("case", "source"), COSTS)
def test_costs(case: str, source: str) -> None:
    check(measured(case, source, "single"), COSTS[case, source])


@pytest.mark.parametrize(("case", "source"), DOUBLE)
def test_doubles_take_twice_the_bytes(case: str, source: str) -> None:
    kernels, calls, *moved = COSTS[case, source]
    doubled = Cost(kernels, calls, *[2 * n for n in moved])
    check(measured(case, source, "double"), doubled)
