"""Questions about classes and values, element by element or of the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.fusion import Map
from runmat_core.api.interp import Interp
from runmat_core.builtins.arrays import sparse_moves
from runmat_core.builtins.arrays.generic import array_of
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    INTEGER_CLASSES,
    NUMERIC_CLASSES,
    char,
    class_of,
    from_numpy,
    share,
    size_of,
    text,
    to_numpy,
)
from runmat_core.values.deferred import Deferred
from runmat_core.values.object import ObjectValue
from runmat_core.values.sparse import SparseArray
from runmat_core.values.struct import StructArray


@builtin(
    "class",
    family="arrays/classes",
    nargin=(1, None),
    effects="pure",
    pending="keep",
    needs=("interp",),
)
def class_(x: Any, name: Any = None, *parents: Any, interp: Interp) -> Any:
    """Name of a value's class.

    C = class(X)
    OBJ = class(S, NAME, PARENT1, ...), in the constructor @NAME/NAME.m of a class without
    classdef, is an object with the fields of the structure S that inherits from the objects
    PARENT1 and so on. Functions in the folder @NAME are its methods, and only they see the fields.

    Examples:
        >> class(5)
        ans =
            'double'
        >> class("a")
        ans =
            'string'

    See also: isa, isnumeric, cast.
    """
    if name is not None:
        return _object_of(x, text(name), parents, interp)
    return char(shown_class(x))


def _object_of(x: Any, name: str, parents: tuple[Any, ...], interp: Interp) -> Any:
    if not isinstance(x, StructArray) or size_of(x) != (1, 1):
        raise MatlabError(
            "MATLAB:class:mustBeStruct", "The fields of an object must be those of one structure."
        )
    for parent in parents:
        if not isinstance(parent, ObjectValue) or not hasattr(parent, "info"):
            raise MatlabError("MATLAB:class:mustBeObject", "Parents of an object must be objects.")
    contents = {label: share(x.field(label)) for label in x.field_names()}
    return interp.constructors().made(contents, name, [share(parent) for parent in parents])


def shown_class(x: Any) -> str:
    """Return the name that ``class`` gives.

    An array that the program put on the device has a class of its own, whatever it holds.
    """
    placed = x.__class__ is Deferred and x.promise.pinned
    return "gpuArray" if placed else class_of(x)


_CATEGORIES = {
    "float": FLOAT_CLASSES,
    "integer": INTEGER_CLASSES,
    "numeric": NUMERIC_CLASSES,
}


@builtin("isa", family="arrays/classes", effects="pure", pending="keep")
def isa(x: Any, cls: Any) -> Any:
    """Whether a value is of a class or a category of classes.

    TF = isa(X, CLASSNAME)

    The categories are "numeric", "float", "integer" and "handle".

    Examples:
        >> isa(int8(1), "integer")
        ans =
          logical
           1
        >> isa(1, "float")
        ans =
          logical
           1

    See also: class, isnumeric, isfloat, isobject.
    """
    name, own = text(cls), class_of(x)
    if name == shown_class(x):
        return True
    if isinstance(x, ObjectValue):
        return x.is_a(name)
    return own in _CATEGORIES.get(name, ())


@builtin("isnumeric", family="arrays/predicates", effects="pure", pending="keep")
def isnumeric(x: Any) -> Any:
    """Whether a value is of a numeric class.

    TF = isnumeric(X)

    Logical and char arrays are not numeric.

    Examples:
        >> isnumeric(5)
        ans =
          logical
           1
        >> isnumeric(true)
        ans =
          logical
           0

    See also: isfloat, isinteger, islogical, isa.
    """
    return x.__class__ is float or class_of(x) in NUMERIC_CLASSES


@builtin("isfloat", family="arrays/predicates", effects="pure", pending="keep")
def isfloat(x: Any) -> Any:
    """Whether a value is double or single.

    TF = isfloat(X)

    Examples:
        >> isfloat(single(1))
        ans =
          logical
           1

    See also: isnumeric, isinteger, isa.
    """
    return x.__class__ is float or class_of(x) in FLOAT_CLASSES


@builtin("isinteger", family="arrays/predicates", effects="pure", pending="keep")
def isinteger(x: Any) -> Any:
    """Whether a value is of an integer class.

    TF = isinteger(X)

    Examples:
        >> isinteger(int8(5))
        ans =
          logical
           1
        >> isinteger(5)
        ans =
          logical
           0

    See also: isnumeric, isfloat, isa.
    """
    return x.__class__ is not float and class_of(x) in INTEGER_CLASSES


@builtin("islogical", family="arrays/predicates", effects="pure", pending="keep")
def islogical(x: Any) -> Any:
    """Whether a value is logical.

    TF = islogical(X)

    Examples:
        >> islogical(true)
        ans =
          logical
           1

    See also: logical, isnumeric.
    """
    return x.__class__ is bool or class_of(x) == "logical"


#: Classes of objects; MException and the like count as well.
_OBJECTS = frozenset(
    {"containers.Map", "dictionary", "string", "MException", "inputParser", "onCleanup"}
)


@builtin("isobject", family="arrays/predicates", effects="pure", pending="keep")
def isobject(x: Any) -> Any:
    """Whether a value is an object of a class that is not built in.

    TF = isobject(X)

    Examples:
        >> isobject(containers.Map)
        ans =
          logical
           1
        >> isobject(5)
        ans =
          logical
           0

    See also: isa, class.
    """
    return isinstance(x, ObjectValue) or class_of(x) in _OBJECTS


@builtin("isjava", family="arrays/predicates", effects="pure", pending="keep")
def isjava(x: Any) -> Any:
    """Whether a value is a Java object: never, there is no Java machine here.

    TF = isjava(X)

    Examples:
        >> isjava(containers.Map)
        ans =
          logical
           0

    See also: isobject, usejava.
    """
    return False


_INF = float("inf")


def _elements(x: Any, name: str) -> Any:
    cls = class_of(x)
    if cls not in DTYPE and cls != "char":
        raise undefined_for(name, cls)
    return to_numpy(x)


def _is_finite(x: Any) -> Any:
    return ir.isfinite(x) if x.dtype in ir.FLOATS else x == x


def _is_infinite(x: Any) -> Any:
    return ir.isinf(x) if x.dtype in ir.FLOATS else x != x


def _test(function: Callable[..., Any], of_complex: str) -> Map:
    """Return a test of elements, complex ones included, by the name of the latter's operation."""
    return Map(function, "test", of_complex=Map(lambda z: getattr(ir, of_complex)(z), "test"))


