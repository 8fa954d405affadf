"""Correlation, and changes of the sampling rate."""

from __future__ import annotations

from math import gcd
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
    scalar,
    split,
    vector,
)
from runmat_signal.filters import zero_phase

_SCALES = ("none", "biased", "unbiased", "normalized", "coeff")


def _correlated(x: Data, y: Data) -> Data:
    """Sums of x(n + m) conj(y(n)) for two vectors of one length and all lags m."""
    from scipy.signal import correlate

    method = "direct" if x.size <= 256 else "auto"
    return np.asarray(correlate(x, y, mode="full", method=method))


def _correlation(name: str, args: tuple[Any, ...], centred: bool, nargout: int) -> Any:
    plain, words = split(args)
    scale = one_of(words[0], _SCALES, name) if words else "none"
    x = floating(plain[0], name)
    if x.ndim > 2 or not x.size:
        raise MatlabError(f"signal:{name}:invalidInput", "X must be a vector or a matrix.")
    rest = plain[1:]
    y = None
    # a scalar after the data is the largest lag
    if rest and (rest[0].size > 1 or (x.size == 1 and len(rest) > 1)):
        y = vector(rest.pop(0), name)
    columns = x.reshape(-1, 1) if 1 in x.shape else x
    if y is not None and columns.shape[1] > 1:
        raise MatlabError(f"signal:{name}:MismatchedAB", "X must be a vector where Y is given.")
    if len(rest) > 1:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    count = columns.shape[0] if y is None else max(columns.shape[0], y.size)
    most = integer(rest[0], name, "MAXLAG") if rest and given(rest[0]) else count - 1
    if y is not None and y.size != columns.shape[0] and scale != "none":
        raise MatlabError(
            f"signal:{name}:NoScale", "Scale option must be 'none' for different length vectors."
        )
    pairs = (
        [(columns[:, 0], y)] if y is not None else [(a, b) for a in columns.T for b in columns.T]
    )
    results = [_scaled(name, a, b, count, scale, centred) for a, b in pairs]
    table = np.stack(results, axis=1)
    centre = count - 1
    kept = np.zeros((2 * most + 1, table.shape[1]), table.dtype)
    reach = min(most, centre)
    kept[most - reach : most + reach + 1] = table[centre - reach : centre + reach + 1]
    row = x.shape[0] == 1 and x.shape[1] > 1
    result = kept.T if row and kept.shape[1] == 1 else kept
    lags = np.arange(-most, most + 1.0).reshape(1, -1)
    return (like(result, x), lags) if nargout > 1 else like(result, x)


def _scaled(name: str, x: Data, y: Data, count: int, scale: str, centred: bool) -> Data:
    if centred:
        x, y = x - x.mean(), y - y.mean()
    x, y = (np.concatenate([v, np.zeros(count - v.size, v.dtype)]) for v in (x, y))
    c = _correlated(x, y)
    lags = np.abs(np.arange(1 - count, count))
    if scale == "biased":
        return np.asarray(c / count)
    if scale == "unbiased":
        return np.asarray(c / (count - lags))
    if scale in {"normalized", "coeff"}:
        return np.asarray(c / np.sqrt(np.sum(np.abs(x) ** 2) * np.sum(np.abs(y) ** 2)))
    return c


@builtin(
    "xcorr", family="signal/sequences", lift="arrays", nargin=(1, 4), nargout=2, needs=("nargout",)
)
def xcorr(*args: Any, nargout: int) -> Any:
    """Cross-correlation and autocorrelation.

    R = xcorr(X, Y): sums of x(n+m)*conj(y(n)) for lags m from -(N-1) to N-1; the shorter vector
    is continued by zeros
    R = xcorr(X); for a matrix, of all pairs of columns
    R = xcorr(…, MAXLAG), R = xcorr(…, SCALE) with "none", "biased", "unbiased" or "normalized"
    [R, LAGS] = xcorr(…)

    Examples:
        >> [r, lags] = xcorr([1 2 3], [0 1 0])
        r =
             0     1     2     3     0
        lags =
            -2    -1     0     1     2

    See also: xcov, conv, corrcoef.
    """
    return _correlation("xcorr", args, False, nargout)


@builtin(
    "xcov", family="signal/sequences", lift="arrays", nargin=(1, 4), nargout=2, needs=("nargout",)
)
def xcov(*args: Any, nargout: int) -> Any:
    """Cross-covariance and autocovariance: the correlation of what differs from the mean.

    C = xcov(X, Y), C = xcov(X), xcov(…, MAXLAG), xcov(…, SCALE), [C, LAGS] = xcov(…) as in xcorr

    Examples:
        >> xcov([1 2 3])
        ans =
            -1     0     2     0    -1

    See also: xcorr, cov.
    """
    return _correlation("xcov", args, True, nargout)


# -- rates ---------------------------------------------------------------------------------------


def _phase(value: Any, factor: int, name: str) -> int:
    phase = integer(value, name, "PHASE") if given(value) else 0
    if phase >= factor:
        raise MatlabError(f"signal:{name}:Phase", "The phase must be less than the factor.")
    return phase


