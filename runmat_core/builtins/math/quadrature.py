"""Integrals of functions of one variable: integral, quadgk, and the older quad family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, numeric, scalar
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.adaptive import (
    NOT_FINITE,
    TOO_MANY,
    Found,
    Nodes,
    Tolerance,
    along,
)
from runmat_core.builtins.named import pairs
from runmat_core.values import from_numpy, to_numpy

Values = Any


def limit(value: Any, name: str) -> complex:
    """Return an end of an interval."""
    a = as_float(numeric(value, name))
    if a.size != 1:
        raise MatlabError(
            f"MATLAB:{name}:invalidEndpoint", "The limits of integration must be scalars."
        )
    found: complex = a.flat[0].item()
    return found


def vector_function(fun: Any, name: str, interp: Interp, *extra: Any) -> Callable[[Nodes], Nodes]:
    """Return a MATLAB function of a row vector as one of a vector."""

    def call(x: Nodes) -> Nodes:
        y = as_float(to_numpy(interp.call(fun, [value_of(x.reshape(1, -1)), *extra], 1)))
        if y.shape != (1, x.size):
            raise MatlabError(
                f"MATLAB:{name}:FxNotSameSizeAsX",
                "Output of the function must be the same size as the input.",
            )
        return y.ravel()

    return call


def remark(found: Found, name: str, interp: Interp) -> None:
    """Warn of what went wrong."""
    if found.problem == NOT_FINITE:
        interp.warn(f"MATLAB:{name}:NonFiniteValue", "Infinite or Not-a-Number value encountered.")
    elif found.problem == TOO_MANY:
        interp.warn(
            f"MATLAB:{name}:MaxIntervalCountReached",
            "Reached the limit on the maximum number of intervals in use. Approximate bound on "
            f"error is {found.error:9.1e}. The integral may not exist, or it may be difficult to "
            "approximate numerically to the requested accuracy.",
        )
    elif found.problem:
        interp.warn(
            f"MATLAB:{name}:MinStepSize",
            f"Minimum step size reached near x. There may be a singularity. Approximate bound on "
            f"error is {found.error:9.1e}.",
        )


def nonnegative(value: Any, name: str, what: str) -> float:
    number = scalar(value, what)
    if not number >= 0:
        raise MatlabError(f"MATLAB:{name}:invalid{what}", f"{what} must be nonnegative.")
    return number


def _array_function(fun: Any, interp: Interp) -> tuple[Callable[[Nodes], Nodes], list[Any]]:
    """Return a MATLAB function of a number that gives an array, as a function of a vector.

    It gives a row for each element; the sizes that the function gave come with it.
    """
    shapes: list[Any] = []

    def call(x: Nodes) -> Nodes:
        found = [as_float(to_numpy(interp.call(fun, [value], 1))) for value in x.tolist()]
        shapes[:] = [found[0].shape]
        return np.stack([y.ravel(order="F") for y in found], axis=-1)

    return call, shapes


@builtin("integral", family="math/calculus", nargin=(3, None), needs=("interp",))
def integral(fun: Any, a: Any, b: Any, *options: Any, interp: Interp) -> Any:
    """Integral of a function over an interval, which may be infinite.

    Q = integral(FUN, A, B); FUN takes and gives arrays of one size
    Q = integral(…, NAME, VALUE) with "AbsTol" (1e-10), "RelTol" (1e-6), "Waypoints",
    "ArrayValued": FUN takes a number and gives an array of any size

    Examples:
        >> integral(@exp, 0, 1)
        ans =
            1.7183
        >> integral(@(x) [x 2*x], 0, 1, 'ArrayValued', true)
        ans =
            0.5000    1.0000

    See also: quadgk, integral2, trapz, fzero.
    """
    named, _ = pairs(options, ("AbsTol", "RelTol", "Waypoints", "ArrayValued"), "integral")
    tolerance = Tolerance(
        nonnegative(named.get("AbsTol", 1e-10), "integral", "AbsTol"),
        max(nonnegative(named.get("RelTol", 1e-6), "integral", "RelTol"), 100 * 2.0**-52),
    )
    way = as_float(numeric(named["Waypoints"], "integral")) if "Waypoints" in named else np.zeros(0)
    ends = limit(a, "integral"), limit(b, "integral")
    of_arrays = "ArrayValued" in named and bool(scalar(named["ArrayValued"], "ArrayValued"))
    f, shapes = (
        _array_function(fun, interp)
        if of_arrays
        else (vector_function(fun, "integral", interp), [(1, 1)])
    )
    with np.errstate(all="ignore"):
        found = along(f, *ends, way.ravel(order="F"), tolerance)
    remark(found, "integral", interp)
    return value_of(np.reshape(found.value, shapes[0] if shapes else (1, 1), order="F"))


@builtin("quadgk", family="math/calculus", nargin=(3, None), nargout=2, needs=("nargout", "interp"))
def quadgk(fun: Any, a: Any, b: Any, *options: Any, nargout: int, interp: Interp) -> Any:
    """Integral by an adaptive Gauss-Kronrod rule.

    Q = quadgk(FUN, A, B); FUN takes and gives vectors, A and B may be infinite or complex
    Q = quadgk(…, NAME, VALUE) with "AbsTol" (1e-10), "RelTol" (1e-6), "Waypoints",
    "MaxIntervalCount" (650)
    [Q, ERRBND] = quadgk(…) gives a bound of the error

    Complex waypoints lead around singularities, by straight lines.

    Examples:
        >> quadgk(@(x) exp(-x.^2), -Inf, Inf)
        ans =
            1.7725
        >> imag(quadgk(@(z) 1 ./ z, 1, 1, 'Waypoints', [1+1i -1+1i -1-1i 1-1i]))
        ans =
            6.2832

    See also: integral, quad2d, trapz.
    """
    known = ("AbsTol", "RelTol", "Waypoints", "MaxIntervalCount")
    named, _ = pairs(options, known, "quadgk")
    tolerance = Tolerance(
        nonnegative(named.get("AbsTol", 1e-10), "quadgk", "AbsTol"),
        max(nonnegative(named.get("RelTol", 1e-6), "quadgk", "RelTol"), 100 * 2.0**-52),
        int(nonnegative(named.get("MaxIntervalCount", 650.0), "quadgk", "MaxIntervalCount")),
    )
    way = as_float(numeric(named["Waypoints"], "quadgk")) if "Waypoints" in named else np.zeros(0)
    f = vector_function(fun, "quadgk", interp)
    ends = limit(a, "quadgk"), limit(b, "quadgk")
    with np.errstate(all="ignore"):
        found = along(f, *ends, way.ravel(order="F"), tolerance)
    remark(found, "quadgk", interp)
    value = value_of(np.asarray(found.value).reshape(1, 1))
    return (value, found.error) if nargout > 1 else value


# -- the older functions ---------------------------------------------------------------------------

_MOST_CALLS = 10000


class _Simpson:
    """Adaptive Simpson integration with one extrapolation, for scalars and arrays alike."""

    def __init__(self, f: Callable[[float], Values], tolerance: float, a: float, b: float) -> None:
        self.f, self.tolerance, self.calls, self.problem = f, tolerance, 0, ""
        self.least = float(np.spacing(abs(b - a))) / 1024

    def call(self, x: float) -> Values:
        self.calls += 1
        return self.f(x)

    def whole(self, a: float, b: float) -> Values:
        """Return the integral, by three parts of unequal length that no period fits."""
        h = 0.13579 * (b - a)
        points = [a, a + h, a + 2 * h, (a + b) / 2, b - 2 * h, b - h, b]
        values = [self.call(x) for x in points]
        # singularities at the ends are left aside
        for end, inward in ((0, 1.0), (6, -1.0)):
            if not np.isfinite(values[end]).all():
                step = inward * float(np.finfo(float).eps) * (b - a)
                values[end] = self.call(points[end] + step)
        return sum(
            self._part(points[k], points[k + 2], values[k], values[k + 1], values[k + 2])
            for k in (0, 2, 4)
        )

    def _part(self, a: float, b: float, fa: Values, fc: Values, fb: Values) -> Values:
        h, c = b - a, (a + b) / 2
        if abs(h) < self.least or c in (a, b):
            self.problem = "MinStepSize"
            return h * fc
        fd, fe = self.call((a + c) / 2), self.call((c + b) / 2)
        if self.calls > _MOST_CALLS:
            self.problem = "MaxFcnCount"
            return h * fc
        coarse = h / 6 * (fa + 4 * fc + fb)
        fine = h / 12 * (fa + 4 * fd + 2 * fc + 4 * fe + fb)
        value = fine + (fine - coarse) / 15
        if not np.isfinite(value).all():
            self.problem = "ImproperFcnValue"
            return value
        if np.abs(fine - value).max(initial=0.0) <= self.tolerance:
            return value
        return self._part(a, c, fa, fd, fc) + self._part(c, b, fc, fe, fb)


_REMARKS = {
    "MinStepSize": "Minimum step size reached; singularity possible.",
    "MaxFcnCount": "Maximum function count exceeded; singularity likely.",
    "ImproperFcnValue": "Infinite or Not-a-Number function value encountered.",
}


def _finite(a: Any, b: Any, name: str) -> tuple[float, float]:
    low, high = scalar(a, "A"), scalar(b, "B")
    if not np.isfinite([low, high]).all():
        raise MatlabError(
            f"MATLAB:{name}:scalarLimits", "The limits of integration must be finite scalars."
        )
    return low, high


def _tolerance(rest: Sequence[Any]) -> tuple[float, list[Any]]:
    """Return the tolerance, and the arguments that are passed on."""
    given = rest[0] if rest and to_numpy(rest[0]).size else 1e-6
    return scalar(given, "TOL"), list(rest[2:])


def _old(name: str, args: Sequence[Any], whole: bool, nargout: int, interp: Interp) -> Any:
    fun, a, b, *rest = args
    low, high = _finite(a, b, name)
    tolerance, extra = _tolerance(rest)

    def f(x: float) -> Values:
        y = as_float(to_numpy(interp.call(fun, [x, *extra], 1)))
        if not whole and y.size != 1:
            raise MatlabError(
                f"MATLAB:{name}:FunctionOutput",
                "The integrand must return an output of the size of its input.",
            )
        return y

    simpson = _Simpson(f, tolerance, low, high)
    with np.errstate(all="ignore"), interp.callbacks():
        value = simpson.whole(low, high)
    if simpson.problem:
        interp.warn(f"MATLAB:{name}:{simpson.problem}", _REMARKS[simpson.problem])
    result = value_of(np.asarray(value))
    return (result, float(simpson.calls)) if nargout > 1 else result


@builtin("quad", family="math/calculus", nargin=(3, None), nargout=2, needs=("nargout", "interp"))
def quad(*args: Any, nargout: int, interp: Interp) -> Any:
    """Integral by adaptive Simpson quadrature; integral is the better choice.

    Q = quad(FUN, A, B), Q = quad(FUN, A, B, TOL) with an absolute tolerance, 1e-6 by default
    Q = quad(FUN, A, B, TOL, [], P1, …) passes P1 … to FUN
    [Q, COUNT] = quad(…) tells how many points were used

    Examples:
        >> quad(@(x) 1 ./ (x.^3 - 2*x - 5), 0, 2)
        ans =
           -0.4605

    See also: integral, quadl, quadgk, quadv.
    """
    return _old("quad", args, False, nargout, interp)


@builtin("quadv", family="math/calculus", nargin=(3, None), nargout=2, needs=("nargout", "interp"))
def quadv(*args: Any, nargout: int, interp: Interp) -> Any:
    """Integral of a function whose values are arrays, by adaptive Simpson quadrature.

    Q = quadv(FUN, A, B), Q = quadv(FUN, A, B, TOL); FUN takes a scalar
    Q = quadv(FUN, A, B, TOL, [], P1, …) passes P1 … to FUN
    [Q, COUNT] = quadv(…) tells how many points were used

    Examples:
        >> quadv(@(x) x .^ [1 2 3], 0, 2)
        ans =
            2.0000    2.6667    4.0000

    See also: integral, quad, quadgk.
    """
    return _old("quadv", args, True, nargout, interp)


@builtin("quadl", family="math/calculus", nargin=(3, None), nargout=2, needs=("nargout", "interp"))
def quadl(*args: Any, nargout: int, interp: Interp) -> Any:
    """Integral by adaptive Lobatto quadrature; integral is the better choice.

    Q = quadl(FUN, A, B), Q = quadl(FUN, A, B, TOL) with an absolute tolerance, 1e-6 by default
    Q = quadl(FUN, A, B, TOL, [], P1, …) passes P1 … to FUN
    [Q, COUNT] = quadl(…) tells how many points were used

    Examples:
        >> quadl(@(x) 1 ./ (x.^3 - 2*x - 5), 0, 2)
        ans =
           -0.4605

    See also: integral, quad, quadgk.
    """
    fun, a, b, *rest = args
    low, high = _finite(a, b, "quadl")
    tolerance, extra = _tolerance(rest)
    lobatto = _Lobatto(vector_function(fun, "quadl", interp, *extra), tolerance)
    with np.errstate(all="ignore"), interp.callbacks():
        value = lobatto.whole(low, high)
    if lobatto.problem:
        interp.warn(f"MATLAB:quadl:{lobatto.problem}", _REMARKS[lobatto.problem])
    result = from_numpy(np.asarray(value)) if np.iscomplexobj(value) else float(value)
    return (result, float(lobatto.calls)) if nargout > 1 else result


class _Lobatto:
    """W. Gander, W. Gautschi, "Adaptive quadrature - revisited", BIT 40 (2000)."""

    def __init__(self, f: Callable[[Nodes], Nodes], tolerance: float) -> None:
        self.f, self.tolerance, self.calls, self.problem = f, tolerance, 0, ""

    def call(self, x: Nodes) -> Nodes:
        self.calls += x.size
        return self.f(x)

    def whole(self, a: float, b: float) -> Any:
        ends = self.call(np.array([a, b]))
        tiny = float(np.finfo(float).eps) * (b - a)
        for k, inside in enumerate((a + tiny, b - tiny)):
            if not np.isfinite(ends[k]):
                ends[k] = self.call(np.array([inside]))[0]
        return self._part(a, b, ends[0], ends[1])

    def _part(self, a: float, b: float, fa: Any, fb: Any) -> Any:
        h, m = (b - a) / 2, (a + b) / 2
        outer, inner = np.sqrt(2 / 3) * h, h / np.sqrt(5)
        x = np.array([m - outer, m - inner, m, m + inner, m + outer])
        y = self.call(x)
        if self.calls > _MOST_CALLS:
            self.problem = "MaxFcnCount"
            return h * y[2]
        four = h / 6 * (fa + fb + 5 * (y[1] + y[3]))
        seven = h / 1470 * (77 * (fa + fb) + 432 * (y[0] + y[4]) + 625 * (y[1] + y[3]) + 672 * y[2])
        if not np.isfinite(seven):
            self.problem = "ImproperFcnValue"
            return seven
        if abs(seven - four) <= self.tolerance:
            return seven
        if not a < x[0] < b and not b < x[0] < a:
            self.problem = "MinStepSize"
            return seven
        edges, values = np.array([a, *x, b]), [fa, *y, fb]
        return sum(self._part(edges[k], edges[k + 1], values[k], values[k + 1]) for k in range(6))
