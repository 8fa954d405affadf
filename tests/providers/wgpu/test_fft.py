"""Fourier transforms on an adapter: every length, axes, padding, accuracy, counts of dispatches."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.fft.butterflies import functions
from runmat_wgpu.codegen.fft.factors import passes, radices, smooth
from runmat_wgpu.codegen.shader import Bind, DeclinedError, Dispatch, Prepared, Shader, Target

from runmat_core.api.device import DeviceFault
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu import machine
from tests.providers.wgpu.transformed import fft_call, launched, numbers, transformed, units

GOLDEN = Path(__file__).parent / "golden" / "fft"


def bound(n: int) -> float:
    """Rounding units by which a transform of n points may be off, relative to its norm."""
    return 1.5 + 0.1 * float(np.log2(n))


# -- lengths ---------------------------------------------------------------------------------------


def test_lengths_as_butterflies_and_passes() -> None:
    for n in range(1, 3000):
        if smooth(n):
            assert int(np.prod(radices(n))) == n
            for most in (64, 512):
                found = passes(n, most)
                assert int(np.prod(found)) == n
                assert max(found) <= most
    assert radices(1024) == (8, 8, 4, 4)
    assert passes(1 << 20, 1024) == (1024, 1024)
    assert passes(13**4, 512) == (169, 169)
    assert not smooth(17)
    with pytest.raises(ValueError, match="no product"):
        radices(34)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("kind", ["f", "F", "d", "D"])
def test_every_length_up_to_64(kind: str) -> None:
    for n in range(1, 65):
        x = numbers(kind, (n, 5), n)
        for inverse in (False, True):
            found, _ = transformed(x, 0, inverse=inverse)
            assert units(found, x, 0, None, inverse) < bound(n), n


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["F", "d"])
@pytest.mark.parametrize(
    ("shape", "axis", "dispatches"),
    [
        ((2048, 3), 0, 1),
        ((8192, 3), 0, 2),
        ((3, 8192), 1, 2),
        ((2, 2187, 2), 1, 2),
        ((4, 6561, 3), 1, 2),
        ((7, 11, 13, 3), 1, 1),
        ((6, 5, 4), 2, 1),
        ((390625, 1), 0, 2),
        ((371293, 1), 0, 3),
        ((3, 1009), 1, 5),
        ((65537, 1), 0, 6),
        ((1 << 20, 1), 0, 3),
    ],
)
def test_long_and_short_slices(
    kind: str, shape: tuple[int, ...], axis: int, dispatches: int
) -> None:
    if kind == "d" and shape[axis] in (2048, 1009):
        dispatches += 1  # of doubles, half as many fit a workgroup
    x = numbers(kind, shape)
    found, prepared = transformed(x, axis, workgroup_bytes=32768)
    assert units(found, x, axis) < bound(shape[axis])
    assert len(prepared.dispatches) == dispatches
    back, _ = transformed(found, axis, inverse=True, workgroup_bytes=32768)
    assert units(back, found, axis, None, True) < bound(shape[axis])


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["f", "D"])
@pytest.mark.parametrize("n", [1, 4, 31, 64, 100, 300, 3000])
def test_padded_and_cut(kind: str, n: int) -> None:
    for shape, axis in (((100, 7), 0), ((5, 9), 1), ((3, 40, 2), 1)):
        x = numbers(kind, shape)
        for inverse in (False, True):
            found, _ = transformed(x, axis, n, inverse)
            assert units(found, x, axis, n, inverse) < bound(max(n, 2))


@pytest.mark.parametrize("workgroup_bytes", [4096, 16384, 49152])
def test_workgroups_of_other_devices(workgroup_bytes: int) -> None:
    if workgroup_bytes > machine.target().workgroup_bytes:
        pytest.skip("not on this device")
    for shape, axis in (((5000, 2), 0), ((3, 1536), 1), ((1, 4099), 1)):
        x = numbers("F", shape)
        limits: dict[str, Any] = {"workgroup_bytes": workgroup_bytes, "groups": 5}
        found, _ = transformed(x, axis, invocations=128, **limits)
        assert units(found, x, axis) < bound(shape[axis])


def test_random_shapes() -> None:
    rng = np.random.default_rng(8)
    for seed in range(30):
        shape = tuple(int(v) for v in rng.integers(1, 40, rng.integers(2, 5)))
        axis = int(rng.integers(0, len(shape)))
        n = int(rng.integers(1, 200)) if seed % 2 else shape[axis]
        x = numbers("fFdD"[seed % 4], shape, seed)
        found, _ = transformed(x, axis, n, inverse=bool(seed & 4))
        assert units(found, x, axis, n, bool(seed & 4)) < bound(max(n, 2)), (shape, axis, n)


# -- what results are ------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 8, 9, 30, 31, 4096, 4097])
def test_the_spectrum_of_real_numbers_is_symmetric_to_the_last_bit(n: int) -> None:
    for inverse in (False, True):
        found, _ = transformed(numbers("d", (n, 3)), 0, inverse=inverse)
        np.testing.assert_array_equal(found, mirrored(found, (0,)).conj())


@pytest.mark.parametrize("n", [1, 6, 31, 2048, 8192])
def test_real_parts_of_an_inverse(n: int) -> None:
    x = numbers("f", (n, 2))
    spectrum, _ = transformed(x, 0)
    back, _ = transformed(spectrum, 0, inverse=True, result="f")
    assert units(back, spectrum, 0, None, True) < bound(max(n, 2))
    np.testing.assert_allclose(back, x, atol=1e-5)


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["f", "F", "d", "D"])
@pytest.mark.parametrize(
    ("shape", "made", "axes"),
    [
        ((12, 10), (12, 10), (0, 1)),
        ((40, 17), (32, 23), (0, 1)),
        ((6, 5, 7), (6, 5, 7), (0, 1, 2)),
        ((3, 8, 4), (3, 16, 2), (1, 2)),
        ((9, 2, 30, 2), (9, 2, 30, 2), (2, 0)),
        ((1, 1), (1, 1), (0, 1)),
    ],
)
def test_several_axes(
    kind: str, shape: tuple[int, ...], made: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    x = numbers(kind, shape)
    result = "F" if kind in "fF" else "D"
    for inverse, rule in ((False, np.fft.fftn), (True, np.fft.ifftn)):
        found, _ = launched(x, made, fft_call(kind, result, *axes, inverse=inverse))
        sizes = [made[axis] for axis in axes]
        exact = rule(x.astype(np.clongdouble), s=sizes, axes=axes)
        error = float(np.linalg.norm((found - exact).ravel()) / np.linalg.norm(exact.ravel()))
        limit = 1.5 * len(axes) + 0.1 * float(np.log2(np.prod(sizes)))
        assert error < limit * np.finfo(found.dtype).eps
        if kind in "fd":
            np.testing.assert_array_equal(found, mirrored(found, axes).conj())


def mirrored(a: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    for axis in axes:
        a = np.roll(np.flip(a, axis), 1, axis)
    return a


@pytest.mark.parametrize("kind", ["F", "D", "d"])
@pytest.mark.parametrize(
    ("shape", "axes"), [((17, 3), (0,)), ((4, 64), (1,)), ((6, 5), (0, 1)), ((5, 4, 6), (0, 1, 2))]
)
def test_what_is_symmetric_has_a_real_inverse(
    kind: str, shape: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    part = "f" if kind == "F" else "d"
    spectrum, _ = launched(numbers(part, shape), shape, fft_call(part, part.upper(), *axes))
    if kind == "d":
        spectrum = spectrum.real.copy()
    call = fft_call(kind, part.upper(), *axes, inverse=True, symmetric=True)
    back, _ = launched(spectrum, shape, call)
    exact = np.fft.ifftn(spectrum, axes=axes)
    np.testing.assert_array_equal(back.imag, 0)
    np.testing.assert_allclose(back.real, exact.real, atol=1e-5 if kind == "F" else 1e-13)
    spectrum[(1,) * len(shape)] *= 1 + np.finfo(part).eps
    if kind != "d":
        spectrum[(2,) * len(shape)] += 1j
    else:
        spectrum[(-1,) * len(shape)] += 1
    back, _ = launched(spectrum, shape, call)
    exact = np.fft.ifftn(spectrum, axes=axes)
    assert abs(back.imag).max() > 0
    np.testing.assert_allclose(back, exact, atol=1e-5 if kind == "F" else 1e-13)


def test_symmetry_is_that_of_what_is_padded_or_cut() -> None:
    x = np.array([[4, 1 + 1j, 2, 1 - 1j, 9]], np.complex128)
    call = fft_call("D", "D", 1, inverse=True, symmetric=True)
    assert not launched(x, (1, 4), call)[0].imag.any()
    assert launched(x, (1, 5), call)[0].imag.any()
    assert launched(x, (1, 9), call)[0].imag.any()
    x = np.array([[4, complex(1, np.nan), 2, complex(1, np.nan)]])
    assert np.isnan(launched(x, (1, 4), call)[0].imag).any()


def test_exact_results() -> None:
    impulse = np.zeros((64, 1))
    impulse[0] = 1
    found, _ = transformed(impulse, 0)
    np.testing.assert_array_equal(found, np.ones((64, 1)))
    constant = np.ones((24, 2), np.float32)
    found, _ = transformed(constant, 0)
    np.testing.assert_array_equal(found[0], [24, 24])
    assert abs(found[1:]).max() < 1e-5


def test_not_a_number_spreads_over_its_slice() -> None:
    for n in (16, 37, 5000):
        x = numbers("D", (n, 2))
        x[n // 2, 1] = np.nan
        found, _ = transformed(x, 0)
        assert np.isnan(found[:, 1]).all()
        assert not np.isnan(found[:, 0]).any()


def test_nothing_to_transform() -> None:
    for shape in ((0, 3), (4, 0)):
        call = LibraryCall("fft", ("f32", "c64"), (("axes", (0,)),))
        prepared = template(call, Target()).prepare(shape * 2, ())
        assert not prepared.dispatches


def test_what_is_declined() -> None:
    with pytest.raises(DeclinedError):
        template(LibraryCall("fft", ("f64", "c128")), Target(f64=False))
    with pytest.raises(DeclinedError):
        template(LibraryCall("fft", ("f64", "c64")), Target())
    with pytest.raises(DeclinedError):
        template(LibraryCall("fft", ("i32", "c64")), Target())
    made = template(LibraryCall("fft", ("f32", "c64"), (("axes", (0,)),)), Target())
    with pytest.raises(DeviceFault, match="too large"):
        made.prepare((1 << 25, 1, 1 << 25, 1), ())


# -- roots of unity --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_roots_of_unity(dtype: str) -> None:
    rng = np.random.default_rng(4)
    n = np.concatenate([[1, 2, 3, 8, 1 << 28], rng.integers(1, 1 << 28, 400)])
    n = np.concatenate([n, np.full(64, 64), 1 + rng.integers(1, 1 << 12, 400)])
    m = (rng.random(n.size) * n).astype(np.uint32)
    m[5 + 400 : 5 + 464] = np.arange(64)
    found = roots(m, n.astype(np.uint32), dtype)
    with mpmath.workprec(120):
        exact = [mpmath.expjpi(-2 * mpmath.mpf(int(a)) / int(b)) for a, b in zip(m, n, strict=True)]
        error = [
            max(abs(mpmath.mpf(float(f.real)) - e.real), abs(mpmath.mpf(float(f.imag)) - e.imag))
            for f, e in zip(found, exact, strict=True)
        ]
    off = np.array(error, float) / np.finfo(found.real.dtype).eps
    # quotients of singles may have an error of their own
    slack = 0.0 if machine.target().rounds or dtype == "f64" else 0.8
    assert off[n <= 1 << 24].max() < 0.9 + slack
    assert off.max() < 1.2 + slack
    np.testing.assert_array_equal(found[m == 0], 1)


def roots(m: np.ndarray, n: np.ndarray, dtype: str) -> np.ndarray:
    """``turn(m, n)`` by the adapter."""
    body = f"""\
