"""Pictures of figures: files and pixels."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, numbers_in, python, vector_in
from runmat_plot.functions.images import pixels_in
from runmat_plot.functions.pictures import RESOLUTION, write_picture
from runmat_plot.functions.support import bad_handle, current_figure, no_outputs, node_in, scene_of
from runmat_plot.render.pixels import pixels
from runmat_plot.scene.node import Node, Scene

#: Formats of files, by device and by the ending of a name.
DEVICES = {
    "png": "png",
    "jpeg": "jpg",
    "jpg": "jpg",
    "tiff": "tif",
    "tif": "tif",
    "tiffn": "tif",
    "bmp": "bmp",
    "bmpmono": "bmp",
    "svg": "svg",
    "pdf": "pdf",
    "eps": "eps",
    "epsc": "eps",
    "epsc2": "eps",
    "eps2": "eps",
    "ps": "ps",
    "psc": "ps",
    "psc2": "ps",
    "gif": "gif",
    "meta": "svg",
    "emf": "svg",
    "html": "html",
}


def _target(scene: Scene, value: Any) -> Node:
    """The figure of an object."""
    node = node_in(scene, value)
    figure = None if node is None else node.up("figure")
    if figure is None or figure.deleted:
        raise bad_handle()
    return figure


def _ending(path: str) -> str:
    return os.path.splitext(path)[1][1:].lower()


@builtin("print", family="plot/output", nargin=(0, None), needs=("nargout", "interp"))
def print_(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a figure to a file.

    print(FILE, DEVICE) draws the current figure, with "-dpng", "-dpdf", "-dsvg", "-depsc",
    "-djpeg", "-dtiff" or "-dbmp" for DEVICE; print(F, …) draws the figure F
    print(…, "-r300") with so many dots per inch, 150 by default
    IMAGE = print("-RGBImage") gives the pixels

    Examples:
        >> plot(1:3); name = [tempname '.png']; print(name, '-dpng'); isfile(name)
        ans =
          logical
           1

    See also: saveas, exportgraphics, savefig, getframe.
    """
    scene = scene_of(interp)
    figure, path, kind, dpi = None, "", "", RESOLUTION
    rgb = False
    for value in python(interp, args):
        if not isinstance(value, str):
            figure = _target(scene, value)
            continue
        low = value.lower()
        if low == "-rgbimage":
            rgb = True
        elif re.fullmatch(r"-r\d+", low):
            dpi = float(low[2:]) or RESOLUTION
        elif re.fullmatch(r"-f\d+", low):
            figure = _target(scene, float(low[2:]))
        elif low.startswith("-d"):
            kind = DEVICES.get(low[2:], "")
            if not kind:
                raise MatlabError(
                    "MATLAB:print:InvalidDevice", f"Illegal device specified: '{value}'."
                )
        elif not low.startswith("-"):
            path = value
    if not rgb:
        no_outputs(nargout)
    figure = figure or current_figure(scene)
    if rgb:
        return pixels(figure, dpi)
    if not path:
        if kind:
            path = f"figure{figure.ident:g}"
        else:
            raise MatlabError("MATLAB:print:NoPrinter", "There is no printer: name a file.")
    kind = kind or DEVICES.get(_ending(path), "ps")
    if not _ending(path):
        path += "." + kind
    write_picture(figure, path, kind, dpi, interp)
    return None


@builtin("saveas", family="plot/output", nargin=(2, 3), nargout=0, needs=("interp",))
def saveas(handle: Any, file: Any, kind: Any = None, *, interp: Interp) -> None:
    """Save a figure in a file.

    saveas(F, FILE) takes the format from the ending of the name: png, pdf, svg, eps, jpg, html, fig
    saveas(F, FILE, FORMAT)

    Examples:
        >> plot(1:3); name = [tempname '.svg']; saveas(gcf, name); isfile(name)
        ans =
          logical
           1

    See also: print, exportgraphics, savefig.
    """
    scene = scene_of(interp)
    path = interp.to_python(file)
    figure = _target(scene, interp.to_python(handle))
    if not isinstance(path, str) or not path:
        raise MatlabError("MATLAB:saveas:invalidFilename", "Invalid filename.")
    word = "" if kind is None else str(interp.to_python(kind)).lower()
    if (word or _ending(path)) in ("fig", "m", "mfig", ""):
        from runmat_plot.functions.keeping import write_figures

        write_figures([figure], path if _ending(path) else path + ".fig", interp)
        return
    found = DEVICES.get(word or _ending(path))
    if found is None:
        raise MatlabError(
            "MATLAB:saveas:badFormat",
            f"Unsupported format or file extension: {word or _ending(path)}",
        )
    if not _ending(path):
        path += "." + found
    write_picture(figure, path, found, RESOLUTION, interp)


