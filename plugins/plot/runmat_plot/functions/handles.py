"""Objects by their handles: properties, parents and children, searching, copying, deleting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.objects import HANDLES, NOTHING
from runmat_plot.functions.arguments import texts_in, word_in
from runmat_plot.functions.support import (
    axes_in,
    bad_handle,
    column,
    current_figure,
    no_outputs,
    node_in,
    nodes_in,
    of_object,
    parent_in,
    scene_of,
)
from runmat_plot.scene import tables
from runmat_plot.scene.node import Node, Scene
from runmat_plot.scene.properties import Property, as_numbers, choices_text, stored


def targets(scene: Scene, value: Any) -> list[Node]:
    found = nodes_in(scene, value)
    for node in found:
        node.check()
    return found


@builtin("set", family="plot/handles", nargin=(1, None), needs=("nargout", "interp"))
def set_(handle: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Set properties of graphics objects.

    set(H, NAME, VALUE, …) sets properties of all objects in H
    set(H, S) takes names and values from a structure
    set(H, NAMES, VALUES) takes them from cell arrays, a row of VALUES for each object
    set(H, NAME) lists the words that a property may be, set(H) all properties

    Names may be in any case and cut short. set(groot, "defaultLineLineWidth", 2) sets what lines
    have that are made later.

    Examples:
        >> h = line([0 1], [0 1]); set(h, 'LineWidth', 2); h.LineWidth
        ans =
             2

    See also: get, gca, gcf, findobj, reset.
    """
    done = of_object("set", nargout, (handle, *args))
    if done is not NotImplemented:
        return done
    scene = scene_of(interp)
    nodes = targets(scene, interp.to_python(handle))
    if len(args) < 2 and not (args and _fields(interp, args[0]) is not None):
        return _choices(nodes, args, nargout, interp)
    no_outputs(nargout)
    pairs = _pairs(interp, args, len(nodes))
    plan: list[tuple[Node, Callable[[], None]]] = []
    for at, node in enumerate(nodes):
        for name, values in pairs:
            plan.append((node, _change(node, name, values[at if len(values) > 1 else 0], interp)))
    for _, change in plan:
        change()
    return None


def first_of(interp: Interp, value: Any) -> Node | None:
    """The first object of an array; None of an empty one."""
    found = targets(scene_of(interp), interp.to_python(value))
    return found[0] if found else None


def _fields(interp: Interp, value: Any) -> dict[str, Any] | None:
    """The fields of a structure as MATLAB values."""
    if getattr(value, "class_name", "") != "struct":
        return None
    records = value.records()
    return dict(records[0]) if records else {}


def _pairs(interp: Interp, args: Sequence[Any], count: int) -> list[tuple[str, list[Any]]]:
    """Names, each with one MATLAB value, or with one for each object."""
    found: list[tuple[str, list[Any]]] = []
    at = 0
    while at < len(args):
        fields = _fields(interp, args[at])
        if fields is not None:
            found += [(name, [value]) for name, value in fields.items()]
            at += 1
            continue
        if at + 1 >= len(args):
            raise MatlabError(
                "MATLAB:class:BadParamValuePairs", "Invalid parameter/value pair arguments."
            )
        names, value = interp.to_python(args[at]), args[at + 1]
        if isinstance(names, str):
            found.append((names, [value]))
        elif isinstance(names, list | np.ndarray) and getattr(value, "class_name", "") == "cell":
            words = list(np.ravel(np.array(names, dtype=object)))
            table = value.data
            if table.shape[1] != len(words) or table.shape[0] not in (1, count):
                raise MatlabError(
                    "MATLAB:class:ValueCellDimension",
                    "Value cell array handle dimension must match handle vector length.",
                )
            found += [(str(word), list(table[:, k])) for k, word in enumerate(words)]
        else:
            raise MatlabError(
                "MATLAB:class:BadParamValuePairs", "Invalid parameter/value pair arguments."
            )
        at += 2
    return found


