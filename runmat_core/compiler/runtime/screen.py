"""What code may do that is run ahead on placeholders: nothing that anybody else would notice.

Bodies of loops and functions of elements are traced before it is known whether a kernel takes them.
The screen follows what they call, through handles and what those captured, and refuses whatever
prints, keeps state, or could change an object or a variable that is not its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import CodeType, FunctionType
from typing import Any

from runmat_core.compiler.frames import UNSET
from runmat_core.compiler.host import RENAMED, FunctionCell
from runmat_core.compiler.stand_ins import ensure_compiled
from runmat_core.values.cell import CellArray
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.object import HandleObject, ObjectValue
from runmat_core.values.struct import StructArray

#: What builtins may do in code that is traced.
_ALLOWED = frozenset({"pure", "rng"})
#: What they must not need of their caller there: it is not the caller that runs.
_CALLER = frozenset({"workspace", "argument_text"})
#: Names in compiled code of what shows a result.
_SHOWS = frozenset({"display", "_show_list"})
_SHARED = "it knows an object that others share"


def refusal(twin: Any, values: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Why code cannot be traced because of what it calls, empty where it can.

    Args:
        twin: the function that is to be traced.
        values: the variables that it knows; handles among them are looked into.

    Returns:
        The reason, and pairs of a function cell with what it resolves to now.
    """
    return _Screening(values).of([(twin, True)], twin)


def refusal_of(
    names: Iterable[str], namespace: dict[str, Any], values: Mapping[str, Any]
) -> tuple[str, tuple[Any, ...]]:
    """Return the same of a part of a function.

    Args:
        names: global names in the part.
        namespace: where these are.
        values: the variables that it knows.
    """
    screening = _Screening(values)
    direct: list[tuple[Any, bool]] = []
    screening.called(names, namespace, {*values}, direct, True)
    return screening.of(direct)


class _Screening:
    """What is found on the way through code and what it calls."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self._cells: dict[int, tuple[FunctionCell, Any]] = {}

    def of(self, stack: list[tuple[Any, bool]], twin: Any = None) -> tuple[str, tuple[Any, ...]]:
        """Why functions cannot be traced, with the cells that lead to others.

        Args:
            stack: the functions, each with whether the code in question calls it itself.
            twin: the one of them that is that code.
        """
        seen: set[int] = set()
        if _shared(self._values.values(), stack):
            return _SHARED, ()
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
            ensure_compiled(function)
            reason = _own(function, stack)
            if reason:
                return reason, ()
            bound = {*self._values} if function is twin else {*function.__code__.co_varnames}
            bound.update(_bound(function))
            names = _names(function.__code__)
            self.called(names, function.__globals__, bound, stack, function is twin)
        return "", tuple(self._cells.values())

    def called(
        self,
        names: Iterable[str],
        namespace: dict[str, Any],
        bound: set[str],
        stack: list[tuple[Any, bool]],
        direct: bool,
    ) -> None:
        """Put on `stack` the functions that global names mean where variables are `bound`."""
        for name in names:
            found = namespace.get(name)
            if isinstance(found, FunctionCell):
                if found.name.partition(".")[0] in bound:
                    continue
                if id(found) not in self._cells:
                    try:
                        self._cells[id(found)] = found, found.target()
                    except Exception:
                        # a variable, or undefined: then it is not called, or the trace ends
                        continue
                stack.append((found.fn, direct))
            elif _is_followed(found):
                stack.append((found, False))


def _is_followed(found: Any) -> bool:
    """Return whether a global is a function of the same file.

    Outlined bodies have nothing that the loops they are made of have not.
    """
    if not isinstance(found, FunctionType) or "_s" not in found.__globals__:
        return False
    return "~loop" not in found.__name__


def _own(function: FunctionType, stack: list[tuple[Any, bool]]) -> str:
    """Return why a function of MATLAB code is refused for what it is itself.

    Functions that it captured are put on `stack`.
    """
    info = function.__globals__["_infos"].get(function.__code__.co_name)
    if info is not None and (info.global_names or info.persistent_names):
        return "it calls a function with global or persistent variables"
    if info is not None and info.kind == "nested":
        return "it calls a nested function"
    if not _SHOWS.isdisjoint(_names(function.__code__)):
        return "it shows a result"
    return _SHARED if _shared(_bound(function).values(), stack) else ""


def _bound(function: FunctionType) -> dict[str, Any]:
    """Return the variables that a function captured, by their Python names."""
    held = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:
            continue  # captured, but not bound
        if value is not UNSET:
            held[name.removeprefix(RENAMED)] = value
    return held


def _shared(values: Iterable[Any], stack: list[tuple[Any, bool]]) -> bool:
    """Return whether an object with an identity is among `values` or in their containers.

    Functions and handles that are found on the way are put on `stack`.
    """
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, ObjectValue) and (value.runs_code or isinstance(value, HandleObject)):
            return True
        if isinstance(value, FunctionHandle):
            stack.append((value.fn, False))
        elif isinstance(value, FunctionType):
            stack.append((value, False))
        elif isinstance(value, CellArray):
            waiting += value.data.ravel().tolist()
        elif isinstance(value, StructArray):
            waiting += [item for record in value.records() for item in record.values()]
    return False


def _names(code: CodeType) -> list[str]:
    """Global names in code and in what it defines, and names of attributes."""
    found = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += _names(constant)
    return found
