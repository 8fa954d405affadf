"""Plans as plain data that `marshal` writes, and back.

Tuples of numbers and texts stay as they are. A list stands for everything else: its first entry
says what it is, the others are the fields. An object that was met before is a number. Operations
and executables are not in it: nodes of host rules are those of the sub-graph that the plan is read
for, and units are compiled anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.collect import Template
from runmat_core.accel.planning.places import Symbol
from runmat_core.accel.planning.plan import (
    BufferRef,
    Group,
    KernelCall,
    ParamRef,
    Placement,
    Plan,
    PlannedStep,
    RepeatCall,
    launches_of,
    lines_of,
    units_of,
)
from runmat_core.accel.running.assembly import bare, whole
from runmat_core.accel.running.program import HostNode, HostSegment, Program, Submission
from runmat_core.api.device import Addressing, Copy, Executable, Launch, LaunchSizes, Repeat
from runmat_core.api.ir import (
    Axis,
    Buffer,
    Fragment,
    Instr,
    Kernel,
    LibraryCall,
    Param,
    Reducer,
    Unit,
    View,
)

#: What is encoded by its fields, in the order in which its class takes them.
RECORDS: tuple[type, ...] = (
    *(Addressing, Axis, Buffer, Copy, Fragment, Instr, Kernel, Launch, LibraryCall, Param),
    *(Reducer, Repeat, View),
    *(BufferRef, Placement, Group, KernelCall, ParamRef, RepeatCall),
    *(HostSegment, Program, Submission, Template),
)
_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes})
_NUMBER = {kind: number for number, kind in enumerate(RECORDS)}
_TUPLE, _LIST, _SET, _AGAIN, _EXECUTABLE, _CONVERT, _HOST = range(-7, 0)
#: The classes that keep what they are made of under other names, or make more of it.
_FIELDS: dict[type, tuple[str, ...]] = {
    Program: ("segments", "count", "sources", "publishes", "single", "wanted", "speculative"),
    Submission: (
        *("owner", "steps", "reads", "makes", "leaves", "scalars", "guarded", "done", "labels"),
        *("launches", "alone", "short_tail", "moving"),
    ),
}
#: What makes a scalar a parameter.
_CONVERSIONS = {one.__name__: one for one in (float, bool, whole)}

#: Gives an executable for each unit on a target, or None for one that is declined.
Compile = Callable[[str, list[Unit], list[LaunchSizes]], Sequence[Executable | None]]


class NotStorable(Exception):  # noqa: N818 - it is no error
    """A plan has something that means nothing in another process."""


@cache
def _fields_of(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives the fields of a record, in the order in which its class takes them."""
    named = _FIELDS.get(kind) or getattr(kind, "_fields", None)
    if named is None:
        named = tuple([field.name for field in kind.__attrs_attrs__])  # type: ignore[attr-defined]
    if len(named) < 2:
        return lambda value: tuple([getattr(value, name) for name in named])
    return attrgetter(*named)


class Encoder:
    """One plan on its way to data.

    Args:
        nodes: of the sub-graph that the plan was made for.
        roles: what stands for the name of each provider.
    """

    def __init__(self, nodes: Sequence[Node], roles: Mapping[str, str]) -> None:
        self._nodes = nodes
        self._roles = roles
        self._seen: dict[int, int] = {}
        self._held: list[Any] = []
        self._executables: dict[int, int] = {}

    def plan(self, plan: Plan) -> Any:
        """Return a plan as data.

        Raises:
            NotStorable: that cannot be done.
        """
        every = [executable for step in plan.steps for executable in step.executables]
        self._executables = {id(executable): k for k, executable in enumerate(every)}
        steps = []
        for step in plan.steps:
            made = [self.value(one) for one in (step.group, step.lowered, step.decision)]
            steps.append((*made, step.names))
        mapped = tuple(plan.origin) if list(plan.origin) != list(range(len(plan.origin))) else ()
        about = (plan.outputs, plan.guards, plan.made_seconds, plan.exact)
        return (steps, mapped, *about, self.value(plan.details))

    @staticmethod
    def template(template: Template) -> Any:
        """Return a template as data."""
        order, inputs, users, roots, keep = template
        return order, tuple(inputs), tuple(map(tuple, users)), roots, tuple(sorted(keep))

    def value(self, value: Any) -> Any:
        """Return anything that a plan holds as data."""
        kind = value.__class__
        if kind in _PLAIN:
            return value
        if kind is Symbol:
            return int.__add__(value, 0)
        if kind is tuple:
            return self._tuple(value)
        if kind is list:
            return [_LIST, *[self.value(one) for one in value]]
        if kind is frozenset:
            return [_SET, *sorted(value)]
        if kind is Executable:
            number = self._executables.get(id(value))
            if number is None:
                raise NotStorable
            return [_EXECUTABLE, number]
        if kind in _NUMBER:
            return self._record(value, kind)
        if kind is HostNode:
            return self._host(value)
        if value in _CONVERSIONS.values():
            return [_CONVERT, value.__name__]
        raise NotStorable

    def _tuple(self, value: tuple[Any, ...]) -> Any:
        for one in value:
            if one.__class__ not in _PLAIN:
                break
        else:
            return value
        made = [self.value(one) for one in value]
        for one in made:
            if one.__class__ is list:
                return [_TUPLE, *made]
        return tuple(made)

    def _record(self, value: Any, kind: type) -> Any:
        seen = self._seen.get(id(value))
        if seen is not None:
            return [_AGAIN, seen]
        # numbered when it is complete, as it is read
        fields: list[Any] = [
            one if one.__class__ in _PLAIN else self.value(one) for one in _fields_of(kind)(value)
        ]
        if kind is Submission:
            fields[0] = self._roles[fields[0]]
        made = [_NUMBER[kind], *fields]
        self._seen[id(value)] = len(self._held)
        self._held.append(value)
        return made

    def _host(self, node: HostNode) -> Any:
        mine = self._nodes[node.origin] if node.origin >= 0 else None
        if mine is None or _described(mine) != _described(node.like):
            raise NotStorable  # a rewrite made it
        rest = (self.value(node.inputs), node.number, node.done, node.open)
        return [_HOST, node.origin, node.scalars, *rest]