@builtin("upsample", family="signal/sequences", lift="arrays", effects="pure")
def upsample(x: Any, n: Any, phase: Any = None) -> Data:
    """Zeros between samples.

    Y = upsample(X, N), Y = upsample(X, N, PHASE) with PHASE zeros before the first sample

    Examples:
        >> upsample([1 2], 3)
        ans =
             1     0     0     2     0     0

    See also: downsample, resample.
    """
    a = floating(x, "upsample")
    factor = integer(n, "upsample", "N", 1)
    first, axis = _phase(phase, factor, "upsample"), first_axis(a)
    shape = list(a.shape)
    shape[axis] *= factor
    result = np.zeros(shape, a.dtype)
    np.moveaxis(result, axis, 0)[first::factor] = np.moveaxis(a, axis, 0)
    return result


@builtin("downsample", family="signal/sequences", lift="arrays", effects="pure")
def downsample(x: Any, n: Any, phase: Any = None) -> Data:
    """Every N-th sample.

    Y = downsample(X, N), Y = downsample(X, N, PHASE) from sample PHASE+1

    Examples:
        >> downsample(1:7, 3)
        ans =
             1     4     7

    See also: upsample, decimate, resample.
    """
    a = floating(x, "downsample")
    factor = integer(n, "downsample", "N", 1)
    first, axis = _phase(phase, factor, "downsample"), first_axis(a)
    return np.moveaxis(np.moveaxis(a, axis, 0)[first::factor], 0, axis).copy()


@builtin("decimate", family="signal/sequences", lift="arrays", effects="pure")
def decimate(x: Any, r: Any, n: Any = None) -> Data:
    """Fewer samples, after a lowpass filter.

    Y = decimate(X, R) filters by a Chebyshev filter of order 8, forwards and backwards
    Y = decimate(X, R, N) takes order N

    Examples:
        >> size(decimate(1:100, 4))
        ans =
             1    25

    See also: downsample, resample, cheby1.
    """
    from scipy.signal import cheby1

    data = vector(x, "decimate")
    factor = integer(r, "decimate", "R", 1)
    order = integer(n, "decimate", "N", 1) if given(n) else 8
    row = x.shape[0] == 1
    if factor > 1:
        b, a = cheby1(order, 0.05, 0.8 / factor)
        data = like(zero_phase(b, a, data, 0), data)
        count = -(-data.size // factor)
        data = data[factor - (factor * count - data.size) - 1 :: factor]
    return data.reshape((1, -1) if row else (-1, 1)).copy()


def _lowpass(p: int, q: int, n: int, beta: float) -> Data:
    """The interpolation filter: least squares, which is a cut sinc, in a Kaiser window."""
    half = n * max(p, q)
    cutoff = 0.5 / max(p, q)
    k = np.arange(-half, half + 1)
    h = 2 * cutoff * np.sinc(2 * cutoff * k) * np.kaiser(2 * half + 1, beta)
    return np.asarray(p * h / h.sum())


@builtin(
    "resample",
    family="signal/sequences",
    lift="arrays",
    nargin=(3, 5),
    nargout=2,
    needs=("nargout",),
)
def resample(x: Any, p: Any, q: Any, n: Any = None, beta: Any = None, *, nargout: int) -> Any:
    """Samples at P/Q times the rate.

    Y = resample(X, P, Q) filters with a Kaiser window, with 2*10*max(P, Q) + 1 coefficients
    Y = resample(X, P, Q, N, BETA) takes 2*N*max(P, Q) + 1 and the window's BETA (5)
    Y = resample(X, P, Q, B) filters with the coefficients B
    [Y, B] = resample(…) gives the coefficients

    Examples:
        >> size(resample(1:10, 3, 2))
        ans =
             1    15

    See also: decimate, upsample, interpft.
    """
    from scipy.signal import upfirdn

    a = floating(x, "resample")
    up, down = integer(p, "resample", "P", 1), integer(q, "resample", "Q", 1)
    common = gcd(up, down)
    up, down = up // common, down // common
    if max(up, down) > 1 << 20:
        raise MatlabError("signal:resample:TooLarge", "P and Q are too large.")
    axis = first_axis(a)
    if given(n) and n.size > 1:
        h = vector(n, "resample").astype(np.float64)
    else:
        reach = integer(n, "resample", "N") if given(n) else 10
        shape = scalar(beta, "resample", "BETA") if given(beta) else 5.0
        h = _lowpass(up, down, reach, shape) if reach else np.ones(up)
    if up == down == 1 and not given(n):
        result = a.copy()
    else:
        half = (h.size - 1) / 2 if h.size % 2 else h.size / 2
        lead = int(down - half % down) % down
        delay = int(np.floor(np.ceil(half + lead) / down))
        count = -(-a.shape[axis] * up // down)
        padded = np.concatenate([np.zeros(lead), h])
        lines = np.moveaxis(a, axis, -1)
        full = upfirdn(padded, lines, up, down, axis=-1)
        if full.shape[-1] < count + delay:
            room = np.zeros((*full.shape[:-1], count + delay - full.shape[-1]), full.dtype)
            full = np.concatenate([full, room], axis=-1)
        result = like(np.moveaxis(full[..., delay : delay + count], -1, axis), a)
    return (result, h.reshape(1, -1)) if nargout > 1 else result
