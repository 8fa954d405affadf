"""What builtins for numbers and text mean of categorical arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.named import pairs
from runmat_core.builtins.ordered import for_numbers
from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import eq, from_numpy, texts
from runmat_core.values.categorical import Categorical
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray, char_rows
from runmat_core.values.string import StringArray


@overload("double", "single")
def to_numbers(call: Call, value: Any) -> Any:
    """Return the positions of the categories, NaN where an element is undefined."""
    return from_numpy(value.ranks(), call.name)


@overload("string")
def to_string(call: Call, value: Any) -> Any:
    return StringArray(value.element_texts())


@overload("cellstr")
def to_cellstr(call: Call, value: Any) -> Any:
    return CellArray(object_array(map(CharArray, value.shown_texts()), value.shape))


@overload("char")
def to_char(call: Call, value: Any) -> Any:
    """Return a row for each element."""
    texts = value.shown_texts()
    return CharArray(texts[0]) if len(texts) == 1 else char_rows(texts)


@overload("strcmp", anywhere=True)
def same_text(call: Call, a: Any, b: Any) -> Any:
    return eq(a, b)


@overload("ismember", anywhere=True)
def is_member(call: Call, a: Any, b: Any, *args: Any) -> Any:
    """By name: text that names no category is no member, whatever categories may be added."""
    named = [StringArray(v.element_texts()) if isinstance(v, Categorical) else v for v in (a, b)]
    return call.original(call.nargout, *named, *args)


@overload("median")
def middle(call: Call, value: Any, *args: Any) -> Any:
    """Return the middle category of ordinal ones."""
    if not value.has_order:
        raise MatlabError(
            "MATLAB:categorical:median:NotOrdinal",
            "Median is not defined for categorical arrays that are not ordinal.",
        )
    found = call.original(1, from_numpy(value.ranks()), *for_numbers(args))
    codes = np.nan_to_num(np.ceil(np.atleast_2d(np.asarray(getattr(found, "data", found)))))
    return Categorical(codes, value.meaning)


@overload("histcounts")
def counted(call: Call, value: Any, *args: Any) -> Any:
    """``[n, names] = histcounts(C, categories, 'Normalization', kind)``, a row."""
    from runmat_core.builtins.arrays.histograms import normalized

    chosen = list(value.names)
    if len(args) % 2:
        wanted = args[0].element_texts() if isinstance(args[0], Categorical) else texts(args[0])
        args, chosen = args[1:], list(np.ravel(wanted))
    named, _ = pairs(args, ("Normalization",), "histcounts")
    every = np.bincount(value.codes.ravel(), minlength=len(value.names) + 1)[1:]
    by_name = dict(zip(value.names, every.tolist(), strict=True))
    counts = np.array([by_name.get(name, 0) for name in chosen], np.float64)
    shown = normalized(counts, value.codes.size, named.get("Normalization"))
    numbers = from_numpy(shown.reshape(1, -1))
    if call.nargout < 2:
        return numbers
    names = object_array(map(CharArray, chosen), (1, len(chosen)))
    return numbers, CellArray(names)
