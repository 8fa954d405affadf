"""Which adapter is used: found by configuration, never through OpenGL."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import attrs

from runmat_wgpu.device import declarations
from runmat_wgpu.options import BACKENDS, Options

#: Features that kernels use where they are there; the others are left off.
WANTED = frozenset({"shader-f64", "shader-int64", "subgroup", "timestamp-query", "immediates"})
#: The size of subgroups stands with the limits of an adapter under this name.
SUBGROUP = "subgroup-size"
#: That size by the PCI number of a vendor, all of whose devices have one: NVIDIA and Apple. Drivers
#: of others choose it for each shader, and wgpu gives its bounds as 4 and 128 for every adapter.
_SUBGROUPS = {0x10DE: 32, 0x106B: 32}
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
        vendor: of the device, as its driver names it.
        subgroup: invocations of every subgroup; 0 where shaders may differ.
    """

    name: str
    backend: str
    kind: str
    driver: str
    features: frozenset[str]
    handle: Any = attrs.field(eq=False, repr=False)
    vendor: str = ""
    subgroup: int = 0

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
#: Where drivers of Vulkan are named.
DRIVERS = (
    "/usr/share/vulkan/icd.d/*",
    "/usr/local/share/vulkan/icd.d/*",
    "/etc/vulkan/icd.d/*",
    "~/.local/share/vulkan/icd.d/*",
)


def hardware_is_possible() -> bool:
    """Whether a GPU may be there; False only where it is certain that there is none.

    It takes no driver to see that, and hence no time.
    """
    if not sys.platform.startswith("linux"):
        return True
    return any(glob.glob(f"/dev/{pattern}") for pattern in _DEVICE_FILES)


def find(options: Options, cache_folder: str = "") -> Adapter | None:
    """Return the adapter that the options ask for, None where there is none.

    Args:
        cache_folder: see `declarations.load`.
    """
    return survey(options, cache_folder)[0]


def survey(options: Options, cache_folder: str = "") -> tuple[Adapter | None, list[str]]:
    """Return the adapter that the options ask for, what was seen, and why it was not taken."""
    every = adapters(cache_folder)
    refused = [_refused(adapter, options) for adapter in every]
    fit = [adapter for adapter, why in zip(every, refused, strict=True) if not why]
    rank = _RANK[options.power_preference]
    fit.sort(key=lambda a: rank.index(a.kind) if a.kind in rank else len(rank))
    taken = fit[0] if fit else None
    seen = [
        f"{adapter.name} ({adapter.kind} through {adapter.backend}): "
        + (why or ("taken" if adapter is taken else f"{taken and taken.name} is preferred"))
        for adapter, why in zip(every, refused, strict=True)
    ]
    return taken, seen


def _refused(adapter: Adapter, options: Options) -> str:
    """Why an adapter may not be taken, empty where it may."""
    backend = _backend(adapter.backend)
    if not backend:
        return f"{adapter.backend} lacks what kernels need"
    if options.backend not in ("auto", backend):
        return f'accel.wgpu.backend is "{options.backend}"'
    if options.adapter.lower() not in adapter.name.lower():
        return f'accel.wgpu.adapter is "{options.adapter}"'
    return ""


def driver_text() -> str:
    """Return what stands on this machine for a GPU, without asking a driver."""
    if not sys.platform.startswith("linux"):
        return "the platform's own"
    devices = sorted(path for p in _DEVICE_FILES for path in glob.glob(f"/dev/{p}"))
    drivers = sorted(
        os.path.basename(path) for p in DRIVERS for path in glob.glob(os.path.expanduser(p))
    )
    return (
        f"device files: {', '.join(devices) or 'none in /dev'}; "
        f"drivers of Vulkan: {', '.join(drivers) or 'none installed'}"
    )


def adapters(cache_folder: str = "") -> list[Adapter]:
    """All adapters, those of backends that may not be used included."""
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
    return [_adapter(handle) for handle in handles]


def _adapter(handle: Any) -> Adapter:
    info = handle.info
    return Adapter(
        name=info["device"] or info["vendor"] or "unnamed adapter",
        backend=info["backend_type"],
        kind=info["adapter_type"],
        driver=info["description"],
        features=frozenset(handle.features),
        handle=handle,
        vendor=info["vendor"],
        subgroup=_SUBGROUPS.get(info["vendor_id"], 0) if "subgroup" in handle.features else 0,
    )


def _backend(kind: str) -> str:
    """Return the option's word for a backend, empty where it may not be used."""
    words = {name.lower(): word for word, name in BACKENDS.items()} | {"d3d12": "dx12"}
    return words.get(kind.lower(), "")


@contextmanager
def _quiet() -> Iterator[None]:
    """Drivers complain on stderr where this folder is not named, though nothing needs it."""
    missing = "XDG_RUNTIME_DIR" not in os.environ
    if missing:
        import tempfile  # brings random numbers and three compressors

        os.environ["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
    try:
        yield
    finally:
        if missing:
            os.environ.pop("XDG_RUNTIME_DIR", None)
