"""Fusion functions of packages that cannot become kernels."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core.api.errors import MatlabError
from runmat_core.session import Session
from runmat_core.session.config import load

#: See `conftest.install`.
Install = Callable[..., str]


def fusing_session() -> Session:
    """A session that captures every array."""
    return Session(config=load().replace(accel__threshold=1))


UNTRACEABLE = {
    "branches": ("lambda x: x if x > 0 else -x", "has no truth value"),
    "counts": ("lambda x: x.shape[0] * x", "AttributeError"),
    "leaves": ("lambda x: np.exp(x)", "np.exp does not take values of a kernel; use ir.exp"),
    "number": ("lambda x: 3.0", "returns values, not 3.0"),
    "nothing": ("lambda x: None", "returns values, not None"),
    "text": ("lambda x: 'x'", "returns values, not 'x'"),
    "exits": ("lambda x: exit(3)", "SystemExit: 3"),
    "fails": ("lambda x: 1 / 0", "ZeroDivisionError"),
    "reduces": ("lambda x: ir.reduce(ir.reducers.sum_('f64'), x)[0]", "only the function of a Red"),
    "class": ("Map(lambda x: 2 * x, classes='quaternion')", "quaternion"),
    "no_function": ("Map(3)", "cannot be used"),
}


@pytest.mark.parametrize("case", UNTRACEABLE)
def test_a_fusion_function_that_does_not_trace_leaves_the_host_rule(
    install: Install, case: str
) -> None:
    fusion, said = UNTRACEABLE[case]
    name = f"fuse_{case}"
    install(
        "toolbox-fusing",
        f"@builtin('{name}', family='t', lift='map', fusion={fusion})\n"
        f"def {name}(x):\n    return 2 * x\n",
    )
    session = fusing_session()
    printed = session.capture(f"x = 1:4; a = {name}(x); b = {name}(x + 1); disp(sum(a + b))")
    assert printed.count("Warning") == 1
    assert "In the package 'toolbox-fusing 1.0': " in printed
    assert f"'{name}'" in printed
    assert said in printed
    assert "48" in printed


def test_a_reduction_that_does_not_reduce(install: Install) -> None:
    install(
        "toolbox-sums",
        "@builtin('fuse_sums', family='t', lift='arrays', fusion=Reduction(lambda x: 2 * x))\n"
        "def fuse_sums(x, dim=None):\n    return 2 * x.sum()\n",
    )
    printed = fusing_session().capture("disp(fuse_sums([1 2 3]))")
    assert "returns what it did not reduce" in printed
    assert "'toolbox-sums 1.0'" in printed
    assert printed.strip().endswith("12")


def test_values_kept_between_calls_are_refused(install: Install) -> None:
    install(
        "toolbox-kept",
        "kept = []\n"
        "def code(x):\n    kept.append(x)\n    return kept[0] * 2\n"
        "@builtin('fuse_kept', family='t', lift='map', fusion=Map(code))\n"
        "def fuse_kept(x):\n    return 2 * x\n",
    )
    session = fusing_session()
    code = "disp(sum(fuse_kept([1 2 3]))); disp(sum(fuse_kept(single([1 2 4]))))"
    printed = session.capture(code)
    assert "keep no values between calls" in printed
    assert [line.strip() for line in printed.splitlines() if line.strip()[:1].isdigit()] == [
        "12",
        "14",
    ]


@pytest.mark.parametrize(
    "program",
    [
        "x = rand(20) * 2; y = sum(exp(fuse_off(x) + 1)) - 3; disp(y(2))",
        "x = rand(20); y = fuse_off(x); disp(y(2))",
        "x = rand(20) + 1; z = x * 2; y = fuse_off(z) + z; w = y * y'; disp(w(2))",
    ],
)
def test_verifying_blames_the_builtin_whose_fusion_differs(install: Install, program: str) -> None:
    install(
        "toolbox-off",
        "@builtin('fuse_off', family='t', lift='map', fusion=lambda x: 2.01 * x)\n"
        "def fuse_off(x):\n    return 2 * x\n",
    )
    settings = load().replace(
        accel__threshold=1,
        accel__provider="null",
        accel__offload__force="device",
        accel__verify=True,
    )
    with Session(config=settings) as session, pytest.raises(MatlabError) as caught:
        session.capture(program)
    assert caught.value.identifier == "RunMat:accel:verify"
    assert caught.value.message.startswith("The accelerated result of 'fuse_off' differs from")
