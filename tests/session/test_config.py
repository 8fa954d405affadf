"""Configuration files, environment overrides, and where each value came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core.session import config
from runmat_core.session.config import ConfigError


def environment(home: Path, **variables: str) -> dict[str, str]:
    return {"HOME": str(home), **variables}


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "runmat.toml"
    path.write_text(text)
    return path


def test_defaults_hold_where_nothing_is_set(tmp_path: Path) -> None:
    settings = config.load(tmp_path, environment(tmp_path))
    assert settings["language.dialect"] == "matlab"
    assert settings.source("language.dialect") == "default"


def test_the_nearest_file_upward_wins_over_the_user_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    user = write(home / ".config" / "runmat", '[accel]\nprovider = "wgpu"\nfallback = "none"\n')
    project = write(tmp_path / "work", '# mine\n[accel]\nprovider = "none"\n')
    below = tmp_path / "work" / "a" / "b"
    below.mkdir(parents=True)
    settings = config.load(below, environment(home))
    assert settings["accel.provider"] == "none"
    assert settings.source("accel.provider") == f"{project}:3"
    assert settings["accel.fallback"] == "none"
    assert settings.source("accel.fallback") == f"{user}:3"


def test_the_environment_wins_over_files(tmp_path: Path) -> None:
    write(tmp_path, '[language]\ndialect = "octave"\nrecursion_limit = 100\n')
    variables = {"RUNMAT_LANGUAGE_DIALECT": "matlab", "RUNMAT_LANGUAGE_RECURSION_LIMIT": "64"}
    settings = config.load(tmp_path, environment(tmp_path, **variables))
    assert settings["language.dialect"] == "matlab"
    assert settings["language.recursion_limit"] == 64
    assert settings.source("language.dialect") == "RUNMAT_LANGUAGE_DIALECT"


def test_values_given_in_code_win_over_everything(tmp_path: Path) -> None:
    settings = config.load(tmp_path, environment(tmp_path)).replace(language__dialect="octave")
    assert settings["language.dialect"] == "octave"
    assert settings.source("language.dialect") == "argument"


def test_show_lists_every_key_with_its_origin(tmp_path: Path) -> None:
    path = write(tmp_path, '[accel.offload]\ncalibrate = "never"\n')
    shown = config.load(tmp_path, environment(tmp_path)).show().splitlines()
    assert [line.split()[0] for line in shown] == [setting.key for setting in config.SETTINGS]
    line = next(line for line in shown if line.startswith("accel.offload.calibrate"))
    assert '"never"' in line
    assert line.endswith(f"# {path}:2")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[accel]\nprovidr = "x"\n', 2, "unknown key 'accel.providr'"),
        ("[accel]\n\nprovider = 3\n", 3, "must be a string, not 3"),
        ('[accel]\nprecision = "exact"\n', 2, "unknown key 'accel.precision'"),
        ("[language]\nrecursion_limit = true\n", 2, "must be a whole number, not true"),
        ("[language]\nrecursion_limit = 0\n", 2, "must be at least 1"),
        ('accel.offload.calibrate = "daily"\n', 1, '"once", "never", "always"'),
        ('[accel]\noffload = { calibrate = "daily" }\n', 2, '"once"'),
        ('[extra]\nkey = "x"\n', 2, "unknown key 'extra.key'"),
        ("\n[acel]\n", 2, "unknown section [acel]"),
        ("[accel]\n\n[accel.wpgu]\n", 3, "unknown section [accel.wpgu]"),
        ("[accel.ofload]\n", 1, "unknown section [accel.ofload]"),
        ('[language]\ndialect = ["matlab"]\n', 2, "must be a string"),
    ],
)
def test_mistakes_name_the_file_and_the_line(
    tmp_path: Path, text: str, line: int, says: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path, environment(tmp_path))
    assert caught.value.message.startswith(f"{path}:{line}: ")
    assert says in caught.value.message


def test_a_misspelt_key_gets_a_suggestion(tmp_path: Path) -> None:
    write(tmp_path, '[accel]\nprovidr = "x"\n')
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path, environment(tmp_path))
    assert caught.value.hint == "Did you mean accel.provider?"


def test_a_file_that_is_not_toml_says_where(tmp_path: Path) -> None:
    path = write(tmp_path, "[accel\n")
    with pytest.raises(ConfigError, match=r":1: not TOML: Expected") as caught:
        config.load(tmp_path, environment(tmp_path))
    assert str(path) in caught.value.message


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("RUNMAT_ACCEL_PROVIDOR", "x", "no such setting"),
        ("RUNMAT_LANGUAGE_DIALECT", "scilab", 'must be one of "matlab", "octave"'),
        ("RUNMAT_LANGUAGE_RECURSION_LIMIT", "many", "must be a whole number"),
    ],
)
def test_mistakes_in_the_environment_name_the_variable(
    tmp_path: Path, variable: str, value: str, says: str
) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        config.load(tmp_path, environment(tmp_path, **{variable: value}))
    assert caught.value.message.startswith(variable)


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        ("RUNMAT_ACCEL_ENABLE", "RUNMAT_ACCEL_PROVIDER=none turns acceleration off"),
        ("RUNMAT_ACCEL_WGPU", "RUNMAT_ACCEL_PROVIDER=wgpu takes that provider"),
        ("RUSTMAT_ACCEL_WGPU_POWER", "RUNMAT_ACCEL_WGPU_POWER_PREFERENCE?"),
        ("RUSTMAT_ACCEL_DISABLE_FALLBACK", "RUNMAT_ACCEL_FALLBACK=none"),
        ("RUSTMAT_JIT_ENABLE", "compiled before it runs"),
        ("RUSTMAT_JIT_THRESHOLD", "compiled before it runs"),
        ("RUNMAT_JIT_OPT_LEVEL", "compiled before it runs"),
        ("RUNMAT_ACCEL_REDUCTION_WORKGROUP_SIZE", "runmat calibrate --tune"),
        ("RUNMAT_TWO_PASS_THRESHOLD", "runmat calibrate --tune"),
        ("RUNMAT_ACCEL_TWO_PASS_THRESHOLD", "runmat calibrate --tune"),
        ("RUNMAT_MATMUL_TILE", "runmat calibrate --tune"),
        ("RUNMAT_WG", "runmat calibrate --tune"),
        ("RUNMAT_ACCEL_AUTO_OFFLOAD", "RUNMAT_ACCEL_OFFLOAD_FORCE"),
        ("RUNMAT_ACCEL_CALIBRATE", "RUNMAT_ACCEL_OFFLOAD_CALIBRATE"),
        ("RUNMAT_ACCEL_PRECISION", "never narrowed"),
    ],
)
def test_names_that_are_looked_for_are_answered_with_what_does_it(
    tmp_path: Path, variable: str, says: str
) -> None:
    with pytest.raises(ConfigError, match=f"{variable}: no such setting") as caught:
        config.load(tmp_path, environment(tmp_path, **{variable: "1"}))
    assert says in caught.value.hint


def test_keys_that_are_looked_for_are_answered(tmp_path: Path) -> None:
    write(tmp_path, "[jit]\nenable = true\n[accel]\nprecision = 'single'\nenable = 1\n")
    found, _ = config.problems(tmp_path, environment(tmp_path))
    assert ["compiled" in found[0].hint, "narrowed" in found[1].hint] == [True, True]
    assert "RUNMAT_ACCEL_PROVIDER=none" in found[2].hint


def test_variables_of_other_purposes_are_left_alone(tmp_path: Path) -> None:
    config.load(tmp_path, environment(tmp_path, RUNMAT_DEBUG="1", RUNMAT_QUIET="1"))


# -- sections of providers ------------------------------------------------------------------------


def test_the_section_of_a_provider_may_hold_anything(tmp_path: Path) -> None:
    path = write(
        tmp_path, '[accel.mine]\nthreads = 3\nlevels = [1, [2]]\n[accel.mine.deep]\nx = "y"\n'
    )
    settings = config.load(tmp_path, environment(tmp_path))
    assert settings.options("mine") == (("deep.x", "y"), ("levels", (1, (2,))), ("threads", 3))
    assert settings.source("accel.mine.threads") == f"{path}:2"
    assert settings.providers() == ["mine"]
    assert "accel.mine.levels" in settings.show()


def test_variables_and_code_set_options_of_providers(tmp_path: Path) -> None:
    variables = {"RUNMAT_ACCEL_MINE_THREADS": "4", "RUNMAT_ACCEL_MINE_ROUTE": "over there"}
    settings = config.load(tmp_path, environment(tmp_path, **variables))
    assert settings.options("mine") == (("route", "over there"), ("threads", 4))
    assert settings.replace(accel__mine__threads=8).options("mine")[1] == ("threads", 8)


@pytest.mark.parametrize(
    ("variable", "value", "says", "helps"),
    [
        ("RUNMAT_ACCEL_PROVIDER", "", "must not be empty", '"auto"'),
        ("RUNMAT_ACCEL_MAX_NODES", "", "must be a whole number", ""),
        ("RUNMAT_ACCEL_MINE_KEY", "", "is empty", ""),
        ("RUNMAT_ACCEL_ENABLE", "0", "no such setting", "RUNMAT_ACCEL_PROVIDER=none"),
        ("RUNMAT_ACCEL_WGPU", "1", "no such setting", "RUNMAT_ACCEL_PROVIDER=wgpu takes"),
        ("RUNMAT_PROVIDER", "wgpu", "no such setting", "Did you mean RUNMAT_ACCEL_PROVIDER?"),
        ("RUNMAT_ACEL_PROVIDER", "x", "no such setting", "Did you mean RUNMAT_ACCEL_PROVIDER?"),
    ],
)
def test_variables_that_set_nothing_name_the_right_one(
    tmp_path: Path, variable: str, value: str, says: str, helps: str
) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        config.load(tmp_path, environment(tmp_path, **{variable: value}))
    assert caught.value.message.startswith(variable)
    assert helps in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        '[accel.ofload]\nforce = "host"\n',
        "[accel.offload]\nthreads = 1\n",
        "[other.mine]\nthreads = 1\n",
    ],
)
def test_sections_that_belong_to_no_provider_are_checked(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match="unknown key") as caught:
        config.load(tmp_path, environment(tmp_path))
    assert caught.value.message.startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    "variable", ["RUNMAT_ACCEL_MAX_NODS", "RUNMAT_ACCEL_OFFLOAD_X", "RUNMAT_LANGUAGE_MINE_X"]
)
def test_variables_near_a_setting_are_taken_for_no_provider(tmp_path: Path, variable: str) -> None:
    with pytest.raises(ConfigError, match="no such setting"):
        config.load(tmp_path, environment(tmp_path, **{variable: "1"}))


# -- kinds of values ------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "value"), [('"auto"', "auto"), ("0", 0), ("4096", 4096)])
def test_a_setting_may_take_a_word_or_a_number(tmp_path: Path, text: str, value: object) -> None:
    write(tmp_path, f"[accel]\nthreshold = {text}\n")
    assert config.load(tmp_path, environment(tmp_path))["accel.threshold"] == value
    variables = {"RUNMAT_ACCEL_THRESHOLD": text.strip('"')}
    settings = config.load(tmp_path / "none", environment(tmp_path, **variables))
    assert settings["accel.threshold"] == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("threshold = 1.5", 'must be "auto" or a whole number'),
        ('threshold = "some"', 'must be "auto" or a whole number, not "some"'),
        ("threshold = -1", "must be at least 0"),
        ("verify = 1", "must be true or false, not 1"),
    ],
)
def test_values_of_other_kinds_are_refused(tmp_path: Path, text: str, says: str) -> None:
    write(tmp_path, f"[accel]\n{text}\n")
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path, environment(tmp_path))
    assert says in caught.value.message


@pytest.mark.parametrize(("text", "value"), [("1", True), ("False", False)])
def test_truth_from_the_environment(tmp_path: Path, text: str, value: bool) -> None:
    settings = config.load(tmp_path, environment(tmp_path, RUNMAT_ACCEL_VERIFY=text))
    assert settings["accel.verify"] is value


def test_every_problem_is_found(tmp_path: Path) -> None:
    home = tmp_path / "home"
    user = write(home / ".config" / "runmat", "[accel]\nprovider = 1\nfallback = 2\n")
    project = write(tmp_path / "work", '[language]\ndialects = "matlab"\n[accel]\nloops = true\n')
    variables = {"RUNMAT_ACCEL_VERIFY": "maybe", "RUNMAT_ACCEL_PROVIDER": "none"}
    found, settings = config.problems(tmp_path / "work", environment(home, **variables))
    assert [problem.message.partition(": ")[0] for problem in found] == [
        f"{user}:2",
        f"{user}:3",
        f"{project}:2",
        "RUNMAT_ACCEL_VERIFY",
    ]
    assert settings["accel.provider"] == "none"


def test_every_key_is_documented_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text()
    keys = page.partition("## Keys")[2].partition("\n## ")[0]
    assert [line for line in keys.splitlines() if line.startswith("| `")] == [
        f"| `{s.key}` | `{config.toml(s.default)}` | {s.meaning} |" for s in config.SETTINGS
    ]
