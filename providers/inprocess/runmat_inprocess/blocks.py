"""From the axes of a launch to the blocks it runs in.

`collapse` drops axes of extent 1 and joins neighbours that memory and code do not tell apart, so
that most kernels have one axis, or two. `Grid` cuts what is left into blocks. All of it depends on
extents and strides alone, never on the number of threads: so do the trees that reductions follow.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from runmat_core.api import sums
from runmat_core.api.device import Addressing
from runmat_core.api.tuples import NamedTuple


class Space(NamedTuple):
    """The axes of a launch after collapsing.

    Attributes:
        kinds, extents: of each axis.
        axes: for each axis of the kernel, which axis here it became part of, None for extent 1.
        views: addressing over the collapsed axes.
    """

    kinds: tuple[str, ...]
    extents: tuple[int, ...]
    axes: tuple[int | None, ...]
    views: tuple[Addressing, ...]

    def mask(self, over: int) -> int:
        """Return a kernel's bit mask of axes as one of axes here."""
        mask = 0
        for k, axis in enumerate(self.axes):
            if over >> k & 1 and axis is not None:
                mask |= 1 << axis
        return mask

    def of_kind(self, *kinds: str) -> tuple[int, ...]:
        """Return the axes of some kinds, the fastest first."""
        return tuple(k for k, kind in enumerate(self.kinds) if kind in kinds)

    def size(self, axes: Sequence[int]) -> int:
        """Return the number of points along some axes together."""
        size = 1
        for k in axes:
            size *= self.extents[k]
        return size


def collapse(
    kinds: Sequence[str],
    extents: Sequence[int],
    views: Sequence[Addressing],
    masks: Collection[int],
) -> Space:
    """Return the space with as few axes as there can be.

    Args:
        masks: what the values of the kernel vary along; axes stay apart where one mask has one of
            them alone.
    """
    found: list[int] = []  # for each new axis the kernel's axis with the smallest stride
    sizes: list[int] = []
    axes: list[int | None] = []
    last = -1
    for k, extent in enumerate(extents):
        if extent == 1:
            axes.append(None)
            continue
        joined = (
            bool(found)
            and kinds[k] == kinds[last]
            and kinds[k] != "scan"
            and all(mask >> k & 1 == mask >> last & 1 for mask in masks)
            and all(v.strides[k] == v.strides[found[-1]] * sizes[-1] for v in views)
        )
        if joined:
            sizes[-1] *= extent
        else:
            found.append(k)
            sizes.append(extent)
        axes.append(len(found) - 1)
        last = k
    if not found:
        # arithmetic on arrays without dimensions gives scalars, so one point is a line of one
        one = tuple(Addressing(v.offset, (1,)) for v in views)
        return Space(("parallel",), (1,), tuple(axes), one)
    return Space(
        tuple(kinds[k] for k in found),
        tuple(sizes),
        tuple(axes),
        tuple(Addressing(v.offset, tuple(v.strides[k] for k in found)) for v in views),
    )


class Grid:
    """Blocks of part of a space: boxes of at most `chunks` points along each axis.

    Blocks are numbered with axis 0 fastest.

    Attributes:
        origin, extents: of the part.
        counts: number of blocks along each axis.
    """

    def __init__(
        self, extents: Sequence[int], chunks: Sequence[int], origin: Sequence[int] | None = None
    ) -> None:
        self.extents = tuple(extents)
        self.chunks = tuple(chunks)
        self.origin = tuple(origin) if origin is not None else (0,) * len(self.extents)
        self.counts = tuple(-(-e // c) for e, c in zip(self.extents, self.chunks, strict=True))
        self.count = 1
        for count in self.counts:
            self.count *= count

    def block(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Start and extents of a block."""
        starts, shape = [], []
        for count, chunk, extent, first in zip(
            self.counts, self.chunks, self.extents, self.origin, strict=True
        ):
            number, place = divmod(number, count)
            starts.append(first + place * chunk)
            shape.append(min(chunk, extent - place * chunk))
        return tuple(starts), tuple(shape)


class Nodes:
    """Stretches of one axis that hold whole nodes, or whole runs, of the sums along it (`sums`).

    Attributes:
        count: how many there are.
    """

    def __init__(self, axis: int, extents: Sequence[int], most: int) -> None:
        self.axis, self.ndim, self.extent = axis, len(extents), extents[axis]
        if axis == 0:
            bounds = sums.bounds(self.extent, sums.depth(self.extent, most)).tolist()
        elif self.extent <= sums.LONGEST_RUN:
            bounds = [0, self.extent]
        else:
            length = max(most // sums.RUN, 1) * sums.RUN
            bounds = [*range(0, self.extent, length), self.extent]
        self._bounds: list[int] = bounds
        self.count = len(bounds) - 1

    def block(self, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Start and extents of a stretch; other axes have one point."""
        start, stop = self._bounds[number : number + 2]
        starts, extents = [0] * self.ndim, [1] * self.ndim
        starts[self.axis], extents[self.axis] = start, stop - start
        return tuple(starts), tuple(extents)


def even(extent: int, most: int) -> int:
    """Return the length of equal pieces of at most `most`, rounded up to whole cache lines."""
    if most >= extent:
        return max(extent, 1)
    most = max(most, 1)
    pieces = -(-extent // most)
    length = -(-extent // pieces)
    return min(-(-length // 64) * 64, most) if most >= 64 else length


def fill(extents: Sequence[int], order: Sequence[int], budget: int, chunks: list[int]) -> int:
    """Give each axis, in order, as many points as the budget leaves; what is left of it.

    After the first axis that does not fit, the others get one point: blocks of neighbouring
    numbers are then neighbours in column-major order too.
    """
    for k in order:
        chunks[k] = even(extents[k], budget)
        budget = budget // chunks[k] if chunks[k] == extents[k] else 0
    return budget
