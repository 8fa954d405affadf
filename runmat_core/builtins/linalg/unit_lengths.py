"""Matrices with rows or columns of length one."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import floating
from runmat_core.builtins.linalg.support import value_of


def _scaled(x: Any, axis: int, name: str) -> Any:
    a = floating(x, name)
    if a.ndim > 2:
        raise MatlabError(f"nnet:{name}:invalidInput", "Input must be a matrix.")
    with np.errstate(all="ignore"):
        length = np.sqrt(np.sum(np.abs(a) ** 2, axis=axis, keepdims=True))
        # what has no direction becomes ones over the root of their count
        even = a.dtype.type(1 / np.sqrt(max(a.shape[axis], 1)))
        return value_of(np.where(length == 0, even, a / length))


@builtin("normc", family="linalg/functions", nargin=(1, 1), effects="pure")
def normc(x: Any) -> Any:
    """Matrix with its columns scaled to length one.

    B = normc(A); a column of zeros becomes one of equal elements

    Examples:
        >> normc([3 1; 4 0])
        ans =
            0.6000    1.0000
            0.8000         0

    See also: normr, normalize, vecnorm.
    """
    return _scaled(x, 0, "normc")


@builtin("normr", family="linalg/functions", nargin=(1, 1), effects="pure")
def normr(x: Any) -> Any:
    """Matrix with its rows scaled to length one.

    B = normr(A); a row of zeros becomes one of equal elements

    Examples:
        >> normr([3 4; 0 2])
        ans =
            0.6000    0.8000
                 0    1.0000

    See also: normc, normalize, vecnorm.
    """
    return _scaled(x, 1, "normr")
