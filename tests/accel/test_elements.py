"""Functions of elements (`arrayfun`) as operations on whole arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.api.errors import MatlabError
from runmat_core.values.deferred import Deferred
from tests.accel.everywhere import PROVIDERS, agree, kept, session

SETUP = """
rng(4); X = rand(9, 7) - 0.5; Y = rand(9, 7); S = single(Y); K = int8(X * 250); L = X > 0;
N = X; N([3 8]) = NaN; N(5) = Inf; w = 2.5; v = [1 2 3]; g = @(t) t * w + 1; U = uint8(Y * 255);
Z = -X(:, 1:2); E = zeros(0, 3); I = int32(Y * 1000); F = rand(3, 4, 2); C = X + 1i;
"""
#: program -> the names of its results.
CAPTURED: dict[str, tuple[str, ...]] = {
    "r = arrayfun(@(x) x^2 + 1, X);": ("r",),
    "r = arrayfun(@(x, y) w*x - y/3, X, Y);": ("r",),
    "r = arrayfun(@sin, X);": ("r",),
    "r = arrayfun('cos', X);": ("r",),
    "r = arrayfun(@(x) exp(-x^2/2) * sqrt(abs(x)), N);": ("r",),
    "r = arrayfun(@(x) g(x) + g(2*x), X);": ("r",),
    "[r, q] = arrayfun(@(x, y) deal(x + y, x * y), X, Y);": ("r", "q"),
    "r = arrayfun(@(x) max(x, 0) + min(x, 0.25), N);": ("r",),
    "r = arrayfun(@(s) s * 2 + 1, S);": ("r",),
    "r = arrayfun(@(k) k * 2.6 + 1, K);": ("r",),
    "r = arrayfun(@(k) bitand(k, 15), U);": ("r",),
    "r = arrayfun(@(k) double(k) / 7, I);": ("r",),
    "r = arrayfun(@(x) int16(100 * x), X);": ("r",),
    "r = arrayfun(@(x) x > 0.1 | x < -0.2, X);": ("r",),
    "r = arrayfun(@(t) ~t, L);": ("r",),
    "r = arrayfun(@(x) 7, X);": ("r",),
    "r = arrayfun(@(x) true, X);": ("r",),
    "r = arrayfun(@(x) single(pi), X);": ("r",),
    "r = arrayfun(@(x) int8(5), X);": ("r",),
    "r = arrayfun(@(x) numel(x) + x, X);": ("r",),
    "r = arrayfun(@(x) x' + x.' + x(1) + x(end), X);": ("r",),
    "r = arrayfun(@(x) x * sum(v), X);": ("r",),
    "r = arrayfun(@(x) sqrt(x), Y);": ("r",),
    "r = arrayfun(@(x) log(x), X);": ("r",),
    "r = arrayfun(@(x) sqrt(x), abs(X) + 1) * 2;": ("r",),
    "r = arrayfun(@(x) x * 2, F);": ("r",),
    "r = arrayfun(@(x) isempty(x) + x, X, 'UniformOutput', true);": ("r",),
    "r = arrayfun(@(x) x + 1, X, 'ErrorHandler', @(e, x) -1);": ("r",),
    "r = arrayfun(@(x) mod(x, 0.3) - floor(x), N);": ("r",),
}
#: What is called for each element: values, branches, other sizes, other classes, effects.
LEFT: dict[str, tuple[str, ...]] = {
    "r = arrayfun(@(x) x, E);": ("r",),
    "r = arrayfun(@(x) abs(x), C);": ("r",),
    "r = arrayfun(@(x) max(sqrt(x), -5), X);": ("r",),
    "r = arrayfun(@(x) isreal(sqrt(x)), X);": ("r",),
    "r = arrayfun(@(x, k) k + x, X, K);": ("r",),
    "r = arrayfun(@(x) sum([x 2*x]), X);": ("r",),
    "r = arrayfun(@(x) x * rand, X);": ("r",),
    "r = arrayfun(@(x) char(65 + floor(abs(x))), X); r = double(r);": ("r",),
    "r = arrayfun(@(x) [x x], X);": ("r",),
    "r = arrayfun(@(x) v(1 + (x > 0)), X);": ("r",),
    "r = arrayfun(@(x) undefinedname(x), X);": ("r",),
    "r = arrayfun(@(x) error('my:id', 'at %g', x), X, 'ErrorHandler', @(e, x) e.index);": ("r",),
    "r = arrayfun(@(x) error('my:id', 'at %.3f', x), X);": ("r",),
    "r = arrayfun(@(x) x + 1, X, 'UniformOutput', false); r = r{2, 3};": ("r",),
    "r = arrayfun(@(x, y) x + y, X, Z);": ("r",),
    "r = arrayfun(@(x) printed(x), X(1:3));": ("r",),
    "[r, q] = arrayfun(@(x) x, X);": ("r", "q"),
    "r = arrayfun(@(x) x && true, X);": ("r",),
    "r = arrayfun(@(x) bitand(x, 3), X);": ("r",),
    "arrayfun(@(x) fprintf('%.2f ', x), X);": (),
    "r = arrayfun(@(x) num2str(x), X, 'UniformOutput', false); r = double(r{4});": ("r",),
}
FUNCTIONS = """
function y = printed(x)
fprintf('<%.2f>', x);
y = x;
end
"""


@pytest.fixture(autouse=True)
def _on_the_path(tmp_path: Path) -> None:
    (tmp_path / "printed.m").write_text(FUNCTIONS)


@pytest.mark.sweep
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("code", CAPTURED)
def test_scalar_bodies_agree_with_calls_for_each_element(provider: str, code: str) -> None:
    agree(provider, SETUP, code, CAPTURED[code])


@pytest.mark.parametrize("code", CAPTURED)
def test_scalar_bodies_are_not_called_for_each_element(code: str) -> None:
    made = kept("inprocess", SETUP)
    made.run(code)
    for name in CAPTURED[code]:
        assert made.interp.variables[name].__class__ is Deferred


@pytest.mark.parametrize("provider", ["inprocess", "null"])
@pytest.mark.parametrize("code", LEFT)
def test_other_bodies_are_called_for_each_element(provider: str, code: str, tmp_path: Path) -> None:
    for one in (provider, "none"):
        kept(one, SETUP).run(f"addpath('{tmp_path}'); rng(9);")
    agree(provider, SETUP, code, LEFT[code], exact=True)


def test_it_is_one_kernel_with_what_is_around() -> None:
    code = "[a, b] = arrayfun(@(x, y) deal(x*y + 1, exp(x) - y), X, Y); r = sum(a(:) .* b(:));"
    ran = agree("null", "X = rand(9, 7); Y = rand(9, 7);", code)
    assert ran.by_plans
    assert ran.kernels == 1


def test_scalars_that_change_need_no_new_plan() -> None:
    made = session("null")
    counters = made.interp.seat.engine.counters  # type: ignore[union-attr]
    counts = []
    for k in range(6):
        made.run(f"X = rand(50); c = {k}.25; r = arrayfun(@(x) c*x + {k}.75, X);")
        made.capture("s = sum(r(:))")
        counts.append(counters.plans_made)
    # the second trip finds what the first one left
    assert counts[1:] == counts[1:2] * 5


def test_elements_on_the_device_stay_there(s: Session) -> None:
    for body in ("@(x) 2*x", "@(x) v(1 + (x > 0))", "@(x) 3"):
        s.run(f"v = [4 5]; G = gpuArray(rand(5) - 0.5); r = arrayfun({body}, G);")
        s.run("q = isgpuarray(r); c = class(r); u = class(gather(r));")
        assert (s["q"], s["c"], s["u"]) == (True, "gpuArray", "double"), body


def test_elements_of_gpu_arrays_expand(s: Session) -> None:
    s.run("G = gpuArray([1 2 3; 4 5 6]); f = @(x, y) x*10 + y;")
    s.run("a = arrayfun(f, G, 2); b = arrayfun(f, 2, G); c = arrayfun(f, [1; 2], gpuArray([3 4]));")
    s.run("d = arrayfun(@(x, y) x + y, G(1, :), 2i); e = arrayfun(f, zeros(0, 1), G(1, :));")
    s.run("q = isgpuarray(a) && isgpuarray(c); [~, t] = arrayfun(@(x, y) deal(x, y), G, 5);")
    whole = np.array([[1.0, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(s["a"], whole * 10 + 2)
    np.testing.assert_array_equal(s["b"], 20 + whole)
    np.testing.assert_array_equal(s["c"], [[13, 14], [23, 24]])
    np.testing.assert_array_equal(s["d"], [[1 + 2j, 2 + 2j, 3 + 2j]])
    np.testing.assert_array_equal(s["t"], np.full((2, 3), 5.0))
    assert s["e"].shape == (0, 3)
    assert s["q"]
    with pytest.raises(MatlabError) as caught:
        s.run("arrayfun(f, G, [1 2])")
    assert caught.value.identifier == "MATLAB:sizeDimensionsMustMatch"
    # ordinary arrays must have one size
    with pytest.raises(MatlabError) as caught:
        s.run("arrayfun(f, [1 2], 3)")
    assert caught.value.identifier == "MATLAB:arrayfun:InputSizeMismatch"


def test_a_complex_result_is_that_of_each_element(s: Session) -> None:
    s.run("X = [-4 9 -0 Inf NaN]; r = arrayfun(@(x) sqrt(x), X); q = arrayfun(@(x) log(x), -X);")
    s.run("t = arrayfun(@(x) sqrt(x) * 2, X);")
    np.testing.assert_array_equal(s["r"], np.sqrt(np.array([[-4, 9, 0, np.inf, np.nan]]) + 0j))
    assert s["q"].dtype == np.complex128
    np.testing.assert_array_equal(s["t"][0, :2], [4j, 6])


def test_the_order_of_effects_is_that_of_the_elements(s: Session, tmp_path: Path) -> None:
    s.run(f"addpath('{tmp_path}')")
    shown = s.capture("r = arrayfun(@(x) printed(x), [3 1 2]);")
    assert shown == "<3.00><1.00><2.00>"


def test_it_can_be_turned_off() -> None:
    made = session("inprocess", RUNMAT_ACCEL_LOOPS="false")
    made.run("r = arrayfun(@(x) x + 1, rand(20));")
    assert made.interp.variables["r"].__class__ is not Deferred


@pytest.fixture
def s() -> Session:
    return session("inprocess")
