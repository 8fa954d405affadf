"""Loops that do not become kernels: for which reason, at which line, and nothing has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.graph.leaves import Refused, leaf_of
from runmat_core.accel.loops.trace import TraceGraph, affine, item, placeholder
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.values import dispatch
from runmat_core.values.array import from_numpy
from tests.accel.loops import SETUP, compared, session

NEEDS = "it needs the value of something that is computed in the loop"
KEPT = "'Y' changes class or size"
CONVERTS = "an assignment converts what it stores"
PARTS = "'Z' is written in parts and used besides"
DRAWS = "it draws random numbers that only the host makes"
UNPLACED = "its random numbers have no positions in the stream"
#: program -> the reason, empty where no attempt is made at all.
REFUSED = {
    "Y=A; for t=1:11, Y=Y*0.9; if sum(Y(:)), Y=B; end, end": NEEDS,
    "Y=A; for t=1:11, Y=Y*0.9; k=floor(t/2); Y=Y+x(1,max(k,1)); end": NEEDS,
    "Y=A; for t=1:11, if isa(Y,'single'), Y=double(Y); else, Y=single(Y); end, end": KEPT,
    "Y=A; for t=1:11, Y=[Y(:,2:end) Y(:,1)]; Y=Y(:,1:end-1); end": KEPT,
    "Y=A; for t=1:11, Y=Y*0.9; p=randperm(3); end, q=rand(2,2);": DRAWS,
    "rng(3,'twister'); Y=A; for t=1:11, Y=Y*rand; end, q=rand(2,2);": UNPLACED,
    "Y=A; for t=1:11, Y=Y*0.9; disp(t); end": "",
    "Y=A; for t=1:11, Y=Y*0.9 ;fprintf('%g ',t); end": "",
    "Y=A; for t=1:11, Y=Y*0.9; q=num2str(t); end": NEEDS,
    "Y=A; for t=1:11, Y=Y*0.9; if t==5, Y=B; break, end, end": "",
    "Y=A; for t=1:11, Y=Y*0.9; if t==5, continue, end, end": "",
    "Y=A; for t=1:11, try, Y=Y*0.9; catch, end, end": "",
    "Y=A; for t=1:11, eval('Y=Y*0.9;'); end": "",
    "Y=A; for t=1:11, Y=Y*0.9; c{t}=1; end": "",
    "Y=A; for t=1:11, Y=Y*0.9; s.a=t; end": "",
    "Y=A; for t=1:11, Y=Y*0.9, end": "",
    "Y=A; for t=1:11, Y=Y*0.9; Z=Y; Z(1,:)=[]; end": "",
    "Y=A; Z=[]; for t=1:11, Y=Y*0.9; Z=[Z t]; end": "",
    "Y=A; for t=1:3, Y=Y*0.9; end": "",
    "Y=A; for t=true(1,9)', Y=Y*0.9+t; end": "",
    "Y=A; for t=1:11, Y=Y*1i; Y(3,:)=1; Y=real(Y); Y(:,2)=2i; end": CONVERTS,
    "Z=rand(60,40); s=0; for t=2:39, Z(:,t)=0.5*Z(:,t+1); s=s+Z(3); end": PARTS,
    "Y=A; warning('off','all'); for t=1:11, Y=Y*0.9; w=inv(zeros(2)); end": "",
}


@pytest.mark.parametrize("program", REFUSED)
def test_the_loop_goes_on_in_the_ordinary_way(program: str) -> None:
    found = compared(program, "null")
    assert not found.captured
    if REFUSED[program]:
        assert REFUSED[program] in found.reasons


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("Y=A;\nfor t=1:50\n  Y=Y+B;\n  Y=Y+x(:,t);\nend", 4),
        ("Y=A; Z=zeros(3000,9);\nfor t=1:12\n  Y=Y+B;\n  Z(:,t)=Y(1:60);\nend", 4),
        ("Y=A;\nfor t=1:9\n  Y=Y+B;\n  q=ones(2,t)*ones(3,1);\nend", 4),
    ],
)
def test_errors_on_their_own_lines(program: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "p.m").write_text(program)
    found = compared(f"run('{tmp_path}/p.m')", "null")
    assert found.error is not None
    assert found.error[2] == line


SHOWS = "it shows a result"
NESTED = "it calls a nested function"
SHARED = "it knows an object that others share"
#: functions that a body calls -> the reason.
NOTICED = {
    "function noticed, Y = step(0.5) end\n"
    "function Y = step(f)\nY=ones(40); for t=1:11, Y=shows(Y,f); end\nend\n"
    "function y = shows(x,f)\nb = f\ny = x*b;\nend": SHOWS,
    "function noticed\nrng(3); Y=step(ones(40)); disp([Y(1) rand])\nend\n"
    "function Y = step(Y)\nfor t=1:11, Y=seeded(Y); end\nend\n"
    "function y = seeded(x)\nrng(8); y=x*rand; rng(3);\nend": "it sets the random stream",
    "function noticed\nc=0; Y=repeat(@bump); disp([c Y(1)])\n"
    "function y = bump(x)\nc=c+1; y=x+1;\nend\nend\n"
    "function Y = repeat(h)\nY=ones(40); for t=1:11, Y=h(Y); end\nend": NESTED,
    "function noticed\nm=containers.Map(); m('a')=1; Y=ones(40);\n"
    "for t=1:11, Y=grow(Y,m); end, disp([Y(1) max(m('a'),[],'all')])\nend\n"
    "function y = grow(x,m)\ny=x+m('a'); m('a')=y;\nend": SHARED,
    "function noticed\nm=containers.Map(); m('a')=1; s={m}; h=@(x) grow(x,s); Y=ones(40);\n"
    "for t=1:11, Y=h(Y); end, disp([Y(1) max(m('a'),[],'all')])\nend\n"
    "function y = grow(x,s)\nm=s{1}; y=x+m('a'); m('a')=y;\nend": SHARED,
}


@pytest.mark.parametrize("text", NOTICED)
def test_nothing_is_done_ahead_that_somebody_notices(text: str, tmp_path: Path) -> None:
    (tmp_path / "noticed.m").write_text(text)
    found = compared(f"addpath('{tmp_path}'); noticed", "null")
    assert found.error is None
    assert found.shown
    assert NOTICED[text] in found.reasons


def test_why_is_told_with_the_line() -> None:
    found = compared("Y=A;\nfor t=1:11\n  Y=Y*0.9;\n  if Y(1)\n    Y=B;\n  end\nend", "null")
    (note,) = found.notes
    assert (note.line, note.at, note.reason, note.trips) == (2, 4, NEEDS, 0)


@pytest.mark.parametrize(
    ("body", "reason", "at"),
    [
        ("  Y=Y*0.9;\n  Y=Y(:,1:end-1);\n", KEPT, 4),
        ("  Y=Y*0.9;\n  Z(:,t)=x(:,t);\n  Z(:,t+1)=Z(:,t)*2;\n", PARTS, 5),
        ("  Y=Y*0.9;\n  Y(t)=t;\n  Y=Y+1;\n", "it writes a moving part of an array", 4),
        ("  Y=Y+1;\n  Y=[Y(:,2:end) Y(:,1)];\n", "an iteration is more than one kernel, and", 4),
    ],
)
def test_why_no_kernel_can_be_made_is_told_with_the_line(body: str, reason: str, at: int) -> None:
    program = f"Y=A; Z=zeros(60,40);\nfor t=1:11\n{body}end"
    # a provider that joins no arrays
    (note,) = compared(program, "inprocess").notes
    assert (note.line, note.at, note.trips) == (2, at, 0)
    assert reason in note.reason


def test_nothing_changes_where_a_trace_ends() -> None:
    made = session("null")
    made.run(SETUP + "Y=A; lastwarn('before'); rng(5);")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    pending = len(engine.graph.pending())
    made.run("for t=1:11, Z=rand(60,50); w=inv(zeros(2)); Y=Y+Z; if Y(1)>1e9, Y=B; end, end")
    assert engine.loops.captured == 0
    made.run("after = rng; rng(5); for k=1:11, Z=rand(60,50); end, again = rng;")
    made.run("same = isequal(after.State, again.State);")
    assert made["same"] is True
    assert len(engine.graph.pending()) <= pending + 3


def test_without_loops_on_the_provider_nothing_is_captured(tmp_path: Any) -> None:
    (tmp_path / "runmat.toml").write_text(
        "[accel]\nprovider='null'\nthreshold=1000\n[accel.null]\nloops=false\n"
    )
    from runmat_core import Session
    from runmat_core.session import config

    made = Session(config=config.load(tmp_path, {"RUNMAT_ACCEL_PLAN_FILES": "0"}))
    made.run(SETUP + "Y=A; for t=1:11, Y=Y*0.9; end")
    (note,) = made.interp.seat.engine.loops.notes.values()  # type: ignore[union-attr]
    assert note.reason == "null device runs no loops"


# -- placeholders ----------------------------------------------------------------------------------


def held() -> tuple[TraceGraph, Any, Any]:
    graph = TraceGraph(10)
    array = placeholder(graph, "Y", from_numpy(np.ones((3, 4))), True)
    return graph, array, item(graph, 2, 3)


@pytest.mark.parametrize(
    "ask",
    [
        lambda y: y.data,
        lambda y: y.settle(),
        lambda y: dispatch.OPERATORS["plus"](y.settle(), 1.0),
        lambda y: y.paren((1.0,)),
        lambda y: list(y.data),
    ],
)
def test_placeholders_deny_their_elements(ask: Any) -> None:
    _, array, number = held()
    for value in (array, number):
        with pytest.raises(Refused):
            ask(value)


def test_placeholders_know_size_and_class() -> None:
    _, array, number = held()
    assert (array.shape, array.class_name) == ((3, 4), "double")
    assert (number.shape, number.class_name) == ((1, 1), "double")
    assert leaf_of(number.promise.node).at(4) == 14.0


def test_refusals_pass_through_what_catches_errors() -> None:
    assert not issubclass(Refused, Exception)


def test_empty_variables_have_no_placeholder() -> None:
    with pytest.raises(Refused):
        placeholder(TraceGraph(10), "Y", from_numpy(np.ones((0, 3))), True)


@pytest.mark.parametrize(("data", "cls"), [(np.ones((2, 2)) * 1j, "complex double"),
                                           (np.ones((2, 2), np.complex64) * 1j, "complex single"),
                                           (np.array([[2j]]), "complex double")])  # fmt: skip
def test_placeholders_know_what_is_complex(data: Any, cls: str) -> None:
    value = placeholder(TraceGraph(10), "Y", from_numpy(data), True)
    assert value.promise.node.cls == cls


def test_lines_in_the_loop_variable() -> None:
    graph, array, number = held()
    node = number.promise.node

    def made(name: str, *inputs: Any) -> Any:
        return graph.append(OPERATIONS[name].op, inputs, (), (1, 1), "double")

    assert affine(node) == (2, 3)
    assert affine(made("times", 2.0, made("minus", node, 1.0))) == (2, 6)
    assert affine(made("plus", node, node)) == (4, 6)
    assert affine(made("uminus", node)) == (-2, -3)
    assert affine(made("times", node, node)) is None
    assert affine(made("plus", node, 0.5)) is None
    assert affine(array.promise.node) is None


@pytest.mark.parametrize(
    ("body", "operation"),
    [
        ("q=sprintf('%d',sum(Y(:)));", "sprintf"),
        ("if sum(Y(:)), Y=A; end", "a condition"),
        ("k=ceil(sum(Y(:))/1e9); Y=Y+x(1,k);", "a subscript"),
        ("if isequal(Y,3), Y=A; end", "isequal"),
    ],
)
def test_the_operation_that_asked_for_too_much_is_told(body: str, operation: str) -> None:
    found = compared(f"Y=A; for t=1:11, Y=Y*0.9; {body} end", "null")
    (note,) = found.notes
    assert (note.reason, note.operation) == (NEEDS, operation)
