"""Iterative methods for square systems by products with A alone: cgs, bicgstab, bicgstabl, tfqmr.

R. Barrett et al., "Templates for the Solution of Linear Systems", SIAM 1994; G. L. G. Sleijpen,
D. R. Fokkema, "BiCGstab(l) for linear equations involving unsymmetric matrices with complex
spectrum", ETNA 1 (1993); R. W. Freund, "A transpose-free quasi-minimal residual algorithm for
non-Hermitian linear systems", SIAM J. Sci. Comput. 14 (1993).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.linalg.iteration import Steps, System, Vector, norm, solve, usable

#: Degree of the polynomials that stabilise bicgstabl.
DEGREE = 2


def _cgs(system: System, goal: float) -> Steps:
    x, r = system.x0, system.residual(system.x0)
    shadow = r.copy()
    p: Any = None
    q: Any = None
    rho: Any = 1.0
    while True:
        before, rho = rho, np.vdot(shadow, r)
        if not usable(rho):
            return 4
        if p is None:
            u = p = r
        else:
            beta = rho / before
            u = r + beta * q
            p = u + beta * (q + beta * p)
        direction = system.precondition(p)
        if not np.isfinite(direction).all():
            return 2
        image = system.apply(direction)
        bottom = np.vdot(shadow, image)
        if not usable(bottom):
            return 4
        alpha = rho / bottom
        q = u - alpha * image
        both = system.precondition(u + q)
        x = x + alpha * both
        r = r - alpha * system.apply(both)
        yield x, norm(r)


@builtin("cgs", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp"))
def cgs(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by conjugate gradients squared.

    X = cgs(A, B, TOL, MAXIT, M1, M2, X0)
    [X, FLAG, RELRES, ITER, RESVEC] = cgs(…)

    Arguments and outputs are those of pcg.

    Examples:
        >> [x, flag] = cgs([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: pcg, bicg, bicgstab, gmres.
    """
    return solve("cgs", args, _cgs, nargout, interp)


def _bicgstab(system: System, goal: float) -> Steps:
    x, r = system.x0, system.residual(system.x0)
    shadow = r.copy()
    p: Any = None
    image: Any = None
    rho: Any = 1.0
    alpha: Any = 1.0
    omega: Any = 1.0
    while True:
        before, rho = rho, np.vdot(shadow, r)
        if not usable(rho, omega):
            return 4
        p = r if p is None else r + rho / before * (alpha / omega) * (p - omega * image)
        direction = system.precondition(p)
        if not np.isfinite(direction).all():
            return 2
        image = system.apply(direction)
        bottom = np.vdot(shadow, image)
        if not usable(bottom):
            return 4
        alpha = rho / bottom
        x = x + alpha * direction
        s = r - alpha * image
        yield x, norm(s)
        second = system.precondition(s)
        if not np.isfinite(second).all():
            return 2
        t = system.apply(second)
        length = np.vdot(t, t)
        if not usable(length):
            return 4
        omega = np.vdot(t, s) / length
        x = x + omega * second
        r = s - omega * t
        yield x, norm(r)


