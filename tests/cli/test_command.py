"""The `runmat` command as a user types it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RUNMAT = [sys.executable, "-m", "runmat_core"]


def runmat(
    *args: str, cwd: Path | None = None, stdin: str | bytes | None = None
) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RUNMAT_")}
    done = subprocess.run(
        [*RUNMAT, *args], input=data, capture_output=True, cwd=cwd, env=environment, timeout=250
    )
    return subprocess.CompletedProcess(
        args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_code_from_the_command_line() -> None:
    done = runmat("-e", "fprintf('%d\\n', sum(1:4))")
    assert (done.returncode, done.stdout, done.stderr) == (0, "10\n", "")


def test_code_from_standard_input() -> None:
    done = runmat(stdin="x = 2;\nfprintf('%d\\n', x^5)\n")
    assert (done.returncode, done.stdout) == (0, "32\n")


def test_a_script_with_arguments(tmp_path: Path) -> None:
    (tmp_path / "hello.m").write_text("fprintf('%s|', argv{:}); fprintf('\\n')\n")
    done = runmat("hello.m", "one", "-v", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "one|-v|\n")


def test_a_function_file_is_called_with_its_arguments(tmp_path: Path) -> None:
    (tmp_path / "greet.m").write_text(
        "function greet(name, n)\n  fprintf('%s %d %s\\n', name, nargin, class(n));\nend\n"
    )
    done = runmat("greet.m", "you", "3", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "you 2 char\n")


def test_an_uncaught_error_reports_where_and_exits_with_one(tmp_path: Path) -> None:
    (tmp_path / "outer.m").write_text("x = 1;\ninner(x);\n")
    (tmp_path / "inner.m").write_text("function inner(x)\n  v = [1 2 3];\n  y = x + v(7);\nend\n")
    done = runmat("outer.m", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Index must not exceed 3." in done.stderr
    assert "inner (line 3)" in done.stderr
    assert "y = x + v(7);" in done.stderr
    assert "outer (line 2)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_syntax_error_shows_the_line_with_a_caret(tmp_path: Path) -> None:
    (tmp_path / "bad.m").write_text("x = 1;\ny = (2 + ;\n")
    done = runmat("bad.m", cwd=tmp_path)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert any("bad.m" in line and "2" in line for line in lines)
    assert any("y = (2 + ;" in line for line in lines)
    assert any(line.strip() == "^" for line in lines)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("nowhere.m",), "nowhere.m"),
        (("folder",), "folder"),
        (("binary.m",), "binary.m"),
    ],
)
def test_what_cannot_be_read_is_said(arguments: tuple[str, ...], text: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.m").write_bytes(bytes(range(256)) * 4)
    done = runmat(*arguments, cwd=tmp_path)
    assert done.returncode == 1
    assert text in done.stderr
    assert "Traceback" not in done.stderr
    assert "Internal error" not in done.stderr


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfdisp('bom')\n",
        b"disp('crlf')\r\ndisp('two')\r\n",
        b"x = '\xe9';\ndisp(double(x))\n",
        "disp('\u03c0')\n".encode(),
    ],
    ids=["bom", "crlf", "latin-1", "utf-8"],
)
def test_encodings(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "text.m").write_bytes(data)
    done = runmat("text.m", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_exit_ends_with_its_code() -> None:
    done = runmat("-e", "disp('before'); exit(3); disp('after')")
    assert (done.returncode, done.stdout) == (3, "before\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = " ".join([*RUNMAT, "-e", "'for k = 1:200000, disp(k), end'"])
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -n 1"], capture_output=True, text=True, timeout=250
    )
    assert done.stdout.strip() == "1"
    assert done.stderr == ""


def test_check_reports_one_line_a_problem(tmp_path: Path) -> None:
    (tmp_path / "good.m").write_text("x = 1;\n")
    (tmp_path / "bad.m").write_text("if x\n")
    good = runmat("check", "good.m", cwd=tmp_path)
    assert (good.returncode, good.stdout) == (0, "")
    both = runmat("check", ".", cwd=tmp_path)
    assert both.returncode == 1
    (line,) = both.stdout.splitlines()
    assert line.startswith("bad.m:")
    assert "2 files checked, 1 problem" in both.stderr


def test_check_passes_by_hidden_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "good.m").write_text("x = 1;\n")
    (tmp_path / "._good.m").write_bytes(b"\0\5\x16\7")
    (tmp_path / ".backup").mkdir()
    (tmp_path / ".backup" / "bad.m").write_text("if x\n")
    assert "1 file checked, 0 problems" in runmat("check", ".", cwd=tmp_path).stderr
    assert runmat("check", ".backup", cwd=tmp_path).returncode == 1


def test_config_show_tells_where_values_come_from(tmp_path: Path) -> None:
    (tmp_path / "runmat.toml").write_text('[language]\ndialect = "octave"\n')
    done = runmat("config", "show", cwd=tmp_path)
    assert done.returncode == 0
    (dialect,) = [x for x in done.stdout.splitlines() if x.startswith("language.dialect")]
    assert '"octave"' in dialect
    assert "runmat.toml" in dialect


def test_a_mistake_in_the_configuration_is_named(tmp_path: Path) -> None:
    (tmp_path / "runmat.toml").write_text('[language]\ndialekt = "octave"\n')
    done = runmat("-e", "disp(1)", cwd=tmp_path)
    assert done.returncode == 1
    assert "dialekt" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_octave_dialect_is_an_option() -> None:
    done = runmat("run", "--dialect", "octave", "-e", 'x = 1; x += 2; printf("%d\\n", x) # hash')
    assert (done.returncode, done.stdout) == (0, "3\n")


def test_version_and_help() -> None:
    assert runmat("--version").stdout.startswith("runmat ")
    text = runmat("--help").stdout
    assert "runmat program.m" in text
    assert "Ctrl" not in runmat("run", "--help").stderr
    assert runmat("run", "--nonsense").returncode == 2


def test_options_of_runmat_stand_before_the_file_in_all_that_is_read() -> None:
    root = Path(__file__).parents[2]
    texts = [root / "README.md", *(root / "docs").glob("*.md")]
    after = re.compile(r"runmat run [^`\n#]*?(?:\.m|FILE) +--(?:telemetry|trace|dialect)")
    found = [m[0] for path in texts for m in after.finditer(path.read_text(encoding="utf-8"))]
    assert not found


def test_a_name_that_is_no_file_is_told_what_it_may_mean(tmp_path: Path) -> None:
    (tmp_path / "walk.m").write_text("disp(1)\n")
    for arguments, meant in [
        (["chekc"], "Did you mean the command 'runmat check'?"),
        (["wakl.m"], "Did you mean walk.m?"),
        (["walk"], "Did you mean walk.m?"),
        (["explain", "walc.m"], "Did you mean walk.m?"),
    ]:
        done = runmat(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.splitlines()[1:] == [meant]
    assert len(runmat("zzz.m", cwd=tmp_path).stderr.splitlines()) == 1
    assert runmat("explain", cwd=tmp_path).stderr.endswith("are required: FILE\n")
