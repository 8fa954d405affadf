"""The memory of temporary arrays: what is freed serves the next array of its size."""

from __future__ import annotations

from functools import cache

import numpy as np

#: Bytes of the largest array whose memory is kept, a little below what the allocator allows.
_LARGEST = (32 << 20) - (64 << 10)


@cache
def keep_freed() -> None:
    """Have the C library keep the memory of arrays that are freed, for those that come next.

    An operation on an array of a megabyte makes another one and frees it soon. By default glibc
    gives such memory back to the system, and the next operation gets it page by page, which takes
    several times as long as the operation itself. Its limits grow by themselves with the largest
    block that was ever freed: one block, never touched, is enough. Other allocators do not mind.
    """
    np.empty(_LARGEST, np.uint8)
