"""Hankel, Airy, elliptic, exponential-integral and Legendre functions against mpmath."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from runmat_core.session import Session

POINTS = np.array([0.1, 0.7, 2.0, 9.5])


def table(session: Session, call: str, x: np.ndarray) -> np.ndarray:
    session.workspace["x"] = x.reshape(1, -1)
    return np.asarray(session.eval(call)).ravel()


CALLS = {
    "besselh(1, x)": lambda x: mpmath.hankel1(1, x),
    "besselh(0.5, 2, x)": lambda x: mpmath.hankel2(0.5, x),
    "besselh(2, 1, x, 1)": lambda x: mpmath.hankel1(2, x) * mpmath.exp(-1j * x),
    "besselh(2, 2, x, 1)": lambda x: mpmath.hankel2(2, x) * mpmath.exp(1j * x),
    "airy(x)": mpmath.airyai,
    "airy(1, -x)": lambda x: mpmath.airyai(-x, derivative=1),
    "airy(2, x)": mpmath.airybi,
    "airy(3, x)": lambda x: mpmath.airybi(x, derivative=1),
    "airy(0, x, 1)": lambda x: mpmath.airyai(x) * mpmath.exp(2 * x**1.5 / 3),
    "airy(2, x, 1)": lambda x: mpmath.airybi(x) * mpmath.exp(-2 * x**1.5 / 3),
    "airy(0, -x, 1)": lambda x: mpmath.airyai(-x) * mpmath.exp(-2j * x**1.5 / 3),
    "expint(x)": mpmath.e1,
    "expint(-x)": lambda x: -mpmath.ei(x) - 1j * mpmath.pi,
    "expint(x + 2i)": lambda x: mpmath.e1(x + 2j),
    "ellipke(x/10)": lambda x: mpmath.ellipk(x / 10),
    "ellipke(-x)": lambda x: mpmath.ellipk(-x),
    "ellipj(x, 0.3)": lambda x: mpmath.ellipfun("sn", x, m=0.3),
}


@pytest.mark.parametrize("call", CALLS)
def test_values(call: str, session: Session) -> None:
    expected = [complex(CALLS[call](mpmath.mpf(float(v)))) for v in POINTS]
    np.testing.assert_allclose(table(session, call, POINTS), expected, rtol=2e-13)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 12])
def test_legendre(n: int, session: Session) -> None:
    x = np.array([-0.9, 0.0, 0.3, 1.0])
    session.workspace["x"] = x.reshape(1, -1)
    plain = np.asarray(session.eval(f"legendre({n}, x)"))
    schmidt = np.asarray(session.eval(f'legendre({n}, x, "sch")'))
    full = np.asarray(session.eval(f'legendre({n}, x, "norm")'))
    for m in range(n + 1):
        ratio = mpmath.factorial(n - m) / mpmath.factorial(n + m)
        for k, point in enumerate(x):
            # from the definition: a derivative of a polynomial, with the sign (-1)^m
            c = np.polynomial.legendre.Legendre.basis(n).convert(kind=np.polynomial.Polynomial)
            derivative = c.deriv(m)(point) if m else c(point)
            wanted = (-1) ** m * (1 - point**2) ** (m / 2) * derivative
            at = (m, k)
            assert plain[at] == pytest.approx(wanted, rel=1e-9, abs=1e-9 * abs(plain).max())
            sign = 1 if m == 0 else float(mpmath.sqrt(2 * ratio))
            assert schmidt[at] == pytest.approx(sign * wanted, rel=1e-8, abs=1e-11)
            norm = (-1) ** m * float(mpmath.sqrt((n + 0.5) * ratio))
            assert full[at] == pytest.approx(norm * wanted, rel=1e-8, abs=1e-11)


SAME = [
    ("expint([0 Inf])", "[Inf 0]"),
    ("size(legendre(2,ones(2,3)))", "[3 2 3]"),
    ("size(legendre(2,ones(3,1)))", "[3 3]"),
    ("class(expint(single(2)))", "'single'"),
    ("class(besselh(1,single(2)))", "'single'"),
    ("[k,e]=ellipke([0 1]);;[k e]", "[pi/2 Inf pi/2 1]"),
    ("[s,c,d]=ellipj(2,1);;max(abs([s c d]-[tanh(2) sech(2) sech(2)]))<1e-15", "true"),
    ("airy([])", "[]"),
    ("legendre(0,0.5)", "1"),
]


@pytest.mark.parametrize(("code", "expected"), SAME)
def test_forms(code: str, expected: str, same: Callable[[str, str], None]) -> None:
    same(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("ellipke(2)", "MATLAB:ellipke:MOutOfRange"),
        ("ellipj(1,-1)", "MATLAB:ellipj:MOutOfRange"),
        ("legendre(2,1.5)", "MATLAB:legendre:XOutOfRange"),
        ("legendre(-1,0)", "MATLAB:legendre:InvalidN"),
        ("legendre(1,0,'x')", "MATLAB:legendre:InvalidNormalize"),
        ("besselh(1,3,2)", "MATLAB:besselh:InvalidK"),
        ("airy(7,1)", "MATLAB:airy:InvalidK"),
        ("expint(int8(1))", "MATLAB:UndefinedFunction"),
    ],
)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier
