"""Distributions of samples from normal distributions, and the beta distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_stats.arguments import Data
from runmat_stats.distributions import gamma_density, must_be_real, probability, special, where


def inside(x: Data) -> Data:
    return np.clip(x, 0, 1)


def student_inv(p: Data, nu: Data) -> Data:
    """Quantiles by the smaller tail, so that both are exact."""
    tail = np.minimum(p, 1 - p)
    size = -special().stdtrit(nu, np.clip(tail, 1e-320, 0.5))
    size = np.where(tail == 0, np.inf, np.where(tail == 0.5, 0, size))
    return np.where(p < 0.5, -size, size)


def f_density(x: Data, v1: Data, v2: Data) -> Data:
    z = v1 / v2 * np.maximum(x, 0)
    power = special().xlogy(v1 / 2 - 1, z) - (v1 + v2) / 2 * np.log1p(z)
    density = v1 / v2 * np.exp(power - special().betaln(v1 / 2, v2 / 2))
    return np.where(x < 0, 0, density)


def beta_density(x: Data, a: Data, b: Data) -> Data:
    z, s = inside(x), special()
    power = s.xlogy(a - 1, z) + s.xlog1py(b - 1, -z) - s.betaln(a, b)
    return np.where(x == z, np.exp(power), 0)


def student_density(x: Data, nu: Data) -> Data:
    height = special().gammaln((nu + 1) / 2) - special().gammaln(nu / 2)
    return np.asarray(np.exp(height - (nu + 1) / 2 * np.log1p(x * x / nu)) / np.sqrt(nu * np.pi))


def f_inv(p: Data, v1: Data, v2: Data) -> Data:
    z = special().betaincinv(v1 / 2, v2 / 2, np.clip(p, 0, 1))
    return np.asarray(v2 * z / (v1 * (1 - z)))


@builtin("betapdf", family="stats/distributions", lift="map", nargin=(3, 3), effects="pure")
def betapdf(x: Data, a: Any, b: Any) -> Data:
    """Density of the beta distribution.

    Y = betapdf(X, A, B)

    Examples:
        >> betapdf(0.5, 2, 3)
        ans =
            1.5000

    See also: betacdf, betainv.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = beta_density(x, a, b)
    return where((a > 0) & (b > 0), result, x, a, b)


@builtin("betacdf", family="stats/distributions", lift="map", nargin=(3, 3), effects="pure")
def betacdf(x: Data, a: Any, b: Any) -> Data:
    """Cumulative probability of the beta distribution.

    P = betacdf(X, A, B)

    Examples:
        >> betacdf(0.5, 2, 3)
        ans =
            0.6875

    See also: betapdf, betainv.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = special().betainc(a, b, inside(x))
    return where((a > 0) & (b > 0), result, x, a, b)


@builtin("betainv", family="stats/distributions", lift="map", nargin=(3, 3), effects="pure")
def betainv(x: Data, a: Any, b: Any) -> Data:
    """Quantiles of the beta distribution.

    X = betainv(P, A, B)

    Examples:
        >> betainv(0.5, 2, 2)
        ans =
            0.5000

    See also: betapdf, betacdf.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = special().betaincinv(a, b, x)
    return where(probability(x) & ((a > 0) & (b > 0)), result, x, a, b)


@builtin("tpdf", family="stats/distributions", lift="map", nargin=(2, 2), effects="pure")
def tpdf(x: Data, nu: Any) -> Data:
    """Density of the Student's t distribution.

    Y = tpdf(X, NU)

    Examples:
        >> tpdf(0, 3)
        ans =
            0.3676

    See also: tcdf, tinv.
    """
    must_be_real(x, nu)
    nu = np.asarray(nu, x.dtype)
    result = student_density(x, nu)
    return where(nu > 0, result, x, nu)


@builtin("tcdf", family="stats/distributions", lift="map", nargin=(2, 2), effects="pure")
def tcdf(x: Data, nu: Any) -> Data:
    """Cumulative probability of the Student's t distribution.

    P = tcdf(X, NU)

    Examples:
        >> tcdf(1, 3)
        ans =
            0.8045

    See also: tpdf, tinv.
    """
    must_be_real(x, nu)
    nu = np.asarray(nu, x.dtype)
    result = special().stdtr(nu, x)
    return where(nu > 0, result, x, nu)


