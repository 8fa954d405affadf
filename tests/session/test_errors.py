"""Raising, catching and reporting errors."""

from __future__ import annotations

import copy
from pathlib import Path
from textwrap import dedent

import pytest

import runmat_core as rm
from runmat_core.session import faults


@pytest.fixture
def s(tmp_path: Path) -> rm.Session:
    return rm.Session(cwd=tmp_path)


def caught(s: rm.Session, code: str) -> tuple[str, str]:
    """Identifier and message of the error that `code` raises, as ``catch`` sees them."""
    s.run(f"try\n{code}\nid = 'none'; msg = '';\ncatch e\nid = e.identifier; msg = e.message;\nend")
    return s["id"], s["msg"]


@pytest.mark.parametrize(
    ("code", "identifier", "message"),
    [
        # a lone message is not a format, nor is it an identifier
        (r"error('text\n')", "", r"text\n"),
        ("error('x:y')", "", "x:y"),
        ("error('50% done')", "", "50% done"),
        ("error('a:b', 'v %d', 3)", "a:b", "v 3"),
        (r"error('a:b', 'tab\tend')", "a:b", "tab\tend"),
        ("error('v is %d', 3)", "", "v is 3"),
        ("error('not an id: %d', 3)", "", "not an id: 3"),
        ('error("a:b", "v %s", "w")', "a:b", "v w"),
        ("error(struct('message', 'm', 'identifier', 'a:b'))", "a:b", "m"),
        ("error('')", "none", ""),
        ("error([])", "none", ""),
        ("error(struct('message', {}))", "none", ""),
        ("error({1})", "MATLAB:error:InvalidInput", None),
        ("rethrow(struct('message', 'm', 'identifier', 'a:b'))", "a:b", "m"),
        ("throw(MException('a:b', 'v %d', 1))", "a:b", "v 1"),
        ("ME = MException('a:b', 'v'); ME.throw()", "a:b", "v"),
        ("try, error('a:b', 'v'), catch q, rethrow(q), end", "a:b", "v"),
        ("try, error('a:b', 'v'), catch q, q.rethrow(), end", "a:b", "v"),
        ("assert(false)", "MATLAB:assertion:failed", "Assertion failed."),
        ("assert(1 == 2, 'n is %d', 5)", "MATLAB:assertion:failed", "n is 5"),
        ("assert(false, 'a:b', 'n is %d', 5)", "a:b", "n is 5"),
        ("assert([1 1])", "none", ""),
        ("MException('no id', 'x')", "MATLAB:MException:InvalidErrorID", None),
        ("MException('a:b')", "MATLAB:minrhs", "Not enough input arguments."),
    ],
)
def test_raising(s: rm.Session, code: str, identifier: str, message: str | None) -> None:
    got = caught(s, code)
    assert got[0] == identifier
    if message is not None:
        assert got[1] == message


