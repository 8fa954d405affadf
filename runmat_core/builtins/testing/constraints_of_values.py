"""Constraints about sizes, classes and order."""

from __future__ import annotations

from functools import partial
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.builtins.testing import checks
from runmat_core.builtins.testing.constraints import named as _named
from runmat_core.values import numel_of


@builtin("matlab.unittest.constraints.IsTrue", family="testing/constraints")
def is_true() -> Any:
    """Constraint: true as a logical scalar.

    C = IsTrue, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(true, matlab.unittest.constraints.IsTrue)
        Verification passed.

    See also: functiontests, true.
    """
    return _named("IsTrue", checks.logical, True)


@builtin("matlab.unittest.constraints.IsFalse", family="testing/constraints")
def is_false() -> Any:
    """Constraint: false as a logical scalar.

    C = IsFalse, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(false, matlab.unittest.constraints.IsFalse)
        Verification passed.

    See also: functiontests, false.
    """
    return _named("IsFalse", checks.logical, False)


@builtin("matlab.unittest.constraints.IsEmpty", family="testing/constraints")
def is_empty() -> Any:
    """Constraint: without elements.

    C = IsEmpty, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat([], matlab.unittest.constraints.IsEmpty)
        Verification passed.

    See also: functiontests, isempty.
    """
    return _named("IsEmpty", checks.empty, True)


@builtin("matlab.unittest.constraints.HasSize", family="testing/constraints")
def has_size(size: Any) -> Any:
    """Constraint: of a size.

    C = HasSize(SIZE), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(ones(2, 3), matlab.unittest.constraints.HasSize([2 3]))
        Verification passed.

    See also: functiontests, size.
    """
    return _named("HasSize", checks.size, size)


@builtin("matlab.unittest.constraints.HasLength", family="testing/constraints")
def has_length(length: Any) -> Any:
    """Constraint: of a length, that of the longest dimension.

    C = HasLength(N), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(1:4, matlab.unittest.constraints.HasLength(4))
        Verification passed.

    See also: functiontests, length.
    """
    return _named("HasLength", partial(checks.count, checks.longest, "length"), length)


@builtin("matlab.unittest.constraints.HasElementCount", family="testing/constraints")
def has_element_count(count: Any) -> Any:
    """Constraint: of so many elements.

    C = HasElementCount(N), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(ones(2, 3), matlab.unittest.constraints.HasElementCount(6))
        Verification passed.

    See also: functiontests, numel.
    """
    return _named("HasElementCount", partial(checks.count, numel_of, "number of elements"), count)


@builtin("matlab.unittest.constraints.IsOfClass", family="testing/constraints")
def is_of_class(name: Any) -> Any:
    """Constraint: of a class.

    C = IsOfClass(NAME), C = IsOfClass(?NAME), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(int8(1), matlab.unittest.constraints.IsOfClass("int8"))
        Verification passed.

    See also: functiontests, class.
    """
    return _named("IsOfClass", checks.of_class, name)


@builtin("matlab.unittest.constraints.IsInstanceOf", family="testing/constraints")
def is_instance_of(name: Any) -> Any:
    """Constraint: of a class or one that inherits from it.

    C = IsInstanceOf(NAME), C = IsInstanceOf(?NAME), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(int8(1), matlab.unittest.constraints.IsInstanceOf("integer"))
        Verification passed.

    See also: functiontests, isa.
    """
    return _named("IsInstanceOf", checks.instance, name)


@builtin("matlab.unittest.constraints.IsSameHandleAs", family="testing/constraints")
def is_same_handle_as(handle: Any) -> Any:
    """Constraint: the same handle.

    C = IsSameHandleAs(H), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(t, matlab.unittest.constraints.IsSameHandleAs(t))
        Verification passed.

    See also: functiontests, handle.
    """
    return _named("IsSameHandleAs", checks.same_handle, handle)


@builtin("matlab.unittest.constraints.IsGreaterThan", family="testing/constraints")
def is_greater_than(bound: Any) -> Any:
    """Constraint: greater than a number.

    C = IsGreaterThan(BOUND), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(2, matlab.unittest.constraints.IsGreaterThan(1))
        Verification passed.

    See also: functiontests, gt.
    """
    return _named("IsGreaterThan", checks.more_than, bound)


@builtin("matlab.unittest.constraints.IsGreaterThanOrEqualTo", family="testing/constraints")
def is_greater_than_or_equal_to(bound: Any) -> Any:
    """Constraint: a number or greater.

    C = IsGreaterThanOrEqualTo(BOUND), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(2, matlab.unittest.constraints.IsGreaterThanOrEqualTo(2))
        Verification passed.

    See also: functiontests, ge.
    """
    return _named("IsGreaterThanOrEqualTo", checks.at_least, bound)


@builtin("matlab.unittest.constraints.IsLessThan", family="testing/constraints")
def is_less_than(bound: Any) -> Any:
    """Constraint: less than a number.

    C = IsLessThan(BOUND), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(1, matlab.unittest.constraints.IsLessThan(2))
        Verification passed.

    See also: functiontests, lt.
    """
    return _named("IsLessThan", checks.less_than, bound)


@builtin("matlab.unittest.constraints.IsLessThanOrEqualTo", family="testing/constraints")
def is_less_than_or_equal_to(bound: Any) -> Any:
    """Constraint: a number or less.

    C = IsLessThanOrEqualTo(BOUND), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(2, matlab.unittest.constraints.IsLessThanOrEqualTo(2))
        Verification passed.

    See also: functiontests, le.
    """
    return _named("IsLessThanOrEqualTo", checks.at_most, bound)
