"""runmat-finance: documented values, independent formulas, and the same result fused or not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runmat_core.accel.devices.records import Record
from runmat_core.builtins import registry
from runmat_core.session import Session, doctests
from runmat_core.session.config import load

NAMES = ("blsprice", "blsdelta", "blsgamma", "blsvega", "normcdf", "normpdf")
OPTIONS = NAMES[:4]
#: S, K, r, T, v and the yield of options far in and far out of the money.
MARKET = {
    "S": np.array([[20.0, 60.0, 95.0, 100.0, 104.0, 180.0]]),
    "K": np.array([[60.0], [100.0], [130.0]]),
    "r": 0.05,
    "T": 0.75,
    "v": 0.3,
    "q": 0.02,
}


@pytest.fixture
def session() -> Session:
    return Session()


def fusing(force: str = "host") -> Session:
    """A session that captures every array and runs plans at one place."""
    config = load().replace(
        accel__threshold=1, accel__provider="inprocess", accel__offload__force=force
    )
    return Session(config=config)


def put_in(session: Session, **values: Any) -> None:
    for name, value in values.items():
        session.workspace[name] = value


# -- documented ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str, session: Session) -> None:
    spec = registry.find(name)
    assert spec is not None
    doc = spec.host.__doc__ or ""
    assert doctests.collect(doc)
    failures = doctests.run(doc, session)
    assert not failures, "\n" + "\n".join(map(str, failures))
    assert re.search(r"See also: \S", doc)
    assert registry.package_of(name).startswith("runmat-finance ")


# -- values ----------------------------------------------------------------------------------------


def reference(S: Any, K: Any, r: Any, T: Any, v: Any, q: Any = 0.0) -> dict[str, tuple[Any, ...]]:
    """The formulas of the model on forward prices, by scipy's normal distribution."""
    from scipy.stats import norm

    forward, paid = S * np.exp((r - q) * T), np.exp(-r * T)
    total = v * np.sqrt(T)
    up = np.log(forward / K) / total + total / 2
    down = up - total
    held = np.exp(-q * T)
    return {
        "blsprice": (
            paid * (forward * norm.cdf(up) - K * norm.cdf(down)),
            paid * (K * norm.sf(down) - forward * norm.sf(up)),
        ),
        "blsdelta": (held * norm.cdf(up), -held * norm.sf(up)),
        "blsgamma": (held * norm.pdf(up) / (S * total),),
        "blsvega": (S * held * norm.pdf(up) * np.sqrt(T),),
    }


@pytest.mark.parametrize("arguments", ["S, K, r, T, v", "S, K, r, T, v, q"])
@pytest.mark.parametrize("name", OPTIONS)
def test_values_are_those_of_another_formula(name: str, arguments: str) -> None:
    given = {key: value for key, value in MARKET.items() if key in arguments.split(", ")}
    expected = reference(**given)[name]
    for session in (Session(), fusing()):
        put_in(session, **MARKET)
        found = session.eval(f"{name}({arguments})", nargout=len(expected))
        for one, other in zip(found if len(expected) > 1 else (found,), expected, strict=True):
            # prices of options far out of the money are differences of much larger numbers
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def test_distribution(session: Session) -> None:
    from scipy.stats import norm

    x = np.array([[-np.inf, -38.0, -8.0, -1.0, -0.0, 0.5, 9.0, np.inf, np.nan]])
    for one in (session, fusing()):
        put_in(one, x=x)
        np.testing.assert_allclose(one.eval("normcdf(x)"), norm.cdf(x), rtol=1e-12)
        np.testing.assert_allclose(one.eval("normpdf(x)"), norm.pdf(x), rtol=1e-12)
        np.testing.assert_allclose(one.eval("normcdf(x, 1, 2)"), norm.cdf(x, 1, 2), rtol=1e-12)
        np.testing.assert_allclose(one.eval("normpdf(x, 1, 2)"), norm.pdf(x, 1, 2), rtol=1e-12)


market = st.tuples(
    st.floats(1, 500),
    st.floats(1, 500),
    st.floats(-0.05, 0.2),
    st.floats(0.01, 5),
    st.floats(0.01, 1.5),
    st.floats(0, 0.1),
)
SESSION = Session()


@settings(max_examples=60)
@given(market)
def test_a_call_less_a_put_is_a_forward(values: tuple[float, ...]) -> None:
    put_in(SESSION, **dict(zip("SKrTvq", values, strict=True)))
    S, K, r, T, _, q = values
    call, put = SESSION.eval("blsprice(S, K, r, T, v, q)", nargout=2)
    assert call - put == pytest.approx(S * np.exp(-q * T) - K * np.exp(-r * T), abs=1e-9)
    assert call >= -1e-12
    assert put >= -1e-12
    up, down = SESSION.eval("blsdelta(S, K, r, T, v, q)", nargout=2)
    assert up - down == pytest.approx(np.exp(-q * T))


def test_deltas_gammas_and_vegas_are_derivatives(session: Session) -> None:
    session.run("h = 1e-4; f = @(S, v) blsprice(S, 100, 0.05, 0.75, v, 0.02);")
    checks = {
        "(f(90 + h, 0.3) - f(90 - h, 0.3)) / 2 / h": "blsdelta(90, 100, 0.05, 0.75, 0.3, 0.02)",
        "(f(90, 0.3 + h) - f(90, 0.3 - h)) / 2 / h": "blsvega(90, 100, 0.05, 0.75, 0.3, 0.02)",
        "(f(90.01, 0.3) - 2*f(90, 0.3) + f(89.99, 0.3)) / 1e-4": (
            "blsgamma(90, 100, 0.05, 0.75, 0.3, 0.02)"
        ),
    }
    for difference, formula in checks.items():
        assert session.eval(difference) == pytest.approx(session.eval(formula), rel=1e-6)


