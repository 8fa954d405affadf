"""The programs of the cases run by themselves, with defaults and sizes from the environment."""

from __future__ import annotations

import math

import pytest
from runmat_bench.cases import CASES, PROGRAMS
from runmat_bench.implementations import metrics, numpy_cases

from runmat_core import MatlabError, Session
from tests.accel.test_cases import PARAMETERS


def result(case: str) -> tuple[float, ...]:
    with Session() as session:
        return metrics(session.capture_file(PROGRAMS / f"{case}.m"))


@pytest.mark.parametrize("case", CASES)
def test_sizes_come_from_the_environment(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**PARAMETERS[case], "class": "double"}.items():
        monkeypatch.setenv(f"{case}_{name}".upper(), str(value))
    expected = getattr(numpy_cases, case)(**PARAMETERS[case], cls="double")
    for got, value in zip(result(case), expected, strict=True):
        assert math.isclose(got, value, rel_tol=1e-8)


def test_every_parameter_has_a_default() -> None:
    for case, made in CASES.items():
        text = (PROGRAMS / f"{case}.m").read_text()
        names = [*made.sizes["smoke"][0], "cls", *(["source"] if made.draws else [])]
        for name in names:
            assert f"if ~exist('{name}', 'var'), {name} = given('" in text, (case, name)


def test_variables_that_are_there_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELEMENTWISE_N", "5")
    with Session() as session:
        session["n"] = 20000.0
        session["cls"] = "double"
        (got,) = metrics(session.capture_file(PROGRAMS / "elementwise.m"))
    assert math.isclose(got, *numpy_cases.elementwise(n=20000, cls="double"), rel_tol=1e-8)


@pytest.mark.parametrize("text", ["5x", "0", "-3", "2.5", "Inf", "NaN"])
def test_what_is_no_size_is_an_error(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMA_M", text)
    with pytest.raises(MatlabError, match="EMA_M must be a positive whole number"):
        result("ema")
