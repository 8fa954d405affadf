"""Files of the cache folder."""

from __future__ import annotations

import os
from contextlib import suppress


def replace(path: str, text: str) -> None:
    """Put a text into a file, at once for whoever reads it; what cannot be kept is made again.

    Args:
        path: nothing is kept where it is empty.
    """
    if not path:
        return
    draft = f"{path}.{os.getpid()}"
    with suppress(OSError):
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
