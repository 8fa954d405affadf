"""Operators on string arrays: joining with ``+`` and comparison of whole texts.

Sizes expand as for numbers; a row of chars counts as one text.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.values.array import from_numpy
from runmat_core.values.base import class_of
from runmat_core.values.char import CharArray
from runmat_core.values.string import MISSING, StringArray, Texts, texts_of

_COMPARISONS: dict[str, tuple[str, Callable[[str, str], bool]]] = {
    "eq": ("==", operator.eq),
    "ne": ("~=", operator.ne),
    "lt": ("<", operator.lt),
    "le": ("<=", operator.le),
    "gt": (">", operator.gt),
    "ge": (">=", operator.ge),
}
_ORDERED = frozenset({"lt", "le", "gt", "ge"})


def string_plus(a: Any, b: Any) -> StringArray:
    """Return ``a + b`` with a string array: texts joined, missing where one is missing."""
    left, right = _operand(a, "+"), _operand(b, "+")
    if left.size == right.size == 1:
        return StringArray(_joined(left.item(), right.item()))
    return StringArray(_expand(_join_all, left, right))


def string_compare(name: str, a: Any, b: Any) -> Any:
    """Return the comparison `name` (``eq``, ``lt``, ...) where one operand is a string array.

    Missing compares false with everything, except that it is unequal to everything.
    """
    symbol, rule = _COMPARISONS[name]
    left, right = _operand(a, symbol, name in _ORDERED), _operand(b, symbol, name in _ORDERED)

    def test(x: Any, y: Any) -> bool:
        if x is MISSING or y is MISSING:
            return name == "ne"
        return rule(x, y)

    if left.size == right.size == 1:
        return test(left.item(), right.item())
    return from_numpy(_expand(np.frompyfunc(test, 2, 1), left, right).astype(bool))


def _operand(value: Any, symbol: str, only_text: bool = False) -> Texts:
    given = class_of(value)
    if given in ("struct", "function_handle", "containers.Map", "dictionary", "MException"):
        raise errors.undefined_operator(symbol, given)
    if only_text and not isinstance(value, StringArray | CharArray) and given != "cell":
        raise errors.undefined_operator(symbol, given)
    return texts_of(value)


def _joined(x: Any, y: Any) -> Any:
    return MISSING if x is MISSING or y is MISSING else x + y


_join_all = np.frompyfunc(_joined, 2, 1)


def _expand(rule: Callable[..., Any], left: Texts, right: Texts) -> Texts:
    """`rule` element by element with MATLAB's implicit expansion."""
    rank = max(left.ndim, right.ndim)
    x = left.reshape(left.shape + (1,) * (rank - left.ndim), order="F")
    y = right.reshape(right.shape + (1,) * (rank - right.ndim), order="F")
    try:
        result = rule(x, y)
    except ValueError:
        raise errors.incompatible_sizes() from None
    return np.asfortranarray(result)
