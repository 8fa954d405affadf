"""Rates from measured times, by subtraction.

A kernel of many additions less one of a single addition tells what an addition costs; the rest of
the latter is the way to memory.
"""

from __future__ import annotations

import attrs

from runmat_core.accel.placement import costs
from runmat_core.accel.placement.costs import Link, Rates
from runmat_core.accel.placement.probes import MANY_HEAVY, MANY_LIGHT, ORDER
from runmat_core.accel.placement.samples import Samples, taken
from runmat_core.api.ir import ITEMSIZE


def fit(usual: Rates, samples: Samples) -> Rates:
    """Return the rates of a provider; `usual` ones where nothing was measured."""
    there = taken(samples)
    rates = attrs.evolve(
        usual,
        upload=_link("upload", there) or usual.upload,
        download=_link("download", there) or usual.download,
    )
    for dtype in ("f32", "f64"):
        start = f"{dtype}."
        times = {
            name.removeprefix(start): (one.seconds, int(one.amount))
            for name, one in there.items()
            if name.startswith(start)
        }
        if "add" in times:
            rates = _fitted(rates, dtype, times)
            if dtype == "f32":
                rates = _widened(rates, usual)
    return attrs.evolve(rates, measured=True, samples=samples)


def fit_rules(samples: Samples) -> Rates:
    """Return the rates of host rules."""
    usual = costs.typical("rules")
    seconds = dict(usual.seconds)
    there = taken(samples)
    for name, one in there.items():
        dtype, _, family = name.partition(".")
        if family != "whole":
            seconds[f"{family}.{dtype}"] = one.seconds / one.amount
    for dtype in ("f32", "f64"):
        # the wider type comes last and counts: it is nearer to what memory can do
        whole = there.get(f"{dtype}.whole")
        if whole is not None:
            rest = whole.seconds / whole.amount - seconds[f"light.{dtype}"]
            seconds["stream"] = max(rest / (3 * ITEMSIZE[dtype]), 1e-15)
    return attrs.evolve(usual, seconds=seconds, measured=True, samples=samples)


def _link(name: str, samples: Samples) -> Link | None:
    latency, whole = samples.get(f"{name}.latency"), samples.get(f"{name}.whole")
    if latency is None or whole is None:
        return None
    return Link(latency.seconds, max((whole.seconds - latency.seconds) / whole.amount, 1e-15))


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


def _fitted(rates: Rates, dtype: str, times: dict[str, tuple[float, int]]) -> Rates:
    """`rates` with those that measured times tell for an element type.

    Args:
        times: seconds and elements of each probe; ``add`` at least. ``whole`` is the same in
            arrays that no cache holds.
    """
    launch = times["launch"][0] if "launch" in times else rates.launch
    seconds = dict(rates.seconds)
    size = ITEMSIZE[dtype]

    def keep(family: str, rate: float, whole: float) -> None:
        # a difference of two times may come out at nothing, but no work is for nothing
        seconds[f"{family}.{dtype}"] = max(rate, whole / 20)

    base, n = times["add"]
    if "light" in times:
        spent, count = times["light"]
        keep("light", (spent - base) / (count * (MANY_LIGHT - 1)), spent / (count * MANY_LIGHT))
    light = seconds[f"light.{dtype}"]

    def way(spent: float, count: int) -> float:
        """Seconds for each byte, the operation itself left out."""
        return max((spent - launch - light * count) / count, spent / count / 20) / (3 * size)

    stream = way(base, n)
    # the wider type comes last and counts: it is nearer to what memory can do
    seconds["stream"] = way(*times["whole"]) if "whole" in times else stream
    for family, moved in (("heavy", 2), ("reduce", 1), ("scan", 2), ("random", 1), ("gather", 3)):
        if family in times:
            spent, count = times[family]
            rest = (spent - launch) / count - moved * size * stream
            if family == "heavy":  # each with a change of sign
                keep(family, rest / MANY_HEAVY - light, spent / (count * MANY_HEAVY))
            else:
                # places are numbers that are cast
                keep(family, rest - light * (family == "gather"), spent / count)
    if "matmul" in times:
        flops, moved = 2.0 * ORDER**3, 3 * size * ORDER**2
        spent = times["matmul"][0]
        keep("matmul", (spent - launch - moved * stream) / flops, spent / flops)
    return attrs.evolve(rates, launch=max(launch, 1e-9), seconds=seconds)
