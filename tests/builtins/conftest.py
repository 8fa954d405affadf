"""A session, and tables of expressions that are held against it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session
from runmat_core.values import class_of, isequal, size_of


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(cwd=tmp_path)


@pytest.fixture
def same(session: Session) -> Callable[[str, str], None]:
    """Assert that two MATLAB expressions give values of one class, size and content."""

    def check(expression: str, expected: str) -> None:
        found = session.interp.evaluate_text(expression, 1)
        wanted = session.interp.evaluate_text(expected, 1)
        assert class_of(found) == class_of(wanted), repr(found)
        assert size_of(found) == size_of(wanted), repr(found)
        assert isequal(found, wanted, nan_equal=True), repr(found)

    return check


@pytest.fixture
def failing(session: Session) -> Callable[[str, str], None]:
    """Assert that a statement raises an error with an identifier."""

    def check(statement: str, identifier: str) -> None:
        with pytest.raises(MatlabError) as caught:
            session.run(statement)
        assert caught.value.identifier == identifier

    return check
