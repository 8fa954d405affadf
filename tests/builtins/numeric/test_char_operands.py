"""Functions of two numbers take the characters of a char array as their codes."""

from __future__ import annotations

from typing import Any

import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins import catalog, registry
from runmat_core.session import Session
from runmat_core.values import class_of, isequal

#: These need one argument, and take numbers as a second.
BESIDES = {"max", "min", "plus", "times", "mtimes", "dot", "kron", "and", "or"}
#: Their texts are words, or their second argument is no operand.
TAKES_WORDS = {"interp1", "conv2", "maxk", "mink", "optimget"}

PAIRS = [("98", "'c'"), ("'c'", "98"), ("'b'", "'c'"), ("[98 99]", "'cd'"), ("'cd'", "[2 3]")]


def names() -> list[str]:
    found = set(BESIDES)
    for entry in catalog.core():
        spec = registry.find(entry.name) if entry.family.startswith("math/") else None
        if spec is not None and registry.arity(spec)[0] == 2:
            found.add(entry.name)
    return sorted(found - TAKES_WORDS)


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(provider="none")


def outcome(session: Session, call: str) -> Any:
    try:
        return session.interp.evaluate_text(call, 1)
    except MatlabError as error:
        return error.identifier


def codes(text: str) -> str:
    return f"double({text})" if "'" in text else text


@pytest.mark.parametrize("name", names())
def test_characters_are_numbers(name: str, session: Session) -> None:
    """What is a result for numbers is the same for the characters with these codes."""
    for a, b in PAIRS:
        wanted = outcome(session, f"{name}({codes(a)}, {codes(b)})")
        if isinstance(wanted, str):
            continue
        found = outcome(session, f"{name}({a}, {b})")
        assert not isinstance(found, str), (a, b, found)
        assert isequal(found, wanted, nan_equal=True), (a, b)
        assert class_of(found) == class_of(wanted), (a, b)


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("provider", ["none", "inprocess"])
def test_flags_stay_flags(name: str, provider: str) -> None:
    s = Session(provider=provider)
    assert s.eval(f"isnan({name}([5 NaN], [], 'includenan'))")
    assert s.eval(
        f"isequaln({name}([5 NaN], 'c', 'includenan'), {name}([5 NaN], 99, 'includenan'))"
    )
    s.run(f"x = linspace(0, 200, 4e4)'; a = {name}(x, 'c'); b = {name}(x, 99);")
    assert s.eval("isequal(a, b)")
    with pytest.raises(MatlabError) as caught:
        s.run(f"{name}([1 2], [], 'includenon');")
    assert caught.value.identifier == "MATLAB:unrecognizedStringChoice"


def test_no_function_gives_codes_as_integers(session: Session) -> None:
    """Characters are chars where they are moved, else double; never the integers that hold them."""
    moved = "fftshift ifftshift meshgrid ndgrid nonzeros pagetranspose mode sort unique flip"
    counted = "median diff sum cumsum hankel toeplitz fft abs"
    for names, kind in ((moved, "char"), (counted, "double")):
        for name in names.split():
            for call in (f"{name}('abca')", f"{name}(['ab'; 'ca'])"):
                assert class_of(session.interp.evaluate_text(call, 1)) == kind, call
    for call in ("maxk('abc', 2)", "movmin('abc', 2)", "sum('abc', 'native')", "spdiags('abc')"):
        assert class_of(session.interp.evaluate_text(call, 1)) == "double", call
