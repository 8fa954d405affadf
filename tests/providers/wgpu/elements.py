"""Expressions of `Scalars` evaluated on an adapter, many in one shader."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from runmat_wgpu.codegen.scalars import Scalars, library
from runmat_wgpu.codegen.shader import STORAGE, Shader, Target

from tests.providers.wgpu.machine import adapter_device, facts, pipeline, target

STORED: dict[str, Any] = {"u32": np.uint32, "i32": np.int32, "f32": np.float32, "f64": np.float64}
STORED |= {"u64": np.uint64, "i64": np.int64}
_STORAGE_COPY = 0x80 | 0x04 | 0x08
_LETTERS = "abcd"

#: Makes an expression of operands ``a``, ``b`` …
Expression = Callable[[Scalars, Sequence[str]], str]


def map_op(op: str, dtype: str, sources: Sequence[str], **options: Any) -> Expression:
    """The expression of a map operation with a result of type `dtype`."""
    return lambda scalars, args: scalars.call(op, dtype, args[: len(sources)], sources, **options)


def shader(
    sources: Sequence[str], wanted: Sequence[tuple[str, Expression]], device: Target
) -> Shader:
    """One shader for expressions (with the types of their results) of operands of these types.

    Each result takes 8 bytes an element, so that all of them fit one binding.
    """
    scalars = Scalars(device)
    lines = []
    for k, dtype in enumerate(sources):
        lines.append(f"let {_LETTERS[k]} = {scalars.load(f'in{k}[i]', dtype)};")
    for k, (dtype, expression) in enumerate(wanted):
        value = scalars.store(expression(scalars, _LETTERS[: len(sources)]), dtype)
        word = f"out[({k}u * p.count + i) * 2u"
        if scalars.type(dtype) in ("f64", "i64", "u64"):
            lines.append(f"let w{k} = bitcast<u64>({value});")
            lines.append(f"{word}] = u32(w{k}); {word} + 1u] = u32(w{k} >> 32u);")
        else:
            lines.append(f"{word}] = bitcast<u32>({value});")
    bindings = [
        f"@group(0) @binding({k}) var<storage, read> in{k}: array<{STORAGE[dtype]}>;"
        for k, dtype in enumerate(sources)
    ]
    out = f"@group(0) @binding({len(sources)}) var<storage, read_write> out: array<u32>;"
    source = "\n".join(
        [
            "struct P { zero: u32, count: u32 }",
            "@group(1) @binding(0) var<uniform> p: P;",
            *bindings,
            out,
            once_rounded(scalars.text()) if device.fused else scalars.text(),
            "@compute @workgroup_size(64)",
            "fn main(@builtin(global_invocation_id) g: vec3<u32>) {",
            "  let i = g.y * 4194240u + g.x;",
            "  if (i >= p.count) { return; }",
            *[f"  {line}" for line in lines],
            "}\n",
        ]
    )
    return Shader(source, ("read",) * len(sources) + ("write",), 16)


def once_rounded(text: str) -> str:
    """The library with an ``fma`` that rounds once, also where the device's own rounds twice."""
    if facts()["fused"]:
        return text
    blocks = text.split("\n\n")
    for k, block in enumerate(blocks):
        name = re.search(r"^fn \w+(f32|f64)\(", block, re.MULTILINE)
        if name:
            blocks[k] = re.sub(r"\bfma\(", f"once_{name[1]}(", block)
    used = [kind for kind in ("f32", "f64") if any(f"once_{kind}(" in b for b in blocks)]
    exact = library.closure([f"{part}_{kind}" for kind in used for part in ("product", "sum")])
    exact = re.sub(r"\b(opaque|product|sum|halves|head)_f", r"\1_of_once_f", exact)
    return exact + "\n\n".join([_ONCE.replace("KIND", kind) for kind in used] + blocks)


_ONCE = """
fn once_KIND(a: KIND, b: KIND, c: KIND) -> KIND {
  let product = product_of_once_KIND(a, b);
  let sum = sum_of_once_KIND(product.x, c);
  let value = sum.x + (sum.y + product.y);
  // not where operands are infinite or NaN, nor of zeros, whose sign it would lose
  return select(a * b + c, value, abs(sum.x) < 1e38 && abs(value) > 0.0);
}
"""


def evaluate(
    sources: Sequence[str],
    arrays: Sequence[np.ndarray[Any, Any]],
    wanted: Sequence[tuple[str, Expression]],
    **changes: Any,
) -> list[np.ndarray[Any, Any]]:
    """The results of expressions, in the types that buffers have.

    Args:
        sources: element types of the operands.
        arrays: operands of one size.
        wanted: types of the results, and expressions.
        changes: of the target.
    """
    device = adapter_device()
    count = len(arrays[0])
    made, storage, words = pipeline(shader(sources, wanted, target(**changes)))
    buffers = [
        device.create_buffer_with_data(
            data=np.ascontiguousarray(a.astype(STORED[STORAGE[d]])), usage=_STORAGE_COPY
        )
        for a, d in zip(arrays, sources, strict=True)
    ]
    result = device.create_buffer(size=8 * count * len(wanted), usage=_STORAGE_COPY)
    counts = np.array([0, count, 0, 0], np.uint32)
    uniform = device.create_buffer_with_data(data=counts, usage=0x40)
    groups = []
    for layout, bound in ((storage, [*buffers, result]), (words, [uniform])):
        entries = [
            {"binding": k, "resource": {"buffer": b, "offset": 0, "size": b.size}}
            for k, b in enumerate(bound)
        ]
        groups.append(device.create_bind_group(layout=layout, entries=entries))
    encoder = device.create_command_encoder()
    work = encoder.begin_compute_pass()
    work.set_pipeline(made)
    for k, group in enumerate(groups):
        work.set_bind_group(k, group)
    blocks = -(-count // 64)
    work.dispatch_workgroups(min(blocks, 65535), -(-blocks // 65535))
    work.end()
    device.queue.submit([encoder.finish()])
    raw = np.frombuffer(device.queue.read_buffer(result), np.uint64).reshape(len(wanted), count)
    return [
        _typed(row, STORED[STORAGE[dtype]]) for row, (dtype, _) in zip(raw, wanted, strict=True)
    ]


def _typed(raw: np.ndarray[Any, Any], kind: Any) -> np.ndarray[Any, Any]:
    if np.dtype(kind).itemsize == 8:
        return raw.view(kind)
    return raw.astype(np.uint32).view(kind)
