"""MATLAB values: classes, operators, subscripts, concatenation, text output.

The names that the layers above use; see docs/values.md.
"""

from runmat_core.values.array import Array, cast, from_numpy, to_double, to_numpy
from runmat_core.values.base import (
    COLON,
    CommaList,
    Complex,
    Value,
    class_of,
    is_sole_owner,
    scalar_complex,
    share,
)
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE, FLOAT_CLASSES, INTEGER_CLASSES, NUMERIC_CLASSES
from runmat_core.values.colon import colon, range_of
from runmat_core.values.concat import cat, horzcat, vertcat
from runmat_core.values.construct import cell, char, empty, string, struct, struct_array
from runmat_core.values.dictionary import Dictionary
from runmat_core.values.dispatch import (
    and_,
    ctranspose,
    eq,
    ge,
    gt,
    ldivide,
    le,
    lt,
    minus,
    mldivide,
    mpower,
    mrdivide,
    mtimes,
    ne,
    not_,
    or_,
    plus,
    power,
    rdivide,
    times,
    transpose,
    uminus,
    uplus,
)
from runmat_core.values.display import disp, display
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.equality import isequal
from runmat_core.values.exception import ExceptionValue
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import (
    assign,
    brace,
    columns,
    delete,
    end_of,
    field,
    index,
    numel_of,
    scalar_truth,
    size_of,
    truth,
)
from runmat_core.values.map import MapObject
from runmat_core.values.object import HandleObject, ObjectValue
from runmat_core.values.operators import install as install_operators
from runmat_core.values.paths import (
    assign_path,
    assign_path_list,
    count_targets,
    delete_path,
    peek,
)
from runmat_core.values.sparse import SparseArray
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.struct import StructArray
from runmat_core.values.text import is_text, text, texts

install_operators()

__all__ = [
    "COLON",
    "DTYPE",
    "FLOAT_CLASSES",
    "INTEGER_CLASSES",
    "MISSING",
    "NUMERIC_CLASSES",
    "Array",
    "CellArray",
    "CharArray",
    "CommaList",
    "Complex",
    "Dictionary",
    "DisplayFormat",
    "ExceptionValue",
    "FunctionHandle",
    "HandleObject",
    "MapObject",
    "ObjectValue",
    "SparseArray",
    "StringArray",
    "StructArray",
    "Value",
    "and_",
    "assign",
    "assign_path",
    "assign_path_list",
    "brace",
    "cast",
    "cat",
    "cell",
    "char",
    "class_of",
    "colon",
    "columns",
    "count_targets",
    "ctranspose",
    "delete",
    "delete_path",
    "disp",
    "display",
    "empty",
    "end_of",
    "eq",
    "field",
    "from_numpy",
    "ge",
    "gt",
    "horzcat",
    "index",
    "is_sole_owner",
    "is_text",
    "isequal",
    "ldivide",
    "le",
    "lt",
    "minus",
    "mldivide",
    "mpower",
    "mrdivide",
    "mtimes",
    "ne",
    "not_",
    "numel_of",
    "or_",
    "peek",
    "plus",
    "power",
    "range_of",
    "rdivide",
    "scalar_complex",
    "scalar_truth",
    "share",
    "size_of",
    "string",
    "struct",
    "struct_array",
    "text",
    "texts",
    "times",
    "to_double",
    "to_numpy",
    "transpose",
    "truth",
    "uminus",
    "uplus",
    "vertcat",
]
