"""Searching the tree of objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.objects import HANDLES
from runmat_plot.functions.handles import first_of, targets
from runmat_plot.functions.support import (
    column,
    of_object,
    scene_of,
)
from runmat_plot.scene.node import Node


@builtin("findobj", family="plot/handles", nargin=(0, None), needs=("interp",))
def findobj(*args: Any, interp: Interp) -> Any:
    """Graphics objects with given properties.

    H = findobj gives all objects, H = findobj(NAME, VALUE, …) those with these values
    H = findobj(H0, …) searches the objects H0 and what is below them
    "-not", "-and", "-or" and "-xor" join conditions, "-regexp" matches texts, "-depth", N limits
    how far down, "flat" searches H0 alone, "-property", NAME asks for objects with a property

    Examples:
        >> line(1:2, 1:2, 'Tag', 'a'); h = findobj('Tag', 'a'); h.Type
        ans =
            'line'

    See also: findall, get, set, ancestor.
    """
    found = of_object("findobj", 1, args)
    return _found(args, interp, hidden=False) if found is NotImplemented else found


@builtin("findall", family="plot/handles", nargin=(0, None), needs=("interp",))
def findall(*args: Any, interp: Interp) -> Any:
    """Graphics objects with given properties, hidden ones too.

    H = findall(H0), H = findall(H0, NAME, VALUE, …): see findobj

    Examples:
        >> f = figure; axes; numel(findall(f, 'Type', 'axes'))
        ans =
             1

    See also: findobj, allchild.
    """
    return _found(args, interp, hidden=True)


def _found(args: Sequence[Any], interp: Interp, hidden: bool) -> Any:
    scene = scene_of(interp)
    rest = [interp.to_python(arg) for arg in args]
    starts = [scene.root]
    if rest and not isinstance(rest[0], str):
        starts = targets(scene, rest.pop(0))
    depth = np.inf
    if rest and isinstance(rest[0], str) and rest[0].lower() == "flat":
        depth, rest = 0, rest[1:]
    if len(rest) > 1 and isinstance(rest[0], str) and rest[0].lower() == "-depth":
        depth, rest = float(rest[1]), rest[2:]
    test = _conditions(rest)
    found: list[Node] = []
    hidden = hidden or scene.root.is_on("ShowHiddenHandles")
    for start in starts:
        for node in _within(start, hidden, depth):
            if node not in found and test(node):
                found.append(node)
    return column(found)


def _asked(function: Any) -> Callable[[Node], bool]:
    """The test that a MATLAB function of an object is."""

    def test(node: Node) -> bool:
        interp = node.scene.interp
        asked = interp.call(interp.to_matlab(function), [interp.to_matlab(node)])
        return bool(np.all(interp.to_python(asked)))

    return test


def _within(node: Node, hidden: bool, depth: float) -> list[Node]:
    found = [node]
    if depth > 0:
        labels = node.labels.values() if hidden else ()
        for child in (*reversed(node.children), *labels):
            if hidden or child["HandleVisibility"] == "on":
                found += _within(child, hidden, depth - 1)
    return found


def _conditions(rest: list[Any]) -> Callable[[Node], bool]:
    """The test that names, values and words between them stand for."""
    ways: list[list[Callable[[Node], bool]]] = [[]]
    negate = exclusive = False
    at = 0
    while at < len(rest):
        word = rest[at].lower() if isinstance(rest[at], str) else ""
        if word in ("-not", "-and", "-or", "-xor"):
            negate = negate ^ (word == "-not")
            exclusive = exclusive or word == "-xor"
            if word in ("-or", "-xor"):
                ways.append([])
            at += 1
            continue
        if word == "-property" and at + 1 < len(rest):
            test, at = _has(rest[at + 1]), at + 2
        elif word == "-regexp" and at + 2 < len(rest):
            test, at = _matches(rest[at + 1], rest[at + 2]), at + 3
        elif word == "-function" and at + 1 < len(rest):
            test, at = _asked(rest[at + 1]), at + 2
        elif isinstance(rest[at], list | np.ndarray) and not word:
            test, at = _conditions(list(rest[at])), at + 1
        elif isinstance(rest[at], dict):
            test, at = _all_of(rest[at]), at + 1
        elif word and at + 1 < len(rest):
            test, at = _equals(rest[at], rest[at + 1]), at + 2
        else:
            raise MatlabError(
                "MATLAB:class:BadParamValuePairs", "Invalid parameter/value pair arguments."
            )
        ways[-1].append(_not(test) if negate else test)
        negate = False

    def passes(node: Node) -> bool:
        results = [all(test(node) for test in way) for way in ways]
        return sum(results) == 1 if exclusive else any(results)

    return passes


def _not(test: Callable[[Node], bool]) -> Callable[[Node], bool]:
    return lambda node: not test(node)


def _has(name: str) -> Callable[[Node], bool]:
    return lambda node: name.lower() in node.kind.properties


def _all_of(fields: dict[str, Any]) -> Callable[[Node], bool]:
    tests = [_equals(name, value) for name, value in fields.items()]
    return lambda node: all(test(node) for test in tests)


def _related(node: Node, name: str) -> Any:
    prop = node.kind.properties.get(name.lower())
    if prop is None:
        return None
    value = node._related(prop.name)
    return node.scene.interp.to_python(value) if prop.kind == "any" and value is not None else value


def _equals(name: str, value: Any) -> Callable[[Node], bool]:
    def test(node: Node) -> bool:
        found = _related(node, name)
        if found is None:
            return False
        if isinstance(found, str) and isinstance(value, str):
            folded = name.lower() != "tag" and name.lower() != "string"
            return found.lower() == value.lower() if folded else found == value
        if isinstance(found, Node) or isinstance(value, Node):
            return found is value
        if isinstance(value, str) and name.lower().endswith("color"):
            from runmat_plot.scene.colors import color

            wanted = color(value)
            return wanted is not None and np.array_equal(np.ravel(found), np.array(wanted))
        try:
            if isinstance(found, list) or isinstance(value, list):
                return type(found) is type(value) and bool(found == value)
            return bool(np.array_equal(np.ravel(found), np.ravel(value)))
        except (TypeError, ValueError):
            return False

    return test


def _matches(name: str, pattern: str) -> Callable[[Node], bool]:
    compiled = re.compile(pattern)

    def test(node: Node) -> bool:
        found = _related(node, name)
        return isinstance(found, str) and compiled.search(found) is not None

    return test


@builtin("allchild", family="plot/handles", needs=("interp",))
def allchild(handle: Any, *, interp: Interp) -> Any:
    """Children of an object, hidden ones too.

    H = allchild(PARENT)

    Examples:
        >> f = figure; axes('HandleVisibility', 'off'); numel(allchild(f))
        ans =
             1

    See also: findall, findobj.
    """
    found: list[Node] = []
    for node in targets(scene_of(interp), interp.to_python(handle)):
        found += [*reversed(node.children), *node.labels.values()]
    return column(found)


@builtin("ancestor", family="plot/handles", nargin=(2, 3), needs=("interp",))
def ancestor(handle: Any, kind: Any, top: Any = None, *, interp: Interp) -> Any:
    """Object of a type at or above an object.

    P = ancestor(H, TYPE) is the nearest one, with TYPE a text or a cell array of them
    P = ancestor(H, TYPE, "toplevel") is the highest one

    Examples:
        >> h = line(1:2, 1:2); a = ancestor(h, 'figure'); a.Type
        ans =
            'figure'

    See also: findobj, gcf.
    """
    node = first_of(interp, handle)
    words = interp.to_python(kind)
    types = [words] if isinstance(words, str) else words
    if not isinstance(types, list) or not all(isinstance(word, str) for word in types):
        raise MatlabError("MATLAB:ancestor:InvalidType", "The type must be text or a cell array.")
    if node is None:
        return np.empty((0, 0), HANDLES)
    found = [above for above in node.ancestors() if above.kind.type in types]
    if not found:
        return np.empty((0, 0), HANDLES)
    return found[-1] if top is not None else found[0]


@builtin("graphics.figures", family="plot/handles", nargin=(0, 0), needs=("interp",))
def figures(*, interp: Interp) -> Any:
    """Figures that are open, the current one first; what Session.figures calls.

    Examples:
        >> figure(1); figure(2); numel(findobj('Type', 'figure'))
        ans =
             2

    See also: figure, findobj.
    """
    return column(list(reversed(scene_of(interp).figures)))
