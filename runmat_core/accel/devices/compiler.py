"""A cache of compiled units, one for each provider."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from math import copysign

from runmat_core.accel.devices.handles import BufferManager
from runmat_core.api.device import Capabilities, DeviceFault, Executable, LaunchSizes
from runmat_core.api.ir import Kernel, Unit

#: How many compiled units are kept for each provider.
UNITS = 2048


class Compiler:
    """Units that one provider compiled; a `runmat_core.accel.planning.planner.Target`.

    Attributes:
        compiles: how many units it was asked to compile.
        declined: how many of them it declined.
    """

    def __init__(self, store: BufferManager, report: Callable[[DeviceFault], None]) -> None:
        self.store = store
        self.compiles = 0
        self.declined = 0
        self._report = report
        self._known: OrderedDict[Hashable, Executable | None] = OrderedDict()
        self._refused: set[str] = set()

    @property
    def capabilities(self) -> Capabilities:
        """Return what the provider can do."""
        return self.store.provider.capabilities

    def executables(
        self, units: Sequence[Unit], launches: Sequence[LaunchSizes] = ()
    ) -> list[Executable | None]:
        """Return one executable for each unit; None where the provider declines or fails.

        Args:
            launches: extents and views that each is compiled for, where they are known.
        """
        keys = [unit_key(unit) for unit in units]
        missing = {k: u for k, u in zip(keys, units, strict=True) if k not in self._known}
        failed: set[Hashable] = set()
        if missing:
            sizes = dict(zip(keys, launches, strict=True)) if launches else {}
            hints = tuple([sizes[key] for key in missing]) if launches else ()
            try:
                made = self.store.provider.compile(tuple(missing.values()), hints)
            except DeviceFault as fault:
                # asked again with the next plan: what failed once need not fail always
                self._report(fault)
                failed.update(missing)
            else:
                self.compiles += len(missing)
                if declined := sum([one is None for one in made]):
                    self.declined += declined
                    self._tell_refused()
                self._known.update(zip(missing, made, strict=True))
        found = []
        for key in keys:
            found.append(None if key in failed else self._known[key])
            if key in self._known:
                self._known.move_to_end(key)
        while len(self._known) > UNITS:
            self._known.popitem(last=False)
        return found

    def _tell_refused(self) -> None:
        """Report what the device's own compiler did not take: it was declined, and is a fault."""
        provider = self.store.provider
        for name, why in provider.telemetry().refused:
            if name not in self._refused:
                self._refused.add(name)
                text = f"The acceleration provider '{provider.name}': {why}"
                self._report(DeviceFault(text, "RunMat:accel:invalidShader"))


def unit_key(unit: Unit) -> Hashable:
    """Return a key for a unit: itself and the signs of its zeros, because -0.0 equals 0.0."""
    kernel = unit if isinstance(unit, Kernel) else unit.epilogue
    if kernel is None:
        return unit
    negative = [
        k
        for k, instr in enumerate(kernel.code)
        if instr.op == "const" and instr.attr == 0 and copysign(1.0, instr.attr) < 0
    ]
    return (unit, *negative) if negative else unit
