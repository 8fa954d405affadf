"""Cell arrays: an object array of values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.array import Array, to_numpy
from runmat_core.values.base import (
    COLON,
    CommaList,
    Subscripts,
    Value,
    class_of,
    is_sole_owner,
    place_of,
    share,
)
from runmat_core.values.buffers import grow
from runmat_core.values.char import no_conversion

Objects = NDArray[np.object_]


def object_array(items: Iterable[Any], shape: tuple[int, ...]) -> Objects:
    """`items` in column-major order as an object array; its elements are never taken apart."""
    if items.__class__ is not list:
        items = list(items)
    count = len(items)
    if shape == (1, 1) and count == 1:
        alone = np.empty((1, 1), object)
        alone[0, 0] = items[0]
        return alone
    # an iterator, as from a list NumPy would take the elements apart
    flat = np.fromiter(iter(items), object, count)
    if len(shape) == 2 and 1 in shape:
        return flat.reshape(shape)  # a vector lies the same in either order
    return flat.reshape(shape, order="F")


def empty_double() -> Array:
    """Return a new ``[]``."""
    made: Array = object.__new__(Array)
    made.data = np.zeros((0, 0))
    return made


class CellArray(Value):
    """A cell array; `data` is an object array of values."""

    __slots__ = ()
    data: Objects
    class_name = "cell"

    def __init__(self, data: Objects) -> None:
        self.data = data if data.flags.f_contiguous else np.asfortranarray(data)

    def share(self) -> CellArray:
        twin = object.__new__(CellArray)
        twin.data = self.data
        return twin

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def items(self) -> list[Any]:
        """Return the contents in column-major order."""
        data = self.data
        if data.ndim == 2 and len(data) == 1:
            row: list[Any] = data[0].tolist()
            return row
        contents: list[Any] = data.ravel(order="F").tolist()
        return contents

    def __repr__(self) -> str:
        return f"CellArray({self.data.tolist()!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> CellArray:
        return CellArray(subscript.read(self.data, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> CellArray:
        if not isinstance(rhs, CellArray):
            raise no_conversion("cell", class_of(rhs))
        subscript.write(self, subs, rhs.data, empty_double())
        return self

    def del_paren(self, subs: Subscripts) -> CellArray:
        subscript.remove(self, subs)
        return self

    def brace(self, subs: Subscripts) -> Any:
        data = self.data
        place = place_of(data.shape, subs)
        if place is not None:
            return share(data.item(*place))
        found = subscript.read(data, subs)
        if found.size == 1:
            return share(found.item())
        return CommaList(map(share, found.ravel(order="F").tolist()))

    def set_brace(self, subs: Subscripts, rhs: Any) -> CellArray:
        place = place_of(self.data.shape, subs)
        if place is None:
            if len(subs) == 1 and subs[0].__class__ is float and self._append(subs[0], rhs):
                return self
            count = math.prod(selected_counts(self.data.shape, subs))
            if count != 1:
                raise simple_assignment(count)
            subscript.write(self, subs, object_array([rhs], (1, 1)), empty_double())
            return self
        if not is_sole_owner(self):
            self.data = self.data.copy(order="F")
        self.data[place] = rhs
        return self

    def _append(self, place: float, rhs: Any) -> bool:
        """``c{end + 1} = rhs`` of a row, or of nothing at all; whether this was it."""
        shape, size = self.data.shape, self.data.size
        if place != size + 1 or not (shape == (0, 0) or (len(shape) == 2 and shape[0] == 1)):
            return False
        if size:
            grow(self, (1, size + 1), rhs)
        else:
            self.data = object_array([rhs], (1, 1))
        return True


def selected_counts(shape: tuple[int, ...], subs: Subscripts) -> tuple[int, ...]:
    """How many places each subscript of an assignment selects, whether they exist or not.

    A colon selects one place where nothing exists yet.
    """
    counts = []
    for position, sub in enumerate(subs):
        if sub is COLON:
            last = position == len(subs) - 1
            extent = math.prod(shape[position:] if last else shape[position : position + 1])
            counts.append(extent if math.prod(shape) else max(extent, 1))
        elif class_of(sub) == "logical":
            counts.append(int(np.count_nonzero(to_numpy(sub))))
        else:
            counts.append(math.prod(sub.shape) if isinstance(sub, Value) else 1)
    return tuple(counts)


def simple_assignment(count: int) -> MatlabError:
    """Return the error of ``c{1:2} = x`` and ``s.f = x`` where there are several places."""
    return MatlabError(
        "MATLAB:index:expected_one_output_for_assignment",
        f"Assigning to {count} elements using a simple assignment statement is not supported. "
        "Consider using comma-separated list assignment.",
    )


def cell_row(items: Iterable[Any]) -> CellArray:
    """Return a 1-by-n cell array."""
    if items.__class__ is not list:
        items = list(items)
    made: CellArray = object.__new__(CellArray)
    count = len(items)
    if count > 3:
        made.data = object_array(items, (1, count))
        return made
    row = np.empty((1, count), object)
    for k, item in enumerate(items):
        row[0, k] = item
    made.data = row
    return made


def cell_column(items: Iterable[Any]) -> CellArray:
    """Return an n-by-1 cell array."""
    items = list(items)
    return CellArray(object_array(items, (len(items), 1)))


def empty_cell(shape: Sequence[int] = (0, 0)) -> CellArray:
    """Return a cell array whose elements are all ``[]``."""
    count = math.prod(shape)
    return CellArray(object_array([empty_double() for _ in range(count)], tuple(shape)))


def join(parts: list[Any], axis: int) -> Objects:
    """Object arrays joined along `axis`; parts without elements add nothing.

    Raises:
        MatlabError: MATLAB:catenate:dimensionMismatch where the sizes do not fit.
    """
    kept = [p for p in parts if p.size] or parts[:1]
    if not kept:
        return np.empty((0, 0), object)
    rank = max([axis + 1, *(p.ndim for p in kept)])
    kept = [p.reshape(p.shape + (1,) * (rank - p.ndim), order="F") for p in kept]
    if len({p.shape[:axis] + p.shape[axis + 1 :] for p in kept}) > 1:
        raise errors.catenate_mismatch()
    joined = np.concatenate(kept, axis) if len(kept) > 1 else kept[0].copy(order="F")
    return np.asfortranarray(joined)


def concat_cells(values: list[Any], axis: int) -> CellArray:
    """Return the concatenation along `axis` of values with a cell array among them.

    What is no cell becomes a cell that holds it; ``[]`` adds nothing.
    """
    parts = []
    for value in values:
        if isinstance(value, CellArray):
            parts.append(value.data)
        elif not (isinstance(value, Array) and value.data.shape == (0, 0)):
            parts.append(object_array([share(value)], (1, 1)))
    return CellArray(join(parts, axis))
