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
    "r = vecnorm(A, Inf);": 1, "r = vecnorm(N, Inf, 2);": 1, "r = vecnorm(A, 3);": 1,
    "r = vecnorm(A, 2.5, 2);": 1,
    "r = cov(v);": 1, "r = cov(A, B);": 1, "r = cov(A, B, 1);": 1, "r = corrcoef(v, t);": 1,
    "r = cumtrapz(A, 2);": 1, "r = cumtrapz(u(1:30), A);": 1, "r = cumtrapz(0.5, C, 3);": 1,
    "r = cumtrapz(2, v);": 1, "r = cumtrapz(B, A);": 1, "r = trapz(A, 2);": 1,
    "r = trapz(v(1:6), A, 2);": 1, "r = trapz(0.5, A);": 1, "r = trapz(B, A);": 1,
    "r = trapz(S);": 1, "r = trapz(v);": 1, "r = trapz(C, 3);": 1, "r = trapz(t', v);": 1,
    "r = rms(A, 'all');": 1, "r = rms(N, 1, 'omitnan');": 1, "r = rms(C, [1 3]);": 1,
    "r = mad(A);": 1, "r = mad(C, 0, 3);": 1,
    "r = normalize(N, 'range');": 1, "r = normalize(k, 'range', [-1 2]);": 1,
    "r = normalize(I, 2, 'range');": 1, "r = normalize(N, 'center');": 1,
    "r = normalize(A, 'center', 'median');": 1, "r = normalize(A, 'center', 0.5);": 1,
    "r = normalize(A, 'scale', 'mad');": 1, "r = normalize(A, 'scale', 2);": 1,
    "r = normalize(S, 'center', 'mean', 'scale', 'std');": 1,
    "r = normalize(A, 'scale', 'std', 'center', 'median');": 1,
    "r = normalize(N, 2, 'norm');": 1, "r = normalize(A, 'norm', Inf);": 1,
    "r = normalize(N, 'zscore', 'robust');": 1, "[r, q, s] = normalize(N);": 3,
    "r = rescale(A, -1, 1, 'InputMin', -0.2, 'InputMax', 0.3);": 1,
    "r = rescale(N, 'InputMax', 0.25, 'InputMin', 0.25);": 1,
    "[r, q] = bounds(N, 'omitnan');": 2, "[r, q] = bounds(N, 2, 'includenan');": 2,
    "[r, q] = var(N);": 2, "[r, q] = std(C, 1, 3);": 2, "[r, q] = var(N, 0, 2, 'omitnan');": 2,
    "r = var(A, u(1:30));": 1, "r = std(N, u(1:30), 1, 'omitnan');": 1,
    "r = std(A, B);": 1, "r = var(S, u(1:30), 1);": 1, "r = std(A, v(1:6), 2);": 1,
    "[r, q] = std(C, [1 2 3], 3);": 2, "r = movmean(A, 5);": 1, "r = movmean(A, 4, 2);": 1,
    "r = movmean(N, [3 0], 'omitnan');": 1, "r = movmean(I, 3);": 1,
    "r = movmean(S, 7, 'Endpoints', 'fill');": 1, "r = movmean(C, 2, 3);": 1,
    "r = movmean(A, [1 3], 'Endpoints', 'discard');": 1, "r = movmean(v, 9);": 1,
    "r = movmean(N, 3, 'omitnan', 'Endpoints', 2);": 1, "r = movmean(A, 1);": 1,
    "r = movmean(N, 3, 'omitnan', 'Endpoints', 'fill');": 1,
    "r = movsum(N, 6, 'omitnan');": 1, "r = movsum(A, [0 5], 2, 'Endpoints', 0.5);": 1,
    "r = movsum(I, 2);": 1, "r = movprod(A, 3);": 1, "r = movprod(N, 4, 'omitnan');": 1,
    "r = movmax(N, 3);": 1, "r = movmax(N, 3, 'omitnan');": 1, "r = movmin(I, [2 1]);": 1,
    "r = movmin(S, 5, 2, 'Endpoints', 'discard');": 1, "r = movmax(A, 3, 'Endpoints', 'fill');": 1,
    "r = movvar(A, 5);": 1, "r = movvar(A, 4, 1, 2);": 1, "r = movvar(S, [3 0]);": 1,
    "r = movstd(N, 3);": 1, "r = movstd(N, 3, 'omitnan');": 1, "r = movvar(I, 2);": 1,
    "r = movvar(N, [0 1], 1, 'omitnan', 'Endpoints', 'fill');": 1, "r = movstd(C, 2, 0, 3);": 1,
    "r = movvar(A, 3, 'Endpoints', 'fill');": 1, "r = movstd(A, 17, 'Endpoints', 0.5);": 1,
    "r = movvar(N, 11, 0, 'omitnan', 'Endpoints', 'discard');": 1, "r = movvar(A, 1);": 1,
    "r = movstd(S, 9, 'Endpoints', 'discard');": 1, "r = movvar(A * 1e-3 + 1e6, 20);": 1,
    "r = movvar(A * 1e180, 3, 'Endpoints', 'shrink');": 1, "r = movvar(N, 2, 1, 'omitnan');": 1,
    "r = detrend(A);": 1, "r = detrend(v);": 1, "r = detrend(S);": 1, "r = detrend(N);": 1,
    "r = zscore(A);": 1, "r = zscore(S, 1, 2);": 1, "r = zscore(k);": 1,
    "r = zscore(N);": 1, "r = zscore(A, 0, 'all');": 1, "[r, q, s] = zscore(C, 0, 3);": 3,
    "r = detrend(I, 0);": 1, "r = detrend(I);": 1, "r = detrend(C, 'constant');": 1,
}  # fmt: skip
#: Captured where a provider sorts.
SORTED = [
    "r = movmedian(A, 5);", "r = movmedian(N, 4, 2);", "r = movmedian(N, [3 0], 'omitnan');",
    "r = movmedian(I, 3);", "r = movmedian(S, 7, 'Endpoints', 'fill');", "r = movmedian(C, 2, 3);",
    "r = movmedian(N, 3, 'omitnan', 'Endpoints', 'fill');", "r = movmedian(v, 32);",
    "r = movmedian(A, [1 3], 'Endpoints', 'discard');", "r = movmedian(A, 33);",
    "r = movmedian(N, 3, 'omitnan', 'Endpoints', 2);", "r = movmedian(A, 1);",
    "r = movmad(A, 5);", "r = movmad(N, 4, 2);", "r = movmad(I, 3);", "r = movmad(I, 2);",
    "r = movmad(I, 4, 'omitnan', 'Endpoints', -Inf);", "r = movmad(S, [0 2], 'Endpoints', NaN);",
    "r = movmad(C, 2, 3);", "r = movmad(N, 6, 'omitnan', 'Endpoints', 'discard');",
]  # fmt: skip
LEFT = {
    "r = cov(Z);": 1, "r = cov(K);": 1, "r = cov(E);": 1,
    "r = cov(A, 'omitrows');": 1, "r = cov(A, 2);": 1, "r = cov(C);": 1,
    "r = corrcoef(v);": 1,
    "r = vecnorm(Z);": 1, "r = vecnorm(A, 2, 3);": 1,
    "r = vecnorm(A, 2, 0);": 1, "r = polyval(7, I);": 1, "r = polyval([], A);": 1,
    "r = polyval(Z(1, :), A);": 1, "r = polyval(p, A, [], [0.5; 2]);": 1, "r = polyval(A, A);": 1,
    "r = cumtrapz(t, A);": 1,
    "r = cumtrapz(Z);": 1, "r = cumtrapz(5);": 1, "r = cart2pol(A, B);": 1,
    "[r, q] = cart2pol(A, 2);": 2, "[r, q, s] = cart2pol(A, B);": 3,
    "[r, q] = pol2cart(Z, B);": 2, "[r, q] = pol2cart(A, v);": 2, "r = norm(A);": 1,
    "r = norm(Z, 1);": 1, "r = norm(A, -Inf);": 1, "r = norm(E, 1);": 1, "r = norm(C, 1);": 1,
    "[r, q] = max(A, [], 1, 'linear');": 2, "[r, q] = min(C, [], [1 2], 'linear');": 2,
    "r = rms(Z);": 1, "r = rms(A, 3);": 1,
    "r = normalize(Z);": 1,
    "r = normalize(A, 3);": 1, "r = normalize(K);": 1,
    "r = rescale(A, 1);": 1, "r = rescale(A, 2, 1);": 1, "r = rescale(A, v(1:6), 2);": 1,
    "r = rescale(A, 'InputMax', 0.25);": 1, "r = rescale(K);": 1, "r = rescale(Z);": 1,
    "r = normalize(A, 'medianiqr');": 1, "r = normalize(A, 'scale', 'first');": 1,
    "r = normalize(A, 'norm', -1);": 1, "r = normalize(A, 'range', [2 1]);": 1,
    "r = var(A, -u(1:30));": 1, "r = std(A, u(1:7));": 1, "r = std(A, NaN(30, 1));": 1,
    "r = movmean(A, 50);": 1, "r = movmean(A, 3, 'SamplePoints', 1:30);": 1,
    "r = movmean(A, 2.5);": 1, "r = movsum(K, 3);": 1, "r = movsum(Z, 3);": 1,
    "r = movvar(A, 3, 2);": 1, "r = movvar(A, 3, [1 1]);": 1, "r = movstd(Z, 3);": 1,
    "r = movvar(A, 50);": 1, "r = movstd(K, 3);": 1, "r = movvar(A, 3, []);": 1,
    "r = detrend(A, 2);": 1, "r = detrend(A, 1, 15);": 1, "r = detrend(A, -1);": 1,
    "r = mad(N, 1);": 1, "r = mad(S, 1, 2);": 1,
    "r = zscore(Z);": 1, "r = zscore(A, 0, [1 2]);": 1, "r = zscore(A, 2);": 1,
    "r = zscore(L);": 1, "r = zscore(A, [], 2);": 1,
    "r = mad(Z);": 1, "r = mad(A, 2);": 1, "r = mad(A, 0, 'all');": 1, "r = cov(A(1, :));": 1,
    "r = trapz(t, A);": 1, "r = trapz(Z);": 1, "r = rescale(A, 'InputMin', 0);": 1,
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


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", SORTED)
def test_moving_medians_agree(provider: str, code: str) -> None:
    agree(provider, SETUP, code)


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


#: Arguments of calls that leave A (on the device, with NaN) where it is.
STAY = {
    "normalize": ["", ", 2", ", 'range'", ", 'center', 'median'", ", 'norm', 1"],
    "zscore": ["", ", 1, 2", ", 0, 'all'"],
    "cov": ["", ", 1", ", B"],
    "corrcoef": ["", ", B"],
    "rescale": ["", ", -1, 1", ", 'InputMin', 0, 'InputMax', 1"],
    "vecnorm": ["", ", 1, 2", ", Inf", ", 3"],
    "trapz": ["", ", 2", ", B"],
    "cumtrapz": ["", ", 2", ", B"],
    "movmean": [", 5", ", [3 1], 2", ", 4, 'omitnan'", ", 3, 'Endpoints', 'discard'"],
    "movsum": [", 5", ", 4, 'omitnan'", ", 40"],
    "movprod": [", 3"],
    "movvar": [", 5", ", [3 1], 1, 2", ", 4, 'omitnan'", ", 20, 'Endpoints', 'discard'"],
    "movstd": [", 3", ", 4, 0, 'omitnan', 'Endpoints', 'fill'"],
    "movmedian": [", 5", ", [3 1], 2", ", 4, 'omitnan'", ", 3, 'Endpoints', 'discard'"],
    "movmad": [", 4", ", 3, 'omitnan', 'Endpoints', 'fill'", ", 5, 2"],
    "movmax": [", 5", ", 4, 'omitnan'"],
    "movmin": [", 5, 2"],
    "detrend": ["", ", 0"],
    "std": ["", ", 1, 2", ", 0, 'all'", ", 0, 1, 'omitnan'", ", w", ", w, 1, 'omitnan'"],
    "var": ["", ", [], [1 2]", ", w"],
    "bounds": ["", ", 2", ", 'omitnan'", ", 'includenan'"],
    "range": ["", ", 2"],
    "mad": ["", ", 1", ", 0, 2"],
    "rms": ["", ", 'all'", ", 1, 'omitnan'"],
}


@pytest.mark.parametrize("name", STAY)
def test_arrays_stay_on_the_device(name: str) -> None:
    made = kept("null", "A = rand(60, 20); A(A > 0.9) = NaN; B = rand(60, 20); w = rand(60, 1);")
    for rest in STAY[name]:
        made.run("X = A .* 1; Y = B .* 1; w = w .* 1; wait(gpuDevice);")
        places = made.interp.seat.engine.places  # type: ignore[union-attr]
        _, before = places.moved()
        made.run(f"r = {name}(X{rest.replace('B', 'Y')});")
        _, after = places.moved()
        # whether weights are valid is one logical
        assert after - before <= ("w" in rest), rest
        made.run("s = sum(r(:)); disp(s)")
        assert places.moved()[1] - after <= 64, rest


def test_a_window_takes_a_kernel_for_each_level() -> None:
    setup = "A = rand(400, 5); wait(gpuDevice);"
    for window, kernels in ((5, 2), (60, 3), (300, 4)):
        ran = agree("null", setup, f"r = movsum(A, {window});")
        assert ran.kernels == kernels, window
