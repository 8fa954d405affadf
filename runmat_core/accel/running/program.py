"""A plan as what runs: requests with their slots and parameters, and when each array may go.

Steps that follow one another on one provider become one request. Values, which are arrays of any
kind, have numbers of their own. `running.assembly` makes programs, the executor runs
them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.planning.plan import KernelCall
from runmat_core.api.device import NUMPY_DTYPE, Launch, Step
from runmat_core.api.tuples import NamedTuple

#: How many other places a request keeps its steps for.
MOVED = 64

#: A value: a node and which of its outputs.
Ref = tuple[int, int]


#: Where a parameter comes from, and what makes it one: the number of a node, which of its inputs,
#: and a conversion.
Scalar = tuple[int, int, Callable[[Any], float | bool | int]]


class Submission:
    """Steps that one provider runs at once.

    Attributes:
        owner: the provider.
        steps: over slots: arrays that are there, new arrays, and with guards zero and status.
        reads: the values that the first slots hold.
        makes: size and element type of the new arrays that follow.
        leaves: pairs (value, which of the new arrays): what is still needed afterwards.
        scalars: the parameters.
        guarded: whether a status word goes along.
        done: values that nothing reads after this.
        labels: of the launches, once for all trips of a loop.
        launches: how many there are, those of all trips counted.
        alone: the unit where there is but one launch.
        short_tail: whether it ends a program, makes what is read at the end, and is expected to be
            over sooner than a submission takes.
        moving: what is not where it was when the plan was made: the number of a step, that of a
            view of its launch, and pairs (number of a node, where it began then).
        moved: steps with other places, by how far these are from those of `steps`. The same tuple
            for the same places, by which providers know what they did before.
        nbytes: of the new arrays.
    """

    __slots__ = (
        "alone",
        "done",
        "guarded",
        "labels",
        "launches",
        "leaves",
        "makes",
        "moved",
        "moving",
        "nbytes",
        "owner",
        "reads",
        "scalars",
        "short_tail",
        "steps",
    )

    def __init__(
        self,
        owner: str,
        steps: tuple[Step, ...],
        reads: tuple[int, ...],
        makes: tuple[tuple[Shape, str], ...],
        leaves: tuple[tuple[int, int], ...],
        scalars: tuple[Scalar, ...],
        guarded: bool,
        done: tuple[int, ...],
        labels: tuple[str, ...],
        launches: int,
        alone: KernelCall | None = None,
        short_tail: bool = False,
        moving: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = (),
    ) -> None:
        self.owner = owner
        self.steps = steps
        self.reads = reads
        self.makes = makes
        self.leaves = leaves
        self.scalars = scalars
        self.guarded = guarded
        self.done = done
        self.labels = labels
        self.launches = launches
        self.alone = alone
        self.short_tail = short_tail
        self.moving = moving
        self.moved: dict[tuple[int, ...], tuple[Step, ...]] = {}
        self.nbytes = sum([math.prod(size) * NUMPY_DTYPE[dtype].itemsize for size, dtype in makes])

    def steps_for(self, nodes: Sequence[Node]) -> tuple[Step, ...]:
        """Return the steps for the nodes of this run."""
        if not self.moving:
            return self.steps
        by = tuple(
            [
                sum([nodes[n].option("offset") - began for n, began in began_at])
                for _, _, began_at in self.moving
            ]
        )
        if not any(by):
            return self.steps
        found = self.moved.get(by)
        if found is None:
            steps = list(self.steps)
            for (k, view, _), distance in zip(self.moving, by, strict=True):
                launch = steps[k]
                assert isinstance(launch, Launch)
                views = list(launch.views)
                views[view] = attrs.evolve(views[view], offset=views[view].offset + distance)
                steps[k] = attrs.evolve(launch, views=tuple(views))
            if len(self.moved) >= MOVED:
                self.moved.pop(next(iter(self.moved)))
            found = self.moved[by] = tuple(steps)
        return found


class HostNode(NamedTuple):
    """A node to compute by its host rule.

    Attributes:
        like: a node without inputs that has its operation, size and static arguments.
        origin: the number of the node that it is in the sub-graph, -1 where a rewrite made it.
        scalars: the number of the node whose scalar inputs it has.
        inputs: for each input the reference of a value, None for a scalar.
        number: its own, as in these references.
        done: references that nothing reads after it.
        open: whether it is a view that may begin elsewhere than when the plan was made.
    """

    like: Node
    origin: int
    scalars: int
    inputs: tuple[Ref | None, ...]
    number: int
    done: tuple[Ref, ...] = ()
    open: bool = False


class HostSegment(NamedTuple):
    """Nodes that host rules compute.

    Attributes:
        nodes: inputs before users.
        reads: (reference, value) of what is there before.
        leaves: (reference, value) of what is needed afterwards.
        done: values that nothing reads after this.
    """

    nodes: tuple[HostNode, ...]
    reads: tuple[tuple[Ref, int], ...]
    leaves: tuple[tuple[Ref, int], ...]
    done: tuple[int, ...]


class Program:
    """A plan, ready to run on any sub-graph with its key.

    Attributes:
        segments: in order.
        count: how many values there are.
        sources: pairs (value, number of the leaf that has it).
        publishes: pairs (number of a node, its values), a value for each of its outputs.
        single: the numbers among these whose data is one array rather than a tuple.
        wanted: the values of the roots.
        speculative: numbers of the nodes that may turn out complex, and of what depends on them.
        leaf_of: `sources` as a mapping.
        owners: the providers that it runs on.
    """

    __slots__ = (
        "count",
        "leaf_of",
        "owners",
        "publishes",
        "segments",
        "single",
        "sources",
        "speculative",
        "wanted",
    )

    def __init__(
        self,
        segments: tuple[Submission | HostSegment, ...],
        count: int,
        sources: tuple[tuple[int, int], ...],
        publishes: tuple[tuple[int, tuple[int, ...]], ...],
        single: frozenset[int],
        wanted: tuple[int, ...],
        speculative: frozenset[int],
    ) -> None:
        self.segments = segments
        self.count = count
        self.sources = sources
        self.publishes = publishes
        self.single = single
        self.wanted = wanted
        self.speculative = speculative
        self.leaf_of = dict(sources)
        requests = [one for one in segments if isinstance(one, Submission)]
        self.owners = tuple(dict.fromkeys([request.owner for request in requests]))
