"""dmperm: matchings of rows and columns, and block triangular form (Dulmage and Mendelsohn)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.libraries import package
from runmat_core.builtins.linalg.sparse_factorizations import pattern_of
from runmat_core.values import from_numpy

Indices = NDArray[np.intp]


def _matched(pattern: Any) -> tuple[Indices, Indices]:
    """Return the column matched to each row, and the row to each column; -1 for none."""
    maximum_bipartite_matching = package("scipy.sparse.csgraph").maximum_bipartite_matching

    rows, columns = pattern.shape
    if not pattern.nnz:
        return np.full(rows, -1), np.full(columns, -1)
    row_of = maximum_bipartite_matching(pattern.tocsr(), perm_type="row").astype(np.intp)
    column_of = np.full(rows, -1)
    column_of[row_of[row_of >= 0]] = np.flatnonzero(row_of >= 0)
    return column_of, row_of


def _reached(neighbours: Any, start: Indices, back: Indices) -> tuple[Indices, Indices]:
    """Return the lines of both kinds that alternating paths from unmatched lines reach."""
    own, other = set(start.tolist()), set()
    pending = list(own)
    while pending:
        line = pending.pop()
        for met in neighbours.indices[neighbours.indptr[line] : neighbours.indptr[line + 1]]:
            if met in other:
                continue
            other.add(int(met))
            partner = int(back[met])
            if partner >= 0 and partner not in own:
                own.add(partner)
                pending.append(partner)
    return np.array(sorted(own), np.intp), np.array(sorted(other), np.intp)


def _blocks(pattern: Any, rows: Indices, column_of: Indices) -> list[Indices]:
    """Square part as strong components of rows, so that it is upper triangular in blocks."""
    connected_components = package("scipy.sparse.csgraph").connected_components

    from runmat_core.builtins.graphs.search import sources_first
    from runmat_core.builtins.graphs.value import sorted_net

    if not rows.size:
        return []
    square = pattern[rows][:, column_of[rows]].tocsr()
    label = connected_components(square, directed=True, connection="strong")[1]
    first, last = square.nonzero()
    between = np.unique(np.stack([label[first], label[last]], axis=1), axis=0)
    between = between[between[:, 0] != between[:, 1]].astype(np.intp)
    net = sorted_net(True, int(label.max()) + 1, between, None, None)[0]
    return [rows[label == component] for component in sources_first(net)]


@builtin("dmperm", family="linalg/patterns", nargout=6, needs=("nargout",), effects="pure")
def dmperm(x: Any, *, nargout: int) -> Any:
    """Matching of rows to columns, or block triangular form.

    P = dmperm(A): P(j) is the row matched to column j, 0 where there is none; A(P, :) has no zero
    on its diagonal where A is square with a full matching
    [P, Q, R, S] = dmperm(A): A(P, Q) is upper triangular in blocks, block k being
    A(P, Q)(R(k):R(k+1)-1, S(k):S(k+1)-1)
    [P, Q, R, S, CC, RR] = dmperm(A) gives the coarse blocks too: columns and rows of the wide, the
    square and the tall part

    Examples:
        >> dmperm([0 1; 1 0])
        ans =
             2     1

    See also: sprank, lu, ldl, conncomp.
    """
    pattern = pattern_of(x, "dmperm").tocsr()
    column_of, row_of = _matched(pattern)
    if nargout < 2:
        return from_numpy((row_of + 1.0).reshape(1, -1))
    free_columns = np.flatnonzero(row_of < 0)
    free_rows = np.flatnonzero(column_of < 0)
    by_column = pattern.T.tocsr()
    wide_columns, wide_rows = _reached(by_column, free_columns, column_of)
    tall_rows, tall_columns = _reached(pattern, free_rows, row_of)
    middle = np.setdiff1d(np.arange(pattern.shape[0]), np.concatenate([wide_rows, tall_rows]))
    blocks = _blocks(pattern, middle, column_of)
    # unmatched columns first and unmatched rows last, so that the diagonal meets the matching
    wide = np.concatenate([np.setdiff1d(wide_columns, column_of[wide_rows]), column_of[wide_rows]])
    tall = np.concatenate([row_of[tall_columns], np.setdiff1d(tall_rows, row_of[tall_columns])])
    p = np.concatenate([wide_rows, *blocks, tall]).astype(np.intp)
    q = np.concatenate([wide, *(column_of[b] for b in blocks), tall_columns]).astype(np.intp)
    sizes = [len(block) for block in blocks]
    heights, widths = list(sizes), list(sizes)
    if wide.size:
        heights, widths = [wide_rows.size, *heights], [wide.size, *widths]
    if tall.size:
        heights, widths = [*heights, tall.size], [*widths, tall_columns.size]
    unmatched = wide.size - wide_rows.size
    matched_wide = unmatched + wide_rows.size
    cc = [0, unmatched, matched_wide, matched_wide + middle.size, pattern.shape[1]]
    square_end = wide_rows.size + middle.size
    rr = [0, wide_rows.size, square_end, square_end + tall_columns.size, pattern.shape[0]]
    outputs = (
        p + 1,
        q + 1,
        np.cumsum([0, *heights]) + 1,
        np.cumsum([0, *widths]) + 1,
        np.array(cc) + 1,
        np.array(rr) + 1,
    )
    made = [from_numpy(np.asarray(part, float).reshape(1, -1)) for part in outputs]
    return tuple(made[:nargout])
