"""Whether this environment had a device when it was last looked for.

Starting a provider tells, but takes a good part of a second, and reading the metadata of packages
a few hundredths of one. What came of the last search is kept in the folder of caches, for the
installed providers that it was true of, with the state of the folders in which packages lie.
"""

from __future__ import annotations

import os
import sys

from runmat_core.accel import caches, packages

_FILE = "device"


def device(cache_folder: str) -> str:
    """Return ``found`` or ``none`` as the last search came to, or empty where nothing is known.

    No provider is imported; where none that is installed declares that it may have a device, there
    is none. Where no package came or went since, their metadata is not looked at.

    Args:
        cache_folder: of all caches; empty: nothing was kept.
    """
    kept = _read(cache_folder)
    if kept is not None and kept[1] == _state():
        return kept[2]
    from runmat_core.accel.devices import discovery

    found = discovery.installed()
    wanted = [discovery.declared(origin) for origin in found.values()]
    if not any(said.kind != "host" and (said.preference or 0) >= 0 for said in wanted):
        answer = "none"
    elif kept is not None and kept[0] == _key():
        answer = kept[2]
    else:
        return ""
    keep(cache_folder, answer == "found")
    return answer


def keep(cache_folder: str, found: bool) -> None:
    """Keep whether the search of a configuration that leaves the provider open found a device."""
    if not cache_folder:
        return
    text = f"{_key()} {_state()} {'found' if found else 'none'}\n"
    folder = caches.folder("accel", root=cache_folder)
    if folder is None:
        return
    path = os.path.join(folder, _FILE)
    try:
        with open(path, encoding="utf-8") as file:
            if file.read(200) == text:
                return
    except (OSError, ValueError):
        pass
    caches.write(path, text.encode())


def _read(cache_folder: str) -> tuple[str, str, str] | None:
    """Return what was kept: of which providers, in which state of the folders, and the answer."""
    if not cache_folder:
        return None
    try:
        with open(os.path.join(cache_folder, "accel", _FILE), encoding="utf-8") as file:
            key, state, answer = file.read(200).split()
    except (OSError, ValueError):
        return None
    return (key, state, answer) if answer in ("found", "none") else None


def _key() -> str:
    """Return what the answer holds for: the installed providers, by name and version."""
    from runmat_core.accel.devices import discovery

    found = discovery.installed()
    return caches.name_of(
        " ".join(f"{one.name}={one.package}-{one.version}" for one in found.values())
    )


def _state() -> str:
    """Return what changes when packages come or go: their folders, and when these changed."""
    return caches.name_of(repr(packages.state(sys.path)))
