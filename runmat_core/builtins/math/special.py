"""Special functions: gamma, beta and their relatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir, libraries
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.builtins.arguments import floating, option
from runmat_core.builtins.lift import expand, value_of
from runmat_core.builtins.math import extended, incomplete, polygamma
from runmat_core.values import from_numpy

Operand = NDArray[Any]


def real_operand(x: Operand, name: str) -> Operand:
    if x.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{name}:complexInput", "Input must be real and full.")
    return x


def _argument(value: Any, name: str) -> Operand:
    return real_operand(floating(value, name), name)


def _gamma(x: float) -> Any:
    if not 1e-300 < x < 170.0:
        return NotImplemented
    whole = x < 24.0 and x == int(x)
    return math.gamma(x) if whole or not extended.WIDER else polygamma.gamma_of_one(x)


@builtin(
    "gamma",
    family="math/special",
    lift="map",
    scalar=_gamma,
    effects="pure",
    fusion=lambda x: ir.gamma(x),
)
def gamma(x: Operand) -> Operand:
    """Gamma function; gamma(N+1) is the factorial of N.

    Y = gamma(X)

    Examples:
        >> gamma([5 0.5])
        ans =
           24.0000    1.7725

    See also: gammaln, factorial, beta, psi.
    """
    poles = (x <= 0) & (x == np.floor(real_operand(x, "gamma")))
    result = np.where(poles, np.inf, libraries.special().gamma(x))
    regular = (x > -200) & (x < 172) & ~poles & (np.abs(x) > 1e-300)
    if extended.WIDER and regular.any():
        result[regular] = polygamma.gamma(x[regular])
    return result.astype(x.dtype)


def _gammaln(x: float) -> Any:
    return float(libraries.special().gammaln(x)) if 3.0 < x < 1e300 else NotImplemented


@builtin(
    "gammaln",
    family="math/special",
    lift="map",
    scalar=_gammaln,
    effects="pure",
    fusion=Map(lambda x: ir.gammaln(x), domain=(0.0, math.inf), refuses="outside"),
)
def gammaln(x: Operand) -> Operand:
    """Logarithm of the gamma function, without overflow.

    Y = gammaln(X) of nonnegative X

    Examples:
        >> gammaln(10)
        ans =
           12.8018

    See also: gamma, betaln, factorial.
    """
    if (real_operand(x, "gammaln") < 0).any():
        raise MatlabError("MATLAB:gammaln:negativeInput", "Input must be nonnegative.")
    plain = libraries.special().gammaln(x)
    near = (x > 0.5) & (x < 3)  # its zeros are 1 and 2
    if extended.WIDER and near.any():
        plain = np.array(plain)
        plain[near] = extended.in_blocks(extended.log_gamma, x[near])
    return np.asarray(plain)


@builtin("psi", family="math/special", effects="pure")
def psi(k: Any, x: Any = None) -> Any:
    """Polygamma functions: derivatives of the logarithm of the gamma function.

    Y = psi(X) is the digamma function
    Y = psi(K, X) is its K-th derivative

    Examples:
        >> psi(1)
        ans =
           -0.5772

    See also: gamma, gammaln.
    """
    if x is None:
        a = real_operand(floating(k, "psi"), "psi")
        return from_numpy(_psi(np.zeros(a.shape), a))
    order, a = expand([floating(k, "psi"), real_operand(floating(x, "psi"), "psi")])
    if order.dtype.kind == "c" or not ((order >= 0) & (order % 1 == 0)).all():
        raise MatlabError("MATLAB:psi:kNotInteger", "K must be a nonnegative integer.")
    return from_numpy(_psi(*np.broadcast_arrays(order, a)))


def _psi(order: Operand, x: Operand) -> Operand:
    special = libraries.special()
    result = np.empty(x.shape)
    with np.errstate(all="ignore"):
        for n in np.unique(order):
            at, k = order == n, int(n)
            points = x[at].astype(np.float64)
            if not extended.WIDER:
                result[at] = special.digamma(points) if k == 0 else special.polygamma(k, points)
            else:
                result[at] = polygamma.digamma(points) if k == 0 else polygamma.polygamma(k, points)
    return result.astype(x.dtype)


@builtin("beta", family="math/special", lift="map", effects="pure")
def beta(z: Operand, w: Operand) -> Operand:
    """Beta function.

    B = beta(Z, W) is gamma(Z).*gamma(W)./gamma(Z+W)

    Examples:
        >> beta(2, 3)
        ans =
            0.0833

    See also: betaln, betainc, gamma.
    """
    return _of_beta(lambda z, w: np.exp(extended.log_beta(z, w)), "beta", z, w)


@builtin("betaln", family="math/special", lift="map", effects="pure")
def betaln(z: Operand, w: Operand) -> Operand:
    """Logarithm of the beta function, without underflow.

    B = betaln(Z, W)

    Examples:
        >> betaln(2, 3)
        ans =
           -2.4849

    See also: beta, gammaln.
    """
    return _of_beta(polygamma.log_beta, "betaln", z, w)


def _of_beta(rule: Callable[..., Any], name: str, z: Operand, w: Operand) -> Operand:
    """`rule` in extended precision where both arguments are positive, SciPy's elsewhere."""
    first, second = np.broadcast_arrays(real_operand(z, name), real_operand(w, name))
    result = np.array(getattr(libraries.special(), name)(first, second))
    regular = (first > 1e-300) & (second > 1e-300) & (first < 1e300) & (second < 1e300)
    if extended.WIDER and regular.any():
        result[regular] = extended.in_blocks(rule, first[regular], second[regular])
    return result


