"""Operators on large and pending arrays: what is captured, what is not, and with which results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.accel import context
from runmat_core.accel.capture import operators
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.api.errors import MatlabError
from runmat_core.api.operators import OPERATORS
from runmat_core.values import (
    Array,
    and_,
    dispatch,
    from_numpy,
    ge,
    ldivide,
    lt,
    minus,
    mldivide,
    mpower,
    mrdivide,
    mtimes,
    not_,
    plus,
    power,
    rdivide,
    times,
    to_numpy,
    uminus,
    uplus,
)
from runmat_core.values.deferred import Deferred, settled
from tests.accel.referee import Referee

Rule = Callable[..., Any]


def matrix(*shape: int) -> Any:
    return from_numpy(np.random.default_rng(len(shape)).normal(size=shape))


def eager(function: Rule, *operands: Any) -> Any:
    with context.running(None):
        return to_numpy(function(*operands))


def agree(function: Rule, *operands: Any) -> Any:
    """The captured result, after it was found equal to the eager one."""
    referee = Referee()
    got = referee.run(function, *operands)
    assert got.__class__ is Deferred
    cls = got.class_name
    want = eager(function, *operands)
    assert np.array_equal(got.data, want, equal_nan=True)
    assert got.data.dtype == want.dtype
    assert cls == from_numpy(want.repeat(2)).class_name
    return got


@pytest.mark.parametrize(
    "function", [plus, minus, times, rdivide, ldivide, lt, ge], ids=lambda f: f.__name__
)
def test_two_arrays_an_array_and_a_number(function: Rule) -> None:
    a, b = matrix(3, 4), matrix(1, 4)
    agree(function, a, b)
    agree(function, a, 2.5)
    agree(function, 2.5, a)
    agree(function, a, True)


def test_python_s_operators_capture_as_well() -> None:
    referee = Referee()
    a = matrix(3, 4)
    found = referee.run(lambda: -(a + 1.0) * 2.0 - a)
    assert found.__class__ is Deferred
    assert np.array_equal(found.data, -(a.data + 1.0) * 2.0 - a.data)


def test_matrix_operators_with_a_scalar_are_elementwise() -> None:
    a, one = matrix(3, 4), from_numpy(np.array([[3.0]], np.float32))
    for function, operands in (
        (mtimes, (a, 2.0)),
        (mtimes, (one, a)),
        (mrdivide, (a, 3.0)),
        (mldivide, (3.0, a)),
    ):
        got = agree(function, *operands)
        assert isinstance(got, Array)


def test_matrix_operators_of_matrices_are_not_elementwise() -> None:
    referee = Referee()
    a = matrix(3, 3)
    pending = referee.run(plus, a, 1.0)
    for function in (mtimes, mrdivide, mldivide):
        found = settled(referee.run(function, pending, a))
        with context.running(None):
            want = to_numpy(function(from_numpy(a.data + 1.0), a))
        assert np.allclose(to_numpy(found), want), function.__name__
    assert np.allclose(
        to_numpy(settled(referee.run(mpower, pending, 2.0))), (a.data + 1) @ (a.data + 1)
    )


def test_a_pending_scalar_meets_scalars() -> None:
    referee = Referee()
    total = referee.call("sum", matrix(1, 5))
    assert total.shape == (1, 1)
    assert referee.run(mpower, total, 2.0).__class__ is Deferred
    assert referee.run(mrdivide, 1.0, total).__class__ is Deferred


def test_small_arrays_are_left_alone() -> None:
    referee = Referee()
    referee.seat.threshold = 10
    assert referee.run(plus, matrix(3, 3), 1.0).__class__ is Array
    assert referee.run(plus, matrix(3, 4), 1.0).__class__ is Deferred
    assert referee.run(uminus, matrix(3, 3)).__class__ is Array


def test_without_an_engine_nothing_is_captured() -> None:
    Referee()
    with context.running(None):
        assert plus(matrix(3, 4), 1.0).__class__ is Array


def test_sizes_that_do_not_match_are_told_at_once() -> None:
    referee = Referee()
    with pytest.raises(MatlabError) as caught:
        referee.run(plus, matrix(2, 3), matrix(3, 2))
    assert caught.value.identifier == "MATLAB:sizeDimensionsMustMatch"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.ones((2, 3)) + 1j, 1.0),
        (np.ones((2, 3), np.int64), np.ones((2, 3), np.int64)),
        (np.ones((2, 3), np.int8), 1.0 + 2.0j),
    ],
    ids=["complex", "int64", "complex scalar"],
)
def test_what_does_not_fuse_goes_to_the_host_rule(a: Any, b: Any) -> None:
    referee = Referee()
    x = from_numpy(a)
    y = b if b.__class__ is float else from_numpy(np.asarray(b))
    outcomes = []
    for seat in (referee.seat, None):
        with context.running(seat):
            try:
                outcomes.append(to_numpy(plus(x, y)).tolist())
            except MatlabError as error:
                outcomes.append(error.identifier)
    assert outcomes[0] == outcomes[1]


def test_integers_that_do_not_mix_are_the_host_rule_s_error() -> None:
    referee = Referee()
    x = referee.run(plus, from_numpy(np.ones((2, 3), np.int8)), 1.0)
    with pytest.raises(MatlabError, match="Integers can only be combined"):
        referee.run(plus, x, from_numpy(np.ones((2, 3), np.int16)))


# -- powers ----------------------------------------------------------------------------------------


def test_a_fractional_power_of_a_negative_number_is_complex() -> None:
    referee = Referee()
    x = from_numpy(np.array([[4.0, -4.0, 9.0]]))
    found = referee.run(power, x, 0.5)
    assert found.promise.node.guarded
    assert np.allclose(found.data, np.array([[2, 2j, 3]]))
    assert referee.fired == ["power"]


def test_a_guard_that_does_not_fire_costs_nothing() -> None:
    referee = Referee()
    found = referee.run(power, from_numpy(np.array([[4.0, 0.0, 9.0]])), 0.5)
    assert found.data.tolist() == [[2, 0, 3]]
    assert not referee.fired


def test_powers_of_integers_are_never_complex() -> None:
    agree(power, from_numpy(np.array([[-3, 2, 100]], np.int8)), 0.5)
    agree(power, from_numpy(np.array([[-3, 2, 100]], np.int8)), 3.0)


@pytest.mark.parametrize(("exponent", "op"), [(2.0, "mul"), (3.0, "pow"), (0.5, "pow")])
def test_squares_are_products(exponent: float, op: str) -> None:
    from runmat_core.accel.graph.fragments import code_of

    referee = Referee()
    node = referee.run(power, matrix(3, 4), exponent).promise.node
    code = code_of(node).fragment
    assert code is not None
    assert [instr.op for instr in code.code if instr.op in ("mul", "pow")] == [op]


# -- logic -----------------------------------------------------------------------------------------


def test_logic_of_logicals_and_integers_is_captured() -> None:
    mask = from_numpy(np.array([[True, False, True]]))
    whole = from_numpy(np.array([[0, 2, 3]], np.int32))
    agree(and_, mask, whole)
    agree(not_, mask)


def test_logic_of_floats_is_a_sink_unless_nan_is_ruled_out() -> None:
    referee = Referee()
    x = from_numpy(np.array([[1.0, np.nan]]))
    with pytest.raises(MatlabError, match="NaN"):
        referee.run(not_, x)
    assert referee.run(not_, referee.run(lt, x, 1.0)).__class__ is Deferred
    rounded = referee.call("int8", x)
    assert referee.run(and_, rounded, True).data.tolist() == [[True, False]]


# -- signs -----------------------------------------------------------------------------------------


def test_negation_saturates() -> None:
    found = agree(uminus, from_numpy(np.array([[-128, 5]], np.int8)))
    assert found.data.tolist() == [[127, -5]]
    agree(uminus, from_numpy(np.array([[200, 5]], np.uint8)))
    agree(uminus, from_numpy(np.array([[0.0, -0.0, 2.0]])))


def test_plus_of_a_pending_array_is_another_wrapper_of_it() -> None:
    referee = Referee()
    x = referee.run(plus, matrix(2, 3), 1.0)
    same = referee.run(uplus, x)
    assert same is not x
    assert same.promise.node is x.promise.node
    mask = referee.run(lt, matrix(2, 3), 0.0)
    assert to_numpy(settled(referee.run(uplus, mask))).dtype == np.float64


# -- the table -------------------------------------------------------------------------------------


def test_installing_again_only_lowers_the_bound() -> None:
    Referee()
    before = dict(dispatch.OPERATORS)
    operators.install(1 << 40)
    assert before == dispatch.OPERATORS
    assert operators._bound.size <= 1


def test_builtins_make_the_nodes_of_their_operators() -> None:
    referee = Referee()
    x = matrix(2, 3)
    for name in OPERATORS:
        if name == "uminus":
            found = referee.call(name, x)
        elif name in ("and", "or", "not"):
            mask = referee.run(lt, x, 0.0)
            found = referee.call(name, *([mask] * (1 if name == "not" else 2)))
        else:
            found = referee.call(name, x, 2.0)
        assert found.promise.node.op is OPERATIONS[name].op


def test_installing_again_keeps_products_of_matrices() -> None:
    from runmat_core.accel.capture.install import install

    install()
    rule = dispatch.OPERATORS["mtimes"]
    operators.install(1)
    assert dispatch.OPERATORS["mtimes"] is rule
