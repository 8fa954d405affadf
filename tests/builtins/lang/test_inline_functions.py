"""Functions made of the text of an expression."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f = inline('a*x^2 + exp(-t)'); r = argnames(f)';", "{'a' 't' 'x'}"),
        ("r = argnames(inline('x''*y + s.z - 1e3*i'))';", "{'s' 'x' 'y'}"),
        ("r = argnames(inline('strcat(''is'', w)'))';", "{'w'}"),
        ("r = argnames(inline('2 + pi'))';", "{'x'}"),
        ("f = inline('k*x', 'x', 'k'); r = {f(2, 5) class(f) formula(f)};", "{10 'inline' 'k*x'}"),
        ("f = inline('x + P1*P2', 2); r = f(1, 2, 3);", "7"),
        ("r = formula(vectorize(inline('x^2/y.*z', 'x', 'y', 'z')));", "'x.^2./y.*z'"),
        ("f = inline('t.^2'); r = {feval(f, 3) cellfun(f, {2 4}) isa(f, 'inline')};",
         "{9 [4 16] true}"),
        ("r = abs(fzero(inline('x^2 - 2'), 1) - sqrt(2)) < 1e-12;", "true"),
        ("f = inline('size(x)', 'x'); [a, b] = f(ones(2, 3)); r = [a b];", "[2 3]"),
        ("y = 3; f = inline('y + 1'); r = f(1);", "2"),
        ("r = symvar('2 + pi');", "cell(0, 1)"),
        ("f = fcnchk('x*y', 'vectorized'); r = f([1 2], [3 4]);", "[3 8]"),
        ("f = fcnchk(@cos); g = fcnchk('plus'); r = {f(0) g(1, 2)};", "{1 3}"),
    ],
)  # fmt: skip
def test_values(code: str, expected: str) -> None:
    session = Session()
    session.run(code)
    assert session.eval(f"isequal(r, {expected})"), session["r"]


def test_display() -> None:
    shown = Session().capture("format compact; f = inline('3*t')\nc = {f}")
    assert shown == (
        "f =\n     Inline function:\n     f(t) = 3*t\nc =\n  1×1 cell array\n    {1×1 inline}\n"
    )


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("inline(3)", "MATLAB:inline:InvalidInput"),
        ("inline('x', -1)", "MATLAB:inline:InvalidInput"),
        ("inline('x', '2y')", "MATLAB:inline:InvalidInput"),
        ("formula(@sin)", "MATLAB:UndefinedFunction"),
        ("argnames(5)", "MATLAB:UndefinedFunction"),
        ("vectorize(1)", "MATLAB:vectorize:InvalidInput"),
        ("fcnchk(1)", "MATLAB:fcnchk:InvalidInput"),
        ("f = inline('x'); f(1, 2)", "MATLAB:TooManyInputs"),
    ],
)
def test_errors(code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        Session().run(code)
    assert raised.value.identifier == identifier
