"""An engine with values at hand: what tests of planning and execution capture programs with."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture.boundary import node_of
from runmat_core.accel.capture.maps import capture_map
from runmat_core.accel.capture.reductions import capture_reduction
from runmat_core.accel.graph.node import Node, Op
from runmat_core.accel.ops.elementwise import ElementwiseOp, elementwise_op
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.accel.ops.reductions import reduce_op
from runmat_core.accel.running.engine import Engine
from runmat_core.api import ir
from runmat_core.api.fusion import Map, Reduction
from runmat_core.api.ir import reducers
from runmat_core.session.settings import SETTINGS
from runmat_core.values import dispatch
from runmat_core.values.array import from_numpy
from runmat_core.values.deferred import settled

Data = NDArray[Any]


class Settings(dict[str, Any]):
    """A configuration: defaults, and what a test wants otherwise.

    Args:
        options: of the provider that is named.
    """

    def __init__(self, options: dict[str, Any] | None = None, **values: Any) -> None:
        super().__init__({s.key: s.default for s in SETTINGS})
        self["accel.offload.calibrate"] = "never"
        self.update({name.replace("__", "."): value for name, value in values.items()})
        self._options = options or {}

    def source(self, key: str) -> str:
        return "a test"

    def providers(self) -> tuple[str, ...]:
        return ()

    def options(self, provider: str) -> tuple[tuple[str, Any], ...]:
        own = provider == self["accel.provider"]
        return tuple(sorted(self._options.items())) if own else ()


def inprocess(**more: Any) -> Engine:
    """An engine that runs everything that it can with the provider on NumPy's memory."""
    config = Settings(accel__provider="inprocess", accel__offload__force="host")
    return Engine(config, **more)


def null(options: dict[str, Any] | None = None, **more: Any) -> Engine:
    """An engine with the recording device, and no host provider."""
    config = Settings(
        options,
        accel__provider="null",
        accel__fallback="none",
        accel__offload__force="device",
    )
    return Engine(config, **more)


def by_rules() -> Engine:
    """An engine without providers."""
    return Engine(Settings(accel__provider="none"))


def recorder(engine: Engine) -> Any:
    """The null provider behind an engine."""
    ((provider, _),) = [(s.provider, s) for s in engine.stores.values()]
    return provider._compile.get_hookimpls()[0].plugin


def _numbers(value: Any) -> Data:
    """The elements, logical ones as doubles."""
    data = read(value)
    return data.astype(float) if data.dtype.char == "?" else data


def _host_map(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(*values: Any) -> Any:
        return from_numpy(function(*map(_numbers, values)))

    return rule


MAPS: dict[str, tuple[Map, Callable[..., Any]]] = {
    "sqrt": (Map(ir.sqrt, domain=(0.0, float("inf"))), _host_map(np.emath.sqrt)),
    "exp": (Map(ir.exp), _host_map(np.exp)),
    "sin": (Map(ir.sin), _host_map(np.sin)),
    "abs": (Map(ir.abs_, "same"), _host_map(np.abs)),
}


@cache
def _mapped(name: str) -> ElementwiseOp:
    return elementwise_op(name, *MAPS[name])


def _along(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(node: Node, value: Any) -> Any:
        return from_numpy(np.asarray(function(_numbers(value), node.option("axes"))))

    return rule


REDUCTIONS: dict[str, tuple[Reduction, Callable[..., Any]]] = {
    "sum": (
        Reduction(lambda x: ir.reduce(reducers.sum_(x.dtype), x)[0]),
        lambda x, axes: np.sum(x, axis=axes, keepdims=True),
    ),
    "mean": (
        Reduction(lambda x: ir.reduce(reducers.sum_(x.dtype), x)[0] / ir.count(x)),
        lambda x, axes: np.mean(x, axis=axes, keepdims=True),
    ),
    "max": (
        Reduction(lambda x: ir.reduce(reducers.maximum(x.dtype), x)[0], result="same"),
        lambda x, axes: np.fmax.reduce(x, axis=axes, keepdims=True),
    ),
}


@cache
def _reduction(name: str) -> Op:
    spec, function = REDUCTIONS[name]
    return reduce_op(name, spec, _along(function))


def call(engine: Engine, name: str, *values: Any, axes: tuple[int, ...] = (0, 1)) -> Any:
    """A deferred array for an operation; what does not fuse is computed at once."""
    values = tuple([from_numpy(v) if isinstance(v, np.ndarray) else v for v in values])
    if name in REDUCTIONS:
        return _reduced(engine, name, values[0], axes)
    operation = OPERATIONS[name] if name in OPERATIONS else _mapped(name)
    found = capture_map(operation, engine.graph, values)
    if found is NotImplemented:
        rule = MAPS[name][1] if name in MAPS else dispatch.HOST_RULES[name]
        found = rule(*map(settled, values))
    return found


def _reduced(engine: Engine, name: str, value: Any, axes: tuple[int, ...]) -> Any:
    op, spec = _reduction(name), REDUCTIONS[name][0]
    node = node_of(engine.graph, value)
    if isinstance(node, Node):
        return capture_reduction(engine.graph, op, spec, node, axes, ())
    return from_numpy(REDUCTIONS[name][1](read(value), axes))


def _both(node: Node, value: Any) -> tuple[Any, Any]:
    data, (axis,) = read(value), node.option("axes")
    place = np.nanargmax(data, axis=axis, keepdims=True)
    return from_numpy(np.take_along_axis(data, place, axis)), from_numpy(place + 1.0)


def _extremum(x: Any, outputs: int) -> tuple[Any, ...]:
    value, place = ir.reduce(reducers.extremum(x.dtype, True), x)
    return (value, place + 1.0)[:outputs]


EXTREMUM = Reduction(_extremum, form="extremum", result="same", outputs=2)
_EXTREMUM_OP = reduce_op("max", EXTREMUM, _both)


def maximum(engine: Engine, value: Any) -> tuple[Any, Any]:
    """The largest element of each column and where it is."""
    node = node_of(engine.graph, from_numpy(value) if isinstance(value, np.ndarray) else value)
    assert isinstance(node, Node)
    options = (("outputs", 2),)
    return capture_reduction(engine.graph, _EXTREMUM_OP, EXTREMUM, node, (0,), options)  # type: ignore[no-any-return]


def read(value: Any) -> Data:
    """The elements of a value."""
    return np.atleast_2d(np.asarray(getattr(value, "data", value)))
