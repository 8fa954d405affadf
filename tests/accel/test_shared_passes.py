"""Statistics of one array read it once, and what follows a product is part of it."""

from __future__ import annotations

import pytest

from tests.accel.everywhere import agree

ARRAY = "A = rand(400, 50); wait(gpuDevice);"
MOMENTS = [
    "m = mean(A); s = std(A); disp(m(1)); disp(s(1));",
    "s = std(A); m = mean(A); v = var(A); t = sum(A); disp(m(1)); disp(s(1)); disp(v(1) + t(1));",
    "n = vecnorm(A); m = mean(A); disp(m(1)); disp(n(1));",
    "m = mean(A(:)); s = std(A(:)); n = norm(A(:)); disp(m); disp(s); disp(n);",
    "m = mean(A, 2); r = rms(A, 2); x = max(A, [], 2); disp(r(1)); disp(m(1)); disp(x(1));",
    "Z = (A - mean(A)) ./ std(A); disp(Z(3));",
]


@pytest.mark.parametrize("code", MOMENTS)
def test_moments_of_one_array_are_one_pass(code: str) -> None:
    ran = agree("null", ARRAY, code, ())
    reading = [label for record in ran.records for label in record.labels if _reduces(label)]
    assert len(reading) == 1, reading


def _reduces(label: str) -> bool:
    words = {"mean", "std", "var", "sum", "max", "norm"}
    return not words.isdisjoint(label.split("+"))


FACTORS = """
A = rand(300, 60); X = rand(60, 8); G = rand(60); Q = rand(60, 8); K = rand(50, 8); V = rand(50, 9);
wait(gpuDevice);
"""
EPILOGUES = [
    "R = (A * X) ./ sqrt(sum((A * X).^2)); disp(R(3));",
    "B = A * X; B = B ./ vecnorm(B); disp(B(3));",
    "B = X' * G; B = (B - mean(B)) ./ std(B); disp(B(3));",
    "B = A * X; R = max(B - 1, 0) ./ (1 + sum(abs(B))); clear B; disp(R(3));",
]


@pytest.mark.parametrize("provider", ["inprocess", "wgpu"])
@pytest.mark.parametrize("code", EPILOGUES)
def test_a_product_takes_along_what_its_columns_are_divided_by(provider: str, code: str) -> None:
    ran = agree(provider, FACTORS, code, ())
    labels = [label for record in ran.records for label in record.labels if label != "subsref"]
    assert len(labels) == 1, labels
    assert labels[0].startswith("matmul+")


def test_a_product_that_is_kept_is_stored() -> None:
    agree("inprocess", FACTORS, "B = A * X; R = B ./ vecnorm(B);", ("B", "R"))


@pytest.mark.parametrize(
    "code",
    [
        "S = Q * K'; E = exp(S - max(S, [], 2)); P = E ./ sum(E, 2); R = P * V;",
        "S = Q * K' / sqrt(8); P = exp(S) ./ sum(exp(S), 2); R = P * V;",
        "S = Q * K'; P = exp(S - max(S, [], 2)); R = (P ./ sum(P, 2)) * V;",
    ],
)
def test_attention_takes_three_kernels(code: str) -> None:
    ran = agree("null", FACTORS, f"{code} clear S E P; disp(R(3)); clear R", ())
    labels = [label for record in ran.records for label in record.labels if label != "subsref"]
    assert len(labels) <= 3, labels


@pytest.mark.parametrize("code", ["Q' * G * Q", "diag(Q' * G * Q)", "trace(Q' * G * Q)"])
def test_a_form_of_a_matrix_forms_nothing_large(code: str) -> None:
    ran = agree("null", FACTORS, f"R = {code}; disp(R(1)); clear R", ())
    sizes = [
        note.shape[0] * note.shape[1]
        for record in ran.records
        for note in record.nodes
        if note.name == "matmul"
    ]
    assert sizes
    assert sum(sizes) <= 60 * 8 + 8 * 8
