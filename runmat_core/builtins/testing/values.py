"""Tests, their results, and arrays of both, as MATLAB values."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.values import CellArray, StructArray, char, from_numpy, texts
from runmat_core.values.object import method
from runmat_core.values.objects.info import ClassInfo
from runmat_core.values.rows import Row
from runmat_core.values.struct import struct_array

#: The class of test cases that are functions.
FUNCTION_CASE = "matlab.unittest.FunctionTestCase"


@attrs.frozen(eq=False)
class Fixtures:
    """What a file of tests shares: functions to call before and after, None for none."""

    file: str = ""
    setup_once: Any = None
    teardown_once: Any = None
    setup: Any = None
    teardown: Any = None


@attrs.frozen(eq=False)
class Parameter:
    """A value that a test is run with.

    Attributes:
        prop: the property that lists it.
        name: what it is called in names of tests.
    """

    prop: str
    name: str
    value: Any


@attrs.frozen(eq=False)
class Test:
    """One test.

    Attributes:
        parent: the name of its file or class.
        name: the name of its function, section or method.
        body: a function handle that takes the test case, the code of a section, or a method.
        fixtures: shared by all tests of the file.
        info: its class, where it is a method.
        class_parameters, setup_parameters, parameters: what it is run with: for the set-up of the
            class, for the set-up of each method, for the method itself.
    """

    parent: str
    name: str
    body: Any
    fixtures: Fixtures
    info: ClassInfo | None = None
    tags: tuple[str, ...] = ()
    class_parameters: tuple[Parameter, ...] = ()
    setup_parameters: tuple[Parameter, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    @property
    def full_name(self) -> str:
        of_class, of_setup = (
            f"[{_named(some)}]" if some else ""
            for some in (self.class_parameters, self.setup_parameters)
        )
        own = f"({_named(self.parameters)})" if self.parameters else ""
        return f"{self.parent}{of_class}/{of_setup}{self.name}{own}"

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        return (*self.class_parameters, *self.setup_parameters, *self.parameters)

    @property
    def base_folder(self) -> str:
        """The folder of its file, without the folders of packages and classes."""
        folder = os.path.dirname(self.fixtures.file)
        while os.path.basename(folder).startswith(("+", "@")):
            folder = os.path.dirname(folder)
        return folder


def _named(parameters: Sequence[Parameter]) -> str:
    return ",".join(f"{one.prop}={one.name}" for one in parameters)


@attrs.frozen
class Record:
    """Something that happened in a test: what, the report of it, and where.

    Attributes:
        event: such as ``VerificationFailed`` or ``ExceptionThrown``.
        details: the report without its title.
    """

    event: str
    report: str
    details: str = ""
    frames: tuple[StackFrame, ...] = ()


@attrs.define(eq=False)
class Result:
    """What came of a test."""

    name: str
    failed: bool = False
    incomplete: bool = False
    duration: float = 0.0
    reasons: list[str] = attrs.field(factory=list)
    records: list[Record] = attrs.field(factory=list)

    @property
    def passed(self) -> bool:
        return not (self.failed or self.incomplete)

    def reason(self, text: str) -> None:
        if text not in self.reasons:
            self.reasons.append(text)

    @property
    def details(self) -> StructArray:
        """The ``Details``: a structure with a ``DiagnosticRecord`` where something happened."""
        made = [
            {
                "Event": char(one.event),
                "EventLocation": char(self.name),
                "Stack": _stack(one.frames),
                "Report": char(one.report),
            }
            for one in self.records
        ]
        names = ("Event", "EventLocation", "Stack", "Report")
        return StructArray({"DiagnosticRecord": struct_array(made, (1, len(made)), names)})


def _stack(frames: Sequence[StackFrame]) -> StructArray:
    made = [{"file": char(f.file), "name": char(f.name), "line": float(f.line)} for f in frames]
    return struct_array(made, (len(made), 1), ("file", "name", "line"))


class ParameterArray(Row[Parameter]):
    """Parameters of a test: a ``matlab.unittest.parameters.Parameter``."""

    __slots__ = ()
    class_name = "matlab.unittest.parameters.Parameter"
    properties = ("Property", "Name", "Value")

    def property_of(self, item: Parameter, name: str) -> Any:
        return (
            item.value if name == "Value" else char(item.prop if name == "Property" else item.name)
        )


class TestArray(Row[Test]):
    """Tests: a ``matlab.unittest.Test``."""

    __slots__ = ()
    class_name = "matlab.unittest.Test"
    properties = (
        *("Name", "ProcedureName", "TestClass", "BaseFolder"),
        *("Parameterization", "SharedTestFixtures", "Tags"),
    )
    hidden = ("TestParentName",)

    def is_a(self, name: str) -> bool:
        return name in (self.class_name, "matlab.unittest.TestSuite")

    def property_of(self, item: Test, name: str) -> Any:
        if name == "Parameterization":
            return ParameterArray(item.all_parameters)
        if name == "SharedTestFixtures":
            return from_numpy(np.empty((0, 0)))
        if name == "Tags":
            cells = np.empty((1 if item.tags else 0, len(item.tags)), object)
            cells.flat[:] = [char(tag) for tag in item.tags]
            return CellArray(cells)
        texts = {
            "Name": item.full_name,
            "ProcedureName": item.name,
            "TestClass": item.parent if item.info is not None else "",
            "BaseFolder": item.base_folder,
        }
        return char(texts.get(name, item.parent))

    def footer(self, fmt: Any) -> str:
        items = self.items()
        tags = {tag for item in items for tag in item.tags}
        used = {(one.prop, one.name) for item in items for one in item.all_parameters}
        return (
            f"{fmt.blank}Tests Include:\n   {len(used)} Parameterizations, 0 Shared Test Fixture "
            f"Classes, {len(tags)} Tags.\n"
        )

    @method("selectIf")
    def select_if(self, nargout: int, *args: Any) -> Any:
        """Return the tests that options such as ``"Name"`` and ``"Tag"`` select."""
        from runmat_core.builtins.named import pairs

        options, _ = pairs(args, OPTIONS, "selectIf")
        return TestArray(chosen(self.items(), options))


class ResultArray(Row[Result]):
    """Results: a ``matlab.unittest.TestResult``."""

    __slots__ = ()
    class_name = "matlab.unittest.TestResult"
    properties = ("Name", "Passed", "Failed", "Incomplete", "Duration", "Details")

    def property_of(self, item: Result, name: str) -> Any:
        if name == "Name":
            return char(item.name)
        if name == "Details":
            return item.details
        if name == "Duration":
            return item.duration
        return {"Passed": item.passed, "Failed": item.failed}.get(name, item.incomplete)

    def footer(self, fmt: Any) -> str:
        return str(fmt.blank) + totals(self.items())

    @method("table")
    def table(self, nargout: int = 1) -> Any:
        """Return a table with a row for each result."""
        from runmat_core.values.tables.table import Table

        items = self.items()

        def cells(values: list[Any]) -> Any:
            made = np.empty((len(values), 1), object)
            made[:, 0] = values
            return CellArray(made)

        def column(values: list[Any], kind: Any) -> Any:
            return from_numpy(np.array(values, kind).reshape(-1, 1))

        columns: dict[str, Any] = {"Name": cells([char(item.name) for item in items])}
        for name in ("Passed", "Failed", "Incomplete"):
            columns[name] = column([getattr(item, name.lower()) for item in items], bool)
        columns["Duration"] = column([item.duration for item in items], float)
        columns["Details"] = cells([item.details for item in items])
        return Table.of(columns, height=len(items))

    @method("assertSuccess")
    def assert_success(self, nargout: int = 0) -> Any:
        """Return an error unless all tests passed."""
        bad = [item.name for item in self.items() if not item.passed]
        if bad:
            raise MatlabError(
                "MATLAB:unittest:TestResult:UnsuccessfulRun",
                f"At least one test did not pass: {', '.join(bad)}.",
            )
        return self if nargout else None


def totals(results: Sequence[Result]) -> str:
    """How many tests passed, and how long they took."""
    outcomes = ("passed", "failed", "incomplete")
    counts = [sum(getattr(one, what) for one in results) for what in outcomes]
    seconds = sum(one.duration for one in results)
    return (
        f"Totals:\n   {counts[0]} Passed, {counts[1]} Failed, {counts[2]} Incomplete.\n"
        f"   {seconds:.5g} seconds testing time.\n"
    )


# -- selection -------------------------------------------------------------------------------------


#: Options that select tests.
OPTIONS = (
    *("Name", "ProcedureName", "Tag", "ParameterName", "ParameterProperty"),
    *("Superclass", "BaseFolder"),
)


def chosen(tests: Iterable[Test], options: Mapping[str, Any]) -> list[Test]:
    """Return the tests that all given options select.

    ``*`` stands for any characters, ``?`` for one.
    """
    found = list(tests)
    for option in OPTIONS:
        if option in options:
            patterns = [pattern(word) for word in texts(options[option])]
            found = [
                test
                for test in found
                if any(p.fullmatch(word) for p in patterns for word in _words(test, option))
            ]
    return found


def pattern(word: str) -> re.Pattern[str]:
    return re.compile(re.escape(word).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _words(test: Test, option: str) -> Iterable[str]:
    if option == "Name":
        return (test.full_name,)
    if option == "ProcedureName":
        return (test.name,)
    if option == "Tag":
        return test.tags
    if option == "ParameterName":
        return tuple(one.name for one in test.all_parameters)
    if option == "ParameterProperty":
        return tuple(one.prop for one in test.all_parameters)
    if option == "Superclass":
        return tuple(test.info.ancestors) if test.info is not None else ()
    return (test.base_folder,)
