"""LLVM IR as text: types, literals, and a writer that names values.

Text needs no LLVM to be made, so the key of a compiled kernel is known without importing one.
"""

from __future__ import annotations

import struct

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE

#: LLVM's type of a value in a register, and of an element in memory.
TYPE: dict[str, str] = {
    "bool": "i1",
    "f32": "float",
    "f64": "double",
    **{f"{sign}{bits}": f"i{bits}" for sign in "iu" for bits in (8, 16, 32, 64)},
}
MEMORY: dict[str, str] = TYPE | {"bool": "i8"}
#: The suffix of LLVM's intrinsics for a type.
SUFFIX = {"f32": "f32", "f64": "f64"}


def literal(value: float | bool | int, dtype: str) -> str:
    """Return a number of an element type as LLVM writes it."""
    if dtype == "bool":
        return "true" if value else "false"
    if dtype in ("f32", "f64"):
        # LLVM writes floats by the bits of the double that they are
        wide = float(NUMPY_DTYPE[dtype].type(value))
        return f"0x{struct.unpack('<Q', struct.pack('<d', wide))[0]:016X}"
    return str(int(NUMPY_DTYPE[dtype].type(value)))


class Writer:
    """Lines of a function, with fresh names for values and labels."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def name(self, stem: str = "v") -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def add(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def let(self, code: str, stem: str = "v") -> str:
        """Name the value of an instruction."""
        value = f"%{self.name(stem)}"
        self.add(f"{value} = {code}")
        return value

    def store(self, value: str, kind: str, address: str, tail: str = "") -> None:
        self.add(f"store {kind} {value}, ptr {address}{tail}")

    def intrinsic(self, name: str, dtype: str, *operands: str) -> str:
        """Call one of LLVM's intrinsics whose operands and result have one type."""
        kind = TYPE[dtype]
        suffix = SUFFIX.get(dtype, kind)
        given = ", ".join(f"{kind} {operand}" for operand in operands)
        return self.let(f"call {kind} @llvm.{name}.{suffix}({given})")


def limits(dtype: str) -> tuple[int, int]:
    """Return the least and the largest number of an integer type."""
    info = np.iinfo(NUMPY_DTYPE[dtype])
    return int(info.min), int(info.max)
