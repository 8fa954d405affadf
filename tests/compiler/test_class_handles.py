"""Handle classes: identity, lifetime, copies, events."""

from __future__ import annotations

from collections.abc import Callable

Run = Callable[..., str]

COUNTER = """
classdef Counter < handle
    properties
        n = 0
        log = {}
    end
    properties (SetObservable)
        level = 1
    end
    events
        Changed
    end
    methods
        function obj = Counter(n)
            if nargin, obj.n = n; end
        end
        function add(obj, k)
            obj.n = obj.n + k;
            obj.log{end + 1} = k;
            notify(obj, 'Changed');
        end
        function delete(obj)
            fprintf('gone %g\\n', obj.n);
        end
    end
end
"""


def test_copies_of_a_handle_are_one_object(run: Run) -> None:
    code = "a = Counter(1); b = a; b.add(4); b.log{2} = 7; disp([a.n, a.log{:}]), clear"
    assert run(code, Counter=COUNTER).split() == "5 4 7 gone 5".split()


def test_functions_change_what_they_are_given(run: Run) -> None:
    change = "function change(c)\nc.n = 100;\nend"
    code = "c = Counter; change(c); s.c = c; s.c.n = s.c.n + 1; k = {c}; k{1}.n = k{1}.n + 1;"
    shown = run(f"{code} disp(c.n), clear", Counter=COUNTER, change=change)
    assert shown.split() == "102 gone 102".split()


def test_handles_are_compared_by_identity(run: Run) -> None:
    code = """
        a = Counter(1); b = a; c = Counter(1);
        disp([a == b, a == c, a ~= c, isequal(a, c), eq(a, b)])
        h = [a b c]; disp(h == a), disp(isvalid(h)), disp(isa(a, 'handle'))
    """
    assert run(code, Counter=COUNTER).split()[:12] == "1 0 1 1 1 1 1 0 1 1 1 1".split()


def test_elements_of_arrays_of_handles_are_the_objects(run: Run) -> None:
    code = (
        "a = Counter(1); h = [a Counter(2)]; h(1).n = 9; g = h; g(2) = a; g(2).n = 3; disp([h.n])"
    )
    assert run(code, Counter=COUNTER).split()[:2] == "3 2".split()


def test_growing_arrays_of_handles_makes_objects_of_their_own(run: Run) -> None:
    code = "h(3) = Counter(5); h(1).n = 1; disp([h.n]), disp(h(1) == h(2))"
    assert run(code, Counter=COUNTER).split()[:4] == "1 0 5 0".split()


def test_delete_runs_the_destructor_once(run: Run) -> None:
    code = "a = Counter(1); b = a; delete(a); disp(isvalid(b)), delete(b); clear a b; disp('end')"
    assert run(code, Counter=COUNTER).split() == "gone 1 0 end".split()
    assert run("a = Counter(2); a.delete(); disp(isvalid(a))", Counter=COUNTER).split() == (
        "gone 2 0".split()
    )


def test_the_destructor_runs_with_the_last_handle(run: Run) -> None:
    code = "a = Counter(1); c = {a}; clear a; disp('held'), c = {}; disp('not held')"
    assert run(code, Counter=COUNTER).splitlines() == ["held", "gone 1", "not held"]
    local = "function local()\nc = Counter(7); disp('in')\nend"
    assert run("local(), disp('out')", Counter=COUNTER, local=local).splitlines() == (
        ["in", "gone 7", "out"]
    )


def test_an_error_in_a_destructor_is_a_warning(run: Run) -> None:
    bad = "classdef Bad < handle\nmethods\nfunction delete(o), error('my:id', 'no'); end\nend\nend"
    code = "b = Bad; clear b; [m, id] = lastwarn; disp(id), c = Bad; try, delete(c), catch e, "
    shown = run(f"{code} disp(e.identifier), end", Bad=bad)
    assert "MATLAB:class:DestructorError" in shown
    assert shown.rstrip().endswith("my:id")


