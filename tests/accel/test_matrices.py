"""Matrices by rules about rows and columns: triangles, identities, grids, turns, products."""

from __future__ import annotations

import pytest

from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import PROVIDERS, agree, kept

SETUP = """
rng(7); A = rand(9, 7) - 0.5; N = A; N([3 20]) = NaN; N(5) = Inf; S = single(A); K = int8(A * 100);
L = A > 0; v = rand(1, 11); u = rand(8, 1); C = rand(3, 4, 2); B = rand(4, 3);
t = linspace(0, 1, 50); Z = A + 1i; w = uint8(1:12); T = S(1:3, 1:2); e = zeros(0, 3);
"""
#: program -> names of its results.
CAPTURED = {
    "r = tril(A);": 1, "r = triu(N);": 1, "r = tril(A, -2);": 1, "r = triu(A, 3);": 1,
    "r = tril(S, 1);": 1, "r = triu(K);": 1, "r = tril(L);": 1, "r = triu(N', -1);": 1,
    "r = triu(A, 100);": 1, "r = tril(A, -100);": 1, "r = A(1:7, :) + eye(7) * 3;": 1,
    "r = eye(6, 9);": 1, "r = eye(5, 'single');": 1, "r = eye(5, 7, 'int16');": 1,
    "r = diag(v);": 1, "r = diag(u);": 1, "r = diag(w);": 1, "r = diag(S(:));": 1,
    "r = diag(A);": 1,
    "[r, q] = meshgrid(t, u);": 2, "[r, q] = meshgrid(1:20);": 2, "r = meshgrid(t, v);": 1,
    "[r, q, p] = meshgrid(v, u, 1:3);": 3, "[r, q] = ndgrid(t, u);": 2, "[r, q] = ndgrid(w, v);": 2,
    "[r, q, p] = ndgrid(v, u, 1:3);": 3, "[r, q, p] = ndgrid(1:5);": 3, "[r, q] = ndgrid(A, u);": 2,
    "r = rot90(A);": 1, "r = rot90(A, 2);": 1, "r = rot90(A, 3);": 1, "r = rot90(A, -1);": 1,
    "r = rot90(v, 5);": 1, "r = repelem(v, 3);": 1, "r = repelem(u, 2);": 1,
    "r = repelem(A, 2, 3);": 1, "r = repelem(C, 2, 1, 3);": 1, "r = repelem(A, 1, 2, 2);": 1,
    "r = kron(A, B);": 1,
    "r = kron(v, u);": 1, "r = kron(S, T);": 1, "r = kron(eye(5), B);": 1,
}  # fmt: skip
LEFT = [
    "tril(C)", "tril(Z)", "triu(A, 0.5)", "triu(A, NaN)", "eye(2, 3, 4)", "eye(-3)", "eye(0, 9)",
    "diag(v, 2)", "diag(C)", "rot90(C)", "repelem(A, 3)", "repelem(v, [1 2 3])", "repelem(v, -1)",
    "repelem(v, 0)", "kron(A, S)", "kron(K, 2)", "kron(C, A)", "kron(A, B, v)", "meshgrid(Z, 1:99)",
    "ndgrid({1})", "tril(e)", "meshgrid('ab', 1:99)", "diag(Z)", "rot90(A, 1.5)",
]  # fmt: skip
NAMES = ("r", "q", "p")


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
    agree(provider, SETUP, f"r = {code};")


ONE_KERNEL = {
    "[X, Y] = meshgrid(t, t); r = exp(-X.^2 - Y.^2);": 2500,
    "r = triu(A .* 2 + 1, 1) + eye(40) .* 5;": 1600,
    "r = sum(tril(A), 2);": 40,
    "[X, Y] = ndgrid(1:40); r = A ./ (X + Y - 1);": 1600,
    "r = kron(b, c) + 1;": 36,
    "r = rot90(A) .* 2;": 1600,
}


@pytest.mark.parametrize("code", ONE_KERNEL)
def test_they_fuse_with_what_is_around(code: str) -> None:
    setup = "A = rand(40); t = linspace(0, 1, 50); b = rand(2, 3); c = rand(3, 2);"
    setup += "wait(gpuDevice);"
    ran = agree("null", setup, code)
    assert ran.by_plans
    assert ran.kernels == 1
    assert sum(record.written for record in ran.records) == 8 * ONE_KERNEL[code]
