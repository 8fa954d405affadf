"""The sign of a zero: what host rules give, and that providers give the same.

`docs/accuracy.md` tells where either zero may come.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Scan
from tests.accel.test_builtins_on_providers import accelerated, kind_of, provider, session

__all__ = ["provider"]

#: Zeros of both signs, and what is on both sides of them.
X = "[0 -0 1 -1 2 -2 0.5 -0.5 3 -3 Inf -Inf 4 -4 0.25 1e-30 -1e-30]'"
Y = "[0 -0 1 -1 2 -2 0.5 -0.5 3 -3 Inf -Inf 4]"
#: Columns in which zeros of one sign come before those of the other.
C = "[-0 0 -0 0 -0 1 -1 0; -0 0 0 -0 0 0 -0 -2; -0 0 -0 -0 -1 -0 0 -0; -0 0 0 0 1 -1 -0 0]"
FORMS = ["(x)", "(-x)", "(x, y)", "(y, x)", "(x, 2)", "(x, -2)", "(x, 0)", "(-2, x)"]
RUNS = ["(c)", "(-c)", "(c, 2)", "(c, 'reverse')", "(x)"]

#: Of two zeros that are equal, and of complex powers that overflow, MATLAB does not say.
EITHER = frozenset("max min power".split())


def elementwise() -> list[str]:
    return [n for n in accelerated() if isinstance(kind_of(n), Map | Scan) and n not in EITHER]


def given(where: str, cls: str) -> Any:
    s = session(where)
    s.run(f"x = {cls}({X}); y = {cls}({Y}); c = {cls}({C});")
    assert all(s[name] is not None for name in "xyc")
    return s


def outcome(where: str, cls: str, code: str) -> Any:
    s = session(where)
    try:
        s.run(f"r = {code};")
        return np.asarray(s["r"])
    except MatlabError as error:
        return error.identifier


def signs(found: Any) -> Any:
    """Of each zero its sign, 0 of everything else."""
    parts = (found.real, found.imag) if found.dtype.kind == "c" else (found,)
    return [np.where(part == 0, np.where(np.signbit(part), -1, 1), 0) for part in parts]


@pytest.mark.sweep
@pytest.mark.parametrize("cls", ["double", "single"])
@pytest.mark.parametrize("name", elementwise())
def test_providers_give_zeros_the_sign_that_host_rules_give(
    name: str, cls: str, provider: str
) -> None:
    given("none", cls)
    given(provider, cls)
    for form in RUNS if isinstance(kind_of(name), Scan) else FORMS:
        want, got = (outcome(where, cls, name + form) for where in ("none", provider))
        if isinstance(want, str) or isinstance(got, str):
            assert isinstance(want, str), form
            assert want == got, form
        elif want.dtype.kind in "fc":
            assert got.dtype == want.dtype, form
            for one, other in zip(signs(got), signs(want), strict=True):
                # what underflows on one side alone has no sign to compare
                assert np.array_equal(one * (other != 0), other * (one != 0)), form


#: By the definitions that MATLAB's documentation gives, or by IEEE 754 where it has the function.
KNOWN = [
    # x - floor(x./y).*y
    ("mod(-0, 2)", 0.0),
    ("mod(2, -2)", 0.0),
    ("mod([-0 -2 4 0], 2)", [0.0, 0.0, 0.0, 0.0]),
    ("mod([-0 -2 4 0], -2)", [0.0, 0.0, 0.0, 0.0]),
    ("mod([-0 -2.5], [2.5 2.5])", [0.0, 0.0]),
    ("mod(-0, 0)", -0.0),
    ("rem([-0 -2 2], 2)", [-0.0, -0.0, 0.0]),
    # "0 if the element equals zero"
    ("sign(-0)", 0.0),
    ("sign([-0 0])", [0.0, 0.0]),
    ("atanh([-0 0])", [-0.0, 0.0]),
    ("erfinv([-0 0])", [-0.0, 0.0]),
    ("cumsum([-0 -0 0 -0])", [-0.0, -0.0, 0.0, 0.0]),
    ("cumsum([-0; -0])", [-0.0, -0.0]),
    ("cumprod([-0 -0 1])", [-0.0, 0.0, 0.0]),
    ("power([-0 -0 -0], [1 2 3])", [-0.0, 0.0, -0.0]),
    ("plus([-0 -0 0], [-0 0 -0])", [-0.0, 0.0, 0.0]),
    ("minus([-0 -0 0], [0 -0 0])", [-0.0, 0.0, 0.0]),
    ("times([-0 -0 0], [2 -2 -2])", [-0.0, 0.0, -0.0]),
]


@pytest.mark.parametrize(("code", "values"), KNOWN, ids=[code for code, _ in KNOWN])
@pytest.mark.parametrize("cls", ["double", "single"])
def test_signs_follow_definitions(code: str, values: Any, cls: str, provider: str) -> None:
    want = np.atleast_1d(np.asarray(values))
    name, _, rest = code.partition("(")
    for where in ("none", provider):
        s = session(where)
        # arguments are in memory, so that the call is what is put off
        s.run(f"args = {{{rest[:-1]}}}; args = cellfun(@{cls}, args, 'UniformOutput', false);")
        s.run(f"r = {name}(args{{:}});")
        got = np.asarray(s["r"]).ravel()
        assert np.array_equal(got, want), where
        assert np.array_equal(np.signbit(got), np.signbit(want)), where


@pytest.mark.parametrize("cls", ["double", "single"])
def test_of_two_zeros_the_host_takes_the_one_that_is_meant(cls: str) -> None:
    s = session("none")
    s.run(f"a = {cls}([0 -0 0 -0 -0 1]'); b = {cls}([-0 0 0 -0 -1 -0]');")
    largest, least = np.asarray(s.eval("max(a, b)")), np.asarray(s.eval("min(a, b)"))
    assert largest.ravel().tolist() == [0, 0, 0, 0, 0, 1]
    assert np.signbit(largest).ravel().tolist() == [False, False, False, True, True, False]
    assert least.ravel().tolist() == [0, 0, 0, 0, -1, 0]
    assert np.signbit(least).ravel().tolist() == [True, True, False, True, True, True]
    assert not np.signbit(s.eval("max(-0, 0)"))
    assert np.signbit(s.eval("min(0, -0)"))
    assert np.isnan(np.asarray(s.eval("max([NaN -0], [0 NaN], 'includenan')"))).all()


def test_the_sum_of_one_element_is_that_element() -> None:
    s = session("none")
    for code in ("sum([-0; -0], 2)", "mean([-0; -0], 2)", "sum(single([-0; -0]), 2)"):
        got = np.asarray(s.eval(code))
        assert got.shape == (2, 1), code
        assert np.signbit(got).all(), code


def test_a_transform_of_a_number_along_an_array_is_refused(provider: str) -> None:
    session(provider).run("x = [1 2; 3 4];")
    for name in ("fft", "ifft", "fft2", "ifft2"):
        with pytest.raises(MatlabError) as caught:
            session(provider).run(f"r = {name}(0, x);")
        assert caught.value.identifier == "MATLAB:expectedScalar"
