"""MATLAB's regular expressions in Python's syntax.

The two dialects share their core (Perl's). What differs is translated token by token: named tokens
``(?<name>...)``, word anchors ``\\<`` and ``\\>``, ``\\oNNN`` and ``\\x{NN}``, a dot that matches
newlines, anchors that match only at the ends of the text, mode switches in the middle of an
expression, and lookbehind of varying width.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple

_SPACE = r" \f\n\r\t\v"
_CLASS_ESCAPE = {"d": "0-9", "s": _SPACE, "w": r"\w", "D": r"\D", "S": r"\S", "W": r"\W"}
_ESCAPE = {
    "d": "[0-9]",
    "D": "[^0-9]",
    "s": f"[{_SPACE}]",
    "S": f"[^{_SPACE}]",
    "w": r"\w",
    "W": r"\W",
    "<": r"\b(?=\w)",
    ">": r"\b(?<=\w)",
}
_CONTROL = {
    "a": r"\x07",
    "b": r"\x08",
    "e": r"\x1b",
    "f": r"\f",
    "n": r"\n",
    "r": r"\r",
    "t": r"\t",
    "v": r"\v",
}
_POSIX = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": _SPACE,
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
    "word": r"\w",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "print": r"\x20-\x7e",
    "graph": r"\x21-\x7e",
}
_NUMBERED = re.compile(r"o\{([0-7]+)\}|o([0-7]{1,3})|x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,4})")
_MODE = re.compile(r"\(\?([imsx]*)(?:-([imsx]+))?\)")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?")


class Options(NamedTuple):
    """The switches of ``regexp`` that change what an expression means."""

    ignore_case: bool = False
    dot_all: bool = True
    line_anchors: bool = False
    free_spacing: bool = False


_PLAIN = Options()


def pattern_error(expression: str, reason: str) -> MatlabError:
    return MatlabError(
        "MATLAB:regexp:invalidExpression", f"Invalid regular expression '{expression}': {reason}."
    )


@lru_cache(maxsize=512)
def compile_expression(expression: str, options: Options = _PLAIN) -> re.Pattern[str]:
    """Return the compiled Python pattern that means what `expression` means in MATLAB."""
    flags = re.IGNORECASE if options.ignore_case else re.RegexFlag(0)
    flags |= re.DOTALL if options.dot_all else re.RegexFlag(0)
    flags |= re.MULTILINE if options.line_anchors else re.RegexFlag(0)
    translated = _Translator(expression, options).translate()
    try:
        return re.compile(translated, flags)
    except re.error as failure:
        raise pattern_error(expression, failure.msg) from None
    except OverflowError as failure:
        raise pattern_error(expression, str(failure)) from None


class _Translator:
    """One pass over the expression, appending Python syntax to `out`."""

    def __init__(self, expression: str, options: Options) -> None:
        self.source = expression
        self.free_spacing = options.free_spacing
        self.multiline = [options.line_anchors]
        self.at = 0

    def translate(self) -> str:
        result = self.alternatives(nested=False)
        if self.at < len(self.source):
            raise pattern_error(self.source, "unbalanced parenthesis")
        return result

    def alternatives(self, nested: bool) -> str:
        """Everything up to the end or the closing parenthesis, which is left unread."""
        out: list[str] = []
        modes: list[str] = []
        self.multiline.append(self.multiline[-1])
        free_spacing = self.free_spacing
        while self.at < len(self.source):
            char = self.source[self.at]
            if char == ")" and nested:
                break
            if char == "|":
                # a mode switch holds to the end of its group, later branches included
                out.append(")" * len(modes) + "|" + "".join(modes))
                self.at += 1
            elif mode := _MODE.match(self.source, self.at):
                opening = self.mode(mode)
                if opening:
                    modes.append(opening)
                    out.append(opening)
            else:
                out.append(self.item())
        self.multiline.pop()
        self.free_spacing = free_spacing
        return "".join(out) + ")" * len(modes)

    def mode(self, match: re.Match[str]) -> str:
        """Return the opening of the group that carries a switch such as ``(?i)``."""
        on, off = match[1] or "", match[2] or ""
        self.at = match.end()
        if "x" in on + off:
            self.free_spacing = "x" in on
        if "m" in on + off:
            self.multiline[-1] = "m" in on
        on, off = on.replace("x", ""), off.replace("x", "")
        if not on and not off:
            return ""
        return f"(?{on}-{off}:" if off else f"(?{on}:"

    def item(self) -> str:
        """One atom, anchor or quantifier."""
        source, at = self.source, self.at
        char = source[at]
        if char == "\\":
            return self.escape()
        if char == "[":
            return self.character_class()
        if char == "(":
            return self.group()
        self.at += 1
        if char == "$" and not self.multiline[-1]:
            return r"\Z"
        if char == ")":
            raise pattern_error(source, "unbalanced parenthesis")
        if self.free_spacing:
            if char.isspace():
                return ""
            if char == "#":
                end = source.find("\n", at)
                self.at = len(source) if end < 0 else end + 1
                return ""
        if char == "{":
            quantifier = _QUANTIFIER.match(source, at)
            if not quantifier:
                return r"\{"
            self.at = quantifier.end()
            return quantifier[0]
        return r"\}" if char == "}" else char

    def escape(self) -> str:
        """Return a backslash and what it introduces, outside a character class."""
        source = self.source
        if self.at + 1 >= len(source):
            self.at += 1
            return r"\\"
        char = source[self.at + 1]
        if char == "k" and (name := re.compile(r"k<(\w+)>").match(source, self.at + 1)):
            self.at = name.end()
            return f"(?P={name[1]})"
        if char in "123456789":
            number = re.compile(r"\d+").match(source, self.at + 1)
            assert number is not None
            self.at = number.end()
            return rf"(?:\{number[0]})"
        if char in _ESCAPE:
            self.at += 2
            return _ESCAPE[char]
        return self.literal_escape()

    def literal_escape(self) -> str:
        """Return an escape that stands for one character, in or out of a class."""
        if number := _NUMBERED.match(self.source, self.at + 1):
            self.at = number.end()
            octal = number[1] or number[2]
            code = int(octal, 8) if octal else int(number[3] or number[4], 16)
            return re.escape(chr(code))
        char = self.source[self.at + 1]
        self.at += 2
        return _CONTROL.get(char) or re.escape(char)

    def character_class(self) -> str:
        source = self.source
        out = ["["]
        at = self.at + 1
        if at < len(source) and source[at] == "^":
            out.append("^")
            at += 1
        first = True
        while at < len(source) and (source[at] != "]" or first):
            char = source[at]
            posix = re.compile(r"\[:(\w+):\]").match(source, at)
            if posix and posix[1] in _POSIX:
                out.append(_POSIX[posix[1]])
                at = posix.end()
            elif char == "\\" and at + 1 < len(source):
                if source[at + 1] in _CLASS_ESCAPE:
                    out.append(_CLASS_ESCAPE[source[at + 1]])
                    at += 2
                else:
                    self.at = at
                    out.append(self.literal_escape())
                    at = self.at
            else:
                # a single hyphen keeps its meaning; the rest may be set operators to Python one day
                is_range = char == "-" and out[-1] not in ("-", r"\-")
                is_range = is_range and not source.startswith("--", at)
                out.append(char if is_range or char.isalnum() else re.escape(char))
                at += 1
            first = False
        if at >= len(source):
            raise pattern_error(source, "unterminated character class")
        self.at = at + 1
        return "".join(out) + "]"

    def group(self) -> str:
        """Read a parenthesised part: token, lookaround, comment, atomic, conditional."""
        source, at = self.source, self.at
        if source.startswith("(?#", at):
            end = source.find(")", at)
            if end < 0:
                raise pattern_error(source, "unterminated comment")
            self.at = end + 1
            return ""
        if source.startswith(("(??", "(?@"), at):
            raise pattern_error(source, "dynamic expressions are not supported in a pattern")
        for opening in ("(?<=", "(?<!"):
            if source.startswith(opening, at):
                return self.lookbehind(opening)
        if named := re.compile(r"\(\?P?<(\w+)>").match(source, at):
            opening = f"(?P<{named[1]}>"
            self.at = named.end()
        elif plain := re.compile(r"\(\?(?:[:=!>]|[imsx-]+:|\(\w+\))").match(source, at):
            opening = plain[0]
            self.at = plain.end()
        elif source.startswith("(?", at):
            raise pattern_error(source, "unknown extension after '(?'")
        else:
            opening = "("
            self.at += 1
        return opening + self.closed()

    def closed(self) -> str:
        """Return the rest of a group, its closing parenthesis included."""
        body = self.alternatives(nested=True)
        if self.at >= len(self.source):
            raise pattern_error(self.source, "missing closing parenthesis")
        self.at += 1
        return body + ")"

    def lookbehind(self, opening: str) -> str:
        """Lookbehind, where Python wants each branch to have one width.

        Branches become lookbehinds of their own. A repetition at the start of a branch can be
        taken as few times as it allows, since any text may precede it.
        """
        self.at += len(opening)
        body = self.closed()[:-1]
        if opening == "(?<!":
            return "".join(f"(?<!{_shortest_start(branch)})" for branch in _branches(body))
        return look_behind(body)


def look_behind(body: str) -> str:
    """Python's lookbehind for translated syntax, which `_Translator.lookbehind` tells of."""
    return "(?:" + "|".join(f"(?<={_shortest_start(branch)})" for branch in _branches(body)) + ")"


