"""The hooks: those of the in-process provider, with kernels of machine code."""

from __future__ import annotations

import time

import attrs
from runmat_inprocess import InprocessProvider
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.layouts import SLICE_BLOCKS
from runmat_inprocess.options import read_options

from runmat_core.api.device import (
    Capabilities,
    Executable,
    ProviderTelemetry,
    StartRequest,
    TelemetryRequest,
)
from runmat_core.api.hookspecs import hookimpl
from runmat_core.api.ir import Kernel, Unit
from runmat_native.builds import Builds
from runmat_native.crew import Crew
from runmat_native.kernels import NativeKernel
from runmat_native.options import NativeOptions

#: As in ``runmat_provider.toml``: before a host provider that declares none.
PREFERENCE = 10

#: Work from which on an evaluation takes no longer than host rules: see `Capabilities.break_even`.
BREAK_EVEN = 1_200_000


class NativeProvider(InprocessProvider):
    """The processor, by machine code that LLVM makes of kernels."""

    def __init__(self) -> None:
        super().__init__()
        self.builds = Builds("")

    @hookimpl
    def capabilities(self, request: StartRequest) -> Capabilities | None:
        """Start: as the in-process provider does; LLVM comes with the first kernel that pays."""
        options = read_options(request.options, NativeOptions, "native")
        self.builds = Builds(request.cache_folder, bool(options.eager))
        self.builds.offer_stream()
        plain = tuple((k, v) for k, v in request.options if k not in NativeOptions.own)
        told = super().capabilities(attrs.evolve(request, options=plain))
        if told is None:
            return None
        slab_bytes = options.block * 8 * SLICE_BLOCKS
        self.pool = Crew(len(self.pool.workers), slab_bytes, self.builds.crew, self.builds.join)
        return attrs.evolve(
            told,
            preference=PREFERENCE,
            joins=True,
            flat_reductions=True,
            break_even=BREAK_EVEN,
            driver=f"{told.driver}, LLVM",
            details=(*told.details, ("code", "LLVM")),
        )

    def _compile(self, unit: Unit) -> Executable | None:
        if not isinstance(unit, Kernel):
            return super()._compile(unit)
        started = time.perf_counter()
        try:
            payload = NativeKernel(unit, self.options.block, self.builds)
        except DeclinedError:
            return None
        self.counters.compiles += 1
        self.counters.compile_seconds += time.perf_counter() - started
        return Executable(unit, self.name, payload)

    @hookimpl
    def telemetry(self, request: TelemetryRequest) -> ProviderTelemetry:
        builds, objects = self.builds, self.builds.objects
        told = super().telemetry(request)
        return attrs.evolve(
            told,
            counters=(
                *told.counters,
                ("native_compiles", float(builds.compiled)),
                ("native_compile_seconds", builds.seconds),
                ("native_failures", float(builds.failed)),
                ("object_hits", float(objects.hits)),
                ("object_misses", float(objects.misses)),
                ("objects_damaged", float(objects.damaged)),
            ),
        )

    @hookimpl
    def close(self) -> bool:
        self.builds.close()
        return super().close()
