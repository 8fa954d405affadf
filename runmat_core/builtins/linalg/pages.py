"""Products and transposes of pages, the matrices in the first two dimensions; tensor products."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.arguments import floating, option, scalar, whole
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.linalg.stacks import TURNS, as_taken, same_precision, together, unstacked
from runmat_core.builtins.linalg.support import value_of
from runmat_core.builtins.named import choice, match
from runmat_core.values import is_text, text


def _inner_mismatch() -> MatlabError:
    return MatlabError(
        "MATLAB:pagemtimes:dimensionMismatch",
        "Incorrect page dimensions for matrix multiplication. Check that the number of columns in "
        "the first page matches the number of rows in the second page.",
    )


@builtin("pagemtimes", family="linalg/pages", nargin=(2, 4), effects="pure", pending="view")
def pagemtimes(*args: Any) -> Any:
    """Matrix products of pages.

    Z = pagemtimes(X, Y) has the pages X(:,:,k)*Y(:,:,k)
    Z = pagemtimes(X, TX, Y, TY) with TX and TY "none", "transpose" or "ctranspose"

    Dimensions from the third on must agree or be 1. Pages of one element multiply whole pages.

    Examples:
        >> Z = pagemtimes(cat(3, [1 2], [3 4]), [1; 1]);
        >> Z(:)'
        ans =
             3     7

    See also: mtimes, pagetranspose, pagemldivide, tensorprod.
    """
    if len(args) == 3:
        raise not_enough_inputs()
    values = args if len(args) == 2 else args[::2]
    turns = [choice(w, TURNS, "pagemtimes") for w in args[1::2]] if len(args) == 4 else ["none"] * 2
    x, y = same_precision(*(floating(v, "pagemtimes") for v in values))
    x, y = as_taken(x, turns[0]), as_taken(y, turns[1])
    if x.size == 1 or y.size == 1:
        return value_of(x.reshape(-1)[0] * y if x.size == 1 else x * y.reshape(-1)[0])
    scalars = (1, 1) in (x.shape[:2], y.shape[:2])
    if x.shape[1] != y.shape[0] and not scalars:
        raise _inner_mismatch()
    left, right = together(x, y)
    if scalars:
        with np.errstate(all="ignore"):
            return unstacked(left * right)
    with np.errstate(all="ignore"):
        return unstacked(left @ right)


@builtin("pagetranspose", family="linalg/pages", effects="pure", pending="view")
def pagetranspose(x: Any) -> Any:
    """Transposes of pages.

    Y = pagetranspose(X)

    Examples:
        >> size(pagetranspose(ones(2, 3, 4)))
        ans =
             3     2     4

    See also: pagectranspose, permute, transpose, pagemtimes.
    """
    return rebuilt(x, np.swapaxes(array_of(x), 0, 1).copy(order="F"))


@builtin("pagectranspose", family="linalg/pages", effects="pure", pending="view")
def pagectranspose(x: Any) -> Any:
    """Complex conjugate transposes of pages.

    Y = pagectranspose(X)

    Examples:
        >> pagectranspose([1i 2])
        ans =
           0.0000 - 1.0000i
           2.0000 + 0.0000i

    See also: pagetranspose, ctranspose, pagemtimes.
    """
    a = np.swapaxes(array_of(x), 0, 1)
    return rebuilt(x, (a.conj() if a.dtype.kind == "c" else a).copy(order="F"))


@builtin("tensorprod", family="linalg/pages", nargin=(2, 6), effects="pure")
def tensorprod(*args: Any) -> Any:
    """Tensor products, contracted along given dimensions.

    C = tensorprod(A, B) is the outer product
    C = tensorprod(A, B, DIMSA, DIMSB) sums over DIMSA of A with DIMSB of B
    C = tensorprod(A, B, DIMS) for the same dimensions of both, tensorprod(A, B, "all") for all
    C = tensorprod(…, "NumDimensionsA", N) counts trailing dimensions of extent 1 of A

    Examples:
        >> tensorprod([1 2; 3 4], [5 6; 7 8], 2, 1)
        ans =
            19    22
            43    50
        >> tensorprod([1 2 3], [4 5 6], "all")
        ans =
            32

    See also: pagemtimes, kron, dot, permute.
    """
    a, b = same_precision(floating(args[0], "tensorprod"), floating(args[1], "tensorprod"))
    rest = list(args[2:])
    rank = a.ndim
    if len(rest) > 1 and is_text(rest[-2]):
        match(text(rest[-2]), ("NumDimensionsA",), "tensorprod")
        rank = int(scalar(rest[-1], "NumDimensionsA"))
        rest = rest[:-2]
        if rank < 0 or any(extent != 1 for extent in a.shape[rank:]):
            raise MatlabError(
                "MATLAB:tensorprod:InvalidNumDimensionsA",
                "NumDimensionsA must not be smaller than the number of dimensions of A.",
            )
    if rest and option(rest[0]) is not None:
        choice(rest[0], ("all",), "tensorprod")
        if a.shape != b.shape:
            raise _contraction_mismatch()
        return value_of(np.asarray((a * b).sum()).reshape(1, 1))
    first = [int(d) - 1 for d in whole(rest[0], "tensorprod")] if rest else []
    second = [int(d) - 1 for d in whole(rest[1], "tensorprod")] if len(rest) > 1 else first
    distinct = len({*first}) == len(first) == len(second) == len({*second})
    if not distinct or min([*first, *second], default=0) < 0:
        raise MatlabError(
            "MATLAB:tensorprod:InvalidDims",
            "Dimensions to contract must be as many distinct positive integers for both.",
        )
    a = a.reshape(a.shape[:rank] + (1,) * (max([rank, *(d + 1 for d in first)]) - a.ndim))
    b = b.reshape(b.shape + (1,) * (max([0, *(d + 1 for d in second)]) - b.ndim))
    if any(a.shape[i] != b.shape[j] for i, j in zip(first, second, strict=True)):
        raise _contraction_mismatch()
    result = np.tensordot(a, b, axes=(first, second))
    shape = (*result.shape, 1, 1)[: max(result.ndim, 2)]
    while len(shape) > 2 and shape[-1] == 1:
        shape = shape[:-1]
    return value_of(result.reshape(shape))


def _contraction_mismatch() -> MatlabError:
    return MatlabError(
        "MATLAB:tensorprod:DimensionMismatch",
        "The extents of the dimensions to contract must agree.",
    )
