"""Cosine transforms, and signals in frames."""

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
    vector,
)


def _cosine(name: str, args: tuple[Any, ...], inverse: bool) -> Data:
    import scipy.fft

    rest = list(args)
    kind = 2
    if len(rest) > 2 and isinstance(rest[-2], str):
        one_of(rest[-2], ("Type",), name)
        kind = integer(rest[-1], name, "Type", 1)
        rest = rest[:-2]
    if kind > 4:
        raise MatlabError(f"signal:{name}:invalidType", "Type must be 1, 2, 3 or 4.")
    if len(rest) > 3:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    x = floating(rest[0], name)
    axis = first_axis(x)
    if len(rest) > 2 and given(rest[2]):
        axis = integer(rest[2], name, "DIM", 1) - 1
    x = np.reshape(x, (*x.shape, *[1] * (axis + 1 - x.ndim)))
    count: int = x.shape[axis]
    if len(rest) > 1 and given(rest[1]):
        count = integer(rest[1], name, "N", 1)
    if not x.size or (kind == 1 and count == 1):
        return x.copy()
    rule = scipy.fft.idct if inverse else scipy.fft.dct
    return like(np.asarray(rule(x, type=kind, n=count, axis=axis, norm="ortho")), x)


@builtin("dct", family="signal/transforms", lift="arrays", nargin=(1, 5), effects="pure")
def dct(*args: Any) -> Data:
    """Discrete cosine transform, as a product with an orthogonal matrix.

    Y = dct(X) along the first dimension that is not 1
    Y = dct(X, N) of N elements, with zeros or without the last ones; Y = dct(X, N, DIM)
    Y = dct(…, "Type", T) with T from 1 to 4, 2 by default

    Examples:
        >> round(dct([1 1 1 1]), 4)
        ans =
             2     0     0     0
        >> dct([1; 2], [], 1, 'Type', 4)
        ans =
            1.6892
           -1.4651

    See also: idct, fft.
    """
    return _cosine("dct", args, False)


@builtin("idct", family="signal/transforms", lift="arrays", nargin=(1, 5), effects="pure")
def idct(*args: Any) -> Data:
    """Inverse discrete cosine transform.

    X = idct(Y), X = idct(Y, N), X = idct(Y, N, DIM), X = idct(…, "Type", T) as dct has them

    Examples:
        >> round(idct([2 0 0 0]), 4)
        ans =
             1     1     1     1

    See also: dct, ifft.
    """
    return _cosine("idct", args, True)


@builtin(
    "buffer", family="signal/sequences", lift="arrays", nargin=(2, 4), nargout=3,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def buffer(x: Any, n: Any, p: Any = None, opt: Any = None, *, nargout: int) -> Any:
    """Signal in frames, a column each.

    Y = buffer(X, N) with N samples in a frame; zeros complete the last one
    Y = buffer(X, N, P) with P samples of the frame before in each, after P zeros at the start; for
    negative P, -P samples are left out between frames
    Y = buffer(X, N, P, OPT) with P samples for the start in place of zeros, or "nodelay" to begin
    with the signal; for negative P, how many samples are left out at the start
    [Y, Z, OPT] = buffer(…) gives complete frames alone, the samples that are left, and OPT for the
    next part of the signal

    Examples:
        >> buffer(1:5, 3, 1)
        ans =
             0     2     4
             1     3     5
             2     4     0
        >> [y, z] = buffer(1:5, 2)
        y =
             1     3
             2     4
        z =
             5

    See also: reshape, spectrogram.
    """
    a = vector(x, "buffer")
    size = integer(n, "buffer", "N", 1)
    overlap = 0
    if given(p):
        number = np.asarray(floating(p, "buffer")).ravel()
        if number.size != 1 or not np.isfinite(number[0]) or number[0] != np.floor(number[0].real):
            raise MatlabError("signal:buffer:mustBeInteger", "P must be an integer.")
        overlap = int(number[0].real)
    if overlap >= size:
        raise MatlabError("signal:buffer:InvalidRange", "P must be less than N.")
    skipped = 0
    if overlap < 0:
        skipped = integer(opt, "buffer", "OPT") if given(opt) else 0
        if skipped > -overlap:
            raise MatlabError("signal:buffer:InvalidRange", "OPT must be at most -P.")
        start = a[:0]
    elif isinstance(opt, str):
        one_of(opt, ("nodelay",), "buffer")
        start = a[:0]
    else:
        start = vector(opt, "buffer") if given(opt) else np.zeros(overlap, a.dtype)
        if start.size != overlap:
            raise MatlabError("signal:buffer:InvalidDimensions", "OPT must have P elements.")
    whole = np.concatenate([start, a])[skipped:]
    step = size - overlap
    full = max((whole.size - size) // step + 1, 0) if whole.size >= size else 0
    count = full
    if nargout < 2:
        beyond = whole.size - max(overlap, 0)
        count = max(-(-beyond // step), 0)
        whole = np.concatenate([whole, np.zeros(max(count * step + size, 0), whole.dtype)])
    at = np.arange(size)[:, None] + np.arange(count)[None, :] * step
    frames = whole[at] if count else np.zeros((size, 0), a.dtype)
    if nargout < 2:
        return frames
    used = full * step
    left = whole[used + max(overlap, 0) if full or start.size else 0 :]
    column = np.ndim(x) == 2 and np.shape(x)[1] == 1 and np.shape(x)[0] > 1
    shaped = left.reshape(-1, 1) if column else left.reshape(1, -1)
    if overlap < 0:
        return frames, shaped, float(max(used - whole.size, 0))
    kept = whole[used : used + overlap]
    return frames, shaped, kept.reshape(-1, 1) if column else kept.reshape(1, -1)
