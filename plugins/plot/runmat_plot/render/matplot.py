"""Shapes through matplotlib, to files or to pixels."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.backends import backend_agg
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.image import BboxImage
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform, TransformedBbox
from numpy.typing import NDArray

from runmat_plot.render import shapes
from runmat_plot.render.texts import mathtext, plain

logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
logging.getLogger("matplotlib.mathtext").setLevel(logging.ERROR)
logging.getLogger("matplotlib.backends.backend_ps").setLevel(logging.ERROR)

#: Helvetica's metrics first, the font that matplotlib brings last.
FONTS = ["Helvetica", "Arial", "Liberation Sans", "Nimbus Sans", "DejaVu Sans"]
_SETTINGS: Any = {
    "font.family": "sans-serif",
    "mathtext.fontset": "dejavusans",
    "path.simplify": True,
    "path.simplify_threshold": 0.1,
    "agg.path.chunksize": 20000,
    "svg.fonttype": "path",
    "svg.hashsalt": "runmat",
    "pdf.fonttype": 42,
}
_MARKERS = {
    "square": "s",
    "diamond": "D",
    "pentagram": "*",
    "hexagram": "h",
    "*": (8, 2, 0),
    "+": "+",
    "x": "x",
    "o": "o",
    ".": "o",
    "^": "^",
    "v": "v",
    ">": ">",
    "<": "<",
    "_": "_",
    "|": "|",
}
#: How large a symbol is beside the size that is asked for.
_SIZES = {".": 1 / 3, "square": 0.9, "diamond": 0.75, "pentagram": 1.3, "*": 0.95}
_DASHES: dict[str, Any] = {
    "-": "-",
    "--": (0, (10.0, 6.0)),
    ":": (0, (1.0, 3.0)),
    "-.": (0, (8.0, 3.0, 1.5, 3.0)),
    "none": "none",
}
#: Kinds of files that hold pixels, by ending.
_PIXELS = {"jpg": "JPEG", "tif": "TIFF", "png": "PNG", "bmp": "BMP", "gif": "GIF"}
_VALIGN = {"middle": "center_baseline", "cap": "top"}


def _font_family() -> list[str]:
    """The fonts that are there, of those that are wanted."""
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    return [name for name in FONTS if name in there]


_family: list[str] = []


#: Inches around what is drawn on a page without margins.
MARGIN = 0.02


class Sheet:
    """The resolution and size of a figure, which is all that artists ask of one.

    matplotlib's own brings axes, dates and projections: a quarter of the time of a first picture.
    """

    def __init__(self, width: float, height: float, dpi: float) -> None:
        self.dpi = dpi
        self.bbox = Bbox.from_bounds(0, 0, width, height)

    def get_figure(self, root: bool = False) -> Sheet:
        return self


class Page:
    """The shapes of a figure as matplotlib's artists, drawn to pixels or to a file."""

    def __init__(self, drawing: shapes.Drawing) -> None:
        rcParams.update(_SETTINGS)
        if not _family:
            _family.extend(_font_family())
        self.drawing = drawing
        self.clips: dict[shapes.Box, Any] = {}
        #: width and height in pixels
        self.size = drawing.width, drawing.height
        #: from the pixels of the drawing to those of the page
        self.shift = Affine2D()

    def refused(self, text: str) -> None:
        """Say that a text has mark-up that cannot be read, and is drawn as it stands."""
        if self.drawing.warn is not None:
            self.drawing.warn(
                "MATLAB:handle_graphics:exceptions:SceneNode",
                "Error in state of SceneNode. String scalar or character vector must have valid "
                f"interpreter syntax:\n{text}",
            )

    def _artists(self, parent: Any) -> Iterator[Any]:
        """The artists of the shapes, from the back to the front."""
        for order, shape in enumerate(self.drawing.shapes):
            artist = _ARTISTS[type(shape)](self, shape)
            if artist is None:
                continue
            artist.set_zorder(order)
            artist.set_gid(shape.tag or None)
            artist.set_figure(parent)
            if shape.clip is not None:
                artist.set_clip_box(self._box(shape.clip))
                artist.set_clip_on(True)
            yield artist

    def _box(self, box: shapes.Box) -> Any:
        found = self.clips.get(box)
        if found is None:
            left, bottom, right, top = box
            found = TransformedBbox(
                Bbox.from_extents(left - 0.5, bottom - 0.5, right + 0.5, top + 0.5),
                self.shift,
            )
            self.clips[box] = found
        return found

    def pixels(self) -> NDArray[np.uint8]:
        """The page as an image with red, green, blue and alpha."""
        dpi = self.drawing.dpi
        width, height = self.size
        agg: Any = backend_agg  # which has no types
        renderer = agg.RendererAgg(width, height, dpi)
        background = self.drawing.background
        if background is not None:
            whole = Rectangle((0, 0), width, height, linewidth=0, antialiased=False)
            whole.set_facecolor(background)
            whole.draw(renderer)
        for artist in self._artists(Sheet(width, height, dpi)):
            artist.draw(renderer)
        return np.asarray(renderer.buffer_rgba())

    def save(self, target: Any, kind: str, tight: bool = False) -> None:
        """Write the page to a file or a stream; `tight` leaves out the margin around it."""
        if kind in _PIXELS:
            image = self.pixels()
            if tight:
                image = _cropped(image, _inked(image, self.drawing.dpi))
            self._save_pixels(image, target, kind)
            return
        from matplotlib.figure import Figure

        if tight:
            image = self.pixels()
            top, bottom, left, right = _inked(image, self.drawing.dpi)
            self.shift.translate(-left, bottom - len(image))
            self.size = right - left, bottom - top
        dpi = self.drawing.dpi
        figure = Figure(figsize=(self.size[0] / dpi, self.size[1] / dpi), dpi=dpi)
        background = self.drawing.background
        figure.patch.set_facecolor("none" if background is None else background)
        for artist in self._artists(figure):
            figure.add_artist(artist)
        options: dict[str, Any] = {"format": kind, "dpi": dpi}
        if kind in ("svg", "pdf"):
            options["metadata"] = {"Date": None} if kind == "svg" else {"CreationDate": None}
        figure.savefig(target, **options)

    def _save_pixels(self, pixels: NDArray[np.uint8], target: Any, kind: str) -> None:
        from PIL import Image

        image = Image.fromarray(pixels)
        opaque = self.drawing.background is not None
        image = image.convert("RGB") if kind in ("jpg", "bmp", "gif") or opaque else image
        dots = round(self.drawing.dpi)
        options: dict[str, Any] = {"dpi": (dots, dots)} if kind in ("png", "jpg", "tif") else {}
        if kind == "png":
            options["compress_level"] = 3
        image.save(target, _PIXELS[kind], **options)

    def png(self) -> bytes:
        stream = io.BytesIO()
        self._save_pixels(self.pixels(), stream, "png")
        return stream.getvalue()


