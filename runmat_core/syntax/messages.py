"""What the parser expected and met, in words that a user of MATLAB knows."""

from __future__ import annotations

from runmat_core.syntax.lalr import Token
from runmat_core.syntax.words import CLASS_SECTIONS, CONDITIONS, KEYWORDS, OPENING_OF, PAIRS

_KEYWORDS = KEYWORDS["octave"] | CLASS_SECTIONS | {"arguments"}

#: Words for groups of token kinds: all of a group must be acceptable for its word to be used.
_GROUPS = (
    ("an expression", {"NUMBER", "NAME", "("}),
    ("a name", {"NAME"}),
    ("'='", {"="}),
    ("','", {","}),
    ("')'", {")"}),
    ("']'", {"]"}),
    ("'}'", {"}"}),
    ("'('", {"("}),
    ("the end of the statement", {"EOS"}),
)
_OPERAND_KINDS = {"NAME", "NUMBER", "INTEGER", "CHAR", "STRING", "HANDLE", "META", "SUPER"}


def describe(token: Token, after: Token | None = None) -> str:
    """Return the token as a user sees it; for what the lexer inserted, the token `after` it."""
    kind = token.kind
    if kind == "EOS" and token.text == "" and after is not None:
        return describe(after)
    if kind == "$END":
        return "end of the file"
    if kind == "EOS":
        return "','" if token.text == "," else "end of the line"
    if kind == "SEMI":
        return "';'"
    if kind in ("NAME", "CATCH_NAME"):
        return f"name '{token.text}'"
    if kind in ("NUMBER", "INTEGER"):
        return f"number {token.text}"
    if kind in ("CHAR", "STRING"):
        return "text literal"
    if kind == "COMMAND":
        return f"command '{token.text[0]}'"
    if kind in _KEYWORDS:
        return f"keyword '{kind}'"
    literal = {"HANDLE": "function handle", "META": "class query", "TARGETS": "'['", "@": "'@'"}
    return literal.get(kind, f"'{token.text}'")


def expectations(kinds: frozenset[str], tokens: list[Token], position: int) -> tuple[str, ...]:
    """Words for the token kinds that could have come, the most helpful first."""
    closing = _closing(tokens, position)
    kinds -= OPENING_OF.keys() - {closing}  # states are shared by all kinds of brackets
    if {"PLUS", "TIMES"} <= kinds:  # after an operand
        ends = ("','", f"'{closing}'") if closing else ("the end of the statement",)
        return "an operator", *ends
    found: list[str] = []
    for word, group in _GROUPS:
        if group <= kinds and not ("an expression" in found and word != "an expression"):
            found.append(word)
    if not found:
        found += [f"'{word}'" for word in sorted(kinds & _KEYWORDS)]
    return tuple(found[:5])


def _closing(tokens: list[Token], position: int) -> str:
    """Return what closes the innermost bracket that is open before `position`, empty for none."""
    depth = 0
    while position > 0:
        position -= 1
        kind = tokens[position].kind
        if kind in ("SEMI", "EOS"):
            return ""
        if kind in OPENING_OF:
            depth += 1
        elif kind in PAIRS or kind == "TARGETS":
            if depth == 0:
                return PAIRS.get(kind, "]")
            depth -= 1
    return ""


def hint(tokens: list[Token], position: int) -> str:
    """Advice for the mistakes that are made most often."""
    token = tokens[position]
    start = position
    while start > 0 and tokens[start - 1].kind not in ("SEMI", "EOS"):
        start -= 1
    opening = tokens[start].kind
    if token.kind == "=" and opening in CONDITIONS:
        return "Use '==' to compare; '=' assigns."
    if token.kind == "=" and any(earlier.kind == "=" for earlier in tokens[start:position]):
        return "Write two statements; an assignment has no value."
    if token.kind == "=":
        return "Only a variable, its elements and its fields can be assigned to."
    if token.kind in ("else", "elseif"):
        return f"'{token.kind}' belongs to an 'if'; is there an 'end' too many before it?"
    if token.kind in ("case", "otherwise"):
        return f"'{token.kind}' belongs to a 'switch'."
    if token.kind == "catch":
        return "'catch' belongs to a 'try'."
    if token.kind in ("EOS", "SEMI") and position and tokens[position - 1].kind in _BINARY_KINDS:
        return "An expression that goes on in the next line needs '...' at the end of this one."
    if token.kind in _OPERAND_KINDS and position and tokens[position - 1].kind in _OPERAND_KINDS:
        return "Is an operator, a comma or a quote missing between the two?"
    return ""


_BINARY_KINDS = {"PLUS", "TIMES", "POWER", "COMPARE", "OR", "AND", "OR_ELSE", "AND_ALSO", "=", ":"}
