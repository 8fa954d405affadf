"""Behaviour of a device that WGSL leaves open, found by trial.

This is how it computes with floats, by exact test vectors, and whether workgroups may wait for
others.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, Any]

#: Of each result, what a device may do and what NumPy makes of it; b[i] is never 0.
_SHADER = """
@group(0) @binding(0) var<storage, read> data: array<TYPE>;
@group(0) @binding(1) var<storage, read_write> result: array<TYPE>;
fn opaque(x: TYPE) -> TYPE { return bitcast<TYPE>(bitcast<BITS>(x) ^ bitcast<BITS>(data[0])); }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
    let a = data[1u + 2u * g.x];
    let b = data[2u + 2u * g.x];
    let product = opaque(a * b);
    result[3u * g.x] = fma(a, b, -product);
    result[3u * g.x + 1u] = a / b;
    result[3u * g.x + 2u] = ROOT;
}
"""
_COUNT = 4096
#: Independent chains in each of many threads, so that only the rate of operations counts.
_CHAINS = """
@group(0) @binding(0) var<storage, read> data: array<TYPE>;
@group(0) @binding(1) var<storage, read_write> result: array<TYPE>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
    let slope = data[1];
    var a = vec4<TYPE>(data[0], slope, data[0] + slope, TYPE(g.x));
    var b = a + data[0];
    for (var k = 0u; k < 4096u; k++) {
        a = fma(a, vec4<TYPE>(slope), b);
        b = fma(b, vec4<TYPE>(slope), a);
    }
    result[g.x] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}
