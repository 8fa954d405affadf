"""containers.Map, dictionary, and the functions that work on both."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs, undefined_for
from runmat_core.builtins.text.support import scalar_text
from runmat_core.values import class_of, from_numpy
from runmat_core.values.dictionary import Dictionary, make_dictionary
from runmat_core.values.keys import key_form
from runmat_core.values.map import MapObject, make_map


def _method(name: str, target: Any, *args: Any, nargout: int = 1) -> Any:
    """Call the method `name` of a map or dictionary."""
    found = target.method(name) if isinstance(target, MapObject | Dictionary) else None
    if found is None:
        raise undefined_for(name, class_of(target))
    return found(nargout, *args)


@builtin("containers.Map", family="cells/maps", nargin=(0, None))
def containers_map(*args: Any) -> MapObject:
    """A table from keys to values that is a handle.

    M = containers.Map is empty, with char keys and values of any class.
    M = containers.Map(keys, values) takes a cell array of keys, or one key.
    M = containers.Map('KeyType', kt, 'ValueType', vt) is empty; kt is 'char', 'double', 'single',
    'int32', 'uint32', 'int64' or 'uint64', vt one of these, 'logical' or 'any'.
    M = containers.Map(..., 'UniformValues', tf) says whether all values have one class.
    M(key) reads and writes; copies of M are the same table.

    Examples:
        >> m = containers.Map({'b', 'a'}, [2 1]); m('a')
        ans =
             1
        >> m.keys()
        ans =
          1×2 cell array
            {'a'}    {'b'}

    See also: keys, values, isKey, remove, dictionary.
    """
    return make_map(args)


@builtin("dictionary", family="cells/maps", nargin=(0, None))
def dictionary(*args: Any) -> Dictionary:
    """A table from keys to values with value semantics.

    d = dictionary(keys, values) takes arrays of one class each; d = dictionary(k1, v1, k2, v2,
    ...) entries one by one; d = dictionary has no classes until its first entry.
    d(key) reads and writes, d(key) = [] removes.

    Examples:
        >> d = dictionary(["a" "b"], [1 2]); d("b")
        ans =
             2

    See also: keys, values, entries, isKey, insert, lookup, remove, containers.Map.
    """
    return make_dictionary(args)


@builtin("configureDictionary", family="cells/maps")
def configureDictionary(key_type: Any, value_type: Any) -> Dictionary:
    """An empty dictionary for keys and values of given classes.

    d = configureDictionary(keyType, valueType)

    Examples:
        >> isConfigured(configureDictionary("string", "double"))
        ans =
          logical
           1

    See also: dictionary, isConfigured.
    """
    error = MatlabError(
        "MATLAB:dictionary:ClassNameMustBeText", "Class names must be text scalars."
    )
    made = Dictionary()
    made.key_type = scalar_text(key_type, error)
    made.value_type = scalar_text(value_type, error)
    return made


@builtin("keys", family="cells/maps", nargin=(1, 2))
def keys(table: Any, *kind: Any) -> Any:
    """The keys of a containers.Map or dictionary.

    K = keys(M) is a row cell array of the keys of a map in their order.
    K = keys(d) is a column of the keys of a dictionary; keys(d, "cell") a column cell array.

    Examples:
        >> keys(containers.Map({'b', 'a'}, {1, 2}))
        ans =
          1×2 cell array
            {'a'}    {'b'}

    See also: values, isKey, containers.Map, dictionary.
    """
    if kind and isinstance(table, MapObject):
        raise too_many_inputs()
    return _method("keys", table, *kind)


@builtin("values", family="cells/maps", nargin=(1, 2))
def values(table: Any, *which: Any) -> Any:
    """The values of a containers.Map or dictionary.

    V = values(M) is a row cell array in the order of the keys; values(M, keys) those of the keys
    in a cell array.
    V = values(d) is a column of the values of a dictionary.

    Examples:
        >> values(containers.Map({'b', 'a'}, {1, 2}))
        ans =
          1×2 cell array
            {[2]}    {[1]}

    See also: keys, isKey, containers.Map, dictionary.
    """
    return _method("values", table, *which)


@builtin("isKey", family="cells/maps")
def isKey(table: Any, key: Any) -> Any:
    """Whether a containers.Map or dictionary has a key.

    tf = isKey(M, key); for a cell array of keys, or an array of them, tf has its size.

    Examples:
        >> isKey(containers.Map('a', 1), {'a', 'b'})
        ans =
          1×2 logical array
           1   0

    See also: keys, values, remove.
    """
    return _method("isKey", table, key)


@builtin("remove", family="cells/maps")
def remove(table: Any, key: Any) -> Any:
    """Remove keys from a containers.Map or dictionary.

    M = remove(M, key) changes the map itself; d = remove(d, key) returns a new dictionary. Keys
    that are not there are an error.

    Examples:
        >> m = containers.Map({'a', 'b'}, [1 2]); remove(m, 'a'); m.Count
        ans =
             1

    See also: isKey, keys, containers.Map.
    """
    return _method("remove", table, key)


@builtin("entries", family="cells/maps", nargin=(1, 2))
def entries(table: Any, *kind: Any) -> Any:
    """The entries of a dictionary.

    E = entries(d) is a table with the variables Key and Value.
    E = entries(d, "struct") is a column of structs with the fields Key and Value.
    E = entries(d, "cell") is a cell array of two columns.

    Examples:
        >> entries(dictionary(["a" "b"], [1 2]))
        ans =
          2×2 table
            Key    Value
            ___    _____
            "a"      1
            "b"      2
        >> entries(dictionary("a", 1), "cell")
        ans =
          1×2 cell array
            {["a"]}    {[1]}

    See also: keys, values, dictionary.
    """
    return _method("entries", table, *kind)


@builtin("insert", family="cells/maps", nargin=(3, 5))
def insert(table: Any, key: Any, value: Any, *options: Any) -> Any:
    """Add entries to a dictionary.

    d = insert(d, key, value) replaces the value of a key that is there, unless Overwrite is
    false.

    Examples:
        >> d = insert(dictionary("a", 1), "b", 2); numEntries(d)
        ans =
             2

    See also: lookup, remove, dictionary.
    """
    return _method("insert", table, key, value, *options)


@builtin("lookup", family="cells/maps", nargin=(2, 4))
def lookup(table: Any, key: Any, *options: Any) -> Any:
    """The values of keys of a dictionary.

    v = lookup(d, key) fails where the key is not there; with FallbackValue that value is taken.

    Examples:
        >> lookup(dictionary("a", 1), "b", FallbackValue=0)
        ans =
             0

    See also: insert, isKey, dictionary.
    """
    return _method("lookup", table, key, *options)


@builtin("numEntries", family="cells/maps")
def numEntries(table: Any) -> Any:
    """The number of entries of a dictionary.

    n = numEntries(d)

    Examples:
        >> numEntries(dictionary(["a" "b"], [1 2]))
        ans =
             2

    See also: dictionary, keys.
    """
    return _method("numEntries", table)


@builtin("isConfigured", family="cells/maps")
def isConfigured(table: Any) -> Any:
    """Whether the classes of the keys and values of a dictionary are set.

    tf = isConfigured(d)

    Examples:
        >> isConfigured(dictionary)
        ans =
          logical
           0

    See also: dictionary, configureDictionary, types.
    """
    return _method("isConfigured", table)


@builtin("types", family="cells/maps", nargout=2, needs=("nargout",))
def types(table: Any, *, nargout: int) -> Any:
    """The classes of the keys and values of a dictionary.

    [keyType, valueType] = types(d)

    Examples:
        >> types(dictionary("a", 1))
        ans =
            "string"

    See also: dictionary, isConfigured.
    """
    return _method("types", table, nargout=nargout)


@builtin("keyMatch", family="cells/maps", effects="pure")
def keyMatch(a: Any, b: Any) -> bool:
    """Whether two values are the same key of a dictionary.

    TF = keyMatch(A, B) is true where classes, sizes and contents agree

    Missing values match each other, NaN too. Handles match where they are of the same object.
    Classes count inside of cells and structs; the order of the fields of a struct does not.

    Examples:
        >> keyMatch({NaN, "a"}, {NaN, "a"})
        ans =
          logical
           1
        >> keyMatch(1, single(1))
        ans =
          logical
           0

    See also: keyHash, dictionary, isequaln.
    """
    return key_form(a) == key_form(b)


@builtin("keyHash", family="cells/maps", effects="pure")
def keyHash(a: Any) -> Any:
    """A number that stands for a key of a dictionary.

    H = keyHash(A) is a uint64 scalar, the same one for values that keyMatch finds equal

    The numbers differ from one run of the program to the next.

    Examples:
        >> keyHash([1 2 NaN]) == keyHash([1 2 NaN])
        ans =
          logical
           1

    See also: keyMatch, dictionary.
    """
    return from_numpy(np.array([[hash(key_form(a)) % 2**64]], np.uint64))
