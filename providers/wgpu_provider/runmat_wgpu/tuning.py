"""What tuning found for a device, kept between runs: numbers by name, for `Target.tuned`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from runmat_wgpu import files

_FILE = "tuned.json"


def read(cache_folder: str, name: str, driver: str) -> tuple[tuple[str, int], ...]:
    """Return the sorted pairs of a device; none where it was never tuned."""
    found = _all(cache_folder).get(_key(name, driver), {})
    return tuple(sorted(found.items()))


def write(cache_folder: str, name: str, driver: str, tuned: Mapping[str, int]) -> None:
    """Keep what was found for a device, beside what is known of it; without a folder do nothing."""
    if not cache_folder:
        return
    known = _all(cache_folder)
    known[_key(name, driver)] = {**known.get(_key(name, driver), {}), **tuned}
    path = os.path.join(cache_folder, _FILE)
    files.replace(path, json.dumps(known, indent=1, sort_keys=True))


def _key(name: str, driver: str) -> str:
    return f"{name} / {driver}"


def _all(cache_folder: str) -> dict[str, dict[str, int]]:
    """Everything in the file; what does not look like it is not there."""
    if not cache_folder:
        return {}
    try:
        with open(os.path.join(cache_folder, _FILE), encoding="utf-8") as file:
            found = json.load(file)
        return {
            str(device): {str(name): int(value) for name, value in pairs.items()}
            for device, pairs in found.items()
        }
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
