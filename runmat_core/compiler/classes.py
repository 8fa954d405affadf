"""What the compiler knows of the class of an expression.

A mask says which classes a value may have: `BOOL` (a logical scalar), `FLOAT` (a double scalar) and
`OTHER`. Python's operators are MATLAB's on any two values except two bools, and on two floats they
need no test at all; that is all that the masks are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from runmat_core.compiler.scopes import base_of, walk
from runmat_core.syntax import ast

BOOL, FLOAT, OTHER = 1, 2, 4
NUMBER = FLOAT | OTHER
ANY = BOOL | FLOAT | OTHER

ARITHMETIC = frozenset({"+", "-", "*", "/", "\\", "^", ".*", "./", ".\\", ".^"})
RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "~=", "!="})
LOGICAL = frozenset({"&", "|"})
SHORT_CIRCUIT = frozenset({"&&", "||"})

#: Operators whose result of two floats is a float whatever their values.
_CLOSED = frozenset({"+", "-", "*", ".*", "/", "./", "\\", ".\\"})


def binary_mask(op: str, left: int, right: int) -> int:
    """Return the classes of ``left op right``."""
    scalars = not (left | right) & OTHER
    if op in ARITHMETIC:
        return FLOAT if scalars and op in _CLOSED else NUMBER
    if op in SHORT_CIRCUIT:
        return BOOL
    return BOOL if scalars else BOOL | OTHER


def unary_mask(op: str, operand: int) -> int:
    if op == "~":
        return BOOL if not operand & OTHER else BOOL | OTHER
    return FLOAT if not operand & OTHER else NUMBER


def postfix_mask(operand: int) -> int:
    return operand


def range_mask(*operands: int) -> int:
    """Return the classes of the loop variable of a range."""
    return NUMBER if any(mask & ~FLOAT for mask in operands) else FLOAT


def mask_of(node: ast.Expr, variables: Mapping[str, int]) -> int:
    """Return the classes of `node` given those of the variables; ANY for what is not known."""
    match node:
        case ast.Number(value=float()):
            return FLOAT
        case ast.Name(id=name):
            return variables.get(name, ANY)
        case ast.Unary(op=op, operand=operand):
            return unary_mask(op, mask_of(operand, variables))
        case ast.Postfix(operand=operand):
            return postfix_mask(mask_of(operand, variables))
        case ast.Binary():
            return _chain_mask(node, variables)
        case ast.End():
            return FLOAT
        case ast.Range():
            return NUMBER
        case ast.Number() | ast.Char() | ast.String() | ast.Cell() | ast.AnonymousFunction():
            return OTHER
        case _:
            return ANY


def _chain_mask(node: ast.Expr, variables: Mapping[str, int]) -> int:
    """Return the mask of a left-deep chain, walked because it may have thousands of terms."""
    chain: list[ast.Binary] = []
    while isinstance(node, ast.Binary):
        chain.append(node)
        node = node.left
    mask = mask_of(node, variables)
    for link in reversed(chain):
        mask = binary_mask(link.op, mask, mask_of(link.right, variables))
    return mask


@attrs.frozen
class LoopItem:
    """The variable of a ``for`` over a range."""

    source: ast.Range


Source = ast.Expr | LoopItem | int


def classes_in(body: ast.Block, names: Iterable[str], given: Iterable[str] = ()) -> dict[str, int]:
    """Return the classes of the variables `names` from all that `body` assigns to them.

    Args:
        given: variables that have a value before, of any class.
    """
    sources: dict[str, list[Source]] = {name: [] for name in names}

    def add(target: ast.Expr | str, value: Source) -> None:
        base = target if isinstance(target, str) else base_of(target)
        name = base if isinstance(base, str) else getattr(base, "id", "")
        if name in sources:
            sources[name].append(value if base is target else ANY)

    for name in given:
        add(name, ANY)
    for node in walk(body):
        match node:
            case ast.Assign(target=target, value=value):
                add(target, value)
            case ast.OpAssign(target=target, op=op, value=value):
                add(target, ast.Binary(op, target, value))
            case ast.MultiAssign(targets=targets):
                for target in targets:
                    add(target, ANY)
            case ast.For(target=target, iterable=iterable, key=key):
                add(target, LoopItem(iterable) if isinstance(iterable, ast.Range) else ANY)
                if key is not None:
                    add(key, ANY)
            case ast.Assignment(target=target):
                add(target, ANY)
            case ast.Try(identifier=str() as name):
                add(name, ANY)
    if "ans" in sources:
        sources["ans"] = [ANY]
    return infer(sources)


def infer(sources: Mapping[str, list[Source]]) -> dict[str, int]:
    """Return the classes of variables from all that is assigned to them (a mask is itself)."""
    known = dict.fromkeys(sources, 0)
    changed = True
    while changed:
        changed = False
        for name, values in sources.items():
            mask = known[name]
            for value in values:
                mask |= _source_mask(value, known)
            if mask != known[name]:
                known[name] = mask
                changed = True
    return known


def _source_mask(source: Source, known: Mapping[str, int]) -> int:
    if isinstance(source, int):
        return source
    if isinstance(source, LoopItem):
        item = source.source
        parts = [part for part in (item.start, item.step, item.stop) if part is not None]
        return range_mask(*[mask_of(part, known) for part in parts])
    return mask_of(source, known)
