"""Stretches of a loop in which what its body asks of the loop's variable has one answer.

``if t > 10`` and ``mod(t, 5) == 0`` are known without any data. Where the answer is the same in all
trips of a trace, the trace goes on with it; where it changes, the body is traced again for fewer
trips, or for several trips at once that come again and again. The trip on which the answer changes
runs by itself, and the trips after it are attempted anew.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.context import running
from runmat_core.accel.graph.leaves import Carry, Item, Refused, leaf_of
from runmat_core.accel.graph.node import Node
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.values.array import from_numpy, to_numpy

#: Most trips that are traced as one, and fewest runs of these that are captured.
TOGETHER, LEAST = 16, 4
#: A stretch is captured that has so many trips, or so large a part of those that are left.
LONG, PART = 32, 4
#: So many trips are looked at.
LOOKED_AT = 1 << 20
#: So often a body is traced with other stretches.
TRIES = 6


@attrs.frozen
class Stretch:
    """The trips that a trace stands for.

    Attributes:
        trips: how many there are.
        together: how many of them are traced as one.
    """

    trips: int
    together: int = 1

    @property
    def rounds(self) -> int:
        """How often what is traced comes."""
        return self.trips // self.together

    def shorter(self, answers: NDArray[Any]) -> Stretch | None:
        """Return what to trace instead, where the body gets these answers in the rounds.

        Return None: nothing.
        """
        rounds = answers.size
        if rounds < self.rounds and (answers == answers[0]).all():
            return attrs.evolve(self, trips=rounds * self.together)
        lead = _agreeing(answers, 1)
        for period in range(2, TOGETHER // self.together + 1):
            reach = _agreeing(answers, period)
            if reach >= 2 * lead and reach // period >= LEAST:
                together = period * self.together
                return Stretch(reach // period * together, together)
        trips = lead * self.together
        if lead < LEAST or trips < min(LONG, self.trips / PART):
            return None
        return attrs.evolve(self, trips=trips)

    def until(self, answers: NDArray[Any]) -> int:
        """After how many trips the body gets another answer for the first time."""
        return _agreeing(answers, 1) * self.together


def _agreeing(answers: NDArray[Any], period: int) -> int:
    """How many answers there are before the first that is not that of a period ago."""
    differs = np.flatnonzero(answers[period:] != answers[:-period])
    return int(differs[0]) + period if differs.size else answers.size


class Varies(Refused):
    """A body needs what differs between the trips of its trace.

    Attributes:
        answers: what it would be, in all of them or in the first.
        wait: after how many trips it is worth while to trace it again; 0: never.
    """

    def __init__(self, reason: str, answers: NDArray[Any]) -> None:
        super().__init__(reason)
        self.answers = answers
        self.wait = 0


class Counts(Refused):
    """A body needs a number that it carries, as a subscript or for a branch: it may count.

    Attributes:
        name: of the variable.
        step: by how much it is to be supposed to grow.
        guessed: whether that is not known.
    """

    def __init__(self, reason: str, name: str, step: int | None = None) -> None:
        super().__init__(reason)
        self.name = name
        self.guessed = step is None
        self.step = 1 if step is None else step


class Widens(Refused):
    """A variable that is real before the loop is complex after an iteration.

    It may be complex from the beginning, for what turns out real is real where it is read.

    Attributes:
        name: of the variable.
    """

    def __init__(self, reason: str, name: str, line: tuple[str, int]) -> None:
        super().__init__(reason, line)
        self.name = name


class DoesNotCount(Refused):
    """A number that a body needs does not count: a condition on it may be taken for both values.

    Attributes:
        name: of the variable.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' is needed, and does not count")
        self.name = name


def check_counts(name: str, first: int, step: int, line: tuple[int, int] | None) -> None:
    """Told what a variable is after what was traced, where it was supposed to grow by `step`.

    Args:
        line: what it is the first time, and by how much that grows.

    Raises:
        Counts: it grows by another step.
        DoesNotCount: it does not count.
    """
    if line != (first + step, step):
        if line is None or line[1] != step:
            raise DoesNotCount(name)
        raise Counts(f"'{name}' is needed, and does not count", name, line[0] - first)


def answer(node: Node, rounds: int, reason: str) -> NDArray[Any]:
    """Return the value of a scalar that depends on the loop's variable alone, if all rounds agree.

    Raises:
        Varies: it is not the same.
        Counts: it depends on a number that is carried.
        Refused: it depends on something else.
    """
    found = _over(node, reason, np.arange(min(rounds, LOOKED_AT), dtype=np.float64).reshape(1, -1))
    if found is None:
        raise Refused(reason)
    if rounds > found.size or not (found == found[0]).all():
        raise Varies(reason, found)
    return np.full((1, 1), found[0], NUMPY_DTYPE[node.dtype], order="F")


def _over(node: Node, reason: str, rounds: NDArray[Any]) -> NDArray[Any] | None:
    """Return a scalar in each round; None where it depends on anything but the loop's variable."""
    count = rounds.size
    done: dict[int, Any] = {}
    stack = [node]
    while stack:
        one = stack[-1]
        leaf = leaf_of(one)
        if isinstance(leaf, Item):
            done[id(one)] = from_numpy(leaf.first + leaf.step * rounds)
        elif isinstance(leaf, Carry) and one.shape == (1, 1) and one.cls == "double":
            raise Counts(reason, leaf.name)
        elif one.data is not None or one.op.kind != "map" or one.shape != (1, 1):
            return None
        else:
            below = [v for v in one.inputs if v.__class__ is Node and id(v) not in done]
            if below:
                stack += below
                continue
            values = [done[id(v)] if v.__class__ is Node else v for v in one.inputs]
            made = (one.op, (), one.static, rounds.shape, one.cls, 0)
            wide = Node(one.graph, *made, place=one.place)
            with running(None), np.errstate(all="ignore"):
                done[id(one)] = one.op.host(wide, *values)
        stack.pop()
    found = to_numpy(done[id(node)]).ravel()
    if found.size != count or found.dtype.kind not in "fb":
        return None
    return found
