"""Kernels that choose between parts of arrays, cut into boxes in which nothing is to be chosen.

A concatenation and an array with a replaced region compare the position of a point with bounds, and
read by number. By NumPy that takes ten operations and a read of single elements. Where the bounds
lie along the axes, the space falls into a few boxes in which every test has one outcome: there the
kernel is one without tests, whose parts are views of arrays like any other.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise, product

import attrs
import numpy as np

from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import Instr, Kernel, View
from runmat_core.api.tuples import NamedTuple
from runmat_inprocess.compiler import attr

#: Boxes of a launch at most, and points of one on the average at least.
MOST, LEAST = 64, 2048
_SIGNED = frozenset({"i8", "i16", "i32", "i64"})
_TESTS = frozenset({"lt", "le", "gt", "ge"})


class Line(NamedTuple):
    """An integer that follows from the position: ``offset + sum(strides[k] * point[k])``."""

    offset: int
    strides: tuple[int, ...]

    def plus(self, other: Line, sign: int = 1) -> Line:
        strides = [a + sign * b for a, b in zip(self.strides, other.strides, strict=True)]
        return Line(self.offset + sign * other.offset, tuple(strides))

    def range(self, extents: Sequence[int]) -> tuple[int, int]:
        ends = [s * (n - 1) for s, n in zip(self.strides, extents, strict=True)]
        least = self.offset + sum(min(end, 0) for end in ends)
        return least, self.offset + sum(max(end, 0) for end in ends)


class Box(NamedTuple):
    """A kernel for a part of a space."""

    kernel: Kernel
    extents: tuple[int, ...]
    views: tuple[Addressing, ...]


class _MixedError(Exception):
    """Some elements of a box lie in an array, others outside."""


def boxes(
    kernel: Kernel,
    extents: tuple[int, ...],
    views: tuple[Addressing, ...],
    sizes: Sequence[int],
) -> list[Box] | None:
    """Return the boxes of a launch; None where its kernel is better run as it is.

    Args:
        sizes: of the arrays.
    """
    if not any(instr.op == "load" and instr.args for instr in kernel.code):
        return None
    if any(axis.kind != "parallel" for axis in kernel.axes) or not all(extents):
        return None
    cuts = _cuts(kernel, extents, views, sizes)
    if cuts is None:
        return None
    spans = [list(pairwise(at)) for at in cuts]
    count = int(np.prod([len(span) for span in spans]))
    if count > MOST or count * LEAST > int(np.prod(extents)):
        return None
    try:
        return [_Chosen(kernel, sides, views, sizes).box() for sides in product(*spans)]
    except _MixedError:
        return None


def _cuts(
    kernel: Kernel,
    extents: tuple[int, ...],
    views: tuple[Addressing, ...],
    sizes: Sequence[int],
) -> list[list[int]] | None:
    """Return where tests change along each axis; None where some do not lie along one."""
    cuts = [{0, extent} for extent in extents]
    whole = _Chosen(kernel, [(0, extent) for extent in extents], views, sizes)
    tests = 0
    for position, instr in enumerate(kernel.code):
        if instr.op not in _TESTS:
            continue
        margin = whole.margin(position)
        if margin is None:
            continue
        tests += 1
        moving = [k for k, s in enumerate(margin.strides) if s and extents[k] > 1]
        if len(moving) > 1:
            least, most = margin.range(extents)
            if least < 0 <= most:
                return None
            continue
        for axis in moving:
            step = margin.strides[axis]
            # the first point at which the margin is on the other side of zero
            if step > 0:
                at = -(margin.offset // step) if margin.offset < 0 else 0
            else:
                at = margin.offset // -step + 1 if margin.offset >= 0 else 0
            if 0 < at < extents[axis]:
                cuts[axis].add(at)
    return [sorted(at) for at in cuts] if tests else None


class _Chosen:
    """The kernel in one box.

    Args:
        sides: where the box begins and stops along each axis.
        sizes: of the arrays.
    """

    def __init__(
        self,
        kernel: Kernel,
        sides: Sequence[tuple[int, int]],
        views: tuple[Addressing, ...],
        sizes: Sequence[int],
    ) -> None:
        self.kernel, self.sizes = kernel, sizes
        self.extents = tuple(stop - first for first, stop in sides)
        self.moved = [
            Addressing(
                view.offset + sum(s * a for s, (a, _) in zip(view.strides, sides, strict=True)),
                view.strides,
            )
            for view in views
        ]
        self.code: list[Instr] = []
        self.views: list[View] = []
        self.addressing: list[Addressing] = []
        self._lines: dict[int, Line | None] = {}
        self._made: dict[int, int] = {}
        for position, instr in enumerate(kernel.code):
            self._lines[position] = self._line(instr)

    def box(self) -> Box:
        """Return the kernel.

        Raises:
            _MixedError: elements lie partly outside of an array.
        """
        for instr in self.kernel.code:
            if instr.op in ("store", "guard"):
                args = tuple([self._value(a) for a in instr.args])
                self._add(attrs.evolve(instr, args=args, attr=self._attr(instr)))
        views, code = tuple(self.views), tuple(self.code)
        kernel = attrs.evolve(self.kernel, views=views, code=code)
        return Box(kernel, self.extents, tuple(self.addressing))

    # -- what follows from the position

    def _line(self, instr: Instr) -> Line | None:
        """Return an instruction's value as a line, if it is one all over the box."""
        if instr.op == "index":
            moved = self.moved[attr(instr)]
            return Line(moved.offset, moved.strides)
        if instr.dtype not in _SIGNED:
            return None
        if instr.op == "const":
            return Line(attr(instr), (0,) * len(self.extents))
        if instr.op == "select":
            truth = self._truth(instr.args[0])
            return None if truth is None else self._lines[instr.args[1 if truth else 2]]
        args = [line for a in instr.args if (line := self._lines[a]) is not None]
        if len(args) < len(instr.args):
            return None
        if instr.op == "cast":
            found = args[0]
        elif instr.op in ("add", "sub"):
            found = args[0].plus(args[1], 1 if instr.op == "add" else -1)
        else:
            return None
        limits = np.iinfo(NUMPY_DTYPE[instr.dtype])
        least, most = found.range(self.extents)
        return found if limits.min <= least and most <= limits.max else None

    def margin(self, position: int) -> Line | None:
        """Return the line that is below zero where a test fails."""
        instr = self.kernel.code[position]
        a, b = (self._lines[k] for k in instr.args)
        if a is None or b is None:
            return None
        found = a.plus(b, -1) if instr.op in ("ge", "gt") else b.plus(a, -1)
        strict = instr.op in ("gt", "lt")
        return found._replace(offset=found.offset - 1) if strict else found

    def _truth(self, position: int) -> bool | None:
        """Return the one outcome that a logical value has in the box, if there is one."""
        instr = self.kernel.code[position]
        if instr.op in _TESTS:
            margin = self.margin(position)
            if margin is None:
                return None
            least, most = margin.range(self.extents)
            return True if least >= 0 else False if most < 0 else None
        if instr.op == "not":
            truth = self._truth(instr.args[0])
            return None if truth is None else not truth
        if instr.op in ("and", "or"):
            truths = [self._truth(a) for a in instr.args]
            decides = instr.op == "or"
            if decides in truths:
                return decides
            return None if None in truths else not decides
        return None

    # -- the code

    def _value(self, position: int) -> int:
        """Write what a value takes; its new position."""
        stack = [position]
        while stack:
            top = stack[-1]
            if top in self._made:
                stack.pop()
                continue
            needed = [a for a in self._needs(top) if a not in self._made]
            if needed:
                stack += needed
                continue
            stack.pop()
            self._made[top] = self._written(top)
        return self._made[position]

    def _needs(self, position: int) -> tuple[int, ...]:
        instr = self.kernel.code[position]
        if self._lines[position] is not None or instr.op == "index":
            return ()
        if instr.op == "load" and instr.args and self._lines[instr.args[0]] is not None:
            return ()
        if instr.dtype == "bool" and self._truth(position) is not None:
            return ()
        if instr.op == "select" and (truth := self._truth(instr.args[0])) is not None:
            return (instr.args[1 if truth else 2],)
        return instr.args

    def _written(self, position: int) -> int:
        instr = self.kernel.code[position]
        line = self._lines[position]
        if line is not None and instr.op != "const":
            return self._numbers(line, instr.dtype, instr.over)
        if instr.op == "load" and instr.args and (at := self._lines[instr.args[0]]) is not None:
            return self._load(instr, at)
        if instr.dtype == "bool" and (known := self._truth(position)) is not None:
            return self._add(Instr("const", (), "bool", 0, known))
        if instr.op == "select" and (truth := self._truth(instr.args[0])) is not None:
            return self._made[instr.args[1 if truth else 2]]
        args = tuple([self._made[a] for a in instr.args])
        return self._add(attrs.evolve(instr, args=args, attr=self._attr(instr)))

    def _attr(self, instr: Instr) -> Hashable:
        """Return what an instruction that stays as it is needs besides operands."""
        if instr.op not in ("load", "store", "index"):
            return instr.attr
        view = attr(instr)
        return self._view(self.kernel.views[view], self.moved[view])

    def _numbers(self, line: Line, dtype: str, over: int) -> int:
        view = self._view(View(None, self._moves(over)), Addressing(*line))
        made = self._add(Instr("index", (), "i64", over, view))
        return made if dtype == "i64" else self._add(Instr("cast", (made,), dtype, over, dtype))

    def _load(self, instr: Instr, line: Line) -> int:
        """Read an array along a line; 0 where all of it is outside."""
        buffer = self.kernel.views[attr(instr)].buffer
        assert buffer is not None
        least, most = line.range(self.extents)
        size = self.sizes[buffer]
        if most < 0 or least >= size:
            nothing = False if instr.dtype == "bool" else 0
            return self._add(Instr("const", (), instr.dtype, 0, nothing))
        if least < 0 or most >= size:
            raise _MixedError
        view = self._view(View(buffer, self._moves(instr.over)), Addressing(*line))
        return self._add(Instr("load", (), instr.dtype, instr.over, view))

    def _moves(self, over: int) -> tuple[bool, ...]:
        return tuple([bool(over >> k & 1) for k in range(len(self.extents))])

    def _view(self, view: View, addressing: Addressing) -> int:
        self.views.append(view)
        self.addressing.append(addressing)
        return len(self.views) - 1

    def _add(self, instr: Instr) -> int:
        self.code.append(instr)
        return len(self.code) - 1
