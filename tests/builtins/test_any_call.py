"""Whatever a builtin is called with, it gives a result or one of MATLAB's own errors.

Every builtin, of plugins as well, with no argument, with one, with several drawn at random, with
far too many, and with no, one and more outputs.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins import index, overloads, registry
from runmat_core.session import Session

#: These end the process, wait for somebody, or run other programs.
LEFT_OUT = {"quit", "exit", "input", "keyboard", "pause", "system", "dos", "unix", "timeit"}
#: Sizes multiply, and a text is as many large numbers as it has characters; or calls go on until
#: a function is satisfied, which those here may never do.
ENDLESS = {
    *("repmat", "zeros", "ones", "cell", "kron", "repelem", "accumarray", "rand", "randn", "fftn"),
    *("ifftn", "fminsearch", "fzero", "fminbnd", "integral", "integral2", "integral3", "quadgk"),
    *("triplequad", "dblquad", "quad", "quadl", "quadv", "strings", "nan", "NaN", "inf", "Inf"),
    *(
        "primes",
        "true",
        "false",
        "eye",
        "ode15s",
        "ode23s",
        "ode113",
        "ode45",
        "ode23",
        "ode23t",
        "ode23tb",
    ),
}
ARGUMENTS = """
    5  0  -1  2.5  NaN  Inf  -Inf  true  1+2i  []  zeros(0,3)  1:3  (1:3)'  magic(3)  ones(2,3,2)
    [1,NaN,2]  int8([1,2,3])  intmax('uint64')  single([1.5,2])  'abc'  ''  "str"  ["a","b"]
    string(missing)  strings(0,1)  {1,'a'}  {}  {'a','b'}  {{1},[]}  struct('a',1)
    struct('a',{1,2})  struct([])  @sin  @(varargin)1  sparse([1,0,2])  true(2,2)  'all'
    containers.Map('a',1)  dictionary("a",1)  'omitnan'  1e300  1e10  '%d'  '[(a+'  ['ab';'cd']
    char(0)  datetime(2020,1,1)  NaT  seconds([1,2])  categorical({'a','b'})
    table([1;2],{'a';'b'})  timetable(seconds([1;2]),[3;4])  MException('a:b','c')  inputParser
    onCleanup(@()1)  gpuArray([1,2,3])
""".split()
#: What takes sizes behind other arguments, by family or name; a text is no small size there either.
SIZED = {"stats/draws", "paddata", "resize"}
#: What functions of numbers look at more closely, and so do those of times, tables and categories.
NUMBERS = """
    5  -1  2.5  NaN  Inf  true  1+2i  []  zeros(1,0)  1:3  (1:3)'  magic(3)  ones(2,3)  ones(2,3,2)
    [1i,2;3,4]  uint8(7)  int64(5)  int8(-128)  single([1.5,2])  speye(3)  true(2,2)  'rows'
""".split()
OBJECTS = """
    5  NaN  1:3  (1:3)'  {'a';'b'}  'Format'  'x'  ':'  datetime(2020,1,[1;2])  NaT(0,1)  hours(1)
    seconds([1,2])  caldays(3)  categorical({'a','b',''})  categorical([1;2],'Ordinal',true)
    table([1;2],{'a';'b'},'VariableNames',{'x','n'})  table()  table([1;NaN],'RowNames',{'p','q'})
    datetime(2020,1,1,'TimeZone','UTC')  'VariableNames'  'descend'
""".split()
#: What charts, fields and meshes are drawn from.
PICTURES = """
    peaks(6)  {[1,2;3,4;5,6]}  figure  rand(3,4,5)  linspace(0,1,7)  'r'  'Color'  [1,0,0]  -Inf
""".split()
FAMILIES = {
    "runmat-plot": PICTURES * 4,
    **dict.fromkeys(("math", "arrays", "linalg", "random", "geometry", "graphs"), NUMBERS),
    **dict.fromkeys(("time", "categories", "tables", "sheets"), OBJECTS),
}
#: What calls change is made anew for each.
CHANGED = ("containers.Map", "inputParser", "onCleanup")


def modules() -> dict[str, list[str]]:
    """Builtins by the module that they come from, those of plugins by their package."""
    found: dict[str, list[str]] = {}
    for name, module in index.load().items():
        found.setdefault(module.removeprefix("runmat_core.builtins."), []).append(name)
    for name, offer in registry.offers().items():
        found.setdefault(offer.package.partition(" ")[0], []).append(name)
    return {module: sorted({*names} - LEFT_OUT) for module, names in sorted(found.items())}


MODULES = modules()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(cwd=tmp_path_factory.mktemp("any"))


@pytest.fixture(scope="module")
def values(session: Session) -> dict[str, Any]:
    texts = {*ARGUMENTS, *NUMBERS, *OBJECTS, *PICTURES}
    return {text: session.interp.evaluate_text(text, 1) for text in sorted(texts)}


def calls(name: str, own: list[str], most: int | None, often: int) -> list[tuple[str, ...]]:
    """Argument lists, the same in every run."""
    choose = random.Random(name)
    every = [*ARGUMENTS, *own]
    found: list[tuple[str, ...]] = [(), ("5",) * 25]
    found += [(text,) for text in (every if often > 1 else choose.sample(every, 8))]
    for count in (2, 3, 4):
        if most is None or most >= count:
            found += [tuple(choose.choices(every, k=count)) for _ in range(4 * often)]
    return [] if name in ENDLESS and often == 1 else found


def faults(session: Session, values: dict[str, Any], module: str, often: int) -> Iterable[str]:
    """Call each builtin of a module, and give each call that raises what no user should see."""
    for name in MODULES[module]:
        spec = registry.find(name)
        assert spec is not None
        call = registry.bind(spec, session.interp)
        choose = random.Random(name)
        own = OBJECTS if name in overloads.NAMES else FAMILIES.get(module.partition(".")[0], [])
        for texts in calls(name, own, registry.arity(spec)[1], often):
            if SIZED & {spec.family, name} and "'" in "".join(texts):
                continue
            if name in ENDLESS and (len(texts) > 4 or "'" in "".join(texts) or "1e10" in texts):
                continue
            given = [
                session.interp.evaluate_text(text, 1) if text.startswith(CHANGED) else values[text]
                for text in texts
            ]
            nargout = choose.choice((0, 1, 1, 2, 3))
            try:
                with session.interp.capture(), np.errstate(all="ignore"):
                    call(nargout, *given)
            except MatlabError as error:
                if error.identifier in ("RunMat:internal", "RunMat:plugin:error"):
                    yield f"{name}({', '.join(texts)}), {nargout} outputs: {error.message}"


@pytest.mark.parametrize("module", MODULES)
def test_no_internal_errors(module: str, session: Session, values: dict[str, Any]) -> None:
    assert [*faults(session, values, module, 1)] == []


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_no_internal_errors_at_length(
    module: str, session: Session, values: dict[str, Any]
) -> None:
    assert [*faults(session, values, module, 12)] == []
