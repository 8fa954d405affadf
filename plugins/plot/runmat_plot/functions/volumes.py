"""Volumes: slices through them, their level surfaces and caps, and what prepares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    is_word,
    not_enough,
    number_in,
    numbers_in,
    parts_in,
    python,
    take,
    vector_in,
    whole,
)
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.scene.node import Node

#: Which dimension of a volume runs along x, y and z.
_DIMENSIONS = (1, 0, 2)


class Volume:
    """Values on a grid of space.

    Attributes:
        along: the coordinates of the grid along x, y and z.
        values: one or more arrays of rows along y, columns along x and pages along z.
    """

    def __init__(self, along: list[Numbers], values: list[Numbers]) -> None:
        self.along, self.values = along, values

    def at(self, points: Numbers, which: int = 0) -> Numbers:
        """Values at points, a row for each, linear in between; NaN outside the grid."""
        weights, low = [], []
        outside = np.zeros(len(points), bool)
        for k, grid in enumerate(self.along):
            place = np.interp(points[:, k], grid, np.arange(grid.size), np.nan, np.nan)
            outside |= np.isnan(place)
            first = np.clip(np.nan_to_num(place).astype(int), 0, max(grid.size - 2, 0))
            low.append(first)
            weights.append(np.nan_to_num(place) - first)
        found = np.zeros(len(points))
        values = self.values[which]
        for corner in range(8):
            part = np.ones(len(points))
            index: list[Any] = [None] * 3
            for k in range(3):
                up = corner >> k & 1
                part *= weights[k] if up else 1 - weights[k]
                index[_DIMENSIONS[k]] = np.minimum(low[k] + up, self.along[k].size - 1)
            found += part * np.where(part == 0, 0.0, values[tuple(index)])
        found[outside] = np.nan
        return found


def volume_of(name: str, data: Sequence[Any], count: int = 1) -> Volume:
    """The volume of so many arrays, which may stand behind coordinates.

    Raises:
        MatlabError: arrays that are no volumes, or coordinates that do not fit.
    """
    if len(data) < count:
        raise not_enough()
    numbers = [numbers_in(value, name).astype(float) for value in data]
    values = numbers[-count:]
    if any(part.ndim != 3 or part.shape != values[0].shape for part in values):
        raise MatlabError(f"MATLAB:{name}:VMustBe3D", "V must be a 3D array.")
    shape = values[0].shape
    along = [np.arange(1.0, shape[dim] + 1) for dim in _DIMENSIONS]
    if len(numbers) == count + 3:
        for k, part in enumerate(numbers[:3]):
            dim = _DIMENSIONS[k]
            if part.shape == shape:
                part = np.moveaxis(part, dim, 0)[:, 0, 0]
            if part.size != shape[dim]:
                raise MatlabError(
                    f"MATLAB:{name}:XYZSizeMismatch",
                    "The size of X, Y, and Z must match that of V.",
                )
            along[k] = part.ravel()
    elif len(numbers) != count:
        raise not_enough()
    return Volume(along, values)


def _plane(volume: Volume, k: int, at: float) -> tuple[Numbers, Numbers, Numbers]:
    """The points of a plane across an axis, as matrices."""
    a, b = (m for m in range(3) if m != k)
    grids = np.meshgrid(volume.along[a], volume.along[b])
    parts: list[Any] = [None] * 3
    parts[a], parts[b], parts[k] = grids[0], grids[1], np.full(grids[0].shape, at)
    return parts[0], parts[1], parts[2]


def _stacked(*parts: Numbers) -> Numbers:
    return np.column_stack([part.ravel() for part in parts])


def _split(rest: list[Any], count: int) -> tuple[list[Any], list[Any]]:
    """Arguments of the volume, and those of slices behind them."""
    front = count + 3 if len(rest) >= 2 * 3 + count and np.ndim(rest[count + 2]) == 3 else count
    return rest[:front], rest[front:]


@builtin("slice", family="plot/volumes", nargin=(4, None), needs=("nargout", "interp"))
def slice_(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw planes or surfaces through a volume in the colours of its values.

    slice(V, SX, SY, SZ) at x in SX, y in SY and z in SZ, slice(X, Y, Z, V, SX, SY, SZ)
    slice(…, XI, YI, ZI) with matrices draws the surface through these points
    slice(…, METHOD), slice(AX, …); S = slice(…) gives the surfaces

    Examples:
        >> s = slice(rand(3, 4, 5), 2, [], [1 3]); numel(s)
        ans =
             3

    See also: contourslice, isosurface, interp3, surf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    method = rest.pop().lower() if rest and isinstance(rest[-1], str) else "linear"
    if method not in ("linear", "cubic", "nearest"):
        raise MatlabError("MATLAB:slice:InvalidMethod", f"Unknown method '{method}'.")
    data, cuts = _split(rest, 1)
    volume = volume_of("slice", data)
    if len(cuts) != 3:
        raise not_enough()
    places = [numbers_in(cut, "slice").astype(float) for cut in cuts]
    surfaces = []
    if all(min(part.shape, default=0) > 1 for part in places):
        if not places[0].shape == places[1].shape == places[2].shape:
            raise MatlabError("MATLAB:slice:SizeMismatch", "XI, YI and ZI must be of one size.")
        surfaces.append((places[0], places[1], places[2]))
    else:
        for k, part in enumerate(places):
            surfaces += [_plane(volume, k, at) for at in part.ravel().tolist()]
    axes = target or current_axes(scene)
    prepare(axes)
    three_dimensional(axes)
    made = []
    for x, y, z in surfaces:
        colors = volume.at(_stacked(x, y, z)).reshape(z.shape)
        node = make("surface", axes, ())
        node.values.update(XData=x, YData=y, ZData=z, CData=colors, CDataMode="manual")
        node.info["tight"] = True
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


@builtin("contourslice", family="plot/volumes", nargin=(4, None), needs=("nargout", "interp"))
def contourslice(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the level lines of a volume on planes through it.

    contourslice(V, SX, SY, SZ), contourslice(X, Y, Z, V, SX, SY, SZ)
    contourslice(…, N) with N levels, contourslice(…, LEVELS), contourslice(AX, …)
    H = contourslice(…) gives the lines as patches

    Examples:
        >> [x, y, z] = meshgrid(-2:2); h = contourslice(x, y, z, x.^2 + y.^2, [], [], 0, [1 2]);
        >> numel(h)
        ans =
             2

    See also: slice, contour, isosurface.
    """
    from contourpy import contour_generator

    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    rest = [value for value in rest if not isinstance(value, str)]
    data, cuts = _split(rest, 1)
    volume = volume_of("contourslice", data)
    if len(cuts) not in (3, 4):
        raise not_enough()
    values = volume.values[0]
    finite = values[np.isfinite(values)]
    levels = np.linspace(finite.min(), finite.max(), 7)[1:-1] if finite.size else np.zeros(0)
    if len(cuts) == 4:
        wanted = numbers_in(cuts[3], "contourslice").ravel().astype(float)
        if wanted.size == 1 and finite.size:
            count = parts_in(wanted[0], 1, "contourslice")
            levels = np.linspace(finite.min(), finite.max(), count + 2)[1:-1]
        else:
            levels = np.unique(wanted)
    axes = target or current_axes(scene)
    prepare(axes)
    three_dimensional(axes)
    made = []
    for k in range(3):
        a, b = (m for m in range(3) if m != k)
        for at in numbers_in(cuts[k], "contourslice").ravel().astype(float).tolist():
            x, y, z = _plane(volume, k, at)
            found = volume.at(_stacked(x, y, z)).reshape(z.shape)
            lines: Any = contour_generator(
                volume.along[a], volume.along[b], np.ma.masked_invalid(found)
            )
            for level in levels.tolist():
                for line in lines.lines(level):
                    points = np.full((len(line) + 1, 3), np.nan)
                    points[:-1, a], points[:-1, b], points[:-1, k] = line[:, 0], line[:, 1], at
                    made.append(_curve(axes, points, level))
    scene.revision += 1
    return given(nargout, made)


