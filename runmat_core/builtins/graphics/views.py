"""Views of three dimensions, and texts that name the look of lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import scalar
from runmat_core.values import char, from_numpy, horzcat, is_text, text


@builtin("viewmtx", family="graphics/views", effects="pure")
def viewmtx(azimuth: Any, elevation: Any, angle: Any = 0.0) -> Any:
    """Matrix that turns points of space to a view, in homogeneous coordinates.

    A = viewmtx(AZ, EL) with azimuth and elevation in degrees, without perspective

    Examples:
        >> viewmtx(0, 90)
        ans =
             1     0     0     0
             0     1     0     0
             0     0     1     0
             0     0     0     1

    See also: rotx, rotz, sph2cart.
    """
    if scalar(angle, "PHI") != 0:
        raise MatlabError(
            "MATLAB:viewmtx:InvalidPhi", "Views with perspective are not computed: PHI must be 0."
        )
    az, el = (np.deg2rad(scalar(value, "Angle") % 360) for value in (azimuth, elevation))
    # exact at right angles, where rounding would leave numbers near zero
    ca, sa, ce, se = (
        float(np.round(f(a), 15)) if abs(f(a) - np.round(f(a))) < 1e-15 else float(f(a))
        for a, f in ((az, np.cos), (az, np.sin), (el, np.cos), (el, np.sin))
    )
    rows = [
        [ca, sa, 0, 0],
        [-se * sa, se * ca, ce, 0],
        [ce * sa, -ce * ca, se, 0],
        [0, 0, 0, 1],
    ]
    return from_numpy(np.array(rows) + 0.0)


_LINES = ("--", "-.", "-", ":", "none")
_MARKERS = "+o*.xsd^v><ph_|"
_COLOURS = "rgbcmykw"


@builtin("colstyle", family="graphics/views", nargin=(1, 2), nargout=4, needs=("nargout",))
def colstyle(style: Any, kind: Any = None, *, nargout: int) -> Any:
    """Parts of a text that names the look of a line, such as "r--o".

    [L, C, M, MSG] = colstyle(STYLE): line style, colour and marker, empty where they are not
    named; MSG is empty, or says what is wrong
    … = colstyle(STYLE, "plot") gives 'none' for the line style where only a marker is named

    Examples:
        >> [l, c, m] = colstyle('r:+')
        l =
            ':'
        c =
            'r'
        m =
            '+'

    See also: lines.
    """
    if not is_text(style):
        raise MatlabError("MATLAB:colstyle:InvalidInput", "The style must be text.")
    line, colour, marker, message = _parts(text(style))
    if kind is not None and marker and not line:
        line = "none"
    problem: Any = char(message) if message else horzcat()
    return tuple((*(char(part) for part in (line, colour, marker)), problem)[: max(nargout, 1)])


def _parts(style: str) -> tuple[str, str, str, str]:
    line = colour = marker = ""
    rest = style
    while rest:
        found = next((word for word in _LINES if rest.startswith(word)), "")
        if found and not line:
            line, rest = found, rest[len(found) :]
        elif rest[0] in _COLOURS and not colour:
            colour, rest = rest[0], rest[1:]
        elif rest[0] in _MARKERS and not marker:
            marker, rest = rest[0], rest[1:]
        else:
            return "", "", "", "Error in color/linetype argument."
    return line, colour, marker, ""
