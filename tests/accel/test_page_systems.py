"""Linear algebra of pages as library calls: what is captured, and that host rules agree."""

from __future__ import annotations

from typing import Any

import pytest

from runmat_core.accel.placement import work
from runmat_core.accel.planning.plan import BufferRef, KernelCall
from runmat_core.api.ir import LibraryCall
from runmat_core.builtins.linalg import page_systems, stacks
from tests.accel.everywhere import PROVIDERS, Ran, agree, kept

SETUP = """
rng(6); A = rand(4, 4, 6) - 0.5; B = rand(4, 3, 6); T = rand(7, 4, 6); R = rand(7, 2, 6);
A4 = rand(3, 3, 2, 3); B4 = rand(3, 2, 2, 3); M = rand(4) + eye(4);
F = single(A) + 2 * single(eye(4));
S = A + permute(A, [2 1 3]); Z = A + 1i; sing = A; sing(:, 2, 4) = sing(:, 1, 4); V = rand(5, 1, 6);
sing(:, :, 3) = 0; hole = A; hole(7) = NaN; endless = A; endless(9) = Inf; big = rand(70, 70, 2);
mixed = S; mixed(2, 1, 5) = 8; huge = A * 1e200; tiny = A * 1e-200; zero = A * 0;
mul = @pagemtimes; turn = @pagetranspose;
"""
#: Programs whose library calls are of these names.
CAPTURED = {
    "r = pageinv(A);": "inv_pages",
    "r = pageinv(A4 + 1);": "inv_pages",
    "r = pageinv(F);": "inv_pages",
    "r = pageinv(M);": "inv_pages",
    "r = pagemldivide(A, B);": "solve_pages",
    "r = pagemldivide(A4, B4);": "solve_pages",
    "r = pagemldivide(A, B(:, :, 2));": "solve_pages",
    "r = pagemldivide(M, B);": "solve_pages",
    "r = pagemldivide(F, single(B));": "solve_pages",
    "r = pagemldivide(A, 'transpose', B);": "solve_pages",
    "r = pagemldivide(A, 'none', B) .* 2;": "solve_pages",
    "r = pagemrdivide(permute(B, [2 1 3]), A);": "solve_pages",
    "r = pagemrdivide(permute(B, [2 1 3]), A, 'ctranspose');": "solve_pages",
    "r = pagemldivide(T, R);": "lstsq_pages",
    "r = pagemldivide(T, R(:, :, 1));": "lstsq_pages",
    "r = pagemrdivide(permute(R, [2 1 3]), permute(T, [2 1 3]));": "lstsq_pages",
    "r = pagesvd(A);": "svd_pages",
    "r = pagesvd(T, 'econ');": "svd_pages",
    "r = pagesvd(F);": "svd_pages",
    "r = pagesvd(permute(T, [2 1 3]));": "svd_pages",
    "[U, D, W] = pagesvd(A); r = [mul(mul(U, D), turn(W)); D; mul(U, turn(U))];": "svd_pages",
    "[U, D, W] = pagesvd(T, 0); r = [mul(mul(U, D), turn(W)); mul(W, turn(W))];": "svd_pages",
    "r = pageeig(S);": "eig_pages",
    "r = pageeig(single(S), 'vector');": "eig_pages",
    "[W, D] = pageeig(S); r = [D; mul(mul(W, D), turn(W))];": "eig_pages",
    "r = pagefun(@inv, A);": "inv_pages",
    "r = pagefun(@det, A4 + 1);": "det_pages",
    "r = pagefun(@chol, mul(turn(T), T));": "chol_pages",
    "r = pagefun(@mldivide, A, B);": "solve_pages",
    "r = pagefun('mldivide', T, R(:, :, 1));": "lstsq_pages",
    "r = pagefun(@svd, T) + pagefun(@norm, T);": "svd_pages",
    "r = pagefun(@eig, S);": "eig_pages",
    "r = pagenorm(A);": "svd_pages",
    "r = pagenorm(T, 2) + 1;": "svd_pages",
}  # fmt: skip
#: Norms that are sums and extremes.
NORMS = [
    "pagenorm(A, 1)",
    "pagenorm(T, Inf)",
    "pagenorm(T, 'inf')",
    "pagenorm(hole, 1)",
    "pagenorm(hole, 'fro')",
    "pagenorm(endless, Inf)",
    "pagenorm(endless, 'fro')",
    "pagenorm(huge, 'fro')",
    "pagenorm(tiny, 'fro')",
    "pagenorm(zero, 'fro')",
    "pagenorm(single(A4), 'fro')",
    "pagenorm(V)",
    "pagenorm(V, 1)",
]
#: What host rules have to see: classes, forms and sizes that no library has.
LEFT = [
    "pageinv(Z)",
    "pageinv(big)",
    "pagemldivide(A, single(B))",
    "pagemldivide(permute(T, [2 1 3]), B)",
    "pagemldivide(A, Z)",
    "pagemldivide(A4, B4(:, :, 1, :))",
    "pagemldivide(V(1, 1, :), B)",
    "pagemldivide(A, R)",
    "pagemldivide(A, 'turn', B)",
    "pagemldivide(A, B, B)",
    "pagemrdivide(A, A, A)",
    "pagemrdivide(Z, A)",
    "pagesvd(T, 'matrix')",
    "pagesvd(A(1, :, :))",
    "pagesvd(hole)",
    "pageeig(mixed)",
    "pageeig(S, 'matrix')",
    "pagenorm(V, 3)",
    "pagenorm(A, 3)",
    "pagenorm(int8(A * 9), 1)",
    "pagenorm(A > 0, 'fro')",
    "pageinv(int8(A * 9))",
    "pagemldivide(A > 0, B)",
    "pagepinv(A)",
    "pageinv(sing)",
    "pagemldivide(sing, B)",
    "pagemldivide([sing; sing], [B; B])",
    "pageinv(hole)",
    "pagefun(@chol, S)",
    "pagefun(@inv, sing)",
    "pagefun(@det, hole)",
    "pagefun(@eig, mixed)",
    "pagefun(@mldivide, A, single(B))",
    "pagenorm(hole)",
    "pagenorm(endless)",
]