def _inked(image: NDArray[np.uint8], dpi: float) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of what is drawn, with the margin around it."""
    inked = (image != image[0, 0]).any(axis=2)
    rows, columns = (np.flatnonzero(inked.any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return 0, image.shape[0], 0, image.shape[1]
    margin = round(MARGIN * dpi)
    return (
        int(rows[0]) - margin,
        int(rows[-1]) + 1 + margin,
        int(columns[0]) - margin,
        int(columns[-1]) + 1 + margin,
    )


def _cropped(image: NDArray[np.uint8], box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """A part of an image, which goes on in its first pixel's color beyond its edges."""
    top, bottom, left, right = box
    made = np.empty((bottom - top, right - left, image.shape[2]), np.uint8)
    made[:] = image[0, 0]
    rows, columns = slice(max(top, 0), bottom), slice(max(left, 0), right)
    inner = image[rows, columns]
    first, start = max(-top, 0), max(-left, 0)
    made[first : first + inner.shape[0], start : start + inner.shape[1]] = inner
    return made


def _marker(symbol: str) -> MarkerStyle:
    return MarkerStyle(_MARKERS.get(symbol, "o"))


def _line(page: Page, shape: shapes.Line) -> Any:
    width = shape.width * 1.0
    options: dict[str, Any] = {}
    mark = shape.marker
    if mark is not None:
        filled = mark.symbol == "."
        options = {
            "marker": _marker(mark.symbol),
            "markersize": mark.size * _SIZES.get(mark.symbol, 1.0),
            "markeredgecolor": "none" if mark.edge is None else mark.edge,
            "markerfacecolor": mark.edge if filled else "none" if mark.face is None else mark.face,
            "markeredgewidth": 0.0 if filled else mark.width,
        }
    style = _DASHES[shape.style]
    if isinstance(style, tuple) and width > 1:
        # dashes keep their length where lines are wide, not their number of widths
        style = (0, tuple(part * (0.5 + 0.5 / width) for part in style[1]))
    return Line2D(
        shape.points[:, 0],
        shape.points[:, 1],
        color="none" if shape.color is None else shape.color,
        linewidth=width,
        linestyle=style,
        transform=page.shift,
        dash_capstyle="butt",
        solid_capstyle="butt",
        solid_joinstyle="round",
        **options,
    )


