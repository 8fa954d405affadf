"""Tests written as classes: set-up, parameters, tags, fixtures, suites, runners."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runmat_core import MatlabError, Session

STACK = """
classdef (TestTags = {'Unit'}) StackTest < matlab.unittest.TestCase
    properties
        Log = 'o'
    end
    properties (TestParameter)
        kind = {'double', int8(3), magic(2), @sin, true};
        size = struct('small', 1, 'large', 20);
    end
    methods (TestClassSetup)
        function once(t)
            t.Log = [t.Log '1'];
            t.addTeardown(@disp, 'class over');
        end
    end
    methods (TestClassTeardown)
        function last(t), disp(['last ' t.Log]), end
    end
    methods (TestMethodSetup)
        function before(t), t.Log = [t.Log 's']; end
    end
    methods (TestMethodTeardown)
        function after(t), disp(['after ' t.Log]), end
    end
    methods (Test)
        function good(t)
            t.addTeardown(@() disp('first'));
            t.addTeardown(@() disp('second'));
            t.verifyEqual(t.Log, 'o1s');
            t.Log = [t.Log 'g'];
        end
        function kinds(t, kind), t.verifyNotEmpty(kind); end
        function both(t, kind, size)
            t.verifyGreaterThan(size, 0);
            t.verifyNotEmpty(kind);
        end
    end
    methods (Test, TestTags = {'Slow', 'Rare'})
        function bad(t), t.verifyTrue(false, 'not today'); end
        function skipped(t), t.assumeTrue(false); end
        function broken(t), error('my:id', 'boom'); end
    end
    methods
        function helper(t), error('no test'); end
    end
end
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "StackTest.m").write_text(STACK)
    return Session(cwd=tmp_path)


def test_a_class_is_set_up_once_and_each_test_has_a_copy(session: Session) -> None:
    out = session.capture("r = runtests('StackTest', 'ProcedureName', 'good');")
    said = [line.removeprefix(".") for line in out.splitlines()]
    order = ["second", "first", "after o1sg", "class over", "last o1"]
    assert [line for line in said if line in order] == order
    assert session.eval("[r.Passed]") is True
    out = session.capture("r = runtests('StackTest');")
    line = next(k for k, text in enumerate(STACK.splitlines(), 1) if "not today" in text)
    assert "Running StackTest\n" in out
    assert "Verification failed in StackTest/bad.\n    ----------------\n" in out
    assert f"(StackTest.bad) at {line}\n" in out
    assert "StackTest/skipped was filtered." in out
    assert "Error occurred in StackTest/broken and it did not run to completion." in out
    assert session.eval("[sum([r.Passed]) sum([r.Failed]) sum([r.Incomplete])]").tolist() == [
        [16, 2, 2]
    ]
    events = "arrayfun(@(one) {one.Details.DiagnosticRecord.Event}, r(~[r.Passed]))"
    assert session.eval(events) == ["VerificationFailed", "AssumptionFailed", "ExceptionThrown"]
    assert session.eval("table(r).Properties.VariableNames") == [
        *("Name", "Passed", "Failed", "Incomplete", "Duration", "Details")
    ]


def test_parameters_name_the_tests(session: Session) -> None:
    assert session.eval("{testsuite('StackTest', 'ProcedureName', 'kinds').Name}") == [
        f"StackTest/kinds(kind={name})"
        for name in ("double", "int8_3", "2x2_double", "@sin", "true")
    ]
    assert session.eval("testsuite('StackTest', 'Name', '*size=large)').ProcedureName") == "both"
    assert session.eval("numel(testsuite('StackTest', 'ParameterProperty', 'size'))") == 10
    assert session.eval("numel(testsuite('StackTest', 'ParameterName', 'small'))") == 5
    session.run("s = testsuite('StackTest', 'ProcedureName', 'both'); p = s(2).Parameterization;")
    assert session.eval("{p.Property, p.Name, p(2).Value}") == [
        "kind",
        "size",
        "double",
        "large",
        20,
    ]


