"""What each test costs: `pytest --times=FOLDER` writes it, `python -m tests.times FOLDER` adds up.

Seconds of a processor, of all threads and of processes that have ended, so that they say the same
on a busy machine. A fixture that tests share counts for the first that asks for it. Collecting a
file counts as an entry of its own, `collect FILE`, and is done by every worker.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest


def _cpu() -> float:
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


class Times:
    """Writes a line for each test and each collected file as it ends."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.file = (folder / f"{worker}-{os.getpid()}.tsv").open("w", buffering=1)

    def _write(self, cpu: float, wall: float, name: str) -> None:
        self.file.write(f"{_cpu() - cpu:.4f}\t{time.perf_counter() - wall:.4f}\t{name}\n")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None]:
        cpu, wall = _cpu(), time.perf_counter()
        yield
        self._write(cpu, wall, item.nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None]:
        cpu, wall = _cpu(), time.perf_counter()
        yield
        if isinstance(collector, pytest.File):
            self._write(cpu, wall, f"collect {collector.nodeid}")


def read(folder: Path) -> tuple[dict[str, float], float]:
    """Return what each test cost, and what one worker takes to collect all files."""
    tests: dict[str, float] = {}
    files: dict[str, float] = {}
    for path in folder.glob("*.tsv"):
        for line in path.read_text().splitlines():
            cpu, _, name = line.split("\t", 2)
            if name.startswith("collect "):
                files[name] = max(float(cpu), files.get(name, 0))
            else:
                tests[name] = tests.get(name, 0) + float(cpu)
    return tests, sum(files.values())


def tables(tests: dict[str, float]) -> Iterator[tuple[str, dict[str, list[float]]]]:
    """Sort what tests cost by folder, file and function."""
    sorts: dict[str, Callable[[str], str]] = {
        "folder": lambda name: str(Path(name.partition("::")[0]).parent),
        "file": lambda name: name.partition("::")[0],
        "function": lambda name: name.partition("[")[0],
    }
    for title, key in sorts.items():
        found: dict[str, list[float]] = defaultdict(list)
        for name, cpu in tests.items():
            found[key(name)].append(cpu)
        yield title, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=40, help="rows of each table")
    options = parser.parse_args()
    tests, collecting = read(options.folder)
    print(
        f"{len(tests)} tests: {sum(tests.values()):.0f} s, and {collecting:.0f} s to collect them"
    )
    for title, found in tables(tests):
        print(f"\n seconds  tests  {title}")
        rows = sorted(found.items(), key=lambda row: -sum(row[1]))
        for name, costs in rows[: options.most]:
            print(f"{sum(costs):8.1f}  {len(costs):5}  {name}")


if __name__ == "__main__":
    main()
