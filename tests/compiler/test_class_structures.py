"""Classes without classdef: constructors that make objects of structures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

Run = Callable[..., str]

FILES = {
    "@Money/Money.m": """
        function m = Money(a)
        if nargin == 0, a = 0; end
        if isa(a, 'Money'), m = a; return, end
        m.amount = a; m.log = {};
        superiorto('Tag');
        m = class(m, 'Money');
        m.log{end + 1} = 'made';
        """,
    "@Money/private/read.m": "function v = read(m, name)\nv = m.(name);",
    "@Money/get.m": "function v = get(m, name)\nv = read(m, name);",
    "@Money/set.m": """
        function m = set(m, varargin)
        for k = 1:2:numel(varargin), m.(varargin{k}) = varargin{k + 1}; end
        m.log{end + 1} = 'set';
        """,
    "@Money/plus.m": """
        function r = plus(a, b)
        if ~isa(a, 'Money') || ~isa(b, 'Money'), r = 'money'; return, end
        r = Money(a.amount + b.amount);
        """,
    "@Money/display.m": "function display(m)\nfprintf('<%g>\\n', m.amount);",
    "@Money/subsref.m": """
        function r = subsref(m, S)
        if strcmp(S(1).type, '()'), r = S(1).subs{1} * m.amount; else, r = S(1).subs; end
        """,
    "@Money/subsasgn.m": "function m = subsasgn(m, S, v)\nm.amount = m.amount + v;",
    "@Coin/Coin.m": """
        function c = Coin(a, metal)
        c.metal = metal;
        c = class(c, 'Coin', Money(a));
        """,
    "@Coin/told.m": "function t = told(c)\nt = sprintf('%s %g', c.metal, get(c.Money, 'amount'));",
    "@Place/Place.m": "function p = Place(k)\np = class(struct('k', k), 'Place');",
    "@Place/display.m": "function display(p)\nfprintf('%s at %g\\n', inputname(1), p.k);",
    "@Place/subsindex.m": "function k = subsindex(p)\nk = p.k;",
    "@Tag/Tag.m": "function t = Tag\nt = class(struct('x', 1), 'Tag');",
    "@Tag/plus.m": "function r = plus(a, b)\nr = 'tag';",
}


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).strip() + "\n")


def test_objects_and_their_methods(run: Run) -> None:
    code = """
        a = Money(1); b = a + a
        disp(a(5)), disp(a.any)
        a(1) = 3; a
        c = set(a, 'amount', 20); disp([get(a, 'amount') get(c, 'amount')])
        disp(strjoin(get(c, 'log'))), disp(isobject(a)), disp(isstruct(a)), disp(class(a))
    """
    assert run(code).split() == "<2> 5 any <4> 4 20 made set 1 0 Money".split()


def test_inherited_methods_see_the_fields_of_their_class(run: Run) -> None:
    code = """
        c = Coin(5, 'gold'); d = set(c, 'amount', 6);
        disp(told(c)), disp(told(d)), disp(class(d)), disp(isa(d, 'Money')), disp(get(d, 'log'))
        disp(any(strcmp(methods('Coin'), 'told')))
    """
    assert run(code).split() == "gold 5 gold 6 Coin 1 {'made'} {'set'} 1".split()


def test_objects_select_by_positions_from_zero(run: Run) -> None:
    code = """
        x = 10:20; x(Place(3)) = 5; c = {1, 'b'}; m = magic(4);
        disp([x(Place([0 3])) x(Place(uint8(1))) m(Place(1), 3)]), disp(c{Place(1)})
        first = Place(7)
    """
    assert run(code).split() == "10 5 11 10 b first at 7".split()


def test_ranks_decide_between_classes(run: Run) -> None:
    assert run("disp(Money(1) + Tag), disp(Tag + Money(1)), disp(Tag + 1)").split() == [
        "money",
        "money",
        "tag",
    ]


def test_what_is_shown_without_a_display_method(run: Run) -> None:
    assert run("t = Tag, u = [Tag Tag];, disp(size(u)), disp(isequal(Tag, Tag))").split() == (
        "t = Tag object: 1-by-1 1 2 1".split()
    )


@pytest.mark.parametrize(
    "code", ["t = Tag; t.x", "t = Tag; t.x = 2;", "class(struct('x', 1), 'Tag')"]
)
def test_only_the_class_sees_its_fields(failure: Run, code: str) -> None:
    assert failure(code).startswith("MATLAB:class:")
