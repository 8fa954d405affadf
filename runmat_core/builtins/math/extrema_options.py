"""What ``max`` and ``min`` are asked for: their flags, and what is no flag."""

from __future__ import annotations

from typing import Any

from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import NAN_FLAGS, option, unknown_option
from runmat_core.values import class_of, size_of

_EXTREMA_WORDS = (*NAN_FLAGS, "linear", "all", "ComparisonMethod")


_WORDS = frozenset(word.lower() for word in _EXTREMA_WORDS)


class Options(NamedTuple):
    include_nan: bool = False
    linear: bool = False
    by: str = "auto"
    everything: bool = False


def options_of(args: tuple[Any, ...]) -> tuple[list[Any], Options]:
    """Return the arguments that are not options, and the options."""
    plain = [args[0]]
    chosen = Options()
    rest = iter(args[1:])
    for arg in rest:
        word = option(arg)
        if word is None:
            plain.append(arg)
        elif word in {"omitnan", "includenan", "omitmissing", "includemissing"}:
            chosen = chosen._replace(include_nan=word.startswith("include"))
        elif word == "linear":
            chosen = chosen._replace(linear=True)
        elif word == "all":
            chosen = chosen._replace(everything=True)
        elif word == "comparisonmethod":
            chosen = chosen._replace(by=option(next(rest, "")) or "auto")
        else:
            raise unknown_option(word, _EXTREMA_WORDS)
    return plain, chosen


def is_operand(arg: Any, other: Any) -> bool:
    """Whether a char array after the first argument is numbers to compare, and no option."""
    if class_of(arg) != "char":
        return False
    if class_of(other) == "char":
        return True
    if option(arg) in _WORDS:
        return False
    shapes = [size_of(arg), size_of(other)]
    return all(1 in pair or len(set(pair)) == 1 for pair in zip(*shapes, strict=False))
