"""Shapes in pixels, from the lower left corner: what a figure comes to, whatever draws it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
#: Left, bottom, right, top.
Box = tuple[float, float, float, float]


class Marker(NamedTuple):
    """The look of points: symbol, size and width of lines in points, colours."""

    symbol: str
    size: float
    edge: Any
    face: Any
    width: float = 0.5


class Line(NamedTuple):
    """A line through points, with gaps where one is NaN."""

    points: Numbers
    color: Any
    width: float
    style: str = "-"
    marker: Marker | None = None
    clip: Box | None = None
    tag: str = ""


class Points(NamedTuple):
    """Symbols, each with a size (points) and colours of its own."""

    points: Numbers
    symbol: str
    sizes: Numbers
    edges: Any
    faces: Any
    width: float
    clip: Box | None = None
    tag: str = ""


class Polygons(NamedTuple):
    """Filled polygons: an array of corners for each, colours of faces and of edges.

    `depths` says how near each is to the viewer, where objects may hide each other.
    """

    corners: Any
    faces: Any
    edges: Any
    width: Any
    style: str = "-"
    clip: Box | None = None
    tag: str = ""
    depths: Any = None


class Segments(NamedTuple):
    """Lines between pairs of points."""

    ends: Numbers
    color: Any
    width: float
    style: str = "-"
    clip: Box | None = None
    tag: str = ""


class Picture(NamedTuple):
    """An image over a box; its first row is on top."""

    pixels: NDArray[np.uint8]
    box: Box
    smooth: bool = False
    clip: Box | None = None
    tag: str = ""


class Label(NamedTuple):
    """A text at a point."""

    x: float
    y: float
    text: str
    size: float
    color: Any = (0.0, 0.0, 0.0)
    align: str = "center"
    valign: str = "middle"
    rotation: float = 0.0
    bold: bool = False
    italic: bool = False
    interpreter: str = "tex"
    font: str = ""
    background: Any = None
    edge: Any = None
    margin: float = 3.0
    clip: Box | None = None
    tag: str = ""


Shape = Line | Points | Polygons | Segments | Picture | Label


class Drawing:
    """The shapes of a figure in the order in which they are drawn.

    Attributes:
        width, height: in pixels.
        scale: pixels of a point (1/72 inch).
        zoom: pixels of a pixel on a screen.
        background: the colour of the figure; None for none.
        ink: the colour of what is written beside axes.
        warn: takes identifier and text of what is wrong with texts.
    """

    def __init__(self, width: float, height: float, dpi: float) -> None:
        self.zoom = dpi / 96
        self.scale = dpi / 72
        self.dpi = dpi
        self.width = round(width * self.zoom)
        self.height = round(height * self.zoom)
        self.background: Any = (1.0, 1.0, 1.0)
        self.ink = (0.15, 0.15, 0.15)
        self.warn: Callable[[str, str], None] | None = None
        self.shapes: list[Shape] = []

    def add(self, shape: Shape) -> None:
        self.shapes.append(shape)

    def of(self, tag: str) -> list[Any]:
        """The shapes that were drawn for something."""
        return [shape for shape in self.shapes if shape.tag == tag]
