"""How the numbers of one array are written: the choice of format, and the text of each element.

`choose` is a pure function of a few traits of the array, so every rule about widths, digits and
common scale factors is in one place. Exponents are read from decimal text, not from a logarithm,
so 999.99999 counts as the 1.0000e+03 that it prints as.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from runmat_core.api.tuples import NamedTuple
from runmat_core.values.display_format import Style

Conversion = Literal["d", "f", "e", "g", "eng", "hex", "rat", "+"]

#: Integers below this magnitude are written in full, whatever the style.
INTEGER_LIMIT = 1e9


class Traits(NamedTuple):
    """What the choice of a format depends on.

    Attributes:
        single: class single rather than double.
        scalar: one element.
        complex: stored as complex, zero imaginary parts included.
        largest: the largest finite magnitude of a real or imaginary part; 0 when there is none.
        integers: every finite part is an integer.
    """

    single: bool = False
    scalar: bool = False
    complex: bool = False
    largest: float = 0.0
    integers: bool = True

    @classmethod
    def of(cls, data: np.ndarray) -> Traits:
        """Return the traits of a floating-point array."""
        is_complex = np.iscomplexobj(data)
        single = data.dtype in (np.float32, np.complex64)
        parts = (data.real, data.imag) if is_complex else (data,)
        largest, integers = 0.0, True
        for part in parts:
            if not part.size:
                continue
            magnitudes = np.abs(part)
            finite = np.isfinite(magnitudes)
            if not finite.all():
                part, magnitudes = part[finite], magnitudes[finite]
            if part.size:
                largest = max(largest, float(magnitudes.max()))
                integers = integers and bool((part == np.rint(part)).all())
        return cls(single, data.size == 1, is_complex, largest, integers)


class NumberFormat(NamedTuple):
    """How each element of an array is written.

    Attributes:
        conversion: the kind of text.
        width: of a real part, including the blanks before it.
        digits: after the point, or significant ones for ``g`` and ``eng``.
        scale: the exponent of the common factor; 0 when there is none.
        imaginary_width: of an imaginary part, after its sign and before its ``i``.
        bare_zero: an exact zero is written ``0``.
    """

    conversion: Conversion
    width: int
    digits: int = 0
    scale: int = 0
    imaginary_width: int = 0
    bare_zero: bool = False


def decimal_exponent(x: float, digits: int) -> int:
    """Return the exponent of `x` when written with `digits` digits after the point."""
    return int(f"{x:.{digits}e}".partition("e")[2]) if x else 0


#: Style, single, complex: conversion, width, digits, width of the imaginary part.
_STYLES: tuple[tuple[Style, bool, bool, Conversion, int, int, int], ...] = (
    ("shortE", False, False, "e", 13, 4, 0),
    ("shortE", True, False, "e", 12, 4, 0),
    ("shortE", False, True, "e", 13, 4, 11),
    ("shortE", True, True, "e", 12, 4, 10),
    ("longE", False, False, "e", 26, 15, 0),
    ("longE", True, False, "e", 16, 7, 0),
    ("longE", False, True, "e", 27, 15, 22),
    ("longE", True, True, "e", 15, 7, 14),
    ("shortG", False, False, "g", 13, 5, 0),
    ("shortG", True, False, "g", 13, 5, 0),
    ("shortG", False, True, "g", 13, 5, 11),
    ("shortG", True, True, "g", 12, 5, 11),
    ("longG", False, False, "g", 26, 15, 0),
    ("longG", True, False, "g", 16, 7, 0),
    ("longG", False, True, "g", 27, 15, 22),
    ("longG", True, True, "g", 14, 7, 13),
    ("shortEng", False, False, "eng", 16, 5, 0),
    ("shortEng", True, False, "eng", 16, 5, 0),
    ("shortEng", False, True, "eng", 16, 5, 13),
    ("shortEng", True, True, "eng", 16, 5, 13),
    ("longEng", False, False, "eng", 25, 15, 0),
    ("longEng", True, False, "eng", 16, 7, 0),
    ("longEng", False, True, "eng", 25, 15, 22),
    ("longEng", True, True, "eng", 16, 7, 14),
    ("hex", False, False, "hex", 19, 0, 0),
    ("hex", True, False, "hex", 11, 0, 0),
    ("hex", False, True, "hex", 19, 0, 18),
    ("hex", True, True, "hex", 11, 0, 10),
    ("bank", False, False, "f", 14, 2, 0),
    ("bank", True, False, "f", 14, 2, 0),
    ("bank", False, True, "f", 13, 2, 0),
    ("bank", True, True, "f", 14, 2, 0),
)
#: Formats that do not depend on the numbers, by style, and whether they are single and complex.
_FORMAT_OF_STYLE = {
    (style, single, is_complex): NumberFormat(
        conversion, width, digits, 0, imaginary, conversion == "e" and not is_complex
    )
    for style, single, is_complex, conversion, width, digits, imaginary in _STYLES
}
_INTEGERS_AS_THEY_ARE = frozenset({"short", "long", "shortE", "longE", "shortG", "longG"})


def choose(traits: Traits, style: Style) -> NumberFormat:
    """Return the format of an array with these traits."""
    if style == "+":
        return NumberFormat("+", 1)
    if style == "rational":
        return NumberFormat("rat", 15)
    if (
        traits.integers
        and not traits.complex
        and traits.largest < INTEGER_LIMIT
        and style in _INTEGERS_AS_THEY_ARE
    ):
        return NumberFormat("d", 6 if traits.largest < 1000 else 12)
    if style in ("short", "long"):
        return _fixed(traits, long=style == "long")
    return _FORMAT_OF_STYLE[style, traits.single, traits.complex]


def _fixed(traits: Traits, long: bool) -> NumberFormat:
    """``format short`` and ``format long``: fixed point, else a common factor or an exponent."""
    if long:
        digits = 7 if traits.single else 15
        limit, width, imaginary = 2, digits + 5, digits + 3
        if traits.complex:
            width -= 1
    else:
        digits = 4
        limit = 2 if traits.complex else 3
        width, imaginary = (9, 7) if traits.complex else (10, 7)
    bare = not traits.complex
    largest = traits.largest
    exponent = decimal_exponent(largest, digits)
    if largest == 0 or (exponent < limit and largest > 0.001):
        return NumberFormat("f", width, digits, 0, imaginary, bare)
    if traits.scalar:
        style: Style = "longE" if long else "shortE"
        return _FORMAT_OF_STYLE[style, traits.single and long, traits.complex]
    if exponent < 0 and float(f"1e{exponent}") != largest:
        # small numbers are shown below one: 1.2e-4 is 0.1200 with the factor 1.0e-03
        exponent = decimal_exponent(largest, 15) + 1
    return NumberFormat("f", width, digits, exponent, imaginary, bare)


def real_texts(values: np.ndarray, fmt: NumberFormat, width: int | None = None) -> list[str]:
    """Return the texts of a real array's elements in column-major order, padded to the width."""
    flat = np.ravel(values, order="F")
    width = fmt.width if width is None else width
    if fmt.scale:
        flat = _scaled(flat.astype(np.float64), fmt.scale)
    if fmt.conversion in _SPECIAL:
        return [text.rjust(width) for text in _SPECIAL[fmt.conversion](flat, fmt)]
    items = flat.tolist()
    one = f"%{width}.{fmt.digits}{'f' if fmt.conversion == 'd' else fmt.conversion}"
    odd = ~np.isfinite(flat) | (flat == 0)
    if odd.any():
        zero = "0".rjust(width) if fmt.bare_zero else one % 0.0
        texts = [one % x if x and x - x == 0 else _odd(x, zero, width) for x in items]
    else:
        texts = [one % x for x in items]
    if width == fmt.width:
        # a number that fills its column still keeps one blank before it
        return [t if t[0] == " " else " " + t for t in texts]
    return texts


