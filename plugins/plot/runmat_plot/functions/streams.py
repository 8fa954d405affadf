"""Lines along the vectors of a field, in the plane and in space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    aligned_in,
    not_enough,
    numbers_in,
    parts_in,
    python,
    vector_in,
)
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    holds,
    make,
    prepare,
    scene_of,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.functions.volumes import volume_of
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.node import Node

#: The greatest density of lines: more of them leave no room between them.
_DENSEST = 20
#: Length of a step of a line, in cells, and maximum number of steps.
_STEP, _MOST = 0.1, 10000


class Field:
    """Vectors on a grid of two or three dimensions.

    Attributes:
        along: coordinates of the grid, x first.
        parts: the components, in arrays whose dimensions are those of `along`.
    """

    def __init__(self, along: list[Numbers], parts: list[Numbers]) -> None:
        self.along, self.parts = along, parts
        self.sizes = [grid.size for grid in along]

    def cells(self, points: Numbers) -> Numbers:
        """Where points lie, counted in cells; NaN outside."""
        return np.column_stack(
            [
                np.interp(points[:, k], grid, np.arange(grid.size), np.nan, np.nan)
                for k, grid in enumerate(self.along)
            ]
        )

    def places(self, cells: Numbers) -> Numbers:
        """Coordinates of places that are counted in cells."""
        return np.column_stack(
            [np.interp(cells[:, k], np.arange(n), self.along[k]) for k, n in enumerate(self.sizes)]
        )

    def vectors(self, points: Numbers) -> Numbers:
        """The components at points; NaN outside the grid."""
        return self._mixed(self.cells(points))

    def steps(self, cells: Numbers) -> Numbers:
        """The components at places in cells, as cells per unit; NaN outside the grid."""
        found = self._mixed(cells)
        for k, grid in enumerate(self.along):
            if grid.size > 1:
                found[:, k] /= np.interp(cells[:, k], np.arange(grid.size), np.gradient(grid))
        return found

    def _mixed(self, cells: Numbers) -> Numbers:
        """The components at places in cells, linear in between; NaN outside the grid."""
        dims = len(self.sizes)
        top = np.array(self.sizes) - 1
        outside = ~((cells >= 0) & (cells <= top)).all(axis=1)
        inner = np.clip(np.nan_to_num(cells), 0, top)
        low = np.minimum(inner.astype(int), np.maximum(top - 1, 0))
        part = inner - low
        found = np.zeros((len(cells), dims))
        for corner in range(2**dims):
            weight = np.ones(len(cells))
            index = []
            for k in range(dims):
                up = corner >> k & 1
                weight = weight * (part[:, k] if up else 1 - part[:, k])
                index.append(np.minimum(low[:, k] + up, top[k]))
            for k in range(dims):
                found[:, k] += weight * self.parts[k][tuple(index)]
        found[outside] = np.nan
        return found


def field_in(name: str, data: Sequence[Numbers], dims: int) -> Field:
    """The field that coordinates and components describe.

    Raises:
        MatlabError: sizes that do not fit, or a component is missing.
    """
    if len(data) < 2:
        raise not_enough()
    if dims == 3:
        volume = volume_of(name, data, 3)
        parts = [np.swapaxes(part, 0, 1) for part in volume.values]
        return Field(volume.along, parts)
    values = list(data[-2:])
    shape = values[0].shape
    if len(shape) != 2 or values[1].shape != shape:
        raise MatlabError(f"MATLAB:{name}:UVSizeMismatch", "U and V must be matrices of one size.")
    if not values[0].size:
        raise MatlabError(f"MATLAB:{name}:EmptyField", "U and V must not be empty.")
    along = [np.arange(1.0, shape[1] + 1), np.arange(1.0, shape[0] + 1)]
    for k, part in enumerate(data[:-2]):
        grid = (part[0] if k == 0 else part[:, 0]) if part.shape == shape else part.ravel()
        if grid.size != shape[1 - k]:
            raise MatlabError(
                f"MATLAB:{name}:XYSizeMismatch", "The size of X and Y must match that of U and V."
            )
        along[k] = grid
    return Field(along, [part.T for part in values])


def traced(field: Field, starts: Numbers, step: float = _STEP, most: int = _MOST) -> list[Numbers]:
    """Points of the lines along a field from some points, by steps of so many cells.

    Lines end at the edge of the grid and where the field is zero; all of them move together.
    """
    at = field.cells(starts)
    top = np.array(field.sizes) - 1
    steps = [at]
    counts = np.where(np.isnan(at).any(axis=1), 0, 1)
    moving = np.flatnonzero(counts)

    def unit(cells: Numbers) -> Numbers:
        found = field.steps(cells)
        size = np.linalg.norm(found, axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(size > 1e-12, found / size, np.nan)

    for _ in range(most - 1):
        if not moving.size:
            break
        here = at[moving]
        a = unit(here)
        b = unit(here + step / 2 * a)
        c = unit(here + step / 2 * b)
        d = unit(here + step * c)
        slope = (a + 2 * b + 2 * c + d) / 6
        slope = np.where(np.isnan(slope), a, slope)
        after = here + step * slope
        with np.errstate(invalid="ignore"):
            inside = ((after >= 0) & (after <= top)).all(axis=1)
        moving, after = moving[inside], after[inside]
        at = at.copy()
        at[moving] = after
        counts[moving] += 1
        steps.append(at)
    whole = np.stack(steps, axis=1)
    return [
        field.places(whole[k, :count]) if count else np.full((1, len(top)), np.nan)
        for k, count in enumerate(counts.tolist())
    ]


def _read(name: str, rest: Sequence[Any], dims: int) -> tuple[Field, Numbers, float, int]:
    """The field, the points where lines start, and options of steps."""
    data = [numbers_in(value, name).astype(float) for value in rest]
    step, most = _STEP, _MOST
    grid = 2 * dims
    with_grid = len(data) >= grid + dims and data[dims].ndim == dims and data[dims].size > 2
    lead = grid if with_grid else dims
    if len(data) < lead + dims:
        raise not_enough()
    if len(data) > lead + dims:
        options = vector_in(data[lead + dims], name, 1, 2)
        step = float(options[0])
        most = parts_in(options[1], 1, name) if options.size > 1 else most
    starts = [part.ravel(order="F") for part in aligned_in(data[lead : lead + dims], name)]
    return field_in(name, data[:lead], dims), np.column_stack(starts), step, most


def lines_along(name: str, rest: Sequence[Any]) -> tuple[Field, list[Numbers]]:
    """A field of space, and the lines along it from points that stand behind it."""
    field, starts, step, most = _read(name, rest, 3)
    return field, traced(field, starts, step, most)


def _lines(name: str, rest: Sequence[Any], dims: int) -> list[Numbers]:
    field, starts, step, most = _read(name, rest, dims)
    if not step > 0:
        raise MatlabError(f"MATLAB:{name}:InvalidStep", "The step must be positive.")
    return traced(field, starts, step, most)


@builtin("stream2", family="plot/volumes", nargin=(4, 7), needs=("interp",))
def stream2(*args: Any, interp: Interp) -> Any:
    """Points of lines along a field of the plane.

    XY = stream2(X, Y, U, V, STARTX, STARTY), XY = stream2(U, V, STARTX, STARTY): a cell array with
    a matrix of points for each line
    stream2(…, [STEP MOST]) with the length of steps in cells, and the most points of a line

    Examples:
        >> xy = stream2(ones(3), zeros(3), 1, 2); xy{1}(1, :)
        ans =
             1     2

    See also: stream3, streamline, streamslice.
    """
    return interp.to_matlab(_lines("stream2", python(interp, args), 2))


@builtin("stream3", family="plot/volumes", nargin=(6, 10), needs=("interp",))
def stream3(*args: Any, interp: Interp) -> Any:
    """Points of lines along a field of space.

    XYZ = stream3(X, Y, Z, U, V, W, STARTX, STARTY, STARTZ), stream3(U, V, W, STARTX, …): a cell
    array with a matrix of points for each line
    stream3(…, [STEP MOST]) with the length of steps in cells, and the most points of a line

    Examples:
        >> v = ones(3, 3, 3); xyz = stream3(v, 0*v, 0*v, 1, 2, 2); size(xyz{1}, 2)
        ans =
             3

    See also: stream2, streamline, coneplot.
    """
    return interp.to_matlab(_lines("stream3", python(interp, args), 3))


@builtin("streamline", family="plot/volumes", nargin=(1, None), needs=("nargout", "interp"))
def streamline(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines along a field.

    streamline(X, Y, U, V, STARTX, STARTY), streamline(U, V, STARTX, STARTY)
    streamline(X, Y, Z, U, V, W, STARTX, STARTY, STARTZ), streamline(XYZ) of what stream2 gives
    streamline(…, [STEP MOST]), streamline(AX, …); H = streamline(…) gives the lines

    Examples:
        >> h = streamline(ones(3), zeros(3), [1 1], [1 2]); numel(h)
        ans =
             2

    See also: stream2, stream3, streamslice, quiver.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        raise not_enough()
    if isinstance(rest[0], list) or (isinstance(rest[0], np.ndarray) and rest[0].dtype == object):
        cells = rest[0] if isinstance(rest[0], list) else rest[0].ravel().tolist()
        lines = [numbers_in(cell, "streamline").astype(float) for cell in cells]
    else:
        dims = 3 if np.ndim(rest[0]) == 3 or (len(rest) >= 9 and np.ndim(rest[3]) == 3) else 2
        lines = _lines("streamline", rest, dims)
    axes = target or current_axes(scene)
    if any(line.shape[1] == 3 for line in lines):
        three_dimensional(axes)
    made = []
    color = np.array([[0.0, 0.447, 0.741]])
    for line in lines:
        node = make("line", axes, (), Color=color)
        _set_points(node, line)
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


def _set_points(node: Node, line: Numbers) -> None:
    for k, axis in enumerate("XYZ"[: line.shape[1]]):
        node.values[f"{axis}Data"] = line[:, k].reshape(1, -1)


@builtin(
    "streamslice", family="plot/volumes", nargin=(2, None), nargout=2, needs=("nargout", "interp")
)
def streamslice(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines with arrows along a field, about as far apart everywhere.

    streamslice(U, V), streamslice(X, Y, U, V), streamslice(…, DENSITY) with 1 for the usual one
    streamslice(…, "noarrows"), streamslice(AX, …); H = streamslice(…) gives the lines
    [V, A] = streamslice(…) gives the points of lines and of arrows and draws nothing

    Examples:
        >> [x, y] = meshgrid(-2:2); h = streamslice(x, y, -y, x); h(1).Type
        ans =
            'line'

    See also: streamline, quiver, stream2.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    arrows = not any(str(v).lower() == "noarrows" for v in rest if isinstance(v, str))
    data = [numbers_in(v, "streamslice").astype(float) for v in rest if not isinstance(v, str)]
    density = float(data.pop().item()) if len(data) in (3, 5) and data[-1].size == 1 else 1.0
    if len(data) not in (2, 4):
        raise not_enough()
    if not 0 < density <= _DENSEST:
        raise MatlabError("MATLAB:streamslice:InvalidDensity", "The density must be positive.")
    field = field_in("streamslice", data, 2)
    lines, heads = _even_lines(field, max(density, 0.05))
    if nargout > 1:
        return tuple(interp.to_matlab(list(part)) for part in (lines, heads if arrows else []))
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    color = next_color(axes) if not holds(axes) else np.array([[0.0, 0.447, 0.741]])
    made = []
    for line in [*lines, *(heads if arrows else [])]:
        node = make("line", axes, (), Color=color)
        _set_points(node, line)
        node.info["tight"] = True
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


def _even_lines(field: Field, density: float) -> tuple[list[Numbers], list[Numbers]]:
    """Lines through a grid of boxes, each of which holds one line, and arrows on them."""
    back = Field(field.along, [-part for part in field.parts])
    boxes = max(int(20 * density), 2)
    top = np.array(field.sizes) - 1.0
    taken = np.zeros((boxes, boxes), bool)
    lines: list[Numbers] = []
    heads: list[Numbers] = []
    if not top.any():
        return lines, heads
    order = np.argwhere(~taken)
    # from the edges inwards, so that long lines come first
    order = order[np.argsort(-np.abs(order - (boxes - 1) / 2).max(axis=1), kind="stable")]
    step = 0.25 * float(top.max()) / boxes
    starts = field.places((order + 0.5) / boxes * top)
    ways = [traced(way, starts, step, 16 * boxes) for way in (back, field)]
    for number, box in enumerate(order):
        if taken[tuple(box)]:
            continue
        parts = []
        for way in ways:
            line = way[number]
            cells = field.cells(line)
            if np.isnan(cells).any():
                continue
            where = np.clip((cells / top * boxes).astype(int), 0, boxes - 1)
            left = np.cumsum(np.any(np.diff(where, axis=0, prepend=where[:1]), axis=1))
            free = ~taken[where[:, 0], where[:, 1]] | (left == 0)
            # a line may not come back to a box that it left
            seen: dict[tuple[int, int], int] = {}
            stop = len(line)
            for k, key in enumerate(map(tuple, where.tolist())):
                if not free[k] or seen.setdefault(key, int(left[k])) != int(left[k]):
                    stop = k
                    break
            parts.append((line[:stop], where[:stop]))
        if len(parts) < 2:
            continue
        whole = np.concatenate([parts[0][0][::-1], parts[1][0][1:]])
        for _, where in parts:
            taken[where[:, 0], where[:, 1]] = True
        taken[tuple(box)] = True
        if len(whole) > 3:
            lines.append(whole)
            heads += _heads(field, whole, top)
    return lines, heads


def _heads(field: Field, line: Numbers, top: Numbers) -> list[Numbers]:
    """An arrow in the middle of a line."""
    k = len(line) // 2
    cells = field.cells(line[k - 1 : k + 1])
    along = (cells[1] - cells[0]) / top
    size = float(np.linalg.norm(along))
    if not size > 0:
        return []
    along /= size
    side = np.array([-along[1], along[0]])
    tip = cells[1] / top
    ends = [tip - 0.02 * along + sign * 0.01 * side for sign in (1, -1)]
    return [field.places(np.array([ends[0], tip, ends[1]]) * top)]


@builtin("streamtube", family="plot/volumes", nargin=(1, None), needs=("nargout", "interp"))
def streamtube(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw tubes along a field of space.

    streamtube(X, Y, Z, U, V, W, STARTX, STARTY, STARTZ), streamtube(U, V, W, STARTX, …)
    streamtube(VERTICES) of what stream3 gives, streamtube(AX, …)
    H = streamtube(…) gives a surface for each tube

    Examples:
        >> v = ones(4, 4, 4); h = streamtube(v, 0*v, 0*v, 1, 2, 2); numel(h)
        ans =
             1

    See also: streamline, stream3, coneplot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if isinstance(rest[0], list):
        lines = [numbers_in(cell, "streamtube").astype(float) for cell in rest[0]]
        if any(line.ndim != 2 or line.shape[1] != 3 for line in lines):
            raise MatlabError("MATLAB:streamtube:InvalidLines", "Lines must have three columns.")
    else:
        lines = _lines("streamtube", rest, 3)
    axes = target or current_axes(scene)
    three_dimensional(axes)
    spread = np.concatenate(lines) if lines else np.zeros((1, 3))
    radius = 0.015 * float(np.nanmax(np.ptp(spread, axis=0), initial=1.0))
    made = []
    for k, line in enumerate(lines):
        line = line[:: max(len(line) // 150, 1)]
        if len(line) < 2:
            continue
        x, y, z = _tube(line, radius)
        node = make("surface", axes, (), EdgeColor="none")
        node.values.update(XData=x, YData=y, ZData=z, CData=np.full(z.shape, k + 1.0))
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


def _tube(line: Numbers, radius: float) -> tuple[Numbers, Numbers, Numbers]:
    """A surface around a line."""
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    side = np.cross(along[0], np.eye(3)[int(np.argmin(np.abs(along[0])))])
    turn = np.linspace(0, 2 * np.pi, 13)
    rings = []
    for point, way in zip(line, along, strict=True):
        side = side - way * float(side @ way)
        side /= max(float(np.linalg.norm(side)), 1e-12)
        up = np.cross(way, side)
        rings.append(point + radius * (np.outer(np.cos(turn), side) + np.outer(np.sin(turn), up)))
    whole = np.array(rings)
    return whole[..., 0], whole[..., 1], whole[..., 2]
