"""Elementwise functions of arrays of compatible sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.lift import compatible_shapes
from runmat_core.values import size_of


@builtin("bsxfun", family="arrays/expansion", needs=("interp",))
def bsxfun(fun: Any, a: Any, b: Any, *, interp: Interp) -> Any:
    """Function of two arrays, each expanded to the size of both.

    C = bsxfun(FUN, A, B)

    The operators and elementwise functions expand their operands by themselves.

    Examples:
        >> bsxfun(@plus, [1 2], [10; 20])
        ans =
            11    12
            21    22

    See also: arrayfun, repmat, plus.
    """
    first, second = array_of(a), array_of(b)
    shapes, common = compatible_shapes([first.shape, second.shape])
    expanded = [
        value
        if size_of(value) == common
        else rebuilt(value, np.broadcast_to(data.reshape(shape, order="F"), common))
        for value, data, shape in zip((a, b), (first, second), shapes, strict=True)
    ]
    result = interp.call(fun, expanded, 1)
    shape = size_of(result)
    if shape + (1,) * (len(common) - len(shape)) != common:
        raise MatlabError(
            "MATLAB:bsxfun:invalidResult",
            "The function handle must return an array of the size of its expanded inputs.",
        )
    return result
