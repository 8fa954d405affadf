"""The random stream: Philox4x32-10 words and what elements are made of them.

The stream of a key (two 32-bit words) is a row of 32-bit words: word w is lane ``w % 4`` of block
``w // 4``, whose counter is (block low, block high, 0, 0). Element i of a draw at position p uses
words from p + i (single) or p + 2 i (double), so that it depends on nothing but key, p and i.

Words come from NumPy (5 ns each, measured) until many were drawn, and then from what another
provider offers (`offer`) or randomgen (2.6 ns) where it is installed; all give the same bits.

Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.tuples import NamedTuple
from runmat_inprocess.scratch import scratch

Key = tuple[int, int]

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
LOW = 0xFFFFFFFF

#: Blocks of four words that NumPy computes at a time: long enough for threads to run side by side,
#: and short enough to stay in cache.
NUMPY_BLOCKS = 1 << 15
#: Words that NumPy makes before a compiled generator is loaded: about as long as that takes.
PATIENCE = 1 << 25


def numpy_blocks(key: Key, low: Any, high: Any) -> Any:
    """Words of blocks with these counters (u64 arrays of one dimension): u32, (blocks, 4).

    The counters are destroyed. All lanes are 64 bits wide, because products are.
    """
    mask, shift = np.uint64(LOW), np.uint64(32)
    x0, x1 = low, high
    x2, x3, p, q = (scratch.get(f"lane {k}", low.size, np.uint64) for k in range(4))
    x2.fill(0)
    x3.fill(0)
    for k in range(ROUNDS):
        np.multiply(x0, np.uint64(MULTIPLIERS[0]), p)
        np.multiply(x2, np.uint64(MULTIPLIERS[1]), q)
        for product, lane, other, weyl in ((q, x0, x1, 0), (p, x2, x3, 1)):
            np.right_shift(product, shift, lane)
            np.bitwise_xor(lane, other, lane)
            np.bitwise_xor(lane, np.uint64((key[weyl] + k * WEYL[weyl]) & LOW), lane)
            np.bitwise_and(product, mask, other)
    words = np.empty((low.size, 4), np.uint32)
    for lane_number, x in enumerate((x0, x1, x2, x3)):
        words[:, lane_number] = x
    return words


def numpy_words(key: Key, block: int, out: Any) -> None:
    """Fill `out` (u32, whole blocks) with the words from a block on."""
    lanes = out.reshape(-1, 4)
    for start in range(0, len(lanes), NUMPY_BLOCKS):
        part = lanes[start : start + NUMPY_BLOCKS]
        counter = np.arange(block + start, block + start + len(part), dtype=np.uint64)
        part[...] = numpy_blocks(key, counter & np.uint64(LOW), counter >> np.uint64(32))


def randomgen_words() -> Callable[[Key, int, Any], None]:
    """Return the same from randomgen.

    Raises:
        ImportError: it is not installed.
    """
    from randomgen import Philox

    def words(key: Key, block: int, out: Any) -> None:
        # its counter is stepped before it is used
        counter = (block - 1) % (1 << 128)
        bits = Philox(key=key[0] | key[1] << 32, counter=counter, number=4, width=32)
        np.copyto(out, bits.random_raw(out.size), "unsafe")

    return words


BACKENDS: dict[str, Callable[[], Callable[[Key, int, Any], None]]] = {
    "randomgen": randomgen_words,
    "numpy": lambda: numpy_words,
}


class Direct(NamedTuple):
    """What makes uniforms without an array of words: ``function(key, word, *outs)``.

    Attributes:
        uniforms: by itemsize, fills an array from a word on; an even one for doubles.
        pairs: by itemsize, fills two arrays with every other uniform; from an even word on for
            singles, from whole blocks on for doubles.
    """

    uniforms: dict[int, Callable[..., None]]
    pairs: dict[int, Callable[..., None]]


DIRECT: dict[str, Callable[[], Direct]] = {}


def offer(
    name: str, words: Callable[[], Callable[[Key, int, Any], None]], direct: Callable[[], Direct]
) -> None:
    """Let a generator be the first that is tried when many words were drawn.

    Both functions raise ImportError where it cannot be had.
    """
    DIRECT[name] = direct
    rest = {other: load for other, load in BACKENDS.items() if other != name}
    BACKENDS.clear()
    BACKENDS.update({name: words, **rest})


class Words:
    """Makes words by NumPy first, and by the fastest generator installed once many were drawn.

    Attributes:
        direct: what makes uniforms without words, once it is ready.
    """

    def __init__(self, patience: int = PATIENCE) -> None:
        self._left = patience  # threads may lose a decrement, which only delays the change
        self._fill: Callable[[Key, int, Any], None] = numpy_words
        self.direct: Direct | None = None
        self._loading: threading.Thread | None = None
        self._lock = threading.Lock()

    def fill(self, key: Key, block: int, out: Any) -> None:
        """Fill `out` (u32, whole blocks) with the words from a block on."""
        if self._left > 0:
            self._left -= out.size
            if self._left <= 0:
                self.load()
        self._fill(key, block, out)

    def load(self, wait: bool = False) -> None:
        """Change to the fastest generator as soon as a thread of its own has made it ready."""
        with self._lock:
            if self._loading is None:
                self._left = 0
                # a worker that asks is a daemon; what it asks for is waited for at the end of the
                # process, which must not find it compiling
                self._loading = threading.Thread(
                    target=self._load, name="runmat-philox", daemon=False
                )
                self._loading.start()
        if wait:
            self._loading.join()

    def settle(self) -> None:
        """Wait for a generator that is being loaded.

        Importing holds the interpreter lock, so that computing meanwhile takes many times as long:
        what goes on drawing gains by a pause. What drew once does not have to wait.
        """
        loading = self._loading
        if loading is not None and loading.is_alive():
            loading.join()

    def _load(self) -> None:
        for name, load in BACKENDS.items():
            try:
                fill = load()
                fill((0, 0), 0, np.empty(4, np.uint32))
                direct = DIRECT[name]() if name in DIRECT else None
            except ImportError:
                continue
            self._fill, self.direct = fill, direct
            return


WORDS = Words()


def words_at(key: Key, first: int, count: int) -> Any:
    """`count` words of the stream from word `first` on, in memory used again by the next call."""
    block, skip = divmod(first, 4)
    size = -(-(skip + count) // 4) * 4
    words = scratch.get("words", size, np.uint32)
    WORDS.fill(key, block, words)
    return words[skip : skip + count]


# -- elements ------------------------------------------------------------------------------------

# A float in [1, 2) with the random bits as its fraction, less the largest float below 1: exact,
# and the fastest way there.
_BELOW_1_SINGLE = np.float32(1 - 2.0**-24)
_BELOW_1_DOUBLE = np.float64(1 - 2.0**-53)


def singles(words: Any, out: Any) -> Any:
    """(x >> 9) * 2^-23 + 2^-24 of each word; destroys the words."""
    np.right_shift(words, np.uint32(9), words)
    np.bitwise_or(words, np.uint32(0x3F800000), words)
    return np.subtract(words.view(np.float32), _BELOW_1_SINGLE, out)


def doubles(words: Any, out: Any) -> Any:
    """(x >> 12) * 2^-52 + 2^-53 of each pair of words, the low one first; destroys the words."""
    # little-endian pairs are 64-bit numbers as they stand
    pairs = words.view(np.uint64) if words.ctypes.data % 8 == 0 else words.copy().view(np.uint64)
    np.right_shift(pairs, np.uint64(12), pairs)
    np.bitwise_or(pairs, np.uint64(0x3FF0000000000000), pairs)
    return np.subtract(pairs.view(np.float64), _BELOW_1_DOUBLE, out)


def uniform_single(key: Key, position: int, first: int, out: Any) -> None:
    if (direct := WORDS.direct) is not None:
        direct.uniforms[4](key, position + first, out)
    else:
        singles(words_at(key, position + first, out.size), out)


def uniform_double(key: Key, position: int, first: int, out: Any) -> None:
    start = position + 2 * first
    if (direct := WORDS.direct) is not None:
        direct.uniforms[8](key, start, out)
    else:
        doubles(words_at(key, start, 2 * out.size), out)


def box_muller(radius: Any, angle: Any, out: Any) -> None:
    """Pairs of normals from pairs of uniforms, next to each other in `out`; destroys them."""
    kind = radius.dtype.type
    np.log(radius, radius)
    np.multiply(radius, kind(-2), radius)
    np.sqrt(radius, radius)
    other = scratch.get("other", angle.size, angle.dtype)
    if radius.dtype == np.float32:
        np.multiply(angle, kind(2 * np.pi), angle)
        np.multiply(np.cos(angle, other), radius, out[0::2])
        np.multiply(np.sin(angle, angle), radius, out[1::2])
        return
    # NumPy's tangent of doubles is seven times as fast as its sine, and with t = tan(angle / 2)
    # the cosine is (1 - t)(1 + t) / (1 + t^2) and the sine 2 t / (1 + t^2)
    np.multiply(angle, np.pi, angle)
    np.tan(angle, angle)
    np.multiply(angle, angle, other)
    np.add(other, 1, other)
    np.divide(radius, other, radius)
    np.subtract(1, angle, other)
    np.multiply(other, radius, other)
    np.multiply(radius, angle, radius)
    np.add(angle, 1, angle)
    np.multiply(other, angle, out[0::2])
    np.multiply(radius, 2, out[1::2])


def _normals(key: Key, start: int, width: int, skip: int, out: Any) -> None:
    """Return normals of uniforms from word `start` on, where pairs begin, without the first `skip`.

    Args:
        width: words of a uniform.
    """
    count = -(-(skip + out.size) // 2) * 2
    half, dtype = count // 2, out.dtype
    radius = scratch.get("radius", half, dtype)
    angle = scratch.get("angle", half, dtype)
    if (direct := WORDS.direct) is not None:
        direct.pairs[dtype.itemsize](key, start, radius, angle)
    else:
        uniforms = scratch.get("uniforms", count, dtype)
        (singles if width == 1 else doubles)(words_at(key, start, width * count), uniforms)
        np.copyto(radius, uniforms[0::2])
        np.copyto(angle, uniforms[1::2])
    if skip == 0 and out.size == count:
        box_muller(radius, angle, out)
        return
    whole = scratch.get("uniforms", count, dtype)
    box_muller(radius, angle, whole)
    np.copyto(out, whole[skip : skip + out.size])


def normal_single(key: Key, position: int, first: int, out: Any) -> None:
    start = position + first
    skip = start % 2
    _normals(key, start - skip, 1, skip, out)


def normal_double(key: Key, position: int, first: int, out: Any) -> None:
    start = position + 2 * first
    skip = start % 4 // 2
    _normals(key, start - 2 * skip, 2, skip, out)


class Draw:
    """Elements of one distribution and type.

    Calling it fills `out` (one dimension, contiguous) with elements `first` on of the draw at a
    position; `at` takes any elements, by number.
    """

    def __init__(self, distribution: str, dtype: str) -> None:
        self.normal = distribution == "normal"
        self.single = dtype == "f32"
        self._fill = {
            ("uniform", "f32"): uniform_single,
            ("uniform", "f64"): uniform_double,
            ("normal", "f32"): normal_single,
            ("normal", "f64"): normal_double,
        }[distribution, dtype]

    def __call__(self, key: Key, position: int, first: int, out: Any) -> None:
        self._fill(key, position, first, out)

    def at(self, key: Key, position: int, numbers: Any) -> Any:
        """Elements with these numbers (i64, one dimension)."""
        width = 1 if self.single else 2
        start = numbers.astype(np.uint64) * np.uint64(width) + np.uint64(position)
        if not self.normal:
            return self._uniforms(key, start)
        # a pair of uniforms makes the normals of two elements
        span = np.uint64(2 * width)
        group = start // span * span
        radius, angle = self._uniforms(key, group), self._uniforms(key, group + np.uint64(width))
        both = np.empty(2 * start.size, radius.dtype)
        box_muller(radius, angle, both)
        return np.where(start % span == 0, both[0::2], both[1::2])

    def _uniforms(self, key: Key, start: Any) -> Any:
        """Uniforms whose words start there; pairs of words never straddle a block."""
        block, four = start // np.uint64(4), np.uint64(4)
        lanes = numpy_blocks(key, block & np.uint64(LOW), block >> np.uint64(32))
        lane = (start % four).astype(np.int64)[:, None]
        width = 1 if self.single else 2
        words = np.take_along_axis(lanes, lane + np.arange(width), 1).reshape(-1)
        if self.single:
            return singles(words, np.empty(start.size, np.float32))
        return doubles(words, np.empty(start.size, np.float64))


#: What draws elements of a distribution and type.
DRAW = {
    (distribution, dtype): Draw(distribution, dtype)
    for distribution in ("uniform", "normal")
    for dtype in ("f32", "f64")
}
