"""Ribbons and particles along the lines of a field."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, number_in, numbers_in, python, read_options
from runmat_plot.functions.streams import Field, field_in, lines_along
from runmat_plot.functions.support import Numbers, current_axes, given, make, scene_of, take_axes
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.scene.node import Node


def _cells(value: Any, name: str) -> list[Numbers]:
    """The lines of a cell array."""
    items = value if isinstance(value, list) else np.ravel(value).tolist()
    return [numbers_in(item, name).astype(float) for item in items]


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, np.ndarray) and value.dtype == object)


@builtin("streamribbon", family="plot/volumes", nargin=(3, None), needs=("nargout", "interp"))
def streamribbon(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw ribbons along a field of space, which turn as the field does.

    streamribbon(X, Y, Z, U, V, W, STARTX, STARTY, STARTZ), streamribbon(U, V, W, STARTX, …)
    streamribbon(VERTICES, TWIST) with what stream3 gives and angles for the points
    streamribbon(…, WIDTH), streamribbon(AX, …); H = streamribbon(…) gives the surfaces

    Examples:
        >> [x, y, z] = meshgrid(0:3); h = streamribbon(x, y, z, x + 1, 0*y, 0*z, 0, 1, 1); h.Type
        ans =
            'surface'

    See also: streamtube, streamline, stream3, curl.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    width: float | None = None
    field: Field | None = None
    if len(rest) in (2, 3) and _is_cell(rest[0]) and _is_cell(rest[1]):
        lines, twists = _cells(rest[0], "streamribbon"), _cells(rest[1], "streamribbon")
        width = number_in(rest[2], "streamribbon") if len(rest) > 2 else None
    else:
        if len(rest) in (7, 10) and np.size(rest[-1]) == 1:
            width = number_in(rest.pop(), "streamribbon")
        field, lines = lines_along("streamribbon", rest)
        twists = [_twist(field, line) for line in lines]
    reach = max((float(np.ptp(line, axis=0).max()) for line in lines if len(line) > 1), default=1.0)
    axes = target or current_axes(scene)
    three_dimensional(axes)
    made = []
    for line, twist in zip(lines, twists, strict=False):
        if len(line) > 1 and twist.size == len(line):
            half = (width or 0.05 * reach) / 2
            made.append(_ribbon(axes, line, twist.ravel(), half))
    scene.revision += 1
    return given(nargout, made)


def _twist(field: Field, line: Numbers) -> Numbers:
    """By how much a field has turned about a line until each of its points."""
    if len(line) < 2:
        return np.zeros(len(line))
    small = 1e-3 * max(float(np.ptp(grid)) for grid in field.along)
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    curl = np.zeros_like(line)
    for k in range(3):
        step = np.zeros(3)
        step[k] = small
        slope = (field.vectors(line + step) - field.vectors(line - step)) / (2 * small)
        curl[:, (k + 2) % 3] += np.nan_to_num(slope[:, (k + 1) % 3])
        curl[:, (k + 1) % 3] -= np.nan_to_num(slope[:, (k + 2) % 3])
    spin = (curl * along).sum(axis=1) / 2
    speed = np.maximum(np.nan_to_num(np.linalg.norm(field.vectors(line), axis=1)), 1e-12)
    lengths = np.r_[0.0, np.linalg.norm(np.diff(line, axis=0), axis=1)]
    return np.cumsum(spin / speed * lengths)


def _ribbon(axes: Node, line: Numbers, twist: Numbers, half: float) -> Node:
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    up = np.where(np.abs(along[:, 2:3]) > 0.9, np.array([[1.0, 0, 0]]), np.array([[0, 0, 1.0]]))
    side = np.cross(along, up)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-12)
    other = np.cross(along, side)
    turned = np.cos(twist)[:, None] * side + np.sin(twist)[:, None] * other
    edges = [line - half * turned, line + half * turned]
    x, y, z = (np.stack([edge[:, k] for edge in edges], axis=1) for k in range(3))
    node = make("surface", axes, (), XData=x, YData=y, ZData=z, CData=z)
    node.values["CDataMode"] = "auto"
    return node


@builtin("interpstreamspeed", family="plot/volumes", nargin=(2, None), needs=("interp",))
def interpstreamspeed(*args: Any, interp: Interp) -> Any:
    """Points along lines of a field, as far apart as what flows moves in one unit of time.

    interpstreamspeed(X, Y, Z, U, V, W, VERTICES), interpstreamspeed(X, Y, U, V, VERTICES) and both
    without the grid; interpstreamspeed(…, SF) scales the speed

    Examples:
        >> v = interpstreamspeed(2*ones(3, 5), zeros(3, 5), {[1 2; 5 2]}, 1); v{1}'
        ans =
             1     3     5
             2     2     2

    See also: stream2, stream3, streamparticles.
    """
    rest = python(interp, args)
    scale = number_in(rest.pop(), "interpstreamspeed") if not _is_cell(rest[-1]) else 1.0
    if not rest or not _is_cell(rest[-1]):
        raise not_enough()
    lines = _cells(rest.pop(), "interpstreamspeed")
    if not rest:
        raise not_enough()
    dims = 3 if np.ndim(rest[-1]) == 3 else 2
    data = [numbers_in(value, "interpstreamspeed").astype(float) for value in rest]
    field = field_in("interpstreamspeed", data, dims)
    if not scale > 0:
        raise MatlabError("MATLAB:interpstreamspeed:InvalidScale", "The scale must be positive.")
    return interp.to_matlab([_paced(field, line, scale) for line in lines])


def _paced(field: Field, line: Numbers, scale: float) -> Numbers:
    if len(line) < 2:
        return line
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    speed = np.nan_to_num(np.linalg.norm(field.vectors(line), axis=1))
    mean = np.maximum((speed[1:] + speed[:-1]) / 2 * scale, 1e-9)
    times = np.r_[0.0, np.cumsum(lengths / mean)]
    at = np.arange(0.0, min(times[-1], 1e5) + 1e-9)
    return np.column_stack([np.interp(at, times, line[:, k]) for k in range(line.shape[1])])


@builtin("streamparticles", family="plot/volumes", nargin=(1, None), needs=("nargout", "interp"))
def streamparticles(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw particles on the lines of a field; those of a film stand still.

    streamparticles(VERTICES), streamparticles(VERTICES, N) with N particles, or a share of points
    streamparticles(…, NAME, VALUE), streamparticles(AX, …); H = streamparticles(…) gives the points

    Examples:
        >> h = streamparticles({[1 1; 2 2; 3 3]}); h.Marker
        ans =
            'o'

    See also: interpstreamspeed, streamline, stream3.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    lines = _cells(rest.pop(0), "streamparticles")
    wanted = (
        number_in(rest.pop(0), "streamparticles") if rest and not isinstance(rest[0], str) else 1.0
    )
    _, pairs = read_options(rest, "animate", "framerate", "particlealignment")
    points = np.concatenate(
        [line[np.isfinite(line).all(axis=1)] for line in lines] or [np.zeros((0, 2))]
    )
    if not wanted >= 0:
        raise MatlabError("MATLAB:streamparticles:InvalidNumber", "N must not be negative.")
    # no more particles than points
    count = min(wanted if wanted > 1 else wanted * len(points), len(points))
    places = np.linspace(0, max(len(points) - 1, 0), max(int(count), 1)).astype(int)
    chosen = points[np.unique(places)] if len(points) else points
    axes = target or current_axes(scene)
    values = {
        f"{a}Data": chosen[:, k].reshape(1, -1) for k, a in enumerate("XYZ"[: points.shape[1]])
    }
    red = np.array([[1.0, 0.0, 0.0]])
    node = make(
        "line", axes, pairs, LineStyle="none", Marker="o", MarkerFaceColor=red, Color=red,
        MarkerEdgeColor="none", MarkerSize=4.0, **values,
    )  # fmt: skip
    scene.revision += 1
    return given(nargout, node)
