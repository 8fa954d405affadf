"""The display settings of a session, as the ``format`` command changes them."""

from __future__ import annotations

from typing import Literal

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple

Style = Literal[
    "short", "long", "shortE", "longE", "shortG", "longG", "shortEng", "longEng",
    "+", "bank", "hex", "rational",
]  # fmt: skip
Spacing = Literal["loose", "compact"]

#: Names that ``format`` takes, without blanks and in lower case, and the style they select.
STYLE_OF_NAME: dict[str, Style] = {
    "short": "short",
    "long": "long",
    "shorte": "shortE",
    "longe": "longE",
    "shortg": "shortG",
    "longg": "longG",
    "shorteng": "shortEng",
    "longeng": "longEng",
    "+": "+",
    "bank": "bank",
    "hex": "hex",
    "rat": "rational",
    "rational": "rational",
}


class DisplayFormat(NamedTuple):
    """How values are shown.

    Attributes:
        style: the numeric format.
        spacing: ``loose`` separates with blank lines, ``compact`` does not.
        true_false: show logicals as ``true`` and ``false`` (`formattedDisplayText` only).
        width: columns of the command window; wider rows are split by column.
    """

    style: Style = "short"
    spacing: Spacing = "loose"
    true_false: bool = False
    width: int = 80

    @property
    def blank(self) -> str:
        """A blank line where the spacing is loose, nothing where it is compact."""
        return "\n" if self.spacing == "loose" else ""

    def changed(self, *names: str) -> DisplayFormat:
        """Return the format after ``format NAME``, in MATLAB's spellings (``long g``, ``longG``).

        Raises:
            MatlabError: a name is no format.
        """
        if not names:
            return DisplayFormat()
        # the letter of `format long g` may come as an argument of its own
        words = ["".join(names)] if len(names) > 1 else list(names)
        result = self
        for word in words:
            key = word.replace(" ", "").lower()
            if key in STYLE_OF_NAME:
                result = result._replace(style=STYLE_OF_NAME[key])
            elif key == "loose":
                result = result._replace(spacing="loose")
            elif key == "compact":
                result = result._replace(spacing="compact")
            elif key == "default":
                result = DisplayFormat()
            else:
                raise MatlabError(
                    "MATLAB:format:UnknownFormatOption", f"Unknown command option '{word}'."
                )
        return result


#: The settings of a new session.
DEFAULT_FORMAT = DisplayFormat()


class FormatSetting:
    """The display settings of one session: ``interp.state("format", FormatSetting)``."""

    __slots__ = ("current",)

    def __init__(self, current: DisplayFormat = DEFAULT_FORMAT) -> None:
        self.current = current
