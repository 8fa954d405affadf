"""fillmissing: methods, ends, gaps that are too long, windows, nearest rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

CASES = [
    ("fillmissing([NaN 1 NaN 3 NaN], 'linear')", "[0 1 2 3 4]"),
    ("fillmissing([NaN 1 NaN 3 NaN], 'linear', 'EndValues', 'none')", "[NaN 1 2 3 NaN]"),
    ("fillmissing([NaN 1 NaN 3 NaN], 'linear', 'EndValues', 'previous')", "[NaN 1 2 3 3]"),
    ("fillmissing([NaN 1 NaN 3 NaN], 'previous', 'EndValues', 'linear')", "[0 1 1 3 4]"),
    ("fillmissing([NaN 1 NaN 3 NaN], 'next', 'EndValues', 7)", "[7 1 3 3 7]"),
    ("fillmissing([NaN 1 NaN], 'linear')", "[NaN 1 NaN]"),
    ("fillmissing([NaN NaN], 'movmean', 3)", "[NaN NaN]"),
    # cubics go through cubics
    ("fillmissing([0 1 8 NaN 64 125], 'spline')", "[0 1 8 27 64 125]"),
    ("round(fillmissing([1 8 NaN 64 125 NaN], 'spline'), 8)", "[1 8 27 64 125 216]"),
    ("fillmissing([0 0 NaN 1 1], 'pchip')", "[0 0 0.5 1 1]"),
    ("fillmissing([1 NaN 3 7], 'makima')", "interp1([1 3 4], [1 3 7], 1:4, 'makima')"),
    # windows: those of movmean and movmedian without what is missing
    ("fillmissing([1 NaN 3 NaN NaN 6], 'movmean', 3)", "[1 2 3 3 6 6]"),
    ("fillmissing([1 NaN 3 NaN NaN 6], 'movmean', 2)", "[1 1 3 3 NaN 6]"),
    ("fillmissing([1 NaN 3 NaN NaN 6], 'movmedian', [1 2])", "[1 2 3 4.5 6 6]"),
    ("fillmissing([1 NaN 5], 'movmean', 4, 'SamplePoints', [0 1 10])", "[1 1 5]"),
    # a function sees columns of what is known around each gap
    ("fillmissing([1 NaN 3 7], @(x, t, q) sum(x)*t(1) + 0*q, 2)", "[1 4 3 7]"),
    ("fillmissing([1 NaN NaN 4 9], @(x, t, q) interp1(t, x, q), [1 1])", "[1 2 3 4 9]"),
    ("fillmissing([1 NaN 3], @(x, t, q) 0*q + q, 2, 'SamplePoints', [5 7 8])", "[1 7 3]"),
    # gaps are as long as from the element before them to the one after them
    ("fillmissing([25 NaN NaN 100], 'linear', 'MaxGap', 2)", "[25 NaN NaN 100]"),
    ("fillmissing([25 NaN NaN 100], 'linear', 'MaxGap', 3)", "[25 50 75 100]"),
    ("fillmissing([1 NaN NaN], 'previous', 'MaxGap', 1)", "[1 NaN NaN]"),
    ("fillmissing([1 NaN], 'previous', 'MaxGap', 1)", "[1 1]"),
    ("fillmissing([1 NaN 3], 'nearest', 'MaxGap', 5, 'SamplePoints', [0 1 10])", "[1 NaN 3]"),
    # the nearest row that has the column, by the columns that both have
    ("fillmissing([1 NaN 3; 1 2 3.1; 4 5 6], 'knn')", "[1 2 3; 1 2 3.1; 4 5 6]"),
    ("fillmissing([1 NaN; 1.1 2; 4 6; 0.9 4], 'knn', 2)", "[1 3; 1.1 2; 4 6; 0.9 4]"),
    (
        "fillmissing([0 0 NaN; .9 0 1; 0 2 2; 1 9e3 3; -1 -9e3 4], 'knn', 1, 'Dist', 'seuclidean')",
        "[0 0 2; 0.9 0 1; 0 2 2; 1 9e3 3; -1 -9e3 4]",
    ),
    (
        "fillmissing([0 0 NaN; 0.9 0 1; 0 2 2; 1 300 3; -1 -300 4], 'knn')",
        "[0 0 1; 0.9 0 1; 0 2 2; 1 300 3; -1 -300 4]",
    ),
    ("fillmissing([NaN 1; NaN 2], 'knn')", "[NaN 1; NaN 2]"),
    # arrays and their dimensions
    ("fillmissing([1 NaN; NaN 2], 'constant', [8 9])", "[1 9; 8 2]"),
    ("fillmissing([1 NaN; NaN 2], 'constant', [8 9], 2)", "[1 8; 9 2]"),
    ("fillmissing([1 NaN 3; NaN 5 6; 7 8 9], 'linear', 2)", "[1 2 3; 4 5 6; 7 8 9]"),
    ("fillmissing(cat(3, 1, NaN, 3), 'linear', 3)", "cat(3, 1, 2, 3)"),
    ("fillmissing(single([1 NaN 3]), 'linear')", "single([1 2 3])"),
    ("fillmissing([1 2 3], 'constant', 9, 'MissingLocations', [false true false])", "[1 9 3]"),
    ("fillmissing([1 50 3], 'linear', 'MissingLocations', [false true false])", "[1 2 3]"),
    ("fillmissing(int8([1 5 3]), 'previous', 'MissingLocations', [1 5 3] > 4)", "int8([1 1 3])"),
    ("fillmissing({'a', '', 'c'}, 'next')", "{'a', 'c', 'c'}"),
    ("fillmissing([missing \"b\"], 'previous', 'EndValues', \"z\")", '["z" "b"]'),
    ("fillmissing(days([1 NaN 3]), 'linear')", "days([1 2 3])"),
    ("fillmissing(datetime(2020, 1, [1 NaN 3]), 'linear')", "datetime(2020, 1, 1:3)"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_what_is_filled(expression: str, expected: str, same: Same) -> None:
    same(expression, expected)


def test_marks_of_what_was_filled(session: Session, same: Same) -> None:
    session.run("[~, tf] = fillmissing([NaN 1 NaN 3 NaN], 'previous');")
    same("tf", "logical([0 0 1 0 1])")
    session.run("[~, tf] = fillmissing([1 NaN NaN NaN 5 NaN 7], 'linear', 'MaxGap', 2);")
    same("tf", "logical([0 0 0 0 0 1 0])")
    session.run("[~, tf] = fillmissing([1 2], 'linear');")
    same("tf", "[false false]")


def test_tables(session: Session, same: Same) -> None:
    session.run("T = table([1; NaN; 3], [4; 5; NaN], {'x'; ''; 'z'});")
    session.run("[F, tf] = fillmissing(T, 'linear', 'DataVariables', {'Var1', 'Var2'});")
    same("F{:, 1:2}", "[1 4; 2 5; 3 6]")
    same("tf", "logical([0 0 0; 1 0 0; 0 1 0])")
    same("fillmissing(T, 'previous', 'EndValues', 'nearest').Var2", "[4; 5; 5]")
    session.run("K = fillmissing(T(:, 1:2), 'knn');")
    session.run("G = fillmissing(T, 'movmean', 3, 'DataVariables', 1, 'ReplaceValues', false);")
    same("K{:, :}", "[1 4; 1 5; 3 4]")
    same("G.Var1_filled", "[1; 2; 3]")
    same("isnan(G.Var1)", "[false; true; false]")
    session.run("D = timetable(datetime(2020, 1, [1; 2; 11]), [1; NaN; 11]);")
    same("fillmissing(D, 'linear').Var1", "[1; 2; 11]")
    same("isnan(fillmissing(D, 'linear', 'MaxGap', days(9)).Var1(2))", "true")
    same("fillmissing(D, 'linear', 'MaxGap', days(10)).Var1", "[1; 2; 11]")
    same("fillmissing(D, 'movmean', days(4)).Var1", "[1; 1; 11]")
    session.run("D = fillmissing(D, @(x, t, q) day(q), days(4));")
    same("D.Var1", "[1; 2; 11]")


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("fillmissing(1)", "MATLAB:minrhs"),
        ("fillmissing(NaN, 'lineal')", "MATLAB:fillmissing:unrecognizedStringChoice"),
        ("fillmissing(NaN, 'constant')", "MATLAB:fillmissing:ConstantInvalid"),
        ("fillmissing(NaN, 'movmean')", "MATLAB:fillmissing:MissingWindow"),
        ("fillmissing(NaN, 'movmean', 0)", "MATLAB:fillmissing:WindowInvalid"),
        ("fillmissing(NaN, 'movmean', [1 2 3])", "MATLAB:fillmissing:WindowInvalid"),
        ("fillmissing(NaN, @(x, t, q) q)", "MATLAB:fillmissing:FunctionWindow"),
        ("fillmissing([1 NaN NaN], @(x, t, q) 1:3, 3)", "MATLAB:fillmissing:FunctionOutput"),
        ("fillmissing(NaN, 'knn', 0)", "MATLAB:fillmissing:InvalidK"),
        ("fillmissing(NaN(2, 2, 2), 'knn')", "MATLAB:fillmissing:KNNInput"),
        ("fillmissing(table({''}), 'knn')", "MATLAB:fillmissing:KNNInput"),
        ("fillmissing(NaN, 'linear', 'MaxGap', -1)", "MATLAB:fillmissing:MaxGapInvalid"),
        ("fillmissing(NaN, 'linear', 'EndValue')", "MATLAB:fillmissing:ArgNameValueMismatch"),
        ("fillmissing(NaN, 'linear', 'EndValues', 'nearly')",
         "MATLAB:fillmissing:unrecognizedStringChoice"),
        ("fillmissing(NaN, 'linear', 'MissingLocations', 1)",
         "MATLAB:fillmissing:MissingLocationsInvalid"),
        ("fillmissing([1 NaN], 'linear', 'SamplePoints', [2 1])",
         "MATLAB:fillmissing:SamplePointsSortedUnique"),
        ("fillmissing({''}, 'linear')", "MATLAB:fillmissing:InterpolationInvalid"),
        ("fillmissing(NaN, 'linear', 1, 2)", "MATLAB:TooManyInputs"),
    ],
)  # fmt: skip
def test_bad_calls(statement: str, identifier: str, failing: Failing) -> None:
    failing(statement, identifier)


def test_the_hint_names_the_option(session: Session) -> None:
    with pytest.raises(Exception, match="Did you mean 'EndValues'"):
        session.run("fillmissing(NaN, 'linear', 'EndValeus', 1)")
