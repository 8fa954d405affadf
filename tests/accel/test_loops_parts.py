"""Loops over arrays made of parts: joins, rotations, pages and regions, drawn at random."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.accel.planning import bodies
from runmat_core.accel.planning.rewrite import ALL, rewrite
from runmat_core.api.device import Repeat
from tests.accel.loops import Outcome, same, session
from tests.accel.machine import recorder

#: Statements on ``A``, ``B`` (both {m} x {n}) and ``F`` ({m} x {n} x 3).
STATEMENTS = (
    "A = circshift(B, {k}) - A/2;", "B = circshift(A, [{k}, -{j}]) + B/4;",
    "A = [A(2:end, :); A(1, :)] + 1;", "B = [B(:, end), A(:, 1:end-1)];",
    "A = [B(1:{j}, :); A({j}+1:end, :)];", "A(1, :) = B({j}, :); A(end, :) = A({j}, :)/2;",
    "B([1 end], :) = A([2 end-1], :);", "A(:, 1:2:end) = B(:, 2:2:end);",
    "F(:, :, {p}) = circshift(F(:, :, {p}), {k}, {d}); A = A + F(:, :, {p});",
    "for i = 1:3, F(:, :, i) = F(:, :, i)/2 + A*i; end, B = B + sum(F, 3)/9;",
    "for i = 1:3, F(:, :, i) = circshift(F(:, :, i), [i, -i]); end, A = A - F(:, :, 2);",
    "F(:, :, {p}) = A; F(:, :, {q}) = F(:, :, {p})/3 - B; B = F(:, :, {q});",
    "A = [flipud(A(1:{j}, :)); B({j}+1:end, :)];", "B(2:end-1, {j}) = A(2:end-1, {k}) + t;",
    "A = [zeros(1, {n}); A(1:end-1, :)] + [B(2:end, :); ones(1, {n})];",
    "A = A/3; B = B/3; F = F/3;", "F(:, :, 1:2) = F(:, :, 2:3);",
)  # fmt: skip
SETUP = """
A = {cls}(reshape(mod((1:{m}*{n})*7, 11), {m}, {n}));
B = {cls}(reshape(mod((1:{m}*{n})*5, 13), {m}, {n}));
F = {cls}(reshape(mod((1:{m}*{n}*3)*3, 17), {m}, {n}, 3));
"""


def program(seed: int) -> tuple[str, str]:
    """Statements before a loop, and the loop."""
    rng = np.random.default_rng(seed)
    m, n = (2 * int(k) for k in rng.integers(5, 10, 2))
    lines = []
    for k in rng.permutation(len(STATEMENTS))[: int(rng.integers(3, 7))]:
        p, q = rng.permutation(3)[:2] + 1
        numbers = {"k": rng.integers(1, m // 2), "j": rng.integers(2, min(m, n) - 1)}
        lines.append(STATEMENTS[k].format(m=m, n=n, p=p, q=q, d=rng.integers(1, 3), **numbers))
    cls = ("single", "double")[seed % 2]
    body = "\n    ".join(lines)
    return SETUP.format(m=m, n=n, cls=cls), f"for t = 1:7\n    {body}\nend"


@pytest.mark.parametrize("seed", range(24))
def test_parts(seed: int) -> None:
    setup, text = program(seed)
    found = Outcome(text, "null", True, setup)
    same(found, Outcome(text, "none", False, setup), False)
    found.close()


@pytest.mark.parametrize("seed", range(3))
def test_without_the_rules(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules for bodies change nothing but what is copied."""
    setup, text = program(seed)
    found = Outcome(text, "null", True, setup)
    monkeypatch.setattr(bodies, "rewrite", lambda sub, can, _: rewrite(sub, can, ALL))
    other = Outcome(text, "null", True, setup)
    same(found, other, True)
    found.close()
    other.close()


def launches(setup: str, text: str) -> int:
    """Launches of an iteration of a captured loop."""
    made = session("null")
    text = f"{setup}\n{text}\nr = sum(A(:)) + sum(F(:));"
    made.run(text)
    assert made["r"] is not None
    requests = recorder(made.interp.seat.engine).requests
    requests.clear()
    made.run(text)
    assert made["r"] is not None
    steps = [step for hook, asked in requests if hook == "execute" for step in asked.steps]
    (repeat,) = [step for step in steps if isinstance(step, Repeat)]
    return len(repeat.steps)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("A = circshift(A, 1) + circshift(A, -1, 2) - A;", 1),
        ("A = A + [A(2:end, :); A(1, :)] - [zeros(1, 10); A(1:end-1, :)];", 1),
        ("for i = 1:3, F(:, :, i) = circshift(F(:, :, i), i); end", 1),
    ],
)
def test_no_part_is_copied_to_be_read(body: str, count: int) -> None:
    setup = SETUP.format(m=12, n=10, cls="single")
    assert launches(setup, f"for t = 1:9, {body} end") == count
