"""Programs in MATLAB that compute a value, compared with what they should give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session
from runmat_core.values import class_of, isequal, size_of, to_numpy


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.fixture
def evaluate(session: Session) -> Callable[[str], Any]:
    """The value of an expression; statements may go before the last semicolon."""

    def value(code: str) -> Any:
        *before, last = code.split(";;")
        session.run("clear")
        session.run(";".join(before) + ";" if before else "")
        session.run(f"result_ = {last.strip()};")
        return session.interp.base().get("result_")

    return value


@pytest.fixture
def same(evaluate: Callable[[str], Any]) -> Callable[[str, str], None]:
    """Two expressions have one value: class, size and elements, NaN equal to NaN."""

    def check(code: str, expected: str) -> None:
        actual, wanted = evaluate(code), evaluate(expected)
        shown = f"{code} gives\n{actual!r}"
        assert class_of(actual) == class_of(wanted), shown
        assert size_of(actual) == size_of(wanted), shown
        assert isequal(actual, wanted, nan_equal=True), shown

    return check


@pytest.fixture
def close(evaluate: Callable[[str], Any]) -> Callable[[str, str], None]:
    """Two expressions have one size and values that differ by rounding alone."""

    def check(code: str, expected: str) -> None:
        actual, wanted = to_numpy(evaluate(code)), to_numpy(evaluate(expected))
        assert actual.shape == wanted.shape
        np.testing.assert_allclose(actual, wanted, rtol=1e-12, atol=1e-13)

    return check


@pytest.fixture
def fails(session: Session) -> Callable[[str], str]:
    """The identifier of the error that code raises."""

    def identifier(code: str) -> str:
        with pytest.raises(MatlabError) as raised:
            session.run(code)
        return raised.value.identifier

    return identifier
