"""Making timetables of arrays and tables, and tables of timetables."""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.tables.making import default_names, sized_columns, variable_names
from runmat_core.builtins.tables.support import flag, split_pairs, table_of
from runmat_core.values import class_of, index, size_of, to_numpy
from runmat_core.values.base import COLON, share
from runmat_core.values.tables.frame import Frame, check_names, height_of
from runmat_core.values.tables.selecting import columns_at
from runmat_core.values.tables.stepping import Step, times_from
from runmat_core.values.tables.table import Table
from runmat_core.values.tables.timetable import TIME, Timetable, timed
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

_TIMES = ("RowTimes", "SampleRate", "TimeStep", "StartTime")
_NAMES = ("VariableNames", "DimensionNames")


def timetable_of_arg(function: str, value: Any) -> Timetable:
    """Return a timetable argument.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, it is something else.
    """
    if not isinstance(value, Timetable):
        raise undefined_for(function, class_of(value))
    return value


def row_times(options: dict[str, Any], height: int) -> Any:
    """Return the times that the options for them give; None where there are none.

    Raises:
        MatlabError: MATLAB:timetable:InvalidRowTimesOptions, or times that cannot be.
    """
    given = [name for name in ("RowTimes", "SampleRate", "TimeStep") if name in options]
    if len(given) > 1 or (given == ["RowTimes"] and "StartTime" in options):
        raise MatlabError(
            "MATLAB:timetable:InvalidRowTimesOptions",
            "Specify row times by one of 'RowTimes', 'SampleRate' and 'TimeStep'.",
        )
    if not given:
        return None
    if given == ["RowTimes"]:
        return options["RowTimes"]
    step = Step.of_rate(options["SampleRate"]) if "SampleRate" in options else options["TimeStep"]
    start = options.get("StartTime")
    if start is None:
        form = step.form if isinstance(step, Duration) else "s"
        start = Duration([[0.0]], form)
    return times_from(start, step, height)


def dressed(
    columns: dict[str, Any], times: Any, options: dict[str, Any], name: str = TIME
) -> Timetable:
    """Return a timetable of columns and times with the dimension names that options give."""
    height = times.codes.size if isinstance(times, Datetime | Duration) else 0
    if columns:
        height = height_of(next(iter(columns.values())))
    frame = timed(Frame(columns, height, dimensions=(name, "Variables")), times)
    found = Timetable(frame)
    if "DimensionNames" in options:
        properties = found.field("Properties")
        properties.set_property("DimensionNames", options["DimensionNames"])
        found = Timetable(properties.data)
    return found


def _no_times() -> MatlabError:
    return MatlabError(
        "MATLAB:timetable:NoTimeVector",
        "A timetable must have row times. Specify them as the first argument, a datetime or "
        "duration vector, or by 'RowTimes', 'SampleRate' or 'TimeStep'.",
    )


