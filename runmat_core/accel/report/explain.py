"""What a program's acceleration looked like, line by line, as a newcomer can read it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from runmat_core.accel.devices.records import AtOnceNote
from runmat_core.accel.planning.plan import Placement
from runmat_core.accel.report.telemetry import Run, Step, Telemetry
from runmat_core.accel.running.loop_registry import CaptureReport

#: Reasons of decisions in words.
REASON = {
    "residency": "its data is there already",
    "cost": "estimated to be faster",
    "too-small": "too small to be worth a launch",
    "unsupported": "the other place does not support it",
    "precision": "the device has no double precision, and doubles are not narrowed",
    "disabled": "told so by the configuration",
    "only": "there is nowhere else",
    "too-little": "too little work to be worth a plan",
    "guard": "a result turned out complex, so it was computed again",
}


@attrs.define
class Kernel:
    """A kernel, a call or a group computed by host rules, with all its launches.

    Attributes:
        number: in order of first launch, from one.
        name: for people; kernels and calls are counted together, host rules have no number.
        shared: whether some of `seconds` are a share of a measured time by the estimates.
    """

    number: int
    name: str
    step: Step
    launches: int = 0
    seconds: float = 0.0
    shared: bool = False


def kernels_of(runs: Iterable[Run]) -> dict[tuple[Any, ...], Kernel]:
    """Return the distinct kernels of some runs."""
    found: dict[tuple[Any, ...], Kernel] = {}
    launched = 0
    for run in runs:
        for step in run.steps:
            key = key_of(step)
            kernel = found.get(key)
            if kernel is None:
                launched += step.kind != "rules"
                name = "host rules" if step.kind == "rules" else f"{step.kind} {launched}"
                kernel = found[key] = Kernel(len(found) + 1, name, step)
            kernel.launches += 1
            kernel.seconds += step.seconds
            kernel.shared |= len(run.steps) > 1
    return found


def key_of(step: Step) -> tuple[Any, ...]:
    """Return what steps have in common that are shown as one."""
    return (step.label, step.kind, step.provider, step.lines)


class Uncaptured(Protocol):
    """A loop that its text alone keeps from being captured: its lines, why, and at which line."""

    @property
    def first(self) -> int:
        """Return the line of the loop."""

    @property
    def last(self) -> int:
        """Return the last line of the loop."""

    @property
    def reason(self) -> str:
        """Return why the loop is not captured."""

    @property
    def line(self) -> int:
        """Return the line that is the reason."""


def explain(
    telemetry: Telemetry,
    file: str,
    source: Sequence[str],
    uncaptured: Callable[[str], Iterable[Uncaptured]] = lambda _: (),
) -> str:
    """Return the report for a program.

    Args:
        file: the program; lines of other files are told in a section of their own.
        source: its lines.
        uncaptured: tells the loops of a text that are never captured.
    """
    runs = telemetry.runs
    if not runs:
        return (
            f"{os.path.basename(file)}: nothing was captured. Arrays below the threshold "
            "(accel.threshold) and operations without a fusion rule run at once; without a "
            "provider everything does (`runmat info` tells which there are).\n"
        ) + _about_named(telemetry)
    kernels = kernels_of(runs)
    parts = []
    for path in _files(file, runs):
        lines = source if os.path.normpath(path) == os.path.normpath(file) else _read(path)
        parts.append(_source_table(path, lines, runs, kernels))
    parts.append(_kernel_table(kernels.values()))
    notes = list(telemetry.loops)
    for path in _files(file, runs):
        lines = source if os.path.normpath(path) == os.path.normpath(file) else _read(path)
        notes += _never(path, uncaptured("\n".join(lines)), runs)
    if notes:
        parts.append(_loop_table(sorted(notes, key=lambda note: (note.file, note.line))))
    if telemetry.at_once:
        parts.append(_at_once_table(telemetry.at_once))
    about = _about_named(telemetry) + _about_refused(telemetry)
    parts.append(_summary(telemetry, kernels.values()) + about)
    return "\n".join(parts)


def _never(path: str, loops: Iterable[Uncaptured], runs: Sequence[Run]) -> list[CaptureReport]:
    """Note of the loops of a file that are never captured, of those that made work for kernels."""
    worked = {line for run in runs for step in run.steps for at, line in step.lines if at == path}
    return [
        CaptureReport(path, loop.first, 0, loop.reason, loop.line)
        for loop in loops
        if any(loop.first <= line <= loop.last for line in worked)
    ]


def _loop_table(notes: Iterable[CaptureReport]) -> str:
    """Return what came of each loop whose trips could have become one kernel."""
    lines = ["Loops"]
    for note in notes:
        where = f"{os.path.basename(note.file)}:{note.line}"
        if note.trips:
            which = f"{note.trips} iterations after the first"
            if note.whole:
                which = f"all {note.trips} iterations"
            elif note.of:
                which = f"{note.trips} of {note.of} iterations"
            lines.append(f"  {where}  captured: {which}")
        else:
            told = note.operation and note.operation not in note.reason
            asked = f": {note.operation}" if told else ""
            at = f" (line {note.at}{asked})" if note.at else ""
            lines.append(f"  {where}  not captured: {note.reason}{at}")
    return "\n".join(lines) + "\n"


def _at_once_table(notes: Iterable[AtOnceNote]) -> str:
    """Return the lines whose operations were left to host rules, as evaluating them did not pay."""
    lines = ["Operations that run at once: evaluating them together costs more than it saves"]
    for note in sorted(notes, key=lambda note: (note.file, note.line)):
        where = f"{os.path.basename(note.file)}:{note.line}"
        lines.append(
            f"  {where}  asks for a value after {_count(note.operations, 'operation')} on "
            f"{note.size} elements; captured again from {note.limit + 1} on"
        )
    return "\n".join(lines) + "\n"


def _files(file: str, runs: Iterable[Run]) -> list[str]:
    """Return the files that took part, the program first."""
    found = dict.fromkeys([file])
    for run in runs:
        for step in run.steps:
            found.update(dict.fromkeys(path for path, _ in step.lines if path))
    return list(found)


def _read(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as text:
            return text.read().splitlines()
    except OSError:
        return []


def _source_table(
    path: str,
    source: Sequence[str],
    runs: Sequence[Run],
    kernels: Mapping[tuple[Any, ...], Kernel],
) -> str:
    """Each line that took part: its text, its kernels, and whether it asked for a value."""
    parts: dict[int, dict[str, None]] = {}
    asked: dict[int, int] = {}
    for run in runs:
        if run.sink[0] == path:
            asked[run.sink[1]] = asked.get(run.sink[1], 0) + 1
        for step in run.steps:
            name = kernels[key_of(step)].name
            for where, line in step.lines:
                if where == path:
                    parts.setdefault(line, {})[name] = None
    rows = []
    for line in sorted(parts.keys() | asked.keys()):
        text = source[line - 1].strip() if 0 < line <= len(source) else ""
        notes = []
        if names := list(parts.get(line, ())):
            notes.append(_among(names))
        if line in asked:
            times = f" {asked[line]} times" if asked[line] > 1 else ""
            notes.append(f"asks for a value{times}")
        rows.append((str(line), clipped(text, 56), "; ".join(notes)))
    return _table(os.path.basename(path) or "code", ("line", "source", "what happened"), rows)


def _among(names: Sequence[str]) -> str:
    """Return what a line is part of: ``in kernel 1, kernel 3 (2 kernels); by host rules``."""
    launched = [name for name in names if name != "host rules"]
    calls = sum(name.startswith("call") for name in launched)
    kernels = len(launched) - calls
    parts = []
    if launched:
        counts = [_count(kernels, "kernel")] * bool(kernels) + [_count(calls, "call")] * bool(calls)
        text = ", ".join(launched) if calls and kernels else _listed(launched)
        parts.append(f"in {text}" + (f" ({', '.join(counts)})" if len(launched) > 1 else ""))
    if len(launched) < len(names):
        parts.append("by host rules")
    return "; ".join(parts)


def _listed(names: Sequence[str]) -> str:
    """Names of one kind: ``kernel 1, 2``."""
    kind = names[0].partition(" ")[0]
    return f"{kind} " + ", ".join(name.partition(" ")[2] for name in names)


def _kernel_table(kernels: Collection[Kernel]) -> str:
    rows = []
    for kernel in kernels:
        step = kernel.step
        rows.append(
            (
                kernel.name.partition(" ")[2] if step.provider else "",
                clipped(step.label, 44),
                step.provider or "host rules",
                str(kernel.launches),
                ("~" if kernel.shared else "") + _time(kernel.seconds),
                why(step.decision),
            )
        )
    head = ("no", "operations", "where", "runs", "time", "why there")
    shared = any(kernel.shared for kernel in kernels)
    return _table("kernels", head, rows) + _MEASURED + (_SHARED if shared else "")


_MEASURED = "  Times are measured, compiling included; those in brackets are estimates.\n"
_SHARED = "  Those with ~ are shares of what several took together, by the estimates.\n"


def why(decision: Placement) -> str:
    """Return why a step ran where it did, with the estimates."""
    text = REASON.get(decision.reason, decision.reason)
    by_rules = decision.rules_seconds if decision.target == "host" else None
    estimates = [
        f"{name} {_time(seconds)}"
        for name, seconds in (
            ("device", decision.device_seconds),
            ("host", decision.host_seconds),
            ("host rules", by_rules),
        )
        if seconds is not None
    ]
    return f"{text} ({', '.join(estimates)})" if estimates else text


def _summary(telemetry: Telemetry, kernels: Iterable[Kernel]) -> str:
    totals = telemetry.totals()
    distinct = Counter(kernel.step.kind for kernel in kernels)
    lines = [
        f"{_launched(distinct['kernel'], totals['kernels'], 'kernel')} and "
        f"{_launched(distinct['call'], totals['calls'], 'library call')} in "
        f"{_count(totals['runs'], 'evaluation')}; {totals['by_rules']} by host rules",
        f"{_size(totals['written_bytes'])} written, {_size(totals['upload_bytes'])} uploaded, "
        f"{_size(totals['download_bytes'])} downloaded",
        f"{_time(totals['seconds'])} running, {_time(totals['plan_seconds'])} planning; plans: "
        f"{totals['session']['plans_made']} made, {totals['session']['plans_loaded']} of earlier "
        f"processes, {totals['session']['plan_hits']} found again",
    ]
    return "\n".join(lines) + "\n"


def _launched(distinct: int, launches: int, what: str) -> str:
    text = _count(distinct, what)
    return text if launches == distinct else f"{text} ({_count(launches, 'launch', 'es')})"


#: What sends work to a named provider that a reason kept from it; others are not in anyone's hand.
_KEY = {
    "too-little": 'accel.offload.force = "{place}"',
    "too-small": 'accel.offload.force = "{place}"',
    "cost": 'accel.offload.force = "{place}"',
    "residency": 'accel.offload.force = "{place}"',
    "disabled": "accel.offload.force",
}


def _about_named(telemetry: Telemetry) -> str:
    """Return what became of the provider that the configuration names, if work went elsewhere."""
    named = telemetry.named
    if named is None:
        return ""
    steps = [step for run in telemetry.runs for step in run.steps]
    elsewhere = [step for step in steps if step.provider.partition("#")[0] != named.name]
    if named.refused:
        return f"accel.provider names '{named.name}': {named.refused}\n"
    if not elsewhere:
        return ""
    there = len(steps) - len(elsewhere)
    lines = [f"accel.provider names '{named.name}': {there} of {len(steps)} ran there, of the rest"]
    for reason, count in Counter(step.decision.reason for step in elsewhere).items():
        key = _KEY.get(reason, "").format(place=named.place)
        change = f"; {key} changes that" if key else "; no key changes that"
        lines.append(f"  {count}: {REASON.get(reason, reason)} ({reason}){change}")
    return "\n".join(lines) + "\n"


def _about_refused(telemetry: Telemetry) -> str:
    """Return the kernels that the compiler of a device did not take, and its first line on each."""
    lines = [
        f"  {name}: {why.splitlines()[0]}"
        for answer in telemetry.providers().values()
        for name, why in answer.refused
    ]
    head = "kernels refused by a device's own compiler, a fault of the provider\n"
    return head + "\n".join(lines) + "\n" if lines else ""


def _count(number: int, what: str, plural: str = "s") -> str:
    return f"{number} {what}" + ("" if number == 1 else plural)


def kernel_code(telemetry: Telemetry) -> dict[tuple[Any, ...], str]:
    """Return the code of each distinct kernel, by its key."""
    from runmat_core.api.ir import dump

    found: dict[tuple[Any, ...], str] = {}
    for run in telemetry.runs:
        plan = run.record.plan
        steps = plan.steps if plan is not None and len(plan.steps) == len(run.steps) else ()
        for step, shown in zip(steps, run.steps, strict=False):
            if step.lowered is not None and step.executable is not None:
                texts = [one.source or dump(one.unit) for one in step.executables]
                found.setdefault(key_of(shown), "\n".join(texts))
    return found


def kernel_texts(telemetry: Telemetry) -> str:
    """Each distinct kernel's code: as its provider generated it, else as IR."""
    from runmat_core.api.ir import dump

    found: dict[str, None] = {}
    for run in telemetry.runs:
        plan = run.record.plan
        for step in plan.steps if plan is not None else ():
            if step.lowered is not None and step.executable is not None:
                for one in step.executables:
                    text = one.source or dump(one.unit)
                    found[f"# {step.lowered.label} on {one.owner}\n{text}"] = None
    return "\n".join(found) or "No kernels ran.\n"


# -- layout ---------------------------------------------------------------------------------------


def _table(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return f"{title}\n  nothing of it was captured\n"
    columns = list(zip(head, *rows, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    text = [title]
    for row in (head, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        text.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(text) + "\n"


def clipped(text: str, width: int) -> str:
    """Return a text of at most `width` characters."""
    return text if len(text) <= width else text[: width - 1] + "…"


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} us"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _size(count: int) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000  # type: ignore[assignment]
    return f"{count:.1f} GB"
