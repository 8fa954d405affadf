"""The LU factorization of sparse matrices, without what a package of SciPy has around it."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.libraries import extension, package

#: A scipy.sparse.csc_array.
Matrix = Any


def splu(
    matrix: Matrix,
    permc_spec: str | None = None,
    diag_pivot_thresh: float | None = None,
    options: dict[str, Any] | None = None,
) -> Any:
    """Factor a square matrix of floating numbers as SciPy's function of this name does.

    Raises:
        RuntimeError: the matrix is exactly singular.
    """
    module = extension("scipy.sparse.linalg._dsolve._superlu", "scipy.sparse.linalg")
    rule = getattr(module, "gstrf", None)
    if rule is None or matrix.dtype.char not in "dD":
        return package("scipy.sparse.linalg").splu(matrix, permc_spec, diag_pivot_thresh,
                                                   options=options)  # fmt: skip
    matrix.sum_duplicates()
    indices, starts = (v.astype(np.intc, copy=False) for v in (matrix.indices, matrix.indptr))
    chosen = {
        "DiagPivotThresh": diag_pivot_thresh,
        "ColPerm": permc_spec,
        "PanelSize": None,
        "Relax": None,
        **(options or {}),
    }
    if permc_spec == "NATURAL":
        chosen["SymmetricMode"] = True  # or columns are permuted after all
    return rule(
        matrix.shape[0],
        matrix.nnz,
        matrix.data,
        indices,
        starts,
        csc_construct_func=package("scipy.sparse").csc_array,
        ilu=False,
        options=chosen,
    )
