"""Constraints about texts, numbers, sets and functions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.testing import checks
from runmat_core.builtins.testing.constraints import Constraint
from runmat_core.builtins.testing.constraints import named as _named


def _numbers(name: str, test: Any, words: str) -> Constraint:
    return Constraint(name, partial(checks.numbers, test, words))


def _quiet(interp: Interp, function: Any) -> str:
    return checks.quiet(interp, function, checks.heard(interp, function)[0])


def _warned(interp: Interp, function: Any, identifiers: Any) -> str:
    return checks.warns(interp, function, checks.heard(interp, function)[0], identifiers)


@builtin("matlab.unittest.constraints.ContainsSubstring", family="testing/constraints")
def contains_substring(part: Any) -> Any:
    """Constraint: text with a part.

    C = ContainsSubstring(PART), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat('house', matlab.unittest.constraints.ContainsSubstring('us'))
        Verification passed.

    See also: functiontests, contains.
    """
    return _named("ContainsSubstring", checks.contains, part)


@builtin("matlab.unittest.constraints.StartsWithSubstring", family="testing/constraints")
def starts_with_substring(part: Any) -> Any:
    """Constraint: text that starts so.

    C = StartsWithSubstring(PART), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat('house', matlab.unittest.constraints.StartsWithSubstring('ho'))
        Verification passed.

    See also: functiontests, startsWith.
    """
    return _named("StartsWithSubstring", checks.starts, part)


@builtin("matlab.unittest.constraints.EndsWithSubstring", family="testing/constraints")
def ends_with_substring(part: Any) -> Any:
    """Constraint: text that ends so.

    C = EndsWithSubstring(PART), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat('house', matlab.unittest.constraints.EndsWithSubstring('se'))
        Verification passed.

    See also: functiontests, endsWith.
    """
    return _named("EndsWithSubstring", checks.ends, part)


@builtin("matlab.unittest.constraints.Matches", family="testing/constraints")
def matches(pattern: Any) -> Any:
    """Constraint: text that a regular expression matches.

    C = Matches(PATTERN), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat('house', matlab.unittest.constraints.Matches('^h.*e$'))
        Verification passed.

    See also: functiontests, regexp.
    """
    return _named("Matches", checks.matches, pattern)


@builtin("matlab.unittest.constraints.HasField", family="testing/constraints")
def has_field(name: Any) -> Any:
    """Constraint: a structure with a field.

    C = HasField(NAME), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(struct('a', 1), matlab.unittest.constraints.HasField('a'))
        Verification passed.

    See also: functiontests, isfield.
    """
    return _named("HasField", checks.field, name)


@builtin("matlab.unittest.constraints.IsReal", family="testing/constraints")
def is_real() -> Any:
    """Constraint: real numbers.

    C = IsReal, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(1:3, matlab.unittest.constraints.IsReal)
        Verification passed.

    See also: functiontests, isreal.
    """
    return _numbers("IsReal", lambda data: not np.iscomplexobj(data), "must be real")


@builtin("matlab.unittest.constraints.IsFinite", family="testing/constraints")
def is_finite() -> Any:
    """Constraint: finite numbers.

    C = IsFinite, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(1:3, matlab.unittest.constraints.IsFinite)
        Verification passed.

    See also: functiontests, isfinite.
    """
    return _numbers("IsFinite", lambda data: np.isfinite(data).all(), "must be finite")


@builtin("matlab.unittest.constraints.HasNaN", family="testing/constraints")
def has_nan() -> Any:
    """Constraint: an array with a NaN in it.

    C = HasNaN, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat([1 NaN], matlab.unittest.constraints.HasNaN)
        Verification passed.

    See also: functiontests, isnan.
    """
    return _numbers("HasNaN", lambda data: np.isnan(data).any(), "must have a NaN")


@builtin("matlab.unittest.constraints.HasInf", family="testing/constraints")
def has_inf() -> Any:
    """Constraint: an array with an Inf in it.

    C = HasInf, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat([1 Inf], matlab.unittest.constraints.HasInf)
        Verification passed.

    See also: functiontests, isinf.
    """
    return _numbers("HasInf", lambda data: np.isinf(data).any(), "must have an Inf")


@builtin("matlab.unittest.constraints.HasUniqueElements", family="testing/constraints")
def has_unique_elements() -> Any:
    """Constraint: an array without repeated elements.

    C = HasUniqueElements, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(1:3, matlab.unittest.constraints.HasUniqueElements)
        Verification passed.

    See also: functiontests, unique.
    """
    return _named("HasUniqueElements", checks.unique)


@builtin("matlab.unittest.constraints.IsSubsetOf", family="testing/constraints")
def is_subset_of(expected: Any) -> Any:
    """Constraint: a subset.

    C = IsSubsetOf(SET), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat([1 2], matlab.unittest.constraints.IsSubsetOf(1:3))
        Verification passed.

    See also: functiontests, ismember.
    """
    return _named("IsSubsetOf", partial(checks.members, "subset"), expected)


@builtin("matlab.unittest.constraints.IsSupersetOf", family="testing/constraints")
def is_superset_of(expected: Any) -> Any:
    """Constraint: a superset.

    C = IsSupersetOf(SET), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(1:3, matlab.unittest.constraints.IsSupersetOf([1 2]))
        Verification passed.

    See also: functiontests, ismember.
    """
    return _named("IsSupersetOf", partial(checks.members, "superset"), expected)


@builtin("matlab.unittest.constraints.IsSameSetAs", family="testing/constraints")
def is_same_set_as(expected: Any) -> Any:
    """Constraint: the same set of values.

    C = IsSameSetAs(SET), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat([2 1], matlab.unittest.constraints.IsSameSetAs(1:2))
        Verification passed.

    See also: functiontests, ismember.
    """
    return _named("IsSameSetAs", partial(checks.members, "same"), expected)


@builtin("matlab.unittest.constraints.IsFile", family="testing/constraints")
def is_file() -> Any:
    """Constraint: the name of a file.

    C = IsFile, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> f = tempname; fclose(fopen(f, 'w'));
        >> t.verifyThat(f, matlab.unittest.constraints.IsFile)
        Verification passed.
        >> delete(f)

    See also: functiontests, isfile.
    """
    return _named("IsFile", checks.exists, "file")


@builtin("matlab.unittest.constraints.IsFolder", family="testing/constraints")
def is_folder() -> Any:
    """Constraint: the name of a folder.

    C = IsFolder, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(tempdir, matlab.unittest.constraints.IsFolder)
        Verification passed.

    See also: functiontests, isfolder.
    """
    return _named("IsFolder", checks.exists, "folder")


@builtin("matlab.unittest.constraints.Throws", family="testing/constraints")
def throws(identifier: Any) -> Any:
    """Constraint: a function that raises an error.

    C = Throws(IDENTIFIER), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(@() error('a:b', 'c'), matlab.unittest.constraints.Throws('a:b'))
        Verification passed.

    See also: functiontests, error.
    """
    return _named("Throws", checks.raises, identifier)


@builtin("matlab.unittest.constraints.ReturnsTrue", family="testing/constraints")
def returns_true() -> Any:
    """Constraint: a function that returns true.

    C = ReturnsTrue, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(@() 2 > 1, matlab.unittest.constraints.ReturnsTrue)
        Verification passed.

    See also: functiontests, true.
    """
    return _named("ReturnsTrue", checks.returns_true)


@builtin("matlab.unittest.constraints.IssuesNoWarnings", family="testing/constraints")
def issues_no_warnings() -> Any:
    """Constraint: a function without warnings.

    C = IssuesNoWarnings, for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> t.verifyThat(@() disp(1), matlab.unittest.constraints.IssuesNoWarnings)
        Verification passed.

    See also: functiontests, warning.
    """
    return _named("IssuesNoWarnings", _quiet)


@builtin("matlab.unittest.constraints.IssuesWarnings", family="testing/constraints")
def issues_warnings(identifiers: Any) -> Any:
    """Constraint: a function that issues warnings.

    C = IssuesWarnings(IDENTIFIERS), for verifyThat(TESTCASE, ACTUAL, C)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> f = @() warning('a:b', 'c');
        >> t.verifyThat(f, matlab.unittest.constraints.IssuesWarnings({'a:b'}))
        Verification passed.

    See also: functiontests, warning.
    """
    return _named("IssuesWarnings", _warned, identifiers)
