"""Whatever its arguments, a numeric builtin gives a result or one of MATLAB's own errors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins import index, registry
from runmat_core.session import Session

FAMILIES = ("math", "arrays", "linalg", "random", "geometry", "graphics", "graphs")
#: These call functions until they are satisfied, which random arguments may never make them.
SEARCHES = {"fminsearch", "fzero", "fminbnd", "integral", "integral3", "triplequad"}
#: Their sizes multiply, and a text is as many large numbers as it has characters.
MULTIPLIES = {"repmat", "zeros", "ones", "rand", "randn", "fftn", "ifftn"}
#: These are the values' own operators under a name; the values' tests cover them.
OPERATORS = {"operators", "relations"}

ARGUMENTS = """
    5  0  -1  2.5  NaN  Inf  true  1+2i  []  zeros(0,3)  zeros(1,0)  1:3  (1:3)'  magic(3)
    ones(2,3)  ones(2,3,2)  [1,NaN,2]  [1i,2;3,4]  int8([1,2,3])  uint8(7)  int64(5)  int8(-128)
    single([1.5,2])  'abc'  ''  "str"  ["a","b"]  {1,'a'}  {}  {'a','b'}  struct('a',1)
    struct('a',{1,2})  @sin  sparse([1,0,2])  speye(3)  true(2,2)  'all'  containers.Map  'rows'
""".split()


def names() -> list[str]:
    found = []
    for entry in index.entries():
        family, _, module = entry.module.removeprefix("runmat_core.builtins.").partition(".")
        if family in FAMILIES and module not in OPERATORS and entry.name not in SEARCHES:
            found.append(entry.name)
    return found


def calls(name: str, least: int, most: int) -> Iterator[tuple[str, ...]]:
    """Argument lists: all single ones, and a sample of longer ones, the same in every run."""
    choose = random.Random(name)
    if least <= 1 <= most:
        yield from ((text,) for text in ARGUMENTS)
    if least <= 2 <= most:
        yield from choose.sample(list(product(ARGUMENTS, repeat=2)), 60)
    if least <= 3 <= most:
        yield from (tuple(choose.choices(ARGUMENTS, k=3)) for _ in range(25))


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.fixture(scope="module")
def values(session: Session) -> dict[str, Any]:
    session.run("clear")
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
                if error.identifier.startswith("RunMat:") or not error.identifier:
                    pytest.fail(shown)
