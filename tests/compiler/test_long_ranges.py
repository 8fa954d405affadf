"""Loops over ranges that could not be made: elements come as the loop asks for them."""

from __future__ import annotations

import signal
import tracemalloc

import pytest

from runmat_core import Session
from runmat_core.values import range_of, to_numpy
from runmat_core.values.colon import colon
from tests.compiler.conftest import Run

#: The head of a loop that is left in its seventh trip, and its variable then.
LONG = {
    "1:1e12": "double 7",
    "1:flintmax": "double 7",
    "1:1e300": "double 7",
    "1:Inf": "double 7",
    "0:2:Inf": "double 12",
    "3:-1:-Inf": "double -3",
    "-1:-1:-flintmax": "double -7",
    "-flintmax:flintmax": "double -9007199254740986",
    "0.5:1e13": "double 6.5",
    "0:0.25:Inf": "double 1.5",
    "1:-0.5:-1e15": "double -2",
    "single(1):1e20": "single 7",
    "single(0):0.5:1e9": "single 3",
    "int8(1):100": "int8 7",
    "int64(1):intmax('int64')": "int64 7",
    "uint64(1):3:1e18": "uint64 19",
    "(1:1e12)": "double 7",
}


@pytest.mark.parametrize("head", LONG)
def test_the_range_of_a_loop_is_never_made(head: str, run: Run) -> None:
    code = f"n = 0;\nfor t = {head}\n n = n + 1;\n if n == 7, break, end\nend\n"
    tracemalloc.start()
    try:
        assert run(f"{code}fprintf('%s %.17g', class(t), t)") == LONG[head]
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["1:1e16", "1:Inf", "int64(1):intmax('int64')", "0:0.5:Inf"])
def test_elsewhere_it_is_too_large(name: str, failure: Run) -> None:
    assert failure(f"x = {name};").startswith("MATLAB:array:SizeLimitExceeded|")


@pytest.mark.parametrize(
    ("head", "identifier"),
    [
        ("-Inf:3", "MATLAB:array:SizeLimitExceeded"),
        ("1.5:int8(3)", "MATLAB:colon:nonIntegerOperand"),
        ("int8(1):int16(3)", "MATLAB:mixedClasses"),
    ],
)
def test_errors_stay(head: str, identifier: str, failure: Run) -> None:
    code = f"x = {head};"
    assert failure(f"for t = {head}, end") == failure(code)
    assert failure(code).partition("|")[0] == identifier


RANGES = [
    (0.0, 0.1, 1.0),
    (0.0, 0.1, 500.05),
    (1.0, -0.3, -700.0),
    (0.5, 1.0, 2000.0),
    (1e15, 0.5, 1e15 + 900),
    (2.0, 1.0, 2.4),
]


@pytest.mark.parametrize("bounds", RANGES)
def test_elements_are_those_of_the_row(bounds: tuple[float, float, float]) -> None:
    found = range_of(*bounds)
    assert found is not None
    assert [*found.elements()] == to_numpy(colon(*bounds)).ravel().tolist()


@pytest.mark.parametrize("head", ["5:1", "int8(5):1", "single(5):1", "1:NaN", "1:0:5", "0.5:0"])
def test_without_a_trip_the_variable_is_the_empty_row(head: str, run: Run) -> None:
    shown = "fprintf('%s %d %d', class(t), size(t))"
    assert run(f"for t = {head}, end, {shown}") == run(f"t = {head}; {shown}")


def test_an_interrupt_ends_a_loop_that_never_would() -> None:
    made = Session()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    former = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            made.run("n = 0; for t = 1:flintmax, n = n + 1; end")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, former)
    assert made["n"] > 0
