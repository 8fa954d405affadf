"""Random numbers of distributions, drawn from the session's stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_stats.arguments import Data, given, integer, real
from runmat_stats.discrete import binomial_quantile, poisson_quantile
from runmat_stats.distributions import special


def numbers(interp: Interp, name: str, shape: Sequence[int]) -> Data:
    """What ``rand`` or ``randn`` gives, of a size."""
    function = interp.builtin(name)
    assert function is not None
    value = function(1, *[float(n) for n in shape])
    return np.asarray(getattr(value, "data", value), np.float64).reshape(shape, order="F")


def _shape(sizes: Sequence[Any], common: tuple[int, ...], name: str) -> tuple[int, ...]:
    """The size that arguments ask for, which parameters that are no scalars must have."""
    if not sizes:
        return common
    if len(sizes) == 1:
        a = real(sizes[0], name).ravel()
        extents = [integer(np.reshape(e, (1, 1)), name, "Size") for e in a]
        wanted = tuple(extents * 2 if len(extents) == 1 else extents)
        if not wanted:
            raise MatlabError(f"stats:{name}:InvalidSize", "The size must not be empty.")
    else:
        wanted = tuple(integer(s, name, "Size") for s in sizes)
    while len(wanted) > 2 and wanted[-1] == 1:
        wanted = wanted[:-1]
    if int(np.prod(common)) != 1 and common != wanted:
        raise MatlabError(f"stats:{name}:InputSizeMismatch", "Size information is inconsistent.")
    return wanted


def _drawn(
    name: str,
    interp: Interp,
    args: tuple[Any, ...],
    count: int,
    source: str,
    rule: Callable[..., Any],
    valid: Callable[..., Any],
) -> Data:
    """`rule` of random numbers and `count` parameters; NaN where these are not valid."""
    parameters = [real(p, name) for p in args[:count]]
    try:
        common = np.broadcast_shapes(*[p.shape for p in parameters])
    except ValueError:
        raise MatlabError(
            f"stats:{name}:InputSizeMismatch", "Parameters must have compatible sizes."
        ) from None
    shape = _shape(args[count:], common, name)
    drawn = numbers(interp, source, shape)
    result = np.where(valid(*parameters), rule(drawn, *parameters), np.nan)
    single = any(p.dtype == np.float32 for p in parameters)
    return np.broadcast_to(result, shape).astype(np.float32 if single else np.float64)


@builtin(
    "normrnd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, None),
    needs=("interp",),
    effects="rng",
)
def normrnd(*args: Any, interp: Interp) -> Data:
    """Normally distributed random numbers.

    R = normrnd(MU, SIGMA), R = normrnd(MU, SIGMA, M, N, …), R = normrnd(MU, SIGMA, SZ)

    Examples:
        >> size(normrnd(0, 1, 2, 3))
        ans =
             2     3

    See also: randn, norminv, mvnrnd.
    """
    return _drawn(
        "normrnd", interp, args, 2, "randn", lambda z, m, s: m + s * z, lambda m, s: s >= 0
    )


@builtin(
    "unifrnd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, None),
    needs=("interp",),
    effects="rng",
)
def unifrnd(*args: Any, interp: Interp) -> Data:
    """Uniformly distributed random numbers.

    R = unifrnd(A, B), R = unifrnd(A, B, M, N, …), R = unifrnd(A, B, SZ)

    Examples:
        >> r = unifrnd(2, 3, 1, 100);
        >> all(r > 2 & r < 3)
        ans =
          logical
           1

    See also: rand, randi, unifinv.
    """
    return _drawn(
        "unifrnd", interp, args, 2, "rand", lambda u, a, b: a + (b - a) * u, lambda a, b: a <= b
    )


@builtin(
    "exprnd",
    family="stats/draws",
    lift="arrays",
    nargin=(1, None),
    needs=("interp",),
    effects="rng",
)
def exprnd(*args: Any, interp: Interp) -> Data:
    """Exponentially distributed random numbers.

    R = exprnd(MU) with mean MU, R = exprnd(MU, M, N, …), R = exprnd(MU, SZ)

    Examples:
        >> size(exprnd(2, 1, 4))
        ans =
             1     4

    See also: expinv, gamrnd, rand.
    """
    return _drawn("exprnd", interp, args, 1, "rand", lambda u, m: -m * np.log(u), lambda m: m >= 0)


@builtin(
    "gamrnd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, None),
    needs=("interp",),
    effects="rng",
)
def gamrnd(*args: Any, interp: Interp) -> Data:
    """Gamma distributed random numbers.

    R = gamrnd(A, B) with shape A and scale B, R = gamrnd(A, B, M, N, …), R = gamrnd(A, B, SZ)

    Examples:
        >> size(gamrnd(2, 3, [2 2]))
        ans =
             2     2

    See also: gaminv, exprnd.
    """
    return _drawn(
        "gamrnd",
        interp,
        args,
        2,
        "rand",
        lambda u, a, b: b * special().gammaincinv(a, u),
        lambda a, b: (a >= 0) & (b >= 0),
    )


@builtin(
    "binornd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, None),
    needs=("interp",),
    effects="rng",
)
def binornd(*args: Any, interp: Interp) -> Data:
    """Binomially distributed random numbers.

    R = binornd(N, P), R = binornd(N, P, M, N, …), R = binornd(N, P, SZ)

    Examples:
        >> binornd(5, 1)
        ans =
             5

    See also: binopdf, binoinv, poissrnd.
    """
    return _drawn(
        "binornd",
        interp,
        args,
        2,
        "rand",
        binomial_quantile,
        lambda n, p: (n >= 0) & (n == np.floor(n)) & (p >= 0) & (p <= 1),
    )


@builtin(
    "poissrnd",
    family="stats/draws",
    lift="arrays",
    nargin=(1, None),
    needs=("interp",),
    effects="rng",
)
def poissrnd(*args: Any, interp: Interp) -> Data:
    """Poisson distributed random numbers.

    R = poissrnd(LAMBDA), R = poissrnd(LAMBDA, M, N, …), R = poissrnd(LAMBDA, SZ)

    Examples:
        >> poissrnd(0)
        ans =
             0

    See also: poisspdf, poissinv, binornd.
    """
    return _drawn("poissrnd", interp, args, 1, "rand", poisson_quantile, lambda m: m >= 0)


@builtin(
    "mvnrnd", family="stats/draws", lift="arrays", nargin=(2, 3), needs=("interp",), effects="rng"
)
def mvnrnd(mu: Any, sigma: Any, n: Any = None, *, interp: Interp) -> Data:
    """Random vectors of a multivariate normal distribution, one in a row.

    R = mvnrnd(MU, SIGMA, N) with the mean MU (a row) and the covariance SIGMA, a matrix or the
    row of variances
    R = mvnrnd(MU, SIGMA) with a mean in each row of MU

    Examples:
        >> size(mvnrnd([0 0], [2 1; 1 2], 5))
        ans =
             5     2

    See also: normrnd, randn, chol.
    """
    mean, covariance = real(mu, "mvnrnd"), real(sigma, "mvnrnd")
    if mean.ndim != 2 or covariance.ndim != 2:
        raise MatlabError("stats:mvnrnd:BadMu", "MU and SIGMA must be matrices.")
    if covariance.shape[0] == 1 and covariance.shape[1] > 1:
        covariance = np.diag(covariance.ravel())
    size = covariance.shape[0]
    if mean.shape[1] != size and mean.shape == (size, 1):
        mean = mean.T
    if covariance.shape[1] != size or mean.shape[1] not in (1, size):
        raise MatlabError("stats:mvnrnd:InputSizeMismatch", "MU and SIGMA must match in size.")
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    tolerance = size * np.finfo(np.float64).eps * np.abs(values).max(initial=0)
    if (values < -10 * tolerance).any() or not np.allclose(covariance, covariance.T):
        raise MatlabError(
            "stats:mvnrnd:BadCovariance",
            "SIGMA must be a symmetric positive semi-definite matrix.",
        )
    count = integer(n, "mvnrnd", "N") if given(n) else mean.shape[0]
    if mean.shape[0] not in (1, count):
        raise MatlabError("stats:mvnrnd:InputSizeMismatch", "MU must have one row, or N.")
    root = vectors * np.sqrt(np.maximum(values, 0))
    return np.asarray(mean + numbers(interp, "randn", (count, size)) @ root.T)


@builtin("randg", family="stats/draws", lift="arrays", needs=("interp",), effects="rng")
def randg(*args: Any, interp: Interp) -> Data:
    """Gamma distributed random numbers with scale 1.

    R = randg with shape 1, R = randg(A) with shape A, R = randg(A, M, N, …), R = randg(A, SZ)

    Examples:
        >> size(randg(2, 1, 3))
        ans =
             1     3

    See also: gamrnd, rand, randn.
    """
    return _drawn(
        "randg",
        interp,
        args or (np.ones((1, 1)),),
        1,
        "rand",
        lambda u, a: special().gammaincinv(a, u),
        lambda a: a >= 0,
    )


@builtin(
    "betarnd",
    family="stats/draws",
    lift="arrays",
    nargin=(2, None),
    needs=("interp",),
    effects="rng",
)
def betarnd(*args: Any, interp: Interp) -> Data:
    """Beta distributed random numbers.

    R = betarnd(A, B), R = betarnd(A, B, M, N, …), R = betarnd(A, B, SZ)

    Examples:
        >> size(betarnd(2, 3, [2 2]))
        ans =
             2     2

    See also: betainv, gamrnd.
    """
    return _drawn(
        "betarnd",
        interp,
        args,
        2,
        "rand",
        lambda u, a, b: special().betaincinv(a, b, u),
        lambda a, b: (a > 0) & (b > 0),
    )


@builtin(
    "chi2rnd",
    family="stats/draws",
    lift="arrays",
    nargin=(1, None),
    needs=("interp",),
    effects="rng",
)
def chi2rnd(*args: Any, interp: Interp) -> Data:
    """Chi-square distributed random numbers.

    R = chi2rnd(NU) with NU degrees of freedom, R = chi2rnd(NU, M, N, …), R = chi2rnd(NU, SZ)

    Examples:
        >> size(chi2rnd(4, 2, 3))
        ans =
             2     3

    See also: chi2inv, gamrnd, trnd.
    """
    return _drawn(
        "chi2rnd",
        interp,
        args,
        1,
        "rand",
        lambda u, n: 2 * special().gammaincinv(n / 2, u),
        lambda n: n > 0,
    )


@builtin(
    "trnd", family="stats/draws", lift="arrays", nargin=(1, None), needs=("interp",), effects="rng"
)
def trnd(*args: Any, interp: Interp) -> Data:
    """Random numbers of Student's t distribution.

    R = trnd(NU) with NU degrees of freedom, R = trnd(NU, M, N, …), R = trnd(NU, SZ)

    Examples:
        >> size(trnd(4, 2, 3))
        ans =
             2     3

    See also: tinv, randn, chi2rnd.
    """
    return _drawn(
        "trnd", interp, args, 1, "rand", lambda u, n: special().stdtrit(n, u), lambda n: n > 0
    )
