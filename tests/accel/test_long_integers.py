"""Arithmetic of 64-bit integers as operations of the graph: exact, and saturated at each step."""

from __future__ import annotations

import pytest

from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import PROVIDERS, agree, kept

SETUP = """
rng(5); M = intmax('int64'); m = intmin('int64'); T = intmax('uint64');
a = [M m M-1 m+1 0 1 -1 int64(9007199254740993) int64(3037000500) int64(-3037000500)];
X = repmat(a, 10, 1); Y = X'; R = int64((rand(10) - 0.5) * 1.8e19); S = int64(rand(10) * 2e9) - 1e9;
b = [T uint64(0) T-1 uint64(1) uint64(2)^63 uint64(2)^63-1 uint64(4294967296) uint64(4294967295)];
P = repmat(b, 8, 1); Q = P'; L = X > 0; D = double(X); k = int64(7); h = 0.5;
"""
OPERANDS = {
    "X": ["Y", "R", "S", "1", "-1", "2", "9007199254740992", "-9223372036854775808", "k", "true"],
    "R": ["R'", "S", "3", "-3"],
    "S": ["S'", "X", "-4611686018427387904"],
    "P": ["Q", "1", "2", "3", "18446744073709549568", "P(1, 5)"],
}
OPERATORS = [".*", "+", "-", "==", "~=", "<", "<=", ">", ">="]
CAPTURED = [
    f"{x} {operator} {y}" for x, ys in OPERANDS.items() for y in ys for operator in OPERATORS
]
CAPTURED += [f"{y} {op} {x}" for x, y in (("X", "5"), ("P", "5"), ("R", "-1")) for op in OPERATORS]
DIVISORS = {"X": ["Y", "R", "3", "-2", "0", "k", "-1"], "P": ["Q", "3", "0", "7"], "R": ["S", "10"]}
QUOTIENTS = ["{} ./ {}", "{1} .\\ {0}", "mod({}, {})", "rem({}, {})", "idivide({}, {})"]
CAPTURED += [form.format(x, y) for x, ys in DIVISORS.items() for y in ys for form in QUOTIENTS]
CAPTURED += [
    "7 ./ X",
    "5 ./ P",
    "mod(100, X)",
    "X .^ 2",
    "X .^ 3",
    "P .^ 5",
    "S .^ 7",
    "2 .^ (S / 1e8)",
]
CAPTURED += [
    "X .^ Y",
    "P .^ Q",
    "(-3) .^ int64(D(1:3, :) ./ 1e17)",
    "S .^ 0",
    "range(X)",
    "range(P, 2)",
]
CAPTURED += ["-X", "-P", "-R", "(X + Y) - Y", "X .* 2 - 1", "(P - Q) + 3", "max(X + 1, Y) .* 3"]
#: Operands that are no whole numbers of the class, and what has no such form.
LEFT = [
    "X + 0.5", "X .* h", "X + 1e19", "P - (-1)", "P + 2e19", "X + NaN", "X .* Inf", "X ./ 2.5",
    "mod(X, 2.5)", "X .^ 0.5", "X .^ -1.5", "X + D", "X + uint64(X)", "X > 2.5",
    "X == D", "X + single(2)", "P .* -1", "X < 9223372036854775808", "X + X(1:3)",
]  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", CAPTURED)
def test_they_are_exact(provider: str, code: str) -> None:
    ran = agree(provider, SETUP, f"r = {code};", exact=True)
    assert "error" not in ran.values


def test_they_wait_for_a_sink() -> None:
    made = kept("inprocess", SETUP)
    for code in CAPTURED:
        made.run(f"r = {code};")
        assert made.interp.variables["r"].__class__ is Deferred, code


@pytest.mark.parametrize("provider", ["inprocess", "wgpu"])
@pytest.mark.parametrize("code", LEFT)
def test_the_rest_is_left_to_host_rules(provider: str, code: str) -> None:
    agree(provider, SETUP, f"r = {code};", exact=True)


def test_several_operations_are_one_kernel() -> None:
    ran = agree("null", "A = int64(rand(30) * 1e18); wait(gpuDevice);", "r = (A .* 7 - 3) + A;")
    assert ran.by_plans
    assert ran.kernels == 1
