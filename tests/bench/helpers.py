"""Records made by hand, and workers that run in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runmat_bench.implementations import Options, make
from runmat_bench.records import Counts, Entry, Parity, Record, Timing
from runmat_bench.worker import answer

SIZES = {"n": 1000}


def entry(
    name: str,
    seconds: float | None,
    case: str = "elementwise",
    cls: str = "single",
    sizes: Mapping[str, int] = SIZES,
    status: str = "ok",
    **changed: Any,
) -> Entry:
    """An entry whose three repetitions all took `seconds`; None: it was not measured."""
    timing = None if seconds is None else Timing((seconds,) * 3, first=2 * seconds)
    parity = Parity(status == "ok") if timing else Parity(None)
    base: dict[str, Any] = {"timing": timing, "parity": parity, "metric": (1.0,)}
    return Entry(case, name, cls, "rng", sizes, status, **{**base, **changed})


def record(*entries: Entry, **changed: Any) -> Record:
    """A record of these entries, of a machine that there is not."""
    base: dict[str, Any] = {
        "date": "2026-01-01T00:00:00+0000",
        "command": "runmat bench run",
        "profile": "smoke",
        "machine": {"processor": "abacus", "gpus": [], "threads": 2, "system": "none"},
        "versions": {"python": "3.11"},
        "settings": {"device": "auto"},
        "implementations": {one.implementation: {"status": "ok"} for one in entries},
        "entries": list(entries),
    }
    return Record(**{**base, **changed})


def counts(kernels: int, written: int = 100) -> Counts:
    return Counts(kernels=kernels, calls=0, by_rules=0, upload_bytes=0, written_bytes=written)


class Here:
    """A worker of the real implementations, in this process."""

    def __init__(self, name: str, options: Options, threads: int) -> None:
        self.implementation = make(name, options)

    def ask(self, job: Mapping[str, Any], patience: float) -> dict[str, Any]:
        return answer(self.implementation, job)

    def close(self) -> None:
        pass
