"""Orders of rows and columns of sparse matrices, for few new elements or a small bandwidth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import real, scalar
from runmat_core.builtins.linalg.elimination import column_tree, lines_of, postorder
from runmat_core.builtins.linalg.minimum_degree import minimum_degree
from runmat_core.builtins.linalg.sparse_factorizations import pattern_of, square_pattern_of
from runmat_core.values import StructArray, from_numpy

Indices = NDArray[np.intp]

#: More elements than this many times the root of the size make a line dense, by default.
_DENSE = 10.0

#: How many numbers colamd and symamd tell about their work.
_STATISTICS = 20


def _row(order: Any) -> Any:
    return from_numpy(np.asarray(order, np.float64).reshape(1, -1) + 1.0)


def _limit(knob: float, size: int, most: int) -> float:
    """How many elements a line may have that is not dense.

    Args:
        most: how many it can have: with a negative knob only full lines are dense.
    """
    return max(16.0, knob * math.sqrt(size)) if knob >= 0 else most - 0.5


def _symmetric(pattern: Any) -> Any:
    """Return the pattern of A + A' without its diagonal."""
    tril = package("scipy.sparse").tril
    triu = package("scipy.sparse").triu

    both = pattern + pattern.T
    return (triu(both, 1) + tril(both, -1)).tocsc()


def _symmetric_order(pattern: Any, knob: float, aggressive: bool) -> tuple[Indices, int]:
    """Return a minimum degree order, lines with too many elements last; how many these are."""
    size = pattern.shape[0]
    both = _symmetric(pattern)
    counts = np.diff(both.indptr)
    dense = np.flatnonzero(counts > _limit(knob, size, size - 1))
    dense = dense[np.argsort(counts[dense], kind="stable")]
    light = np.setdiff1d(np.arange(size), dense)
    order = minimum_degree(lines_of(both[light][:, light].tocsc()), aggressive=aggressive)
    return np.concatenate([light[np.array(order, np.intp)], dense]), dense.size


@builtin("amd", family="linalg/orderings", effects="pure")
def amd(x: Any, opts: Any = None) -> Any:
    """Approximate minimum degree order of a symmetric matrix.

    P = amd(A): A(P, P) has a Cholesky factor with fewer nonzero elements than that of A, as a
    rule. Of a matrix that is not symmetric, the pattern of A + A' is ordered.
    P = amd(A, OPTS) with fields of a struct: dense (rows with more than
    max(16, dense*sqrt(n)) elements come last; 10) and aggressive (take up elements early; 1)

    Examples:
        >> A = speye(5); A(1, :) = 1; A(:, 1) = 1;
        >> p = amd(A);
        >> nnz(chol(5*speye(5) + A)), nnz(chol(5*speye(5) + A(p, p)))
        ans =
            15
        ans =
             9

    See also: symamd, colamd, symrcm, chol, etree.
    """
    knob, aggressive = _DENSE, True
    if opts is not None:
        if not isinstance(opts, StructArray) or not isinstance(opts.data, dict):
            raise MatlabError("MATLAB:amd:invalidOpts", "Second argument must be a struct.")
        knob = scalar(opts.data.get("dense", knob), "The field 'dense'")
        aggressive = scalar(opts.data.get("aggressive", 1.0), "The field 'aggressive'") != 0
    return _row(_symmetric_order(square_pattern_of(x, "amd"), knob, aggressive)[0])


def _knobs(value: Any, name: str) -> list[float]:
    """Return what the second argument of colamd and symamd asks for.

    Lines are dense by default at 10.
    """
    given = [] if value is None else real(value, name).ravel(order="F").astype(float).tolist()
    return [*given, *[_DENSE] * (2 - len(given))][:2]


def _told(first: int, second: int) -> Any:
    numbers = np.zeros((1, _STATISTICS))
    numbers[0, :2] = first, second
    return from_numpy(numbers)


@builtin("symamd", family="linalg/orderings", nargout=2, needs=("nargout",), effects="pure")
def symamd(x: Any, knobs: Any = None, *, nargout: int) -> Any:
    """Symmetric approximate minimum degree order.

    P = symamd(S): S(P, P) has a Cholesky factor with fewer nonzero elements than that of S, as
    a rule. The pattern must be symmetric; that of S + S' is ordered.
    P = symamd(S, KNOBS): rows with more than max(16, KNOBS(1)*sqrt(n)) elements come last
    [P, STATS] = symamd(…): STATS(1) and STATS(2) count rows that were left out as dense

    Examples:
        >> S = sparse([4 1 1 1; 1 4 0 0; 1 0 4 0; 1 0 0 4]);
        >> p = symamd(S);
        >> find(p == 1) > 2
        ans =
          logical
           1

    See also: amd, colamd, symrcm, chol.
    """
    knob = _knobs(knobs, "symamd")[0]
    order, dense = _symmetric_order(square_pattern_of(x, "symamd"), knob, True)
    return (_row(order), _told(dense, dense)) if nargout > 1 else _row(order)


