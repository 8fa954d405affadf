"""Elementary and special functions over their whole domains, ends included, beside mpmath's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from runmat_core.builtins.math.extended import WIDER
from runmat_core.session import Session

pytestmark = pytest.mark.skipif(not WIDER, reason="no numbers wider than doubles here")

Sampler = Callable[[np.random.Generator, int], tuple[np.ndarray, ...]]


def even(low: float, high: float) -> Sampler:
    return lambda rng, n: (rng.uniform(low, high, n),)


def spread(low: float, high: float) -> Sampler:
    """Points whose logarithms are distributed evenly."""
    return lambda rng, n: (np.exp(rng.uniform(np.log(low), np.log(high), n)),)


def signed(sampler: Sampler) -> Sampler:
    return lambda rng, n: tuple(x * rng.choice([-1, 1], n) for x in sampler(rng, n))


def beside(*centres: float) -> Sampler:
    """Points at distances of all sizes from the centres, and on both sides."""

    def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
        (distance,) = signed(spread(2.0**-48, 0.4))(rng, n)
        return (rng.choice(centres, n) + distance,)

    return sample


def shifted(sampler: Sampler, offset: float, sign: float = 1) -> Sampler:
    return lambda rng, n: tuple(offset + sign * x for x in sampler(rng, n))


def both(first: Sampler, second: Sampler) -> Sampler:
    return lambda rng, n: first(rng, n) + second(rng, n)


def degrees(function: str) -> Callable[[Any], Any]:
    """Circular functions of degrees, reduced exactly."""

    def reference(x: Any) -> Any:
        quarters = mpmath.nint(x / 90)
        rest = (x - 90 * quarters) * mpmath.pi / 180
        sine, cosine = mpmath.sin(rest), mpmath.cos(rest)
        for _ in range(int(quarters) % 4):
            sine, cosine = cosine, -sine
        return {"sin": lambda: sine, "cos": lambda: cosine, "tan": lambda: sine / cosine}[
            function
        ]()

    return reference


def quarters(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """Angles beside quarter turns."""
    return (90.0 * rng.integers(-99, 99, n) + signed(spread(1e-12, 1))(rng, n)[0],)


def root(n: int) -> Callable[[Any], Any]:
    return lambda x: mpmath.sign(x) * abs(x) ** (mpmath.mpf(1) / n)


def jacobi(name: str) -> Callable[..., Any]:
    return lambda u, m: mpmath.ellipfun(name, u, m=m)


def beside_quarters(most: int, parameters: Sampler) -> Sampler:
    """The doubles nearest to multiples of the quarter period of parameters."""

    def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
        (m,) = parameters(rng, n)
        counts = rng.integers(-most, most, n)
        return np.array([float(k * mpmath.ellipk(x)) for k, x in zip(counts, m, strict=True)]), m

    return sample


ANGLES = signed(spread(1e-300, 1e15))
CASES: list[tuple[str, Callable[..., Any], Sampler]] = [
    ("gamma(x)", mpmath.gamma, signed(spread(1e-300, 171))),
    ("gamma(x)", mpmath.gamma, even(-184, 171)),
    ("gamma(x)", mpmath.gamma, beside(0, -1, -2, -10, -50)),
    ("gammaln(x)", mpmath.loggamma, spread(1e-300, 1e300)),
    ("gammaln(x)", mpmath.loggamma, beside(1, 2)),
    ("beta(x, y)", mpmath.beta, both(spread(1e-200, 1e10), spread(1e-5, 20))),
    (
        "betaln(x, y)",
        lambda a, b: mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b),
        both(spread(0.3, 3), spread(0.3, 3)),
    ),
    (
        "betainc(x, y, z, 'upper')",
        lambda x, a, b: mpmath.betainc(b, a, 0, 1 - x, regularized=True),
        both(even(0, 1), both(spread(1e-3, 50), spread(1e-3, 50))),
    ),
    ("erf(x)", mpmath.erf, signed(spread(1e-300, 7))),
    ("erfc(x)", mpmath.erfc, even(-6, 27.3)),
    ("erfcx(x)", lambda x: mpmath.exp(x * x) * mpmath.erfc(x), even(-26.6, 50)),
    ("expint(x)", mpmath.e1, spread(1e-300, 739)),
    ("real(expint(-x))", lambda x: -mpmath.ei(x), spread(1e-300, 709)),
    ("real(expint(-x))", lambda x: -mpmath.ei(x), beside(0.37250741078136663)),
    ("psi(x)", mpmath.digamma, spread(1e-300, 1e300)),
    ("psi(x)", mpmath.digamma, even(-20, 20)),
    ("psi(x)", mpmath.digamma, beside(1.4616321449683623, -0.5040830082644554)),
    ("psi(1, x)", lambda x: mpmath.psi(1, x), even(-10, 10)),
    ("psi(2, x)", lambda x: mpmath.psi(2, x), spread(1e-4, 1e5)),
    ("psi(20, x)", lambda x: mpmath.psi(20, x), spread(1e-4, 1e5)),
    ("ellipke(x)", mpmath.ellipk, shifted(spread(1e-16, 5), 1, -1)),
    ("ellipke(x)", mpmath.ellipk, signed(spread(1e-300, 1))),
    ("second_of_two(@ellipke, x)", mpmath.ellipe, shifted(spread(1e-16, 1e20), 1, -1)),
    ("ellipj(x, y)", jacobi("sn"), both(even(-8, 8), even(0, 1))),
    ("second_of_two(@ellipj, x, y)", jacobi("cn"), both(even(-8, 8), even(0, 1))),
    ("third_of_three(@ellipj, x, y)", jacobi("dn"), both(even(-8, 8), even(0, 1))),
    (
        "second_of_two(@ellipj, x, y)",
        jacobi("cn"),
        both(even(-3, 3), shifted(spread(1e-14, 1), 1, -1)),
    ),
    ("ellipj(x, y)", jacobi("sn"), beside_quarters(60, even(0, 1))),
    ("ellipj(x, y)", jacobi("sn"), both(spread(1, 1e40), even(0, 1))),
    ("second_of_two(@ellipj, x, y)", jacobi("cn"), beside_quarters(100000, even(0, 1))),
    (
        "second_of_two(@ellipj, x, y)",
        jacobi("cn"),
        beside_quarters(30, shifted(spread(1e-14, 0.1), 1, -1)),
    ),
    ("sind(x)", degrees("sin"), ANGLES),
    ("cosd(x)", degrees("cos"), quarters),
    ("tand(x)", degrees("tan"), quarters),
    ("asind(x)", lambda x: mpmath.asin(x) * 180 / mpmath.pi, even(-1, 1)),
    ("acosd(x)", lambda x: mpmath.acos(x) * 180 / mpmath.pi, even(-1, 1)),
    ("sinpi(x)", mpmath.sinpi, ANGLES),
    ("cospi(x)", mpmath.cospi, beside(0.5, 1.5, -20.5)),
    ("hypot(x, y)", mpmath.hypot, both(spread(1e-320, 1e-300), spread(1e-320, 1e-300))),
    ("nthroot(x, 3)", root(3), signed(spread(1e-320, 1e300))),
    ("nthroot(x, -3)", root(-3), signed(spread(1e-300, 1e300))),
    ("nthroot(x, 100)", root(100), spread(1e-320, 1e300)),
    ("exp(x)", mpmath.exp, even(-745, 709)),
    ("expm1(x)", mpmath.expm1, signed(spread(1e-300, 700))),
    ("log1p(x)", mpmath.log1p, spread(1e-300, 1e300)),
    ("log1p(-x)", lambda x: mpmath.log1p(-x), spread(1e-300, 1)),
]

SPREADING = """
function v = second_of_two(f, varargin)
    [~, v] = f(varargin{:});
