"""The printf family: formats filled with MATLAB values."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array
from runmat_core.values.char import CharArray
from runmat_core.values.printf_format import Conversion, Format, check_width, parse_format

#: One datum for a conversion: a number, or text that ``%s`` takes whole.
Unit = float | int | str

#: Doubles from here on are no code points.
_CODE_LIMIT = 0x110000


def sprintf(format: str, args: Sequence[Any]) -> str:
    """`format` with its conversions filled from `args`, recycled until the data are used up.

    Args:
        format: as the user wrote it; escapes are processed.
        args: MATLAB values; arrays give their elements in column-major order.

    Raises:
        MatlabError: an argument is a cell, struct or other container.
    """
    parsed = parse_format(format)
    if parsed.template is not None:
        text = _fast(parsed, args)
        if text is not None:
            return text
    if not parsed.conversions:
        for arg in args:
            _units(arg)  # containers are an error even when nothing takes them
        return "".join([piece for piece in parsed.pieces if isinstance(piece, str)])
    units = [unit for arg in args for unit in _units(arg)]
    if any(isinstance(p, Conversion) and p.position for p in parsed.pieces):
        return _positional(parsed, units)
    if not units:
        return _without_data(parsed, bool(args))
    return _recycled(parsed, units)


def _fast(parsed: Format, args: Sequence[Any]) -> str | None:
    """Return the result when every datum suits its conversion and the passes come out even."""
    kinds, template = parsed.kinds, parsed.template
    assert template is not None
    if len(args) == len(kinds):
        values: list[float | str] = []
        for kind, arg in zip(kinds, args, strict=True):
            if type(arg) is float:
                if arg - arg != 0 or kind == "s" or (kind in "di" and arg % 1):
                    return None
                values.append(arg)
            elif kind == "s" and arg.__class__ is CharArray and arg.is_row:
                values.append(arg.text())
            else:
                break
        else:
            return template % tuple(values)
    if not kinds or "s" in kinds:
        return None
    return _fast_array(parsed, args)


def _fast_array(parsed: Format, args: Sequence[Any]) -> str | None:
    """One numeric array whose elements suit the conversions."""
    if len(args) != 1 or args[0].__class__ is not Array:
        return None
    data = args[0].data
    if data.dtype.kind not in "fiu" or not data.size:
        return None
    kinds, count = parsed.kinds, len(parsed.kinds)
    flat = data.ravel(order="F")
    if flat.size % count:
        return None
    if flat.dtype.kind == "f":
        if not np.isfinite(flat).all():
            return None
        for position, kind in enumerate(kinds):
            part = flat[position::count]
            if kind in "di" and not (part == np.trunc(part)).all():
                return None
    assert parsed.template is not None
    passes: str = parsed.template * (flat.size // count)
    return passes % tuple(flat.tolist())


def _units(value: Any) -> list[Unit]:
    """Return the data that a value gives, in column-major order."""
    if isinstance(value, bool):
        return [int(value)]
    if isinstance(value, float):
        return [value]
    if isinstance(value, complex):
        return [value.real]
    class_name = value.class_name
    if class_name == "char":
        return [value.text()]
    if class_name == "string":
        items = value.data.ravel(order="F").tolist()
        return [item if isinstance(item, str) else "<missing>" for item in items]
    own = getattr(value, "shown_texts", None)
    if own is not None:
        texts: list[Unit] = own()
        return texts
    data: Any = getattr(value, "data", None)
    if getattr(value, "is_sparse", False):
        data = data.toarray()
    if not isinstance(data, np.ndarray) or data.dtype.kind == "O":
        raise MatlabError(
            "MATLAB:printf:invalidInputType",
            f"Function is not defined for '{class_name}' inputs.",
        )
    flat = data.real.ravel(order="F")
    if flat.dtype == np.bool_:
        flat = flat.astype(np.uint8)
    numbers: list[Unit] = flat.tolist()
    return numbers


def _without_data(parsed: Format, has_args: bool) -> str:
    """Return the format once: up to the first conversion, or with empty data all of it."""
    out = []
    for piece in parsed.pieces:
        if isinstance(piece, str):
            out.append(piece)
        elif not has_args:
            break
        elif piece.kind in "sc" and piece.width and piece.width > 0:
            out.append(" " * piece.width)
    return "".join(out)


class _Data:
    """The data not yet used."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._position = 0
        self._rest = ""  # of a text that a conversion took one character of

    @property
    def is_used_up(self) -> bool:
        return self._position >= len(self._units) and not self._rest

    def next_text(self) -> Unit:
        """Return the next datum for ``%s``: a whole text or a number."""
        if self._rest:
            text, self._rest = self._rest, ""
            return text
        unit = self._units[self._position]
        self._position += 1
        return unit

    def next_element(self) -> Unit | None:
        """Return the next number or single character; None when only empty texts were left."""
        while not self.is_used_up:
            unit = self.next_text()
            if not isinstance(unit, str):
                return unit
            if unit:
                self._rest = unit[1:]
                return unit[0]
        return None


