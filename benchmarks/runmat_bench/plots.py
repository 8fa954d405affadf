"""A record as figures, one for each case and one for all, and as one page of HTML.

Needs matplotlib. Nothing of the page lies outside it: the figures are part of its text.
"""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator
from runmat_bench import summary, tables
from runmat_bench.cases import CASES
from runmat_bench.records import Record
from runmat_bench.summary import Row
from runmat_bench.timing import REPETITIONS

#: Colours that differ for those who see few of them, too; runmat's own is always the same.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#999999", "#F0E442")
OURS = ("#D55E00", "#8B2500", "#FF9A5C")
MARKERS = "osD^vP*X"

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
       color: #222; background: #fff; color-scheme: light dark }
pre { overflow-x: auto; background: #f6f6f6; padding: .8rem; font-size: 12px; line-height: 1.35 }
img { max-width: 100%; height: auto; display: block; margin: 1rem auto }
h2 { border-bottom: 1px solid #ddd; margin-top: 2.5rem }
@media (prefers-color-scheme: dark) {
  body { color: #e4e6e9; background: #15181c } pre { background: #1e2228 }
  h2 { border-color: #2e343c }
}
"""


def write(record: Record, folder: Path) -> list[Path]:
    """Write ``CASE.png`` for each case, ``summary.png`` and ``index.html``.

    Returns:
        The files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = summary.timed_rows(record)
    names = [n for n in summary.names(record) if any(row.seconds(n) is not None for row in rows)]
    written = []
    for case in dict.fromkeys(row.case for row in rows):
        figure = case_figure([row for row in rows if row.case == case], names)
        written.append(save(figure, folder / f"{case}.png"))
    written.append(save(summary_figure(rows, names), folder / "summary.png"))
    page = folder / "index.html"
    page.write_text(page_text(record, written), encoding="utf-8")
    return [*written, page]


def save(figure: Any, path: Path) -> Path:
    figure.savefig(path, dpi=130, bbox_inches="tight")
    plt.close(figure)
    return path


def look(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colour, marker and width of each implementation's line."""
    peers = [name for name in names if not summary.ours(name)]
    mine = [name for name in names if summary.ours(name)]
    found: dict[str, dict[str, Any]] = {}
    for n, name in enumerate(peers):
        found[name] = {"color": COLOURS[n % len(COLOURS)], "marker": MARKERS[n % len(MARKERS)]}
    for n, name in enumerate(mine):
        found[name] = {"color": OURS[n % len(OURS)], "marker": "o", "linewidth": 2.6, "zorder": 5}
    return found


def case_figure(rows: Sequence[Row], names: Sequence[str]) -> Any:
    """Times of a case, one panel for each class and series, all on one scale of times.

    Times over size where there are several sizes, bars where there is one.
    """
    found = summary.curves(rows)
    if all(len(curve) == 1 for curve in found.values()):
        figure = _bars_of_one_size(found, names)
    else:
        figure = _curves_of_sizes(found, names)
    case = CASES[rows[0].case]
    figure.suptitle(f"{case.name}: {case.title}", x=0.01, ha="left", fontsize=13, weight="bold")
    return figure


Curves = dict[tuple[str, str, str, str], list[Row]]


def _panels(height: int, columns: int, size: tuple[float, float], share: str) -> tuple[Any, Any]:
    figure, panels = plt.subplots(
        height,
        columns,
        figsize=(size[0] * columns, size[1] * height + 0.7),
        squeeze=False,
        layout="constrained",
        sharex=share == "x",
        sharey=share == "y",
    )
    for panel in panels.flat:
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_axisbelow(True)
    return figure, panels


def _title(key: tuple[str, str, str, str]) -> str:
    _, cls, source, series = key
    return " ".join(part for part in (cls, series, "" if source == "rng" else source) if part)


def _curves_of_sizes(found: Curves, names: Sequence[str]) -> Any:
    columns = min(len(found), 2)
    figure, panels = _panels(-(-len(found) // columns), columns, (5.6, 3.6), "y")
    styles = look(names)
    for panel, (key, curve) in zip(panels.flat, found.items(), strict=False):
        draw_curve(panel, key, curve, names, styles)
        panel.set_title(_title(key), fontsize=10, loc="left")
    for panel in list(panels.flat)[len(found) :]:
        panel.set_visible(False)
    for panel in panels[:, 0]:
        panel.set_ylabel("median time")
    first = panels.flat[0]
    # curves within a decade have more than one figure beside them
    first.yaxis.set_major_locator(LogLocator(subs=_ticks(first.get_ylim())))
    first.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_duration(value)))
    lines = {
        line.get_label(): line
        for panel in panels.flat
        for line in panel.get_lines()
        if line.get_label() in names
    }
    figure.legend(
        [lines[name] for name in names if name in lines],
        [name for name in names if name in lines],
        loc="outside lower center",
        ncols=len(lines) or 1,
        frameon=False,
    )
    return figure


def draw_curve(
    panel: Any,
    key: tuple[str, str, str, str],
    curve: Sequence[Row],
    names: Sequence[str],
    styles: dict[str, dict[str, Any]],
) -> None:
    """Everybody's line in one panel, and from the fastest to the slowest run a band behind it."""
    swept = CASES[key[0]].swept
    for name in names:
        there = [(row.sizes[swept], row.entries[name]) for row in curve if row.seconds(name)]
        timings = [(size, entry.timing) for size, entry in there if entry.timing is not None]
        if not timings:
            continue
        sizes = [size for size, _ in timings]
        style = {"markersize": 6, "markeredgecolor": "white", "markeredgewidth": 0.8}
        panel.plot(sizes, [t.median for _, t in timings], label=name, **style, **styles[name])
        least, most = [min(t.times) for _, t in timings], [max(t.times) for _, t in timings]
        panel.fill_between(sizes, least, most, color=styles[name]["color"], alpha=0.15, lw=0)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel(f"size {swept}")
    panel.grid(True, which="major", alpha=0.3)
    ticks = sorted({row.sizes[swept] for row in curve})
    panel.set_xticks(ticks, [compact(tick) for tick in ticks])
    panel.minorticks_off()


def _bars_of_one_size(found: Curves, names: Sequence[str]) -> Any:
    """Bars side by side from the shortest time that the scale shows, each with its time."""
    most = max(sum(1 for n in names if curve[0].seconds(n)) for curve in found.values())
    columns = min(len(found), 2)
    size = (5.6, 0.34 * most + 0.6)
    figure, panels = _panels(-(-len(found) // columns), columns, size, "x")
    styles = look(names)
    times = [t for (row,) in found.values() for n in names if (t := row.seconds(n))]
    for panel, (key, (row,)) in zip(panels.flat, found.items(), strict=False):
        there = [(name, t) for name in names if (t := row.seconds(name))]
        bars = panel.barh(
            [name for name, _ in there],
            [t for _, t in there],
            color=[styles[name]["color"] for name, _ in there],
            height=0.72,
        )
        panel.bar_label(bars, [tables.duration(t) for _, t in there], padding=4, fontsize=9)
        panel.set_title(
            f"{_title(key)}, {key_size(row)}".removeprefix(", "), fontsize=10, loc="left"
        )
        panel.invert_yaxis()
        panel.set_xscale("log")
        panel.set_xlim(min(times) / 2, max(times) * 6)
        panel.xaxis.set_major_locator(LogLocator(subs=_ticks(panel.get_xlim())))
        panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short_duration(value)))
        panel.minorticks_off()
        panel.tick_params(axis="y", length=0)
        panel.grid(True, axis="x", alpha=0.3)
    for panel in list(panels.flat)[len(found) :]:
        panel.set_visible(False)
    figure.supxlabel("median time", fontsize=10)
    return figure


def key_size(row: Row) -> str:
    swept = CASES[row.case].swept
    return f"{swept}={compact(row.sizes[swept])}"


def short_duration(seconds: float) -> str:
    """A time on a scale: 1 s, 50 ms."""
    value, _, unit = tables.duration(seconds).partition(" ")
    return f"{float(value):g} {unit}" if unit else value


def _ticks(limits: tuple[float, float]) -> tuple[float, ...]:
    """Where ticks are within each decade, so that there are a few, and not many."""
    decades = math.log10(limits[1] / limits[0])
    if decades > 2:
        return (1.0,)
    return (1.0, 2.0, 5.0) if decades > 0.8 else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)


def compact(value: int) -> str:
    """A size with few digits: 250k, 1M."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if value >= size:
            return f"{value / size:.4g}{unit}"
    return str(value)


def summary_figure(rows: Sequence[Row], names: Sequence[str]) -> Any:
    """Bars: the geometric mean of times faster than NumPy, by case, and over all cases."""
    cases = list(dict.fromkeys(row.case for row in rows))
    groups = [*cases, "all"]
    shown = [name for name in names if name != "numpy"]
    styles = look(names)
    width = 0.8 / max(len(shown), 1)
    inches = max(0.34 * len(shown), 0.9) * len(groups) + 1.5
    figure, panels = _panels(1, 1, (inches, 4.0), "x")
    panel = panels[0, 0]
    for n, name in enumerate(shown):
        for k, group in enumerate(groups):
            part = [row for row in rows if group in ("all", row.case)]
            mean = summary.geometric_mean(summary.speedups(part, name))
            if mean is None:
                continue
            x = k + (n - (len(shown) - 1) / 2) * width
            # bars start at NumPy's speed, which is one
            panel.bar(x, mean - 1, width * 0.92, bottom=1, color=styles[name]["color"],
                      label=name if k == len(groups) - 1 else None)  # fmt: skip
            up = mean >= 1
            panel.annotate(tables.factor(mean), (x, mean), (0, 3 if up else -3),
                           textcoords="offset points", ha="center", fontsize=7.5,
                           rotation=0 if len(shown) < 3 else 90,
                           va="bottom" if up else "top")  # fmt: skip
    panel.set_yscale("log")
    panel.margins(x=0.01, y=0.12)
    panel.axhline(1, color="#222", linewidth=1)
    panel.axvspan(len(cases) - 0.5, len(cases) + 0.5, color="#000", alpha=0.04, lw=0)
    panel.set_xticks(range(len(groups)), groups)
    panel.get_xticklabels()[-1].set_weight("bold")
    panel.tick_params(axis="x", length=0)
    panel.yaxis.set_major_locator(LogLocator(subs=_ticks(panel.get_ylim())))
    panel.minorticks_off()
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}x"))
    panel.grid(True, axis="y", alpha=0.3)
    figure.suptitle(
        "Times faster than NumPy, geometric mean", x=0.01, ha="left", fontsize=13, weight="bold"
    )
    figure.legend(loc="outside lower center", ncols=max(len(shown), 1), frameon=False)
    return figure


def page_text(record: Record, figures: Iterable[Path]) -> str:
    """The page."""
    texts = {
        "Overall": tables.ranking(record),
        "Times": tables.times(record, REPETITIONS),
        "Results on the same input": tables.proofs(record),
        "Work of runmat": tables.work(record),
        "Whole processes": tables.processes(record),
        "What is not right, and why": tables.failures(record),
    }
    parts = ["<!doctype html><html lang=en><meta charset=utf-8>"]
    parts.append("<meta name=viewport content='width=device-width'>")
    parts.append(f"<title>runmat bench, {html.escape(record.profile)}</title>")
    parts.append(f"<style>{STYLE}</style>")
    parts.append(f"<h1>Benchmark of runmat, profile {html.escape(record.profile)}</h1>")
    parts.append(f"<p>{html.escape(record.date)}<pre>{html.escape(record.command)}</pre>")
    told = "\n".join(machine_lines(record))
    parts.append(f"<pre>{html.escape(told)}</pre>")
    for title, lines in texts.items():
        text = "\n".join(lines)
        if text:
            parts.append(f"<h2>{title}</h2><pre>{html.escape(text)}</pre>")
        if title == "Overall":
            parts += [picture(path) for path in figures if path.stem == "summary"]
    parts.append("<h2>Curves</h2>")
    parts += [picture(path) for path in figures if path.stem != "summary"]
    legend = "<br>".join(html.escape(line) for line in tables.LEGEND)
    return "\n".join([*parts, f"<p>{legend}</p></html>"]) + "\n"


def machine_lines(record: Record) -> list[str]:
    """The machine, the versions and what ran where."""
    machine = record.machine
    gpus = [", ".join(gpu.values()) for gpu in machine["gpus"]]
    lines = [f"{machine['processor']}, {machine['threads']} threads, {machine['system']}", *gpus]
    lines.append(", ".join(f"{name} {version}" for name, version in record.versions.items()))
    for name, told in record.implementations.items():
        where = told.get("reason") or f"{told.get('version')} on {told.get('device')}"
        lines.append(f"{name}: {told['status']}, {where}")
    return lines


def picture(path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<img alt="{path.stem}" src="data:image/png;base64,{data}">'
