"""Curves and surfaces that functions describe in further ways: implicit, in space, with names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, python, vector_in
from runmat_plot.functions.circles import polar_axes
from runmat_plot.functions.curves import (
    function_range,
    function_surface,
    is_function,
    name_function,
    numeric_function,
    sampled,
)
from runmat_plot.functions.series import check_pairs, draw_lines, look
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.functions.surfaces import levels_of, three_dimensional, with_levels
from runmat_plot.scene.colors import line_spec
from runmat_plot.scene.node import Node


@builtin("fimplicit", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def fimplicit(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the curve on which a function of two variables is zero.

    fimplicit(F), fimplicit(F, [MIN MAX]), fimplicit(F, [XMIN XMAX YMIN YMAX])
    fimplicit(…, SPEC), fimplicit(…, NAME, VALUE), fimplicit(AX, …)

    Examples:
        >> h = fimplicit(@(x, y) x.^2 + y.^2 - 4); h.LevelList
        ans =
             0

    See also: fplot, fcontour, fimplicit3.
    """
    scene = scene_of(interp)
    (x, y, z), rest, target = sampled(args, interp, 201)
    axes = target or current_axes(scene)
    spec = line_spec(rest[0]) if rest and isinstance(rest[0], str) and len(rest) % 2 else None
    rest = rest[1:] if spec is not None else rest
    own = look(axes, spec)
    pairs = ["LineColor" if str(v).lower() == "color" else v for v in rest]
    check_pairs("contour", axes, pairs)
    prepare(axes, box=True)
    # a jump through a pole is no zero
    steep = np.abs(z) > 1e3 * (np.nanmedian(np.abs(z)) or 1.0)
    node = make("contour", axes, (), XData=x, YData=y, ZData=np.where(steep, np.nan, z))
    node.values.update(LevelList=np.zeros((1, 1)), LineColor=own["Color"])
    if "LineStyle" in own and own["LineStyle"] != "none":
        node.values["LineStyle"] = own["LineStyle"]
    set_pairs(node, pairs)
    scene.revision += 1
    return given(nargout, node)


