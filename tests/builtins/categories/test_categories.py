"""categorical: an expression and what MATLAB gives for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

CASES = [
    ("class(categorical({'a'}))", "'categorical'"),
    ("categories(categorical({'b', 'a', 'b'}))", "{'a'; 'b'}"),
    ("categories(categorical([3 1.5 3]))", "{'1.5'; '3'}"),
    ("categories(categorical([true false]))", "{'false'; 'true'}"),
    ("categories(categorical(datetime(2020, 1, [2 1])))", "{'01-Jan-2020'; '02-Jan-2020'}"),
    ("categories(categorical({'a', 'b'}, {'b', 'a'}))", "{'b'; 'a'}"),
    ("categories(categorical([1 2], [2 1], {'two', 'one'}))", "{'two'; 'one'}"),
    ("cellstr(categorical([1 2 3], [1 2 3], {'x', 'y', 'x'}))", "{'x', 'y', 'x'}"),
    ("isundefined(categorical([1 NaN 2], [1 3]))", "[false true true]"),
    ("isundefined(categorical({'a', '', ' '}))", "[false true true]"),
    ("double(categorical({'b', 'a', ''}))", "[2 1 NaN]"),
    ("string(categorical({'b', ''}))", '["b" missing]'),
    ("char(categorical({'b'}))", "'b'"),
    ("cellstr(categorical({'b', ''}))", "{'b', '<undefined>'}"),
    ("categorical({'a', 'b'}) == 'a'", "[true false]"),
    ("categorical({'a', 'b'}) == \"b\"", "[false true]"),
    ("'a' ~= categorical({'a', 'b', ''})", "[false true true]"),
    ("categorical({'a', 'b'}) == categorical({'a', 'c'})", "[true false]"),
    ("categorical({''}) == categorical({''})", "false"),
    ("categorical({'a', 'b'}) == {'a', 'x'}", "[true false]"),
    ("categorical([1 2 3], 'Ordinal', true) >= '2'", "[false true true]"),
    ("cellstr(max(categorical([1 3 2], 'Ordinal', true)))", "{'3'}"),
    ("cellstr(sort(categorical({'b', '', 'a'})))", "{'a', 'b', '<undefined>'}"),
    ("cellstr(unique(categorical({'b', 'a', 'b'})))", "{'a', 'b'}"),
    ("ismember(categorical({'b', 'a'}), {'a', 'z'})", "[false true]"),
    ("ismember('a', categorical({'b', 'a'}))", "true"),
    ("countcats(categorical({'b', 'a', 'b'}))", "[1 2]"),
    ("countcats(categorical({'b'; 'a'; 'b'}))", "[1; 2]"),
    ("iscategory(categorical({'b'}), {'a', 'b'})", "[false true]"),
    ("categories(addcats(categorical({'b'}), {'a'}, 'Before', 'b'))", "{'a'; 'b'}"),
    ("categories(removecats(categorical({'b', 'a'}), 'a'))", "{'b'}"),
    ("categories(removecats(categorical({'b'}, {'a', 'b'})))", "{'b'}"),
    ("cellstr(renamecats(categorical({'b', 'a'}), {'x', 'y'}))", "{'y', 'x'}"),
    ("double(reordercats(categorical({'b', 'a'}), [2 1]))", "[1 2]"),
    ("cellstr(mergecats(categorical({'a', 'b', 'c'}), {'a', 'c'}))", "{'a', 'b', 'a'}"),
    ("isundefined(setcats(categorical({'a', 'b'}), 'a'))", "[false true]"),
    ("cellstr([categorical({'b'}) categorical({'a'})])", "{'b', 'a'}"),
    ("categories([categorical({'b'}) categorical({'a'})])", "{'b'; 'a'}"),
    ("cellstr([categorical({'b'}), 'new'])", "{'b', 'new'}"),
    ("isequal(categorical({'a'}), categorical({'a'}, {'b', 'a'}))", "true"),
    ("isequal(categorical({'a'}), 'a')", "true"),
    ("isequal(categorical({''}), categorical({''}))", "false"),
    ("cellstr(mode(categorical({'b', 'a', 'b'})))", "{'b'}"),
    ("strcmp(categorical({'a', 'b'}), 'b')", "[false true]"),
    ("sprintf('%s,', categorical({'a', 'b'}))", "'a,b,'"),
    ("isordinal(categorical(1, 1, {'x'}, 'Ordinal', true))", "true"),
    ("isprotected(categorical(1, 'Ordinal', true))", "true"),
    ("size(categorical({'a', 'b'})')", "[2 1]"),
    ("cellstr(reshape(categorical([1 2; 3 4]), 1, 4))", "{'1', '3', '2', '4'}"),
    ("isa(categorical(1), 'categorical') && ~isnumeric(categorical(1))", "true"),
]


@pytest.mark.parametrize(("expression", "expected"), CASES, ids=lambda x: x)
def test_expression(same: Same, expression: str, expected: str) -> None:
    same(expression, expected)


FAILURES = [
    ("categorical({'a'}) < 'b'", "MATLAB:categorical:NotOrdinal"),
    ("categorical([1 2], 'Ordinal', true) < 'x'", "MATLAB:categorical:NotACategory"),
    ("max(categorical({'a'}))", "MATLAB:categorical:max:NotOrdinal"),
    (
        "c = categorical({'a'}, 'Protected', true); c(2) = 'b';",
        "MATLAB:categorical:ProtectedForAddition",
    ),
    ("c = categorical({'a'}); c(1) = 5;", "MATLAB:categorical:InvalidRHS"),
    ("categorical({'a'}) == 5", "MATLAB:categorical:InvalidComparisonTypes"),
    ("categorical({'a'}) + 1", "MATLAB:UndefinedFunction"),
    ("categorical(struct())", "MATLAB:categorical:UnableToCreateFromData"),
    ("categorical([1 2], [1 1])", "MATLAB:categorical:DuplicateValues"),
    ("categorical([1 2], [1 2], {'a'})", "MATLAB:categorical:NumCategoryNames"),
    ("categories(5)", "MATLAB:UndefinedFunction"),
    ("renamecats(categorical({'a'}), 'q', 'r')", "MATLAB:categorical:renamecats:InvalidNames"),
    ("addcats(categorical({'a'}), 'a')", "MATLAB:categorical:addcats:NamesExist"),
]


@pytest.mark.parametrize(("statement", "identifier"), FAILURES, ids=lambda x: x)
def test_failure(failing: Failing, statement: str, identifier: str) -> None:
    failing(statement, identifier)


def test_display(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.run("format compact\nc = categorical({'red', ''; 'blue', 'red'})")
    assert capsys.readouterr().out == (
        "c = \n  2×2 categorical array\n     red       <undefined> \n     blue      red         \n"
    )


def test_assignment_adds_categories_and_switch_compares(session: Session) -> None:
    session.run(
        """
        c = categorical({'a', 'b'});
        d = c;
        c(2) = 'z';
        c(4) = 'a';
        switch c(2), case {'q', 'z'}, found = 1; otherwise, found = 0; end
        """
    )
    assert session.eval("found") == 1
    assert session.eval("isequal(categories(c), {'a'; 'b'; 'z'})")
    assert session.eval("isequal(isundefined(c), [false false true false])")
    assert session.eval("isequal(categories(d), {'a'; 'b'})")
