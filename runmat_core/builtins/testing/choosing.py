"""Which tests of a suite are wanted: by name, by tag, by parameter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from runmat_core.builtins.testing.values import Test
from runmat_core.values import texts

OPTIONS = (
    *("Name", "ProcedureName", "Tag", "ParameterName", "ParameterProperty"),
    *("Superclass", "BaseFolder"),
)


def chosen(tests: Iterable[Test], options: Mapping[str, Any]) -> list[Test]:
    """The tests that all given options select; ``*`` stands for any characters, ``?`` for one."""
    found = list(tests)
    for option in OPTIONS:
        if option in options:
            patterns = [pattern(word) for word in texts(options[option])]
            found = [
                test
                for test in found
                if any(p.fullmatch(word) for p in patterns for word in _words(test, option))
            ]
    return found


def pattern(word: str) -> re.Pattern[str]:
    return re.compile(re.escape(word).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _words(test: Test, option: str) -> Iterable[str]:
    if option == "Name":
        return (test.full_name,)
    if option == "ProcedureName":
        return (test.name,)
    if option == "Tag":
        return test.tags
    if option == "ParameterName":
        return tuple(one.name for one in test.all_parameters)
    if option == "ParameterProperty":
        return tuple(one.prop for one in test.all_parameters)
    if option == "Superclass":
        return tuple(test.info.ancestors) if test.info is not None else ()
    return (test.base_folder,)
