"""Largest and smallest elements."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_builtin_inputs
from runmat_core.api.fusion import Map
from runmat_core.api.fusion import Reduction as Fused
from runmat_core.api.ir import complexes
from runmat_core.builtins.arguments import (
    along,
    as_float,
    integer_dtype,
    numeric,
    option,
    reduction_axes,
)
from runmat_core.builtins.arrays import sparse_rules
from runmat_core.builtins.lift import expand, value_of
from runmat_core.builtins.math.extrema_options import Options, is_operand, options_of
from runmat_core.builtins.math.few import of_few
from runmat_core.values import (
    DTYPE,
    Array,
    SparseArray,
    class_of,
    from_numpy,
    size_of,
    to_double,
    to_numpy,
)
from runmat_core.values.classes import saturate

Operand = NDArray[Any]


def _key(a: Operand, by: str) -> Operand:
    """Return what elements are compared by: themselves, or the magnitude of complex ones."""
    if a.dtype.kind == "c":
        # a NaN in either part, be the other one infinite
        return np.where(np.isnan(a), np.nan, a.real if by == "real" else np.abs(a))
    return np.abs(a) if by == "abs" else a


def _arg_extreme(a: Operand, axis: int, largest: bool, options: Options) -> Operand:
    """Index of the extreme along `axis`, the first of several, NaN last of all."""
    key = _key(a, options.by)
    if a.dtype.kind == "c" and options.by != "real":
        # equal magnitudes are ordered by phase
        missing = np.isnan(key)
        if not (options.include_nan and missing.any()):
            filled = np.where(missing, -np.inf if largest else np.inf, key)
            extreme = (filled.max if largest else filled.min)(axis=axis, keepdims=True)
            phase = np.where(key == extreme, np.angle(a), -np.inf if largest else np.inf)
            return np.asarray((phase.argmax if largest else phase.argmin)(axis=axis, keepdims=True))
    if key.dtype.kind == "f":
        missing = np.isnan(key)
        if missing.any():
            worst = -np.inf if largest else np.inf
            if options.include_nan:
                first = missing.argmax(axis=axis, keepdims=True)
                rest = (key.argmax if largest else key.argmin)(axis=axis, keepdims=True)
                return np.asarray(np.where(missing.any(axis=axis, keepdims=True), first, rest))
            filled = np.where(missing, worst, key)
            found = (filled.argmax if largest else filled.argmin)(axis=axis, keepdims=True)
            # an infinity of the wrong sign ties with what stands for NaN
            at_missing = np.take_along_axis(missing, found, axis)
            present = (~missing).argmax(axis=axis, keepdims=True)
            return np.asarray(np.where(at_missing, present, found))
    return np.asarray((key.argmax if largest else key.argmin)(axis=axis, keepdims=True))


def _reduce(name: str, x: Any, dims: Any, options: Options, nargout: int) -> Any:
    largest = name == "max"
    if isinstance(x, SparseArray) and nargout < 2 and options == Options():
        best = sparse_rules.reduced(name, x, () if dims is None else (dims,))
        if best is not None:
            return best
    if class_of(x) not in DTYPE and class_of(x) != "char":
        raise MatlabError(f"MATLAB:{name}:wrongInput", "First input array is an invalid data type.")
    a = to_numpy(x)
    if class_of(x) == "char":
        a = a.astype(np.float64)
    if a.shape == (0, 0) and dims is None and not options.everything:
        empty = from_numpy(a)
        return (empty, from_numpy(np.zeros((0, 0)))) if nargout > 1 else empty
    if options.everything:
        axes: tuple[int, ...] | None = tuple(range(a.ndim))
    else:
        axes = None if dims is None else reduction_axes(x, dims)
    folded, axis = along(a, axes)
    if folded.shape[axis] == 0:
        return _of_nothing(folded, nargout)
    if nargout < 2 and folded.dtype.kind != "c" and options.by == "auto":
        return from_numpy(_values_alone(folded, axis, largest, options.include_nan))
    at = _arg_extreme(folded, axis, largest, options)
    extremes = np.take_along_axis(folded, at, axis)
    if isinstance(x, SparseArray):
        # as `sparse_rules` has it, so that what was found can be a mask
        values: Any = SparseArray.from_dense(extremes.astype(x.data.dtype))
    else:
        values = value_of(extremes)
    if nargout < 2:
        return values
    several = axes is not None and len(axes) > 1
    index = at
    if options.linear and not several:
        index = _linear_index(at, axis, folded.shape)
    elif options.linear and not options.everything:
        places, _ = along(np.arange(a.size).reshape(a.shape, order="F"), axes)
        index = np.take_along_axis(places, at, axis)
    return values, from_numpy(index.astype(np.float64) + 1)


def _values_alone(a: Operand, axis: int, largest: bool, include_nan: bool) -> Operand:
    if a.dtype.kind == "f" and not include_nan:
        reduce = np.fmax.reduce if largest else np.fmin.reduce
        return np.asarray(reduce(a, axis=axis, keepdims=True))
    return np.asarray((a.max if largest else a.min)(axis=axis, keepdims=True))


def _of_nothing(a: Operand, nargout: int) -> Any:
    """Return the extreme along an extent of zero: empty, of the size of `a`, as is the index."""
    return (from_numpy(a), from_numpy(np.zeros(a.shape))) if nargout > 1 else from_numpy(a)


def _linear_index(at: Operand, axis: int, shape: tuple[int, ...]) -> Operand:
    grid = np.indices(at.shape, sparse=True)
    subscripts = [at if k == axis else grid[k] for k in range(at.ndim)]
    return np.asarray(np.ravel_multi_index(np.broadcast_arrays(*subscripts), shape, order="F"))


def _of_two(name: str, x: Any, y: Any, options: Options) -> Any:
    largest = name == "max"
    dtype = integer_dtype(x, y, name)

    def rule(a: Operand, b: Operand) -> Operand:
        return _of_two_floating(a, b, largest, options)

    if isinstance(x, SparseArray) or isinstance(y, SparseArray):
        best = sparse_rules.of_two(rule, x, y)
        if class_of(x) != "logical" or class_of(y) != "logical":
            return best
        if isinstance(best, SparseArray):
            return SparseArray(best.data.astype(np.bool_))
        return from_numpy(to_numpy(best).astype(np.bool_))
    a, b = numeric(x, name), numeric(y, name)
    if a.dtype.kind == "b" == b.dtype.kind:
        a, b = expand([a, b])
        return from_numpy((np.logical_or if largest else np.logical_and)(a, b))
    if dtype is not None:
        a, b = expand([saturate(v, dtype) for v in (a, b)])
        return from_numpy((np.maximum if largest else np.minimum)(a, b))
    return value_of(rule(as_float(a), as_float(b)))


def _of_two_floating(a: Operand, b: Operand, largest: bool, options: Options) -> Operand:
    a, b = expand([a, b])
    if a.dtype.kind != "c" and b.dtype.kind != "c" and options.by == "auto":
        if options.include_nan:
            found = np.asarray((np.maximum if largest else np.minimum)(a, b))
            return _of_zeros(a, b, found, largest)
        return _of_zeros(a, b, np.asarray((np.fmax if largest else np.fmin)(a, b)), largest)
    pair = np.stack(np.broadcast_arrays(a, b))
    at = _arg_extreme(pair, 0, largest, options)
    return np.asarray(np.take_along_axis(pair, at, 0)[0])


def _of_zeros(a: Operand, b: Operand, found: Operand, largest: bool) -> Operand:
    """`found` where 0 is larger than -0; what NumPy takes depends on where elements lie."""
    both = (a == 0) & (b == 0)
    if not both.any():
        return found
    return np.asarray(np.where(both, a + b if largest else -(-a - b), found))


def _extreme(name: str, args: tuple[Any, ...], nargout: int) -> Any:
    x, *rest = args
    if x.__class__ is Array and (few := of_few(x.data, rest, name == "max", nargout)) is not None:
        return few
    if len(args) > 1 and is_operand(args[1], args[0]):
        args = (args[0], from_numpy(to_double(args[1])), *args[2:])
    plain, options = options_of(args)
    if len(plain) == 1:
        return _reduce(name, plain[0], None, options, nargout)
    if len(plain) == 2 and len(args) > 2 and size_of(plain[1]) == (0, 0):
        # max(A, [], "all") and its like
        return _reduce(name, plain[0], None, options, nargout)
    if len(plain) == 2:
        if nargout > 1:
            raise MatlabError(
                f"MATLAB:{name}:TwoInTwoOutCaseNotSupported",
                f"{name.upper()} with two matrices to compare and two output arguments is not "
                "supported.",
            )
        return _of_two(name, plain[0], plain[1], options)
    if len(plain) == 3:
        if numeric(plain[1], name).size:
            raise MatlabError(
                f"MATLAB:{name}:caseNotSupported",
                f"{name.upper()} with two matrices to compare and a working dimension is not "
                "supported.",
            )
        return _reduce(name, plain[0], plain[2], options, nargout)
    raise too_many_builtin_inputs()


def _extremum(x: Any, largest: bool, outputs: int, include_nan: bool) -> Any:
    """max or min along dimensions in kernel IR."""
    if x.dtype in ir.COMPLEX:
        reducer = ir.reducers.extremum_by_size(x.dtype, largest, include_nan)
        value, place = ir.reduce(reducer, x)
        return (value, place + 1.0) if outputs > 1 else value
    if outputs > 1:
        if include_nan:
            return NotImplemented
        x = ir.cast(x, "f32") if x.dtype == "bool" else x  # devices order floats
        value, place = ir.reduce(ir.reducers.extremum(x.dtype, largest), x)
        return value, place + 1.0
    if x.dtype == "bool":
        (value,) = ir.reduce((ir.reducers.any_ if largest else ir.reducers.all_)(), x)
        return value
    reducer = (ir.reducers.maximum if largest else ir.reducers.minimum)(x.dtype)
    (value,) = ir.reduce(reducer, x)
    if include_nan:
        (missing,) = ir.reduce(ir.reducers.any_(), ir.isnan(x))
        value = ir.where(missing, float("nan"), value)
    return value


def _largest(x: Any, outputs: int = 1, include_nan: bool = False) -> Any:
    return _extremum(x, True, outputs, include_nan)


def _least(x: Any, outputs: int = 1, include_nan: bool = False) -> Any:
    return _extremum(x, False, outputs, include_nan)


def _better(largest: bool) -> Map:
    """max or min of two arrays in kernel IR; complex elements by modulus, then by angle."""

    def function(x: Any, y: Any) -> Any:
        if x.dtype == "bool":
            return x | y if largest else x & y
        return (ir.maximum if largest else ir.minimum)(x, y)

    def of_complex(x: Any, y: Any) -> Any:
        sizes = [ir.where(ir.isnan(z), float("nan"), abs(z)) for z in (x, y)]
        angles = [ir.atan2(ir.imag(z), ir.real(z)) for z in (x, y)]
        (a, b), (p, q) = (pair if largest else pair[::-1] for pair in (sizes, angles))
        second = (b > a) | ((b == a) & (q > p)) | (ir.isnan(sizes[0]) & ~ir.isnan(sizes[1]))
        return ir.where(second, y, x)

    return Map(function, "ordered", of_complex=Map(of_complex, "complex", guard=complexes.real))


def _bounds(x: Any, include_nan: bool = False, outputs: int = 1) -> Any:
    least = _least(x, include_nan=include_nan)
    return (least, _largest(x, include_nan=include_nan)) if outputs > 1 else least


@builtin(
    "max",
    family="math/extrema",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    fusion=Fused(
        _largest,
        "extremum",
        "own",
        outputs=2,
        pair=_better(True),
        of_complex="complex",
        decided=True,
    ),
)
def max_(x: Any, *args: Any, nargout: int) -> Any:
    """Largest elements.

    M = max(A) works along the first dimension whose extent is not one
    M = max(A, [], DIM), M = max(A, [], VECDIM), M = max(A, [], "all")
    [M, I] = max(…) gives the index of the first largest element as well
    C = max(A, B) compares element by element; sizes must be compatible
    max(…, "includenan") lets NaN win; it is left out otherwise

    Complex elements are compared by magnitude, then by phase. The extremes of logical arrays
    are logical.

    Examples:
        >> max([3 NaN 7 1])
        ans =
             7
        >> [m, k] = max([4 9; 8 2])
        m =
             8     9
        k =
             2     1
        >> max([1 5], 3)
        ans =
             3     5

    See also: min, bounds, sort, cummax, maxk.
    """
    if args and args[0].__class__ is float and x.__class__ is float and len(args) == 1:
        y: float = args[0]
        if nargout < 2:
            if x == 0.0 == y:
                return x + y  # 0 is larger than -0
            return x if x >= y or y != y else y
    elif x.__class__ is float and not args and nargout < 2:
        return x
    return _extreme("max", (x, *args), nargout)


@builtin(
    "min",
    family="math/extrema",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    fusion=Fused(
        _least,
        "extremum",
        "own",
        outputs=2,
        pair=_better(False),
        of_complex="complex",
        decided=True,
    ),
)
def min_(x: Any, *args: Any, nargout: int) -> Any:
    """Smallest elements.

    M = min(A) works along the first dimension whose extent is not one
    M = min(A, [], DIM), M = min(A, [], VECDIM), M = min(A, [], "all")
    [M, I] = min(…) gives the index of the first smallest element as well
    C = min(A, B) compares element by element; sizes must be compatible
    min(…, "includenan") lets NaN win; it is left out otherwise

    Complex elements are compared by magnitude, then by phase. The extremes of logical arrays
    are logical.

    Examples:
        >> min([3 NaN 7 1])
        ans =
             1
        >> min([4 9; 8 2], [], 2)
        ans =
             4
             2

    See also: max, bounds, sort, cummin, mink.
    """
    if args and args[0].__class__ is float and x.__class__ is float and len(args) == 1:
        y: float = args[0]
        if nargout < 2:
            if x == 0.0 == y:
                return -(-x - y)  # -0 is less than 0
            return x if x <= y or y != y else y
    elif x.__class__ is float and not args and nargout < 2:
        return x
    return _extreme("min", (x, *args), nargout)


@builtin(
    "bounds",
    family="math/extrema",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    fusion=Fused(_bounds, "sum", "own", outputs=2),
)
def bounds(x: Any, *args: Any, nargout: int) -> Any:
    """Smallest and largest elements.

    [S, L] = bounds(A)
    [S, L] = bounds(A, DIM), bounds(A, "all"), bounds(…, "includenan")

    Examples:
        >> [s, l] = bounds([3 8 5])
        s =
             3
        l =
             8

    See also: min, max, range.
    """
    dims = [a for a in args if option(a) is None]
    words = [a for a in args if option(a) is not None]
    passed = [from_numpy(np.zeros((0, 0))), *dims[:1], *words] if args else []
    smallest = _extreme("min", (x, *passed), 1)
    return (smallest, _extreme("max", (x, *passed), 1)) if nargout > 1 else smallest
