"""Two records side by side: what became faster and slower, and whose results changed."""

from __future__ import annotations

from collections.abc import Iterator

from runmat_bench import summary
from runmat_bench.records import Entry, Record
from runmat_bench.tables import case_text, duration, factor, sizes_text, table

#: Changes within this factor are taken for noise.
NOISE = 1.1

Key = tuple[object, ...]


def keyed(record: Record) -> dict[Key, Entry]:
    return {
        (*entry.place, entry.implementation): entry
        for entry in record.entries
        if entry.purpose == "time"
    }


def compare(old: Record, new: Record) -> Iterator[str]:
    """A line for each entry that both have or only one, then geometric means."""
    before, after = keyed(old), keyed(new)
    lines, ratios = [], dict[str, list[float]]()
    for key in dict.fromkeys((*before, *after)):
        a, b = before.get(key), after.get(key)
        entry = b or a
        assert entry is not None
        ratio, word = None, "only in one"
        if a is not None and b is not None:
            word = ""
            if a.seconds is not None and b.seconds is not None:
                ratio = a.seconds / b.seconds
                ratios.setdefault(entry.implementation, []).append(ratio)
                word = "faster" if ratio > NOISE else "SLOWER" if ratio < 1 / NOISE else ""
            elif a.status != b.status:
                word = f"{a.status} -> {b.status}"
        if a is not None and b is not None and a.counts.kernels != b.counts.kernels:
            word = f"{word} kernels {a.counts.kernels} -> {b.counts.kernels}".strip()
        lines.append(
            [
                case_text(entry),
                entry.cls,
                sizes_text(entry),
                entry.implementation,
                "-" if a is None else duration(a.seconds),
                "-" if b is None else duration(b.seconds),
                factor(ratio),
                word,
            ]
        )
    if same_machine(old, new) is False:
        yield "These are records of different machines."
    header = ["case", "class", "sizes", "implementation", "before", "after", "faster", ""]
    yield from table(header, lines, left=4)
    yield ""
    for name, found in ratios.items():
        yield f"{name}: {factor(summary.geometric_mean(found))} of the speed before"


def same_machine(old: Record, new: Record) -> bool:
    return all(old.machine.get(key) == new.machine.get(key) for key in ("processor", "gpus"))
