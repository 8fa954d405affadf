"""What a record says of itself, whatever it measures."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any


def save(path: str | Path, device: str, driver: str, **measured: Any) -> None:
    """Write a record as JSON: device, driver, day, command, and what was measured."""
    words = ["python -m benchmarks.wgpu." + Path(sys.argv[0]).stem, *sys.argv[1:]]
    if "--save" in words:
        at = words.index("--save")
        del words[at : at + 2]
    said = {
        "device": device,
        "driver": driver,
        "date": date.today().isoformat(),
        "command": " ".join(words),
    }
    Path(path).write_text(json.dumps(said | measured, indent=1) + "\n", encoding="utf-8")
