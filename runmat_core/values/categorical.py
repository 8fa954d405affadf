"""categorical: arrays whose elements are named categories."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.array import from_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import class_of
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import paged, wrap_columns
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.time.duration import RELATIONS

Codes = NDArray[np.int64]
Texts = NDArray[np.object_]

UNDEFINED = "<undefined>"
_TEXT = (CharArray, StringArray, CellArray)


@attrs.frozen
class Meaning:
    """What the codes of a categorical array stand for.

    Attributes:
        names: the categories in their order; code k is the k-th, code 0 none.
        ordinal: whether the order means something.
        protected: whether assignment may not add categories.
    """

    names: tuple[str, ...]
    ordinal: bool = False
    protected: bool = False


class Categorical(ArrayObject):
    """A categorical array: codes from 1, 0 for what is undefined."""

    __slots__ = ()
    class_name = "categorical"
    blank_code = 0
    rank = 4
    data: tuple[Codes, Meaning]

    def __init__(self, codes: Any, meaning: Meaning) -> None:
        self.data = (np.asfortranarray(codes, np.int64), meaning)

    @property
    def names(self) -> tuple[str, ...]:
        return self.data[1].names

    @property
    def has_order(self) -> bool:
        """Whether there is a least element."""
        return self.data[1].ordinal

    def is_missing(self) -> NDArray[np.bool_]:
        return np.equal(self.codes, 0)

    def ranks(self) -> NDArray[np.float64]:
        return np.where(self.codes == 0, np.nan, self.codes.astype(np.float64))

    def renamed(self, names: Iterable[str]) -> Categorical:
        """Return the same codes of other categories."""
        return Categorical(self.codes, attrs.evolve(self.meaning, names=tuple(names)))

    def recoded(self, names: Sequence[str]) -> Categorical:
        """Return the same elements of categories in another order.

        Those left out become undefined.
        """
        place = {name: k for k, name in enumerate(names, 1)}
        codes = np.array([0, *(place.get(name, 0) for name in self.names)], np.int64)
        return Categorical(codes[self.codes], attrs.evolve(self.meaning, names=tuple(names)))

    # -- conversion ----------------------------------------------------------------------------

    def adopt(self, value: Any) -> Categorical:
        """`value` with the categories of this array, and new ones after them.

        Raises:
            MatlabError: it has a new category, and the categories are protected.
        """
        if isinstance(value, Categorical):
            if self.meaning.ordinal and value.names != self.names:
                raise MatlabError(
                    "MATLAB:categorical:OrdinalCategoriesMismatch",
                    "Ordinal categorical arrays must have the same set of categories, including "
                    "their order.",
                )
            present = np.unique(value.codes)
            used = [value.names[k - 1] for k in present.tolist() if k]
            wider = self.with_names(used)
            return wider.with_codes(value.recoded(wider.names).codes)
        if not isinstance(value, _TEXT):
            raise MatlabError(
                "MATLAB:categorical:InvalidRHS",
                f"Unable to convert a value of type {class_of(value)} to a category name: it must "
                "be a categorical array, a character vector, a string array, or a cell array of "
                "character vectors.",
            )
        words = name_texts(value)
        wider = self.with_names([word for word in words.ravel(order="F") if word])
        return wider.with_codes(coded(words, wider.names))

    def with_names(self, names: Iterable[str]) -> Categorical:
        """Return the array with categories added that it lacks."""
        new = [name for name in dict.fromkeys(names) if name not in self.names]
        if not new:
            return self
        if self.meaning.protected:
            raise MatlabError(
                "MATLAB:categorical:ProtectedForAddition",
                f"Cannot add a new category '{new[0]}' to this categorical array because its "
                "categories are protected.",
            )
        return self.renamed((*self.names, *new))

    def joined_with(self, values: Sequence[Any]) -> Categorical:
        model = next(v for v in values if isinstance(v, Categorical))
        names: list[str] = list(model.names)
        protected = False
        for value in values:
            if isinstance(value, Categorical):
                names += value.names
                protected = protected or value.meaning.protected
            elif isinstance(value, _TEXT):
                names += [word for word in name_texts(value).ravel(order="F") if word]
        if model.meaning.ordinal:
            return model
        joined = Meaning(tuple(dict.fromkeys(names)), False, protected)
        return Categorical(model.recoded(joined.names).codes, joined)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        if not isinstance(other, (Categorical, *_TEXT)):
            return False
        mine, theirs = self.element_names(), _names_of(other)
        if mine.shape != theirs.shape:
            return False
        same = mine == theirs
        return bool(np.all(same if nan_equal else same & (mine != "")))

    def key_form(self) -> Hashable:
        return self.class_name, self.shape, tuple(self.element_names().ravel(order="F").tolist())

    def element_names(self) -> Texts:
        """Return the category of each element, empty where it is undefined."""
        names = np.array(["", *self.names], object)
        return np.asfortranarray(names[self.codes])

    def element_texts(self) -> Texts:
        names = np.empty(len(self.names) + 1, object)
        names[:] = [MISSING, *self.names]
        return np.asfortranarray(names[self.codes])

    # -- operators -----------------------------------------------------------------------------

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if len(operands) == 1:
            return super().operator(name, operands)
        if name in ("eq", "ne"):
            return self._equal(name, *operands)
        if name in RELATIONS:
            return self._ordered(name, *operands)
        return NotImplemented

    def _equal(self, name: str, a: Any, b: Any) -> Any:
        for value in (a, b):
            if not isinstance(value, (Categorical, *_TEXT)):
                raise MatlabError(
                    "MATLAB:categorical:InvalidComparisonTypes",
                    f"Comparison is not defined between categorical and {class_of(value)} arrays.",
                )
        x, y = _names_of(a), _names_of(b)
        same = broadcast(
            lambda p, q, **_: (p == q).astype(np.bool_) & (p != "").astype(np.bool_), x, y
        )
        return from_numpy(np.asarray(same, np.bool_) == (name == "eq"))

    def _ordered(self, name: str, a: Any, b: Any) -> Any:
        if not self.meaning.ordinal:
            raise MatlabError(
                "MATLAB:categorical:NotOrdinal",
                "Relational comparison is not allowed for categorical arrays that are not ordinal.",
            )
        sides = []
        for value in (a, b):
            if isinstance(value, _TEXT):
                words = name_texts(value)
                for word in words.ravel(order="F"):
                    if word and word not in self.names:
                        raise MatlabError(
                            "MATLAB:categorical:NotACategory",
                            f"'{word}' is not a category of the ordinal categorical array.",
                        )
                value = self.with_codes(coded(words, self.names))
            sides.append(self.adopt(value).ranks())
        return from_numpy(broadcast(RELATIONS[name], *sides))

    # -- display -------------------------------------------------------------------------------

    def shown_texts(self) -> list[str]:
        """Return the elements in column-major order as they are displayed."""
        return [name or UNDEFINED for name in self.element_names().ravel(order="F").tolist()]

    def inline(self, fmt: DisplayFormat) -> str:
        return self.shown_texts()[0]

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        table = object_array(self.shown_texts(), self.shape)

        def write(page: np.ndarray) -> str:
            widths = [max(map(len, column.tolist())) for column in page.T]
            rows = [
                [f"     {t} ".ljust(w + 6) for t, w in zip(row, widths, strict=True)]
                for row in page.tolist()
            ]
            return wrap_columns(rows, [w + 6 for w in widths], fmt)

        return paged(name, table, write, fmt) if len(self.shape) > 2 else write(table)


def name_texts(value: Any) -> Texts:
    """Texts as names of categories: without blanks around them, empty for what is undefined."""
    words = texts_of(value)
    found = np.empty(words.shape, object, order="F")
    for place, word in np.ndenumerate(words):
        name = "" if word is MISSING else word.strip()
        found[place] = "" if name == UNDEFINED else name
    return found


def _names_of(value: Any) -> Texts:
    return value.element_names() if isinstance(value, Categorical) else name_texts(value)


def coded(words: Texts, names: Sequence[str]) -> Codes:
    """Return the codes of names of categories; 0 for what is none."""
    place = {name: k for k, name in enumerate(names, 1)}
    flat = [place.get(word, 0) for word in words.ravel(order="F")]
    return np.array(flat, np.int64).reshape(words.shape, order="F")
