"""Reductions and scans: their code gives what their host rules give, however they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from runmat_core.accel.ops.reductions import reduced_shape
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Reduction, Scan
from runmat_core.values import DTYPE, char, from_numpy, to_numpy
from runmat_core.values.deferred import Deferred
from tests.accel.referee import Referee, by_host
from tests.accel.test_fusion import core_names, spec_of

Data = NDArray[Any]

REDUCTIONS = core_names(Reduction)
SCANS = core_names(Scan)
CLASSES = ("double", "single", "logical", "int8", "uint8", "int32", "int64")
NOTHING = from_numpy(np.zeros((0, 0)))

#: Sums of sevenths are rounded; of what is not here, results are exact for the elements drawn.
ULPS = {"mean": 2.0, "var": 16.0, "std": 16.0, "norm": 8.0, "prod": 0.0}


def elements(cls: str, shape: tuple[int, ...], seed: int, missing: bool) -> Data:
    """Small multiples of a quarter, so that sums are exact; NaN among them if `missing`."""
    rng = np.random.default_rng(seed)
    if cls == "logical":
        return np.asfortranarray(rng.random(shape) < 0.6)
    low = 0 if cls[0] == "u" else -9
    drawn = rng.integers(low, 9, size=shape).astype(DTYPE[cls])
    if cls in ("double", "single"):
        drawn /= 4
        if missing:
            drawn[rng.random(shape) < 0.3] = np.nan
    return np.asfortranarray(drawn)


def dims(axes: tuple[int, ...]) -> Any:
    return from_numpy(np.array([[axis + 1.0 for axis in axes]]))


@st.composite
def calls(draw: st.DrawFn, form: str) -> tuple[Data, tuple[Any, ...]]:
    """An array and the further arguments of a call of a builtin with this argument form."""
    cls = draw(st.sampled_from(CLASSES))
    rank = draw(st.integers(2, 4))
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=rank, max_size=rank)))
    if form == "norm":
        shape = draw(st.sampled_from([(1, 5), (4, 1), (3, 3)]))
    x = elements(cls, shape, draw(st.integers(0, 99)), draw(st.booleans()))
    axes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3, unique=True))
    where = draw(st.sampled_from(["", "dim", "dims", "all"]))
    plain: list[Any] = []
    words: list[str] = []
    if form in ("all", "norm"):
        powers = [(), (1.0,), (2.0,), (np.inf,), (-np.inf,), (char("fro"),), (char("inf"),)]
        return x, draw(st.sampled_from(powers)) if form == "norm" else ()
    if where == "dim":
        plain = [float(axes[0] + 1)]
    elif where == "dims":
        plain = [dims(tuple(axes))]
    elif where == "all":
        words = ["all"]
    if form == "extremum" and (plain or words):
        plain = [NOTHING, *plain]
    if form == "moment" and (plain or draw(st.booleans())):
        plain = [draw(st.sampled_from([NOTHING, 0.0, 1.0])), *plain]
    words += draw(st.sampled_from([[], ["omitnan"], ["includenan"]]))
    return x, (*plain, *map(char, words))


def assert_near(got: Any, want: Any, ulps: float) -> None:
    found, wanted = to_numpy(got), to_numpy(want)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if found.dtype.kind != "f":
        assert np.array_equal(found, wanted)
        return
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(wanted), 0.25)
        off = np.abs(found - wanted) / np.spacing(scale)
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    assert (same | (off <= ulps)).all()


def compare(name: str, x: Data, rest: tuple[Any, ...], outputs: int) -> bool:
    """Whether the call fused; its results are then those of the host rule."""
    referee = Referee()
    try:
        want = by_host(name, from_numpy(x), *rest, nargout=outputs)
    except MatlabError:
        want = None
    got = referee.call(name, from_numpy(x), *rest, nargout=outputs)
    if got is NotImplemented:
        return False
    assert want is not None, "what is an error does not fuse"
    several = got if isinstance(got, tuple) else (got,)
    for one, wanted in zip(several, want if outputs > 1 else (want,), strict=True):
        assert one.__class__ is Deferred
        assert (one.shape, DTYPE[one.class_name]) == (
            to_numpy(wanted).shape,
            to_numpy(wanted).dtype,
        )
        assert_near(one, wanted, ULPS.get(name, 0.0))
    return True


@pytest.mark.parametrize("name", REDUCTIONS)
@given(data=st.data())
@settings(max_examples=25)
def test_reductions_give_what_host_rules_give(name: str, data: st.DataObject) -> None:
    spec = spec_of(name)
    x, rest = data.draw(calls(spec.form))
    outputs = data.draw(st.integers(1, spec.outputs))
    if name == "range" and len(rest) > 1:
        rest = rest[:1]  # the call with flags is refused before anything is captured
    compare(name, x, rest, outputs)


@pytest.mark.parametrize("name", SCANS)
@given(data=st.data())
@settings(max_examples=25)
def test_scans_give_what_host_rules_give(name: str, data: st.DataObject) -> None:
    x, _ = data.draw(calls("all"))
    rest: list[Any] = data.draw(st.sampled_from([[], [1.0], [2.0], [3.0]]))
    words = data.draw(st.sampled_from([[], ["reverse"], ["forward"]]))
    compare(name, x, (*rest, *map(char, words)), 1)


@pytest.mark.parametrize("name", [*REDUCTIONS, *SCANS])
@pytest.mark.parametrize("cls", ["double", "single"])
def test_vectors_of_floats_fuse(name: str, cls: str) -> None:
    assert compare(name, elements(cls, (1, 7), 1, missing=False), (), 1)


@pytest.mark.parametrize("name", [n for n in REDUCTIONS if spec_of(n).form == "sum"])
@pytest.mark.parametrize("rest", [(1.0,), (2.0,), (dims((0, 1)),), (char("all"),)])
def test_dimensions_of_matrices_fuse(name: str, rest: tuple[Any, ...]) -> None:
    assert compare(name, elements("double", (3, 4), 2, missing=True), rest, 1)


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("max", (NOTHING, 1.0)),
        ("min", (NOTHING, dims((0, 2)))),
        ("max", (NOTHING, char("all"))),
        ("std", (1.0, 2.0)),
        ("var", (NOTHING, dims((0, 1)))),
        ("var", (0.0, char("all"))),
        ("mean", (1.0, char("omitnan"))),
    ],
)
def test_forms_with_dimensions_fuse(name: str, rest: tuple[Any, ...]) -> None:
    assert compare(name, elements("double", (3, 4, 2), 3, missing=False), rest, 1)


@pytest.mark.parametrize("name", ["max", "min", "bounds"])
@pytest.mark.parametrize("cls", CLASSES)
def test_two_outputs_fuse(name: str, cls: str) -> None:
    assert compare(name, elements(cls, (3, 4), 4, missing=True), (), 2)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_nodes_of_reductions_know_their_host_rule(name: str) -> None:
    spec = spec_of(name)
    referee = Referee()
    x = from_numpy(elements("double", (1, 7) if spec.form == "norm" else (3, 4), 5, missing=True))
    plain: tuple[Any, ...] = {
        "sum": (2.0,),
        "extremum": (NOTHING, 2.0),
        "moment": (1.0, 2.0),
        "norm": (1.0,),
        "all": (),
    }[spec.form]
    got = referee.call(name, x, *plain)
    node = got.promise.node
    with np.errstate(all="ignore"):
        found = node.op.host(node, x)
    assert_near(found, by_host(name, x, *plain), 0.0)


def test_host_rules_of_nodes_see_flags_and_outputs() -> None:
    referee = Referee()
    x = from_numpy(elements("double", (3, 4), 6, missing=True))
    left_out = referee.call("sum", x, 1.0, char("omitnan")).promise.node
    assert_near(left_out.op.host(left_out, x), by_host("sum", x, 1.0, char("omitnan")), 0.0)
    kept = referee.call("max", x, NOTHING, 1.0, char("includenan")).promise.node
    want = by_host("max", x, NOTHING, 1.0, char("includenan"))
    assert_near(kept.op.host(kept, x), want, 0.0)
    value, place = referee.call("min", x, NOTHING, 2.0, nargout=2)
    whole = value.promise.node.inputs[0]
    assert place.promise.node.inputs[0] is whole
    for found, wanted in zip(
        whole.op.host(whole, x), by_host("min", x, NOTHING, 2.0, nargout=2), strict=True
    ):
        assert_near(found, wanted, 0.0)


@pytest.mark.parametrize("name", SCANS)
def test_nodes_of_scans_know_their_host_rule(name: str) -> None:
    referee = Referee()
    x = from_numpy(elements("double", (3, 4), 7, missing=False))
    node = referee.call(name, x, 2.0, char("reverse")).promise.node
    assert_near(node.op.host(node, x), by_host(name, x, 2.0, char("reverse")), 0.0)


@pytest.mark.parametrize("name", [*REDUCTIONS, *SCANS])
def test_what_is_empty_is_for_the_host_rule(name: str) -> None:
    referee = Referee()
    empty = from_numpy(np.zeros((0, 3)))
    pending = referee.call("plus", empty, from_numpy(np.ones((1, 3))))
    assert pending.shape == (0, 3)
    assert referee.call(name, pending) is NotImplemented


@pytest.mark.parametrize("name", ["max", "min", "bounds", "range", "sum", "mean", "std"])
@pytest.mark.parametrize("word", ["omitnan", "includenan"])
def test_what_is_said_of_nan_is_heard(name: str, word: str) -> None:
    compare(name, np.array([[1.0, np.nan, 3.0]]), (char(word),), 1)


def test_shapes_lose_trailing_ones() -> None:
    assert reduced_shape((2, 3, 4), (2,)) == (2, 3)
    assert reduced_shape((2, 3, 4), (1,)) == (2, 1, 4)
    assert reduced_shape((2, 3, 4), (0, 1, 2)) == (1, 1)


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("rest", [(), (2.0,)])
def test_weights_fuse(name: str, rest: tuple[Any, ...]) -> None:
    x = elements("double", (3, 4), 8, missing=False)
    weights = from_numpy(np.arange(1.0, (4 if rest else 3) + 1)[None])
    assert compare(name, x, (weights, *rest), 1)


@pytest.mark.parametrize(
    "weights", [np.ones((1, 4)), np.array([[1.0, -1.0, 2.0]]), np.ones((1, 3), np.int8)]
)
def test_weights_that_do_not_fit_are_for_the_host_rule(weights: Data) -> None:
    assert not compare(
        "var", elements("double", (3, 4), 8, missing=False), (from_numpy(weights),), 1
    )


@pytest.mark.parametrize(
    ("cls", "scales"),
    [
        ("double", (1e305, 2.0**432, 1e150, 1.0, 1e-150, 2.0**-432, 1e-308)),
        ("single", (1e36, 2.0**48, 1e20, 1.0, 1e-20, 2.0**-48, 1e-37)),
    ],
)
def test_norms_neither_overflow_nor_vanish(cls: str, scales: tuple[float, ...]) -> None:
    drawn = np.random.default_rng(3).uniform(0.5, 2, (90, 1))
    mixed = np.concatenate([drawn * scale for scale in scales])
    for numbers in (*[drawn * scale for scale in scales], mixed):
        x = numbers.astype(DTYPE[cls])
        assert compare("norm", x, (), 1)
        expected = float(np.sqrt((x.astype(np.longdouble) ** 2).sum()))
        found = np.ravel(to_numpy(by_host("norm", from_numpy(x))))[0]
        assert found == pytest.approx(expected, rel=1e-6)
