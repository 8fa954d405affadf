"""Programs that solve differential equations, and what they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session
from runmat_core.values import to_numpy


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.fixture
def numbers(session: Session) -> Callable[[str, str], Any]:
    """The array that a variable holds after some statements."""

    def value(code: str, name: str) -> Any:
        session.run("clear")
        session.run(code)
        return to_numpy(session.interp.base().get(name))

    return value


@pytest.fixture
def fails(session: Session) -> Callable[[str], str]:
    """The identifier of the error that code raises."""

    def identifier(code: str) -> str:
        with pytest.raises(MatlabError) as raised:
            session.run(code)
        return raised.value.identifier

    return identifier