@builtin("colamd", family="linalg/orderings", nargout=2, needs=("nargout",), effects="pure")
def colamd(x: Any, knobs: Any = None, *, nargout: int) -> Any:
    """Column approximate minimum degree order.

    P = colamd(S): S(:, P) has LU factors with fewer nonzero elements than those of S, as a rule,
    and S(:, P)'*S(:, P) a sparser Cholesky factor than S'*S
    P = colamd(S, KNOBS): rows with more than max(16, KNOBS(1)*sqrt(size(S, 2))) elements are
    left out, and columns with more than max(16, KNOBS(2)*sqrt(min(size(S)))) come last
    [P, STATS] = colamd(…): STATS(1) and STATS(2) count the rows and columns that were left out,
    which those without elements are, too

    Examples:
        >> S = sparse([1 1 0 0; 1 0 1 0; 1 0 0 1; 1 0 0 0]);
        >> p = colamd(S);
        >> nnz(chol(S'*S)), nnz(chol(S(:, p)'*S(:, p)))
        ans =
            10
        ans =
             7

    See also: amd, symamd, colperm, lu, qr.
    """
    pattern = pattern_of(x, "colamd")
    rows, columns = pattern.shape
    limits = _knobs(knobs, "colamd")
    by_row = np.diff(pattern.tocsr().indptr)
    kept_rows = (by_row > 0) & (by_row <= _limit(limits[0], columns, columns))
    by_column = np.diff(pattern.indptr)
    full = by_column > _limit(limits[1], min(rows, columns), rows)
    left = pattern[np.flatnonzero(kept_rows)]
    empty = (np.diff(left.indptr) == 0) & ~full
    light = np.flatnonzero(~full & ~empty)
    inner = left[:, light].tocsc()
    found = light[np.array(minimum_degree([()] * light.size, lines_of(inner.tocsr())), np.intp)]
    last = np.flatnonzero(full)
    last = last[np.argsort(by_column[last], kind="stable")]
    order = np.concatenate([found, np.flatnonzero(empty), last]).astype(np.intp)
    # columns of one subtree side by side, as factorisations want them; nothing new comes of it
    if not (full | empty).any():
        order = order[postorder(column_tree(pattern[:, order]))]
    left_out = rows - int(kept_rows.sum()), int((full | empty).sum())
    return (_row(order), _told(*left_out)) if nargout > 1 else _row(order)


@builtin("colperm", family="linalg/orderings", effects="pure")
def colperm(x: Any) -> Any:
    """Columns by how many nonzero elements they have, fewest first.

    P = colperm(S): the counts of S(:, P) ascend; equal ones keep their order

    Examples:
        >> colperm(sparse([1 1 0; 1 0 0; 1 0 1]))
        ans =
             2     3     1

    See also: colamd, amd, symrcm, nnz.
    """
    return _row(np.argsort(np.diff(pattern_of(x, "colperm").indptr), kind="stable"))


@builtin("symrcm", family="linalg/orderings", effects="pure")
def symrcm(x: Any) -> Any:
    """Reverse Cuthill-McKee order, which brings nonzero elements near to the diagonal.

    P = symrcm(S): S(P, P) has a smaller bandwidth than S, as a rule. Of a matrix that is not
    symmetric, the pattern of S + S' is ordered.

    Examples:
        >> S = sparse([1 0 0 1; 0 1 1 0; 0 1 1 1; 1 0 1 1]);
        >> p = symrcm(S);
        >> bandwidth(S, "upper"), bandwidth(S(p, p), "upper")
        ans =
             3
        ans =
             1

    See also: amd, symamd, colperm, bandwidth, chol.
    """
    reverse_cuthill_mckee = package("scipy.sparse.csgraph").reverse_cuthill_mckee

    pattern = square_pattern_of(x, "symrcm")
    if not pattern.shape[0]:
        return from_numpy(np.zeros((1, 0)))
    both = (pattern + pattern.T).tocsr()
    return _row(reverse_cuthill_mckee(both, symmetric_mode=True))