_NAMES = count()


def embedded(expression: str, options: Options) -> str:
    """Return the Python syntax for `expression` as a part of others, whose groups do not count.

    Groups that the expression itself refers to get names that nothing else has.
    """
    compiled = compile_expression(expression, options)
    switches = "".join(
        letter for letter, flag in (("i", re.I), ("m", re.M), ("s", re.S)) if compiled.flags & flag
    )
    names = {number: name for name, number in compiled.groupindex.items()}
    prefix = f"g{next(_NAMES)}_" if _REFERENCE.search(compiled.pattern) else ""
    groups = 0

    def replaced(token: re.Match[str]) -> str:
        nonlocal groups
        if token["group"]:
            groups += 1
            return f"(?P<{prefix}{groups}>" if prefix else "(?:"
        if token["number"]:
            return f"(?P={prefix}{token['number']})"
        if token["name"]:
            place = next(number for number, name in names.items() if name == token["name"])
            return f"(?P={prefix}{place})"
        return token[0]

    body = _TOKEN.sub(replaced, compiled.pattern)
    return f"(?{switches}:{body})" if switches else f"(?:{body})"


_REFERENCE = re.compile(r"\(\?:\\\d+\)|\(\?P=")
#: Openings of groups that count, and what refers to them, in translated syntax.
_TOKEN = re.compile(
    r"\(\?:\\(?P<number>\d+)\)|\(\?P=(?P<name>\w+)\)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?P<group>\((?!\?)|\(\?P<\w+>)",
    re.DOTALL,
)

_ATOM = re.compile(r"(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\()|\[*+?{])", re.DOTALL)


def _branches(body: str) -> list[str]:
    """Split translated syntax at its outermost ``|``."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(body):
        char = body[at]
        if char == "\\":
            at += 1
        elif char == "[":
            atom = _ATOM.match(body, at)
            at = atom.end() - 1 if atom else at
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and not depth:
            parts.append(body[start:at])
            start = at + 1
        at += 1
    return [*parts, body[start:]]


def _shortest_start(branch: str) -> str:
    while atom := _ATOM.match(branch):
        repeat = _QUANTIFIER.match(branch, atom.end())
        if not repeat:
            return branch
        text = repeat[0].rstrip("?+") or repeat[0][0]
        least = 1 if text == "+" else 0 if text in "*?" else int(re.findall(r"\d+", text)[0])
        rest = branch[repeat.end() :]
        if least:
            return f"{atom[0]}{{{least}}}{rest}"
        branch = rest
    return branch
