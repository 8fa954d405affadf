"""The words of a dispatch: how ``P`` is laid out, and how it is packed.

Field names are the same in every shader: ``e0`` is the extent of axis 0, ``o2`` the offset of view
2 in elements, ``s2_1`` its stride along axis 1 (``h2`` and ``h2_1`` the high halves of both where
they count in 64 bits), ``a3`` param 3, ``n1`` the number of elements of
buffer 1. Whatever else a generator needs has a name that it chooses itself.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from math import prod
from typing import Literal

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.shader import STORAGE

WordType = Literal["u32", "i32", "f32", "f64", "u64", "i64"]

_FORMAT: dict[str, str] = {"u32": "I", "i32": "i", "f32": "f", "f64": "d", "u64": "Q", "i64": "q"}
_MASK = 0xFFFFFFFF


class Words:
    """Collects the members of ``P`` while a shader is written."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._places: dict[str, tuple[int, str]] = {}
        self._end = 0
        self._params: list[tuple[int, str, int]] = []
        self._offsets: list[tuple[int, int]] = []
        self._counts: list[tuple[int, int]] = []
        self.field("zero")

    def field(self, name: str, type_: WordType = "u32") -> str:
        """Return a member, new or as it was; the expression that reads it."""
        if name not in self._places:
            size = struct.calcsize(_FORMAT[type_])
            self._end = -(-self._end // size) * size
            self._places[name] = (self._end, type_)
            self._end += size
        return f"p.{name}"

    def extent(self, axis: int) -> str:
        """Return the extent of an axis, u32."""
        return self.field(f"e{axis}")

    def offset(self, view: int) -> str:
        """Return the offset of a view in elements, u32 (modulo 2^32)."""
        name = f"o{view}"
        if name not in self._places:
            self.field(name)
            self._offsets.append((self._places[name][0], view))
        return f"p.{name}"

    def stride(self, view: int, axis: int) -> str:
        """Return the stride of a view along an axis in elements, u32 (modulo 2^32)."""
        return self.field(f"s{view}_{axis}")

    def reduced(self, dtype: str) -> str:
        """Return the number of points along all reduced axes, rounded to a type."""
        return self.field(f"reduced_{dtype}", STORAGE[dtype])  # type: ignore[arg-type]

    def param(self, number: int) -> str:
        """Return a param as its element type lies in memory (`shader.STORAGE`)."""
        name, dtype = f"a{number}", self.kernel.params[number].dtype
        if name not in self._places:
            self.field(name, STORAGE[dtype])  # type: ignore[arg-type]
            self._params.append((self._places[name][0], dtype, number))
        return f"p.{name}"

    def count(self, buffer: int) -> str:
        """Return the number of elements of the array that a buffer is bound to, u32."""
        name = f"n{buffer}"
        if name not in self._places:
            self.field(name)
            self._counts.append((self._places[name][0], buffer))
        return f"p.{name}"

    @property
    def size(self) -> int:
        """Bytes of ``P``."""
        return -(-self._end // 16) * 16

    @property
    def params(self) -> tuple[tuple[int, str, int], ...]:
        """For `Dispatch.params`."""
        return tuple(self._params)

    @property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """For `Dispatch.offsets`, where moving an offset is all it takes to move a view."""
        return tuple(self._offsets)

    @property
    def counts(self) -> tuple[tuple[int, int], ...]:
        """For `Dispatch.counts`."""
        return tuple(self._counts)

    def text(self) -> str:
        """Return the declaration of ``P`` and of the uniform that holds it."""
        members = [f"  {name}: {type_}," for name, (_, type_) in self._places.items()]
        return "\n".join(
            ["struct P {", *members, "}", "@group(1) @binding(0) var<uniform> p: P;", ""]
        )

    def pack(
        self,
        extents: Sequence[int],
        views: Sequence[Addressing],
        others: Mapping[str, int | float] | None = None,
    ) -> bytes:
        """Return the words of a dispatch; params and counts are zero.

        Args:
            extents: of the axes.
            views: addressing of each view.
            others: values of members that are neither extents nor addressing; they also replace
                those, by name. Integers are taken modulo the size of the member.
        """
        values: dict[str, int | float] = {f"e{k}": extent for k, extent in enumerate(extents)}
        points = prod(extents[k] for k in self.kernel.axes_of("reduce"))
        values.update({f"reduced_{dtype}": points for dtype in STORAGE})
        for v, where in enumerate(views):
            values |= {f"o{v}": where.offset, f"h{v}": where.offset >> 32}
            for k, stride in enumerate(where.strides):
                values |= {f"s{v}_{k}": stride, f"h{v}_{k}": stride >> 32}
        values.update(others or {})
        packed = bytearray(self.size)
        for name, (place, type_) in self._places.items():
            value = values.get(name, 0)
            if type_ in ("u32", "i32"):
                struct.pack_into("<I", packed, place, int(value) & _MASK)
            elif type_ in ("u64", "i64"):
                struct.pack_into("<Q", packed, place, int(value) & (1 << 64) - 1)
            else:
                struct.pack_into(f"<{_FORMAT[type_]}", packed, place, value)
        return bytes(packed)
