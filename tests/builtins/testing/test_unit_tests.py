"""Tests written in MATLAB: functions with qualifications, scripts with sections."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

FUNCTIONS = """
function tests = areaTest
tests = functiontests(localfunctions);
end
function setupOnce(t)
t.TestData.log = 'o';
disp('once')
end
function teardownOnce(t)
disp(['end ' t.TestData.log])
end
function setup(t)
t.TestData.log = [t.TestData.log 's'];
end
function teardown(t)
disp(t.TestData.log)
end
function testGood(t)
t.TestData.log = [t.TestData.log 'g'];
verifyEqual(t, 1 + 1, 2)
end
function testGoesOn(t)
t.verifyEqual(1, 2, 'one is not two');
t.TestData.log = [t.TestData.log 'b'];
end
function testStops(t)
assertTrue(t, false)
t.TestData.log = [t.TestData.log 'never'];
end
function testSkips(t)
assumeEmpty(t, 5)
end
function testBreaks(t)
error('area:bad', 'boom')
end
function helper(t)
error('this is no test')
end
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "areaTest.m").write_text(FUNCTIONS)
    return Session(cwd=tmp_path)


def test_results_say_what_became_of_each_test(session: Session) -> None:
    out = session.capture("r = runtests('areaTest');")
    names = [f"areaTest/{n}" for n in ("testGood", "testGoesOn", "testStops", "testSkips")]
    assert session.eval("{r.Name}") == [*names, "areaTest/testBreaks"]
    assert session.eval("[r.Passed]").tolist() == [[1, 0, 0, 0, 0]]
    assert session.eval("[r.Failed]").tolist() == [[0, 1, 1, 0, 1]]
    assert session.eval("[r.Incomplete]").tolist() == [[0, 0, 1, 1, 1]]
    assert session.eval("all([r.Duration] >= 0)") is True
    assert "one is not two" in session.eval("r(2).Details.DiagnosticRecord(1).Report")
    for text in ("area:bad", "boom", "Verification failed in areaTest/testGoesOn.", "(testStops)"):
        assert text in out or text == "area:bad"
    # fixtures run around each test, and data put in before are there anew for each
    logs = [line for line in out.splitlines() if line.strip(".")[:2] in {"on", "os", "en"}]
    assert [line.strip(".") for line in logs] == [
        *("once", "osg", "osb", "os", "os", "os", "end o")
    ]
    with pytest.raises(MatlabError, match="areaTest/testGoesOn"):
        session.run("assertSuccess(r)")


def test_suites_are_chosen_by_name_and_run(session: Session) -> None:
    assert session.eval("numel(testsuite('areaTest'))") == 5
    assert session.eval("numel(testsuite)") == 5
    assert session.eval("numel(testsuite('areaTest', 'ProcedureName', 'testG*'))") == 2
    session.capture("r = run(testsuite('areaTest/testGood'));")
    assert session.eval("[numel(r) r.Passed]").tolist() == [[1, 1]]
    session.capture("r = run([testsuite('areaTest/testGood') testsuite('areaTest/testStops')]);")
    assert session.eval("[r.Failed]").tolist() == [[0, 1]]
    assert "1×5 Test array" in session.capture("t = areaTest")


def test_a_fatal_assertion_ends_all(session: Session, tmp_path: Path) -> None:
    (tmp_path / "fatalTest.m").write_text(
        "function t = fatalTest\nt = functiontests(localfunctions);\nend\n"
        "function testA(t)\nt.fatalAssertEqual(1, 2)\nend\nfunction testB(t)\nend\n"
    )
    session.capture("r = runtests({'fatalTest', 'areaTest'});")
    assert session.eval("numel(r)") == 7
    assert session.eval("[r(1).Failed any([r(2:end).Failed]) all([r.Incomplete])]").tolist() == [
        [1, 0, 1]
    ]


def test_a_failing_fixture_fails_its_tests(session: Session, tmp_path: Path) -> None:
    (tmp_path / "brokenTest.m").write_text(
        "function t = brokenTest\nt = functiontests(localfunctions);\nend\n"
        "function setupOnce(t)\nerror('no')\nend\nfunction testA(t)\ndisp('ran')\nend\n"
    )
    assert "ran" not in session.capture("r = runtests('brokenTest');")
    assert session.eval("[r.Failed r.Incomplete]").tolist() == [[1, 1]]


def test_sections_of_a_script_are_tests(session: Session, tmp_path: Path) -> None:
    (tmp_path / "stepsTest.m").write_text(
        "x = 3;\n%% it is three\nassert(x == 3)\nx = 7;\n%% still three\nassert(double2(x) == 6)\n"
        "%%\nassert(false, 'my:id', 'no')\nfunction y = double2(x)\ny = 2 * x;\nend\n"
    )
    session.capture("r = runtests('stepsTest');")
    assert session.eval("{r.Name}") == [
        "stepsTest/itIsThree",
        "stepsTest/stillThree",
        "stepsTest/TestSection3",
    ]
    assert session.eval("[r.Passed]").tolist() == [[1, 1, 0]]


