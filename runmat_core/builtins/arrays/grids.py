"""Examples of numerical analysis: grids, their Laplacian, the graph of a football, a function."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, check_size, integer, numeric
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import choice
from runmat_core.values import SparseArray, from_numpy

Matrix = NDArray[np.float64]

_REGIONS = ("S", "L", "C", "D", "A", "H", "B", "N")


@builtin("numgrid", family="arrays/special", nargin=(2, 2), effects="pure")
def numgrid(region: Any, n: Any) -> Any:
    """Numbers of the points of a grid inside of a region.

    G = numgrid(REGION, N) for the N-by-N grid on the square from -1 to 1: "S" the square, "L"
    three quarters of it, "C" the same with a quarter circle, "D" a disc, "A" a ring, "H" a heart,
    "B" what is outside of a butterfly, "N" the square in an order of nested dissection

    Examples:
        >> numgrid("S", 4)
        ans =
             0     0     0     0
             0     1     3     0
             0     2     4     0
             0     0     0     0

    See also: delsq, gallery.
    """
    kind = choice(region, _REGIONS, "numgrid")
    count = integer(n, "N")
    if count < 2:
        raise MatlabError("MATLAB:numgrid:InvalidSize", "N must be an integer of 2 or more.")
    check_size((count, count), 8)
    if kind.upper() == "N":
        grid = np.zeros((count, count))
        _dissect(grid, 1, 1, count - 2, count - 2, 1)
        return from_numpy(grid)
    side = np.concatenate([[-1.0], np.arange(3.0 - count, count - 2, 2) / (count - 1), [1.0]])
    x, y = side[None, :], -side[:, None]
    inside = _inside(kind.upper(), x, y)
    grid = np.zeros((count, count), order="F")
    flat = grid.reshape(-1, order="F")
    at = np.flatnonzero(inside.reshape(-1, order="F"))
    flat[at] = np.arange(1.0, at.size + 1)
    return from_numpy(grid)


def _inside(kind: str, x: Matrix, y: Matrix) -> NDArray[np.bool_]:
    square = (x > -1) & (x < 1) & (y > -1) & (y < 1)
    r2 = x**2 + y**2
    if kind == "S":
        return np.asarray(square)
    if kind == "L":
        return np.asarray(square & ((x > 0) | (y > 0)))
    if kind == "C":
        return np.asarray(square & ((x + 1) ** 2 + (y + 1) ** 2 > 1))
    if kind == "D":
        return np.asarray(r2 < 1)
    if kind == "A":
        return np.asarray((r2 < 1) & (r2 > 1 / 3))
    if kind == "H":
        return np.asarray(r2 * (r2 - 0.75 * y) < 0.75 * x**2)
    angle = np.arctan2(y, x)
    return np.asarray(square & (np.sqrt(r2) >= np.sin(2 * angle) + 0.2 * np.sin(8 * angle)))


def _dissect(grid: Matrix, top: int, left: int, rows: int, columns: int, first: int) -> int:
    """Give numbers to a block, its halves and then what separates them; return the next one."""
    if rows < 1 or columns < 1:
        return first
    if rows <= 2 and columns <= 2:
        block = np.arange(first, first + rows * columns, dtype=float)
        grid[top : top + rows, left : left + columns] = block.reshape(rows, columns, order="F")
        return first + rows * columns
    if columns >= rows:
        half = columns // 2
        first = _dissect(grid, top, left, rows, half, first)
        first = _dissect(grid, top, left + half + 1, rows, columns - half - 1, first)
        grid[top : top + rows, left + half] = np.arange(first, first + rows)
        return first + rows
    half = rows // 2
    first = _dissect(grid, top, left, half, columns, first)
    first = _dissect(grid, top + half + 1, left, rows - half - 1, columns, first)
    grid[top + half, left : left + columns] = np.arange(first, first + columns)
    return first + columns


@builtin("delsq", family="arrays/special", nargin=(1, 1), effects="pure")
def delsq(grid: Any) -> Any:
    """Negative Laplacian of a grid by five points, as a sparse matrix.

    D = delsq(G) for the numbers G of the points, as numgrid gives them

    Examples:
        >> full(delsq(numgrid("S", 4)))
        ans =
             4    -1    -1     0
            -1     4     0    -1
            -1     0     4    -1
             0    -1    -1     4

    See also: numgrid, del2.
    """
    csc_array = package("scipy.sparse").csc_array

    g = as_float(numeric(grid, "delsq"))
    if g.ndim > 2:
        raise MatlabError("MATLAB:delsq:InvalidGrid", "G must be a matrix.")
    numbers = np.real(g).astype(np.int64)
    wide = np.pad(numbers, 1)
    middle = numbers[numbers > 0]
    rows, columns, values = [middle], [middle], [np.full(middle.size, 4.0)]
    for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        m, n = numbers.shape
        other = wide[1 + down : 1 + down + m, 1 + right : 1 + right + n]
        both = (numbers > 0) & (other > 0)
        rows.append(numbers[both])
        columns.append(other[both])
        values.append(np.full(int(both.sum()), -1.0))
    size = int(numbers.max(initial=0))
    at = (np.concatenate(rows) - 1, np.concatenate(columns) - 1)
    return SparseArray(csc_array((np.concatenate(values), at), shape=(size, size)))


@builtin("humps", family="arrays/special", nargin=(0, 1), nargout=2, needs=("nargout",),
         effects="pure")  # fmt: skip
def humps(x: Any = None, *, nargout: int) -> Any:
    """Function with two peaks, near 0.3 and 0.9, to try methods for zeros, minima and integrals.

    Y = humps(X) is 1/((X-0.3)^2+0.01) + 1/((X-0.9)^2+0.04) - 6
    [X, Y] = humps(X), and humps without X takes 0:0.05:1

    Examples:
        >> humps(1)
        ans =
            16

    See also: fzero, fminbnd, integral.
    """
    at = np.arange(21).reshape(1, -1) * 0.05 if x is None else as_float(numeric(x, "humps"))
    with np.errstate(all="ignore"):
        y = 1 / ((at - 0.3) ** 2 + 0.01) + 1 / ((at - 0.9) ** 2 + 0.04) - 6
    y = y.astype(at.dtype)
    return (value_of(at.copy()), value_of(y)) if nargout > 1 else value_of(y)


@builtin("bucky", family="arrays/special", nargin=(0, 0), nargout=2, needs=("nargout",),
         effects="pure")  # fmt: skip
def bucky(*, nargout: int) -> Any:
    """Graph of a football, and of the carbon molecule with 60 atoms.

    B = bucky is the sparse matrix of 60 nodes, numbered pentagon by pentagon, each of which has
    three neighbours
    [B, V] = bucky gives places of the nodes on the unit sphere, a row each

    Examples:
        >> unique(full(sum(bucky)))
        ans =
             3

    See also: numgrid, graph.
    """
    csc_array = package("scipy.sparse").csc_array

    places = _football()
    distance = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    near = distance < distance.min() * 1.01
    graph = SparseArray(csc_array(near.astype(np.float64)))
    return (graph, from_numpy(places)) if nargout > 1 else graph


def _football() -> Matrix:
    """Return the corners of a truncated icosahedron, five for each of the icosahedron's."""
    golden = (1 + 5**0.5) / 2
    corners = np.array(
        [
            np.roll([0.0, one, two * golden], shift)
            for shift, one, two in product(range(3), (1, -1), (1, -1))
        ]
    )
    corners = corners[np.argsort(-corners @ corners[0], kind="stable")]
    found = []
    for corner in corners:
        others = corners[np.isclose(np.linalg.norm(corners - corner, axis=1), 2)]
        # around the corner in the order of their angles
        first = others[0] - corner * (others[0] @ corner) / (corner @ corner)
        second = np.cross(corner, first) / np.linalg.norm(corner)
        angle = np.arctan2(others @ second, others @ first) % (2 * np.pi)
        found += [corner + (other - corner) / 3 for other in others[np.argsort(angle.round(9))]]
    places = np.array(found)
    return np.asarray(places / np.linalg.norm(places, axis=1, keepdims=True))
