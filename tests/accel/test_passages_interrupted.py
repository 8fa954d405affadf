"""Ctrl-C in a run of statements that is remembered: variables are those of a completed statement.

An interrupt is raised where Python looks for one: after calls and when functions begin. Each place
of a run has its turn.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from tests.accel.test_passages import ARRAYS, remembered, started, values

#: A variable that is assigned twice, and random numbers.
STEP = (
    "C = A .* B + k;\nD = C - mean(C);\nC = D .* 2;\nE = sqrt(D .^ 2 + 1);\nF = E + rand(60,50);\n"
)
NAMES = "CDEF"
#: So many places of a run have their turn, spread evenly.
PLACES = 60


class Interrupt:
    """Interrupts code of a file at one of the places where Python looks for an interrupt.

    Attributes:
        places: how many were passed.
        raised: whether it came.
    """

    def __init__(self, file: str, at: int = -1) -> None:
        self.file = file
        self.at = at
        self.places = 0
        self.raised = False
        self._inside: FrameType | None = None

    def __enter__(self) -> Interrupt:
        sys.setprofile(self._event)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _event(self, frame: FrameType, event: str, _: Any) -> None:
        if self._inside is None:
            if event != "call" or not frame.f_code.co_filename.endswith(self.file):
                return
            self._inside = frame
        if event == "return" and frame is self._inside:
            self._inside = None
        if event not in ("call", "c_return") or self._is_lost(frame):
            return
        self.places += 1
        if self.places == self.at:
            self.raised = True
            raise KeyboardInterrupt

    def _is_lost(self, frame: FrameType | None) -> bool:
        """Whether Python drops what is raised here: in finalizers, where it tells of garbage."""
        while frame is not None and frame is not self._inside:
            if frame.f_code.co_name in ("__del__", "gc_callback"):
                return True
            frame = frame.f_back
        return False


def states(a: Any, b: Any, old: list[Any], f: Any) -> list[list[Any]]:
    """C, D, E and F after each of the statements, from none of them on."""
    first = a * b + 2.0
    d = first - first.mean(axis=0, keepdims=True)
    e = np.sqrt(d**2 + 1)
    return [
        old,
        [first, *old[1:]],
        [first, d, *old[2:]],
        [2 * d, d, *old[2:]],
        [2 * d, d, e, old[3]],
        [2 * d, d, e, f],
    ]


def alike(found: list[Any], state: list[Any]) -> bool:
    return all(
        one.shape == other.shape and np.allclose(one, other, rtol=1e-12)
        for one, other in zip(found, state, strict=True)
    )


def step(made: Session, at: int = -1) -> Interrupt:
    with Interrupt("step.m", at) as interrupt:
        if at < 0:
            made.run("step")
        else:
            with pytest.raises(KeyboardInterrupt):
                made.run("step")
    return interrupt


def prepared(folder: Path, provider: str, runs: int) -> Session:
    """A session in which the script was run some times, and `old` results are known."""
    (folder / "step.m").write_text(STEP)
    made = started(folder, provider)
    made.run("k = 2;")
    for _ in range(runs):
        made.run(ARRAYS)
        made.run("step")
    return made


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["null", "inprocess"])
@pytest.mark.parametrize("runs", [2, 6], ids=["written-down", "remembered"])
def test_variables_are_those_of_a_completed_statement(
    provider: str, runs: int, tmp_path: Path
) -> None:
    made = prepared(tmp_path, provider, runs)
    made.run(ARRAYS)
    before = remembered(made)
    places = step(made).places
    assert (remembered(made) > before) == (runs == 6)
    assert places > 20
    reached = set()
    for at in range(1, places + 1, max(places // PLACES, 1)):
        if runs < 6:
            made = prepared(tmp_path, provider, runs)
        made.run(ARRAYS)
        old = values(made, *NAMES)
        assert step(made, at).raised
        a, b, *found = values(made, "A", "B", *NAMES)
        # the last is random: whether it is new is told by what it was
        f = old[3] if np.array_equal(found[3], old[3]) else found[3]
        if f is not old[3]:
            rest = f - found[2]
            assert 0 < rest.min() <= rest.max() < 1, at
        known = [alike(found, state) for state in states(a, b, old, f)]
        assert any(known), at
        reached.add(known.index(True))
        # and goes on as if nothing had been
        made.run(ARRAYS)
        before = remembered(made)
        made.run("step")
        assert runs < 6 or remembered(made) == before + 1, at
        a, b, *found = values(made, "A", "B", *NAMES)
        assert alike(found, states(a, b, found, found[3])[-1]), at
    # a run that is looked up gives all or nothing; one that is not stops anywhere
    assert reached <= {0, 5} if runs == 6 else len(reached) > 2, reached
