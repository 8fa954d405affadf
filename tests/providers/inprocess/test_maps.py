"""Every map operation against a plain NumPy oracle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special

from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import OPS, V

FLOATS = ("f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, -3.0, 0.49999997, 0.3, -0.7,
    100.25, -100.25, 1e30, -1e30, 1e-30, math.inf, -math.inf, math.nan,
]  # fmt: skip


def samples(dtype: str) -> Any:
    if dtype == "bool":
        return np.array([True, False, True])
    if dtype in FLOATS:
        return np.array(SPECIAL, NUMPY_DTYPE[dtype])
    info = np.iinfo(NUMPY_DTYPE[dtype])
    near = [0, 1, 2, 3, 5, 100, info.max, info.max - 1, info.min, info.min + 1]
    return np.array([*near, *([-1, -7] if info.min else [])], NUMPY_DTYPE[dtype])


def half_away(x: Any) -> Any:
    whole = np.trunc(x)
    step = np.trunc(2 * (x - whole))
    return np.where(np.isfinite(x), whole + np.where(np.isfinite(step), step, 0), x)


def remainder(x: Any, y: Any, floored: bool) -> float:
    """Of one pair; a quotient within round-off of an integer leaves nothing."""
    if y == 0:
        return x if floored else math.nan
    if math.isnan(x) or math.isnan(y) or math.isinf(x):
        return math.nan
    if math.isinf(y):
        return x
    rest = math.fmod(x, y)
    quotient = float(x / y)
    nearest = float(np.rint(quotient))
    if y != round(y) and nearest and abs(quotient - nearest) < np.finfo(x).eps * abs(nearest):
        return 0.0
    return rest + y if floored and rest and (rest < 0) != (y < 0) else rest


def gamma(x: Any) -> Any:
    return np.where((x <= 0) & (x == np.floor(x)), np.inf, scipy.special.gamma(x))


def extremum(x: Any, y: Any, largest: bool) -> Any:
    take = (y > x) if largest else (y < x)
    return np.where(np.isnan(x) | take, y, x)


#: The meaning of operations on floats, in double precision.
ORACLE: dict[str, Callable[..., Any]] = {
    "neg": lambda x: -x,
    "abs": np.abs,
    "sign": lambda x: np.where(np.isnan(x), x, (x > 0) * 1.0 - (x < 0) * 1.0),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "round": half_away,
    "erf": scipy.special.erf,
    "erfc": scipy.special.erfc,
    "erfinv": scipy.special.erfinv,
    "gamma": gamma,
    "gammaln": scipy.special.gammaln,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": np.power,
    "min": lambda x, y: extremum(x, y, False),
    "max": lambda x, y: extremum(x, y, True),
    "atan2": np.arctan2,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}
INTEGER_ONLY = {"bitand", "bitor", "bitxor", "bitnot", "shl", "shr", "quot"}
LOGICAL = {"and", "or", "xor", "not"}


def oracle(op: str) -> Callable[..., Any]:
    return ORACLE.get(op) or getattr(np, op)


#: The conformance kit has the operations of complex elements.
OF_COMPLEX = {"complex", "conj", "imag", "real"}
ON_FLOATS = sorted(
    set(OPS) - INTEGER_ONLY - LOGICAL - OF_COMPLEX - {"cast", "select", "mod", "rem"}
)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", ON_FLOATS)
def test_floats(op: str, dtype: str, device: Any, write: Any) -> None:
    x = samples(dtype)
    if OPS[op].arity == 1:
        operands = [x]
    else:
        grid = np.meshgrid(x, x)
        operands = [g.ravel() for g in grid]
    w = write("p", operands[0].shape)
    w.store(w.builder.map(op, *(w.load(o) for o in operands)))
    got = device.output(w).ravel()
    with np.errstate(all="ignore"):
        expected = oracle(op)(*(o.astype(np.float64) for o in operands))
        wanted = np.asarray(expected).astype(got.dtype)
    assert got.dtype == (np.bool_ if OPS[op].result == "bool" else NUMPY_DTYPE[dtype])
    rtol = 0 if got.dtype == np.bool_ else {"f32": 3e-6, "f64": 1e-13}[dtype]
    np.testing.assert_allclose(got, wanted, rtol=rtol)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", ["mod", "rem"])
def test_remainders(op: str, dtype: str, device: Any, write: Any) -> None:
    x, y = (g.ravel() for g in np.meshgrid(samples(dtype), samples(dtype)))
    w = write("p", x.shape)
    w.store(w.builder.map(op, w.load(x), w.load(y)))
    with np.errstate(all="ignore"):
        wanted = [remainder(a, b, op == "mod") for a, b in zip(x, y, strict=True)]
    got = device.output(w).ravel()
    np.testing.assert_allclose(got, np.array(wanted, got.dtype), rtol=1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
def test_signs_of_zero(dtype: str, device: Any, write: Any) -> None:
    x = np.array([-0.0, 0.0, -0.3], NUMPY_DTYPE[dtype])
    w = write("p", x.shape)
    for op in ("round", "trunc", "neg", "sqrt"):
        w.store(w.builder.map(op, w.load(x)))
    rounded, cut, negative, root = device.outputs(w)
    assert np.signbit(rounded.ravel()).tolist() == [True, False, True]
    assert np.signbit(cut.ravel()).tolist() == [True, False, True]
    assert np.signbit(negative.ravel()).tolist() == [False, True, False]
    assert np.signbit(root.ravel()).tolist()[:2] == [True, False]


@pytest.mark.parametrize("dtype", FLOATS)
def test_halves_round_away_from_zero(dtype: str, device: Any, write: Any) -> None:
    below = np.nextafter(NUMPY_DTYPE[dtype].type(0.5), NUMPY_DTYPE[dtype].type(0))
    x = np.array([0.5, 1.5, 2.5, -0.5, -2.5, below, 4503599627370497.0], NUMPY_DTYPE[dtype])
    w = write("p", x.shape)
    w.store(ir.round_(w.load(x)))
    assert device.output(w).ravel().tolist() == [1, 2, 3, -1, -3, 0, float(x[-1])]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", ["add", "sub", "mul", "min", "max", "eq", "lt", "ge", "bitand"])
def test_integers(op: str, dtype: str, device: Any, write: Any) -> None:
    x, y = (g.ravel() for g in np.meshgrid(samples(dtype), samples(dtype)))
    w = write("p", x.shape)
    w.store(w.builder.map(op, w.load(x), w.load(y)))
    names = {"sub": "subtract", "mul": "multiply", "min": "minimum", "max": "maximum"}
    names |= {"eq": "equal", "lt": "less", "ge": "greater_equal", "bitand": "bitwise_and"}
    with np.errstate(all="ignore"):
        expected = getattr(np, names.get(op, op))(x, y)
    np.testing.assert_array_equal(device.output(w).ravel(), expected)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", ["mod", "rem"])
def test_integer_remainders(op: str, dtype: str, device: Any, write: Any) -> None:
    x, y = (g.ravel() for g in np.meshgrid(samples(dtype), samples(dtype)))
    w = write("p", x.shape)
    w.store(w.builder.map(op, w.load(x), w.load(y)))
    expected = []
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if b == 0:
            expected.append(a if op == "mod" else 0)
        else:
            floored = a % b
            expected.append(
                floored if op == "mod" else floored - (b if a * b < 0 and floored else 0)
            )
    assert device.output(w).ravel().tolist() == expected


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits(dtype: str, device: Any, write: Any) -> None:
    x = np.array([0, 1, 5, 64, 127], NUMPY_DTYPE[dtype])
    w = write("p", x.shape)
    a, two = w.load(x), w.param(2, dtype)
    for value in (
        ir.bitor(a, two),
        ir.bitxor(a, two),
        ir.bitnot(a),
        ir.shl(a, two),
        ir.shr(a, two),
    ):
        w.store(value)
    for op in ("floor", "round", "trunc", "ceil"):
        w.store(w.builder.map(op, a))
    got = [g.ravel() for g in device.outputs(w)]
    with np.errstate(all="ignore"):
        wanted = [x | 2, x ^ 2, ~x, x << x.dtype.type(2), x >> x.dtype.type(2), x, x, x, x]
    for g, e in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(g, e)


@pytest.mark.parametrize("op", sorted(LOGICAL))
@pytest.mark.parametrize("dtype", ["bool", "f64"])
def test_logical(op: str, dtype: str, device: Any, write: Any) -> None:
    values = np.array([True, False]) if dtype == "bool" else np.array([0.0, 2.0, -0.0])
    x, y = (g.ravel() for g in np.meshgrid(values, values))
    w = write("p", x.shape)
    operands = [w.load(x), w.load(y)][: OPS[op].arity]
    w.store(w.builder.map(op, *operands))
    got = device.output(w).ravel().tolist()
    truth = [(bool(a), bool(b)) for a, b in zip(x, y, strict=True)]
    meaning: dict[str, Callable[[bool, bool], bool]] = {
        "and": lambda a, b: a and b,
        "or": lambda a, b: a or b,
        "xor": lambda a, b: a != b,
        "not": lambda a, b: not a,
    }
    assert got == [meaning[op](a, b) for a, b in truth]


def saturated(value: Any, dtype: str) -> Any:
    """A number as MATLAB converts it, with Python's exact integers."""
    if dtype == "bool":
        return value != 0
    if dtype in FLOATS:
        with np.errstate(all="ignore"):
            return NUMPY_DTYPE[dtype].type(value)
    info = np.iinfo(NUMPY_DTYPE[dtype])
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        if math.isinf(value):
            return int(info.max if value > 0 else info.min)
        whole = math.trunc(value)
        value = whole + math.trunc(2 * (value - whole))
    return min(max(int(value), int(info.min)), int(info.max))


