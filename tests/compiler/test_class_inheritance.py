"""Inheritance, abstract and sealed classes, access."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., str]

FILES = {
    "Base": """
        classdef Base
            properties
                name = 'base'
            end
            properties (Access = protected)
                hidden = 5
            end
            properties (Access = private)
                secret = 6
            end
            properties (SetAccess = immutable)
                id
            end
            properties (GetAccess = public, SetAccess = protected)
                count = 0
            end
            methods
                function obj = Base(name, id)
                    if nargin > 0, obj.name = name; end
                    if nargin > 1, obj.id = id; end
                end
                function describe(obj)
                    fprintf('%s %s %d\\n', class(obj), obj.word(), obj.secret);
                end
                function w = word(obj), w = ['base ' obj.name]; end
                function obj = touch(obj), obj.count = obj.count + 1; end
                function obj = rename(obj), obj.id = 99; end
            end
            methods (Access = private)
                function r = own(obj), r = 1; end
            end
            methods (Access = protected)
                function r = kin(obj), r = 2; end
            end
        end
    """,
    "Derived": """
        classdef Derived < Base
            properties
                extra = 1
            end
            methods
                function self = Derived(varargin)
                    self@Base(varargin{:});
                    self.extra = self.hidden;
                end
                function w = word(obj), w = ['derived ' word@Base(obj)]; end
                function r = callKin(obj), r = obj.kin(); end
                function r = callOwn(obj), r = obj.own(); end
                function r = readSecret(obj), r = obj.secret; end
            end
        end
    """,
    "Heir": "classdef Heir < Derived\nend",
    "Shape": """
        classdef (Abstract) Shape
            properties (Abstract)
                sides
            end
            methods (Abstract)
                a = area(obj)
            end
            methods
                function show(obj), fprintf('%d sides, %g\\n', obj.sides, area(obj)); end
            end
        end
    """,
    "Square": """
        classdef Square < Shape
            properties
                sides = 4
                w = 3
            end
            methods
                function a = area(obj), a = obj.w ^ 2; end
            end
        end
    """,
    "Half": "classdef Half < Shape\nproperties\nsides = 4\nend\nend",
    "Left": """
        classdef Left
            properties
                a = 1
            end
            methods
                function r = l(o), r = o.a; end
            end
        end
    """,
    "Right": """
        classdef Right
            properties
                b = 2
            end
            methods
                function r = r(o), r = o.b; end
            end
        end
    """,
    "Both": "classdef Both < Left & Right\nend",
    "Common": "classdef Common\nmethods\nfunction r = kind(o), r = 'common'; end\nend\nend",
    "Plain": "classdef Plain < Common\nend",
    "Special": "classdef Special < Common\n"
    "methods\nfunction r = kind(o), r = 'special'; end\nend\nend",
    "Diamond": "classdef Diamond < Plain & Special\nend",
    "Low": "classdef Low\nmethods\nfunction r = plus(a, b), r = 'low'; end\nend\nend",
    "High": "classdef (InferiorClasses = {?Low}) High\nmethods\n"
    "function r = plus(a, b), r = 'high'; end\nend\nend",
    "Closed": "classdef (Sealed) Closed\nend",
    "Opened": "classdef Opened < Closed\nend",
    "Lost": "classdef Lost < NoSuchClass\nend",
    "Final": "classdef Final\nmethods (Sealed)\nfunction f(o), end\nend\nend",
    "Over": "classdef Over < Final\nmethods\nfunction f(o), end\nend\nend",
    "Friend": """
        classdef Friend
            properties (Access = ?Pal)
                v = 3
            end
        end
    """,
    "Pal": "classdef Pal\nmethods\nfunction r = look(o, f), r = f.v; end\nend\nend",
}


def test_a_subclass_constructs_its_superclass(run: Run) -> None:
    code = "d = Derived('x', 7); disp(d.name), disp([d.id, d.extra]), d.describe()"
    assert run(code, **FILES).split() == "x 7 5 Derived derived base x 6".split()


def test_a_superclass_that_is_not_called_is_constructed_without_arguments(run: Run) -> None:
    sub = """
        classdef Sub < Loud
            methods
                function obj = Sub(), disp('sub'), end
            end
        end
    """
    loud = "classdef Loud\nmethods\nfunction o = Loud(varargin), disp(nargin), end\nend\nend"
    assert run("s = Sub;", Sub=sub, Loud=loud).split() == ["0", "sub"]


def test_an_inherited_converter_leaves_the_constructor(run: Run, tmp_path: Path) -> None:
    """A method called as a subclass converts objects of the superclass, and no others."""
    (tmp_path / "Root.m").write_text(
        "classdef Root\nproperties\nv = 1\nend\nmethods\n"
        "function o = Root(v), if nargin, o.v = v; end, end\n"
        "function o = Leaf(r), o = Leaf(100 + r.v); end\n"
        "function o = Bare(r), o = Bare(200 + r.v); end\nend\nend"
    )
    (tmp_path / "Leaf.m").write_text(
        "classdef Leaf < Root\nproperties\nw = 0\nend\nmethods\n"
        "function o = Leaf(w), if nargin, o.w = w; end, end\nend\nend"
    )
    (tmp_path / "Bare.m").write_text("classdef Bare < Root\nend")
    assert run("x = Leaf(Root(2)); disp(x.w)").split() == ["102"]
    assert run("x = Leaf(Leaf(5)); disp(class(x.w)), disp(x.w.w)").split() == ["Leaf", "5"]
    assert run("f = @Leaf; x = f(Leaf(5)); disp(class(x.w))").split() == ["Leaf"]
    assert run("x = Bare(Root(2)); disp(x.v)").split() == ["202"]
    assert run("x = Bare(Bare(3)); disp(class(x.v))").split() == ["Bare"]
    assert run("x = Bare(4); y = x.Leaf(); disp(y.w)").split() == ["104"]


def test_a_class_without_constructor_hands_on_its_arguments(run: Run) -> None:
    assert run("h = Heir('q'); disp(h.name), disp(class(h)), disp(h.extra)", **FILES).split() == (
        "q Heir 5".split()
    )


def test_what_an_object_is(run: Run) -> None:
    code = (
        "h = Heir; disp([isa(h, 'Base') isa(h, 'Heir') isa(h, 'Square')]), disp(superclasses(h)')"
    )
    assert run(code, **FILES).split() == "1 1 0 {'Derived'} {'Base'}".split()


def test_several_superclasses(run: Run) -> None:
    code = "b = Both; disp([b.l, b.r, b.a, b.b]), disp(properties(b)')"
    assert run(code, **FILES).split() == "1 2 1 2 {'a'} {'b'}".split()


def test_what_one_superclass_overrides_wins_over_what_another_inherits(run: Run) -> None:
    assert run("d = Diamond; disp(d.kind())", **FILES) == "special\n"


def test_inferior_classes_leave_calls_to_the_class_that_names_them(run: Run) -> None:
    code = "a = Low; b = High; disp([a + b, ' ', b + a, ' ', a + a, ' ', a + 1, ' ', plus(a, b)])"
    assert run(code, **FILES) == "high high low low high\n"


def test_abstract_classes(run: Run, failure: Run) -> None:
    assert run("s = Square; s.show()", **FILES) == "4 sides, 9\n"
    for name in ("Shape", "Half"):
        assert failure(f"{name}()", **FILES) == (
            "MATLAB:class:abstract|Abstract classes cannot be instantiated. Class "
            f"'{name}' defines abstract methods and/or properties."
        )


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("b = Base; b.secret", "MATLAB:class:GetProhibited"),
        ("b = Base; b.hidden", "MATLAB:class:GetProhibited"),
        ("b = Base; b.count = 3;", "MATLAB:class:SetProhibited"),
        ("b = Base; b.hidden = 3;", "MATLAB:class:SetProhibited"),
        ("b = Base; b.id = 3;", "MATLAB:class:SetProhibited"),
        ("b = Base; b.rename();", "MATLAB:class:SetProhibited"),
        ("b = Base; b.own()", "MATLAB:class:MethodRestricted"),
        ("b = Base; kin(b)", "MATLAB:class:MethodRestricted"),
        ("d = Derived; d.callOwn()", "MATLAB:class:MethodRestricted"),
        ("d = Derived; d.readSecret()", "MATLAB:class:GetProhibited"),
        ("f = Friend; f.v", "MATLAB:class:GetProhibited"),
        ("Opened()", "MATLAB:class:sealedSuperclass"),
        ("Lost()", "MATLAB:class:InvalidSuperClass"),
        ("Over()", "MATLAB:class:sealedMethod"),
    ],
)
def test_what_is_not_allowed(failure: Run, code: str, identifier: str) -> None:
    assert failure(code, **FILES).partition("|")[0] == identifier


def test_what_is_allowed(run: Run) -> None:
    code = (
        "b = Base; b = b.touch(); disp(b.count), d = Derived; disp(d.callKin), disp(d.touch.count)"
    )
    assert run(code, **FILES).split() == "1 2 1".split()
    assert run("disp(look(Pal, Friend))", **FILES) == "     3\n\n"


def test_read_only_properties_say_so(failure: Run) -> None:
    assert failure("b = Base; b.count = 3;", **FILES) == (
        "MATLAB:class:SetProhibited|"
        "Unable to set the 'count' property of class 'Base' because it is read-only."
    )


def test_metaclasses(run: Run) -> None:
    code = """
        m = ?Derived; disp(m.Name), disp([m <= ?Base, ?Base < m, m == metaclass(Derived)])
        disp(m.SuperclassList(1).Name), disp(isempty(?NoSuchClass))
        s = ?Shape; disp(s.Abstract), disp({m.PropertyList.Name})
    """
    assert run(code, **FILES).split()[:7] == "Derived 1 0 1 Base 1 1".split()


def test_mixed_arrays(run: Run) -> None:
    files = {
        "Animal": "classdef Animal < matlab.mixin.Heterogeneous\nproperties\nn = 1\nend\nend",
        "Dog": "classdef Dog < Animal\nend",
        "Cat": "classdef Cat < Animal\nproperties\nm = 2\nend\nend",
    }
    code = "a = [Dog, Cat]; disp(class(a)), disp(class(a(2))), disp([a.n]), disp(a(2).m)"
    assert run(code, **files).split() == "Animal Cat 1 1 2".split()


def test_the_folder_of_a_class_and_packages(run: Run, tmp_path) -> None:
    def write(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    methods = "methods\nfunction o = Thing(v), o.v = v; end\nend\nmethods (Access = private)\n"
    write("@Thing/Thing.m", f"classdef Thing\nproperties\nv\nend\n{methods}r = twice(o)\nend\nend")
    write("@Thing/plus.m", "function r = plus(a, b)\nr = Thing(a.v + b.v + help1());\nend")
    write("@Thing/twice.m", "function r = twice(o)\nr = 2 * o.v;\nend")
    write("@Thing/four.m", "function r = four(o)\nr = 2 * twice(o);\nend")
    write("@Thing/size.m", "function r = size(o)\nr = size(zeros(1, o.v));\nend")
    write("@Thing/private/help1.m", "function r = help1()\nr = 100;\nend")
    write(
        "+pkg/Part.m",
        "classdef Part < pkg.sub.Root\nmethods (Static)\n"
        "function p = make(), p = pkg.Part; end\nend\nend",
    )
    write("+pkg/+sub/Root.m", "classdef Root\nproperties (Constant)\nK = 8\nend\nend")
    code = """
        t = Thing(3) + Thing(4); disp([t.v, t.four, size(Thing(5))])
        p = pkg.Part.make(); disp(class(p)), disp([pkg.Part.K, pkg.sub.Root.K, p.K])
        import pkg.Part; disp(class(Part)), q = Part.make; disp(q.K), q
    """
    shown = run(code)
    assert shown.split()[:10] == "107 428 1 5 pkg.Part 8 8 8 pkg.Part 8".split()
    assert "  Part with properties:" in shown
    with pytest.raises(Exception, match="Cannot access method 'twice'"):
        run("t = Thing(3); t.twice()")


def test_code_of_a_class_means_its_own_private_methods(run: Run) -> None:
    def source(head: str, method: str, says: str) -> str:
        public = f"methods\nfunction {method}(o), o.secret(); secret(o); end\nend\n"
        private = f"function secret(o), fprintf('{says} '); end\n"
        return f"classdef {head}\n{public}methods (Access = private)\n{private}end\nend"

    code = "d = Derived; d.go(); d.go_on(); b = Base; b.go(); try, d.secret(), catch, disp no, end"
    base = source("Base", "go", "base")
    printed = run(code, Base=base, Derived=source("Derived < Base", "go_on", "derived"))
    assert printed.split() == "base base derived derived base base no".split()
