"""Library calls whose results lie, or are as large, as elements say: by NumPy and threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.device import Addressing
from runmat_core.api.ir import LibraryCall
from runmat_inprocess.pool import Pool, Worker

#: Elements of a block of a mask: enough that a thread has something to do.
BLOCK = 1 << 18

#: Fills the outputs; whether host rules are to see the inputs instead.
Computed = Callable[[LibraryCall, Sequence[int], Sequence[Any], Pool], bool | None]


class CompiledCall:
    """One of `CALLS`."""

    def __init__(self, call: LibraryCall) -> None:
        self.call = call
        self._compute = CALLS[call.name]
        gives: Any = call.attribute("gives", ("one",))
        several = call.name == "histogram" and len(call.dtypes) > 3
        self._outputs = 2 if several else len(gives)

    def written(self, count: int) -> range:
        """Which of a launch's slots are written."""
        return range(count - self._outputs, count)

    def run(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        """Run a launch; bytes read and written."""
        if self._compute(self.call, extents, buffers, pool):
            pool.workers[0].status |= 1
        first = len(buffers) - self._outputs
        sizes = [buffer.nbytes for buffer in buffers]
        return sum(sizes[:first]), sum(sizes[first:])


def _blocks(mask: Any, pool: Pool) -> tuple[int, list[int]]:
    """How many blocks there are of a mask, and how many elements of it are not zero before each."""
    count = max(-(-mask.size // BLOCK), 1)
    found = [0] * count

    def counted(worker: Worker, number: int) -> None:
        found[number] = int(np.count_nonzero(mask[number * BLOCK : (number + 1) * BLOCK]))

    pool.run(count, counted)
    before = [0]
    for one in found[:-1]:
        before.append(before[-1] + one)
    return count, before


def compact(call: LibraryCall, extents: Sequence[int], buffers: Sequence[Any], pool: Pool) -> None:
    """``compact``: each block knows where its elements go."""
    rows, _, skipped, kept = extents
    gives: Any = call.attribute("gives")
    mask, outputs = buffers[0], buffers[len(buffers) - len(gives) :]
    source = buffers[len(buffers) - len(gives) - 1]
    count, before = _blocks(mask, pool)

    def written(worker: Worker, number: int) -> None:
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        to = before[number] - skipped
        at = np.flatnonzero(mask[part])
        at = at[max(-to, 0) : max(kept - to, 0)] + part.start
        place = slice(max(to, 0), max(to, 0) + at.size)
        for name, output in zip(gives, outputs, strict=True):
            if name == "values":
                np.take(source, at, out=output[place], mode="clip")
            elif name == "places":
                np.add(at, 1, out=output[place], casting="unsafe")
            elif name == "rows":
                np.add(at % rows, 1, out=output[place], casting="unsafe")
            else:
                np.add(at // rows, 1, out=output[place], casting="unsafe")

    pool.run(count, written)


def scatter(call: LibraryCall, extents: Sequence[int], buffers: Sequence[Any], pool: Pool) -> None:
    """``scatter``: NumPy writes one element after the other."""
    x, places, values, y = buffers
    np.copyto(y, x)
    there = (places >= 0) & (places < y.size)
    if there.all():
        y[places] = values
    else:
        y[places[there]] = values[there] if values.size > 1 else values


def expand(call: LibraryCall, extents: Sequence[int], buffers: Sequence[Any], pool: Pool) -> None:
    """``expand``: each block knows where its values are."""
    x, mask, values, y = buffers
    count, before = _blocks(mask, pool)

    def written(worker: Worker, number: int) -> None:
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        own = y[part]
        np.copyto(own, x[part])
        stop = before[number + 1] if number + 1 < count else values.size
        # places are twice as fast as a mask is
        own[np.flatnonzero(mask[part])] = values[before[number] : stop]

    pool.run(count, written)


def accumulate(
    call: LibraryCall, extents: Sequence[int], buffers: Sequence[Any], pool: Pool
) -> bool:
    """``accumulate``: sums one after the other, in doubles."""
    places, y = buffers[0], buffers[-1]
    bins, by = y.size, call.attribute("by")
    if places.size and not (places.min() >= 1 and places.max() <= bins):
        return True
    at = places.astype(np.intp)
    if places.dtype.kind == "f" and not (at == places).all():
        return True
    if by in ("count", "sum"):
        weights = None if by == "count" else np.broadcast_to(buffers[1], at.shape)
        y[:] = np.bincount(at, weights, minlength=bins + 1)[1:]
        return False
    at -= 1
    y[:] = np.nan
    (np.fmax if by == "max" else np.fmin).at(y, at, np.broadcast_to(buffers[1], at.shape))
    y[np.bincount(at, minlength=bins) == 0] = 0
    return False


def histogram(
    call: LibraryCall, extents: Sequence[int], buffers: Sequence[Any], pool: Pool
) -> None:
    """``histogram``: each block searches the edges, and counts are added up."""
    x, edges, counts = buffers[:3]
    size = edges.size
    blocks = max(-(-x.size // BLOCK), 1)
    found = np.zeros((blocks, size + 1), np.int64)
    closed = bool(call.attribute("closed"))

    def counted(worker: Worker, number: int) -> None:
        part = slice(number * BLOCK, (number + 1) * BLOCK)
        own = x[part]
        at = np.searchsorted(edges, own.astype(np.float64, copy=False), side="right")
        if closed:
            at[own == edges[-1]] = size - 1
        at[~((own >= edges[0]) & (own <= edges[-1]))] = 0
        found[number] = np.bincount(at, minlength=size + 1)
        if len(buffers) > 3:
            buffers[3][part] = at

    pool.run(blocks, counted)
    counts[:] = found.sum(axis=0)[1 : counts.size + 1]


CALLS: dict[str, Computed] = {
    "accumulate": accumulate,
    "compact": compact,
    "expand": expand,
    "histogram": histogram,
    "scatter": scatter,
}
