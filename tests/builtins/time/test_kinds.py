"""Times, spans and categories in the functions of numbers that are defined of them.

A table of calls and of what they give, written with other functions, and one of refusals.
"""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.values import class_of, isequal, size_of

SETUP = """
t = datetime(2024, 3, 1) + days([0 2 1 5]); tn = [t NaT]; d = hours([1 3 2 6]); dn = [d hours(NaN)];
z = datetime(2024, 3, 1, 'TimeZone', 'America/New_York') + days([0 2 1 5]);
cd = calmonths(1:3);
c = categorical({'b' 'a' 'c' 'a'}); cu = [c categorical({''})];
o = categorical({'lo' 'hi' 'mid' 'lo'}, {'lo' 'mid' 'hi'}, 'Ordinal', true);
ou = o; ou(2) = missing;
T = reshape(t, 2, 2); s = sort(t); at = @(k) datetime(2024, 3, k);
tt = timetable(s', [1; 2; 3; 4], 'VariableNames', {'x'});
"""

VALUES = [
    # tables of one variable: their points, their values, or both
    ("interp1(t, 1:4, at(1.5))", "2"),
    ("interp1(1:4, t, [2.5 9])", "[at(2.5) NaT]"),
    ("interp1(d, t, hours(1.5))", "at(1.5)"),
    ("interp1(t, d, at(1) + hours(12), 'spline')",
     "hours(interp1([0 2 1 5], [1 3 2 6], .5, 'spline'))"),
    ("interp1(t, [1 2; 3 4; 5 6; 7 8], at(1.5))", "[3 4]"),
    ("interp1(t, 1:4, at(20), 'linear', 'extrap')",
     "interp1([0 2 1 5], 1:4, 19, 'linear', 'extrap')"),
    ("interp1(1:4, d, [0 2.5], 'linear', hours(7))", "hours([7 2.5])"),
    ("interp1(1:4, t, [0 2.5], 'nearest', at(9))", "[at(9) at(2)]"),
    ("interp1(t, 1:4, t(2), [], 'extrap')", "2"),
    ("trapz(t, 1:4)", "days(trapz([0 2 1 5], 1:4))"),
    ("cumtrapz(1:4, d)", "hours(cumtrapz(1:4, [1 3 2 6]))"),
    # bins
    ("discretize(t, [at(1) at(3) at(9)])", "[1 2 1 2]"),
    ("discretize(t, 'day')", "[1 3 2 6]"),
    ("discretize(t, calmonths(1))", "[1 1 1 1]"),
    ("discretize(tn, 'month', 'categorical')",
     "categorical({'Mar-2024' 'Mar-2024' 'Mar-2024' 'Mar-2024' ''}, 'Ordinal', true)"),
    ("discretize(t, 'month', 'categorical', 'MMM yy')",
     "categorical(ones(1, 4), 1, {'Mar 24'}, 'Ordinal', true)"),
    ("discretize(d, hours(2))", "[1 2 2 3]"),
    ("discretize(d, hours([0 2 7]), 'categorical')",
     "categorical([1 2 2 2], 1:2, {'[0 hr, 2 hr)' '[2 hr, 7 hr]'}, 'Ordinal', true)"),
    ("discretize(d, hours([0 2 7]), 'IncludedEdge', 'right')", "[1 2 1 2]"),
    ("discretize(d, hours([0 2 7]), {'p' 'q'})", "{'p' 'q' 'q' 'q'}"),
    ("discretize([1 5 9], [0 4 8], t(1:2))", "[t(1:2) NaT]"),
    ("discretize([1 5 9], [0 4 8], cd(1:2))", "[cd(1:2) calmonths(NaN)]"),
    # order
    ("bounds(tn)", "at(1)"),
    ("nth(2, @bounds, d)", "hours(6)"),
    ("nth(2, @bounds, ou, 'omitundefined')", "ou(3)"),
    ("nth(2, @bounds, T, 2)", "[at(2); at(6)]"),
    ("issortedrows(s')", "true"),
    ("issortedrows([o(1); o(2)], 'descend')", "false"),
    ("cummax(tn)", "t([1 2 2 4 4])"),
    ("ismember({'lo' 'new'}, o)", "[true false]"),
    ("nth(2, @ismember, c, {'a' 'c'})", "[0 1 2 1]"),
    # statistics
    *((f"{f}(d{a})", f"hours({f}([1 3 2 6]{a}))") for f, a in (
        ("sum", ""), ("mean", ""), ("median", ""), ("std", ", 1"), ("range", ""), ("iqr", ""),
        ("prctile", ", [25 50]"), ("quantile", ", .25"), ("cumsum", ""), ("diff", ""))),
    *((f"{f}(t{a})", f"at(1 + {f}([0 2 1 5]{a}))") for f, a in (
        ("mean", ""), ("median", ""), ("prctile", ", [25 50]"), ("quantile", ", .25"))),
    *((f"{f}(t{a})", f"days({f}([0 2 1 5]{a}))") for f, a in (
        ("std", ""), ("range", ""), ("iqr", ""), ("diff", ", 2"))),
    ("mean(tn, 'omitnat')", "at(3)"),
    ("median(tn)", "NaT"),
    ("median(ou, 'omitundefined')", "o(1)"),
    ("nth(2, @std, t)", "at(3)"),
    ("mean(z)", "z(1) + days(2)"),
    ("std(dn, 'omitnan')", "std(d)"),
    ("clip(t, '2024-03-02', at(3))", "at([2 3 2 3])"),
    ("clip(d, hours(2), hours(4))", "hours([2 3 2 4])"),
    ("[allfinite(t) allfinite(dn) anynan(dn)]", "[true false true]"),
    ("isuniform(d)", "false"),
    ("nth(2, @isuniform, at(1:3))", "days(1)"),
    ("linspace(0, hours(2), 3)", "hours(0:2)"),
    ("floor(d, 'days')", "hours([0 0 0 0])"),
    ("round(hours(1.26), 'minutes')", "minutes(76)"),
    # positions
    ("meshgrid(t(1:2), d(1:3))", "repmat(t(1:2), 3, 1)"),
    ("nth(2, @meshgrid, 1:2, c(1:3))", "repmat(c(1:3)', 1, 2)"),
    ("nth(2, @ndgrid, t(1:2))", "repmat(t(1:2), 2, 1)"),
    ("ndgrid([\"a\" \"b\"], 1:2)", "[\"a\" \"a\"; \"b\" \"b\"]"),
    ("nth(3, @meshgrid, 1:2, {'p'}, t(1:2))", "cat(3, t([1 1]), t([2 2]))"),
    ("repelem(c, 2)", "c([1 1 2 2 3 3 4 4])"),
    ("repelem(T, 1, [2 1])", "T(:, [1 1 2])"),
    ("perms(d(1:2))", "hours([3 1; 1 3])"),
    ("nchoosek(t(1:3), 2)", "t([1 2; 1 3; 2 3])"),
    # what is missing
    ("standardizeMissing(t, at(1))", "[NaT t(2:4)]"),
    ("standardizeMissing(d, hours(1))", "[hours(NaN) d(2:4)]"),
    ("ismissing(o, {'lo' 'hi'})", "o ~= 'mid'"),
    ("ismissing(tn, [at(2) NaT])", "[false false true false true]"),
    ("ismissing(table(d', c', [1; 2; 3; 4]), {1, 'a'})",
     "[zeros(4, 1) c' == 'a' [1; 0; 0; 0]] == 1"),
    ("unstack(table([1; 1; 2], categorical({'a'; 'b'; 'a'}), hours([1; 2; 3])), 'Var3', 'Var2').b",
     "hours([2; NaN])"),
    # sample points
    *((f"{f}, 'SamplePoints', s{r}",
       f"{f.replace('days', '')}, 'SamplePoints', [0 1 2 5]{r}") for f, r in (
        ("movmean(1:4, days(2)", ")"), ("smoothdata([1 2 5 4], 'movmean', days(3)", ")"),
        ("isoutlier([1 2 50 4], 'movmedian', days(3)", ")"), ("detrend([1 2 50 4], 1", ")"),
        ("filloutliers([1 2 50 4], 'linear'", ")"),
        ("islocalmax([1 5 2 3]", ", 'MinSeparation', 1)"),
        ("ischange([1 2 5 4]", ")"), ("movfun(@mean, 1:4, days(2)", ")"))),
    # windows
    *((f"{f}(d, 3)", f"hours({f}([1 3 2 6], 3))") for f in (
        "movmean", "movmedian", "movmin", "movmax", "movsum", "movstd", "movmad")),
    *((f"{f}(t, [1 0])", f"at(1 + {f}([0 2 1 5], [1 0]))") for f in (
        "movmean", "movmedian", "movmin", "movmax")),
    *((f"{f}(t, 3)", f"days({f}([0 2 1 5], 3))") for f in ("movstd", "movmad")),
    ("movmean(dn, 3, 'omitnan')", "hours(movmean([1 3 2 6 NaN], 3, 'omitnan'))"),
    ("movmean(d, days(2), 'SamplePoints', s)",
     "hours(movmean([1 3 2 6], 2, 'SamplePoints', [0 1 2 5]))"),
    ("nth(2, @smoothdata, [1 2 5 4], 'SamplePoints', s)",
     "days(nth(2, @smoothdata, [1 2 5 4], 'SamplePoints', [0 1 2 5]))"),
    # groups, texts, classes
    ("groupsummary([1; 2; 3; 4], s', 'month', 'sum')", "10"),
    ("'x' + \"\" + cd", "[\"x1mo\" \"x2mo\" \"x3mo\"]"),
    ("exceltime(at(1), '1904')", "43890"),
    ("convertTo(at(1), '.net')", "uint64(638448480000000000)"),
    ("datetime(convertTo(at(1), 'ntfs'), 'ConvertFrom', 'ntfs')", "at(1)"),
    ("duration.empty(0, 3)", "hours(zeros(0, 3))"),
    ("categorical.empty", "categorical({})"),
    ("string.empty(1, 0)", "strings(1, 0)"),
    ("int8.empty", "zeros(0, 'int8')"),
    ("table.empty(0, 3)", "array2table(zeros(0, 3))"),
    ("[size(table.empty) size(table.empty(2, 0))]", "[0 0 2 0]"),
    ("class(timetable.empty(0, 2).Properties.RowTimes)", "'datetime'"),
    ("calendarDuration([1 2 3; 0 1 0])", "[calendarDuration(1, 2, 3); calmonths(1)]"),
    ("datetime(2024, 3, 10, 2, 30, 0, 'TimeZone', 'America/New_York')",
     "datetime(2024, 3, 10, 3, 30, 0, 'TimeZone', 'America/New_York')"),
]  # fmt: skip

