"""The object that a test is given: qualifications, data, diagnostics.

A qualification has four forms: ``verify`` notes a failure and goes on, ``assert`` ends the test,
``fatalAssert`` ends all tests, ``assume`` ends the test without a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.lang.warnings import states
from runmat_core.builtins.testing.comparison import Tolerance, mismatch, size_text
from runmat_core.builtins.testing.values import Result
from runmat_core.values import (
    HandleObject,
    StructArray,
    class_of,
    disp,
    is_text,
    numel_of,
    share,
    size_of,
    text,
    to_numpy,
)
from runmat_core.values.object import method as matlab_method

FORMS = ("verify", "assert", "fatalAssert", "assume")
_SAYS = {
    "verify": "Verification",
    "assert": "Assertion",
    "fatalAssert": "Fatal assertion",
    "assume": "Assumption",
}
LINE = "=" * 80


class TestEndedError(MatlabError):
    """What ends a test: an assertion or assumption that did not hold."""

    def __init__(self, form: str) -> None:
        super().__init__(
            f"MATLAB:unittest:{form[0].upper()}{form[1:]}Failed", f"{_SAYS[form]} failed."
        )
        self.form = form


@attrs.define(eq=False)
class _State:
    interp: Interp
    result: Result
    data: Any
    is_interactive: bool = False
    cleanups: list[tuple[Any, tuple[Any, ...]]] = attrs.field(factory=list)


def _said(holds: bool, why: str) -> str:
    return "" if holds else why


def _shown(value: Any) -> str:
    lines = disp(value).rstrip("\n").split("\n")
    return "\n".join(f"    {line}" for line in lines[:12])


class TestCase(HandleObject):
    """What the functions of a test file take.

    Attributes:
        data: what it notes.
    """

    __slots__ = ()
    class_name = "matlab.unittest.FunctionTestCase"
    properties = ("TestData",)

    def __init__(
        self, interp: Interp, result: Result, data: Any = None, is_interactive: bool = False
    ) -> None:
        self.data = _State(
            interp, result, StructArray({}) if data is None else share(data), is_interactive
        )

    def get_property(self, name: str) -> Any:
        return share(self.data.data)

    def set_property(self, name: str, rhs: Any) -> None:
        self.data.data = share(rhs)

    def method(self, name: str) -> Callable[..., Any] | None:
        for form in FORMS:
            what = name.removeprefix(form)
            if what != name and what in _QUALIFICATIONS:
                return partial(self._qualify, form, what)
        return super().method(name)

    def method_names(self) -> tuple[str, ...]:
        found = (f"{form}{what}" for form in FORMS for what in _QUALIFICATIONS)
        return tuple(sorted({*super().method_names(), *found}))

    @matlab_method("addTeardown")
    def add_teardown(self, nargout: int, function: Any, *args: Any) -> None:
        """addTeardown(TESTCASE, F, ...): F is called when the test is over, the last one first."""
        self.data.cleanups.append((function, args))

    @matlab_method("log")
    def log(self, nargout: int, *args: Any) -> None:
        """log(TESTCASE, LEVEL, TEXT) prints a text of level 1 or 2."""
        level = scalar(args[0], "LEVEL") if len(args) > 1 else 2
        if level <= 2 and args and is_text(args[-1]):
            self.data.interp.write(f"[Log] {text(args[-1])}\n")

    def clean_up(self) -> None:
        """Call what `addTeardown` was given."""
        while self.data.cleanups:
            function, args = self.data.cleanups.pop()
            self.data.interp.call(function, args, 0)

    def _qualify(self, form: str, what: str, nargout: int, *args: Any) -> Any:
        check, least, most = _QUALIFICATIONS[what]
        if len(args) < least:
            raise not_enough_inputs()
        state: _State = self.data
        plain, rest = list(args[:most]), list(args[most:])
        if what in ("Equal", "Error", "Fail"):
            problem = check(state, *args)
            note = _diagnostic(args[most:], what)
        else:
            problem = check(state, *plain)
            note = rest[0] if rest else None
        if not problem:
            if state.is_interactive:
                state.interp.write(f"{_SAYS[form]} passed.\n")
            return None
        self._report(form, what, problem, note, plain)
        return None

    def _report(self, form: str, what: str, problem: str, note: Any, plain: list[Any]) -> None:
        state: _State = self.data
        lines = [f"{_SAYS[form]} failed" + ("." if state.is_interactive else "")]
        if not state.is_interactive:
            lines = ["", LINE, f"{lines[0]} in {state.result.name}."]
        if note is not None and is_text(note):
            lines += ["", "    Test Diagnostic:", f"    {text(note)}"]
        elif note is not None:
            with state.interp.capture() as printed:
                state.interp.call(note, (), 0)
                lines += ["", "    Test Diagnostic:", printed().rstrip("\n")]
        lines += ["", f"    {form}{what} failed.", f"    --> {problem}"]
        if what == "Equal":
            lines += ["", "    Actual Value:", _shown(plain[0])]
            lines += ["    Expected Value:", _shown(plain[1])]
        elif plain and what not in ("Error", "Warning", "WarningFree", "Fail"):
            lines += ["", "    Actual Value:", _shown(plain[0])]
        for frame in state.interp.stack()[:1]:
            lines += ["", f"    In {frame.file} ({frame.name}) at {frame.line}"]
        lines += [] if state.is_interactive else [LINE]
        report = "\n".join(lines) + "\n"
        state.interp.write(report)
        state.result.report += report
        if form == "assume":
            state.result.incomplete = True
            state.result.reason("Filtered by assumption.")
        else:
            state.result.failed = True
            state.result.reason(f"Failed by {_SAYS[form].lower()}.")
        if form != "verify":
            state.result.incomplete = True
            raise TestEndedError(form)


def _diagnostic(rest: tuple[Any, ...], what: str) -> Any:
    """The text that a test gives for what it checks, which may stand before options."""
    if what == "Error":
        return rest[0] if rest else None
    if what == "Equal" and rest:
        if len(rest) % 2:
            names = ("abstol", "reltol")
            first = is_text(rest[0]) and text(rest[0]).lower() in names
            return rest[-1] if first else rest[0]
        return None
    return rest[0] if rest else None


def _equal(state: _State, actual: Any, expected: Any, *rest: Any) -> str:
    found = {"abstol": 0.0, "reltol": 0.0}
    at = 0
    while at < len(rest):
        word = text(rest[at]).lower() if is_text(rest[at]) else ""
        if word in found and at + 1 < len(rest):
            found[word] = float(np.max(np.abs(to_numpy(rest[at + 1]))))
            at += 1
        at += 1
    return mismatch(actual, expected, Tolerance(found["abstol"], found["reltol"]))


def _raised(state: _State, function: Any, wanted: Any, *_: Any) -> str:
    if class_of(function) != "function_handle":
        return "The first value must be a function handle."
    try:
        with state.interp.capture():
            state.interp.call(function, (), 0)
    except TestEndedError:
        raise
    except Exception as problem:
        error = state.interp.error_of(problem)
        if not is_text(wanted) or error.identifier == text(wanted):
            return ""
        return (
            f"The function raised the error '{error.identifier}' ({error.message}), expected is "
            f"'{text(wanted)}'."
        )
    return "The function raised no error."


def _heard(state: _State, function: Any) -> list[str]:
    """The identifiers of the warnings that a function issues."""
    warnings = states(state.interp)
    before, warnings.heard = warnings.heard, []
    try:
        with state.interp.capture():
            state.interp.call(function, (), 0)
        return list(warnings.heard)
    finally:
        warnings.heard = before


def _warned(state: _State, function: Any, wanted: Any) -> str:
    heard = _heard(state, function)
    if not heard:
        return "The function issued no warnings."
    there = text(wanted) in heard
    return _said(there, f"The function issued {', '.join(repr(one) for one in heard)}.")


def _quiet(state: _State, function: Any) -> str:
    heard = _heard(state, function)
    return _said(not heard, f"The function issued {', '.join(repr(one) for one in heard)}.")


def _is(state: _State, actual: Any, wanted: bool) -> str:
    holds = class_of(actual) == "logical" and numel_of(actual) == 1
    holds = holds and bool(to_numpy(actual).flat[0]) is wanted
    return _said(holds, f"The value must be the logical scalar {'true' if wanted else 'false'}.")


def _ordered(compare: Any, words: str, state: _State, actual: Any, bound: Any) -> str:
    with np.errstate(all="ignore"):
        holds = bool(np.all(compare(to_numpy(actual), to_numpy(bound))))
    return _said(holds, f"The value must be {words} {disp(bound).strip()}.")


def _class(state: _State, actual: Any, wanted: Any) -> str:
    name = text(wanted) if is_text(wanted) else getattr(wanted, "name", "")
    return _said(class_of(actual) == name, f"The class is '{class_of(actual)}', not '{name}'.")


def _instance(state: _State, actual: Any, wanted: Any) -> str:
    holds = state.interp.builtin("isa")
    assert holds is not None
    return _said(bool(holds(1, actual, wanted)), f"The value is no '{text(wanted)}'.")


def _size(state: _State, actual: Any, wanted: Any) -> str:
    size = tuple(int(k) for k in to_numpy(wanted).ravel(order="F"))
    return _said(size_of(actual) == size, f"The size is {size_text(actual)}.")


def _count(measure: Callable[[Any], int], state: _State, actual: Any, wanted: Any) -> str:
    found = measure(actual)
    return _said(found == scalar(wanted, "Count"), f"The count is {found}.")


def _empty(state: _State, actual: Any, wanted: bool) -> str:
    return _said(
        (numel_of(actual) == 0) is wanted, f"The value must {'' if wanted else 'not '}be empty."
    )


def _contains(state: _State, actual: Any, part: Any) -> str:
    holds = is_text(actual) and text(part) in text(actual)
    return _said(holds, f"The text does not contain '{text(part)}'.")


def _matches(state: _State, actual: Any, pattern: Any) -> str:
    found = state.interp.builtin("regexp")
    assert found is not None
    from runmat_core.values import char

    holds = numel_of(found(1, actual, pattern, char("once"))) > 0
    return _said(holds, f"The text does not match '{text(pattern)}'.")


def _unequal(state: _State, actual: Any, other: Any) -> str:
    return _said(bool(mismatch(actual, other, Tolerance())), "The values are equal.")


def _same_handle(state: _State, actual: Any, other: Any) -> str:
    return _said(actual is other, "The values are not the same object.")


def _fail(state: _State, *args: Any) -> str:
    return "The test says so."


def _longest(value: Any) -> int:
    return max(size_of(value)) if numel_of(value) else 0


#: What follows ``verify``, with how many values it needs and takes before a diagnostic.
_QUALIFICATIONS: dict[str, tuple[Callable[..., str], int, int]] = {
    "Equal": (_equal, 2, 2),
    "NotEqual": (_unequal, 2, 2),
    "True": (partial(_is, wanted=True), 1, 1),
    "False": (partial(_is, wanted=False), 1, 1),
    "Empty": (partial(_empty, wanted=True), 1, 1),
    "NotEmpty": (partial(_empty, wanted=False), 1, 1),
    "Size": (_size, 2, 2),
    "Length": (partial(_count, _longest), 2, 2),
    "NumElements": (partial(_count, numel_of), 2, 2),
    "Class": (_class, 2, 2),
    "InstanceOf": (_instance, 2, 2),
    "GreaterThan": (partial(_ordered, np.greater, "greater than"), 2, 2),
    "GreaterThanOrEqual": (partial(_ordered, np.greater_equal, "at least"), 2, 2),
    "LessThan": (partial(_ordered, np.less, "less than"), 2, 2),
    "LessThanOrEqual": (partial(_ordered, np.less_equal, "at most"), 2, 2),
    "Error": (_raised, 2, 2),
    "Warning": (_warned, 2, 2),
    "WarningFree": (_quiet, 1, 1),
    "Substring": (_contains, 2, 2),
    "Matches": (_matches, 2, 2),
    "SameHandle": (_same_handle, 2, 2),
    "Fail": (_fail, 0, 0),
}

__all__ = ["FORMS", "LINE", "TestCase", "TestEndedError"]
