"""sscanf, and the shaping of scanned values that it shares with fscanf."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.scan import Directive, Scan, parse_format, scan
from runmat_core.builtins.text.support import (
    scalar_text,
)
from runmat_core.values import CharArray, char, from_numpy, to_numpy
from runmat_core.values.char import decode, encode
from runmat_core.values.printf_format import unescape


def read_size(function: str, size: Any) -> tuple[float, int | None, float | None]:
    """Return the limit, and rows and columns of a matrix: Inf, n, [m n] or [m Inf]."""
    if size is None:
        return float("inf"), None, None
    numbers = [float(n) for n in to_numpy(size).ravel(order="F")]
    if len(numbers) == 1:
        return numbers[0], None, None
    if len(numbers) != 2 or not np.isfinite(numbers[0]):
        raise MatlabError(
            f"MATLAB:{function}:invalidSize", "Size must be Inf, n, [m n], or [m Inf]."
        )
    return numbers[0] * numbers[1], int(numbers[0]), numbers[1]


def shaped(result: Scan, directives: list[Directive], rows: int | None) -> Any:
    """Return the values as MATLAB returns them: char where only text was asked for, else double."""
    kept = [d for d in directives if d.kind not in ("literal", "space") and not d.skip]
    only_text = bool(kept) and all(d.is_text for d in kept)
    numbers: Any = result.values
    if any(d.is_text for d in kept):
        numbers = []
        for value in result.values:
            if isinstance(value, str):
                numbers.extend(map(float, encode(value).ravel()))
            else:
                numbers.append(value)
    if only_text and rows is None:
        return char(decode(np.array(numbers, dtype=np.uint16)))
    if not len(numbers):
        return from_numpy(np.zeros((0, 0)))
    kind = _class(kept)
    if kind is not np.float64:
        limits = np.iinfo(kind)
        numbers = np.array([min(max(n, limits.min), limits.max) for n in numbers], kind)
    if rows is None:
        array = np.array(numbers, kind).reshape(-1, 1)
    else:
        columns = -(-len(numbers) // rows) if rows else 0
        flat = np.zeros(rows * columns, kind)
        flat[: len(numbers)] = numbers
        array = flat.reshape((rows, columns), order="F")
    if only_text:
        return CharArray(array.astype(np.uint16, order="F"))
    return from_numpy(array)


def _class(kept: list[Directive]) -> type[Any]:
    """Return the type of numbers: of 64 bits where all are asked for as such, else double."""
    if not kept or not all(d.long for d in kept):
        return np.float64
    return np.int64 if any(d.kind in "di" for d in kept) else np.uint64


@builtin("sscanf", family="text/scan", nargin=(2, 3), nargout=4, needs=("nargout",))
def sscanf(text: Any, format_: Any, size: Any = None, *, nargout: int) -> Any:
    """Read data from text.

    A = sscanf(str, formatSpec) applies the format to the text again and again. Conversions: %d %i
    %u %o %x %f %e %g for numbers, %s %c %[...] for text, %*... to skip, a width before the letter;
    %ld and %lu read integers of 64 bits.
    A = sscanf(str, formatSpec, sizeA) reads at most Inf, n or [m n] elements.
    [A, n, errmsg, nextindex] = sscanf(...) tells how many conversions succeeded and where it
    stopped.

    Examples:
        >> sscanf('3 4 5', '%d')'
        ans =
             3     4     5
        >> sscanf('x=2.5', 'x=%f')
        ans =
            2.5000

    See also: fscanf, textscan, str2double, sprintf.
    """
    error = MatlabError(
        "MATLAB:sscanf:invalidInput", "First argument must be a character vector or string scalar."
    )
    subject = scalar_text(text, error)
    directives = parse_format(unescape(scalar_text(format_, error)))
    limit, rows, _ = read_size("sscanf", size)
    result = scan(subject, directives, limit)
    array = shaped(result, directives, rows)
    if nargout < 2:
        return array
    message = "" if result.matched else "Matching failure in format."
    outputs = (
        array,
        float(result.count),
        char(message),
        float(result.position + 1),
    )
    return outputs[:nargout]
