"""functiontests, testsuite, runtests: from files and functions to suites of tests."""

from __future__ import annotations

import os
import re
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.folders import expand_home
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import pairs
from runmat_core.builtins.testing.qualify import TestCase
from runmat_core.builtins.testing.runner import run_tests
from runmat_core.builtins.testing.values import Fixtures, Result, Test, TestArray
from runmat_core.values import CellArray, FunctionHandle, char, text, texts, truth

_FIXTURES = {"setuponce": "setup_once", "teardownonce": "teardown_once"}
_SECTION = re.compile(r"^\s*%%(.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^\s*function\b", re.MULTILINE)


def _is_test_name(name: str) -> bool:
    low = name.lower()
    return low.startswith("test") or low.endswith("test")


@builtin("functiontests", family="testing/suites", effects="pure")
def functiontests(functions: Any) -> Any:
    """Tests from the functions of a file.

    TESTS = functiontests(localfunctions), in the main function of a file of tests

    Functions whose names begin or end with "test" are tests. They take a test case; setupOnce and
    teardownOnce run before and after the tests of the file, setup and teardown around each test,
    and what they put into testCase.TestData is there for the test. In a test,
    verifyEqual(testCase, ACTUAL, EXPECTED) and its like (verifyTrue, verifyFalse, verifyEmpty,
    verifySize, verifyLength, verifyClass, verifyGreaterThan, verifyLessThan, verifyError,
    verifyWarning, verifyWarningFree, verifySubstring and others) note a failure and go on;
    assertEqual and its like end the test, assumeEqual ends it without a failure,
    fatalAssertEqual ends all tests. verifyEqual takes "AbsTol" and "RelTol".

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
    chosen = [handle for handle in handles if _is_test_name(handle.name)]
    return TestArray([Test(parent, h.name, h, fixtures) for h in chosen])


def _sections(source: str, parent: str, file: str) -> list[Test]:
    """The tests of a script: its sections, after what stands before the first one."""
    functions = _FUNCTION.search(source)
    code = source[: functions.start()] if functions else source
    marks = list(_SECTION.finditer(code))
    if not marks:
        return [Test(parent, parent, source, Fixtures(file=file))]
    tests: list[Test] = []
    tail = source[functions.start() :] if functions else ""
    before = code[: marks[0].start()]
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(code)
        body = code[mark.end() : end]
        if not re.sub(r"%.*", "", body).strip():
            continue
        name = _section_name(mark[1], len(tests) + 1, {test.name for test in tests})
        tests.append(Test(parent, name, f"{before}\n{body}\n{tail}", Fixtures(file=file)))
    return tests


def _section_name(title: str, number: int, taken: set[str]) -> str:
    """A name made of a title: words joined, each with a capital."""
    words = re.findall(r"[A-Za-z0-9]+", title)
    name = words[0] + "".join(w[0].upper() + w[1:] for w in words[1:]) if words else ""
    if not name:
        name = f"TestSection{number}"
    elif not name[0].isalpha():
        name = f"x{name}"
    base, count = name, 0
    while name in taken:
        count += 1
        name = f"{base}_{count}"
    return name


def _tests_of_file(interp: Interp, file: str) -> list[Test]:
    """The tests of a .m file: what its function returns, or its sections."""
    parent = os.path.basename(file).removesuffix(".m")
    with open(file, encoding="utf-8", errors="replace") as stream:
        source = stream.read()
    code = re.sub(r"(?m)^\s*(%.*)?\n", "", source).lstrip()
    if code.startswith("classdef"):
        raise MatlabError(
            "MATLAB:unittest:TestSuite:ClassTests",
            f"'{parent}' is a class: tests are written as functions or scripts here.",
        )
    if not code.startswith("function"):
        return _sections(source, parent, file)
    folder, where = os.path.dirname(file), interp.current_directory()
    path = interp.search_path()
    if folder != where and folder not in path:
        interp.set_search_path([folder, *path])
    try:
        made = interp.call(char(parent), (), 1)
    finally:
        interp.set_search_path(path)
    if not isinstance(made, TestArray):
        raise MatlabError(
            "MATLAB:unittest:TestSuite:NotATest", f"'{parent}' returns no tests (functiontests)."
        )
    return made.items()


def _files(interp: Interp, name: str, below: bool) -> list[str]:
    """The files that a name stands for: a file, a function, or the test files of a folder."""
    place = os.path.normpath(os.path.join(interp.current_directory(), expand_home(name)))
    if os.path.isdir(place):
        found = []
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(folders) if below else []
            found += [
                os.path.join(folder, file)
                for file in sorted(files)
                if file.endswith(".m") and _is_test_name(file[:-2])
            ]
        return found
    for candidate in (place, f"{place}.m"):
        if os.path.isfile(candidate):
            return [candidate]
    file = interp.find_file(name)
    if file is None:
        raise MatlabError(
            "MATLAB:unittest:TestSuite:UnrecognizedSuite",
            f"There is no file, function or folder of tests '{name}'.",
        )
    return [file]


_OPTIONS = (
    *("ProcedureName", "Name", "IncludeSubfolders", "OutputDetail", "LoggingLevel", "Strict"),
    *("Verbosity", "UseParallel", "ReportCoverageFor", "Debug", "ParameterName", "Tag"),
)


def _suite(interp: Interp, args: tuple[Any, ...], function: str) -> list[Test]:
    """The tests that ``runtests(TESTS, NAME, VALUE)`` names."""
    odd = len(args) % 2 == 1
    wanted = args[0] if odd else None
    options, _ = pairs(args[1:] if odd else args, _OPTIONS, function)
    if isinstance(wanted, TestArray):
        tests = wanted.items()
    else:
        names = ["."] if wanted is None else texts(wanted)

        below = "IncludeSubfolders" in options and truth(options["IncludeSubfolders"])
        tests = []
        for name in names:
            # file/test names one test
            file, _, procedure = name.partition("/") if not os.path.exists(name) else (name, "", "")
            if procedure and not re.fullmatch(r"\w+", procedure):
                file, procedure = name, ""
            found = [
                t for path in _files(interp, file, below) for t in _tests_of_file(interp, path)
            ]
            tests += [t for t in found if not procedure or t.name == procedure]
    for option, attribute in (("ProcedureName", "name"), ("Name", "full_name")):
        if option in options:
            pattern = re.compile(re.escape(text(options[option])).replace(r"\*", ".*"))
            tests = [t for t in tests if pattern.fullmatch(getattr(t, attribute))]
    return tests


@builtin("testsuite", family="testing/suites", nargin=(0, None), needs=("interp",))
def testsuite(*args: Any, interp: Interp) -> Any:
    """Tests of files and folders, without running them.

    SUITE = testsuite of the current folder, SUITE = testsuite(NAMES) of files or folders
    SUITE = testsuite(…, "ProcedureName", NAME), SUITE = testsuite(…, "Name", NAME) of those whose
    name matches, with * for any characters; SUITE = testsuite(…, "IncludeSubfolders", true)

    Examples:
        >> numel(testsuite)
        ans =
             0

    See also: runtests, functiontests, run.
    """
    return TestArray(_suite(interp, args, "testsuite"))


@builtin("runtests", family="testing/suites", nargin=(0, None), needs=("interp",))
def runtests(*args: Any, interp: Interp) -> Any:
    """Run the tests of files and folders.

    R = runtests of the current folder, R = runtests(NAMES) of files, functions or folders;
    options as for testsuite

    Files of tests have names that begin or end with "test": functions that return functiontests,
    or scripts, each section (%%) of which is a test. What fails is printed, and R has for each test
    Name, Passed, Failed, Incomplete, Duration and Details.

    Examples:
        >> r = runtests;
        >> numel(r)
        ans =
             0

    See also: testsuite, functiontests, assert.
    """
    return run_tests(interp, _suite(interp, args, "runtests"))


@builtin("matlab.unittest.TestCase.forInteractiveUse", family="testing/suites", needs=("interp",))
def for_interactive_use(*, interp: Interp) -> Any:
    """Test case to try qualifications with: each says whether it passed.

    TESTCASE = matlab.unittest.TestCase.forInteractiveUse

    Examples:
        >> t = matlab.unittest.TestCase.forInteractiveUse;
        >> verifyEqual(t, 1 + 1, 2)
        Verification passed.

    See also: functiontests, runtests.
    """
    return TestCase(interp, Result("interactive"), is_interactive=True)
