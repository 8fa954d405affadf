"""New arrays: filled with one value, identity, evenly spaced, repeated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import (
    check_size,
    numeric,
    option,
    scalar,
    shape_from,
)
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    NUMERIC_CLASSES,
    Array,
    CharArray,
    char,
    class_of,
    colon,
    from_numpy,
    to_numpy,
)
from runmat_core.values.classes import silent
from runmat_core.values.deferred import Deferred, settled
from runmat_core.values.hooks import HOOKS, is_captured
from runmat_core.values.sparse import SparseArray
from runmat_core.values.text import words_key


@cache
def generators() -> Any:
    """Return the module that makes large arrays when they are needed; few programs load it."""
    from runmat_core.accel.capture import generators

    return generators


def split_class(
    args: Sequence[Any], name: str, classes: frozenset[str] = NUMERIC_CLASSES
) -> tuple[Sequence[Any], str, bool]:
    """Sizes, class and complexness that the arguments of ``zeros(...)`` ask for.

    A trailing class name or ``"like", P`` gives the class; without one it is double.
    """
    if not args:
        return args, "double", False
    if len(args) > 1 and option(args[-2]) == "like":
        cls = class_of(args[-1])
        if cls not in classes:
            raise _bad_prototype(name, cls)
        return args[:-2], cls, to_numpy(args[-1]).dtype.kind == "c"
    last = option(args[-1])
    if last is None:
        return args, "double", False
    if last not in classes:
        raise MatlabError(
            f"MATLAB:{name}:invalidInputClass", f"Invalid class name '{last}' for {name}."
        )
    return args[:-1], last, False


def _bad_prototype(name: str, cls: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{name}:invalidInputClass", f"Prototype of class '{cls}' is not supported."
    )


def asks_for_device(args: Sequence[Any]) -> bool:
    """Whether ``zeros(…)`` is to give a gpuArray: ``"gpuArray"``, or ``"like"`` of one."""
    if not args:
        return False
    last = args[-1]
    placed = last.__class__ is Deferred and last.promise.pinned
    return option(last) == "gpuarray" or (placed and len(args) > 1 and option(args[-2]) == "like")


def without_device(args: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments that give the same on the host."""
    return (*args[:-1], settled(args[-1])) if args[-1].__class__ is Deferred else args[:-1]


def requested(
    args: Sequence[Any], name: str, classes: frozenset[str]
) -> tuple[tuple[int, ...], str, bool] | None:
    """Shape, class and complexness that the arguments of ``zeros(...)`` ask for.

    None: an array on the device is asked for.

    Raises:
        MatlabError: MATLAB:array:SizeLimitExceeded and others.
    """
    cls = _class_like(args, classes)
    if cls:
        # all that matters of the prototype; nothing of one that is pending is looked at
        args = (*args[:-2], _named(cls))
    key = words_key(args)
    found = None if key is None else _requests.get((key, classes))
    if found is not None:
        return found
    if asks_for_device(args):
        return None
    sizes, cls, is_complex = split_class(args, name, classes)
    shape = shape_from(sizes)
    itemsize = DTYPE[cls].itemsize
    check_size(shape, 2 * itemsize if is_complex else itemsize)
    if key is not None and len(_requests) < REQUESTS:
        _requests[key, classes] = shape, cls, is_complex
    return shape, cls, is_complex


def _class_like(args: Sequence[Any], classes: frozenset[str]) -> str:
    """CLASS where ``(…, "like", P)`` asks for what ``(…, CLASS)`` does; empty for anything else."""
    if len(args) < 2 or args[-2].__class__ is not CharArray or option(args[-2]) != "like":
        return ""
    like = args[-1]
    if like.__class__ is Array:
        found = "" if like.data.dtype.kind == "c" else like.class_name
        return found if found in classes else ""
    if like.__class__ is not Deferred or like.promise.pinned:
        return ""
    promise = like.promise
    return promise.cls if promise.cls in classes and _surely_real()(promise.node) else ""


@cache
def _surely_real() -> Any:
    """Return what tells whether a node is real; few programs load it."""
    from runmat_core.accel.capture.views import proven_real

    return proven_real


_named = cache(char)

#: Element types of what is complex because its prototype is.
_COMPLEX: dict[str, Any] = {"double": np.complex128, "single": np.complex64}
#: What calls with numbers and words alone ask for, by these and the classes that may be named.
_requests: dict[Any, tuple[tuple[int, ...], str, bool]] = {}
#: How many of them are remembered.
REQUESTS = 1024


#: What ``zeros``, ``ones`` and ``eye`` make.
_CLASSES = NUMERIC_CLASSES | {"logical"}


