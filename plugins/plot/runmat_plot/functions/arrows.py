"""Arrows: fields of them, and from one point or along a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    complex_in,
    is_word,
    not_enough,
    numbers_in,
    python,
    vector_in,
)
from runmat_plot.functions.circles import polar_axes
from runmat_plot.functions.series import check_pairs, look
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    holds,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.colors import LineSpec, line_spec
from runmat_plot.scene.node import Node


@builtin("quiver", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def quiver(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows at points of the plane.

    quiver(U, V), quiver(X, Y, U, V), quiver(…, SCALE) with 0 for arrows as long as they are
    quiver(…, SPEC), quiver(…, NAME, VALUE), quiver(AX, …); arrows are scaled not to overlap

    Examples:
        >> q = quiver(1:2, 1:2, [1 0], [0 1], 0); q.UData
        ans =
             1     0

    See also: quiver3, feather, compass, gradient.
    """
    return given(nargout, _quiver(args, interp, 2))


@builtin("quiver3", family="plot/points", nargin=(4, None), needs=("nargout", "interp"))
def quiver3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows at points of space.

    quiver3(X, Y, Z, U, V, W), quiver3(Z, U, V, W), quiver3(…, SCALE), quiver3(…, NAME, VALUE)

    Examples:
        >> q = quiver3(0, 0, 0, 1, 1, 1); q.WData
        ans =
             1

    See also: quiver, plot3.
    """
    return given(nargout, _quiver(args, interp, 3))


def _quiver(args: Sequence[Any], interp: Interp, dims: int) -> Node:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Numbers] = []
    while rest and not isinstance(rest[0], str | dict):
        data.append(numbers_in(rest[0], "quiver").astype(float))
        rest = rest[1:]
    scale = 1.0
    if len(data) in ((3, 5) if dims == 2 else (5, 7)):
        scale = float(vector_in(data.pop(), "quiver", 1).item())
    elif rest and isinstance(rest[0], str) and rest[0].lower() == "off":
        scale, rest = 0.0, rest[1:]
    if len(data) == dims + (dims == 3):
        base = data[-1]
        x, y = np.meshgrid(np.arange(1.0, base.shape[1] + 1), np.arange(1.0, base.shape[0] + 1))
        data = [x, y, *data]
    if len(data) != 2 * dims:
        raise not_enough()
    shape = data[-1].shape
    if (
        data[0].shape != shape
        and data[0].size == shape[1]
        and data[1].size == shape[0]
        and min(shape) > 1
    ):
        data[0], data[1] = np.meshgrid(data[0].ravel(), data[1].ravel())
    if any(part.size != data[-1].size for part in data):
        raise MatlabError("MATLAB:quiver:XYSizeMismatch", "The sizes of X, Y, U, and V must match.")
    data = [
        part.reshape(shape) if part.shape != shape and max(part.shape) != part.size else part
        for part in data
    ]
    spec = None
    while rest and isinstance(rest[0], str):
        found = line_spec(rest[0])
        odd = (len(rest) - sum(is_word(word, "filled") for word in rest)) % 2
        if is_word(rest[0], "filled") or (found is not None and odd):
            spec = found if found is not None else spec
            rest = rest[1:]
        else:
            break
    axes = target or current_axes(scene)
    check_pairs("quiver", axes, rest)
    prepare(axes, box=dims == 2)
    if dims == 3 and not holds(axes):
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    names = (
        ("XData", "YData", "UData", "VData")
        if dims == 2
        else ("XData", "YData", "ZData", "UData", "VData", "WData")
    )
    node = make("quiver", axes, (), **look(axes, spec))
    node.values.update(dict(zip(names, data, strict=True)))
    set_pairs(node, rest)
    node.info["scale"] = (
        1.0 if not scale or not node.is_on("AutoScale") else scale * _fit(data, dims)
    )
    scene.revision += 1
    return node


def _fit(data: Sequence[Numbers], dims: int) -> float:
    """By what arrows are multiplied so that the longest one reaches to the next point."""
    places, arrows = data[:dims], data[dims:]
    length = np.sqrt(np.sum([part.ravel() ** 2 for part in arrows], axis=0))
    finite = length[np.isfinite(length)]
    most = float(finite.max()) if finite.size else 0.0
    count = max(float(np.sqrt(places[0].size)), 1.0)
    spread = [float(np.ptp(part[np.isfinite(part)])) if part.size else 0.0 for part in places[:2]]
    step = float(np.hypot(spread[0], spread[1])) / count
    return 0.9 * step / most if most and step else 0.9


#: An arrow from zero to one, as complex numbers.
_ARROW = np.array([0, 1, 0.8 + 0.08j, 1, 0.8 - 0.08j])


def _components(name: str, rest: list[Any]) -> tuple[Numbers, LineSpec | None]:
    """The tips of arrows as complex numbers, and how they are drawn.

    Raises:
        MatlabError: the arguments are no numbers, or differ in size.
    """
    first = rest.pop(0)
    z = complex_in(first, name).ravel(order="F")
    if rest and not isinstance(rest[0], str):
        v = numbers_in(rest.pop(0), name).ravel(order="F")
        if z.size != v.size:
            raise MatlabError("MATLAB:samelen", "U and V must have the same length.")
        z = z.real + 1j * v
    spec = None
    if rest and isinstance(rest[0], str):
        spec = line_spec(rest[0])
        if spec is None:
            raise MatlabError(f"MATLAB:{name}:InvalidLineSpec", "Error in color/linetype argument.")
    return z, spec


@builtin("feather", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def feather(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows from points on a line.

    feather(U, V), feather(Z) with complex numbers, feather(…, SPEC), feather(AX, …)
    H = feather(…) gives the lines, that on which the arrows stand last

    Examples:
        >> h = feather([1 2], [1 0]); numel(h)
        ans =
             3

    See also: compass, quiver, rose.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    z, spec = _components("feather", rest)
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    own = look(axes, spec)
    made = []
    for k, tip in enumerate(z.tolist()):
        arrow = k + 1 + tip * _ARROW
        node = make("line", axes, (), **own)
        node.values.update(XData=arrow.real.reshape(1, -1), YData=arrow.imag.reshape(1, -1))
        made.append(node)
    base = make("line", axes, (), **own)
    base.values.update(
        XData=np.array([[1.0, max(z.size, 1.0)]]), YData=np.zeros((1, 2)), Marker="none"
    )
    made.append(base)
    scene.revision += 1
    return given(nargout, made)


@builtin("compass", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def compass(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows from the middle of polar axes.

    compass(U, V), compass(Z) with complex numbers, compass(…, SPEC), compass(AX, …)
    H = compass(…) gives the arrows as lines

    Examples:
        >> h = compass([1 0 -1], [0 2 0]); numel(h)
        ans =
             3

    See also: feather, quiver, rose, polarplot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    z, spec = _components("compass", rest)
    with polar_axes(scene, target) as axes:
        prepare(axes)
    own = look(axes, spec)
    made = []
    for tip in z.tolist():
        arrow = tip * _ARROW
        node = make("line", axes, (), **own)
        node.values.update(XData=np.angle(arrow).reshape(1, -1), YData=np.abs(arrow).reshape(1, -1))
        made.append(node)
    scene.revision += 1
    return given(nargout, made)
