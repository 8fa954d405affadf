"""The options of this provider: keys of ``[accel.wgpu]`` in the configuration."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import attrs

from runmat_core.api.device import DeviceFault

#: Graphics interfaces that may be used; OpenGL lacks what kernels need.
BACKENDS = {"vulkan": "Vulkan", "metal": "Metal", "dx12": "Dx12"}


@attrs.frozen
class Options:
    """What may be configured.

    Attributes:
        power_preference: which adapter is taken where there are several.
        adapter: part of the name of the adapter to take, in any case of letters; empty: any.
        backend: the graphics interface, ``auto`` for the platform's own.
        memory: most bytes that arrays may take; 0: as measured when the device starts.
        keep: most bytes of freed memory to keep for reuse; -1: a quarter of `memory`.
        probe: when a new adapter is tried out in a process of its own: ``once`` for each driver,
            ``always``, ``never``.
        probe_seconds: after which that process counts as hung.
        profile: measure each dispatch by itself, which costs a little of its time.
    """

    power_preference: str = "high-performance"
    adapter: str = ""
    backend: str = "auto"
    memory: int = 0
    keep: int = -1
    probe: str = "once"
    probe_seconds: int = 30
    profile: bool = False


def _one_of(*choices: str) -> tuple[str, Callable[[Any], bool]]:
    return f"one of {', '.join(choices)}", lambda value: value in choices


def _at_least(least: int) -> tuple[str, Callable[[Any], bool]]:
    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= least

    return f"an integer of at least {least}", fits


#: What each option is, in words and as a test.
RULES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "power_preference": _one_of("high-performance", "low-power"),
    "adapter": ("text", lambda value: isinstance(value, str)),
    "backend": _one_of("auto", *BACKENDS),
    "memory": _at_least(0),
    "keep": _at_least(-1),
    "probe": _one_of("once", "always", "never"),
    "probe_seconds": _at_least(1),
    "profile": ("true or false", lambda value: isinstance(value, bool)),
}


def read_options(options: tuple[tuple[str, Hashable], ...]) -> Options:
    """Return the options of a request.

    Raises:
        DeviceFault: an unknown key, or a value that it cannot have.
    """
    for key, value in options:
        if key not in RULES:
            raise DeviceFault(f"wgpu has no option {key}; it has {', '.join(sorted(RULES))}.")
        kind, fits = RULES[key]
        if not fits(value):
            raise DeviceFault(f"The option {key} of wgpu is {kind}, not {value!r}.")
    return Options(**dict(options))  # type: ignore[arg-type]
