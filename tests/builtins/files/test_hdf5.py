"""HDF5 files: what is written is read, here and by h5py, and files that lie are errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runmat_core import MatlabError, Session

h5py = pytest.importorskip("h5py")

CLASSES = "double single int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("value", ["7", "1:5", "(1:5)'", "magic(4)", "reshape(1:24,2,3,4)"])
def test_what_is_written_is_read(kind: str, value: str, session: Session) -> None:
    session.run(
        f"x = {kind}({value}); h5create('a.h5', '/g/x', size(x), 'Datatype', '{kind}');"
        "h5write('a.h5', '/g/x', x); y = h5read('a.h5', '/g/x');"
    )
    assert session.eval("isequal(x, y) && strcmp(class(x), class(y))") is True


def test_axes_are_in_reverse(session: Session, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = np.arange(6, dtype=">i4").reshape(2, 3)
        file["list"] = np.arange(4.0)
        file["one"] = np.float32(2.5)
        file["half"] = np.float16([1, 2])
        file["none"] = h5py.Empty("f8")
        file["texts"] = ["a", "bä"]
        file["fixed"] = np.array([b"ab", b"c"])
        file["flag"] = np.array([True, False])
        file["points"] = np.array([(1, 2.5), (3, 4.5)], [("n", "i2"), ("x", "f8")])
        ragged = file.create_dataset("ragged", (2,), h5py.vlen_dtype(np.int32))
        ragged[0], ragged[1] = [1, 2], [3]
    for code in (
        "isequal(h5read('a.h5','/x'), int32([0 3; 1 4; 2 5]))",
        "isequal(h5read('a.h5','/list'), (0:3)')",
        "isequal(h5read('a.h5','/one'), single(2.5))",
        "isequal(h5read('a.h5','/half'), single([1; 2]))",
        "isequal(h5read('a.h5','/none'), [])",
        "isequal(h5read('a.h5','/texts'), [\"a\"; \"bä\"])",
        "isequal(h5read('a.h5','/fixed'), [\"ab\"; \"c\"])",
        "isequal(h5read('a.h5','/flag'), {'TRUE'; 'FALSE'})",
        "isequal(h5read('a.h5','/points'), struct('n', int16([1;3]), 'x', [2.5;4.5]))",
        "isequal(h5read('a.h5','/ragged'), {int32([1;2]); int32(3)})",
        "isequal(h5read('a.h5','/x',[2 1],[2 1]), int32([1; 2]))",
        "isequal(h5read('a.h5','/x',[1 1],[2 Inf],[2 1]), int32([0 3; 2 5]))",
        "isequal(h5read('a.h5','/list',2,2), [1; 2])",
    ):
        assert session.eval(code) is True, code


def test_parts_are_written_and_files_grow(session: Session, tmp_path: Path) -> None:
    session.run(
        """
        h5create('a.h5', '/x', [2 Inf], 'ChunkSize', [2 10], 'Deflate', 9, 'Shuffle', true, ...
            'Fletcher32', true, 'FillValue', -1);
        h5write('a.h5', '/x', [1 2; 3 4], [1 1], [2 2]);
        h5write('a.h5', '/x', [5; 6], [1 4], [2 1]);
        h5create('a.h5', '/t', 2, 'Datatype', 'string'); h5write('a.h5', '/t', {'ü', 'b'});
        info = h5info('a.h5', '/x');
        """
    )
    assert session.eval("isequal(h5read('a.h5','/x'), [1 2 -1 5; 3 4 -1 6])") is True
    assert session.eval("isequal(h5read('a.h5','/t'), [\"ü\"; \"b\"])") is True
    assert session.eval("isequal(info.Dataspace.MaxSize, [2 Inf]) && info.FillValue == -1") is True
    assert session.eval("isequal(info.ChunkSize, [2 10]) && numel(info.Filters) == 3") is True
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["x"].shape == (4, 2)
        assert file["x"].compression_opts == 9


def test_attributes(session: Session) -> None:
    session.run(
        """
        h5create('a.h5', '/g/x', 3);
        h5writeatt('a.h5', '/g/x', 'unit', 'km'); h5writeatt('a.h5', '/g', 'n', int8([1 2; 3 4]));
        h5writeatt('a.h5', '/g', 's', ["a" "b"]); h5writeatt('a.h5', '/g/x', 'unit', "µm");
        info = h5info('a.h5');
        """
    )
    assert session.eval("h5readatt('a.h5','/g/x','unit')") == "µm"
    assert session.eval("isequal(h5readatt('a.h5','/g','n'), int8([1 2; 3 4]))") is True
    assert session.eval("isequal(h5readatt('a.h5','/g','s'), {'a'; 'b'})") is True
    assert session.eval("info.Groups.Name") == "/g"
    assert session.eval("info.Groups.Datasets.Attributes.Value") == "µm"
    assert session.eval("isempty(info.Datasets)") is True


def test_what_is_printed(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run(
        "h5create('a.h5', '/g/x', [4 5], 'Datatype', 'int16'); h5writeatt('a.h5','/g','n',1.5);"
        "h5disp('a.h5')"
    )
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "HDF5 a.h5",
        "Group '/'",
        "    Group '/g'",
        "        Attributes:",
        "            'n':  1.500000",
        "        Dataset 'x'",
        "            Size:  4x5",
        "            MaxSize:  4x5",
        "            Datatype:   H5T_STD_I16LE (int16)",
        "            ChunkSize:  []",
        "            Filters:  none",
        "            FillValue:  0",
    ]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("h5read('none.h5', '/x')", "validate:fileOpen"),
        ("h5read('bad.h5', '/x')", "hdf5lib:libraryError"),
        ("h5read('a.h5', '/y')", "h5read:unableToFind"),
        ("h5read('a.h5', 'x')", "h5read:notFullPath"),
        ("h5read('a.h5', '/')", "h5read:notADataset"),
        ("h5read('a.h5', '/x', [1 1], [3 1])", "h5read:selectionOutOfBounds"),
        ("h5read('a.h5', '/x', [0 1], [1 1])", "h5read:invalidStart"),
        ("h5read('a.h5', '/x', 1, 1)", "h5read:invalidStart"),
        ("h5create('a.h5', '/x', 2)", "h5create:datasetAlreadyExists"),
        ("h5create('a.h5', '/z', Inf)", "h5create:chunkSizeRequired"),
        ("h5create('a.h5', '/z', 5, 'Deflate', 3)", "h5create:chunkSizeRequired"),
        ("h5create('a.h5', '/z', 5, 'Datatype', 'duble')", "h5create:unrecognizedDatatype"),
        ("h5create('a.h5', '/z', -1)", "h5create:invalidSize"),
        ("h5create('a.h5', '/z', 5, 'Chunksise', 2)", "h5create:unknownParameter"),
        ("h5write('a.h5', '/x', 1:3)", "h5write:sizeMismatch"),
        ("h5write('a.h5', '/x', ones(2,3), [1 1], [2 3])", "h5write:selectionOutOfBounds"),
        ("h5write('a.h5', '/x', {1, 2})", "h5write:datatypeNotSupported"),
        ("h5write('a.h5', '/x', \"text\")", "h5write:datatypeMismatch"),
        ("h5readatt('a.h5', '/x', 'none')", "h5readatt:unableToFind"),
    ],
)
def test_errors(code: str, kind: str, session: Session, tmp_path: Path) -> None:
    session.run("h5create('a.h5', '/x', [2 2]);")
    (tmp_path / "bad.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(50))
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == f"MATLAB:imagesci:{kind}"


def test_files_that_lie(session: Session, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("big", (1 << 40,), "f8", chunks=(1024,))
        group = file.create_group("g")
        for name in "abc":
            group[name] = group
            group[f"up{name}"] = file["/"]
    with pytest.raises(MatlabError) as caught:
        session.run("h5read('a.h5', '/big')")
    assert caught.value.identifier == "MATLAB:array:SizeLimitExceeded"
    assert session.eval("isequal(h5read('a.h5','/big',2^39,3), zeros(3,1))") is True
    assert session.eval("numel(h5info('a.h5').Groups.Links)") == 6


def test_truncated_files(session: Session, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "whole.h5", "w") as file:
        file["x"] = np.random.default_rng(0).random((40, 50))
        file["x"].attrs["unit"] = "km"
    data = (tmp_path / "whole.h5").read_bytes()
    for length in range(0, len(data), len(data) // 40):
        (tmp_path / "a.h5").write_bytes(data[:length])
        with pytest.raises(MatlabError, match=r".") as caught:
            session.run("h5read('a.h5', '/x'); h5info('a.h5');")
        assert caught.value.identifier == "MATLAB:imagesci:hdf5lib:libraryError"
