"""Relations and logical operators by name."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from runmat_core import values
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import nan_to_logical
from runmat_core.api.fusion import Map
from runmat_core.api.operators import OPERATORS
from runmat_core.builtins.arguments import numeric
from runmat_core.builtins.lift import expand
from runmat_core.values import SparseArray, from_numpy
from runmat_core.values.sparse_pairs import of_pair


@builtin("eq", family="math/relational", effects="pure", fusion=OPERATORS["eq"])
def eq(a: Any, b: Any) -> Any:
    """Equal, the function form of ``A == B``.

    TF = eq(A, B)

    Examples:
        >> eq(2, 2)
        ans =
          logical
           1

    See also: ne, isequal.
    """
    return values.eq(a, b)


@builtin("ne", family="math/relational", effects="pure", fusion=OPERATORS["ne"])
def ne(a: Any, b: Any) -> Any:
    """Not equal, the function form of ``A ~= B``.

    TF = ne(A, B)

    Examples:
        >> ne(2, 2)
        ans =
          logical
           0

    See also: eq, isequal.
    """
    return values.ne(a, b)


@builtin("lt", family="math/relational", effects="pure", fusion=OPERATORS["lt"])
def lt(a: Any, b: Any) -> Any:
    """Less than, the function form of ``A < B``.

    TF = lt(A, B)

    Examples:
        >> lt(1, 2)
        ans =
          logical
           1

    See also: le, gt, ge.
    """
    return values.lt(a, b)


@builtin("le", family="math/relational", effects="pure", fusion=OPERATORS["le"])
def le(a: Any, b: Any) -> Any:
    """At most, the function form of ``A <= B``.

    TF = le(A, B)

    Examples:
        >> le(2, 2)
        ans =
          logical
           1

    See also: lt, ge.
    """
    return values.le(a, b)


@builtin("gt", family="math/relational", effects="pure", fusion=OPERATORS["gt"])
def gt(a: Any, b: Any) -> Any:
    """Greater than, the function form of ``A > B``.

    TF = gt(A, B)

    Examples:
        >> gt(1, 2)
        ans =
          logical
           0

    See also: ge, lt.
    """
    return values.gt(a, b)


@builtin("ge", family="math/relational", effects="pure", fusion=OPERATORS["ge"])
def ge(a: Any, b: Any) -> Any:
    """At least, the function form of ``A >= B``.

    TF = ge(A, B)

    Examples:
        >> ge(2, 2)
        ans =
          logical
           1

    See also: gt, le.
    """
    return values.ge(a, b)


@builtin("and", family="math/logical", effects="pure", fusion=OPERATORS["and"])
def and_(a: Any, b: Any, *more: Any) -> Any:
    """Both nonzero, the function form of ``A & B``.

    TF = and(A, B, …)

    Examples:
        >> and(1, 0)
        ans =
          logical
           0

    See also: or, not, xor, all.
    """
    return reduce(values.and_, more, values.and_(a, b))


@builtin("or", family="math/logical", effects="pure", fusion=OPERATORS["or"])
def or_(a: Any, b: Any, *more: Any) -> Any:
    """Either nonzero, the function form of ``A | B``.

    TF = or(A, B, …)

    Examples:
        >> or(1, 0)
        ans =
          logical
           1

    See also: and, not, xor, any.
    """
    return reduce(values.or_, more, values.or_(a, b))


@builtin("not", family="math/logical", effects="pure", fusion=OPERATORS["not"])
def not_(a: Any) -> Any:
    """Zero elements, the function form of ``~A``.

    TF = not(A)

    Examples:
        >> not(0)
        ans =
          logical
           1

    See also: and, or, xor.
    """
    return values.not_(a)


@builtin(
    "xor",
    family="math/logical",
    effects="pure",
    fusion=Map(lambda x, y: x ^ y, "logical", refuses="nan"),
)
def xor(a: Any, b: Any) -> Any:
    """Whether exactly one of two elements is nonzero.

    TF = xor(A, B)
    R = xor(P, Q) of polyshapes: what is in one of them alone

    Examples:
        >> xor([1 1 0], [1 0 0])
        ans =
          1×3 logical array
           0   1   0

    See also: and, or, not.
    """
    if isinstance(a, SparseArray) or isinstance(b, SparseArray):
        return of_pair(lambda x, y: _truth(x) != _truth(y), a, b)
    first, second = expand([_truths(a), _truths(b)])
    return from_numpy(first != second)


def _truths(value: Any) -> Any:
    return _truth(numeric(value, "xor"))


def _truth(a: Any) -> Any:
    if a.dtype.kind in "fc" and np.isnan(a).any():
        raise nan_to_logical()
    return a != 0
