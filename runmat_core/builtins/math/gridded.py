"""Interpolation in tables of several variables: interp2 to interpn, griddedInterpolant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import (
    as_float,
    check_size,
    nearest,
    numeric,
    option,
    real,
    scalar,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.stencils import METHODS, check_rank, effective, interpolate, within
from runmat_core.values import (
    DTYPE,
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
from runmat_core.values.notices import warn

Table = NDArray[Any]

#: Methods of tables of several variables.
_OF_TABLES = ("linear", "nearest", "cubic", "spline", "makima")


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


def non_finite() -> MatlabError:
    """For sample points that are NaN or Inf."""
    return _error("NonFiniteInputPtsErrId", "Sample points must be finite.")


def check_grid(grid: Sequence[Table]) -> None:
    if any(not np.isfinite(x).all() for x in grid):
        raise non_finite()
    if any(x.size < 2 for x in grid):
        raise _error(
            "DegenerateGridErrId",
            "Interpolation requires at least two sample points for each grid dimension.",
        )
    if any(not (np.diff(x) >= 0).all() for x in grid):
        raise _error(
            "NonMonotonicCompVecsErrId", "Grid vectors must be strictly monotonically increasing."
        )
    if any((np.diff(x) == 0).any() for x in grid):
        raise _error("NonUniqueCompVecsPtsErrId", "Sample points must be unique.")


def ascending(grid: list[Table], v: Table) -> tuple[list[Table], Table]:
    """Grid and table with descending coordinates turned round."""
    for axis, x in enumerate(grid):
        if x.size > 1 and x[0] > x[-1]:
            grid[axis], v = x[::-1], np.flip(v, axis)
    return grid, v


def query_points(queries: Sequence[Any]) -> tuple[list[Table], tuple[int, ...]]:
    """Coordinates of the query points as vectors, and the size of the result.

    Scalars go with all points, and vectors that do not all have one size span a grid.
    """
    arrays = [as_float(real(q, "griddedInterpolant")) for q in queries]
    shapes = {a.shape for a in arrays if a.size != 1}
    if len(shapes) == 1:
        arrays = [np.broadcast_to(a, next(iter(shapes))) if a.size == 1 else a for a in arrays]
    elif shapes:
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
    """Return what comes before the method, the method, and the value outside."""
    at = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    method = _method(args[at], _OF_TABLES) if at < len(args) else "linear"
    if len(args) > at + 2:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    beyond = args[at + 1] if at + 1 < len(args) else None
    if beyond is not None and (class_of(beyond) not in DTYPE or numel_of(beyond) != 1):
        raise MatlabError(
            f"MATLAB:{name}:InvalidExtrapval", "The value outside must be a numeric scalar."
        )
    return list(args[:at]), method, beyond


def _method(word: Any, known: Sequence[str], problem: str = "BadInterpTypeErrId") -> str:
    """Return the method that a text names, an asterisk before it or not."""
    found = (option(word) or "").removeprefix("*")
    if found == "v5cubic":
        return "cubic"
    if found not in known:
        raise _error(problem, f"Invalid method '{found}'.{nearest(found, known)}")
    return found


def _refined(name: str, shape: Sequence[int], times: Any) -> list[Table]:
    """Vectors of the grid with every interval halved `times` times."""
    number = scalar(times, "K")
    if not 0 <= number <= 32:
        raise MatlabError(f"MATLAB:{name}:NtimesInvalid", "K must be a nonnegative real scalar.")
    count = int(number)
    check_grid([np.arange(float(n)) for n in shape])
    return [np.linspace(1.0, n, (n - 1) * 2**count + 1) for n in shape if n * 2**count < 2**40]


def _table(name: str, args: tuple[Any, ...], meshed: bool) -> Any:
    """Return the call of interpn, or of those whose coordinates are in the order of meshgrid."""
    plain, method, beyond = _options(name, args)
    if not plain:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    rank = (len(plain) - 1) // 2
    if len(plain) in (1, 2) and not (len(plain) == 2 and _rank(plain[0]) == 1):
        v = as_float(numeric(plain[0], name))
        vectors = _refined(name, v.shape, plain[1] if len(plain) > 1 else 1.0)
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
    used = effective(method, grid)
    if used in ("spline", "makima"):
        grid, v = _without_unknown(name, grid, v)
    found = interpolate(grid, v, points, used)
    if beyond is not None or method not in {"spline", "makima"}:
        nothing = np.nan if v.dtype.kind != "c" else complex(np.nan, np.nan)
        filler = nothing if beyond is None else scalar(beyond)
        missing = np.logical_or.reduce([np.isnan(p) for p in points])
        found = np.where(within(grid, points), found, np.where(missing, nothing, filler))
    return value_of(found.astype(v.dtype).reshape(shape, order="F"))


def _without_unknown(name: str, grid: list[Table], v: Table) -> tuple[list[Table], Table]:
    """Return a table without NaN along its last axis, or along that which loses less."""
    unknown = np.isnan(v)
    if not unknown.any():
        return grid, v
    lost = [
        unknown.any(axis=tuple(k for k in range(v.ndim) if k != axis)) for axis in range(v.ndim)
    ]
    axis = min((1, 0), key=lambda k: lost[k].sum()) if v.ndim == 2 else v.ndim - 1
    warn(
        f"MATLAB:{name}:NaNstrip",
        "Columns of data containing NaN values have been ignored during interpolation.",
    )
    kept = np.flatnonzero(~lost[axis])
    if kept.size < 2:
        raise MatlabError(
            f"MATLAB:{name}:NotEnoughPointsNanStrip",
            "Too few points are left without columns of data that contain NaN values.",
        )
    grid = [x[kept] if k == axis else x for k, x in enumerate(grid)]
    return grid, np.take(v, kept, axis)


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


@builtin("interp2", family="math/interpolation", nargin=(1, 7), effects="pure")
def interp2(*args: Any) -> Any:
    """Interpolation in a table of two variables.

    VQ = interp2(X, Y, V, XQ, YQ), VQ = interp2(V, XQ, YQ) with X = 1:n and Y = 1:m
    VQ = interp2(V) halves the distances of V's grid once, VQ = interp2(V, K) K times
    VQ = interp2(…, METHOD) with "linear", "nearest", "cubic", "makima" or "spline"
    VQ = interp2(…, METHOD, VALUE) outside the table, where it is NaN otherwise, but for "makima"
    and "spline", which extrapolate

    A row XQ and a column YQ span a grid. "spline" and "makima" leave out rows or columns of V that
    contain NaN, with a warning.

    Examples:
        >> interp2([1 2; 3 4], 1.5, 1.5)
        ans =
            2.5000

    See also: interp1, interp3, meshgrid.
    """
    plain = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    if plain not in (1, 2, 3, 5):
        raise MatlabError("MATLAB:interp2:nargin", "Wrong number of input arguments.")
    v = numeric(args[0 if plain < 5 else 2], "interp2")
    if v.ndim != 2 or 1 in v.shape:
        raise _error(
            "DegenerateGridErrId",
            "Interpolation requires at least two sample points for each grid dimension.",
        )
    return _table("interp2", args, meshed=plain > 2)


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
            found = _method(rhs, METHODS) if name == "Method" else _outside(rhs)
            check_rank(len(grid), found)
            self.data = {**old, name: char(found)}

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


def _outside(word: Any) -> str:
    return _method(word, (*METHODS, "none"), "ExtrapolationMethodInvalid")


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
    """Return the query points of ``F(…)``: coordinates, points, or grid vectors."""
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
    method = _method(words[0], METHODS) if words else "linear"
    beyond = _outside(words[1]) if len(words) > 1 else method
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
    check_rank(len(grid), method, beyond)
    return GriddedInterpolant(grid, v, method, beyond)