@pytest.mark.parametrize(
    ("code", "identifier", "message"),
    [
        ("foo", "MATLAB:UndefinedFunction", "Unrecognized function or variable 'foo'."),
        ("foo(1)", "MATLAB:UndefinedFunction", "Unrecognized function or variable 'foo'."),
        (
            "{1} + 1",
            "MATLAB:UndefinedFunction",
            "Operator '+' is not supported for operands of type 'cell'.",
        ),
        (
            "x = [1 2 3]; x(4)",
            "MATLAB:badsubscript",
            "Index exceeds the number of array elements. Index must not exceed 3.",
        ),
        (
            "x = ones(2, 3); x(3, 1)",
            "MATLAB:badsubscript",
            "Index in position 1 exceeds array bounds. Index must not exceed 2.",
        ),
        (
            "x = 1:3; x(0)",
            "MATLAB:badsubscript",
            "Array indices must be positive integers or logical values.",
        ),
        (
            "x = 1:3; x(1.5)",
            "MATLAB:badsubscript",
            "Array indices must be positive integers or logical values.",
        ),
        (
            "[1 2 3] + [1 2]",
            "MATLAB:sizeDimensionsMustMatch",
            "Arrays have incompatible sizes for this operation.",
        ),
        ("ones(2, 3) * ones(2, 3)", "MATLAB:innerdim", None),
        (
            "[1 2; 3]",
            "MATLAB:catenate:dimensionMismatch",
            "Dimensions of arrays being concatenated are not consistent.",
        ),
        (
            "x = 1:5; x(1:2) = [1 2 3]",
            "MATLAB:matrix:singleSubscriptNumelMismatch",
            "Unable to perform assignment because the left and right sides have a different "
            "number of elements.",
        ),
        (
            "x = ones(2); x(1, :) = [1 2 3]",
            "MATLAB:subsassigndimmismatch",
            "Unable to perform assignment because the size of the left side is 1-by-2 and the "
            "size of the right side is 1-by-3.",
        ),
        ("f = @(x) x + 1; f()", "MATLAB:minrhs", "Not enough input arguments."),
        ("f = @(x) x + 1; f(1, 2)", "MATLAB:TooManyInputs", "Too many input arguments."),
        ("[a, b] = numel(1)", "MATLAB:maxlhs", "Too many output arguments."),
        ("numel(1, 2, 3); sin(1, 2)", "MATLAB:maxrhs", "Too many input arguments."),
        ("f = @() disp(1); y = f()", "MATLAB:maxlhs", "Too many output arguments."),
        ("[a, b] = trace(1)", "MATLAB:TooManyOutputs", "Too many output arguments."),
        ("fliplr(1, 2)", "MATLAB:TooManyInputs", "Too many input arguments."),
        ("t.a = 1; t.b", "MATLAB:nonExistentField", 'Unrecognized field name "b".'),
        (
            "x = 1; x{1}",
            "MATLAB:cellRefFromNonCell",
            "Brace indexing is not supported for variables of this type.",
        ),
        (
            "x = 1; x.f",
            "MATLAB:structRefFromNonStruct",
            "Dot indexing is not supported for variables of this type.",
        ),
        (
            "m = containers.Map; m('q')",
            "MATLAB:Containers:Map:NoKey",
            "The specified key is not present in this container.",
        ),
        ("zeros(1e6, 1e6)", "MATLAB:array:SizeLimitExceeded", None),
    ],
)
def test_identifiers_and_texts(
    s: rm.Session, code: str, identifier: str, message: str | None
) -> None:
    got = caught(s, code)
    assert got[0] == identifier
    if message is not None:
        assert got[1] == message


def test_exceptions_as_values(s: rm.Session) -> None:
    s.run(
        dedent("""\
        ME = MException('top:level', 'Whole');
        ME = addCause(ME, MException('low:level', 'Part'));
        try, throw(ME), catch e, end
        n = numel(e.cause); part = e.cause{1}.message; c = class(e);
        r = getReport(e); r2 = e.getReport(); b = getReport(e, 'basic');
        isst = isstruct(e.stack) && isfield(e.stack, 'line');
        """)
    )
    assert (s["n"], s["part"], s["c"], s["isst"]) == (1.0, "Part", "MException", True)
    assert s["r"] == s["r2"] == "Whole\n\nCaused by:\n    Part"
    assert s["b"] == "Whole"


def test_try_without_a_name_and_nested(s: rm.Session) -> None:
    assert (
        s.capture("try, error('a'), catch, disp('caught'), end\ntry, error('b'), end, disp('on')")
        == "caught\non\n"
    )


def test_lasterr_and_lasterror(s: rm.Session) -> None:
    s.run("try, error('a:b', 'first'), end")
    assert s.eval("lasterr", nargout=2) == ("first", "a:b")
    assert s.eval("getfield(lasterror, 'identifier')") == "a:b"
    s.run("lasterr('set', 'c:d')")
    assert s.eval("lasterr", nargout=2) == ("set", "c:d")
    s.run("lasterror('reset')")
    assert s.eval("lasterr") == ""


PROGRAM = {
    "outer.m": "function outer(n)\n    % calls the next\n    middle(n);\nend\n",
    "middle.m": "function r = middle(n)\nr = inner(n) + 1;\nend\nfunction r = inner(n)\n"
    "if n == 1\n    error('demo:one', 'n is %d', n);\nend\nx = [1 2 3];\n"
    "if n == 2\n    r = x(7);\nend\nif n == 3\n    r = undefined_thing;\nend\n"
    "if n == 4\n    r = str2func(7);\nend\nend\n",
}


@pytest.fixture
def program(s: rm.Session, tmp_path: Path) -> rm.Session:
    for name, text in PROGRAM.items():
        (tmp_path / name).write_text(text)
    return s


