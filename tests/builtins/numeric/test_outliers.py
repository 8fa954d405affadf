"""isoutlier, rmoutliers and filloutliers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session

A = "A = [57 59 60 100 59 58 57 58 300 61 62 60 62 58 57];"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("find(isoutlier(A))", "[4 9]"),
        ("find(isoutlier(A, 'mean'))", "9"),
        ("find(isoutlier(A, 'quartiles'))", "[4 9]"),
        ("find(isoutlier(A, 'grubbs'))", "[4 9]"),
        ("find(isoutlier(A, 'gesd'))", "[4 9]"),
        ("find(isoutlier(A, 'gesd', 'MaxNumOutliers', 1))", "9"),
        ("find(isoutlier(A, 'movmedian', 5))", "[4 9]"),
        ("find(isoutlier(A, 'percentiles', [0 95]))", "9"),
        ("find(isoutlier(A, 'ThresholdFactor', 20))", "9"),
        ("isoutlier(A', 2)", "false(15, 1)"),
        ("find(isoutlier(A', 1))", "[4; 9]"),
        ("isoutlier([1 2 3 NaN 100])", "logical([0 0 0 0 1])"),
        ("isoutlier([1 1 1 50; 1 2 3 1]')", "logical([0 0 0 1; 0 0 0 0]')"),
        ("isoutlier([])", "false(0, 0)"),
        ("isoutlier(zeros(0, 3), 'mean')", "false(0, 3)"),
        ("rmoutliers(zeros(0, 3))", "zeros(0, 3)"),
        ("filloutliers(zeros(3, 0), 'linear')", "zeros(3, 0)"),
        ("size(isoutlier(rand(2, 3, 4)))", "[2 3 4]"),
        ("rmoutliers([57 59 60 100 59 58])", "[57 59 60 59 58]"),
        ("rmoutliers([1 9; 2 9; 3 9; 90 9; 2 9])", "[1 9; 2 9; 3 9; 2 9]"),
        ("rmoutliers([1 2 3 90 2; 9 9 9 9 9], 2)", "[1 2 3 2; 9 9 9 9]"),
        ("class(rmoutliers(int8([1 2 3 90 2])))", "'int8'"),
        ("filloutliers([57 59 60 100 59 58], 0)", "[57 59 60 0 59 58]"),
        ("filloutliers([57 59 60 100 59 58], 'center')", "[57 59 60 59 59 58]"),
        ("filloutliers([57 59 60 100 59 58], 'previous')", "[57 59 60 60 59 58]"),
        ("filloutliers([57 59 60 100 59 58], 'next')", "[57 59 60 59 59 58]"),
        ("filloutliers([57 59 60 100 59 58], 'linear')", "[57 59 60 59.5 59 58]"),
        ("filloutliers([1 2; 3 4; 1 2; 100 2], 'nearest', 1)", "[1 2; 3 2; 1 2; 1 2]"),
        ("filloutliers([NaN 1 2 1 90], 'previous')", "[NaN 1 2 1 1]"),
        ("class(filloutliers(single([1 2 3 90]), 0))", "'single'"),
    ],
)
def test_values(expression: str, expected: str, same: Callable[[str, str], None]) -> None:
    same(f"{A};{expression}" if "A" in expression else expression, expected)


def test_thresholds(session: Session) -> None:
    """Three scaled median absolute deviations on both sides of the median."""
    session.run(f"{A} [tf, low, high, center] = isoutlier(A); B = filloutliers(A, 'clip');")
    a = np.asarray(session.workspace["A"]).ravel()
    middle = np.median(a)
    reach = 3 * 1.482602218505602 * np.median(np.abs(a - middle))
    assert session.workspace["center"] == middle
    assert np.isclose(session.workspace["low"], middle - reach, rtol=1e-14)
    assert np.isclose(session.workspace["high"], middle + reach, rtol=1e-14)
    clipped = np.clip(a, session.workspace["low"], session.workspace["high"])
    assert (np.asarray(session.workspace["B"]).ravel() == clipped).all()


def test_moving_thresholds(session: Session) -> None:
    session.run("x = [1 2 3 4 50 6 7]; [tf, l, h, c] = isoutlier(x, 'movmean', 3);")
    assert (session.eval("isequal(c, movmean(x, 3))")) is True
    assert session.eval("max(abs(h - c - 3*movstd(x, 3)))") < 1e-13


def test_grubbs_takes_what_its_table_says(session: Session) -> None:
    """The critical value of eight numbers at 5 % is 2.1266 (Grubbs 1969, two-sided)."""
    session.run("x = [199.31 199.53 200.19 200.82 201.92 201.95 202.18 245.57];")
    session.run("[tf, l, h, c] = isoutlier(x, 'grubbs');")
    assert session.eval("find(tf)") == 8
    # seven are left, none of which goes
    assert session.eval("abs(c - mean(x(1:7)))") < 1e-12
    assert abs(session.eval("(h - c)/std(x(1:7))") - 2.0200) < 5e-4


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("isoutlier(1:3, 'nothing')", "MATLAB:isoutlier:unrecognizedStringChoice"),
        ("isoutlier(1:3, 'movmean')", "MATLAB:isoutlier:WindowMissing"),
        ("isoutlier(1:3, 'percentiles', [90 10])", "MATLAB:isoutlier:PercentilesInvalid"),
        ("isoutlier(1:3, 'ThresholdFactor', -1)", "MATLAB:isoutlier:ThresholdFactorInvalid"),
        ("rmoutliers(ones(2, 2, 2))", "MATLAB:rmoutliers:NDArrays"),
        ("filloutliers(1:3, 'nothing')", "MATLAB:filloutliers:unrecognizedStringChoice"),
    ],
)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier
