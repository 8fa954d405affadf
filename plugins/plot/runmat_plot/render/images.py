"""Images as pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.colors import mapped
from runmat_plot.render.shapes import Drawing, Picture
from runmat_plot.render.views import View
from runmat_plot.scene import extents
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def image(drawing: Drawing, view: View, node: Node) -> None:
    data = node["CData"]
    if not data.size:
        return
    if data.ndim == 3:
        shown = np.asarray(data, float)
        scale = (
            {1: 255.0, 2: 65535.0}.get(data.dtype.itemsize, 1.0) if data.dtype.kind == "u" else 1.0
        )
        colors = np.ones((*data.shape[:2], 4))
        colors[..., :3] = np.clip(np.nan_to_num(shown[..., :3] / scale), 0, 1)
    else:
        colors = mapped(view.axes, data, node["CDataMapping"])
    alpha = node.scene.interp.to_python(node["AlphaData"])
    if isinstance(alpha, np.ndarray) and alpha.shape == data.shape[:2]:
        colors[..., 3] *= np.clip(np.asarray(alpha, float), 0, 1)
    elif isinstance(alpha, float):
        colors[..., 3] *= alpha
    left, right, first, last = extents.image_box(node)
    corners = view.project([left, right], [first, last])
    (x0, y0), (x1, y1) = corners
    # rows run downwards in pictures
    if y1 > y0:
        colors = colors[::-1]
    if x1 < x0:
        colors = colors[:, ::-1]
    pixels = np.round(colors * 255).astype(np.uint8)
    box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    box, pixels = _cropped(box, pixels, view.box)
    smooth = node["Interpolation"] == "bilinear"
    wide, high = box[2] - box[0], box[3] - box[1]
    if not smooth and (pixels.shape[1] > 1.5 * wide or pixels.shape[0] > 1.5 * high):
        pixels = _shrunk(pixels, wide, high)
    if pixels.size:
        drawing.add(Picture(np.ascontiguousarray(pixels), box, smooth, view.clip, "image"))


def _cropped(box: Any, pixels: Any, frame: Any) -> tuple[Any, Any]:
    """The rows and columns of an image that can be seen."""
    x0, y0, x1, y1 = box
    rows, columns = pixels.shape[:2]
    if x1 <= x0 or y1 <= y0:
        return box, pixels[:0]
    wide, high = (x1 - x0) / columns, (y1 - y0) / rows
    first, last = (
        max(int((frame[0] - x0) / wide), 0),
        min(int(np.ceil((frame[2] - x0) / wide)), columns),
    )
    top, low = max(int((y1 - frame[3]) / high), 0), min(int(np.ceil((y1 - frame[1]) / high)), rows)
    cut = pixels[top:low, first:last]
    return (x0 + first * wide, y1 - low * high, x0 + last * wide, y1 - top * high), cut


def _shrunk(pixels: Any, wide: float, high: float) -> Any:
    """A large image with means of pixels, so that nothing is left out."""
    rows, columns = (
        max(int(n // max(room, 1)), 1)
        for n, room in zip(pixels.shape[:2], (high, wide), strict=True)
    )
    if rows == columns == 1:
        return pixels
    cut = pixels[: pixels.shape[0] // rows * rows, : pixels.shape[1] // columns * columns]
    shape = (cut.shape[0] // rows, rows, cut.shape[1] // columns, columns, 4)
    return cut.reshape(shape).mean(axis=(1, 3)).astype(np.uint8)
