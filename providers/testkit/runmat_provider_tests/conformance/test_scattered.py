"""Library calls whose results lie, or are as large, as elements say."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE, ExecuteRequest, Launch
from runmat_core.api.ir import LibraryCall
from runmat_provider_tests.device import Device
from runmat_provider_tests.libraries import LIBRARIES

TYPES = ["f32", "f64", "i32", "u8", "i16", "bool"]
SIZES = [1, 37, 5000, 300001]


def compared(
    device: Device,
    call: LibraryCall,
    inputs: list[np.ndarray],
    sizes: list[int],
    extents: tuple[int, ...],
) -> int:
    """Run a call and compare its outputs with the reference's; the status bits."""
    device.needs(*call.dtypes, library=call.name)
    executable = device.accepted(call)
    kinds = call.dtypes[len(inputs) :]
    expected = [np.zeros(n, NUMPY_DTYPE[t]) for n, t in zip(sizes, kinds, strict=True)]
    fired = LIBRARIES[call.name](call, extents, [*inputs, *expected])
    sources = device.upload(*inputs)
    made = device.allocate(*[((n, 1), t) for n, t in zip(sizes, kinds, strict=True)])
    (word,) = device.upload(np.zeros((1, 1), np.uint32))
    launch = Launch(executable, tuple(range(len(inputs) + len(made))), extents)
    request = ExecuteRequest(steps=(launch,), slots=(*sources, *made), status=word)
    assert device.hook.execute(request=request)
    found = device.download(*made, word)
    device.free(*sources, *made, word)
    status = int(found.pop().item())
    assert status == bool(fired and call.guards)
    if not status:
        kept = extents[-1] if call.name == "compact" else None
        for one, other in zip(found, expected, strict=True):
            if call.attribute("by") == "sum":
                eps = float(np.finfo(other.dtype).eps)
                np.testing.assert_allclose(one.ravel(), other, rtol=50 * eps, atol=1e-4)
                continue
            np.testing.assert_array_equal(one.ravel(order="F")[:kept], other[:kept])
    return status


