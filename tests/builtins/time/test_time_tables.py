"""datetime, duration and calendarDuration: an expression and what MATLAB gives for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

DURATIONS = [
    ("class(hours(1))", "'duration'"),
    ("size(hours(ones(2, 3)))", "[2 3]"),
    ("seconds(minutes(1.5))", "90"),
    ("minutes([60 30]) == hours([1 0.5])", "[true true]"),
    ("hours(1) + minutes(30)", "minutes(90)"),
    ("hours(1) - 1", "hours(-23)"),
    ("1 + hours(1)", "hours(25)"),
    ("3 * seconds(2)", "seconds(6)"),
    ("seconds([1 2]) * [3; 4]", "seconds(11)"),
    ("seconds(6) / 4", "seconds(1.5)"),
    ("hours(3) / minutes(30)", "6"),
    ("seconds([2 4]) ./ seconds([1 8])", "[2 0.5]"),
    ("4 \\ seconds(6)", "seconds(1.5)"),
    ("-seconds(3)", "seconds(-3)"),
    ("abs(seconds([-3 2]))", "seconds([3 2])"),
    ("sum(hours([1 2; 3 4]))", "hours([4 6])"),
    ("sum(hours([1 2; 3 4]), 2)", "hours([3; 7])"),
    ("mean(seconds([1 2 6]))", "seconds(3)"),
    ("median(seconds([1 2 6]))", "seconds(2)"),
    ("cumsum(seconds(1:3))", "seconds([1 3 6])"),
    ("diff(seconds([1 4 9]))", "seconds([3 5])"),
    ("max(seconds([1 4 NaN 3]))", "seconds(4)"),
    ("min(seconds([1 5]), seconds([2 3]))", "seconds([1 3])"),
    ("max(seconds([1 5; 7 3]), [], 2)", "seconds([5; 7])"),
    ("sort(seconds([3 NaN 1]), 'descend')", "seconds([NaN 3 1])"),
    ("unique(seconds([3 1 3]))", "seconds([1 3])"),
    ("ismember(seconds([1 2]), seconds([2 3]))", "[false true]"),
    ("floor(seconds([1.7 -1.2]))", "seconds([1 -2])"),
    ("round(minutes(89), 'hours')", "hours(1)"),
    ("mod(minutes(95), hours(1))", "minutes(35)"),
    ("sign(seconds([-2 0 3]))", "[-1 0 1]"),
    ("isnan(seconds([1 NaN]))", "[false true]"),
    ("hours(2) > minutes(100)", "true"),
    ("days(1) == 1", "true"),
    ("duration(1, 30, 0) == '01:30:00'", "true"),
    ("duration('01:02:03.5')", "seconds(3723.5)"),
    ("duration('2:01:02:03')", "seconds(176523)"),
    ("duration({'00:01:00', '00:00:05'})", "seconds([60 5])"),
    ("duration([1 2 3; 4 5 6])", "[duration(1, 2, 3); duration(4, 5, 6)]"),
    ("duration(0, 0, 1, 500)", "seconds(1.5)"),
    ("char(duration(1, 2, 3))", "'01:02:03'"),
    ("char(duration(25, 2, 3, 'Format', 'dd:hh:mm:ss'))", "'01:01:02:03'"),
    ("char(duration(0, 2, 3.25, 'Format', 'mm:ss.SSS'))", "'02:03.250'"),
    ("char(hours(-1.5))", "'-1.5 hr'"),
    ("char(duration(-1, -30, 0))", "'-01:30:00'"),
    ("string(years([1 2]))", "['1 yr' \"2 yrs\"]"),
    ("cellstr(days(1:2))", "{'1 day', '2 days'}"),
    ("char(seconds(123456))", "'1.2346e+05 sec'"),
    ("numel(seconds(0):seconds(5):seconds(20))", "5"),
    ("linspace(seconds(0), seconds(4), 3)", "seconds([0 2 4])"),
    ("[seconds(1) minutes(1)]", "seconds([1 60])"),
    ("[seconds(1), 1]", "seconds([1 86400])"),
    ("getfield([seconds(1) hours(1)], 'Format')", "'s'"),
    ("isequal(seconds(60), minutes(1))", "true"),
    ("reshape(seconds(1:4), 2, 2)", "seconds([1 3; 2 4])"),
    ("repmat(seconds(1), 1, 2)", "seconds([1 1])"),
    ("seconds(1:3)'", "seconds([1; 2; 3])"),
    ("isempty(seconds([]))", "true"),
    ("isobject(hours(1))", "true"),
]

DATETIMES = [
    ("class(datetime)", "'datetime'"),
    ("datenum(datetime(2020, 1, 2))", "737792"),
    ("datetime(2020, 14, 35)", "datetime(2021, 3, 7)"),
    ("datetime(2020, 0, 1)", "datetime(2019, 12, 1)"),
    ("datetime(2020, 1, 1, 0, 0, 90)", "datetime(2020, 1, 1, 0, 1, 30)"),
    ("datetime(2020, 1, 1, 0, 0, 0, 250)", "datetime(2020, 1, 1) + milliseconds(250)"),
    ("datetime([2020 1 1; 2021 2 3])", "[datetime(2020, 1, 1); datetime(2021, 2, 3)]"),
    ("size(datetime(2020, 1, 1:5))", "[1 5]"),
    ("datetime('2020-02-29')", "datetime(2020, 2, 29)"),
    ("datetime('29-Feb-2020 13:14:15')", "datetime(2020, 2, 29, 13, 14, 15)"),
    ("datetime('2/3/2020')", "datetime(2020, 2, 3)"),
    ("datetime('03.02.2020', 'InputFormat', 'dd.MM.yyyy')", "datetime(2020, 2, 3)"),
    ("datetime('2020-02-29T13:14:15')", "datetime(2020, 2, 29, 13, 14, 15)"),
    ('datetime("20200229", InputFormat="uuuuMMdd")', "datetime(2020, 2, 29)"),
    (
        "datetime('3 PM, 2-Jan-20', 'InputFormat', 'h a, d-MMM-yy')",
        "datetime(2020, 1, 2, 15, 0, 0)",
    ),
    ("datetime({'2020-01-01'; '2020-01-02'})", "datetime(2020, 1, [1; 2])"),
    ("datetime(737791, 'ConvertFrom', 'datenum')", "datetime(2020, 1, 1)"),
    ("datetime(43831.5, 'ConvertFrom', 'excel')", "datetime(2020, 1, 1, 12, 0, 0)"),
    ("datetime(2451545, 'ConvertFrom', 'juliandate')", "datetime(2000, 1, 1, 12, 0, 0)"),
    ("datetime(86400, 'ConvertFrom', 'posixtime')", "datetime(1970, 1, 2)"),
    ("datetime(20200229, 'ConvertFrom', 'yyyymmdd')", "datetime(2020, 2, 29)"),
    ("datetime('today') - datetime('yesterday')", "days(1)"),
    ("abs(datetime('now') - datetime) < seconds(5)", "true"),
    ("datetime(2020, 3, 1) - datetime(2020, 2, 1)", "days(29)"),
    ("datetime(2020, 2, 28) + 2", "datetime(2020, 3, 1)"),
    ("datetime(2020, 2, 28) + hours([1 25])", "datetime(2020, 2, [28 29], 1, 0, 0)"),
    ("datetime(2020, 1, 31) + calmonths(1:2)", "[datetime(2020, 2, 29) datetime(2020, 3, 31)]"),
    ("datetime(2020, 3, 31) - calmonths(1)", "datetime(2020, 2, 29)"),
    ("datetime(2020, 1, 1):datetime(2020, 1, 3)", "datetime(2020, 1, 1:3)"),
    ("datetime(2020, 1, 1):hours(12):datetime(2020, 1, 2)", "datetime(2020, 1, 1, 0:12:24, 0, 0)"),
    (
        "datetime(2020, 1, 31):calmonths(1):datetime(2020, 4, 1)",
        "datetime(2020, [1 2 3], [31 29 31])",
    ),
    ("sort(datetime(2020, [3 1 2], 1))", "datetime(2020, 1:3, 1)"),
    ("sort([NaT datetime(2020, 1, 1)])", "[datetime(2020, 1, 1) NaT]"),
    ("max(datetime(2020, [3 1 2], 1))", "datetime(2020, 3, 1)"),
    ("unique(datetime(2020, [3 1 3], 1))", "datetime(2020, [1 3], 1)"),
    ("diff(datetime(2020, 1, [1 3 6]))", "days([2 3])"),
    ("mean(datetime(2020, 1, [1 3]))", "datetime(2020, 1, 2)"),
    ("abs(std(datetime(2020, 1, [1 3])) - days(sqrt(2))) < milliseconds(1)", "true"),
    ("linspace(datetime(2020, 1, 1), datetime(2020, 1, 3), 3)", "datetime(2020, 1, 1:3)"),
    ("datetime(2020, 1, 1) < datetime(2020, 1, 2)", "true"),
    ("datetime(2020, 1, 1:3) >= '2020-01-02'", "[false true true]"),
    ("NaT == NaT", "false"),
    ("NaT ~= NaT", "true"),
    ("isnat([NaT datetime(2020, 1, 1)])", "[true false]"),
    ("isequal(NaT, NaT)", "false"),
    ("isequaln(NaT, NaT)", "true"),
    ("size(NaT(2, 3))", "[2 3]"),
    ("year(datetime(-5, 1, 1))", "-5"),
    ("weekday(datetime(2020, 2, 29))", "7"),
    ("day(datetime(2020, 2, 29), 'name')", "{'Saturday'}"),
    ("week(datetime(2021, 1, 3))", "2"),
    ("week(datetime(2021, 1, 3), 'iso-weekofyear')", "53"),
    ("second(datetime(2020, 1, 1, 1, 1, 1.25), 'secondofday')", "3661.25"),
    ("year(NaT)", "NaN"),
    ("datestr(datetime(2020, 1, 2, 3, 4, 5))", "'02-Jan-2020 03:04:05'"),
    ("datevec(datetime(2020, 1, 2, 3, 4, 5))", "[2020 1 2 3 4 5]"),
    ("datevec('5-Jan-03')", "[2003 1 5 0 0 0]"),
    ("datevec('03/04/2020 3:04 PM')", "[2020 3 4 15 4 0]"),
    ("datevec('Mar 5, 2021 10:20:30.5')", "[2021 3 5 10 20 30.5]"),
    ("string(datetime(2020, 1, 2))", '"02-Jan-2020"'),
    ("string(datetime(2020, 1, 2, 3, 4, 5))", '"02-Jan-2020 03:04:05"'),
    ("string(datetime(2020, 1, 2), 'dd.MM.')", '"02.01."'),
    ("string(NaT)", "string(missing)"),
    ("char(datetime(2020, 1, 2), 'yyyy/MM/dd')", "'2020/01/02'"),
    (
        "char(datetime(2020, 1, 2, 13, 4, 5), 'eeee, d MMMM h:mm a')",
        "'Thursday, 2 January 1:04 PM'",
    ),
    ("char(datetime(2020, 1, 2, 3, 4, 5.678), 'HH:mm:ss.SSS')", "'03:04:05.678'"),
    ("char(datetime(2020, 1, 2), \"'Q'Q D\")", "'Q1 2'"),
    ("sprintf('%s|', datetime(2020, 1, 1:2))", "'01-Jan-2020|02-Jan-2020|'"),
    ('"on " + datetime(2020, 1, 2)', '"on 02-Jan-2020"'),
    ("[datetime(2020, 1, 1); '2020-01-02']", "datetime(2020, 1, [1; 2])"),
    ("dateshift(datetime(2020, 5, 17), 'start', 'quarter')", "datetime(2020, 4, 1)"),
    ("dateshift(datetime(2020, 5, 17), 'end', 'year')", "datetime(2020, 12, 31)"),
    ("dateshift(datetime(2020, 5, 17), 'start', 'week')", "datetime(2020, 5, 17)"),
    ("dateshift(datetime(2020, 5, 17, 5, 45, 0), 'end', 'hour')", "datetime(2020, 5, 17, 6, 0, 0)"),
    ("dateshift(datetime(2020, 5, 17), 'start', 'month', 'next')", "datetime(2020, 6, 1)"),
    (
        "dateshift(datetime(2020, 5, 17), 'dayofweek', 'Monday', 'previous')",
        "datetime(2020, 5, 11)",
    ),
    ("isbetween(datetime(2020, 1, 1), '2020-01-01', '2020-01-02', 'open')", "false"),
    ("char(between(datetime(2020, 1, 31), datetime(2020, 3, 1)))", "'1mo 1d'"),
    ("caldays(between(datetime(2020, 1, 1), datetime(2020, 3, 1), 'days'))", "60"),
    ("char(between(datetime(2020, 3, 1), datetime(2020, 1, 31)))", "'-1mo -1d'"),
    ("timeofday(datetime(2020, 1, 1, 1, 2, 3))", "duration(1, 2, 3)"),
    ("isequal(datetime(2020, 1, 1), datetime(2020, 1, 1, 'Format', 'uuuu'))", "true"),
]

ZONES = [
    (
        "datetime(2020, 7, 1, 12, 0, 0, 'TimeZone', 'UTC') == "
        "datetime(2020, 7, 1, 14, 0, 0, 'TimeZone', 'Europe/Zurich')",
        "true",
    ),
    (
        "hour(setfield(datetime(2020, 1, 1, 9, 0, 0, 'TimeZone', 'UTC'), 'TimeZone', '+12:00'))",
        "21",
    ),
    ("hour(setfield(datetime(2020, 1, 1, 12, 0, 0, 'TimeZone', 'UTC'), 'TimeZone', ''))", "12"),
    # an hour that the clocks skip, and a day with 23 hours
    ("hour(datetime(2021, 3, 28, 2, 30, 0, 'TimeZone', 'Europe/Berlin'))", "3"),
    (
        "datetime(2021, 3, 29, 'TimeZone', 'Europe/Berlin') - "
        "datetime(2021, 3, 28, 'TimeZone', 'Europe/Berlin')",
        "hours(23)",
    ),
    ("hour(datetime(2021, 3, 28, 'TimeZone', 'Europe/Berlin') + caldays(1))", "0"),
    ("hour(datetime(2021, 3, 28, 'TimeZone', 'Europe/Berlin') + days(1))", "1"),
    ("posixtime(datetime(1970, 1, 1, 1, 0, 0, 'TimeZone', '+01:00'))", "0"),
    (
        "char(datetime(2020, 7, 1, 'TimeZone', 'Europe/Zurich', 'Format', 'HH:mm Z'))",
        "'00:00 +0200'",
    ),
    (
        "datetime('2020-01-01T00:00:00Z', 'TimeZone', 'UTC')",
        "datetime(2020, 1, 1, 'TimeZone', 'UTC')",
    ),
]

CALENDAR = [
    ("char(calyears(1) + calmonths(14))", "'2y 2mo'"),
    ("char(calmonths(1) + caldays(2) + hours(3))", "'1mo 2d 3h 0m 0s'"),
    ("char(calweeks(2))", "'2w'"),
    ("char(calquarters(5))", "'1y 1q'"),
    ("char(-calmonths(2))", "'-2mo'"),
    ("char(2 * caldays([1 2]))", "['2d'; '4d']"),
    ("calmonths(1) == calmonths([1 2])", "[true false]"),
    ("caldays(calweeks(1) + caldays(1))", "8"),
    ("iscalendarduration(calmonths(1) + hours(1))", "true"),
    ("calmonths(calendarDuration(1, 2, 3))", "14"),
]


@pytest.mark.parametrize(
    ("expression", "expected"), [*DURATIONS, *DATETIMES, *ZONES, *CALENDAR], ids=lambda x: x
)
def test_expression(same: Same, expression: str, expected: str) -> None:
    same(expression, expected)


FAILURES = [
    ("seconds('a')", "MATLAB:duration:seconds:InvalidData"),
    ("seconds(1) * seconds(1)", "MATLAB:duration:MultiplicationNotDefined"),
    ("seconds(1) < struct()", "MATLAB:duration:InvalidComparison"),
    ("duration('nonsense')", "MATLAB:duration:UnrecognizedFormat"),
    ("d = hours(1); d.Format = 'q';", "MATLAB:duration:UnrecognizedFormat"),
    ("datetime(2020, 1, 1) + datetime(2020, 1, 1)", "MATLAB:datetime:DatetimeAdditionNotDefined"),
    ("datetime('nonsense')", "MATLAB:datetime:UnrecognizedDateStringSuggestLocale"),
    ("datetime('2020', 'InputFormat', 'MM/dd')", "MATLAB:datetime:ParseErr"),
    ("datetime(2020)", "MATLAB:datetime:InvalidNumericData"),
    ("datetime(2020, 1:2, 1:3)", "MATLAB:datetime:InputSizeMismatch"),
    ("datetime(2020, 1, 1, 'TimeZone', 'Nowhere')", "MATLAB:datetime:UnknownTimeZone"),
    (
        "datetime(2020, 1, 1) < datetime(2020, 1, 1, 'TimeZone', 'UTC')",
        "MATLAB:datetime:IncompatibleTZ",
    ),
    ("datetime(2020, 1, 1) < 5", "MATLAB:datetime:InvalidComparison"),
    ("t = datetime(2020, 1, 1); t.Yeer", "MATLAB:noSuchMethodOrField"),
    ("t = datetime(2020, 1, 1); t(3)", "MATLAB:badsubscript"),
    ("double(datetime)", "MATLAB:UndefinedFunction"),
    ("calmonths(1.5)", "MATLAB:calendarDuration:MustBeInteger"),
    ("year(5)", "MATLAB:UndefinedFunction"),
]


@pytest.mark.parametrize(("statement", "identifier"), FAILURES, ids=lambda x: x)
def test_failure(failing: Failing, statement: str, identifier: str) -> None:
    failing(statement, identifier)


SHOWN = [
    ("t = datetime(2020, 1, 1)", "t = \n  datetime\n   01-Jan-2020\n"),
    (
        "t = datetime(2020, 1, [1; 2], 12, 0, 0)",
        "t = \n  2×1 datetime array\n   01-Jan-2020 12:00:00\n   02-Jan-2020 12:00:00\n",
    ),
    ("d = seconds([5; 10])", "d = \n  2×1 duration array\n    5 sec\n   10 sec\n"),
    ("d = duration(1, 2, 3)", "d = \n  duration\n   01:02:03\n"),
    ("d = seconds(NaN)", "d = \n  duration\n   NaN sec\n"),
    ("e = NaT(0, 1)", "e = \n  0×1 empty datetime array\n"),
    ("c = calmonths(1:2)", "c = \n  1×2 calendarDuration array\n   1mo   2mo\n"),
    ("disp(hours(2))", "   2 hr\n"),
    ("s.t = datetime(2020, 1, 1)", "s = \n  struct with fields:\n    t: 01-Jan-2020\n"),
    ("c = {hours(1), hours(1:2)}", "c =\n  1×2 cell array\n    {[1 hr]}    {1×2 duration}\n"),
]


@pytest.mark.parametrize(("statement", "expected"), SHOWN, ids=lambda x: x)
def test_display(
    session: Session, capsys: pytest.CaptureFixture[str], statement: str, expected: str
) -> None:
    session.run(f"format compact\n{statement}")
    assert capsys.readouterr().out == expected


def test_writing_to_elements_and_properties(session: Session) -> None:
    session.run(
        """
        t = datetime(2020, 1, 1:3);
        u = t;
        t(2) = datetime(2021, 5, 6);
        t(2).Year = 2022;
        t(5) = '2020-12-31';
        t(1) = [];
        u.Month = 7;
        x.when(2) = hours(3);
        x.when(1) = 1;
        """
    )
    assert session.eval("isequal(t([1 4]), datetime([2022 2020], [5 12], [6 31]))")
    assert session.eval("numel(t)") == 4
    assert session.eval("isnat(t(3))")
    assert session.eval("isequal(u, datetime(2020, 7, 1:3))")
    assert session.eval("isequal(x.when, hours([24 3]))")


def test_loops_and_functions_over_times(session: Session) -> None:
    session.run(
        """
        total = hours(0);
        for d = hours(1:3), total = total + d; end
        years_ = arrayfun(@(t) year(t), datetime(2019:2021, 1, 1));
        c = num2cell(hours(1:2));
        """
    )
    assert session.eval("total == hours(6)")
    assert session.eval("isequal(years_, 2019:2021)")
    assert session.eval("isequal(c, {hours(1), hours(2)})")
