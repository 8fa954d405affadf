"""The builtins that classes overload are those that their adapters ask about."""

from __future__ import annotations

from runmat_core import Session
from runmat_core.builtins import overloads, registry


def test_names_are_those_of_the_overloads() -> None:
    found = {name for cls in overloads.MODULES for name in overloads.table(cls)}
    assert found == overloads.NAMES


def test_every_overloaded_name_is_a_builtin() -> None:
    assert [name for name in sorted(overloads.NAMES) if registry.find(name) is None] == []


def test_numbers_do_not_meet_overloads(session: Session) -> None:
    assert session.eval("sum([1 2 3])") == 6
    assert session.eval("max(3, 4)") == 4
