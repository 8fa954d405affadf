"""Structs: struct, fieldnames, isfield, rmfield, orderfields, struct2cell, cell2struct."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.cells.support import scalars
from runmat_core.builtins.text.support import (
    double_array,
    elements,
    logical_array,
    maybe_text,
    row,
    scalar_text,
    text_list,
)
from runmat_core.values import (
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    class_of,
    numel_of,
    share,
    size_of,
)
from runmat_core.values.cell import cell_column, object_array
from runmat_core.values.object import ObjectValue
from runmat_core.values.struct import is_underscored, struct_array

_NAME = re.compile(r"[A-Za-z]\w*\Z", re.ASCII)


def _field_name(value: Any) -> str:
    if isinstance(value, CharArray) and value.content.__class__ is str:
        name = value.content
    else:
        name = scalar_text(
            value,
            MatlabError(
                "MATLAB:struct:InvalidFieldNameType",
                "Field names must be string scalars or character vectors.",
            ),
        )
    if not _NAME.match(name) and not is_underscored(name):
        raise MatlabError("MATLAB:AddField:InvalidFieldName", f'Invalid field name "{name}".')
    return name


@builtin("struct", family="cells/structs", nargin=(0, None), effects="pure")
def struct(*args: Any) -> Any:
    """A struct array.

    s = struct(field1, value1, ...) makes a scalar struct, or where values are cell arrays, a
    struct array of their size. A value that is to be a cell array goes into a cell: {{1, 2}}.
    s = struct has no fields, and s = struct([]) no elements.

    Examples:
        >> s = struct('a', 1, 'b', 'x')
        s =
          struct with fields:
            a: 1
            b: 'x'
        >> size(struct('a', {1, 2}))
        ans =
             1     2

    See also: fieldnames, isfield, setfield, cell2struct.
    """
    if not args:
        return StructArray({})
    if len(args) == 1:
        return _from_one(args[0])
    if len(args) % 2:
        raise MatlabError(
            "MATLAB:StrRec:InputsMustBePairs",
            "Additional arguments expected for struct: field names and values come in pairs.",
        )
    values = args[1::2]
    names = [_field_name(name) for name in args[::2]]
    if CellArray not in map(type, values):
        return StructArray(dict(zip(names, map(share, values), strict=True)))
    arrays = [value for value in values if isinstance(value, CellArray)]
    if all(value.data.size == 1 for value in arrays):
        contents = [v.data.item() if isinstance(v, CellArray) else v for v in values]
        return StructArray(dict(zip(names, map(share, contents), strict=True)))
    shape: tuple[int, ...] = (1, 1)
    for at, value in enumerate(values, 1):
        if isinstance(value, CellArray) and value.data.size != 1:
            if shape not in ((1, 1), value.data.shape):
                raise MatlabError(
                    "MATLAB:StrRec:DimensionMismatch",
                    f"Array dimensions of input '{2 * at}' must match those of input "
                    f"'{_first_array(values)}' or be scalar.",
                )
            shape = value.data.shape
    count = math.prod(shape)
    items: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, value in zip(names, values, strict=True):
        contents = list(elements(value)) if isinstance(value, CellArray) else [value]
        if len(contents) == 1:
            contents = contents * count
        for item, content in zip(items, contents, strict=True):
            item[name] = share(content)
    return struct_array(items, shape, names)


def _first_array(values: tuple[Any, ...]) -> int:
    sizes = [isinstance(v, CellArray) and v.data.size != 1 for v in values]
    return 2 * (sizes.index(True) + 1)


def _from_one(value: Any) -> Any:
    if isinstance(value, StructArray):
        return share(value)
    if numel_of(value) == 0 and class_of(value) == "double":
        return struct_array([], (0, 0), [])
    if isinstance(value, ObjectValue):
        return StructArray({name: value.get_property(name) for name in value.field_names()})
    raise MatlabError(
        "MATLAB:StrRec:InvalidInput",
        "Argument to struct must be an object, a struct, or name-value pairs.",
    )


@builtin("isstruct", family="cells/structs", effects="pure", pending="keep")
def isstruct(value: Any) -> bool:
    """Whether a value is a struct array.

    tf = isstruct(A)

    Examples:
        >> isstruct(struct('a', 1))
        ans =
          logical
           1

    See also: struct, isfield, iscell.
    """
    return isinstance(value, StructArray)


@builtin("fieldnames", "fields", family="cells/structs", nargin=(1, 2), effects="pure")
def fieldnames(value: Any, option: Any = None) -> Any:
    """The names of the fields of a struct, or of the properties of an object.

    names = fieldnames(S) is a column of char vectors in the order of the fields.

    Examples:
        >> fieldnames(struct('a', 1, 'b', 2))
        ans =
          2×1 cell array
            {'a'}
            {'b'}

    See also: isfield, struct, orderfields, rmfield.
    """
    if isinstance(value, StructArray | ObjectValue):
        return cell_column(map(row, value.field_names()))
    raise MatlabError(
        "MATLAB:fieldnames:InvalidInput",
        f"Invalid input argument of type '{class_of(value)}'. Input must be a structure or a "
        "Java or COM object.",
    )


@builtin("isfield", family="cells/structs", effects="pure", pending="keep")
def isfield(value: Any, names: Any) -> Any:
    """Whether a struct has a field.

    tf = isfield(S, name) is false when S is not a struct.
    tf = isfield(S, names) tests each name in a cell or string array.

    Examples:
        >> isfield(struct('a', 1), {'a', 'b'})
        ans =
          1×2 logical array
           1   0

    See also: fieldnames, isstruct, getfield.
    """
    fields = set(value.field_names()) if isinstance(value, StructArray) else set()
    if isinstance(names, CharArray):
        return maybe_text(names) in fields
    if isinstance(names, CellArray):
        flags = [maybe_text(name) in fields for name in elements(names)]
        return logical_array(flags, names.data.shape)
    if isinstance(names, StringArray):
        return logical_array([name in fields for name in elements(names)], names.data.shape)
    return False


@builtin("rmfield", family="cells/structs", effects="pure")
def rmfield(value: Any, names: Any) -> Any:
    """Remove fields from a struct array.

    S = rmfield(S, name) removes one field, or each in a cell or string array of names.

    Examples:
        >> fieldnames(rmfield(struct('a', 1, 'b', 2), 'a'))
        ans =
          1×1 cell array
            {'b'}

    See also: fieldnames, isfield, setfield.
    """
    if not isinstance(value, StructArray):
        raise MatlabError("MATLAB:rmfield:Arg1NotStructArray", "S must be a structure array.")
    error = MatlabError(
        "MATLAB:rmfield:FieldnamesNotStrings",
        "FIELDNAMES must be a cell array of character vectors or a string array.",
    )
    doomed = text_list(names, error)
    fields = list(value.field_names())
    for name in doomed:
        if name not in fields:
            raise MatlabError(
                "MATLAB:rmfield:InvalidFieldname",
                f"A field named '{name}' doesn't exist.",
            )
    kept = [name for name in fields if name not in doomed]
    return _pick(value, kept)


def _pick(value: StructArray, names: list[str]) -> StructArray:
    """Return the struct array with `names` alone, in this order."""
    items = [{name: share(item[name]) for name in names} for item in value.records()]
    return struct_array(items, size_of(value), names)


@builtin("orderfields", family="cells/structs", nargin=(1, 2), nargout=2, needs=("nargout",))
def orderfields(value: Any, order: Any = None, *, nargout: int) -> Any:
    """Order the fields of a struct array.

    S = orderfields(S1) orders them by name.
    S = orderfields(S1, order) takes the order of another struct, of a cell array of names, or a
    permutation.
    [S, P] = orderfields(...) also returns the permutation.

    Examples:
        >> fieldnames(orderfields(struct('b', 1, 'a', 2)))
        ans =
          2×1 cell array
            {'a'}
            {'b'}

    See also: fieldnames, struct.
    """
    if not isinstance(value, StructArray):
        raise MatlabError(
            "MATLAB:orderfields:arg1NotStruct", "First input argument must be a structure."
        )
    names = list(value.field_names())
    mismatch = MatlabError(
        "MATLAB:orderfields:FieldsMismatch",
        "The second input must name the same fields as the first.",
    )
    if order is None:
        wanted = sorted(names)
    elif isinstance(order, StructArray):
        wanted = list(order.field_names())
    elif isinstance(order, CellArray | StringArray):
        wanted = text_list(order, mismatch)
    else:
        places = [integer(k) for k in scalars(order)]
        if sorted(places) != list(range(1, len(names) + 1)):
            raise mismatch
        wanted = [names[k - 1] for k in places]
    if sorted(wanted) != sorted(names):
        raise mismatch
    ordered = _pick(value, wanted)
    if nargout < 2:
        return ordered
    return ordered, double_array([names.index(name) + 1 for name in wanted], (len(names), 1))


@builtin("struct2cell", family="cells/structs", effects="pure")
def struct2cell(value: Any) -> Any:
    """The values of the fields of a struct array.

    C = struct2cell(S) is a column for a scalar struct; for an array of size m-by-n, C has the
    size p-by-m-by-n, p being the number of fields.

    Examples:
        >> struct2cell(struct('a', 1, 'b', 'x'))
        ans =
          2×1 cell array
            {[1]}
            {'x'}

    See also: cell2struct, fieldnames.
    """
    if not isinstance(value, StructArray):
        raise MatlabError("MATLAB:struct2cell:InvalidInput", "Input must be a structure array.")
    names = list(value.field_names())
    flat = [share(item[name]) for item in value.records() for name in names]
    shape = size_of(value)
    if numel_of(value) == 1:
        return cell_column(flat)
    return CellArray(object_array(flat, (len(names), *shape)))


@builtin("namedargs2cell", family="cells/structs", effects="pure")
def namedargs2cell(value: Any) -> Any:
    """Names and values of a structure as arguments of a call.

    C = namedargs2cell(S) is {'a', S.a, 'b', S.b, …}, so that f(C{:}) passes the fields by name

    Examples:
        >> namedargs2cell(struct('a', 1, 'b', 'x'))
        ans =
          1×4 cell array
            {'a'}    {[1]}    {'b'}    {'x'}

    See also: struct2cell, fieldnames.
    """
    if not isinstance(value, StructArray) or numel_of(value) != 1:
        raise MatlabError("MATLAB:namedargs2cell:InvalidInput", "Input must be a scalar structure.")
    record = value.records()[0]
    parts = [
        part for name in value.field_names() for part in (CharArray(name), share(record[name]))
    ]
    return CellArray(object_array(parts, (1, len(parts))))


@builtin("cell2struct", family="cells/structs", nargin=(2, 3), effects="pure")
def cell2struct(value: Any, fields: Any, dimension: Any = 1.0) -> Any:
    """Make a struct array of the contents of a cell array.

    S = cell2struct(C, fields, dim) names the slices along dimension dim, by default the first.

    Examples:
        >> s = cell2struct({1; 'x'}, {'a'; 'b'}, 1)
        s =
          struct with fields:
            a: 1
            b: 'x'

    See also: struct2cell, struct.
    """
    if not isinstance(value, CellArray):
        raise MatlabError("MATLAB:cell2struct:InvalidInput", "First argument must be a cell array.")
    error = MatlabError(
        "MATLAB:cell2struct:InvalidFields",
        "Second argument must be a cell array of character vectors, a char array or a string "
        "array.",
    )
    names = [name.rstrip() for name in text_list(fields, error)]
    for name in names:
        if not _NAME.match(name) and not is_underscored(name):
            raise MatlabError("MATLAB:AddField:InvalidFieldName", f'Invalid field name "{name}".')
    axis = integer(dimension) - 1
    cells = value.data
    if not 0 <= axis < cells.ndim or cells.shape[axis] != len(names):
        raise MatlabError(
            "MATLAB:cell2struct:InvalidNumFieldNames",
            "Number of field names must match number of fields in new structure.",
        )
    slices = np.moveaxis(cells, axis, 0)
    rest = slices.shape[1:]
    columns = slices.reshape((len(names), -1), order="F")
    items = [
        {name: share(columns[k, at]) for k, name in enumerate(names)}
        for at in range(columns.shape[1])
    ]
    if len(rest) == 1:
        # C of two dimensions gives a column
        rest = (rest[0], 1)
    return struct_array(items, rest, names)
