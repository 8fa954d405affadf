"""Every builtin with a fusion spec: its code gives what its host rule gives, class by class."""

from __future__ import annotations

import inspect
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from runmat_core.accel.graph.fragments import code_of
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.ops.elementwise import as_spec
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map, Reduction
from runmat_core.builtins import registry
from runmat_core.values import DTYPE, from_numpy, to_numpy
from runmat_core.values.array import CLASS_NAME
from runmat_core.values.deferred import Deferred
from tests.accel.referee import Referee, by_host

Data = NDArray[Any]

FLOATS = np.array(
    "0 -0 1 -1 0.5 -0.5 2 3 -7.5 2.5 0.1 1e-3 45 90 -270 1e10 -1e10 1e300 5e-324 1e-310 nan inf "
    "-inf 170.5 0.999".split(),
    np.float64,
)
#: Classes: all, and those that pairs of unlike classes are made of.
ALL = "double single logical int8 uint8 int16 int32 uint32 int64 uint64".split()
SOME = "double single logical int8 uint8 uint32 int64 uint64".split()

#: What NumPy computes in other ways for other layouts of memory, and what host rules compute in
#: double where a kernel uses single, differs by up to so many units in the last place.
LOOSE = frozenset(
    "sqrt exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh erf erfc erfinv gamma gammaln pow atan2 hypot cbrt".split()
)
ULPS = {"power": 16.0, "pow2": 4.0}
#: Of two zeros of unlike signs kernels may take either.
EITHER = frozenset({"max", "min"})


def spec_of(name: str) -> Any:
    spec = registry.find(name)
    assert spec is not None
    return as_spec(spec.fusion)  # type: ignore[arg-type]


def core_names(*kinds: type) -> list[str]:
    """Builtins of the core, not of plugins, whose specs are of one of `kinds`."""
    found = []
    for name in registry.names():
        spec = registry.find(name)
        if spec is None or spec.fusion is None or spec.name != name:
            continue
        if spec.host.__module__.startswith("runmat_core.") and isinstance(spec_of(name), kinds):
            found.append(name)
    return found


def function_of(name: str) -> Map:
    """The elementwise spec of a builtin, that of two arrays where it is a reduction, too."""
    spec = spec_of(name)
    found = spec.pair if isinstance(spec, Reduction) else spec
    assert isinstance(found, Map)
    return found


MAPS = core_names(Map) + [n for n in core_names(Reduction) if spec_of(n).pair is not None]


