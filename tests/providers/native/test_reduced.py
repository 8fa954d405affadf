"""Kernels with one reduced or scanned axis: one pass of machine code, and the bits of NumPy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_native import launches, reduced, totals
from runmat_native.machine import MACHINE

from runmat_core.api import ir
from runmat_core.api.device import DTYPE_NAME, NUMPY_DTYPE, OutOfDeviceMemory
from runmat_core.api.ir import reducers
from tests.providers.inprocess.conftest import Writer
from tests.providers.native.conftest import same

SHAPES = [
    ("r", (70_001,)),
    ("r", (5,)),
    ("rp", (1500, 7)),
    ("rp", (5, 3000)),
    ("rpp", (130, 4, 5)),
    ("pr", (3, 5000)),
    ("pr", (5000, 129)),
    ("pr", (70, 20)),
    ("prp", (3, 700, 5)),
    ("prp", (1, 700, 5)),
    ("ppr", (4, 5, 641)),
]


def _sum(w: Writer, a: Any, dtype: str) -> list[Any]:
    return [ir.reduce(reducers.sum_(dtype), a)[0]]


def _functions(w: Writer, a: Any, dtype: str) -> list[Any]:
    value = ir.exp(a) * a + w.param(2.5, dtype)
    return [ir.reduce(reducers.sum_(dtype), value)[0] * 2.0]


def _several(w: Writer, a: Any, dtype: str) -> list[Any]:
    """Reductions of a value that is stored as well."""
    value = a * a - a
    w.store(value)
    makers = (reducers.maximum, reducers.sum_, reducers.minimum)
    return [ir.reduce(make(dtype), v)[0] for make, v in zip(makers, (value, value, a), strict=True)]


def _tests(w: Writer, a: Any, dtype: str) -> list[Any]:
    return [
        ir.reduce(reducers.any_(), a > 2.5)[0],
        ir.reduce(reducers.all_(), ir.sin(a) > -2.0)[0],
    ]


def _numbers(w: Writer, a: Any, dtype: str) -> list[Any]:
    """A guard, and the numbers of elements."""
    w.guard(a > 3.0, 2)
    numbers = w.index([1] + [2] * (len(w.extents) - 1))
    return [ir.reduce(reducers.sum_(dtype), ir.cast(ir.cast(numbers, "f64"), dtype) * a)[0]]


@pytest.fixture(autouse=True)
def _of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take launches of few elements, too."""
    monkeypatch.setattr(reduced, "WORK", 0)