def scalar_text(x: float, style: Style) -> str:
    """Return the text of one double, without an array for the usual styles."""
    if style in _ARRAY_STYLES:
        data = np.array([x])
        return real_texts(data, choose(Traits.of(data), style))[0]
    finite = x - x == 0
    traits = Traits(False, True, False, abs(x) if finite else 0.0, not finite or x % 1 == 0)
    number = choose(traits, style)
    if not finite or x == 0:
        zero = "0" if number.conversion in "dg" else f"{0:.{number.digits}{number.conversion}}"
        return _odd(x, zero.rjust(number.width), number.width)
    if number.conversion == "d":
        return f"{x:{number.width}.0f}"
    text = f"{x:{number.width}.{number.digits}{number.conversion}}"
    return text if text[0] == " " else " " + text


_ARRAY_STYLES = frozenset({"+", "hex", "rational", "shortEng", "longEng"})


def _odd(x: float, zero: str, width: int) -> str:
    if x == 0:
        return zero
    return ("NaN" if x != x else "Inf" if x > 0 else "-Inf").rjust(width)


def _scaled(values: np.ndarray, exponent: int) -> np.ndarray:
    """Return the values over 10^exponent, exact for the powers that a double holds."""
    if abs(exponent) <= 22:
        power = 10.0 ** abs(exponent)
        return values / power if exponent > 0 else values * power
    if exponent < -300:
        return values * 1e300 * 10.0 ** (-exponent - 300)
    return values / float(f"1e{exponent}")


