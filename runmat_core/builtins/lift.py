"""Lifted host rules: from a function of arrays to one of MATLAB values.

An elementwise rule (``lift="map"``) is written over NumPy arrays and knows nothing of classes or
sizes:

- double and single arrays, real or complex, arrive as they are; logical and char arrive as double;
- integer classes arrive as integer arrays if the mark says ``integers=True``, else they are an
  error; so is everything that is not numeric, logical or char;
- several operands arrive in the common floating class, reshaped so that NumPy's broadcasting does
  MATLAB's implicit expansion (extents align from the left);
- the class of the result is that of the array the rule returns; complex results without imaginary
  part become real; a sparse operand gives a sparse result; a tuple holds one array for each output.

Scalar doubles do not come here: the registry hands them to ``spec.scalar`` first.

Any other rule over arrays (``lift="arrays"``) gets arguments as they are: numbers and logicals as
arrays of their class with two axes or more (not to be written to), a char row or a string as
``str``, everything else as the MATLAB value. It gives arrays, Python numbers, ``str``, lists of
these (cells), dicts of these (structs), objects of its package (`api.objects`) or arrays of them,
other arrays of objects (cells of their size), None for no value, and a tuple for several outputs.

The rules of packages get arrays that cannot be written to, and what they return is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.builtin import BuiltinSpec
from runmat_core.values import (
    FLOAT_CLASSES,
    INTEGER_CLASSES,
    Array,
    class_of,
    from_numpy,
    to_numpy,
)
from runmat_core.values.base import Complex
from runmat_core.values.classes import DOUBLE, quiet, silent
from runmat_core.values.element_array import from_plain, to_plain
from runmat_core.values.sparse import SparseArray, from_triplets
from runmat_core.values.stand_in import Refused

_AS_DOUBLE = frozenset({"logical", "char"})

Lifted = Callable[..., Any]


def lifted(spec: BuiltinSpec) -> Lifted:
    """Return the function of MATLAB values that applies `spec`'s host rule."""
    if spec.lift != "map":
        return _of_arrays(spec)
    host, name, integers = spec.host, spec.name, spec.integers
    # rules of the core see no context variables; what others see is not for us to say
    run: Callable[..., Any] = quiet
    if not spec.host.__module__.startswith("runmat_core."):
        host, run = _watched(host), _without_warnings

    def rule(*values: Any, **needed: Any) -> Any:
        if len(values) == 1 and not needed:
            only = values[0]
            if only.__class__ is Array and only.data.dtype is DOUBLE:
                result = run(host, only.data)
                if result.__class__ is np.ndarray:
                    return from_numpy(result)
                return tuple(map(value_of, result))
            if only.__class__ is Complex:
                result = run(host, np.array([[complex(only)]]))
                if result.__class__ is np.ndarray:
                    return from_numpy(result)
                return tuple(map(value_of, result))
            if isinstance(only, SparseArray):
                return _sparse(host, only)
        try:
            operands = [operand(v, name, integers) for v in values]
        except Refused as asked:
            return _ahead(spec, asked, values, needed)
        with silent():
            if len(operands) > 1:
                operands = expand(operands)
            result = host(*operands, **needed)
        sparse = any(isinstance(v, SparseArray) for v in values)
        if isinstance(result, tuple):
            return tuple(value_of(output, sparse) for output in result)
        return value_of(result, sparse)

    return rule


def _without_warnings(host: Lifted, *operands: NDArray[Any]) -> Any:
    with silent():
        return host(*operands)


def _ahead(
    spec: BuiltinSpec, asked: Refused, values: tuple[Any, ...], needed: dict[str, Any]
) -> Any:
    """Return the rule of what stands in for arrays, where these know what elementwise rules are."""
    if asked.value is None or spec.fusion is None or needed.get("nargout", 1) > 1:
        raise asked
    from runmat_core.builtins import fusing

    return asked.value.lifted(lambda *whole: fusing.capture(spec, whole, 1), values)


def _watched(host: Callable[..., Any]) -> Callable[..., Any]:
    """Return an elementwise rule of read-only arrays that must keep their size."""

    def rule(*operands: NDArray[Any], **needed: Any) -> Any:
        shape = np.broadcast_shapes(*[a.shape for a in operands])
        result = _wanted(host(*map(_read_only, operands), **needed), needed)
        for output in result if isinstance(result, tuple) else (result,):
            if not isinstance(output, np.ndarray):
                raise TypeError(f"the host rule returned a {type(output).__name__}, not an array")
            if output.shape != shape:
                size = "x".join(map(str, output.shape))
                wanted = "x".join(map(str, shape))
                raise ValueError(f"the host rule returned an array of size {size}, not {wanted}")
        return result

    return rule


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """`array` as it is, not to be written to: a variable may hold its memory."""
    view = array.view()
    view.flags.writeable = False
    return view


