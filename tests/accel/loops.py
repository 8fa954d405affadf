"""Programs with loops, run with and without capture, and what is the same afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from runmat_core import Session
from runmat_core.accel.running.loop_registry import CaptureReport
from runmat_core.session import config
from runmat_core.values.array import to_numpy

SETUP = """
rng(3);
A = rand(60,50); B = rand(60,50) - 0.5; x = rand(60,40); v = rand(1,40); S = single(A);
"""
PROVIDERS = ("inprocess", "null")
#: Providers on the memory of NumPy.
HOSTS = ("inprocess", "native")


def session(provider: str, loops: bool = True, **more: str) -> Session:
    """A session in which everything runs on the provider that can, and arrays are large early."""
    environment = {
        "RUNMAT_ACCEL_PROVIDER": provider,
        "RUNMAT_ACCEL_FALLBACK": "none",
        "RUNMAT_ACCEL_THRESHOLD": "60",
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
        "RUNMAT_ACCEL_OFFLOAD_FORCE": "host" if provider in HOSTS else "device",
        **({"RUNMAT_ACCEL_NATIVE_EAGER": "1"} if provider == "native" else {}),
        "RUNMAT_ACCEL_LOOPS": "true" if loops else "false",
        **more,
    }
    return Session(
        config=config.load(Path(__file__).parent, environment | {"RUNMAT_ACCEL_PLAN_FILES": "0"})
    )


def remembered(made: Session) -> int:
    """How often a run of statements was remembered."""
    found: int = made.interp.seat.engine.counters.passages  # type: ignore[union-attr]
    return found


class Outcome:
    """A program's run.

    Attributes:
        values: of the variables, NumPy arrays where they are numbers.
        shown: what it printed.
        error: the identifier, message and line of the error that ended it.
        notes: of its loops.
    """

    def __init__(self, program: str, provider: str, loops: bool, setup: str = SETUP) -> None:
        made = session(provider, loops)
        made.run(setup)
        self._run(made, program)

    @classmethod
    def of(cls, made: Session, program: str) -> Outcome:
        """A run in a session that there is."""
        found = cls.__new__(cls)
        found._run(made, program)
        return found

    def _run(self, made: Session, program: str) -> None:
        self.session = made
        self.error: Any = None
        self.shown = ""
        try:
            self.shown = made.capture(program)
        except Exception as problem:
            stack = getattr(problem, "stack", ())
            line = stack[0].line if stack else 0
            self.error = (getattr(problem, "identifier", ""), str(problem), line)
        made.run("stream = rng; stream = double(stream.State(:)');")
        workspace = made.interp.variables
        self.values: dict[str, Any] = {}
        for name in [name for name in workspace if not name.startswith("_")]:
            self.values[name] = _plain(workspace[name])
        self.notes: list[CaptureReport] = list(made.interp.seat.engine.loops.notes.values())  # type: ignore[union-attr]

    @property
    def captured(self) -> int:
        """How many loops became kernels."""
        return sum(note.trips > 0 for note in self.notes)

    @property
    def reasons(self) -> list[str]:
        return [note.reason for note in self.notes if note.reason]

    def close(self) -> None:
        """Give the device back: sweeps make hundreds of sessions, and a device takes megabytes."""
        self.session.close()

    @property
    def engine(self) -> Any:
        return self.session.interp.seat.engine  # type: ignore[union-attr]


def _plain(value: Any) -> Any:
    try:
        return np.array(to_numpy(value))
    except Exception:
        return repr(value)


def same(found: Outcome, expected: Outcome, exact: bool) -> None:
    """Assert that two runs left the same behind, bit by bit where `exact`."""
    assert found.error == expected.error
    assert found.shown == expected.shown
    assert found.values.keys() == expected.values.keys()
    for name, value in expected.values.items():
        other = found.values[name]
        if isinstance(value, str):
            assert other == value, name
            continue
        assert (other.shape, other.dtype) == (value.shape, value.dtype), name
        if exact or value.dtype.kind not in "fc":
            np.testing.assert_array_equal(other, value, err_msg=name)
        else:
            limit = 1e-5 if value.real.dtype.itemsize == 4 else 1e-12
            np.testing.assert_allclose(other, value, rtol=limit, atol=limit, err_msg=name)


def compared(program: str, provider: str, exact: bool = True) -> Outcome:
    """The run with capture, the same as the one without."""
    found = Outcome(program, provider, True)
    same(found, Outcome(program, provider, False), exact)
    return found
