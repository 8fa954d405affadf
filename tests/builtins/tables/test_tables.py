"""table: an expression over a few tables and what MATLAB gives for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session
from tests.builtins.tables.tables import SETUP

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

PIVOTED = "table({'a';'b';'a';'a'},[1;1;2;1],[10;20;30;5],'VariableNames',{'g','k','x'})"

PIVOTS = [
    ("size(pivot(", "Columns='g',Rows='k',DataVariable='x'))", "[2 3]"),
    ("table2array(pivot(", "Columns='g',Rows='k',DataVariable='x'))", "[1 15 20; 2 30 0]"),
    ("pivot(", "Rows='g').count", "[3; 1]"),
    ("pivot(", "Columns='k').Properties.VariableNames", "{'1', '2'}"),
    ("table2array(pivot(", "Columns={'g','k'}).a)", "[2 1]"),
    ("pivot(", "Columns={'g','k'},OutputFormat='flat',Method='percentage').b_1", "25"),
    ("pivot(", "Rows='g',DataVariable='x',Method='mean').mean_x", "[15; 20]"),
    ("pivot(", "Columns='k',Rows='g',DataVariable='x',Method='max').('2')", "[30; NaN]"),
    (
        "pivot(",
        "Rows='g',DataVariable='x',Method=@max,RowLabelPlacement='rownames').fun_x",
        "[30; 20]",
    ),
    ("pivot(", "Rows='x',RowsBinMethod=[0 10 40]).count", "[1; 3]"),
]

READING = [
    ("class(T)", "'table'"),
    ("size(T)", "[3 3]"),
    ("[height(T) width(T) numel(T)]", "[3 3 9]"),
    ("istable(T) && ~istable(1)", "true"),
    ("isempty(table())", "true"),
    ("T.Age", "[38; 43; 38]"),
    ("T.Age(2)", "43"),
    ("T.Name{3}", "'Cy'"),
    ("T.('Age')", "[38; 43; 38]"),
    ("T.(1)", "[38; 43; 38]"),
    ("T{2, 'Age'}", "43"),
    ("T{:, {'Age', 'X'}}", "[38 1.5; 43 NaN; 38 2]"),
    ("T{T.Age > 40, 2}", "{'Bob'}"),
    ("T(2:3, :).Name", "{'Bob'; 'Cy'}"),
    ("T(:, [3 1]).Properties.VariableNames", "{'X', 'Age'}"),
    ("T{end, end}", "2"),
    ("size(T(T.Age == 38, 'Name'))", "[2 1]"),
    ("size(T([], :))", "[0 3]"),
    ("R{'second', 'n'}", "2"),
    ("R{{'second', 'first'}, 'n'}", "[2; 1]"),
    ("R.Properties.RowNames", "{'first'; 'second'}"),
    ("R.Row", "{'first'; 'second'}"),
    ("R('second', :).s", '"b"'),
    ("T(:, vartype('numeric')).Properties.VariableNames", "{'Age', 'X'}"),
    ("table2array(T(:, {'Age', 'X'}))", "[38 1.5; 43 NaN; 38 2]"),
    ("table2cell(T(1, :))", "{38, 'Ann', 1.5}"),
    ("table2struct(T(2, :))", "struct('Age', 43, 'Name', 'Bob', 'X', NaN)"),
    ("table2struct(T(:, 1), 'ToScalar', true)", "struct('Age', [38; 43; 38])"),
    ("table2cell(cell2table({1 'a'; 2 'b'}))", "{1 'a'; 2 'b'}"),
    ("table2array(array2table([1 2; 3 4]))", "[1 2; 3 4]"),
    ("struct2table(struct('a', {1; 2})).a", "[1; 2]"),
    ("struct2table(struct('a', [1; 2], 'b', [3; 4])).b", "[3; 4]"),
    ("isequal(T, T([1 2 3], :))", "false"),
    ("isequaln(T, T([1 2 3], :))", "true"),
    ("isequal(R, R(:, [2 1]))", "false"),
    ("table([1; 2]).Properties.VariableNames", "{'Var1'}"),
    ("size(table('Size', [2 2], 'VariableTypes', {'double', 'string'}))", "[2 2]"),
    ("T.Properties.DimensionNames", "{'Row', 'Variables'}"),
    ("head(T, 1).Age", "38"),
    ("tail(T, 2).Age", "[43; 38]"),
]

EDITING = [
    ("addvars(A, [1; 2; 3; 4], 'NewVariableNames', 'z').z", "[1; 2; 3; 4]"),
    ("addvars(A, [1; 2; 3; 4], 'Before', 'x').Properties.VariableNames", "{'k', 'Var3', 'x'}"),
    ("removevars(T, {'Age', 'X'}).Properties.VariableNames", "{'Name'}"),
    ("renamevars(T, 'Age', 'Years').Properties.VariableNames", "{'Years', 'Name', 'X'}"),
    ("movevars(T, 'X', 'Before', 1).Properties.VariableNames", "{'X', 'Age', 'Name'}"),
    ("mergevars(A, {'k', 'x'}).Var1", "[1 10; 2 20; 3 30; 3 31]"),
    ("splitvars(table([1 2; 3 4])).Var1_2", "[2; 4]"),
    ("[A; A(1, :)].x", "[10; 20; 30; 31; 10]"),
    ("[A; {9, 90}].x", "[10; 20; 30; 31; 90]"),
    ("[A(1:3, :), B(:, 'y')].Properties.VariableNames", "{'k', 'x', 'y'}"),
    ("[A; A(:, [2 1])].k", "[1; 2; 3; 3; 1; 2; 3; 3]"),
    ("sortrows(T, 'Age').Name", "{'Ann'; 'Cy'; 'Bob'}"),
    ("sortrows(T, {'Age', 'X'}, {'ascend', 'descend'}).Name", "{'Cy'; 'Ann'; 'Bob'}"),
    ("sortrows(A, -1).x", "[30; 31; 20; 10]"),
    ("sortrows(T, 'X').Name", "{'Ann'; 'Cy'; 'Bob'}"),
    ("sortrows(R, 'Row', 'descend').n", "[2; 1]"),
    ("unique(A(:, 'k')).k", "[1; 2; 3]"),
    ("ismember(A(:, 'k'), B(:, 'k'))", "[true; false; true; true]"),
    ("intersect(A(:, 'k'), B(:, 'k')).k", "[1; 3]"),
    ("setdiff(A(:, 'k'), B(:, 'k')).k", "2"),
    ("ismissing(T)", "[false false false; false false true; false false false]"),
    ("rmmissing(T).Name", "{'Ann'; 'Cy'}"),
    ("fillmissing(T, 'constant', 0, 'DataVariables', 'X').X", "[1.5; 0; 2]"),
    ("fillmissing(T(:, 'X'), 'linear').X", "[1.5; 1.75; 2]"),
    ("standardizeMissing(T, 38).Age", "[NaN; 43; NaN]"),
    ("standardizeMissing(T, {'Bob'}).Name", "{'Ann'; ''; 'Cy'}"),
    ("rmmissing([1 NaN 3; 4 5 6])", "[4 5 6]"),
    ("rmmissing({'a', '', 'b'})", "{'a', 'b'}"),
    ("fillmissing([NaN 2 NaN NaN 5], 'nearest')", "[2 2 2 5 5]"),
    ("fillmissing([NaN 2 NaN; 1 NaN 3], 'next', 2)", "[2 2 NaN; 1 3 3]"),
    ('fillmissing(["a" missing], \'constant\', "z")', '["a" "z"]'),
    ("anymissing(T)", "true"),
]

JOINING = [
    ("innerjoin(A, B).x", "[10; 30; 31]"),
    ("innerjoin(A, B).y", "{'a'; 'c'; 'c'}"),
    ("innerjoin(A, B).Properties.VariableNames", "{'k', 'x', 'y'}"),
    ("outerjoin(A, B, 'MergeKeys', true).k", "[1; 2; 3; 3; 4]"),
    ("outerjoin(A, B, 'MergeKeys', true).x", "[10; 20; 30; 31; NaN]"),
    ("outerjoin(A, B).Properties.VariableNames", "{'k_A', 'x', 'k_B', 'y'}"),
    ("outerjoin(A, B, 'Type', 'left', 'MergeKeys', true).y", "{'a'; ''; 'c'; 'c'}"),
    ("join(A([1 3], :), B).y", "{'a'; 'c'}"),
    ("innerjoin(A, B, 'LeftKeys', 'k', 'RightKeys', 'k').x", "[10; 30; 31]"),
]

GROUPING = [
    ("findgroups([5 3 5])", "[2 1 2]"),
    ("findgroups({'b'; 'a'; ''})", "[2; 1; NaN]"),
    ("findgroups([1; 1; 2], {'x'; 'y'; 'x'})", "[1; 2; 3]"),
    ("splitapply(@mean, A.x, findgroups(A.k))", "[10; 20; 30.5]"),
    ("splitapply(@(k, x) sum(k .* x), A, findgroups(A.k))", "[10; 40; 183]"),
    ("splitapply(@(x) {x'}, A.x, findgroups(A.k))", "{10; 20; [30 31]}"),
    ("groupsummary(A, 'k').GroupCount", "[1; 1; 2]"),
    ("groupsummary(A, 'k', 'sum').sum_x", "[10; 20; 61]"),
    ("groupsummary(A, 'k', {'max', @(v) min(v)}).fun1_x", "[10; 20; 30]"),
    ("groupsummary(T, 'Age', 'mean', 'X').mean_X", "[1.75; NaN]"),
    ("groupcounts(A, 'k').Percent", "[25; 25; 50]"),
    ("groupcounts(A, 'x', [0 20 40]).GroupCount", "[1; 3]"),
    ("cellstr(groupcounts(A, 'x', [0 20 40]).disc_x)", "{'[0, 20)'; '[20, 40]'}"),
    ("groupsummary(A, 'x', [0 20 40], 'sum', 'k').sum_k", "[1; 8]"),
    ("groupsummary(A, 'x', [0 20 40], 'sum', 'IncludedEdge', 'right').sum_k", "[3; 6]"),
    (
        "cellstr(groupsummary(A, 'x', [0 20 40], 'IncludedEdge', 'right').disc_x)",
        "{'[0, 20]'; '(20, 40]'}",
    ),
    ("groupsummary(A, {'k', 'x'}, {'none', 1}).GroupCount", "[1; 1; 2]"),
    ("groupsummary(A, 'k', 'none', 'mean').mean_x", "[10; 20; 30.5]"),
    ("varfun(@sum, A, 'OutputFormat', 'uniform')", "[9 91]"),
    ("varfun(@mean, A).Properties.VariableNames", "{'mean_k', 'mean_x'}"),
    ("varfun(@(v) v(1), A).Properties.VariableNames", "{'Fun_k', 'Fun_x'}"),
    ("varfun(@mean, A, 'GroupingVariables', 'k').mean_x", "[10; 20; 30.5]"),
    ("varfun(@mean, T, 'InputVariables', @isnumeric).mean_Age", "mean([38 43 38])"),
    ("rowfun(@(k, x) k + x, A).Var3", "[11; 22; 33; 34]"),
    ("rowfun(@(k, x) k * x, A, 'OutputFormat', 'uniform')", "[10; 40; 90; 93]"),
    ("stack(A, {'k', 'x'}).k_x", "[1; 10; 2; 20; 3; 30; 3; 31]"),
    ("unstack(table([1; 1; 2], {'p'; 'q'; 'p'}, [7; 8; 9]), 'Var3', 'Var2').p", "[7; 9]"),
    ("unstack(table([1; 1; 2], {'p'; 'q'; 'p'}, [7; 8; 9]), 'Var3', 'Var2').q", "[8; NaN]"),
    ("rows2vars(A).Var2", "[2; 20]"),
]


@pytest.fixture
def session(session: Session) -> Session:
    session.run(SETUP)
    return session


@pytest.mark.parametrize(
    ("expression", "expected"), [*READING, *EDITING, *JOINING, *GROUPING], ids=lambda x: x
)
def test_expression(same: Same, session: Session, expression: str, expected: str) -> None:
    same(expression, expected)


FAILURES = [
    ("T(1)", "MATLAB:table:LinearSubscript"),
    ("T.Nope", "MATLAB:table:UnrecognizedVarName"),
    ("T(:, 'Nope')", "MATLAB:table:UnrecognizedVarName"),
    ("T(9, :)", "MATLAB:table:RowIndexOutOfRange"),
    ("T(:, 9)", "MATLAB:table:VarIndexOutOfRange"),
    ("R('third', :)", "MATLAB:table:UnrecognizedRowName"),
    ("T.Y = [1; 2];", "MATLAB:table:RowDimensionMismatch"),
    ("T{:, :}", "MATLAB:table:ExtractDataIncompatibleTypeError"),
    ("table([1; 2], [1; 2; 3])", "MATLAB:table:UnequalVarLengths"),
    ("table(1, 2, 'VariableNames', {'a', 'a'})", "MATLAB:table:DuplicateVarNames"),
    ("table(1, 2, 'VariableNames', {'a'})", "MATLAB:table:IncorrectNumberOfVarNames"),
    ("table([1; 2], 'RowNames', {'a'})", "MATLAB:table:IncorrectNumberOfRowNames"),
    ("[A; B]", "MATLAB:table:vertcat:UnequalVarNames"),
    ("[A, A]", "MATLAB:table:DuplicateVarNames"),
    ("[A, B]", "MATLAB:table:horzcat:SizeMismatch"),
    ("T(1, :) = 5;", "MATLAB:table:InvalidRHS"),
    ("T(1, 1) = [];", "MATLAB:table:InvalidEmptyAssignment"),
    ("A + 'x'", "MATLAB:UndefinedFunction"),
    ("join(B, A)", "MATLAB:table:join:DuplicateRightKeyVarValues"),
    ("groupsummary(A, 'k', 'day')", "MATLAB:groupsummary:GroupBinsTypeMismatch"),
    ("groupsummary(A, 'k', [3 2 1])", "MATLAB:discretize:expectedNondecreasing"),
    ("groupsummary(A, 'k', {1, 2})", "MATLAB:groupsummary:GroupBinsCellLength"),
    ("join(A, B)", "MATLAB:table:join:LeftKeyValueNotFound"),
    ("innerjoin(A, T)", "MATLAB:table:innerjoin:CantInferKey"),
    ("splitapply(@sum, [1; 2], [1; 3])", "MATLAB:splitapply:InvalidGroupNums"),
    ("varfun(@mean, 5)", "MATLAB:UndefinedFunction"),
    ("T.Properties.VariableNames = {'a'};", "MATLAB:table:IncorrectNumberOfVarNames"),
]


@pytest.mark.parametrize(("statement", "identifier"), FAILURES, ids=lambda x: x)
def test_failure(failing: Failing, session: Session, statement: str, identifier: str) -> None:
    failing(statement, identifier)


def test_writing(session: Session) -> None:
    session.run(
        """
        U = T;
        U.Age(2) = 44;
        U.Name{1} = 'Anna';
        U.New = U.Age * 2;
        U{3, 'X'} = 9;
        U(1, {'Age', 'X'}) = {1, 2};
        U(4, :) = {50, 'Di', 4, 100};
        U.X = [];
        U(2, :) = [];
        U.Properties.VariableNames{1} = 'Years';
        U(1, :).Years = 77;
        V = table();
        V.a = (1:3)';
        V.b(3) = 5;
        R{'second', 'n'} = 20;
        R('third', :) = {3, "c"};
        W = A;
        W(W.k == 3, :) = [];
        W.Properties.VariableDescriptions{2} = 'second';
        """
    )
    assert session.eval("isequal(U.Years, [77; 38; 50])")
    assert session.eval("isequal(U.New, [76; 76; 100])")
    assert session.eval("isequal(U.Name, {'Anna'; 'Cy'; 'Di'})")
    assert session.eval("isequal(T.Age, [38; 43; 38]) && width(T) == 3")
    assert session.eval("isequal(V.b, [0; 0; 5])")
    assert session.eval("isequal(R.n, [1; 20; 3]) && isequal(R.Row{3}, 'third')")
    assert session.eval("isequal(W.x, [10; 20])")
    assert session.eval("isequal(W.Properties.VariableDescriptions, {'', 'second'})")


def test_names_come_from_the_arguments(session: Session) -> None:
    session.run("alpha = [1; 2]; beta = [3; 4]; S = table(alpha, beta, alpha + 1);")
    assert session.eval("S.Properties.VariableNames") == ["alpha", "beta", "Var3"]


COMBINED = [
    ("combinations([1 9 8], [5; 7]).Var1'", "[1 1 9 9 8 8]"),
    ("combinations([1 9 8], [5; 7]).Var2'", "[5 7 5 7 5 7]"),
    ("combinations(single(1), {'x', 2}).Var2", "{'x'; 2}"),
    ("class(combinations(single(1), 'pq').Var1)", "'single'"),
    ("combinations(single(1), 'pq').Var2", "['p'; 'q']"),
    ("combinations([1 2; 3 4]).Var1'", "[1 3 2 4]"),
    ("size(combinations([], 1:3))", "[0 2]"),
    ("combinations(true, categorical({'r', 's'})).Var2", "categorical({'r'; 's'})"),
    ("combinations(1:2, struct('a', {4, 5})).Var2(3).a", "4"),
]


@pytest.mark.parametrize(("expression", "expected"), COMBINED)
def test_combinations(same: Same, expression: str, expected: str) -> None:
    same(expression, expected)


def test_names_of_combinations(session: Session, failing: Failing) -> None:
    session.run('alpha = 1:2; beta = ["u" "v"]; S = combinations(alpha, beta, alpha, 1);')
    assert session.eval("S.Properties.VariableNames") == ["alpha", "beta", "Var3", "Var4"]
    failing("combinations(table(1))", "MATLAB:combinations:InvalidInput")
    failing("combinations(1:1e6, 1:1e6, 1:1e6)", "MATLAB:array:SizeLimitExceeded")
    failing("combinations()", "MATLAB:minrhs")


@pytest.mark.parametrize(("head", "tail", "expected"), PIVOTS)
def test_pivots(head: str, tail: str, expected: str, same: Same) -> None:
    same(f"{head}{PIVOTED}, {tail}", expected)
