"""What elements and rows are compared by: magnitudes and parts, for arrays, times and tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]

TABLE = "T = table([3; 1; 2; NaN], [-1; 2; -4; 0]); "

CASES = [
    ("cummax([1 -3 2], 'ComparisonMethod', 'abs')", "[1 -3 -3]"),
    ("cummin([-4 2 -2 1], 'ComparisonMethod', 'abs')", "[-4 2 2 1]"),
    ("cummax([1 -3 2; 5 1 -9], 2, 'reverse', 'ComparisonMethod', 'abs')", "[-3 -3 2; -9 -9 -9]"),
    ("cummax([1 NaN -3], 'ComparisonMethod', 'abs', 'includenan')", "[1 NaN NaN]"),
    ("cummin([4+1i 2 3-9i], 'ComparisonMethod', 'real')", "[4+1i 2 2]"),
    ("cummax([2+1i 2+3i 2-8i], 'ComparisonMethod', 'real')", "[2+1i 2+3i 2+3i]"),
    # magnitudes of complex numbers, then phases
    ("cummax([2 -2i 2i 1])", "[2 2 2i 2i]"),
    ("cummin([2i 2 -2i])", "[2i 2 -2i]"),
    ("cummax(int8([1 -3 2]), 'ComparisonMethod', 'abs')", "int8([1 -3 -3])"),
    ("topkrows([1; -7; 5], 2, 'ComparisonMethod', 'abs')", "[-7; 5]"),
    ("topkrows([1 2; 3 4; -5 1], 2, 1, 'ascend', 'ComparisonMethod', 'abs')", "[1 2; 3 4]"),
    ("topkrows([1+2i; 3; -5], 2, 'ComparisonMethod', 'real')", "[3; 1+2i]"),
    ("topkrows(datetime(2020, 1, [1; 9; 4]), 2)", "datetime(2020, 1, [9; 4])"),
    ("topkrows(categorical({'b'; 'a'; 'c'}), 1)", "categorical({'c'}, {'a', 'b', 'c'})"),
    ("sortrows(datetime(2020, 1, [3; 1]))", "datetime(2020, 1, [1; 3])"),
    ("sortrows(days([3 1; 1 2]), -2)", "days([1 2; 3 1])"),
    ("maxk(days([1 3 2]), 2)", "days([3 2])"),
    ("mink(datetime(2020, 1, [3 NaN 1]), 3)", "datetime(2020, 1, [1 3 NaN])"),
    ("cummax(days([1 3 2]))", "days([1 3 3])"),
    ("cummin(datetime(2020, 1, [3 NaN 1]))", "datetime(2020, 1, [3 3 1])"),
    ("sortrows(T, 'Var2', 'ComparisonMethod', 'abs').Var2", "[0; -1; 2; -4]"),
    ("sortrows(T, 'Var1', 'descend').Var1", "[NaN; 3; 2; 1]"),
    ("sortrows(T, 'Var1', 'descend', 'MissingPlacement', 'last').Var1", "[3; 2; 1; NaN]"),
    ("sortrows(T, 'Var1', 'MissingPlacement', 'first').Var1", "[NaN; 1; 2; 3]"),
    ("sortrows(table([2i; -3; 1+1i]), 1).Var1", "[1+1i; 2i; -3]"),
    ("sortrows(table([2i; -3; 1+1i]), 1, 'ComparisonMethod', 'real').Var1", "[-3; 2i; 1+1i]"),
    ("topkrows(T, 2).Var1", "[3; 2]"),
    ("topkrows(T, 2, 'Var2').Var2", "[2; 0]"),
    ("topkrows(T, 2, {'Var2', 'Var1'}, 'ascend').Var2", "[-4; -1]"),
    ("topkrows(T, 9, 2, {'descend'}, 'ComparisonMethod', 'abs').Var2", "[-4; 2; -1; 0]"),
    ("topkrows(table([1; 1; 2], {'a'; 'b'; 'c'}), 2, 1:2, {'ascend', 'descend'}).Var2",
     "{'b'; 'a'}"),
    ("normalize(T(1:3, :), 'range').Var1", "[1; 0; 0.5]"),
    ("normalize(T(1:3, :), 'DataVariables', 'Var1').Var1", "[1; -1; 0]"),
    ("normalize(T(1:3, :), 'DataVariables', 'Var1').Var2", "[-1; 2; -4]"),
    ("normalize(T(1:3, :), 'center', 'ReplaceValues', false).Var1_normalized", "[1; -1; 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), CASES)
def test_comparisons(expression: str, expected: str, session: Session, same: Same) -> None:
    session.run(TABLE)
    same(expression, expected)


def test_second_outputs(session: Session, same: Same) -> None:
    session.run(f"{TABLE} [~, a] = cummax([1 -3 3 2], 'ComparisonMethod', 'abs');")
    same("a", "[1 2 2 2]")
    session.run("[~, b] = topkrows(T, 2, 'Var2', 'ascend'); [~, c] = maxk(days([1 3 2]), 2);")
    same("b", "[3; 1]")
    same("c", "[2 3]")
    session.run("[N, C, S] = normalize(T(1:3, :), 'zscore', 'DataVariables', 1);")
    same("[C.Var1 S.Var1]", "[2 1]")


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("cummax(1, 'ComparisonMethod', 'size')", "MATLAB:cummax:unrecognizedStringChoice"),
        ("cummax(1, 'ComparisonMethod')", "MATLAB:unrecognizedStringChoice"),
        ("cummin(1, 'backwards')", "MATLAB:unrecognizedStringChoice"),
        ("topkrows(1, 1, 'ComparisonMethod')", "MATLAB:topkrows:ArgNameValueMismatch"),
        ("topkrows(1, -1)", "MATLAB:topkrows:InvalidK"),
        ("topkrows(table(1), -1)", "MATLAB:topkrows:InvalidK"),
        ("topkrows(table(1), 1, 1, 'up')", "MATLAB:table:sortrows:UnrecognizedMode"),
        ("sortrows(table(1), 1, 'MissingPlacement', 'end')",
         "MATLAB:sortrows:unrecognizedStringChoice"),
        ("maxk(categorical({'a'}), 1)", "MATLAB:categorical:maxk:NotOrdinal"),
        ("normalize(table({'a'}))", "MATLAB:normalize:UnsupportedTableVariable"),
        ("normalize(table(1), 'DataVariables')", "MATLAB:normalize:ArgNameValueMismatch"),
        ("normalize(table(1), 'DataVariables', 'x')", "MATLAB:table:UnrecognizedVarName"),
    ],
)  # fmt: skip
def test_bad_calls(statement: str, identifier: str, failing: Failing) -> None:
    failing(statement, identifier)
