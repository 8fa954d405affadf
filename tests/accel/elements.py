"""Programs on a few arrays whose elements are wanted by subscripts, masks and sorted order."""

from __future__ import annotations

from typing import Any

import numpy as np

import runmat_core as rm
from runmat_core.session import config

INPUTS = (
    "rng(3); A = rand(60, 8) - 0.5; x = rand(1, 200) - 0.5; B = rand(60, 8) + 1; A(7, 2) = NaN;"
)


def run(body: str, **settings: Any) -> tuple[np.ndarray, list[str], rm.Session]:
    """The variable R of a program after `INPUTS`, the launches that ran, and the session."""
    chosen = {"accel__threshold": 4, **settings}
    session = rm.Session(config=config.load().replace(**chosen))
    labels: list[str] = []
    assert session.interp.seat is not None
    engine = session.interp.seat.engine
    engine.listeners.append(lambda record: labels.extend(record.labels))
    session.run(f"{INPUTS}\n{body}")
    return np.asarray(session["R"]), labels, session
