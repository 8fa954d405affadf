"""Copies in host memory, large ones on several threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.threads import available

#: Bytes from which a second thread pays, and threads at most (measured on an H200: from 1 to 8 the
#: bandwidth grows from 10 to 25 GB/s up, from 4 to 12 down, where fresh pages are half of it).
WORTH, THREADS = 1 << 22, 8


def copy(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy elements, converted to the type of the target; both are flat."""
    threads = workers()
    if target.nbytes < WORTH or threads == 1:
        np.copyto(target, source, casting="unsafe")
        return
    edges = [target.size * k // threads for k in range(threads + 1)]
    tasks = [
        _pool().submit(np.copyto, target[a:b], source[a:b], casting="unsafe")
        for a, b in pairwise(edges[1:])
    ]
    np.copyto(target[: edges[1]], source[: edges[1]], casting="unsafe")
    for task in tasks:
        task.result()


@cache
def workers() -> int:
    """How many threads share a copy."""
    return min(THREADS, available())


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, workers() - 1), "runmat-copy")
