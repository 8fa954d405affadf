"""Differences, scalar products and integrals as operations of the graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.accel.devices.records import Record
from runmat_core.session import config
from runmat_core.values.deferred import Deferred

SETUP = """
rng(3); x = rand(40, 1) - 0.5; y = rand(40, 1); A = rand(6, 8); B = rand(6, 8); C = rand(3, 4, 5);
t = sort(rand(1, 40)); f = single(A); k = int8(A * 9); z = x + 1i * y;
"""
CAPTURED = [
    "diff(x)",
    "diff(x')",
    "diff(A)",
    "diff(A, 1, 2)",
    "diff(A, 3)",
    "diff(C, 2, 3)",
    "diff(f)",
    "dot(x, y)",
    "dot(x, y')",
    "dot(x', y')",
    "dot(A, B)",
    "dot(A, B, 2)",
    "dot(f, f)",
    "trapz(x)",
    "trapz(A)",
    "trapz(t, x)",
    "trapz(t, x')",
    "trapz(f)",
    "trapz(t, t)",
]
#: What host rules are left with.
LEFT = [
    "diff(k)",
    "diff(x > 0)",
    "diff(A, 6)",
    "diff(A, 0)",
    "diff(A, 1, 3)",
    "diff(x(1))",
    "diff(z)",
    "dot(z, y)",
    "dot(f, B)",
    "dot(A, B, 3)",
    "trapz(z)",
    "trapz(t, rand(40, 2))",
    "trapz(A, B)",
    "trapz(2, x)",
    "trapz(x, A, 2)",
    "dot(sqrt(x), y)",
]


@pytest.fixture
def s() -> Iterator[Session]:
    settings = config.load().replace(accel__threshold=1, accel__provider="inprocess")
    with Session(config=settings) as session:
        yield session


def outcome(session: Session, code: str) -> object:
    """The value of `code`, or its error."""
    try:
        session.run(f"r = {code};")
    except MatlabError as problem:
        return problem.identifier, problem.message
    return session["r"]


def plainly(code: str) -> object:
    with Session(config=config.load().replace(accel__provider="none")) as session:
        session.run(SETUP)
        return outcome(session, code)


@pytest.mark.parametrize("code", CAPTURED)
def test_they_are_captured_and_agree(s: Session, code: str) -> None:
    s.run(SETUP)
    s.run(f"r = {code};")
    value = s.interp.variables["r"]
    assert value.__class__ is Deferred
    assert value.promise.node.data is None
    found, expected = np.asarray(s["r"]), np.asarray(plainly(code))
    assert found.dtype == expected.dtype
    tolerance = 1e-5 if found.dtype == np.float32 else 1e-13
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("code", LEFT)
def test_other_forms_are_left_to_host_rules(s: Session, code: str) -> None:
    s.run(SETUP)
    found, expected = outcome(s, code), plainly(code)
    if isinstance(expected, tuple):
        assert found == expected
        return
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-13, atol=1e-15)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


def test_they_fuse_with_what_is_around() -> None:
    settings = config.load().replace(
        accel__threshold=1, accel__provider="inprocess", accel__offload__force="host"
    )
    records: list[Record] = []
    with Session(config=settings) as s:
        s.run("x = rand(1, 500); y = rand(1, 500); wait(gpuDevice);")
        s.interp.seat.engine.listeners.append(records.append)
        for code in ("sum(diff(x) .^ 2)", "dot(exp(x), y + 1)", "trapz(x, y)"):
            s.capture(f"r = {code}")
    # each is one pass from its arrays to one number
    assert [len(record.labels) for record in records] == [1, 1, 1]
    assert all(record.outcome == "done" for record in records)
