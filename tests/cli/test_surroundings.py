"""Where a program runs: closed or full streams, folders that are gone, users without a home."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel import caches
from runmat_core.api import folders

RUNMAT = f"{sys.executable} -m runmat_core"
full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=250, cwd=folder
    )


@pytest.mark.parametrize(
    ("streams", "printed", "said"),
    [(">&-", "", "oops"), ("2>&-", "1", ""), ("<&-", "1", "oops"), ("2>/dev/full", "1", "")],
)
def test_closed_streams(streams: str, printed: str, said: str, tmp_path: Path) -> None:
    done = shell(f"{RUNMAT} -e 'disp(1), error(\"oops\")' {streams}", tmp_path)
    assert (done.returncode, done.stdout.strip()) == (1, printed)
    assert done.stderr.strip() == said


@full_disk
@pytest.mark.parametrize("count", [1, 20000])
def test_output_that_does_not_fit_on_the_disk(count: int, tmp_path: Path) -> None:
    done = shell(f"{RUNMAT} -e 'for k = 1:{count}, disp(k), end' >/dev/full", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("runmat: the output cannot be written: ")
    assert done.stderr.count("\n") == 1


@full_disk
def test_files_that_do_not_fit_on_the_disk() -> None:
    session = Session()
    with pytest.raises(MatlabError) as caught:
        session.run("f = fopen('/dev/full', 'w'); fprintf(f, '%s', repmat('a', 1, 1e5));")
    assert caught.value.identifier == "MATLAB:FileIO:cannotUseFile"
    # what is still buffered fails without a word where the session ends
    session.close()


def test_a_cache_that_cannot_be_written_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*names: str) -> None:
        raise OSError(28, "No space left on device")

    path = str(tmp_path / "entry")
    assert caches.write(path, b"12")
    assert Path(path).read_bytes() == b"12"
    monkeypatch.setattr(os, "replace", fails)
    assert not caches.write(path, b"34")
    assert [p.name for p in tmp_path.iterdir()] == ["entry"]
    assert Path(path).read_bytes() == b"12"


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    done = shell(f"mkdir gone; cd gone; rmdir ../gone; {RUNMAT} -e 'disp(1)'", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("runmat: The current folder does not exist any more.")
    assert "Traceback" not in done.stderr


def test_users_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> object:
        raise KeyError(number)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for variable in ("RUNMAT_CACHE_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    for home in (None, ""):
        if home is None:
            monkeypatch.delenv("HOME", raising=False)
        else:
            monkeypatch.setenv("HOME", home)
        assert folders.user_folder("cache") is None
        assert folders.expand_home("~/a") == "~/a"
        assert caches.base() is None
        session = Session()
        session.run("x = prefdir; f = fullfile('~', 'a'); e = isfile(f);")
        assert os.path.isabs(session["x"])
    assert list(tmp_path.iterdir()) == []


def test_relative_folders_of_the_environment_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    found = folders.user_folder("cache")
    assert found is not None
    assert found.startswith(str(tmp_path))


def test_ctrl_c_is_said(tmp_path: Path) -> None:
    code = "fprintf('started\\n'); fflush(stdout); while true, end"
    program = subprocess.Popen(
        [*RUNMAT.split(), "run", "--dialect", "octave", "-e", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "started\n"
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=200)
    assert (program.returncode, said) == (130, "\nOperation terminated by user.\n")
