"""cellfun, arrayfun, structfun: a function applied to each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter, not_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel import context
from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs, too_many_outputs
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins.arguments import nearest
from runmat_core.builtins.cells.support import outputs, resolve, scalars
from runmat_core.builtins.device.arrays import is_placed
from runmat_core.builtins.lift import compatible_shapes
from runmat_core.builtins.text.support import (
    elements,
    logical_array,
    maybe_text,
    plain_texts,
    row,
    string_text,
)
from runmat_core.values import (
    DTYPE,
    Array,
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    char,
    class_of,
    from_numpy,
    horzcat,
    index,
    numel_of,
    size_of,
    to_numpy,
    truth,
    vertcat,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import empty_double, object_array
from runmat_core.values.deferred import Deferred, all_settled
from runmat_core.values.hooks import HOOKS

Items = Sequence[Sequence[Any]]
_Nothing = type(None)


def _take_options(function: str, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool, Any]:
    """Split the trailing 'UniformOutput' and 'ErrorHandler' pairs from the inputs."""
    uniform, handler = True, None
    while len(args) > 2 and isinstance(args[-2], (CharArray, StringArray)):
        name = (maybe_text(args[-2]) or "").lower()
        if name and "uniformoutput".startswith(name):
            uniform = truth(args[-1])
        elif name and "errorhandler".startswith(name):
            handler = args[-1]
        else:
            break
        args = args[:-2]
    return args, uniform, handler


def _with_handler(
    fn: MatlabFunction, handler: MatlabFunction, interp: Interp, count: list[int]
) -> MatlabFunction:
    """`fn`, with `handler` called in its place where it fails."""

    def guarded(nargout: int, *args: Any) -> Any:
        count[0] += 1
        try:
            return fn(nargout, *args)
        except Exception as problem:
            error = interp.error_of(problem)
            report = StructArray(
                {
                    "message": row(error.message),
                    "identifier": row(error.identifier),
                    "index": float(count[0]),
                }
            )
            return handler(nargout, report, *args)

    return guarded


def _run(fn: MatlabFunction, items: Items, nargout: int) -> list[list[Any]]:
    """One list of results for each output."""
    if nargout <= 1:
        if len(items) == 1:
            results = [fn(nargout, item) for item in items[0]]
        else:
            results = [fn(nargout, *args) for args in zip(*items, strict=True)]
        if _Nothing in map(type, results):
            if nargout == 0:
                return []
            raise too_many_outputs()
        return [all_settled(results)]
    tuples = [outputs(fn(nargout, *args), nargout) for args in zip(*items, strict=True)]
    return [all_settled([results[k] for results in tuples]) for k in range(nargout)]


def _apply(
    function: str,
    fn: MatlabFunction,
    items: Items,
    shape: tuple[int, ...],
    uniform: bool,
    nargout: int,
) -> Any:
    columns = _run(fn, items, nargout)
    if not columns:
        return None
    if not columns[0]:
        columns = [[]] * max(nargout, 1)
    if uniform:
        made = [_uniform(function, column, shape, k) for k, column in enumerate(columns, 1)]
    else:
        made = [CellArray(object_array(column, shape)) for column in columns]
    return made[0] if len(made) == 1 else tuple(made)


def _uniform(function: str, results: list[Any], shape: tuple[int, ...], output: int) -> Any:
    """Return the array of scalar results, which all have one class."""
    kinds = set(map(type, results))
    if kinds == {float} or kinds == {bool}:
        if len(results) == 1:
            return results[0]
        return from_numpy(np.array(results).reshape(shape, order="F"))
    if not results:
        return from_numpy(np.zeros(shape)) if shape != (0, 0) else empty_double()
    first = class_of(results[0])
    for at, result in enumerate(results, 1):
        if numel_of(result) != 1:
            raise MatlabError(
                f"MATLAB:{function}:NotAScalarOutput",
                f"Non-scalar in Uniform output, at index {at}, output {output}.\n"
                "Set 'UniformOutput' to false.",
            )
        if class_of(result) != first:
            raise MatlabError(
                f"MATLAB:{function}:MixedOutputClasses",
                f"Mismatch at index {at} in output {output}: the class '{class_of(result)}' "
                f"does not match the class '{first}' of the previous outputs.\n"
                "Set 'UniformOutput' to false.",
            )
    return _gather(function, results, shape, first)


def _gather(function: str, results: list[Any], shape: tuple[int, ...], kind: str) -> Any:
    if kind == "string":
        return StringArray(object_array([r.data.flat[0] for r in results], shape))
    if kind == "char":
        codes = np.array([r.data.flat[0] for r in results], dtype=np.uint16)
        return CharArray(codes.reshape(shape, order="F"))
    if kind in ("cell", "struct") or isinstance(results[0], ArrayObject):
        return _joined(results, shape)
    if kind not in DTYPE:
        try:
            return _joined(results, shape)  # graphics objects, say
        except MatlabError:
            raise MatlabError(
                f"MATLAB:{function}:NotAScalarOutput",
                f"Outputs of class '{kind}' cannot be collected into an array.\n"
                "Set 'UniformOutput' to false.",
            ) from None
    numbers = [to_numpy(result).flat[0] for result in results]
    return from_numpy(np.array(numbers).reshape(shape, order="F"))


def _joined(results: list[Any], shape: tuple[int, ...]) -> Any:
    """Cells, structures or objects as elements of one array."""
    column = len(shape) == 2 and shape[1] == 1
    line = (vertcat if column else horzcat)(*results)
    places = np.arange(1.0, len(results) + 1).reshape(shape, order="F")
    return index(line, (from_numpy(places),))


#: What `cellfun` computes for the names it knew before function handles existed.
_LEGACY: dict[str, Callable[[Any], Any]] = {
    "isempty": lambda item: numel_of(item) == 0,
    "islogical": lambda item: class_of(item) == "logical",
    "length": lambda item: float(max(size_of(item)) if numel_of(item) else 0),
    "ndims": lambda item: float(len(size_of(item))),
    "prodofsize": lambda item: float(numel_of(item)),
}
#: The same of the lengths of char rows.
_OF_LENGTHS: dict[str, Callable[[NDArray[np.intp]], NDArray[Any]]] = {
    "isempty": lambda lengths: lengths == 0,
    "islogical": lambda lengths: np.zeros(lengths.shape, np.bool_),
    "length": lambda lengths: lengths.astype(np.float64),
    "ndims": lambda lengths: np.full(lengths.shape, 2.0),
    "prodofsize": lambda lengths: lengths.astype(np.float64),
}


_number_of_elements = attrgetter("data.size")
#: Up to this many values are looked at one by one.
_FEW = 16
#: Classes whose data is an array as large as they are.
_SIZED = frozenset({Array, CellArray})


def _are_empty(items: list[Any]) -> list[bool]:
    """Whether each of some values is empty."""
    if len(items) > _FEW and _SIZED.issuperset(map(type, items)):
        return list(map(not_, map(_number_of_elements, items)))
    flags = []
    for item in items:
        kind = item.__class__
        if kind is float or kind is bool:
            flags.append(False)
        elif kind is Array or kind is CellArray:
            flags.append(item.data.size == 0)
        elif kind is CharArray and item.content.__class__ is str:
            flags.append(not item.content)
        else:
            flags.append(numel_of(item) == 0)
    return flags


def _legacy(name: str, cells: CellArray) -> Any:
    items = cells.items()
    texts = plain_texts(items)
    if texts is not None:
        lengths = np.fromiter(map(len, texts), np.intp, len(texts))
        return from_numpy(_OF_LENGTHS[name](lengths).reshape(cells.shape, order="F"))
    return _uniform("cellfun", list(map(_LEGACY[name], items)), cells.shape, 1)


@builtin(
    "cellfun", family="cells/apply", nargin=(2, None), nargout=None, needs=("nargout", "interp")
)
def cellfun(function: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Apply a function to each element of a cell array.

    A = cellfun(func, C1, ..., Cn) calls func with the contents of the cells at each place; the
    results must be scalars of one class.
    [A1, ..., Am] = cellfun(...) collects several outputs.
    C = cellfun(..., 'UniformOutput', false) returns cell arrays of results of any kind.
    C = cellfun(..., 'ErrorHandler', h) calls h(err, ...) where func fails; err has the fields
    message, identifier and index.

    Examples:
        >> cellfun(@numel, {'a', 'bcd', ''})
        ans =
             1     3     0
        >> cellfun(@(x) [x '!'], {'a', 'b'}, 'UniformOutput', false)
        ans =
          1×2 cell array
            {'a!'}    {'b!'}

    See also: arrayfun, structfun, cell2mat, func2str.
    """
    if len(args) == 1 and args[0].__class__ is CellArray and nargout < 2:
        content = function.content if function.__class__ is CharArray else None
        if content.__class__ is str and content in _LEGACY:
            items = args[0].items() if content == "isempty" else []
            if items:
                return logical_array(_are_empty(items), args[0].data.shape)
            return _legacy(content, args[0])
    cells, uniform, handler = _take_options("cellfun", args)
    if not cells:
        raise not_enough_inputs()
    name = maybe_text(function)
    if name in ("size", "isclass") and len(cells) == 2 and not isinstance(cells[1], CellArray):
        return _legacy_with_argument(name, *cells)
    if StringArray in map(type, cells):
        cells = tuple(_string_cells(v) if isinstance(v, StringArray) else v for v in cells)
    for at, cell in enumerate(cells, 2):
        if not isinstance(cell, CellArray):
            raise MatlabError(
                "MATLAB:cellfun:NotACell",
                f"Input #{at} expected to be a cell array, was {class_of(cell)} instead."
                + nearest(maybe_text(cell) or "", ["UniformOutput", "ErrorHandler"]),
            )
        if cell.data.shape != cells[0].data.shape:
            _check_size("cellfun", cells[0], cell, at)
    if name in _LEGACY and len(cells) == 1:
        return _legacy(name, cells[0])
    fn = resolve(function, interp, "cellfun")
    if handler is not None:
        fn = _with_handler(fn, resolve(handler, interp, "cellfun"), interp, [0])
    items = [cell.items() for cell in cells]
    with interp.callbacks():
        return _apply("cellfun", fn, items, cells[0].data.shape, uniform, nargout)


