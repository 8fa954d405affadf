"""Which operations compilers of drivers would regroup with those that their operands come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runmat_core.api.ir import COMPLEX, Instr

_SUMS = frozenset({"add", "sub"})
_PRODUCTS = frozenset({"mul", "div"})
_MERGED = _SUMS | _PRODUCTS | {"sqrt"}


def regroups(code: Sequence[Instr], instr: Instr, number: int) -> bool:
    """Whether compilers are known to merge an operation with that of its operand."""
    if instr.op not in _MERGED:
        return False
    behind = _behind(code, instr.args[number])
    operations = {code[k].op for k in behind}
    if any(code[k].op in _PRODUCTS and code[k].dtype in COMPLEX for k in behind):
        operations.add("add")  # complex products are sums of products
    if instr.op == "sqrt":
        return bool(operations & _PRODUCTS)
    other = _behind(code, instr.args[1 - number])
    if instr.op in _PRODUCTS:
        if operations & _SUMS and any(code[k].op == "const" for k in other):
            return True  # (a + 2) * 3 is not a*3 + 6
        return bool(operations & _MERGED - _SUMS)
    if operations & _SUMS or number == 0:
        return bool(operations & _SUMS)
    # a*b + a*c is not a*(b + c)
    return bool(_factors(code, behind) & _factors(code, other))


def folds(code: Sequence[Instr], instr: Instr) -> bool:
    """Whether it is ``(x * 0.1) * 0.3``: compilers merge the constants, within an ``fma`` too."""
    if instr.op != "mul":
        return False
    kinds = [{code[k].op for k in _behind(code, a)} for a in instr.args]
    return any("const" in kinds[1 - n] and kinds[n] & _MERGED for n in (0, 1))


def cancels(code: Sequence[Instr], instr: Instr, number: int) -> bool:
    """Whether an operand may be the same as the one before: a - a is not 0 where a is NaN."""
    if number == 0 or instr.op not in ("sub", "div"):
        return False
    return bool(_behind(code, instr.args[0]) & _behind(code, instr.args[1]))


def _factors(code: Sequence[Instr], positions: Iterable[int]) -> set[int]:
    products = (code[k] for k in positions if code[k].op in _PRODUCTS)
    return {k for product in products for a in product.args for k in _behind(code, a)}


def _behind(code: Sequence[Instr], position: int) -> set[int]:
    """Return what a value may be to compilers, which see through conditions and copies."""
    seen, stack = {position}, [position]
    while stack:
        instr = code[stack.pop()]
        through: tuple[Any, ...] = ()
        if instr.op in ("neg", "last", "real", "imag", "conj", "complex"):
            through = instr.args
        elif instr.op == "select":
            through = instr.args[1:]
        elif instr.op == "carry":
            through = (*instr.args, instr.attr)
        elif instr.op in ("max", "min") and instr.args[0] == instr.args[1]:
            through = instr.args
        stack += [a for a in through if a not in seen]
        seen.update(through)
    return seen