@pytest.mark.parametrize(
    ("way", "names"),
    [
        ("'sequential'", ["a=1,b=3", "a=2,b=4"]),
        ("'exhaustive'", ["a=1,b=3", "a=1,b=4", "a=2,b=3", "a=2,b=4"]),
    ],
)
def test_parameters_are_combined_as_the_block_says(
    way: str, names: list[str], tmp_path: Path
) -> None:
    (tmp_path / "C.m").write_text(
        "classdef C < matlab.unittest.TestCase\nproperties (TestParameter)\na = {1, 2};\n"
        f"b = {{3, 4}};\nend\nmethods (Test, ParameterCombination = {way})\n"
        "function t(c, a, b), end\nend\nend\n"
    )
    assert Session(cwd=tmp_path).eval("{testsuite('C').Name}") == [f"C/t({n})" for n in names]


def test_pairs_of_values_meet_in_pairwise_combinations(tmp_path: Path) -> None:
    (tmp_path / "P.m").write_text(
        "classdef P < matlab.unittest.TestCase\nproperties (TestParameter)\n"
        "a = {1, 2, 3}; b = {1, 2, 3}; c = {1, 2, 3};\nend\n"
        "methods (Test, ParameterCombination = 'pairwise')\nfunction t(x, a, b, c), end\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    session.run("s = testsuite('P'); v = zeros(0, 3);")
    session.run("for k = 1:numel(s), v(k,:) = [s(k).Parameterization.Value]; end")
    pairs = "cellfun(@(k) size(unique(v(:,k), 'rows'), 1), {[1 2], [1 3], [2 3]})"
    assert session.eval(pairs).tolist() == [[9, 9, 9]]
    assert session.eval("numel(s) < 14") is True


def test_setups_have_parameters_too(tmp_path: Path) -> None:
    (tmp_path / "U.m").write_text(
        "classdef U < matlab.unittest.TestCase\n"
        "properties (ClassSetupParameter)\nunit = {'m', 'cm'};\nend\n"
        "properties (MethodSetupParameter)\nseed = {0, 7};\nend\n"
        "properties (TestParameter)\nlater\nend\nproperties\nSeen = {}\nend\n"
        "methods (TestParameterDefinition, Static)\n"
        "function later = given, later = {'x'}; end\nend\n"
        "methods (TestClassSetup)\nfunction c(t, unit), t.Seen{end+1} = unit; end\nend\n"
        "methods (TestMethodSetup)\nfunction m(t, seed), t.Seen{end+1} = seed; end\nend\n"
        "methods (Test)\nfunction one(t, unit, seed, later)\n"
        "t.verifyEqual(t.Seen, {unit, seed}); t.verifyEqual(later, 'x');\nend\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    session.capture("r = runtests('U');")
    assert session.eval("{r.Name}") == [
        f"U[unit={unit}]/[seed={seed}]one(later=x)" for unit in ("m", "cm") for seed in (0, 7)
    ]
    assert session.eval("all([r.Passed])") is True


def test_tags_choose_tests(session: Session) -> None:
    assert session.eval("numel(testsuite('StackTest', 'Tag', 'Slow'))") == 3
    assert session.eval("numel(testsuite('StackTest', 'Tag', 'Unit'))") == 19
    assert session.eval("numel(testsuite('StackTest', 'Tag', 'slow'))") == 0
    assert session.eval("testsuite('StackTest', 'ProcedureName', 'bad').Tags") == [
        *("Unit", "Slow", "Rare")
    ]
    assert "10 Parameterizations" not in session.capture("s = testsuite('StackTest')")
    assert "7 Parameterizations, 0 Shared Test Fixture Classes, 3 Tags." in session.capture("s")


@pytest.mark.parametrize(
    ("suite", "count"),
    [
        ("matlab.unittest.TestSuite.fromClass(?StackTest)", 19),
        ("matlab.unittest.TestSuite.fromFile('StackTest.m')", 19),
        ("matlab.unittest.TestSuite.fromFolder(pwd)", 19),
        ("matlab.unittest.TestSuite.fromMethod(?StackTest, 'kinds')", 5),
        ("matlab.unittest.TestSuite.fromName('StackTest/both(kind=true,size=small)')", 1),
        ("matlab.unittest.TestSuite.fromPackage('geo')", 1),
        ("matlab.unittest.TestSuite.fromFolder(pwd, 'IncludingSubfolders', true)", 20),
        ("testsuite('geo.AreaTest')", 1),
        ("testsuite('geo')", 1),
        ("testsuite(?StackTest)", 19),
        ("selectIf(testsuite, 'Tag', 'Slow')", 3),
        ("[testsuite('geo'), testsuite('StackTest/good')]", 2),
    ],
)
def test_suites_come_from_everything_that_holds_tests(
    suite: str, count: int, session: Session, tmp_path: Path
) -> None:
    for folder in ("+geo", "deeper"):
        (tmp_path / folder).mkdir()
    plain = "classdef {} < matlab.unittest.TestCase\nmethods (Test)\nfunction t(c), end\nend\nend\n"
    (tmp_path / "+geo" / "AreaTest.m").write_text(plain.format("AreaTest"))
    (tmp_path / "deeper" / "Named.m").write_text(plain.format("Named"))
    (tmp_path / "Other.m").write_text("classdef Other\nend\n")
    assert session.eval(f"numel({suite})") == count
    assert session.eval(f"isa({suite}, 'matlab.unittest.TestSuite')") is True


def test_runners_print_or_do_not_and_write_reports(session: Session, tmp_path: Path) -> None:
    session.run("s = testsuite('StackTest', 'Tag', 'Slow');")
    quiet = "r = run(matlab.unittest.TestRunner.withNoPlugins, s);"
    assert session.capture(quiet).replace("after o1s\n", "") == "class over\nlast o1\n"
    session.run("runner = matlab.unittest.TestRunner.withTextOutput;")
    session.run(
        "runner.addPlugin(matlab.unittest.plugins.XMLPlugin.producingJUnitFormat('r.xml'));"
    )
    assert "Failure Summary:" in session.capture("r = runner.run(s);")
    suite = ElementTree.parse(tmp_path / "r.xml").getroot()[0]
    assert suite.attrib["name"] == "StackTest"
    assert [suite.attrib[k] for k in ("tests", "failures", "errors", "skipped")] == [*"3111"]
    assert [(case.attrib["name"], case[0].tag) for case in suite] == [
        *(("bad", "failure"), ("skipped", "skipped"), ("broken", "error"))
    ]
    assert "not today" in str(suite[0][0].text)
    assert all(float(case.attrib["time"]) >= 0 for case in suite)


def test_objects_run_their_own_tests(session: Session) -> None:
    session.capture("t = StackTest; r = run(t, 'good'); q = t.run();")
    assert session.eval("[numel(r) numel(q)]").tolist() == [[1, 19]]


def test_classes_inherit_tests_and_set_ups_run_from_above(tmp_path: Path) -> None:
    (tmp_path / "Base.m").write_text(
        "classdef (Abstract) Base < matlab.unittest.TestCase\nproperties\nSeen = ''\nend\n"
        "methods (TestMethodSetup)\nfunction b(t), t.Seen = [t.Seen 'b']; end\nend\n"
        "methods (Test)\nfunction shared(t), t.verifyEqual(t.Seen, 'bd'); end\nend\nend\n"
    )
    (tmp_path / "Derived.m").write_text(
        "classdef Derived < Base\nmethods (TestMethodSetup)\n"
        "function d(t), t.Seen = [t.Seen 'd']; end\nend\n"
        "methods (Test)\nfunction own(t), t.verifyEqual(t.Seen, 'bd'); end\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    session.capture("r = runtests;")
    assert session.eval("{r.Name}") == ["Derived/own", "Derived/shared"]
    assert session.eval("all([r.Passed])") is True


@pytest.mark.parametrize("block", ["TestClassSetup", "TestMethodSetup"])
def test_what_a_set_up_raises_keeps_its_tests_from_running(block: str, tmp_path: Path) -> None:
    (tmp_path / "S.m").write_text(
        f"classdef S < matlab.unittest.TestCase\nmethods ({block})\n"
        "function s(t), error('no'), end\nend\nmethods (Test)\nfunction a(t), disp ran, end\n"
        "function b(t), disp ran, end\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    assert "ran" not in session.capture("r = runtests('S');").replace("did not run", "")
    assert session.eval("[r.Failed r.Incomplete]").tolist() == [[1, 1, 1, 1]]


def test_fixtures_are_put_back(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "seven.m").write_text("function x = seven, x = 7; end\n")
    (tmp_path / "Opened.m").write_text(
        "classdef Opened < matlab.unittest.fixtures.Fixture\nproperties\nValue = 0\nend\n"
        "methods\nfunction setup(f), f.Value = 5; f.addTeardown(@disp, 'added'); end\n"
        "function teardown(f), fprintf('closed %d\\n', f.Value); end\nend\nend\n"
    )
    (tmp_path / "F.m").write_text(
        "classdef F < matlab.unittest.TestCase\nmethods (Test)\nfunction all(t)\n"
        "import matlab.unittest.fixtures.*\n"
        "f = t.applyFixture(TemporaryFolderFixture); assignin('base', 'gone', f.Folder);\n"
        "t.verifyTrue(isfolder(f.Folder));\n"
        "t.applyFixture(PathFixture('lib')); t.verifyEqual(seven, 7);\n"
        "t.applyFixture(SuppressedWarningsFixture('a:b')); warning('a:b', 'loud');\n"
        "t.applyFixture(EnvironmentVariableFixture('RUNMAT_TRIED', 'x'));\n"
        "t.verifyEqual(getenv('RUNMAT_TRIED'), 'x');\n"
        "o = t.applyFixture(Opened); t.verifyEqual(o.Value, 5);\n"
        "before = pwd; w = t.applyFixture(WorkingFolderFixture); t.verifyNotEqual(pwd, before);\n"
        "t.verifyEqual(numel(t.createTemporaryFolder) > 3, true);\n"
        "end\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    session.run("here = pwd; p = path;")
    out = session.capture("r = runtests('F');")
    assert session.eval("[r.Passed]") is True, out
    assert "loud" not in out
    assert out.index("closed 5") < out.index("added")
    checks = "[isfolder(gone) isequal(pwd, here) isequal(path, p) isempty(getenv('RUNMAT_TRIED'))]"
    assert session.eval(checks).tolist() == [[0, 1, 1, 1]]
    with pytest.raises(MatlabError) as raised:
        session.run("matlab.unittest.TestCase.forInteractiveUse().applyFixture(3)")
    assert raised.value.identifier == "MATLAB:unittest:TestCase:InvalidFixture"


def test_constraints_combine(session: Session) -> None:
    session.run("t = matlab.unittest.TestCase.forInteractiveUse;")
    names = "import matlab.unittest.constraints.*; "
    for holds in (
        "t.verifyThat(3, IsGreaterThan(2) & IsLessThan(4))",
        "t.verifyThat(3, ~IsEqualTo(4) & (IsEmpty | HasLength(1)))",
        "near = AbsoluteTolerance(0.01) | RelativeTolerance(0.3);"
        "t.verifyThat(1.2, IsEqualTo(1, 'Within', near))",
        "t.verifyThat('A b', IsEqualTo('ab', 'IgnoringCase', true, 'IgnoringWhitespace', true)"
        " | IsOfClass('char'))",
        "t.verifyThat(struct('a', 1, 'b', 2), IsEqualTo(struct('a', 1), 'IgnoringFields', {'b'}))",
    ):
        assert session.capture(names + holds) == "Verification passed.\n"
    out = session.capture(names + "t.verifyThat(3, IsLessThan(2) | IsEmpty)")
    assert "IsLessThan failed." in out
    assert "IsEmpty failed." in out


def test_a_strict_run_fails_what_warns(tmp_path: Path) -> None:
    (tmp_path / "warnTest.m").write_text("%% one\nwarning('a:b', 'c')\n%% two\nx = 1;\n")
    session = Session(cwd=tmp_path)
    session.capture("r = runtests('warnTest'); q = runtests('warnTest', 'Strict', true);")
    assert session.eval("[r.Passed q.Passed]").tolist() == [[1, 1, 0, 1]]


def test_the_command_runs_what_is_below(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "StackTest.m").write_text(STACK)
    (tmp_path / "okTest.m").write_text("%% fine\nassert(true)\n")

    def command(*args: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "runmat_core", "test", *args]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)

    done = command("--junit", "r.xml")
    assert done.returncode == 1
    assert "Totals:\n   17 Passed, 2 Failed, 2 Incomplete." in done.stdout
    assert "Traceback" not in done.stderr
    root = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert [suite.attrib["name"] for suite in root] == ["okTest", "StackTest"]
    assert command("okTest.m").returncode == 0
    assert command("--tag", "Slow", "--name", "*skipped").returncode == 0
    assert command("--name", "nothing").stderr == "runmat: there are no such tests.\n"
    assert command("nowhere").returncode == 1
    # a file that cannot be read is no test that passed
    (tmp_path / "deep" / "StackTest.m").write_text(
        "classdef StackTest < matlab.unittest.TestCase\nmethods (Test)\nx = (\nend\nend\n"
    )
    done = command("--junit", "r.xml")
    assert done.returncode == 1
    assert "StackTest.m' cannot be found." in done.stdout
    assert "2 Passed" not in done.stdout
    root = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert root.find(".//error") is not None
    assert command("--junit", "missing/r.xml").stderr.startswith("The file 'missing/r.xml' cannot")


def test_classes_share_fixtures_with_their_tests(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "seven.m").write_text("function x = seven, x = 7; end\n")
    (tmp_path / "G.m").write_text(
        "classdef (SharedTestFixtures = {matlab.unittest.fixtures.PathFixture('lib')}, ...\n"
        "    TestTags = {'T'}) G < matlab.unittest.TestCase\n"
        "methods (TestClassSetup)\nfunction s(t), t.assertEqual(seven, 7); end\nend\n"
        "methods (Test)\nfunction a(t), t.verifyEqual(seven, 7); end\nend\nend\n"
    )
    session = Session(cwd=tmp_path)
    session.run("p = path;")
    session.capture("r = runtests('G', 'Tag', 'T');")
    assert session.eval("[r.Passed isequal(path, p)]").tolist() == [[1, 1]]
    (tmp_path / "G.m").write_text(
        "classdef (SharedTestFixtures = {matlab.unittest.fixtures.PathFixture('none')}) G ...\n"
        "    < matlab.unittest.TestCase\nmethods (Test)\nfunction a(t), end\nend\nend\n"
    )
    out = session.capture("r = runtests('G');")
    assert "does not exist" in out
    assert session.eval("[r.Failed r.Incomplete]").tolist() == [[1, 1]]


def test_qualifications_ask_the_operators_of_classes(session: Session) -> None:
    session.run("t = matlab.unittest.TestCase.forInteractiveUse; d = datetime(2020, 1, 1:2);")
    assert session.capture("verifyLessThan(t, d(1), d(2))") == "Verification passed.\n"
    assert session.capture("verifyGreaterThan(t, seconds(2), seconds(1))") == (
        "Verification passed.\n"
    )


def test_names_are_imported_with_their_methods(session: Session) -> None:
    for imported in ("matlab.unittest.TestSuite", "matlab.unittest.*"):
        code = f"import {imported}\ns = TestSuite.fromClass(?StackTest);"
        session.run(code)
        assert session.eval("numel(s)") == 19