@pytest.mark.parametrize("target", ["bool", *FLOATS, *INTEGERS])
@pytest.mark.parametrize("source", ["bool", *FLOATS, *INTEGERS])
def test_casts(source: str, target: str, device: Any, write: Any) -> None:
    x = samples(source)
    if source in FLOATS:
        limits = [2.0**k * s for k in (7, 8, 15, 16, 31, 32, 63, 64) for s in (1, -1)]
        x = np.concatenate([x, np.array(limits, x.dtype), np.array(limits, x.dtype) - 1])
    w = write("p", x.shape)
    w.store(w.builder.map("cast", w.load(x), attr=target))
    got = device.output(w).ravel()
    assert got.dtype == NUMPY_DTYPE[target]
    wanted = np.array([saturated(v, target) for v in x.tolist()], got.dtype)
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("dtype", ["bool", "f32", "f64", "i32"])
def test_select(dtype: str, device: Any, write: Any) -> None:
    kind = NUMPY_DTYPE[dtype]
    x = np.arange(10).astype(kind)
    condition = np.arange(10) % 3 == 0
    w = write("p", (10,))
    c, a = w.load(condition), w.load(x)
    w.store(ir.where(c, a, w.param(1, dtype)))
    w.store(ir.where(c, w.param(1, dtype), a))
    w.store(ir.where(w.param(True, "bool"), a, w.param(1, dtype)))
    first, second, third = (o.ravel() for o in device.outputs(w))
    np.testing.assert_array_equal(first, np.where(condition, x, kind.type(1)))
    np.testing.assert_array_equal(second, np.where(condition, kind.type(1), x))
    np.testing.assert_array_equal(third, x)


