"""Linear algebra of pages as library calls: what is captured, and that host rules agree."""

from __future__ import annotations

import pytest

from runmat_core.accel.placement import work
from runmat_core.accel.planning.plan import BufferRef, Lowered
from runmat_core.api.ir import LibraryCall
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


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", LEFT)
def test_other_pages_are_left_to_host_rules(provider: str, code: str) -> None:
    agree(provider, SETUP, f"r = {code};")


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
    ],
)
def test_work_is_that_of_all_pages(name: str, extents: tuple[int, ...], flops: float) -> None:
    """Pages of eight columns are a thousand times slower than large products."""
    inputs = len(extents) // 3
    unit = LibraryCall(name, ("f64",) * (inputs + 1), guards=True)
    refs = tuple([BufferRef(k) for k in range(inputs + 1)])
    lowered = Lowered(unit, refs, frozenset({inputs}), extents, (), (), name)
    assert work.fused(lowered) == {"matmul.f64": pytest.approx(1024 * flops)}
