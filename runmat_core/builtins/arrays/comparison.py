"""Equality of whole values."""

from __future__ import annotations

from typing import Any

from runmat_core.api.builtin import builtin
from runmat_core.builtins import composed
from runmat_core.values import isequal


@builtin("isequal", family="arrays/comparison", effects="pure", pending="keep")
@composed.composed(composed.isequal, looks=True)
def isequal_(a: Any, b: Any, *more: Any) -> Any:
    """Whether values have the same size and contents.

    TF = isequal(A, B, …)

    Numeric classes, the order of struct fields and the kind of text do not count. NaN differs from
    NaN; isequaln takes them as equal.

    Examples:
        >> isequal([1 2], int8([1 2]))
        ans =
          logical
           1
        >> isequal(NaN, NaN)
        ans =
          logical
           0

    See also: isequaln, eq, strcmp.
    """
    if a.__class__ is float and b.__class__ is float and not more:
        return a == b
    return all(isequal(a, other) for other in (b, *more))


@builtin("isequaln", "isequalwithequalnans", family="arrays/comparison", effects="pure")
def isequaln(a: Any, b: Any, *more: Any) -> Any:
    """Whether values have the same size and contents, with NaN equal to NaN.

    TF = isequaln(A, B, …)

    Examples:
        >> isequaln([1 NaN], [1 NaN])
        ans =
          logical
           1

    See also: isequal, isnan.
    """
    return all(isequal(a, other, nan_equal=True) for other in (b, *more))
