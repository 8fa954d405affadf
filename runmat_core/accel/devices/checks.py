"""What a configuration says of providers, checked before a program runs.

Names, sections and options are held against what is installed and what packages declare
(`discovery.declared`), so that no provider is imported for it. Only the options of a provider that
declares none are found out by starting it. Nothing is looked at where nothing was set.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from runmat_core.accel.devices.instead import instead
from runmat_core.accel.devices.names import PUBLISHED, nearest, nearest_provider
from runmat_core.api.errors import MatlabError

if TYPE_CHECKING:
    from runmat_core.accel.devices.discovery import Installed


class Settings(Protocol):
    """What is read of the configuration."""

    def __getitem__(self, key: str) -> Any: ...

    def source(self, key: str) -> str:
        """Where the value came from; ``default`` where nobody set it."""

    def given(self) -> list[str]:
        """Return the keys that somebody set."""

    def options(self, provider: str) -> tuple[tuple[str, Hashable], ...]:
        """Return the keys of ``[accel.NAME]``."""


def check(settings: Settings) -> None:
    """Raise the first thing that is wrong with what is said of providers.

    Raises:
        MatlabError: the message begins with where the setting stands.
    """
    unused = settings["accel.provider"] == "none"
    for problem in problems(settings, ask=not unused):
        raise problem


def problems(settings: Settings, ask: bool = True) -> Iterator[MatlabError]:
    """Everything that is wrong with what is said of providers.

    Args:
        ask: whether providers that declare no options are started to ask for those they refuse.
    """
    given = set(settings.given())
    for key in ("accel.provider", "accel.fallback"):
        name, source = settings[key], settings.source(key)
        if key in given and name not in ("auto", "none"):
            yield from _name_problems(name, source)
    sections: dict[str, list[str]] = {}
    for key in sorted(given, key=settings.source):
        name, _, option = key.removeprefix("accel.").partition(".")
        if key.startswith("accel.") and option and name != "offload":
            sections.setdefault(name, []).append(option)
    if not sections:
        return
    from runmat_core.accel.devices.discovery import installed

    found = installed()
    for name, options in sections.items():
        if name in found:
            if not found[name].rivals:
                yield from _option_problems(found[name], options, settings, ask)
        elif name not in PUBLISHED:
            source = settings.source(f"accel.{name}.{options[0]}")
            yield MatlabError(
                "RunMat:accel:unknownProvider",
                f"{source}: the section [accel.{name}] is of no installed provider; installed: "
                f"{', '.join(found) or 'none'}.",
                hint=nearest_provider(name, found),
            )


def _name_problems(name: str, source: str) -> Iterator[MatlabError]:
    from runmat_core.accel.devices.providers import find

    try:
        find(name)
    except MatlabError as problem:
        yield MatlabError(problem.identifier, f"{source}: {problem.message}", hint=problem.hint)


# -- options --------------------------------------------------------------------------------------


def _option_problems(
    origin: Installed, options: list[str], settings: Settings, ask: bool
) -> Iterator[MatlabError]:
    from runmat_core.accel.devices.discovery import declared

    known = declared(origin).options
    if known is None:
        if ask:
            yield from _asked(origin.name, options, settings)
        return
    values = dict(settings.options(origin.name))
    for option in options:
        source = settings.source(f"accel.{origin.name}.{option}")
        if option not in known:
            near = nearest(option, known)
            whole = f"accel.{origin.name}.{near}"
            if source.endswith(f"_{option.upper()}"):  # a variable of the environment
                whole = source.removesuffix(option.upper()) + near.upper()
            meant = f"Did you mean {whole}?" if near else ""
            yield MatlabError(
                "RunMat:accel:unknownOption",
                f"{source}: the provider '{origin.name}' has no option '{option}'; it has "
                f"{', '.join(sorted(known)) or 'none'}.",
                hint=meant or instead(option.upper()),
            )
        elif wrong := _misfit(values[option], known[option]):
            yield MatlabError(
                "RunMat:accel:wrongOption",
                f"{source}: 'accel.{origin.name}.{option}' must be {wrong}.",
            )


def _misfit(value: Any, example: Any) -> str:
    """Return what an option must be that is declared by `example`; empty where `value` is that."""
    if isinstance(example, list):
        names = ", ".join(f'"{choice}"' for choice in example)
        return "" if value in example else f'one of {names}, not "{value}"'
    if type(value) is type(example) or (isinstance(example, float) and type(value) is int):
        return ""
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    return f"{kinds.get(type(example), 'something else')}, not {value!r}"


def _asked(name: str, options: list[str], settings: Settings) -> Iterator[MatlabError]:
    """Yield what a provider says of its section.

    It names one option at a time, so that one is left out and the provider asked again.
    """
    from runmat_core.accel.devices import providers

    given = {option: settings.source(f"accel.{name}.{option}") for option in options}
    while given:
        left = [pair for pair in settings.options(name) if pair[0] in given]
        try:
            providers.start(name, tuple(left)).close()
        except providers.ProviderUnavailable as problem:
            if problem.expected:
                return
            blamed = mentioned(problem.reason, given)
            if not blamed:
                return  # broken for another reason, of which choosing it warns
            source = given.pop(blamed)
            yield MatlabError(problem.identifier, f"{source}: {problem.message}", hint=problem.hint)
        else:
            return


def mentioned(text: str, names: Iterable[str]) -> str:
    """Return that of some names which a text has first as a word.

    Empty where it has none of them.
    """
    places = {}
    for name in names:
        if found := re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text):
            places[name] = found.start()
    return min(places, key=places.__getitem__, default="")
