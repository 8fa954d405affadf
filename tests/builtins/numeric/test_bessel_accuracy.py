"""Bessel, Hankel and Airy functions are within a unit in the last place of mpmath's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from runmat_core.builtins.math.extended import WIDER
from runmat_core.session import Session

pytestmark = pytest.mark.skipif(not WIDER, reason="no numbers wider than doubles here")

Points = tuple[np.ndarray, np.ndarray]
Sampler = Callable[[np.random.Generator, int], Points]

REFERENCE: dict[str, Callable[..., Any]] = {
    "besselj(nu, x)": mpmath.besselj,
    "bessely(nu, x)": mpmath.bessely,
    "besseli(nu, x)": mpmath.besseli,
    "besselk(nu, x)": mpmath.besselk,
    "besselh(nu, 1, x)": mpmath.hankel1,
    "besselh(nu, 2, x)": mpmath.hankel2,
    "besseli(nu, x, 1)": lambda nu, x: mpmath.besseli(nu, x) * mpmath.exp(-abs(x)),
    "besselk(nu, x, 1)": lambda nu, x: mpmath.besselk(nu, x) * mpmath.exp(x),
    "besselh(nu, 1, x, 1)": lambda nu, x: mpmath.hankel1(nu, x) * mpmath.expj(-x),
    "besselh(nu, 2, x, 1)": lambda nu, x: mpmath.hankel2(nu, x) * mpmath.expj(x),
}


def spread(rng: np.random.Generator, low: float, high: float, n: int) -> np.ndarray:
    return np.exp(rng.uniform(np.log(low), np.log(high), n))


REGIONS: dict[str, Sampler] = {
    "near zero": lambda rng, n: (rng.uniform(-3, 3, n), spread(rng, 1e-40, 1, n)),
    "whole": lambda rng, n: (rng.integers(-20, 20, n) * 1.0, rng.uniform(-50, 50, n)),
    "half": lambda rng, n: (rng.integers(-20, 20, n) + 0.5, rng.uniform(0, 50, n)),
    "almost whole": lambda rng, n: (
        rng.integers(-5, 5, n) + spread(rng, 1e-15, 1e-3, n),
        rng.uniform(0, 60, n),
    ),
    "any": lambda rng, n: (rng.uniform(-10, 10, n), rng.uniform(-60, 60, n)),
    "high": lambda rng, n: (rng.uniform(0, 200, n), rng.uniform(0, 200, n)),
    "far": lambda rng, n: (rng.uniform(0, 30, n), spread(rng, 25, 1e5, n)),
}


def units(found: complex, wanted: Any) -> float:
    """The distance in units in the last place of the modulus of `wanted`."""
    size = abs(wanted)
    if size > np.finfo(float).max:
        return 0.0 if not np.isfinite(found) else np.inf
    if size < 2.0**-1075:
        return 0.0 if found == 0 else np.inf
    return float(abs(mpmath.mpmathify(found) - wanted) / mpmath.mpf(np.spacing(float(size))))


def worst(session: Session, call: str, region: str, count: int, seed: int) -> tuple[float, Any]:
    nu, x = REGIONS[region](np.random.default_rng(seed), count)
    session.workspace["nu"], session.workspace["x"] = nu.reshape(1, -1), x.reshape(1, -1)
    found = np.asarray(session.eval(call)).ravel()
    errors = []
    for order, point, value in zip(nu, x, found, strict=True):
        # mpmath's functions lose digits where the order is large
        with mpmath.workdps(120):
            wanted = REFERENCE[call](mpmath.mpf(float(order)), mpmath.mpf(float(point)))
            errors.append(units(complex(value), wanted))
    at = int(np.argmax(errors))
    return errors[at], (nu[at], x[at])


@pytest.mark.sweep(20)
@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("call", REFERENCE)
def test_within_a_unit(call: str, region: str, session: Session) -> None:
    error, point = worst(session, call, region, 6, 3)
    assert error <= 1, point


@pytest.mark.slow
@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("call", REFERENCE)
def test_long_sweep(call: str, region: str, session: Session) -> None:
    error, point = worst(session, call, region, 80, 4)
    assert error <= 1, point


COMPLEX: dict[str, Callable[..., Any]] = {
    **{call: REFERENCE[call] for call in list(REFERENCE)[:6]},
    "besselj(nu, x, 1)": lambda nu, z: mpmath.besselj(nu, z) * mpmath.exp(-abs(z.imag)),
    "bessely(nu, x, 1)": lambda nu, z: mpmath.bessely(nu, z) * mpmath.exp(-abs(z.imag)),
    "besseli(nu, x, 1)": lambda nu, z: mpmath.besseli(nu, z) * mpmath.exp(-abs(z.real)),
    "besselk(nu, x, 1)": lambda nu, z: mpmath.besselk(nu, z) * mpmath.exp(z),
    "besselh(nu, 1, x, 1)": lambda nu, z: mpmath.hankel1(nu, z) * mpmath.exp(-1j * z),
    "besselh(nu, 2, x, 1)": lambda nu, z: mpmath.hankel2(nu, z) * mpmath.exp(1j * z),
}


def complex_points(seed: int, n: int) -> Points:
    rng = np.random.default_rng(seed)
    size = np.concatenate([spread(rng, 1e-5, 3, n), rng.uniform(1, 60, n), spread(rng, 25, 600, n)])
    angle = rng.uniform(-np.pi, np.pi, 3 * n)
    orders = [rng.uniform(-10, 10, n), rng.integers(-5, 10, n), rng.uniform(0, 30, n)]
    return np.concatenate(orders), size * np.exp(1j * angle)


def worst_complex(session: Session, call: str, count: int, seed: int) -> tuple[float, Any]:
    """Errors here are relative to the modulus, so that parts may have larger ones."""
    nu, z = complex_points(seed, count)
    session.workspace["nu"], session.workspace["x"] = nu.reshape(1, -1), z.reshape(1, -1)
    found = np.asarray(session.eval(call)).ravel()
    errors = []
    for order, point, value in zip(nu, z, found, strict=True):
        # mpmath makes H of J and Y, and K of two I: these cancel by exp(2*abs(imag(z))) and
        # exp(2*abs(real(z)))
        size = abs(point.imag) if "besselh" in call else abs(point.real) if "besselk" in call else 0
        lost = int(0.87 * size)
        with mpmath.workdps(80 + lost):
            wanted = COMPLEX[call](mpmath.mpf(float(order)), mpmath.mpmathify(complex(point)))
            errors.append(units(complex(value), wanted))
    at = int(np.argmax(errors))
    return errors[at], (nu[at], z[at])


@pytest.mark.sweep(4)
@pytest.mark.parametrize("call", COMPLEX)
def test_complex_arguments(call: str, session: Session) -> None:
    error, point = worst_complex(session, call, 6, 8)
    assert error <= 1.5, point


@pytest.mark.slow
@pytest.mark.parametrize("call", COMPLEX)
def test_complex_arguments_at_length(call: str, session: Session) -> None:
    error, point = worst_complex(session, call, 150, 9)
    assert error <= 1.5, point


def airy(k: int, x: Any) -> Any:
    return (mpmath.airyai if k < 2 else mpmath.airybi)(x, derivative=k % 2)


def worst_airy(session: Session, k: int, x: np.ndarray, scaled: bool) -> tuple[float, Any]:
    session.workspace["x"] = x.reshape(1, -1)
    found = np.asarray(session.eval(f"airy({k}, x, {int(scaled)})")).ravel()
    errors = []
    for point, value in zip(x, found, strict=True):
        with mpmath.workdps(60):
            z = mpmath.mpmathify(complex(point)) if np.iscomplexobj(x) else mpmath.mpf(point)
            argument = mpmath.mpf(2) / 3 * z * mpmath.sqrt(z)
            factor = mpmath.exp(argument) if k < 2 else mpmath.exp(-abs(mpmath.re(argument)))
            errors.append(units(complex(value), airy(k, z) * (factor if scaled else 1)))
    at = int(np.argmax(errors))
    return errors[at], x[at]


def airy_points(seed: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    wide = np.concatenate([spread(rng, 1e-30, 100, n), -spread(rng, 1e-30, 1e5, n)])
    return np.concatenate([wide, rng.uniform(-20, 20, n)])


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("k", range(4))
def test_airy_within_a_unit(k: int, scaled: bool, session: Session) -> None:
    error, point = worst_airy(session, k, airy_points(5, 15), scaled)
    assert error <= 1, point


@pytest.mark.slow
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("k", range(4))
def test_airy_long_sweep(k: int, scaled: bool, session: Session) -> None:
    error, point = worst_airy(session, k, airy_points(6, 300), scaled)
    assert error <= 1, point


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("k", range(4))
def test_airy_of_complex_arguments(k: int, scaled: bool, session: Session) -> None:
    _, z = complex_points(10, 15)
    error, point = worst_airy(session, k, z[:30], scaled)
    assert error <= 1.5, point


ZEROS = {
    "besselj(nu, x)": [
        (nu, mpmath.besseljzero(nu, m)) for nu in (0, 1, 2.5, 10) for m in (1, 3, 30)
    ],
    "bessely(nu, x)": [
        (nu, mpmath.besselyzero(nu, m)) for nu in (0, 1, 2.5, 10) for m in (1, 3, 30)
    ],
}


@pytest.mark.parametrize("call", ZEROS)
def test_beside_zeros(call: str, session: Session) -> None:
    """The doubles nearest to zeros, where results are rounding errors of the arguments."""
    for nu, zero in ZEROS[call]:
        session.workspace["nu"], session.workspace["x"] = float(nu), float(zero)
        with mpmath.workdps(60):
            wanted = REFERENCE[call](mpmath.mpf(nu), mpmath.mpf(float(zero)))
            assert abs(wanted) < 1e-14
            assert units(complex(session.eval(call)), wanted) <= 1, (nu, zero)


@pytest.mark.parametrize("k", range(4))
def test_beside_zeros_of_airy_functions(k: int, session: Session) -> None:
    zero = mpmath.airyaizero if k < 2 else mpmath.airybizero
    points = np.array([float(zero(m, k % 2)) for m in (1, 2, 8, 30, 300)])
    assert worst_airy(session, k, points, False)[0] <= 1


@pytest.mark.parametrize("call", ["besselj(nu, x)", "bessely(nu, x)"])
def test_huge_arguments(call: str, session: Session) -> None:
    """What is left of a huge argument takes as many bits of pi as its exponent has."""
    rng = np.random.default_rng(7)
    session.workspace["nu"] = 1.5
    for x in spread(rng, 1e6, 1e300, 20):
        session.workspace["x"] = float(x)
        with mpmath.workdps(400):
            angle = mpmath.mpf(float(x)) - mpmath.pi
            wave, other = mpmath.cos(angle), mpmath.sin(angle)
            first = wave - other / mpmath.mpf(float(x))
            second = other + wave / mpmath.mpf(float(x))
            size = mpmath.sqrt(2 / (mpmath.pi * mpmath.mpf(float(x))))
            wanted = size * (first if call.startswith("besselj") else second)
        assert units(complex(session.eval(call)), wanted) <= 1, x


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("besselj([0 1 2], [0 Inf -Inf])", "[1 0 0]"),
        ("bessely([0 1], [0 Inf])", "[-Inf 0]"),
        ("bessely(0, 0, 1)", "-Inf"),
        ("besselh(0, 1, 0)", "complex(1, -Inf)"),
        ("besselh(0, 2, Inf)", "0"),
        ("besseli([0 1 1], [Inf Inf -Inf])", "[Inf Inf -Inf]"),
        ("besseli(0, Inf, 1)", "0"),
        ("besselk(0, [0 Inf])", "[Inf 0]"),
        ("airy([Inf -Inf])", "[0 0]"),
        ("airy(2, Inf)", "Inf"),
        ("isreal(besselj(-2, -3))", "true"),
        ("isreal(besselj(0.5, -3))", "false"),
        ("isreal(bessely(0, -3))", "false"),
        ("class(besselk(single(0), 1))", "'single'"),
        ("size(besselj([0; 1], 1:3))", "[2 3]"),
        ("isnan(besselj([NaN 0], [1 NaN]))", "[true true]"),
        ("besselj(0, [])", "[]"),
        ("besselj(0, complex(2, 0))", "besselj(0, 2)"),
        ("bessely(1, complex(-2, 0))", "bessely(1, -2)"),
        ("besseli(0, 2.404825557695773i)", "besselj(0, 2.404825557695773)"),
        ("besselk(200, 1e-30i)", "Inf"),
        ("airy([Inf 1i]) == [0 airy(1i)]", "[true true]"),
        ("besselk(1e4, 1)", "Inf"),
        ("besselj(1e4, 1)", "0"),
    ],
)
def test_ends(expression: str, expected: str, same: Callable[[str, str], None]) -> None:
    same(expression, expected)


def test_singles(session: Session) -> None:
    """Singles are computed in doubles and rounded once."""
    x = np.linspace(0.1, 40, 200).astype(np.float32)
    session.workspace["x"] = x.reshape(1, -1)
    found = np.asarray(session.eval("besselj(0, x)")).ravel()
    wide = np.asarray(session.eval("besselj(0, double(x))")).ravel()
    assert found.dtype == np.float32
    assert (found == wide.astype(np.float32)).all()
