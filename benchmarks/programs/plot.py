"""The record of the programs as a figure. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter
from runmat_bench.plots import COLOURS, OURS, save

from benchmarks.programs.tables import MEANS, mean, ratio


def write(record: dict[str, Any], path: Path) -> Path:
    """Warm and cold time of each program over Octave's, slowest first."""
    rows = [row for row in record["rows"] if ratio(row, "warm/Octave") is not None]
    rows.sort(key=lambda row: ratio(row, "warm/Octave") or 0.0)
    figure, axes = plt.subplots(figsize=(7, 1 + 0.2 * len(rows)))
    places = range(len(rows))
    for name, colour, marker in (("cold/Octave", COLOURS[3], "o"), ("warm/Octave", OURS[0], "s")):
        values = [ratio(row, name) or float("nan") for row in rows]
        average = mean(rows, name)
        label = f"{name.split('/')[0]} (mean {average:.2f}, at most {MEANS[name]})"
        axes.plot(values, places, marker, color=colour, label=label, markersize=5)
    axes.axvline(1.0, color="#999999", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    names = [row["program"] + (" *" if row["half"] == "held_out" else "") for row in rows]
    axes.set_yticks(list(places), names, fontsize=7)
    axes.set_xlabel("whole process over Octave's (left is faster; * held out)")
    axes.margins(y=0.01)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8)
    return save(figure, path)
