"""Statements that make and call function handles: when they are remembered, and for which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from runmat_core.values.array import to_numpy
from tests.accel.loops import remembered, session


def values(made: Any, *names: str) -> list[Any]:
    return [to_numpy(made.interp.variables[name]).item() for name in names]


def test_statements_with_handles_are_remembered(tmp_path: Path) -> None:
    (tmp_path / "f.m").write_text(
        "function [y, h] = f(A, k)\nh = @(x) x.^2 + k;\ns = @sin;\ny = s(h(A)) + 1 - A/2;\nend\n"
    )
    made = session("null")
    made.run(f"addpath('{tmp_path}'); rng(1); A = rand(60,50);")
    for number in range(5):
        made.run(f"[y, h{number}] = f(A + 1, 2); y{number} = y(1);")
        values(made, f"y{number}")
    assert remembered(made) == 2
    made.run("[y, h] = f(A + 1, 3); z = y(1); u = h(2); w = h4(2); e = isequal(h3, h4);")
    y, z, u, w, e = values(made, "y4", "z", "u", "w", "e")
    first = float(to_numpy(made.interp.variables["A"])[0, 0]) + 1
    assert np.allclose([y + first / 2 - 1, z + first / 2 - 1], np.sin([first**2 + 2, first**2 + 3]))
    assert (u, w, e) == (7.0, 6.0, False)


def test_handles_over_arrays_are_not_told_apart(tmp_path: Path) -> None:
    (tmp_path / "f.m").write_text("function y = f(A, B)\nh = @(x) x + B;\ny = h(A)*2;\nend\n")
    made = session("null")
    made.run(f"addpath('{tmp_path}'); A = ones(60,50);")
    found = []
    for number in range(6):
        made.run(f"B = {number} + zeros(60,50); y = f(A, B); y = y(7);")
        found += values(made, "y")
    assert found == [2.0 + 2 * n for n in range(6)]
