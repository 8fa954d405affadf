"""Compute around guards that fired: as complex, by plans like the rest.

The nodes whose guards say that their plan may be wrong, and what follows from them, are inferred
again (`accel.ops.promote`) and computed by plans in one run with everything real that is asked
for. What has no complex form is computed by its host rule, and what follows from that again by
plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from runmat_core.accel.graph import rules
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.ops import promote

#: Computes nodes, and tells of scalars among nodes that are computed.
Run = Callable[[Sequence[Node]], None]
Read = Callable[[Sequence[Node]], list[Any]]


def compute(
    roots: Sequence[Node], run: Run, read: Read, doubtful: Iterable[Node] | None = None
) -> list[Node]:
    """Give `roots` their data; the nodes whose guards were right to fire.

    Args:
        run: computes nodes below which no element is complex that was taken for real; may come here
            again, for other guards, of which there are fewer then.
        read: the values of computed logical scalars.
        doubtful: the guarded nodes that may turn out complex; None: all of them.

    Raises:
        MatlabError: of a host rule.
    """
    order = rules.pending_below(roots)
    if doubtful is None:
        doubtful = [node for node in order if node.guarded]
    doubtful = list(doubtful)
    if not doubtful and not any(below.holds_complex for node in order for below in _below(node)):
        # it was no guard that told: a host rule gave something else than was planned for
        rules.evaluate(roots)
        return []
    turned: list[Node] = []
    while order:
        found = promote.promote(order, [node for node in doubtful if node.data is None])
        ready = {n for n in found.first if all(value.data is not None for value in _below(n))}
        turned += _by_plans(roots, order, found, run, read, doubtful)
        watched = set(doubtful)
        for node in found.first:
            if node not in ready:
                continue  # now that it is known what it is of, there may be a form for it
            rules.evaluate([node])
            if node in watched and node.holds_complex:
                turned.append(node)
        order = rules.pending_below(roots)
    return turned


def _by_plans(
    roots: Sequence[Node],
    order: Sequence[Node],
    found: promote.Promoted,
    run: Run,
    read: Read,
    doubtful: Sequence[Node],
) -> list[Node]:
    """Compute and publish what no host rule stands before; the guarded nodes that are complex."""
    made, host_only = found.made, found.host_only
    wanted = _wanted(roots, order, found)
    plain = [node for node in wanted if node not in made]
    anew = {node: made[node] for node in wanted if node in made}
    tests = {node: made[node] for node in doubtful if node in made and node not in host_only}
    looked = [n for n in (*anew.values(), *tests.values()) if n.cls in COMPLEX_CLASSES]
    flags = {node: promote.imaginary(node) for node in dict.fromkeys(looked)}
    # the plan sees who else holds a node
    del made, looked
    found.made.clear()
    run([*plain, *anew.values(), *flags.values()])
    told = dict(zip(flags, read(list(flags.values())), strict=True))
    real = {
        node: promote.real_part(now) if not told.get(now, True) else now
        for node, now in anew.items()
    }
    run([now for now in real.values() if now.data is None])
    rules.publish([(node, now.data) for node, now in real.items()])
    return [node for node, now in tests.items() if told.get(now)]


def _wanted(roots: Sequence[Node], order: Sequence[Node], found: promote.Promoted) -> list[Node]:
    """Return what is computed now: roots, what host rules need, and complex results read again."""
    wanted = {node: None for node in roots if node.data is None and node not in found.host_only}
    for node in found.first:
        wanted.update((value, None) for value in _below(node) if value.data is None)
    for node in order:
        if node in found.made and node not in wanted and node.held:
            if node.reads:
                wanted[node] = None
            node.reads += 1
    return list(wanted)


def _below(node: Node) -> list[Node]:
    return [value for value in node.inputs if value.__class__ is Node]