@builtin(
    "bicgstab", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp")
)
def bicgstab(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by stabilised biconjugate gradients.

    X = bicgstab(A, B, TOL, MAXIT, M1, M2, X0)
    [X, FLAG, RELRES, ITER, RESVEC] = bicgstab(…)

    Arguments and outputs are those of pcg. ITER may end in a half: each iteration gives two
    residuals.

    Examples:
        >> [x, flag] = bicgstab([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: pcg, bicg, gmres, ilu.
    """
    return solve("bicgstab", args, _bicgstab, nargout, interp, per_iteration=2)


def _pair(system: System, v: Vector) -> Vector:
    """Return a vector with its preconditioned twin, 2-by-n."""
    return np.stack([v, system.precondition(v)])


def _bicgstabl(system: System, goal: float) -> Steps:
    x, shadow = system.x0, system.residual(system.x0)
    rho: Any = 1.0
    alpha: Any = 0.0
    omega: Any = 1.0
    r = [_pair(system, shadow)]
    u = [np.zeros_like(r[0])]
    while True:
        rho = -omega * rho
        for j in range(DEGREE):
            if not np.isfinite(r[j]).all():
                return 2
            before, rho = rho, np.vdot(shadow, r[j][0])
            if not usable(before, rho):
                return 4
            beta = alpha * rho / before
            u = [a - beta * b for a, b in zip(r, u, strict=True)]
            u.append(_pair(system, system.apply(u[j][1])))
            bottom = np.vdot(shadow, u[-1][0])
            if not usable(bottom):
                return 4
            alpha = rho / bottom
            r = [a - alpha * b for a, b in zip(r, u[1:], strict=True)]
            x = x + alpha * u[0][1]
            yield x, norm(r[0][0])
            r.append(_pair(system, system.apply(r[j][1])))
        # the polynomial of this degree that leaves the smallest residual
        shares = np.linalg.lstsq(np.column_stack([a[0] for a in r[1:]]), r[0][0], rcond=None)[0]
        last, first = r[0], u[0]
        for k, share in enumerate(shares, 1):
            x = x + share * r[k - 1][1]
            last, first = last - share * r[k], first - share * u[k]
            yield x, norm(last[0])
        r, u, omega = [last], [first], shares[-1]


@builtin(
    "bicgstabl", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp")
)
def bicgstabl(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by biconjugate gradients, stabilised by polynomials of degree two.

    X = bicgstabl(A, B, TOL, MAXIT, M1, M2, X0)
    [X, FLAG, RELRES, ITER, RESVEC] = bicgstabl(…)

    Arguments and outputs are those of pcg. ITER may end in a quarter: each iteration gives four
    residuals.

    Examples:
        >> [x, flag] = bicgstabl([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: bicgstab, bicg, gmres, ilu.
    """
    return solve("bicgstabl", args, _bicgstabl, nargout, interp, per_iteration=2 * DEGREE)


def _tfqmr(system: System, goal: float) -> Steps:
    x, r = system.x0, system.residual(system.x0)
    shadow, w, u = r.copy(), r, r
    direction: Any = np.zeros_like(r)
    image: Any = np.zeros_like(r)
    tau, theta = norm(r), 0.0
    eta: Any = 0.0
    rho: Any = np.vdot(shadow, r)
    v: Any = np.zeros_like(r)
    product: Any = v
    beta: Any = 0.0
    while True:
        for half in range(2):
            made = system.precondition(u)
            if not np.isfinite(made).all():
                return 2
            before, product = product, system.apply(made)
            if half == 0:
                v = product + beta * (before + beta * v)
                bottom = np.vdot(shadow, v)
                if not usable(rho, bottom):
                    return 4
                alpha = rho / bottom
            w = w - alpha * product
            carried = theta * theta * eta / alpha
            direction, image = made + carried * direction, product + carried * image
            theta = norm(w) / tau
            share = 1 / np.sqrt(1 + theta * theta)
            tau, eta = tau * theta * share, share * share * alpha
            x, r = x + eta * direction, r - eta * image
            yield x, norm(r)
            if not usable(tau):
                return 4
            if half == 0:
                u = u - alpha * v
        last, rho = rho, np.vdot(shadow, w)
        beta = rho / last
        u = w + beta * u


@builtin(
    "tfqmr", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp")
)
def tfqmr(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by quasi-minimal residuals, without the transpose.

    X = tfqmr(A, B, TOL, MAXIT, M1, M2, X0)
    [X, FLAG, RELRES, ITER, RESVEC] = tfqmr(…)

    Arguments and outputs are those of pcg. ITER may end in a half: each iteration gives two
    residuals.

    Examples:
        >> [x, flag] = tfqmr([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: qmr, cgs, bicgstab, gmres.
    """
    return solve("tfqmr", args, _tfqmr, nargout, interp, per_iteration=2)