struct P {{ zero: u32, a: u32, b: u32, c: u32 }}
@group(1) @binding(0) var<uniform> p: P;
@group(0) @binding(0) var<storage, read> m: array<u32>;
@group(0) @binding(1) var<storage, read> n: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<vec2<{dtype}>>;
{functions(dtype)}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {{
  if (g.x < {m.size}u) {{ y[g.x] = turn(m[g.x], n[g.x]); }}
}}
"""
    slots = tuple(Bind("slot", k) for k in range(3))
    shader = Shader(body, ("read", "read", "write"), 16)
    one = Dispatch(shader, (-(-m.size // 64), 1, 1), slots, struct.pack("<4I", 0, 0, 0, 0))
    made = machine.Machine(
        LibraryCall("roots", ()),
        [m, n, np.zeros(2 * m.size, np.float32 if dtype == "f32" else np.float64)],
        ("u32", "u32", dtype),
    )
    made.submit(Prepared((one,)))
    return made.result(2).view(np.complex64 if dtype == "f32" else np.complex128)


# -- text ------------------------------------------------------------------------------------------

#: By name of the file: letter of the input, extents, axis, options, and which dispatch.
CASES: dict[str, tuple[str, tuple[int, ...], int, dict[str, Any], int]] = {
    "lines_of_60": ("F", (60, 100), 0, {}, 0),
    "real_side_by_side": ("f", (100, 49), 1, {}, 0),
    "inverse_doubles": ("D", (16, 1), 0, {"inverse": True}, 0),
    "first_of_two_passes": ("F", (4096, 1), 0, {}, 0),
    "second_of_two_passes": ("F", (4096, 1), 0, {}, 1),
    "chirp": ("F", (17, 3), 0, {}, 0),
    "times_the_chirps_spectrum": ("f", (17, 3), 0, {}, 1),
    "back_from_the_convolution": ("f", (17, 3), 0, {}, 2),
    "whether_symmetric": ("F", (17, 3), 0, {"inverse": True, "symmetric": True}, 0),
    "real_if_symmetric": ("F", (16, 3), 0, {"inverse": True, "symmetric": True}, 1),
}


def test_text_of_what_mirrors(file_regression: FileRegressionFixture) -> None:
    made = template(fft_call("f", "F", 0, 1), Target()).prepare((8, 6, 8, 6), ()).dispatches
    assert len(made) == 3
    file_regression.check(made[-1].shader.source, fullpath=GOLDEN / "mirrored.wgsl")
    machine.pipeline(made[-1].shader)


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    kind, shape, axis, options, number = CASES[name]
    result = "F" if kind in "fF" else "D"
    call = fft_call(kind, result, axis, **options)
    prepared = template(call, Target()).prepare(shape * 2, ())
    made = prepared.dispatches[number].shader
    file_regression.check(made.source, fullpath=GOLDEN / f"{name}.wgsl")
    machine.pipeline(made)
    assert len(made.access) == len(prepared.dispatches[number].binds)
