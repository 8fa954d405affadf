"""Bessel functions of real order and positive argument in extended precision, element by element.

Order and argument are vectors of the widest numbers there are. Functions of the second kind, which
are stable to compute towards higher orders, come first at a base order: from N. M. Temme's series
near zero, from integrals along the path of steepest descent, whose trapezoidal sums converge
geometrically, and from H. Hankel's expansions far out. Recurrence brings them to the order that is
asked for. Functions of the first kind follow from a continued fraction and a Wronskian where they
do not oscillate: G. N. Watson, "A Treatise on the Theory of Bessel Functions", 6.2, 7.2; N. M.
Temme, J. Comput. Phys. 19 (1975) 324; NIST Digital Library of Mathematical Functions, 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.builtins.math.extended import EPSILON, Long
from runmat_core.builtins.math.turns import PI, waves

#: Below, Temme's series; from `FAR` on Hankel's expansions are exact to 64 bits.
NEAR, FAR = 0.5, 25

#: Distance of the nodes of the trapezoidal rule. Its error is the least value of
#: exp(FAR*sin(a)*tan(a) - 2*pi*a/_STEP), that at a = 0.9.
_STEP = np.longdouble("0.075")
_TINY = np.longdouble("1e-4000")

#: Coefficients of 1/gamma(1 + z) at zero.
_RECIPROCAL_GAMMA = tuple(
    np.longdouble(text)
    for text in """
    1 0.5772156649015328606065120900824 -0.6558780715202538810770195151454
    -0.04200263503409523552900393487543 0.1665386113822914895017007951021
    -0.04219773455554433674820830128919 -0.009621971527876973562114921672348
    0.007218943246663099542395010340447 -0.001165167591859065112113971084018
    -0.0002152416741149509728157299630536 0.0001280502823881161861531986263282
    -0.00002013485478078823865568939142102 -0.000001250493482142670657345359473833
    0.000001133027231981695882374129620331 -0.0000002056338416977607103450154130021
    0.000000006116095104481415817862498682855 0.000000005002007644469222930055665048060
    -0.000000001181274570487020144588126565437 1.043426711691100510491540332312e-10
    7.782263439905071254049937311361e-12 -3.696805618642205708187815878086e-12
    5.100370287454475979015481322863e-13 -2.058326053566506783222429544855e-14
    -5.348122539423017982370017318728e-15 1.226778628238260790158893846622e-15
    -1.181259301697458769513764586843e-16 1.186692254751600332579777242929e-18
    1.412380655318031781555803947566e-18 -2.298745684435370206592478580634e-19
    1.714406321927337433383963370267e-20
    """.split()
)

Pair = tuple[Long, Long]


def split(nu: Long, x: Long) -> Pair:
    """Return a base order and its steps below `nu`: none if Hankel's expansion serves."""
    direct = (x >= FAR) & (nu * nu <= 4 * x)
    steps = np.where(direct, 0, np.rint(nu))
    return nu - steps, steps


def _by_region(rules: tuple[Any, Any, Any], mu: Long, x: Long, count: int) -> list[Long]:
    near, far = x < NEAR, x >= FAR
    results = [np.empty_like(x) for _ in range(count)]
    for rule, where in zip(rules, (near, ~near & ~far, far), strict=True):
        if where.any():
            for result, part in zip(results, rule(mu[where], x[where]), strict=True):
                result[where] = part
    return results


def hankel(nu: Long, x: Long, rest: Long | None = None) -> tuple[Pair, Pair]:
    """J and Y at orders `nu` >= -1/2 and `nu` + 1, with errors relative to hypot(J, Y).

    `rest` is what the argument has beyond `x`. Results of the first kind are of no use where
    `x` < `nu`, and nothing else of them is where `x` is below 1/2.
    """
    mu, steps = split(nu, x)
    rules = (_temme_y, _descent_y, lambda m, z: _far_y(m, z, None))
    if rest is not None:
        rules = (rules[0], rules[1], lambda m, z: _far_y(m, z, rest[x >= FAR]))
    first, first_up, second, second_up = _by_region(rules, mu, x, 4)
    with np.errstate(all="ignore"):
        return (
            _ascend(first, first_up, mu, steps, x, -1),
            _ascend(second, second_up, mu, steps, x, -1),
        )


def macdonald(nu: Long, x: Long) -> Pair:
    """K at orders `nu` >= -1/2 and `nu` + 1, times exp(x)."""
    mu, steps = split(nu, x)
    value, up = _by_region((near_k, _descent_k, far_k), mu, x, 2)
    with np.errstate(all="ignore"):
        return _ascend(value, up, mu, steps, x, 1)


