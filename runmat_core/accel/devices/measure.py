"""Measuring what work costs on a device and by host rules.

Each family of work is timed with a kernel of its own: run once to warm up, then five times, of
which the least counts, for what else runs on the machine only adds to it. Rates are fitted to these
times (`fit`); single ones of them can be taken again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.placement import costs
from runmat_core.accel.placement.costs import Rates
from runmat_core.accel.placement.fit import fit, fit_rules
from runmat_core.accel.placement.probes import ORDER, Probe, probes
from runmat_core.accel.placement.samples import Sample, Samples, merged, to_retake, unsteady
from runmat_core.accel.random import philox
from runmat_core.api.device import NUMPY_DTYPE, DeviceArray, Executable, Launch

#: Seconds after which a calibration takes typical rates for what is left.
BUDGET = 3.0
REPEATS = 5
#: A launch of the first probe takes at least so long, or as many elements as there may be.
LONG_ENOUGH = 4e-4
FEWEST, MOST = 1 << 18, 1 << 24
#: Repetitions that tell something.
ENOUGH = 3
#: Elements of arrays that no cache holds.
LARGE = 1 << 23
#: What is timed is that many launches at least, so that waiting for the last one weighs little.
TIMED = 3e-3
TOGETHER = 16
TRANSFER = 1 << 25
#: Seconds of work after which a graphics processor has raised its clock.
ROUSED = 0.3

Begin = Callable[[str], None]


def _say_nothing(name: str) -> None: ...


def measure(
    provider: Provider,
    budget: float = BUDGET,
    again: Rates | None = None,
    begin: Begin = _say_nothing,
) -> Rates:
    """Return the rates of a provider, typical ones for what it declines or time does not allow.

    Args:
        again: measured earlier: only times of it that are worth taking again are taken.
        begin: called with the name of each time before it is taken.

    Raises:
        DeviceFault: the device failed.
    """
    if provider.capabilities.kind == "device":
        # it is opened now, which no time is counted for: the session needs it anyway
        provider.free(provider.upload((np.zeros((1, 1), np.float32),)))
    deadline = time.perf_counter() + budget
    wanted = None if again is None else to_retake(again.samples)
    kept = {} if again is None else again.samples
    made: dict[str, Sample] = {}
    elements = FEWEST
    if provider.capabilities.kind == "device" and wanted != []:
        deadline += _rouse(provider)
        # first, for it decides more than any other rate and takes the least time
        begin("upload and download")
        made.update(_links(provider, deadline, wanted))
    for dtype in ("f32", "f64"):
        if dtype in provider.capabilities.dtypes:
            with _Bench(provider, dtype, deadline, begin) as bench:
                if wanted is None:
                    elements = bench.fill(elements)
                else:
                    bench.retake(kept, wanted)
                made.update(bench.samples())
    return fit(costs.typical(costs.kind_of(provider.capabilities)), merged(kept, made))


def _rouse(provider: Provider) -> float:
    """Keep a device busy until it runs as fast as it can; how many seconds that took.

    One that had nothing to do runs at a fraction of its clock, and needs a while to notice.
    """
    dtype = "f32"
    if provider.capabilities.software or dtype not in provider.capabilities.dtypes:
        return 0.0
    started = time.perf_counter()
    with _Bench(provider, dtype, started + BUDGET) as bench:
        probe = probes(dtype)["add"]
        provider.warmup((probe.unit,))
        (executable,) = provider.compile((probe.unit,))
        if executable is not None:
            run = bench.runner(probe, executable, FEWEST, TOGETHER)
            end = time.perf_counter() + ROUSED
            while time.perf_counter() < end:
                run()
    return time.perf_counter() - started


class _Bench:
    """The arrays of one element type on a provider, and the times of probes on them."""

    def __init__(
        self, provider: Provider, dtype: str, deadline: float, begin: Begin = _say_nothing
    ) -> None:
        self.provider = provider
        self.dtype = dtype
        self.deadline = deadline
        self.begin = begin
        self.fewest = 0  # repetitions that time is taken for
        self.times: dict[str, Sample] = {}
        self.arrays: dict[int, dict[str, DeviceArray]] = {}  # by number of elements, then letter
        self.most = MOST

    def __enter__(self) -> _Bench:
        return self

    def __exit__(self, *problem: object) -> None:
        for n in list(self.arrays):
            self._free(n)

    def samples(self) -> dict[str, Sample]:
        """Return what was measured."""
        return {f"{self.dtype}.{name}": one for name, one in self.times.items()}

    def fill(self, usual: int) -> int:
        """Measure everything that the provider takes and time allows.

        Args:
            usual: elements of arrays where there is no time to find how many there should be.

        Returns:
            how many there were.
        """
        ready = self._compiled(probes(self.dtype))
        if "add" not in ready:
            return usual
        self._grow(*ready["add"])
        known = "add" in self.times
        elements = int(self.times["add"].amount) if known else min(usual, self.most)
        amounts = {name: elements // probe.share for name, (probe, _) in ready.items()}
        if "matmul" in ready:
            amounts["matmul"] = ORDER * ORDER
        if known:
            self._launch(*ready["add"])
            for name in [name for name in ready if name != "add"]:
                self._keep(name, *ready[name], amounts[name])
            for n in list(self.arrays):
                self._free(n)
        amounts |= {"launch": 1, "whole": max(elements, min(LARGE, self.most))}
        if known:
            self._keep("whole", *ready["add"], amounts["whole"])
        for name, n in amounts.items():
            if n <= self.most:
                self.times.setdefault(name, Sample(0.0, float(n), tries=0))
        return elements

    def retake(self, kept: Samples, wanted: Sequence[str]) -> None:
        """Take some times again, with as many elements as before, until time is up."""
        units = probes(self.dtype)
        end, self.fewest = self.deadline, ENOUGH
        for key in wanted:
            dtype, _, name = key.partition(".")
            if dtype != self.dtype or time.perf_counter() > end:
                continue
            # one by one: what is compiled takes of the time, too
            probe = name if name in units else "add"
            ready = self._compiled({probe: units[probe]})
            self.times[name] = Sample(0.0, kept[key].amount)
            if probe in ready and name == "launch":
                self._launch(*ready[probe])
            elif probe in ready:
                self._keep(name, *ready[probe], int(kept[key].amount))
            for n in list(self.arrays):
                self._free(n)

    def _compiled(self, units: Mapping[str, Probe]) -> dict[str, tuple[Probe, Executable]]:
        """Return the probes that the provider takes, which no time is counted for."""
        started = time.perf_counter()
        wanted = tuple(probe.unit for probe in units.values())
        # what a provider loads in the background would compete with what is timed
        self.provider.warmup(wanted)
        made = self.provider.compile(wanted)
        self.deadline += time.perf_counter() - started
        return {
            name: (probe, executable)
            for (name, probe), executable in zip(units.items(), made, strict=True)
            if executable is not None
        }

    def _keep(self, name: str, probe: Probe, executable: Executable, n: int) -> None:
        self.begin(f"{self.dtype} {name}")
        taken = self._time(probe, executable, n) if n <= self.most else None
        if taken is not None:
            self.times[name] = taken

    def _grow(self, probe: Probe, executable: Executable) -> None:
        """Find how many elements take long enough for the clock."""
        limit = self.provider.capabilities.max_buffer_bytes or MOST * 8
        memory = self.provider.capabilities.memory_bytes or 1 << 62
        self.most = most = min(MOST, limit // 8, memory // 64)
        n = min(FEWEST, most)
        while True:
            taken = self._time(probe, executable, n)
            if taken is not None:
                self.times["add"] = taken
            if taken is None or taken.seconds >= LONG_ENOUGH or n * 4 > most:
                return
            self._free(n)
            n *= 4

    def _array(self, n: int, letter: str) -> DeviceArray:
        """Return the array that a probe calls `letter`; see `Probe`."""
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

    def _launch(self, probe: Probe, executable: Executable) -> None:
        """Measure what a further launch over one element takes."""
        one = least(self.runner(probe, executable, 1, 1), self.deadline, self.fewest)
        many = least(self.runner(probe, executable, 1, 1 + TOGETHER), self.deadline, self.fewest)
        if one is not None and many is not None:
            seconds = max(many.seconds - one.seconds, 0.0) / TOGETHER
            self.times["launch"] = Sample(seconds, 1.0, many.spread)

    def _time(self, probe: Probe, executable: Executable, n: int) -> Sample | None:
        """One launch over `n` elements; None where time is up."""
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
        made = least(self.runner(probe, executable, n, together), self.deadline, self.fewest)
        return None if made is None else Sample(made.seconds / together, float(n), made.spread)

    def runner(
        self, probe: Probe, executable: Executable, n: int, together: int
    ) -> Callable[[], None]:
        """Return what executes a probe over `n` elements several times and waits for it."""
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


def _links(provider: Provider, deadline: float, wanted: Sequence[str] | None) -> dict[str, Sample]:
    """Return the way to a device and back."""
    limit = provider.capabilities.max_buffer_bytes or TRANSFER
    small = np.zeros((1, 1), np.float32)
    large = np.zeros((min(TRANSFER, limit) // 4, 1), np.float32, order="F")

    fewest = 0 if wanted is None else ENOUGH

    def upload(array: NDArray[Any]) -> Sample | None:
        def run() -> None:
            handles = provider.upload((array,))
            provider.synchronize()
            provider.free(handles)

        return least(run, deadline, fewest)

    def download(array: NDArray[Any]) -> Sample | None:
        handles = provider.upload((array,))
        try:
            return least(lambda: provider.download(handles), deadline, fewest)
        finally:
            provider.free(handles)

    made = {}
    for way, timed in (("upload", upload), ("download", download)):
        for part, array in (("latency", small), ("whole", large)):
            name = f"{way}.{part}"
            if _wanted(name, wanted, deadline):
                made[name] = _amounting(timed(array), array.nbytes)
    return made


def measure_rules(
    budget: float = BUDGET, again: Rates | None = None, begin: Begin = _say_nothing
) -> Rates:
    """Return the rates of host rules: NumPy on arrays made for the purpose.

    Args:
        again, begin: as of `measure`.
    """
    deadline = time.perf_counter() + budget
    wanted = None if again is None else to_retake(again.samples)
    fewest = 0 if wanted is None else ENOUGH
    made: dict[str, Sample] = {}
    for dtype in ("f32", "f64"):
        if wanted is not None and not any(name.startswith(dtype) for name in wanted):
            continue
        for family, (run, amount) in _host_work(dtype).items():
            name = f"{dtype}.{family}"
            if _wanted(name, wanted, deadline):
                begin(f"{dtype} {family}")
                made[name] = _amounting(least(run, deadline, fewest), amount)
    return fit_rules(merged({} if again is None else again.samples, made))


def _wanted(name: str, wanted: Sequence[str] | None, deadline: float) -> bool:
    """Whether to measure something: everything, or what is wanted as long as there is time."""
    return wanted is None or (name in wanted and time.perf_counter() <= deadline)


def _amounting(taken: Sample | None, amount: float) -> Sample:
    """Return what was measured of an amount, or that there was no time."""
    return (taken or Sample(0.0, 0.0))._replace(amount=float(amount))


def _host_work(dtype: str) -> dict[str, tuple[Callable[[], Any], float]]:
    """Return what to time for each family, and how much of it is done.

    ``whole`` is out of cache.
    """
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


def least(run: Callable[[], Any], deadline: float, fewest: int = 0) -> Sample | None:
    """Return the least time of `REPEATS` runs after one to warm up; None past the deadline.

    Args:
        fewest: runs that there is time for in any case.
    """
    taken: list[float] = []
    run()
    for _ in range(REPEATS):
        started = time.perf_counter()
        if started > deadline and len(taken) >= fewest:
            break
        run()
        taken.append(time.perf_counter() - started)
    if len(taken) < min(ENOUGH, REPEATS):
        return None
    return Sample(min(taken), 1.0, unsteady(taken))
