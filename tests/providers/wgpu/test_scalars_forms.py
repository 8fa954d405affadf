"""Forms of `Scalars` for devices that compute in another way than the one at hand may."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Draft
from runmat_provider_tests.oracle import ORACLE
from runmat_wgpu.codegen.scalars import Scalars
from runmat_wgpu.codegen.shader import Target

from runmat_core.accel.random import philox
from tests.providers.wgpu.drawn import Drawn, check
from tests.providers.wgpu.elements import evaluate, map_op
from tests.providers.wgpu.machine import target
from tests.providers.wgpu.sweeps import EXACT_ENOUGH, SWEEPS, Sweep

SINGLES = np.float32
#: What has a form of its own where fma rounds once, or is made of such forms.
FUSED = {"exp", "expm1", "log", "sin", "cos", "tanh", "pow", "atanh"}


def quotients() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Ordinary and huge singles, whole multiples, special values and what beside what is hard."""
    generator = np.random.default_rng(0)
    size = np.exp(generator.uniform(-80, 80, (2, 50000))) * generator.choice([-1, 1], (2, 50000))
    whole = generator.integers(1, 1000, (2, 5000))
    whole[0] *= whole[1]
    edges = np.array([0, 1, 3, 3.4e38, 1.2e-38, 1 - 2**-24, 4 - 2**-22, np.inf, np.nan])
    special = np.stack([a.ravel() for a in np.meshgrid([*edges, *-edges], [*edges, *-edges])])
    near = np.stack([np.linspace(1, 4, 40000), np.linspace(2, 1, 40000)])
    a, b = np.concatenate([size, whole, special, near], axis=1).astype(SINGLES)
    return a, b


def test_quotients_and_roots_from_inexact_ones() -> None:
    a, b = quotients()
    wanted = [("f32", map_op("div", "f32", ["f32"] * 2)), ("f32", map_op("sqrt", "f32", ["f32"]))]
    found = evaluate(["f32", "f32"], [a, b], wanted, rounds=False)
    with np.errstate(all="ignore"):
        for got, expected in zip(found, (a / b, np.sqrt(a)), strict=True):
            # where results are subnormal they round twice
            normal = ~(np.abs(expected) < 1.2e-38) | (expected == 0)
            np.testing.assert_array_equal(got[normal], expected[normal])
            np.testing.assert_array_equal(
                np.signbit(got[~np.isnan(got)]), np.signbit(expected[~np.isnan(got)])
            )
            if target().subnormals:
                np.testing.assert_array_max_ulp(got[~normal], expected[~normal], 1)


@pytest.mark.parametrize("dtype", ["i8", "i32", "i64"])
def test_signs_of_remainders(dtype: str) -> None:
    kind = {"i8": np.int8, "i32": np.int32, "i64": np.int64}[dtype]
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    edges = np.array([low, low + 1, -100, -3, -1, 1, 3, 100, high - 1, high], kind)
    x, y = (a.ravel() for a in np.meshgrid(edges, edges))
    wanted = [(dtype, map_op(op, dtype, [dtype] * 2)) for op in ("mod", "rem")]
    mod, rem = evaluate([dtype] * 2, [x, y], wanted)
    operands = [(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    assert mod.tolist() == [a % b for a, b in operands]
    assert rem.tolist() == [a - b * _toward_zero(a, b) for a, b in operands]


def _toward_zero(a: int, b: int) -> int:
    count = abs(a) // abs(b)
    return count if (a < 0) == (b < 0) else -count


@pytest.mark.skipif(not EXACT_ENOUGH, reason="no extended precision here")
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("sweep", [s for s in SWEEPS if s.op in FUSED], ids=lambda s: s.op)
def test_forms_for_an_fma_that_rounds_once(sweep: Sweep, dtype: str) -> None:
    sources = [dtype] * (2 if sweep.op == "pow" else 1)
    operands = sweep.samples(dtype, 200 if sweep.slow else 10000)
    if dtype == "f32" and not target().subnormals:
        operands = sweep.normal(operands)
    wanted = [(dtype, map_op(sweep.op, dtype, sources))]
    (got,) = evaluate(sources, operands, wanted, fused=True, rounds=False)
    errors = sweep.errors(got, operands)
    worst = int(np.argmax(errors))
    bound = 3.0 if dtype == "f32" else 2.0
    assert errors[worst] <= bound, (errors[worst], [x[worst] for x in operands], got[worst])


@pytest.mark.parametrize("op", ["tanh", "exp"])
def test_forms_for_small_arguments(op: str) -> None:
    limit = Scalars(Target(fused=True, powers=True)).limit(op, "f32", "close")
    assert limit is not None
    x = np.concatenate([np.linspace(-limit, limit, 1 << 17), [0.0, -0.0, 1e-30]]).astype(SINGLES)
    form = map_op(op, "f32", ["f32"], range=(-limit, limit))
    wanted = [("f32", form), ("f32", lambda scalars, args: f"exp2({args[0]} * 1.4492754f)")]
    got, powers = evaluate(["f32"], [x], wanted, fused=True, powers=True)

    def errors(some: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
        units = np.spacing(np.maximum(np.abs(exact), 1.2e-38).astype(SINGLES))
        return float((np.abs(some - exact) / units).max())

    exact = getattr(np, op)(x.astype(np.float64))
    own = errors(powers, np.exp2((x * SINGLES(1.4492754)).astype(np.float64)))
    assert errors(got, exact) <= (1.0 + own if op == "exp" else 3.0)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(exact))


@pytest.mark.sweep(1)
@pytest.mark.skipif(not EXACT_ENOUGH, reason="no extended precision here")
@pytest.mark.parametrize("powers", [False, True])
def test_powers_of_singles_by_doubles(powers: bool) -> None:
    if not (target().f64 and target().i64):
        pytest.skip("no doubles here")
    sweep = next(s for s in SWEEPS if s.op == "pow")
    operands = sweep.normal(sweep.samples("f32", 20000))
    wanted = [("f32", map_op("pow", "f32", ["f32"] * 2))]
    forms = {"fused": True, "rounds": False, "wide": True, "powers": powers}
    (got,) = evaluate(["f32"] * 2, operands, wanted, **forms)
    errors = sweep.errors(got, operands)
    worst = int(np.argmax(errors))
    # with those of the device at hand, which may be worse than what `powers` asks for
    assert errors[worst] <= (5.0 if powers else 2.0), (
        errors[worst],
        [x[worst] for x in operands],
        got[worst],
    )


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_special_values_where_fma_rounds_once(dtype: str) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 1e4, 1e-30, -1e-30])
    ops = ("exp", "log", "sin", "cos", "tanh", "expm1", "tan")
    wanted = [(dtype, map_op(op, dtype, [dtype])) for op in ops]
    for op, got in zip(ops, evaluate([dtype], [x], wanted, fused=True), strict=True):
        with np.errstate(all="ignore"):
            expected = getattr(np, op)(x.astype(got.dtype))
        np.testing.assert_allclose(got, expected, rtol=1e-6 if dtype == "f32" else 1e-14, atol=0)
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(expected)[known], op)


