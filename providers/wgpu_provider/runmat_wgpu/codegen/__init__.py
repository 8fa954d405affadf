"""Units to WGSL: pure text, without wgpu and without a device.

`template` is the way in. Kernels go to `kernels`, library calls to the module that `LIBRARIES`
names; both use `scalars` for what happens to one element.
"""

from __future__ import annotations

from importlib import import_module

from runmat_core.api.ir import Kernel, Unit
from runmat_wgpu.codegen.shader import DeclinedError, Generator, Target, Template

#: The module of each library call; it has a function `template(unit, target)`.
LIBRARIES: dict[str, str] = {
    "accumulate": "scattering",
    "chol": "linear",
    "chol_pages": "pages",
    "chol_pages_told": "pages",
    "compact": "scattering",
    "conv": "convolution",
    "det": "linear",
    "det_pages": "pages",
    "det_pages_told": "pages",
    "eig": "linear",
    "eig_pages": "pages",
    "eig_pages_told": "pages",
    "expand": "scattering",
    "fft": "fft",
    "filter": "filtering",
    "histogram": "scattering",
    "inv": "linear",
    "inv_pages": "pages",
    "inv_pages_told": "pages",
    "lstsq": "linear",
    "lstsq_pages": "pages",
    "lstsq_pages_told": "pages",
    "matmul": "products",
    "matmul_centred": "products",
    "qr": "householder",
    "scatter": "scattering",
    "solve": "linear",
    "solve_pages": "pages",
    "solve_pages_told": "pages",
    "sort": "sorting",
    "svd": "linear",
    "svd_pages": "pages",
    "svd_pages_told": "pages",
    "syrk": "products",
    "syrk_centred": "products",
}

#: What kernels may be, for `Capabilities`: reductions of slices of any size may meet what varies
#: along them again, for long slices are gone through once for each level of reductions.
SLICE_BYTES = 1 << 40
SCANS = True
#: Kernels may loop in time, also with reductions over so many points in each trip.
LOOPS = True
LOOP_POINTS = 4096


def template(unit: Unit, target: Target, text: bool = True) -> Template:
    """Generate a unit.

    Args:
        text: whether its text for ordinary sizes is generated at once; else a unit may be declined
            when somebody asks for text.

    Raises:
        DeclinedError: it is not for this target.
    """
    name = "kernels" if isinstance(unit, Kernel) else LIBRARIES.get(unit.name, "")
    if not name:
        raise DeclinedError(unit.name)
    generator: Generator = import_module(f"{__name__}.{name}").template
    made = generator(unit, target)
    if text:
        made.source  # noqa: B018
    return made
