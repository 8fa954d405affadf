"""Patterns made of others, and patterns of places: how often, which case, where."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.builtins.named import choice
from runmat_core.builtins.text.patterns import quoted, repeats
from runmat_core.builtins.text.regex_syntax import look_behind
from runmat_core.values.pattern import Pattern, Rule, as_pattern


def _around(name: str, part: Any, opening: str, closing: str = ")", place: bool = False) -> Pattern:
    """Each rule of `part` between two pieces of a regular expression."""
    return as_pattern(part).mapped(
        lambda r: Rule(
            f"{opening}{r.regex}{closing}", f"{name}({r.shown})", is_boundary=place or r.is_boundary
        )
    )


def _repeated(name: str, part: Any, args: tuple[Any, ...], lazy: str) -> Pattern:
    quantifier, shown = repeats(args, name, 1, open_ended=True)
    more = f",{shown}" if shown else ""
    return as_pattern(part).mapped(
        lambda r: Rule(f"(?:{r.regex}){quantifier}{lazy}", f"{name}({r.shown}{more})")
    )


@builtin("optionalPattern", family="text/patterns", effects="pure")
def optionalPattern(part: Any) -> Any:
    """Pattern that may be there or not.

    PAT = optionalPattern(P)

    Examples:
        >> matches(["color" "colour"], "colo" + optionalPattern("u") + "r")
        ans =
          1×2 logical array
           1   1

    See also: asManyOfPattern, possessivePattern, pattern.
    """
    return _around("optionalPattern", part, "(?:", ")?")


@builtin("possessivePattern", family="text/patterns", effects="pure")
def possessivePattern(part: Any) -> Any:
    """Pattern that gives nothing back of what it has matched.

    PAT = possessivePattern(P)

    Examples:
        >> contains("123", possessivePattern(digitsPattern) + "3")
        ans =
          logical
           0

    See also: optionalPattern, asManyOfPattern, pattern.
    """
    return _around("possessivePattern", part, "(?>")


@builtin("asManyOfPattern", family="text/patterns", nargin=(1, 3), effects="pure")
def asManyOfPattern(part: Any, *args: Any) -> Any:
    """Pattern repeated as often as possible.

    PAT = asManyOfPattern(P), once at least
    PAT = asManyOfPattern(P, MIN), PAT = asManyOfPattern(P, MIN, MAX)

    Examples:
        >> extract("ababa", asManyOfPattern("ab"))
        ans =
            "abab"

    See also: asFewOfPattern, optionalPattern, pattern.
    """
    return _repeated("asManyOfPattern", part, args, "")


@builtin("asFewOfPattern", family="text/patterns", nargin=(1, 3), effects="pure")
def asFewOfPattern(part: Any, *args: Any) -> Any:
    """Pattern repeated as rarely as possible.

    PAT = asFewOfPattern(P), once at least
    PAT = asFewOfPattern(P, MIN), PAT = asFewOfPattern(P, MIN, MAX)

    Examples:
        >> extract("aaab", asFewOfPattern("a", 2))
        ans =
            "aa"

    See also: asManyOfPattern, wildcardPattern, pattern.
    """
    return _repeated("asFewOfPattern", part, args, "?")


@builtin("caseSensitivePattern", family="text/patterns", effects="pure")
def caseSensitivePattern(part: Any) -> Any:
    """Pattern to which upper and lower case are different, whatever is around it.

    PAT = caseSensitivePattern(P)

    Examples:
        >> contains("AB", caseSensitivePattern("a") + "b", "IgnoreCase", true)
        ans =
          logical
           0

    See also: caseInsensitivePattern, pattern.
    """
    return _around("caseSensitivePattern", part, "(?-i:")


@builtin("caseInsensitivePattern", family="text/patterns", effects="pure")
def caseInsensitivePattern(part: Any) -> Any:
    """Pattern to which upper and lower case are the same.

    PAT = caseInsensitivePattern(P)

    Examples:
        >> count("Ab aB", caseInsensitivePattern("ab"))
        ans =
             2

    See also: caseSensitivePattern, pattern.
    """
    return _around("caseInsensitivePattern", part, "(?i:")


@builtin("lookAheadBoundary", family="text/patterns", effects="pure")
def lookAheadBoundary(part: Any) -> Any:
    """Pattern of places before what a pattern matches.

    PAT = lookAheadBoundary(P)

    Examples:
        >> extract("10cm 5kg", digitsPattern + lookAheadBoundary("kg"))
        ans =
            "5"

    See also: lookBehindBoundary, letterBoundary, pattern.
    """
    return _around("lookAheadBoundary", part, "(?=", place=True)


@builtin("lookBehindBoundary", family="text/patterns", effects="pure")
def lookBehindBoundary(part: Any) -> Any:
    """Pattern of places behind what a pattern matches.

    PAT = lookBehindBoundary(P)

    Examples:
        >> extract("x=5, y=7", lookBehindBoundary("y=") + digitsPattern)
        ans =
            "7"

    See also: lookAheadBoundary, letterBoundary, pattern.
    """
    return as_pattern(part).mapped(
        lambda r: Rule(look_behind(r.regex), f"lookBehindBoundary({r.shown})", is_boundary=True)
    )


def _boundary(name: str, kind: Any, start: str, end: str) -> Pattern:
    """Return the places where something begins, where it ends, or both."""
    if kind is None:
        return Pattern.of(Rule(f"(?:{start}|{end})", name, is_boundary=True))
    word = choice(kind, ("start", "end", "either"), name)
    regex = {"start": start, "end": end}.get(word, f"(?:{start}|{end})")
    return Pattern.of(Rule(regex, f"{name}({quoted(word)})", is_boundary=True))


def _between(name: str, kind: Any, character: str) -> Pattern:
    start = f"(?<!{character})(?={character})"
    return _boundary(name, kind, start, f"(?<={character})(?!{character})")


@builtin("letterBoundary", family="text/patterns", nargin=(0, 1), effects="pure")
def letterBoundary(kind: Any = None) -> Any:
    """Pattern of places where letters begin or end.

    PAT = letterBoundary, PAT = letterBoundary(TYPE) with "start", "end" or "either"
    PAT = ~letterBoundary matches all other places

    Examples:
        >> extract("a12b", digitsPattern(1) + letterBoundary)
        ans =
            "2"

    See also: digitBoundary, alphanumericBoundary, lettersPattern.
    """
    return _between("letterBoundary", kind, r"[^\W\d_]")


@builtin("digitBoundary", family="text/patterns", nargin=(0, 1), effects="pure")
def digitBoundary(kind: Any = None) -> Any:
    """Pattern of places where digits begin or end.

    PAT = digitBoundary, PAT = digitBoundary(TYPE) with "start", "end" or "either"
    PAT = ~digitBoundary matches all other places

    Examples:
        >> split("ab12", digitBoundary("start"))
        ans =
          2×1 string array
            "ab"
            "12"

    See also: letterBoundary, alphanumericBoundary, digitsPattern.
    """
    return _between("digitBoundary", kind, r"\d")


@builtin("alphanumericBoundary", family="text/patterns", nargin=(0, 1), effects="pure")
def alphanumericBoundary(kind: Any = None) -> Any:
    """Pattern of places where letters and digits begin or end.

    PAT = alphanumericBoundary, PAT = alphanumericBoundary(TYPE) with "start", "end" or "either"
    PAT = ~alphanumericBoundary matches all other places

    Examples:
        >> replace("catalog cat", alphanumericBoundary + "cat" + alphanumericBoundary, "dog")
        ans =
            "catalog dog"

    See also: letterBoundary, digitBoundary, alphanumericsPattern.
    """
    return _between("alphanumericBoundary", kind, r"[^\W_]")


@builtin("whitespaceBoundary", family="text/patterns", nargin=(0, 1), effects="pure")
def whitespaceBoundary(kind: Any = None) -> Any:
    """Pattern of places where blanks begin or end.

    PAT = whitespaceBoundary, PAT = whitespaceBoundary(TYPE) with "start", "end" or "either"
    PAT = ~whitespaceBoundary matches all other places

    Examples:
        >> count("one two", whitespaceBoundary("start"))
        ans =
             1

    See also: letterBoundary, whitespacePattern.
    """
    return _between("whitespaceBoundary", kind, r"\s")


@builtin("lineBoundary", family="text/patterns", nargin=(0, 1), effects="pure")
def lineBoundary(kind: Any = None) -> Any:
    """Pattern of places where lines begin or end.

    PAT = lineBoundary, PAT = lineBoundary(TYPE) with "start", "end" or "either"
    PAT = ~lineBoundary matches all other places

    Examples:
        >> replace("ab" + newline + "c", lineBoundary("start"), "> ")
        ans =
            "> ab
             > c"

    See also: textBoundary, letterBoundary.
    """
    return _boundary("lineBoundary", kind, "(?m:^)", "(?m:$)")


@builtin("textBoundary", family="text/patterns", nargin=(0, 1), effects="pure")
def textBoundary(kind: Any = None) -> Any:
    """Pattern of places where texts begin or end.

    PAT = textBoundary, PAT = textBoundary(TYPE) with "start", "end" or "either"
    PAT = ~textBoundary matches all other places

    Examples:
        >> contains(["12a" "a12"], textBoundary("start") + digitsPattern)
        ans =
          1×2 logical array
           1   0

    See also: lineBoundary, startsWith.
    """
    return _boundary("textBoundary", kind, r"\A", r"\Z")
