"""Filters: design after analogue prototypes, and filtering."""

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

_BANDS = {"low": "lowpass", "high": "highpass", "bandpass": "bandpass", "stop": "bandstop"}


def _design(name: str, args: tuple[Any, ...], ripples: int, nargout: int) -> Any:
    """A filter of order N with `ripples` numbers before the edge frequencies."""
    import scipy.signal

    plain, words = split(args)
    if len(plain) != 2 + ripples:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    order = integer(plain[0], name, "N", 1)
    if order > 500:
        raise MatlabError(f"signal:{name}:OrderTooLarge", "N must be at most 500.")
    decibels = [scalar(p, name, "Ripple") for p in plain[1:-1]]
    edges = real(plain[-1], name).ravel().astype(np.float64)
    analog = "s" in words
    kinds = [w for w in words if w not in {"s", "z"}]
    if edges.size not in (1, 2) or not (edges > 0).all() or (not analog and (edges >= 1).any()):
        raise MatlabError(
            f"signal:{name}:freqsMustBeWithin0And1" if not analog else f"signal:{name}:freqs",
            "The cutoff frequencies must be within the interval of (0,1)."
            if not analog
            else "The cutoff frequencies must be positive.",
        )
    kind = one_of(kinds[0], tuple(_BANDS), name) if kinds else ("low", "bandpass")[edges.size - 1]
    if (kind in {"low", "high"}) != (edges.size == 1):
        raise MatlabError(f"signal:{name}:WnSize", "The filter type does not fit the frequencies.")
    if edges.size == 2 and not edges[0] < edges[1]:
        raise MatlabError(f"signal:{name}:WnOrder", "The frequencies must increase.")
    if any(d <= 0 for d in decibels):
        raise MatlabError(f"signal:{name}:Ripple", "Ripple and attenuation must be positive.")
    rule = getattr(scipy.signal, name)
    wanted = edges if edges.size == 2 else edges[0]
    z, p, k = rule(order, *decibels, wanted, btype=_BANDS[kind], analog=analog, output="zpk")
    if nargout > 2:
        return z.reshape(-1, 1), p.reshape(-1, 1), float(k)
    b, a = scipy.signal.zpk2tf(z, p, k)
    b = np.concatenate([np.zeros(a.size - b.size), b])  # in the length of the denominator
    return b.reshape(1, -1), a.reshape(1, -1)


@builtin(
    "butter", family="signal/filters", lift="arrays", nargin=(2, 4), nargout=3, needs=("nargout",)
)
def butter(*args: Any, nargout: int) -> Any:
    """Butterworth filter.

    [B, A] = butter(N, WN) is a lowpass filter, a bandpass filter of order 2N for two frequencies;
    WN is in units of half the sampling frequency
    [B, A] = butter(N, WN, TYPE) with "low", "high", "bandpass" or "stop"
    [Z, P, K] = butter(…) gives zeros, poles and gain; butter(…, "s") an analogue filter

    Examples:
        >> [b, a] = butter(1, 0.5)
        b =
            0.5000    0.5000
        a =
            1.0000   -0.0000

    See also: cheby1, cheby2, ellip, filtfilt, freqz.
    """
    return _design("butter", args, 0, nargout)


@builtin(
    "cheby1", family="signal/filters", lift="arrays", nargin=(3, 5), nargout=3, needs=("nargout",)
)
def cheby1(*args: Any, nargout: int) -> Any:
    """Chebyshev filter of type I, with ripples in the passband.

    [B, A] = cheby1(N, RP, WP) with RP decibels of ripple; other forms as in butter

    Examples:
        >> b = cheby1(1, 3, 0.5)
        b =
            0.5006    0.5006

    See also: butter, cheby2, ellip.
    """
    return _design("cheby1", args, 1, nargout)


@builtin(
    "cheby2", family="signal/filters", lift="arrays", nargin=(3, 5), nargout=3, needs=("nargout",)
)
def cheby2(*args: Any, nargout: int) -> Any:
    """Chebyshev filter of type II, with ripples in the stopband.

    [B, A] = cheby2(N, RS, WS) with RS decibels of attenuation; other forms as in butter

    Examples:
        >> size(cheby2(4, 40, 0.5))
        ans =
             1     5

    See also: butter, cheby1, ellip.
    """
    return _design("cheby2", args, 1, nargout)


