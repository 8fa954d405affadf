"""Triangulations in STL files."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

MESH = "TR = triangulation([1 2 3; 2 4 3; 1 3 5], [0 0 0; 1 0 0; 0 1 0; 1 1 0; 0 0 0.5]);"


@pytest.mark.parametrize("kind", ["binary", "text"])
def test_what_is_written_is_read(kind: str, session: Session) -> None:
    session.run(f"{MESH} stlwrite(TR, 'a.stl', '{kind}'); [S, f, a, id] = stlread('a.stl');")
    assert session.eval("isequal(S.Points, TR.Points)") is True
    assert session.eval("isequal(S.ConnectivityList, TR.ConnectivityList)") is True
    assert session.eval("f") == kind
    assert session.eval("isequal(id, [1; 1; 1])") is True


def test_attributes_and_solids(session: Session) -> None:
    session.run(
        f"{MESH} stlwrite(TR, 'a.stl', 'Attribute', [1 2 65535]); [~, ~, a] = stlread('a.stl');"
        "stlwrite(TR, 'b.stl', 'text', 'SolidIndex', [1 1 2]); [~, ~, ~, id] = stlread('b.stl');"
    )
    assert session.eval("isequal(a, uint16([1; 2; 65535]))") is True
    assert session.eval("isequal(id, [1; 1; 2])") is True


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no solid",
        bytes(80) + b"\xff\xff\xff\xff" + bytes(50),
        b"solid a\nvertex 1 2 3\nendsolid",
        b"solid a\nvertex 1 2 x\nvertex 1 2 3\nvertex 1 2 3\n",
    ],
)
def test_files_that_lie(data: bytes, session: Session, tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(data)
    with pytest.raises(MatlabError) as caught:
        session.run("stlread('a.stl')")
    assert caught.value.identifier == "MATLAB:polyfun:stlFailedToRead"


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("stlread('none.stl')", "MATLAB:polyfun:stlFileCannotOpen"),
        ("stlwrite(5, 'a.stl')", "MATLAB:UndefinedFunction"),
        ("stlwrite(TR, 'a.stl', 'txt')", "MATLAB:unrecognizedStringChoice"),
        ("stlwrite(TR, 'a.stl', 'Attribut', 1:3)", "MATLAB:polyfun:stlOptions"),
        ("stlwrite(TR, 'a.stl', 'Attribute', 1:2)", "MATLAB:polyfun:stlSizes"),
    ],
)
def test_errors(code: str, identifier: str, session: Session) -> None:
    session.run(MESH)
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier == identifier
