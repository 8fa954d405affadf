"""``matlab.unittest.TestSuite.from…`` and ``matlab.unittest.TestRunner``."""

from __future__ import annotations

from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.named import pairs
from runmat_core.builtins.testing import finding
from runmat_core.builtins.testing.bases import level_of
from runmat_core.builtins.testing.class_suites import tests_of_class
from runmat_core.builtins.testing.runner import run_tests
from runmat_core.builtins.testing.values import OPTIONS, Test, TestArray, chosen
from runmat_core.values import text, truth
from runmat_core.values.object import HandleObject, method
from runmat_core.values.objects.meta import MetaClass


def _array(tests: list[Test], args: tuple[Any, ...], function: str) -> TestArray:
    """Return the tests that options such as ``"Tag"`` select."""
    options, _ = pairs(args, (*OPTIONS, "ExternalParameters"), function)
    return TestArray(chosen(tests, options))


@builtin(
    "matlab.unittest.TestSuite.fromFile",
    family="testing/suites",
    nargin=(1, None),
    needs=("interp",),
)
def from_file(file: Any, *args: Any, interp: Interp) -> Any:
    """Tests of a file.

    SUITE = matlab.unittest.TestSuite.fromFile(FILE), with options as for testsuite

    Examples:
        >> try, matlab.unittest.TestSuite.fromFile('none.m'), catch e, disp(e.identifier), end
        MATLAB:unittest:TestSuite:UnrecognizedSuite

    See also: testsuite, runtests.
    """
    return _array(finding.find_tests(interp, text(file)), args, "fromFile")


@builtin(
    "matlab.unittest.TestSuite.fromFolder",
    family="testing/suites",
    nargin=(1, None),
    needs=("interp",),
)
def from_folder(folder: Any, *args: Any, interp: Interp) -> Any:
    """Tests of a folder.

    SUITE = matlab.unittest.TestSuite.fromFolder(FOLDER)
    SUITE = matlab.unittest.TestSuite.fromFolder(FOLDER, "IncludingSubfolders", true) of all below,
    too; other options as for testsuite

    Examples:
        >> numel(matlab.unittest.TestSuite.fromFolder(pwd))
        ans =
             0

    See also: testsuite, runtests.
    """
    known = ("IncludingSubfolders", "IncludeSubfolders")
    options, _ = pairs(args, (*OPTIONS, *known, "ExternalParameters"), "fromFolder")
    below = any(truth(options[name]) for name in known if name in options)
    return TestArray(chosen(finding.find_tests(interp, text(folder), below), options))


@builtin(
    "matlab.unittest.TestSuite.fromPackage",
    family="testing/suites",
    nargin=(1, None),
    needs=("interp",),
)
def from_package(name: Any, *args: Any, interp: Interp) -> Any:
    """Tests of a package.

    SUITE = matlab.unittest.TestSuite.fromPackage(NAME)
    SUITE = matlab.unittest.TestSuite.fromPackage(NAME, "IncludingSubpackages", true)

    Examples:
        >> try, matlab.unittest.TestSuite.fromPackage('none'), catch e, disp(e.identifier), end
        MATLAB:unittest:TestSuite:InvalidPackage

    See also: testsuite, runtests.
    """
    known = ("IncludingSubpackages", "IncludeSubpackages")
    options, _ = pairs(args, (*OPTIONS, *known, "ExternalParameters"), "fromPackage")
    folder = finding.package_folder(interp, text(name))
    if folder is None:
        raise MatlabError(
            "MATLAB:unittest:TestSuite:InvalidPackage", f"There is no package '{text(name)}'."
        )
    below = any(truth(options[one]) for one in known if one in options)
    return TestArray(chosen(finding.find_in_folder(interp, folder, packages=below), options))


@builtin("matlab.unittest.TestSuite.fromClass", family="testing/suites", nargin=(1, None))
def from_class(test_class: Any, *args: Any) -> Any:
    """Tests of a class.

    SUITE = matlab.unittest.TestSuite.fromClass(?CLASS), with options as for testsuite

    Examples:
        >> try, matlab.unittest.TestSuite.fromClass(?handle), catch e, disp(e.identifier), end
        MATLAB:unittest:TestSuite:NonTestClass

    See also: testsuite, runtests, metaclass.
    """
    return _array(_tests_of_class(test_class), args, "fromClass")


