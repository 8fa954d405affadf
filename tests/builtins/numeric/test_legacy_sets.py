"""Functions of sets as they were before R2013a, when a program asks for that."""

from __future__ import annotations

import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session


@pytest.fixture(scope="module")
def legacy() -> Session:
    return Session(provider="none")


# call, results one after the other
CALLS = [
    ("unique([9 2 9 5], 'legacy')", "{[2 5 9], [2 4 3], [3 1 3 2]}"),
    ("unique([9 2 9 5]', 'legacy')", "{[2 5 9]', [2 4 3]', [3 1 3 2]'}"),
    ("unique([9 2 9 5], 'first', 'legacy')", "{[2 5 9], [2 4 1], [3 1 3 2]}"),
    ("unique([1 2; 3 4; 1 2], 'rows', 'legacy')", "{[1 2; 3 4], [3; 2], [1; 2; 1]}"),
    ("unique({'b', 'a', 'b'}, 'legacy')", "{{'a', 'b'}, [2 3], [2 1 2]}"),
    ("unique([9 2 9 5], 'R2012a')", "{[2 5 9], [2; 4; 1], [3; 1; 3; 2]}"),
    ("union([5 5 3], [1 2 5], 'legacy')", "{[1 2 3 5], 3, [1 2 3]}"),
    ("union([1; 2], [3 2], 'legacy')", "{[1 2 3], 1, [2 1]}"),
    ("union([1; 2], [3; 2], 'legacy')", "{[1; 2; 3], 1, [2; 1]}"),
    ("union([1 2; 3 4], [1 2], 'rows', 'legacy')", "{[1 2; 3 4], 2, 1}"),
    ("intersect([7 1 7 7 4], [7 0 4 4 0], 'legacy')", "{[4 7], [5 4], [4 1]}"),
    ("intersect({'a', 'b', 'a'}, {'a', 'a'}, 'legacy')", "{{'a'}, 3, 2}"),
    ("setdiff([3 6 2 1 5 1 1], [2 4 6], 'legacy')", "{[1 3 5], [7 1 5]}"),
    ("setxor([5 1 3 3 3], [4 1 2], 'legacy')", "{[2 3 4 5], [5 1], [3 1]}"),
    ("ismember([5 3 4 2], [2 4 4 4 6 8], 'legacy')", "{logical([0 0 1 1]), [0 0 4 1]}"),
    ("ismember([1 2; 5 6], [1 2; 1 2], 'rows', 'legacy')", "{[true; false], [2; 0]}"),
    ("ismember({'a', 'c'}, {'b', 'a', 'a'}, 'legacy')", "{[true false], [3 0]}"),
    ("ismember([5 3 4 2], [2 4 4 4 6 8], 'R2012a')", "{logical([0 0 1 1]), [0 0 2 1]}"),
]


@pytest.mark.parametrize(("call", "expected"), CALLS, ids=[c[0] for c in CALLS])
def test_results(call: str, expected: str, legacy: Session) -> None:
    legacy.run(f"e = {expected}; c = cell(size(e)); [c{{:}}] = {call};")
    assert legacy.eval("isequal(c, e)"), legacy.eval("c")


@pytest.mark.parametrize("name", ["unique", "union", "intersect", "setdiff", "setxor", "ismember"])
@pytest.mark.parametrize("behaviour", ["legacy", "R2012a"])
def test_no_order_beside_a_behaviour(name: str, behaviour: str, legacy: Session) -> None:
    operands = "1" if name == "unique" else "1, 2"
    with pytest.raises(MatlabError) as caught:
        legacy.run(f"{name}({operands}, 'stable', '{behaviour}');")
    assert caught.value.identifier == f"MATLAB:{name.upper()}:SetOrderBehavior"
