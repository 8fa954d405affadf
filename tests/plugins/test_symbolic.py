"""runmat-symbolic: expressions and the text they show."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.builtins import registry
from runmat_core.session import doctests


@pytest.fixture
def session() -> Session:
    return Session()


NAMES = sorted(n for n, o in registry.offers().items() if o.package.startswith("runmat-symbolic "))


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str, session: Session) -> None:
    spec = registry.find(name)
    assert spec is not None
    doc = spec.host.__doc__ or ""
    assert doctests.collect(doc)
    failures = doctests.run(doc, session)
    assert not failures, "\n" + "\n".join(map(str, failures))


#: Statements, and the text that the last one shows below its name.
SHOWN = [
    ("x^2 + 2*x + 1", "x^2 + 2*x + 1"),
    ("2*sqrt(x)/3", "(2*x^(1/2))/3"),
    ("1/(x + 1)^2", "1/(x + 1)^2"),
    ("x/y", "x/y"),
    ("exp(sym(1)) + 1i*x", "x*1i + exp(1)"),
    ("sym(0.1)", "1/10"),
    ("sym(pi)", "pi"),
    ("sym(sqrt(2))", "2^(1/2)"),
    ("sym(0.1, 'f')", "3602879701896397/36028797018963968"),
    ("sym('x + 2^y')", "2^y + x"),
    ("[x 1; 2 y]", "[x, 1]\n[2, y]"),
    ("[1; x]", " 1\n x"),
    ("[x y] .* [2; 3]", "[2*x, 2*y]\n[3*x, 3*y]"),
    ("[x y] * [2; 3]", "2*x + 3*y"),
    ("[x y; 0 1]'", "[conj(x), 0]\n[conj(y), 1]"),
    ("[x y; 0 1].'", "[x, 0]\n[y, 1]"),
    ("[2 0; 0 x] \\ [2; x]", " 1\n 1"),
    ("[x 1; 0 1]^2", "[x^2, x + 1]\n[  0,     1]"),
    ("A = [x y]; A(3) = 7", "[x, y, 7]"),
    ("A = [x y]; A(1) = []", "y"),
    ("A = [x y 3]; A(end)", "3"),
    ("x == y & x < 2", "x == y & x < 2"),
    ("x < 2 | x > 3", "3 < x | x < 2"),
    ("det([x 1; 2 y])", "x*y - 2"),
    ("trace([x 1; 2 y])", "x + y"),
    ("eig([sym(2) 0; 0 3])", " 2\n 3"),
    ("diff(x^3, 2)", "6*x"),
    ("diff(x*y, x, y)", "1"),
    ("int(1/x)", "log(x)"),
    ("solve([x + y == 3, x - y == 1], [x y]).x", "2"),
    ("simplify(sin(x)^2 + cos(x)^2)", "1"),
    ("factor(sym(12))", "[2, 2, 3]"),
    ("limit(1/x, x, 0, 'right')", "Inf"),
    ("limit(1/x)", "NaN"),
    ("symsum(1/x^2, x, 1, Inf)", "pi^2/6"),
    ("subs(x^2 + y, {x, y}, {2, 3})", "7"),
    ("subs(x^2, [1 2])", "[1, 4]"),
    ("syms f(t); f(t) = t^2; f(3) + f(x)", "x^2 + 9"),
    ("syms p positive; abs(p)", "p"),
    ("syms B [2 2]; B", "[B1_1, B1_2]\n[B2_1, B2_2]"),
    ("sum([x y 1])", "x + y + 1"),
    ("gradient(x^2*y)", " 2*x*y\n   x^2"),
    (
        "syms a b c; solve(a*x^2 + b*x == -c)",
        " -(b + (b^2 - 4*a*c)^(1/2))/(2*a)\n  ((b^2 - 4*a*c)^(1/2) - b)/(2*a)",
    ),
    ("solve(x^4 == 1)", "  -1\n   1\n -1i\n  1i"),
    ("solve(x^4 == 1, x, 'Real', true)", " -1\n  1"),
    ("assume(x > 0); solve(x^2 == 4)", "2"),
    ("solve(sin(x) == 0, x, 'ReturnConditions', true).x", "pi*k"),
    ("solve(x^2 == 1, x, 'ReturnConditions', true).parameters", "Empty sym: 1-by-0"),
    ("syms k; solve(sin(x + k) == 0, x, 'ReturnConditions', true).parameters", "l"),
    (
        "solve(cos(x) == 1/2, x, 'ReturnConditions', true).x",
        "     2*pi*k + pi/3\n 2*pi*k + (5*pi)/3",
    ),
    (
        "[s, p, c] = solve(tan(x) == 1, x, 'ReturnConditions', true); [s; p; c]",
        "      pi*k + pi/4\n                k\n in(k, 'integer')",
    ),
    ("syms a b; solve(a*x == b, x, 'ReturnConditions', true).conditions", "a ~= 0"),
    (
        "[u, v, p, c] = solve([x + y == 3, x - y == 1], [x y], 'ReturnConditions', true); c",
        "symtrue",
    ),
    ("assume(x > 2 & x < 5); assumptions(x)", "[2 < x, x < 5]"),
    ("assume(x > 2); syms x; assumptions(x)", "Empty sym: 1-by-0"),
    ("s = solve(x + y == 3, x - y == 1); s.x", "2"),
    ("[u, v] = vpasolve([x + y == 3, x*y == 2], [x, y]); v", " 2.0\n 1.0"),
    ("vpasolve(cos(x) == x, x)", "0.73908513321516064165531208767387"),
    (
        "syms u(t) v(t); S = dsolve([diff(u) == v, diff(v) == -u], [u(0) == 0, v(0) == 1]); S.u",
        "sin(t)",
    ),
    ("syms u(t); D = diff(u); dsolve(diff(u, 2) == -u, [u(0) == 1, D(0) == 0])", "cos(t)"),
    ("expand(cos(x + y))", "cos(x)*cos(y) - sin(x)*sin(y)"),
    ("taylor(sin(x) + cos(y), [x y], [0 0], 'Order', 3)", "x - y^2/2 + 1"),
    ("int(x*y, y, [0 1])", "x/2"),
    ("g(x, y) = x*y; diff(g, y)", "x"),
    ("x = 3; subs(y + sym('x'))", "y + 3"),
    ("repmat([x y], 2, 1)", "[x, y]\n[x, y]"),
    (
        "syms a b; solve(x^2 + a*x + b == 0, x)",
        " -(a + (a^2 - 4*b)^(1/2))/2\n  ((a^2 - 4*b)^(1/2) - a)/2",
    ),
    ("gradient(2*y*x*sin(x) + 3*cos(y), y)", "2*x*sin(x) - 3*sin(y)"),
    ("zeros(1, 2, 'sym') + x", "[x, x]"),
    ("eye(2)*[x 1; 2 y]", "[x, 1]\n[2, y]"),
    ("sym(1e-10)", "1/10000000000"),
    ("cumsum([x y 1])", "[x, x + y, x + y + 1]"),
    ("polyval([1 2], x)", "x + 2"),
    ("g(x, y) = [x y; 1 x]; g(2, 3)", "[2, 3]\n[1, 2]"),
    ("g(x) = x^2; g([1 2 3])", "[1, 4, 9]"),
    ("solve(abs(x) == 2)", " -2\n  2"),
    ("coeffs(x^2 + 2*x*y + y^2)", "[1, 2, 1]"),
    ("coeffs(2*x + 3*y + 1, [x y])", "[1, 3, 2]"),
    ("taylor(cos(x), x, pi/2, 'Order', 4)", "(x - pi/2)^3/6 + pi/2 - x"),
    ("syms z; curl([y*z x z^2], [x y z])", "     0\n     y\n 1 - z"),
    ("divergence([x^2 y^2], [x y]) + laplacian(x^2 + y^2)", "2*x + 2*y + 4"),
    ("compose(x^2 + 1, sin(y))", "sin(y)^2 + 1"),
    ("finverse(2*x + 1)", "x/2 - 1/2"),
    ("f = piecewise(x < 0, -x, x >= 0, x^2); subs(f, x, -3)", "3"),
]


@pytest.mark.parametrize(("code", "text"), SHOWN)
def test_values_are_shown_as_in_matlab(
    code: str, text: str, session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    session.run(f"syms x y; {code}")
    shown = capsys.readouterr().out
    assert shown.rpartition("=\n\n")[2].rstrip("\n") == text


def test_values_in_matlab(session: Session) -> None:
    session.run("syms x y; A = [x y; 1 2]; g = matlabFunction(x^2 + y);")
    for code, value in (
        ("size(A, 1)", 2), ("numel(A)", 4), ("class(A)", "sym"), ("char(x^2)", "x^2"),
        ("isequal(x + x, 2*x)", True), ("isAlways(x + 1 > x)", True), ("g(3, 1)", 10),
        ("double(sym(1)/4)", 0.25), ("isa(x, 'sym')", True), ("rank(A)", 2),
        ("logical(sym(2) > 1)", True), ("isempty(symvar(sym(1)))", True),
    ):  # fmt: skip
        assert session.eval(code) == value, code


def test_functions_of_numbers(session: Session, tmp_path: Path) -> None:
    session.run(f"cd('{tmp_path}'); syms x y; g = matlabFunction(x + y, 'Vars', {{[x y]}});")
    session.run("[p, q] = feval(matlabFunction(x, y^2), 3, 4);")
    session.run("matlabFunction(x*y, 'File', 'product_of'); r = product_of(3, 5);")
    assert [session.eval(c) for c in ("g([1 2])", "p", "q", "r")] == [3, 3, 16, 15]


def test_conditions_decide(session: Session) -> None:
    session.run("if sym(3) > 2, a = 1; else, a = 0; end, syms x; b = any([x 1] == x);")
    assert (session.eval("a"), session.eval("b")) == (1, True)


def test_a_function_of_x_is_shown_with_it(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    session.run("format compact, syms x y; f(x, y) = x + y, disp(f)")
    assert capsys.readouterr().out == "f(x, y) =\nx + y\nx + y\n"


def test_other_functions_learn_of_a_class_with_its_first_builtin(
    session: Session, tmp_path: Path
) -> None:
    """Programs without the class call their builtins with nothing in between."""
    (tmp_path / "wave.m").write_text("function r = wave(v)\nr = sin(v);\nend\n")
    session.run(f"cd('{tmp_path}'); a = wave(0);")
    lookup = session.interp.lookup
    assert not lookup._methods
    session.run("syms x; b = char(wave(x)); c = wave(0);")
    assert "sin" in lookup._methods
    assert [session.eval(c) for c in "abc"] == [0, "sin(x)", 0]


def test_assumptions_belong_to_a_session() -> None:
    first, second = Session(), Session()
    first.run("syms x positive")
    second.run("n = numel(assumptions); d = digits(7);")
    assert (second.eval("n"), first.eval("digits")) == (0, 32)


def test_functions_have_variables_too(session: Session) -> None:
    session.run("function r = area()\nsyms w h\nr = char(w*h);\nend\ns = area();")
    assert session.eval("s") == "h*w"


def test_sympy_is_imported_with_the_first_value() -> None:
    code = (
        "import sys; from runmat_core import Session; s = Session(); s.run('a = sin(1);')\n"
        "s.run(\"try, nothing_of_this_name(1), catch, end, w = which('syms');\")\n"
        "before = 'sympy' in sys.modules; s.run('syms x')\n"
        "assert not before and 'sympy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=200)


def test_text_reads_back_as_what_it_writes() -> None:
    """Random expressions, with products that SymPy has not worked out, at a point."""
    import sympy as sp
    from runmat_symbolic.printer import written
    from runmat_symbolic.reading import read

    x, y = sp.symbols("x y")
    point = {x: sp.Rational(13, 10) + sp.I / 7, y: sp.Rational(-7, 10)}

    def made(rng: random.Random, depth: int) -> Any:
        if depth == 0:
            fraction = sp.Rational(rng.randint(-5, 5), rng.randint(1, 4))
            return rng.choice([x, y, fraction, sp.I, sp.pi])
        a, b = made(rng, depth - 1), made(rng, depth - 1)
        power = rng.choice([2, 3, -1, -2, sp.Rational(1, 2), sp.Rational(-1, 2)])
        return rng.choice(
            [a + b, a - b, a * b, a / (b if b != 0 else x), (a if a != 0 else y) ** power,
             sp.sin(a), sp.exp(a), sp.Mul(a, b, evaluate=False), sp.together(a + b / (x + y))]
        )  # fmt: skip

    for seed in range(400):
        rng = random.Random(seed)
        expression = made(rng, rng.randint(1, 4))
        wanted = complex(expression.subs(point).evalf())
        if not abs(wanted) < 1e9:
            continue
        found = complex(read(written(expression)).subs(point).evalf())
        assert abs(found - wanted) <= 1e-8 * (1 + abs(wanted)), (expression, written(expression))
