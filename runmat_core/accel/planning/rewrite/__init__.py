"""Rewrites: an equivalent sub-graph that takes less work.

`rewrite` applies the rules of `RULES` until none applies any more. A rule looks at one node, and at
structure only: operations, sizes, classes, value classes of scalars, who uses what. It never looks
at elements, so what it does holds for every sub-graph with the same plan key. Legality is that of
IEEE arithmetic: each element is rounded as the program says, except inside reductions and products
of matrices, whose sums may be taken in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from runmat_core.accel.planning.plan import Subgraph
from runmat_core.accel.planning.rewrite import (
    common,
    identities,
    parts,
    products,
    reductions,
    views,
)
from runmat_core.accel.planning.rewrite.draft import Draft, Rewritten
from runmat_core.api.device import Capabilities

#: Looks at node `number` and says which node has the same elements: one that was there, a new one,
#: `number` itself where only its inputs changed; None where the rule does not apply.
Rule = Callable[[Draft, int], int | None]

#: Every rule, and the kinds of nodes that it looks at. On each node they are tried in this order.
RULES: dict[str, tuple[Rule, tuple[str, ...]]] = {
    "view of view": (views.compose, ("view",)),
    "view of fill": (views.of_fill, ("view",)),
    "expansion": (views.unexpanded, ("map",)),
    "neutral element": (identities.neutral, ("map",)),
    "doubled operation": (identities.doubled, ("map",)),
    "diagonal of product": (products.diagonal, ("view",)),
    "transposed factor": (products.transposed, ("call",)),
    "inner product": (products.inner, ("call",)),
    "small product": (products.small, ("call",)),
    "gram": (products.gram, ("call",)),
    "centred factor": (products.centred, ("call",)),
    "squares about the mean": (reductions.about_mean, ("reduce",)),
    "part of pending view": (parts.replaced_of_pending, ("update",)),
    "parts of pending views": (parts.concatenated_of_pending, ("cat",)),
    "nested reduction": (reductions.nested, ("reduce",)),
    "staged reduction": (reductions.staged, ("reduce",)),
    "common expression": (
        common.common,
        ("map", "reduce", "scan", "view", "gather", "cat", "update", "range", "call", "item"),
    ),
}

ALL = frozenset(RULES)

#: Rules that look at where parts of arrays begin: for the bodies of loops alone.
OF_BODIES: dict[str, tuple[Rule, tuple[str, ...]]] = {
    "converted fill": (views.converted_fill, ("map",)),
    "view of replaced": (parts.unreplaced, ("view",)),
    "covered": (parts.covered, ("update",)),
    "part of view": (parts.replaced, ("update",)),
    "parts of views": (parts.concatenated, ("cat",)),
}
IN_BODIES = frozenset({*RULES, *OF_BODIES})


def rewrite(
    subgraph: Subgraph, capabilities: Capabilities, names: frozenset[str] = ALL
) -> Rewritten:
    """Return an equivalent sub-graph; the given one itself where no rule applies.

    Args:
        capabilities: of the device that it is to run on.
        names: the rules to apply, of `RULES` and `OF_BODIES`.
    """
    rules = _by_kind(names)
    draft = Draft(subgraph, capabilities)
    for number, kind in enumerate(tuple(draft.kinds)):
        for rule in rules.get(kind, ()):
            if _apply(draft, rule, number):
                break
    while draft.changed:
        number = draft.changed.popleft()
        draft.waiting.discard(number)
        if draft.dead[number]:
            continue
        for rule in rules.get(draft.kinds[number], ()):
            if _apply(draft, rule, number):
                break
    return draft.finish()


def _apply(draft: Draft, rule: Rule, number: int) -> bool:
    if draft.dead[number]:
        return True
    found = rule(draft, number)
    if found is None:
        return False
    if found != number:
        if not draft.can_replace(number, found):
            return False
        draft.replace(number, found)
    return True


@cache
def _by_kind(names: frozenset[str]) -> dict[str, tuple[Rule, ...]]:
    unknown = names - IN_BODIES
    if unknown:
        raise ValueError(f"no such rule: {', '.join(sorted(unknown))}")
    found: dict[str, list[Rule]] = {}
    for name, (rule, kinds) in (RULES | OF_BODIES).items():
        if name in names:
            for kind in kinds:
                found.setdefault(kind, []).append(rule)
    return {kind: tuple(rules) for kind, rules in found.items()}


__all__ = ["ALL", "IN_BODIES", "RULES", "Rewritten", "rewrite"]
