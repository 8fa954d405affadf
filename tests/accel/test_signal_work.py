"""How the work of transforms and convolutions is counted, and where they are placed by it."""

from __future__ import annotations

import math

import attrs
import pytest

from runmat_core.accel.placement import work
from runmat_core.accel.placement.costs import typical
from runmat_core.accel.planning.plan import BufferRef, KernelCall
from runmat_core.api.ir import LibraryCall


def lowered(
    name: str, dtypes: tuple[str, ...], extents: tuple[int, ...], **how: object
) -> KernelCall:
    unit = LibraryCall(name, dtypes, tuple(sorted(how.items())))
    refs = tuple([BufferRef(k) for k in range(len(dtypes))])
    return KernelCall(unit, refs, frozenset({len(refs) - 1}), extents, (), (), name)


def fft(
    *extents: int, dtypes: tuple[str, str] = ("f32", "c64"), axes: tuple[int, ...] = (0,)
) -> KernelCall:
    return lowered("fft", dtypes, extents * 2, axes=axes)


def test_a_transform_is_counted_by_axis() -> None:
    n = 1 << 20
    found = work.fused(fft(n, 1))
    assert found == {"matmul.f32": 8 * 5 * 20.0 * n, "stream": 2 * 16.0 * n}
    both = work.fused(fft(1024, 1024, axes=(0, 1)))
    assert both == {"matmul.f32": 8 * 5 * 20.0 * n, "stream": 2 * 16.0 * n}
    odd, even = work.fused(fft(1031, 1)), work.fused(fft(1024, 1))
    assert odd["stream"] > 9 * even["stream"]  # convolved: and in two passes
    assert work.fused(fft(8, 8, dtypes=("c128", "c128")))["matmul.f64"] == 8 * 5 * 64 * 3.0


def test_a_convolution_is_counted_by_products() -> None:
    unit = lowered("conv", ("f64",) * 3, (100, 80, 3, 5), part="same")
    assert work.fused(unit) == {"matmul.f64": 8.0 * 8000 * 15, "stream": 8.0 * (16000 + 15)}
    rules, passes = work.passes(unit)
    assert (rules, passes) == ({"light.f64": 2.0 * 8000 * 15}, 1)
    valid = lowered("conv", ("f64",) * 3, (100, 80, 3, 5), part="valid")
    assert work.fused(valid)["matmul.f64"] == 8.0 * 98 * 76 * 15
    long = lowered("conv", ("f64",) * 3, (1 << 20, 1, 1 << 16, 1), part="full")
    whole = float((1 << 20) + (1 << 16))
    assert work.passes(long)[0] == {"light.f64": pytest.approx(18 * whole * math.log2(whole))}


def recursion(lines: int, n: int) -> KernelCall:
    return lowered("filter", ("f32",) * 3, (1, 3, n, lines), axis=0, gain=1.0, recursive=True)


def test_a_filter_is_counted_by_steps_and_elements() -> None:
    found = work.fused(recursion(100, 50))
    assert found == {"light.f32": 5000 * 10.0 + 6e4 * 50, "stream": 40000.0}
    finite = lowered("filter", ("f64",) * 3, (9, 1, 50, 100), axis=0, recursive=False)
    assert work.fused(finite) == {"matmul.f64": 8.0 * 9 * 5000, "stream": 80000.0}
    assert work.passes(finite)[0] == {"light.f64": 18.0 * 5000}


def test_one_long_recursion_is_for_the_host_and_many_are_not() -> None:
    device, rules = typical("device"), typical("rules")
    for lines, n, better in ((1, 1 << 20, False), (10000, 4096, True)):
        unit = recursion(lines, n)
        amounts, passes = work.passes(unit)
        assert (device.estimate(work.fused(unit)) < rules.estimate(amounts, passes)) == better


@pytest.mark.parametrize(
    "unit",
    [
        fft(1 << 20, 1),
        fft(1024, 1024),
        fft(1009, 500),
        lowered("conv", ("f32",) * 3, (2000, 2000, 7, 7), part="same"),
        lowered("conv", ("f32",) * 3, (1 << 20, 1, 101, 1), part="full"),
    ],
)
def test_what_is_resident_stays_on_a_gpu(unit: KernelCall) -> None:
    rules, passes = work.passes(unit)
    assert typical("device").estimate(work.fused(unit)) < typical("rules").estimate(rules, passes)


def test_software_loses_to_the_host() -> None:
    """With products as slow as measured on a software adapter."""
    software = typical("software")
    products = {"matmul.f32": 6.5e-10, "matmul.f64": 6.5e-10}
    slow = attrs.evolve(software, seconds={**software.seconds, **products})
    for unit in (fft(1 << 20, 1), lowered("conv", ("f32",) * 3, (2000, 2000, 7, 7), part="same")):
        rules, passes = work.passes(unit)
        assert slow.estimate(work.fused(unit)) > typical("rules").estimate(rules, passes)