# -- classes and sizes -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", [Session, fusing])
def test_arguments_expand(make: Any) -> None:
    session = make()
    size = "size(blsprice((50:150)', 100, 0.05, 0.25:0.25:1, reshape([0.1 0.2 0.3], 1, 1, 3)))"
    assert session.eval(size).tolist() == [[101, 4, 3]]
    assert session.eval("size(blsprice(zeros(0, 3), 100, 0.05, 1, 0.2))").tolist() == [[0, 3]]
    session.run("try, blsprice([1 2], [1 2 3], 0, 1, 1), catch e, end")
    assert session.eval("e.identifier") == "MATLAB:sizeDimensionsMustMatch"


@pytest.mark.sweep
@pytest.mark.parametrize("make", [Session, fusing])
@pytest.mark.parametrize("name", NAMES)
def test_single_stays_single(make: Any, name: str) -> None:
    session = make()
    more = ", 100, 0.05, 1, 0.2" if name in OPTIONS else ""
    session.run(f"x = single([90 100 110]); a = {name}(x{more}); b = {name}(double(x){more});")
    assert session.eval("class(a)") == "single"
    np.testing.assert_allclose(session.eval("a"), session.eval("b"), rtol=1e-4, atol=1e-6)
    assert session.eval(f"class({name}(true{more}))") == "double"


@pytest.mark.parametrize("make", [Session, fusing])
def test_integers_and_text_are_refused(make: Any) -> None:
    session = make()
    for argument, cls in (("int8([1 2])", "int8"), ("{1}", "cell"), ('"a"', "string")):
        session.run(f"try, normcdf({argument}), catch e, end")
        assert session.eval("e.identifier") == "MATLAB:UndefinedFunction", argument
        assert cls in session.eval("e.message")


def test_counts_of_arguments_and_outputs(session: Session) -> None:
    for call in ("blsprice(1, 2)", "[a, b, c] = blsprice(1, 1, 1, 1, 1)", "normcdf(1, 2, 3, 4)"):
        session.run(f"e = []; try, {call}; catch e, end")
        assert session.eval("e.identifier").startswith("MATLAB:"), call


# -- fused -----------------------------------------------------------------------------------------

PROGRAMS = {
    "mean": "y = mean(blsprice(S, K, 0.05, T, v));",
    "both outputs": "[c, p] = blsprice(S, K, 0.05, T, v, 0.01); y = mean(c .* p + 1);",
    "second output": "[~, p] = blsdelta(S, K, 0.05, T, v); y = sum(p) - 1;",
    "greeks": "y = max(blsvega(S, K, 0.05, T, v) ./ (1 + blsgamma(S, K, 0.05, T, v)));",
    "distribution": "y = sum(normcdf(S / 100, 1, 0.3) - normpdf(v));",
    "log returns": "y = mean(exp(-0.05) * max(S .* exp(v .* 0.1) - K, 0));",
}
SETUP = "S = linspace(50, 150, 5000)'; K = 100; T = 0.5; v = 0.2 + S / 1000; v(1) = 0.2;"


def launches(session: Session, program: str) -> list[Record]:
    records: list[Record] = []
    session.run(SETUP)
    session.interp.seat.engine.listeners.append(records.append)
    session.run(f"{program} disp(y)")
    return records


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_is_one_kernel_and_the_host_rules_agree(program: str) -> None:
    one = fusing()
    records = launches(one, PROGRAMS[program])
    assert [record.outcome for record in records] == ["done"]
    assert sum(len(record.labels) for record in records) == 1, [r.labels for r in records]
    plain = Session(config=load().replace(accel__provider="none"))
    plain.run(SETUP + PROGRAMS[program])
    np.testing.assert_allclose(one.eval("y"), plain.eval("y"), rtol=1e-12)


def test_the_mean_of_prices_writes_nothing_but_the_mean() -> None:
    one = fusing()
    put_in(one, S=np.linspace(50, 150, 5000), v=np.linspace(0.1, 0.5, 5000))
    records: list[Record] = []
    one.interp.seat.engine.listeners.append(records.append)
    one.run("disp(mean(blsprice(S, 100, 0.05, 1, v)))")
    (record,) = records
    assert record.written == 8
    assert record.labels == ("blsprice+mean",)


def test_the_outputs_of_a_call_share_what_they_have_in_common() -> None:
    """Two prices take one logarithm and two exponentials, not twice as many."""
    (record,) = launches(fusing(), PROGRAMS["both outputs"])
    assert record.plan is not None
    (step,) = record.plan.steps
    assert step.lowered is not None
    ops = [instr.op for instr in step.lowered.unit.code]  # type: ignore[union-attr]
    assert ops.count("log") == 1
    assert ops.count("sqrt") == 1
    assert ops.count("exp") == 2  # of rate and of yield


def test_what_an_output_does_not_need_is_not_in_its_kernel() -> None:
    (record,) = launches(fusing(), PROGRAMS["mean"])
    assert record.plan is not None
    (step,) = record.plan.steps
    ops = [instr.op for instr in step.lowered.unit.code]  # type: ignore[union-attr]
    assert ops.count("erfc") == 2


@pytest.mark.parametrize("program", PROGRAMS)
def test_by_rules_the_same(program: str) -> None:
    """Nodes that no provider takes are computed by the package's host rules."""
    one = fusing("rules")
    one.run(SETUP + PROGRAMS[program])
    plain = Session(config=load().replace(accel__provider="none"))
    plain.run(SETUP + PROGRAMS[program])
    np.testing.assert_allclose(one.eval("y"), plain.eval("y"), rtol=1e-13)
