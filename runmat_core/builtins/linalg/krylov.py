"""Iterative methods for square systems by products with A and A': bicg, qmr.

R. Barrett et al., "Templates for the Solution of Linear Systems", SIAM 1994.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.linalg.iteration import Steps, System, norm, solve, usable


def _bicg(system: System, goal: float) -> Steps:
    x, r = system.x0, system.residual(system.x0)
    shadow = r.copy()
    p: Any = None
    q: Any = None
    rho: Any = 1.0
    while True:
        z, w = system.precondition(r), system.precondition_adjoint(shadow)
        if not (np.isfinite(z).all() and np.isfinite(w).all()):
            return 2
        before, rho = rho, np.vdot(shadow, z)
        if not usable(rho):
            return 4
        beta = rho / before
        p = z if p is None else z + beta * p
        q = w if q is None else w + np.conj(beta) * q
        image = system.apply(p)
        bottom = np.vdot(q, image)
        if not usable(bottom):
            return 4
        alpha = rho / bottom
        x = x + alpha * p
        r = r - alpha * image
        shadow = shadow - np.conj(alpha) * system.adjoint(q)
        yield x, norm(r)


@builtin(
    "bicg", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp")
)
def bicg(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by biconjugate gradients.

    X = bicg(A, B, TOL, MAXIT, M1, M2, X0)
    [X, FLAG, RELRES, ITER, RESVEC] = bicg(…)

    Arguments and outputs are those of pcg. Functions take a second argument: AFUN(x, 'notransp')
    gives A*x, AFUN(x, 'transp') gives A'*x.

    Examples:
        >> [x, flag] = bicg([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: pcg, bicgstab, qmr, gmres, ilu.
    """
    return solve("bicg", args, _bicg, nargout, interp, words=True)


def _qmr(system: System, goal: float) -> Steps:
    x, r = system.x0, system.residual(system.x0)
    v, w = r, r.copy()
    y, z = system.left(v), system.right_adjoint(w)
    rho, xi = norm(y), norm(z)
    gamma, eta, epsilon, theta = 1.0, -1.0, 1.0, 0.0
    p: Any = None
    q: Any = None
    d: Any = 0.0
    s: Any = 0.0
    while True:
        if not (np.isfinite(y).all() and np.isfinite(z).all()):
            return 2
        if not usable(rho, xi):
            return 4
        v, y, w, z = v / rho, y / rho, w / xi, z / xi
        delta = np.vdot(z, y)
        if not usable(delta):
            return 4
        right, left = system.right(y), system.left_adjoint(z)
        p = right if p is None else right - (xi * delta / epsilon) * p
        q = left if q is None else left - np.conj(rho * delta / epsilon) * q
        image = system.apply(p)
        epsilon = np.vdot(q, image)
        if not usable(epsilon):
            return 4
        beta = epsilon / delta
        if not usable(beta):
            return 4
        v = image - beta * v
        y = system.left(v)
        rho_before, rho = rho, norm(y)
        w = system.adjoint(q) - np.conj(beta) * w
        z = system.right_adjoint(w)
        xi = norm(z)
        theta_before, gamma_before = theta, gamma
        theta = rho / (gamma_before * abs(beta))
        gamma = 1 / np.sqrt(1 + theta * theta)
        if not usable(gamma):
            return 4
        eta = -eta * rho_before * gamma**2 / (beta * gamma_before**2)
        factor = (theta_before * gamma) ** 2
        d = eta * p + factor * d
        s = eta * image + factor * s
        x, r = x + d, r - s
        yield x, norm(r)


@builtin("qmr", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp"))
def qmr(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by quasi-minimal residuals.

    X = qmr(A, B, TOL, MAXIT, M1, M2, X0)
    [X, FLAG, RELRES, ITER, RESVEC] = qmr(…)

    Arguments and outputs are those of bicg.

    Examples:
        >> [x, flag] = qmr([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: bicg, gmres, bicgstab, minres.
    """
    return solve("qmr", args, _qmr, nargout, interp, words=True)
