"""MAT files of all versions: what is written is read, and hostile files are errors."""

from __future__ import annotations

import random
import struct
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat, savemat
from scipy.sparse import csc_array

from runmat_core import MatlabError, Session
from runmat_core.builtins.files.mat_values import CorruptError, Unsupported
from runmat_core.builtins.files.mcos import ObjectWriter
from runmat_core.builtins.files.mcos_values import value_of
from runmat_core.values import CharArray, StringArray

VALUES = [
    "1.5", "-Inf", "1+2i", "true", "[]", "zeros(0,3)", "magic(4)", "(1:4)", "(1:4)'",
    "rand(2,3,4)", "ones(2,0,3)", "single([1 2;3 4])", "single(1i*[1 2])", "[1+2i 3]",
    "int8([1 -2])", "uint8(255)", "int16(-300)", "uint16(7)", "int32([])", "uint32(9)",
    "int64(9007199254740993)", "uint64(18446744073709551615)", "true(2,3)", "false(0,1)",
    "'text'", "''", "['ab';'cd']", "char(zeros(1,0))", "['é' char(8364)]", "char([55357 56832])",
    "char([65 55357; 66 56832])",
    "{}", "cell(2,0)", "{1,'a',{2,[]}}", "{1;2}", "struct()", "struct('a',1,'b','x')",
    "struct('a',{1,2;3,4})", "struct('a',{})", "struct('s',struct('t',{{1}}))",
    "repmat(struct(),1,3)", "sparse([1 0 2;0 0 3])", "sparse(3,4)", "sparse([1 0])>0",
    "sparse([1i 2])", "{sparse(1),true,int8(3)}", "struct('f',@(x)x).f(5)",
    '"text"', '["a" "bc"; missing ""]', 'strings(0,3)', '["é" char([55357 56832])]',
    "datetime(2020,1,[1 2;3 4])", "datetime(2020,1,1,'TimeZone','Europe/Berlin')", "NaT(2,1)",
    "NaT(0,2)", "datetime(2020,1,1,'Format','yyyy/MM/dd')", "datetime(Inf,1,1)",
    "datetime(2020,1,1) + seconds(1e-7)", "hours([1 NaN Inf])", "duration(1,2,3)", "years(2)",
    "calmonths([1 2]) + caldays(3)", "calquarters(2)", "categorical({'a' 'b' ''})",
    "categorical([3 1 2],'Ordinal',true)", "categorical(zeros(2,0))", "{datetime(2020,1,1) 'x'}",
    "categorical({'p'},{'p' 'q'},'Protected',true)", "struct('t',{hours(1) [\"u\" \"v\"]})",
    "table()", "table([1;2],{'a';'b'},[\"x\";missing],'VariableNames',{'n','c','s'})",
    "table([1;2],'RowNames',{'r','q'},'DimensionNames',{'Who','What'})", "table(zeros(0,1))",
    "table(datetime(2020,1,[1;2]),table([1;2],categorical({'a';'b'})))",
    "timetable(seconds([1;2]),[3 4;5 6])", "timetable(datetime(2020,1,[1;2]),{1;hours(2)})",
    "timetable([1;2],'SampleRate',100)", "timetable(hours(zeros(0,1)))",
]  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("flag", ["-v6", "-v7", "-v7.3"])
@pytest.mark.parametrize("value", VALUES)
def test_what_is_saved_is_loaded(value: str, flag: str, session: Session) -> None:
    if flag == "-v7.3":
        pytest.importorskip("h5py")
    session.run(f"x = {value}; save('f.mat', 'x', '{flag}'); s = load('f.mat');")
    assert session.eval("isequaln(x, s.x)") is True
    assert session.eval("evalc('x')") == session.eval("evalc('x = s.x')")
    same = "strcmp(class(x), class(s.x)) && isequal(size(x), size(s.x))"
    assert session.eval(f"{same} && issparse(x) == issparse(s.x)") is True


