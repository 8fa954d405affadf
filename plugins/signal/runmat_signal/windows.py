"""Windows, as columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_signal.arguments import Data, given, one_of, scalar


def length(value: Any, name: str) -> int:
    """The length of a window, rounded to an integer as MATLAB does."""
    number = scalar(value, name, "Length")
    if not 0 <= number < 2**40:
        raise MatlabError(f"signal:{name}:invalidLength", "The length must not be negative.")
    return int(np.floor(number + 0.5))


def _made(count: int, rule: Callable[[Data], Data], periodic: bool = False) -> Data:
    """`rule` of the positions from 0 to 1, mirrored so that both halves agree to the last bit."""
    if count < 2:
        return np.ones((count, 1))
    steps = count + 1 if periodic else count
    half = rule(np.arange((steps + 1) // 2) / (steps - 1))
    window = np.concatenate([half, half[: steps // 2][::-1]])
    return window[:count].reshape(-1, 1)


def _cosines(*weights: float) -> Callable[[Data], Data]:
    def rule(t: Data) -> Data:
        total = np.full(t.shape, weights[0])
        for k, weight in enumerate(weights[1:], 1):
            total = total + weight * np.cos(2 * np.pi * k * t)
        return total

    return rule


HAMMING = _cosines(0.54, -0.46)


def hamming_window(count: int) -> Data:
    """The window that spectra are made with, as a vector."""
    return _made(count, HAMMING).ravel()


def _flagged(name: str, n: Any, flag: Any, rule: Callable[[Data], Data]) -> Data:
    word = one_of(flag, ("symmetric", "periodic"), name) if flag is not None else "symmetric"
    return _made(length(n, name), rule, word == "periodic")


@builtin("hann", family="signal/windows", lift="arrays", effects="pure")
def hann(n: Any, flag: Any = None) -> Data:
    """Hann (raised cosine) window.

    W = hann(L), W = hann(L, "periodic") for spectral analysis

    Examples:
        >> hann(5)'
        ans =
                 0    0.5000    1.0000    0.5000         0

    See also: hanning, hamming, blackman.
    """
    return _flagged("hann", n, flag, _cosines(0.5, -0.5))


@builtin("hanning", family="signal/windows", lift="arrays", effects="pure")
def hanning(n: Any, flag: Any = None) -> Data:
    """Hann window without the zeros at its ends.

    W = hanning(N), W = hanning(N, "periodic")

    Examples:
        >> hanning(3)'
        ans =
            0.5000    1.0000    0.5000

    See also: hann, hamming.
    """
    count = length(n, "hanning")
    word = one_of(flag, ("symmetric", "periodic"), "hanning") if flag is not None else "symmetric"
    if word == "periodic":
        return _made(count, _cosines(0.5, -0.5), True)
    return _made(count + 2, _cosines(0.5, -0.5))[1:-1]


@builtin("hamming", family="signal/windows", lift="arrays", effects="pure")
def hamming(n: Any, flag: Any = None) -> Data:
    """Hamming window.

    W = hamming(L), W = hamming(L, "periodic")

    Examples:
        >> hamming(3)'
        ans =
            0.0800    1.0000    0.0800

    See also: hann, blackman, kaiser.
    """
    return _flagged("hamming", n, flag, HAMMING)


@builtin("blackman", family="signal/windows", lift="arrays", effects="pure")
def blackman(n: Any, flag: Any = None) -> Data:
    """Blackman window.

    W = blackman(L), W = blackman(L, "periodic")

    Examples:
        >> round(blackman(5)', 2)
        ans =
                 0    0.3400    1.0000    0.3400         0

    See also: blackmanharris, hann, hamming.
    """
    return _flagged("blackman", n, flag, _cosines(0.42, -0.5, 0.08))


@builtin("blackmanharris", family="signal/windows", lift="arrays", effects="pure")
def blackmanharris(n: Any, flag: Any = None) -> Data:
    """Blackman-Harris window of four terms.

    W = blackmanharris(N), W = blackmanharris(N, "periodic")

    Examples:
        >> blackmanharris(3)'
        ans =
            0.0001    1.0000    0.0001

    See also: blackman, flattopwin.
    """
    return _flagged("blackmanharris", n, flag, _cosines(0.35875, -0.48829, 0.14128, -0.01168))


@builtin("flattopwin", family="signal/windows", lift="arrays", effects="pure")
def flattopwin(n: Any, flag: Any = None) -> Data:
    """Flat top window, for amplitudes.

    W = flattopwin(L), W = flattopwin(L, "periodic")

    Examples:
        >> flattopwin(3)'
        ans =
           -0.0004    1.0000   -0.0004

    See also: blackmanharris, hann.
    """
    rule = _cosines(0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368)
    return _flagged("flattopwin", n, flag, rule)


@builtin("bartlett", family="signal/windows", lift="arrays", effects="pure")
def bartlett(n: Any) -> Data:
    """Bartlett window: a triangle with zeros at its ends.

    W = bartlett(L)

    Examples:
        >> bartlett(5)'
        ans =
                 0    0.5000    1.0000    0.5000         0

    See also: triang, hann.
    """
    return _made(length(n, "bartlett"), lambda t: 2 * t)


@builtin("triang", family="signal/windows", lift="arrays", effects="pure")
def triang(n: Any) -> Data:
    """Triangular window, without zeros at its ends.

    W = triang(L)

    Examples:
        >> triang(3)'
        ans =
            0.5000    1.0000    0.5000

    See also: bartlett, hann.
    """
    count = length(n, "triang")
    k = np.arange(1, count + 1)
    k = np.minimum(k, count + 1 - k)
    return ((2 * k - 1 + count % 2) / (count + count % 2)).reshape(-1, 1)


@builtin("rectwin", family="signal/windows", lift="arrays", effects="pure")
def rectwin(n: Any) -> Data:
    """Rectangular window.

    W = rectwin(L)

    Examples:
        >> rectwin(3)'
        ans =
             1     1     1

    See also: triang, hann.
    """
    return np.ones((length(n, "rectwin"), 1))


@builtin("kaiser", family="signal/windows", lift="arrays", effects="pure")
def kaiser(n: Any, beta: Any = None) -> Data:
    """Kaiser window.

    W = kaiser(L, BETA); BETA is 0.5 by default

    Examples:
        >> kaiser(3, 5)'
        ans =
            0.0367    1.0000    0.0367

    See also: hamming, gausswin.
    """
    from scipy.special import i0

    shape = scalar(beta, "kaiser", "BETA") if given(beta) else 0.5
    return _made(
        length(n, "kaiser"), lambda t: i0(abs(shape) * np.sqrt(4 * t * (1 - t))) / i0(abs(shape))
    )


@builtin("gausswin", family="signal/windows", lift="arrays", effects="pure")
def gausswin(n: Any, alpha: Any = None) -> Data:
    """Gaussian window.

    W = gausswin(L, ALPHA) has standard deviation (L-1)/(2*ALPHA); ALPHA is 2.5 by default

    Examples:
        >> gausswin(3)'
        ans =
            0.0439    1.0000    0.0439

    See also: kaiser, tukeywin.
    """
    shape = scalar(alpha, "gausswin", "ALPHA") if given(alpha) else 2.5
    return _made(length(n, "gausswin"), lambda t: np.exp(-0.5 * (shape * (2 * t - 1)) ** 2))


@builtin("tukeywin", family="signal/windows", lift="arrays", effects="pure")
def tukeywin(n: Any, ratio: Any = None) -> Data:
    """Tukey window: a rectangle with cosine edges.

    W = tukeywin(L, R) with the share R of its length for both edges; R is 0.5 by default

    Examples:
        >> tukeywin(5, 1)'
        ans =
                 0    0.5000    1.0000    0.5000         0

    See also: hann, rectwin.
    """
    share = scalar(ratio, "tukeywin", "R") if given(ratio) else 0.5
    if share <= 0:
        return np.ones((length(n, "tukeywin"), 1))
    share = min(share, 1.0)

    def rule(t: Data) -> Data:
        edge = 0.5 * (1 + np.cos(2 * np.pi / share * (t - share / 2)))
        return np.where(t < share / 2, edge, 1.0)

    return _made(length(n, "tukeywin"), rule)
