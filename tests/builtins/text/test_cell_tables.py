"""Cell, struct, map and dictionary builtins: an expression and what MATLAB gives for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

CELLS = [
    ("size(cell(3))", "[3 3]"),
    ("size(cell(2, 3))", "[2 3]"),
    ("size(cell([2 3 4]))", "[2 3 4]"),
    ("size(cell(0))", "[0 0]"),
    ("cell(1)", "{[]}"),
    ("iscell({})", "true"),
    ("num2cell([1 2; 3 4])", "{1 2; 3 4}"),
    ("num2cell('ab')", "{'a', 'b'}"),
    ("num2cell([1 2; 3 4], 1)", "{[1; 3] [2; 4]}"),
    ("num2cell([1 2; 3 4], 2)", "{[1 2]; [3 4]}"),
    ("cell2mat({1 2; 3 4})", "[1 2; 3 4]"),
    ("cell2mat({[1 2] 3; [4 5] 6})", "[1 2 3; 4 5 6]"),
    ("cell2mat({'ab', 'c'})", "'abc'"),
    ("cell2mat({})", "[]"),
    ("mat2cell([1 2 3 4], 1, [1 3])", "{1 [2 3 4]}"),
    ("mat2cell([1 2; 3 4; 5 6], [1 2])", "{[1 2]; [3 4; 5 6]}"),
]

APPLY = [
    ("cellfun(@(x) {x}, {1, 'a'; 3, @sin})", "{1, 'a'; 3, @sin}"),
    ("arrayfun(@(k) {1:k}, (1:2)')", "{1; [1 2]}"),
    ("arrayfun(@(k) struct('a', k), [3; 4])", "struct('a', {3; 4})"),
    ("arrayfun(@(k) datetime(k, 1, 2), [2001 2002])", "datetime([2001 2002], 1, 2)"),
    ("cellfun(@numel, {'a', 'bc', ''})", "[1 2 0]"),
    ("cellfun('isempty', {1, [], ''})", "[false true true]"),
    ("cellfun(@isempty, {})", "[]"),
    ("cellfun('length', {1, [1 2]})", "[1 2]"),
    ("cellfun('size', {ones(2, 3)}, 2)", "3"),
    ("cellfun('isclass', {1, 'a'}, 'char')", "[false true]"),
    ("cellfun('prodofsize', {ones(2, 3)})", "6"),
    ("cellfun(@upper, {'a'; 'b'}, 'UniformOutput', false)", "{'A'; 'B'}"),
    ("cellfun(@(a, b) a + b, {1, 2}, {3, 4})", "[4 6]"),
    ("cellfun(@(x) 'q', {1, 2})", "'qq'"),
    ("cellfun(@(x) int8(x), {1, 2})", "int8([1 2])"),
    ("cellfun(@(x) x > 1, {1, 2})", "[false true]"),
    ("cellfun(@(x) x * 1i, {1, 2})", "[1i 2i]"),
    ("class(cellfun(@(x) x, {}))", "'double'"),
    ("cellfun(@(x) ones(2) * ones(3), {1, 2}, 'ErrorHandler', @(e, x) e.index * 10)", "[10 20]"),
    (
        "cellfun(@(x) ones(2) * ones(3), {1}, 'ErrorHandler', @(e, x) e.identifier, "
        "'UniformOutput', false)",
        "{'MATLAB:innerdim'}",
    ),
    ("arrayfun(@(x) x^2, [1 2; 3 4])", "[1 4; 9 16]"),
    ("arrayfun(@(s) s.a, struct('a', {1, 2}))", "[1 2]"),
    ("arrayfun(@(x) {x}, 1:2, 'UniformOutput', false)", "{{1}, {2}}"),
    ("arrayfun(@(c) c, 'ab')", "'ab'"),
    ("arrayfun(@(a, b) a * b, [1 2], [3 4])", "[3 8]"),
    ("arrayfun(@(a, b) [a b], 'u', 'v', 'UniformOutput', false)", "{'uv'}"),
    ("arrayfun(@(a, b) b, 'u', 7)", "7"),
    ("arrayfun(@(f) f(2), @(x) x + 1)", "3"),
    ("arrayfun(@(x) x, int8([1 2]))", "int8([1 2])"),
    ("arrayfun(@(x) 1:x, 1:2, 'UniformOutput', 0)", "{1, [1 2]}"),
    ("structfun(@(x) x * 2, struct('a', 1, 'b', 2))", "[2; 4]"),
    ('cellfun(@ischar, ["a" "b"])', "[true true]"),
    ("bsxfun(@plus, [1 2], [10; 20])", "[11 12; 21 22]"),
    ("bsxfun(@(a, b) a .* b, 2, [1 2 3])", "[2 4 6]"),
    ("bsxfun(@eq, [1 2], [1; 2])", "[true false; false true]"),
    ("size(bsxfun(@minus, ones(2, 3, 4), ones(1, 3)))", "[2 3 4]"),
    (
        "structfun(@(x) x * 2, struct('a', 1, 'b', 2), 'UniformOutput', false)",
        "struct('a', 2, 'b', 4)",
    ),
]

STRUCTS = [
    ("size(struct('a', {1, 2}))", "[1 2]"),
    ("size(struct('a', {{1, 2}}))", "[1 1]"),
    ("size(struct('a', {}))", "[0 0]"),
    ("size(struct([]))", "[0 0]"),
    ("struct('a', 1, 'b', {{}})", "cell2struct({1; {}}, {'a'; 'b'})"),
    ("isstruct(struct())", "true"),
    ("fieldnames(struct('b', 1, 'a', 2))", "{'b'; 'a'}"),
    ("fieldnames(struct('a', {}))", "{'a'}"),
    ("isfield(struct('a', 1), 'a')", "true"),
    ("isfield(struct('a', 1), {'a', 'b', 1})", "[true false false]"),
    ("isfield(5, 'a')", "false"),
    ("rmfield(struct('a', 1, 'b', 2), 'a')", "struct('b', 2)"),
    ("fieldnames(orderfields(struct('c', 1, 'a', 2)))", "{'a'; 'c'}"),
    ("struct2cell(struct('a', 1, 'b', 'x'))", "{1; 'x'}"),
    ("size(struct2cell(struct('a', {1, 2, 3})))", "[1 1 3]"),
    ("cell2struct({1; 2}, {'a'; 'b'}, 1)", "struct('a', 1, 'b', 2)"),
    ("size(cell2struct({1 2; 3 4}, {'a', 'b'}, 2))", "[2 1]"),
    ("getfield(struct('a', struct('b', 5)), 'a', 'b')", "5"),
    ("setfield(struct('a', 1), 'a', 2)", "struct('a', 2)"),
    ("setfield(struct('a', [1 2 3]), 'a', {2}, 9)", "struct('a', [1 9 3])"),
    ("subsref([5 6 7], substruct('()', {2}))", "6"),
    ("subsref(struct('a', {{1, 2}}), substruct('.', 'a', '{}', {2}))", "2"),
    ("subsref(magic(3), substruct('()', {':', 1}))", "[8; 3; 4]"),
    ("subsasgn([1 2 3], substruct('()', {2}), 7)", "[1 7 3]"),
    ("subsasgn(struct('a', 1), substruct('.', 'b'), 2)", "struct('a', 1, 'b', 2)"),
]

MAPS = [
    ("keys(containers.Map({'b', 'a'}, [1 2]))", "{'a', 'b'}"),
    ("values(containers.Map({'b', 'a'}, {1, 2}))", "{2, 1}"),
    ("values(containers.Map({'b', 'a'}, {1, 2}), {'b'})", "{1}"),
    ("isKey(containers.Map('a', 1), {'a', 'b'})", "[true false]"),
    ("keys(containers.Map([3 1 2], {'c', 'a', 'b'}))", "{1, 2, 3}"),
    ("length(containers.Map({'a', 'b'}, [1 2]))", "2"),
    ("numel(containers.Map({'a', 'b'}, [1 2]))", "2"),
    ("isempty(containers.Map())", "true"),
    ("isobject(containers.Map())", "true"),
    ("class(containers.Map())", "'containers.Map'"),
    ('keys(dictionary(["a" "b"], [1 2]))', '["a"; "b"]'),
    ('values(dictionary(["a" "b"], [1 2]))', "[1; 2]"),
    ('isKey(dictionary("a", 1), ["a" "b"])', "[true false]"),
    ('lookup(dictionary("a", 1), "a")', "1"),
    ('numEntries(remove(dictionary(["a" "b"], [1 2]), "a"))', "1"),
    ("isConfigured(dictionary)", "false"),
]

TABLES = {"cells": CELLS, "apply": APPLY, "structs": STRUCTS, "maps": MAPS}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [pytest.param(*case, id=case[0]) for table in TABLES.values() for case in table],
)
def test_expression(same: Same, expression: str, expected: str) -> None:
    same(expression, expected)


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("cellfun(@(x) [x x], {1, 2})", "MATLAB:cellfun:NotAScalarOutput"),
        ("arrayfun(@(x) [x x], [1 2])", "MATLAB:arrayfun:NotAScalarOutput"),
        ("arrayfun(@(x) @sin, [1 2])", "MATLAB:arrayfun:NotAScalarOutput"),
        ("arrayfun(@(x) {}, [1 2])", "MATLAB:arrayfun:NotAScalarOutput"),
        ("cellfun(@numel, 5)", "MATLAB:cellfun:NotACell"),
        ("cellfun(@plus, {1, 2}, {1})", "MATLAB:cellfun:InputSizeMismatch"),
        ("cellfun(@(x) error('a:b', 'no'), {1})", "a:b"),
        ("bsxfun(@plus, [1 2], [1 2 3])", "MATLAB:bsxfun:arrayDimensionsMustMatch"),
        ("cell2mat({1, 'a'})", "MATLAB:cell2mat:MixedDataTypes"),
        ("cell2mat({{1}})", "MATLAB:cell2mat:UnsupportedCellContent"),
        ("cell2mat(3)", "MATLAB:cellRefFromNonCell"),
        ("struct('1a', 1)", "MATLAB:AddField:InvalidFieldName"),
        ("struct('a')", "MATLAB:StrRec:InvalidInput"),
        ("rmfield(struct('a', 1), 'b')", "MATLAB:rmfield:InvalidFieldname"),
        ("[a, b] = deal(1, 2, 3);", "MATLAB:deal:narginNargoutMismatch"),
        ("m = containers.Map(); m('x')", "MATLAB:Containers:Map:NoKey"),
        ("keys(5)", "MATLAB:UndefinedFunction"),
        ("remove(containers.Map('a', 1), 'b')", "MATLAB:Containers:Map:NoKey"),
    ],
)
def test_errors(failing: Failing, statement: str, identifier: str) -> None:
    failing(statement, identifier)


def test_not_a_scalar_says_where(session: Session) -> None:
    session.run("try, cellfun(@(x) 1:x, {1, 2}), catch e, t = e.message; end")
    assert session["t"].startswith("Non-scalar in Uniform output, at index 2, output 1.")


def test_cellfun_collects_several_outputs(session: Session) -> None:
    session.run("[m, i] = cellfun(@max, {[1 5 2], [7 3]});")
    session.run("ok = isequal(m, [5 7]) && isequal(i, [2 1]);")
    assert session["ok"] is True


def test_cellfun_without_outputs_prints(session: Session) -> None:
    session.run("t = evalc('cellfun(@(x) fprintf(''%d;'', x), {1, 2})');")
    assert session["t"] == "1;2;"


def test_contents_given_to_a_function_are_not_changed_by_it(session: Session) -> None:
    session.run("c = {[1 2], [3 4]}; f = @(v) setfield(struct('v', v), 'v', {1}, 9);")
    session.run("d = cellfun(f, c, 'UniformOutput', false); ok = isequal(c, {[1 2], [3 4]});")
    assert session["ok"] is True


def test_maps_are_handles_and_dictionaries_are_not(session: Session) -> None:
    session.run("m = containers.Map(); n = m; n('q') = 1; k = m.Count;")
    session.run('d = dictionary("a", 1); e = d; e("b") = 2; j = numEntries(d);')
    assert session["k"] == 1.0
    assert session["j"] == 1.0


def test_deal_fills_a_comma_list(session: Session) -> None:
    session.run("s = struct('f', {1, 2, 3}); [s.f] = deal(0); ok = isequal([s.f], [0 0 0]);")
    assert session["ok"] is True
