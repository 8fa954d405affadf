"""dictionary: a table from keys to values with value semantics.

Keys have one class and values have one class; both are set by the first entry. Entries keep the
order of their insertion. Char arrays count as strings on both sides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array, from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import Subscripts, Value, class_of, is_sole_owner, share
from runmat_core.values.cell import CellArray, cell_column, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.concat import vertcat
from runmat_core.values.deferred import settled
from runmat_core.values.equality import isequal
from runmat_core.values.indexing import index, numel_of, size_of
from runmat_core.values.keys import key_form
from runmat_core.values.object import ObjectValue, method
from runmat_core.values.string import StringArray, string_array, texts_of
from runmat_core.values.struct import struct_array
from runmat_core.values.text import is_text, text

#: The slot of a key that is NaN.
_NOT_A_NUMBER = "NaN", None

#: Key and value of each entry as scalar MATLAB values, by a hash of the key.
Entries = dict[Hashable, tuple[Any, Any]]


class Dictionary(ObjectValue):
    """A dictionary.

    Attributes:
        data: the entries.
        key_type: the class of the keys; None until the first entry.
        value_type: the class of the values; None until the first entry.
    """

    __slots__ = ("key_type", "value_type")
    data: Entries
    class_name = "dictionary"

    def __init__(self) -> None:
        self.data = {}
        self.key_type: str | None = None
        self.value_type: str | None = None

    def share(self) -> Dictionary:
        twin = object.__new__(Dictionary)
        twin.data, twin.key_type, twin.value_type = self.data, self.key_type, self.value_type
        return twin

    def __len__(self) -> int:
        return len(self.data)

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Keys and values in the order of insertion."""
        return iter(self.data.values())

    # -- entries -------------------------------------------------------------------------------

    def put(self, keys: Any, values: Any) -> None:
        """Insert or replace entries; one value may serve several keys.

        Raises:
            MatlabError: the counts differ, or a class does not convert.
        """
        key_items, value_items = elements(keys), elements(values)
        if len(value_items) == 1:
            value_items = value_items * len(key_items)
        if len(key_items) != len(value_items):
            raise MatlabError(
                "MATLAB:dictionary:KeyValueDimsMustMatch",
                "Key and value dimensions must match, or the value must be scalar.",
            )
        if self.key_type is None and key_items:
            self.key_type, self.value_type = entry_class(keys), entry_class(values)
        pairs = [
            (self._as_key(key), converted(value, self.value_type, "value"))
            for key, value in zip(key_items, value_items, strict=True)
        ]
        if not is_sole_owner(self):
            self.data = dict(self.data)
        for key, value in pairs:
            slot = hashed(key)
            first = self.data[slot][0] if slot in self.data else key
            self.data[slot] = (first, share(value))

    def _as_key(self, key: Any) -> Any:
        return converted(key, self.key_type, "key")

    def find(self, key: Any) -> tuple[Any, Any] | None:
        """Return the entry of a scalar key, None where there is none."""
        return self.data.get(hashed(self._as_key(key)))

    def get(self, keys: Any) -> Any:
        """Return the values of the keys, in the shape of the keys."""
        self._check_configured()
        found = []
        for key in elements(keys):
            entry = self.find(key)
            if entry is None:
                raise self._not_found(keys)
            found.append(entry[1])
        return assembled(found, entry_shape(keys), self.value_type)

    def _check_configured(self) -> None:
        if self.key_type is None:
            raise MatlabError(
                "MATLAB:dictionary:UnconfiguredLookupNotSupported",
                "Unable to perform a dictionary lookup when the key and value types are not set.",
            )

    def _not_found(self, keys: Any) -> MatlabError:
        if len(elements(keys)) == 1:
            return MatlabError("MATLAB:dictionary:ScalarKeyNotFound", "Key not found.")
        return MatlabError("MATLAB:dictionary:KeyNotFound", "At least one key not found.")

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether `isequal` takes `other` for the same: the same entries, in whatever order."""
        if not isinstance(other, Dictionary) or self.data.keys() != other.data.keys():
            return False
        if (self.key_type, self.value_type) != (other.key_type, other.value_type):
            return False
        return all(
            isequal(value, other.data[slot][1], nan_equal) for slot, (_, value) in self.data.items()
        )

    def key_form(self) -> Hashable:
        entries = frozenset((slot, key_form(value)) for slot, (_, value) in self.data.items())
        return self.class_name, self.key_type, self.value_type, entries

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> Any:
        return self.get(_only(subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Dictionary:
        self.put(_only(subs), rhs)
        return self

    def del_paren(self, subs: Subscripts) -> Dictionary:
        return self.remove(1, _only(subs))

    def brace(self, subs: Subscripts) -> Any:
        """``d{key}``: the contents of a cell value."""
        if self.value_type not in ("cell", None):
            raise MatlabError(
                "MATLAB:dictionary:CurlyBracesNotSupported",
                "Curly brace indexing is only supported for dictionaries with values of type cell.",
            )
        return self.get(_only(subs)).brace((1.0,))

    def set_brace(self, subs: Subscripts, rhs: Any) -> Dictionary:
        return self.set_paren(subs, CellArray(object_array([rhs], (1, 1))))

    # -- methods -------------------------------------------------------------------------------

    @method("keys")
    def keys(self, nargout: int = 1, kind: Any = None) -> Any:
        """Return a column of all keys; ``keys(d, "cell")`` gives a cell column."""
        return _column([key for key, _ in self.pairs()], self.key_type, kind)

    @method("values")
    def values(self, nargout: int = 1, kind: Any = None) -> Any:
        """Return a column of all values.

        Of those of given keys; or with ``"cell"`` a cell column.
        """
        if kind is not None and not (is_text(kind) and text(kind) == "cell"):
            return self.get(kind)
        return _column([value for _, value in self.pairs()], self.value_type, kind)

    @method("entries")
    def entries(self, nargout: int = 1, kind: Any = None) -> Any:
        """Return a table of keys and values.

        ``"struct"`` gives a struct column, ``"cell"`` cells.
        """
        wanted = text(kind) if kind is not None else "table"
        pairs = [(_bare(key), _bare(value)) for key, value in self.pairs()]
        if wanted == "cell":
            return CellArray(
                object_array(
                    [x for column in zip(*pairs, strict=True) for x in column], (len(pairs), 2)
                )
            )
        if wanted == "struct":
            records = [{"Key": key, "Value": value} for key, value in pairs]
            return struct_array(records, (len(pairs), 1), ("Key", "Value"))
        if wanted != "table":
            raise MatlabError(
                "MATLAB:dictionary:EntriesFormat",
                'The format must be "table", "struct" or "cell".',
            )
        from runmat_core.values.tables.table import Table

        columns = {"Key": self.keys(), "Value": self.values()}
        return Table.of(columns, height=len(self.data))

    @method("isKey")
    def is_key(self, nargout: int, keys: Any) -> Any:
        """Whether each key is there."""
        flags = []
        for key in elements(keys):
            try:
                flags.append(self.key_type is not None and self.find(key) is not None)
            except MatlabError:
                flags.append(False)
        return from_numpy(np.array(flags, bool).reshape(entry_shape(keys), order="F"))

    @method("lookup")
    def lookup(self, nargout: int, keys: Any, *options: Any) -> Any:
        """Return the values of keys; ``FallbackValue`` where one is missing."""
        if not options:
            return self.get(keys)
        self._check_configured()
        fallback = converted(options[-1], self.value_type, "value")
        if numel_of(fallback) != 1:
            raise MatlabError(
                "MATLAB:dictionary:ScalarFallback", "The fallback value must be a scalar."
            )
        found = [entry[1] if (entry := self.find(k)) else fallback for k in elements(keys)]
        return assembled(found, entry_shape(keys), self.value_type)

    @method("insert")
    def insert(self, nargout: int, keys: Any, values: Any, *options: Any) -> Dictionary:
        """Return a dictionary with more entries; ``Overwrite=false`` keeps existing ones."""
        result = self.share()
        if options and not bool(to_numpy(options[-1]).any()):
            for key, value in zip(elements(keys), elements(values), strict=True):
                if result.key_type is None or result.find(key) is None:
                    result.put(key, value)
        else:
            result.put(keys, values)
        return result

    @method("remove")
    def remove(self, nargout: int, keys: Any) -> Dictionary:
        """Return a dictionary without the entries of the keys, which must be there."""
        self._check_configured()
        slots = [hashed(self._as_key(key)) for key in elements(keys)]
        if any(slot not in self.data for slot in slots):
            raise self._not_found(keys)
        result = self.share()
        result.data = {slot: entry for slot, entry in self.data.items() if slot not in slots}
        return result

    @method("numEntries")
    def count(self, nargout: int = 1) -> float:
        """Return the number of entries."""
        return float(len(self.data))

    @method("isConfigured")
    def is_configured(self, nargout: int = 1) -> bool:
        """Whether the classes of keys and values are set."""
        return self.key_type is not None

    @method("types")
    def types(self, nargout: int = 1) -> Any:
        """Return the classes of keys and of values."""
        names = (StringArray(self.key_type or ""), StringArray(self.value_type or ""))
        return names if nargout > 1 else names[0]


def make_dictionary(args: Sequence[Any]) -> Dictionary:
    """``dictionary(keys, values)`` or ``dictionary(k1, v1, k2, v2, ...)``."""
    if len(args) % 2:
        raise MatlabError(
            "MATLAB:dictionary:MustHaveValueForEveryKey", "Specify a value for every key."
        )
    made = Dictionary()
    if len(args) == 2 and not len(elements(args[0])):
        made.key_type, made.value_type = entry_class(args[0]), entry_class(args[1])
    for keys, values in zip(args[::2], args[1::2], strict=True):
        made.put(keys, values)
    return made


def _only(subs: Subscripts) -> Any:
    if len(subs) != 1:
        raise MatlabError(
            "MATLAB:dictionary:OnlyOneKey", "Only one dimension indexing is supported."
        )
    return subs[0]


def elements(value: Any) -> list[Any]:
    """Return the elements of an array as scalars; a row of chars is one string."""
    if isinstance(value, CharArray):
        return [StringArray(row) for row in texts_of(value).ravel(order="F").tolist()]
    if (
        not isinstance(value, Value)
        or numel_of(value) == 1
        or (isinstance(value, ObjectValue) and not isinstance(value, ArrayObject))
    ):
        return [value]
    return [index(value, (float(k + 1),)) for k in range(numel_of(value))]


def entry_shape(value: Any) -> tuple[int, ...]:
    return texts_of(value).shape if isinstance(value, CharArray) else size_of(value)


def entry_class(value: Any) -> str:
    given = class_of(value)
    return "string" if given == "char" else given


def converted(value: Any, target: str | None, role: str) -> Any:
    """Return a key or value as the class of the dictionary."""
    given = class_of(value)
    if given == target:
        return value
    if given == "char" and target == "string":
        return StringArray(value.text())
    if given in DTYPE and target in DTYPE:
        return from_numpy(np.asarray(to_numpy(value)), target)
    if target == "string" and given in DTYPE:
        return StringArray(texts_of(value))
    if target == "cell":
        return CellArray(object_array([value], (1, 1)))
    raise MatlabError(
        "MATLAB:dictionary:InvalidTypeConversion",
        f"Unable to use '{given}' as {role} for dictionary with '{target}' {role} type.",
    )


def hashed(key: Any) -> Hashable:
    """Return what decides whether two keys of one class are the same.

    It is the `key_form`, or something faster that decides as well.
    """
    key = settled(key)
    if isinstance(key, Array) and key.data.size == 1:
        key = key.data.item()
    if isinstance(key, float | bool | int | complex):
        return key if key == key else _NOT_A_NUMBER
    if isinstance(key, StringArray) and key.data.size == 1:
        return key.data.item()  # type: ignore[no-any-return]
    return key_form(key)


def _bare(element: Any) -> Any:
    """Return a scalar for a struct or cell of entries: the contents of a 1x1 cell."""
    return share(element.data.item() if isinstance(element, CellArray) else element)


def assembled(items: list[Any], shape: tuple[int, ...], class_name: str | None) -> Any:
    """Scalars of one class as an array."""
    if len(items) == 1:
        return share(items[0])
    if class_name == "string":
        return string_array([item.data.item() for item in items], shape)
    if class_name == "cell":
        return CellArray(object_array([item.data.item() for item in items], shape))
    if class_name == "struct":
        return struct_array([item.data for item in items], shape)
    if class_name in DTYPE:
        numbers = [to_numpy(item).item() for item in items]
        return from_numpy(np.array(numbers).reshape(shape, order="F"), class_name)
    if not items:
        return from_numpy(np.zeros(shape))
    return vertcat(*items)


def _column(items: list[Any], class_name: str | None, kind: Any) -> Any:
    if kind is not None and text(kind) == "cell":
        return cell_column(map(_bare, items))
    return assembled(items, (len(items), 1), class_name)
