"""Sorting, extremes and sets of objects that have an order: the builtin works on their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import from_numpy, is_text, numel_of, text, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.char import CharArray

#: What options that speak of a class are called for numbers.
_OPTIONS = {
    "omitnat": "omitnan",
    "includenat": "includenan",
    "omitundefined": "omitnan",
    "includeundefined": "includenan",
    "omitmissing": "omitnan",
    "includemissing": "includenan",
}


class Ranks:
    """Several arrays as numbers in the order of their elements.

    Attributes:
        model: what they have in common.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        first = next(v for v in values if isinstance(v, ArrayObject))
        self.model = first.joined_with(values)
        arrays = [self.model.adopt(value) for value in values]
        codes = np.concatenate([a.codes.ravel(order="F") for a in arrays])
        joined = self.model.with_codes(codes.reshape(-1, 1))
        ranks = joined.ranks().ravel()
        known = ~np.isnan(ranks)
        none = joined.missing().codes
        self._codes = np.repeat(none.ravel(), int(ranks[known].max(initial=-1)) + 2)
        self._codes[ranks[known].astype(np.intp)] = codes[known]
        missing = codes[~known]
        if missing.size:
            self._codes[-1] = missing[0]
        ends = np.cumsum([a.codes.size for a in arrays])[:-1]
        self.arrays = [
            from_numpy(np.asfortranarray(part.reshape(a.shape, order="F")))
            for part, a in zip(np.split(ranks, ends), arrays, strict=True)
        ]

    def elements(self, ranks: Any) -> ArrayObject:
        """Return the array with these ranks."""
        numbers = to_numpy(ranks)
        where = np.where(np.isnan(numbers), len(self._codes) - 1, numbers).astype(np.intp)
        return self.model.with_codes(self._codes[where])


def for_numbers(args: Sequence[Any]) -> list[Any]:
    """Arguments with options that speak of a class as those that speak of numbers."""
    return [
        CharArray(_OPTIONS.get(text(arg).lower(), text(arg))) if is_text(arg) else arg
        for arg in args
    ]


def _decoded(result: Any, ranks: Ranks, nargout: int) -> Any:
    """Return the outputs of a builtin with the first one as elements again."""
    if nargout <= 1:
        return ranks.elements(result)
    return (ranks.elements(result[0]), *result[1:])


def check_order(value: Any, name: str) -> None:
    """Refuse elements that have no order, as categories have none unless they are ordinal."""
    if not getattr(value, "has_order", True):
        raise MatlabError(
            f"MATLAB:categorical:{name}:NotOrdinal",
            f"Relational operations such as {name} are not allowed for categorical arrays that "
            "are not ordinal.",
        )


@overload("sort", "sortrows", "topkrows", "unique", "mode", "maxk", "mink", "cummax", "cummin")
def of_one(call: Call, value: Any, *args: Any) -> Any:
    """Functions of one array whose first output holds its elements."""
    if not isinstance(value, ArrayObject):
        return NotImplemented
    if call.name in ("maxk", "mink", "cummax", "cummin"):
        check_order(value, call.name)
    ranks = Ranks([value])
    nargout = max(call.nargout, 1)
    return _decoded(call.original(nargout, ranks.arrays[0], *for_numbers(args)), ranks, nargout)


@overload("bounds")
def ends(call: Call, value: Any, *args: Any) -> Any:
    """Return the least and the greatest elements."""
    check_order(value, call.name)
    ranks = Ranks([value])
    nargout = max(call.nargout, 1)
    found = call.original(nargout, ranks.arrays[0], *for_numbers(args))
    return tuple(map(ranks.elements, found)) if nargout > 1 else ranks.elements(found)


@overload("issorted", "issortedrows")
def is_sorted(call: Call, value: Any, *args: Any) -> Any:
    if not isinstance(value, ArrayObject):
        return NotImplemented
    return call.original(1, Ranks([value]).arrays[0], *for_numbers(args))


@overload("min", "max", anywhere=True)
def extreme(call: Call, value: Any, other: Any = None, *args: Any) -> Any:
    """Return the least or greatest elements, of one array or of two element by element."""
    nargout = max(call.nargout, 1)
    check_order(value, call.name)
    blank = not isinstance(other, ArrayObject) and isinstance(value, ArrayObject)
    if other is None or (blank and not numel_of(other)):
        rest = () if other is None else (other,)
        ranks = Ranks([value])
        result = call.original(nargout, ranks.arrays[0], *rest, *for_numbers(args))
    else:
        ranks = Ranks([value, other])
        result = call.original(nargout, *ranks.arrays, *for_numbers(args))
    return _decoded(result, ranks, nargout)


@overload("union", "intersect", "setdiff", "setxor", anywhere=True)
def of_sets(call: Call, a: Any, b: Any, *args: Any) -> Any:
    ranks = Ranks([a, b])
    nargout = max(call.nargout, 1)
    return _decoded(call.original(nargout, *ranks.arrays, *for_numbers(args)), ranks, nargout)


@overload("ismember", anywhere=True)
def is_member(call: Call, a: Any, b: Any, *args: Any) -> Any:
    return call.original(call.nargout, *Ranks([a, b]).arrays, *args)


@overload("ismissing")
def is_missing(call: Call, value: Any, *args: Any) -> Any:
    return from_numpy(value.is_missing()) if not args else NotImplemented