@pytest.mark.parametrize("write", [_sum, _functions, _several, _tests, _numbers])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_pass_gives_the_bits_of_numpy(
    write: Callable[..., list[Any]],
    dtype: Any,
    new_native: Callable[..., Any],
    new_device: Any,
    compiled: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    monkeypatch.setattr(launches, "SHARED", 0)
    monkeypatch.setattr(launches, "TASK", 100)
    rng = np.random.default_rng(4)
    devices = [new_native(str(tmp_path), threads=threads) for threads in (1, 3)]
    for kinds, shape in SHAPES:
        x = np.asfortranarray(rng.standard_normal(shape).astype(dtype))
        w = Writer(kinds, shape)
        for value in write(w, w.load(x), DTYPE_NAME[x.dtype.char]):
            w.store(value)
        wanted, bits = new_device(threads=1).launch(w)
        for device in devices:
            got, status = device.launch(w)
            assert status == bits
            for one, other in zip(got, wanted, strict=True):
                same(one, other)
    assert compiled == {"native": 2 * len(SHAPES), "numpy": 0}


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scans_give_the_bits_of_numpy(
    name: str,
    dtype: Any,
    new_native: Callable[..., Any],
    new_device: Any,
    compiled: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    monkeypatch.setattr(launches, "SHARED", 0)
    monkeypatch.setattr(launches, "TASK", 100)
    make = {
        "sum": reducers.running_sum,
        "prod": reducers.prod,
        "max": reducers.maximum,
        "min": reducers.minimum,
    }[name]
    rng = np.random.default_rng(4)
    device = new_native(str(tmp_path), threads=3)
    for kinds, shape in SHAPES:
        x = np.asfortranarray(1 + rng.standard_normal(shape).astype(dtype) / 16)
        for reverse in (False, True):
            w = Writer(kinds.replace("r", "s"), shape)
            a = w.load(x)
            (value,) = ir.scan(make(DTYPE_NAME[x.dtype.char]), ir.exp(a) * 0.5, reverse=reverse)
            w.store(value * 2.0 + a)
            w.store(value)
            wanted = new_device(threads=1).outputs(w)
            for one, other in zip(device.outputs(w), wanted, strict=True):
                same(one, other)
    assert compiled == {"native": 2 * len(SHAPES), "numpy": 0}


def test_turned_and_spread_operands(
    new_native: Callable[..., Any], new_device: Any, compiled: dict[str, int]
) -> None:
    """Loads along other axes, backwards, and of what does not vary along the reduced axis."""
    x = np.random.default_rng(1).standard_normal(600 * 90)
    for kinds, shape in (("rp", (600, 90)), ("pr", (90, 600))):
        w = Writer(kinds, shape)
        turned = w.load(x, (shape[1], 1))
        backwards = w.load(x, (-1, -shape[0]), x.size - 1)
        row = [0, 0]
        row[kinds.index("p")] = 3
        spread = w.load(x, row)
        w.store(ir.reduce(reducers.sum_("f64"), turned - backwards * spread)[0])
        w.store(ir.reduce(reducers.maximum("f64"), spread)[0])
        wanted = new_device(threads=1).outputs(w)
        for one, other in zip(new_native(threads=2).outputs(w), wanted, strict=True):
            same(one, other)
    assert compiled["native"] == 2


@pytest.mark.parametrize("reducer", sorted(totals.TYPES))
def test_reductions_of_neighbours_are_those_of_numpy(reducer: str) -> None:
    ufunc = {
        "sum": np.add,
        "min": np.fmin,
        "max": np.fmax,
        "any": np.logical_or,
        "all": np.logical_and,
    }[reducer]
    rng = np.random.default_rng(1)
    MACHINE.start()
    for dtype in sorted(totals.TYPES[reducer]):
        kind = NUMPY_DTYPE[dtype]
        name = totals.name(reducer, dtype)[1:]
        text = totals.function(reducer, dtype).replace("define internal", "define")
        address = MACHINE.load(MACHINE.compile(text), (name,))[name]
        result: Any = ctypes.c_uint8 if dtype == "bool" else np.ctypeslib.as_ctypes_type(kind)
        call = ctypes.CFUNCTYPE(result, ctypes.c_void_p, ctypes.c_int64)(address)
        for count in (1, 2, 7, 8, 9, 31, 33, 64, 127, 128, 129, 300, 1025, 70_001):
            x = (rng.standard_normal(count) * 50).astype(kind)
            if dtype == "bool":
                x = rng.random(count) > (0.99 if reducer == "any" else 0.01)
            elif reducer != "sum" and kind.kind == "f" and count > 3:
                x[::3] = np.nan
            assert call(x.ctypes.data, count) == ufunc.reduce(x)


def test_without_memory_for_parts_the_host_is_told_and_nothing_is_left(
    new_native: Callable[..., Any], compiled: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.arange(10_000.0)
    w = Writer("r", x.shape)
    w.store(ir.reduce(reducers.sum_("f64"), w.load(x) * 2.0)[0])
    device = new_native(threads=1)
    empty = np.empty

    def run(self: reduced.Reduction, *arguments: Any) -> None:
        def refuse(shape: Any, *rest: Any, **named: Any) -> Any:
            raise MemoryError

        with monkeypatch.context() as inside:
            inside.setattr(reduced.np, "empty", refuse)
            plain(self, *arguments)

    plain = reduced.Reduction.run
    with monkeypatch.context() as patched:
        patched.setattr(reduced.Reduction, "run", run)
        with pytest.raises(OutOfDeviceMemory):
            device.output(w)
    assert np.empty is empty
    assert device.output(w).item() == 2 * x.sum()
