"""Continuous distributions: densities, cumulative probabilities and their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_stats.arguments import Data


def special() -> Any:
    """`scipy.special`, imported on first use."""
    import scipy.special

    return scipy.special


def must_be_real(*operands: Any) -> None:
    """Refuse complex arguments.

    Raises:
        MatlabError: stats:mustBeReal.
    """
    if any(np.iscomplexobj(v) for v in operands):
        raise MatlabError("stats:mustBeReal", "Arguments must be real.")


def where(valid: Any, result: Any, *operands: Any) -> Data:
    """`result` in the precision of the operands; NaN where parameters are not valid, or NaN."""
    missing = np.logical_or.reduce(np.broadcast_arrays(*[np.isnan(v) for v in operands]))
    return np.where(valid & ~missing, result, np.nan).astype(np.result_type(*operands))


def probability(p: Data) -> Data:
    """Which probabilities are between 0 and 1."""
    return np.asarray((p >= 0) & (p <= 1))


def gamma_density(x: Data, a: Data, b: Data) -> Data:
    z = np.maximum(x, 0) / b
    return np.where(x < 0, 0, np.exp(special().xlogy(a - 1, z) - z - special().gammaln(a)) / b)


def lognormal_density(x: Data, mu: Data, sigma: Data) -> Data:
    z = np.where(x > 0, x, 1)
    density = np.exp(-0.5 * ((np.log(z) - mu) / sigma) ** 2) / (z * sigma * np.sqrt(2 * np.pi))
    return np.where(x > 0, density, 0)


def _norminv(p: Data, mu: Data, sigma: Data) -> Data:
    return where(probability(p) & (sigma > 0), mu + sigma * special().ndtri(p), p, mu, sigma)


@builtin("norminv", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def norminv(p: Data, mu: Any = 0.0, sigma: Any = 1.0) -> Data:
    """Inverse of the cumulative normal distribution.

    X = norminv(P), X = norminv(P, MU, SIGMA)

    Examples:
        >> norminv([0.5 0.975])
        ans =
                 0    1.9600

    See also: normcdf, normpdf, erfinv.
    """
    must_be_real(p, mu, sigma)
    return _norminv(p, np.asarray(mu, p.dtype), np.asarray(sigma, p.dtype))


@builtin("unifpdf", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def unifpdf(x: Data, a: Any = 0.0, b: Any = 1.0) -> Data:
    """Density of the uniform distribution.

    Y = unifpdf(X, A, B); A is 0, B is 1 by default

    Examples:
        >> unifpdf(0.5, 0, 2)
        ans =
            0.5000

    See also: unifcdf, unifinv.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = np.where((x >= a) & (x <= b), 1 / (b - a), 0)
    return where(a < b, result, x, a, b)


