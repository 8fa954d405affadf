"""A pass over a block as steps: functions over the numbered places of an environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runmat_core.api.tuples import NamedTuple

#: Place 0 of every environment holds the block that is being run.
BLOCK = 0


class Step(NamedTuple):
    """``function(*registers(environment))``.

    Attributes:
        places: that `registers` takes; the last one is written to where `function` is a ufunc.
        position: of the instruction that it computes; -1 where it is not one's.
    """

    function: Any
    registers: Callable[[list[Any]], tuple[Any, ...]]
    places: tuple[int, ...]
    position: int = -1


class Bind(NamedTuple):
    """At `place` stands, for each block, what a view shows of its buffer."""

    place: int
    view: int


class Given(NamedTuple):
    """At `place` stands the part of a block of a value that was computed before."""

    place: int
    position: int


class Register(NamedTuple):
    """At `place` stands an array over the axes of `over`, in memory called `slab`.

    Registers with the same slab are never in use together. A slab of None is memory of its own.
    """

    place: int
    slab: int | None
    dtype: str
    over: int


class Schedule(NamedTuple):
    """One pass over a block.

    Attributes:
        size: of the environment.
        exports: where the values of the instructions are afterwards, by position.
    """

    steps: tuple[Step, ...]
    binds: tuple[Bind, ...]
    givens: tuple[Given, ...]
    registers: tuple[Register, ...]
    size: int
    exports: Mapping[int, int]
