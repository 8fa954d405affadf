"""Configuration: ``runmat.toml``, the user's own file, and environment overrides.

The nearest ``runmat.toml`` found upward from a folder wins over the user's file, the environment
wins over both, and every setting knows where its value came from (``show``). Keys are declared in
`SETTINGS`; a key that is not there, or a value of the wrong type, is an error that names the file
and the line. The section ``[accel.NAME]`` belongs to the acceleration provider of that name: what
it holds is checked when the provider starts.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.api.folders import user_folder
from runmat_core.api.tuples import NamedTuple
from runmat_core.session.settings import ENVIRONMENT_PREFIX, SETTINGS, Setting

FILE_NAME = "runmat.toml"

SETTING: dict[str, Setting] = {setting.key: setting for setting in SETTINGS}
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}
#: Prefixes under which an unknown environment variable is an error rather than another tool's.
_SECTIONS = tuple({ENVIRONMENT_PREFIX + s.key.partition(".")[0].upper() + "_" for s in SETTINGS})
#: Sections of ``[accel]`` that belong to no provider.
_OWN_SECTIONS = ("offload",)
#: Variables of the project that set no key.
_OTHER_VARIABLES = frozenset({"RUNMAT_CACHE_DIR", "RUNMAT_DEBUG", "RUNMAT_VERIFY_LOOPS"})
#: Another prefix under which variables of the project are looked for.
_FORMER_PREFIX = "RUSTMAT_"
_PROVIDER_VARIABLE = re.compile(ENVIRONMENT_PREFIX + r"ACCEL_([A-Z0-9]+)_(\w+)")


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

    def keys(self) -> list[str]:
        """Every key: the declared ones, then those of providers."""
        return list(self._chosen)

    def given(self) -> list[str]:
        """Return the keys that somebody set."""
        return [key for key, chosen in self._chosen.items() if chosen.source != "default"]

    def options(self, provider: str) -> tuple[tuple[str, Hashable], ...]:
        """Return what ``[accel.NAME]`` says, as sorted pairs; nested tables have dotted keys."""
        prefix = f"accel.{provider}."
        return tuple(
            sorted(
                (key.removeprefix(prefix), chosen.value)
                for key, chosen in self._chosen.items()
                if key.startswith(prefix)
            )
        )

    def providers(self) -> list[str]:
        """Return the names of the providers that have a section."""
        return sorted({name for key in self._chosen if (name := provider_of(key))})

    def replace(self, **values: Any) -> Config:
        """Return a copy with values given in code, written with ``__`` for the dots of a key."""
        chosen = dict(self._chosen)
        for name, value in values.items():
            key = name.replace("__", ".")
            chosen[key] = Chosen(_value(key, value, "argument"), "argument")
        return Config(chosen)

    def show(self) -> str:
        """Return a table of every key, its value and where that came from."""
        rows = [(key, toml(chosen.value), chosen.source) for key, chosen in self._chosen.items()]
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        return "".join(
            f"{key:<{widths[0]}} = {value:<{widths[1]}}  # {source}\n"
            for key, value, source in rows
        )


def load(
    folder: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Config:
    """Return the configuration that holds in `folder` (the current one by default).

    Raises:
        ConfigError: a file is not TOML, or a key or value is not one of `SETTINGS`.
    """

    def stop(problem: ConfigError) -> None:
        raise problem

    return _read(folder, environment, stop)


def problems(
    folder: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[list[ConfigError], Config]:
    """Everything that is wrong with the configuration, and what holds without it."""
    found: list[ConfigError] = []
    return found, _read(folder, environment, found.append)


#: Takes a problem: raises it, or keeps it for later.
Report = Callable[[ConfigError], None]


def _read(
    folder: str | os.PathLike[str] | None, environment: Mapping[str, str] | None, report: Report
) -> Config:
    environ = os.environ if environment is None else environment
    chosen = {setting.key: Chosen(setting.default, "default") for setting in SETTINGS}
    for path in (user_file(environ), project_file(folder)):
        if path is not None and os.path.isfile(path):
            chosen.update(_from_file(path, report))
    chosen.update(_from_environment(environ, report))
    return Config(chosen)


def project_file(folder: str | os.PathLike[str] | None = None) -> str | None:
    """Return the nearest ``runmat.toml`` in `folder` or above it."""
    here = os.path.abspath(os.getcwd() if folder is None else folder)
    while True:
        path = os.path.join(here, FILE_NAME)
        if os.path.isfile(path):
            return path
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def user_file(environment: Mapping[str, str]) -> str | None:
    """Return the user's own file, whether it exists or not; None where there is no home folder."""
    folder = user_folder("config", environment)
    return os.path.join(folder, FILE_NAME) if folder else None


def provider_of(key: str) -> str:
    """Return the provider whose section `key` is in; empty for a key of the core."""
    accel, _, rest = key.partition(".")
    name, _, option = rest.partition(".")
    return name if accel == "accel" and option and name not in _OWN_SECTIONS else ""


