"""Char and string arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.values import (
    COLON,
    MISSING,
    CharArray,
    StringArray,
    assign,
    brace,
    cell,
    char,
    class_of,
    delete,
    eq,
    from_numpy,
    horzcat,
    index,
    is_text,
    lt,
    ne,
    plus,
    size_of,
    string,
    text,
    texts,
    times,
    to_numpy,
    vertcat,
)


def row(*numbers: float) -> Any:
    return from_numpy(np.array([numbers], dtype=float))


def plain(value: Any) -> Any:
    """A value as nested Python lists."""
    if isinstance(value, CharArray):
        return value.text() if value.is_row else value.rows()
    if isinstance(value, StringArray):
        return value.data.tolist()
    return to_numpy(value).tolist()


class TestChar:
    @pytest.mark.parametrize(
        ("given", "shape"),
        [("abc", (1, 3)), ("", (0, 0)), ("é", (1, 1)), ("a😀b", (1, 4))],
        ids=["row", "empty", "two-byte", "surrogate-pair"],
    )
    def test_size_counts_utf16_units(self, given: str, shape: tuple[int, int]) -> None:
        assert char(given).shape == shape
        assert char(given).text() == given

    def test_codes(self) -> None:
        assert to_numpy(char("é😀")).tolist() == [[0xE9, 0xD83D, 0xDE00]]

    @pytest.mark.parametrize(
        ("subs", "expected"),
        [
            ((2.0,), "b"),
            ((row(1, 3),), "ac"),
            ((row(4, 3, 2, 1),), "dcba"),
            ((1.0, COLON), "abcd"),
            ((1.0, 4.0), "d"),
            ((row(),), ""),
            ((from_numpy(np.array([[True, False, True, False]])),), "ac"),
        ],
    )
    def test_reading(self, subs: tuple[Any, ...], expected: str) -> None:
        assert index(char("abcd"), subs).text() == expected

    def test_long_rows_are_sliced(self) -> None:
        letters = char("ab" * 1000)
        span = from_numpy(np.arange(3.0, 1801.0).reshape(1, -1))
        assert index(letters, (span,)).text() == ("ab" * 1000)[2:1800]
        backwards = from_numpy(np.arange(1800.0, 2.0, -1).reshape(1, -1))
        assert index(letters, (backwards,)).text() == ("ab" * 1000)[2:1800][::-1]

    def test_colon_gives_a_column(self) -> None:
        assert size_of(index(char("abc"), (COLON,))) == (3, 1)

    @pytest.mark.parametrize("sub", [0.0, 1.5, 4.0, -1.0])
    def test_bad_subscript(self, sub: float) -> None:
        with pytest.raises(MatlabError) as caught:
            index(char("abc"), (sub,))
        assert caught.value.identifier == "MATLAB:badsubscript"

    def test_assigning_a_number_stores_its_code(self) -> None:
        assert plain(assign(char("abc"), (2.0,), 65.0)) == "aAc"

    def test_growth_pads_with_zero(self) -> None:
        assert plain(assign(char("ab"), (5.0,), char("e"))) == "ab\0\0e"

    def test_assignment_leaves_the_copy_alone(self) -> None:
        first = char("abc")
        second = first.share()
        first = assign(first, (1.0,), char("X"))
        third = first.share()
        first = assign(first, (2.0,), char("Y"))
        assert [plain(v) for v in (first, second, third)] == ["XYc", "abc", "Xbc"]

    def test_deletion(self) -> None:
        assert plain(delete(char("abcd"), (row(1, 3),))) == "bd"

    def test_conversion_from_cell_is_an_error(self) -> None:
        with pytest.raises(MatlabError, match="Conversion to char from cell is not possible"):
            assign(char("abc"), (1.0,), cell([char("x")]))

    @pytest.mark.parametrize(
        ("values", "expected"),
        [
            ([char("ab"), char("cd")], "abcd"),
            ([char("a"), 66.0], "aB"),
            ([char(""), char("x"), from_numpy(np.zeros((0, 0)))], "x"),
            ([char("n="), row(49, 50)], "n=12"),
            ([from_numpy(np.zeros((1, 0))), char("x")], "x"),
        ],
    )
    def test_horizontal_concatenation(self, values: list[Any], expected: str) -> None:
        assert plain(horzcat(*values)) == expected

    def test_vertical_concatenation(self) -> None:
        assert plain(vertcat(char("abc"), char("def"))) == ["abc", "def"]
        with pytest.raises(MatlabError) as caught:
            vertcat(char("abc"), char("de"))
        assert caught.value.identifier == "MATLAB:catenate:dimensionMismatch"

    def test_arithmetic_on_codes(self) -> None:
        assert plus(char("a"), 1.0) == 98.0
        assert class_of(times(char("a"), 1.0)) == "double"
        assert plain(plus(char("ab"), 1.0)) == [[98.0, 99.0]]

    def test_comparison_is_element_by_element(self) -> None:
        assert plain(eq(char("abc"), char("abd"))) == [[True, True, False]]
        with pytest.raises(MatlabError) as caught:
            eq(char("abc"), char("ab"))
        assert caught.value.identifier == "MATLAB:sizeDimensionsMustMatch"


class TestString:
    def test_size_does_not_depend_on_the_text(self) -> None:
        assert size_of(string("abc")) == size_of(string("")) == (1, 1)

    @pytest.mark.parametrize(
        ("a", "b", "expected"),
        [
            (string("a"), 1.0, "a1"),
            (1.0, string("a"), "1a"),
            (string("a"), 1.5, "a1.5"),
            (string("a"), char("bc"), "abc"),
            (string("x"), True, "xtrue"),
            (string("pi="), 3.14159265, "pi=3.1416"),
        ],
    )
    def test_plus_joins_text(self, a: Any, b: Any, expected: str) -> None:
        assert plain(plus(a, b)) == [[expected]]

    def test_plus_expands(self) -> None:
        pair = horzcat(string("a"), string("b"))
        assert plain(plus(pair, string("!"))) == [["a!", "b!"]]
        grid = plus(pair, vertcat(string("1"), string("2")))
        assert plain(grid) == [["a1", "b1"], ["a2", "b2"]]

    @pytest.mark.parametrize(
        ("values", "expected"),
        [
            ([string("a"), 1.0, char("b")], [["a", "1", "b"]]),
            ([string("a"), char("")], [["a", ""]]),
            ([string("a"), from_numpy(np.zeros((0, 0)))], [["a"]]),
            ([True, string("a")], [["true", "a"]]),
        ],
    )
    def test_concatenation_makes_strings(self, values: list[Any], expected: Any) -> None:
        assert plain(horzcat(*values)) == expected

    @pytest.mark.parametrize(
        ("compare", "a", "b", "expected"),
        [
            (eq, string("abc"), string("ab"), False),
            (eq, char("abc"), string("abc"), True),
            (ne, string("a"), string("b"), True),
            (lt, string("a"), string("b"), True),
        ],
    )
    def test_comparison_is_of_whole_texts(
        self, compare: Any, a: Any, b: Any, expected: bool
    ) -> None:
        assert compare(a, b) is expected

    def test_missing_equals_nothing(self) -> None:
        missing = StringArray(np.array([[MISSING]], dtype=object))
        assert eq(missing, missing) is False
        assert ne(missing, missing) is True

    def test_growth_fills_with_missing(self) -> None:
        grown = assign(string("a"), (3.0,), string("c"))
        assert plain(grown) == [["a", MISSING, "c"]]

    def test_assigning_a_number_converts_it(self) -> None:
        assert plain(assign(string("a"), (2.0,), 7.0)) == [["a", "7"]]

    def test_brace_gives_char(self) -> None:
        assert plain(brace(string("abc"), (1.0,))) == "abc"

    @pytest.mark.parametrize(
        ("number", "expected"),
        [
            (1.0, "1"),
            (-0.5, "-0.5"),
            (123456.789, "123456.789"),
            (1e10, "10000000000"),
            (1e15, "1e+15"),
            (1.23456789e-5, "1.2346e-05"),
            (float("inf"), "Inf"),
        ],
    )
    def test_numbers_as_text(self, number: float, expected: str) -> None:
        assert plain(plus(string(""), number)) == [[expected]]


class TestText:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (char("abc"), True),
            (char(""), True),
            (string("abc"), True),
            (vertcat(char("a"), char("b")), False),
            (1.0, False),
            (cell([char("a")]), False),
        ],
    )
    def test_is_text(self, value: Any, expected: bool) -> None:
        assert is_text(value) is expected

    def test_text(self) -> None:
        assert text(char("abc")) == text(string("abc")) == "abc"

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (char("abc"), ["abc"]),
            (vertcat(char("ab"), char("cd")), ["ab", "cd"]),
            (horzcat(string("a"), string("b")), ["a", "b"]),
            (cell([char("a"), string("b")]), ["a", "b"]),
        ],
    )
    def test_texts(self, value: Any, expected: list[str]) -> None:
        assert texts(value) == expected
