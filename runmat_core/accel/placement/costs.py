"""What work costs where: rates of a device, and estimates in seconds.

An estimate is linear: a launch, and for each family of work its amount times the seconds of one
unit. Rates are measured (`devices.calibrate`) or typical of the kind of device; during a session
measured times correct them (`corrections`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs

from runmat_core.accel.placement import samples, work
from runmat_core.accel.placement.corrections import Corrections, Target
from runmat_core.accel.placement.samples import Samples
from runmat_core.accel.planning.plan import KernelCall, LoweredUnit, RepeatCall
from runmat_core.api.device import Capabilities
from runmat_core.api.tuples import NamedTuple

#: Seconds that the core itself spends on a step that it hands to a provider, among others of the
#: same request; a request by itself costs about three times as much.
OVERHEAD = 1e-5
#: Seconds that a host rule takes beside a device's steps: its arrays become values and back, and
#: what follows is a request of its own.
ASIDE = 1e-5


class Link(NamedTuple):
    """The way to a device or from it: ``latency + bytes * per_byte`` seconds."""

    latency: float = 0.0
    per_byte: float = 0.0

    def seconds(self, size: float) -> float:
        """Return the time for as many bytes."""
        return self.latency + size * self.per_byte


#: What shares the memory of NumPy: nothing is to be brought over.
NO_LINK = Link()


@attrs.frozen
class Rates:
    """What work costs on one device.

    Attributes:
        launch: seconds of a kernel that does nothing.
        seconds: of one unit of each family of work (`work.FAMILIES`); keys are ``stream``, and the
            others with the width of elements: ``light.f32``, ``matmul.f64`` …
        upload, download: the link; nothing for what shares the memory of NumPy.
        measured: whether they were, or are typical.
        samples: the times that they were fitted to.
    """

    launch: float
    seconds: Mapping[str, float] = attrs.field(eq=dict)
    upload: Link = NO_LINK
    download: Link = NO_LINK
    measured: bool = False
    samples: Samples = attrs.field(factory=dict, eq=False)

    def estimate(self, amounts: Mapping[str, float], launches: int = 1) -> float:
        """Seconds for amounts of work."""
        rates = self.seconds
        total = self.launch * launches
        for key, amount in amounts.items():
            total += amount * rates.get(key, 0.0)
        return total


def typical(kind: str) -> Rates:
    """Rates to start from: of ``rules``, ``host``, ``device`` or ``software`` (emulated)."""
    launch, stream, scale, upload, download = _TYPICAL[kind]
    seconds = {"stream": stream}
    for family, unit in _UNIT_SECONDS.items():
        for wide, factor in (("f32", 0.6), ("f64", 1.0)):
            seconds[f"{family}.{wide}"] = unit * factor * scale
    return Rates(launch, seconds, upload, download)


#: Seconds of one unit of work by NumPy on one core, in double precision.
_UNIT_SECONDS = {
    "light": 3e-10,
    "heavy": 2e-9,
    "reduce": 2e-10,
    "scan": 3e-9,
    "random": 1e-8,
    "gather": 1.5e-9,
    "matmul": 4e-11,
    "sort": 4e-10,
}
#: Launch, seconds per byte, all else relative to NumPy, links.
_TYPICAL = {
    "rules": (3e-6, 1.2e-10, 1.0, NO_LINK, NO_LINK),
    "host": (2e-5, 8e-11, 0.5, NO_LINK, NO_LINK),
    "device": (1.5e-5, 2e-12, 0.005, Link(5e-5, 1.5e-10), Link(2e-4, 2e-10)),
    "software": (1.5e-4, 1e-10, 0.5, Link(1e-4, 2e-10), Link(2e-4, 2e-10)),
}


def kind_of(capabilities: Capabilities) -> str:
    """Which typical rates fit a device."""
    return "software" if capabilities.software else capabilities.kind


#: Units whose work is remembered.
REMEMBERED = 4096


class Costs:
    """The rates of a session's devices, and what measuring taught about them.

    Args:
        overhead: seconds of each step on a provider that the provider does not see.
        aside: seconds of each step by host rules between or after those of a device.
        learns: whether measured times correct the rates.

    Attributes:
        rates: by target; a target that the session does not have is missing.
        learnt: the corrections.
    """

    def __init__(
        self,
        device: Rates | None = None,
        host: Rates | None = None,
        rules: Rates | None = None,
        overhead: float = OVERHEAD,
        aside: float = ASIDE,
        learns: bool = True,
    ) -> None:
        known = {"device": device, "host": host, "rules": rules or typical("rules")}
        self.rates: dict[str, Rates] = {k: v for k, v in known.items() if v is not None}
        self.overhead = overhead
        self.aside = aside
        self.learns = learns
        self.learnt = Corrections(has_device=device is not None)
        # by identity: units of plans that are kept are asked about at every run
        self._amounts: dict[int, tuple[KernelCall, dict[str, float], str]] = {}
        self._seconds_of_rules: dict[int, float] = {}

    @property
    def told(self) -> tuple[Any, ...]:
        """The rates as plain data, without what was learnt since."""
        return tuple(
            [
                (target, one.launch, tuple(sorted(one.seconds.items())), one.upload, one.download)
                for target, one in sorted(self.rates.items())
            ]
        )

    @property
    def version(self) -> int:
        """Grows when corrections moved so far that placements should be made again."""
        return self.learnt.version

    def estimate(self, lowered: LoweredUnit, target: Target) -> float:
        """Seconds that a unit takes in a place, its arrays being there."""
        if isinstance(lowered, RepeatCall):
            own = 0.0 if target == "rules" else self.overhead
            trip = sum([self.estimate(one, target) - own for one in lowered.row])
            return trip * lowered.trips + own
        seconds = self._uncorrected(lowered, target)
        seconds *= self.learnt.of(target, self._work(lowered)[1])
        return seconds if target == "rules" else seconds + self.overhead

    def observe(self, lowered: KernelCall, target: Target, seconds: float) -> None:
        """Learn from the time that a unit took; waiting for others must not be in it.

        On a provider it is that of the hook alone.
        """
        expected = self._uncorrected(lowered, target)
        if self.learns and seconds > 0.0 and expected > 0.0:
            self.learnt.observe(target, self._work(lowered)[1], id(lowered), seconds / expected)

    def wants_both(self, lowered: KernelCall) -> bool:
        """Return whether a unit of the host provider should be timed by host rules, too.

        That is before it is left to them.
        """
        if not self.learns or not self.learnt.doubts(self._work(lowered)[1]):
            return False
        return self._uncorrected(lowered, "rules") < self.estimate(lowered, "host")

    def compare(self, lowered: KernelCall, host: float, rules: float) -> None:
        """Learn from the seconds that a unit took at once after each other in both ways."""
        here = self._uncorrected(lowered, "host")
        there = self._uncorrected(lowered, "rules")
        if min(host, rules, here, there) > 0.0:
            family = self._work(lowered)[1]
            self.learnt.compare(family, id(lowered), host / here, rules / there)

    def upload(self, size: float) -> float:
        """Seconds to bring bytes to the device."""
        return self.rates["device"].upload.seconds(size)

    def download(self, size: float) -> float:
        """Seconds to bring bytes from the device."""
        return self.rates["device"].download.seconds(size)

    def launch(self, target: Target) -> float:
        """Seconds of a step that does nothing."""
        return self.rates[target].launch + (0.0 if target == "rules" else self.overhead)

    def corrections(self) -> dict[str, float]:
        """Return what was learnt, as ``target.family``: measured time by expected time."""
        return self.learnt.as_dict()

    def _uncorrected(self, lowered: KernelCall, target: Target) -> float:
        amounts = self._work(lowered)[0]
        if target != "rules":
            return self.rates[target].estimate(amounts)
        seconds = self._seconds_of_rules.get(id(lowered))
        if seconds is None:
            seconds = self.rates["rules"].estimate(*work.passes(lowered))
            self._seconds_of_rules[id(lowered)] = seconds
        return seconds

    def _work(self, lowered: KernelCall) -> tuple[dict[str, float], str]:
        """Return the work of a unit on a provider, and the family that dominates its time."""
        known = self._amounts.get(id(lowered))
        if known is None:
            if len(self._amounts) >= REMEMBERED:
                self._amounts.clear()
                self._seconds_of_rules.clear()
                self.learnt.forget_units()
            amounts = work.fused(lowered)
            known = self._amounts[id(lowered)] = lowered, amounts, _family(amounts)
        return known[1:]


def _family(amounts: Mapping[str, float]) -> str:
    """Return the family that a measured time mostly tells about."""
    weight = {**_UNIT_SECONDS, "stream": 1e-10}
    return max(
        amounts, key=lambda key: amounts[key] * weight[key.partition(".")[0]], default="stream"
    )


def to_json(rates: Rates) -> dict[str, Any]:
    """Rates as plain data."""
    return {
        "launch": rates.launch,
        "seconds": dict(rates.seconds),
        "upload": [rates.upload.latency, rates.upload.per_byte],
        "download": [rates.download.latency, rates.download.per_byte],
        "samples": samples.to_json(rates.samples),
    }


def from_json(data: Mapping[str, Any]) -> Rates:
    """Measured rates from what `to_json` made.

    Raises:
        ValueError, KeyError, TypeError: it is something else.
    """
    numbers = [data["launch"], *data["seconds"].values(), *data["upload"], *data["download"]]
    if not all(isinstance(x, int | float) and math.isfinite(x) and x >= 0 for x in numbers):
        raise ValueError("a rate is a number that is not negative")
    return Rates(
        float(data["launch"]),
        {str(key): float(value) for key, value in data["seconds"].items()},
        Link(*map(float, data["upload"])),
        Link(*map(float, data["download"])),
        measured=True,
        samples=samples.from_json(data["samples"]),
    )
