"""Bounds of ``while`` loops that count: arithmetic on numbers and on sizes of arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from runmat_core.compiler.host import FunctionCell
from runmat_core.values.array import Array
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import Deferred

_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
#: Values that no class file makes, and whose size the host knows.
_SIZED = (Array, Deferred, CharArray, CellArray, float, bool)


def told(bound: Any, namespace: Mapping[str, Any], variables: Mapping[str, Any]) -> Any:
    """Return the value of a bound.

    Return None where it is no number, or cannot be told without running code.

    Args:
        bound: as `compiler.counted.Told` has it.
        namespace: the globals of the code, with what names of functions mean there.
    """
    if bound.__class__ is str:
        return variables.get(bound)
    if bound.__class__ is not tuple:
        return bound
    operation = _ARITHMETIC.get(bound[0])
    if operation is None:
        return _size(bound, namespace, variables)
    left, right = [told(one, namespace, variables) for one in bound[1:]]
    if not left.__class__ is right.__class__ is float or (bound[0] == "/" and not right):
        return None
    return operation(left, right)


def _size(
    bound: tuple[Any, ...], namespace: Mapping[str, Any], variables: Mapping[str, Any]
) -> float | None:
    """Return what a function says of the size of a variable, where it is the builtin."""
    name, array, *besides = bound
    if name in variables or not isinstance(variables.get(array), _SIZED):
        return None
    if any(number < 1 or number % 1 for number in besides):
        return None
    cell = namespace.get(f"_f_{name}")
    function = cell.target() if isinstance(cell, FunctionCell) else None
    spec = getattr(function, "__runmat_spec__", None)
    if function is None or spec is None or spec.name != name:
        return None
    result = function(1, variables[array], *besides)
    return result if result.__class__ is float else None
