"""What a record amounts to: speed-ups, their means over sizes and cases, and ranks."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Sequence

import attrs
from runmat_bench.cases import CASES
from runmat_bench.records import Entry, Place, Record


@attrs.frozen
class Row:
    """One place (case, class, source, sizes) with everybody's entry.

    Attributes:
        entries: by implementation.
    """

    place: Place
    entries: dict[str, Entry]

    @property
    def case(self) -> str:
        return self.place[0]

    @property
    def sizes(self) -> dict[str, int]:
        return dict(next(iter(self.entries.values())).sizes)

    @property
    def work(self) -> int:
        return CASES[self.case].work(self.sizes)

    @property
    def curve(self) -> tuple[str, str, str, str]:
        """Case, class, source and series: what a curve over sizes is of."""
        return *self.place[:3], CASES[self.case].series(self.sizes)

    def seconds(self, name: str) -> float | None:
        entry = self.entries.get(name)
        return None if entry is None else entry.seconds

    def speedup(self, name: str, over: str) -> float | None:
        """How many times faster than `over`."""
        mine, theirs = self.seconds(name), self.seconds(over)
        return None if mine is None or theirs is None else theirs / mine

    def best_peer(self) -> str | None:
        """The fastest implementation that is not runmat."""
        peers = [(s, n) for n in self.entries if not ours(n) and (s := self.seconds(n)) is not None]
        return min(peers)[1] if peers else None


def ours(name: str) -> bool:
    """Whether an implementation is runmat."""
    return name.partition("-")[0] == "runmat"


def timed_rows(record: Record) -> list[Row]:
    """The places that were timed, in the record's order; those that only check results are not."""
    found: dict[Place, dict[str, Entry]] = {}
    for entry in record.entries:
        if entry.purpose == "time":
            found.setdefault(entry.place, {})[entry.implementation] = entry
    return [Row(place, entries) for place, entries in found.items()]


def names(record: Record) -> list[str]:
    """The implementations in the record's order."""
    return list(dict.fromkeys(entry.implementation for entry in record.entries))


def present(record: Record) -> list[str]:
    """Those that are installed: the others have no rank."""
    return [
        name
        for name in names(record)
        if record.implementations.get(name, {}).get("status") != "missing"
    ]


def geometric_mean(values: Iterable[float]) -> float | None:
    """None of nothing."""
    logs = [math.log(value) for value in values]
    return math.exp(statistics.fmean(logs)) if logs else None


def speedups(rows: Sequence[Row], name: str, over: str = "numpy") -> list[float]:
    """Where both were measured."""
    return [ratio for row in rows if (ratio := row.speedup(name, over)) is not None]


def against_best(rows: Sequence[Row], name: str) -> list[float]:
    """Times faster than the fastest peer of each place."""
    found = []
    for row in rows:
        peer = row.best_peer()
        ratio = None if peer is None else row.speedup(name, peer)
        if ratio is not None:
            found.append(ratio)
    return found


def curve_mean(points: Sequence[tuple[float, float]]) -> float | None:
    """The mean speed-up of a curve: exp of the area under log(speed-up) over log(size).

    The area, by trapezes, is divided by the range of log(size), so that curves of any range can be
    compared; of one point it is that point's speed-up.

    Args:
        points: (size, speed-up), of different sizes.
    """
    ordered = sorted((math.log(size), math.log(ratio)) for size, ratio in points)
    if not ordered:
        return None
    if len(ordered) == 1:
        return math.exp(ordered[0][1])
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in itertools.pairwise(ordered))
    return math.exp(area / (ordered[-1][0] - ordered[0][0]))


def curves(rows: Sequence[Row]) -> dict[tuple[str, str, str, str], list[Row]]:
    """The rows of each curve, sizes ascending."""
    found: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.work):
        found.setdefault(row.curve, []).append(row)
    return dict(sorted(found.items(), key=lambda item: list(CASES).index(item[0][0])))


def ranks(rows: Sequence[Row], implementations: Sequence[str]) -> dict[str, float]:
    """Mean rank of each implementation over rows, 1 being the fastest.

    Those without a right result share the last ranks, so that not running is not rewarded.
    """
    places: dict[str, list[float]] = {name: [] for name in implementations}
    for row in rows:
        ran = {n: s for n in implementations if (s := row.seconds(n)) is not None}
        if not ran:
            continue
        last = (len(ran) + 1 + len(implementations)) / 2
        for name in implementations:
            faster = sum(seconds < ran[name] for seconds in ran.values()) if name in ran else 0
            places[name].append(1.0 + faster if name in ran else last)
    return {name: statistics.fmean(found) for name, found in places.items() if found}


@attrs.frozen
class Standing:
    """How an implementation stands over some rows; None where nothing can be compared.

    Attributes:
        numpy: geometric mean of times faster than NumPy.
        best: of times faster than the fastest peer of each place.
        area: geometric mean over the curves of their mean speed-up against NumPy.
        rank: mean rank.
        ok, entries: how many entries are right, of how many.
    """

    name: str
    numpy: float | None
    best: float | None
    area: float | None
    rank: float | None
    ok: int
    entries: int


def standings(rows: Sequence[Row], implementations: Sequence[str]) -> list[Standing]:
    """Best rank first."""
    ranked = ranks(rows, implementations)
    found = []
    for name in implementations:
        own = [row.entries[name] for row in rows if name in row.entries]
        areas = [curve_mean(points(curve, name)) for curve in curves(rows).values()]
        found.append(
            Standing(
                name,
                geometric_mean(speedups(rows, name)),
                geometric_mean(against_best(rows, name)),
                geometric_mean(area for area in areas if area is not None),
                ranked.get(name),
                sum(entry.status == "ok" for entry in own),
                len(own),
            )
        )
    return sorted(found, key=lambda one: (one.rank is None, one.rank))


def points(curve: Sequence[Row], name: str, over: str = "numpy") -> list[tuple[float, float]]:
    """(size, speed-up) along a curve."""
    return [(row.work, ratio) for row in curve if (ratio := row.speedup(name, over)) is not None]
