"""Which loops get an attempt to capture them."""

from __future__ import annotations

from typing import Any

import pytest

from runmat_core import Session
from runmat_core.compiler import loops


def test_loops_of_scalars_are_left_alone_in_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    before_all = loops.before_all

    def counting(*args: Any) -> Any:
        made.append(args)
        return before_all(*args)

    monkeypatch.setattr(loops, "before_all", counting)
    with Session() as s:
        s.run("t = 0; for i = 1:9, t = t + i*2; end")
        assert not made
        assert s["t"] == 90
        # what another run left, and what other arrays make, may be anything
        s.run("for i = 1:9, t = t + i*2; end")
        s.run("t = 0; x = 1:9; for i = 1:9, t = t + x(i); end")
        s.run("t = 0; for i = 1:9, t = t * i; u = t; end")
        assert len(made) == 3
