"""Runtime objects with properties and methods."""

from __future__ import annotations

from typing import Any

import pytest

from runmat_core.api import MatlabError
from runmat_core.values import HandleObject, ObjectValue, assign_path, field, index, share
from runmat_core.values.object import method


class Counter(HandleObject):
    """A handle class whose only property can be set."""

    __slots__ = ()
    class_name = "Counter"
    properties = ("Count",)

    def __init__(self) -> None:
        self.data = {"Count": 0.0}

    def set_property(self, name: str, rhs: Any) -> None:
        self.data[name] = rhs

    @method("add", "plus")
    def add(self, nargout: int, amount: float = 1.0) -> Counter:
        self.data["Count"] += amount
        return self


class Point(ObjectValue):
    """A value class that is read-only."""

    __slots__ = ()
    class_name = "Point"
    properties = ("X",)

    def __init__(self) -> None:
        self.data = {"X": 2.0}


def test_handles_are_one_object() -> None:
    first = Counter()
    second = share(first)
    assign_path(second, ((".", "Count"),), 5.0)
    assert field(first, "Count") == 5.0


def test_methods_are_found_by_their_names() -> None:
    counter = Counter()
    for name in ("add", "plus"):
        call = counter.method(name)
        assert call is not None
        call(1, 2.0)
    assert field(counter, "Count") == 4.0
    assert counter.method("subtract") is None
    assert counter.method_names() == ("add", "plus")


def test_a_method_without_parentheses_is_called() -> None:
    assert field(Counter(), "add").data["Count"] == 1.0


@pytest.mark.parametrize(
    ("action", "identifier"),
    [
        (lambda: field(Point(), "Y"), "MATLAB:noSuchMethodOrField"),
        (lambda: assign_path(Point(), ((".", "Y"),), 1.0), "MATLAB:noSuchMethodOrField"),
        (lambda: assign_path(Point(), ((".", "X"),), 1.0), "MATLAB:class:SetProhibited"),
        (lambda: index(Point(), (2.0,)), "MATLAB:badsubscript"),
    ],
)
def test_errors(action: Any, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        action()
    assert caught.value.identifier == identifier


def test_the_only_element() -> None:
    assert field(index(Point(), (1.0,)), "X") == 2.0