PASSES = [
    "verifyEqual(t, NaN, NaN)",
    "verifyEqual(t, {1, 'a', struct('b', 2)}, {1, 'a', struct('b', 2)})",
    "verifyEqual(t, 1.05, 1, 'AbsTol', 0.1)",
    "verifyEqual(t, [100 200], [101 199], 'RelTol', 0.02)",
    "verifyEqual(t, struct('a', {1, 2}), struct('a', {1.01, 2}), 'AbsTol', 0.1)",
    "verifyNotEqual(t, 1, int8(1))",
    "verifyTrue(t, 1 == 1)",
    "verifyFalse(t, false)",
    "verifyEmpty(t, [])",
    "verifyNotEmpty(t, 'a')",
    "verifySize(t, ones(2, 3), [2 3])",
    "verifyLength(t, ones(2, 3), 3)",
    "verifyNumElements(t, ones(2, 3), 6)",
    "verifyClass(t, int8(1), 'int8')",
    "verifyClass(t, 1, 'double')",
    "verifyInstanceOf(t, int8(1), 'integer')",
    "verifyGreaterThan(t, [2 3], 1)",
    "verifyGreaterThanOrEqual(t, 2, 2)",
    "verifyLessThan(t, 1, [2 3])",
    "verifyLessThanOrEqual(t, 2, 2)",
    "verifyError(t, @() error('a:b', 'c'), 'a:b')",
    "verifyWarning(t, @() warning('a:w', 'x'), 'a:w')",
    "verifyWarningFree(t, @() 1)",
    "verifySubstring(t, 'house', 'us')",
    "verifyMatches(t, 'house', '^h.*e$')",
    "m = containers.Map; verifySameHandle(t, m, m)",
]

FAILS = [
    ("verifyEqual(t, int8(1), 1)", "Classes do not match"),
    ("verifyEqual(t, [1 2], [1; 2])", "Sizes do not match"),
    ("verifyEqual(t, {1, {2}}, {1, {3}})", "<Value>{2}{1}"),
    ("verifyEqual(t, struct('a', 1), struct('b', 1))", "Field names"),
    ("verifyEqual(t, sparse(1), 1)", "Sparsity"),
    ("verifyEqual(t, 1.2, 1, 'AbsTol', 0.1)", "AbsoluteTolerance"),
    ("verifyEqual(t, NaN, 1, 'AbsTol', 0.1)", "not within absolute tolerance"),
    ("verifyEqual(t, 1, 2, 'RelTol', 0.1, 'look here')", "look here"),
    ("verifyEqual(t, 1, 2, 'look here', 'RelTol', 0.1)", "look here"),
    ("verifyEqual(t, 1, 2, @() disp('called'))", "called"),
    ("verifyTrue(t, 1)", 'of type "double"'),
    ("verifyTrue(t, [true true])", "must be scalar"),
    ("verifyError(t, @() 1, 'a:b')", "did not throw any exception"),
    ("verifyError(t, @() error('c:d', 'x'), 'a:b')", "'c:d'"),
    ("verifyWarning(t, @() 1, 'a:b')", "did not issue any warnings"),
    ("verifyWarningFree(t, @() warning('a:w', 'x'))", "a:w"),
    ("verifySize(t, 1, [2 3])", "incorrect size"),
    ("verifyGreaterThan(t, [1 2], 1)", "greater than the minimum value"),
    ("verifyFail(t, 'not yet')", "not yet"),
    ("verifyEqual(t, single(1.05), single(1), 'AbsTol', 0.1)", "not for values of class 'single'"),
    ("verifyEqual(t, magic(3), magic(3)')", "(2,1)"),
    ("verifyReturnsTrue(t, @() 1)", "did not evaluate"),
    ("m = containers.Map; verifyNotSameHandle(t, m, m)", "must not refer"),
    ("verifyThat(t, 3, matlab.unittest.constraints.IsLessThan(2))", "IsLessThan failed"),
]


@pytest.mark.parametrize("call", PASSES)
def test_qualifications_that_hold(call: str, session: Session) -> None:
    session.run("t = matlab.unittest.TestCase.forInteractiveUse;")
    assert session.capture(call) == "Verification passed.\n"


@pytest.mark.parametrize(("call", "says"), FAILS)
def test_qualifications_that_do_not(call: str, says: str, session: Session) -> None:
    session.run("t = matlab.unittest.TestCase.forInteractiveUse;")
    out = session.capture(call)
    assert out.startswith("Verification failed.")
    assert says in out


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("runtests('nowhere')", "MATLAB:unittest:TestSuite:UnrecognizedSuite"),
        ("functiontests({1})", "MATLAB:unittest:functiontests:MustBeCellOfFunctionHandles"),
        ("runtests('areaTest', 'Wat', 1)", "MATLAB:runtests:unrecognizedStringChoice"),
        ("t = matlab.unittest.TestCase.forInteractiveUse; verifyEqual(t, 1)", "MATLAB:minrhs"),
        ("t = matlab.unittest.TestCase.forInteractiveUse; assertEqual(t, 1, 2)",
         "MATLAB:unittest:Assertable:AssertionFailed"),
        ("verifyEqual(1, 1, 1)", "MATLAB:UndefinedFunction"),
        ("verifyNothing(matlab.unittest.TestCase.forInteractiveUse)", "MATLAB:UndefinedFunction"),
    ],
)  # fmt: skip
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


def test_local_functions_are_those_beside_the_main_one(session: Session, tmp_path: Path) -> None:
    (tmp_path / "many.m").write_text(
        "function c = many\nc = localfunctions;\nend\nfunction f\nend\n"
    )
    assert session.eval("numel(many)") == 1
