"""Integrals of functions of two and three variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, option, scalar
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.adaptive import (
    Found,
    Nodes,
    Tolerance,
    along,
    integrate,
    over_rectangle,
)
from runmat_core.builtins.math.quadrature import nonnegative, remark
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import FunctionHandle, to_numpy, truth

Surface = Callable[[Nodes, Nodes], Nodes]
Bound = Callable[[Nodes], Nodes]


def _of_arrays(fun: Any, name: str, interp: Interp) -> Callable[..., Nodes]:
    """Return a MATLAB function of arrays of one size as one of NumPy arrays."""

    def call(*points: Nodes) -> Nodes:
        y = as_float(to_numpy(interp.call(fun, [value_of(p) for p in points], 1)))
        if y.shape != points[0].shape:
            raise MatlabError(
                f"MATLAB:{name}:UnexpectedOutputSize",
                "Integrand output size does not match the input size.",
            )
        return y

    return call


def _bound(value: Any, name: str, interp: Interp) -> tuple[Bound, bool]:
    """Return a limit that may be a function, and whether it is finite for sure or a function."""
    if isinstance(value, FunctionHandle):
        call = _of_arrays(value, name, interp)
        return call, True
    number = scalar(value, "Limit")
    return lambda x: np.full(x.shape, number), bool(np.isfinite(number))


def _tiled(f: Surface, a: float, b: float, low: Bound, high: Bound, tolerance: Tolerance) -> Found:
    """Return the integral over a bounded region, whose edges may be singular."""

    def tame(t: Nodes) -> tuple[Nodes, Nodes]:
        # slow at both ends, as over an interval
        return t * t * (3 - 2 * t), 6 * t * (1 - t)

    def on_square(s: Nodes, t: Nodes) -> Nodes:
        along_x, weight_x = tame(s)
        along_y, weight_y = tame(t)
        x = a + (b - a) * along_x
        bottom, top = low(x), high(x)
        y = bottom + (top - bottom) * along_y
        return np.asarray(f(x, y) * (weight_x * weight_y * (b - a)) * (top - bottom))

    return over_rectangle(on_square, tolerance)


def _iterated(
    f: Surface, a: float, b: float, low: Bound, high: Bound, tolerance: Tolerance
) -> Found:
    """Return the integral as one of integrals, for regions that are not bounded."""
    worst: list[Found] = []

    def outer(x: Nodes) -> Nodes:
        results = []
        for point in x:
            here = np.full((1, 1), point)
            ends = low(here).item(), high(here).item()

            def inner(y: Nodes, point: float = point) -> Nodes:
                row = y.reshape(1, -1)
                return f(np.full(row.shape, point), row).ravel()

            found = along(inner, *ends, np.zeros(0), tolerance)
            if found.problem:
                worst.append(found)
            results.append(found.value)
        return np.array(results)

    found = along(outer, a, b, np.zeros(0), tolerance)
    return attrs.evolve(found, problem=worst[0].problem) if worst and not found.problem else found


def _planar(
    f: Surface,
    a: float,
    b: float,
    low: tuple[Bound, bool],
    high: tuple[Bound, bool],
    tolerance: Tolerance,
    method: str,
) -> Found:
    bounded = bool(np.isfinite([a, b]).all()) and low[1] and high[1]
    if method == "tiled" and not bounded:
        raise MatlabError(
            "MATLAB:integral2:InfiniteLimits",
            "The limits of integration must be finite for the method 'tiled'.",
        )
    if method == "iterated" or not bounded:
        return _iterated(f, a, b, low[0], high[0], tolerance)
    return _tiled(f, a, b, low[0], high[0], tolerance)


def _options(args: Sequence[Any], name: str) -> tuple[Tolerance, str]:
    known = ("AbsTol", "RelTol", "Method")
    named, _ = pairs(args, known, name)
    tolerance = Tolerance(
        nonnegative(named.get("AbsTol", 1e-10), name, "AbsTol"),
        max(nonnegative(named.get("RelTol", 1e-6), name, "RelTol"), 100 * 2.0**-52),
        3000,
    )
    methods = ("auto", "tiled", "iterated")
    return tolerance, choice(named["Method"], methods, name) if "Method" in named else "auto"


def _result(found: Found, name: str, interp: Interp) -> Any:
    remark(found, name, interp)
    return value_of(np.asarray(found.value).reshape(1, 1))


@builtin("integral2", family="math/calculus", nargin=(5, None), needs=("interp",))
def integral2(
    fun: Any, xmin: Any, xmax: Any, ymin: Any, ymax: Any, *options: Any, interp: Interp
) -> Any:
    """Integral of a function of two variables.

    Q = integral2(FUN, XMIN, XMAX, YMIN, YMAX); FUN takes and gives arrays of one size, YMIN and
    YMAX may be functions of x, all limits may be infinite
    Q = integral2(…, NAME, VALUE) with "AbsTol" (1e-10), "RelTol" (1e-6), "Method" ("auto",
    "tiled", "iterated")

    Examples:
        >> integral2(@(x, y) x .* y, 0, 1, 0, @(x) 2 - x)
        ans =
            0.4583

    See also: integral3, integral, quad2d, quadgk.
    """
    tolerance, method = _options(options, "integral2")
    low, high = _bound(ymin, "integral2", interp), _bound(ymax, "integral2", interp)
    f = _of_arrays(fun, "integral2", interp)
    ends = scalar(xmin, "XMIN"), scalar(xmax, "XMAX")
    with np.errstate(all="ignore"):
        found = _planar(f, *ends, low, high, tolerance, method)
    return _result(found, "integral2", interp)


@builtin("integral3", family="math/calculus", nargin=(7, None), needs=("interp",))
def integral3(
    fun: Any,
    xmin: Any,
    xmax: Any,
    ymin: Any,
    ymax: Any,
    zmin: Any,
    zmax: Any,
    *options: Any,
    interp: Interp,
) -> Any:
    """Integral of a function of three variables.

    Q = integral3(FUN, XMIN, XMAX, YMIN, YMAX, ZMIN, ZMAX); FUN takes and gives arrays of one
    size, YMIN and YMAX may be functions of x, ZMIN and ZMAX of x and y
    Q = integral3(…, NAME, VALUE) with "AbsTol" (1e-10), "RelTol" (1e-6), "Method"

    Examples:
        >> integral3(@(x, y, z) x .* y + z, 0, 1, 0, 1, 0, @(x, y) x)
        ans =
            0.3333

    See also: integral2, integral, triplequad.
    """
    tolerance, method = _options(options, "integral3")
    f = _of_arrays(fun, "integral3", interp)
    low_y, high_y = _bound(ymin, "integral3", interp), _bound(ymax, "integral3", interp)
    limits = []
    for value in (zmin, zmax):
        if isinstance(value, FunctionHandle):
            limits.append((_of_arrays(value, "integral3", interp), True))
        else:
            constant, finite = _bound(value, "integral3", interp)
            limits.append((_second_only(constant), finite))
    worst: list[Found] = []

    def outer(points: Nodes) -> Nodes:
        results = []
        for point in points:
            here = np.full((1, 1), point)
            bottom, top = low_y[0](here).item(), high_y[0](here).item()

            def over_y(y: Nodes, z: Nodes, point: float = point) -> Nodes:
                return f(np.full(y.shape, point), y, z)

            z_limits = [(_fixed_first(g, point), finite) for g, finite in limits]
            found = _planar(over_y, bottom, top, z_limits[0], z_limits[1], tolerance, method)
            if found.problem:
                worst.append(found)
            results.append(found.value)
        return np.array(results)

    ends = scalar(xmin, "XMIN"), scalar(xmax, "XMAX")
    with np.errstate(all="ignore"):
        if np.isfinite(ends).all():
            found = _smooth(outer, *ends, tolerance)
        else:
            found = along(outer, *ends, np.zeros(0), tolerance)
    if worst and not found.problem:
        found = attrs.evolve(found, problem=worst[0].problem)
    return _result(found, "integral3", interp)


def _second_only(g: Bound) -> Callable[[Nodes, Nodes], Nodes]:
    return lambda x, y: g(y)


def _fixed_first(g: Callable[[Nodes, Nodes], Nodes], point: float) -> Bound:
    return lambda y: g(np.full(y.shape, point), y)


def _smooth(f: Bound, a: float, b: float, tolerance: Tolerance) -> Found:
    """Return the integral of a costly function: one interval to begin with."""
    half, middle = (b - a) / 4, (a + b) / 2

    def tame(t: Nodes) -> Nodes:
        return f(half * t * (3 - t * t) + middle) * (3 * half * (1 - t * t))

    return integrate(tame, np.array([-1.0, 0.0, 1.0]), tolerance)


@builtin("quad2d", family="math/calculus", nargin=(5, None), nargout=2, needs=("nargout", "interp"))
def quad2d(
    fun: Any, a: Any, b: Any, c: Any, d: Any, *options: Any, nargout: int, interp: Interp
) -> Any:
    """Integral of a function of two variables over a bounded region.

    Q = quad2d(FUN, A, B, C, D) integrates over A <= x <= B, C(x) <= y <= D(x); FUN takes and
    gives arrays of one size, C and D are numbers or functions
    Q = quad2d(…, NAME, VALUE) with "AbsTol" (1e-5), "RelTol" (100*eps), "MaxFunEvals" (2000),
    "FailurePlot", "Singular"
    [Q, ERRBND] = quad2d(…) gives a bound of the error

    Examples:
        >> quad2d(@(x, y) x .* y, 0, 1, 0, @(x) sqrt(1 - x.^2))
        ans =
            0.1250

    See also: integral2, quadgk, dblquad.
    """
    known = ("AbsTol", "RelTol", "MaxFunEvals", "FailurePlot", "Singular")
    named, _ = pairs(options, known, "quad2d")
    for flag in ("FailurePlot", "Singular"):
        truth(named.get(flag, True))
    tolerance = Tolerance(
        nonnegative(named.get("AbsTol", 1e-5), "quad2d", "AbsTol"),
        nonnegative(named.get("RelTol", 100 * 2.0**-52), "quad2d", "RelTol"),
        int(nonnegative(named.get("MaxFunEvals", 2000.0), "quad2d", "MaxFunEvals")),
    )
    f = _of_arrays(fun, "quad2d", interp)
    low, high = _bound(c, "quad2d", interp), _bound(d, "quad2d", interp)
    ends = scalar(a, "A"), scalar(b, "B")
    if not (np.isfinite(ends).all() and low[1] and high[1]):
        raise MatlabError(
            "MATLAB:quad2d:NonFiniteLimits", "The limits of integration must be finite."
        )
    with np.errstate(all="ignore"):
        found = _tiled(f, *ends, low[0], high[0], tolerance)
    value = _result(found, "quad2d", interp)
    return (value, found.error) if nargout > 1 else value


def _of_row(
    fun: Any, extra: Sequence[Any], name: str, interp: Interp
) -> Callable[[Nodes, Sequence[float]], Nodes]:
    """Return a function of a row, scalars and what is passed on, as the older functions call it."""

    def call(x: Nodes, others: Sequence[float]) -> Nodes:
        given = [value_of(x.reshape(1, -1)), *others, *extra]
        y = as_float(to_numpy(interp.call(fun, given, 1)))
        if y.size != x.size:
            raise MatlabError(
                f"MATLAB:{name}:FunctionOutput",
                "The integrand must return an output of the size of its first input.",
            )
        return y.ravel(order="F")

    return call


def _nested(
    f: Callable[[Nodes, Sequence[float]], Nodes],
    limits: Sequence[tuple[float, float]],
    tolerance: Tolerance,
    others: tuple[float, ...] = (),
) -> Any:
    """Return the integral over a box, the last variable outermost."""
    if len(limits) == 1:
        return _smooth(lambda x: f(x, others), *limits[0], tolerance).value

    def outer(points: Nodes) -> Nodes:
        inner = [_nested(f, limits[:-1], tolerance, (float(p), *others)) for p in points]
        return np.array(inner)

    return _smooth(outer, *limits[-1], tolerance).value


def _box(name: str, fun: Any, limits: Sequence[Any], rest: Sequence[Any], interp: Interp) -> Any:
    ends = [scalar(value, "Limit") for value in limits]
    given = rest[0] if rest and option(rest[0]) is None and to_numpy(rest[0]).size else 1e-6
    tolerance = Tolerance(scalar(given, "TOL"), 0.0, 3000)
    if not np.isfinite(ends).all():
        raise MatlabError(
            f"MATLAB:{name}:scalarLimits", "The limits of integration must be finite scalars."
        )
    pairs_of_ends = list(zip(ends[::2], ends[1::2], strict=True))
    with np.errstate(all="ignore"), interp.callbacks():
        value = _nested(_of_row(fun, rest[2:], name, interp), pairs_of_ends, tolerance)
    return value_of(np.asarray(value).reshape(1, 1))


@builtin("dblquad", family="math/calculus", nargin=(5, None), needs=("interp",))
def dblquad(fun: Any, *args: Any, interp: Interp) -> Any:
    """Integral over a rectangle; integral2 is the better choice.

    Q = dblquad(FUN, XMIN, XMAX, YMIN, YMAX); FUN takes a vector x and a scalar y
    Q = dblquad(…, TOL) with an absolute tolerance, 1e-6 by default
    Q = dblquad(…, TOL, [], P1, …) passes P1 … to FUN

    Examples:
        >> dblquad(@(x, y) y * sin(x) + x * cos(y), pi, 2*pi, 0, pi)
        ans =
           -9.8696

    See also: integral2, quad2d, triplequad.
    """
    return _box("dblquad", fun, args[:4], args[4:], interp)


@builtin("triplequad", family="math/calculus", nargin=(7, None), needs=("interp",))
def triplequad(fun: Any, *args: Any, interp: Interp) -> Any:
    """Integral over a box; integral3 is the better choice.

    Q = triplequad(FUN, XMIN, XMAX, YMIN, YMAX, ZMIN, ZMAX); FUN takes a vector x and scalars y
    and z
    Q = triplequad(…, TOL) with an absolute tolerance, 1e-6 by default
    Q = triplequad(…, TOL, [], P1, …) passes P1 … to FUN

    Examples:
        >> triplequad(@(x, y, z) x * y + z, 0, 1, 0, 1, 0, 0.5)
        ans =
            0.2500

    See also: integral3, dblquad.
    """
    return _box("triplequad", fun, args[:6], args[6:], interp)
