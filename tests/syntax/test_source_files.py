"""Source files of every encoding, and files that are none."""

from __future__ import annotations

import pytest

from runmat_core.api import MatlabError
from runmat_core.syntax.check import Problem, check_file
from runmat_core.syntax.source import decode_source, read_source

TEXT = "x = 'é';\ny = 2;\n"
ENCODED = {
    "utf-8": TEXT.encode(),
    "utf-8 with mark": TEXT.encode("utf-8-sig"),
    "latin-1": TEXT.encode("latin-1"),
    "utf-16": TEXT.encode("utf-16"),
    "windows line ends": TEXT.replace("\n", "\r\n").encode(),
    "old mac line ends": TEXT.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("name", ENCODED)
def test_encodings(tmp_path, name):
    path = tmp_path / "f.m"
    path.write_bytes(ENCODED[name])
    assert read_source(path) == TEXT
    assert decode_source(ENCODED[name]) == TEXT


def test_files_that_are_none(tmp_path):
    with pytest.raises(MatlabError, match=r"File '.*absent\.m' not found\."):
        read_source(tmp_path / "absent.m")
    with pytest.raises(MatlabError, match=r"is a folder, not a program\."):
        read_source(tmp_path)
    binary = tmp_path / "binary.m"
    binary.write_bytes(b"\x7fELF\0\1\2")
    with pytest.raises(MatlabError, match=r"is a binary file, not MATLAB source text\."):
        read_source(binary)
    below = binary / "f.m"
    with pytest.raises(MatlabError, match="not found"):
        read_source(below)


def test_check(tmp_path):
    good = tmp_path / "good.m"
    good.write_text("x = 1;\n")
    bad = tmp_path / "bad.m"
    bad.write_text("y = 1;\nif y = 1\nend\n")
    octave = tmp_path / "octave.m"
    octave.write_text("x += 1;\n")
    assert check_file(good) == []
    (problem,) = check_file(bad)
    assert (problem.line, problem.column) == (2, 6)
    assert str(problem) == (
        f"{bad}:2:6: Unexpected '='. Expected the end of the statement. "
        "Use '==' to compare; '=' assigns."
    )
    assert len(check_file(octave)) == 1
    assert check_file(octave, "octave") == []
    missing = str(tmp_path / "missing.m")
    assert check_file(missing) == [Problem(missing, 0, 0, f"File '{missing}' not found.")]
    assert str(check_file(missing)[0]) == f"{missing}: File '{missing}' not found."
