"""Colours that numbers have in axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def mapped(axes: Node, data: Numbers, mapping: str) -> Numbers:
    """Colours (red, green, blue, alpha) that numbers have in axes; NaN is transparent."""
    table = np.asarray(axes["Colormap"], float)
    values = np.asarray(data, float)
    if mapping == "direct":
        whole = np.asarray(data)
        at = values if whole.dtype.kind == "u" or whole.dtype == bool else values - 1
    else:
        low, high = axes["CLim"].ravel()
        if axes["ColorScale"] == "log":
            with np.errstate(all="ignore"):
                values, low, high = np.log10(values), np.log10(low), np.log10(high)
        at = (values - low) / (high - low) * len(table)
    seen = np.isfinite(at)
    # infinities have the colours of the ends
    at = np.where(np.isposinf(at), len(table), np.where(np.isneginf(at), 0, at))
    places = np.clip(np.nan_to_num(np.floor(at)), 0, len(table) - 1).astype(int)
    colors = np.ones((*values.shape, 4))
    colors[..., :3] = table[places]
    colors[..., 3] = seen | np.isinf(values)
    return colors