def _curve(axes: Node, points: Numbers, level: float) -> Node:
    """A line in the colour of a value: a patch without faces."""
    node = make("patch", axes, (), FaceColor="none", EdgeColor="flat")
    whole_line = points[:-1]
    ends = np.column_stack([np.arange(1.0, len(whole_line)), np.arange(2.0, len(whole_line) + 1)])
    node.values.update(
        Vertices=whole_line, Faces=ends, FaceVertexCData=np.full((len(whole_line), 1), level)
    )
    return node


# -- level surfaces ------------------------------------------------------------------------------


@builtin("graphics.isosurface", family="plot/volumes", nargin=(1, 7), nargout=0, needs=("interp",))
def isosurface(*args: Any, interp: Interp) -> None:
    """Draw a level surface of a volume; what isosurface without outputs calls.

    Examples:
        >> [x, y, z] = meshgrid(-2:2); isosurface(x, y, z, x.^2 + y.^2 + z.^2, 1.5); ishold
        ans =
          logical
           0

    See also: isosurface, isocaps, patch.
    """
    computed = interp.builtin("isosurface")
    assert computed is not None
    faces, vertices = (np.asarray(interp.to_python(v), float) for v in computed(2, *args))
    scene = scene_of(interp)
    axes = current_axes(scene)
    three_dimensional(axes)
    plain = [value for value in python(interp, args) if isinstance(value, float)]
    level = np.full((len(vertices), 1), plain[-1] if plain else 0.0)
    node = make("patch", axes, (), FaceColor="flat", EdgeColor="none")
    node.values.update(Vertices=vertices, Faces=faces, FaceVertexCData=level)
    node.values["FaceLighting"] = "gouraud"
    position = np.array([[-0.7, -1.0, 1.0]])
    if not any(child.kind.name == "light" for child in axes.children):
        make("light", axes, (), Position=position)
    scene.revision += 1


