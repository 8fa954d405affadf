"""The kernel IR: an iteration space, and SSA over it.

A kernel runs its `code` once for every point of a space of up to eight `axes`. A value of the code
*varies along* a subset of the axes (`Instr.over`, a bit mask): a parameter along none, a loaded
array along those its view moves on, the result of a map instruction along all that its operands
vary along. A ``reduce`` removes every axis of kind ``reduce`` at once, so its result may meet
values that still vary along them: ``x - sum(x)/n`` is three instructions, and in how many passes it
runs is the provider's choice. A ``scan`` runs along the axis of kind ``scan`` and keeps it.

An axis of kind ``serial`` is a loop in time: for each point of the other axes its trips run one
after another, and a ``carry`` takes a value from one trip to the next. What does not vary along it
is computed once, before the loop; ``last`` is a value as the last trip left it, for after the loop.
There is at most one such axis, it is the last one, and it has at least one trip. A load sees what
was stored before the launch, and never what another trip stored.

Extents, strides, offsets and scalars are parameters of a launch (`runmat_core.api.device.Launch`)
and never part of a kernel, so that one compiled kernel serves every size and value. Axis 0 is the
fastest in memory of a column-major array. Kernels are frozen and hashable: equal kernels are the
same kernel, which is what caches of compiled kernels are keyed by.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal

import attrs

from runmat_core.api.shown import Shown

#: Element types by the names that the IR uses; MATLAB's classes, complex ones included.
Dtype = Literal[
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "c64", "c128"
]

#: MATLAB's class of a real element type, and back.
CLASS_OF: dict[str, str] = {
    "bool": "logical",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f32": "single",
    "f64": "double",
}
DTYPE_OF: dict[str, str] = {cls: dtype for dtype, cls in CLASS_OF.items()} | {"char": "u16"}

#: The complex element type whose parts have a type, and back. An element is the real part followed
#: by the imaginary one.
COMPLEX_OF: dict[str, str] = {"f32": "c64", "f64": "c128"}
PART_OF: dict[str, str] = {dtype: part for part, dtype in COMPLEX_OF.items()}

#: What arrays with complex elements are called where MATLAB's class does not tell them apart.
COMPLEX_CLASS: dict[str, str] = {"c64": "complex single", "c128": "complex double"}
DTYPE_OF |= {cls: dtype for dtype, cls in COMPLEX_CLASS.items()}

#: Bytes of an element.
ITEMSIZE: dict[str, int] = {
    name: {"bool": 1, "c64": 8, "c128": 16}.get(name) or int(name[1:]) // 8
    for name in (*CLASS_OF, "c64", "c128")
}

FLOATS = frozenset({"f32", "f64"})
COMPLEX = frozenset(PART_OF)
INTEGERS = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})

#: What is known of a scalar's value when a kernel is built, so that ``x.^2`` stays a product.
Known = Literal["0", "1", "2", "0.5", "integer", "other"]


def known_class(value: float) -> Known:
    """Return the class that a scalar's value falls into."""
    if value == 2.0:
        return "2"
    if value == 1.0:
        return "1"
    if value == 0.5:
        return "0.5"
    if value == 0.0:
        return "0"
    return "integer" if value % 1 == 0 else "other"  # Inf % 1 is NaN, hence "other"


@attrs.frozen(repr=False)
class Axis(Shown):
    """One axis of the space; its extent comes with the launch."""

    kind: Literal["parallel", "reduce", "scan", "serial"] = "parallel"


@attrs.frozen(repr=False)
class Buffer(Shown):
    """An array that the kernel reads or writes; a launch binds a slot to each, in order."""

    dtype: str
    access: Literal["read", "write"] = "read"


@attrs.frozen(repr=False)
class View(Shown):
    """How the points of the space address elements of a buffer, or number them.

    The element is ``offset + sum(stride[k] * point[k])`` with the offset and strides of the launch
    (`runmat_core.api.device.Addressing`).

    Attributes:
        buffer: index into `Kernel.buffers`, None for a view that only numbers (``index``).
        moves: for each axis whether the stride may differ from zero.
        contiguous: whether the view is promised to be column-major without gaps over the axes
            that it moves along, from offset 0.
    """

    buffer: int | None
    moves: tuple[bool, ...]
    contiguous: bool = False