def elements(dtype: str, size: int, part: float = 0.5) -> np.ndarray:
    """Elements of which about such a part is not zero."""
    rng = np.random.default_rng(size)
    data = rng.integers(1, 100, size) * (rng.random(size) < part)
    found = data.astype(NUMPY_DTYPE[dtype])
    if found.dtype.kind == "f":
        special = np.array([np.nan, -0.0, np.inf, 1e-45, 0.0, -np.inf, -3.5, 1], found.dtype)
        at = np.arange(size)[:: max(size // 8, 1)][:8]
        found[at] = special[: at.size]
    return found


@pytest.mark.parametrize("gives", [("places",), ("rows", "columns"), ("rows", "columns", "values")])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_compact_tells_places(
    device: Device, dtype: str, size: int, gives: tuple[str, ...]
) -> None:
    x = elements(dtype, size)
    count = int(np.count_nonzero(x))
    kinds = [dtype if name == "values" else "f64" for name in gives]
    call = LibraryCall("compact", (dtype, *kinds), (("gives", gives),))
    rows = next(n for n in (7, 3, 2, 1) if size % n == 0)
    compared(device, call, [x], [max(count, 1)] * len(gives), (rows, size // rows, 0, count))


@pytest.mark.parametrize("part", [0.0, 0.01, 1.0])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_compact_takes_elements(device: Device, dtype: str, size: int, part: float) -> None:
    mask, x = elements("bool", size, part), elements(dtype, size)
    count = int(np.count_nonzero(mask))
    call = LibraryCall("compact", ("bool", dtype, dtype), (("gives", ("values",)),))
    compared(device, call, [mask, x], [max(count, 1)], (size, 1, 0, count))


@pytest.mark.parametrize(("skipped", "kept"), [(0, 1), (5, 1), (700, 1500), (2300, 20)])
def test_compact_takes_a_part(device: Device, skipped: int, kept: int) -> None:
    mask = elements("bool", 5000)
    call = LibraryCall("compact", ("bool", "f64"), (("gives", ("places",)),))
    compared(device, call, [mask], [kept], (5000, 1, skipped, kept))


@pytest.mark.parametrize("scalar", [False, True])
@pytest.mark.parametrize(("size", "places"), [(1, 3), (37, 20), (5000, 300), (3000, 90001)])
@pytest.mark.parametrize("dtype", TYPES)
def test_the_last_write_holds(
    device: Device, dtype: str, size: int, places: int, scalar: bool
) -> None:
    rng = np.random.default_rng(size)
    x, values = elements(dtype, size), elements(dtype, 1 if scalar else places)
    where = rng.integers(-2, size + 2, places).astype(np.int32)
    call = LibraryCall("scatter", (dtype, "i32", dtype, dtype))
    compared(device, call, [x, where, values], [size], (size, places, values.size))


@pytest.mark.parametrize("part", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_expand_puts_elements_in_order(device: Device, dtype: str, size: int, part: float) -> None:
    mask, x = elements("bool", size, part), elements(dtype, size)
    count = int(np.count_nonzero(mask))
    values = elements(dtype, max(count, 1))
    call = LibraryCall("expand", (dtype, "bool", dtype, dtype))
    if count:
        compared(device, call, [x, mask, values], [size], (size, count))


BINS = [(1, 1), (300, 1), (1000, 40), (5000, 3000), (300001, 7), (100000, 70000)]


@pytest.mark.parametrize("by", ["sum", "max", "min", "count"])
@pytest.mark.parametrize(("size", "bins"), BINS)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_accumulate(device: Device, dtype: str, size: int, bins: int, by: str) -> None:
    rng = np.random.default_rng(size)
    places = (1 + (rng.random(size) ** 3 * bins).astype(int)).astype(NUMPY_DTYPE[dtype])
    values = rng.normal(size=size).astype(NUMPY_DTYPE[dtype])
    values[:: size // 3 + 1] = np.nan if by != "sum" else np.inf
    if by == "count":
        call = LibraryCall("accumulate", (dtype, "f64"), (("by", by),), guards=True)
        assert not compared(device, call, [places], [bins], (size, 0, bins))
        return
    call = LibraryCall("accumulate", (dtype,) * 3, (("by", by),), guards=True)
    assert not compared(device, call, [places, values], [bins], (size, size, bins))
    assert not compared(device, call, [places, values[:1]], [bins], (size, 1, bins))


@pytest.mark.parametrize("place", [0.0, 41.0, 2.5, np.nan, np.inf, -3.0])
@pytest.mark.parametrize("by", ["sum", "count"])
def test_what_is_no_place_is_told(device: Device, by: str, place: float) -> None:
    places = np.arange(1.0, 41.0)
    places[17] = place
    inputs = [places] if by == "count" else [places, np.ones(40)]
    call = LibraryCall("accumulate", ("f64",) * (len(inputs) + 1), (("by", by),), guards=True)
    assert compared(device, call, inputs, [40], (40, 40 * (len(inputs) - 1), 40))


@pytest.mark.parametrize("dtype", ["i32", "u8", "i16"])
def test_accumulate_takes_whole_places(device: Device, dtype: str) -> None:
    places = np.random.default_rng(4).integers(1, 100, 3000).astype(NUMPY_DTYPE[dtype])
    values = np.arange(3000.0)
    call = LibraryCall("accumulate", (dtype, "f64", "f64"), (("by", "sum"),), guards=True)
    compared(device, call, [places, values], [120], (3000, 3000, 120))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("edges", [2, 9, 3000])
@pytest.mark.parametrize("dtype", TYPES)
def test_histogram(device: Device, dtype: str, edges: int, closed: bool) -> None:
    x = elements(dtype, 50001)
    limits = np.sort(np.random.default_rng(edges).integers(-5, 90, edges) * 1.0)
    count = edges - closed
    for outputs in (1, 2):
        kinds = (dtype, "f64", *["f64"] * outputs)
        call = LibraryCall("histogram", kinds, (("closed", closed),))
        compared(device, call, [x, limits], [count, x.size][:outputs], (x.size, edges))
