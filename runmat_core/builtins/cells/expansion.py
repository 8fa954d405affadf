"""bsxfun: a binary function with implicit expansion."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins.cells.support import resolve
from runmat_core.values import CharArray, class_of, from_numpy, horzcat, size_of, to_numpy
from runmat_core.values.array import Array, wrap
from runmat_core.values.classes import DOUBLE
from runmat_core.values.deferred import all_settled

#: Operators whose sizes fit wherever those of bsxfun do.
_OPERATORS = frozenset("plus minus times rdivide ldivide power eq ne lt le gt ge and or".split())


@builtin("bsxfun", family="cells/expansion", needs=("interp",), pending="keep")
def bsxfun(function: Any, first: Any, second: Any, *, interp: Interp) -> Any:
    """Apply a binary function element by element with expansion of singleton dimensions.

    C = bsxfun(fun, A, B) expands A and B along the dimensions where one of them has size 1. The
    function fun gets columns of equal length, or a column and a scalar where A or B has one row,
    and returns such a column. The operators expand by themselves: A + B is bsxfun(@plus, A, B).

    Examples:
        >> bsxfun(@plus, [1 2 3], [10; 20])
        ans =
            11    12    13
            21    22    23
        >> bsxfun(@(a, b) a*b, [1; 2], [3 4])
        ans =
             3     4
             6     8

    See also: repmat, arrayfun, plus.
    """
    fn = resolve(function, interp, "bsxfun")
    spec = getattr(fn, "__runmat_spec__", None)
    if spec is not None and spec.name in _OPERATORS:
        try:
            return fn(1, first, second)  # which expands by itself
        except MatlabError as problem:
            if problem.identifier != "MATLAB:sizeDimensionsMustMatch":
                raise
    a, b = size_of(first), size_of(second)
    if len(a) != len(b):
        a, b = _aligned(a, b)
    if a != b and any(m != n and m != 1 and n != 1 for m, n in zip(a, b, strict=True)):
        raise MatlabError(
            "MATLAB:bsxfun:arrayDimensionsMustMatch",
            "Non-singleton dimensions of the two input arrays must match each other.",
        )
    if spec is not None and spec.elementwise:
        return fn(1, first, second)  # which expands by itself
    first, second = all_settled((first, second))
    shape = tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))
    if 0 in shape or (spec is None and (a == b or 1 in (prod(a), prod(b)))):
        # a function of the user's takes arrays of equal size, or an array and a number, at once
        return fn(1, _expanded(first, a, shape), _expanded(second, b, shape))
    return _by_columns(fn, _columns(first, a, shape), _columns(second, b, shape), shape)


def _columns(value: Any, own: tuple[int, ...], shape: tuple[int, ...]) -> list[Any]:
    """Return the columns of `value` for each column of the result: numbers where it has one row."""
    count = prod(shape[1:])
    if own[0] == prod(own) > 1:
        return [value] * count
    data = to_numpy(value).reshape(own, order="F")
    data = np.broadcast_to(data, (own[0], *shape[1:])).reshape(own[0], -1, order="F")
    if value.__class__ is Array and data.dtype is DOUBLE:
        if own[0] == 1:
            numbers: list[Any] = data.ravel().tolist()
            return numbers
        return [wrap(data[:, k : k + 1]) for k in range(count)]
    cls = class_of(value)
    return [_made(data[:, k : k + 1], cls) for k in range(count)]


def _made(data: NDArray[Any], cls: str) -> Any:
    return CharArray(data.copy("F")) if cls == "char" else from_numpy(data, cls)


def _by_columns(
    fn: MatlabFunction, first: list[Any], second: list[Any], shape: tuple[int, ...]
) -> Any:
    found = [fn(1, x, y) for x, y in zip(first, second, strict=True)]
    wanted = (shape[0], 1)
    if any(
        size_of(column) != wanted
        for column in found
        if column.__class__ is not Array or column.data.shape != wanted
    ):
        raise MatlabError(
            "MATLAB:bsxfun:invalidOutputDimensions",
            "Specified function handle produces invalid output dimensions. The function handle "
            "must be a binary elementwise function.",
        )
    joined = horzcat(*found)
    if len(shape) == 2:
        return joined
    return from_numpy(to_numpy(joined).reshape(shape, order="F"), class_of(joined))


def _aligned(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both sizes with trailing ones up to the same rank."""
    rank = max(len(a), len(b))
    return a + (1,) * (rank - len(a)), b + (1,) * (rank - len(b))


def _expanded(value: Any, own: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """`value` repeated to `shape`; scalars stay, since every function takes them as they are."""
    if own == shape or all(extent == 1 for extent in own):
        return value
    data = to_numpy(value).reshape(own, order="F")
    return _made(np.array(np.broadcast_to(data, shape), order="F"), class_of(value))
