"""Random programs give the same on every provider, however they are cut into evaluations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.accel.planning.rewrite import ALL
from runmat_core.accel.running.engine import Engine
from runmat_core.values import size_of
from runmat_core.values.array import from_numpy
from runmat_core.values.notices import warnings_to
from tests.accel.machine import Data, Settings, by_rules, call, inprocess, null, read

UNARY = ("sqrt", "exp", "sin", "abs", "uminus")
BINARY = ("plus", "minus", "times", "rdivide", "gt", "power")
REDUCTIONS = ("sum", "mean", "max")
SHAPES = ((1, 1), (1, 5), (7, 1), (7, 5))
#: NaN, signed zeros and value classes among the scalars that parameters may have.
SCALARS = (-0.0, 0.0, 1.0, 2.0, 0.5, 3.0, -1.5, float("nan"), float("inf"))


@attrs.frozen
class Step:
    """An operation on earlier results (numbers into the list of values), or on a scalar."""

    name: str
    first: int
    second: int
    scalar: float
    axes: tuple[int, ...]
    read: bool
    dropped: int


steps = st.builds(
    Step,
    st.sampled_from(UNARY + BINARY * 2 + REDUCTIONS),
    st.integers(0, 30),
    # every third second operand is a scalar
    st.integers(-10, 20),
    st.sampled_from(SCALARS),
    st.sampled_from(((0,), (1,), (0, 1))),
    st.booleans(),
    st.integers(-30, 10),
)
programs = st.lists(steps, min_size=1, max_size=14)


def sources(seed: int) -> list[Data]:
    rng = np.random.default_rng(seed)
    made = [np.asfortranarray(rng.standard_normal(shape)) for shape in SHAPES[1:]]
    made.append(np.asfortranarray(rng.random((7, 5)).astype(np.float32)))
    made[2][rng.integers(7), rng.integers(5)] = np.nan
    return made


def compatible(a: Any, b: Any) -> bool:
    pairs = zip(size_of(a), size_of(b), strict=True)
    return all(m == n or 1 in (m, n) for m, n in pairs)


def run(engine: Engine, program: list[Step], seed: int, sinks: bool = False) -> list[Data]:
    """The values that the program leaves, read at its end; with `sinks` also on the way."""
    values: list[Any] = [from_numpy(array) for array in sources(seed)]
    given = len(values)
    for step in program:
        first = values[step.first % len(values)]
        if step.name in REDUCTIONS:
            found = call(engine, step.name, first, axes=step.axes)
        elif step.name in UNARY:
            found = call(engine, step.name, first)
        elif step.second < 0:
            found = call(engine, step.name, first, step.scalar)
        else:
            second = values[step.second % len(values)]
            if not compatible(first, second):
                continue
            found = call(engine, step.name, first, second)
        values.append(found)
        if sinks and step.read:
            read(found)
        if step.dropped >= 0 and len(values) > given + 1:
            # nobody holds it any more, or nodes alone do
            del values[given + step.dropped % (len(values) - given)]
    return [read(value).copy() for value in values[given:]]


def close(a: Data, b: Data) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    single = a.dtype.char in "fF"
    # what cancels leaves the rounding errors of what there was before
    scale = float(np.nanmax(np.abs(b[np.isfinite(b)]), initial=1.0))
    rtol, atol = (2e-4, 1e-5 * scale) if single else (1e-9, 1e-11 * scale)
    return bool(np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True))


EXAMPLES = settings(
    max_examples=40,
    derandomize=True,
    report_multiple_bugs=False,
)

WAYS: dict[str, Callable[[], Engine]] = {
    "inprocess": inprocess,
    "no plans kept": lambda: inprocess(plan_cache=0),
    "no rewrites": lambda: inprocess(rewrites=()),
    "device": null,
    "device and host": lambda: Engine(
        Settings(accel__provider="null", accel__offload__force="device")
    ),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("way", WAYS)
@settings(EXAMPLES)
@given(program=programs, seed=st.integers(0, 5), sinks=st.booleans())
def test_programs_give_what_host_rules_give(
    way: str, program: list[Step], seed: int, sinks: bool
) -> None:
    told: list[str] = []
    with np.errstate(all="ignore"), warnings_to(lambda identifier, text: told.append(text)):
        expected = run(by_rules(), program, seed)
        engine = WAYS[way]()
        try:
            found = run(engine, program, seed, sinks)
            again = run(engine, program, seed, sinks)
        finally:
            engine.close()
    assert not told
    for one, other, third in zip(expected, found, again, strict=True):
        assert close(other, one), (one, other)
        assert close(third, one)


@settings(EXAMPLES)
@given(program=programs, off=st.sampled_from(sorted(ALL)))
def test_no_rewrite_is_needed(program: list[Step], off: str) -> None:
    with np.errstate(all="ignore"):
        expected = run(by_rules(), program, 2)
        found = run(inprocess(rewrites=sorted(ALL - {off})), program, 2)
    for one, other in zip(expected, found, strict=True):
        assert close(other, one)


@settings(EXAMPLES)
@given(program=programs, bound=st.sampled_from((1, 2, 3, 5, 10**9)), size=st.sampled_from((0, 500)))
def test_bounds_change_nothing(program: list[Step], bound: int, size: int) -> None:
    with np.errstate(all="ignore"):
        expected = run(by_rules(), program, 1)
        engine = inprocess()
        engine.graph.nodes_bound = bound
        engine.graph.bytes_bound = size or 1 << 40
        found = run(engine, program, 1)
    for one, other in zip(expected, found, strict=True):
        assert close(other, one)
