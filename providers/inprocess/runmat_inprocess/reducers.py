"""Reductions and scans of blocks: fast forms of the standard reducers, and trees for all others.

States are tuples of arrays. Within a block the reduced dimensions keep extent 1, so that a result
broadcasts against the elements that it came from. States of blocks are joined in pairs
(`Cascade`), which keeps the rounding error small. Sums along one axis keep to an order of their own
(`runmat_core.api.sums`), whatever the blocks are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import sums
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import Reducer
from runmat_inprocess.fragments import FragmentFunction
from runmat_inprocess.scratch import scratch

State = tuple[Any, ...]

#: Rows of a dimension that NumPy adds one after the other; longer dimensions are cut, so that
#: rounding errors grow like a tree's.
RUN = 64
#: Reductions of so few neighbours turn the array round first: NumPy takes 60 ns for each result
#: where it reduces along the last dimension.
FEW = 64
#: How long rows are made of shorter ones.
WIDE = 512
#: Reductions of fewer elements are not worth turning round.
TURNED = 512


class Reduction:
    """A `Reducer` ready to run.

    Raises:
        DeclinedError: one of its fragments holds an operation without a rule.
    """

    def __init__(self, reducer: Reducer) -> None:
        self.reducer = reducer
        code = reducer.finish.code
        self.types = [NUMPY_DTYPE[code[k].dtype] for k in range(len(reducer.finish.inputs))]
        self._combine = FragmentFunction(reducer.combine)
        self._finish = FragmentFunction(reducer.finish)
        self._map = FragmentFunction(reducer.map)
        self._fast = ELEMENTS.get(reducer.name)
        self._ufunc: Any = UFUNC.get(reducer.name)
        self._join: Any = JOIN.get(reducer.name)
        self.numbered = self._map.uses(len(reducer.map.inputs) - 1)
        outputs = reducer.finish.outputs
        self._plain = outputs == tuple(range(len(reducer.finish.inputs)))
        self.ordered = self._ufunc is np.add

    def collector(self, dims: Sequence[int], whole: Sequence[int]) -> Cascade | Sums:
        """Return what joins the states of blocks that arrive in order."""
        if self.ordered and len(dims) == 1:
            return Sums(dims[0], whole[0])
        return Cascade(self.combine)

    def elements(
        self, operands: Sequence[Any], dims: Sequence[int], numbers: Numbers, apart: bool = False
    ) -> State:
        """Return the state of a block's elements.

        Args:
            operands: arrays with full extents along `dims`.
            dims: the reduced dimensions, the fastest axis first.
            numbers: of the elements along the reduced axes.
            apart: whether a `collector` takes it, for which sums are left in parts.
        """
        if self.ordered and apart and len(dims) == 1:
            return (sums.parts(operands[0], dims[0], numbers.whole[0]),)
        if self._ufunc is not None:
            return (reduce_dims(self._ufunc, operands[0], dims),)
        if self._fast is not None:
            return self._fast(operands[0], dims, numbers)
        number = numbers.all() if self.numbered else np.zeros((), np.float64)
        states = self._map(*operands, number)
        shape = np.broadcast_shapes(*(o.shape for o in operands), *(s.shape for s in states))
        states = tuple(np.broadcast_to(s, shape) for s in states)
        for dim in dims:
            states = self._tree(states, dim)
        # of one element the state may be the operand itself, whose memory is used again
        return tuple(np.array(s) for s in states)

    def combine(self, first: State, second: State) -> State:
        """Return the state of two neighbouring runs."""
        if self._ufunc is not None:
            return (self._ufunc(first[0], second[0]),)
        joined: State = (self._join or self._combine)(*first, *second)
        return joined

    def finish(self, state: State) -> State:
        """Return the results."""
        return state if self._plain else self._finish(*state)

    def nothing(self, shape: tuple[int, ...]) -> State:
        """Return the state of no elements."""
        return tuple(
            np.full(shape, value, dtype)
            for value, dtype in zip(self.reducer.init, self.types, strict=True)
        )

    def _tree(self, states: State, dim: int) -> State:
        """Join neighbours along a dimension until one is left."""
        while (extent := states[0].shape[dim]) > 1:
            even, odd = _part(dim, 0, extent - 1, 2), _part(dim, 1, extent, 2)
            joined = self._combine(*(s[even] for s in states), *(s[odd] for s in states))
            if extent % 2:
                last = _part(dim, extent - 1, extent)
                joined = tuple(
                    np.concatenate([j, s[last]], axis=dim)
                    for j, s in zip(joined, states, strict=True)
                )
            states = joined
        return states

    def running(
        self,
        operands: Sequence[Any],
        dim: int,
        reverse: bool,
        carry: State | None,
        first_number: int = 0,
    ) -> Any:
        """States of the elements up to each point of a dimension, and the last of them.

        Args:
            operands: arrays with full extents.
            reverse: from the last point to the first.
            carry: the state of what came before.
            first_number: of the element that is met first; they count on in the order of the scan.
        """
        if reverse:
            operands = [np.flip(o, dim) for o in operands]
        states: State
        accumulate = self._ufunc
        if accumulate is not None:
            state = np.array(operands[0], order="C")
            if carry is not None:
                first = state[_part(dim, 0, 1)]
                accumulate(carry[0], first, first)
            states = (accumulate.accumulate(state, axis=dim, out=state),)
        elif self.reducer.name in RECORDS:
            numbers = _along(dim, operands[0], first_number)
            states = _records(*RECORDS[self.reducer.name], operands[0], dim, numbers, carry)
        else:
            numbers = _along(dim, operands[0], first_number) if self.numbered else np.zeros(())
            states = self._doubling(operands, dim, carry, numbers)
        extent = states[0].shape[dim]
        last = tuple(s[_part(dim, extent - 1, extent)].copy() for s in states)
        results = self.finish(states)
        return ([np.flip(r, dim) for r in results] if reverse else list(results)), last

    def _doubling(
        self, operands: Sequence[Any], dim: int, carry: State | None, numbers: Any
    ) -> State:
        shape = np.broadcast_shapes(*(o.shape for o in operands))
        mapped = self._map(*operands, numbers)
        states = [np.array(np.broadcast_to(s, shape)) for s in mapped]
        if carry is not None:
            first = _part(dim, 0, 1)
            for s, new in zip(
                states, self._combine(*carry, *(s[first] for s in states)), strict=True
            ):
                s[first] = new
        step, extent = 1, shape[dim]
        while step < extent:
            before, after = _part(dim, 0, extent - step), _part(dim, step, extent)
            joined = self._combine(*(s[before] for s in states), *(s[after] for s in states))
            for s, new in zip(states, joined, strict=True):
                s[after] = new
            step *= 2
        return tuple(states)


class Numbers:
    """Numbers of a block's elements along the reduced axes, in column-major order.

    Attributes:
        starts, extents: of the block along the reduced axes, the fastest first.
        whole: extents of the reduced axes themselves.
        dims: their dimensions in an array of `ndim` dimensions.
    """

    def __init__(
        self,
        starts: Sequence[int],
        extents: Sequence[int],
        whole: Sequence[int],
        dims: Sequence[int],
        ndim: int,
    ) -> None:
        self.starts, self.extents, self.whole = starts, extents, whole
        self.dims, self.ndim = dims, ndim

    def all(self) -> Any:
        """As an array that broadcasts against the block, f64."""
        total: Any = np.zeros((1,) * self.ndim)
        stride = 1
        for start, extent, whole, dim in zip(
            self.starts, self.extents, self.whole, self.dims, strict=True
        ):
            shape = [1] * self.ndim
            shape[dim] = extent
            total = total + (np.arange(start, start + extent) * float(stride)).reshape(shape)
            stride *= whole
        return total

    def of_local(self, local: Any) -> Any:
        """Numbers of elements that are given by their place within the block."""
        total = np.zeros(np.shape(local))
        rest, stride = local, 1
        for start, extent, whole in zip(self.starts, self.extents, self.whole, strict=True):
            rest, place = np.divmod(rest, extent)
            total = total + (place + float(start)) * stride
            stride *= whole
        return total


class Cascade:
    """Joins the states of runs that arrive one after the other, equal lengths first."""

    def __init__(self, combine: Callable[[State, State], State]) -> None:
        self._combine = combine
        self._stack: list[tuple[int, State]] = []

    def push(self, state: State) -> None:
        weight = 1
        while self._stack and self._stack[-1][0] == weight:
            state = self._combine(self._stack.pop()[1], state)
            weight *= 2
        self._stack.append((weight, state))

    def parts(self) -> State:
        """All that was pushed, as what may be pushed."""
        return self.total()

    def total(self) -> State:
        """Return the state of all runs; of at least one."""
        state = self._stack[-1][1]
        for _, earlier in reversed(self._stack[:-1]):
            state = self._combine(earlier, state)
        return state


class Sums:
    """Collects the parts of sums along one axis of `whole` elements."""

    def __init__(self, dim: int, whole: int) -> None:
        self.dim, self.whole = dim, whole
        self._parts: list[Any] = []

    def push(self, state: State) -> None:
        self._parts.append(state[0])

    def parts(self) -> State:
        """All that was pushed, as what may be pushed."""
        return (np.concatenate(self._parts, axis=self.dim),)

    def total(self) -> State:
        """Return the sums, once all parts are there."""
        return (sums.total(self.parts()[0], self.dim, self.whole),)


def _part(dim: int, start: int, stop: int, step: int = 1) -> tuple[Any, ...]:
    return (*((slice(None),) * dim), slice(start, stop, step))


# -- fast forms of the standard reducers ---------------------------------------------------------


def reduce_dim(ufunc: Any, x: Any, dim: int) -> Any:
    """``ufunc.reduce`` along a dimension, which keeps extent 1; rounding grows like a tree's."""
    if ufunc is np.add:
        return sums.add(x, dim)
    extent = x.shape[dim]
    if dim == x.ndim - 1:
        if extent > FEW or x.size < TURNED:
            return ufunc.reduce(x, axis=dim, keepdims=True)
        # what is turned round is reduced many results at a time
        turned = np.ascontiguousarray(np.moveaxis(x, dim, 0))
        return ufunc.reduce(turned, axis=0)[..., None]
    if extent <= 2 * RUN:
        return ufunc.reduce(x, axis=dim, keepdims=True)
    width = math.prod(x.shape[dim + 1 :])
    if width < FEW and x.flags.c_contiguous:
        return _narrow(ufunc, x, dim, min(WIDE // width, extent // 4))
    return _by_runs(ufunc, x, dim, RUN, lambda part: ufunc.reduce(part, axis=dim + 1))


def _narrow(ufunc: Any, x: Any, dim: int, together: int) -> Any:
    """Reduce rows of few neighbours, so many of them as one: NumPy takes 12 ns for each row."""
    before, extent, after = x.shape[:dim], x.shape[dim], x.shape[dim + 1 :]
    whole = extent // together * together
    head = x if whole == extent else np.ascontiguousarray(x[_part(dim, 0, whole)])
    wide = reduce_dim(ufunc, head.reshape(*before, whole // together, -1), dim)
    total = reduce_dim(ufunc, wide.reshape(*before, together, *after), dim)
    if whole < extent:
        total = ufunc(total, ufunc.reduce(x[_part(dim, whole, extent)], axis=dim, keepdims=True))
    return total


def _by_runs(ufunc: Any, x: Any, dim: int, run: int, reduce: Callable[[Any], Any]) -> Any:
    """Reduce runs of a dimension by themselves, and then what they gave."""
    extent = x.shape[dim]
    runs = extent // run
    shape = (*x.shape[:dim], runs, run, *x.shape[dim + 1 :])
    parts = reduce(x[_part(dim, 0, runs * run)].reshape(shape))
    total = reduce_dim(ufunc, parts, dim)
    if runs * run < extent:
        total = ufunc(total, reduce_dim(ufunc, x[_part(dim, runs * run, extent)], dim))
    return total


def reduce_dims(ufunc: Any, x: Any, dims: Sequence[int]) -> Any:
    """`reduce_dim` along several, the fastest first."""
    if not dims:
        return np.array(x)
    if len(dims) == x.ndim and x.flags.c_contiguous:
        return reduce_dim(ufunc, x.reshape(-1), 0).reshape((1,) * x.ndim)
    for dim in dims:
        x = reduce_dim(ufunc, x, dim)
    return x


def _argument(ufunc: Any) -> Callable[[Any, Sequence[int], Numbers], State]:
    def elements(x: Any, dims: Sequence[int], numbers: Numbers) -> State:
        best = reduce_dims(ufunc, x, dims)
        hit = x == best  # nowhere for NaN, whose place is then the first
        # the reduced dimensions last, the fastest of them at the very end
        order = [d for d in range(x.ndim) if d not in dims] + list(reversed(dims))
        kept = tuple(best.shape[d] for d in order[: x.ndim - len(dims)])
        local = np.argmax(hit.transpose(order).reshape((*kept, -1)), axis=-1)
        flat = x.transpose(order).reshape((*kept, -1))
        value = np.take_along_axis(flat, local[..., None], -1)
        return value.reshape(best.shape), numbers.of_local(local).reshape(best.shape)

    return elements


def _welford(x: Any, dims: Sequence[int], numbers: Numbers) -> State:
    count = 1
    for dim in dims:
        count *= x.shape[dim]
    n = np.full((1,) * x.ndim, count, x.dtype)
    mean = reduce_dims(np.add, x, dims) / n
    rest = scratch.get("welford", x.size, x.dtype).reshape(x.shape)
    np.subtract(x, mean, rest)
    return n, mean, reduce_dims(np.add, np.multiply(rest, rest, rest), dims)


def _join_welford(n: Any, mean: Any, m2: Any, k: Any, other: Any, other_m2: Any) -> State:
    total = n + k
    delta = other - mean
    share = k / total
    return total, mean + delta * share, m2 + other_m2 + delta * delta * n * share


def _join_argument(better: Any) -> Callable[..., State]:
    def join(value: Any, place: Any, other: Any, where: Any) -> State:
        take = better(other, value) | ((value != value) & (other == other))
        return np.where(take, other, value), np.where(take, where, place)

    return join


def _along(dim: int, x: Any, first: int) -> Any:
    """Numbers from `first` on along a dimension of `x`, as f64."""
    shape = [1] * x.ndim
    shape[dim] = x.shape[dim]
    return np.arange(first, first + x.shape[dim], dtype=np.float64).reshape(shape)


def _records(ufunc: Any, better: Any, x: Any, dim: int, numbers: Any, carry: State | None) -> State:
    """Return the best element up to each point and its number, the last one among equals."""
    best = np.array(x, order="C")
    front, rest = _part(dim, 0, 1), _part(dim, 1, x.shape[dim])
    if carry is not None:
        ufunc(carry[0], best[front], best[front])
    ufunc.accumulate(best, axis=dim, out=best)
    wins = np.empty(x.shape, np.bool_)
    before, new = best[_part(dim, 0, x.shape[dim] - 1)], x[rest]
    wins[rest] = better(new, before) | ((before != before) & (new == new))
    if carry is None:
        wins[front] = True
        place = np.where(wins, numbers, -1.0)
    else:
        value = carry[0]
        wins[front] = better(x[front], value) | ((value != value) & (x[front] == x[front]))
        place = np.where(wins, numbers, carry[1])
    np.maximum.accumulate(place, axis=dim, out=place)
    return best, place


#: State of a block's elements, for the reducers whose names have one meaning.
ELEMENTS: dict[str, Callable[[Any, Sequence[int], Numbers], State]] = {
    "argmin": _argument(np.fmin),
    "argmax": _argument(np.fmax),
    "welford": _welford,
}

#: How the states of two neighbouring runs join.
JOIN: dict[str, Callable[..., State]] = {
    "argmin": _join_argument(np.less),
    "argmax": _join_argument(np.greater),
    "welford": _join_welford,
}
#: How elements compete in scans that tell where the best one stands.
RECORDS: dict[str, tuple[Any, Any]] = {
    "argmin": (np.fmin, np.less),
    "argmax": (np.fmax, np.greater),
}
#: Ufuncs that combine elements, join states, and whose ``accumulate`` is a scan.
UFUNC: dict[str, Any] = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.fmin,
    "max": np.fmax,
    "any": np.logical_or,
    "all": np.logical_and,
}
