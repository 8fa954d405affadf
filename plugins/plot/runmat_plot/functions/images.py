"""Images and matrices as colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    bad_data,
    not_enough,
    numbers_in,
    python,
    read_options,
    vector_in,
)
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    holds,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene import tables
from runmat_plot.scene.node import Node
from runmat_plot.scene.properties import stored


def pixels_in(value: Any, name: str) -> Any:
    """The pixels of an image: a matrix, or three of them.

    Raises:
        MatlabError: the value is no real numbers, or has another shape.
    """
    value = value.toarray() if hasattr(value, "toarray") else value
    if (
        not isinstance(value, np.ndarray | float | bool)
        or getattr(value, "dtype", np.dtype(float)).kind not in "buif"
    ):
        raise bad_data(name)
    data = np.atleast_2d(np.asarray(value))
    if data.ndim > 3 or (data.ndim == 3 and data.shape[2] not in (1, 3)):
        raise MatlabError(
            "MATLAB:image:InvalidCData", "Color data must be an m-by-n or an m-by-n-by-3 array."
        )
    return data[..., 0] if data.ndim == 3 and data.shape[2] == 1 else data


@builtin("image", family="plot/images", nargin=(0, None), needs=("nargout", "interp"))
def image(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw an image, or a matrix of places in the colour map.

    image(C), image(X, Y, C), image(…, NAME, VALUE), image(AX, …); IM = image(…)

    Examples:
        >> im = image([1 2; 3 4]); im.CDataMapping
        ans =
            'direct'

    See also: imagesc, imshow, colormap.
    """
    return given(nargout, _image("image", args, interp, "direct"))


