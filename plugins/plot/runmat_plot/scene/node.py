"""The tree of graphics objects.

A `Node` is an object of one of the kinds of `tables`; what is set on it lies in `values`, and
everything else is a default or computed from what the tree holds (`computed`). Setting ``XLim``
makes ``XLimMode`` manual, and so for every property with a mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError
from runmat_core.api.objects import HANDLES, Handle
from runmat_plot.scene import callbacks, tables, themes
from runmat_plot.scene.properties import Property, stored

#: What properties are that depend on others, by kind and name.
COMPUTED: dict[tuple[str, str], Callable[[Node], Any]] = {}
#: What else happens when a property is set: ``rule(node, value)`` after the value is stored.
SET: dict[tuple[str, str], Callable[[Node, Any], None]] = {}
#: Functions that show an open figure in a notebook: as a PNG file, as HTML, and by MIME type.
SHOW: dict[str, Callable[[Node], Any]] = {}
#: Objects that belong to another one without being among its children.
LABELS = {
    "axes": ("Title", "Subtitle", "XLabel", "YLabel", "ZLabel"),
    "polaraxes": ("Title", "Subtitle"),
    "tiledlayout": ("Title", "Subtitle", "XLabel", "YLabel"),
    "legend": ("Title",),
    "bubblelegend": ("Title",),
    "colorbar": ("Label", "Title", "XLabel", "YLabel"),
}
#: Functions that may be called as methods of an object, too: ``h.addpoints(x, y)``.
METHODS = {
    "animatedline": ("addpoints", "clearpoints", "getpoints"),
    "graphplot": ("highlight", "labelnode", "labeledge", "layout"),
    "histogram": ("morebins", "fewerbins"),
}
#: Labels of colour bars by the names that programs for old versions use.
_OLD_LABELS = {("colorbar", "XLabel"): "Label", ("colorbar", "YLabel"): "Label"}


def computed(kinds: str, *names: str) -> Callable[[Callable[[Node], Any]], Callable[[Node], Any]]:
    """Mark a function as what gives some properties of some kinds, named in one text."""

    def mark(function: Callable[[Node], Any]) -> Callable[[Node], Any]:
        for kind in kinds.split():
            for name in names:
                COMPUTED[kind, name] = function
        return function

    return mark


def when_set(
    kinds: str, *names: str
) -> Callable[[Callable[[Node, Any], None]], Callable[[Node, Any], None]]:
    """Mark a function as what follows when some properties of some kinds are set."""

    def mark(function: Callable[[Node, Any], None]) -> Callable[[Node, Any], None]:
        for kind in kinds.split():
            for name in names:
                SET[kind, name] = function
        return function

    return mark


class Scene:
    """All graphics of a session.

    Attributes:
        figures: in the order in which they became current, the current one last.
        by_number: objects by the number that stands for them.
        callbacks: what is running of them, by object and property.
        dark: whether any figure has been dark.
        windows: what shows figures on a screen; False where nothing can, None before it is asked.
        revision: grows with every change; what was computed of a tree is valid for one revision.
    """

    def __init__(self, interp: Interp) -> None:
        self.interp = interp
        self.figures: list[Node] = []
        self.by_number: dict[float, Node] = {}
        self.counter = 0
        self.revision = 0
        self.callbacks: list[tuple[Node, str]] = []
        self.dark = False
        self.windows: Any = None
        self.warned: set[str] = set()
        self.root = Node(self, "root", None)

    def warn_once(self, identifier: str, text: str) -> None:
        """Warn, but not again of the same."""
        if text not in self.warned:
            self.warned.add(text)
            self.interp.warn(identifier, text)

    def identify(self, node: Node) -> float:
        """A number for a new object; figures have small whole ones."""
        if node.kind.name == "root":
            return 0.0
        if node.kind.name == "figure":
            taken = {figure.ident for figure in self.figures}
            return next(float(k) for k in range(1, len(taken) + 2) if float(k) not in taken)
        self.counter += 1
        return self.counter + 2.0**-11


_REMOVED = {
    "erasemode": ("EraseMode", "normal", " Use animatedline for animations."),
    "drawmode": ("DrawMode", "normal", " Use the SortMethod property instead."),
}


#: Names from former releases that MATLAB still takes and does not list, by kind.
_FORMER = {
    ("contour", "color"): "linecolor",
    ("textboxshape", "fitheighttotext"): "fitboxtotext",
}


class Node(Handle):
    """A graphics object.

    Attributes:
        values: what was set, by the name of the property.
        labels: titles and the like, by the name of the property that gives them.
        defaults: values of properties of new objects below, by type and name in lower case.
        app: what ``setappdata`` and ``guidata`` keep.
        info: what functions keep with it that is no property.
    """

    __slots__ = (
        "app",
        "children",
        "defaults",
        "deleted",
        "ident",
        "info",
        "kind",
        "labels",
        "parent",
        "scene",
        "values",
    )

    def __init__(self, scene: Scene, kind: str, parent: Node | None, **values: Any) -> None:
        self.scene = scene
        self.kind = tables.KINDS[kind]
        self.parent = parent
        self.children: list[Node] = []
        self.values: dict[str, Any] = {}
        self.labels: dict[str, Node] = {}
        self.defaults: dict[tuple[str, str], Any] = {}
        self.app: dict[str, Any] = {}
        self.info: dict[str, Any] = {}
        self.deleted = False
        self.ident = scene.identify(self) if kind != "root" else 0.0
        scene.by_number[self.ident] = self
        if parent is not None:
            parent.children.append(self)
            self._take_defaults(parent)
        self.values.update(values)
        scene.revision += 1

    def _take_defaults(self, above: Node | None) -> None:
        lines = []
        while above is not None:
            if above.defaults:
                lines.append(above.defaults)
            above = above.parent
        for defaults in reversed(lines):
            for (kind, name), value in defaults.items():
                if kind == self.kind.type and name in self.kind.properties:
                    self.assign(self.kind.properties[name].name, value)

    # -- properties as Python values -----------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        rule = COMPUTED.get((self.kind.name, name))
        if rule is not None:
            return rule(self)
        if name in self.values:
            return self.values[name]
        if self.scene.dark:
            found = themes.default_of(self, name)
            if found is not None:
                return found
        prop = self.kind.properties.get(name.lower())
        if prop is None:
            raise self._unknown(name)
        return prop.default

    def __setitem__(self, name: str, value: Any) -> None:
        """Store a value that is known to be right."""
        self.values[name] = value
        self.scene.revision += 1

    def is_on(self, name: str) -> bool:
        return bool(self[name] == "on")

    def reads(self, name: str, word: str) -> bool:
        """Whether a property that may also be a colour is this word."""
        value = self[name]
        return isinstance(value, str) and value == word

    def assign(self, name: str, value: Any) -> None:
        """Set a property that may be set to a Python value, which is checked.

        Raises:
            MatlabError: the property does not take the value.
        """
        prop = self.kind.properties[name.lower()]
        self.place(prop, stored(prop, value, self.kind.short))

    def place(self, prop: Property, value: Any) -> None:
        name = prop.name
        self.values[name] = value
        self.scene.revision += 1
        mode = f"{name}Mode"
        if mode.lower() in self.kind.properties:
            self.values[mode] = "manual"
        rule = SET.get((self.kind.name, name))
        if rule is not None:
            rule(self, value)

    def restore(self, prop: Property, own: bool) -> None:
        """Forget what was set as a property; `own` takes the default of the objects above."""
        self.values.pop(prop.name, None)
        if f"{prop.name}Mode".lower() in self.kind.properties:
            self.values.pop(f"{prop.name}Mode", None)
        self.scene.revision += 1
        key = (self.kind.type, prop.name.lower())
        for above in self.ancestors() if own else ():
            if key in above.defaults:
                self.assign(prop.name, above.defaults[key])
                return

    def label(self, name: str) -> Node:
        """The title, or whatever else of `LABELS`, made on first use."""
        name = _OLD_LABELS.get((self.kind.name, name), name)
        found = self.labels.get(name)
        if found is None:
            found = Node(self.scene, "text", None)
            found.parent = self
            found._take_defaults(self)
            found.values["HandleVisibility"] = "off"
            if name in ("Title", "XLabel", "Subtitle"):
                found.values["HorizontalAlignment"] = "center"
            self.labels[name] = found
        return found

    # -- the tree ------------------------------------------------------------------------------

    def ancestors(self) -> Iterator[Node]:
        above: Node | None = self
        while above is not None:
            yield above
            above = above.parent

    def up(self, *types: str) -> Node | None:
        """This object or the nearest one above of a type."""
        return next((node for node in self.ancestors() if node.kind.type in types), None)

    def below(self, hidden: bool = True) -> Iterator[Node]:
        """This object and all below it, each before what is below it."""
        yield self
        for child in reversed(self.children):
            if hidden or child["HandleVisibility"] == "on":
                yield from child.below(hidden)

    def whole(self) -> Iterator[Node]:
        """This object and everything that belongs to it, labels included."""
        yield self
        for node in (*self.labels.values(), *self.children):
            yield from node.whole()

    def move_to(self, parent: Node) -> None:
        if self.parent is not None and self in self.parent.children:
            self.parent.children.remove(self)
        self.parent = parent
        parent.children.append(self)
        self.scene.revision += 1

    def copy_to(self, parent: Node) -> Node:
        """A copy of this object and of all below it."""
        twin = Node(self.scene, self.kind.name, parent)
        twin.values = dict(self.values)
        twin.info = dict(self.info)
        for child in self.children:
            child.copy_to(twin)
        for name, label in self.labels.items():
            twin.label(name).values.update(label.values)
        return twin

    def clear(self) -> None:
        """Delete what is below."""
        for child in list(self.children):
            child.delete()

    # -- as a handle ---------------------------------------------------------------------------

    def class_names(self) -> Sequence[str]:
        return self.kind.class_name, "matlab.graphics.Graphics", "handle"

    def property_names(self) -> Sequence[str]:
        return [prop.name for prop in self.kind.properties.values()]

    def shown_properties(self) -> Sequence[str]:
        return self.kind.shown.split()

    def summary(self) -> str:
        if self.kind.name == "figure" and self["IntegerHandle"] == "on":
            name = f": {self['Name']}" if self["Name"] else ""
            return f"Figure ({self.ident:g}{name})"
        if self.kind.name == "text":
            text = self["String"]
            return f"Text ({text})" if isinstance(text, str) and text else "Text"
        name = self["DisplayName"] if "displayname" in self.kind.properties else ""
        if isinstance(name, str) and name:
            return f"{self.kind.short} ({name})"
        return self.kind.short

    def method(self, name: str) -> Callable[..., Any] | None:
        if name == "addlistener":
            return self.listen
        if name == "reset":
            return self.reset
        if name in METHODS.get(self.kind.name, ()):
            function = self.scene.interp.builtin(name)
            if function is not None:
                found = function
                return lambda nargout, *args: found(
                    nargout, self.scene.interp.to_matlab(self), *args
                )
        return None

    def listen(self, nargout: int, *args: Any) -> Node:
        """``addlistener(h, …)``: nothing ever happens to an object that has no window."""
        return Node(self.scene, "hggroup", None)

    def reset(self, nargout: int = 0) -> None:
        """Give all properties their defaults, but for data and place in the tree."""
        self.check()
        kept = ("XData", "YData", "ZData", "CData", "Position", "Units", "Faces", "Vertices")
        self.values = {name: self.values[name] for name in kept if name in self.values}
        self._take_defaults(self.parent)
        self.scene.revision += 1

    def number(self) -> float:
        return self.ident

    def is_valid(self) -> bool:
        return not self.deleted

    def get_property(self, name: str) -> Any:
        prop = self.kind.properties.get(name.lower())
        if prop is None or prop.name != name:
            raise self.no_member(name)
        return self.read(prop)

    def set_property(self, name: str, value: Any) -> None:
        prop = self.kind.properties.get(name.lower())
        if prop is None or prop.name != name:
            raise self.no_member(name)
        self.write(prop, value)

    def read(self, prop: Property) -> Any:
        """The MATLAB value of a property."""
        self.check()
        value = self._related(prop.name)
        interp = self.scene.interp
        if prop.kind == "strings" and isinstance(value, list):
            return _cell_column(interp, value)
        if value is None:
            return interp.to_matlab(_NONE if prop.kind == "node" else np.zeros((0, 0)))
        return interp.to_matlab(value)

    def write(self, prop: Property, value: Any) -> None:
        """Set a property to a MATLAB value.

        Raises:
            MatlabError: it is read-only, or does not take the value.
        """
        self.check()
        interp = self.scene.interp
        if prop.read_only and prop.name in LABELS.get(self.kind.name, ()):
            self._set_label(prop.name, interp.to_python(value))
            return
        if prop.read_only and interp.to_python(value) is self[prop.name]:
            return  # the end of h.Name.Property = value, which has changed the object already
        if prop.read_only:
            raise MatlabError(
                "MATLAB:class:SetProhibited",
                f"Unable to set the '{prop.name}' property of class '{self.kind.short}' because it "
                "is read-only.",
            )
        if prop.kind == "any":
            self.place(prop, interp.to_matlab(value))
            return
        self.assign(prop.name, interp.to_python(value))

    def _set_label(self, name: str, value: Any) -> None:
        if isinstance(value, Node) and value.kind.type == "text":
            self.label(name).values.update(value.values)
            self.scene.revision += 1
        else:
            self.label(name).assign("String", value)

    def _related(self, name: str) -> Any:
        """A property as a Python value, with those that the tree gives."""
        if name == "Parent":
            return self.parent
        if name == "Type":
            return self.kind.type
        if name == "Children":
            return self.visible_children()
        if name == "BeingDeleted":
            return "on" if self.deleted or "deleting" in self.info else "off"
        if name in LABELS.get(self.kind.name, ()):
            return self.label(name)
        return self[name]

    def visible_children(self) -> Any:
        every = self.scene.root.is_on("ShowHiddenHandles")
        found = [c for c in reversed(self.children) if every or c["HandleVisibility"] == "on"]
        column = np.empty((len(found), 1), object)
        column[:, 0] = found
        return column if found else _NONE

    def check(self) -> None:
        if self.deleted:
            raise MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")

    def delete(self) -> None:
        """Delete this object and all below it, and what else belongs to it."""
        if self.deleted or self.kind.name == "root" or "deleting" in self.info:
            return
        scene, parent = self.scene, self.parent
        self.info["deleting"] = True
        for node in list(self.whole()):
            if "DeleteFcn" in node.values:
                callbacks.run(node, "DeleteFcn")
        for attached in list(self.info.get("attached", ())):
            attached.delete()
        if parent is not None and self in parent.children:
            parent.children.remove(self)
        for node in list(self.whole()):
            node.deleted = True
            scene.by_number.pop(node.ident, None)
        if "ended" in self.info:
            self.info["ended"]()
        if self in scene.figures:
            scene.figures.remove(self)
        for above in () if parent is None else parent.ancestors():
            if above.values.get("CurrentAxes") is self:
                del above.values["CurrentAxes"]
            attached = above.info.get("attached", [])
            if self in attached:
                attached.remove(self)
        owner = self.info.get("owner")
        if owner is not None and self in owner.info.get("attached", ()):
            owner.info["attached"].remove(self)
        scene.revision += 1

    # -- notebooks -----------------------------------------------------------------------------

    def _repr_png_(self) -> Any:
        return self._shown("png", None)

    def _repr_html_(self) -> Any:
        return self._shown("html", None)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self._shown("bundle", {"text/plain": self.summary()})

    def _shown(self, form: str, otherwise: Any) -> Any:
        return SHOW[form](self) if self.kind.name == "figure" and not self.deleted else otherwise

    # -- errors --------------------------------------------------------------------------------

    def no_member(self, name: str) -> MatlabError:
        """The error of ``h.name`` where there is no such property."""
        return MatlabError(
            "MATLAB:noSuchMethodOrField",
            f"Unrecognized method, property, or field '{name}' for class "
            f"'{self.kind.class_name}'.{self._near(name)}",
        )

    def find_property(self, name: str) -> Property:
        """The property that ``set`` and ``get`` mean by a name, in any case or cut short.

        Raises:
            MatlabError: there is none, or several begin so.
        """
        low = name.lower()
        properties = self.kind.properties
        low = _FORMER.get((self.kind.name, low), low)
        if low in properties:
            return properties[low]
        if low in _REMOVED:
            return self._removed(*_REMOVED[low])
        near = [prop for key, prop in properties.items() if low and key.startswith(low)]
        near.sort(key=lambda prop: len(prop.name))
        if near and all(prop.name.startswith(near[0].name) for prop in near):
            return near[0]  # Position, though there is PositionConstraint, too
        if near:
            names = ", ".join(prop.name for prop in near)
            raise MatlabError(
                "MATLAB:class:AmbiguousProperty",
                f"The name '{name}' is ambiguous for the {self.kind.short} class. It may be one of "
                f"these: {names}.",
            )
        raise self._unknown(name)

    def _unknown(self, name: str) -> MatlabError:
        return MatlabError(
            "MATLAB:hg:InvalidProperty",
            f"There is no {name} property on the {self.kind.short} class.{self._near(name)}",
        )

    def _removed(self, name: str, value: str, advice: str) -> Property:
        """A property that former releases had: it is kept, and has no effect."""
        self.scene.interp.warn(
            "MATLAB:hg:PropertyRemoved", f"The {name} property has no effect any more.{advice}"
        )
        self.values.setdefault(name, value)
        return Property(name, "any", (), value, False)

    def _near(self, name: str) -> str:
        import difflib

        by_low = {key: prop.name for key, prop in self.kind.properties.items()}
        near = difflib.get_close_matches(name.lower(), by_low, n=1, cutoff=0.6)
        return f" Did you mean '{by_low[near[0]]}'?" if near else ""


def _cell_column(interp: Interp, texts: list[str]) -> Any:
    column = np.empty((len(texts), 1), object)
    column[:, 0] = texts
    made = interp.builtin("cellstr")
    value = interp.to_matlab(column)
    return value if made is None else made(1, value)


#: No objects.
_NONE = np.empty((0, 0), HANDLES)
