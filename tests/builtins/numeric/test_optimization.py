"""Functions that call functions: zeros, minima, integrals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Same = Callable[[str, str], None]

CASES = [
    ("fzero(@cos,[1 2])", "pi/2"),
    ("fzero(@(x) x^3-2,1)", "2^(1/3)"),
    ("[x,f,flag]=fzero(@(x) x-1,[1 5]);;[x f flag]", "[1 0 1]"),
    ("integral(@(x) x.^2,0,3)", "9"),
    ("integral(@(x) exp(-x.^2),-Inf,Inf)", "sqrt(pi)"),
    ("integral(@(x) [x 2*x],0,1,'ArrayValued',true)", "[0.5 1]"),
]

ROUGHLY = [
    ("fminbnd(@(x) (x-2)^2,0,5)", "2"),
    ("fminsearch(@(x) (1-x(1))^2+100*(x(2)-x(1)^2)^2,[-1.2 1])", "[1 1]"),
    ("fminsearch(@(x) abs(x-3),0)", "3"),
]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_value(close: Same, code: str, expected: str) -> None:
    close(code, expected)


@pytest.mark.parametrize(("code", "expected"), ROUGHLY)
def test_minima_within_tolerance(same: Same, code: str, expected: str) -> None:
    same(f"all(abs({code}-{expected})<1e-3)", "true")


def test_options_are_read_in_any_case(same: Same) -> None:
    same("o=optimset('tolx',1e-8,'Display','off');;{o.TolX,o.Display}", "{1e-8,'off'}")
    same("optimget(optimset(optimset('TolX',1),'TolX',2),'TolX')", "2")
    same("optimget(optimset(),'TolX',7)", "7")