def _of_arrays(spec: BuiltinSpec) -> Lifted:
    """Return a rule of arrays, or of MATLAB values, whose results may be any of Python's."""
    host = spec.host
    enter = to_plain if spec.lift == "arrays" else _same

    def rule(*values: Any, **needed: Any) -> Any:
        with silent():
            result = _wanted(host(*map(enter, values), **needed), needed)
        if isinstance(result, tuple):
            return tuple(map(from_plain, result))
        if result is None and (spec.nargout == 0 or needed.get("nargout") == 0):
            return None
        return from_plain(result)

    return rule


def _wanted(result: Any, needed: dict[str, Any]) -> Any:
    """As many of several outputs as are asked for."""
    if not isinstance(result, tuple):
        return result
    count = needed.get("nargout", 1)
    return result[:count] if count > 1 or not result else result[0]


def _same(value: Any) -> Any:
    return value


def _sparse(host: Callable[[NDArray[Any]], NDArray[Any]], x: SparseArray) -> SparseArray:
    """Return a rule of a sparse matrix: of its nonzero elements alone where the rule keeps zero."""
    with silent():
        if host(np.zeros((1, 1)))[0, 0] != 0:
            return SparseArray.from_dense(host(operand(x, "")))
        rows, columns, values = x.triplets()
        if values.dtype == np.bool_:
            values = values.astype(np.float64)
        return from_triplets(rows, columns, host(values.reshape(-1, 1)).ravel(), x.data.shape)


def operand(value: Any, name: str, integers: bool = False) -> NDArray[Any]:
    """Return the array that a lifted rule called `name` sees for `value`.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, the rule does not take the value's class.
    """
    cls = class_of(value)
    if cls in FLOAT_CLASSES or (integers and cls in INTEGER_CLASSES):
        return to_numpy(value)
    if cls in _AS_DOUBLE:
        return to_numpy(value).astype(np.float64)
    raise errors.undefined_for(name, cls)


Shape = tuple[int, ...]


def compatible_shapes(shapes: Sequence[Shape]) -> tuple[list[Shape], Shape]:
    """`shapes` with trailing extents of one added, so that NumPy aligns them from the left, and
    the shape that they expand to.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    rank = max(len(shape) for shape in shapes)
    padded = [shape + (1,) * (rank - len(shape)) for shape in shapes]
    common = []
    for extents in zip(*padded, strict=True):
        others = {extent for extent in extents if extent != 1}
        if len(others) > 1:
            raise errors.incompatible_sizes()
        common.append(others.pop() if others else 1)
    return padded, tuple(common)


def expand(operands: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Arrays of compatible sizes that NumPy can broadcast, all single if one of them is.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    shapes, _ = compatible_shapes([a.shape for a in operands])
    if any(a.dtype == np.float32 or a.dtype == np.complex64 for a in operands):
        operands = [
            a.astype(np.complex64 if a.dtype.kind == "c" else np.float32, copy=False)
            for a in operands
        ]
    return [a.reshape(shape, order="F") for a, shape in zip(operands, shapes, strict=True)]


def value_of(result: NDArray[Any], sparse: bool = False) -> Any:
    """Return the MATLAB value of a lifted rule's result."""
    if result.dtype.kind == "c" and not result.imag.any():
        result = result.real
    return SparseArray.from_dense(result) if sparse else from_numpy(result)


#: Elements up to which their bytes say sooner than a reduction whether one of them is true.
_FEW = 256


def any_true(mask: NDArray[np.bool_]) -> bool:
    """Whether an element is true."""
    return 1 in mask.tobytes() if mask.size <= _FEW else bool(mask.any())


def complex_where(a: NDArray[Any], outside: NDArray[np.bool_]) -> NDArray[Any]:
    """Return `a`, complex if an element lies `outside` a function's real domain."""
    if a.dtype.kind == "c" or not any_true(outside):
        return a
    return a.astype(np.complex64 if a.dtype == np.float32 else np.complex128)
