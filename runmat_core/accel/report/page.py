"""What happened to a program, as one page for a browser that needs nothing from elsewhere.

The source stands beside its kernels, the operations are drawn as a graph with their sizes and
classes, and a time line shows plans and launches. A click on a kernel marks it everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from runmat_core.accel.report.explain import Kernel, clipped, kernel_code, kernels_of, key_of, why
from runmat_core.accel.report.flowchart import flows, operations
from runmat_core.accel.report.telemetry import Run, Telemetry

#: Sizes in the drawing of the graph.
_WIDE, _HIGH, _GAP = 144, 38, 18
#: Events of the time line that are drawn; of more their number is told.
_EVENTS = 2000

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1f24; --paper: #fff; --soft: #f3f4f6; --line: #d5d9e0;
  --mark: #ffe9a8; --blue: #0072bd; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --paper: #17191d; --soft: #22262c;
  --line: #3a404a; --mark: #5a4a10; --blue: #5aa9e6; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 90rem; background: var(--paper);
  color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
pre, code, td.source { font-family: ui-monospace, monospace; font-size: 13px; }
.beside { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.5rem; }
@media (max-width: 60rem) { .beside { grid-template-columns: 1fr; } }
table { border-collapse: collapse; width: 100%; }
td { padding: .1rem .5rem; vertical-align: top; }
td.number { color: #888; text-align: right; width: 2.5rem; }
td.source { white-space: pre-wrap; }
.part { cursor: pointer; }
a.part, button.part { display: inline-block; border: 1px solid var(--blue); border-radius: 1rem;
  background: none; color: var(--blue); padding: 0 .5rem; margin: 0 .2rem .2rem 0; font: inherit;
  font-size: 12px; }
details { border: 1px solid var(--line); border-radius: .4rem; margin-bottom: .5rem; }
summary { padding: .4rem .7rem; cursor: pointer; }
details pre { margin: 0; padding: .6rem .8rem; background: var(--soft); overflow: auto;
  max-height: 24rem; }
details p { margin: .2rem .8rem .5rem; }
.graph, .time { overflow: auto; border: 1px solid var(--line); border-radius: .4rem; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .box { fill: var(--soft); stroke: var(--line); }
svg .node { fill: var(--paper); stroke: var(--blue); }
svg .arrow { stroke: #888; fill: none; } svg .head { fill: #888; } svg .bar { fill: var(--blue); }
svg .planning { fill: #9aa1ab; }
.chosen > .box, tr.chosen td, details.chosen { background: var(--mark);
  fill: var(--mark); } svg .bar.chosen { fill: #d95319; } button.chosen { background: var(--mark); }
"""

_SCRIPT = """
document.addEventListener('click', event => {
  const part = event.target.closest('[data-kernel]');
  if (!part || event.target.closest('details')) return;
  const chosen = part.classList.contains('chosen') ? '' : part.dataset.kernel.split(' ')[0];
  for (const one of document.querySelectorAll('[data-kernel]')) {
    one.classList.toggle('chosen', chosen !== '' && one.dataset.kernel.split(' ').includes(chosen));
  }
  const details = document.querySelector(`details[data-kernel="${chosen}"]`);
  if (details) { details.open = true; details.scrollIntoView({block: 'nearest'}); }
});
"""


def page(telemetry: Telemetry, path: str, source: Sequence[str]) -> str:
    """Return the page of a program that has run."""
    kernels = kernels_of(telemetry.runs)
    name = escape(os.path.basename(path) or "code")
    codes = kernel_code(telemetry)
    totals = telemetry.totals()
    summary = (
        f"{totals['kernels']} kernel launches and {totals['calls']} library calls in "
        f"{totals['runs']} evaluations; {_seconds(totals['seconds'])} running, "
        f"{_seconds(totals['plan_seconds'])} planning."
    )
    body = [
        f"<h1>{name}</h1><p>{escape(summary)} A click on a kernel marks it everywhere.</p>",
        "<div class=beside><section><h2>Source</h2>",
        _source(path, source, telemetry.runs, kernels),
        "</section><section><h2>Kernels</h2>",
        *(_kernel(kernel, codes.get(key, "")) for key, kernel in kernels.items()),
        "" if kernels else "<p>Nothing of it was captured.</p>",
        "</section></div>",
        "<h2>Operations</h2>",
        f"<div class=graph>{_graph(telemetry.runs, kernels)}</div>",
        "<h2>Time</h2>",
        f"<div class=time>{_time_line(telemetry.runs, kernels)}</div>",
    ]
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width">'
        f"<title>{name}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(filter(None, body))
        + f"\n<script>{_SCRIPT}</script></body></html>\n"
    )


