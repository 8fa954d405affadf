"""Names of providers that are meant where another one stands."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Providers that this project publishes, each in the package ``runmat-NAME``: their sections may
#: stand in a file for several machines, and their packages are suggested.
PUBLISHED = ("inprocess", "native", "torch", "wgpu")


def suggestion(name: str, found: Iterable[str]) -> str:
    """Return what helps with the name of a provider that is not installed."""
    if name in PUBLISHED:
        return f"pip install runmat-{name} brings it."
    close = nearest_provider(name, found)
    return f'{close} "none" stands for no provider.'.strip()


def nearest_provider(name: str, found: Iterable[str]) -> str:
    """Return a question about the provider that `name` may be a misspelling of."""
    there = list(found)
    near = nearest(name.lower(), dict.fromkeys([*there, *PUBLISHED]))
    if not near:
        return ""
    brings = "" if near in there else f" pip install runmat-{near} brings it."
    return f"Did you mean {near}?{brings}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the nearest of some names, or the one that it begins or ends; empty for none."""
    import difflib

    names = list(known)
    close = difflib.get_close_matches(name, names, 1, 0.6)
    parts = [other for other in names if len(name) > 2 and name in re.split("[._]", other)]
    return (close or parts or [""])[0]
