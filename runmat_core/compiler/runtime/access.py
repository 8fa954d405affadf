"""Reading and writing parts of values: what generated code calls where no class test decides."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

from runmat_core import values
from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.compiler.host import FileScope
from runmat_core.compiler.runtime.calls import sole, spread
from runmat_core.values import (
    Array,
    CellArray,
    CommaList,
    FunctionHandle,
    StructArray,
    Value,
    assign,
    assign_path,
    brace,
    count_targets,
    delete,
    delete_path,
    end_of,
    index,
    peek,
    share,
)
from runmat_core.values.base import place_of
from runmat_core.values.deferred import Deferred
from runmat_core.values.object import FieldNumber, ObjectValue
from runmat_core.values.spans import own, part, plain, put_part, whole
from runmat_core.values.string import STRING_METHODS, StringArray

# -- reading --------------------------------------------------------------------------------------


def field(value: Any, name: str) -> Any:
    """``value.name``: the value, or a `CommaList` unless there is exactly one."""
    if value.__class__ is StructArray:
        record = value.data
        if record.__class__ is dict:
            found = record.get(name)
            if found is not None:
                return found.share() if isinstance(found, Value) else found
    elif value.__class__ is StringArray and name in STRING_METHODS:
        return _method_of_string(value, name)(1)
    return values.field(value, name)


def member(value: Any, name: str) -> Any:
    """``value.name`` before parentheses: a field or property, or a method bound to `value`."""
    if value.__class__ is not StructArray and isinstance(value, Value):
        if value.__class__ is StringArray and name in STRING_METHODS:
            return FunctionHandle(_method_of_string(value, name), name)
        method = value.called(name)
        if method is not None:
            return FunctionHandle(_giving_what_is_asked(method), name)
    found = value.member(name) if isinstance(value, ObjectValue) else field(value, name)
    return found.only() if found.__class__ is CommaList else found


def _method_of_string(value: StringArray, name: str) -> Callable[..., Any]:
    """Return the function of a name with a string before its arguments."""
    frame = sys._getframe(1)
    while "_s" not in frame.f_globals:
        frame = cast(FrameType, frame.f_back)
    function = frame.f_globals["_s"].cell(name, FileScope()).target()
    return lambda nargout, *args: function(nargout, value, *args)


def _giving_what_is_asked(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that has no output refuses to be asked for one."""

    def called(nargout: int, *args: Any) -> Any:
        result = method(nargout, *args)
        if result is None and nargout > 0:
            raise errors.too_many_outputs()
        return result

    return called


def _chain(value: Any) -> Any:
    """Return what takes all steps behind `value` together, where its class does; else None."""
    if value.__class__ is StructArray or not isinstance(value, ObjectValue):
        return None
    return value.chain()


def inner_field(value: Any, name: Any) -> Any:
    """``value.name`` before another field or subscript, which the struct goes on holding."""
    if value.__class__ is StructArray:
        record = value.data
        if record.__class__ is dict:
            found = record.get(name)
            if found is not None:
                return found
    chain = _chain(value)
    found = field(value, name) if chain is None else chain.longer(".", name)
    return sole(found) if found.__class__ is CommaList else found


def inner_index(value: Any, subs: tuple[Any, ...]) -> Any:
    """``value(subs)`` before a field or another subscript."""
    chain = _chain(value)
    return index(value, subs) if chain is None else chain.longer("()", subs)


def inner_part(value: Any, subs: tuple[Any, ...]) -> Any:
    """`inner_index` with a range among the subscripts."""
    chain = _chain(value)
    if chain is None:
        return part(value, subs)
    return chain.longer("()", tuple(whole(sub) for sub in subs))


def asked(value: Any, subs: tuple[Any, ...], nargout: int) -> Any:
    """``value(subs)`` where not one value is asked for: what can be called is told how many."""
    call = getattr(value, "called_with", None)
    found = index(value, subs) if call is None else call(nargout, subs)
    return found if nargout < 2 else spread(found, nargout)


