"""Subscripts as values: getfield, setfield, substruct, subsref, subsasgn."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs, too_many_outputs
from runmat_core.builtins.text.support import (
    elements,
    maybe_text,
    row,
    scalar_text,
)
from runmat_core.values import (
    COLON,
    CellArray,
    StructArray,
    assign_path,
    brace,
    delete_path,
    field,
    index,
    share,
    size_of,
)
from runmat_core.values.base import CommaList
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.object import ObjectValue
from runmat_core.values.struct import struct_array

Path = list[tuple[str, Any]]


def _subscripts(values: Any) -> tuple[Any, ...]:
    """Return the subscripts in a cell array, where ':' means all."""
    return tuple(COLON if maybe_text(item) == ":" else item for item in elements(values))


def _field_path(function: str, places: tuple[Any, ...]) -> Path:
    error = MatlabError(
        f"MATLAB:{function}:InvalidType",
        "Field names must be text and subscripts must be in cell arrays.",
    )
    path: Path = []
    for place in places:
        if isinstance(place, CellArray):
            path.append(("()", _subscripts(place)))
        else:
            path.append((".", scalar_text(place, error)))
    return path


def follow(value: Any, path: Path, nargout: int = 1) -> Any:
    """Return what a path of subscripts leads to; a `CommaList` unless it is one value.

    A method at its end is asked for `nargout` values.
    """
    steps = list(path)
    while steps:
        kind, key = steps.pop(0)
        if kind == "." and isinstance(value, ObjectValue) and value.called(key) is not None:
            value = _called(value, key, steps, nargout)
            continue
        if isinstance(value, CommaList):
            raise MatlabError(
                "MATLAB:index:expected_one_output_from_intermediate_indexing",
                "Intermediate brace '{}' or dot '.' indexing produced a comma-separated list with "
                f"{len(value)} values, but it must produce a single value when followed by "
                "subsequent indexing operations.",
            )
        if kind == ".":
            value = field(value, key)
        elif kind == "{}":
            value = brace(value, key)
        else:
            value = index(value, key)
    return value


def _called(value: ObjectValue, name: str, steps: list[Any], nargout: int) -> Any:
    """Return the outputs of a method; parentheses behind its name are its arguments."""
    method = value.called(name)
    assert method is not None
    args = steps.pop(0)[1] if steps and steps[0][0] == "()" else ()
    given = [row(":") if arg is COLON else arg for arg in args]
    result = method(1 if steps else nargout, *given)
    if result is None:
        return CommaList()
    return CommaList(result) if result.__class__ is tuple else result


@builtin("getfield", family="cells/access", nargin=(2, None), effects="pure")
def getfield(value: Any, *places: Any) -> Any:
    """The value of a field of a struct.

    v = getfield(S, name) is S.(name).
    v = getfield(S, {i, j}, name, {k}, ...) follows subscripts and further names: S(i,j).name(k).

    Examples:
        >> getfield(struct('a', [7 8]), 'a', {2})
        ans =
             8

    See also: setfield, isfield, subsref.
    """
    found = follow(value, _field_path("getfield", places))
    return share(found.only() if isinstance(found, CommaList) else found)


@builtin("setfield", family="cells/access", nargin=(3, None), effects="pure")
def setfield(value: Any, *places_and_new: Any) -> Any:
    """Give a field of a struct a value.

    S = setfield(S, name, v) is S.(name) = v.
    S = setfield(S, {i, j}, name, {k}, ..., v) follows subscripts and further names.

    Examples:
        >> s = setfield(struct('a', 1), 'b', 2)
        s =
          struct with fields:
            a: 1
            b: 2

    See also: getfield, rmfield, subsasgn.
    """
    *places, new = places_and_new
    return assign_path(share(value), _field_path("setfield", tuple(places)), share(new))


@builtin("substruct", family="cells/access", nargin=(2, None), effects="pure")
def substruct(*args: Any) -> Any:
    """Subscripts as a struct for subsref and subsasgn.

    S = substruct(type1, subs1, type2, subs2, ...) has the fields type and subs. A type is '()' or
    '{}', with a cell array of subscripts, or '.', with a field name.

    Examples:
        >> S = substruct('()', {1, ':'}); S.type
        ans =
            '()'

    See also: subsref, subsasgn.
    """
    if len(args) % 2:
        raise not_enough_inputs()
    items = []
    for kind, subs in zip(args[::2], args[1::2], strict=True):
        word = maybe_text(kind)
        if word not in ("()", "{}", "."):
            raise MatlabError("MATLAB:substruct:type", "Type must be one of '()', '{}', or '.'.")
        if word == "." and maybe_text(subs) is None:
            raise MatlabError(
                "MATLAB:substruct:subsMustBeString", "Subs must be text for type '.'."
            )
        if word != "." and not isinstance(subs, CellArray) and maybe_text(subs) != ":":
            raise MatlabError(
                "MATLAB:substruct:subsMustBeCell", f"Subs must be a cell array for type '{word}'."
            )
        items.append({"type": row(word), "subs": share(subs)})
    return struct_array(items, (1, len(items)), ["type", "subs"])


def _path(function: str, subscripts: Any) -> Path:
    error = MatlabError(
        f"MATLAB:{function}:subscriptStructRequired",
        f"Second argument to {function} must be a structure with the fields 'type' and 'subs'.",
    )
    if not isinstance(subscripts, StructArray):
        raise error
    path: Path = []
    for item in subscripts.records():
        if "type" not in item or "subs" not in item:
            raise error
        kind, subs = scalar_text(item["type"], error), item["subs"]
        if kind == ".":
            path.append((kind, scalar_text(subs, error)))
        elif kind in ("()", "{}"):
            cell = subs if isinstance(subs, CellArray) else cell_of([subs])
            path.append((kind, _subscripts(cell)))
        else:
            raise MatlabError(
                f"MATLAB:{function}:illegalType", "Type must be one of '()', '{}', or '.'."
            )
    return path


@builtin("subsref", family="cells/access", nargout=None, needs=("nargout",), effects="pure")
def subsref(value: Any, subscripts: Any, *, nargout: int) -> Any:
    """What subscripts refer to.

    B = subsref(A, S) is A indexed as S says; S has the fields type ('()', '{}' or '.') and subs
    and one element for each level.

    Examples:
        >> subsref({1, 'two'}, substruct('{}', {2}))
        ans =
            'two'

    See also: subsasgn, substruct.
    """
    found = follow(value, _path("subsref", subscripts), nargout)
    if not nargout and isinstance(found, CommaList) and not found:
        return None
    if not isinstance(found, CommaList):
        if nargout > 1:
            raise too_many_outputs()
        return share(found)
    if nargout <= 1:
        return share(found.only())
    if nargout > len(found):
        raise too_many_outputs()
    return tuple(share(item) for item in found[:nargout])


@builtin("subsasgn", family="cells/access", effects="pure")
def subsasgn(value: Any, subscripts: Any, new: Any) -> Any:
    """Assign to what subscripts refer to.

    A = subsasgn(A, S, B) is A after the assignment of B as S says; see subsref. An empty B with
    type '()' deletes.

    Examples:
        >> subsasgn([1 2 3], substruct('()', {2}), 9)
        ans =
             1     9     3

    See also: subsref, substruct.
    """
    path = _path("subsasgn", subscripts)
    if not path:
        return share(new)
    if path[-1][0] == "()" and size_of(new) == (0, 0) and not isinstance(new, CellArray):
        return delete_path(share(value), path)
    return assign_path(share(value), path, share(new))
