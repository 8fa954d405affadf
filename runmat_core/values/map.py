"""containers.Map: a handle to a table from texts or numbers to values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array, from_numpy, to_numpy
from runmat_core.values.base import Subscripts, Value, class_of, share
from runmat_core.values.cell import CellArray, cell_row, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.deferred import settled, stored
from runmat_core.values.object import HandleObject, method
from runmat_core.values.string import StringArray
from runmat_core.values.text import is_text, text

Key = str | float

NUMERIC_KEYS = ("double", "single", "int32", "uint32", "int64", "uint64")
KEY_TYPES = ("char", *NUMERIC_KEYS)
VALUE_TYPES = ("any", "char", *DTYPE)


class MapObject(HandleObject):
    """A containers.Map.

    Attributes:
        data: the values by key; a key is a ``str`` or a ``float``.
        key_type: one of `KEY_TYPES`.
        value_type: one of `VALUE_TYPES`.
    """

    __slots__ = ("_sorted", "key_type", "value_type")
    data: dict[Key, Any]
    class_name = "containers.Map"
    properties = ("Count", "KeyType", "ValueType")

    def __init__(self, key_type: str = "char", value_type: str = "any") -> None:
        self.data = {}
        self.key_type = key_type
        self.value_type = value_type
        self._sorted: list[Key] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.data), 1)

    def __len__(self) -> int:
        return len(self.data)

    def sorted_keys(self) -> list[Key]:
        """Return the keys in their order: texts by code unit, numbers by value."""
        if self._sorted is None:
            self._sorted = sorted(self.data)
        return self._sorted

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Keys and values as MATLAB values, in the order of the keys."""
        for key in self.sorted_keys():
            yield self.key_value(key), self.data[key]

    def key_value(self, key: Key) -> Any:
        """Return a key as a MATLAB value of class KeyType."""
        if isinstance(key, str):
            return CharArray(key)
        if self.key_type == "double":
            return key
        return from_numpy(np.array([[key]]), self.key_type)

    def find_key(self, value: Any) -> Key:
        """Return the key that a subscript stands for.

        Raises:
            MatlabError: its class does not suit the container.
        """
        key = self._key(value)
        if key is None:
            raise MatlabError(
                "MATLAB:Containers:TypeMismatch",
                "Specified key type does not match the type expected for this container.",
            )
        return key

    def _key(self, value: Any) -> Key | None:
        value = settled(value)
        if self.key_type == "char":
            return text(value) if is_text(value) else None
        if isinstance(value, float | bool):
            return float(value)
        if value.__class__ is Array and value.data.size == 1:
            key = value.data.item()
            return None if isinstance(key, complex) else float(key)
        return None

    def get(self, value: Any) -> Any:
        """Return the value stored under a key."""
        key = self.find_key(value)
        try:
            return share(self.data[key])
        except KeyError:
            raise no_key(key) from None

    def put(self, key_value: Any, value: Any) -> None:
        """Store a value under a key, converted to ValueType."""
        key = self.find_key(key_value)
        stored = self._stored(value)
        if key not in self.data:
            self._sorted = None
        self.data[key] = stored

    def _stored(self, value: Any) -> Any:
        value = stored(value)
        if self.value_type == "any":
            return value
        given = class_of(value)
        if self.value_type == "char":
            if is_text(value):
                return CharArray(text(value))
        elif given in DTYPE and (not isinstance(value, Value) or value.data.size == 1):
            return value if given == self.value_type else self._cast(value)
        raise MatlabError(
            "MATLAB:Containers:Map:ValueTypeMismatch",
            "Specified value type does not match the type expected for this container.",
        )

    def _cast(self, value: Any) -> Any:
        return from_numpy(np.asarray(to_numpy(value)), self.value_type)

    # -- properties and subscripts -------------------------------------------------------------

    def get_property(self, name: str) -> Any:
        if name == "Count":
            return float(len(self.data))
        return CharArray(self.key_type if name == "KeyType" else self.value_type)

    def paren(self, subs: Subscripts) -> Any:
        if len(subs) != 1:
            raise MatlabError(
                "MATLAB:Containers:Map:OneKeyOnly",
                "Only one key is allowed in an index into a containers.Map.",
            )
        return self.get(subs[0])

    def set_paren(self, subs: Subscripts, rhs: Any) -> MapObject:
        if len(subs) != 1:
            raise MatlabError(
                "MATLAB:Containers:Map:OneKeyOnly",
                "Only one key is allowed in an index into a containers.Map.",
            )
        self.put(subs[0], rhs)
        return self

    def del_paren(self, subs: Subscripts) -> MapObject:
        raise MatlabError(
            "MATLAB:Containers:Map:NoDeletion",
            "Use remove to delete a key from a containers.Map.",
        )

    # -- methods -------------------------------------------------------------------------------

    @method("keys")
    def keys(self, nargout: int = 1) -> CellArray:
        """Return a row cell of all keys."""
        return cell_row(map(self.key_value, self.sorted_keys()))

    @method("values")
    def values(self, nargout: int = 1, keys: Any = None) -> CellArray:
        """Return a row cell of all values, or of those under the keys in a cell array."""
        if keys is None:
            return cell_row(share(self.data[key]) for key in self.sorted_keys())
        if not isinstance(keys, CellArray):
            raise MatlabError(
                "MATLAB:Containers:Map:KeysMustBeCell",
                "Specify the keys as a cell array.",
            )
        found = []
        for value in keys.items():
            key = self.find_key(value)
            if key not in self.data:
                raise no_key(key)
            found.append(share(self.data[key]))
        return CellArray(object_array(found, keys.shape))

    @method("isKey")
    def is_key(self, nargout: int, keys: Any) -> Any:
        """Whether a key is there; for a cell array, of each."""
        if not isinstance(keys, CellArray):
            return self._key(keys) in self.data
        flags = [self._key(value) in self.data for value in keys.items()]
        return from_numpy(np.array(flags, bool).reshape(keys.shape, order="F"))

    @method("remove")
    def remove(self, nargout: int, keys: Any) -> MapObject:
        """Remove a key, or those in a cell array; all must be there."""
        wanted = keys.items() if isinstance(keys, CellArray) else [keys]
        found = [self.find_key(value) for value in wanted]
        for key in found:
            if key not in self.data:
                raise no_key(key)
        for key in found:
            self.data.pop(key, None)
        self._sorted = None
        return self

    @method("length", "numel")
    def count(self, nargout: int = 1) -> float:
        """Return the number of keys."""
        return float(len(self.data))

    @method("isempty")
    def is_empty(self, nargout: int = 1) -> bool:
        """Whether there are no keys."""
        return not self.data

    @staticmethod
    def concatenation() -> Callable[[list[Any], int], MapObject]:
        """Return the rule of ``[m1; m2]``."""
        return merged

    def __repr__(self) -> str:
        return f"MapObject({self.data!r})"


