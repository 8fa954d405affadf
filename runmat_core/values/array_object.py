"""Arrays of elements with a meaning of their own: points in time, spans, categories.

An `ArrayObject` keeps a NumPy array of codes and, beside it, what they mean. Both lie in the one
`data` slot as a pair, so nothing takes the codes for numbers, and neither is ever written to: a
write makes a new array of codes. Subscripts, concatenation, transposition and rearranging come from
here; a class adds how other values become elements, operators and display.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values import subscript
from runmat_core.values.base import Subscripts, Value, class_of
from runmat_core.values.cell import join, object_array
from runmat_core.values.char import no_conversion
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown, array_header, empty_header, paged, wrap_columns
from runmat_core.values.object import ObjectValue, method

Codes = NDArray[Any]

#: The classes of objects that builtins may be overloaded for.
OBJECTS: set[type] = set()


class Buffer(Value):
    """A holder of codes while they are written to."""

    __slots__ = ()

    def __init__(self, data: Codes) -> None:
        self.data = data


class ArrayObject(ObjectValue):
    """An array of codes with a meaning.

    Attributes:
        data: the codes, column-major with two axes or more, and what they mean.
        blank_code: the code of elements that growth makes.
        missing_code: that of missing elements, where it is another one.
        rank: of two classes that meet in brackets, the one with the greater rank wins.
    """

    __slots__ = ()
    data: tuple[Codes, Any]
    blank_code: ClassVar[Any]
    missing_code: ClassVar[Any] = None
    rank: ClassVar[int] = 0
    takes_paths = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        OBJECTS.add(cls)

    @property
    def codes(self) -> Codes:
        return self.data[0]

    @property
    def meaning(self) -> Any:
        return self.data[1]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data[0].shape

    def with_codes(self, codes: Codes) -> Self:
        """Return an array of other codes with the same meaning."""
        twin = object.__new__(type(self))
        twin.data = (np.asfortranarray(codes), self.data[1])
        return twin

    def take(self, where: Codes) -> Self:
        """Return the elements at zero-based linear positions, in the shape of these."""
        flat = self.codes.ravel(order="F")
        return self.with_codes(flat[where.ravel(order="F")].reshape(where.shape, order="F"))

    def adopt(self, value: Any) -> Self:
        """`value` as an array with the meaning of this one, for assignment and brackets.

        Raises:
            MatlabError: there is no conversion.
        """
        raise no_conversion(self.class_name, class_of(value))

    def blank(self) -> Self:
        """Return an empty array with the meaning of this one, which assignment grows."""
        return self.with_codes(np.empty((0, 0), self.codes.dtype))

    def joined_with(self, values: Sequence[Any]) -> Self:
        """Return an empty array with the meaning that `values` have together in brackets."""
        return self

    def missing(self) -> Self:
        """One missing element."""
        code = self.blank_code if self.missing_code is None else self.missing_code
        return self.with_codes(np.array([[code]], self.codes.dtype))

    def is_missing(self) -> NDArray[np.bool_]:
        """Which elements hold nothing."""
        raise NotImplementedError

    def ranks(self) -> NDArray[np.float64]:
        """Numbers in the order of the elements, equal where these are; NaN where one is missing."""
        _, places = np.unique(self.codes, return_inverse=True)
        found = places.reshape(self.shape, order="A").astype(np.float64)
        found[self.is_missing()] = np.nan
        return np.asfortranarray(found)

    def element_texts(self) -> NDArray[np.object_]:
        """Each element as text; a missing one as MISSING."""
        raise NotImplementedError

    @method("empty")
    def empty(self, nargout: int, *extents: Any) -> Self:
        """``datetime.empty(0, 3)``: an array without elements."""
        from runmat_core.values.empty_objects import extents_of

        return self.with_codes(np.empty(extents_of(extents), self.codes.dtype))

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> Any:
        return self.with_codes(subscript.read(self.codes, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        adopted = self.adopt(rhs)
        holder = Buffer(self.codes)
        subscript.write(holder, subs, adopted.codes, self.blank_code)
        return adopted.with_codes(holder.data)

    def del_paren(self, subs: Subscripts) -> Any:
        holder = Buffer(self.codes)
        subscript.remove(holder, subs)
        return self.with_codes(holder.data)

    # -- operators -----------------------------------------------------------------------------

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if name in ("transpose", "ctranspose"):
            if len(self.shape) > 2:
                raise errors.MatlabError(
                    "MATLAB:transposeNDArray", "TRANSPOSE does not support N-D arrays."
                )
            return self.with_codes(self.codes.T)
        return NotImplemented

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], Any]:
        """Return the rule of brackets with such an array in them."""
        return concatenate

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether ``isequal`` takes `other` for the same array."""
        try:
            adopted = self.adopt(other)
        except errors.MatlabError:
            return False
        if adopted.shape != self.shape:
            return False
        mine, theirs = self.same_codes(adopted)
        same = mine == theirs
        missing = self.is_missing()
        same = same | (missing & adopted.is_missing()) if nan_equal else same & ~missing
        return bool(np.all(same))

    def same_codes(self, other: Self) -> tuple[Codes, Codes]:
        """Return the codes of both with one meaning."""
        return self.codes, other.codes

    def key_form(self) -> Hashable:
        from runmat_core.values.keys import codes_form

        missing = self.is_missing().ravel(order="F")
        held = self.same_codes(self)[0].ravel(order="F")[~missing]
        return self.class_name, self.shape, missing.tobytes(), codes_form(held)

    # -- display -------------------------------------------------------------------------------

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        """Return the parts of the display."""
        if 0 in self.shape:
            header = empty_header(self.shape, self.class_name, "array")
            return Shown("", header, is_object=True)
        header = array_header(self.shape, self.class_name, "array")
        return Shown(self.lines(name, fmt), header, is_object=True, is_paged=len(self.shape) > 2)

    def inline(self, fmt: DisplayFormat) -> str:
        """Return the one element, as it stands in cells and fields."""
        return self.lines("", fmt).strip()

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        """Return the elements, a row on each line, with headings for pages."""
        raise NotImplementedError


def text_rows(
    name: str, texts: list[str], shape: tuple[int, ...], fmt: DisplayFormat, right: bool = False
) -> str:
    """Texts in column-major order as the rows of a matrix, all as wide as the widest."""
    width = max(map(len, texts))
    padded = [f"   {t.rjust(width) if right else t.ljust(width)}" for t in texts]
    table = object_array(padded, shape)

    def write(page: np.ndarray) -> str:
        return wrap_columns(page.tolist(), [width + 3] * page.shape[1], fmt)

    return paged(name, table, write, fmt) if len(shape) > 2 else write(table)


def concatenate(values: list[Any], axis: int) -> Any:
    """Return the elements of all values along an axis, in the class of the highest rank."""
    strongest = max((v for v in values if isinstance(v, ArrayObject)), key=lambda v: v.rank)
    model = strongest.joined_with(values)
    parts = [
        model.adopt(value).codes
        for value in values
        if isinstance(value, ArrayObject) or 0 not in getattr(value, "shape", (1, 1))
    ]
    return model.with_codes(join(parts, axis))
