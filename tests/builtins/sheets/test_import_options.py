"""Options of reading and of single variables, the rules for what is missing, and hostile files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from runmat_core import MatlabError, Session

Same = Callable[[str, str], None]

FILES = {
    "a.csv": "x,y,z\n1,a,2020-01-02\n,b,\nbad,,2020-03-04\n",
    "wide.csv": "a,b\n1,2\n3,4,5,6\n",
    "units.csv": "len,mass\nm,kg\nlength of it,its mass\n1,2\n3,4\n",
    "rows.csv": "who,v,w\nann,1,2\nbob,3,4\n",
    "euro.csv": "a;b\n1,5;2\n-3,25;4\n",
    "marks.csv": "p,q\n$1,1h\n$2,2h\n",
    "yes.csv": "f\nyes\nno\nYES\n",
    "hex.csv": "h,b\n0xFF,0b101\n0x10,0b11\n",
    "quoted.csv": 'a,b\n"x ""y""",1\n" z ",2\n',
    "days.csv": "d,t\n13.05.2021,1:02:03.5\n01.06.2021,\n",
    "zones.csv": "d\n2021-01-01T12:00:00Z\n2021-07-01T12:00:00+02:00\n",
    "months.csv": "d\n3 mai 2021\n7 févr. 2020\n",
    "several.txt": "a,b;c\n1,2;3\n",
    "gap.csv": "a,b\n1,2\n\n3,4\n",
    "big.csv": "n\n9007199254740993\n18446744073709551615\n",
    "index.csv": ",a,b\n0,1.5,x\n1,2.5,y\n",
    "one.csv": "1\n2\n3\n",
    "dmy.csv": "d\n01/02/2020\n25/12/2020\n",
    "spaced.txt": "  1   2\n 30  40\n",
}

READING = [
    # rules for what is missing or wrong
    ("readtable('a.csv', 'VariableTypes', {'double' 'char' 'datetime'}).x", "[1; NaN; NaN]"),
    ("height(readtable('a.csv', 'MissingRule', 'omitrow'))", "1"),
    (
        "readtable('a.csv', 'VariableTypes', {'double' 'char' 'char'}, 'ImportErrorRule', "
        "'omitrow').x",
        "[1; NaN]",
    ),
    ("width(readtable('a.csv', 'MissingRule', 'omitvar'))", "0"),
    ("readtable('a.csv', 'TextType', 'string').y", '["a"; "b"; missing]'),
    ("readtable('a.csv', 'TextType', 'string', 'EmptyFieldRule', 'auto').y", '["a"; "b"; ""]'),
    ("readmatrix('one.csv', 'OutputType', 'int8')", "int8([1; 2; 3])"),
    ("readmatrix('one.csv', 'OutputType', 'string')", '["1"; "2"; "3"]'),
    ("readmatrix('big.csv', 'OutputType', 'uint64')", "[uint64(2)^53 + 1; intmax('uint64')]"),
    # extra columns
    ("readtable('wide.csv').Properties.VariableNames", "{'a' 'b' 'Var3' 'Var4'}"),
    ("readtable('wide.csv', 'ExpectedNumVariables', 2).Properties.VariableNames",
     "{'a' 'b' 'ExtraVar1' 'ExtraVar2'}"),
    ("readtable('wide.csv', 'ExpectedNumVariables', 2, 'ExtraColumnsRule', 'ignore').b", "[2; 4]"),
    ("readtable('wide.csv', 'ExpectedNumVariables', 2, 'ExtraColumnsRule', 'wrap').b",
     "[2; 4; 6]"),
    # lines of names, units and descriptions
    (
        "readtable('units.csv', 'VariableUnitsLine', 2, 'VariableDescriptionsLine', 3, "
        "'DataLines', 4).Properties.VariableUnits",
        "{'m' 'kg'}",
    ),
    (
        "readtable('units.csv', 'VariableNamesLine', 3, 'DataLines', 4, 'VariableNamingRule', "
        "'preserve').Properties.VariableNames",
        "{'length of it' 'its mass'}",
    ),
    ("readtable('rows.csv', 'RowNamesColumn', 1).Properties.RowNames", "{'ann'; 'bob'}"),
    ("readtable('rows.csv', 'ReadRowNames', true).Properties.DimensionNames{1}", "'who'"),
    ("readtable('rows.csv', 'SelectedVariableNames', {'w' 'v'}).Properties.VariableNames",
     "{'w' 'v'}"),
    ("readtable('index.csv').Properties.VariableNames", "{'Var1' 'a' 'b'}"),
    # numbers
    ("readtable('euro.csv', 'DecimalSeparator', ',').a", "[1.5; -3.25]"),
    ("readmatrix('marks.csv', 'Prefixes', '$', 'Suffixes', 'h')", "[1 1; 2 2]"),
    ("readmatrix('marks.csv', 'TrimNonNumeric', true)", "[1 1; 2 2]"),
    ("readtable('hex.csv').h", "uint8([255; 16])"),
    ("readtable('hex.csv', 'BinaryType', 'int16').b", "int16([5; 3])"),
    ("readtable('hex.csv', 'HexType', 'text').h", "{'0xFF'; '0x10'}"),
    ("readmatrix('spaced.txt')", "[1 2; 30 40]"),
    ("readmatrix('several.txt', 'Delimiter', {',', ';'})", "[1 2 3]"),
    ("readmatrix('gap.csv', 'EmptyLineRule', 'read')", "[1 2; NaN NaN; 3 4]"),
    # text
    ("readtable('quoted.csv').a", "{'x \"y\"'; ' z '}"),
    ("readtable('quoted.csv', 'QuoteRule', 'keep').a", "{'\"x \"\"y\"\"\"'; '\" z \"'}"),
    ("readcell('quoted.csv', 'NumHeaderLines', 1)", "{'x \"y\"' 1; ' z ' 2}"),
    # times
    ("readtable('days.csv').d", "datetime(2021, [5; 6], [13; 1])"),
    ("readtable('days.csv').d.Format", "'dd.MM.uuuu'"),
    ("readtable('days.csv').t", "[hours(1) + minutes(2) + seconds(3.5); NaN]"),
    ("readtable('days.csv', 'DatetimeType', 'text').d{1}", "'13.05.2021'"),
    ("readtable('dmy.csv').d", "datetime(2020, [2; 12], [1; 25])"),
    (
        "readtable('months.csv', 'Delimiter', ',', 'Format', '%{d MMM uuuu}D', "
        "'DateLocale', 'fr_FR').d",
        "datetime([2021; 2020], [5; 2], [3; 7])",
    ),
    ("readtable('zones.csv', 'VariableTypes', 'datetime', 'TimeZone', 'UTC').d.Hour", "[12; 10]"),
    # formats
    ("class(readtable('rows.csv', 'Format', '%C%d8%*f').v)", "'int8'"),
    ("width(readtable('rows.csv', 'Format', '%C%d8%*f'))", "2"),
    ("readtable('rows.csv', 'HeaderLines', 1, 'ReadVariableNames', false).Var2", "[1; 3]"),
]  # fmt: skip


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return session


