"""How numeric builtins read their arguments: sizes, dimensions, classes, options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError, size_limit, too_many_inputs, undefined_for
from runmat_core.api.fusion import Operand
from runmat_core.api.tuples import NamedTuple
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    INTEGER_CLASSES,
    NUMERIC_CLASSES,
    Array,
    SparseArray,
    arithmetic,
    class_of,
    from_numpy,
    is_text,
    size_of,
    text,
    to_numpy,
)


def numeric(value: Any, name: str) -> NDArray[Any]:
    """Return the array of a numeric, logical or char argument of the builtin `name`."""
    if value.__class__ is Array:
        data: NDArray[Any] = value.data
        return data
    cls = class_of(value)
    if cls in DTYPE:
        return to_numpy(value)
    if cls == "char":
        return to_numpy(value).astype(np.float64)  # what it becomes is no array of codes
    raise undefined_for(name, cls)


def summand(value: Any, name: str) -> NDArray[Any]:
    """Return the array that the reduction `name` runs over."""
    if value.__class__ is Array:
        data: NDArray[Any] = value.data
        return data
    cls = class_of(value)
    if cls not in DTYPE and cls != "char":
        raise MatlabError(
            f"MATLAB:{name}:wrongInput",
            "Invalid data type. First argument must be numeric or logical.",
        )
    return to_numpy(value).astype(np.float64) if cls == "char" else to_numpy(value)


def floating(value: Any, name: str) -> NDArray[Any]:
    """Return a numeric argument as double, or single where it is single; integers are an error."""
    cls = class_of(value)
    if cls in FLOAT_CLASSES:
        return to_numpy(value)
    if cls in {"logical", "char"}:
        return to_numpy(value).astype(np.float64)
    raise undefined_for(name, cls)


def real(value: Any, name: str) -> NDArray[Any]:
    """Return the array of a real numeric, logical or char argument."""
    a = numeric(value, name)
    if a.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{name}:mustBeReal", "Input must be real.")
    return a


def whole(value: Any, name: str) -> NDArray[np.int64]:
    """Return the elements of an argument that must be integers, in column-major order."""
    a = real(value, name).ravel(order="F")
    if a.dtype.kind == "f":
        low, high = (a.min(), a.max()) if a.size else (0.0, 0.0)
        if not (a == np.floor(a)).all() or low == -np.inf or high == np.inf:
            raise MatlabError(f"MATLAB:{name}:mustBeInteger", "Input must contain finite integers.")
        if low > -(2.0**62) and high < 2.0**62:
            return a.astype(np.int64)
    return np.asarray(np.clip(a, -(2**62), 2**62), dtype=np.int64)


def integer_dtype(x: Any, y: Any, name: str) -> np.dtype[Any] | None:
    """Return the integer type of what `name` makes of two values, or None where it is floating.

    Raises:
        MatlabError: MATLAB:mixedClasses, for integers that do not combine.
    """
    operands = []
    for value in (x, y):
        if value.__class__ is SparseArray:
            operands.append(_NO_SCALAR)
        else:
            numeric(value, name)
            operands.append(arithmetic.operand(value, name))
    dtype: np.dtype[Any] | None = arithmetic.integer_class(*operands)
    return dtype


#: What a sparse matrix is to the rules of classes: doubles that combine with no integer class.
_NO_SCALAR = np.zeros(2)


def fits(*values: Any, least: float | None = None) -> bool:
    """Whether doubles that meet an integer class are scalars and whole numbers that it holds.

    Args:
        least: the least number that will do, that of the class by default.
    """
    classes = {class_of(value) for value in values} & INTEGER_CLASSES
    if len(classes) != 1:
        return not classes
    info = np.iinfo(DTYPE[classes.pop()])
    low = info.min if least is None else least
    return all(
        value.is_integer() and low <= value <= info.max
        if value.__class__ is float
        else class_of(value) in INTEGER_CLASSES
        for value in values
    )


def value_of_operand(operand: Operand) -> Any:
    """Return the array that an `Operand` with elements stands for."""
    elements = np.array(operand.elements or (), np.float64)
    return from_numpy(elements.reshape(operand.shape, order="F"), operand.cls)


def as_float(a: NDArray[Any]) -> NDArray[Any]:
    """Return `a` as a floating array: what is not floating becomes double."""
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def scalar(value: Any, what: str = "Input") -> float:
    """Return a real number from a scalar argument."""
    if value.__class__ is float:
        return value
    a = to_numpy(value) if class_of(value) in DTYPE or class_of(value) == "char" else None
    if a is None or a.size != 1 or a.dtype.kind == "c":
        raise MatlabError("MATLAB:expectedScalar", f"{what} must be a real scalar.")
    return float(a.flat[0])


def integer(value: Any, what: str = "Input") -> int:
    """Return an integer from a scalar argument.

    Beyond all sizes, the bound that `whole` has too.
    """
    number = scalar(value, what)
    if number.is_integer() and -(2.0**62) <= number <= 2.0**62:
        return int(number)
    if number != number or number in (float("inf"), float("-inf")) or number != int(number):
        raise MatlabError("MATLAB:expectedInteger", f"{what} must be an integer.")
    return int(min(max(number, -(2.0**62)), 2.0**62))


def option(value: Any) -> str | None:
    """Return a text argument in lower case, or None where the argument is not text."""
    return text(value).lower() if is_text(value) else None


def split_options(args: Sequence[Any]) -> tuple[list[Any], list[str]]:
    """Return the arguments that are not text, and the text ones in lower case."""
    plain, options = [], []
    for arg in args:
        name = option(arg)
        if name is None:
            plain.append(arg)
        else:
            options.append(name)
    return plain, options


def unknown_option(name: str, known: Iterable[str] = ()) -> MatlabError:
    """For a word that is none of the known ones; the closest of them is named."""
    return MatlabError(
        "MATLAB:unrecognizedStringChoice", f"Unrecognized option '{name}'.{nearest(name, known)}"
    )


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a remark that names the known word closest to `word`, empty where none is close."""
    import difflib

    words = {k.lower(): k for k in known}
    close = difflib.get_close_matches(word.lower(), words, n=1, cutoff=0.6)
    return f" Did you mean '{words[close[0]]}'?" if close else ""


