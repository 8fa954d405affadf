"""Arrays that the body of a loop writes in moving parts, and which form of the loop allows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from runmat_core.accel.graph.leaves import Carry, Refused, Slice, leaf_of
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.parts import UPDATE

#: How trips are run: as one kernel, as kernels for the variables of each size, which compute again
#: what they need of each other, or as several units that are repeated.
Form = Literal["kernel", "apart", "repeated"]


def written_parts(
    finals: Mapping[str, Any], order: Sequence[Node], trips: int, form: Form
) -> dict[str, Node]:
    """Return the arrays that are written in moving parts, and never read.

    Raises:
        Refused: parts overlap or the array is used besides, and the form does not allow that.
    """
    users: dict[int, list[Node]] = {}
    for node in order:
        leaf = leaf_of(node)
        for one in (leaf.base,) if isinstance(leaf, Slice) else node.inputs:
            if one.__class__ is Node:
                users.setdefault(id(one), []).append(node)
        of_carried = isinstance(leaf, Slice) and isinstance(leaf_of(leaf.base), Carry)
        if of_carried and form != "repeated":
            raise Refused("it selects a moving part of an array that it computes")
    found: dict[str, Node] = {}
    written: set[int] = set()
    for name, node in finals.items():
        if node.__class__ is not Node or node.op is not UPDATE or not node.option("advance"):
            continue
        target = node.inputs[0]
        leaf = leaf_of(target)
        own = isinstance(leaf, Carry) and leaf.name == name and not users.get(id(node))
        if not own or node.inputs[1].__class__ is not Node:
            raise Refused(f"'{name}' is written in parts and used besides", node.line)
        written.add(id(node))
        if users[id(target)] == [node] and _apart(node, trips):
            found[name] = node
        elif form != "repeated":
            used = users[id(target)] != [node]
            raise Refused(
                f"'{name}' is written in parts and used besides"
                if used
                else f"the parts of '{name}' overlap",
                node.line,
            )
    for node in order:
        if node.op is UPDATE and node.option("advance", 0) != 0 and id(node) not in written:
            raise Refused("it writes a moving part of an array that it computes", node.line)
    return found


def _apart(node: Node, trips: int) -> bool:
    """Whether the parts of all trips are disjoint."""
    steps = [*zip(node.option("strides"), node.option("region"), strict=True)]
    steps.append((node.option("advance"), trips))
    reach = 0
    for stride, count in sorted((abs(s), n) for s, n in steps if n > 1):
        if stride <= reach:
            return False
        reach += stride * (count - 1)
    return True
