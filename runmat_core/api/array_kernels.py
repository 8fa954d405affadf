"""Kernels evaluated with whole arrays: one instruction after the other over the whole space.

A value is an array with one axis for each axis of the kernel, of extent one where it does not vary,
so broadcasting is the loop nest. `ArrayKernels` knows arrays by their operators and basic indexing,
and by a few methods, which are those of NumPy unless a subclass has others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE, Launch
from runmat_core.api.ir import COMPLEX, Fragment, Instr, Kernel, Reducer

#: What is computed of a launch: takes the extents of the axes and what `SOURCES` give, in order;
#: gives what is stored and guarded, in order.
Run = Callable[..., Sequence[Any]]
State = list[Any]

#: Instructions that bring values into a kernel, and those that take them out.
SOURCES = frozenset({"load", "param", "index", "extent"})
SINKS = frozenset({"store", "guard"})

#: What random numbers are made with, besides operators.
_DRAWING = frozenset({"log", "sqrt", "sin", "cos", "select"})
#: Philox4x32-10 (Salmon and others, SC 2011): multipliers and increments of the key.
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF


def literal(instr: Instr) -> Any:
    """Return the value of a ``const``, in its element type."""
    return NUMPY_DTYPE[instr.dtype].type(instr.attr)


class ArrayKernels:
    """Tables of functions of arrays, and how kernels are evaluated with them.

    Attributes:
        dtypes: element types of kernels.
        ops: functions of arrays for map operations (`runmat_core.api.ir.ops`).
        complex_ops: the map operations that take complex elements, too.
        casts: the element types between which `convert` converts.
        reducers: functions of an array and a tuple of axes, which keep these with extent 1, by the
            names of standard reducers (`runmat_core.api.ir.reducers`); a reducer of several results
            gives a tuple. Those without a function are evaluated as they are defined.
        scans: the same for scans: functions of an array and an axis.
        backwards: whether `strided` takes negative strides; without it such views are gathered and
            scattered by element numbers.
    """

    dtypes: Collection[str] = ("f32", "f64", "bool")
    ops: ClassVar[Mapping[str, Callable[..., Any]]] = {}
    complex_ops: ClassVar[Collection[str]] = ()
    casts: ClassVar[Collection[str]] = ("f32", "f64", "bool")
    reducers: ClassVar[Mapping[str, Callable[[Any, tuple[int, ...]], Any]]] = {}
    scans: Mapping[str, Callable[[Any, int], Any]] = {}
    backwards: ClassVar[bool] = True

    # -- memory: replaced for what is not NumPy's --------------------------------------------------

    def empty(self, size: int, dtype: np.dtype[Any]) -> Any:
        """Memory of `size` elements, contents undefined."""
        return np.empty(size, dtype)

    def put(self, host: Any) -> Any:
        """Memory with the contents of a flat array of NumPy, which does not change."""
        return host

    def get(self, memory: Any) -> Any:
        """Return the contents of memory as a flat array of NumPy."""
        return memory

    def strided(
        self, memory: Any, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
    ) -> Any:
        """Return a view of memory; strides count elements. Writing to it writes to memory."""
        step = memory.itemsize
        return np.lib.stride_tricks.as_strided(
            memory[offset:], shape, tuple(stride * step for stride in strides)
        )

    def scalar(self, value: Any, dtype: str) -> Any:
        """Return a number of an element type, as the functions of the tables take it."""
        return NUMPY_DTYPE[dtype].type(value)

    def convert(self, value: Any, dtype: str) -> Any:
        """Return a value in another of the types `casts`, as ``cast`` does it."""
        return value != 0 if dtype == "bool" else value.astype(NUMPY_DTYPE[dtype])

    def spread(self, value: Any, shape: tuple[int, ...]) -> Any:
        """Return an array or a number as an array of a larger size."""
        return np.broadcast_to(value, shape)

    def join(self, parts: Sequence[Any], axis: int) -> Any:
        """Arrays one after the other along an axis."""
        return np.concatenate(parts, axis)

    def count(self, size: int) -> Any:
        """Return the whole numbers from zero, as an array of i64."""
        return self.put(np.arange(size, dtype=np.int64))

    def numbers(self, shape: tuple[int, ...], offset: int, strides: tuple[int, ...]) -> Any:
        """Return the element numbers that a view addresses, as an array of i64."""
        found = self.count(1).reshape((1,) * len(shape)) + offset
        for axis, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
            if extent != 1:
                along = [1] * len(shape)
                along[axis] = extent
                found = found + (self.count(extent) * stride).reshape(along)
        return found

    # -- what is accepted --------------------------------------------------------------------------

    @property
    def structural(self) -> frozenset[str]:
        """The structural operations that are evaluated."""
        random = {"random"} if self.ops.keys() >= _DRAWING else set()
        return frozenset({"const", "reduce", "item", "scan", *SOURCES, *SINKS} | random)

    @property
    def declared_ops(self) -> frozenset[str]:
        """The map operations that are evaluated."""
        return frozenset(self.ops) | {"cast"}

    def accepts(self, kernel: Kernel) -> bool:
        """Whether every instruction of a kernel can be evaluated."""
        if kernel.axes_of("serial"):
            return False
        code = kernel.code
        return all(self._has(i, {i.dtype, *(code[k].dtype for k in i.args)}) for i in code)

    def _has(self, instr: Instr, types: set[str]) -> bool:
        op: str = instr.op
        if op in ("extent", "index", "const", "param", "input"):
            return op in self.structural or op == "input"
        if op == "random":
            attr: Any = instr.attr
            return op in self.structural and attr[1] in self.dtypes
        if op in ("reduce", "scan"):
            whole: Any = instr.attr[0] if op == "scan" else instr.attr  # type: ignore[index]
            table: Mapping[str, Any] = self.scans if op == "scan" else self.reducers
            known = op in self.structural and types <= set(self.dtypes)
            return known and (whole.name in table or self._defines(whole))
        if not types <= {*self.dtypes, "i64"}:
            return False
        if op == "cast":
            complexes = set(self.dtypes) & COMPLEX if "cast" in self.complex_ops else set()
            return "cast" in self.declared_ops and types <= {*self.casts, *complexes}
        if op in self.ops:
            return op in self.complex_ops or not types & COMPLEX
        if op == "load" and instr.args:
            return "select" in self.ops
        return op in self.structural

    def _defines(self, reducer: Reducer) -> bool:
        """Whether the definition of a reducer can be evaluated."""
        parts = ((reducer.map, len(reducer.map.inputs)), (reducer.combine, 0), (reducer.finish, 0))
        for fragment, count in parts:
            code = fragment.code
            unused = count - 1 if count and not _reads(fragment, count - 1) else -1
            for k, instr in enumerate(code):
                types = {instr.dtype, *(code[a].dtype for a in instr.args)}
                if k == unused:
                    continue
                if instr.op == "input" and instr.dtype not in self.dtypes:
                    return False
                if not self._has(instr, types):
                    return False
        return True

    # -- evaluation --------------------------------------------------------------------------------

    def prepare(self, kernel: Kernel) -> Run | None:
        """Return what runs a kernel that is accepted; None declines it."""
        done = _last_uses(kernel)

        def run(extents: tuple[int, ...], *sources: Any) -> list[Any]:
            given = iter(sources)
            values: list[Any] = []
            results = []
            try:
                for instr, over in zip(kernel.code, done, strict=True):
                    args = [values[k] for k in instr.args]
                    if instr.op in SINKS:
                        values.append(None)
                        results.append(args[0])
                    elif instr.op == "load" and args:
                        values.append(self._element(instr, next(given), args[0]))
                    elif instr.op in SOURCES:
                        values.append(next(given))
                    else:
                        values.append(self._value(kernel, instr, args, extents))
                    for k in over:
                        values[k] = None
            except Exception as problem:
                problem.add_note(f"in instruction {len(values)}: {_text(kernel, len(values))}")
                raise
            return results

        return run

    def _value(
        self, kernel: Kernel, instr: Instr, args: list[Any], extents: tuple[int, ...]
    ) -> Any:
        attr: Any = instr.attr
        match instr.op:
            case "reduce":
                return self._reduced(attr, args, kernel.axes_of("reduce"), extents)
            case "scan":
                reducer, reverse = attr
                (axis,) = kernel.axes_of("scan")
                return self._scanned(reducer, reverse, args, axis, extents)
            case "item":
                return args[0][attr]
            case "random":
                distribution, dtype = attr
                key_low, key_high, low, high = map(int, args[1:])
                position = low | high << 32
                return self._draw(distribution, dtype, args[0], (key_low, key_high), position)
        return self._apply(instr, args)

    def _apply(self, instr: Instr, args: list[Any]) -> Any:
        """Return the value of a map operation or a literal."""
        if instr.op == "const":
            return self.scalar(instr.attr, instr.dtype)
        if instr.op == "cast":
            return self.convert(args[0], str(instr.attr))
        return self.ops[instr.op](*args)

    def _fragment(self, fragment: Fragment, inputs: Sequence[Any]) -> State:
        """Return the outputs of a fragment."""
        values = list(inputs)
        for instr in fragment.code[len(values) :]:
            values.append(self._apply(instr, [values[k] for k in instr.args]))
        return [values[k] for k in fragment.outputs]

    def _element(self, instr: Instr, memory: Any, number: Any) -> Any:
        """Return the elements of memory with computed numbers, 0 where there is none."""
        size = memory.shape[0]
        nothing = self.scalar(0, instr.dtype)
        if not size:
            return self.ops["select"](number != number, nothing, nothing)
        inside = (number >= 0) & (number < size)
        return self.ops["select"](inside, memory[number * inside], nothing)

    # -- reductions --------------------------------------------------------------------------------

    def _whole(self, value: Any, shape: tuple[int, ...]) -> Any:
        return value if tuple(value.shape) == shape else self.spread(value, shape)

    def _reduced(
        self, reducer: Reducer, args: list[Any], axes: tuple[int, ...], extents: tuple[int, ...]
    ) -> Any:
        """Return the result of a reduction over all reduced axes, or a tuple of several."""
        own = [1] * len(extents)
        for value in args:
            own = [max(n, m) if m else 0 for n, m in zip(own, _shape(value, own), strict=True)]
        shape = tuple(extents[k] if k in axes else n for k, n in enumerate(own))
        kept = tuple(1 if k in axes else n for k, n in enumerate(shape))
        if prod(shape[k] for k in axes) == 0:
            types = reducer.combine.inputs[: len(reducer.init)]
            state = [self.scalar(v, t) for v, t in zip(reducer.init, types, strict=True)]
        elif reducer.name in self.reducers:
            return self.reducers[reducer.name](self._whole(args[0], shape), axes)
        else:
            state = self._mapped(reducer, args, axes, shape)
            for axis in axes:  # the fastest first: runs along it are neighbours
                state = self._combined(reducer, state, axis)
        results = [self._whole(v, kept) for v in self._fragment(reducer.finish, state)]
        return results[0] if len(results) == 1 else tuple(results)

    def _mapped(
        self, reducer: Reducer, args: list[Any], axes: tuple[int, ...], shape: tuple[int, ...]
    ) -> State:
        """Return the states of single elements."""
        number = None
        if _reads(reducer.map, len(args)):
            step, strides = 1, [0] * len(shape)
            for axis in axes:
                strides[axis], step = step, step * shape[axis]
            along = tuple(n if k in axes else 1 for k, n in enumerate(shape))
            number = self.convert(self.numbers(along, 0, tuple(strides)), "f64")
        return [self._whole(v, shape) for v in self._fragment(reducer.map, [*args, number])]

    def _joined(self, reducer: Reducer, left: State, right: State) -> State:
        shape = tuple(left[0].shape)
        return [self._whole(v, shape) for v in self._fragment(reducer.combine, [*left, *right])]

    def _combined(self, reducer: Reducer, state: State, axis: int) -> State:
        """Return the states joined along an axis, neighbours first, what is left over last."""
        rest: State | None = None
        while (count := state[0].shape[axis]) > 1:
            if count % 2:
                last = [_part(v, axis, count - 1, count) for v in state]
                rest = last if rest is None else self._joined(reducer, last, rest)
            left, right = ([_part(v, axis, k, count - count % 2, 2) for v in state] for k in (0, 1))
            state = self._joined(reducer, left, right)
        return state if rest is None else self._joined(reducer, state, rest)

    def _scanned(
        self,
        reducer: Reducer,
        reverse: bool,
        args: list[Any],
        axis: int,
        extents: tuple[int, ...],
    ) -> Any:
        """Return the results of a scan: joins of states at distances 1, 2, 4 … (Hillis, Steele)."""
        values = [self._whole(v, extents) for v in args]
        values = [self._flipped(v, axis) for v in values] if reverse else values
        if reducer.name in self.scans and 0 not in extents:
            results = [self.scans[reducer.name](values[0], axis)]
        else:
            state = self._mapped(reducer, values, (axis,), extents)
            step, count = 1, extents[axis]
            while step < count:
                left = [_part(v, axis, 0, count - step) for v in state]
                right = [_part(v, axis, step, count) for v in state]
                first = [_part(v, axis, 0, step) for v in state]
                joined = zip(first, self._joined(reducer, left, right), strict=True)
                state = [self.join(parts, axis) for parts in joined]
                step *= 2
            results = [self._whole(v, extents) for v in self._fragment(reducer.finish, state)]
        results = [self._flipped(v, axis) for v in results] if reverse else results
        return results[0] if len(results) == 1 else tuple(results)

    def _flipped(self, value: Any, axis: int) -> Any:
        """Return an array with one axis read from its end.

        Not all libraries have negative steps.
        """
        places = value.shape[axis] - 1 - self.count(value.shape[axis])
        return value[(slice(None),) * axis + (places,)]

    # -- random numbers ----------------------------------------------------------------------------

    def _draw(
        self, distribution: str, dtype: str, number: Any, key: tuple[int, int], position: int
    ) -> Any:
        """Elements `number` of a draw at `position` of the stream of a key."""
        width = 1 if dtype == "f32" else 2  # words of an element
        at = number * width + ((position + (1 << 63)) % (1 << 64) - (1 << 63))
        if distribution == "uniform":
            return self._uniform(dtype, key, at)
        log, sqrt, select = (self.ops[name] for name in ("log", "sqrt", "select"))
        # elements in pairs: the cosine for the even one, the sine for the odd one
        first = at & ~(2 * width - 1)
        radius = sqrt(-2 * log(self._uniform(dtype, key, first)))
        angle = self.scalar(2 * np.pi, dtype) * self._uniform(dtype, key, first + width)
        odd = (at & width) == width
        return radius * select(odd, self.ops["sin"](angle), self.ops["cos"](angle))

    def _uniform(self, dtype: str, key: tuple[int, int], at: Any) -> Any:
        low = self._words(key, at)
        if dtype == "f32":
            return self.convert(low >> 9, dtype) * 2**-23 + 2**-24
        bits = (self._words(key, at + 1) << 20) | (low >> 12)
        return self.convert(bits, dtype) * 2**-52 + 2**-53

    def _words(self, key: tuple[int, int], at: Any) -> Any:
        """Return the words of the stream at `at`, as i64: lane ``at % 4`` of block ``at // 4``."""
        block = (at >> 2) & ((1 << 62) - 1)
        c0, c1 = block & _LOW, block >> 32
        c2 = c3 = c0 * 0
        k0, k1 = key
        for _ in range(10):
            # products of 64 bits, whose sign bit is one of them
            first, second = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
            c0, c1, c2, c3 = (
                ((second >> 32) & _LOW) ^ c1 ^ k0,
                second & _LOW,
                ((first >> 32) & _LOW) ^ c3 ^ k1,
                first & _LOW,
            )
            k0, k1 = (k0 + _WEYL[0]) & _LOW, (k1 + _WEYL[1]) & _LOW
        select = self.ops["select"]
        lane = at & 3
        low, high = select(lane == 0, c0, c1), select(lane == 2, c2, c3)
        return select(lane < 2, low, high)

    # -- what a launch gives -----------------------------------------------------------------------

    def sources(
        self, kernel: Kernel, step: Launch, slots: list[Any], params: list[Any]
    ) -> Iterator[Any]:
        """Yield what the `SOURCES` of a kernel give in a launch, in order."""
        for instr in kernel.code:
            number: Any = instr.attr
            if instr.op == "load":
                yield self.view(kernel, step, slots, number, whole=bool(instr.args))
            elif instr.op == "param":
                yield self.scalar(params[step.params[number]], instr.dtype)
            elif instr.op == "extent":
                count = prod(step.extents[k] for k in kernel.axes_of("reduce"))
                yield self.scalar(count, instr.dtype)
            elif instr.op == "index":
                where = step.views[number]
                shape = _extents_of(kernel, step, number)
                yield self.numbers(shape, where.offset, where.strides)

    def view(
        self, kernel: Kernel, step: Launch, slots: list[Any], number: int, whole: bool = False
    ) -> Any:
        """Return what a view of a launch addresses, or all of its buffer."""
        memory = slots[step.slots[kernel.views[number].buffer or 0]]
        if whole:
            return memory
        where, shape = step.views[number], _extents_of(kernel, step, number)
        if self.backwards or min(where.strides, default=0) >= 0:
            return self.strided(memory, where.offset, shape, where.strides)
        return memory[self.numbers(shape, where.offset, where.strides)]

    def store(
        self, kernel: Kernel, step: Launch, slots: list[Any], number: int, value: Any
    ) -> None:
        """Write a value to what a view of a launch addresses.

        Raises:
            TypeError: there is no value, which NumPy would make NaN.
        """
        if value is None:
            raise TypeError(f"a function returned None, and not an array, in {kernel.name}")
        where, shape = step.views[number], _extents_of(kernel, step, number)
        if self.backwards or min(where.strides, default=0) >= 0:
            self.view(kernel, step, slots, number)[...] = value
        else:
            memory = slots[step.slots[kernel.views[number].buffer or 0]]
            memory[self.numbers(shape, where.offset, where.strides)] = value


