"""How many calls of Python's a statement takes: what programs of small functions cost."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from runmat_core import Session
from runmat_core.values import FunctionHandle

_FUNCTION = """\
function countedNUMBER(count)
s = struct('a', 1, 'v', [1 2 3], 'n', struct('b', 2), 'h', @same);
s.c = {1, 2, struct('a', 3)};
name = 'abc'; c = {1, 2, 3}; names = {'x', 'abc', 'y'}; v = [1 2 3]; x = 2.5; k = 2;
handle = @same; captured = @(t) t + x; through = @(t) same(t);
for turn = 1:4
    count(turn);
    STATEMENT
end
count(5);
end
"""

_OTHERS = """\
function y = same(x)
y = x;
end
function y = optional(x, y)
if nargin < 2 || isempty(y)
    y = x;
end
end
function [a, b] = two(x)
a = x; b = x;
end
function n = rest(varargin)
n = numel(varargin);
end
function varargout = several(x)
varargout{1} = x; varargout{2} = 2;
end
"""

#: A statement and the most calls that it may take.
_MOST = {
    # calls
    "z = same(x);": 1,
    "z = optional(x);": 1,
    "[p, q] = two(x);": 1,
    "z = handle(x);": 1,
    "z = captured(x);": 1,
    "z = through(x);": 2,
    "z = s.h(x);": 4,
    "z = rest(x, 2);": 10,
    "[p, q] = several(x);": 22,
    "z = feval(handle, x);": 7,
    "h = @(t) t + x;": 4,
    "h = @plus;": 3,
    # structs, cells and text
    "z = s.a;": 2,
    "z = s.v;": 3,
    "z = s.n.b;": 3,
    "z = c{k};": 2,
    "z = s.c{3}.a;": 6,
    "z = {x, 2, x};": 3,
    "z = {1, 'a', [1 2]};": 2,
    "z = struct('a', 1, 'b', name);": 12,
    "s.a = 2;": 3,
    "z = name(1:2);": 25,
    "z = [name ',' name];": 2,
    "z = strcmp(name, 'abc');": 4,
    "z = isspace(name(2));": 10,
    "z = char(97);": 4,
    # small builtins
    "z = isempty(x);": 2,
    "z = numel(c);": 4,
    "z = isfield(s, 'a');": 4,
    "z = zeros(2, 1);": 4,
    "z = cell(1, 3);": 9,
    "z = any(v == 2);": 19,
    "z = sum(v);": 3,
    "z = max(v);": 17,
    "z = cellfun(@(t) t + 1, c);": 26,
    "z = arrayfun(@(t) t + 1, v);": 35,
    "z = cellfun('isempty', c);": 16,
    "try, error('a:b', 'no %d', 3); catch e, end": 48,
}


@pytest.mark.usefixtures("only_small_arrays")
def test_calls_that_statements_take(tmp_path: Path) -> None:
    functions = [
        _FUNCTION.replace("NUMBER", str(number)).replace("STATEMENT", statement)
        for number, statement in enumerate(_MOST)
    ]
    calls = [f"counted{number}(count);" for number in range(len(_MOST))]
    text = "\n".join(["function counted(count)", *calls, "end", *functions, _OTHERS])
    (tmp_path / "counted.m").write_text(text)
    found: list[list[str]] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        # a collection may fall into any statement, and test tools watch these
        if event == "call" and frame.f_code.co_name != "gc_callback":
            found[-1].append(frame.f_code.co_name)

    def count(nargout: int, turn: float) -> None:
        # what is counted is the statement once everything about it was met
        if turn == 4:
            found.append([])
        sys.setprofile(note if turn == 4 else None)

    session = Session(cwd=tmp_path)
    session.interp.variables["count"] = FunctionHandle(count, "count")
    try:
        session.run("counted(count)")
    finally:
        sys.setprofile(None)
    # the last call is that of `count`
    taken = {statement: names[:-1] for statement, names in zip(_MOST, found, strict=True)}
    assert {s: names for s, names in taken.items() if len(names) > _MOST[s]} == {}
