"""Arrays of objects that packages bring (`runmat_core.api.objects`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.api.objects import HANDLES, NOTHING, PLACEHOLDER, Handle
from runmat_core.values import subscript
from runmat_core.values.array import Array, from_numpy, to_double
from runmat_core.values.array_object import Buffer
from runmat_core.values.base import CommaList, Subscripts, class_of
from runmat_core.values.cell import join, simple_assignment
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, array_header, empty_header
from runmat_core.values.object import HandleObject
from runmat_core.values.object import method as called_as
from runmat_core.values.text import text

Objects = NDArray[Any]


def handle_array(value: Handle | Objects) -> HandleArray:
    """Return the MATLAB value of an object, or of an array of objects that stays unchanged."""
    if isinstance(value, Handle):
        value = np.array([[value]], dtype=object)
    elif value.ndim < 2:
        value = value.reshape(1, -1)
    made = object.__new__(HandleArray)
    made.data = np.asfortranarray(value)
    return made


class HandleArray(HandleObject):
    """An array of objects of packages.

    Attributes:
        data: the objects, column-major with two axes or more; never written to.
    """

    __slots__ = ()
    data: Objects
    takes_paths = True
    has_elements = True

    @property
    def class_name(self) -> str:  # type: ignore[override]
        lines = [item.class_names() for item in self.data.flat if item is not NOTHING]
        if not lines:
            return PLACEHOLDER
        first = lines[0]
        shared = (name for name in first if all(name in line for line in lines))
        return next(shared, "handle")

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def share(self) -> Self:
        return self

    def array(self) -> Objects:
        return self.data

    def with_data(self, data: Any) -> Self:
        twin = object.__new__(type(self))
        twin.data = np.asfortranarray(data)
        return twin

    def items(self) -> list[Handle]:
        """Return the objects in order."""
        return list(self.data.ravel(order="F"))

    def is_a(self, name: str) -> bool:
        if name == "handle" or name == self.class_name:
            return True
        return bool(self.data.size) and all(name in item.class_names() for item in self.data.flat)

    def key_form(self) -> Hashable:
        return self.class_name, tuple(map(id, self.items()))

    def full(self) -> NDArray[Any]:
        """Return the numbers that stand for the objects."""
        numbers = [item.number() for item in self.items()]
        return np.array(numbers, float).reshape(self.shape, order="F")

    # -- properties and methods ----------------------------------------------------------------

    def field_names(self) -> tuple[str, ...]:
        return tuple(self.data.flat[0].property_names()) if self.data.size else ()

    def get_property(self, name: str) -> Any:
        return self.field(name)

    def method(self, name: str) -> Callable[..., Any] | None:
        own = super().method(name)
        if own is not None or not self.data.size:
            return own
        found: Callable[..., Any] | None = self.data.flat[0].method(name)
        return found

    def field(self, name: str) -> Any:
        if self.data.size != 1:
            return CommaList([self._read(item, name) for item in self.items()])
        return self._read(self.data.flat[0], name)

    @staticmethod
    def _read(item: Handle, name: str) -> Any:
        found = item.method(name)
        if found is None:
            return item.get_property(name)
        value = found(1)
        return CommaList() if value is None else value

    def set_field(self, name: str, rhs: Any) -> Any:
        if self.data.size != 1:
            raise simple_assignment(self.data.size)
        self.data.flat[0].set_property(name, rhs)
        return self

    def method_names(self) -> tuple[str, ...]:
        return ("delete", "isvalid")

    @called_as("delete")
    def delete(self, nargout: int) -> None:
        for item in self.items():
            item.delete()

    @called_as("isvalid")
    def isvalid(self, nargout: int = 1) -> Any:
        valid = [item.is_valid() for item in self.items()]
        return from_numpy(np.array(valid, bool).reshape(self.shape, order="F"))

    @called_as("isprop")
    def isprop(self, nargout: int, name: Any) -> Any:
        found = [text(name) in item.property_names() for item in self.items()]
        return from_numpy(np.array(found, bool).reshape(self.shape, order="F"))

    # -- subscripts and brackets ---------------------------------------------------------------

    def paren(self, subs: Subscripts) -> Any:
        return self.with_data(subscript.read(self.data, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        holder = Buffer(self.data.copy(order="F"))
        subscript.write(holder, subs, _objects_of(rhs), NOTHING)
        return self.with_data(holder.data)

    def del_paren(self, subs: Subscripts) -> Any:
        holder = Buffer(self.data.copy(order="F"))
        subscript.remove(holder, subs)
        return self.with_data(holder.data)

    def blank(self) -> HandleArray:
        return handle_array(np.empty((0, 0), HANDLES))

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        return _joined

    # -- operators -----------------------------------------------------------------------------

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if name in ("transpose", "ctranspose"):
            return self.with_data(self.data.T)
        if name not in ("eq", "ne"):
            return NotImplemented
        if all(isinstance(value, HandleArray) for value in operands):
            first, second = (value.data for value in operands)
            try:
                same = np.frompyfunc(lambda a, b: a is b, 2, 1)(first, second).astype(bool)
            except ValueError:
                raise errors.incompatible_sizes() from None
        else:
            try:
                first, second = map(to_double, operands)
            except MatlabError:
                return NotImplemented
            same = first == second
        return from_numpy(same if name == "eq" else ~same)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether ``isequal`` takes `other` for the same objects."""
        if not isinstance(other, HandleArray) or other.shape != self.shape:
            return False
        return all(a is b for a, b in zip(self.items(), other.items(), strict=True))

    # -- display -------------------------------------------------------------------------------

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        """Return the parts of the display."""
        from runmat_core.values.display_containers import property_lines, property_text

        short = self.class_name.rpartition(".")[2]
        if self.data.size != 1:
            rule = empty_header if 0 in self.shape else array_header
            return Shown("", rule(self.shape, short, "array"), is_object=True, disp_header=True)
        item = self.data.flat[0]
        if not item.is_valid():
            what = "GraphicsPlaceholder" if item is NOTHING else f"handle to deleted {short}"
            return Shown("", f"  {what}", is_object=True, disp_header=True)
        read = partial(self._read, item)
        lines = [(label, property_text(read(label), fmt)) for label in item.shown_properties()]
        header = f"  {item.summary()} with properties:"
        return Shown(property_lines(lines), header, is_object=True, disp_header=True)


def _objects_of(value: Any) -> Objects:
    """Return the objects that a value assigned to elements has."""
    if isinstance(value, HandleArray):
        return value.data
    raise MatlabError(
        "MATLAB:UnableToConvert",
        f"Unable to perform assignment because value of type '{class_of(value)}' is not "
        f"convertible to '{PLACEHOLDER}'.",
    )


def _joined(values: list[Any], axis: int) -> Any:
    """``[h1 h2]``; with numbers among them, numbers."""
    kept = [value for value in values if getattr(value, "shape", (1, 1)) != (0, 0)]
    if not kept:
        return values[0]
    if all(isinstance(value, HandleArray) for value in kept):
        return handle_array(join([value.data for value in kept], axis))
    if not all(isinstance(value, HandleArray | Array | float) for value in kept):
        culprit = next(v for v in kept if not isinstance(v, HandleArray | Array | float))
        _objects_of(culprit)
    return from_numpy(np.asfortranarray(np.concatenate([to_double(v) for v in kept], axis=axis)))
