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
    ("endings", "for k = 1:2\nprintf('%d', k);\nendfor\nwhile k < 3\nk++;\nendwhile", "12"),
]


@pytest.mark.parametrize(
    ("program", "printed"), [p[1:] for p in PROGRAMS], ids=[p[0] for p in PROGRAMS]
)
def test_octave(run, program: str, printed: str) -> None:
    assert run(program, dialect="octave") == printed


def test_unwind_protect_runs_on_return(run) -> None:
    source = (
        "function r = f()\nr = 1;\nunwind_protect\nreturn;\nunwind_protect_cleanup\n"
        "printf('c');\nend_unwind_protect\nr = 2;\nendfunction"
    )
    assert run("printf('%d', f())", dialect="octave", f=source) == "c1"


def test_the_matlab_dialect_names_what_it_met(run) -> None:
    with pytest.raises(MatlabError, match="Octave"):
        run("x = 1;\nx += 2;")
