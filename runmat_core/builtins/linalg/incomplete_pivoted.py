"""Incomplete LU factorisation with a threshold and row pivoting."""

from __future__ import annotations

import heapq
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values import SparseArray
from runmat_core.values.sparse import from_triplets


@attrs.frozen
class Factors:
    """``L*U = P*A`` but for what was dropped.

    Attributes:
        lower: unit lower triangular.
        upper: upper triangular.
        order: the row of A that row k of both belongs to.
    """

    lower: SparseArray
    upper: SparseArray
    order: NDArray[np.intp]


class _Elimination:
    """Columns of both factors, one after the other; rows are those of A until the end."""

    def __init__(self, a: Any, drop: float, threshold: float, modified: bool) -> None:
        self.a, self.drop, self.threshold, self.modified = a, drop, threshold, modified
        self.count = a.shape[0]
        self.order = list(range(self.count))  # the row at each place
        self.place = list(range(self.count))  # the place of each row
        self.lower: list[dict[int, Any]] = []  # by column, by row
        self.upper: list[dict[int, Any]] = []  # by column, by place

    def column(self, j: int, replace_zero: bool) -> None:
        part = slice(self.a.indptr[j], self.a.indptr[j + 1])
        values = self.a.data[part]
        x = dict(zip(self.a.indices[part].tolist(), values.tolist(), strict=True))
        least = self.drop * float(np.sqrt((abs(values) ** 2).sum()))
        above, lost = self._solved(j, x, least)
        pivot = self.order[j]
        largest = max(x, key=lambda row: (abs(x[row]), -self.place[row]), default=pivot)
        if abs(x.get(pivot, 0.0)) < self.threshold * abs(x.get(largest, 0.0)):
            other = self.place[largest]
            self.order[j], self.order[other] = largest, pivot
            self.place[largest], self.place[pivot] = j, other
            pivot = largest
        diagonal = x.pop(pivot, 0.0)
        kept = {row: value for row, value in x.items() if value and abs(value) >= least}
        lost += sum(value for row, value in x.items() if row not in kept)
        diagonal += lost if self.modified else 0.0
        if not diagonal:
            if not replace_zero:
                raise MatlabError(
                    "MATLAB:ilu:ZeroPivot",
                    "There is a pivot equal to zero. Consider decreasing the drop tolerance or "
                    "consider using the 'udiag' option.",
                )
            diagonal = self.drop or 1.0
        above[j] = diagonal
        self.upper.append(above)
        self.lower.append({row: value / diagonal for row, value in kept.items()})

    def _solved(self, j: int, x: dict[int, Any], least: float) -> tuple[dict[int, Any], Any]:
        """Return the part of a column of U above the diagonal, and what was dropped."""
        waiting = [self.place[row] for row in x if self.place[row] < j]
        heapq.heapify(waiting)
        above: dict[int, Any] = {}
        lost: Any = 0.0
        while waiting:
            k = heapq.heappop(waiting)
            value = x.pop(self.order[k])
            if not value or abs(value) < least:
                lost += value
                continue
            above[k] = value
            for row, factor in self.lower[k].items():
                if row not in x and self.place[row] < j:
                    heapq.heappush(waiting, self.place[row])
                x[row] = x.get(row, 0.0) - factor * value
        return above, lost

    def factors(self) -> Factors:
        place = self.place
        shape = (self.count, self.count)
        low = [(place[row], j, v) for j, c in enumerate(self.lower) for row, v in c.items()]
        low += [(j, j, 1.0) for j in range(self.count)]
        up = [(i, j, v) for j, c in enumerate(self.upper) for i, v in c.items()]
        made = [
            from_triplets(
                np.array([t[0] for t in triplets], np.intp),
                np.array([t[1] for t in triplets], np.intp),
                np.array([t[2] for t in triplets], self.a.dtype),
                shape,
            )
            for triplets in (low, up)
        ]
        return Factors(made[0], made[1], np.array(self.order, np.intp))


def ilutp(a: SparseArray, options: dict[str, Any]) -> Factors:
    """Factors of a square sparse matrix.

    Args:
        options: ``droptol`` times the norm of a column of A is what is kept of it at least;
            ``thresh`` from 0 (no pivoting) to 1 (the largest); ``milu`` "off" or "col", which adds
            what is dropped to the diagonal; ``udiag``, whether zero pivots are replaced.
    """
    if not 0 <= options["thresh"] <= 1:
        raise MatlabError("MATLAB:ilu:InvalidThresh", "THRESH must lie between 0 and 1.")
    matrix = a.data.tocsc()
    elimination = _Elimination(
        matrix, options["droptol"], options["thresh"], options["milu"] == "col"
    )
    for j in range(matrix.shape[0]):
        elimination.column(j, bool(options["udiag"]))
    return elimination.factors()
