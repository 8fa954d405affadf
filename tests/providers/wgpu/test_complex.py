"""Complex elements on the device: accuracy over all magnitudes, and what is declined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.device import Device, Draft
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.kernels import loops
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import PART_OF, LibraryCall
from tests.providers.wgpu.drawn import carried, carry, last
from tests.providers.wgpu.machine import adapter_device

COUNT = 20_000
#: Units in the last place of the modulus of the result, found and allowed.
ULPS = 8.0
#: Decimal exponents of parts, by operation; of others all that the type has.
SPANS = {"exp": (-3, 1.5), "sin": (-3, 1.5), "cos": (-3, 1.5), "mul": (-15, 15), "div": (-15, 15)}
for name in "tan sinh cosh tanh".split():
    SPANS[name] = (-3, 1.5)
WIDE = {"c64": (-35, 35), "c128": (-290, 290)}


def numbers(dtype: str, span: tuple[float, float], seed: int) -> Any:
    """Parts of all magnitudes and both signs; some pairs close together, some near the circle."""
    rng = np.random.default_rng(seed)
    parts = 10.0 ** rng.uniform(*span, (2, COUNT)) * rng.choice([-1, 1], (2, COUNT))
    near = rng.random(COUNT) < 0.3
    parts[1, near] = parts[0, near] * rng.uniform(0.5, 2, near.sum())
    z = parts[0] + 1j * parts[1]
    circle = rng.random(COUNT) < 0.2
    z[circle] = np.exp(2j * np.pi * rng.random(circle.sum())) * (1 + rng.normal(0, 1e-3))
    return z.astype(NUMPY_DTYPE[dtype])


def exact(op: str, *operands: Any) -> Any:
    """The result in a longer type, rounded."""
    wide = [o.astype(np.clongdouble) for o in operands]
    names = {"mul": "multiply", "div": "divide"} | {f"a{n}": f"arc{n}" for n in INVERTED}
    function: Any = getattr(np, names.get(op, op))
    return function(*wide)


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    adapter_device()  # skips where there is none
    made = Device("wgpu", {"probe": "never"}, "wgpu for complex elements")
    yield made
    made.hook.close()


INVERTED = "sin cos tan sinh cosh tanh".split()
OPERATIONS = ["abs", "mul", "div", "sqrt", "log", "exp", *INVERTED, *[f"a{n}" for n in INVERTED]]


@pytest.mark.sweep
@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("dtype", ["c64", "c128"])
def test_error_is_a_few_units_of_the_modulus(device: Device, op: str, dtype: str) -> None:
    if dtype not in device.capabilities.dtypes:
        pytest.skip(f"{dtype} is not declared")
    span = SPANS.get(op, WIDE[dtype])
    data = [numbers(dtype, span, seed) for seed in range(2 if op in ("mul", "div") else 1)]
    draft = Draft((COUNT,))
    out = draft.store(draft.builder.map(op, *[draft.load(d) for d in data]))
    got = draft.run(device)[0][out]
    want = exact(op, *data)
    part = NUMPY_DTYPE[PART_OF[dtype]].type
    size = np.abs(want)
    kept = (size < np.finfo(part).max / 4) & (size > np.finfo(part).tiny * 4)
    error = np.abs(got.astype(np.clongdouble) - want)[kept]
    unit = np.spacing(size[kept].astype(part)).astype(np.longdouble)
    assert kept.mean() > 0.5
    assert (error / unit).max() <= ULPS


@pytest.mark.parametrize(
    "call",
    [
        LibraryCall("sort", ("c64", "c64")),
        LibraryCall("expand", ("c128", "bool", "c128")),
        LibraryCall("matmul", ("c64", "c64", "c64")),
        LibraryCall("qr", ("c64", "c64")),
    ],
    ids=lambda call: call.name,
)
def test_calls_that_know_no_complex_elements_are_declined(call: LibraryCall) -> None:
    with pytest.raises(DeclinedError):
        template(call, Target())


def test_doubles_are_asked_for() -> None:
    draft = Draft((8,))
    draft.store(abs(draft.load(np.zeros(8, np.complex128))))
    with pytest.raises(DeclinedError):
        template(draft.kernel(), Target(f64=False))


@pytest.mark.parametrize("dtype", ["c64", "c128"])
def test_carries_pass_between_dispatches(
    device: Device, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dtype not in device.capabilities.dtypes:
        pytest.skip(f"{dtype} is not declared")
    results = []
    for speed in (1e12, 1.0):  # all trips in one dispatch, and one for each trip
        monkeypatch.setattr(loops, "SOFTWARE_SPEED", speed)
        monkeypatch.setattr(loops, "SPEED", speed)
        rng = np.random.default_rng(4)
        c = (rng.normal(size=11) + 1j * rng.normal(size=11)).astype(NUMPY_DTYPE[dtype]) / 2
        draft = Draft((11, 10), ["parallel", "serial"])
        first = draft.load(c, [True, False])
        z, at = carry(draft, first)
        carried(draft, at, z * first + first)
        out = draft.store(last(draft, z), [True, False])
        results.append(draft.run(device)[0][out])
    wanted = c
    for _ in range(9):
        wanted = wanted * c + c
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_allclose(results[0], wanted, rtol=1e-5 if dtype == "c64" else 1e-13)
