"""Distributions of vectors and matrices: normal, multinomial, Wishart and its inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_stats.arguments import Data, given, integer, real, scalar
from runmat_stats.distributions import special
from runmat_stats.draws import numbers


@builtin(
    "wishrnd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, 3),
    nargout=2,
    needs=("interp", "nargout"),
    effects="rng",
)
def wishrnd(sigma: Any, df: Any, d: Any = None, *, interp: Interp, nargout: int) -> Any:
    """Random matrix of the Wishart distribution.

    W = wishrnd(SIGMA, DF) with the covariance SIGMA and DF degrees of freedom
    [W, D] = wishrnd(SIGMA, DF) gives the Cholesky factor of SIGMA, too
    W = wishrnd(SIGMA, DF, D) uses it

    Examples:
        >> W = wishrnd([2 1; 1 2], 5);
        >> issymmetric(W) && all(eig(W) > 0)
        ans =
          logical
           1

    See also: iwishrnd, mvnrnd, chi2rnd.
    """
    factor = real(d, "wishrnd") if given(d) else _cholesky(_covariance(sigma, "wishrnd"), "wishrnd")
    root = _bartlett(interp, len(factor), df, "wishrnd") @ factor
    w = root.T @ root
    return (w, factor) if nargout > 1 else w


@builtin(
    "iwishrnd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, 3),
    nargout=2,
    needs=("interp", "nargout"),
    effects="rng",
)
def iwishrnd(tau: Any, df: Any, di: Any = None, *, interp: Interp, nargout: int) -> Any:
    """Random matrix of the inverse Wishart distribution.

    W = iwishrnd(TAU, DF) has the mean TAU/(DF - D - 1), where TAU is D-by-D
    [W, DI] = iwishrnd(TAU, DF) gives a factor of inv(TAU) = DI'*DI, too
    W = iwishrnd(TAU, DF, DI) uses it

    Examples:
        >> W = iwishrnd([2 1; 1 2], 5);
        >> issymmetric(W) && all(eig(W) > 0)
        ans =
          logical
           1

    See also: wishrnd, mvnrnd.
    """
    from scipy.linalg import solve_triangular

    if given(di):
        factor = real(di, "iwishrnd")
    else:
        upper = _cholesky(_covariance(tau, "iwishrnd"), "iwishrnd")
        factor = solve_triangular(upper, np.eye(len(upper))).T
    # the inverse of root'*root; its triangular part is inverted as such
    triangle = _bartlett(interp, len(factor), df, "iwishrnd")
    root = np.linalg.solve(factor, solve_triangular(triangle, np.eye(len(triangle))))
    w = root @ root.T
    return (w, factor) if nargout > 1 else w


def _covariance(value: Any, name: str) -> Data:
    a = real(value, name).astype(np.float64)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise MatlabError(f"stats:{name}:BadCovariance", "The covariance must be a square matrix.")
    return a


def _cholesky(a: Data, name: str) -> Data:
    """The upper triangular factor."""
    try:
        if not np.isfinite(a).all() or not np.allclose(a, a.T):
            raise np.linalg.LinAlgError
        return np.linalg.cholesky(a).T
    except np.linalg.LinAlgError:
        raise MatlabError(
            f"stats:{name}:BadCovariance",
            "The covariance must be symmetric and positive definite.",
        ) from None


def _bartlett(interp: Interp, size: int, df: Any, name: str) -> Data:
    """Upper triangular R with R'*R of the standard Wishart distribution: M. S. Bartlett, 1933."""
    freedom = scalar(df, name, "DF")
    if not freedom > size - 1:
        raise MatlabError(
            f"stats:{name}:BadDf", "The degrees of freedom must be larger than the dimension - 1."
        )
    shape = (freedom - np.arange(size)) / 2
    squares = 2 * special().gammaincinv(shape, numbers(interp, "rand", (1, size)).ravel())
    above = np.triu(numbers(interp, "randn", (size, size)), 1)
    return np.asarray(above + np.diag(np.sqrt(squares)))


@builtin("mvnpdf", family="stats/distributions", lift="arrays", nargin=(1, 3), effects="pure")
def mvnpdf(x: Any, mu: Any = None, sigma: Any = None) -> Data:
    """Density of a multivariate normal distribution at the rows of a matrix.

    Y = mvnpdf(X) has the mean 0 and the covariance I
    Y = mvnpdf(X, MU, SIGMA) has the mean MU, a row or one for each row of X, and the covariance
    SIGMA, a matrix or the row of variances

    Examples:
        >> mvnpdf([0 0; 1 1])
        ans =
            0.1592
            0.0585

    See also: mvnrnd, normpdf.
    """
    from scipy.linalg import solve_triangular

    a = real(x, "mvnpdf")
    if a.ndim != 2:
        raise MatlabError("stats:mvnpdf:InvalidData", "X must be a matrix.")
    mean = real(mu, "mvnpdf") if given(mu) else np.zeros((1, 1))
    covariance = real(sigma, "mvnpdf") if given(sigma) else np.eye(a.shape[1])
    # a column of data is one point where the mean says so
    if a.shape[1] == 1 and mean.shape[1] == a.shape[0] == covariance.shape[0] > 1:
        a = a.T
    size = a.shape[1]
    if covariance.shape == (1, size):
        covariance = np.diag(covariance.ravel())
    if mean.shape not in ((1, 1), (1, size), a.shape) or covariance.shape != (size, size):
        raise MatlabError("stats:mvnpdf:InvalidSigma", "X, MU and SIGMA must match in size.")
    upper = _cholesky(covariance.astype(np.float64), "mvnpdf")
    scaled = solve_triangular(upper, (a - mean).T, trans=1, check_finite=False)
    log_root = np.log(upper.diagonal()).sum() + size * np.log(2 * np.pi) / 2
    density = np.exp(-0.5 * (scaled**2).sum(axis=0) - log_root)
    return np.asarray(density.reshape(-1, 1), a.dtype)


@builtin(
    "mnrnd", family="stats/draws", lift="arrays", nargin=(2, 3), needs=("interp",), effects="rng"
)
def mnrnd(n: Any, p: Any, m: Any = None, *, interp: Interp) -> Data:
    """Random vectors of the multinomial distribution, one in a row.

    R = mnrnd(N, P) counts outcomes of N trials with the probabilities P, a row
    R = mnrnd(N, P, M) has M rows; R = mnrnd(N, P) has one for each row of P

    Examples:
        >> sum(mnrnd(10, [0.2 0.3 0.5], 2), 2)
        ans =
            10
            10

    See also: binornd, randsample.
    """
    trials, shares = integer(n, "mnrnd", "N"), real(p, "mnrnd").astype(np.float64)
    count = integer(m, "mnrnd", "M") if given(m) else shares.shape[0]
    if shares.ndim != 2 or shares.shape[0] not in (1, count):
        raise MatlabError("stats:mnrnd:InputSizeMismatch", "P must have one row, or M.")
    ends = np.cumsum(np.broadcast_to(shares, (count, shares.shape[1])), axis=1)
    valid = (shares >= 0).all(axis=1) & (np.abs(ends[:, -1] - 1) < 1e-8)
    drawn = numbers(interp, "rand", (count, trials))
    below = [(drawn < ends[:, k : k + 1]).sum(axis=1) for k in range(shares.shape[1] - 1)]
    counts = np.diff(np.stack([np.zeros(count), *below, np.full(count, trials)], axis=1), axis=1)
    return np.asarray(np.where(valid[:, None], counts, np.nan))