@pytest.mark.parametrize(("dtype", "wide"), [("f32", False), ("f32", True), ("f64", False)])
def test_powers_of_special_values_where_fma_rounds_once(dtype: str, wide: bool) -> None:
    edges = [0.0, 0.5, 1.0, 2.0, 3.0, 1e5, 1e30, np.inf]
    x, y = (
        a.ravel() for a in np.meshgrid([*edges, *[-e for e in edges], np.nan], [*edges, -1, -2])
    )
    kind = np.float32 if dtype == "f32" else np.float64
    wanted = [(dtype, map_op("pow", dtype, [dtype] * 2))]
    (got,) = evaluate([dtype] * 2, [x, y], wanted, fused=True, wide=wide)
    with np.errstate(all="ignore"):
        expected = ORACLE["pow"](x.astype(kind), y.astype(kind))
    np.testing.assert_allclose(got, expected, rtol=4 * np.finfo(kind).eps)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_normal_numbers_where_fma_rounds_once(dtype: str) -> None:
    words = philox.words((1, 2), 0, 1 << 16).reshape(-1, 4)
    count = 4 if dtype == "f64" else 2
    wanted = [
        (dtype, lambda s, a, k=k: s.random("normal", dtype, *a[:count]) + f".{k}") for k in "xy"
    ]
    got = evaluate(["u32"] * 4, list(words.T), wanted, fused=True, rounds=False)
    used = np.ascontiguousarray(words[:, :count]).reshape(-1)
    expected = philox.box_muller(philox.uniforms(used, dtype)).reshape(-1, 2)
    for k in (0, 1):
        unit = np.spacing(np.maximum(np.abs(expected[:, k]), 1))
        assert (np.abs(got[k] - expected[:, k]) / unit).max() <= 4


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("seed", range(4))
def test_maps_keep_their_order_without_barriers(seed: int, dtype: str) -> None:
    check(Drawn(seed, dtype, serial=seed % 2 == 1).draft, fused=True, rounds=False)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_divisors_that_are_the_same_for_all_points(dtype: str) -> None:
    generator = np.random.default_rng(0)
    draft = Draft((2000,))
    kind = np.float32 if dtype == "f32" else np.float64
    values = np.exp(generator.uniform(-30, 30, 2000)).astype(kind)
    values[:6] = [0.0, -0.0, np.inf, -np.inf, np.nan, 3e38]
    x = draft.load(values)
    for divisor in (draft.param(3.7, dtype), draft.param(0.0, dtype), 10.0, 4.0, -0.5):
        draft.store(x / divisor)
    # reciprocals and steps are exact only where fma rounds once
    check(draft, rtol=4 * np.finfo(kind).eps, fused=True, rounds=False)


def test_reciprocals_of_divisors() -> None:
    fused = Scalars(Target(fused=True, rounds=False))
    assert fused.inverse("b", "f32", 10.0) == "0.1f"
    assert fused.divided("a", "b", "0.1f", "f32", 10.0) == "div_known_f32(a, b, 0.1f)"
    assert fused.divided("a", "b", "0.25f", "f32", 4.0) == "(a * 0.25f)"
    assert fused.inverse("b", "f32", float(np.float32(2 - 2**-23))) is None
    assert fused.inverse("b", "f32", 0.0) is None
    assert fused.inverse("b", "f32", np.inf) is None
    assert Scalars(Target()).inverse("b", "f32", 10.0) is None
    assert Scalars(Target(fused=True)).inverse("b", "f32", 10.0) is None
