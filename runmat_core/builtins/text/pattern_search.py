"""What functions that search text do with patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.text.marks import pattern_marker, rewritten
from runmat_core.builtins.text.split import stacked
from runmat_core.builtins.text.support import (
    double_row,
    elements,
    is_char_row,
    map_text,
    map_values,
    option_pairs,
    text_list,
)
from runmat_core.values import CellArray, CharArray, StringArray, truth
from runmat_core.values.cell import object_array
from runmat_core.values.construct import cell as cell_of
from runmat_core.values.pattern import Pattern, any_of, as_pattern, compiled


def _error(call: Call) -> MatlabError:
    return MatlabError(
        f"MATLAB:{call.name}:InvalidInput",
        "First argument must be text: a string array, character vector, or cell array of "
        "character vectors.",
    )


def _ignores_case(call: Call, options: tuple[Any, ...]) -> bool:
    error = MatlabError(f"MATLAB:{call.name}:UnknownOption", "The only option is 'IgnoreCase'.")
    chosen = option_pairs(options, {"IgnoreCase": "ignore_case"}, error)
    return bool(truth(chosen.get("ignore_case", False)))


def _regex(pattern: Any) -> str:
    """Return the expression of any of the patterns; one that never matches where there is none."""
    rules = as_pattern(pattern).rules()
    return any_of(rules).regex if rules else r"(?!)"


#: How the functions that tell whether text has a pattern ask the engine.
_TESTS: dict[str, Callable[[re.Pattern[str], str], Any]] = {
    "contains": re.Pattern.search,
    "startsWith": re.Pattern.match,
    "matches": re.Pattern.fullmatch,
    "endsWith": re.Pattern.search,
}


@overload("contains", "startsWith", "endsWith", "matches", anywhere=True)
def has_pattern(call: Call, subject: Any, pattern: Any, *options: Any) -> Any:
    regex = _regex(pattern)
    if call.name == "endsWith":
        regex = rf"(?:{regex})\Z"
    expression = compiled(regex, _ignores_case(call, options))
    test = _TESTS[call.name]
    return map_values(subject, lambda s: test(expression, s) is not None, _error(call))


@overload("count", anywhere=True)
def count_pattern(call: Call, subject: Any, pattern: Any, *options: Any) -> Any:
    places = pattern_marker(as_pattern(pattern), _ignores_case(call, options))
    return map_values(subject, lambda s: float(len(places(s))), _error(call))


@overload("erase", anywhere=True)
def erase_pattern(call: Call, subject: Any, pattern: Any) -> Any:
    places = pattern_marker(as_pattern(pattern))
    return map_text(subject, lambda s: rewritten(s, places(s), ""), _error(call))


@overload("replace", anywhere=True)
def replace_pattern(call: Call, subject: Any, old: Any, new: Any) -> Any:
    rules, news = as_pattern(old).rules(), text_list(new, _error(call))
    if len(news) not in (1, len(rules)):
        raise MatlabError(
            "MATLAB:replace:SizeMismatch",
            "The number of replacements must be one or the number of texts to replace.",
        )
    if len(news) == 1:
        places = pattern_marker(as_pattern(old))
        return map_text(subject, lambda s: rewritten(s, places(s), news[0]), _error(call))
    markers = [pattern_marker(Pattern.of(rule)) for rule in rules]

    def edit(text: str) -> str:
        found = sorted(
            (start, -end, text_new)
            for places, text_new in zip(markers, news, strict=True)
            for start, end in places(text)
        )
        pieces, last = [], 0
        for start, end, text_new in found:
            if start >= last:
                pieces += [text[last:start], text_new]
                last = -end
        return "".join([*pieces, text[last:]])

    return map_text(subject, edit, _error(call))


@overload("split", anywhere=True)
def split_at_pattern(call: Call, subject: Any, pattern: Any, dimension: Any = None) -> Any:
    places = pattern_marker(as_pattern(pattern))
    texts = text_list(subject, _error(call))
    # a boundary at an end of the text parts nothing
    found = [[(a, b) for a, b in places(s) if b > a or 0 < a < len(s)] for s in texts]
    parts, marks = [], []
    for text, spans in zip(texts, found, strict=True):
        starts = [0, *(end for _, end in spans)]
        ends = [*(start for start, _ in spans), len(text)]
        parts.append([text[a:b] for a, b in zip(starts, ends, strict=True)])
        marks.append([text[a:b] for a, b in spans])
    made = stacked(subject, parts, dimension)
    return made if call.nargout < 2 else (made, stacked(subject, marks, dimension))


@overload("strfind", anywhere=True)
def find_pattern(call: Call, subject: Any, pattern: Any, *options: Any) -> Any:
    error = MatlabError("MATLAB:strfind:UnknownOption", "The only option is 'ForceCellOutput'.")
    chosen = option_pairs(options, {"ForceCellOutput": "force"}, error)
    places = pattern_marker(as_pattern(pattern))

    def starts(text: str) -> Any:
        return double_row([start + 1 for start, _ in places(text)])

    if is_char_row(subject) or (isinstance(subject, StringArray) and subject.data.size == 1):
        result = starts(text_list(subject, _error(call))[0])
        return cell_of([result]) if truth(chosen.get("force", False)) else result
    if isinstance(subject, CharArray) or not isinstance(subject, CellArray | StringArray):
        raise _error(call)
    texts = text_list(subject, _error(call)) if subject.data.size else []
    assert len(texts) == len(list(elements(subject)))
    return CellArray(object_array([starts(text) for text in texts], subject.data.shape))
