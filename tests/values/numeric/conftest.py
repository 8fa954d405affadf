"""Expressions in, plain Python out: class, size and elements in column-major order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.values import class_of, size_of, to_numpy

Described = tuple[str, tuple[int, ...], list[Any]]


def described(value: Any) -> Described:
    elements = to_numpy(value).ravel(order="F").tolist()
    return class_of(value), size_of(value), elements


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.fixture
def ev(session: Session) -> Callable[[str], Described]:
    """Run statements and describe the variable ``r`` that they set, or an expression's value."""

    def evaluate(code: str) -> Described:
        session.run("clear")
        session.run(code if "r =" in code else f"r = {code};")
        return described(session.interp.base().get("r"))

    return evaluate
