"""Programs on host rules and on each provider, and whether they agree: values, classes, errors."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel.devices.records import Record
from runmat_core.session import config
from runmat_core.values.array import to_numpy
from runmat_core.values.base import class_of

PROVIDERS = ("inprocess", "null", "wgpu")
#: Rounding of sums that are added in another order, by bytes of an element.
LIMIT = {2: 1e-2, 4: 3e-5, 8: 1e-11}


def session(provider: str, threshold: int = 1, **more: str) -> Session:
    """A session in which everything runs on the provider that can; ``none`` has host rules."""
    environment = {
        "RUNMAT_ACCEL_PROVIDER": provider,
        "RUNMAT_ACCEL_FALLBACK": "none",
        "RUNMAT_ACCEL_THRESHOLD": str(threshold),
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
        "RUNMAT_ACCEL_OFFLOAD_FORCE": "host" if provider == "inprocess" else "device",
        **more,
    }
    if provider == "none":
        environment = {"RUNMAT_ACCEL_PROVIDER": "none"}
    return Session(
        config=config.load(Path(__file__).parent, environment | {"RUNMAT_ACCEL_PLAN_FILES": "0"})
    )


@cache
def kept(provider: str, setup: str) -> Session:
    """A session after `setup`, shared by tests that change nothing of it."""
    if provider == "wgpu":
        adapter()
    made = session(provider)
    made.run(setup)
    return made


@cache
def adapter() -> None:
    """Skip where there is no adapter, unless one is required."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    try:
        import wgpu

        if not wgpu.gpu.enumerate_adapters_sync():
            raise RuntimeError("none")
    except (ImportError, RuntimeError) as problem:
        if os.environ.get("RUNMAT_REQUIRE_WGPU"):
            raise
        pytest.skip(f"no adapter: {problem}")


class Ran:
    """What a program left behind.

    Attributes:
        values: of the variables asked for; an error is one of its own.
        shown: what it printed.
        records: of the runs of the engine.
    """

    def __init__(self, made: Session, code: str, names: tuple[str, ...]) -> None:
        self.records: list[Record] = []
        seat = made.interp.seat
        if seat is not None:
            seat.engine.listeners.append(self.records.append)
        self.shown = ""
        self.values: dict[str, tuple[str, Any]] = {}
        try:
            if names:  # the session is shared, and `clear` alone clears all
                made.run(f"clear {' '.join(names)}")
            self.shown = made.capture(code)
            for name in names:
                value = made.interp.variables[name]
                self.values[name] = (class_of(value), np.array(to_numpy(value)))
        except MatlabError as problem:
            self.values["error"] = (problem.identifier, problem.message)
        finally:
            if seat is not None:
                seat.engine.listeners.remove(self.records.append)

    @property
    def kernels(self) -> int:
        """How many kernels and library calls ran."""
        return sum(len(record.labels) for record in self.records)

    @property
    def by_plans(self) -> bool:
        """Whether plans did everything that was pending."""
        return bool(self.records) and all(record.outcome == "done" for record in self.records)


def agree(
    provider: str, setup: str, code: str, names: tuple[str, ...] = ("r",), exact: bool = False
) -> Ran:
    """The run of `code` on a provider, asserted to leave behind what host rules do."""
    expected = Ran(kept("none", setup), code, names)
    found = Ran(kept(provider, setup), code, names)
    assert found.shown == expected.shown
    assert found.values.keys() == expected.values.keys(), (found.values, expected.values)
    for name, (cls, value) in expected.values.items():
        kind, other = found.values[name]
        if name == "error":
            assert (kind, other) == (cls, value)
            assert cls != "RunMat:internal", value
            continue
        assert (kind, other.shape) == (cls, value.shape), name
        assert (other.dtype.kind == "c") == (value.dtype.kind == "c"), name
        if exact or value.dtype.kind not in "fc":
            np.testing.assert_array_equal(other, value, err_msg=name)
        else:
            limit = LIMIT[4 if value.dtype.char in "fF" else 8]
            np.testing.assert_allclose(other, value, rtol=limit, atol=limit, err_msg=name)
    return found