@builtin("timetable", family="tables/timetables", nargin=(0, None), needs=("argument_text",))
def timetable(*args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """Columns of any class and of one height, with a time for each row.

    TT = timetable(times, V1, V2, …): times is a datetime or duration vector; the variables are
    called as the arguments are, or Var1, Var2, …
    TT = timetable(V1, V2, …, 'RowTimes', times)
    TT = timetable(V1, V2, …, 'SampleRate', fs), timetable(…, 'TimeStep', dt): regular times from
    0, or from 'StartTime'
    TT = timetable('Size', [rows vars], 'VariableTypes', types, 'RowTimes', times)
    TT = timetable(…, 'VariableNames', names, 'DimensionNames', names)

    TT.name is a variable, TT.Time the times, TT(rows, vars) a timetable and TT{rows, vars} the
    contents. rows may be times, texts of times, timerange or withtol.

    Examples:
        >> TT = timetable(seconds([1; 2]), [5; 7], 'VariableNames', {'x'})
        TT =
          2×1 timetable
            Time     x
            _____    _
            1 sec    5
            2 sec    7
        >> TT(seconds(2), :).x
        ans =
             7

    See also: table2timetable, timetable2table, retime, synchronize, timerange, table.
    """
    data, options = split_pairs(args, (*_TIMES, *_NAMES, "Size", "VariableTypes"))
    if "Size" in options:
        columns = sized_columns(options)
        height = int(to_numpy(options["Size"]).ravel()[0])
        times = row_times(options, height)
        if times is None:
            raise _no_times()
        return dressed(columns, times, options)
    written = list(argument_text[: len(data)])
    name = TIME
    times = None
    if data and not any(key in options for key in _TIMES):
        times, data = data[0], data[1:]
        name = (written[0] if written else None) or TIME
        written = written[1:]
        if not isinstance(times, Datetime | Duration):
            raise _no_times()
    heights = {height_of(value) for value in data}
    if len(heights) > 1:
        raise MatlabError(
            "MATLAB:table:UnequalVarLengths",
            "All timetable variables must have the same number of rows.",
        )
    if times is None:
        times = row_times(options, heights.pop() if heights else 0)
    if times is None:
        if args:
            raise _no_times()
        times = Datetime([[0.0]]).blank().with_codes(Datetime([[0.0]]).codes[:0])
    names = variable_names(options, default_names(written, len(data)))
    columns = {key: share(value) for key, value in zip(names, data, strict=True)}
    return dressed(columns, times, options, name)


@builtin("istimetable", family="tables/timetables", effects="pure")
def istimetable(x: Any) -> Any:
    """Whether a value is a timetable.

    TF = istimetable(X)

    Examples:
        >> istimetable(timetable(seconds(1), 2))
        ans =
          logical
           1

    See also: timetable, istable, istabular.
    """
    return isinstance(x, Timetable)


@builtin("istabular", family="tables/timetables", effects="pure")
def istabular(x: Any) -> Any:
    """Whether a value is a table or a timetable.

    TF = istabular(X)

    Examples:
        >> istabular(table)
        ans =
          logical
           1

    See also: istable, istimetable.
    """
    return isinstance(x, Table)


@builtin("table2timetable", family="tables/timetables", nargin=(1, None))
def table2timetable(t: Any, *args: Any) -> Any:
    """A timetable with the variables of a table.

    TT = table2timetable(T): the first datetime or duration variable gives the times
    TT = table2timetable(T, 'RowTimes', var), table2timetable(T, 'RowTimes', times)
    TT = table2timetable(T, 'SampleRate', fs), table2timetable(T, 'TimeStep', dt), 'StartTime'

    Examples:
        >> table2timetable(table([3; 4], hours([1; 2]), 'VariableNames', {'x', 'when'}))
        ans =
          2×1 timetable
            when    x
            ____    _
            1 hr    3
            2 hr    4

    See also: timetable2table, timetable, array2timetable.
    """
    table = table_of("table2timetable", t)
    if isinstance(table, Timetable):
        raise undefined_for("table2timetable", "timetable")
    _, options = split_pairs(args, _TIMES)
    times = row_times(options, table.shape[0])
    name, source = TIME, ""
    if times is None:
        source = next((n for n in table.names if _is_time(table.column(n))), "")
        if not source:
            raise MatlabError(
                "MATLAB:table2timetable:NoTimeVarFound",
                "The input table must contain datetimes or durations for row times.",
            )
    elif not isinstance(times, Datetime | Duration | CalendarDuration):
        (source,) = columns_at(table.data, times)
    if source:
        name, times = source, table.column(source)
    columns = {n: v for n, v in table.data.columns.items() if n != source}
    frame = attrs.evolve(
        table.data.with_columns(columns), row_names=(), dimensions=(name, table.data.dimensions[1])
    )
    return Timetable(timed(frame, times))


def _is_time(value: Any) -> bool:
    return isinstance(value, Datetime | Duration) and size_of(value)[1] == 1


@builtin("array2timetable", family="tables/timetables", nargin=(1, None), needs=("argument_text",))
def array2timetable(value: Any, *args: Any, argument_text: tuple[str | None, ...] = ()) -> Any:
    """A timetable with a variable for each column of a matrix.

    TT = array2timetable(A, 'RowTimes', times)
    TT = array2timetable(A, 'SampleRate', fs), array2timetable(A, 'TimeStep', dt), 'StartTime'
    TT = array2timetable(…, 'VariableNames', names)

    Examples:
        >> array2timetable([1 2; 3 4], 'SampleRate', 10)
        ans =
          2×2 timetable
             Time      Var1    Var2
            _______    ____    ____
            0 sec       1       2
            0.1 sec     3       4

    See also: timetable, table2timetable, array2table.
    """
    _, options = split_pairs(args, (*_TIMES, *_NAMES))
    shape = size_of(value)
    if len(shape) > 2:
        raise MatlabError("MATLAB:array2timetable:NDArray", "Input must be a matrix.")
    times = row_times(options, shape[0])
    if times is None:
        raise _no_times()
    base = argument_text[0] if argument_text and argument_text[0] else "Var"
    names = variable_names(options, [f"{base}{k + 1}" for k in range(shape[1])])
    columns = {name: index(value, (COLON, float(k))) for k, name in enumerate(names, 1)}
    return dressed(columns, times, options)


@builtin("timetable2table", family="tables/timetables", nargin=(1, 3))
def timetable2table(tt: Any, *args: Any) -> Any:
    """A table with the times of a timetable as its first variable.

    T = timetable2table(TT)
    T = timetable2table(TT, 'ConvertRowTimes', false): without the times

    Examples:
        >> timetable2table(timetable(hours([1; 2]), [3; 4]))
        ans =
          2×2 table
            Time    Var1
            ____    ____
            1 hr     3
            2 hr     4

    See also: table2timetable, timetable.
    """
    value = timetable_of_arg("timetable2table", tt)
    _, options = split_pairs(args, ("ConvertRowTimes",))
    plain = value.plain()
    if not flag(options.get("ConvertRowTimes", True)):
        return plain
    names = check_names([value.time_name, *plain.names])
    columns = dict(zip(names, [value.times, *plain.data.columns.values()], strict=True))
    return plain.with_columns(columns)
