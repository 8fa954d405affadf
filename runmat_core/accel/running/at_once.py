"""Places of a program whose evaluations do not pay: operations there run at once.

A program that asks for elements after every few operations on arrays of moderate size evaluates all
the time, and each evaluation costs more than it saves. Where that happened twice in a row at one
place, the operations that led there are left to host rules as soon as they are met: no node is
made. Larger arrays are captured as before, from the size on at which an evaluation of these
operations would pay, and now and then everything is, in case that the program has more to do by
now.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.context import get
from runmat_core.accel.graph.node import Node, line_of
from runmat_core.accel.graph.rules import pending_below
from runmat_core.accel.planning.worth import ALTOGETHER, LITTLE, UNSTARTED, away, work
from runmat_core.values.hooks import HOOKS

#: Evaluations in a row that did not pay, after which operations run at once.
UNPAID = 2
#: Evaluations in a row that paid, with operations that run at once, after which they do not.
PAID = 2
#: Evaluations left out before the first is tried again; twice as many before each further one.
PATIENCE = 256
#: Maximum number of operations remembered; beyond it all are forgotten.
MARKS = 8192

#: A code object by identity, and the offset of an instruction in it.
Key = tuple[int, int]


class Site:
    """A place where elements are asked for.

    Attributes:
        code, at: the code object and the offset of the instruction in it.
        operations: how many nodes the last evaluation computed.
        size: elements of the largest array among these.
        limit: operations on arrays of more elements are captured.
        unpaid, paid: evaluations in a row that did not pay, or did though operations run at once.
        at_once: whether operations that lead here run at once.
        left: so many operations do, before all are captured again.
    """

    __slots__ = (
        "_patience",
        "at",
        "at_once",
        "code",
        "left",
        "limit",
        "operations",
        "paid",
        "size",
        "unpaid",
    )

    def __init__(self, code: Any, at: int) -> None:
        self.code = code
        self.at = at
        self.operations = 0
        self.size = 0
        self.limit = 0
        self.unpaid = 0
        self.paid = 0
        self.at_once = False
        self._patience = PATIENCE
        self.left = 0

    @property
    def line(self) -> tuple[str, int]:
        """The file and the line where elements are asked for."""
        return line_of((self.code, self.at))

    def try_again(self) -> None:
        """Capture operations again, for now."""
        self.at_once = False
        self.unpaid = 0
        self._patience *= 2

    def did_not_pay(self, operations: int, size: int, amount: float, worth: float) -> None:
        """Count an evaluation of this amount of work that did not pay, as `worth` would have."""
        self.operations, self.size = operations, size
        self.limit = int(size * worth / max(amount, 1.0))
        self.unpaid += 1
        self.paid = 0
        if self.unpaid >= UNPAID and not self.at_once:
            self.at_once = True
            self.left = self._patience * operations


class Sites:
    """The sites of a session.

    Attributes:
        marks: by operation, the site that it led to; looked up where operations are captured.
        worth: the work from which on an evaluation pays.
        started: whether `worth` is that of a provider.
    """

    def __init__(self) -> None:
        self.marks: dict[Key, Site] = {}
        self.worth = float(UNSTARTED)
        self.started = False
        self._altogether = 0.0
        self._sites: dict[Key, Site] = {}
        # identities mean something only as long as what they are of lives
        self._codes: dict[int, Any] = {}

    def start(self, worth: float) -> None:
        """Go by what a provider says that an evaluation has to be worth."""
        if worth != self.worth:
            self.forget()
        self.worth, self.started = worth, True

    def wants_provider(self, amount: float) -> bool:
        """Return whether evaluations by host rules come to so much that a provider should start."""
        if not self.started and amount >= LITTLE:
            self._altogether += amount
        return self._altogether >= ALTOGETHER and not self.started

    def did_not_pay(self, sink: tuple[Any, int], nodes: Sequence[Node]) -> None:
        """Count an evaluation of `nodes` that did not pay.

        Args:
            sink: the code object and offset of the instruction that asked for elements.
        """
        code, at = sink
        if code.__class__ is str:
            return
        if len(self.marks) > MARKS or len(self._sites) > MARKS:
            self.forget()
        key = id(code), at
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = Site(code, at)
            self._codes[id(code)] = code
        amount = sum(map(work, nodes))
        if not self.started and amount >= LITTLE:
            return  # it may be worth it to the provider that starts
        sizes = [v.size for node in nodes for v in (node, *node.inputs) if v.__class__ is Node]
        site.did_not_pay(len(nodes), max(sizes), amount, self.worth)
        if not site.at_once:
            return
        for node in nodes:
            code, at = node.place
            if code.__class__ is not str:
                self._codes[id(code)] = code
                self.marks[(id(code), at)] = site

    def paid(self, nodes: Sequence[Node]) -> None:
        """Count an evaluation that paid, with operations that run at once elsewhere.

        Something that was pending led to these. The first iteration of a loop may have what is
        before the loop to compute as well, so it takes several in a row to capture them again.
        """
        met: dict[int, Site] = {}
        for node in nodes:
            code, at = node.place
            site = self.marks.get((id(code), at))
            if site is not None and site.at_once and node.size <= site.limit:
                met[id(site)] = site
        for site in met.values():
            site.paid += 1
            if site.paid >= PAID:
                site.at_once, site.unpaid = False, 0

    def forget(self) -> None:
        """Forget every place."""
        self.marks.clear()
        self._sites.clear()
        self._codes.clear()

    def at_once(self) -> list[Site]:
        """Return the sites before which operations run at once."""
        return [site for site in self._sites.values() if site.at_once]


def little_below(graph: Any, roots: Sequence[Node], sites: Sites) -> list[Node]:
    """Return the pending nodes below `roots` where they are too little work for a plan, else none.

    What is elsewhere than in the memory of NumPy, or is to be, says that a plan is wanted.
    """
    if graph.pinned:
        return []
    found: list[Node] = []
    seen: set[int] = set()
    amount, worth = 0.0, sites.worth
    stack = list(roots)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        data: Any = node.data
        if data is not None:
            if data.__class__ is not np.ndarray and away(data):
                return []
            continue
        found.append(node)
        # most are elementwise, and need no call
        amount += math.prod(node.shape) if node.op.kind == "map" else work(node)
        # most that is worth it is so at first sight
        if amount >= worth:
            if sites.marks:
                sites.paid(pending_below(roots))
            return []
        for below in node.inputs:
            if below.__class__ is Node:
                stack.append(below)
    return [] if sites.wants_provider(amount) else found


def runs_at_once(size: int) -> bool:
    """Return whether the operation of the innermost .m code that runs is to run at once.

    Args:
        size: elements of the largest array that it reads or makes.
    """
    seat = get()
    if seat is None:
        return True
    marks = seat.at_once
    if not marks or seat.tracing:
        return False
    frame = sys._getframe(1)
    while frame is not None:
        if "_s" in frame.f_globals:
            site = marks.get((id(frame.f_code), frame.f_lasti))
            if site is None or not site.at_once or size > site.limit:
                return False
            site.left -= 1
            if site.left < 0:
                site.try_again()
            return site.at_once  # type: ignore[no-any-return]
        frame = frame.f_back  # type: ignore[assignment]
    return False


def install() -> None:
    """Let host rules ask where evaluations do not pay."""
    HOOKS.at_once = runs_at_once
