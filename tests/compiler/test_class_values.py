"""Value classes: properties, constructors, methods, static members, arrays of objects."""

from __future__ import annotations

from collections.abc import Callable

Run = Callable[..., str]

POINT = """
classdef Point
    % POINT  A point in the plane.
    properties
        x = 1
        y = [1 2 3]
    end
    properties (Constant)
        Dim = 2
    end
    methods
        function obj = Point(a, b)
            if nargin > 0
                obj.x = a;
            end
            if nargin > 1
                obj.y = b;
            end
        end
        function r = scaled(obj, k)
            if nargin < 2, k = 10; end
            r = k * obj.x;
        end
        function obj = shift(obj, d)
            obj.x = obj.x + d;
        end
        function show(obj)
            fprintf('x=%g\\n', obj.x);
        end
        function [a, b] = both(obj)
            a = obj.x; b = nargout;
        end
        function varargout = counts(obj, varargin)
            varargout = {nargin, nargout};
        end
    end
    methods (Static)
        function p = origin()
            p = Point(0, 0);
        end
    end
end
"""


def test_a_class_without_constructor_takes_its_defaults(run: Run) -> None:
    plain = "classdef Plain\nproperties\na\nb = 'text'\nend\nend"
    assert run("p = Plain; disp(p.b), disp(size(p.a)), disp(class(Plain()))", Plain=plain) == (
        "text\n     0     0\n\nPlain\n"
    )


def test_default_values_are_evaluated_once(run: Run) -> None:
    files = {
        "Once": "classdef Once\nproperties\nv = tell()\nend\nend",
        "tell": "function v = tell()\ndisp('told'), v = 3;\nend",
    }
    assert run("a = Once; b = Once; disp(a.v + b.v)", **files) == "told\n     6\n\n"


def test_objects_are_values(run: Run) -> None:
    code = "p = Point(3); q = p; q.x = 4; q.y(2) = 9; disp([p.x p.y; q.x q.y])"
    assert run(code, Point=POINT).split() == "3 1 2 3 4 1 9 3".split()


def test_a_function_that_is_given_an_object_cannot_change_it(run: Run) -> None:
    change = "function change(p)\np.x = 100; p.y(1) = 100;\nend"
    assert run("p = Point(3); change(p); disp([p.x p.y])", Point=POINT, change=change).split() == (
        "3 1 2 3".split()
    )


def test_nested_parts_of_properties_are_assigned(run: Run) -> None:
    code = "p = Point; p.x = struct(); p.x(3).k = {1}; p.x(3).k{2}.z = 7; disp(p.x(3).k{2}.z)"
    assert run(code, Point=POINT) == "     7\n\n"
    code = "s.p = {Point}; s.p{1}.y(end+1) = 8; disp(s.p{1}.y)"
    assert run(code, Point=POINT).split() == "1 2 3 8".split()


def test_methods_are_called_in_both_ways(run: Run) -> None:
    code = "p = Point(3); disp([p.scaled, p.scaled(2), scaled(p), scaled(p, 2), p.shift(1).x])"
    assert run(code, Point=POINT).split() == "30 6 30 6 4".split()


def test_methods_without_outputs_are_statements(run: Run) -> None:
    assert run("p = Point(3); p.show; p.show(); show(p)", Point=POINT) == "x=3\n" * 3


def test_methods_know_how_many_arguments_they_have(run: Run) -> None:
    code = "p = Point(3); [a, b] = p.both; disp([a b]), [n, m] = p.counts(1, 2); disp([n m])"
    assert run(code, Point=POINT).split() == "3 2 3 2".split()


def test_too_many_outputs_of_a_method(failure: Run) -> None:
    assert failure("p = Point; v = p.show;", Point=POINT).startswith("MATLAB:TooManyOutputs|")


def test_static_methods_and_constants(run: Run) -> None:
    code = "disp([Point.Dim, Point.origin().x, Point().Dim]), f = @Point.origin; disp(f().x)"
    assert run(code, Point=POINT).split() == "2 0 2 0".split()


def test_handles_of_methods(run: Run) -> None:
    code = "p = Point(3); f = @p.scaled; disp(f(2)), g = @scaled; disp(g(p, 3))"
    assert run(code, Point=POINT).split() == "6 9".split()


def test_methods_come_before_functions_of_the_same_name(run: Run) -> None:
    shadow = """
        classdef Shadow
            methods
                function n = numel(obj), n = 42; end
                function r = helper(obj, k), r = k; end
            end
        end
    """
    helper = "function r = helper(varargin)\nr = 'function';\nend"
    code = "disp(numel(1:3)), s = Shadow; disp(numel(s)), disp(helper(s, 5)), disp(helper(5))"
    assert run(code, Shadow=shadow, helper=helper).split() == "3 42 5 function".split()


def test_a_call_that_is_made_again_after_a_class_came(run: Run) -> None:
    code = "for k = 1:2\nif k == 2, v = Loud; else, v = 1:3; end\ndisp(length(v))\nend"
    loud = "classdef Loud\nmethods\nfunction n = length(o), n = 99; end\nend\nend"
    assert run(code, Loud=loud).split() == "3 99".split()