def filled(value: float, args: Sequence[Any], name: str, floating: bool = False) -> Any:
    """Return an array of one value; size and class as the arguments of ``zeros(...)`` say."""
    if len(args) < 3 and args[0].__class__ is float and args[-1].__class__ is float:
        rows, columns = args[0], args[-1]
        few = 0 <= rows < 1000 and 0 <= columns < 1000 and rows * columns < HOOKS.smallest
        if few and rows % 1 == 0 and columns % 1 == 0:
            if rows == columns == 1:
                return value
            data = np.empty((int(rows), int(columns)), order="F")
            data.fill(value)
            return Array(data)
    asked = requested(args, name, FLOAT_CLASSES if floating else _CLASSES)
    if args[-1].__class__ is SparseArray and asked is not None:
        return _sparse(asked[0], bool(value) if asked[1] == "logical" else value)
    if asked is None:
        return HOOKS.place(filled(value, without_device(args), name, floating))
    shape, cls, is_complex = asked
    if not is_complex and is_captured(math.prod(shape)):
        later = generators().fill(bool(value) if cls == "logical" else value, shape, cls)
        if later is not NotImplemented:
            return later
    dtype: Any = DTYPE[cls]
    if is_complex:
        # zero imaginary parts are kept: the prototype asks for them
        return Array(np.full(shape, value, _COMPLEX[cls], order="F"))
    if value == 0:
        return from_numpy(np.zeros(shape, dtype, order="F"))
    return from_numpy(np.full(shape, value, dtype, order="F"))


def _sparse(shape: tuple[int, ...], value: float) -> Any:
    """Return a sparse matrix of one value, as a sparse prototype asks for."""
    if len(shape) > 2:
        raise MatlabError("MATLAB:sparse:NDArray", "N-D sparse arrays are not supported.")
    if value:
        return SparseArray.from_dense(np.full(shape, value))
    csc_array = package("scipy.sparse").csc_array

    return SparseArray(csc_array(shape, dtype=np.bool_ if value is False else np.float64))


@builtin("zeros", family="arrays/creation", effects="pure", pending="keep", captures="generator")
def zeros(*args: Any) -> Any:
    """Array of zeros.

    zeros(N) is N-by-N
    zeros(M, N, …), zeros(SZ)
    zeros(…, CLASSNAME), zeros(…, "like", P)

    Examples:
        >> zeros(2, 3)
        ans =
             0     0     0
             0     0     0
        >> zeros(1, 2, "int8")
        ans =
          1×2 int8 row vector
           0   0

    See also: ones, eye, false, repmat.
    """
    return filled(0.0, args, "zeros") if args else 0.0


@builtin("ones", family="arrays/creation", effects="pure", pending="keep", captures="generator")
def ones(*args: Any) -> Any:
    """Array of ones.

    ones(N) is N-by-N
    ones(M, N, …), ones(SZ)
    ones(…, CLASSNAME), ones(…, "like", P)

    Examples:
        >> ones(2, 3)
        ans =
             1     1     1
             1     1     1

    See also: zeros, eye, true, repmat.
    """
    return filled(1.0, args, "ones") if args else 1.0


def _logical(value: bool, args: Sequence[Any]) -> Any:
    sizes = args
    if len(args) > 1 and option(args[-2]) == "like":
        sizes, cls = args[:-2], class_of(args[-1])
        if cls != "logical":
            raise _bad_prototype("true" if value else "false", cls)
    shape = shape_from(sizes)
    check_size(shape, 1)
    if len(sizes) < len(args) and args[-1].__class__ is SparseArray:
        return _sparse(shape, value)
    if is_captured(math.prod(shape)):
        later = generators().fill(value, shape, "logical")
        if later is not NotImplemented:
            return later
    make = np.ones if value else np.zeros
    return from_numpy(make(shape, np.bool_, order="F"))


@builtin("true", family="arrays/creation", effects="pure", captures="generator")
def true(*args: Any) -> Any:
    """Logical one, alone or as an array.

    true
    true(N), true(M, N, …), true(SZ)
    true(…, "like", P) is sparse if the logical array P is

    Examples:
        >> true(1, 3)
        ans =
          1×3 logical array
           1   1   1

    See also: false, logical, ones.
    """
    return _logical(True, args) if args else True


@builtin("false", family="arrays/creation", effects="pure", captures="generator")
def false(*args: Any) -> Any:
    """Logical zero, alone or as an array.

    false
    false(N), false(M, N, …), false(SZ)
    false(…, "like", P) is sparse if the logical array P is

    Examples:
        >> false(1, 3)
        ans =
          1×3 logical array
           0   0   0

    See also: true, logical, zeros.
    """
    return _logical(False, args) if args else False


#: Identity matrices up to this order fit into memory without a look.
_LISTED = 64


