"""The session's random stream, which all draws of a session go through in program order.

Two generators: ``philox``, whose numbers are a function of key and position, so that a draw can be
reserved now and made later, elsewhere or in part; and ``twister``, which has MATLAB's own values.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.random import philox
from runmat_core.accel.random.draws import draw
from runmat_core.accel.random.philox import WIDTH, Floats, Key
from runmat_core.accel.random.twister import Twister
from runmat_core.api.interp import Interp
from runmat_core.api.tuples import NamedTuple

#: How many elements are drawn ahead for draws of a few, the first time and at most: a part of the
#: stream costs NumPy as much as several hundred elements whatever its length.
_AHEAD, _FAR_AHEAD = 512, 8192
#: How many of these are listed at a time: as Python numbers they take four times the memory.
_LISTED = 1024
#: Draws of up to so many elements are served from what was drawn ahead.
_FEW = 1024
#: Words of the state: key, block number in four words, word of the block.
STATE_WORDS = 7
#: What the high word of the key is changed by. A uniform number that is drawn between two normal
#: ones would else be one of the two numbers that these are made of, and not independent of them.
_DOMAIN = {
    ("uniform", "f32"): 0,
    ("uniform", "f64"): 0,
    ("normal", "f32"): 1,
    ("normal", "f64"): 2,
}


class Reservation(NamedTuple):
    """A draw that was counted and may be made at any time.

    Element i is that of `runmat_core.accel.random.philox` with this key and position.
    """

    key_low: int
    key_high: int
    position: int


_NONE: Floats = np.empty(0)


class Ahead:
    """Elements of one distribution and type drawn ahead of their use, for draws of a few.

    Attributes:
        listed: some of them as Python numbers, for draws of one.
        listed_first: the position of the first of these.
    """

    __slots__ = (
        "_distribution",
        "_dtype",
        "_first",
        "_key",
        "_numbers",
        "_shift",
        "_size",
        "listed",
        "listed_first",
    )

    def __init__(self, distribution: str, dtype: str, key: Key) -> None:
        self._distribution, self._dtype, self._key = distribution, dtype, key
        self._shift = WIDTH[dtype] - 1
        self._size = _AHEAD
        self._first = self.listed_first = 0
        self._numbers: Floats = _NONE
        self.listed: list[float] = []

    def one(self, position: int) -> float:
        """Return the element at an aligned `position`."""
        at = (position - self.listed_first) >> self._shift
        if not 0 <= at < len(self.listed):
            at = self._place(position, 1)
            self.listed = self._numbers[at : at + _LISTED].tolist()
            self.listed_first = position
            at = 0
        return self.listed[at]

    def take(self, position: int, count: int) -> Floats:
        """Return a copy of `count` elements from an aligned `position` on."""
        at = self._place(position, count)
        return self._numbers[at : at + count].copy()

    def _place(self, position: int, count: int) -> int:
        """Where the element at `position` is among those that are there, with `count` of them."""
        at = (position - self._first) >> self._shift
        if 0 <= at <= self._numbers.size - count:
            return at
        size = max(self._size, count)
        self._size = min(8 * size, _FAR_AHEAD)
        self._first = position
        self._numbers = draw(self._distribution, self._dtype, self._key, position, size)
        return 0


#: What stands for numbers that nobody has asked for; it has none.
_UNASKED = Ahead("uniform", "f64", (0, 0))


class Philox:
    """The generator ``philox``: Philox4x32-10 at a position counted in 32-bit words."""

    kind = "philox"

    def __init__(self, seed: int) -> None:
        self._set((seed & 0xFFFFFFFF, seed >> 32), 0)

    def _set(self, key: Key, position: int) -> None:
        self.position = position
        self._key = key
        # made when they are asked for: programs seed in every run, and few draw a few of each kind
        self._ahead: dict[tuple[str, str], Ahead] = {}
        self._uniform = self._normal = _UNASKED

    def key(self, distribution: str, dtype: str) -> Key:
        """Return the key that numbers of a distribution and element type are made with."""
        low, high = self._key
        return low, high ^ _DOMAIN[distribution, dtype]

    def _drawn_ahead(self, distribution: str, dtype: str) -> Ahead:
        found = self._ahead.get((distribution, dtype))
        if found is None:
            found = Ahead(distribution, dtype, self.key(distribution, dtype))
            self._ahead[distribution, dtype] = found
        return found

    def reserve(self, distribution: str, dtype: str, count: int) -> Reservation:
        """Count a draw of `count` elements without making it."""
        position = philox.aligned(self.position, dtype)
        self.position = (position + WIDTH[dtype] * count) % (1 << 64)
        low, high = self.key(distribution, dtype)
        return Reservation(low, high, position)

    def uniform(self, count: int, dtype: str = "f64") -> Floats:
        """Draw uniform numbers between 0 and 1."""
        return self._draw("uniform", dtype, count)

    def normal(self, count: int, dtype: str = "f64") -> Floats:
        """Draw standard normal numbers."""
        return self._draw("normal", dtype, count)

    def _draw(self, distribution: str, dtype: str, count: int) -> Floats:
        low, high, position = self.reserve(distribution, dtype, count)
        if count <= _FEW:
            return self._drawn_ahead(distribution, dtype).take(position, count)
        return draw(distribution, dtype, (low, high), position, count)

    def one(self) -> float:
        """Return a single uniform number."""
        position = self.position + 1 & -2
        self.position = position + 2
        ahead = self._uniform
        try:  # `Ahead.one`, written out: positions only grow, so no subscript is negative
            return ahead.listed[position - ahead.listed_first >> 1]
        except IndexError:
            self._uniform = ahead = self._drawn_ahead("uniform", "f64")
            return ahead.one(position)

    def one_normal(self) -> float:
        """Return a single number of the standard normal distribution."""
        position = self.position + 1 & -2
        self.position = position + 2
        ahead = self._normal
        if ahead is _UNASKED:
            self._normal = ahead = self._drawn_ahead("normal", "f64")
        return ahead.one(position)

    def state(self) -> NDArray[np.uint32]:
        """All that `restore` needs: key, block number in four words, word of the block."""
        block, lane = divmod(self.position, 4)
        counter = (block & 0xFFFFFFFF, block >> 32, 0, 0)
        return np.array([*self._key, *counter, lane], np.uint32)

    def restore(self, state: NDArray[np.uint32]) -> bool:
        """Go back to a `state`; False where it is none."""
        words = [int(word) for word in state]
        if len(words) != STATE_WORDS or any(words[4:6]) or words[6] > 3 or words[3] >> 30:
            return False
        self._set((words[0], words[1]), (words[3] << 32 | words[2]) * 4 + words[6])
        return True


GENERATORS: dict[str, type[Twister] | type[Philox]] = {"twister": Twister, "philox": Philox}


class RandomStream:
    """A stream of random numbers.

    Attributes:
        kind: the generator's name as ``rng`` shows it.
        seed: the seed it was started with.
        one: draws a single uniform number.
        one_normal: draws a single number of the standard normal distribution.
        traced: whether draws of a few are reserved as those of many are: what is drawn is not asked
            for, but told to whoever runs the code ahead (`put_off`).
    """

    one: Callable[[], Any]
    one_normal: Callable[[], Any]
    traced: bool

    def __init__(self, kind: str = "philox", seed: int = 0) -> None:
        self.reseed(seed, kind)

    def reseed(self, seed: int, kind: str | None = None) -> None:
        """Start anew from a seed in [0, 2^32); with the current generator where none is named."""
        self._use(GENERATORS[kind or self.kind](seed), seed)

    def _use(self, generator: Twister | Philox, seed: int) -> None:
        self.seed = seed
        self.kind = generator.kind
        self.generator = generator
        self.one, self.one_normal = generator.one, generator.one_normal
        self.traced = False

    @property
    def lane(self) -> int:
        """Where in a block of four words the next number begins; zero where there are no blocks."""
        return self.generator.position & 3

    def put_off(self, single: Callable[[str], Any]) -> None:
        """Reserve draws of a few, too, until the stream is restored.

        Args:
            single: reserves one double of the distribution that it is told.
        """
        self.one, self.one_normal = partial(single, "uniform"), partial(single, "normal")
        self.traced = True

    def shuffle(self, kind: str | None = None) -> None:
        """Start from a seed that differs from call to call."""
        self.reseed(time.time_ns() // 1_000_000 % 2**32, kind)

    def reserve(self, distribution: str, dtype: str, count: int) -> Reservation | None:
        """Count a draw of `count` elements, to be made later from the key and position given.

        Args:
            distribution: ``uniform`` or ``normal``.
            dtype: ``f32`` or ``f64``.
            count: how many elements.

        Returns:
            None where the generator has no positions: then the numbers must be drawn at once.
        """
        generator = self.generator
        return (
            generator.reserve(distribution, dtype, count) if isinstance(generator, Philox) else None
        )

    def uniform(self, count: int, dtype: str = "f64") -> Floats:
        """`count` numbers in the open interval (0, 1), an array of their own."""
        return self.generator.uniform(count, dtype)

    def normal(self, count: int, dtype: str = "f64") -> Floats:
        """`count` numbers of the standard normal distribution, an array of their own."""
        return self.generator.normal(count, dtype)

    def permutation(self, count: int) -> NDArray[np.intp]:
        """Return the numbers below `count` in random order."""
        return _order(self.uniform(count))

    def state(self) -> NDArray[np.uint32]:
        """Return the words that `restore` goes back to."""
        return self.generator.state()

    def restore(self, kind: str, seed: int, state: NDArray[Any]) -> bool:
        """Go back to what was told by `kind`, `seed` and `state()`; False where `state` is none."""
        generator = GENERATORS[kind](seed)
        if not generator.restore(state.ravel().astype(np.uint32)):
            return False
        self._use(generator, seed)
        return True


def _order(draws: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the stable order of numbers from zero up to one.

    Numbers and places in one word each are sorted in a fraction of the time, where the leading bits
    of the numbers differ.
    """
    bits = draws.size.bit_length()
    if draws.size > _FEW and bits <= 24:
        words = (draws * 2.0 ** (63 - bits)).astype(np.int64) << bits
        words |= np.arange(draws.size)
        words.sort()
        order = words & ((1 << bits) - 1)
        words >>= bits
        if (words[1:] != words[:-1]).all():
            return order
    return np.argsort(draws, kind="stable")


class StreamHolder:
    """Holds the stream that a session draws from, which may be another one later.

    Attributes:
        stream: that stream.
    """

    __slots__ = ("stream",)

    def __init__(self, stream: RandomStream) -> None:
        self.stream = stream


def stream_holder(interp: Interp) -> StreamHolder:
    """Return what holds the stream of a session, at first that of the configuration."""
    return interp.state(
        "random stream", lambda: StreamHolder(RandomStream(interp.setting("language.rng")))
    )


def stream_of(interp: Interp) -> RandomStream:
    """Return the stream that a session draws from."""
    return stream_holder(interp).stream
