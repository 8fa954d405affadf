"""Whatever its arguments, a builtin of times, categories or tables gives a result or an error."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins import index, overloads, registry
from runmat_core.session import Session

FAMILIES = ("time", "categories", "tables", "sheets")
#: Their sizes multiply.
MULTIPLIES = {"repmat"}

ARGUMENTS = """
    5  -1  NaN  []  zeros(0,3)  1:3  (1:3)'  true  'abc'  ''  "str"  ["a","b"]  {1,'a'}  {}
    {'a';'b'}  struct('a',{1,2})  @sin  'Format'  'x'  ':'  datetime(2020,1,1)
    datetime(2020,1,[1;2])  NaT  NaT(0,1)  hours(1)  seconds([1,2])  caldays(3)
    categorical({'a','b',''})  categorical([1;2],'Ordinal',true)
    table([1;2],{'a';'b'},'VariableNames',{'x','n'})  table()  table([1;NaN],'RowNames',{'p','q'})
    datetime(2020,1,1,'TimeZone','UTC')  int8([1,2])  1+2i  'VariableNames'  'descend'
""".split()


def names() -> list[str]:
    found = set(overloads.NAMES)
    for entry in index.entries():
        family = entry.module.removeprefix("runmat_core.builtins.").partition(".")[0]
        if family in FAMILIES:
            found.add(entry.name)
    return sorted(found)


def calls(name: str, least: int, most: int) -> Iterator[tuple[str, ...]]:
    """Argument lists: all single ones, and a sample of longer ones, the same in every run."""
    choose = random.Random(name)
    if least <= 1 <= most:
        yield from ((text,) for text in ARGUMENTS)
    if least <= 2 <= most:
        yield from choose.sample(list(product(ARGUMENTS, repeat=2)), 120)
    if least <= 3 <= most:
        yield from (tuple(choose.choices(ARGUMENTS, k=3)) for _ in range(60))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder: Path = tmp_path_factory.mktemp("odd")
    return Session(cwd=folder)


@pytest.fixture(scope="module")
def values(session: Session) -> dict[str, Any]:
    return {text: session.interp.evaluate_text(text, 1) for text in ARGUMENTS}


@pytest.mark.parametrize("name", names())
def test_no_internal_errors(name: str, session: Session, values: dict[str, Any]) -> None:
    spec = registry.find(name)
    assert spec is not None
    call = registry.bind(spec, session.interp)
    least, most = registry.arity(spec)
    for texts in calls(name, least, 3 if most is None else most):
        for nargout in (1, 2) if spec.nargout is None or spec.nargout > 1 else (1,):
            if name in MULTIPLIES and "'" in "".join(texts):
                continue
            try:
                with session.interp.capture(), np.errstate(all="ignore"):
                    call(nargout, *(values[text] for text in texts))
            except MatlabError as error:
                shown = f"{name}({', '.join(texts)}): {error.message}"
                if error.identifier.startswith("RunMat:internal") or not error.identifier:
                    pytest.fail(shown)


OPERATORS = ["+", "-", ".*", "*", "./", "/", "\\", "==", "~=", "<", ">=", "&", ":", "^"]


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_have_no_internal_errors(operator: str, session: Session) -> None:
    pairs = list(product(ARGUMENTS, repeat=2))
    for left, right in random.Random(operator).sample(pairs, 150):
        attempt(session, f"{left} {operator} {right};")


@pytest.mark.parametrize("mark", [",", ";"])
def test_brackets_have_no_internal_errors(mark: str, session: Session) -> None:
    pairs = list(product(ARGUMENTS, repeat=2))
    for left, right in random.Random(mark).sample(pairs, 250):
        attempt(session, f"[{left}{mark} {right}];")


def attempt(session: Session, code: str) -> None:
    """Run a statement, which may raise nothing but MATLAB's own errors."""
    try:
        with session.interp.capture():
            session.run(code)
    except MatlabError as error:
        if error.identifier.startswith("RunMat:internal") or not error.identifier:
            pytest.fail(f"{code}: {error.message}")


@pytest.mark.parametrize("text", ARGUMENTS)
def test_subscripts_have_no_internal_errors(text: str, session: Session) -> None:
    for other in random.Random(text).sample(ARGUMENTS, 6):
        for code in (
            f"v = {text}; v({other});",
            f"v = {text}; v({other}, 1);",
            f"v = {text}; v{{{other}, 1}};",
            f"v = {text}; v(1) = {other};",
            f"v = {text}; v(3, 1) = {other};",
            f"v = {text}; v{{2, 1}} = {other};",
            f"v = {text}; v.x = {other};",
            f"v = {text}; v.Format = {other};",
            f"v = {text}; v.Properties.VariableNames = {other};",
            f"v = {text}; v.x(2) = {other};",
            f"isequal({text}, {other});",
            f"v = {text}, w = {{{text}}}, disp(v)",
        ):
            attempt(session, code)
