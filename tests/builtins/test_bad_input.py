"""Hostile arguments of builtins: MATLAB's errors, the nearest option, no hang, nothing huge."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session
from runmat_core.builtins.text import search_time


@pytest.fixture
def s(tmp_path: Path) -> Session:
    return Session(cwd=tmp_path)


def failure(s: Session, code: str) -> MatlabError:
    with pytest.raises(MatlabError) as raised:
        s.capture(code)
    assert raised.value.identifier
    assert raised.value.identifier != "RunMat:internal", raised.value.message
    return raised.value


SUGGESTED = [
    ("sum([1 2], 'omitna')", "omitnan"),
    ("median([1 2], 'omitnn')", "omitnan"),
    ("max([1 2], [], 'omitna')", "omitnan"),
    ("cummax([1 2], 'revers')", "reverse"),
    ("cumsum([1 2], 'revers')", "reverse"),
    ("unique([1 2], 'row')", "rows"),
    ("sort([3 1 2], 'decend')", "descend"),
    ("sortrows([3; 1], 'asend')", "ascend"),
    ("round(1.5, 1, 'significan')", "significant"),
    ("idivide(int8(7), int8(2), 'flor')", "floor"),
    ("interp1([1 2], [3 4], 1.5, 'liner')", "linear"),
    ("regexp('abc', 'b', 'math')", "match"),
    ("histcounts([1 2], 'BinMethd', 'auto')", "BinMethod"),
    ("histcounts([1 2], 'Normalization', 'probablity')", "probability"),
    ("cellfun(@(x) {x}, {1}, 'UniformOuput', false)", "UniformOutput"),
    ("jsonencode(1, 'PretyPrint', true)", "PrettyPrint"),
    ("strsplit('a,b', ',', 'CollapseDelimeters', true)", "CollapseDelimiters"),
    ("strsplit('a,b', ',', 'DelimiterType', 'RegularExpresion')", "RegularExpression"),
]


@pytest.mark.parametrize(("code", "option"), SUGGESTED, ids=[code for code, _ in SUGGESTED])
def test_a_misspelt_option_is_told_the_nearest(s: Session, code: str, option: str) -> None:
    assert failure(s, code).message.endswith(f"Did you mean '{option}'?")


@pytest.mark.parametrize("flag", ["omitnan", "includenan", "omitmissing"])
@pytest.mark.parametrize(
    "call",
    [
        *("any(x, {})", "any(x, 1, {})", "all(x, 'all', {})", "any(sparse(x), {})", "mode(x, {})"),
        *("all(rand(400), {})", "any(single(rand(400)), 2, {})", "any(true, {})"),
    ],
)
def test_what_takes_no_flag_for_nan_says_so(s: Session, call: str, flag: str) -> None:
    raised = failure(s, f"x = [1 NaN; 0 2]; {call.format(repr(flag))};")
    assert raised.identifier == "MATLAB:unrecognizedStringChoice"
    assert flag in raised.message


ENDLESS = [
    "regexp([repmat('a', 1, 40) 'b'], '(a+)+$')",
    "regexp([repmat('a', 1, 40) 'b'], '^(a|aa)+$', 'match')",
    "regexp({'x', [repmat('a', 1, 40) 'b']}, '(a+)+$')",
    "regexpi([repmat('a', 1, 40) 'b'], '(A+)+$', 'once')",
    "regexprep([repmat('a', 1, 40) 'b'], '(a+)+$', 'x')",
    "regexprep({[repmat('a', 1, 40) 'b']}, {'q', '(a+)+$'}, 'x')",
    "strsplit([repmat('a', 1, 40) 'b'], '(a+)+$', 'DelimiterType', 'RegularExpression')",
]


@pytest.mark.parametrize("code", ENDLESS)
def test_a_search_without_end_is_given_up(
    s: Session, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_time, "SECONDS", 0.2)
    assert failure(s, code).identifier == "RunMat:regexp:timeLimit"
    # what is caught is over, and later searches have time of their own
    s.run(f"try, {code}; catch e, end; r = regexprep('aaaaaaaaaaaaaaaaaaaab', '(a+)+b', 'x');")
    assert s["r"] == "x"


def test_searches_elsewhere_than_in_the_main_thread(s: Session) -> None:
    found: list[object] = []
    thread = threading.Thread(
        target=lambda: found.append(s.eval("regexprep(repmat('ab', 1, 20), '(a+)(b+)', '$2$1')"))
    )
    thread.start()
    thread.join()
    assert found == ["ba" * 20]


ERRORS = [
    ("regexp('a', 'a{99999999999}')", "MATLAB:regexp:invalidExpression"),
    ("strsplit('a', '(', 'DelimiterType', 'RegularExpression')", "MATLAB:regexp:invalidExpression"),
    ("fopen(char(0), 'w')", "MATLAB:FileIO:invalidFileName"),
    ("fileread(char([97 0]))", "MATLAB:FileIO:invalidFileName"),
    ("save(char(0))", "MATLAB:FileIO:invalidFileName"),
    ("readtable(char(0))", "MATLAB:FileIO:invalidFileName"),
    ("mkdir(char(0))", "MATLAB:FileIO:invalidFileName"),
    ("addpath(char(0))", "MATLAB:FileIO:invalidFileName"),
    ("path(char(0))", "MATLAB:FileIO:invalidFileName"),
    ("cd(char(0))", "MATLAB:FileIO:invalidFileName"),
    ("writelines('a')", "MATLAB:minrhs"),
    ("writelines('a', '.')", "MATLAB:FileIO:cannotUseFile"),
    ("writelines('a', 'b', 'Encoding', 'klingon')", "MATLAB:FileIO:InvalidEncoding"),
    ("writematrix(1, 'no/such/folder.txt')", "MATLAB:table:write:FileOpenError"),
    ("native2unicode(uint8(5), char(0))", "MATLAB:unicodeConversion:InvalidCharset"),
    ("x = 1; clear('-regexp', '(')", "MATLAB:regexp:invalidExpression"),
    ("x = 1; save('x.mat', '-regexp', '(')", "MATLAB:regexp:invalidExpression"),
    ("setenv('A=B', '1')", "MATLAB:setenv:InvalidInput"),
    ("char({'a', {'b'}})", "MATLAB:char:CellsMustContainChars"),
    ("char({'a', 98})", "MATLAB:char:CellsMustContainChars"),
    ("num2cell(5, 0)", "MATLAB:getdimarg:dimensionMustBePositiveInteger"),
    ("num2cell(5, 1.5)", "MATLAB:getdimarg:dimensionMustBePositiveInteger"),
    ("setenv('', '1')", "MATLAB:setenv:InvalidInput"),
    ("setenv('A', char([97 0]))", "MATLAB:setenv:InvalidInput"),
    ("writelines('1', 'f'); dlmread('f', ',', 5)", "MATLAB:dlmread:InvalidRange"),
    ("rats(1, 1e15)", "MATLAB:array:SizeLimitExceeded"),
    ("linprog(struct([]))", "optim:problem:notScalar"),
    ("mvnpdf(1, 0, Inf)", "stats:mvnpdf:BadCovariance"),
    ("calendar(intmax('uint64'))", "MATLAB:calendar:date"),
    ("histcounts2(1, 1, 1e300)", "MATLAB:array:SizeLimitExceeded"),
    ("histcounts([1 2], 'BinLimits')", "MATLAB:histcounts:ArgNameValueMismatch"),
    ("splitapply(@sum, [1; 2], [Inf; -Inf])", "MATLAB:splitapply:InvalidGroupNums"),
    ("splitapply(@sum, [1; 2], [1; 1e15])", "MATLAB:splitapply:InvalidGroupNums"),
    ("linspace(1, 2, Inf)", "MATLAB:linspace:nonFiniteCount"),
    ("categorical((1:3)', caldays(3))", "MATLAB:categorical:ValueSetTypeMismatch"),
    ("split(caldays(3), strings(0, 1))", "MATLAB:calendarDuration:InvalidComponents"),
    ("xlswrite('a', {}, 'x', NaN)", "MATLAB:spreadsheet:book:invalidRange"),
    ("matlab.lang.makeUniqueStrings({}, [1 2])", "MATLAB:badsubscript"),
    ("qrupdate(1, 1, 2, [1 0])", "MATLAB:qrupdate:InvalidInputs"),
    ("tensorprod(1, 2, [1 1])", "MATLAB:tensorprod:InvalidDims"),
    ("buffer(1:3, 5, -Inf)", "signal:buffer:mustBeInteger"),
    ("tf2zp(1, [1 NaN])", "MATLAB:roots:NonFiniteInput"),
    ("x = guidata(figure, 1);", "MATLAB:maxlhs"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS, ids=[code for code, _ in ERRORS])
def test_errors(s: Session, code: str, identifier: str) -> None:
    assert failure(s, code).identifier == identifier


RESULTS = [
    ("numel(textscan('abc', '%f %f', 'HeaderLines', 1e18))", "2"),
    ("histcounts2(realmin, intmax('uint64'))", "1"),
    ("histcounts(1e300)", "1"),
    ("sum(histcounts([0 1e12], 'BinMethod', 'integers'))", "2"),
    ("jsondecode(['1' repmat('0', 1, 5000)])", "Inf"),
    ("jsondecode(['[1,1' repmat('0', 1, 400) ']'])", "[1; Inf]"),
    ("jsondecode('[1, 2.5, -3]')", "[1; 2.5; -3]"),
    ("num2str(0.5, 1e10)", "'0.5'"),
    ("strsplit('a1b22c', '\\d+', 'DelimiterType', 'RegularExpression')", "{'a', 'b', 'c'}"),
]


@pytest.mark.parametrize(("code", "expected"), RESULTS, ids=[code for code, _ in RESULTS])
def test_results(s: Session, code: str, expected: str) -> None:
    assert s.eval(f"isequal({code}, {expected})")


def test_a_table_without_rows_is_an_empty_file(s: Session, tmp_path: Path) -> None:
    s.run("writematrix(zeros(0, 3), 'none.txt')")
    assert (tmp_path / "none.txt").read_text() == ""