@builtin("tinv", family="stats/distributions", lift="map", nargin=(2, 2), effects="pure")
def tinv(x: Data, nu: Any) -> Data:
    """Quantiles of the Student's t distribution.

    X = tinv(P, NU)

    Examples:
        >> tinv(0.975, 10)
        ans =
            2.2281

    See also: tpdf, tcdf.
    """
    must_be_real(x, nu)
    nu = np.asarray(nu, x.dtype)
    result = student_inv(x, nu)
    return where(probability(x) & (nu > 0), result, x, nu)


@builtin("chi2pdf", family="stats/distributions", lift="map", nargin=(2, 2), effects="pure")
def chi2pdf(x: Data, nu: Any) -> Data:
    """Density of the chi-square distribution.

    Y = chi2pdf(X, NU)

    Examples:
        >> chi2pdf(1, 2)
        ans =
            0.3033

    See also: chi2cdf, chi2inv.
    """
    must_be_real(x, nu)
    nu = np.asarray(nu, x.dtype)
    result = gamma_density(x, nu / 2, np.asarray(2, x.dtype))
    return where(nu > 0, result, x, nu)


@builtin("chi2cdf", family="stats/distributions", lift="map", nargin=(2, 2), effects="pure")
def chi2cdf(x: Data, nu: Any) -> Data:
    """Cumulative probability of the chi-square distribution.

    P = chi2cdf(X, NU)

    Examples:
        >> chi2cdf(1, 2)
        ans =
            0.3935

    See also: chi2pdf, chi2inv.
    """
    must_be_real(x, nu)
    nu = np.asarray(nu, x.dtype)
    result = special().gammainc(nu / 2, np.maximum(x, 0) / 2)
    return where(nu > 0, result, x, nu)


@builtin("chi2inv", family="stats/distributions", lift="map", nargin=(2, 2), effects="pure")
def chi2inv(x: Data, nu: Any) -> Data:
    """Quantiles of the chi-square distribution.

    X = chi2inv(P, NU)

    Examples:
        >> chi2inv(0.95, 1)
        ans =
            3.8415

    See also: chi2pdf, chi2cdf.
    """
    must_be_real(x, nu)
    nu = np.asarray(nu, x.dtype)
    result = 2 * special().gammaincinv(nu / 2, x)
    return where(probability(x) & (nu > 0), result, x, nu)


@builtin("fpdf", family="stats/distributions", lift="map", nargin=(3, 3), effects="pure")
def fpdf(x: Data, v1: Any, v2: Any) -> Data:
    """Density of the F distribution.

    Y = fpdf(X, V1, V2)

    Examples:
        >> fpdf(1, 2, 2)
        ans =
            0.2500

    See also: fcdf, finv.
    """
    must_be_real(x, v1, v2)
    v1 = np.asarray(v1, x.dtype)
    v2 = np.asarray(v2, x.dtype)
    result = f_density(x, v1, v2)
    return where((v1 > 0) & (v2 > 0), result, x, v1, v2)


@builtin("fcdf", family="stats/distributions", lift="map", nargin=(3, 3), effects="pure")
def fcdf(x: Data, v1: Any, v2: Any) -> Data:
    """Cumulative probability of the F distribution.

    P = fcdf(X, V1, V2)

    Examples:
        >> fcdf(1, 2, 2)
        ans =
            0.5000

    See also: fpdf, finv.
    """
    must_be_real(x, v1, v2)
    v1 = np.asarray(v1, x.dtype)
    v2 = np.asarray(v2, x.dtype)
    result = special().fdtr(v1, v2, np.maximum(x, 0))
    return where((v1 > 0) & (v2 > 0), result, x, v1, v2)


@builtin("finv", family="stats/distributions", lift="map", nargin=(3, 3), effects="pure")
def finv(x: Data, v1: Any, v2: Any) -> Data:
    """Quantiles of the F distribution.

    X = finv(P, V1, V2)

    Examples:
        >> finv(0.95, 2, 10)
        ans =
            4.1028

    See also: fpdf, fcdf.
    """
    must_be_real(x, v1, v2)
    v1 = np.asarray(v1, x.dtype)
    v2 = np.asarray(v2, x.dtype)
    result = f_inv(x, v1, v2)
    return where(probability(x) & ((v1 > 0) & (v2 > 0)), result, x, v1, v2)