@builtin("matlab.unittest.TestSuite.fromMethod", family="testing/suites", nargin=(2, None))
def from_method(test_class: Any, name: Any, *args: Any) -> Any:
    """Tests of one method of a class.

    SUITE = matlab.unittest.TestSuite.fromMethod(?CLASS, METHOD)

    Examples:
        >> try, matlab.unittest.TestSuite.fromMethod(?handle, 'f'), catch e, disp(e.identifier), end
        MATLAB:unittest:TestSuite:NonTestClass

    See also: testsuite, runtests, metaclass.
    """
    found = [test for test in _tests_of_class(test_class) if test.name == text(name)]
    if not found:
        raise MatlabError(
            "MATLAB:unittest:TestSuite:InvalidMethodName",
            f"The class '{test_class.data.name}' has no test method '{text(name)}'.",
        )
    return _array(found, args, "fromMethod")


def _tests_of_class(value: Any) -> list[Test]:
    if not isinstance(value, MetaClass) or not value.data.is_a("matlab.unittest.TestCase"):
        raise MatlabError(
            "MATLAB:unittest:TestSuite:NonTestClass",
            "The class must be given as ?NAME and inherit from matlab.unittest.TestCase.",
        )
    return tests_of_class(value.data)


@builtin(
    "matlab.unittest.TestSuite.fromName",
    family="testing/suites",
    nargin=(1, None),
    needs=("interp",),
)
def from_name(name: Any, *args: Any, interp: Interp) -> Any:
    """Test of a name such as 'CLASS/METHOD'.

    SUITE = matlab.unittest.TestSuite.fromName(NAME)

    Examples:
        >> try, matlab.unittest.TestSuite.fromName('none/t'), catch e, disp(e.identifier), end
        MATLAB:unittest:TestSuite:UnrecognizedSuite

    See also: testsuite, runtests.
    """
    word = text(name)
    return _array(finding.named_test(interp, word.partition("/")[0], word), args, "fromName")


class TestRunner(HandleObject):
    """What runs tests; `data` is how: whether quietly, and files for results."""

    __slots__ = ()
    class_name = "matlab.unittest.TestRunner"
    properties = ()

    def __init__(self, interp: Interp, is_quiet: bool, level: int = 1) -> None:
        self.data = {"interp": interp, "is_quiet": is_quiet, "level": level, "plugins": []}

    @method("run")
    def run(self, nargout: int, tests: Any, *_: Any) -> Any:
        """``run(RUNNER, SUITE)``: the results."""
        if not isinstance(tests, TestArray):
            raise MatlabError(
                "MATLAB:unittest:TestRunner:InvalidSuite", "The second value must be a test suite."
            )
        data = self.data
        plugins = data["plugins"]
        stops = any(plugin.data["stops"] for plugin in plugins)
        results = run_tests(
            data["interp"],
            tests.items(),
            is_quiet=data["is_quiet"],
            level=data["level"],
            stops=stops,
        )
        for plugin in plugins:
            if plugin.data["file"]:
                from runmat_core.builtins.testing.junit import write_report

                write_report(plugin.data["file"], results.items())
        return results

    @method("addPlugin")
    def add_plugin(self, nargout: int, plugin: Any) -> None:
        """``addPlugin(RUNNER, PLUGIN)``."""
        if not isinstance(plugin, Plugin):
            raise MatlabError(
                "MATLAB:unittest:TestRunner:InvalidPlugin", "The second value must be a plugin."
            )
        self.data["plugins"].append(plugin)


class Plugin(HandleObject):
    """A plugin of a test runner: a file for results, or a rule when to stop."""

    __slots__ = ()
    properties = ()

    def __init__(self, name: str, file: str = "", stops: bool = False) -> None:
        self.data = {"name": name, "file": file, "stops": stops}

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return f"matlab.unittest.plugins.{self.data['name']}"


