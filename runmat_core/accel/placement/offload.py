"""Where each group of a plan runs: on the device, with the host provider, or by host rules.

The host provider and host rules share the memory of NumPy, so there are two places between which
arrays travel. Which groups are on the device is the minimum cut that `mincut` finds over the
estimates of `costs`; on the host the cheaper of provider and rules is taken. Placements
depend on where the leaves are, on sizes and on costs: the caller keeps them by the key of its plan
and asks again when `Costs.version` has grown, giving the earlier placement as `before`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.placement import mincut
from runmat_core.accel.placement.corrections import Target
from runmat_core.accel.placement.costs import Costs
from runmat_core.accel.placement.mincut import DEVICE, HOST, NEVER, Move, Transfer, Trip
from runmat_core.accel.planning.plan import (
    BufferRef,
    Group,
    KernelCall,
    LoweredUnit,
    Placement,
    RepeatCall,
    Subgraph,
    units_of,
)
from runmat_core.api.device import Capabilities, DeviceArray
from runmat_core.api.ir import FLOATS, ITEMSIZE, STRUCTURAL, Kernel, LibraryCall, Unit
from runmat_core.api.tuples import NamedTuple

Force = Literal["auto", "device", "host", "rules"]

#: An earlier placement stays until another one is cheaper by this factor.
HYSTERESIS = 1.25
#: Costs are whole picoseconds, so that cuts are exact.
_TICKS = 1e12


class Placeable(Protocol):
    """What placing needs to know of a provider."""

    @property
    def name(self) -> str:
        """Return the name of the provider."""

    @property
    def capabilities(self) -> Capabilities:
        """Return what it can do."""


def place(
    subgraph: Subgraph,
    groups: Sequence[Group],
    lowered: Sequence[LoweredUnit | None],
    device: Placeable | None,
    host: Placeable | None,
    costs: Costs,
    force: Force = "auto",
    *,
    gathered: Collection[int] | None = None,
    declined: Collection[tuple[int, str]] = (),
    before: Sequence[Placement] | None = None,
    copied: Callable[[NDArray[Any]], bool] = lambda _: False,
) -> tuple[Placement, ...]:
    """Return a decision for each group, at the least estimated total time.

    Args:
        lowered: for each group its unit, None where only host rules can run it.
        force: ``auto``, or the place where everything runs that can.
        gathered: nodes whose elements go to the host afterwards; all roots by default.
        declined: pairs (group, ``device`` or ``host``) that `compile` declined.
        before: an earlier placement of the same groups.
        copied: whether the device has a copy of a host array, which need not go there again.
    """
    options = [
        _options(subgraph, number, unit, device, host, costs, declined, group)
        for number, (unit, group) in enumerate(zip(lowered, groups, strict=True))
    ]
    if force != "auto":
        return tuple(_forced(option, force) for option in options)
    if device is None or not any(option.device is not None for option in options):
        return tuple(_on_host(option) for option in options)
    wanted = subgraph.roots if gathered is None else gathered
    moves = _moves(subgraph, groups, lowered, device, wanted, costs, copied)
    on_device = [NEVER if o.device is None else _ticks(o.device) for o in options]
    on_host = [_ticks(o.beside(costs.aside)) for o in options]
    labels, best = mincut.assign(on_device, on_host, moves)
    if before is not None and len(before) == len(options):
        earlier = [decision.target == "device" for decision in before]
        kept = _total(earlier, on_device, on_host, moves)
        if kept <= best * HYSTERESIS:
            labels = earlier
    return tuple(_explain(option, labels, number, moves) for number, option in enumerate(options))


def refusal(capabilities: Capabilities, unit: Unit, largest: int = 0) -> str:
    """Why a device cannot run a unit: ``precision``, ``unsupported``, or empty where it can.

    Args:
        largest: bytes of the largest array that the unit reads or writes.
    """
    kernel = unit if isinstance(unit, Kernel) else unit.epilogue
    types = set() if isinstance(unit, Kernel) else set(unit.dtypes)
    if kernel is not None:
        # numbers of elements are f64 and i64 by definition, keys and positions of draws are u32;
        # a device has its own way with them
        words = {k for i in kernel.code if i.op == "random" for k in i.args[1:]}
        types.update(
            i.dtype
            for k, i in enumerate(kernel.code)
            if i.op not in ("extent", "index") and k not in words
        )
        types.update(buffer.dtype for buffer in kernel.buffers)
    lacking = types - capabilities.dtypes
    if lacking:
        return "precision" if lacking <= FLOATS else "unsupported"
    limit = capabilities.max_buffer_bytes
    if limit is not None and largest > limit:
        return "unsupported"
    if isinstance(unit, LibraryCall):
        unknown = unit.name not in capabilities.libraries
        if unknown or (unit.epilogue is not None and not capabilities.epilogues):
            return "unsupported"
    if kernel is None:
        return ""
    if kernel.axes_of("serial") and not capabilities.loops:
        return "unsupported"
    used = {instr.op for instr in kernel.code}
    if "scan" in used and not capabilities.scans:
        return "unsupported"
    allowed = capabilities.structural
    if allowed is not None and not used & STRUCTURAL <= allowed:
        return "unsupported"
    if capabilities.ops is not None and not used - STRUCTURAL <= capabilities.ops:
        return "unsupported"
    return ""


# -- what each group could do ----------------------------------------------------------------------


class _Option(NamedTuple):
    """The places that a group may run in, and the seconds that it takes there.

    Attributes:
        device, host: None where it cannot run.
        rules: None where there is nothing to estimate by.
        device_refusal, host_refusal: why it cannot: a reason, or empty.
        device_launch, host_launch: the parts of `device` and `host` that any size takes.
    """

    device: float | None
    host: float | None
    rules: float | None
    device_refusal: str
    host_refusal: str
    device_launch: float = 0.0
    host_launch: float = 0.0

    @property
    def work(self) -> float:
        """What it takes on the device beyond what any size takes."""
        return 0.0 if self.device is None else self.device - self.device_launch

    @property
    def least(self) -> float:
        """The least that it takes on the host's side."""
        return self.beside(0.0)

    def beside(self, aside: float) -> float:
        """Return the same beside a device, where a host rule takes that much more."""
        rules = None if self.rules is None else self.rules + aside
        return min((s for s in (self.host, rules) if s is not None), default=0.0)


