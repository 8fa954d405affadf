"""Whether results agree: relative differences of metrics, against what, within which tolerance."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runmat_bench.cases import CASES
from runmat_bench.records import Entry, Parity

Metric = Sequence[float]


def difference(got: Metric, expected: Metric) -> float:
    """The greatest relative difference; infinite where a number is missing or not finite."""
    if len(got) != len(expected) or not all(map(math.isfinite, (*got, *expected))):
        return math.inf
    return max(
        (abs(a - b) / abs(b) if b else math.inf * bool(a) if a else 0.0)
        for a, b in zip(got, expected, strict=True)
    )


def worst(results: Sequence[Metric], expected: Metric) -> float:
    """Over every result that repetitions gave."""
    return max((difference(result, expected) for result in results), default=math.inf)


class References:
    """The metrics that others are compared with: NumPy's, by case, class, source and sizes.

    Where all have the same input, NumPy in double precision decides, or, where rounding in single
    precision takes the result further than the tolerance, NumPy in the same precision. Where each
    library draws its own numbers, NumPy's result of the same size decides; if there is none, as it
    would have taken too long, the median of those who have one.
    """

    def __init__(self) -> None:
        self._numpy: dict[tuple[str, str, str, str], tuple[float, ...]] = {}

    def add(self, entry: Entry) -> None:
        """Take the result of NumPy."""
        if entry.implementation == "numpy" and entry.metric:
            self._numpy[_key(entry, entry.cls)] = entry.metric

    def check(self, entry: Entry, results: Sequence[Metric]) -> Parity:
        """Compare the results of an entry's repetitions."""
        tolerance = CASES[entry.case].tolerance(entry.sizes, entry.source)
        found = Parity(None, None, tolerance, "")
        for cls in dict.fromkeys(("double", entry.cls)):
            expected = self._numpy.get(_key(entry, cls))
            # nothing is proved by a result of zero, which any wrong program may have
            if expected is None or 0.0 in expected or (cls != entry.cls and not same_input(entry)):
                continue
            error = worst(results, expected)
            against = f"numpy {cls}"
            if found.error is None or error < found.error:
                found = Parity(error <= tolerance, error, tolerance, against, expected)
            if found.ok:
                break
        return found


def same_input(entry: Entry) -> bool:
    """Whether every implementation computes this from the same numbers."""
    return entry.source == "lcg" or not CASES[entry.case].draws


def _key(entry: Entry, cls: str) -> tuple[str, str, str, str]:
    sizes = " ".join(f"{name}={value}" for name, value in sorted(entry.sizes.items()))
    return entry.case, cls, entry.source, sizes


def among_themselves(entries: Sequence[Entry]) -> dict[int, Parity]:
    """Parity of entries of one place that NumPy has no result for, by their numbers.

    Three of them are needed: each is compared with the median of all.
    """
    there = [n for n, entry in enumerate(entries) if entry.metric]
    if len(there) < 3:
        return {}
    columns = zip(*(entries[n].metric for n in there), strict=True)
    middle = tuple(sorted(column)[len(column) // 2] for column in columns)
    tolerance = CASES[entries[0].case].tolerance(entries[0].sizes, entries[0].source)
    found = {}
    for n in there:
        error = difference(entries[n].metric, middle)
        found[n] = Parity(error <= tolerance, error, tolerance, "median of all", middle)
    return found
