"""Value semantics: random programs against a model that copies everything on every assignment."""

from __future__ import annotations

import time

import pytest

from runmat_core import Session
from tests.compiler.copying import HELPERS, Program


def check(seed: int, as_function: bool) -> None:
    program = Program(seed)
    if as_function:
        text = f"main();\nfunction main()\n{program.body()}end\n{HELPERS}"
    else:
        text = program.body() + HELPERS
    assert Session().capture(text) == program.expected(), program.body()


@pytest.mark.sweep(6)
@pytest.mark.parametrize("as_function", [True, False], ids=["fast-locals", "workspace"])
@pytest.mark.parametrize("start", range(0, 100, 10))
def test_random_programs(start: int, as_function: bool) -> None:
    for seed in range(start, start + 10):
        check(seed, as_function)


@pytest.mark.slow
@pytest.mark.parametrize("as_function", [True, False], ids=["fast-locals", "workspace"])
def test_thousands_of_random_programs(as_function: bool) -> None:
    for seed in range(1000, 3000):
        check(seed, as_function)


LINEAR = [
    ("element", "for k = 1:2000, A(k) = k; end"),
    ("append", "for k = 1:2000, A(end + 1) = k; end"),
    ("through-calls", "for k = 1:2000, A = push(A, k); end"),
    ("field", "s.A = A; A = []; for k = 1:2000, s.A(k) = s.A(k) + numel(s.A); end"),
    ("field-append", "s.A = A; A = []; for k = 1:2000, s.A(end + 1) = k; end"),
    (
        "field-in-condition",
        "s.A = A; A = []; for k = 1:2000, if numel(s.A) > 1, s.A(k) = 1; end, end",
    ),
    ("struct-through-calls", "s.A = A; A = []; for k = 1:2000, s = put(s, k); end"),
    ("cell-element", "c = {A}; A = []; for k = 1:2000, c{1}(k) = c{1}(k) + 1; end"),
    ("cell-append", "c = cell(1, 1e5); for k = 1:2000, c{end + 1} = k; end"),
    ("read-only-argument", "for k = 1:2000, n = scribble_not(A); A(k) = n; end"),
]


@pytest.mark.parametrize("as_function", [True, False], ids=["fast-locals", "workspace"])
@pytest.mark.parametrize("loop", [case[1] for case in LINEAR], ids=[case[0] for case in LINEAR])
def test_writes_do_not_copy(loop: str, as_function: bool) -> None:
    """2000 copies of 8 MB would take seconds of this thread, whatever else the machine does."""
    body = f"A = zeros(1, 1e6);\n{loop}\n"
    helpers = (
        "function x = push(x, v)\nx(end + 1) = v;\nend\n"
        "function s = put(s, k)\ns.A(k) = k;\nend\n"
        "function n = scribble_not(x)\nn = x(1) + numel(x);\nend\n"
    )
    text = f"main();\nfunction main()\n{body}end\n{helpers}" if as_function else body + helpers
    if not as_function and ("push(" in loop or "put(" in loop):
        pytest.skip("what a workspace holds is not moved out of it: an error would lose it")
    started = time.thread_time()
    Session().run(text)
    assert time.thread_time() - started < 2.0