def complex_texts(values: np.ndarray, fmt: NumberFormat) -> list[str]:
    """Return the text of each element of a complex array, column-major: ``   3.0000 + 4.0000i``."""
    flat = np.ravel(values, order="F")
    if (fmt.conversion == "f" and not fmt.imaginary_width) or fmt.conversion == "+":
        return real_texts(flat.real, fmt)  # bank and + show the real part only
    real = real_texts(flat.real, fmt)
    imaginary = flat.imag
    if fmt.conversion == "hex":
        return [f"{r}{i}i" for r, i in zip(real, real_texts(imaginary, fmt), strict=True)]
    if fmt.conversion == "rat":
        texts = [t.strip() for t in real_texts(np.abs(imaginary), fmt)]
        real = [t.rstrip() for t in real]
        negative = np.signbit(imaginary)
    else:
        texts = real_texts(np.abs(imaginary), fmt, fmt.imaginary_width)
        negative = np.signbit(imaginary) & (imaginary != 0)
    negative &= ~np.isnan(imaginary)
    signs = ["-" if n else "+" for n in negative.tolist()]
    pairs = [f"{r} {s}{t}i" for r, s, t in zip(real, signs, texts, strict=True)]
    if fmt.conversion == "rat":
        pairs = [f"{r} {s} {t}i" for r, s, t in zip(real, signs, texts, strict=True)]
        widest = max(map(len, pairs), default=0)
        return [p.rjust(widest) for p in pairs]
    return pairs


def element_texts(values: np.ndarray, fmt: NumberFormat) -> list[str]:
    """Return the text of each element in column-major order, all of one width."""
    if np.iscomplexobj(values):
        return complex_texts(values, fmt)
    return real_texts(values, fmt)


def _hex_texts(values: np.ndarray, fmt: NumberFormat) -> list[str]:
    size = values.dtype.itemsize
    bits = np.ascontiguousarray(values).view(f"u{size}").copy()
    # MATLAB's NaN has its sign bit set
    bits[np.isnan(values)] = 0xFFF8 << 48 if size == 8 else 0xFFC0 << 16
    return [f"{word:0{2 * size}x}" for word in bits.tolist()]


def _plus_texts(values: np.ndarray, fmt: NumberFormat) -> list[str]:
    return [" " if x == 0 else "-" if x < 0 else "+" for x in values.tolist()]


def _engineering_texts(values: np.ndarray, fmt: NumberFormat) -> list[str]:
    return [engineering(x, fmt.digits, fixed=fmt.digits == 5) for x in values.tolist()]


def engineering(x: float, digits: int, fixed: bool) -> str:
    """`x` with an exponent that is a multiple of three.

    Args:
        x: the number.
        digits: significant digits.
        fixed: four digits after the point whatever the exponent (``shortEng``).
    """
    if x - x != 0:
        return "NaN" if x != x else "Inf" if x > 0 else "-Inf"
    from decimal import Decimal  # not needed at start-up

    exponent = decimal_exponent(x, 17)
    for power in (exponent - exponent % 3, exponent - exponent % 3 + 3):
        after = 4 if fixed else digits - 1 - (exponent - power if exponent > power else 0)
        text = f"{Decimal(x).scaleb(-power):.{after}f}"
        if len(text.lstrip("-").partition(".")[0]) <= 3:
            break  # else rounding made a thousand of it
    return f"{text}e{'-' if power < 0 else '+'}{abs(power):03d}"


def _rational_texts(values: np.ndarray, fmt: NumberFormat) -> list[str]:
    from runmat_core.values.format_rational import rational_texts  # `format rat` is rare

    return rational_texts(values)


_SPECIAL = {
    "hex": _hex_texts,
    "+": _plus_texts,
    "eng": _engineering_texts,
    "rat": _rational_texts,
}
