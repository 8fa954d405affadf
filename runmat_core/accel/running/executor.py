"""Running a plan on a sub-graph.

Sources are bound to handles, each request of the program is executed, and when everything has
succeeded the results are published together: nodes get their data and let go of their inputs. A
fault or a guard that fires publishes nothing.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.context import running
from runmat_core.accel.devices.handles import BufferManager, DeviceBuffer
from runmat_core.accel.graph import rules
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.planning.plan import KernelCall, Plan, Subgraph
from runmat_core.accel.running.program import HostNode, HostSegment, Program, Ref, Submission
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.errors import MatlabError
from runmat_core.api.ir import DTYPE_OF
from runmat_core.values.array import from_numpy, to_numpy

#: Elements of an array that is computed with others, and comes to the host with them, before
#: anybody asks for it.
SMALL = 4096

#: By the name of a provider.
Stores = Mapping[str, BufferManager]


class GuardFired(Exception):  # noqa: N818 - it is no error
    """An element left the domain in which the plan's kernels are right."""


class Outcome:
    """What a run did.

    Attributes:
        launches: kernels and library calls.
        written: bytes of arrays that the run made.
        published: how many arrays it published.
        labels: of the launches, in order.
        alone: the provider, unit and seconds of the last request that was one launch and was over
            when the provider said so.
    """

    __slots__ = ("alone", "labels", "launches", "published", "written")

    def __init__(
        self,
        launches: int = 0,
        written: int = 0,
        published: int = 0,
        alone: tuple[str, KernelCall, float] | None = None,
    ) -> None:
        self.launches = launches
        self.written = written
        self.published = published
        self.labels: list[str] = []
        self.alone = alone


def run(plan: Plan, subgraph: Subgraph, stores: Stores, gather: int = 0) -> Outcome:
    """Compute the outputs of `subgraph` and publish them.

    Args:
        gather: so many of the roots, the first ones, are brought to the host in one transfer with
            the status word, and whatever other root is small.

    Raises:
        DeviceFault: a provider failed; nothing was published.
        GuardFired: results are complex, or a host rule made something else than the plan says;
            only what does not depend on that was published.
        MatlabError: of a host rule.
    """
    program: Program = plan.details
    outcome = Outcome()
    frame = _Frame(program, subgraph, stores, outcome)
    owners = program.owners
    for owner in owners:
        stores[owner].busy = True
    try:
        for segment in program.segments:
            if isinstance(segment, Submission):
                frame.request(segment, segment.short_tail and bool(gather or segment.guarded))
            else:
                frame.by_rules(segment)
        fired = frame.settle(gather)
        outcome.published = frame.publish(program.speculative if fired else frozenset())
    finally:
        frame.values.clear()
        frame.elsewhere.clear()
        for owner in owners:
            stores[owner].go_on()
    if fired:
        raise GuardFired
    return outcome


