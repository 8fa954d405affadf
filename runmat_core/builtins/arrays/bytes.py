"""Numbers as the bytes that hold them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import option
from runmat_core.values import DTYPE, NUMERIC_CLASSES, CharArray, class_of, from_numpy, to_numpy


@builtin("typecast", family="arrays/classes", effects="pure")
def typecast(x: Any, cls: Any) -> Any:
    """Same bytes read as numbers of another class.

    Y = typecast(X, CLASSNAME)

    X is a vector; the bytes are in the machine's order.

    Examples:
        >> typecast(single(1), "uint32")
        ans =
          uint32
           1065353216

    See also: cast, swapbytes, num2hex.
    """
    name = option(cls) or ""
    if name not in NUMERIC_CLASSES and name not in {"char", "logical"}:
        raise MatlabError("MATLAB:typecastc:badType", "Unsupported class for conversion.")
    if class_of(x) not in DTYPE and class_of(x) != "char":
        raise MatlabError(
            "MATLAB:typecastc:invalidInput",
            "The first input argument must be a vector of numeric values.",
        )
    a = to_numpy(x)
    if a.ndim > 2 or (1 not in a.shape and a.size):
        raise MatlabError(
            "MATLAB:typecastc:notVector", "The first input argument must be a vector."
        )
    raw = a.ravel().tobytes()
    dtype = np.dtype(np.uint16) if name == "char" else DTYPE[name]
    if len(raw) % dtype.itemsize:
        raise MatlabError(
            "MATLAB:typecastc:notEnoughInputElements",
            "Too few input values to make output type.",
        )
    numbers = np.frombuffer(raw, dtype)
    numbers = numbers.reshape((1, -1) if a.shape[0] == 1 else (-1, 1)).copy()
    return CharArray(numbers) if name == "char" else from_numpy(numbers)


@builtin("swapbytes", family="arrays/classes", effects="pure")
def swapbytes(x: Any) -> Any:
    """Numbers with the order of their bytes reversed.

    Y = swapbytes(X)

    Examples:
        >> swapbytes(uint16(1))
        ans =
          uint16
           256

    See also: typecast, bitshift.
    """
    if class_of(x) not in NUMERIC_CLASSES:
        raise MatlabError("MATLAB:swapbytes:invalidInputType", "Input must be numeric.")
    return from_numpy(to_numpy(x).byteswap())
