"""Running a captured loop in the ordinary way, too, and comparing: ``RUNMAT_VERIFY_LOOPS=1``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runmat_core.accel.loops.asked import Loop
from runmat_core.api.errors import MatlabError
from runmat_core.values import share
from runmat_core.values.array import to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.deferred import settled

#: Most that results may differ, relative to the largest element, by class.
TOLERANCE = {"single": 1e-4, "double": 1e-10}


def compare(loop: Loop, trips: int, finals: Mapping[str, Any], stream: Any, before: Any) -> None:
    """Run the trips that were captured and compare what they leave.

    Args:
        trips: how many these are.

    Raises:
        MatlabError: RunMat:loops:verify, a variable or the random stream differs.
    """
    after = stream.state()
    stream.restore(stream.kind, stream.seed, before)
    names = {name: share(value) for name, value in loop.known.items()}
    for value in loop.items()[:trips]:
        names[loop.variable] = value
        loop.twin(names)
    if not np.array_equal(stream.state(), after):
        raise MatlabError("RunMat:loops:verify", "The random stream is elsewhere after the loop.")
    for name, value in finals.items():
        if name:
            _same(name, settled(share(value)), settled(share(names[name])))


def _same(name: str, found: Any, expected: Any) -> None:
    if class_of(found) != class_of(expected):
        raise MatlabError("RunMat:loops:verify", f"'{name}' has another class after the loop.")
    if class_of(found) not in TOLERANCE:
        equal = np.array_equal(to_numpy(found), to_numpy(expected))
    else:
        a, b = to_numpy(found), to_numpy(expected)
        scale = np.max(np.abs(b), initial=0.0, where=np.isfinite(b))
        limit = TOLERANCE[class_of(found)]
        equal = a.shape == b.shape and np.allclose(
            a, b, rtol=limit, atol=limit * float(scale), equal_nan=True
        )
    if not equal:
        raise MatlabError("RunMat:loops:verify", f"'{name}' differs after the loop.")
