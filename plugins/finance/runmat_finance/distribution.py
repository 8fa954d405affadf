"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.fusion import Map

Data = NDArray[Any]

ROOT_2PI = math.sqrt(2 * math.pi)


def cdf(x: Data) -> Data:
    from scipy.special import ndtr

    result: Data = ndtr(x)
    return result


def cdf_ir(x: ir.V) -> ir.V:
    # erfc keeps the relative accuracy of the left tail, which 1 + erf would lose
    return 0.5 * ir.erfc(-x / math.sqrt(2))


def pdf(x: Data) -> Data:
    result: Data = np.exp(-x * x / 2) / x.dtype.type(ROOT_2PI)
    return result


def pdf_ir(x: ir.V) -> ir.V:
    return ir.exp(-x * x / 2.0) / ROOT_2PI


def _standard(x: Any, mu: Any, sigma: Any) -> Any:
    return x if mu is None else (x - mu) if sigma is None else (x - mu) / sigma


def _normcdf_ir(x: ir.V, mu: ir.V | None = None, sigma: ir.V | None = None) -> ir.V:
    return cdf_ir(_standard(x, mu, sigma))


@builtin("normcdf", family="finance", lift="map", fusion=Map(_normcdf_ir), effects="pure")
def normcdf(x: Data, mu: Data | None = None, sigma: Data | None = None) -> Data:
    """Normal cumulative distribution function.

    P = normcdf(X)
    P = normcdf(X, MU, SIGMA) for mean MU and standard deviation SIGMA

    Examples:
        >> normcdf([-1.96 0 1.96])
        ans =
            0.0250    0.5000    0.9750

    See also: normpdf, erfc.
    """
    return cdf(_standard(x, mu, sigma))


def _normpdf_ir(x: ir.V, mu: ir.V | None = None, sigma: ir.V | None = None) -> ir.V:
    density = pdf_ir(_standard(x, mu, sigma))
    return density if sigma is None else density / sigma


@builtin("normpdf", family="finance", lift="map", fusion=Map(_normpdf_ir), effects="pure")
def normpdf(x: Data, mu: Data | None = None, sigma: Data | None = None) -> Data:
    """Normal probability density function.

    Y = normpdf(X)
    Y = normpdf(X, MU, SIGMA) for mean MU and standard deviation SIGMA

    Examples:
        >> normpdf(0)
        ans =
            0.3989

    See also: normcdf, exp.
    """
    density = pdf(_standard(x, mu, sigma))
    return density if sigma is None else density / sigma
