"""bsxfun: a binary function with implicit expansion."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.cells.support import resolve
from runmat_core.values import class_of, from_numpy, size_of, to_numpy
from runmat_core.values.deferred import all_settled


@builtin("bsxfun", family="cells/expansion", needs=("interp",), pending="keep")
def bsxfun(function: Any, first: Any, second: Any, *, interp: Interp) -> Any:
    """Apply a binary function element by element with expansion of singleton dimensions.

    C = bsxfun(fun, A, B) repeats A and B along the dimensions where one of them has size 1 and
    calls fun, which works element by element, on the results. The operators expand by themselves:
    A + B is bsxfun(@plus, A, B).

    Examples:
        >> bsxfun(@plus, [1 2 3], [10; 20])
        ans =
            11    12    13
            21    22    23

    See also: repmat, arrayfun, plus.
    """
    fn = resolve(function, interp, "bsxfun")
    a, b = size_of(first), size_of(second)
    if len(a) != len(b):
        a, b = _aligned(a, b)
    if a != b and any(m != n and m != 1 and n != 1 for m, n in zip(a, b, strict=True)):
        raise MatlabError(
            "MATLAB:bsxfun:arrayDimensionsMustMatch",
            "Non-singleton dimensions of the two input arrays must match each other.",
        )
    spec = getattr(fn, "__runmat_spec__", None)
    if spec is not None and spec.elementwise:
        return fn(1, first, second)  # which expands by itself
    first, second = all_settled((first, second))
    shape = tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))
    return fn(1, _expanded(first, a, shape), _expanded(second, b, shape))


def _aligned(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both sizes with trailing ones up to the same rank."""
    rank = max(len(a), len(b))
    return a + (1,) * (rank - len(a)), b + (1,) * (rank - len(b))


def _expanded(value: Any, own: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """`value` repeated to `shape`; scalars stay, since every function takes them as they are."""
    if own == shape or all(extent == 1 for extent in own):
        return value
    data = to_numpy(value).reshape(own, order="F")
    return from_numpy(np.array(np.broadcast_to(data, shape), order="F"), class_of(value))
