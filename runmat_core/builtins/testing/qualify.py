"""Qualifications: what follows ``verify``, ``assert``, ``fatalAssert`` and ``assume``.

``verify`` notes a failure and goes on, ``assert`` ends the test, ``fatalAssert`` ends all tests,
``assume`` ends the test without a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any
from weakref import WeakKeyDictionary

import attrs

from runmat_core.api.errors import MatlabError, StackFrame, not_enough_inputs, too_many_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.testing import checks
from runmat_core.builtins.testing.comparison import Comparison
from runmat_core.builtins.testing.diagnostics import boxed, joined, note_text
from runmat_core.builtins.testing.values import Record, Result
from runmat_core.values import is_text, numel_of, text

FORMS = ("verify", "assert", "fatalAssert", "assume")
_SAYS = {
    "verify": "Verification",
    "assert": "Assertion",
    "fatalAssert": "Fatal assertion",
    "assume": "Assumption",
}
_EVENTS = {
    "verify": "VerificationFailed",
    "assert": "AssertionFailed",
    "fatalAssert": "FatalAssertionFailed",
    "assume": "AssumptionFailed",
}
_IDENTIFIERS = {
    "assert": "MATLAB:unittest:Assertable:AssertionFailed",
    "fatalAssert": "MATLAB:unittest:FatalAssertable:FatalAssertionFailed",
    "assume": "MATLAB:unittest:Assumable:AssumptionFailed",
}
LINE = "=" * 80


class TestEndedError(MatlabError):
    """What ends a test: an assertion or assumption that did not hold."""

    ends_test = True

    def __init__(self, form: str) -> None:
        super().__init__(_IDENTIFIERS[form], f"{_SAYS[form]} failed.")
        self.form = form


@attrs.define(eq=False)
class Case:
    """What a test case is about while it runs.

    Attributes:
        depth: how many frames of the stack are not the test's.
        level: log messages up to this verbosity are printed.
        is_class: whether the test is a method of a class.
        is_quiet: whether nothing is printed.
        notes: diagnostics of ``onFailure``.
        cleanups: what ``addTeardown`` was given.
    """

    interp: Interp
    result: Result
    is_interactive: bool = False
    depth: int = 0
    level: float = 1.0
    is_class: bool = False
    is_quiet: bool = False
    notes: list[Any] = attrs.field(factory=list)
    cleanups: list[Callable[[], Any]] = attrs.field(factory=list)

    def frames(self) -> tuple[StackFrame, ...]:
        stack = self.interp.stack()
        return stack[: len(stack) - self.depth]

    def diagnostic(self, note: Any) -> str:
        """Return the text of a diagnostic: text, or what a function prints."""
        if is_text(note) or numel_of(note) != 1 or not hasattr(note, "fn"):
            return note_text(note)
        with self.interp.capture() as printed:
            self.interp.call(note, (), 0)
            return printed().rstrip("\n")

    def clean_up(self) -> None:
        """Run what was added for the end of the test, the last one first."""
        while self.cleanups:
            self.cleanups.pop()()


def cases(interp: Interp) -> WeakKeyDictionary[Any, Case]:
    """Return the cases of test case objects, by what these hold."""
    return interp.state("testing.cases", WeakKeyDictionary)


def case_of(interp: Interp, obj: Any) -> Case:
    """Return what a test case object is about; one that nobody runs is used interactively."""
    known = cases(interp)
    found = known.get(obj.data)
    if found is None:
        found = known[obj.data] = Case(interp, Result(obj.class_name), is_interactive=True)
        found.depth = len(interp.stack())
    return found


# -- reports ---------------------------------------------------------------------------------------


def judge(case: Case, form: str, name: str, problem: str, note: Any) -> None:
    """Note what a qualification found: nothing where `problem` is empty.

    Raises:
        TestEndedError: the test is over.
    """
    if not problem:
        if case.is_interactive:
            case.interp.write(f"{_SAYS[form]} passed.\n")
        return
    notes = [note] if note is not None and numel_of(note) else []
    parts = []
    for heading, given in (("Test Diagnostic:", notes), ("Additional Diagnostic:", case.notes)):
        for one in given:
            parts += [boxed(heading), case.diagnostic(one)]
    if problem.startswith("-->"):
        at = 1 if notes else 0
        framework = [boxed("Framework Diagnostic:"), f"{name} failed.", problem]
        parts[2 * at : 2 * at] = framework
    frames = case.frames()
    if frames and not case.is_interactive:
        places = [f"In {f.file} ({_name(f, case)}) at {f.line}" for f in frames]
        parts += [boxed("Stack Information:"), "\n".join(places)]
    where = "." if case.is_interactive else f" in {case.result.name}."
    title = f"{_SAYS[form]} failed{where}"
    if form == "assume" and not case.is_interactive:
        title = f"{case.result.name} was filtered."
    body = indent(joined(parts), "    ", lambda line: True)
    report = f"{title}\n{body}".rstrip("\n")
    noted = Record(_EVENTS[form], report, joined(parts), frames)
    case.result.records.append(noted)
    if not case.is_quiet:
        framed = f"\n{LINE}\n{report}\n{LINE}\n"
        case.interp.write(f"{report}\n" if case.is_interactive else framed)
    if form == "assume":
        case.result.incomplete = True
        case.result.reason("Filtered by assumption.")
    else:
        case.result.failed = True
        case.result.reason(f"Failed by {_SAYS[form].lower()}.")
    if form != "verify":
        case.result.incomplete = True
        raise TestEndedError(form)


def _name(frame: StackFrame, case: Case) -> str:
    return frame.name.replace("/", ".") if case.is_class else frame.name


# -- the family ------------------------------------------------------------------------------------


@attrs.frozen
class Qualification:
    """A qualification: a check of so many values, which a diagnostic and options may follow.

    Attributes:
        least, most: how many values it takes, the actual one included.
        options: names of options.
        rule: ``(interp, nargout, values, options) -> (problem, outputs)`` of those that are more
            than a check.
    """

    check: checks.Check | None
    least: int
    most: int
    options: tuple[str, ...] = ()
    rule: Callable[..., tuple[str, Any]] | None = None


def _equal(
    interp: Interp, nargout: int, given: list[Any], options: dict[str, Any]
) -> tuple[str, Any]:
    tolerance = checks.tolerance(options.get("AbsTol"), options.get("RelTol"))
    actual, expected = given
    return checks.equal(interp, actual, expected, Comparison(tolerance)), None


def _error(
    interp: Interp, nargout: int, given: list[Any], options: dict[str, Any]
) -> tuple[str, Any]:
    return checks.raises(interp, *given), None


def _warning(
    interp: Interp, nargout: int, given: list[Any], options: dict[str, Any]
) -> tuple[str, Any]:
    function, wanted = given
    issued, outputs = checks.heard(interp, function, nargout)
    return checks.warns(interp, function, issued, wanted), outputs


def _quiet(
    interp: Interp, nargout: int, given: list[Any], options: dict[str, Any]
) -> tuple[str, Any]:
    issued, outputs = checks.heard(interp, given[0], nargout)
    return checks.quiet(interp, given[0], issued), outputs


def _that(
    interp: Interp, nargout: int, given: list[Any], options: dict[str, Any]
) -> tuple[str, Any]:
    from runmat_core.builtins.testing.constraints import Constraint

    actual, constraint = given
    if not isinstance(constraint, Constraint):
        raise MatlabError(
            "MATLAB:unittest:Qualifiable:ConstraintRequired",
            "The second value must be a constraint of matlab.unittest.constraints.",
        )
    return constraint.problem(interp, actual), None


def _plain(check: Callable[..., str], *args: Any) -> checks.Check:
    return lambda interp, actual: check(interp, actual, *args)


QUALIFICATIONS: dict[str, Qualification] = {
    "Equal": Qualification(None, 2, 2, ("AbsTol", "RelTol"), _equal),
    "NotEqual": Qualification(checks.unequal, 2, 2),
    "True": Qualification(_plain(checks.logical, True), 1, 1),
    "False": Qualification(_plain(checks.logical, False), 1, 1),
    "Empty": Qualification(_plain(checks.empty, True), 1, 1),
    "NotEmpty": Qualification(_plain(checks.empty, False), 1, 1),
    "Size": Qualification(checks.size, 2, 2),
    "Length": Qualification(
        lambda interp, a, n: checks.count(checks.longest, "length", interp, a, n), 2, 2
    ),
    "NumElements": Qualification(
        lambda interp, a, n: checks.count(numel_of, "number of elements", interp, a, n), 2, 2
    ),
    "Class": Qualification(checks.of_class, 2, 2),
    "InstanceOf": Qualification(checks.instance, 2, 2),
    "GreaterThan": Qualification(checks.more_than, 2, 2),
    "GreaterThanOrEqual": Qualification(checks.at_least, 2, 2),
    "LessThan": Qualification(checks.less_than, 2, 2),
    "LessThanOrEqual": Qualification(checks.at_most, 2, 2),
    "Error": Qualification(None, 2, 2, rule=_error),
    "Warning": Qualification(None, 2, 2, rule=_warning),
    "WarningFree": Qualification(None, 1, 1, rule=_quiet),
    "ReturnsTrue": Qualification(checks.returns_true, 1, 1),
    "Substring": Qualification(checks.contains, 2, 2),
    "Matches": Qualification(checks.matches, 2, 2),
    "SameHandle": Qualification(checks.same_handle, 2, 2),
    "NotSameHandle": Qualification(
        lambda interp, a, b: checks.same_handle(interp, a, b, False), 2, 2
    ),
    "That": Qualification(None, 2, 2, rule=_that),
    "Fail": Qualification(lambda interp: "No value is right.", 0, 0),
}


def qualify(interp: Interp, form: str, what: str, nargout: int, obj: Any, args: Any) -> Any:
    """Check what a call such as ``verifyEqual(testCase, actual, expected)`` says."""
    rule = QUALIFICATIONS[what]
    if len(args) < rule.least:
        raise not_enough_inputs()
    given = list(args[: rule.most])
    note, options = _rest(args[rule.most :], rule.options)
    outputs = None
    if rule.rule is not None:
        problem, outputs = rule.rule(interp, nargout, given, options)
    else:
        assert rule.check is not None
        problem = rule.check(interp, *given)
    judge(case_of(interp, obj), form, f"{form}{what}", problem, note)
    return outputs if nargout else None


def _rest(rest: tuple[Any, ...], names: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
    """Return the diagnostic and the options behind the values, in either order."""
    note, options = None, {}
    known = {name.lower(): name for name in names}
    at = 0
    while at < len(rest):
        word = text(rest[at]).lower() if is_text(rest[at]) else ""
        if word in known and at + 1 < len(rest):
            options[known[word]] = rest[at + 1]
            at += 1
        elif note is None:
            note = rest[at]
        else:
            raise too_many_inputs()
        at += 1
    return note, options


__all__ = ["FORMS", "LINE", "QUALIFICATIONS", "Case", "TestEndedError", "case_of", "cases"]
__all__ += ["judge", "qualify"]