@builtin("fimplicit3", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def fimplicit3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the surface on which a function of three variables is zero.

    fimplicit3(F), fimplicit3(F, [MIN MAX]), fimplicit3(F, [XMIN XMAX YMIN YMAX ZMIN ZMAX])
    fimplicit3(…, NAME, VALUE), fimplicit3(AX, …)

    Examples:
        >> h = fimplicit3(@(x, y, z) x.^2 + y.^2 + z.^2 - 4); h.Type
        ans =
            'patch'

    See also: fimplicit, isosurface, fsurf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    raw = list(args)[len(args) - len(rest) :]
    if not rest:
        raise not_enough()
    f = numeric_function(rest.pop(0), raw[0], interp, ("x", "y", "z"))
    limits = np.array([-5.0, 5, -5, 5, -5, 5])
    if rest and isinstance(rest[0], np.ndarray):
        found = vector_in(rest.pop(0), "fimplicit3", 2, 6)
        limits = np.tile(found, 3) if found.size == 2 else found
    axes = target or current_axes(scene)
    check_pairs("patch", axes, rest)
    grids = [np.linspace(limits[2 * k], limits[2 * k + 1], 35) for k in range(3)]
    x, y, z = np.meshgrid(*grids)
    values = f(x, y, z)
    computed = interp.builtin("isosurface")
    assert computed is not None
    outputs = computed(2, *(interp.to_matlab(v) for v in (x, y, z, values, 0.0)))
    faces, vertices = (np.asarray(interp.to_python(v), float) for v in outputs)
    prepare(axes)
    three_dimensional(axes)
    node = make("patch", axes, (), FaceColor="interp")
    node.values.update(Vertices=vertices, Faces=faces, FaceVertexCData=vertices[:, 2:3])
    node.values["EdgeColor"] = np.zeros((1, 3))
    node.values["EdgeAlpha"] = 0.3
    set_pairs(node, rest)
    scene.revision += 1
    return given(nargout, node)


def _curve_in_space(
    name: str, args: Sequence[Any], interp: Interp, limits: tuple[float, float]
) -> Node:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    raw = list(args)[len(args) - len(rest) :]
    functions = []
    for k in range(3):
        if not rest or not (is_function(rest[0]) or isinstance(rest[0], str)):
            raise MatlabError(f"MATLAB:{name}:InvalidFunction", "Input must be a function handle.")
        functions.append(numeric_function(rest.pop(0), raw[k], interp, ("t",)))
    low, high, _ = function_range(rest, limits)
    t = np.linspace(low, high, 500).reshape(1, -1)
    lead = [] if target is None else [target]
    values = [interp.to_matlab(v) for v in (*lead, *(f(t) for f in functions), *rest)]
    (node,) = draw_lines("line", name, values, interp, dims=3)
    return node


@builtin("fplot3", family="plot/curves", nargin=(3, None), needs=("nargout", "interp"))
def fplot3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a curve in space whose coordinates are functions.

    fplot3(FX, FY, FZ) from -5 to 5, fplot3(FX, FY, FZ, [TMIN TMAX]), fplot3(…, SPEC)
    fplot3(…, NAME, VALUE), fplot3(AX, …)

    Examples:
        >> h = fplot3(@cos, @sin, @(t) t, [0 10]); h.ZData(end)
        ans =
            10

    See also: fplot, plot3.
    """
    node = _curve_in_space("fplot3", args, interp, (-5.0, 5.0))
    for axis in "XYZ":
        (node.up("axes") or node).values.setdefault(f"{axis}Grid", "on")
    return given(nargout, node)


@builtin("ezplot3", family="plot/curves", nargin=(3, None), needs=("nargout", "interp"))
def ezplot3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a curve in space whose coordinates are texts or functions of t.

    ezplot3(FX, FY, FZ) from 0 to 2*pi, ezplot3(FX, FY, FZ, [TMIN TMAX])

    Examples:
        >> h = ezplot3('cos(t)', 'sin(t)', 't', [0 6]); h.ZData(end)
        ans =
             6

    See also: ezplot, fplot3.
    """
    node = _curve_in_space("ezplot3", args, interp, (0.0, 2 * np.pi))
    axes = node.up("axes")
    if axes is not None:
        words = [str(v) for v in python(interp, args)[:3] if isinstance(v, str)]
        named = zip(("x", "y", "z"), words, strict=False)
        axes.label("Title").assign("String", ", ".join(f"{n} = {w}" for n, w in named))
        for axis in "XYZ":
            axes.label(f"{axis}Label").assign("String", axis.lower())
            axes.values.setdefault(f"{axis}Grid", "on")
    return given(nargout, node)


@builtin("ezpolar", family="plot/curves", nargin=(1, 3), needs=("nargout", "interp"))
def ezpolar(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of the angle in polar coordinates, with its text below.

    ezpolar(F) from 0 to 2*pi, ezpolar(F, [A B]), ezpolar(AX, …)

    Examples:
        >> h = ezpolar('1 + cos(t)'); max(h.YData)
        ans =
             2

    See also: ezplot, polarplot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    raw = list(args)[len(args) - len(rest) :]
    if not rest:
        raise not_enough()
    f = numeric_function(rest.pop(0), raw[0], interp, ("t",))
    low, high, _ = function_range(rest, (0.0, 2 * np.pi))
    theta = np.linspace(low, high, 361).reshape(1, -1)
    rho = f(theta)
    with polar_axes(scene, target) as axes:
        values = [interp.to_matlab(v) for v in (axes, theta, rho)]
        (node,) = draw_lines("line", "ezpolar", values, interp)
    text = interp.to_python(raw[0])
    axes.label("Title").assign("String", f"r = {text}" if isinstance(text, str) else "")
    return given(nargout, node)


@builtin("ezcontourf", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def ezcontourf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the level lines of a function with colours between them, and its text as the title.

    ezcontourf(F) from -2*pi to 2*pi, ezcontourf(F, [MIN MAX]), ezcontourf(F, [XMIN XMAX YMIN YMAX])

    Examples:
        >> h = ezcontourf('x*y'); h.Fill
        ans =
            'on'

    See also: ezcontour, contourf.
    """
    scene = scene_of(interp)
    (x, y, z), rest, target = sampled(args, interp, 60)
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    levels = _with_lowest(levels_of(z, None), z)
    node = make("contour", axes, rest, XData=x, YData=y, ZData=z, LevelList=levels)
    node.values.update(Fill="on", FaceColor="flat", LineColor=np.zeros((1, 3)))
    name_function(axes, args[1] if target is not None else args[0], interp, "xy")
    scene.revision += 1
    return given(nargout, node)


def _with_lowest(levels: Numbers, z: Numbers) -> Numbers:
    """Levels with the lowest value before them, so that what lies below the first has a colour."""
    return np.unique(np.append(levels.ravel(), np.nanmin(z))).reshape(1, -1)


@builtin("ezsurfc", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def ezsurfc(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of two variables as a surface with level lines below it.

    ezsurfc(F), ezsurfc(F, [MIN MAX]), ezsurfc(F, [XMIN XMAX YMIN YMAX])

    Examples:
        >> h = ezsurfc('x*y'); numel(h)
        ans =
             2

    See also: ezsurf, surfc.
    """
    return given(nargout, with_levels(function_surface(args, interp, True)))


@builtin("ezmeshc", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def ezmeshc(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of two variables as lines, with level lines below them.

    ezmeshc(F), ezmeshc(F, [MIN MAX]), ezmeshc(F, [XMIN XMAX YMIN YMAX])

    Examples:
        >> h = ezmeshc('x*y'); h(1).EdgeColor
        ans =
            'flat'

    See also: ezmesh, meshc.
    """
    values = {"FaceColor": np.ones((1, 3)), "EdgeColor": "flat"}
    return given(nargout, with_levels(function_surface(args, interp, True, **values)))
