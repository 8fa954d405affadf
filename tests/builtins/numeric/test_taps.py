"""Convolutions with few taps: by products and by scaled additions, in parts of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from runmat_core.builtins.math import taps
from runmat_core.builtins.math.convolution import convolved
from runmat_core.builtins.math.convolution_sizes import PARTS, cut
from runmat_core.session import Session

Numbers = NDArray[Any]

SIZES = [((70, 90), (3, 3)), ((90, 70), (5, 2)), ((300, 41), (4, 1)), ((4100, 1), (9, 1)),
         ((2, 4100), (3, 5)), ((67, 1030), (6, 6)), ((280, 270), (15, 15)), ((3, 2000), (7, 2)),
         ((64, 64), (1, 70))]  # fmt: skip


def _direct(a: Numbers, b: Numbers) -> Numbers:
    full = np.zeros([n + m - 1 for n, m in zip(a.shape, b.shape, strict=True)])
    for i, j in np.ndindex(*b.shape):
        full[i : i + a.shape[0], j : j + a.shape[1]] += a * b[i, j]
    return full


@pytest.mark.sweep
@pytest.mark.parametrize("rule", [taps._multiplied, taps._added])
@pytest.mark.parametrize("laid", [1, 5000, 1 << 16])
@pytest.mark.parametrize("sizes", SIZES)
def test_products_and_additions_are_the_direct_sum(
    rule: Any, laid: int, sizes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taps, "_LAID", laid)
    random = np.random.default_rng(3)
    for order in "CF":
        a = np.asarray(random.normal(size=sizes[0]), order=order)  # type: ignore[call-overload]
        b = random.normal(size=sizes[1])
        full, most = _direct(a, b), _direct(np.abs(a), np.abs(b))
        for part in PARTS:
            where = cut(a.shape, b.shape, part)
            found = rule(a, b, where)
            assert found.shape == full[where].shape
            bound = b.size * np.finfo(float).eps * most[where]
            assert (np.abs(found - full[where]) <= bound).all()
            whole = rule(np.rint(a * 1000), np.rint(b * 1000), where)
            exact = _direct(np.rint(a * 1000), np.rint(b * 1000))[where]
            np.testing.assert_array_equal(whole, exact)


@pytest.mark.parametrize("part", PARTS)
def test_singles_stay_singles(part: str) -> None:
    random = np.random.default_rng(4)
    a, b = (random.normal(size=size).astype(np.float32) for size in ((80, 70), (5, 5)))
    where = cut(a.shape, b.shape, part)
    found = taps.summed(a, b, where, True)
    assert found.dtype == np.float32
    full = _direct(a.astype(float), b.astype(float))[where]
    np.testing.assert_allclose(found, full, rtol=0, atol=1e-4)


def test_what_is_not_finite_reaches_only_its_taps() -> None:
    random = np.random.default_rng(5)
    a = random.normal(size=(80, 90))
    a[11, 12], a[40, 41], a[79, 89] = np.inf, np.nan, -np.inf
    for b in (random.normal(size=(4, 4)), np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])):
        found, plain = convolved(a, b, "full"), convolved(np.where(np.isfinite(a), a, 0), b, "full")
        reached = np.zeros(found.shape, bool)
        for i, j in ((11, 12), (40, 41), (79, 89)):
            reached[i : i + len(b), j : j + len(b)] = True
        assert not np.isfinite(found[reached & (_direct(~np.isfinite(a), b != 0) > 0)]).any()
        np.testing.assert_allclose(found[~reached], plain[~reached], atol=1e-13)


def test_products_do_not_make_negative_zeros() -> None:
    found = convolved(np.zeros((70, 70)), -np.ones((5, 5)), "full")
    assert not np.signbit(found).any()


def test_what_overflows_is_infinite() -> None:
    found = convolved(np.full((70, 70), 1e308), np.ones((5, 5)), "valid")
    assert np.isposinf(found).all()


def test_bands_of_mostly_zeros_are_left_to_additions() -> None:
    sparse = np.zeros((9, 9))
    sparse[4, 4] = sparse[0, 0] = 1
    assert taps._multiply(np.ones((5, 5)))
    assert not taps._multiply(sparse)
    assert not taps._multiply(np.ones((1, 9)))


def test_conv2_of_a_matrix_in_both_orientations(session: Session) -> None:
    session.run(
        "x = reshape(mod(1:200*300, 17), 200, 300); h = [1 2 3; 4 5 6; 7 8 10; 0 -1 2];"
        "assert(isequal(conv2(x, h)', conv2(x', h')));"
        "assert(isequal(conv2(x, h), conv2(h, x)));"
        "assert(isequal(size(conv2(h, x, 'valid')), [0 0]));"
    )
