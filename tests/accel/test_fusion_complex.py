"""Every fusion spec that takes complex operands: its code gives what its host rule gives."""

from __future__ import annotations

import inspect
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from runmat_core.accel.graph.node import COMPLEX_CLASSES
from runmat_core.api.fusion import Map, Reduction, Scan
from runmat_core.values import from_numpy, to_numpy
from runmat_core.values.deferred import Deferred
from tests.accel.referee import Referee, by_host
from tests.accel.test_fusion import core_names, function_of, spec_of

Data = NDArray[Any]

#: Parts of ordinary numbers and special ones.
PLAIN = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.0, 1e-3, 20.0]
SPECIAL = [*PLAIN, np.inf, -np.inf, np.nan]
KINDS = [np.complex128, np.complex64]
#: Units in the last place of the modulus; powers grow with what is taken to the power.
ULPS = {"power": 200.0, "pow2": 64.0}


def takes_complex(name: str) -> bool:
    spec = spec_of(name)
    if isinstance(spec, Map):
        return spec.of_complex is not None
    return isinstance(spec, Reduction) and getattr(spec.pair, "of_complex", None) is not None


#: Conversions of arrays that are known to be complex are the host's.
CONVERSIONS = frozenset({"double", "single"})
MAPS = [n for n in core_names(Map, Reduction) if takes_complex(n) and n not in CONVERSIONS]
ALONG = [n for n in core_names(Reduction, Scan) if spec_of(n).of_complex is not None]


def numbers(parts: list[float], kind: Any) -> Data:
    """All pairs of parts, the real ones among them with zeros of both signs."""
    z = np.empty((len(parts), len(parts)), np.complex128)
    z.real, z.imag = np.meshgrid(parts, parts)
    return z.reshape(1, -1).astype(kind)


def operand_sets(name: str, kind: Any) -> list[tuple[Any, ...]]:
    count = len(inspect.signature(function_of(name).function).parameters)
    z, x = numbers(SPECIAL, kind), np.array([SPECIAL], kind).real
    if count == 1:
        return [(z,)]
    few = numbers([0.0, 1.0, -2.5, 3.0], kind)
    return [
        (z, few.T),
        (few.T, z),
        (z, x.T.copy()),
        (x.T.copy(), z),
        *[(z, scalar) for scalar in (0.0, 1.0, 2.0, 0.5, 3.0, -2.0, -0.7)],
        *[(scalar, z) for scalar in (2.0, -0.5)],
    ]


def near(got: Data, want: Data, ulps: float) -> None:
    """Alike but for rounding; what C99 leaves open of infinities is left open."""
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want)
        return
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(got), finite)
    size = np.abs(want[finite]).astype(np.float64)
    limits = np.finfo(want.dtype)
    unit = np.spacing(np.maximum(size, limits.tiny / limits.eps).astype(want.real.dtype))
    error = np.abs(got[finite].astype(np.complex128) - want[finite].astype(np.complex128))
    assert (error <= ulps * unit).all(), (error / unit).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAPS)
def test_maps_of_complex_arrays_give_what_host_rules_give(name: str, kind: Any) -> None:
    captured = 0
    for operands in operand_sets(name, kind):
        referee = Referee()
        values = [from_numpy(v) if isinstance(v, np.ndarray) else v for v in operands]
        got = referee.call(name, *values)
        if got.__class__ is not Deferred:
            continue
        captured += 1
        node = got.promise.node
        data = got.data
        # what the program has for complex needs no look at elements
        assert not referee.fired
        want = to_numpy(by_host(name, *values))
        if node.cls in COMPLEX_CLASSES:
            want = want.astype(np.complex64 if node.cls == "complex single" else np.complex128)
            data = data.astype(want.dtype)
        near(data, want, ULPS.get(name, 16.0))
    assert captured


@pytest.mark.sweep
@pytest.mark.parametrize("name", MAPS)
def test_what_may_be_real_is_right_or_told_of(name: str) -> None:
    """Operands that the graph has for complex and that are real: `i` times imaginary numbers."""
    x = np.array([SPECIAL])
    count = len(inspect.signature(function_of(name).function).parameters)
    others: list[tuple[Any, ...]] = [()]
    if count == 2:
        others = [(0.5,), (3.0,), (-2.0,), (from_numpy(x.T.copy()),)]
    for other, turned in product(others, (False, True) if count == 2 else (False,)):
        for column in x[0]:
            # one at a time, so that each tells for itself
            referee = Referee()
            whole = np.array([[column, 1.5]])
            z = referee.call("complex", from_numpy(whole), from_numpy(np.zeros((1, 2))))
            z = referee.call("conj", referee.call("conj", z))
            operands = (*other, z) if turned else (z, *other)
            real = (*other, from_numpy(whole)) if turned else (from_numpy(whole), *other)
            got = referee.call(name, *operands)
            if got.__class__ is not Deferred:
                continue
            data = np.array(got.data)
            want = to_numpy(by_host(name, *real))
            if want.dtype.kind == "f" and data.dtype.kind == "c":
                assert not data.imag.any(), (column, data)
                data = data.real
            elif want.dtype.kind == "c":
                data = data.astype(want.dtype)
            near(data, want, ULPS.get(name, 16.0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ALONG)
def test_reductions_of_complex_arrays_give_what_host_rules_give(name: str, kind: Any) -> None:
    z = numbers(PLAIN, kind).reshape(9, 9) / 3
    z[z == 0] = 1 + 2j  # products of zeros say little
    operands = (from_numpy(z[:, :1]),) if name == "norm" else (from_numpy(z),)
    referee = Referee()
    got = referee.call(name, *operands)
    assert got.__class__ is Deferred
    assert not referee.fired
    near(np.array(got.data), to_numpy(by_host(name, *operands)), 64.0)
