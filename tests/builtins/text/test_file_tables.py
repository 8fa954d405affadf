"""File, time and check builtins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

EXPRESSIONS = [
    ("fullfile('a', 'b', 'c.m')", "'a/b/c.m'"),
    ("fullfile('a/', '/b')", "'a/b'"),
    ("fullfile('a', '')", "'a/'"),
    ("fullfile('', 'b')", "'b'"),
    ("fullfile({'a', 'b'}, 'c')", "{'a/c', 'b/c'}"),
    ('fullfile("a", "b")', '"a/b"'),
    ("fileparts('/a/b.c')", "'/a'"),
    ("fileparts('/b.c')", "'/'"),
    ("isfile('no such file')", "false"),
    ("isfolder(pwd)", "true"),
    ("getenv('NO_SUCH_VARIABLE_')", "''"),
    ('getenv(["NO_SUCH_VARIABLE_" "NOR_THIS_"])', '["" ""]'),
    ("isenv({'PATH' 'NO_SUCH_VARIABLE_'})", "[true false]"),
    ("strcmp(lookup(getenv(), \"PATH\"), getenv('PATH'))", "true"),
    ("jsonencode([1 2; 3 4])", "'[[1,2],[3,4]]'"),
    ("jsonencode(struct('a', {1, 2}))", '\'[{"a":1},{"a":2}]\''),
    ("jsonencode({1, 'a', true, []})", "'[1,\"a\",true,[]]'"),
    ("jsonencode(NaN)", "'null'"),
    ("jsonencode(int64(2)^53 + 1)", "'9007199254740993'"),
    ("jsonencode([intmax('uint64') 1])", "'[18446744073709551615,1]'"),
    ("jsonencode(0.1)", "'0.1'"),
    ("jsondecode(jsonencode(pi)) == pi", "true"),
    ("jsonencode('a\"b')", '\'"a\\"b"\''),
    ("jsonencode(containers.Map({'x'}, {1}))", "'{\"x\":1}'"),
    ("jsondecode('[1, 2, 3]')", "[1; 2; 3]"),
    ("jsondecode('[[1, 2], [3, 4]]')", "[1 2; 3 4]"),
    ("jsondecode('[1, null]')", "[1; NaN]"),
    ("jsondecode('[1, \"a\"]')", "{1; 'a'}"),
    ("jsondecode('{\"a b\": true}')", "struct('aB', true)"),
    ('jsondecode(\'[{"a": 1}, {"a": 2}]\')', "[struct('a', 1); struct('a', 2)]"),
    ("jsondecode('null')", "[]"),
    ("datenum(2000, 1, 1)", "730486"),
    ("datenum([2000 1 1; 2000 1 2])", "[730486; 730487]"),
    ("datenum(2000, 13, 1)", "datenum(2001, 1, 1)"),
    ("datenum(2000, 1, 1, 12, 0, 0)", "730486.5"),
    ("datestr(730486)", "'01-Jan-2000'"),
    ("datestr(730486.75)", "'01-Jan-2000 18:00:00'"),
    ("datestr(730486.75, 'yyyy/mm/dd HH:MM PM')", "'2000/01/01  6:00 PM'"),
    ("datestr(730486, 29)", "'2000-01-01'"),
    ("datestr([730486; 730487], 'dd')", "['01'; '02']"),
    ("datestr(730486.123456789, 'HH:MM:SS.FFF')", "'02:57:46.667'"),
    ("datevec('2020-03-04 05:06:07')", "[2020 3 4 5 6 7]"),
    ("datevec('03/04/2020')", "[2020 3 4 0 0 0]"),
    ("datevec(datenum(2020, 5, 6, 7, 8, 9))", "[2020 5 6 7 8 9]"),
    ("datenum('01-Mar-2020')", "737851"),
    ("weekday(738000)", "3"),
    ("eomday(2023, 1:3)", "[31 28 31]"),
    ("etime([2020 1 2 0 0 0], [2020 1 1 0 0 0])", "86400"),
    ("addtodate(datenum(2020, 1, 31), 1, 'month')", "datenum(2020, 2, 29)"),
]


@pytest.mark.parametrize(
    ("expression", "expected"), [pytest.param(*case, id=case[0]) for case in EXPRESSIONS]
)
def test_expression(same: Same, expression: str, expected: str) -> None:
    same(expression, expected)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("mustBePositive([1 0])", "Value must be positive."),
        ("mustBeNonnegative(-1)", "Value must be nonnegative."),
        ("mustBeInteger(1.5)", "Value must be integer."),
        ("mustBeFinite(NaN)", "Value must be finite."),
        ("mustBeNumeric('a')", "Value must be numeric."),
        ("mustBeNonempty('')", "Value must not be empty."),
        ("mustBeGreaterThan(1, 2)", "Value must be greater than 2."),
        ("mustBeMember('c', {'a', 'b'})", 'Value must be a member of this set:\n    "a"\n    "b"'),
        ("mustBeTextScalar(1)", "Value must be a character vector or string scalar."),
        ("mustBeVector(ones(2))", "Value must be a vector."),
    ],
)
def test_checks(session: Session, statement: str, message: str) -> None:
    session.run(f"t = ''; try, {statement}, catch e, t = e.message; end")
    assert session["t"] == message


def test_lines_of_a_file(session: Session) -> None:
    session.run(
        "fid = fopen('a.txt', 'w'); fprintf(fid, 'one\\ntwo\\n\\nfour'); fclose(fid);"
        "fid = fopen('a.txt'); n = 0; c = {};"
        "while ~feof(fid), n = n + 1; c{n} = fgetl(fid); end, last = fgetl(fid); fclose(fid);"
        "ok = isequal(c, {'one', 'two', '', 'four'}) && isequal(last, -1);"
    )
    assert session["ok"] is True


def test_feof_after_a_last_newline(session: Session) -> None:
    session.run(
        "fid = fopen('a.txt', 'w'); fprintf(fid, 'one\\ntwo\\n'); fclose(fid);"
        "fid = fopen('a.txt'); n = 0; while ~feof(fid), fgetl(fid); n = n + 1; end, fclose(fid);"
    )
    assert session["n"] == 2.0


def test_numbers_in_a_file(session: Session) -> None:
    session.run(
        "fid = fopen('b.bin', 'w', 'b'); fwrite(fid, [1 -2 300], 'int16'); fclose(fid);"
        "fid = fopen('b.bin', 'r', 'b'); a = fread(fid, Inf, '*int16'); frewind(fid);"
        "b = fread(fid, [1 2], 'uint8=>uint8'); fseek(fid, -2, 'eof'); c = fread(fid, 1, 'int16');"
        "p = ftell(fid); e = feof(fid); fread(fid, 1); f = feof(fid); fclose(fid);"
        "ok = isequal(a, int16([1; -2; 300])) && isequal(b, uint8([0 1])) && c == 300"
        " && p == 6 && ~e && f;"
    )
    assert session["ok"] is True


def test_read_and_write_in_one_file(session: Session) -> None:
    session.run(
        "fid = fopen('c.bin', 'w+'); fwrite(fid, 1:5); fseek(fid, 1, 'bof'); a = fread(fid, 1);"
        "fwrite(fid, 9); frewind(fid); b = fread(fid)'; fclose(fid); ok = isequal(b, [1 2 9 4 5]);"
    )
    assert session["ok"] is True


def test_scanning_a_file(session: Session) -> None:
    session.run(
        "fid = fopen('d.txt', 'w'); fprintf(fid, '%d %d\\n', [1 2; 3 4]); fclose(fid);"
        "fid = fopen('d.txt'); a = fscanf(fid, '%d', [2 Inf]); fclose(fid);"
        "ok = isequal(a, [1 2; 3 4]);"
        "C = textscan(sprintf('h1\\nx 1 2\\ny 3 4\\n'), '%s %f %d', 'HeaderLines', 1);"
        "ok2 = isequal(C{1}, {'x'; 'y'}) && isequal(C{2}, [1; 3]) && isequal(C{3}, int32([2; 4]));"
        "D = textscan('1,,3', '%f %f %f', 'Delimiter', ',');"
        "ok3 = isequaln([D{:}], [1 NaN 3]);"
    )
    assert (session["ok"], session["ok2"], session["ok3"]) == (True, True, True)


def test_tables_of_numbers(session: Session) -> None:
    session.run(
        "dlmwrite('e.txt', [1 2.5; 3 4], ';'); a = dlmread('e.txt', ';');"
        "csvwrite('f.csv', [1 2; 3 4]); b = csvread('f.csv', 1, 0);"
        "writematrix([1 2; 3 4], 'g.csv'); c = readmatrix('g.csv');"
        "ok = isequal(a, [1 2.5; 3 4]) && isequal(b, [3 4]) && isequal(c, [1 2; 3 4]);"
    )
    assert session["ok"] is True


SAVED = {
    "double": "magic(3)",
    "scalar": "2.5",
    "complex": "[1+2i 3]",
    "single": "single([1.5 2])",
    "int8": "int8([-1 2; 3 4])",
    "uint64": "uint64(2^60)",
    "logical": "[true false]",
    "char": "'hello'",
    "char matrix": "['ab'; 'cd']",
    "empty": "zeros(0, 3)",
    "cell": "{1, 'a'; [], {2}}",
    "struct": "struct('a', 1, 'b', 'x')",
    "struct array": "struct('a', {1, 'two', []})",
    "struct without fields": "struct()",
    "sparse": "sparse([1 0; 0 2])",
    "mixed cell": "{1i, true, 'x'; single(2), [], {}}",
    "nested": "struct('s', struct('c', {{1, 2}}))",
    "n-d": "reshape(1:8, 2, 2, 2)",
}


@pytest.mark.parametrize("expression", SAVED.values(), ids=SAVED.keys())
def test_save_and_load_keep_class_and_size(session: Session, expression: str) -> None:
    session.run(f"x = {expression}; y = x; save('v.mat', 'x'); clear x; load('v.mat');")
    session.run("ok = strcmp(class(x), class(y)) && isequal(size(x), size(y)) && isequal(x, y);")
    assert session["ok"] is True


def test_save_and_load_forms(session: Session, tmp_path: Path) -> None:
    session.run("a1 = 1; a2 = 2; b = 3; save('w', 'a*'); s = load('w.mat');")
    session.run("ok = isequal(fieldnames(s), {'a1'; 'a2'});")
    assert session["ok"] is True
    session.run("t.p = 4; t.q = 5; save('w', '-struct', 't', '-append'); u = load('w', 'p', 'a1');")
    session.run("ok = isequal(u, struct('p', 4, 'a1', 1));")
    assert session["ok"] is True
    session.run("m = [1 2; 3 4]; save('m.txt', 'm', '-ascii'); n = load('m.txt');")
    session.run("ok = isequal(m, n);")
    assert session["ok"] is True
    assert (tmp_path / "m.txt").read_text().startswith("   1.0000000e+00   2.0000000e+00\n")


def test_files_and_folders(session: Session, tmp_path: Path) -> None:
    session.run(
        "mkdir('d'); fclose(fopen('d/x.txt', 'w')); copyfile('d/x.txt', 'd/y.txt');"
        "movefile('d/y.txt', 'd/z.txt'); l = dir('d/*.txt'); n = {l.name};"
        "delete('d/x.txt'); [ok, msg] = rmdir('d'); [ok2, msg2] = rmdir('d', 's');"
    )
    session.run("ok3 = isequal(n, {'x.txt', 'z.txt'}) && ~ok && ~isempty(msg) && ok2;")
    assert session["ok3"] is True
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("fclose(99)", "MATLAB:FileIO:InvalidFid"),
        ("fgetl(99)", "MATLAB:FileIO:InvalidFid"),
        ("fileread('no such file')", "MATLAB:fileread:cannotOpenFile"),
        ("load('no_such.mat')", "MATLAB:load:couldNotReadFile"),
        ("fread(fopen('a', 'w'), 1, 'nonsense')", "MATLAB:badprecision_mx"),
        ("jsondecode('{')", "MATLAB:json:ExpectedLiteral"),
        ("datenum('nonsense')", "MATLAB:datenum:ConvertDateString"),
        ("save('x', 'no_such_variable')", "MATLAB:save:variableNotFound"),
    ],
)
def test_errors(failing: Failing, statement: str, identifier: str) -> None:
    failing(statement, identifier)


def test_fopen_of_a_missing_file_says_why(session: Session) -> None:
    session.run("[fid, msg] = fopen('no/such/file');")
    assert session["fid"] == -1.0
    assert session["msg"] == "No such file or directory"


def test_system(session: Session) -> None:
    session.run("[s, o] = system('printf hi; exit 3');")
    assert session["s"] == 3.0
    assert session["o"] == "hi"


def test_archives(session: Session, tmp_path: Path) -> None:
    session.run(
        "mkdir('d'); writelines('x', 'd/a.txt'); zip('z', 'd'); n = unzip('z', 'out');"
        "tar('t.tgz', 'd'); m = untar('t.tgz', 'out2');"
        "gzip('d/a.txt'); gunzip('d/a.txt.gz', 'o3');"
    )
    for folder in ("out/d", "out2/d", "o3"):
        assert (tmp_path / folder / "a.txt").read_text() == "x\n"


def test_dir_lists_what_matches(session: Session, tmp_path: Path) -> None:
    (tmp_path / "b.m").write_text("1;")
    (tmp_path / "sub").mkdir()
    session.run("s = dir('*.m'); n = s.name; b = s.bytes; f = s.isdir; k = numel(dir(pwd));")
    assert (session["n"], session["b"], session["f"], session["k"]) == ("b.m", 2.0, False, 4.0)


def test_an_unreadable_mat_file(failing: Failing, tmp_path: Path) -> None:
    (tmp_path / "bad.mat").write_bytes(b"not a MAT file" * 20)
    failing("load('bad.mat')", "MATLAB:load:notBinaryFile")


def test_textscan_fills_a_line_that_is_short_of_numbers(session: Session) -> None:
    session.run(
        "a = textscan(sprintf('3 0 2\\n4 1 5 7\\n'), '%d %d %d %d %d', 2);"
        "b = textscan(sprintf('x 1\\ny 2 3\\n'), '%s %f %f');"
        "ok = isequal([a{:}], int32([3 0 2 0 0; 4 1 5 7 0])) && isequaln(b{3}, [NaN; 3]);"
    )
    assert session["ok"] is True


def test_textscan_options(session: Session) -> None:
    session.run(
        "a = textscan('1;2;;4', '%f', 'Delimiter', ';', 'EmptyValue', -1);"
        "b = textscan(sprintf('%% note\\n1,2\\n3,4'), '%f %f', 'Delimiter', ',', "
        "'CommentStyle', '%', 'CollectOutput', true);"
        "c = textscan('a \"b c\"', '%s %q'); d = textscan('1,NA,3', '%f', 'Delimiter', ',', "
        "'TreatAsEmpty', 'NA'); e = textscan('x1y2', 'x%dy%d'); f = textscan('1 2 3 4', '%f', 2);"
        "ok = isequal(a{1}, [1; 2; -1; 4]) && isequal(b, {[1 2; 3 4]}) && isequal(c{2}, {'b c'})"
        " && isequaln(d{1}, [1; NaN; 3]) && isequal(e, {int32(1), int32(2)})"
        " && isequal(f{1}, [1; 2]);"
    )
    assert session["ok"] is True
