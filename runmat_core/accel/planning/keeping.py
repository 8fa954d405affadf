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
    """The operations of a program whose results are stored at once."""

    def __init__(self) -> None:
        # how many results in a row were not read yet
        self._unread: dict[Any, int] = {}

    def __len__(self) -> int:
        return len(self._unread)

    def again(self, node: Node) -> None:
        """Told of a node that has to be computed once more."""
        if node.op.kind not in _SHOWN and node.place[0] != "":
            if len(self._unread) >= LIMIT:
                self._unread.clear()
            self._unread[_site(node)] = 0

    def stores(self, node: Node) -> bool:
        """Whether to store a result that is computed for the first time."""
        site = _site(node)
        unread = self._unread.get(site)
        if unread is None:
            return False
        if unread >= UNREAD:
            del self._unread[site]
            return False
        self._unread[site] = unread + 1
        node.reads = STORED
        return True

    def read(self, node: Node) -> None:
        """Told that a stored result is read."""
        node.reads = 0
        site = _site(node)
        if site in self._unread:
            self._unread[site] = 0


def _site(node: Node) -> Any:
    """What tells the operation of a program that asked for a node."""
    code, at = node.place
    return (code if code.__class__ is str else id(code), at, node.op)