def inner_brace(value: Any, subs: tuple[Any, ...]) -> Any:
    """``value{subs}`` before a field or another subscript, which the cell goes on holding."""
    if value.__class__ is CellArray:
        data = value.data
        place = place_of(data.shape, subs)
        if place is not None:
            return data.item(place)
    chain = None if value.__class__ is CellArray else _chain(value)
    return brace(value, subs) if chain is None else chain.longer("{}", subs)


def inner_member(value: Any, name: Any) -> Any:
    """``value.name`` before parentheses that something follows."""
    chain = _chain(value)
    return member(value, name) if chain is None else chain.longer(".", name)


def outputs_of_field(value: Any, name: str, nargout: int) -> Any:
    """``value.name`` where any number of values but one is asked for: a method is told so."""
    if isinstance(value, ObjectValue):
        return value.outputs(name, nargout)
    return field(value, name)


def dynamic_field(value: Any, name: Any) -> Any:
    key = field_name(name)
    return field(value, key if key.__class__ is str else key.name_in(value))


def dynamic_member(value: Any, name: Any) -> Any:
    key = field_name(name)
    return member(value, key if key.__class__ is str else key.name_in(value))


def inner_dynamic_field(value: Any, name: Any) -> Any:
    """``value.(name)`` before another field or subscript."""
    if _chain(value) is not None:
        return inner_field(value, field_name(name))
    found = dynamic_field(value, name)
    return sole(found) if found.__class__ is CommaList else found


def inner_dynamic_member(value: Any, name: Any) -> Any:
    """``value.(name)`` before parentheses that something follows."""
    chain = _chain(value)
    return dynamic_member(value, name) if chain is None else chain.longer(".", field_name(name))


def field_name(name: Any) -> Any:
    """Return the text of ``.(name)``, or a `FieldNumber`, which tables know."""
    if not values.is_text(name):
        return FieldNumber(name)
    return values.text(name)


def end(value: Any, position: int, count: int) -> float:
    """``end`` in a subscript of `value`, which is None when unbound."""
    if count == 1 and (value.__class__ is CellArray or value.__class__ is Array):
        return float(value.data.size)
    return 0.0 if value is None else end_of(value, position, count)


def no_end() -> float:
    raise MatlabError(
        "MATLAB:noEndInFunction",
        "The end operator must be used within an array index expression.",
    )


# -- writing --------------------------------------------------------------------------------------


def put(new: Any, value: Any, subs: tuple[Any, ...]) -> Any:
    return assign(value, subs, own(new))


def put_brace(new: Any, value: Any, subs: tuple[Any, ...]) -> Any:
    return assign_path(value, (("{}", subs),), new)


def put_field(new: Any, value: Any, name: str) -> Any:
    if value.__class__ is StructArray and new.__class__ is not Deferred:
        return value.set_field(name, new)
    return assign_path(value, ((".", name),), new)


def put_path(new: Any, value: Any, path: tuple[tuple[str, Any], ...]) -> Any:
    return assign_path(value, path, new)


def put_list(new: tuple[Any, ...], value: Any, path: tuple[tuple[str, Any], ...]) -> Any:
    """``[value<path>] = deal(new...)`` for a target that stands for several places."""
    return values.assign_path_list(value, path, [share(item) for item in new])


def remove_path(value: Any, path: tuple[tuple[str, Any], ...]) -> Any:
    """Return what ``value<path> = []`` leaves in the variable."""
    if len(path) == 1:
        return delete(value, plain(value, path[0][1]))
    return delete_path(value, path)


HELPERS = {
    "share": share,
    "index": index,
    "brace": brace,
    "field": field,
    "asked": asked,
    "inner_field": inner_field,
    "inner_index": inner_index,
    "inner_part": inner_part,
    "inner_brace": inner_brace,
    "inner_member": inner_member,
    "inner_dynamic_field": inner_dynamic_field,
    "inner_dynamic_member": inner_dynamic_member,
    "outputs_of_field": outputs_of_field,
    "member": member,
    "dynamic_field": dynamic_field,
    "dynamic_member": dynamic_member,
    "field_name": field_name,
    "end": end,
    "no_end": no_end,
    "peek": peek,
    "put": put,
    "put_part": put_part,
    "put_brace": put_brace,
    "put_field": put_field,
    "put_path": put_path,
    "put_list": put_list,
    "remove_path": remove_path,
    "count_targets": count_targets,
}
