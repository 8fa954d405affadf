"""What a product asks for: facts of its library call, and its operands as shaders bind them."""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import FLOATS, Axis, Buffer, Instr, Kernel, LibraryCall, View
from runmat_wgpu.codegen.kernels.draft import width
from runmat_wgpu.codegen.shader import Bind, DeclinedError, Target

_ATTRIBUTES = frozenset({"trans_a", "trans_b", "syrk", "centre"})


@attrs.frozen
class Operand:
    """A factor as a shader reads it.

    Its *outer* index counts rows of the product for the left factor, columns for the right one.

    Attributes:
        buffer: its number in the kernel of the draft (`Product.kernel`).
        direct: neighbours in memory differ in the outer index; else in the inner one.
        vector: it is bound as vectors of 16 bytes: the step between its columns in memory is a
            multiple of such a vector.
        row: the buffer of the row that is subtracted from each of its rows in memory, or None.
    """

    buffer: int
    direct: bool
    vector: bool = True
    row: int | None = None


@attrs.frozen
class Product:
    """A product of two matrices (m x k) * (k x n) and what is done with each element of it.

    Attributes:
        trans_a, trans_b: the input lies transposed in memory.
        syrk: the factors are the same array, the first one transposed: the result is symmetric.
        centre: ``a`` or ``b``: from the rows of which input a row is subtracted; else empty.
        inputs: how many arrays the call takes.
        ending: the epilogue; of a call without one a kernel that stores the elements.
    """

    dtype: str
    trans_a: bool
    trans_b: bool
    syrk: bool
    centre: str
    inputs: int
    ending: Kernel

    @property
    def width(self) -> int:
        """Elements of a vector of 16 bytes."""
        return width(self.dtype)

    @property
    def kernel(self) -> Kernel:
        """The ending, with the inputs of the call as further buffers."""
        inputs = (Buffer(self.dtype),) * self.inputs
        return attrs.evolve(self.ending, buffers=(*self.ending.buffers, *inputs))

    def operands(self, vector_a: bool = True, vector_b: bool = True) -> tuple[Operand, Operand]:
        """Return the left and the right factor."""
        first = len(self.ending.buffers)
        row = first + self.inputs - 1
        left = Operand(first, not self.trans_a, vector_a, row if self.centre == "a" else None)
        if self.syrk:
            return left, attrs.evolve(left, vector=vector_a)
        right = Operand(first + 1, self.trans_b, vector_b, row if self.centre == "b" else None)
        return left, right

    def slot(self, buffer: int) -> int:
        """Return the place among the slots of a launch of a buffer of `kernel`."""
        own = len(self.ending.buffers)
        return buffer - own if buffer >= own else self.inputs + buffer - 1

    def rebound(self, binds: tuple[Bind, ...]) -> tuple[Bind, ...]:
        """Bindings of buffers of `kernel` as bindings of slots."""
        return tuple(
            attrs.evolve(b, index=self.slot(b.index)) if b.source == "slot" else b for b in binds
        )


def product(call: LibraryCall, target: Target) -> Product:
    """Return the facts of a call.

    Raises:
        DeclinedError: element types or attributes that this package does not do.
    """
    dtype = call.dtypes[0]
    attributes = dict(call.attributes)
    syrk, centre = bool(attributes.get("syrk")), str(attributes.get("centre") or "")
    inputs = (1 if syrk else 2) + bool(centre)
    if dtype not in FLOATS or set(call.dtypes[:inputs]) != {dtype}:
        raise DeclinedError(f"a product of {', '.join(call.dtypes)}")
    if dtype == "f64" and not (target.f64 and target.i64):
        raise DeclinedError("no f64 here")
    if attributes.keys() - _ATTRIBUTES or centre not in ("", "a", "b"):
        raise DeclinedError(f"a product with {call.attributes}")
    if syrk and (not attributes.get("trans_a") or attributes.get("trans_b")):
        raise DeclinedError("a symmetric product other than A' * A")
    if syrk and not centre and call.epilogue is None and len(call.dtypes) == 3:
        inputs = 2  # the one input, named twice
    ending = call.epilogue or storing(dtype)
    if len(ending.axes) != 2:
        raise DeclinedError("an epilogue that is not over the product")
    return Product(
        dtype,
        bool(attributes.get("trans_a")),
        bool(attributes.get("trans_b")),
        syrk,
        centre,
        inputs,
        ending,
    )


def storing(dtype: str) -> Kernel:
    """Return the ending of a product that is stored as it is; its views are both `whole`."""
    views = tuple(View(k, (True, True), True) for k in range(2))
    code = (Instr("load", (), dtype, 3, 0), Instr("store", (0,), dtype, 3, 1))
    buffers = (Buffer(dtype), Buffer(dtype, "write"))
    return Kernel((Axis(), Axis()), buffers, views, (), code, name="product")


def whole(m: int) -> Addressing:
    """Column-major addressing of a matrix of m rows."""
    return Addressing(0, (1, m))
