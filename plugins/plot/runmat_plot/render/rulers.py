"""What axes in the plane show besides the data: background, box, grid, ticks, labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import texts
from runmat_plot.render.shapes import Drawing, Label, Polygons, Segments
from runmat_plot.render.views import PlaneView
from runmat_plot.scene import axes as rules
from runmat_plot.scene import ticks as round_numbers
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def rgb(value: Any) -> Any:
    """A colour for a shape; None for none."""
    if isinstance(value, str):
        return None
    return tuple(float(part) for part in np.ravel(value))


def faded(color: Any, alpha: float) -> Any:
    return None if color is None else (*color[:3], alpha)


def label_texts(axes: Node, name: str, at: Numbers) -> tuple[list[str], int]:
    """The labels at ticks, and the power of ten that stands beside the axis."""
    if axes.values.get(f"{name}TickLabelMode") == "manual":
        given = axes.values.get(f"{name}TickLabel", "")
        words = [given] if isinstance(given, str) and given else list(given or [])
        return ([words[k % len(words)] for k in range(at.size)] if words else [""] * at.size), 0
    return rules.auto_labels(axes, name)


def background(drawing: Drawing, view: PlaneView) -> None:
    """The area behind the data."""
    left, bottom, right, top = view.box
    color = rgb(view.axes["Color"])
    if color is not None and view.axes["Visible"] == "on":
        corners = np.array([[[left, bottom], [right, bottom], [right, top], [left, top]]])
        drawing.add(Polygons(corners, [color], None, 0, tag="background"))


class PlaneRulers:
    """Ticks, grid and labels of axes seen from above."""

    def __init__(self, drawing: Drawing, view: PlaneView) -> None:
        self.drawing, self.view, self.axes = drawing, view, view.axes
        self.size = self.axes["FontSize"]
        self.unit = view.unit
        self.is_right = self.axes["YAxisLocation"] == "right"
        self.is_top = self.axes["XAxisLocation"] == "top"
        self.partner = self.axes.info.get("shares")

    def ticks(self, k: int) -> tuple[Numbers, Numbers]:
        """Ticks of an axis within the limits: their values and their pixels."""
        name = rules.NAMES[k]
        low, high = (
            (10**v for v in self.view.limits[k]) if self.view.logs[k] else self.view.limits[k]
        )
        if self.axes.values.get(f"{name}TickMode") == "manual":
            at = self.axes[f"{name}Tick"].ravel()
        elif rules.frame(self.axes).drawn[k] != (low, high) and not self.view.logs[k]:
            at = (
                rules.auto_ticks(self.axes, name)
                if rules.ruler(self.axes, name) != "numeric"
                else round_numbers.linear_ticks(low, high, rules.most_steps(self.axes, name))
            )
        else:
            at = rules.auto_ticks(self.axes, name)
        tolerance = 1e-9 * abs(high - low)
        inside = (at >= low - tolerance) & (at <= high + tolerance)
        return at, np.where(inside, self.pixel(k, at), np.nan)

    def pixel(self, k: int, at: Any) -> Numbers:
        first, last = self.view.box[k], self.view.box[k + 2]
        return first + self.view.unit_of(k, at) * (last - first)

    def grid(self) -> None:
        if self.axes["Visible"] == "off":
            return
        left, bottom, right, top = self.view.box
        for k, name in enumerate("XY"):
            if self.partner is not None:
                continue
            minor = self.axes.is_on(f"{name}MinorGrid") or (
                self.axes.is_on(f"{name}Grid") and self.view.logs[k]
            )
            for is_minor in (True, False):
                if (is_minor and not minor) or (
                    not is_minor and not self.axes.is_on(f"{name}Grid")
                ):
                    continue
                at = self.minor(k) if is_minor else self.ticks(k)[1]
                at = at[np.isfinite(at)]
                ends = np.empty((at.size, 2, 2))
                ends[:, :, k] = at[:, None]
                ends[:, 0, 1 - k], ends[:, 1, 1 - k] = (bottom, top) if k == 0 else (left, right)
                kind = "MinorGrid" if is_minor else "Grid"
                color = faded(rgb(self.axes[f"{kind}Color"]), self.axes[f"{kind}Alpha"])
                style = self.axes[f"{kind}LineStyle"]
                if color is not None and at.size and style != "none":
                    self.drawing.add(
                        Segments(
                            ends, color, 0.5, style, self.view.clip, f"{name.lower()}{kind.lower()}"
                        )
                    )

    def minor(self, k: int) -> Numbers:
        """Pixels of minor ticks."""
        low, high = self.view.limits[k]
        if self.view.logs[k]:
            return self.pixel(k, round_numbers.log_minor(10**low, 10**high))
        at, _ = self.ticks(k)
        if at.size < 2:
            return np.zeros(0)
        step = (at[1] - at[0]) / 5
        found = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
        return self.pixel(k, found)

    def box(self) -> None:
        """The lines along the axes, and around them where the box is on."""
        if self.axes["Visible"] == "off":
            return
        left, bottom, right, top = self.view.box
        width = self.axes["LineWidth"]
        whole = self.axes.is_on("Box")
        x_color, y_color = rgb(self.axes["XColor"]), rgb(self.axes["YColor"])
        half = 0.5
        level = [[[left - half, y], [right + half, y]] for y in (bottom, top)]
        upright = [[[x, bottom - half], [x, top + half]] for x in (left, right)]
        at_x, at_y = int(self.is_top), int(self.is_right)
        origin = self.axes["XAxisLocation"] == "origin", self.axes["YAxisLocation"] == "origin"
        if origin[0]:
            y0 = float(np.clip(self.pixel(1, 0.0), bottom, top))
            level, at_x = [[[left, y0], [right, y0]]] * 2, 0
        if origin[1]:
            x0 = float(np.clip(self.pixel(0, 0.0), left, right))
            upright, at_y = [[[x0, bottom], [x0, top]]] * 2, 0
        if self.partner is None:
            for k, ends in enumerate(level):
                if x_color is not None and (k == at_x or whole):
                    self.drawing.add(Segments(np.array([ends]), x_color, width, tag="box"))
        for k, ends in enumerate(upright):
            if y_color is not None and (k == at_y or whole):
                self.drawing.add(Segments(np.array([ends]), y_color, width, tag="box"))
        if self.partner is None and self.axes.info.get("right") is not None:
            self.drawing.add(Segments(np.array([level[1]]), x_color, width, tag="box"))
        for k in range(2):
            self._marks(k)

    def _marks(self, k: int) -> None:
        name = rules.NAMES[k]
        color = rgb(self.axes[f"{name}Color"])
        direction = self.axes["TickDir"]
        if color is None or direction == "none" or (k == 0 and self.partner is not None):
            return
        left, bottom, right, top = self.view.box
        length = self.axes["TickLength"].ravel()[0] * max(right - left, top - bottom)
        minor = self.axes.is_on(f"{name}MinorTick") or self.view.logs[k]
        for at, size in (
            (self.ticks(k)[1], length),
            (self.minor(k) if minor else np.zeros(0), length / 2),
        ):
            at = at[np.isfinite(at)]
            first, last = (bottom, top) if k == 0 else (left, right)
            far = self.is_top if k == 0 else self.is_right
            if self.axes[f"{name}AxisLocation"] == "origin":
                first = float(np.clip(self.pixel(1 - k, 0.0), first, last))
            sides = [(last, -1.0)] if far else [(first, 1.0)]
            if self.axes.is_on("Box") and self.axes[f"{name}AxisLocation"] != "origin":
                sides = [(first, 1.0), (last, -1.0)]
            for base, inward in sides:
                inner = size * inward if direction in ("in", "both") else 0.0
                outer = -size * inward if direction in ("out", "both") else 0.0
                ends = np.empty((at.size, 2, 2))
                ends[:, :, k] = at[:, None]
                ends[:, 0, 1 - k], ends[:, 1, 1 - k] = base + outer, base + inner
                if at.size:
                    self.drawing.add(
                        Segments(ends, color, self.axes["LineWidth"], tag=f"{name.lower()}tick")
                    )

    def labels(self) -> None:
        """Labels of ticks, then labels of axes and the title beyond them."""
        axes, unit = self.axes, self.unit
        left, bottom, right, top = self.view.box
        shown = axes["Visible"] == "on"
        gap = 4.0 * unit
        out = axes["TickLength"].ravel()[0] * max(right - left, top - bottom)
        gap += out if axes["TickDir"] in ("out", "both") else 0.0
        below = self._x_labels(gap) if shown and self.partner is None else 0.0
        beside = self._y_labels(gap) if shown else 0.0
        size = axes["LabelFontSizeMultiplier"] * self.size
        if shown and self.partner is None:
            y = top + below + 2 * unit if self.is_top else bottom - below - 2 * unit
            self._label(
                "XLabel", (left + right) / 2, y, size, "bottom" if self.is_top else "top", 0
            )
        if shown:
            x = right + beside + 3 * unit if self.is_right else left - beside - 3 * unit
            self._label(
                "YLabel", x, (bottom + top) / 2, size, "top" if self.is_right else "bottom", 90
            )
        above = top + 5 * unit + (below if self.is_top else 0.0)
        self.titles(above)

    def titles(self, above: float) -> None:
        axes = self.axes
        left, _, right, _ = self.view.box
        at = {"left": left, "center": (left + right) / 2, "right": right}
        place = axes["TitleHorizontalAlignment"]
        size = axes["TitleFontSizeMultiplier"] * self.size
        sub = axes.labels.get("Subtitle")
        if sub is not None and sub["String"]:
            self._label("Subtitle", at[place], above, self.size, "bottom", 0, place)
            text = sub["String"]
            above += (
                texts.height("\n".join(text) if isinstance(text, list) else text, self.size)
                * self.unit
            )
        self._label("Title", at[place], above, size, "bottom", 0, place)

    def _label(
        self,
        name: str,
        x: float,
        y: float,
        size: float,
        valign: str,
        rotation: float,
        align: str = "center",
    ) -> None:
        node = self.axes.labels.get(name)
        if node is None or not node["String"] or node["Visible"] == "off":
            return
        if "Position" in node.values and name != "Title" and node.values.get("Units") == "data":
            point = self.view.project(*node["Position"].ravel()[:2])
            x, y = point[0]
        bold = name == "Title" and self.axes["TitleFontWeight"] == "bold"
        ruler_color = (
            rgb(self.axes[f"{name[0]}Color"]) if name.endswith("Label") else rgb(node["Color"])
        )
        self.drawing.add(
            label_of(
                node,
                x,
                y,
                node.values.get("FontSize", size),
                align,
                valign,
                node.values.get("Rotation", float(rotation)),
                node.values.get("FontWeight"),
                bold,
                ruler_color,
                name.lower(),
            )
        )

    def _x_labels(self, gap: float) -> float:
        """The labels of the ticks of x; how far they reach."""
        axes, unit = self.axes, self.unit
        left, bottom, right, top = self.view.box
        at, pixels = self.ticks(0)
        words, exponent = label_texts(axes, "X", at) if at.size else ([], 0)
        if not self._matches(at, "X"):
            words, exponent = round_numbers.labels(at)
        color = rgb(axes["XColor"])
        rotation = axes["XTickLabelRotation"]
        room = (right - left) / max(len(words), 1)
        longest = max((texts.width(word, self.size * unit) for word in words), default=0.0)
        if not rotation and longest > room * 1.02 and "XTickLabelRotation" not in axes.values:
            rotation = 30.0 if longest < 2.5 * room else 90.0
        edge = top if self.is_top else bottom
        if axes["XAxisLocation"] == "origin":
            edge = float(np.clip(self.pixel(1, 0.0), bottom, top))
        y = edge + gap if self.is_top else edge - gap
        align = "center" if not rotation else "right" if rotation > 0 else "left"
        valign = "bottom" if self.is_top else "top"
        for word, x in zip(words, pixels, strict=False):
            if np.isfinite(x) and word and color is not None:
                lift = "middle" if abs(rotation) > 60 else valign
                self.drawing.add(
                    self._tick(word, float(x), y, align, lift, rotation, color, "xticklabel")
                )
        if not words or color is None:
            return 0.0
        if exponent:
            self.drawing.add(
                self._tick(
                    f"\\times10^{{{exponent}}}",
                    right,
                    y - 1.3 * self.size * unit,
                    "right",
                    valign,
                    0.0,
                    color,
                    "xexponent",
                )
            )
        turned = np.sin(np.radians(abs(rotation))) * longest
        return float(gap + turned + texts.height("x", self.size) * unit)

    def _y_labels(self, gap: float) -> float:
        """The labels of the ticks of y; how far they reach."""
        axes, unit = self.axes, self.unit
        left, _bottom, right, top = self.view.box
        at, pixels = self.ticks(1)
        words, exponent = label_texts(axes, "Y", at) if at.size else ([], 0)
        if not self._matches(at, "Y"):
            words, exponent = round_numbers.labels(at)
        color = rgb(axes["YColor"])
        edge = right if self.is_right else left
        if axes["YAxisLocation"] == "origin":
            edge = float(np.clip(self.pixel(0, 0.0), left, right))
        x = edge + gap if self.is_right else edge - gap
        align = "left" if self.is_right else "right"
        for word, y in zip(words, pixels, strict=False):
            if np.isfinite(y) and word and color is not None:
                rotation = axes["YTickLabelRotation"]
                self.drawing.add(
                    self._tick(word, x, float(y), align, "middle", rotation, color, "yticklabel")
                )
        if not words or color is None:
            return 0.0
        if exponent:
            self.drawing.add(
                self._tick(
                    f"\\times10^{{{exponent}}}",
                    edge,
                    top + 3 * unit,
                    "right" if self.is_right else "left",
                    "bottom",
                    0.0,
                    color,
                    "yexponent",
                )
            )
        longest = max(texts.width(word, self.size * unit) for word in words)
        return float(gap + longest)

    def _matches(self, at: Numbers, name: str) -> bool:
        """Return whether ticks are those of the axes: limits may reach further in the picture."""
        own = self.axes[f"{name}Tick"].ravel()
        manual = self.axes.values.get(f"{name}TickLabelMode") == "manual"
        return manual or (own.size == at.size and bool(np.allclose(own, at)))

    def _tick(
        self,
        text: str,
        x: float,
        y: float,
        align: str,
        valign: str,
        rotation: float,
        color: Any,
        tag: str,
    ) -> Label:
        return Label(
            x,
            y,
            text,
            self.size,
            color,
            align,
            valign,
            rotation,
            bold=self.axes["FontWeight"] == "bold",
            italic=self.axes["FontAngle"] == "italic",
            interpreter=self.axes["TickLabelInterpreter"],
            font=self.axes["FontName"],
            tag=tag,
        )


def label_of(
    node: Node,
    x: float,
    y: float,
    size: float,
    align: str,
    valign: str,
    rotation: float,
    weight: Any,
    bold: bool,
    color: Any,
    tag: str,
) -> Label:
    """A text object at a point, with what was set on it."""
    text = node["String"]
    text = "\n".join(text) if isinstance(text, list) else text
    own = node.values.get("Color")
    return Label(
        x,
        y,
        text,
        size,
        rgb(own) if own is not None else color,
        node.values.get("HorizontalAlignment", align),
        node.values.get("VerticalAlignment", valign),
        rotation,
        bold=weight == "bold" if weight is not None else bold,
        italic=node["FontAngle"] == "italic",
        interpreter=node["Interpreter"],
        font=node["FontName"],
        background=rgb(node["BackgroundColor"]),
        edge=rgb(node["EdgeColor"]),
        margin=node["Margin"],
        tag=tag,
    )
