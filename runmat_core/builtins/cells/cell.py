"""Cell arrays: cell, iscell, num2cell, cell2mat, mat2cell, deal."""

from __future__ import annotations

from itertools import accumulate, pairwise, product
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, brace_from_noncell, undefined_for
from runmat_core.builtins.arguments import check_size, dimension, integer, shape_from
from runmat_core.builtins.cells.support import is_one_object, scalars
from runmat_core.builtins.output.show import setting
from runmat_core.builtins.text.support import (
    elements,
    maybe_text,
)
from runmat_core.values import (
    COLON,
    Array,
    CellArray,
    class_of,
    disp,
    from_numpy,
    horzcat,
    index,
    numel_of,
    share,
    size_of,
    vertcat,
)
from runmat_core.values import cat as concatenate
from runmat_core.values.bulk import Uncollected
from runmat_core.values.cell import empty_double, object_array


@builtin("cell", family="cells/cell", nargin=(0, None), effects="pure")
def cell(*sizes: Any) -> Any:
    """A cell array of empty matrices.

    C = cell(n) is n-by-n; C = cell(m, n, ...) and C = cell([m n ...]) have that size.

    Examples:
        >> size(cell(2, 3))
        ans =
             2     3

    See also: iscell, num2cell, struct.
    """
    shape = shape_from(sizes) if sizes else (0, 0)
    # a pointer, a wrapper and an empty buffer for each element
    check_size(shape, 200)
    data = np.empty(shape, object, order="F")
    data.fill(empty_double())  # which whoever writes to an element shares first
    return CellArray(data)


@builtin("iscell", family="cells/cell", effects="pure", pending="keep")
def iscell(value: Any) -> bool:
    """Whether a value is a cell array.

    tf = iscell(A)

    Examples:
        >> iscell({1})
        ans =
          logical
           1

    See also: cell, iscellstr, isstruct.
    """
    return isinstance(value, CellArray)


@builtin("num2cell", family="cells/cell", nargin=(1, 2), effects="pure")
def num2cell(array: Any, dims: Any = None) -> Any:
    """Put each element of an array into a cell.

    C = num2cell(A) has the size of A.
    C = num2cell(A, dim) puts whole slices along the dimensions in dim into cells.

    Examples:
        >> num2cell([1 2])
        ans =
          1×2 cell array
            {[1]}    {[2]}
        >> num2cell([1 2; 3 4], 1)
        ans =
          1×2 cell array
            {2×1 double}    {2×1 double}

    See also: cell2mat, mat2cell, struct2cell.
    """
    shape = size_of(array)
    if is_one_object(array):
        raise undefined_for("num2cell", class_of(array))
    if dims is None:
        return CellArray(object_array(scalars(array), shape))
    whole = {dimension(dim) for dim in scalars(dims)}
    counts = [1 if axis in whole else extent for axis, extent in enumerate(shape)]
    pieces = []
    for place in product(*(range(1, count + 1) for count in reversed(counts))):
        subs = tuple(COLON if axis in whole else float(k) for axis, k in enumerate(reversed(place)))
        pieces.append(index(array, subs))
    return CellArray(object_array(pieces, tuple(counts)))


@builtin("cell2mat", family="cells/cell", effects="pure")
def cell2mat(value: Any) -> Any:
    """Join the contents of a cell array into one array.

    A = cell2mat(C) concatenates as the cells lie; all contents have one class.

    Examples:
        >> cell2mat({1 [2 3]; 4 [5 6]})
        ans =
             1     2     3
             4     5     6

    See also: num2cell, mat2cell, cellfun.
    """
    if not isinstance(value, CellArray):
        raise brace_from_noncell()
    if value.data.size == 0:
        return empty_double()
    items = list(elements(value))
    kinds = {class_of(item) for item in items}
    if len(kinds) > 1:
        raise MatlabError(
            "MATLAB:cell2mat:MixedDataTypes",
            "All contents of the input cell array must be of the same data type.",
        )
    kind = kinds.pop()
    if kind in ("cell", "containers.Map", "dictionary", "function_handle", "table", "timetable"):
        raise MatlabError(
            "MATLAB:cell2mat:UnsupportedCellContent",
            "CELL2MAT does not support cell arrays containing cell arrays or objects.",
        )
    if all(type(item) in (float, bool) for item in items):
        return from_numpy(np.array(items).reshape(value.data.shape, order="F"))
    return _join(value.data)


def _join(cells: np.ndarray[Any, Any]) -> Any:
    if cells.ndim > 2:
        pages = [_join(cells[..., k]) for k in range(cells.shape[-1])]
        return concatenate(float(cells.ndim), *pages)
    if 1 in cells.shape:
        joined = _stacked(cells.ravel(order="F").tolist(), 1 if cells.shape[0] == 1 else 0)
        if joined is not None:
            return joined
        return (horzcat if cells.shape[0] == 1 else vertcat)(*cells.ravel(order="F").tolist())
    try:
        return vertcat(*(horzcat(*line.tolist()) for line in cells))
    except MatlabError:
        # blocks may fit by columns only
        return horzcat(*(vertcat(*line.tolist()) for line in cells.T))