@builtin(
    "matlab.unittest.TestRunner.withTextOutput",
    family="testing/suites",
    nargin=(0, None),
    needs=("interp",),
)
def with_text_output(*args: Any, interp: Interp) -> Any:
    """Test runner that prints progress and failures.

    RUNNER = matlab.unittest.TestRunner.withTextOutput; RESULTS = run(RUNNER, SUITE)
    "LoggingLevel", LEVEL prints messages of log up to that level.

    Examples:
        >> runner = matlab.unittest.TestRunner.withTextOutput;
        >> numel(runner.run(testsuite))
        ans =
             0

    See also: testsuite, runtests.
    """
    known = ("LoggingLevel", "OutputDetail", "Verbosity")
    options, _ = pairs(args, known, "withTextOutput")
    return TestRunner(interp, False, level_of(options.get("LoggingLevel", 1.0)))


@builtin(
    "matlab.unittest.TestRunner.withDefaultPlugins",
    family="testing/suites",
    nargin=(0, None),
    needs=("interp",),
)
def with_default_plugins(*args: Any, interp: Interp) -> Any:
    """Test runner that does what runtests does.

    RUNNER = matlab.unittest.TestRunner.withDefaultPlugins, also called testrunner

    Examples:
        >> runner = matlab.unittest.TestRunner.withDefaultPlugins;
        >> class(runner)
        ans =
            'matlab.unittest.TestRunner'

    See also: testsuite, runtests.
    """
    return with_text_output(*args, interp=interp)


@builtin("testrunner", family="testing/suites", nargin=(0, 1), needs=("interp",))
def make_testrunner(kind: Any = None, *, interp: Interp) -> Any:
    """Test runner: what runs a suite of tests.

    RUNNER = testrunner, RUNNER = testrunner("textoutput") prints progress and failures;
    RUNNER = testrunner("minimal") prints nothing

    Examples:
        >> r = run(testrunner("minimal"), testsuite);
        >> numel(r)
        ans =
             0

    See also: testsuite, runtests, run.
    """
    from runmat_core.builtins.named import choice

    names = ("textoutput", "minimal")
    word = "textoutput" if kind is None else choice(kind, names, "testrunner")
    return TestRunner(interp, word == "minimal")


@builtin("matlab.unittest.TestRunner.withNoPlugins", family="testing/suites", needs=("interp",))
def with_no_plugins(*, interp: Interp) -> Any:
    """Test runner that prints nothing.

    RUNNER = matlab.unittest.TestRunner.withNoPlugins; RESULTS = run(RUNNER, SUITE)

    Examples:
        >> runner = matlab.unittest.TestRunner.withNoPlugins;
        >> numel(run(runner, testsuite))
        ans =
             0

    See also: testsuite, runtests.
    """
    return TestRunner(interp, True)


@builtin(
    "matlab.unittest.plugins.XMLPlugin.producingJUnitFormat",
    family="testing/suites",
    nargin=(1, None),
    needs=("interp",),
)
def producing_junit_format(file: Any, *_: Any, interp: Interp) -> Any:
    """Plugin of a test runner: results in an XML file in JUnit's format.

    addPlugin(RUNNER, matlab.unittest.plugins.XMLPlugin.producingJUnitFormat(FILE))

    Examples:
        >> class(matlab.unittest.plugins.XMLPlugin.producingJUnitFormat('r.xml'))
        ans =
            'matlab.unittest.plugins.XMLPlugin'

    See also: testsuite, runtests.
    """
    import os

    place = os.path.join(interp.current_directory(), text(file))
    return Plugin("XMLPlugin", file=place)


@builtin("matlab.unittest.plugins.StopOnFailuresPlugin", family="testing/suites", nargin=(0, None))
def stop_on_failures_plugin(*_: Any) -> Any:
    """Plugin of a test runner: the first failure ends the run.

    addPlugin(RUNNER, matlab.unittest.plugins.StopOnFailuresPlugin)

    There is no debugger to stop in: tests that are left are incomplete.

    Examples:
        >> class(matlab.unittest.plugins.StopOnFailuresPlugin)
        ans =
            'matlab.unittest.plugins.StopOnFailuresPlugin'

    See also: testsuite, runtests.
    """
    return Plugin("StopOnFailuresPlugin", stops=True)
