"""Kernels to WGSL: `template` picks the family that a kernel belongs to.

`emit` writes the code of a kernel for one point; the families differ in how points are laid out on
the device and in what passes between them: `maps` (every point for itself), `transposes` (maps
whose arrays lie differently in memory), `loops` (a serial axis), `reductions` and `broadcasts`
(reduced axes), `scans`, `slices` (a serial axis with reductions inside).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from runmat_core.api.ir import Kernel, Unit
from runmat_wgpu.codegen.shader import DeclinedError, Generator, Target, Template


def family(kernel: Kernel) -> str:
    """Return the module that generates a kernel."""
    ops = {instr.op for instr in kernel.code}
    serial = bool(kernel.axes_of("serial"))
    if "scan" in ops:
        return "scans"
    if "reduce" in ops:
        return "slices" if serial else "reductions"
    return "loops" if serial else "maps"


def template(unit: Unit, target: Target) -> Template:
    """Generate a kernel.

    Raises:
        DeclinedError: it is not for this target.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    name = f"{__name__}.{family(unit)}"
    if find_spec(name) is None:
        raise DeclinedError(family(unit))
    generator: Generator = import_module(name).template
    return generator(unit, target)
