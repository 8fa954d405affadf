"""The attempt to capture the trips of a loop that are left after the first."""

from __future__ import annotations

import math
from types import CodeType, FunctionType
from typing import Any

from runmat_core.accel.capture.current import get
from runmat_core.compiler.host import FunctionCell
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.hooks import HOOKS

#: Counters up to here count exactly.
_EXACT = 2.0**50
#: What builtins may do in a captured loop.
_ALLOWED = frozenset({"pure", "rng"})
#: What they must not need of their caller there: it is not the caller that runs.
_CALLER = frozenset({"workspace", "argument_text"})


def loop(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
) -> tuple[Any, ...] | None:
    """Values of the loop's variable and of those that it writes after its last trip.

    None where the loop is to go on in the ordinary way.

    Args:
        twin: the body as a function over a dict of variables.
        variables: the workspace, or a snapshot of the locals.
        variable: that of the loop.
        writes, reads: names in the body.
        parts: start, step and stop of the range, or the array whose columns are iterated.
    """
    names = dict.fromkeys((variable, *writes, *reads))
    known = {name: variables[name] for name in names if name in variables}
    shadowed = variables.get("_globals", ())
    if "_nout" in variables:
        # a snapshot of locals, which a frame keeps: it would hold on to old values
        variables.clear()
    seat = get()
    if seat is None or any(name in shadowed for name in names):
        return None
    least = seat.threshold
    if not any(_is_large(known.get(name), least) for name in writes):
        return None
    from runmat_core.accel.loops import attempt

    return attempt.attempt(twin, known, variable, writes, parts, refusal)


def counted(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[float, str, Any],
) -> tuple[Any, ...] | None:
    """The same of a ``while`` that moves `variable` towards a bound as its last statement.

    Args:
        parts: step of the counter, its relation to the bound, and the bound.
    """
    step, relation, bound = parts
    value: Any = variables.get(variable)
    left = 0.0
    if value.__class__ is float and bound.__class__ is float and abs(bound - value) < _EXACT:
        distance = (bound - value) / step
        left = math.floor(distance) + 1 if "=" in relation else math.ceil(distance)
    if left < 1 or not value.is_integer():
        if "_nout" in variables:
            variables.clear()
        return None
    # as if the trip that is over had been the first of a range
    span = (value - step, step, value + (left - 1) * step)
    found = loop(twin, variables, variable, writes, reads, span)
    return None if found is None else (found[0] + step, *found[1:])


def _is_large(value: Any, least: int) -> bool:
    if value.__class__ is Deferred:
        return value.shape != (1, 1)
    return value.__class__ is Array and value.data.size >= least


# -- what the body calls ---------------------------------------------------------------------------


def refusal(twin: Any, values: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Why a body cannot be captured because of what it calls, empty where it can.

    Args:
        values: the variables that it knows; handles among them are looked into.

    Returns:
        The reason, and pairs of a function cell with what it resolves to now.
    """
    seen: set[int] = set()
    cells: dict[int, tuple[FunctionCell, Any]] = {}
    stack: list[tuple[Any, bool]] = [(twin, True)]
    for value in values.values():
        if isinstance(value, FunctionHandle):
            stack.append((value.fn, False))
    while stack:
        function, direct = stack.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        spec = getattr(function, "__runmat_spec__", None)
        if spec is not None:
            effects = spec.effects or ("pure" if spec.fusion is not None else "state")
            if effects not in _ALLOWED:
                return f"it calls {spec.name}", ()
            if direct and _CALLER & set(spec.needs):
                return f"{spec.name} looks at its caller", ()
            continue
        if not isinstance(function, FunctionType) or "_s" not in function.__globals__:
            return "it calls what is no MATLAB code", ()
        if _holds_state(function):
            return "it calls a function with global or persistent variables", ()
        for name in _names(function.__code__):
            found = function.__globals__.get(name)
            if isinstance(found, FunctionCell):
                if function is twin and found.name.partition(".")[0] in values:
                    continue
                if id(found) not in cells:
                    try:
                        cells[id(found)] = found, found.target()
                    except Exception:
                        # a variable, or undefined: then it is not called, or the trace ends
                        continue
                stack.append((found.fn, function is twin))
            elif isinstance(found, FunctionType) and "_s" in found.__globals__:
                stack.append((found, False))
    return "", tuple(cells.values())


def _holds_state(function: FunctionType) -> bool:
    info = function.__globals__["_infos"].get(function.__code__.co_name)
    return info is not None and bool(info.global_names or info.persistent_names)


def _names(code: CodeType) -> list[str]:
    """Global names in code and in what it defines."""
    found = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _names(constant)
    return found


HELPERS = {
    "loop": loop,
    "counted": counted,
    "locals": locals,
    "Array": Array,
    "Deferred": Deferred,
    "HOOKS": HOOKS,
}
