"""Map operations as machine code: the bits of the in-process provider, over classes and layouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_native.parts import CALLED

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import FLOATS, INTEGERS, OPS
from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import same

REAL = ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64")
#: Extents, and strides of an operand: whole, spread out, reversed, permuted, in part.
LAYOUTS = [
    ((5003,), (1,), 0),
    ((400,), (-2,), 798),
    ((7, 300), (1, 7), 0),
    ((70, 90), (90, 1), 0),
    ((40, 9, 5), (1, 0, 45), 3),
]


def numbers(dtype: str, count: int, seed: int = 3) -> Any:
    """Ordinary numbers of a type, and all of its edges."""
    rng = np.random.default_rng(seed)
    kind = NUMPY_DTYPE[dtype]
    if dtype == "bool":
        return rng.integers(0, 2, count).astype(bool)
    if dtype in INTEGERS:
        info = np.iinfo(kind)
        few = rng.integers(max(info.min, -20), 21, count).astype(kind)
        edges = [info.min, info.min + 1, 0, 1, info.max, info.max - 1, 7, 63, 64, 65]
        edges = [e for e in edges if info.min <= e <= info.max]
        few[: len(edges)] = edges
        return rng.permutation(few)
    x = rng.standard_normal(count) * np.exp(rng.uniform(-8, 8, count))
    edges = [0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, np.nan, np.inf, -np.inf, 2.0**31, 2.0**63]
    edges += [
        -(2.0**31),
        -(2.0**63),
        2.0**53 + 1,
        0.49999999999999994,
        255.5,
        -128.5,
        65535.5,
        3,
        2,
    ]
    x[: len(edges)] = edges
    return rng.permutation(x.astype(kind))


def operands(op: str, kind: str) -> list[str]:
    return ["bool", kind, kind] if op == "select" else [kind] * OPS[op].arity


@pytest.mark.parametrize("op", sorted(set(OPS) - {"complex", "real", "imag", "conj"}))
def test_an_operation_gives_the_bits_of_numpy(
    op: str, new_native: Callable[..., Any], new_device: Any, compiled: dict[str, int]
) -> None:
    native, numpy = new_native(), new_device()
    for layout in (LAYOUTS[0], LAYOUTS[1 + len(op) % (len(LAYOUTS) - 1)]):
        extents, strides, offset = layout
        writer = plain.Writer("p" * len(extents), extents)
        size = 1 + offset + sum(abs(s) * (e - 1) for s, e in zip(strides, extents, strict=True))
        written = 0
        for kind in REAL:
            if not is_operation(numpy, op, kind):
                continue
            loaded = [
                writer.load(numbers(t, size + 40, seed=k), strides, offset)
                for k, t in enumerate(operands(op, kind))
            ]
            for target in REAL if op == "cast" else ("",):
                writer.store(writer.builder.map(op, *loaded, attr=target or None))
                written += 1
        assert written
        wanted = numpy.outputs(writer)
        got = native.outputs(writer)
        for one, other in zip(got, wanted, strict=True):
            same(one, other, zeros=op not in ("min", "max"))
    assert compiled == {"native": 2, "numpy": 0}


def is_operation(device: Any, op: str, kind: str) -> bool:
    """Whether the provider beside takes an operation of a type, and machine code is made of it."""
    if kind == "bool" and op not in LOGICAL:
        return False
    writer = plain.Writer("p", (4,))
    loaded = [writer.load(np.zeros(4, NUMPY_DTYPE[t])) for t in operands(op, kind)]
    try:
        attr = "f64" if op == "cast" else None
        writer.store(writer.builder.map(op, *loaded, attr=attr))
        device.output(writer)
    except (AssertionError, ir.TraceError):
        return False
    return op not in CALLED or kind in FLOATS or op in ("mod", "rem")


#: Operations of logicals that are lowered.
LOGICAL = frozenset("eq ne and or xor not select isnan isinf isfinite cast".split())
