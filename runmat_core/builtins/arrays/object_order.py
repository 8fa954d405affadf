"""Keys of objects: handles by the object they stand for, others as their class sorts them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values import class_of, dispatch, to_numpy
from runmat_core.values.cell import object_array
from runmat_core.values.handle_array import HandleArray
from runmat_core.values.objects.info import MEMBER
from runmat_core.values.objects.instance import Instance
from runmat_core.values.objects.members import handle_number


def has_objects(value: Any) -> bool:
    """Whether the elements of a value are objects, and no numbers of a class derived from them."""
    if isinstance(value, Instance):
        return not value.info.is_number
    return isinstance(value, HandleArray)


def object_keys(value: Any, name: str) -> NDArray[np.float64]:
    """Return a number for each object of an array, equal for equal objects.

    Handles are ordered by when they were first compared, members of an enumeration by their
    declaration, others by the ``sort`` and ``ne`` of their class.

    Raises:
        MatlabError: the class has no such methods.
    """
    records = value.array()
    if isinstance(value, Instance):
        info = value.info
        if "sort" in info.methods and ("ne" in info.methods or "eq" in info.methods):
            return _sorted_keys(value)
        if info.is_enumeration:
            place = {member: k for k, member in enumerate(info.members)}
            found = [place[str(r.get(MEMBER))] for r in value.records()]
            return np.array(found, float).reshape(records.shape, order="F")
        if not info.is_handle:
            raise errors.undefined_for(name, class_of(value))
    numbers = [handle_number(record) for record in records.flat]
    return np.array(numbers, float).reshape(records.shape)


def _sorted_keys(value: Instance) -> NDArray[np.float64]:
    """Ranks of objects by the methods of their class."""
    records = value.array()
    column = value.with_data(records.reshape((-1, 1), order="F"))
    sort = column.method("sort")
    assert sort is not None
    if records.size < 2:
        return np.ones(records.shape)
    found, order = sort(2)
    rows = found.array().ravel(order="F")
    above, below = (value.with_data(object_array(part, (len(part), 1))) for part in
                    (rows[:-1].tolist(), rows[1:].tolist()))  # fmt: skip
    new = to_numpy(dispatch.ne(above, below)).ravel() != 0
    keys = np.empty(records.size)
    keys[to_numpy(order).ravel().astype(np.intp) - 1] = np.concatenate(([1], 1 + np.cumsum(new)))
    return keys.reshape(records.shape, order="F")
