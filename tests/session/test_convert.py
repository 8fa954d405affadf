"""Python objects into a session and out again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runmat_core as rm


@pytest.fixture(scope="module")
def s() -> rm.Session:
    return rm.Session()


@pytest.mark.parametrize(
    ("value", "class_name", "size"),
    [
        (1.5, "double", [1, 1]),
        (3, "double", [1, 1]),
        (True, "logical", [1, 1]),
        (1 + 2j, "double", [1, 1]),
        ("text", "char", [1, 4]),
        ("", "char", [0, 0]),
        (None, "double", [0, 0]),
        ([1, "a"], "cell", [1, 2]),
        ([], "cell", [0, 0]),
        ({"a": 1, "b": "x"}, "struct", [1, 1]),
        (np.arange(3), "int64", [1, 3]),
        (np.float32(2), "single", [1, 1]),
        (np.float64(2), "double", [1, 1]),
        (np.bool_(True), "logical", [1, 1]),
        (np.zeros((2, 3, 4)), "double", [2, 3, 4]),
        (np.zeros((2, 0), np.uint8), "uint8", [2, 0]),
        (np.array(["a", "b"]), "string", [1, 2]),
        (np.array([[1, None]], object), "cell", [1, 2]),
    ],
)
def test_classes_and_sizes(s: rm.Session, value: Any, class_name: str, size: list[int]) -> None:
    s["v"] = value
    assert s.eval("class(v)") == class_name
    assert s.eval("size(v)").tolist() == [size]


@pytest.mark.parametrize(
    "value",
    [
        1.5,
        float("inf"),
        True,
        1 + 2j,
        "text",
        "",
        "naïve 🙂",
        [1.0, "a", [True]],
        {"a": 1.0, "b": {"c": "x"}},
        [],
    ],
    ids=repr,
)
def test_what_goes_in_comes_out(s: rm.Session, value: Any) -> None:
    s["v"] = value
    got = s["v"]
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("['ab';'cd']", ["ab", "cd"]),
        ('"text"', "text"),
        ("{1, 'a'; true, []}", None),
        ("struct('a', {1, 2})", [{"a": 1.0}, {"a": 2.0}]),
        ("containers.Map({'k','l'}, [1 2])", {"k": 1.0, "l": 2.0}),
    ],
)
def test_what_comes_out(s: rm.Session, code: str, value: Any) -> None:
    got = s.eval(code)
    if value is None:
        assert isinstance(got, np.ndarray)
        assert got.shape == (2, 2)
        assert got[0, 1] == "a"
        assert got[1, 0] is True
    else:
        assert got == value


def test_string_arrays_come_as_object_arrays(s: rm.Session) -> None:
    got = s.eval('["a" "b"; "c" missing]')
    assert got.tolist() == [["a", "b"], ["c", None]]


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "bool", "c16"])
def test_arrays_keep_class_and_elements(s: rm.Session, dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    if dtype == "c16":
        array = array + 1j
    s["A"] = array
    assert s["A"].dtype == array.dtype
    assert np.array_equal(s["A"], array)
    assert s.eval("A(2,1)") == array[1, 0]


def test_column_major_arrays_cross_without_a_copy(s: rm.Session) -> None:
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    s["A"] = array
    assert np.shares_memory(s["A"], array)
    row = np.arange(4.0)
    s["r"] = row
    assert np.shares_memory(s["r"], row)
    assert np.shares_memory(s["A"], s["A"])


def test_writing_in_the_session_leaves_python_s_array_alone(s: rm.Session) -> None:
    array = np.asfortranarray(np.zeros((2, 2)))
    s["A"] = array
    s.run("A(1) = 5;")
    assert array[0, 0] == 0
    assert s["A"][0, 0] == 5
    seen = s["A"]
    s.run("A(1) = 6;")
    assert seen[0, 0] == 5


def test_what_comes_out_is_read_only(s: rm.Session) -> None:
    s.run("A = zeros(2);")
    with pytest.raises(ValueError, match="read-only"):
        s["A"][0, 0] = 1


def test_function_handles_become_callables_and_back(s: rm.Session) -> None:
    s.run("f = @(x, y) x + 2*y;")
    f = s["f"]
    assert f(1, 2) == 5.0
    s["g"] = lambda x: x * 10
    assert s.eval("g(4)") == 40.0
    assert s.eval("cellfun(g, {1, 2})").tolist() == [[10.0, 20.0]]
    s["h"] = f
    assert s.eval("h(1, 1)") == 3.0


def test_errors_in_python_callbacks_reach_the_program(s: rm.Session) -> None:
    def refuse(x: float) -> float:
        raise rm.MatlabError("py:no", "not this one")

    s["g"] = refuse
    s.run("try, g(1); catch e, id = e.identifier; end")
    assert s["id"] == "py:no"


def test_sparse_matrices(s: rm.Session) -> None:
    got = s.eval("sparse([1 2], [1 2], [3 4])")
    assert got.toarray().tolist() == [[3.0, 0.0], [0.0, 4.0]]
    s["S"] = got
    assert s.eval("full(S(2,2))") == 4.0


@pytest.mark.parametrize("value", [object(), {1: 2}, {"not a name": 1}, np.zeros(2, "V3")])
def test_what_has_no_matlab_value_is_an_error(s: rm.Session, value: Any) -> None:
    with pytest.raises(rm.MatlabError):
        s["v"] = value
