"""Elements that are read by number where numbers follow from the position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_native import nest, stretches

from runmat_core.api import ir
from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import same


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the gathers that each loop over stretches reads as neighbours or by one step."""
    counts: list[int] = []
    made = nest.Stretch

    def counted(w: Any, lines: stretches.Lines, *rest: Any) -> Any:
        counts.append(len(lines.gathers))
        return made(w, lines, *rest)

    monkeypatch.setattr(nest, "Stretch", counted)
    return counts


def table(rng: Any, count: int, dtype: str) -> Any:
    if dtype == "bool":
        return rng.integers(0, 2, count).astype(bool)
    return (rng.standard_normal(count) * 50).astype(dtype)


class Drawn:
    """A kernel of choices between parts of arrays, drawn at random."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        rank = int(rng.integers(1, 4))
        self.extents = tuple(
            int(rng.integers(stretches.LONG if k == 0 else 1, (900, 40, 9)[k])) for k in range(rank)
        )
        self.w = plain.Writer("p" * rank, self.extents)
        self.size = int(np.prod(self.extents))
        value: Any = None
        for _ in range(int(rng.integers(1, 5))):
            dtype = str(rng.choice(["float64", "float32", "int16", "bool"]))
            # shorter than a row now and then, and empty
            count = int(rng.choice([0, 1, 7, self.extents[0], self.size, 2 * self.size]))
            part = ir.cast(self.w.gather(table(rng, count, dtype), self.number(2)), "f64")
            value = part if value is None else ir.where(self.test(), part, value * 0.5)
        self.w.store(value + self.w.load(rng.standard_normal(self.extents)))
        self.w.guard(value > 120.0, 3)

    def number(self, depth: int) -> Any:
        """A number of an element: neighbours mostly, outside of the array at times."""
        strides, step = [], 1
        for k, extent in enumerate(self.extents):
            first = (1, 1, 1, 1, -1, 0, 3) if k == 0 else (step, step, -step, 0, 2 * step)
            strides.append(int(self.rng.choice(first)))
            step *= extent
        found = self.w.index(strides, int(self.rng.integers(-9, self.size // 2 + 9)))
        if self.rng.integers(2):
            found = ir.cast(found, str(self.rng.choice(["i32", "i64", "i16"])))
        if depth and self.rng.integers(2):
            kind = found.dtype
            other = ir.cast(self.number(depth - 1), kind)
            found = ir.where(self.test(), found, other)
        if self.rng.integers(3) == 0:
            found = found + ir.cast(self.w.param(int(self.rng.integers(-5, 6)), "i64"), found.dtype)
        return found

    def test(self) -> Any:
        """A condition on the position; one in four is one that no stretch keeps."""
        place = ir.cast(self.w.index(self.along(), int(self.rng.integers(-30, 30))), "i32")
        bound: Any = int(self.rng.integers(-20, 40))
        if self.rng.integers(4) == 0:
            bound = ir.cast(self.w.param(bound, "i64"), "i32")
        way = int(self.rng.integers(8))
        if way == 0:
            return ir.mod(place, ir.cast(self.w.param(3, "i64"), "i32")) == 0
        found = [place >= bound, place > bound, place <= bound, place < bound][way % 4]
        if way == 1:
            found = found & (ir.cast(self.w.index(self.along()), "i32") >= bound)
        return ~found if way == 2 else found

    def along(self) -> list[int]:
        steps = [int(self.rng.choice([1, -1, 0, 2, -3])) for _ in self.extents]
        if self.rng.integers(4):  # as conditions on parts are: of one axis
            only = int(self.rng.integers(len(steps)))
            steps = [step if k == only else 0 for k, step in enumerate(steps)]
        return steps


@pytest.mark.parametrize("seeds", [range(k, k + 12) for k in range(0, 48, 12)])
def test_choices_between_parts(
    seeds: range, new_native: Callable[..., Any], new_device: Any, loops: list[int]
) -> None:
    native, numpy = new_native(), new_device()
    for seed in seeds:
        drawn = Drawn(seed)
        (wanted,), word = numpy.launch(drawn.w)
        (got,), bits = native.launch(drawn.w)
        same(got, wanted)
        assert bits == word, seed
    assert sum(loops) > len(seeds) / 2


def test_a_shift_is_one_read_of_neighbours(
    new_native: Callable[..., Any], new_device: Any, loops: list[int]
) -> None:
    rows, columns = 200, 30
    x = np.arange(rows * columns, dtype=float).reshape((rows, columns), order="F")
    writer = plain.Writer("pp", (rows, columns))
    first = writer.index((1, 0), -1) >= 0
    numbers = ir.where(first, writer.index((1, rows), -1), writer.index((1, rows), rows - 1))
    writer.store(writer.gather(x.ravel(order="F"), numbers))
    got = new_native().output(writer)
    np.testing.assert_array_equal(got.reshape((rows, columns), order="F"), np.roll(x, 1, 0))
    assert loops == [1]


def test_numbers_that_saturate_are_followed(
    new_native: Callable[..., Any], new_device: Any
) -> None:
    writer = plain.Writer("p", (400,))
    number = ir.cast(ir.cast(writer.index((1,), -100), "i8"), "i64")
    writer.store(writer.gather(np.arange(1.0, 200.0), number))
    same(new_native().output(writer), new_device().output(writer))


def test_short_rows_are_read_one_by_one(new_native: Callable[..., Any], loops: list[int]) -> None:
    writer = plain.Writer("pp", (3, 900))
    numbers = ir.where(writer.index((1, 0)) >= 1, writer.index((1, 3)), writer.index((1, 3), 1))
    writer.store(writer.gather(np.arange(2700.0), numbers))
    assert new_native().output(writer)[:, :2].tolist() == [[1, 4], [1, 4], [2, 5]]
    assert not loops
