"""Numbers whose order is the order of texts, so that many texts are sorted as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

#: Fewer texts are compared one by one.
_MANY = 4096
#: Characters after those that all texts begin with; a number holds eight of them.
_LONGEST = 32
_WORD = 8


def text_keys(texts: Sequence[str | None]) -> Keys | None:
    """Return a number for each text, equal for equal texts and larger for later ones.

    None for few texts, for those that are long or not plain ASCII, and where one is missing.
    """
    if len(texts) < _MANY or None in texts:
        return None
    joined = "".join(texts)  # type: ignore[arg-type]
    # a text is filled up with zeros
    if not joined.isascii() or "\0" in joined:
        return None
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))  # type: ignore[arg-type]
    codes = np.frombuffer(joined.encode("ascii") + bytes(_LONGEST + 2 * _WORD), np.uint8)
    starts = np.cumsum(lengths) - lengths
    first, longest = _common(codes, starts, int(lengths.min())), int(lengths.max())
    if longest - first > _LONGEST:
        return None
    keys = _word(codes, starts + first, lengths - first)
    for at in range(first + _WORD, longest, _WORD):
        keys = _dense(keys) << np.uint64(32) | _dense(_word(codes, starts + at, lengths - at))
    return keys


def _common(codes: NDArray[np.uint8], starts: NDArray[np.intp], shortest: int) -> int:
    """How many characters all texts begin with."""
    for at in range(shortest):
        column = codes[starts + at]
        if (column != column[0]).any():
            return at
    return shortest


def _word(codes: NDArray[np.uint8], at: NDArray[np.intp], left: NDArray[np.intp]) -> Keys:
    """Eight characters from each place, of which so many are `left` in the text, as one number."""
    ahead = np.ndarray((codes.size - _WORD + 1,), ">u8", codes, strides=(1,))
    # beyond the last text stand zeros, so nothing after them counts
    words = ahead[np.minimum(at, ahead.size - 1)].astype(np.uint64)
    beyond = (8 * np.clip(_WORD - left, 0, _WORD)).astype(np.uint64)
    half = beyond >> np.uint64(1)  # NumPy leaves open what a shift by all bits gives
    words >>= half
    words >>= half
    words <<= half
    words <<= half
    return words


def _dense(keys: NDArray[Any]) -> Keys:
    """Numbers from zero without gaps, in the order of the keys; there are less than 2^32."""
    return np.unique(keys, return_inverse=True)[1].astype(np.uint64)
