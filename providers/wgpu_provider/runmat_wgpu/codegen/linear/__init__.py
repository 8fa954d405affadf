"""Linear algebra: definite matrices, systems of equations, singular values and eigenvalues."""

from __future__ import annotations

from runmat_core.api.ir import Unit
from runmat_wgpu.codegen.linear.accepted import accepted
from runmat_wgpu.codegen.linear.definite import Cholesky
from runmat_wgpu.codegen.linear.elimination import Elimination
from runmat_wgpu.codegen.linear.jacobi import Jacobi
from runmat_wgpu.codegen.linear.least_squares import LeastSquares
from runmat_wgpu.codegen.linear.symmetric import Symmetric
from runmat_wgpu.codegen.shader import Target


def template(
    unit: Unit, target: Target
) -> Cholesky | Elimination | Jacobi | LeastSquares | Symmetric:
    """Return the template of a call.

    Raises:
        DeclinedError: there is none for its types, without a guard or on this device.
    """
    call, writer = accepted(unit, target)
    if call.name == "chol":
        return Cholesky(writer, bool(call.attribute("lower")))
    if call.name == "eig":
        return Symmetric(writer, bool(call.attribute("vectors")))
    if call.name == "svd":
        return Jacobi(writer, bool(call.attribute("vectors")))
    return LeastSquares(writer) if call.name == "lstsq" else Elimination(writer, call.name)
