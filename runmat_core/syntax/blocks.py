"""Which ``end`` closes what: every function gets its end, and imbalance is explained here.

Functions may omit their ``end`` if all functions of the file do. Which of the two a file does is
told by counting, before parsing; where it omits them, ends are inserted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from runmat_core.syntax.lalr import Token
from runmat_core.syntax.words import CLASS_SECTIONS, OPENERS

_OPENING = (OPENERS | CLASS_SECTIONS | {"arguments"}) - {"do"}

#: Raises a syntax error: reason, token, hint, is more input awaited.
Fail = Callable[[str, Token, str, bool], NoReturn]


def balance(tokens: list[Token], fail: Fail) -> list[Token]:
    """`tokens` with an ``end`` for every function; `fail` is called on imbalance."""
    functions = sum(token.kind == "function" for token in tokens)
    others = sum(token.kind in _OPENING for token in tokens) - functions
    ends = sum(token.kind == "end" for token in tokens)
    spelled = any(token.text == "endfunction" for token in tokens if token.kind == "end")
    ended = spelled or any(token.kind == "classdef" for token in tokens)
    if functions and not ended and abs(ends - others) < abs(ends - others - functions):
        tokens = _end_functions(tokens)
    _check(tokens, fail)
    return tokens


def _end_functions(tokens: list[Token]) -> list[Token]:
    """Insert an ``end`` before every function but the first, and at the end of the file."""
    result: list[Token] = []
    inside = False
    for token in tokens:
        if token.kind in ("function", "$END"):
            if inside:
                last = result[-1]
                at = Token("end", "", last.line, last.end_column, last.end_column)
                result.append(at)
            inside = True
        result.append(token)
    return result


def _check(tokens: list[Token], fail: Fail) -> None:
    open_blocks: list[Token] = []
    for token in tokens:
        if token.kind in _OPENING:
            open_blocks.append(token)
        elif token.kind == "end":
            if not open_blocks:
                fail("This 'end' closes nothing.", token, "Remove it, or look for a missing block.", False)
            opener = open_blocks.pop()
            if token.text == "" and opener.kind != "function":
                _missing(opener, open_blocks, fail)
    if open_blocks:
        _missing(open_blocks[-1], open_blocks[:-1], fail)


def _missing(opener: Token, outer: list[Token], fail: Fail) -> NoReturn:
    fail(
        f"The '{opener.kind}' of line {opener.line} has no 'end'.",
        opener,
        "Add the missing 'end'.",
        True,
    )
