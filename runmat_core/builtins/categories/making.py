"""categorical: from values to categories, and what categorical arrays tell of themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import dimension, first_axis
from runmat_core.builtins.named import pairs
from runmat_core.values import class_of, from_numpy, is_text, size_of, text, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.categorical import Categorical, Meaning, coded, name_texts
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.string import StringArray, number_text

_TEXT = (CharArray, StringArray, CellArray)


def categorical_of(name: str, value: Any) -> Categorical:
    """Return a categorical argument.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, it is something else.
    """
    if not isinstance(value, Categorical):
        raise undefined_for(name, class_of(value))
    return value


def names_in(value: Any, function: str) -> list[str]:
    """Return the names of categories in an argument."""
    if not isinstance(value, _TEXT):
        raise MatlabError(
            f"MATLAB:categorical:{function}:InvalidNames",
            "Category names must be a character vector, a string array, or a cell array of "
            "character vectors.",
        )
    return [str(word) for word in name_texts(value).ravel(order="F")]


def _keys(value: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return what tells the elements of a value apart, and which of them are nothing."""
    if isinstance(value, _TEXT):
        words = name_texts(value)
        return words, words == ""
    if isinstance(value, Categorical):
        return value.element_names(), value.is_missing()
    if isinstance(value, ArrayObject):
        return value.codes, value.is_missing()
    if class_of(value) not in DTYPE:
        raise MatlabError(
            "MATLAB:categorical:UnableToCreateFromData",
            f"Unable to create a categorical array from a value of type {class_of(value)}.",
        )
    numbers = to_numpy(value)
    return numbers, np.isnan(numbers) if numbers.dtype.kind in "fc" else np.zeros_like(
        numbers, bool
    )


def _default_names(value: Any, keys: NDArray[Any]) -> list[str]:
    """Return the names of categories for distinct values."""
    if isinstance(value, (Categorical, *_TEXT)):
        return [str(key) for key in keys]
    if isinstance(value, ArrayObject):
        texts = value.with_codes(keys.reshape(-1, 1)).element_texts()
        return [str(word) for word in texts.ravel()]
    if keys.dtype == np.bool_:
        return ["true" if key else "false" for key in keys]
    names = [str(number_text(key)) for key in keys.tolist()]
    if len(set(names)) < len(names):
        raise MatlabError(
            "MATLAB:categorical:CantCreateCategoryNames",
            "Unable to create default category names because some values are too close to each "
            "other. Specify category names.",
        )
    return names


def _value_set(value: Any, keys: NDArray[Any], missing: NDArray[Any], given: Any) -> NDArray[Any]:
    """Return the distinct values that are categories, in their order."""
    if given is None:
        if isinstance(value, Categorical):
            return np.array(value.names, object)
        present = keys[~missing]
        if present.dtype.kind == "O":
            distinct = sorted(set(present.tolist()))
            return np.array(distinct, object) if distinct else np.empty(0, object)
        return np.unique(present)
    if isinstance(value, ArrayObject) and not isinstance(value, Categorical):
        given = value.adopt(given)
    wanted, nothing = _keys(given)
    words = (Categorical, *_TEXT)
    numbers = not isinstance(value, (ArrayObject, *words))
    if isinstance(value, words) != isinstance(given, words) or (
        numbers and isinstance(given, ArrayObject)
    ):
        raise MatlabError(
            "MATLAB:categorical:ValueSetTypeMismatch",
            "The value set must have the same type as the data.",
        )
    flat = wanted.ravel(order="F")[~nothing.ravel(order="F")]
    if len(set(flat.tolist())) < flat.size:
        raise MatlabError(
            "MATLAB:categorical:DuplicateValues", "The value set contains duplicated values."
        )
    return flat


def from_values(
    value: Any,
    given: Any = None,
    names: list[str] | None = None,
    flags: tuple[bool, bool] = (False, False),
) -> Categorical:
    """Return a categorical array of any values.

    Args:
        given: the values that are categories, in their order; all distinct ones by default.
        names: their names; equal names make one category.
        flags: whether it is ordinal, and whether its categories are protected.
    """
    keys, missing = _keys(value)
    distinct = _value_set(value, keys, missing, given)
    called = _default_names(value, distinct) if names is None else names
    if len(called) != len(distinct):
        raise MatlabError(
            "MATLAB:categorical:NumCategoryNames",
            f"The number of category names must be the number of values, {len(distinct)}.",
        )
    unique = list(dict.fromkeys(called))
    place = {
        key: unique.index(name) + 1 for key, name in zip(distinct.tolist(), called, strict=True)
    }
    flat = keys.ravel(order="F").tolist()
    codes = np.array([place.get(key, 0) for key in flat], np.int64).reshape(keys.shape, order="F")
    codes[missing] = 0
    return Categorical(codes, Meaning(tuple(unique), *flags))