@builtin(
    "ellip", family="signal/filters", lift="arrays", nargin=(4, 6), nargout=3, needs=("nargout",)
)
def ellip(*args: Any, nargout: int) -> Any:
    """Elliptic filter, with ripples in passband and stopband.

    [B, A] = ellip(N, RP, RS, WP) with RP decibels of ripple and RS of attenuation; other forms as
    in butter

    Examples:
        >> size(ellip(3, 1, 40, [0.2 0.4]))
        ans =
             1     7

    See also: butter, cheby1, cheby2.
    """
    return _design("ellip", args, 2, nargout)


# -- filtering -----------------------------------------------------------------------------------


def zero_phase(b: Data, a: Data, x: Data, axis: int) -> Data:
    """Filtering forwards and backwards, the ends continued by odd reflections."""
    from scipy.signal import filtfilt as both_ways

    order = max(b.size, a.size)
    reach = max(1, 3 * (order - 1))
    if x.shape[axis] <= reach:
        raise MatlabError(
            "signal:filtfilt:InvalidDimensionsDataShortForFiltOrder",
            f"Data length must be larger than {reach} samples.",
        )
    if order == 1:
        return np.asarray((b[0] / a[0]) ** 2 * x)
    return np.asarray(both_ways(b, a, x, axis=axis, padtype="odd", padlen=reach))


@builtin("filtfilt", family="signal/filters", lift="arrays", effects="pure")
def filtfilt(b: Any, a: Any, x: Any) -> Data:
    """Filtering without delay: forwards, then backwards.

    Y = filtfilt(B, A, X) along the first dimension whose extent is not one

    The data are continued at both ends by 3*(max(length(A), length(B)) - 1) reflected samples.

    Examples:
        >> filtfilt([1 1]/2, 1, [1 2 3 4 5])
        ans =
             1     2     3     4     5

    See also: filter, butter, sosfilt.
    """
    numerator, denominator = vector(b, "filtfilt"), vector(a, "filtfilt")
    data = floating(x, "filtfilt")
    if not numerator.size or not denominator.size or denominator[0] == 0:
        raise MatlabError(
            "signal:filtfilt:InvalidCoefficients", "A(1) and the coefficients must not be zero."
        )
    return like(zero_phase(numerator, denominator, data, first_axis(data)), data)


@builtin("sosfilt", family="signal/filters", lift="arrays", effects="pure")
def sosfilt(sos: Any, x: Any, dim: Any = None) -> Data:
    """Filtering by second-order sections.

    Y = sosfilt(SOS, X), Y = sosfilt(SOS, X, DIM); each row of SOS is [B0 B1 B2 A0 A1 A2]

    Examples:
        >> sosfilt([1 1 0 1 0 0], [1 2 3])
        ans =
             1     3     5

    See also: filter, filtfilt, butter.
    """
    from scipy.signal import sosfilt as sections

    rows, data = real(sos, "sosfilt"), floating(x, "sosfilt")
    if rows.ndim != 2 or rows.shape[1] != 6 or (rows[:, 3] == 0).any():
        raise MatlabError("signal:sosfilt:InvalidSOS", "SOS must have six columns, A0 not zero.")
    axis = integer(dim, "sosfilt", "DIM", 1) - 1 if given(dim) else first_axis(data)
    if axis >= data.ndim:
        raise MatlabError("signal:sosfilt:InvalidDimensions", "DIM is beyond the dimensions of X.")
    scaled = np.ascontiguousarray(rows / rows[:, 3:4], np.float64)
    return like(np.asarray(sections(scaled, data, axis=axis)), data)


@builtin(
    "freqz", family="signal/filters", lift="arrays", nargin=(1, 5), nargout=2, needs=("nargout",)
)
def freqz(b: Any, *args: Any, nargout: int) -> Any:
    """Frequency response of a digital filter.

    [H, W] = freqz(B, A) at 512 frequencies from 0 to pi, freqz(B, A, N), freqz(B, A, N, "whole")
    H = freqz(B, A, W) at the frequencies W in radians for a sample
    [H, F] = freqz(B, A, N, FS), freqz(B, A, F, FS) with frequencies in Hz

    Examples:
        >> freqz([1 1], 1, [0 pi/2])
        ans =
           2.0000 + 0.0000i   1.0000 - 1.0000i

    See also: butter, filter, fft.
    """
    plain, words = split(args)
    whole = bool(words) and one_of(words[0], ("whole", "half"), "freqz") == "whole"
    numerator = vector(b, "freqz")
    denominator = vector(plain[0], "freqz") if plain and given(plain[0]) else np.ones(1)
    points = plain[1] if len(plain) > 1 and given(plain[1]) else np.full((1, 1), 512.0)
    rate = scalar(plain[2], "freqz", "FS") if len(plain) > 2 and given(plain[2]) else 2 * np.pi
    if points.size == 1:
        count = integer(points, "freqz", "N", 1)
        f = (np.arange(count) * (rate if whole else rate / 2) / count).reshape(-1, 1)
    else:
        f = real(points, "freqz").astype(np.float64)
    z = np.exp(-2j * np.pi * f / rate)
    h = np.polyval(numerator[::-1], z) / np.polyval(denominator[::-1], z)
    return (h, f) if nargout > 1 else h