def labels(ran: Ran) -> set[str]:
    return {label for record in ran.records for label in record.labels}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", CAPTURED)
def test_pages_agree_with_host_rules(provider: str, code: str) -> None:
    ran = agree(provider, SETUP, code)
    if provider != "inprocess":
        assert CAPTURED[code] in labels(ran)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", NORMS)
def test_norms_agree_with_host_rules(provider: str, code: str) -> None:
    ran = agree(provider, SETUP, f"r = {code};")
    assert provider == "inprocess" or ran.by_plans


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", LEFT)
def test_other_pages_are_left_to_host_rules(provider: str, code: str) -> None:
    agree(provider, SETUP, f"r = {code};")


#: Programs with pages that host rules have to see, beside others: the call that tells which.
TOLD = {
    "r = pageinv(sing);": "inv_pages_told",
    "r = pageinv(single(sing));": "inv_pages_told",
    "r = pageinv(hole);": "inv_pages_told",
    "r = pageinv(reshape(sing, 4, 4, 2, 3));": "inv_pages_told",
    "r = pagemldivide(sing, B);": "solve_pages_told",
    "r = pagemldivide(sing, B(:, :, 2));": "solve_pages_told",
    "r = pagemldivide(sing, 'transpose', B);": "solve_pages_told",
    "r = pagemrdivide(permute(B, [2 1 3]), sing);": "solve_pages_told",
    "r = pagemldivide([sing; sing], [B; B]);": "lstsq_pages_told",
    "r = pagefun(@inv, sing);": "inv_pages_told",
    "r = pagefun(@mldivide, sing, B);": "solve_pages_told",
    "r = pagefun(@det, hole);": "det_pages_told",
    "r = pageeig(mixed);": "eig_pages_told",
    "[W, D] = pageeig(mixed); r = [D; abs(mul(A + 0i, D))];": "eig_pages_told",
    "r = pagenorm(hole);": "svd_pages_told",
}  # fmt: skip