@builtin("isocaps", family="plot/volumes", nargin=(2, 6), nargout=3, needs=("nargout", "interp"))
def isocaps(*args: Any, nargout: int, interp: Interp) -> Any:
    """Ends of what lies within a level surface, at the sides of the volume.

    FVC = isocaps(V, ISOVALUE), FVC = isocaps(X, Y, Z, V, ISOVALUE): faces, vertices and colours
    FVC = isocaps(…, "below") encloses values below the level
    [F, V, C] = isocaps(…) gives them apart; without outputs they are drawn

    Examples:
        >> [x, y, z] = meshgrid(-1:1); [f, v] = isocaps(x, y, z, x, 0); max(v(:, 1))
        ans =
             1

    See also: isosurface, slice.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    below = any(is_word(value, "below") for value in rest)
    data = [value for value in rest if not isinstance(value, str)]
    level = number_in(take(data[::-1]), "isocaps")
    data.pop()
    volume = volume_of("isocaps", data)
    rings: list[Numbers] = []
    for k in range(3):
        for at in (volume.along[k][0], volume.along[k][-1]):
            x, y, z = _plane(volume, k, float(at))
            values = volume.at(_stacked(x, y, z)).reshape(z.shape)
            rings += _within(np.stack([x, y, z], axis=-1), values, level, below)
    vertices = np.concatenate(rings) if rings else np.zeros((0, 3))
    most = max((len(ring) for ring in rings), default=3)
    faces = np.full((len(rings), most), np.nan)
    start = 1
    for row, ring in enumerate(rings):
        faces[row, : len(ring)] = np.arange(start, start + len(ring))
        start += len(ring)
    colors = volume.at(vertices).reshape(-1, 1)
    if nargout > 1:
        return faces, vertices, colors
    if nargout == 1:
        names = ("vertices", "faces", "facevertexcdata")
        return dict(zip(names, (vertices, faces, colors), strict=True))
    axes = current_axes(scene)
    three_dimensional(axes)
    node = make("patch", axes, (), FaceColor="interp", EdgeColor="none")
    node.values.update(Vertices=vertices, Faces=faces, FaceVertexCData=colors)
    scene.revision += 1
    return None


def _within(points: Numbers, values: Numbers, level: float, below: bool) -> list[Numbers]:
    """The parts of the cells of a plane in which values are above a level."""
    height = level - values if below else values - level
    rings = []
    rows, columns = height.shape
    for i in range(rows - 1):
        for j in range(columns - 1):
            corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
            h = [float(height[c]) for c in corners]
            if not max(h) > 0 or not np.isfinite(h).all():
                continue
            ring = []
            for m in range(4):
                n = (m + 1) % 4
                p, q = points[corners[m]], points[corners[n]]
                if h[m] >= 0:
                    ring.append(p)
                if h[m] * h[n] < 0:
                    ring.append(p + (q - p) * (h[m] / (h[m] - h[n])))
            if len(ring) > 2:
                rings.append(np.array(ring))
    return rings


@builtin("isonormals", family="plot/volumes", nargin=(2, 6), needs=("nargout", "interp"))
def isonormals(*args: Any, nargout: int, interp: Interp) -> Any:
    """Normals of a level surface, from the slopes of its volume.

    N = isonormals(V, VERTICES), N = isonormals(X, Y, Z, V, VERTICES)
    isonormals(…, P) sets the VertexNormals of the patch P; isonormals(…, "negate") turns them

    Examples:
        >> [x, y, z] = meshgrid(-1:1); n = isonormals(x, y, z, x, [0 0 0]); n(1)
        ans =
            -1

    See also: isosurface, isocaps, surfnorm.
    """
    rest = python(interp, args)
    sign = 1.0 if any(is_word(value, "negate") for value in rest) else -1.0
    data = [value for value in rest if not isinstance(value, str)]
    last = take(data[::-1])
    volume = volume_of("isonormals", data[:-1])
    if min(volume.values[0].shape) < 2:
        raise MatlabError("MATLAB:isonormals:VMustBe3D", "V must have two planes or more.")
    points = last["Vertices"] if isinstance(last, Node) else numbers_in(last, "isonormals")
    if np.ndim(points) != 2 or np.shape(points)[1] != 3:
        raise MatlabError("MATLAB:isonormals:InvalidVertices", "Vertices must have three columns.")
    slopes = Volume(
        volume.along,
        [np.gradient(volume.values[0], volume.along[k], axis=_DIMENSIONS[k]) for k in range(3)],
    )
    points = np.asarray(points, float)
    normals = sign * np.column_stack([slopes.at(points, k) for k in range(3)])
    if isinstance(last, Node):
        last.values["VertexNormals"] = interp.to_matlab(normals)
        last.scene.revision += 1
        return normals if nargout else None
    return normals


# -- arrows and cones ------------------------------------------------------------------------------


@builtin("coneplot", family="plot/volumes", nargin=(6, None), needs=("nargout", "interp"))
def coneplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the vectors of a field in space as cones.

    coneplot(X, Y, Z, U, V, W, CX, CY, CZ) at the points CX, CY, CZ; coneplot(U, V, W, CX, CY, CZ)
    coneplot(…, S) scales the cones, coneplot(…, COLORS) colours them by a volume
    coneplot(…, "nointerp") with vectors at the points; H = coneplot(…) gives the patch

    Examples:
        >> [x, y, z] = meshgrid(0:2); h = coneplot(x, y, z, x, y, z, 1, 1, 1); h.Type
        ans =
            'patch'

    See also: quiver3, streamline, streamtube.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    words = [value.lower() for value in rest if isinstance(value, str)]
    data = [numbers_in(v, "coneplot").astype(float) for v in rest if not isinstance(v, str)]
    scale, shades = 1.0, None
    volumes = [part.ndim == 3 for part in data]
    lead = 6 if len(data) >= 9 else 3
    extra = data[lead + 3 :]
    for part in extra:
        if part.size == 1:
            scale = float(part.item())
        else:
            shades = part
    if len(data) < lead + 3 or not volumes[lead - 1]:
        raise not_enough()
    field = volume_of("coneplot", data[:lead], 3)
    feet = _stacked(*data[lead : lead + 3])
    vectors = np.column_stack([field.at(feet, k) for k in range(3)])
    length = np.linalg.norm(vectors, axis=1)
    most = float(np.nanmax(length, initial=0.0))
    spread = np.array([np.ptp(grid) for grid in field.along])
    reach = 0.6 * float(np.linalg.norm(spread)) / max(len(feet), 1) ** (1 / 3) / 2
    vertices: list[Numbers] = []
    faces: list[Numbers] = []
    colors: list[Numbers] = []
    shade = None if shades is None else Volume(field.along, [shades]).at(feet)
    good = np.flatnonzero(np.isfinite(length) & (length > 0))
    for k in good.tolist():
        cone, own = _cone(feet[k], vectors[k] / most * reach * scale, len(vertices) * 9)
        vertices.append(cone)
        faces.append(own)
        colors.append(np.full((9, 1), length[k] if shade is None else shade[k]))
    axes = target or current_axes(scene)
    three_dimensional(axes)
    node = make("patch", axes, (), EdgeColor="none", FaceColor="flat")
    if "quiver" in words:
        node.values["EdgeColor"] = np.zeros((1, 3))
    if vertices:
        node.values.update(
            Vertices=np.concatenate(vertices),
            Faces=np.concatenate(faces),
            FaceVertexCData=np.concatenate(colors),
        )
    scene.revision += 1
    return given(nargout, node)


def _cone(foot: Numbers, arrow: Numbers, start: int) -> tuple[Numbers, Numbers]:
    """Corners of a cone along an arrow, and its sides."""
    size = float(np.linalg.norm(arrow))
    along = arrow / size
    other = np.eye(3)[int(np.argmin(np.abs(along)))]
    across = np.cross(along, other)
    across /= np.linalg.norm(across)
    up = np.cross(along, across)
    turn = np.linspace(0, 2 * np.pi, 9)[:-1]
    rim = foot + 0.25 * size * (np.outer(np.cos(turn), across) + np.outer(np.sin(turn), up))
    ring = np.arange(8)
    faces = np.column_stack([ring, np.roll(ring, -1), np.full(8, 8)]) + start + 1.0
    return np.vstack([rim, foot + arrow]), faces


# -- preparing volumes ----------------------------------------------------------------------------


@builtin("smooth3", family="plot/volumes", nargin=(1, 4), needs=("interp",))
def smooth3(*args: Any, interp: Interp) -> Any:
    """Volume whose elements are means of those around them.

    W = smooth3(V) over boxes of 3-by-3-by-3, smooth3(V, "gaussian") by weights that fall off
    smooth3(V, FILTER, SIZE) with an odd number, or three; smooth3(V, "gaussian", SIZE, SD)

    Examples:
        >> v = zeros(3, 3, 3); v(14) = 27; w = smooth3(v); w(2, 2, 2)
        ans =
             1

    See also: isosurface, slice, convn.
    """
    rest = python(interp, args)
    v = numbers_in(rest[0], "smooth3").astype(float)
    if v.ndim != 3:
        raise MatlabError("MATLAB:smooth3:V3D", "V must be a 3D array.")
    word = str(rest[1]).lower() if len(rest) > 1 else "box"
    if word[:1] not in ("b", "g"):
        raise MatlabError("MATLAB:smooth3:UnknownFilter", f"Unknown filter '{word}'.")
    sizes = vector_in(rest[2], "smooth3", 1, 3) if len(rest) > 2 else np.array([3.0])
    sizes = np.resize(sizes, 3).astype(int)
    if np.any(sizes < 1) or np.any(sizes % 2 == 0):
        raise MatlabError("MATLAB:smooth3:InvalidSize", "SIZE must be odd.")
    spread = float(vector_in(rest[3], "smooth3", 1).item()) if len(rest) > 3 else 0.65
    for dim, size in enumerate(sizes.tolist()):
        half = size // 2
        weights = np.ones(size)
        if word.startswith("g"):
            weights = np.exp(-(np.arange(-half, half + 1.0) ** 2) / (2 * spread**2))
        weights = weights / weights.sum()
        pads = [(half, half) if k == dim else (0, 0) for k in range(3)]
        padded = np.pad(v, pads, mode="edge")
        count = v.shape[dim]
        v = sum(
            weight * np.take(padded, np.arange(k, k + count), axis=dim)
            for k, weight in enumerate(weights)
        )
    return v


@builtin(
    "shrinkfaces", family="plot/volumes", nargin=(1, 3), nargout=2, needs=("nargout", "interp")
)
def shrinkfaces(*args: Any, nargout: int, interp: Interp) -> Any:
    """Faces drawn in towards their middles, each with corners of its own.

    NFV = shrinkfaces(FV, FACTOR) of a structure with faces and vertices, 0.3 without FACTOR
    NFV = shrinkfaces(F, V, FACTOR), [NF, NV] = shrinkfaces(…); shrinkfaces(P, FACTOR) of a patch

    Examples:
        >> [f, v] = shrinkfaces([1 2 3], [0 0 0; 3 0 0; 0 3 0], 0.25); v(1, :)
        ans =
            0.5000    0.5000         0

    See also: isosurface, patch.
    """
    rest = python(interp, args)
    first = rest.pop(0)
    factor = 0.3
    if isinstance(first, Node):
        faces, vertices = first["Faces"], first["Vertices"]
    else:
        if isinstance(first, dict):
            rest[:0] = [first.get(name) for name in ("faces", "vertices")]
        else:
            rest.insert(0, first)
        faces, vertices = (numbers_in(take(rest), "shrinkfaces").astype(float) for _ in range(2))
    if rest:
        factor = number_in(rest[0], "shrinkfaces")
    if np.ndim(vertices) != 2 or np.ndim(faces) != 2 or not faces.size:
        raise MatlabError("MATLAB:shrinkfaces:InvalidMesh", "Faces and vertices must be matrices.")
    known = np.isin(faces, np.arange(1, len(vertices) + 1))
    if not known.all():
        raise MatlabError("MATLAB:shrinkfaces:InvalidFaces", "Faces must be rows of vertices.")
    corners = vertices[np.asarray(faces, float).astype(int) - 1]
    middle = corners.sum(axis=1, keepdims=True) / max(corners.shape[1], 1)
    # the factor is that of areas
    moved = (middle + (corners - middle) * np.sqrt(factor)).reshape(-1, vertices.shape[1])
    fresh = np.arange(1.0, moved.shape[0] + 1).reshape(faces.shape)
    if isinstance(first, Node) and not nargout:
        first.values.update(Vertices=moved, Faces=fresh)
        first.scene.revision += 1
        return None
    return (fresh, moved) if nargout > 1 else {"faces": fresh, "vertices": moved}


@builtin(
    "reducevolume", family="plot/volumes", nargin=(2, 5), nargout=4, needs=("nargout", "interp")
)
def reducevolume(*args: Any, nargout: int, interp: Interp) -> Any:
    """Volume with every n-th element along each dimension.

    NV = reducevolume(V, N), reducevolume(V, [NX NY NZ])
    [NX, NY, NZ, NV] = reducevolume(X, Y, Z, V, N)

    Examples:
        >> size(reducevolume(zeros(4, 6, 8), 2))
        ans =
             2     3     4

    See also: smooth3, isosurface.
    """
    rest = python(interp, args)
    steps = np.resize(vector_in(rest.pop(), "reducevolume", 1, 3), 3)
    numbers = [numbers_in(value, "reducevolume").astype(float) for value in rest]
    if nargout > 1 and len(numbers) == 1 and numbers[0].ndim != 3:
        raise MatlabError("MATLAB:reducevolume:VMustBe3D", "V must be a 3D array.")
    strides = [whole(step, 1, "reducevolume") for step in steps.tolist()]
    index = tuple(slice(None, None, strides[k]) for k in (1, 0, 2))
    made = [
        part[index] if part.ndim == 3 else part.ravel()[:: strides[k]].reshape(1, -1)
        for k, part in enumerate(numbers)
    ]
    if nargout > 1 and len(made) == 1:
        sizes = [numbers[0].shape[k] for k in _DIMENSIONS]
        own = [np.arange(1.0, size + 1)[:: strides[k]] for k, size in enumerate(sizes)]
        made = [*np.meshgrid(*own), *made]
    return made[-1] if nargout < 2 else tuple(made)[:nargout]
