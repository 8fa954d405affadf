"""The options that regexp, regexpi and regexprep share."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import nearest
from runmat_core.builtins.text.regex_syntax import Options
from runmat_core.builtins.text.support import maybe_text

OUTPUTS = ("start", "end", "tokenExtents", "match", "tokens", "names", "split")
SELECT = {name.lower(): name for name in OUTPUTS}
_SWITCHES: dict[str, dict[str, bool]] = {
    "ignorecase": {"ignore_case": True},
    "matchcase": {"ignore_case": False},
    "dotall": {"dot_all": True},
    "dotexceptnewline": {"dot_all": False},
    "stringanchors": {"line_anchors": False},
    "lineanchors": {"line_anchors": True},
    "literalspacing": {"free_spacing": False},
    "freespacing": {"free_spacing": True},
}


_KNOWN = (*OUTPUTS, *_SWITCHES, "once", "emptymatch", "noemptymatch", "forceCellOutput")


class Request:
    """The options of one call, read from its trailing arguments."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.selected: list[str] = []
        self.once = False
        self.empty_match = False
        self.preserve_case = False
        self.force_cell = False
        self.occurrence: int | None = None


@cache
def _without_options(ignore_case: bool) -> Request:
    return Request(options=Options(ignore_case=ignore_case))


def read_request(function: str, args: tuple[Any, ...], ignore_case: bool) -> Request:
    if not args:
        return _without_options(ignore_case)
    request = Request(options=Options(ignore_case=ignore_case))
    for arg in args:
        if isinstance(arg, float) and function == "regexprep" and arg >= 1 and arg.is_integer():
            request.occurrence = int(arg)
            continue
        word = maybe_text(arg)
        key = (word or "").lower()
        if key in SELECT and function != "regexprep":
            request.selected.append(SELECT[key])
        elif key in _SWITCHES:
            request.options = request.options._replace(**_SWITCHES[key])
        elif key == "forcecelloutput":
            request.force_cell = True
        elif key == "once":
            request.once = True
        elif key in ("emptymatch", "noemptymatch"):
            request.empty_match = key == "emptymatch"
        elif key == "preservecase":
            request.preserve_case = True
            request.options = request.options._replace(ignore_case=True)
        elif key not in ("warnings", "warning"):
            raise MatlabError(
                "MATLAB:regexp:unknownOption",
                f"The option '{word}' is not recognized.{nearest(word, _KNOWN)}"
                if word is not None
                else "Options must be character vectors or string scalars.",
            )
    return request


def matches(pattern: re.Pattern[str], text: str, request: Request) -> list[re.Match[str]]:
    found = []
    for match in pattern.finditer(text):
        if match.end() > match.start() or request.empty_match:
            found.append(match)
            if request.once:
                break
    return found
