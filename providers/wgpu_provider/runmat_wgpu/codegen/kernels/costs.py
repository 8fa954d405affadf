"""What instructions cost, roughly, in simple operations."""

from __future__ import annotations

from runmat_core.api.ir import Instr

_COST = {"random": 40, "load": 4, "store": 4, "div": 4, "sqrt": 4, "mod": 10, "rem": 10}
_CHEAP = frozenset(
    "add sub mul neg abs min max eq ne lt le gt ge and or xor not select cast floor ceil trunc "
    "round sign isnan isinf isfinite bitand bitor bitxor bitnot shl shr".split()
)
_FREE = frozenset({"const", "param", "index", "carry", "last", "extent"})


def operations(instr: Instr) -> int:
    """Return the simple operations of an instruction at one point, without known values."""
    if instr.op in _FREE:
        return 0
    return 1 if instr.op in _CHEAP else _COST.get(instr.op, 25)