def _options(
    subgraph: Subgraph,
    number: int,
    unit: LoweredUnit | None,
    device: Placeable | None,
    host: Placeable | None,
    costs: Costs,
    declined: Collection[tuple[int, str]],
    group: Group,
) -> _Option:
    if unit is None:
        return _Option(None, None, None, "only", "only")
    if isinstance(unit, KernelCall):
        sizes = [_bytes(subgraph, ref, unit, k) for k, ref in enumerate(unit.buffers)]
    else:
        sizes = [math.prod(shape) * ITEMSIZE[dtype] for shape, dtype in unit.sorts]
    largest = max(sizes, default=0)

    def against(provider: Placeable | None, target: str) -> str:
        if provider is None or target not in costs.rates:
            return "only"
        if (number, target) in declined:
            return "unsupported"
        if isinstance(unit, RepeatCall) and not provider.capabilities.repeats:
            return "unsupported"
        refused = [refusal(provider.capabilities, one, largest) for one in units_of(unit)]
        return next(filter(None, refused), "")

    no_device, no_host = against(device, "device"), against(host, "host")
    return _Option(
        None if no_device else costs.estimate(unit, "device"),
        None if no_host else costs.estimate(unit, "host"),
        max(costs.estimate(unit, "rules"), _in_full(subgraph, group, costs)),
        no_device,
        no_host,
        0.0 if no_device else costs.launch("device"),
        0.0 if no_host else costs.launch("host"),
    )


def _in_full(subgraph: Subgraph, group: Group, costs: Costs) -> float:
    """Return the least seconds that host rules take.

    What a kernel has as one number, as it follows from constants, they make in full.
    """
    nodes = [subgraph.nodes[number] for number in group.nodes]
    written = [n.size * ITEMSIZE[n.dtype] for n in nodes if n.op.kind in ("map", "fill")]
    return sum(written) * costs.rates["rules"].seconds.get("stream", 0.0)


def _bytes(subgraph: Subgraph, ref: BufferRef, unit: LoweredUnit, number: int) -> int:
    """Return the size of an array that a unit reads or writes."""
    if isinstance(unit, RepeatCall):
        shape, dtype = unit.sorts[number]
        return math.prod(shape) * ITEMSIZE[dtype]
    of = unit.unit
    if isinstance(of, Kernel):
        dtype = of.buffers[number].dtype
    else:
        node = subgraph.nodes[ref.node]
        dtype = of.dtypes[number] if number < len(of.dtypes) else node.dtype
    return subgraph.nodes[ref.node].size * ITEMSIZE[dtype]


# -- what travels ----------------------------------------------------------------------------------


class _Array(NamedTuple):
    """An array between groups: its bytes and who reads it."""

    size: int
    readers: list[int]


