"""Inline functions: functions made of the text of an expression, older than anonymous functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import option
from runmat_core.values import (
    FunctionHandle,
    char,
    class_of,
    is_text,
    numel_of,
    text,
    to_numpy,
)
from runmat_core.values.cell import cell_column
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, writer

#: Names in an expression that are no variables.
_CONSTANTS = frozenset({"i", "j", "pi", "inf", "Inf", "nan", "NaN", "eps", "end", "true", "false"})
#: A name that is not a field, part of a number or part of a text, and whether it is called.
_NAME = re.compile(
    r"(?<![\w)\]}.'])'(?:[^']|'')*'"  # a text; elsewhere a quote transposes
    r"|(?<![\w.])\d+\.?\d*(?:[eE][-+]?\d+)?"
    r"|\.?\b([A-Za-z]\w*)\b(\s*\()?"
)
#: Operators that have a form element by element.
_MATRIX_OPERATOR = re.compile(r"(?<!\.)([*/\\^])")


class InlineFunction(FunctionHandle):
    """A function of an expression's text.

    Attributes:
        expression: the text.
        arguments: the names of its inputs.
    """

    __slots__ = ("arguments", "expression")
    class_name = "inline"

    def __init__(self, expression: str, arguments: Sequence[str], interp: Any) -> None:
        source = f"@({','.join(arguments)}){expression}"
        made = interp.evaluate(source, interp.empty_workspace(), 1)
        super().__init__(made.fn, "", source)
        self.expression = expression
        self.arguments = tuple(arguments)


@writer("inline")
def _inline(name: str, value: Any, fmt: DisplayFormat) -> Shown:
    signature = f"{name or 'ans'}({','.join(value.arguments)})"
    return Shown(f"     {signature} = {value.expression}\n", "     Inline function:")


def variables_of(expression: str) -> list[str]:
    """Return the variables in an expression, sorted; functions that it calls are none."""
    found = {
        m[1]
        for m in _NAME.finditer(expression)
        if m[1] and not m[2] and not m[0].startswith(".") and m[1] not in _CONSTANTS
    }
    return sorted(found)


def vectorized(expression: str) -> str:
    """Return the expression with its operators element by element."""
    return _MATRIX_OPERATOR.sub(r".\1", expression)


def _text(value: Any, function: str, what: str) -> str:
    if not is_text(value):
        raise MatlabError(f"MATLAB:{function}:InvalidInput", f"{what} must be a character vector.")
    return text(value)


def _need_inline(value: Any, function: str) -> InlineFunction:
    if not isinstance(value, InlineFunction):
        raise undefined_for(function, class_of(value))
    return value


@builtin("inline", family="lang/functions", nargin=(1, None), needs=("interp",))
def inline(expression: Any, *arguments: Any, interp: Any) -> Any:
    """Make a function of the text of an expression. Anonymous functions are newer and faster.

    F = inline(EXPR) is a function of the variables in EXPR, in alphabetical order, or of x
    F = inline(EXPR, ARG1, ARG2, …) names the inputs
    F = inline(EXPR, N) is a function of x, P1, …, PN

    Examples:
        >> f = inline('a*x^2')
        f =
             Inline function:
             f(a,x) = a*x^2
        >> f(3, 2)
        ans =
            12
        >> g = inline('t/2', 't', 'k'); g(3, 1)
        ans =
            1.5000

    See also: vectorize, formula, argnames, str2func.
    """
    body = _text(expression, "inline", "Input").strip()
    if not arguments:
        names = variables_of(body) or ["x"]
    elif len(arguments) == 1 and not is_text(arguments[0]):
        count = to_numpy(arguments[0]).item() if numel_of(arguments[0]) == 1 else -1
        if not (count >= 0 and count == int(count)):
            raise MatlabError("MATLAB:inline:InvalidInput", "N must be a nonnegative integer.")
        names = ["x", *(f"P{k + 1}" for k in range(int(count)))]
    else:
        names = [_text(name, "inline", "The name of an input").strip() for name in arguments]
    wrong = next((name for name in names if not re.fullmatch(r"[A-Za-z]\w*", name)), None)
    if wrong is not None:
        raise MatlabError("MATLAB:inline:InvalidInput", f"'{wrong}' is not a name of a variable.")
    return InlineFunction(body, names, interp)


@builtin("vectorize", family="lang/functions", nargin=(1, 1), needs=("interp",))
def vectorize(function: Any, *, interp: Any) -> Any:
    """Write the operators of an expression element by element.

    S = vectorize(TEXT) puts a dot before ^, * and / that have none
    G = vectorize(F) does so in an inline function

    Examples:
        >> vectorize('x^2*y')
        ans =
            'x.^2.*y'

    See also: inline, formula.
    """
    if isinstance(function, InlineFunction):
        return InlineFunction(vectorized(function.expression), function.arguments, interp)
    return char(vectorized(_text(function, "vectorize", "Input")))


@builtin("formula", family="lang/functions", nargin=(1, 1))
def formula(function: Any) -> Any:
    """The text of an inline function.

    S = formula(F)

    Examples:
        >> formula(inline('2*t'))
        ans =
            '2*t'

    See also: argnames, inline, func2str.
    """
    return char(_need_inline(function, "formula").expression)


@builtin("argnames", family="lang/functions", nargin=(1, 1))
def argnames(function: Any) -> Any:
    """The names of the inputs of an inline function.

    C = argnames(F) is a column of cells

    Examples:
        >> argnames(inline('a*x'))
        ans =
          2×1 cell array
            {'a'}
            {'x'}

    See also: formula, inline, nargin.
    """
    names = _need_inline(function, "argnames").arguments
    return cell_column([char(name) for name in names])


@builtin("symvar", family="lang/functions", nargin=(1, 1))
def symvar(expression: Any) -> Any:
    """The variables in the text of an expression.

    C = symvar(TEXT) is a column of cells, sorted, without i, j, pi, inf, nan, eps and functions
    that are called

    Examples:
        >> symvar('cos(pi*x - beta)')
        ans =
          2×1 cell array
            {'beta'}
            {'x'   }

    See also: inline, argnames.
    """
    names = variables_of(_text(expression, "symvar", "Input"))
    return cell_column([char(name) for name in names])


@builtin("fcnchk", family="lang/functions", nargin=(1, None), needs=("interp",))
def fcnchk(function: Any, *options: Any, interp: Any) -> Any:
    """A function that can be called, of a handle, a name, or the text of an expression.

    F = fcnchk(FUN)
    F = fcnchk(TEXT, "vectorized") writes the operators of an expression element by element

    Examples:
        >> f = fcnchk('sin'); f(0)
        ans =
             0
        >> f = fcnchk('x^2', 'vectorized'); f([1 2 3])
        ans =
             1     4     9

    See also: feval, inline, str2func.
    """
    by_element = any(option(word) == "vectorized" for word in options)
    if isinstance(function, InlineFunction) and by_element:
        return vectorize(function, interp=interp)
    if isinstance(function, FunctionHandle):
        return function
    body = _text(function, "fcnchk", "FUN").strip()
    if re.fullmatch(r"[A-Za-z]\w*", body):
        return interp.handle(body)
    return inline(char(vectorized(body) if by_element else body), interp=interp)