@builtin("imagesc", family="plot/images", nargin=(1, None), needs=("nargout", "interp"))
def imagesc(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a matrix as colours, over the whole colour map.

    imagesc(C), imagesc(X, Y, C), imagesc(C, [MIN MAX]), imagesc(…, NAME, VALUE), imagesc(AX, …)

    Examples:
        >> imagesc([1 2; 3 4]); ylim
        ans =
            0.5000    2.5000

    See also: image, pcolor, colorbar, colormap, caxis.
    """
    return given(nargout, _image("imagesc", args, interp, "scaled"))


def _image(name: str, args: Sequence[Any], interp: Interp, mapping: str) -> Node:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Any] = []
    while rest and not isinstance(rest[0], str | dict) and len(data) < 4:
        data.append(rest.pop(0))
    limits = None
    if name == "imagesc" and len(data) in (2, 4):
        limits = data.pop()
    values: dict[str, Any] = {}
    if len(data) == 3:
        values["XData"] = numbers_in(data[0], name).reshape(1, -1)
        values["YData"] = numbers_in(data[1], name).reshape(1, -1)
    elif len(data) == 2:
        raise not_enough()
    axes = target or current_axes(scene)
    check_pairs("image", axes, rest)
    if data:
        values["CData"] = pixels_in(data[-1], name)
    else:
        values["CData"] = np.add.outer(np.arange(64.0), np.arange(64.0))
    pixels = values["CData"]
    for axis, count in (("X", pixels.shape[1]), ("Y", pixels.shape[0])):
        values.setdefault(f"{axis}Data", np.array([[1.0, float(count)]]))
    if limits is not None:
        limits = stored(tables.KINDS["axes"].properties["clim"], limits, "Axes")
    fresh = not holds(axes)
    prepare(axes, box=True)
    node = make("image", axes, (), CDataMapping=mapping, **values)
    set_pairs(node, rest)
    if fresh:
        axes.values.update(YDir="reverse", Layer="top")
    if limits is not None:
        axes.assign("CLim", limits)
    scene.revision += 1
    return node


@builtin("imshow", family="plot/images", nargin=(1, None), needs=("nargout", "interp"))
def imshow(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show an image with square pixels and without axes.

    imshow(I) of grey values, imshow(RGB), imshow(BW), imshow(I, [LOW HIGH]), imshow(I, [])
    imshow(X, MAP), imshow(FILE), imshow(…, NAME, VALUE)

    Examples:
        >> h = imshow(uint8([0 128; 255 64])); get(gca, 'Visible')
        ans =
            'off'

    See also: image, imagesc, imread.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    target, rest = take_axes(scene, rest)
    first = rest.pop(0)
    table = None
    if isinstance(first, str):
        read = interp.builtin("imread")
        assert read is not None
        first = interp.to_python(read(1, interp.to_matlab(first)))
    limits: Any = None
    if rest and not isinstance(rest[0], str):
        second = rest.pop(0)
        shape = np.shape(second) if isinstance(second, np.ndarray) else ()
        if len(shape) == 2 and shape[1] == 3 and shape[0] > 1:
            table = second
        else:
            limits = second
    options, looks = read_options(
        rest,
        *("displayrange", "colormap", "initialmagnification", "border", "xdata", "ydata"),
        *("reduce", "interpolation"),
    )
    limits = options.get("displayrange", limits)
    table = options.get("colormap", table)
    data = pixels_in(first, "imshow")
    low_high = _display_range(data, limits)
    if table is not None:
        table = stored(tables.KINDS["axes"].properties["colormap"], table, "Axes")
    axes = target or current_axes(scene)
    check_pairs("image", axes, looks)
    prepare(axes)
    node = make(
        "image",
        axes,
        (),
        CData=data,
        CDataMapping="scaled",
        XData=np.array([[1.0, data.shape[1]]]),
        YData=np.array([[1.0, data.shape[0]]]),
    )
    set_pairs(node, looks)
    axes.values.update(
        YDir="reverse", Visible="off", DataAspectRatio=np.ones((1, 3)), DataAspectRatioMode="manual"
    )
    axes.info["image"] = True
    if data.ndim == 2:
        if table is not None:
            axes.values["Colormap"] = table
            node.values["CDataMapping"] = "direct"
        else:
            axes.values["Colormap"] = np.repeat(np.linspace(0, 1, 256)[:, None], 3, axis=1)
            axes.assign("CLim", low_high.reshape(1, 2))
    scene.revision += 1
    return given(nargout, node)


def _display_range(data: Numbers, limits: Any) -> Numbers:
    """The values that are black and white: given ones, those of the data, or those of its class."""
    low_high = np.array([0.0, np.iinfo(data.dtype).max if data.dtype.kind in "ui" else 1.0])
    if limits is None:
        return low_high
    chosen = vector_in(limits, "imshow", 0, 2)
    if np.isnan(chosen).any():
        raise MatlabError("MATLAB:imshow:InvalidDisplayRange", "The display range must be numbers.")
    if chosen.size:
        low_high = chosen
    elif (finite := data[np.isfinite(data)]).size:
        low_high = np.array([float(finite.min()), float(finite.max())])
    if low_high[0] >= low_high[1]:
        low_high = np.array([low_high[0], low_high[0] + 1])
    return low_high


@builtin("pcolor", family="plot/images", nargin=(1, None), needs=("nargout", "interp"))
def pcolor(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a matrix as coloured cells of a grid.

    pcolor(C), pcolor(X, Y, C), pcolor(AX, …); the last row and column lie at the edge

    Examples:
        >> h = pcolor([1 2 3; 4 5 6; 7 8 9]); h.Type
        ans =
            'surface'

    See also: imagesc, surf, shading.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = []
    while rest and not isinstance(rest[0], str):
        data.append(numbers_in(rest.pop(0), "pcolor").astype(float))
    if len(data) not in (1, 3):
        raise not_enough()
    c = data[-1]
    if c.ndim != 2:
        raise MatlabError("MATLAB:pcolor:NonMatrixColorInput", "Color data input must be a matrix.")
    x = data[0] if len(data) == 3 else np.arange(1.0, c.shape[1] + 1).reshape(1, -1)
    y = data[1] if len(data) == 3 else np.arange(1.0, c.shape[0] + 1).reshape(-1, 1)
    if x.size not in (c.size, c.shape[1]) or y.size not in (c.size, c.shape[0]):
        raise MatlabError("MATLAB:pcolor:InvalidColorDimensions", "Matrix dimensions must agree.")
    axes = target or current_axes(scene)
    check_pairs("surface", axes, rest)
    prepare(axes, box=True)
    x = x if x.shape == c.shape else np.broadcast_to(x.reshape(1, -1), c.shape)
    y = y if y.shape == c.shape else np.broadcast_to(y.reshape(-1, 1), c.shape)
    node = make(
        "surface", axes, (), XData=x, YData=y, ZData=np.zeros(c.shape), CData=c, FaceColor="flat"
    )
    node.info["tight"] = True
    set_pairs(node, rest)
    axes.values["Layer"] = "top"
    scene.revision += 1
    return given(nargout, node)
