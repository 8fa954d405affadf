"""Incomplete factorisations of sparse matrices, and LDL of Hermitian ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_builtin_outputs
from runmat_core.builtins.arguments import option, scalar
from runmat_core.builtins.linalg.sparse_factorizations import made_sparse
from runmat_core.builtins.linalg.support import finite, scipy_linalg, square, value_of
from runmat_core.builtins.named import choice
from runmat_core.values import SparseArray, StructArray, field, from_numpy, is_text, size_of
from runmat_core.values.sparse import dense, from_triplets

#: Rows or columns of a matrix: the elements by their position.
Lines = list[dict[int, Any]]


def _sparse_square(x: Any, name: str) -> SparseArray:
    if not isinstance(x, SparseArray) or x.data.dtype == np.bool_:
        raise MatlabError(f"MATLAB:{name}:NonSparseMatrix", "Input must be a sparse matrix.")
    if x.shape[0] != x.shape[1]:
        raise MatlabError(f"MATLAB:{name}:NonSquareMatrix", "Matrix must be square.")
    return x


def _choices(opts: Any, name: str, known: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a structure of options over their defaults."""
    if opts is None:
        return known
    if not isinstance(opts, StructArray) or opts.shape != (1, 1):
        raise MatlabError(f"MATLAB:{name}:InvalidOpts", "Options must be a structure.")
    read = dict(known)
    names = {key.lower(): key for key in known}
    for given in opts.field_names():
        key = names.get(given.lower())
        if key is None:
            continue
        value = field(opts, given)
        default = known[key]
        if isinstance(default, str):
            read[key] = option(value) or default
        else:
            read[key] = scalar(value, given)
    return read


def _lines(x: SparseArray, by_rows: bool) -> Lines:
    rows, columns, values = x.triplets()
    lines: Lines = [{} for _ in range(x.shape[0])]
    for i, j, v in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True):
        if by_rows:
            lines[i][j] = v
        else:
            lines[j][i] = v
    return lines


def _matrix(lines: Lines, by_rows: bool, dtype: Any) -> SparseArray:
    triplets = [(i, j, v) for i, line in enumerate(lines) for j, v in line.items()]
    outer = np.array([t[0] for t in triplets], np.intp)
    inner = np.array([t[1] for t in triplets], np.intp)
    values = np.array([t[2] for t in triplets], dtype)
    rows, columns = (outer, inner) if by_rows else (inner, outer)
    return from_triplets(rows, columns, values, (len(lines), len(lines)))


@builtin("ilu", family="linalg/iterative", nargout=3, needs=("nargout",), effects="pure")
def ilu(x: Any, setup: Any = None, *, nargout: int) -> Any:
    """Incomplete LU factorisation of a sparse matrix.

    [L, U] = ilu(A) keeps the pattern of A; L has a unit diagonal
    [L, U] = ilu(A, SETUP) with the fields type ("nofill", "crout", "ilutp"), droptol (0), milu
    ("off", "row"; of "ilutp" "off", "col"), udiag (0), thresh (1, of "ilutp")
    [L, U, P] = ilu(A, SETUP) of "ilutp", which exchanges rows: L*U is about P*A; with two outputs L
    has the rows of A
    W = ilu(A) is L + U - speye(size(A))

    "crout" and "ilutp" drop what is smaller than droptol times the norm of its column of A.

    Examples:
        >> [L, U] = ilu(sparse([4 1; 2 3]));
        >> full(L), full(U)
        ans =
            1.0000         0
            0.5000    1.0000
        ans =
            4.0000    1.0000
                 0    2.5000

    See also: ichol, lu, gmres, bicgstab.
    """
    a = _sparse_square(x, "ilu")
    defaults = {"type": "nofill", "droptol": 0.0, "milu": "off", "udiag": 0.0, "thresh": 1.0}
    opts = _choices(setup, "ilu", defaults)
    sums = "col" if opts["type"] == "ilutp" else "row"
    if opts["type"] not in ("nofill", "crout", "ilutp") or opts["milu"] not in ("off", sums):
        raise MatlabError(
            "MATLAB:ilu:UnsupportedSetup",
            "The types are 'nofill', 'crout' and 'ilutp', and milu is 'off' or 'row' ('col').",
        )
    if opts["type"] == "ilutp":
        return _pivoted(a, opts, nargout)
    rows = _lines(a, by_rows=True)
    limits = None
    if opts["type"] == "crout":
        limits = opts["droptol"] * np.sqrt(np.asarray((abs(a.data) ** 2).sum(axis=0)).ravel())
    upper: Lines = []
    lower: Lines = []
    for i, row in enumerate(rows):
        left, right = _eliminated(i, row, upper, limits, opts["milu"] == "row")
        if not right.get(i):
            if not opts["udiag"]:
                raise MatlabError(
                    "MATLAB:ilu:ZeroPivot",
                    "There is a pivot equal to zero. Consider decreasing the drop tolerance or "
                    "consider using the 'udiag' option.",
                )
            right[i] = (opts["droptol"] if limits is not None else 0.0) or 1.0
        upper.append(right)
        lower.append(left)
    dtype = a.data.dtype
    u = _matrix(upper, True, dtype)
    if nargout < 2:
        return SparseArray((_matrix(lower, True, dtype).data + u.data).tocsc())
    for i, row in enumerate(lower):
        row[i] = 1.0
    factors = _matrix(lower, True, dtype), u
    return factors if nargout < 3 else (*factors, _permutation(np.arange(a.shape[0])))


