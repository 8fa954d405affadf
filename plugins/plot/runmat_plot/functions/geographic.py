"""Maps: points and lines by latitude and longitude, without the map below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import python, vector_in, word_in
from runmat_plot.functions.figures import axes_with
from runmat_plot.functions.points import scatter_points
from runmat_plot.functions.rulers import target_of
from runmat_plot.functions.series import draw_lines
from runmat_plot.functions.support import current_axes, current_figure, given, scene_of, take_axes
from runmat_plot.scene.node import Node
from runmat_plot.scene.properties import as_numbers

#: The limits of latitudes and longitudes.
_WORLD = ((-90.0, 90.0), (-540.0, 540.0))


def _swapped(args: Sequence[Any], interp: Interp) -> list[Any]:
    """Arguments with the longitude first, as x is.

    Raises:
        MatlabError: a latitude or a longitude is none.
    """
    target, rest = take_axes(scene_of(interp), python(interp, args))
    if len(rest) < 2:
        raise MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")
    for value, (low, high), what in zip(rest, _WORLD, ("Latitude", "Longitude"), strict=False):
        numbers = as_numbers(value.toarray() if hasattr(value, "toarray") else value)
        real = numbers is not None and numbers.dtype.kind != "c"
        if numbers is None or not real or np.any((numbers < low) | (numbers > high)):
            raise MatlabError(
                f"MATLAB:graphics:geoplot:Invalid{what}",
                f"{what} must be numbers between {low:g} and {high:g} degrees.",
            )
    lead = [] if target is None else [target]
    return [interp.to_matlab(value) for value in (*lead, rest[1], rest[0], *rest[2:])]


def _geographic(axes: Node) -> None:
    """Give axes the look of a map without a picture below."""
    axes.info["geographic"] = True
    for name, word in (("X", "Longitude"), ("Y", "Latitude")):
        axes.values[f"{name}Grid"] = "on"
        label = axes.label(f"{name}Label")
        if not label["String"]:
            label.assign("String", word)
        axes.info.setdefault("formats", {}).setdefault(name, "%g\N{DEGREE SIGN}")
    axes.values["Box"] = "on"
    low, high = axes["YLim"].ravel()
    middle = np.cos(np.radians(np.clip((low + high) / 2, -80, 80)))
    axes.assign("DataAspectRatio", np.array([[1.0, float(middle), 1.0]]))
    axes.scene.revision += 1


@builtin("geoplot", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def geoplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines through places on the earth.

    geoplot(LAT, LON), geoplot(LAT, LON, SPEC), geoplot(…, NAME, VALUE), geoplot(GX, …)
    Latitudes and longitudes are in degrees; no map is drawn below them.

    Examples:
        >> h = geoplot([48 52], [2 13]); h.YData
        ans =
            48    52

    See also: geoscatter, geolimits, plot.
    """
    lines = draw_lines("line", "geoplot", _swapped(args, interp), interp)
    axes = lines[0].up("axes")
    if axes is not None:
        _geographic(axes)
    return given(nargout, lines)


@builtin("geoscatter", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def geoscatter(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points at places on the earth.

    geoscatter(LAT, LON), geoscatter(LAT, LON, SIZE, COLOR), geoscatter(…, "filled")

    Examples:
        >> h = geoscatter([48 52], [2 13], 'filled'); h.XData
        ans =
             2    13

    See also: geoplot, geobubble, scatter.
    """
    nodes = scatter_points("geoscatter", _swapped(args, interp), interp, 2)
    axes = nodes[0].up("axes")
    if axes is not None:
        _geographic(axes)
    return given(nargout, nodes)


@builtin("geobubble", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def geobubble(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw bubbles at places on the earth.

    geobubble(LAT, LON, SIZE)

    Examples:
        >> h = geobubble([48 52], [2 13], [2 4]); h.SizeData
        ans =
             2     4

    See also: geoscatter, bubblechart.
    """
    nodes = scatter_points("geobubble", _swapped(args, interp), interp, 2, "bubblechart")
    axes = nodes[0].up("axes")
    if axes is not None:
        _geographic(axes)
    return given(nargout, nodes)


@builtin("geoaxes", family="plot/figures", nargin=(0, None), needs=("nargout", "interp"))
def geoaxes(*args: Any, nargout: int, interp: Interp) -> Any:
    """Axes for places on the earth.

    GX = geoaxes, GX = geoaxes(NAME, VALUE, …)

    Examples:
        >> gx = geoaxes; gx.XLabel.String
        ans =
            'Longitude'

    See also: geoplot, axes.
    """
    scene = scene_of(interp)
    axes = axes_with(current_figure(scene), "axes", python(interp, args))
    axes.values["NextPlot"] = "replacechildren"
    _geographic(axes)
    return given(nargout, axes)


@builtin("geolimits", family="plot/rulers", nargin=(0, 3), nargout=2, needs=("nargout", "interp"))
def geolimits(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits of a map.

    geolimits([LAT1 LAT2], [LON1 LON2]), [LAT, LON] = geolimits, geolimits(GX, …)

    Examples:
        >> geoplot([48 52], [2 13]); geolimits([40 60], [0 20]); xlim
        ans =
             0    20

    See also: geoplot, xlim.
    """
    axes, rest = target_of(args, interp)
    if len(rest) >= 2:
        latitudes, longitudes = (vector_in(value, "geolimits", 2) for value in rest[:2])
        axes.assign("YLim", latitudes)
        axes.assign("XLim", longitudes)
        _geographic(axes)
    elif rest:
        for name in "XY":
            axes.assign(f"{name}LimMode", word_in(rest[0], "geolimits"))
    if not nargout:
        return None
    return (axes["YLim"], axes["XLim"])[:nargout] if nargout > 1 else axes["YLim"]


@builtin("geobasemap", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def geobasemap(*args: Any, nargout: int, interp: Interp) -> Any:
    """Picture below a map: there is none, whatever is chosen.

    geobasemap(NAME), NAME = geobasemap

    Examples:
        >> geobasemap
        ans =
            'none'

    See also: geoplot, geoaxes.
    """
    current_axes(scene_of(interp))
    return "none" if nargout or not args else None


@builtin("geotickformat", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def geotickformat(*args: Any, nargout: int, interp: Interp) -> Any:
    """Format of the labels of a map: degrees.

    F = geotickformat, geotickformat(F) with "dd", "-dd"

    Examples:
        >> geoaxes; geotickformat
        ans =
            'dd'

    See also: geoplot, xtickformat.
    """
    axes, rest = target_of(args, interp)
    if rest:
        word = word_in(rest[0], "geotickformat")
        if word not in ("dd", "dms", "dm", "-dd", "-dms", "-dm"):
            raise MatlabError(
                "MATLAB:graphics:geotickformat:InvalidFormat", f"Unknown format '{word}'."
            )
        axes.info["geotickformat"] = word
    return axes.info.get("geotickformat", "dd") if nargout or not rest else None
