"""Loops that select by subscripts which they compute: guards are read once a loop."""

from __future__ import annotations

import pytest

from tests.accel.loops import compared, session

CAPTURED = {
    "by what they carry": "y=A(:); for t=1:9, k=floor(y*1000)+1; y=y(k)*0.9+0.01; end",
    "by what is there before": "y=A(:); k=floor(A(:)*2999)+1; for t=1:9, y=y(k)*0.9; end",
    "rows": "Y=A; k=floor(A(:,1)*59)+1; for t=1:9, Y=Y(k,:)*0.9+0.01; end",
    "both axes": "Y=A; for t=1:9, k=floor(Y(:,1)*49)+1; Y=Y(k,:)*0.9+Y(:,2)*0.01; end",
    "drawn ones": "y=A(:); for t=1:9, i=ceil(rand(3000,1)*3000); y=y(i)+y; end, z=rand;",
    "singles": "y=S(:); for t=1:9, k=floor(y*1000)+1; y=y(k)*0.9+0.01; end",
    "of another array": "y=A(:); for t=1:9, k=floor(y*2999)+1; y=(y+B(k))*0.3+0.3; end",
    "written": "y=A(:); h=zeros(3000,1); for t=1:9, k=floor(y*2999)+1; h(k)=t; y=y(k)*0.9; end",
}


@pytest.mark.parametrize("name", CAPTURED)
def test_results_are_those_of_single_steps(name: str) -> None:
    assert compared(CAPTURED[name], "null", exact=False).captured == 1


@pytest.mark.parametrize("step", [1, 2, 3, 8, 9])
@pytest.mark.parametrize("bad", ["0", "3001", "1.5", "1e9", "-1"])
def test_a_place_that_is_none_is_an_error_of_its_step(bad: str, step: int) -> None:
    """Variables, the random stream and the error are those of the step, wherever that is."""
    program = (
        "y=A(:); n=0;\nfor t=1:9\n z=rand(60,50); n=n+1;\n"
        f" k=floor(y*1000)+1; k=k+(t=={step})*((1:3000)'==3000).*({bad}-k);\n"
        " y=y(k)*0.9+0.01;\nend\nr=rand;"
    )
    found = compared(program, "null", exact=False)
    assert found.error is not None
    assert found.values["n"] == step


def test_one_wait_for_all_steps() -> None:
    made = session("null")
    made.run("rng(1); A=rand(60,50);")
    program = CAPTURED["by what they carry"] + " s=sum(y);"
    made.run(program)
    assert made["s"] > 0
    telemetry = made.telemetry
    assert telemetry is not None
    telemetry.clear()
    made.run(program)
    assert made["s"] > 0
    assert telemetry.totals()["runs"] <= 3
