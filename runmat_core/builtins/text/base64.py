"""Bytes as text of 64 characters."""

from __future__ import annotations

import base64 as codec
import binascii
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.support import maybe_text, row
from runmat_core.values import NUMERIC_CLASSES, class_of, from_numpy, to_numpy


@builtin("matlab.net.base64encode", family="text/base64", effects="pure")
def base64encode(value: Any) -> Any:
    """Bytes as Base64 text.

    C = matlab.net.base64encode(V) takes text with characters of one byte, or whole numbers from 0
    to 255

    Examples:
        >> matlab.net.base64encode('foo')
        ans =
            'Zm9v'

    See also: matlab.net.base64decode, unicode2native.
    """
    line = maybe_text(value)
    if line is None and class_of(value) not in NUMERIC_CLASSES:
        raise MatlabError("MATLAB:base64encode:InvalidInput", "Input must be text or bytes.")
    codes = to_numpy(value).ravel(order="F") if line is None else np.array([*map(ord, line)])
    if codes.size and not ((codes >= 0) & (codes <= 255) & (codes == np.floor(codes))).all():
        raise MatlabError(
            "MATLAB:base64encode:InvalidInput", "Elements must be whole numbers from 0 to 255."
        )
    return row(codec.b64encode(codes.astype(np.uint8).tobytes()).decode("ascii"))


@builtin("matlab.net.base64decode", family="text/base64", effects="pure")
def base64decode(value: Any) -> Any:
    """Bytes of Base64 text.

    V = matlab.net.base64decode(TEXT) is a row of class uint8; characters that Base64 does not use
    are left out

    Examples:
        >> char(matlab.net.base64decode('Zm9v'))
        ans =
            'foo'

    See also: matlab.net.base64encode, native2unicode.
    """
    line = maybe_text(value)
    if line is None:
        raise MatlabError("MATLAB:base64decode:InvalidInput", "Input must be text.")
    try:
        found = codec.b64decode(line.encode("ascii", "ignore"))
    except binascii.Error:
        raise MatlabError("MATLAB:base64decode:InvalidInput", "Input is no Base64 text.") from None
    return from_numpy(np.frombuffer(found, np.uint8).reshape(1, -1))
