"""The hooks. Each takes one request and hands it to the device, which is opened when needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import attrs

from runmat_core.api.device import (
    AllocateRequest,
    Capabilities,
    CompileRequest,
    DeviceArray,
    DeviceFault,
    DeviceLost,
    Downloaded,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    NoDevice,
    ProviderTelemetry,
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    UploadRequest,
    WarmupRequest,
)
from runmat_core.api.hookspecs import hookimpl
from runmat_core.api.ir import CLASS_OF, COMPLEX, COMPLEX_OF, Unit
from runmat_wgpu import codegen, tuning
from runmat_wgpu.codegen.shader import Target
from runmat_wgpu.device import adapter as adapters
from runmat_wgpu.device import probe
from runmat_wgpu.device.limits import target_of
from runmat_wgpu.options import Options, read_options

if TYPE_CHECKING:
    from runmat_wgpu.device.device import Device


class WgpuProvider:
    """A GPU, through wgpu.

    What it can do is read from what was found out once about the adapter (`device.probe`); wgpu is
    loaded and the device opened when the first array or kernel comes.
    """

    def __init__(self) -> None:
        self.name = ""
        self.options = Options()
        self._cache_folder = ""
        self._found = probe.Verdict(found=False)
        self._target = Target()
        self._device: Device | None = None
        self._closed = False
        # by identity, what was compiled to warm up: it is asked for next
        self._warmed: dict[int, tuple[Unit, Executable | None]] = {}

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        """Start: find out which adapter there is, and what its device can do."""
        self.name = request.name
        self.options = read_options(request.options)
        self._cache_folder = request.cache_folder
        if request.auto and not adapters.hardware_is_possible():
            raise NoDevice(f"{adapters.driver_text()}, so no driver was asked")
        self._found = found = probe.verdict(self.options, request.cache_folder)
        if not found.found:
            raise probe.nothing(found)
        if found.problem:
            raise probe.explain(found)
        tuned = tuning.read(request.cache_folder, found.name, found.driver)
        self._target = target_of(
            found.software, frozenset(found.features), found.limits, tuned, found.facts
        )
        return self._described(found)

    def _described(self, found: probe.Verdict) -> Capabilities:
        missing = set() if self._target.f64 else {"f64"}
        missing |= set() if self._target.i64 else {"i64", "u64"}
        missing |= {COMPLEX_OF[part] for part in COMPLEX_OF if part in missing}
        memory, facts = self._memory(), found.facts
        details = {
            "adapter": f"{found.kind} through {found.backend}",
            "vendor": found.vendor,
            "backend": found.backend,
            "threads per block": str(self._target.invocations),
            "found": adapters.driver_text(),
            "others": "; ".join(one for one in found.seen if not one.endswith(": taken")),
            "features": " ".join(found.features) or "none",
            "left off": " ".join(found.without),
            "floats": " ".join(k for k, yes in facts.items() if yes and k != "waits")
            or "not known",
            "workgroups": "may wait for others" if facts.get("waits") else "",
            "largest binding": f"{self._target.binding_bytes} bytes",
            "workgroup": f"{self._target.invocations} invocations, "
            f"{self._target.workgroup_bytes} bytes",
        }
        return Capabilities(
            name=found.name,
            api_version=1,
            kind="device",
            dtypes=(frozenset(CLASS_OF) | COMPLEX) - missing,
            libraries=frozenset(codegen.LIBRARIES),
            epilogues=True,
            slice_bytes=codegen.SLICE_BYTES,
            max_buffer_bytes=found.limits["max-buffer-size"] // 16 * 16,
            max_buffers=self._target.bindings - 1,  # one is the status word
            memory_bytes=memory,
            scans=codegen.SCANS,
            loops=codegen.LOOPS,
            loop_points=codegen.LOOP_POINTS,
            repeats=True,
            driver=found.driver,
            software=found.software,
            details=tuple((key, text) for key, text in details.items() if text),
        )

    def _memory(self) -> int | None:
        """Bytes that arrays may take: of the card, or half of the machine's where it has none."""
        if self.options.memory:
            return self.options.memory
        if self._found.memory is not None:
            return self._found.memory // 10 * 9
        if self._found.kind in adapters.SHARED_MEMORY and hasattr(os, "sysconf"):
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        return None

    def device(self) -> Device:
        """Return the device, opened now where it is not yet.

        No property: older versions of pluggy read every attribute when they register a plugin.

        Raises:
            DeviceLost: it is not the one whose abilities were told.
        """
        if self._device is None:
            self._device = self._opened()
        return self._device

    def _opened(self) -> Device:
        if self._closed:
            raise DeviceLost(f"The provider {self.name} was closed.")
        from runmat_wgpu.device.device import Device

        adapter = adapters.find(self.options, self._cache_folder)
        found = self._found
        if adapter is None or (adapter.name, adapter.driver) != (found.name, found.driver):
            probe.forget(self.options, self._cache_folder)
            raise DeviceLost(f"The adapter {found.name} is not there any more.")
        try:
            return Device(
                self.name,
                adapter,
                found.features,
                self.options,
                self._memory(),
                self._target,
                self._cache_folder,
            )
        except (RuntimeError, KeyError) as problem:
            raise DeviceFault(f"{found.name} could not be opened: {problem}") from problem

    # -- memory -----------------------------------------------------------------------------------

    @hookimpl
    def allocate(self, request: AllocateRequest) -> tuple[DeviceArray, ...]:
        return self.device().allocate(request.arrays)

    @hookimpl
    def upload(self, request: UploadRequest) -> tuple[DeviceArray, ...]:
        return self.device().upload(request.arrays)

    @hookimpl
    def download(self, request: DownloadRequest) -> Downloaded:
        return self.device().download(request.arrays, request.status)

    @hookimpl
    def free(self, request: FreeRequest) -> bool:
        self.device().free(request.arrays)
        return True

    # -- computing --------------------------------------------------------------------------------

    @hookimpl
    def compile(self, request: CompileRequest) -> tuple[Executable | None, ...]:
        ready = [self._warmed.pop(id(unit), None) for unit in request.units]
        hints = request.launches or (None,) * len(ready)
        new = [
            (unit, launch)
            for unit, launch, found in zip(request.units, hints, ready, strict=True)
            if found is None
        ]
        made = iter(self.device().compile(new) if new else ())
        return tuple([next(made) if found is None else found[1] for found in ready])

    @hookimpl
    def execute(self, request: ExecuteRequest) -> bool:
        (self._device or self.device()).execute(request)
        return True

    @hookimpl
    def synchronize(self, request: SynchronizeRequest) -> bool:
        if self._device is not None:
            self._device.synchronize()
        return True

    # -- the rest ---------------------------------------------------------------------------------

    @hookimpl
    def warmup(self, request: WarmupRequest) -> bool:
        """Open the device and compile; tune where that is asked for."""
        if request.tune > 0:
            self._tune(request.tune)
        units = [(unit, None) for unit in request.units]
        made = self.device().compile(units) if units else ()
        for unit, executable in zip(request.units, made, strict=True):
            self._warmed[id(unit)] = unit, executable
        return True

    def _tune(self, seconds: float) -> None:
        """Find the fastest forms, use them from now on, and remember them."""
        from runmat_wgpu.device.tuner import tune

        device, found = self.device(), self._found
        chosen = tune(device, self._target, seconds)
        tuned = {**dict(self._target.tuned), **chosen}
        self._target = attrs.evolve(self._target, tuned=tuple(sorted(tuned.items())))
        device.use(self._target)
        tuning.write(self._cache_folder, found.name, found.driver, chosen)

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        if self._device is None:
            return ProviderTelemetry()
        return self._device.telemetry(request.reset)

    @hookimpl
    def close(self) -> bool:
        self._closed = True
        self._warmed.clear()
        if self._device is not None:
            self._device.close()
            self._device = None
        return True