def _ascend(value: Long, up: Long, mu: Long, steps: Long, x: Long, sign: int) -> Pair:
    """Values at orders mu + steps and one above, by recurrence from those at mu and mu + 1."""
    most, least = int(steps.max(initial=0)), int(steps.min(initial=0))
    for k in range(1, most + 1):
        above = 2 * (mu + k) / x * up + sign * value
        above = np.where(np.isnan(above), np.copysign(np.inf, up), above)
        if k <= least:
            value, up = up, above
        else:
            going = steps >= k
            value, up = np.where(going, up, value), np.where(going, above, up)
        if k % 64 == 0 and not np.isfinite(up[steps > k]).any():
            value = np.where(steps > k, up, value)
            break
    return value, up


# -- near zero -----------------------------------------------------------------------------------


def _gammas(mu: Long) -> tuple[Any, ...]:
    """gamma(1 + mu), gamma(1 - mu) and Temme's two combinations of their reciprocals."""
    square = mu * mu
    odd, even = np.zeros_like(mu), np.zeros_like(mu)
    for k in range(len(_RECIPROCAL_GAMMA) - 2, -1, -2):
        even = even * square + _RECIPROCAL_GAMMA[k]
        odd = odd * square + _RECIPROCAL_GAMMA[k + 1]
    return 1 / (even + mu * odd), 1 / (even - mu * odd), -odd, even


def _temme_start(mu: Long, x: Long) -> tuple[Long, Long, Long]:
    plus, minus, gamma_1, gamma_2 = _gammas(mu)
    log = np.log(2 / x)
    sigma = mu * log
    small = np.abs(sigma) < EPSILON
    ratio = np.where(small, 1, np.sinh(sigma) / np.where(small, 1, sigma))
    turn = PI * mu
    circle = np.where(mu == 0, 1, turn / np.where(mu == 0, 1, np.sin(turn)))
    start = circle * (np.cosh(sigma) * gamma_1 + ratio * log * gamma_2)
    power = np.power(x / 2, mu)
    return start, plus / power / 2, minus * power / 2


def _temme_series(mu: Long, x: Long, sign: int, share: Long) -> Pair:
    """Return sums for the functions of order mu and mu + 1; `sign` is that of x^2 in them."""
    f, p, q = _temme_start(mu, x)
    square = sign * x * x / 4
    factor: Any = np.ones_like(x)
    total, total_up = f + share * q, p
    for k in range(1, 40):
        f = (k * f + p + q) / (k * k - mu * mu)
        p, q = p / (k - mu), q / (k + mu)
        factor = factor * square / k
        g = f + share * q
        total = total + factor * g
        total_up = total_up + factor * (p - k * g)
        if (np.abs(factor) < EPSILON / 64).all():
            break
    return total, total_up * 2 / x


def near_k(mu: Long, x: Long) -> Pair:
    value, up = _temme_series(mu, x, 1, np.zeros_like(x))
    scale = np.exp(x)
    return value * scale, up * scale


def _temme_y(mu: Long, x: Long) -> tuple[Long, ...]:
    half = np.sin(PI * mu / 2)
    share = np.where(mu == 0, 0, PI / np.where(mu == 0, 1, mu) * half * half)
    share = share * 2 / PI  # q here is half of Temme's times pi
    value, up = _temme_series(mu, x, -1, share)
    none = np.full_like(x, np.nan)
    return none, none, value * (-2 / PI), up * (-2 / PI)


# -- between -------------------------------------------------------------------------------------


def _descent(x: Long, decay: Any) -> tuple[Long, Long]:
    """Nodes, and exp(-x*decay(node)) with a row for each argument."""
    reach = np.arcsinh(48 / float(x.min())) + 0.5
    nodes = np.arange(int(reach / float(_STEP)) + 1) * _STEP
    weights = np.exp(-x[:, None] * decay(nodes))
    weights[:, 0] /= 2
    return nodes, weights


def _descent_k(mu: Long, x: Long) -> Pair:
    """Return the integral of exp(-x*(cosh(t) - 1))*cosh(mu*t) over positive t."""
    nodes, weights = _descent(x, lambda t: 2 * np.sinh(t / 2) ** 2)
    value, up = (
        _weighted(weights, m, lambda order: np.cosh(order[:, None] * nodes)) for m in (mu, mu + 1)
    )
    return value * _STEP, up * _STEP


