"""Tests, their results, and arrays of both, as MATLAB values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar

import attrs
import numpy as np

from runmat_core.values import CommaList, ObjectValue, StructArray, char, struct
from runmat_core.values.display import Shown, writer
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import size_text
from runmat_core.values.object import method
from runmat_core.values.subscript import read

T = TypeVar("T")


@attrs.frozen(eq=False)
class Fixtures:
    """What a file of tests shares: functions to call before and after, None for none."""

    file: str = ""
    setup_once: Any = None
    teardown_once: Any = None
    setup: Any = None
    teardown: Any = None


@attrs.frozen(eq=False)
class Test:
    """One test.

    Attributes:
        parent: the name of its file.
        name: the name of its function or section.
        body: a function handle that takes the test case, or the code of a section.
        fixtures: shared by all tests of the file.
    """

    parent: str
    name: str
    body: Any
    fixtures: Fixtures

    @property
    def full_name(self) -> str:
        return f"{self.parent}/{self.name}"


@attrs.define(eq=False)
class Result:
    """What came of a test."""

    name: str
    failed: bool = False
    incomplete: bool = False
    duration: float = 0.0
    reasons: list[str] = attrs.field(factory=list)
    report: str = ""

    @property
    def passed(self) -> bool:
        return not (self.failed or self.incomplete)

    def reason(self, text: str) -> None:
        if text not in self.reasons:
            self.reasons.append(text)


class Row(ObjectValue, Generic[T]):
    """A row of objects: ``r(k)``, ``r.Name`` as a comma list.

    Attributes:
        data: an object array of one row.
    """

    __slots__ = ()
    data: Any

    def __init__(self, items: Sequence[T]) -> None:
        self.data = np.empty((1, len(items)), object)
        for at, item in enumerate(items):
            self.data[0, at] = item

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.data.shape)

    def items(self) -> list[T]:
        return list(self.data.ravel(order="F"))

    def paren(self, subs: Any) -> Self:
        made = object.__new__(type(self))
        made.data = read(self.data, subs)
        return made

    def field(self, name: str) -> Any:
        if name not in self.properties:
            return super().field(name)
        found = [self.property_of(item, name) for item in self.items()]
        return found[0] if len(found) == 1 else CommaList(found)

    def property_of(self, item: T, name: str) -> Any:
        raise NotImplementedError

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        """The rule of ``[a b]``."""
        return joined


def joined(values: list[Any], axis: int) -> Any:
    """Rows one after the other; all must be of one class."""
    from runmat_core.api.errors import catenate_mismatch

    rows = [value for value in values if isinstance(value, Row)]
    if len({type(row) for row in rows}) != 1 or any(
        not isinstance(value, Row) and 0 not in getattr(value, "shape", (1, 1)) for value in values
    ):
        raise catenate_mismatch()
    return type(rows[0])([item for row in rows for item in row.items()])


class TestArray(Row[Test]):
    """Tests: a ``matlab.unittest.Test``."""

    __slots__ = ()
    class_name = "matlab.unittest.Test"
    properties = ("Name", "ProcedureName", "TestParentName")

    def property_of(self, item: Test, name: str) -> Any:
        texts = {"Name": item.full_name, "ProcedureName": item.name}
        return char(texts.get(name, item.parent))


class ResultArray(Row[Result]):
    """Results: a ``matlab.unittest.TestResult``."""

    __slots__ = ()
    class_name = "matlab.unittest.TestResult"
    properties = ("Name", "Passed", "Failed", "Incomplete", "Duration", "Details")

    def property_of(self, item: Result, name: str) -> Any:
        if name == "Name":
            return char(item.name)
        if name == "Details":
            return struct({"Report": char(item.report)}) if item.report else StructArray({})
        if name == "Duration":
            return item.duration
        return {"Passed": item.passed, "Failed": item.failed}.get(name, item.incomplete)

    @method("assertSuccess")
    def assert_success(self, nargout: int = 0) -> Any:
        """An error unless all tests passed."""
        from runmat_core.api.errors import MatlabError

        bad = [item.name for item in self.items() if not item.passed]
        if bad:
            raise MatlabError(
                "MATLAB:unittest:TestResult:UnsuccessfulRun",
                f"At least one test did not pass: {', '.join(bad)}.",
            )
        return self if nargout else None


@writer("matlab.unittest.Test", "matlab.unittest.TestResult")
def _shown(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    """The names of the properties; of results also how many passed."""
    kind = value.class_name.rpartition(".")[2]
    lines = "".join(f"    {label}\n" for label in value.properties)
    if isinstance(value, ResultArray):
        items = value.items()
        counts = [sum(getattr(item, what) for item in items) for what in _OUTCOMES]
        seconds = sum(item.duration for item in items)
        lines += (
            f"{fmt.blank}Totals:\n   {counts[0]} Passed, {counts[1]} Failed, "
            f"{counts[2]} Incomplete.\n   {seconds:.5g} seconds testing time.\n"
        )
    header = f"  {size_text(value.shape)} {kind} array with properties:"
    return Shown(lines, header, is_object=True, disp_header=True)


_OUTCOMES = ("passed", "failed", "incomplete")
