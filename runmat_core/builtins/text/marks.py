"""Where marks are in texts: texts to look for, or patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.text.support import text_list
from runmat_core.values.pattern import Pattern, any_of, spans

#: Zero-based starts and ends of all matches in a text, from left to right.
Marker = Callable[[str], list[tuple[int, int]]]


def marker(mark: Any, error: MatlabError) -> Marker:
    """Return what finds a text, any of several, or a pattern; of texts that fit, the longest wins.

    Raises:
        MatlabError: `error`, for what is neither text nor pattern.
    """
    if isinstance(mark, Pattern):
        return pattern_marker(mark)
    wanted = sorted(filter(None, text_list(mark, error)), key=len, reverse=True)
    if not wanted:
        return lambda text: []
    if len(wanted) == 1:
        return lambda text: _occurrences(text, wanted[0])
    expression = re.compile("|".join(map(re.escape, wanted)))
    return lambda text: [match.span() for match in expression.finditer(text)]


def pattern_marker(mark: Pattern, ignore_case: bool = False) -> Marker:
    """Return what finds any pattern of an array."""
    rules = mark.rules()
    if not rules:
        return lambda text: []
    rule = any_of(rules)
    return lambda text: spans(rule, text, ignore_case)


def _occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    found = []
    at = text.find(wanted)
    while at >= 0:
        found.append((at, at + len(wanted)))
        at = text.find(wanted, at + len(wanted))
    return found


def rewritten(text: str, places: list[tuple[int, int]], new: str) -> str:
    """`text` with `new` in each of the places, which are in order."""
    pieces, last = [], 0
    for start, end in places:
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])