def _descent_y(mu: Long, x: Long) -> tuple[Long, ...]:
    """J and Y of H = exp(i*(x - mu*pi/2))/(pi*i) times an integral over all real t.

    On the path t + i*(pi/2 + gd(t)), gd the Gudermannian function, x*sinh is
    i*x - x*sinh(t)*tanh(t).
    """
    nodes, weights = _descent(x, lambda t: np.sinh(t) * np.tanh(t))
    angle, slope = np.arctan(np.sinh(nodes)), 1 / np.cosh(nodes)
    results: list[list[Long]] = [[], []]
    for m in (mu, mu + 1):

        def parts(order: Long) -> Any:
            a, b = order[:, None] * nodes, order[:, None] * angle
            return np.cosh(a) * np.cos(b) + 1j * (np.sinh(a) * np.sin(b))

        total = _weighted(weights, m, lambda order: parts(order) * (1 + 1j * slope))
        real, imaginary = total.real * (2 * _STEP / PI), total.imag * (2 * _STEP / PI)
        cosine, sine = waves(x, -m / 2)
        results[0].append(cosine * imaginary + sine * real)
        results[1].append(sine * imaginary - cosine * real)
    return (*results[0], *results[1])


def _weighted(weights: Long, mu: Long, factors: Any) -> Any:
    """Return sums along rows of `weights` times factors of nodes and order alone."""
    if (mu == mu[0]).all():
        return (weights * factors(mu[:1])).sum(axis=1)
    return (weights * factors(mu)).sum(axis=1)


# -- far out -------------------------------------------------------------------------------------


def expansion(mu: Long, x: Long, sign: int) -> Pair:
    """Return sums of the even and the odd terms of Hankel's expansion, times powers of `sign`."""
    square = 4 * mu * mu
    term = even = np.ones_like(x)
    odd = np.zeros_like(x)
    for k in range(1, 60):
        term = term * (square - (2 * k - 1) ** 2) / (8 * k * x)
        if k % 2:
            odd = odd + (term if k % 4 == 1 or sign > 0 else -term)
        else:
            even = even + (term if k % 4 == 0 or sign > 0 else -term)
        if (np.abs(term) < EPSILON / 16).all():
            break
    return even, odd


def _far_y(mu: Long, x: Long, rest: Long | None) -> tuple[Long, ...]:
    results: list[list[Long]] = [[], []]
    for m in (mu, mu + 1):
        even, odd = expansion(m, x, -1)
        cosine, sine = waves(x, -m / 2 - 0.25, rest)
        scale = np.sqrt(2 / (PI * x))
        results[0].append(scale * (even * cosine - odd * sine))
        results[1].append(scale * (even * sine + odd * cosine))
    return (*results[0], *results[1])


def far_k(mu: Long, x: Long) -> Pair:
    scale = np.sqrt(PI / (2 * x))
    value, up = (scale * sum(expansion(m, x, 1)) for m in (mu, mu + 1))
    return value, up


def far_i(nu: Long, x: Long) -> Any:
    """I times exp(-x) where `x` is large beside `nu`."""
    even, odd = expansion(nu, x, 1)
    return (even - odd) / np.sqrt(2 * PI * x)


# -- functions of the first kind -----------------------------------------------------------------


def ratio(nu: Long, x: Any, sign: int) -> Any:
    """Return the quotient of the functions of the first kind of orders `nu` + 1 and `nu`.

    A continued fraction by Lentz's method; `sign` is 1 for I and -1 for J, where `x` must not be
    above `nu` by much.
    """
    b = 2 * (nu + 1) / x
    result = c = b
    d: Any = np.zeros_like(x)
    for k in range(2, 200_000):
        b = 2 * (nu + k) / x
        d = b + sign * d
        d = 1 / np.where(d == 0, _TINY, d)
        c = b + sign / c
        c = np.where(c == 0, _TINY, c)
        result = result * (c * d)
        if (np.abs(c * d - 1) < 2 * EPSILON).all():
            break
    return 1 / result


def first_j(nu: Long, x: Long, y: Long, y_up: Long) -> Long:
    """J where it does not oscillate, from Y at orders `nu` and `nu` + 1."""
    return np.where(np.isinf(y_up), 0, 2 / (PI * x) / (ratio(nu, x, -1) * y - y_up))


def first_i(nu: Long, x: Long, k: Long, k_up: Long) -> Any:
    """I times exp(-x) from K times exp(x) at orders `nu` and `nu` + 1."""
    return 1 / (x * (k_up + ratio(nu, x, 1) * k))
