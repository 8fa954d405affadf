"""Functions of numbers that are defined of spans and of points in time.

A call runs on milliseconds: those of spans, and for points those since one of them, so that they
are exact as doubles. The tables say what the outputs are then: elements of the same class, spans,
or numbers as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.ordered import for_numbers
from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import from_numpy, is_text, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

#: What outputs are: an element ``e``, a span ``s``, or ``n``, as it is.
_OF_SPANS = {
    **dict.fromkeys(("sum", "mean", "median", "cumsum", "diff", "abs", "linspace"), "e"),
    **dict.fromkeys(("prctile", "quantile", "range", "clip"), "e"),
    **dict.fromkeys(("std", "iqr"), "ee"),
    **dict.fromkeys(("movmean", "movmedian", "movmin", "movmax"), "e"),
    **dict.fromkeys(("movsum", "movstd", "movmad"), "e"),
    "isuniform": "ne",
    **dict.fromkeys(("sign", "isnan", "isinf", "isfinite", "anynan", "allfinite"), "n"),
}
_OF_POINTS = {
    **dict.fromkeys(("mean", "median", "prctile", "quantile", "clip", "linspace"), "e"),
    **dict.fromkeys(("movmean", "movmedian", "movmin", "movmax"), "e"),
    **dict.fromkeys(("diff", "range", "movstd", "movmad"), "s"),
    **dict.fromkeys(("std", "iqr"), "se"),
    "isuniform": "ns",
    **dict.fromkeys(("isinf", "isfinite", "allfinite"), "n"),
}
#: Functions all of whose arguments are elements; what is no time is converted.
_ALIKE = ("clip", "linspace")


class Measure:
    """Times of one class as numbers.

    Attributes:
        model: an array whose class, format and zone the elements have.
        origin: the milliseconds that stand for zero.
    """

    def __init__(self, model: ArrayObject) -> None:
        self.model = model
        self.origin: Any = 0.0
        if isinstance(model, Datetime):
            known = model.codes[np.isfinite(model.codes)]
            self.origin = known[0] if known.size else np.longdouble(0)

    def numbers(self, value: Any) -> Any:
        """Return a value of the class, or what converts to it, as a numeric array."""
        codes = self.model.adopt(value).codes - self.origin
        return from_numpy(np.asfortranarray(codes, np.float64))

    def elements(self, numbers: Any) -> Any:
        found = to_numpy(numbers)
        return self.model.with_codes(found.astype(self.model.codes.dtype) + self.origin)

    def spans(self, numbers: Any) -> Any:
        found = to_numpy(numbers).astype(np.float64)
        return Duration(found) if isinstance(self.model, Datetime) else self.model.with_codes(found)

    def outputs(self, result: Any, kinds: str, nargout: int) -> Any:
        """Return what a function returned, each output as what `kinds` says of it."""
        convert: dict[str, Callable[[Any], Any]] = {
            "e": self.elements,
            "s": self.spans,
            "n": lambda value: value,
        }
        if nargout < 2:
            return convert[kinds[0]](result)
        return tuple(convert[k](v) for k, v in zip(kinds, result, strict=False))


@overload(*dict.fromkeys([*_OF_SPANS, *_OF_POINTS]), anywhere=True)
def measured(call: Call, *args: Any) -> Any:
    """Return a function of spans or points, as the tables say."""
    first = args[0]
    if not isinstance(first, Datetime | Duration):
        if call.name not in _ALIKE or not any(isinstance(a, Datetime | Duration) for a in args):
            return NotImplemented
        first = next(a for a in args if isinstance(a, Datetime | Duration))
    kinds = (_OF_POINTS if isinstance(first, Datetime) else _OF_SPANS).get(call.name)
    if kinds is None:
        raise undefined_for(call.name, first.class_name)
    if call.nargout > len(kinds):
        raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
    measure = Measure(first)
    count = {"clip": 3, "linspace": 2}.get(call.name, 1)
    if call.name == "linspace":
        _check_ends(first, args[:2])
    given = [measure.numbers(arg) for arg in args[:count]]
    rest = for_numbers(args[count:])
    nargout = max(call.nargout, 1)
    return measure.outputs(call.original(nargout, *given, *rest), kinds, nargout)


def _check_ends(model: ArrayObject, ends: Sequence[Any]) -> None:
    if any(model.adopt(end).codes.size != 1 for end in ends):
        raise MatlabError("MATLAB:linspace:scalarInputs", "Inputs must be scalars.")


@overload("trapz", "cumtrapz", anywhere=True)
def integrated(call: Call, x: Any, y: Any = None, *dim: Any) -> Any:
    """Spans: numbers over points in time, or over spans; or spans over numbers."""
    over, of = (None, x) if y is None else (x, y)
    if isinstance(of, Datetime) or (isinstance(of, Duration) and isinstance(over, ArrayObject)):
        raise undefined_for(call.name, of.class_name)
    measure = Measure(next(a for a in (over, of) if isinstance(a, Datetime | Duration)))
    args = [measure.numbers(a) if isinstance(a, ArrayObject) else a for a in (over, of)]
    return measure.spans(call.original(1, *args[y is None :], *dim))


@overload("interp1", anywhere=True)
def interpolated(call: Call, *args: Any) -> Any:
    """Tables whose points, or whose values, are times."""
    count = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    if count == 3 and count < len(args) and not isinstance(args[2], ArrayObject):
        count = 2 + bool(getattr(args[2], "shape", (1,)) != (0, 0))
    plain, rest = list(args[: min(count, 3)]), list(args[min(count, 3) :])
    if len(plain) < 2 or any(not _is_measured(a) for a in args if isinstance(a, ArrayObject)):
        return NotImplemented
    at = len(plain) - 2  # where the values are
    if at and isinstance(plain[0], ArrayObject):
        points = Measure(plain[0])
        plain[2] = points.numbers(_alike(plain[0], plain[2]))
        plain[0] = points.numbers(plain[0])
    elif isinstance(plain[-1], ArrayObject):
        raise _unlike(plain[-1].class_name)
    if not isinstance(plain[at], ArrayObject):
        return call.original(1, *plain, *rest)
    values = Measure(plain[at])
    plain[at] = values.numbers(plain[at])
    rest = [values.numbers(a) if isinstance(a, ArrayObject) else a for a in rest]
    return values.elements(call.original(1, *plain, *rest))


def _is_measured(value: Any) -> bool:
    return isinstance(value, Datetime | Duration)


def _alike(points: ArrayObject, queries: Any) -> Any:
    if type(queries) is not type(points) and not is_text(queries):
        raise _unlike(points.class_name)
    return queries


def _unlike(name: str) -> MatlabError:
    return MatlabError(
        "MATLAB:interp1:XAndXqMismatch",
        f"Sample points and query points must both be {name} arrays, or both be numeric.",
    )