ERRORS = [
    *((f"{f}(t)", "MATLAB:UndefinedFunction") for f in (
        "sum", "cumsum", "abs", "floor", "var", "sign", "isnan", "trapz", "sort(c) + sum")),
    ("movsum(t, 3)", "MATLAB:UndefinedFunction"),
    *((f"{f}(d, 3)", "MATLAB:UndefinedFunction") for f in ("movvar", "movprod")),
    *((f"{f}(d)", "MATLAB:UndefinedFunction") for f in ("var", "cumprod", "sqrt", "isnat")),
    ("bounds(c)", "MATLAB:categorical:bounds:NotOrdinal"),
    ("interp1(t, 1:4, 5)", "MATLAB:interp1:XAndXqMismatch"),
    ("interp1(1:4, t, d(1))", "MATLAB:interp1:XAndXqMismatch"),
    ("interp1(1:4, c, 2)", "MATLAB:UndefinedFunction"),
    ("interp1(tn, 1:5, t(1))", "MATLAB:griddedInterpolant:NonFiniteInputPtsErrId"),
    ("discretize(t, [0 4])", "MATLAB:discretize:InvalidEdges"),
    ("discretize(t, d)", "MATLAB:histcounts:invalidEdges"),
    ("ismissing(t, 5)", "MATLAB:ismissing:IndicatorsNumeric"),
    ("clip(t, c, c)", "MATLAB:invalidConversion"),
    ("mustBeMember(c(1), {'z'})", "MATLAB:validators:mustBeMember"),
    ("mustBeFinite(dn)", "MATLAB:validators:mustBeFinite"),
    ("mustBeGreaterThan(t, at(2))", "MATLAB:validators:mustBeGreaterThan"),
    ("mustBeInRange(d, hours(2), hours(9))", "MATLAB:validators:mustBeInRange"),
    ("floor(d, 'weeks')", "MATLAB:duration:floor:InvalidUnit"),
    ("floor(1, 2)", "MATLAB:maxrhs"),
    ("double.empty(2)", "MATLAB:class:emptyMustBeZero"),
    ("table.empty(2, 2)", "MATLAB:class:emptyMustBeZero"),
]  # fmt: skip


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("kinds")
    (folder / "nth.m").write_text(
        "function r = nth(n, f, varargin)\n"
        "c = cell(1, n); [c{:}] = f(varargin{:}); r = c{n};\nend\n"
    )
    session = Session(cwd=folder)
    session.run(SETUP)
    return session


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[row[0] for row in VALUES])
def test_values(code: str, expected: str, prepared: Session) -> None:
    found = prepared.interp.evaluate_text(code, 1)
    wanted = prepared.interp.evaluate_text(expected, 1)
    assert (class_of(found), size_of(found)) == (class_of(wanted), size_of(wanted))
    if class_of(found) in ("double", "duration", "datetime"):
        numbers = [np.asarray(getattr(v, "codes", getattr(v, "data", v))) for v in (found, wanted)]
        np.testing.assert_allclose(*numbers, rtol=1e-13, atol=1e-9)
    else:
        assert isequal(found, wanted, nan_equal=True), (found, wanted)


@pytest.mark.parametrize(("code", "identifier"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(code: str, identifier: str, prepared: Session) -> None:
    with pytest.raises(MatlabError) as caught:
        prepared.run(f"{code};")
    assert caught.value.identifier == identifier
