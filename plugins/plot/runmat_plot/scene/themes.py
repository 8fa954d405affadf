"""Colours on dark ground: the defaults of objects in figures whose theme is dark."""

from __future__ import annotations

from typing import Any

import numpy as np

#: The ground of dark figures and axes, and what is written on it.
GROUND = (0.1294, 0.1294, 0.1294)
PAPER = (0.0706, 0.0706, 0.0706)
INK = (0.85, 0.85, 0.85)


def _row(color: tuple[float, float, float]) -> Any:
    return np.array([color])


_AXES = {
    "Color": _row(PAPER),
    **{f"{name}Color": _row(INK) for name in "XYZ"},
    "GridColor": _row(INK),
    "MinorGridColor": _row(INK),
}
_BOX = {"Color": _row(PAPER), "TextColor": _row(INK), "EdgeColor": _row(INK)}
#: Defaults that differ from those on light ground, by kind and name of property.
DEFAULTS: dict[str, dict[str, Any]] = {
    "figure": {"Color": _row(GROUND)},
    "axes": _AXES,
    "polaraxes": _AXES,
    "text": {"Color": _row(INK)},
    "subplottext": {"Color": _row(INK)},
    "legend": _BOX,
    "bubblelegend": _BOX,
    "colorbar": _BOX,
    "constantline": {"Color": _row(INK)},
    "graphplot": {"NodeLabelColor": _row(INK), "EdgeLabelColor": _row(INK)},
    "heatmap": {"FontColor": _row(INK)},
}


def is_dark(node: Any) -> bool:
    """Return whether an object belongs to a dark figure."""
    figure = node.info["owner"].up("figure") if "owner" in node.info else node.up("figure")
    return figure is not None and figure.values.get("Theme") == "dark"


def default_of(node: Any, name: str) -> Any:
    """The default of a property on dark ground; None where it is the usual one."""
    found = DEFAULTS.get(node.kind.name, {}).get(name)
    return found if found is not None and is_dark(node) else None
