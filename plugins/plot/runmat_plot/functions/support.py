"""Helpers of the functions: the scene of a session, current and new objects, properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import Interp, MatlabError
from runmat_core.api.errors import too_many_builtin_outputs
from runmat_core.api.objects import HANDLES
from runmat_plot.functions.arguments import pair_at
from runmat_plot.scene import callbacks
from runmat_plot.scene.node import Node, Scene
from runmat_plot.scene.properties import as_numbers
from runmat_plot.scene.tables import CHARTS
from runmat_plot.windows import windows_of

Numbers = NDArray[Any]
AXES = ("axes", "polaraxes")


def scene_of(interp: Interp) -> Scene:
    """The graphics of a session."""
    scene: Scene = interp.state("graphics scene", lambda: Scene(interp))
    return scene


# -- current objects -----------------------------------------------------------------------------


def new_figure(scene: Scene, number: float | None = None) -> Node:
    """A new figure, which becomes the current one."""
    figure = Node(scene, "figure", scene.root)
    if number is not None and number != figure.ident:
        del scene.by_number[figure.ident]
        figure.ident = number
        scene.by_number[number] = figure
    scene.figures.append(figure)
    windows_of(scene)
    return figure


def current_figure(scene: Scene) -> Node:
    return scene.figures[-1] if scene.figures else new_figure(scene)


def make_current(figure: Node) -> None:
    figures = figure.scene.figures
    if figures and figures[-1] is not figure and figure in figures:
        figures.remove(figure)
        figures.append(figure)


def new_axes(figure: Node, kind: str = "axes", **values: Any) -> Node:
    """New axes in a figure, which become its current ones."""
    made = Node(figure.scene, kind, figure, **values)
    made.values.setdefault("Position", np.array([[0.13, 0.11, 0.775, 0.815]]))
    set_current_axes(made)
    return made


def set_current_axes(axes: Node) -> None:
    figure = axes.up("figure")
    if figure is not None:
        figure.values["CurrentAxes"] = axes
        make_current(figure)


def axes_of(figure: Node) -> list[Node]:
    """All axes in a figure, oldest first."""
    return [n for n in figure.below() if n.kind.name in AXES or n.kind.name in CHARTS][::-1]


def current_axes(scene: Scene, chart: bool = False) -> Node:
    """The current axes; a chart that is none gives way to new ones, unless it will do."""
    figure = current_figure(scene)
    found: Node | None = figure["CurrentAxes"]
    if found is None or found.deleted:
        found = next(reversed(axes_of(figure)), None)
        if found is None:
            return new_axes(figure)
        set_current_axes(found)
    if found.kind.name in CHARTS and not chart:
        place = found["Position"]
        found.delete()
        return new_axes(figure, Position=place)
    return found


KEPT = ("Position", "PositionConstraint", "Units", "NextPlot", "Layout")


def reset_axes(axes: Node) -> None:
    """Delete what is in axes and forget what was set, but for where they are."""
    axes.clear()
    for label in list(axes.labels.values()):
        label.delete()
    axes.labels.clear()
    for attached in list(axes.info.get("attached", ())):
        attached.delete()
    axes.values = {name: axes.values[name] for name in KEPT if name in axes.values}
    kept: dict[str, Any] = {
        key: axes.info[key]
        for key in ("span", "tile", "left", "right", "shares", "linked")
        if key in axes.info
    }
    axes.info = kept
    axes._take_defaults(axes.parent)
    axes.scene.revision += 1


def prepare(axes: Node, box: bool = False) -> None:
    """Make axes ready for a plot, as their NextPlot says; `box` is for plots in the plane.

    Groups and other parents within axes keep what is in them.
    """
    if "nextplot" not in axes.kind.properties:
        return
    how = axes["NextPlot"]
    if how in ("replace", "replaceall"):
        reset_axes(axes)
        if box:
            axes.values["Box"] = "on"
    elif how == "replacechildren":
        axes.clear()
        axes.values["ColorOrderIndex"] = 1.0


def holds(axes: Node) -> bool:
    """Return whether axes keep what is in them; charts that are axes of their own never do."""
    return "nextplot" in axes.kind.properties and bool(axes["NextPlot"] == "add")


# -- arguments -----------------------------------------------------------------------------------


def node_in(scene: Scene, value: Any, types: Sequence[str] = ()) -> Node | None:
    """The object that a Python value is or numbers; None where it is none of these types."""
    if isinstance(value, Node):
        found: Node | None = value
    elif isinstance(value, float) and value in scene.by_number:
        found = scene.by_number[value]
    else:
        return None
    return found if found is not None and (not types or found.kind.type in types) else None


def of_object(name: str, nargout: int, args: Sequence[Any]) -> Any:
    """Call a method of another object than those that are drawn; NotImplemented without one.

    Timers, objects of classes and lists of properties have ``set``, ``get`` and ``findobj``, too.
    """
    find = getattr(args[0], "method", None) if args else None
    bound = find(name) if find is not None else None
    return NotImplemented if bound is None else bound(nargout, *args[1:])


def nodes_in(scene: Scene, value: Any) -> list[Node]:
    """The objects of an array of handles, or of numbers that stand for them.

    Raises:
        MatlabError: an element is none.
    """
    if isinstance(value, Node):
        return [value]
    if isinstance(value, list):
        return [node for item in value for node in nodes_in(scene, item)]
    if isinstance(value, np.ndarray) and value.dtype == object:
        items: Iterable[Any] = value.ravel(order="F").tolist()
    else:
        numbers = as_numbers(value)
        if numbers is None:
            raise bad_handle()
        items = numbers.ravel(order="F").tolist()
    found = []
    for item in items:
        node = node_in(scene, item)
        if node is None:
            raise bad_handle()
        found.append(node)
    return found


def axes_in(scene: Scene, value: Any) -> list[Node]:
    """The axes of an array of handles, all of them there.

    Raises:
        MatlabError: an element is none.
    """
    found = nodes_in(scene, value)
    for node in found:
        node.check()
        if node.kind.type not in AXES:
            raise MatlabError(
                "MATLAB:graphics:InvalidAxes", "Value must be axes or an array of axes."
            )
    return found


def no_outputs(nargout: int) -> None:
    """Refuse outputs of a call that has none, before it does anything.

    Raises:
        MatlabError: an output is asked for.
    """
    if nargout:
        raise too_many_builtin_outputs()


def bad_handle() -> MatlabError:
    return MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")


def take_axes(scene: Scene, args: Sequence[Any]) -> tuple[Node | None, list[Any]]:
    """The axes that arguments begin with, or that stand behind ``Parent``, and the rest."""
    rest = list(args)
    axes = None
    if rest:
        found = node_in(scene, rest[0], AXES)
        if found is not None and (isinstance(rest[0], Node) or found.ident % 1):
            found.check()
            axes, rest = found, rest[1:]
    for at, value in enumerate(rest[:-1]):
        if isinstance(value, str) and value.lower() == "parent":
            given = node_in(scene, rest[at + 1])
            if given is not None and given.kind.type in (*AXES, "hggroup", "hgtransform"):
                given.check()
                return given, rest[:at] + rest[at + 2 :]
    return axes, rest


def set_pairs(node: Node, pairs: Sequence[Any]) -> None:
    """Set properties from names and Python values in turn; a dict sets several.

    Raises:
        MatlabError: a name without a value, an unknown name, or a wrong value.
    """
    at = 0
    while at < len(pairs):
        name = pairs[at]
        if isinstance(name, dict):
            for key, value in name.items():
                set_named(node, key, value)
            at += 1
            continue
        set_named(node, *pair_at(pairs, at))
        at += 2
    if "CreateFcn" in node.values and node.info.get("created") is None and node.parent is not None:
        node.info["created"] = True
        callbacks.run(node, "CreateFcn")


def set_named(node: Node, name: str, value: Any) -> None:
    """Set the property that a name means to a Python value."""
    prop = node.find_property(name)
    if prop.kind == "any" or prop.read_only:
        node.write(prop, node.scene.interp.to_matlab(value))
    elif prop.name == "Parent":
        set_parent(node, value)
    else:
        node.assign(prop.name, value)


def parent_in(node: Node, value: Any) -> Node:
    """The object that a value means as what `node`, or a copy of it, is to be below.

    Raises:
        MatlabError: it is none, or is `node` or below it.
    """
    parent = node_in(node.scene, value)
    inside = parent is not None and any(above is node for above in parent.ancestors())
    if parent is None or parent.deleted or inside:
        raise MatlabError(
            "MATLAB:hg:InvalidParent", "Value must be a valid parent for this object."
        )
    return parent


def set_parent(node: Node, value: Any) -> None:
    node.move_to(parent_in(node, value))


def make(kind: str, parent: Node, pairs: Sequence[Any] = (), **values: Any) -> Node:
    """A new object with properties from pairs; nothing is left of it where one is wrong."""
    node = Node(parent.scene, kind, parent, **values)
    with deleted_on_error(node):
        set_pairs(node, pairs)
    return node


@contextmanager
def deleted_on_error(node: Node | None) -> Iterator[None]:
    """Delete a new object where an error ends the block; None stands for no new object."""
    try:
        yield
    except MatlabError:
        if node is not None:
            node.delete()
        raise


def given(nargout: int, nodes: Node | Sequence[Node]) -> Any:
    """Objects as the output of a function that gives handles only where these are asked for."""
    if not nargout:
        return None
    return nodes if isinstance(nodes, Node) else column(nodes)


def column(nodes: Sequence[Node]) -> Any:
    made = np.empty((len(nodes), 1 if nodes else 0), HANDLES)
    if nodes:
        made[:, 0] = list(nodes)
    return made


def row(nodes: Sequence[Node]) -> Any:
    return column(nodes).T


def name_axes(axes: Node, names: Sequence[str]) -> None:
    """Write the names of variables beside the axes."""
    for axis, name in zip("XYZ", names, strict=False):
        axes.label(f"{axis}Label").assign("String", name)


def set_ruler(axes: Node, name: str, ruler: Any) -> None:
    """Note what an axis measures."""
    if ruler != "numeric":
        axes.info.setdefault("rulers", {})[name] = ruler
