"""``isequal`` and ``isequaln``."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import to_numpy
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import settled
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import size_of
from runmat_core.values.object import HandleObject, ObjectValue
from runmat_core.values.sparse import SparseArray
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.struct import StructArray


def isequal(a: Any, b: Any, nan_equal: bool = False) -> bool:
    """Whether two values have the same size and contents; numeric classes do not count.

    With `nan_equal`, NaN equals NaN (``isequaln``). Iterative: nested containers of any depth.
    """
    pending = [(a, b)]
    while pending:
        x, y = map(settled, pending.pop())
        if x is y and not isinstance(x, float) and nan_equal:
            continue
        if not _same(x, y, nan_equal, pending):
            return False
    return True


def _same(x: Any, y: Any, nan_equal: bool, pending: list[tuple[Any, Any]]) -> bool:
    if isinstance(x, ObjectValue) or isinstance(y, ObjectValue):
        return _same_objects(x, y, nan_equal)
    if isinstance(x, StringArray) or isinstance(y, StringArray):
        return _same_texts(x, y, nan_equal)
    if isinstance(x, CellArray) and isinstance(y, CellArray):
        pending.extend(zip(x.items(), y.items(), strict=False))
        return x.shape == y.shape
    if isinstance(x, StructArray) and isinstance(y, StructArray):
        return _same_records(x, y, pending)
    if isinstance(x, FunctionHandle) and isinstance(y, FunctionHandle):
        return x is y or x.fn is y.fn
    if isinstance(x, SparseArray) and isinstance(y, SparseArray):
        return _same_sparse(x, y, nan_equal)
    try:
        first, second = to_numpy(x), to_numpy(y)
    except ValueError:
        return False
    except MatlabError:
        return False
    if first.shape != second.shape:
        return False
    equal = first == second
    if nan_equal and first.dtype.kind in "fc" and second.dtype.kind in "fc":
        equal = equal | (np.isnan(first) & np.isnan(second))
    return bool(np.all(equal))


def _same_sparse(x: SparseArray, y: SparseArray, nan_equal: bool) -> bool:
    first, second = x.data, y.data
    return (
        x.shape == y.shape
        and np.array_equal(first.indptr, second.indptr)
        and np.array_equal(first.indices, second.indices)
        and np.array_equal(first.data, second.data, equal_nan=nan_equal)
    )


def _same_objects(x: Any, y: Any, nan_equal: bool) -> bool:
    for value, other in ((x, y), (y, x)):
        compare = getattr(value, "is_equal", None)
        if compare is not None:
            return bool(compare(other, nan_equal))
    if x.__class__ is not y.__class__ or isinstance(x, HandleObject):
        return x is y
    # copies share what they hold
    mine, others = x.data, y.data
    if mine is others or not isinstance(mine, dict):
        return mine is others
    return mine.keys() == others.keys() and all(
        isequal(value, others[name], nan_equal) for name, value in mine.items()
    )


def _same_texts(x: Any, y: Any, nan_equal: bool) -> bool:
    if not all(isinstance(v, StringArray | CharArray | CellArray) for v in (x, y)):
        return False
    first, second = texts_of(x), texts_of(y)
    if first.shape != second.shape:
        return False
    return all(
        s == t if MISSING not in (s, t) else nan_equal and s is t
        for s, t in zip(first.ravel(order="F"), second.ravel(order="F"), strict=True)
    )


def _same_records(x: StructArray, y: StructArray, pending: list[tuple[Any, Any]]) -> bool:
    if size_of(x) != size_of(y) or set(x.field_names()) != set(y.field_names()):
        return False
    for r, s in zip(x.records(), y.records(), strict=True):
        pending.extend((r[name], s[name]) for name in r)
    return True
