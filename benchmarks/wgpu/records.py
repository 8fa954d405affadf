"""What a record says of itself, whatever it measures."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any, Protocol


class Adapter(Protocol):
    """What is measured: the capabilities of a provider, or what knows as much."""

    @property
    def name(self) -> str: ...

    @property
    def driver(self) -> str: ...


def save(path: str | Path, adapter: Adapter, **measured: Any) -> None:
    """Write a record as JSON: device, driver, day, command, and what was measured."""
    words = ["python -m benchmarks.wgpu." + Path(sys.argv[0]).stem, *sys.argv[1:]]
    if "--save" in words:
        at = words.index("--save")
        del words[at : at + 2]
    said = {
        "device": adapter.name,
        "driver": adapter.driver,
        "date": date.today().isoformat(),
        "command": " ".join(words),
    }
    Path(path).write_text(json.dumps(said | measured, indent=1) + "\n", encoding="utf-8")
