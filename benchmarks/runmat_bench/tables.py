"""Records as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runmat_bench import summary
from runmat_bench.records import Entry, Process, Record
from runmat_bench.summary import Row, Standing

#: Marks after a time, and what they mean.
LEGEND = (
    "* fewer repetitions than asked for, as a run takes long",
    "! differs: the result is not within the tolerance",
    "? nothing to compare the result with",
)


def duration(seconds: float | None) -> str:
    """With three digits and a unit."""
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            value = seconds / size
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def factor(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    if ratio < 0.1:
        return f"{ratio:.2g}x"
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.1f}x" if ratio < 100 else f"{ratio:.0f}x"


def sizes_text(entry: Entry | Process) -> str:
    return " ".join(f"{name}={size}" for name, size in entry.sizes.items())


def case_text(entry: Entry) -> str:
    """The case, and where its numbers are from if not from each library's own generator."""
    return entry.case + (" lcg" if entry.source == "lcg" else "")


def what(entry: Entry) -> str:
    return f"{entry.case} {entry.cls} {entry.source} {sizes_text(entry)}"


def progress(entry: Entry, number: int, count: int) -> str:
    """One line about an entry that has just been measured."""
    width = len(str(count))
    head = f"[{number:>{width}}/{count}] {entry.implementation:<16} {what(entry):<52}"
    if entry.timing is None:
        return f"{head} {entry.status}: {entry.reason}"
    agreed = {True: "agrees", False: f"DIFFERS: {entry.reason}", None: "not compared"}
    times = entry.timing
    if entry.purpose == "proof":
        error = "" if entry.parity.error is None else f" by {entry.parity.error:.1e}"
        return f"{head} same input: {agreed[entry.parity.ok]}{error}"
    spread = f"{duration(times.median):>8} ±{times.spread:4.0%} of {times.repetitions}"
    return f"{head} {spread}  {agreed[entry.parity.ok]}"


def cell(entry: Entry | None, repetitions: int) -> str:
    """A time, or why there is none."""
    if entry is None:
        return "-"
    if entry.timing is None:
        return entry.status
    mark = "!" if entry.status == "parity" else "?" if entry.parity.ok is None else ""
    few = "*" if entry.timing.repetitions < repetitions else ""
    return duration(entry.timing.median) + mark + few


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Columns as wide as they must be; the first `left` to the left, the others to the right."""
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    for row in (header, *rows):
        yield "  ".join(
            f"{text:<{width}}" if n < left else f"{text:>{width}}"
            for n, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()


def times(record: Record, repetitions: int) -> Iterator[str]:
    """A line for each place: everybody's time, and how runmat stands."""
    rows = summary.timed_rows(record)
    shown = summary.names(record)
    mine = [name for name in shown if summary.ours(name)]
    header = ["case", "class", "sizes", *shown]
    for name in mine:
        header += ["to NumPy", "to best peer"] if len(mine) == 1 else [f"{name} to NumPy", "best"]
    lines = []
    for row in rows:
        first = next(iter(row.entries.values()))
        line = [case_text(first), first.cls, sizes_text(first)]
        line += [cell(row.entries.get(name), repetitions) for name in shown]
        for name in mine:
            line += [factor(row.speedup(name, "numpy")), best(row, name)]
        lines.append(line)
    yield from table(header, lines, left=3)


def best(row: Row, name: str) -> str:
    peer = row.best_peer()
    ratio = None if peer is None else row.speedup(name, peer)
    return "-" if ratio is None else f"{factor(ratio)} {peer}"


def standing_lines(found: Sequence[Standing]) -> list[list[str]]:
    return [
        [
            one.name,
            "-" if one.rank is None else f"{one.rank:.2f}",
            factor(one.numpy),
            factor(one.area),
            factor(one.best),
            f"{one.ok} of {one.entries}",
        ]
        for one in found
    ]


STANDING_HEADER = ("implementation", "rank", "to NumPy", "over log size", "to best peer", "right")


def ranking(record: Record) -> Iterator[str]:
    """How the implementations stand overall, and their ranks case by case."""
    rows = summary.timed_rows(record)
    overall = summary.standings(rows, summary.present(record))
    yield "overall: mean rank, geometric means of times faster"
    yield from table(STANDING_HEADER, standing_lines(overall))
    yield ""
    yield "mean rank by case"
    cases = list(dict.fromkeys(row.case for row in rows))
    order = [one.name for one in overall]
    lines = []
    for case in cases:
        found = summary.ranks([row for row in rows if row.case == case], order)
        lines.append([case, *(f"{found[n]:.2f}" if n in found else "-" for n in order)])
    yield from table(["case", *order], lines)


