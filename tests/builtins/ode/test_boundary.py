"""Boundary value problems against exact solutions, their guesses and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Numbers = Callable[[str, str], Any]

#: Mathieu's equation, with an unknown eigenvalue near 15.
MATHIEU = """
s = bvpinit(linspace(0, pi, 10), @(x) [cos(4*x); -4*sin(4*x)], 15);
sol = bvp4c(@(x, y, l) [y(2); -(l - 10*cos(2*x))*y(1)], ...
    @(a, b, l) [a(2); b(2); a(1) - 1], s);
"""


@pytest.mark.parametrize("solver", ["bvp4c", "bvp5c"])
def test_an_exact_solution(numbers: Numbers, solver: str) -> None:
    code = f"""
    o = bvpset('RelTol', 1e-7);
    s = bvpinit(linspace(0, 1, 5), [0 0]);
    sol = {solver}(@(x, y) [y(2); 4*y(1)], @(a, b) [a(1); b(1) - sinh(2)], s, o);
    [y, slope] = deval(sol, 0:.1:1, 1);
    """
    x = np.arange(0, 1.01, 0.1)
    np.testing.assert_allclose(numbers(code, "y").ravel(), np.sinh(2 * x), atol=1e-7)
    np.testing.assert_allclose(numbers(code, "slope").ravel(), 2 * np.cosh(2 * x), atol=1e-5)


def test_an_unknown_parameter(numbers: Numbers) -> None:
    # M. Abramowitz and I. Stegun, table 20.1: the characteristic value a4 for q = 5
    found = numbers(MATHIEU + "p = sol.parameters;", "p")
    assert abs(found.item() - 17.0965816843) < 1e-2


def test_a_singular_term(numbers: Numbers) -> None:
    # of Emden's equation, whose solution is 1/sqrt(1 + x^2/3)
    code = """
    s = bvpinit(linspace(0, 1, 5), [sqrt(3)/2; 0]);
    o = bvpset('SingularTerm', [0 0; 0 -2], 'RelTol', 1e-6);
    sol = bvp4c(@(x, y) [y(2); -y(1)^5], @(a, b) [a(2); b(1) - sqrt(3)/2], s, o);
    y = deval(sol, [0 .5], 1);
    """
    np.testing.assert_allclose(numbers(code, "y").ravel(), [1, 1 / np.sqrt(1 + 1 / 12)], atol=1e-5)


def test_a_guess_goes_on_from_a_solution(numbers: Numbers) -> None:
    code = MATHIEU + "again = bvp4c(@(x, y, l) [y(2); -(l - 10*cos(2*x))*y(1)], ..."
    code += "\n@(a, b, l) [a(2); b(2); a(1) - 1], sol); d = again.parameters - sol.parameters;"
    assert abs(numbers(code, "d").item()) < 1e-2


def test_options(numbers: Numbers) -> None:
    code = (
        "o = bvpset(bvpset('nmax', 9), 'RelTol', 2); v = [bvpget(o, 'NM') bvpget(o, 'AbsTol', 7)];"
    )
    assert numbers(code, "v").tolist() == [[9, 7]]


def test_too_few_points_are_told(numbers: Numbers) -> None:
    code = """
    s = bvpinit(linspace(0, 1, 5), [1 0]);
    sol = bvp4c(@(x, y) [y(2); 1e4*y(1)], @(a, b) [a(1) - 1; b(1)], s, bvpset('NMax', 6));
    [~, id] = lastwarn; n = strcmp(id, 'MATLAB:bvp4c:RelTolNotMet');
    """
    assert numbers(code, "n").item()


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("bvpset('RelTlo', 1)", "MATLAB:bvpset:InvalidPropName"),
        ("bvpset('RelTol')", "MATLAB:bvpset:ArgNameValueMismatch"),
        ("bvpinit([0 2 1], 1)", "MATLAB:bvpinit:InvalidX"),
        ("bvp4c(@(x,y) y, @(a,b) a, 3)", "MATLAB:bvp4c:SolinitNotStruct"),
        ("bvp4c(@(x,y) [y;y], @(a,b) a, bvpinit([0 1], 1))",
         "MATLAB:bvparguments:ODEfunOutputSize"),
        ("bvp4c(@(x,y) y, @(a,b) [a;b], bvpinit([0 1], 1))",
         "MATLAB:bvparguments:BCfunOutputSize"),
        ("bvp4c(@(x,y) y, @(a,b) a)", "MATLAB:minrhs"),
    ],
)  # fmt: skip
def test_error(fails: Callable[[str], str], code: str, identifier: str) -> None:
    assert fails(code) == identifier
