"""Command syntax: ``hold on`` is ``hold('on')``."""

from __future__ import annotations

import re

from runmat_core.syntax.words import BLANKS, INCREMENT, OP_ASSIGN, QUOTED

#: An operator with two operands, longest first.
_BINARY = re.compile(r"==|~=|!=|<=|>=|&&|\|\||\.\*|\./|\.\\|\.\^|\.'|[-+*/\\^<>&|:]|\.(?=[ \t])")
_ENDS = frozenset("\n;,")


def is_command(text: str, position: int, comment: str) -> bool:
    """Is the word that ends at `position`, and starts a statement, a command with arguments?

    MATLAB decides by text: a blank follows the word, and what comes then is neither ``=`` nor
    ``(`` nor an operator with a blank after it.
    """
    found = BLANKS.match(text, position)
    start = found.end() if found is not None else position
    sign = text[start : start + 1]  # empty where a continuation ends the text
    if start == position or not sign or sign in _ENDS or sign in "=(" or sign in comment:
        return False
    if sign == "'" and not QUOTED["'"].match(text, start):
        return False  # a transpose, not a quotation
    if INCREMENT.match(text, start) or OP_ASSIGN.match(text, start):
        return False  # Octave's, whatever the dialect
    operator = _BINARY.match(text, start)
    return operator is None or text[operator.end()] not in " \t\n"


def split_command(text: str, position: int, comment: str) -> tuple[tuple[str, ...], int]:
    """Return the arguments of a command from `position` on, and where they end.

    Blanks separate, quotes group, parentheses and brackets hold commas and blanks together; a
    comma, a semicolon, a comment or the end of the line ends the command.
    """
    words: list[str] = []
    word: list[str] | None = None
    depth = 0
    while position < len(text):
        sign = text[position]
        if sign == "\n" or (depth == 0 and (sign in _ENDS or sign in comment)):
            break
        if depth == 0 and sign in " \t\f\v":
            if word is not None:
                words.append("".join(word))
                word = None
            blanks = BLANKS.match(text, position)
            position = blanks.end() if blanks is not None else position + 1
            continue
        word = [] if word is None else word
        if sign in "'\"":
            piece, position = _quoted(text, position)
            word.append(piece if depth == 0 else sign + piece + sign)
            continue
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        word.append(sign)
        position += 1
    if word is not None:
        words.append("".join(word).rstrip() if depth else "".join(word))
    return tuple(words), position


def _quoted(text: str, position: int) -> tuple[str, int]:
    """Return the quotation that starts at `position`, doubled quotes folded, and where it ends."""
    quote = text[position]
    match = QUOTED[quote].match(text, position)
    if match is None:  # an apostrophe, as in ``disp don't``
        return quote, position + 1
    return match[1].replace(quote * 2, quote), match.end()