def _change(node: Node, name: str, value: Any, interp: Interp) -> Callable[[], None]:
    """The change of a property, checked already."""
    default = _default_of(name)
    if default is not None:
        kind, prop = default
        given = interp.to_python(value)
        if isinstance(given, str) and given in ("remove", "factory", "default"):
            return lambda: (node.defaults.pop((kind, prop.name.lower()), None), None)[1]
        checked = given if prop.kind == "any" else stored(prop, given, node.kind.short)
        return lambda: node.defaults.__setitem__((kind, prop.name.lower()), checked)
    prop = node.find_property(name)
    if prop.name == "Parent":
        parent = parent_in(node, interp.to_python(value))
        return lambda: node.move_to(parent)
    if prop.name == "Children":
        order = nodes_in(node.scene, interp.to_python(value))
        if set(map(id, order)) != set(map(id, node.children)):
            raise MatlabError(
                "MATLAB:hg:InvalidChildren", "Children may only be set to a permutation of itself."
            )
        return lambda: node.children.__setitem__(slice(None), order[::-1])
    given = interp.to_python(value)
    plain = prop.kind in ("any", "text", "strings") or prop.read_only
    if isinstance(given, str) and given in ("default", "factory") and not plain:
        return lambda: node.restore(prop, given == "default")
    if prop.kind != "any" and not prop.read_only:
        checked = stored(prop, interp.to_python(value), node.kind.short)
        return lambda: node.place(prop, checked)
    return lambda: node.write(prop, value)


def _default_of(name: str, start: str = "default") -> tuple[str, Property] | None:
    """The type and the property that a name such as ``defaultLineLineWidth`` means."""
    low = name.lower()
    if not low.startswith(start):
        return None
    rest = low[len(start) :]
    for kind in tables.types():
        for of_type in tables.KINDS.values():
            if of_type.type == kind and rest.startswith(kind):
                prop = of_type.properties.get(rest[len(kind) :])
                if prop is not None:
                    return kind, prop
    raise MatlabError("MATLAB:hg:InvalidProperty", f"There is no {name} property.")


