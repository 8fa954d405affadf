"""Where a program computes what it reads again.

What a variable holds when a plan computes it may be read later or never, and nobody can tell when
the plan is made. Storing it costs a pass over memory; not storing it, all that is below it, once
more. So the first result of an operation in the program is not stored unless somebody asks for it.
Where it has to be computed a second time, results of that operation are stored from then on as soon
as they are computed, until too many of them in a row go unread.

An array that a loop carries, ``a = a + b; if max(a) > big, break, end``, is computed twice in one
iteration, and never a chain of all iterations.
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel.graph.node import Node

#: Results that may go unread in a row.
UNREAD = 4
#: More operations than this are forgotten all at once.
LIMIT = 4096
#: What is made again by moving along an address.
_SHOWN = frozenset({"view"})

#: `Node.reads` of what is stored because of where it was written, as long as nobody has read it.
STORED = -1


class Keeping:
    """The operations of a program whose results are stored at once.

    Attributes:
        sites: these operations, and how many results in a row were not read yet.
    """

    def __init__(self) -> None:
        self.sites: dict[Any, int] = {}

    def again(self, node: Node) -> None:
        """Told of a node that has to be computed once more."""
        if node.op.kind not in _SHOWN and node.place[0] != "":
            if len(self.sites) >= LIMIT:
                self.sites.clear()
            self.sites[_site(node)] = 0

    def stores(self, node: Node) -> bool:
        """Whether to store a result that is computed for the first time."""
        site = _site(node)
        unread = self.sites.get(site)
        if unread is None:
            return False
        if unread >= UNREAD:
            del self.sites[site]
            return False
        self.sites[site] = unread + 1
        node.reads = STORED
        return True

    def read(self, node: Node) -> None:
        """Told that a stored result is read."""
        node.reads = 0
        site = _site(node)
        if site in self.sites:
            self.sites[site] = 0


def _site(node: Node) -> Any:
    """Return the operation of the program that asked for a node."""
    code, at = node.place
    return (code if code.__class__ is str else id(code), at, node.op)
