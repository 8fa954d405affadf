"""Waveforms: periodic ones, sweeps of frequency, pulses."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_signal.arguments import Data, given, like, one_of, real, scalar, split

_SWEEPS = ("linear", "quadratic", "logarithmic")
_SHAPES = ("concave", "convex")


def _turns(t: Data) -> Data:
    """Where in a period of 2*pi times are, from 0 to 1."""
    return np.asarray(np.mod(t, 2 * np.pi) / (2 * np.pi))


def _within(value: Any, name: str, what: str, low: float, high: float, default: float) -> float:
    """A number between two others, those included."""
    if not given(value):
        return default
    number = scalar(value, name, what)
    if not low <= number <= high:
        raise MatlabError(
            f"signal:{name}:invalidRange", f"{what} must be between {low:g} and {high:g}."
        )
    return number


@builtin("square", family="signal/waveforms", lift="arrays", effects="pure")
def square(t: Any, duty: Any = None) -> Data:
    """Square wave of period 2*pi.

    X = square(T) is 1 in the first half of each period and -1 in the second
    X = square(T, DUTY) is 1 for DUTY percent of the period

    Examples:
        >> square([0 1 3 4 6.5], 50)
        ans =
             1     1     1    -1     1

    See also: sawtooth, rectpuls, sin.
    """
    times = real(t, "square")
    part = _within(duty, "square", "DUTY", 0, 100, 50.0)
    high = np.mod(times, 2 * np.pi) < 2 * np.pi * part / 100
    return like(np.where(high, 1.0, -1.0), times)


@builtin("sawtooth", family="signal/waveforms", lift="arrays", effects="pure")
def sawtooth(t: Any, xmax: Any = None) -> Data:
    """Sawtooth or triangle wave of period 2*pi.

    X = sawtooth(T) rises from -1 to 1 in each period
    X = sawtooth(T, XMAX) reaches 1 at the part XMAX of the period, from 0 to 1; 0.5 for triangles

    Examples:
        >> sawtooth(0:pi/2:2*pi, 0.5)
        ans =
            -1     0     1     0    -1

    See also: square, tripuls.
    """
    times = real(t, "sawtooth")
    top = _within(xmax, "sawtooth", "XMAX", 0, 1, 1.0)
    turns = _turns(times)
    fall = 2 * (1 - turns) / (1 - top) - 1 if top < 1 else np.ones_like(turns)
    rise = 2 * turns / top - 1 if top > 0 else fall
    result = np.where(turns <= top, rise, fall)
    return like(np.where(np.isfinite(times), result, np.nan), times)


@builtin("chirp", family="signal/waveforms", lift="arrays", nargin=(1, 8), effects="pure")
def chirp(*args: Any) -> Data:
    """Cosine whose frequency changes.

    Y = chirp(T, F0, T1, F1) has the frequency F0 at time 0 and F1 at time T1; 0, 1 and 100
    Y = chirp(T, F0, T1, F1, METHOD), METHOD "linear", "quadratic" or "logarithmic"
    Y = chirp(T, F0, T1, F1, METHOD, PHI) starts with the phase PHI, in degrees
    Y = chirp(T, F0, T1, F1, "quadratic", PHI, SHAPE), SHAPE "concave" or "convex"
    Y = chirp(…, "complex") is exp(1i*phase)

    Examples:
        >> round(chirp([0 0.5 1], 0, 1, 4), 4)
        ans =
             1    -1     1

    See also: cos, gauspuls, sawtooth, spectrogram.
    """
    plain, words = split(args)
    if not plain or len(plain) > 5:
        raise MatlabError(*_COUNTS[not plain])
    times = real(plain[0], "chirp")
    found = [one_of(word, (*_SWEEPS, *_SHAPES, "complex"), "chirp") for word in words]
    method = next((word for word in found if word in _SWEEPS), "linear")
    shape = next((word for word in found if word in _SHAPES), None)
    defaults = [1e-6 if method == "logarithmic" else 0.0, 1.0, 100.0, 0.0]
    numbers = [
        scalar(value, "chirp", what) if given(value) else default
        for value, what, default in zip(
            [*plain[1:], *[None] * (5 - len(plain))],
            ("F0", "T1", "F1", "PHI"),
            defaults,
            strict=True,
        )
    ]
    phase = _sweep(times, numbers[0], numbers[1], numbers[2], method, shape)
    phase = 2 * np.pi * (phase + numbers[3] / 360)
    return like(np.exp(1j * phase) if "complex" in found else np.cos(phase), times)


#: The errors of too many and of too few arguments.
_COUNTS = {
    False: ("MATLAB:TooManyInputs", "Too many input arguments."),
    True: ("MATLAB:minrhs", "Not enough input arguments."),
}


def _sweep(t: Data, f0: float, t1: float, f1: float, method: str, shape: str | None) -> Data:
    """How many turns are done at times `t`: the integral of the frequency from 0."""
    if method == "linear":
        return np.asarray(f0 * t + (f1 - f0) / t1 * t**2 / 2)
    if method == "quadratic":
        bend = (f1 - f0) / t1**2
        if shape is None or shape == ("convex" if f0 > f1 else "concave"):
            return np.asarray(f0 * t + bend * t**3 / 3)
        # the same parabola from its other end
        return np.asarray(f1 * t + bend * ((t1 - t) ** 3 - t1**3) / 3)
    if not (f0 > 0 and f1 > 0):
        raise MatlabError(
            "signal:chirp:InvalidRange", "F0 and F1 must be positive for a logarithmic sweep."
        )
    if f0 == f1:
        return np.asarray(f0 * t)
    rate = np.log(f1 / f0) / t1
    return np.asarray(f0 * np.expm1(rate * t) / rate)


@builtin("gauspuls", family="signal/waveforms", lift="arrays", nargin=(1, 5), nargout=3,
         needs=("nargout",), effects="pure")  # fmt: skip
def gauspuls(
    t: Any, fc: Any = None, bw: Any = None, bwr: Any = None, tpe: Any = None, *, nargout: int
) -> Any:
    """Cosine of the frequency FC in an envelope that is a Gaussian curve.

    Y = gauspuls(T, FC, BW) with the bandwidth BW, a part of FC; 1000 and 0.5
    Y = gauspuls(T, FC, BW, BWR) where the bandwidth is that at BWR decibels (-6)
    [Y, YQ, YE] = gauspuls(…) gives the pulse with the sine, and the envelope, too
    TC = gauspuls("cutoff", FC, BW, BWR, TPE) is the time at which the envelope is at TPE decibels
    (-60)

    Examples:
        >> gauspuls([0 1e-4], 5e3, 0.6)
        ans =
            1.0000   -0.7251
        >> gauspuls("cutoff", 50e3, 0.6, [], -40)
        ans =
           3.7849e-05

    See also: chirp, rectpuls, tripuls.
    """
    centre = scalar(fc, "gauspuls", "FC") if given(fc) else 1000.0
    width = scalar(bw, "gauspuls", "BW") if given(bw) else 0.5
    level = scalar(bwr, "gauspuls", "BWR") if given(bwr) else -6.0
    for wrong, what in (
        (centre < 0, "FC must not be negative."),
        (width <= 0, "BW must be positive."),
        (level >= 0, "BWR must be negative."),
    ):
        if wrong:
            raise MatlabError("signal:gauspuls:invalidRange", what)
    # of the envelope in frequency, and so in time
    variance = -(np.float64(width * centre) ** 2) / (8 * np.log(10 ** (level / 20)))
    spread = 1 / (4 * np.pi**2 * variance) if variance else np.inf
    if isinstance(t, str):
        one_of(t, ("cutoff",), "gauspuls")
        end = scalar(tpe, "gauspuls", "TPE") if given(tpe) else -60.0
        if end >= 0:
            raise MatlabError("signal:gauspuls:invalidRange", "TPE must be negative.")
        cut = np.sqrt(-2 * spread * np.log(10 ** (end / 20)))
        return (cut, *[np.zeros((0, 0))] * 2)[:nargout] if nargout > 1 else cut
    times = real(t, "gauspuls")
    envelope = np.exp(-(times**2) / (2 * spread))
    angle = 2 * np.pi * centre * times
    outputs = [
        like(np.asarray(a), times)
        for a in (envelope * np.cos(angle), envelope * np.sin(angle), envelope)
    ]
    return tuple(outputs[:nargout]) if nargout > 1 else outputs[0]


@builtin("rectpuls", family="signal/waveforms", lift="arrays", effects="pure")
def rectpuls(t: Any, w: Any = None) -> Data:
    """Rectangle of height 1 about time 0.

    Y = rectpuls(T) has width 1, Y = rectpuls(T, W) width W; it is 1 at -W/2 and 0 at W/2

    Examples:
        >> rectpuls(-1:0.5:1)
        ans =
             0     1     1     0     0

    See also: tripuls, gauspuls, square.
    """
    times = real(t, "rectpuls")
    width = scalar(w, "rectpuls", "W") if given(w) else 1.0
    tiny = np.finfo(float).eps
    inside = (np.abs(times) < width / 2 - tiny) | (np.abs(times + width / 2) < tiny)
    return like(inside.astype(float), times)


@builtin("tripuls", family="signal/waveforms", lift="arrays", effects="pure")
def tripuls(t: Any, w: Any = None, s: Any = None) -> Data:
    """Triangle of height 1 about time 0.

    Y = tripuls(T) has width 1, Y = tripuls(T, W) width W
    Y = tripuls(T, W, S) has its top at S*W/2, S from -1 to 1

    Examples:
        >> tripuls(-0.75:0.25:0.75, 2)
        ans =
            0.2500    0.5000    0.7500    1.0000    0.7500    0.5000    0.2500

    See also: rectpuls, gauspuls, sawtooth.
    """
    times = real(t, "tripuls")
    half = (scalar(w, "tripuls", "W") if given(w) else 1.0) / 2
    skew = _within(s, "tripuls", "S", -1, 1, 0.0)
    top = skew * half
    result = np.zeros(times.shape)
    rising, falling = (times > -half) & (times < top), (times > top) & (times < half)
    result[rising] = (times[rising] + half) / (top + half)
    result[falling] = (half - times[falling]) / (half - top)
    result[times == top] = 1
    return like(result, times)


@builtin("sinc", family="signal/waveforms", lift="arrays", effects="pure")
def sinc(x: Any) -> Data:
    """sin(pi*x)/(pi*x), which is 1 at 0.

    Y = sinc(X)

    Examples:
        >> sinc([0 0.5 1.5])
        ans =
            1.0000    0.6366   -0.2122

    See also: sin, rectpuls.
    """
    a = real(x, "sinc")
    return like(np.asarray(np.sinc(a)), a)
