"""Patterns of characters: digits, letters, wildcards, regular expressions, and their names."""

from __future__ import annotations

from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.text.regex_syntax import Options, embedded
from runmat_core.builtins.text.support import option_pairs, scalar_text
from runmat_core.values import truth
from runmat_core.values.pattern import Pattern, Rule, any_of, as_pattern
from runmat_core.values.string import StringArray


def quoted(text: str) -> str:
    """Return a text argument as it is displayed."""
    return Rule.literal(text).shown


def number(value: Any, name: str, what: str) -> float:
    """Return a count: a whole number that is not negative, or Inf."""
    count = scalar(value, what)
    if not count >= 0 or (count != float("inf") and count != int(count)):
        raise MatlabError(
            f"MATLAB:{name}:InvalidCount", f"{what} must be a nonnegative integer or Inf."
        )
    return count


def repeats(
    args: tuple[Any, ...], name: str, least: int, open_ended: bool = False
) -> tuple[str, str]:
    """Return the quantifier of ``(N)`` or ``(min, max)``, and the arguments as they are displayed.

    Args:
        least: how often without arguments, 0 or 1 and more.
        open_ended: whether one argument is a minimum.
    """
    counts = [number(value, name, what) for value, what in zip(args, ("N", "MAX"), strict=False)]
    shown = ",".join("Inf" if c == float("inf") else str(int(c)) for c in counts)
    if not counts:
        return "+" if least else "*", shown
    low, high = counts[0], float("inf") if open_ended and len(counts) == 1 else counts[-1]
    if low > high or low == float("inf"):
        raise MatlabError(f"MATLAB:{name}:InvalidRange", "The least number exceeds the greatest.")
    upper = "" if high == float("inf") else str(int(high))
    return (f"{{{int(low)}}}" if low == high else f"{{{int(low)},{upper}}}"), shown


def _characters(name: str, regex: str, args: tuple[Any, ...]) -> Pattern:
    quantifier, shown = repeats(args, name, 1)
    return Pattern.of(Rule(f"{regex}{quantifier}", f"{name}({shown})" if shown else name))


@builtin("pattern", family="text/patterns", effects="pure")
def pattern(text: Any) -> Any:
    """Pattern that matches a text.

    PAT = pattern(TXT) matches TXT itself; an array of texts gives an array of patterns

    Patterns are joined by + and by |, with each other and with texts. contains, startsWith,
    endsWith, matches, count, extract, replace, erase, split, strfind and the functions for parts of
    text between marks take them.

    Examples:
        >> contains("a1", pattern("a") + digitsPattern)
        ans =
          logical
           1

    See also: digitsPattern, lettersPattern, regexpPattern, extract.
    """
    return as_pattern(text)


@builtin("digitsPattern", family="text/patterns", nargin=(0, 2), effects="pure")
def digitsPattern(*args: Any) -> Any:
    """Pattern of digits.

    PAT = digitsPattern matches as many as there are, one at least
    PAT = digitsPattern(N) matches N, PAT = digitsPattern(MIN, MAX) from MIN to MAX

    Examples:
        >> extract("7 of 12", digitsPattern)
        ans =
          2×1 string array
            "7"
            "12"

    See also: lettersPattern, alphanumericsPattern, pattern, extract.
    """
    return _characters("digitsPattern", r"\d", args)


@builtin("lettersPattern", family="text/patterns", nargin=(0, 2), effects="pure")
def lettersPattern(*args: Any) -> Any:
    """Pattern of letters.

    PAT = lettersPattern matches as many as there are, one at least
    PAT = lettersPattern(N) matches N, PAT = lettersPattern(MIN, MAX) from MIN to MAX

    Examples:
        >> extract("7 of 12 b", lettersPattern(2))
        ans =
            "of"

    See also: digitsPattern, alphanumericsPattern, pattern, extract.
    """
    return _characters("lettersPattern", r"[^\W\d_]", args)


@builtin("alphanumericsPattern", family="text/patterns", nargin=(0, 2), effects="pure")
def alphanumericsPattern(*args: Any) -> Any:
    """Pattern of letters and digits.

    PAT = alphanumericsPattern matches as many as there are, one at least
    PAT = alphanumericsPattern(N) matches N, PAT = alphanumericsPattern(MIN, MAX) from MIN to MAX

    Examples:
        >> extract("a1-b", alphanumericsPattern)
        ans =
          2×1 string array
            "a1"
            "b"

    See also: digitsPattern, lettersPattern, pattern, extract.
    """
    return _characters("alphanumericsPattern", r"[^\W_]", args)


@builtin("whitespacePattern", family="text/patterns", nargin=(0, 2), effects="pure")
def whitespacePattern(*args: Any) -> Any:
    """Pattern of white space.

    PAT = whitespacePattern matches as many as there are, one at least
    PAT = whitespacePattern(N) matches N, PAT = whitespacePattern(MIN, MAX) from MIN to MAX

    Examples:
        >> replace("a   b", whitespacePattern, "_")
        ans =
            "a_b"

    See also: alphanumericsPattern, whitespaceBoundary, pattern.
    """
    return _characters("whitespacePattern", r"\s", args)


