"""The kernel IR: data (`kernel`), operations (`ops`), tracing (`tracing`), standard `reducers`.

Names are imported on first use: the modules of builtins name this package in their marks, and a
program that fuses nothing needs none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runmat_core.api.ir import reducers, saturating
    from runmat_core.api.ir.kernel import (
        CLASS_OF,
        COMPLEX,
        COMPLEX_CLASS,
        COMPLEX_OF,
        DTYPE_OF,
        FLOATS,
        INTEGERS,
        ITEMSIZE,
        PART_OF,
        Axis,
        Buffer,
        Dtype,
        Fragment,
        Instr,
        Kernel,
        Known,
        LibraryCall,
        Param,
        Reducer,
        Unit,
        View,
        known_class,
    )
    from runmat_core.api.ir.ops import COMPLEX_OPS, OPS, STRUCTURAL, OpInfo
    from runmat_core.api.ir.text import dump
    from runmat_core.api.ir.tracing import (
        Builder,
        TraceError,
        V,
        abs_,
        acos,
        acosh,
        asin,
        asinh,
        atan,
        atan2,
        atanh,
        bitand,
        bitnot,
        bitor,
        bitxor,
        cast,
        cbrt,
        ceil,
        complex_,
        conj,
        cos,
        cosh,
        count,
        erf,
        erfc,
        erfinv,
        exp,
        expm1,
        floor,
        gamma,
        gammaln,
        hypot,
        imag,
        isfinite,
        isinf,
        isnan,
        log,
        log1p,
        log2,
        log10,
        logical_and,
        logical_not,
        logical_or,
        logical_xor,
        maximum,
        minimum,
        mod,
        neg,
        power,
        quot,
        real,
        reduce,
        rem,
        round_,
        scan,
        shl,
        shr,
        sign,
        sin,
        sinh,
        sqrt,
        tan,
        tanh,
        trace,
        trunc,
        where,
    )

__all__ = [
    "CLASS_OF",
    "COMPLEX",
    "COMPLEX_CLASS",
    "COMPLEX_OF",
    "COMPLEX_OPS",
    "DTYPE_OF",
    "FLOATS",
    "INTEGERS",
    "ITEMSIZE",
    "OPS",
    "PART_OF",
    "STRUCTURAL",
    "Axis",
    "Buffer",
    "Builder",
    "Dtype",
    "Fragment",
    "Instr",
    "Kernel",
    "Known",
    "LibraryCall",
    "OpInfo",
    "Param",
    "Reducer",
    "TraceError",
    "Unit",
    "V",
    "View",
    "abs_",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitand",
    "bitnot",
    "bitor",
    "bitxor",
    "cast",
    "cbrt",
    "ceil",
    "complex_",
    "conj",
    "cos",
    "cosh",
    "count",
    "dump",
    "erf",
    "erfc",
    "erfinv",
    "exp",
    "expm1",
    "floor",
    "gamma",
    "gammaln",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "known_class",
    "log",
    "log1p",
    "log2",
    "log10",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "neg",
    "power",
    "quot",
    "real",
    "reduce",
    "reducers",
    "rem",
    "round_",
    "saturating",
    "scan",
    "shl",
    "shr",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trace",
    "trunc",
    "where",
]

_KERNEL = frozenset(
    "CLASS_OF COMPLEX COMPLEX_CLASS COMPLEX_OF DTYPE_OF FLOATS INTEGERS ITEMSIZE PART_OF Axis "
    "Buffer Dtype Fragment Instr Kernel Known LibraryCall Param Reducer Unit View "
    "known_class".split()
)
_MODULES = frozenset({"calls", "complexes", "kernel", "ops", "reducers", "saturating", "tracing"})
_OPS = frozenset({"COMPLEX_OPS", "OPS", "STRUCTURAL", "OpInfo"})


def __getattr__(name: str) -> Any:
    if name in _MODULES:  # which `from … import` asks for before it imports them
        return import_module(f"{__name__}.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{_meant(name)}")
    home = "kernel" if name in _KERNEL else "ops" if name in _OPS else "tracing"
    home = "text" if name == "dump" else home
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _meant(name: str) -> str:
    """Return the name that must be meant, as the end of a sentence; empty where none is near."""
    if name.startswith("__"):
        return ""
    import difflib

    near = [f"{name}_"] if f"{name}_" in __all__ else difflib.get_close_matches(name, __all__, 1)
    return f"; did you mean {near[0]!r}?" if near else ""
