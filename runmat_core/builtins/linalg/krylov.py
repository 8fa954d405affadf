"""Iterative methods for square systems by short recurrences: pcg, bicg, cgs, bicgstab, qmr, minres.

R. Barrett et al., "Templates for the Solution of Linear Systems", SIAM 1994; minres after
C. C. Paige, M. A. Saunders, SIAM J. Numer. Anal. 12 (1975).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.interp import Interp
from runmat_core.builtins.linalg.iteration import Steps, System, norm, solve, usable


def _pcg(system: System, goal: float) -> Steps:
    x, r = system.x0, system.residual(system.x0)
    p: Any = None
    rho: Any = 1.0
    while True:
        z = system.precondition(r)
        if not np.isfinite(z).all():
            return 2
        before, rho = rho, np.vdot(r, z)
        if not usable(rho):
            return 4
        p = z if p is None else z + rho / before * p
        q = system.apply(p)
        curvature = np.vdot(p, q)
        if not usable(curvature) or curvature.real <= 0:
            return 4
        alpha = rho / curvature
        if not np.isfinite(alpha):
            return 4
        x = x + alpha * p
        r = r - alpha * q
        yield x, norm(r)


@builtin("pcg", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp"))
def pcg(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system with a positive definite matrix by preconditioned conjugate gradients.

    X = pcg(A, B), X = pcg(A, B, TOL, MAXIT), defaults 1e-6 and 20 or the size of A
    X = pcg(A, B, TOL, MAXIT, M1, M2, X0) with the preconditioner M1*M2, from X0
    [X, FLAG, RELRES, ITER, RESVEC] = pcg(…)

    A, M1 and M2 are matrices, or functions that give A*x, M1\\x and M2\\x. FLAG is 0 if the
    method converged, 1 if MAXIT was reached, 2 for a bad preconditioner, 3 if it stagnated, 4 if
    it broke down.

    Examples:
        >> [x, flag] = pcg([4 1; 1 3], [1; 2]); x, flag
        x =
            0.0909
            0.6364
        flag =
             0

    See also: minres, gmres, bicgstab, ichol, mldivide.
    """
    return solve("pcg", args, _pcg, nargout, interp)


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


def _minres(system: System, goal: float) -> Steps:
    x, v = system.x0, system.residual(system.x0)
    z = system.precondition(v)
    if not np.isfinite(z).all():
        return 2
    square = np.vdot(v, z).real
    if square < 0:
        return 5
    beta = np.sqrt(square)
    phi = beta
    v_before: Any = np.zeros_like(v)
    beta_before = 1.0
    cosine, sine, cosine_before, sine_before = 1.0, 0.0, 1.0, 0.0
    d_before: Any = np.zeros_like(v)
    d: Any = np.zeros_like(v)
    image_before: Any = np.zeros_like(v)
    image: Any = np.zeros_like(v)
    residual = system.residual(x)
    while True:
        if not usable(beta):
            return 4
        q = z / beta
        product = system.apply(q)
        alpha = np.vdot(q, product).real
        new = product - alpha / beta * v - beta / beta_before * v_before
        v_before, v, beta_before = v, new, beta
        z = system.precondition(v)
        square = np.vdot(v, z).real
        if not np.isfinite(z).all():
            return 2
        if square < 0 and square < -np.finfo(float).eps * norm(v) * norm(z):
            return 5
        beta = np.sqrt(max(square, 0.0))
        # the new column of the tridiagonal matrix, turned by the two rotations before
        far = sine_before * beta_before
        middle = cosine * (cosine_before * beta_before) + sine * alpha
        corner = -sine * (cosine_before * beta_before) + cosine * alpha
        length = np.hypot(corner, beta)
        if not usable(length):
            return 4
        cosine_before, sine_before = cosine, sine
        cosine, sine = corner / length, beta / length
        d_before, d = d, (q - middle * d - far * d_before) / length
        image_before, image = image, (product - middle * image - far * image_before) / length
        x = x + phi * cosine * d
        residual = residual - phi * cosine * image
        phi = -sine * phi
        yield x, norm(residual)


@builtin(
    "minres", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp")
)
def minres(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system with a Hermitian matrix by minimal residuals.

    X = minres(A, B, TOL, MAXIT, M1, M2, X0); A need not be definite, M1*M2 must be
    [X, FLAG, RELRES, ITER, RESVEC] = minres(…)

    Arguments and outputs are those of pcg; FLAG 5 tells of a preconditioner that is not definite.

    Examples:
        >> [x, flag] = minres([1 2; 2 -1], [3; 1]); x, flag
        x =
            1.0000
            1.0000
        flag =
             0

    See also: pcg, gmres, qmr.
    """
    return solve("minres", args, _minres, nargout, interp)
