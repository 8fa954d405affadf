"""Operations on small arrays that make a large one: they are captured as those on large ones."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.values.array import to_numpy
from runmat_core.values.deferred import Deferred
from tests.accel.loops import session

#: A column and a row below the threshold, whose sizes expand to one above it.
START = "x = (1:150)'/7; y = (1:170)/3; i = int32(x); j = int32(y); s = single(x); b = x > 9;"
SPREAD = (
    *("x - y", "x + y'.'", "x .* y", "x ./ y", "y .\\ x", "x .^ y", "x > y", "x == y", "i + j"),
    *("i < j", "s - y", "b & (y > 9)", "b | (y > 9)", "x * y", "s * single(y)", "b .* y"),
    *("max(x, y)", "min(s, y)", "atan2(x, y)", "hypot(x, y)", "mod(x, y)", "rem(i, j)"),
    *("plus(x, y)", "bsxfun(@minus, x, y)", "xor(b, y > 9)"),
)
#: What stays below it, or is one array with another of its size.
SMALL = (
    "x - 1",
    "x - x",
    "x' * x",
    "x(1:90) - y(1:90)",
    "i + i",
    "y * y'",
    "x == 3",
    "max(x, 3)",
    "mod(x, x)",
)


def result(text: str, threshold: int) -> tuple[bool, np.ndarray]:
    """Whether the result is captured, and its elements."""
    made = session(
        "null", RUNMAT_ACCEL_THRESHOLD=str(threshold), RUNMAT_ACCEL_OFFLOAD_FORCE="device"
    )
    made.run(f"{START} r = {text};")
    value = made.interp.variables["r"]
    return value.__class__ is Deferred, to_numpy(value)


@pytest.mark.parametrize("text", SPREAD)
def test_the_result_decides(text: str) -> None:
    captured, found = result(text, 20_000)
    at_once, expected = result(text, 1_000_000)
    assert (captured, at_once) == (True, False)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6 if "s" in text else 1e-14)


@pytest.mark.parametrize("text", SMALL)
def test_small_results_are_left_alone(text: str) -> None:
    assert not result(text, 20_000)[0]


@pytest.mark.parametrize("text", ["x - (1:100)'", "x * y'", "i - j(1:100)'"])
def test_sizes_that_do_not_fit(text: str) -> None:
    made = session("null", RUNMAT_ACCEL_THRESHOLD="5000")
    made.run(START)
    made.run(f"try, r = {text}; catch e, r = e.identifier; end")
    expected = "MATLAB:innerdim" if "*" in text else "MATLAB:sizeDimensionsMustMatch"
    assert made["r"] == expected
