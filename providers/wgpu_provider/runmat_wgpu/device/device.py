"""An opened device: what the hooks ask for, done by its parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.device import (
    NUMPY_DTYPE,
    DeviceArray,
    DeviceFault,
    DeviceLost,
    Downloaded,
    Executable,
    ExecuteRequest,
    LaunchSizes,
    ProviderTelemetry,
)
from runmat_core.api.ir import Unit
from runmat_core.api.tuples import NamedTuple
from runmat_wgpu import codegen
from runmat_wgpu.codegen.shader import DeclinedError, Prepared, Target, Template
from runmat_wgpu.device.adapter import Adapter
from runmat_wgpu.device.clock import Clock
from runmat_wgpu.device.emitted import AHEAD_SECONDS, Emitted, Entry
from runmat_wgpu.device.gpu import Gpu
from runmat_wgpu.device.groups import Groups
from runmat_wgpu.device.memory import STORED, Memory, dtype_name
from runmat_wgpu.device.narrow import LEAST, NarrowTransfers
from runmat_wgpu.device.pipelines import InvalidShaderError, Pipelines
from runmat_wgpu.device.plans import Compiled
from runmat_wgpu.device.pool import Pool
from runmat_wgpu.device.programs import Programs
from runmat_wgpu.device.recorder import Recorder
from runmat_wgpu.device.rows import Row
from runmat_wgpu.device.shared import Shared
from runmat_wgpu.device.transfers import Downloads, Fence, Uploads
from runmat_wgpu.device.words import Words
from runmat_wgpu.device.workers import Job
from runmat_wgpu.options import Options
from runmat_wgpu.telemetry import Counters

_NO_BITS = np.zeros(1, np.uint32)


class Generated(NamedTuple):
    """A unit on its way to an executable.

    Attributes:
        name: of its file.
        template: makes its template; None where it was declined.
        launch: that it is compiled for; `prepared`: the same as generated, if it was.
        entry: what is on disk of it.
        checks: each text with the check of it.
    """

    unit: Unit
    name: str
    template: Callable[[], Template] | None = None
    launch: LaunchSizes | None = None
    entry: Entry | None = None
    prepared: Prepared | None = None
    checks: Sequence[tuple[str, Job]] = ()


class Device:
    """All parts of a device.

    Args:
        owner: written into handles and executables.
        features: to ask the device for.
        limit: most bytes that arrays may take; None for as many as the device gives.
        target: what generators may rely on.
        cache_folder: where it may keep what was generated; empty: nowhere.
    """

    def __init__(
        self,
        owner: str,
        adapter: Adapter,
        features: Sequence[str],
        options: Options,
        limit: int | None,
        target: Target,
        cache_folder: str = "",
    ) -> None:
        self.owner = owner
        self.gpu = gpu = Gpu(adapter, features)
        self._target = target
        self._counters = Counters()
        self._groups = Groups(gpu)
        keep = options.keep if options.keep >= 0 else (limit or 1 << 32) // 4
        self._pool = Pool(gpu, limit, keep, self._groups.drop)
        self._memory = Memory(owner, self._pool)
        self._pipelines = Pipelines(gpu)
        self._emitted = Emitted(cache_folder, (adapter.name, adapter.driver), self._pipelines)
        self._clock = Clock(gpu)
        shared = Shared(
            gpu,
            self._memory,
            self._pipelines,
            self._groups,
            Words(gpu, self._pipelines),
            Words(gpu, self._pipelines),
            self._clock,
            self._counters,
            options.profile,
        )
        self._programs = Programs(shared, owner)
        self._uploads = Uploads(gpu)
        least = None if adapter.shared_memory else LEAST
        self._narrow = NarrowTransfers(shared, owner, target, least)
        self._downloads = Downloads(gpu)
        self._fence = Fence(gpu)
        self._before: dict[str, float] = {}
        self._held: Recorder | None = None

    def use(self, target: Target) -> None:
        """Generate for this target from now on."""
        self._target = target

    # -- memory -----------------------------------------------------------------------------------

    def allocate(self, arrays: tuple[tuple[tuple[int, ...], str], ...]) -> tuple[DeviceArray, ...]:
        self.gpu.check()
        return self._memory.allocate(arrays)

    def upload(self, arrays: Sequence[NDArray[Any]]) -> tuple[DeviceArray, ...]:
        self._submit()
        names = [dtype_name(array.dtype) for array in arrays]
        shapes = [array.shape for array in arrays]
        made = self.allocate(tuple(zip(shapes, names, strict=True)))
        try:
            for handle, array in zip(made, arrays, strict=True):
                flat = array.reshape(-1, order="F")
                if self._narrow.takes(handle.dtype, handle.size):
                    self._narrow.send(self._uploads, handle.payload, flat, handle.dtype)
                else:
                    self._uploads.send(handle.payload, flat, STORED[handle.dtype])
                self._counters.uploaded += array.nbytes
        except BaseException:
            self.free(made)
            raise
        return made

    def download(self, handles: Sequence[DeviceArray], status: DeviceArray | None) -> Downloaded:
        self.gpu.check()
        wanted, arrays, rooms = [], [], []
        for handle in handles:
            array, kind = self._memory.array(handle), NUMPY_DTYPE[handle.dtype]
            if self._narrow.takes(handle.dtype, handle.size):
                self._submit()
                room, words = self._narrow.pressed(array, handle.dtype, handle.size)
                rooms.append(room)
                wanted.append((room, words, words.dtype))
                flat = words.view(kind)[: handle.size]
            else:
                flat = np.empty(handle.size, kind)
                wanted.append((array, flat, STORED[handle.dtype]))
            arrays.append(flat.reshape(handle.shape, order="F"))
            self._counters.downloaded += flat.nbytes
        bits = _NO_BITS
        if status is not None:
            bits = np.zeros(1, np.uint32)
            wanted.append((self._memory.array(status), bits, bits.dtype))
        held, self._held = self._held, None
        try:
            self._downloads.fetch(wanted, held)
        finally:
            for room in rooms:
                self._narrow.done(room)
        return Downloaded(arrays=tuple(arrays), status=int(bits[0]))

    def free(self, handles: Sequence[DeviceArray]) -> None:
        for handle in handles:
            self._memory.free(handle)

    # -- computing --------------------------------------------------------------------------------

    def compile(self, units: Sequence[tuple[Unit, LaunchSizes | None]]) -> list[Executable | None]:
        """Return the executable of each unit, None where it is not for this device.

        Args:
            units: each with the launch that it is compiled for, where that is known.

        Raises:
            DeviceFault: a generator failed.
        """
        self.gpu.check()
        started = time.perf_counter()
        try:
            # while C checks one, the next is generated
            return [self._compiled(one) for one in [self._generated(*each) for each in units]]
        finally:
            self._counters.compile_seconds += time.perf_counter() - started

    def _generated(self, unit: Unit, launch: LaunchSizes | None) -> Generated:
        target, pipelines = self._target, self._pipelines
        name = self._emitted.name_of(unit, target)
        entry = self._emitted.find(name)
        if entry is not None:
            return Generated(unit, name, lambda: codegen.template(unit, target), launch, entry)
        try:
            template: Template = codegen.template(unit, target, text=False)
            prepared = None
            if launch is not None:
                with suppress(DeviceFault):  # whoever launches it meets that
                    prepared = template.prepare(*launch)
            shaders = () if prepared is None else prepared.dispatches
            sources = [*dict.fromkeys([one.shader.source for one in shaders])] or [template.source]
        except DeclinedError:
            return Generated(unit, name)
        except Exception as problem:
            kind = type(problem).__name__
            raise DeviceFault(
                f"The WGSL of the kernel '{unit.name}' could not be generated: {kind}: {problem}"
            ) from problem
        checks = [(source, pipelines.begin_check(source, unit.name)) for source in sources]
        return Generated(unit, name, lambda: template, launch, None, prepared, checks)

    def _compiled(self, made: Generated) -> Executable | None:
        unit, entry = made.unit, made.entry
        if made.template is None:
            self._counters.declined += 1
            return None
        if entry is None:
            try:
                for source, check in made.checks:
                    self._pipelines.check(source, check)
            except InvalidShaderError as problem:
                # better computed elsewhere than a plan that fails; the core tells of it
                self._counters.refuse(unit.name, problem.message)
                return None
            self._counters.compiles += 1
            entry = self._emitted.new(made.name, made.checks[0][0])
        compiled = Compiled(unit, made.template, entry)
        if made.launch is not None:
            until = time.monotonic() + AHEAD_SECONDS
            compiled.begin(*made.launch, self._pipelines, made.prepared, until)
        return Executable(unit, self.owner, compiled, source=entry.source)

    def execute(self, request: ExecuteRequest) -> None:
        if self.gpu.lost:
            self.gpu.check()
        arrays = self._memory.arrays(request.slots)
        status = None if request.status is None else self._memory.array(request.status)
        params = list(request.params)
        if self._held is not None:
            self._submit()
        for number, part in enumerate(program := self._programs.get(request.steps), 1):
            if request.read_next and number == len(program) and part.__class__ is Row:
                self._held = part.recorded(arrays, status, params, submit=False)
            else:
                arrays = part.run(arrays, status, params)

    def _submit(self) -> None:
        """Submit what was held back for a download that has not come."""
        held, self._held = self._held, None
        if held is not None:
            with held as commands:
                commands.submit()

    def synchronize(self) -> None:
        self._submit()
        self._fence.wait()
        self.gpu.check()

    # -- the rest ---------------------------------------------------------------------------------

    def telemetry(self, reset: bool) -> ProviderTelemetry:
        """Return what happened since the last reset."""
        counted = self.gpu.waits, self.gpu.submits
        with suppress(DeviceLost):  # what was counted before is still right
            self._submit()
            self._clock.read()
        self.gpu.waits, self.gpu.submits = counted  # what telling takes is not told
        memory, clock, counters = self._memory, self._clock, self._counters
        totals = {
            "host_waits": self.gpu.waits,
            "submits": self.gpu.submits,
            "pool_hits": self._pool.hits,
            "pool_misses": self._pool.misses,
            "pipeline_hits": self._pipelines.hits,
            "pipeline_misses": self._pipelines.misses,
            "pipeline_seconds": self._pipelines.seconds,
            "pipelines_ahead": self._emitted.ahead,
            "kernel_file_hits": self._emitted.files.hits,
            "kernel_file_misses": self._emitted.files.misses,
            "kernel_files_stored": self._emitted.files.written,
            "kernel_files_damaged": self._emitted.files.damaged,
            "bind_group_hits": self._groups.hits,
            "bind_group_misses": self._groups.misses,
            "kernel_seconds": clock.seconds,
        }
        since = {name: total - self._before.get(name, 0) for name, total in totals.items()}
        seconds = since.pop("kernel_seconds")
        told = counters.told(
            seconds,
            clock.labels,
            (memory.peak_bytes, memory.live_bytes, memory.live_arrays),
            {**since, "pool_bytes": self._pool.kept},
            self._pipelines.sources,
        )
        if reset:
            self._before = dict(totals)
            clock.labels.clear()
            memory.peak_bytes = memory.live_bytes
            fresh = Counters()
            for name in Counters.__attrs_attrs__:
                setattr(counters, name.name, getattr(fresh, name.name))
        return told

    def close(self) -> None:
        """Let go of everything, once what runs is done."""
        if not self.gpu.lost:
            self._submit()
            self.gpu.wait()
        self._emitted.close()
        self._pipelines.close()
        self._programs.clear()
        self._groups.clear()
        self._pool.clear()
        self.gpu.close()
