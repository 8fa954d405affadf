"""Nested assignment: ``s(1).a.b{3}(2) = 5``.

A path is a sequence of steps ``("()", subs)``, ``("{}", subs)`` and ``(".", name)``. What does not
exist yet is created on the way, and an empty ``[]`` takes the class that the next step needs.

Containers are copied shallowly, so two of them may hold one wrapper, and two wrappers one buffer.
A write therefore looks at every level: a wrapper that another container holds is shared first, and
a container's own buffer is copied by `set_paren`, `set_brace` and the like when another wrapper
holds it. Reference counts are read from heap slots, never from a local variable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.array import Array, to_numpy
from runmat_core.values.base import COLON, CommaList, Value, class_of, is_sole_owner, place_of
from runmat_core.values.cell import CellArray, empty_double, object_array, selected_counts
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import Deferred, stored
from runmat_core.values.indexing import assign, delete, index, size_of
from runmat_core.values.object import FieldNumber, ObjectValue
from runmat_core.values.positions import furthest, listed, positions
from runmat_core.values.spans import plain, wholes
from runmat_core.values.struct import StructArray, blank_record, one_output_expected

Step = tuple[str, Any]
Path = Sequence[Step]
#: ``finish(container, last_steps, argument)`` does the assignment at the end of a path.
Finish = Callable[[Any, Path, Any], Any]


def assign_path(value: Any, path: Path, rhs: Any) -> Any:
    """``value<path> = rhs``.

    Args:
        value: the variable's value; None when it is unbound. Its wrapper is the variable's own.
        path: at least one step.
        rhs: stored as it is: share it first where something else holds its wrapper.

    Returns:
        What to bind to the variable.
    """
    if rhs.__class__ is Deferred:
        rhs = stored(rhs)
    if len(path) == 1:
        return _assign_last(value, path, rhs)
    return _descend(value, path, 0, len(path) - 1, _assign_last, rhs)


def delete_path(value: Any, path: Path) -> Any:
    """``value<path> = []``, which deletes when the path ends in parentheses; see `assign_path`."""
    if path[-1][0] != "()":
        return assign_path(value, path, empty_double())
    return _descend(value, path, 0, len(path) - 1, _delete_last, None)


def assign_path_list(value: Any, path: Path, values: Sequence[Any]) -> Any:
    """``[value<path>] = deal(...)`` for a path that stands for several places.

    Args:
        value: as for `assign_path`.
        path: ends in braces (``c{1:2}``) or in a field (``s.f``, ``s(2:3).f``).
        values: as many as `count_targets` says.
    """
    if len(values) == 1:
        return assign_path(value, path, values[0])
    values = [stored(item) for item in values]
    last = 2 if path[-1][0] == "." and len(path) > 1 and path[-2][0] == "()" else 1
    return _descend(value, path, 0, len(path) - last, _assign_list, values)


def count_targets(value: Any, path: Path) -> int:
    """How many values the target ``value<path>`` of a multiple assignment takes."""
    kind, key = path[-1]
    if kind == "()" or (len(path) == 1 and value is None and kind == "."):
        return 1
    if kind == "{}":
        return _count_selected(peek(value, path[:-1]), key)
    if len(path) > 1 and path[-2][0] == "()":
        return _count_selected(peek(value, path[:-2]), path[-2][1])
    container = peek(value, path[:-1])
    return math.prod(container.shape) if _has_elements(container) else 1


def _has_elements(value: Any) -> bool:
    """Whether a value is an array of elements with fields or properties."""
    return isinstance(value, StructArray) or (isinstance(value, ObjectValue) and value.has_elements)


def peek(value: Any, path: Path) -> Any:
    """Return the value at the end of a path, None where it does not exist yet."""
    for kind, key in path:
        if value is None:
            return None
        try:
            if kind == "()":
                value = index(value, key)
            elif not isinstance(value, Value):
                return None
            else:
                key = key.name_in(value) if key.__class__ is FieldNumber else key
                value = value.brace(key) if kind == "{}" else value.field(key)
        except MatlabError:
            return None
        if isinstance(value, CommaList):
            if len(value) != 1:
                raise one_output_expected(len(value))
            value = value[0]
    return value


def _count_selected(container: Any, subs: Sequence[Any]) -> int:
    return math.prod(_selected_shape(container, subs))


def _selected_shape(container: Any, subs: Sequence[Any]) -> tuple[int, ...]:
    return selected_counts((0, 0) if container is None else size_of(container), subs)


# -- one level of a path -----------------------------------------------------------------------


def _descend(value: Any, path: Path, depth: int, stop: int, finish: Finish, rhs: Any) -> Any:
    """Do `finish` at depth `stop` of the path and store what changed on the way back."""
    if depth == stop:
        return finish(value, path[depth:], rhs)
    kind, key = path[depth]
    if kind == ".":
        return _into_field(value, key, path, depth, stop, finish, rhs)
    if kind == "{}":
        return _into_cell(value, key, path, depth, stop, finish, rhs)
    return _into_element(value, key, path, depth, stop, finish, rhs)


def _into_field(
    value: Any, name: Any, path: Path, depth: int, stop: int, finish: Finish, rhs: Any
) -> Any:
    value = _as_struct(value)
    if name.__class__ is FieldNumber:
        name = name.name_in(value)
    if not isinstance(value, StructArray):
        if not isinstance(value, Value) or type(value).set_field is Value.set_field:
            raise _no_step(value, ".")
        if isinstance(value, ObjectValue):
            whole = _assigned(value, path[depth:], finish, rhs)
            if whole is not None:
                return whole
            part = _descend(value.writable(name), path, depth + 1, stop, finish, rhs)
            return value.set_part(name, part)
        child = value.field(name)
        return value.set_field(name, _descend(child, path, depth + 1, stop, finish, rhs))
    if value.data.__class__ is not dict:
        if value.data.size:
            raise one_output_expected(value.data.size)
        child = _descend(None, path, depth + 1, stop, finish, rhs)
        return value.set_field(name, child)
    # the record is made ours before the field is looked at: a copy of it holds each wrapper again
    record = value.sole_record(name)
    record[name] = _descend(_take(record, name), path, depth + 1, stop, finish, rhs)
    return value


def _assigned(value: ObjectValue, path: Path, finish: Finish, rhs: Any) -> Any:
    """Return what a class makes of an assignment to a part of its object.

    Return None where it leaves that.
    """
    if finish is not _assign_last:
        return None
    kind, key = path[-1]
    return value.assigned((*path[:-1], (kind, wholes(key))) if kind == "()" else path, rhs)


def _take(record: dict[str, Any], name: str) -> Any:
    """Return the wrapper in a field for writing: shared first where something else holds it too."""
    if name not in record:
        return None
    if isinstance(record[name], Value) and getrefcount(record[name]) > 2:
        return record[name].share()
    return record[name]


def _into_cell(
    value: Any, subs: Any, path: Path, depth: int, stop: int, finish: Finish, rhs: Any
) -> Any:
    value = _as_cell(value)
    if not isinstance(value, CellArray):
        if isinstance(value, ObjectValue) and value.takes_paths:
            whole = _assigned(value, path[depth:], finish, rhs)
            if whole is not None:
                return whole
            part = _descend(value.brace(subs), path, depth + 1, stop, finish, rhs)
            return value.set_brace(subs, part)
        raise _no_step(value, "{}")
    place = _place(value.data.shape, subs)
    if place is None:
        # a new element, or subscripts that set_brace reports
        if _count_selected(value, subs) != 1:
            raise one_output_expected(_count_selected(value, subs))
        return value.set_brace(subs, _descend(None, path, depth + 1, stop, finish, rhs))
    if not is_sole_owner(value):
        value.data = value.data.copy(order="F")
    if isinstance(value.data[place], Value) and getrefcount(value.data[place]) > 2:
        child = value.data[place].share()
    else:
        child = value.data[place]
    value.data[place] = _descend(child, path, depth + 1, stop, finish, rhs)
    return value


def _into_element(
    value: Any, subs: Any, path: Path, depth: int, stop: int, finish: Finish, rhs: Any
) -> Any:
    """Return a step ``(subs)`` with a field after it: an element of a struct array."""
    kind, name = path[depth + 1]
    if isinstance(value, ObjectValue) and value.takes_paths:
        whole = _assigned(value, path[depth:], finish, rhs)
        if whole is not None:
            return whole
        part = _descend(value.writable_element(subs), path, depth + 1, stop, finish, rhs)
        return value.set_paren(subs, part)
    value = _as_struct(value, empty=True) if kind == "." else value
    if not isinstance(value, StructArray) or kind != ".":
        raise _no_step(value, kind)
    place = _place(value.shape, subs)
    if place is None:
        return _new_element(value, subs, path, depth, stop, finish, rhs)
    if value.data.__class__ is dict:
        return _descend(value, path, depth + 1, stop, finish, rhs)
    if name in value.field_names():
        record = value.element_record(place)
        record[name] = _content(_take(record, name), path, depth + 1, stop, finish, rhs)
    else:
        content = _content(None, path, depth + 1, stop, finish, rhs)
        value.add_field(name)
        value.element_record(place)[name] = content
    return value


def _content(child: Any, path: Path, depth: int, stop: int, finish: Finish, rhs: Any) -> Any:
    """Return what the field that the step at `depth` names shall hold."""
    return rhs if depth == stop else _descend(child, path, depth + 1, stop, finish, rhs)


def _new_element(
    value: StructArray, subs: Any, path: Path, depth: int, stop: int, finish: Finish, rhs: Any
) -> StructArray:
    if _count_selected(value, subs) != 1:
        raise one_output_expected(_count_selected(value, subs))
    names = value.field_names()
    element = StructArray(blank_record(names))
    element = _descend(element, path, depth + 1, stop, finish, rhs)
    added = element.field_names()[len(names) :]
    if not added:
        return value.set_paren(subs, element)
    # a subscript that turns out to be bad must not leave the new field behind
    grown = value.share()
    for name in added:
        grown.add_field(name)
    return grown.set_paren(subs, element)


def _place(shape: tuple[int, ...], subs: Sequence[Any]) -> tuple[int, ...] | None:
    """Where the one existing element that `subs` select lies; None where there is none.

    Raises:
        MatlabError: several elements are selected.
    """
    plain = place_of(shape, subs)
    if plain is not None or {float}.issuperset(map(type, subs)):
        return plain
    extents = subscript.folded(shape, len(subs))
    try:
        where = [positions(sub, axis)[0] for axis, sub in enumerate(subs)]
    except MatlabError:
        return None
    if any(furthest(w) > extent for w, extent in zip(where, extents, strict=True)):
        return None
    selected = [listed(w, extent) for w, extent in zip(where, extents, strict=True)]
    counted = math.prod([found.size for found in selected])
    if counted != 1:
        raise one_output_expected(counted)
    return place_of(shape, [float(found[0] + 1) for found in selected])


# -- the end of a path -------------------------------------------------------------------------


def _assign_last(value: Any, steps: Path, rhs: Any) -> Any:
    kind, key = steps[0]
    if kind == "()":
        return assign(value, plain(value, key), rhs)
    if kind == "{}":
        value = _as_cell(value)
        if not isinstance(value, CellArray) and not _has_brace(value):
            raise _no_step(value, kind)
        return value.set_brace(key, rhs)
    value = _as_struct(value)
    if key.__class__ is FieldNumber:
        key = key.name_in(value)
    if not isinstance(value, Value):
        raise _no_step(value, kind)
    return value.set_field(key, rhs)


def _delete_last(value: Any, steps: Path, rhs: Any) -> Any:
    value = empty_double() if value is None else value
    return delete(value, plain(value, steps[0][1]))


def _assign_list(value: Any, steps: Path, values: Sequence[Any]) -> Any:
    if steps[0][0] == "{}":
        value = _as_cell(value)
        if not isinstance(value, CellArray):
            raise _no_step(value, "{}")
        shape = (1, len(values)) if len(steps[0][1]) == 1 else _selected_shape(value, steps[0][1])
        return value.set_paren(steps[0][1], CellArray(object_array(values, shape)))
    value = _as_struct(value, empty=True)
    if not _has_elements(value):
        raise _no_step(value, ".")
    name = steps[-1][1]
    positions = steps[0][1] if steps[0][0] == "()" else (COLON,)
    selected: list[float] = _positions(value, positions)
    for position, item in zip(selected, values, strict=True):
        value = assign_path(value, (("()", (position,)), (".", name)), item)
    return value


def _positions(value: Any, subs: Sequence[Any]) -> list[float]:
    """Return the one-based linear positions that `subs` select, beyond the end of a vector too."""
    count = math.prod(value.shape)
    numbers = np.arange(1.0, count + 1).reshape(value.shape, order="F")
    if len(subs) == 1 and subs[0] is not COLON and class_of(subs[0]) != "logical":
        return [float(k) for k in np.ravel(to_numpy(subs[0]), order="F")]
    return subscript.read(numbers, subs).ravel(order="F").tolist()


# -- classes that the next step needs ----------------------------------------------------------


def _is_blank(value: Any) -> bool:
    """Whether `value` is unbound or an empty ``[]`` or ``''``, which take any class needed."""
    if value is None:
        return True
    if isinstance(value, Array):
        return 0 in value.shape and value.class_name == "double"
    return isinstance(value, CharArray) and 0 in value.shape


def _as_struct(value: Any, empty: bool = False) -> Any:
    """`value` for a field to be written; an empty array, of cells too, becomes a structure."""
    empty_cell = value.__class__ is CellArray and not value.data.size
    if not (empty_cell or _is_blank(value)):
        return value
    return StructArray(np.empty((0, 0), object) if empty else {})


def _as_cell(value: Any) -> Any:
    return CellArray(np.empty((0, 0), object)) if _is_blank(value) else value


def _has_brace(value: Any) -> bool:
    return isinstance(value, Value) and type(value).set_brace is not Value.set_brace


def _no_step(value: Any, kind: str) -> MatlabError:
    """Return the error of an assignment whose next step the class of `value` does not allow."""
    if class_of(value) == "containers.Map":
        return MatlabError(
            "MATLAB:Containers:Map:OneLevelIndexing",
            "Only one level of indexing is supported by a containers.Map.",
        )
    if kind == "()":
        return MatlabError(
            "MATLAB:index:invalidIndexing",
            "Invalid array indexing.",
        )
    name, identifier = {
        ".": ("dot", "MATLAB:structAssToNonStruct"),
        "{}": ("brace", "MATLAB:cellAssToNonCell"),
    }[kind]
    return errors.assigned_by(name, identifier)