@builtin("exportgraphics", family="plot/output", nargin=(2, None), nargout=0, needs=("interp",))
def exportgraphics(*args: Any, interp: Interp) -> None:
    """Save a figure or axes in a file, without the margin around them.

    exportgraphics(H, FILE) takes the format from the ending of the name
    exportgraphics(…, "Resolution", DPI, "BackgroundColor", COLOR, "ContentType", TYPE)

    Examples:
        >> plot(1:3); name = [tempname '.png']; exportgraphics(gca, name); isfile(name)
        ans =
          logical
           1

    See also: print, saveas, copygraphics.
    """
    from runmat_plot.scene.colors import color

    scene = scene_of(interp)
    rest = python(interp, args)
    figure, path = _target(scene, rest[0]), rest[1]
    kind = DEVICES.get(_ending(path)) if isinstance(path, str) else None
    if kind is None:
        raise MatlabError(
            "MATLAB:print:ExportGraphicsUnsupportedFileFormat",
            "The file name must end with png, jpg, tif, gif, pdf, eps, svg or html.",
        )
    dpi, background = RESOLUTION, None
    if len(rest) % 2:
        raise not_enough()
    for name, value in zip(rest[2::2], rest[3::2], strict=True):
        low = str(name).lower()
        if low == "resolution":
            dpi = float(value)
        elif low == "backgroundcolor":
            background = "none" if value == "none" else color(value) if value != "current" else None
        elif low not in (
            "contenttype",
            "colorspace",
            "append",
            "padding",
            "width",
            "height",
            "units",
        ):
            raise MatlabError(
                "MATLAB:InputParser:UnmatchedParameter", f"'{name}' is not a recognized parameter."
            )
    write_picture(figure, path, kind, dpi, interp, tight=True, background=background)


@builtin("copygraphics", family="plot/output", nargin=(1, None), nargout=0, needs=("interp",))
def copygraphics(*args: Any, interp: Interp) -> None:
    """Copy a figure to the clipboard: there is none.

    copygraphics(H)

    Examples:
        >> plot(1:3); try, copygraphics(gca), catch e, disp(e.identifier), end
        RunMat:graphics:noClipboard

    See also: exportgraphics, print.
    """
    raise MatlabError("RunMat:graphics:noClipboard", "There is no clipboard: use exportgraphics.")


@builtin("getframe", family="plot/output", nargin=(0, 2), needs=("interp",))
def getframe(*args: Any, interp: Interp) -> Any:
    """Picture of a figure or of axes, as a frame of a film.

    F = getframe, F = getframe(H), F = getframe(H, RECT); F.cdata is the image

    Examples:
        >> plot(1:3); f = getframe(gcf); size(f.cdata)
        ans =
           420   560     3

    See also: frame2im, im2frame, movie, print.
    """
    from runmat_plot.scene import axes as rules

    scene = scene_of(interp)
    rest = python(interp, args)
    node = node_in(scene, rest[0]) if rest else None
    if rest and (node is None or node.deleted):
        raise bad_handle()
    figure = node.up("figure") if node is not None else current_figure(scene)
    if figure is None:
        raise bad_handle()
    image = pixels(figure, white=False)
    box = None
    if node is not None and node.kind.type == "axes":
        box = rules.pixel_box(node)
    elif not rest and figure["CurrentAxes"] is not None:
        box = rules.pixel_box(figure["CurrentAxes"])
    if len(rest) > 1:
        x, y, w, h = vector_in(rest[1], "getframe", 4).tolist()
        box = (x, y, w, h)
    if box is not None:
        left, bottom, wide, high = box
        top = image.shape[0] - (bottom + high)
        image = image[max(int(top), 0) : round(top + high), max(int(left), 0) : round(left + wide)]
    return {"cdata": np.asfortranarray(image), "colormap": np.zeros((0, 0))}


@builtin("frame2im", family="plot/output", nargout=2, needs=("nargout", "interp"))
def frame2im(frame: Any, *, nargout: int, interp: Interp) -> Any:
    """Image of a frame.

    [X, MAP] = frame2im(F)

    Examples:
        >> plot(1:3); x = frame2im(getframe(gcf)); class(x)
        ans =
            'uint8'

    See also: getframe, im2frame.
    """
    fields = interp.to_python(frame)
    if not isinstance(fields, dict) or "cdata" not in fields:
        raise MatlabError("MATLAB:frame2im:InvalidFrame", "The frame must have a field cdata.")
    return (fields["cdata"], fields.get("colormap", np.zeros((0, 0))))[: max(nargout, 1)]


@builtin("im2frame", family="plot/output", nargin=(1, 2), needs=("interp",))
def im2frame(image: Any, table: Any = None, *, interp: Interp) -> Any:
    """Frame of a film from an image.

    F = im2frame(X), F = im2frame(X, MAP)

    Examples:
        >> f = im2frame(zeros(2, 3, 3, 'uint8')); size(f.cdata)
        ans =
             2     3     3

    See also: frame2im, getframe.
    """
    data = pixels_in(interp.to_python(image), "im2frame")
    colors = np.zeros((0, 0))
    if table is not None:
        colors = numbers_in(interp.to_python(table), "im2frame")
    return {"cdata": data, "colormap": colors}


@builtin("movie", family="plot/output", nargin=(1, None), nargout=0)
def movie(*args: Any) -> None:
    """Play frames: nothing to do where there is no window.

    movie(F), movie(F, N, FPS)

    Examples:
        >> plot(1:3); f = getframe; movie(f)

    See also: getframe, frame2im.
    """
