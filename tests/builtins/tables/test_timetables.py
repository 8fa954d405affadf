"""timetable: an expression over a few timetables and what MATLAB gives for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

SETUP = """
when = datetime(2015, 12, 18, [8; 10; 12], 3, [5; 17; 13]);
Temp = [37.3; 39.1; 42.3];
Word = ["a"; "b"; "c"];
hourly = datetime(2015, 12, 18, (8:13)', 0, 0);
TT = timetable(when, Temp, Word);
H = timetable(hours([0; 0.5; 2]), [1; 3; 7], 'VariableNames', {'x'});
A = timetable(hours([0; 2; 3]), [1; 2; 3], {'p'; 'q'; 'r'}, 'VariableNames', {'x', 's'});
B = timetable(hours([2; 1]), [20; 10], 'VariableNames', {'x'});
D = timetable(datetime(2020, 1, [1; 15; 40; 41]), [1; NaN; 5; 7], 'VariableNames', {'v'});
S = timetable(hours([1; 1; 2]), [1; 2; 3], {'a'; 'b'; 'a'});
"""

MAKING = [
    ("class(TT)", "'timetable'"),
    ("[istimetable(TT) istable(TT) istabular(TT) istimetable(table())]", "[true false true false]"),
    ("size(TT)", "[3 2]"),
    ("[height(TT) width(TT)]", "[3 2]"),
    ("TT.Properties.DimensionNames", "{'when', 'Variables'}"),
    ("timetable(Temp, 'RowTimes', when).Properties.DimensionNames", "{'Time', 'Variables'}"),
    ("timetable(when + 0, Temp).Properties.DimensionNames", "{'Time', 'Variables'}"),
    ("TT.Properties.VariableNames", "{'Temp', 'Word'}"),
    ("timetable(when, Temp + 1).Properties.VariableNames", "{'Var1'}"),
    ("timetable(when', Temp).Time", "when"),
    ("timetable(Temp, 'SampleRate', 100).Time", "seconds([0; 0.01; 0.02])"),
    ("timetable(Temp, 'SampleRate', 100).Time.Format", "'s'"),
    ("timetable(Temp, 'TimeStep', hours(6)).Time.Format", "'h'"),
    ("timetable([1;2], 'TimeStep', hours(6), 'StartTime', when(1)).Time", "when(1) + hours([0;6])"),
    (
        "timetable(Temp, 'TimeStep', calmonths(1), 'StartTime', datetime(2020,1,31)).Time",
        "datetime(2020, [1;2;3], [31;29;31])",
    ),
    (
        "timetable('Size', [2 1], 'VariableTypes', {'string'}, 'TimeStep', seconds(1)).Var1",
        "[missing; missing] + \"\"",
    ),
    ("array2timetable([1 2; 3 4], 'TimeStep', days(1)).Var2", "[2; 4]"),
    ("table2timetable(table(Temp, when)).Properties.DimensionNames{1}", "'when'"),
    ("table2timetable(table(Temp, when), 'RowTimes', 'when').Temp", "Temp"),
    ("table2timetable(table(Temp), 'SampleRate', 2).Time", "seconds([0; 0.5; 1])"),
    ("timetable2table(TT).Properties.VariableNames", "{'when', 'Temp', 'Word'}"),
    ("class(timetable2table(TT))", "'table'"),
    ("timetable2table(TT, 'ConvertRowTimes', false)", "table(Temp, Word)"),
]  # fmt: skip

READING = [
    ("TT.when", "when"),
    ("TT.when(2)", "when(2)"),
    ("TT.Properties.RowTimes", "when"),
    ("TT.Properties.StartTime", "when(1)"),
    ("isnan(TT.Properties.SampleRate) && isnan(TT.Properties.TimeStep)", "true"),
    ("timetable(Temp, 'SampleRate', 100).Properties.SampleRate", "100"),
    ("timetable(Temp, 'TimeStep', hours(6)).Properties.TimeStep", "hours(6)"),
    ("TT{2, 'Temp'}", "39.1"),
    ("TT(2:3, :).when", "when(2:3)"),
    ("TT(TT.Temp > 40, :).Word", '"c"'),
    ("TT(when(2), :).Word", '"b"'),
    ("TT(when([3 1]), :).Word", '["c"; "a"]'),
    ("TT('18-Dec-2015 10:03:17', :).Temp", "39.1"),
    ("height(TT(datetime(2000, 1, 1), :))", "0"),
    ("size(TT([], :))", "[0 2]"),
    ("H(hours(0.5), :).x", "3"),
    ("subsref([H; H], substruct('()', {hours(0.5), ':'})).x", "[3; 3]"),
    ("TT(timerange('2015-12-18 09:00:00', '2015-12-18 12:03:13'), :).Temp", "39.1"),
    ("TT(timerange('2015-12-18 09:00:00', when(3), 'closed'), :).Temp", "[39.1; 42.3]"),
    ("TT(timerange(when(1), when(3), 'open'), :).Temp", "39.1"),
    ("TT(timerange(when(1), when(3), 'openleft'), :).Temp", "[39.1; 42.3]"),
    ("TT(timerange(-Inf, when(2)), :).Temp", "37.3"),
    ("height(TT(timerange('2015-12-18', 'days'), :))", "3"),
    ("height(TT(timerange('2015-11-18', 'months'), :))", "0"),
    ("H(withtol(hours([0.4 1.9]), hours(0.11)), :).x", "[3; 7]"),
    ("isequal(TT, TT([1 2 3], :))", "true"),
    ("isequal(TT, timetable(when + 1, Temp, Word))", "false"),
    ("isequal(TT, timetable2table(TT, 'ConvertRowTimes', false))", "false"),
    ("TT(:, vartype('numeric')).Properties.VariableNames", "{'Temp'}"),
    ("head(TT, 1).when", "when(1)"),
]  # fmt: skip

TOGETHER = [
    ("[B; B].Time", "hours([2; 1; 2; 1])"),
    ("sortrows(B).x", "[10; 20]"),
    ("sortrows(B, 'Time', 'descend').x", "[20; 10]"),
    ("sortrows(A, 'x', 'descend').Time", "hours([3; 2; 0])"),
    ("unique([B; B]).x", "[10; 20]"),
    ("[B, timetable(hours([1; 2]), [5; 6], 'VariableNames', {'y'})].y", "[6; 5]"),
    ("[B, table([5; 6], 'VariableNames', {'y'})].y", "[5; 6]"),
    ("addvars(B, [5; 6], 'NewVariableNames', 'z').Time", "hours([2; 1])"),
    ("class(renamevars(B, 'x', 'y'))", "'timetable'"),
    ("renamevars(B, 'Time', 'at').Properties.DimensionNames{1}", "'at'"),
    ("rmmissing(D).Time", "D.Time([1 3 4])"),
    ("fillmissing(D, 'linear').v(2)", "1 + 4 * 14 / 39"),
    ("fillmissing(D, 'nearest').v(2)", "1"),
    ("varfun(@mean, H).mean_x", "mean([1 3 7])"),
    ("varfun(@mean, H).Time", "hours(0)"),
    ("class(varfun(@mean, H, 'OutputFormat', 'table'))", "'table'"),
    ("rowfun(@(x) 2 * x, H).Time", "H.Time"),
    ("varfun(@sum, [B; B], 'GroupingVariables', 'Time').sum_x", "[20; 40]"),
    ("varfun(@sum, [B; B], 'GroupingVariables', 'Time').Time", "hours([1; 2])"),
    ("varfun(@sum, S, 'GroupingVariables', 'Var2').Time", "hours([1; 1])"),
    ("stack(timetable(hours(1), 1, 2), {'Var1', 'Var2'}).Time", "hours([1; 1])"),
    ("innerjoin(A, B).Time", "hours(2)"),
    ("outerjoin(A, B).Time", "hours([0; 1; 2; 3])"),
    ("outerjoin(A, B).x_B", "[NaN; 10; 20; NaN]"),
    ("join(A, table([2; 1; 3], [7; 8; 9], 'VariableNames', {'x', 'y'})).y", "[8; 7; 9]"),
    ("class(join(A, table([2; 1; 3], [7; 8; 9], 'VariableNames', {'x', 'y'})))", "'timetable'"),
    ("groupsummary([B; B], 'Time', 'sum').sum_x", "[20; 40]"),
    ("cellstr(groupsummary(D, 'Time', 'month').month_Time)", "{'Jan-2020'; 'Feb-2020'}"),
    ("groupsummary(D, 'Time', 'month', 'sum').sum_v", "[1; 12]"),
    ("cellstr(groupsummary(D, 'Time', 'day').day_Time(1))", "{'01-Jan-2020'}"),
    ("cellstr(groupsummary(D, 'Time', 'dayname').dayname_Time)", "{'Sunday';'Monday';'Wednesday'}"),
    ("groupcounts(TT, 'when', 'hourofday').GroupCount", "[1; 1; 1]"),
    ("cellstr(groupsummary(H, 'Time', hours(1)).disc_Time)", "{'[0 hr, 1 hr)'; '[2 hr, 3 hr)'}"),
    ("groupsummary(H, 'Time', 'hour', 'max').max_x", "[3; 7]"),
    ("groupsummary(H, 'Time', hours([0 1 2]), 'max').max_x", "[3; 7]"),
    (
        "unstack(S, 'Var1', 'Var2').b",
        "[2;NaN]",
    ),
    (
        "unstack(S, 'Var1', 'Var2').Time",
        "hours([1; 2])",
    ),
    ("containsrange(H, hours(0.1), hours(2))", "true"),
    ("containsrange(H, timerange(hours(1), hours(3)))", "false"),
    ("[containsrange(A, B) containsrange(B, A)]", "[true false]"),
    ("[withinrange(B, A) withinrange(A, B)]", "[true false]"),
    ("withinrange(H, timerange(hours(0), hours(2)))", "false"),
    ("withinrange(TT, '2015-12-18 00:00:00', '2015-12-19 00:00:00')", "true"),
    (
        "[overlapsrange(H, hours(1), hours(1.5)) overlapsrange(H, hours(3), hours(4))]",
        "[true false]",
    ),
    ("overlapsrange(H, timerange(hours(2), hours(3), 'open'))", "false"),
    ("isregular(H)", "false"),
    ("isregular(timetable(Temp, 'SampleRate', 3))", "true"),
    ("isregular(datetime(2020, (1:5)', 1))", "false"),
    ("isregular(datetime(2020, (1:5)', 1), 'months')", "true"),
    ("isregular(datetime(2020, 1, (1:7:30)'), 'weeks')", "true"),
    ("lag(timetable(Temp, 'SampleRate', 1), 2).Temp", "[NaN; NaN; 37.3]"),
    ("lag(timetable(Temp, 'SampleRate', 1), -1).Temp", "[39.1; 42.3; NaN]"),
    ("lag(timetable(Temp, 'SampleRate', 1), seconds(1)).Temp", "[NaN; 37.3; 39.1]"),
]

RETIMING = [
    ("retime(TT(:, 1), 'hourly', 'linear').when", "hourly"),
    (
        "round(retime(TT(:, 1), 'hourly', 'linear').Temp, 9)",
        "round(interp1(days(when - when(1)), Temp, days(hourly - when(1)), 'linear', 'extrap'), 9)",
    ),
    (
        "round(retime(TT(:, 1), 'hourly', 'spline').Temp, 9)",
        "round(interp1(days(when - when(1)), Temp, days(hourly - when(1)), 'spline'), 9)",
    ),
    ("retime(TT, 'hourly', 'previous').Word", '[missing "a" "a" "b" "b" "c"]\''),
    ("retime(TT, 'hourly', 'next').Word", '["a" "b" "b" "c" "c" missing]\''),
    ("retime(TT, 'hourly', 'nearest').Word", '["a" "a" "b" "b" "c" "c"]\''),
    ("retime(TT(:, 1), 'daily', 'mean').Temp", "mean(Temp)"),
    ("retime(TT(:, 1), 'daily', 'mean').when", "datetime(2015, 12, 18)"),
    ("retime(H, 'hourly').x", "[1; NaN; 7]"),
    ("retime(H, 'hourly', 'fillwithconstant', 'Constant', -1).x", "[1; -1; 7]"),
    ("retime(H, 'hourly', 'sum').x", "[4; 0; 7]"),
    ("retime(H, 'hourly', 'sum', 'IncludedEdge', 'right').x", "[1; 3; 7]"),
    ("retime(H, 'hourly', 'prod').x", "[3; 1; 7]"),
    ("retime(H, 'hourly', 'max').x", "[3; NaN; 7]"),
    ("retime(H, 'hourly', 'count').x", "[2; 0; 1]"),
    ("retime(H, 'hourly', 'firstvalue').x", "[1; NaN; 7]"),
    ("retime(H, 'hourly', 'lastvalue').x", "[3; NaN; 7]"),
    ("retime(H, 'hourly', @(v) numel(v)).x", "[2; NaN; 1]"),
    ("retime(H, hours([0.25; 1]), 'linear').x", "[2; 3 + 4/3]"),
    ("retime(H, hours([-1; 1; 5]), 'linear', 'EndValues', 0).x", "[0; 3 + 4/3; 0]"),
    ("retime(H, hours([0; 1]), 'sum').x", "[4; 7]"),
    ("retime(H, 'regular', 'nearest', 'TimeStep', minutes(30)).x", "[1; 3; 3; 7; 7]"),
    ("height(retime(H, 'regular', 'linear', 'SampleRate', 1))", "7201"),
    ("retime(D, 'monthly', 'mean').v", "[1; 6]"),
    ("retime(D, 'monthly', 'mean').Time", "datetime(2020, [1; 2], 1)"),
    ("retime(D, 'quarterly', 'sum').v", "13"),
    ("retime(D, 'yearly', 'count').v", "3"),
    ("retime(D, 'weekly', 'max').v", "[1; NaN(5, 1); 7]"),
    ("height(retime(D, 'daily'))", "41"),
    ("retime(timetable(hours([0; 0]), {'a'; 'b'}), 'hourly', 'lastvalue').Var1", "{'b'}"),
    ("retime(timetable(hours([0; 1]), int8([1; 4])), hours(0.5), 'linear').Var1", "int8(3)"),
    ("retime(timetable(hours([0;1]), seconds([1;4])), hours(0.5), 'linear').Var1", "seconds(2.5)"),
    ("retime(timetable(hours([0; 1]), [1 2; 3 6]), hours(0.5), 'linear').Var1", "[2 4]"),
    ("synchronize(A, B).Time", "hours([0; 1; 2; 3])"),
    ("synchronize(A, B).Properties.VariableNames", "{'x_A', 's', 'x_B'}"),
    ("synchronize(A, B).x_B", "[NaN; 10; 20; NaN]"),
    ("synchronize(A, B).s", "{'p'; ''; 'q'; 'r'}"),
    ("synchronize(A, B, 'intersection').x_A", "2"),
    ("synchronize(A, B, 'commonrange', 'previous').x_A", "[1; 2]"),
    ("synchronize(A, B, 'first', 'nearest').x_B", "[10; 20; 20]"),
    ("synchronize(A, B, 'last').Time", "hours([2; 1])"),
    ("synchronize(A(:, 1), B, 'hourly', 'sum').x_1", "[1; 0; 2; 3]"),
    ("synchronize(A(:, 1), B, hours([0; 2]), 'linear').x_B", "[0; 20]"),
]  # fmt: skip


@pytest.fixture
def session(session: Session) -> Session:
    session.run(SETUP)
    return session


@pytest.mark.parametrize(
    ("expression", "expected"), [*MAKING, *READING, *TOGETHER, *RETIMING], ids=lambda x: x
)
def test_expression(same: Same, session: Session, expression: str, expected: str) -> None:
    same(expression, expected)


FAILURES = [
    ("timetable(1, 2)", "MATLAB:timetable:NoTimeVector"),
    ("timetable([1; 2], 'RowTimes', [1; 2])", "MATLAB:timetable:InvalidRowTimes"),
    ("timetable(when, [1; 2])", "MATLAB:timetable:IncorrectNumberOfRowTimes"),
    ("timetable([1; 2], 'SampleRate', -1)", "MATLAB:timetable:InvalidSampleRate"),
    ("timetable([1; 2], 'TimeStep', 3)", "MATLAB:timetable:InvalidTimeStep"),
    (
        "timetable(1, 'SampleRate', 1, 'TimeStep', hours(1))",
        "MATLAB:timetable:InvalidRowTimesOptions",
    ),
    ("table2timetable(table(1))", "MATLAB:table2timetable:NoTimeVarFound"),
    ("timetable2table(5)", "MATLAB:UndefinedFunction"),
    ("TT.when = [1; 2; 3];", "MATLAB:timetable:InvalidRowTimes"),
    ("writetable(TT, 'x.csv')", "MATLAB:UndefinedFunction"),
    ("TT.when = when(1:2);", "MATLAB:timetable:IncorrectNumberOfRowTimes"),
    ("TT(9, :)", "MATLAB:table:RowIndexOutOfRange"),
    ("[A, TT]", "MATLAB:timetable:horzcat:UnequalRowTimes"),
    ("retime(TT, 'hourly', 'linear')", "MATLAB:timetable:synchronize:NonnumericVariable"),
    ("retime(TT, 'regular', 'linear')", "MATLAB:timetable:retime:RegularNoStep"),
    ("retime([H; H], 'hourly', 'linear')", "MATLAB:timetable:synchronize:NotUnique"),
    ("retime(H, 'monthly')", "MATLAB:timetable:InvalidTimeStep"),
    ("retime(H, hours([2; 1]))", "MATLAB:timetable:retime:NotSorted"),
    ("synchronize(H, TT)", "MATLAB:timetable:synchronize:MixedTimeTypes"),
    ("lag(H)", "MATLAB:timetable:lag:NotRegular"),
    ("timerange({1}, 2)", "MATLAB:timerange:InvalidTimes"),
]


@pytest.mark.parametrize(("statement", "identifier"), FAILURES, ids=lambda x: x)
def test_failure(failing: Failing, session: Session, statement: str, identifier: str) -> None:
    failing(statement, identifier)


def test_writing(session: Session) -> None:
    session.run(
        """
        U = H;
        U.x(2) = 9;
        U.Time(1) = hours(-1);
        U.y = [1; 2; 3];
        U(hours(7), :) = {4, 5};
        V = H;
        V(2, :) = [];
        V.Properties.SampleRate = 10;
        W = H;
        W(4, :) = timetable(hours(9), 1, 'VariableNames', {'x'});
        X = timetable([1; 2], 'TimeStep', hours(2));
        X.Properties.StartTime = datetime(2020, 1, 1);
        Y = H;
        Y.Properties.StartTime = hours(5);
        Y.Properties.VariableUnits{1} = 'm';
        """
    )
    assert session.eval("isequal(U.Time, hours([-1; 0.5; 2; 7]))")
    assert session.eval("isequal(U.x, [1; 9; 7; 4]) && isequal(U.y, [1; 2; 3; 5])")
    assert session.eval("isequal(V.Time, seconds([0; 0.1])) && isequal(V.x, [1; 7])")
    assert session.eval("isequal(W.Time, hours([0; 0.5; 2; 9]))")
    assert session.eval("isequal(X.Time, datetime(2020, 1, 1, [0; 2], 0, 0))")
    assert session.eval("isequal(Y.Time, H.Time + hours(5) - H.Time(1))")
    assert session.eval("isequal(Y.Properties.VariableUnits, {'m'})")
    assert session.eval("isequal(H.x, [1; 3; 7])")


def test_continuity_chooses_the_method(session: Session) -> None:
    session.run(
        """
        T = timetable(hours([0; 2]), [0; 4], [10; 20], [1; 2], 'VariableNames', {'a', 'b', 'c'});
        T.Properties.VariableContinuity = {'continuous', 'step', 'unset'};
        R = retime(T, 'hourly');
        """
    )
    assert session.eval("isequaln(R{:, :}, [0 10 1; 2 10 NaN; 4 20 2])")


SHOWN = [
    "TT =",
    "",
    "  3×2 timetable",
    "",
    "            when            Temp    Word",
    "    ____________________    ____    ____",
    "",
    '    18-Dec-2015 08:03:05    37.3    "a"',
    '    18-Dec-2015 10:03:17    39.1    "b"',
    '    18-Dec-2015 12:03:13    42.3    "c"',
    "",
    "",
]


def test_display(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("TT")
    lines = capsys.readouterr().out.lstrip("\n").split("\n")
    assert [line.rstrip() for line in lines] == SHOWN


def test_python_gets_the_times_as_well(session: Session) -> None:
    assert list(session.eval("H")) == ["Time", "x"]


SUMMARY = """
RowTimes:

    when: 3×1 datetime

        Values:

            Min         18-Dec-2015 08:03:05
            Median      18-Dec-2015 10:03:17
            Max         18-Dec-2015 12:03:13
            TimeStep                     NaN

Variables:

    Temp: 3×1 double

        Values:

            Min       37.3
            Median    39.1
            Max       42.3

    Word: 3×1 string

"""


def test_summary(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("summary(TT)")
    lines = capsys.readouterr().out.split("\n")
    assert [line.rstrip() for line in lines] == SUMMARY.split("\n")
    assert session.eval(
        "summary(timetable([1; 2], 'SampleRate', 4)).Time.TimeStep == seconds(0.25)"
    )


def test_timetables_in_files(session: Session) -> None:
    session.run("writetimetable(TT, 'tt.csv'); R = readtimetable('tt.csv', 'TextType', 'string');")
    assert session.eval("isequal(R.when, TT.when) && isequal(R.Temp, TT.Temp)") is True
    session.run("S = readtimetable('tt.csv', 'SampleRate', 2);")
    assert session.eval("isequal(S.Time, seconds([0; 0.5; 1])) && isequal(S.when, TT.when)") is True
    session.run("writetimetable(timetable(seconds(1), 2));")
    assert session.eval("exist('timetable.txt', 'file')") == 2
