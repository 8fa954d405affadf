"""containers.Map and dictionary as the properties that MAT files keep of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runmat_core.builtins.files.mat_values import CorruptError
from runmat_core.values import CellArray, CharArray, StructArray, from_numpy, text, truth
from runmat_core.values.dictionary import Dictionary, make_dictionary
from runmat_core.values.map import KEY_TYPES, VALUE_TYPES, MapObject


def _record(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, StructArray) or value.shape != (1, 1):
        raise CorruptError("a map has no entries")
    record: Mapping[str, Any] = value.records()[0]
    return record


def from_map(value: MapObject) -> dict[str, Any]:
    """Return the one property of a map: a struct of its keys, its values and their classes."""
    said = {
        "keys": value.keys(),
        "values": value.values(),
        "uniformity": value.value_type != "any",
        "keyType": CharArray(value.key_type),
        "valueType": CharArray(value.value_type),
    }
    return {"serialization": StructArray(said)}


def to_map(content: Mapping[str, Any]) -> MapObject:
    said = _record(content["serialization"])
    keys, values = said["keys"], said["values"]
    kinds = text(said["keyType"]), text(said["valueType"])
    if kinds[0] not in KEY_TYPES or kinds[1] not in VALUE_TYPES:
        raise CorruptError("a map is of no class")
    if not isinstance(keys, CellArray) or not isinstance(values, CellArray):
        raise CorruptError("a map has no entries")
    made = MapObject(*kinds)
    for key, item in zip(keys.items(), values.items(), strict=True):
        made.put(key, item)
    return made


def from_dictionary(value: Dictionary) -> dict[str, Any]:
    """Return the one property of a dictionary: a struct of its keys and values, each one array."""
    said: dict[str, Any] = {"Version": from_numpy(np.array([[1]], np.uint64))}
    if value.key_type is None:
        said["Unconfigured"] = True
    else:
        said["IsKeyCombined"] = said["IsValueCombined"] = True
        said["Key"], said["Value"] = value.keys(), value.values()
    return {"data": StructArray(said)}


def to_dictionary(content: Mapping[str, Any]) -> Dictionary:
    said = _record(content["data"])
    if truth(said.get("Unconfigured", False)):
        return make_dictionary([])
    keys, values = said["Key"], said["Value"]
    if not (truth(said["IsKeyCombined"]) and truth(said["IsValueCombined"])):
        raise CorruptError("the entries of a dictionary are kept in another way")
    return make_dictionary([keys, values])
