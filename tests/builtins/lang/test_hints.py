"""Names of options that are nearly right: errors name the right ones as they are documented."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

CASES = [
    ("jsonencode(1, 'prettyprin', true)", "PrettyPrint"),
    ("strsplit('a b', ' ', 'CollapseDelimiter', true)", "CollapseDelimiters"),
    ("contains('a', 'b', 'ignorecas', true)", "IgnoreCase"),
    ("strfind('a', 'b', 'ForceCellOutpu', true)", "ForceCellOutput"),
    ("matlab.lang.makeValidName('a', 'ReplacementStyl', 'x')", "ReplacementStyle"),
    ("writematrix(1, 'x.csv', 'writemod', 'append')", "WriteMode"),
    ("textscan('1', '%f', 'headerline', 1)", "HeaderLines"),
    ("extractBetween('a', 'b', 'c', 'Boundarys', 'inclusive')", "Boundaries"),
    ("sort(1, 'ComparisonMethd', 'abs')", "ComparisonMethod"),
    ("maxk(1, 1, 'comparisonmethd', 'abs')", "ComparisonMethod"),
    ("uniquetol(1, 'ByRowz', true)", "ByRows"),
    ("uniquetol(1, 'outputallindexes', true)", "OutputAllIndices"),
    ("fillmissing(1, 'linear', 'endvalue2', 1)", "EndValues"),
    ("sortrows(table(1), 1, 'MissingPlacement', 'last', 'ComparisonMethd', 1)", "ComparisonMethod"),
    ("cellfun(@(x) x, {1}, 'uniformoutpt', true)", "UniformOutput"),
    ("optimset('maxitr', 1)", "MaxIter"),
    ("odeset('reltoll', 1)", "RelTol"),
    ("regexp('a', 'b', 'tokenextent')", "tokenExtents"),
]


@pytest.mark.parametrize(("statement", "name"), CASES)
def test_hints_are_spelt_as_documented(statement: str, name: str) -> None:
    with pytest.raises(MatlabError) as caught:
        Session().run(statement)
    assert caught.value.message.endswith(f"Did you mean '{name}'?")


def test_errors_repeat_names_as_they_were_given() -> None:
    with pytest.raises(MatlabError) as caught:
        Session().run("maxk(1, 1, 'ComparisonMethd', 'abs')")
    assert "'ComparisonMethd'" in caught.value.message


@pytest.mark.parametrize("name", ["comm.AWGNChannel", "phased.ULA"])
def test_dotted_names_of_toolboxes_say_which_it_is(name: str) -> None:
    with pytest.raises(MatlabError) as caught:
        Session().run(f"x = {name}(1);")
    assert f"'{name}' is a function of " in caught.value.hint
