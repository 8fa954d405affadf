"""What functions of sets are asked for."""

from __future__ import annotations

from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.arguments import option, unknown_option

_WORDS = {"rows", "stable", "sorted", "first", "last", "legacy", "r2012a"}


class Flags(NamedTuple):
    """Attributes: legacy: as it was before R2013a: last places, in rows for rows."""

    rows: bool = False
    stable: bool = False
    last: bool = False
    legacy: bool = False


def flags_of(args: tuple[Any, ...], name: str) -> Flags:
    """Return the flags among the arguments of the function `name`.

    Raises:
        MatlabError: one is unknown, or an order is asked for beside a behaviour.
    """
    given = {option(arg) or "" for arg in args}
    for word in given - _WORDS:
        raise unknown_option(word, sorted(_WORDS))
    if given & {"stable", "sorted"} and given & {"legacy", "r2012a"}:
        raise MatlabError(
            f"MATLAB:{name.upper()}:SetOrderBehavior",
            "An order ('sorted', 'stable') cannot be asked for beside 'legacy' or 'R2012a'.",
        )
    # "first" says what "legacy" otherwise changes
    legacy = "legacy" in given
    last = "last" in given or (legacy and "first" not in given)
    return Flags("rows" in given, "stable" in given, last, legacy)