def no_key(key: Key) -> MatlabError:
    text = f"'{key}'" if isinstance(key, str) else f"{key:g}"
    return MatlabError(
        "MATLAB:Containers:Map:NoKey",
        "The specified key is not present in this container.",
        hint=f"The key is {text}; isKey(m, key) tests for one.",
    )


def make_map(args: Sequence[Any]) -> MapObject:
    """``containers.Map(args...)``.

    Forms: none; ``'KeyType', kt, 'ValueType', vt``; keys and values, with ``'UniformValues', tf``.
    """
    options = _trailing_options(args)
    plain = args[: len(args) - 2 * len(options)]
    if not plain:
        return MapObject(
            _type_name(options.get("keytype"), KEY_TYPES, "char"),
            _type_name(options.get("valuetype"), VALUE_TYPES, "any"),
        )
    if len(plain) != 2:
        raise MatlabError(
            "MATLAB:Containers:Map:InvalidArguments",
            "Specify the keys and the values of a containers.Map.",
        )
    keys = _key_list(plain[0])
    values, value_type = _value_list(plain[1], len(keys), plain[0], options.get("uniformvalues"))
    if len(keys) != len(values):
        raise MatlabError(
            "MATLAB:Containers:Map:CountMismatch",
            "The number of keys and values must be the same.",
        )
    made = MapObject(_type_of_keys(keys), value_type)
    for key, value in zip(keys, values, strict=True):
        made.put(key, share(value))
    return made


