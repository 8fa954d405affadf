"""The rates of devices: measured once for each device, driver and version, and kept on disk.

Where the machine was busy meanwhile, later sessions that find it quiet take the doubtful times
again by themselves: few of them in one session, and each of them a few times at most.
"""

from __future__ import annotations

import json
import os
import platform
import time
from typing import Literal

import attrs
import numpy as np

from runmat_core.accel import caches
from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.devices.providers import Choice
from runmat_core.accel.placement import costs
from runmat_core.accel.placement.costs import Costs, Rates
from runmat_core.accel.placement.samples import doubtful, is_busy, is_loaded, to_retake, under_load
from runmat_core.api.device import DeviceFault
from runmat_core.api.tuples import NamedTuple

#: The version of the files.
FORMAT = 2
#: How often a busy machine is measured at once by those who asked for it.
ATTEMPTS = 4
#: Seconds after which doubtful times are taken again: by then the load average tells of now.
PAUSE = 60.0
#: Seconds that a session takes for it, on each device; the last time that is taken is finished.
BRIEF = 0.1

Mode = Literal["once", "kept", "never", "always"]


class Calibration(NamedTuple):
    """The rates of one device, and when they were measured.

    Attributes:
        key: what they hold for: device, driver, provider and version.
        when: seconds since the epoch; 0 for typical rates.
        seconds: how long measuring took, altogether.
    """

    key: str
    rates: Rates
    when: float = 0.0
    seconds: float = 0.0

    @property
    def busy(self) -> bool:
        """Whether the machine had other work meanwhile, so that the rates may be too slow."""
        return is_busy(self.rates.samples)

    @property
    def doubtful(self) -> int:
        """How many of its times are worth taking again."""
        return len(doubtful(self.rates.samples))

    @property
    def attempts(self) -> int:
        """How often what was measured most often was."""
        return max([one.tries for one in self.rates.samples.values()], default=1)


def key_of(provider: Provider | None) -> str:
    """Return what a calibration holds for; of host rules for None."""
    if provider is None:
        return f"rules, {platform.machine()}, {os.cpu_count()} cores, NumPy {np.__version__}"
    can = provider.capabilities
    origin = provider.installed
    device = ", ".join(filter(None, (can.name, can.driver)))
    return f"{device}, {origin.name} of {origin.package} {origin.version}"


def calibration(provider: Provider | None, mode: Mode, folder: str | None) -> Calibration:
    """Return the rates of a provider, or of host rules for None.

    Args:
        mode: ``once`` measures where nothing is kept, ``always`` does anyway; ``kept`` and
            ``never`` take typical rates instead. ``once`` and ``kept`` mend what was measured on a
            busy machine that is quiet now.
        folder: where calibrations are kept, or None.

    Raises:
        DeviceFault: the device failed while it was measured.
    """
    key = key_of(provider)
    kept = None if mode == "always" else load(key, folder)
    if kept is not None:
        return kept if mode == "never" or not _due(kept) else _mended(kept, provider, folder)
    if mode in ("never", "kept"):
        kind = "rules" if provider is None else costs.kind_of(provider.capabilities)
        return Calibration(key, costs.typical(kind))
    made = _measured(Calibration(key, Rates(0.0, {})), provider)
    for _ in range(1, ATTEMPTS if mode == "always" else 1):
        if made.doubtful:
            made = _measured(made, provider)
    store(made, folder)
    return made


def _due(kept: Calibration) -> bool:
    """Whether now is a time to take what is doubtful again."""
    return kept.doubtful > 0 and not 0 <= time.time() - kept.when < PAUSE and not is_loaded()


def _mended(kept: Calibration, provider: Provider | None, folder: str | None) -> Calibration:
    """`kept` with some of its doubtful times taken again."""
    # beforehand: others need not try now, nor again and again what ends the process
    store(_tried(kept), folder)
    made = _measured(kept, provider, BRIEF)
    store(made, folder)
    return made


def _tried(kept: Calibration) -> Calibration:
    """`kept` as where taking its doubtful times again told nothing."""
    samples = dict(kept.rates.samples)
    for name in to_retake(samples):
        samples[name] = samples[name]._replace(tries=samples[name].tries + 1)
    rates = attrs.evolve(kept.rates, samples=samples)
    return kept._replace(rates=rates, when=time.time())


def _measured(
    before: Calibration, provider: Provider | None, budget: float | None = None
) -> Calibration:
    """Measure everything, or again what is doubtful `before`.

    Args:
        budget: seconds for that, if they are to be few.
    """
    # what measures is loaded where something is measured
    from runmat_core.accel.devices import measure
    from runmat_core.api.progress import Progress

    started = time.perf_counter()
    loaded = is_loaded()
    again = before.rates if before.rates.samples else None
    seconds = measure.BUDGET if budget is None else budget
    with Progress(f"Measuring {before.key}") as progress:
        if provider is None:
            rates = measure.measure_rules(seconds, again, progress.step)
        else:
            rates = measure.measure(provider, seconds, again, progress.step)
    if loaded:
        samples = under_load(rates.samples, before.rates.samples)
        rates = attrs.evolve(rates, samples=samples)
    spent = before.seconds + time.perf_counter() - started
    return Calibration(before.key, rates, time.time(), spent)


def session_costs(choice: Choice, mode: Mode, folder: str | None) -> Costs:
    """Return what a session with these providers reckons with.

    A device far away is measured at first use, and the host with it, as they are to be compared.
    Without one, host provider and host rules take typical rates until ``runmat calibrate``: both
    work in the same memory at nearly the same rates, so a wrong choice between them costs little,
    and the times of the first runs of a plan correct it. Measuring would take longer than most
    programs run.
    """
    careful: Mode = "kept" if choice.device is None and mode == "once" else mode

    def rates(provider: Provider | None) -> Rates:
        try:
            return calibration(provider, careful, folder).rates
        except DeviceFault:
            # a device that fails here will fail at work, where the user is told
            return calibration(provider, "never", folder).rates

    return Costs(
        None if choice.device is None else rates(choice.device),
        None if choice.host is None else rates(choice.host),
        rates(None),
    )


def pinned_costs(choice: Choice) -> Costs:
    """Return the costs of a session that measures nothing: the typical rates of kinds of devices.

    Placements, and with them every bit of a result, then depend on the program, the configuration
    and the kinds of devices that there are, not on any time.
    """

    def rates(provider: Provider | None) -> Rates | None:
        return None if provider is None else costs.typical(costs.kind_of(provider.capabilities))

    return Costs(rates(choice.device), rates(choice.host), costs.typical("rules"), learns=False)


def load(key: str, folder: str | None) -> Calibration | None:
    """Return what is kept for a device; None where there is nothing that can be used."""
    if folder is None:
        return None
    try:
        with open(_path(key, folder), encoding="utf-8") as file:
            data = json.load(file)
        if data["format"] != FORMAT or data["key"] != key:
            return None
        rates = costs.from_json(data["rates"])
        return Calibration(key, rates, float(data["when"]), float(data["seconds"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def store(made: Calibration, folder: str | None) -> None:
    """Keep a calibration; a folder that cannot be written to is no error."""
    if folder is None:
        return
    data = {
        "format": FORMAT,
        "key": made.key,
        "when": made.when,
        "seconds": made.seconds,
        "rates": costs.to_json(made.rates),
    }
    caches.write(_path(made.key, folder), json.dumps(data, indent=1).encode())


def _path(key: str, folder: str) -> str:
    return os.path.join(folder, f"calibration-{caches.name_of(key)[:16]}.json")