def test_local_functions_of_a_class_file(run: Run) -> None:
    local = """
        classdef Local
            properties (Access = private)
                v = 5
            end
            methods
                function r = get(obj), r = twice(obj); end
            end
        end
        function r = twice(obj)
        r = 2 * obj.v;
        end
    """
    assert run("l = Local; disp(l.get())", Local=local) == "    10\n\n"


def test_arrays_of_objects_grow(run: Run) -> None:
    code = "o(3) = Point(9); disp([o.x]), o(2).x = 5; o(5).x = 6; disp([o.x]), disp(size(o))"
    assert run(code, Point=POINT).split() == "1 1 9 1 5 9 1 6 1 5".split()


def test_arrays_of_objects_are_joined_and_cut(run: Run) -> None:
    code = """
        o = [Point(1), Point(2); Point(3), Point(4)];
        disp(size(o)), disp([o(:, 2).x]), o(:, 1) = []; disp([o.x]), disp(numel([o; o]))
        for p = o', disp(p.x), end
        e = Point.empty; disp(isempty(e)), e = [e, Point(7)]; disp(e.x)
    """
    assert run(code, Point=POINT).split() == "2 2 2 4 2 4 4 2 4 1 7".split()


def test_values_are_dealt_to_arrays_of_objects(run: Run) -> None:
    code = "o = [Point Point]; [o.x] = deal(3, 4); disp([o.x]), [o(1:2).x] = deal(5); disp([o.x])"
    assert run(code, Point=POINT).split() == "3 4 5 5".split()


def test_objects_of_two_classes_make_no_array(failure: Run) -> None:
    other = "classdef Other\nend"
    assert failure("o = [Point, Other];", Point=POINT, Other=other).startswith(
        "MATLAB:UnableToConvert|"
    )


def test_what_is_known_of_objects(run: Run) -> None:
    code = """
        p = Point(3);
        disp([isa(p, 'Point'), isa(p, 'handle'), isobject(p), isstruct(p), ismethod(p, 'shift')])
        disp([isprop(p, 'x'), isprop(p, 'z'), isequal(p, Point(3)), isequal(p, Point(4))])
        disp(class(p)), disp(properties(p)'), disp(any(strcmp(methods('Point'), 'origin')))
    """
    shown = run(code, Point=POINT)
    assert shown.split()[:9] == "1 0 1 0 1 1 0 1 0".split()
    assert shown.split()[9:] == ["Point", "{'x'}", "{'y'}", "{'Dim'}", "1"]


def test_unknown_names(failure: Run) -> None:
    assert failure("p = Point; p.z", Point=POINT) == (
        "MATLAB:noSuchMethodOrField|Unrecognized method, property, or field 'z' for class 'Point'."
    )
    assert failure("p = Point; p.z = 1;", Point=POINT) == (
        "MATLAB:noPublicFieldForClass|Unrecognized property 'z' for class 'Point'."
    )
    for name in ("nothing", "shift(1)"):
        assert failure(f"Point.{name}", Point=POINT).startswith(
            "MATLAB:subscripting:classHasNoPropertyOrMethod|"
        )
    assert failure("Point.x", Point=POINT).startswith("MATLAB:class:InvalidStaticProperty|")


def test_what_is_shown(run: Run) -> None:
    shown = "\np = \n\n  Point with properties:\n\n      x: 3\n      y: [1 2 3]\n    Dim: 2\n\n"
    assert run("p = Point(3)", Point=POINT) == shown
    shown = "\no = \n\n  1×2 Point array with properties:\n\n    x\n    y\n    Dim\n\n"
    assert run("o = [Point Point]", Point=POINT) == shown
    shown = "\ns = \n\n  struct with fields:\n\n    p: [1×1 Point]\n\n"
    assert run("s.p = Point", Point=POINT) == shown
    nothing = "classdef Nothing\nend"
    assert run("n = Nothing", Nothing=nothing) == "\nn = \n\n  Nothing with no properties.\n\n"


def test_an_error_in_a_method_names_file_and_line(run: Run) -> None:
    bad = "classdef Bad\nmethods\nfunction go(obj)\n\nerror('my:id', 'no');\nend\nend\nend"
    code = "b = Bad; try, b.go(), catch e, disp(e.stack(1).name), disp(e.stack(1).line), end"
    assert run(code, Bad=bad).split() == "Bad/go 5".split()


def test_a_class_without_constructor_takes_no_arguments(failure: Run) -> None:
    assert failure("Plain(1)", Plain="classdef Plain\nend").startswith("MATLAB:TooManyInputs|")


def test_eval_in_methods_and_constructors(run: Run) -> None:
    text = """
        classdef Text
            properties (Access = private)
                v = 1
            end
            methods
                function obj = Text(), eval('obj.v = 5;'); end
                function r = read(obj), r = eval('obj.v'); end
            end
        end
    """
    assert run("t = Text; disp(t.read())", Text=text) == "     5\n\n"


def test_cellfun_over_methods(run: Run) -> None:
    code = "c = {Point(1), Point(2)}; disp(cellfun(@(p) p.scaled, c)), disp(cellfun(@scaled, c))"
    assert run(code, Point=POINT).split() == "10 20 10 20".split()
    code = "disp(arrayfun(@(p) p.x, [Point(3) Point(4)]))"
    assert run(code, Point=POINT).split() == "3 4".split()