def _text(kernel: Kernel, number: int) -> str:
    """Return an instruction as authors of providers read it, with the types of its operands."""
    instr = kernel.code[number]
    operands = ", ".join(f"{k} {kernel.code[k].dtype}" for k in instr.args)
    attr = getattr(instr.attr, "name", "") or ("" if instr.attr is None else instr.attr)
    return f"{instr.op} ({operands}) gives {instr.dtype} {attr}".rstrip()


def _extents_of(kernel: Kernel, step: Launch, view: int) -> tuple[int, ...]:
    moves = kernel.views[view].moves
    return tuple(n if moving else 1 for n, moving in zip(step.extents, moves, strict=True))


def _shape(value: Any, like: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of a value; a number has extent 1 everywhere."""
    return tuple(value.shape) or (1,) * len(like)


def _part(value: Any, axis: int, start: int, stop: int, step: int = 1) -> Any:
    return value[(slice(None),) * axis + (slice(start, stop, step),)]


def _reads(fragment: Fragment, number: int) -> bool:
    """Whether a fragment uses one of its inputs."""
    used = {k for instr in fragment.code for k in instr.args}
    return number in used or number in fragment.outputs


def _last_uses(kernel: Kernel) -> list[list[int]]:
    """For each instruction the values that nothing needs after it."""
    last = {k: k for k in range(len(kernel.code))}
    for k, instr in enumerate(kernel.code):
        last.update(dict.fromkeys(instr.args, k))
    ends: list[list[int]] = [[] for _ in kernel.code]
    for value, at in last.items():
        ends[at].append(value)
    return ends
