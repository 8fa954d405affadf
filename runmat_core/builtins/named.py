"""Arguments given by name: pairs of a name and a value, which names may be abbreviated in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import nearest, option
from runmat_core.values import is_text, text


def match(word: str, known: Sequence[str], function: str) -> str:
    """Return the one of the `known` words that `word` is, or begins, whatever its case.

    Raises:
        MatlabError: MATLAB:function:unrecognizedStringChoice, none is, or several are.
    """
    low = word.lower()
    found = [k for k in known if k.lower() == low] or [
        k for k in known if low and k.lower().startswith(low)
    ]
    if len(found) != 1:
        raise MatlabError(
            f"MATLAB:{function}:unrecognizedStringChoice",
            f"Unrecognized option '{word}'.{nearest(word, known)}",
        )
    return found[0]


def choice(value: Any, known: Sequence[str], function: str) -> str:
    """`match` of an argument that must be text."""
    if not is_text(value):
        raise MatlabError(
            f"MATLAB:{function}:unrecognizedStringChoice",
            f"Expected one of these texts: {', '.join(known)}.",
        )
    return match(text(value), known, function)


def positional(args: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the arguments before the first text, and the rest."""
    at = next((k for k, arg in enumerate(args) if option(arg) is not None), len(args))
    return list(args[:at]), list(args[at:])


def pairs(
    args: Sequence[Any], known: Sequence[str], function: str, flags: Sequence[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """Name-value pairs by their full names, and the flags that stand between them.

    Args:
        known: the names that take a value.
        flags: words that stand alone.

    Raises:
        MatlabError: a name is not known, is no text, or has no value.
    """
    named: dict[str, Any] = {}
    given: list[str] = []
    rest = iter(args)
    for arg in rest:
        word = choice(arg, [*known, *flags], function)
        if word in flags:
            given.append(word)
            continue
        try:
            named[word] = next(rest)
        except StopIteration:
            raise MatlabError(
                f"MATLAB:{function}:ArgNameValueMismatch", f"'{word}' must be followed by a value."
            ) from None
    return named, given
