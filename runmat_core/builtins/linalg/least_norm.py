"""Least squares solutions of least norm: lsqminnorm."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.linalg.support import finite, matrix, value_of
from runmat_core.builtins.named import choice, positional
from runmat_core.values import from_numpy
from runmat_core.values.lapack import pivoted_qr, qr, solve_triangle
from runmat_core.values.notices import warn


@builtin("lsqminnorm", family="linalg/systems", nargin=(2, 5), effects="pure")
def lsqminnorm(a: Any, b: Any, *args: Any) -> Any:
    """Solution of A*X = B in the sense of least squares; of several the one of least norm.

    X = lsqminnorm(A, B), X = lsqminnorm(A, B, TOL) takes diagonal elements of the triangular factor
    of A up to TOL as zero
    X = lsqminnorm(…, "warn") warns where the rank of A is not full, "nowarn" is the default

    Examples:
        >> lsqminnorm([1 1], 2)
        ans =
            1.0000
            1.0000

    See also: mldivide, pinv, lscov, lsqnonneg.
    """
    plain, words = positional(args)
    if len(plain) > 1 or len(words) > 1:
        raise too_many_inputs()
    flag = choice(words[0], ("nowarn", "warn"), "lsqminnorm") if words else "nowarn"
    left, right = finite(matrix(a, "lsqminnorm"), "lsqminnorm"), matrix(b, "lsqminnorm")
    if left.shape[0] != right.shape[0]:
        raise MatlabError(
            "MATLAB:dimagree", "Matrix dimensions must agree: A and B need as many rows."
        )
    kind = np.result_type(left, right)
    if not left.size:
        return from_numpy(np.zeros((left.shape[1], right.shape[1]), kind))
    q, r, order = pivoted_qr(left, economic=True)
    size = np.abs(r.diagonal())
    limit = max(left.shape) * np.spacing(size[0])
    rank = int((size > (scalar(plain[0], "TOL") if plain else limit)).sum())
    if flag == "warn" and rank < min(left.shape):
        warn("MATLAB:rankDeficientMatrix", f"Rank deficient, rank = {rank}, tol = {limit:13.6e}.")
    # the rows that count are a triangle by a matrix of orthogonal rows, once more
    across, triangle = qr(r[:rank].conj().T, economic=True)
    turned = q[:, :rank].conj().T @ right
    x = np.zeros((left.shape[1], right.shape[1]), kind)
    x[order] = across @ solve_triangle(triangle, turned, trans=2)
    return value_of(x)