def _from_file(path: str, report: Report) -> dict[str, Chosen]:
    import tomllib

    found: dict[str, Chosen] = {}
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        at = re.search(r" \(at line (\d+), column \d+\)$", str(problem))
        what = str(problem)[: at.start()] if at else str(problem)
        line = int(at[1]) if at else max(text.count("\n"), 1)
        report(ConfigError(f"{path}:{line}: not TOML: {what}."))
        return found
    except (OSError, UnicodeDecodeError) as problem:
        report(ConfigError(f"{path}: cannot be read: {problem}"))
        return found
    lines = _key_lines(text)
    for key, value in _flatten(table):
        where = f"{path}:{_line_of(key, lines)}"
        try:
            if value == {}:
                _check_section(key, where)
                continue
            found[key] = Chosen(_value(key, value, where), where)
        except ConfigError as problem:
            report(problem)
    return found


def _from_environment(environment: Mapping[str, str], report: Report) -> dict[str, Chosen]:
    found = {}
    for variable, text in environment.items():
        if not variable.startswith((ENVIRONMENT_PREFIX, _FORMER_PREFIX)):
            continue
        try:
            if variable.startswith(_SECTIONS):
                key, value = _from_variable(variable, text)
                found[key] = Chosen(value, variable)
            elif variable not in _OTHER_VARIABLES and (hint := _hint(variable)):
                raise ConfigError(f"{variable}: no such setting.", hint)
        except ConfigError as problem:
            report(problem)
    return found


def _hint(variable: str) -> str:
    """Return what helps with a variable outside of all sections; empty for one of other tools."""
    from runmat_core.accel.devices.instead import instead

    if variable.startswith(_FORMER_PREFIX):
        name = variable.removeprefix(_FORMER_PREFIX)
        return instead(name) or f"Names begin with RUNMAT_: {_present_name(name)}?"
    name = variable.removeprefix(ENVIRONMENT_PREFIX)
    tails = {other.rpartition("_")[2]: other for other in _BY_VARIABLE}
    meant = tails.get(name, "") or _near(variable, _BY_VARIABLE, 0.9)
    return instead(name) or (f"Did you mean {meant}?" if meant else "")


def _present_name(name: str) -> str:
    """Return the variable that a former name means: an option of a provider, or the same name."""
    from runmat_core.accel.devices.discovery import declared, installed
    from runmat_core.accel.devices.names import nearest

    variable = ENVIRONMENT_PREFIX + name
    option = _PROVIDER_VARIABLE.fullmatch(variable)
    origin = installed().get(option[1].lower()) if option is not None else None
    if option is None or origin is None:
        return variable
    near = nearest(option[2].lower(), declared(origin).options or {})
    return f"{ENVIRONMENT_PREFIX}ACCEL_{option[1]}_{near.upper()}" if near else variable


def _from_variable(variable: str, text: str) -> tuple[str, Any]:
    """Return the key and value that an environment variable gives.

    Raises:
        ConfigError: it is near a declared one and not it, or can be none of a provider.
    """
    setting = _BY_VARIABLE.get(variable)
    if setting is not None:
        return setting.key, _checked(setting, _parse(setting, text, variable), variable)
    from runmat_core.accel.devices.instead import instead

    option = _PROVIDER_VARIABLE.fullmatch(variable)
    of_provider = option is not None and _is_provider(option[1].lower())
    if not of_provider and (hint := instead(variable.removeprefix(ENVIRONMENT_PREFIX))):
        raise ConfigError(f"{variable}: no such setting.", hint)
    if option is None or _misspelt(variable) or option[1].lower() in _OWN_SECTIONS:
        raise ConfigError(f"{variable}: no such setting.", _for_provider(variable))
    if not text:
        raise ConfigError(f"{variable}: is empty.", "Unset it for the default.")
    return f"accel.{option[1].lower()}.{option[2].lower()}", _literal(text)


def _for_provider(variable: str) -> str:
    """Return what helps with a variable that is none: it may have the name of a provider."""
    name = variable.removeprefix(ENVIRONMENT_PREFIX + "ACCEL_")
    if not _is_provider(name.lower()):
        return _suggestion(variable, _BY_VARIABLE)
    return (
        f"{ENVIRONMENT_PREFIX}ACCEL_PROVIDER={name.lower()} takes that provider, {variable}_KEY "
        f"sets a key of [accel.{name.lower()}]."
    )


def _is_provider(name: str) -> bool:
    from runmat_core.accel.devices.discovery import installed
    from runmat_core.accel.devices.names import PUBLISHED

    return name in (*installed(), *PUBLISHED)


def _misspelt(variable: str) -> bool:
    """Whether a variable differs little from a declared one, apart from the prefix of both."""
    start = len(ENVIRONMENT_PREFIX + "ACCEL_")
    return bool(_near(variable[start:], [name[start:] for name in _BY_VARIABLE]))


