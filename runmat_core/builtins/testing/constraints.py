"""Constraints of ``matlab.unittest.constraints``: what ``verifyThat`` checks."""

from __future__ import annotations

from functools import partial
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import pairs
from runmat_core.builtins.testing import checks
from runmat_core.builtins.testing.comparison import Comparison, Tolerance
from runmat_core.builtins.testing.diagnostics import joined, says, values
from runmat_core.values import ObjectValue, class_of, texts, truth

_PACKAGE = "matlab.unittest.constraints"


class Constraint(ObjectValue):
    """What a value must be; `data` is its name and its check. ``&``, ``|`` and ``~`` combine."""

    __slots__ = ()
    properties = ()

    def __init__(self, name: str, check: checks.Check) -> None:
        self.data = (name, check)

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return f"{_PACKAGE}.{self.data[0]}"

    def is_a(self, name: str) -> bool:
        return name in (self.class_name, f"{_PACKAGE}.Constraint", f"{_PACKAGE}.BooleanConstraint")

    def problem(self, interp: Interp, actual: Any) -> str:
        """Why a value does not satisfy it; empty where it does."""
        name, check = self.data
        if isinstance(actual, Elements):
            items, every = actual.data
            return checks.elements(every, interp, items, check)
        found: str = check(interp, actual)
        return joined([says(f"{name} failed."), found]) if found else ""

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if not all(isinstance(one, Constraint) for one in operands):
            return NotImplemented
        if name == "not_":
            return Constraint("NotConstraint", partial(_negated, operands[0]))
        if name == "and_":
            return Constraint("AndConstraint", partial(_both, operands))
        if name == "or_":
            return Constraint("OrConstraint", partial(_either, operands))
        return NotImplemented


def _negated(one: Constraint, interp: Interp, actual: Any) -> str:
    if one.problem(interp, actual):
        return ""
    return joined(
        [
            says(f"The value must not satisfy {one.data[0]}."),
            values(("Actual Value", actual)),
        ]
    )


def _both(some: tuple[Constraint, ...], interp: Interp, actual: Any) -> str:
    return joined([one.problem(interp, actual) for one in some])


def _either(some: tuple[Constraint, ...], interp: Interp, actual: Any) -> str:
    found = [one.problem(interp, actual) for one in some]
    return joined(found) if all(found) else ""


class ToleranceObject(ObjectValue):
    """A tolerance for ``IsEqualTo``; `data` is a `Tolerance`."""

    __slots__ = ()
    properties = ()
    data: Tolerance

    def __init__(self, data: Tolerance) -> None:
        self.data = data

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return f"{_PACKAGE}.{self.data.kind.capitalize()}Tolerance"

    def is_a(self, name: str) -> bool:
        return name in (self.class_name, f"{_PACKAGE}.Tolerance")

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        kind = name.removesuffix("_")
        if kind not in ("and", "or") or not all(isinstance(o, ToleranceObject) for o in operands):
            return NotImplemented
        return ToleranceObject(Tolerance(kind, (), tuple(one.data for one in operands)))


def named(name: str, check: checks.Check, *args: Any) -> Constraint:
    """Return a constraint whose check takes `args` after the value."""
    return Constraint(name, lambda interp, actual: check(interp, actual, *args))


_TEXT_OPTIONS = ("IgnoringCase", "IgnoringWhitespace")


def _plain(options: dict[str, Any]) -> Any:
    case, blanks = (name in options and truth(options[name]) for name in _TEXT_OPTIONS)
    return checks.plain_text(case, blanks)


@builtin("matlab.unittest.constraints.IsEqualTo", family="testing/constraints", nargin=(1, None))
def is_equal_to(expected: Any, *args: Any) -> Any:
    """Constraint: equal to a value, within a tolerance if there is one.

    C = IsEqualTo(EXPECTED), C = IsEqualTo(EXPECTED, "Within", TOLERANCE)
    "IgnoringCase", "IgnoringWhitespace" and "IgnoringFields" leave out what does not count.

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> near = matlab.unittest.constraints.AbsoluteTolerance(0.1);
        >> t.verifyThat(1.05, matlab.unittest.constraints.IsEqualTo(1, "Within", near))
        Verification passed.

    See also: functiontests, isequal.
    """
    known = ("Within", "IgnoringFields", "Using", *_TEXT_OPTIONS)
    options, _ = pairs(args, known, "IsEqualTo")
    within = options.get("Within")
    if within is not None and not isinstance(within, ToleranceObject):
        raise MatlabError(
            "MATLAB:unittest:IsEqualTo:InvalidTolerance",
            f"The tolerance must be a Tolerance, not a value of class '{class_of(within)}'.",
        )
    ignored = frozenset(texts(options["IgnoringFields"]) if "IgnoringFields" in options else ())
    comparison = Comparison(None if within is None else within.data, _plain(options), ignored)
    return named("IsEqualTo", checks.equal, expected, comparison)


@builtin(
    "matlab.unittest.constraints.AbsoluteTolerance", family="testing/constraints", nargin=(1, None)
)
def absolute_tolerance(*allowed: Any) -> Any:
    """Tolerance of so much; one value for each class of numbers.

    T = AbsoluteTolerance(VALUE), T = AbsoluteTolerance(VALUE1, VALUE2, …); T1 | T2 holds where
    either does, T1 & T2 where both do

    Examples:
        >> class(matlab.unittest.constraints.AbsoluteTolerance(0.1))
        ans =
            'matlab.unittest.constraints.AbsoluteTolerance'

    See also: functiontests, eps.
    """
    return ToleranceObject(Tolerance("absolute", allowed))


@builtin(
    "matlab.unittest.constraints.RelativeTolerance", family="testing/constraints", nargin=(1, None)
)
def relative_tolerance(*allowed: Any) -> Any:
    """Tolerance of such a part of what is expected; one value for each class of numbers.

    T = RelativeTolerance(VALUE); T1 | T2 holds where either does, T1 & T2 where both do

    Examples:
        >> class(matlab.unittest.constraints.RelativeTolerance(0.1))
        ans =
            'matlab.unittest.constraints.RelativeTolerance'

    See also: functiontests, eps.
    """
    return ToleranceObject(Tolerance("relative", allowed))


class Elements(ObjectValue):
    """The elements of an array, for ``verifyThat``; `data` is the array, and whether all count."""

    __slots__ = ()
    properties = ()

    def __init__(self, actual: Any, every: bool) -> None:
        self.data = (actual, every)

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return f"{_PACKAGE}.{'Every' if self.data[1] else 'Any'}ElementOf"


@builtin("matlab.unittest.constraints.EveryElementOf", family="testing/constraints")
def every_element_of(actual: Any) -> Any:
    """Elements of an array, every one of which must satisfy a constraint.

    verifyThat(TESTCASE, EveryElementOf(ACTUAL), CONSTRAINT)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> some = matlab.unittest.constraints.EveryElementOf([2 3]);
        >> t.verifyThat(some, matlab.unittest.constraints.IsGreaterThan(1))
        Verification passed.

    See also: functiontests, all.
    """
    return Elements(actual, True)


@builtin("matlab.unittest.constraints.AnyElementOf", family="testing/constraints")
def any_element_of(actual: Any) -> Any:
    """Elements of an array, one of which must satisfy a constraint.

    verifyThat(TESTCASE, AnyElementOf(ACTUAL), CONSTRAINT)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> some = matlab.unittest.constraints.AnyElementOf([0 3]);
        >> t.verifyThat(some, matlab.unittest.constraints.IsGreaterThan(1))
        Verification passed.

    See also: functiontests, any.
    """
    return Elements(actual, False)
