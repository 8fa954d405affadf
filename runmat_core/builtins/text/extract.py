"""Extracting what matches."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.edit import no_text, position_of
from runmat_core.builtins.text.marks import marker
from runmat_core.builtins.text.split import stacked
from runmat_core.builtins.text.support import container_shape, row, string_of, text_list
from runmat_core.values import StringArray
from runmat_core.values.construct import cell as cell_of


@builtin("extract", family="text/edit", effects="pure")
def extract(subject: Any, mark: Any) -> Any:
    """The parts of text that match.

    newStr = extract(str, pat) returns every occurrence of a text or of a pattern, one below the
    other. The occurrences in an array go along a new dimension.
    newStr = extract(str, pos) returns the character at a position.

    Examples:
        >> extract("a1 b22", lettersPattern + digitsPattern)
        ans =
          2×1 string array
            "a1"
            "b22"
        >> extract("abc", 2)
        ans =
            "b"

    See also: extractBetween, digitsPattern, count, split.
    """
    error = no_text("extract")
    texts = text_list(subject, error)
    position = position_of(mark, "extract")
    if position is not None:
        if any(position > len(text) for text in texts):
            raise MatlabError(
                "MATLAB:string:PositionOutOfRange",
                "Numeric value exceeds the number of characters in element 1.",
            )
        found = [text[position - 1] for text in texts]
        shape = container_shape(subject)
        if isinstance(subject, StringArray):
            return string_of(found, shape)
        return cell_of([row(piece) for piece in found], shape)
    places = marker(mark, error)
    return stacked(subject, [[text[a:b] for a, b in places(text)] for text in texts], None)
