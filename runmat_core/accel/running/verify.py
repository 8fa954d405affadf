"""Comparing what a plan computed with what host rules give: ``accel.verify``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph import rules
from runmat_core.accel.graph.node import Node
from runmat_core.api.errors import MatlabError

#: Largest difference, relative to an element and to the largest of the array.
TOLERANCE = {"f": (1e-3, 1e-4), "d": (1e-9, 1e-10)}


def compare(expected: Iterable[tuple[Node, Any]]) -> None:
    """Hold the data of nodes against what they should be.

    Raises:
        MatlabError: RunMat:accel:verify, at the line of a node that differs.
    """
    for node, wanted in expected:
        if wanted.__class__ is tuple or node.data is None or node.data.__class__ is tuple:
            continue  # their outputs are nodes, too
        found = node.graph.elements(node)
        if not alike(found, wanted):
            error = MatlabError(
                "RunMat:accel:verify",
                f"The accelerated result of '{node.op.name}' differs from that of host rules by "
                f"{_distance(found, wanted)}.",
            )
            rules.place_error(error, node)
            raise error


def alike(found: NDArray[Any], wanted: NDArray[Any]) -> bool:
    """Whether arrays agree up to rounding, NaN being equal to NaN."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return False
    if found.dtype.kind not in "fc":
        return bool(np.array_equal(found, wanted))
    finite = np.abs(wanted[np.isfinite(wanted)])
    relative, absolute = TOLERANCE["f" if found.dtype.char in "fF" else "d"]
    scale = float(np.max(finite, initial=0.0))
    return bool(np.allclose(found, wanted, relative, absolute * scale, equal_nan=True))


def _distance(found: NDArray[Any], wanted: NDArray[Any]) -> str:
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"kind ({found.dtype} instead of {wanted.dtype})"
    if found.dtype.kind not in "fc":
        return f"{int(np.sum(found != wanted))} elements"
    return f"up to {float(np.nanmax(np.abs(found - wanted), initial=0.0)):.3g}"
