"""Decompositions of pairs of matrices and of Schur forms: qz, gsvd, polyeig, ordschur, balance."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.arguments import option
from runmat_core.builtins.linalg.support import (
    Matrix,
    finite,
    matrix,
    quiet,
    scipy_linalg,
    square,
    value_of,
)
from runmat_core.builtins.named import choice
from runmat_core.values import from_numpy, is_text, spectral, to_numpy


@builtin("balance", family="linalg/factorizations", nargout=3, needs=("nargout",), effects="pure")
def balance(x: Any, form: Any = None, *, nargout: int) -> Any:
    """Diagonal scaling that makes eigenvalues more accurate.

    [T, B] = balance(A) gives B = T\\A*T with T a permuted diagonal matrix of powers of 2
    [S, P, B] = balance(A) gives scaling and permutation as vectors: T(:, P) = diag(S)
    B = balance(A), balance(A, "noperm") does not permute

    Examples:
        >> balance([1 100; 0.01 1])
        ans =
            1.0000    1.5625
            0.6400    1.0000

    See also: eig, hess, schur.
    """
    a = finite(square(x, "balance"), "balance")
    permute = form is None or choice(form, ("noperm",), "balance") != "noperm"
    if a.size == 0:
        return (from_numpy(a),) * nargout if nargout > 1 else from_numpy(a)
    balanced, turn = scipy_linalg().matrix_balance(a, permute=permute)
    if nargout < 2:
        return value_of(balanced)
    if nargout == 2:
        return value_of(turn), value_of(balanced)
    order = np.argmax(np.abs(turn), axis=1)
    scale = turn[np.arange(order.size), order]
    return (
        value_of(scale.reshape(-1, 1)),
        from_numpy(order.reshape(-1, 1) + 1.0),
        value_of(balanced),
    )


@builtin("qz", family="linalg/factorizations", nargout=6, needs=("nargout",), effects="pure")
def qz(x: Any, y: Any, form: Any = None, *, nargout: int) -> Any:
    """Generalised Schur decomposition.

    [AA, BB, Q, Z] = qz(A, B) gives Q*A*Z = AA and Q*B*Z = BB, both triangular
    [AA, BB, Q, Z, V, W] = qz(A, B) gives generalised eigenvectors too
    qz(A, B, "real") keeps real matrices real, AA with 2-by-2 blocks

    Examples:
        >> [AA, BB, Q, Z] = qz([1 2; 3 4], [2 0; 0 1]);
        >> norm(Q * [1 2; 3 4] * Z - AA) < 1e-12
        ans =
          logical
           1

    See also: eig, schur, gsvd.
    """
    a, b = finite(square(x, "qz"), "qz"), finite(square(y, "qz"), "qz")
    if a.shape != b.shape:
        raise MatlabError("MATLAB:qz:inputsMustBeSameSize", "A and B must be the same size.")
    output = "complex" if form is None else choice(form, ("complex", "real"), "qz")
    with quiet():
        aa, bb, left, right = spectral.of_scipy("qz")(a, b, output=output)
        outputs = [aa, bb, left.conj().T, right]
        if nargout > 4:
            _, w, v = spectral.of_scipy("eig")(a, b, left=True, right=True)
            outputs += [v, w]
    values = tuple(value_of(m) for m in outputs[: max(nargout, 1)])
    return values if nargout > 1 else values[0]


@builtin("gsvd", family="linalg/factorizations", nargout=5, needs=("nargout",), effects="pure")
def gsvd(x: Any, y: Any, form: Any = None, *, nargout: int) -> Any:
    """Generalised singular value decomposition.

    [U, V, X, C, S] = gsvd(A, B) gives A = U*C*X', B = V*S*X' and C'*C + S'*S = I
    SIGMA = gsvd(A, B) is sqrt(diag(C'*C) ./ diag(S'*S)), ascending

    Examples:
        >> gsvd([2 0; 0 0.5], eye(2))
        ans =
            0.5000
            2.0000

    See also: svd, qz.
    """
    a, b = finite(matrix(x, "gsvd"), "gsvd"), finite(matrix(y, "gsvd"), "gsvd")
    if a.shape[1] != b.shape[1]:
        raise MatlabError(
            "MATLAB:gsvd:MatrixColMismatch", "Matrices must have the same number of columns."
        )
    u, v, x_factor, c, s = _gsvd(a, b)
    if nargout < 2:
        with np.errstate(all="ignore"):
            top = np.sqrt(np.diag(c.conj().T @ c).real)
            sigma = top / np.sqrt(np.diag(s.conj().T @ s).real)
        return from_numpy(sigma.reshape(-1, 1))
    if form is not None:  # thin: no columns of U and V that meet zeros alone
        kept_u, kept_v = min(a.shape[0], c.shape[1]), min(b.shape[0], s.shape[1])
        u, c, v, s = u[:, :kept_u], c[:kept_u], v[:, :kept_v], s[:kept_v]
    return tuple(map(value_of, (u, v, x_factor, c, s)))[:nargout]


def _gsvd(a: Matrix, b: Matrix) -> tuple[Matrix, ...]:
    m, p = a.shape[0], b.shape[0]
    q, r = np.linalg.qr(np.vstack([a, b]))
    count = q.shape[1]
    # cosines from the upper part, ascending; sines from what they leave of the lower one
    u, cosines, zh = spectral.svd(q[:m])
    turn = zh.conj().T[:, ::-1]
    few = min(m, count)
    u = np.hstack([u[:, :few][:, ::-1], u[:, few:]])
    c = np.zeros((m, count))
    c[np.arange(few), np.arange(few) + count - few] = np.minimum(cosines[::-1], 1)
    v, triangle = np.linalg.qr(q[m:] @ turn, mode="complete")
    size = triangle.diagonal()
    phase = np.where(np.abs(size) > 0, size / np.where(np.abs(size) > 0, np.abs(size), 1), 1)
    v = v.astype(np.result_type(v, phase))
    v[:, : phase.size] *= phase
    s = np.zeros((p, count))
    s[np.arange(size.size), np.arange(size.size)] = np.abs(size)
    return u, v, r.conj().T @ turn, c, s


@builtin("polyeig", family="linalg/factorizations", nargin=(1, None), nargout=3,
         needs=("nargout",), effects="pure")  # fmt: skip
def polyeig(*args: Any, nargout: int) -> Any:
    """Eigenvalues of a polynomial whose coefficients are matrices.

    E = polyeig(A0, A1, …, Ap) has the values with det(A0 + E*A1 + … + E^p*Ap) = 0
    [X, E] = polyeig(…) gives eigenvectors of unit length as columns of X
    [X, E, S] = polyeig(…) gives condition numbers of the eigenvalues

    Examples:
        >> sort(polyeig([2 0; 0 12], [-3 0; 0 -7], eye(2)))
        ans =
            1.0000
            2.0000
            3.0000
            4.0000

    See also: eig, roots, qz.
    """
    parts = [finite(square(a, "polyeig"), "polyeig") for a in args]
    size, degree = parts[0].shape[0], len(parts) - 1
    if any(p.shape != parts[0].shape for p in parts):
        raise MatlabError("MATLAB:polyeig:InvalidInputs", "The matrices must have the same size.")
    if degree == 0:
        raise not_enough_inputs()
    if size == 0:
        return (
            (value_of(parts[0]), from_numpy(np.zeros((0, 1))))[:nargout]
            if nargout > 1
            else (from_numpy(np.zeros((0, 1))))
        )
    # the companion pencil of [x; e*x; …]
    left = np.eye(size * degree, dtype=np.result_type(*parts))
    left[:size, :size] = parts[0]
    right = np.diag(np.ones(size * (degree - 1)), -size).astype(left.dtype)
    for k, part in enumerate(parts[1:]):
        right[:size, k * size : (k + 1) * size] = -part
    with quiet():
        values, vectors = spectral.of_scipy("eig")(left, right)
    column = value_of(values.reshape(-1, 1))
    if nargout < 2:
        return column
    # the best of the blocks, each of which is a multiple of the vector
    blocks = vectors.reshape(degree, size, -1)
    sizes = np.linalg.norm(blocks, axis=1)
    best = np.argmax(sizes, axis=0)
    at = np.arange(values.size)
    right_vectors = (blocks[best, :, at] / sizes[best, at][:, None]).T
    conditions = () if nargout < 3 else (_conditions(parts, values, right_vectors),)
    return (value_of(right_vectors), column, *conditions)


def _conditions(parts: list[Any], values: Any, right: Any) -> Any:
    """Condition numbers of eigenvalues (Tisseur, 2000): infinite where one is not simple.

    They are those of the homogeneous form, which infinite eigenvalues have as well: with E = a/b of
    unit length, ``sqrt(sum |a|^2i |b|^2(p-i)) / |y' (conj(b) Da P - conj(a) Db P) x|``.
    """
    degree = len(parts) - 1
    found = np.empty(values.size)
    for k, value in enumerate(values):
        a, b = (value, 1.0) if np.isfinite(value) else (1.0, 0.0)
        a, b = np.array([a, b]) / np.hypot(abs(a), abs(b))
        whole = sum(part * (a**i * b ** (degree - i)) for i, part in enumerate(parts))
        # the left vector is what the matrix at the eigenvalue takes to zero
        left = spectral.svd(whole)[0][:, -1]
        by_a = sum(p * (i * a ** (i - 1) * b ** (degree - i)) for i, p in enumerate(parts) if i)
        by_b = sum(
            p * ((degree - i) * a**i * b ** (degree - i - 1))
            for i, p in enumerate(parts)
            if i < degree
        )
        slope = left.conj() @ (np.conj(b) * by_a - np.conj(a) * by_b) @ right[:, k]
        size = np.sqrt(sum(abs(a) ** (2 * i) * abs(b) ** (2 * (degree - i))
                           for i in range(degree + 1)))  # fmt: skip
        with np.errstate(divide="ignore"):
            found[k] = np.float64(size) / abs(slope)
    return from_numpy(found.reshape(-1, 1))


@builtin("cdf2rdf", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def cdf2rdf(v: Any, d: Any, *, nargout: int) -> Any:
    """Real block form of complex eigenvalues and eigenvectors.

    [V, D] = cdf2rdf(V, D) turns conjugate pairs into 2-by-2 blocks

    Examples:
        >> [V, D] = eig([0 1; -1 0]);
        >> [V, D] = cdf2rdf(V, D);
        >> D
        D =
             0     1
            -1     0

    See also: eig, schur, rsf2csf.
    """
    vectors, values = square(v, "cdf2rdf"), square(d, "cdf2rdf")
    if vectors.shape != values.shape:
        raise MatlabError("MATLAB:cdf2rdf:InvalidInputs", "V and D must have the same size.")
    diagonal = values.diagonal()
    found, blocks = vectors.astype(complex), np.diag(diagonal).astype(complex)
    k = 0
    while k < diagonal.size:
        if diagonal[k].imag == 0:
            k += 1
            continue
        if k + 1 == diagonal.size or not np.isclose(diagonal[k + 1], diagonal[k].conj()):
            raise MatlabError(
                "MATLAB:cdf2rdf:NotConjugate", "Complex eigenvalues must come in conjugate pairs."
            )
        real, imaginary = diagonal[k].real, diagonal[k].imag
        blocks[k : k + 2, k : k + 2] = [[real, imaginary], [-imaginary, real]]
        found[:, k + 1] = found[:, k].imag
        found[:, k] = found[:, k].real
        k += 2
    outputs = value_of(found.real), value_of(blocks.real)
    return outputs if nargout > 1 else outputs[0]


@builtin("rsf2csf", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def rsf2csf(u: Any, t: Any, *, nargout: int) -> Any:
    """Complex Schur form from the real one.

    [U, T] = rsf2csf(U, T) makes T triangular

    Examples:
        >> [U, T] = schur([0 1; -1 0]);
        >> [U, T] = rsf2csf(U, T);
        >> istriu(T)
        ans =
          logical
           1

    See also: schur, cdf2rdf, ordschur.
    """
    unitary, triangular = square(u, "rsf2csf"), square(t, "rsf2csf")
    if unitary.shape != triangular.shape:
        raise MatlabError("MATLAB:rsf2csf:InvalidInputs", "U and T must have the same size.")
    if triangular.size:
        unitary, triangular = finite(unitary, "rsf2csf"), finite(triangular, "rsf2csf")
        triangular, unitary = scipy_linalg().rsf2csf(triangular, unitary)
    outputs = value_of(unitary), value_of(np.triu(triangular))
    return outputs if nargout > 1 else outputs[0]


@builtin("ordschur", family="linalg/factorizations", nargout=2, needs=("nargout",), effects="pure")
def ordschur(u: Any, t: Any, select: Any, *, nargout: int) -> Any:
    """Schur form with the eigenvalues in another order.

    [US, TS] = ordschur(U, T, SELECT) moves the eigenvalues that SELECT is true for to the front
    [US, TS] = ordschur(U, T, KEYWORD) with "lhp", "rhp" (half planes), "udi", "udo" (inside,
    outside of the unit circle)
    [US, TS] = ordschur(U, T, CLUSTERS) puts those with larger numbers first

    Examples:
        >> [U, T] = schur([1 2; 0 3]);
        >> [U, T] = ordschur(U, T, [0 1]);
        >> diag(T)'
        ans =
             3     1

    See also: schur, rsf2csf, eig.
    """
    unitary, triangular = (finite(square(v, "ordschur"), "ordschur") for v in (u, t))
    if unitary.shape != triangular.shape:
        raise MatlabError("MATLAB:ordschur:InvalidInputs", "U and T must have the same size.")
    labels = _clusters(triangular, select)
    dtype = np.result_type(unitary, triangular)
    unitary, triangular = unitary.astype(dtype), triangular.astype(dtype)
    for label in sorted(set(labels.tolist()), reverse=True)[:-1]:
        first = labels >= label
        triangular, unitary = moved(triangular, unitary, first)
        labels = np.concatenate([labels[first], labels[~first]])
    outputs = value_of(unitary), value_of(triangular)
    return outputs if nargout > 1 else outputs[0]


def _clusters(triangular: Matrix, select: Any) -> Matrix:
    count = triangular.shape[0]
    if is_text(select):
        word = choice(select, ("lhp", "rhp", "udi", "udo"), "ordschur")
        values = spectral.eigvals(triangular) if count else np.zeros(0)
        if count:
            values = _diagonal_eigenvalues(triangular)
        chosen = {
            "lhp": values.real < 0,
            "rhp": values.real > 0,
            "udi": np.abs(values) < 1,
            "udo": np.abs(values) > 1,
        }[word]
        return chosen.astype(int)
    labels = to_numpy(select).ravel()
    if labels.size != count or option(select) is not None:
        raise MatlabError(
            "MATLAB:ordschur:InvalidSelect", f"SELECT must be a vector of {count} elements."
        )
    return np.asarray(labels.astype(int))


def _diagonal_eigenvalues(triangular: Matrix) -> Matrix:
    """Return the eigenvalues of a (quasi-)triangular matrix in the order of its diagonal."""
    values = triangular.diagonal().astype(complex)
    for k in np.flatnonzero(triangular.diagonal(-1)):
        values[k : k + 2] = spectral.eigvals(triangular[k : k + 2, k : k + 2])
    return values


def moved(triangular: Matrix, unitary: Matrix, first: Matrix) -> tuple[Matrix, Matrix]:
    """Return a Schur form with the eigenvalues that `first` flags at the front, in their order."""
    routine = scipy_linalg().lapack.get_lapack_funcs("trsen", (triangular,))
    found = routine(first.astype(np.int32), triangular, unitary, job="N", wantq=1)
    if found[-1] != 0:
        raise MatlabError(
            "MATLAB:ordschur:ReorderingFailed", "The eigenvalues are too close to be reordered."
        )
    return found[0], found[1]


@builtin("ordeig", family="linalg/factorizations", nargin=(1, 2), effects="pure")
def ordeig(t: Any, other: Any = None) -> Any:
    """Eigenvalues of a Schur form in the order of its diagonal.

    E = ordeig(T) of a matrix that is triangular, but for 2-by-2 blocks, as schur gives it
    E = ordeig(AA, BB) of such a pair, as qz gives it

    Examples:
        >> ordeig([3 1 0; 0 0 2; 0 -2 0])
        ans =
           3.0000 + 0.0000i
           0.0000 + 2.0000i
           0.0000 - 2.0000i

    See also: schur, qz, ordschur, eig.
    """
    a = square(t, "ordeig")
    b = np.eye(a.shape[0], dtype=a.dtype) if other is None else square(other, "ordeig")
    if a.shape != b.shape:
        raise MatlabError("MATLAB:ordeig:inputsMustBeSameSize", "AA and BB must be the same size.")
    below = np.flatnonzero(a.diagonal(-1))
    if np.tril(a, -2).any() or (np.diff(below) == 1).any() or np.tril(b, -1).any():
        raise MatlabError(
            "MATLAB:ordeig:NotQuasiTriangular",
            "Inputs must be triangular, but for 2-by-2 blocks on the diagonal of the first one.",
        )
    kind = np.result_type(a, b, np.complex64)
    with quiet():
        values = a.diagonal().astype(kind)
        bottom = b.diagonal()
        # 1/0 of complex numbers has no sign and NaN for the other part
        values = np.where(bottom == 0, np.where(values == 0, np.nan, np.inf), values / bottom)
        for k in below:
            part = slice(k, k + 2)
            values[part] = spectral.of_scipy("eigvals")(a[part, part], b[part, part])
    return value_of(values.astype(kind).reshape(-1, 1))
