"""Going through large buffers in parts that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator

#: Elements of a part: with doubles, a few such buffers fit into the second cache.
CHUNK = 1 << 14


def chunks(size: int) -> Iterator[slice]:
    """Slices that cover ``range(size)`` in order, each of `CHUNK` elements but for the last."""
    for start in range(0, size, CHUNK):
        yield slice(start, min(start + CHUNK, size))