def _permutation(order: Any) -> SparseArray:
    """Return the matrix P for which row k of P*A is row order(k) of A."""
    size = len(order)
    return from_triplets(np.arange(size), np.asarray(order), np.ones(size), (size, size))


def _pivoted(a: SparseArray, opts: dict[str, Any], nargout: int) -> Any:
    from runmat_core.builtins.linalg.incomplete_pivoted import ilutp

    factors = ilutp(a, opts)
    p = _permutation(factors.order)
    if nargout > 2:
        return factors.lower, factors.upper, p
    lower = SparseArray((p.data.T @ factors.lower.data).tocsc())
    if nargout > 1:
        return lower, factors.upper
    identity = _permutation(np.arange(a.shape[0]))
    return SparseArray((lower.data + factors.upper.data - identity.data).tocsc())


def _eliminated(
    i: int, row: dict[int, Any], upper: Lines, limits: Any, compensate: bool
) -> tuple[dict[int, Any], dict[int, Any]]:
    """Row `i` of both factors.

    Args:
        limits: by column, what is dropped; None keeps the pattern of the row alone.
        compensate: whether what is dropped is added to the diagonal.
    """
    import heapq

    work, left = dict(row), {}
    waiting = [j for j in work if j < i]
    heapq.heapify(waiting)
    lost: Any = 0.0
    while waiting:
        k = heapq.heappop(waiting)
        factor = work.pop(k) / upper[k][k]
        if limits is not None and abs(factor) < limits[k] / abs(upper[k][k]):
            lost += factor * upper[k][k]
            continue
        left[k] = factor
        for j, value in upper[k].items():
            if j == k:
                continue
            if j in work:
                work[j] -= factor * value
            elif limits is not None:
                work[j] = -factor * value
                if j < i:
                    heapq.heappush(waiting, j)
            else:
                lost -= factor * value
    right = {}
    for j, value in work.items():
        if limits is None or j == i or abs(value) >= limits[j]:
            right[j] = value
        else:
            lost += value
    if compensate:
        right[i] = right.get(i, 0.0) + lost
    return left, right


@builtin("ichol", family="linalg/iterative", effects="pure")
def ichol(x: Any, opts: Any = None) -> Any:
    """Incomplete Cholesky factorisation of a sparse positive definite matrix.

    L = ichol(A) keeps the pattern of the lower triangle of A
    L = ichol(A, OPTS) with the fields type ("nofill", "ict"), droptol (0), michol ("off", "on"),
    diagcomp (0), shape ("lower", "upper")

    "ict" drops what is smaller than droptol times the 1-norm of its column; diagcomp adds that
    part of the diagonal to it.

    Examples:
        >> full(ichol(sparse([4 2; 2 5])))
        ans =
             2     0
             1     2

    See also: chol, ilu, pcg.
    """
    a = _sparse_square(x, "ichol")
    known = {"type": "nofill", "droptol": 0.0, "michol": "off", "diagcomp": 0.0, "shape": "lower"}
    chosen = _choices(opts, "ichol", known)
    if chosen["type"] not in ("nofill", "ict") or chosen["shape"] not in ("lower", "upper"):
        raise MatlabError(
            "MATLAB:ichol:InvalidOpts", "The types are 'nofill' and 'ict', shapes 'lower', 'upper'."
        )
    # the columns of the triangle that is read, as those of the lower one
    lines = _lines(a, by_rows=chosen["shape"] == "upper")
    conjugated = chosen["shape"] == "upper"
    count = len(lines)
    columns: Lines = [
        {i: (np.conj(v) if conjugated else v) for i, v in line.items() if i >= j}
        for j, line in enumerate(lines)
    ]
    limits = None
    if chosen["type"] == "ict":
        sums = [sum(abs(v) for v in column.values()) for column in columns]
        limits = [chosen["droptol"] * s for s in sums]
    # which columns reach a row, so that a column finds those that change it
    reach: list[list[int]] = [[] for _ in range(count)]
    for j, column in enumerate(columns):
        column[j] = column.get(j, 0.0) * (1 + chosen["diagcomp"])
        _bring_up(j, columns, reach[j], limits, chosen["michol"] == "on")
        pivot = column[j]
        if not np.real(pivot) > 0 or np.imag(pivot) != 0:
            raise MatlabError("MATLAB:ichol:Breakdown", "Encountered nonpositive pivot.")
        root = np.sqrt(np.real(pivot))
        kept = {i: v / root for i, v in column.items() if i > j}
        columns[j] = {j: root, **kept}
        for i in kept:
            reach[i].append(j)
    factor = _matrix(columns, False, a.data.dtype)
    return SparseArray(factor.data.conj().T.tocsc()) if conjugated else factor


