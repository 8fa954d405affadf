"""Special functions are within four units in the last place of a high-precision reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins.math.extended import WIDER
from runmat_core.session import Session

pytestmark = pytest.mark.skipif(not WIDER, reason="no numbers wider than doubles here")

COUNT = 40


def even(low: float, high: float) -> np.ndarray:
    return np.random.default_rng(5).uniform(low, high, COUNT)


def spread(low: float, high: float, seed: int = 6) -> np.ndarray:
    """Points whose logarithms are distributed evenly."""
    return np.exp(np.random.default_rng(seed).uniform(np.log(low), np.log(high), COUNT))


def signed(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x, -x])


def turned(x: np.ndarray) -> np.ndarray:
    return x * np.exp(1j * np.random.default_rng(7).uniform(-3, 3, x.size))


def lower_gamma(x: Any, a: Any) -> Any:
    return mpmath.gammainc(a, 0, x, regularized=True)


def upper_gamma(x: Any, a: Any) -> Any:
    return mpmath.gammainc(a, x, mpmath.inf, regularized=True)


def lower_beta(x: Any, a: Any, b: Any) -> Any:
    return mpmath.betainc(a, b, 0, x, regularized=True)


def log_beta(a: Any, b: Any) -> Any:
    return mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)


def scale(x: Any, a: Any) -> Any:
    return mpmath.gamma(a + 1) * mpmath.exp(x) / x**a


SHAPES = spread(0.01, 500)
LIMITS = SHAPES * even(0.3, 2)
FIRST, SECOND = spread(0.05, 300), spread(0.05, 300, 8)
PARTS = np.clip(FIRST / (FIRST + SECOND) * even(0.5, 1.5), 0.001, 0.999)

# call, reference, operands x, y, z
CASES: list[tuple[str, Callable[..., Any], tuple[np.ndarray, ...]]] = [
    ("gamma(x)", mpmath.gamma, (signed(spread(1e-8, 170)),)),
    ("gammaln(x)", mpmath.loggamma, (spread(1e-8, 1e8),)),
    ("gammaln(x)", mpmath.loggamma, (even(0.5, 3),)),
    ("beta(x, y)", mpmath.beta, (FIRST, SECOND)),
    ("betaln(x, y)", log_beta, (spread(1e-4, 1e6), spread(1e-4, 1e6, 8))),
    ("gammainc(x, y)", lower_gamma, (LIMITS, SHAPES)),
    ("gammainc(x, y, 'upper')", upper_gamma, (LIMITS, SHAPES)),
    (
        "gammainc(x, y, 'scaledlower')",
        lambda x, a: lower_gamma(x, a) * scale(x, a),
        (LIMITS, SHAPES),
    ),
    (
        "gammainc(x, y, 'scaledupper')",
        lambda x, a: upper_gamma(x, a) * scale(x, a),
        (LIMITS, SHAPES),
    ),
    ("betainc(x, y, z)", lower_beta, (PARTS, FIRST, SECOND)),
    (
        "betainc(x, y, z, 'upper')",
        lambda x, a, b: mpmath.betainc(a, b, x, 1, regularized=True),
        (PARTS, FIRST, SECOND),
    ),
    ("erf(x)", mpmath.erf, (signed(spread(1e-8, 6)),)),
    ("erfc(x)", mpmath.erfc, (even(-5, 26),)),
    ("erfcx(x)", lambda x: mpmath.exp(x * x) * mpmath.erfc(x), (even(-20, 20),)),
    ("erfinv(x)", mpmath.erfinv, (even(-1, 1),)),
    ("erfcinv(x)", lambda x: mpmath.erfinv(1 - x), (spread(1e-30, 1.9),)),
    ("psi(x)", mpmath.digamma, (spread(1e-6, 1e6),)),
    ("psi(1, x)", lambda x: mpmath.psi(1, x), (spread(1e-4, 1e5),)),
    ("expint(x)", mpmath.e1, (spread(1e-8, 600),)),
    ("real(expint(-x))", lambda x: -mpmath.ei(x), (spread(1e-4, 600),)),
    ("expint(x)", mpmath.e1, (turned(spread(0.01, 100)),)),
    ("ellipke(x)", mpmath.ellipk, (even(-3, 1),)),
    ("sum(legendre(20, x).*[1;zeros(20,1)])", lambda x: mpmath.legendre(20, x), (even(-1, 1),)),
    ("asec(x)", mpmath.asec, (signed(1 + spread(1e-10, 1e5)),)),
    ("acsc(x)", mpmath.acsc, (signed(1 + spread(1e-10, 1e5)),)),
    ("asech(x)", mpmath.asech, (1 - spread(1e-14, 0.99),)),
    ("acoth(x)", mpmath.acoth, (signed(1 + spread(1e-10, 1e5)),)),
]


@pytest.mark.parametrize(("call", "reference", "operands"), CASES, ids=[c[0] for c in CASES])
def test_within_four_units(
    call: str,
    reference: Callable[..., Any],
    operands: tuple[np.ndarray, ...],
    session: Session,
) -> None:
    for name, operand in zip("xyz", operands, strict=False):
        session.workspace[name] = operand.reshape(1, -1)
    found = np.asarray(session.eval(call)).ravel()
    with mpmath.workdps(60):
        for at, value in enumerate(found):
            point = [
                mpmath.mpmathify(complex(o[at]) if np.iscomplexobj(o) else float(o[at]))
                for o in operands
            ]
            wanted = reference(*point)
            if not 1e-300 < abs(wanted) < 1e308:
                continue
            units = abs(mpmath.mpmathify(complex(value)) - wanted) / np.spacing(
                abs(complex(wanted))
            )
            assert units <= 4, (point, units)


@pytest.mark.parametrize("tail", ["lower", "upper"])
def test_inverses_of_incomplete_functions(tail: str, session: Session) -> None:
    """A level and what is found for it differ by no more than the nearest doubles' levels do."""
    for name, operand in (("y", even(0.001, 0.999)), ("a", FIRST), ("b", SECOND)):
        session.workspace[name] = operand.reshape(1, -1)
    by_gamma = np.asarray(session.eval(f"gammaincinv(y, a, '{tail}')")).ravel()
    by_beta = np.asarray(session.eval(f"betaincinv(y, a, b, '{tail}')")).ravel()
    levels = even(0.001, 0.999)
    with mpmath.workdps(40):
        for at, level in enumerate(levels):
            p = mpmath.mpf(float(level)) if tail == "lower" else 1 - mpmath.mpf(float(level))
            a, b = mpmath.mpf(float(FIRST[at])), mpmath.mpf(float(SECOND[at]))
            checks = [(by_gamma[at], lambda x, a=a: lower_gamma(x, a))]
            if by_beta[at] < 0.999:
                checks.append((by_beta[at], lambda x, a=a, b=b: lower_beta(x, a, b)))
            for found, function in checks:
                if found < 1e-300:
                    continue
                few = 4 * np.spacing(found)
                assert function(mpmath.mpf(float(found - few))) <= p
                assert function(mpmath.mpf(float(found + few))) >= p


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("gammainc([0 0 1 Inf], [0 1 0 2])", "[1 0 1 1]"),
        ("gammainc([0 0 1 Inf], [0 1 0 2], 'upper')", "[0 1 0 0]"),
        ("class(gammainc(single(1), 2))", "'single'"),
        ("size(gammainc(ones(2, 1), ones(1, 3)))", "[2 3]"),
        ("betainc([0 1], 2, 3)", "[0 1]"),
        ("asec([1 -1 Inf])", "[0 pi pi/2]"),
        ("acoth([1 -1 Inf])", "[Inf -Inf 0]"),
        ("asech([0 1 NaN])", "[Inf 0 NaN]"),
        ("isreal(asec(0.5))", "false"),
        ("beta([0 1 Inf], 1)", "[Inf 1 0]"),
        ("erfc([30 Inf -Inf NaN])", "[0 0 2 NaN]"),
        ("erfcx([-30 0 Inf])", "[Inf 1 0]"),
        ("gammainc([0 Inf 0 5], [5 5 0 Inf], 'scaledlower')", "[1 Inf 1 1]"),
        ("gammainc([0 Inf 0 5], [5 5 0 Inf], 'scaledupper')", "[Inf 0 1 Inf]"),
        ("gammainc(-1, 2)", "1"),
        ("gammainc(-1, 0.5) + gammainc(-1, 0.5, 'upper')", "1"),
        ("all(gammainc([1e-5 0.5 3], 1e-290) <= 1)", "true"),
        ("expint(0)", "Inf"),
    ],
)
def test_ends(expression: str, expected: str, same: Callable[[str, str], None]) -> None:
    same(expression, expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("gammainc(1, 1e-310, 'upper')", "1e-310*expint(1)"),
        ("gammainc(1, 1e-310, 'scaledupper')", "1e-310*expint(1)*exp(1)"),
        ("gammainc(1e6, 1e6, 'scaledupper')", "1252.9809083953864191"),
        ("gammainc(1.001e6, 1e6, 'scaledupper')", "655.46107085719468354"),
        ("gammainc(0.999e6, 1e6, 'scaledlower')", "655.89819062006559121"),
        ("gammainc(1e8, 1e8, 'scaledupper')", "12532.808050265657364"),
        ("gammainc(1e7, 5, 'scaledupper')", "5.0000020000006000001e-7"),
        ("gammainc(5, 1e7, 'scaledlower')", "1.0000005000001999"),
        ("gammainc(-2, 3)", "1 - exp(2)*(1 - 2 + 2)"),
    ],
)
def test_far_tails_of_the_incomplete_gamma_function(
    call: str, expected: str, session: Session
) -> None:
    found, wanted = session.eval(call), session.eval(expected)
    # numbers below the normal ones have fewer digits
    np.testing.assert_allclose(found, wanted, rtol=1e-14 if wanted > 1e-300 else 1e-12)


@pytest.mark.parametrize(
    ("call", "identifier"),
    [
        ("gammainc(1, -2)", "MATLAB:gammainc:NegativeArg"),
        ("betainc(2, 1, 1)", "MATLAB:betainc:XoutOfRange"),
        ("betainc(0.5, -1, 1)", "MATLAB:betainc:PositiveZ"),
        ("betainc(0.5, 1, NaN)", "MATLAB:betainc:PositiveW"),
    ],
)
def test_arguments_outside_the_domain(call: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as caught:
        session.eval(call)
    assert caught.value.identifier == identifier
