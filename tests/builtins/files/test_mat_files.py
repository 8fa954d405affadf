"""MAT files of all versions: what is written is read, and hostile files are errors."""

from __future__ import annotations

import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_array

from runmat_core import MatlabError, Session

VALUES = [
    "1.5", "-Inf", "1+2i", "true", "[]", "zeros(0,3)", "magic(4)", "(1:4)", "(1:4)'",
    "rand(2,3,4)", "ones(2,0,3)", "single([1 2;3 4])", "single(1i*[1 2])", "[1+2i 3]",
    "int8([1 -2])", "uint8(255)", "int16(-300)", "uint16(7)", "int32([])", "uint32(9)",
    "int64(9007199254740993)", "uint64(18446744073709551615)", "true(2,3)", "false(0,1)",
    "'text'", "''", "['ab';'cd']", "char(zeros(1,0))", "['é' char(8364)]", "char([55357 56832])",
    "{}", "cell(2,0)", "{1,'a',{2,[]}}", "{1;2}", "struct()", "struct('a',1,'b','x')",
    "struct('a',{1,2;3,4})", "struct('a',{})", "struct('s',struct('t',{{1}}))",
    "repmat(struct(),1,3)", "sparse([1 0 2;0 0 3])", "sparse(3,4)", "sparse([1 0])>0",
    "sparse([1i 2])", "{sparse(1),true,int8(3)}", "struct('f',@(x)x).f(5)",
]  # fmt: skip


@pytest.mark.parametrize("flag", ["-v6", "-v7", "-v7.3"])
@pytest.mark.parametrize("value", VALUES)
def test_what_is_saved_is_loaded(value: str, flag: str, session: Session) -> None:
    if flag == "-v7.3":
        pytest.importorskip("h5py")
    if flag != "-v7.3" and value in {
        "struct('a',{})",
        "repmat(struct(),1,3)",
        "cell(2,0)",
        "char(zeros(1,0))",
    }:
        pytest.skip("scipy does not write its size")
    session.run(f"x = {value}; save('f.mat', 'x', '{flag}'); s = load('f.mat');")
    assert session.eval("isequaln(x, s.x)") is True
    same = "strcmp(class(x), class(s.x)) && isequal(size(x), size(s.x))"
    assert session.eval(f"{same} && issparse(x) == issparse(s.x)") is True


