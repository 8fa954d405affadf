"""How far functions of one element are from exact results; `docs/accuracy.md` has the table."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.ir import OPS
from tests.providers.wgpu.elements import evaluate, map_op
from tests.providers.wgpu.machine import target
from tests.providers.wgpu.sweeps import EXACT_ENOUGH, KIND, SWEEPS, Sweep

pytestmark = pytest.mark.skipif(not EXACT_ENOUGH, reason="no extended precision here")

CASES = [
    pytest.param(sweep, dtype, id=f"{sweep.op}-{dtype}")
    for sweep in SWEEPS
    for dtype in ("f32", "f64")
]


def check(sweep: Sweep, dtype: str, count: int, seed: int) -> None:
    sources = [dtype] * OPS[sweep.op].arity
    operands = sweep.samples(dtype, count, seed)
    if dtype == "f32" and not target().subnormals:
        operands = sweep.normal(operands)
    (got,) = evaluate(sources, operands, [(dtype, map_op(sweep.op, dtype, sources))])
    errors = sweep.errors(got, operands)
    worst = int(np.argmax(errors))
    where = [x[worst] for x in operands]
    assert errors[worst] <= bound(sweep, dtype), (errors[worst], where, got[worst])


def bound(sweep: Sweep, dtype: str) -> float:
    """What was measured, or on devices that contract operations what is promised."""
    measured = sweep.bounds[dtype == "f64"]
    if not target().fused or sweep.op in ("mul", "div", "sqrt"):
        return measured
    return max(measured, 4.0 if dtype == "f32" else 2.0)


@pytest.mark.sweep(20)
@pytest.mark.parametrize(("sweep", "dtype"), CASES)
def test_errors_stay_within_bounds(sweep: Sweep, dtype: str) -> None:
    check(sweep, dtype, 250 if sweep.slow else 20000, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize(("sweep", "dtype"), CASES)
def test_errors_stay_within_bounds_on_many_samples(sweep: Sweep, dtype: str) -> None:
    check(sweep, dtype, 20000 if sweep.slow else 1 << 20, seed=1)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_angles_beside_multiples_of_a_quarter_turn(dtype: str) -> None:
    # among these the numbers of each type that come closest to one, relative to their spacing
    quarters = np.concatenate([np.arange(1, 5000), 2 ** np.arange(12, 60), [10**15]]) * (np.pi / 2)
    far = [16367173.0 * 2.0**72, 1e22, 3.4e38]
    if dtype == "f64":
        far += [6381956970095103.0 * 2.0**797, 5.319372648326541e255, 2.0**1023, 1.7e308]
    x = np.concatenate([quarters, far]).astype(KIND[dtype])
    x = np.concatenate([x, np.nextafter(x, 0)])
    sweeps = [sweep for sweep in SWEEPS if sweep.op in ("sin", "cos", "tan")]
    wanted = [(dtype, map_op(sweep.op, dtype, [dtype])) for sweep in sweeps]
    for sweep, got in zip(sweeps, evaluate([dtype], [x], wanted), strict=True):
        errors = sweep.errors(got, [x])
        worst = int(np.argmax(errors))
        assert errors[worst] <= bound(sweep, dtype), (sweep.op, errors[worst], x[worst])