def test_deleted_objects_have_nothing_to_tell(run: Run, failure: Run) -> None:
    plain = "classdef Plain < handle\nproperties\nx = 1\nend\nend"
    assert failure("p = Plain; delete(p), p.x", Plain=plain) == (
        "MATLAB:class:InvalidHandle|Invalid or deleted object."
    )
    assert failure("p = Plain; delete(p), p.x = 3;", Plain=plain).startswith(
        "MATLAB:class:InvalidHandle|"
    )
    assert run("p = Plain; delete(p), p", Plain=plain) == "\np = \n\n  handle to deleted Plain\n\n"


def test_listeners_are_told(run: Run) -> None:
    code = """
        c = Counter(1);
        l = addlistener(c, 'Changed', @(s, e) fprintf('%s: %g\\n', e.EventName, s.n));
        c.add(1); l.Enabled = false; c.add(1); l.Enabled = true; c.add(1);
        delete(l); c.add(1); disp(class(l)), clear
    """
    assert run(code, Counter=COUNTER).splitlines() == (
        ["Changed: 2", "Changed: 4", "event.listener", "gone 5"]
    )


def test_events_carry_data(run: Run) -> None:
    data = """
        classdef Data < event.EventData
            properties
                v
            end
            methods
                function d = Data(v), d.v = v; end
            end
        end
    """
    code = """
        c = Counter(1); addlistener(c, 'Changed', @(s, e) disp([e.v, e.Source == s]));
        notify(c, 'Changed', Data(42));
    """
    assert run(code, Counter=COUNTER, Data=data).split()[:2] == "42 1".split()


def test_observable_properties(run: Run) -> None:
    code = """
        c = Counter(1);
        addlistener(c, 'level', 'PreSet', @(s, e) fprintf('before %g\\n', e.AffectedObject.level));
        addlistener(c, 'level', 'PostSet', @(s, e) fprintf('%s %g\\n', s.Name, c.level));
        c.level = 5;
    """
    assert run(code, Counter=COUNTER).splitlines()[:2] == ["before 1", "level 5"]


def test_events_that_there_are_not(failure: Run) -> None:
    assert failure("c = Counter; addlistener(c, 'No', @disp);", Counter=COUNTER).startswith(
        "MATLAB:class:InvalidEvent|Event 'No' is not defined for class 'Counter'."
    )
    code = "c = Counter; addlistener(c, 'n', 'PostSet', @disp);"
    assert failure(code, Counter=COUNTER).startswith("MATLAB:class:nonSetObservableProp|")


def test_copyable_objects(run: Run) -> None:
    node = """
        classdef Node < matlab.mixin.Copyable
            properties
                v = 1
                next
            end
            properties (NonCopyable)
                id = 0
            end
            methods (Access = protected)
                function c = copyElement(obj)
                    c = copyElement@matlab.mixin.Copyable(obj);
                    if ~isempty(obj.next), c.next = copy(obj.next); end
                end
            end
        end
    """
    code = """
        a = Node; a.next = Node; a.next.v = 5; a.id = 3;
        b = copy(a); b.next.v = 6; b.v = 2;
        disp([a.v a.next.v b.v b.next.v b.id]), disp(a == b), c = copy([a b]); disp([c.v])
    """
    assert run(code, Node=node).split() == "1 5 2 6 0 0 1 2".split()


def test_handles_as_they_are_shown(run: Run) -> None:
    plain = "classdef Plain < handle\nproperties\nx = 1\nnext\nend\nend"
    code = "p = Plain; p.next = Plain; p"
    shown = "\np = \n\n  Plain with properties:\n\n       x: 1\n    next: [1×1 Plain]\n\n"
    assert run(code, Plain=plain) == shown


def test_set_and_get_by_name(run: Run) -> None:
    text = "classdef Named < matlab.mixin.SetGet\nproperties\nWidth = 1\nend\nend"
    code = "n = Named; set(n, 'width', 5); disp(get(n, 'Width')), disp(n.Width)"
    assert run(code, Named=text).split() == "5 5".split()


def test_loops_that_hold_objects_run_step_by_step(run: Run) -> None:
    code = """
        c = Counter(0); x = zeros(1, 2000);
        for k = 1:50, x = x + k; c.n = c.n + x(1); end
        fprintf('%g %g\\n', x(1), c.n);
    """
    assert run(code, Counter=COUNTER).splitlines()[0] == "1275 22100"