@builtin("wildcardPattern", family="text/patterns", nargin=(0, 4), effects="pure")
def wildcardPattern(*args: Any) -> Any:
    """Pattern of any characters, as few as possible.

    PAT = wildcardPattern, PAT = wildcardPattern(N) of N characters
    PAT = wildcardPattern(MIN, MAX) of MIN to MAX characters
    PAT = wildcardPattern(…, "Except", P) of characters at which P does not match

    Examples:
        >> extract("<a><b>", "<" + wildcardPattern + ">")
        ans =
          2×1 string array
            "<a>"
            "<b>"

    See also: pattern, characterListPattern, asFewOfPattern.
    """
    count = next((k for k, arg in enumerate(args) if not isinstance(arg, float)), len(args))
    error = MatlabError("MATLAB:wildcardPattern:UnknownOption", "The only option is 'Except'.")
    chosen = option_pairs(args[count:], {"Except": "except"}, error)
    quantifier, shown = repeats(args[:count], "wildcardPattern", 0)
    lazy = f"{quantifier}?"
    if "except" not in chosen:
        text = f"wildcardPattern({shown})" if shown else "wildcardPattern"
        return Pattern.of(Rule(f"(?s:.){lazy}", text))
    barred = any_of(as_pattern(chosen["except"]).rules())
    words = ",".join(filter(None, (shown, '"Except"', barred.shown)))
    return Pattern.of(Rule(f"(?:(?!{barred.regex})(?s:.)){lazy}", f"wildcardPattern({words})"))


@builtin("characterListPattern", family="text/patterns", effects="pure")
def characterListPattern(first: Any, last: Any = None) -> Any:
    """Pattern of one character of a list.

    PAT = characterListPattern(CHARS) matches any character of CHARS
    PAT = characterListPattern(FIRST, LAST) matches any from FIRST to LAST

    Examples:
        >> extract("word", characterListPattern("aeiou"))
        ans =
            "o"

    See also: lettersPattern, wildcardPattern, pattern.
    """
    import re

    error = MatlabError(
        "MATLAB:characterListPattern:InvalidInput",
        "The list must be a text scalar, and each end of a range one character.",
    )
    start = scalar_text(first, error)
    if last is None:
        if not start:
            raise error
        listed = "".join(map(re.escape, start))
        return Pattern.of(Rule(f"[{listed}]", f"characterListPattern({quoted(start)})"))
    end = scalar_text(last, error)
    if len(start) != 1 or len(end) != 1 or start > end:
        raise error
    shown = f"characterListPattern({quoted(start)},{quoted(end)})"
    return Pattern.of(Rule(f"[{re.escape(start)}-{re.escape(end)}]", shown))


@builtin("regexpPattern", family="text/patterns", nargin=(1, None), effects="pure")
def regexpPattern(expression: Any, *args: Any) -> Any:
    """Pattern of a regular expression.

    PAT = regexpPattern(EXPRESSION) matches what regexp does
    PAT = regexpPattern(…, NAME, VALUE) with "IgnoreCase", "IgnoreWhitespace" and
    "DotExceptNewline", true or false, and "Anchors", "text" or "line"

    Examples:
        >> extract("a1 b22", regexpPattern("[a-z]\\d+"))
        ans =
          2×1 string array
            "a1"
            "b22"

    See also: pattern, regexp, wildcardPattern.
    """
    error = MatlabError(
        "MATLAB:regexpPattern:InvalidInput", "The expression must be text, with options in pairs."
    )
    source = scalar_text(expression, error)
    chosen = option_pairs(
        args,
        {n: n for n in ("IgnoreCase", "IgnoreWhitespace", "DotExceptNewline", "Anchors")},
        error,
    )
    anchors = scalar_text(chosen.get("Anchors", StringArray("text")), error).lower()
    if anchors not in ("text", "line"):
        raise error
    options = Options(
        ignore_case=bool(truth(chosen.get("IgnoreCase", False))),
        dot_all=not truth(chosen.get("DotExceptNewline", False)),
        line_anchors=anchors == "line",
        free_spacing=bool(truth(chosen.get("IgnoreWhitespace", False))),
    )
    return Pattern.of(Rule(embedded(source, options), f"regexpPattern({quoted(source)})"))


@builtin("namedPattern", family="text/patterns", nargin=(1, 3), effects="pure")
def namedPattern(part: Any, name: Any = None, description: Any = None) -> Any:
    """Pattern that is displayed by a name.

    PAT = namedPattern(P, NAME), PAT = namedPattern(P, NAME, DESCRIPTION)

    Without NAME it is displayed as P is.

    Examples:
        >> p = namedPattern(digitsPattern(4), "year") + "-" + digitsPattern(2)
        p =
          pattern
          Matching:
            year + "-" + digitsPattern(2)

    See also: maskedPattern, pattern.
    """
    return _shown_as("namedPattern", part, name)


@builtin("maskedPattern", family="text/patterns", nargin=(1, 2), effects="pure")
def maskedPattern(part: Any, mask: Any = None) -> Any:
    """Pattern that is displayed by another expression.

    PAT = maskedPattern(P, MASK)

    Without MASK it is displayed as P is.

    Examples:
        >> maskedPattern("a" | "e" | "i", "vowel")
        ans =
          pattern
          Matching:
            vowel

    See also: namedPattern, pattern.
    """
    return _shown_as("maskedPattern", part, mask)


def _shown_as(function: str, part: Any, name: Any) -> Pattern:
    rules = as_pattern(part)
    if name is None:
        return rules
    error = MatlabError(f"MATLAB:{function}:InvalidName", "The name must be a text scalar.")
    word = scalar_text(name, error)
    return rules.mapped(lambda r: Rule(f"(?:{r.regex})", word, is_boundary=r.is_boundary))
