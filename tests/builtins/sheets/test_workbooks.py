"""Spreadsheets: ranges, sheets, dates in cells, import options, and the older functions."""

from __future__ import annotations

from datetime import datetime, time
from importlib.util import find_spec
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

pytestmark = pytest.mark.skipif(find_spec("openpyxl") is None, reason="openpyxl is not there")


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    import openpyxl  # type: ignore[import-untyped]
    from openpyxl.workbook.defined_name import (  # type: ignore[import-untyped]
        DefinedName,
    )

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Data"
    rows = [
        ["Report of 2024", None, None, None, None],
        ["Name", "Born", "Score", "Ok", "Start"],
        ["Ann", datetime(1990, 5, 17), 1.5, True, time(8, 30)],
        ["Bob", datetime(1985, 1, 2, 12, 30), None, False, time(9, 15)],
        ["Cy", None, "n/a", True, None],
    ]
    for row in rows:
        sheet.append(row)
    book.defined_names["scores"] = DefinedName("scores", attr_text="Data!$C$3:$C$5")
    other = book.create_sheet("Other")
    other["B3"], other["C3"], other["B4"], other["C4"] = "p", "q", 1, 2
    book.create_sheet("Empty")
    book.save(tmp_path / "book.xlsx")
    return session


def test_detection(session: Session) -> None:
    session.run(
        """
        T = readtable('book.xlsx');
        assert(isequal(T.Properties.VariableNames, {'Name' 'Born' 'Score' 'Ok' 'Start'}))
        assert(isequaln(T.Born, [datetime(1990, 5, 17); datetime(1985, 1, 2, 12, 30, 0); NaT]))
        assert(isequal(T.Ok, [true; false; true]) && isequal(T.Name, {'Ann'; 'Bob'; 'Cy'}))
        assert(isequaln(T.Start, [duration(8, 30, 0); duration(9, 15, 0); NaN]))
        o = detectImportOptions('book.xlsx', 'Sheet', 'Other');
        assert(strcmp(o.DataRange, 'B4') && strcmp(o.VariableNamesRange, 'B3'))
        assert(isequal(table2array(readtable('book.xlsx', o)), [1 2]))
        assert(isequal(readtable('book.xlsx', 'Sheet', 2).q, 2))
        assert(isequal(size(readtable('book.xlsx', 'Sheet', 'Empty')), [0 0]))
        """
    )


def test_ranges_and_options(session: Session) -> None:
    session.run(
        """
        assert(isequaln(readmatrix('book.xlsx', 'Range', 'C3:C4'), [1.5; NaN]))
        assert(isequaln(readmatrix('book.xlsx', 'Range', 'scores'), [1.5; NaN; NaN]))
        assert(isequal(readcell('book.xlsx', 'Range', 'A3:A5'), {'Ann'; 'Bob'; 'Cy'}))
        assert(isequal(size(readcell('book.xlsx', 'Range', 'C:D')), [5 2]))
        assert(isequal(size(readcell('book.xlsx', 'Range', '3:4')), [2 5]))
        assert(isequal(size(readcell('book.xlsx', 'Range', 'D1:F7')), [7 3]))
        o = spreadsheetImportOptions('NumVariables', 3);
        o.Sheet = "Data";
        o.DataRange = "A3:C5";
        o.VariableNames = ["Name", "Born", "Score"];
        o.VariableTypes = ["string", "datetime", "double"];
        o = setvaropts(o, "Score", "TreatAsMissing", "n/a", "FillValue", 0);
        T = readtable("book.xlsx", o, "UseExcel", false);
        assert(isequal(T.Score, [1.5; 0; 0]) && isequal(T.Name, ["Ann"; "Bob"; "Cy"]))
        o.RowNamesRange = 'A3'; o.SelectedVariableNames = "Score";
        T = readtable("book.xlsx", o);
        assert(T{'Ann', 'Score'} == 1.5)
        T = readtable('book.xlsx', 'NumHeaderLines', 1, 'ReadRowNames', true);
        assert(isequal(T.Properties.RowNames, {'Ann'; 'Bob'; 'Cy'}) && width(T) == 4)
        """
    )


def test_older_functions(session: Session) -> None:
    session.run(
        """
        [num, txt, raw] = xlsread('book.xlsx', 'Other');
        assert(isequal(num, [1 2]) && isequal(txt, {'p' 'q'}))
        assert(isequal(size(raw), [4 3]) && isequal(raw{4, 2}, 1) && isnan(raw{1, 1}))
        assert(isequaln(xlsread('book.xlsx', 1, 'C3:C5'), 1.5))
        n = xlsread('book.xlsx', 'Data', 'B3:B4');
        assert(isequal(n, [33010; 31049 + 12.5 / 24]))
        assert(isequal(sheetnames('book.xlsx'), ["Data"; "Other"; "Empty"]))
        ok = xlswrite('book.xlsx', magic(3), 'New', 'B2');
        assert(ok && isequal(xlsread('book.xlsx', 'New'), magic(3)))
        assert(numel(sheetnames('book.xlsx')) == 4)
        xlswrite('small', {'a' 1; 'b' 2}); s = importdata('small.xlsx');
        assert(isequal(s.data, [1; 2]) && isequal(s.textdata, {'a'; 'b'}))
        """
    )


def test_dates_are_written_as_dates(session: Session, tmp_path: Path) -> None:
    import openpyxl

    session.run("writetable(table(datetime(2020, 1, [2; 3], 4, 5, 6), [1; NaN]), 'd.xlsx');")
    sheet = openpyxl.load_workbook(tmp_path / "d.xlsx").active
    assert sheet is not None
    assert sheet["A2"].value == datetime(2020, 1, 2, 4, 5, 6)
    assert sheet["B3"].value is None
    assert session.eval("isequal(readtable('d.xlsx').Var1, datetime(2020, 1, [2; 3], 4, 5, 6))")


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("readtable('book.xlsx', 'Sheet', 'None')", "MATLAB:spreadsheet:book:openSheetName"),
        ("readtable('book.xlsx', 'Sheet', 9)", "MATLAB:spreadsheet:book:openSheetIndex"),
        ("readmatrix('book.xlsx', 'Range', '!!')", "MATLAB:spreadsheet:book:invalidRange"),
        ("readmatrix('bad.xlsx')", "MATLAB:spreadsheet:book:fileOpen"),
        ("readmatrix('none.xlsx')", "MATLAB:textio:textio:FileNotFound"),
        ("xlsread('none.xlsx')", "MATLAB:xlsread:FileNotFound"),
        ("xlsread('book.xlsx', 'None')", "MATLAB:xlsread:WorksheetNotFound"),
        ("readtable('old.xls')", "RunMat:spreadsheet"),
        ("writetable(table(1), 'no/such/folder.xlsx')", "MATLAB:table:write:FileOpenError"),
    ],
)
def test_failures(session: Session, tmp_path: Path, statement: str, identifier: str) -> None:
    (tmp_path / "bad.xlsx").write_bytes(b"PK\3\4 nothing of the kind")
    with pytest.raises(MatlabError) as caught:
        session.run(statement)
    assert caught.value.identifier == identifier