@builtin("categorical", family="categories/making", nargin=(0, None), effects="pure")
def categorical(value: Any = None, *args: Any) -> Any:
    """An array whose elements are named categories.

    C = categorical(A): a category for each distinct value of A, in their order
    C = categorical(A, valueset): these values alone, in that order; others are undefined
    C = categorical(A, valueset, names): with names of their own
    C = categorical(…, 'Ordinal', tf): whether the order means something
    C = categorical(…, 'Protected', tf): whether assignment may not add categories

    Examples:
        >> c = categorical({'red', 'blue', 'red'})
        c =
          1×3 categorical array
             red      blue      red
        >> c == 'red'
        ans =
          1×3 logical array
           1   0   1
        >> s = categorical([1 3 2], 1:3, {'low', 'mid', 'high'}, 'Ordinal', true);
        >> s(s >= 'mid')
        ans =
          1×2 categorical array
             high      mid

    See also: categories, countcats, iscategory, addcats, discretize.
    """
    if value is None:
        value = CellArray(np.empty((0, 0), object))
    plain = list(args)
    options: dict[str, Any] = {}
    while (
        len(plain) >= 2
        and is_text(plain[-2])
        and text(plain[-2]).lower()
        in (
            "ordinal",
            "protected",
        )
    ):
        found, _ = pairs(plain[-2:], ("Ordinal", "Protected"), "categorical")
        options = {**found, **options}
        plain = plain[:-2]
    if len(plain) > 2:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    ordinal = _flag(options.get("Ordinal", getattr(value, "has_order", False)))
    protected = _flag(options["Protected"]) if "Protected" in options else ordinal
    if ordinal and not protected:
        raise MatlabError(
            "MATLAB:categorical:UnprotectedOrdinal",
            "An ordinal categorical array's categories must be protected.",
        )
    names = names_in(plain[1], "categorical") if len(plain) > 1 else None
    return from_values(value, plain[0] if plain else None, names, (ordinal, protected))


def _flag(value: Any) -> bool:
    return bool(to_numpy(value).any())


@builtin("iscategorical", family="categories/making", effects="pure")
def iscategorical(x: Any) -> Any:
    """Whether a value is a categorical array.

    TF = iscategorical(X)

    Examples:
        >> iscategorical(categorical(1))
        ans =
          logical
           1

    See also: categorical, iscategory, isordinal.
    """
    return isinstance(x, Categorical)


@builtin("isordinal", family="categories/making", effects="pure")
def isordinal(c: Any) -> Any:
    """Whether the order of the categories of an array means something.

    TF = isordinal(C)

    Examples:
        >> isordinal(categorical([1 2], 'Ordinal', true))
        ans =
          logical
           1

    See also: categorical, isprotected.
    """
    return categorical_of("isordinal", c).meaning.ordinal


@builtin("isprotected", family="categories/making", effects="pure")
def isprotected(c: Any) -> Any:
    """Whether assignment to an array may not add categories.

    TF = isprotected(C)

    Examples:
        >> isprotected(categorical([1 2]))
        ans =
          logical
           0

    See also: categorical, isordinal, addcats.
    """
    return categorical_of("isprotected", c).meaning.protected


@builtin("isundefined", family="categories/making", effects="pure")
def isundefined(c: Any) -> Any:
    """Which elements of a categorical array belong to no category.

    TF = isundefined(C)

    Examples:
        >> isundefined(categorical({'a', ''}))
        ans =
          1×2 logical array
           0   1

    See also: ismissing, categorical.
    """
    return from_numpy(categorical_of("isundefined", c).is_missing())


@builtin("categories", family="categories/making", effects="pure")
def categories(c: Any) -> Any:
    """The categories of an array in their order, a column cell array.

    names = categories(C)

    Examples:
        >> categories(categorical({'b', 'a', 'b'}))
        ans =
          2×1 cell array
            {'a'}
            {'b'}

    See also: categorical, countcats, iscategory.
    """
    names = categorical_of("categories", c).names
    return CellArray(object_array(map(CharArray, names), (len(names), 1)))


@builtin("iscategory", family="categories/making", effects="pure")
def iscategory(c: Any, names: Any) -> Any:
    """Whether names are those of categories of an array.

    TF = iscategory(C, names)

    Examples:
        >> iscategory(categorical({'a', 'b'}), {'b', 'c'})
        ans =
          1×2 logical array
           1   0

    See also: categories, ismember.
    """
    known = categorical_of("iscategory", c).names
    words = name_texts(names)
    return from_numpy(coded(words, known) > 0)


@builtin("countcats", family="categories/making", nargin=(1, 2), effects="pure")
def countcats(c: Any, dim: Any = None) -> Any:
    """How many elements each category has.

    N = countcats(C) counts along the first dimension whose extent is not one
    N = countcats(C, DIM)

    Examples:
        >> countcats(categorical({'a', 'b', 'a'}))
        ans =
             2     1

    See also: categories, summary, histcounts.
    """
    value = categorical_of("countcats", c)
    axis = first_axis(value.shape) if dim is None else dimension(dim)
    counts = [(value.codes == k).sum(axis=axis) for k in range(1, len(value.names) + 1)]
    if not counts:
        shape = list(size_of(value))
        shape[axis] = 0
        return from_numpy(np.zeros(shape))
    return from_numpy(np.stack(counts, axis=axis).astype(np.float64))
