"""Measuring arrays: extents, numbers of elements, questions about shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import dimension, whole
from runmat_core.values import Array, class_of, is_text, numel_of, size_of, text, to_numpy
from runmat_core.values.object import ObjectValue


def row(numbers: Any) -> Any:
    """Return a double row vector of two or more numbers."""
    return Array(np.array([numbers], dtype=np.float64))


@builtin(
    "size", family="arrays/size", nargout=None, needs=("nargout",), effects="pure", pending="keep"
)
def size(x: Any, *dims: Any, nargout: int) -> Any:
    """Extents of an array.

    SZ = size(A) is a row vector
    [M, N, …] = size(A): the last output folds the remaining extents
    D = size(A, DIM), SZ = size(A, [DIM1 DIM2 …]), SZ = size(A, DIM1, DIM2, …)

    Examples:
        >> size(ones(2, 3, 4))
        ans =
             2     3     4
        >> [m, n] = size(ones(2, 3, 4))
        m =
             2
        n =
            12
        >> size(5, 3)
        ans =
             1

    See also: numel, length, ndims, height, width.
    """
    shape = x.data.shape if x.__class__ is Array else size_of(x)
    if not dims:
        if nargout < 2:
            return row(shape)
        return tuple(float(extent) for extent in _folded(shape, nargout))
    if len(dims) == 1 and dims[0].__class__ is float and nargout < 2:
        place = dims[0]
        axis = int(place) - 1 if place >= 1 and place % 1 == 0 else dimension(place)
        return float(shape[axis]) if axis < len(shape) else 1.0
    if isinstance(x, ObjectValue) and is_text(dims[0]):  # of what an object calls by that name
        return size(x.member(text(dims[0])), *dims[1:], nargout=nargout)
    wanted = [dimension(float(d)) for dim in dims for d in whole(dim, "size")]
    extents = [shape[axis] if axis < len(shape) else 1 for axis in wanted]
    if nargout < 2:
        return float(extents[0]) if len(extents) == 1 else row(extents)
    if nargout > len(extents):
        raise MatlabError(
            "MATLAB:narginout:wrongNumberOfOutputs", "Incorrect number of output arguments."
        )
    return tuple(float(extent) for extent in extents[:nargout])


def _folded(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """`count` extents: ones added, or the trailing ones multiplied into the last."""
    if len(shape) <= count:
        return shape + (1,) * (count - len(shape))
    return (*shape[: count - 1], int(np.prod(shape[count - 1 :])))


@builtin("numel", family="arrays/size", effects="pure", pending="keep")
def numel(x: Any, *subscripts: Any) -> Any:
    """Number of elements.

    N = numel(A)
    N = numel(A, S1, S2, …) is the number of elements that A(S1, S2, …) has

    Examples:
        >> numel(ones(2, 3))
        ans =
             6

    See also: size, length, ndims.
    """
    if not subscripts:
        return float(x.data.size if x.__class__ is Array else numel_of(x))
    shape = _folded(size_of(x), len(subscripts))
    count = 1
    for extent, subscript in zip(shape, subscripts, strict=True):
        is_colon = class_of(subscript) == "char" and to_numpy(subscript).tolist() == [[58]]
        count *= extent if is_colon else numel_of(subscript)
    return float(count)


@builtin("length", family="arrays/size", effects="pure", pending="keep")
def length(x: Any) -> Any:
    """Largest extent, zero for empty arrays.

    N = length(A)

    Examples:
        >> length(ones(2, 7))
        ans =
             7

    See also: size, numel, ndims.
    """
    shape = size_of(x)
    return float(max(shape)) if 0 not in shape else 0.0


@builtin("ndims", family="arrays/size", effects="pure", pending="keep")
def ndims(x: Any) -> Any:
    """Number of dimensions, at least two.

    N = ndims(A)

    Examples:
        >> ndims(ones(2, 3, 4))
        ans =
             3

    See also: size, numel.
    """
    return float(len(size_of(x)))


@builtin("height", family="arrays/size", effects="pure", pending="keep")
def height(x: Any) -> Any:
    """Number of rows.

    H = height(A)

    Examples:
        >> height(ones(2, 3))
        ans =
             2

    See also: width, size.
    """
    return float(size_of(x)[0])


@builtin("width", family="arrays/size", effects="pure", pending="keep")
def width(x: Any) -> Any:
    """Number of columns.

    W = width(A)

    Examples:
        >> width(ones(2, 3))
        ans =
             3

    See also: height, size.
    """
    return float(size_of(x)[1])


@builtin("isempty", family="arrays/size", effects="pure", pending="keep")
def isempty(x: Any) -> Any:
    """Whether an array has no elements.

    TF = isempty(A)

    The string "" is a scalar, not empty.

    Examples:
        >> isempty([])
        ans =
          logical
           1
        >> isempty("")
        ans =
          logical
           0

    See also: size, numel, isscalar.
    """
    return x.__class__ is not float and 0 in size_of(x)


@builtin("isscalar", family="arrays/size", effects="pure", pending="keep")
def isscalar(x: Any) -> Any:
    """Whether an array is 1-by-1.

    TF = isscalar(A)

    Examples:
        >> isscalar(5)
        ans =
          logical
           1

    See also: isvector, ismatrix, isempty.
    """
    return x.__class__ is float or size_of(x) == (1, 1)


@builtin("isvector", family="arrays/size", effects="pure", pending="keep")
def isvector(x: Any) -> Any:
    """Whether an array is 1-by-N or N-by-1.

    TF = isvector(A)

    Examples:
        >> isvector(1:3)
        ans =
          logical
           1

    See also: isrow, iscolumn, isscalar, ismatrix.
    """
    shape = size_of(x)
    return len(shape) == 2 and 1 in shape


@builtin("isrow", family="arrays/size", effects="pure", pending="keep")
def isrow(x: Any) -> Any:
    """Whether an array is 1-by-N.

    TF = isrow(A)

    Examples:
        >> isrow(1:3)
        ans =
          logical
           1

    See also: iscolumn, isvector.
    """
    shape = size_of(x)
    return len(shape) == 2 and shape[0] == 1


@builtin("iscolumn", family="arrays/size", effects="pure", pending="keep")
def iscolumn(x: Any) -> Any:
    """Whether an array is N-by-1.

    TF = iscolumn(A)

    Examples:
        >> iscolumn((1:3)')
        ans =
          logical
           1

    See also: isrow, isvector.
    """
    shape = size_of(x)
    return len(shape) == 2 and shape[1] == 1


@builtin("ismatrix", family="arrays/size", effects="pure", pending="keep")
def ismatrix(x: Any) -> Any:
    """Whether an array has two dimensions.

    TF = ismatrix(A)

    Examples:
        >> ismatrix(ones(2, 3, 4))
        ans =
          logical
           0

    See also: isvector, isscalar, ndims.
    """
    return len(size_of(x)) == 2
