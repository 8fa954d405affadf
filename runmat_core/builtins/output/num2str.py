"""Numbers as readable text: ``num2str`` and ``int2str``."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer
from runmat_core.values import DTYPE, char, class_of, from_numpy, is_text, share, text, to_numpy
from runmat_core.values.char import char_rows
from runmat_core.values.format_number import decimal_exponent
from runmat_core.values.printf import sprintf

#: Numbers from which one format for all of them pays.
_MANY = 16
#: Significant digits of a double, at most.
_MOST_DIGITS = 767


@builtin("num2str", family="output/num2str", nargin=(1, 2), effects="pure")
def num2str(A: Any, format: Any = None) -> Any:
    """Convert numbers to a character array.

    s = num2str(A) gives up to four digits after the point, more before it.
    s = num2str(A, precision) gives at most that many significant digits.
    s = num2str(A, formatSpec) uses a format of sprintf for each row.
    Each row of A becomes a row of s.

    Examples:
        >> num2str(pi)
        ans =
            '3.1416'
        >> num2str([10 200; 3 4])
        ans =
          2×7 char array
            '10  200'
            ' 3    4'
        >> num2str(pi, 8)
        ans =
            '3.1415927'

    See also: mat2str, sprintf, int2str, string.
    """
    class_name = class_of(A)
    if class_name in ("char", "string"):
        return share(A)
    if class_name not in DTYPE:
        raise MatlabError(
            "MATLAB:num2str:nonNumericInput",
            "Input to num2str must be numeric, logical, or a character array.",
        )
    if format is None and A.__class__ is float:
        return char(number_text(A))
    data = _matrix(to_numpy(A))
    if data.size == 0:
        return char("")
    if format is not None and is_text(format):
        return _trimmed([_formatted(text(format), row).rstrip(" ") for row in data])
    # no double has more digits
    precision = None if format is None else min(integer(format, "Precision"), _MOST_DIGITS)
    return _trimmed(_texts(data, precision))


def number_text(x: float) -> str:
    """One real double as num2str writes it."""
    if x - x != 0:
        return "NaN" if x != x else "Inf" if x > 0 else "-Inf"
    if x == int(x):
        return str(int(x)) if abs(x) < 1e15 else f"{x:.16g}"
    return f"{x:.{significant_digits(abs(x))}g}"


def significant_digits(largest: float) -> int:
    """Digits for numbers up to a magnitude: four after the point, five at least."""
    exponent = decimal_exponent(largest, 15)
    return min(max(exponent + 5, 5), 16)


def _matrix(data: np.ndarray) -> np.ndarray:
    """Return a matrix with the pages side by side."""
    if data.dtype == np.bool_:
        data = data.astype(np.float64)
    return data if data.ndim == 2 else data.reshape(data.shape[0], -1, order="F")


def _formatted(template: str, row: np.ndarray) -> str:
    """Return a row through a format of sprintf, each part of a complex number on its own."""
    if not np.iscomplexobj(row):
        return sprintf(template, [from_numpy(row.reshape(1, -1))])
    texts = []
    for z in row.tolist():
        imaginary = sprintf(template, [abs(z.imag)]).strip()
        texts.append(f"{sprintf(template, [z.real])}{'-' if z.imag < 0 else '+'}{imaginary}i")
    return "".join(texts)


def _texts(data: np.ndarray, precision: int | None) -> list[str]:
    """Each row as text, its columns aligned; blanks on the left are still there."""
    if np.iscomplexobj(data):
        return _complex_rows(data, precision)
    finite = data[np.isfinite(data)] if data.dtype.kind == "f" else data
    largest = float(np.max(np.abs(finite.astype(np.float64)), initial=0.0))
    if precision is None and bool((finite == np.rint(finite)).all()):
        width = len(f"{largest:.0f}") + 2
        if data.dtype.kind in "iu":
            return ["".join([f"{x:{width}d}" for x in row]) for row in data.tolist()]
        if finite.size < data.size:
            width = max(width, 6 if np.isneginf(data).any() else 5)
        return ["".join([number_text(x).rjust(width) for x in row]) for row in data.tolist()]
    digits = significant_digits(largest) if precision is None else precision
    width = digits + 7
    if data.size >= _MANY and data.dtype.kind == "f" and finite.size == data.size:
        line = f"%{width}.{max(digits, 1)}g" * data.shape[1]
        return ("\n".join([line] * len(data)) % tuple(data.ravel().tolist())).split("\n")
    return ["".join([_general(x, digits).rjust(width) for x in row]) for row in data.tolist()]


def _general(x: float, digits: int) -> str:
    if x - x != 0:
        return number_text(x)
    return f"{x:.{max(digits, 1)}g}"


def _complex_rows(data: np.ndarray, precision: int | None) -> list[str]:
    """Rows of ``a+bi``: real parts end, and imaginary parts begin, below each other."""
    modulus = np.abs(data)
    largest = float(np.max(modulus[np.isfinite(modulus)], initial=0.0))
    parts = np.concatenate([data.real.ravel(), data.imag.ravel()])
    finite = parts[np.isfinite(parts)]
    integers = precision is None and bool((finite == np.rint(finite)).all())
    digits = significant_digits(largest) if precision is None else precision
    width = len(f"{largest:.0f}") + 2 if integers else digits + 7

    def one(z: complex) -> str:
        real, imaginary = (
            number_text(x) if integers else _general(x, digits) for x in (z.real, abs(z.imag))
        )
        sign = "-" if z.imag < 0 else "+"
        return real.rjust(width) + f"{sign}{imaginary}i".ljust(width + 1)

    rows = ["".join([one(z) for z in row]) for row in data.tolist()]
    blanks = min(len(row) - len(row.rstrip()) for row in rows)
    return [row[: len(row) - blanks] for row in rows]


def _trimmed(lines: list[str]) -> Any:
    """Lines without the blanks that all of them begin with."""
    blanks = min(len(line) - len(line.lstrip()) for line in lines)
    return _lines([line[blanks:] for line in lines])


def _lines(lines: list[str]) -> Any:
    """One row of text for each line; a format may have put newlines into them."""
    return char(lines[0]) if len(lines) == 1 else char_rows(lines)


@builtin("int2str", family="output/num2str", nargin=(1, 1), effects="pure")
def int2str(N: Any) -> Any:
    """Round and convert to a character array.

    s = int2str(N) rounds the elements of N, halves away from zero, and converts them.

    Examples:
        >> int2str(2.5)
        ans =
            '3'
        >> int2str([1.2 10.7])
        ans =
            '1  11'

    See also: num2str, round.
    """
    if class_of(N) in ("char", "string"):
        data = to_numpy(N).astype(np.float64) if class_of(N) == "char" else None
        if data is None:
            raise MatlabError("MATLAB:int2str:nonNumericInput", "Input must be numeric.")
    elif class_of(N) in DTYPE:
        data = to_numpy(N)
    else:
        raise MatlabError("MATLAB:int2str:nonNumericInput", "Input must be numeric.")
    data = _matrix(data.real)
    if data.dtype.kind == "f":
        data = np.trunc(data + np.copysign(0.5, data)) + 0.0
    if data.size == 0:
        return char("")
    return _trimmed(_texts(data, None))
