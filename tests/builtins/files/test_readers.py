"""importdata, strread, textread, memmapfile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runmat_core import MatlabError, Session


def test_importdata_of_numbers(session: Session, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1 2 3\n4 5 NaN\n")
    session.run("[a, d, h] = importdata('a.txt');")
    np.testing.assert_array_equal(session.workspace["a"], [[1, 2, 3], [4, 5, np.nan]])
    assert (session.workspace["d"], session.workspace["h"]) == (" ", 0.0)
    (tmp_path / "b.csv").write_text("1,2\n3,4,5\n")
    np.testing.assert_array_equal(session.eval("importdata('b.csv')"), [[1, 2, np.nan], [3, 4, 5]])


def test_importdata_of_headers(session: Session, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Title of it\nx,y\n1,2\n3,\n")
    session.run("[a, d, h] = importdata('a.csv');")
    np.testing.assert_array_equal(session.eval("a.data"), [[1, 2], [3, np.nan]])
    assert session.eval("a.colheaders") == ["x", "y"]
    assert (session.workspace["d"], session.workspace["h"]) == (",", 2.0)
    (tmp_path / "b.txt").write_text("ann\t1\t2\nbob\t3\t4\n")
    session.run("b = importdata('b.txt');")
    np.testing.assert_array_equal(session.eval("b.data"), [[1, 2], [3, 4]])
    assert session.eval("b.rowheaders'") == ["ann", "bob"]
    (tmp_path / "c.txt").write_text("5 6\n7 8\n")
    assert session.eval("importdata('c.txt', ' ', 1).data").tolist() == [[7, 8]]
    (tmp_path / "d.txt").write_text("no numbers\nat all\n")
    assert session.eval("importdata('d.txt')'") == ["no numbers", "at all"]


def test_importdata_of_a_mat_file(session: Session) -> None:
    session.run("x = 5; save('m.mat', 'x');")
    assert session.eval("importdata('m.mat').x") == 5


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("[a,b]=strread('a 1 b 2','%s %f'); r=[b' numel(a)]", [[1, 2, 2]]),
        ("r=strread('1 2 3')'", [[1, 2, 3]]),
        ("r=strread('1,2,3','%f','delimiter',',')'", [[1, 2, 3]]),
        ("[a,b]=strread('1;2;3;4','%d%d','delimiter',';'); r=[a b]", [[1, 2], [3, 4]]),
        ("r=strread('1 2 3 4','%d',2)'", [[1, 2]]),
        ("r=strread('x=4 x=5','x=%f')'", [[4, 5]]),
        ("a=strread('1 a 2 b','%*d %s'); r=double([a{:}])", [[97, 98]]),
        ("r=strread(sprintf('1 %% no\\n2'),'%f','commentstyle','matlab')'", [[1, 2]]),
        ("r=strread('1,,3','%f','delimiter',',','emptyvalue',-1)'", [[1, -1, 3]]),
    ],
)
def test_strread(code: str, expected: list[list[float]], session: Session) -> None:
    session.run(code + ";")
    assert np.asarray(session.workspace["r"]).tolist() == expected
    assert session.eval("class(r)") == "double"


def test_textread(session: Session, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("name value\nann 1\nbob 22\n")
    session.run("[n, v] = textread('t.txt', '%s %d', 'headerlines', 1);")
    assert session.eval("n'") == ["ann", "bob"]
    assert session.eval("v'").tolist() == [[1, 22]]
    (tmp_path / "m.txt").write_text("1 2\n3 4\n")
    assert session.eval("textread('m.txt')").tolist() == [[1, 2], [3, 4]]


def test_a_mapped_file_is_read_and_written(session: Session, tmp_path: Path) -> None:
    np.arange(1, 7, dtype="<f8").tofile(tmp_path / "d.bin")
    session.run("m = memmapfile('d.bin', 'Format', 'double', 'Offset', 8);")
    assert session.eval("m.Data'").tolist() == [[2, 3, 4, 5, 6]]
    assert session.eval("m.Data(2)") == 3
    assert session.eval("class(memmapfile('d.bin').Data)") == "uint8"
    session.run("w = memmapfile('d.bin', 'Format', 'double', 'Writable', true); x = w.Data;")
    session.run("w.Data(3) = 33; w.Data(1:2) = 0;")
    assert np.fromfile(tmp_path / "d.bin").tolist() == [0, 0, 33, 4, 5, 6]
    assert session.eval("m.Data(2)") == 33
    assert session.eval("x(3)") == 3


def test_a_mapped_file_of_records(session: Session, tmp_path: Path) -> None:
    kind = np.dtype([("id", "<i2"), ("m", "<f4", (4,))])
    np.array([(1, [1, 2, 3, 4]), (2, [5, 6, 7, 8])], kind).tofile(tmp_path / "r.bin")
    session.run("m = memmapfile('r.bin', 'Format', {'int16' [1 1] 'id'; 'single' [2 2] 'm'});")
    assert session.eval("size(m.Data)").tolist() == [[2, 1]]
    assert session.eval("m.Data(2).m").tolist() == [[5, 7], [6, 8]]
    assert session.eval("class(m.Data(1).id)") == "int16"
    assert session.eval("isequal(m.Format, {'int16' [1 1] 'id'; 'single' [2 2] 'm'})") is True
    session.run("m.Repeat = 1; m.Writable = true; m.Data.m(1, 2) = 9;")
    assert np.fromfile(tmp_path / "r.bin", kind)["m"].tolist() == [[1, 2, 9, 4], [5, 6, 7, 8]]


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("importdata('none.txt')", "MATLAB:importdata:FileNotFound"),
        ("importdata(5)", "MATLAB:importdata:InvalidInput"),
        ("strread(5)", "MATLAB:strread:InvalidInput"),
        ("[a,b]=strread('1 2','%f');", "MATLAB:strread:MismatchFormat"),
        ("textread('none')", "MATLAB:textread:FileNotFound"),
        ("memmapfile('none')", "MATLAB:memmapfile:inaccessibleFile"),
        ("memmapfile('f','Format','what')", "MATLAB:memmapfile:illegalInput"),
        ("memmapfile('f','Offset',-1)", "MATLAB:memmapfile:illegalInput"),
        ("m=memmapfile('f','Repeat',1e9); m.Data", "MATLAB:memmapfile:fileTooSmall"),
        ("m=memmapfile('f','Format',{'double' [1e9 1e9 1e9] 'x'},'Repeat',1); m.Data",
         "MATLAB:memmapfile:fileTooSmall"),
        ("m=memmapfile('f'); m.Data(1)=uint8(5);", "MATLAB:memmapfile:dataIsReadOnly"),
        ("m=memmapfile('f','Writable',true); m.Data=1:3;", "MATLAB:memmapfile:illegalInput"),
    ],
)  # fmt: skip
def test_errors(code: str, identifier: str, session: Session, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"1234")
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


BLOCKS = {
    "h.txt": "made today, by hand\n\n1,2,3,\n4,,6,\n7,8,9,\n",
    "t.txt": "1\t2\n 3   4\n",
    "c.txt": "1+2i;3\n-i;4.5e1\n",
    "w.txt": "1 2\n3 x\n",
    "r.txt": "1,2\n3\n4,5,6\n",
}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("csvread('h.txt', 1, 0)", "[1 2 3; 4 0 6; 7 8 9]"),
        ("csvread('h.txt', 2, 1)", "[0 6; 8 9]"),
        ("csvread('h.txt', 1, 1, [1 1 2 2])", "[2 3; 0 6]"),
        ("dlmread('h.txt', ',', 'A2..B3')", "[1 2; 4 0]"),
        ("dlmread('t.txt')", "[1 2; 3 4]"),
        ("dlmread('c.txt')", "[1+2i 3; -1i 45]"),
        ("dlmread('r.txt')", "[1 2 0; 3 0 0; 4 5 6]"),
        ("importdata('r.txt')", "[1 2 NaN; 3 NaN NaN; 4 5 6]"),
        ("textread('t.txt')", "[1 2; 3 4]"),
    ],
)
def test_blocks_of_numbers(code: str, expected: str, session: Session, tmp_path: Path) -> None:
    for name, text in BLOCKS.items():
        (tmp_path / name).write_text(text)
    assert session.eval(f"isequaln({code}, {expected})"), session.eval(code)


def test_a_word_among_numbers(session: Session, tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text(BLOCKS["w.txt"])
    with pytest.raises(MatlabError, match="row number 2, field number 2") as raised:
        session.run("dlmread('w.txt')")
    assert raised.value.identifier == "MATLAB:textscan:handleErrorAndShowInfo"
