"""Arrays that are made from a few numbers: constants, ranges, random draws."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.graph.node import Node, Op
from runmat_core.accel.random.draws import draw
from runmat_core.api import ir
from runmat_core.api.ir import DTYPE_OF, Fragment, V
from runmat_core.values.array import DTYPE, from_numpy, to_numpy

_SUFFIX = {"uniform": "", "normal": "n"}


def _filled(node: Node, value: Any) -> Any:
    return from_numpy(np.full(node.shape, value, DTYPE[node.cls], order="F"))


FILL = Op("fill", "fill", _filled)


def _ranged(node: Node, start: Any, step: Any) -> Any:
    return from_numpy((start + step * np.arange(node.size, dtype=np.float64)).reshape(node.shape))


RANGE = Op("range", "range", _ranged)


def _narrowed(node: Node, points: Any) -> Any:
    return from_numpy(to_numpy(points), "single")


@cache
def _narrowing(dtypes: Any, known: Any, options: Any = ()) -> Fragment:
    return ir.trace(lambda x: ir.cast(x, "f32"), dtypes, known)


NARROWED = Op("linspace", "map", _narrowed, _narrowing)


def _spacing(cls: str) -> Op:
    """Return the points of ``linspace`` from their numbers: the last one is the end itself."""

    def point(k: V, start: V, step: V, stop: V, last: V) -> V:
        return ir.cast(ir.where(k >= last, stop, start + k * step), DTYPE_OF[cls])

    def by_host(node: Node, k: Any, start: float, step: float, stop: float, last: float) -> Any:
        points = start + to_numpy(k) * step
        points[:, int(last)] = stop
        return from_numpy(points.astype(DTYPE[cls], copy=False))

    @cache
    def fragment(dtypes: Any, known: Any, options: Any = ()) -> Fragment:
        return ir.trace(point, dtypes, known)

    return Op("linspace", "map", by_host, fragment)


SPACED = {cls: _spacing(cls) for cls in ("double", "single")}


def _drawn(node: Node, *words: int) -> Any:
    key_low, key_high, low, high = words
    distribution: Any = node.option("distribution")
    numbers = draw(distribution, node.dtype, (key_low, key_high), high << 32 | low, node.size)
    return from_numpy(numbers.reshape(node.shape, order="F"))


RANDOM = {name: Op(f"rand{suffix}", "random", _drawn) for name, suffix in _SUFFIX.items()}
