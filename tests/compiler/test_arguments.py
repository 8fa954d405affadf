"""Arguments blocks: sizes, classes, validation, defaults, names with values."""

from __future__ import annotations

from pathlib import Path

import pytest

from runmat_core import MatlabError, Session

# (id, arguments block and body, call, printed)
ARGUMENTS = [
    (
        "output",
        "function r = f(x) | arguments (Output) | r single | end | r = x; | end",
        "class(f(1))",
        "single",
    ),
    ("default", "function r = f(x, y) | arguments | x | y = x * 2 | end | r = y; end", "f(3)", "6"),
    ("class", "function r = f(x) | arguments | x int8 | end | r = class(x); end", "f(3)", "int8"),
    (
        "to-string",
        "function r = f(x) | arguments | x string | end | r = class(x); end",
        "f('a')",
        "string",
    ),
    (
        "row-from-column",
        "function r = f(x) | arguments | x (1,:) | end | r = mat2str(size(x)); end",
        "f([1;2])",
        "[1 2]",
    ),
    (
        "vector-of-nothing",
        "function r = f(x, y) | arguments | x (:,1) double = [] | y (1,:) string = [] | end | "
        "r = mat2str([size(x); size(y)]); end",
        "f([])",
        "[0 1;1 0]",
    ),
    (
        "scalar-expands",
        "function r = f(x) | arguments | x (1,3) | end | r = mat2str(x); end",
        "f(4)",
        "[4 4 4]",
    ),
    (
        "option",
        "function r = f(x, o) | arguments | x | o.Scale = 2 | end | r = x * o.Scale; end",
        "f(3) * 100 + f(3, Scale=5)",
        "615",
    ),
    (
        "option-as-pair",
        "function r = f(x, o) | arguments | x | o.Scale = 2 | end | r = x * o.Scale; end",
        "f(3, 'Scale', 7)",
        "21",
    ),
    (
        "option-behind-an-optional-input-left-out",
        "function r = f(x, y, o) | arguments | x | y = 'd' | o.Scale = 2 | end | "
        "r = [num2str([nargin x o.Scale]) y]; end",
        "[f(1, Scale=3) f(1, 'scale', 4) f(1, 'Scale') f(1, 'q', Scale=5)]",
        "1  1  3d1  1  4d2  1  2Scale2  1  5q",
    ),
    (
        "on-one-line",
        "function r = f(x, ~, o), arguments, x (1,1) double = 4, ~, o.N = 3, end, r = x + o.N; end",
        "[f(1, 2) f(1, 2, N=5)]",
        "46",
    ),
    (
        "option-abbreviated",
        "function r = f(o) | arguments | o.Scale = 2 | end | r = o.Scale; end",
        "f('sc', 7)",
        "7",
    ),
    (
        "option-without-default",
        "function r = f(o) | arguments | o.Scale | end | r = isfield(o, 'Scale'); end",
        "f() * 10 + f(Scale=1)",
        "1",
    ),
    (
        "repeating",
        "function r = f(x, y) | arguments (Repeating) | x | y | end | r = "
        "numel(x) * 10 + y{end}; end",
        "f(1, 2, 3, 4)",
        "24",
    ),
    (
        "validator",
        "function r = f(x) | arguments | x {mustBePositive} | end | r = x; end",
        "f(3)",
        "3",
    ),
    (
        "validator-of-its-own-name",
        "function r = f(o) | arguments | o.A {mustBeMember(o.A, [1 2])} = 1 | o.B "
        "{mustBeGreaterThan(o.B, o.A)} = 5 | end | r = 10 * o.A + o.B; end",
        "f() * 100 + f(A=2, B=3)",
        "1523",
    ),
    (
        "ignored",
        "function r = f(~, x) | arguments | ~ | x (1,1) double | end | r = x; end",
        "f({}, '1')",
        "49",
    ),
]

