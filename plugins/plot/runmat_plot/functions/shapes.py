"""Lines across axes, and shapes in figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, numbers_in, python, vector_in
from runmat_plot.functions.support import (
    current_axes,
    current_figure,
    given,
    make,
    scene_of,
    take_axes,
)
from runmat_plot.scene.node import Node
from runmat_plot.scene.properties import lines_of

_SHAPES = ("line", "arrow", "doublearrow", "textarrow", "textbox", "rectangle", "ellipse")


@builtin("xline", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def xline(*args: Any, nargout: int, interp: Interp) -> Any:
    """Upright line across axes.

    xline(X), xline(X, SPEC), xline(X, SPEC, LABEL), xline(…, NAME, VALUE), xline(AX, …)

    Examples:
        >> h = xline(3, '--r', 'limit'); h.Label
        ans =
            'limit'

    See also: yline, line.
    """
    return _constant("x", args, nargout, interp)


@builtin("yline", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def yline(*args: Any, nargout: int, interp: Interp) -> Any:
    """Level line across axes.

    yline(Y), yline(Y, SPEC), yline(Y, SPEC, LABEL), yline(…, NAME, VALUE), yline(AX, …)

    Examples:
        >> h = yline(2); h.Value
        ans =
             2

    See also: xline, line.
    """
    return _constant("y", args, nargout, interp)


def _constant(axis: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    from runmat_plot.scene.colors import line_spec

    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        raise not_enough()
    at = numbers_in(rest.pop(0), f"{axis}line").ravel()
    axes = target or current_axes(scene)
    values: dict[str, Any] = {"InterceptAxis": axis}
    labels: Any = ""
    if rest and isinstance(rest[0], str) and (spec := line_spec(rest[0])) is not None:
        rest.pop(0)
        if spec.style is not None:
            values["LineStyle"] = spec.style
        if spec.color is not None:
            values["Color"] = np.array([spec.color], float)
        if rest and len(rest) % 2:
            labels = lines_of(rest.pop(0)) or ""
    made = []
    for k, value in enumerate(at.tolist()):
        own = labels[k] if isinstance(labels, list) and len(labels) == at.size else labels
        made.append(make("constantline", axes, rest, Value=value, Label=own, **values))
    return given(nargout, made if len(made) != 1 else made[0])


@builtin("annotation", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def annotation(*args: Any, nargout: int, interp: Interp) -> Any:
    """Shape in a figure, whatever the axes.

    annotation(SHAPE, X, Y) with "line", "arrow", "doublearrow" or "textarrow" between two points
    annotation(SHAPE, [LEFT BOTTOM WIDTH HEIGHT]) with "rectangle", "ellipse" or "textbox"
    annotation(…, NAME, VALUE), annotation(F, …); positions are parts of the figure

    Examples:
        >> a = annotation('textbox', [0.2 0.5 0.3 0.1], 'String', 'note'); a.String
        ans =
            'note'

    See also: text, rectangle, line.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    figure = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        figure, rest = rest[0], rest[1:]
    if not rest or not isinstance(rest[0], str) or rest[0].lower() not in _SHAPES:
        raise MatlabError("MATLAB:annotation:InvalidType", "Unknown annotation type.")
    shape = rest.pop(0).lower()
    kind = {"doublearrow": "doubleendarrow"}.get(shape, shape) + "shape"
    values: dict[str, Any] = {}
    if rest and not isinstance(rest[0], str):
        if shape in ("rectangle", "ellipse", "textbox"):
            values["Position"] = vector_in(rest.pop(0), "annotation", 4).reshape(1, 4)
        else:
            if len(rest) < 2:
                raise not_enough()
            values["X"], values["Y"] = (
                numbers_in(rest.pop(0), "annotation").reshape(1, -1) for _ in range(2)
            )
    if shape in ("textbox", "textarrow"):
        values["Interpreter"] = "tex"
    made = make(kind, figure, rest, **values)
    made.values["HandleVisibility"] = "off"
    return given(nargout, made)
