"""Builtins as library calls: what is captured, what runs, and that it is what host rules give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runmat_core as rm
from runmat_core.accel.devices.records import Record
from runmat_core.accel.placement import work
from runmat_core.accel.planning.plan import BufferRef, KernelCall
from runmat_core.api.ir import LibraryCall
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
    "upper factor": "G = B' * B; R = chol(G); R = R' * R - G;",
    "lower factor": "R = chol(single(B' * B), 'lower');",
    "one system": "R = (B' * B) \\ (B' * A(:, 1));",
    "several systems": "M = B(1:8, :) + eye(8); R = [M \\ M' , M' / M];",
    "least squares": "R = B \\ (B(:, 1:3) .^ 2);",
    "least squares from the right": "R = (B(:, 1:3) .^ 2)' / B';",
    "inverse": "R = inv(B(1:8, :) + 3 * eye(8));",
    "determinant": "R = det(B(1:8, :) * 2) + zeros(1, 3);",
    "singular values": "R = svd(B - 0.5);",
    "thin decomposition": "[U, S, V] = svd(B, 'econ'); R = [U * S * V' - B; S];",
    "square decomposition": "[U, S, V] = svd(B(1:8, :)); R = [U * S * V'; S; U' * U - V' * V];",
    "eigenvalues": "M = B(1:8, :) - 0.5; R = eig(M + M');",
    "eigenvectors": "M = B(1:8, :); M = M + M'; [V, D] = eig(M); R = [V * D * V'; D; V' * V];",
    "power iteration": "Q = B(1:8, 1:3); G = B' * B;\n"
    "for t = 1:4\nQ = G * Q; [Q, ~] = qr(Q, 0);\nend\nR = abs(diag(Q' * G * Q));",
}
#: What host rules must see: forms that no library has.
KEPT = {
    "by magnitude": "R = sort(A, 'ComparisonMethod', 'abs');",
    "missing first": "R = sort(A, 'MissingPlacement', 'first');",
    "full factors": "[Q, R] = qr(B); R = Q(:, 1:8) * R(1:8, :) - B;",
    "factor with a flag": "[R, p] = chol(B' * B); R = R + p;",
    "full decomposition": "[U, S, V] = svd(B); R = [S; U' * B * V - S];",
    "eigenvalues as a vector": "M = B(1:8, :); [~, R] = eig(M + M', 'vector');",
    "left eigenvectors": "M = B(1:8, :); [~, R, ~] = eig(M + M');",
    "underdetermined": "R = B' \\ B(1:8, 1:4);",
    "pivoted": "[Q, R, p] = qr(B, 0); R = Q * R - B(:, p);",
}

LINEAR = {"sort", "qr", "chol", "solve", "lstsq", "inv", "det", "svd", "eig"}

#: Elements that only a host rule can speak of, and what it says.
SAID = {
    "not definite": ("try\nR = chol(-B' * B);\ncatch e\nR = e.identifier;\nend", "posdef"),
    "in a variable nobody reads": (
        "R = 'none';\ntry\nX = chol(B(1:8, :) - 9);\ncatch e\nR = e.identifier;\nend",
        "posdef",
    ),
    "singular": (
        "M = B(1:8, :); M(:, 2) = M(:, 1); X = M \\ M(:, 3); [~, R] = lastwarn;",
        "ingularMatrix",
    ),
    "zero": ("X = inv(B(1:8, :) * 0); [~, R] = lastwarn;", "MATLAB:singularMatrix"),
    "dependent": ("M = [B, B(:, 1)]; X = M \\ A(:, 1); [~, R] = lastwarn;", "rankDeficientMatrix"),
    "not finite": ("try\nR = svd(A);\ncatch e\nR = e.identifier;\nend", "svd:matrixWithNaNInf"),
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


@pytest.mark.sweep
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
    assert LINEAR & set(launched(records))


@pytest.mark.parametrize("name", sorted(KEPT))
def test_forms_that_no_library_has_stay_host_rules(tmp_path: Path, name: str) -> None:
    _, records = run(tmp_path, KEPT[name], **ON_DEVICE)
    assert not LINEAR & set(launched(records))


@pytest.mark.parametrize("name", sorted(SAID))
def test_host_rules_say_what_elements_are_wrong(tmp_path: Path, name: str) -> None:
    body, words = SAID[name]
    settings = config.load(str(tmp_path)).replace(accel__threshold=4, **ON_DEVICE)
    session = rm.Session(path=[tmp_path], config=settings)
    session.run(INPUTS + "\n" + body)
    assert words in session["R"]
    assert session.interp.seat is not None
    assert session.interp.seat.engine.counters.guards_fired == 1


@pytest.mark.parametrize("made", ["M(1, 2) = 5;", "M = [0 1; -1 0];", "M = M + tril(ones(8), -1);"])
def test_eigenvalues_of_what_is_not_symmetric_are_those_of_the_host(
    tmp_path: Path, made: str
) -> None:
    body = f"M = B(1:8, :); M = M + M'; {made} M = M + 0; [V, D] = eig(M); E = eig(M); "
    body += "R = [real(D(:)); imag(D(:)); real(E); imag(E); real(V(:)); imag(V(:))];"
    expected, _ = run(tmp_path, body, accel__provider="none")
    found, _ = run(tmp_path, body, **ON_DEVICE)
    np.testing.assert_array_equal(found, expected)


def test_a_singular_system_is_what_the_host_makes_of_it(tmp_path: Path) -> None:
    body = "M = B(1:8, :) * 0 + 1; M(1) = 2; R = [M \\ M(:, 2), inv(M)];"
    expected, _ = run(tmp_path, body, accel__provider="none")
    found, _ = run(tmp_path, body, **ON_DEVICE)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "extents", "flops"),
    [
        ("chol", (6, 6), 6**3 / 3),
        ("solve", (6, 6, 6, 4), 6**3 * 2 / 3 + 2 * 36 * 4),
        ("lstsq", (9, 6, 9, 1), 2 * 9 * 36 + 2 * 54),
        ("svd", (9, 6), 20 * 9 * 36),
        ("svd", (6, 9), 20 * 9 * 36),
        ("eig", (6, 6), 25 * 6**3),
    ],
)
def test_work_is_counted_from_the_extents_of_all_inputs(
    name: str, extents: tuple[int, ...], flops: float
) -> None:
    inputs = len(extents) // 2
    unit = LibraryCall(name, ("f64",) * (inputs + 1), guards=True)
    refs = tuple([BufferRef(k) for k in range(inputs + 1)])
    lowered = KernelCall(unit, refs, frozenset({inputs}), extents, (), (), name)
    assert work.fused(lowered) == {"matmul.f64": pytest.approx(flops)}
