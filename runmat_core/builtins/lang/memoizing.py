"""memoize: functions that remember what they gave."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.values import (
    FunctionHandle,
    cell,
    class_of,
    from_numpy,
    horzcat,
    isequal,
    numel_of,
    share,
    struct,
    to_numpy,
)
from runmat_core.values.base import COLON
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.object import HandleObject, method

_STATE = "lang.memoized"


@attrs.define(eq=False)
class _Call:
    """One call that is remembered."""

    inputs: tuple[Any, ...]
    nargout: int
    outputs: tuple[Any, ...]
    hits: int = 0

    def answers(self, inputs: tuple[Any, ...], nargout: int) -> bool:
        if nargout != self.nargout or len(inputs) != len(self.inputs):
            return False
        pairs = zip(inputs, self.inputs, strict=True)
        return all(isequal(one, other, nan_equal=True) for one, other in pairs)


@attrs.define(eq=False)
class _Memory:
    """What all objects for one function share."""

    function: FunctionHandle
    calls: list[_Call] = attrs.field(factory=list)
    size: float = 10.0
    enabled: bool = True
    hits: int = 0
    misses: int = 0

    def clear(self) -> None:
        self.calls.clear()
        self.hits = self.misses = 0

    def trim(self) -> None:
        while len(self.calls) > self.size:
            del self.calls[0]


class MemoizedFunction(HandleObject):
    """The value of ``memoize``."""

    __slots__ = ()
    data: _Memory
    class_name = "matlab.lang.MemoizedFunction"
    properties = ("Function", "Enabled", "CacheSize")

    def __init__(self, memory: _Memory) -> None:
        self.data = memory

    @property
    def fn(self) -> Any:
        """How builtins call what they are given."""
        return lambda nargout, *args: self.called_with(nargout, args)

    def paren(self, subs: Any) -> Any:
        return self.called_with(1, subs)

    def called_with(self, nargout: int, subs: Any) -> Any:
        """``f(args)`` with any number of outputs."""
        memory = self.data
        inputs = tuple(CharArray(":") if sub is COLON else share(sub) for sub in subs)
        if not memory.enabled:
            return memory.function.fn(nargout, *inputs)
        known = next((call for call in memory.calls if call.answers(inputs, nargout)), None)
        if known is not None:
            memory.hits += 1
            known.hits += 1
            return _result(known.outputs, nargout)
        memory.misses += 1
        found = memory.function.fn(nargout, *map(share, inputs))
        outputs = found if isinstance(found, tuple) else () if found is None else (found,)
        memory.calls.append(_Call(inputs, nargout, tuple(map(share, outputs))))
        memory.trim()
        return found

    def get_property(self, name: str) -> Any:
        memory = self.data
        if name == "Function":
            return memory.function
        return memory.enabled if name == "Enabled" else memory.size

    def set_property(self, name: str, rhs: Any) -> None:
        if name == "Enabled":
            self.data.enabled = bool(_number(rhs, "Enabled", 0.0))
        elif name == "CacheSize":
            size = _number(rhs, "CacheSize", 1.0)
            if size % 1:
                raise _bad_value("CacheSize", "a positive integer")
            self.data.size = size
            self.data.trim()
        else:
            super().set_property(name, rhs)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        return isinstance(other, MemoizedFunction) and other.data is self.data

    @method("clearCache")
    def clear_cache(self, nargout: int = 0) -> None:
        self.data.clear()

    @method("stats")
    def stats(self, nargout: int = 1) -> Any:
        memory = self.data
        calls = memory.calls
        most = max(calls, key=lambda call: call.hits, default=None)
        asked = memory.hits + memory.misses
        cache = {
            "Inputs": _row([_row(call.inputs) for call in calls]),
            "Nargout": _numbers([call.nargout for call in calls]),
            "Outputs": _row([_row(call.outputs) for call in calls]),
            "HitCount": _numbers([call.hits for call in calls]),
            "TotalHits": float(memory.hits),
            "TotalMisses": float(memory.misses),
        }
        hit = None if most is None or not most.hits else most
        parts = {} if hit is None else {"Hits": float(hit.hits), "Input": _row(hit.inputs)}
        return struct(
            {
                "Cache": struct(cache),
                "MostHitCachedInput": struct(parts) if parts else horzcat(),
                "CacheHitRatePercent": 100.0 * memory.hits / asked if asked else 0.0,
                "CacheOccupancyPercent": 100.0 * len(calls) / memory.size,
            }
        )


def _result(outputs: tuple[Any, ...], nargout: int) -> Any:
    given = tuple(map(share, outputs))
    if nargout > 1:
        return given
    return given[0] if given else None


def _row(items: Any) -> Any:
    found = [share(item) for item in items]
    return cell(found, (1, len(found)) if found else (0, 0))


def _numbers(items: list[int]) -> Any:
    return from_numpy(np.array([items], np.float64)) if items else horzcat()


def _bad_value(name: str, what: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:memoize:Invalid{name}", f"Value of property '{name}' must be {what}."
    )


def _number(value: Any, name: str, least: float) -> float:
    """Return a scalar of at least `least`, or true or false."""
    what = "a positive integer" if least else "true or false"
    if class_of(value) not in DTYPE or numel_of(value) != 1:
        raise _bad_value(name, what)
    number = to_numpy(value).item()
    if isinstance(number, complex) or not least <= number < float("inf"):
        raise _bad_value(name, what)
    return float(number)


def _memories(interp: Any) -> list[_Memory]:
    found: list[_Memory] = interp.state(_STATE, list)
    return found


@builtin("memoize", family="lang/functions", needs=("interp",))
def memoize(function: Any, *, interp: Any) -> Any:
    """A function that remembers the results of its calls.

    M = memoize(F) is an object that is called as the function handle F is

    What it gave stands in a cache: M calls F where no call in it had equal inputs, NaN counting as
    equal, and as many outputs. M.CacheSize is how many calls there may be, 10 at first; the oldest
    go first. M.Enabled = false calls F each time. stats(M) is a struct of what is there and how
    often it was asked for, and clearCache(M) forgets it.

    All objects that are made for one function share one cache and its properties.

    Examples:
        >> M = memoize(@plus)
        M =
          MemoizedFunction with properties:
             Function: @plus
              Enabled: 1
            CacheSize: 10
        >> a = [M(13, 42), M(7, 33), M(13, 42)]; s = stats(M);
        >> s.MostHitCachedInput
        ans =
          struct with fields:
             Hits: 1
            Input: {[13]  [42]}

    See also: clearCache, stats, clearAllMemoizedCaches, func2str.
    """
    if not isinstance(function, FunctionHandle) or class_of(function) != "function_handle":
        raise MatlabError("MATLAB:memoize:InvalidInput", "Input must be a function handle.")
    memories = _memories(interp)
    memory = next((one for one in memories if one.function.same(function)), None)
    if memory is None:
        memory = _Memory(function)
        memories.append(memory)
    return MemoizedFunction(memory)


def _memoized(value: Any, name: str) -> MemoizedFunction:
    if not isinstance(value, MemoizedFunction):
        raise undefined_for(name, class_of(value))
    return value


@builtin("clearCache", family="lang/functions", nargout=0)
def clear_cache(memoized: Any) -> None:
    """Forget the results that a memoized function gave, and the counts of its calls.

    clearCache(M) does so for all objects of the same function

    Examples:
        >> M = memoize(@cos); a = M(0); clearCache(M); s = stats(M); s.Cache.TotalMisses
        ans =
             0

    See also: memoize, stats, clearAllMemoizedCaches.
    """
    _memoized(memoized, "clearCache").clear_cache()


@builtin("stats", family="lang/functions")
def stats(memoized: Any) -> Any:
    """What a memoized function remembers, and how often that was asked for.

    S = stats(M) is a struct. S.Cache has the Inputs, Nargout, Outputs and HitCount of each call
    that is remembered, and TotalHits and TotalMisses of all calls. S.MostHitCachedInput has the
    Hits and the Input of the one that was asked for most, and is empty where none was;
    S.CacheHitRatePercent and S.CacheOccupancyPercent are shares.

    Examples:
        >> M = memoize(@hypot); a = [M(3, 4), M(3, 4), M(5, 12)];
        >> s = stats(M); s.Cache.HitCount
        ans =
             1     0

    See also: memoize, clearCache.
    """
    return _memoized(memoized, "stats").stats()


@builtin("clearAllMemoizedCaches", family="lang/functions", nargin=(0, 0), nargout=0,
         needs=("interp",))  # fmt: skip
def clear_all_memoized_caches(*, interp: Any) -> None:
    """Forget the results of all memoized functions.

    clearAllMemoizedCaches

    Examples:
        >> M = memoize(@sinh); a = M(1); clearAllMemoizedCaches
        >> s = stats(M); s.CacheOccupancyPercent
        ans =
             0

    See also: memoize, clearCache.
    """
    for memory in _memories(interp):
        memory.clear()
