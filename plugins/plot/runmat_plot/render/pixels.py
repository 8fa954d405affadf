"""The pixels of a figure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runmat_plot.scene.node import Node


def pixels(figure: Node, dpi: float = 96.0, white: bool = True) -> NDArray[np.uint8]:
    """A figure as an image."""
    from runmat_plot.render.figure import drawing_of
    from runmat_plot.render.matplot import Page

    return np.asfortranarray(Page(drawing_of(figure, dpi, white)).pixels()[..., :3])