def _recycled(parsed: Format, units: Sequence[Unit]) -> str:
    data = _Data(units)
    out: list[str] = []
    while not data.is_used_up:
        for piece in parsed.pieces:
            if isinstance(piece, str):
                out.append(piece)
            elif data.is_used_up:
                return "".join(out)
            else:
                text = _next(piece, data)
                if text is None:
                    return "".join(out)
                out.append(text)
    return "".join(out)


def _next(conversion: Conversion, data: _Data) -> str | None:
    """Return the text of a conversion with the next data; None when they ran out."""
    width, precision = conversion.width, conversion.precision
    flags = conversion.flags
    if width == -1:
        star = data.next_element()
        width = None if star is None else _extent(star)
        if width is not None and width < 0:
            width, flags = -width, flags + "-"
    if precision == -1:
        star = data.next_element()
        precision = None if star is None else _extent(star)
        if precision is not None and precision < 0:
            precision = None
    check_width(width, precision)
    if data.is_used_up:
        return None if (conversion.width == -1 or conversion.precision == -1) else ""
    unit = data.next_text() if conversion.kind == "s" else data.next_element()
    if unit is None:
        return ""
    return convert(conversion, unit, width, precision, flags)


def _positional(parsed: Format, units: Sequence[Unit]) -> str:
    """Return a format with ``%2$s``: one pass, each conversion with the datum it names."""
    out, following = [], 0
    for piece in parsed.pieces:
        if isinstance(piece, str):
            out.append(piece)
            continue
        following = piece.position or following + 1
        if following > len(units):
            break
        out.append(convert(piece, units[following - 1], piece.width, piece.precision, piece.flags))
    return "".join(out)


def _as_number(unit: Unit) -> float | int:
    return ord(unit[0]) if isinstance(unit, str) else unit


def _extent(unit: Unit) -> int:
    """Return a width or precision that comes as an argument."""
    number = _as_number(unit)
    return int(number) if number - number == 0 else 0


def convert(
    conversion: Conversion, unit: Unit, width: int | None, precision: int | None, flags: str
) -> str:
    """Return the text of one datum, by another conversion if the given one does not suit it."""
    kind = conversion.kind
    if kind in "sc":
        if isinstance(unit, str):
            return _text(unit, conversion, width, precision, flags)
        if float(unit).is_integer() and 0 <= unit < _CODE_LIMIT:
            return _text(chr(int(unit)), conversion, width, precision, flags)
        return _number(unit, "e", conversion, width, precision, flags)
    number = _as_number(unit)
    if conversion.size:
        return _bits(number, conversion)
    if kind in "diuoxX":
        if (isinstance(number, float) and not number.is_integer()) or (
            kind in "oxX" and number < 0
        ):
            kind = "e"
        else:
            number = int(number)
            kind = "d" if kind in "iu" else kind
    return _number(number, kind, conversion, width, precision, flags)


def _text(
    text: str, conversion: Conversion, width: int | None, precision: int | None, flags: str
) -> str:
    if precision is not None and conversion.kind == "s":
        text = text[:precision]
    if width is None:
        return text
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _number(
    number: float | int,
    kind: str,
    conversion: Conversion,
    width: int | None,
    precision: int | None,
    flags: str,
) -> str:
    if isinstance(number, float) and number - number != 0:
        text = "NaN" if number != number else "Inf" if number > 0 else "-Inf"
        if "+" in flags and number > 0:
            text = "+Inf"
        return _text(text, Conversion("s"), width, None, flags)
    if kind in "aA":
        return _hexadecimal_float(float(number), kind, width, flags)
    if kind == "o" and "#" in flags:  # C's prefix for octal is a lone zero
        text = f"0{int(number):o}"
        return _text(text, Conversion("s"), width, None, flags)
    return conversion.spec(kind, width, precision, flags) % number


def _hexadecimal_float(number: float, kind: str, width: int | None, flags: str) -> str:
    mantissa, _, exponent = number.hex().partition("p")
    text = f"{mantissa.rstrip('0').rstrip('.')}p{exponent}"
    return _text(text.upper() if kind == "A" else text, Conversion("s"), width, None, flags)


def _bits(number: float | int, conversion: Conversion) -> str:
    """``%bx`` and ``%tx``: the bits of the number as a double or single."""
    pack, unpack, digits = (">d", ">Q", 16) if conversion.size == "b" else (">f", ">I", 8)
    bits = struct.unpack(unpack, struct.pack(pack, float(number)))[0]
    if conversion.kind in "xX":
        return f"{bits:0{digits}{conversion.kind}}"
    return f"{bits:o}" if conversion.kind == "o" else str(bits)
