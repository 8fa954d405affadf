"""Memory that functions on one thread use again and again."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np


class _Scratch(threading.local):
    def __init__(self) -> None:
        self._memory: dict[str, Any] = {}

    def get(self, name: str, size: int, dtype: Any) -> Any:
        """Return an array of `size` elements, valid until the next call with this name."""
        nbytes = size * np.dtype(dtype).itemsize
        memory = self._memory.get(name)
        if memory is None or memory.size < nbytes:
            memory = self._memory[name] = np.empty(nbytes, np.uint8)
        return memory[:nbytes].view(dtype)


scratch = _Scratch()
