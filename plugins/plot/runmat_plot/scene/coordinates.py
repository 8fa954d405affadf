"""Data of lines under the names that polar and geographic axes have for x and y."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_plot.scene.node import Node, computed, when_set

#: Names of x and y data, by kind of axes.
_NAMES = {
    "polaraxes": {"ThetaData": "XData", "RData": "YData"},
    "geographic": {"LongitudeData": "XData", "LatitudeData": "YData"},
}


def _plain(node: Node, name: str) -> str | None:
    """The name of a line's data in its axes in the plane; None where its axes have no such data."""
    axes = node.up("axes", "polaraxes")
    if axes is None:
        return None
    kind = "geographic" if axes.info.get("geographic") else axes.kind.name
    return _NAMES.get(kind, {}).get(name)


def _define(name: str) -> None:
    @computed("line", name)
    def read(node: Node) -> Any:
        plain = _plain(node, name)
        return node.values.get(name, np.zeros((0, 0))) if plain is None else node[plain]

    @when_set("line", name)
    def write(node: Node, value: Any) -> None:
        plain = _plain(node, name)
        if plain is not None:
            node[plain] = value


for _names in _NAMES.values():
    for _name in _names:
        _define(_name)
