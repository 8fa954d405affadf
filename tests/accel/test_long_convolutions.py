"""Long convolutions on providers: by transforms where these take less, else sums of products."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.builtins.math.convolution_sizes import smooth
from tests.accel.everywhere import Ran, kept

SETUP = """
rng(3); u = rand(3000, 1) - 0.5; v = rand(1, 1500); w = single(u); q = single(rand(1500, 1));
z = complex(u, rand(3000, 1)); h = round(u * 9); g = round(v * 9); n = u;
n(7) = NaN; f = v; f(9) = Inf; A = rand(90, 120); K = rand(40, 31) - 0.3;
C = complex(A, A(end:-1:1, :)); e = v(1:300);
"""
#: Code, and whether it is done by transforms.
CASES = [
    ("conv(u, v)", True),
    ("conv(v, u)", True),
    ("conv(u', v)", True),
    ("conv(u, v, 'same')", True),
    ("conv(v, u, 'same')", True),
    ("conv(u, v, 'valid')", True),
    ("conv(w, q)", True),
    ("conv(z, v)", True),
    ("conv(z, z)", True),
    ("conv(u + 1, v) .* 2", True),
    ("conv2(A, K)", True),
    ("conv2(A, K, 'same')", True),
    ("conv2(K, A, 'same')", True),
    ("conv2(A, K, 'valid')", True),
    ("conv2(C, K)", True),
    ("conv(u, v(1:50))", False),
    ("conv(u, e)", False),
    ("conv(h, g)", False),
    ("conv(n, v)", False),
    ("conv(u, f)", False),
    ("conv2(A, K(1:5, 1:5))", False),
]


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["null", "wgpu"])
@pytest.mark.parametrize(("code", "transformed"), CASES)
def test_results_are_those_of_host_rules(provider: str, code: str, transformed: bool) -> None:
    expected = Ran(kept("none", SETUP), f"r = {code};", ("r",))
    found = Ran(kept(provider, SETUP), f"r = {code};", ("r",))
    (cls, want), (kind, got) = expected.values["r"], found.values["r"]
    assert (kind, got.shape, got.dtype) == (cls, want.shape, want.dtype)
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(got), finite)
    largest = np.abs(want[finite]).max()
    eps = np.finfo(want.dtype).eps
    assert np.abs(got[finite] - want[finite]).max() <= 64 * eps * largest
    labels = {label for record in found.records for label in record.labels}
    assert any("fft" in label for label in labels) == transformed


def test_whole_numbers_stay_exact() -> None:
    found = Ran(kept("null", SETUP), "r = conv(h, g);", ("r",)).values["r"][1]
    assert (found == np.round(found)).all()


def test_lengths_have_small_factors_and_are_the_least() -> None:
    def plain(n: int) -> bool:
        for prime in (2, 3, 5):
            while n % prime == 0:
                n //= prime
        return n == 1

    for n in (*range(1, 300), 1009, 4096, 65537, 999_983):
        assert smooth(n) == next(k for k in range(n, 2 * n + 1) if plain(k))
