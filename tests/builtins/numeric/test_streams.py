"""Random streams as objects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core.session import Session

Same = Callable[[str, str], None]

VALUES = [
    ("s=RandStream('mt19937ar','Seed',7);;a=rand(s,2);;reset(s);;isequal(a,rand(s,2))", "true"),
    ("s=RandStream('mt19937ar','Seed',7);;a=s.rand(2);;reset(s,7);;isequal(a,rand(s,2))", "true"),
    ("s=RandStream('philox4x32_10');;t=s.State;;a=randn(s,3);;s.State=t;;isequal(a,randn(s,3))",
     "true"),
    ("s=RandStream('mt19937ar');;sort(randperm(s,4))", "1:4"),
    ("s=RandStream('mt19937ar');;x=randi(s,3,1,50);;[min(x) max(x)]", "[1 3]"),
    ("s=RandStream('mt19937ar');;class(rand(s,2,'single'))", "'single'"),
    ("s=RandStream('mt19937ar','Seed',3);;t=s;;a=rand(s);;a==rand(t)", "false"),
    # what a stream of its own draws does not move the session's
    ("rng(1);;a=rand;;rng(1);;rand(RandStream('philox4x32_10'),9);;a==rand", "true"),
    ("s=RandStream('mt19937ar','Seed',3);;b=RandStream.setGlobalStream(s);;a=rand;;reset(s);;"
     "c=rand(s);;RandStream.setGlobalStream(b);;a==c", "true"),
    ("g=RandStream.getGlobalStream;;rng(4);;a=rand(g);;rng(4);;a==rand", "true"),
    ("isequal(RandStream.getGlobalStream,RandStream.getGlobalStream)", "true"),
    ("s=RandStream('mt19937ar','Seed',3);;{s.Type,s.Seed}", "{'mt19937ar',3}"),
    ("RandStream.list", "{'mt19937ar','philox4x32_10'}"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[c for c, _ in VALUES])
def test_values(code: str, expected: str, same: Same) -> None:
    same(code, expected)


def test_the_twister_has_the_values_of_rng(session: Session) -> None:
    session.run("rng('default'); a = rand(1, 3); s = RandStream('mt19937ar', 'Seed', 5489);")
    assert session.eval("isequal(a, rand(s, 1, 3))") is True
    session.run("rng(0, 'philox')")


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("RandStream('mrg32k3a')", "MATLAB:RandStream:create:UnknownRNGType"),
        ("RandStream('mt19937ar','Seed',-1)", "MATLAB:RandStream:BadSeed"),
        ("RandStream.create('mt19937ar','NumStreams',3)", "MATLAB:RandStream:create:NumStreams"),
        ("s=RandStream('mt19937ar'); s.State=5;", "MATLAB:RandStream:set:BadState"),
        ("s=RandStream('mt19937ar'); s.Seed=5;", "MATLAB:class:SetProhibited"),
        ("RandStream.setGlobalStream(5)", "MATLAB:UndefinedFunction"),
        ("reset(5)", "MATLAB:UndefinedFunction"),
        ("s=RandStream('mt19937ar'); rand(s,-1i)", "MATLAB:NonIntegerInput"),
    ],
)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier
