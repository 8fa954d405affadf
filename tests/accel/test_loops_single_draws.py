"""Loops that draw single random numbers: those of the loop that goes step by step, and the stream
is where that one leaves it.
"""

from __future__ import annotations

import pytest

from tests.accel.loops import compared, session

#: Uniform numbers are told by positions alone, bit by bit.
UNIFORM = {
    "one": "Y=A; for t=1:12, Y=0.9*Y+rand; end",
    "one of two sizes": "Y=A; for t=1:12, Y=0.9*Y+rand(1)*rand(1,1,'double'); end",
    "whole numbers": "Y=A; for t=1:12, Y=0.5*Y+randi(6); n=randi([-3 9]); end",
    "a few": "Y=A; for t=1:12, Y=0.9*Y+rand(60,1).*rand(1,50)+randi(4,1,50); end",
    "unused": "Y=A; for t=1:12, u=rand; Y=0.9*Y; end",
    "carried": "Y=A; k=0; for t=1:12, k=k+rand; Y=0.9*Y+k; end",
    "singles": "Y=S; for t=1:13, Y=Y*rand('single')+rand(1,1,'single'); end",
    "beside arrays": "Y=S; for t=1:13, Y=Y+rand(60,50,'single')*rand; end",
    "of two types": "Y=S; for t=1:13, Y=Y*rand('single')+rand; end",
    "written": "Y=A; m=zeros(1,12); for t=1:12, z=rand; m(t)=z; Y=Y*0.9+z; end",
    "chosen": "Y=A; for t=1:12, z=rand; Y=Y+(z<0.5)*0.1-(z>=0.5)*B; end",
    "in a function": "f=@(y) y*rand; Y=A; for t=1:12, Y=f(Y); end",
    "in a while": "Y=A; k=0; while k<12, Y=Y*rand; k=k+1; end",
    "from a step on": "Y=A; for t=1:90, if t>40, Y=Y*0.9+rand; else, Y=Y*rand*rand; end, end",
    "in turns": "Y=A; for t=1:40, if mod(t,2)==0, Y=Y*0.9+rand; else, Y=Y*rand*rand; end, end",
    "in a loop that comes again": "Y=A; for k=1:3, for t=1:9, Y=Y*0.9+rand; end, end",
    "of means": "Y=A; for t=1:12, Y=Y-0.1*rand*mean(Y); end",
}
#: Normal numbers are made by functions that err in the last place.
NORMAL = {
    "paths": "Y=A; for t=1:12, z=randn; Y=Y.*exp(0.01+0.02*z); end",
    "several": "Y=A; for t=1:12, Y=0.9*Y+randn*randn(1,50)+rand; n=randn; end",
    "singles": "Y=S; for t=1:13, Y=Y+0.1*randn('single'); end",
    "steps of several kernels": "G=rand(60)/30; Y=A; for t=1:12, z=randn; Y=0.5*G*Y+z; end",
}
#: What tells where the stream is, and that what was drawn last is a number like any other.
AFTER = "\nq=[rand randn], r=rand(2,2);"


@pytest.mark.sweep
@pytest.mark.parametrize("provider", ["null", "inprocess"])
@pytest.mark.parametrize("program", UNIFORM.values(), ids=UNIFORM)
def test_uniform_numbers(program: str, provider: str) -> None:
    assert compared(program + AFTER, provider).captured


@pytest.mark.parametrize("provider", ["null", "inprocess"])
@pytest.mark.parametrize("program", NORMAL.values(), ids=NORMAL)
def test_normal_numbers(program: str, provider: str) -> None:
    assert compared(program + AFTER, provider, exact=False).captured


@pytest.mark.parametrize("name", ["whole numbers", "a few", "of two types", "in turns"])
def test_uniform_numbers_on_an_adapter(name: str) -> None:
    found = compared(UNIFORM[name] + AFTER, "wgpu", exact=False)
    assert found.captured
    assert found.engine.counters.by_rules == 0


@pytest.mark.parametrize("program", NORMAL.values(), ids=NORMAL)
def test_normal_numbers_on_an_adapter(program: str) -> None:
    assert compared(program + AFTER, "wgpu", exact=False).captured


def test_trips_are_one_kernel() -> None:
    made = session("null")
    made.run("rng(3); Y=rand(60,50); s=sum(Y(:));")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    before = engine.counters.launches
    made.run("for t=1:100, z=randn; Y=Y.*exp(0.01+0.02*z); n=randi(3); end, s=sum(Y(:));")
    assert made["s"] > 0
    # the trips between the first and the last one are a kernel, and these two with the sum
    assert engine.counters.launches - before <= 3
    assert engine.counters.by_rules == 0


def test_other_streams_at_the_same_loop() -> None:
    program = "for k=1:3, rng(k); Y=A; for t=1:12, Y=Y*0.9+rand; end, W{k}=Y; end"
    found = compared(program + AFTER, "null")
    assert found.captured
    # a generator without positions, between two runs of a loop that is captured
    twister = "rng(1,'twister'); Y=A; for t=1:12, Y=Y*0.9+rand; end, "
    loop = "rng(4); Y=A; for t=1:12, Y=Y*0.9+rand; end, X=Y; "
    assert compared(loop + twister + loop + AFTER, "null").captured
