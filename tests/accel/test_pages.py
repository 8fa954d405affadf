"""Products and other functions of pages as operations of the graph."""

from __future__ import annotations

import pytest

from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import PROVIDERS, agree, kept, session

SETUP = """
rng(6); A = rand(4, 3, 6) - 0.5; B = rand(3, 5, 6); M = rand(3, 2); V = rand(3, 1, 6);
A4 = rand(2, 3, 2, 3); B4 = rand(3, 2, 1, 3); S = rand(1, 1, 6); big = rand(40, 50, 3);
more = rand(50, 36, 3); Z = A + 1i; row = rand(1, 4, 6); Q = rand(3, 3, 4) + 3 * eye(3);
F = single(A); K = int8(A * 100);
"""
CAPTURED = [
    "pagemtimes(A, B)",
    "pagemtimes(A, M)",
    "pagemtimes(M', B)",
    "pagemtimes(A, V)",
    "pagemtimes(A, 'transpose', A, 'none')",
    "pagemtimes(A, 'none', A, 'ctranspose')",
    "pagemtimes(B, 'transpose', A, 'transpose')",
    "pagemtimes(A4, B4)",
    "pagemtimes(B4, A4)",
    "pagemtimes(F, single(B))",
    "pagemtimes(big, more)",
    "pagemtimes(big, 'transpose', big, 'none')",
    "pagemtimes(big, more(:, :, 2))",
    "pagemtimes(permute(row, [2 1 3]), row)",
    "pagefun(@mtimes, A, B)",
    "pagefun(@mtimes, A, M)",
    "pagefun(@plus, A, A(:, :, 1))",
    "pagefun(@times, A, S)",
    "pagefun(@exp, A)",
    "pagefun(@transpose, A)",
    "pagefun(@ctranspose, A4)",
    "pagetranspose(K)",
    "bsxfun(@plus, A, A(1, :, :))",
    "bsxfun(@rdivide, V, S)",
]
LEFT = [
    "pagemtimes(Z, B)",
    "pagemtimes(A, single(B))",
    "pagemtimes(A, 2)",
    "pagemtimes(A, A)",
    "pagemtimes(A, rand(3, 2, 5))",
    "pagectranspose(Z)",
    "pagefun(@mtimes, A, S)",
    "pagefun(@mtimes, A, A)",
    "pagefun(@mtimes, K, K)",
    "pagefun(@inv, Q)",
    "pagefun(@mldivide, Q, V(:, :, 1))",
    "pagefun(@(x, y) x * y + 1, A, B)",
    "pagefun('plus', A, Z)",
    "bsxfun(@(x, y) x + 2*y, A(:, 1), row(:, :, 1))",
    "bsxfun(@plus, A, rand(3))",
    "bsxfun(@plus, single(Z), K)",
]


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", CAPTURED)
def test_all_pages_agree_with_each(provider: str, code: str) -> None:
    agree(provider, SETUP, f"r = {code};")


@pytest.mark.parametrize("code", CAPTURED)
def test_all_pages_wait_for_a_sink(code: str) -> None:
    made = kept("inprocess", SETUP)
    made.run(f"r = {code};")
    assert made.interp.variables["r"].__class__ is Deferred


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("code", LEFT)
def test_other_pages_are_left_to_host_rules(provider: str, code: str) -> None:
    agree(provider, SETUP, f"r = {code};")


def test_small_products_fuse_with_what_is_made_of_them() -> None:
    setup = "A = rand(4, 3, 100); B = rand(3, 5, 100); wait(gpuDevice);"
    ran = agree("null", setup, "r = abs(pagemtimes(A, B) - 1) .* 2;")
    assert ran.by_plans
    assert ran.kernels == 1
    assert sum(record.written for record in ran.records) == 8 * 4 * 5 * 100


def test_large_products_are_one_call_each() -> None:
    ran = agree(
        "null",
        "big = rand(40, 50, 3); more = rand(50, 36, 3); wait(gpuDevice);",
        "r = pagemtimes(big, more);",
    )
    (record,) = ran.records
    assert sum("matmul" in label for label in record.labels) == 3


def test_elements_on_the_device_stay_there() -> None:
    s = session("inprocess")
    s.run("G = gpuArray(rand(3, 3, 4)); r = pagefun(@mtimes, G, G); q = pagefun(@inv, G);")
    s.run("M = G(:, :, 1)'; t = [isgpuarray(r) isgpuarray(q) isgpuarray(M) isgpuarray(M * M)];")
    assert s["t"].all()
