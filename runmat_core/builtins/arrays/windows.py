"""Windows that move along an axis: where they are, and what an operation makes of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.arguments import real
from runmat_core.values.array_object import ArrayObject

Lines = NDArray[Any]
Index = NDArray[np.intp]
#: Of windows: how many elements count, their sums, and the sums of their squared deviations.
Sums = tuple[Lines, ...]

#: Elements that are gathered at once.
_BLOCK = 1 << 22
#: Elements of a window up to which all windows take one element after another together.
_NARROW = 16


def coordinates(value: Any, name: str) -> NDArray[np.float64]:
    """Sample points, or a length along them, as real numbers.

    Points in time are milliseconds since the first, spans of time milliseconds.
    """
    if isinstance(value, ArrayObject) and value.class_name in ("datetime", "duration"):
        codes = value.codes
        if value.class_name == "datetime" and codes.size:
            codes = codes - codes.flat[0]
        return np.asarray(codes, np.float64)
    return real(value, name).astype(np.float64)


@attrs.frozen
class Windows:
    """The windows of all results: of the last axis of `lines`, from `low` up to before `high`."""

    lines: Lines
    low: Index
    high: Index
    omit: bool

    def gathered(self) -> Iterator[tuple[slice, Lines, NDArray[np.bool_]]]:
        """Results in blocks: which, their windows along the last axis, and which elements count."""
        width = int((self.high - self.low).max(initial=1))
        count = self.lines[..., 0].size if self.lines.shape[-1] else 1
        step = max(1, _BLOCK // max(width * count, 1))
        for start in range(0, self.low.size, step):
            part = slice(start, start + step)
            at = self.low[part, None] + np.arange(width)
            inside = at < self.high[part, None]
            window = self.lines[..., np.where(inside, at, 0)]
            counts = np.broadcast_to(inside, window.shape)
            yield part, window, counts & ~np.isnan(window) if self.omit else counts

    def map(self, rule: Callable[[Lines, NDArray[np.bool_]], Lines]) -> Lines:
        """Return what `rule` makes of each window, given the elements that count."""
        result = np.zeros((*self.lines.shape[:-1], self.low.size), self.lines.dtype)
        if result.size:
            for part, window, counts in self.gathered():
                result[..., part] = rule(window, counts)
        return result

    def reduce(self, operation: np.ufunc, identity: Any, lines: Lines | None = None) -> Lines:
        """`operation` over each window, `identity` where a window is empty."""
        a = self.lines if lines is None else lines
        if lines is None and self.omit:
            a = np.where(np.isnan(a), np.asarray(identity, a.dtype), a)
        first, last = self._row()
        if first == last:
            return self._each(operation, identity, a, slice(None))
        width, start = int(self.high[first] - self.low[first]), int(self.low[first])
        found = a[..., start : start + last - first].copy()
        for at in range(start + 1, start + width):
            operation(found, a[..., at : at + last - first], out=found)
        ends = [
            self._each(operation, identity, a, part) for part in (slice(first), slice(last, None))
        ]
        return np.concatenate([ends[0], found, ends[1]], axis=-1)

    def _row(self) -> tuple[int, int]:
        """Where results begin and end whose windows are narrow, of one width and side by side."""
        widths = self.high - self.low
        width = int(widths.max(initial=0))
        if not 0 < width <= _NARROW:
            return 0, 0
        whole = np.flatnonzero(widths == width)
        first, last = int(whole[0]), int(whole[-1]) + 1
        if last - first != whole.size or (np.diff(self.low[first:last]) != 1).any():
            return 0, 0
        return first, last

    def _each(self, operation: np.ufunc, identity: Any, a: Lines, part: slice) -> Lines:
        """`operation` over the windows of a part of the results, one by one."""
        low, high = self.low[part], self.high[part]
        if not low.size:
            return a[..., :0]
        begin, end = int(low.min()), int(high.max())
        # one more element, so that `high` is a place, too
        more = np.full((*a.shape[:-1], 1), identity, a.dtype)
        at = np.stack([low, high], axis=1).ravel() - begin
        lines = np.concatenate([a[..., begin:end], more], axis=-1)
        found = operation.reduceat(lines, at, axis=-1)[..., ::2]
        return np.asarray(np.where(low < high, found, np.asarray(identity, a.dtype)))

    def deviations(self) -> tuple[Lines, Lines]:
        """How many elements of each window count, and the sums of their squared deviations.

        Windows of 1, 2, 4 … elements are joined, so that one of K takes about log2(K) steps.
        """
        a = self.lines
        kept = ~np.isnan(a) if self.omit else np.ones(a.shape, np.bool_)
        total = np.where(kept, a, np.zeros((), a.dtype)) if self.omit else a
        # NaN where an element is no finite number
        level: Sums = (kept.astype(a.real.dtype), total, (total - total).real)
        found: Sums = tuple(np.zeros((*a.shape[:-1], self.low.size), v.dtype) for v in level)
        at, left, size = self.low.copy(), self.high - self.low, 1
        while size <= left.max(initial=0):
            some = np.flatnonzero(left & size)
            before: Sums = tuple(v[..., some] for v in found)
            pieces: Sums = tuple(v[..., at[some]] for v in level)
            for one, value in zip(found, _joined(before, pieces), strict=True):
                one[..., some] = value
            at[some] += size
            level = _joined(
                tuple(v[..., :-size] for v in level), tuple(v[..., size:] for v in level)
            )
            size *= 2
        return found[0], found[2]

    def counts(self) -> Lines:
        """How many elements of each window count."""
        if not self.omit:
            return (self.high - self.low).astype(self.lines.real.dtype)
        kept = (~np.isnan(self.lines)).astype(self.lines.real.dtype)
        return self.reduce(np.add, 0, kept)


def _joined(a: Sums, b: Sums) -> Sums:
    """Return what the elements of two windows have together that lie side by side."""
    off = np.abs(a[1] / np.maximum(a[0], 1) - b[1] / np.maximum(b[0], 1))
    count = a[0] + b[0]
    between = off * (off * (a[0] * b[0] / np.maximum(count, 1)))
    return count, a[1] + b[1], a[2] + b[2] + between


def even_bounds(count: int, back: float, on: float, half_open: bool) -> tuple[Index, Index]:
    """Return what `bounds` gives for points at distances of one."""
    most = float(count)
    before, after = min(math.floor(back), most), min(math.ceil(on) if half_open else on + 1, most)
    at = np.arange(count)
    return np.maximum(at - int(before), 0), np.minimum(at + int(after), count)


def bounds(points: Lines, back: float, on: float, half_open: bool) -> tuple[Index, Index]:
    """Where the windows around points begin and end: elements from `back` before to `on` after."""
    low = np.searchsorted(points, points - back, side="left")
    high = np.searchsorted(points, points + on, side="left" if half_open else "right")
    return low, high