@pytest.mark.parametrize("flag", ["-v6", "-v7", "-v7.3"])
def test_what_tables_say_of_themselves_is_kept(flag: str, session: Session) -> None:
    if flag == "-v7.3":
        pytest.importorskip("h5py")
    session.run(
        f"""
        T = table([1; 2], [3; 4], 'VariableNames', {{'p', 'q'}});
        T.Properties.Description = 'all of it';
        T.Properties.UserData = {{hours(1), "s"}};
        T.Properties.VariableUnits = {{'m', ''}};
        T.Properties.VariableContinuity = {{'step', 'unset'}};
        U = table2timetable(T, 'TimeStep', calmonths(1), 'StartTime', datetime(2020, 1, 31));
        save('t.mat', 'T', 'U', '{flag}'); s = load('t.mat');
        """
    )
    for name in ("T", "U"):
        assert session.eval(f"isequal({name}.Properties.Description, 'all of it')") is True
        for what in ("Description", "UserData", "VariableUnits", "VariableContinuity"):
            same = f"isequal({name}.Properties.{what}, s.{name}.Properties.{what})"
            assert session.eval(same) is True, what


@pytest.mark.parametrize("flag", ["-v7", "-v7.3"])
def test_maps_and_dictionaries(flag: str, session: Session) -> None:
    if flag == "-v7.3":
        pytest.importorskip("h5py")
    session.run(
        f"""
        m = containers.Map({{'b', 'a'}}, {{1, hours(2)}}); n = containers.Map([3 1], [5 6]);
        same = {{m}}; e = containers.Map('KeyType', 'int32', 'ValueType', 'any');
        d = dictionary(["x" "y"], [1 2]); u = dictionary; w = dictionary(1, {{'text'}});
        save('d.mat', '{flag}'); s = load('d.mat'); s.m('new') = 7;
        """
    )
    assert session.eval("s.m.keys") == ["a", "b", "new"]
    assert session.eval("isequal(s.m('a'), hours(2)) && s.m('b') == 1 && m.Count == 2")
    assert session.eval("isKey(s.same{1}, 'new')") is True
    assert session.eval("isequal(s.n.keys, {1 3}) && isequal(s.n.values, {6 5})")
    assert session.eval("strcmp(s.n.ValueType, 'double') && strcmp(s.e.KeyType, 'int32')")
    assert session.eval("isequal(s.d, d) && ~isequal(s.d, w) && isequal(s.u, u)") is True
    assert session.eval("isequal(dictionary([2 1], [6 5]), dictionary([1 2], [5 6]))") is True
    assert session.eval("isequal(dictionary([2 1], [6 5]), dictionary([1 2], [5 7]))") is False
    assert session.eval("~isConfigured(s.u) && isequal(s.w{1}, 'text')")


