"""What happens to one element: values, operations and functions as WGSL expressions.

`Scalars` is what generators use. It keeps MATLAB's and IEEE's meaning where WGSL leaves it open:
NaN and infinities, signed zeros, the order of operations, conversions, and functions whose builtin
forms are inaccurate or, of doubles, not to be called at all.
"""

from runmat_wgpu.codegen.scalars.scalars import Scalars
from runmat_wgpu.codegen.shader import DeclinedError

__all__ = ["DeclinedError", "Scalars"]