DYNAMIC = """
classdef Dyn < dynamicprops
    properties
        a = 1
    end
    methods
        function twice(o), end
    end
end
"""


def test_properties_that_are_added_to_one_object(run: Run, failure: Run) -> None:
    code = """
        x = Dyn; y = Dyn; p = addprop(x, 'b'); q = x; q.b = 7;
        disp([x.b isprop(x, 'b') isprop(y, 'b') numel(properties(q)) numel([x y])])
        p.GetMethod = @(o) 100 + o.b; disp(x.b)
        p.SetMethod = @setting; x.b = 3; disp(q.b)
        p.Hidden = true; disp(numel(properties(x)))
        delete(p); disp(isprop(x, 'b'))
        function setting(o, v), o.b = -v; end
    """
    assert run(code, Dyn=DYNAMIC).split() == "7 1 0 2 2 107 97 1 0".split()
    for name, identifier in [
        ("'a'", "MATLAB:class:PropertyInUse"),
        ("'twice'", "MATLAB:class:PropertyInUse"),
        ("'1a'", "MATLAB:class:InvalidPropertyName"),
    ]:
        assert failure(f"addprop(Dyn, {name})").startswith(f"{identifier}|")
    assert failure("x = Dyn; y = Dyn; addprop(x, 'b'); y.b").startswith("MATLAB:noSuchMethod")
    code = """
        x = Dyn; addprop(x, 'b'); m = metaclass(x);
        disp(numel(m.PropertyList)), disp(class(findprop(x, 'b'))), disp(class(findprop(x, 'a')))
        properties(x)
    """
    words = "1 meta.DynamicProperty meta.property Properties for class Dyn: a b"
    assert run(code, Dyn=DYNAMIC).split() == words.split()


def test_an_object_goes_though_something_listens_to_it(run: Run) -> None:
    code = """
        c = Counter(1); l = addlistener(c, 'Changed', @(s, e) disp(s.n)); c.add(2);
        disp(l.Source == c), clear c; disp(isempty(l.Source)); l = [];
        c = Counter(5); addlistener(c, 'Changed', @(s, e) disp(s.n)); c = 6; disp(7)
    """
    assert run(code, Counter=COUNTER).split() == "3 1 gone 3 1 gone 5 7".split()


def test_sets_of_objects(run: Run) -> None:
    """Handles by identity, members by declaration, others by the methods of their class."""
    box = "classdef Box < handle, properties, n, end, methods, function o = Box(n), if nargin, "
    box += "o.n = n; end, end, end, end"
    coin = """classdef Coin
    properties, n, end
    methods
        function o = Coin(n), if nargin, o.n = n; end, end
        function r = ne(a, b), r = reshape([a.n], size(a)) ~= reshape([b.n], size(b)); end
        function [s, i] = sort(a, varargin), [~, i] = sort([a.n], varargin{:}); s = a(i); end
    end
end"""
    level = "classdef Level, enumeration, Low, Mid, High, end, end"
    code = """
    a = Box(1); b = Box(1); c = Box(3); x = [a b a c b];
    [u, ia, ic] = unique(x, 'stable'); disp([[u.n] ia' ic' all(u(ic) == x)])
    [~, k] = setdiff(x, b); [~, m] = setxor([a b], [b c]); disp([k' m' numel(union([a b], [b c]))])
    [tf, at] = ismember([c a Box(1)], x); disp([tf at isequal(intersect([a b], [b c]), b)])
    disp([size(unique(Box.empty)) sum(sort(x) == sort(x([5 4 3 2 1]))) xor(a < b, b < a) a <= a])
    p = [Coin(3) Coin(1) Coin(3)]; u = unique(p); s = setdiff(p, Coin(1));
    disp([[u.n] s.n ismember([Coin(1) Coin(2)], p)])
    e = [Level.High Level.Low Level.High]; u = unique(e);
    disp([char(u(1)) char(u(2)) char(setdiff(e, Level.Low))])
    """
    wanted = "1 1 3 1 2 4 1 2 1 3 2 1 1 4 1 3 1 1 0 4 1 0 1 0 0 5 1 1 1 3 3 1 0 LowHighHigh"
    assert run(code, Box=box, Coin=coin, Level=level).split() == wanted.split()
