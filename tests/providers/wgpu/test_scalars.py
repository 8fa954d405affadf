"""Operations on one element against NumPy: every operation and type, on special values."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.oracle import ORACLE
from runmat_provider_tests.oracle import cast as oracle_cast
from runmat_wgpu.codegen.scalars import DeclinedError, Scalars
from runmat_wgpu.codegen.shader import STORAGE, Target

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import FLOATS, INTEGERS, OPS
from tests.providers.wgpu.elements import STORED, evaluate, map_op
from tests.providers.wgpu.machine import target

WHOLE = {"bitand", "bitor", "bitxor", "bitnot", "shl", "shr", "quot"}
ON_INTEGERS = {
    *WHOLE, "min", "max", "mod", "rem", "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul",
    "neg", "abs", "sign", "floor", "ceil", "trunc", "round", "and", "or", "xor", "not",
}  # fmt: skip
TYPES = sorted(FLOATS | INTEGERS | {"bool"})
#: What has tests of its own, here or in the conformance kit.
ELSEWHERE = {"cast", "select", "complex", "conj", "imag", "real"}
#: Numbers whose results are compared bit by bit, but for which zero it is.
EXACT = {
    "neg", "abs", "sign", "sqrt", "floor", "ceil", "trunc", "round", "add", "sub", "mul", "div",
    "min", "max", "mod", "rem",
}  # fmt: skip
ULPS = {"gammaln": 6.0, "gamma": 5.0}


def special(dtype: str) -> np.ndarray[Any, Any]:
    """Values of a type where something may go wrong."""
    kind = NUMPY_DTYPE[dtype]
    if dtype == "bool":
        return np.array([False, True])
    if dtype in INTEGERS:
        low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
        near = {low, low + 1, -100, -7, -2, -1, 0, 1, 2, 3, 5, 7, 31, 100, high - 1, high}
        return np.array(sorted(v for v in near if low <= v <= high), kind)
    info = np.finfo(kind)
    positive = [
        0.0, 1e-20, 1e-10, 1e-3, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 1.0, 1.1, 1.5, 2.0, 2.5, 3.0,
        7.25, 8.0, 26.0, 30.5, 100.0, 1000.0, 1e5, 123456.7, 16777216.0, 1e10, 1e20, 3e38,
        float(info.tiny), float(info.smallest_subnormal), float(info.tiny) / 4,
        1 - float(info.epsneg), 1 + float(info.eps), float(info.max), np.inf,
    ]  # fmt: skip
    return np.array([*positive, *[-v for v in positive], np.nan], kind)


def pairs(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], ...]:
    x, y = np.meshgrid(values, values)
    return x.ravel(), y.ravel()


def stored(values: np.ndarray[Any, Any], dtype: str) -> np.ndarray[Any, Any]:
    return np.asarray(values).astype(NUMPY_DTYPE[dtype]).astype(STORED[STORAGE[dtype]])


def ops_of(dtype: str, arity: int) -> list[str]:
    named = [op for op, info in OPS.items() if info.arity == arity and op not in ELSEWHERE]
    if dtype in FLOATS:
        return [op for op in named if op not in WHOLE]
    if dtype in INTEGERS:
        return [op for op in named if op in ON_INTEGERS]
    return [op for op in named if op in ("and", "or", "xor", "not", "eq", "ne", "lt", "ge")]


def flushed(got: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], *args: Any) -> Any:
    """Where a device that takes subnormal singles for zero may have done so."""
    singles = expected.dtype == np.float32 or args[0].dtype == np.float32
    if target().subnormals or not singles:
        return np.zeros(expected.shape, bool)
    tiny = np.finfo(np.float32).tiny
    seen = [(x != 0) & (np.abs(x) < tiny) for x in args]
    if expected.dtype == np.float32:  # also where a smallest normal number was rounded up to
        seen.append((got == 0) & (np.abs(expected) <= tiny))
    return np.logical_or.reduce(seen)


def check(op: str, got: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], *args: Any) -> None:
    if expected.dtype.kind != "f":
        wrong = (got != expected) & ~flushed(got, expected, *args)
    else:
        with np.errstate(all="ignore"):
            # SciPy's logarithm of gamma is not accurate near its zeros
            unit = np.spacing(np.maximum(np.abs(expected), 1 if op == "gammaln" else 0))
            far = np.abs(got - expected) > (0 if op in EXACT else ULPS.get(op, 3.0)) * unit
        finite = np.isfinite(expected)
        same = np.where(finite, True, (got == expected) | (np.isnan(got) & np.isnan(expected)))
        wrong = ~same | (finite & (far | ~np.isfinite(got)))
        wrong &= ~flushed(got, expected, *args)
    where = np.flatnonzero(wrong)[:5]
    shown = [([a[k] for a in args], got[k], expected[k]) for k in where]
    assert not where.size, (op, int(wrong.sum()), shown)


@pytest.mark.parametrize("arity", [1, 2])
@pytest.mark.parametrize("dtype", TYPES)
def test_operations(dtype: str, arity: int) -> None:
    values = special(dtype)
    args = [values] if arity == 1 else list(pairs(values))
    ops = ops_of(dtype, arity)
    results = ["bool" if OPS[op].result == "bool" else dtype for op in ops]
    wanted = [
        (result, map_op(op, result, [dtype] * arity))
        for op, result in zip(ops, results, strict=True)
    ]
    found = evaluate([dtype] * arity, args, wanted)
    for op, result, got in zip(ops, results, found, strict=True):
        operands = args
        if op in ("shl", "shr") and dtype[0] == "i":
            got, *operands = (a[args[1] >= 0] for a in (got, *args))
        if op == "gammaln":  # of negative numbers MATLAB has none, SciPy's fails on denormal ones
            known = (args[0] == 0) | ~(args[0] < np.finfo(args[0].dtype).tiny)
            got, *operands = (a[known & ~np.signbit(args[0])] for a in (got, *args))
        with np.errstate(all="ignore"):
            expected = np.asarray(ORACLE[op](*operands))
        check(op, got, stored(expected, result), *operands)


@pytest.mark.parametrize("source", TYPES)
def test_casts(source: str) -> None:
    values = special(source)
    if source in FLOATS:
        infos = [np.iinfo(NUMPY_DTYPE[t]) for t in sorted(INTEGERS)]
        limits = [float(v) for info in infos for v in (info.min, info.max)]
        near = [v + d for v in limits for d in (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0)]
        values = np.array([*values, *near, 0.49999997, 126.5, 2.0**62, -(2.0**62)], values.dtype)
    targets = [t for t in TYPES if t != source]
    wanted = [(t, map_op("cast", t, [source], attr=t)) for t in targets]
    for name, got in zip(targets, evaluate([source], [values], wanted), strict=True):
        with np.errstate(all="ignore"):
            expected = stored(oracle_cast(values, name), name)
        kept = ~np.broadcast_to(flushed(got, expected, values), got.shape)
        np.testing.assert_array_equal(got[kept], expected[kept], f"{source} to {name}")


@pytest.mark.parametrize("dtype", TYPES)
def test_select(dtype: str) -> None:
    values = special(dtype)
    x, y = pairs(values)
    condition = np.arange(x.size) % 3 == 0
    sources = ["bool", dtype, dtype]
    (got,) = evaluate(sources, [condition, x, y], [(dtype, map_op("select", dtype, sources))])
    np.testing.assert_array_equal(got, stored(np.where(condition, x, y), dtype))


def test_mixed_types_take_the_wider() -> None:
    x, flag = np.array([1.5, np.nan, -2.0]), np.array([True, False, True])
    wanted = [
        ("f64", map_op("mul", "f64", ["f64", "bool"])),
        ("bool", map_op("lt", "bool", ["f64", "bool"])),
    ]
    product, less = evaluate(["f64", "bool"], [x, flag], wanted)
    np.testing.assert_array_equal(product, [1.5, np.nan, -2.0])
    np.testing.assert_array_equal(less, [0, 0, 1])


@pytest.mark.parametrize("dtype", TYPES)
def test_literals(dtype: str) -> None:
    values = special(dtype)
    wanted = [
        (dtype, lambda scalars, _, v=v: scalars.literal(v.item(), dtype)) for v in values.ravel()
    ]
    found = evaluate(["u32"], [np.zeros(1)], wanted)
    got = np.concatenate(found)
    np.testing.assert_array_equal(got, stored(values, dtype))
    if dtype in FLOATS:
        np.testing.assert_array_equal(np.signbit(got), np.signbit(values))


def test_literals_out_of_range() -> None:
    with pytest.raises(ValueError, match="300"):
        Scalars(Target()).literal(300, "u8")


def test_zeros_are_unknown_to_the_compiler() -> None:
    x = np.array([np.inf, np.nan, -0.0])

    def product(scalars: Scalars, args: Any) -> str:
        return scalars.call("mul", "f64", [args[0], scalars.literal(0.0, "f64")], ["f64", "f64"])

    def negative(scalars: Scalars, args: Any) -> str:
        return scalars.call("add", "f64", [args[0], scalars.literal(-0.0, "f64")], ["f64", "f64"])

    first, second = evaluate(["f64"], [x], [("f64", product), ("f64", negative)])
    np.testing.assert_array_equal(first, [np.nan, np.nan, 0])
    assert np.signbit(second[2])


@pytest.mark.parametrize("dtype", ["f32", "f64", "i32", "u64", "bool"])
def test_opaque_changes_nothing(dtype: str) -> None:
    values = special(dtype)
    wanted = [(dtype, lambda scalars, args: scalars.opaque(args[0], dtype))]
    np.testing.assert_array_equal(evaluate([dtype], [values], wanted)[0], stored(values, dtype))


def test_opaque_keeps_the_order() -> None:
    x = np.array([1.0, 3.0], np.float32)

    def expression(scalars: Scalars, args: Any) -> str:
        big = scalars.literal(1e8, "f32")
        return f"{scalars.opaque(f'{args[0]} + {big}', 'f32')} - {big}"

    (got,) = evaluate(["f32"], [x], [("f32", expression)])
    np.testing.assert_array_equal(got, (x + np.float32(1e8)) - np.float32(1e8))


def test_signs_of_zeros() -> None:
    x, y = pairs(np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf]))
    one = "neg abs sin tan asin atan sinh tanh asinh expm1 log1p sqrt cbrt floor trunc round erf"
    two = "add sub mul div atan2 pow"
    wanted = [("f64", map_op(op, "f64", ["f64"])) for op in one.split()]
    wanted += [("f64", map_op(op, "f64", ["f64", "f64"])) for op in two.split()]
    found = evaluate(["f64", "f64"], [x, y], wanted)
    for op, got in zip([*one.split(), *two.split()], found, strict=True):
        with np.errstate(all="ignore"):
            expected = np.asarray(ORACLE[op](*([x] if op in one.split() else [x, y])))
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(expected)[known], op)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_known_ranges_change_no_result(dtype: str) -> None:
    bound = 6400.0 if dtype == "f32" else 1.6e6
    x = np.concatenate([np.linspace(-bound, bound, 5000), np.linspace(-7, 7, 5000), [0.0, -0.0]])
    ops = ["sin", "cos", "tan"]
    wanted = [(dtype, map_op(op, dtype, [dtype])) for op in ops]
    wanted += [(dtype, map_op(op, dtype, [dtype], range=(-bound, bound))) for op in ops]
    found = evaluate([dtype], [x], wanted)
    for k in range(3):
        if target().fused:  # where operations are contracted is the compiler's choice
            np.testing.assert_array_max_ulp(found[k], found[3 + k], 2)
        else:
            np.testing.assert_array_equal(found[k], found[3 + k])
    scalars = Scalars(Target())
    assert scalars.call("sin", dtype, ["x"], [dtype], range=(0.0, 1.0)) == f"sin_near_{dtype}(x)"
    assert scalars.call("sin", dtype, ["x"], [dtype], range=(0.0, 1e9)) == f"sin_{dtype}(x)"
    assert f"angle_far_{dtype}" in scalars.text()


def test_targets_without_wide_types() -> None:
    small = Scalars(Target(f64=False, i64=False))
    for dtype in ("f64", "i64", "u64"):
        with pytest.raises(DeclinedError):
            small.type(dtype)
    for op, info in OPS.items():
        if op not in ELSEWHERE | WHOLE:
            args = "ab"[: info.arity]
            small.call(op, "bool" if info.result == "bool" else "f32", args, ["f32"] * info.arity)
    assert not {"f64", "u64", "i64"} & set(small.text().replace("<", " ").replace(">", " ").split())


def test_what_integers_lack_is_declined() -> None:
    scalars = Scalars(Target())
    for op, dtype in itertools.product(("exp", "div", "pow"), ("i32", "bool")):
        with pytest.raises(DeclinedError):
            scalars.call(op, dtype, "ab"[: OPS[op].arity], [dtype] * OPS[op].arity)


def test_text_does_not_depend_on_the_order_of_calls() -> None:
    first, second = Scalars(Target()), Scalars(Target())
    ops = ["sin", "erfc", "pow", "gamma"]
    for scalars, order in ((first, ops), (second, ops[::-1])):
        for op in order:
            scalars.call(op, "f64", "ab"[: OPS[op].arity], ["f64"] * OPS[op].arity)
    assert first.text() == second.text()
    assert first.text().count("fn log_pair_f64(") == 1
    assert Scalars(Target()).text() == ""


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_remainders_of_any_quotient(dtype: str) -> None:
    generator = np.random.default_rng(0)
    kind = NUMPY_DTYPE[dtype]
    most = 37.0 if dtype == "f32" else 300.0
    size = 10.0 ** generator.uniform(-most, most, (2, 4000))
    near = generator.integers(1, 1 << 20, (2, 4000)) * generator.choice([1.0, 0.1, 0.25], 4000)
    values = np.concatenate([size, near], axis=1) * generator.choice([-1, 1], (2, 8000))
    x, y = values.astype(kind)
    x[::10] = y[::10] * generator.integers(-50, 50, 800).astype(kind)
    ops = ["mod", "rem"]
    found = evaluate([dtype] * 2, [x, y], [(dtype, map_op(op, dtype, [dtype] * 2)) for op in ops])
    for op, got in zip(ops, found, strict=True):
        with np.errstate(all="ignore"):
            expected = ORACLE[op](x, y)
        np.testing.assert_array_equal(got, expected, op)


def test_whole_results_are_exact() -> None:
    whole = np.arange(1, 19, dtype=np.float64)
    wanted = [
        ("f64", map_op("gamma", "f64", ["f64"])),
        ("f64", lambda s, a: s.call("pow", "f64", [s.literal(10, "f64"), *a], ["f64"] * 2)),
        ("f64", lambda s, a: s.call("exp", "f64", [f"{a[0]} - {a[0]}"], ["f64"])),
        ("f64", lambda s, a: s.call("cbrt", "f64", [f"{a[0]} * {a[0]} * {a[0]}"], ["f64"])),
        ("f64", lambda s, a: s.call("pow", "f64", [a[0], s.literal(3, "f64")], ["f64"] * 2)),
    ]
    factorial, power, one, root, cube = evaluate(["f64"], [whole], wanted)
    np.testing.assert_array_equal(factorial, np.cumprod([1.0, *whole[:-1]]))
    np.testing.assert_array_equal(power, [10.0**k for k in range(1, 19)])
    np.testing.assert_array_equal(one, 1)
    np.testing.assert_array_equal(root, whole)
    np.testing.assert_array_equal(cube, whole**3)
    for base, op in ((10.0, "log10"), (2.0, "log2")):
        powers = base ** np.arange(0, 23)
        (got,) = evaluate(["f64"], [powers], [("f64", map_op(op, "f64", ["f64"]))])
        np.testing.assert_array_equal(got, np.arange(0, 23))
