"""functiontests, testsuite, runtests: suites of tests, and how to run them."""

from __future__ import annotations

import os
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import pairs
from runmat_core.builtins.testing.bases import TEST_CASE, level_of
from runmat_core.builtins.testing.finding import find_tests, is_test_name
from runmat_core.builtins.testing.runner import run_tests
from runmat_core.builtins.testing.values import (
    FUNCTION_CASE,
    OPTIONS,
    Fixtures,
    Test,
    TestArray,
    chosen,
)
from runmat_core.values import CellArray, FunctionHandle, texts, truth
from runmat_core.values.objects import making
from runmat_core.values.objects.meta import MetaClass

_FIXTURES = {"setuponce": "setup_once", "teardownonce": "teardown_once"}


@builtin("functiontests", family="testing/suites", effects="pure")
def functiontests(functions: Any) -> Any:
    """Tests from the functions of a file.

    TESTS = functiontests(localfunctions), in the main function of a file of tests

    Functions whose names begin or end with "test" are tests. They take a test case; setupOnce and
    teardownOnce run before and after the tests of the file, setup and teardown around each test,
    and what they put into testCase.TestData is there for the test. In a test,
    verifyEqual(testCase, ACTUAL, EXPECTED) and its like (verifyTrue, verifyFalse, verifyEmpty,
    verifySize, verifyLength, verifyClass, verifyGreaterThan, verifyLessThan, verifyError,
    verifyWarning, verifyWarningFree, verifySubstring, verifyThat and others) note a failure and go
    on; assertEqual and its like end the test, assumeEqual ends it without a failure,
    fatalAssertEqual ends all tests. verifyEqual takes "AbsTol" and "RelTol". A class that inherits
    from matlab.unittest.TestCase has tests in blocks methods (Test).

    Examples:
        >> t = functiontests({});
        >> class(t)
        ans =
            'matlab.unittest.Test'

    See also: runtests, testsuite, localfunctions.
    """
    handles = functions.items() if isinstance(functions, CellArray) else [functions]
    if not all(isinstance(handle, FunctionHandle) for handle in handles):
        raise MatlabError(
            "MATLAB:unittest:functiontests:MustBeCellOfFunctionHandles",
            "The input must be a cell array of function handles.",
        )
    found: dict[str, Any] = {}
    for handle in handles:
        low = handle.name.lower()
        if low in ("setup", "teardown", *_FIXTURES):
            found[_FIXTURES.get(low, low)] = handle
    file = next((handle.file for handle in handles if handle.file), "")
    fixtures = Fixtures(file=file, **found)
    parent = os.path.basename(file).removesuffix(".m")
    chosen = [handle for handle in handles if is_test_name(handle.name)]
    return TestArray([Test(parent, h.name, h, fixtures) for h in chosen])


_HOW = ("IncludeSubfolders", "IncludeSubpackages", "IncludeReferencedProjects")
_IGNORED = (
    *("OutputDetail", "Verbosity", "UseParallel", "ReportCoverageFor", "Debug"),
    *("ExternalParameters", "InvalidFileFoundAction"),
)
_RUN = ("LoggingLevel", "Strict")


def _suite(
    interp: Interp, args: tuple[Any, ...], function: str
) -> tuple[list[Test], dict[str, Any]]:
    """Return the tests that ``runtests(TESTS, NAME, VALUE)`` names, and the options."""
    odd = len(args) % 2 == 1
    wanted = args[0] if odd else None
    known = (*OPTIONS, *_HOW, *_IGNORED, *_RUN)
    options, _ = pairs(args[1:] if odd else args, known, function)
    below, packages = (option in options and truth(options[option]) for option in _HOW[:2])
    if isinstance(wanted, TestArray):
        tests = wanted.items()
    elif isinstance(wanted, MetaClass):
        tests = find_tests(interp, wanted.data.name)
    else:
        names = ["."] if wanted is None else texts(wanted)
        tests = [test for name in names for test in find_tests(interp, name, below, packages)]
    return chosen(tests, options), options


@builtin("testsuite", family="testing/suites", nargin=(0, None), needs=("interp",))
def testsuite(*args: Any, interp: Interp) -> Any:
    """Tests of files, classes and folders, without running them.

    SUITE = testsuite of the current folder, SUITE = testsuite(NAMES) of files, functions, classes,
    packages or folders
    SUITE = testsuite(…, OPTION, VALUE) of those that match, with * for any characters: "Name",
    "ProcedureName", "Tag", "ParameterProperty", "ParameterName", "Superclass", "BaseFolder";
    "IncludeSubfolders", true and "IncludeSubpackages", true look below

    Examples:
        >> numel(testsuite)
        ans =
             0

    See also: runtests, functiontests, run.
    """
    return TestArray(_suite(interp, args, "testsuite")[0])


@builtin("runtests", family="testing/suites", nargin=(0, None), needs=("interp",))
def runtests(*args: Any, interp: Interp) -> Any:
    """Run the tests of files, classes and folders.

    R = runtests of the current folder, R = runtests(NAMES) of files, functions, classes, packages
    or folders; options as for testsuite, "LoggingLevel" for messages of log, and "Strict", true
    for warnings as failures

    Tests are classes that inherit from matlab.unittest.TestCase, and files whose names begin or end
    with "test": functions that return functiontests, or scripts, each section (%%) of which is a
    test. What fails is printed, and R has for each test Name, Passed, Failed, Incomplete, Duration
    and Details; table(R) shows them, assertSuccess(R) raises an error unless all passed.

    Examples:
        >> r = runtests;
        >> numel(r)
        ans =
             0

    See also: testsuite, functiontests, assert.
    """
    tests, options = _suite(interp, args, "runtests")
    level = level_of(options["LoggingLevel"]) if "LoggingLevel" in options else 1
    strict = "Strict" in options and truth(options["Strict"])
    return run_tests(interp, tests, level=level, is_strict=strict)


@builtin(
    "matlab.unittest.TestCase.forInteractiveUse",
    family="testing/suites",
    needs=("interp",),
)
def for_interactive_use(test_class: Any = None, *, interp: Interp) -> Any:
    """Test case to try qualifications with: each says whether it passed.

    TESTCASE = matlab.unittest.TestCase.forInteractiveUse, or of a class:
    matlab.unittest.TestCase.forInteractiveUse(?CLASS)

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> verifyEqual(t, 1 + 1, 2)
        Verification passed.

    See also: functiontests, runtests.
    """
    if test_class is None:
        return making.construct(interp.find_class(FUNCTION_CASE), ())
    if not isinstance(test_class, MetaClass) or not test_class.data.is_a(TEST_CASE):
        raise MatlabError(
            "MATLAB:unittest:TestCase:NonTestClass",
            f"The class must be given as ?NAME and inherit from {TEST_CASE}.",
        )
    return making.construct(test_class.data, ())
