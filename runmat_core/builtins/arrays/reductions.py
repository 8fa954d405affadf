"""Reductions: sums, products, tests of all elements, running sums, differences."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import sums
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Reduction as Fused
from runmat_core.api.fusion import Scan
from runmat_core.builtins.arguments import (
    NAN_FLAGS,
    Reduction,
    as_float,
    dimension,
    first_axis,
    integer,
    numeric,
    reduction,
    split_options,
    unknown_option,
)
from runmat_core.builtins.arrays import fused, sparse_order, sparse_rules
from runmat_core.builtins.lift import value_of
from runmat_core.values import Array, SparseArray, from_numpy, to_numpy
from runmat_core.values.classes import DOUBLE, quiet, saturate, silent
from runmat_core.values.hooks import HOOKS

_OUTPUT_CLASSES = frozenset({"native", "double", "default"})


def _accumulate(request: Reduction, add: Any, neutral: float) -> Any:
    """Sum or product of a reduction in the class that was asked for; double by default."""
    a, axis = request.a, request.axis
    if a.dtype.char == "d" and not request.flags and not request.omit_nan and not request.sparse:
        if a.shape[axis] == 1:
            return from_numpy(a.copy(order="F"))  # NumPy adds them to zero: -0 would become 0
        return from_numpy(_reduced(add, a, axis))
    work = as_float(a)
    if "double" in request.flags and work.dtype.itemsize < 8:
        work = work.astype(np.float64)
    if request.omit_nan:
        work = np.where(np.isnan(work), neutral, work)
    with silent():
        if "native" in request.flags and a.dtype.kind in "iu":
            exact = a.astype(object) if a.dtype.itemsize == 8 else work
            return from_numpy(saturate(add.reduce(exact, axis=axis, keepdims=True), a.dtype))
        if work.shape[axis] == 1:
            total = np.copy(work)
        elif add is np.add:
            total = sums.along(work, axis)
        else:
            total = np.prod(work, axis=axis, keepdims=True)
    if "native" in request.flags and a.dtype == np.bool_:
        return from_numpy(total != 0)
    return value_of(total, request.sparse)


def _of_matrix(x: Any, args: tuple[Any, ...], add: Any) -> Any:
    """Return a reduction of a matrix of doubles along one axis, at once; None for anything else."""
    if x.__class__ is not Array:
        return None
    a = x.data
    if a.dtype is not DOUBLE or a.ndim != 2 or not a.size:
        return None
    if not args:
        if 1 in a.shape:
            row = a.ravel()
            return (add.reduce(row) if HOOKS.programs else quiet(add.reduce, row)).item()
        axis = 0
    elif len(args) == 1 and args[0].__class__ is float and (args[0] == 1.0 or args[0] == 2.0):
        axis = int(args[0]) - 1
    else:
        return None
    if a.shape[axis] == 1:
        return None  # NumPy adds it to zero: -0 would become 0
    total: Array = object.__new__(Array)
    if add is np.add and axis:
        total.data = sums.along(a, axis) if HOOKS.programs else quiet(sums.along, a, axis)
    elif HOOKS.programs:
        total.data = add.reduce(a, axis, None, None, True)
    else:
        total.data = quiet(add.reduce, a, axis, None, None, True)
    return total if a.shape[1 - axis] != 1 else total.data.item()


def _reduced(add: Any, a: Any, axis: int) -> Any:
    if add is np.add and axis:
        return quiet(sums.along, a, axis)
    return quiet(add.reduce, a, axis, None, None, True)


def _true_of(x: Any) -> int | None:
    """How many elements of a vector of logicals are true; None for anything else."""
    if x.__class__ is not Array:
        return None
    a = x.data
    if a.dtype.char != "?" or a.ndim != 2 or 1 not in a.shape or a.size < 2:
        return None
    return int(np.count_nonzero(a))


@builtin(
    "sum",
    family="arrays/reductions",
    effects="pure",
    fusion=Fused(fused.total, of_complex="complex"),
)
def sum_(x: Any, *args: Any) -> Any:
    """Sum of elements.

    S = sum(A) works along the first dimension whose extent is not one
    S = sum(A, DIM), S = sum(A, VECDIM), S = sum(A, "all")
    S = sum(…, "omitnan"), S = sum(…, "native"): in the class of A instead of double

    Examples:
        >> sum([1 2; 3 4])
        ans =
             4     6
        >> sum([1 2; 3 4], 2)
        ans =
             3
             7
        >> sum(uint8([200 100]))
        ans =
           300

    See also: prod, cumsum, mean, diff.
    """
    if x.__class__ is float and not args:
        return x
    plain = _of_matrix(x, args, np.add)
    if plain is not None:
        return plain
    if isinstance(x, SparseArray) and (total := sparse_rules.reduced("sum", x, args)) is not None:
        return total
    return _accumulate(reduction("sum", x, args, _OUTPUT_CLASSES), np.add, 0.0)


@builtin(
    "prod",
    family="arrays/reductions",
    effects="pure",
    fusion=Fused(fused.product, of_complex="complex", decided=True),
)
def prod(x: Any, *args: Any) -> Any:
    """Product of elements.

    P = prod(A) works along the first dimension whose extent is not one
    P = prod(A, DIM), P = prod(A, VECDIM), P = prod(A, "all")
    P = prod(…, "omitnan"), P = prod(…, "native"): in the class of A instead of double

    Examples:
        >> prod([1 2; 3 4])
        ans =
             3     8
        >> prod([])
        ans =
             1

    See also: sum, cumprod, factorial.
    """
    if x.__class__ is float and not args:
        return x
    plain = _of_matrix(x, args, np.multiply)
    if plain is not None:
        return plain
    if isinstance(x, SparseArray) and (total := sparse_rules.reduced("prod", x, args)) is not None:
        return total
    return _accumulate(reduction("prod", x, args, _OUTPUT_CLASSES), np.multiply, 1.0)


#: Up to this many elements, Python's list of them tells sooner what they are.
_FEW = 32


def _listed(x: Any) -> list[Any] | None:
    """Return the elements of a short vector of real doubles or logicals.

    Return None for any other value.
    """
    if x.__class__ is not Array:
        return None
    data = x.data
    if data.size > _FEW or data.ndim != 2 or data.dtype.char not in "d?":
        return None
    # the first axis whose extent is not one is all there is to it
    rows, columns = data.shape
    listed: list[Any]
    if rows == 1:
        (listed,) = data.tolist()
        return listed
    if columns == 1:
        (listed,) = data.T.tolist()
        return listed
    return None


@builtin(
    "any",
    family="arrays/reductions",
    effects="pure",
    fusion=Fused(fused.any_true, result="logical", of_complex="complex"),
)
def any_(x: Any, *args: Any) -> Any:
    """Whether any element is nonzero; NaN does not count.

    TF = any(A), TF = any(A, DIM), TF = any(A, VECDIM), TF = any(A, "all")

    Examples:
        >> any([0 0; 0 3])
        ans =
          1×2 logical array
           0   1
        >> any([])
        ans =
          logical
           0

    See also: all, find, nnz.
    """
    if not args:
        if x.__class__ is bool:
            return x
        flags = _listed(x)
        if flags is not None:
            return True in flags or any(flag == flag for flag in flags if flag)
        if (true := _true_of(x)) is not None:
            return true > 0
    if isinstance(x, SparseArray) and (found := sparse_rules.reduced("any", x, args)) is not None:
        return found
    request = reduction("any", x, args, missing=False)
    a = request.a
    hits = (a != 0) & ~np.isnan(a) if a.dtype.kind in "fc" else a.astype(np.bool_)
    return from_numpy(hits.any(axis=request.axis, keepdims=True))


@builtin(
    "all",
    family="arrays/reductions",
    effects="pure",
    fusion=Fused(fused.all_true, result="logical", of_complex="complex"),
)
def all_(x: Any, *args: Any) -> Any:
    """Whether all elements are nonzero; true of empty arrays.

    TF = all(A), TF = all(A, DIM), TF = all(A, VECDIM), TF = all(A, "all")

    Examples:
        >> all([1 0; 1 1])
        ans =
          1×2 logical array
           1   0
        >> all([])
        ans =
          logical
           1

    See also: any, find.
    """
    if not args:
        if x.__class__ is bool:
            return x
        flags = _listed(x)
        if flags is not None:
            return all(flags)
        if (true := _true_of(x)) is not None:
            return true == x.data.size
    if isinstance(x, SparseArray) and (found := sparse_rules.reduced("all", x, args)) is not None:
        return found
    request = reduction("all", x, args, missing=False)
    return from_numpy((request.a != 0).all(axis=request.axis, keepdims=True))


@builtin(
    "nnz",
    family="arrays/reductions",
    effects="pure",
    fusion=Fused(fused.nonzeros, "all", "double", of_complex="complex"),
)
def nnz(x: Any) -> Any:
    """Number of nonzero elements.

    N = nnz(A)

    Examples:
        >> nnz([1 0 3])
        ans =
             2

    See also: find, nonzeros, any, sparse.
    """
    if isinstance(x, SparseArray):
        return float(x.data.nnz)
    return float(np.count_nonzero(numeric(x, "nnz")))


# -- running sums and products ------------------------------------------------------------------


def _running_saturated(a: NDArray[Any], axis: int, step: Callable[[Any, Any], Any]) -> NDArray[Any]:
    """Return running sums or products of integers, each saturated before the next step."""
    info = np.iinfo(a.dtype)
    low, high = int(info.min), int(info.max)
    if a.size == a.shape[axis]:
        # one line: Python's integers are exact, and faster than an array for each step
        totals = accumulate(a.ravel().tolist(), lambda t, x: min(max(step(t, x), low), high))
        return np.fromiter(totals, a.dtype, a.size).reshape(a.shape)
    lines = np.moveaxis(a.astype(object if a.dtype.itemsize == 8 else np.float64), axis, 0)
    result = np.empty(lines.shape, a.dtype)
    total = lines[0]
    result[0] = total
    for k in range(1, lines.shape[0]):
        total = np.clip(step(total, lines[k]), low, high)
        result[k] = total
    return np.moveaxis(result, 0, axis)


def _cumulate(name: str, x: Any, args: tuple[Any, ...]) -> Any:
    if not args and x.__class__ is Array:
        a = x.data
        if a.dtype is DOUBLE and a.ndim == 2 and a.size:
            running = np.add.accumulate if name == "cumsum" else np.multiply.accumulate
            return from_numpy(quiet(running, a, int(len(a) == 1)))
    plain, options = split_options(args)
    a = numeric(x, name)
    axis = dimension(plain[0]) if plain else first_axis(a.shape)
    omit = reverse = False
    for word in options:
        if word in {"omitnan", "omitmissing"}:
            omit = True
        elif word == "reverse":
            reverse = True
        elif word not in {"forward", "includenan", "includemissing"}:
            raise unknown_option(word, ["forward", "reverse", *NAN_FLAGS])
    if axis >= a.ndim:
        return from_numpy(a if a.dtype.kind != "b" else a.astype(np.float64))
    if reverse:
        a = np.flip(a, axis)
    adds = name == "cumsum"
    if a.dtype.kind in "iu":
        result = _integers(a, axis, adds)
    else:
        work = as_float(a)
        if omit:
            work = np.where(np.isnan(work), 0.0 if adds else 1.0, work)
        running = np.add.accumulate if adds else np.multiply.accumulate
        result = quiet(running, work, axis, work.dtype)
    result = np.flip(result, axis) if reverse else result
    return value_of(result, isinstance(x, SparseArray))


def _integers(a: NDArray[Any], axis: int, adds: bool) -> NDArray[Any]:
    if not a.size:
        return a
    if adds and a.dtype.itemsize < 8:
        info = np.iinfo(a.dtype)
        exact = np.cumsum(a, axis=axis, dtype=np.float64)
        # sums that only grow, or stay inside, are those of saturating steps once clipped
        if a.min() >= 0 or (exact.min() >= info.min and exact.max() <= info.max):
            return saturate(exact, a.dtype)
    return _running_saturated(a, axis, operator.add if adds else operator.mul)


@builtin(
    "cumsum",
    family="arrays/reductions",
    effects="pure",
    fusion=Scan(fused.running_total, of_complex="complex"),
)
def cumsum(x: Any, *args: Any) -> Any:
    """Running sum.

    B = cumsum(A), B = cumsum(A, DIM)
    B = cumsum(…, "reverse"), B = cumsum(…, "omitnan")

    Integer classes are kept and saturate.

    Examples:
        >> cumsum([1 2 3])
        ans =
             1     3     6
        >> cumsum(uint8([200 100]))
        ans =
          1×2 uint8 row vector
           200   255

    See also: cumprod, sum, cummax, diff.
    """
    return _cumulate("cumsum", x, args)


@builtin(
    "cumprod",
    family="arrays/reductions",
    effects="pure",
    fusion=Scan(fused.running_product, of_complex="complex", decided=True),
)
def cumprod(x: Any, *args: Any) -> Any:
    """Running product.

    B = cumprod(A), B = cumprod(A, DIM)
    B = cumprod(…, "reverse"), B = cumprod(…, "omitnan")

    Examples:
        >> cumprod([1 2 3 4])
        ans =
             1     2     6    24

    See also: cumsum, prod.
    """
    return _cumulate("cumprod", x, args)


@builtin("diff", family="arrays/reductions", effects="pure", pending="view")
def diff(x: Any, n: Any = None, dim: Any = None) -> Any:
    """Differences between neighbouring elements.

    Y = diff(X)
    Y = diff(X, N) applies diff N times
    Y = diff(X, N, DIM)

    Examples:
        >> diff([1 4 9 16])
        ans =
             3     5     7
        >> diff([1 4 9 16], 2)
        ans =
             2     2

    See also: cumsum, gradient, sum.
    """
    if n is None and dim is None and x.__class__ is Array and HOOKS.programs:
        a = x.data
        if a.dtype is DOUBLE and a.ndim == 2 and a.size > 1:
            return from_numpy(a[:, 1:] - a[:, :-1] if len(a) == 1 else a[1:] - a[:-1])
    order = 1 if n is None or to_numpy(n).size == 0 else integer(n, "Difference order")
    if order < 0:
        raise MatlabError(
            "MATLAB:diff:differenceOrderMustBePositiveInteger",
            "Difference order N must be a positive integer scalar.",
        )
    if isinstance(x, SparseArray) and (dim is None or dimension(dim) < 2):
        return sparse_order.differences(x, order, None if dim is None else dimension(dim))
    a = numeric(x, "diff")
    for _ in range(order):
        if dim is None and a.size == 1 and a.ndim == 2:
            # a scalar has no neighbour along any dimension
            return from_numpy(as_float(a[:0, :0]))
        axis = first_axis(a.shape) if dim is None else dimension(dim)
        a = _difference(a, axis) if axis < a.ndim else a[..., :0]
    return from_numpy(a)


def _difference(a: NDArray[Any], axis: int) -> NDArray[Any]:
    if a.dtype.kind in "iu":
        wide = a.astype(object) if a.dtype.itemsize == 8 else a.astype(np.float64)
        return saturate(np.diff(wide, axis=axis), a.dtype)
    if a.shape[axis] == 0:
        return as_float(a)
    with silent():
        a = as_float(a)
        if a.ndim != 2:
            return np.diff(a, axis=axis)
        return np.asarray(a[1:] - a[:-1] if axis == 0 else a[:, 1:] - a[:, :-1])
