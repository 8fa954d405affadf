"""Power spectra, short-time transforms, analytic signals."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_signal.arguments import (
    Data,
    first_axis,
    floating,
    given,
    integer,
    like,
    one_of,
    real,
    scalar,
    split,
    vector,
)
from runmat_signal.windows import hamming_window


def _columns(value: Any, name: str) -> Data:
    """The signals as columns: a vector is one of them."""
    a = floating(value, name)
    if a.ndim > 2 or not a.size:
        raise MatlabError(f"signal:{name}:invalidInput", "X must be a vector or a matrix.")
    return a.reshape(-1, 1) if a.shape[0] == 1 else a


def _power_of_two(count: int) -> int:
    return 1 << max(count - 1, 0).bit_length()


def _transform(frames: Data, points: int) -> Data:
    """The transform along the first axis; longer frames are wrapped to `points`."""
    count = frames.shape[0]
    if count > points:
        pad = -count % points
        frames = np.concatenate([frames, np.zeros((pad, *frames.shape[1:]), frames.dtype)])
        frames = frames.reshape(-1, points, *frames.shape[1:]).sum(axis=0)
    return np.fft.fft(frames, n=points, axis=0)


def _sided(power: Data, points: int, rate: float, sides: str) -> tuple[Data, Data]:
    """The part of a spectrum that is asked for, with its frequencies as a column."""
    f = np.arange(points) * (rate / points)
    if sides == "onesided":
        kept = points // 2 + 1
        power = power[:kept].copy()
        last = kept - 1 if points % 2 == 0 else kept
        power[1:last] *= 2
        f = f[:kept]
    elif sides == "centered":
        start = points // 2 - (points % 2 == 0)
        power = np.roll(power, start, axis=0)
        f = (np.arange(points) - start) * (rate / points)
    return power, f.reshape(-1, 1)


class _Request:
    """Rate, number of points, sides and kind of a spectrum, read from what follows the window."""

    def __init__(self, name: str, plain: list[Any], words: list[str], x: Data, count: int) -> None:
        words = [
            one_of(w, ("onesided", "twosided", "centered", "psd", "power"), name) for w in words
        ]
        kinds = [w for w in words if w in {"psd", "power"}]
        sides = [w for w in words if w not in {"psd", "power"}]
        self.power = bool(kinds) and kinds[-1] == "power"
        self.sides = sides[-1] if sides else "onesided" if x.dtype.kind != "c" else "twosided"
        if self.sides == "onesided" and x.dtype.kind == "c":
            raise MatlabError(f"signal:{name}:ComplexInput", "One-sided spectra are of real data.")
        points: Any = plain[0] if plain else None
        if given(points) and points.size > 1:
            raise MatlabError(
                f"signal:{name}:Frequencies", "Vectors of frequencies are not supported."
            )
        self.points = (
            integer(points, name, "NFFT", 1) if given(points) else max(256, _power_of_two(count))
        )
        self.has_rate = len(plain) > 1
        rate = plain[1] if len(plain) > 1 else None
        self.rate = (
            scalar(rate, name, "FS") if given(rate) else (1.0 if self.has_rate else 2 * np.pi)
        )

    def scaled(self, squares: Data, window: Data) -> Data:
        """Squared magnitudes as densities or as powers."""
        if self.power:
            return np.asarray(squares / np.sum(window) ** 2)
        return np.asarray(squares / (self.rate * np.sum(window**2)))


@builtin(
    "periodogram",
    family="signal/spectra",
    lift="arrays",
    nargin=(1, 7),
    nargout=2,
    needs=("nargout",),
)
def periodogram(x: Any, *args: Any, nargout: int) -> Any:
    """Power spectral density by one transform.

    [PXX, W] = periodogram(X), periodogram(X, WINDOW), periodogram(X, WINDOW, NFFT)
    [PXX, F] = periodogram(X, WINDOW, NFFT, FS) with frequencies in Hz
    periodogram(…, "twosided" or "centered"), periodogram(…, "power")

    Examples:
        >> periodogram([1 0 0 0], [], 4, 1)'
        ans =
            0.2500    0.5000    0.2500

    See also: pwelch, spectrogram, fft.
    """
    a = _columns(x, "periodogram")
    plain, words = split(args)
    window = vector(plain[0], "periodogram") if plain and given(plain[0]) else np.ones(a.shape[0])
    if window.size != a.shape[0]:
        raise MatlabError(
            "signal:periodogram:InvalidWindow", "The window must be as long as the data."
        )
    request = _Request("periodogram", plain[1:], words, a, a.shape[0])
    spectrum = _transform(a * window[:, None], request.points)
    power = request.scaled(np.abs(spectrum) ** 2, window)
    power, f = _sided(power, request.points, request.rate, request.sides)
    return (like(power, a), f) if nargout > 1 else like(power, a)


def _segments(name: str, plain: list[Any], count: int) -> tuple[Data, int]:
    """The window and the overlap of segments, eight of them by default."""
    window: Any = plain[0] if plain else None
    if not given(window):
        w = hamming_window(max(int(count / 4.5), 1))
    elif window.size == 1:
        w = hamming_window(integer(window, name, "WINDOW", 1))
    else:
        w = vector(window, name)
    overlap = plain[1] if len(plain) > 1 else None
    shared = integer(overlap, name, "NOVERLAP") if given(overlap) else w.size // 2
    if shared >= w.size:
        raise MatlabError(
            f"signal:{name}:NoverlapTooBig",
            "The number of samples to overlap must be less than the length of the segments.",
        )
    if w.size > count:
        raise MatlabError(
            f"signal:{name}:invalidSegmentLength",
            "The length of the segments cannot be greater than the length of the input signal.",
        )
    return w, shared


def _frames(x: Data, width: int, shared: int) -> Data:
    """Segments of a signal as columns (width x segments x signals)."""
    step = width - shared
    starts = np.arange((x.shape[0] - shared) // step) * step
    return np.asarray(x[np.arange(width)[:, None] + starts[None, :]])


@builtin(
    "pwelch", family="signal/spectra", lift="arrays", nargin=(1, 7), nargout=2, needs=("nargout",)
)
def pwelch(x: Any, *args: Any, nargout: int) -> Any:
    """Power spectral density by Welch's method: the mean over overlapping segments.

    [PXX, W] = pwelch(X) with eight Hamming windows that overlap by half
    [PXX, W] = pwelch(X, WINDOW, NOVERLAP, NFFT), WINDOW may be a length
    [PXX, F] = pwelch(X, WINDOW, NOVERLAP, NFFT, FS) with frequencies in Hz
    pwelch(…, "twosided" or "centered"), pwelch(…, "power")

    Examples:
        >> pwelch([1 0 0 0 1 0 0 0], ones(1, 4), 0, 4, 1)'
        ans =
            0.2500    0.5000    0.2500

    See also: periodogram, spectrogram, hamming.
    """
    a = _columns(x, "pwelch")
    plain, words = split(args)
    window, shared = _segments("pwelch", plain, a.shape[0])
    request = _Request("pwelch", plain[2:], words, a, window.size)
    frames = _frames(a, window.size, shared) * window[:, None, None]
    squares = (np.abs(_transform(frames, request.points)) ** 2).mean(axis=1)
    power = request.scaled(squares, window)
    power, f = _sided(power, request.points, request.rate, request.sides)
    return (like(power, a), f) if nargout > 1 else like(power, a)


@builtin(
    "spectrogram",
    family="signal/spectra",
    lift="arrays",
    nargin=(1, 7),
    nargout=4,
    needs=("nargout",),
)
def spectrogram(x: Any, *args: Any, nargout: int) -> Any:
    """Short-time Fourier transform.

    S = spectrogram(X), S = spectrogram(X, WINDOW, NOVERLAP, NFFT)
    [S, W, T] = spectrogram(…): frequencies in radians for a sample, times in samples
    [S, F, T, PS] = spectrogram(X, WINDOW, NOVERLAP, NFFT, FS) in Hz and seconds, with the power
    spectral density of each segment

    Examples:
        >> spectrogram([1 0 0 0 1 0 0 0], ones(1, 4), 0, 4)
        ans =
             1     1
             1     1
             1     1

    See also: pwelch, periodogram, fft.
    """
    a = vector(x, "spectrogram").reshape(-1, 1)
    if not a.size:
        raise MatlabError("signal:spectrogram:invalidInput", "X must not be empty.")
    plain, words = split(args)
    window, shared = _segments("spectrogram", plain, a.shape[0])
    request = _Request("spectrogram", plain[2:], words, a, window.size)
    frames = _frames(a, window.size, shared)[..., 0] * window[:, None]
    s = _transform(frames, request.points)
    density = request.scaled(np.abs(s) ** 2, window)
    density, f = _sided(density, request.points, request.rate, request.sides)
    if request.sides == "onesided":
        s = s[: f.size]
    elif request.sides == "centered":
        s = np.roll(s, request.points // 2 - (request.points % 2 == 0), axis=0)
    middle = np.arange(frames.shape[1]) * (window.size - shared) + window.size / 2
    t = (middle / (request.rate if request.has_rate else 1.0)).reshape(1, -1)
    s = s.real if a.dtype.kind != "c" and not s.imag.any() else s
    return (like(s, a), f, t, like(density, a))[: max(nargout, 1)] if nargout > 1 else like(s, a)


@builtin("hilbert", family="signal/spectra", lift="arrays", effects="pure")
def hilbert(x: Any, n: Any = None) -> Data:
    """Analytic signal, whose imaginary part is the Hilbert transform.

    Z = hilbert(X), Z = hilbert(X, N) pads or cuts to N points

    Examples:
        >> hilbert([1 0 -1 0])
        ans =
           1.0000 + 0.0000i   0.0000 + 1.0000i  -1.0000 + 0.0000i   0.0000 - 1.0000i

    See also: fft, ifft.
    """
    a = real(x, "hilbert")
    axis = first_axis(a)
    count = integer(n, "hilbert", "N", 1) if given(n) else a.shape[axis]
    if not a.size:
        return np.zeros(a.shape)
    spectrum = np.fft.fft(a, n=count, axis=axis)
    weights = np.zeros(count)
    weights[0] = 1
    weights[1 : (count + 1) // 2] = 2
    if count % 2 == 0:
        weights[count // 2] = 1
    shape = [count if k == axis else 1 for k in range(a.ndim)]
    return like(np.fft.ifft(spectrum * weights.reshape(shape), axis=axis), a)
