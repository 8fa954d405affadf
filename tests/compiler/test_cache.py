"""The code cache: what is kept, what is refused, what changes the key."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from runmat_core.compiler import cache, compile_source

SOURCE = "function r = f(x)\nr = [1 2 3] + x;\nh = @(y) y + x;\nr = h(r);\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("RUNMAT_CACHE_DIR", str(tmp_path / "cache"))
    cache.folder.cache_clear()
    yield tmp_path / "cache" / "code"
    cache.folder.cache_clear()


def key(**changes: object) -> str:
    parts = {
        "source": SOURCE,
        "dialect": "matlab",
        "kind": "file",
        "variables": [],
        "global_names": [],
        **changes,
    }
    return cache.key(**parts)  # type: ignore[arg-type]


def test_a_file_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_source(SOURCE, "/somewhere/f.m")
    monkeypatch.setattr("runmat_core.compiler.parts._built", None)
    assert compile_source(SOURCE, "/somewhere/f.m") == first
    assert len(list(folder.iterdir())) == 1


def test_code_without_a_file_is_not_kept(folder: Path) -> None:
    compile_source(SOURCE)
    assert not folder.exists() or not list(folder.iterdir())


def test_the_file_name_is_that_of_the_file_at_hand(folder: Path) -> None:
    compile_source(SOURCE, "/somewhere/f.m")
    moved = compile_source(SOURCE, "/elsewhere/f.m")
    assert moved.filename == "/elsewhere/f.m"
    names = {code.co_filename for code in every_code(moved.code)}
    assert names == {"/elsewhere/f.m"}


def every_code(code) -> list:
    found = [code]
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            found += every_code(constant)
    return found


@pytest.mark.parametrize("position", [0, 31, 32, 33, 200, -1])
def test_a_flipped_bit_is_noticed(folder: Path, position: int) -> None:
    expected = compile_source(SOURCE, "/somewhere/f.m")
    (entry,) = folder.iterdir()
    data = bytearray(entry.read_bytes())
    data[position] ^= 4
    entry.write_bytes(data)
    assert cache.load(key(), "/somewhere/f.m") is None
    assert compile_source(SOURCE, "/somewhere/f.m").infos == expected.infos


def test_a_short_entry_is_refused(folder: Path) -> None:
    compile_source(SOURCE, "/somewhere/f.m")
    (entry,) = folder.iterdir()
    entry.write_bytes(entry.read_bytes()[:20])
    assert cache.load(key(), "/somewhere/f.m") is None


@pytest.mark.parametrize(
    "change",
    [
        {"source": SOURCE + "\n"},
        {"dialect": "octave"},
        {"kind": "script"},
        {"variables": ["x"]},
        {"global_names": ["x"]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_the_code_depends_on_is_in_the_key(change: dict[str, object]) -> None:
    assert key(**change) != key()


def test_the_key_is_unambiguous() -> None:
    assert key(variables=["a", "b"]) != key(variables=["a"], global_names=["b"])


def test_the_folder_is_the_users_own(folder: Path) -> None:
    compile_source(SOURCE, "/somewhere/f.m")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_may_write_to_is_not_used(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    compile_source(SOURCE, "/somewhere/f.m")
    assert not list(folder.iterdir())


def test_an_empty_setting_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNMAT_CACHE_DIR", "")
    cache.folder.cache_clear()
    assert cache.folder() is None
    cache.folder.cache_clear()


def test_a_hit_imports_no_parser(folder: Path) -> None:
    import subprocess
    import sys

    compile_source(SOURCE, "/somewhere/f.m")
    program = (
        "import sys\n"
        "from runmat_core.compiler import compile_source\n"
        f"compile_source({SOURCE!r}, '/somewhere/f.m')\n"
        "bad = [m for m in sys.modules if m.startswith('runmat_core.syntax') or m == 'lark']\n"
        "assert not bad, bad\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
