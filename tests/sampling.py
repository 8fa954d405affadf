"""Which tests run: sweeps by a sample of their cases, `--quick` by a few of each, `--runslow` all.

A test marked `sweep` has more cases than each run needs. Those that run cover every value of every
argument once: of expressions by classes by providers, each expression with one of the classes on
one of the providers. `sweep(n)` runs n cases, those first. `sweep(provider="wgpu")` takes a sample
of these cases alone. A test with a provider and more among its arguments needs no mark. The sample
is the same in every run, and a test that is named by its id runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from zlib import crc32

import pytest

HERE = Path(__file__).parent
#: What `--quick` leaves out: devices and fused work, other processes, packages beside the core.
LONG = (
    *("accel", "providers", "plugins", "fuzz", "bench", "cli", "docs"),
    *(f"contracts/test_{name}.py" for name in ("readme", "startup", "walkthroughs")),
    *(f"session/test_{name}.py" for name in ("dropped", "threads")),
    *("compiler/test_limits.py", "syntax/test_tables.py"),
)
#: How many cases `--quick` runs of a test.
FEW = 2


def sample(cases: Iterable[pytest.Function], most: int | None = None) -> list[pytest.Function]:
    """Return cases that cover every value of every argument, or `most` cases that cover many."""
    drawn = sorted(cases, key=lambda case: crc32(case.nodeid.encode()))
    values = [{(name, id(value)) for name, value in _arguments(case).items()} for case in drawn]
    covered: set[tuple[str, int]] = set()
    picked: list[int] = []
    for fresh in range(max(map(len, values), default=0), 0, -1):
        for place, own in enumerate(values):
            if len(own - covered) >= fresh:
                covered |= own
                picked.append(place)
    if most is not None:
        rest = sorted(set(range(len(drawn))) - set(picked))
        picked = [*picked, *rest][:most]
    return [drawn[place] for place in picked]


def _arguments(case: pytest.Item) -> Mapping[str, object]:
    spec = getattr(case, "callspec", None)
    return spec.params if spec is not None else {}


def is_long(path: Path) -> bool:
    """Say whether `--quick` leaves out a file or folder."""
    return any(path.is_relative_to(HERE / long) for long in LONG)


def select(items: list[pytest.Item], config: pytest.Config) -> None:
    """Leave in `items` those that are to run."""
    if config.getoption("--runslow") or any("::" in argument for argument in config.args):
        return
    items[:] = [item for item in items if "slow" not in item.keywords]
    if config.getoption("--quick"):
        keep(items, lambda item: True, lambda cases: sample(cases, FEW))
    else:
        keep(items, _is_sweep, _of_sweep)


def keep(
    items: list[pytest.Item],
    asked: Callable[[pytest.Item], bool],
    of: Callable[[list[pytest.Function]], list[pytest.Function]],
) -> None:
    groups: dict[object, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and asked(item):
            groups.setdefault((item.parent, item.originalname), []).append(item)
    left_out = set()
    for cases in groups.values():
        left_out |= {*cases} - {*of(cases)}
    items[:] = [item for item in items if item not in left_out]


def _is_sweep(item: pytest.Item) -> bool:
    given = _arguments(item)
    return "sweep" in item.keywords or ("provider" in given and len(given) > 1)


def _of_sweep(cases: list[pytest.Function]) -> list[pytest.Function]:
    mark = cases[0].get_closest_marker("sweep") or pytest.mark.sweep.mark
    of = [
        case
        for case in cases
        if all(_arguments(case)[name] == value for name, value in mark.kwargs.items())
    ]
    kept = {*cases} - {*of} | {*sample(of, *mark.args)}
    return [case for case in cases if case in kept]