def _stacked(items: list[Any], axis: int) -> Any:
    """Matrices of one class and of sizes that fit joined along an axis; None for anything else."""
    if not all(item.__class__ is Array and item.data.dtype.kind != "c" for item in items):
        return None
    parts = [item.data for item in items]
    if len({(a.dtype.char, a.ndim, a.shape[1 - axis]) for a in parts}) != 1 or parts[0].ndim != 2:
        return None
    return from_numpy(np.concatenate(parts, axis))


@builtin("mat2cell", family="cells/cell", nargin=(2, None), effects="pure")
def mat2cell(array: Any, *lengths: Any) -> Any:
    """Divide an array into blocks, each in a cell.

    C = mat2cell(A, r, c, ...) divides the rows into blocks of r(1), r(2), ... rows, the columns
    into blocks of c(1), c(2), ... columns, and so on.
    C = mat2cell(A, r) divides the rows alone.

    Examples:
        >> C = mat2cell([1 2 3; 4 5 6], [1 1], [2 1]); C{2, 1}
        ans =
             4     5

    See also: cell2mat, num2cell.
    """
    shape = size_of(array)
    splits = [[integer(n) for n in scalars(sizes)] for sizes in lengths]
    splits += [[extent] for extent in shape[len(splits) :]]
    for axis, sizes in enumerate(splits):
        extent = shape[axis] if axis < len(shape) else 1
        if sum(sizes) != extent:
            raise MatlabError(
                "MATLAB:mat2cell:VectorSumMismatch",
                f"Input arguments, D1 through D{len(splits)}, must sum to each dimension of the "
                f"input matrix size, [{' '.join(map(str, shape))}].",
            )
    count = tuple(len(sizes) for sizes in splits)
    if (
        array.__class__ is Array
        and len(splits) == len(shape)
        and all(size > 0 for sizes in splits for size in sizes)
    ):
        return CellArray(object_array(_blocks(array.data, splits), count))
    spans = []
    for sizes in splits:
        ends = np.cumsum([0, *sizes])
        spans.append(
            [
                from_numpy(np.arange(a + 1, b + 1, dtype=float).reshape(1, -1))
                for a, b in pairwise(ends)
            ]
        )
    blocks = [index(array, tuple(reversed(place))) for place in product(*reversed(spans))]
    return CellArray(object_array(blocks, count))


def _blocks(data: np.ndarray[Any, Any], splits: list[list[int]]) -> list[Any]:
    """Blocks of an array, none of them empty, as values of their own in column-major order."""
    with Uncollected():
        ends = [list(accumulate(sizes, initial=0)) for sizes in splits]
        slices = [[slice(a, b) for a, b in pairwise(along)] for along in ends]
        return [
            from_numpy(data[place[::-1]].copy(order="F")) for place in product(*reversed(slices))
        ]


@builtin(
    "deal",
    family="cells/cell",
    nargin=(1, None),
    nargout=None,
    needs=("nargout",),
    pending="keep",
    effects="pure",
)
def deal(*values: Any, nargout: int) -> Any:
    """Give inputs to outputs.

    [A, B, ...] = deal(X) copies one input to all outputs.
    [A, B, ...] = deal(X, Y, ...) gives each output its own input.

    Examples:
        >> [a, b] = deal(1, 2)
        a =
             1
        b =
             2

    See also: cell, struct.
    """
    count = max(nargout, 1)
    if len(values) not in (1, count):
        raise MatlabError(
            "MATLAB:deal:narginNargoutMismatch",
            "The number of outputs should match the number of inputs.",
        )
    if count == 1:
        return share(values[0])
    return tuple(share(values[k if len(values) > 1 else 0]) for k in range(count))


@builtin("celldisp", family="cells/cell", nargin=(1, 2), needs=("interp", "argument_text"))
def celldisp(value: Any, name: Any = None, *, interp: Any, argument_text: Any) -> None:
    """Print the contents of a cell array, one element after another.

    celldisp(C) names them C{1}, C{2}, ...; celldisp(C, name) gives another name.

    Examples:
        >> celldisp({5}, 'c')
        c{1} =
             5

    See also: disp, cell.
    """
    if not isinstance(value, CellArray):
        raise undefined_for("celldisp", class_of(value))
    given = maybe_text(name) if name is not None else None
    source = (argument_text or (None,))[0] or ""
    _celldisp(value, given or (source if source.isidentifier() else "ans"), interp)


def _celldisp(value: CellArray, name: str, interp: Any) -> None:
    shape = value.data.shape
    flat = list(elements(value))
    for at, item in enumerate(flat):
        if 1 in shape and len(shape) == 2:
            label = f"{name}{{{at + 1}}}"
        else:
            place = np.unravel_index(at, shape, order="F")
            label = f"{name}{{{','.join(str(int(k) + 1) for k in place)}}}"
        if isinstance(item, CellArray):
            _celldisp(item, label, interp)
        else:
            _disp_named(label, item, interp)


def _disp_named(label: str, item: Any, interp: Any) -> None:
    """Print an element with what disp gives, which for an empty one would be nothing."""
    fmt = setting(interp).current
    blank = " \n" if fmt.spacing == "loose" else ""
    shown = "     ''\n" if class_of(item) == "char" else "     []\n"
    if numel_of(item):
        shown = disp(item, fmt)
    interp.write(f"{blank}{label} =\n{blank}{shown}{blank}")
