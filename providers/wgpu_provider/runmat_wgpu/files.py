"""Files of the cache folder."""

from __future__ import annotations

from runmat_core.api.folders import write_whole


def replace(path: str, text: str) -> None:
    """Put a text into a file, at once for whoever reads it; what cannot be kept is made again.

    Args:
        path: nothing is kept where it is empty.
    """
    if path:
        write_whole(path, text.encode())