@builtin(
    "isnan", family="arrays/predicates", effects="pure", fusion=_test(lambda x: x != x, "isnan")
)
def isnan(x: Any) -> Any:
    """Which elements are NaN.

    TF = isnan(X)

    Examples:
        >> isnan([1 NaN])
        ans =
          1×2 logical array
           0   1

    See also: isinf, isfinite, ismissing, NaN.
    """
    if x.__class__ is float:
        return bool(x != x)
    if isinstance(x, SparseArray):
        return sparse_moves.mapped(np.isnan, x)
    a = _elements(x, "isnan")
    return from_numpy(np.isnan(a) if a.dtype.kind in "fc" else np.zeros(a.shape, np.bool_))


@builtin("isinf", family="arrays/predicates", effects="pure", fusion=_test(_is_infinite, "isinf"))
def isinf(x: Any) -> Any:
    """Which elements are infinite.

    TF = isinf(X)

    Examples:
        >> isinf([1 -Inf])
        ans =
          1×2 logical array
           0   1

    See also: isnan, isfinite, Inf.
    """
    if x.__class__ is float:
        return x == _INF or x == -_INF
    if isinstance(x, SparseArray):
        return sparse_moves.mapped(np.isinf, x)
    a = _elements(x, "isinf")
    return from_numpy(np.isinf(a) if a.dtype.kind in "fc" else np.zeros(a.shape, np.bool_))


@builtin(
    "isfinite", family="arrays/predicates", effects="pure", fusion=_test(_is_finite, "isfinite")
)
def isfinite(x: Any) -> Any:
    """Which elements are finite.

    TF = isfinite(X)

    Examples:
        >> isfinite([1 NaN Inf])
        ans =
          1×3 logical array
           1   0   0

    See also: isnan, isinf.
    """
    if x.__class__ is float:
        return x - x == 0.0
    a = _elements(x, "isfinite")
    return from_numpy(np.isfinite(a) if a.dtype.kind in "fc" else np.ones(a.shape, np.bool_))


@builtin(
    "ismissing", family="arrays/predicates", effects="pure", fusion=Map(lambda x: x != x, "test")
)
def ismissing(x: Any, indicators: Any = None) -> Any:
    """Which elements are missing: NaN, missing strings, blanks, empty text in cells.

    TF = ismissing(X)
    TF = ismissing(X, INDICATORS) takes elements that equal one of these numbers, strings or texts
    of a cell array for missing, and no others

    Examples:
        >> ismissing([1 NaN])
        ans =
          1×2 logical array
           0   1

    See also: isnan.
    """
    if indicators is not None:
        from runmat_core.builtins.tables.missing import equal_to_indicators

        return from_numpy(equal_to_indicators(x, indicators))
    cls = class_of(x)
    if cls == "string":
        return from_numpy(
            np.frompyfunc(lambda s: not isinstance(s, str), 1, 1)(array_of(x)).astype(bool)
        )
    if cls == "cell":
        return from_numpy(np.frompyfunc(lambda c: 0 in size_of(c), 1, 1)(array_of(x)).astype(bool))
    if cls == "char":
        return from_numpy(to_numpy(x) == 32)
    a = to_numpy(x)
    return from_numpy(np.isnan(a) if a.dtype.kind in "fc" else np.zeros(a.shape, np.bool_))
