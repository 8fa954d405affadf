"""Forms of calls that MATLAB documents: an expression and what it gives, or the error it raises."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

TEXT = [
    ('convertStringsToChars("ab")', "'ab'"),
    ('convertStringsToChars("")', "''"),
    ('convertStringsToChars(["a"; "bc"])', "{'a'; 'bc'}"),
    ('convertStringsToChars(["a" missing])', "{'a', ''}"),
    ('convertStringsToChars({"a", 1})', '{"a", 1}'),
    ("convertStringsToChars(5)", "5"),
    ("convertCharsToStrings('ab')", '"ab"'),
    ("convertCharsToStrings(['ab'; 'cd'])", '"acbd"'),
    ("convertCharsToStrings('')", '""'),
    ("convertCharsToStrings({'a'; 'bc'})", '["a"; "bc"]'),
    ("convertCharsToStrings({'a', 1})", "{'a', 1}"),
    ('convertContainedStringsToChars({"a", {["b" "c"]}})', "{'a', {{'b', 'c'}}}"),
    (
        'convertContainedStringsToChars(struct("f", {{"a"}}))',
        "struct('f', {{'a'}})",
    ),
    ("matlab.net.base64encode('foo')", "'Zm9v'"),
    ("matlab.net.base64encode(uint8([255 0]))", "'/wA='"),
    ('matlab.net.base64decode("Zm9v")', "uint8('foo')"),
]

NAMES = [
    ("matlab.lang.makeUniqueStrings({'a', 'b', 'a'})", "{'a', 'b', 'a_1'}"),
    ("matlab.lang.makeUniqueStrings({'a', 'a', 'b'}, 1)", "{'a_1', 'a', 'b'}"),
    ("matlab.lang.makeUniqueStrings({'a', 'a'}, [false true])", "{'a', 'a_1'}"),
    ("matlab.lang.makeUniqueStrings('abcd', {'abcd'}, 4)", "'ab_1'"),
    ("matlab.lang.makeUniqueStrings('abcdef', {}, 4)", "'abcd'"),
    ('matlab.lang.makeUniqueStrings("a", "a")', '"a_1"'),
]

MISSING = [
    ("ismissing([1 -99 NaN], -99)", "[false true false]"),
    ("ismissing([1 -99 NaN], [-99 NaN])", "[false true true]"),
    ("ismissing({'a', '', 'NA'}, 'NA')", "[false false true]"),
    ('ismissing(["a" missing "NA"], ["NA" missing])', "[false true true]"),
    ("ismissing(int8([1 2]), 2)", "[false true]"),
    (
        "ismissing(table([1; -99], {'NA'; 'b'}), {-99, 'NA'})",
        "[false true; true false]",
    ),
]

MATRICES = [
    ("issymmetric([0 1; -1 0], 'skew')", "true"),
    ("issymmetric([1 1; -1 0], 'skew')", "false"),
    ("issymmetric(sparse([0 1; -1 0]), 'skew')", "true"),
    ("issymmetric(sparse([false true; true false]), 'skew')", "false"),
    ("issymmetric([0 1; 1 0], 'nonskew')", "true"),
    ("ishermitian([1i 1; -1 0], 'skew')", "true"),
    ("ishermitian([1 1; -1 0], 'skew')", "false"),
    ("svd([3 0; 0 4; 0 0], 'matrix')", "[4 0; 0 3; 0 0]"),
    ("svd([3 0; 0 4; 0 0], 'econ', 'matrix')", "[4 0; 0 3]"),
    ("full(spconvert([1 1 5; 2 1 6; 2 3 0]))", "[5 0 0; 6 0 0]"),
    ("full(spconvert([1 2 3 4]))", "[0 3+4i]"),
    ("polyarea([0 0; 2 1; 2 1], [0 0; 0 0; 3 1])", "[3 0.5]"),
    ("polyarea([0 2 2; 0 1 1], [0 0 3; 0 0 1], 2)", "[3; 0.5]"),
    ("eps('like', single(1))", "eps('single')"),
    ("trapz([1 2; 3 4], 2)", "[1.5; 3.5]"),
    ("cumtrapz([1 2; 3 4], 2)", "[0 1.5; 0 3.5]"),
]

CURVES = [
    ("round(spline(1:4, [1 4 9 16; 1 8 27 64], 2.5), 10)", "[6.25; 15.625]"),
    ("size(spline(1:4, rand(2, 3, 4), [1 2 3]))", "[2 3 3]"),
    ("size(spline(1:4, rand(2, 4), ones(2, 2)))", "[2 2 2]"),
    ("spline(1:3, [1 4 9; 1 2 3], 2.5)", "[6.25; 2.5]"),
    ("spline([3 1 2], [9 1 4], 2.5)", "6.25"),
    ("spline(0:1, [0 0 1 0; 1 0 0 1], 0.5)", "[0.5; 0]"),
    ("class(spline(single(1:4), 1:4, 2))", "'single'"),
    ("real(spline(1:4, [1 4 9 16] + 1i, 2.5))", "6.25"),
    ("pchip(1:3, [1 2 3; 3 2 1], [1.5 2])", "[1.5 2; 2.5 2]"),
    ("makima(1:2, [1 2; 3 5], 1.5)", "[1.5; 4]"),
    ("ppval(mkpp([0 1 2], [1 2; 3 4; 5 6; 7 8], 2), [0.5 1.5])", "[2.5 8.5; 5.5 11.5]"),
    ("getfield(mkpp([0 1], [1 2; 3 4], 2), 'dim')", "2"),
    ("ppval(interp1(1:3, [1 4 9], 'linear', 'pp'), 1.5)", "2.5"),
    ("ppval(interp1(1:3, [1 4 9], 'nearest', 'pp'), [1.4 1.6])", "[1 4]"),
    ("ppval(interp1(1:3, [1 4 9], 'previous', 'pp'), [1.4 2.6])", "[1 4]"),
    ("ppval(interp1(1:3, [1 4 9], 'next', 'pp'), [1.4 2.6])", "[4 9]"),
    ("ppval(interp1(1:4, [1 4 9 16], 'cubic', 'pp'), 1.5)", "2.25"),
    # cubic convolution: weights -1/16, 9/16, 9/16 and -1/16 in the middle
    ("interp1(1:5, (1:5).^3, 2.5, 'cubic')", "15.625"),
    ("interp1(1:5, (1:5).^3, 2.5, 'v5cubic')", "15.625"),
    ("interp1(1:4, [1 4 9 16], 5, 'cubic')", "NaN"),
    ("interp1(1:4, [1 4 9 16], 5, 'cubic', 'extrap')", "25"),
    ("interp1([1 2 4 5], [1 4 16 25], 1.5, 'cubic')", "2.25"),
]

SETS = [
    ("uniquetol([1 1.5 3 3.5], 0.2, 'PreserveRange', true)", "[1 3.5]"),
    ("uniquetol([1 1.1 1], 0.2, 'PreserveRange', true)", "[1 1.1]"),
    ("uniquetol([1 1.5 3 3.5], 0.2, 'highest')", "[1.5 3.5]"),
    ("uniquetol([1 1.5 3 3.5 NaN], 0.2, 'highest', 'PreserveRange', true)", "[1 3.5 NaN]"),
    ("uniquetol([1 2; 1.1 2], 0.2, 'highest', 'ByRows', true)", "[1.1 2]"),
    ("uniquetol([1 1.5], 0.5, 'lowest')", "1"),
    ("diff(zeros(0, 3))", "zeros(0, 3)"),
    ("diff(zeros(1, 0))", "zeros(1, 0)"),
    ("diff(5)", "[]"),
    ("max('ab', 'ba')", "[98 98]"),
    ("min('a', 'bcd')", "[97 97 97]"),
]

SCANS = [
    ("textscan('1 2', '%f %f', 'CollectOutput', true)", "{[1 2]}"),
    ("textscan('ff 101', '%x %b8')", "{uint64(255), uint8(5)}"),
    ("textscan('0x1F 0b11', '%x8 %b')", "{uint8(31), uint64(3)}"),
    ("textscan('a b', '%s', 'TextType', 'string')", '{["a"; "b"]}'),
    ("textscan('12/01/2020', '%{MM/dd/yyyy}D')", "{datetime(2020, 12, 1)}"),
    ("textscan('x y', '%C')", '{categorical(["x"; "y"])}'),
]

TIMES = [
    ("convertTo(datetime(1970, 1, 2), 'posixtime')", "86400"),
    ("convertTo(datetime(2020, 1, 1), 'datenum')", "datenum(2020, 1, 1)"),
    ("convertTo(datetime(2020, 1, 1), 'excel')", "43831"),
    ("convertTo(datetime(2020, 1, 1), 'modifiedjuliandate')", "58849"),
    ("convertTo(datetime(2020, 1, 31), 'yyyymmdd')", "20200131"),
    (
        "convertTo(datetime(2020, 1, 1), 'epochtime', 'Epoch', '2019-12-31', 'TicksPerSecond', 10)",
        "int64(864000)",
    ),
    ("time(calmonths(1) + hours(5))", "hours(5)"),
]

GROUPS = [
    ("groupsummary([1; 2; 6], [1; 1; 2], 'mean')", "[1.5; 6]"),
    ("groupsummary([1 10; 2 20; 6 60], {'b'; 'b'; 'a'}, 'sum')", "[6 60; 3 30]"),
    ("groupsummary([1; 2; 3], [1 1; 1 2; 1 2], 'sum')", "[1; 5]"),
    ('groupsummary([1; 2; 6], {[1; 1; 2], ["x"; "y"; "x"]}, @numel)', "[1; 1; 1]"),
    ("groupsummary([1; 2; 6], [1; 1; 2], {'mean', 'max'})", "[1.5 2; 6 6]"),
    (
        "normalize(table([1; 2], {'a'; 'b'}), 'range', 'DataVariables', @isnumeric)",
        "table([0; 1], {'a'; 'b'})",
    ),
    ("movmean(1:3, days(3), 'SamplePoints', datetime(2020, 1, 1:3))", "[1.5 2 2.5]"),
    ("movsum(1:3, hours([1 0]), 'SamplePoints', hours([0 1 3]))", "[1 3 3]"),
]

CREATION = [
    ("createArray(2, 3)", "zeros(2, 3)"),
    ("createArray()", "0"),
    ("createArray([1 2], 'int8')", "zeros(1, 2, 'int8')"),
    ("createArray(1, 2, 'string')", '["" ""]'),
    ("createArray(1, 2, 'cell')", "cell(1, 2)"),
    ("createArray(1, 2, 'datetime')", "NaT(1, 2)"),
    ("createArray(1, 2, 'duration')", "hours([0 0])"),
    ("createArray(1, 2, 'logical')", "[false false]"),
    ("createArray(1, 2, 'FillValue', 5)", "[5 5]"),
    ("createArray(1, 2, 'int8', 'FillValue', 5.6)", "int8([6 6])"),
    ("issparse(createArray(2, 'Like', sparse(1)))", "true"),
    ("class(createArray(2, 'Like', single(1)))", "'single'"),
    ("createArray(1, 2, 'Like', 'a', 'FillValue', 'b')", "'bb'"),
    ("histcounts(categorical({'a', 'b', 'a'}), {'b', 'z'})", "[1 0]"),
    (
        "histcounts(categorical({'a', 'b', 'a', 'a'}), 'Normalization', 'probability')",
        "[0.75 0.25]",
    ),
]

FREQUENCIES = [
    ("freqspace(4)", "[0 0.5 1]"),
    ("freqspace(4, 'whole')", "[0 0.5 1 1.5]"),
    ("freqspace(5)", "[0 2 4]/5"),
    # Padé's approximation of exp(-s) of second order is (s^2 - 6s + 12)/(s^2 + 6s + 12)
    ("padecoef(1, 2)", "[1 -6 12]"),
    ("padecoef(1)", "[-1 2]"),
    ("padecoef(0, 3)", "1"),
]

RESULTS = [
    *FREQUENCIES,
    *CREATION,
    *GROUPS,
    *SCANS,
    *TIMES,
    *SETS,
    *TEXT,
    *MISSING,
    *MATRICES,
    *CURVES,
]

ERRORS = [
    (
        '[a, b] = convertStringsToChars("a");',
        "MATLAB:convertStringsToChars:InputsMustMatchOutputs",
    ),
    ("convertCharsToStrings()", "MATLAB:minrhs"),
    ("matlab.net.base64encode(256)", "MATLAB:base64encode:InvalidInput"),
    ("ismissing([1 2], 'a')", "MATLAB:ismissing:IndicatorsNumeric"),
    ("issymmetric(1, 'foo')", "MATLAB:issymmetric:unrecognizedStringChoice"),
    ("svd(1, 'ecn')", "MATLAB:svd:unrecognizedStringChoice"),
    ("spconvert([1 2])", "MATLAB:spconvert:WrongArraySize"),
    ("spconvert([0 1 1])", "MATLAB:sparse:nonPosIndex"),
    ("polyarea([1 2 3], [1; 2; 3])", "MATLAB:polyarea:XYSizeMismatch"),
    ("eps('foo', 1)", "MATLAB:maxrhs"),
    (
        "uniquetol([1 2; 3 4], 'ByRows', true, 'PreserveRange', true)",
        "MATLAB:uniquetol:PreserveRangeByRows",
    ),
    ("convertTo(datetime(2020, 1, 1), 'foo')", "MATLAB:convertTo:unrecognizedStringChoice"),
    ("convertTo(1, 'datenum')", "MATLAB:UndefinedFunction"),
    ("time(1)", "MATLAB:UndefinedFunction"),
    ("groupsummary([1; 2], [1; 2; 3], 'mean')", "MATLAB:groupsummary:InvalidGroupVars"),
    ("groupsummary([1; 2], [1; 2])", "MATLAB:minrhs"),
    ("createArray(1, 2, 'nosuch')", "MATLAB:createArray:UndefinedClass"),
    ("createArray(1, 'FillValue', [1 2])", "MATLAB:createArray:FillValueScalar"),
    ("createArray(1, 'int8', 'Like', 1)", "MATLAB:createArray:ClassNameAndLike"),
    ("odextend(1, 2, 3)", "MATLAB:odextend:SolNotFromODESolver"),
    (
        "odextend(ode45(@(t, y) -y, [0 1], 1), [], 0.5)",
        "MATLAB:odextend:TfinalNotBeyond",
    ),
    (
        "histcounts(categorical({'a'}), 'Normalizatoin', 'pdf')",
        "MATLAB:histcounts:unrecognizedStringChoice",
    ),
    ("expm(ones(2, 3))", "MATLAB:expm:inputMustBeSquare"),
    ("logm(ones(2, 3))", "MATLAB:logm:inputMustBeSquare"),
    ("sqrtm(ones(2, 3))", "MATLAB:sqrtm:inputMustBeSquare"),
    ("inv(ones(2, 3))", "MATLAB:square"),
    ("roots(ones(2))", "MATLAB:roots:NonVectorInput"),
    ("hex2dec('g')", "MATLAB:hex2dec:IllegalHexadecimal"),
    ("base2dec('9', 8)", "MATLAB:base2dec:NumOutOfRange"),
    ("freqspace([3 2]);", "MATLAB:freqspace:InvalidSize"),
    ("freqspace(0)", "MATLAB:freqspace:InvalidSize"),
    ("padecoef(-1)", "MATLAB:padecoef:InvalidDelay"),
    ("padecoef(1, 1.5)", "MATLAB:expectedInteger"),
    ('validateattributes(1, "char", {})', "MATLAB:invalidType"),
    ("validateattributes(1, 5, {})", "MATLAB:validateattributes:expectedCell"),
    ("mkpp([0 1], [1 2 3], 2)", "MATLAB:mkpp:PPNumberMismatchCoeffs"),
    ("spline(1:3, [1 2], 1)", "MATLAB:chckxy:NumSitesMismatchValues"),
    ("mustBeFile('no_such_file')", "MATLAB:validators:mustBeFile"),
    ("mustBeFile('')", "MATLAB:validators:mustBeNonzeroLengthText"),
    ("mustBeFolder('no_such_folder')", "MATLAB:validators:mustBeFolder"),
    ("mustBeSparse(1)", "MATLAB:validators:mustBeSparse"),
    ('mustBeNonmissing(["a" missing])', "MATLAB:validators:mustBeNonmissing"),
    ("mustBeNonmissing(NaT)", "MATLAB:validators:mustBeNonmissing"),
]


@pytest.mark.parametrize(("expression", "expected"), RESULTS, ids=[row[0] for row in RESULTS])
def test_results(same: Same, expression: str, expected: str) -> None:
    same(expression, expected)


@pytest.mark.parametrize(("statement", "identifier"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(failing: Failing, statement: str, identifier: str) -> None:
    failing(statement, identifier)


def test_outputs_that_are_documented(session: Session) -> None:
    session.run("[B, BG, BC] = groupsummary([1; 2; 6], {'b'; 'b'; 'a'}, 'mean'); g = [BG{:}];")
    assert session["g"] == "ab"
    assert session["BC"].ravel().tolist() == [1, 2]
    session.run("[f1, f2] = freqspace([3 2], 'meshgrid'); [g1, g2] = freqspace(3);")
    assert session["f1"].tolist() == [[-1, 0]] * 3
    assert session["f2"][:, 0].tolist() == pytest.approx([-2 / 3, 0, 2 / 3])
    assert session["g1"].ravel().tolist() == pytest.approx([-2 / 3, 0, 2 / 3])
    session.run("[n, d] = padecoef(0.1, 3); off = abs(polyval(n, 2i)/polyval(d, 2i) - exp(-0.2i));")
    assert session["off"] < 1e-8
    session.run("[u, m] = matlab.lang.makeUniqueStrings({'a', 'b', 'a'});")
    assert session["m"].tolist() == [[False, False, True]]
    session.run('validateattributes(1, ["char" "numeric"], "positive")')
    session.run("[c, ia, ic] = uniquetol([1 1.5 3 3.5], 0.2, 'PreserveRange', true);")
    assert session["ia"].ravel().tolist() == [1, 4]
    assert session["ic"].ravel().tolist() == [1, 1, 2, 2]
    session.run(
        "[U, S, V] = svd([3 0; 0 4; 0 0], 'econ', 'vector'); same = norm(U*diag(S)*V' - "
        "[3 0; 0 4; 0 0]);"
    )
    assert session["same"] < 1e-14
    assert session["S"].shape == (2, 1)
    # the pencil of a normal matrix: the polynomial's slope at each eigenvalue is one
    session.run("[X, e, s] = polyeig([2 0; 0 12], [-1 0; 0 -1]); s = s.*sqrt(1 + e.^2);")
    assert session["s"].ravel().tolist() == pytest.approx([1, 1])


@pytest.mark.parametrize("solver", ["ode45", "ode23", "ode113", "ode15s", "ode23t", "ode89"])
def test_solutions_go_on(session: Session, solver: str) -> None:
    # decay at the rate 2, which an extra argument gives
    session.run(
        f"sol = {solver}(@(t, y, a) -a*y, [0 1], 1, odeset('RelTol', 1e-6, 'AbsTol', 1e-9), 2);"
        "further = odextend(sol, [], 2); off = abs(deval(further, [0.5 1 1.5 2]) - "
        "exp([-1 -2 -3 -4])); same = isequal(further.x(1:numel(sol.x)), sol.x);"
        "last = further.x(end);"
        "growing = odextend(sol, @(t, y, a) a*y, 2, 5); ratio = growing.y(end)/(5*exp(2));"
    )
    assert session["off"].max() < 1e-4
    assert session["same"] is True
    assert session["last"] == 2
    assert session["ratio"] == pytest.approx(1, abs=1e-4)


def test_implicit_solutions_go_on(session: Session) -> None:
    session.run(
        "sol = ode15i(@(t, y, yp) yp + y, [0 1], 1, -1); sol = odextend(sol, [], 2);"
        "off = abs(deval(sol, 1.5) - exp(-1.5)); k = sol.stats.nsteps;"
    )
    assert session["off"] < 1e-2
    assert session["k"] == session.interp.evaluate_text("numel(sol.x) - 1", 1)


@pytest.mark.parametrize("function", ["cart2pol", "pol2cart"])
@pytest.mark.parametrize("arguments", ["[1 2], [3 4]", "[], []", "[1; 2], [3; 4], [5; 6]"])
def test_coordinates_in_a_statement(session: Session, function: str, arguments: str) -> None:
    session.run(f"{function}({arguments}); shown = ans; asked = {function}({arguments});")
    session.run("same = isequal(shown, asked);")
    assert session["same"] is True
