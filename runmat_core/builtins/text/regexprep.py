"""regexprep and regexptranslate."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.text.regex_request import Request, matches, read_request
from runmat_core.builtins.text.regex_syntax import compile_expression
from runmat_core.builtins.text.search_time import SearchTime
from runmat_core.builtins.text.support import Edit, map_text, scalar_text, text_list

_REFERENCE = re.compile(
    r"\$(?:(?P<number>\d)|<(?P<name>\w+)>|\{(?P<code>[^}]*)\}|(?P<mark>[&`']))"
    r"|\\(?P<escape>o\{?[0-7]+\}?|x\{?[0-9A-Fa-f]+\}?|.)",
    re.DOTALL,
)
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _escaped(escape: str) -> str:
    if len(escape) > 1:
        return chr(int(escape[1:].strip("{}"), 8 if escape[0] == "o" else 16))
    return _ESCAPED.get(escape, escape)


def _group(match: re.Match[str], number: int) -> str:
    if number == 0:
        return match[0]
    if number > match.re.groups:
        # without tokens, $1 is the whole match
        return match[0] if number == 1 and not match.re.groups else ""
    return match[number] or ""


def _number_of(reference: re.Match[str], pattern: re.Pattern[str]) -> int | None:
    """Return the number of the group that a reference is to.

    Return None for one that is to something else.
    """
    if reference["number"] is None:
        return 0 if reference["mark"] == "&" else None
    number = int(reference["number"])
    if number <= pattern.groups:
        return number
    return 0 if number == 1 and not pattern.groups else None


@lru_cache(maxsize=512)
def _parts(template: str) -> tuple[str | re.Match[str], ...]:
    """Return the texts and the references that a replacement text is made of."""
    parts: list[str | re.Match[str]] = []
    last = 0
    for reference in _REFERENCE.finditer(template):
        parts.append(template[last : reference.start()])
        if reference["escape"] is not None:
            parts.append(_escaped(reference["escape"]))
        else:
            parts.append(reference)
        last = reference.end()
    return (*parts, template[last:])


class _Replacement:
    """A replacement text with its references, read once."""

    def __init__(self, template: str, interp: Interp) -> None:
        self.parts = _parts(template)
        self.interp = interp
        self.has_code = any(not isinstance(part, str) and part["code"] for part in self.parts)
        # what the code sees: to find it takes a walk through the frames
        self.workspace = interp.workspace() if self.has_code else None

    def expand(self, match: re.Match[str]) -> str:
        return "".join(
            part if isinstance(part, str) else self.reference(part, match) for part in self.parts
        )

    def expander(self, pattern: re.Pattern[str]) -> Callable[[re.Match[str]], str]:
        """`expand` for matches of one pattern, faster where only tokens are referred to."""
        texts: list[str] = []
        numbers: list[int] = []
        for part in self.parts:
            number = None if isinstance(part, str) else _number_of(part, pattern)
            if isinstance(part, str):
                texts.append(part.replace("%", "%%"))
            elif number is None:
                return self.expand
            else:
                texts.append("%s")
                numbers.append(number)
        if not numbers:
            constant = "".join(self.parts)  # type: ignore[arg-type]
            return lambda match: constant
        # one group more than is asked for makes a tuple of them; %.0s shows nothing of it
        form, groups = "".join(["%.0s", *texts]), (0, *numbers)

        def expand(match: re.Match[str]) -> str:
            found = match.group(*groups)
            return form % (tuple([text or "" for text in found]) if None in found else found)

        return expand

    def reference(self, part: re.Match[str], match: re.Match[str]) -> str:
        if part["number"] is not None:
            return _group(match, int(part["number"]))
        if part["name"] is not None:
            return match[part["name"]] or "" if part["name"] in match.re.groupindex else ""
        if part["mark"] is not None:
            whole = match.string
            return {"&": match[0], "`": whole[: match.start()], "'": whole[match.end() :]}[
                part["mark"]
            ]
        quoted = re.sub(
            r"\$(\d)",
            lambda digit: "'" + _group(match, int(digit[1])).replace("'", "''") + "'",
            part["code"],
        )
        assert self.workspace is not None
        value = self.interp.evaluate(quoted, self.workspace, 1)
        return scalar_text(
            value,
            MatlabError(
                "MATLAB:regexp:dynamicExpression",
                f"The dynamic expression '{part['code']}' must return text.",
            ),
        )


def _with_case_of(model: str, text: str) -> str:
    """`text` in the case of `model`: all upper, all lower, or capitalised."""
    letters = [char for char in model if char.isalpha()]
    if letters and all(char.isupper() for char in letters):
        return text.upper()
    if letters and all(char.islower() for char in letters):
        return text.lower()
    if letters and letters[0].isupper() and all(char.islower() for char in letters[1:]):
        return text[:1].upper() + text[1:].lower()
    return text


def _replace(
    text: str, pattern: re.Pattern[str], replacement: _Replacement, request: Request
) -> str:
    pieces, last = [], 0
    for count, match in enumerate(matches(pattern, text, request), start=1):
        if request.occurrence is not None and count != request.occurrence:
            continue
        new = replacement.expand(match)
        if request.preserve_case:
            new = _with_case_of(match[0], new)
        pieces += [text[last : match.start()], new]
        last = match.end()
    return "".join([*pieces, text[last:]]) if pieces else text


def _editor(pattern: re.Pattern[str], replacement: _Replacement, request: Request) -> Edit:
    """Return what replaces the matches of one expression in a text."""
    if request.once or request.occurrence is not None or request.preserve_case:
        return lambda text: _replace(text, pattern, replacement, request)
    expand, empty_match = replacement.expander(pattern), request.empty_match

    def new(match: re.Match[str]) -> str:
        # a match of nothing is no match, and nothing takes its place
        return expand(match) if empty_match or match.end() > match.start() else ""

    return lambda text: pattern.sub(new, text)


@builtin(
    "regexprep",
    family="text/regexp",
    nargin=(3, None),
    needs=("interp",),
)
def regexprep(
    subject: Any,
    expression: Any,
    replace: Any,
    *options: Any,
    interp: Interp,
) -> Any:
    """Replace text that matches a regular expression.

    newStr = regexprep(str, expression, replace) replaces every match. In replace, $0 is the match,
    $1 to $9 its tokens, $<name> a named token and ${code} what the MATLAB code returns. expression
    and replace may be cell arrays, applied one after another. A number N as option replaces only
    the Nth match; other options: 'once', 'ignorecase', 'preservecase', 'emptymatch' and the
    pattern switches of regexp.

    Examples:
        >> regexprep('John Smith', '(\\w+) (\\w+)', '$2, $1')
        ans =
            'Smith, John'
        >> regexprep('abc', '[ac]', '${upper($0)}')
        ans =
            'AbC'

    See also: regexp, strrep, replace.
    """
    error = MatlabError(
        "MATLAB:regexprep:invalidInputType",
        "All arguments of regexprep must be text: character vectors, strings, or cell arrays of "
        "character vectors.",
    )
    request = read_request("regexprep", options, ignore_case=False)
    patterns = [compile_expression(text, request.options) for text in text_list(expression, error)]
    replacements = [_Replacement(text, interp) for text in text_list(replace, error)]
    if len(replacements) == 1:
        replacements *= len(patterns)
    if len(replacements) != len(patterns):
        raise MatlabError(
            "MATLAB:regexprep:replacementSizeMismatch",
            "The number of replacements must be one or the number of expressions.",
        )

    editors = [_editor(*pair, request) for pair in zip(patterns, replacements, strict=True)]

    # code of the program takes the time that it takes
    with SearchTime([] if any(r.has_code for r in replacements) else patterns) as time:

        def edit(text: str) -> str:
            for editor in editors:
                time.begin(text)
                text = editor(text)
            return text

        plain = len(editors) == 1 and not time.measured
        return map_text(subject, editors[0] if plain else edit, error)


@builtin("regexptranslate", family="text/regexp", effects="pure")
def regexptranslate(operation: Any, text: Any) -> Any:
    """Turn text into a regular expression.

    newStr = regexptranslate('escape', str) puts a backslash before every special character.
    newStr = regexptranslate('wildcard', str) turns * and ? of file names into an expression.

    Examples:
        >> regexptranslate('escape', 'a.b*')
        ans =
            'a\\.b\\*'
        >> regexptranslate('wildcard', '*.m')
        ans =
            '.*\\.m'

    See also: regexp, regexprep.
    """
    error = MatlabError(
        "MATLAB:regexptranslate:invalidInput", "Inputs must be character vectors or strings."
    )
    kind = scalar_text(operation, error).lower()
    if kind not in ("escape", "wildcard"):
        raise MatlabError(
            "MATLAB:regexptranslate:unknownOperation",
            "The first input must be 'escape' or 'wildcard'.",
        )

    def edit(piece: str) -> str:
        if kind == "escape":
            return re.sub(r"([][(){}.*+?^$|\\])", r"\\\1", piece)
        return re.sub(r"([][(){}+^$|\\.])", r"\\\1", piece).replace("*", ".*").replace("?", ".")

    return map_text(text, edit, error)
