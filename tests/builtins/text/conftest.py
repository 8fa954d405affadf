"""A session shared by the tables of expressions in this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session()
    made.run(f"cd('{tmp_path}')")
    return made


@pytest.fixture
def same(session: Session) -> Callable[[str, str], None]:
    """Assert that two MATLAB expressions give values of one class, size and content."""

    def check(expression: str, expected: str) -> None:
        session.run(f"a_ = {expression};\nb_ = {expected};")
        session.run(
            "ok_ = strcmp(class(a_), class(b_)) && isequal(size(a_), size(b_)) && isequaln(a_, b_);"
        )
        if session["ok_"] is not True:
            session.run("t_ = evalc('a_, b_');")
            pytest.fail(f"{expression} is not {expected}:\n{session['t_']}")

    return check


@pytest.fixture
def failing(session: Session) -> Callable[[str, str], None]:
    """Assert that a statement raises an error with an identifier."""

    def check(statement: str, identifier: str) -> None:
        with pytest.raises(MatlabError) as caught:
            session.run(statement)
        assert caught.value.identifier == identifier

    return check
