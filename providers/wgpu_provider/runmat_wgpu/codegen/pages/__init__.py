"""Linear algebra by pages: many small matrices in one dispatch."""

from __future__ import annotations

from runmat_core.api.ir import Unit
from runmat_core.api.ir.calls import PAGES, TOLD
from runmat_wgpu.codegen.linear.accepted import accepted
from runmat_wgpu.codegen.pages.definite import Cholesky
from runmat_wgpu.codegen.pages.elimination import Elimination
from runmat_wgpu.codegen.pages.least_squares import LeastSquares
from runmat_wgpu.codegen.pages.rotations import Symmetric
from runmat_wgpu.codegen.pages.singular import Singular
from runmat_wgpu.codegen.shader import Target


def template(
    unit: Unit, target: Target
) -> Cholesky | Elimination | LeastSquares | Singular | Symmetric:
    """Return the template of a call by pages.

    Raises:
        DeclinedError: there is none for its types, without a guard or on this device.
    """
    call, writer = accepted(unit, target)
    name = call.name.removesuffix(TOLD).removesuffix(PAGES)
    vectors = bool(call.attribute("vectors"))
    if name == "chol":
        return Cholesky(writer, bool(call.attribute("lower")))
    if name == "eig":
        return Symmetric(writer, vectors)
    if name == "svd":
        return Singular(writer, vectors, bool(call.attribute("largest")))
    return LeastSquares(writer) if name == "lstsq" else Elimination(writer, name)
