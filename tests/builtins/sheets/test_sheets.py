"""readtable, writetable, readcell, writecell and import options, over files."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session
from runmat_core.builtins.sheets import workbooks

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


@pytest.mark.parametrize(
    "statement",
    ["writetable(table(1), 'x.xlsx')", "writematrix(1, 'x.xlsx')", "readmatrix('x.xlsx')"],
)
def test_spreadsheets_say_what_they_need(
    session: Session, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(workbooks, "import_module", missing)
    with pytest.raises(MatlabError, match="pip install openpyxl"):
        session.run(statement)


with_openpyxl = pytest.mark.skipif(find_spec("openpyxl") is None, reason="openpyxl is not there")


@with_openpyxl
def test_spreadsheets(session: Session) -> None:
    session.run(
        """
        T = table([1; 2.5], {'a'; 'b'}, 'VariableNames', {'x', 'name'});
        writetable(T, 'out.xlsx'); U = readtable('out.xlsx'); C = readcell('out.xlsx');
        """
    )
    assert session.eval("isequal(T, U) && isequal(C{3, 1}, 2.5)")


@with_openpyxl
def test_matrices_in_spreadsheets(session: Session, tmp_path: Path) -> None:
    session.run("A = [1 2.5; NaN 4; Inf -1]; writematrix(A, 'm.xlsx');")
    assert (tmp_path / "m.xlsx").read_bytes().startswith(b"PK")
    assert session.eval("isequaln(readmatrix('m.xlsx'), A)")
    session.run("writematrix([7 8], 'm.xlsx', 'Range', 'B2'); B = readmatrix('m.xlsx');")
    assert session.eval("isequaln(B, [1 2.5 NaN; NaN 7 8; Inf -1 NaN])")
    assert session.eval("isequaln(readmatrix('m.xlsx', 'Range', 'B1:B2'), [2.5; 7])")
    session.run("writematrix(5, 'm.xlsx', 'Sheet', 'second'); writematrix([6; 7], 'm.xlsx');")
    assert session.eval("readmatrix('m.xlsx', 'Sheet', 'second') == 5")
    session.run("writematrix([1 2], 'm.xlsx', 'WriteMode', 'overwritesheet');")
    assert session.eval("isequal(readmatrix('m.xlsx'), [1 2])")
    session.run("writematrix([3 4], 'm.xlsx', 'WriteMode', 'append');")
    assert session.eval("isequal(readmatrix('m.xlsx'), [1 2; 3 4])")
    session.run("o = detectImportOptions('m.xlsx'); o.DataRange = 'A2:B2';")
    assert session.eval("isequal(readmatrix('m.xlsx', o), [3 4])")


NOTED = {
    "comments.csv": "# by hand\n\n# second, note\na,b,c\n1,2,3\n\n# amid\n4,5,6\n",
    "headers.csv": "Report of today\nUnits: m\n\na,b,c\n1,2,3\n4,5,6\n",
    "lines.csv": 'a,b,c\n1,"two\nlines",3\n4,x,6\n',
}


@pytest.mark.parametrize(
    ("file", "options", "names_line", "first"),
    [
        ("comments.csv", ", 'CommentStyle', '#'", 4, 5),
        ("comments.csv", "", 4, 5),
        ("headers.csv", "", 4, 5),
        ("headers.csv", ", 'NumHeaderLines', 2", 4, 5),
        ("headers.csv", ", 'NumHeaderLines', 3", 4, 5),
        ("headers.csv", ", 'NumHeaderLines', 4", 0, 5),
        ("lines.csv", "", 1, 2),
        ("bare.csv", "", 0, 1),
    ],
)
def test_lines_are_those_of_the_file(
    session: Session, tmp_path: Path, file: str, options: str, names_line: int, first: int
) -> None:
    for name, content in NOTED.items():
        (tmp_path / name).write_text(content)
    session.run(f"o = detectImportOptions('{file}'{options});")
    assert session.eval(f"isequal(o.DataLines, [{first} Inf])")
    assert session.eval("o.VariableNamesLine") == names_line
    session.run(f"T = readtable('{file}', o);")
    if "#" in options or "comments" not in file:
        assert session.eval("height(T)") == 2
    assert session.eval("string(T{1, 1}) == '1'")


def test_chosen_lines(session: Session) -> None:
    session.run("o = detectImportOptions('tabs.txt'); o.DataLines = [3 3];")
    assert session.eval("isequal(table2array(readtable('tabs.txt', o)), [3 4])")
    session.run("o.DataLines = [2 2; 3 Inf];")
    assert session.eval("height(readtable('tabs.txt', o))") == 2
    assert session.eval("isequal(readmatrix('tabs.txt', o), [1 2; 3 4])")
    with pytest.raises(MatlabError, match="DataLines"):
        session.run("o.DataLines = [3 2];")


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        ('a,b\n"1.5",2\n"x, ""y""",3\n', "", "[1.5 2; NaN 3]"),
        ("1,2\n3,4\n5,6\n", ", 'Range', 'A2:B3'", "[3 4; 5 6]"),
        ("1,2\n3,4\n5,6\n", ", 'Range', [2 2 3 2]", "[4; 6]"),
        ("% x\n1,2\n3,NA\n", ", 'CommentStyle', '%', 'TreatAsMissing', 'NA'", "[1 2; 3 NaN]"),
        ("a b\n1 2\n", ", 'NumHeaderLines', 1", "[1 2]"),
        ("1,2,\n3,4,\n", "", "[1 2; 3 4]"),
        ("1+2i,3\n", "", "[1+2i 3]"),
        ("1\n2,3\n", ", 'NumHeaderLines', 0", "[1 NaN; 2 3]"),
    ],
)
def test_matrices_of_text(
    session: Session, tmp_path: Path, content: str, options: str, expected: str
) -> None:
    (tmp_path / "m.csv").write_text(content)
    found = session.eval(f"readmatrix('m.csv'{options})")
    assert session.eval(f"isequaln(readmatrix('m.csv'{options}), {expected})"), found
