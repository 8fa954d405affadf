"""Numbers in other bases: ``dec2bin``, ``hex2dec`` and their relatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer, scalar
from runmat_core.values import CharArray, char, class_of, from_numpy, is_text, text, texts, to_numpy
from runmat_core.values.char import char_rows, encode

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: Numbers from which they are converted digit by digit instead of one after another.
_MANY = 32


def digits_of(number: int, base: int) -> str:
    """Return a non-negative integer in a base of two or more, most significant digit first."""
    if base in (2, 8, 16):
        return f"{number:{ {2: 'b', 8: 'o', 16: 'X'}[base] }}"
    out = ""
    while True:
        number, digit = divmod(number, base)
        out = _DIGITS[digit] + out
        if not number:
            return out


def _integers(value: Any, function: str, negative: bool) -> list[int]:
    if class_of(value) == "cell":
        numbers = [n for item in value.items() for n in _integers(item, function, negative)]
    else:
        flat = to_numpy(value).ravel(order="F")
        if flat.dtype.kind in "fc" and not (np.isfinite(flat) & (flat == np.rint(flat.real))).all():
            raise _not_integers(function)
        numbers = [int(x) for x in flat.real.tolist()]
    if not negative and any(n < 0 for n in numbers):
        raise MatlabError(
            f"MATLAB:{function}:MustBeNonNegativeInteger",
            "First input argument must be an array of nonnegative integer values.",
        )
    return numbers


def _not_integers(function: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{function}:MustBeInteger", "First input argument must be an array of integers."
    )


def _two_complement(numbers: list[int]) -> list[int]:
    """Negative numbers as the bits of the smallest integer class that holds them."""
    out = []
    for number in numbers:
        bits = next((b for b in (8, 16, 32) if number >= -(1 << (b - 1))), 64)
        out.append(number + (1 << bits) if number < 0 else number)
    return out


def _in_base(value: Any, base: int, least: Any, function: str) -> Any:
    numbers = _integers(value, function, negative=base in (2, 16))
    if not numbers:
        return char("")
    if len(numbers) >= _MANY and min(numbers) >= 0 and max(numbers) < 2**62:
        width = max(
            integer(least, "Number of digits") if least is not None else 0,
            len(digits_of(max(numbers), base)),
        )
        return CharArray(_digit_matrix(np.array(numbers, np.int64), base, width))
    lines = [digits_of(n, base) for n in _two_complement(numbers)]
    width = max(integer(least, "Number of digits") if least is not None else 0, *map(len, lines))
    return char_rows([line.rjust(width, "0") for line in lines])


def _digit_matrix(numbers: NDArray[np.int64], base: int, width: int) -> NDArray[np.uint16]:
    """Return the characters of non-negative numbers, one in each row."""
    digits = encode(_DIGITS).ravel()
    units = np.empty((numbers.size, width), np.uint16, order="F")
    for column in range(width - 1, -1, -1):
        numbers, digit = np.divmod(numbers, base)
        units[:, column] = digits[digit]
    return units


@builtin("dec2bin", family="output/bases", nargin=(1, 2), effects="pure")
def dec2bin(D: Any, minDigits: Any = None) -> Any:
    """Convert integers to binary text.

    binStr = dec2bin(D) gives one row of digits for each element of D; negative numbers give the
    bits of the smallest integer class that holds them.
    binStr = dec2bin(D, minDigits) pads with zeros.

    Examples:
        >> dec2bin(23)
        ans =
            '10111'
        >> dec2bin([1 2 3])
        ans =
          3×2 char array
            '01'
            '10'
            '11'

    See also: bin2dec, dec2hex, dec2base.
    """
    return _in_base(D, 2, minDigits, "dec2bin")


@builtin("dec2hex", family="output/bases", nargin=(1, 2), effects="pure")
def dec2hex(D: Any, minDigits: Any = None) -> Any:
    """Convert integers to hexadecimal text.

    hexStr = dec2hex(D) gives one row of digits for each element of D.
    hexStr = dec2hex(D, minDigits) pads with zeros.

    Examples:
        >> dec2hex(1023)
        ans =
            '3FF'
        >> dec2hex(10, 4)
        ans =
            '000A'

    See also: hex2dec, dec2bin, dec2base.
    """
    return _in_base(D, 16, minDigits, "dec2hex")


@builtin("dec2base", family="output/bases", nargin=(2, 3), effects="pure")
def dec2base(D: Any, n: Any, minDigits: Any = None) -> Any:
    """Convert non-negative integers to text in a base from 2 to 36.

    baseStr = dec2base(D, n) gives one row of digits for each element of D.
    baseStr = dec2base(D, n, minDigits) pads with zeros.

    Examples:
        >> dec2base(23, 3)
        ans =
            '212'

    See also: base2dec, dec2bin, dec2hex.
    """
    _integers(D, "dec2base", negative=False)
    return _in_base(D, _base(n, "dec2base"), minDigits, "dec2base")


def _base(value: Any, function: str) -> int:
    number = scalar(value, "Base")
    if not number.is_integer() or not 2 <= number <= 36:
        raise MatlabError(
            f"MATLAB:{function}:InvalidBase",
            "Second argument must be an integer between 2 and 36.",
        )
    return int(number)


def _lines(value: Any, function: str) -> tuple[list[str], tuple[int, ...]]:
    """Digit texts and the size of the result they give."""
    if class_of(value) == "char":
        rows = value.rows()
        return rows, (len(rows), 1)
    if is_text(value):
        return [text(value)], (1, 1)
    if class_of(value) in ("cell", "string"):
        return texts(value), (len(texts(value)), 1) if class_of(value) == "cell" else value.shape
    raise MatlabError(
        f"MATLAB:{function}:InvalidInputClass",
        "Input must be a character array, string array, or cell array of character vectors.",
    )


def _from_base(value: Any, base: int, function: str) -> Any:
    if isinstance(value, CharArray) and len(value.data) >= _MANY and value.data.ndim == 2:
        found = _of_digit_matrix(value.data, base)
        if found is not None:
            return from_numpy(found)
    lines, shape = _lines(value, function)
    if not lines:
        return from_numpy(np.zeros((0, 0)))
    numbers = [_parsed(line, base, function) for line in lines]
    return from_numpy(np.array(numbers, dtype=np.float64).reshape(shape, order="F"))


def _of_digit_matrix(units: NDArray[np.uint16], base: int) -> NDArray[np.float64] | None:
    """Return the number in each row of characters.

    Return None where there are other ones or too many digits.
    """
    if units.shape[1] * math.log2(base) > 53:
        return None
    worth = np.full(128, 255, np.uint8)
    codes = encode(_DIGITS[:base]).ravel()
    worth[codes] = np.arange(base)
    letters = codes[10:]
    worth[letters + 32] = worth[letters]
    worth[ord(" ")] = 254
    if units.max() > 127 or (worth[units] == 255).any():
        return None
    total = np.zeros((len(units), 1))
    for column in units.T:
        digit = worth[column][:, None]
        total = np.where(digit == 254, total, total * base + digit)
    return total


#: What MATLAB calls a text with other characters.
_REFUSED = {"hex2dec": "IllegalHexadecimal", "bin2dec": "IllegalBinaryString"}


def _parsed(line: str, base: int, function: str) -> float:
    digits = line.replace(" ", "").upper()
    prefix = {2: "0B", 16: "0X"}.get(base)
    if prefix and digits.startswith(prefix):
        digits = digits[2:]
    if any(d not in _DIGITS[:base] for d in digits):
        raise MatlabError(
            f"MATLAB:{function}:{_REFUSED.get(function, 'NumOutOfRange')}",
            f"Input to {function} must contain only valid digits of base {base}.",
        )
    return float(int(digits, base)) if digits else 0.0


@builtin("bin2dec", family="output/bases", nargin=(1, 1), effects="pure")
def bin2dec(binStr: Any) -> Any:
    """Convert binary text to numbers.

    D = bin2dec(binStr) gives a number for each row or element of text; blanks are ignored.

    Examples:
        >> bin2dec('10111')
        ans =
            23

    See also: dec2bin, hex2dec, base2dec.
    """
    return _from_base(binStr, 2, "bin2dec")


@builtin("hex2dec", family="output/bases", nargin=(1, 1), effects="pure")
def hex2dec(hexStr: Any) -> Any:
    """Convert hexadecimal text to numbers.

    D = hex2dec(hexStr) gives a number for each row or element of text.

    Examples:
        >> hex2dec('3FF')
        ans =
                1023

    See also: dec2hex, bin2dec, base2dec.
    """
    return _from_base(hexStr, 16, "hex2dec")


@builtin("base2dec", family="output/bases", nargin=(2, 2), effects="pure")
def base2dec(baseStr: Any, n: Any) -> Any:
    """Convert text in a base from 2 to 36 to numbers.

    D = base2dec(baseStr, n) gives a number for each row or element of text.

    Examples:
        >> base2dec('212', 3)
        ans =
            23

    See also: dec2base, bin2dec, hex2dec.
    """
    return _from_base(baseStr, _base(n, "base2dec"), "base2dec")
