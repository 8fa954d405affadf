"""Computing around guards: by host rules what has to do with what they tell, by plans the rest.

A node whose guard says that its plan may be wrong is computed by its host rule, and so is a node
that was taken for real and has operands that turned out complex; what it needs and what follows
from it as soon as it is what it was taken for again (`abs`, `real`) are left to plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from runmat_core.accel.graph import rules
from runmat_core.accel.graph.node import Node


def compute(
    roots: Sequence[Node],
    run: Callable[[Sequence[Node]], None],
    doubtful: Iterable[Node] | None = None,
) -> list[Node]:
    """Give `roots` their data; the nodes whose guards were right to fire.

    Args:
        run: computes nodes below which no element is complex; may come here again, for other
            guards, of which there are fewer then.
        doubtful: the guarded nodes that may turn out complex; None: all of them.

    Raises:
        MatlabError: of a host rule.
    """
    order = rules.pending_below(roots)
    if doubtful is None:
        doubtful = [node for node in order if node.guarded]
    watched = set(map(id, doubtful))
    if not watched and not any(below.strays for node in order for below in _below(node)):
        # it was no guard that told: a host rule gave something else than was planned for
        rules.evaluate(roots)
        return []
    first = _needed(order, roots, watched)
    if first:
        run(first)
    found: list[Node] = []
    for node in order:
        if node.data is not None:
            continue
        below = _below(node)
        if id(node) not in watched and not any(value.strays for value in below):
            continue  # real, as far as anybody knows
        run([value for value in below if value.data is None])
        rules.evaluate([node])
        if id(node) in watched and node.strays:
            found.append(node)
    run(roots)
    return found


def _below(node: Node) -> list[Node]:
    return [value for value in node.inputs if value.__class__ is Node]


def _needed(order: Sequence[Node], roots: Iterable[Node], watched: set[int]) -> list[Node]:
    """The real nodes that others are to be made from, or are asked for; they share their plan."""
    apart: set[int] = set()
    needed: dict[Node, None] = {}
    for node in order:
        below = _below(node)
        if id(node) in watched or any(id(v) in apart or v.strays for v in below):
            apart.add(id(node))
            needed.update((v, None) for v in below if v.data is None and id(v) not in apart)
    needed.update((root, None) for root in roots if root.data is None and id(root) not in apart)
    return list(needed)
