"""Whatever their operands, operators and subscripts of objects give a result or an error."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

ARGUMENTS = """
    5  -1  NaN  []  zeros(0,3)  1:3  (1:3)'  true  'abc'  ''  "str"  ["a","b"]  {1,'a'}  {}
    {'a';'b'}  struct('a',{1,2})  @sin  'Format'  'x'  ':'  datetime(2020,1,1)
    datetime(2020,1,[1;2])  NaT  NaT(0,1)  hours(1)  seconds([1,2])  caldays(3)
    categorical({'a','b',''})  categorical([1;2],'Ordinal',true)
    table([1;2],{'a';'b'},'VariableNames',{'x','n'})  table()  table([1;NaN],'RowNames',{'p','q'})
    datetime(2020,1,1,'TimeZone','UTC')  int8([1,2])  1+2i  'VariableNames'  'descend'
""".split()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder: Path = tmp_path_factory.mktemp("odd")
    return Session(cwd=folder)


OPERATORS = ["+", "-", ".*", "*", "./", "/", "\\", "==", "~=", "<", ">=", "&", ":", "^"]


@pytest.mark.sweep(6)
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


@pytest.mark.sweep(12)
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
