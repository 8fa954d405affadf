"""Builtins as library calls: what is captured, what runs, and that it is what host rules give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runmat_core as rm
from runmat_core.accel.report.records import Record
from runmat_core.session import config

INPUTS = "rng(3); A = rand(60, 8) - 0.5; A(7, 2) = NaN; A([3 9], 4) = 0.25; B = rand(60, 8); "

PROGRAMS = {
    "sort": "R = sort(A .* 2);",
    "sort of rows": "R = sort(A + 1, 2, 'descend');",
    "sort with places": "[s, k] = sort(A, 1); R = s + k;",
    "places alone": "[~, k] = sort(A, 'descend'); R = k;",
    "sort of integers": "R = double(sort(int16(B * 9 - 4), 'descend'));",
    "sort of a logical": "R = double(sort(A > 0, 2));",
    "median by sorting": "s = sort(B + A(1)); R = (s(30, :) + s(31, :)) / 2;",
    "thin factors": "[Q, R] = qr(B, 0); R = Q * R - B;",
    "orthonormal columns": "[Q, ~] = qr(B + 1, 'econ'); R = Q' * Q;",
    "triangle": "R = abs(qr(single(B), 0));",
    "power iteration": "Q = B(1:8, 1:3); G = B' * B;\n"
    "for t = 1:4\nQ = G * Q; [Q, ~] = qr(Q, 0);\nend\nR = abs(diag(Q' * G * Q));",
}
#: What host rules must see: forms that no library has.
KEPT = {
    "by magnitude": "R = sort(A, 'ComparisonMethod', 'abs');",
    "missing first": "R = sort(A, 'MissingPlacement', 'first');",
    "full factors": "[Q, R] = qr(B); R = Q(:, 1:8) * R(1:8, :) - B;",
    "pivoted": "[Q, R, p] = qr(B, 0); R = Q * R - B(:, p);",
}

ON_DEVICE = {"accel__provider": "null", "accel__offload__force": "device"}


def run(folder: Path, body: str, **settings: Any) -> tuple[np.ndarray, list[Record]]:
    (folder / "job.m").write_text(f"function R = job()\n{INPUTS}\n{body}\nend\n")
    chosen = config.load(str(folder)).replace(accel__threshold=4, **settings)
    session = rm.Session(path=[folder], config=chosen)
    records: list[Record] = []
    if session.interp.seat is not None:
        session.interp.seat.engine.listeners.append(records.append)
    session.run("R = job();")
    return np.asarray(session["R"]), records


def launched(records: list[Record]) -> list[str]:
    return [label for record in records for label in record.labels]


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("name", sorted(PROGRAMS | KEPT))
def test_results_are_those_of_host_rules(tmp_path: Path, name: str, provider: str) -> None:
    body = (PROGRAMS | KEPT)[name]
    expected, _ = run(tmp_path, body, accel__provider="none")
    force = "host" if provider == "inprocess" else "device"
    found, _ = run(tmp_path, body, accel__provider=provider, accel__offload__force=force)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_the_library_of_the_device_runs(tmp_path: Path, name: str) -> None:
    _, records = run(
        tmp_path, PROGRAMS[name], accel__provider="null", accel__offload__force="device"
    )
    assert {"sort", "qr"} & set(launched(records))


@pytest.mark.parametrize("name", sorted(KEPT))
def test_forms_that_no_library_has_stay_host_rules(tmp_path: Path, name: str) -> None:
    _, records = run(tmp_path, KEPT[name], **ON_DEVICE)
    assert not {"sort", "qr"} & set(launched(records))
