"""Configuration: ``runmat.toml``, the user's own file, and environment overrides.

The nearest ``runmat.toml`` found upward from a folder wins over the user's file, the environment
wins over both, and every setting knows where its value came from (``show``). Keys are declared in
`SETTINGS`; a key that is not there, or a value of the wrong type, is an error that names the file
and the line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from runmat_core.api.errors import MatlabError

FILE_NAME = "runmat.toml"
ENVIRONMENT_PREFIX = "RUNMAT_"


class Setting(NamedTuple):
    """One key: its dotted name, default, meaning, and the values it may take (empty: any)."""

    key: str
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return ENVIRONMENT_PREFIX + self.key.upper().replace(".", "_")


SETTINGS: tuple[Setting, ...] = (
    Setting("accel.provider", "auto", "acceleration provider: an entry-point name, auto or none"),
    Setting("accel.fallback", "inprocess", "provider for what the first one declines"),
    Setting(
        "accel.precision",
        "exact",
        "exact keeps double everywhere; prefer-single lets a device narrow it",
        ("exact", "prefer-single"),
    ),
    Setting(
        "accel.offload.calibrate",
        "once",
        "when a device is measured",
        ("once", "never", "always"),
    ),
    Setting(
        "accel.wgpu.power_preference",
        "high-performance",
        "which adapter wgpu picks",
        ("high-performance", "low-power"),
    ),
    Setting("language.dialect", "matlab", "the syntax accepted", ("matlab", "octave")),
    Setting("language.rng", "twister", "the first random generator", ("twister", "philox")),
    Setting("language.recursion_limit", 500, "nested calls before an error", minimum=1),
)

SETTING: dict[str, Setting] = {setting.key: setting for setting in SETTINGS}
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}
#: Prefixes under which an unknown environment variable is an error rather than another tool's.
_SECTIONS = tuple({ENVIRONMENT_PREFIX + s.key.partition(".")[0].upper() + "_" for s in SETTINGS})


class ConfigError(MatlabError):
    """A configuration that cannot be used; the message names the file and the line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("runmat:config", message, hint=hint)


class Chosen(NamedTuple):
    """A value and where it came from."""

    value: Any
    source: str


class Config:
    """The settings in force, read-only."""

    def __init__(self, chosen: Mapping[str, Chosen]) -> None:
        self._chosen = dict(chosen)

    def __getitem__(self, key: str) -> Any:
        return self._chosen[key].value

    def source(self, key: str) -> str:
        """Where its value came from: ``default``, ``FILE:LINE``, a variable or ``argument``."""
        return self._chosen[key].source

    def replace(self, **values: Any) -> Config:
        """A copy with values given in code, written with ``__`` for the dots of a key."""
        chosen = dict(self._chosen)
        for name, value in values.items():
            setting = _setting(name.replace("__", "."), "argument")
            chosen[setting.key] = Chosen(_checked(setting, value, "argument"), "argument")
        return Config(chosen)

    def show(self) -> str:
        """A table of every key, its value and where that came from."""
        rows = [(key, _toml(chosen.value), chosen.source) for key, chosen in self._chosen.items()]
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        return "".join(
            f"{key:<{widths[0]}} = {value:<{widths[1]}}  # {source}\n"
            for key, value, source in rows
        )


def load(
    folder: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Config:
    """The configuration that holds in `folder` (the current one by default).

    Raises:
        ConfigError: a file is not TOML, or a key or value is not one of `SETTINGS`.
    """
    environ = os.environ if environment is None else environment
    chosen = {setting.key: Chosen(setting.default, "default") for setting in SETTINGS}
    for path in (user_file(environ), project_file(folder)):
        if path is not None and path.is_file():
            chosen.update(_from_file(path))
    chosen.update(_from_environment(environ))
    return Config(chosen)


def project_file(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """The nearest ``runmat.toml`` in `folder` or above it."""
    here = Path.cwd() if folder is None else Path(folder).absolute()
    for candidate in (here, *here.parents):
        path = candidate / FILE_NAME
        if path.is_file():
            return path
    return None


def user_file(environment: Mapping[str, str]) -> Path | None:
    """The user's own file, whether it exists or not; None where there is no home folder."""
    if base := environment.get("XDG_CONFIG_HOME"):
        return Path(base) / "runmat" / FILE_NAME
    home = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(home) / ".config" / "runmat" / FILE_NAME if home else None


def _from_file(path: Path) -> dict[str, Chosen]:
    import tomllib

    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path}: cannot be read: {problem}") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"{path}: not TOML: {problem}") from None
    lines = _key_lines(text)
    found = {}
    for key, value in _flatten(table):
        where = f"{path}:{_line_of(key, lines)}"
        setting = _setting(key, where)
        found[key] = Chosen(_checked(setting, value, where), where)
    return found


def _from_environment(environment: Mapping[str, str]) -> dict[str, Chosen]:
    found = {}
    for variable, text in environment.items():
        setting = _BY_VARIABLE.get(variable)
        if setting is not None:
            value = _parse(setting, text, variable)
            found[setting.key] = Chosen(_checked(setting, value, variable), variable)
        elif variable.startswith(_SECTIONS):
            raise ConfigError(
                f"{variable}: no such setting.", _suggestion(variable, list(_BY_VARIABLE))
            )
    return found


def _parse(setting: Setting, text: str, where: str) -> Any:
    if isinstance(setting.default, int):
        try:
            return int(text)
        except ValueError:
            raise ConfigError(f"{where}: must be a whole number, not {text!r}.") from None
    return text


def _setting(key: str, where: str) -> Setting:
    setting = SETTING.get(key)
    if setting is None:
        raise ConfigError(f"{where}: unknown key '{key}'.", _suggestion(key, list(SETTING)))
    return setting


def _checked(setting: Setting, value: Any, where: str) -> Any:
    """`value` when it is of the type of the default and among the choices."""
    expected = type(setting.default)
    if type(value) is not expected:
        name = {str: "a string", int: "a whole number", bool: "true or false"}[expected]
        raise ConfigError(f"{where}: '{setting.key}' must be {name}, not {_toml(value)}.")
    if setting.choices and value not in setting.choices:
        allowed = ", ".join(f'"{choice}"' for choice in setting.choices)
        raise ConfigError(f"{where}: '{setting.key}' must be one of {allowed}, not {_toml(value)}.")
    if setting.minimum is not None and value < setting.minimum:
        raise ConfigError(f"{where}: '{setting.key}' must be at least {setting.minimum}.")
    return value


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = prefix + name
        if isinstance(value, dict) and key not in SETTING:
            yield from _flatten(value, key + ".")
        else:
            yield key, value


def _key_lines(text: str) -> dict[str, int]:
    """The line of each key and table header, by dotted name (`tomllib` keeps no positions)."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
            table = _bare(header[1]) + "."
            lines.setdefault(table[:-1], number)
        elif key := re.match(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*'|\s*\.\s*)+?)\s*=""", line):
            lines.setdefault(table + _bare(key[1]), number)
    return lines


def _line_of(key: str, lines: Mapping[str, int]) -> int:
    """The line of `key`, or of the inline table that holds it."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition(".")[0]
    return 1


def _bare(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


def _suggestion(name: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {close[0]}?" if close else "`runmat config show` lists every key."


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