"""
_THREADS = 1 << 18
_POWERS = """
@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) { result[g.x] = exp2(data[g.x]); }
"""

#: Each workgroup waits for the number of the one that began before it, and tells the next one.
_CHAIN = """
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> told: array<atomic<u32>>;
var<workgroup> ticket: u32;
var<workgroup> before: u32;
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        ticket = atomicAdd(&told[0], 1u);
        before = 0u;
    }
    workgroupBarrier();
    // some others wait as well, so that threads side by side wait for different ones
    if (thread < min(ticket, 32u)) {
        var seen = 0u;
        for (var k = 0u; k < data[0] && seen == 0u; k++) {
            seen = atomicLoad(&told[ticket - thread]);
        }
        if (thread == 0u) { before = seen; }
    }
    workgroupBarrier();
    if (thread == 0u) { atomicStore(&told[1u + ticket], before + 1u); }
}
"""
#: More workgroups than run at a time, and how often each asks at most: for 20 ms or so, which those
#: that run wait together where none gets on meanwhile; drivers allow much longer.
_GROUPS, _PATIENCE = 2048, 1 << 15


#: Words that come with the commands.
_IMMEDIATES = """
struct P { a: u32, b: f32, c: u32, d: u32 }
var<immediate> p: P;
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@compute @workgroup_size(1)
fn main() {
    result[p.d] = p.a;
    result[p.d + 1u] = bitcast<u32>(p.b * 2.0);
    result[p.d + 2u] = p.c;
}
"""


def takes_immediates(device: Any) -> bool:
    """Whether two dispatches of one pass get the words that were given for each."""
    target = device.create_buffer(size=32, usage=0x80 | 0x04)
    entry = {"binding": 0, "visibility": 4, "buffer": {"type": "storage"}}
    layout = device.create_bind_group_layout(entries=[entry])
    pipeline = device.create_compute_pipeline(
        layout=device.create_pipeline_layout(bind_group_layouts=[layout], immediate_size=16),
        compute={
            "module": device.create_shader_module(code=_IMMEDIATES),
            "entry_point": "main",
        },
    )
    one = {"binding": 0, "resource": {"buffer": target, "offset": 0, "size": 32}}
    group = device.create_bind_group(layout=layout, entries=[one])
    words = np.array([7, 0, 9, 0, 5, 0, 3, 4], np.uint32)
    words[1::4] = np.array([1.5, 2.5], np.float32).view(np.uint32)
    encoder = device.create_command_encoder()
    work = encoder.begin_compute_pass()
    work.set_pipeline(pipeline)
    work.set_bind_group(0, group)
    for row in words.reshape(2, 4):
        work.set_immediates(0, row, 0, 16)
        work.dispatch_workgroups(1)
    work.end()
    device.queue.submit([encoder.finish()])
    got = np.frombuffer(device.queue.read_buffer(target), np.uint32)
    wanted = np.array([7, 0, 9, 0, 5, 0, 3, 0], np.uint32)
    wanted[1::4] = np.array([3.0, 5.0], np.float32).view(np.uint32)
    return bool(np.array_equal(got, wanted))


def found(device: Any, doubles: bool, software: bool) -> dict[str, bool]:
    """All facts of `codegen.shader.Target`.

    Args:
        device: an open device of wgpu.
        doubles: whether it has any.
        software: it is emulated: loops end there that go on for long (`Target.iterations`).
    """
    waits = not software and in_turn(device)
    return {**arithmetic(device, doubles), "waits": waits}


def in_turn(device: Any) -> bool:
    """Whether workgroups may wait for others that began before them."""
    data = np.array([_PATIENCE, 0], np.uint32)
    told = computed(device, _CHAIN, data, 1 + _GROUPS, _GROUPS)
    return bool(np.array_equal(told[1:], np.arange(1, 1 + _GROUPS)))


def arithmetic(device: Any, doubles: bool) -> dict[str, bool]:
    """Return the facts of `codegen.shader.Target`: fused, rounds, subnormals, wide, powers.

    Args:
        device: an open device of wgpu.
        doubles: whether it has any.
    """
    pairs = _pairs(np.float32)
    lost, quotients, roots = _run(device, "f32", "u32", "sqrt(a)", pairs)
    a, b = pairs.T
    exact = pairs.astype(np.float64)
    fused = bool(np.array_equal(lost, (exact[:, 0] * exact[:, 1] - (a * b)).astype(np.float32)))
    rounds = np.array_equal(quotients, a / b) and np.array_equal(roots, np.sqrt(a))
    if doubles and fused:
        # products of halves are exact, and tell what a product of doubles loses
        wide = 1 + np.floor(_pairs(np.float64) * 2.0**28) * 2.0**-30
        lost = _run(device, "f64", "u64", "a + b", wide)[0]
        fused = bool(np.array_equal(lost, _lost(wide[:, 0], wide[:, 1])))
    small = np.arange(1, 2 * _COUNT + 1, dtype=np.uint32).view(np.float32).reshape(-1, 2)
    sums = _run(device, "f32", "u32", "a + b", small)[2]
    return {
        "fused": fused,
        "rounds": bool(rounds),
        "subnormals": bool(np.array_equal(sums, small[:, 0] + small[:, 1])),
        "wide": fused and doubles and _seconds(device, "f64") < 3 * _seconds(device, "f32"),
        "powers": fused and _powers(device),
    }


def _powers(device: Any) -> bool:
    """Whether powers of two, from -2 to 2, are within two units in the last place."""
    x = np.linspace(-2, 2, 1 << 16, dtype=np.float32)
    exact = np.exp2(x.astype(np.float64))
    got = computed(device, _POWERS, x, len(x), len(x) // 64)
    return bool((np.abs(got - exact) <= 2 * np.spacing(exact.astype(np.float32))).all())


def _seconds(device: Any, kind: str) -> float:
    """How long chains of additions and multiplications take, the least of three times."""
    source = _CHAINS.replace("TYPE", kind)
    data = np.array([1.0, 0.5], np.float32 if kind == "f32" else np.float64)
    run = _prepared(device, source, data, _THREADS)
    least = float("inf")
    for _ in range(3):
        started = perf_counter()
        run(_THREADS // 64)
        least = min(least, perf_counter() - started)
    return least


def _pairs(kind: Any) -> Numbers:
    """Numbers of all mantissas in [1, 4)."""
    return (1 + 3 * np.random.default_rng(0).random((_COUNT, 2))).astype(kind)


def _lost(a: Numbers, b: Numbers) -> Numbers:
    """Return what the products of these doubles lose by rounding."""
    product = a * b
    high_a, high_b = (np.floor(x * 2.0**20) * 2.0**-20 for x in (a, b))
    low_a, low_b = a - high_a, b - high_b
    lost: Numbers = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return lost


def _run(device: Any, kind: str, bits: str, root: str, pairs: Numbers) -> Numbers:
    data = np.concatenate([np.zeros(1, pairs.dtype), pairs.ravel()])
    source = _SHADER.replace("TYPE", kind).replace("BITS", bits).replace("ROOT", root)
    return computed(device, source, data, 3 * len(pairs), len(pairs) // 64).reshape(-1, 3).T


def computed(device: Any, source: str, data: Numbers, count: int, groups: int = 1) -> Numbers:
    """Return the `count` numbers that a shader makes of the data in its first binding."""
    return _prepared(device, source, data, count)(groups)


def _prepared(device: Any, source: str, data: Numbers, count: int) -> Callable[[int], Numbers]:
    """Return a function that runs so many workgroups of a shader and reads its second binding."""
    inputs = device.create_buffer_with_data(data=data, usage=0x80)
    target = device.create_buffer(size=count * data.itemsize, usage=0x80 | 0x04)
    module = device.create_shader_module(code=source)
    pipeline = device.create_compute_pipeline(
        layout="auto", compute={"module": module, "entry_point": "main"}
    )
    entries = [
        {"binding": k, "resource": {"buffer": buffer, "offset": 0, "size": buffer.size}}
        for k, buffer in enumerate((inputs, target))
    ]
    group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)

    def run(groups: int) -> Numbers:
        encoder = device.create_command_encoder()
        work = encoder.begin_compute_pass()
        work.set_pipeline(pipeline)
        work.set_bind_group(0, group)
        work.dispatch_workgroups(groups)
        work.end()
        device.queue.submit([encoder.finish()])
        return np.frombuffer(device.queue.read_buffer(target), data.dtype)

    return run