@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize("code", TOLD)
def test_host_rules_compute_those_pages_alone_that_need_it(provider: str, code: str) -> None:
    ran = agree(provider, SETUP, code)
    assert TOLD[code] in labels(ran)
    assert ran.by_plans


def test_a_host_rule_is_shown_no_other_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []

    def inverses(a: Any) -> Any:
        shown.append(a.shape)
        return stacks.inverses(a)

    monkeypatch.setattr(page_systems, "inverses", inverses)
    agree("null", SETUP, "r = pageinv(sing);")
    assert shown == [(6, 4, 4), (2, 4, 4)]  # without a provider, and with one


@pytest.mark.parametrize("code", ["r = pageinv(sing * 0);", "r = pageinv(sing(:, :, 3));"])
def test_pages_that_all_need_it_are_those_of_host_rules(code: str) -> None:
    assert agree("null", SETUP, code).records[-1].outcome == "guard"


@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_results_stay_where_they_are_placed(provider: str) -> None:
    made = kept(provider, SETUP)
    made.run("on = isgpuarray(pageinv(gpuArray(sing)));")
    assert made["on"]


@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_errors_of_pages_are_caught(provider: str) -> None:
    code = "r = 0; try, x = pagefun(@chol, S); catch e, r = double(e.identifier); end"
    agree(provider, SETUP, code)


@pytest.mark.parametrize("provider", ["null", "wgpu"])
def test_loops_with_singular_pages(provider: str) -> None:
    code = "r = A * 0; for k = 1:5, r = r + pageinv(sing * k); end"
    agree(provider, SETUP, code)


def test_second_outputs_are_those_of_host_rules() -> None:
    for code in ("[~, r] = pageinv(A);", "[~, r] = pagemldivide(A, B);"):
        assert not labels(agree("null", SETUP, code)) & {"inv_pages", "solve_pages"}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_functions_of_pages_still_warn(provider: str) -> None:
    code = "lastwarn('none'); q = pagefun(@inv, sing * 1); [~, w] = lastwarn; r = double(w);"
    ran = agree(provider, SETUP, code)
    assert "".join(map(chr, ran.values["r"][1][0].astype(int))) == "MATLAB:singularMatrix"


def test_pages_are_one_call() -> None:
    ran = agree("null", SETUP, "r = pagemldivide(A * 2, B + 1) - 3;")
    assert sum(label == "solve_pages" for record in ran.records for label in record.labels) == 1
    assert kept("null", SETUP).interp.seat is not None


@pytest.mark.parametrize(
    ("name", "extents", "flops"),
    [
        ("inv_pages", (8, 8, 50), 50 * 2 * 8**3),
        ("solve_pages", (8, 8, 1, 8, 4, 50), 50 * (8**3 * 2 / 3 + 2 * 64 * 4)),
        ("svd_pages", (9, 8, 50), 50 * 20 * 9 * 64),
        ("svd_pages_told", (9, 8, 50), 50 * 20 * 9 * 64),
    ],
)
def test_work_is_that_of_all_pages(name: str, extents: tuple[int, ...], flops: float) -> None:
    """Pages of eight columns are a thousand times slower than large products."""
    inputs = len(extents) // 3
    unit = LibraryCall(name, ("f64",) * (inputs + 1), guards=True)
    refs = tuple([BufferRef(k) for k in range(inputs + 1)])
    lowered = KernelCall(unit, refs, frozenset({inputs}), extents, (), (), name)
    assert work.fused(lowered) == {"matmul.f64": pytest.approx(1024 * flops)}
