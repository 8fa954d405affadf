"""Functions of values that a kernel makes itself: their bounds are known, so they have short forms.

Device compilers fold expressions of literals, and refuse some of them; a shader that is refused
leaves the device without a word, so it is the counter of these that is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from runmat_core.session import Session
from runmat_core.session.config import load
from tests.providers.wgpu.machine import adapter_device

#: Operations with forms for arguments within bounds among them, and of one of these.
FORMS = (
    *(f"{name}(%s)" for name in "sin cos tan sec csc cot exp tanh sinh cosh atan sqrt abs".split()),
    *("log(2 + %s)", "asin(%s/9)", "1./(2 + %s)", "sin(3*%s + 1)", "mod(%s, 2)", "(%s).^2.5"),
)
#: What a kernel makes itself, what lies in memory, a scalar, and the variable of a loop.
SOURCES = (
    "rand(n,1,c)",
    "randn(n,1,c)",
    "linspace(cast(-1,c),1,n)'",
    "cast(1:n,c)'/n",
    "(z + w)",
    "s",
    "(cast(k,c)/4)",
)
#: A map, a reduction, a scan, and a loop; with `{0}` in each.
PLACES = (
    "k = 3; y = {0} + z; r = y(5);",
    "k = 3; y = {0} + z; r = sum(y.*y + z);",
    "k = 3; y = cumsum({0} + z); r = y(end);",
    "r = 0; for k = 1:4, r = r + mean({0} + z); end",
    "y = z; for k = 1:6, y = y/2 + {0}; end, r = y(7);",
)


@pytest.fixture
def session() -> Any:
    adapter_device()
    config = load().replace(
        accel__provider="wgpu",
        accel__fallback="none",
        accel__threshold=1,
        accel__offload__force="device",
        accel__offload__calibrate="never",
    )
    session = Session(config=config)
    yield session
    session.close()


#: Every form of every source in every place, and some of them that have all of each.
ALL = tuple(product(range(len(FORMS)), range(len(SOURCES)), range(len(PLACES))))
SOME = tuple(
    (k, at, where) for k, at, where in ALL if (k + 2 * at) % 7 in (0, 3) and where == (k + at) % 5
)


def refuses_none(session: Session, kind: str, programs: Sequence[tuple[int, int, int]]) -> None:
    session.run(f"c = '{kind}'; n = 300; z = zeros(n, 1, c); w = rand(n, 1, c); s = cast(0.7, c);")
    for form, source, place in programs:
        session.run(PLACES[place].format(FORMS[form] % SOURCES[source]))
        session.capture("r")
    assert session.telemetry is not None
    # providers of one name are numbered from the second one in a process
    (report,) = session.telemetry.as_dict()["providers"].values()
    counters = dict(report["counters"])
    assert report["refused"] == ()
    assert counters["invalid_shaders"] == 0
    if kind == "single" or not counters["declined"]:
        assert report["launches"] >= len(programs)


def test_some_programs_have_everything() -> None:
    for at, whole in enumerate((FORMS, SOURCES, PLACES)):
        assert {program[at] for program in SOME} == set(range(len(whole)))


@pytest.mark.parametrize("kind", ["double", "single"])
def test_no_shader_is_refused(session: Session, kind: str) -> None:
    refuses_none(session, kind, SOME)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["double", "single"])
def test_no_shader_is_refused_anywhere(session: Session, kind: str) -> None:
    refuses_none(session, kind, ALL)
