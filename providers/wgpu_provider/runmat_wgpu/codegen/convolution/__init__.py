"""``conv``: convolution of real arrays of up to three dimensions, all products made."""

from __future__ import annotations

import math
from typing import Any

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import LibraryCall, Unit
from runmat_wgpu.codegen.convolution.shaders import EACH, THREADS, Convolution, Words
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Target,
)

#: Dimensions along which a kernel may have several taps.
RANK = 3


@attrs.frozen
class Direct:
    """A template of ``conv``: see `runmat_core.api.ir.calls`."""

    dtype: str
    part: str
    turned: bool
    swapped: bool
    target: Target

    @property
    def source(self) -> str:
        return Convolution(self.dtype, False, EACH).shader().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are those of the array, then those of the kernel."""
        rank = len(extents) // 2
        n, m = extents[:rank], extents[rank:]
        made, start = placed(n, m, self.part)
        if 0 in made:
            return Prepared(())
        most = max(math.prod(n), math.prod(m), math.prod(made))
        if most * STORED_BYTES[self.dtype] > self.target.binding_bytes:
            raise DeviceFault(f"An array of {most} elements is too large to convolve here.")
        kept = [k for k in range(rank) if n[k] > 1 or m[k] > 1] or [0]
        taps = [k for k in kept if m[k] > 1] or kept[:1]
        last = kept.index(taps[-1])
        if last >= RANK:
            raise DeviceFault("Kernels have three dimensions at most here.")
        inner, outer = kept[: last + 1], kept[last + 1 :]
        fill = (1,) * (RANK - len(inner))
        words = {
            "n": (*[n[k] for k in inner], *fill),
            "m": (*[m[k] for k in inner], *fill),
            "made": (*[made[k] for k in inner], *fill),
            "start": (*[start[k] for k in inner], *[0] * len(fill)),
            "pages": math.prod([n[k] for k in outer]),
            "turned": self.turned,
        }
        return self._dispatches(words, most)

    def _dispatches(self, words: dict[str, Any], most: int) -> Prepared:
        made, m, pages = words["made"], words["m"], words["pages"]
        flat = words["n"][1] == m[1] == words["n"][2] == m[2] == 1
        shape = Convolution(self.dtype, flat, min(m[1], EACH))
        (tx, ty), (kx, ky) = shape.tile, shape.block
        groups = -(-made[0] // tx) * -(-made[1] // ty) * made[2] * pages
        blocks = -(-m[0] // kx) * -(-m[1] // ky) * m[2]
        binds = (Bind("slot", 0), Bind("slot", 1), Bind("slot", 2))
        if self.swapped:
            binds = (binds[1], binds[0], binds[2])
        each = max(self.target.iterations // shape.iterations(), 1)
        dispatches = []
        for first in range(0, blocks, each):
            packed = Words(
                first=first, last=min(first + each, blocks), more=first > 0, **words
            ).packed()
            dispatches.append(Dispatch(shape.shader(), self.target.grid(groups), binds, packed))
        wide = STORED_BYTES[self.dtype]
        read = math.prod(words["n"]) * pages + math.prod(m)
        return Prepared(tuple(dispatches), (), (), read * wide, math.prod(made) * pages * wide)


def placed(
    n: tuple[int, ...], m: tuple[int, ...], part: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Extents of a part of a convolution, and which point of the whole comes first."""
    if part == "same":
        return n, tuple([extent // 2 for extent in m])
    if part == "causal":
        return n, (0,) * len(n)
    pairs = list(zip(n, m, strict=True))
    if part == "valid":
        return tuple([max(a - b + 1, 0) for a, b in pairs]), tuple([b - 1 for b in m])
    return tuple([a + b - 1 for a, b in pairs]), (0,) * len(n)


def template(unit: Unit, target: Target) -> Direct:
    """Return the template of a ``conv``.

    Raises:
        DeclinedError: it has an epilogue, its type is not one of the device's floating types, or
            the device has small workgroups.
    """
    assert isinstance(unit, LibraryCall)
    dtype = unit.dtypes[0]
    if unit.epilogue is not None or set(unit.dtypes) != {dtype} or dtype not in ("f32", "f64"):
        raise DeclinedError(f"conv of {', '.join(unit.dtypes)}")
    if dtype == "f64" and not (target.f64 and target.i64):
        raise DeclinedError("no doubles on this device")
    room = max(Convolution(dtype, flat, EACH).memory for flat in (False, True))
    if target.invocations < THREADS or room * STORED_BYTES[dtype] > target.workgroup_bytes:
        raise DeclinedError("conv on small workgroups")
    part: Any = unit.attribute("part", "full")
    turned, swapped = bool(unit.attribute("turned")), bool(unit.attribute("swapped"))
    return Direct(dtype, part, turned, swapped, target)
