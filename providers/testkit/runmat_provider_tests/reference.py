"""Kernels evaluated the slow and obvious way: every instruction over the whole space at once.

A value is an array with one axis for each axis of the kernel, of extent one where the value does
not vary, so that NumPy's broadcasting is the loop nest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import Fragment, Instr, Kernel, Reducer
from runmat_provider_tests.oracle import ORACLE, cast
from runmat_provider_tests.philox import draw

Data = NDArray[Any]


class Run:
    """One launch of a kernel.

    Args:
        extents: of the axes.
        buffers: one-dimensional arrays, in the order of `Kernel.buffers`; written ones are changed.
        views: addressing of each view.
        params: scalars.
    """

    def __init__(
        self,
        kernel: Kernel,
        extents: Sequence[int],
        buffers: Sequence[Data],
        views: Sequence[Addressing],
        params: Sequence[Any] = (),
    ) -> None:
        self.kernel = kernel
        self.extents = tuple(extents)
        self.buffers = buffers
        self.views = views
        self.params = params
        self.status = 0
        self.values: list[Any] = []

    def run(self) -> int:
        """Evaluate every instruction; the status bits that guards set."""
        every = range(len(self.kernel.code))
        self.values = [None for _ in every]
        with np.errstate(all="ignore"):
            if self.kernel.axes_of("serial"):
                self._loop()
            else:
                self._evaluate(every)
        return self.status

    def _evaluate(self, positions: Iterable[int]) -> None:
        for position in positions:
            instr = self.kernel.code[position]
            args = [self.values[k] for k in instr.args]
            handler = getattr(self, f"_{instr.op}", None)
            self.values[position] = handler(instr, *args) if handler else apply(instr, args)

    def _loop(self) -> None:
        """Run the iterations one after another, each as a launch along the serial axis."""
        code, (axis,) = self.kernel.code, self.kernel.axes_of("serial")
        inside: set[int] = set()
        after: set[int] = set()
        for k, instr in enumerate(code):
            overs = [instr.over, *(code[a].over for a in instr.args)]
            if instr.op == "last" or after & {*instr.args}:
                after.add(k)
            elif any(over >> axis & 1 for over in overs):
                inside.add(k)
        self._evaluate(k for k in range(len(code)) if k not in inside | after)
        carries = [k for k in sorted(inside) if code[k].op == "carry"]
        state = [self.values[code[k].args[0]] for k in carries]
        extents, views = self.extents, self.views
        for trip in range(extents[axis]):
            self.extents = (*extents[:axis], 1, *extents[axis + 1 :])
            self.views = [Addressing(v.offset + trip * v.strides[axis], v.strides) for v in views]
            for k, value in zip(carries, state, strict=True):
                self.values[k] = value
            self._evaluate(k for k in sorted(inside) if k not in carries)
            state = [self.values[int(code[k].attr)] for k in carries]  # type: ignore[call-overload]
        self.extents, self.views = extents, views
        self._evaluate(sorted(after))

    def _last(self, instr: Instr, value: Data) -> Data:
        return value

    def places(self, view: int) -> Data:
        """Return the element number at every point of the space."""
        where = self.views[view]
        rank = len(self.extents)
        total = np.full((1,) * rank, where.offset, np.int64)
        for k, (extent, moves) in enumerate(
            zip(self.extents, self.kernel.views[view].moves, strict=True)
        ):
            if moves:
                shape = [1] * rank
                shape[k] = extent
                total = total + (np.arange(extent) * where.strides[k]).reshape(shape)
        return total

    def _scalar(self, value: Any, dtype: str) -> Data:
        return np.full((1,) * len(self.extents), value, NUMPY_DTYPE[dtype])

    def _const(self, instr: Instr) -> Data:
        return self._scalar(instr.attr, instr.dtype)

    def _param(self, instr: Instr) -> Data:
        return self._scalar(self.params[int(instr.attr)], instr.dtype)  # type: ignore[call-overload]

    def _extent(self, instr: Instr) -> Data:
        count = 1
        for axis in self.kernel.axes_of("reduce"):
            count *= self.extents[axis]
        return self._scalar(count, instr.dtype)

    def _load(self, instr: Instr, number: Data | None = None) -> Data:
        view: Any = instr.attr
        data: Data = self.buffers[self.kernel.views[view].buffer or 0]
        if number is None:
            return data[self.places(view)]
        inside = (number >= 0) & (number < data.size)
        return np.where(inside, data[np.where(inside, number, 0)], data.dtype.type(0))

    def _index(self, instr: Instr) -> Data:
        return self.places(int(instr.attr))  # type: ignore[call-overload]

    def _random(self, instr: Instr, number: Data, *words: Data) -> Data:
        key_low, key_high, low, high = (int(w.ravel()[0]) for w in words)
        attr: Any = instr.attr
        distribution, dtype = attr
        return draw(distribution, dtype, number, (key_low, key_high), low | high << 32)

    def _store(self, instr: Instr, value: Data) -> None:
        view: Any = instr.attr
        places = self.places(view)
        target = self.buffers[self.kernel.views[view].buffer]
        target[places.ravel()] = np.broadcast_to(value, places.shape).ravel()

    def _guard(self, instr: Instr, value: Data) -> None:
        if value.any():
            self.status |= 1 << int(instr.attr)  # type: ignore[call-overload]

    def _item(self, instr: Instr, whole: Any) -> Data:
        result: Data = whole[int(instr.attr)]  # type: ignore[call-overload]
        return result

    def _reduce(self, instr: Instr, *operands: Data) -> Any:
        reducer: Any = instr.attr
        axes = self.kernel.axes_of("reduce")
        # over the reduced axes and those that operands vary along: the result varies no further
        own = np.broadcast_shapes(*(operand.shape for operand in operands))
        whole = [self.extents[k] if k in axes else extent for k, extent in enumerate(own)]
        kept = [1 if k in axes else extent for k, extent in enumerate(whole)]
        flat = [self._lines(operand, axes, whole) for operand in operands]
        results = combine(reducer, flat)
        shaped = [r.reshape(kept, order="F") for r in results]
        return shaped[0] if len(shaped) == 1 else tuple(shaped)

    def _lines(self, operand: Data, axes: tuple[int, ...], whole: Sequence[int]) -> Data:
        """Return the operand as (points that stay, points that are reduced), both column-major."""
        full = np.broadcast_to(operand, whole)
        stay = [k for k in range(len(whole)) if k not in axes]
        moved = full.transpose([*stay, *axes])
        rows = int(np.prod([whole[k] for k in stay], dtype=int))
        columns = int(np.prod([whole[k] for k in axes], dtype=int))
        return moved.reshape((rows, columns), order="F")

    def _scan(self, instr: Instr, *operands: Data) -> Any:
        attr: Any = instr.attr
        reducer, reverse = attr
        (axis,) = self.kernel.axes_of("scan")
        lines = []
        for operand in operands:
            moved = np.moveaxis(np.broadcast_to(operand, self.extents), axis, -1)
            lines.append(moved[..., ::-1] if reverse else moved)
        state = list(fragment(reducer.map, [*lines, _numbers(lines[0])]))
        parts = [[s[..., :1] for s in state]]
        for k in range(1, self.extents[axis]):
            element = [s[..., k : k + 1] for s in state]
            parts.append(list(fragment(reducer.combine, [*parts[-1], *element])))
        joined = [np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)]
        results = fragment(reducer.finish, joined)
        back = [np.moveaxis(r[..., ::-1] if reverse else r, -1, axis) for r in results]
        return back[0] if len(back) == 1 else tuple(back)


def _numbers(lines: Data) -> Data:
    return np.broadcast_to(np.arange(lines.shape[-1], dtype=np.float64), lines.shape)


def apply(instr: Instr, args: Sequence[Data]) -> Data:
    """Return a map operation."""
    if instr.op == "cast":
        return cast(np.asarray(args[0]), str(instr.attr))
    result = np.asarray(ORACLE[instr.op](*args))
    return result.astype(NUMPY_DTYPE[instr.dtype], copy=False)


def fragment(code: Fragment, inputs: Sequence[Data]) -> list[Data]:
    """Return a fragment's outputs for arrays that broadcast."""
    values: list[Data] = [np.asarray(v) for v in inputs]
    for instr in code.code[len(inputs) :]:
        if instr.op == "const":
            values.append(np.asarray(instr.attr, NUMPY_DTYPE[instr.dtype]))
        else:
            values.append(apply(instr, [values[k] for k in instr.args]))
    return [values[k] for k in code.outputs]


def combine(reducer: Reducer, lines: Sequence[Data]) -> list[Data]:
    """Return the results of a reducer for each row of (rows, elements), by a balanced tree."""
    rows, count = lines[0].shape
    types = [reducer.combine.inputs[k] for k in range(len(reducer.init))]
    if count == 0:
        state = [
            np.full(rows, value, NUMPY_DTYPE[t])
            for value, t in zip(reducer.init, types, strict=True)
        ]
        return fragment(reducer.finish, state)
    mapped = fragment(reducer.map, [*lines, _numbers(lines[0])])
    state = [np.array(np.broadcast_to(s, (rows, count))) for s in mapped]
    while state[0].shape[1] > 1:
        odd = state[0].shape[1] % 2
        left = [s[:, : s.shape[1] - odd : 2] for s in state]
        right = [s[:, 1::2] for s in state]
        joined = fragment(reducer.combine, [*left, *right])
        if odd:
            joined = [
                np.concatenate([j, s[:, -1:]], axis=1) for j, s in zip(joined, state, strict=True)
            ]
        state = joined
    return fragment(reducer.finish, [s[:, 0] for s in state])
