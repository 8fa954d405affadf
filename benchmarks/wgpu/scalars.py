"""Functions of one element on the adapter at hand: how accurate, and how fast.

    python -m benchmarks.wgpu.scalars [--save FILE] [--samples 40000] [--seconds 55] [--accuracy]

Errors are the greatest in ulp over the samples of `tests.providers.wgpu.sweeps`. Throughput is that
of a map over 2^26 singles or 2^25 doubles that loads and stores 16 bytes at a time: bytes read and
written a second, the best of a few submissions. Beside it stands the function that WGSL has, where
there is one of singles (there is none of doubles that may be called). Then come functions together:
the chain of the elementwise case, pairs of normal numbers from words, a power with a known exponent
and quotients of a number that all points share. All is made for what the adapter was found to do
with floats, which is told first.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from runmat_wgpu.codegen.scalars import Scalars
from runmat_wgpu.codegen.shader import Target
from runmat_wgpu.device.facts import arithmetic

from benchmarks.wgpu.records import save
from runmat_core.api.ir import OPS
from tests.providers.wgpu.sweeps import KIND, SWEEPS, Sweep

BUILTIN = frozenset(
    "exp log log2 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt pow "
    "atan2".split()
)
_FEATURES = {"shader-f64", "shader-int64"}
_LANES = {"f32": 4, "f64": 2}
_ELEMENTS = {"f32": 1 << 26, "f64": 1 << 25}
_GROUP = 256
_REPEATS = 8
_STORAGE = 0x80 | 0x04 | 0x08

Row = dict[str, Any]


#: Makes the expression of one lane.
Lane = Callable[[Scalars, Sequence[str], str], str]


def map_shader(op: str, dtype: str, target: Target, builtin: bool) -> str:
    """A map of `op`, of the library or WGSL's own."""
    arity = OPS[op].arity

    def lane(scalars: Scalars, args: Sequence[str], dtype: str) -> str:
        own = f"{op}({', '.join(args)})"
        return own if builtin else scalars.call(op, dtype, args, [dtype] * arity)

    return lanes_shader(lane, arity, dtype, target)


def chain(scalars: Scalars, args: Sequence[str], dtype: str) -> str:
    """The elementwise case: four functions and what joins them."""

    def call(op: str, *operands: str) -> str:
        return scalars.call(op, dtype, operands, [dtype] * len(operands))

    x, (tenth, quarter) = args[0], (scalars.literal(v, dtype) for v in (0.1, 0.25))
    wave = f"({call('sin', x)} * {call('exp', f'(-{quotient(scalars, args, dtype)})')})"
    bent = f"chained({wave}, {call('cos', f'({x} * {quarter})')})"
    return f"({call('tanh', bent)} + {tenth} * {bent})"


def quotient(scalars: Scalars, args: Sequence[str], dtype: str) -> str:
    """x / 10, as kernels do it."""
    ten = scalars.literal(10.0, dtype)
    inverse = scalars.inverse(ten, dtype, 10.0)
    if inverse is None:
        return scalars.call("div", dtype, [args[0], ten], [dtype] * 2)
    return scalars.divided(args[0], ten, inverse, dtype, 10.0)


def power(scalars: Scalars, args: Sequence[str], dtype: str) -> str:
    """x ^ 1.8."""
    return scalars.call("pow", dtype, [args[0], scalars.literal(1.8, dtype)], [dtype] * 2)


def normal(scalars: Scalars, args: Sequence[str], dtype: str) -> str:
    """Both normal numbers of a pair, added up: of the words of the operand's bits."""
    bits = f"bitcast<u32>(f32({args[0]}))"
    words = [f"({bits} * {k}u)" for k in ((747796405, 2891336453, 277803737, 1013904223))]
    return f"summed({scalars.random('normal', dtype, *words[: 2 if dtype == 'f32' else 4])})"


TOGETHER: dict[str, Lane] = {
    "chain": chain,
    "x / 10": quotient,
    "x ^ 1.8": power,
    "normal pair": normal,
}


def lanes_shader(lane: Lane, arity: int, dtype: str, target: Target) -> str:
    """A map; operands are stretched as the words say, (0, 1) leaving them as they are."""
    scalars = Scalars(target)
    many = _LANES[dtype]
    vector = f"vec{many}<{dtype}>"
    lanes = []
    for part in "xyzw"[:many]:
        lanes.append(lane(scalars, [f"v{k}.{part}" for k in range(arity)], dtype))
    inputs = [
        f"@group(0) @binding({k}) var<storage, read> in{k}: array<{vector}>;" for k in range(arity)
    ]
    loads = [
        f"  let v{k} = {dtype}(p.low{k}) + in{k}[i] * {dtype}(p.span{k});" for k in range(arity)
    ]
    return "\n".join(
        [
            "struct P { zero: u32, count: u32, low0: f32, span0: f32, low1: f32, span1: f32, "
            "a: u32, b: u32 }",
            "@group(1) @binding(0) var<uniform> p: P;",
            *inputs,
            f"@group(0) @binding({arity}) var<storage, read_write> result: array<{vector}>;",
            scalars.text(),
            f"fn chained(y: {dtype}, z: {dtype}) -> {dtype} {{ return y * z + 0.25 * (y * y); }}",
            f"fn summed(pair: vec2<{dtype}>) -> {dtype} {{ return pair.x + pair.y; }}",
            f"@compute @workgroup_size({_GROUP})",
            "fn main(@builtin(global_invocation_id) g: vec3<u32>) {",
            f"  let i = g.y * {65535 * _GROUP}u + g.x;",
            "  if (i >= p.count) { return; }",
            *loads,
            f"  result[i] = {vector}({', '.join(lanes)});",
            "}\n",
        ]
    )