# -- sizes --------------------------------------------------------------------------------------


def canonical_shape(extents: Sequence[int]) -> tuple[int, ...]:
    """`extents` without trailing ones beyond the second, negative ones as zero."""
    if len(extents) == 2:
        rows, columns = extents
        return (rows if rows > 0 else 0, columns if columns > 0 else 0)
    shape = [max(extent, 0) for extent in extents]
    while len(shape) > 2 and shape[-1] == 1:
        shape.pop()
    return tuple(shape)


def shape_from(args: Sequence[Any]) -> tuple[int, ...]:
    """Return the size that the arguments of ``zeros(...)`` and its like ask for."""
    if not args:
        return (1, 1)
    if len(args) == 1:
        if args[0].__class__ is float:
            n = max(_extent(args[0]), 0)
            return (n, n)
        a = _size_array(args[0])
        if a.size == 1:
            n = _extent(a.flat[0])
            return (max(n, 0), max(n, 0))
        if a.ndim != 2 or a.shape[0] != 1 or a.size == 0:
            raise MatlabError(
                "MATLAB:sizeVectorMustBeRowVector",
                "Size vector should be a row vector with real elements.",
            )
        return canonical_shape([_extent(e) for e in a.ravel().tolist()])
    extents = []
    for arg in args:
        if arg.__class__ is float:
            extents.append(_extent(arg))
            continue
        a = _size_array(arg)
        if a.size != 1:
            raise MatlabError("MATLAB:expectedScalar", "Size inputs must be scalar.")
        extents.append(_extent(a.flat[0]))
    return canonical_shape(extents)


def _size_array(value: Any) -> NDArray[Any]:
    if value.__class__ is Array:
        data: NDArray[Any] = value.data
        return data
    if class_of(value) not in DTYPE and class_of(value) != "char":
        raise MatlabError("MATLAB:NonNumericInput", "Size inputs must be numeric.")
    return to_numpy(value)


def _extent(number: Any) -> int:
    if number.__class__ is float and number.is_integer() and -(2.0**48) < number < 2.0**48:
        return int(number)
    real = float(number.real)
    if real >= 2**48:
        raise size_limit()
    if real == float("-inf"):
        return 0
    if number.imag != 0 or real != real or real != int(real):
        raise MatlabError("MATLAB:NonIntegerInput", "Size inputs must be integers.")
    return int(real)


@cache
def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def check_size(shape: Sequence[int], itemsize: int) -> None:
    """Refuse an array that the machine's memory cannot hold, before it is asked for.

    Raises:
        MatlabError: MATLAB:array:SizeLimitExceeded.
    """
    count = 1
    for extent in shape:
        count *= extent
    if count < 1 << 20:
        return
    if count >= 1 << 47:
        raise size_limit()
    if count * itemsize > _memory():
        sizes = "x".join(map(str, shape))
        raise MatlabError(
            "MATLAB:array:SizeLimitExceeded",
            f"Requested {sizes} ({count * itemsize / 2**30:.1f}GB) array exceeds maximum array "
            f"size preference ({_memory() / 2**30:.1f}GB). This might cause MATLAB to become "
            "unresponsive.",
        )


# -- dimensions ---------------------------------------------------------------------------------


#: A dimension beyond this is taken for a mistake.
_MOST_DIMENSIONS = 2**31


def dimension(value: Any) -> int:
    """Return a dimension argument as a zero-based axis."""
    if value.__class__ is float and 1.0 <= value <= _MOST_DIMENSIONS and value.is_integer():
        return int(value) - 1
    cls = class_of(value)
    a = to_numpy(value) if cls in NUMERIC_CLASSES else None
    number = float(a.flat[0]) if a is not None and a.size == 1 and a.dtype.kind != "c" else 0.0
    if not 1 <= number <= _MOST_DIMENSIONS or number % 1:
        raise MatlabError(
            "MATLAB:getdimarg:dimensionMustBePositiveInteger",
            "Dimension argument must be a positive integer scalar within indexing range.",
        )
    return int(number) - 1


