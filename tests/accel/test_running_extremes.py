"""`cummax` and `cummin` as scans: places, directions, what is done about NaN."""

from __future__ import annotations

import pytest

from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import PROVIDERS, agree, kept

SETUP = """
rng(8); A = round(20 * rand(13, 6)) - 10; v = round(9 * rand(1, 4000)); N = A; N([1 2 5 20]) = NaN;
N(:, 3) = NaN; N([27 30 39]) = -Inf; S = single(N); K = int8(A); U = uint16(A + 10); L = A > 0;
Z = A; Z(A == 0) = -0; C = rand(3, 4, 5); w = v'; w([7 9 3000]) = NaN; Q = A + 1i; I = int32(v);
"""
ARGUMENTS = [
    "A", "A, 2", "v", "N", "N, 2", "S", "K", "K, 2", "U", "L", "Z", "C", "C, 3", "w", "I",
    "A, 'reverse'", "A, 2, 'reverse'", "N, 'reverse'", "w, 'reverse'", "K, 'reverse'",
    "N, 'includenan'", "N, 2, 'includenan'", "S, 'includenan'", "w, 'includenan'",
    "N, 'reverse', 'includenan'", "N, 'omitnan'", "N, 1, 'forward', 'omitmissing'",
    "K, 'includenan'", "w, 'includemissing', 'reverse'",
]  # fmt: skip
LEFT = ["Q", "A, 3", "zeros(0, 3)", "A, 'upwards'", "A, 0", "7", "'abc'", "{1}"]
NAMES = ("cummax", "cummin")


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("arguments", ARGUMENTS)
@pytest.mark.parametrize("name", NAMES)
def test_values_and_places_agree(provider: str, arguments: str, name: str) -> None:
    agree(
        provider, SETUP, f"[m, i] = {name}({arguments}); r = {name}({arguments});", ("m", "i", "r")
    )


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_they_are_scans(arguments: str) -> None:
    made = kept("inprocess", SETUP)
    made.run(f"[m, i] = cummax({arguments}); r = cummin({arguments});")
    if not arguments.startswith("L"):
        for name in ("m", "i", "r"):
            assert made.interp.variables[name].__class__ is Deferred


@pytest.mark.parametrize("arguments", LEFT)
def test_other_arguments_are_left_to_host_rules(arguments: str) -> None:
    agree("inprocess", SETUP, f"[m, i] = cummax({arguments});", ("m", "i"))


def test_both_results_and_what_follows_are_one_kernel() -> None:
    setup = "A = rand(300, 20); wait(gpuDevice);"
    code = "[m, i] = cummin(A - 0.5); r = m .* i + 1;"
    ran = agree("null", setup, code, ("r",))
    assert ran.by_plans
    assert ran.kernels == 1
    assert sum(record.written for record in ran.records) == 8 * 300 * 20


def test_nan_from_the_first_one_on() -> None:
    code = "[m, i] = cummax([1 NaN 3 NaN 2], 'includenan'); r = [m; i];"
    ran = agree("none", "", code, ("r",))
    assert ran.values["r"][1].tolist()[1] == [1, 2, 2, 2, 2]