class Bench:
    """An adapter, and what was made on it."""

    def __init__(self) -> None:
        os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
        import wgpu
        from wgpu.backends.wgpu_native import extras, ffi, lib

        extras.set_instance_extras(backends=["Primary"])
        adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
        features = sorted(_FEATURES & set(adapter.features))
        self.device = adapter.request_device_sync(required_features=features)
        self.name, self.driver = adapter.info["device"], adapter.info["description"]
        self.software = adapter.info["adapter_type"] == "CPU"
        wide = "shader-f64" in features
        self.facts = arithmetic(self.device, wide)
        known: dict[str, Any] = {"i64": "shader-int64" in features, **self.facts}
        self.target = Target(f64=wide, **known)
        limit = self.device.limits["max-storage-buffer-binding-size"]
        self.bytes = min(256 << 20, limit)
        self._wait: Callable[[], Any] = lambda: lib.wgpuDevicePoll(
            self.device._internal, 1, ffi.NULL
        )
        self._unit: dict[str, Any] = {}
        self._result = self.device.create_buffer(size=self.bytes, usage=_STORAGE)

    def pipeline(self, source: str, inputs: int) -> tuple[Any, Any, Any]:
        kinds = ["read-only-storage"] * inputs + ["storage"]
        entries = [
            {"binding": k, "visibility": 4, "buffer": {"type": kind}}
            for k, kind in enumerate(kinds)
        ]
        storage = self.device.create_bind_group_layout(entries=entries)
        uniform = {"binding": 0, "visibility": 4, "buffer": {"type": "uniform"}}
        words = self.device.create_bind_group_layout(entries=[uniform])
        layout = self.device.create_pipeline_layout(bind_group_layouts=[storage, words])
        module = self.device.create_shader_module(code=source)
        compute = {"module": module, "entry_point": "main"}
        made = self.device.create_compute_pipeline(layout=layout, compute=compute)
        return made, storage, words

    def submit(
        self,
        made: tuple[Any, Any, Any],
        inputs: Sequence[Any],
        vectors: int,
        stretch: Sequence[tuple[float, float]],
        repeats: int,
    ) -> float:
        """Seconds of each of `repeats` dispatches in one submission."""
        pipeline, storage, words = made
        spans = [*stretch, (0.0, 1.0)][:2]
        uniform = np.zeros(8, np.uint32)
        uniform[1] = vectors
        uniform[2:6] = np.array(spans, np.float32).ravel().view(np.uint32)
        held = self.device.create_buffer_with_data(data=uniform, usage=0x40)
        groups = []
        for layout, buffers in ((storage, [*inputs, self._result]), (words, [held])):
            entries = [
                {"binding": k, "resource": {"buffer": b, "offset": 0, "size": b.size}}
                for k, b in enumerate(buffers)
            ]
            groups.append(self.device.create_bind_group(layout=layout, entries=entries))
        encoder = self.device.create_command_encoder()
        work = encoder.begin_compute_pass()
        work.set_pipeline(pipeline)
        for k, group in enumerate(groups):
            work.set_bind_group(k, group)
        blocks = -(-vectors // _GROUP)
        for _ in range(repeats):
            work.dispatch_workgroups(min(blocks, 65535), -(-blocks // 65535))
        work.end()
        commands = encoder.finish()
        self._wait()
        start = time.perf_counter()
        self.device.queue.submit([commands])
        self._wait()
        return (time.perf_counter() - start) / repeats

    def unit(self, dtype: str) -> Any:
        """Numbers in [0, 1), as many as are mapped."""
        if dtype not in self._unit:
            kind = KIND[dtype]
            most = 1 << 20 if self.software else _ELEMENTS[dtype]
            count = min(most, self.bytes // kind().itemsize)
            part = np.random.default_rng(0).random(1 << 20).astype(kind)
            data = np.tile(part, -(-count // part.size))[:count]
            self._unit[dtype] = self.device.create_buffer_with_data(data=data, usage=_STORAGE)
            self.device.queue.submit([])
        return self._unit[dtype]

    def throughput(self, made: Any, sweep: Sweep, dtype: str) -> float:
        """GB/s over the first of the function's spans."""
        spans = [(0.5, 2.0) if s.logarithmic else (s.low, s.high - s.low) for s in sweep.spans[0]]
        return self.speed(made, dtype, spans)

    def speed(self, made: Any, dtype: str, spans: Sequence[tuple[float, float]]) -> float:
        """GB/s of a map whose operands start and reach as `spans` say."""
        data = self.unit(dtype)
        inputs = [data] * len(spans)
        vectors = data.size // 16
        self.submit(made, inputs, vectors, spans, 1)
        repeats = 1 if self.software else _REPEATS
        best = min(self.submit(made, inputs, vectors, spans, repeats) for _ in range(3))
        return float(data.size * (len(spans) + 1) / best / 1e9)

    def errors(
        self, made: Any, sweep: Sweep, dtype: str, samples: int
    ) -> tuple[float, list[float]]:
        """The greatest error in ulp, and where."""
        operands = sweep.samples(dtype, samples)
        if dtype == "f32" and not self.target.subnormals:
            operands = sweep.normal(operands)
        count = len(operands[0])
        padded = [np.pad(x, (0, -count % 4), mode="edge") for x in operands]
        assert padded[0].nbytes <= self.bytes
        buffers = [self.device.create_buffer_with_data(data=x, usage=_STORAGE) for x in padded]
        self.submit(made, buffers, padded[0].nbytes // 16, [(0.0, 1.0)] * len(buffers), 1)
        raw = self.device.queue.read_buffer(self._result, 0, padded[0].nbytes)
        got = np.frombuffer(raw, KIND[dtype])[:count]
        found = sweep.errors(got, operands)
        worst = int(np.argmax(found))
        return float(found[worst]), [float(x[worst]) for x in operands]


def measure(bench: Bench, sweep: Sweep, dtype: str, samples: int, accuracy: bool) -> Row:
    """One row of the table."""
    few = max(100, samples // 50) if sweep.slow else samples
    inputs = OPS[sweep.op].arity
    row: Row = {"op": sweep.op, "dtype": dtype}
    variants = [("", False)]
    if dtype == "f32" and sweep.op in BUILTIN:
        variants.append(("builtin ", True))
    for prefix, builtin in variants:
        source = map_shader(sweep.op, dtype, bench.target, builtin)
        start = time.perf_counter()
        made = bench.pipeline(source, inputs)
        error, where = bench.errors(made, sweep, dtype, few)
        row[f"{prefix}ulp"] = error if np.isfinite(error) else "inf"  # JSON has no infinity
        row[f"{prefix}worst at"] = where
        row[f"{prefix}first result s"] = round(time.perf_counter() - start, 3)
        if not accuracy:
            row[f"{prefix}GB/s"] = bench.throughput(made, sweep, dtype)
    return row


def measure_together(bench: Bench, name: str, dtype: str) -> Row:
    """One row for functions together, of operands in [1, 20]."""
    made = bench.pipeline(lanes_shader(TOGETHER[name], 1, dtype, bench.target), 1)
    spans = [(1.0, 19.0)]
    return {"op": name, "dtype": dtype, "GB/s": bench.speed(made, dtype, spans)}


def table(rows: Sequence[Row]) -> str:
    """The rows in columns."""
    columns = ["ulp", "GB/s", "builtin ulp", "builtin GB/s"]
    lines = ["| function | type | " + " | ".join(columns) + " |", "|---|---" + "|---" * 4 + "|"]
    for row in rows:
        cells = []
        for column in columns:
            value = row.get(column)
            cells.append(f"{value:.4g}" if isinstance(value, float) else value or "")
        lines.append(f"| {row['op']} | {row['dtype']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--samples", type=int, default=40000, help="of each span")
    parser.add_argument("--seconds", type=float, default=55, help="start nothing after these")
    parser.add_argument("--accuracy", action="store_true", help="measure no throughput")
    options = parser.parse_args()
    end = time.perf_counter() + options.seconds
    bench = Bench()
    print(f"{bench.name}: {bench.facts}\n", flush=True)
    rows: list[Row] = []
    left: list[str] = []
    dtypes = [t for t in ("f32", "f64") if t == "f32" or (bench.target.f64 and bench.target.i64)]
    if not options.accuracy:
        rows += [measure_together(bench, name, dtype) for name in TOGETHER for dtype in dtypes]
    for sweep in SWEEPS:
        for dtype in dtypes:
            unknown = sweep.slow and importlib.util.find_spec("mpmath") is None
            if unknown or time.perf_counter() > end:
                left.append(f"{sweep.op} {dtype}")
                continue
            rows.append(measure(bench, sweep, dtype, options.samples, options.accuracy))
    print(f"{bench.name}, {options.samples} samples of each span\n\n{table(rows)}")
    if left:
        print(f"\nnot measured (no time, or no mpmath): {', '.join(left)}")
    if options.save:
        measured = {"samples": options.samples, "rows": rows, "left": left}
        save(options.save, bench, facts=bench.facts, **measured)


if __name__ == "__main__":
    main()
