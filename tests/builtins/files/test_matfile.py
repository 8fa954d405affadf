"""matfile: variables and parts of them, read from files and written to them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runmat_core import MatlabError, Session

h5py = pytest.importorskip("h5py")

SETUP = """
x = reshape(1:24, 4, 6); n = reshape(int8(1:24), 2, 3, 4); t = 'some text'; b = x > 5;
c = {1, 'two', [3 4]; 5, {6}, "seven"}; s.a.b = [1 2 3]; z = [1+2i 3]; e = zeros(0, 3);
p = sparse([0 2; 1 0]); v = (1:5)'; d = datetime(2020, 1, [1 2 3]);
"""
NAMES = "'x', 'n', 't', 'b', 'c', 's', 'z', 'e', 'p', 'v', 'd'"
PARTS = [
    "x(2:3, :)", "x(end, end)", "x(:, [1 6 2])", "x([4 1], 3)", "x(7)", "x(:)'", "x(:, end)",
    "x(4:-1:1, 1)", "x(true(4, 1), 2)", "n(:, 2, 3)", "n(1, :, 2:3)", "n(2, 5)", "t(3:4)", "t(end)",
    "b(:, 1:2)", "c(1, 2)", "c(2, :)", "c{2, 1}", "s.a.b(2)", "z(1)", "e(:, 1)", "p(1, 2)",
    "v(2:3)", "v([5 1])", "v(end)", "d(2)", "x(:, [])", "c{1, 3}(2)",
]  # fmt: skip


@pytest.fixture(params=["-v7", "-v7.3"])
def stored(request: pytest.FixtureRequest, session: Session) -> Session:
    session.run(f"{SETUP} save('f.mat', {NAMES}, '{request.param}'); m = matfile('f.mat');")
    return session


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_that_of_the_variable(part: str, stored: Session) -> None:
    assert stored.eval(f"isequal(m.{part}, {part})") is True
    assert stored.eval(f"class(m.{part})") == stored.eval(f"class({part})")
    assert stored.eval(f"size(m.{part})").tolist() == stored.eval(f"size({part})").tolist()


def test_what_is_in_a_file(stored: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert stored.eval("who(m)") == sorted(NAMES.replace("'", "").split(", "))
    assert stored.eval("who(m, 'x*')") == ["x"]
    assert stored.eval("size(m, 'n')").tolist() == [[2, 3, 4]]
    assert stored.eval("size(m, 'x', 2)") == 6
    assert stored.eval("isprop(m, 'x') && ~isprop(m, 'nope')") is True
    assert stored.eval("getfield(whos(m, 'b'), 'class')") == "logical"
    assert str(stored.eval("m.Properties.Source")).endswith("f.mat")
    stored.run("m")
    shown = capsys.readouterr().out
    assert "matlab.io.MatFile" in shown
    assert "x: [4×6 double]" in shown
    assert stored.eval("who('-file', 'f')") == stored.eval("who(m)")
    assert stored.eval("getfield(whos('-file', 'f.mat', 'n'), 'size')").tolist() == [[2, 3, 4]]


def test_writing_to_a_file(stored: Session) -> None:
    stored.run(
        """
        m.Properties.Writable = true;
        m.x(2, :) = 0;            x(2, :) = 0;
        m.x(1:2:3, [1 2]) = [7 8; 9 10]; x(1:2:3, [1 2]) = [7 8; 9 10];
        m.x([3 1], 5) = [-1; -2]; x([3 1], 5) = [-1; -2];
        m.x(6, 8) = 5;            x(6, 8) = 5;
        m.n(1, 2, 3) = 300;       n(1, 2, 3) = 300;
        m.t(1:4) = 'more';        t(1:4) = 'more';
        m.b(1, 1) = true;         b(1, 1) = true;
        m.z(2) = 4i;              z(2) = 4i;
        m.v(3) = 2 + 1i;          v(3) = 2 + 1i;
        m.c(1, 1) = {[]};         c(1, 1) = {[]};
        m.s.a.b(2) = 9;           s.a.b(2) = 9;
        m.fresh(3) = 4;           fresh(3) = 4;
        m.d(2) = NaT;             d(2) = NaT;
        m.words = ["a" "b"];      words = ["a" "b"];
        """
    )
    for name in ["fresh", "words", *NAMES.replace("'", "").split(", ")]:
        assert stored.eval(f"isequaln(m.{name}, {name})") is True, name
    stored.run("other = load('f.mat');")
    assert stored.eval("isequal(other.x, x) && isequal(other.words, words)") is True


def test_a_new_file_grows_in_place(session: Session, tmp_path: Path) -> None:
    session.run("m = matfile('new'); for k = 1:3, m.x(k, 1:4) = k * (1:4); end, m.y = 'abc';")
    assert session.eval("isequal(m.x, (1:3)' * (1:4))") is True
    with h5py.File(tmp_path / "new.mat") as file:
        assert file["x"].maxshape == (None, None)
    assert session.eval("isequal(load('new.mat'), struct('x', m.x, 'y', 'abc'))") is True


def test_a_part_is_read_without_the_rest(session: Session, tmp_path: Path) -> None:
    """The file says that the array has 32 TB: nothing else could be read of it."""
    with h5py.File(tmp_path / "big.mat", "w", userblock_size=512) as file:
        made = file.create_dataset("x", (2**21, 2**21), "f8", chunks=(64, 64))
        made.attrs["MATLAB_class"] = np.bytes_("double")
        made[5:7, 3] = [8, 9]
    session.run("m = matfile('big.mat', 'Writable', true); m.x(10:11, 20) = [1; 2];")
    assert session.eval("m.x(3:5, 6:7)").tolist() == [[0, 0], [8, 9], [0, 0]]
    assert session.eval("m.x(end, end)") == 0
    assert session.eval("m.x(9:12, 20)'").tolist() == [[0, 1, 2, 0]]
    assert session.eval("size(m, 'x')").tolist() == [[2**21, 2**21]]


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("m.nope", "MATLAB:MatFile:VariableNotInFile"),
        ("m.nope(1)", "MATLAB:MatFile:VariableNotInFile"),
        ("m.x = 5;", "MATLAB:MatFile:NotWritable"),
        ("m.x(1) = 5;", "MATLAB:MatFile:NotWritable"),
        ("m.x(9, 9)", "MATLAB:badsubscript"),
        ("m.x(0, 1)", "MATLAB:badsubscript"),
        ("m.Properties.Source = 'x';", "MATLAB:class:SetProhibited"),
        ("m.Properties.Writable = true; m.f = @sin;", "MATLAB:save:unsupportedClass"),
        ("m.Properties.Writable = true; m.x(1, 1:2) = [1 2 3];", "MATLAB:subsassigndimmismatch"),
        ("writelines('no', 'bad.mat'); matfile('bad.mat')", "MATLAB:load:notBinaryFile"),
        ("matfile(5)", "MATLAB:MatFile:InvalidFileName"),
    ],
)
def test_errors(code: str, identifier: str, stored: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        stored.run(code)
    assert raised.value.identifier == identifier
    assert stored.eval("isequal(load('f.mat').x, x)") is True
