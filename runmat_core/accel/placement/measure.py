"""Measuring what work costs on a device and by host rules.

Each family of work is timed with a kernel of its own: run once to warm up, then five times, of
which the least counts, for what else runs on the machine only adds to it. The rates follow by
subtraction: a kernel of many additions less one of a single addition tells what an addition costs,
the rest of the latter is the way to memory.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.placement import costs
from runmat_core.accel.placement.costs import Link, Rates
from runmat_core.accel.placement.load import unsteady
from runmat_core.accel.placement.probes import MANY_HEAVY, MANY_LIGHT, ORDER, Probe, probes
from runmat_core.accel.random import philox
from runmat_core.api.device import NUMPY_DTYPE, DeviceArray, Executable, Launch
from runmat_core.api.ir import ITEMSIZE

#: Seconds after which a calibration takes typical rates for what is left.
BUDGET = 3.0
REPEATS = 5
#: A launch of the first probe takes at least so long, or as many elements as there may be.
LONG_ENOUGH = 4e-4
FEWEST, MOST = 1 << 18, 1 << 24
#: Elements of arrays that no cache holds.
LARGE = 1 << 23
#: What is timed is that many launches at least, so that waiting for the last one weighs little.
TIMED = 3e-3
TOGETHER = 16
TRANSFER = 1 << 25
#: Seconds of work after which a graphics processor has raised its clock.
ROUSED = 0.3


def measure(provider: Provider, budget: float = BUDGET) -> Rates:
    """The rates of a provider, typical ones for what it declines or time does not allow.

    Raises:
        DeviceFault: the device failed.
    """
    deadline = time.perf_counter() + budget
    start = costs.typical(costs.kind_of(provider.capabilities))
    rates = start
    spreads: list[float] = []
    if provider.capabilities.kind == "device":
        deadline += _rouse(provider)
        # first, for it decides more than any other rate and takes the least time
        upload, download = _links(provider, deadline, spreads)
        rates = attrs.evolve(rates, upload=upload or start.upload)
        rates = attrs.evolve(rates, download=download or start.download)
    for dtype in ("f32", "f64"):
        if dtype in provider.capabilities.dtypes:
            with _Bench(provider, dtype, deadline, spreads) as bench:
                rates = bench.fill(rates)
            if dtype == "f32":
                rates = _widened(rates, start)
    return attrs.evolve(rates, measured=True, spread=statistics.median(spreads or [0.0]))


def _rouse(provider: Provider) -> float:
    """Keep a device busy until it runs as fast as it can; how many seconds that took.

    One that had nothing to do runs at a fraction of its clock, and needs a while to notice.
    """
    dtype = "f32"
    if provider.capabilities.software or dtype not in provider.capabilities.dtypes:
        return 0.0
    started = time.perf_counter()
    with _Bench(provider, dtype, started + BUDGET, []) as bench:
        probe = probes(dtype)["add"]
        provider.warmup((probe.unit,))
        (executable,) = provider.compile((probe.unit,))
        if executable is not None:
            run = bench.runner(probe, executable, FEWEST, TOGETHER)
            end = time.perf_counter() + ROUSED
            while time.perf_counter() < end:
                run()
    return time.perf_counter() - started


def _widened(rates: Rates, usual: Rates) -> Rates:
    """`rates` with those of double precision in the usual proportion to measured single ones.

    They stand where time does not allow to measure both: a device that is slow is slow in both.
    """
    seconds = dict(rates.seconds)
    for key, rate in usual.seconds.items():
        if key.endswith(".f64"):
            single = key.replace(".f64", ".f32")
            seconds[key] = rate * seconds[single] / usual.seconds[single]
    return attrs.evolve(rates, seconds=seconds)


class _Bench:
    """The arrays of one element type on a provider, and the times of probes on them."""

    def __init__(
        self, provider: Provider, dtype: str, deadline: float, spreads: list[float]
    ) -> None:
        self.provider = provider
        self.spreads = spreads
        self.dtype = dtype
        self.deadline = deadline
        self.times: dict[str, tuple[float, int]] = {}
        self.arrays: dict[int, dict[str, DeviceArray]] = {}  # by number of elements, then letter
        self.most = MOST

    def __enter__(self) -> _Bench:
        return self

    def __exit__(self, *problem: object) -> None:
        for n in list(self.arrays):
            self._free(n)

    def fill(self, rates: Rates) -> Rates:
        """`rates` with what this element type tells in place of typical ones."""
        units = probes(self.dtype)
        started = time.perf_counter()
        wanted = tuple(probe.unit for probe in units.values())
        # what a provider loads in the background would compete with what is timed
        self.provider.warmup(wanted)
        made = self.provider.compile(wanted)
        self.deadline += time.perf_counter() - started
        ready = {
            name: (probe, executable)
            for (name, probe), executable in zip(units.items(), made, strict=True)
            if executable is not None
        }
        if "add" not in ready:
            return rates
        self._grow(*ready["add"])
        if "add" not in self.times:
            return rates
        launch = self._launch(*ready["add"]) or rates.launch
        elements = self.times["add"][1]
        for name, (probe, executable) in ready.items():
            if name != "add":
                n = ORDER * ORDER if name == "matmul" else elements // probe.share
                self._keep(name, probe, executable, n)
        for n in list(self.arrays):
            self._free(n)
        self._keep("whole", *ready["add"], max(elements, min(LARGE, self.most)))
        return fitted(rates, self.dtype, launch, self.times)

    def _keep(self, name: str, probe: Probe, executable: Executable, n: int) -> None:
        seconds = self._time(probe, executable, n) if n <= self.most else None
        if seconds is not None:
            self.times[name] = (seconds, n)

    def _grow(self, probe: Probe, executable: Executable) -> None:
        """Find how many elements take long enough for the clock."""
        limit = self.provider.capabilities.max_buffer_bytes or MOST * 8
        memory = self.provider.capabilities.memory_bytes or 1 << 62
        self.most = most = min(MOST, limit // 8, memory // 64)
        n = min(FEWEST, most)
        while True:
            seconds = self._time(probe, executable, n)
            if seconds is not None:
                self.times["add"] = (seconds, n)
            if seconds is None or seconds >= LONG_ENOUGH or n * 4 > most:
                return
            self._free(n)
            n *= 4

    def _array(self, n: int, letter: str) -> DeviceArray:
        """The array that a probe calls `letter`; see `Probe`."""
        arrays = self.arrays.setdefault(n, {})
        if letter in arrays:
            return arrays[letter]
        kind = NUMPY_DTYPE[self.dtype]
        if letter == "y":
            (made,) = self.provider.allocate((((n, 1), self.dtype),))
        else:
            numbers: NDArray[Any]
            if letter == "p":
                # multiplying by an odd number shuffles the numbers up to a power of two
                numbers = np.arange(n, dtype=np.uint64) * np.uint64(2654435761) % np.uint64(n)
            else:
                numbers = np.linspace(*((0.1, 0.9) if letter == "a" else (0.9, 0.1)), n)
            column = numbers.astype(kind).reshape((n, 1), order="F")
            (made,) = self.provider.upload((column,))
        arrays[letter] = made
        return made

    def _free(self, n: int) -> None:
        self.provider.free(tuple(self.arrays.pop(n).values()))

    def _launch(self, probe: Probe, executable: Executable) -> float | None:
        """Seconds that a further launch over one element takes."""
        one = least(self.runner(probe, executable, 1, 1), self.deadline)
        many = least(self.runner(probe, executable, 1, 1 + TOGETHER), self.deadline)
        return None if one is None or many is None else max(many - one, 0.0) / TOGETHER

    def _time(self, probe: Probe, executable: Executable, n: int) -> float | None:
        """Seconds of one launch over `n` elements; None where time is up."""
        if time.perf_counter() > self.deadline:
            return None
        once = self.runner(probe, executable, n, 1)
        started = time.perf_counter()
        once()
        # the first time a driver compiles, which takes as long as it takes
        self.deadline += time.perf_counter() - started
        started = time.perf_counter()
        once()
        taken = time.perf_counter() - started
        together = min(max(round(TIMED / max(taken, 1e-9)), 1), TOGETHER)
        runner = self.runner(probe, executable, n, together)
        seconds = least(runner, self.deadline, self.spreads)
        return None if seconds is None else seconds / together

    def runner(
        self, probe: Probe, executable: Executable, n: int, together: int
    ) -> Callable[[], None]:
        """What executes a probe over `n` elements several times and waits for it."""
        slots = tuple(self._array(n, letter) for letter in probe.slots)
        launch = Launch(
            executable,
            tuple(range(len(slots))),
            probe.extents(n),
            probe.views(n),
            tuple(range(len(probe.params))),
            "calibration",
        )

        # one object for all runs: providers know the steps that come again by it
        steps = (launch,) * together

        def run() -> None:
            self.provider.execute(steps, slots, probe.params)
            self.provider.synchronize()

        return run


def fitted(rates: Rates, dtype: str, launch: float, times: dict[str, tuple[float, int]]) -> Rates:
    """`rates` with those that measured times tell for an element type.

    Args:
        times: seconds and elements of each probe; ``add`` at least. ``whole`` is the same in
            arrays that no cache holds.
    """
    seconds = dict(rates.seconds)
    size = ITEMSIZE[dtype]

    def keep(family: str, rate: float, whole: float) -> None:
        # a difference of two times may come out at nothing, but no work is for nothing
        seconds[f"{family}.{dtype}"] = max(rate, whole / 20)

    base, n = times["add"]
    if "light" in times:
        taken, count = times["light"]
        keep("light", (taken - base) / (count * (MANY_LIGHT - 1)), taken / (count * MANY_LIGHT))
    light = seconds[f"light.{dtype}"]

    def way(taken: float, count: int) -> float:
        """Seconds for each byte, the operation itself left out."""
        return max((taken - launch - light * count) / count, taken / count / 20) / (3 * size)

    stream = way(base, n)
    # the wider type comes last and counts: it is nearer to what memory can do
    seconds["stream"] = way(*times["whole"]) if "whole" in times else stream
    for family, moved in (("heavy", 2), ("reduce", 1), ("scan", 2), ("random", 1), ("gather", 3)):
        if family in times:
            taken, count = times[family]
            rest = (taken - launch) / count - moved * size * stream
            if family == "heavy":  # each with a change of sign
                keep(family, rest / MANY_HEAVY - light, taken / (count * MANY_HEAVY))
            else:
                # places are numbers that are cast
                keep(family, rest - light * (family == "gather"), taken / count)
    if "matmul" in times:
        flops, moved = 2.0 * ORDER**3, 3 * size * ORDER**2
        taken = times["matmul"][0]
        keep("matmul", (taken - launch - moved * stream) / flops, taken / flops)
    return attrs.evolve(rates, launch=max(launch, 1e-9), seconds=seconds)


def _links(
    provider: Provider, deadline: float, spreads: list[float]
) -> tuple[Link | None, Link | None]:
    """The way to a device and back."""
    limit = provider.capabilities.max_buffer_bytes or TRANSFER
    small = np.zeros((1, 1), np.float32)
    large = np.zeros((min(TRANSFER, limit) // 4, 1), np.float32, order="F")

    def upload(array: NDArray[Any]) -> Callable[[], None]:
        def run() -> None:
            handles = provider.upload((array,))
            provider.synchronize()
            provider.free(handles)

        return run

    def link(timed: Callable[[NDArray[Any]], float | None]) -> Link | None:
        latency, whole = timed(small), timed(large)
        if latency is None or whole is None:
            return None
        return Link(latency, max((whole - latency) / large.nbytes, 1e-15))

    def download(array: NDArray[Any]) -> float | None:
        handles = provider.upload((array,))
        try:
            return least(lambda: provider.download(handles), deadline, spreads)
        finally:
            provider.free(handles)

    return link(lambda array: least(upload(array), deadline, spreads)), link(download)


def measure_rules(budget: float = BUDGET) -> Rates:
    """The rates of host rules: NumPy on arrays made for the purpose."""
    deadline = time.perf_counter() + budget
    start = costs.typical("rules")
    seconds = dict(start.seconds)
    spreads: list[float] = []
    for dtype in ("f32", "f64"):
        rates: dict[str, float] = {}
        for family, (run, amount) in _host_work(dtype).items():
            taken = least(run, deadline, spreads)
            if taken is not None:
                rates[family] = taken / amount
        whole = rates.pop("whole", None)
        seconds.update({f"{family}.{dtype}": rate for family, rate in rates.items()})
        if whole is not None:
            rest = whole - seconds[f"light.{dtype}"]
            seconds["stream"] = max(rest / (3 * ITEMSIZE[dtype]), 1e-15)
    spread = statistics.median(spreads or [0.0])
    return attrs.evolve(start, seconds=seconds, measured=True, spread=spread)


def _host_work(dtype: str) -> dict[str, tuple[Callable[[], Any], float]]:
    """What to time for each family, and how much of it is done; ``whole`` is out of cache."""
    large = np.linspace(0.1, 0.9, 1 << 22).astype(NUMPY_DTYPE[dtype])
    middle = large[:: large.size >> 18].copy()
    small = large[:: large.size >> 14].copy()
    square = middle.reshape(ORDER, ORDER)
    places = np.random.default_rng(0).permutation(middle.size)
    shuffled = middle[places]
    count = float(middle.size)
    return {
        "light": (lambda: small + small, small.size),
        "whole": (lambda: large + large, large.size),
        "heavy": (lambda: np.exp(middle), count),
        "reduce": (lambda: np.sum(middle), count),
        "scan": (lambda: np.cumsum(middle), count),
        "gather": (lambda: middle[places], count),
        "matmul": (lambda: square @ square, 2.0 * ORDER**3),
        "sort": (lambda: np.sort(shuffled), count * float(np.log2(count))),
        "random": (lambda: philox.uniform((1, 2), 0, small.size, dtype), small.size),
    }


def least(
    run: Callable[[], Any], deadline: float, spreads: list[float] | None = None
) -> float | None:
    """The least time of `REPEATS` runs after one to warm up; None past the deadline.

    Args:
        spreads: gets by which part the others were longer.
    """
    taken = []
    run()
    for _ in range(REPEATS):
        started = time.perf_counter()
        if started > deadline:
            return None
        run()
        taken.append(time.perf_counter() - started)
    if spreads is not None:
        spreads.append(unsteady(taken))
    return min(taken)