_TAILS = ("lower", "upper", "scaledlower", "scaledupper")


def _tail(value: Any, name: str, count: int = 2) -> str:
    """Which tail is asked for; scaled ones are among the first four."""
    word = "lower" if value is None else option(value)
    if word not in _TAILS[:count]:
        raise MatlabError(f"MATLAB:{name}:InvalidTailArg", "Tail must be 'lower' or 'upper'.")
    return word


def _spread(*operands: Operand) -> list[Operand]:
    """Operands of one size, in doubles."""
    return [np.asarray(o, np.float64) for o in np.broadcast_arrays(*operands)]


@builtin("gammainc", family="math/special", effects="pure")
def gammainc(x: Any, a: Any, tail: Any = None) -> Any:
    """Regularised incomplete gamma function.

    Y = gammainc(X, A), Y = gammainc(X, A, "upper")
    Y = gammainc(X, A, "scaledlower") and "scaledupper" are multiplied by
    gamma(A + 1)*exp(X)/X^A, which keeps small ones from underflow

    A is not negative; X may be.

    Examples:
        >> gammainc(1, 1)
        ans =
            0.6321

    See also: gamma, gammaincinv, betainc.
    """
    word = _tail(tail, "gammainc", 4)
    limit, shape = expand([_argument(x, "gammainc"), _argument(a, "gammainc")])
    if (shape < 0).any():
        raise MatlabError("MATLAB:gammainc:NegativeArg", "A must be nonnegative.")
    scaled, upper = word.startswith("scaled"), word.endswith("upper")
    rule = incomplete.gammainc_scaled if scaled else incomplete.gammainc
    x, a = _spread(limit, shape)
    below = (x < 0) & (x > -np.inf)
    result = rule(np.where(below, 1.0, x), a, upper=upper)
    if below.any():
        result = result.astype(np.complex128)
        result[below] = incomplete.gammainc_below(x[below], a[below], upper=upper, scaled=scaled)
        return value_of(result.astype(np.result_type(limit.dtype, np.complex64)))
    return from_numpy(result.astype(limit.dtype))


@builtin("gammaincinv", family="math/special", effects="pure")
def gammaincinv(y: Any, a: Any, tail: Any = None) -> Any:
    """Inverse of the regularised incomplete gamma function.

    X = gammaincinv(Y, A), X = gammaincinv(Y, A, "upper")

    Examples:
        >> gammaincinv(0.5, 1)
        ans =
            0.6931

    See also: gammainc, gamma.
    """
    upper = _tail(tail, "gammaincinv") == "upper"
    level, shape = expand([_argument(y, "gammaincinv"), _argument(a, "gammaincinv")])
    result = incomplete.gammaincinv(*_spread(level, shape), upper=upper)
    return from_numpy(result.astype(level.dtype))


@builtin("betainc", family="math/special", effects="pure")
def betainc(x: Any, z: Any, w: Any, tail: Any = None) -> Any:
    """Regularised incomplete beta function.

    I = betainc(X, Z, W), I = betainc(X, Z, W, "upper")

    Examples:
        >> betainc(0.5, 2, 2)
        ans =
            0.5000

    See also: beta, betaincinv, gammainc.
    """
    upper = _tail(tail, "betainc") == "upper"
    limit, first, second = expand([_argument(v, "betainc") for v in (x, z, w)])
    if not ((limit >= 0) & (limit <= 1)).all():
        raise MatlabError("MATLAB:betainc:XoutOfRange", "X must be in the interval [0,1].")
    for shape, name in ((first, "Z"), (second, "W")):
        if not (shape >= 0).all():
            raise MatlabError(
                f"MATLAB:betainc:Positive{name}", f"{name} must be real and nonnegative."
            )
    result = incomplete.betainc(*_spread(limit, first, second), upper=upper)
    return from_numpy(result.astype(limit.dtype))


@builtin("betaincinv", family="math/special", effects="pure")
def betaincinv(y: Any, z: Any, w: Any, tail: Any = None) -> Any:
    """Inverse of the regularised incomplete beta function.

    X = betaincinv(Y, Z, W), X = betaincinv(Y, Z, W, "upper")

    Examples:
        >> betaincinv(0.5, 2, 2)
        ans =
            0.5000

    See also: betainc, beta.
    """
    upper = _tail(tail, "betaincinv") == "upper"
    level, first, second = expand([_argument(v, "betaincinv") for v in (y, z, w)])
    result = incomplete.betaincinv(*_spread(level, first, second), upper=upper)
    return from_numpy(result.astype(level.dtype))
