"""Pictures of figures: files in every format, and pixels."""

from __future__ import annotations

import os
from typing import Any

from runmat_core.api import Interp, MatlabError
from runmat_plot.scene.node import Node

_VECTOR = ("svg", "pdf", "eps", "ps")


#: Dots per inch of what print writes.
RESOLUTION = 150.0


def write_picture(
    figure: Node,
    path: str,
    kind: str,
    dpi: float,
    interp: Interp,
    *,
    tight: bool = False,
    white: bool = True,
    background: Any = None,
) -> None:
    """Draw a figure to a file.

    Raises:
        MatlabError: the file cannot be written.
    """
    from runmat_plot.render.figure import drawing_of
    from runmat_plot.render.matplot import Page

    whole = os.path.join(interp.current_directory(), os.path.expanduser(path))
    folder = os.path.dirname(whole)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK) or os.path.isdir(whole):
        raise cannot_write(path)
    if kind == "html":
        _write_page(figure, whole, path)
        return
    drawing = drawing_of(figure, 72.0 if kind in _VECTOR else dpi, white)
    if isinstance(background, str) and background == "none":
        drawing.background = None
    elif background is not None:
        drawing.background = background
    page = Page(drawing)
    try:
        page.save(whole, kind, tight)
    except OSError:
        raise cannot_write(path) from None


def _write_page(figure: Node, whole: str, path: str) -> None:
    """Write a figure as a page for browsers.

    Raises:
        MatlabError: there is no script to draw with, or the file cannot be written.
    """
    from runmat_plot.render.interactive import page

    try:
        text = page(figure)
    except ImportError:
        raise MatlabError(
            "RunMat:graphics:noPlotly",
            "Pages of HTML need the package plotly: pip install 'runmat-plot[html]'",
        ) from None
    try:
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        raise cannot_write(path) from None


def cannot_write(path: str) -> MatlabError:
    return MatlabError(
        "MATLAB:print:CannotCreateOutputFile",
        f"Cannot create output file '{path}'. Permission denied, or the folder does not exist.",
    )
