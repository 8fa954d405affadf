"""Structuring elements: `strel`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.objects import Handle
from runmat_image.arguments import Data, given, integer, one_of, real, scalar

_SHAPES = (
    "arbitrary", "square", "diamond", "octagon", "disk", "rectangle", "line", "pair",
    "periodicline", "cube", "cuboid", "sphere",
)  # fmt: skip

#: The steps of periodic lines that make up a disk.
_DIRECTIONS = {
    4: ((1, 0), (1, 1), (0, 1), (-1, 1)),
    6: ((1, 0), (1, 2), (2, 1), (0, 1), (-1, 2), (-2, 1)),
    8: ((1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (-1, 2), (-1, 1), (-2, 1)),
}


class Strel(Handle):
    """A neighbourhood with the name of its shape."""

    __slots__ = ("_interp", "hood", "shape")

    def __init__(self, hood: Data, shape: str, interp: Interp) -> None:
        self.hood = np.asfortranarray(hood, np.bool_)
        self.shape = shape
        self._interp = interp

    def class_names(self) -> Sequence[str]:
        return ("strel",)

    def property_names(self) -> Sequence[str]:
        return ("Neighborhood", "Dimensionality")

    def get_property(self, name: str) -> Any:
        if name == "Neighborhood":
            return self._interp.to_matlab(self.hood)
        if name == "Dimensionality":
            return float(self.hood.ndim)
        raise MatlabError(
            "MATLAB:noSuchMethodOrField",
            f"Unrecognized method, property, or field '{name}' for class 'strel'.",
        )

    def set_property(self, name: str, value: Any) -> None:
        self.get_property(name)
        raise MatlabError(
            "MATLAB:class:SetProhibited",
            f"You cannot set the read-only property '{name}' of 'strel'.",
        )

    def method(self, name: str) -> Callable[..., Any] | None:
        rules: dict[str, Callable[..., Any]] = {
            "getnhood": lambda nargout: self.get_property("Neighborhood"),
            "reflect": lambda nargout: self._made(self.hood[(np.s_[::-1],) * self.hood.ndim]),
            "translate": lambda nargout, by: self._made(
                _of_points(np.argwhere(self.hood) - _centre(self.hood)
                           + np.asarray(self._interp.to_python(by)).ravel())),
        }  # fmt: skip
        return rules.get(name)

    def _made(self, hood: Data) -> Any:
        return self._interp.to_matlab(Strel(hood, "arbitrary", self._interp))

    def summary(self) -> str:
        article = "an" if self.shape[0] in "ao" else "a"
        return f"strel is {article} {self.shape} shaped structuring element"


def _centre(hood: Data) -> Data:
    return (np.array(hood.shape) - 1) // 2


def _of_points(points: Any) -> Data:
    """The least neighbourhood of odd extents with these places, told from its centre."""
    points = np.asarray(points, np.intp)
    reach = np.abs(points).max(axis=0)
    hood = np.zeros(2 * reach + 1, np.bool_)
    hood[tuple((points + reach).T)] = True
    return hood


def _disk(radius: int, lines: int) -> Data:
    """A disk, exactly for `lines` 0, or as the sum of periodic lines along as many directions.

    Such a sum is widened by a square where it does not reach the radius.
    """
    if radius < 3 or not lines:
        y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
        return np.asarray(x * x + y * y <= radius * radius)
    angle = np.pi / (2 * lines)
    length = 2 * radius / (1 / np.tan(angle) + 1 / np.sin(angle))
    points = np.zeros((1, 2), np.intp)
    for step in _DIRECTIONS[lines]:
        points = _sum(points, int(length / np.hypot(*step)), step)
    rest = radius - int(points.max())
    for step in ((0, 1), (1, 0)) if rest > 1 else ():
        points = _sum(points, rest - 1, step)
    return _of_points(points)


def _sum(points: Data, count: int, step: tuple[int, int]) -> Data:
    """Places moved along a line, `count` steps to either side."""
    moves = np.arange(-count, count + 1)[:, None] * np.array(step)
    return np.unique((points[:, None] + moves).reshape(-1, 2), axis=0)


def _line(length: float, degrees: float) -> Data:
    reach = (length - 1) / 2 * np.array([-np.sin(np.radians(degrees)), np.cos(np.radians(degrees))])
    end = _rounded(reach)
    steps = int(np.abs(end).max())
    return _of_points(_rounded(np.arange(-steps, steps + 1)[:, None] / max(steps, 1) * end))


def _rounded(x: Data) -> Data:
    """Whole numbers, halves away from zero."""
    return np.asarray(np.floor(np.abs(x) + 0.5) * np.sign(x))


def _within(radius: int, most: float) -> Data:
    y, x = np.abs(np.mgrid[-radius : radius + 1, -radius : radius + 1])
    return np.asarray(x + y <= most)


def _shape(kind: str, args: Sequence[Any]) -> Data:
    def whole(at: int, least: int = 0) -> int:
        return integer(args[at], "strel", "The size", least)

    def sizes(count: int) -> list[int]:
        found = real(args[0], "strel").ravel()
        if found.size != count or (found < 1).any() or (found != np.floor(found)).any():
            raise MatlabError("images:strel:invalidSize", f"There must be {count} whole extents.")
        return [int(n) for n in found]

    if kind == "arbitrary":
        return np.asarray(real(args[0], "strel") != 0)
    if kind in ("square", "cube"):
        return np.ones((whole(0, 1),) * (2 if kind == "square" else 3))
    if kind in ("rectangle", "cuboid"):
        return np.ones(sizes(2 if kind == "rectangle" else 3))
    if kind == "diamond":
        return _within(whole(0), whole(0))
    if kind == "octagon":
        radius = whole(0)
        if radius % 3:
            raise MatlabError(
                "images:strel:notMultipleOf3", "The size of an octagon must be a multiple of 3."
            )
        return _within(radius, 4 * radius / 3)
    if kind == "disk":
        lines = whole(1) if len(args) > 1 else 4
        if lines not in (0, 4, 6, 8):
            raise MatlabError("images:strel:invalidN", "N must be 0, 4, 6 or 8.")
        return _disk(whole(0), lines)
    if kind == "sphere":
        radius = whole(0)
        grid = np.mgrid[(slice(-radius, radius + 1),) * 3]
        return np.asarray((grid**2).sum(axis=0) <= radius * radius)
    if kind == "line":
        return _line(scalar(args[0], "strel", "The length"), scalar(args[1], "strel", "The angle"))
    step = real(args[-1], "strel").ravel()
    if step.size != 2:
        raise MatlabError("images:strel:invalidOffset", "The offset must have two elements.")
    if kind == "pair":
        return _of_points([(0, 0), step])
    count = whole(0)
    return _of_points(np.arange(-count, count + 1)[:, None] * step)


@builtin("strel", family="image/regions", lift="arrays", nargin=(1, 4), needs=("interp",))
def strel(shape: Any, *args: Any, interp: Interp) -> Any:
    """Structuring element.

    SE = strel(NHOOD), SE = strel("arbitrary", NHOOD)
    SE = strel("disk", R), SE = strel("disk", R, N) as a sum of N (0, 4, 6 or 8) lines, 4 by default
    SE = strel("diamond", R), strel("octagon", R), strel("square", W), strel("rectangle", [M N])
    SE = strel("line", LEN, DEG), strel("pair", OFFSET), strel("periodicline", P, V)
    SE = strel("cube", W), strel("cuboid", [M N P]), strel("sphere", R)

    SE.Neighborhood is the matrix of the places.

    Examples:
        >> se = strel("diamond", 1);
        >> se.Neighborhood
        ans =
          3×3 logical array
           0   1   0
           1   1   1
           0   1   0

    See also: imdilate, imerode, imopen, imclose.
    """
    if not isinstance(shape, str):
        return Strel(real(shape, "strel") != 0, "arbitrary", interp)
    kind = one_of(shape, _SHAPES, "strel")
    least = 2 if kind in ("line", "periodicline") else 1
    if len(args) < least or not all(map(given, args[:least])):
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return Strel(_shape(kind, args), kind, interp)


def neighbourhood(value: Any, name: str, interp: Interp) -> Data:
    """The places of a structuring element that is given as such or as a matrix."""
    if not isinstance(value, np.ndarray):
        value = interp.to_python(value)
    if isinstance(value, Strel):
        return value.hood
    if not isinstance(value, np.ndarray) or not value.size or isinstance(value.flat[0], Handle):
        raise MatlabError(
            f"images:{name}:invalidStrel",
            "The structuring element must be a strel or an array of 0 and 1.",
        )
    if not np.isin(value, (0, 1)).all():
        raise MatlabError(f"images:{name}:invalidStrel", "It must have zeros and ones alone.")
    return np.asarray(value != 0)
