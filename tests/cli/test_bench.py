"""``runmat bench``: the command, and its package's own arguments."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from runmat_core.cli import packages
from runmat_core.cli.main import main
from tests.bench.helpers import counts, entry, record


@pytest.mark.parametrize("command", packages.PACKAGES)
def test_without_the_package_it_says_how_to_get_it(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, package, meaning = packages.PACKAGES[command]
    monkeypatch.setitem(packages.PACKAGES, command, ("not_installed.cli", package, meaning))
    assert main([command, "run"]) == 2
    assert f"pip install {package}" in capsys.readouterr().err


def test_arguments_go_to_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "list"]) == 0
    assert "montecarlo: Monte Carlo price" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["bench", "run", "--cases", "linpack"])
    assert "no linpack; there are pca, " in capsys.readouterr().err


def test_a_record_is_shown_compared_and_gated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = str(tmp_path / "before.json"), str(tmp_path / "after.json")
    record(entry("numpy", 4.0), entry("runmat", 1.0, counts=counts(1))).write(before)
    record(entry("numpy", 4.0), entry("runmat", 1.0, counts=counts(9))).write(after)
    assert main(["bench", "show", before]) == 0
    assert "4.00x numpy" in capsys.readouterr().out
    assert main(["bench", "compare", before, after]) == 0
    assert "kernels 1 -> 9" in capsys.readouterr().out
    baseline = tmp_path / "baseline.json"
    baseline.write_text(
        '{"schema": "runmat-bench-baseline/1", "implementation": "runmat", "profile": "smoke",'
        ' "settings": {}, "machine": "", "entries": {}}'
    )
    assert main(["bench", "gate", str(baseline), "--record", before, "--update"]) == 0
    assert main(["bench", "gate", str(baseline), "--record", before]) == 0
    assert main(["bench", "gate", str(baseline), "--record", after]) == 1
    assert "kernels 1 -> 9" in capsys.readouterr().out
    assert main(["bench", "show", str(baseline)]) == 2


def test_plots_need_matplotlib(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "record.json", tmp_path / "plots"
    record(entry("numpy", 4.0), entry("runmat", 1.0, counts=counts(1))).write(path)
    code = main(["bench", "plot", str(path), "--folder", str(folder)])
    if importlib.util.find_spec("matplotlib") is None:
        assert code == 2
        assert "pip install 'runmat-bench[plot]'" in capsys.readouterr().err
    else:
        assert code == 0
        names = {"elementwise.png", "summary.png", "index.html"}
        assert {made.name for made in folder.iterdir()} == names


def test_a_run_writes_its_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "record.json"
    words = "bench run --profile smoke --cases elementwise --classes single --repetitions 1"
    words += f" --implementations numpy --limit 1 --save {saved}"
    assert main(words.split()) == 0
    told = capsys.readouterr()
    assert told.err == "", "progress is for terminals"
    assert "elementwise  single  n=100000" in told.out
    assert main(["bench", "show", str(saved)]) == 0
