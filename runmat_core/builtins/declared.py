"""What is wrong with a builtin's mark: words that are none of those it takes, and parts that do not
fit each other.

Asked of packages' builtins when a package is first used (`plugins`), and by the tests that are
generated for them (`runmat test-plugin`). Nothing is traced or called here.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from runmat_core.api.builtin import (
    BuiltinSpec,
    Captures,
    Effect,
    Lift,
    Need,
    Pending,
    builtin,
)

_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*", re.ASCII)
#: Attributes of a mark that take one word of a few.
_WORDS = {
    "lift": Lift,
    "effects": Effect,
    "pending": Pending,
    "captures": Captures,
}


def place_of(spec: BuiltinSpec) -> str:
    """File and line of a builtin's function; empty where they are not known."""
    code = getattr(inspect.unwrap(spec.host), "__code__", None)
    if code is None:
        return ""
    near = os.path.relpath(code.co_filename)
    path = code.co_filename if near.startswith(os.pardir) else near
    return f"{path}:{code.co_firstlineno}"


def problems(spec: BuiltinSpec) -> list[str]:
    """Return what is wrong with a mark, a sentence each; none where nothing is."""
    return list(_problems(spec))


def _problems(spec: BuiltinSpec) -> Iterator[str]:
    if not spec.names:
        yield f"'{spec.host.__qualname__}' has no name."
        return
    for name in spec.names:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            yield f"{name!r} is no name of a function."
            return
    for option in spec.unknown:
        yield _none_of(f"'{spec.name}' has the option {option!r}, which", option, _options())
    known = get_args(Need)
    for need in spec.needs:
        if need not in known:
            yield _none_of(f"'{spec.name}' needs {need!r}, which", need, known)
    if spec.nargout not in (0, 1) and "nargout" not in spec.needs:
        yield f"'{spec.name}' has several outputs, but not needs=(\"nargout\",)."
    for attribute, words in _WORDS.items():
        value = getattr(spec, attribute)
        if value is not None and value not in get_args(words):
            yield _none_of(
                f"'{spec.name}' has {attribute}={value!r}, which", value, get_args(words)
            )
    if not isinstance(spec.family, str) or not spec.family.strip():
        yield f"'{spec.name}' has no family, the place of its page (family=\"math/rounding\")."
    if not (spec.host.__doc__ or "").strip():
        yield f"'{spec.name}' has no docstring, which is its help text."
    if spec.gpu is not None:
        yield from _of_call(spec)
    if spec.fusion is not None:
        yield from _of_fusion(spec)


def _options() -> list[str]:
    """Return the names of the options of a mark."""
    parameters = inspect.signature(builtin).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


def _none_of(subject: str, word: Any, known: Iterable[str]) -> str:
    import difflib

    names = [str(name) for name in known]
    close = difflib.get_close_matches(str(word), names, 1, 0.5)
    meant = f" Did you mean '{close[0]}'?" if close else ""
    return f"{subject} is none of {', '.join(names)}.{meant}"


def _of_call(spec: BuiltinSpec) -> Iterator[str]:
    from runmat_core.api.fusion import Call
    from runmat_core.api.ir.calls import CALLS

    call: Any = spec.gpu
    if not isinstance(call, Call):
        yield f"'{spec.name}' has gpu={call!r}, which is no Call(name, read)."
    elif call.name not in CALLS:
        subject = f"'{spec.name}' asks for the library call '{call.name}', which"
        yield _none_of(subject, call.name, sorted(CALLS))


def _of_fusion(spec: BuiltinSpec) -> Iterator[str]:
    """Yield what is wrong with how the fusion function takes the arguments of the builtin."""
    from runmat_core.api.fusion import Map, Reduction, Scan
    from runmat_core.builtins.registry import arity

    fusion: Any = spec.fusion
    kind = "Map" if not isinstance(fusion, Map | Reduction | Scan) else type(fusion).__name__
    function = fusion.function if isinstance(fusion, Map | Reduction | Scan) else fusion
    if not callable(function):
        return  # `capture` says so with what else cannot be used there
    try:
        taken = _counts(function)
    except (TypeError, ValueError):
        return  # nothing is known of a compiled function
    given = arity(spec) if kind == "Map" else (1, 1)
    most = float("inf") if given[1] is None else given[1]
    if taken[0] > most or taken[1] < given[0]:
        one = f"a {kind} is of one array; a builtin of several has none"
        whose = f"the builtin takes {_text(given)}" if kind == "Map" else one
        yield (f"The fusion function of '{spec.name}' takes {_text(taken)}, but {whose}.")
    if kind == "Scan" and not _takes(function, "reverse"):
        yield f"The fusion function of '{spec.name}' lacks the keyword argument reverse."


def _counts(function: Any) -> tuple[int, float]:
    """Fewest and most positional arguments of a function."""
    least, most = 0, 0.0
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            most = float("inf")
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            most += 1
            least += parameter.default is parameter.empty
    return least, most


def _takes(function: Any, keyword: str) -> bool:
    parameters = inspect.signature(function).parameters
    return keyword in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _text(counts: tuple[float, float | None]) -> str:
    least, most = counts
    if most is None or most == float("inf"):
        return f"{least:g} or more"
    return f"{least:g}" if least == most else f"{least:g} to {most:g}"
