"""The lexer's state, and what every part of it does: emit tokens, end statements, report errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import attrs

from runmat_core.syntax import words
from runmat_core.syntax.errors import MatlabSyntaxError
from runmat_core.syntax.lalr import Token

#: After these a statement end says nothing, so none is emitted.
_NEEDS_NO_END = {
    "SEMI",
    "EOS",
    "end",
    "else",
    "try",
    "otherwise",
    "do",
    "catch",
    "CATCH_NAME",
    "unwind_protect",
    "unwind_protect_cleanup",
}
#: What ends in these is indexed by MATLAB; what ends in ``)`` only if that ends a field's name.
_INDEXABLE = {"NAME", "}", "SUPER"}
_DECLARES = {"function", "global", "persistent"}


@attrs.define
class Bracket:
    """An open bracket, opened by token number `token`.

    `matrix`: blanks separate and newlines end rows. `subscript`: ``end`` is legal in it. `targets`:
    it starts a statement. `parameters`: of an anonymous function. `dynamic`: it holds the name of
    a field. `body`: an anonymous function's body is being read, where Octave takes ``x +1`` for a
    sum; MATLAB documents blanks as separators there too.
    """

    sign: str
    line: int
    column: int
    token: int
    matrix: bool
    subscript: bool
    targets: bool = False
    parameters: bool = False
    dynamic: bool = False
    body: bool = False


class Scanner:
    """A source text and how far it has been read."""

    def __init__(
        self,
        source: str,
        filename: str = "",
        dialect: str = "matlab",
        variables: frozenset[str] = frozenset(),
    ) -> None:
        self.text = source if source.endswith("\n") else source + "\n"
        self.filename = filename
        self.octave = dialect == "octave"
        self.dotted = words.DOTTED[dialect]
        self.keywords = words.KEYWORDS[dialect]
        self.comment_signs = words.COMMENT_SIGNS[dialect]
        self.known = variables
        self.assigned = set(variables)  # names that no command can start with
        self.outer_assigned: list[set[str]] = []
        self.tokens: list[Token] = []
        self.comments: dict[int, str] = {}  # comment lines by line number
        self.brackets: list[Bracket] = []
        self.blocks: list[str] = []  # keywords of the open blocks
        self.position = 0
        self.line = 1
        self.line_start = 0
        self.first = 0  # index of the statement's first token
        self.equals = -1  # index of the last "=" outside of brackets
        self.starting = True  # the next token starts a statement
        self.operand = False  # the last token ends an operand
        self.indexable = False  # and MATLAB lets it be indexed
        self.blank = False  # a blank stands before the next token
        self.continued = False  # a continuation stands before the next token
        self.matrix = False  # the innermost bracket is a matrix or cell literal
        self.subscripts = 0  # how many open brackets are subscripts
        self.prologue = False  # between a function's header and its first statement

    # -- tokens -----------------------------------------------------------------------------------

    def last_kind(self) -> str:
        """Return the kind of the last token of this statement, empty at its start."""
        return "" if self.starting or not self.tokens else self.tokens[-1].kind

    def emit(self, kind: str, text: object, start: int, operand: bool) -> None:
        line_start = self.line_start
        self.tokens.append(
            Token(kind, text, self.line, start - line_start, self.position - line_start)
        )
        self.operand = operand
        self.indexable = kind in _INDEXABLE
        if self.starting:
            self.starting = self.prologue = False
            self.first = len(self.tokens) - 1

    def emit_operand(self, kind: str, text: object, start: int) -> None:
        """Emit what starts and ends an operand, with a separator before it where one is due."""
        if self.operand:
            self.separate(start)
        self.emit(kind, text, start, True)

    def separate(self, start: int) -> None:
        """Separate an operand that follows an operand: a new element, or a new statement."""
        if self.matrix:
            if self.blank:
                self.insert(",", ",", start)
                self.brackets[-1].body = False
        elif not self.brackets and self.tokens[self.first].kind in words.HEADERS:
            self.terminate("EOS", "", start)

    def insert(self, kind: str, text: str, start: int) -> None:
        """Emit a token that takes no space in the source."""
        column = start - self.line_start
        self.tokens.append(Token(kind, text, self.line, column, column))
        self.operand = False

    def terminate(self, kind: str, text: str, start: int) -> None:
        """End the statement; what follows starts another."""
        tokens = self.tokens
        if tokens and tokens[-1].kind not in _NEEDS_NO_END:
            self.insert(kind, text, start)
            opening = tokens[self.first].kind
            self.prologue = opening == "function"
            if opening in _DECLARES:
                self.assigned.update(self._declared(tokens[self.first :]))
        self.starting = True
        self.operand = False

    def _declared(self, statement: list[Token]) -> Iterator[str]:
        """Yield the variables that a declaration names; a function may call itself as a command."""
        header = statement[0].kind == "function"
        kinds = [token.kind for token in statement]
        before = kinds[: kinds.index("(")] if "(" in kinds else kinds
        own = before.index("=") + 1 if "=" in before else 1
        for place, token in enumerate(statement):
            if token.kind == "NAME" and not (header and place == own):
                yield token.text

    def count_lines(self, start: int) -> None:
        """Step over the newlines between `start` and here, inside one token."""
        lines = self.text.count("\n", start, self.position)
        if lines:
            self.line += lines
            self.line_start = self.text.rindex("\n", start, self.position) + 1

    # -- errors -----------------------------------------------------------------------------------

    def fail(
        self,
        reason: str,
        start: int,
        *,
        hint: str = "",
        incomplete: bool = False,
        identifier: str = "MATLAB:m_invalid_syntax",
    ) -> NoReturn:
        """Raise the error `reason` at offset `start`."""
        line_start = self.text.rfind("\n", 0, start) + 1
        raise MatlabSyntaxError(
            reason,
            filename=self.filename,
            line=self.text.count("\n", 0, start) + 1,
            column=start - line_start + 1,
            source_line=self.text[line_start : self.text.index("\n", start)],
            hint=hint,
            incomplete=incomplete,
            identifier=identifier,
        )

    def fail_octave(self, construct: str, instead: str, start: int) -> NoReturn:
        """`construct` is legal in the octave dialect only."""
        self.fail(
            f"{construct} is Octave syntax, and the dialect is MATLAB.",
            start,
            hint=f'{instead}, or set dialect = "octave".',
            identifier="MATLAB:m_octave_syntax",
        )

    def fail_unclosed(self, *, incomplete: bool = False) -> NoReturn:
        """Return the innermost bracket is open where it cannot be."""
        bracket = self.brackets[-1]
        raise MatlabSyntaxError(
            f"The '{bracket.sign}' opened on line {bracket.line}, column {bracket.column + 1} "
            "is not closed.",
            filename=self.filename,
            line=bracket.line,
            column=bracket.column + 1,
            source_line=self.text.split("\n", bracket.line)[bracket.line - 1],
            hint=f"Add '{words.PAIRS[bracket.sign]}', or '...' where the line is to go on.",
            incomplete=incomplete,
            identifier="MATLAB:m_missing_bracket",
        )
