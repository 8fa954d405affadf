"""What axes seen from aside show besides the data: walls, grid, rulers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import texts
from runmat_plot.render.rulers import PlaneRulers, faded, label_of, label_texts, rgb
from runmat_plot.render.shapes import Drawing, Label, Polygons, Segments
from runmat_plot.render.views import SpaceView
from runmat_plot.scene import axes as rules

Numbers = NDArray[Any]


class SpaceRulers:
    """Walls, grid, ticks and labels of axes in space."""

    def __init__(self, drawing: Drawing, view: SpaceView) -> None:
        self.drawing, self.view, self.axes = drawing, view, view.axes
        toward = view.matrix[2]
        #: for each axis the end that is nearer to the viewer, and the other one
        self.near = [1 if toward[k] > 1e-9 else 0 for k in range(3)]
        self.far = [1 - end for end in self.near]

    def ticks(self, k: int) -> Numbers:
        """Where the ticks of an axis are: from 0 to 1."""
        name = rules.NAMES[k]
        at = self.axes[f"{name}Tick"].ravel()
        part = self.view.unit_of(k, at)
        return np.where((part >= -1e-9) & (part <= 1 + 1e-9), part, np.nan)

    def walls(self) -> None:
        color = rgb(self.axes["Color"])
        if self.axes["Visible"] == "off":
            return
        for k in range(3):
            a, b = (m for m in range(3) if m != k)
            ring = np.zeros((4, 3))
            ring[:, k] = self.far[k] if k < 2 or self.view.matrix[2][2] < 0 else 0
            ring[:, a], ring[:, b] = [0, 1, 1, 0], [0, 0, 1, 1]
            if color is not None:
                self.drawing.add(
                    Polygons([self.view.unit_pixels(ring)], [color], None, 0, tag="wall")
                )
        for k in range(3):
            self._grid(k)
        if self.axes.is_on("Box"):
            self._edges(back=True)

    def _floor(self) -> int:
        """The end of z at which the rulers of x and y lie."""
        return 0 if self.view.matrix[2][2] >= 0 else 1

    def _grid(self, k: int) -> None:
        """Lines at the ticks of an axis, on the walls that it runs along."""
        name = rules.NAMES[k]
        if not self.axes.is_on(f"{name}Grid"):
            return
        color = faded(rgb(self.axes["GridColor"]), self.axes["GridAlpha"])
        at = self.ticks(k)
        at = at[np.isfinite(at)]
        parts = []
        for wall in (m for m in range(3) if m != k):
            along = 3 - k - wall
            ends = np.zeros((at.size, 2, 3))
            ends[:, :, k] = at[:, None]
            ends[:, :, wall] = self.far[wall] if wall < 2 else self._floor()
            ends[:, 1, along] = 1
            parts.append(self.view.unit_pixels(ends).reshape(-1, 2, 2))
        if color is not None and at.size:
            self.drawing.add(
                Segments(
                    np.concatenate(parts),
                    color,
                    0.5,
                    self.axes["GridLineStyle"],
                    tag=f"{name.lower()}grid",
                )
            )

    def _edges(self, back: bool) -> None:
        """The edges of the box behind the data, or those before it."""
        parts = []
        for k in range(3):
            a, b = (m for m in range(3) if m != k)
            for i in (0, 1):
                for j in (0, 1):
                    front = i == self.near[a] and j == self.near[b]
                    if front == back:
                        continue
                    ends = np.zeros((2, 3))
                    ends[:, a], ends[:, b], ends[1, k] = i, j, 1
                    parts.append(self.view.unit_pixels(ends))
        if parts and (back or self.axes["BoxStyle"] == "full"):
            self.drawing.add(
                Segments(
                    np.array(parts),
                    rgb(self.axes["XColor"]) or (0.15,) * 3,
                    self.axes["LineWidth"],
                    tag="box",
                )
            )

    def rulers(self) -> None:
        """Lines, ticks and labels of the three axes."""
        shown = self.axes["Visible"] == "on"
        floor = self._floor()
        flat = abs(self.view.matrix[2][2]) > 0.999
        if shown:
            self._ruler(0, {1: self.near[1], 2: floor}, 1)
            self._ruler(1, {0: self.near[0], 2: floor}, 0)
            if not flat:
                self._ruler(2, self._upright(), None)
        plane = PlaneRulers(self.drawing, self.view)  # type: ignore[arg-type]
        plane.titles(self.view.box[3] + 5 * self.view.unit)

    def _upright(self) -> dict[int, int]:
        """The upright edge on the left."""
        best: tuple[float, dict[int, int]] | None = None
        for i in (0, 1):
            for j in (0, 1):
                if (i, j) == (self.near[0], self.near[1]):
                    continue
                x = float(self.view.unit_pixels([[i, j, 0.5]])[0, 0])
                if best is None or x < best[0] - 1e-6:
                    best = (x, {0: i, 1: j})
        assert best is not None
        return best[1]

    def _ruler(self, k: int, ends: dict[int, int], outward: int | None) -> None:
        """One axis along the edge where the others are at some ends."""
        view, axes = self.view, self.axes
        name = rules.NAMES[k]
        color = rgb(axes[f"{name}Color"])
        if color is None:
            return
        edge = np.zeros((2, 3))
        for other, end in ends.items():
            edge[:, other] = end
        edge[1, k] = 1
        line = view.unit_pixels(edge)
        self.drawing.add(Segments(np.array([line]), color, axes["LineWidth"], tag="box"))
        away = self._away(k, ends, outward, line)
        beside = self._beside(line, away)
        at = self.ticks(k)
        points = np.repeat(edge[:1], at.size, axis=0)
        points[:, k] = at
        pixels = view.unit_pixels(points)
        left, bottom, right, top = view.box
        length = axes["TickLength"].ravel()[1] * 0.4 * max(right - left, top - bottom)
        good: Numbers = np.asarray(np.isfinite(pixels).all(axis=1))
        inward = axes["TickDir"] != "none"
        if good.any() and inward:
            marks = np.stack([pixels[good], pixels[good] + away * length], axis=1)
            self.drawing.add(Segments(marks, color, axes["LineWidth"], tag=f"{name.lower()}tick"))
        words, exponent = label_texts(axes, name, axes[f"{name}Tick"].ravel())
        size, unit = axes["FontSize"], view.unit
        reach = 0.0
        for word, pixel, fine in zip(words, pixels, good, strict=False):
            if not fine or not word:
                continue
            wide = texts.width(word, size * unit)
            reach = max(reach, wide)
            gap = length + 3 * unit
            align, valign = self._sides(away)
            if k < 2:
                # the middle of the text as far away as its own size asks for
                high = texts.height("x", size * unit)
                gap += abs(beside[0]) * wide / 2 + abs(beside[1]) * high / 2
                align, valign = "center", "middle"
            x, y = pixel + (beside if k < 2 else away) * gap
            self.drawing.add(
                Label(
                    float(x),
                    float(y),
                    word,
                    size,
                    color,
                    align,
                    valign,
                    interpreter=axes["TickLabelInterpreter"],
                    font=axes["FontName"],
                    tag=f"{name.lower()}ticklabel",
                )
            )
        if exponent:
            x, y = pixels[good][-1] + away * (
                length + 3 * unit + (1.6 * size * unit if k < 2 else 0)
            )
            y += 1.4 * size * unit if k == 2 else 0.0
            self.drawing.add(
                Label(
                    float(x),
                    float(y),
                    f"\\times10^{{{exponent}}}",
                    size,
                    color,
                    *self._sides(away),
                    tag=f"{name.lower()}exponent",
                )
            )
        self._name(k, line, away if k == 2 else beside, length, reach, color)

    def _away(self, k: int, ends: dict[int, int], outward: int | None, line: Numbers) -> Numbers:
        """The direction, in pixels, in which ticks leave an axis."""
        if outward is None:
            return np.array([-1.0, 0.0])
        inner = np.zeros((1, 3))
        for other, end in ends.items():
            inner[0, other] = end
        inner[0, k] = 0.5
        start = self.view.unit_pixels(inner)[0]
        inner[0, outward] = 1 - ends[outward]
        step = start - self.view.unit_pixels(inner)[0]
        size = float(np.hypot(*step))
        if size < 1e-6:
            return np.array([0.0, -1.0])
        found: Numbers = step / size
        return found

    @staticmethod
    def _beside(line: Numbers, away: Numbers) -> Numbers:
        """The direction of labels: between that of ticks and the right angle to the axis.

        Labels at the ends of two axes meet where both are along ticks, or both at right angles.
        """
        along = line[1] - line[0]
        normal = np.array([-along[1], along[0]])
        size = float(np.hypot(*normal))
        if size < 1e-6:
            return away
        between = normal / size * (1.0 if normal @ away >= 0 else -1.0) + 0.5 * away
        turned: Numbers = between / max(float(np.hypot(*between)), 1e-9)
        return turned

    @staticmethod
    def _sides(away: Numbers) -> tuple[str, str]:
        align = "right" if away[0] < -0.3 else "left" if away[0] > 0.3 else "center"
        valign = "top" if away[1] < -0.3 else "bottom" if away[1] > 0.3 else "middle"
        if align != "center" and abs(away[1]) < 0.8:
            valign = "middle" if abs(away[1]) < 0.35 else valign
        return align, valign

    def _name(
        self, k: int, line: Numbers, away: Numbers, length: float, reach: float, color: Any
    ) -> None:
        axes, unit = self.axes, self.view.unit
        node = axes.labels.get(f"{rules.NAMES[k]}Label")
        if node is None or not node["String"]:
            return
        size = axes["LabelFontSizeMultiplier"] * axes["FontSize"]
        middle = line.mean(axis=0)
        gap = (
            length + 5 * unit + abs(away[0]) * reach + abs(away[1]) * 1.2 * axes["FontSize"] * unit
        )
        if k == 2:
            x, y = middle + away * gap
            self.drawing.add(
                label_of(
                    node,
                    float(x),
                    float(y),
                    node.values.get("FontSize", size),
                    "center",
                    "bottom",
                    node.values.get("Rotation", 90.0),
                    node.values.get("FontWeight"),
                    False,
                    color,
                    "zlabel",
                )
            )
            return
        x, y = middle + away * (gap + 6 * unit)
        align, _ = self._sides(away)
        self.drawing.add(
            label_of(
                node,
                float(x),
                float(y),
                node.values.get("FontSize", size),
                align,
                "top",
                node.values.get("Rotation", 0.0),
                node.values.get("FontWeight"),
                False,
                color,
                f"{rules.NAMES[k].lower()}label",
            )
        )
