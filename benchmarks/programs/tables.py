"""The record of the programs as tables: ratios, geometric means, what misses its target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

Row = dict[str, Any]

#: Ratios that the table shows: of what to what.
RATIOS = {
    "warm/none": ("warm", "none"),
    "warm/Octave": ("warm", "octave"),
    "cold/Octave": ("cold", "octave"),
}
#: The most that a ratio may be in each program.
MOST = {"warm/none": 1.1, "warm/Octave": 2.0}
#: The most that the geometric mean of a ratio may be.
MEANS = {"warm/Octave": 0.75, "cold/Octave": 1.0}
#: `runmat -e "disp(1)"` in units of `python -c "import numpy"`.
START = 1.6
TIMES = ("octave", "cold", "warm", "none")
HEADER = ["program", "Octave s", "cold s", "warm s", "none s", *RATIOS]
WORST = 5


def ratio(row: Row, name: str) -> float | None:
    """A ratio of wall times; None where one of them is missing."""
    above, below = (row.get(f"{time}_s") for time in RATIOS[name])
    return above / below if above is not None and below is not None else None


def mean(rows: Iterable[Row], name: str) -> float | None:
    """The geometric mean of a ratio over the rows that have it."""
    found = [math.log(value) for row in rows if (value := ratio(row, name)) is not None]
    return math.exp(sum(found) / len(found)) if found else None


def halves(rows: list[Row]) -> dict[str, list[Row]]:
    """Return the groups of rows whose means are shown."""
    return {
        "all": rows,
        "looked at": [row for row in rows if row["half"] == "looked_at"],
        "held out": [row for row in rows if row["half"] == "held_out"],
    }


def misses(record: dict[str, Any]) -> list[str]:
    """Every target that the record misses, and every failure."""
    found = []
    for row in record["rows"]:
        found += [f"{row['program']}: {k} failed: {v}" for k, v in row["failures"].items()]
        for name, most in MOST.items():
            value = ratio(row, name)
            if value is not None and value > most:
                found.append(f"{row['program']}: {name} {value:.2f}, at most {most}")
    for name, most in MEANS.items():
        value = mean(record["rows"], name)
        if value is not None and value > most:
            found.append(f"geometric mean of {name} {value:.2f}, at most {most}")
    found += [f"start: {k} failed: {v}" for k, v in record["start"]["failures"].items()]
    value = start_ratio(record)
    if value is not None and value > START:
        found.append(f"start {value:.2f} of import numpy, at most {START}")
    return found


def start_ratio(record: dict[str, Any]) -> float | None:
    """The time of ``runmat -e "disp(1)"`` in units of ``import numpy``."""
    ours, numpy = (record["start"].get(f"{name}_s") for name in ("disp(1)", "import numpy"))
    return ours / numpy if ours and numpy else None


def cells(row: Row) -> list[str]:
    """A row of the table."""
    times = [
        "failed" if name in row["failures"] else _seconds(row.get(f"{name}_s")) for name in TIMES
    ]
    ratios = [_marked(ratio(row, name), MOST.get(name)) for name in RATIOS]
    name = row["program"] + (" *" if row["half"] == "held_out" else "")
    return [name, *times, *ratios]


def mean_cells(name: str, rows: list[Row]) -> list[str]:
    """A row of geometric means."""
    return [name, *[""] * len(TIMES), *(_marked(mean(rows, k), MEANS.get(k)) for k in RATIOS)]


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _marked(value: float | None, most: float | None) -> str:
    if value is None:
        return "-"
    return f"**{value:.2f}**" if most is not None and value > most else f"{value:.2f}"


def start_lines(record: dict[str, Any]) -> Iterator[str]:
    """Return the times of starting, a line each."""
    numpy = record["start"].get("import numpy_s")
    for key, value in record["start"].items():
        if key.endswith("_s") and not key.endswith("_user_s"):
            over = f", {value / numpy:.2f} of import numpy" if numpy else ""
            yield f"{key.removesuffix('_s')}: {value * 1e3:.0f} ms{over}"


def worst_lines(record: dict[str, Any]) -> Iterator[str]:
    """The programs with the greatest ratios."""
    for name in RATIOS:
        found = [(value, r["program"]) for r in record["rows"] if (value := ratio(r, name))]
        if found:
            shown = ", ".join(f"{p} {v:.2f}" for v, p in sorted(found, reverse=True)[:WORST])
            yield f"greatest {name}: {shown}"


def line(words: list[str]) -> str:
    """Cells as a line of a terminal's table."""
    plain = [word.replace("**", "!") if word.startswith("**") else word for word in words]
    return f"{plain[0]:24}" + "".join(f"{word:>12}" for word in plain[1:])


def summary(record: dict[str, Any]) -> Iterator[str]:
    """Return the lines below the rows in a terminal."""
    for name, rows in halves(record["rows"]).items():
        if rows:
            yield line(mean_cells(f"mean of {name}", rows))
    yield "* held out: measured only; !1.00! misses its target"
    for part in (start_lines(record), worst_lines(record), misses(record)):
        yield ""
        yield from part


def markdown(record: dict[str, Any]) -> Iterator[str]:
    """The record as a table for the documentation; what misses its target is bold."""
    rows = [cells(row) for row in record["rows"]]
    rows += [mean_cells(f"mean of {k}", part) for k, part in halves(record["rows"]).items() if part]
    yield f"| {' | '.join(HEADER)} |"
    yield "|---" + "|---:" * (len(HEADER) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace(" *", r" \*") for cell in row) + " |"
    yield ""
    yield from (f"- {each}" for each in start_lines(record))