@builtin("unifcdf", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def unifcdf(x: Data, a: Any = 0.0, b: Any = 1.0) -> Data:
    """Cumulative probability of the uniform distribution.

    P = unifcdf(X, A, B); A is 0, B is 1 by default

    Examples:
        >> unifcdf(0.5, 0, 2)
        ans =
            0.2500

    See also: unifpdf, unifinv.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = np.clip((x - a) / (b - a), 0, 1)
    return where(a < b, result, x, a, b)


@builtin("unifinv", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def unifinv(x: Data, a: Any = 0.0, b: Any = 1.0) -> Data:
    """Quantiles of the uniform distribution.

    X = unifinv(P, A, B); A is 0, B is 1 by default

    Examples:
        >> unifinv(0.25, 0, 2)
        ans =
            0.5000

    See also: unifpdf, unifcdf.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = a + x * (b - a)
    return where(probability(x) & (a < b), result, x, a, b)


@builtin("exppdf", family="stats/distributions", lift="map", nargin=(1, 2), effects="pure")
def exppdf(x: Data, mu: Any = 1.0) -> Data:
    """Density of the exponential distribution.

    Y = exppdf(X, MU); MU is 1 by default

    Examples:
        >> exppdf(1, 2)
        ans =
            0.3033

    See also: expcdf, expinv.
    """
    must_be_real(x, mu)
    mu = np.asarray(mu, x.dtype)
    result = np.where(x < 0, 0, np.exp(-x / mu) / mu)
    return where(mu > 0, result, x, mu)


@builtin("expcdf", family="stats/distributions", lift="map", nargin=(1, 2), effects="pure")
def expcdf(x: Data, mu: Any = 1.0) -> Data:
    """Cumulative probability of the exponential distribution.

    P = expcdf(X, MU); MU is 1 by default

    Examples:
        >> expcdf(1, 2)
        ans =
            0.3935

    See also: exppdf, expinv.
    """
    must_be_real(x, mu)
    mu = np.asarray(mu, x.dtype)
    result = -np.expm1(-np.maximum(x, 0) / mu)
    return where(mu > 0, result, x, mu)


@builtin("expinv", family="stats/distributions", lift="map", nargin=(1, 2), effects="pure")
def expinv(x: Data, mu: Any = 1.0) -> Data:
    """Quantiles of the exponential distribution.

    X = expinv(P, MU); MU is 1 by default

    Examples:
        >> expinv(0.5, 2)
        ans =
            1.3863

    See also: exppdf, expcdf.
    """
    must_be_real(x, mu)
    mu = np.asarray(mu, x.dtype)
    result = -mu * np.log1p(-x)
    return where(probability(x) & (mu > 0), result, x, mu)


@builtin("gampdf", family="stats/distributions", lift="map", nargin=(2, 3), effects="pure")
def gampdf(x: Data, a: Any, b: Any = 1.0) -> Data:
    """Density of the gamma distribution.

    Y = gampdf(X, A, B); B is 1 by default

    Examples:
        >> gampdf(1, 2, 3)
        ans =
            0.0796

    See also: gamcdf, gaminv.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = gamma_density(x, a, b)
    return where((a > 0) & (b > 0), result, x, a, b)


@builtin("gamcdf", family="stats/distributions", lift="map", nargin=(2, 3), effects="pure")
def gamcdf(x: Data, a: Any, b: Any = 1.0) -> Data:
    """Cumulative probability of the gamma distribution.

    P = gamcdf(X, A, B); B is 1 by default

    Examples:
        >> gamcdf(1, 2, 3)
        ans =
            0.0446

    See also: gampdf, gaminv.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = special().gammainc(a, np.maximum(x, 0) / b)
    return where((a > 0) & (b > 0), result, x, a, b)


@builtin("gaminv", family="stats/distributions", lift="map", nargin=(2, 3), effects="pure")
def gaminv(x: Data, a: Any, b: Any = 1.0) -> Data:
    """Quantiles of the gamma distribution.

    X = gaminv(P, A, B); B is 1 by default

    Examples:
        >> gaminv(0.5, 1, 2)
        ans =
            1.3863

    See also: gampdf, gamcdf.
    """
    must_be_real(x, a, b)
    a = np.asarray(a, x.dtype)
    b = np.asarray(b, x.dtype)
    result = b * special().gammaincinv(a, x)
    return where(probability(x) & ((a > 0) & (b > 0)), result, x, a, b)


@builtin("lognpdf", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def lognpdf(x: Data, mu: Any = 0.0, sigma: Any = 1.0) -> Data:
    """Density of the lognormal distribution.

    Y = lognpdf(X, MU, SIGMA); MU is 0, SIGMA is 1 by default

    Examples:
        >> lognpdf(1)
        ans =
            0.3989

    See also: logncdf, logninv.
    """
    must_be_real(x, mu, sigma)
    mu = np.asarray(mu, x.dtype)
    sigma = np.asarray(sigma, x.dtype)
    result = lognormal_density(x, mu, sigma)
    return where(sigma > 0, result, x, mu, sigma)


@builtin("logncdf", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def logncdf(x: Data, mu: Any = 0.0, sigma: Any = 1.0) -> Data:
    """Cumulative probability of the lognormal distribution.

    P = logncdf(X, MU, SIGMA); MU is 0, SIGMA is 1 by default

    Examples:
        >> logncdf(1)
        ans =
            0.5000

    See also: lognpdf, logninv.
    """
    must_be_real(x, mu, sigma)
    mu = np.asarray(mu, x.dtype)
    sigma = np.asarray(sigma, x.dtype)
    result = special().ndtr((np.log(np.maximum(x, 0)) - mu) / sigma)
    return where(sigma > 0, result, x, mu, sigma)


@builtin("logninv", family="stats/distributions", lift="map", nargin=(1, 3), effects="pure")
def logninv(x: Data, mu: Any = 0.0, sigma: Any = 1.0) -> Data:
    """Quantiles of the lognormal distribution.

    X = logninv(P, MU, SIGMA); MU is 0, SIGMA is 1 by default

    Examples:
        >> logninv(0.5, 1)
        ans =
            2.7183

    See also: lognpdf, logncdf.
    """
    must_be_real(x, mu, sigma)
    mu = np.asarray(mu, x.dtype)
    sigma = np.asarray(sigma, x.dtype)
    result = np.exp(mu + sigma * special().ndtri(x))
    return where(probability(x) & (sigma > 0), result, x, mu, sigma)