def _choices(nodes: list[Node], args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Return what ``set(h)`` and ``set(h, NAME)`` tell."""
    if not nodes:
        no_outputs(nargout)
        return None
    if args:
        name = interp.to_python(args[0])
        if not isinstance(name, str):
            raise MatlabError(
                "MATLAB:class:BadParamValuePairs", "Invalid parameter/value pair arguments."
            )
        prop = nodes[0].find_property(name)
        words = ["on", "off"] if prop.kind == "onoff" else list(prop.words)
        if nargout:
            return words
        shown = (
            choices_text(prop) if words else f"The {prop.name} property has no fixed set of values."
        )
        interp.write(f"{shown}\n")
        return None
    settable = [p for p in nodes[0].kind.properties.values() if not p.read_only]
    if nargout:
        return {p.name: ["on", "off"] if p.kind == "onoff" else list(p.words) for p in settable}
    for prop in settable:
        words = ["on", "off"] if prop.kind == "onoff" else list(prop.words)
        interp.write(f"\t{prop.name}: {choices_text(prop) if words else ''}".rstrip() + "\n")
    return None


@builtin("get", family="plot/handles", nargin=(1, 2), needs=("nargout", "interp"))
def get(handle: Any, name: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Properties of graphics objects.

    V = get(H, NAME) is the value of a property; of several objects a cell array
    V = get(H, NAMES) is a cell array with a row for each object
    S = get(H) is a structure of all properties; get(H) shows them

    Examples:
        >> h = line([0 1], [0 1]); get(h, 'LineStyle')
        ans =
            '-'

    See also: set, gca, gcf, findobj.
    """
    done = of_object("get", nargout, (handle,) if name is None else (handle, name))
    if done is not NotImplemented:
        return done
    scene = scene_of(interp)
    nodes = targets(scene, interp.to_python(handle))
    if name is None:
        return _everything(nodes, nargout, interp)
    wanted = interp.to_python(name)
    if isinstance(wanted, str):
        values = [_value(node, wanted) for node in nodes]
        return values[0] if len(values) == 1 else _cell(interp, [[value] for value in values])
    if isinstance(wanted, list) and all(isinstance(word, str) for word in wanted):
        return _cell(interp, [[_value(node, word) for word in wanted] for node in nodes])
    raise MatlabError("MATLAB:class:InvalidArgument", "Property names must be text.")


def _defaults(node: Node) -> Any:
    """The defaults that were set for objects below, as a structure."""
    found: dict[str, Any] = {}
    shown = {kind.type: kind.class_name.rpartition(".")[2] for kind in tables.KINDS.values()}
    for (kind, name), value in node.defaults.items():
        prop = next(
            of.properties[name]
            for of in tables.KINDS.values()
            if of.type == kind and name in of.properties
        )
        found[f"default{shown[kind]}{prop.name}"] = value
    return node.scene.interp.to_matlab(found)


def _value(node: Node, name: str) -> Any:
    if name.lower() == "default":
        return _defaults(node)
    factory = _default_of(name, "factory") if node.kind.name == "root" else None
    if factory is not None:
        return node.scene.interp.to_matlab(factory[1].default)
    default = _default_of(name)
    if default is None:
        return node.read(node.find_property(name))
    kind, prop = default
    for above in node.ancestors():
        if (kind, prop.name.lower()) in above.defaults:
            return node.scene.interp.to_matlab(above.defaults[kind, prop.name.lower()])
    return node.scene.interp.to_matlab(prop.default)


def _cell(interp: Interp, rows: list[list[Any]]) -> Any:
    """A cell array of MATLAB values."""
    made = interp.builtin("vertcat")
    assert made is not None
    if not rows:
        return interp.to_matlab([])
    return made(1, *[interp.to_matlab(list(line)) for line in rows])


def _everything(nodes: list[Node], nargout: int, interp: Interp) -> Any:
    if nargout:
        records = [{p.name: n.read(p) for p in n.kind.properties.values()} for n in nodes]
        made = interp.builtin("vertcat")
        assert made is not None
        structs = [interp.to_matlab(record) for record in records]
        return structs[0] if len(structs) == 1 else made(1, *structs)
    for node in nodes:
        record = interp.to_matlab({p.name: node.read(p) for p in node.kind.properties.values()})
        show = interp.builtin("disp")
        if show is not None:
            show(0, record)
    return None


@builtin("graphics.ishandle", family="plot/handles", nargin=(1, 2), needs=("interp",))
def ishandle(value: Any, kind: Any = None, *, interp: Interp) -> Any:
    """Test whether the elements of an array are graphics objects; what ishandle calls.

    Examples:
        >> h = figure; ishandle([double(h) -1])
        ans =
          1×2 logical array
           1   0

    See also: ishandle, isgraphics, isvalid.
    """
    scene = scene_of(interp)
    found = interp.to_python(value)
    wanted = None if kind is None else word_in(interp.to_python(kind), "ishandle")
    if isinstance(found, str | list | dict):  # an array of what are no handles
        return np.zeros(np.shape(getattr(value, "data", ())) or (1, 1), bool)
    items = np.array([[found]], object) if not isinstance(found, np.ndarray) else found
    out = np.zeros(items.shape, bool, order="F")
    for at in np.ndindex(items.shape):
        item = items[at]
        node = node_in(scene, item if isinstance(item, Node) else _number(item))
        out[at] = (
            node is not None and not node.deleted and (wanted is None or node.kind.type == wanted)
        )
    return out


def _number(item: Any) -> float:
    numbers = as_numbers(item.item() if isinstance(item, np.generic) else item)
    return float(numbers.real.item()) if numbers is not None and numbers.size == 1 else np.nan


@builtin("graphics.isprop", family="plot/handles", needs=("interp",))
def isprop(value: Any, name: Any, *, interp: Interp) -> Any:
    """Test whether objects that are given by their numbers have a property; what isprop calls.

    Examples:
        >> h = figure; isprop(double(h), 'Name')
        ans =
          logical
           1

    See also: isprop, get.
    """
    scene = scene_of(interp)
    numbers = as_numbers(interp.to_python(value))
    word = interp.to_python(name)
    if numbers is None or not isinstance(word, str):
        return False
    out = np.zeros(numbers.shape, bool, order="F")
    for at in np.ndindex(numbers.shape):
        node = node_in(scene, float(numbers[at].real))
        out[at] = node is not None and word.lower() in node.kind.properties
    return out


@builtin("graphics.delete", family="plot/handles", nargout=0, needs=("interp",))
def delete(value: Any, *, interp: Interp) -> None:
    """Delete objects that are given by their numbers; what delete calls.

    Examples:
        >> h = figure; delete(double(h)); isvalid(h)
        ans =
          logical
           0

    See also: delete, close, cla, clf.
    """
    for node in nodes_in(scene_of(interp), interp.to_python(value)):
        node.delete()


@builtin("groot", family="plot/handles", nargin=(0, 0), needs=("interp",))
def groot(*, interp: Interp) -> Any:
    """Root object, above all figures.

    R = groot

    Examples:
        >> get(groot, 'ScreenSize')
        ans =
                   1           1        1920        1080

    See also: figure, gcf, set.
    """
    return scene_of(interp).root


@builtin("gco", family="plot/handles", nargin=(0, 1), needs=("interp",))
def gco(figure: Any = None, *, interp: Interp) -> Any:
    """Object that was clicked last: none where there is no window.

    H = gco, H = gco(F)

    Examples:
        >> isempty(gco)
        ans =
          logical
           1

    See also: gcbo, gca, gcf.
    """
    return np.empty((0, 0), HANDLES)


@builtin("gcbo", family="plot/handles", nargin=(0, 0), nargout=2, needs=("nargout", "interp"))
def gcbo(*, nargout: int, interp: Interp) -> Any:
    """Object whose callback is running; none outside of callbacks.

    H = gcbo, [H, F] = gcbo with its figure

    Examples:
        >> f = figure('DeleteFcn', @(varargin) disp(class(gcbo))); delete(f)
        matlab.ui.Figure

    See also: gcbf, gco, gcf.
    """
    running = scene_of(interp).callbacks
    none = np.empty((0, 0), HANDLES)
    node = running[-1][0] if running else None
    found: Any = none if node is None else node
    if nargout < 2:
        return found
    return found, none if node is None else node.up("figure") or none


@builtin("gcbf", family="plot/handles", nargin=(0, 0), needs=("interp",))
def gcbf(*, interp: Interp) -> Any:
    """Figure of the object whose callback is running; none outside of callbacks.

    F = gcbf

    Examples:
        >> isempty(gcbf)
        ans =
          logical
           1

    See also: gcbo, gcf.
    """
    running = scene_of(interp).callbacks
    found = running[-1][0].up("figure") if running else None
    return np.empty((0, 0), HANDLES) if found is None else found


@builtin("gobjects", family="plot/handles", nargin=(0, None), needs=("interp",))
def gobjects(*sizes: Any, interp: Interp) -> Any:
    """Array for handles, whose elements are placeholders.

    H = gobjects(N), H = gobjects(M, N, …), H = gobjects([M N …])

    Examples:
        >> size(gobjects(2, 3))
        ans =
             2     3

    See also: isgraphics, figure, plot.
    """
    extents: list[int] = []
    for size in sizes:
        numbers = as_numbers(interp.to_python(size))
        if (
            numbers is None
            or not np.all(np.isfinite(numbers))
            or np.any(numbers.real != np.floor(numbers.real))
        ):
            raise MatlabError(
                "MATLAB:graphics:gobjects:invalidinput", "Size must be whole numbers."
            )
        extents += [max(int(n), 0) for n in numbers.ravel().real]
    shape = (1, 1) if not extents else (extents[0],) * 2 if len(extents) == 1 else tuple(extents)
    made = np.empty(shape, HANDLES, order="F")
    made.fill(NOTHING)
    return made


@builtin("copyobj", family="plot/handles", nargin=(1, 3), needs=("interp",))
def copyobj(handle: Any, parent: Any = None, *options: Any, interp: Interp) -> Any:
    """Copies of objects, and of what is below them.

    C = copyobj(H, P) makes copies of the objects H below the objects P
    C = copyobj(F) makes a copy of a figure

    Examples:
        >> h = line(1:2, 1:2, 'LineWidth', 3); c = copyobj(h, gca); c.LineWidth
        ans =
             3

    See also: findobj, delete.
    """
    scene = scene_of(interp)
    nodes = targets(scene, interp.to_python(handle))
    parents = [scene.root] if parent is None else targets(scene, interp.to_python(parent))
    if len(parents) not in (1, len(nodes)) and len(nodes) != 1:
        raise MatlabError(
            "MATLAB:copyobj:InvalidParent", "There must be one parent for each object."
        )
    if not parents:
        raise bad_handle()
    if not nodes:
        return column([])
    count = max(len(nodes), len(parents))
    pairs = [
        (nodes[k if len(nodes) > 1 else 0], parents[k if len(parents) > 1 else 0])
        for k in range(count)
    ]
    for source, above in pairs:
        parent_in(source, above)
    made = []
    for source, above in pairs:
        made.append(source.copy_to(above))
        if made[-1].kind.name == "figure":
            scene.figures.append(made[-1])
    return column(made)


@builtin("refreshdata", family="plot/handles", nargin=(0, 2), nargout=0, needs=("interp",))
def refreshdata(handle: Any = None, where: Any = None, *, interp: Interp) -> None:
    """Read the data of charts anew from the expressions that are their sources.

    refreshdata in the current figure, refreshdata(H) of the objects H and what is below them
    refreshdata(H, "caller") with the variables of the calling function, those of the base
    workspace otherwise

    Examples:
        >> y = 1:3; h = plot(y, 'YDataSource', 'y'); y = 4:6; refreshdata(h); h.YData
        ans =
             4     5     6

    See also: drawnow, set.
    """
    scene = scene_of(interp)
    top = [current_figure(scene)] if handle is None else targets(scene, interp.to_python(handle))
    evaluate = interp.builtin("evalin")
    assert evaluate is not None
    place = "base" if where is None else word_in(interp.to_python(where), "refreshdata")
    for node in [one for above in top for one in above.whole()]:
        for name in ("XData", "YData", "ZData", "CData"):
            prop = node.kind.properties.get(f"{name.lower()}source")
            source = node[prop.name] if prop is not None else ""
            if source:
                value = evaluate(1, interp.to_matlab(place), interp.to_matlab(source))
                node.write(node.kind.properties[name.lower()], value)


@builtin("linkprop", family="plot/handles", nargin=(2, 2), needs=("interp",))
def linkprop(handles: Any, names: Any, *, interp: Interp) -> Any:
    """Make properties of several objects the same.

    L = linkprop(H, NAMES) gives all objects in H the values that the first one has

    Examples:
        >> h = plot(1:2, 1:2, 3:4, 3:4); linkprop(h, 'LineWidth');

    See also: linkaxes, set.
    """
    scene = scene_of(interp)
    nodes = targets(scene, interp.to_python(handles))
    words = texts_in(interp.to_python(names))
    if words is None:
        raise MatlabError("MATLAB:graphics:InvalidPropertyName", "Property names must be text.")
    for word in words:
        for node in nodes[1:]:
            prop = node.find_property(word)
            node.write(prop, nodes[0].read(nodes[0].find_property(word)))
    return column(nodes)


@builtin("linkaxes", family="plot/handles", nargin=(0, 2), nargout=0, needs=("interp",))
def linkaxes(handles: Any = None, option: Any = None, *, interp: Interp) -> None:
    """Give axes the same limits, now and whenever those of one are set.

    linkaxes(AX) along x and y, linkaxes(AX, "x"), linkaxes(AX, "y"), linkaxes(AX, "off")

    Examples:
        >> a(1) = subplot(2, 1, 1); plot(0:5); a(2) = subplot(2, 1, 2); plot(0:9);
        >> linkaxes(a, 'x'); xlim(a(1))
        ans =
             1    10

    See also: linkprop, xlim, ylim.
    """
    scene = scene_of(interp)
    word = "xy" if option is None else str(interp.to_python(option)).lower()
    if handles is None:
        figure = current_figure(scene)
        nodes = [node for node in figure.below() if node.kind.type == "axes"]
    else:
        nodes = axes_in(scene, interp.to_python(handles))
    if word not in ("x", "y", "z", "xy", "xz", "yz", "xyz", "off"):
        raise MatlabError(
            "MATLAB:linkaxes:InvalidOption", "The second argument must be 'x', 'y', 'xy' or 'off'."
        )
    if word == "off":
        for node in nodes:
            node.info.pop("linked", None)
        return
    for name in word.upper() if nodes else "":
        limits = [node[f"{name}Lim"].ravel() for node in nodes]
        together = np.array([[min(low for low, _ in limits), max(high for _, high in limits)]])
        for node in nodes:
            node.info.setdefault("linked", {})[name] = list(nodes)
            node.assign(f"{name}Lim", together)
