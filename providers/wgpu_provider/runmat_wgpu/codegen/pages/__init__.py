"""Linear algebra by pages: many small matrices in one dispatch."""

from __future__ import annotations

from runmat_core.api.ir import LibraryCall, Unit
from runmat_core.api.ir.calls import PAGES
from runmat_wgpu.codegen.linear.text import Writer
from runmat_wgpu.codegen.pages.definite import Cholesky
from runmat_wgpu.codegen.pages.elimination import Elimination
from runmat_wgpu.codegen.pages.least_squares import LeastSquares
from runmat_wgpu.codegen.pages.rotations import Symmetric
from runmat_wgpu.codegen.pages.singular import Singular
from runmat_wgpu.codegen.shader import DeclinedError, Target


def template(
    unit: Unit, target: Target
) -> Cholesky | Elimination | LeastSquares | Singular | Symmetric:
    """The template of a call by pages.

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
    if not unit.guards or target.invocations < 256:
        raise DeclinedError(f"{unit.name} without a status word, or on small workgroups")
    writer, name = Writer(dtype, target), unit.name.removesuffix(PAGES)
    vectors = bool(unit.attribute("vectors"))
    if name == "chol":
        return Cholesky(writer, bool(unit.attribute("lower")))
    if name == "eig":
        return Symmetric(writer, vectors)
    if name == "svd":
        return Singular(writer, vectors, bool(unit.attribute("largest")))
    return LeastSquares(writer) if name == "lstsq" else Elimination(writer, name)
