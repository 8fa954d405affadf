"""Arithmetic: classes that mix, saturation, expansion, empties, NaN, complex by value."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError, Session
from runmat_core.values import Array, arithmetic, assign, dispatch, to_numpy

inf, nan = math.inf, math.nan
Ev = Callable[[str], tuple[str, tuple[int, ...], list[Any]]]

SCALAR = (1, 1)

INTEGERS = [
    ("uint8(200) + 100", "uint8", 255),
    ("uint8(5) - 10", "uint8", 0),
    ("int32(7) / 2", "int32", 4),
    ("int32(5) / 3", "int32", 2),
    ("int32(5) / 2", "int32", 3),
    ("int32(-5) / 2", "int32", -3),
    ("5 / int32(2)", "int32", 3),
    ("uint8(2.5)", "uint8", 3),
    ("int8(-2.5)", "int8", -3),
    ("uint8(NaN)", "uint8", 0),
    ("int32(Inf)", "int32", 2147483647),
    ("int32(-Inf)", "int32", -2147483648),
    ("int32(5) / 0", "int32", 2147483647),
    ("int32(-5) / 0", "int32", -2147483648),
    ("int32(0) / 0", "int32", 0),
    ("-int8(-128)", "int8", 127),
    ("abs(int8(-128))", "int8", 127),
    ("int8(100) * 2", "int8", 127),
    ("int8(5) .^ 2", "int8", 25),
    ("int8(5) .^ 9", "int8", 127),
    ("uint8(7) + true", "uint8", 8),
    ("int64(2)^53 + 1", "int64", 9007199254740993),
    ("int64(9007199254740992) + 1", "int64", 9007199254740993),
    ("(int64(2)^53 + 1) * int64(3)", "int64", 27021597764222979),
    ("intmax('int64') - int64(1)", "int64", 9223372036854775806),
    ("intmax('int64') + 1", "int64", 9223372036854775807),
    ("intmin('int64') - 1", "int64", -9223372036854775808),
    ("intmax('uint64') - 1", "uint64", 18446744073709551614),
    ("uint64(3) - 5", "uint64", 0),
    ("bitor(uint8(5), uint8(2))", "uint8", 7),
    ("idivide(int32(7), int32(2))", "int32", 3),
]


@pytest.mark.parametrize(("code", "cls", "value"), INTEGERS, ids=[c for c, *_ in INTEGERS])
def test_integers_round_and_saturate(ev: Ev, code: str, cls: str, value: int) -> None:
    assert ev(code) == (cls, SCALAR, [value])


CLASSES = [
    ("single(1) + 1", "single"),
    ("single(1) * true", "single"),
    ("true + true", "double"),
    ("-true", "double"),
    ("+true", "double"),
    ("'a' + 1", "double"),
    ("'a' * 1", "double"),
    ("1:single(3)", "single"),
    ("int8(1):3", "int8"),
    ("'a':'e'", "char"),
    ("single(2) ^ 2", "single"),
    ("[1 2] == [1 3]", "logical"),
    ("~5", "logical"),
    ("int8([1 2 3]) .* 2", "int8"),
    ("int8([1 2 3]) + int8(1)", "int8"),
    ("single(1i)", "single"),
    ("[single(1) 2]", "single"),
    ("[int8(1) 3.7]", "int8"),
    ("[int8(100) int16(1000)]", "int8"),
    ("[true 2]", "double"),
    ("[true false]", "logical"),
    ("['a' 66]", "char"),
]


@pytest.mark.parametrize(("code", "cls"), CLASSES, ids=[c for c, _ in CLASSES])
def test_class_of_the_result(ev: Ev, code: str, cls: str) -> None:
    assert ev(code)[0] == cls


VALUES = [
    ("true + true", [2.0]),
    ("'a' + 1", [98.0]),
    ("single(16777216) + 1", [16777216.0]),
    ("1/0", [inf]),
    ("-1/0", [-inf]),
    ("1/-0", [-inf]),
    ("0^0", [1.0]),
    ("0^-1", [inf]),
    ("Inf - Inf", [nan]),
    ("0 * Inf", [nan]),
    ("2^-1", [0.5]),
    ("(-2)^3", [-8.0]),
    ("1e308 * 10", [inf]),
    ("1e200^2", [inf]),
    ("(-1e200)^3", [-inf]),
    ("[1 2 3] .^ 2", [1.0, 4.0, 9.0]),
    ("2 .^ [1 2 3]", [2.0, 4.0, 8.0]),
    ("[1 2; 3 4] ^ 2", [7.0, 15.0, 10.0, 22.0]),
    ("2 ^ [1 0; 0 2]", [2.0, 0.0, 0.0, 4.0]),
    ("[1 2 3] / 2", [0.5, 1.0, 1.5]),
    ("2 \\ [2 4]", [1.0, 2.0]),
    ("2 .\\ [2 4]", [1.0, 2.0]),
    ("[2 4] .\\ 2", [1.0, 0.5]),
    ("[1 2; 3 4] * [5; 6]", [17.0, 39.0]),
    ("[1 2 3]'", [1.0, 2.0, 3.0]),
    ("NaN == NaN", [False]),
    ("NaN ~= NaN", [True]),
    ("3 & 0", [False]),
    ("xor(true, false)", [True]),
    ("~[1 0 2]", [False, True, False]),
    ("-2^2", [-4.0]),
    ("2^3^2", [64.0]),
    ("2^-1^2", [0.25]),
    ("[int8(1) 3.7]", [1, 4]),
    ("[int8(100) int16(1000)]", [100, 127]),
    ("int8(1):3", [1, 2, 3]),
    ("5:-2:1", [5.0, 3.0, 1.0]),
    ("[1+2i 3]'", [1 - 2j, 3 + 0j]),
    ("[1+2i 3].'", [1 + 2j, 3 + 0j]),
    ("3 + 4i > 2 + 9i", [True]),
    ("1i * 1i", [-1.0]),
    ("sqrt(-4)", [2j]),
    ("[4 -4] .^ 0.5", [2 + 0j, 2j]),
    ("(-8)^(1/3)", [1 + 1.7320508075688772j]),
    ("log(-1)", [math.pi * 1j]),
    ("complex(1, 0) + 1", [2.0]),
]


@pytest.mark.parametrize(("code", "values"), VALUES, ids=[c for c, _ in VALUES])
def test_values(ev: Ev, code: str, values: list[Any]) -> None:
    result = ev(code)[2]
    assert result == pytest.approx(values, nan_ok=True, rel=1e-14, abs=1e-15)
    assert [type(x) for x in result] == [type(x) for x in values]


SIZES = [
    ("ones(3,4) + ones(3,4,5)", (3, 4, 5)),
    ("ones(3,1) + ones(1,1,3)", (3, 1, 3)),
    ("ones(3,1) + ones(1,4)", (3, 4)),
    ("ones(2,0) + ones(2,1)", (2, 0)),
    ("[] + 5", (0, 0)),
    ("[] == []", (0, 0)),
    ("zeros(0,3) * zeros(3,2)", (0, 2)),
    ("zeros(3,0) * zeros(0,2)", (3, 2)),
    ("zeros(0,3)'", (3, 0)),
    ("1:0", (1, 0)),
    ("5:1", (1, 0)),
    ("ones(2,3,1,1)", (2, 3)),
    ("ones(2,3,0)", (2, 3, 0)),
    ("[zeros(1,0) 1]", (1, 1)),
    ("[[] 1 2]", (1, 2)),
    ("[1 2; 3 4; 5 6]", (3, 2)),
    ("cat(3, 1, 2)", (1, 1, 2)),
    ("[zeros(0,2); 1 2]", (1, 2)),
]


@pytest.mark.parametrize(("code", "size"), SIZES, ids=[c for c, _ in SIZES])
def test_size_of_the_result(ev: Ev, code: str, size: tuple[int, ...]) -> None:
    assert ev(code)[1] == size


ERRORS = [
    ("int8(1) + int16(1)", "MATLAB:mixedClasses"),
    ("int8(1) + single(1)", "MATLAB:mixedClasses"),
    ("int8([1 2]) + [1 2]", "MATLAB:mixedClasses"),
    ("int8([1 2; 3 4]) * int8([1 2; 3 4])", "MATLAB:mtimes:integerNotSupported"),
    ("[1 2 3] + [1 2]", "MATLAB:sizeDimensionsMustMatch"),
    ("'abc' == 'ab'", "MATLAB:sizeDimensionsMustMatch"),
    ("ones(2,3) * ones(2,3)", "MATLAB:innerdim"),
    ("[1 2; 3 4] \\ [1 2 3]'", "MATLAB:dimagree"),
    ("[1 2; 3]", "MATLAB:catenate:dimensionMismatch"),
    ("[ones(2,2) ones(3,3)]", "MATLAB:catenate:dimensionMismatch"),
    ("{1} + 1", "MATLAB:UndefinedFunction"),
    ("struct('a', 1) * 2", "MATLAB:UndefinedFunction"),
    ("ones(2, 3) ^ 2", "MATLAB:square"),
    ("~NaN", "MATLAB:nologicalnan"),
    ("NaN & 1", "MATLAB:nologicalnan"),
    ("int8(1i)", "MATLAB:complexIntegerConversion"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS, ids=[c for c, _ in ERRORS])
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.run(f"r = {code};")
    assert caught.value.identifier.startswith(identifier)


def test_an_operator_error_names_the_operator_and_the_class(session: Session) -> None:
    with pytest.raises(MatlabError) as caught:
        session.run("c = {1}; c + 1;")
    assert caught.value.message == "Operator '+' is not supported for operands of type 'cell'."


RANGES = [
    ("0:0.1:0.3", 4, 0.3),
    ("0:0.1:1", 11, 1.0),
    ("1:3", 3, 3.0),
    ("10:-3:1", 4, 1.0),
    ("0:0.25:1", 5, 1.0),
]


@pytest.mark.parametrize(("code", "count", "last"), RANGES, ids=[c for c, *_ in RANGES])
def test_ranges_end_exactly(ev: Ev, code: str, count: int, last: float) -> None:
    elements = ev(code)[2]
    assert (len(elements), elements[-1]) == (count, last)


def test_ranges_count_from_both_ends(ev: Ev) -> None:
    difference = ev("x = 0:.1:.3; y = 0:.1:.4; r = x - y(1:4);")[2]
    assert difference == pytest.approx([0, 0, -2.776e-17, -5.551e-17], abs=1e-20)
    assert ev("r = isequal(0:.1:1, linspace(0, 1, 11));")[2] == [False]


def test_demotion_and_complex_with_zero_imaginary_part(ev: Ev) -> None:
    assert ev("isreal(1i * 1i)")[2] == [True]
    assert ev("isreal(complex(1, 0))")[2] == [False]
    assert ev("x = [1i 2]; r = x - 1i;")[0] == "double"


def test_powers_of_complex_arrays_without_an_axis() -> None:
    for base, exponent, expected in (
        (1 + 2j, 0.0, 1),
        (0j, 0.0, 1),
        (-8.0, 1 / 3, 1 + 3**0.5 * 1j),
    ):
        found = arithmetic._power(np.asarray(base), np.asarray(exponent))
        np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("size", [(1, 3), (3, 1), (2, 2), (2, 3, 2)])
@pytest.mark.parametrize("name", ["plus", "minus", "times", "rdivide", "mtimes", "mrdivide"])
def test_small_arrays_give_what_the_tables_rule_gives(name: str, size: tuple[int, ...]) -> None:
    """Loops over them skip the table of operators."""
    x = np.arange(1.0, np.prod(size) + 1).reshape(size, order="F")
    x.flat[0] = np.inf
    operator = getattr(dispatch, name)
    for other in (Array(-x), 2.0, 0.0, math.nan, Array(np.ones((1, 1, 2), order="F"))):
        a = Array(np.asfortranarray(x))
        rule = dispatch.HOST_RULES[name]
        try:
            expected = rule(a, other)
        except MatlabError as problem:
            with pytest.raises(MatlabError, match=re.escape(str(problem))):
                operator(a, other)
            continue
        found = operator(a, other)
        assert type(found) is type(expected)
        np.testing.assert_array_equal(to_numpy(found), to_numpy(expected))
        assert to_numpy(found).flags.f_contiguous
        assert to_numpy(a).tolist() == x.tolist()


def test_products_of_small_matrices() -> None:
    a = Array(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], order="F"))
    b = Array(np.array([[1.0, 0.0, -1.0], [2.0, 1.0, 0.0]], order="F"))
    product = dispatch.mtimes(a, b)
    assert product.data.tolist() == [[5, 2, -1], [11, 4, -3], [17, 6, -5]]
    assert product.data.flags.f_contiguous
    row, column = Array(np.array([[1.0, 2.0]])), Array(np.array([[3.0], [4.0]]))
    assert dispatch.mtimes(row, column) == 11.0
    assert dispatch.mtimes(row, column).__class__ is float
    infinite = Array(np.array([[np.inf, 1.0], [0.0, np.nan]], order="F"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(dispatch.mtimes(infinite, infinite).data).any()
    with pytest.raises(MatlabError, match="Incorrect dimensions"):
        dispatch.mtimes(a, a)
    empty = dispatch.mtimes(a, Array(np.zeros((2, 0), order="F")))
    assert empty.data.shape == (3, 0)


def test_transposes_of_small_arrays_are_arrays_of_their_own() -> None:
    a = Array(np.array([[1.0, 2.0], [3.0, 4.0]], order="F"))
    turned = dispatch.ctranspose(a)
    turned = assign(turned, (1.0, 2.0), 9.0)
    assert turned.data.tolist() == [[1, 9], [2, 4]]
    assert a.data.tolist() == [[1, 2], [3, 4]]
    row = Array(np.array([[1.0, 2.0]]))
    column = assign(dispatch.ctranspose(row), (1.0,), 9.0)
    assert column.data.tolist() == [[9], [2]]
    assert row.data.tolist() == [[1, 2]]
