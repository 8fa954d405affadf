"""What the functions of expressions share: variables, texts and numbers among arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import MatlabError
from runmat_symbolic.lazy import error, sp, variable
from runmat_symbolic.value import Sym, cells, symbolic


def variables(*values: Sym) -> list[Any]:
    """The variables of all expressions in the order of their names, capitals first."""
    found = {s for value in values for item in value.items for s in item.free_symbols}
    return sorted(found, key=lambda s: str(s.name))


def default(value: Sym) -> Any:
    """The variable that functions take where none is named: a function's first argument, else the
    one whose name is the nearest to x."""
    if value.arguments:
        return value.arguments[0]
    found = variables(value)
    if not found:
        return variable("x")
    return min(found, key=lambda s: (abs(ord(s.name[0].lower()) - ord("x")), -ord(s.name[0]),
                                     s.name))  # fmt: skip


def unknown(value: Any, inside: Sym) -> Any:
    """The variable that an argument names."""
    if isinstance(value, str):
        return next((s for s in variables(inside) if s.name == value), variable(value))
    found = symbolic(value).one
    if not (found.is_Symbol or found.is_Function):
        raise error("sym:SymVariableExpected", "Argument must be a symbolic variable.")
    return found


def named_variables(value: Any, inside: Sym) -> list[Any]:
    """The variables that an argument lists; without one, those of an expression."""
    if value is None:
        return list(inside.arguments or variables(inside))
    if isinstance(value, str):
        return [unknown(value, inside)]
    return [unknown(Sym(item), inside) for item in symbolic(value).items]


def is_variable(value: Any) -> bool:
    return isinstance(value, Sym) and value.array.size == 1 and bool(value.one.is_Symbol)


def integer(value: Any, least: int = 0) -> int:
    """A whole number, given as a number or an expression.

    Raises:
        MatlabError: it is none.
    """
    try:
        number = float(value.one if isinstance(value, Sym) else np.asarray(value).item())
    except (TypeError, ValueError):
        number = float("nan")
    if not (math.isfinite(number) and number >= least and number == int(number)):
        raise error("sym:PositiveIntegerExpected", "Argument must be a nonnegative integer.")
    return int(number)


def column(items: Sequence[Any], row: bool = False) -> Sym:
    """Expressions as a column, or a row; 0-by-1 or 1-by-0 without any."""
    return Sym(cells(list(items), (1, len(items)) if row else (len(items), 1)))


def done(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """What SymPy's `function` gives.

    Raises:
        MatlabError: it cannot do it.
    """
    try:
        return function(*args, **named)
    except MatlabError:
        raise
    except (NotImplementedError, ValueError, TypeError, AttributeError, ZeroDivisionError,
            sp.PolynomialError) as problem:  # fmt: skip
        text = str(problem).split("\n")[0].rstrip(". ") or type(problem).__name__
        raise error("kernel:Failed", f"Unable to find a result: {text}.") from None


def order(item: Any) -> tuple[float, ...]:
    """A key of order: real numbers, then complex ones, then expressions as they come."""
    if not item.is_number:
        return (2.0,)
    number = complex(item.evalf())
    is_real = abs(number.imag) <= 1e-14 * abs(number)
    return 1.0 - is_real, round(number.real, 9), 0.0 if is_real else number.imag


def ordered(items: Sequence[Any]) -> list[Any]:
    return sorted(items, key=order)


def options(args: Sequence[Any], *names: str) -> tuple[list[Any], dict[str, Any]]:
    """Arguments without pairs of an option's name and value, and these by their names."""
    known = {name.lower(): name for name in names}
    plain, found, rest = [], {}, list(args)
    while rest:
        arg = rest.pop(0)
        name = known.get(arg.lower()) if isinstance(arg, str) else None
        if name is not None and rest:
            found[name] = rest.pop(0)
        else:
            plain.append(arg)
    return plain, found


def several(value: Any) -> list[Any]:
    """The values in a cell array, or the value alone."""
    data = getattr(value, "data", None)
    if getattr(value, "class_name", "") != "cell" or not isinstance(data, np.ndarray):
        return [value]
    return [getattr(v, "elements", v) for v in data.ravel(order="F")]


def written(item: Any) -> str:
    """An expression as MATLAB writes it."""
    from runmat_symbolic.printer import written as text

    return text(item)
