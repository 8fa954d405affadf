"""Every map operation against NumPy: on every declared type, special values, and layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import FLOATS, INTEGERS, OPS, cast
from runmat_core.api.ir.meanings import MEANINGS
from runmat_provider_tests.device import Device, Draft
from runmat_provider_tests.oracle import ORACLE
from runmat_provider_tests.oracle import cast as oracle_cast

BITWISE = {"bitand", "bitor", "bitxor", "bitnot", "shl", "shr"}
LOGICAL = {"and", "or", "xor", "not"}
#: Operations of integers alone.
WHOLE = BITWISE | {"quot"}
#: Operations that integers have, besides the bitwise ones and the relations.
ON_INTEGERS = {"min", "max", "mod", "rem", "eq", "ne", "lt", "le", "gt", "ge", "add", "sub"}
#: Greatest distance in units in the last place, where results need not be equal.
ULPS = {"f32": 4.0, "f64": 4.0}
LOOSE = {"gamma": 2e-6, "gammaln": 2e-6, "erfinv": 2e-6, "tan": 2e-6}

FLOAT_VALUES = [
    0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.0, 0.1, -0.1, 0.9, 7.25, -7.25,
    30.5, -30.5, 1e-3, 1e-6, 1e5, -1e5, np.inf, -np.inf, np.nan,
]  # fmt: skip
INTEGER_VALUES = [0, 1, 2, 3, 5, 7, 100, 127]


def types_of(op: str) -> list[str]:
    if op in LOGICAL:
        return ["bool"]
    if op in WHOLE:
        return sorted(INTEGERS)
    return sorted(FLOATS | INTEGERS) if op in ON_INTEGERS else sorted(FLOATS)


#: What has tests of its own.
ELSEWHERE = {"cast", "select", "real", "imag", "conj", "complex"}
CASES = [(op, t) for op in OPS if op not in ELSEWHERE for t in types_of(op)]


def operands(op: str, dtype: str) -> list[np.ndarray[Any, Any]]:
    if dtype == "bool":
        values = np.array([False, True])
    elif dtype in FLOATS:
        values = np.array(FLOAT_VALUES, NUMPY_DTYPE[dtype])
    else:
        values = np.array(INTEGER_VALUES, NUMPY_DTYPE[dtype])
    if op == "gammaln":
        values = values[values != -np.inf]  # nothing is asked of it there
    if OPS[op].arity == 1:
        return [values]
    x, y = np.meshgrid(values, values)
    if op in ("add", "sub") and dtype in INTEGERS:
        # what does not fit is the caller's to prevent: saturation is a cast's business
        x, y = np.maximum(x, y) // 2, np.minimum(x, y) // 2
    if op in ("shl", "shr"):
        y = y % (NUMPY_DTYPE[dtype].itemsize * 8)
    return [x.ravel().copy(), y.ravel().copy()]


def declared(device: Device, op: str, *types: str) -> None:
    device.needs(*types, op=op)


def assert_close(got: Any, expected: Any, op: str, arrays: Sequence[Any]) -> None:
    """Results are equal, of floats up to a few units in the last place; else each is told."""
    with np.errstate(all="ignore"):
        good = (got == expected) | ((got != got) & (expected != expected))
        if expected.dtype.kind == "f":
            dtype = "f32" if expected.dtype == np.float32 else "f64"
            size = np.abs(expected.astype(np.float64))
            unit = np.spacing(np.abs(expected))
            allowed = np.maximum(ULPS[dtype] * unit, LOOSE.get(op, 0) * size)
            error = np.abs(got.astype(np.float64) - expected.astype(np.float64))
            good |= np.isfinite(expected) & np.isfinite(got) & (error <= allowed)
    bad = np.flatnonzero(~good)
    if not bad.size:
        return
    lines = [f"{bad.size} of {good.size} results of {op} are wrong:"]
    for k in bad[:5]:
        given = ", ".join(str(array[k]) for array in arrays)
        lines.append(f"  {op}({given}) must be {expected[k]}, and is {got[k]}")
    meaning = MEANINGS[op]
    lines.append(f"because {op} is {meaning.numpy}; {meaning.edges}".rstrip("; "))
    pytest.fail("\n".join(lines), pytrace=False)


@pytest.mark.parametrize(("op", "dtype"), CASES, ids=[f"{o}-{t}" for o, t in CASES])
def test_operation(device: Device, op: str, dtype: str) -> None:
    declared(device, op, dtype)
    arrays = operands(op, dtype)
    draft = Draft((len(arrays[0]),))
    out = draft.store(draft.builder.map(op, *[draft.load(a) for a in arrays]))
    with np.errstate(all="ignore"):
        expected = np.asarray(ORACLE[op](*arrays))
    got = draft.run(device)[0][out]
    assert got.dtype == (np.bool_ if OPS[op].result == "bool" else NUMPY_DTYPE[dtype])
    assert_close(got, expected.astype(got.dtype), op, arrays)


@pytest.mark.parametrize("dtype", sorted(INTEGERS))
@pytest.mark.parametrize("op", ["quot", "rem", "mod"])
def test_division_of_integers_of_either_sign(device: Device, op: str, dtype: str) -> None:
    declared(device, op, dtype)
    limits = np.iinfo(NUMPY_DTYPE[dtype])
    least, most = int(limits.min), int(limits.max)
    some = {0, 1, 2, 3, 7, 100, most, most - 1, most // 2, least, least + 1, least // 2, -1, -2, -7}
    values = np.array(sorted(v for v in some if least <= v <= most), NUMPY_DTYPE[dtype])
    x, y = (v.ravel().copy() for v in np.meshgrid(values, values))
    draft = Draft((len(x),))
    out = draft.store(draft.builder.map(op, draft.load(x), draft.load(y)))
    with np.errstate(all="ignore"):
        expected = ORACLE[op](x, y)
    np.testing.assert_array_equal(draft.run(device)[0][out], expected)


@pytest.mark.parametrize("target", sorted(FLOATS | INTEGERS | {"bool"}))
@pytest.mark.parametrize("source", sorted(FLOATS | INTEGERS | {"bool"}))
def test_cast(device: Device, source: str, target: str) -> None:
    declared(device, "cast", source, target)
    if source == target:
        pytest.skip("nothing to convert")
    if source in FLOATS:
        data = np.array(
            [*FLOAT_VALUES, 126.5, 127.5, 254.5, 3e9, -3e9, 2.0**62], NUMPY_DTYPE[source]
        )
    elif source == "bool":
        data = np.array([True, False])
    else:
        limits = np.iinfo(NUMPY_DTYPE[source])
        data = np.array([0, 1, 100, limits.max, limits.min], NUMPY_DTYPE[source])
    draft = Draft((len(data),))
    out = draft.store(cast(draft.load(data), target))
    with np.errstate(all="ignore"):
        expected = oracle_cast(data, target)
    np.testing.assert_array_equal(draft.run(device)[0][out], expected)


def test_select_takes_either_side(device: Device) -> None:
    x = np.array([1, np.nan, -3], np.float32)
    draft = Draft((3,))
    v = draft.load(x)
    out = draft.store(draft.builder.map("select", v < 0.0, v, v + 1.0))
    np.testing.assert_array_equal(draft.run(device)[0][out], [2, np.nan, -3])


def test_order_of_operations_is_kept(device: Device) -> None:
    x = np.array([1.0, 3.0], np.float32)
    draft = Draft((2,))
    big = draft.param(1e8, "f32")
    out = draft.store((draft.load(x) + big) - big)
    expected = (x + np.float32(1e8)) - np.float32(1e8)
    np.testing.assert_array_equal(draft.run(device)[0][out], expected)


def test_scalars_expand_and_axes_broadcast(device: Device) -> None:
    rows, columns = np.arange(5, dtype=np.float32), np.arange(7, dtype=np.float32) * 10
    draft = Draft((5, 7))
    a, b = draft.load(rows, [True, False]), draft.load(columns, [False, True])
    out = draft.store(a + b * draft.param(2.0, "f32"))
    expected = (rows[:, None] + columns[None, :] * 2).ravel(order="F")
    np.testing.assert_array_equal(draft.run(device)[0][out], expected)


def test_transposed_reversed_and_shifted_views(device: Device) -> None:
    x = np.arange(12, dtype=np.float32)  # 3 x 4
    draft = Draft((4, 3))
    transposed = draft.load(x, where=Addressing(0, (3, 1)))
    reverse = draft.load(x, where=Addressing(11, (-1, -4)))
    out = draft.store(transposed - reverse)
    matrix = x.reshape(3, 4, order="F").T
    expected = matrix - x[::-1].reshape(4, 3, order="F")
    np.testing.assert_array_equal(draft.run(device)[0][out], expected.ravel(order="F"))


def test_store_into_a_region(device: Device) -> None:
    draft = Draft((2, 2))
    inside = Addressing(5, (1, 4))
    out = draft.store(draft.load(np.arange(1, 5, dtype=np.float32)), where=inside, size=16)
    draft_result = draft.run(device)[0][out]
    np.testing.assert_array_equal(draft_result[[5, 6, 9, 10]], [1, 2, 3, 4])


def test_store_backwards(device: Device) -> None:
    draft = Draft((2, 3))
    backwards = Addressing(5, (-1, -2))
    out = draft.store(draft.load(np.arange(1, 7, dtype=np.float32)), where=backwards, size=6)
    np.testing.assert_array_equal(draft.run(device)[0][out], [6, 5, 4, 3, 2, 1])


@pytest.mark.parametrize("dtype", ["f32", "i32", "bool"])
def test_gather_reads_nothing_outside(device: Device, dtype: str) -> None:
    x = np.array([10, 20, 30], NUMPY_DTYPE[dtype])
    draft = Draft((5,))
    table = draft.load(x, [False])
    view = len(draft.views) - 1
    number = draft.load(np.array([2, 0, 1, -1, 3], np.int64))
    device.needs("i64", dtype)
    from runmat_core.api.ir import V

    got = V(draft.builder, draft.builder.emit("load", (number.position,), dtype, 1, view))
    out = draft.store(got & table if dtype == "bool" else got + table * 0)
    np.testing.assert_array_equal(draft.run(device)[0][out], [*x[[2, 0, 1]], 0, 0])


def test_several_outputs_of_one_read(device: Device) -> None:
    x = np.linspace(0, 1, 1000, dtype=np.float32)
    draft = Draft((1000,))
    v = draft.load(x)
    first, second = draft.store(v * 2.0), draft.store(v > 0.5)
    got, _ = draft.run(device)
    np.testing.assert_array_equal(got[first], x * 2)
    np.testing.assert_array_equal(got[second], x > 0.5)


@pytest.mark.parametrize("size", [1, 2, 3, 63, 64, 65, 1000, 65537, 300001])
def test_sizes(device: Device, size: int) -> None:
    x = np.arange(size, dtype=np.float32)
    draft = Draft((size,))
    out = draft.store(draft.load(x) * 2.0 + 1.0)
    np.testing.assert_array_equal(draft.run(device)[0][out], x * 2 + 1)


@pytest.mark.parametrize("place", [0, 4999, 9999])
def test_guard_sees_a_single_element(device: Device, place: int) -> None:
    x = np.ones(10000, np.float32)
    x[place] = -1
    draft = Draft((10000,))
    v = draft.load(x)
    draft.guard(v < 0.0, bit=3)
    draft.store(draft.builder.map("sqrt", v))
    assert draft.run(device)[1] == 8


def test_guard_is_silent_on_nan_and_within_the_domain(device: Device) -> None:
    draft = Draft((3,))
    v = draft.load(np.array([0, np.nan, 5], np.float32))
    draft.guard(v < 0.0)
    draft.store(v)
    assert draft.run(device)[1] == 0
