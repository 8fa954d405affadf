"""The camera of axes: its position and target, which go with View.

The camera stands so far from the middle of the axes, in units of the lengths of their sides, that
MATLAB's own position [0.5 0.5 9.1603] comes of axes from 0 to 1 seen from above.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.scene.axes import frame
from runmat_plot.scene.node import Node, computed, when_set

_DISTANCE = 5 * np.sqrt(3)


def _limits(axes: Node) -> NDArray[Any]:
    """Low and high of x, y and z."""
    return np.array([frame(axes).limits[k] for k in range(3)], float)


def _manual(axes: Node, name: str) -> Any:
    return axes.values.get(name) if axes.values.get(f"{name}Mode") == "manual" else None


@computed("axes", "CameraTarget")
def target(axes: Node) -> Any:
    found = _manual(axes, "CameraTarget")
    return _limits(axes).mean(axis=1).reshape(1, 3) if found is None else found


@computed("axes", "CameraPosition")
def position(axes: Node) -> Any:
    kept = axes.info.get("camera")
    if kept is not None and np.array_equal(kept[1], axes["View"]):
        return kept[0]
    azimuth, elevation = np.radians(axes["View"].ravel())
    along = np.array(
        [
            np.cos(elevation) * np.sin(azimuth),
            -np.cos(elevation) * np.cos(azimuth),
            np.sin(elevation),
        ]
    )
    spans = np.ptp(_limits(axes), axis=1)
    made: NDArray[Any] = target(axes) + _DISTANCE * (along * spans).reshape(1, 3)
    return made


@computed("axes", "CameraPositionMode")
def position_mode(axes: Node) -> Any:
    kept = axes.info.get("camera")
    same = kept is not None and np.array_equal(kept[1], axes["View"])
    return "manual" if same else "auto"


@computed("axes", "CameraUpVector")
def up_vector(axes: Node) -> Any:
    found = _manual(axes, "CameraUpVector")
    if found is not None:
        return found
    flat = abs(float(axes["View"].ravel()[1])) == 90
    return np.array([[0.0, 1.0, 0.0] if flat else [0.0, 0.0, 1.0]])


@when_set("axes", "CameraPosition")
def turn_to_position(axes: Node, value: Any) -> None:
    """Look at the target from where the camera is."""
    spans = np.ptp(_limits(axes), axis=1)
    x, y, z = (np.ravel(value) - np.ravel(target(axes))) / np.where(spans, spans, 1)
    flat = float(np.hypot(x, y))
    if flat or z:
        azimuth = np.degrees(np.arctan2(x, -y)) if flat else 0.0
        axes.values["View"] = np.array([[azimuth, np.degrees(np.arctan2(z, flat))]])
    axes.info["camera"] = (np.reshape(value, (1, 3)), axes["View"])


@when_set("axes", "CameraTarget")
def turn_to_target(axes: Node, value: Any) -> None:
    kept = axes.info.get("camera")
    if kept is not None and np.array_equal(kept[1], axes["View"]):
        turn_to_position(axes, kept[0])


@when_set("axes", "CameraPositionMode")
def forget_position(axes: Node, value: Any) -> None:
    if value == "auto":
        axes.info.pop("camera", None)
    else:
        axes.info["camera"] = (position(axes), axes["View"])
