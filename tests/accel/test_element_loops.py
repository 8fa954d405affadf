"""Loops over single elements and over small parts of large arrays: nothing is deferred for them.

What they cost beside a session that captures nothing does not depend on how many iterations there
are, on which side of the threshold the arrays lie, or on what follows the loop.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.accel.capture import operators
from runmat_core.accel.graph.node import Node
from runmat_core.session import config
from runmat_core.values.hooks import HOOKS

PROVIDERS = ("inprocess", "null")
THRESHOLD = 200
#: Calls of Python functions in each iteration beyond those without a provider.
CALLS = 0.25

#: What stands before the loop, and its body; arrays have about `n` elements.
ELEMENTS = {
    "drawn": ("v=zeros(1,n);", "v(k)=v(k-1)+rand;"),
    "a function": ("v=zeros(1,n);", "v(k)=v(k-1)+sin(k);"),
    "only written": ("v=zeros(n,1);", "v(k)=2*k;"),
    "changed": ("v=rand(1,n)*2;", "v(k)=v(k)+1;"),
    "two subscripts": ("v=zeros(n,1);", "v(k,1)=v(k-1,1)*0.5+1;"),
    "a matrix": ("v=zeros(10,n/10);", "v(1+rem(k,10),ceil(k/10))=v(k-1)+k;"),
    "three subscripts": ("v=zeros(5,4,n/20);", "v(3,4,ceil(k/20))=v(3,4,1)+k;"),
    "the last one": ("v=rand(1,n)*2;", "v(end)=v(end)+k;"),
    "growing": ("v=[];", "v(k)=k;"),
    "growing at the end": ("v=1;", "v(end+1)=v(end)+k;"),
    "read only": ("w=rand(1,n)*2; v=0;", "v=v+w(k);"),
    "from another": ("w=rand(1,n); v=zeros(1,n);", "v(k)=w(k)+w(k-1);"),
    "from each other": ("v=zeros(1,n); w=v;", "v(k)=w(k-1)+1; w(k)=v(k)*0.5;"),
    "exchanged": ("v=rand(1,n);", "if v(k)<v(k-1), t=v(k); v(k)=v(k-1); v(k-1)=t; end"),
    "at a computed place": ("p=randperm(n); v=zeros(1,n);", "v(p(k))=k;"),
    "by a function": ("v=zeros(1,n); f=@(x) 2*x;", "v(k)=f(v(k-1)+1);"),
    "integers": ("v=zeros(1,n,'int32');", "v(k)=v(k-1)+1;"),
    "singles": ("v=zeros(1,n,'single');", "v(k)=v(k-1)+0.5;"),
    "complex": ("v=complex(zeros(1,n));", "v(k)=v(k-1)+1i;"),
    "logicals": ("v=false(1,n);", "v(k)=~v(k-1);"),
    "in a field": ("s.v=zeros(1,n); v=0;", "s.v(k)=s.v(k-1)+1;"),
    "in a cell": ("c={rand(1,n)*2}; v=0;", "v=v+c{1}(k); c{1}(k)=v;"),
    "while": ("v=zeros(1,n);", "j=k; while j>k-3 && j>1, v(j)=v(j)+1; j=j-1; end"),
}
#: The same with arrays of one size.
PARTS = {
    "ranges": ("w=rand(2000,1);", "a=1+rem(k,50); b=a+2+rem(7*k,60); w(a:b,1)=w(a:b,1)*0.9;"),
    "of what is pending": ("w=rand(2000,1)*2;", "a=1+rem(k,50); w(a:a+k/9)=w(a:a+k/9)*0.9;"),
    "columns": ("w=rand(50,40)*2;", "j=1+rem(k,40); w(:,j)=w(:,j)/norm(w(:,j));"),
    "rows": ("w=rand(50,40)*2;", "j=1+rem(k,50); w(j,:)=w(j,:)-w(1,:)*0.5;"),
    "blocks": ("w=rand(50,40)*2;", "i=1+rem(k,46); w(i:i+3,2:4)=w(i:i+3,2:4)+1;"),
    "from the column before": ("w=rand(20,900)*2;", "w(:,k)=w(:,k-1)*0.9+w(:,1);"),
    "pages": ("A=rand(3,3,900); B=A*2; w=A;", "w(:,:,k)=A(:,:,k)*B(:,:,k);"),
    "triangles": ("w=rand(80)*2;", "j=1+rem(k,78); w(j+1:end,j)=w(j+1:end,j)/3;"),
    "spans": (
        "w=rand(2000,1)*2; f=1.01;",
        "a=1+mod(k*37,1400); b=a+mod(k*13,150); w(a:b,1)=w(a:b,1)*f; w(a:a+3)=w(a+1:a+4);",
    ),
    "lists": ("w=rand(2000,1)*2; p=[1 5 9 77];", "w(p)=w(p+1)+1;"),
    "windows": ("x=rand(2000,1)*2; w=zeros(2000,1);", "w(k)=mean(x(k:k+9));"),
    "added up": ("x=rand(60,900)*2; w=zeros(60,1);", "w=w+x(:,k);"),
    "added up with more": ("x=rand(60,40)*2; w=sum(x,2);", "w=w*0.9+x(:,1+rem(k,40))-1;"),
    "products": ("A=rand(80)*2; w=zeros(80,1);", "j=1+rem(k,80); w(j)=A(j,:)*A(:,j);"),
    "in a field": ("s.x=rand(60,40)*2; w=0;", "w=w+sum(s.x(:,2))+s.x(7);"),
}
#: Loops that cannot be captured for their text, too.
LEAVES = " if k > 1e9, break; end"
AFTER = {"sum": "q=sum(v(:));", "clock": "tic; q=toc;", "write": "v(2)=v(1);", "nothing": ""}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sessions of the process, whose arrays are large earlier, do not count."""
    monkeypatch.setattr(HOOKS, "smallest", THRESHOLD)
    monkeypatch.setattr(HOOKS, "captured", THRESHOLD)
    monkeypatch.setattr(operators._bound, "size", THRESHOLD)


