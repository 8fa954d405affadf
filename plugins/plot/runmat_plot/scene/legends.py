"""Entries of legends."""

from __future__ import annotations

from runmat_plot.scene.node import Node

#: Kinds that have an entry in a legend.
LISTED = (
    "line",
    "primitiveline",
    "functionline",
    "animatedline",
    "stair",
    "stem",
    "scatter",
    "errorbar",
    "bar",
    "area",
    "histogram",
    "quiver",
    "contour",
    "surface",
    "patch",
    "constantline",
    "boxchart",
    "hggroup",
    "rectangle",
)


def candidates(axes: Node) -> list[Node]:
    """The objects in axes that a legend lists, in order."""
    return [
        node
        for node in axes.children
        if node.kind.name in LISTED
        and node["HandleVisibility"] != "off"
        and not node.info.get("unlisted")
        and _is_shown(node)
    ]


def _is_shown(node: Node) -> bool:
    """Return whether an object's annotation lets a legend list it."""
    told = node.info.get("annotation")
    entry = None if told is None else told.info.get("legend")
    return entry is None or bool(entry["IconDisplayStyle"] != "off")


def entries(legend_node: Node) -> list[tuple[Node, str]]:
    """Return what a legend lists: objects and texts."""
    axes = legend_node.info["owner"]
    shown = legend_node.info.get("listed")
    if shown is None:
        shown = candidates(axes)
    elif legend_node.is_on("AutoUpdate"):
        shown = [*shown, *(n for n in candidates(axes) if n not in shown and n["DisplayName"])]
    found = []
    for node in shown:
        if node.deleted:
            continue
        name = node["DisplayName"]
        name = "\n".join(name) if isinstance(name, list) else name
        place = candidates(axes).index(node) + 1 if node in candidates(axes) else 1
        found.append((node, name or f"data{place}"))
    return found
