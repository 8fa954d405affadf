"""Kernels, the operations in them and what flows between them, as a Mermaid flowchart."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from runmat_core.accel.devices.records import NodeNote
from runmat_core.accel.report.explain import Kernel, clipped, kernels_of, key_of
from runmat_core.accel.report.telemetry import Run, Telemetry

#: Operations of one kernel that are drawn; of more their number.
OPERATIONS = 40


def mermaid(telemetry: Telemetry) -> str:
    """Return the distinct kernels with their operations, and the data between them, for Mermaid."""
    kernels = kernels_of(telemetry.runs)
    lines = ["flowchart TD"]
    drawn: set[int] = set()
    for run in telemetry.runs:
        for number, step in enumerate(run.steps):
            kernel = kernels[key_of(step)]
            if kernel.number not in drawn:
                drawn.add(kernel.number)
                lines += _cluster(kernel, run, number)
    edges: dict[tuple[int, int], None] = {}
    sinks: dict[tuple[str, int], int] = {}
    sunk: dict[str, None] = {}
    for run in telemetry.runs:
        for source, target in flows(run):
            first, second = (kernels[key_of(run.steps[k])].number for k in (source, target))
            edges[(first, second)] = None
        if run.sink[1] and run.steps:
            place = f"{os.path.basename(run.sink[0])}:{run.sink[1]}"
            last = kernels[key_of(run.steps[-1])].number
            sink = sinks.setdefault(run.sink, len(sinks) + 1)
            sunk[f'    s{sink}(["{place}"])'] = None
            sunk[f"    k{last} --> s{sink}"] = None
    lines += sunk
    lines += [f"    k{first} --> k{second}" for first, second in edges]
    return "\n".join(lines) + "\n"


def _cluster(kernel: Kernel, run: Run, number: int) -> list[str]:
    """Return the operations that became a kernel, each with its size and class.

    Args:
        run: where it ran first, as step `number`.
    """
    step, notes = kernel.step, run.record.nodes
    where = kernel.name if not step.provider else f"{kernel.name} on {step.provider}"
    shown, left = operations(run, number)
    name = f"k{kernel.number}"
    if not shown:
        return [f'    {name}["{_quoted(clipped(step.label, 60))}<br/>{where}"]']
    lines = [f'    subgraph {name}["{where}"]']
    for k in shown:
        size = "x".join(map(str, notes[k].shape))
        lines.append(f'        {name}n{k}["{_quoted(notes[k].name)}<br/>{size} {notes[k].cls}"]')
    if left > 0:
        lines.append(f'        {name}more["{left} more"]')
    there = set(shown)
    for k in shown:
        below = dict.fromkeys(source for source in notes[k].inputs if source in there)
        lines += [f"        {name}n{source} --> {name}n{k}" for source in below]
    return [*lines, "    end"]


def operations(run: Run, number: int) -> tuple[list[int], int]:
    """Return the first operations of a step of a run, and how many are left out."""
    count, plan = len(run.record.nodes), run.record.plan
    shown: list[int] = list(range(count))
    if plan is not None and len(run.steps) == len(plan.steps):
        shown = [k for k in plan.steps[number].group.nodes if k < count]
    return shown[:OPERATIONS], len(shown) - OPERATIONS


def _quoted(text: str) -> str:
    return text.replace('"', "#quot;")


def flows(run: Run) -> list[tuple[int, int]]:
    """Pairs of steps of one plan of which the second reads what the first wrote."""
    plan = run.record.plan
    if plan is None or len(run.steps) != len(plan.steps):
        return []
    writer: dict[int, int] = {}
    found = []
    for k, step in enumerate(plan.steps):
        written = set(step.group.outputs)
        if step.lowered is not None:
            refs = list(enumerate(step.lowered.buffers))
            reads = {ref.node for n, ref in refs if n not in step.lowered.writes}
            written |= {ref.node for n, ref in refs if n in step.lowered.writes}
        else:
            reads = {below for n in step.group.nodes for below in run.record.nodes[n].inputs}
        makers = {_maker(node, run.record.nodes, writer) for node in reads}
        found += [(writer[node], k) for node in sorted(makers) if node in writer]
        writer.update(dict.fromkeys(written, k))
    return found


def _maker(number: int, nodes: Sequence[NodeNote], writer: Mapping[int, int]) -> int:
    """Return the node that some step wrote where `number` is a view of it."""
    while number >= 0 and number not in writer and len(nodes[number].inputs) == 1:
        number = nodes[number].inputs[0]
    return number
