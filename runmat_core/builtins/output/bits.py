"""The bits of floating-point numbers as hexadecimal text, and ratios of integers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size, integer, scalar
from runmat_core.values import class_of, from_numpy, texts, to_numpy
from runmat_core.values.char import char_rows
from runmat_core.values.format_number import Traits, choose, element_texts
from runmat_core.values.format_rational import (
    continued_fraction,
    rational,
    rational_text,
    rational_tolerance,
)


@builtin("num2hex", family="output/bits", nargin=(1, 1), effects="pure")
def num2hex(X: Any) -> Any:
    """The bits of numbers as hexadecimal text.

    hexStr = num2hex(X) gives 16 digits for each double and 8 for each single.

    Examples:
        >> num2hex(1)
        ans =
            '3ff0000000000000'

    See also: hex2num, dec2hex.
    """
    data = to_numpy(X)
    if data.dtype.kind == "f":
        lines = element_texts(data, choose(Traits.of(data), "hex"))
        return char_rows([line.strip() for line in lines])
    if data.dtype.kind not in "iub" or class_of(X) == "char":
        raise MatlabError("MATLAB:num2hex:floatpointInput", "Input must be real and numeric.")
    size = data.dtype.itemsize
    bits = data.ravel(order="F").view(f"u{size}").tolist()
    return char_rows([f"{word:0{2 * size}x}" for word in bits])


@builtin("hex2num", family="output/bits", nargin=(1, 1), effects="pure")
def hex2num(hexStr: Any) -> Any:
    """Numbers whose bits are given as hexadecimal text.

    X = hex2num(hexStr) gives a double for each row of up to 16 digits; zeros are appended.

    Examples:
        >> hex2num('400921fb54442d18')
        ans =
            3.1416

    See also: num2hex, hex2dec.
    """
    lines = hexStr.rows() if class_of(hexStr) == "char" else texts(hexStr)
    lines = [line.rstrip() for line in lines]
    if not lines or not any(lines):
        return from_numpy(np.zeros((0, 0)))
    if max(map(len, lines)) > 16:
        raise MatlabError(
            "MATLAB:hex2num:InputTooLong", "Input must have no more than 16 digits for a number."
        )
    try:
        words = [int(line.replace(" ", "0").ljust(16, "0"), 16) for line in lines]
    except ValueError:
        raise MatlabError(
            "MATLAB:hex2num:InvalidHexadecimal", "Input must have only hexadecimal digits."
        ) from None
    bits = np.array(words, dtype=np.uint64)
    return from_numpy(bits.view(np.float64).reshape(-1, 1))


@builtin("rats", family="output/bits", nargin=(1, 2), effects="pure")
def rats(X: Any, length: Any = None) -> Any:
    """Numbers as ratios of small integers, in text.

    s = rats(X) gives 13 characters for each element, its slash in the middle.
    s = rats(X, len) gives len characters.

    Examples:
        >> strtrim(rats(0.75))
        ans =
            '3/4'

    See also: rat, format.
    """
    data = to_numpy(X).real.astype(np.float64)
    width = 13 if length is None else integer(length, "Length")
    tolerance = rational_tolerance(data.ravel(), width)
    check_size((data.size, max(width, 1)), 2)
    half = (width - 1) // 2
    lines = []
    for row in data.reshape(data.shape[0], math.prod(data.shape[1:])):
        texts_of_row = []
        for x in row.tolist():
            ratio = rational_text(x, tolerance)
            if len(ratio) > width:
                ratio = "*"
            numerator, slash, denominator = ratio.partition("/")
            before = numerator.rjust(half + 1 if slash else half + 2)
            texts_of_row.append((before + slash + denominator).ljust(width + 1))
        lines.append("".join(texts_of_row))
    return char_rows(lines)


@builtin("rat", family="output/bits", nargin=(1, 2), nargout=2, needs=("nargout",), effects="pure")
def rat(X: Any, tol: Any = None, *, nargout: int) -> Any:
    """Approximate numbers by ratios of small integers.

    R = rat(X) gives the continued fraction as text.
    [N, D] = rat(X) gives numerators and denominators, N./D within 1e-6*norm(X(:),1) of X.
    rat(X, tol) uses another tolerance.

    Examples:
        >> [n, d] = rat(pi)
        n =
           355
        d =
           113
        >> rat(pi)
        ans =
            '3 + 1/(7 + 1/(16))'

    See also: rats, format.
    """
    data = to_numpy(X).real.astype(np.float64)
    finite = np.abs(data[np.isfinite(data)])
    tolerance = 1e-6 * float(finite.sum()) if tol is None else scalar(tol, "Tolerance")
    if nargout < 2:
        return char_rows([_expansion(x, tolerance) for x in data.ravel(order="F").tolist()])
    pairs = [_pair(x, tolerance) for x in data.ravel(order="F").tolist()]
    parts = np.array(pairs).reshape(data.size, 2)
    n, d = (parts[:, k].reshape(data.shape, order="F") for k in range(2))
    return from_numpy(n), from_numpy(d)


def _pair(x: float, tolerance: float) -> tuple[float, float]:
    if x - x != 0:
        return (0.0 if x != x else float(np.sign(x)), 0.0)
    n, d = rational(x, tolerance)
    return float(n), float(d)


def _expansion(x: float, tolerance: float) -> str:
    """Return the continued fraction of `x`: ``3 + 1/(7 + 1/(16))``."""
    if x - x != 0:
        return "NaN" if x != x else "Inf" if x > 0 else "-Inf"
    terms = continued_fraction(x, tolerance)
    text = str(terms[-1])
    for term in reversed(terms[:-1]):
        text = f"{term} + 1/({text})"
    return text
