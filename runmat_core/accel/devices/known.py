"""Whether this environment had a device when it was last looked for.

Starting a provider tells, but takes a good part of a second. What came of the last search is kept
in the folder of caches, for the installed providers that it was true of.
"""

from __future__ import annotations

import os

from runmat_core.accel import caches
from runmat_core.accel.devices import discovery

_FILE = "device"


def device(cache_folder: str) -> str:
    """Return ``found`` or ``none`` as the last search came to, or empty where nothing is known.

    No provider is imported; where none that is installed declares that it may have a device, there
    is none.

    Args:
        cache_folder: of all caches; empty: nothing was kept.
    """
    found = discovery.installed()
    wanted = [discovery.declared(origin) for origin in found.values()]
    if not any(said.kind != "host" and (said.preference or 0) >= 0 for said in wanted):
        return "none"
    try:
        with open(os.path.join(cache_folder, "accel", _FILE), encoding="ascii") as file:
            key, answer = file.read(200).split()
    except (OSError, ValueError):
        return ""
    return answer if key == _key(found) and answer in ("found", "none") else ""


def keep(cache_folder: str, found: bool) -> None:
    """Keep whether the search of a configuration that leaves the provider open found a device."""
    if not cache_folder:
        return
    text = f"{_key(discovery.installed())} {'found' if found else 'none'}\n"
    folder = caches.folder("accel", root=cache_folder)
    if folder is None:
        return
    path = os.path.join(folder, _FILE)
    try:
        with open(path, encoding="ascii") as file:
            if file.read(200) == text:
                return
    except (OSError, ValueError):
        pass
    caches.write(path, text.encode())


def _key(found: dict[str, discovery.Installed]) -> str:
    """Return what the answer holds for: the installed providers, by name and version."""
    text = " ".join(f"{one.name}={one.package}-{one.version}" for one in found.values())
    return caches.name_of(text)
