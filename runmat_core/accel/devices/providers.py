"""Providers: from a name to a started device, and the choice of devices that a session uses.

`installed` tells which packages offer providers, `start` makes an instance of one, and `choose`
follows the configuration: a device provider, a host provider, and why not another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from functools import cached_property
from typing import Any, Protocol

from runmat_core.accel import caches
from runmat_core.accel.devices.discovery import (
    Declared,
    Installed,
    declared,
    installed,
    unreadable,
)
from runmat_core.accel.devices.names import suggestion
from runmat_core.accel.devices.orphans import close_orphans
from runmat_core.accel.devices.provider import FAILURES, Provider, debugging, describe
from runmat_core.accel.packages import Point
from runmat_core.api.device import (
    API_VERSION,
    OLDEST_API_VERSION,
    Capabilities,
    DeviceFault,
    NoDevice,
    StartRequest,
)
from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple

__all__ = [
    "Choice",
    "Installed",
    "Note",
    "Provider",
    "ProviderUnavailable",
    "Settings",
    "choose",
    "installed",
    "start",
]

#: Hooks without which nothing can run; the others have an answer of the core's own.
REQUIRED = "capabilities allocate upload download free compile execute synchronize".split()

#: How many instances of each name this process has started.
_started: dict[str, int] = {}


class ProviderUnavailable(MatlabError):  # noqa: N818 - it is a state, not a fault
    """An installed provider that cannot be used here; the message says why.

    Attributes:
        expected: the provider itself said that it has no device here: nothing is broken.
        reason: what is wrong, without the name of the provider.
    """

    def __init__(
        self, message: str, hint: str = "", expected: bool = False, reason: str = ""
    ) -> None:
        super().__init__("RunMat:accel:unavailable", message, hint=hint)
        self.expected = expected
        self.reason = reason


# -- starting -------------------------------------------------------------------------------------


def find(name: str) -> Installed:
    """Return the installed provider called `name`.

    Raises:
        MatlabError: ``RunMat:accel:unknownProvider`` where no package offers it,
            ``RunMat:accel:duplicateProvider`` where several do.
    """
    found = installed()
    origin = found.get(name)
    if origin is None:
        known = ", ".join(found) or "none"
        raise MatlabError(
            "RunMat:accel:unknownProvider",
            f"There is no acceleration provider '{name}'; installed: {known}.",
            hint=" ".join((*unreadable(), suggestion(name, found))),
        )
    if origin.rivals:
        packages = ", ".join((origin.package, *origin.rivals))
        raise MatlabError(
            "RunMat:accel:duplicateProvider",
            f"Several packages offer the acceleration provider '{name}': {packages}.",
            hint="Uninstall all of them but one.",
        )
    return origin


def start(
    name: str,
    options: tuple[tuple[str, Hashable], ...] = (),
    cache_folder: str = "",
    auto: bool = False,
) -> Provider:
    """Make and start an instance of the provider called `name`.

    Args:
        options: the keys of ``[accel.NAME]``.
        cache_folder: where it may keep files between runs; empty: nowhere.
        auto: it is looked at because it is there, and not because somebody named it.

    Raises:
        ProviderUnavailable: it cannot be imported, is no provider, failed to start, or has no
            device here.
        MatlabError: no package or several offer the name (see `find`).
    """
    close_orphans()
    origin = find(name)
    manager = _registered(origin)
    count = _started.get(name, 0) + 1
    instance = name if count == 1 else f"{name}#{count}"
    request = StartRequest(name=instance, options=options, cache_folder=cache_folder, auto=auto)
    try:
        capabilities = manager.hook.capabilities(request=request)
    except NoDevice as problem:
        reason = f"it finds no device here: {describe(problem)}"
        raise _unavailable(origin, reason, expected=True) from problem
    except FAILURES as problem:
        if debugging():
            raise
        raise _unavailable(origin, f"it did not start: {describe(problem)}") from problem
    if capabilities is None:
        raise _unavailable(origin, "it finds no device here", expected=True)
    if not isinstance(capabilities, Capabilities):
        kind = type(capabilities).__name__
        raise _unavailable(origin, f"it answers 'capabilities' with {kind}, not Capabilities")
    if not OLDEST_API_VERSION <= capabilities.api_version <= API_VERSION:
        newer = capabilities.api_version > API_VERSION
        text = f"it is written for version {capabilities.api_version} of the provider interface"
        stale = "runmat-core" if newer else origin.package
        raise _unavailable(
            origin,
            f"{text}, and runmat-core has {OLDEST_API_VERSION} to {API_VERSION}",
            f"pip install --upgrade {stale} may bring them together.",
        )
    _started[name] = count
    return Provider(instance, origin, capabilities, manager)


def _registered(origin: Installed) -> Any:
    """Return a plugin manager that holds an instance of the provider and nothing else."""
    import pluggy

    from runmat_core.api import hookspecs

    plugin = _instance(origin)
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs.AccelProvider)
    try:
        manager.register(plugin, origin.name)
        manager.check_pending()
    except pluggy.PluginValidationError as problem:
        reason = " ".join(str(problem).split())
        raise _unavailable(origin, f"its hooks do not fit: {reason}") from problem
    missing = [hook for hook in REQUIRED if not getattr(manager.hook, hook).get_hookimpls()]
    if missing:
        raise _unavailable(origin, f"it lacks the hooks {', '.join(missing)}")
    return manager


def _instance(origin: Installed) -> Any:
    point = Point(origin.name, origin.value)
    if not point.is_valid:
        text = f"its entry point is '{origin.value}', which is not of the form module:Class"
        raise _unavailable(origin, text)
    try:
        make: Callable[[], Any] = point.load()
    except ImportError as problem:
        if debugging():
            raise
        hint = ""
        if isinstance(problem, ModuleNotFoundError) and problem.name:
            hint = f"pip install --upgrade {origin.package} brings what it needs."
        raise _unavailable(origin, f"it cannot be imported: {problem}", hint) from problem
    except FAILURES as problem:
        if debugging():
            raise
        raise _unavailable(origin, f"it cannot be imported: {describe(problem)}") from problem
    try:
        return make()
    except FAILURES as problem:
        if debugging():
            raise
        raise _unavailable(origin, f"it did not start: {describe(problem)}") from problem


def _unavailable(
    origin: Installed, reason: str, hint: str = "", expected: bool = False
) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"The acceleration provider '{origin.name}' ({origin.package} {origin.version}) "
        f"cannot be used: {reason.rstrip('.')}.",
        hint,
        expected,
        reason,
    )


# -- choosing -------------------------------------------------------------------------------------


class Settings(Protocol):
    """What choosing reads of the configuration."""

    def __getitem__(self, key: str) -> Any: ...

    def source(self, key: str) -> str:
        """Where the value came from; ``default`` where nobody set it."""

    def options(self, provider: str) -> tuple[tuple[str, Hashable], ...]:
        """Return the keys of ``[accel.NAME]``."""

    def providers(self) -> Collection[str]:
        """Return the names of the providers that have a section."""


class Note(NamedTuple):
    """Why a provider was not taken.

    Attributes:
        name: the provider.
        reason: a sentence.
        warns: the user asked for it, or it is broken, and should be told.
    """

    name: str
    reason: str
    warns: bool = False


class Choice(NamedTuple):
    """The providers of a session.

    Attributes:
        device: with memory of its own, or None.
        host: on the memory of NumPy, or None: then host rules alone.
        notes: why others were not taken.
    """

    device: Provider | None
    host: Provider | None
    notes: tuple[Note, ...] = ()

    @property
    def warning(self) -> str:
        """One text for everything that the user should be told (``RunMat:accel:unavailable``)."""
        reasons = [note.reason for note in self.notes if note.warns]
        if not reasons:
            return ""
        if self.device is not None:
            instead = f"'{self.device.installed.name}' is used"
        elif self.host is not None:
            instead = f"'{self.host.installed.name}' is used"
        else:
            instead = "everything runs by host rules"
        return f"{' '.join(reasons)} Instead {instead}."

    def close(self) -> None:
        """Close what was started.

        Raises:
            DeviceFault: one of them failed to; the other is closed all the same.
        """
        try:
            if self.device is not None:
                self.device.close()
        finally:
            if self.host is not None:
                self.host.close()


def choose(settings: Settings, cache_folder: str = "") -> Choice:
    """Start the providers that the configuration asks for.

    ``accel.provider`` is a name, ``none``, or ``auto``: the hardware device that declares the
    highest preference. ``accel.fallback`` names the host provider. What is installed and cannot
    be used is passed over with a note.

    Args:
        cache_folder: of all caches, in which each provider gets a folder; empty: there is none.

    Raises:
        MatlabError: a name in the configuration is not installed, or by several packages.
    """
    wanted = settings["accel.provider"]
    if wanted == "none":
        return Choice(None, None)
    search = _Search(settings, cache_folder)
    if wanted == "auto":
        device = search.best_device()
    else:
        device = search.try_start(wanted, warns=True)
        if device is not None and device.capabilities.kind == "host":
            return Choice(None, device, tuple(search.notes))
    return Choice(device, search.fallback(), tuple(search.notes))


def emulated(name: str, device: str) -> str:
    """Why ``auto`` does not take a provider whose device is no hardware."""
    return f"'{device}' is emulated on the CPU; accel.provider = \"{name}\" takes it all the same."


class _Search:
    """Starting providers while keeping notes."""

    def __init__(self, settings: Settings, cache_folder: str) -> None:
        self.settings = settings
        self.cache_folder = cache_folder
        self.notes: list[Note] = []
        self.hosts: dict[str, Provider] = {}
        self.failed: set[str] = set()

    @cached_property
    def wanted_hosts(self) -> list[str]:
        """Return names of host providers, the first that starts to be taken.

        Where the configuration names none and says nothing of the default, those that declare a
        preference come before it.
        """
        named: str = self.settings["accel.fallback"]
        chosen = self.settings.source("accel.fallback") != "default"
        if chosen or named in self.settings.providers():
            return [named]
        said = {name: declared(origin) for name, origin in installed().items()}
        better = [
            name
            for name, it in said.items()
            if it.kind == "host" and (it.preference or 0) > 0 and not installed()[name].rivals
        ]
        better.sort(key=lambda name: -(said[name].preference or 0))
        return [*(name for name in better if name != named), named]

    def try_start(self, name: str, warns: bool, auto: bool = False) -> Provider | None:
        try:
            folder = caches.folder("providers", name, root=self.cache_folder)
            return start(name, self.settings.options(name), folder or "", auto)
        except ProviderUnavailable as problem:
            self.failed.add(name)
            told = warns or not problem.expected
            self.notes.append(Note(name, f"{problem.message} {problem.hint}".rstrip(), told))
            return None

    def best_device(self) -> Provider | None:
        """Of the installed providers, the hardware device of the highest preference."""
        best: Provider | None = None
        self.notes += [Note("packages", text, warns=True) for text in unreadable()]
        # those of high preference first, so that others need not be imported
        found = installed()
        said = {name: declared(origin) for name, origin in found.items()}
        for name in sorted(found, key=lambda name: -(said[name].preference or 0)):
            origin = found[name]
            if origin.rivals:
                text = f"Several packages offer the acceleration provider '{name}'."
                self.notes.append(Note(name, text, warns=True))
                continue
            reason = self._unwanted(name, said[name], best)
            if reason:
                self.notes.append(Note(name, reason))
                continue
            provider = self.try_start(name, warns=False, auto=True)
            if provider is None:
                continue
            can = provider.capabilities
            if can.kind == "host" and can.preference >= 0:
                self.hosts[name] = provider
            elif can.software:
                self._pass_over(provider, emulated(name, can.name))
            elif can.preference < 0:
                self._pass_over(provider, f"'{name}' is used only where it is named.")
            elif best is None or can.preference > best.capabilities.preference:
                if best is not None:
                    self._pass_over(best, f"'{name}' is preferred.")
                best = provider
            else:
                self._pass_over(provider, f"'{best.name}' is preferred.")
        return best

    def _unwanted(self, name: str, said: Declared, best: Provider | None) -> str:
        """Return why a provider is not taken by what is declared of it; empty where it may be."""
        if said.preference is None:
            return ""
        if said.preference < 0:
            return f"'{name}' is used only where it is named."
        if said.kind == "host" and name != self.wanted_hosts[0]:
            there = self.wanted_hosts[0] in (*installed(), "none")
            return f"'{self.wanted_hosts[0]}' is the host provider." if there else ""
        if best is None or said.kind != "device":
            return ""
        beaten = said.preference <= best.capabilities.preference
        return f"'{best.name}' is preferred." if beaten else ""

    def fallback(self) -> Provider | None:
        """Return the host provider that the configuration names.

        Any that is there where it names none.
        """
        *better, name = self.wanted_hosts
        for other in better:
            host = self.hosts.pop(other, None)
            if host is None and other not in self.failed:
                host = self.try_start(other, warns=False)
            if host is not None and host.capabilities.kind != "host":
                self._pass_over(host, f"'{other}' has memory of its own, other than it declares.")
                host = None
            if host is not None:
                self._pass_over_hosts(other)
                return host
        by_default = self.settings.source("accel.fallback") == "default"
        host = self.hosts.pop(name, None)
        if host is None and by_default and name not in installed() and self.hosts:
            best = max(self.hosts, key=lambda other: self.hosts[other].capabilities.preference)
            host = self.hosts.pop(best)
        self._pass_over_hosts(name)
        absent = name in self.failed or (by_default and name not in installed())
        if host is not None or name == "none" or absent:
            return host
        host = self.try_start(name, warns=not by_default)
        if host is not None and host.capabilities.kind != "host":
            reason = f"'{name}' has memory of its own and cannot be the fallback."
            self._pass_over(host, reason, warns=True)
            return None
        return host

    def _pass_over_hosts(self, taken: str) -> None:
        for other in self.hosts.values():
            self._pass_over(other, f"'{taken}' is the host provider.")

    def _pass_over(self, provider: Provider, reason: str, warns: bool = False) -> None:
        self.notes.append(Note(provider.installed.name, reason, warns))
        self._close(provider)

    def _close(self, provider: Provider) -> None:
        try:
            provider.close()
        except DeviceFault as fault:
            # nothing was ever asked of it, so nothing is lost
            self.notes.append(Note(provider.installed.name, fault.message))
