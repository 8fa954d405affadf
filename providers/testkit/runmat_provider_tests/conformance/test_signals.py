"""Fourier transforms and convolutions, where the provider declares them."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE, ExecuteRequest, Launch
from runmat_core.api.ir import PART_OF, LibraryCall
from runmat_provider_tests.device import Device
from runmat_provider_tests.libraries import LIBRARIES
from runmat_provider_tests.signals import mirrored


def computed(
    device: Device,
    call: LibraryCall,
    inputs: list[np.ndarray],
    made: tuple[int, ...],
    extents: tuple[int, ...],
) -> np.ndarray:
    """Return the output of a call; the test is skipped where it is not declared, or declined."""
    device.needs(*call.dtypes, library=call.name)
    executable = device.accepted(call)
    sources = device.upload(*inputs)
    outputs = device.allocate((made, call.dtypes[-1]))
    slots = tuple(range(len(inputs) + 1))
    launch = Launch(executable, slots, extents)
    request = ExecuteRequest(steps=(launch,), slots=(*sources, *outputs))
    assert device.hook.execute(request=request)
    (found,) = device.download(*outputs)
    device.free(*sources, *outputs)
    return found


def expected(
    call: LibraryCall, inputs: list[np.ndarray], made: tuple[int, ...], extents: tuple[int, ...]
) -> np.ndarray:
    result = np.empty(int(np.prod(made)), NUMPY_DTYPE[call.dtypes[-1]])
    LIBRARIES[call.name](call, extents, [*[a.ravel(order="F") for a in inputs], result])
    return result.reshape(made, order="F")


def numbers(dtype: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    real = rng.normal(size=shape)
    wide = real + 1j * rng.normal(size=shape) if dtype in PART_OF else real
    return wide.astype(NUMPY_DTYPE[dtype])


def close(found: np.ndarray, exact: np.ndarray, units: float) -> None:
    """Whether the error is that many rounding units of the norm at most."""
    eps = float(np.finfo(found.dtype).eps)
    norm = max(float(np.linalg.norm(exact.ravel())), 1e-30)
    assert float(np.linalg.norm((found - exact).ravel())) <= units * eps * norm


TRANSFORMED = [
    ((1, 1), (1, 1), (0,)),
    ((64, 3), (64, 3), (0,)),
    ((3, 100), (3, 100), (1,)),
    ((37, 2), (37, 2), (0,)),
    ((4, 5000), (4, 5000), (1,)),
    ((20, 5, 3), (20, 7, 3), (1,)),
    ((20, 5, 3), (11, 5, 3), (0,)),
    ((12, 10), (16, 9), (0, 1)),
    ((6, 5, 4), (6, 5, 4), (0, 1, 2)),
]
TYPES = [("f32", "c64"), ("c64", "c64"), ("f64", "c128"), ("c128", "c128")]


# each size with each pair of types, each size and each type in both directions: every one of them
# is a program of its own on devices that compile
@pytest.mark.parametrize(
    ("given", "made", "axes", "dtypes", "inverse"),
    [
        (*sizes, dtypes, bool((k + j // 2) % 2))
        for k, sizes in enumerate(TRANSFORMED)
        for j, dtypes in enumerate(TYPES)
    ],
)
def test_fft(
    device: Device,
    given: tuple[int, ...],
    made: tuple[int, ...],
    axes: tuple[int, ...],
    dtypes: tuple[str, str],
    inverse: bool,
) -> None:
    call = LibraryCall("fft", dtypes, (("axes", axes), ("inverse", inverse)))
    x = numbers(dtypes[0], given, 5)
    found = computed(device, call, [x], made, (*given, *made))
    close(found, expected(call, [x], made, (*given, *made)), 8)
    if x.dtype.kind != "c":
        np.testing.assert_array_equal(found, mirrored(found, axes).conj())


@pytest.mark.parametrize("part", ["f32", "f64"])
@pytest.mark.parametrize(("shape", "axes"), [((30, 4), (0,)), ((9, 8), (0, 1)), ((2, 17), (1,))])
def test_inverse_of_symmetric_spectra(
    device: Device, shape: tuple[int, ...], axes: tuple[int, ...], part: str
) -> None:
    dtype = {"f32": "c64", "f64": "c128"}[part]
    spectrum = np.fft.fftn(numbers("f64", shape, 6), axes=axes)
    spectrum = ((spectrum + mirrored(spectrum, axes).conj()) / 2).astype(NUMPY_DTYPE[dtype])
    extents = (*shape, *shape)
    asked = (("axes", axes), ("inverse", True), ("symmetric", True))
    call = LibraryCall("fft", (dtype, dtype), asked)
    found = computed(device, call, [spectrum], shape, extents)
    np.testing.assert_array_equal(found.imag, 0)
    close(found, expected(call, [spectrum], shape, extents), 8)
    real = LibraryCall("fft", (dtype, part), asked[:2])
    close(computed(device, real, [spectrum], shape, extents), found.real, 8)
    spectrum[(0,) * len(shape)] += 1j
    found = computed(device, call, [spectrum], shape, extents)
    assert found.imag.any()
    close(found, expected(call, [spectrum], shape, extents), 8)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("part", ["full", "same", "valid"])
@pytest.mark.parametrize(
    ("n", "m"),
    [
        ((50,), (7,)),
        ((2000,), (300,)),
        ((40, 30), (3, 5)),
        ((9, 8, 7), (2, 3, 4)),
        ((3, 2), (4, 4)),
    ],
)
def test_conv(
    device: Device, n: tuple[int, ...], m: tuple[int, ...], part: str, dtype: str, turned: bool
) -> None:
    made = {
        "full": tuple([p + q - 1 for p, q in zip(n, m, strict=True)]),
        "same": n,
        "valid": tuple([p - q + 1 for p, q in zip(n, m, strict=True)]),
    }[part]
    if min(made) < 1:
        pytest.skip("nothing is asked for")
    attributes = (("part", part), ("swapped", turned), ("turned", turned))
    call = LibraryCall("conv", (dtype,) * 3, attributes)
    a, b = numbers(dtype, n, 7), numbers(dtype, m, 8)
    inputs = [b, a] if turned else [a, b]
    found = computed(device, call, inputs, made, (*n, *m))
    close(found, expected(call, inputs, made, (*n, *m)), 2 + np.sqrt(np.prod(m)))


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize(
    ("shape", "axis"), [((50, 3), 0), ((3, 70), 1), ((4, 30, 2), 1), ((1, 1), 0), ((5, 4, 9), 2)]
)
@pytest.mark.parametrize(
    ("b", "a"),
    [
        ([1.0, 0.5, -0.25], []),
        ([2.0], []),
        ([0.2, 0.4, 0.2], [2.0, -0.6, 0.3]),
        ([1.0, 0.5, 0.5, 0.1, 0.2], [1.0, -0.5]),
        (3.0, [2.0, -0.5, 0.25, 0.1]),
        ([1.0, 2.0], [4.0]),
    ],
)
def test_filter(
    device: Device,
    b: list[float] | float,
    a: list[float],
    shape: tuple[int, ...],
    axis: int,
    dtype: str,
) -> None:
    above = b if isinstance(b, list) else []
    given = [np.array(v, NUMPY_DTYPE[dtype]).reshape(1, -1) for v in (above, a) if v]
    inputs = [*given, numbers(dtype, shape, 9)]
    attributes: dict[str, float] = {"axis": axis, "recursive": bool(a)}
    if not isinstance(b, list):
        attributes["gain"] = b
    call = LibraryCall("filter", (dtype,) * (len(inputs) + 1), tuple(sorted(attributes.items())))
    extents = (len(above) or 1, len(a) or 1, *shape)
    found = computed(device, call, inputs, shape, extents)
    close(found, expected(call, inputs, shape, extents), 8)
