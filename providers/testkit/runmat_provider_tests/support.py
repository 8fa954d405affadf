"""What a provider supports: a page of what passed and was declined, and texts of failures."""

from __future__ import annotations

import html
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from runmat_core.api.ir import LibraryCall, Unit
from runmat_core.api.ir.reducers import STANDARD
from runmat_provider_tests.device import DECLINED, UNDECLARED

if TYPE_CHECKING:
    from runmat_provider_tests.device import Device

#: The parts of the page, by module of tests.
SECTIONS = {
    "test_hooks": "hooks",
    "test_ops": "operations",
    "test_complex": "complex elements",
    "test_reductions": "reductions and scans",
    "test_random": "random numbers",
    "test_loops": "loops",
    "test_repeats": "repeats",
    "test_calls": "library calls",
    "test_linear": "library calls",
    "test_pages": "library calls",
    "test_scattered": "library calls",
    "test_signals": "library calls",
}
COLUMNS = ("passed", "declined", "not declared", "failed")


def entry_of(
    item: pytest.Item, report: pytest.TestReport, device: Device | None
) -> tuple[str, str, str]:
    """Section, feature and outcome of a test; the outcome is empty where nothing was asked."""
    module = item.path.stem
    given = getattr(getattr(item, "callspec", None), "params", {})
    unit = None if device is None or device.last is None else device.last.unit
    feature = getattr(item, "originalname", item.name).removeprefix("test_").replace("_", " ")
    if isinstance(unit, LibraryCall):
        feature = unit.name
    elif isinstance(given.get("op"), str) and "op" in given:
        feature = given["op"]
    elif isinstance(given.get("name"), str):
        feature = given["name"] + (" (scan)" if "scan" in item.name else "")
    outcome = report.outcome
    if outcome == "skipped":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        outcome = "declined" if reason.startswith(DECLINED) else ""  # type: ignore[assignment]
        if UNDECLARED in reason or "declared" in reason or "longer than" in reason:
            outcome = "not declared"  # type: ignore[assignment]
        if hasattr(report, "wasxfail"):
            outcome = "failed"
    return SECTIONS.get(module, module), feature, outcome


def failure_text(item: pytest.Item, excinfo: Any, device: Device | None) -> str:
    """Return the unit, what it was launched with, what was expected, and why."""
    lines = [f"{item.name} fails"]
    doc = (getattr(getattr(item, "function", None), "__doc__", None) or "").strip()
    module = (getattr(getattr(item, "module", None), "__doc__", None) or "").strip()
    lines.append(f"  held to: {(doc or module).splitlines()[0]}" if doc or module else "")
    if device is not None and device.last is not None:
        lines.append(textwrap.indent(str(device.last), "  "))
    lines.append(textwrap.indent(str(excinfo.value).strip() or excinfo.typename, "  "))
    if device is not None and device.last is not None:
        lines += [f"  {name} is {meaning}" for name, meaning in reducers_of(device.last.unit)]
    if not issubclass(excinfo.type, AssertionError | pytest.fail.Exception):
        frame = excinfo.traceback[-1]
        lines.append(f"  {excinfo.typename} raised in {frame.path}:{frame.lineno + 1}")
        lines += [f"  {note}" for note in getattr(excinfo.value, "__notes__", ())]
    test = next((f for f in reversed(excinfo.traceback) if f.path == item.path), None)
    if test is not None:
        lines.append(f"  ({test.path.name}:{test.lineno + 1})")
    return "\n".join(filter(None, lines)) + "\n"


def reducers_of(unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield the standard reducers of a kernel, and what each gives."""
    for instr in () if isinstance(unit, LibraryCall) else unit.code:
        if instr.op in ("reduce", "scan"):
            whole: Any = instr.attr[0] if isinstance(instr.attr, tuple) else instr.attr
            if whole.name in STANDARD:
                yield whole.name, STANDARD[whole.name][2]


class Page:
    """Counts of outcomes by section and feature."""

    def __init__(self, provider: str) -> None:
        self.provider = provider
        self.counts: dict[str, dict[str, Counter[str]]] = {}

    def add(self, section: str, feature: str, outcome: str) -> None:
        if outcome:
            features = self.counts.setdefault(section, {})
            features.setdefault(feature, Counter())[outcome] += 1

    def total(self) -> Counter[str]:
        every = Counter[str]()
        for features in self.counts.values():
            for counts in features.values():
                every.update(counts)
        return every

    def summary(self) -> str:
        """One line: how many tests of declared things passed, and what was left to the core."""
        total = self.total()
        counts = ", ".join(f"{total[name]} {name}" for name in COLUMNS if name != "failed")
        left = "what is declined and not declared is computed by the core"
        return f"{self.provider}: {counts}, {total['failed']} failed ({left})"

    def rows(self) -> list[tuple[str, str, list[str]]]:
        """Section, feature and a cell for each column."""
        return [
            (section, feature, [str(counts[name] or "") for name in COLUMNS])
            for section, features in sorted(self.counts.items())
            for feature, counts in sorted(features.items())
        ]

    def text(self) -> str:
        """Return the page as text."""
        rows = self.rows()
        width = max((len(feature) for _, feature, _ in rows), default=0)
        head = "  ".join(f"{name:>12}" for name in COLUMNS)
        lines = [f"Support of the provider {self.provider}", self.summary()]
        before = ""
        for section, feature, cells in rows:
            if section != before:
                lines += ["", f"{section:<{width + 2}}{head}"]
                before = section
            counts = "  ".join(f"{cell:>12}" for cell in cells)
            lines.append(f"  {feature:<{width}}{counts}".rstrip())
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """Return the page for browsers, in one file."""
        body = []
        before = ""
        head = "".join(f"<th>{name}</th>" for name in COLUMNS)
        for section, feature, cells in self.rows():
            if section != before:
                body.append(f"<tr><th>{html.escape(section)}</th>{head}</tr>")
                before = section
            counts = "".join(
                f'<td class="{name.replace(" ", "-") if cell else "none"}">{cell}</td>'
                for name, cell in zip(COLUMNS, cells, strict=True)
            )
            body.append(f"<tr><td>{html.escape(feature)}</td>{counts}</tr>")
        title = f"Support of the provider {html.escape(self.provider)}"
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>'
            "body{font:15px sans-serif;margin:2em}td,th{padding:2px 12px;text-align:right}"
            "td:first-child,th:first-child{text-align:left}th{padding-top:1em}"
            ".passed{background:#d9f2d9}.declined{background:#fff0c2}.failed{background:#f7c6c6}"
            f"</style><h1>{title}</h1><p>{html.escape(self.summary())}</p>"
            f"<table>{''.join(body)}</table></html>\n"
        )