def _points(page: Page, shape: shapes.Points) -> Any:
    marker = _marker(shape.symbol)
    path = marker.get_path().transformed(marker.get_transform())
    sizes = np.asarray(shape.sizes, float) * _SIZES.get(shape.symbol, 1.0) ** 2
    hollow = shape.symbol in ("+", "*", "x", "_", "|")
    made = PathCollection(
        (path,),
        sizes,
        offsets=shape.points,
        offset_transform=page.shift,
        facecolors="none" if hollow or shape.faces is None else shape.faces,
        edgecolors="none" if shape.edges is None else shape.edges,
        linewidths=shape.width,
    )
    made.set_transform(IdentityTransform())
    # sizes are in points squared of the figure's resolution
    made.set_sizes(sizes, page.drawing.dpi)
    return made


def _polygons(page: Page, shape: shapes.Polygons) -> Any:
    return PolyCollection(
        shape.corners,
        facecolors="none" if shape.faces is None else shape.faces,
        edgecolors="none" if shape.edges is None else shape.edges,
        linewidths=shape.width,
        linestyles=_DASHES[shape.style] if shape.style != "none" else "-",
        transform=page.shift,
        joinstyle="round",
    )


def _segments(page: Page, shape: shapes.Segments) -> Any:
    return LineCollection(
        list(shape.ends),
        colors=shape.color,
        linewidths=shape.width,
        linestyles=_DASHES[shape.style],
        transform=page.shift,
        capstyle="butt",
    )


def _picture(page: Page, shape: shapes.Picture) -> Any:
    left, bottom, right, top = shape.box
    made = BboxImage(
        TransformedBbox(Bbox.from_extents(left, bottom, right, top), page.shift),
        interpolation="bilinear" if shape.smooth else "nearest",
        origin="upper",
        resample=True,
    )
    made.set_data(shape.pixels)
    return made


def _label(page: Page, shape: shapes.Label) -> Any:
    if not shape.text:
        return None
    text = mathtext(shape.text, shape.interpreter, shape.bold, shape.italic)
    box = None
    if shape.background is not None or shape.edge is not None:
        box = {
            "facecolor": "none" if shape.background is None else shape.background,
            "edgecolor": "none" if shape.edge is None else shape.edge,
            "linewidth": 0.5,
            "pad": shape.margin,
        }
    latex = shape.interpreter == "latex"
    family = [shape.font, *_family] if shape.font in _family else _family
    if latex and text.isascii():
        family = ["cmr10", *_family]  # the font of LaTeX's texts, which has no other letters
    markup = shape.interpreter != "none" and not plain(shape.text)
    return _Checked(
        shape.x,
        shape.y,
        text,
        fontsize=shape.size,
        color=shape.color,
        ha=shape.align,
        va=_VALIGN.get(shape.valign, shape.valign),
        rotation=shape.rotation,
        rotation_mode="anchor",
        fontweight="bold" if shape.bold and not markup else "normal",
        fontstyle="italic" if shape.italic and not markup else "normal",
        fontfamily=family,
        linespacing=1.2,
        transform=page.shift,
        bbox=box,
        parse_math=markup,
        math_fontfamily="cm" if latex else "dejavusans",
        plain=shape.text,
        refused=page.refused,
    )


class _Checked(Text):
    """A text that is drawn as it is where mathtext does not know what it says."""

    def __init__(
        self, *args: Any, plain: str, refused: Callable[[str], None], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.plain = plain
        self.refused = refused

    def _get_layout(self, renderer: Any) -> Any:  # what matplotlib itself calls
        try:
            return Text._get_layout(self, renderer)  # type: ignore[attr-defined]
        except ValueError:
            self.refused(self.plain)
            self.set_text(self.plain)
            self.set_fontfamily(_family)
            self.set_parse_math(False)
            return Text._get_layout(self, renderer)  # type: ignore[attr-defined]


_ARTISTS: dict[type, Callable[[Page, Any], Any]] = {
    shapes.Line: _line,
    shapes.Points: _points,
    shapes.Polygons: _polygons,
    shapes.Segments: _segments,
    shapes.Picture: _picture,
    shapes.Label: _label,
}