end
function v = third_of_three(f, varargin)
    [~, ~, v] = f(varargin{:});
end
"""


@pytest.fixture
def calls(session: Session, tmp_path: Any) -> Session:
    for name, text in zip(
        ("second_of_two", "third_of_three"), SPREADING.strip().split("end\n"), strict=True
    ):
        (tmp_path / f"{name}.m").write_text(text if text.endswith("end") else text + "end\n")
    session.run(f"addpath('{tmp_path}');")
    return session


def units(found: complex, wanted: Any, kind: type[np.floating[Any]]) -> float:
    size, info = abs(wanted), np.finfo(kind)
    if size > mpmath.mpf(float(info.max)):
        return 0.0 if not np.isfinite(found) or abs(found) == info.max else np.inf
    if size < mpmath.mpf(float(info.smallest_subnormal)) / 2:
        return 0.0 if abs(found) <= info.smallest_subnormal else np.inf
    return float(abs(mpmath.mpmathify(found) - wanted) / mpmath.mpf(float(np.spacing(kind(size)))))


def check(
    session: Session,
    case: tuple[str, Callable[..., Any], Sampler],
    count: int,
    kind: type[np.floating[Any]] = np.float64,
) -> None:
    call, reference, sampler = case
    with np.errstate(over="ignore", under="ignore"):
        operands = [x.astype(kind) for x in sampler(np.random.default_rng(12), count)]
    for name, operand in zip("xyz", operands, strict=False):
        session.workspace[name] = operand.reshape(1, -1)
    found = np.asarray(session.eval(call)).ravel()
    assert found.dtype == kind
    for at, value in enumerate(found):
        point = [float(operand[at]) for operand in operands]
        if not np.isfinite(point).all():
            continue
        with mpmath.workdps(60):
            try:
                wanted = reference(*(mpmath.mpf(x) for x in point))
            except (ValueError, ZeroDivisionError):  # a pole
                continue
            if mpmath.isfinite(wanted):
                assert units(complex(value), wanted, kind) <= 4, point


IDS = [f"{call}-{at}" for at, (call, _, _) in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_within_four_units(case: Any, calls: Session) -> None:
    check(calls, case, 12)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_singles_within_four_units(case: Any, calls: Session) -> None:
    check(calls, case, 6, np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_long_sweep(case: Any, calls: Session) -> None:
    check(calls, case, 500)
