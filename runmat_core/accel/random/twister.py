"""The Mersenne Twister with 53-bit doubles, so that uniform numbers are MATLAB's own.

Normal numbers come from the inverse of the normal distribution function, one uniform each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.random.philox import DTYPE, Floats
from runmat_core.accel.random.quantile import central_quantile, quantile

#: The seed that MATLAB's seed 0 stands for.
DEFAULT_SEED = 5489
#: Words of the state: the twister's own, and the position among them.
STATE_WORDS = 625
#: The largest single below 1.
_BELOW_ONE = np.float32(1 - 2**-24)


class Twister:
    """The generator ``twister``. Its numbers depend on all before: they are made here and now."""

    kind = "twister"
    #: It has none: draws are not counted.
    position = 0

    def __init__(self, seed: int) -> None:
        self._source = np.random.RandomState(seed if seed else DEFAULT_SEED)

    def uniform(self, count: int, dtype: str = "f64") -> Floats:
        """`count` numbers in the open interval (0, 1)."""
        numbers = self._source.random_sample(count)
        while not numbers.all():
            # zero is drawn once in 2^53; MATLAB's interval is open
            zeros = np.flatnonzero(numbers == 0)
            numbers[zeros] = self._source.random_sample(zeros.size)
        if dtype == "f64":
            return numbers
        # what lies nearer to 1 than to any single below it
        return np.minimum(numbers.astype(np.float32), _BELOW_ONE)

    def normal(self, count: int, dtype: str = "f64") -> Floats:
        """`count` numbers of the standard normal distribution."""
        return quantile(self.uniform(count)).astype(DTYPE[dtype], copy=False)

    def one(self) -> float:
        """Return a single uniform number."""
        number = self._source.random_sample()
        return number if number else self.one()

    def one_normal(self) -> float:
        """Return a single number of the standard normal distribution."""
        p = self.one()
        if abs(p - 0.5) <= 0.425:
            return central_quantile(p)
        return float(quantile(np.array([p]))[0])

    def state(self) -> NDArray[np.uint32]:
        """All that `restore` needs: the twister's words and the position among them."""
        _, words, position, _, _ = self._source.get_state()
        return np.append(np.asarray(words, np.uint32), np.uint32(position))

    def restore(self, state: NDArray[np.uint32]) -> bool:
        """Go back to a `state`; False where it is none."""
        if state.size != STATE_WORDS or state[-1] > STATE_WORDS - 1:
            return False
        self._source.set_state(("MT19937", state[:-1], int(state[-1]), 0, 0.0))
        return True
