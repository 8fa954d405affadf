"""retime and synchronize: timetables at other times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.named import choice
from runmat_core.builtins.tables.grids import BASES, NAMED, Times, common, covering, named_step
from runmat_core.builtins.tables.resampling import METHODS, Move, aggregates
from runmat_core.builtins.tables.support import split_pairs
from runmat_core.builtins.tables.timetables import timetable_of_arg
from runmat_core.values import class_of, horzcat, is_text, text
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.tables.frame import take_rows
from runmat_core.values.tables.properties import renamed
from runmat_core.values.tables.stepping import Step
from runmat_core.values.tables.timetable import Timetable
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

_OPTIONS = ("Constant", "EndValues", "IncludedEdge", "TimeStep", "SampleRate")


class Request:
    """How rows are to be moved in time, as the arguments ask for it.

    Attributes:
        basis: a name of times, or the times themselves.
        method: one of `METHODS`, or a function handle.
        edge: the edge that bins include, 'left' or 'right'.
    """

    def __init__(self, function: str, args: Sequence[Any], bases: Sequence[str]) -> None:
        plain, self.options = split_pairs(args, _OPTIONS)
        basis, method = (*plain, None, None)[:2]
        known = (*bases, *NAMED, "regular")
        if basis is not None and method is None and function == "synchronize" and is_text(basis):
            # one word may be a method, for the union of times
            word = text(basis).lower()
            if word in METHODS and word not in known:
                basis, method = None, basis
        self.basis: Any = self._basis(function, basis, known)
        self.method: Any = "default"
        if isinstance(method, FunctionHandle):
            self.method = method
        elif method is not None:
            self.method = choice(method, METHODS, function)
        self.edge = "left"
        if "IncludedEdge" in self.options:
            self.edge = choice(self.options["IncludedEdge"], ("left", "right"), function)
        self.function = function

    def _basis(self, function: str, basis: Any, known: Sequence[str]) -> Any:
        if basis is None:
            if function == "retime":
                raise not_enough_inputs()
            return "regular" if {"TimeStep", "SampleRate"} & set(self.options) else "union"
        if is_text(basis):
            return choice(basis, known, function)
        if not isinstance(basis, Datetime | Duration):
            raise MatlabError(
                f"MATLAB:timetable:{function}:InvalidTimes",
                "New times must be a datetime or duration vector, or the name of a time step, not "
                f"{class_of(basis)}.",
            )
        return basis

    def times(self, all_times: Sequence[Times]) -> Times:
        """Return the new times for timetables with these times."""
        first = all_times[0]
        if not isinstance(self.basis, str):
            if isinstance(first, Datetime) != isinstance(self.basis, Datetime):
                raise MatlabError(
                    f"MATLAB:timetable:{self.function}:InvalidTimes",
                    "New times must be of the class of the row times.",
                )
            given = first.with_codes(first.adopt(self.basis).codes.reshape(-1, 1))
            if not (np.diff(given.codes.ravel()) > 0).all():
                raise MatlabError(
                    f"MATLAB:timetable:{self.function}:NotSorted",
                    "New times must be in ascending order, all of them different.",
                )
            return given
        union = common(all_times, self.basis if self.basis in BASES else "union")
        if self.basis in BASES:
            return union
        unit, step = self._step(first)
        if isinstance(step, Duration) and isinstance(union, Duration):
            union = union.formatted(step.form) if self.basis == "regular" else union
        grid = covering(union, step, unit)
        return self._trimmed(grid, union)

    def _step(self, first: Times) -> tuple[str, Any]:
        if self.basis != "regular":
            return named_step(self.basis, first)
        if "SampleRate" in self.options:
            return "", Step.of_rate(self.options["SampleRate"])
        if "TimeStep" in self.options:
            return "", Step.checked(self.options["TimeStep"])
        raise MatlabError(
            f"MATLAB:timetable:{self.function}:RegularNoStep",
            "Specify 'TimeStep' or 'SampleRate' for regular times.",
        )

    def _trimmed(self, grid: Times, times: Times) -> Times:
        """Return the grid without a bin in which there can be no row."""
        if not aggregates(self.method) or grid.codes.size < 2:
            return grid
        codes, known = grid.codes, times.codes
        if self.edge == "left" and codes[-1, 0] > known.max():
            codes = codes[:-1]
        elif self.edge == "right" and codes[0, 0] < known.min():
            codes = codes[1:]
        return grid.with_codes(codes)

    def applied(self, table: Timetable, times: Times, interp: Interp) -> Timetable:
        """Return a timetable moved to new times."""
        old = times.adopt(table.times).codes.ravel()
        if np.isnan(old).any():
            raise MatlabError(
                f"MATLAB:timetable:{self.function}:MissingRowTimes",
                "Row times must not be missing.",
            )
        order = np.argsort(old, kind="stable")
        ends = self.options.get("EndValues")
        end = None if ends is None or is_text(ends) else scalar(ends, "EndValues")
        extra = (self.options.get("Constant", 0.0), end)
        move = Move.of(old[order], times.codes.ravel(), self.edge, extra, interp)
        said = table.data.notes.get("VariableContinuity", {})
        columns = {
            name: move.variable(take_rows(value, order), self.method, said.get(name, ""))
            for name, value in table.data.columns.items()
        }
        frame = attrs.evolve(table.data, columns=columns, height=times.codes.size, row_times=times)
        return Timetable(frame)


@builtin("retime", family="tables/retiming", nargin=(2, None), needs=("interp",))
def retime(tt: Any, *args: Any, interp: Interp) -> Any:
    """A timetable at other times: filled, interpolated, or with bins made one row.

    TT2 = retime(TT, step, method): step is 'yearly', 'quarterly', 'monthly', 'weekly', 'daily',
    'hourly', 'minutely' or 'secondly'; the times begin with the unit that the first row is in
    TT2 = retime(TT, times, method)
    TT2 = retime(TT, 'regular', method, 'TimeStep', dt), or 'SampleRate', fs

    Methods: 'fillwithmissing', 'fillwithconstant' with the option 'Constant'; 'previous', 'next',
    'nearest'; 'linear', 'spline', 'pchip', 'makima' with the option 'EndValues'; 'sum', 'mean',
    'prod', 'min', 'max', 'count', 'firstvalue', 'lastvalue', 'mode' or a function handle of all
    rows from a time up to the next one, with the option 'IncludedEdge', 'left' or 'right'. These
    leave out what is missing. By default what has no row at its time is missing, unless
    TT.Properties.VariableContinuity says 'continuous' or 'step'.

    Examples:
        >> TT = timetable(hours([0; 0.5; 2]), [1; 3; 7], 'VariableNames', {'x'});
        >> retime(TT, 'hourly', 'mean')
        ans =
          3×1 timetable
            Time     x
            ____    ___
            0 hr      2
            1 hr    NaN
            2 hr      7
        >> retime(TT, 'hourly', 'linear').x'
        ans =
            1.0000    4.3333    7.0000

    See also: synchronize, timetable, lag, interp1.
    """
    table = timetable_of_arg("retime", tt)
    request = Request("retime", args, ())
    return request.applied(table, request.times([table.times]), interp)


@builtin(
    "synchronize",
    family="tables/retiming",
    nargin=(1, None),
    needs=("interp", "argument_text"),
)
def synchronize(*args: Any, interp: Interp, argument_text: tuple[str | None, ...] = ()) -> Any:
    """Timetables side by side at the same times.

    TT = synchronize(TT1, TT2, …): all times of all of them; what has no row there is missing
    TT = synchronize(TT1, TT2, …, basis, method): basis is 'union', 'intersection', 'commonrange',
    'first' or 'last'
    TT = synchronize(…, step, method), synchronize(…, times, method), synchronize(…, 'regular',
    method, 'TimeStep', dt): as retime has them, with its methods and options

    Variables of one name get the names of their timetables behind it.

    Examples:
        >> A = timetable(hours([0; 2]), [1; 3], 'VariableNames', {'x'});
        >> B = timetable(hours([1; 2]), [10; 20], 'VariableNames', {'x'});
        >> synchronize(A, B, 'union', 'previous')
        ans =
          3×2 timetable
            Time    x_A    x_B
            ____    ___    ___
            0 hr     1     NaN
            1 hr     1      10
            2 hr     3      20

    See also: retime, timetable, outerjoin.
    """
    count = next((k for k, v in enumerate(args) if not isinstance(v, Timetable)), len(args))
    tables = [timetable_of_arg("synchronize", value) for value in args[: max(count, 1)]]
    request = Request("synchronize", args[count:], BASES)
    times = request.times([table.times for table in tables])
    said = [name or str(k + 1) for k, name in enumerate((*argument_text, *[None] * len(args)))]
    moved = []
    for k, table in enumerate(tables):
        others = {name for other in tables if other is not table for name in other.names}
        names = [f"{n}_{said[k]}" if n in others else n for n in table.names]
        found = request.applied(table, times, interp)
        moved.append(Timetable(renamed(found.data, names)))
    return moved[0] if len(moved) == 1 else horzcat(*moved)