@pytest.mark.parametrize(
    ("n", "report"),
    [
        (
            1,
            "Error using middle>inner (line 6)\nn is 1\n\n"
            "Error in middle (line 2)\n    r = inner(n) + 1;\n\n"
            "Error in outer (line 3)\n    middle(n);",
        ),
        (
            2,
            "Index exceeds the number of array elements. Index must not exceed 3.\n\n"
            "Error in middle>inner (line 10)\n    r = x(7);\n\n"
            "Error in middle (line 2)\n    r = inner(n) + 1;\n\n"
            "Error in outer (line 3)\n    middle(n);",
        ),
        (
            3,
            "Unrecognized function or variable 'undefined_thing'.\n\n"
            "Error in middle>inner (line 13)\n    r = undefined_thing;\n\n"
            "Error in middle (line 2)\n    r = inner(n) + 1;\n\n"
            "Error in outer (line 3)\n    middle(n);",
        ),
        (
            4,
            "Error using str2func\nInput must be a string scalar or character vector.\n\n"
            "Error in middle>inner (line 16)\n    r = str2func(7);\n\n"
            "Error in middle (line 2)\n    r = inner(n) + 1;\n\n"
            "Error in outer (line 3)\n    middle(n);",
        ),
    ],
    ids=["error", "subscript", "undefined", "builtin"],
)
def test_the_report_of_an_uncaught_error(program: rm.Session, n: int, report: str) -> None:
    with pytest.raises(rm.MatlabError) as caught:
        program.run(f"outer({n})")
    assert program.report(caught.value) == report


def test_a_refused_call_is_reported_as_the_function_s(program: rm.Session) -> None:
    with pytest.raises(rm.MatlabError) as caught:
        program.run("outer(1, 2)")
    assert program.report(caught.value) == "Error using outer\nToo many input arguments."


def test_the_report_of_endless_recursion_shows_both_ends(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "spin.m").write_text("function spin\nspin();\nend\n")
    (tmp_path / "start.m").write_text("function start\nspin();\nend\n")
    with pytest.raises(rm.MatlabError) as caught:
        s.run("start")
    report = s.report(caught.value)
    assert "more calls)" in report
    assert report.endswith("Error in start (line 2)\n    spin();")
    assert len(report.splitlines()) < 150


def test_scripts_stand_in_the_stack_by_their_names(s: rm.Session, tmp_path: Path) -> None:
    script = tmp_path / "go.m"
    script.write_text("x = 1;\nerror('a:b', 'stop');\n")
    with pytest.raises(rm.MatlabError) as caught:
        s.run_file(script)
    assert s.report(caught.value) == "Error using go (line 2)\nstop"


@pytest.mark.parametrize(
    "call", ["run('asking')", "feval('asking')", "cellfun(@(x) asks(x), {1})", "arrayfun(@asks, 1)"]
)
def test_a_lack_of_memory_is_where_it_is_written(s: rm.Session, tmp_path: Path, call: str) -> None:
    # also where code is called by a builtin, which is not what asks for it
    (tmp_path / "asking.m").write_text("x = {};\nx{intmax('int64')} = 1;\n")
    (tmp_path / "asks.m").write_text(
        "function x = asks(x)\nx = {x};\nx{intmax('int64')} = 1;\nend\n"
    )
    s.run(f"cd('{tmp_path}')")
    with pytest.raises(rm.MatlabError) as caught:
        s.run(call)
    assert caught.value.identifier == "MATLAB:nomem"
    place = caught.value.stack[0]
    assert (place.name, place.line) == (("asks", 3) if "fun" in call else ("asking", 2))


def test_the_stack_of_a_caught_error_reaches_to_the_top(
    program: rm.Session, tmp_path: Path
) -> None:
    (tmp_path / "catcher.m").write_text(
        "function names = catcher()\ntry\n    outer(1);\ncatch e\n"
        "    names = {e.stack.name}; return\nend\nend\n"
    )
    assert program.eval("catcher()") == ["inner", "middle", "outer", "catcher"]


def test_rethrowing_keeps_the_stack_and_throwing_starts_anew(
    program: rm.Session, tmp_path: Path
) -> None:
    (tmp_path / "again.m").write_text(
        "function again(how)\ntry\n    outer(1);\ncatch e\n    how(e);\nend\nend\n"
    )
    program.run("try, again(@rethrow), catch e, names = {e.stack.name}; end")
    assert program["names"] == ["inner", "middle", "outer", "again"]
    program.run("try, again(@throw), catch e, names = {e.stack.name}; end")
    assert program["names"] == ["again"]


