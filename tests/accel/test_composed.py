"""Builtins that are a few operations of large arrays: statistics, integrals, polynomials."""

from __future__ import annotations

import pytest

from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import PROVIDERS, agree, kept

SETUP = """
rng(11); A = rand(30, 6) - 0.5; N = A; N(3, 2) = NaN; S = single(A); v = rand(1, 40);
u = rand(40, 1); t = sort(rand(1, 40)); B = rand(30, 6); C = rand(4, 5, 3); Z = A + 1i;
I = A; I(4, 1) = Inf;
p = [2 -1 0.5 3]; K = int8(A * 100); E = zeros(0, 3); L = A > 0; k = A; k(:, 2) = 4;
"""
#: program -> names of its results.
CAPTURED = {
    "r = cov(A);": 1, "r = cov(A, 1);": 1, "r = cov(S);": 1, "r = cov(N);": 1,
    "r = cov(A, 0);": 1, "r = corrcoef(A);": 1, "r = corrcoef(N);": 1, "r = corrcoef(S);": 1,
    "r = corrcoef(k);": 1, "r = vecnorm(A);": 1, "r = vecnorm(A, 2, 2);": 1,
    "r = vecnorm(A, 1);": 1, "r = vecnorm(v);": 1, "r = vecnorm(C, 2, 3);": 1,
    "r = vecnorm(S, 1, 2);": 1, "r = polyval(p, A);": 1, "r = polyval(p, S);": 1,
    "r = polyval([1 2], I);": 1, "r = polyval(p', u);": 1, "r = cumtrapz(A);": 1,
    "r = cumtrapz(v);": 1, "r = cumtrapz(t, v);": 1, "r = cumtrapz(t, u);": 1,
    "r = cumtrapz(C);": 1, "r = cumtrapz(S);": 1, "[r, q] = cart2pol(A, B);": 2,
    "[r, q, s] = cart2pol(A, B, B + 1);": 3, "[r, q] = pol2cart(A, B);": 2,
    "[r, q] = cart2pol(S, S);": 2, "r = norm(A, 1);": 1, "r = norm(A, Inf);": 1,
    "r = norm(S, 'inf');": 1, "r = norm(N, 1);": 1, "r = norm(I, Inf);": 1,
    "[r, q] = max(A, [], 'all', 'linear');": 2, "[r, q] = min(N, [], 'all', 'linear');": 2,
    "[r, q] = max(u, [], 1, 'linear');": 2, "r = rms(A);": 1, "r = rms(S, 2);": 1,
    "r = rms(C, 3);": 1, "r = rms(N);": 1, "r = normalize(A);": 1, "r = normalize(N);": 1,
    "r = normalize(S, 2);": 1, "r = normalize(k);": 1, "r = normalize(C, 3);": 1,
    "r = normalize(v);": 1, "r = normalize(I);": 1, "r = rescale(A);": 1, "r = rescale(N);": 1,
    "r = rescale(S, -1, 2);": 1, "r = rescale(C, 3, 3);": 1, "r = rescale(k(:, [2 2 2 2]));": 1,
    "r = rescale(I);": 1, "r = rescale(v, 0, 255);": 1,
}  # fmt: skip
LEFT = {
    "r = cov(v);": 1, "r = cov(A, B);": 1, "r = cov(Z);": 1, "r = cov(K);": 1, "r = cov(E);": 1,
    "r = cov(A, 'omitrows');": 1, "r = cov(A, 2);": 1, "r = cov(C);": 1, "r = cov(A(1, :));": 1,
    "r = corrcoef(v, t);": 1, "r = corrcoef(v);": 1, "r = vecnorm(A, Inf);": 1,
    "r = vecnorm(Z);": 1, "r = vecnorm(A, 3);": 1, "r = vecnorm(A, 2, 3);": 1,
    "r = vecnorm(A, 2, 0);": 1, "r = polyval(7, I);": 1, "r = polyval([], A);": 1,
    "r = polyval(Z(1, :), A);": 1, "r = polyval(p, A, [], [0.5; 2]);": 1, "r = polyval(A, A);": 1,
    "r = cumtrapz(A, 2);": 1, "r = cumtrapz(t, A);": 1, "r = cumtrapz(2, v);": 1,
    "r = cumtrapz(Z);": 1, "r = cumtrapz(5);": 1, "r = cart2pol(A, B);": 1,
    "[r, q] = cart2pol(A, 2);": 2, "[r, q, s] = cart2pol(A, B);": 3,
    "[r, q] = pol2cart(Z, B);": 2, "[r, q] = pol2cart(A, v);": 2, "r = norm(A);": 1,
    "r = norm(Z, 1);": 1, "r = norm(A, -Inf);": 1, "r = norm(E, 1);": 1, "r = norm(C, 1);": 1,
    "[r, q] = max(A, [], 1, 'linear');": 2, "[r, q] = min(C, [], [1 2], 'linear');": 2,
    "r = rms(A, 'all');": 1, "r = rms(Z);": 1, "r = rms(N, 1, 'omitnan');": 1, "r = rms(A, 3);": 1,
    "r = normalize(A, 'range');": 1, "[r, q, s] = normalize(A);": 3, "r = normalize(Z);": 1,
    "r = normalize(A, 'center', 'median');": 1, "r = normalize(A, 3);": 1, "r = normalize(K);": 1,
    "r = rescale(A, 1);": 1, "r = rescale(A, 2, 1);": 1, "r = rescale(A, v(1:6), 2);": 1,
    "r = rescale(A, 'InputMax', 0.25);": 1, "r = rescale(K);": 1, "r = rescale(Z);": 1,
}  # fmt: skip
NAMES = ("r", "q", "s")


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", CAPTURED)
def test_they_agree(provider: str, code: str) -> None:
    ran = agree(provider, SETUP, code, NAMES[: CAPTURED[code]])
    assert "error" not in ran.values


