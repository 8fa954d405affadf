"""How many Python functions a small operation calls: what it costs, whatever the machine's load."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session

SETUP = """
x = [4 2 7 1 9 3 8 5]; y = [1; 2; 3; 4]; p = [1 3]; m = x > 4;
A = [4 1 2 3; 1 5 1 2; 2 1 6 1; 3 2 1 7]; B = A; P = ones(3, 3, 4);
i = ones(4, 4, 'int32'); z = complex(ones(4), 2);
"""
#: Statement: the most calls that it may take.
MOST = {
    "x(2:4) = x(1:3);": 5,
    "x(2:4) = 0;": 4,
    "r = x(2:end);": 4,
    "x(p) = x([2 4]);": 12,
    "r = x(m);": 4,
    "x(x > 4) = 5;": 5,
    "A(:, 2) = y;": 8,
    "A(1:2, 2:3) = A(2:3, 1:2);": 12,
    "r = P(:, :, 2);": 5,
    "P(:, :, 2) = P(:, :, 3);": 11,
    "P(2, 2, 3) = 1;": 2,
    "r = P(2, 2, 3);": 2,
    "i(2, 3) = 7;": 3,
    "r = i(5);": 3,
    "z(2, 2) = 3i;": 3,
    "r = A * y;": 2,
    "r = A * B + A';": 5,
    "r = norm(y);": 3,
    "r = max(x);": 4,
    "r = sum(x);": 3,
    "[r, k] = max(x);": 4,
    "r = max(x, 0);": 5,
    "r = x > 3;": 1,
    "r = any(m);": 3,
    "r = 1 - x;": 2,
    "r = A - x(1:4);": 5,
    "r = [y; 1];": 4,
    "r = 1:4;": 2,
    "r = x(2):x(1);": 5,
    "r = [x(1) x(2); x(3) x(4)];": 5,
    "r = [x(1) x(2) 3];": 3,
    "r = 'abc' == 'b';": 6,
    "r = sum(A);": 5,
    "for q = x, end": 3,
    "for q = 1:1e4, x(1) = q; if q > 2, break, end, end": 4,
}


def calls(session: Session, statement: str, folder: Path) -> float:
    """Python calls of the project's code for each run of a statement in a function's loop."""
    name = "counted"
    text = f"function {name}(n)\n{SETUP}\nfor trial = 1:n\n{statement}\nend\nend\n"
    (folder / f"{name}.m").write_text(text)
    session.run(f"rehash; {name}(3)")
    counts = []
    for runs in (10, 20):
        made = 0

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal made
            made += event == "call" and "runmat_core" in frame.f_code.co_filename

        sys.setprofile(count)
        try:
            session.run(f"{name}({runs})")
        finally:
            sys.setprofile(None)
        counts.append(made)
    return (counts[1] - counts[0]) / 10


@pytest.mark.usefixtures("only_small_arrays")
def test_small_operations_make_few_calls(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path)
    # what others left behind is not to be cleared away while calls are counted
    gc.collect()
    gc.disable()
    try:
        over = {
            statement: (found, most)
            for statement, most in MOST.items()
            if (found := calls(session, statement, tmp_path)) > most
        }
    finally:
        gc.enable()
    assert not over


def test_literal_ranges_are_never_written_to() -> None:
    session = Session()
    session.run(
        "for trial = 1:2, v = 1:4; same(trial) = isequal(v, [1 2 3 4]); v(2) = 9; w = 1:3; n = 3;"
        "u = 1:n; u(1) = 7; w(end + 1) = 5; c = {1:3}; c{1}(3) = 0; s.f = 1:3; s.f(2) = [];"
        "z = [1:3]; z(:) = 2; y = 3:-1:1; y(y > 1) = 0; end"
    )
    assert session["same"].tolist() == [[True, True]]
    for text, expected in {"1:4": [1, 2, 3, 4], "1:n": [1, 2, 3], "3:-1:1": [3, 2, 1]}.items():
        assert session.eval(text).ravel().tolist() == expected
    assert session.eval("v([4 1:2])").tolist() == [[4, 1, 9]]
