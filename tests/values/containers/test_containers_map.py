"""containers.Map, dictionary, MException and function handles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError, StackFrame
from runmat_core.values import (
    CellArray,
    Dictionary,
    ExceptionValue,
    FunctionHandle,
    MapObject,
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
    share,
    size_of,
    string,
    struct,
    to_numpy,
    vertcat,
)
from runmat_core.values.dictionary import make_dictionary
from runmat_core.values.map import make_map


def row(*numbers: float) -> Any:
    return from_numpy(np.array([numbers], dtype=float))


def contents(value: CellArray) -> list[Any]:
    return [v.text() if class_of(v) == "char" else v for v in value.items()]


def call(value: Any, name: str, *args: Any, nargout: int = 1) -> Any:
    return value.method(name)(nargout, *args)


def identifier_of(action: Any) -> str:
    with pytest.raises(MatlabError) as caught:
        action()
    return caught.value.identifier


def fruit() -> MapObject:
    return make_map([cell([char("pear"), char("apple")]), cell([2.0, 1.0])])


class TestMap:
    def test_keys_are_sorted(self) -> None:
        m = fruit()
        assert contents(call(m, "keys")) == ["apple", "pear"]
        assert contents(call(m, "values")) == [1.0, 2.0]

    def test_copies_are_the_same_map(self) -> None:
        m = fruit()
        n = share(m)
        assert assign(n, (char("fig"),), 3.0) is m
        assert field(m, "Count") == 3.0
        assert index(m, (char("fig"),)) == 3.0

    @pytest.mark.parametrize(
        ("args", "key_type", "value_type"),
        [
            ([], "char", "any"),
            ([cell([char("a")]), cell([1.0])], "char", "any"),
            ([cell([char("a"), char("b")]), row(1, 2)], "char", "double"),
            ([row(1, 2), cell([char("x"), char("y")])], "double", "any"),
            ([char("KeyType"), char("int32"), char("ValueType"), char("any")], "int32", "any"),
            ([char("k"), 1.0], "char", "any"),
            (
                [cell([1.0, 2.0]), cell([char("x"), char("y")]), char("UniformValues"), True],
                "double",
                "char",
            ),
        ],
    )
    def test_types(self, args: list[Any], key_type: str, value_type: str) -> None:
        m = make_map(args)
        assert field(m, "KeyType").text() == key_type
        assert field(m, "ValueType").text() == value_type

    def test_numeric_keys(self) -> None:
        m = make_map([char("KeyType"), char("double"), char("ValueType"), char("any")])
        assign(m, (2.5,), char("x"))
        assign(m, (-1.0,), char("y"))
        assert contents(call(m, "keys")) == [-1.0, 2.5]
        assert index(m, (2.5,)).text() == "x"

    def test_absent_key(self) -> None:
        with pytest.raises(
            MatlabError, match="specified key is not present in this container"
        ) as caught:
            index(fruit(), (char("kiwi"),))
        assert caught.value.identifier == "MATLAB:Containers:Map:NoKey"
        assert identifier_of(lambda: call(fruit(), "remove", char("kiwi"))) == (
            "MATLAB:Containers:Map:NoKey"
        )

    def test_key_of_another_type(self) -> None:
        assert identifier_of(lambda: index(fruit(), (1.0,))) == ("MATLAB:Containers:TypeMismatch")

    def test_is_key(self) -> None:
        m = fruit()
        assert call(m, "isKey", char("pear")) is True
        assert call(m, "isKey", 1.0) is False
        found = call(m, "isKey", cell([char("pear"), char("kiwi")]))
        assert to_numpy(found).tolist() == [[True, False]]

    def test_remove(self) -> None:
        m = fruit()
        assert call(m, "remove", char("pear")) is m
        assert call(m, "length") == 1.0

    def test_values_of_some_keys(self) -> None:
        assert contents(call(fruit(), "values", cell([char("pear")]))) == [2.0]

    def test_values_are_their_own(self) -> None:
        m = make_map([char("k"), row(1, 2)])
        taken = index(m, (char("k"),))
        assign(taken, (1.0,), 9.0)
        assert to_numpy(index(m, (char("k"),))).tolist() == [[1.0, 2.0]]

    def test_vertical_concatenation_merges(self) -> None:
        m = vertcat(fruit(), make_map([char("fig"), 3.0]))
        assert contents(call(m, "keys")) == ["apple", "fig", "pear"]

    def test_only_one_level_of_assignment(self) -> None:
        path = (("()", (char("pear"),)), (".", "x"))
        with pytest.raises(MatlabError, match="Only one level of indexing is supported"):
            assign_path(fruit(), path, 1.0)


class TestDictionary:
    def test_lookup_and_insertion_order(self) -> None:
        d = make_dictionary([horzcat(string("b"), string("a")), row(2, 1)])
        assert index(d, (string("a"),)) == 1.0
        assert to_numpy(index(d, (horzcat(string("a"), string("b")),))).tolist() == [[1.0, 2.0]]
        assert call(d, "keys").data.tolist() == [["b"], ["a"]]
        assert to_numpy(call(d, "values")).tolist() == [[2.0], [1.0]]

    def test_copies_are_independent(self) -> None:
        d = make_dictionary([string("a"), 1.0])
        e = share(d)
        e = assign(e, (string("b"),), 2.0)
        assert call(d, "numEntries") == 1.0
        assert call(e, "numEntries") == 2.0

    def test_char_keys_become_strings(self) -> None:
        d = make_dictionary([char("abc"), 1.0])
        assert d.key_type == "string"
        assert call(d, "isKey", char("abc")) is True

    def test_types_are_set_by_the_first_entry(self) -> None:
        d = Dictionary()
        assert call(d, "isConfigured") is False
        d = assign(d, (1.0,), string("one"))
        key_type, value_type = call(d, "types", nargout=2)
        assert key_type.texts() + value_type.texts() == ["double", "string"]

    def test_values_convert(self) -> None:
        d = make_dictionary([string("a"), from_numpy(np.array([[1]], np.int8))])
        d = assign(d, (string("b"),), 200.0)
        assert class_of(call(d, "values")) == "int8"
        assert to_numpy(call(d, "values")).tolist() == [[1], [127]]

    def test_absent_key(self) -> None:
        d = make_dictionary([string("a"), 1.0])
        assert identifier_of(lambda: index(d, (string("b"),))) == (
            "MATLAB:dictionary:ScalarKeyNotFound"
        )
        assert call(d, "lookup", string("b"), string("FallbackValue"), 7.0) == 7.0

    def test_deletion(self) -> None:
        d = make_dictionary([horzcat(string("a"), string("b")), row(1, 2)])
        d = delete(d, (string("a"),))
        assert call(d, "keys").texts() == ["b"]

    def test_cell_values(self) -> None:
        d = make_dictionary([string("a"), cell([row(1, 2)])])
        assert isinstance(index(d, (string("a"),)), CellArray)
        assert to_numpy(brace(d, (string("a"),))).tolist() == [[1.0, 2.0]]

    def test_struct_values(self) -> None:
        d = make_dictionary([string("a"), struct({"x": 1.0})])
        assert field(index(d, (string("a"),)), "x") == 1.0

    def test_entries(self) -> None:
        d = make_dictionary([string("a"), 1.0])
        assert size_of(call(d, "entries", string("struct"))) == (1, 1)
        assert size_of(call(d, "entries", string("cell"))) == (1, 2)

    def test_wrong_class(self) -> None:
        d = make_dictionary([1.0, 1.0])
        assert identifier_of(lambda: index(d, (struct({}),))) == (
            "MATLAB:dictionary:InvalidTypeConversion"
        )


class TestException:
    def error(self) -> MatlabError:
        return MatlabError("a:b", "text", stack=(StackFrame("f.m", "f", 3),))

    def test_properties(self) -> None:
        ME = ExceptionValue(self.error())
        assert field(ME, "identifier").text() == "a:b"
        assert field(ME, "message").text() == "text"
        assert field(field(ME, "stack"), "line") == 3.0
        assert size_of(field(ME, "cause")) == (0, 0)

    def test_properties_are_read_only(self) -> None:
        ME = ExceptionValue(self.error())
        path = ((".", "message"),)
        assert identifier_of(lambda: assign_path(ME, path, char("x"))) == (
            "MATLAB:class:SetProhibited"
        )

    def test_unknown_property(self) -> None:
        assert identifier_of(lambda: field(ExceptionValue(self.error()), "nope")) == (
            "MATLAB:noSuchMethodOrField"
        )

    def test_methods(self) -> None:
        ME = ExceptionValue(self.error())
        with pytest.raises(MatlabError, match="text") as caught:
            call(ME, "rethrow", nargout=0)
        assert caught.value.stack == ME.error.stack
        with pytest.raises(MatlabError) as thrown:
            call(ME, "throw", nargout=0)
        assert thrown.value.stack == ()
        both = call(ME, "addCause", ExceptionValue(MatlabError("c:d", "why")))
        assert field(brace(field(both, "cause"), (1.0,)), "message").text() == "why"
        assert size_of(field(ME, "cause")) == (0, 0)


class TestHandle:
    def test_calling(self) -> None:
        f = FunctionHandle(lambda nargout, x: x + nargout, "f")
        assert index(f, (2.0,)) == 3.0

    def test_equality(self) -> None:
        def fn(nargout: int) -> None: ...

        assert FunctionHandle(fn, "sin").same(FunctionHandle(lambda n: None, "sin"))
        one = FunctionHandle(lambda n: None, "", "@()1")
        other = FunctionHandle(lambda n: None, "", "@()1")
        assert one.same(one.share())
        assert not one.same(other)
