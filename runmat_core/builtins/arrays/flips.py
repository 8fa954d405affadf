"""Reversing, rotating and shifting elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import dimension, first_axis, integer, whole
from runmat_core.builtins.arrays import sparse_moves
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.values import SparseArray, share, size_of


@builtin("flip", family="arrays/shape", effects="pure", pending="view")
def flip(x: Any, dim: Any = None) -> Any:
    """Elements in reverse order along a dimension.

    B = flip(A) works along the first dimension whose extent is not one
    B = flip(A, DIM)

    Examples:
        >> flip([1 2 3])
        ans =
             3     2     1

    See also: fliplr, flipud, rot90, circshift.
    """
    if isinstance(x, SparseArray):
        return sparse_moves.flipped(x, first_axis(x.shape) if dim is None else dimension(dim))
    a = array_of(x)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    return rebuilt(x, np.flip(a, axis)) if axis < a.ndim else share(x)


@builtin("flipdim", family="arrays/shape", effects="pure")
def flipdim(x: Any, dim: Any) -> Any:
    """Elements in reverse order along a dimension; flip is its newer name.

    B = flipdim(A, DIM)

    Examples:
        >> flipdim([1 2; 3 4], 1)
        ans =
             3     4
             1     2

    See also: flip.
    """
    return flip(x, dim)


@builtin("fliplr", family="arrays/shape", effects="pure", pending="view")
def fliplr(x: Any) -> Any:
    """Columns in reverse order.

    B = fliplr(A)

    Examples:
        >> fliplr([1 2; 3 4])
        ans =
             2     1
             4     3

    See also: flipud, flip, rot90.
    """
    return flip(x, 2.0)


@builtin("flipud", family="arrays/shape", effects="pure", pending="view")
def flipud(x: Any) -> Any:
    """Rows in reverse order.

    B = flipud(A)

    Examples:
        >> flipud([1 2; 3 4])
        ans =
             3     4
             1     2

    See also: fliplr, flip, rot90.
    """
    return flip(x, 1.0)


@builtin("rot90", family="arrays/shape", effects="pure", pending="view")
def rot90(x: Any, k: Any = 1.0) -> Any:
    """Matrix rotated counterclockwise by quarter turns.

    B = rot90(A), B = rot90(A, K)

    Examples:
        >> rot90([1 2; 3 4])
        ans =
             2     4
             1     3

    See also: fliplr, flipud, circshift.
    """
    if isinstance(x, SparseArray):
        return sparse_moves.turned(x, integer(k, "K"))
    return rebuilt(x, np.rot90(array_of(x), integer(k, "K")))


@builtin("circshift", family="arrays/shape", effects="pure", pending="view")
def circshift(x: Any, shift: Any, dim: Any = None) -> Any:
    """Elements shifted around the end.

    Y = circshift(A, K) shifts along the first dimension whose extent is not one
    Y = circshift(A, K, DIM)
    Y = circshift(A, [K1 K2 …]) shifts along several dimensions

    Examples:
        >> circshift([1 2 3 4], 1)
        ans =
             4     1     2     3

    See also: flip, shiftdim, permute.
    """
    shape = size_of(x)
    shifts = whole(shift, "circshift").tolist()
    if dim is not None:
        axes = [dimension(dim)]
    elif len(shifts) == 1:
        axes = [first_axis(shape)]
    else:
        axes = list(range(len(shifts)))
    if len(axes) != len(shifts):
        raise MatlabError(
            "MATLAB:circshift:InvalidShiftType", "Invalid shift type: must be a finite scalar."
        )
    if isinstance(x, SparseArray):
        return sparse_moves.shifted(x, axes, shifts)
    a = array_of(x)
    for axis, amount in zip(axes, shifts, strict=True):
        if axis < a.ndim and a.size:
            a = np.roll(a, amount, axis)
    return rebuilt(x, a)
