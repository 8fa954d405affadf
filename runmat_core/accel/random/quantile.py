"""The inverse of the normal distribution function.

Algorithm AS 241 (Wichura, 1988, PPND16): rational approximations on three ranges, with a relative
error of about 1e-16. Written in NumPy because loading SciPy for it would take longer than most
programs that draw normal numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

# numerator and denominator, highest power first
_CENTRAL = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080),
    (5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867,
     5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1.0),
)  # fmt: skip
_MIDDLE = (
    (7.74545014278341407640e-4, 0.0227238449892691845833, 0.241780725177450611770,
     1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550,
     4.63033784615654529590, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 0.0151986665636164571966,
     0.148103976427480074590, 0.689767334985100004550, 1.67638483018380384940,
     2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     0.0265321895265761230930, 0.296560571828504891230, 1.78482653991729133580,
     5.46378491116411436990, 6.65790464350110377720),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 0.0148753612908506148525, 0.136929880922735805310,
     0.599832206555887937690, 1.0),
)  # fmt: skip


def _ratio(coefficients: tuple[tuple[float, ...], tuple[float, ...]], x: Numbers) -> Numbers:
    numerator, denominator = coefficients
    return np.asarray(np.polyval(numerator, x) / np.polyval(denominator, x))


def quantile(p: Numbers) -> Numbers:
    """Return the numbers below which a normal variable lies with probabilities `p` in (0, 1)."""
    q = p - 0.5
    z = q * _ratio(_CENTRAL, 0.180625 - q * q)
    tail = np.flatnonzero(np.abs(q) > 0.425)
    if tail.size:
        beyond = p[tail]
        r = np.sqrt(-np.log(np.minimum(beyond, 1 - beyond)))
        size = np.where(r <= 5, _ratio(_MIDDLE, r - 1.6), _ratio(_FAR, r - 5))
        z[tail] = np.copysign(size, q[tail])
    return z


def central_quantile(p: float) -> float:
    """`quantile` of one probability in [0.075, 0.925]."""
    q = p - 0.5
    r = 0.180625 - q * q
    numerator = denominator = 0.0
    for a, b in zip(*_CENTRAL, strict=True):
        numerator = numerator * r + a
        denominator = denominator * r + b
    return q * (numerator / denominator)