def _moves(
    subgraph: Subgraph,
    groups: Sequence[Group],
    lowered: Sequence[LoweredUnit | None],
    device: Placeable,
    gathered: Collection[int],
    costs: Costs,
    copied: Callable[[NDArray[Any]], bool],
) -> list[Move]:
    """Every array that a group reads or somebody outside wants, with the cost of moving it.

    Those wanted outside come with one download, after everything has run; what a group on the host
    reads comes by itself, and everything else waits for that.
    """
    arrays: dict[int, _Array] = {}
    producer: dict[int, int] = {}
    for number, group in enumerate(groups):
        for node in group.nodes if group.kind in ("call", "loop") else group.outputs:
            producer.setdefault(node, number)
    for number, group in enumerate(groups):
        for node, size in _reads(subgraph, group, lowered[number]):
            arrays.setdefault(node, _Array(size, [])).readers.append(number)
    for node in gathered:
        size = subgraph.nodes[node].size * ITEMSIZE[subgraph.nodes[node].dtype]
        arrays.setdefault(node, _Array(size, [])).readers.append(HOST)
    found: list[Move] = []
    latency = costs.download(0)
    for node, array in arrays.items():
        maker = producer.get(node)
        if maker is None:
            data = subgraph.nodes[node].data
            if data.__class__ is np.ndarray and copied(data):
                continue  # it is at both places
            maker = _where(data, device.name)
        readers = tuple(dict.fromkeys(reader for reader in array.readers if reader != maker))
        up, down = costs.upload(array.size), costs.download(array.size) - latency
        found.append(Transfer(maker, readers, _ticks(up), _ticks(down)))
        inside = tuple(reader for reader in readers if reader != HOST)
        found.append(Transfer(maker, inside, 0, _ticks(latency)))
    makers = tuple(dict.fromkeys(producer[node] for node in gathered if node in producer))
    found.append(Trip(makers, _ticks(latency)))
    return found


def _reads(subgraph: Subgraph, group: Group, unit: LoweredUnit | None) -> list[tuple[int, int]]:
    """Return the arrays that a group reads from memory: nodes and bytes."""
    if unit is not None:
        return [
            (ref.node, _bytes(subgraph, ref, unit, k))
            for k, ref in enumerate(unit.buffers)
            if k not in unit.writes
        ]
    inside = set(group.nodes)
    outside = {i for node in group.nodes for i in subgraph.inputs[node] if i >= 0} - inside
    nodes = subgraph.nodes
    return [(node, nodes[node].size * ITEMSIZE[nodes[node].dtype]) for node in sorted(outside)]


def _where(data: object, device: str) -> int:
    """Return the place of a leaf's elements."""
    while isinstance(data, tuple) and data:
        data = data[0]
    return DEVICE if isinstance(data, DeviceArray) and data.owner == device else HOST


def _total(
    labels: Sequence[bool],
    on_device: Sequence[int],
    on_host: Sequence[int],
    moves: Sequence[Move],
) -> int:
    """Return the cost of a placement."""
    total = sum(
        (there if label else here)
        for label, there, here in zip(labels, on_device, on_host, strict=True)
    )
    return total + sum(move.cost(labels) for move in moves)


# -- decisions and reasons -------------------------------------------------------------------------


def _forced(option: _Option, force: Target) -> Placement:
    """Return the forced place, the next one down where that cannot be."""
    order: tuple[Target, ...] = ("device", "host", "rules")
    refused = {"device": option.device_refusal, "host": option.host_refusal, "rules": ""}
    reason = "disabled"
    for target in order[order.index(force) :]:
        if not refused[target]:
            work = option.work if target == "device" else None
            return Placement(target, reason, option.device, option.host, option.rules, work)
        if refused[target] != "only":
            reason = refused[target]
    raise AssertionError("host rules run everything")


def _on_host(option: _Option) -> Placement:
    """Return the cheaper of the host provider and host rules, and why it is here."""
    target: Target = "rules"
    if option.host is None or option.rules is None:
        reason = option.host_refusal
    elif option.host < option.rules:
        target, reason = "host", "cost"
    else:
        reason = "too-small" if option.rules <= option.host_launch else "cost"
    if option.device_refusal not in ("", "only"):
        reason = option.device_refusal
    return Placement(target, reason, option.device, option.host, option.rules)


def _explain(
    option: _Option, labels: Sequence[bool], number: int, moves: Sequence[Move]
) -> Placement:
    """Return the decision for a group in a placement, with what it would cost here and there.

    The estimate for each place holds the transfers that this group alone decides about.
    """
    here = _on_host(option)
    if option.device is None:
        return here
    there, back = list(labels), list(labels)
    there[number], back[number] = True, False
    around = [move for move in moves if move.concerns(number)]
    moved = sum(move.cost(there) for move in around) / _TICKS
    returned = sum(move.cost(back) for move in around) / _TICKS
    device, host = option.device + moved, option.least + returned
    faster_there = option.device < option.least
    if labels[number]:
        reason = "cost" if faster_there else "residency"
        return Placement("device", reason, device, host, option.rules, option.work)
    if option.least <= option.device_launch:
        reason = "too-small"
    else:
        reason = "residency" if faster_there else "cost"
    return Placement(here.target, reason, device, host, option.rules)


def _ticks(seconds: float) -> int:
    return round(seconds * _TICKS)