@builtin("medfilt1", family="signal/filters", lift="arrays", nargin=(1, 6), effects="pure")
def medfilt1(x: Any, *args: Any) -> Data:
    """Moving median filter.

    Y = medfilt1(X) of order 3, Y = medfilt1(X, N), Y = medfilt1(X, N, [], DIM)
    Y = medfilt1(…, "zeropad") takes zeros beyond the ends, "truncate" shorter windows
    Y = medfilt1(…, "omitnan")

    Examples:
        >> medfilt1([1 9 2 3])
        ans =
             1     2     3     2

    See also: movmedian, sgolayfilt.
    """
    a = real(x, "medfilt1")
    plain, words = split(args)
    flags = [one_of(w, ("zeropad", "truncate", "omitnan", "includenan"), "medfilt1") for w in words]
    order = integer(plain[0], "medfilt1", "N", 1) if plain and given(plain[0]) else 3
    dim = plain[2] if len(plain) > 2 else None
    axis = integer(dim, "medfilt1", "DIM", 1) - 1 if given(dim) else first_axis(a)
    if axis >= a.ndim or not a.size:
        return a.copy()
    filler = np.nan if "truncate" in flags else 0.0
    before, after = order // 2, (order - 1) // 2
    lines = np.moveaxis(a, axis, -1)
    ends = [np.full((*lines.shape[:-1], n), filler, a.dtype) for n in (before, after)]
    windows = np.lib.stride_tricks.sliding_window_view(
        np.concatenate([ends[0], lines, ends[1]], axis=-1), order, axis=-1
    )
    hidden = np.isnan(lines)
    if hidden.any() and "omitnan" not in flags:
        wide = [np.zeros((*lines.shape[:-1], n), np.bool_) for n in (before, after)]
        around = np.concatenate([wide[0], hidden, wide[1]], axis=-1)
        gone = np.lib.stride_tricks.sliding_window_view(around, order, axis=-1).any(axis=-1)
    else:
        gone = np.zeros(lines.shape, np.bool_)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a window of NaN alone
        middle = np.nanmedian(windows, axis=-1)
    return np.moveaxis(np.where(gone, np.nan, middle).astype(a.dtype), -1, axis)


@builtin("sgolayfilt", family="signal/filters", lift="arrays", nargin=(3, 5), effects="pure")
def sgolayfilt(x: Any, order: Any, frame: Any, weights: Any = None, dim: Any = None) -> Data:
    """Savitzky-Golay filter: polynomials fitted to moving frames.

    Y = sgolayfilt(X, ORDER, FRAMELEN), Y = sgolayfilt(X, ORDER, FRAMELEN, [], DIM)

    At the ends the polynomials of the first and last frame go on.

    Examples:
        >> round(sgolayfilt([1 4 9 16 25], 2, 3))
        ans =
             1     4     9    16    25

    See also: medfilt1, movmean, filtfilt.
    """
    from scipy.signal import savgol_filter

    a = real(x, "sgolayfilt")
    degree, width = integer(order, "sgolayfilt", "ORDER"), integer(frame, "sgolayfilt", "FRAMELEN")
    if given(weights):
        raise MatlabError("signal:sgolayfilt:Weights", "Weights are not supported.")
    axis = integer(dim, "sgolayfilt", "DIM", 1) - 1 if given(dim) else first_axis(a)
    if width % 2 == 0:
        raise MatlabError("signal:sgolayfilt:MustBeOddFrameLength", "Frame length must be odd.")
    if degree >= width:
        raise MatlabError(
            "signal:sgolayfilt:InvalidRange", "The order must be less than the frame length."
        )
    if axis >= a.ndim or a.shape[axis] < width:
        raise MatlabError(
            "signal:sgolayfilt:InvalidDimensionsTooSmall", "The frame is longer than the data."
        )
    return like(np.asarray(savgol_filter(a, width, degree, axis=axis, mode="interp")), a)
