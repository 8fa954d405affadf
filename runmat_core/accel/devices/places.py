"""The providers of a session: started when needed, replaced on demand, dropped when they fail.

A device that was lost is started again, a few times.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from time import perf_counter
from typing import Any

from numpy.typing import NDArray

from runmat_core.accel import caches
from runmat_core.accel.context import works_on_device
from runmat_core.accel.devices import known
from runmat_core.accel.devices.compiler import Compiler
from runmat_core.accel.devices.handles import BufferManager
from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.devices.providers import Choice, Settings, choose, start
from runmat_core.accel.devices.records import Counters
from runmat_core.accel.planning.plan import Plan
from runmat_core.accel.planning.worth import UNSTARTED
from runmat_core.api.device import DeviceFault, DeviceLost
from runmat_core.api.errors import MatlabError
from runmat_core.values.notices import warn

#: A provider that failed so often gets no more work.
PATIENCE = 3
#: How often a session starts a device again that was lost.
RENEWALS = 2


class ProviderSet:
    """Where a session's plans may run.

    Args:
        config: names the providers.
        cache_folder: where they may keep files; empty: nowhere.
        counters: faults are counted there.
        changed: called when plans made so far fit no more.

    Attributes:
        stores: the arrays on each provider that was started, by its name.
        device, host: what compiles for the providers that get work.
        ready: whether `any` found one since providers changed, or one of them failed.
    """

    def __init__(
        self,
        config: Settings,
        cache_folder: str,
        counters: Counters,
        changed: Callable[[], None],
    ) -> None:
        self.config = config
        self.cache_folder = cache_folder
        self.stores: dict[str, BufferManager] = {}
        self.device: Compiler | None = None
        self.host: Compiler | None = None
        self.ready = False
        self._counters = counters
        self._changed = changed
        self._choice: Choice | None = None
        self._former: list[Choice] = []
        self._offered: dict[str, bool] = {}  # library calls, until other providers get work
        self._told: set[Hashable] = set()
        self._failed: dict[str, int] = {}
        self._renewals = 0

    @property
    def choice(self) -> Choice:
        """The providers, started now where they are not yet."""
        if self._choice is None:
            chosen = self._choose(self.config)
            if self.config["accel.provider"] == "auto":
                known.keep(self.cache_folder, chosen.device is not None)
            self._adopt(chosen)
        assert self._choice is not None
        return self._choice

    @property
    def any(self) -> bool:
        """Whether there is a provider that gets work."""
        self.choice  # noqa: B018 - starts them
        for compiler in (self.device, self.host):
            if compiler is not None and compiler.store.lost:
                self._retire(compiler.store.name)
        self.ready = self.device is not None or self.host is not None
        return self.ready

    @property
    def started(self) -> bool:
        """Whether providers were started, if there are any."""
        return self._choice is not None

    @property
    def break_even(self) -> int:
        """The work from which on an evaluation on the memory of NumPy is worth a plan."""
        device, host = self.providers
        found = host or device
        return UNSTARTED if found is None else found.capabilities.break_even

    def offers(self, library: str) -> bool:
        """Whether a provider that gets work has a library call."""
        found = self._offered.get(library)
        if found is None:
            found = self._offered[library] = self.any and any(
                library in provider.capabilities.libraries
                for provider in self.providers
                if provider is not None
            )
        return found

    def has_copy(self, array: NDArray[Any]) -> bool:
        """Whether the device has a copy of a host array."""
        return self.device is not None and self.device.store.has_copy(array)

    @property
    def providers(self) -> tuple[Provider | None, Provider | None]:
        """The device and the host provider, as far as they get work."""
        device, host = self.device, self.host
        return (
            None if device is None else device.store.provider,
            None if host is None else host.store.provider,
        )

    @property
    def far(self) -> bool:
        """Return whether a device with memory of its own gets work."""
        return self.device is not None and self.device.store.own_memory

    @property
    def roles(self) -> dict[str, str]:
        """Return ``device`` or ``host`` for the name of each provider that gets work."""
        found = {"host": self.host, "device": self.device}
        return {one.store.name: role for role, one in found.items() if one is not None}

    def use(self, config: Settings) -> None:
        """Go on with the providers of another configuration.

        What the former ones hold is read from them where it is needed: they stay open until the
        end.

        Raises:
            MatlabError: a provider that it names is not installed; nothing has changed then.
        """
        chosen = self._choose(config)
        if self._choice is not None:
            self._former.append(self._choice)
        for store in self.stores.values():
            store.drop_copies()
        self.config = config
        self._adopt(chosen)
        self._changed()

    def _choose(self, config: Settings) -> Choice:
        """Start the providers of a configuration."""
        began = perf_counter()
        chosen = choose(config, self.cache_folder)
        self._counters.warmup_seconds += perf_counter() - began
        return chosen

    def _adopt(self, chosen: Choice) -> None:
        self._choice = chosen
        self.ready = False
        self._offered.clear()
        if chosen.warning:
            warn("RunMat:accel:unavailable", chosen.warning)
        self.device = self._compiler(chosen.device)
        self.host = self._compiler(chosen.host)
        works_on_device(self, self.device is not None)

    def _compiler(self, provider: Any) -> Compiler | None:
        if provider is None:
            return None
        store = self.stores[provider.name] = BufferManager(provider, self.report)

        def failed(fault: DeviceFault) -> None:
            store.lost = store.lost or isinstance(fault, DeviceLost)
            self.report(fault)

        return Compiler(store, failed)

    # -- arrays -----------------------------------------------------------------------------------

    def moved(self) -> tuple[int, int]:
        """Bytes sent to devices and brought from them so far."""
        stores: Iterable[BufferManager] = self.stores.values()
        return sum([s.uploaded for s in stores]), sum([s.downloaded for s in stores])

    def sweep(self) -> None:
        """Let go of copies of arrays that nobody holds any more."""
        for store in self.stores.values():
            if store.own_memory:
                store.sweep()

    def make_room(self) -> None:
        """Let go of whatever can be had again."""
        for store in self.stores.values():
            store.drop_copies()
            store.flush()

    @property
    def live_handles(self) -> int:
        """How many arrays the session has on providers."""
        self.sweep()
        for store in self.stores.values():
            store.rest()
        return sum([store.live for store in self.stores.values()])

    def synchronize(self) -> None:
        """Wait for the devices."""
        for store in self.stores.values():
            try:
                store.provider.synchronize()
            except DeviceFault as fault:
                self.report(fault)

    def close(self) -> None:
        """Give everything back; a later start is none."""
        self.device = self.host = None
        self.ready = False
        self._offered.clear()
        for store in self.stores.values():
            store.close()
        for chosen in (*self._former, self._choice or Choice(None, None)):
            try:
                chosen.close()
            except DeviceFault as fault:
                self.report(fault)
        self._former.clear()
        self._choice = Choice(None, None)

    # -- faults -----------------------------------------------------------------------------------

    def report(self, fault: DeviceFault) -> None:
        """Count a fault of a provider and tell the user of the first one of its kind."""
        self._counters.faults += 1
        self.ready = False
        text = f"{fault.message.rstrip('.')}. Host rules are used where they can be."
        self.warn_once(fault.identifier, text)

    def warn_once(self, identifier: str, message: str) -> None:
        """Warn unless something of this kind was told before."""
        if identifier not in self._told:
            self._told.add(identifier)
            warn(identifier, message)

    def blame(self, planned: Plan, fault: DeviceFault) -> None:
        """Give no more work to a provider that is gone or fails all the time."""
        owners = {s.executable.owner for s in planned.steps if s.executable is not None}
        for owner in owners:
            store = self.stores[owner]
            self._failed[owner] = self._failed.get(owner, 0) + 1
            if isinstance(fault, DeviceLost) and len(owners) == 1:
                store.lost = True
            if store.lost or self._failed[owner] >= PATIENCE:
                self._retire(owner)

    def _retire(self, owner: str) -> None:
        self.ready = False
        anew = self._anew(self.stores[owner])
        if self.device is not None and self.device.store.name == owner:
            self.device = anew
        if self.host is not None and self.host.store.name == owner:
            self.host = anew
        self._offered.clear()
        self.stores[owner].drop_copies()
        self._changed()

    def _anew(self, store: BufferManager) -> Compiler | None:
        """Return a lost device, started again as another instance; what it held stays lost."""
        if not store.lost or self._renewals == RENEWALS:
            return None
        self._renewals += 1
        name = store.provider.installed.name
        folder = caches.folder("providers", name, root=self.cache_folder)
        try:
            provider = start(name, self.config.options(name), folder or "")
        except MatlabError as problem:
            self.warn_once("RunMat:accel:unavailable", problem.message)
            return None
        self._former.append(Choice(provider, None))  # to be closed at the end
        return self._compiler(provider)
