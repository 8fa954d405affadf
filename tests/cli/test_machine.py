"""``runmat config``, ``runmat info`` and ``runmat calibrate``."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runmat_core.accel.placement.costs import Link, Rates
from runmat_core.accel.placement.samples import Sample, merged
from runmat_core.cli.main import main
from runmat_core.session import config
from runmat_core.session.settings import SETTINGS

Run = Callable[..., tuple[int, str, str]]
HOST = "return Capabilities(name='cores', kind='host', dtypes=frozenset({'f64'}), driver='7')"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder, away from the user's files: exit code and output."""
    for variable in list(os.environ):
        if variable.startswith("RUNMAT_"):
            monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("RUNMAT_CACHE_DIR", str(tmp_path / "caches"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")

    def command(*words: str) -> tuple[int, str, str]:
        code = main(words)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Makes measuring take no time; the names of what was measured."""
    names: list[str] = []

    def measure(provider: Any, budget: float, again: Rates | None, step: Any) -> Rates:
        names.append(provider.installed.name)
        return Rates(2e-6, {"stream": 1e-10, "matmul.f64": 1e-11}, Link(1e-4, 1e-10), measured=True)

    def rules(budget: float, again: Rates | None, step: Any) -> Rates:
        names.append("rules")
        before = {} if again is None else again.samples
        samples = merged(before, {"f32.light": Sample(1e-3, 1.0)})
        return Rates(1e-6, {"stream": 5e-11}, measured=True, samples=samples)

    monkeypatch.setattr("runmat_core.accel.devices.calibrate.is_loaded", lambda: False)
    monkeypatch.setattr("runmat_core.accel.devices.measure.measure", measure)
    monkeypatch.setattr("runmat_core.accel.devices.measure.measure_rules", rules)
    return names


# -- config ----------------------------------------------------------------------------------------


def test_a_generated_file_says_nothing_but_tells_every_key(run: Run) -> None:
    code, text, _ = run("config", "generate")
    assert code == 0
    path = Path("runmat.toml")
    path.write_text(text)
    settings = config.load()
    assert {settings.source(key) for key in settings.keys()} == {"default"}  # noqa: SIM118
    # without the comment signs of keys, it says what holds by default
    bare = "\n".join(
        line.removeprefix("#") if not line.startswith("# ") else "" for line in text.splitlines()
    )
    path.write_text(bare)
    settings = config.load()
    for setting in SETTINGS:
        assert settings[setting.key] == setting.default
        assert settings.source(setting.key).startswith(str(path.absolute())), setting.key
    assert tomllib.loads(bare)


def test_validate_finds_every_problem(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("runmat.toml").absolute()
    path.write_text('[accel]\nprovidr = "x"\nfallback = 3\n[language]\ndialect = "scilab"\n')
    monkeypatch.setenv("RUNMAT_ACCEL_VERIFY", "perhaps")
    code, out, err = run("config", "validate")
    assert code == 1
    problems = [line for line in out.splitlines() if not line.startswith(" ")]
    assert [line.partition(": ")[0] for line in problems] == [
        f"{path}:2",
        f"{path}:3",
        f"{path}:5",
        "RUNMAT_ACCEL_VERIFY",
    ]
    assert "    Did you mean accel.provider?" in out
    assert err == f"4 problems in {path}, RUNMAT_ACCEL_VERIFY\n"


def test_validate_is_content_with_what_is_right(run: Run) -> None:
    assert run("config", "validate") == (0, "", "nothing is configured\n")
    path = Path("runmat.toml").absolute()
    path.write_text('[accel]\nprovider = "none"\n[accel.wgpu]\nmemory = 1\n')
    assert run("config", "validate") == (0, "", f"0 problems in {path}\n")


def test_validate_asks_providers(run: Run, provider_package: Callable[..., Path]) -> None:
    provider_package("quick", says="raise DeviceFault('there is no option colour')")
    path = Path("runmat.toml").absolute()
    path.write_text('[accel]\nfallback = "quik"\n[accel.quick]\ncolour = "red"\n')
    code, out, _ = run("config", "validate")
    assert code == 1
    assert f"{path}:2: There is no acceleration provider 'quik'; installed: quick." in out
    assert f"{path}:4: The acceleration provider 'quick'" in out
    assert "there is no option colour" in out


OPTIONS = """\
for name, value in request.options:
            if value == "bad":
                raise DeviceFault(f"The option {name} is not bad; others are mode and colour.")
        return Capabilities(name="it", kind="host", dtypes=frozenset())
"""


def test_validate_blames_each_option_on_its_own_line(
    run: Run, provider_package: Callable[..., Path]
) -> None:
    provider_package("quick", says=OPTIONS)
    path = Path("runmat.toml").absolute()
    path.write_text('[accel.quick]\nbrand = 1\nmode = "bad"\nsize = 2\ncolour = "bad"\n')
    code, out, _ = run("config", "validate")
    assert code == 1
    problems = [line.partition(": ")[0] for line in out.splitlines()]
    assert sorted(problems) == [f"{path}:3", f"{path}:5"]


def test_files_that_vanish_from_caches_are_not_counted(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runmat_core.accel import caches

    folder = Path(caches.base() or "", "code")
    folder.mkdir(parents=True)
    (folder / "kept").write_text("four")
    looked = Path.rglob

    def vanishing(self: Path, pattern: str) -> list[Path]:
        return [*looked(self, pattern), self / "gone"]

    monkeypatch.setattr(Path, "rglob", vanishing)
    code, out, _ = run("config", "paths")
    assert code == 0
    assert f"{folder}  (1 file, 4 bytes)" in out
    code, out, _ = run("info")
    assert f"{folder}  (1 file, 4 bytes; at most 4000 files)" in out


def test_paths_tell_what_is_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Path("runmat.toml").absolute()
    project.touch()
    monkeypatch.setenv("RUNMAT_LANGUAGE_DIALECT", "octave")
    (tmp_path / "caches" / "code").mkdir(parents=True)
    (tmp_path / "caches" / "code" / "entry").write_bytes(bytes(1500))
    code, out, _ = run("config", "paths")
    assert code == 0
    lines = [line.strip() for line in out.splitlines()]
    user = tmp_path / "user" / "runmat" / "runmat.toml"
    assert f"{user}  (not there)" in lines
    assert f"{project}  (there)" in lines
    assert "RUNMAT_LANGUAGE_DIALECT=octave" in lines
    assert f"{tmp_path / 'caches' / 'code'}  (1 file, 1.5 kB)" in lines


def test_show_is_the_default_action(run: Run) -> None:
    assert run("config") == run("config", "show")


# -- info ------------------------------------------------------------------------------------------


def test_info_tells_what_is_there_and_why_not(
    run: Run, provider_package: Callable[..., Path]
) -> None:
    provider_package("inprocess", says=HOST)
    provider_package("quick", says="raise RuntimeError('no driver')")
    code, out, _ = run("info", "--json")
    report = json.loads(out)
    assert code == 0
    cores, quick = report["providers"]
    assert (cores["name"], cores["package"], cores["status"]) == (
        "inprocess",
        "runmat-inprocess",
        "available",
    )
    assert cores["capabilities"]["dtypes"] == ["f64"]
    assert quick["status"] == "unavailable"
    assert "no driver" in quick["reason"]
    assert (report["chosen"]["device"], report["chosen"]["host"]) == (None, "inprocess")
    assert "no driver" in report["chosen"]["warning"]
    assert report["numpy"]["blas"]
    assert [entry["name"] for entry in report["calibration"]] == ["inprocess", "rules"]
    # for people, the same
    code, out, _ = run("info")
    assert code == 0
    for text in ("cores, on the memory of NumPy", "driver 7", "no driver", "warning: "):
        assert text in out
    assert "no double precision" not in out


def test_info_says_what_becomes_of_doubles_without_double_precision(
    run: Run, provider_package: Callable[..., Path]
) -> None:
    provider_package("small", says=HOST.replace("f64", "f32"))
    code, out, _ = run("info")
    assert code == 0
    assert "no double precision: singles run there, doubles on the CPU" in out


def test_info_tells_why_others_were_passed_over(
    run: Run, provider_package: Callable[..., Path]
) -> None:
    provider_package("inprocess", says=HOST)
    provider_package("another", says=HOST)
    nothing = "return None if request.auto else Capabilities("
    provider_package(
        "slow", says=f"{nothing}name='soft', kind='device', dtypes=frozenset(), software=True)"
    )
    code, out, _ = run("info")
    assert code == 0
    assert "  not another: 'inprocess' is the host provider.\n" in out
    assert "  not slow: 'soft' is emulated on the CPU; accel.provider = \"slow\" takes" in out


def test_info_without_providers_names_one(run: Run, provider_package: Callable[..., Path]) -> None:
    code, out, _ = run("info")
    assert code == 0
    assert "pip install runmat-inprocess" in out
    assert "none: host rules alone" in out


def test_info_survives_a_name_that_is_not_installed(
    run: Run, provider_package: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNMAT_ACCEL_PROVIDER", "quik")
    code, out, _ = run("info")
    assert code == 0
    assert "warning: There is no acceleration provider 'quik'" in out
    assert "  wrong: RUNMAT_ACCEL_PROVIDER: There is no acceleration provider 'quik'" in out


def test_a_faulty_configuration_is_told(run: Run) -> None:
    Path("runmat.toml").write_text("[accel\n")
    for command in ("info", "calibrate"):
        code, out, err = run(command)
        assert (code, out) == (1, "")
        assert "not TOML" in err


# -- calibrate -------------------------------------------------------------------------------------


def test_calibrate_measures_everything_and_keeps_it(
    run: Run, provider_package: Callable[..., Path], measured: list[str]
) -> None:
    provider_package("quick", says=HOST)
    code, out, err = run("calibrate")
    assert (code, err, measured) == (0, "", ["quick", "rules"])
    assert "quick: cores, 7, quick of runmat-quick 1.2 (measured in" in out
    rows = {line[:26].strip(): line[26:].split() for line in out.splitlines()[3:]}
    assert rows["launch"] == ["2.0", "us", "1.0", "us"]
    assert rows["stream"] == ["10", "20", "GB/s"]
    assert rows["matmul double"] == ["100", "-", "GFLOP/s"]
    assert rows["upload"] == ["10.0", "GB/s", "-"]
    # what is kept is shown without measuring
    code, again, _ = run("calibrate", "--show")
    assert (code, again) == (0, out)
    assert measured == ["quick", "rules"]
    code, out, _ = run("calibrate", "--show", "--json", "rules")
    assert json.loads(out)["rules"]["rates"]["launch"] == 1e-6
    assert json.loads(run("info", "--json")[1])["calibration"][0]["measured"]


def test_calibrate_says_when_the_machine_was_busy(
    run: Run, measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runmat_core.accel.devices.calibrate.is_loaded", lambda: True)
    code, out, err = run("calibrate", "rules")
    assert code == 0
    assert len(measured) > 1
    assert f"on a busy machine, the best of {len(measured)})" in out
    assert "the machine was busy meanwhile" in err
    code, out, err = run("calibrate", "--show", "rules")
    assert "on a busy machine" in out
    assert err == ""
    assert json.loads(run("calibrate", "--show", "--json", "rules")[1])["rules"]["busy"] is True
    assert (
        "on a busy machine: 1 of 1 times are to be taken again when it is quiet" in run("info")[1]
    )
    told = json.loads(run("info", "--json")[1])["calibration"][-1]
    assert (told["busy"], told["doubtful"], told["attempts"]) == (True, 1, len(measured))


def test_info_says_when_doubtful_rates_must_do(
    run: Run, measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runmat_core.accel.devices.calibrate.is_loaded", lambda: True)
    monkeypatch.setattr("runmat_core.accel.placement.samples.PATIENCE", 2)
    run("calibrate", "rules")
    told = run("info")[1]
    assert "on a busy machine, the best of 2: runmat calibrate measures anew" in told


def test_calibrate_shows_typical_rates_where_nothing_was_measured(
    run: Run, provider_package: Callable[..., Path], measured: list[str]
) -> None:
    code, out, _ = run("calibrate", "--show")
    assert (code, measured) == (0, [])
    assert "(typical rates)" in out


def test_calibrate_goes_on_without_a_provider_that_fails(
    run: Run, provider_package: Callable[..., Path], measured: list[str]
) -> None:
    provider_package("quick", says="raise RuntimeError('no driver')")
    code, _, err = run("calibrate")
    assert (code, measured) == (0, ["rules"])
    assert "no driver" in err
    # who names it wants to know
    assert run("calibrate", "quick")[0] == 1
    code, _, err = run("calibrate", "quik")
    assert code == 1
    assert "no acceleration provider 'quik'" in err


def test_calibrate_without_caches_says_so(
    run: Run,
    provider_package: Callable[..., Path],
    measured: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RUNMAT_CACHE_DIR", "")
    code, _, err = run("calibrate")
    assert (code, measured) == (0, ["rules"])
    assert "no cache folder" in err