def _seconds(value: float) -> str:
    for limit, scale, unit in ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if value < limit:
            return f"{value * scale:.3g} {unit}"
    return f"{value:.3g} s"


def _source(
    path: str, source: Sequence[str], runs: Iterable[Run], kernels: Mapping[Any, Kernel]
) -> str:
    """Return the program's lines, each with the kernels that it is part of."""
    parts: dict[int, dict[int, str]] = {}
    asks: set[int] = set()
    for run in runs:
        if run.sink[0] == path:
            asks.add(run.sink[1])
        for step in run.steps:
            kernel = kernels[key_of(step)]
            for where, line in step.lines:
                if where == path:
                    parts.setdefault(line, {})[kernel.number] = kernel.name
    rows = []
    for number, text in enumerate(source, 1):
        own = parts.get(number, {})
        badges = "".join(
            f'<button class=part data-kernel="{k}">{escape(name)}</button>'
            for k, name in own.items()
        )
        badges += " <small>asks for a value</small>" if number in asks else ""
        marks = f' data-kernel="{" ".join(map(str, own))}"' if own else ""
        rows.append(
            f"<tr{marks}><td class=number>{number}</td><td class=source>{escape(text)}</td>"
            f"<td>{badges}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _kernel(kernel: Kernel, code: str) -> str:
    step = kernel.step
    about = "~" if kernel.shared else ""
    where = step.provider or "host rules"
    title = (
        f"<b>{escape(kernel.name)}</b> {escape(clipped(step.label, 60))} "
        f"<small>{escape(where)}, {kernel.launches}×, {about}{_seconds(kernel.seconds)}</small>"
    )
    shown = f"<pre>{escape(code)}</pre>" if code else ""
    reason = escape(why(step.decision))
    return (
        f'<details data-kernel="{kernel.number}"><summary>{title}</summary>'
        f"<p>{reason}</p>{shown}</details>"
    )


# -- the graph -------------------------------------------------------------------------------------


def _graph(runs: Sequence[Run], kernels: Mapping[Any, Kernel]) -> str:
    """Kernels as boxes of their operations, each below those whose results it reads."""
    edges: dict[tuple[int, int], None] = {}
    boxes: dict[int, tuple[Kernel, list[tuple[str, str, list[int]]], int]] = {}
    for run in runs:
        for number, step in enumerate(run.steps):
            kernel = kernels[key_of(step)]
            if kernel.number not in boxes:
                boxes[kernel.number] = (kernel, *_shown(run, number))
        for source, target in flows(run):
            pair = tuple(kernels[key_of(run.steps[k])].number for k in (source, target))
            if pair[0] != pair[1]:
                edges[pair[0], pair[1]] = None
    level = dict.fromkeys(boxes, 0)
    for _ in boxes:
        for first, second in edges:
            if level[second] <= level[first] < len(boxes):
                level[second] = level[first] + 1
    drawn, places = [], {}
    top = float(_GAP)
    for row in sorted(set(level.values())):
        left, deep = float(_GAP), 0.0
        for number in (k for k in boxes if level[k] == row):
            text, wide, high = _box(*boxes[number], left, top)
            places[number] = (left + wide / 2, top, top + high)
            drawn.append(text)
            left += wide + 2 * _GAP
            deep = max(deep, high)
        top += deep + 3 * _GAP
    lines = [
        _arrow(places[a][0], places[a][2], places[b][0], places[b][1])
        for a, b in edges
        if level[a] < level[b]
    ]
    wide = max((x for x, *_ in places.values()), default=100) * 2 + 4 * _GAP
    return _svg(wide, top, [*drawn, *lines])


def _shown(run: Run, number: int) -> tuple[list[tuple[str, str, list[int]]], int]:
    """Return the operations of a step: name, size and class, and which of them it reads."""
    chosen, left = operations(run, number)
    place = {k: at for at, k in enumerate(chosen)}
    notes = run.record.nodes
    return [
        (
            notes[k].name,
            f"{'×'.join(map(str, notes[k].shape))} {notes[k].cls}",
            [place[below] for below in dict.fromkeys(notes[k].inputs) if below in place],
        )
        for k in chosen
    ], left


def _box(
    kernel: Kernel, nodes: list[tuple[str, str, list[int]]], left_out: int, x: float, y: float
) -> tuple[str, float, float]:
    """Return a kernel with its operations; its width and height."""
    depth: list[int] = []
    for _, _, reads in nodes:
        depth.append(max((depth[k] for k in reads), default=-1) + 1)
    filled: dict[int, int] = {}
    spots = []
    for level in depth:
        column = filled.get(level, 0)
        filled[level] = column + 1
        spots.append((x + _GAP + column * (_WIDE + _GAP), y + 2 * _GAP + level * (_HIGH + _GAP)))
    rows = max(depth, default=0) + 1
    wide = max(max(filled.values(), default=1) * (_WIDE + _GAP) + _GAP, 9 * len(kernel.name) + 90)
    high = 2 * _GAP + rows * (_HIGH + _GAP) + (18 if left_out > 0 else 0)
    where = f" on {kernel.step.provider}" if kernel.step.provider else ""
    parts = [
        f'<rect class="box" x="{x}" y="{y}" width="{wide}" height="{high}" rx="6"/>',
        f'<text x="{x + 8}" y="{y + 18}" font-weight="bold">{escape(kernel.name + where)}</text>',
    ]
    for (name, size, reads), (left, top) in zip(nodes, spots, strict=True):
        for k in reads:
            x0, y0 = spots[k]
            if x0 == left and top - y0 > _HIGH + _GAP:
                parts.append(_around(x0 + _WIDE, y0 + _HIGH / 2, top + _HIGH / 2))
            else:
                parts.append(_arrow(x0 + _WIDE / 2, y0 + _HIGH, left + _WIDE / 2, top))
        parts.append(
            f'<rect class="node" x="{left}" y="{top}" width="{_WIDE}" height="{_HIGH}" rx="4"/>'
            f'<text x="{left + 6}" y="{top + 16}">{escape(clipped(name, 16))}</text>'
            f'<text x="{left + 6}" y="{top + 31}" opacity=".7">{escape(clipped(size, 18))}</text>'
        )
    if left_out > 0:
        parts.append(f'<text x="{x + 8}" y="{y + high - 8}">{left_out} more</text>')
    text = f'<g class="part" data-kernel="{kernel.number}">{"".join(parts)}</g>'
    return text, wide, high


def _around(x: float, y0: float, y1: float) -> str:
    """Return an arrow on the right of what lies between two boxes of a column."""
    out = x + _GAP
    return (
        f'<path class="arrow" d="M{x} {y0}C{out} {y0} {out} {y1} {x + 5} {y1}"/>'
        f'<path class="head" d="M{x} {y1}l7 -4v8z"/>'
    )


def _arrow(x0: float, y0: float, x1: float, y1: float) -> str:
    bend = (y1 - y0) / 2
    return (
        f'<path class="arrow" d="M{x0} {y0}C{x0} {y0 + bend} {x1} {y1 - bend} {x1} {y1 - 5}"/>'
        f'<path class="head" d="M{x1} {y1}l-4 -7h8z"/>'
    )


def _svg(wide: float, high: float, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {wide:g} {high:g}">{"".join(parts)}</svg>'
    )


# -- the time line ---------------------------------------------------------------------------------


def _time_line(runs: Sequence[Run], kernels: Mapping[Any, Kernel]) -> str:
    """Plans in the first row, launches in one for each provider, from the first to the last."""
    rows = {"plans": 0}
    bars: list[tuple[int, float, float, str, int]] = []
    for run in runs:
        begin = run.start
        if run.plan == "made":
            bars.append((0, begin, run.plan_seconds, "planning", 0))
        begin += run.plan_seconds
        for step in run.steps:
            row = rows.setdefault(step.provider or "host rules", len(rows))
            bars.append((row, begin, step.seconds, step.label, kernels[key_of(step)].number))
            begin += step.seconds
    if not bars:
        return "<p>Nothing ran.</p>"
    first = min(start for _, start, *_ in bars)
    last = max(start + length for _, start, length, *_ in bars)
    span = max(last - first, 1e-9)
    parts = [f'<text x="6" y="{34 + 30 * row}">{escape(name)}</text>' for name, row in rows.items()]
    wide, lead = 1000.0, 110.0
    for row, start, length, label, number in bars[:_EVENTS]:
        x = lead + (start - first) / span * wide
        kind = "bar part" if number else "planning"
        marks = f' data-kernel="{number}"' if number else ""
        parts.append(
            f'<rect class="{kind}"{marks} x="{x:.2f}" y="{18 + 30 * row}" '
            f'width="{max(length / span * wide, 1):.2f}" height="22">'
            f"<title>{escape(label)}: {_seconds(length)}</title></rect>"
        )
    foot = 30 + 30 * len(rows)
    for k in range(6):
        x = lead + k * wide / 5
        parts.append(
            f'<path class="arrow" d="M{x} 14V{foot - 6}" opacity=".4"/>'
            f'<text x="{x}" y="{foot + 8}" text-anchor="middle">{_seconds(k * span / 5)}</text>'
        )
    more = len(bars) - _EVENTS
    if more > 0:
        parts.append(f'<text x="{lead}" y="{foot + 26}">{more} more events are not drawn</text>')
    return _svg(lead + wide + 60, foot + (34 if more > 0 else 16), parts)
