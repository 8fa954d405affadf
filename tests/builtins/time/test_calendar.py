"""calendar: months in weeks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest

from runmat_core import Session


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("calendar(2024, 2)", "[0 0 0 0 1 2 3; 4:10; 11:17; 18:24; 25:29 0 0; zeros(1, 7)]"),
        ("calendar(2015, 2)", "[1:7; 8:14; 15:21; 22:28; zeros(2, 7)]"),
        ("calendar(2020, 8)", "[0 0 0 0 0 0 1; 2:8; 9:15; 16:22; 23:29; 30 31 0 0 0 0 0]"),
        ("calendar(datenum(2024, 2, 17.5))", "calendar(2024, 2)"),
        ("calendar('17-Feb-2024')", "calendar(2024, 2)"),
        ("calendar(datetime(2024, 2, 29))", "calendar(2024, 2)"),
        ("nnz(calendar)", "eomday(year(datetime), month(datetime))"),
    ],
)
def test_months(same: Callable[[str, str], None], expression: str, expected: str) -> None:
    same(expression, expected)


def test_today_has_a_star_and_other_months_have_none(session: Session) -> None:
    printed = session.capture("calendar")
    assert printed.count("*") == 1
    assert f"*{session.eval('day(datetime)'):.0f}" in printed
    assert "*" not in session.capture("calendar(1957, 10)")
    assert {len(line) for line in printed.splitlines()[1:]} == {42}


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("calendar(2020, 13)", "MATLAB:calendar:month"),
        ("calendar('no date')", "MATLAB:calendar:date"),
        ("calendar([1 2])", "MATLAB:calendar:date"),
        ("calendar(NaN)", "MATLAB:calendar:date"),
    ],
)
def test_what_is_no_month_is_refused(
    failing: Callable[[str, str], None], statement: str, identifier: str
) -> None:
    failing(statement, identifier)


def test_parts_of_many_dates(session: Session) -> None:
    """Every day of five centuries, at half past six, beside Python's calendar."""
    first = date(1580, 1, 1).toordinal()
    days = [date.fromordinal(first + k) for k in range(0, 365 * 500, 3)]
    numbers = [float(day.toordinal() + 366) + 18.5 / 24 for day in days]
    session["n"] = np.array(numbers).reshape(1, -1)
    session.run("v = datevec(n); same = isequal(round(24 * datenum(v)), round(24 * n(:)));")
    session.run("text = datestr(n(1:100), 'yyyy/mm/dd HH:MM'); odd = datevec([NaN Inf 1e300]);")
    expected = [[d.year, d.month, d.day, 18, 30, 0] for d in days]
    assert session["v"].tolist() == expected
    assert session["same"] is True
    assert session.eval("cellstr(text)") == [f"{d:%Y/%m/%d} 18:30" for d in days[:100]]
    assert session.eval("all(isnan(odd(:)))") is True
