"""What capturing a statement and evaluating it cost: calls of Python's, and modules imported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import runmat_core
from tests.accel.loops import session

CORE = os.path.dirname(runmat_core.__file__)
#: Captures five operations and asks for an element: one evaluation for each iteration.
LOOP = """\
function s = looped(x, n)
for k = 1:n
    y = x.*2 + x - 1; s = sum(y);
    if s < 0, break, end
end
end
"""
#: The most calls of the core's own code for an iteration: 107 on CPython 3.11.
MOST = 115


def calls_of(run: Callable[[], object]) -> int:
    """How many functions of the core `run` calls."""
    count = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(CORE)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def test_an_evaluation_of_a_known_plan(tmp_path: Path) -> None:
    (tmp_path / "looped.m").write_text(LOOP)
    made = session("inprocess")
    made.run(f"addpath('{tmp_path}'); x = ones(1, 2000); looped(x, 30); s = looped(x, 2);")
    few, many = (calls_of(partial(made.run, f"s = looped(x, {n});")) for n in (10, 60))
    evaluated = made.interp.seat.engine.counters.runs  # type: ignore[union-attr]
    assert (many - few) / 50 <= MOST
    assert evaluated >= 100
    assert made.eval("s") == 4000.0


def test_pending_scalars_go_on_being_pending_for_a_while() -> None:
    made = session("null")
    made.run("x = ones(40, 50) .* 1.5; s = sum(x(:)); t = 2*s; u = t - 1; v = x ./ s; w = s .* x;")
    graph = made.interp.seat.engine.graph  # type: ignore[union-attr]
    assert {"t", "u", "v", "w"} <= {
        name
        for name in made.interp.variables
        if type(made.interp.variables[name]).__name__ == "Deferred"
    }
    looks = graph.looks
    assert made.eval("[t, u]").tolist() == [[6000.0, 5999.0]]
    assert made.eval("v(1) == 1.5 / 3000 && w(2) == 4500 && isequal(size(v), [40 50])")
    # a loop of scalars alone computes them, so that its conditions do not wait for plans
    made.run("a = s; for k = 1:6, a = a + 1; end, b = a;")
    assert graph.looks > looks
    assert made.eval("b") == 3006.0


def test_the_first_captured_statement_imports_what_it_needs(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from runmat_core import Session\n"
        "s = Session()\n"
        "s.run('x = rand(1, 3e6); s = sum(x.*2 + 1); if s > 0, t = 1; end')\n"
        "assert 'runmat_core.accel.running.stored_plans' in sys.modules\n"
        "print(*sys.modules)\n"
    )
    environment = {name: text for name, text in os.environ.items() if "RUNMAT_ACCEL" not in name}
    environment |= {
        "RUNMAT_ACCEL_PROVIDER": "inprocess",
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
        "RUNMAT_CACHE_DIR": str(tmp_path),
    }
    for _ in range(2):  # the second finds the program compiled
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment, capture_output=True, text=True, timeout=250, check=True,
        )  # fmt: skip
    loaded = set(done.stdout.split())
    capture = {f"runmat_core.accel.capture.{name}" for name in ("grouped", "matrices", "ordered")}
    running = {f"runmat_core.accel.running.{name}" for name in ("parts", "verify")}
    libraries = {"email", "importlib.metadata", "statistics", "zipfile"}
    assert not loaded & (capture | running | libraries)
