"""Sorting, and finding elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.api.fusion import Call, Counted, Operand, Requested
from runmat_core.builtins.arguments import (
    dimension,
    first_axis,
    integer,
    nearest,
    numeric,
    option,
    unknown_option,
    whole,
)
from runmat_core.builtins.arrays import sparse_order, sparse_rules
from runmat_core.builtins.arrays.generic import array_of, rebuilt
from runmat_core.builtins.arrays.ordering import (
    argsort,
    is_text_array,
    keys_of,
    sort_rows,
    sorted_values,
)
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import Array, SparseArray, class_of, from_numpy, is_text, share
from runmat_core.values.classes import DOUBLE, DTYPE
from runmat_core.values.deferred import Deferred
from runmat_core.values.handle_array import HandleArray
from runmat_core.values.object import ObjectValue

_DIRECTIONS = {"ascend": False, "ascending": False, "descend": True, "descending": True}


def _sort_options(args: tuple[Any, ...]) -> tuple[Any, bool, str, str]:
    """Dimension (or None), whether descending, comparison method, placement of missing."""
    dim, descending, by, missing = None, False, "auto", "auto"
    rest = iter(args)
    for arg in rest:
        word = option(arg)
        if word is None:
            if dim is not None:
                raise _no_direction("")
            dim = arg
        elif word in _DIRECTIONS:
            descending = _DIRECTIONS[word]
        elif word == "comparisonmethod":
            by = option(next(rest, "")) or "auto"
        elif word == "missingplacement":
            missing = option(next(rest, "")) or "auto"
        else:
            known = [*_DIRECTIONS, "ComparisonMethod", "MissingPlacement"]
            raise _no_direction(nearest(word, known))
    return dim, descending, by, missing


def _no_direction(hint: str) -> MatlabError:
    text = "Sorting direction must be 'ascend' or 'descend'."
    return MatlabError("MATLAB:sort:sortDirection", text + hint)


def _of_complex(name: str) -> Any:
    """Return what a builtin is of complex arrays; its module is loaded with the first of them."""

    def rule(x: Any, *args: Any, nargout: int) -> Any:
        kind = x.__class__
        if kind is Deferred:
            node = x.promise.node
            if not node.is_complex and not node.holds_complex:
                return NotImplemented
        elif kind is not Array or x.data.dtype.kind != "c":
            return NotImplemented
        if name == "sort":
            if len(args) > 1 or (args and option(args[0]) not in _DIRECTIONS):
                return NotImplemented
            args = ("descend",) if args and _DIRECTIONS[option(args[0]) or ""] else ()
        from runmat_core.builtins.arrays import complex_order

        return getattr(complex_order, name)(x, *args, nargout=nargout)

    return rule


def _sort_call(x: Operand, *args: Any, nargout: int) -> Requested | None:
    """Return what a call of ``sort`` asks of a library."""
    dim, descending, by, missing = _sort_options(args)
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    if by != "auto" or missing != "auto" or axis >= len(x.shape) or 0 in x.shape:
        return None
    attributes = (("axis", axis), ("descending", descending))
    outputs = ((x.shape, x.cls), (x.shape, "double"))[:nargout]
    return Requested(attributes, outputs, bounds=(None, (1, x.shape[axis])))


@builtin(
    "sort",
    family="arrays/sorting",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    gpu=Call("sort", _sort_call, instead=_of_complex("sort")),
)
def sort(x: Any, *args: Any, nargout: int) -> Any:
    """Elements in order.

    B = sort(A) works along the first dimension whose extent is not one
    B = sort(A, DIM), B = sort(…, "descend")
    [B, I] = sort(…) gives the indices as well: B = A(I) for vectors
    sort(…, "MissingPlacement", "first" or "last"), sort(…, "ComparisonMethod", "abs" or "real")

    The order of equal elements is kept. NaN counts as largest; complex numbers are ordered by
    magnitude, then phase. Strings and cell arrays of text are sorted too.

    Examples:
        >> sort([3 NaN 1])
        ans =
             1     3   NaN
        >> [b, k] = sort([3 1 2], "descend")
        b =
             3     2     1
        k =
             1     3     2

    See also: sortrows, issorted, max, unique.
    """
    if not args and nargout < 2 and x.__class__ is Array:
        a = x.data
        if a.dtype is DOUBLE and a.ndim == 2 and a.size > 1:
            return from_numpy(sorted_values(a, int(len(a) == 1)))
    dim, descending, by, missing = _sort_options(args)
    if isinstance(x, SparseArray) and nargout < 2 and by == missing == "auto":
        return sparse_order.in_order(x, dim, descending)
    keys = keys_of(x, "sort")
    axis = first_axis(keys.shape) if dim is None else dimension(dim)
    if axis >= keys.ndim:
        return (share(x), from_numpy(np.ones(keys.shape))) if nargout > 1 else share(x)
    plain = keys.dtype.kind != "c" and by == "auto" and missing == "auto"
    if nargout < 2 and plain and not is_text_array(x) and not _is_object(x):
        if descending:
            # from the other end, which keeps the order of zeros of both signs
            return rebuilt(x, np.flip(sorted_values(np.flip(keys, axis), axis), axis))
        return rebuilt(x, sorted_values(keys, axis))
    order = argsort(keys, axis, descending, by)
    if missing in {"first", "last"}:
        order = _place_missing(keys, order, axis, missing == "first")
    result = rebuilt(x, np.take_along_axis(array_of(x), order, axis))
    return (result, from_numpy(order.astype(np.float64) + 1)) if nargout > 1 else result


def _is_object(x: Any) -> bool:
    """Return whether a value is an array of objects of a class file, or of handles."""
    if not isinstance(x, ObjectValue):
        return False
    # what knows classes is loaded by programs that have objects
    from runmat_core.values.objects.instance import Instance

    return isinstance(x, Instance | HandleArray)


def _place_missing(
    keys: NDArray[Any], order: NDArray[np.intp], axis: int, first: bool
) -> NDArray[np.intp]:
    at = np.isnan(np.take_along_axis(keys, order, axis))
    again = np.argsort(~at if first else at, axis=axis, kind="stable")
    return np.take_along_axis(order, again, axis)


@builtin(
    "sortrows",
    family="arrays/sorting",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def sortrows(x: Any, *args: Any, nargout: int) -> Any:
    """Rows in order.

    B = sortrows(A) sorts by the first column, then the second …
    B = sortrows(A, COLUMNS) sorts by these columns; negative ones descend
    B = sortrows(A, COLUMNS, DIRECTION), B = sortrows(A, DIRECTION) with "ascend", "descend", or a
    cell array with one for each column
    sortrows(…, "MissingPlacement", "first" or "last"), sortrows(…, "ComparisonMethod", "abs" or
    "real")
    [B, I] = sortrows(…) gives the indices of the rows: B = A(I, :)

    Examples:
        >> sortrows([3 1; 1 2; 2 0])
        ans =
             1     2
             2     0
             3     1
        >> sortrows([1 5; 2 3], -1)
        ans =
             2     3
             1     5

    See also: sort, unique, issorted.
    """
    keys = keys_of(x, "sortrows")
    if keys.ndim > 2:
        raise MatlabError("MATLAB:sortrows:inputDimensionMismatch", "X must be a 2-D matrix.")
    columns, direction, by, missing = _row_options(args)
    chosen = range(1, keys.shape[1] + 1) if columns is None else whole(columns, "sortrows").tolist()
    at = [abs(c) - 1 for c in chosen]
    if any(not 0 <= c < keys.shape[1] for c in at):
        raise MatlabError(
            "MATLAB:sortrows:COLmismatchX",
            "Column sorting vector must contain nonzero integers no larger than the number of "
            "columns in the first argument.",
        )
    down = [c < 0 for c in chosen] if direction is None else _directions(direction, len(at))
    if by == missing == "auto":
        order = sort_rows(keys, at, down)
    else:
        order = np.arange(keys.shape[0])
        for column, descending in reversed(list(zip(at, down, strict=True))):
            line = keys[order, column]
            places = argsort(line, 0, descending, by)
            if missing != "auto":
                places = _place_missing(line, places, 0, missing == "first")
            order = order[places]
    result = rebuilt(x, array_of(x)[order])
    if nargout < 2:
        return result
    return result, from_numpy(order.astype(np.float64).reshape(-1, 1) + 1)


def _row_options(args: tuple[Any, ...]) -> tuple[Any, Any, str, str]:
    """Columns and directions (or None), comparison method and placement of missing."""
    rest = list(args)
    columns = direction = None
    if rest and option(rest[0]) is None and class_of(rest[0]) != "cell":
        columns = rest.pop(0)
    if rest and (class_of(rest[0]) in {"cell", "string"} or option(rest[0]) in _DIRECTIONS):
        words = option(rest[0])
        if words is None or words in _DIRECTIONS:
            direction = rest.pop(0)
    known = ("ComparisonMethod", "MissingPlacement")
    if rest and option(rest[0]) is None:
        raise too_many_inputs()
    word = option(rest[0]) or "" if rest else None
    if word is not None and not any(word and k.lower().startswith(word) for k in known):
        raise unknown_option(word, [*_DIRECTIONS, *known])
    named, _ = pairs(rest, known, "sortrows")
    methods, places = ("auto", "real", "abs"), ("auto", "first", "last")
    by = choice(named[known[0]], methods, "sortrows") if known[0] in named else "auto"
    missing = choice(named[known[1]], places, "sortrows") if known[1] in named else "auto"
    return columns, direction, by, missing


def _directions(given: Any, count: int) -> list[bool]:
    """Whether each column descends, from a word or one for each column."""
    if is_text(given):
        words = [option(given)]
    else:
        words = [
            w.lower() if isinstance(w, str) else option(w) for w in array_of(given).ravel(order="F")
        ]
    words = words * count if len(words) == 1 else words
    for word in words:
        if word not in _DIRECTIONS:
            raise unknown_option(word or "", _DIRECTIONS)
    if len(words) != count:
        raise MatlabError(
            "MATLAB:sortrows:NumDirectionsMustMatch",
            "There must be one direction for all columns, or one for each.",
        )
    return [_DIRECTIONS[word or ""] for word in words]


@builtin("issorted", family="arrays/sorting", effects="pure")
def issorted(x: Any, *args: Any) -> Any:
    """Whether elements are in order.

    TF = issorted(A), TF = issorted(A, DIM)
    TF = issorted(A, DIRECTION): "ascend", "descend", "monotonic", "strictascend", "strictdescend"
    or "strictmonotonic"
    TF = issorted(A, "rows")

    Examples:
        >> issorted([1 2 2 5])
        ans =
          logical
           1

    See also: sort, sortrows.
    """
    keys = keys_of(x, "issorted")
    direction, rows, axis = "ascend", False, first_axis(keys.shape)
    for arg in args:
        word = option(arg)
        if word is None:
            axis = dimension(arg)
        elif word == "rows":
            rows = True
        else:
            direction = word
    if rows:
        order = sort_rows(keys, range(keys.shape[1]), [direction == "descend"] * keys.shape[1])
        return bool((order == np.arange(keys.shape[0])).all())
    if axis >= keys.ndim or keys.size == 0:
        return True
    return any(_in_order(keys, axis, d) for d in _DIRECTIONS_TESTED.get(direction, (direction,)))


_DIRECTIONS_TESTED = {
    "monotonic": ("ascend", "descend"),
    "strictmonotonic": ("strictascend", "strictdescend"),
}


def _in_order(keys: NDArray[Any], axis: int, direction: str) -> bool:
    down = direction.endswith("descend")
    order = argsort(keys, axis, down)
    place = np.arange(keys.shape[axis]).reshape([-1 if k == axis else 1 for k in range(keys.ndim)])
    if not (order == place).all():
        return False
    if not direction.startswith("strict"):
        return True
    lines = np.moveaxis(keys, axis, 0)
    return bool((lines[1:] != lines[:-1]).all()) and not bool(np.isnan(lines).any())


# -- finding ------------------------------------------------------------------------------------


def _found_shape(shape: tuple[int, ...], count: int) -> tuple[int, int]:
    """Return the shape of what find gives: a row for rows, else a column; 0x0 for a zero scalar."""
    if len(shape) == 2 and shape[0] == 1 and shape[1] != 1:
        return (1, count)
    if shape in {(0, 0), (1, 1)} and count == 0:
        return (0, 0)
    return (count, 1)


def _find_call(x: Operand, *args: Any, nargout: int) -> Counted | None:
    """Return what a call of ``find`` asks of a library."""
    if not isinstance(x, Operand) or any(isinstance(one, Operand) for one in args):
        return None
    most = integer(args[0]) if args else math.prod(x.shape)
    word = option(args[1]) if len(args) > 1 else "first"
    if most < 1 or word not in ("first", "last"):
        return None
    rows = max(x.shape[0], 1)
    columns = math.prod(x.shape[1:])
    if rows * columns < 2 or x.cls not in DTYPE:
        return None

    def then(count: int) -> Requested:
        kept = min(count, most)
        shape = _found_shape(x.shape, kept)
        extents = (rows, columns, count - kept if word == "last" else 0, kept)
        if nargout < 2:
            outputs: Any = ((shape, "double"),)
            bounds = (1, rows * columns)
            return Requested((("gives", ("places",)),), outputs, False, extents, (bounds,))
        attributes = (("gives", ("rows", "columns", "values")[:nargout]),)
        outputs = ((shape, "double"), (shape, "double"), (shape, x.cls))[:nargout]
        return Requested(attributes, outputs, False, extents, ((1, rows), (1, columns)))

    return Counted(0, then)


#: Up to this many elements of a row, Python's list of them tells sooner where they are.
_FEW = 32


@builtin(
    "find",
    family="arrays/sorting",
    nargin=(1, 3),
    nargout=3,
    needs=("nargout",),
    effects="pure",
    gpu=Call("compact", _find_call, instead=_of_complex("find")),
)
def find(x: Any, n: Any = None, direction: Any = None, *, nargout: int) -> Any:
    """Indices of nonzero elements.

    K = find(X), K = find(X, N) gives the first N, K = find(X, N, "last") the last
    [I, J] = find(…) gives row and column subscripts
    [I, J, V] = find(…) gives the elements too

    The result is a row for rows and a column otherwise.

    Examples:
        >> find([0 3 0 5])
        ans =
             2     4
        >> [i, j] = find([0 1; 1 0])
        i =
             2
             1
        j =
             1
             2

    See also: any, nnz, nonzeros, ismember, sub2ind.
    """
    if n is None and nargout < 2 and x.__class__ is Array:
        a = x.data
        if len(a) == 1 and 1 < a.size <= _FEW and a.ndim == 2 and a.dtype.char in "d?":
            (listed,) = a.tolist()
            found = [place for place, element in enumerate(listed, 1) if element]
            return from_numpy(np.array([found], DOUBLE))
    count = None
    if n is not None:
        count = integer(n, "Second argument")
        if count < 1:
            raise MatlabError(
                "MATLAB:find:invalidNumberOfElements",
                "Second argument must be a positive scalar integer.",
            )
    last = count is not None and direction is not None and option(direction) == "last"
    if isinstance(x, SparseArray):
        at, down, across, values = sparse_rules.found(x, count, last)
        shape = _found_shape(x.shape, at.size)
        places = (at + 1.0,) if nargout < 2 else (down + 1.0, across + 1.0, values)[:nargout]
        outputs = tuple(from_numpy(part.reshape(shape)) for part in places)
        return outputs if nargout > 1 else outputs[0]
    a = numeric(x, "find")
    (at,) = a.ravel(order="F").nonzero()
    if count is not None:
        at = at[-count:] if last else at[:count]
    shape = _found_shape(a.shape, at.size)
    if nargout < 2:
        return from_numpy((at + 1.0).reshape(shape))
    height = max(a.shape[0], 1)
    subscripts = tuple(
        from_numpy((k + 1).astype(np.float64).reshape(shape)) for k in (at % height, at // height)
    )
    if nargout == 2:
        return subscripts
    values = a.ravel(order="F")[at].reshape(shape)
    return (*subscripts, rebuilt(x, values) if class_of(x) == "char" else from_numpy(values))
