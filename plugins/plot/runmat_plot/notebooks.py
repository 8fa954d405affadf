"""Figures as notebooks and web pages show them."""

from __future__ import annotations

import base64
import html
from importlib.util import find_spec
from typing import Any

from runmat_plot.scene.node import SHOW, Node

#: Dots per inch: one for each pixel of a browser.
RESOLUTION = 96.0


def png(figure: Node) -> bytes:
    """The picture of a figure as a PNG file."""
    from runmat_plot.render.figure import drawing_of
    from runmat_plot.render.matplot import Page

    return Page(drawing_of(figure, RESOLUTION)).png()


def markup(figure: Node) -> str:
    """A figure as an HTML element that needs nothing from elsewhere.

    It can be zoomed and turned where plotly is installed, and is a picture where it is not.
    """
    _, _, width, height = (round(part) for part in figure["Position"].ravel().tolist())
    if find_spec("plotly") is None:
        data = base64.b64encode(png(figure)).decode()
        return (
            f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}" '
            f'alt="{html.escape(figure.summary())}">'
        )
    from runmat_plot.render.interactive import page

    # a frame of its own keeps the script's names, and those of other figures, apart
    return (
        f'<iframe srcdoc="{html.escape(page(figure))}" width="{width + 20}" '
        f'height="{height + 20}" style="border:0"></iframe>'
    )


def bundle(figure: Node) -> dict[str, Any]:
    """A figure by MIME type, of which a notebook shows the richest that it knows."""
    shown: dict[str, Any] = {
        "text/plain": figure.summary(),
        "image/png": png(figure),
        "text/html": markup(figure),
    }
    if find_spec("plotly") is not None:
        from runmat_plot.render.interactive import description

        shown["application/vnd.plotly.v1+json"] = description(figure)
    return shown


SHOW.update(png=png, html=markup, bundle=bundle)