def merged(maps: Sequence[Any], axis: int) -> MapObject:
    """``[m1; m2]``: a new map with the keys of all, later values winning."""
    if axis != 0 or not all(isinstance(one, MapObject) for one in maps):
        raise MatlabError(
            "MATLAB:Containers:Map:HorzCatNotSupported",
            "Only vertical concatenation of containers.Map objects is supported.",
        )
    first: MapObject = maps[0]
    made = MapObject(first.key_type, first.value_type)
    for one in maps:
        if (one.key_type == "char") != (first.key_type == "char"):
            raise MatlabError(
                "MATLAB:Containers:TypeMismatch",
                "Specified key type does not match the type expected for this container.",
            )
        if one.value_type != first.value_type:
            made.value_type = "any"
        made.data.update({key: share(value) for key, value in one.data.items()})
    return made


def _trailing_options(args: Sequence[Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    at = len(args)
    while at >= 2 and is_text(args[at - 2]):
        name = text(args[at - 2])
        if name.lower() not in ("keytype", "valuetype", "uniformvalues"):
            break
        options[name.lower()] = args[at - 1]
        at -= 2
    return options


def _type_name(value: Any, allowed: Iterable[str], default: str) -> str:
    if value is None:
        return default
    name = text(value)
    if name not in allowed:
        raise MatlabError(
            "MATLAB:Containers:Map:UnsupportedType",
            f"Unsupported type '{name}' specified for a containers.Map.",
        )
    return name


def _key_list(keys: Any) -> list[Any]:
    if isinstance(keys, CellArray):
        return keys.items()
    if isinstance(keys, CharArray):
        return [keys]
    if isinstance(keys, StringArray):
        return [CharArray(text) for text in keys.texts()]
    return _elements(keys)


def _elements(values: Any) -> list[Any]:
    """Return the elements of a numeric array as scalars of its class."""
    numbers = to_numpy(values).ravel(order="F")
    return [from_numpy(numbers[k : k + 1].reshape(1, 1)) for k in range(numbers.size)]


def _type_of_keys(keys: list[Any]) -> str:
    classes = {class_of(key) for key in keys}
    if classes <= {"char", "string"}:
        return "char"
    if len(classes) == 1 and classes <= set(NUMERIC_KEYS):
        return classes.pop()
    if classes <= set(DTYPE):
        return "double"
    raise MatlabError(
        "MATLAB:Containers:Map:KeyTypes",
        "Specified keys must all be character vectors or all be real numeric scalars.",
    )


def _value_list(values: Any, count: int, keys: Any, uniform: Any) -> tuple[list[Any], str]:
    """Return the values one by one, and the ValueType they get."""
    if isinstance(values, CellArray) and (count != 1 or isinstance(keys, CellArray)):
        items = values.items()
        return items, _uniform_type(items) if uniform is not None and bool(uniform) else "any"
    if count == 1:
        return [values], "any"
    if isinstance(values, StringArray):
        return [StringArray(text) for text in values.texts()], "any"
    given = class_of(values)
    return _elements(values), given if given in VALUE_TYPES and uniform is not False else "any"


def _uniform_type(items: list[Any]) -> str:
    classes = {class_of(item) for item in items}
    if classes == {"char"}:
        return "char"
    if len(classes) == 1 and classes <= set(DTYPE):
        return classes.pop()
    raise MatlabError(
        "MATLAB:Containers:Map:NotUniform",
        "Values must all be character vectors, or scalars of one numeric class, for "
        "'UniformValues' to be true.",
    )
