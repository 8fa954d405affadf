"""Elimination trees of sparse matrices, and what a Cholesky factor has where."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]


def elimination_tree(pattern: Any) -> Indices:
    """Return the parent of each column in the elimination tree; -1 for roots.

    Liu's algorithm with shortened paths, of the upper triangle of a square matrix in columns.
    """
    size = pattern.shape[1]
    parent = [-1] * size
    shortcut = [-1] * size
    indptr, rows = pattern.indptr.tolist(), pattern.indices.tolist()
    for j in range(size):
        for i in rows[indptr[j] : indptr[j + 1]]:
            _climb(i, j, parent, shortcut)
    return np.array(parent, np.intp)


def column_tree(pattern: Any) -> Indices:
    """`elimination_tree` of A'*A, without making that product."""
    size = pattern.shape[1]
    parent = [-1] * size
    shortcut = [-1] * size
    # columns of one row are joined: each to the one before it stands for all of them
    before = [-1] * pattern.shape[0]
    indptr, rows = pattern.indptr.tolist(), pattern.indices.tolist()
    for j in range(size):
        for row in rows[indptr[j] : indptr[j + 1]]:
            _climb(before[row], j, parent, shortcut)
            before[row] = j
    return np.array(parent, np.intp)


def _climb(i: int, j: int, parent: list[int], shortcut: list[int]) -> None:
    """Make `j` the root of the tree that `i` is in, if `i` comes before it."""
    while i != -1 and i < j:
        above = shortcut[i]
        shortcut[i] = j
        if above == -1:
            parent[i] = j
        i = above


def postorder(parent: Indices) -> Indices:
    """Nodes of a forest so that children come before their parents, and subtrees in one go."""
    size = parent.size
    children: list[list[int]] = [[] for _ in range(size + 1)]
    for node, above in enumerate(parent.tolist()):
        children[above].append(node)  # those without a parent stand at the end
    order = []
    pending = list(children[size])
    while pending:  # the reverse of a walk that takes parents and last children first
        node = pending.pop()
        order.append(node)
        pending.extend(children[node])
    return np.array(order[::-1], np.intp)


def height(parent: Indices) -> int:
    """How many nodes the longest path to a root has."""
    depth = [0] * parent.size
    for node in postorder(parent)[::-1].tolist():
        above = int(parent[node])
        depth[node] = 1 if above < 0 else depth[above] + 1
    return max(depth, default=0)


def factor_columns(pattern: Any, parent: Indices) -> list[Indices]:
    """Return the rows in which each column of the Cholesky factor has elements, ascending.

    Args:
        pattern: a square symmetric pattern of which the upper triangle is read, in columns.
        parent: its elimination tree.
    """
    below = pattern.tocsr()  # row j of the upper triangle is column j of the lower one
    pending: list[list[Indices]] = [[] for _ in range(parent.size)]
    columns = []
    for j in range(parent.size):
        line = below.indices[below.indptr[j] : below.indptr[j + 1]]
        found = np.unique(np.concatenate([[j], line[line > j], *pending[j]])).astype(np.intp)
        pending[j] = []
        columns.append(found)
        if parent[j] >= 0:
            pending[int(parent[j])].append(found[1:])
    return columns


def lines_of(pattern: Any) -> list[Iterable[int]]:
    """Return the indices in each line of a compressed matrix: columns of csc, rows of csr."""
    ends, indices = pattern.indptr.tolist(), pattern.indices.tolist()
    return [indices[a:b] for a, b in pairwise(ends)]