def _bring_up(
    j: int, columns: Lines, before: list[int], limits: list[float] | None, compensate: bool
) -> None:
    """Take from column `j` what the columns before it say, and drop what is small."""
    column = columns[j]
    for k in before:
        weight = np.conj(columns[k][j])
        for i, value in columns[k].items():
            if i < j:
                continue
            if i in column or limits is not None:
                column[i] = column.get(i, 0.0) - value * weight
            elif compensate:
                column[j] -= value * weight
                columns[i][i] = columns[i].get(i, 0.0) - value * weight
    if limits is None:
        return
    for i in [i for i, v in column.items() if i != j and abs(v) < limits[j]]:
        lost = column.pop(i)
        if compensate:
            column[j] += lost
            columns[i][i] = columns[i].get(i, 0.0) + lost


@builtin("ldl", family="linalg/factorizations", nargout=4, needs=("nargout",), effects="pure")
def ldl(x: Any, *options: Any, nargout: int) -> Any:
    """Block LDL factorisation of a Hermitian matrix, which need not be definite.

    [L, D] = ldl(A) gives A = L*D*L' with L a permuted unit triangle and D of 1-by-1 and 2-by-2
    blocks
    [L, D, P] = ldl(A) gives P'*A*P = L*D*L' with L triangular; with "vector", P is a vector
    [L, D, P, S] = ldl(A) of a sparse matrix: P'*S*A*S*P = L*D*L', where S is diagonal
    ldl(A, "upper") reads the upper triangle: A = U'*D*U

    Examples:
        >> [L, D] = ldl([4 2; 2 3])
        L =
            1.0000         0
            0.5000    1.0000
        D =
             4     0
             0     2

    See also: chol, lu, qr, mldivide.
    """
    words = {choice(o, ("upper", "lower", "vector"), "ldl") for o in options if is_text(o)}
    if isinstance(x, SparseArray):
        plain = [o for o in options if is_text(o)]
        made = made_sparse(ldl(dense(x), *plain, nargout=min(nargout, 3)))
        # nothing is scaled
        return (*made, made_sparse(from_numpy(np.eye(size_of(x)[0])))) if nargout > 3 else made
    if nargout > 3:
        raise too_many_builtin_outputs()
    a = finite(square(x, "ldl"), "ldl")
    upper = "upper" in words
    if a.size == 0:
        empty = from_numpy(a)
        return (empty, empty, empty)[:nargout] if nargout > 1 else empty
    whole = np.triu(a) + np.triu(a, 1).conj().T if upper else np.tril(a) + np.tril(a, -1).conj().T
    if whole.dtype.kind == "c":
        np.fill_diagonal(whole, whole.diagonal().real)
    factor, blocks, order = scipy_linalg().ldl(
        whole, lower=True, hermitian=True, check_finite=False
    )
    if nargout > 2:
        factor = factor[order]
    factor = factor.conj().T if upper else factor
    if nargout < 2:
        return value_of(factor)
    outputs = value_of(factor), value_of(blocks)
    if nargout < 3:
        return outputs
    if "vector" in words:
        return (*outputs, from_numpy(order.reshape(1, -1) + 1.0))
    return (*outputs, from_numpy(np.eye(order.size)[:, order]))