def sample(cls: str) -> Data:
    """Elements of a class: special values, bounds, ordinary ones."""
    dtype = DTYPE[cls]
    if cls in ("double", "single"):
        with np.errstate(over="ignore", under="ignore"):
            return FLOATS.astype(dtype)
    if cls == "logical":
        return np.array([True, False, True])
    info = np.iinfo(dtype)
    some = [0, 1, 2, 3, 5, 7, 13, 100, info.max, info.min, info.max - 1, info.min + 1]
    return np.array([*some, info.max // 2], dtype)


def operand_sets(name: str) -> list[tuple[Any, ...]]:
    """Arguments: one array, or two that expand to a matrix, or an array and a scalar."""
    count = len(inspect.signature(function_of(name).function).parameters)
    if count == 1:
        return [(from_numpy(sample(cls)[None]),) for cls in ALL]
    assert count == 2
    sets: list[tuple[Any, ...]] = []
    for first, second in product(SOME, SOME):
        sets.append((from_numpy(sample(first)[:, None]), from_numpy(sample(second)[None])))
    for cls in ALL:
        array = from_numpy(sample(cls)[None])
        for scalar in (2.0, 1.0, 0.5, -0.5, 3.7, -3.0, True):
            sets += [(array, scalar), (scalar, array)]
    return sets


def assert_alike(got: Data, want: Data, ulps: float) -> None:
    """Equal class, size and elements; bit by bit where `ulps` is 0."""
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    if got.dtype.kind != "f":
        assert np.array_equal(got, want, equal_nan=got.dtype.kind == "c")
        return
    missing = np.isnan(want)
    assert np.array_equal(missing, np.isnan(got))
    same = missing | (got == want)
    if ulps == 0.0:
        assert same.all()
        assert np.array_equal(np.signbit(got[~missing]), np.signbit(want[~missing]))
        return
    with np.errstate(all="ignore"):
        least = np.finfo(want.dtype).tiny
        spacing = np.spacing(np.maximum(np.abs(want), least)).astype(np.float64)
        off = np.abs(got.astype(np.float64) - want.astype(np.float64)) / spacing
    assert (same | (off <= ulps)).all(), off[~same].max()


def tolerance(name: str, node: Node) -> float:
    code = code_of(node).fragment
    assert code is not None
    loose = any(instr.op in LOOSE for instr in code.code)
    return ULPS.get(name, 4.0) if loose else 0.0


@pytest.mark.parametrize("name", MAPS)
def test_code_of_maps_gives_what_host_rules_give(name: str) -> None:
    referee = Referee()
    for operands in operand_sets(name):
        referee.fired.clear()
        got = referee.call(name, *operands)
        if got is NotImplemented:
            continue
        want = to_numpy(by_host(name, *operands))
        assert got.shape == want.shape
        if got.__class__ is not Deferred:
            assert name in DTYPE, "only converting to the own class is no operation"
            continue
        node = got.promise.node
        cls, ulps = got.class_name, tolerance(name, node)
        data = got.data
        # guards fire where the result is complex, and nowhere else, but for what is always complex
        always = node.cls in COMPLEX_CLASSES
        assert bool(referee.fired) == (want.dtype.kind == "c" and not always), operands
        if not referee.fired:
            assert cls == CLASS_NAME[want.dtype.char]
            if name in EITHER:
                data = np.where(data == want, want, data)
            assert_alike(data, want, ulps)


def captures(referee: Referee, name: str, *operands: Any) -> bool:
    return referee.call(name, *operands) is not NotImplemented


@pytest.mark.parametrize("name", [n for n in MAPS if function_of(n).refuses is None])
def test_maps_fuse_for_some_class(name: str) -> None:
    referee = Referee()
    assert any(captures(referee, name, *operands) for operands in operand_sets(name))


@pytest.mark.parametrize("name", [n for n in MAPS if function_of(n).refuses == "outside"])
def test_what_would_be_an_error_fuses_where_facts_rule_it_out(name: str) -> None:
    referee = Referee()
    x = from_numpy(np.array([[-4.0, 0.0, 9.0]]))
    rest = (3.0,) if name == "nthroot" else ()
    assert not captures(referee, name, x, *rest)
    size = referee.call("abs", x)
    got = referee.call(name, size, *rest)
    assert_alike(got.data, to_numpy(by_host(name, from_numpy(np.abs(x.data)), *rest)), 4.0)


@pytest.mark.parametrize("name", [n for n in MAPS if function_of(n).refuses == "nan"])
def test_logical_operations_fuse_where_facts_rule_nan_out(name: str) -> None:
    referee = Referee()
    spec = function_of(name)
    count = len(inspect.signature(spec.function).parameters)
    x = from_numpy(np.array([[1.5, 0.0, np.nan]]))
    assert not captures(referee, name, *([x] * count))
    positive = referee.call("max", x, 0.0)
    other = from_numpy(np.array([[True, False, True]]))
    operands = (positive, other)[:count]
    got = referee.call(name, *operands)
    known = (from_numpy(np.fmax(x.data, 0.0)), other)[:count]
    assert_alike(got.data, to_numpy(by_host(name, *known)), 0.0)


@pytest.mark.parametrize("name", MAPS)
def test_nodes_of_maps_know_their_host_rule(name: str) -> None:
    referee = Referee()
    for operands in operand_sets(name)[:4]:
        got = referee.call(name, *operands)
        if got is NotImplemented or got.__class__ is not Deferred:
            continue
        node = got.promise.node
        with np.errstate(all="ignore"):
            found = to_numpy(node.op.host(node, *operands))
        assert_alike(found, to_numpy(by_host(name, *operands)), 0.0)


def test_most_elementwise_builtins_fuse() -> None:
    assert len(MAPS) >= 80


def test_sizes_that_do_not_match_are_told_at_once() -> None:
    referee = Referee()
    wide, tall = from_numpy(np.ones((2, 3))), from_numpy(np.ones((3, 2)))
    with pytest.raises(MatlabError) as caught:
        referee.call("hypot", wide, tall)
    assert caught.value.identifier == "MATLAB:sizeDimensionsMustMatch"


def test_arrays_of_more_dimensions_expand_from_the_first() -> None:
    referee = Referee()
    a, b = from_numpy(np.arange(6.0).reshape(2, 3)), from_numpy(np.ones((1, 3, 4)))
    got = referee.call("plus", a, b)
    assert got.shape == (2, 3, 4)
    assert_alike(got.data, to_numpy(by_host("plus", a, b)), 0.0)
