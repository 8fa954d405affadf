"""Builtins that classes of arrays overload: what ``sum`` means of durations.

An overload is a function marked with `overload` in one of the modules that `MODULES` names for its
class; they are imported with the first call that meets an object of the class. The adapters of the
builtins in `NAMES` look for such objects among their arguments, all others do not.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from runmat_core.api import errors
from runmat_core.api.interp import MatlabFunction
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.array_object import OBJECTS
from runmat_core.values.base import Value

F = TypeVar("F", bound=Callable[..., Any])

_HERE = "runmat_core.builtins"
_ANY = f"{_HERE}.rearranged"

_TABLES = tuple(f"{_HERE}.tables.{module}" for module in ("rows", "joins", "variables", "scaling"))

#: Of points in time and of spans.
_TIMES = (
    *(f"{_HERE}.time.{module}" for module in ("measured", "histograms")),
    *(f"{_HERE}.tables.discretizing", f"{_HERE}.ordered", _ANY),
)

#: The modules that hold the overloads of a class, those named first win; of others `_ANY` does.
MODULES: dict[str, tuple[str, ...]] = {
    "duration": (f"{_HERE}.time.spans", *_TIMES),
    "datetime": (f"{_HERE}.time.points", *_TIMES),
    "categorical": (f"{_HERE}.categories.functions", f"{_HERE}.ordered", _ANY),
    "table": _TABLES,
    "timetable": _TABLES,
    "calendarDuration": (f"{_HERE}.time.calendar_spans", _ANY),
    "RandStream": (f"{_HERE}.random.streams",),
    "pattern": (f"{_HERE}.text.pattern_search", _ANY),
    "polyshape": (f"{_HERE}.geometry.polygon_functions",),
}

#: Every name that some class overloads.
NAMES = frozenset(
    # rearranging, of all classes
    "reshape repmat permute ipermute flip fliplr flipud circshift squeeze rot90 repelem perms "
    "nchoosek "
    # order
    "sort unique ismember union intersect setdiff setxor min max issorted mode ismissing "
    "bounds issortedrows "
    # random numbers of a stream
    "rand randn randi randperm "
    # searching text
    "contains startsWith endsWith matches count erase replace strfind "
    # regions of the plane
    "xor area perimeter boundary "
    # numbers
    "abs sum mean median std cumsum diff floor ceil round fix sign mod rem isnan isinf "
    "prctile quantile iqr range clip isuniform anynan allfinite trapz cumtrapz interp1 discretize "
    "split isfinite linspace double single char string cellstr datestr datenum datevec "
    "weekday strcmp histcounts sortrows join fieldnames "
    "movmean movmedian movmin movmax movsum movstd movmad "
    # order of rows and running extremes
    "topkrows maxk mink cummax cummin normalize".split()
)


class Call(NamedTuple):
    """A call that an overload takes over.

    Attributes:
        name: the builtin.
        original: the builtin itself, as ``original(nargout, *args)``.
        nargout: how many outputs are wanted.
    """

    name: str
    original: MatlabFunction
    nargout: int


def overload(*names: str, anywhere: bool = False) -> Callable[[F], F]:
    """Mark ``f(call, *args)`` as what the builtins called `names` are of objects.

    Args:
        anywhere: whether the object may be the second argument too, not the first alone.
    """

    def mark(function: F) -> F:
        function.__overloads__ = names  # type: ignore[attr-defined]
        most, least = _arity(function)
        function.__fits__ = (least, most, anywhere)  # type: ignore[attr-defined]
        return function

    return mark


def _arity(function: Callable[..., Any]) -> tuple[float, int]:
    """Most and fewest arguments after the call itself."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    most = math.inf if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(parameters)
    named = [p for p in parameters if p.kind is not p.VAR_POSITIONAL]
    return most, sum(p.default is p.empty for p in named)


def dispatch(original: MatlabFunction, name: str, nargout: int, args: Sequence[Any]) -> Any:
    """Return the result of the overload for the first object among `args`.

    NotImplemented without one.
    """
    for at, value in enumerate(args):
        if not isinstance(value, Value) or value.__class__ not in OBJECTS:
            continue
        found = table(value.class_name).get(name)
        if found is None:
            continue
        least, most, anywhere = found.__fits__  # type: ignore[attr-defined]
        if at > anywhere:
            continue
        if len(args) > most:
            raise errors.too_many_inputs()
        if len(args) < least:
            raise errors.not_enough_inputs()
        return found(Call(name, original, nargout), *args)
    return NotImplemented


@cache
def table(class_name: str) -> dict[str, Callable[..., Any]]:
    """Return the overloads of a class by name."""
    found: dict[str, Callable[..., Any]] = {}
    for module in reversed(MODULES.get(class_name, (_ANY,))):
        for member in vars(import_module(module)).values():
            found.update(dict.fromkeys(getattr(member, "__overloads__", ()), member))
    return found