def _described(node: Node) -> tuple[Any, ...]:
    return node.op, node.static, node.shape, node.cls, node.guarded


class Decoder:
    """Data on its way to a plan.

    Args:
        nodes: of the sub-graph that the plan is to run, made of the template.
        owners: the name of the provider in each role.
    """

    def __init__(self, nodes: Sequence[Node], owners: Mapping[str, str]) -> None:
        self._nodes = nodes
        self._owners = owners
        self._met: list[Any] = []
        self._executables: list[Executable] = []

    def plan(self, data: Any, compile: Compile) -> Plan | None:
        """Return the plan; None where a unit is declined."""
        coded, origin, outputs, guards, made_seconds, exact, details = data
        steps = []
        units: dict[str, list[Unit]] = {}
        launches: dict[str, list[LaunchSizes]] = {}
        for group, lowered, decision, names in coded:
            runs = self.value(group), self.value(lowered), self.value(decision), names
            steps.append(runs)
            if runs[1] is not None:
                units.setdefault(runs[2].target, []).extend(units_of(runs[1]))
                launches.setdefault(runs[2].target, []).extend(launches_of(runs[1]))
        made = {
            target: list(compile(target, some, launches[target])) for target, some in units.items()
        }
        if any(one is None for some in made.values() for one in some):
            return None
        planned = []
        for group, lowered, decision, names in steps:
            executables: tuple[Any, ...] = ()
            if lowered is not None:
                waiting, count = made[decision.target], len(units_of(lowered))
                executables = tuple(waiting[:count])
                del waiting[:count]
                self._executables += executables
            there = [origin[k] for k in group.nodes] if origin else group.nodes
            lines = lines_of([self._nodes[k] for k in there if k >= 0])
            planned.append(PlannedStep(group, lowered, executables, decision, lines, names))
        return Plan(
            steps=tuple(planned),
            outputs=outputs,
            guards=guards,
            made_seconds=made_seconds,
            details=self.value(details),
            exact=exact,
            origin=origin,
        )

    def value(self, data: Any) -> Any:
        """Return what `Encoder.value` wrote."""
        if data.__class__ is not list:
            return data
        tag, *fields = data
        if tag >= 0:
            kind = RECORDS[tag]
            fields = [one if one.__class__ is not list else self.value(one) for one in fields]
            if kind is Submission:
                fields[0] = self._owners[fields[0]]
            made = kind(*fields)
            self._met.append(made)
            return made
        if tag == _AGAIN:
            return self._met[fields[0]]
        if tag == _EXECUTABLE:
            return self._executables[fields[0]]
        if tag == _CONVERT:
            return _CONVERSIONS[fields[0]]
        if tag == _HOST:
            origin, scalars, inputs, *rest = fields
            like = bare(self._nodes[origin])
            return HostNode(like, origin, scalars, self.value(inputs), *rest)
        several = [self.value(one) for one in fields]
        return several if tag == _LIST else tuple(several) if tag == _TUPLE else frozenset(several)


def template(data: Any) -> Template:
    """Return the template that `Encoder.template` wrote."""
    order, inputs, users, roots, keep = data
    return Template(order, list(inputs), [list(one) for one in users], roots, frozenset(keep))
