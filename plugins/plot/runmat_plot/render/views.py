"""Where points of axes lie in pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.shapes import Box
from runmat_plot.scene import axes as rules
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


class View:
    """From data to pixels.

    Attributes:
        box: the plot box in pixels: left, bottom, right, top.
        clip: what is drawn stays in here.
        limits: of x, y and z, turned where an axis is reversed.
        unit: pixels of a point.
    """

    is_3d = False

    def __init__(self, axes: Node, box: Box, unit: float) -> None:
        self.axes, self.box, self.clip, self.unit = axes, box, box, unit
        self.logs = tuple(axes[f"{name}Scale"] == "log" for name in rules.NAMES)
        self.limits = [self._scaled(k, np.array(lim)) for k, lim in enumerate(limits_of(axes))]
        self.reversed = [axes[f"{name}Dir"] == "reverse" for name in rules.NAMES]

    def _scaled(self, k: int, values: Any) -> Numbers:
        data = np.asarray(values, float)
        if not self.logs[k]:
            return data
        with np.errstate(all="ignore"):
            return np.where(data > 0, np.log10(data), np.nan)

    def unit_of(self, k: int, values: Any) -> Numbers:
        """Where values lie between the limits of an axis: from 0 to 1."""
        low, high = self.limits[k]
        part = (self._scaled(k, values) - low) / (high - low)
        found: Numbers = 1 - part if self.reversed[k] else part
        return found

    def project(self, x: Any, y: Any, z: Any = None) -> Numbers:
        """Pixels of points, a row for each."""
        left, bottom, right, top = self.box
        across = left + self.unit_of(0, x) * (right - left)
        up = bottom + self.unit_of(1, y) * (top - bottom)
        across, up = np.broadcast_arrays(across, up)
        return np.stack([across.ravel(), up.ravel()], axis=1)

    def depth(self, x: Any, y: Any, z: Any) -> Numbers:
        """Return how near points are to the viewer."""
        return np.zeros(np.broadcast(x, y).size)


def limits_of(axes: Node) -> list[Any]:
    """The limits that are drawn: those of the other side too, where axes share x."""
    limits: list[Any] = [np.array(lim) for lim in rules.frame(axes).drawn]
    main = axes.info.get("shares") or (axes if axes.info.get("right") is not None else None)
    if main is not None and main.values.get("XLimMode") != "manual":
        both = [n["XLim"].ravel() for n in (main, main.info["right"]) if n.children]
        if both:
            limits[0] = np.array([min(b[0] for b in both), max(b[1] for b in both)])
    elif main is not None:
        limits[0] = np.array(rules.frame(main).drawn[0])
    return limits


class PlaneView(View):
    """Axes seen from above."""

    def __init__(self, axes: Node, box: Box, unit: float) -> None:
        super().__init__(axes, box, unit)
        ratio = _plane_ratio(axes, self.limits)
        if ratio is not None:
            left, bottom, right, top = box
            wide, high = right - left, top - bottom
            if wide / high > ratio:
                spare = (wide - high * ratio) / 2
                self.box = (left + spare, bottom, right - spare, top)
            else:
                spare = (high - wide / ratio) / 2
                self.box = (left, bottom + spare, right, top - spare)
            if axes.values.get("DataAspectRatioMode") == "manual" and not axes.info.get("image"):
                self._widen(axes, box)
        self.clip = self.box

    def _widen(self, axes: Node, box: Box) -> None:
        """Equal units in the whole box: limits that nobody set reach further."""
        if "manual" in (axes.values.get("PlotBoxAspectRatioMode"),):
            return
        free = [
            axes.values.get(f"{name}LimMode") != "manual"
            and axes[f"{name}LimitMethod"] == "tickaligned"
            for name in "XY"
        ]
        left, bottom, right, top = box
        unit = axes["DataAspectRatio"].ravel()
        spans = [float(np.ptp(self.limits[k])) / unit[k] for k in range(2)]
        room = [right - left, top - bottom]
        scale = max(spans[k] / room[k] for k in range(2))
        for k in range(2):
            if free[k]:
                extra = (room[k] * scale * unit[k] - float(np.ptp(self.limits[k]))) / 2
                self.limits[k] = self.limits[k] + np.array([-extra, extra])
        spans = [float(np.ptp(self.limits[k])) / unit[k] for k in range(2)]
        ratio = spans[0] / spans[1]
        self.box = fitted(box, ratio)


def fitted(box: Box, ratio: float) -> Box:
    """The largest box of a ratio of width to height in the middle of another."""
    left, bottom, right, top = box
    wide, high = right - left, top - bottom
    if wide / high > ratio:
        spare = (wide - high * ratio) / 2
        return left + spare, bottom, right - spare, top
    spare = (high - wide / ratio) / 2
    return left, bottom + spare, right, top - spare


def _plane_ratio(axes: Node, limits: list[Numbers]) -> float | None:
    """Width to height of the plot box; None where it fills its place."""
    if axes.values.get("DataAspectRatioMode") == "manual":
        unit = axes["DataAspectRatio"].ravel()
        return float((np.ptp(limits[0]) / unit[0]) / (np.ptp(limits[1]) / unit[1]))
    if axes.values.get("PlotBoxAspectRatioMode") == "manual":
        wide, high, _ = axes["PlotBoxAspectRatio"].ravel()
        return float(wide / high)
    return None


class SpaceView(View):
    """Axes seen from aside, without perspective."""

    is_3d = True

    def __init__(self, axes: Node, box: Box, unit: float) -> None:
        super().__init__(axes, box, unit)
        az, el = np.radians(axes["View"].ravel())
        ca, sa, ce, se = np.cos(az), np.sin(az), np.cos(el), np.sin(el)
        self.matrix = np.array([[ca, sa, 0.0], [-se * sa, se * ca, ce], [ce * sa, -ce * ca, se]])
        self.sizes, stretch = self._sizes(axes)
        corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], float)
        flat = ((corners - 0.5) * self.sizes) @ self.matrix.T
        low, high = flat[:, :2].min(axis=0), flat[:, :2].max(axis=0)
        left, bottom, right, top = box
        room = np.array([right - left, top - bottom])
        span = np.maximum(high - low, 1e-9)
        scale = room / span
        if not stretch:
            scale = np.full(2, scale.min())
        self.scale = scale
        self.middle = np.array([(left + right) / 2, (bottom + top) / 2]) - scale * (low + high) / 2
        self.clip = (left - room[0], bottom - room[1], right + room[0], top + room[1])

    def _sizes(self, axes: Node) -> tuple[Numbers, bool]:
        """Lengths of the sides of the box, and whether they are stretched to fill the place."""
        if axes.values.get("DataAspectRatioMode") == "manual":
            spans = np.array([float(np.ptp(limit)) for limit in self.limits])
            sizes = spans / axes["DataAspectRatio"].ravel()
            return sizes / sizes.max(), False
        if axes.values.get("PlotBoxAspectRatioMode") == "manual":
            sizes = axes["PlotBoxAspectRatio"].ravel()
            return sizes / sizes.max(), False
        return np.ones(3), not axes.info.get("vis3d")

    def cube(self, x: Any, y: Any, z: Any) -> Numbers:
        """Points in the box around its middle."""
        parts = np.broadcast_arrays(self.unit_of(0, x), self.unit_of(1, y), self.unit_of(2, z))
        return (np.stack([part.ravel() for part in parts], axis=1) - 0.5) * self.sizes

    def flatten(self, points: Numbers) -> Numbers:
        flat: Numbers = (points @ self.matrix[:2].T) * self.scale + self.middle
        return flat

    def project(self, x: Any, y: Any, z: Any = None) -> Numbers:
        z = np.zeros(1) if z is None else z
        return self.flatten(self.cube(x, y, z))

    def depth(self, x: Any, y: Any, z: Any) -> Numbers:
        found: Numbers = self.cube(x, y, z) @ self.matrix[2]
        return found

    def unit_pixels(self, points: Any) -> Numbers:
        """Pixels of points of the unit cube."""
        return self.flatten((np.asarray(points, float).reshape(-1, 3) - 0.5) * self.sizes)