@pytest.mark.parametrize(("expression", "expected"), READING, ids=lambda x: x)
def test_reading(same: Same, session: Session, expression: str, expected: str) -> None:
    same(expression, expected)


def test_options_of_variables(session: Session) -> None:
    session.run(
        """
        o = detectImportOptions('yes.csv');
        o = setvartype(o, 'logical');
        o = setvaropts(o, 'f', 'TrueSymbols', 'yes', 'FalseSymbols', {'no'});
        a = readtable('yes.csv', o).f;
        o.VariableOptions(1).CaseSensitive = true;
        o.ImportErrorRule = 'fill';
        b = readtable('yes.csv', o).f;
        v = getvaropts(o, 'f'); t = v.TrueSymbols; k = class(v);
        o.VariableOptions(1).Name = 'flag';
        n = o.SelectedVariableNames;
        """
    )
    assert session.eval("isequal(a, [true; false; true])")
    assert session.eval("isequal(b, [true; false; false])")
    assert session.eval("t") == ["yes"]
    assert session.eval("k") == "matlab.io.LogicalVariableImportOptions"
    assert session.eval("n") == ["flag"]


def test_display_of_options(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("o = detectImportOptions('rows.csv')")
    shown = capsys.readouterr().out
    assert "  DelimitedTextImportOptions with properties:\n" in shown
    assert "\n                    Delimiter: {','}\n" in shown
    assert "\n                   LineEnding: {'\\n'  '\\r'  '\\r\\n'}\n" in shown
    assert "\n              VariableOptions: [1-by-3 matlab.io.VariableImportOptions]\n" in shown
    assert "\n                    DataLines: [2 Inf]\n" in shown
    session.run("v = getvaropts(o, 2)")
    assert "NumericVariableImportOptions with properties:" in capsys.readouterr().out


FAILURES = [
    ("readtable('a.csv', 'MissingRule', 'error')", "MATLAB:textio:io:MissingData"),
    (
        "readtable('a.csv', 'VariableTypes', {'double' 'char' 'char'}, 'ImportErrorRule', 'error')",
        "MATLAB:textio:io:ConversionError",
    ),
    (
        "readtable('wide.csv', 'ExpectedNumVariables', 2, 'ExtraColumnsRule', 'error')",
        "MATLAB:textio:io:ExtraColumns",
    ),
    ("readtable('gap.csv', 'EmptyLineRule', 'error')", "MATLAB:textio:io:EmptyLine"),
    ("readtable('a.csv', 'Encoding', 'nonsense')", "MATLAB:textio:textio:UnknownEncoding"),
    ("readtable('a.csv', 'Delimiter')", "MATLAB:textio:io:UnknownOption"),
    ("[a, b, c, d] = readvars('rows.csv');", "MATLAB:readvars:TooManyOutputs"),
    ("o = detectImportOptions('rows.csv'); o.Nothing = 1;", "MATLAB:noSuchMethodOrField"),
    ("setvaropts(detectImportOptions('rows.csv'), 'v', 'TrueSymbols', 'x')",
     "MATLAB:textio:io:UnknownVarOption"),
    ("o = detectImportOptions('rows.csv'); o.SelectedVariableNames = 7;",
     "MATLAB:textio:io:BadNumericSelection"),
    ("delimitedTextImportOptions('Nothing', 1)", "MATLAB:textio:io:UnknownOption"),
    ("readtable('')", "MATLAB:textio:textio:FileNotFound"),
    ("readtable(pwd)", "MATLAB:textio:textio:FileNotFound"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "identifier"), FAILURES, ids=lambda x: x)
def test_failure(session: Session, statement: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.run(statement)
    assert caught.value.identifier == identifier


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "latin-1", "cp1252"])
def test_encodings(session: Session, tmp_path: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    text = f"{mark}größe,b\n1.5,é\n"
    (tmp_path / "e.csv").write_bytes(text.encode(encoding))
    said = ", 'Encoding', 'windows-1252'" if encoding == "cp1252" else ""
    session.run(f"T = readtable('e.csv', 'VariableNamingRule', 'preserve'{said});")
    assert session.eval("T.Properties.VariableNames") == ["größe", "b"]
    assert session.eval("T.b{1}") == "é"


HOSTILE = {
    "one line of one field": b"x" * 3_000_000,
    "one line of blanks": b" " * 3_000_000,
    "zeros": b"\0" * 500_000 + b",\n1,2\n",
    "an open quote": b'a,b\n1,"x\n' + b"2,3\n" * 10_000,
    "open quotes everywhere": b'"a,"b\n' * 10_000,
    "doubled quotes": b'"' * 1_000_001,
    "many fields": b",".join(b"%d" % k for k in range(5_000)) + b"\n",
    "no text at all": bytes(range(128, 256)) * 3000,
    "nothing": b"",
    "line ends alone": b"\n" * 500_000,
    "delimiters alone": b",,,\n" * 50_000,
    "a long row among short ones": b"1,2\n" * 20_000 + b"," * 20_000 + b"\n",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_end(session: Session, tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "h.csv").write_bytes(raw)
    for call in ("readtable('h.csv');", "readmatrix('h.csv');", "detectImportOptions('h.csv');"):
        session.run(f"why = 'MATLAB:'; try, {call} catch e, why = e.identifier; end")
        assert session.eval("startsWith(why, 'MATLAB:')"), session.eval("why")


def test_large_files_are_read_as_small_ones(session: Session, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    count = 30_000
    x, k = rng.standard_normal(count), rng.integers(-(10**6), 10**6, count)
    names = [f"é{n}" if n % 7 else "" for n in rng.integers(0, 50, count)]
    with (tmp_path / "l.csv").open("w", encoding="utf-8") as stream:
        stream.write("x,k,name\n")
        stream.writelines(f"{a!r},{b},{c}\n" for a, b, c in zip(x.tolist(), k, names, strict=True))
    session.run("T = readtable('l.csv', 'TextType', 'string'); M = readmatrix('l.csv');")
    np.testing.assert_array_equal(session.eval("T.x").ravel(), x)
    np.testing.assert_array_equal(session.eval("T.k").ravel(), k)
    np.testing.assert_array_equal(session.eval("M(:, 1:2)"), np.column_stack((x, k)))
    session.run('s = T.name; s(ismissing(s)) = "";')
    assert session.eval("s").ravel().tolist() == names


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", '["a "; ""; " b"; ""]'),
        (", 'EmptyLineRule', 'skip'", '["a "; " b"]'),
        (", 'WhitespaceRule', 'trim'", '["a"; ""; "b"; ""]'),
        (", 'WhitespaceRule', 'trimtrailing', 'EmptyLineRule', 'skip'", '["a"; " b"]'),
        (", 'LineEnding', ' '", "[\"a\"; string(sprintf('\\n\\r')); string(sprintf('b\\n'))]"),
    ],
)
def test_lines(same: Same, tmp_path: Path, options: str, expected: str) -> None:
    (tmp_path / "l.txt").write_bytes(b"\xef\xbb\xbfa \n\r b\n" if "' '" in options else
                                     b"\xef\xbb\xbfa \r\n\r b\n")  # fmt: skip
    same(f"readlines('l.txt'{options})", expected)


def test_lines_that_are_written(session: Session, tmp_path: Path) -> None:
    session.run("writelines([\"a\" \"b\"], 'w.txt', 'TrailingLineEndingRule', 'never');")
    assert (tmp_path / "w.txt").read_bytes() == b"a\nb"
    session.run("writelines('ä', 'w.txt', 'LineEnding', '\\r\\n', 'Encoding', 'UTF-16LE');")
    assert (tmp_path / "w.txt").read_bytes() == "ä\r\n".encode("utf-16-le")
    session.run("writetable(table(\"é\"), 'w.csv', 'Encoding', 'ISO-8859-1', 'LineEnding', ';')")
    assert (tmp_path / "w.csv").read_bytes() == b"Var1;\xe9;"
