"""The code of single nodes: which element types and value classes its fragment is built for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.accel.graph.node import Node, Op
from runmat_core.api.device import Capabilities
from runmat_core.api.ir import OPS, Fragment, Instr, known_class
from runmat_core.api.tuples import NamedTuple

#: More fragments than this are forgotten all at once.
LIMIT = 1 << 12


class Code(NamedTuple):
    """A fragment and what passes ask of it.

    Attributes:
        fragment: None where there is no code for these types.
        dtypes: element types of its values, that of ``extent`` and literals apart.
        ops: map operations in it.
        turns: whether it uses the result of a reduction together with elements again.
        light: whether it is a few operations that cost no more than arithmetic.
    """

    fragment: Fragment | None
    dtypes: frozenset[str]
    ops: frozenset[str]
    turns: bool
    light: bool


_codes: dict[Any, Code] = {}


def code_of(node: Node) -> Code:
    """Return the code of a map, reduce or scan node."""
    dtypes, known = signature(node)
    key = (node.op, dtypes, known, options_of(node))
    found = _codes.get(key)
    if found is None:
        if len(_codes) >= LIMIT:
            _codes.clear()
        found = _codes[key] = _made(node.op, dtypes, known, options_of(node))
    return found


def options_of(node: Node) -> Any:
    """Return what a fragment gets besides types: ``options``, and for a scan its direction."""
    options: Any = ()
    reverse: Any = ()
    for name, value in node.static:
        if name == "options":
            options = value
        elif name == "reverse":
            reverse = ((name, value),)
    return options + reverse if reverse else options


def signature(node: Node) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
    """`signature_of` the inputs of a node."""
    return signature_of(node.inputs)


def signature_of(inputs: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
    """Element types of `inputs`, and value classes of the scalars among them (else None).

    A double scalar that meets a single array is single: so MATLAB computes, and a device without
    doubles can.
    """
    dtypes: list[str] = []
    known: list[str | None] = []
    single = False
    scalars = False
    for value in inputs:
        kind = value.__class__
        if kind is Node:
            dtype = value.dtype
            single = single or dtype == "f32" or dtype == "c64"
            dtypes.append(dtype)
            known.append(None)
        elif kind is float:
            scalars = True
            dtypes.append("f64")
            known.append(known_class(value))
        else:
            dtypes.append("bool" if kind is bool else "u32")
            known.append("other")
    if single and scalars:
        dtypes = [
            "f32" if kind is not None and dtype == "f64" else dtype
            for dtype, kind in zip(dtypes, known, strict=True)
        ]
    return tuple(dtypes), tuple(known)


def takes(node: Node, capabilities: Capabilities) -> bool:
    """Whether a device with `capabilities` can run the code of a node."""
    code = code_of(node)
    return (
        code.fragment is not None
        and code.dtypes <= capabilities.dtypes
        and (capabilities.ops is None or code.ops <= capabilities.ops)
    )


def reads_memory(node: Node, position: int) -> bool:
    """Whether the code of a node needs an input in memory: it takes elements by their number."""
    kind = node.op.kind
    if is_fill_part(node, position):
        return False
    if kind == "cat":
        return not stores_parts(node)
    return kind in ("call", "loop") or (kind, position) in (("gather", 0), ("update", 1))


def is_fill_part(node: Node, position: int) -> bool:
    """Whether a part of an array is one value, which is not read from memory."""
    kind = node.op.kind
    if kind != "cat" and (kind, position) != ("update", 1):
        return False
    part = node.inputs[position]
    if part.__class__ is not Node or part.op.kind != "fill" or part.data is not None:
        return False
    return not stores_parts(node)


def _made(op: Op, dtypes: Any, known: Any, options: Any) -> Code:
    fragment = None if op.fragment is None else op.fragment(dtypes, known, options)
    if fragment is None:
        return Code(None, frozenset(), frozenset(), False, False)
    code = fragment.code
    types = {i.dtype for i in code if i.op not in ("extent", "const")}
    ops = frozenset(i.op for i in code if i.op in OPS)
    return Code(fragment, frozenset(types), ops, _turns(code), len(code) <= 8 and ops <= _LIGHT)


_LIGHT = frozenset(
    "neg abs add sub mul div min max eq ne lt le gt ge and or xor not cast select isnan".split()
)


def _turns(code: tuple[Instr, ...]) -> bool:
    """Whether a value depends on a reduction and yet varies along the axis that was reduced."""
    reduced: set[int] = set()
    for k, instr in enumerate(code):
        if instr.op == "reduce" or any(a in reduced for a in instr.args):
            reduced.add(k)
            if instr.over & 1:
                return True
    return False


def stores_parts(node: Node) -> bool:
    """Whether a concatenation is written part by part, in the space of one of them.

    So it is where all have one shape. They may then be computed where they are stored, and whoever
    uses the whole reads it from memory.
    """
    if node.op.kind != "cat" or node.data is not None or node.option("parts") is not None:
        return False
    first = node.inputs[0]
    return first.size > 1 and all(part.shape == first.shape for part in node.inputs)
