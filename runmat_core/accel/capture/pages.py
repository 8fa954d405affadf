"""Products and transposes of pages, the matrices in the first two dimensions of an array.

Small products of pages are one map that is reduced along a further axis, so that what the factors
are made of and what is made of the result fuses with them. Large ones are the library call of each
page, as long as these are few; host rules have the rest, and the errors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.capture.compositions import alike, elementwise, total
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.ops import views as view_ops
from runmat_core.accel.ops.parts import CAT
from runmat_core.accel.ops.products import MATMUL
from runmat_core.values.text import is_text, text

#: Products with at most so many terms in each sum and in all of a page are added up in a kernel.
TERMS, WORK = 32, 1 << 15
#: At most so many pages are products of their own.
PAGES = 64
#: What the words of ``pagemtimes`` say of a factor: whether it is turned, and conjugated.
TURNS = {"none": False, "transpose": True, "ctranspose": True}


class Pages:
    """A factor whose pages are matrices.

    Attributes:
        rows, columns: of a page, as it is taken.
        outer: the extents of the pages.
        steps: distances of elements along rows, columns and the pages, which may be repeated.
    """

    def __init__(self, node: Node, turned: bool) -> None:
        steps = dense_strides(node.shape)
        self.node = node
        (self.rows, self.columns), (row, column) = node.shape[:2], steps[:2]
        if turned:
            self.rows, self.columns, row, column = self.columns, self.rows, column, row
        self.along = (row, column)
        self.outer = node.shape[2:]
        self.steps = steps[2:]

    def matrix(self, graph: Graph, point: Sequence[int]) -> Any:
        """Return the page at `point`, as a view."""
        places = [k if n != 1 else 0 for k, n in zip(point, self.outer, strict=False)]
        offset = sum(k * step for k, step in zip(places, self.steps, strict=True))
        shape = (self.rows, self.columns)
        return views.view_of(graph, self.node, "subsref", shape, offset, self.along)

    def spread(self, graph: Graph, rank: int, left: bool) -> Any:
        """All pages with the axes (rows of the product, its columns, pages …, terms of the sum)."""
        pad = rank - len(self.outer)
        outer, steps = self.outer + (1,) * pad, self.steps + (0,) * pad
        row, column = self.along
        if left:
            shape = (self.rows, 1, *outer, self.columns)
            strides = (row, 0, *steps, column)
        else:
            shape = (1, self.columns, *outer, self.rows)
            strides = (0, column, *steps, row)
        return views.view_of(graph, self.node, "permute", shape, 0, strides)


def pagemtimes(graph: Graph, x: Node, *rest: Any) -> Any:
    """``pagemtimes(X, Y)``, ``pagemtimes(X, TX, Y, TY)`` of real arrays of one floating class."""
    if len(rest) not in (1, 3):
        return NotImplemented
    words = [_word(rest[0]), _word(rest[2])] if len(rest) == 3 else [False, False]
    y = node_of(graph, rest[-1] if len(rest) == 1 else rest[1])
    if None in words or not isinstance(y, Node) or not alike(x, y):
        return NotImplemented
    if not (views.proven_real(x) and views.proven_real(y)):
        return NotImplemented
    left, right = Pages(x, bool(words[0])), Pages(y, bool(words[1]))
    outer = _outer(left.outer, right.outer)
    if outer is None or left.columns != right.rows or 1 in (x.size, y.size):
        return NotImplemented
    if 0 in x.shape or 0 in y.shape:
        return NotImplemented
    terms, work = left.columns, left.rows * left.columns * right.columns
    if terms <= TERMS and work <= WORK and len(outer) + 3 <= view_ops.AXES:
        return _summed(graph, left, right, len(outer))
    if math.prod(outer) > PAGES:
        return NotImplemented
    return _page_by_page(graph, left, right, outer)


def _word(value: Any) -> bool | None:
    return TURNS.get(text(value).lower()) if is_text(value) else None


def _outer(a: Shape, b: Shape) -> Shape | None:
    """Return the extents of the pages of a product; None where they do not go together."""
    rank = max(len(a), len(b))
    a, b = a + (1,) * (rank - len(a)), b + (1,) * (rank - len(b))
    if any(m != n and 1 not in (m, n) for m, n in zip(a, b, strict=True)):
        return None
    return tuple([n if m == 1 else m for m, n in zip(a, b, strict=True)])


def _summed(graph: Graph, left: Pages, right: Pages, rank: int) -> Any:
    a, b = left.spread(graph, rank, True), right.spread(graph, rank, False)
    if a is NotImplemented or b is NotImplemented:
        return NotImplemented
    products = elementwise(graph, "times", a.promise.node, b.promise.node)
    if left.columns == 1:
        return deferred(products)
    return total(graph, products, rank + 2)


def _page_by_page(graph: Graph, left: Pages, right: Pages, outer: Shape) -> Any:
    shape, cls = (left.rows, right.columns), left.node.cls
    pages = []
    for number in range(math.prod(outer)):
        point = [number // step % n for step, n in zip(dense_strides(outer), outer, strict=True)]
        a, b = left.matrix(graph, point), right.matrix(graph, point)
        factors = (a.promise.node, b.promise.node)
        pages.append(graph.append(MATMUL, factors, (("attributes", ()),), shape, cls))
    if len(pages) == 1:
        return deferred(pages[0])
    size = (*shape, len(pages))
    joined = graph.append(CAT, tuple(pages), (("axis", 2),), size, cls)
    whole = (*shape, *outer)
    return views.view_of(graph, joined, "reshape", whole, 0, dense_strides(whole))


def pagetranspose(graph: Graph, x: Node) -> Any:
    """Return the view of all pages turned."""
    rows, columns = x.shape[:2]
    row, column, *steps = dense_strides(x.shape)
    shape = (columns, rows, *x.shape[2:])
    return views.view_of(graph, x, "permute", shape, 0, (column, row, *steps))


def pagectranspose(graph: Graph, x: Node) -> Any:
    """As `pagetranspose`, where nothing can be complex."""
    return pagetranspose(graph, x) if views.proven_real(x) else NotImplemented


def install() -> None:
    """Install these rules."""
    views.CALLS.update(
        pagemtimes=pagemtimes, pagetranspose=pagetranspose, pagectranspose=pagectranspose
    )
