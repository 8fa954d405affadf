"""Times, spans, categories and tables between Python and MATLAB."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from runmat_core import Session


@pytest.fixture
def session() -> Session:
    return Session()


def test_scalars_to_python(session: Session) -> None:
    assert session.eval("datetime(2020, 1, 2, 3, 4, 5.25)") == datetime(2020, 1, 2, 3, 4, 5, 250000)
    assert session.eval("hours(1.5)") == timedelta(minutes=90)
    assert session.eval("NaT") is None
    assert session.eval("categorical({'a'})") == "a"
    zoned = session.eval("datetime(2020, 7, 1, 12, 0, 0, 'TimeZone', 'Europe/Zurich')")
    assert zoned == datetime(2020, 7, 1, 10, tzinfo=UTC)
    assert zoned.hour == 12


def test_arrays_to_python(session: Session) -> None:
    times = session.eval("[datetime(2020, 1, 1) NaT]")
    assert times.dtype == "datetime64[us]"
    assert times[0, 0] == np.datetime64("2020-01-01")
    assert np.isnat(times[0, 1])
    assert session.eval("seconds([1; 2])").tolist() == [
        [timedelta(seconds=1)],
        [timedelta(seconds=2)],
    ]
    assert session.eval("categorical({'b', ''})").tolist() == [["b", None]]


def test_tables_to_python(session: Session) -> None:
    found = session.eval("table([1; 2], {'a'; 'b'}, 'VariableNames', {'x', 'n'})")
    assert found["x"].tolist() == [[1.0], [2.0]]
    assert found["n"] == ["a", "b"]


def test_from_python(session: Session) -> None:
    session["t"] = datetime(2020, 1, 2, 3, 4, 5)
    session["z"] = datetime(2020, 1, 2, 3, tzinfo=timezone(timedelta(hours=1)))
    session["d"] = date(2020, 1, 2)
    session["s"] = timedelta(minutes=1)
    session["a"] = np.array(["2020-01-01", "NaT"], "datetime64[D]")
    assert session.eval("t == datetime(2020, 1, 2, 3, 4, 5)")
    assert session.eval("z == datetime(2020, 1, 2, 2, 0, 0, 'TimeZone', 'UTC')")
    assert session.eval("hour(z)") == 3
    assert session.eval("d == datetime(2020, 1, 2)")
    assert session.eval("s == minutes(1)")
    assert session.eval("isequaln(a, [datetime(2020, 1, 1) NaT])")


def test_json(session: Session) -> None:
    table = "table([1; 2], {'a'; 'b'}, 'VariableNames', {'x', 'n'})"
    assert session.eval(f"jsonencode({table})") == '[{"x":1,"n":"a"},{"x":2,"n":"b"}]'
    assert session.eval("jsonencode(datetime(2020, 1, 2))") == '"02-Jan-2020"'