@builtin("eye", family="arrays/creation", effects="pure", captures="generator")
def eye(*args: Any) -> Any:
    """Identity matrix.

    eye(N), eye(M, N), eye(SZ)
    eye(…, CLASSNAME), eye(…, "like", P)

    Examples:
        >> eye(2)
        ans =
             1     0
             0     1

    See also: zeros, ones, diag, speye.
    """
    if len(args) == 1 and args[0].__class__ is float and 1.0 < args[0] <= _LISTED:
        order = args[0].__trunc__()
        if order == args[0] and order * order < HOOKS.smallest:
            few: Array = object.__new__(Array)
            few.data = np.zeros((order, order), order="F")
            few.data.T.reshape(-1)[:: order + 1] = 1
            return few
    sizes, cls, is_complex = split_class(args, "eye", _CLASSES)
    shape = shape_from(sizes)
    if len(shape) > 2:
        raise MatlabError("MATLAB:eye:tooManyDimensions", "N-D identity arrays are not supported.")
    if args and args[-1].__class__ is SparseArray:
        eye_array = package("scipy.sparse").eye_array

        kind = np.bool_ if cls == "logical" else np.float64
        return SparseArray(eye_array(*shape, format="csc", dtype=kind))
    check_size(shape, 2 * DTYPE[cls].itemsize if is_complex else DTYPE[cls].itemsize)
    if not is_complex and cls != "logical" and is_captured(shape[0] * shape[1]):
        from runmat_core.accel.capture import matrices

        later = matrices.identity(shape, cls)
        if later is not NotImplemented:
            return later
    rows, columns = shape
    dtype = _COMPLEX[cls] if is_complex else DTYPE[cls]
    made = np.zeros(shape, dtype, order="F")
    # element after element of the buffer, the diagonal is that far apart
    made.T.reshape(-1)[: (rows + 1) * min(rows, columns) : rows + 1] = 1
    return Array(made) if is_complex else from_numpy(made)


@builtin("linspace", family="arrays/creation", effects="pure", captures="generator")
def linspace(a: Any, b: Any, n: Any = 100.0) -> Any:
    """Row of evenly spaced numbers, both ends included.

    X = linspace(A, B) has 100 elements
    X = linspace(A, B, N) has N

    Examples:
        >> linspace(0, 1, 5)
        ans =
                 0    0.2500    0.5000    0.7500    1.0000

    See also: logspace, colon.
    """
    if n.__class__ is float and math.isfinite(n) and is_captured(n):
        ends = [_end(a), _end(b)]
        if None not in ends:
            (first, single), (last, too) = ends  # type: ignore[misc]
            later = generators().spaced(first, last, n, "single" if single or too else "double")
            if later is not NotImplemented:
                return later
    return from_numpy(_spaced(a, b, n, "linspace"))


def _end(value: Any) -> tuple[float, bool] | None:
    """Return a real floating scalar, and whether it is single; None for anything else."""
    if value.__class__ is float:
        return value, False
    if value.__class__ is Array and value.data.size == 1 and value.data.dtype == np.float32:
        return float(value.data.flat[0]), True
    return None


def _spaced(a: Any, b: Any, n: Any, name: str) -> NDArray[Any]:
    start: Any
    stop: Any
    single = is_complex = False
    if a.__class__ is float and b.__class__ is float:
        start, stop = a, b
    else:
        first, last = numeric(a, name), numeric(b, name)
        if first.size != 1 or last.size != 1:
            raise MatlabError(f"MATLAB:{name}:scalarInputs", "Inputs must be scalars.")
        start, stop = first.flat[0], last.flat[0]
        single = np.float32 in (first.dtype, last.dtype)
        is_complex = "c" in (first.dtype.kind, last.dtype.kind)
        if not is_complex:
            start, stop = float(start), float(stop)
    number = scalar(n, "Number of points")
    if not math.isfinite(number):
        raise MatlabError(f"MATLAB:{name}:nonFiniteCount", "Number of points must be finite.")
    count = max(math.floor(number), 1)
    check_size((count,), 8)
    steps = np.arange(count)
    with silent():
        points: NDArray[Any] = start + steps * ((stop - start) / max(count - 1, 1))
        if not is_complex and start == -stop and count > 2:
            # symmetric ends give symmetric points
            points = (points - points[::-1]) / 2
    points[0] = start
    points[-1] = stop
    if single:
        points = points.astype(np.complex64 if is_complex else np.float32)
    return points.reshape(1, -1)


@builtin("logspace", family="arrays/creation", effects="pure")
def logspace(a: Any, b: Any, n: Any = 50.0) -> Any:
    """Row of logarithmically spaced numbers from 10^A to 10^B.

    X = logspace(A, B) has 50 elements
    X = logspace(A, B, N) has N

    When B is pi the points run to pi.

    Examples:
        >> logspace(0, 2, 3)
        ans =
             1    10   100

    See also: linspace, colon.
    """
    stop = float(np.log10(np.pi)) if class_of(b) == "double" and b == np.pi else b
    return from_numpy(10.0 ** _spaced(a, stop, n, "logspace"))


@builtin("colon", family="arrays/creation", effects="pure", captures="generator")
def colon_(a: Any, b: Any, c: Any = None) -> Any:
    """Range of numbers, the function form of ``:``.

    X = colon(A, B) is A:B
    X = colon(A, D, B) is A:D:B

    Examples:
        >> colon(1, 2, 7)
        ans =
             1     3     5     7

    See also: linspace, for.
    """
    return colon(a, b) if c is None else colon(a, b, c)
