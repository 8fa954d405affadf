"""Products of matrices: the library calls ``matmul`` and ``syrk``."""

from __future__ import annotations

from runmat_core.api.ir import LibraryCall, Unit
from runmat_wgpu.codegen.products.template import ProductTemplate
from runmat_wgpu.codegen.shader import DeclinedError, Target, Template


def template(unit: Unit, target: Target) -> Template:
    """Return the template of a product.

    Raises:
        DeclinedError: it is not for this target.
    """
    if not isinstance(unit, LibraryCall):
        raise DeclinedError("no library call")
    return ProductTemplate(unit, target)
