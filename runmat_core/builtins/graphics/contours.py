"""Level lines of a matrix, and level surfaces of a volume."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, check_size, real, scalar
from runmat_core.builtins.graphics.cubes import level_surface
from runmat_core.values import from_numpy, is_text, numel_of, struct, text

Numbers = NDArray[np.float64]
#: An edge of the grid, on which a level line meets it: direction, row, column.
Edge = tuple[int, int, int]


def _axis(value: Any, count: int, along: int) -> Numbers:
    """Coordinates of rows or columns, from a vector or from a matrix of `meshgrid`."""
    a = as_float(real(value, "contourc")).astype(np.float64)
    if a.size != count and a.ndim == 2 and a.shape[along] == count:
        a = a[:, 0] if along == 0 else a[0]
    if a.size != count:
        raise MatlabError(
            "MATLAB:contourc:InvalidXYDataLength",
            "X and Y must have as many elements as Z has columns and rows.",
        )
    return a.ravel(order="F")


def round_levels(low: float, high: float, most: int = 10) -> Numbers:
    """Round numbers strictly between two others, about as many as `most` at most."""
    step = (high - low) / most
    scale = 10.0 ** np.floor(np.log10(step))
    step = scale * next(m for m in (1, 2, 5, 10) if m * scale >= step * (1 - 1e-12))
    multiples = np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    levels = multiples * step
    return np.asarray(levels[(levels > low) & (levels < high)])


def _levels(wanted: Any, z: Numbers) -> Numbers:
    """Return the levels that an argument asks for: a vector of them, or how many."""
    finite = z[np.isfinite(z)]
    if not finite.size or finite.min() == finite.max():
        return np.zeros(0)
    low, high = float(finite.min()), float(finite.max())
    if wanted is None:
        return round_levels(low, high)
    if numel_of(wanted) == 1:
        count = scalar(wanted, "N")
        if not (0 <= count < 2**20 and count == int(count)):
            raise MatlabError("MATLAB:contourc:InvalidLevels", "The number of levels must be one.")
        return np.linspace(low, high, int(count) + 2)[1:-1]
    return np.unique(as_float(real(wanted, "contourc")).astype(np.float64))


class _Lines:
    """The level lines of a matrix at one level, as chains of edges of the grid."""

    def __init__(self, x: Numbers, y: Numbers, z: Numbers, level: float) -> None:
        self.x, self.y, self.z, self.level = x, y, z, level
        self.next: dict[Edge, list[Edge]] = {}
        above = z >= level
        whole = np.isfinite(z)
        whole = whole[:-1, :-1] & whole[1:, :-1] & whole[:-1, 1:] & whole[1:, 1:]
        kind = (
            above[:-1, :-1].astype(int)
            + 2 * above[:-1, 1:]
            + 4 * above[1:, 1:]
            + 8 * above[1:, :-1]
        )
        for i, j in np.argwhere(whole & (kind > 0) & (kind < 15)).tolist():
            self._cell(i, j, int(kind[i, j]))

    def _cell(self, i: int, j: int, kind: int) -> None:
        """Join the edges of a cell between which a line runs; corners count from its first one."""
        sides: list[Edge] = [(0, i, j), (1, i, j + 1), (0, i + 1, j), (1, i, j)]
        met = [k for k in range(4) if (kind >> k & 1) != (kind >> ((k + 1) % 4) & 1)]
        if len(met) == 4:
            # a saddle: the mean tells which corners the cell's middle belongs to
            middle = self.z[i : i + 2, j : j + 2].mean() >= self.level
            met = [3, 0, 1, 2] if middle != bool(kind & 1) else [0, 1, 2, 3]
        for a, b in zip(met[::2], met[1::2], strict=True):
            self.next.setdefault(sides[a], []).append(sides[b])
            self.next.setdefault(sides[b], []).append(sides[a])

    def _point(self, edge: Edge) -> tuple[float, float]:
        direction, i, j = edge
        k, m = (i, j + 1) if direction == 0 else (i + 1, j)
        a, b = self.z[i, j], self.z[k, m]
        t = 0.5 if a == b else (self.level - a) / (b - a)
        return (
            float(self.x[j] + t * (self.x[m] - self.x[j])),
            float(self.y[i] + t * (self.y[k] - self.y[i])),
        )

    def _walk(self, start: Edge) -> Numbers:
        """Return the points of the line through an edge, taken out of what is left."""
        chain = [start]
        while True:
            ahead = self.next.get(chain[-1])
            if not ahead:
                break
            follower = ahead.pop()
            self.next[follower].remove(chain[-1])
            chain.append(follower)
        return np.array([self._point(edge) for edge in chain])

    def all(self) -> list[Numbers]:
        """Every line: those that end at the border first, then closed ones."""
        found = [self._walk(edge) for edge in list(self.next) if len(self.next[edge]) == 1]
        for edge in list(self.next):
            while self.next[edge]:
                found.append(self._walk(edge))
        return found


@builtin("contourc", family="graphics/contours", nargin=(1, 4), effects="pure")
def contourc(*args: Any) -> Any:
    """Level lines of a matrix, as numbers.

    C = contourc(Z), C = contourc(Z, N) with N levels, C = contourc(Z, V) at the levels V ([V V]
    for one)
    C = contourc(X, Y, Z), C = contourc(X, Y, Z, …) with the coordinates of columns and rows

    C has two rows: for each line a column with its level and its number of points, then the
    points. Without N the levels are round numbers.

    Examples:
        >> contourc([0 0; 2 2], [1 1])
        ans =
            1.0000    2.0000    1.0000
            2.0000    1.5000    1.5000

    See also: peaks, isosurface, meshgrid.
    """
    grids, wanted = (args[2:3], args[3:]) if len(args) > 2 else (args[:1], args[1:])
    z = as_float(real(grids[0], "contourc")).astype(np.float64)
    if z.ndim != 2 or min(z.shape) < 2:
        raise MatlabError("MATLAB:contourc:ZMustBeAtLeast2x2Matrix", "Z must be at least 2-by-2.")
    x = _axis(args[0], z.shape[1], 1) if len(args) > 2 else np.arange(1.0, z.shape[1] + 1)
    y = _axis(args[1], z.shape[0], 0) if len(args) > 2 else np.arange(1.0, z.shape[0] + 1)
    columns: list[Numbers] = []
    for level in _levels(wanted[0] if wanted else None, z).tolist():
        for line in _Lines(x, y, z, level).all():
            columns += [np.array([[level, float(len(line))]]), line]
    if not columns:
        return from_numpy(np.zeros((0, 0)))
    return from_numpy(np.concatenate(columns).T)


def _grid(args: Sequence[Any]) -> tuple[list[Numbers], Numbers]:
    """Coordinates along columns, rows and pages, and the volume."""
    v = as_float(real(args[-1], "isosurface")).astype(np.float64)
    if v.ndim != 3 or min(v.shape) < 2:
        raise MatlabError(
            "MATLAB:isosurface:VMustBe3D", "V must be a volume of 2-by-2-by-2 or more."
        )
    counts = (v.shape[1], v.shape[0], v.shape[2])
    if len(args) == 1:
        return [np.arange(1.0, n + 1) for n in counts], v
    axes = []
    for arg, count, axis in zip(args[:3], counts, (1, 0, 2), strict=True):
        a = as_float(real(arg, "isosurface")).astype(np.float64)
        if a.shape == v.shape:
            a = np.moveaxis(a, axis, 0)[:, 0, 0]
        if a.size != count:
            raise MatlabError(
                "MATLAB:isosurface:XYZSizeMismatch", "The size of X, Y and Z must match that of V."
            )
        axes.append(a.ravel(order="F"))
    return axes, v


@builtin(
    "isosurface",
    family="graphics/contours",
    nargin=(1, 7),
    nargout=2,
    needs=("nargout", "interp"),
)
def isosurface(*args: Any, nargout: int, interp: Interp) -> Any:
    """Level surface of a volume, as triangles.

    FV = isosurface(V, ISOVALUE), FV = isosurface(X, Y, Z, V, ISOVALUE): a struct with the triangles
    (faces, as indices of vertices) and the points (vertices)
    [F, P] = isosurface(…) gives them apart
    FV = isosurface(…, "noshare") gives each triangle its own vertices

    isosurface(…) without outputs draws them, where a package draws

    Normals of triangles point to where V is lower.

    Examples:
        >> [x, y, z] = meshgrid(-2:2); fv = isosurface(x, y, z, x.^2 + y.^2 + z.^2, 1.5);
        >> size(fv.vertices, 2)
        ans =
             3

    See also: contourc, interp3.
    """
    draw = interp.builtin("graphics.isosurface") if not nargout else None
    if draw is not None:
        return draw(0, *args)
    words = [text(arg).lower() for arg in args if is_text(arg)]
    plain = [arg for arg in args if not is_text(arg)]
    if any(word not in ("noshare", "verbose") for word in words) or len(plain) not in (1, 2, 4, 5):
        raise MatlabError("MATLAB:isosurface:InvalidArguments", "Wrong arguments to isosurface.")
    has_level = len(plain) in (2, 5)
    axes, v = _grid(plain[:-1] if has_level else plain)
    level = scalar(plain[-1], "ISOVALUE") if has_level else float(np.median(v))
    check_size(v.shape, 64)
    faces, points = level_surface(v, level)
    # from subscripts along rows, columns and pages to coordinates
    places = [
        np.interp(points[:, axis], np.arange(v.shape[axis]), coordinate)
        for axis, coordinate in zip((1, 0, 2), axes, strict=True)
    ]
    vertices = np.stack(places, axis=1)
    if "noshare" in words:
        vertices = vertices[faces.ravel()]
        faces = np.arange(faces.size).reshape(-1, 3)
    made = from_numpy(faces + 1.0), from_numpy(vertices)
    if nargout > 1:
        return made
    return struct({"vertices": made[1], "faces": made[0]})