def test_rethrowing_looks_up_no_line(program: rm.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes long in a large file, and few ask."""
    made: list[int] = []
    ordinary = faults._frames_of
    monkeypatch.setattr(faults, "_frames_of", lambda left: made.append(1) or ordinary(left))
    program.run("try, try, outer(1), catch e, rethrow(e), end, catch f, end")
    assert not made
    program.run("name = f.stack(1).name;")
    assert made
    assert program["name"] == "inner"


def test_throw_as_caller_blames_the_caller(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "check.m").write_text(
        "function check(x)\nif x < 0\n    throwAsCaller(MException('a:b', 'negative'));\nend\nend\n"
    )
    (tmp_path / "user.m").write_text("function user(x)\ncheck(x);\nend\n")
    with pytest.raises(rm.MatlabError) as caught:
        s.run("user(-1)")
    assert [frame.name for frame in caught.value.stack] == ["user"]
    assert s.report(caught.value) == "Error using user (line 2)\nnegative"


def test_cleanup_runs_however_a_function_is_left(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "work.m").write_text(
        "function work(how)\nc = onCleanup(@() fprintf('clean '));\n"
        "if how == 1, return, end\nif how == 2, error('oops'), end\nfprintf('done ');\nend\n"
    )
    text = s.capture(
        "work(0), work(1)\ntry\n work(2)\ncatch e\n fprintf('caught %s', e.message)\nend"
    )
    assert text == "done clean clean clean caught oops"


def test_cleanup_runs_before_an_error_leaves_the_session(s: rm.Session, tmp_path: Path) -> None:
    (tmp_path / "work.m").write_text(
        "function work\nc = onCleanup(@() fprintf('clean'));\nerror('oops');\nend\n"
    )
    pieces: list[str] = []
    other = rm.Session(cwd=tmp_path, stdout=pieces.append)
    with pytest.raises(rm.MatlabError, match="oops"):
        other.run("work")
    assert "".join(pieces) == "clean"


def test_an_error_in_a_cleanup_task_is_a_warning(s: rm.Session) -> None:
    text = s.capture("c = onCleanup(@() error('in cleanup')); clear c; disp('on')")
    assert "in cleanup" in text
    assert text.endswith("on\n")


# -- faults of the runtime itself -----------------------------------------------------------------


def test_a_python_fault_names_the_builtin_and_the_session_goes_on(
    s: rm.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runmat_core.builtins import registry

    broken = registry.find("beep")
    assert broken is not None

    def fails(state: object = None, *, interp: object) -> None:
        raise KeyError("inside")

    spoilt = copy.copy(broken)
    spoilt.host = fails
    monkeypatch.setitem(registry._specs, "beep", spoilt)
    identifier, message = caught(s, "beep")
    assert identifier == "RunMat:internal"
    assert "beep" in message
    s.run("x = 1;")


def test_python_tracebacks_are_kept_when_asked_for(
    s: rm.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(rm.MatlabError) as quiet:
        s.run("foo")
    monkeypatch.setenv("RUNMAT_DEBUG", "1")
    with pytest.raises(rm.MatlabError) as loud:
        s.run("foo")

    def depth(error: BaseException) -> int:
        count, traceback = 0, error.__traceback__
        while traceback is not None:
            count, traceback = count + 1, traceback.tb_next
        return count + (depth(error.__cause__) if error.__cause__ else 0)

    assert depth(loud.value) > depth(quiet.value)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("lenght(3)", "Did you mean length?"),
        ("velocity = 1; x = velocty + 1;", "Did you mean velocity?"),
        ("Sin(3)", "Did you mean sin?"),
        ("qqqqzzzz(1)", ""),
    ],
)
def test_an_unknown_name_comes_with_its_likely_spelling(code: str, hint: str) -> None:
    session = rm.Session()
    with pytest.raises(rm.MatlabError) as caught:
        session.run(code)
    assert caught.value.hint[: len(hint)] == hint
    assert bool(caught.value.hint) == bool(hint)
    if hint:
        assert session.report(caught.value).splitlines()[1].startswith("Did you mean")
