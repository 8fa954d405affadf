"""Trees, tetrahedra, and several images as one."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.errors import size_limit
from runmat_plot.functions.arguments import (
    bad_data,
    not_enough,
    numbers_in,
    python,
    read_options,
    vector_in,
    whole,
)
from runmat_plot.functions.series import check_pairs, look
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.scene.colors import line_spec

#: More elements than an image can be shown with.
_MOST_ELEMENTS = 2**28


@builtin("treeplot", family="plot/curves", nargin=(1, 3), nargout=0, needs=("interp",))
def treeplot(*args: Any, interp: Interp) -> None:
    """Draw a tree that is given by the parents of its nodes.

    treeplot(P) with 0 for the root, treeplot(P, NODES), treeplot(P, NODES, EDGES) with LineSpecs

    Examples:
        >> treeplot([0 1 1 2 2]); ax = gca; ax.XLabel.String
        ans =
            'height = 2'

    See also: treelayout, etreeplot, gplot.
    """
    scene = scene_of(interp)
    values = python(interp, args)
    parents = numbers_in(values[0], "treeplot").ravel().astype(int)
    layout = interp.builtin("treelayout")
    assert layout is not None
    found = layout(3, args[0])
    x, y = (np.asarray(interp.to_python(v), float).ravel() for v in found[:2])
    height = float(np.ravel(interp.to_python(found[2]))[0])
    axes = current_axes(scene)
    prepare(axes, box=True)
    child = np.flatnonzero(parents > 0)
    gap = np.full(child.size, np.nan)
    xs, ys = (np.column_stack([v[child], v[parents[child] - 1], gap]).ravel() for v in (x, y))
    words = [value for value in values[1:] if isinstance(value, str)]
    nodes = look(axes, line_spec(words[0]) if words else None)
    if not words:
        nodes.update(Marker="o", Color=np.array([[0.85, 0.325, 0.098]]))
    edges = look(axes, line_spec(words[1]) if len(words) > 1 else None)
    if len(words) < 2:
        edges["Color"] = nodes["Color"]
    nodes["LineStyle"] = "none"
    for own, a, b in ((nodes, x, y), (edges, xs, ys)):
        line = make("line", axes, (), **own)
        line.values.update(XData=a.reshape(1, -1), YData=b.reshape(1, -1))
    axes.label("XLabel").assign("String", f"height = {height:g}")
    axes.values.update(XLim=np.array([[0.0, 1.0]]), XLimMode="manual")
    axes.values.update(YLim=np.array([[0.0, 1.0]]), YLimMode="manual")
    scene.revision += 1


@builtin("etreeplot", family="plot/curves", nargin=(1, 3), nargout=0, needs=("interp",))
def etreeplot(*args: Any, interp: Interp) -> None:
    """Draw the elimination tree of a matrix.

    etreeplot(A), etreeplot(A, NODES, EDGES) with LineSpecs

    Examples:
        >> etreeplot(sparse([2 1 0; 1 2 1; 0 1 2])); ax = gca; ax.XLabel.String
        ans =
            'height = 2'

    See also: etree, treeplot.
    """
    tree = interp.builtin("etree")
    symmetric = interp.builtin("plus")
    turned = interp.builtin("ctranspose")
    assert tree is not None
    assert symmetric is not None
    assert turned is not None
    parents = tree(1, symmetric(1, args[0], turned(1, args[0])))
    treeplot(parents, *args[1:], interp=interp)


#: The sides of a tetrahedron, by its corners.
_SIDES = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])


@builtin("tetramesh", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def tetramesh(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw tetrahedra.

    tetramesh(T, X) with rows of four points and the points, tetramesh(T, X, C) with colours
    tetramesh(TR) of a triangulation, tetramesh(…, NAME, VALUE); H = tetramesh(…)

    Examples:
        >> h = tetramesh([1 2 3 4], [0 0 0; 1 0 0; 0 1 0; 0 0 1]); size(h.Faces)
        ans =
             4     3

    See also: trisurf, delaunay, triangulation, patch.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if rest and getattr(rest[0], "class_name", "").endswith("riangulation"):
        own = interp.to_matlab(rest.pop(0))
        rest = [interp.to_python(own.field(n)) for n in ("ConnectivityList", "Points")] + rest
    if len(rest) < 2:
        raise not_enough()
    cells = numbers_in(rest[0], "tetramesh").astype(int)
    points = numbers_in(rest[1], "tetramesh").astype(float)
    rest = rest[2:]
    colors = np.arange(1.0, len(cells) + 1)
    if rest and not isinstance(rest[0], str):
        colors = vector_in(rest.pop(0), "tetramesh", len(cells))
    if cells.ndim != 2 or cells.shape[1] != 4 or points.ndim != 2 or points.shape[1] != 3:
        raise MatlabError("MATLAB:tetramesh:InvalidInput", "T must have four columns, and X three.")
    if cells.size and (cells.min() < 1 or cells.max() > len(points)):
        raise MatlabError("MATLAB:badsubscript", "Tetrahedra name points that there are not.")
    axes = target or current_axes(scene)
    check_pairs("patch", axes, rest)
    prepare(axes)
    three_dimensional(axes)
    made = []
    for cell, color in zip(cells, colors, strict=True):
        node = make("patch", axes, (), FaceColor="flat", FaceAlpha=0.9)
        node.values.update(
            Vertices=points,
            Faces=cell[_SIDES].astype(float),
            FaceVertexCData=np.full((4, 1), color),
        )
        set_pairs(node, rest)
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


@builtin("montage", family="plot/images", nargin=(1, None), needs=("nargout", "interp"))
def montage(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw several images as one, in rows and columns.

    montage(I) of an array with images along its fourth dimension, or along its third where that is
    not 3, montage({I1, I2, …}), montage(…, "Size", [ROWS COLUMNS]), montage(…, "BorderSize", N)
    H = montage(…) gives the image

    Examples:
        >> h = montage({ones(4), zeros(4), ones(4)}); size(h.CData)
        ans =
             8     8

    See also: imshow, subplot, imagesc.
    """
    rest = python(interp, args)
    images = _images(rest.pop(0))
    options, _ = read_options(
        rest, "size", "bordersize", "displayrange", "thumbnailsize", "indices", "backgroundcolor"
    )
    if "indices" in options:
        chosen = numbers_in(options["indices"], "montage").ravel().astype(int)
        images = [images[k - 1] for k in chosen if 0 < k <= len(images)]
    if not images:
        raise MatlabError("MATLAB:montage:NoImages", "There must be an image.")
    rows = int(np.ceil(np.sqrt(len(images))))
    columns = int(np.ceil(len(images) / rows))
    rows, columns = columns, rows
    if "size" in options:
        size = vector_in(options["size"], "montage", 2)
        if not (np.all(np.isnan(size) | (size >= 1)) and np.isfinite(size).any()):
            raise MatlabError("MATLAB:montage:InvalidSize", "Sizes must be positive, or NaN.")
        columns = int(size[1]) if np.isfinite(size[1]) else int(np.ceil(len(images) / size[0]))
        rows = int(size[0]) if np.isfinite(size[0]) else int(np.ceil(len(images) / columns))
    border = whole(options.get("bordersize", 0.0), 0, "montage")
    high = max(image.shape[0] for image in images) + 2 * border
    wide = max(image.shape[1] for image in images) + 2 * border
    depth = max(image.ndim for image in images)
    shape = (rows * high, columns * wide) + ((3,) if depth > 2 else ())
    if np.prod(shape, dtype=float) > _MOST_ELEMENTS:
        raise size_limit()
    canvas = np.zeros(shape, images[0].dtype)
    for k, image in enumerate(images[: rows * columns]):
        i, j = divmod(k, columns)
        part = image if image.ndim == depth else np.repeat(image[..., None], 3, axis=2)
        top, left = i * high + border, j * wide + border
        canvas[top : top + part.shape[0], left : left + part.shape[1]] = part
    shown = interp.builtin("imshow")
    assert shown is not None
    given_range = [options["displayrange"]] if "displayrange" in options else []
    made = shown(1, *(interp.to_matlab(v) for v in (canvas, *given_range)))
    return made if nargout else None


def _images(value: Any) -> list[Numbers]:
    """The images of an array or of a cell array."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.ravel(order="F").tolist()
    if isinstance(value, list):
        return [_image(item) for item in value]
    array = value if np.ndim(value) > 2 else _image(value)
    if array.ndim == 4:
        flat = array[:, :, 0] if array.shape[2] == 1 else array
        return [_image(flat[..., k]) for k in range(array.shape[3])]
    if array.ndim == 3 and array.shape[2] != 3:
        return [_image(array[..., k]) for k in range(array.shape[2])]
    return [_image(array)]


def _image(value: Any) -> Numbers:
    """One image: a matrix, or one with a page for each of three colours."""
    if not isinstance(value, bool | float | np.ndarray):
        raise bad_data("montage")
    image = np.atleast_2d(np.asarray(value))
    if image.dtype.kind not in "biuf":
        raise bad_data("montage")
    if image.shape[2:] not in ((), (3,)) or not image.size:
        raise MatlabError("MATLAB:montage:InvalidImage", "An image must have one or three colours.")
    return image
