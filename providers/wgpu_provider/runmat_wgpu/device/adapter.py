"""Which adapter is used: found by configuration, never through OpenGL."""

from __future__ import annotations

import glob
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import attrs

from runmat_wgpu.device import declarations
from runmat_wgpu.options import BACKENDS, Options

#: Features that kernels use where they are there; the others are left off.
WANTED = frozenset({"shader-f64", "shader-int64", "subgroup", "timestamp-query", "immediates"})
#: Adapters whose memory is the host's.
SHARED_MEMORY = frozenset({"CPU", "IntegratedGPU"})
_RANK = {
    "high-performance": ("DiscreteGPU", "IntegratedGPU", "VirtualGPU", "Unknown", "CPU"),
    "low-power": ("IntegratedGPU", "DiscreteGPU", "VirtualGPU", "Unknown", "CPU"),
}


@attrs.frozen
class Adapter:
    """An adapter that was found.

    Attributes:
        name: of the device.
        backend: ``Vulkan``, ``Metal``, ``D3D12``.
        kind: ``DiscreteGPU``, ``IntegratedGPU``, ``VirtualGPU``, ``CPU`` or ``Unknown``.
        driver: its version text.
        features: names of features that the device can do.
        handle: of wgpu.
    """

    name: str
    backend: str
    kind: str
    driver: str
    features: frozenset[str]
    handle: Any = attrs.field(eq=False, repr=False)

    @property
    def software(self) -> bool:
        return self.kind == "CPU"

    @property
    def shared_memory(self) -> bool:
        return self.kind in SHARED_MEMORY

    @property
    def wanted(self) -> list[str]:
        """The features to ask the device for."""
        return sorted(WANTED & self.features)


#: What the kernel of Linux shows where there is a GPU.
_DEVICE_FILES = ("dri", "nvidia*", "dxg", "kfd", "mali*", "nvhost*", "kgsl*")


def hardware_is_possible() -> bool:
    """Whether a GPU may be there; False only where it is certain that there is none.

    It takes no driver to see that, and hence no time.
    """
    if not sys.platform.startswith("linux"):
        return True
    return any(glob.glob(f"/dev/{pattern}") for pattern in _DEVICE_FILES)


def find(options: Options, cache_folder: str = "") -> Adapter | None:
    """The adapter that the options ask for, None where there is none.

    Args:
        cache_folder: see `declarations.load`.
    """
    found = [
        adapter
        for adapter in adapters(cache_folder)
        if options.adapter.lower() in adapter.name.lower()
        and (options.backend == "auto" or _backend(adapter.backend) == options.backend)
    ]
    rank = _RANK[options.power_preference]
    found.sort(key=lambda a: rank.index(a.kind) if a.kind in rank else len(rank))
    return found[0] if found else None


def adapters(cache_folder: str = "") -> list[Adapter]:
    """All adapters of the backends that may be used."""
    with _quiet():
        declarations.load(cache_folder)
        import wgpu
        from wgpu.backends.wgpu_native import extras

        # where somebody else in this process made the instance, its backends are filtered below
        with suppress(RuntimeError):
            extras.set_instance_extras(backends=["Primary"])
        try:
            handles = wgpu.gpu.enumerate_adapters_sync()
        except RuntimeError:
            return []
    return [made for handle in handles if _backend((made := _adapter(handle)).backend)]


def _adapter(handle: Any) -> Adapter:
    info = handle.info
    return Adapter(
        name=info["device"] or info["vendor"] or "unnamed adapter",
        backend=info["backend_type"],
        kind=info["adapter_type"],
        driver=info["description"],
        features=frozenset(handle.features),
        handle=handle,
    )


def _backend(kind: str) -> str:
    """The option's word for a backend, empty where it may not be used."""
    words = {name.lower(): word for word, name in BACKENDS.items()} | {"d3d12": "dx12"}
    return words.get(kind.lower(), "")


@contextmanager
def _quiet() -> Iterator[None]:
    """Drivers complain on stderr where this folder is not named, though nothing needs it."""
    missing = "XDG_RUNTIME_DIR" not in os.environ
    if missing:
        os.environ["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
    try:
        yield
    finally:
        if missing:
            os.environ.pop("XDG_RUNTIME_DIR", None)