def test_select_takes_over_the_memory_of_an_operand(device: Any, write: Any) -> None:
    x = np.arange(10.0)
    w = write("p", (10,))
    a = w.load(x)
    w.store(ir.where(a > 4.0, a * 2.0, a * 3.0) + 1.0)
    np.testing.assert_array_equal(device.output(w).ravel(), np.where(x > 4, x * 2, x * 3) + 1)


def test_a_single_stays_a_single(device: Any, write: Any) -> None:
    x = np.full(5, 1 / 3, np.float32)
    w = write("p", (5,))
    a: V = w.load(x)
    w.store((a + 0.1) * w.param(0.7, "f32"))
    got = device.output(w).ravel()
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, (x + np.float32(0.1)) * np.float32(0.7))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "exponent", [1.8, -1.5, 2.0, 3.0, -1.0, -3.0, 0.0, 0.5, 4503599627370497.0, math.inf, math.nan]
)
def test_powers_by_one_exponent(exponent: float, dtype: str, device: Any, write: Any) -> None:
    x = samples(dtype)
    x = x[~(x == -np.inf)] if exponent == 0.5 else x  # NumPy takes the root; C does not
    w = write("p", x.shape)
    w.store(w.builder.map("pow", w.load(x), w.param(exponent, dtype)))
    got = device.output(w).ravel()
    with np.errstate(all="ignore"):
        wanted = np.power(x, x.dtype.type(exponent))
    np.testing.assert_allclose(got, wanted, rtol=3e-6 if dtype == "f32" else 1e-13)
    if exponent % 2 == 1:
        np.testing.assert_array_equal(np.signbit(got)[x == 0], np.signbit(wanted)[x == 0])


@pytest.mark.parametrize("dtype", ["bool", "i8", "u16", "f32", "f64", "u64"])
def test_select_of_irregular_conditions(dtype: str, device: Any, write: Any) -> None:
    kind = NUMPY_DTYPE[dtype]
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 2 if dtype == "bool" else 100, (500, 3)).astype(kind) for _ in "ab")
    for condition in (a > b, np.ones_like(a, bool), np.zeros_like(a, bool), (a > b)[:, :1]):
        w = write("pp", a.shape)
        w.store(ir.where(w.load(condition), w.load(a), w.load(b[:1])))
        np.testing.assert_array_equal(device.output(w), np.where(condition, a, b[:1]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_elements_that_are_read_backwards_have_the_bits_of_a_copy(
    dtype: Any, device: Any, write: Any
) -> None:
    x = (np.random.default_rng(2).standard_normal(500) * 3).astype(dtype)
    for function in (ir.exp, ir.tan, ir.log1p, ir.sinh, ir.cbrt):
        results = []
        for strides, offset, data in (((-1,), 499, x), ((1,), 0, x[::-1].copy())):
            w = write("p", (500,))
            w.store(function(w.load(data, strides, offset)))
            results.append(device.output(w))
        np.testing.assert_array_equal(*results)
