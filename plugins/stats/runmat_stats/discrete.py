"""Discrete distributions: binomial and Poisson."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runmat_core.api import builtin
from runmat_stats.arguments import Data
from runmat_stats.distributions import must_be_real, probability, special, where


def first_reaching(guess: Data, p: Data, cdf: Callable[[Data], Data]) -> Data:
    """The least whole number whose cumulative probability is `p` or more, near a guess."""
    k = np.maximum(np.ceil(np.nan_to_num(guess, posinf=0.0)), 0)
    for _ in range(4):
        k = np.where((k > 0) & (cdf(k - 1) >= p), k - 1, k)
        k = np.where(cdf(k) < p, k + 1, k)
    return np.asarray(k)


def binomial_cdf(k: Data, n: Data, q: Data) -> Data:
    k = np.floor(k)
    inner = special().betainc(np.maximum(n - k, 1e-300), np.maximum(k + 1, 1e-300), 1 - q)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, inner))


def binomial_quantile(p: Data, n: Data, q: Data) -> Data:
    low, high = np.zeros(np.broadcast_shapes(p.shape, n.shape, q.shape)) - 1, n + 0.0 * (p + q)
    for _ in range(64):  # bisection: cdf(low) < p <= cdf(high)
        middle = np.floor((low + high) / 2)
        reached = binomial_cdf(middle, n, q) >= p
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        if (high - low <= 1).all():
            break
    return np.where(p == 0, 0.0, high)


def poisson_cdf(k: Data, m: Data) -> Data:
    k = np.floor(k)
    return np.where(k < 0, 0.0, special().gammaincc(np.maximum(k, 0) + 1, m))


def poisson_quantile(p: Data, m: Data) -> Data:
    guess = special().pdtrik(np.clip(p, 1e-300, 1 - 1e-16), m)
    k = first_reaching(guess, p, lambda v: poisson_cdf(v, m))
    return np.where(p == 1, np.inf, np.where((p == 0) | (m == 0), 0.0, k))


def _whole(n: Data) -> Data:
    return np.asarray((n >= 0) & (n == np.floor(n)))


@builtin("binopdf", family="stats/distributions", lift="map", effects="pure")
def binopdf(x: Data, n: Data, p: Data) -> Data:
    """Probability of the binomial distribution.

    Y = binopdf(X, N, P): X successes in N trials, each with probability P

    Examples:
        >> binopdf(1, 3, 0.5)
        ans =
            0.3750

    See also: binocdf, binoinv, binornd.
    """
    must_be_real(x, n, p)
    inside = _whole(x) & (x <= n)
    k = np.where(inside, x, 0)
    s = special()
    chosen = s.gammaln(n + 1) - s.gammaln(k + 1) - s.gammaln(n - k + 1)
    y = np.where(inside, np.exp(chosen + s.xlogy(k, p) + s.xlog1py(n - k, -p)), 0)
    return where(_whole(n) & probability(p), y, x, n, p)


@builtin("binocdf", family="stats/distributions", lift="map", effects="pure")
def binocdf(x: Data, n: Data, p: Data) -> Data:
    """Cumulative probability of the binomial distribution.

    Y = binocdf(X, N, P): at most X successes in N trials, each with probability P

    Examples:
        >> binocdf(1, 3, 0.5)
        ans =
            0.5000

    See also: binopdf, binoinv, binornd.
    """
    must_be_real(x, n, p)
    return where(_whole(n) & probability(p), binomial_cdf(x, n, p), x, n, p)


@builtin("binoinv", family="stats/distributions", lift="map", effects="pure")
def binoinv(y: Data, n: Data, p: Data) -> Data:
    """Quantiles of the binomial distribution.

    X = binoinv(Y, N, P): the least X with binocdf(X, N, P) >= Y

    Examples:
        >> binoinv(0.5, 10, 0.3)
        ans =
             3

    See also: binopdf, binocdf, binornd.
    """
    must_be_real(y, n, p)
    valid = probability(y) & _whole(n) & probability(p)
    return where(valid, binomial_quantile(y, n, p), y, n, p)


@builtin("poisspdf", family="stats/distributions", lift="map", effects="pure")
def poisspdf(x: Data, lam: Data) -> Data:
    """Probability of the Poisson distribution.

    Y = poisspdf(X, LAMBDA)

    Examples:
        >> poisspdf(2, 3)
        ans =
            0.2240

    See also: poisscdf, poissinv, poissrnd.
    """
    must_be_real(x, lam)
    k = np.where(_whole(x), x, 0)
    s = special()
    y = np.where(_whole(x), np.exp(s.xlogy(k, lam) - lam - s.gammaln(k + 1)), 0)
    return where(lam >= 0, y, x, lam)


@builtin("poisscdf", family="stats/distributions", lift="map", effects="pure")
def poisscdf(x: Data, lam: Data) -> Data:
    """Cumulative probability of the Poisson distribution.

    P = poisscdf(X, LAMBDA)

    Examples:
        >> poisscdf(2, 3)
        ans =
            0.4232

    See also: poisspdf, poissinv, poissrnd.
    """
    must_be_real(x, lam)
    return where(lam >= 0, poisson_cdf(x, lam), x, lam)


@builtin("poissinv", family="stats/distributions", lift="map", effects="pure")
def poissinv(p: Data, lam: Data) -> Data:
    """Quantiles of the Poisson distribution.

    X = poissinv(P, LAMBDA): the least X with poisscdf(X, LAMBDA) >= P

    Examples:
        >> poissinv(0.5, 3)
        ans =
             3

    See also: poisspdf, poisscdf, poissrnd.
    """
    must_be_real(p, lam)
    return where(probability(p) & (lam >= 0), poisson_quantile(p, lam), p, lam)
