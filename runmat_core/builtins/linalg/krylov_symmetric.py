"""Iterative methods for Hermitian systems by short recurrences: pcg, minres, symmlq.

R. Barrett et al., "Templates for the Solution of Linear Systems", SIAM 1994; the last two after
C. C. Paige, M. A. Saunders, "Solution of sparse indefinite systems of linear equations", SIAM J.
Numer. Anal. 12 (1975).
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
    system.notes.append(norm(residual))
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
        system.notes.append(norm(residual) / abs(cosine) if cosine else np.inf)
        yield x, norm(residual)


@builtin(
    "minres", family="linalg/iterative", nargin=(2, None), nargout=6, needs=("nargout", "interp")
)
def minres(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system with a Hermitian matrix by minimal residuals.

    X = minres(A, B, TOL, MAXIT, M1, M2, X0); A need not be definite, M1*M2 must be
    [X, FLAG, RELRES, ITER, RESVEC, RESVECCG] = minres(…); RESVECCG are estimates of the norms of
    the residuals that conjugate gradients would have

    Arguments and outputs are those of pcg; FLAG 5 tells of a preconditioner that is not definite.

    Examples:
        >> [x, flag] = minres([1 2; 2 -1], [3; 1]); x, flag
        x =
            1.0000
            1.0000
        flag =
             0

    See also: pcg, symmlq, gmres, qmr.
    """
    return solve("minres", args, _minres, nargout, interp)


def _symmlq(system: System, goal: float) -> Steps:
    x, v = system.x0, system.residual(system.x0)
    residual = v
    z = system.precondition(v)
    if not np.isfinite(z).all():
        return 2
    square = np.vdot(v, z).real
    if square < 0:
        return 5
    beta = np.sqrt(square)
    if not usable(beta):
        return 4
    q = z / beta
    product = system.apply(q)
    alpha = np.vdot(q, product).real
    v_before: Any = np.zeros_like(v)
    beta_before, first = 1.0, beta
    # the last column of the lower triangle, the two solutions before, the direction ahead
    diagonal, below, far = alpha, 0.0, 0.0
    cosine, sine = -1.0, 0.0
    zeta, zeta_before = 0.0, 0.0
    ahead: Any = q
    image: Any = product
    system.notes.append(norm(residual))
    while True:
        # the iterate of conjugate gradients, which is not there where the diagonal is zero
        right = first if first else -far * zeta_before - below * zeta
        share = right / diagonal if diagonal else 0.0
        size = norm(residual - share * image) if diagonal else np.inf
        system.notes.append(size)
        if size <= goal:
            yield x + share * ahead, size
        new = product - alpha / beta * v - beta / beta_before * v_before
        v_before, v, beta_before = v, new, beta
        z = system.precondition(v)
        if not np.isfinite(z).all():
            return 2
        square = np.vdot(v, z).real
        if square < 0 and square < -np.finfo(float).eps * norm(v) * norm(z):
            return 5
        beta = np.sqrt(max(square, 0.0))
        length = np.hypot(diagonal, beta)
        if not usable(beta, length):
            return 4
        q = z / beta
        product = system.apply(q)
        alpha = np.vdot(q, product).real
        # a rotation that makes the row of the new vector zero to the right of the diagonal
        coupling, far_next = -cosine * beta, sine * beta
        cosine, sine = diagonal / length, beta / length
        zeta_before, zeta, first = zeta, right / length, 0.0
        x = x + zeta * (cosine * ahead + sine * q)
        residual = residual - zeta * (cosine * image + sine * product)
        ahead, image = sine * ahead - cosine * q, sine * image - cosine * product
        below, far = cosine * coupling + sine * alpha, far_next
        diagonal = sine * coupling - cosine * alpha
        yield x, norm(residual)


@builtin(
    "symmlq", family="linalg/iterative", nargin=(2, None), nargout=6, needs=("nargout", "interp")
)
def symmlq(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system with a Hermitian matrix by the LQ method.

    X = symmlq(A, B, TOL, MAXIT, M1, M2, X0); A need not be definite, M1*M2 must be
    [X, FLAG, RELRES, ITER, RESVEC, RESVECCG] = symmlq(…); RESVECCG are the norms of the residuals
    of conjugate gradients, whose iterate is the solution where it is good enough first

    Arguments and outputs are those of pcg; FLAG 5 tells of a preconditioner that is not definite.

    Examples:
        >> [x, flag] = symmlq([1 2; 2 -1], [3; 1]); x, flag
        x =
            1.0000
            1.0000
        flag =
             0

    See also: minres, pcg, gmres.
    """
    return solve("symmlq", args, _symmlq, nargout, interp)
