"""Complex elements: every operation on special values, reductions, and layouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import (
    COMPLEX,
    COMPLEX_OF,
    COMPLEX_OPS,
    OPS,
    PART_OF,
    cast,
    reduce,
    reducers,
)
from runmat_provider_tests.conformance.test_ops import declared
from runmat_provider_tests.device import Device, Draft
from runmat_provider_tests.oracle import ORACLE, joined

#: Parts: zeros and ones of either sign, and what overflows, vanishes, or is no number.
PARTS = [0.0, -0.0, 1.0, -1.0, 0.75, -2.5, 30.5, -1e-3, 1e5, np.inf, -np.inf, np.nan]
#: Greatest distance, in units in the last place of the modulus.
ULPS = 8.0
TYPES = sorted(COMPLEX)
CASES = [(op, dtype) for op in sorted(COMPLEX_OPS - {"cast", "select"}) for dtype in TYPES]
#: Functions whose values at infinities have parts of which C99 leaves the sign open.
OPEN = frozenset({"exp", "sin", "cos", "sinh", "cosh", "acos", "acosh"})
#: Exponents: zeros, whole ones that are products, fractions, and others.
EXPONENTS = [0, 1, 3, -1, 7, -12, 99, 0.5, -0.25, 1.75, 2j, -0.5 + 1.5j, 3 - 0.001j]


def numbers(dtype: str) -> Any:
    """All pairs of parts as complex numbers."""
    x, y = np.meshgrid(PARTS, PARTS)
    kind = NUMPY_DTYPE[PART_OF[dtype]]
    return joined(x.ravel().astype(kind), y.ravel().astype(kind))


def operands(op: str, dtype: str) -> list[Any]:
    z = numbers(dtype)
    if OPS[op].arity == 1:
        return [z]
    x, y = np.meshgrid(z, z)
    if op == "pow":
        # C99 leaves open what powers of infinities are
        x, y = np.meshgrid(z[np.isfinite(z)], np.array(EXPONENTS, z.dtype))
    return [x.ravel().copy(), y.ravel().copy()]


def agree(got: Any, expected: Any, op: str = "") -> None:
    """Each part where it is no number, and the distance where both are."""
    assert got.dtype == expected.dtype
    if expected.dtype.kind == "b":
        np.testing.assert_array_equal(got, expected)
        return
    size = np.abs(expected.astype(np.complex128))
    unit = np.spacing(np.where(np.isfinite(size), size, 1.0).astype(expected.real.dtype))
    for part, other in ((got.real, expected.real), (got.imag, expected.imag)):
        np.testing.assert_array_equal(np.isnan(part), np.isnan(other))
        unbounded = np.isinf(other)
        np.testing.assert_array_equal(np.isinf(part), unbounded)
        if op not in OPEN:
            np.testing.assert_array_equal(part[unbounded], other[unbounded])
        finite = np.isfinite(other)
        error = np.abs(part[finite].astype(float) - other[finite].astype(float))
        assert (error <= ULPS * unit[finite]).all(), (error / unit[finite]).max()


@pytest.mark.parametrize(("op", "dtype"), CASES, ids=lambda case: str(case))
def test_operation(device: Device, op: str, dtype: str) -> None:
    declared(device, op, dtype, PART_OF[dtype])
    data = operands(op, dtype)
    draft = Draft((len(data[0]),))
    values = [draft.load(d) for d in data]
    out = draft.store(draft.builder.map(op, *values))
    with np.errstate(all="ignore"):
        expected = np.asarray(ORACLE[op](*data))
    got = draft.run(device)[0][out]
    if op == "pow":
        near_in_proportion(got, expected, *data)
    else:
        agree(got, expected, op)


def near_in_proportion(got: Any, expected: Any, base: Any, exponent: Any) -> None:
    """Powers: what the exponent makes of an error of the logarithm counts, too."""
    with np.errstate(all="ignore"):
        size = np.abs(expected.astype(np.complex128))
        grown = np.abs(exponent.astype(np.complex128) * np.log(base.astype(np.complex128)))
    limits = np.finfo(expected.dtype)
    plain = (size < limits.max / 4) & (size > limits.tiny / limits.eps) & np.isfinite(grown)
    error = np.abs(got[plain].astype(np.complex128) - expected[plain])
    allowed = (ULPS + 4 * grown[plain]) * np.spacing(size[plain].astype(expected.real.dtype))
    assert (error <= allowed).all(), (error / allowed).max()
    zero = (base == 0) & (exponent.real != 0)
    np.testing.assert_array_equal(np.isnan(got[zero]), np.isnan(expected[zero]))
    np.testing.assert_array_equal(got[exponent == 0], 1)


@pytest.mark.parametrize("dtype", TYPES)
def test_signs_of_zeros_choose_the_side_of_a_cut(device: Device, dtype: str) -> None:
    declared(device, "sqrt", dtype)
    kind = NUMPY_DTYPE[PART_OF[dtype]]
    z = joined(np.full(2, -4.0, kind), np.array([0.0, -0.0], kind))
    draft = Draft((2,))
    v = draft.load(z)
    root, other = (
        draft.store(draft.builder.map("sqrt", v)),
        draft.store(draft.builder.map("log", v)),
    )
    got, _ = draft.run(device)
    np.testing.assert_array_equal(got[root].imag, [2, -2])
    np.testing.assert_array_equal(np.sign(got[other].imag), [1, -1])


@pytest.mark.parametrize("part", sorted(COMPLEX_OF))
def test_parts_are_joined_and_real_numbers_are_converted(device: Device, part: str) -> None:
    declared(device, "complex", part, COMPLEX_OF[part])
    kind = NUMPY_DTYPE[part]
    x, y = np.array([1, np.nan, -0.0], kind), np.array([np.inf, -0.0, 2], kind)
    draft = Draft((3,))
    a, b = draft.load(x), draft.load(y)
    made = draft.store(draft.builder.map("complex", a, b))
    converted = draft.store(cast(a, COMPLEX_OF[part]))
    got, _ = draft.run(device)
    np.testing.assert_array_equal(got[made].real, x)
    np.testing.assert_array_equal(got[made].imag, y)
    np.testing.assert_array_equal(got[converted], x.astype(NUMPY_DTYPE[COMPLEX_OF[part]]))


@pytest.mark.parametrize("dtype", TYPES)
def test_select_takes_whole_elements(device: Device, dtype: str) -> None:
    declared(device, "select", dtype)
    z = np.array([1 + 2j, -3 + 4j, 5 - 6j], NUMPY_DTYPE[dtype])
    draft = Draft((3,))
    v = draft.load(z)
    test = draft.builder.map("real", v) < 0.0
    out = draft.store(draft.builder.map("select", test, v, draft.builder.map("conj", v)))
    expected = np.where(z.real < 0, z, z.conj())
    np.testing.assert_array_equal(draft.run(device)[0][out], expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_a_number_times_its_conjugate_has_no_imaginary_part(device: Device, dtype: str) -> None:
    declared(device, "mul", dtype)
    rng = np.random.default_rng(7)
    z = (rng.standard_normal(5000) + 1j * rng.standard_normal(5000)).astype(NUMPY_DTYPE[dtype])
    draft = Draft((5000,))
    v = draft.load(z)
    out = draft.store(v * draft.builder.map("conj", v))
    got = draft.run(device)[0][out]
    assert not got.imag.any()
    unit = np.finfo(z.dtype).eps
    assert (np.abs(got.real - np.abs(z.astype(np.complex128)) ** 2) <= 4 * unit * got.real).all()


@pytest.mark.parametrize("dtype", TYPES)
def test_order_of_operations_is_kept(device: Device, dtype: str) -> None:
    declared(device, "sub", dtype)
    z = np.array([1 + 3j, 3 + 1j], NUMPY_DTYPE[dtype])
    draft = Draft((2,))
    v = draft.load(z)
    big = 1e8 if dtype == "c64" else 1e17
    out = draft.store((v + big) - big)
    part = draft.store(draft.builder.map("real", v + big) - big)
    got, _ = draft.run(device)
    kind = NUMPY_DTYPE[PART_OF[dtype]].type
    expected = (z.real + kind(big)) - kind(big)
    np.testing.assert_array_equal(got[out], expected + 1j * z.imag)
    np.testing.assert_array_equal(got[part], expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [1, 2, 63, 1000, 65537])
def test_sizes(device: Device, dtype: str, size: int) -> None:
    declared(device, "mul", dtype)
    z = (np.arange(size) - 1j * np.arange(size)[::-1]).astype(NUMPY_DTYPE[dtype])
    draft = Draft((size,))
    out = draft.store(draft.load(z) * 2.0)
    np.testing.assert_array_equal(draft.run(device)[0][out], z * 2)


@pytest.mark.parametrize("dtype", TYPES)
def test_transposed_and_reversed_views(device: Device, dtype: str) -> None:
    declared(device, "sub", dtype)
    z = (np.arange(12) + 1j * np.arange(12)[::-1]).astype(NUMPY_DTYPE[dtype])
    draft = Draft((4, 3))
    transposed = draft.load(z, where=Addressing(0, (3, 1)))
    reverse = draft.load(z, where=Addressing(11, (-1, -4)))
    out = draft.store(transposed - reverse)
    expected = z.reshape(3, 4, order="F").T - z[::-1].reshape(4, 3, order="F")
    np.testing.assert_array_equal(draft.run(device)[0][out], expected.ravel(order="F"))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(7, 5), (1000, 3), (3, 1000), (1, 1), (300, 300)])
@pytest.mark.parametrize("axis", [0, 1])
def test_sums(device: Device, dtype: str, shape: tuple[int, int], axis: int) -> None:
    declared(device, "add", dtype)
    rng = np.random.default_rng(5)
    z = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    z = z.astype(NUMPY_DTYPE[dtype])
    kinds = ["parallel", "parallel"]
    kinds[axis] = "reduce"
    draft = Draft(shape, kinds)
    out = draft.store(reduce(reducers.sum_(dtype), draft.load(z))[0])
    got = draft.run(device)[0][out]
    exact = z.astype(np.complex128).sum(axis)
    unit = np.finfo(z.dtype).eps * np.abs(z).astype(float).sum(axis)
    assert (np.abs(got - exact) <= 16 * unit).all()