def test_what_cannot_be_kept_is_told_of(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    session.run("x = 1; f = @sin; g = {f}; save('n.mat', 'x', 'f', 'g'); s = load('n.mat');")
    assert session.eval("fieldnames(s)") == ["x"]
    said = capsys.readouterr().err
    assert "Variable 'f' was not saved" in said
    assert "Variable 'g' was not saved" in said


def test_what_is_written_is_read_by_scipy(session: Session, tmp_path: Path) -> None:
    session.run(
        "m = magic(3); z = [1+2i 3]; t = 'text'; c = {1, 'x'}; s = struct('a', {1, 2});"
        "b = true; i = int16([1 -2]); p = sparse([0 2; 1 0]); u = ['é' char(8364)];"
        "save('p.mat')"
    )
    found = loadmat(tmp_path / "p.mat")
    np.testing.assert_array_equal(found["m"], [[8, 1, 6], [3, 5, 7], [4, 9, 2]])
    np.testing.assert_array_equal(found["z"], [[1 + 2j, 3]])
    assert found["t"].tolist() == ["text"]
    assert found["u"].tolist() == ["é€"]
    assert found["c"][0, 0].item() == 1
    assert found["c"][0, 1].tolist() == ["x"]
    assert found["s"]["a"].shape == (1, 2)
    assert found["b"].dtype == np.uint8
    assert found["i"].dtype == np.int16
    assert found["p"].toarray().tolist() == [[0, 2], [1, 0]]


def test_objects_are_linked_as_matlab_links_them() -> None:
    """The words of regions 1 to 7 in a file that MATLAB wrote with these three strings."""
    writer = ObjectWriter(lambda value: value)
    for words in (["Hello"], ["Apple", "Banana"], [""]):
        items = np.empty((1, len(words)), object)
        items[0, :] = words
        writer.reference(StringArray(items))
    linking = writer.linking()
    version, count, *offsets = struct.unpack_from("<10I", linking)
    names = linking[40 : offsets[0]].rstrip(b"\0").split(b"\0")
    regions = [struct.unpack(f"<{(b - a) // 4}I", linking[a:b]) for a, b in pairwise(offsets)]
    assert (version, count, sorted(names)) == (4, 2, [b"any", b"string"])
    at = names.index(b"any") + 1
    assert regions[0] == (0, 0, 0, 0, 0, 3 - at, 0, 0)
    assert regions[1] == (0, 0, 1, at, 1, 0, 1, at, 1, 1, 1, at, 1, 2)
    assert regions[2] == (
        *(0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1),
        *(1, 0, 0, 2, 0, 2, 1, 0, 0, 3, 0, 3),
    )
    assert regions[3] == (0, 0)
    assert regions[4] == (0,) * 8
    assert regions[5:] == [(), (0, 0)]
    words = writer.cells[0].data
    assert words.tolist() == [[1, 2, 1, 1, 5, 0x6C006C00650048, 0x6F]]


def test_variables_are_added_to_a_file_of_its_version(session: Session, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    for flag, start in (("-v7.3", b"MATLAB 7.3"), ("-v7", b"MATLAB 5.0")):
        session.run(f"clear; a = 1; b = {{2}}; save('g.mat', 'a', '{flag}');")
        session.run("save('g.mat', 'b', '-append'); a = 7; save('g.mat', 'a', '-append'); clear")
        session.run("load g.mat")
        assert session.eval("[a b{1}]").tolist() == [[7, 2]]
        assert (tmp_path / "g.mat").read_bytes().startswith(start)


def test_formats_and_zones_that_are_not_known() -> None:
    said = {"data": 1.5, "fmt": CharArray("bbb"), "tz": CharArray("UTC")}
    assert value_of("datetime", said).form == "dd-MMM-uuuu HH:mm:ss"
    assert value_of("duration", {"millis": 1.5, "fmt": CharArray("?")}).form == "hh:mm:ss"
    assert value_of("datetime", {**said, "tz": CharArray("No/Where")}) == Unsupported("datetime")
    assert value_of("NoClass", {}) == Unsupported("NoClass")
    with pytest.raises(CorruptError):
        value_of("string", {})


@pytest.mark.parametrize("packed", [False, True])
def test_what_cannot_be_read_stays_when_others_are_added(
    packed: bool, session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = _file(_array(16, (1, 1)), packed)
    (tmp_path / "h.mat").write_bytes(whole)
    session.run(
        "y = 1; z = \"text\"; save('h.mat', 'y', '-append'); save('h.mat', 'z', '-append');"
    )
    assert whole[128:] in (tmp_path / "h.mat").read_bytes()
    assert session.eval("isequal(load('h.mat', 'y', 'z'), struct('y', 1, 'z', \"text\"))") is True
    # two sets of objects cannot be joined, so the file is written anew, and that is told
    session.run("y = 2; z = hours(1); w = 'w'; save('h.mat', 'y', 'z', 'w', '-append');")
    assert "'x' is no longer in the file" in capsys.readouterr().err
    assert session.eval("isequal(load('h.mat'), struct('w', 'w', 'y', 2, 'z', hours(1)))") is True


@pytest.mark.parametrize("flag", ["-v7", "-v7.3"])
def test_objects_stay_when_numbers_are_added(flag: str, session: Session) -> None:
    if flag == "-v7.3":
        pytest.importorskip("h5py")
    session.run(
        't = table([1; 2], ["a"; "b"]); n = 5; m = magic(3);'
        f"save('q.mat', 't', 'n', '{flag}');"
        "n = 'longer than it was'; save('q.mat', 'm', 'n', '-append'); s = load('q.mat');"
    )
    assert session.eval("isequal(s, struct('t', t, 'n', n, 'm', m))") is True


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


def test_a_struct_of_many_fields(session: Session) -> None:
    pytest.importorskip("h5py")
    session.run("for k = 1:5000, x.(sprintf('f%d', k)) = k; end, save('m.mat', 'x', '-v7.3');")
    session.run("y = load('m.mat').x;")
    assert session.eval("isequal(y, x)") is True
    assert session.eval("isequal(fieldnames(y), fieldnames(x))") is True


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
    head, size = _array(1, (1, 1)), 0
    parts = []
    for _ in range(depth):
        parts.append(head + struct.pack("<II", 14, size))
        size += len(parts[-1])
    return b"".join(reversed(parts))


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
        'e = sparse([1 0 2]); f = 1 + 2i; g = single(ones(2, 3, 2)); h = ["s" "tt"];'
        "t = table([1; 2], datetime(2020, 1, [1; 2]), 'RowNames', {'a', 'b'});"
        f"k = timetable(categorical([1; 2]), 'SampleRate', 2); save('o.mat', '{flag}');"
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