def test_variables_are_added_to_a_file_of_its_version(session: Session, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    for flag, start in (("-v7.3", b"MATLAB 7.3"), ("-v7", b"MATLAB 5.0")):
        session.run(f"clear; a = 1; b = {{2}}; save('g.mat', 'a', '{flag}');")
        session.run("save('g.mat', 'b', '-append'); a = 7; save('g.mat', 'a', '-append'); clear")
        session.run("load g.mat")
        assert session.eval("[a b{1}]").tolist() == [[7, 2]]
        assert (tmp_path / "g.mat").read_bytes().startswith(start)


@pytest.mark.parametrize("version", ["4", "5"])
def test_files_of_others(version: str, session: Session, tmp_path: Path) -> None:
    content = {
        "m": np.arange(6.0).reshape(2, 3),
        "z": np.array([[1 + 2j]]),
        "t": "some text",
        "s": csc_array(np.array([[0, 2.5], [1, 0]])),
        "i": np.array([[1, 2]], np.int16),
    }
    savemat(tmp_path / "o.mat", content, format=version, do_compression=version == "5")
    session.run("load o.mat")
    np.testing.assert_array_equal(session.workspace["m"], content["m"])
    assert session.eval("z") == 1 + 2j
    assert session.eval("t") == "some text"
    assert session.eval("full(s)").tolist() == [[0, 2.5], [1, 0]]
    assert session.eval("class(i)") == ("double" if version == "4" else "int16")


def test_a_big_endian_file(session: Session, tmp_path: Path) -> None:
    def element(kind: int, data: bytes) -> bytes:
        return struct.pack(">II", kind, len(data)) + data + bytes(-len(data) % 8)

    inner = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", 1, 2))
    inner += struct.pack(">HH4s", 1, 1, b"x\0\0\0")  # a small element: its length comes first here
    inner += element(9, struct.pack(">dd", 1.5, -2))
    start = b"MATLAB 5.0".ljust(124) + struct.pack(">H2s", 0x0100, b"MI")
    (tmp_path / "b.mat").write_bytes(start + element(14, inner))
    assert session.eval("load('b.mat').x").tolist() == [[1.5, -2]]


def _file(inner: bytes, packed: bool = False) -> bytes:
    start = b"MATLAB 5.0".ljust(124) + struct.pack("<H2s", 0x0100, b"IM")
    whole = struct.pack("<II", 14, len(inner)) + inner
    if not packed:
        return start + whole
    small = zlib.compress(whole)
    return start + struct.pack("<II", 15, len(small)) + small


def _array(kind: int, dims: tuple[int, ...], rest: bytes = b"", flags: int = 0) -> bytes:
    data = struct.pack(f"<{len(dims)}i", *dims)
    made = struct.pack("<IIII", 6, 8, kind | flags, 0) + struct.pack("<II", 5, len(data)) + data
    made += bytes(-len(data) % 8) + struct.pack("<HH4s", 1, 1, b"x")
    return made + rest


def _nested(depth: int) -> bytes:
    inner = b""
    for _ in range(depth):
        inner = _array(1, (1, 1), struct.pack("<II", 14, len(inner)) + inner)
    return inner


def _numbers(*values: int, kind: int = 5) -> bytes:
    data = struct.pack(f"<{len(values)}i", *values)
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


HUGE = 2**31 - 1
HOSTILE = {
    "numbers": _array(6, (HUGE, HUGE), struct.pack("<II", 9, 8) + bytes(8)),
    "cells": _array(1, (HUGE, 1)),
    "structs": _array(2, (HUGE, 1), _numbers(8) + struct.pack("<II", 1, 8) + b"a".ljust(8, b"\0")),
    "no fields": _array(2, (HUGE, 1), _numbers(8) + struct.pack("<II", 1, 0)),
    "text": _array(4, (1, HUGE), struct.pack("<II", 4, 0)),
    "negative": _array(6, (-1, 1), struct.pack("<II", 9, 8) + bytes(8)),
    "many dimensions": _array(6, (1,) * 100, struct.pack("<II", 9, 8) + bytes(8)),
    "class": _array(99, (1, 1), struct.pack("<II", 9, 8) + bytes(8)),
    "type": _array(6, (1, 1), struct.pack("<II", 77, 8) + bytes(8)),
    "length": _array(6, (1, 1), struct.pack("<II", 9, 2**32 - 1) + bytes(8)),
    "imaginary": _array(6, (1, 1), struct.pack("<II", 9, 8) + bytes(8), flags=0x800),
    "rows": _array(5, (2, 1), _numbers(7) + _numbers(0, 1) + struct.pack("<II", 9, 8) + bytes(8)),
    "columns": _array(5, (2, HUGE), _numbers(0) + _numbers(0, 1) + struct.pack("<II", 9, 8)),
    "starts": _array(5, (2, 1), _numbers(0) + _numbers(0, 99) + _numbers(0, 0, kind=9)),
    "deep": _nested(20000),
    "nothing": b"\1",
}  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", HOSTILE)
def test_headers_that_lie_are_errors(
    what: str, packed: bool, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "bad.mat").write_bytes(_file(HOSTILE[what], packed))
    with pytest.raises(MatlabError) as raised:
        session.run("load('bad.mat')")
    assert raised.value.identifier == "MATLAB:load:notBinaryFile"


def test_a_bomb_and_version_4_headers_that_lie(session: Session, tmp_path: Path) -> None:
    small = zlib.compress(struct.pack("<II", 14, 2**32 - 8))
    start = _file(b"")[:128]
    (tmp_path / "a.mat").write_bytes(start + struct.pack("<II", 15, len(small)) + small)
    (tmp_path / "b.mat").write_bytes(struct.pack("<5i", 0, HUGE, HUGE, 0, 2) + b"x\0" + bytes(64))
    sparse = struct.pack("<5i", 2, 2, 3, 0, 2) + b"x\0"
    (tmp_path / "c.mat").write_bytes(sparse + struct.pack("<6d", 9, 2, 9, 2, 1, 0))
    (tmp_path / "d.mat").write_bytes(
        struct.pack("<5i", 1, 1, 1, 0, 2) + b"x\0" + struct.pack("<d", -5)
    )
    for name in "abcd":
        with pytest.raises(MatlabError) as raised:
            session.run(f"load('{name}.mat')")
        assert raised.value.identifier == "MATLAB:load:notBinaryFile", name


def test_an_array_of_which_nothing_is_stored(session: Session, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "e.mat", "w", userblock_size=512) as file:
        made = file.create_dataset("x", (2**14, 2**14), "f8", chunks=(64, 64))
        made.attrs["MATLAB_class"] = np.bytes_("double")
    with pytest.raises(MatlabError) as raised:
        session.run("load('e.mat')")
    assert raised.value.identifier == "MATLAB:load:notBinaryFile"


@pytest.mark.parametrize("flag", ["-v6", "-v7", "-v7.3"])
def test_damaged_files_never_do_more_than_raise(
    flag: str, session: Session, tmp_path: Path
) -> None:
    if flag == "-v7.3":
        pytest.importorskip("h5py")
    session.run(
        "a = magic(4); b = 'text'; c = {1, 'x', {2, []}}; d = struct('p', {1, 'two'});"
        f"e = sparse([1 0 2]); f = 1 + 2i; g = single(ones(2, 3, 2)); save('o.mat', '{flag}');"
    )
    whole = (tmp_path / "o.mat").read_bytes()
    draw = random.Random(7)
    for turn in range(200):
        data = bytearray(whole)
        if turn % 3 == 0:
            data = data[: draw.randrange(len(data))]
        elif turn % 3 == 1:
            for _ in range(draw.randrange(1, 6)):
                data[draw.randrange(128, len(data))] = draw.randrange(256)
        else:
            at = draw.randrange(128, len(data) - 4) & ~3
            data[at : at + 4] = struct.pack("<I", draw.choice([2**32 - 1, HUGE, 0, 2**28, 14, 15]))
        (tmp_path / "x.mat").write_bytes(data)
        try:
            session.run("s = load('x.mat');")
        except MatlabError as problem:
            assert problem.identifier in {  # noqa: PT017 - most of them do not raise
                "MATLAB:load:notBinaryFile",
                "MATLAB:array:SizeLimitExceeded",
            }


def test_without_h5py_the_package_is_named(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "h5py", None)
    (tmp_path / "a.mat").write_bytes(bytes(512) + b"\x89HDF\r\n\x1a\n" + bytes(100))
    for code in ("load('a.mat')", "x = 1; save('b.mat', '-v7.3')"):
        with pytest.raises(MatlabError) as raised:
            session.run(code)
        assert raised.value.identifier == "RunMat:missingPackage"
        assert "pip install h5py" in raised.value.hint
