"""How accurate functions of one element are: what is sampled, references, and errors in ulp.

References have 64 bits of mantissa or more: NumPy's extended precision, and mpmath for functions
that it lacks. An error of e ulp means e times the spacing of floats at the exact result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

Samples = np.ndarray[Any, Any]

KIND: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
EXACT_ENOUGH = np.finfo(np.longdouble).nmant >= 63


@attrs.frozen
class Span:
    """Where an operand is sampled: evenly, or evenly in its logarithm and with either sign."""

    low: float
    high: float
    logarithmic: bool = False
    signed: bool = False

    def draw(self, generator: np.random.Generator, count: int) -> Samples:
        if not self.logarithmic:
            return generator.uniform(self.low, self.high, count)
        values = np.exp(generator.uniform(np.log(self.low), np.log(self.high), count))
        return values * generator.choice([-1.0, 1.0], count) if self.signed else values


def line(low: float, high: float) -> Span:
    return Span(low, high)


def decades(low: float, high: float, signed: bool = True) -> Span:
    return Span(low, high, True, signed)


@attrs.frozen
class Sweep:
    """A function and where it is sampled.

    Attributes:
        reference: of extended operands, or of mpmath numbers where `slow`.
        spans: for each sample, one for each operand.
        wide: further samples for doubles.
        bounds: the greatest error of singles and of doubles, in ulp, with what was measured
            rounded up.
        floor: errors count against results of at least this size.
    """

    op: str
    reference: Callable[..., Any]
    spans: tuple[tuple[Span, ...], ...]
    bounds: tuple[float, float]
    wide: tuple[tuple[Span, ...], ...] = ()
    slow: bool = False
    floor: float = 0.0

    def samples(self, dtype: str, count: int, seed: int = 0) -> list[Samples]:
        """Operands: `count` of each span, those that are finite in the type."""
        generator = np.random.default_rng([seed, *self.op.encode()])
        spans = self.spans + (self.wide if dtype == "f64" else ())
        drawn = [[span.draw(generator, count) for span in operands] for operands in spans]
        with np.errstate(over="ignore", under="ignore"):
            joined = [np.concatenate(part).astype(KIND[dtype]) for part in zip(*drawn, strict=True)]
        finite = np.logical_and.reduce([np.isfinite(part) for part in joined])
        return [part[finite] for part in joined]

    def normal(self, operands: Sequence[Samples]) -> list[Samples]:
        """Those of the operands that are not subnormal, nor their result."""
        tiny = float(np.finfo(operands[0].dtype).tiny)
        exact = np.abs(self.exact(operands))
        kept = np.logical_and.reduce([np.abs(x) >= tiny for x in operands])
        kept &= ~(exact < 1.000001 * tiny)
        return [x[kept] for x in operands]

    def exact(self, operands: Sequence[Samples]) -> Samples:
        """The reference at these operands, extended."""
        with np.errstate(all="ignore"):
            if not self.slow:
                return np.asarray(self.reference(*[x.astype(np.longdouble) for x in operands]))
            return _by_mpmath(self.reference, operands)

    def errors(self, got: Samples, operands: Sequence[Samples]) -> Samples:
        """In ulp; infinite where a result is not finite and should be, or the other way round."""
        exact = self.exact(operands)
        with np.errstate(all="ignore"):
            rounded = exact.astype(got.dtype)
            size = np.maximum(np.abs(rounded), got.dtype.type(self.floor))
            unit = np.spacing(np.where(np.isfinite(size), size, 1)).astype(np.longdouble)
            error = np.abs(got.astype(np.longdouble) - exact) / unit
        special = ~np.isfinite(rounded)
        same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
        return np.where(
            special, np.where(same, 0, np.inf), np.where(np.isfinite(got), error, np.inf)
        )


def _by_mpmath(reference: Callable[..., Any], operands: Sequence[Samples]) -> Samples:
    import mpmath

    result = np.empty(len(operands[0]), np.longdouble)
    with mpmath.workdps(40):
        for k, numbers in enumerate(zip(*[x.tolist() for x in operands], strict=True)):
            value = reference(mpmath, *[mpmath.mpf(x) for x in numbers])
            head = float(value)
            rest = float(value - head) if np.isfinite(head) else 0.0
            result[k] = np.longdouble(head) + np.longdouble(rest)
    return result


_ANGLES = ((line(-7, 7),), (line(-6000, 6000),), (decades(1e-20, 1e5),), (decades(1e5, 3e38),))
_POSITIVE = ((decades(1e-37, 1e38, False),), (line(0.9, 1.1),), (decades(1e-45, 1e-38, False),))
_WIDE = ((decades(1e-308, 1e308, False),),)

_PLANE = (decades(1e-15, 1e15), decades(1e-15, 1e15))

SWEEPS: tuple[Sweep, ...] = (
    Sweep("exp", np.exp, ((line(-105, 90),), (line(-1, 1),)), (1.0, 1.0), ((line(-746, 711),),)),
    Sweep(
        "expm1",
        np.expm1,
        ((line(-2, 2),), (line(-60, 90),), (decades(1e-30, 1),)),
        (1.3, 1.3),
        ((line(-50, 711),),),
    ),
    Sweep("log", np.log, _POSITIVE, (1.0, 1.0), _WIDE),
    Sweep(
        "log1p",
        np.log1p,
        ((line(-1, 1),), (decades(1e-30, 1),), (decades(1e-3, 1e30, False),)),
        (1.0, 1.0),
    ),
    Sweep("log2", np.log2, _POSITIVE, (1.0, 1.0), _WIDE),
    Sweep("log10", np.log10, _POSITIVE, (1.0, 1.0), _WIDE),
    Sweep("sin", np.sin, _ANGLES, (3.0, 1.0), ((decades(1e6, 1e300),),)),
    Sweep("cos", np.cos, _ANGLES, (3.0, 1.0), ((decades(1e6, 1e300),),)),
    Sweep("tan", np.tan, _ANGLES, (3.2, 1.3), ((decades(1e6, 1e300),),)),
    Sweep("asin", np.arcsin, ((line(-1, 1),), (decades(1e-20, 1),)), (1.0, 1.0)),
    Sweep("acos", np.arccos, ((line(-1, 1),), (line(0.99, 1),)), (1.0, 1.0)),
    Sweep("atan", np.arctan, ((line(-3, 3),), (decades(1e-20, 1e20),)), (2.2, 2.0)),
    Sweep(
        "sinh",
        np.sinh,
        ((line(-2, 2),), (line(-92, 92),), (decades(1e-20, 1),)),
        (1.2, 1.2),
        ((line(-712, 712),),),
    ),
    Sweep("cosh", np.cosh, ((line(-2, 2),), (line(-92, 92),)), (1.5, 1.5), ((line(-712, 712),),)),
    Sweep("tanh", np.tanh, ((line(-2, 2),), (line(-30, 30),), (decades(1e-20, 1),)), (1.5, 1.5)),
    Sweep(
        "asinh",
        np.arcsinh,
        ((line(-2, 2),), (decades(1e-20, 1e38),)),
        (1.3, 1.0),
        ((decades(1e-3, 1e300),),),
    ),
    Sweep(
        "acosh",
        np.arccosh,
        ((line(1, 3),), (decades(1, 1e38, False),)),
        (1.6, 1.6),
        ((decades(1, 1e300, False),),),
    ),
    Sweep("atanh", np.arctanh, ((line(-1, 1),), (decades(1e-20, 1),)), (1.3, 1.3)),
    Sweep("mul", np.multiply, (_PLANE,), (0.501, 0.501)),
    Sweep("div", np.divide, (_PLANE,), (0.501, 0.501)),
    Sweep("sqrt", np.sqrt, _POSITIVE, (0.5, 0.5), _WIDE),
    Sweep("cbrt", np.cbrt, ((decades(1e-45, 1e38),),), (1.0, 0.7), ((decades(1e-320, 1e300),),)),
    Sweep(
        "erf", lambda m, x: m.erf(x), ((line(-6, 6),), (decades(1e-20, 1),)), (2.6, 1.8), slow=True
    ),
    Sweep(
        "erfc",
        lambda m, x: m.erfc(x),
        ((line(-6, 10),), (line(-0.6, 1.5),)),
        (3.0, 2.6),
        ((line(3, 27),),),
        slow=True,
    ),
    Sweep(
        "erfinv",
        lambda m, x: m.erfinv(x),
        ((line(-1, 1),), (line(0.98, 1),), (decades(1e-10, 1),)),
        (2.6, 2.2),
        slow=True,
    ),
    Sweep(
        "gamma",
        lambda m, x: m.gamma(x),
        ((line(0.01, 35),), (line(-5, 5),), (line(-36, 0),), (decades(1e-30, 0.1),)),
        (4.5, 4.0),
        ((line(0.01, 171),), (line(-170, 0),)),
        slow=True,
    ),
    Sweep(
        "gammaln",
        lambda m, x: m.loggamma(x),
        ((line(0.01, 10),), (line(0.7, 2.4),), (decades(1e-30, 1e30, False),)),
        (4.0, 4.5),
        ((decades(1e-300, 1e300, False),),),
        slow=True,
    ),
    Sweep(
        "pow",
        lambda m, x, y: m.power(x, y),
        ((decades(1e-9, 1e9, False), line(-4, 4)), (line(0.5, 2), line(-120, 120))),
        (1.0, 1.0),
        ((decades(1e-9, 1e9, False), line(-34, 34)), (line(0.9, 1.1), line(-7e3, 7e3))),
        slow=True,
    ),
    Sweep(
        "hypot",
        np.hypot,
        ((line(-1, 1), line(-1, 1)), (decades(1e-30, 1e30), decades(1e-30, 1e30))),
        (1.3, 1.3),
    ),
    Sweep(
        "atan2",
        np.arctan2,
        ((line(-1, 1), line(-1, 1)), (decades(1e-15, 1e15), line(-1, 1))),
        (2.2, 2.0),
    ),
)
