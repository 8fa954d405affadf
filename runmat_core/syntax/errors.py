"""Errors in MATLAB source."""

from __future__ import annotations

from runmat_core.api.errors import MatlabError


class MatlabSyntaxError(MatlabError):
    """Source that is not MATLAB.

    Attributes:
        reason: what is wrong, in one sentence.
        filename: the file, empty for text typed in.
        line: counts from one.
        column: counts from one.
        source_line: the line of the source, without its end.
        expected: what could have stood there, in words.
        incomplete: the source ended too early; more lines may mend it.
    """

    def __init__(
        self,
        reason: str,
        *,
        filename: str = "",
        line: int = 0,
        column: int = 0,
        source_line: str = "",
        expected: tuple[str, ...] = (),
        hint: str = "",
        incomplete: bool = False,
        identifier: str = "MATLAB:m_invalid_syntax",
    ) -> None:
        self.reason = reason
        self.filename = filename
        self.line = line
        self.column = column
        self.source_line = source_line
        self.expected = expected
        self.incomplete = incomplete
        super().__init__(identifier, self._report(), hint=hint)

    @property
    def summary(self) -> str:
        """What is wrong and what was expected, on one line."""
        if not self.expected:
            return self.reason
        return f"{self.reason} Expected {_alternatives(self.expected)}."

    def _report(self) -> str:
        place = f"File: {self.filename} " if self.filename else ""
        text = f"{place}Line: {self.line} Column: {self.column}\n{self.summary}"
        if self.source_line.strip():
            excerpt, at = _excerpt(self.source_line, self.column - 1)
            text += f"\n    {excerpt}\n    {' ' * at}^"
        return text


def _alternatives(words: tuple[str, ...]) -> str:
    if len(words) == 1:
        return words[0]
    return ", ".join(words[:-1]) + " or " + words[-1]


def _excerpt(line: str, column: int, width: int = 100) -> tuple[str, int]:
    """Return the part of a long line around `column`, and where `column` is in it."""
    line = line.replace("\t", " ")
    if len(line) <= width:
        return line, column
    begin = max(0, min(column - width // 2, len(line) - width))
    return line[begin : begin + width], column - begin
