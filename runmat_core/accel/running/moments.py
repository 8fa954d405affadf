"""Small reductions of arrays on a device that were computed before: an array is read once.

What reductions of an array gave is remembered as long as the array lives and nobody writes to it.
Where a program reduces an array at one place, and in another way at a later one, the first place
computes both from then on: ``mean(A)`` and ``std(A)`` in a loop are one pass.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from runmat_core.accel.devices.handles import DeviceBuffer
from runmat_core.accel.devices.records import Counters
from runmat_core.accel.graph.node import Node

#: The most elements of a result, results of an array, views between array and reduction.
SMALL, RESULTS, VIEWS = 4096, 16, 3
#: The most places that compute more than they are asked for, and what each adds.
PLACES, MORE = 256, 4
#: What is added at a place is no more where it went unread so many times in a row.
UNREAD = 4


class Further:
    """A reduction that follows one at another place.

    Attributes:
        like: a node without inputs that is such a reduction.
        key: what it is of its array; see `_chain`.
        unread: how many results in a row nobody asked for.
    """

    __slots__ = ("key", "like", "unread")

    def __init__(self, node: Node, key: Any) -> None:
        self.like = _alike(node, ())
        self.key = key
        self.unread = 0

    def of(self, x: Node) -> Node:
        """Return the reduction of `x`."""
        return _alike(self.like, (x,))


def _alike(node: Node, inputs: tuple[Node, ...]) -> Node:
    rest = (node.static, node.shape, node.cls, node.value_number, node.guarded, node.place)
    return Node(node.graph, node.op, inputs, *rest)


class Result:
    """What a reduction gave.

    Attributes:
        site: the place of the program that asked for it.
        further: what added it to what was asked for; None where it was asked for.
    """

    __slots__ = ("data", "further", "site")

    def __init__(self, data: Any, site: Any, further: Further | None) -> None:
        self.data = data
        self.site = site
        self.further = further


#: A reduction, the array that it is of, what it is of that, and what added it.
Watched = tuple[Node, Node, Any, Further | None]

#: By the arrays that they are of, by what they are of these; a write into an array removes them.
RESULTS_OF: WeakKeyDictionary[Node, dict[Any, Result]] = WeakKeyDictionary()


class Moments:
    """The reductions that a session remembers.

    Args:
        counters: what is found is counted there.

    Attributes:
        more: by the place of a reduction, what is computed with it.
    """

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self.more: OrderedDict[Any, list[Further]] = OrderedDict()

    def settle(self, nodes: Iterable[Node]) -> bool:
        """Give reductions that are known their data; return whether there were any."""
        any_found = False
        for node in nodes:
            if node.op.kind != "reduce" or node.data is not None:
                continue
            base, key = _chain(node)
            known = None if base is None else RESULTS_OF.get(base)
            if not known:
                continue
            result = known.get(key)
            if result is None:
                self._learn(node, key, known)
                continue
            node.data = result.data
            node.inputs = ()
            if result.further is not None:
                result.further.unread = 0
            self._counters.reductions_found += 1
            any_found = True
        return any_found

    def _learn(self, node: Node, key: Any, known: dict[Any, Result]) -> None:
        """Note that an array is read again: what read it before may do both."""
        before = next(iter(known.values()))
        if before.site == node.place or node.guarded:
            return
        more = self.more.setdefault(before.site, [])
        if len(more) < MORE and all(one.key != key for one in more):
            more.append(Further(node, key))
        if len(self.more) > PLACES:
            self.more.popitem(last=False)

    def further(self, roots: Sequence[Node]) -> dict[Node, Further]:
        """Return the reductions to compute with `roots`."""
        found: dict[Node, Further] = {}
        for root in roots:
            more = self.more.get(root.place) if root.op.kind == "reduce" else None
            if not more:
                continue
            base, key = _chain(root)
            if base is None:
                continue
            for one in tuple(more):
                if one.key[:-1] != key[:-1] or one.key == key:
                    continue  # of another part of the array, or of one of another size
                if one.unread >= UNREAD:
                    more.remove(one)
                    continue
                one.unread += 1
                found[one.of(root.inputs[0])] = one
        return found

    def watch(self, nodes: Iterable[Node], further: Mapping[Node, Further]) -> list[Watched]:
        """Return the reductions among pending nodes, with what they are of, for `note`."""
        found = []
        for node in nodes:
            if node.op.kind == "reduce" and node.size <= SMALL:
                base, key = _chain(node)
                if base is not None:
                    found.append((node, base, key, further.get(node)))
        return found

    def note(self, watched: Iterable[Watched]) -> None:
        """Remember what reductions gave that were computed."""
        for node, base, key, further in watched:
            held: Any = base.data
            if node.data.__class__ is not np.ndarray or held.__class__ is not DeviceBuffer:
                continue
            if node.holds_complex or not held.store.own_memory:
                continue
            known = RESULTS_OF.setdefault(base, {})
            if len(known) >= RESULTS:
                known.clear()
            known[key] = Result(node.data, node.place, further)


def _chain(node: Node) -> tuple[Node | None, Any]:
    """Return the array that a reduction is of, through views, and what it is of that; else None."""
    views: list[Any] = []
    below: Any = node.inputs[0]
    for _ in range(VIEWS):
        if below.__class__ is not Node:
            return None, None
        if below.data is not None or below.op.kind != "view":
            break
        views.append((below.static, below.shape))
        below = below.inputs[0]
    if below.__class__ is not Node or (below.op.kind == "view" and below.data is None):
        return None, None
    return below, (*views, below.shape, below.cls, node.value_number)
