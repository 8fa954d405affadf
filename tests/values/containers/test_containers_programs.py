"""The rules of text, cells, structs and objects, as programs see them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import MatlabError, Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.fixture
def check(session: Session) -> Callable[[str, str], object]:
    def evaluate(setup: str, expression: str) -> object:
        session.run("clear")
        session.run(setup)
        return session.eval(expression)

    return evaluate


#: Programs and an expression that is true after them.
HOLDS = {
    # class and shape of concatenations
    "char with number": ("", "isequal(['a' 66], 'aB') && ischar(['a' 66])"),
    "strings absorb": ("", 'isequal(["a" 1 \'b\'], ["a" "1" "b"])'),
    "cells join": ("c = {1};", "isequal([c {2}], {1, 2}) && isequal([c 2], {1, 2})"),
    "empty adds nothing to a cell": ("", "isequal([{} {1}], {1}) && isequal([{1} []], {1})"),
    "empty adds nothing to a struct": ("s.a = 1;", "isequal([[] s], s)"),
    "strings in a cell concatenation": ("", 'iscell([{1} "a"]) && numel([{1} "a"]) == 2'),
    # assignment converts to the class on the left
    "code into char": ("y = 'abc'; y(2) = 65;", "isequal(y, 'aAc') && ischar(y)"),
    "number into string": ('s = ["a" "b"]; s(2) = 5;', 's(2) == "5" && isstring(s)'),
    "char into number": ("x = [1 2]; x(2) = 'a';", "isequal(x, [1 97]) && isnumeric(x)"),
    "empty becomes struct": ("x = []; x(3).a = 1;", "isstruct(x) && isequal(size(x), [1 3])"),
    "empty text becomes struct": ("x = ''; x.a = 1;", "x.a == 1"),
    "empty becomes cell": ("x = []; x{2} = 1;", "iscell(x) && isempty(x{1})"),
    # comparison of text
    "chars compare by element": ("", "isequal('abc' == 'abd', [true true false])"),
    "strings compare whole": ("", '("abc" == "ab") == false && (\'abc\' == "abc")'),
    "plus joins": ("", '"a" + 1 == "a1" && 1 + "a" == "1a" && "x" + \'y\' == "xy"'),
    "isequal across text": ("", "isequal('a', 97) && isequal('abc', \"abc\")"),
    "utf-16 units": ("", "isequal(double('é'), 233) && numel('😀') == 2"),
    "size of text": ("", 'isempty(\'\') && ~isempty("") && isequal(size("abc"), [1 1])'),
    # struct rules
    "struct of a cell": ("", "isequal(size(struct('a', {1, 2})), [1 2])"),
    "struct of a cell in a cell": ("", "isequal(struct('a', {{1, 2}}).a, {1, 2})"),
    "struct of an empty cell": ("", "isequal(size(struct('a', {})), [0 0])"),
    "field order": ("s.b = 1; s.a = 2;", "isequal(fieldnames(s), {'b'; 'a'})"),
    "keywords as fields": ("s.end = 1; s.function = 2;", "s.end + s.function == 3"),
    "dynamic fields": ("n = 'key'; s.(n) = 4; s.([n '2']) = 5;", "s.key + s.key2 == 9"),
    "growth fills": ("s.a = 1; s(3).a = 3;", "isempty(s(2).a) && numel(s) == 3"),
    "new field": ("s = struct('a', {1, 2}); s(2).b = 7;", "isempty(s(1).b) && s(2).b == 7"),
    "element copy": ("s = struct('a', {1, 2}); t = s(1); t.a = 9;", "s(1).a == 1"),
    "appending": ("q = []; for k = 1:5, q(end + 1).v = k; end", "isequal([q.v], 1:5)"),
    "append a struct": ("q = struct('v', 1); q(end + 1) = struct('v', 2);", "q(2).v == 2"),
    "delete element": ("s = struct('a', {1, 2, 3}); s(2) = [];", "isequal([s.a], [1 3])"),
    # deletion in cells and text
    "delete cell": ("c = {1, 2, 3}; c(2) = [];", "isequal(c, {1, 3})"),
    "empty a cell": ("c = {1, 2, 3}; c{2} = [];", "numel(c) == 3 && isempty(c{2})"),
    "delete rows": ("c = {1, 2; 3, 4}; c(1, :) = [];", "isequal(c, {3, 4})"),
    "delete chars": ("s = 'a b c'; s(s == ' ') = [];", "isequal(s, 'abc')"),
    # the shape of the right side
    "fill": ("c = cell(2); c(:) = {7};", "isequal(c, {7, 7; 7, 7})"),
    "any orientation": ("c = cell(1, 3); c(:) = {1; 2; 3};", "isequal(c, {1, 2, 3})"),
    # comma lists
    "in a matrix": ("c = {1, 2, 3};", "isequal([c{:}], 1:3) && isequal([0 c{2:3}], [0 2 3])"),
    "in a cell": ("c = {1, 2};", "isequal({c{:}, 'x'}, {1, 2, 'x'})"),
    "in arguments": ("c = {2, 3};", "isequal(size(zeros(c{:})), [2 3])"),
    "empty list": ("c = {};", "isequal([1 c{:} 2], [1 2]) && isequal(max(3, c{:}), 3)"),
    "first of several": ("c = {4, 5}; x = c{:};", "x == 4"),
    "fields": ("s = struct('f', {1, 2, 3});", "isequal([s.f], 1:3) && isequal([s(2:3).f], [2 3])"),
    "deal to fields": ("s = struct('f', {1, 2}); [s.f] = deal(0);", "isequal([s.f], [0 0])"),
    "deal to elements": ("[c{1:3}] = deal(7, 8, 9);", "isequal(c, {7, 8, 9})"),
    "deal to some": ("s = struct('f', {1, 2, 3}); [s([1 3]).f] = deal(5, 6);", "s(3).f == 6"),
    "mixed targets": ("[c{1:2}, x, s.y] = deal(1, 2, 3, 4);", "isequal(c, {1, 2}) && s.y == 4"),
    # nested assignment
    "everything on the way": ("s(1).a.b{3}(2) = 5;", "isequal(s.a.b{3}, [0 5])"),
    "end on the way": ("s.a = {}; s.a{end + 1} = 1; s.a{end + 1}.b = 2;", "s.a{2}.b == 2"),
    "end of what is new": ("s = struct(); s.list(end + 1) = 3;", "isequal(s.list, 3)"),
    "nested copies": (
        "a.b.c = {1, {2}}; t = a; t.b.c{2}{1} = 9; u = t.b; u.c{1} = 0;",
        "a.b.c{2}{1} == 2 && t.b.c{1} == 1 && u.c{2}{1} == 9",
    ),
    "cells keep their own": ("x = 1:3; c = {x, x}; c{1}(1) = 9;", "c{2}(1) == 1 && x(1) == 1"),
    "delete inside": ("s.a = 1:5; s.a([1 5]) = [];", "isequal(s.a, 2:4)"),
    # containers.Map
    "maps are handles": ("m = containers.Map(); n = m; n('q') = 1;", "m.Count == 1"),
    "keys are sorted": ("m = containers.Map({'b', 'a'}, [2 1]);", "isequal(keys(m), {'a', 'b'})"),
    "method calls": ("m = containers.Map({'b'}, {5});", "m.isKey('b') && isequal(m.values, {5})"),
    "map of structs": ("m = containers.Map(); m('k') = struct('v', 3);", "m('k').v == 3"),
    "numeric keys": (
        "m = containers.Map('KeyType', 'double', 'ValueType', 'any'); m(2) = 'x'; m(1) = 'y';",
        "isequal(m.keys, {1, 2}) && m(2) == 'x'",
    ),
    "map through a function": (
        "m = containers.Map(); m('n') = 0; for k = 1:3, m('n') = m('n') + k; end",
        "m('n') == 6",
    ),
    # dictionary
    "dictionaries are values": (
        'd = dictionary("a", 1); e = d; e("b") = 2;',
        "numEntries(d) == 1 && e.numEntries == 2",
    ),
    "dictionary order": ('d = dictionary(["z" "a"], [1 2]);', 'isequal(keys(d), ["z"; "a"])'),
    "dictionary removal": ('d = dictionary(["z" "a"], [1 2]); d("z") = [];', '~isKey(d, "z")'),
    # handles
    "captured at creation": ("w = 2; f = @(x) x + w; w = 100;", "f(1) == 3"),
    "handles in cells": ("f = {@sin, @(x) x * 2};", "f{2}(4) == 8"),
    "handles in fields": ("s.f = @(x, y) x - y;", "s.f(5, 2) == 3"),
    "equal handles": ("f = @(x) x; g = f;", "isequal(f, g) && isequal(@sin, @sin)"),
}


@pytest.mark.parametrize("name", HOLDS)
def test_holds(name: str, check: Callable[[str, str], object]) -> None:
    assert check(*HOLDS[name]) is True


#: Programs that fail, with the identifier and a part of the message.
FAILS = {
    "unequal rows": (
        "['abc'; 'de']",
        "MATLAB:catenate:dimensionMismatch",
        "Dimensions of arrays being concatenated are not consistent.",
    ),
    "char sizes": ("'abc' == 'ab'", "MATLAB:sizeDimensionsMustMatch", "incompatible sizes"),
    "dissimilar structures": (
        "s = struct('a', 1); s(2) = struct('b', 2);",
        "MATLAB:heterogeneousStrucAssignment",
        "Subscripted assignment between dissimilar structures.",
    ),
    "missing field": ("s.a = 1; s.b", "MATLAB:nonExistentField", 'Unrecognized field name "b".'),
    "dot on a number": (
        "x = 1; x.f",
        "MATLAB:structRefFromNonStruct",
        "Dot indexing is not supported for variables of this type.",
    ),
    "brace on a number": (
        "x = 1; x{1}",
        "MATLAB:cellRefFromNonCell",
        "Brace indexing is not supported for variables of this type.",
    ),
    "beyond a cell": ("c = {1, 2}; c{3}", "MATLAB:badsubscript", "Index must not exceed 2."),
    "arithmetic on cells": (
        "c = {1}; c + 1",
        "MATLAB:UndefinedFunction",
        "Operator '+' is not supported for operands of type 'cell'.",
    ),
    "no key": (
        "m = containers.Map(); m('x')",
        "MATLAB:Containers:Map:NoKey",
        "The specified key is not present in this container.",
    ),
    "two levels": (
        "m = containers.Map(); m('x') = 1; m('x').y = 2;",
        "MATLAB:Containers:Map:OneLevelIndexing",
        "Only one level of indexing is supported by a containers.Map.",
    ),
    "cell into numbers": (
        "x = 1:3; x(2) = {1};",
        "MATLAB:invalidConversion",
        "Conversion to double from cell is not possible.",
    ),
    "number into cell": (
        "c = {1}; c(2) = 5;",
        "MATLAB:invalidConversion",
        "Conversion to cell from double is not possible.",
    ),
    "field of several": (
        "s = struct('a', {1, 2}); s.a = 5;",
        "MATLAB:index:expected_one_output_for_assignment",
        "Assigning to 2 elements using a simple assignment statement is not supported.",
    ),
    "several contents": (
        "c = {1, 2, 3}; c{[1 2]} = 5;",
        "MATLAB:index:expected_one_output_for_assignment",
        "Assigning to 2 elements using a simple assignment statement is not supported.",
    ),
    "through several elements": (
        "s = struct('a', {1, 2}); s.a.b = 5;",
        "MATLAB:index:expected_one_output_from_expression",
        "Expected one output from a curly brace or dot indexing expression",
    ),
    "delete an element inside": (
        "c = {1, 2; 3, 4}; c(1, 2) = [];",
        "MATLAB:subsdeldimmismatch",
        "A null assignment can have only one non-colon index.",
    ),
    "too many targets": (
        "c = {1}; [a, b] = c{:};",
        "MATLAB:needMoreRhsOutputs",
        "Insufficient number of outputs",
    ),
    "too many targets for an element": (
        "x = [1 2]; [a, b] = x(1:2);",
        "MATLAB:needMoreRhsOutputs",
        "Insufficient number of outputs",
    ),
    "too many targets for a function of an element": (
        "x = {1 2}; f = @(k) x(k); [a, b] = f(1:2);",
        "MATLAB:needMoreRhsOutputs",
        "Insufficient number of outputs",
    ),
}


@pytest.mark.parametrize("name", FAILS)
def test_fails(name: str, session: Session) -> None:
    program, identifier, message = FAILS[name]
    session.run("clear")
    with pytest.raises(MatlabError) as caught:
        session.run(program)
    assert caught.value.identifier == identifier
    assert message in caught.value.message


#: Statements that read a part of a struct and then write to it.
UPDATES = [
    "s.a.b(3) = s.a.b(3) + 1;",
    "n = numel(s.a.b); s.a.b(4) = n;",
    "x = s.a.b(end); s.a.b(5) = x;",
    "s.a.b(6) = sum(s.a.b) + s.a.b(1);",
    "if s.a.b(2) == 0, s.a.b(2) = 1; end",
    "s.c{1}(2) = s.c{1}(end) + numel(s.c{1});",
]


@pytest.mark.parametrize("update", UPDATES)
def test_updates_of_parts_are_in_place(update: str) -> None:
    session = Session()
    session.run("s.a.b = zeros(1, 1000); s.c = {zeros(1, 1000)};")

    def place() -> int:
        fields = session.interp.base().get("s").data
        if "s.c" in update:
            return int(fields["c"].data[0, 0].data.ctypes.data)
        return int(fields["a"].data["b"].data.ctypes.data)

    before = place()
    session.run(update)
    assert place() == before
