"""What turns out complex is planned again with complex kernels, and is what host rules give."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core import Session
from runmat_core.accel.graph import rules
from runmat_core.session import config

PROVIDERS = {"inprocess": "host", "null": "device", "wgpu": "device"}

#: x: numbers of both signs; p: positive ones; m: a matrix; s: singles.
PREPARE = """
[a, b] = meshgrid(-3:0.75:3, [0.25 1 -1.5 2 -0.5 3 0.1 5]); x = a(:) .* b(:) + 0.01;
p = abs(x) + 0.5; m = reshape(x, 8, 9); s = single(x);
"""

#: Computed by plans alone, whatever turns out complex.
RETYPED = """
sqrt(x); log(x) + 1; abs(sqrt(x)); sqrt(x) .* 2 - x; sum(sqrt(x)); sum(abs(sqrt(x - 1)).^2)
sqrt(m)'; sqrt(m).'; (sqrt(m) + 1)'; [sqrt(x), x]; vertcat(x, log(x), p); asin(x); acos(x*2)
acosh(x); atanh(x); log2(x); log10(x); log1p(x); x.^0.3; x.^-0.7; x.^(x/3); (x-1).^2.5; exp(sqrt(x))
real(log(x)); imag(sqrt(x)) + x; cumsum(sqrt(x)); mean(log(x)); sqrt(m)*sqrt(m)'; m'*sqrt(m)
log(sqrt(x) + 1); sqrt(x) == x; sqrt(x) < 1; any(sqrt(x)); var(sqrt(x)); round(sqrt(x) * 3)
norm(sqrt(x)); norm(log(x), 1); sqrt(x).^2; isreal(sqrt(x).^2); sqrt(x).*conj(sqrt(x))
sqrt(sqrt(x))
isreal(sqrt(x).*conj(sqrt(x))); reshape(sqrt(x), 8, 9); repmat(log(x), 2, 2); max(abs(log(x)))
floor(x.^0.5); isnan(sqrt(x)); sqrt(x) ./ p; p ./ sqrt(x); 1i*sqrt(x); sqrt(x) - 1i
sqrt(x(1:40)); sqrt(x) + sqrt(p); log(x([5 1 9])); angle(x.^0.5); sqrt(s); log(s) .* 2; s.^0.4
asin(s); sum(sqrt(s)); sqrt(s) + x(1); sin(sqrt(x)); tan(log(x)); sqrt(x).^3; 2.^sqrt(x)
tanh(asin(x)); abs(x.^1.5) + sqrt(p); max(sqrt(x)); min(log(x)) + 1; cumprod(sqrt(x)) * 2
sqrt(x) * 2 + max(sqrt(x)); prod(sqrt(x) .* 1.5); abs(max(sqrt(m), [], 2)); log(max(sqrt(x)))
sum(sqrt(m), 2); log(abs(sqrt(x))); mean(sqrt(m)) + 1; std(log(x)); sqrt(x > 0) + sqrt(x)
"""
#: With something on the way that host rules have to see.
BLOCKED = """
sort(sqrt(x)); prod(sqrt(p) .* sqrt(x - 3)); max(sqrt(x), 1); fft(sqrt(x)); sum(max(log(x), 0.5))
max(sqrt(p)); max(sqrt(p)) + max(sqrt(x)); max(sqrt(x).^2); abs(fft(sqrt(x))) + 1; sort(log(p))
"""


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a busy machine takes long for would be planned anew."""
    monkeypatch.setattr("runmat_core.accel.running.learning.WORTH_LEARNING", float("inf"))


def expressions(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split("; ")]


@cache
def session(provider: str) -> Session:
    chosen = config.load().replace(
        accel__provider=provider,
        accel__fallback="none",
        accel__threshold=2 if provider != "none" else 1 << 40,
        accel__offload__calibrate="never",
        accel__offload__force=PROVIDERS.get(provider, "rules"),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = Session(config=chosen)
    made.run(PREPARE)
    for name in "xpms":
        made[name] = np.asarray(made[name])
    return made


def engine_of(provider: str) -> Any:
    seat = session(provider).interp.seat
    assert seat is not None
    return seat.engine


def answer(provider: str, code: str) -> tuple[Any, str, bool]:
    s = session(provider)
    s.run(f"y = {code}; c = class(y); f = isreal(y);")
    return np.asarray(s["y"]), s["c"], s["f"]


def agree(got: Any, want: Any, units: float = 64) -> None:
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want)
        return
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(got), finite)
    largest = np.abs(want[finite]).max(initial=0.0)
    assert (np.abs(got[finite] - want[finite]) <= units * np.spacing(largest)).all()


