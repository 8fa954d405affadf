"""The families of kernels, each from a program: its results, its kernels, and what they write."""

from __future__ import annotations

import pytest

from tests.accel.everywhere import agree

SETUP = """
rng(1); A = rand(60, 40) - 0.5; B = rand(40, 30); x = rand(50, 4) - 0.5; v = rand(40, 1);
u = rand(60, 1); G = rand(40); W = rand(60, 4); b = rand(1, 30); Q = rand(40, 5);
wait(gpuDevice);
"""
WAIT = "wait(gpuDevice);"
#: family -> program, names of its results, kernels and doubles written on the recording device, and
#: the same on wgpu where its products do more.
FAMILIES: dict[str, tuple[str, tuple[str, ...], tuple[int, int], tuple[int, int] | None]] = {
    "a map with several outputs": (
        f"y = exp(A); z = y + 1; t = y .* A; {WAIT}",
        ("y", "z", "t"),
        (1, 3 * 2400),
        None,
    ),
    "several reductions of one read": (
        f"a = sum(A); q = mean(A); m = max(A); n = sum(A .* A); {WAIT}",
        ("a", "q", "m", "n"),
        (1, 4 * 40),
        None,
    ),
    "the variance in one pass": ("r = var(A);", ("r",), (1, 40), None),
    "standardising": ("r = (A - mean(A)) ./ std(A);", ("r",), (1, 2400), None),
    "the norm of a vector": ("r = u / norm(u);", ("r",), (1, 60), None),
    "the norms of columns": ("r = A ./ sqrt(sum(A .^ 2));", ("r",), (1, 2400), None),
    "softmax": ("e = exp(A - max(A)); r = e ./ sum(e);", ("r",), (1, 2400), None),
    "centring before a product": (
        "r = (A - mean(A)) * B;",
        ("r",),
        (2, 2400 + 1800),
        (2, 40 + 1800),
    ),
    "what follows a product, element by element": (
        "r = max(A * B + b, 0) .* 2;",
        ("r",),
        (2, 2 * 1800),
        (1, 1800),
    ),
    "columns of a product, scaled by their norms": (
        "P = A * B; r = P ./ sqrt(sum(P .^ 2));",
        ("r",),
        (2, 2 * 1800),
        None,
    ),
    "the diagonal of a product": ("r = diag(A * A');", ("r",), (1, 60), None),
    "the Gram matrix of a centred matrix": (
        "D = A - mean(A); r = (D' * D) / 59;",
        ("r",),
        (3, 2400 + 2 * 1600),
        (2, 40 + 1600),
    ),
    "a transposed factor": ("r = A' * W;", ("r",), (1, 160), None),
    "a product with a short inner extent": ("r = x * x';", ("r",), (1, 2500), None),
    "an outer product": ("r = u * v' + 1;", ("r",), (1, 2400), None),
    "a step of the power method": ("w = G * v; r = w / norm(w);", ("r",), (2, 80), None),
    "Rayleigh quotients": ("r = diag(Q' * G * Q);", ("r",), (3, 200 + 2 * 5), None),
}


@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize("family", FAMILIES)
def test_kernels_and_bytes_of_a_family(provider: str, family: str) -> None:
    code, names, recording, wgpu = FAMILIES[family]
    ran = agree(provider, SETUP, code, names)
    assert ran.by_plans
    written = sum(record.written for record in ran.records) // 8
    wanted = wgpu if provider == "wgpu" and wgpu is not None else recording
    assert (ran.kernels, written) == wanted
