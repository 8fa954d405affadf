"""Shaders to pipelines, with layouts given in full; equal shaders are one pipeline.

Words that a device takes with the commands (immediates, push constants) are no uniform buffer then:
a buffer must be written before each submission in which they change, by one more command buffer.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections import OrderedDict
from functools import partial
from typing import Any

import attrs

from runmat_core.api.device import DeviceFault, DeviceLost
from runmat_wgpu.codegen.shader import Shader
from runmat_wgpu.device.gpu import COMPUTE, Gpu
from runmat_wgpu.device.workers import Job, Workers

#: How many pipelines, and how many modules without one, are cached. One of an emulated device
#: is code for the processor: some 1.5 MB of memory with Mesa's llvmpipe.
PIPELINES, EMULATED, MODULES = 1024, 128, 64
#: So many kernels are told of with what they are.
SOURCES = 100
_ACCESS = {"read": "read-only-storage", "write": "storage"}
#: How the words are declared, and how where they come as immediates.
UNIFORM, IMMEDIATE = "@group(1) @binding(0) var<uniform> p: P;", "var<immediate> p: P;"
_MEMBERS = re.compile(r"struct P \{([^}]*)\}")
_MEMBER = re.compile(r"\s*\w+\s*:\s*(\w+)\s*")
_BYTES = {"u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "f64": 8}


@attrs.frozen(eq=False)
class Layout:
    """Of the storage bindings of shaders; those of equal access share one.

    Attributes:
        number: unlike that of any other.
        raw: as C sees it.
        made: as wgpu's Python layer does.
    """

    number: int
    raw: Any
    made: Any


@attrs.frozen(eq=False)
class Pipeline:
    """A compiled shader.

    Attributes:
        raw: as C sees it.
        storage: layout of group 0.
        words: bytes of ``P``.
        made: as wgpu's Python layer sees it.
        immediate: whether the words come with the commands, not in group 1.
    """

    raw: Any
    storage: Layout
    words: int
    made: Any
    immediate: bool


class InvalidShaderError(DeviceFault):
    """The driver does not take a shader, which is a fault of its generator."""

    identifier = "RunMat:accel:invalidShader"


class Pipelines:
    """All pipelines of a device.

    Attributes:
        hits, misses: of look-ups.
        seconds: spent on making them.
        sources: of those made last, by the label of their kernel.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._limit = EMULATED if gpu.adapter.software else PIPELINES
        self.hits = 0
        self.misses = 0
        self.seconds = 0.0
        self.sources: OrderedDict[str, str] = OrderedDict()
        self._pipelines: OrderedDict[Shader, Pipeline] = OrderedDict()
        self._modules: OrderedDict[str, Any] = OrderedDict()
        self._jobs: dict[Shader, Job] = {}
        self._workers = Workers()
        self._lock = threading.Lock()
        self._layouts = threading.Lock()
        self._storage: dict[tuple[str, ...], Layout] = {}
        self._words: dict[int, Any] = {}
        has = "immediates" in gpu.features
        self._most = gpu.limits.get("max-immediate-size", 0) if has else 0

    def get(self, shader: Shader, label: str) -> Pipeline:
        """Return the pipeline of a shader.

        Args:
            label: names the kernel where that fails.

        Raises:
            InvalidShaderError: it is not valid.
        """
        found = self._pipelines.get(shader)
        if found is not None:
            self.hits += 1
            self._pipelines.move_to_end(shader)
            return found
        self.misses += 1
        started = time.perf_counter()
        found = self._pipelines[shader] = self._taken(shader) or self._made(shader, label)
        self.seconds += time.perf_counter() - started
        self.sources[label] = shader.source
        if len(self.sources) > SOURCES:
            self.sources.popitem(last=False)
        if len(self._pipelines) > self._limit:
            self._pipelines.popitem(last=False)
        return found

    def begin(self, shader: Shader, until: float | None = None) -> bool:
        """Have a pipeline made in a thread beside; whether it is a new one.

        Args:
            until: see `Workers.begin`.
        """
        with self._lock:
            if shader in self._pipelines or shader in self._jobs:
                return False
            self._jobs[shader] = self._workers.begin(partial(self._made, shader, ""), until)
        return True

    def _taken(self, shader: Shader) -> Pipeline | None:
        """Return the pipeline that was begun on; None where none was, or where that failed."""
        with self._lock:
            job = self._jobs.pop(shader, None)
        if job is None:
            return None
        try:
            made: Pipeline = self._workers.finish(job)
        except DeviceFault:
            return None  # it is made once more, and fails by the name of its kernel
        return made

    def begin_check(self, source: str, label: str) -> Job:
        """Have WGSL parsed and validated; `check` waits for it."""
        return self._workers.begin(partial(self._module, source, label))

    def check(self, source: str, job: Job) -> None:
        """Return once WGSL is known to be valid.

        Raises:
            InvalidShaderError: it is not.
        """
        self._modules[source] = self._workers.finish(job)
        if len(self._modules) > MODULES:
            self._modules.popitem(last=False)

    def close(self) -> None:
        """Return when no thread makes anything any more."""
        self._workers.close()

    def words(self, size: int) -> Any:
        """Return the layout of group 1 for a ``P`` of so many bytes."""
        with self._layouts:
            layout = self._words.get(size)
            if layout is None:
                buffer = {"type": "uniform", "has_dynamic_offset": True, "min_binding_size": size}
                with self._gpu.checked("a layout"):
                    layout = self._words[size] = self._gpu.device.create_bind_group_layout(
                        entries=[{"binding": 0, "visibility": COMPUTE, "buffer": buffer}]
                    )
            return layout

    def _layout(self, access: tuple[str, ...]) -> Layout:
        with self._layouts:
            layout = self._storage.get(access)
            if layout is None:
                entries = [
                    {"binding": k, "visibility": COMPUTE, "buffer": {"type": _ACCESS[one]}}
                    for k, one in enumerate(access)
                ]
                with self._gpu.checked("a layout"):
                    made = self._gpu.device.create_bind_group_layout(entries=entries)
                layout = self._storage[access] = Layout(len(self._storage), made._internal, made)
            return layout

    def _made(self, shader: Shader, label: str) -> Pipeline:
        gpu = self._gpu
        storage = self._layout(shader.access)
        module = self._modules.pop(shader.source, None)
        if module is None:
            module = self._module(shader.source, label)
        immediate = self._form(shader.source) is not shader.source
        layouts = [storage.made] if immediate else [storage.made, self.words(shader.words)]
        size = shader.words if immediate else 0
        try:
            with gpu.checked("a pipeline"):
                made = gpu.device.create_compute_pipeline(
                    layout=gpu.device.create_pipeline_layout(
                        bind_group_layouts=layouts, immediate_size=size
                    ),
                    compute={"module": module, "entry_point": "main"},
                )
        except DeviceFault as problem:
            raise invalid(problem, label, shader.source) from problem
        return Pipeline(made._internal, storage, shader.words, made, immediate)

    def _form(self, source: str) -> str:
        """Return the source with its words as immediates, if they are few enough; else as it is."""
        found = _MEMBERS.search(source) if self._most and UNIFORM in source else None
        if found is None:
            return source
        members = [_MEMBER.fullmatch(text) for text in found[1].split(",") if text.strip()]
        types = [member[1] for member in members if member is not None and member[1] in _BYTES]
        if len(types) < len(members):
            return source
        end = 0
        for type_ in types:
            end = -(-end // _BYTES[type_]) * _BYTES[type_] + _BYTES[type_]
        fits = -(-end // 16) * 16 <= self._most
        return source.replace(UNIFORM, IMMEDIATE) if fits else source

    def _module(self, source: str, label: str) -> Any:
        known = self._modules.get(source)
        if known is not None:
            return known
        try:
            with self._gpu.checked("a shader"):
                return self._gpu.device.create_shader_module(code=self._form(source))
        except DeviceFault as problem:
            raise invalid(problem, label, source) from problem


def invalid(problem: DeviceFault, label: str, source: str) -> DeviceFault:
    """Return what went wrong with a shader; ``RUNMAT_DEBUG`` shows all of it."""
    if isinstance(problem, DeviceLost):
        return problem
    text = f"The shader of the kernel '{label}' is not valid: {problem.message[:500]}"
    if os.environ.get("RUNMAT_DEBUG", "") not in ("", "0"):
        text += f"\n{source}"
    return InvalidShaderError(text)
