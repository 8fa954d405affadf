"""Linear algebra: definite matrices, systems of equations, singular values and eigenvalues."""

from __future__ import annotations

from runmat_core.api.ir import LibraryCall, Unit
from runmat_wgpu.codegen.linear.definite import Cholesky
from runmat_wgpu.codegen.linear.elimination import Elimination
from runmat_wgpu.codegen.linear.jacobi import Jacobi
from runmat_wgpu.codegen.linear.least_squares import LeastSquares
from runmat_wgpu.codegen.linear.symmetric import Symmetric
from runmat_wgpu.codegen.linear.text import Writer
from runmat_wgpu.codegen.shader import DeclinedError, Target


def template(
    unit: Unit, target: Target
) -> Cholesky | Elimination | Jacobi | LeastSquares | Symmetric:
    """The template of a call.

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
    writer = Writer(dtype, target)
    if unit.name == "chol":
        return Cholesky(writer, bool(unit.attribute("lower")))
    if unit.name == "eig":
        return Symmetric(writer, bool(unit.attribute("vectors")))
    if unit.name == "svd":
        return Jacobi(writer, bool(unit.attribute("vectors")))
    return LeastSquares(writer) if unit.name == "lstsq" else Elimination(writer, unit.name)
