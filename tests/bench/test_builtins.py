"""The calls that are measured give what NumPy's and SciPy's calls give on the same data."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.builtins.__main__ import row_of
from benchmarks.builtins.cases import CASES, Case
from benchmarks.builtins.engines import Exchange, Runmat


@pytest.fixture(scope="module")
def runmat() -> Iterator[Runmat]:
    made = Runmat("none")
    yield made
    made.close()


@pytest.mark.sweep(20)
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_results_agree(runmat: Runmat, case: Case) -> None:
    with Exchange() as exchange:
        row = row_of(case, 2500, {"runmat": runmat}, exchange, 1)
    assert row["agrees"] == ({"numpy": True} if case.numpy is not None else {})
    assert row["runmat_s"] > 0
