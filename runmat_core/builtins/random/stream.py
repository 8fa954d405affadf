"""The session's random stream, and the draws that builtins make from it.

The generator is the Mersenne Twister with 53-bit doubles, so uniform numbers are MATLAB's own.
Normal numbers come from the inverse of the normal distribution function, one uniform each.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.interp import Interp
from runmat_core.builtins.random.normal import central_quantile, quantile

#: The seed that MATLAB's seed 0 stands for.
DEFAULT_SEED = 5489


class RandomStream:
    """A stream of uniform numbers.

    Attributes:
        kind: the generator's name as ``rng`` shows it.
        seed: the seed it was started with.
    """

    def __init__(self, seed: int = 0) -> None:
        self.kind = "twister"
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        self.seed = seed
        self._source = np.random.RandomState(seed if seed else DEFAULT_SEED)

    def shuffle(self) -> None:
        """Start from a seed that differs from call to call."""
        self.reseed(time.time_ns() // 1_000_000 % 2**32)

    def uniform(self, count: int) -> NDArray[np.float64]:
        """`count` numbers in the open interval (0, 1)."""
        numbers = self._source.random_sample(count)
        while not numbers.all():
            # zero is drawn once in 2^53; MATLAB's interval is open
            zeros = np.flatnonzero(numbers == 0)
            numbers[zeros] = self._source.random_sample(zeros.size)
        return numbers

    def one(self) -> float:
        """A single uniform number."""
        number = self._source.random_sample()
        return number if number else self.one()

    def one_normal(self) -> float:
        """A single number of the standard normal distribution."""
        p = self.one()
        if abs(p - 0.5) <= 0.425:
            return central_quantile(p)
        return float(quantile(np.array([p]))[0])

    def normal(self, count: int) -> NDArray[np.float64]:
        """`count` numbers of the standard normal distribution."""
        return quantile(self.uniform(count))

    def permutation(self, count: int) -> NDArray[np.intp]:
        """The numbers below `count` in random order."""
        return np.argsort(self.uniform(count), kind="stable")

    def state(self) -> NDArray[np.uint32]:
        """All that `restore` needs: the twister's words and the position among them."""
        _, words, position, _, _ = self._source.get_state()
        return np.append(np.asarray(words, np.uint32), np.uint32(position))

    def restore(self, seed: int, state: NDArray[Any]) -> None:
        """Go back to a `state`; one of another length is ignored and the stream starts anew."""
        self.reseed(seed)
        if state.size == 625:
            words = state.ravel().astype(np.uint32)
            self._source.set_state(("MT19937", words[:624], int(words[624]), 0, 0.0))


def stream_of(interp: Interp) -> RandomStream:
    """The stream of a session."""
    return interp.state("random stream", RandomStream)
