"""Pending operations that read an array of the host which is about to be written.

A source node holds the very array, so a write would go to a copy as long as something pending reads
it. Mostly that is a result of which only a sum or a maximum was asked for. It is computed first
where that stores no more than a copy reads and writes, and the writes that follow go to the array
itself.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from numpy.typing import NDArray

from runmat_core.accel.context import get
from runmat_core.values.hooks import HOOKS

#: Who holds an array that a value and its source node have alone, while it is looked at: these two,
#: the function here and the count itself.
_ALONE = 4


def settle(data: NDArray[Any]) -> None:
    """Compute what is pending on `data`, where nothing else keeps it from being written.

    Raises:
        MatlabError: a host rule failed.
    """
    seat = get()
    if seat is None or seat.tracing or not seat.made or getrefcount(data) > _ALONE:
        return
    readers = seat.graph.readers(data)
    if readers and sum([node.size for node in readers]) <= 2 * data.size:
        seat.graph.evaluate(readers)


def install() -> None:
    """Let writes ask what is pending on an array."""
    HOOKS.settle = settle