@pytest.mark.parametrize("code", CAPTURED)
def test_they_wait_for_a_sink(code: str) -> None:
    made = kept("inprocess", SETUP)
    made.run(code)
    for name in NAMES[: CAPTURED[code]]:
        assert made.interp.variables[name].__class__ is Deferred


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("code", LEFT)
def test_the_rest_is_left_to_host_rules(provider: str, code: str) -> None:
    agree(provider, SETUP, code, NAMES[: LEFT[code]])


EQUAL = [
    "A + 0, A", "A .* 2, A + A", "N + 0, N", "A, B + 0", "A + 0, A, A .* 1, B", "A', A + 0",
    "S + 1, A + 1", "K + 1, K + 1", "L, A > 0", "L, A >= -1", "Z, Z + 0", "A + 0, 'a'", "v, v'",
    "sqrt(A), sqrt(A)", "E, E", "I + 0, I", "A + 0, {A}",
]  # fmt: skip


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("arguments", EQUAL)
def test_equality_of_pending_arrays(provider: str, arguments: str) -> None:
    agree(provider, SETUP, f"r = isequal({arguments});")


def test_equality_brings_one_logical_back() -> None:
    made = kept("null", "A = rand(60); B = A + 1; wait(gpuDevice);")
    places = made.interp.seat.engine.places  # type: ignore[union-attr]
    _, before = places.moved()
    made.run("r = isequal(A .* 2 + 2, B + B);")
    _, after = places.moved()
    assert after - before <= 8


def test_the_covariance_is_a_product_of_one_matrix() -> None:
    setup = "A = rand(60, 20); wait(gpuDevice);"
    ran = agree("wgpu", setup, "r = cov(A);")
    assert ran.by_plans
    assert [label for record in ran.records for label in record.labels] == [
        "mean",
        "matmul+rdivide",
    ]


def test_a_polynomial_is_one_kernel() -> None:
    ran = agree("null", "A = rand(60, 20); wait(gpuDevice);", "r = sum(polyval([1 2 3 4], A), 2);")
    assert ran.kernels == 1