@pytest.mark.sweep
@pytest.mark.parametrize("code", expressions(RETYPED))
@pytest.mark.parametrize("provider", PROVIDERS)
def test_complex_results_come_from_plans(
    provider: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(provider)
    evaluated: list[str] = []
    plainly = rules.evaluate

    def evaluate(nodes: Any) -> None:
        evaluated.extend(node.op.name for node in nodes)
        plainly(nodes)

    monkeypatch.setattr(rules, "evaluate", evaluate)
    got, want = answer(provider, code), answer("none", code)
    assert got[1:] == want[1:]
    agree(got[0], want[0])
    assert not evaluated
    # what it came to is known then
    answer(provider, code)
    before = engine.counters.plans_made, engine.counters.guards_fired, engine.counters.launches
    again = answer(provider, code)
    after = engine.counters.plans_made, engine.counters.guards_fired, engine.counters.launches
    assert again[1:] == want[1:]
    agree(again[0], want[0])
    assert after[:2] == before[:2]
    assert after[2] > before[2]


@pytest.mark.parametrize("code", expressions(BLOCKED))
@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_has_no_complex_form_is_left_to_host_rules(provider: str, code: str) -> None:
    want = answer("none", code)
    for _ in range(3):
        got = answer(provider, code)
        assert got[1:] == want[1:]
        agree(got[0], want[0])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_second_run_pays_one_plan(provider: str) -> None:
    engine, s = engine_of(provider), session(provider)
    code = "y = sum(abs(sqrt(x + 0.25) .* exp(1i * x)) + x);"
    for _ in range(2):
        s.run(code)
        total = s["y"]
    counters = engine.counters
    before = counters.plans_made, counters.plan_hits, counters.launches, counters.by_rules
    s.run(code)
    assert s["y"] == total
    after = counters.plans_made, counters.plan_hits, counters.launches, counters.by_rules
    # the structure itself, and the plan that stands for it
    assert [b - a for a, b in zip(before, after, strict=True)] == [0, 2, 1, 0]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_is_real_again_is_computed_with_real_kernels(provider: str) -> None:
    engine, s = engine_of(provider), session(provider)
    fired = []
    for factor in (-3.5, -3.5, 3.5, 3.5, 3.5, -3.5):
        s["k"] = factor
        s.run("y = sqrt(p .* k) - 1.5; f = isreal(y); z = y(2);")
        assert s["f"] == (factor > 0)
        expected = np.emath.sqrt(np.asarray(s["p"]) * factor) - 1.5
        np.testing.assert_allclose(np.asarray(s["y"]), expected, rtol=1e-14)
        fired.append(engine.counters.guards_fired)
    assert [n - fired[0] for n in fired] == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_one_of_two_guards_makes_one_result_complex(provider: str) -> None:
    s, n = session(provider), session("none")
    for _ in range(3):
        for one in (s, n):
            one.run("a = sqrt(p); b = log(x); c = a + 1; d = b .* a; e = [isreal(c) isreal(d)];")
        for name in "abcde":
            agree(np.asarray(s[name]), np.asarray(n[name]))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_errors_of_host_rules_name_their_line(provider: str) -> None:
    for name in (provider, "none"):
        with pytest.raises(Exception, match="complex"):
            session(name).run("y = sqrt(x);\nw = realsqrt(y) + 1; w(1)")


# -- programs by chance ----------------------------------------------------------------------------

#: Functions with branch cuts are taken of numbers that round the same everywhere.
CUT = ["sqrt({})", "log({})", "asin({})", "acosh({})", "({}).^0.7", "log2({})", "atanh({})"]
PLAIN = ["{} * 2", "{} + 1", "abs({})", "real({})", "imag({})", "conj({})", "exp({} / 8)"]
PLAIN += ["sin({} / 4)", "{}'", "{}.'", "sum({})", "mean({}, 2)", "-{}", "{} ./ 3", "{} - 1i"]
PLAIN += ["cumsum({} / 8)", "isnan({})", "[{}; {}]", "{}(2:3, :)", "norm({}(:))", "{} / 4 .* {}"]
PLAIN += ["max(abs({}))", "max({})", "{}(:)", "round({})"]
BOTH = ["{} + {}", "{} .* {}", "{} - {}", "{} * {}'"]
RAW = ["m", "m + 1", "-m", "m .* 2 - 0.5", "m' - 0.25", "abs(m)", "m(1:3, 1:4)", "single(m)"]


@st.composite
def programs(draw: Any) -> list[str]:
    """Statements that give v1, v2 …, each of one or two before."""
    lines: list[str] = []
    for k in range(draw(st.integers(2, 7))):
        choice = draw(st.integers(0, 9))
        if k == 0 or choice < 3:
            lines.append(draw(st.sampled_from(CUT)).format(draw(st.sampled_from(RAW))))
        elif choice < 8:
            name = f"v{draw(st.integers(1, k))}"
            lines.append(draw(st.sampled_from(PLAIN)).replace("{}", name))
        else:
            names = [f"v{draw(st.integers(1, k))}" for _ in range(2)]
            lines.append(draw(st.sampled_from(BOTH)).format(*names))
    return lines


def run(s: Session, lines: list[str]) -> list[Any]:
    """The values, or the identifier of the error at which the program ends."""
    code = "".join(f"v{k} = {line};\n" for k, line in enumerate(lines, 1))
    try:
        s.run(f"ok = 0; {code} ok = 1;")
    except Exception as problem:
        return [getattr(problem, "identifier", type(problem).__name__)]
    return [np.asarray(s[f"v{k}"]) for k in range(len(lines), 0, -1)]


def alike(got: Any, want: Any) -> None:
    """Equal but for rounding, which may leave a part beside zero where it has none elsewhere."""
    if isinstance(want, str) or isinstance(got, str):
        assert got == want
        return
    assert got.shape == want.shape
    single = np.float32 in (want.real.dtype, got.real.dtype)
    assert single == (want.real.dtype == np.float32)
    with np.errstate(all="ignore"):
        size = np.abs(want[np.isfinite(want)].astype(np.complex128)).max(initial=1.0)
        tolerance = (2e-4 if single else 1e-11) * size
        off = np.abs(got.astype(np.complex128) - want.astype(np.complex128))
        assert (np.isfinite(got) == np.isfinite(want)).all()
        assert (off[np.isfinite(want)] <= tolerance).all()


@settings(max_examples=40)
@given(programs())
def test_programs_give_what_they_give_without_a_provider(lines: list[str]) -> None:
    if any("round" in line for line in lines):
        lines = [line.replace("round", "real") for line in lines]
    want = run(session("none"), lines)
    for provider in ("inprocess", "null"):
        for _ in range(2):
            got = run(session(provider), lines)
            assert len(got) == len(want)
            for one, other in zip(got, want, strict=True):
                alike(one, other)
