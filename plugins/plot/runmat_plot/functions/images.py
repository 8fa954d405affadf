"""Images and matrices as colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.lines import check_pairs
from runmat_plot.functions.support import (
    bad_data,
    current_axes,
    given,
    holds,
    make,
    not_enough,
    numbers_in,
    prepare,
    python,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.node import Node


def _pixels(value: Any, name: str) -> Any:
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
        values["CData"] = _pixels(data[-1], name)
    else:
        values["CData"] = np.add.outer(np.arange(64.0), np.arange(64.0))
    pixels = values["CData"]
    for axis, count in (("X", pixels.shape[1]), ("Y", pixels.shape[0])):
        values.setdefault(f"{axis}Data", np.array([[1.0, float(count)]]))
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
        shape = np.shape(second)
        if len(shape) == 2 and shape[1] == 3 and shape[0] > 1:
            table = np.asarray(second, float)
        else:
            limits = np.asarray(second, float).ravel()
    looks: list[Any] = []
    for name, value in zip(rest[::2], rest[1::2], strict=False):
        low = str(name).lower()
        if low == "displayrange":
            limits = np.asarray(value, float).ravel()
        elif low == "colormap":
            table = np.asarray(value, float)
        elif low not in (
            "initialmagnification",
            "border",
            "xdata",
            "ydata",
            "reduce",
            "interpolation",
        ):
            looks += [name, value]
    data = _pixels(first, "imshow")
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
            top = {
                "b": 1.0,
                "u": float(np.iinfo(data.dtype).max) if data.dtype.kind in "ui" else 1.0,
                "i": float(np.iinfo(data.dtype).max) if data.dtype.kind in "ui" else 1.0,
            }.get(data.dtype.kind, 1.0)
            low_high = np.array([0.0, top])
            if limits is not None:
                finite = data[np.isfinite(data)] if data.dtype.kind == "f" else data
                low_high = (
                    limits
                    if limits.size == 2
                    else np.array([float(finite.min()), float(finite.max())])
                )
            if low_high[0] >= low_high[1]:
                low_high = np.array([low_high[0], low_high[0] + 1])
            axes.assign("CLim", low_high.reshape(1, 2))
    scene.revision += 1
    return given(nargout, node)


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