class _Frame:
    """The values of a run, by number: host arrays and held arrays of providers.

    Attributes:
        elsewhere: values that are at a second place, too: by owner (empty: the host) and number.
        words: status words to be read, by the name of their store.
    """

    def __init__(
        self, program: Program, subgraph: Subgraph, stores: Stores, outcome: Outcome
    ) -> None:
        self.program = program
        self.nodes = subgraph.nodes
        self.stores = stores
        self.outcome = outcome
        self.values: dict[int, Any] = {}
        self.elsewhere: dict[tuple[str, int], Any] = {}
        self.words: dict[str, DeviceBuffer] = {}
        self.sources = program.leaf_of
        nodes, values = self.nodes, self.values
        for value, number in program.sources:
            values[value] = nodes[number].data

    # -- segments ---------------------------------------------------------------------------------

    def request(self, segment: Submission, read_next: bool) -> None:
        """Execute the steps of one provider; see `ExecuteRequest.read_next`."""
        store = self.stores[segment.owner]
        if store.heavy:
            store.flush()
        held = self._bound(store, segment.reads)
        made = store.allocate(segment.makes) if segment.makes else ()
        slots = store.handles((*held, *made))
        status = None
        if segment.guarded:
            zero, word = store.status()
            status = store.handle(word)
            slots += [store.handle(zero), status]
            self.words[store.name] = word
        nodes = self.nodes
        params: tuple[Any, ...] = ()
        if segment.scalars:
            given: list[Any] = []
            for n, k, convert in segment.scalars:
                given.append(convert(nodes[n].inputs[k]))
            params = tuple(given)
        started = perf_counter()
        steps = segment.steps_for(nodes) if segment.moving else segment.steps
        store.provider.execute(steps, tuple(slots), params, status, read_next)
        if segment.alone is not None and not store.own_memory:
            self.outcome.alone = segment.owner, segment.alone, perf_counter() - started
        if store.dead:
            store.flush()
        for value, place in segment.leaves:
            self.values[value] = made[place]
        if segment.done:
            self._forget(segment.done)
        outcome = self.outcome
        outcome.launches += segment.launches
        outcome.labels += segment.labels
        outcome.written += segment.nbytes

    def by_rules(self, segment: HostSegment) -> None:
        """Compute nodes by their host rules."""
        arrays = self._on_host([value for _, value in segment.reads])
        values: dict[Ref, Any] = {
            ref: self._value(number, array)
            for (ref, number), array in zip(segment.reads, arrays, strict=True)
        }
        try:
            with running(None), np.errstate(all="ignore"):
                for node in segment.nodes:
                    self._compute(node, values)
                    for ref in node.done:
                        del values[ref]
        except MatlabError:
            # what the rule complains of may come from an element that turns out complex
            if self._fired(()):
                raise GuardFired from None
            raise
        made = {node.number: node.like for node in segment.nodes}
        for ref, number in segment.leaves:
            cls = rules.class_of_output(made[ref[0]], ref[1])
            self.values[number] = array = rules.typed(values[ref], cls)
            self.outcome.written += array.nbytes
        self._forget(segment.done)

    def _value(self, number: int, array: NDArray[Any]) -> Any:
        """Return an array as a host rule sees it: what the program has complex stays so."""
        if array.dtype.kind == "c" and number in self.sources:
            return rules.value_of(self.nodes[self.sources[number]], array)
        return from_numpy(array)

    def _compute(self, node: HostNode, values: dict[Ref, Any]) -> None:
        scalars = self.nodes[node.scalars].inputs if node.scalars >= 0 else ()
        inputs = [scalars[k] if ref is None else values[ref] for k, ref in enumerate(node.inputs)]
        like = self.nodes[node.origin] if node.open else node.like
        try:
            value = like.op.host(like, *inputs)
        except MatlabError as error:
            if node.origin >= 0:
                rules.place_error(error, self.nodes[node.origin])
            raise
        for output, one in enumerate(value if value.__class__ is tuple else (value,)):
            if not _suits(to_numpy(one), rules.class_of_output(like, output)):
                raise GuardFired
            values[(node.number, output)] = one

    # -- moving -----------------------------------------------------------------------------------

    def _bound(self, store: BufferManager, numbers: Sequence[int]) -> list[DeviceBuffer]:
        """Return these values on a provider, uploading what is not there yet in one transfer."""
        found: dict[int, DeviceBuffer] = {}
        sources: list[int] = []
        others: list[int] = []
        for number in numbers:
            value = self.values[number]
            if value.__class__ is DeviceBuffer and value.owner == store.name:
                found[number] = value
            elif (twin := self.elsewhere.get((store.name, number))) is not None:
                found[number] = twin
            elif number in self.sources and value.__class__ is np.ndarray:
                sources.append(number)
            else:
                others.append(number)
        if sources:
            arrays = [self.values[number] for number in sources]
            found.update(zip(sources, store.copies(arrays), strict=True))
        if others:
            found.update(zip(others, store.upload(self._on_host(others)), strict=True))
        for number in (*sources, *others):
            self.elsewhere[(store.name, number)] = found[number]
        return list(map(found.__getitem__, numbers))

    def _on_host(self, numbers: Sequence[int]) -> list[NDArray[Any]]:
        """Return these values as host arrays."""
        away: dict[str, list[int]] = {}
        for number in numbers:
            value = self.values[number]
            if value.__class__ is not np.ndarray and ("", number) not in self.elsewhere:
                away.setdefault(value.owner, []).append(number)
        for owner, there in away.items():
            arrays, _ = self.stores[owner].download([self.values[number] for number in there])
            for number, array in zip(there, arrays, strict=True):
                self.elsewhere[("", number)] = array
        return [
            value
            if (value := self.values[number]).__class__ is np.ndarray
            else self.elsewhere[("", number)]
            for number in numbers
        ]

    def _forget(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.values.pop(number, None)
        if self.elsewhere:
            for number in numbers:
                for owner in ("", *self.stores):
                    self.elsewhere.pop((owner, number), None)

    # -- ending -----------------------------------------------------------------------------------

    def settle(self, gather: int) -> bool:
        """Whether a guard fired; brings the roots to the host that are to be gathered."""
        if not gather:
            return self._fired(())
        roots, values = self.program.wanted, self.values
        if gather < len(roots):
            others = [
                k
                for k in roots[gather:]
                if values[k].__class__ is DeviceBuffer and values[k].size <= SMALL
            ]
            roots = (*roots[:gather], *others)
        return self._fired(roots)

    def _fired(self, wanted: Sequence[int]) -> bool:
        """Read the status words, together with values that are wanted on the host."""
        there: dict[str, list[int]] = {}
        for name in self.words:
            there[name] = []
        for number in dict.fromkeys(wanted):
            value = self.values[number]
            if value.__class__ is not DeviceBuffer:
                continue
            here = self.elsewhere.get(("", number))
            if here is None:
                there.setdefault(value.owner, []).append(number)
            else:  # a host rule has read it
                self.stores[value.owner].remember(here, value)
                self.values[number] = here
        bits = 0
        for owner, numbers in there.items():
            store = self.stores[owner]
            held = list(map(self.values.__getitem__, numbers))
            arrays, status = store.download(held, self.words.get(owner))
            bits |= status
            for number, one, array in zip(numbers, held, arrays, strict=True):
                if store.own_memory:
                    store.remember(array, one)
                self.values[number] = array
        return bits != 0

    def publish(self, discarded: Container[int]) -> int:
        """Give the nodes their data, all but those that are discarded; how many got some."""
        results: list[tuple[Node, Any]] = []
        values, nodes, single = self.values, self.nodes, self.program.single
        for number, parts in self.program.publishes:
            if number in discarded:
                continue
            if number in single:
                results.append((nodes[number], values[parts[0]]))
            else:
                results.append((nodes[number], tuple([values[value] for value in parts])))
        for node, data in results:
            node.data = data
            node.inputs = ()  # it needs them no more
        return len(results)


def _suits(data: NDArray[Any], cls: str) -> bool:
    """Whether a host rule made elements of the class that the plan says, where it says any."""
    if not cls:
        return data.dtype.kind != "c"
    dtype = NUMPY_DTYPE[DTYPE_OF[cls]]
    return data.dtype == dtype or (cls in COMPLEX_CLASSES and data.dtype == _part(dtype))


def _part(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of the parts of a complex one."""
    return np.empty(0, dtype).real.dtype