def _parse(setting: Setting, text: str, where: str) -> Any:
    """Return the text of a variable as a value of the type of the default."""
    if isinstance(setting.default, bool):
        known = {"1": True, "true": True, "0": False, "false": False}
        if text.lower() not in known:
            raise ConfigError(f"{where}: must be true or false, not {text!r}.")
        return known[text.lower()]
    if isinstance(setting.default, int) or (setting.numbers and text not in setting.choices):
        try:
            return float(text) if setting.fractions else int(text)
        except ValueError:
            also = "".join(f'"{choice}" or ' for choice in setting.choices)
            kind = _number(setting)
            raise ConfigError(f"{where}: must be {also}{kind}, not {text!r}.") from None
    return text


def _literal(text: str) -> Any:
    """Return a variable's text as TOML reads it, or else the text itself."""
    import tomllib

    try:
        return _frozen(tomllib.loads(f"value = {text}")["value"])
    except tomllib.TOMLDecodeError:
        return text


def _value(key: str, value: Any, where: str) -> Any:
    """Return the value of a key, checked.

    Raises:
        ConfigError: there is no such key, or it does not take that value.
    """
    setting = SETTING.get(key)
    if setting is not None:
        return _checked(setting, value, where)
    name = provider_of(key)
    if not name or _near(name, _OWN_SECTIONS):
        from runmat_core.accel.devices.instead import instead

        hint = instead(key.upper().replace(".", "_")) or _suggestion(key, list(SETTING))
        raise ConfigError(f"{where}: unknown key '{key}'.", hint)
    return _frozen(value)


def _check_section(section: str, where: str) -> None:
    """Refuse a section without keys that is none.

    Raises:
        ConfigError: there is no such section.
    """
    known = {key.rpartition(".")[0] for key in SETTING}
    head, _, name = section.rpartition(".")
    if section in known or (head == "accel" and _is_provider(name)):
        return
    from runmat_core.accel.devices.discovery import installed

    names = sorted({*known, *(f"accel.{provider}" for provider in installed())})
    raise ConfigError(f"{where}: unknown section [{section}].", _suggestion(section, names))


def _frozen(value: Any) -> Any:
    """`value` with tuples for lists and for the tables in them, so that it can be hashed."""
    if isinstance(value, dict):
        return tuple((key, _frozen(item)) for key, item in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _checked(setting: Setting, value: Any, where: str) -> Any:
    """`value` when it is of the type of the default and among the choices."""
    kind = type(value)
    if setting.numbers and (kind is int or (setting.fractions and kind is float)):
        pass
    elif kind is not type(setting.default):
        name = {str: "a string", int: "a whole number", bool: "true or false"}
        wanted = name[type(setting.default)]
        if setting.numbers:
            wanted = f"{' or '.join(map(toml, setting.choices))} or {_number(setting)}"
        raise ConfigError(f"{where}: '{setting.key}' must be {wanted}, not {toml(value)}.")
    elif setting.choices and value not in setting.choices:
        allowed = [toml(choice) for choice in setting.choices]
        if setting.numbers:
            wanted = " or ".join([*allowed, _number(setting)])
        else:
            wanted = f"one of {', '.join(allowed)}"
        raise ConfigError(f"{where}: '{setting.key}' must be {wanted}, not {toml(value)}.")
    if value == "" and setting.default:
        raise ConfigError(
            f"{where}: '{setting.key}' must not be empty.",
            f"Leave it out for the default, {toml(setting.default)}.",
        )
    least = setting.minimum
    if kind in (int, float) and least is not None and not least <= value < math.inf:
        raise ConfigError(f"{where}: '{setting.key}' must be at least {setting.minimum}.")
    return value


def _number(setting: Setting) -> str:
    return "a number" if setting.fractions else "a whole number"


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = prefix + name
        if value and isinstance(value, dict) and key not in SETTING:
            yield from _flatten(value, key + ".")
        else:
            yield key, value


def _key_lines(text: str) -> dict[str, int]:
    """Return the line of each key and table header, which `tomllib` does not keep."""
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
    """Return the line of `key`, or of the inline table that holds it."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition(".")[0]
    return 1


def _bare(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


def _near(name: str, known: Iterable[str], cutoff: float = 0.75) -> str:
    import difflib

    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)), "")


def _suggestion(name: str, known: Iterable[str]) -> str:
    """Return what may have been meant: of the names that begin alike, or else of all."""
    names = list(known)
    cut = re.split(r"[._]", name)
    start = name[: -len(cut[-1])] if len(cut) > 1 else ""
    if name.startswith(ENVIRONMENT_PREFIX):
        start = next((section for section in _SECTIONS if name.startswith(section)), start)
    beside = {other[len(start) :]: other for other in names if other.startswith(start)}
    near = _near(name[len(start) :], beside)
    close = beside[near] if near else _near(name, names, 0.85)
    return f"Did you mean {close}?" if close else "`runmat config generate` lists every key."


def toml(value: Any) -> str:
    """Return a value as a file would have it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
