"""Elimination trees, what factors will have where, and the layout of trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import whole
from runmat_core.builtins.linalg.elimination import (
    column_tree,
    elimination_tree,
    factor_columns,
    height,
    postorder,
)
from runmat_core.builtins.linalg.sparse_factorizations import pattern_of, square_pattern_of
from runmat_core.builtins.named import choice
from runmat_core.values import SparseArray, from_numpy

Indices = NDArray[np.intp]


def _row(numbers: Any, shift: float = 0.0) -> Any:
    return from_numpy(np.asarray(numbers, np.float64).reshape(1, -1) + shift)


@builtin("etree", family="linalg/orderings", nargout=2, needs=("nargout",), effects="pure")
def etree(x: Any, kind: Any = None, *, nargout: int) -> Any:
    """Elimination tree.

    P = etree(A) of a symmetric matrix, of which the upper triangle is read: P(j) is the parent of
    column j, 0 for a root
    P = etree(A, "sym") is the same; etree(A, "col") is the tree of A'*A, etree(A, "row") that of
    A*A'
    [P, Q] = etree(…) gives a postorder of the tree as well

    Examples:
        >> etree(sparse([4 1 1 0; 1 4 0 0; 1 0 4 1; 0 0 1 4]))
        ans =
             2     3     4     0

    See also: symbfact, treelayout, amd, chol.
    """
    word = "sym" if kind is None else choice(kind, ["sym", "col", "row"], "etree")
    if word == "sym":
        parent = elimination_tree(square_pattern_of(x, "etree"))
    else:
        pattern = pattern_of(x, "etree")
        parent = column_tree(pattern if word == "col" else pattern.T.tocsc())
    made = _row(parent, 1.0)
    return (made, _row(postorder(parent), 1.0)) if nargout > 1 else made


@builtin("symbfact", family="linalg/orderings", nargout=5, needs=("nargout",), effects="pure")
def symbfact(x: Any, kind: Any = None, mode: Any = None, *, nargout: int) -> Any:
    """Where a Cholesky factor has elements, from the pattern alone.

    C = symbfact(A): the number of elements in each row of chol(A), of which the upper triangle
    is read
    C = symbfact(A, "sym") is the same; "lo" reads the lower triangle, "col" is for chol(A'*A)
    and "row" for chol(A*A')
    [C, H, PARENT, POST, R] = symbfact(…) gives the height of the elimination tree, the tree, a
    postorder of it, and a matrix with ones where the factor has elements
    [C, H, PARENT, POST, L] = symbfact(A, TYPE, "lower") gives the lower factor

    Examples:
        >> symbfact(sparse([4 1 1; 1 4 0; 1 0 4]))
        ans =
             3     2     1

    See also: etree, chol, amd, treelayout.
    """
    word = "sym" if kind is None else choice(kind, ["sym", "col", "row", "lo"], "symbfact")
    if mode is not None:
        choice(mode, ["lower"], "symbfact")
    if word in ("sym", "lo"):
        pattern = square_pattern_of(x, "symbfact")
        pattern = pattern.T.tocsc() if word == "lo" else pattern
    else:
        given = pattern_of(x, "symbfact").astype(np.intp)
        pattern = (given.T @ given if word == "col" else given @ given.T).tocsc()
    parent = elimination_tree(pattern)
    columns = factor_columns(pattern, parent)
    counts = np.array([column.size for column in columns], float)
    outputs: list[Any] = [_row(counts), float(height(parent)), _row(parent, 1.0)]
    if nargout > 3:
        outputs += [_row(postorder(parent), 1.0), _factor(columns, mode is not None)]
    return tuple(outputs[:nargout]) if nargout > 1 else outputs[0]


def _factor(columns: list[Indices], lower: bool) -> SparseArray:
    csc_array = package("scipy.sparse").csc_array

    size = len(columns)
    ends = np.cumsum([0, *(column.size for column in columns)])
    rows = np.concatenate([*columns, np.zeros(0, np.intp)])
    made = csc_array((np.ones(rows.size), rows, ends), shape=(size, size))
    return SparseArray(made if lower else made.T.tocsc())


@builtin("treelayout", family="linalg/orderings", nargin=(1, 2), nargout=4, needs=("nargout",))
def treelayout(parent: Any, post: Any = None, *, nargout: int) -> Any:
    """Where to draw the nodes of a tree or forest.

    [X, Y] = treelayout(PARENT): coordinates between 0 and 1 from a vector of parents, with 0 for
    roots. Leaves are at equal distances, and nodes above the middle of their leaves.
    [X, Y] = treelayout(PARENT, POST) takes a postorder of the tree instead of finding one
    [X, Y, H, S] = treelayout(…) gives the height of the tree, and how many nodes there are in
    the separator at its top

    Examples:
        >> [x, y] = treelayout([0 1 1])
        x =
            0.5000    0.3333    0.6667
        y =
            0.6667    0.3333    0.3333

    See also: etree, symbfact, graph.
    """
    above = whole(parent, "treelayout").astype(np.intp)
    size = above.size
    if ((above < 0) | (above > size)).any():
        raise MatlabError(
            "MATLAB:treelayout:invalidParent", f"Parents must be whole numbers from 0 to {size}."
        )
    order = postorder(above - 1) if post is None else whole(post, "treelayout") - 1
    if not np.array_equal(np.sort(order), np.arange(size)):
        raise MatlabError(
            "MATLAB:treelayout:invalidTree",
            "The parents must make a tree without cycles, and the order must have each node once.",
        )
    # a node more, at number 0, that all roots hang from
    first, last = np.full(size + 1, np.inf), np.full(size + 1, -np.inf)
    heights, children = np.zeros(size + 1), np.zeros(size + 1, np.intp)
    leaves = 0
    for node in (order + 1).tolist():
        if not children[node]:
            leaves += 1
            first[node] = last[node] = leaves
        root = above[node - 1]
        first[root], last[root] = min(first[root], first[node]), max(last[root], last[node])
        heights[root] = max(heights[root], heights[node] + 1)
        children[root] += 1
    tall = max(heights[0] - 1, 0.0)
    x = (first[1:] + last[1:]) / 2 / (leaves + 1)
    y = (heights[1:] + 1) / (tall + 2)
    outputs = (_row(x), _row(y), float(tall), float(_separator(children, above)))
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _separator(children: Indices, above: Indices) -> int:
    """How many nodes are in the chain from the root down to where the tree first branches."""
    found, node = 0, 0
    while children[node] == 1:
        node = int(np.flatnonzero(above == node)[0]) + 1
        found += 1
    return found
