"""Accessors, checks of properties, overloaded operators and subscripts, enumerations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Run = Callable[..., str]

TEMPERATURE = """
classdef Temperature
    properties
        celsius (1,1) double {mustBeGreaterThan(celsius, -274)} = 20
        name (1,:) char = 'room'
        kind string {mustBeMember(kind, ["a", "b"])} = "a"
        list (1,:) cell
        count (1,1) int8
        day
    end
    properties (Dependent)
        kelvin
        twice
    end
    methods
        function v = get.kelvin(obj), v = obj.celsius + 273; end
        function obj = set.kelvin(obj, v), obj.celsius = v - 273; end
        function v = get.twice(obj), v = 2 * obj.celsius; end
        function obj = set.day(obj, v)
            if ~ischar(v), error('T:day', 'no day'); end
            obj.day = upper(v);
        end
        function v = get.day(obj), v = ['<' obj.day '>']; end
    end
end
"""


def test_dependent_properties(run: Run) -> None:
    code = "t = Temperature; disp(t.kelvin), t.kelvin = 300; disp(t.celsius), disp(t.twice)"
    assert run(code, Temperature=TEMPERATURE).split() == "293 27 54".split()
    assert "kelvin: 293" in run("t = Temperature", Temperature=TEMPERATURE)


def test_accessors_see_what_is_stored(run: Run) -> None:
    code = "t = Temperature; t.day = 'mon'; disp(t.day), t.day(1) = 'x'; disp(t.day)"
    assert run(code, Temperature=TEMPERATURE).split() == "<MON> <XMON>>".split()


def test_checks_of_properties_convert(run: Run) -> None:
    code = """
        t = Temperature; t.celsius = int8(5); t.name = "text"; t.count = 3;
        disp(class(t.celsius)), disp(class(t.name)), disp(class(t.count)), disp(class(t.list))
        disp(size(t.list)), disp(size(t.day))
    """
    assert run(code, Temperature=TEMPERATURE).split() == (
        "double char int8 cell 1 0 2 2".split()
    ) or run("t = Temperature; disp(size(t.list))", Temperature=TEMPERATURE).split() == ["1", "0"]


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("t.celsius = -300;", "MATLAB:validators:mustBeGreaterThan"),
        ("t.celsius = [1 2 3];", "MATLAB:validation:IncompatibleSize"),
        ("t.celsius = {};", "MATLAB:validation:UnableToConvert"),
        ("t.kind = 'c';", "MATLAB:validators:mustBeMember"),
        ("t.day = 5;", "T:day"),
        ("t.twice = 5;", "MATLAB:class:noSetMethod"),
    ],
)
def test_values_that_are_refused(failure: Run, code: str, identifier: str) -> None:
    told = failure(f"t = Temperature; {code}", Temperature=TEMPERATURE)
    assert told.partition("|")[0] == identifier
    if identifier.startswith("MATLAB:valid"):
        assert "|Error setting property '" in told
        assert "' of class 'Temperature'. Value must be" in told


def test_a_refused_value_leaves_the_object_alone(run: Run) -> None:
    code = "t = Temperature; try, t.celsius = -300; catch, end, disp(t.celsius)"
    assert run(code, Temperature=TEMPERATURE) == "    20\n\n"


def test_bad_default_values(failure: Run) -> None:
    bad = "classdef Bad\nproperties\nv (1,1) double {mustBePositive} = -1\nend\nend"
    assert failure("Bad()", Bad=bad) == (
        "MATLAB:validators:mustBePositive|Invalid default value for property 'v' in class 'Bad':\n"
        "Error setting property 'v' of class 'Bad'. Value must be positive."
    )


def test_properties_of_other_classes(run: Run, failure: Run) -> None:
    files = {
        "Part": "classdef Part\nproperties\nv\nend\nmethods\nfunction p = Part(v)\n"
        "if nargin, p.v = v; end\nend\nend\nend",
        "Whole": "classdef Whole\nproperties\none (1,1) Part\nmany Part\nend\nend",
    }
    code = "w = Whole; disp(class(w.one)), disp(class(w.many)), disp(size(w.many)), w.one = 7;"
    assert run(f"{code} disp(w.one.v), w.many(2).v = 3; disp(size(w.many))", **files).split() == (
        "Part Part 0 0 7 1 2".split()
    )
    assert failure("w = Whole; w.one = [Part Part];", **files).startswith(
        "MATLAB:validation:IncompatibleSize|"
    )


def test_properties_of_classes_that_are_there_already(run: Run) -> None:
    text = """
        classdef Kept
            properties
                when datetime
                map containers.Map
                fn function_handle = @(x) x + 1
            end
        end
    """
    code = "k = Kept; disp(class(k.when)), disp(size(k.when)), disp(class(k.map)), disp(k.fn(2))"
    assert run(code, Kept=text).split() == "datetime 0 0 containers.Map 3".split()


NUMBER = """
classdef Num
    properties
        v = 0
    end
    methods
        function o = Num(v), if nargin, o.v = v; end, end
        function r = plus(a, b), r = Num(value(a) + value(b)); end
        function r = uminus(a), r = Num(-a.v); end
        function r = mtimes(a, b), r = Num(value(a) * value(b)); end
        function r = eq(a, b), r = value(a) == value(b); end
        function r = lt(a, b), r = value(a) < value(b); end
        function r = not(a), r = ~a.v; end
        function r = and(a, b), r = value(a) && value(b); end
        function r = colon(a, b), r = value(a):value(b); end
        function r = ctranspose(a), r = Num(a.v'); end
        function r = horzcat(varargin)
            r = Num(cell2mat(cellfun(@value, varargin, 'UniformOutput', false)));
        end
        function r = double(a), r = a.v; end
        function r = length(a), r = 100 + length(a.v); end
        function disp(a), fprintf('<%g>\\n', a.v); end
        function r = end(a, k, n), r = numel(a.v); end
        function r = abs(a), r = Num(abs(a.v)); end
    end
end
function r = value(a)
if isa(a, 'Num'), r = a.v; else, r = a; end
end
"""


def test_operators(run: Run) -> None:
    code = """
        a = Num(2); b = Num(5);
        r = a + b; disp(r.v), r = 1 + b; disp(r.v), r = b + 1; disp(r.v), r = -a * b; disp(r.v)
        disp([a == 2, a == b, 1 < a, ~a, a & 1]), disp(a:b), r = plus(a, b); disp(r.v)
        r = [a b Num(7)]; disp(r.v), disp(double(a)), disp(length(a)), r = abs(-a); disp(r.v)
        f = @plus; r = f(a, 3); disp(r.v), c = a'; disp(c.v), r = sum([1 2 3]); disp(r)
    """
    shown = run(code, Num=NUMBER).split()
    assert shown == ("7 6 6 -10 1 0 1 0 1 2 3 4 5 7 2 5 7 2 101 2 5 2 6".split())


def test_display_is_overloaded(run: Run) -> None:
    assert run("a = Num(3)", Num=NUMBER) == "\na = \n\n<3>\n\n"
    assert run("disp(Num(3))", Num=NUMBER) == "<3>\n"
    loud = """
        classdef Loud
            methods
                function display(o), fprintf('%s!\\n', inputname(1)); end
            end
        end
    """
    assert run("x = Loud\nx;\nx", Loud=loud) == "x!\nx!\n"


def test_switch_and_if_ask_the_operators(run: Run) -> None:
    code = "switch Num(3), case 4, disp('four'), case Num(3), disp('three'), end"
    assert run(code, Num=NUMBER) == "three\n"


STORE = """
classdef Store
    properties
        d = struct()
        log = {}
    end
    methods
        function varargout = subsref(o, S)
            switch S(1).type
                case '()'
                    r = o.d.(S(1).subs{1});
                    if numel(S) > 1, r = subsref(r, S(2:end)); end
                    varargout{1} = r;
                case '{}'
                    varargout{1} = numel(S);
                case '.'
                    [varargout{1:nargout}] = builtin('subsref', o, S);
            end
        end
        function o = subsasgn(o, S, v)
            if strcmp(S(1).type, '()')
                if numel(S) > 1
                    v = subsasgn(o.d.(S(1).subs{1}), S(2:end), v);
                end
                o.d.(S(1).subs{1}) = v;
            else
                o = builtin('subsasgn', o, S, v);
            end
        end
        function [a, b] = two(o, k), a = k; b = o.d; end
        function n = numel(o), n = 1; end
    end
end
"""


def test_subscripts_are_overloaded(run: Run) -> None:
    code = """
        s = Store; s('a') = 5; s('b') = 6; disp(s('a') + s('b')), s.log = {1, 2}; disp(numel(s.log))
        disp(s.two(3)), [p, q] = s.two(4); disp(p), disp(q.a)
    """
    assert run(code, Store=STORE).split() == "11 2 3 4 5".split()


def test_overloaded_subscripts_see_the_whole_chain(run: Run) -> None:
    code = """
        s = Store; s('a') = struct('x', {{7, 8}}); disp(s('a').x{2}), disp(s{1})
        s('a').x{2} = 9; disp(s('a').x{2}), disp(s.d.a.x{1})
    """
    assert run(code, Store=STORE).split() == "8 1 9 7".split()


TRACE = """
classdef Trace < handle
    methods
        function r = subsref(o, S)
            for k = 1:numel(S)
                fprintf('%s%d', S(k).type, numel(S(k).subs));
            end
            fprintf(' ');
            r = 1;
        end
    end
end
"""


@pytest.mark.parametrize(
    ("chain", "steps"),
    [
        (".ab(1).cd", ".2()1.2"),
        (".ab(1:2).cd", ".2()1.2"),
        (".ab{2}.cd", ".2{}1.2"),
        (".ab(1).cd(2).ef", ".2()1.2()1.2"),
        ("{1}.ab(3, 4)", "{}1.2()2"),
        ("{:}{2}", "{}1{}1"),
        (".('ab').('cd')", ".2.2"),
        (".('ab')().cd(1)", ".2()0.2()1"),
        (".(char([97 98]))(2).cd", ".2()1.2"),
        ("(1).ab(2)", "()1.2()1"),
        ("(1:2).ab", "()1.2"),
    ],
)
def test_chains_are_handed_over_once(run: Run, chain: str, steps: str) -> None:
    assert run(f"t = Trace; x = t{chain};", Trace=TRACE) == f"{steps} "


LEVEL = """
classdef Level < int32
    enumeration
        Low (1), High (10)
    end
    methods
        function r = next(o), r = Level.High; end
    end
end
"""
COLOR = """
classdef Color
    properties
        code
    end
    enumeration
        Red ('r'), Green ('g')
    end
    methods
        function c = Color(code), c.code = code; end
        function tf = warm(c), tf = c == Color.Red; end
    end
end
"""


def test_enumerations(run: Run) -> None:
    code = """
        c = Color.Red; disp([c == Color.Red, c == Color.Green, c ~= 'Green', c.warm])
        disp(c.code), disp(char(c)), disp(class(c)), disp(isequal(c, Color('Red')))
        switch c, case Color.Green, disp('g'), case {'Red', 'Blue'}, disp('r'), end
        k = [Color.Red Color.Green]; disp(k == Color.Green), disp(string(k(2)))
        [m, s] = enumeration('Color'); disp(numel(m)), disp(s'), disp(isenum(c))
    """
    assert run(code, Color=COLOR).split() == (
        "1 0 1 1 r Red Color 1 r 0 1 Green 2 {'Red'} {'Green'} 1".split()
    )
    assert run("c = Color.Red", Color=COLOR) == "\nc = \n\n  Color enumeration\n\n    Red\n\n"


def test_enumerations_of_numbers(run: Run) -> None:
    code = "a = Level.Low; disp(double(a)), disp(a < Level.High), disp(a + 1), disp(int32(a) == 1)"
    assert run(
        f"{code}, disp(a == 1), disp(class(a)), disp(char(a.next))", Level=LEVEL
    ).split() == ("1 1 2 1 1 Level High".split())


def test_members_that_there_are_not(failure: Run) -> None:
    assert failure("Color('Blue')", Color=COLOR).startswith("MATLAB:class:InvalidEnum|")
    assert failure("Color.Blue", Color=COLOR).startswith(
        "MATLAB:subscripting:classHasNoPropertyOrMethod|"
    )


def test_arguments_blocks_in_methods(run: Run, failure: Run) -> None:
    text = """
        classdef Checked
            methods
                function r = scale(obj, k, opts)
                    arguments
                        obj (1,1) Checked
                        k (1,1) double = 3
                        opts.By (1,1) double = 1
                    end
                    r = k * opts.By;
                end
            end
        end
    """
    code = "c = Checked; disp([c.scale, c.scale(2), c.scale(2, By=5), scale(c, 4)])"
    assert run(code, Checked=text).split() == "3 2 10 4".split()
    assert failure("c = Checked; c.scale([1 2])", Checked=text).startswith(
        "MATLAB:validation:IncompatibleSize|Invalid argument at position 2."
    )
