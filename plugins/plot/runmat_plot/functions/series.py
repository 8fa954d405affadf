"""Lines from arguments: data in turns with texts that say how they look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runmat_core.api import Interp, MatlabError
from runmat_plot.functions.arguments import (
    Data,
    bad_data,
    data_in,
    not_enough,
    python,
    read_options,
    take_table,
    word_in,
)
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    holds,
    make,
    name_axes,
    prepare,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import LineSpec, line_spec
from runmat_plot.scene.node import Node


class Series(NamedTuple):
    """One line of a plot."""

    x: Numbers
    y: Numbers
    z: Numbers | None
    spec: LineSpec | None
    rulers: tuple[Any, Any]


def read_series(
    args: Sequence[Any], name: str, interp: Interp, dims: int = 2
) -> tuple[list[Series], list[Any]]:
    """The lines that arguments describe, and the name-value pairs behind them.

    Raises:
        MatlabError: sizes that do not fit, values that are no data, a text that is no LineSpec.
    """
    at = 0
    found: list[Series] = []
    while at < len(args) and not isinstance(args[at], str | dict):
        run: list[Data] = []
        while at < len(args) and len(run) < dims and not isinstance(args[at], str | dict):
            data = data_in(args[at], name)
            if data is None:
                raise bad_data(name)
            run.append(data)
            at += 1
        spec = None
        if at < len(args) and isinstance(args[at], str):
            spec = line_spec(args[at])
            odd = (len(args) - at) % 2 == 1
            if spec is not None and (odd or not _starts_pairs(args[at])):
                at += 1
            elif spec is None and at + 1 == len(args):
                raise MatlabError(
                    f"MATLAB:{name}:InvalidLineSpec", "Error in color/linetype argument."
                )
            else:
                spec = None
        if dims == 3 and len(run) < 3:
            raise not_enough()
        found += _lines_of(run, spec, name, interp)
        if spec is None and at < len(args) and isinstance(args[at], str | dict):
            break
    return found, list(args[at:])


def _starts_pairs(word: str) -> bool:
    """Return whether a text that could be a LineSpec is the name of a property."""
    return len(word) > 4 or word.lower() in ("tag",)


def _lines_of(run: list[Data], spec: LineSpec | None, name: str, interp: Interp) -> list[Series]:
    if len(run) == 1:
        only = run[0].values
        if only.dtype.kind == "c" and np.any(only.imag != 0):
            run = [Data(only.real), Data(only.imag)]
        else:
            count = only.size if min(only.shape) == 1 else only.shape[0]
            run = [Data(np.arange(1.0, count + 1).reshape(-1, 1)), run[0]]
    elif any(data.values.dtype.kind == "c" and np.any(data.values.imag != 0) for data in run):
        interp.warn(
            "MATLAB:plot:IgnoreImaginaryXYPart",
            "Imaginary parts of complex X and/or Y arguments ignored.",
        )
    parts = [data.values.real if data.values.dtype.kind == "c" else data.values for data in run]
    if any(part.ndim > 2 for part in parts):
        raise MatlabError(
            f"MATLAB:{name}:InvalidDataShape", "Data may not have more than 2 dimensions."
        )
    columns = matched(parts, name)
    rulers = (run[0].ruler, run[1].ruler)
    return [
        Series(line[0], line[1], line[2] if len(line) > 2 else None, spec, rulers)
        for line in columns
    ]


def matched(parts: Sequence[Numbers], name: str) -> list[list[Numbers]]:
    """The columns of coordinates that belong together, each as a row.

    Raises:
        MatlabError: sizes that do not fit.
    """
    vectors = [min(part.shape) == 1 or part.size == 0 for part in parts]
    if any(part.size == 0 for part in parts):
        if all(part.size == 0 for part in parts):
            return [[np.zeros((1, 0)) for _ in parts]]
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    if all(vectors):
        sizes = {part.size for part in parts}
        if len(sizes) == 1:
            return [[part.reshape(1, -1) for part in parts]]
        # a number with a vector gives a line of one point for each element
        if len(sizes) == 2 and 1 in sizes:
            count = max(sizes)
            wide = [np.broadcast_to(part.ravel(), count) for part in parts]
            return [[part[k : k + 1].reshape(1, 1) for part in wide] for k in range(count)]
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    matrix = next(part for part, vector in zip(parts, vectors, strict=True) if not vector)
    shaped = []
    turn = False
    for part, vector in zip(parts, vectors, strict=True):
        if vector and part.size not in matrix.shape:
            raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
        if not vector and part.shape != matrix.shape:
            raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
        turn = turn or (vector and part.size != matrix.shape[0])
    for part, vector in zip(parts, vectors, strict=True):
        whole = part if vector else part.T if turn else part
        shaped.append(whole.reshape(-1, 1) if vector else whole)
    count = max(part.shape[1] for part in shaped)
    return [
        [part[:, k if part.shape[1] > 1 else 0].reshape(1, -1) for part in shaped]
        for k in range(count)
    ]


def look(axes: Node, spec: LineSpec | None) -> dict[str, Any]:
    """The properties that a LineSpec and the colour order give a line."""
    found: dict[str, Any] = {}
    if spec is None or spec.color is None:
        found["Color"] = next_color(axes)
    else:
        found["Color"] = np.array([spec.color], float)
    if spec is not None:
        if spec.marker is not None:
            found["Marker"] = spec.marker
        if spec.style is not None:
            found["LineStyle"] = spec.style
        elif spec.marker is not None:
            found["LineStyle"] = "none"
    return found


def check_pairs(kind: str, axes: Node, pairs: Sequence[Any]) -> None:
    """Raise what is wrong with pairs before anything is drawn."""
    trial = Node(axes.scene, kind, None)
    trial.parent = axes
    try:
        set_pairs(trial, without_parent(pairs))
    finally:
        trial.parent = None
        axes.scene.by_number.pop(trial.ident, None)


def without_parent(pairs: Sequence[Any]) -> list[Any]:
    kept: list[Any] = []
    at = 0
    while at < len(pairs):
        if isinstance(pairs[at], dict):
            kept.append(pairs[at])
            at += 1
            continue
        if not (isinstance(pairs[at], str) and pairs[at].lower() == "parent"):
            kept += pairs[at : at + 2]
        at += 2
    return kept


def draw_lines(
    kind: str,
    name: str,
    args: Sequence[Any],
    interp: Interp,
    dims: int = 2,
    values: dict[str, Any] | None = None,
    before: Callable[[Node], None] | None = None,
) -> list[Node]:
    """Draw lines of one kind into axes that are made ready."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    names = take_table(rest, dims)
    if not rest:
        raise not_enough()
    series, pairs = read_series(rest, name, interp, dims)
    formats, pairs = read_options(pairs, "datetimetickformat", "durationtickformat")
    if not series and not (pairs and any(is_data(word) for word in pairs[::2])):
        raise not_enough() if not pairs else bad_data(name)
    axes = target or current_axes(scene)
    check_pairs(kind, axes, pairs)
    if axes.kind.type in ("axes", "polaraxes"):
        prepare(axes, box=dims == 2)
        if (dims == 3 and not holds(axes)) or (dims == 3 and not axes.children):
            axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    if before is not None:
        before(axes)
    above = axes.up("axes", "polaraxes") or axes
    if not series:
        series = [Series(np.zeros((1, 0)), np.zeros((1, 0)), None, None, ("numeric", "numeric"))]
    made = []
    for one in series:
        set_ruler(above, "X", one.rulers[0])
        set_ruler(above, "Y", one.rulers[1])
        node = make(kind, axes, (), **look(above, one.spec), **(values or {}))
        node.values.update({"XData": one.x, "YData": one.y})
        if one.z is not None:
            node.values["ZData"] = one.z
        set_pairs(node, pairs)
        made.append(node)
    name_axes(above, names)
    for pattern in formats.values():
        for axis in "XY":
            if above.info.get("rulers", {}).get(axis) in ("datetime", "duration"):
                above.info.setdefault("formats", {})[axis] = word_in(pattern, name)
    scene.revision += 1
    return made


def is_data(word: Any) -> bool:
    return isinstance(word, str) and word.lower() in ("xdata", "ydata", "zdata")