def first_axis(shape: Sequence[int]) -> int:
    """Return the first axis whose extent is not one; 0 where there is none."""
    if len(shape) == 2:
        return 1 if shape[0] == 1 and shape[1] != 1 else 0
    return next((axis for axis, extent in enumerate(shape) if extent != 1), 0)


def reduction_axes(value: Any, dims: Any) -> tuple[int, ...]:
    """Return the axes that ``f(value, dims)`` works along: a dimension, several, or "all"."""
    if option(dims) is not None:
        if option(dims) != "all":
            raise unknown_option(text(dims), ["all"])
        return tuple(range(len(size_of(value))))
    if class_of(dims) not in NUMERIC_CLASSES or to_numpy(dims).size < 2:
        return (dimension(dims),)
    axes = tuple(dimension(from_numpy(d)) for d in to_numpy(dims).ravel())
    if len(set(axes)) != len(axes):
        raise MatlabError(
            "MATLAB:getdimarg:vecDimsMustBeUniquePositiveIntegers",
            "Vector of dimensions must contain unique positive integer values.",
        )
    return axes


def along(a: NDArray[Any], axes: tuple[int, ...] | None) -> tuple[NDArray[Any], int]:
    """Return `a` reshaped so that reducing it along `axes` is reducing along the one axis returned.

    With `axes` None that is the first axis whose extent is not one; a 0x0 array then counts as
    0x1, so that its reduction is 1x1. Several axes are folded into the first of them, in
    column-major order. The reduction must keep the axis with extent one.
    """
    if axes is None:
        return (a.reshape(0, 1), 0) if a.shape == (0, 0) else (a, first_axis(a.shape))
    # all dimensions beyond the last have extent one: the first of them stands for them
    axes = tuple(sorted({min(axis, a.ndim) for axis in axes}))
    rank = max(a.ndim, max(axes, default=0) + 1)
    a = a.reshape(a.shape + (1,) * (rank - a.ndim), order="F")
    if len(axes) == 1:
        return a, axes[0]
    rest = [axis for axis in range(rank) if axis not in axes]
    count = int(np.prod([a.shape[axis] for axis in axes]))
    folded = a.transpose([*axes, *rest]).reshape([count, *(a.shape[r] for r in rest)], order="F")
    # All axes before the first folded one are kept, so that is where the folded one goes.
    shape = [1 if axis in axes else a.shape[axis] for axis in range(rank)]
    shape[axes[0]] = count
    return np.moveaxis(folded, 0, axes[0]).reshape(shape, order="F"), axes[0]


class Reduction(NamedTuple):
    """A reduction as its arguments ask for it: of `a` along `axis`, kept with extent one.

    Attributes:
        omit_nan: leave NaN elements out.
        flags: the other options that were given, in lower case.
        given: whether a dimension was given.
        sparse: whether the argument, and so the result, is sparse.
    """

    a: NDArray[Any]
    axis: int
    omit_nan: bool
    flags: frozenset[str]
    given: bool
    sparse: bool


_NO_FLAGS: frozenset[str] = frozenset()
#: What is done about NaN: whether it is left out.
NAN_FLAGS = {"omitnan": True, "omitmissing": True, "includenan": False, "includemissing": False}


def reduction(
    name: str,
    x: Any,
    args: Sequence[Any],
    flags: frozenset[str] = frozenset(),
    missing: bool = True,
) -> Reduction:
    """Read ``f(x)``, ``f(x, dim)``, ``f(x, vecdim)``, ``f(x, "all")``, each with flags after it.

    Args:
        flags: that it takes besides those for NaN.
        missing: whether it takes those for NaN.
    """
    if x.__class__ is Array:
        if not args:
            return Reduction(*along(x.data, None), False, _NO_FLAGS, False, False)
        dim = args[0]
        if len(args) == 1 and dim.__class__ is float and (dim == 1.0 or dim == 2.0):
            return Reduction(x.data, int(dim) - 1, False, _NO_FLAGS, True, False)
    plain, options = split_options(args)
    if len(plain) > 1:
        raise too_many_inputs()
    a = summand(x, name)
    axes: tuple[int, ...] | None = reduction_axes(x, plain[0]) if plain else None
    omit = False
    others = set()
    for word in options:
        if word == "all":
            axes = tuple(range(a.ndim))
        elif missing and word in NAN_FLAGS:
            omit = NAN_FLAGS[word]
        elif word in flags:
            others.add(word)
        else:
            raise unknown_option(word, ["all", *(NAN_FLAGS if missing else ()), *flags])
    folded, axis = along(a, axes)
    return Reduction(
        folded, axis, omit, frozenset(others), axes is not None, isinstance(x, SparseArray)
    )