def _string_cells(strings: StringArray) -> CellArray:
    """Return a string array serves as the cell array of its texts."""
    return CellArray(object_array(map(row, map(string_text, elements(strings))), strings.shape))


def _legacy_with_argument(name: str, cell: Any, argument: Any) -> Any:
    """``cellfun('size', C, k)`` and ``cellfun('isclass', C, name)``."""
    if name == "size":
        at = int(argument) - 1
        column: list[Any] = [
            float(size_of(item)[at]) if at < len(size_of(item)) else 1.0 for item in elements(cell)
        ]
    else:
        wanted = maybe_text(argument)
        column = [class_of(item) == wanted for item in elements(cell)]
    return _uniform("cellfun", column, cell.data.shape, 1)


def _check_size(function: str, first: Any, other: Any, position: int) -> None:
    if size_of(first) != size_of(other):
        raise MatlabError(
            f"MATLAB:{function}:InputSizeMismatch",
            f"All of the input arguments must be of the same size and shape.\n"
            f"Previous inputs had size {size_of(first)[0]} in dimension 1. "
            f"Input #{position} has size {size_of(other)[0]}."
            if size_of(first)[0] != size_of(other)[0]
            else "All of the input arguments must be of the same size and shape.",
        )


@builtin(
    "arrayfun",
    family="cells/apply",
    nargin=(2, None),
    nargout=None,
    needs=("nargout", "interp"),
    pending="keep",
)
def arrayfun(function: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Apply a function to each element of an array.

    B = arrayfun(func, A1, ..., An) calls func with the elements at each place; the results must
    be scalars of one class. Where one of the arrays is a gpuArray, dimensions of 1 expand.
    [B1, ..., Bm] = arrayfun(...) collects several outputs.
    C = arrayfun(..., 'UniformOutput', false) returns cell arrays of results of any kind.
    C = arrayfun(..., 'ErrorHandler', h) calls h(err, ...) where func fails.

    Examples:
        >> arrayfun(@(x) x^2, 1:3)
        ans =
             1     4     9

    See also: cellfun, structfun.
    """
    arrays, uniform, handler = _take_options("arrayfun", args)
    if not arrays:
        raise not_enough_inputs()
    placed = Deferred in map(type, arrays) and any(map(is_placed, arrays))
    if placed:
        arrays = _expanded(arrays, interp)
    for at, array in enumerate(arrays, 2):
        _check_size("arrayfun", arrays[0], array, at)
    fn = resolve(function, interp, "arrayfun")
    if uniform:
        found = _at_once(fn, arrays, nargout, interp)
        if found is not None:
            return found[0] if len(found) == 1 else found
    if handler is not None:
        fn = _with_handler(fn, resolve(handler, interp, "arrayfun"), interp, [0])
    items = [scalars(array) for array in all_settled(arrays)]
    with interp.callbacks():
        result = _apply("arrayfun", fn, items, size_of(arrays[0]), uniform, nargout)
    if uniform and result is not None and placed:
        return tuple(map(HOOKS.place, result)) if nargout > 1 else HOOKS.place(result)
    return result


def _expanded(arrays: tuple[Any, ...], interp: Interp) -> tuple[Any, ...]:
    """Arrays of one size, as gpuArrays expand: dimensions of 1, and scalars, are repeated."""
    sizes = [size_of(array) for array in arrays]
    if len(set(sizes)) == 1 or not all(class_of(array) in DTYPE for array in arrays):
        return arrays
    padded, common = compatible_shapes(sizes)
    made = []
    for array, size in zip(arrays, padded, strict=True):
        times = [many if one == 1 else 1 for one, many in zip(size, common, strict=True)]
        repeated = from_numpy(np.array([times], float))
        made.append(array if size == common else interp.call(char("repmat"), [array, repeated]))
    return tuple(made)


def _at_once(
    fn: MatlabFunction, arrays: Sequence[Any], nargout: int, interp: Interp
) -> tuple[Any, ...] | None:
    """Return what `fn` gives for all elements, by operations on whole arrays.

    Return None: call it for each.
    """
    if context.get() is None:
        return None
    large = False
    for array in arrays:
        if not isinstance(array, Array):
            return None
        large = large or array.__class__ is Deferred or array.data.size >= HOOKS.smallest
    if not large:
        return None
    from runmat_core.accel.loops.elements import applied
    from runmat_core.accel.random.stream import stream_of

    stream = stream_of(interp)
    with interp.callbacks():
        found = applied(fn, arrays, nargout, stream, lambda: interp.refusal(fn))
    if found is None or not any(map(is_placed, arrays)):
        return found
    # constants, too
    return tuple([one if is_placed(one) else HOOKS.place(one) for one in found])


@builtin(
    "structfun", family="cells/apply", nargin=(2, None), nargout=None, needs=("nargout", "interp")
)
def structfun(function: Any, value: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Apply a function to each field of a scalar struct.

    A = structfun(func, S) returns a column of scalar results in the order of the fields.
    S2 = structfun(func, S, 'UniformOutput', false) returns a struct with the same fields.
    An 'ErrorHandler' is called as in cellfun.

    Examples:
        >> structfun(@(v) v * 2, struct('a', 1, 'b', 2))
        ans =
             2
             4

    See also: cellfun, arrayfun, fieldnames.
    """
    _, uniform, handler = _take_options("structfun", (value, *args))
    if not isinstance(value, StructArray) or numel_of(value) != 1:
        raise MatlabError(
            "MATLAB:structfun:InvalidInput", "Inputs to STRUCTFUN must be scalar structures."
        )
    record = value.records()[0]
    fn = resolve(function, interp, "structfun")
    if handler is not None:
        fn = _with_handler(fn, resolve(handler, interp, "structfun"), interp, [0])
    with interp.callbacks():
        columns = _run(fn, [list(record.values())], nargout)
    if not columns:
        return None
    count = len(record)
    if uniform:
        made = [_uniform("structfun", c, (count, 1), k) for k, c in enumerate(columns, 1)]
    else:
        made = [StructArray(dict(zip(record, column, strict=True))) for column in columns]
    return made[0] if len(made) == 1 else tuple(made)