@attrs.frozen(repr=False)
class Param(Shown):
    """A scalar that comes with the launch."""

    dtype: str
    known: Known = "other"


@attrs.frozen(repr=False)
class Instr(Shown):
    """One instruction; its value is named by its position in the code.

    Attributes:
        op: a name of `runmat_core.api.ir.ops.OPS`, or a structural one (see there).
        args: positions of the operands.
        dtype: element type of the value; that of the stored value for ``store``.
        over: bit k is set where the value varies along axis k.
        attr: what the operation needs besides operands (see `runmat_core.api.ir.ops`).
    """

    op: str
    args: tuple[int, ...]
    dtype: str
    over: int
    attr: Hashable = None


@attrs.frozen(repr=False)
class Fragment(Shown):
    """A function as code without axes: the first ``len(inputs)`` instructions are its inputs."""

    inputs: tuple[str, ...]
    code: tuple[Instr, ...]
    outputs: tuple[int, ...]


@attrs.frozen(repr=False, cache_hash=True)
class Reducer(Shown):
    """How a ``reduce`` or ``scan`` combines elements.

    The state is a tuple of values. `map` turns one element (its operands, then its number along
    the reduced axes, counted from zero in column-major order, as f64; of a scan in its own order)
    into a state; `combine` joins the states of two neighbouring runs, the earlier first; `finish`
    turns a state into the results.
    A provider may know `name` and use something faster that gives the same results up to rounding.

    Attributes:
        name: unique for its meaning, such as ``sum``, ``argmax``, ``welford``.
        init: the state of no elements, one literal for each component.
        commutative: whether runs may be combined in any order.
    """

    name: str
    init: tuple[float | bool, ...]
    map: Fragment
    combine: Fragment
    finish: Fragment
    commutative: bool = True


@attrs.frozen(repr=False, cache_hash=True)
class Kernel(Shown):
    """A loop nest and its code.

    Attributes:
        name: for people: shown by ``explain`` and in traces, no part of the meaning.
        axes: of the space, axis 0 the fastest in memory.
        buffers: in the order in which a launch binds slots.
        views: in the order in which a launch gives addressing.
        params: scalars, in the order in which a launch names them.
        code: SSA; stores are instructions too.
        guards: whether the code holds ``guard`` instructions, so that a launch has a status word.
    """

    axes: tuple[Axis, ...]
    buffers: tuple[Buffer, ...]
    views: tuple[View, ...]
    params: tuple[Param, ...]
    code: tuple[Instr, ...]
    guards: bool = False
    name: str = attrs.field(default="kernel", eq=False)

    def axes_of(self, kind: str) -> tuple[int, ...]:
        """Return the axes of a kind."""
        return tuple(k for k, axis in enumerate(self.axes) if axis.kind == kind)


@attrs.frozen(repr=False)
class LibraryCall(Shown):
    """A computation that providers have as a whole, such as ``matmul``, ``qr`` or ``sort``.

    Attributes:
        name: the operation.
        dtypes: element types of inputs, then outputs.
        attributes: static facts as sorted pairs, such as ``("trans_a", True)``.
        epilogue: a kernel over the space of the (only) result, whose buffer 0 is that result
            before it is stored anywhere; its other buffers follow the call's inputs. The call then
            has the epilogue's outputs instead of its own.
        guards: whether it sets bit 0 of the status word where host rules are to see the call,
            which then raise their error or give their warning; see `runmat_core.api.ir.calls`.
    """

    name: str
    dtypes: tuple[str, ...]
    attributes: tuple[tuple[str, Hashable], ...] = ()
    epilogue: Kernel | None = None
    guards: bool = False

    def attribute(self, name: str, default: Hashable = None) -> Hashable:
        return dict(self.attributes).get(name, default)


#: What `compile` takes.
Unit = Kernel | LibraryCall
