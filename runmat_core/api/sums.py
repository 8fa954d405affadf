"""The order in which the elements of an axis are added, wherever they are.

Neighbours in memory are added as NumPy adds them: a run of more than 128 is the sum of its two
halves, the first of which is a multiple of 8 long, and a shorter one is eight interleaved sums.
Along any other axis runs of 64 are added one element after another, then what they gave likewise.
A part of a sum is some nodes of such a tree, so neither the length of the parts nor the number of
threads shows in the result, whoever computes the parts: host rules and the providers of the CPU
give the same bits.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

#: Neighbours up to this number are eight interleaved sums; halves of more are nodes.
UNIT, LANES = 128, 8
#: Elements of another axis that are added one after the other.
RUN = 64
#: No more than this many are one such run.
LONGEST_RUN = 2 * RUN


def depth(count: int, most: int) -> int:
    """Return how many times a run of neighbours is halved until no node exceeds `most`."""
    most = max(most, 2 * UNIT)
    found = 0
    while count > most:
        count -= _half(count)  # the longer one
        found += 1
    return found


@cache
def bounds(count: int, levels: int) -> Any:
    """Return where the nodes of a run begin after so many halvings, and where the last ends."""
    sizes = np.array([count])
    for _ in range(levels):
        first = _half(sizes)
        sizes = np.stack((first, sizes - first), axis=1).reshape(-1)
    return np.concatenate(([0], np.cumsum(sizes)))


def fold(parts: Any, dim: int) -> Any:
    """Return the sums of nodes along a dimension as their tree joins them; it keeps extent 1."""
    front = (slice(None),) * dim
    while parts.shape[dim] > 1:
        parts = parts[*front, 0::2] + parts[*front, 1::2]
    return parts


def along(a: Any, axis: int) -> Any:
    """Return the sums of a column-major array along an axis, which keeps extent 1."""
    is_plain = axis == 0 or a.shape[axis] <= LONGEST_RUN or a.dtype.kind not in "fc"
    if is_plain or math.prod(a.shape[:axis]) <= 1:
        return np.add.reduce(a, axis=axis, keepdims=True)
    return add(a.T, a.ndim - 1 - axis).T


def add(x: Any, dim: int) -> Any:
    """Return the sums of a row-major array along a dimension, which keeps extent 1."""
    if not x.flags.c_contiguous:  # NumPy's order follows memory
        x = np.ascontiguousarray(x)
    extent, last = x.shape[dim], dim == x.ndim - 1
    if last:
        if extent <= UNIT and x.size >= 4 * UNIT and x.dtype.kind == "f":
            return _interleaved(np.ascontiguousarray(np.moveaxis(x, dim, 0)))[..., None]
        return np.add.reduce(x, axis=dim, keepdims=True)
    if extent <= LONGEST_RUN:
        return runs(x, dim, extent)
    total = add(runs(x, dim, RUN), dim)
    rest = extent % RUN
    if rest:
        total = total + runs(x[*(slice(None),) * dim, extent - rest :], dim, rest)
    return total


def runs(x: Any, dim: int, run: int) -> Any:
    """Return the sum of each whole run along a dimension that is not the last."""
    shape = x.shape
    count = shape[dim] // run
    front, back = shape[:dim], shape[dim + 1 :]
    whole = x[*(slice(None),) * dim, : count * run].reshape(*front, count, run, *back)
    width = math.prod(back)
    if width >= RUN:
        return np.add.reduce(whole, axis=dim + 1)
    # few neighbours: the elements of a run are moved to the front, where many are added at once
    turned = np.ascontiguousarray(np.moveaxis(whole, dim + 1, 0))
    if turned.size == run:  # NumPy would take them for neighbours
        return np.add.accumulate(turned, axis=0)[-1] + 0.0
    return np.add.reduce(turned, axis=0)


def parts(x: Any, dim: int, whole: int) -> Any:
    """Return the sums of what a block holds of an axis of `whole` elements, in order.

    The block holds one node of neighbours, or else runs: all of a short axis, or whole runs and, at
    the end of the axis, the rest.
    """
    extent = x.shape[dim]
    if dim == x.ndim - 1 or whole <= LONGEST_RUN:
        return add(x, dim)
    x = np.ascontiguousarray(x)
    found = runs(x, dim, RUN)
    if rest := extent % RUN:
        last = runs(x[*(slice(None),) * dim, extent - rest :], dim, rest)
        found = np.concatenate((found, last), axis=dim)
    return found


def total(found: Any, dim: int, whole: int) -> Any:
    """Return the sums along an axis of `whole` elements from all of its `parts`."""
    if dim == found.ndim - 1:
        return fold(found, dim)
    count = whole // RUN
    if whole <= LONGEST_RUN or count == found.shape[dim]:
        return add(found, dim)
    front = (slice(None),) * dim
    return add(found[*front, :count], dim) + found[*front, count:]


def _half(count: Any) -> Any:
    first = count // 2
    return first - first % LANES


def _interleaved(rows: Any) -> Any:
    """Return the sum of at most `UNIT` rows, in the order of neighbours."""
    count = len(rows)
    if count < LANES:
        total = rows[0] + 0.0
        for row in rows[1:]:
            total += row
        return total
    lanes = rows[:LANES].copy()
    for start in range(LANES, count - count % LANES, LANES):
        lanes += rows[start : start + LANES]
    while len(lanes) > 1:
        lanes = lanes[0::2] + lanes[1::2]
    total = lanes[0]
    for row in rows[count - count % LANES :]:
        total += row
    return total + 0.0
