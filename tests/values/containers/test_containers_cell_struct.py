"""Cell and struct arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.values import (
    COLON,
    CellArray,
    StructArray,
    assign,
    assign_path,
    brace,
    cell,
    char,
    class_of,
    delete,
    field,
    from_numpy,
    horzcat,
    index,
    isequal,
    size_of,
    string,
    struct,
    struct_array,
    to_numpy,
    vertcat,
)
from runmat_core.values.base import CommaList


def row(*numbers: float) -> Any:
    return from_numpy(np.array([numbers], dtype=float))


def empty() -> Any:
    return from_numpy(np.zeros((0, 0)))


def plain(value: Any) -> Any:
    """A value as nested Python objects."""
    if isinstance(value, CellArray):
        return [plain(item) for item in value.items()]
    if isinstance(value, StructArray):
        records = [{k: plain(v) for k, v in r.items()} for r in value.records()]
        return records[0] if value.shape == (1, 1) else records
    if class_of(value) == "char":
        return value.text()
    return to_numpy(value).tolist() if size_of(value) != (1, 1) else value


def identifier_of(action: Any) -> str:
    with pytest.raises(MatlabError) as caught:
        action()
    return caught.value.identifier


class TestCell:
    def test_parentheses_give_cells_and_braces_contents(self) -> None:
        c = cell([1.0, char("a")])
        assert isinstance(index(c, (1.0,)), CellArray)
        assert brace(c, (1.0,)) == 1.0

    def test_several_contents_are_a_comma_list(self) -> None:
        c = cell([1.0, 2.0, 3.0])
        assert brace(c, (COLON,)) == CommaList((1.0, 2.0, 3.0))
        assert brace(c, (row(),)) == CommaList()

    def test_contents_in_column_major_order(self) -> None:
        c = cell([1.0, 2.0, 3.0, 4.0], (2, 2))
        assert brace(c, (COLON,)) == (1.0, 2.0, 3.0, 4.0)
        assert brace(c, (1.0, 2.0)) == 3.0
        assert brace(c, (3.0,)) == 3.0

    def test_growth_fills_with_empty(self) -> None:
        c = assign_path(None, (("{}", (3.0,)),), 1.0)
        assert plain(c) == [[], [], 1.0]
        assert size_of(c) == (1, 3)

    def test_growth_in_two_dimensions(self) -> None:
        c = assign_path(cell([1.0]), (("{}", (2.0, 2.0)),), 4.0)
        assert size_of(c) == (2, 2)
        assert plain(c) == [1.0, [], [], 4.0]

    def test_parentheses_need_a_cell(self) -> None:
        assert identifier_of(lambda: assign(cell([1.0]), (1.0,), 5.0)) == "MATLAB:invalidConversion"

    def test_deletion(self) -> None:
        assert plain(delete(cell([1.0, 2.0, 3.0]), (2.0,))) == [1.0, 3.0]

    def test_brace_on_other_values(self) -> None:
        for value in (1.0, True, row(1, 2), char("a"), struct({})):
            assert identifier_of(lambda v=value: brace(v, (1.0,))) == "MATLAB:cellRefFromNonCell"

    @pytest.mark.parametrize("sub", [0.0, 3.0, 1.5])
    def test_bad_subscripts(self, sub: float) -> None:
        assert identifier_of(lambda: brace(cell([1.0, 2.0]), (sub,))) == "MATLAB:badsubscript"

    def test_concatenation(self) -> None:
        c = cell([1.0])
        assert plain(horzcat(c, cell([2.0, 3.0]))) == [1.0, 2.0, 3.0]
        assert plain(horzcat(c, 2.0)) == [1.0, 2.0]
        assert plain(horzcat(char("a"), c)) == ["a", 1.0]
        assert plain(horzcat(c, empty())) == [1.0]
        assert plain(horzcat(cell([], (0, 0)), c)) == [1.0]
        assert size_of(horzcat(c, string("a"))) == (1, 2)
        assert size_of(vertcat(c, c)) == (2, 1)

    def test_concatenation_of_unequal_rows(self) -> None:
        wide, narrow = cell([1.0, 2.0]), cell([1.0])
        assert identifier_of(lambda: vertcat(wide, narrow)) == "MATLAB:catenate:dimensionMismatch"

    def test_contents_are_their_own(self) -> None:
        c = cell([row(1, 2)])
        taken = brace(c, (1.0,))
        taken = assign(taken, (1.0,), 9.0)
        assert plain(c) == [[[1.0, 2.0]]]


class TestStruct:
    def test_fields_keep_their_order(self) -> None:
        s = struct({"b": 1.0})
        s = assign_path(s, ((".", "a"),), 2.0)
        assert s.field_names() == ("b", "a")

    def test_missing_field(self) -> None:
        assert identifier_of(lambda: field(struct({}), "a")) == "MATLAB:nonExistentField"
        with pytest.raises(MatlabError, match='Unrecognized field name "a"'):
            field(struct({}), "a")

    def test_field_of_other_values(self) -> None:
        for value in (1.0, row(1, 2), char("a"), cell([])):
            assert identifier_of(lambda v=value: field(v, "a")) == "MATLAB:structRefFromNonStruct"

    def test_array_growth_fills_with_empty(self) -> None:
        s = assign_path(None, (("()", (3.0,)), (".", "a")), 1.0)
        assert size_of(s) == (1, 3)
        assert plain(s) == [{"a": []}, {"a": []}, {"a": 1.0}]

    def test_new_field_reaches_all_elements(self) -> None:
        s = assign_path(None, (("()", (2.0,)), (".", "a")), 1.0)
        s = assign_path(s, (("()", (1.0,)), (".", "b")), 5.0)
        assert plain(s) == [{"a": [], "b": 5.0}, {"a": 1.0, "b": []}]

    def test_field_of_an_array_is_a_comma_list(self) -> None:
        s = struct_array([{"a": 1.0}, {"a": 2.0}], (1, 2))
        assert field(s, "a") == CommaList((1.0, 2.0))
        assert field(struct_array([], (0, 0), ("a",)), "a") == CommaList()

    def test_element(self) -> None:
        s = struct_array([{"a": 1.0}, {"a": 2.0}], (1, 2))
        assert plain(index(s, (2.0,))) == {"a": 2.0}
        assert identifier_of(lambda: index(s, (3.0,))) == "MATLAB:badsubscript"

    def test_assigning_an_element(self) -> None:
        s = assign(struct({"a": 1.0, "b": 2.0}), (2.0,), struct({"b": 4.0, "a": 3.0}))
        assert plain(s) == [{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 4.0}]
        assert s.field_names() == ("a", "b")

    def test_dissimilar_structures(self) -> None:
        with pytest.raises(MatlabError, match="between dissimilar structures") as caught:
            assign(struct({"a": 1.0}), (2.0,), struct({"b": 1.0}))
        assert caught.value.identifier == "MATLAB:heterogeneousStrucAssignment"

    def test_deletion(self) -> None:
        s = struct_array([{"a": 1.0}, {"a": 2.0}], (1, 2))
        assert plain(delete(s, (1.0,))) == {"a": 2.0}

    def test_empty_array_keeps_its_fields(self) -> None:
        s = delete(struct({"a": 1.0}), (1.0,))
        assert size_of(s) == (1, 0)
        assert s.field_names() == ("a",)

    def test_first_element_of_an_empty_array(self) -> None:
        s = assign_path(struct_array([], (0, 0)), ((".", "a"),), 1.0)
        assert plain(s) == {"a": 1.0}

    def test_concatenation(self) -> None:
        a, b = struct({"x": 1.0, "y": 2.0}), struct({"y": 4.0, "x": 3.0})
        joined = horzcat(a, b)
        assert plain(joined) == [{"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 4.0}]
        assert plain(horzcat(empty(), a)) == {"x": 1.0, "y": 2.0}
        assert size_of(vertcat(a, b)) == (2, 1)
        mixed = struct({"z": 1.0})
        assert identifier_of(lambda: horzcat(a, mixed)) == "MATLAB:catenate:structFieldBad"

    def test_isequal_ignores_the_order_of_fields(self) -> None:
        assert isequal(struct({"a": 1.0, "b": 2.0}), struct({"b": 2.0, "a": 1.0}))

    @pytest.mark.parametrize("name", ["a b", "1a", "_a", ""])
    def test_invalid_names(self, name: str) -> None:
        action = lambda: assign_path(struct({}), ((".", name),), 1.0)  # noqa: E731
        assert identifier_of(action) == "MATLAB:AddField:InvalidFieldName"

    @pytest.mark.parametrize("name", ["end", "class", "None", "lambda", "x1"])
    def test_keywords_are_fields(self, name: str) -> None:
        s = assign_path(struct({}), ((".", name),), 1.0)
        assert field(s, name) == 1.0
