"""Spaced frequencies, and delays as rational functions of frequency."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer, scalar, whole
from runmat_core.builtins.named import choice
from runmat_core.values import from_numpy

Numbers = NDArray[Any]


@builtin("freqspace", family="math/signals", nargin=(1, 2), nargout=2, needs=("nargout",),
         effects="pure")  # fmt: skip
def freqspace(n: Any, form: Any = None, *, nargout: int) -> Any:
    """Equally spaced frequencies, in units of half the sampling frequency.

    F = freqspace(N) has the frequencies from 0 to 1 of a response at N points around the circle
    F = freqspace(N, "whole") has those from 0 to nearly 2
    [F1, F2] = freqspace(N), [F1, F2] = freqspace([M N]) have those of a two-dimensional response
    with M rows and N columns, from -1 to nearly 1
    [F1, F2] = freqspace(…, "meshgrid") gives them as matrices

    Examples:
        >> freqspace(4)
        ans =
                 0    0.5000    1.0000
        >> [f1, f2] = freqspace([3 2]);
        >> f1
        f1 =
            -1     0

    See also: linspace, meshgrid, fftshift.
    """
    sizes = whole(n, "freqspace").ravel()
    if sizes.size not in (1, 2) or (sizes < 1).any() or (nargout < 2 and sizes.size > 1):
        raise MatlabError(
            "MATLAB:freqspace:InvalidSize", "N must be one positive integer, or two of them."
        )
    word = "" if form is None else choice(form, ("whole", "meshgrid"), "freqspace")
    if nargout < 2:
        count = int(sizes[0])
        points = count if word == "whole" else count // 2 + 1
        return from_numpy((np.arange(points) * 2 / count).reshape(1, -1))
    first, second = _centred(int(sizes[-1])), _centred(int(sizes[0]))
    if word == "meshgrid":
        across, down = np.meshgrid(first, second)
        return from_numpy(across), from_numpy(down)
    return from_numpy(first.reshape(1, -1)), from_numpy(second.reshape(1, -1))


def _centred(count: int) -> Numbers:
    """Frequencies around zero; with an even number of them the first is -1."""
    return (2 * np.arange(count) - (count - count % 2)) / count


@builtin("padecoef", family="math/signals", nargin=(1, 2), nargout=2, needs=("nargout",),
         effects="pure")  # fmt: skip
def padecoef(delay: Any, order: Any = 1.0, *, nargout: int) -> Any:
    """Coefficients of the rational function nearest to a delay: Padé's of exp(-T*s).

    [NUM, DEN] = padecoef(T, N) has polynomials of degree N in s, highest power first; N is 1
    unless it is given

    Examples:
        >> [num, den] = padecoef(1, 2)
        num =
             1    -6    12
        den =
             1     6    12

    See also: polyval, roots.
    """
    time, degree = scalar(delay, "T"), integer(order, "N")
    if not (time >= 0 and math.isfinite(time)):
        raise MatlabError("MATLAB:padecoef:InvalidDelay", "T must be finite and nonnegative.")
    if degree < 0:
        raise MatlabError("MATLAB:padecoef:InvalidOrder", "N must be a nonnegative integer.")
    if time == 0 or degree == 0:
        return (1.0, 1.0) if nargout > 1 else 1.0
    # each coefficient from that of the next higher power
    powers = np.arange(degree, -1, -1.0)
    lower = powers[1:]
    with np.errstate(over="ignore"):
        growth = (2 * degree - lower) * (lower + 1) / ((degree - lower) * time)
        below = np.cumprod([1.0, *growth])
    above = np.where(powers % 2 == 1, -below, below)
    outputs = from_numpy(above.reshape(1, -1)), from_numpy(below.reshape(1, -1))
    return outputs if nargout > 1 else outputs[0]
