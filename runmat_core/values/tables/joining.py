"""Tables in brackets: below each other by names, and beside each other."""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array
from runmat_core.values.cell import CellArray
from runmat_core.values.concat import vertcat
from runmat_core.values.tables.frame import Frame, duplicate_variable, unique_names
from runmat_core.values.tables.table import Table


def concatenate(values: list[Any], axis: int) -> Any:
    """``[T1, T2]`` and ``[T1; T2]``; cell arrays below a table are rows.

    Raises:
        MatlabError: heights, numbers or names of variables do not fit.
    """
    kept = [v for v in values if not (isinstance(v, Array) and v.data.shape == (0, 0))]
    kept = [v for v in kept if not (isinstance(v, Table) and v.shape == (0, 0))] or kept[:1]
    if axis > 1:
        raise MatlabError("MATLAB:table:cat:InvalidDim", "Tables are joined along two dimensions.")
    return _below(kept) if axis == 0 else _beside(kept)


def _below(values: list[Any]) -> Table:
    first = next((v for v in values if isinstance(v, Table)), None)
    if first is None:
        raise MatlabError(
            "MATLAB:table:vertcat:InvalidInput",
            "All input arguments must be tables or cell arrays.",
        )
    names = first.names
    tables = []
    for value in values:
        if isinstance(value, CellArray):
            value = first._of_cells(value, names)
        if not isinstance(value, Table):
            raise MatlabError(
                "MATLAB:table:vertcat:InvalidInput",
                "All input arguments must be tables or cell arrays.",
            )
        if len(value.names) != len(names):
            raise MatlabError(
                "MATLAB:table:vertcat:SizeMismatch",
                "All tables in the bracketed expression must have the same number of variables.",
            )
        if set(value.names) != set(names):
            raise MatlabError(
                "MATLAB:table:vertcat:UnequalVarNames",
                "All tables in the bracketed expression must have the same variable names.",
            )
        tables.append(value)
    columns = {name: vertcat(*(t.data.columns[name] for t in tables)) for name in names}
    rows: list[str] = []
    if any(t.data.row_names for t in tables):
        for table in tables:
            given = table.data.row_names or [
                f"Row{len(rows) + k + 1}" for k in range(table.data.height)
            ]
            rows += given
    height = sum(t.data.height for t in tables)
    return Table(
        attrs.evolve(first.data, columns=columns, height=height, row_names=unique_names(rows))
    )


def _beside(values: list[Any]) -> Table:
    if not all(isinstance(v, Table) for v in values):
        raise MatlabError(
            "MATLAB:table:horzcat:InvalidInput", "All input arguments must be tables."
        )
    first: Frame = values[0].data
    columns = dict(first.columns)
    rows = first.row_names
    notes = {kind: dict(said) for kind, said in first.notes.items()}
    for table in values[1:]:
        if table.data.height != first.height:
            raise MatlabError(
                "MATLAB:table:horzcat:SizeMismatch",
                "All tables in the bracketed expression must have the same number of rows.",
            )
        for name, value in table.data.columns.items():
            if name in columns:
                raise duplicate_variable(name)
            columns[name] = value
        rows = rows or table.data.row_names
        for kind, said in table.data.notes.items():
            notes.setdefault(kind, {}).update(said)
    return Table(attrs.evolve(first, columns=columns, row_names=rows, notes=notes))
