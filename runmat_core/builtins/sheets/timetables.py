"""readtimetable and writetimetable."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.sheets.reading import table_from
from runmat_core.builtins.sheets.requests import request_of, source_of, warned
from runmat_core.builtins.sheets.writing import writetable
from runmat_core.builtins.tables.timetables import (
    table2timetable,
    timetable2table,
    timetable_of_arg,
)
from runmat_core.values import is_text, text

_TIMES = ("rowtimes", "samplerate", "timestep", "starttime")


@builtin("readtimetable", family="sheets/timetables", nargin=(1, None), needs=("interp",))
def readtimetable(name: Any, *args: Any, interp: Interp) -> Any:
    """Read a timetable from a text file with columns, or from a spreadsheet.

    TT = readtimetable(filename): the first column of datetimes or durations gives the row times
    TT = readtimetable(filename, 'RowTimes', var), 'SampleRate', 'TimeStep', 'StartTime' as
    table2timetable has them
    TT = readtimetable(filename, opts), readtimetable(…, name, value): as readtable has them

    Examples:
        >> name = [tempname '.csv']; TT = timetable(datetime(2020, 1, [1; 2]), [3; 4]);
        >> writetimetable(TT, name); readtimetable(name)
        ans =
          2×1 timetable
               Time        Var1
            ___________    ____
            01-Jan-2020     3
            02-Jan-2020     4

    See also: writetimetable, readtable, table2timetable.
    """
    plain: list[Any] = []
    times: list[Any] = []
    rest = list(args)
    if rest and not is_text(rest[0]):
        plain.append(rest.pop(0))
    for at in range(0, len(rest), 2):
        word = text(rest[at]).lower() if is_text(rest[at]) else ""
        (times if word in _TIMES else plain).extend(rest[at : at + 2])
    source = source_of(interp, request_of("readtimetable", name, plain))
    warned(interp, source)
    try:
        return table2timetable(table_from(source), *times)
    except MatlabError as problem:
        if problem.identifier != "MATLAB:table2timetable:NoTimeVarFound":
            raise
        raise MatlabError(
            "MATLAB:readtimetable:NoTimeVarFound",
            "The file has no column of datetimes or durations for the row times.",
        ) from None


@builtin(
    "writetimetable",
    family="sheets/timetables",
    nargin=(1, None),
    nargout=0,
    needs=("interp", "argument_text"),
)
def writetimetable(
    tt: Any, *args: Any, interp: Interp, argument_text: tuple[str | None, ...] = ()
) -> None:
    """Write a timetable to a text file with commas, or to a spreadsheet; the times come first.

    writetimetable(TT) writes to a file called as the variable, .txt
    writetimetable(TT, filename), writetimetable(…, name, value): as writetable has them

    Examples:
        >> name = [tempname '.csv']; TT = timetable(datetime(2020, 1, [1; 2]), [3; 4]);
        >> writetimetable(TT, name); disp(strtrim(fileread(name)))
        Time,Var1
        01-Jan-2020,3
        02-Jan-2020,4

    See also: readtimetable, writetable, timetable2table.
    """
    value = timetable_of_arg("writetimetable", tt)
    words = argument_text[:1] if argument_text and argument_text[0] else ("timetable",)
    writetable(timetable2table(value), *args, interp=interp, argument_text=words)
