"""Constructs of the octave dialect."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError

PROGRAMS = [
    ("add-assign", "x = 1; x += 2; printf('%d', x)", "3"),
    ("times-assign", "x = 3; x *= 2; x -= 1; x /= 5; printf('%d', x)", "1"),
    ("power-assign", "x = 3; x ^= 2; printf('%d', x)", "9"),
    ("or-assign", "x = false; x |= true; printf('%d', x)", "1"),
    ("increment", "x = 1; x++; ++x; printf('%d', x)", "3"),
    ("decrement", "x = 1; x--; printf('%d', x)", "0"),
    ("element", "c = {1, 2}; c{2} += 5; printf('%d', c{2})", "7"),
    ("field", "s.a = 1; s.a += 2; printf('%d', s.a)", "3"),
    ("do-until", "k = 0; do\nk++; until k >= 3\nprintf('%d', k)", "3"),
    (
        "do-continue",
        "k = 0; do\nk++; if k == 2, continue; endif\nprintf('%d', k); until k >= 4",
        "134",
    ),
    ("do-break", "k = 0; do\nk++; if k == 2, break; endif\nuntil false\nprintf('%d', k)", "2"),
    (
        "do-inner-loop",
        "k = 0; do\nk++; for j = 1:3, if j == 2, continue; endif, printf('%d', j); endfor\n"
        "until k >= 2",
        "1313",
    ),
    (
        "unwind-protect",
        "unwind_protect\nprintf('a');\nunwind_protect_cleanup\nprintf('b');\nend_unwind_protect",
        "ab",
    ),
    (
        "unwind-protect-error",
        "try\nunwind_protect\nerror('x');\nunwind_protect_cleanup\nprintf('b');\n"
        "end_unwind_protect\ncatch e\nprintf(e.message);\nend",
        "bx",
    ),
    ("index-of-result", "A = magic(3); printf('%d', A(2, :)(3))", "7"),
    ("call-of-result", "f = @(x) @(y) x + y; printf('%d', f(1)(2))", "3"),
    ("not-equal", "if 1 != 2, printf('a'), endif", "a"),
    ("bang", "x = !true; printf('%d', x)", "0"),
    ("escapes", 'printf("a\\tb")', "a\tb"),
    ("chained", "a = b = c(3) = 2; printf('%d', a, b, numel(c))", "223"),
    ("value-first", "x = 5; y = x + (x = 2); printf('%d', y, x)", "72"),
    ("value-before", "x = 2; y = x++ + x; printf('%d', y, x)", "53"),
    ("value-after", "x = 2; y = --x * 10 + x; printf('%d', y)", "11"),
    ("in-condition", "if (k = find([0 1 1])), printf('%d', k), end", "23"),
    ("in-loop", "n = 3; while (n -= 1) > 0, printf('%d', n), end", "21"),
    (
        "in-loop-continue",
        "k = 0; while k++ < 4, if k == 2, continue, end, printf('%d', k), end",
        "134",
    ),
    ("not-reached", "k = 0; if false && (k = 1), end, printf('%d', k)", "0"),
    (
        "subscript",
        "c = {4, 5, 6}; k = 1; s = 0; while k <= 3, s += c{k++}; end, printf('%d', s)",
        "15",
    ),
    ("subscript-once", "x = [1 2 3]; k = 1; x(k++) += 7; printf('%d', x, k)", "8232"),
    ("part-in-value", "if (z.a(3) = 4) == 4, printf('%d', z.a), end", "004"),
    ("copy", "x = [1 2]; y = x; z = (x(1) = 9); printf('%d', x, y, z)", "92129"),
    (
        "fields",
        "s.a = 1; s.b = 'q'; for [v, k] = s, printf('%s=%s;', k, num2str(v)), end",
        "a=1;b=q;",
    ),
    ("indexed-transpose", "x = [1 2; 3 4]; printf('%d', x'(:), x.'(2, 1))", "12342"),
    ("global", "global g = 3\nglobal g = 4\nprintf('%d', g)", "3"),
    (
        "underscores",
        "_w = 1; __x = _w + 1; f = @(_y) _y + __x; printf('%d', f(3), exist('__x'))",
        "51",
    ),
    ("eval", "_a = 3; eval('_b = _a + 1;'); printf('%d', _b)", "4"),
    ("endings", "for k = 1:2\nprintf('%d', k);\nendfor\nwhile k < 3\nk++;\nendwhile", "12"),
]


@pytest.mark.parametrize(
    ("program", "printed"), [p[1:] for p in PROGRAMS], ids=[p[0] for p in PROGRAMS]
)
def test_octave(run, program: str, printed: str) -> None:
    assert run(program, dialect="octave") == printed


FUNCTIONS = {
    "defaults": (
        "function r = f(a = 1, b = a + 1, varargin)\nr = [a b nargin];\nend",
        "printf('%d ', f(), f(5), f(5, 6), f(5, 6, 7))",
        "1 2 0 5 6 1 5 6 2 5 6 3 ",
    ),
    "persistent": (
        "function r = f()\npersistent n = 10\nr = n++;\nend",
        "printf('%d ', f(), f(), f())",
        "10 11 12 ",
    ),
    "inline-of-inputs": (
        "function r = f(varargin)\nr = 0; k = 1;\n"
        "while (k <= numel(varargin)) r += varargin{k++}; end\n"
        "if (n(2) = r) > 5 && (varargin{1} = 7), r = varargin{1} + n(2); end\nend",
        "c = {1, 2, 3}; printf('%d ', f(c{:}), c{1})",
        "13 1 ",
    ),
    "inline-in-nested": (
        "function r = f()\nn = 0;\nfunction up(), if (n += 2) > 3, n++; end, end\n"
        "up(); up();\nr = n;\nend",
        "printf('%d', f())",
        "5",
    ),
    "underscores": (
        "function r = f(_x)\nr = _plus(_x, 1);\nend\n"
        "function r = _plus(_nout, _s)\n_U = 1; r = _nout + _s * 10 + numel(who());\nend",
        "printf('%d', f(2))",
        "15",
    ),
    "loop": (
        "function r = f(n)\nr = zeros(1, n); k = 0;\nfor j = 1:n, r(++k) = j; end\nend",
        "printf('%d', f(4))",
        "1234",
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(run, name: str) -> None:
    source, program, printed = FUNCTIONS[name]
    assert run(program, dialect="octave", f=source) == printed


def test_unwind_protect_runs_on_return(run) -> None:
    source = (
        "function r = f()\nr = 1;\nunwind_protect\nreturn;\nunwind_protect_cleanup\n"
        "printf('c');\nend_unwind_protect\nr = 2;\nendfunction"
    )
    assert run("printf('%d', f())", dialect="octave", f=source) == "c1"


def test_the_matlab_dialect_names_what_it_met(run) -> None:
    with pytest.raises(MatlabError, match="Octave"):
        run("x = 1;\nx += 2;")
