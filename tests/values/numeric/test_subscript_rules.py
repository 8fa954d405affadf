"""Reading, writing, growing and deleting by subscripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from runmat_core import MatlabError, Session

Ev = Callable[[str], tuple[str, tuple[int, ...], list[Any]]]

X = "x = [10 20 30];"
A = "A = [1 2 3; 4 5 6; 7 8 9];"
B = "B = reshape(1:24, 2, 3, 4);"

READS = [
    (X + "r = x([1;2]);", (1, 2), [10, 20]),
    (X + "r = x([1 2; 3 1]);", (2, 2), [10, 30, 20, 10]),
    (X + "r = x([]);", (0, 0), []),
    (X + "r = x(zeros(1,0));", (1, 0), []),
    (X + "r = x(:);", (3, 1), [10, 20, 30]),
    (X + "r = x(end);", (1, 1), [30]),
    (X + "r = x(min(end, 5));", (1, 1), [30]),
    (X + "r = x(end:-1:1);", (1, 3), [30, 20, 10]),
    (X + "r = x(logical([1 0 1]));", (1, 2), [10, 30]),
    (X + "r = x(logical([1; 0; 1]));", (1, 2), [10, 30]),
    (X + "r = x(true);", (1, 1), [10]),
    (X + "r = x(false);", (0, 0), []),
    (X + "r = x(logical([1 0 1 0 0]));", (1, 2), [10, 30]),
    (X + "r = x(:)';", (1, 3), [10, 20, 30]),
    (X + "r = x(1, :, 1);", (1, 3), [10, 20, 30]),
    (X + "r = x(int8(2));", (1, 1), [20]),
    (X + "r = x('');", (0, 0), []),
    (A + "r = A([1;2]);", (2, 1), [1, 4]),
    (A + "r = A([1 2]);", (1, 2), [1, 4]),
    (A + "r = A(A > 5);", (4, 1), [7, 8, 6, 9]),
    (A + "r = A(2, :);", (1, 3), [4, 5, 6]),
    (A + "r = A(:, 2);", (3, 1), [2, 5, 8]),
    (A + "r = A(end, 1);", (1, 1), [7]),
    (A + "r = A(end);", (1, 1), [9]),
    (A + "r = A([true false true], [1 3]);", (2, 2), [1, 7, 3, 9]),
    (A + "r = A(:, :);", (3, 3), [1, 4, 7, 2, 5, 8, 3, 6, 9]),
    (A + "r = A(':', 1);", (3, 1), [1, 4, 7]),
    (A + "r = A([1 1], [2 2]);", (2, 2), [2, 2, 2, 2]),
    (A + "r = A(zeros(0, 1), :);", (0, 3), []),
    (B + "r = B(2, 12);", (1, 1), [24]),
    (B + "r = B(1, end);", (1, 1), [23]),
    (B + "r = size(B(:, :));", (1, 2), [2, 12]),
    (B + "r = size(B(:, 1, :));", (1, 3), [2, 1, 4]),
    (B + "r = size(B(:, :, 2));", (1, 2), [2, 3]),
    (B + "r = B(:, :, end)';", (3, 2), [19, 21, 23, 20, 22, 24]),
    ("x = 5; r = x([1 1 1]);", (1, 3), [5, 5, 5]),
    ("x = 5; r = x(ones(2, 2));", (2, 2), [5, 5, 5, 5]),
    ("x = 5; r = x(:);", (1, 1), [5]),
    ("x = 5; r = x(1, 1, 1);", (1, 1), [5]),
]


@pytest.mark.parametrize(("code", "size", "elements"), READS, ids=[c for c, *_ in READS])
def test_reading(ev: Ev, code: str, size: tuple[int, ...], elements: list[float]) -> None:
    assert ev(code)[1:] == (size, elements)


WRITES = [
    # ":" of a new array takes the extents of the right side that lists do not pair off with
    ("r = []; r([3;1],:) = [1 2; 3 4];", "double", (3, 2), [3, 0, 1, 4, 0, 2]),
    ("r = []; r([true false true],:) = [1 2; 3 4];", "double", (3, 2), [1, 0, 3, 2, 0, 4]),
    ("r = []; r(:,[1 3]) = [1 2; 3 4];", "double", (2, 3), [1, 3, 0, 0, 2, 4]),
    ("r = []; r(:,1) = [1 2 3];", "double", (3, 1), [1, 2, 3]),
    ("r = []; r(2,:,:) = [1 2; 3 4];", "double", (2, 2, 2), [0, 1, 0, 3, 0, 2, 0, 4]),
    ("r = [1 2 3]; r(5) = 9;", "double", (1, 5), [1, 2, 3, 0, 9]),
    ("r = []; r(3) = 5;", "double", (1, 3), [0, 0, 5]),
    ("r = 1; r(2, 3) = 7;", "double", (2, 3), [1, 0, 0, 0, 0, 7]),
    ("r = [1; 2]; r(4) = 5;", "double", (4, 1), [1, 2, 0, 5]),
    ("r = zeros(0, 1); r(2) = 5;", "double", (2, 1), [0, 5]),
    ("r = [1 2 3]; r(end + 1) = 4;", "double", (1, 4), [1, 2, 3, 4]),
    ("r = 1:3; r([1 3]) = [7 8];", "double", (1, 3), [7, 2, 8]),
    ("r = 1:3; r(:) = 4;", "double", (1, 3), [4, 4, 4]),
    ("r = zeros(3); r(:) = 1:9;", "double", (3, 3), [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ("r = zeros(2, 3); r(1, :) = (7:9)';", "double", (2, 3), [7, 0, 8, 0, 9, 0]),
    ("r = zeros(2, 2); r(:, 3) = [5; 6];", "double", (2, 3), [0, 0, 0, 0, 5, 6]),
    ("r = zeros(2); r(:, :, 2) = 1;", "double", (2, 2, 2), [0, 0, 0, 0, 1, 1, 1, 1]),
    ("r = eye(2); r(r == 0) = 5;", "double", (2, 2), [1, 5, 5, 1]),
    ("r = 1:4; r(logical([1 0 0 1])) = [9 8];", "double", (1, 4), [9, 2, 3, 8]),
    ("r = 1:3; r([]) = 5;", "double", (1, 3), [1, 2, 3]),
    ("r = 1:3; r([2 2]) = [5 6];", "double", (1, 3), [1, 6, 3]),
    ("r = zeros(1, 3); r(1) = int8(5);", "double", (1, 3), [5, 0, 0]),
    ("r = true(1, 2); r(1) = 5;", "logical", (1, 2), [True, True]),
    ("r = int8([1 2]); r(1) = 300;", "int8", (1, 2), [127, 2]),
    ("r = single([1 2]); r(1) = pi;", "single", (1, 2), [3.1415927410125732, 2]),
    ("r = [1 2]; r(2) = 3i;", "double", (1, 2), [1 + 0j, 3j]),
    ("r = []; r(2) = int8(3);", "int8", (1, 2), [0, 3]),
    ("r = 'abc'; r(2) = 65;", "char", (1, 3), [97, 65, 99]),
    ("r = 5; r(1) = 6;", "double", (1, 1), [6]),
    ("r = 5; r(2) = true;", "double", (1, 2), [5, 1]),
    ("r = reshape(1:8, 2, 2, 2); r(2, 4) = 0;", "double", (2, 2, 2), [1, 2, 3, 4, 5, 6, 7, 0]),
    ("r = []; r(:, 1) = [1; 2];", "double", (2, 1), [1, 2]),
    ("r = []; r(1, :) = [1 2 3];", "double", (1, 3), [1, 2, 3]),
    ("r = zeros(2, 0); r(:, end + 1) = [1; 2];", "double", (2, 1), [1, 2]),
]


@pytest.mark.parametrize(("code", "cls", "size", "elements"), WRITES, ids=[c for c, *_ in WRITES])
def test_writing(ev: Ev, code: str, cls: str, size: tuple[int, ...], elements: list[Any]) -> None:
    assert ev(code) == (cls, size, elements)


DELETIONS = [
    ("r = 1:3; r(2) = [];", (1, 2), [1, 3]),
    (A + "r = A; r(:, 2) = [];", (3, 2), [1, 4, 7, 3, 6, 9]),
    (A + "r = A; r([1 3], :) = [];", (1, 3), [4, 5, 6]),
    (A + "r = A; r([1 3]) = [];", (1, 7), [4, 2, 5, 8, 3, 6, 9]),
    ("r = 1:3; r([]) = [];", (1, 3), [1, 2, 3]),
    ("r = 1:3; r(:) = [];", (0, 0), []),
    ("r = 1:3; r(r > 1) = [];", (1, 1), [1]),
    ("r = (1:3)'; r(2) = [];", (2, 1), [1, 3]),
    ("r = (1:3)'; r(2) = '';", (2, 1), [1, 3]),
    (A + "r = A; r(:, :) = [];", (0, 3), []),
    (A + "r = A; r(:, [true false true]) = [];", (3, 1), [2, 5, 8]),
    (B + "r = B; r(:, :, 2:4) = [];", (2, 3), [1, 2, 3, 4, 5, 6]),
]


@pytest.mark.parametrize(("code", "size", "elements"), DELETIONS, ids=[c for c, *_ in DELETIONS])
def test_deleting(ev: Ev, code: str, size: tuple[int, ...], elements: list[float]) -> None:
    assert ev(code)[1:] == (size, elements)


ERRORS = [
    ("x = 1:3; x(0)", "MATLAB:badsubscript", "Array indices must be positive integers or logical"),
    ("x = 1:3; x(-1)", "MATLAB:badsubscript", "Array indices must be positive integers"),
    ("x = 1:3; x(1.5)", "MATLAB:badsubscript", "Array indices must be positive integers"),
    ("x = 1:3; x(NaN)", "MATLAB:badsubscript", "Array indices must be positive integers"),
    ("x = 1:3; x(4)", "MATLAB:badsubscript", "Index must not exceed 3."),
    ("x = 1:3; x([1 9])", "MATLAB:badsubscript", "Index must not exceed 3."),
    ("A = eye(2); A(3, 1)", "MATLAB:badsubscript", "Index in position 1 exceeds array bounds"),
    ("A = eye(2); A(1, 3)", "MATLAB:badsubscript", "Index in position 2 exceeds array bounds"),
    ("A = eye(2); A(1, 1, 2)", "MATLAB:badsubscript", "Index in position 3 exceeds array bounds"),
    ("x = 1:3; x(logical([0 0 0 1]))", "MATLAB:badsubscript", "contain a true value outside"),
    ("x = 5; x(2)", "MATLAB:badsubscript", "Index must not exceed 1."),
    (
        "x = 1:5; x(1:2) = [1 2 3];",
        "MATLAB:matrix:singleSubscriptNumelMismatch",
        "left and right sides have a different number of elements.",
    ),
    (
        "A = eye(3); A(1, 1:2) = [1 2 3];",
        "MATLAB:subsassigndimmismatch",
        "size of the left side is 1-by-2 and the size of the right side is 1-by-3.",
    ),
    (
        "A = eye(2); A(5) = 1;",
        "MATLAB:indexed_matrix_cannot_be_resized",
        "Attempt to grow array along ambiguous dimension.",
    ),
    ("A = eye(2); A(1, 2) = [];", "MATLAB:", "only one non-colon index."),
    ("x = 1:3; x(0) = 1;", "MATLAB:badsubscript", "Array indices must be positive integers"),
    ("x = 1:3; e = []; x(2) = e;", "MATLAB:", "different number of elements"),
    ("x = 1:3; x(7) = [];", "MATLAB:subsdeldimmismatch", "out of range for deletion"),
    ("A = eye(2); A(:, 3) = [];", "MATLAB:subsdeldimmismatch", "out of range for deletion"),
    ("x = 1:3; x() = 5;", "MATLAB:m_invalid_syntax", "at least one subscript"),
    ("e = {}; x = 1:3; x(e{:}) = [];", "MATLAB:index:emptySubscript", "at least one subscript"),
    ("e = {}; x = 1:3; x(e{:}) = 5;", "MATLAB:index:emptySubscript", "at least one subscript"),
    ("e = {}; c = {1}; c(e{:}) = [];", "MATLAB:index:emptySubscript", "at least one subscript"),
    ("x = 1:3; x({1})", "MATLAB:badsubscript", "Unable to use a value of type cell as an index."),
    ('x = 1:3; x(1, "a")', "MATLAB:badsubscript", "value of type string as an index."),
    ("x = 1:3; x(@sin)", "MATLAB:badsubscript", "value of type function_handle as an index."),
    ("x = 1; x{1}", "MATLAB:cellRefFromNonCell", "Brace indexing is not supported"),
    ("x = 1; x.f", "MATLAB:structRefFromNonStruct", "Dot indexing is not supported"),
]


@pytest.mark.parametrize(("code", "identifier", "text"), ERRORS, ids=[c for c, *_ in ERRORS])
def test_errors(session: Session, code: str, identifier: str, text: str) -> None:
    session.run("clear")
    with pytest.raises(MatlabError) as caught:
        session.run(code)
    assert caught.value.identifier.startswith(identifier)
    assert text in caught.value.message


def test_a_failed_write_changes_nothing(session: Session) -> None:
    session.run("x = 1:3; try, x(5:6) = [1 2 3]; catch, end")
    assert session["x"].tolist() == [[1, 2, 3]]