def proofs(record: Record) -> Iterator[str]:
    """Results on the same input: the greatest difference of each implementation, and failures."""
    found = [entry for entry in record.entries if entry.purpose == "proof"]
    if not found:
        return
    yield "same input: greatest relative difference"
    shown = summary.names(record)
    lines = []
    for place in dict.fromkeys(entry.place for entry in found):
        there = {entry.implementation: entry for entry in found if entry.place == place}
        any_entry = next(iter(there.values()))
        line = [any_entry.case, any_entry.cls, sizes_text(any_entry)]
        lines.append([*line, *(proof_cell(there.get(name)) for name in shown)])
    yield from table(["case", "class", "sizes", *shown], lines, left=3)


def proof_cell(entry: Entry | None) -> str:
    if entry is None:
        return "-"
    if entry.parity.error is None:
        return entry.status
    return f"{entry.parity.error:.0e}" + ("" if entry.parity.ok else "!")


def work(record: Record) -> Iterator[str]:
    """What runmat did in one run of each entry."""
    lines = []
    for entry in record.entries:
        counts = entry.counts
        if not summary.ours(entry.implementation) or counts.kernels is None:
            continue
        places = {f"{one['provider'] or 'rules'}" for one in counts.decisions}
        lines.append(
            [
                case_text(entry),
                entry.cls,
                sizes_text(entry),
                entry.implementation,
                str(counts.kernels),
                str(counts.calls),
                str(counts.by_rules),
                duration(counts.kernel_seconds or None),
                size(counts.upload_bytes),
                size(counts.download_bytes),
                size(counts.peak_device_bytes),
                ", ".join(sorted(places)),
            ]
        )
    if lines:
        yield "one run of runmat"
        header = ["case", "class", "sizes", "", "kernels", "calls", "by rules", "in kernels"]
        yield from table([*header, "up", "down", "peak", "where"], lines, left=4)


def size(count: int | None) -> str:
    """Bytes with three digits and a unit."""
    if count is None:
        return "-"
    value, units = float(count), ["B", "kB", "MB", "GB", "TB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:.3g} {units[0]}"


def processes(record: Record) -> Iterator[str]:
    """Whole processes, start to exit."""
    if not record.processes:
        return
    yield "whole process, start to exit: after the first run (the first run)"
    shown = list(dict.fromkeys(process.implementation for process in record.processes))
    lines = []
    for case, cls in dict.fromkeys((p.case, p.cls) for p in record.processes):
        there = {p.implementation: p for p in record.processes if (p.case, p.cls) == (case, cls)}
        cells = []
        for name in shown:
            process = there.get(name)
            if process is None or process.median is None:
                cells.append("-" if process is None else process.status)
            else:
                cells.append(f"{duration(process.median)} ({duration(process.first)})")
        lines.append([case, cls, sizes_text(next(iter(there.values()))), *cells])
    yield from table(["case", "class", "sizes", *shown], lines, left=3)


def failures(record: Record) -> Iterator[str]:
    """Everything that is not as it should be, with its reason, equal ones together."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for name, told in record.implementations.items():
        if told["status"] != "ok":
            found[name, told["status"], told["reason"]] = []
    for entry in record.entries:
        if entry.status != "missing" and entry.reason:
            where = f"{entry.case} {entry.cls} {sizes_text(entry)}"
            found.setdefault((entry.implementation, entry.status, entry.reason), []).append(where)
    for process in record.processes:
        if process.status not in ("ok", "missing"):
            key = (process.implementation, process.status, process.reason)
            found.setdefault(key, []).append(f"whole process {process.case} {process.cls}")
    for (name, status, reason), places in found.items():
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield f"{name}: {status}: {reason}" + (f" ({places[0]}{more})" if places else "")


def report(record: Record, repetitions: int) -> Iterator[str]:
    """Everything."""
    yield ""
    for name, told in record.implementations.items():
        if told["status"] == "ok":
            driver = f", {told['driver']}" if told.get("driver") else ""
            yield f"{name} {told.get('version', '')} on {told.get('device', '')}{driver}"
    for part in (times(record, repetitions), proofs(record), ranking(record)):
        yield ""
        yield from part
    for part in (work(record), processes(record), failures(record)):
        lines = list(part)
        yield from ["", *lines] if lines else []
    yield ""
    yield from LEGEND