INVALID_ARGUMENTS = [
    (
        "output-size",
        "function r = f() | arguments (Output) | r (1,3) | end | r = [1 2]; | end",
        "f()",
        "Value must be of size 1×3 but was of size 1×2.",
    ),
    (
        "size",
        "function f(x) | arguments | x (1,3) | end | end",
        "f([1 2])",
        "Invalid argument at position 1. Value must be of size 1×3 but was of size 1×2.",
    ),
    (
        "validator",
        "function f(x) | arguments | x {mustBePositive} | end | end",
        "f(-1)",
        "Invalid argument at position 1. Value must be positive.",
    ),
    (
        "option",
        "function f(o) | arguments | o.A {mustBeMember(o.A, [1 2])} | end | end",
        "f(A=3)",
        "Invalid value for 'A' argument. Value must be a member of this set:",
    ),
    (
        "repeating-with-arguments",
        "function f(x) | arguments (Repeating) | x {mustBeGreaterThan(x, 0)} | end | end",
        "f(1, 3, -2)",
        "Invalid argument at position 3. Value must be greater than 0.",
    ),
    (
        "missing-behind-ignored",
        "function f(~, x) | arguments | ~ | x | end | end",
        "f(1)",
        "Not enough input arguments.",
    ),
    ("missing", "function f(x) | arguments | x | end | end", "f()", "Not enough input arguments."),
    (
        "class",
        "function f(x) | arguments | x double | end | end",
        "f({1})",
        "must be of type double",
    ),
]


@pytest.mark.parametrize(
    ("source", "call", "printed"), [c[1:] for c in ARGUMENTS], ids=[c[0] for c in ARGUMENTS]
)
def test_arguments_blocks(run, source: str, call: str, printed: str) -> None:
    show = "if ischar(r), fprintf('%s', r), else, fprintf('%d', r), end"
    assert run(f"r = {call}; {show}", f=source.replace(" | ", "\n")) == printed


@pytest.mark.parametrize(
    ("source", "call", "message"),
    [c[1:] for c in INVALID_ARGUMENTS],
    ids=[c[0] for c in INVALID_ARGUMENTS],
)
def test_invalid_arguments(failure, source: str, call: str, message: str) -> None:
    assert message in failure(call, f=source.replace(" | ", "\n"))


def test_validators_in_packages_get_the_value(tmp_path: Path) -> None:
    folder = tmp_path / "+pkg" / "+in"
    folder.mkdir(parents=True)
    (folder / "mustBeRow.m").write_text(
        "function mustBeRow(x)\nif size(x, 1) ~= 1, error('pkg:row', 'No row.'), end\nend\n"
    )
    block = "arguments\nx {mustBeNumeric, pkg.in.mustBeRow}\no.y {pkg.in.mustBeRow} = 1\nend"
    (tmp_path / "f.m").write_text(f"function r = f(x, o)\n{block}\nr = numel(x) + o.y;\nend\n")
    (tmp_path / "C.m").write_text("classdef C\nproperties\nx {pkg.in.mustBeRow} = 1\nend\nend\n")
    session = Session(cwd=tmp_path)
    session.run("r = f([1 2], y=3); c = C; c.x = [1 2]; ids = {};")
    assert session["r"] == 5
    for statement in ("f([1; 2])", "f(1, y=[1; 2])", "c.x = [1; 2];"):
        with pytest.raises(MatlabError, match="No row"):
            session.run(statement)


def test_properties_of_a_class_are_names(tmp_path: Path) -> None:
    (tmp_path / "Pen.m").write_text(
        "classdef Pen, properties, width (1,1) double {mustBePositive} = 1, color string, end\n"
        "properties (SetAccess = private), id = 1, end, properties (Constant), MOST = 5, end, end\n"
    )
    (tmp_path / "draw.m").write_text(
        "function r = draw(x, style, pen)\narguments\nx\nstyle = 'solid'\npen.?Pen\n"
        "pen.times = 2\nend\nr = {style, pen};\nend\n"
    )
    session = Session(cwd=tmp_path)
    session.run("a = draw(1); b = draw(1, color='red', times=3); c = draw(1, 'dots', 'width', 4);")
    assert session.eval("isequal(a, {'solid', struct('times', 2)})")
    assert session.eval("isequal(b, {'solid', struct('color', \"red\", 'times', 3)})")
    assert session.eval("isequal(c, {'dots', struct('width', 4, 'times', 2)})")
    for given, message in (("width=-1", "'width' argument. Value must be positive"),
                           ("'dots', id=2", "not a recognized parameter"),
                           ("'dots', MOST=2", "are 'times', 'width', 'color'")):  # fmt: skip
        with pytest.raises(MatlabError, match=message):
            session.run(f"draw(1, {given})")