class Counts:
    """What a program takes: calls of Python functions, nodes, evaluations and plans."""

    def __init__(self, provider: str, program: str) -> None:
        environment = {
            "RUNMAT_ACCEL_PROVIDER": provider,
            "RUNMAT_ACCEL_FALLBACK": "none",
            "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
        }
        if provider != "none":
            environment["RUNMAT_ACCEL_THRESHOLD"] = str(THRESHOLD)
        made = Session(
            config=config.load(
                Path(__file__).parent, environment | {"RUNMAT_ACCEL_PLAN_FILES": "0"}
            )
        )
        made.run("rng(1); x=rand(1,2000)*2; q=x(1)+x(2);")
        self.calls = self.nodes = 0
        node: Any = Node.__init__
        code = node.__code__

        def called(frame: Any, event: str, _: Any) -> None:
            # a collection may fall anywhere, and test tools watch these
            if event == "call" and frame.f_code.co_name != "gc_callback":
                self.calls += 1
                self.nodes += frame.f_code is code

        before = sys.getprofile()
        # where a collection falls decides whether a plan has a node that only a cycle holds
        gc.disable()
        sys.setprofile(called)
        try:
            made.run(program)
        finally:
            sys.setprofile(before)
            gc.enable()
        seat = made.interp.seat
        counters = None if seat is None else seat.engine.counters
        self.runs = counters and (counters.runs, counters.plans_made, counters.by_rules)
        made.close()


def check(short: str, long: str, iterations: int) -> None:
    """See that more iterations take nothing but what they take without a provider.

    Args:
        short, long: the program; `long` has so many iterations more.
    """
    plain = Counts("none", long).calls - Counts("none", short).calls
    for provider in PROVIDERS:
        Counts(provider, short)  # whatever is loaded is loaded then
        few, many = Counts(provider, short), Counts(provider, long)
        assert many.nodes <= few.nodes + 2, provider
        assert many.runs == few.runs, provider
        assert many.calls - few.calls - plain <= CALLS * iterations, provider


def script(before: str, body: str, n: int, after: str, size: str) -> str:
    return f"n={size};\n{before}\nfor k=2:{n}\n{body}\nend\n{after}\n"


def function(before: str, body: str, n: int, after: str, size: str) -> str:
    code = f"{before}\nfor k=2:{n}\n{body}\nend\n{after}"
    return f"r=work({size});\nfunction r=work(n)\n{code}\nr=n;\nend\n"


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_take_what_they_take_without_a_provider(name: str) -> None:
    number = list(ELEMENTS).index(name)
    before, body = ELEMENTS[name]
    kind = (script, function)[number // len(AFTER) % 2]
    after = list(AFTER.values())[number % len(AFTER)]
    short, long = [kind(before, body, n, after, str(n)) for n in (240, 480)]
    check(short, long, 240)


@pytest.mark.parametrize("name", PARTS)
def test_parts_take_what_they_take_without_a_provider(name: str) -> None:
    before, body = PARTS[name]
    odd = list(PARTS).index(name) % 2
    kind = (script, function)[odd]
    leaves = LEAVES if odd else ""
    short, long = [kind(before, body + leaves, n, "q=sum(w(:));", "0") for n in (200, 400)]
    check(short, long, 200)


@pytest.mark.parametrize("size", [THRESHOLD * 9 // 10, THRESHOLD * 11 // 10, THRESHOLD * 4])
def test_no_size_is_a_cliff(size: int) -> None:
    before, body = ELEMENTS["drawn"]
    program = script(before, body, 180, AFTER["write"], str(size))
    for provider in PROVIDERS:
        found = Counts(provider, program)
        assert found.nodes < 50, provider
        assert found.runs is not None
        assert found.runs[0] <= 3, provider


def test_elements_of_an_array_that_was_placed_are_written_where_they_are() -> None:
    program = "v=gpuArray(zeros(1,{size})); for k=2:{n}, v(k)=v(k-1)+1; end; q=gather(sum(v));"
    found = [Counts("null", program.format(size=2000, n=n)) for n in (100, 100, 900)]
    assert found[1].nodes == found[2].nodes
    assert found[1].runs == found[2].runs
