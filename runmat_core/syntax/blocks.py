"""Which ``end`` closes what: every function gets its end, and imbalance is explained here.

Functions may omit their ``end`` if all functions of the file do. Which of the two a file does is
told by counting, before parsing; where it omits them, ends are inserted.
"""

from __future__ import annotations

from typing import NoReturn, Protocol

from runmat_core.syntax.lalr import Token
from runmat_core.syntax.words import CLASS_SECTIONS, OCTAVE_ENDS, OPENERS

_OPENING = OPENERS | CLASS_SECTIONS | {"arguments"}
_LOOPS = {"for", "parfor", "while", "do"}
#: What a function may stand in.
_HOLDS_FUNCTIONS = {"function", "methods"}


class Fail(Protocol):
    """Raises a syntax error at a token."""

    def __call__(
        self, reason: str, token: Token, hint: str = "", incomplete: bool = False
    ) -> NoReturn: ...


def balance(tokens: list[Token], fail: Fail) -> list[Token]:
    """`tokens` with an ``end`` for every function; `fail` is called on imbalance."""
    if not _functions_have_ends(tokens):
        tokens = _end_functions(tokens)
    _Checker(fail).check(tokens)
    return tokens


def _functions_have_ends(tokens: list[Token]) -> bool:
    functions = others = ends = 0
    for token in tokens:
        kind = token.kind
        if kind == "function":
            functions += 1
        elif kind in _OPENING:
            if kind == "classdef":
                return True
            others += 1
        elif kind in ("end", "until"):
            if token.text == "endfunction":
                return True
            ends += 1
    return abs(ends - others - functions) <= abs(ends - others)


def _end_functions(tokens: list[Token]) -> list[Token]:
    """Insert an ``end`` before every function but the first, and at the end of the file."""
    result: list[Token] = []
    inside = False
    for token in tokens:
        if token.kind in ("function", "$END"):
            if inside:
                last = result[-1]
                result.append(Token("end", "", last.line, last.end_column, last.end_column))
            inside = True
        result.append(token)
    return result


class _Checker:
    """Walks the blocks of a file; when one lacks its end, guesses which from the indentation."""

    def __init__(self, fail: Fail) -> None:
        self.fail = fail
        self.open: list[Token] = []
        self.suspect: Token | None = None  # closed by an end that is indented like another block's
        self.else_if: Token | None = None  # ``else if`` on one line opens a second block

    def check(self, tokens: list[Token]) -> None:
        before = tokens[0]
        for token in tokens:
            if token.kind in _OPENING:
                self._open(token, before)
            elif token.kind in ("end", "until"):
                self._close(token, before)
            elif token.kind in ("break", "continue"):
                self._leave_loop(token)
            before = token
        if self.open:
            self._fail_missing(self.open[-1], self.suspect, incomplete=True)

    def _open(self, token: Token, before: Token) -> None:
        outer = self.open[-1].kind if self.open else ""
        if token.kind == "function" and outer and outer not in _HOLDS_FUNCTIONS:
            self._fail_missing(
                self.suspect or self.open[-1],
                None,
                f"a function cannot be defined inside '{outer}'",
            )
        if token.kind == "classdef" and outer:
            self._fail_missing(self.suspect or self.open[-1], None, "a class is a file of its own")
        if token.kind == "if" and before.kind == "else" and before.line == token.line:
            self.else_if = self.else_if or token
        self.open.append(token)

    def _close(self, token: Token, before: Token) -> None:
        if not self.open:
            self.fail(
                f"This '{token.text}' closes nothing.",
                token,
                "Remove it, or look above for a block that is closed twice.",
            )
        opener = self.open.pop()
        if token.text == "":
            if opener.kind != "function":
                self._fail_missing(opener, self.suspect)
            return
        wanted = "do" if token.kind == "until" else OCTAVE_ENDS.get(token.text, opener.kind)
        if wanted != opener.kind or (opener.kind == "do" and token.kind == "end"):
            self.fail(
                f"'{token.text}' cannot close the '{opener.kind}' of line {opener.line}.",
                token,
                f"Close the '{opener.kind}' first.",
            )
        if self.suspect is None and before.line < token.line and opener.column > token.column:
            outer = (block for block in reversed(self.open) if block.column == token.column)
            self.suspect = opener if next(outer, None) else None

    def _leave_loop(self, token: Token) -> None:
        """``break`` and ``continue`` need a loop of the same function around them."""
        blocks = (block.kind for block in reversed(self.open))
        around = next((kind for kind in blocks if kind in _LOOPS or kind == "function"), "")
        if around not in _LOOPS:
            self.fail(
                f"'{token.kind}' is not inside a loop.",
                token,
                "Use 'return' to leave a function or a script.",
            )
        if around == "parfor" and token.kind == "break":
            self.fail(
                "'break' cannot leave a 'parfor' loop, whose iterations have no order.",
                token,
                "Use 'for', or 'continue' to skip the rest of one iteration.",
            )

    def _fail_missing(
        self, opener: Token, suspect: Token | None, why: str = "", incomplete: bool = False
    ) -> NoReturn:
        blamed = suspect or opener
        hint = f"Add the 'end' of this '{blamed.kind}'."
        if self.else_if is not None:
            hint = (
                f"The 'else if' of line {self.else_if.line} needs its own 'end'; 'elseif' does not."
            )
        elif suspect is not None:
            hint += " (The indentation tells that it is this one.)"
        elif blamed.kind == "function":
            hint = "Close all functions of a file with 'end', or none of them."
        if blamed.kind == "do":
            hint = "End it with 'until' and a condition."
        self.fail(
            f"The '{blamed.kind}' of line {blamed.line} has no 'end'"
            + (f": {why}." if why else "."),
            blamed,
            hint,
            incomplete,
        )
