"""The rates of devices: measured once for each device, driver and version, and kept on disk.

Where the machine was busy meanwhile, the best of several attempts counts, and a later session that
finds it quiet measures again.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
import time
from hashlib import sha256
from typing import Literal

import attrs
import numpy as np

from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.devices.providers import Choice
from runmat_core.accel.placement import costs
from runmat_core.accel.placement.costs import Costs, Rates
from runmat_core.accel.placement.load import STEADY, best, is_loaded
from runmat_core.api.device import DeviceFault

#: The version of the files.
FORMAT = 1
#: How often a busy machine is measured at once: while a program waits, and when it was asked for.
ATTEMPTS = {"once": 2, "always": 4}
#: How often altogether, until what is known must do.
PATIENCE = 6

Mode = Literal["once", "never", "always"]


@attrs.frozen
class Calibration:
    """The rates of one device, and when they were measured.

    Attributes:
        key: what they hold for: device, driver, provider and version.
        when: seconds since the epoch; 0 for typical rates.
        seconds: how long measuring took.
        busy: whether the machine had other work meanwhile, so that the rates may be too slow.
        attempts: how often they were measured, the best of which they are.
    """

    key: str
    rates: Rates
    when: float = 0.0
    seconds: float = 0.0
    busy: bool = False
    attempts: int = 1


def key_of(provider: Provider | None) -> str:
    """What a calibration holds for; of host rules for None."""
    if provider is None:
        return f"rules, {platform.machine()}, {os.cpu_count()} cores, NumPy {np.__version__}"
    can = provider.capabilities
    origin = provider.installed
    device = ", ".join(filter(None, (can.name, can.driver)))
    return f"{device}, {origin.name} of {origin.package} {origin.version}"


def calibration(provider: Provider | None, mode: Mode, folder: str | None) -> Calibration:
    """The rates of a provider, or of host rules for None.

    Args:
        mode: ``once`` measures where nothing is kept, or what is kept was measured on a busy
            machine that is quiet now; ``always`` does anyway, ``never`` takes typical rates
            instead.
        folder: where calibrations are kept, or None.

    Raises:
        DeviceFault: the device failed while it was measured.
    """
    key = key_of(provider)
    kept = None if mode == "always" else load(key, folder)
    if kept is not None:
        doubtful = kept.busy and kept.attempts < PATIENCE
        if mode == "never" or not doubtful or is_loaded():
            return kept
    if mode == "never":
        kind = "rules" if provider is None else costs.kind_of(provider.capabilities)
        return Calibration(key, costs.typical(kind))
    made = _measured(key, provider, ATTEMPTS[mode], kept)
    store(made, folder)
    return made


def _measured(
    key: str, provider: Provider | None, attempts: int, kept: Calibration | None
) -> Calibration:
    """Measure, several times where the machine is busy.

    Args:
        kept: what was measured earlier on a busy machine.
    """
    # what measures is loaded where something is measured
    from runmat_core.accel.placement.measure import measure, measure_rules

    started = time.perf_counter()
    made = kept
    for attempt in range(1, attempts + 1):
        busy = is_loaded()
        rates = measure_rules() if provider is None else measure(provider)
        busy = busy or rates.spread > STEADY
        so_far = attempt if kept is None else kept.attempts + attempt
        if made is not None and busy:
            rates = best(rates, made.rates)
        spent = time.perf_counter() - started
        made = Calibration(key, rates, time.time(), spent, busy, so_far)
        if not busy:
            break
    assert made is not None
    return made


def session_costs(choice: Choice, mode: Mode, folder: str | None) -> Costs:
    """What a session with these providers reckons with.

    A device far away is measured at first use, and the host with it, as they are to be compared.
    Without one, host provider and host rules take typical rates until ``runmat calibrate``: both
    work in the same memory at nearly the same rates, so a wrong choice between them costs little,
    and the times of the first runs of a plan correct it. Measuring would take longer than most
    programs run.
    """
    careful: Mode = mode if choice.device is not None or mode == "always" else "never"

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


def load(key: str, folder: str | None) -> Calibration | None:
    """What is kept for a device; None where there is nothing that can be used."""
    if folder is None:
        return None
    try:
        with open(_path(key, folder), encoding="utf-8") as file:
            data = json.load(file)
        if data["format"] != FORMAT or data["key"] != key:
            return None
        rates = costs.from_json(data["rates"])
        busy, attempts = bool(data.get("busy", False)), int(data.get("attempts", 1))
        return Calibration(key, rates, float(data["when"]), float(data["seconds"]), busy, attempts)
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
        "busy": made.busy,
        "attempts": made.attempts,
        "rates": costs.to_json(made.rates),
    }
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
        os.replace(temporary, _path(made.key, folder))
    except OSError:
        return


def _path(key: str, folder: str) -> str:
    return os.path.join(folder, f"calibration-{sha256(key.encode()).hexdigest()[:16]}.json")
