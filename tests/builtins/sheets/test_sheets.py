"""readtable, writetable, readcell, writecell and import options, over files."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

Same = Callable[[str, str], None]

FILES = {
    "plain.csv": 'x,name,when,ok\n1,Ann,2020-01-02,true\n2.5,"Bob, Jr",2020-03-04,false\n,,,\n',
    "tabs.txt": "a\tb\n1\t2\n3\t4\n",
    "blanks.txt": "a b\n1   2\n3   4\n",
    "bare.csv": "1,2\n3,4\n",
    "semi.csv": "a;b\n1;x\n2;y\n",
    "odd.csv": "First Name,2nd,First Name\nAnn,1,2\n",
    "spans.csv": "t,d\n10:30,1\n11:45,2\n",
    "noted.csv": "% a note\na,b\n1,NA\n2,3 % more\n",
    "rows.csv": "id,v\nr1,1\nr2,2\n",
    "numbers.csv": "a\n1e3\n-2\nInf\nNaN\n",
    "mixed.csv": "1,a\n,2.5\n",
    "texts.csv": "x,y\na,b\nc,d\n",
}

READING = [
    ("readtable('plain.csv').x", "[1; 2.5; NaN]"),
    ("readtable('plain.csv').name", "{'Ann'; 'Bob, Jr'; ''}"),
    ("year(readtable('plain.csv').when)", "[2020; 2020; NaN]"),
    ("readtable('plain.csv').when(1)", "datetime(2020, 1, 2)"),
    ("class(readtable('plain.csv').ok)", "'cell'"),
    ("readtable('plain.csv').Properties.VariableNames", "{'x', 'name', 'when', 'ok'}"),
    ("readtable('plain.csv', 'TextType', 'string').name", '["Ann"; "Bob, Jr"; missing]'),
    ("table2array(readtable('tabs.txt'))", "[1 2; 3 4]"),
    ("table2array(readtable('blanks.txt'))", "[1 2; 3 4]"),
    ("table2array(readtable('bare.csv'))", "[1 2; 3 4]"),
    ("readtable('bare.csv').Properties.VariableNames", "{'Var1', 'Var2'}"),
    ("readtable('semi.csv').b", "{'x'; 'y'}"),
    ("readtable('plain').x", "[1; 2.5; NaN]"),
    (
        "readtable('odd.csv', 'VariableNamingRule', 'preserve').Properties.VariableNames",
        "{'First Name', '2nd', 'First Name_1'}",
    ),
    ("readtable('spans.csv').t", "[duration(10, 30, 0); duration(11, 45, 0)]"),
    ("readtable('noted.csv', 'CommentStyle', '%', 'TreatAsMissing', 'NA').b", "[NaN; 3]"),
    ("readtable('rows.csv', 'ReadRowNames', true).Properties.RowNames", "{'r1'; 'r2'}"),
    ("table2array(readtable('rows.csv', 'ReadRowNames', true))", "[1; 2]"),
    ("readtable('numbers.csv').a", "[1000; -2; Inf; NaN]"),
    ("readtable('tabs.txt', 'NumHeaderLines', 1).Var2", "[2; 4]"),
    ("readtable('semi.csv', 'Delimiter', ';').a", "[1; 2]"),
    ("readtable('texts.csv').y", "{'b'; 'd'}"),
    ("readtable('texts.csv', 'ReadVariableNames', false).Var2", "{'y'; 'b'; 'd'}"),
    ("readcell('mixed.csv')", "{1, 'a'; missing, 2.5}"),
    ("readcell('bare.csv')", "{1, 2; 3, 4}"),
]


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return session


@pytest.mark.parametrize(("expression", "expected"), READING, ids=lambda x: x)
def test_reading(same: Same, session: Session, expression: str, expected: str) -> None:
    same(expression, expected)


def test_names_are_made_valid_with_a_warning(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    session.run("T = readtable('odd.csv');")
    assert "Column headers from the file were modified" in capsys.readouterr().err
    assert session.eval("T.Properties.VariableNames") == ["FirstName", "x2nd", "FirstName_1"]
    assert session.eval("T.Properties.VariableDescriptions{2}") == "2nd"


def test_import_options(session: Session) -> None:
    session.run(
        """
        opts = detectImportOptions('plain.csv');
        kinds = opts.VariableTypes;
        opts = setvartype(opts, 'ok', 'logical');
        opts.SelectedVariableNames = {'ok', 'x'};
        T = readtable('plain.csv', opts);
        opts.VariableNames{1} = 'first';
        U = readtable('plain.csv', opts);
        """
    )
    assert session.eval("kinds") == ["double", "char", "datetime", "char"]
    assert session.eval("isequaln(T.x, [1; 2.5; NaN])")
    assert session.eval("isequal(T.ok, [true; false; false])")
    assert session.eval("width(T)") == 2
    assert session.eval("isequaln(U.first, T.x)")


def test_round_trip(session: Session, tmp_path: Path) -> None:
    session.run(
        """
        T = table([1; NaN; 1/3], {'a'; 'b,c'; 'd"e'}, datetime(2020, 1, [1; 2; 3]), ...
            [true; false; true], ["x"; "y"; "z"], seconds([1; 2; 3]), ...
            'VariableNames', {'n', 'c', 't', 'l', 's', 'd'});
        writetable(T, 'out.csv');
        U = readtable('out.csv');
        """
    )
    assert (tmp_path / "out.csv").read_text().splitlines()[:3] == [
        "n,c,t,l,s,d",
        "1,a,01-Jan-2020,1,x,1 sec",
        'NaN,"b,c",02-Jan-2020,0,y,2 sec',
    ]
    assert session.eval("isequaln(U.c, T.c) && isequal(U.t, T.t) && isequal(U.l, double(T.l))")
    assert session.eval("max(abs(U.n - T.n)) < 1e-14")


def test_forms_of_writing(session: Session, tmp_path: Path) -> None:
    session.run(
        """
        T = table([1; 2], [3 4; 5 6], 'VariableNames', {'a', 'm'}, 'RowNames', {'p', 'q'});
        writetable(T)
        writetable(T, 'rows.txt', 'WriteRowNames', true, 'Delimiter', '\\t')
        writetable(T, 'bare.txt', 'WriteVariableNames', false)
        writetable(T(:, 'a'), 'both.txt'); writetable(T(:, 'a'), 'both.txt', 'WriteMode', 'append')
        writetable(table("x"), 'quoted.txt', 'QuoteStrings', 'all')
        writecell({1, 'a'; [], "b"}, 'cells.txt')
        """
    )
    assert (tmp_path / "T.txt").read_text() == "a,m_1,m_2\n1,3,4\n2,5,6\n"
    assert (tmp_path / "rows.txt").read_text() == "Row\ta\tm_1\tm_2\np\t1\t3\t4\nq\t2\t5\t6\n"
    assert (tmp_path / "bare.txt").read_text() == "1,3,4\n2,5,6\n"
    assert (tmp_path / "both.txt").read_text() == "a\n1\n2\n1\n2\n"
    assert (tmp_path / "quoted.txt").read_text() == '"Var1"\n"x"\n'
    assert (tmp_path / "cells.txt").read_text() == "1,a\n,b\n"


FAILURES = [
    ("readtable('no_such_file.csv')", "MATLAB:textio:textio:FileNotFound"),
    ("readtable(5)", "MATLAB:readtable:InvalidFileName"),
    ("readtable('bare.csv', 'Nonsense')", "MATLAB:textio:io:UnknownOption"),
    ("writetable(5)", "MATLAB:UndefinedFunction"),
    ("writetable(table(1), 'no/such/folder.csv')", "MATLAB:table:write:FileOpenError"),
    ("writecell(5)", "MATLAB:writecell:UnsupportedType"),
    (
        "setvartype(detectImportOptions('bare.csv'), 'Var9', 'char')",
        "MATLAB:textio:io:UnknownVarName",
    ),
    ("setvartype(detectImportOptions('bare.csv'), 'nothing')", "MATLAB:textio:io:UnknownType"),
    ("readtable('old.xls')", "RunMat:spreadsheet"),
]


@pytest.mark.parametrize(("statement", "identifier"), FAILURES, ids=lambda x: x)
def test_failure(session: Session, statement: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.run(statement)
    assert caught.value.identifier == identifier


@pytest.mark.skipif(find_spec("openpyxl") is not None, reason="openpyxl is there")
def test_spreadsheets_say_what_they_need(session: Session) -> None:
    with pytest.raises(MatlabError, match="needs the Python package openpyxl"):
        session.run("writetable(table(1), 'out.xlsx')")


@pytest.mark.skipif(find_spec("openpyxl") is None, reason="openpyxl is not there")
def test_spreadsheets(session: Session) -> None:
    session.run(
        """
        T = table([1; 2.5], {'a'; 'b'}, 'VariableNames', {'x', 'name'});
        writetable(T, 'out.xlsx'); U = readtable('out.xlsx'); C = readcell('out.xlsx');
        """
    )
    assert session.eval("isequal(T, U) && isequal(C{3, 1}, 2.5)")
