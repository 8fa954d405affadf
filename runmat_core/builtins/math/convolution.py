"""Convolution of vectors, matrices and arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Call, Operand, Requested
from runmat_core.api.libraries import function
from runmat_core.builtins.arguments import (
    as_float,
    canonical_shape,
    check_size,
    numeric,
    option,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.convolution_sizes import (
    DIRECT,
    as_column,
    cut,
    part_of,
    smooth,
    vectors,
)
from runmat_core.values import mixed, size_of
from runmat_core.values.classes import FLOAT_CLASSES

Numbers = NDArray[Any]

#: Dimensions along which a library takes several taps.
RANK = 3
#: Elements from which a matrix is added up tap by tap.
_MANY = 4096


def convolved(a: Numbers, b: Numbers, part: str) -> Numbers:
    """Return a part of the convolution of arrays of one rank.

    Whole numbers, whose results are exact, and what is not finite are multiplied one by one.
    """
    extents = [max(n + m - 1, 0) for n, m in zip(a.shape, b.shape, strict=True)]
    check_size(extents, 16)
    where = cut(a.shape, b.shape, part)
    if not a.size or not b.size:
        return np.zeros(extents, np.result_type(a, b))[where]
    if a.ndim == 1 and min(a.size, b.size) <= DIRECT:
        return np.asarray(mixed.bilinear(np.convolve, a, b)[where])
    big, small = (b, a) if b.size > a.size else (a, b)
    sums = a.ndim == 2 and small.size <= DIRECT and big.size >= _MANY
    # sums leave out taps of zero only, so with others they make NaN of nothing but what should be
    plain = sums and big.dtype.kind == small.dtype.kind == "f" and small.all()
    finite = bool(np.isfinite(big).all())
    if not np.isfinite(small).all() or not (plain or finite):
        if (a.dtype.kind == "c") != (b.dtype.kind == "c"):
            return np.asarray(mixed.bilinear(lambda x, y: convolved(x, y, part), a, b))
        return _shifted(a, b, extents)[where]
    if sums:
        from runmat_core.builtins.math.taps import summed

        return summed(big, small, where, finite)
    exact = all((v == np.round(v)).all() for v in (a, b))
    if not exact and small.size > DIRECT:
        return _by_spectra(a, b, extents)[where]
    return (_summed(big, small) if a.ndim == 2 else _shifted(a, b, extents))[where]


def _summed(big: Numbers, small: Numbers) -> Numbers:
    """Return the convolution of matrices, product by product."""
    rule = function("scipy.signal._sigtools._convolve2d", "scipy.signal.convolve2d")
    if rule.__name__ == "convolve2d":
        return np.asarray(rule(big, small))
    # not turned, everything, zeros outside
    return np.asarray(rule(big, small, 1, 2, 0, 0))


def _by_spectra(a: Numbers, b: Numbers, extents: Sequence[int]) -> Numbers:
    """Return the convolution as a product of spectra of lengths that transforms are fast at."""
    lengths, axes = [smooth(n) for n in extents], list(range(a.ndim))
    made = tuple([slice(n) for n in extents])
    if "c" in (a.dtype.kind, b.dtype.kind):
        product = np.fft.fftn(a, lengths, axes) * np.fft.fftn(b, lengths, axes)
        return np.asarray(np.fft.ifftn(product, lengths, axes)[made])
    product = np.fft.rfftn(a, lengths, axes) * np.fft.rfftn(b, lengths, axes)
    return np.asarray(np.fft.irfftn(product, lengths, axes)[made])


def _shifted(a: Numbers, b: Numbers, extents: Sequence[int]) -> Numbers:
    """Return the sum of a shifted array for each tap, where infinities meet no outer zeros."""
    if b.size > a.size:
        a, b = b, a
    full = np.zeros(extents, np.result_type(a, b))
    with np.errstate(all="ignore"):
        for at in np.ndindex(*b.shape):
            full[tuple([slice(k, k + n) for k, n in zip(at, a.shape, strict=True)])] += a * b[at]
    return full


def _requested(
    a: Operand,
    b: Operand,
    part: str,
    made: tuple[int, ...] = (),
    turned: bool = False,
    swapped: bool = False,
) -> Requested | None:
    """Return the library call ``conv`` of an array and a kernel.

    `made`, or else as the extents say.
    """
    if a.cls != b.cls or a.cls not in FLOAT_CLASSES or 0 in (*a.shape, *b.shape):
        return None
    rank = max(len(a.shape), len(b.shape))
    n, m = (v.shape + (1,) * (rank - len(v.shape)) for v in (a, b))
    kept = [k for k in range(rank) if n[k] > 1 or m[k] > 1]
    if any(m[k] > 1 for k in kept[RANK:]):
        return None
    full = [p + q - 1 for p, q in zip(n, m, strict=True)]
    extents = tuple([len(range(*s.indices(e))) for s, e in zip(cut(n, m, part), full, strict=True)])
    if 0 in extents:
        return None
    attributes = (("part", part), ("swapped", swapped), ("turned", turned))
    shape = made or canonical_shape(extents)
    return Requested(attributes, ((shape, a.cls),), extents=(*n, *m))


def _conv_call(u: Operand, v: Operand, shape: Any = None, *, nargout: int) -> Requested | None:
    """Return what a call of ``conv`` asks of a library."""
    if not isinstance(u, Operand) or not isinstance(v, Operand) or not vectors(u.shape, v.shape):
        return None
    part = part_of(shape, "conv")
    if part == "valid" and math.prod(u.shape) < math.prod(v.shape):
        return None
    sizes = math.prod(u.shape), math.prod(v.shape)
    count = len(range(*cut(sizes[:1], sizes[1:], part)[0].indices(sum(sizes) - 1)))
    made = (count, 1) if as_column(u.shape, v.shape, part) else (1, count)
    first, second = Operand((sizes[0],), u.cls), Operand((sizes[1],), v.cls)
    # the kernel is the shorter one
    swapped = part == "full" and sizes[1] > sizes[0]
    if swapped:
        first, second = second, first
    return _requested(first, second, part, made, swapped=swapped)


def _conv2_call(a: Operand, b: Operand, shape: Any = None, *, nargout: int) -> Requested | None:
    """Return what a call of ``conv2`` or ``convn`` asks of a library."""
    if not isinstance(a, Operand) or not isinstance(b, Operand):
        return None
    part = part_of(shape, "convn")
    swapped = part == "full" and math.prod(b.shape) > math.prod(a.shape)
    if swapped:
        a, b = b, a
    return _requested(a, b, part, swapped=swapped)


def _filter2_call(h: Operand, x: Operand, shape: Any = None, *, nargout: int) -> Requested | None:
    """Return what a call of ``filter2`` asks of a library."""
    if not isinstance(h, Operand) or not isinstance(x, Operand):
        return None
    return _requested(x, h, part_of(shape, "filter2", "same"), turned=True, swapped=True)


def _pages(call: Any) -> Any:
    """Return a reader of calls for matrices alone."""

    def read(first: Operand, second: Operand, *args: Any, nargout: int) -> Requested | None:
        operands = [v for v in (first, second) if isinstance(v, Operand)]
        if any(len(v.shape) > 2 for v in operands) or len(args) > 1:
            return None
        found: Requested | None = call(first, second, *args, nargout=nargout)
        return found

    return read


def _by_transforms(name: str) -> Any:
    """Return what a builtin is of long arrays; its module is loaded with the first such call."""

    def rule(a: Any, b: Any, *args: Any, nargout: int) -> Any:
        if len(args) > 1 or any(math.prod(size_of(v)) <= DIRECT for v in (a, b)):
            return NotImplemented
        from runmat_core.builtins.math import long_convolutions

        return getattr(long_convolutions, name)(a, b, *args, nargout=nargout)

    return rule


# -- builtins --------------------------------------------------------------------------------------


@builtin(
    "conv",
    family="math/polynomials",
    effects="pure",
    gpu=Call("conv", _conv_call, linear=(0, 1), instead=_by_transforms("conv")),
)
def conv(u: Any, v: Any, shape: Any = None) -> Any:
    """Convolution of vectors, which multiplies polynomials.

    W = conv(U, V), W = conv(U, V, SHAPE) with SHAPE "full", "same" or "valid"

    Examples:
        >> conv([1 2], [1 3])
        ans =
             1     5     6

    See also: deconv, conv2, filter, polyval.
    """
    a, b = as_float(numeric(u, "conv")), as_float(numeric(v, "conv"))
    if not vectors(a.shape, b.shape):
        raise MatlabError("MATLAB:conv:AorBNotVector", "A and B must be vectors.")
    part = "full" if shape is None else option(shape) or ""
    if not a.size or not b.size:
        raise MatlabError("MATLAB:conv:emptyInput", "Inputs must not be empty.")
    result = convolved(a.ravel(), b.ravel(), part)
    tall = as_column(a.shape, b.shape, part)
    return value_of(result.reshape((-1, 1) if tall else (1, -1)))


@builtin(
    "conv2",
    family="math/polynomials",
    nargin=(2, 4),
    effects="pure",
    gpu=Call("conv", _pages(_conv2_call), linear=(0, 1), instead=_by_transforms("conv2")),
)
def conv2(a: Any, b: Any, *args: Any) -> Any:
    """Convolution of matrices.

    C = conv2(A, B), C = conv2(A, B, SHAPE) with SHAPE "full", "same" or "valid"
    C = conv2(U, V, A), C = conv2(U, V, A, SHAPE): columns of A with the vector U, then rows with V

    Examples:
        >> conv2([1 2; 3 4], [1 1])
        ans =
             1     3     2
             3     7     4

    See also: conv, filter2, filter.
    """
    matrices = [v for v in (a, b, *args) if option(v) is None]
    words = args[len(matrices) - 2 :]
    if len(matrices) > 3 or len(words) > 1:
        raise MatlabError("MATLAB:conv2:invalidInput", "Inputs must be 2-D.")
    part = option(words[0]) or "" if words else "full"
    arrays = [as_float(numeric(v, "conv2")) for v in matrices]
    if len(arrays) < 2 or any(v.ndim > 2 for v in arrays):
        raise MatlabError("MATLAB:conv2:invalidInput", "Inputs must be 2-D.")
    if len(arrays) == 2:
        return value_of(convolved(arrays[0], arrays[1], part))
    column, row, x = arrays
    if not vectors(column.shape, row.shape):
        raise MatlabError("MATLAB:conv2:firstTwoInputsNotVectors", "U and V must be vectors.")
    return value_of(convolved(convolved(x, column.reshape(-1, 1), part), row.reshape(1, -1), part))


@builtin(
    "convn", family="math/polynomials", effects="pure", gpu=Call("conv", _conv2_call, linear=(0, 1))
)
def convn(a: Any, b: Any, shape: Any = None) -> Any:
    """Convolution of arrays of any number of dimensions.

    C = convn(A, B), C = convn(A, B, SHAPE) with SHAPE "full", "same" or "valid"

    Examples:
        >> convn([1 2; 3 4], [1 1])
        ans =
             1     3     2
             3     7     4

    See also: conv, conv2, filter2.
    """
    first, second = as_float(numeric(a, "convn")), as_float(numeric(b, "convn"))
    part = part_of(shape, "convn")
    rank = max(first.ndim, second.ndim)
    first = first.reshape(first.shape + (1,) * (rank - first.ndim), order="F")
    second = second.reshape(second.shape + (1,) * (rank - second.ndim), order="F")
    return value_of(convolved(first, second, part))


@builtin(
    "filter2",
    family="math/polynomials",
    effects="pure",
    gpu=Call("conv", _pages(_filter2_call), linear=(0, 1)),
)
def filter2(h: Any, x: Any, shape: Any = None) -> Any:
    """Two-dimensional filter: the correlation of X with the coefficients H.

    Y = filter2(H, X) has the size of X, Y = filter2(H, X, SHAPE) with SHAPE "full", "same" or
    "valid"

    Examples:
        >> filter2([1 2], [1 2 3])
        ans =
             5     8     3

    See also: conv2, filter, convn.
    """
    coefficients, data = as_float(numeric(h, "filter2")), as_float(numeric(x, "filter2"))
    if coefficients.ndim > 2 or data.ndim > 2:
        raise MatlabError("MATLAB:filter2:invalidInput", "Inputs must be 2-D.")
    part = part_of(shape, "filter2", "same")
    return value_of(convolved(data, np.rot90(coefficients, 2), part))
