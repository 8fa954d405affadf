"""Interpolation in tables of several variables: interpn, interp3, griddedInterpolant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, check_size, integer, numeric, real, scalar
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.stencils import METHODS, interpolate, within
from runmat_core.builtins.named import choice
from runmat_core.values import (
    CellArray,
    ObjectValue,
    cell,
    char,
    class_of,
    from_numpy,
    is_text,
    numel_of,
    text,
)

Table = NDArray[Any]


def _error(name: str, message: str) -> MatlabError:
    return MatlabError(f"MATLAB:griddedInterpolant:{name}", message)


def _is_vector(a: Table) -> bool:
    return a.ndim == 2 and 1 in a.shape


def grid_of(coordinates: Sequence[Any], shape: tuple[int, ...]) -> list[Table]:
    """Grid vectors from vectors, or from the arrays that ndgrid (or meshgrid) makes."""
    grid = []
    for axis, value in enumerate(coordinates):
        a = as_float(real(value, "griddedInterpolant"))
        if not _is_vector(a):
            if a.shape != shape:
                raise _error(
                    "CompVecValueMismatchErrId",
                    "Grid arrays and values must have the same size.",
                )
            at: list[Any] = [0] * a.ndim
            at[axis] = slice(None)
            a = a[tuple(at)]
        x = a.ravel()
        if x.size != shape[axis]:
            raise _error(
                "CompVecValueMismatchErrId",
                "The grid vectors do not define a grid of points that match the given values.",
            )
        grid.append(x)
    return grid


def check_grid(grid: Sequence[Table]) -> None:
    if any(x.size < 2 for x in grid):
        raise _error(
            "DegenerateGridErrId",
            "Interpolation requires at least two sample points for each grid dimension.",
        )
    if any(not (np.diff(x) > 0).all() for x in grid):
        raise _error(
            "NonMonotonicCompVecsErrId", "Grid vectors must be strictly monotonically increasing."
        )


def ascending(grid: list[Table], v: Table) -> tuple[list[Table], Table]:
    """Grid and table with descending coordinates turned round."""
    for axis, x in enumerate(grid):
        if x.size > 1 and x[0] > x[-1]:
            grid[axis], v = x[::-1], np.flip(v, axis)
    return grid, v


def query_points(queries: Sequence[Any]) -> tuple[list[Table], tuple[int, ...]]:
    """Coordinates of the query points as vectors, and the size of the result.

    Vectors that do not all have one size span a grid.
    """
    arrays = [as_float(real(q, "griddedInterpolant")) for q in queries]
    if len({a.shape for a in arrays}) > 1:
        if not all(_is_vector(a) for a in arrays):
            raise _error(
                "InputMixSizeErrId", "Query coordinates must have the same size, or be vectors."
            )
        return spanned([a.ravel() for a in arrays])
    return [a.ravel(order="F") for a in arrays], arrays[0].shape


def spanned(vectors: Sequence[Table]) -> tuple[list[Table], tuple[int, ...]]:
    """All points of a grid."""
    shape = tuple(x.size for x in vectors)
    check_size(shape, 8)
    mesh = np.meshgrid(*vectors, indexing="ij")
    return [a.ravel(order="F") for a in mesh], shape if len(shape) > 1 else (shape[0], 1)


# -- tables --------------------------------------------------------------------------------------


def _options(name: str, args: tuple[Any, ...]) -> tuple[list[Any], str, Any]:
    """What comes before the method, the method, and the value outside."""
    at = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    method = "linear"
    if at < len(args):
        method = choice(args[at], (*METHODS[:2], "cubic", "spline", "makima"), name)
    if len(args) > at + 2:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    return list(args[:at]), method, args[at + 1] if at + 1 < len(args) else None


def _refined(shape: Sequence[int], times: Any) -> list[Table]:
    """Vectors of the grid with every interval halved `times` times."""
    count = integer(times, "K")
    if not 0 <= count <= 32:
        raise MatlabError("MATLAB:interpn:InvalidK", "K must be a nonnegative integer scalar.")
    check_grid([np.arange(float(n)) for n in shape])
    return [np.linspace(1.0, n, (n - 1) * 2**count + 1) for n in shape if n * 2**count < 2**40]


def _table(name: str, args: tuple[Any, ...], meshed: bool) -> Any:
    """The call of interpn, or of interp3 where coordinates are in the order of meshgrid."""
    plain, method, beyond = _options(name, args)
    if not plain:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    rank = (len(plain) - 1) // 2
    if len(plain) in (1, 2) and not (len(plain) == 2 and _rank(plain[0]) == 1):
        v = as_float(numeric(plain[0], name))
        vectors = _refined(v.shape, plain[1] if len(plain) > 1 else 1.0)
        if len(vectors) < v.ndim:
            raise MatlabError(f"MATLAB:{name}:InvalidK", "The result would be too large.")
        points, shape = spanned(vectors)
        grid = [np.arange(1.0, n + 1) for n in v.shape]
    else:
        if len(plain) == _rank(plain[0]) + 1:
            coordinates, table, queries = None, plain[0], plain[1:]
        elif len(plain) % 2 and rank:
            coordinates, table, queries = plain[:rank], plain[rank], plain[rank + 1 :]
        else:
            raise MatlabError(f"MATLAB:{name}:nargin", "Wrong number of input arguments.")
        v = as_float(numeric(table, name))
        if len(queries) == 1 and _is_vector(v):
            v = v.reshape(-1)
        if v.ndim != len(queries):
            raise MatlabError(
                f"MATLAB:{name}:WrongRank", "The table must have one dimension for each coordinate."
            )
        if meshed:
            v = v.swapaxes(0, 1)  # the first coordinate runs along columns
        if coordinates is None:
            grid = [np.arange(1.0, n + 1) for n in v.shape]
        else:
            grid = _mesh_vectors(coordinates, v.shape) if meshed else grid_of(coordinates, v.shape)
        points, shape = query_points(queries)
        if meshed and len({numeric(q, name).shape for q in queries}) > 1:
            order = [1, 0, *range(2, len(shape))]
            shape = tuple(shape[k] for k in order)
            cube = tuple(shape[k] for k in order)
            points = [p.reshape(cube, order="F").swapaxes(0, 1).ravel(order="F") for p in points]
    grid, v = ascending(grid, v)
    check_grid(grid)
    found = interpolate(grid, v, points, method)
    if beyond is not None or method not in {"spline", "makima"}:
        filler = np.nan if beyond is None or not numel_of(beyond) else scalar(beyond)
        missing = np.logical_or.reduce([np.isnan(p) for p in points])
        found = np.where(within(grid, points), found, np.where(missing, np.nan, filler))
    return value_of(found.astype(v.dtype).reshape(shape, order="F"))


def _rank(value: Any) -> int:
    a = numeric(value, "interpn")
    return 1 if _is_vector(a) else a.ndim


def _mesh_vectors(coordinates: Sequence[Any], shape: tuple[int, ...]) -> list[Table]:
    """Grid vectors in the order of dimensions (x, y, z) from what meshgrid makes."""
    full = [as_float(real(c, "interp3")) for c in coordinates]
    return grid_of(
        [from_numpy(a if _is_vector(a) else np.ascontiguousarray(a.swapaxes(0, 1))) for a in full],
        shape,
    )


@builtin("interpn", family="math/interpolation", nargin=(1, None), effects="pure")
def interpn(*args: Any) -> Any:
    """Interpolation in a table of any number of variables, in the order of ndgrid.

    VQ = interpn(X1, X2, …, V, XQ1, XQ2, …), VQ = interpn(V, XQ1, XQ2, …) with X1 = 1:n …
    VQ = interpn(V, K) halves every interval K times, VQ = interpn(V) once
    VQ = interpn(…, METHOD) with "linear", "nearest", "cubic", "makima" or "spline"
    VQ = interpn(…, METHOD, VALUE) outside the table

    Outside the table the result is NaN, but for "spline" and "makima", which extrapolate.

    Examples:
        >> interpn([1 2; 3 4], 1.5, 2)
        ans =
             3

    See also: interp1, interp2, interp3, griddedInterpolant, ndgrid.
    """
    return _table("interpn", args, meshed=False)


@builtin("interp3", family="math/interpolation", nargin=(1, None), effects="pure")
def interp3(*args: Any) -> Any:
    """Interpolation in a table of three variables, in the order of meshgrid.

    VQ = interp3(X, Y, Z, V, XQ, YQ, ZQ), VQ = interp3(V, XQ, YQ, ZQ)
    VQ = interp3(V, K), VQ = interp3(V), VQ = interp3(…, METHOD, VALUE) as in interpn

    Examples:
        >> interp3(reshape(1:8, 2, 2, 2), 1.5, 1, 2)
        ans =
             6

    See also: interp1, interp2, interpn, meshgrid.
    """
    plain = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    if plain not in (1, 2, 4, 7) or numeric(args[0 if plain < 7 else 3], "interp3").ndim != 3:
        raise MatlabError(
            "MATLAB:interp3:nargin",
            "The table must have three dimensions, with coordinates for each.",
        )
    return _table("interp3", args, meshed=plain > 2)


# -- griddedInterpolant --------------------------------------------------------------------------


class GriddedInterpolant(ObjectValue):
    """An interpolant on a grid: ``F(xq)`` is its value.

    Attributes:
        data: ``GridVectors``, ``Values``, ``Method``, ``ExtrapolationMethod``.
    """

    __slots__ = ()
    class_name = "griddedInterpolant"
    properties = ("GridVectors", "Values", "Method", "ExtrapolationMethod")

    def __init__(self, grid: list[Table], v: Table, method: str, beyond: str) -> None:
        vectors = cell([from_numpy(x.reshape(1, -1)) for x in grid], (1, len(grid)))
        values = [vectors, from_numpy(v), char(method), char(beyond)]
        self.data = dict(zip(self.properties, values, strict=True))

    def set_property(self, name: str, rhs: Any) -> None:
        old = self.data
        grid = self._grid()
        v = as_float(numeric(old["Values"], self.class_name))
        if name == "Values":
            v = as_float(numeric(rhs, self.class_name))
            if v.shape != numeric(old["Values"], self.class_name).shape:
                raise _error("CompVecValueMismatchErrId", "The values must fit the grid.")
            self.data = {**old, "Values": from_numpy(v)}
        elif name == "GridVectors":
            given = rhs.data.ravel().tolist() if isinstance(rhs, CellArray) else [rhs]
            if len(given) != len(grid):
                raise _error("CompVecValueMismatchErrId", "The values must fit the grid.")
            shape = tuple(x.size for x in grid)
            fresh = grid_of(given, shape)
            check_grid(fresh)
            self.data = GriddedInterpolant(fresh, v, "linear", "linear").data | {
                k: old[k] for k in ("Method", "ExtrapolationMethod")
            }
        else:
            known = METHODS if name == "Method" else (*METHODS, "none")
            self.data = {**old, name: char(choice(rhs, known, self.class_name))}

    def _grid(self) -> list[Table]:
        return [
            as_float(real(x, self.class_name)).ravel() for x in self.data["GridVectors"].data.flat
        ]

    def paren(self, subs: Sequence[Any]) -> Any:
        grid = self._grid()
        v = as_float(numeric(self.data["Values"], self.class_name))
        points, shape = _queries(subs, len(grid))
        if len(grid) == 1:
            v = v.reshape(-1)
        found = evaluate(grid, v, points, self._text("Method"), self._text("ExtrapolationMethod"))
        return value_of(found.reshape(shape, order="F"))

    def _text(self, name: str) -> str:
        return text(self.data[name])


def evaluate(
    grid: list[Table], v: Table, points: Sequence[Table], method: str, beyond: str
) -> Table:
    """`interpolate`, with another method outside the grid."""
    found = interpolate(grid, v, points, method)
    if beyond == method:
        return found
    inside = within(grid, points)
    outside: Any = np.nan if beyond == "none" else interpolate(grid, v, points, beyond)
    return np.where(inside, found, outside)


def _queries(subs: Sequence[Any], rank: int) -> tuple[list[Table], tuple[int, ...]]:
    """The query points of ``F(…)``: coordinates, a matrix of points, or a cell of grid vectors."""
    if len(subs) == 1 and isinstance(subs[0], CellArray):
        vectors = [as_float(real(x, "griddedInterpolant")) for x in subs[0].data.flat]
        if len(vectors) == rank:
            return spanned([x.ravel() for x in vectors])
    elif len(subs) == rank:
        return query_points(subs)
    elif len(subs) == 1 and class_of(subs[0]) in {"double", "single"}:
        a = as_float(real(subs[0], "griddedInterpolant"))
        if a.ndim == 2 and a.shape[1] == rank:
            return [a[:, k] for k in range(rank)], (a.shape[0], 1)
    raise _error("NumCoordsMismatchErrId", f"Query points must have {rank} coordinates.")


@builtin("griddedInterpolant", family="math/interpolation", nargin=(1, None), effects="pure")
def gridded_interpolant(*args: Any) -> Any:
    """Interpolant on a grid: an object to call with query points.

    F = griddedInterpolant(V), F = griddedInterpolant(X1, X2, …, V) with vectors or the arrays of
    ndgrid, F = griddedInterpolant({X1, X2, …}, V)
    F = griddedInterpolant(…, METHOD), F = griddedInterpolant(…, METHOD, EXTRAPOLATION) with
    "linear", "nearest", "next", "previous", "cubic", "spline", and "pchip" or "makima" for one
    variable; EXTRAPOLATION may be "none", and is METHOD by default
    VQ = F(XQ1, XQ2, …), VQ = F({XQ1, XQ2, …}) on a grid, VQ = F(P) with a point in each row

    Properties: GridVectors, Values, Method, ExtrapolationMethod.

    Examples:
        >> F = griddedInterpolant([1 2 4], [10 20 60]);
        >> F(3)
        ans =
            40

    See also: scatteredInterpolant, interp1, interpn.
    """
    words = [arg for arg in args if is_text(arg)]
    plain = [arg for arg in args if not is_text(arg)]
    if not plain or len(words) > 2 or any(is_text(arg) for arg in args[: len(plain)]):
        raise _error("BadInputs", "Expected coordinates and values, then at most two methods.")
    method = choice(words[0], METHODS, "griddedInterpolant") if words else "linear"
    beyond = method
    if len(words) > 1:
        beyond = choice(words[1], (*METHODS, "none"), "griddedInterpolant")
    v = as_float(numeric(plain[-1], "griddedInterpolant"))
    flat = v.reshape(-1, order="F") if _is_vector(v) else v
    coordinates = plain[:-1]
    if len(coordinates) == 1 and isinstance(coordinates[0], CellArray):
        coordinates = list(coordinates[0].data.ravel(order="F"))
    if not coordinates:
        grid = [np.arange(1.0, n + 1) for n in flat.shape]
    else:
        if len(coordinates) > 1:
            flat = v
        if len(coordinates) != flat.ndim:
            raise _error(
                "CompVecValueMismatchErrId",
                "The grid vectors do not define a grid of points that match the given values.",
            )
        grid = grid_of(coordinates, flat.shape)
    check_grid(grid)
    return GriddedInterpolant(grid, v, method, beyond)
