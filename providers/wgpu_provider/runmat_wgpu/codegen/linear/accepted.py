"""Which calls of linear algebra have shaders at all."""

from __future__ import annotations

from runmat_core.api.ir import LibraryCall, Unit
from runmat_core.api.ir.calls import TOLD
from runmat_wgpu.codegen.linear.text import Writer
from runmat_wgpu.codegen.shader import DeclinedError, Target


def accepted(unit: Unit, target: Target) -> tuple[LibraryCall, Writer]:
    """Return the call, and what writes the text of its shaders.

    Raises:
        DeclinedError: it has an epilogue or no guard, its type is not one of the device's floating
            types, or the device has small workgroups.
    """
    assert isinstance(unit, LibraryCall)
    dtype = unit.dtypes[0]
    if unit.epilogue is not None or set(unit.dtypes) != {dtype} or dtype not in ("f32", "f64"):
        raise DeclinedError(f"{unit.name} of {', '.join(unit.dtypes)}")
    if dtype == "f64" and not (target.f64 and target.i64):
        raise DeclinedError("no doubles on this device")
    told = unit.name.endswith(TOLD)
    if not (unit.guards or told) or target.invocations < 256:
        raise DeclinedError(f"{unit.name} without a status word, or on small workgroups")
    return unit, Writer(dtype, target, told)
